//! Collects what a rulebook says of the game itself: what it is about, components, set-up, course, actions, cards, words.
use super::{Item, Part, Section};
use crate::analysis::Analysis;
use crate::cards::{Card, CardGroup, list_cards};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_model::sentences::rulebook::{
    ActionWords, Sentence, describe_action, describe_attachment, describe_block, describe_condition,
    describe_number, describe_rule, describe_text, name_words, rule_title,
};
use houserule_text::Span;
use std::sync::Arc;

/// What all sections are made from.
pub(super) struct Writer<'a> {
    pub analysis: &'a Analysis,
    pub model: &'a Model,
}

/// The game itself.
const GAME: ScopeId = ScopeId(0);

impl Writer<'_> {
    /// Rules as they are written.
    pub fn source(&self, span: Span) -> String {
        self.analysis.slice(span).trim().to_string()
    }

    /// Sentences as a list; where there are no words, the rule.
    pub fn list(&self, sentences: &[Sentence]) -> Option<Part> {
        let item = |s: &Sentence| match s.finished() {
            Some(words) => Item::Words(words),
            None => Item::Rule(self.source(s.at)),
        };
        let mut items: Vec<Item> = sentences.iter().map(item).collect();
        items.dedup();
        (!items.is_empty()).then_some(Part::List(items))
    }

    /// Players as a range: `2 to 4 players`.
    pub fn players_text((least, most): (u32, u32)) -> String {
        match (least, most) {
            (1, 1) => String::from("1 player"),
            (a, b) if a == b => format!("{a} players"),
            (a, b) => format!("{a} to {b} players"),
        }
    }

    /// What the game is about, for whom it is, and what decides.
    pub fn about(&self) -> Section {
        let m = self.model;
        let mut out = Section::plain("The game");
        out.parts.extend(paragraphs(m.doc.as_ref()));
        let mut facts = vec![format!("For {}.", Self::players_text(m.players))];
        facts.extend(m.version.as_ref().map(|v| format!("Version {v}.")));
        facts.push(self.outcome_text());
        let mut parts: Vec<Item> = facts.into_iter().map(Item::Words).collect();
        for (cond, text) in &m.ends {
            parts.push(self.ending_item("The game ends when", cond, text.as_ref(), &[]));
        }
        out.parts.push(Part::List(parts));
        out
    }

    /// What decides who has won.
    fn outcome_text(&self) -> String {
        let value =
            |v: &ValueId| self.model.values.get(v.index()).map_or_else(String::new, |v| name_words(&v.name));
        let attr =
            |a: &AttrId| self.model.attrs.get(a.index()).map_or_else(String::new, |a| name_words(&a.name));
        match &self.model.outcome {
            Outcome::Win => String::from("The rules say who wins."),
            Outcome::Together => String::from("All win together, or all lose."),
            Outcome::Each => String::from("Everybody wins or loses for themselves."),
            Outcome::Highest(v) => format!("The most of “{}” wins.", value(v)),
            Outcome::Lowest(v) => format!("The least of “{}” wins.", value(v)),
            Outcome::HighestAttr(a) => format!("The most of “{}” wins.", attr(a)),
            Outcome::LowestAttr(a) => format!("The least of “{}” wins.", attr(a)),
            Outcome::Ranking(v) => format!("“{}” decides, line by line.", value(v)),
        }
    }

    /// A condition of a menu, whose first local is who chooses.
    fn menu_item(&self, begin: &str, cond: &Expr, text: Option<&Text>, menu: &Menu) -> Item {
        self.condition_item(begin, cond, text, &menu.locals, Some(LocalId(0)))
    }

    /// A condition of the whole game.
    fn ending_item(&self, begin: &str, cond: &Expr, text: Option<&Text>, locals: &[Local]) -> Item {
        self.condition_item(begin, cond, text, locals, None)
    }

    /// `The game ends when … (“text”).`
    fn condition_item(
        &self,
        begin: &str,
        cond: &Expr,
        text: Option<&Text>,
        locals: &[Local],
        me: Option<LocalId>,
    ) -> Item {
        let told = describe_condition(self.model, locals, me, cond);
        let reason = text.and_then(|t| describe_text(self.model, locals, t));
        match (told.words, reason) {
            (Some(words), Some(reason)) => Item::Words(format!("{begin} {words} (“{reason}”).")),
            (Some(words), None) => Item::Words(format!("{begin} {words}.")),
            (None, Some(reason)) => Item::Words(format!("{begin} {} (“{reason}”).", self.quoted(told.at))),
            (None, None) => Item::Words(format!("{begin} {}.", self.quoted(told.at))),
        }
    }

    /// Rules within a sentence.
    fn quoted(&self, span: Span) -> String {
        format!("`{}`", self.source(span).replace('`', "'"))
    }

    /// How many things of each kind there are, and what they are.
    pub fn components(&self) -> Section {
        let mut out = Section::plain("Components");
        let groups = list_cards(self.analysis).groups;
        let mut rows = Vec::new();
        for kind in self.model.kinds.iter().filter(|k| matches!(k.sort, KindSort::Component(_)) && !k.joined)
        {
            let group = groups.iter().find(|g| g.kind == kind.name);
            let number = match (group, &kind.copies) {
                (Some(group), _) => count_text(group),
                (None, Some(copies)) => self.number_text(copies, &[]),
                (None, None) => continue,
            };
            let each = if kind.per_player { " for each player" } else { "" };
            let sort = match kind.sort {
                KindSort::Component(ComponentSort::Card) => "card",
                KindSort::Component(ComponentSort::Token) => "token",
                KindSort::Component(ComponentSort::Piece) => "piece",
                KindSort::Component(ComponentSort::Die) => "die",
                _ => "patch",
            };
            let doc = kind.doc.as_ref().map(|d| one_line(d)).unwrap_or_default();
            rows.push(vec![upper(&kind.title), format!("{number}{each}"), sort.to_string(), doc]);
        }
        if !rows.is_empty() {
            let head = ["Component", "Number", "Sort", ""].map(String::from).to_vec();
            out.parts.push(Part::Table(head, rows));
        }
        let mut maps = Vec::new();
        for map in self.model.maps.iter().filter(|m| m.scope == GAME) {
            let size = map.size.map_or_else(
                || String::from("its size depends on the set-up"),
                |(columns, rows)| format!("{columns} by {rows}"),
            );
            let shape = match map.shape {
                Shape::Squares { .. } => "squares",
                Shape::Hexes { .. } => "hexes",
                _ => "places joined by ways",
            };
            maps.push(Item::Words(format!("Map “{}”: {shape}, {size}.", name_words(&map.name))));
        }
        if !maps.is_empty() {
            out.parts.push(Part::List(maps));
        }
        out
    }

    /// A number that the rules give, in words or as it is written.
    pub fn number_text(&self, e: &Expr, locals: &[Local]) -> String {
        describe_number(self.model, locals, e).unwrap_or_else(|| self.quoted(e.span))
    }

    pub fn set_up(&self) -> Section {
        let mut out = Section::plain("Set-up");
        out.parts.extend(self.set_up_of(GAME));
        let needs: Vec<Item> = self
            .model
            .needs
            .iter()
            .map(|(cond, text)| self.ending_item("Needed:", cond, text.as_ref(), &[]))
            .collect();
        if !needs.is_empty() {
            out.parts.push(Part::List(needs));
        }
        out
    }

    /// What is done before the first round.
    pub fn set_up_of(&self, scope: ScopeId) -> Vec<Part> {
        let blocks = self.model.setups.iter().filter(|(s, _)| *s == scope);
        blocks.filter_map(|(_, b)| self.list(&describe_block(self.model, &b.locals, None, &b.body))).collect()
    }

    /// Rounds, phases and the rules that they call.
    pub fn course(&self) -> Section {
        let mut out = Section::plain("How the game goes");
        if let Some(round) = &self.model.round {
            let how = match &round.until {
                RoundUntil::Forever => String::from("Rounds are played until something ends the game."),
                RoundUntil::Once => String::from("One round is played."),
                RoundUntil::Times(n) => {
                    format!("{} rounds are played.", upper(&self.number_text(n, &round.body.locals)))
                }
                RoundUntil::Cond(cond) => {
                    let told = describe_condition(self.model, &round.body.locals, None, cond);
                    let when = told.words.unwrap_or_else(|| self.quoted(told.at));
                    format!("Rounds are played until {when}.")
                }
            };
            out.parts.push(Part::Text(format!("{how} In each round:")));
            let told = describe_block(self.model, &round.body.locals, None, &round.body.body);
            out.parts.extend(self.list(&told));
        }
        out.parts.extend(self.endings_of(GAME));
        out.inside = self.rules_of(GAME);
        out
    }

    /// What ends the game at once.
    pub fn endings_of(&self, scope: ScopeId) -> Option<Part> {
        let own = self.model.endings.iter().filter(|(s, _)| *s == scope);
        let items = own.map(|(_, b)| {
            let who = b.body.who.as_ref().map(|p| self.number_text(p, &b.locals));
            let begin = match (b.body.verdict, who) {
                (None, _) => String::from("The game ends when"),
                (Some(v), who) => {
                    let who = who.unwrap_or_else(|| String::from("everybody"));
                    let verb = match v {
                        Verdict::Win => "wins",
                        Verdict::Lose => "loses",
                        Verdict::Tie => "ties",
                    };
                    format!("{} {verb} when", upper(&who))
                }
            };
            self.ending_item(&begin, &b.body.when, b.body.text.as_ref(), &b.locals)
        });
        let items: Vec<Item> = items.collect();
        (!items.is_empty()).then_some(Part::List(items))
    }

    /// Phases and rules that are declared in a scope.
    pub fn rules_of(&self, scope: ScopeId) -> Vec<Section> {
        let own = |r: &&Rule| r.scope == scope && r.of.is_none();
        let mut out = Vec::new();
        // A phase that can be ended early stands there twice: as written, and before it what ends it.
        let is_last = |n: usize, r: &Rule| self.model.rules.iter().skip(n + 1).all(|x| x.name != r.name);
        let all = self.model.rules.iter().enumerate().filter(|(n, r)| is_last(*n, r)).map(|(_, r)| r);
        for rule in all.filter(own) {
            let Some(block) = &rule.body.body else { continue };
            let mut section = Section::named(upper(&rule_title(self.model, rule)));
            section.parts.extend(paragraphs(rule.doc.as_ref()));
            section.parts.extend(self.list(&describe_rule(self.model, rule, block)));
            if !section.is_empty() {
                out.push(section);
            }
        }
        out
    }

    /// What players can do, by the menus that offer it.
    pub fn actions(&self, scope: ScopeId) -> Section {
        let mut out = Section::plain("What players can do");
        for (number, menu) in self.model.menus.iter().enumerate() {
            let is_here = |a: &&Action| {
                a.scope == scope && a.carrier.is_none() && a.menus.iter().any(|m| m.index() == number)
            };
            let actions: Vec<&Action> = self.model.actions.iter().filter(is_here).collect();
            let mut section = Section::named(upper(&menu.title));
            if menu.scope == scope {
                section.parts.extend(self.menu_rules(menu));
            }
            section.inside = actions.iter().map(|a| self.action(a)).collect();
            // A menu of one action that is called as it is needs no heading of its own.
            if section.inside.len() == 1
                && let Some(only) = section.inside.pop_if(|a| a.title == section.title)
            {
                section.parts.extend(only.parts);
            }
            if !section.is_empty() {
                out.inside.push(section);
            }
        }
        out
    }

    /// What holds for all actions of a menu.
    fn menu_rules(&self, menu: &Menu) -> Option<Part> {
        let mut items = Vec::new();
        let guards = menu.needs.iter().map(|g| ("Only if", g));
        for (begin, g) in guards.chain(menu.leaves.iter().map(|g| ("Only if afterwards", g))) {
            items.push(self.menu_item(begin, &g.cond, g.reason.as_ref(), menu));
        }
        for (word, ending) in [("pass", &menu.pass), ("be done", &menu.done)] {
            let Some(ending) = ending else { continue };
            let title = ending.title.as_ref().and_then(|t| describe_text(self.model, &menu.locals, t));
            let title = title.map(|t| format!(" (“{t}”)")).unwrap_or_default();
            items.push(match &ending.when {
                None => Item::Words(format!("You may {word}{title}.")),
                Some(when) => {
                    let begin = format!("You may {word}{title} when");
                    self.menu_item(&begin, when, None, menu)
                }
            });
        }
        if let Some((cond, text)) = &menu.open {
            items.push(self.menu_item("Open when", cond, text.as_ref(), menu));
        }
        (!items.is_empty()).then_some(Part::List(items))
    }

    /// An action: what it costs, needs and does.
    pub fn action(&self, a: &Action) -> Section {
        let told = describe_action(self.model, a);
        let mut out = Section { title: upper(&told.title), term: upper(&a.title), ..Section::default() };
        out.parts.extend(paragraphs(a.doc.as_ref()));
        let mut items = self.conditions(&told);
        let effect = self.list(&told.effect);
        if let Some(Part::List(effect)) = effect {
            items.extend(effect);
        }
        if !items.is_empty() {
            out.parts.push(Part::List(items));
        }
        out
    }

    fn conditions(&self, told: &ActionWords) -> Vec<Item> {
        let mut items: Vec<Item> =
            told.limits.iter().map(|l| Item::Words(format!("{}.", upper(l)))).collect();
        if !told.costs.is_empty() {
            items.push(Item::Words(format!("Costs {}.", told.costs.join(", "))));
        }
        for condition in &told.conditions {
            let sentence = &condition.sentence;
            items.push(match (&sentence.words, &condition.reason) {
                (Some(words), Some(reason)) => Item::Words(format!("Only if {words} (else: “{reason}”).")),
                (Some(words), None) => Item::Words(format!("Only if {words}.")),
                (None, Some(reason)) => Item::Words(format!("Not if “{reason}”.")),
                (None, None) => Item::Words(format!("Only if {}.", self.quoted(sentence.at))),
            });
        }
        items
    }

    /// What is in force throughout the game.
    pub fn standing_rules(&self) -> Section {
        let mut out = Section::plain("What always holds");
        out.parts.extend(self.attachments_of(GAME));
        out
    }

    /// What a scope changes of rules, values and actions, carried by no card.
    pub fn attachments_of(&self, scope: ScopeId) -> Option<Part> {
        let own = self.model.attachments.iter().filter(|a| a.scope == scope && a.outer == 0);
        let own = own.filter(|a| a.carrier.is_none() && !self.is_in_layer(a));
        let told: Vec<Sentence> = own.map(|a| describe_attachment(self.model, a)).collect();
        self.list(&told)
    }

    /// Whether an attachment stands in a statement of a rule: that is told where it is made.
    fn is_in_layer(&self, a: &Attachment) -> bool {
        a.maker.is_some()
    }

    /// All cards with what they do.
    pub fn cards(&self) -> Section {
        let mut out = Section::plain("Cards and pieces");
        for group in list_cards(self.analysis).groups {
            let kind = self.model.kinds.iter().find(|k| k.name == group.kind);
            let mut section = Section::named(upper(&group.title));
            section.parts.extend(paragraphs(kind.and_then(|k| k.doc.as_ref())));
            let (told, bare): (Vec<&Card>, Vec<&Card>) =
                group.cards.iter().partition(|c| c.doc.is_some() || !c.sentences.is_empty());
            section.inside = told.iter().map(|c| card_section(c)).collect();
            if !bare.is_empty() {
                let row = |c: &&Card| vec![c.title.clone(), c.copies.clone()];
                let head = ["Name", "Number"].map(String::from).to_vec();
                section.parts.push(Part::Table(head, bare.iter().map(row).collect()));
            }
            out.inside.push(section);
        }
        out
    }

    /// What the values of the rules are that sentences name.
    pub fn values(&self) -> Section {
        let mut out = Section::plain("What is worked out");
        let plain = |v: &&Value| matches!(v.role, ValueRole::Plain) && v.scope == GAME;
        let mut rows = Vec::new();
        for value in self.model.values.iter().filter(plain) {
            let Some(body) = &value.body.body else { continue };
            let what = match &value.doc {
                Some(doc) => one_line(doc),
                None => upper(&self.number_text(body, &value.body.locals)),
            };
            rows.push(vec![name_words(&value.name), what]);
        }
        if !rows.is_empty() {
            out.parts.push(Part::Table(["Name", "What it is"].map(String::from).to_vec(), rows));
        }
        out
    }

    /// Words, attributes and zones.
    pub fn glossary(&self) -> Section {
        let m = self.model;
        let mut out = Section::plain("Glossary");
        for kind in m.kinds.iter().filter(|k| k.sort == KindSort::Enum && !k.joined && !k.members.is_empty())
        {
            let members = kind.members.iter().filter_map(|id| m.members.get(id.index()));
            let rows: Vec<Vec<String>> = members
                .map(|member| {
                    let title = describe_text(m, &[], &member.title);
                    let doc = member.doc.as_ref().map(|d| one_line(d)).unwrap_or_default();
                    vec![title.unwrap_or_else(|| name_words(&member.name)), doc]
                })
                .collect();
            let mut section = Section::named(upper(&kind.title));
            section.parts.extend(paragraphs(kind.doc.as_ref()));
            section.parts.push(Part::Table(["Word", ""].map(String::from).to_vec(), rows));
            out.inside.push(section);
        }
        let told = |a: &&Attr| a.has_of.is_none() && !a.is_part && (a.scope == GAME) && !a.name.contains('[');
        let of = |k: Option<KindId>| {
            k.and_then(|k| m.kinds.get(k.index()))
                .map_or_else(|| String::from("table"), |k| k.title.to_string())
        };
        let numbered = (0u32..).map(AttrId).zip(&m.attrs).filter(|(id, _)| !m.is_own(*id));
        let rows: Vec<Vec<String>> = numbered
            .map(|(_, a)| a)
            .filter(told)
            .map(|a| {
                let doc = a.doc.as_ref().map(|d| one_line(d)).unwrap_or_default();
                vec![name_words(&a.name), of(a.of), types::show(m, &a.ty), doc]
            })
            .collect();
        if !rows.is_empty() {
            let mut section = Section::plain("What things have");
            let head = ["Name", "Whose", "What it can be", ""].map(String::from).to_vec();
            section.parts.push(Part::Table(head, rows));
            out.inside.push(section);
        }
        let rows: Vec<Vec<String>> =
            m.zones.iter().filter(|z| z.has_of.is_none()).map(|z| self.zone_row(z, &of)).collect();
        if !rows.is_empty() {
            let mut section = Section::plain("Places for components");
            let head = ["Name", "Whose", "What lies there", "Who sees it", ""].map(String::from).to_vec();
            section.parts.push(Part::Table(head, rows));
            out.inside.push(section);
        }
        out
    }

    fn zone_row(&self, z: &Zone, of: &dyn Fn(Option<KindId>) -> String) -> Vec<String> {
        let holds: Vec<String> = z.holds.iter().map(|k| of(Some(*k))).collect();
        let seen = match &z.seen {
            Seen::All => String::from("all"),
            Seen::Owner => String::from("its owner"),
            Seen::Nobody => String::from("nobody"),
            Seen::By(by) => self.number_text(&by.body, &by.locals),
        };
        let doc = z.doc.as_ref().map(|d| one_line(d)).unwrap_or_default();
        vec![name_words(&z.name), of(z.of), holds.join(" or "), seen, doc]
    }
}

