//! Generates random expressions of a wanted type. Each can be evaluated: it tests for none before it uses a value, and divides by no zero.
use super::Feature;
use super::tree::{Node, Ty};
use super::world::{Generator, Holder, MapShape, SeenBy, Zone};

/// What can be spoken of where an expression stands.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Names with their types: bound ones, and paths that are known not to be none.
    pub locals: Vec<(String, Ty)>,
    /// Whether there is a `me`.
    pub me: bool,
    /// Whether it is worked out for `me` alone, who may look at hidden things of its own.
    pub alone: bool,
    /// How many more folds may stand in one another.
    pub folds: usize,
    /// What the candidate of the innermost filter is.
    pub it: Option<Ty>,
    /// Whether it is worked out once for each of several things.
    pub looped: bool,
    /// What `can` may ask for.
    pub can: Can,
    /// Whether it may be asked who sees what.
    pub sees: bool,
    /// Whether statements do nothing that cannot be tried: no chance, no questions, nothing hidden.
    pub tame: bool,
}

/// What `can` may ask for: nothing that asks for it in turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Default)]
pub enum Can {
    /// Nothing.
    #[default]
    Nothing,
    /// Rules, costs and the menu `side`.
    Side,
    /// The menu `main`, too.
    Main,
}

impl Scope {
    /// With one name more.
    pub fn with_name(&self, name: &str, ty: Ty) -> Scope {
        let mut out = self.clone();
        out.locals.push((name.to_string(), ty));
        out
    }

    /// Inside a filter of such things.
    pub fn with_candidate(&self, ty: &Ty) -> Scope {
        let mut out = self.clone();
        out.locals.retain(|(text, _)| text != "it" && !text.starts_with("it."));
        out.locals.push(("it".into(), ty.clone()));
        out.it = Some(ty.clone());
        out.looped = true;
        out.folds = out.folds.saturating_sub(1);
        out
    }
}

pub(super) fn make_leaf(ty: &Ty, text: impl AsRef<str>) -> Node {
    Node::expr(ty.clone(), &text.as_ref().replace('%', ""), Vec::new())
}

impl Generator {
    /// An expression of that type, at most so deep.
    pub fn make_expr(&mut self, ty: &Ty, cx: &Scope, deep: usize) -> Node {
        if *ty == Ty::Bool
            && self.draw.draw_percent(10)
            && let Some(asked) = self.make_game_query(cx)
        {
            return asked;
        }
        if deep > 0
            && self.draw.draw_percent(12)
            && let Some(call) = self.make_call(ty, cx, deep)
        {
            return call;
        }
        if deep > 0 && self.draw.draw_percent(6) && !matches!(ty, Ty::Set(_) | Ty::List(_)) {
            return self.make_conditional(ty, cx, deep);
        }
        if deep > 0
            && self.draw.draw_percent(5)
            && let Some((path, of)) = self.pick_maybe_path(cx)
            && !matches!(ty, Ty::Set(_) | Ty::List(_) | Ty::Maybe(_))
        {
            let then = self.make_expr(ty, &cx.with_name(&path, of), deep - 1);
            let other = self.make_expr(ty, cx, deep - 1);
            return Node::expr(ty.clone(), &format!("(if {path} is some then % else %)"), vec![then, other]);
        }
        match ty {
            Ty::Int => self.make_int(cx, deep),
            Ty::Bool => self.make_truth(cx, deep),
            Ty::Player => self.make_player(cx, deep),
            Ty::Space => self.make_space(cx, deep),
            Ty::Way => {
                let ways = self.directions();
                let locals = self.list_paths(cx, ty);
                let way = match self.draw.draw_one(&locals) {
                    Some(l) if self.draw.draw_percent(60) => make_leaf(ty, l),
                    _ => make_leaf(ty, self.draw.draw_one(ways).unwrap_or("east")),
                };
                if self.draw.draw_percent(75) {
                    return way;
                }
                if self.draw.draw_percent(40) {
                    return Node::expr(ty.clone(), "opposite(%)", vec![way]);
                }
                let by = self.make_int(cx, 0);
                Node::expr(ty.clone(), "turn(%, %)", vec![way, by])
            }
            Ty::Word(e) => {
                let paths = self.list_paths(cx, ty);
                if let Some(p) = self.draw.draw_one(&paths).filter(|_| self.draw.draw_percent(70)) {
                    return make_leaf(ty, p);
                }
                let words = self.enums.get(*e).map(|e| e.1.clone()).unwrap_or_default();
                make_leaf(ty, self.draw.draw_one(&words).unwrap_or("red"))
            }
            Ty::Thing(_) => {
                let paths = self.list_paths(cx, ty);
                make_leaf(ty, self.draw.draw_one(&paths).unwrap_or_else(|| "nothing".into()))
            }
            Ty::Maybe(t) => self.make_maybe(t, cx, deep),
            Ty::Set(t) => self.make_set(t, cx, deep),
            Ty::List(t) => self.make_list(t, cx, deep),
        }
    }

