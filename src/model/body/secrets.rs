//! Checks what players may learn from effects. What a question offers, whom it asks and whether it is asked must be computed from what all who see it may know (E0502).
//! A value that is computed from secrets is not used after a question (E0505): a bot that samples hidden cards at the question would have to repeat what came before it.
//!
//! ```text
//! rule r(p: player) {
//!   let n = sum(c in p.hand: c.rank)       # a secret, followed through names, calls, results and parameters ([`super::taint`])
//!   let x = choose one of 1..n             # E0502: the answers reveal it
//!   if n > 3 { x.coins += 1 }              # E0505: it is used after the question
//! }
//! ```
//!
//! What an effect writes to an attribute, says or shows is revealed on purpose: it is no secret from then on. What depends on a parameter is recorded, and checked at
//! each call.
use super::leaks::{self, Guarded, Reported};
use super::look::{Look, lies_of_params};
use super::taint::{Bound, Calls, Flow, Found, FrameId, Lies, Node, Read, bound_names, path_of_local};
use super::{codes, flow, types, walk};
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Whether hidden things may decide that chance is drawn, or that somebody comes to know a face. Then it would reveal them to say whether a choice did so.
pub fn has_hidden_lots(model: &Model) -> bool {
    let mut judge = Judge::new(model, Of::Lots);
    judge.note_faces();
    while std::mem::take(&mut judge.grown) && !judge.found {
        judge.judge_blocks();
    }
    judge.found
}

/// Whether all may know a value of anything that it is asked for: it reads nothing that is hidden from somebody.
pub fn is_open(model: &Model, v: ValueId) -> bool {
    let Some(body) = model.values.get(v.index()).and_then(|v| v.body.body.as_ref()) else { return false };
    let mut look = Look::new(&Calls::new(model), []);
    look.look_at(body);
    look.reads.is_empty() && look.hooks.is_empty()
}

/// Of what is judged whether hidden things decide that it happens.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Of {
    /// That somebody is asked.
    #[default]
    Questions,
    /// That lots are drawn, or that a face becomes known. Other findings are left to the judgement of questions.
    Lots,
}

/// Whose parameters something depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Receiver {
    Rule(RuleId),
    Menu(MenuId),
}

/// Who sees what depends on a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    /// Who acts there.
    Acting,
    /// The player that another parameter stands for.
    Param(usize),
    /// Somebody.
    Somebody,
}

/// A parameter by which a question, or a guard, is worked out.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Handed {
    param: usize,
    /// What is read of the thing; none: what is handed over itself counts.
    what: Option<Arc<str>>,
    /// Whether the thing is sure to lie face up then.
    up: bool,
    who: Who,
    sort: Guarded,
}

/// What is known of a game's questions, and where findings go.
pub(super) struct Judge<'a, 'o> {
    pub calls: Rc<Calls<'a>>,
    asking: Asking,
    handed: HashMap<Receiver, Vec<Handed>>,
    /// Parameters of rules that are used behind a question asked inside, by themselves or by handing them on.
    keeping: HashSet<(RuleId, usize)>,
    /// Whether more is known of parameters than before.
    pub grown: bool,
    told: Reported,
    kept_told: HashSet<Span>,
    /// Where it is reported; nowhere while parameters are judged.
    pub out: Option<&'o mut Report>,
    /// Of lots: whether hidden things decide that they are drawn.
    found: bool,
}

