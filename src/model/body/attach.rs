//! Reads attachments (`modify`, `before`, `after`, `instead of`, `forbid`): targets, patterns, limits, bodies.
use super::assign;
use super::build;
use super::codes;
use super::cx::{Cx, Me, Mode};
use super::hints;
use super::index::Thing;
use super::turn_events;
use super::types;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::Diagnostic;

/// Words of effects to which nothing can be attached.
const EFFECTS: [&str; 7] = ["move", "flip", "swap", "becomes", "say", "offer", "build"];

/// A parameter of what is attached to.
struct Slot {
    name: String,
    ty: Ty,
    /// What its name is the name of; none where it is built in.
    def: Option<Def>,
}

/// Reads an attachment; the reader knows `this` and `owner` if there is a carrier.
pub fn read_attachment(
    cx: &mut Cx<'_>,
    a: &ast::Attach,
    carrier: Option<Carrier>,
    scope: ScopeId,
) -> Option<Attachment> {
    let this_ty = match &carrier {
        Some(Carrier::Kind(k)) => Some(Ty::Of(*k)),
        Some(Carrier::Member(m)) => cx.model().members.get(m.index()).map(|m| Ty::Of(m.kind)),
        None => None,
    };
    let mut this = None;
    let mut owner = None;
    if let Some(ty) = this_ty {
        let component = types::kinds_of(&ty).iter().all(|k| types::is_component(cx.model(), *k));
        let t = cx.new_local("this", ty.clone(), a.span);
        cx.this = Some(build::local(t, ty, a.span));
        cx.member = if let Some(Carrier::Member(m)) = &carrier { Some(*m) } else { None };
        this = Some(t);
        if component {
            let o = cx.new_local("owner", types::player(), a.span);
            cx.owner = Some(build::local(o, types::player(), a.span));
            owner = Some(o);
        }
    }
    read(cx, a, Bearer::Carrier(carrier, this, owner), scope)
}

/// Reads an attachment in a layer of a rule: it knows the rule's names.
pub fn read_attachment_in_layer(cx: &mut Cx<'_>, a: &ast::Attach) -> Option<Attachment> {
    let outer = cx.locals.len() as u32;
    // In a layer `me` stays who made it, head and block.
    let maker = match cx.me {
        Me::Is(me) => Some(me),
        Me::Nobody(_) => None,
    };
    let mut a = cx.read_in_scope(|cx| read(cx, a, Bearer::Layer { maker }, ScopeId(0)))?;
    a.outer = outer.max(1);
    a.maker = maker.filter(|_| a.me.is_some());
    Some(a)
}

/// What has an attachment.
enum Bearer {
    /// A component, a space, a player; or the game, a variant, a scenario, a mod.
    Carrier(Option<Carrier>, Option<LocalId>, Option<LocalId>),
    /// A layer, with the local of who made it.
    Layer { maker: Option<LocalId> },
}

