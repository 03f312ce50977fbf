//! The context while one body is read: bound names, who acts, the candidate of a filter, and facts of flow typing.
use super::build;
use super::codes;
use super::flow::{self, Fact, Known};
use super::index::{Index, Part};
use super::near as suggest;
use super::types::{self, Fit};
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Code, Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;
use std::sync::Arc;

/// Advice for a name that is declared nowhere and like no other.
const HOW_TO_DECLARE: &str =
    "declare it first: with `let` in a rule, as a `value`, or as an attribute in `table { }`";

/// How deep expressions may be nested inside each other here, whatever the parser lets through.
pub const DEPTH: usize = 200;

/// Who acts.
#[derive(Clone, Debug)]
pub enum Me {
    /// The local that stands for the acting player.
    Is(LocalId),
    /// Nobody, and why not: "a value has no `me`".
    Nobody(&'static str),
}

/// What sort of text is read: it decides what may stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Looks and never acts; none must be handled. The word names it: "a value", "a guard", "a filter".
    Pure(&'static str),
    /// Acts; a statement that needs a thing and finds none does nothing.
    Effect,
}

/// The reading of one body.
pub struct Cx<'a> {
    /// The words of the game.
    pub ix: &'a Index<'a>,
    /// Where findings go.
    pub out: &'a mut Report,
    /// Every local so far.
    pub locals: Vec<Local>,
    /// How often each is used.
    pub uses: Vec<u32>,
    /// Bound names, innermost last.
    pub names: Vec<(String, LocalId)>,
    /// Candidates of filters, innermost last.
    pub its: Vec<Expr>,
    /// The kind whose things in the box a filter looks at, because its words name it.
    pub box_of: Option<KindId>,
    /// Who acts.
    pub me: Me,
    /// The component or space in whose kind or member the body stands.
    pub this: Option<Expr>,
    /// The member whose components `this` is one of, where the body stands in a member.
    pub member: Option<MemberId>,
    /// What `owner` stands for.
    pub owner: Option<Expr>,
    /// What is certain here.
    pub facts: Vec<Fact>,
    /// What may stand here.
    pub mode: Mode,
    /// Whether the statement being read can end early because of none.
    pub skips: bool,
    /// Whose `has` state can be named: the phase, member or menu.
    pub has: Vec<HasOf>,
    /// Whether `no action` makes sense.
    pub in_menu: bool,
    /// The map named behind the word that is read next: `row(2) of Board`.
    pub on_map: Option<MapId>,
    /// Whether the list that is read next is gone through as it is written: a number may stand in it twice.
    pub each_counts: bool,
    /// Whether it is judged when an effect has been tried.
    pub in_tried: bool,
    /// The type of the value being modified: what `usual` is.
    pub usual: Option<Ty>,
    /// Names of a test's players, in seat order.
    pub cast: Vec<String>,
    /// Where they are named.
    pub cast_at: Vec<Span>,
    /// How many findings there were before this body was read.
    pub found_before: usize,
    /// The rule whose `give`, `proceed` … are read.
    pub within: Within,
    /// Depth of nesting.
    pub depth: usize,
    /// Locals that `let` has named: they can be set anew.
    pub lets: HashSet<LocalId>,
    /// Locals that `let` has named and that hold a set of numbers which things have: equal ones once.
    pub gathered: HashSet<LocalId>,
    /// Locals that hold only faces that are on exactly one component each.
    pub unique: HashSet<LocalId>,
    /// Names that are set anew somewhere in the body.
    pub reassigned: HashSet<String>,
    /// Kinds that say where they are discarded to (also those whose declaration is still being read).
    pub discards: HashSet<KindId>,
    /// Whether what is read next may be a bag.
    pub bag_fits: bool,
}

/// In what a statement stands.
#[derive(Clone, Debug, Default)]
pub struct Within {
    /// What `give` gives; none: nothing.
    pub gives: Option<Ty>,
    /// Parameters that `proceed` can change, by name: only in `instead of`.
    pub proceed: Option<Vec<(String, Ty, Option<Def>)>>,
    /// Inside `until … { }`.
    pub layer: bool,
    /// Inside `everyone … { }`.
    pub everyone: bool,
    /// Inside a `test`.
    pub test: bool,
    /// The rule or phase itself.
    pub rule: Option<RuleId>,
}

