//! Warns of declarations that nothing uses.
use super::walk;
use crate::codes;
use crate::hir::*;
use houserule_text::{Code, Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;

/// What is used somewhere.
#[derive(Default)]
struct Used {
    values: HashSet<ValueId>,
    rules: HashSet<RuleId>,
    menus: HashSet<MenuId>,
    attrs: HashSet<AttrId>,
    zones: HashSet<ZoneId>,
    hooks: HashSet<HookId>,
    options: HashSet<OptionId>,
}

impl Used {
    fn note_expr(&mut self, e: &Expr) {
        match &*e.kind {
            ExprKind::Value(v, _) => drop(self.values.insert(*v)),
            ExprKind::Rule(r, ..) | ExprKind::CanRule(r, ..) | ExprKind::Running(r) | ExprKind::Phase(r) => {
                self.rules.insert(*r);
            }
            ExprKind::CanMenu(_, m, _) => drop(self.menus.insert(*m)),
            ExprKind::Attr(_, a) | ExprKind::TableAttr(a) => drop(self.attrs.insert(*a)),
            ExprKind::Zone(_, z, _) | ExprKind::PlaceOf(_, z, _) => drop(self.zones.insert(*z)),
            ExprKind::Hook(h, _) => drop(self.hooks.insert(*h)),
            ExprKind::Option(o) => drop(self.options.insert(*o)),
            _ => {}
        }
    }

    fn note_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Call(r, ..) => drop(self.rules.insert(*r)),
            StmtKind::Offer(_, menus) => self.menus.extend(menus.iter().map(|(m, _)| *m)),
            StmtKind::CallHook(h, _) => drop(self.hooks.insert(*h)),
            _ => {}
        }
    }
}

/// Warns of every value, rule, menu, attribute, zone, option and hook that nothing uses.
pub fn warn_unused(model: &Model, out: &mut Report) {
    let mut used = Used::default();
    let mut stmts = Vec::new();
    walk::visit_game(model, &mut |e| used.note_expr(e), &mut |s| stmts.push(s));
    warn_unused_parameters(model, &stmts, out);
    for s in stmts {
        used.note_stmt(s);
    }
    match &model.outcome {
        Outcome::Highest(v) | Outcome::Lowest(v) | Outcome::Ranking(v) => drop(used.values.insert(*v)),
        Outcome::HighestAttr(a) | Outcome::LowestAttr(a) => drop(used.attrs.insert(*a)),
        Outcome::Win | Outcome::Together | Outcome::Each => {}
    }
    for t in &model.tests {
        note_starts(&t.steps, &mut used);
    }
    used.attrs.extend(model.zones.iter().filter_map(|z| z.sorted));
    let tell = |out: &mut Report, code: Code, span: Span, what: &str, name: &str, never: &str| {
        out.push(Diagnostic::warning(code, span, format!("{what} `{name}` is never {never}")));
    };
    for (i, v) in model.values.iter().enumerate() {
        let plain = matches!(v.role, ValueRole::Plain | ValueRole::Score(_) | ValueRole::Ranking(_));
        if plain && !used.values.contains(&ValueId(i as u32)) {
            tell(out, codes::UNUSED_VALUE, v.span, "the value", &v.name, "used");
        }
    }
    // A script sees the whole table, and may name rules to be called.
    let scripts = !model.hooks.is_empty();
    for (i, r) in model.rules.iter().enumerate() {
        if used.rules.contains(&RuleId(i as u32)) {
            continue;
        }
        // Where nobody calls a rule, nobody calls the one in its place.
        let r = model.rules.get(model.said_for(RuleId(i as u32)).index()).unwrap_or(r);
        if super::turn_events::is_turn_event(r) {
            let message = format!("this never happens: no {} begins in this game", r.name);
            out.push(
                Diagnostic::warning(codes::UNUSED_RULE, r.span, message)
                    .help("turns are those of `everyone in turn` and `everyone in any order`, rounds those of `round { … }`"),
            );
        } else if !scripts {
            tell(
                out,
                codes::UNUSED_RULE,
                r.span,
                if r.phase { "the phase" } else { "the rule" },
                &r.name,
                "called",
            );
        }
    }
    for (i, m) in model.menus.iter().enumerate() {
        if !used.menus.contains(&MenuId(i as u32)) {
            tell(out, codes::UNUSED_MENU, m.span, "the menu", &m.name, "offered");
        } else if m.actions.is_empty() {
            tell(out, codes::EMPTY_MENU, m.span, "the menu", &m.name, "given an action");
        }
    }
    for (i, a) in model.attrs.iter().enumerate() {
        // What is printed on a component may be there to be read by people.
        let printed = a.of.is_some_and(|k| super::types::is_component(model, k)) && !a.assigned;
        let read = |id: AttrId| used.attrs.contains(&id) || a.parts.iter().any(|p| used.attrs.contains(p));
        if !scripts && !printed && !a.is_part && !read(AttrId(i as u32)) {
            tell(out, codes::UNUSED_ATTR, a.span, "the attribute", &a.name, "read");
        }
    }
    for (i, z) in model.zones.iter().enumerate() {
        if !scripts && !used.zones.contains(&ZoneId(i as u32)) {
            tell(out, codes::UNUSED_ZONE, z.span, "the zone", &z.name, "used");
        }
    }
    let taken: Vec<&ScopeId> = model.scopes.iter().flat_map(|s| &s.with).flatten().collect();
    for (s, i) in model.scopes.iter().zip(0..).filter(|(s, _)| s.kind == ScopeKind::Part) {
        if !taken.contains(&&ScopeId(i)) {
            tell(out, codes::UNUSED_PART, s.span, "the part", &s.name, "part of a scenario");
        }
    }
    for (i, o) in model.options.iter().enumerate() {
        if !used.options.contains(&OptionId(i as u32)) {
            tell(out, codes::UNUSED_OPTION, o.span, "the option", &o.name, "read");
        }
    }
    for (i, h) in model.hooks.iter().enumerate() {
        if !used.hooks.contains(&HookId(i as u32)) {
            tell(out, codes::UNUSED_VALUE, h.span, "the hook", &h.name, "called");
        }
    }
}