fn read(cx: &mut Cx<'_>, a: &ast::Attach, bearer: Bearer, scope: ScopeId) -> Option<Attachment> {
    let (carrier, this, owner, maker) = match bearer {
        Bearer::Carrier(carrier, this, owner) => (carrier, this, owner, None),
        Bearer::Layer { maker } => (None, None, None, maker),
    };
    let outer_me = cx.me.clone();
    let acts = !matches!(a.kind, ast::AttachKind::Modify(..));
    let me = if acts {
        let me = cx.new_local("me", types::player(), a.span);
        if maker.is_none() {
            cx.me = Me::Is(me);
        }
        Some(me)
    } else if this.is_some() || matches!(cx.me, Me::Nobody(_)) {
        cx.me =
            Me::Nobody("a modification has no acting player; `owner` is the player who holds the component");
        None
    } else {
        None
    };
    let outer_mode = std::mem::replace(&mut cx.mode, Mode::Pure("the first line of an attachment"));
    let mut heads = Vec::new();
    let mut shapes = Vec::new();
    for h in &a.heads {
        if let Some((head, slots)) = read_head(cx, h, acts, &heads) {
            heads.push(head);
            shapes.push(slots);
        }
    }
    let mut by = None;
    let mut during = Vec::new();
    let mut when = None;
    let mut limit = None;
    for l in &a.limits {
        match l {
            ast::Limit::By(e) => {
                if let ast::AttachKind::Modify(..) = a.kind {
                    let _ = cx.report_not_played(e.span, "`by` of a modification");
                }
                let e = cx.read_expr(e, Some(&types::player()));
                if by.is_some() {
                    cx.push(hints::report_said_twice(e.span, "by"));
                }
                let several = types::element(cx.model(), &types::plain(&e.ty)).is_some();
                let want = if several { types::set_of(types::player()) } else { types::player() };
                by = Some(cx.fit_to(e, &want, "the player who acts"));
            }
            ast::Limit::During(names) => during.extend(names.iter().filter_map(|n| cx.find_phase(n, &[]))),
            ast::Limit::When(e) => {
                let e = cx.read_cond(e, "the condition of an attachment");
                cx.learn(&e, true);
                when = Some(Cx::and_opt(when, e));
            }
            ast::Limit::Once(o) => {
                match a.kind {
                    ast::AttachKind::Modify(..) => drop(cx.report_not_played(a.span, "values modified once")),
                    ast::AttachKind::Forbid(_) => drop(cx.report_not_played(a.span, "`once` of a `forbid`")),
                    ast::AttachKind::Around { .. } => {}
                }
                if limit.is_some() {
                    cx.push(hints::report_said_twice(a.span, "once"));
                }
                o.per.iter().for_each(|n| cx.read_per(n, false));
                limit = Some(read_once(o));
            }
        }
    }
    let mut may = None;
    let names = cx.locals.len() as u32;
    let what = match &a.kind {
        ast::AttachKind::Modify(how, e) => {
            let ty = heads.iter().find_map(|h: &Head| match h.target {
                Target::Value(v) => cx.model().values.get(v.index()).map(|v| v.ty.clone()),
                _ => None,
            });
            let change = match how {
                ast::ModifyHow::Set => Change::Set,
                ast::ModifyHow::Add => Change::Add,
                ast::ModifyHow::Sub => Change::Sub,
                ast::ModifyHow::AtMost => Change::AtMost,
                ast::ModifyHow::AtLeast => Change::AtLeast,
            };
            let outer = std::mem::replace(&mut cx.usual, ty.clone());
            cx.mode = Mode::Pure("a modification");
            let e = match (&ty, change) {
                (None, _) => cx.read_expr(e, None),
                (Some(ty), Change::Set) => cx.check_held(e, ty, "the value to modify"),
                (Some(ty), Change::Add | Change::Sub) if types::element(cx.model(), ty).is_some() => {
                    let got = cx.read_expr(e, Some(ty));
                    if types::element(cx.model(), &got.ty).is_some() {
                        cx.fit_to(got, ty, "the change")
                    } else {
                        build::single(got)
                    }
                }
                (Some(_), _) => cx.read_number_of(e, "the change of a value"),
            };
            cx.usual = outer;
            if change != Change::Set
                && let Some(ty) = &ty
                && !matches!(types::plain(ty), Ty::Int(..) | Ty::Set(_) | Ty::List(_) | Ty::Error)
            {
                let is = cx.show(ty);
                let _ = cx.fail(
                    codes::WRONG_TARGET,
                    a.span,
                    format!("`+=` and `-=` change numbers and sets, but this value is {is}"),
                    "write `modify v = …`, in which `usual` is the value without this change",
                );
            }
            AttachKind::Modify(change, e)
        }
        ast::AttachKind::Around { when: around, may: asked, body } => {
            if let Some(m) = asked {
                let by = m.by.as_ref().map(|p| cx.read_as(p, &types::player(), "the asked player"));
                let prompt = m.prompt.as_ref().map(|t| cx.read_lenient_text(t));
                // A layer asks who made it, unless it says whom; else who is asked is `me` from here on.
                let by = match (by, maker) {
                    (None, Some(maker)) => Some(build::local(maker, types::player(), a.span)),
                    (by, _) => by,
                };
                may = Some((by, prompt));
                if let Some(me) = me {
                    cx.me = Me::Is(me);
                }
            }
            cx.mode = Mode::Effect;
            let outer = cx.within.clone();
            cx.within.layer = false;
            cx.within.gives = heads.iter().find_map(|h| match h.target {
                Target::Rule(r) => cx.model().rules.get(r.index()).map(|r| r.gives.clone()),
                _ => None,
            });
            cx.within.proceed = match around {
                ast::Around::Instead => Some(
                    shapes
                        .first()
                        .map(|s| s.iter().map(|s| (s.name.clone(), s.ty.clone(), s.def)).collect())
                        .unwrap_or_default(),
                ),
                _ => None,
            };
            let outer_names = std::mem::take(&mut cx.reassigned);
            assign::collect_assigned(body, &mut cx.reassigned);
            let block = cx.read_block(body);
            cx.reassigned = outer_names;
            cx.within = outer;
            match around {
                ast::Around::Before => AttachKind::Before(block),
                ast::Around::After => AttachKind::After(block),
                ast::Around::Instead => AttachKind::Instead(block),
            }
        }
        ast::AttachKind::Forbid(reason) => {
            AttachKind::Forbid(reason.as_ref().map(|t| cx.read_lenient_text(t)))
        }
    };
    cx.mode = outer_mode;
    cx.me = outer_me;
    if heads.is_empty() {
        return None;
    }
    Some(Attachment {
        carrier,
        locals: std::mem::take(&mut Vec::new()),
        this,
        owner,
        outer: 0,
        maker: None,
        me,
        names,
        heads,
        what,
        by,
        during,
        when,
        once: limit,
        may,
        span: a.span,
        scope,
    })
}

