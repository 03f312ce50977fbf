//! Reads the types of declarations.
use super::Declarer;
use crate::body::codes::NOT_HELD;
use crate::body::types::kinds_of;
use crate::body::{build, types};
use crate::codes;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// Something whose type is read when all kinds are known.
pub(crate) enum Waiting<'t> {
    /// The rule of a zone's `refill`, with the zone's index.
    Refill(RuleId, Option<&'t (ast::Name, ast::Type)>),
    Attr(AttrId, &'t ast::Type),
    Zone(ZoneId, &'t ast::ZoneDecl),
    Value(ValueId, Vec<&'t ast::Param>, &'t ast::Type),
    Rule(RuleId, &'t [ast::Param], Option<&'t ast::Type>, Option<&'t ast::Name>),
    Option(OptionId, &'t ast::Type),
    Hook(HookId, &'t [ast::Param], &'t ast::Type),
    Parent(KindId, &'t ast::Name),
    /// Parameters of a score or ranking.
    Lines(ValueId, &'t ast::LinesDecl),
    /// Parameters of one line, if it declares its own.
    Line(ValueId, ValueId, &'t ast::LinesDecl),
}

impl<'t> Declarer<'t> {
    /// Reads all types that wait.
    pub fn read_types(&mut self) {
        let waiting = std::mem::take(&mut self.typed);
        for w in &waiting {
            if let Waiting::Parent(k, name) = w {
                let parent = self.find_kind(name);
                self.model.kinds[k.index()].parent = parent;
                if self.is_cyclic(*k) {
                    self.model.kinds[k.index()].parent = None;
                    let message = format!(
                        "`{}` cannot be a `{}`, because that kind is already based on it",
                        self.model.kinds[k.index()].name,
                        name.text
                    );
                    let d = Diagnostic::error(codes::CYCLE, name.span, message);
                    self.report.push(d.help("leave out `is …` in one of the two"));
                }
            }
        }
        let paying = std::mem::take(&mut self.paying);
        for w in waiting {
            match w {
                Waiting::Parent(..) => {}
                Waiting::Attr(a, t) => {
                    let ty = self.read_attr_type(a, t);
                    let counts = matches!(ty, Ty::Int(..) | Ty::Bag(_) | Ty::Error);
                    if self.model.attrs[a.index()].clamped && !counts {
                        let d = Diagnostic::error(codes::MISPLACED, t.span, "only numbers are `clamped`");
                        self.report.push(d.help("leave out `clamped`"));
                    }
                    self.model.attrs[a.index()].ty = ty;
                }
                Waiting::Zone(z, d) => {
                    let ty = self.read_type(&d.ty);
                    self.check_zone_type(&ty, d);
                    self.model.zones[z.index()].holds = kinds_of(&ty);
                    let index = d.index.as_ref().map(|(_, t)| self.read_type(t));
                    self.model.zones[z.index()].index = index;
                }
                Waiting::Value(v, params, t) => {
                    let ty = self.read_type(t);
                    let locals = self.read_param_locals(params);
                    let value = &mut self.model.values[v.index()];
                    value.ty = ty;
                    value.body.locals.extend(locals);
                    value.body.params = value.body.locals.len();
                }
                Waiting::Lines(v, d) => self.set_score_param(v, d),
                Waiting::Line(line, of, d) => self.set_line_param(line, of, d),
                Waiting::Refill(r, index) => {
                    let index = index.map(|(n, t)| (n, self.read_type(t)));
                    let rule = &mut self.model.rules[r.index()];
                    let index = index.map(|(n, ty)| Local { name: n.text.as_str().into(), ty, span: n.span });
                    rule.body.locals.extend(index);
                    rule.body.params = rule.body.locals.len();
                    let (span, ty) = (rule.span, Ty::Of(builtin_kinds::PLAYER));
                    rule.me = LocalId(rule.body.locals.len() as u32);
                    rule.body.locals.push(Local { name: "me".into(), ty, span });
                }
                Waiting::Rule(r, params, t, by) => {
                    let gives = t.map_or(Ty::Nothing, |t| self.read_type(t));
                    let locals = self.read_param_locals(params.iter().collect());
                    let rule = &mut self.model.rules[r.index()];
                    rule.gives = gives;
                    rule.body.locals.extend(locals);
                    rule.body.params = rule.body.locals.len();
                    let named = by.and_then(|b| rule.body.locals.iter().position(|l| *l.name == *b.text));
                    if let (Some(b), Some(l)) = (by, named.and_then(|i| rule.body.locals.get(i))) {
                        self.notes.note(b.span, Def::Local(l.span));
                    }
                    rule.me = match named {
                        Some(i) => LocalId(i as u32),
                        None => {
                            let span = rule.span;
                            let ty = Ty::Of(builtin_kinds::PLAYER);
                            rule.body.locals.push(Local { name: "me".into(), ty, span });
                            LocalId(rule.body.locals.len() as u32 - 1)
                        }
                    };
                }
                Waiting::Option(o, t) => self.model.options[o.index()].ty = self.read_option_type(t),
                Waiting::Hook(h, params, t) => {
                    let ty = self.read_type(t);
                    let locals = self.read_param_locals(params.iter().collect());
                    let hook = &mut self.model.hooks[h.index()];
                    hook.ty = ty;
                    hook.params = locals;
                }
            }
        }
        for (rule, name) in paying {
            self.set_paying(rule, name);
        }
    }

    /// Whether a zone may hold such things: components, by their kind alone.
    fn check_zone_type(&mut self, ty: &Ty, d: &ast::ZoneDecl) {
        let holds = |ty: &Ty| {
            let kinds = kinds_of(ty);
            !kinds.is_empty() && kinds.iter().all(|k| types::is_component(&self.model, *k))
        };
        // Bags, and kinds that cannot lie together, are refused elsewhere.
        if matches!(ty, Ty::Error | Ty::Bag(_) | Ty::AnyOf(_)) || (holds(ty) && !matches!(ty, Ty::Maybe(_))) {
            return;
        }
        let alone = match ty {
            Ty::Maybe(of) | Ty::Set(of) | Ty::List(of) if holds(of) => Some(of),
            _ => None,
        };
        let help = match alone {
            Some(of) => {
                let names: Vec<_> = kinds_of(of).iter().map(|k| types::name(&self.model, *k)).collect();
                let of = names.join(" or ");
                let name = &d.name.text;
                let (word, many) =
                    if d.slot { ("slot", "at most one") } else { ("zone", "any number of them") };
                format!("name the kind alone: `{word} {name}: {of}` holds {many}, and may be empty")
            }
            None => String::from("what is no component is an attribute: `price: int`, `where: Space?`"),
        };
        let what = types::show(&self.model, ty);
        let word = if d.slot { "slot" } else { "zone" };
        let message = format!("a {word} holds cards, tokens, pieces or dice, not {what}");
        self.report.push(Diagnostic::error(NOT_HELD, d.ty.span, message).help(help));
    }

    /// The type of an attribute. Of a bag, the attributes are declared that say how many of each word it holds.
    fn read_attr_type(&mut self, a: AttrId, t: &'t ast::Type) -> Ty {
        let ast::TypeKind::Bag(inner) = &t.kind else { return self.read_type(t) };
        let attr = self.model.attrs[a.index()].clone();
        if attr.has_of.is_some() || attr.side == AttrSide::Side {
            self.report_not_played(t.span, "bags of a phase, of one member or of a side");
            return Ty::Error;
        }
        let of = match self.read_type(inner) {
            Ty::Error => return Ty::Error,
            Ty::Of(k) if self.model.kinds[k.index()].sort == KindSort::Enum => k,
            _ => {
                let message = "a bag counts the words of an enum";
                let d = Diagnostic::error(crate::body::codes::UNCLEAR_BAG, t.span, message);
                self.report.push(d.help("name an enum, as in `bag of Good`; for things, declare a `zone`"));
                return Ty::Error;
            }
        };
        for word in self.model.kinds[of.index()].members.clone() {
            let id = AttrId(self.model.attrs.len() as u32);
            let zero = build::expr(Ty::Int(0, 0), attr.span, ExprKind::Int(0));
            self.model.attrs.push(Attr {
                name: format!("{} {}", attr.name, self.model.members[word.index()].name).into(),
                ty: Ty::Int(0, crate::body::bags::MOST),
                default: Some(Body { locals: Vec::new(), params: 0, body: zero }),
                is_part: true,
                ..attr.clone()
            });
            if let Some(k) = attr.of {
                self.model.kinds[k.index()].attrs.push(id);
            }
            self.model.attrs[a.index()].parts.push(id);
        }
        Ty::Bag(Box::new(Ty::Of(of)))
    }

    /// `rule spend(g: Good, n: int) pays Good`: words of Good are paid through the rule.
    fn set_paying(&mut self, rule: RuleId, name: &ast::Name) {
        let Some(of) = self.find_kind(name) else { return };
        let (kinds, rules) = (&self.model.kinds, &self.model.rules);
        let r = &rules[rule.index()];
        let types: Vec<&Ty> = r.body.locals.iter().take(r.body.params).map(|l| &l.ty).collect();
        let fits = r.of.is_none()
            && r.gives == Ty::Nothing
            && matches!(types[..], [Ty::Of(k), Ty::Int(..)] if *k == of);
        let other = rules.iter().find(|r| r.pays == Some(of)).map(|r| r.span);
        let help = format!("write `rule {}(g: {}, n: int) pays {} {{ … }}`", r.name, name.text, name.text);
        let message = match other {
            _ if kinds[of.index()].sort != KindSort::Enum => {
                "only words of an enum are paid through a rule".into()
            }
            _ if !fits => format!("a rule that pays {} is given which of them, and how many", name.text),
            Some(_) => format!("{} is already paid through another rule", name.text),
            None => {
                self.model.rules[rule.index()].pays = Some(of);
                return;
            }
        };
        let d = Diagnostic::error(crate::body::codes::PAYS, name.span, message).help(help);
        self.report.push(match other {
            Some(at) => d.also(at, "declared here"),
            None => d,
        });
    }

    /// `Card or Token`: the components of both are of one family from now on, below a kind that nobody can name.
    fn join_families(&mut self, kinds: &[KindId], span: Span) {
        let mut roots: Vec<KindId> = Vec::new();
        for k in kinds {
            let line = crate::body::types::line_of(&self.model, *k);
            let apart = |k: &KindId| {
                let kind = &self.model.kinds[k.index()];
                kind.per_player
                    || !matches!(kind.sort, KindSort::Component(_))
                    || kind.sort == KindSort::Component(ComponentSort::Die)
            };
            let inside = (0..self.model.kinds.len()).map(|i| KindId(i as u32));
            let root = line.last().copied().unwrap_or(*k);
            if inside.filter(|x| crate::body::types::is_a(&self.model, *x, root)).any(|x| apart(&x)) {
                let name = self.model.kinds[k.index()].name.clone();
                let message = format!("`{name}` cannot be joined with another kind by `or`");
                let d = Diagnostic::error(crate::body::codes::APART, span, message);
                self.report.push(d.help("only cards, tokens and pieces that are not `of player` lie together: use a zone, a parameter or a question for each kind"));
                return;
            }
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        if roots.len() < 2 {
            return;
        }
        let names: Vec<&str> = kinds.iter().map(|k| &*self.model.kinds[k.index()].name).collect();
        let name: std::sync::Arc<str> = names.join(" or ").into();
        let above = KindId(self.model.kinds.len() as u32);
        let like = self.model.kinds[roots[0].index()].clone();
        self.model.kinds.push(Kind {
            title: name.clone(),
            name,
            parent: None,
            joined: true,
            members: Vec::new(),
            attrs: Vec::new(),
            zones: Vec::new(),
            copies: None,
            discards: Vec::new(),
            sides: Vec::new(),
            look: Vec::new(),
            doc: None,
            scope: ScopeId(0),
            ..like
        });
        for root in roots {
            self.model.kinds[root.index()].parent = Some(above);
        }
    }

    fn is_cyclic(&self, from: KindId) -> bool {
        let mut at = self.model.kinds[from.index()].parent;
        for _ in 0..=self.model.kinds.len() {
            match at {
                None => return false,
                Some(k) if k == from => return true,
                Some(k) => at = self.model.kinds[k.index()].parent,
            }
        }
        true
    }

    /// The type of an option, whose values must have words at set-up.
    fn read_option_type(&mut self, t: &ast::Type) -> Ty {
        let ty = self.read_type(t);
        let plain = if let Ty::Maybe(inner) = &ty { inner } else { &ty };
        let what = match plain {
            Ty::Bool | Ty::Int(..) | Ty::Face(_) | Ty::Error => return ty,
            Ty::Of(k) => match self.model.kinds.get(k.index()).map(|k| &k.sort) {
                Some(KindSort::Space(Some(map)) | KindSort::Lines(map, _))
                    if self.model.maps.get(map.index()).is_some_and(|m| m.size.is_none()) =>
                {
                    "a space of a map whose size is not written in numbers"
                }
                _ => return ty,
            },
            Ty::AnyOf(_) => "one of several kinds",
            Ty::Set(_) | Ty::List(_) | Ty::Bag(_) | Ty::Filter(_) => "a set",
            Ty::Text => "a text",
            Ty::Place => "a place",
            _ => "this",
        };
        let d = Diagnostic::error(codes::OPTION_TYPE, t.span, format!("an option cannot be {what}"));
        self.report.push(
            d.help("an option can be yes or no, a number, a word, a player, a space, a face, or a component"),
        );
        Ty::Error
    }

    /// Parameters of values, rules and hooks: plain types.
    pub fn read_param_locals(&mut self, params: Vec<&'t ast::Param>) -> Vec<Local> {
        let mut out = Vec::new();
        for p in params {
            if let Some(e) = &p.default {
                self.report_not_played(e.span, "parameters with a default");
            }
            let ty = match &p.kind {
                ast::ParamKind::Typed { ty, of, filter } => {
                    for e in [of, filter].into_iter().flatten() {
                        self.report_not_played(e.span, "conditions on parameters of values and rules");
                    }
                    self.read_type(ty)
                }
                ast::ParamKind::Choice { .. } => {
                    self.report_not_played(p.span, "choices as parameters of values and rules");
                    Ty::Error
                }
            };
            self.notes.note_bound(p.name.span, &p.name.text.as_str().into(), &ty);
            out.push(Local { name: p.name.text.as_str().into(), ty, span: p.name.span });
        }
        out
    }

    /// A type as written.
    pub fn read_type(&mut self, t: &ast::Type) -> Ty {
        use ast::TypeKind as K;
        match &t.kind {
            K::Named(n) => match n.text.as_str() {
                "int" => Ty::Int(i32::MIN + 1, i32::MAX),
                "bool" => Ty::Bool,
                "text" => Ty::Text,
                "place" => Ty::Place,
                "phase" => Ty::Phase,
                "player" => Ty::Of(builtin_kinds::PLAYER),
                "team" => Ty::Of(builtin_kinds::TEAM),
                _ => self.find_kind(n).map_or(Ty::Error, Ty::Of),
            },
            K::Range(a, b) => {
                let low = const_int(a);
                let high = b.as_ref().map_or(Some(i32::MAX), const_int);
                match (low, high) {
                    (Some(a), Some(b)) if a <= b => Ty::Int(a, b),
                    (Some(a), Some(b)) => {
                        let message = format!("the range {a}..{b} is empty");
                        let d = Diagnostic::error(codes::BAD_RANGE, t.span, message);
                        self.report.push(d.help(format!("write the lower number first: `{b}..{a}`")));
                        Ty::Error
                    }
                    _ => {
                        self.report.push(
                            Diagnostic::error(
                                codes::BAD_RANGE,
                                t.span,
                                "the bounds of a type must be written as numbers",
                            )
                            .help("write the widest range here, and check the rest with `needs`"),
                        );
                        Ty::Error
                    }
                }
            }
            K::Set(t) => Ty::Set(Box::new(self.read_type(t))),
            K::List(t) => Ty::List(Box::new(self.read_type(t))),
            K::Bag(_) => {
                self.report_not_played(t.span, "bags");
                Ty::Error
            }
            K::Filter(inner) => match self.read_type(inner) {
                Ty::Error => Ty::Error,
                Ty::Of(k) if matches!(self.model.kinds[k.index()].sort, KindSort::Component(_)) => {
                    Ty::Filter(k)
                }
                _ => {
                    let message = "a filter can only be of cards, tokens, pieces or dice";
                    let d = Diagnostic::error(crate::body::codes::WRONG_FORM, t.span, message);
                    self.report.push(d.help("use a set for other things: `set of Cell`"));
                    Ty::Error
                }
            },
            K::Face(inner) => {
                let inner = self.read_type(inner);
                let maybe = matches!(inner, Ty::Maybe(_));
                match if let Ty::Maybe(t) = inner { *t } else { inner } {
                    Ty::Error => Ty::Error,
                    Ty::Of(k) if matches!(self.model.kinds[k.index()].sort, KindSort::Component(_)) => {
                        if maybe {
                            Ty::Maybe(Box::new(Ty::Face(k)))
                        } else {
                            Ty::Face(k)
                        }
                    }
                    _ => self.report_not_a_type(t.span, "only cards, tokens, pieces and dice have faces"),
                }
            }
            K::Maybe(inner) => match self.read_type(inner) {
                Ty::Maybe(t) => Ty::Maybe(t),
                Ty::Error => Ty::Error,
                t => Ty::Maybe(Box::new(t)),
            },
            K::Or(types) => {
                let (mut kinds, mut maybe, mut several) = (Vec::new(), false, None);
                for (i, t) in types.iter().enumerate() {
                    let mut ty = self.read_type(t);
                    // `set of Card or Token`: a set of things of either kind.
                    if let (0, Ty::Set(of) | Ty::List(of)) = (i, &ty) {
                        let of = (**of).clone();
                        several = Some(std::mem::replace(&mut ty, of));
                    }
                    // `Card or Token?`: a thing of either kind, or none.
                    maybe = i + 1 == types.len() && several.is_none() && matches!(ty, Ty::Maybe(_));
                    match if maybe { crate::body::types::plain(&ty) } else { ty } {
                        Ty::Of(k) => kinds.push(k),
                        Ty::Error => return Ty::Error,
                        _ => {
                            return self.report_not_a_type(
                                t.span,
                                "`or` joins kinds of components: `Card or Token`",
                            );
                        }
                    }
                }
                self.join_families(&kinds, t.span);
                let any = crate::body::types::any_of(kinds);
                match several {
                    Some(Ty::List(_)) => Ty::List(Box::new(any)),
                    Some(_) => Ty::Set(Box::new(any)),
                    None if maybe => crate::body::types::maybe(any),
                    None => any,
                }
            }
        }
    }

    fn report_not_a_type(&mut self, span: Span, message: &str) -> Ty {
        let d = Diagnostic::error(crate::body::codes::WRONG_FORM, span, message);
        self.report
            .push(d.help("write the name of a kind alone, as in `c: Card`, `Colour?` or `set of Cell`"));
        Ty::Error
    }

    /// The kind of that name; an unknown one is reported with what may have been meant.
    pub fn find_kind(&mut self, n: &ast::Name) -> Option<KindId> {
        if let Some(k) = self.kinds.get(&n.text) {
            self.notes.note(n.span, Def::Kind(*k));
            return Some(*k);
        }
        let words = ["int", "bool", "text", "player"];
        let names = self.kinds.keys().map(String::as_str).chain(words);
        self.notes.note_could(n.span, names.clone().map(String::from).collect());
        let d = Diagnostic::error(codes::UNKNOWN_KIND, n.span, format!("there is no kind `{}`", n.text));
        self.report.push(crate::suggest::suggest_word(d, &n.text, names, "declare it first"));
        None
    }
}

/// A number written out, with a minus or without.
pub(crate) fn const_int(e: &ast::Expr) -> Option<i32> {
    match &*e.kind {
        ast::ExprKind::Int(n) => i32::try_from(*n).ok(),
        ast::ExprKind::Neg(e) => const_int(e).and_then(i32::checked_neg),
        _ => None,
    }
}
