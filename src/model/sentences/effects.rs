//! What a card does, in sentences made from its declaration: for faces that have no text of their own.
//!
//! ```text
//! play { until end of round { modify edge(me) += 3 } }    Play: until the end of the round, your edge is 3 more.
//! after earn(owner, n) { owner.purse += n }               After earn its owner, any n: increase its owner's purse by n.
//! ```
//!
//! What cannot be said is left to the rules: the line says so, and no code is shown.
use super::conditions::with_article;
use super::filters::filter_text;
use super::{Phrase, Speaker, UNSAID, to_words};
use crate::body::types;
use crate::hir::*;
use houserule_text::Span;
use std::collections::BTreeMap;

/// What the face of a member is and does: a line for each attribute that is given, each rule that it fills in, each attachment and action that it carries. `key` is
/// the number of the face in a family.
pub fn describe_member(model: &Model, m: MemberId, key: Option<i32>) -> Vec<String> {
    let Some(member) = model.members.get(m.index()) else { return Vec::new() };
    let mut out = Vec::new();
    let key = member
        .family
        .as_ref()
        .map(|(l, ..)| (*l, key.map_or_else(|| String::from(UNSAID), |k| k.to_string())));
    let new = |locals, me| {
        let mut t = Teller::new(model, locals, me);
        t.names.extend(key.clone());
        t
    };
    let first_word = |a: AttrId| model.attrs[a.index()].name.split(['[', '_', ' ']).next().map(String::from);
    // What all members of a kind have from it is not the card's own.
    let others =
        || model.members.iter().enumerate().filter(|(n, x)| *n != m.index() && x.kind == member.kind);
    let is_own_value = |a: AttrId, at: Span| {
        !others().any(|(_, x)| x.sets.iter().any(|(b, v)| *b == a && v.body.span == at))
    };
    let is_own_rule = |r: RuleId, at: Option<Span>| {
        !others()
            .any(|(_, x)| x.rule_fills.iter().any(|(s, b)| *s == r && b.body.first().map(|s| s.span) == at))
    };
    for (attr, value) in member.sets.iter().filter(|(a, v)| is_own_value(*a, v.body.span)) {
        let name = to_words(&model.attrs[attr.index()].name);
        // Of several values of one name those that are 0 say nothing.
        let alike = member.sets.iter().filter(|(a, _)| first_word(*a) == first_word(*attr)).count();
        if alike > 1 && matches!(&*value.body.kind, ExprKind::Int(0)) {
            continue;
        }
        let t = new(&value.locals, None);
        out.extend(t.attribute(&name, &value.body));
    }
    for (value, body) in &member.fills {
        let name = to_words(&model.values[value.index()].name);
        let t = new(&body.locals, None);
        let is_filter = matches!(&*body.body.kind, ExprKind::Filter(..));
        out.extend(t.attribute(&name, &body.body).filter(|_| !is_filter));
    }
    for (rule, body) in
        member.rule_fills.iter().filter(|(r, b)| is_own_rule(*r, b.body.first().map(|s| s.span)))
    {
        let slot = &model.rules[rule.index()];
        let title = slot.title.as_deref().map_or_else(|| to_words(&slot.name), String::from);
        let mut t = new(&body.locals, Some(slot.me));
        t.name_this(0);
        let told = t.block(&body.body);
        out.extend(line(&title, &told));
    }
    let is_own = |c: &Option<Carrier>| matches!(c, Some(Carrier::Member(x)) if *x == m);
    for a in model.attachments.iter().filter(|a| is_own(&a.carrier)) {
        let mut t = Teller::new(model, &a.locals, a.me);
        t.names.extend(a.this.map(|l| (l, String::from("this"))));
        t.names.extend(a.owner.map(|l| (l, String::from("its owner"))));
        out.extend(t.attachment(a).map(|told| finish(&told)));
    }
    for a in model.actions.iter().filter(|a| is_own(&a.carrier)) {
        out.extend(describe_action(model, a));
    }
    out
}

/// A line with a heading; none if there is nothing to tell.
fn line(title: &str, told: &str) -> Option<String> {
    if told.is_empty() {
        return None;
    }
    let rest = if told.contains(UNSAID) { "as the rules say" } else { told };
    Some(finish(&format!("{title}: {rest}")))
}