impl<'a> Judge<'a, '_> {
    /// Of a game, nothing judged yet.
    pub fn new(model: &'a Model, of: Of) -> Self {
        Judge {
            calls: Calls::new(model),
            asking: find_asking(model, of),
            handed: HashMap::default(),
            keeping: HashSet::default(),
            grown: true,
            told: Reported::default(),
            kept_told: HashSet::default(),
            out: None,
            found: false,
        }
    }

    /// Reports what a look has found.
    pub fn report_look(&mut self, look: &mut Look<'a>, sort: Guarded) {
        if self.asking.of == Of::Lots {
            let is_hidden = |r: &Read| !matches!(r.lies, Lies::Open | Lies::Given(..));
            self.found |= look.reads.iter().any(is_hidden) || !look.hooks.is_empty();
        }
        if let Some(out) = &mut self.out {
            leaks::report_leaks(self.calls.model, look, sort, &mut self.told, out);
        }
    }

    /// Notes by which parameters of a menu its offers are worked out.
    pub fn note_menu(&mut self, menu: MenuId, look: &Look<'a>) {
        self.note_receiver(Receiver::Menu(menu), look, Who::Acting, Guarded::Option);
    }

    fn note_receiver(&mut self, to: Receiver, look: &Look<'a>, who: Who, sort: Guarded) {
        let known = self.handed.entry(to).or_default();
        let mut add = |param, what: Option<Arc<str>>, up| {
            let new = Handed { param, what, up, who, sort };
            if !known.contains(&new) {
                known.push(new);
                self.grown = true;
            }
        };
        for r in &look.reads {
            if let Lies::Given(i, up) = r.lies {
                add(i, Some(r.what.clone()), up);
            }
        }
        look.given.iter().for_each(|i| add(*i, None, false));
    }

    /// A rule of a kind may ask somebody on some faces and not on others: then the face of the card on which it is called decides whether somebody is asked.
    pub fn note_faces(&mut self) {
        let model = self.calls.model;
        for (r, _) in model.members.iter().flat_map(|m| &m.rule_fills) {
            if self.asking.rules.contains(r) {
                let what = Some(Arc::from("the face"));
                let face = Handed { param: 0, what, up: false, who: Who::Somebody, sort: Guarded::Asked };
                self.handed.insert(Receiver::Rule(*r), vec![face]);
            }
        }
    }

    /// Judges every block of the rules.
    pub fn judge_blocks(&mut self) {
        let model = self.calls.model;
        let plainly =
            |n: usize| (0..n).map(|i| (LocalId(i as u32), Lies::Given(i, false))).collect::<Vec<_>>();
        let played = self.list_played();
        for (i, r) in model.rules.iter().enumerate() {
            let id = RuleId(i as u32);
            // What only tests call draws nothing in a match.
            if self.asking.of == Of::Lots && !played.contains(&id) {
                continue;
            }
            let to = vec![Receiver::Rule(id)];
            let fills = model.members.iter().flat_map(|m| &m.rule_fills).filter(|(f, _)| f.index() == i);
            let own = r.body.body.iter().map(|b| (b, Some(r.me)));
            for (b, me) in own.chain(fills.map(|(_, b)| (&b.body, None))) {
                let flow = self.calls.flow_of_block(b);
                BodyJudge::new(self, flow, plainly(r.body.params), to.clone(), me).judge_body(b);
            }
        }
        for a in &model.actions {
            let menus =
                a.menus.iter().filter_map(|m| model.menus.get(m.index()).map(|x| (*m, x.params.len())));
            let n = menus.clone().map(|m| m.1).max().unwrap_or(0);
            let names = (0..n).map(|i| (LocalId(i as u32 + 1), Lies::Given(i, false))).collect();
            let flow = self.calls.flow_of_action(a);
            BodyJudge::new(self, flow, names, menus.map(|m| Receiver::Menu(m.0)).collect(), Some(a.me))
                .judge_body(&a.body);
        }
        let round = model.round.iter().map(|r| &r.body.body);
        for b in model.setups.iter().map(|(_, b)| &b.body).chain(round) {
            let flow = self.calls.flow_of_block(b);
            BodyJudge::new(self, flow, Vec::new(), Vec::new(), None).judge_body(b);
        }
        for a in &model.attachments {
            let Some(b) = acting_block(a) else { continue };
            let flow = self.calls.flow_of_block(b);
            for h in &a.heads {
                let (names, to) = match h.target {
                    Target::Rule(r) => {
                        let open = self.list_brought_open(a, h.target);
                        let lies = |i| if open.contains(&i) { Lies::Open } else { Lies::Given(i, false) };
                        let names = bound_names(h).into_iter().map(|(i, l)| (l, lies(i))).collect();
                        (names, vec![Receiver::Rule(r)])
                    }
                    _ => (self.names_of(a, h, false), Vec::new()),
                };
                self.judge_attachment(a, h, flow.clone(), names, to);
            }
        }
    }

    /// The rules that rules call.
    fn list_played(&self) -> HashSet<RuleId> {
        let played = RefCell::new(HashSet::default());
        let mut expr = |e: &'a Expr| {
            if let ExprKind::Rule(r, ..) = &*e.kind {
                played.borrow_mut().insert(*r);
            }
        };
        let mut stmt = |s: &'a Stmt| {
            played.borrow_mut().extend(walk::rule_calls_with_actors(s).into_iter().map(|(r, ..)| r))
        };
        walk::visit_rules(self.calls.model, &mut expr, &mut stmt);
        played.into_inner()
    }

    /// Judges what an attachment does: its head decides whether somebody is asked in it, or no longer asked in what it replaces.
    fn judge_attachment(
        &mut self,
        a: &'a Attachment,
        h: &'a Head,
        flow: Rc<Flow<'a>>,
        names: Vec<(LocalId, Lies)>,
        to: Vec<Receiver>,
    ) {
        let Some(b) = acting_block(a) else { return };
        let replaces = matches!(a.what, AttachKind::Instead(_)) && {
            let others = self.calls.model.attachments.iter().filter(|x| !std::ptr::eq(*x, a));
            is_target_asking(self.calls.model, h.target, &self.asking)
                || others.filter(|x| matches!(x.what, AttachKind::Instead(_))).any(|x| {
                    x.heads.iter().any(|x| x.target == h.target) && is_attachment_asking(x, &self.asking)
                })
        };
        let outer = std::mem::replace(&mut self.asking.proceeds, replaces);
        let asks = replaces || is_attachment_asking(a, &self.asking);
        // Who acts knows what he picks; whom `may by` asks, or who made a layer, need not.
        let is_acting = matches!(h.target, Target::Action(_)) && !matches!(a.may, Some((Some(_), _)));
        let picked = if is_acting { self.names_of(a, h, true) } else { Vec::new() };
        let mut body = BodyJudge { picked, ..BodyJudge::new(self, flow, names, to, a.me) };
        body.under.extend(walk::pattern_conditions(h).into_iter().chain(&a.by).chain(&a.when));
        if let Some((by, prompt)) = &a.may {
            body.judge_may(by.as_ref(), prompt.as_ref());
        }
        if a.may.is_some() || replaces {
            let under = body.under.clone();
            body.judge_exprs(None, &under, Guarded::Asked);
        }
        if asks {
            // Whoever is asked by what is in force is seen to be asked.
            let mut look = body.look_as(None);
            look.note_in_force(a);
            body.judge.report_look(&mut look, Guarded::Asked);
        }
        if a.outer == 0 {
            body.keep_params(a.may.as_ref().map(|_| a.span));
        }
        body.judge_block(b);
        self.asking.proceeds = outer;
    }

    /// Where the things lie that the names in a head stand for: of an action as it picks them, else wherever such things may lie. `acts`: as who acts sees them.
    fn names_of(&self, a: &Attachment, h: &Head, acts: bool) -> Vec<(LocalId, Lies)> {
        let picked = match h.target {
            Target::Action(id) => Some(lies_of_params(&self.calls, id, acts)),
            _ => None,
        };
        let open = self.list_brought_open(a, h.target);
        let anywhere = |l: LocalId| match a.locals.get(l.index()).map(|l| types::plain(&l.ty)) {
            Some(Ty::Of(k)) if types::is_component(self.calls.model, k) => Lies::Anywhere(k),
            _ => Lies::Open,
        };
        let lies = |(i, l)| match &picked {
            _ if open.contains(&i) => (l, Lies::Open),
            Some(picked) => (l, picked.get(i).copied().unwrap_or_default()),
            None => (l, anywhere(l)),
        };
        bound_names(h).into_iter().map(lies).collect()
    }

    /// Of what `after` stands behind: the numbers of the things handed over that it has brought to where all see them.
    fn list_brought_open(&self, a: &Attachment, target: Target) -> Vec<usize> {
        let model = self.calls.model;
        let mut all = model.attachments.iter().chain(self.calls.layered.iter().map(|(x, _)| *x));
        if !matches!(a.what, AttachKind::After(_)) || all.any(|x| is_replacing(x, target)) {
            return Vec::new();
        }
        let look = Look::new(&self.calls, []);
        let (body, names): (_, Vec<LocalId>) = match target {
            Target::Rule(r) if !model.members.iter().any(|m| m.rule_fills.iter().any(|(f, _)| *f == r)) => {
                let rule = model.rules.get(r.index()).map(|r| &r.body);
                let n = rule.map_or(0, |b| b.params);
                (rule.and_then(|b| b.body.as_ref()), (0..n).map(|i| LocalId(i as u32)).collect())
            }
            Target::Action(x) => {
                let action = model.actions.get(x.index());
                let params = action.into_iter().flat_map(|x| &x.params);
                (action.map(|x| &x.body), params.map(|p| p.local).collect())
            }
            Target::Effect(EffectWord::Discard) => {
                let mut places = model.kinds.iter().flat_map(|k| &k.discards);
                let open = places.all(|(_, to)| {
                    matches!(&*to.body.kind, ExprKind::PlaceOf(..)) && look.lies_at(&to.body) == Lies::Open
                });
                return open.then_some(0).into_iter().collect();
            }
            _ => return Vec::new(),
        };
        let Some(body) = body else { return Vec::new() };
        let (mut open, mut assigned) = (Vec::new(), Vec::new());
        walk::visit_stmts(body, &mut |s| {
            if let StmtKind::Assign(Lhs::Local(l), ..) = s.kind {
                assigned.push(l);
            }
        });
        for s in body {
            let mut ends = false;
            walk::visit_stmts(std::slice::from_ref(s), &mut |s| {
                ends |= matches!(s.kind, StmtKind::Give(_) | StmtKind::Stop);
            });
            if ends {
                break;
            }
            if let Some((l, since)) = moved_thing(s, model)
                && match since {
                    Since::Shown => true,
                    Since::At(to) => look.lies_at(to) == Lies::Open,
                    Since::Up(_) => false,
                }
                && !assigned.contains(&l)
            {
                open.extend(names.iter().position(|n| *n == l));
            }
        }
        open
    }
}