/// `once per scope`.
pub fn read_once(o: &ast::Once) -> Once {
    Once { per: o.per.as_ref().map(|n| n.text.as_str().into()) }
}

fn slots_of<T>(body: &Body<T>) -> Vec<Slot> {
    body.locals
        .iter()
        .take(body.params)
        .map(|l| Slot { name: l.name.to_string(), ty: l.ty.clone(), def: Some(Def::Local(l.span)) })
        .collect()
}

/// Reads a head: the target and its patterns.
fn read_head(cx: &mut Cx<'_>, h: &ast::Head, acts: bool, before: &[Head]) -> Option<(Head, Vec<Slot>)> {
    let (name, target, slots) = match h.path.as_slice() {
        [name] => {
            let (target, slots) = read_attach_target(cx, name, acts)?;
            (name, target, slots)
        }
        // A line of a score: `modify total.areas(p)`.
        [score, name] if !acts && cx.lines_of_score(&score.text).is_some() => {
            let line = cx.find_line(score, name)?;
            let slots = slots_of(&cx.model().values.get(line.index())?.body);
            (name, Target::Value(line), slots)
        }
        _ => {
            let _ = cx.report_not_played(h.span, "attachments to costs and clocks");
            return None;
        }
    };
    let pats: &[ast::Expr] = h.pats.as_deref().unwrap_or(&[]);
    if let Some(extra) = pats.get(slots.len()) {
        let takes = match slots.len() {
            0 => String::from("nothing"),
            _ => slots.iter().map(|s| format!("`{}`", s.name)).collect::<Vec<_>>().join(", "),
        };
        let _ = cx.fail(
            codes::TOO_MANY_PATTERNS,
            extra.span,
            format!("there are too many patterns: `{}` has {takes}", name.text),
            if slots.is_empty() {
                "leave the brackets out"
            } else {
                "write at most one pattern for each of them: a filter, or `any`"
            },
        );
        return None;
    }
    let mut patterns = Vec::new();
    for (i, s) in slots.iter().enumerate() {
        patterns.push(match pats.get(i) {
            None => Pattern::Any,
            Some(p) => read_pattern(cx, p, s, &slots, before),
        });
    }
    Some((Head { target, patterns }, slots))
}