/// With a capital letter and a full stop. What cannot be said is not begun.
pub(super) fn finish(told: &str) -> String {
    let told = if told.contains(UNSAID) { "what it does stands in the rules" } else { told };
    let mut letters = told.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if told.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// Whether a condition of two numbers holds: the cost of a way is written so.
fn is_always(c: &Expr) -> bool {
    let ExprKind::Compare(op, a, b) = &*c.kind else { return false };
    match (op, &*a.kind, &*b.kind) {
        (Comparison::Gt, ExprKind::Int(a), ExprKind::Int(b)) => a > b,
        (Comparison::Ge, ExprKind::Int(a), ExprKind::Int(b)) => a >= b,
        _ => false,
    }
}

/// The things of a set with an article, where they have none.
fn with_the(things: &str) -> String {
    let mut words = things.split(' ');
    let first = words.next().unwrap_or("");
    let has_one = matches!(first, "your" | "the" | "all" | "its" | "it" | "that" | "these" | "you" | "what")
        || first.ends_with("'s")
        || words.next().is_some_and(|w| w.ends_with("'s"))
        || first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '“');
    if has_one { things.to_string() } else { format!("the {things}") }
}

/// What a card lets its owner do.
fn describe_action(model: &Model, a: &Action) -> Option<String> {
    let told = tell_action(model, a);
    let mut parts = told.limits;
    for part in told.head {
        parts.push(match part {
            HeadWords::Cost(words) => words,
            HeadWords::Condition { words, .. } => format!("only if {words}"),
            HeadWords::Outcome { .. } => continue,
        });
    }
    parts.extend((!told.effect.is_empty()).then_some(told.effect));
    line(&told.title, &parts.join(", "))
}

/// An action in words, in parts. Where something has no words, [`UNSAID`] stands in its place.
pub(super) struct ActionTold {
    /// Its title, with what is chosen with it.
    pub title: String,
    /// How often, and when at all.
    pub limits: Vec<String>,
    /// What it costs and what it needs, in order.
    pub head: Vec<HeadWords>,
    /// What it does.
    pub effect: String,
    /// The same, a sentence for each statement.
    pub steps: Vec<(String, Span)>,
}

/// A part of what an action asks for.
pub(super) enum HeadWords {
    /// `for 2 gold`.
    Cost(String),
    /// What must hold, and the reason that the rules give if it does not.
    Condition { words: String, reason: Option<String>, at: Span },
    /// What must hold behind its effect.
    Outcome { words: String, reason: Option<String>, at: Span },
}

/// Tells an action in parts.
pub(super) fn tell_action(model: &Model, a: &Action) -> ActionTold {
    let mut t = Teller::new(model, &a.locals, Some(a.me));
    if a.carrier.is_some() {
        let this = a.locals.iter().position(|l| &*l.name == "this");
        t.names.extend(this.map(|l| (LocalId(l as u32), String::from("this"))));
    }
    let mut limits: Vec<String> = a.once.iter().map(once_text).collect();
    for p in &a.params {
        let word = t.kind_of(p.local);
        t.names.insert(p.local, format!("the {word}"));
    }
    if let Some(when) = &a.when {
        limits.push(format!("when {}", t.condition(when, true)));
    }
    let mut head = Vec::new();
    for (n, step) in a.head.iter().enumerate() {
        let (g, leaves) = match step {
            HeadStep::Let(l, e) => {
                t.bind(*l, e);
                continue;
            }
            HeadStep::Needs(g) => (g, false),
            HeadStep::MustLeave(g) => (g, true),
        };
        let reason = g.reason.as_ref().map(|r| t.text(r));
        match a.costs.iter().find(|(at, _)| *at == n) {
            Some((_, word)) => head.push(HeadWords::Cost(match &*g.cond.kind {
                ExprKind::Compare(_, _, due) => format!("for {} {}", t.noun(due), to_words(word)),
                _ => format!("for {}", to_words(word)),
            })),
            None => {
                let words = t.condition(&g.cond, true);
                let at = g.span;
                head.push(match leaves {
                    true => HeadWords::Outcome { words: format!("afterwards {words}"), reason, at },
                    false => HeadWords::Condition { words, reason, at },
                });
            }
        }
    }
    let said = a.said.iter().map(|p| match p {
        TitlePart::Text(text) => text.to_string(),
        TitlePart::Param(n) => {
            let param = a.params.get(usize::from(*n));
            param.map_or_else(String::new, |p| with_article(&t.kind_of(p.local)))
        }
    });
    let title = said.collect::<String>().trim().to_string();
    let steps = t.sentences(&a.body);
    ActionTold { title, limits, head, effect: join_clauses(&steps), steps }
}

