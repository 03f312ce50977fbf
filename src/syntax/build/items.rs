//! Items: the game, its set-up, tests.
use super::{Builder, Kids, P};
use crate::ast::{
    Bounds, Change, ChangeTarget, Ending, Game, Header, HeaderKind, Invariant, Item, ItemKind, ModDecl, Name,
    Needs, OptionDecl, Outcome, OutcomeKind, PartDecl, Players, Scenario, SetOption, Test, Text, Variant,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn item_kind(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::game => self.game(pair)?,
            Rule::header => {
                let header = self.header(pair)?;
                ItemKind::Header(header)
            }
            Rule::option => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_option)?;
                let name = self.name(kids.next()?);
                let title = self.text(kids.opt(Rule::text)?);
                kids.opt(Rule::colon)?;
                let ty = self.ty(kids.next()?)?;
                ItemKind::Option(OptionDecl { name, title, ty, default: self.eq_expr(&mut kids) })
            }
            Rule::set_option => {
                let mut kids = Kids::of(pair);
                let name = self.name(kids.next()?);
                ItemKind::SetOption(SetOption { name, value: self.eq_expr(&mut kids)? })
            }
            Rule::variant => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_variant)?;
                let name = self.name(kids.next()?);
                let title = self.text(kids.opt(Rule::text)?);
                ItemKind::Variant(Variant { name, title, items: self.items(kids.next()?) })
            }
            Rule::mods => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_mod)?;
                let title = self.text(kids.opt(Rule::text)?);
                kids.opt(Rule::k_for)?;
                let game = self.name(kids.next()?);
                ItemKind::Mod(ModDecl { title, game, items: self.items(kids.next()?) })
            }
            Rule::part => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_part)?;
                let name = self.name(kids.next()?);
                kids.opt(Rule::k_for)?;
                let game = self.name(kids.next()?);
                ItemKind::Part(PartDecl { name, game, items: self.items(kids.next()?) })
            }
            Rule::scenario => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_scenario)?;
                let name = self.name(kids.next()?);
                let title = self.text(kids.opt(Rule::text)?);
                kids.opt(Rule::k_for)?;
                let game = self.name(kids.next()?);
                let with = kids.opt(Rule::with_parts).map(|p| self.words(Kids::of(p))).unwrap_or_default();
                ItemKind::Scenario(Scenario { name, title, game, with, items: self.items(kids.next()?) })
            }
            Rule::needs => ItemKind::Needs(self.needs(pair)?),
            Rule::invariant => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_invariant)?;
                let title = self.text(kids.opt(Rule::text)?);
                kids.opt(Rule::l_brace)?;
                ItemKind::Invariant(Invariant { title, cond: self.expr(kids.next()?) })
            }
            Rule::numbered => {
                let numbers = self.words(Kids::of(pair));
                let [first, last] = <[Name; 2]>::try_from(numbers).ok()?;
                ItemKind::Numbered(first, last)
            }
            Rule::not_played => {
                let why = self.text(Kids::of(pair.clone()).last()?);
                ItemKind::NotPlayed(self.words(Kids::of(pair)), why)
            }
            Rule::ending => ItemKind::Ending(self.ending(pair)?),
            Rule::change => self.change(pair)?,
            Rule::remove => ItemKind::Remove(self.words(Kids::of(pair))),
            Rule::test => self.test(pair)?,
            Rule::enum_d => ItemKind::Enum(self.enum_decl(pair)?),
            Rule::component => ItemKind::Component(self.component(pair)?),
            Rule::player_d | Rule::table_d => {
                let player = rule == Rule::player_d;
                let parts = self.kind_body(Kids::of(pair).last()?);
                if player { ItemKind::Player(parts) } else { ItemKind::Table(parts) }
            }
            Rule::player_m => ItemKind::PlayerMember(self.player_member(pair)?),
            Rule::map_d | Rule::map_drawn => ItemKind::Map(self.map(pair)?),
            Rule::space_d => ItemKind::Space(self.space(pair)?),
            Rule::patch_d => ItemKind::Patch(self.patch(pair)?),
            Rule::list_d => ItemKind::List(self.list(pair)?),
            Rule::legend => ItemKind::Legend(self.legend(pair)?),
            Rule::member => ItemKind::Member(self.member(pair)?),
            Rule::value => ItemKind::Value(self.value(pair)?),
            Rule::heuristic => ItemKind::Heuristic(self.value(pair)?),
            Rule::hook => ItemKind::Hook(self.hook(pair)?),
            Rule::rule_d => ItemKind::Rule(self.rule(pair)?),
            Rule::phase => ItemKind::Phase(self.phase(pair)?),
            Rule::setup => ItemKind::Setup(self.block(Kids::of(pair).last()?)),
            Rule::round => ItemKind::Round(self.round(pair)?),
            Rule::menu => ItemKind::Menu(self.menu(pair)?),
            Rule::action => ItemKind::Action(self.action(pair)?),
            Rule::score => ItemKind::Score(self.lines(pair)?),
            Rule::ranking => ItemKind::Ranking(self.lines(pair)?),
            Rule::attach => ItemKind::Attach(self.attach(pair)?),
            Rule::look => ItemKind::Look(self.look(pair)?),
            _ => return None,
        })
    }

    fn items(&mut self, pair: P<'_>) -> Vec<Item> {
        self.entries(pair, |b, doc, kid| Some(b.item(doc, kid)))
    }

    /// The words and kinds among the children.
    pub(super) fn words(&mut self, kids: Kids<'_>) -> Vec<Name> {
        kids.filter(|k| matches!(k.as_rule(), Rule::word | Rule::kind | Rule::name | Rule::cast))
            .map(|k| self.name(k))
            .collect()
    }

    /// `= e`, if it is there.
    pub(super) fn eq_expr(&mut self, kids: &mut Kids<'_>) -> Option<crate::ast::Expr> {
        kids.opt(Rule::eq)?;
        Some(self.expr(kids.next()?))
    }

    pub(super) fn reason(&mut self, kids: &mut Kids<'_>) -> Option<Text> {
        let reason = kids.opt(Rule::reason)?;
        Some(self.text(Kids::of(reason).last()?))
    }

    pub(super) fn needs(&mut self, pair: P<'_>) -> Option<Needs> {
        let mut kids = Kids::of(pair);
        kids.next()?; // `needs`, or `leave`
        let cond = self.expr(kids.next()?);
        Some(Needs { cond, reason: self.reason(&mut kids) })
    }

    pub(super) fn outcome(rule: Rule) -> Option<Outcome> {
        Some(match rule {
            Rule::k_win | Rule::k_won => Outcome::Win,
            Rule::k_lose | Rule::k_lost => Outcome::Lose,
            Rule::k_tie | Rule::k_tied => Outcome::Tie,
            _ => return None,
        })
    }

    /// An item's `win when C`, a menu's `win p when C`.
    pub(super) fn ending(&mut self, pair: P<'_>) -> Option<Ending> {
        let mut kids = Kids::of(pair);
        let outcome = Self::outcome(kids.next()?.as_rule())?;
        let who = kids.opt(Rule::post).map(|p| self.expr(p));
        let when = self.when(&mut kids)?;
        Some(Ending { outcome, who, when, text: self.text_opt(&mut kids) })
    }

    fn game(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_game)?;
        let name = self.name(kids.next()?);
        let title = self.text(kids.opt(Rule::text)?);
        let mut headers = Vec::new();
        for kid in kids {
            match kid.as_rule() {
                Rule::bad_part => {
                    self.mark_bad(&kid, Rule::only_header);
                    headers.push(Header { kind: HeaderKind::Bad, span: self.span(&kid) });
                }
                Rule::header => headers.push(self.header(kid)?),
                _ => {}
            }
        }
        Some(ItemKind::Game(Game { name, title, headers }))
    }

    fn header(&mut self, pair: P<'_>) -> Option<Header> {
        let span = self.span(&pair);
        let inner = Kids::of(pair).next()?;
        let rule = inner.as_rule();
        let mut kids = Kids::of(inner);
        kids.next()?; // its word
        let kind = match rule {
            Rule::h_players => {
                let who = match kids.opt(Rule::bounds) {
                    Some(bounds) => Players::Number(self.bounds(bounds)?),
                    None => {
                        let mut names = Vec::new();
                        while let Some(word) = kids.opt(Rule::word) {
                            names.push(self.name(word));
                            kids.opt(Rule::comma);
                        }
                        Players::Named(names)
                    }
                };
                HeaderKind::Players { who, answered: self.inner_expr(&mut kids, Rule::answered) }
            }
            Rule::h_seats => HeaderKind::Seats(self.bounds(kids.next()?)?),
            Rule::h_outcome => {
                let word = kids.next()?;
                HeaderKind::Outcome(match word.as_rule() {
                    Rule::k_together => OutcomeKind::Together,
                    Rule::k_each => OutcomeKind::Each,
                    Rule::k_win => OutcomeKind::Win,
                    Rule::k_highest => OutcomeKind::Highest(self.expr(kids.next()?)),
                    Rule::k_lowest => OutcomeKind::Lowest(self.expr(kids.next()?)),
                    Rule::k_ranking => OutcomeKind::Ranking(self.name(kids.next()?)),
                    _ => return None,
                })
            }
            Rule::h_score => {
                let value = self.expr(kids.next()?);
                HeaderKind::Score { value, title: self.text_opt(&mut kids) }
            }
            Rule::h_order => HeaderKind::OrderBy(self.expr(kids.last()?)),
            Rule::h_begins => HeaderKind::BeginsOn(self.name(kids.last()?)),
            Rule::h_ends => {
                kids.opt(Rule::k_when)?;
                let when = self.expr(kids.next()?);
                HeaderKind::EndsWhen { when, text: self.text_opt(&mut kids) }
            }
            _ => return None,
        };
        Some(Header { kind, span })
    }

    pub(super) fn bounds(&mut self, pair: P<'_>) -> Option<Bounds> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let from = self.expr(kids.next()?);
        let to = if kids.has(Rule::dots) { kids.next().map(|p| self.expr(p)) } else { Some(from.clone()) };
        Some(Bounds { from, to, span })
    }

    fn change(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_change)?;
        let what = kids.next()?;
        let span = self.span(&what);
        let target = match what.as_rule() {
            Rule::kind => ChangeTarget::Kind(self.name(what)),
            Rule::k_player => ChangeTarget::Player(span),
            Rule::k_table => ChangeTarget::Table(span),
            _ => ChangeTarget::Member(self.name(what)),
        };
        let body = kids.next()?;
        let parts =
            if body.as_rule() == Rule::kind_body { self.kind_body(body) } else { self.member_body(body) };
        Some(ItemKind::Change(Change { target, parts }))
    }

    fn test(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_test)?;
        let title = self.text(kids.opt(Rule::text)?);
        let on = self.inner_name(&mut kids, Rule::on_word);
        let with = kids.opt(Rule::with_cast).map(|p| self.words(Kids::of(p))).unwrap_or_default();
        let seeds = match kids.opt(Rule::seeds) {
            Some(seeds) => Some(self.bounds(Kids::of(seeds).last()?)?),
            None => None,
        };
        Some(ItemKind::Test(Test { title, on, with, seeds, body: self.block(kids.next()?) }))
    }
}