fn read_pattern(cx: &mut Cx<'_>, p: &ast::Expr, slot: &Slot, slots: &[Slot], before: &[Head]) -> Pattern {
    if matches!(&*p.kind, ast::ExprKind::Any) {
        return Pattern::Any;
    }
    if let ast::ExprKind::Name(n) = &*p.kind
        && let Some(named) = slots.iter().find(|s| s.name == n.text)
    {
        let ty = slot.ty.clone();
        // The same name in several heads is one name: whichever of them it is that happens.
        let same = |l: &LocalId| {
            cx.locals.get(l.index()).is_some_and(|old| *old.name == *n.text && old.ty == slot.ty)
        };
        let bound = before.iter().flat_map(|h| &h.patterns).find_map(|p| match p {
            Pattern::Bind(l) if same(l) => Some(*l),
            _ => None,
        });
        if let Some(l) = bound {
            cx.note_local(n.span, l);
            return Pattern::Bind(l);
        }
        let l = cx.new_local(&n.text, ty, n.span);
        let built_in = Def::Local(Default::default());
        named.def.filter(|d| *d != built_in).into_iter().for_each(|d| cx.ix.notes.note_same(n.span, d));
        cx.call_it(&n.text, l);
        return Pattern::Bind(l);
    }
    let ty = slot.ty.clone();
    let it = cx.new_local("it", ty.clone(), p.span);
    let cand = build::local(it, types::plain(&ty), p.span);
    let whole = build::local(it, ty, p.span);
    let found = cx.out.findings.len();
    let test = if types::is_maybe(&whole.ty) {
        cx.is_filter(p, &whole, p.span)
    } else {
        cx.read_candidate_filter(p, cand)
    };
    if let ast::ExprKind::Name(n) = &*p.kind
        && let Some(d) = cx.out.findings.get_mut(found..).and_then(|new| new.first_mut())
        && d.code == codes::NO_NAME
        && d.at.span == n.span
    {
        let names: Vec<String> = slots.iter().map(|s| format!("`{}`", s.name)).collect();
        d.help = Some(format!("a pattern is a parameter's own name ({}) or a filter", names.join(", ")));
        d.fix = None;
        // What follows may use the name: one finding is enough.
        let l = cx.new_local(&n.text, Ty::Error, n.span);
        cx.call_it(&n.text, l);
    }
    Pattern::Test(it, test)
}