/// Clauses as one: `a; b, then c`.
fn join_clauses(told: &[(String, Span)]) -> String {
    match told {
        [] => String::new(),
        [(one, _)] => one.clone(),
        [first @ .., (last, _)] => {
            let first: Vec<&str> = first.iter().map(|(t, _)| t.as_str()).collect();
            format!("{}, then {last}", first.join("; "))
        }
    }
}

/// That something becomes so, or is so no longer: `you are safe` becomes `you are now safe`.
fn to_change(told: &str, on: bool) -> String {
    let verbs = match on {
        true => [(" is ", " is now "), (" are ", " are now ")],
        false => [(" is not ", " is no longer "), (" are not ", " are no longer ")],
    };
    let found = verbs.iter().find(|(verb, _)| told.contains(verb));
    found.map_or_else(|| told.to_string(), |(verb, change)| told.replacen(verb, change, 1))
}

/// `once per round`.
fn once_text(once: &Once) -> String {
    match &once.per {
        Some(per) => format!("once per {}", to_words(per)),
        None => String::from("once in the game"),
    }
}

/// Tells the statements of one body. Whoever acts is "you".
pub(super) struct Teller<'m> {
    words: Speaker<'m>,
    locals: &'m [Local],
    /// What names stand for.
    pub(super) names: BTreeMap<LocalId, String>,
    /// Whether what is told lasts for a while only.
    is_lasting: bool,
}