/// Whether an attachment stands in place of that.
fn is_replacing(a: &Attachment, target: Target) -> bool {
    matches!(a.what, AttachKind::Instead(_)) && a.heads.iter().any(|h| h.target == target)
}

/// What an attachment does, where it acts.
fn acting_block(a: &Attachment) -> Option<&Block> {
    match &a.what {
        AttachKind::Before(b) | AttachKind::After(b) | AttachKind::Instead(b) => Some(b),
        _ => None,
    }
}

/// What may ask somebody.
#[derive(Default, PartialEq, Clone)]
struct Asking {
    /// Rules, by themselves, by what they call or by what is attached to them.
    rules: HashSet<RuleId>,
    /// Effect words, by what is attached to them.
    effects: Vec<EffectWord>,
    /// What goes on behind `proceed`, where an attachment is judged that replaces it.
    proceeds: bool,
    of: Of,
}

fn find_asking(model: &Model, of: Of) -> Asking {
    let mut found = Asking { of, ..Asking::default() };
    loop {
        let before = found.clone();
        for id in (0..model.rules.len()).map(|i| RuleId(i as u32)) {
            if !found.rules.contains(&id) && is_target_asking(model, Target::Rule(id), &found) {
                found.rules.insert(id);
            }
        }
        for a in model.attachments.iter().filter(|a| is_attachment_asking(a, &found)).collect::<Vec<_>>() {
            for head in &a.heads {
                match head.target {
                    Target::Rule(r) => {
                        found.rules.insert(r);
                    }
                    Target::Effect(w) if !found.effects.contains(&w) => found.effects.push(w),
                    _ => {}
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

/// Whether what can be attached to asks somebody by itself.
fn is_target_asking(model: &Model, target: Target, asking: &Asking) -> bool {
    let any = |b: &Block| is_asking(b, asking);
    match target {
        Target::Rule(r) => {
            let mut fills = model.members.iter().flat_map(|m| &m.rule_fills);
            model.rules.get(r.index()).and_then(|r| r.body.body.as_ref()).is_some_and(any)
                || fills.any(|(f, b)| *f == r && any(&b.body))
        }
        Target::Action(a) => model.actions.get(a.index()).is_some_and(|a| any(&a.body)),
        Target::Menu(m) => model.actions.iter().any(|a| a.menus.contains(&m) && any(&a.body)),
        Target::Setup => model.setups.iter().any(|(_, b)| any(&b.body)),
        Target::Value(_) | Target::Effect(_) => false,
    }
}

/// Whether an attachment asks somebody, in its head or in what it does.
fn is_attachment_asking(a: &Attachment, asking: &Asking) -> bool {
    acting_block(a).is_some_and(|b| a.may.is_some() || is_asking(b, asking))
}

fn is_asking(b: &[Stmt], asking: &Asking) -> bool {
    let mut out = false;
    walk::visit_stmts(b, &mut |s| out |= is_stmt_asking(s, asking));
    walk::visit_block_exprs(b, &mut |e| out |= is_expr_asking(e, asking));
    out
}

/// Whether the statement itself asks (its expressions and blocks apart).
fn is_stmt_asking(s: &Stmt, asking: &Asking) -> bool {
    let does = s.kind.does();
    let itself = if asking.of == Of::Lots { does.discloses } else { does.asks };
    let around = does.event.is_some_and(|e| asking.effects.contains(&e));
    itself
        || around
        || match &s.kind {
            StmtKind::Call(r, ..) => asking.rules.contains(r),
            StmtKind::Proceed(_) => asking.proceeds,
            _ => false,
        }
}

fn is_expr_asking(e: &Expr, asking: &Asking) -> bool {
    match &*e.kind {
        ExprKind::Choose(c) => matches!(c.by, Chooser::Chance) == (asking.of == Of::Lots),
        ExprKind::Roll(_) => asking.of == Of::Lots,
        ExprKind::Rule(r, ..) => asking.rules.contains(r),
        _ => false,
    }
}

/// A name that was worked out.
#[derive(Clone, Copy)]
struct Kept {
    bound: Span,
    /// The first question behind it.
    question: Option<Span>,
}

/// One block with all that is in it.
struct BodyJudge<'j, 'a, 'o> {
    judge: &'j mut Judge<'a, 'o>,
    flow: Rc<Flow<'a>>,
    /// Where the things lie that the first names stand for.
    names: Vec<(LocalId, Lies)>,
    /// The same as who acts sees it, as far as that is otherwise.
    picked: Vec<(LocalId, Lies)>,
    /// To whose parameters these belong.
    to: Vec<Receiver>,
    /// Who acts in the body, and here.
    own: Option<LocalId>,
    me: Option<LocalId>,
    kept: HashMap<LocalId, Kept>,
    /// Names of things that were moved, turned up or shown since.
    moved: HashMap<LocalId, Since<'a>>,
    /// What decided that we are here, for those who see all that is open.
    under: Vec<&'a Expr>,
}

impl<'j, 'a, 'o> BodyJudge<'j, 'a, 'o> {
    fn new(
        judge: &'j mut Judge<'a, 'o>,
        flow: Rc<Flow<'a>>,
        names: Vec<(LocalId, Lies)>,
        to: Vec<Receiver>,
        me: Option<LocalId>,
    ) -> Self {
        let (kept, moved, under) = (HashMap::default(), HashMap::default(), Vec::new());
        BodyJudge { judge, flow, names, picked: Vec::new(), to, own: me, me, kept, moved, under }
    }

    fn judge_body(mut self, b: &'a Block) {
        self.keep_params(None);
        self.judge_block(b);
    }

    /// The parameters of a rule hold what was worked out before; `question`: one that stands before the block.
    fn keep_params(&mut self, question: Option<Span>) {
        if let [Receiver::Rule(r)] = self.to.as_slice() {
            let bound = self.judge.calls.model.rules.get(r.index()).map_or(Span::default(), |r| r.span);
            self.kept.extend(self.names.iter().map(|(l, _)| (*l, Kept { bound, question })));
        }
    }

    fn frame_of(&self, mine: Option<String>) -> FrameId {
        let is_acting = mine.is_some() && mine == self.own.map(path_of_local);
        let picked = self.picked.iter().filter(|_| is_acting);
        let bound = Bound {
            mine: mine.into_iter().collect(),
            lies: self.names.iter().chain(picked).copied().collect(),
            others: Vec::new(),
            me: self.me,
        };
        self.judge.calls.new_frame(&self.flow, bound)
    }

    /// A look by the player of that path; by any player, if there is none.
    fn look_as(&self, mine: Option<String>) -> Look<'a> {
        let mut look = Look::in_frame(&self.judge.calls, self.frame_of(mine), None);
        for (l, since) in &self.moved {
            let lies = match since {
                Since::Shown => Lies::Open,
                Since::At(place) => look.lies_at(place),
                // In a zone that somebody does not see, turning it up shows it to nobody.
                Since::Up(x) => match look.read(x) {
                    Lies::Down(_) => Lies::Open,
                    lies => lies,
                },
            };
            look.bind(*l, lies);
        }
        look
    }

    fn judge_exprs(&mut self, mine: Option<String>, es: &[&'a Expr], sort: Guarded) {
        let mut look = self.look_as(mine.clone());
        for e in es {
            look.look_at(e);
        }
        self.report_look_of(mine, look, sort);
    }

    fn report_look_of(&mut self, mine: Option<String>, mut look: Look<'a>, sort: Guarded) {
        let of_name = |l: LocalId| mine.as_ref() == Some(&path_of_local(l));
        let param = self.names.iter().find_map(|(l, lies)| match lies {
            Lies::Given(i, _) if of_name(*l) => Some(*i),
            _ => None,
        });
        let who = match (self.own, param) {
            (Some(me), _) if of_name(me) => Who::Acting,
            (_, Some(i)) => Who::Param(i),
            _ => Who::Somebody,
        };
        for to in &self.to {
            self.judge.note_receiver(*to, &look, who, sort);
        }
        self.judge.report_look(&mut look, sort);
    }

    fn judge_block(&mut self, b: &'a Block) {
        let deep = self.under.len();
        for s in b {
            self.judge_stmt(s);
        }
        self.under.truncate(deep);
    }

    fn judge_stmt(&mut self, s: &'a Stmt) {
        let (es, bs) = walk::stmt_parts(s);
        es.iter().for_each(|e| self.judge_uses(e));
        for (r, by, args, call) in walk::rule_calls_with_actors(s) {
            let me = by.map_or_else(|| self.me.map(path_of_local), flow::path);
            self.hand_over_args(Receiver::Rule(r), me, args);
            self.keep_over(r, args, call);
        }
        let asking = &self.judge.asking;
        let inner_asks = bs.iter().any(|b| is_asking(b, asking));
        let own_asks = is_stmt_asking(s, asking)
            || es.iter().any(|e| walk::any_expr(e, &mut |e| is_expr_asking(e, asking)));
        self.judge_questions(s, &es, inner_asks);
        if own_asks {
            let under = self.under.clone();
            self.judge_exprs(None, &under, Guarded::Asked);
        }
        if let StmtKind::For(_, over, _) = &s.kind
            && inner_asks
        {
            self.judge_loop(over, s.span);
        }
        let again = matches!(
            s.kind,
            StmtKind::For(..) | StmtKind::Repeat(..) | StmtKind::RepeatUntil(..) | StmtKind::Everyone(_)
        );
        if own_asks || again && inner_asks {
            for k in self.kept.values_mut() {
                k.question.get_or_insert(s.span);
            }
        }
        self.bind_names(s);
        if again {
            self.forget_moved(&bs);
        }
        let outer = self.me;
        match &s.kind {
            StmtKind::Everyone(e) => self.me = Some(e.me),
            StmtKind::As(me, ..) => self.me = Some(*me),
            StmtKind::May(m) => self.me = Some(m.me),
            _ => {}
        }
        let deep = self.under.len();
        if matches!(s.kind, StmtKind::If(..) | StmtKind::Repeat(..) | StmtKind::RepeatUntil(..)) {
            self.under.extend(&es);
        }
        for b in &bs {
            let moved = self.moved.clone();
            self.judge_block(b);
            self.moved = moved;
        }
        self.me = outer;
        // What ends the rule in there decides what comes behind.
        if !bs.iter().any(|b| b.iter().any(|s| matches!(s.kind, StmtKind::Give(_) | StmtKind::Stop))) {
            self.under.truncate(deep);
        }
        if let StmtKind::Needs(g) = &s.kind {
            self.under.push(&g.cond);
        }
    }

    /// Judges the questions that a statement asks.
    fn judge_questions(&mut self, s: &'a Stmt, es: &[&'a Expr], inner_asks: bool) {
        if self.judge.asking.of == Of::Lots {
            return self.judge_lots(s, es, inner_asks);
        }
        for e in es {
            walk::visit_exprs(e, &mut |e| {
                if let ExprKind::Choose(c) = &*e.kind
                    && let Chooser::Player(p) = &c.by
                {
                    // Several choosers may know no more than all of them do.
                    let mine = flow::path(p).filter(|_| types::plain(&p.ty) == types::player());
                    let mut all = vec![&c.from];
                    if let Many::Subset { min, max } = &c.many {
                        all.extend(min.iter().chain(max));
                    }
                    all.extend(c.prompt.iter().flat_map(walk::hole_exprs));
                    self.judge_exprs(mine, &all, Guarded::Choice);
                    self.judge_exprs(None, &[p], Guarded::Asked);
                }
            });
        }
        match &s.kind {
            StmtKind::May(m) => self.judge_may(m.by.as_ref(), m.prompt.as_ref()),
            StmtKind::Offer(p, menus) => {
                self.judge_exprs(None, &[p], Guarded::Asked);
                for (menu, args) in menus {
                    self.hand_over_args(Receiver::Menu(*menu), flow::path(p), args);
                }
            }
            // The log tells everybody to whom it is shown.
            StmtKind::Show(_, Some(to)) => self.judge_exprs(None, &[to], Guarded::Shown),
            StmtKind::As(_, p, _) if inner_asks => self.judge_exprs(None, &[p], Guarded::Asked),
            StmtKind::Everyone(e) if inner_asks => {
                let all: Vec<&Expr> = std::iter::once(&e.who).chain(&e.from).chain(&e.until).collect();
                self.judge_exprs(None, &all, Guarded::Asked);
            }
            _ => {}
        }
    }

    /// Judges how often a statement draws chance, and for whom.
    fn judge_lots(&mut self, s: &'a Stmt, es: &[&'a Expr], inner_draws: bool) {
        for e in es {
            walk::visit_exprs(e, &mut |e| {
                if let ExprKind::Choose(c) = &*e.kind
                    && let (Many::Subset { min, .. }, Chooser::Chance) = (&c.many, &c.by)
                {
                    self.judge_exprs(None, &min.iter().collect::<Vec<_>>(), Guarded::Asked);
                }
            });
        }
        match &s.kind {
            StmtKind::Roll(x) | StmtKind::Show(x, _) | StmtKind::Flip(x, _) => {
                self.judge_exprs(None, &[x], Guarded::Asked);
            }
            // Who gets a thing out of the box learns its face, or has known it since before it went there.
            StmtKind::Move(m) => {
                let mut look = self.look_as(None);
                look.look_at(&m.what);
                look.reads.retain(|r| matches!(r.lies, Lies::Boxed(_)));
                self.judge.report_look(&mut look, Guarded::Asked);
            }
            StmtKind::As(_, p, _) if inner_draws => self.judge_exprs(None, &[p], Guarded::Asked),
            StmtKind::For(_, over, _) if inner_draws => self.judge_exprs(None, &[over], Guarded::Asked),
            StmtKind::Everyone(e) if inner_draws => {
                let all: Vec<&Expr> = std::iter::once(&e.who).chain(&e.from).chain(&e.until).collect();
                self.judge_exprs(None, &all, Guarded::Asked);
            }
            _ => {}
        }
    }

    /// Judges the question of a `may`.
    fn judge_may(&mut self, by: Option<&'a Expr>, prompt: Option<&'a Text>) {
        if self.judge.asking.of == Of::Lots {
            return;
        }
        let mine = by.map_or_else(|| self.me.map(path_of_local), flow::path);
        let prompt: Vec<&Expr> = prompt.into_iter().flat_map(walk::hole_exprs).collect();
        self.judge_exprs(mine, &prompt, Guarded::Choice);
        self.judge_exprs(None, &by.into_iter().collect::<Vec<_>>(), Guarded::Asked);
    }

    /// Arguments by which a question is worked out where they are handed to; `me` acts there.
    fn hand_over_args(&mut self, to: Receiver, me: Option<String>, args: &'a [Expr]) {
        for h in self.judge.handed.get(&to).cloned().unwrap_or_default() {
            let Some(arg) = args.get(h.param) else { continue };
            let mine = match h.who {
                Who::Acting => me.clone(),
                Who::Param(i) => args.get(i).and_then(flow::path),
                Who::Somebody => None,
            };
            let mut look = self.look_as(mine.clone());
            let lies = look.read(arg);
            if let Some(what) = h.what {
                let lies = match lies {
                    Lies::Down(_) if h.up => Lies::Open,
                    Lies::Given(i, up) => Lies::Given(i, up || h.up),
                    lies => lies,
                };
                look.note_leak(lies, arg.span, what);
                if let (Receiver::Rule(r), Some(read)) = (to, look.reads.last_mut()) {
                    let name = self.judge.calls.model.rules.get(r.index()).map(|r| r.name.clone());
                    read.inside = read.inside.take().or(name);
                }
            }
            self.report_look_of(mine, look, h.sort);
        }
    }

    /// What a statement makes of names, and where it brings things.
    fn bind_names(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Let(l, e) | StmtKind::Assign(Lhs::Local(l), _, e) => {
                self.moved.remove(l);
                if is_kept(&e.ty) {
                    self.kept.insert(*l, Kept { bound: s.span, question: None });
                }
            }
            StmtKind::For(l, ..) => {
                self.moved.remove(l);
            }
            StmtKind::Attach(a) => self.judge_layer(a, s.span),
            _ => {
                if let Some((l, since)) = moved_thing(s, self.judge.calls.model) {
                    self.moved.insert(l, since);
                }
            }
        }
    }

    /// In a layer names stand for what they held when it began; what it does is judged here.
    fn judge_layer(&mut self, a: &'a Attachment, made: Span) {
        let mut used = Vec::new();
        walk::visit_attachment_exprs(a, &mut |e| {
            if let ExprKind::Local(l) = &*e.kind
                && l.0 < a.outer
            {
                used.push((*l, e.span));
            }
        });
        for (l, span) in used {
            self.judge_use(l, span, made);
        }
        let Some(b) = acting_block(a) else { return };
        let flow = self.judge.calls.join_flows(&self.flow, b);
        for h in &a.heads {
            let mut names = self.judge.names_of(a, h, false);
            names.extend(self.names.iter().copied());
            self.judge.judge_attachment(a, h, flow.clone(), names, self.to.clone());
        }
    }

    /// What is moved again in the next round is not where it was brought before.
    fn forget_moved(&mut self, bs: &[&'a Block]) {
        let model = self.judge.calls.model;
        for b in bs {
            walk::visit_stmts(b, &mut |s| {
                if let Some((l, _)) = moved_thing(s, model) {
                    self.moved.remove(&l);
                }
            });
        }
    }

    /// Names that are used behind a question.
    fn judge_uses(&mut self, e: &'a Expr) {
        let mut used = Vec::new();
        walk::visit_exprs(e, &mut |e| {
            if let ExprKind::Local(l) = &*e.kind
                && let Some(question) = self.kept.get(l).and_then(|k| k.question)
            {
                used.push((*l, e.span, question));
            }
        });
        for (l, span, question) in used {
            self.judge_use(l, span, question);
        }
    }

    fn judge_use(&mut self, l: LocalId, span: Span, question: Span) {
        let Some(kept) = self.kept.get(&l).copied() else { return };
        if let Some((_, Lies::Given(i, _))) = self.names.iter().find(|(n, _)| *n == l) {
            self.judge_kept_param(*i);
            return;
        }
        let look = self.look_at_name(l);
        self.report_kept_secret(&look, span, kept.bound, question);
    }

    fn look_at_name(&self, l: LocalId) -> Found {
        self.judge.calls.ask_node(Node::Name(self.frame_of(None), l), None)
    }

    /// A parameter is used behind a question.
    fn judge_kept_param(&mut self, param: usize) {
        for to in &self.to {
            if let Receiver::Rule(r) = to {
                self.judge.grown |= self.judge.keeping.insert((*r, param));
            }
        }
    }

    /// Secrets that are handed to a rule, which asks and uses them then.
    fn keep_over(&mut self, r: RuleId, args: &'a [Expr], call: Span) {
        for (i, arg) in args.iter().enumerate() {
            if !self.judge.keeping.contains(&(r, i)) {
                continue;
            }
            let mut look = self.look_as(None);
            look.look_at(arg);
            let bound = match &*arg.kind {
                ExprKind::Local(l) => self.kept.get(l).map(|k| k.bound),
                _ => None,
            };
            let found = look.into_found(Lies::Open);
            self.report_kept_secret(&found, arg.span, bound.unwrap_or(arg.span), call);
        }
    }

    /// A loop that asks goes through a set that is worked out from secrets.
    fn judge_loop(&mut self, over: &'a Expr, question: Span) {
        let mut look = self.look_as(None);
        look.look_at(over);
        let found = look.into_found(Lies::Open);
        self.report_kept_secret(&found, over.span, over.span, question);
    }

    fn report_kept_secret(&mut self, found: &Found, used: Span, bound: Span, question: Span) {
        found.given.iter().for_each(|i| self.judge_kept_param(*i));
        let hidden = found.reads.iter().find_map(|r| match r.lies {
            Lies::In(z) | Lies::Down(z) | Lies::Boxed(z) => Some((z, r.what.clone())),
            _ => None,
        });
        let (Some((zone, what)), Some(out)) = (hidden, &mut self.judge.out) else { return };
        if !self.judge.kept_told.insert(bound) {
            return;
        }
        let zone =
            self.judge.calls.model.zones.get(zone.index()).map(|z| z.name.to_string()).unwrap_or_default();
        out.push(
            Diagnostic::error(
                codes::SECRET_KEPT,
                used,
                format!("this was calculated from {what} of hidden things in `{zone}`, and it is still used after a question"),
            )
            .label("used after the question")
            .also(bound, "calculated here")
            .also(question, "the question is here")
            .help("calculate it again after the question, or keep the things themselves: `let c = …` tells nothing about their faces"),
        );
    }
}

/// Whether what has that type may hold a secret.
fn is_kept(ty: &Ty) -> bool {
    !matches!(ty, Ty::Place | Ty::Phase | Ty::Nothing | Ty::AnyOf(_) | Ty::Error | Ty::None | Ty::Bag(_))
}

/// What has happened to a thing since it got its name.
#[derive(Clone, Copy)]
enum Since<'a> {
    /// All have seen it.
    Shown,
    /// It was brought to that place.
    At(&'a Expr),
    /// This thing was turned up where it lies.
    Up(&'a Expr),
}

/// The name of a thing that a statement moves, turns up or shows.
fn moved_thing<'a>(s: &'a Stmt, model: &'a Model) -> Option<(LocalId, Since<'a>)> {
    let (what, since) = match &s.kind {
        StmtKind::Move(m) if m.face != Some(false) => (&m.what, Since::At(&m.to)),
        StmtKind::Show(x, None) => (x, Since::Shown),
        StmtKind::Flip(x, Some(true)) => (x, Since::Up(x)),
        StmtKind::Discard(x) => {
            let kind = types::kinds_of(&types::plain(&x.ty)).first().copied()?;
            let line = types::line_of(model, kind);
            let to = line.iter().find_map(|k| model.kinds.get(k.index())?.discards.last())?;
            (x, Since::At(&to.1.body))
        }
        _ => return None,
    };
    let ExprKind::Local(l) = &*what.kind else { return None };
    let known = !matches!(since, Since::At(to) if !matches!(&*to.kind, ExprKind::PlaceOf(..)));
    Some((*l, since)).filter(|_| known)
}