    /// What is asked of the game itself: variants, phases, who can do what, who sees what.
    fn make_game_query(&mut self, cx: &Scope) -> Option<Node> {
        let ty = Ty::Bool;
        let mut forms: Vec<&str> = Vec::new();
        if self.variant.is_some() {
            forms.push("rich");
        }
        if self.phased {
            forms.extend(["phase is early", "early is running"]);
        }
        if cx.can != Can::Nothing && self.has_feature(Feature::Can) {
            forms.extend(["% can side", "nobody can side"]);
            if cx.me {
                forms.extend(["can r", "can r", "can pay"]);
            }
            // Who may act is seen by all, so that what its actions may look at must be, too.
            if cx.can == Can::Main && !self.kinds.iter().any(|k| k.hidden) {
                forms.push("% can main");
            }
        }
        if cx.sees && self.has_feature(Feature::Sees) && self.component_names(cx).next().is_some() {
            forms.push("sees");
        }
        let form = self.draw.draw_one(&forms)?;
        match form {
            "can r" => {
                let fits = self.rules.iter().filter(|r| r.params.iter().all(|p| self.can_make(p, cx)));
                let fits: Vec<_> = fits.cloned().collect();
                let rule = self.draw.draw_one(&fits)?;
                let args: Vec<Node> = rule.params.iter().map(|p| self.make_expr(p, cx, 0)).collect();
                let holes = vec!["%"; args.len()].join(", ");
                Some(Node::expr(ty, &format!("(can {}({holes}))", rule.name), args))
            }
            "can pay" => {
                let n = self.draw.draw_between(1, 3);
                Some(make_leaf(&ty, format!("(can pay {n} coins)")))
            }
            "sees" => {
                let things: Vec<String> = self.component_names(cx).collect();
                let t = self.draw.draw_one(&things)?;
                let p = self.make_player(cx, 0);
                Some(Node::expr(ty, &format!("sees(%, {t})"), vec![p]))
            }
            form if form.contains('%') => {
                let p = self.make_player(cx, 0);
                Some(Node::expr(ty, &format!("({form})"), vec![p]))
            }
            form => Some(make_leaf(&ty, format!("({form})"))),
        }
    }