impl<'m> Teller<'m> {
    pub(super) fn new(model: &'m Model, locals: &'m [Local], me: Option<LocalId>) -> Teller<'m> {
        Teller {
            words: Speaker { model, me, open: false, bound: Vec::new() },
            locals,
            names: BTreeMap::new(),
            is_lasting: false,
        }
    }

    /// Calls a local "this".
    fn name_this(&mut self, local: u32) {
        self.names.insert(LocalId(local), String::from("this"));
    }

    fn model(&self) -> &'m Model {
        self.words.model
    }

    /// The name of a local in separate words.
    fn local_word(&self, l: LocalId) -> String {
        self.locals.get(l.index()).map_or_else(|| String::from("it"), |l| to_words(&l.name))
    }

    /// The word for what a local is: its kind, else its name.
    pub(super) fn kind_of(&self, l: LocalId) -> String {
        let ty = self.locals.get(l.index()).map(|local| types::plain(&local.ty));
        match ty.and_then(|ty| types::kinds_of(&ty).first().copied()) {
            Some(k) => self.words.singular(k),
            None => self.local_word(l),
        }
    }

    /// A local that nothing is known of: by its name.
    fn local_noun(&self, l: LocalId) -> String {
        match self.local_word(l).as_str() {
            "it" | "its" => String::from("it"),
            word => format!("the {word}"),
        }
    }

    pub(super) fn noun(&self, e: &Expr) -> String {
        self.render(&self.words.noun(e))
    }

    pub(super) fn condition(&self, e: &Expr, holds: bool) -> String {
        self.render(&self.words.sentence(e, holds))
    }

    /// The things of a set, with an article where it needs one.
    fn things(&self, e: &Expr) -> String {
        self.render(&self.words.things(e))
    }

    fn render(&self, phrase: &Phrase) -> String {
        let part = |p: &TextPart| match p {
            TextPart::Literal(text) => text.to_string(),
            TextPart::Hole(e) => self.hole(e),
        };
        let text: String = phrase.0.iter().map(part).collect();
        let text = text.replace("you's ", "your ").replace("it's ", "its ").replace("this's ", "its ");
        let text = text.replace("the number of all ", "the number of ");
        text.replace("there are all ", "there are ").replace("there are no all ", "there are no ")
    }

    /// What stands in the place of a value: nothing is played, so there is none.
    fn hole(&self, e: &Expr) -> String {
        let title = |m: MemberId| self.words.member_title(m);
        match &*e.kind {
            ExprKind::Local(l) => self.local_noun_named(*l),
            ExprKind::Face(m, _) | ExprKind::Component(m, _) | ExprKind::Member(m) => title(*m),
            ExprKind::Option(o) => {
                let option = &self.model().options[o.index()];
                format!("“{}”", option.title)
            }
            ExprKind::Space(_, column, row) => {
                format!("{}{}", crate::body::resolve::column_name(*column), row + 1)
            }
            ExprKind::Direction(d) => {
                let all = [
                    "north",
                    "north-east",
                    "east",
                    "south-east",
                    "south",
                    "south-west",
                    "west",
                    "north-west",
                ];
                all.get(usize::from(*d)).map_or_else(String::new, |d| (*d).to_string())
            }
            _ => String::from(UNSAID),
        }
    }

    /// A local by the name that it has here.
    fn local_noun_named(&self, l: LocalId) -> String {
        self.names.get(&l).cloned().unwrap_or_else(|| self.local_noun(l))
    }

    /// Remembers what a `let` stands for.
    fn bind(&mut self, l: LocalId, e: &Expr) {
        let said = self.noun(e);
        let long = said.split(' ').count() > 8;
        let name = if long || said.contains(UNSAID) { self.local_noun(l) } else { said };
        self.names.insert(l, name);
    }

    /// A value that the declaration gives: `Dice: 3`; of yes the name alone.
    fn attribute(&self, name: &str, value: &Expr) -> Option<String> {
        match &*value.kind {
            ExprKind::Bool(true) => Some(finish(name)),
            ExprKind::Bool(false) | ExprKind::None => None,
            ExprKind::Filter(_, it, test) => line(name, &filter_text(self.model(), test, *it, true)?),
            ExprKind::Int(_) | ExprKind::Member(_) | ExprKind::Set(_) | ExprKind::List(_) => {
                let said = self.noun(value).replace(" or ", ", ");
                line(name, &said).filter(|_| !said.contains(UNSAID))
            }
            _ => {
                let said = self.noun(value);
                (!said.contains(UNSAID)).then(|| line(name, &said)).flatten()
            }
        }
    }

    /// Statements one after the other.
    fn block(&mut self, block: &Block) -> String {
        join_clauses(&self.sentences(block))
    }

    /// A clause for each statement of which players hear.
    pub(super) fn sentences(&mut self, block: &Block) -> Vec<(String, Span)> {
        let mut told: Vec<(String, Span)> = Vec::new();
        for s in block {
            let clause = self.statement(&s.kind).filter(|t| !t.is_empty());
            told.extend(clause.map(|t| (t, s.span)));
        }
        told
    }

    /// A text of the rules: names stand for themselves, and `…` for what is worked out.
    pub(super) fn text(&self, text: &Text) -> String {
        let part = |p: &TextPart| match p {
            TextPart::Literal(words) => words.to_string(),
            TextPart::Hole(e) => match &*e.kind {
                ExprKind::Local(_) | ExprKind::Member(_) | ExprKind::Int(_) | ExprKind::Option(_) => {
                    self.noun(e)
                }
                _ => String::from("…"),
            },
        };
        text.parts.iter().map(part).collect()
    }

    /// A statement as a clause; none if players need not hear of it.
    fn statement(&mut self, s: &StmtKind) -> Option<String> {
        Some(match s {
            StmtKind::Let(l, e) => return self.tell_let(*l, e),
            StmtKind::Assign(to, change, e) => self.assignment(to, *change, e),
            StmtKind::If(c, yes, _) if is_always(c) => return Some(self.block(yes)),
            StmtKind::If(c, yes, no) => {
                let c = self.condition(c, true);
                let (yes, no) = (self.block(yes), self.block(no));
                match (yes.is_empty(), no.is_empty()) {
                    (true, true) => return None,
                    (false, true) => format!("if {c}, {yes}"),
                    (true, false) => format!("unless {c}, {no}"),
                    (false, false) => format!("if {c}, {yes}; otherwise {no}"),
                }
            }
            StmtKind::For(l, over, body) => {
                let over = match &*over.kind {
                    ExprKind::Choose(_) => format!("of {}", self.chosen(over)),
                    _ => self.each_of(over),
                };
                let body = self.with_it(*l, |t| t.block(body));
                format!("for each {over}: {body}")
            }
            StmtKind::Repeat(n, body) => format!("{} times: {}", self.noun(n), self.block(body)),
            StmtKind::RepeatUntil(c, body) => {
                format!("{} until {}", self.block(body), self.condition(c, true))
            }
            StmtKind::Needs(g) => format!("only if {}", self.condition(&g.cond, true)),
            StmtKind::MustLeave(_) | StmtKind::Say(_) | StmtKind::Build(_) => return None,
            StmtKind::Everyone(e) => return Some(self.everyone(e)),
            StmtKind::Offer(who, menus) => {
                let names: Vec<&str> =
                    menus.iter().map(|(m, _)| &*self.model().menus[m.index()].title).collect();
                let names = names.join(" or ");
                match self.words.is_me(who) {
                    true => format!("choose: {names}"),
                    false => format!("{} chooses: {names}", self.noun(who)),
                }
            }
            StmtKind::As(me, who, body) => {
                let who = self.noun(who);
                let body = self.as_player(*me, "that player", |t| t.block(body));
                format!("{who}: {body}")
            }
            StmtKind::May(m) => match m.by.as_ref().filter(|by| !self.words.is_me(by)) {
                None => {
                    let before = self.words.me.replace(m.me);
                    let body = self.block(&m.body);
                    self.words.me = before;
                    format!("you may {body}")
                }
                Some(by) => {
                    let by = self.noun(by);
                    let body = self.as_player(m.me, "that player", |t| t.block(&m.body));
                    format!("{by} may: {body}")
                }
            },
            StmtKind::Move(m) => self.movement(m),
            StmtKind::Swap(a, b) => format!("swap {} with {}", self.chosen(a), self.chosen(b)),
            StmtKind::Discard(x) => format!("discard {}", self.chosen(x)),
            StmtKind::Shuffle(zones) => {
                let zones: Vec<String> = zones.iter().map(|z| self.noun(z)).collect();
                format!("shuffle {}", zones.join(" and "))
            }
            StmtKind::Roll(x) => format!("roll {}", self.chosen(x)),
            StmtKind::Flip(x, up) => {
                let how = match up {
                    Some(true) => "face up",
                    Some(false) => "face down",
                    None => "over",
                };
                format!("turn {} {how}", self.chosen(x))
            }
            StmtKind::Show(x, to) => match to {
                Some(to) => format!("show {} to {}", self.chosen(x), self.noun(to)),
                None => format!("show {} to everybody", self.chosen(x)),
            },
            StmtKind::Becomes(x, face) => format!("{} becomes {}", self.noun(x), self.noun(face)),
            StmtKind::Until(until, body) => {
                let before = std::mem::replace(&mut self.is_lasting, true);
                let body = self.block(body);
                self.is_lasting = before;
                format!("{}, {body}", self.until(until))
            }
            StmtKind::Attach(a) => {
                let mut inner = Teller::new(self.model(), &a.locals, self.words.me);
                // What the rule has named before the layer is known in it.
                let outer = (0..a.outer).map(LocalId).filter(|l| self.words.me != Some(*l));
                inner.names = outer.map(|l| (l, self.local_noun_named(l))).collect();
                inner.attachment(a)?
            }
            StmtKind::Give(e) => format!("the result is {}", self.noun(e)),
            StmtKind::Stop => String::from("stop"),
            StmtKind::Proceed(_) => String::from("go on as usual"),
            StmtKind::Verdict(v, who, text) => {
                let verb = match v {
                    Verdict::Win => "win",
                    Verdict::Lose => "lose",
                    Verdict::Tie => "tie",
                };
                let told = match who {
                    None => format!("all {verb}"),
                    Some(p) if self.words.is_me(p) => format!("you {verb}"),
                    Some(p) => format!("{} {verb}s", self.noun(p)),
                };
                let reason = text.as_ref().map(|t| self.text(t)).filter(|t| !t.contains(UNSAID));
                reason.map_or_else(|| told.clone(), |reason| format!("{told} (“{reason}”)"))
            }
            StmtKind::Call(rule, by, args) => self.call(*rule, by.as_ref(), args),
            StmtKind::CallHook(..) => String::from(UNSAID),
        })
    }

    /// `player`, if it is all of them; else `of your dice`.
    fn each_of(&self, all: &Expr) -> String {
        let things = self.things(all);
        match self.words.element_kind(all) {
            Some(k) if things == format!("all {}", self.words.plural(k)) => self.words.singular(k),
            _ => format!("of {}", with_the(&things)),
        }
    }

    /// What several players do. Where nobody else acts, each of them is "you".
    fn everyone(&mut self, e: &Everyone) -> String {
        let who = format!("each {}", self.each_of(&e.who));
        let from = e.from.as_ref().map(|p| format!(" from {} on", self.noun(p))).unwrap_or_default();
        let how = match e.mode {
            Mode::InTurn => " in turn",
            Mode::OneByOne => ", one after the other",
            Mode::AtOnce => " at the same time",
            Mode::AnyOrder => ", in any order",
            Mode::Freely => ", whenever they like",
        };
        let until = e.until.as_ref().map(|c| format!(", until {}", self.condition(c, true)));
        let until = until.unwrap_or_else(|| match e.passing {
            Some(Passing::All) => String::from(", until all have passed"),
            Some(Passing::AllButOne) => String::from(", until all but one have passed"),
            _ => String::new(),
        });
        let body = match self.words.me {
            None => {
                self.words.me = Some(e.me);
                let told = self.block(&e.body);
                self.words.me = None;
                told
            }
            Some(_) => self.as_player(e.me, "the player", |t| t.block(&e.body)),
        };
        format!("{who}{from}{how}{until}: {body}")
    }

    /// With a local that is "it".
    fn with_it<T>(&mut self, l: LocalId, tell: impl FnOnce(&mut Teller<'m>) -> T) -> T {
        self.words.bound.push(l);
        let out = tell(self);
        self.words.bound.pop();
        out
    }

    /// Where somebody else acts, whose name is a local.
    fn as_player<T>(&mut self, me: LocalId, name: &str, tell: impl FnOnce(&mut Teller<'m>) -> T) -> T {
        let before = self.words.me.filter(|l| *l == me);
        if before.is_some() {
            self.words.me = None;
        }
        let had = self.names.insert(me, name.to_string());
        let out = tell(self);
        match had {
            Some(had) => self.names.insert(me, had),
            None => self.names.remove(&me),
        };
        if before.is_some() {
            self.words.me = before;
        }
        out
    }

    /// `let x = choose …` is told as a choice, and the name stands for what was chosen.
    fn tell_let(&mut self, l: LocalId, e: &Expr) -> Option<String> {
        match &*e.kind {
            ExprKind::Choose(c) => {
                let told = self.choice(c);
                let many = !matches!(c.many, Many::One);
                let kind = self.kind_word(&c.from, many);
                let name = if self.ways(&c.from).is_some() {
                    String::from("the choice")
                } else {
                    format!("the chosen {kind}")
                };
                self.names.insert(l, name);
                let verb = match &c.by {
                    Chooser::Player(p) if self.words.is_me(p) => String::from("choose"),
                    Chooser::Player(p) => format!("{} chooses", self.noun(p)),
                    Chooser::Chance => return Some(format!("draw {told} by chance")),
                };
                Some(format!("{verb} {told}"))
            }
            ExprKind::Roll(k) => {
                self.names.insert(l, String::from("the result"));
                Some(format!("roll {}", with_article(&to_words(&self.model().kinds[k.index()].title))))
            }
            ExprKind::Rule(rule, by, args) => {
                let told = self.call(*rule, by.as_ref(), args);
                let name = self.local_noun(l);
                self.names.insert(l, name.clone());
                Some(format!("{told}; its result is {name}"))
            }
            _ => {
                self.bind(l, e);
                None
            }
        }
    }

    /// The ways of an `either`, if these are they.
    fn ways(&self, from: &Expr) -> Option<String> {
        let kind = self.words.element_kind(from)?;
        self.words.singular(kind).strip_prefix("either ").map(String::from)
    }

    /// The word for one or several things of a set.
    fn kind_word(&self, of: &Expr, many: bool) -> String {
        match self.words.element_kind(of) {
            Some(k) if many => self.words.plural(k),
            Some(k) => self.words.singular(k),
            None if many => String::from("numbers"),
            None => String::from("number"),
        }
    }

    /// What is chosen: `one of your dice`; of the ways of an `either` the ways.
    fn choice(&self, c: &Choose) -> String {
        if let Some(ways) = self.ways(&c.from) {
            return ways;
        }
        let from = match &*c.from.kind {
            ExprKind::Range(a, b) => format!("the numbers from {} to {}", self.noun(a), self.noun(b)),
            _ => with_the(&self.things(&c.from)),
        };
        match &c.many {
            Many::One => format!("one of {from}"),
            Many::Subset { min: None, max: None } => format!("any of {from}"),
            Many::Subset { min: None, max: Some(n) } => format!("up to {} of {from}", self.noun(n)),
            Many::Subset { min: Some(n), max: None } => format!("at least {} of {from}", self.noun(n)),
            Many::Subset { min: Some(a), max: Some(b) } => match (self.noun(a), self.noun(b)) {
                (a, b) if a == b => format!("{a} of {from}"),
                (a, b) => format!("{a} to {b} of {from}"),
            },
        }
    }

    /// A noun, or what is chosen on the spot.
    fn chosen(&self, e: &Expr) -> String {
        match &*e.kind {
            ExprKind::Choose(c) => {
                let told = self.choice(c);
                if matches!(c.by, Chooser::Chance) { format!("{told}, by chance") } else { told }
            }
            ExprKind::Zone(..) | ExprKind::Where(..) => self.things(e),
            _ => self.noun(e),
        }
    }

    fn assignment(&self, to: &Lhs, change: Change, e: &Expr) -> String {
        let attr = |a: AttrId| &*self.model().attrs[a.index()].name;
        let subject = match to {
            Lhs::Local(_) => return String::from(UNSAID),
            Lhs::DieValue(d) => return format!("turn {} to {}", self.chosen(d), self.chosen(e)),
            Lhs::Attr(x, a) => self.render(&self.words.owned(x, attr(*a))),
            Lhs::TableAttr(a) => format!("the {}", to_words(attr(*a))),
        };
        if let (Lhs::Attr(x, a), ExprKind::Bool(on)) = (to, &*e.kind) {
            let told = self.render(&self.words.is_so(x, *on, &to_words(attr(*a))));
            return if self.is_lasting { told } else { to_change(&told, *on) };
        }
        let n = self.chosen(e);
        match change {
            Change::Add => format!("increase {subject} by {n}"),
            Change::Sub => format!("reduce {subject} by {n}"),
            Change::Set => format!("set {subject} to {n}"),
            Change::AtLeast => format!("raise {subject} to {n}, if it is less"),
            Change::AtMost => format!("lower {subject} to {n}, if it is more"),
        }
    }

    /// How a value is changed while something is in force.
    fn change(&self, change: Change, e: &Expr) -> String {
        let n = self.chosen(e);
        match change {
            Change::Set => format!("is {n}"),
            Change::Add => format!("is {n} more"),
            Change::Sub => format!("is {n} less"),
            Change::AtLeast => format!("is at least {n}"),
            Change::AtMost => format!("is at most {n}"),
        }
    }

    fn movement(&self, m: &Move) -> String {
        let to = match &*m.to.kind {
            ExprKind::Box(_) => String::from("the box"),
            _ => self.chosen(&m.to),
        };
        let to = if m.under { format!("the bottom of {to}") } else { to };
        let how = match m.face {
            Some(true) => " face up",
            Some(false) => " face down",
            None => "",
        };
        match self.words.is_me(&m.what) {
            true => format!("go to {to}"),
            false => format!("move {} to {to}{how}", self.chosen(&m.what)),
        }
    }

    fn until(&self, until: &Until) -> String {
        match until {
            Until::EndOfTurn => String::from("until the end of the turn"),
            Until::EndOfRound => String::from("until the end of the round"),
            Until::EndOfNextRound => String::from("until the end of the next round"),
            Until::EndOfPhase => String::from("until the end of the phase"),
            Until::EndOf(r) => format!("until the end of “{}”", self.words.rule_title(*r)),
            Until::EndOfGame => String::from("for the rest of the game"),
            Until::StartOfTurn(p) if self.words.is_me(p) => String::from("until your next turn"),
            Until::StartOfTurn(p) => format!("until the next turn of {}", self.noun(p)),
        }
    }

    /// A rule by its name and what it is given.
    fn call(&self, rule: RuleId, by: Option<&Expr>, args: &[Expr]) -> String {
        let name = self.words.rule_title(rule);
        let given: Vec<String> =
            args.iter().filter(|x| !self.words.is_me(x)).map(|x| self.chosen(x)).collect();
        let said = match given.is_empty() {
            true => name,
            false => format!("{name} {}", given.join(", ")),
        };
        match by.filter(|by| !self.words.is_me(by)) {
            Some(by) => format!("{}: {said}", self.noun(by)),
            None => said,
        }
    }

    /// What holds, or happens, while it is in force.
    pub(super) fn attachment(&mut self, a: &Attachment) -> Option<String> {
        let mut before = Vec::new();
        if let Some(once) = &a.once {
            before.push(once_text(once));
        }
        if !a.during.is_empty() {
            let all: Vec<String> =
                a.during.iter().map(|r| format!("“{}”", self.words.rule_title(*r))).collect();
            before.push(format!("during {}", all.join(" and ")));
        }
        let heads: Vec<String> = a.heads.iter().map(|h| self.head(h)).collect();
        let heads = heads.join(" or ");
        if let Some(by) = &a.by {
            before.push(format!("for {}", self.noun(by)));
        }
        let may = match &a.may {
            Some((None, _)) => "you may ".to_string(),
            Some((Some(by), _)) if self.words.is_me(by) => "you may ".to_string(),
            Some((Some(by), _)) => format!("{} may ", self.noun(by)),
            None => String::new(),
        };
        let told = match &a.what {
            AttachKind::Modify(change, e) => format!("{heads} {}", self.change(*change, e)),
            AttachKind::Forbid(_) => format!("{heads} is forbidden"),
            AttachKind::Before(b) => format!("before {heads}: {may}{}", self.block(b)),
            AttachKind::After(b) => format!("after {heads}: {may}{}", self.block(b)),
            AttachKind::Instead(b) => match self.block(b) {
                told if told.is_empty() => format!("{heads} does not happen"),
                told => format!("instead of {heads}: {may}{told}"),
            },
        };
        before.push(told);
        if let Some(when) = &a.when {
            before.push(format!("if {}", self.condition(when, true)));
        }
        Some(before.join(", "))
    }

    /// What an attachment stands at: `your edge`, `discard this`.
    fn head(&mut self, h: &Head) -> String {
        let model = self.model();
        let (name, is_value) = match h.target {
            Target::Value(v) => (to_words(&model.values[v.index()].name), true),
            Target::Rule(r) => (self.words.rule_title(r), false),
            Target::Action(a) => (model.actions[a.index()].title.to_lowercase(), false),
            Target::Menu(m) => (model.menus[m.index()].title.to_lowercase(), false),
            Target::Setup => (String::from("the set-up"), false),
            Target::Effect(EffectWord::Discard) => (String::from("discarding"), false),
            Target::Effect(EffectWord::Roll) => (String::from("rolling"), false),
            Target::Effect(EffectWord::Shuffle) => (String::from("shuffling"), false),
        };
        let args: Vec<String> = h.patterns.iter().filter_map(|p| self.pattern(p)).collect();
        match (is_value, args.as_slice()) {
            (_, []) if is_value => format!("the {name}"),
            (_, []) => name,
            (true, [first, rest @ ..]) => {
                let owned = if first == "you" { format!("your {name}") } else { format!("{first}'s {name}") };
                let owned = owned.replace("this's ", "its ");
                if rest.is_empty() { owned } else { format!("{owned} for {}", rest.join(", ")) }
            }
            (false, all) => format!("{name} {}", all.join(", ")),
        }
    }

    /// What is said of one argument; none of one that is not looked at.
    fn pattern(&mut self, p: &Pattern) -> Option<String> {
        match p {
            Pattern::Any => None,
            Pattern::Bind(l) => {
                let word = self.kind_of(*l);
                // A number has only the name that the rules give it.
                let name = if word.chars().count() > 1 { format!("the {word}") } else { word.clone() };
                self.names.insert(*l, name);
                Some(format!("any {word}"))
            }
            Pattern::Test(l, c) => match &*c.kind {
                ExprKind::Compare(Comparison::Eq, a, b) => {
                    let is_local = |e: &Expr| matches!(&*e.kind, ExprKind::Local(x) if x == l);
                    let other = if is_local(a) { b } else { a };
                    Some(self.noun(other))
                }
                _ => {
                    let of = self.with_it(*l, |t| t.condition(c, true));
                    Some(format!("something of which {of}"))
                }
            },
        }
    }
}