impl<'a> Cx<'a> {
    /// An empty reading.
    pub fn new(ix: &'a Index<'a>, out: &'a mut Report, mode: Mode) -> Self {
        Cx {
            ix,
            found_before: out.findings.len(),
            out,
            locals: Vec::new(),
            uses: Vec::new(),
            names: Vec::new(),
            its: Vec::new(),
            box_of: None,
            me: Me::Nobody("nobody acts here"),
            this: None,
            member: None,
            owner: None,
            facts: Vec::new(),
            mode,
            skips: false,
            has: Vec::new(),
            bag_fits: false,
            in_menu: false,
            on_map: None,
            each_counts: false,
            in_tried: false,
            usual: None,
            cast: Vec::new(),
            cast_at: Vec::new(),
            within: Within::default(),
            depth: 0,
            lets: HashSet::default(),
            gathered: HashSet::default(),
            unique: HashSet::default(),
            reassigned: HashSet::default(),
            discards: HashSet::default(),
        }
    }

    /// The declarations.
    pub fn model(&self) -> &'a Model {
        self.ix.model
    }

    /// Whether a statement is read that may end early.
    pub fn acts(&self) -> bool {
        self.mode == Mode::Effect
    }

    /// Reads something as a value, guard or filter: nothing acts, none must be handled.
    pub fn read_purely<T>(&mut self, what: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.mode, Mode::Pure(what));
        let out = read(self);
        self.mode = outer;
        out
    }

    /// Reads something inside which names bound and facts learned are forgotten afterwards.
    pub fn read_in_scope<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.names.len();
        let facts = self.facts.clone();
        let out = read(self);
        self.names.truncate(names);
        self.facts = facts;
        out
    }

    // ── Findings ─────────────────────────────────────────────────────────────────────────────────────────

    /// Reports an error with what to write instead, and gives what stands for it.
    pub fn fail(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Expr {
        self.out.push(Diagnostic::error(code, span, message).help(help));
        build::error(span)
    }

    /// Reports an error with what to write instead, if that is known, and gives what stands for it.
    pub fn fail_if(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Expr {
        self.out.push(Diagnostic::error(code, span, message).help_if(help));
        build::error(span)
    }

    /// Reports a finding.
    pub fn push(&mut self, d: Diagnostic) {
        self.out.push(d);
    }

    /// A text without holes.
    pub fn plain(&mut self, t: &ast::Text) -> Arc<str> {
        if let Some(d) = crate::decl::report_holes(t) {
            self.push(d);
        }
        t.literal().unwrap_or_default().into()
    }

    /// Reports an unknown word with what may have been meant, and gives what stands for it.
    pub fn report_unknown(
        &mut self,
        code: Code,
        name: &ast::Name,
        message: String,
        candidates: Vec<String>,
    ) -> Expr {
        self.report_unknown_or(code, name, message, candidates, None)
    }

    /// Reports an unknown word, with advice if it is like none of the candidates.
    pub fn report_unknown_or(
        &mut self,
        code: Code,
        name: &ast::Name,
        message: String,
        candidates: Vec<String>,
        hint: Option<String>,
    ) -> Expr {
        let d = Diagnostic::error(code, name.span, message);
        let best = suggest::closest(&name.text, candidates.iter().map(String::as_str)).map(str::to_string);
        // Where a hint says what to write, no similar name is offered beside it.
        let best = best.filter(|_| hint.is_none());
        // A name that is like no other is not yet declared.
        let undeclared = best.is_none() && code == codes::NO_NAME;
        let hint = hint.or_else(|| {
            let built_in = Builtin::called(&name.text).filter(|b| undeclared && !b.args().is_empty())?;
            Some(format!("it has brackets: `{}({})`", name.text, built_in.args().join(", ")))
        });
        let hint = hint.or_else(|| undeclared.then(|| HOW_TO_DECLARE.into()));
        let hint = hint.or_else(|| {
            let none = if code == codes::NO_ARG { "leave it out" } else { "declare it first" };
            best.is_none().then(|| suggest::list_words(candidates.iter().map(String::as_str), none))
        });
        let d = d.help_if(hint);
        self.out.push(match best {
            Some(s) => d.suggest(s),
            None => d,
        });
        self.ix.notes.note_could(name.span, candidates);
        build::error(name.span)
    }

    /// A feature that only later games use.
    pub fn report_not_played(&mut self, span: Span, what: &str) -> Expr {
        self.push(super::unsupported::not_played(span, what));
        build::error(span)
    }

    /// A type in the reader's words.
    pub fn show(&self, ty: &Ty) -> String {
        types::show(self.model(), ty)
    }

    // ── Locals ───────────────────────────────────────────────────────────────────────────────────────────

    /// A new local that no word names (`it`, a helper).
    pub fn new_local(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        let name = Arc::from(name);
        self.ix.notes.note_bound(span, &name, &ty);
        self.locals.push(Local { name, ty, span });
        self.uses.push(0);
        id
    }

    /// A new local of that name; warns if it hides another.
    pub fn bind(&mut self, name: &ast::Name, ty: Ty) -> LocalId {
        if let Some((_, old)) = self.names.iter().rev().find(|(n, _)| *n == name.text) {
            let at = self.locals.get(old.0 as usize).map_or(name.span, |l| l.span);
            self.push(
                Diagnostic::warning(
                    codes::SHADOWED,
                    name.span,
                    format!("`{}` hides another `{}`", name.text, name.text),
                )
                .label("from here on, the name means this one")
                .also(at, "the other one is here")
                .help("rename one of them"),
            );
        }
        let id = self.new_local(&name.text, ty, name.span);
        self.names.push((name.text.clone(), id));
        id
    }

    /// Makes a local that is there already known by a name, without a warning.
    pub fn call_it(&mut self, name: &str, id: LocalId) {
        self.names.push((name.to_string(), id));
    }

    /// The local of that name.
    pub fn find_local(&self, name: &str) -> Option<LocalId> {
        self.names.iter().rev().find(|(n, _)| n == name).map(|(_, l)| *l)
    }

    /// Writes down what a word means.
    pub fn note(&self, at: Span, def: Def) {
        self.ix.notes.note(at, def);
    }

    /// Writes down that the word is a local's.
    pub fn note_local(&self, at: Span, id: LocalId) {
        if let Some(l) = self.locals.get(id.index())
            && !matches!(&*l.name, "it" | "me" | "this" | "owner")
        {
            self.note(at, Def::Local(l.span));
        }
    }

    /// What stands behind `per`: a turn, a round, any phase, or the phase of that name; of an attribute of components also a stay at a place.
    pub fn read_per(&mut self, n: &ast::Name, on_component: bool) {
        let phase = |t: &super::index::Thing| match t {
            super::index::Thing::Rule(r) => self.model().rules.get(r.index()).is_some_and(|r| r.phase),
            _ => false,
        };
        match self.ix.things(&n.text).iter().find(|t| phase(t)) {
            Some(t) => self.note(n.span, t.def()),
            None if ["turn", "round", "phase"].contains(&&*n.text) => {}
            None if n.text == "stay" && on_component => {}
            None if n.text == "stay" => {
                let message =
                    "`per stay` stands only behind an attribute of components: nothing else leaves its place";
                let d = Diagnostic::error(codes::WRONG_FORM, n.span, message);
                self.push(
                    d.help("write `per turn`, `per round`, `per phase` (any phase), or the name of a phase"),
                );
            }
            None => {
                let d = Diagnostic::error(codes::NO_NAME, n.span, format!("there is no phase `{}`", n.text));
                self.push(
                    d.help("write `per turn`, `per round`, `per phase` (any phase), or the name of a phase"),
                );
            }
        }
    }

    /// An expression for a local.
    pub fn use_local(&mut self, id: LocalId, span: Span) -> Expr {
        if let Some(u) = self.uses.get_mut(id.0 as usize) {
            *u += 1;
        }
        self.note_local(span, id);
        let ty = self.locals.get(id.0 as usize).map_or(Ty::Error, |l| l.ty.clone());
        self.narrow(build::local(id, ty, span))
    }

    /// Warns of names bound from number `from` on that nothing used.
    pub fn warn_unused(&mut self, from: usize, what: &str) {
        // What is wrong may be what uses a name.
        let found = self.out.findings.get(self.found_before..).unwrap_or_default();
        if found.iter().any(Diagnostic::is_error) {
            return;
        }
        for i in from..self.locals.len() {
            let l = &self.locals[i];
            let named = l.name.chars().next().is_some_and(char::is_alphabetic);
            if self.uses[i] > 0
                || !named
                || matches!(&*l.name, "it" | "me" | "this" | "owner")
                || l.ty == Ty::Error
            {
                continue;
            }
            let d = Diagnostic::warning(codes::UNUSED, l.span, format!("{what} `{}` is never used", l.name));
            self.out.push(d);
        }
    }

    // ── What is certain ──────────────────────────────────────────────────────────────────────────────────

    /// The expression with the type that it has here, by all that is certain.
    pub fn narrow(&self, mut e: Expr) -> Expr {
        if self.facts.is_empty() {
            return e;
        }
        let interesting = matches!(e.ty, Ty::Maybe(_) | Ty::Int(..) | Ty::Of(_) | Ty::AnyOf(_));
        if !interesting {
            return e;
        }
        let Some(path) = flow::path(&e) else { return e };
        let mut by = Narrowed::default();
        for f in self.facts.iter().filter(|f| f.path == path && self.modified_through(f).is_none()) {
            e.ty = match (&f.known, e.ty) {
                (Known::Some, Ty::Maybe(t)) => {
                    by.some = true;
                    *t
                }
                (Known::Kind(k), Ty::Maybe(t)) => {
                    by.kind = true;
                    Ty::Maybe(std::boxed::Box::new(self.narrower_kind(*t, *k)))
                }
                (Known::Kind(k), t @ (Ty::Of(_) | Ty::AnyOf(_))) => {
                    by.kind = true;
                    self.narrower_kind(t, *k)
                }
                (Known::Within(a, b), Ty::Int(lo, hi)) if lo.max(*a) <= hi.min(*b) => {
                    by.range = true;
                    Ty::Int(lo.max(*a), hi.min(*b))
                }
                (_, t) => t,
            };
        }
        if by.some || by.kind || by.range {
            let mut narrowed = self.ix.narrowed.borrow_mut();
            let known = narrowed.entry(e.span).or_default();
            known.some |= by.some;
            known.kind |= by.kind;
            known.range |= by.range;
        }
        e
    }

    /// Whether what is certain of a number cannot all hold, or not with its type: the rules never come here.
    pub fn is_contradicted(&self, e: &Expr) -> bool {
        let (Some(path), Some((mut lo, mut hi))) = (flow::path(e), types::bounds(&e.ty)) else {
            return false;
        };
        for f in self.facts.iter().filter(|f| f.path == path) {
            if let Known::Within(a, b) = f.known {
                (lo, hi) = (lo.max(a), hi.min(b));
            }
        }
        lo > hi
    }

    /// The narrower of a type and a kind.
    fn narrower_kind(&self, ty: Ty, k: KindId) -> Ty {
        match &ty {
            Ty::Of(old) if types::is_a(self.model(), *old, k) => ty,
            _ => Ty::Of(k),
        }
    }

    /// Whether the set or list surely has something in it.
    pub fn is_not_empty(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Set(es) | ExprKind::List(es) if es.iter().any(|e| !types::is_maybe(&e.ty)) => {
                return true;
            }
            ExprKind::Union(a, b) if self.is_not_empty(a) || self.is_not_empty(b) => return true,
            // On hexes no direction slants.
            ExprKind::Builtin(Builtin::Players | Builtin::Seats | Builtin::DirectionSet(0 | 2), _) => {
                return true;
            }
            ExprKind::Builtin(Builtin::Reversed | Builtin::AsSet | Builtin::Widened, args) => {
                return args.first().is_some_and(|a| self.is_not_empty(a));
            }
            ExprKind::Faces(_) => return true,
            ExprKind::Value(v, _) if self.is_in_play(*v) => return true,
            ExprKind::All(k) => {
                return matches!(
                    types::kind(self.model(), *k).map(|k| &k.sort),
                    Some(
                        KindSort::Player
                            | KindSort::Enum
                            | KindSort::Direction
                            | KindSort::Lines(..)
                            | KindSort::Space(_)
                    )
                );
            }
            ExprKind::Fold(f)
                if matches!(f.op, FoldOp::Most | FoldOp::Least)
                    && f.cond.is_none()
                    && self.is_not_empty(&f.over) =>
            {
                return true;
            }
            ExprKind::Range(a, b) => {
                return match (types::bounds(&a.ty), types::bounds(&b.ty)) {
                    (Some(a), Some(b)) => a.1 <= b.0,
                    _ => false,
                };
            }
            _ => {}
        }
        let Some(path) = flow::path(e) else { return false };
        self.facts.iter().any(|f| f.known == Known::NotEmpty && f.path == path)
    }

    /// Forgets what an effect may have changed.
    pub fn forget(&mut self) {
        self.facts.retain(|f| !f.fleeting);
        // In a repetition a name that is set anew may have been set already.
        let again: Vec<LocalId> =
            self.names.iter().filter(|(n, _)| self.reassigned.contains(n)).map(|(_, l)| *l).collect();
        for l in again {
            self.forget_local(l);
        }
    }

    /// Forgets what was known of a local that is set anew.
    pub fn forget_local(&mut self, id: LocalId) {
        let name = format!("l{}", id.0);
        self.facts.retain(|f| !f.path.contains(&name));
    }

    // ── None ─────────────────────────────────────────────────────────────────────────────────────────────

    /// The type of a thing that is needed here: without its *or none*. In a statement none ends the statement; elsewhere it must be handled.
    pub fn need_value(&mut self, e: &Expr, for_what: &str) -> Ty {
        match &e.ty {
            Ty::Maybe(t) => {
                if self.acts() {
                    self.skips = true;
                } else {
                    let what = match self.mode {
                        Mode::Pure(w) => w,
                        Mode::Effect => "this",
                    };
                    if let Some(d) = self.report_uncertain(e, for_what) {
                        self.push(d);
                        return (**t).clone();
                    }
                    self.push(
                        Diagnostic::error(
                            codes::MAY_BE_NONE,
                            e.span,
                            format!("this may be none, but {for_what}"),
                        )
                        .label(format!("{} or none", self.show(t)))
                        .help(format!(
                            "{what} must say what happens with none: write `… is some and …`, `if (…) is some then … else …` or `… default …`"
                        )),
                    );
                }
                (**t).clone()
            }
            Ty::None => {
                let d = Diagnostic::error(codes::IS_NONE, e.span, format!("this is none, but {for_what}"));
                self.push(d.help("to allow none, declare the type with `?`, as in `target: Cell?`"));
                Ty::Error
            }
            other => other.clone(),
        }
    }

    /// The expression made to stand where that type is expected; `role` names the place: "the argument `p` of `steps`".
    pub fn fit_to(&mut self, e: Expr, to: &Ty, role: &str) -> Expr {
        let span = e.span;
        match types::fit(self.model(), &e.ty, to) {
            Fit::Yes => {
                // An empty set or list takes the type that is expected.
                let mut e = e;
                if let (Ty::Set(a) | Ty::List(a), Ty::Set(_) | Ty::List(_) | Ty::Bag(_)) = (&e.ty, to)
                    && **a == Ty::Error
                {
                    e.ty = to.clone();
                }
                // What is written out holds numbers of the range that is expected.
                let numbers =
                    |t: &Ty| types::element(self.model(), t).is_some_and(|t| matches!(t, Ty::Int(..)));
                if numbers(&e.ty)
                    && numbers(to)
                    && types::element(self.model(), &e.ty) != types::element(self.model(), to)
                {
                    if is_written_out(&e) {
                        e.ty = to.clone();
                    } else {
                        return build::builtin(Builtin::Widened, vec![e], to.clone(), span);
                    }
                }
                e
            }
            Fit::NotNone => {
                let ty = self.need_value(&e, &format!("{role} must be {}", self.show(to)));
                if ty == Ty::Error {
                    return build::error(span);
                }
                e
            }
            Fit::AsSet => build::builtin(Builtin::AsSet, vec![e], to.clone(), span),
            Fit::AsSpaces => build::builtin(Builtin::LineSpaces, vec![e], to.clone(), span),
            Fit::Outside => {
                let (is, must) = match (types::bounds(&e.ty), types::bounds(to)) {
                    (Some(a), Some(b)) => (types::show_range(a.0, a.1), types::show_range(b.0, b.1)),
                    _ => (self.show(&e.ty), self.show(to)),
                };
                self.push(
                    Diagnostic::error(codes::OUTSIDE, span, format!("{is} is outside {must}"))
                        .label(format!("{role} must be {}", self.show(to)))
                        .help("write another number, or make the range wider where it is declared"),
                );
                e
            }
            // A pile from the top, words as declared: what has an order is a list where one is wanted.
            Fit::No
                if let (Ty::Set(a), Ty::List(b)) = (&e.ty, to)
                    && types::fit(self.model(), a, b) == Fit::Yes
                    && self.has_order(&e) =>
            {
                let list = self.make_list(e);
                self.fit_to(list, to, role)
            }
            // A number of a range stands for the team of that number.
            Fit::No if let (Ty::Int(a @ 1.., b @ ..=16), Ty::Of(builtin_kinds::TEAM)) = (&e.ty, to) => {
                let (a, b) = (*a as u8, *b as u8);
                let of = |n: u8| build::builtin(Builtin::Team(n), Vec::new(), to.clone(), span);
                let l = self.new_local("it", e.ty.clone(), span);
                let team = (a..b).rev().fold(of(b), |rest, n| {
                    let it = build::local(l, e.ty.clone(), span);
                    let is = ExprKind::Compare(Comparison::Eq, it, build::int(n.into(), span));
                    build::expr(to.clone(), span, ExprKind::If(build::cond(span, is), of(n), rest))
                });
                build::expr(to.clone(), span, ExprKind::Let(l, e, team))
            }
            Fit::No if let Some(thing) = self.fit_component(&e, to) => self.fit_to(thing, to, role),
            Fit::No => {
                let d = Diagnostic::error(
                    codes::WRONG_TYPE,
                    span,
                    format!("{role} must be {}, but this is {}", self.show(to), self.show(&e.ty)),
                )
                .label(self.show(&e.ty));
                let hint = self.hint_for_type(&e.ty, to);
                self.push(d.help_if(hint));
                build::error(span)
            }
        }
    }

    /// Reads a parameter or a result that must be of that type; a number that need not be is held to its range while the game is played.
    pub fn check_held(&mut self, e: &ast::Expr, to: &Ty, role: &str) -> Expr {
        build::held_to_range(self.read_as(e, to, role), to)
    }

    /// Reads an expression that must be of that type.
    pub fn read_as(&mut self, e: &ast::Expr, to: &Ty, role: &str) -> Expr {
        if let Ty::Filter(k) = to {
            return self.read_filter_value(e, *k);
        }
        if *to == Ty::Place {
            return self.read_place(e, role);
        }
        if let Ty::List(t) | Ty::Set(t) = to
            && **t == Ty::Place
        {
            return self.read_places(e, to, role);
        }
        let got = self.read_expr(e, Some(to));
        self.fit_to(got, to, role)
    }

    /// Reads a condition.
    pub fn read_cond(&mut self, e: &ast::Expr, role: &str) -> Expr {
        let got = self.read_expr(e, Some(&Ty::Bool));
        if matches!(got.ty, Ty::Bool | Ty::Error) {
            return got;
        }
        if got.ty == Ty::Maybe(std::boxed::Box::new(Ty::Bool)) {
            let _ = self.need_value(&got, &format!("{role} must be yes or no"));
            return got;
        }
        let d = Diagnostic::error(
            codes::NOT_A_CONDITION,
            got.span,
            format!("{role} must be yes or no, but this is {}", self.show(&got.ty)),
        );
        let d = match &got.ty {
            Ty::Maybe(_) => d.help("to ask whether there is one, write `… is some`"),
            is => d.help_if(self.hint_for_type(is, &Ty::Bool)),
        };
        self.push(d);
        build::error(got.span)
    }

    /// What a word after that thing's dot is: an attribute, zone, value or rule of its kind (of all of them, where it may be of several).
    pub fn find_part(&self, ty: &Ty, word: &str) -> Option<Part> {
        match ty {
            Ty::Of(k) => self.ix.part(*k, word),
            Ty::Face(k) | Ty::Side(k) => match self.ix.part(*k, word) {
                Some(Part::Attr(a)) => Some(Part::Attr(a)),
                _ => None,
            },
            Ty::AnyOf(ks) => {
                let mut found = None;
                for k in ks {
                    let p = self.ix.part(*k, word)?;
                    if found.is_some_and(|f| f != p) {
                        return None;
                    }
                    found = Some(p);
                }
                found
            }
            _ => None,
        }
    }
}

/// Whether a set of numbers is made of such as are written out where it stands.
fn is_written_out(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Range(..) => true,
        ExprKind::Where(s, ..) | ExprKind::Without(s, _) | ExprKind::First { n: Some(_), of: s, .. } => {
            is_written_out(s)
        }
        ExprKind::Union(a, b) | ExprKind::If(_, a, b) => is_written_out(a) && is_written_out(b),
        _ => false,
    }
}