/// A card with its number, what stands above its declaration, and what it does.
pub(super) fn card_section(card: &Card) -> Section {
    let number = card.copies_text();
    let title = if number.is_empty() { card.title.clone() } else { format!("{} ({number})", card.title) };
    let mut out = Section { title, term: card.title.clone(), ..Section::default() };
    out.parts.extend(card.doc.as_ref().map(|d| Part::Text(one_line(d))));
    let items: Vec<Item> = card.sentences.iter().cloned().map(Item::Words).collect();
    if !items.is_empty() {
        out.parts.push(Part::List(items));
    }
    out
}

/// How many components a group has: their sum, if all are numbers.
fn count_text(group: &CardGroup) -> String {
    let numbers: Option<Vec<u64>> = group.cards.iter().map(|c| c.copies.parse().ok()).collect();
    match numbers {
        Some(all) => all.iter().sum::<u64>().to_string(),
        None => {
            let all: Vec<String> = group.cards.iter().map(|c| format!("{} {}", c.copies, c.title)).collect();
            all.join("; ")
        }
    }
}

/// `##` text as paragraphs.
pub(super) fn paragraphs(doc: Option<&Arc<str>>) -> Vec<Part> {
    let all = doc.map_or("", |d| d).split("\n\n");
    all.map(one_line).filter(|t| !t.is_empty()).map(Part::Text).collect()
}

/// A text in one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// With a capital letter.
pub(super) fn upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