    /// Names of components.
    fn component_names<'a>(&self, cx: &'a Scope) -> impl Iterator<Item = String> + 'a {
        cx.locals.iter().filter(|(_, t)| matches!(t, Ty::Thing(_))).map(|(n, _)| n.clone())
    }

    /// Whether an expression of the type can be made here at all.
    pub fn can_make(&self, ty: &Ty, cx: &Scope) -> bool {
        match ty {
            Ty::Space => self.map.is_some(),
            Ty::Way => self.has_directions(),
            Ty::Thing(_) => !self.list_paths(cx, ty).is_empty(),
            Ty::Maybe(t) => match &**t {
                Ty::Bool => false,
                Ty::Thing(k) => self.zones_with_things(*k, cx).next().is_some(),
                t => self.can_make(t, cx),
            },
            Ty::Set(t) | Ty::List(t) => match &**t {
                Ty::Thing(k) => !self.is_hidden(*k) || self.zones_with_things(*k, cx).next().is_some(),
                t => self.can_make(t, cx),
            },
            _ => true,
        }
    }

    pub(super) fn is_hidden(&self, k: usize) -> bool {
        self.kinds.get(k).is_some_and(|k| k.hidden)
    }

    /// Paths of exactly that type: names, attributes of names, attributes of the table.
    pub fn list_paths(&self, cx: &Scope, ty: &Ty) -> Vec<String> {
        let mut out: Vec<String> =
            cx.locals.iter().filter(|(_, t)| t == ty || self.is_sub(t, ty)).map(|(n, _)| n.clone()).collect();
        match ty {
            Ty::Player if cx.me => out.push("me".into()),
            Ty::Maybe(t) if **t == Ty::Player => out.push("turn".into()),
            Ty::Int => out.push("size".into()),
            _ => {}
        }
        for a in &self.attrs {
            if a.of == Holder::Table && a.ty == *ty {
                out.push(a.name.into());
            }
        }
        let mut of = |name: &str, base: &Ty| {
            for a in self.attrs_of(base) {
                if a.ty == *ty {
                    out.push(format!("{name}.{}", a.name));
                }
            }
            for z in self.zones_of(base) {
                if z.slot && *ty == Ty::Thing(z.kind).maybe() {
                    out.push(format!("{name}.{}", z.name));
                }
            }
            if let Ty::Thing(k) = base {
                let kind = self.kinds.get(*k);
                let hidden = kind.is_some_and(|k| k.hidden);
                match ty {
                    Ty::Maybe(t) if **t == Ty::Space && self.map.is_some() => out.push(format!("{name}.at")),
                    Ty::Maybe(t) if **t == Ty::Player && !hidden => out.push(format!("{name}.holder")),
                    Ty::Player if kind.is_some_and(|k| k.sets) => out.push(format!("{name}.owner")),
                    Ty::Int if kind.is_some_and(|k| k.die) => out.push(format!("{name}.value")),
                    Ty::Int if self.is_valued(*k) => out.push(format!("{name}.bonus")),
                    Ty::Bool if self.is_valued(*k) => out.push(format!("{name}.wide")),
                    _ => {}
                }
            }
        };
        for (name, base) in &cx.locals {
            of(name, base);
        }
        if cx.me {
            of("my", &Ty::Player);
        }
        if let Some(p) = self.players.last() {
            of(p, &Ty::Player);
        }
        out.retain(|p| p != "it.it");
        out
    }

    /// Whether things of a kind have the values `bonus` and `wide`, which may be read now.
    fn is_valued(&self, k: usize) -> bool {
        let card = self.kinds.iter().position(|k| k.name == "Card");
        self.own_values && card.is_some_and(|card| self.is_a(k, card))
    }

    fn is_sub(&self, t: &Ty, of: &Ty) -> bool {
        matches!((t, of), (Ty::Thing(a), Ty::Thing(b)) if self.is_a(*a, *b))
    }

    /// A path that may be none, with what it is if it is not.
    fn pick_maybe_path(&mut self, cx: &Scope) -> Option<(String, Ty)> {
        if cx.looped && !self.has_feature(Feature::GuardsInLoops) {
            return None;
        }
        let mut all = Vec::new();
        let mut tys = vec![Ty::Player, Ty::Space];
        tys.extend((0..self.enums.len()).map(Ty::Word));
        tys.extend((0..self.kinds.len()).map(Ty::Thing));
        for ty in tys {
            let paths = self.list_paths(cx, &ty.clone().maybe());
            all.extend(paths.into_iter().map(|p| (p, ty.clone())));
        }
        self.draw.draw_one(&all)
    }

    /// `if c then a else b` or a `case`.
    fn make_conditional(&mut self, ty: &Ty, cx: &Scope, deep: usize) -> Node {
        let (a, b) = (self.make_expr(ty, cx, deep - 1), self.make_expr(ty, cx, deep - 1));
        match self.draw.draw_below(4) {
            0 => {
                let n = self.make_expr(&Ty::Int, cx, deep - 1);
                let (lo, hi) = (self.draw.draw_between(0, 2), self.draw.draw_between(2, 5));
                let c = self.make_expr(ty, cx, deep - 1);
                Node::expr(
                    ty.clone(),
                    &format!("(case (%) {{ 0: %, {lo}..{hi}: %, else: % }})"),
                    vec![n, a, b, c],
                )
            }
            1 => {
                let e = self.draw.draw_below(self.enums.len());
                let word = self.make_expr(&Ty::Word(e), cx, 0);
                let words = self.enums.get(e).map(|e| e.1.clone()).unwrap_or_default();
                let first = words.first().copied().unwrap_or("red");
                if words.len() == 2 && self.draw.draw_percent(50) {
                    let second = words.get(1).copied().unwrap_or("red");
                    let pattern = format!("(case (%) {{ {first}: %, {second}: % }})");
                    return Node::expr(ty.clone(), &pattern, vec![word, a, b]);
                }
                Node::expr(ty.clone(), &format!("(case (%) {{ {first}: %, else: % }})"), vec![word, a, b])
            }
            _ => {
                let c = self.make_expr(&Ty::Bool, cx, deep - 1);
                Node::expr(ty.clone(), "(if % then % else %)", vec![c, a, b])
            }
        }
    }

    /// A call of a value of that type.
    fn make_call(&mut self, ty: &Ty, cx: &Scope, deep: usize) -> Option<Node> {
        let fits: Vec<_> = self
            .values
            .iter()
            .filter(|v| v.ty == *ty && v.folds <= cx.folds && v.params.iter().all(|p| self.can_make(p, cx)))
            .cloned()
            .collect();
        let v = self.draw.draw_one(&fits)?;
        let mut args: Vec<Node> = Vec::new();
        for p in &v.params {
            args.push(self.make_expr(p, cx, deep.saturating_sub(2)));
        }
        let holes = vec!["%"; args.len()].join(", ");
        let pattern = if args.is_empty() { v.name } else { format!("{}({holes})", v.name) };
        Some(Node::expr(ty.clone(), &pattern, args))
    }

    fn make_int(&mut self, cx: &Scope, deep: usize) -> Node {
        let ty = Ty::Int;
        if deep == 0 {
            let paths = self.list_paths(cx, &ty);
            return match self.draw.draw_one(&paths) {
                Some(p) if self.draw.draw_percent(70) => make_leaf(&ty, p),
                _ => make_leaf(&ty, self.draw.draw_between(0, 5).to_string()),
            };
        }
        let d = deep - 1;
        let fold = if cx.folds > 0 { 3 } else { 0 };
        match self.draw.draw_weighted(&[3, 2, 2, 1, 1, fold * 2, fold * 2, fold, 2, 2, 1, 1]) {
            0 => self.make_int(cx, 0),
            1 => {
                let (a, b) = (self.make_expr(&ty, cx, d), self.make_expr(&ty, cx, d));
                let op = self.draw.draw_one(&["+", "-"]).unwrap_or("+");
                Node::expr(ty, &format!("(% {op} %)"), vec![a, b])
            }
            2 => {
                let a = self.make_expr(&ty, cx, d);
                let k = self.draw.draw_between(2, 3);
                Node::expr(ty, &format!("(% * {k})"), vec![a])
            }
            3 => {
                let a = self.make_expr(&ty, cx, d);
                let by = ["/ (-2)", "/ 2", "/ 3", "mod 3", "mod 5", "mod (-4)", "mod size"];
                let by = self.draw.draw_one(&by).unwrap_or("/ 2");
                Node::expr(ty, &format!("(% {by})"), vec![a])
            }
            4 => {
                let a = self.make_expr(&ty, cx, d);
                Node::expr(ty, "(-%)", vec![a])
            }
            5 => {
                let (over, name, elem) = self.make_fold_source(cx, d);
                let inner = self.scope_of_fold(cx, &name, &elem);
                let body = self.make_expr(&ty, &inner, d);
                if self.draw.draw_percent(60) {
                    return Node::expr(ty, &format!("sum({name} in %: %)"), vec![over, body]);
                }
                let word = self.draw.draw_one(&["min", "max"]).unwrap_or("min");
                let none = self.make_expr(&ty, cx, 0);
                Node::expr(ty, &format!("({word}({name} in %: %) default %)"), vec![over, body, none])
            }
            6 => {
                let (over, name, elem) = self.make_fold_source(cx, d);
                let inner = self.scope_of_fold(cx, &name, &elem);
                if self.draw.draw_percent(50) {
                    let body = self.make_truth(&inner.with_candidate(&elem), d);
                    return Node::expr(ty, &format!("count({name} in % where %)"), vec![over, body]);
                }
                if elem == Ty::Int {
                    return Node::expr(ty, "count(%)", vec![over]);
                }
                let it = cx.with_candidate(&elem);
                let body = self.make_truth(&it, d);
                Node::expr(ty, "count(% where %)", vec![over, body])
            }
            7 => {
                // A fold over pairs, by folds in one another.
                let (over, name, elem) = self.make_fold_source(cx, d);
                let inner = self.scope_of_fold(cx, &name, &elem);
                let (over2, name2, elem2) = self.make_fold_source(&inner, d.saturating_sub(1));
                let inmost = self.scope_of_fold(&inner, &name2, &elem2);
                let body = self.make_truth(&inmost.with_candidate(&elem2), d);
                Node::expr(
                    ty,
                    &format!("sum({name} in %: count({name2} in % where %))"),
                    vec![over, over2, body],
                )
            }
            8 if self.has_ranks() && cx.folds > 1 && self.draw.draw_percent(25) => {
                let (name, x) = (self.make_name("k"), self.make_name("c"));
                let inner = cx.with_name(&x, Ty::Space);
                let c = self.make_truth(&Scope { folds: 0, looped: true, ..inner }, d);
                let kind = self.pick_rank();
                Node::expr(ty, &format!("count({name} in {kind} where any({x} in {name}: %))"), vec![c])
            }
            8 => {
                let (s, _) = self.make_any_set(cx, d);
                Node::expr(ty, "count(%)", vec![s])
            }
            9 if self.has_directions() && self.draw.draw_percent(25) => {
                let (a, b) = (self.make_space(cx, d), self.make_space(cx, d));
                let way = self.make_expr(&Ty::Way, cx, 0);
                match self.draw.draw_below(3) {
                    0 => Node::expr(ty, "%.row", vec![a]),
                    1 => Node::expr(ty, "%.column", vec![a]),
                    _ => Node::expr(ty, "angle((direction(%, %) default east), %)", vec![a, b, way]),
                }
            }
            9 if self.map.is_some() => {
                let (a, b) = (self.make_expr(&Ty::Space, cx, d), self.make_expr(&Ty::Space, cx, d));
                if self.draw.draw_percent(25) {
                    // In a cost, `it` is the space that is entered.
                    let spaces = self.space_names();
                    let c = make_leaf(&Ty::Space, self.draw.draw_one(&spaces).unwrap_or_default());
                    let text = "(distance(%, %, cost: if it == % then 3 else 1) default 9)";
                    return Node::expr(ty, text, vec![a, b, c]);
                }
                if self.draw.draw_percent(50) {
                    return Node::expr(ty, "(distance(%, %) default 9)", vec![a, b]);
                }
                let through = self.make_space_filter(cx, d);
                Node::expr(ty, "(distance(%, %, through: %) default 9)", vec![a, b, through])
            }
            10 if self.has_feature(Feature::ListOrder) => {
                let (list, elem) = self.make_any_list(cx, d);
                if !self.can_make(&elem, cx) {
                    return Node::expr(ty, "count(%)", vec![list]);
                }
                let x = self.make_expr(&elem, cx, d);
                Node::expr(ty, "(index(%, %) default 0)", vec![list, x])
            }
            11 => {
                let hidden: Vec<&Zone> = self.zones.iter().filter(|z| z.seen != SeenBy::All).collect();
                if self.draw.draw_percent(50) || hidden.is_empty() {
                    return make_leaf(&ty, if self.draw.draw_percent(50) { "round" } else { "turns" });
                }
                let p = self.make_player(cx, 0);
                if self.draw.draw_percent(50) {
                    make_leaf(&ty, "count(vault)")
                } else {
                    Node::expr(ty, "count(%.letters)", vec![p])
                }
            }
            _ => self.make_int(cx, 0),
        }
    }

    pub(super) fn make_truth(&mut self, cx: &Scope, deep: usize) -> Node {
        let ty = Ty::Bool;
        if deep == 0 {
            let paths = self.list_paths(cx, &ty);
            return match self.draw.draw_one(&paths) {
                Some(p) if self.draw.draw_percent(75) => self.make_bare_path(&ty, p, cx),
                _ => {
                    let a = self.make_int(cx, 0);
                    let k = self.draw.draw_between(0, 3);
                    Node::expr(ty, &format!("(% < {k})"), vec![a])
                }
            };
        }
        let d = deep - 1;
        let fold = if cx.folds > 0 { 3 } else { 0 };
        match self.draw.draw_weighted(&[3, 4, 5, 6, 3, 2, fold * 2, 2, 2, 1, 2]) {
            0 => self.make_truth(cx, 0),
            1 => {
                let a = self.make_expr(&ty, cx, d);
                Node::expr(ty, "(not %)", vec![a])
            }
            2 => {
                let (a, b) = (self.make_expr(&ty, cx, d), self.make_expr(&ty, cx, d));
                let op = self.draw.draw_one(&["and", "or"]).unwrap_or("and");
                Node::expr(ty, &format!("(% {op} %)"), vec![a, b])
            }
            3 => self.make_guarded(cx, d),
            4 => {
                let op = self.draw.draw_one(&["<", "<=", ">", ">=", "==", "!="]).unwrap_or("<");
                let (a, b) = (self.make_expr(&Ty::Int, cx, d), self.make_expr(&Ty::Int, cx, d.min(1)));
                Node::expr(ty, &format!("(% {op} %)"), vec![a, b])
            }
            5 => self.make_comparison(cx, d),
            6 => {
                let (over, name, elem) = self.make_fold_source(cx, d);
                let inner = self.scope_of_fold(cx, &name, &elem);
                let body = self.make_truth(&inner, d);
                let word = self.draw.draw_one(&["any", "every", "no"]).unwrap_or("any");
                if self.draw.draw_percent(30) {
                    let cond = self.make_truth(&inner.with_candidate(&elem), d);
                    return Node::expr(
                        ty,
                        &format!("{word}({name} in % where %: %)"),
                        vec![over, cond, body],
                    );
                }
                Node::expr(ty, &format!("{word}({name} in %: %)"), vec![over, body])
            }
            7 => {
                let (s, elem) = self.make_any_set(cx, d);
                if self.draw.draw_percent(40) || !self.can_make(&elem, cx) {
                    let not = if self.draw.draw_percent(50) { "not " } else { "" };
                    return Node::expr(ty, &format!("(% is {not}empty)"), vec![s]);
                }
                let x = self.make_expr(&elem, cx, d);
                let op = self.draw.draw_one(&["in", "in", "not in"]).unwrap_or("in");
                Node::expr(ty, &format!("(% {op} %)"), vec![x, s])
            }
            8 => self.is_what(cx),
            9 => {
                let a = self.make_expr(&Ty::Int, cx, d);
                Node::expr(ty, if self.draw.draw_percent(50) { "odd(%)" } else { "even(%)" }, vec![a])
            }
            10 if self.has_ranks() && cx.folds > 1 && self.draw.draw_percent(40) => {
                let (name, x) = (self.make_name("k"), self.make_name("c"));
                let inner = cx.with_name(&x, Ty::Space);
                let c = self.make_truth(&Scope { folds: 0, looped: true, ..inner }, d);
                let (word, kind) = (self.draw.draw_one(&["any", "every"]).unwrap_or("any"), self.pick_rank());
                Node::expr(ty, &format!("any({name} in {kind}: {word}({x} in {name}: %))"), vec![c])
            }
            10 if self.map.is_some_and(|m| m.0 != MapShape::Line)
                && cx.folds > 1
                && self.draw.draw_percent(30) =>
            {
                let (name, x) = (self.make_name("l"), self.make_name("c"));
                let inner = cx.with_name(&x, Ty::Space);
                let c = self.make_truth(&Scope { folds: 0, looped: true, ..inner }, d);
                let word = self.draw.draw_one(&["any", "every"]).unwrap_or("any");
                Node::expr(ty, &format!("any({name} in lines(2): {word}({x} in {name}: %))"), vec![c])
            }
            _ if self.map.is_some() && cx.folds > 0 => {
                let (a, b) =
                    (self.make_set(&Ty::Space, cx, d.min(1)), self.make_set(&Ty::Space, cx, d.min(1)));
                let through = self.make_space_filter(cx, d);
                Node::expr(ty, "joined(%, %, through: %)", vec![a, b, through])
            }
            _ => self.make_truth(cx, 0),
        }
    }

    /// Whether rows and columns are spoken of as things.
    pub fn has_ranks(&self) -> bool {
        self.has_feature(Feature::Ranks) && self.has_rows()
    }

    /// The kind of rows, or of columns.
    pub fn pick_rank(&mut self) -> &'static str {
        self.draw.draw_one(&["Row", "Column"]).unwrap_or("Row")
    }

    /// A condition with a guard before what needs it, in every order of `and`, `or` and `not`.
    fn make_guarded(&mut self, cx: &Scope, d: usize) -> Node {
        let ty = Ty::Bool;
        if self.draw.draw_percent(15) && (!cx.looped || self.has_feature(Feature::GuardsInLoops)) {
            // Division by what may be zero, behind a guard.
            let paths = self.list_paths(cx, &Ty::Int);
            if let Some(n) = self.draw.draw_one(&paths) {
                let k = self.draw.draw_between(2, 12);
                let b = self.make_expr(&ty, cx, d);
                // What else is asked of the same number could say that it is zero.
                let b = if b.to_text().contains(&n) { make_leaf(&ty, "no") } else { b };
                return match self.draw.draw_below(3) {
                    0 => Node::expr(ty, &format!("({n} == 0 or % or {k} / {n} > 2)"), vec![b]),
                    1 => Node::expr(ty, &format!("({n} != 0 and % and {k} / {n} > 2)"), vec![b]),
                    _ => Node::expr(ty, &format!("({n} > 0 and ({k} / {n} > 2 or %))"), vec![b]),
                };
            }
        }
        let Some((path, of)) = self.pick_maybe_path(cx) else { return self.make_truth(cx, d) };
        let inner = cx.with_name(&path, of);
        let a = self.make_expr(&ty, &inner, d);
        match self.draw.draw_below(8) {
            0 => Node::expr(ty, &format!("({path} is some and %)"), vec![a]),
            1 => Node::expr(ty, &format!("({path} is none or %)"), vec![a]),
            2 => Node::expr(ty, &format!("(not ({path} is none) and %)"), vec![a]),
            3 => Node::expr(ty, &format!("not ({path} is none or %)"), vec![a]),
            4 => {
                let b = self.make_expr(&ty, cx, d);
                Node::expr(ty, &format!("({path} is some and % and %)"), vec![b, a])
            }
            5 => {
                let b = self.make_expr(&ty, cx, d);
                Node::expr(ty, &format!("({path} is none or % or %)"), vec![b, a])
            }
            6 => {
                let (b, c) = (self.make_expr(&ty, cx, d), self.make_expr(&ty, &inner, d));
                Node::expr(ty, &format!("(% and {path} is some and (% or %))"), vec![b, a, c])
            }
            _ => {
                let (b, c) = (self.make_expr(&ty, cx, d), self.make_expr(&ty, &inner, d));
                Node::expr(ty, &format!("(% or {path} is none or (% and %))"), vec![b, a, c])
            }
        }
    }

    /// Two things compared.
    fn make_comparison(&mut self, cx: &Scope, d: usize) -> Node {
        let mut tys = vec![Ty::Player];
        if self.map.is_some() {
            tys.push(Ty::Space);
        }
        tys.extend((0..self.enums.len()).map(Ty::Word));
        for k in 0..self.kinds.len() {
            if self.can_make(&Ty::Thing(k), cx) {
                tys.push(Ty::Thing(k));
            }
        }
        let ty = self.draw.draw_one(&tys).unwrap_or(Ty::Player);
        let left = if self.draw.draw_percent(40) && self.can_make(&ty.clone().maybe(), cx) {
            ty.clone().maybe()
        } else {
            ty.clone()
        };
        let right = if self.draw.draw_percent(20) && self.can_make(&ty.clone().maybe(), cx) {
            ty.clone().maybe()
        } else {
            ty
        };
        let op = if matches!(right, Ty::Word(_)) && left == right && self.draw.draw_percent(30) {
            self.draw.draw_one(&["<", ">="]).unwrap_or("<")
        } else {
            self.draw.draw_one(&["==", "!="]).unwrap_or("==")
        };
        let (a, b) = (self.make_expr(&left, cx, d), self.make_expr(&right, cx, d.min(1)));
        Node::expr(Ty::Bool, &format!("(% {op} %)"), vec![a, b])
    }

    /// A name asked whether it is a face, of a kind, a word or none.
    fn is_what(&mut self, cx: &Scope) -> Node {
        let ty = Ty::Bool;
        let not = if self.draw.draw_percent(30) { "not " } else { "" };
        let things: Vec<(String, usize)> = cx
            .locals
            .iter()
            .filter_map(|(n, t)| if let Ty::Thing(k) = t { Some((n.clone(), *k)) } else { None })
            .collect();
        if let Some((name, k)) = self.draw.draw_one(&things).filter(|_| self.draw.draw_percent(60)) {
            let subs: Vec<usize> = (0..self.kinds.len()).filter(|s| *s != k && self.is_a(*s, k)).collect();
            if let Some(s) = self.draw.draw_one(&subs).filter(|_| self.draw.draw_percent(50)) {
                let sub = self.kinds.get(s).map_or("Card", |k| k.name);
                if self.draw.draw_percent(50) {
                    let inner = cx.with_name(&name, Ty::Thing(s));
                    let a = self.make_truth(&inner, 1);
                    return Node::expr(ty, &format!("({name} is {sub} and %)"), vec![a]);
                }
                return make_leaf(&ty, format!("({name} is {not}{sub})"));
            }
            let members = self.members_of(k);
            let (a, b) = (
                self.draw.draw_one(&members).unwrap_or("oak"),
                self.draw.draw_one(&members).unwrap_or("oak"),
            );
            return match self.draw.draw_below(3) {
                0 => make_leaf(&ty, format!("({name} is ({a} or {b}))")),
                _ => make_leaf(&ty, format!("({name} is {not}{a})")),
            };
        }
        let Some((path, of)) = self.pick_maybe_path(cx) else { return self.make_truth(cx, 0) };
        match of {
            Ty::Word(e) => {
                let words = self.enums.get(e).map(|e| e.1.clone()).unwrap_or_default();
                let w = self.draw.draw_one(&words).unwrap_or("red");
                make_leaf(&ty, format!("({path} is {not}{w})"))
            }
            _ => make_leaf(
                &ty,
                format!("({path} is {})", if self.draw.draw_percent(50) { "some" } else { "none" }),
            ),
        }
    }

    /// A path as it may be written in a filter: a bare name means the candidate's.
    fn make_bare_path(&mut self, ty: &Ty, path: String, cx: &Scope) -> Node {
        match path.strip_prefix("it.") {
            Some(name) if cx.it.is_some() && !name.contains('.') && self.draw.draw_percent(40) => {
                let own = ["at", "holder", "owner", "value", "up", "bonus", "wide"].contains(&name);
                make_leaf(ty, if own { path.as_str() } else { name })
            }
            _ => make_leaf(ty, path),
        }
    }

    pub fn make_player(&mut self, cx: &Scope, deep: usize) -> Node {
        let ty = Ty::Player;
        if deep == 0 || self.draw.draw_percent(50) {
            let mut paths = self.list_paths(cx, &ty);
            if self.draw.draw_percent(25) {
                paths.extend(self.players.iter().map(|p| p.to_string()));
            }
            let p = self.draw.draw_one(&paths).or_else(|| self.players.first().map(|p| p.to_string()));
            return make_leaf(&ty, p.unwrap_or_default());
        }
        let d = deep - 1;
        match self.draw.draw_below(4) {
            0 => {
                let p = self.make_expr(&ty, cx, d);
                let next = if self.players.len() == 2 { "opponent(%)" } else { "left(%)" };
                Node::expr(ty, next, vec![p])
            }
            1 => {
                let p = self.make_expr(&ty, cx, d);
                Node::expr(ty, "left(%)", vec![p])
            }
            _ => self.make_default(&ty, cx, d),
        }
    }

    /// What may be none, or else something.
    fn make_default(&mut self, ty: &Ty, cx: &Scope, d: usize) -> Node {
        let (a, b) = (self.make_expr(&ty.clone().maybe(), cx, d), self.make_expr(ty, cx, 0));
        Node::expr(ty.clone(), "(% default %)", vec![a, b])
    }

    pub fn make_space(&mut self, cx: &Scope, deep: usize) -> Node {
        let ty = Ty::Space;
        if deep == 0 || self.draw.draw_percent(40) {
            let paths = self.list_paths(cx, &ty);
            if let Some(p) = self.draw.draw_one(&paths).filter(|_| self.draw.draw_percent(80)) {
                return make_leaf(&ty, p);
            }
            let spaces = self.space_names();
            return make_leaf(&ty, self.draw.draw_one(&spaces).unwrap_or_default());
        }
        self.make_default(&ty, cx, deep - 1)
    }

    fn make_maybe(&mut self, of: &Ty, cx: &Scope, deep: usize) -> Node {
        let ty = of.clone().maybe();
        let paths = self.list_paths(cx, &ty);
        if let Some(p) = self.draw.draw_one(&paths).filter(|_| deep == 0 || self.draw.draw_percent(50)) {
            return make_leaf(&ty, p);
        }
        let d = deep.saturating_sub(1);
        match of {
            Ty::Int => {
                let (over, name, elem) = self.make_fold_source(cx, d);
                let inner = self.scope_of_fold(cx, &name, &elem);
                let body = self.make_expr(&Ty::Int, &inner, d.min(1));
                Node::expr(ty, &format!("max({name} in %: %)"), vec![over, body])
            }
            Ty::Space
                if self.draw.draw_percent(10)
                    && self.map.is_some_and(|m| {
                        matches!(m.0, MapShape::Squares | MapShape::Diagonal) && m.1 != m.2
                    }) =>
            {
                let c = self.make_space(cx, d.min(1));
                Node::expr(ty, "mirror(%)", vec![c])
            }
            Ty::Space if self.has_directions() && self.draw.draw_percent(40) => {
                let (c, way) = (self.make_space(cx, d.min(1)), self.make_expr(&Ty::Way, cx, 0));
                Node::expr(ty, "(% step %)", vec![c, way])
            }
            Ty::Word(_) | Ty::Way => {
                let x = self.make_set(of, cx, d);
                Node::expr(ty, "only(%)", vec![x])
            }
            _ => match self.draw.draw_below(5) {
                0 => {
                    let s = self.make_set(of, cx, d);
                    Node::expr(ty, "only(%)", vec![s])
                }
                1 if cx.folds > 0 => {
                    let s = self.make_set(of, cx, d.min(1));
                    let it = cx.with_candidate(of);
                    let p = self.make_truth(&it, d);
                    Node::expr(ty, "(first of % where %)", vec![s, p])
                }
                2 if self.has_feature(Feature::BeyondTheEnd) && self.has_feature(Feature::ListOrder) => {
                    let l = self.make_list(of, cx, d);
                    let n = self.draw.draw_between(1, 3);
                    if self.draw.draw_percent(30) {
                        let n = self.make_int(cx, 0);
                        // Lists are counted from 1: what is always 0, also by a guard before it, is refused.
                        if n.to_text().contains(char::is_alphabetic) {
                            return Node::expr(ty, "(%)[1 + %]", vec![l, n]);
                        }
                    }
                    Node::expr(ty, &format!("(%)[{n}]"), vec![l])
                }
                k => {
                    let l = self.make_list(of, cx, d);
                    Node::expr(ty, if k == 3 { "(first of %)" } else { "(last of %)" }, vec![l])
                }
            },
        }
    }
}
