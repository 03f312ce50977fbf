//! What stands around a rule or an action with given arguments: everything that is attached to it, in the order in which it acts, and of each whether it applies now, and if not, why not.
//! The reference interpreter judges it, which says of each condition by itself whether it holds.
use crate::laws::tables::{decode, decode_world, number_game, register_form};
use houserule_engine::{Look, value_text};
use houserule_model::body::{types, walk};
use houserule_model::hir::*;
use houserule_play::Match;
use houserule_play::setup::resolve_setup;
use houserule_program::ir::Show;
use houserule_reference::{Datum, Evaluator, InForce, Numbers, Result, Stop};
use houserule_text::Span;

/// What an attachment does, in the order in which attachments stand around a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// It forbids it.
    Forbid,
    /// It acts in its place; the newest stands outermost.
    Instead,
    /// It acts before.
    Before,
    /// The rule itself.
    Itself,
    /// It acts after.
    After,
}

/// A line of the answer.
#[derive(Clone, Debug)]
pub struct Around {
    /// What it does.
    pub part: Part,
    /// Where it stands.
    pub span: Span,
    /// What brings it: the card and its holder, a layer, or nothing for what the game itself says.
    pub carrier: Option<String>,
    /// Nothing if it applies; else why it does not.
    pub unless: Option<Unless>,
}

/// Why an attachment does not apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unless {
    /// Nothing that would bring it lies where it would be in force.
    NotInForce,
    /// Nobody holds what brings it.
    NoOwner,
    /// An argument does not pass this filter.
    Unfit(Span),
    /// This condition does not hold.
    Fails(Span),
    /// Somebody else would have to act.
    By(Span),
    /// None of these phases runs.
    During(Vec<String>),
    /// It has been done as often as it may.
    Used,
}

/// A rule or an action, by its name.
pub fn find_target(m: &Model, name: &str) -> Option<Target> {
    let rule = m.rules.iter().position(|r| &*r.name == name).map(|i| Target::Rule(RuleId(i as u32)));
    rule.or_else(|| {
        m.actions.iter().position(|a| &*a.name == name).map(|i| Target::Action(ActionId(i as u32)))
    })
}

/// How each argument of a rule or action is written, and whether it may be none. None: an argument is a set, a list or a place.
pub fn parameters(m: &Match, target: Target) -> Option<Vec<(Show, bool)>> {
    let model = m.game().model();
    let program = m.program().clone();
    let set = resolve_setup(model, m.setup()).ok()?;
    let numbers = number_game(model, &set, &program);
    let form = |l: &Local| {
        let (show, _) = register_form(&numbers, &l.ty).ok()?;
        matches!(show, Show::Number | Show::Truth | Show::Thing(_)).then_some((show, types::is_maybe(&l.ty)))
    };
    locals_of(model, target)?.into_iter().map(form).collect()
}

/// The parameters: of an action its own, without its menu's and the card that brings it.
fn locals_of(m: &Model, target: Target) -> Option<Vec<&Local>> {
    match target {
        Target::Rule(r) => {
            let rule = m.rules.get(r.index())?;
            Some(rule.body.locals.iter().take(rule.body.params).collect())
        }
        Target::Action(a) => {
            let action = m.actions.get(a.index())?;
            action.params.iter().map(|p| action.locals.get(p.local.index())).collect()
        }
        _ => None,
    }
}

/// What is attached to a rule or action, for these arguments (none for what is not there) and whoever acts, by seat.
///
/// # Errors
/// Why it cannot be said: the reference does not cover something that a condition uses.
pub fn explain_around(
    m: &mut Match,
    target: Target,
    args: &[Option<u64>],
    acts: Option<usize>,
) -> std::result::Result<Vec<Around>, String> {
    let game = m.game().clone();
    let model = game.model();
    let program = m.program().clone();
    let set = resolve_setup(model, m.setup()).map_err(|_| String::from("the set-up is refused"))?;
    let numbers = number_game(model, &set, &program);
    let shows = parameters(m, target).ok_or("an argument is a set, a list or a place")?;
    let told = |stop: Stop| match stop {
        Stop::Unsupported(what) => format!("the reference interpreter does not cover {what}"),
        other => format!("a condition fails: {other:?}"),
    };
    let world = decode_world(&numbers, m.machine().state()).map_err(told)?;
    let mut given = Vec::new();
    for (word, (show, _)) in args.iter().zip(&shows) {
        given.push(match word {
            Some(w) => decode(&numbers, &[*w], *show).map_err(told)?,
            None => Datum::None,
        });
    }
    let mut judge = Judge { e: Evaluator::new(&numbers, world), look: m.machine().look() };
    judge.e.me = acts.map_or(Datum::None, |p| Datum::Thing(0, p as u32));
    judge.list(&numbers, target, &given).map_err(told)
}

struct Judge<'a, 'l> {
    e: Evaluator<'a>,
    look: Look<'l>,
}

