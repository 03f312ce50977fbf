//! Builds items from pairs: the game, its set-up, tests.
use super::{Builder, Kids, P};
use crate::ast::{
    Bounds, Change, ChangeTarget, Ending, Game, Header, HeaderKind, Invariant, Item, ItemKind, LegacyRow,
    LegacyRowKind, ModDecl, ModLine, ModLineKind, Name, Needs, OptionDecl, Outcome, OutcomeKind, PartDecl,
    Players, Scenario, SetOption, Test, Text, Variant,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn build_item_kind(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        Some(match rule {
            Rule::game => self.build_game(pair)?,
            Rule::header => {
                let header = self.build_header(pair)?;
                ItemKind::Header(header)
            }
            Rule::option => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_option)?;
                let name = self.build_name(kids.next()?);
                let title = self.build_text(kids.next_if(Rule::text)?);
                kids.next_if(Rule::colon)?;
                let ty = self.build_ty(kids.next()?)?;
                ItemKind::Option(OptionDecl { name, title, ty, default: self.build_eq_expr(&mut kids) })
            }
            Rule::set_option => ItemKind::SetOption(self.build_set_option(pair)?),
            Rule::variant => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_variant)?;
                let name = self.build_name(kids.next()?);
                let title = self.build_text(kids.next_if(Rule::text)?);
                ItemKind::Variant(Variant { name, title, items: self.build_items(kids.next()?) })
            }
            Rule::mods => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_mod)?;
                let title = self.build_text(kids.next_if(Rule::text)?);
                kids.next_if(Rule::k_for)?;
                let game = self.build_name(kids.next()?);
                ItemKind::Mod(ModDecl { title, game, items: self.build_items(kids.next()?) })
            }
            Rule::mod_line => ItemKind::ModLine(self.build_mod_line(pair)?),
            Rule::part => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_part)?;
                let name = self.build_name(kids.next()?);
                kids.next_if(Rule::k_for)?;
                let game = self.build_name(kids.next()?);
                ItemKind::Part(PartDecl { name, game, items: self.build_items(kids.next()?) })
            }
            Rule::scenario => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_scenario)?;
                let name = self.build_name(kids.next()?);
                let title = self.build_text(kids.next_if(Rule::text)?);
                kids.next_if(Rule::k_for)?;
                let game = self.build_name(kids.next()?);
                let with = kids
                    .next_if(Rule::with_parts)
                    .map(|p| self.build_words(Kids::from_pair(p)))
                    .unwrap_or_default();
                ItemKind::Scenario(Scenario {
                    name,
                    title,
                    game,
                    with,
                    items: self.build_items(kids.next()?),
                })
            }
            Rule::needs => ItemKind::Needs(self.build_needs(pair)?),
            Rule::legacy => ItemKind::Legacy(self.build_legacy(pair)?),
            Rule::invariant => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_invariant)?;
                let title = self.build_text(kids.next_if(Rule::text)?);
                kids.next_if(Rule::l_brace)?;
                ItemKind::Invariant(Invariant { title, cond: self.build_expr(kids.next()?) })
            }
            Rule::numbered => {
                let numbers = self.build_words(Kids::from_pair(pair));
                let [first, last] = <[Name; 2]>::try_from(numbers).ok()?;
                ItemKind::Numbered(first, last)
            }
            Rule::not_played => {
                let why = self.build_text(Kids::from_pair(pair.clone()).last()?);
                ItemKind::NotPlayed(self.build_words(Kids::from_pair(pair)), why)
            }
            Rule::ending => ItemKind::Ending(self.build_ending(pair)?),
            Rule::change => self.build_change(pair)?,
            Rule::remove => ItemKind::Remove(self.build_words(Kids::from_pair(pair))),
            Rule::test => self.build_test(pair)?,
            Rule::enum_d => ItemKind::Enum(self.build_enum_decl(pair)?),
            Rule::component => ItemKind::Component(self.build_component(pair)?),
            Rule::player_d | Rule::table_d => {
                let player = rule == Rule::player_d;
                let parts = self.build_kind_body(Kids::from_pair(pair).last()?);
                if player { ItemKind::Player(parts) } else { ItemKind::Table(parts) }
            }
            Rule::player_m => ItemKind::PlayerMember(self.build_player_member(pair)?),
            Rule::map_d | Rule::map_drawn => ItemKind::Map(self.build_map(pair)?),
            Rule::space_d => ItemKind::Space(self.build_space(pair)?),
            Rule::patch_d => ItemKind::Patch(self.build_patch(pair)?),
            Rule::list_d => ItemKind::List(self.build_list(pair)?),
            Rule::legend => ItemKind::Legend(self.build_legend(pair)?),
            Rule::member => ItemKind::Member(self.build_member(pair)?),
            Rule::value => ItemKind::Value(self.build_value(pair)?),
            Rule::heuristic => ItemKind::Heuristic(self.build_value(pair)?),
            Rule::hook => ItemKind::Hook(self.build_hook(pair)?),
            Rule::rule_d => ItemKind::Rule(self.build_rule(pair)?),
            Rule::phase => ItemKind::Phase(self.build_phase(pair)?),
            Rule::setup => ItemKind::Setup(self.build_block(Kids::from_pair(pair).last()?)),
            Rule::round => ItemKind::Round(self.build_round(pair)?),
            Rule::menu => ItemKind::Menu(self.build_menu(pair)?),
            Rule::action => ItemKind::Action(self.build_action(pair)?),
            Rule::score => ItemKind::Score(self.build_lines(pair)?),
            Rule::ranking => ItemKind::Ranking(self.build_lines(pair)?),
            Rule::attach => ItemKind::Attach(self.build_attach(pair)?),
            Rule::look => ItemKind::Look(self.build_look(pair)?),
            _ => return None,
        })
    }

    /// `name = e`
    pub(super) fn build_set_option(&mut self, pair: P<'_>) -> Option<SetOption> {
        let mut kids = Kids::from_pair(pair);
        let name = self.build_name(kids.next()?);
        Some(SetOption { name, value: self.build_eq_expr(&mut kids)? })
    }

    fn build_legacy(&mut self, pair: P<'_>) -> Option<Vec<LegacyRow>> {
        let mut rows = Vec::new();
        for row in
            Kids::from_pair(pair).filter(|k| matches!(k.as_rule(), Rule::set_option | Rule::legacy_next))
        {
            let span = self.span_of(&row);
            let kind = match row.as_rule() {
                Rule::set_option => LegacyRowKind::Option(self.build_set_option(row)?),
                _ => {
                    let mut kids = Kids::from_pair(row);
                    kids.next_if(Rule::k_next)?;
                    let name = match kids.take_if(Rule::k_none) {
                        true => None,
                        false => Some(self.build_name(kids.next()?)),
                    };
                    match kids.take_if(Rule::k_when) {
                        true => {
                            LegacyRowKind::NextOutcome(name, Self::build_outcome(kids.next()?.as_rule())?)
                        }
                        false => match self.build_when(&mut kids) {
                            Some(when) => LegacyRowKind::NextWhen(name, when),
                            None => LegacyRowKind::Next(name),
                        },
                    }
                }
            };
            rows.push(LegacyRow { kind, span });
        }
        Some(rows)
    }

    fn build_items(&mut self, pair: P<'_>) -> Vec<Item> {
        self.build_entries(pair, |b, doc, kid| Some(b.build_item(doc, kid)))
    }

    /// The words and kinds among the children.
    pub(super) fn build_words(&mut self, kids: Kids<'_>) -> Vec<Name> {
        kids.filter(|k| matches!(k.as_rule(), Rule::word | Rule::kind | Rule::name | Rule::cast))
            .map(|k| self.build_name(k))
            .collect()
    }

    fn build_mod_line(&mut self, pair: P<'_>) -> Option<ModLine> {
        let mut kids = Kids::from_pair(pair);
        let head = kids.next()?;
        let kind = match head.as_rule() {
            Rule::mod_needs if Kids::from_pair(head.clone()).any(|k| k.as_rule() == Rule::k_version) => {
                ModLineKind::NeedsVersion
            }
            Rule::mod_needs => ModLineKind::Needs,
            Rule::mod_conflicts => ModLineKind::Conflicts,
            Rule::mod_after => ModLineKind::After,
            _ => ModLineKind::Breaks,
        };
        let texts = kids.filter(|k| k.as_rule() == Rule::text).map(|k| self.build_text(k)).collect();
        Some(ModLine { kind, texts })
    }

    /// `= e`, if it is there.
    pub(super) fn build_eq_expr(&mut self, kids: &mut Kids<'_>) -> Option<crate::ast::Expr> {
        kids.next_if(Rule::eq)?;
        Some(self.build_expr(kids.next()?))
    }

    pub(super) fn build_reason(&mut self, kids: &mut Kids<'_>) -> Option<Text> {
        let reason = kids.next_if(Rule::reason)?;
        Some(self.build_text(Kids::from_pair(reason).last()?))
    }

    pub(super) fn build_needs(&mut self, pair: P<'_>) -> Option<Needs> {
        let mut kids = Kids::from_pair(pair);
        kids.next()?; // `needs`, or `leave`
        let cond = self.build_expr(kids.next()?);
        Some(Needs { cond, reason: self.build_reason(&mut kids) })
    }

    pub(super) fn build_outcome(rule: Rule) -> Option<Outcome> {
        Some(match rule {
            Rule::k_win | Rule::k_won => Outcome::Win,
            Rule::k_lose | Rule::k_lost => Outcome::Lose,
            Rule::k_tie | Rule::k_tied => Outcome::Tie,
            _ => return None,
        })
    }

    /// An item's `win when C`, a menu's `win p when C` and `ends when C`.
    pub(super) fn build_ending(&mut self, pair: P<'_>) -> Option<Ending> {
        let mut kids = Kids::from_pair(pair);
        let outcome = Self::build_outcome(kids.next()?.as_rule());
        let who = kids.next_if(Rule::add).map(|p| self.build_expr(p));
        let when = self.build_when(&mut kids)?;
        Some(Ending { outcome, who, when, text: self.build_text_opt(&mut kids) })
    }

    fn build_game(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_game)?;
        let name = self.build_name(kids.next()?);
        let title = self.build_text(kids.next_if(Rule::text)?);
        let mut headers = Vec::new();
        for kid in kids {
            match kid.as_rule() {
                Rule::bad_part => {
                    self.mark_bad(&kid, Rule::only_header);
                    headers.push(Header { kind: HeaderKind::Bad, span: self.span_of(&kid) });
                }
                Rule::header => headers.push(self.build_header(kid)?),
                _ => {}
            }
        }
        Some(ItemKind::Game(Game { name, title, headers }))
    }

    fn build_header(&mut self, pair: P<'_>) -> Option<Header> {
        let span = self.span_of(&pair);
        let inner = Kids::from_pair(pair).next()?;
        let rule = inner.as_rule();
        let mut kids = Kids::from_pair(inner);
        kids.next()?; // its word
        let kind = match rule {
            Rule::h_players => {
                let who = match kids.next_if(Rule::bounds) {
                    Some(bounds) => Players::Number(self.build_bounds(bounds)?),
                    None => {
                        let mut names = Vec::new();
                        while let Some(word) = kids.next_if(Rule::word) {
                            names.push(self.build_name(word));
                            kids.next_if(Rule::comma);
                        }
                        Players::Named(names)
                    }
                };
                HeaderKind::Players { who, answered: self.build_inner_expr(&mut kids, Rule::answered) }
            }
            Rule::h_seats => HeaderKind::Seats(self.build_bounds(kids.next()?)?),
            Rule::h_outcome => {
                let word = kids.next()?;
                HeaderKind::Outcome(match word.as_rule() {
                    Rule::k_together => OutcomeKind::Together,
                    Rule::k_each => OutcomeKind::Each,
                    Rule::k_win => OutcomeKind::Win,
                    Rule::k_highest => OutcomeKind::Highest(self.build_expr(kids.next()?)),
                    Rule::k_lowest => OutcomeKind::Lowest(self.build_expr(kids.next()?)),
                    Rule::k_ranking => OutcomeKind::Ranking(self.build_name(kids.next()?)),
                    _ => return None,
                })
            }
            Rule::h_score => {
                let value = self.build_expr(kids.next()?);
                HeaderKind::Score { value, title: self.build_text_opt(&mut kids) }
            }
            Rule::h_order => HeaderKind::OrderBy(self.build_expr(kids.last()?)),
            Rule::h_version => HeaderKind::Version(self.build_text(kids.last()?)),
            Rule::h_begins => HeaderKind::BeginsOn(self.build_name(kids.last()?)),
            Rule::h_ends => {
                kids.next_if(Rule::k_when)?;
                let when = self.build_expr(kids.next()?);
                HeaderKind::EndsWhen { when, text: self.build_text_opt(&mut kids) }
            }
            _ => return None,
        };
        Some(Header { kind, span })
    }

    pub(super) fn build_bounds(&mut self, pair: P<'_>) -> Option<Bounds> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let from = self.build_expr(kids.next()?);
        let to = if kids.take_if(Rule::dots) {
            kids.next().map(|p| self.build_expr(p))
        } else {
            Some(from.clone())
        };
        Some(Bounds { from, to, span })
    }

    fn build_change(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_change)?;
        let what = kids.next()?;
        let span = self.span_of(&what);
        let target = match what.as_rule() {
            Rule::kind => ChangeTarget::Kind(self.build_name(what)),
            Rule::k_player => ChangeTarget::Player(span),
            Rule::k_table => ChangeTarget::Table(span),
            _ => ChangeTarget::Member(self.build_name(what)),
        };
        let body = kids.next()?;
        let parts = if body.as_rule() == Rule::kind_body {
            self.build_kind_body(body)
        } else {
            self.build_member_body(body)
        };
        Some(ItemKind::Change(Change { target, parts }))
    }

    fn build_test(&mut self, pair: P<'_>) -> Option<ItemKind> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_test)?;
        let title = self.build_text(kids.next_if(Rule::text)?);
        let on = self.build_inner_name(&mut kids, Rule::on_word);
        let with =
            kids.next_if(Rule::with_cast).map(|p| self.build_words(Kids::from_pair(p))).unwrap_or_default();
        let seeds = match kids.next_if(Rule::seeds) {
            Some(seeds) => Some(self.build_bounds(Kids::from_pair(seeds).last()?)?),
            None => None,
        };
        Some(ItemKind::Test(Test { title, on, with, seeds, body: self.build_block(kids.next()?) }))
    }
}