fn read_attach_target(cx: &mut Cx<'_>, name: &ast::Name, acts: bool) -> Option<(Target, Vec<Slot>)> {
    let model = cx.model();
    let word = name.text.as_str();
    // A rule or value of a kind has one more parameter, first: the component.
    let things = cx.ix.things(word).to_vec();
    let mut found: Vec<(Target, Vec<Slot>)> = Vec::new();
    for t in things {
        match t {
            Thing::Value(v) if matches!(model.values.get(v.index())?.role, ValueRole::Ranking(_)) => {
                let d = Diagnostic::error(
                    codes::WRONG_TARGET,
                    name.span,
                    format!("`{word}` is a ranking, and only its lines can be modified"),
                );
                cx.push(d.help(format!(
                    "write `modify {word}.LINE(…)`, or add a line: `ranking {word}(…) {{ … }}`"
                )));
                return None;
            }
            Thing::Value(v) => found.push((Target::Value(v), slots_of(&model.values.get(v.index())?.body))),
            Thing::Rule(r) => found.push((Target::Rule(r), slots_of(&model.rules.get(r.index())?.body))),
            Thing::Action(a) => {
                let a_decl = model.actions.get(a.index())?;
                let mut slots: Vec<Slot> = a_decl
                    .params
                    .iter()
                    .filter_map(|p| a_decl.locals.get(p.local.index()))
                    .map(|l| Slot {
                        name: l.name.to_string(),
                        ty: l.ty.clone(),
                        def: Some(Def::Local(l.span)),
                    })
                    .collect();
                // The component that carries it is called like its kind.
                let carrier = match &a_decl.carrier {
                    Some(Carrier::Kind(k)) => Some(*k),
                    Some(Carrier::Member(m)) => model.members.get(m.index()).map(|m| m.kind),
                    None => None,
                };
                if let (Some(k), Some(first)) = (carrier, slots.first_mut()) {
                    first.def = Some(Def::Kind(k));
                }
                found.push((Target::Action(a), slots));
            }
            Thing::Menu(m) => found.push((Target::Menu(m), Vec::new())),
            _ => {}
        }
    }
    for (i, v) in model.values.iter().enumerate() {
        if v.of.is_some() && *v.name == *word && !matches!(v.role, ValueRole::Patch) {
            found.push((Target::Value(ValueId(i as u32)), with_component_slot(cx, slots_of(&v.body), v.of)));
        }
    }
    for (i, r) in model.rules.iter().enumerate() {
        if r.of.is_some() && *r.name == *word {
            found.push((Target::Rule(RuleId(i as u32)), with_component_slot(cx, slots_of(&r.body), r.of)));
        }
    }
    let fits = |t: &Target| matches!(t, Target::Value(_)) != acts;
    let all = found.len();
    if let Some(i) = found.iter().position(|(t, _)| fits(t)) {
        let found = found.swap_remove(i);
        match found.0 {
            Target::Value(v) => cx.note(name.span, Def::Value(v)),
            Target::Rule(r) => cx.note(name.span, Def::Rule(r)),
            Target::Action(a) => cx.note(name.span, Def::Action(a)),
            Target::Menu(m) => cx.note(name.span, Def::Menu(m)),
            Target::Setup | Target::Effect(_) => {}
        }
        return Some(found);
    }
    if acts {
        let any_component = || {
            let kinds = cx.ix.component_kinds();
            Slot { name: String::from("thing"), ty: types::any_of(kinds), def: None }
        };
        match word {
            "setup" => return Some((Target::Setup, Vec::new())),
            "discard" => return Some((Target::Effect(EffectWord::Discard), vec![any_component()])),
            "roll" => return Some((Target::Effect(EffectWord::Roll), vec![any_component()])),
            "shuffle" => {
                return Some((
                    Target::Effect(EffectWord::Shuffle),
                    vec![Slot { name: String::from("zone"), ty: Ty::Place, def: None }],
                ));
            }
            _ => {}
        }
        if let Some(target) = turn_events::named_by(word) {
            return Some((target, Vec::new()));
        }
    }
    if all > 0 || !cx.ix.things(word).is_empty() {
        let (what, help) = if acts {
            ("a value", "write `modify` to change a value")
        } else {
            (
                "not a value",
                "rules, phases, actions and menus have `before`, `after`, `instead of` and `forbid`",
            )
        };
        let sort = cx.ix.things(word).first().map_or(what, |t| t.sort(model));
        let verb = if acts {
            "`before`, `after`, `instead of` and `forbid` cannot act around"
        } else {
            "`modify` cannot change"
        };
        let d = Diagnostic::error(codes::WRONG_TARGET, name.span, format!("{verb} `{word}`: it is {sort}"))
            .help(help);
        cx.push(d);
        return None;
    }
    let mut words: Vec<String> = if acts {
        let all = cx.ix.words(|t| matches!(t, Thing::Rule(_) | Thing::Action(_) | Thing::Menu(_)));
        all.into_iter()
            .map(str::to_string)
            .chain(["setup", "discard", "roll", "shuffle", "turn", "round"].map(String::from))
            .collect()
    } else {
        cx.ix.words(|t| matches!(t, Thing::Value(_))).into_iter().map(str::to_string).collect()
    };
    if acts {
        words.extend(model.rules.iter().filter(|r| r.of.is_some()).map(|r| r.name.to_string()));
    } else {
        words.extend(model.values.iter().filter(|v| v.of.is_some()).map(|v| v.name.to_string()));
    }
    let what = if acts { "there is no rule, phase, action or menu" } else { "there is no value" };
    let effects = "attachments act around `discard`, `roll`, `shuffle`, `setup`, `turn`, `round`, and your own rules, phases, actions and menus";
    let hint = match (acts, words.as_slice()) {
        (true, _) if EFFECTS.contains(&word) => Some(effects.to_string()),
        // Only `team`, which is built in.
        (false, [_]) => Some(format!("declare it first: `value {word}(…): int = …`")),
        _ => None,
    };
    let _ = cx.report_unknown_or(codes::NO_TARGET, name, format!("{what} `{word}`"), words, hint);
    None
}

/// The parameters of something of a kind: the component is called as the kind, in small letters.
fn with_component_slot(cx: &Cx<'_>, mut slots: Vec<Slot>, k: Option<KindId>) -> Vec<Slot> {
    if let (Some(first), Some(k)) = (slots.first_mut(), k) {
        first.name = types::name(cx.model(), k).to_lowercase();
        first.def = Some(Def::Kind(k));
    }
    slots
}