impl<'a> Judge<'a, '_> {
    fn list(&mut self, numbers: &'a Numbers<'a>, target: Target, args: &[Datum]) -> Result<Vec<Around>> {
        let mut out = Vec::new();
        let applies_to = |a: &Attachment| a.heads.iter().any(|h| h.target == target);
        for part in [Part::Forbid, Part::Instead, Part::Before, Part::After] {
            if part == Part::After {
                let span = match target {
                    Target::Action(a) => numbers.m.actions.get(a.index()).map(|a| a.span),
                    Target::Rule(r) => numbers.m.rules.get(r.index()).map(|r| r.span),
                    _ => None,
                };
                out.extend(span.map(|span| Around { part: Part::Itself, span, carrier: None, unless: None }));
            }
            let mut here = self.e.in_force(target, does(part))?;
            // Of those that replace it, the newest stands outermost.
            if part == Part::Instead {
                here.sort_by_key(|x| std::cmp::Reverse(x.age));
            }
            let brought: Vec<Span> = here.iter().map(|x| x.a.span).collect();
            for mut x in here {
                let carrier = self.carrier_text(&x)?;
                let unless = self.judge(&mut x, args)?;
                out.push(Around { part, span: x.a.span, carrier, unless });
            }
            let idle = numbers.m.attachments.iter().filter(|a| numbers.set.has(a.scope) && applies_to(a));
            for a in idle.filter(|a| does(part)(&a.what) && !brought.contains(&a.span)) {
                let carrier = a.carrier.as_ref().map(|c| carrier_name(numbers.m, c));
                out.push(Around { part, span: a.span, carrier, unless: Some(Unless::NotInForce) });
            }
        }
        Ok(out)
    }

    /// Why what is in force does not apply to these arguments. The order is that of the reference.
    fn judge(&mut self, x: &mut InForce<'a>, args: &[Datum]) -> Result<Option<Unless>> {
        let (a, names, head) = (x.a, &mut x.names, x.head);
        names.locals.extend(a.me.map(|l| (l, Ok(self.e.me.clone()))));
        for (p, arg) in head.patterns.iter().zip(&args[args.len().saturating_sub(head.patterns.len())..]) {
            if let Pattern::Bind(l) | Pattern::Test(l, _) = p {
                names.bind(*l, arg.clone());
            }
        }
        if let Some(owner) = a.owner {
            let mut asked = walk::pattern_conditions(head).into_iter().chain(&a.when);
            if asked.any(|e| houserule_reference::attach::needs_somebody(e, owner))
                && names.get(owner)? == Datum::None
            {
                return Ok(Some(Unless::NoOwner));
            }
        }
        for e in walk::pattern_conditions(head) {
            if !self.e.truth(e, names)? {
                return Ok(Some(Unless::Unfit(e.span)));
            }
        }
        if let Some(by) = &a.by
            && !self.e.many(by, names)?.contains(&self.e.me)
        {
            return Ok(Some(Unless::By(by.span)));
        }
        if !a.during.is_empty() && !a.during.iter().any(|r| self.e.w.phases.contains(r)) {
            let name = |r: &RuleId| self.e.m.rules.get(r.index()).map(|r| r.name.to_string());
            return Ok(Some(Unless::During(a.during.iter().filter_map(name).collect())));
        }
        if let Some(when) = &a.when
            && !self.e.truth(when, names)?
        {
            return Ok(Some(Unless::Fails(when.span)));
        }
        let thing = a.this.map_or(Ok(Datum::None), |l| names.get(l))?;
        let used = a.once.is_some() && a.outer == 0 && self.e.is_used(a.span, &thing)?;
        Ok(used.then_some(Unless::Used))
    }

    /// The card that brings an attachment, and who holds it.
    fn carrier_text(&self, x: &InForce<'a>) -> Result<Option<String>> {
        let name = |d: &Datum| match d {
            Datum::Thing(u, n) => {
                let show = Show::Thing(houserule_program::ir::UniverseId(*u));
                Some(value_text(self.look, show, &[u64::from(*n)], None, true))
            }
            _ => None,
        };
        let Some(this) = x.a.this else {
            return Ok((x.a.outer > 0).then(|| String::from("a layer")));
        };
        let card = name(&x.names.get(this)?).unwrap_or_default();
        let owner = x.a.owner.map(|l| x.names.get(l)).transpose()?.as_ref().and_then(name);
        Ok(Some(owner.map_or(card.clone(), |o| format!("{card} of {o}"))))
    }
}

fn does(part: Part) -> fn(&AttachKind) -> bool {
    match part {
        Part::Forbid => |k| matches!(k, AttachKind::Forbid(_)),
        Part::Instead => |k| matches!(k, AttachKind::Instead(_)),
        Part::Before => |k| matches!(k, AttachKind::Before(_)),
        Part::After => |k| matches!(k, AttachKind::After(_)),
        Part::Itself => |_| false,
    }
}

fn carrier_name(m: &Model, c: &Carrier) -> String {
    match c {
        Carrier::Member(x) => m.members.get(x.index()).map(|x| x.name.to_string()),
        Carrier::Kind(k) => m.kinds.get(k.index()).map(|k| k.name.to_string()),
    }
    .unwrap_or_default()
}