/// Warns of every parameter of a value that neither the value nor a pattern of what modifies it looks at.
fn warn_unused_parameters(model: &Model, stmts: &[&Stmt], out: &mut Report) {
    let mut told: HashSet<(ValueId, usize)> = HashSet::default();
    let layers =
        stmts.iter().filter_map(|s| if let StmtKind::Attach(a) = &s.kind { Some(&**a) } else { None });
    for h in model.attachments.iter().chain(layers).flat_map(|a| &a.heads) {
        if let Target::Value(v) = h.target {
            let looks = |p: &Pattern| !matches!(p, Pattern::Any);
            told.extend(h.patterns.iter().enumerate().filter(|(_, p)| looks(p)).map(|(i, _)| (v, i)));
        }
    }
    for (i, v) in model.values.iter().enumerate() {
        let Some(body) = &v.body.body else { continue };
        let mut used: HashSet<LocalId> = HashSet::default();
        walk::visit_exprs(body, &mut |e| {
            if let ExprKind::Local(l) = &*e.kind {
                used.insert(*l);
            }
        });
        let params = v.body.locals.iter().take(v.body.params).enumerate();
        let used = |k: usize| used.contains(&LocalId(k as u32));
        // A value that looks at none of its parameters is there to be modified.
        if !(0..v.body.params).any(used) {
            continue;
        }
        for (_, l) in params.filter(|(k, _)| !used(*k) && !told.contains(&(ValueId(i as u32), *k))) {
            let named = l.name.chars().next().is_some_and(char::is_alphabetic);
            if named && !matches!(&*l.name, "it" | "me" | "this" | "owner") && l.ty != Ty::Error {
                let message = format!("the parameter `{}` is never used", l.name);
                out.push(Diagnostic::warning(crate::body::codes::UNUSED, l.span, message));
            }
        }
    }
}

fn note_starts(steps: &[TestStep], used: &mut Used) {
    for s in steps {
        match &s.kind {
            TestStepKind::StartAt(Start::Rule(r)) => drop(used.rules.insert(*r)),
            TestStepKind::For(_, _, b) | TestStepKind::Repeat(_, b) => note_starts(b, used),
            TestStepKind::If(_, a, b) => {
                note_starts(a, used);
                note_starts(b, used);
            }
            _ => {}
        }
    }
}

/// Whether findings of that code say that nothing uses something.
pub fn is_about_use(code: Code) -> bool {
    let unused = [
        codes::UNUSED_VALUE,
        codes::UNUSED_RULE,
        codes::UNUSED_MENU,
        codes::UNUSED_ATTR,
        codes::UNUSED_ZONE,
        codes::UNUSED_OPTION,
        codes::NO_END,
        crate::body::codes::UNUSED,
    ];
    unused.contains(&code)
}
