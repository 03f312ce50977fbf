//! Name resolution in bodies: what a word means where it stands, and what may stand behind a dot.
use super::build::{self, builtin, cond, expr};
use super::codes;
use super::cx::Cx;
use super::hints;
use super::index::{DIRECTIONS, OF_COMPONENTS, Part, Thing, WORDS};
use super::types;
use crate::hir::*;
use crate::suggest;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// What a name on a map stands for.
enum OnMap {
    Space(MapId, KindId, u32, u32),
    Outside(MapId),
    Column(KindId, u32),
}
use std::sync::Arc;

impl<'a> Cx<'a> {
    /// What a word stands for: a bound name, a part of the candidate or of the component it stands in, or something declared.
    pub fn read_name(&mut self, n: &ast::Name, want: Option<&Ty>) -> Expr {
        let span = n.span;
        if let Some(l) = self.find_local(&n.text) {
            return self.use_local(l, span);
        }
        if let Some(e) = self.read_cast_name(n) {
            return e;
        }
        if let Some(it) = self.its.last().cloned()
            && let Some(e) = self.read_word_of(&it, n, span)
        {
            self.count_use(&it);
            return e;
        }
        if let Some(this) = self.this.clone()
            && let Some(e) = self.read_word_of(&this, n, span)
        {
            self.count_use(&this);
            return e;
        }
        if let Some(a) = self.has_state(&n.text) {
            self.note(span, Def::Attr(a));
            return self.read_table_attr(a, span);
        }
        if let Some(e) = self.read_wanted_member(n, want) {
            return e;
        }
        if let Some(e) = self.read_declared(n, want) {
            return e;
        }
        if let Some(e) = self.read_on_map(n, want) {
            return e;
        }
        if let Some(e) = self.read_built_in_name(n) {
            return e;
        }
        self.report_no_such_name(n, want)
    }

    fn read_cast_name(&mut self, n: &ast::Name) -> Option<Expr> {
        let i = self.cast.iter().position(|c| *c == n.text)?;
        // The game's own player names stand for themselves.
        let own = self.ix.things(&n.text).iter().any(|t| matches!(t, Thing::Member(m) if self.is_player(*m)));
        if own {
            return None;
        }
        if let Some(e) = &self.model().answered {
            let at = e.span;
            let d = Diagnostic::error(
                codes::NO_NAME,
                n.span,
                format!("`{}` is a seat, and not the name of a player in this game", n.text),
            );
            let named: Vec<&str> = self.model().named_players().filter_map(|m| self.member_name(m)).collect();
            let help = format!("write a player of the game: {}", named.join(", "));
            self.push(d.also(at, "who answers for whom").help(help));
            return Some(build::error(n.span));
        }
        let all =
            expr(types::list_of(types::player()), n.span, ExprKind::Builtin(Builtin::Players, Vec::new()));
        if let Some(at) = self.cast_at.get(i) {
            self.note(n.span, Def::Local(*at));
        }
        Some(expr(types::player(), n.span, ExprKind::Nth(all, build::int(i as i32 + 1, n.span))))
    }

    fn is_player(&self, m: MemberId) -> bool {
        self.model().members.get(m.index()).is_some_and(|m| m.kind == builtin_kinds::PLAYER)
    }

    /// The attribute, zone, value or built-in of that name that the thing has, read of it.
    fn read_word_of(&mut self, base: &Expr, n: &ast::Name, span: Span) -> Option<Expr> {
        let ty = types::plain(&base.ty);
        if let Some(e) = self.read_own(base, n, span) {
            return Some(e);
        }
        if self.find_part(&ty, &n.text).is_some() {
            if let Some(Part::Rule(_)) = self.find_part(&ty, &n.text) {
                return None;
            }
            return Some(self.read_field_of(base.clone(), n, span));
        }
        let component = match &ty {
            Ty::Of(k) => types::is_component(self.model(), *k),
            Ty::AnyOf(_) => true,
            _ => false,
        };
        if component && OF_COMPONENTS.contains(&n.text.as_str()) && n.text != "owner" {
            return Some(self.read_field_of(base.clone(), n, span));
        }
        None
    }

    /// The `has` state of that name of the phase, member or menu that this stands in.
    fn has_state(&self, word: &str) -> Option<AttrId> {
        let at = self.model().attrs.iter().position(|a| {
            a.of.is_none() && *a.name == *word && a.has_of.is_some_and(|h| self.has.contains(&h))
        })?;
        Some(AttrId(at as u32))
    }

    fn read_table_attr(&self, a: AttrId, span: Span) -> Expr {
        let ty = self.model().attrs.get(a.index()).map_or(Ty::Error, |a| a.ty.clone());
        expr(ty, span, ExprKind::TableAttr(a))
    }

    /// The table's zone of that name.
    pub fn find_table_zone(&self, word: &str) -> Option<ZoneId> {
        self.ix.things(word).iter().find_map(|t| if let Thing::TableZone(z) = t { Some(*z) } else { None })
    }

    /// The kind in which a wanted type's words are looked for first.
    fn wanted_kind(want: Option<&Ty>) -> Option<(KindId, bool)> {
        match want? {
            Ty::Of(k) => Some((*k, false)),
            Ty::Face(k) => Some((*k, true)),
            Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) | Ty::Bag(t) => Self::wanted_kind(Some(t)),
            _ => None,
        }
    }

    fn read_wanted_member(&mut self, n: &ast::Name, want: Option<&Ty>) -> Option<Expr> {
        let (k, face) = Self::wanted_kind(want)?;
        let m = self.find_member(k, &n.text)?;
        self.note(n.span, Def::Member(m));
        Some(self.read_member(m, Some(&if face { Ty::Face(k) } else { Ty::Of(k) }), n.span))
    }

    /// The member of that name in the kind (or what it is, or its subkinds).
    pub fn find_member(&self, k: KindId, word: &str) -> Option<MemberId> {
        self.ix.things(word).iter().find_map(|t| match t {
            Thing::Member(m) => {
                let of = self.model().members.get(m.index())?.kind;
                (types::is_a(self.model(), of, k) || types::is_a(self.model(), k, of)).then_some(*m)
            }
            _ => None,
        })
    }

    /// A member by its name alone: a word, a face, or the component that shows it.
    pub fn read_member(&mut self, m: MemberId, want: Option<&Ty>, span: Span) -> Expr {
        let Some(d) = self.model().members.get(m.index()) else { return build::error(span) };
        let k = d.kind;
        if !types::is_component(self.model(), k) {
            return expr(Ty::Of(k), span, ExprKind::Member(m));
        }
        if let Some((_, lo, hi)) = &d.family {
            let d = Diagnostic::error(
                codes::WHICH_OF_FAMILY,
                span,
                format!("`{}` is a family: this does not say which member", d.name),
            )
            .help(format!("write `{}({lo})` … `{}({hi})`", d.name, d.name))
            .also(d.span, "declared here");
            self.push(d);
            return build::error(span);
        }
        match want.map(types::plain) {
            Some(Ty::Of(_) | Ty::AnyOf(_)) => self.read_component(m, None, span),
            _ => expr(Ty::Face(k), span, ExprKind::Face(m, None)),
        }
    }

    /// The component that shows a member's face: the one there is, or one from the box.
    pub fn read_component(&mut self, m: MemberId, key: Option<Expr>, span: Span) -> Expr {
        let Some(d) = self.model().members.get(m.index()) else { return build::error(span) };
        let k = d.kind;
        if self.is_unique(m) {
            return expr(Ty::Of(k), span, ExprKind::Component(m, key));
        }
        let all = expr(types::list_of(Ty::Of(k)), span, ExprKind::Box(k));
        let it = self.new_local("it", Ty::Of(k), span);
        let test = cond(span, ExprKind::IsFace(build::local(it, Ty::Of(k), span), m, key));
        let these = expr(types::list_of(Ty::Of(k)), span, ExprKind::Where(all, it, test));
        expr(types::maybe(Ty::Of(k)), span, ExprKind::First { n: None, of: these, last: false })
    }

    fn read_declared(&mut self, n: &ast::Name, want: Option<&Ty>) -> Option<Expr> {
        let span = n.span;
        let things = self.ix.things(&n.text);
        let rank = |t: &Thing| match t {
            Thing::TableAttr(_) | Thing::TableZone(_) => 0,
            Thing::Value(_) | Thing::Option(_) => 1,
            Thing::Member(_) => 2,
            Thing::Variant(_) => 3,
            Thing::Rule(_) => 4,
            Thing::Kind(_) => 5,
            _ => 6,
        };
        let thing = *things.iter().min_by_key(|t| rank(t))?;
        self.note(span, thing.def());
        Some(match thing {
            Thing::TableAttr(a) => self.read_table_attr(a, span),
            Thing::TableZone(z) => self.read_zone(None, z, None, span),
            Thing::Value(v) => self.read_value_call(v, Vec::new(), &[], span, &n.text),
            Thing::Option(o) => {
                let ty = self.model().options.get(o.index()).map_or(Ty::Error, |o| o.ty.clone());
                expr(ty, span, ExprKind::Option(o))
            }
            Thing::Member(m) => {
                let others: Vec<KindId> = things
                    .iter()
                    .filter_map(|t| match t {
                        Thing::Member(m) => self.model().members.get(m.index()).map(|m| m.kind),
                        _ => None,
                    })
                    .collect();
                let first = others.first().copied();
                if others.len() > 1 && others.iter().any(|k| Some(*k) != first) {
                    let names: Vec<String> = others.iter().map(|k| types::name(self.model(), *k)).collect();
                    return Some(self.fail(
                        codes::AMBIGUOUS,
                        span,
                        format!(
                            "`{}` belongs to {}: it is not clear which one is meant here",
                            n.text,
                            names.join(" and ")
                        ),
                        format!(
                            "compare it with an attribute, as in `… == {}`, or give one of them another name",
                            n.text
                        ),
                    ));
                }
                self.read_member(m, want, span)
            }
            Thing::Variant(s) => cond(span, ExprKind::VariantOn(s)),
            Thing::Rule(r) if self.model().rules.get(r.index()).is_some_and(|r| r.phase) => {
                expr(Ty::Phase, span, ExprKind::Phase(r))
            }
            Thing::Kind(k) => self.everything(k, span),
            Thing::Rule(_) => {
                let d = Diagnostic::error(
                    codes::NOT_A_VALUE,
                    span,
                    format!("`{}` is a rule: it must be called, with brackets", n.text),
                )
                .suggest(format!("{}()", n.text));
                self.push(d);
                build::error(span)
            }
            Thing::Hook(_) => self.fail(
                codes::NOT_A_VALUE,
                span,
                format!("`{}` is a hook: it must be called, with brackets", n.text),
                format!("write `{}(…)`, with its arguments in the brackets", n.text),
            ),
            other => {
                let sort = other.sort(self.model());
                let help = match other {
                    Thing::Menu(_) => {
                        format!("to ask whether a player can do something in it, write `p can {}`", n.text)
                    }
                    _ => "write what is meant by it: an attribute, a value or a number".into(),
                };
                self.fail(
                    codes::NOT_A_VALUE,
                    span,
                    format!("`{}` is {sort}, so it cannot be used as a value", n.text),
                    help,
                )
            }
        })
    }

    /// A space (`D5`) or a column (`D`) of a map.
    fn read_on_map(&mut self, n: &ast::Name, want: Option<&Ty>) -> Option<Expr> {
        let span = n.span;
        match self.find_on_map(&n.text, want)? {
            OnMap::Space(map, k, c, r) => {
                self.ix.notes.note_on_map(span, map);
                Some(expr(Ty::Of(k), span, ExprKind::Space(map, c, r)))
            }
            OnMap::Column(k, i) => {
                let map = self.model().maps.iter().position(|m| m.columns == Some(k));
                if let Some(map) = map {
                    self.ix.notes.note_on_map(span, MapId(map as u32));
                }
                Some(expr(Ty::Of(k), span, ExprKind::Line(k, i)))
            }
            OnMap::Outside(map) => {
                let m = self.model().maps.get(map.index())?;
                let (w, h) = m.size.or_else(|| m.pictures.first().map(|p| p.size))?;
                let last = format!("{}{h}", column_name(w.saturating_sub(1)));
                let d = Diagnostic::error(
                    codes::NO_SUCH_SPACE,
                    span,
                    format!("there is no space {} on {}", n.text, m.name),
                )
                .label(format!("the spaces are A1 to {last}"))
                .also(m.span, "the map is declared here")
                .help(format!("write a space from A1 to {last}, or make the map larger"));
                self.push(d);
                Some(build::error(span))
            }
        }
    }

    fn find_on_map(&self, word: &str, want: Option<&Ty>) -> Option<OnMap> {
        let letters: String = word.chars().take_while(char::is_ascii_uppercase).collect();
        let digits = word.get(letters.len()..)?;
        if letters.is_empty()
            || letters.len() > 2
            || digits.len() > 3
            || !digits.chars().all(|c| c.is_ascii_digit())
        {
            return None;
        }
        let column = letters
            .bytes()
            .try_fold(0u32, |n, b| n.checked_mul(26)?.checked_add(u32::from(b - b'A') + 1))?
            .checked_sub(1)?;
        // Of several maps that have it the one whose spaces are wanted; else the first.
        let wanted = match want.map(types::plain) {
            Some(Ty::Of(k)) => Some(k),
            _ => None,
        };
        let (mut found, mut outside) = (None, None);
        for (i, m) in self.model().maps.iter().enumerate() {
            let id = MapId(i as u32);
            if !matches!(m.shape, Shape::Squares { .. } | Shape::Hexes { .. }) {
                continue;
            }
            let sizes: Vec<(u32, u32)> =
                m.size.into_iter().chain(m.pictures.iter().map(|p| p.size)).collect();
            let (w, h) = sizes.iter().fold((0, 0), |(w, h), (a, b)| (w.max(*a), h.max(*b)));
            if digits.is_empty() {
                let k = m.columns?;
                let wanted = match want.map(types::plain) {
                    Some(Ty::Of(k)) => types::line_spaces(self.model(), k).is_some(),
                    _ => true,
                };
                if wanted && (w == 0 || column < w) {
                    return Some(OnMap::Column(k, column));
                }
                continue;
            }
            let row: u32 = digits.parse().ok()?;
            match row.checked_sub(1) {
                Some(r) if (w, h) == (0, 0) || (column < w && r < h) => {
                    let space = OnMap::Space(id, m.space, column, r);
                    if wanted == Some(m.space) {
                        return Some(space);
                    }
                    found.get_or_insert(space);
                }
                _ => {
                    outside.get_or_insert(OnMap::Outside(id));
                }
            }
        }
        found.or(outside)
    }

    fn read_built_in_name(&mut self, n: &ast::Name) -> Option<Expr> {
        let span = n.span;
        let players = types::set_of(types::player());
        if let Some(i) = DIRECTIONS.iter().position(|d| *d == n.text) {
            return Some(expr(types::direction(), span, ExprKind::Direction(i as u8)));
        }
        Some(match n.text.as_str() {
            "players" => builtin(Builtin::Players, vec![], players, span),
            "seats" => builtin(Builtin::Seats, vec![], players, span),
            "others" => {
                let me = self.read_me(span);
                builtin(Builtin::Others, vec![me], players, span)
            }
            "opponent" => {
                let me = self.read_me(span);
                self.warn_not_two_players(span);
                builtin(Builtin::Opponent, vec![me], types::player(), span)
            }
            "nobody" => expr(players, span, ExprKind::Set(Vec::new())),
            "turn" => builtin(Builtin::Turn, vec![], types::maybe(types::player()), span),
            "turns" => builtin(Builtin::Turns, vec![], Ty::Int(0, i32::MAX), span),
            "round" => builtin(Builtin::Round, vec![], Ty::Int(0, i32::MAX), span),
            "phase" => expr(types::maybe(Ty::Phase), span, ExprKind::PhaseNow),
            "straight" | "slant" | "all" => {
                let k = match n.text.as_str() {
                    "straight" => 0,
                    "slant" => 1,
                    _ => 2,
                };
                let named = self.on_map.take();
                let ty = types::set_of(types::direction());
                match self.map_of_directions(&n.text, span, named) {
                    Some(map) => builtin(Builtin::DirectionSet(k), map, ty, span),
                    None => build::error(span),
                }
            }
            "box" => {
                let kinds = self.ix.component_kinds();
                self.read_box(&kinds, span)
            }
            _ => return None,
        })
    }

    /// What lies in the box, of these kinds.
    pub fn read_box(&mut self, kinds: &[KindId], span: Span) -> Expr {
        // A kind that another one of them is holds that one's things, too.
        let tops: Vec<KindId> = kinds
            .iter()
            .copied()
            .filter(|k| !kinds.iter().any(|o| o != k && types::is_a(self.model(), *k, *o)))
            .collect();
        let ty = types::any_of(tops.clone());
        let mut all = tops.into_iter().map(|k| expr(types::set_of(Ty::Of(k)), span, ExprKind::Box(k)));
        let Some(first) = all.next() else {
            return self.fail(
                codes::NO_COMPONENTS,
                span,
                "this game declares no components, so the box is always empty",
                "declare some, as in `token Coin x20`",
            );
        };
        all.fold(first, |a, b| expr(types::set_of(ty.clone()), span, ExprKind::Union(a, b)))
    }

    /// Warns where *the opponent* is spoken of in a game that is not for two.
    pub fn warn_not_two_players(&mut self, span: Span) {
        let m = self.model();
        let fewer = m.seats.is_some_and(|(least, _)| least < 2) && m.answered.is_none();
        let more = fewer || m.extra_players().next().is_some();
        if self.model().players.0 > 2 || self.model().players.1 < 2 || more {
            self.push(
                Diagnostic::error(
                    codes::NO_OPPONENT,
                    span,
                    "`opponent` is only possible in games for two players",
                )
                .help("write `others` for all the other players"),
            );
        }
    }

    /// What a word that is nothing may have been meant to be: everything that could stand here.
    fn report_no_such_name(&mut self, n: &ast::Name, want: Option<&Ty>) -> Expr {
        let what = if n.is_kind() { "there is no kind, space or name" } else { "there is no" };
        let message = format!("{what} `{}` here", n.text);
        let upper = n.text.to_uppercase();
        let space =
            matches!(self.find_on_map(&upper, want), Some(OnMap::Space(..))).then_some(upper.as_str());
        if let Some(word) = hints::word_instead(&n.text).or(space) {
            self.push(Diagnostic::error(codes::NO_NAME, n.span, message).suggest(word));
            return build::error(n.span);
        }
        let mut words: Vec<String> = self.names.iter().map(|(n, _)| n.clone()).collect();
        words.extend(self.cast.iter().cloned());
        for base in self.its.last().into_iter().chain(&self.this) {
            for k in types::kinds_of(&base.ty) {
                words.extend(self.ix.parts_of(k).into_iter().map(|(w, _)| w.to_string()));
            }
        }
        if let Some((k, _)) = Self::wanted_kind(want) {
            let model = self.model();
            let members = model.members.iter().filter(|m| types::is_a(model, m.kind, k));
            words.extend(members.map(|m| m.name.to_string()));
        }
        for a in &self.model().attrs {
            if a.has_of.is_some_and(|h| self.has.contains(&h)) {
                words.push(a.name.to_string());
            }
        }
        let here = self.ix.words(|t| !matches!(t, Thing::Menu(_) | Thing::Action(_)));
        words.extend(here.into_iter().map(str::to_string));
        words.extend(WORDS.iter().map(|w| w.to_string()));
        // Who plays in a test is told where no name is like this one.
        let like = |words: &[String]| suggest::closest(&n.text, words.iter().map(String::as_str)).is_some();
        let guessed = self.within.test && n.is_kind() && like(&words);
        let hint = self.hint_for_name(&n.text).filter(|_| !guessed);
        self.report_unknown_or(codes::NO_NAME, n, message, words, hint)
    }

    // ── Behind a dot ─────────────────────────────────────────────────────────────────────────────────────

    /// `base.name`.
    pub fn read_field(&mut self, base: &ast::Expr, name: &ast::Name, span: Span, _want: Option<&Ty>) -> Expr {
        if let ast::ExprKind::Name(n) = &*base.kind
            && self.find_local(&n.text).is_none()
            && let Some(r) = self
                .ix
                .things(&n.text)
                .iter()
                .find_map(|t| if let Thing::Rule(r) = t { Some(*r) } else { None })
        {
            return self.read_state_of(HasOf::Phase(r), n, name, span);
        }
        let b = self.read_expr(base, None);
        self.read_field_of(b, name, span)
    }

    fn read_state_of(&mut self, of: HasOf, owner: &ast::Name, name: &ast::Name, span: Span) -> Expr {
        let model = self.model();
        if let HasOf::Phase(r) = of {
            self.note(owner.span, Def::Rule(r));
        }
        let found = model.attrs.iter().position(|a| a.has_of == Some(of) && *a.name == *name.text);
        let zones: Vec<(ZoneId, &Zone)> = match of {
            HasOf::Phase(r) => model.zones_of_phase(r).collect(),
            _ => Vec::new(),
        };
        if let Some((z, _)) = zones.iter().find(|(_, z)| *z.name == *name.text) {
            self.note(name.span, Def::Zone(*z));
            return self.read_zone(None, *z, None, span);
        }
        match found {
            Some(i) => {
                self.note(name.span, Def::Attr(AttrId(i as u32)));
                self.read_table_attr(AttrId(i as u32), span)
            }
            None => {
                let attrs = model.attrs.iter().filter(|a| a.has_of == Some(of)).map(|a| a.name.to_string());
                let words = attrs.chain(zones.iter().map(|(_, z)| z.name.to_string())).collect();
                self.report_unknown(
                    codes::NO_PART,
                    name,
                    format!("`{}` has no `{}`", owner.text, name.text),
                    words,
                )
            }
        }
    }

    /// `base.name` of a typed base.
    pub fn read_field_of(&mut self, base: Expr, name: &ast::Name, span: Span) -> Expr {
        let ty = types::plain(&base.ty);
        match &ty {
            Ty::Error => return build::error(span),
            Ty::None => {
                let _ = self.need_value(&base, &format!("none has no `{}`", name.text));
                return build::error(span);
            }
            // What all of a set have, gathered.
            Ty::Set(el) | Ty::List(el) | Ty::Bag(el) => {
                let el = types::plain(el);
                let it = self.new_local("it", el.clone(), base.span);
                let one = self.read_field_of(build::local(it, el, base.span), name, span);
                if one.ty == Ty::Error {
                    return build::error(span);
                }
                return make_gathered(base, it, one, span, self.model());
            }
            _ => {}
        }
        let Some(part) = self.find_part(&ty, &name.text) else {
            if let Some(e) = self.read_own(&base, name, span) {
                return e;
            }
            if let Ty::AnyOf(kinds) = &ty
                && let Some(e) = self.read_shared_field(&base, kinds, name, span)
            {
                return e;
            }
            return self.read_built_in_field(base, &ty, name, span);
        };
        self.note(name.span, part.def());
        let _ = self.need_value(&base, &format!("only a thing has `.{}`", name.text));
        match part {
            Part::Attr(a) => {
                if matches!(ty, Ty::Face(_)) && !self.has_unique_faces(&base) {
                    self.ix.face_reads.borrow_mut().push((a, base.span));
                }
                let ty = self.model().attrs.get(a.index()).map_or(Ty::Error, |a| a.ty.clone());
                expr(ty, span, ExprKind::Attr(base, a))
            }
            Part::Zone(z) => self.read_zone(Some(base), z, None, span),
            Part::Value(v) => self.read_value_call(v, vec![base], &[], span, &name.text),
            Part::Rule(_) => {
                let d = Diagnostic::error(
                    codes::NOT_A_VALUE,
                    span,
                    format!("`{}` is a rule: it must be called, with brackets", name.text),
                );
                self.push(
                    d.help(format!("a rule changes the game: call it in a block, `x.{}(…)`", name.text)),
                );
                build::error(span)
            }
        }
    }

    /// `x.name` where x may be of several kinds that each declare an attribute of that name: which one it is goes by the kind that x shows.
    fn read_shared_field(
        &mut self,
        base: &Expr,
        kinds: &[KindId],
        name: &ast::Name,
        span: Span,
    ) -> Option<Expr> {
        let found =
            kinds.iter().map(|k| Some((*k, self.ix.part(*k, &name.text)?))).collect::<Option<Vec<_>>>()?;
        let of = |part: Part| match part {
            Part::Attr(a) => self.model().attrs.get(a.index()).map(|a| (a.ty.clone(), a.side)),
            _ => None,
        };
        let types: Vec<_> = found.iter().map(|(_, p)| of(*p)).collect::<Option<_>>()?;
        let ty = types.iter().skip(1).try_fold(types.first()?.0.clone(), |t, (other, _)| {
            types::join(self.model(), &t, other)
                .filter(|_| matches!((&t, other), (Ty::Int(..), Ty::Int(..))) || t == *other)
        })?;
        let _ = self.need_value(base, &format!("only a thing has `.{}`", name.text));
        let mut out: Option<Expr> = None;
        for (k, part) in found.into_iter().rev() {
            self.note(name.span, part.def());
            let Part::Attr(a) = part else { return None };
            let one = expr(Ty::Of(k), base.span, (*base.kind).clone());
            let value = expr(ty.clone(), span, ExprKind::Attr(one, a));
            out = Some(match out {
                None => value,
                Some(other) => {
                    let is = expr(Ty::Bool, span, ExprKind::IsKind(base.clone(), k));
                    expr(ty.clone(), span, ExprKind::If(is, value, other))
                }
            });
        }
        out
    }

    /// The spaces where a thing may lie.
    fn lying_place_type(&self) -> Ty {
        let model = self.model();
        let spaces: Vec<KindId> =
            model.maps.iter().map(|m| m.space).filter(|k| types::is_space(model, *k)).collect();
        match spaces.as_slice() {
            [] => Ty::Place,
            [one] => Ty::Of(*one),
            [first, rest @ ..] => rest
                .iter()
                .fold(Ty::Of(*first), |t, k| types::join(model, &t, &Ty::Of(*k)).unwrap_or(Ty::Place)),
        }
    }

    /// `c.host`: the component in whose zone c lies. Its kind is that of the components with such a zone.
    fn read_host(&mut self, thing: Expr, kinds: &[KindId], span: Span) -> Expr {
        let model = self.model();
        let holds =
            |k: &KindId| kinds.iter().any(|x| types::is_a(model, *x, *k) || types::is_a(model, *k, *x));
        let zones = model.zones.iter().filter(|z| z.holds.iter().any(holds));
        let hosts = zones.filter_map(|z| z.of).filter(|k| types::is_component(model, *k));
        let joined = hosts.map(Ty::Of).reduce(|a, b| types::join(model, &a, &b).unwrap_or(Ty::Error));
        let name = self.show(&types::any_of(kinds.to_vec()));
        match joined {
            Some(ty @ Ty::Of(_)) => {
                let _ = self.need_value(&thing, "only a thing has `.host`");
                builtin(Builtin::Host, vec![thing], types::maybe(ty), span)
            }
            Some(ty) => {
                let hosts = types::bare(model, &ty);
                self.fail(
                    codes::NO_PART,
                    span,
                    format!("{name} may lie on things of unlike kinds ({hosts}), so `host` has no kind"),
                    "give these kinds one kind above them, as in `card Ship is Carrier`, and the zone to that kind",
                )
            }
            None => self.fail(
                codes::NO_PART,
                span,
                format!("{name} never lies on another component, so it has no host"),
                "give a kind of components a zone for it; the space on which it lies is `.at`, the player in whose zone it lies `.holder`",
            ),
        }
    }

    fn read_built_in_field(&mut self, base: Expr, ty: &Ty, name: &ast::Name, span: Span) -> Expr {
        // A face lies nowhere and shows no side: where a member's name is asked for that, its component is meant.
        if let Ty::Face(k) = ty
            && (matches!(name.text.as_str(), "at" | "holder" | "host" | "owner" | "up" | "value")
                || matches!(self.find_part(&Ty::Of(*k), &name.text), Some(Part::Value(_) | Part::Zone(_))))
        {
            match &*base.kind {
                ExprKind::Face(m, None) => {
                    let thing = self.read_component(*m, None, base.span);
                    return self.read_field_of(thing, name, span);
                }
                _ if self.has_unique_faces(&base) => {
                    let thing = self.to_component(base);
                    return self.read_field_of(thing, name, span);
                }
                _ => {}
            }
        }
        let kinds = types::kinds_of(ty);
        let model = self.model();
        let component = !kinds.is_empty() && kinds.iter().all(|k| types::is_component(model, *k));
        let die = kinds.iter().any(|k| types::is_die(model, *k));
        let player = kinds == [builtin_kinds::PLAYER];
        let named = !kinds.is_empty() || matches!(ty, Ty::Face(_));
        let found = match name.text.as_str() {
            "at" if component => Some((Builtin::At, types::maybe(self.lying_place_type()))),
            "holder" if component => Some((Builtin::Holder, types::maybe(types::player()))),
            "host" if component => return self.read_host(base, &kinds, span),
            "owner" if component => {
                let each = kinds.iter().all(|k| {
                    types::line_of(model, *k)
                        .iter()
                        .any(|k| types::kind(model, *k).is_some_and(|k| k.per_player))
                });
                Some((Builtin::OwnerOf, if each { types::player() } else { types::maybe(types::player()) }))
            }
            "name" | "title" if named => Some((Builtin::NameOf, Ty::Text)),
            "key" if component || matches!(ty, Ty::Face(_)) => Some((Builtin::KeyOf, types::WIDE)),
            "key"
                if let Ty::Of(k) = ty
                    && let Some((_, n)) = types::line_length(model, *k) =>
            {
                Some((Builtin::KeyOf, Ty::Int(1, n)))
            }
            "row" | "column"
                if let Ty::Of(k) = ty
                    && types::is_space(model, *k) =>
            {
                if types::is_graph(model, *k) {
                    return self.report_no_directions(&name.text, span);
                }
                let b = if name.text == "row" { Builtin::RowNumber } else { Builtin::ColumnNumber };
                Some((b, types::line_numbers(model, *k, name.text == "row")))
            }
            "up" if component => Some((Builtin::Up, Ty::Bool)),
            "value" if die => Some((Builtin::DieValue, self.die_value_type(&kinds))),
            "value" if let Ty::Side(k) = ty => Some((Builtin::DieValue, self.die_value_type(&[*k]))),
            "faces" if die && let [k] = kinds.as_slice() => {
                Some((Builtin::Sides, types::set_of(Ty::Side(*k))))
            }
            _ => None,
        };
        if let Some((b, t)) = found {
            let _ = self.need_value(&base, &format!("only a thing has `.{}`", name.text));
            return builtin(b, vec![base], t, span);
        }
        if name.text == "players" && *ty == Ty::Of(builtin_kinds::TEAM) {
            let _ = self.need_value(&base, "only a team has `.players`");
            return self.read_players_of(base, span);
        }
        if name.text == "at" && player {
            let d = Diagnostic::error(codes::STANDING, span, "players have no place on a map in this game");
            self.push(
                d.help("declare it: `player { at: SPACES }`, or `at: SPACES?` if a player may stand nowhere"),
            );
            return build::error(span);
        }
        if name.text == "faces"
            && component
            && let [k] = kinds.as_slice()
        {
            return expr(types::set_of(Ty::Face(*k)), span, ExprKind::Faces(*k));
        }
        if let Some(e) = self.report_others_own(ty, name, span) {
            return e;
        }
        let mut words = self.own_words(&base);
        let printed = if let Ty::Face(k) | Ty::Side(k) = ty { Some(*k) } else { None };
        for k in types::kinds_of(ty).into_iter().chain(printed) {
            words.extend(self.ix.parts_of(k).into_iter().map(|(w, _)| w.to_string()));
        }
        if component {
            words.extend(OF_COMPONENTS.iter().chain(&["host"]).map(|w| w.to_string()));
        }
        if player {
            words.push(String::from("at"));
        }
        if kinds == [builtin_kinds::TEAM] {
            words.push(String::from("players"));
        }
        let whose = match ty {
            Ty::Of(k) => format!("on {}", types::name(self.model(), *k)),
            other => format!("on {}", self.show(other)),
        };
        let hint = self.hint_for_part(&name.text);
        self.report_unknown_or(
            codes::NO_PART,
            name,
            format!("no attribute `{}` {whose}", name.text),
            words,
            hint,
        )
    }

    /// The players whose team that is, as they sit.
    fn read_players_of(&mut self, team: Expr, span: Span) -> Expr {
        let (of, whose) = match &*team.kind {
            ExprKind::Local(_) => (None, team),
            _ => {
                let l = self.new_local("it", team.ty.clone(), span);
                let whose = build::local(l, team.ty.clone(), span);
                (Some((l, team)), whose)
            }
        };
        let it = self.new_local("it", types::player(), span);
        let model = self.model();
        let value = model.values.iter().position(|v| matches!(v.role, ValueRole::Team)).unwrap_or(0);
        let player = build::local(it, types::player(), span);
        let its = expr(whose.ty.clone(), span, ExprKind::Value(ValueId(value as u32), vec![player]));
        let same = cond(span, ExprKind::Compare(Comparison::Eq, its, whose));
        let all = build::players(span);
        let ty = all.ty.clone();
        let players = expr(ty.clone(), span, ExprKind::Where(all, it, same));
        match of {
            None => players,
            Some((l, team)) => expr(ty, span, ExprKind::Let(l, team, players)),
        }
    }

    /// What a die of these kinds can show.
    pub fn die_value_type(&self, kinds: &[KindId]) -> Ty {
        let model = self.model();
        let mut all = Vec::new();
        for k in kinds {
            for s in types::line_of(model, *k) {
                all.extend(types::kind(model, s).into_iter().flat_map(|k| &k.sides).map(|s| s.value));
            }
            let members = model.members.iter().filter(|m| types::is_a(model, m.kind, *k));
            all.extend(members.flat_map(|m| &m.sides).map(|s| s.value));
        }
        match (all.iter().min(), all.iter().max()) {
            (Some(a), Some(b)) => Ty::Int(*a, *b),
            _ => types::WIDE,
        }
    }

    /// All things of a kind; of the spaces of a growing map, those that are in play.
    pub fn everything(&self, k: KindId, span: Span) -> Expr {
        let in_play = self.model().maps.iter().find(|m| m.space == k).and_then(|m| m.in_play);
        let kind = in_play.map_or(ExprKind::All(k), |v| ExprKind::Value(v, Vec::new()));
        expr(types::set_of(Ty::Of(k)), span, kind)
    }

    /// What lies in a zone or slot.
    pub fn read_zone(&mut self, of: Option<Expr>, z: ZoneId, index: Option<Expr>, span: Span) -> Expr {
        if let Some(zone) = self.model().zones.get(z.index())
            && zone.index.is_some()
            && index.is_none()
        {
            let d = Diagnostic::error(
                codes::WHICH_OF_FAMILY,
                span,
                format!("`{}` is a family of zones: this does not say which zone", zone.name),
            )
            .help(format!("write `{}[…]`", zone.name))
            .also(zone.span, "declared here");
            self.push(d);
            return build::error(span);
        }
        self.read_zone_raw(of, z, index, span)
    }

    /// Reads a zone or slot without asking for an index.
    pub fn read_zone_raw(&mut self, of: Option<Expr>, z: ZoneId, index: Option<Expr>, span: Span) -> Expr {
        let Some(zone) = self.model().zones.get(z.index()) else { return build::error(span) };
        let holds = types::any_of(zone.holds.clone());
        let ty = if zone.slot { types::maybe(holds) } else { types::set_of(holds) };
        expr(ty, span, ExprKind::Zone(of, z, index))
    }

    // ── Places ───────────────────────────────────────────────────────────────────────────────────────────

    /// Reads a place: a zone, a space, the box, or one of several by a condition.
    pub fn read_place(&mut self, e: &ast::Expr, role: &str) -> Expr {
        let span = e.span;
        match &*e.kind {
            ast::ExprKind::If(c, a, b) => {
                let c = self.read_cond(c, "the condition of `if`");
                let x = self.read_in_scope(|cx| {
                    cx.learn(&c, true);
                    cx.read_place(a, role)
                });
                let y = self.read_in_scope(|cx| {
                    cx.learn(&c, false);
                    cx.read_place(b, role)
                });
                expr(Ty::Place, span, ExprKind::If(c, x, y))
            }
            ast::ExprKind::Name(n) if n.text == "box" && self.find_local("box").is_none() => {
                let k = self.ix.component_kinds().first().copied();
                match k {
                    Some(k) => expr(Ty::Place, span, ExprKind::Box(k)),
                    // Players leave the map for it, too.
                    None if types::standing(self.model()).is_some() => {
                        expr(Ty::Place, span, ExprKind::Box(builtin_kinds::PLAYER))
                    }
                    None => self.fail(
                        codes::NO_COMPONENTS,
                        span,
                        "this game declares no components, so the box is always empty",
                        "declare some, as in `token Coin x20`",
                    ),
                }
            }
            _ => {
                let got = self.read_expr(e, Some(&Ty::Place));
                self.as_place(got, role)
            }
        }
    }

    /// The place that an expression stands for.
    fn as_place(&mut self, e: Expr, role: &str) -> Expr {
        let span = e.span;
        let ty = e.ty.clone();
        match Arc::unwrap_or_clone(e.kind) {
            ExprKind::Zone(of, z, i) => expr(Ty::Place, span, ExprKind::PlaceOf(of, z, i)),
            kind => {
                let e = expr(ty.clone(), span, kind);
                match types::plain(&ty) {
                    Ty::Place | Ty::Error => e,
                    Ty::None => e,
                    Ty::Of(k) if types::is_space(self.model(), k) => {
                        if types::is_maybe(&ty) {
                            let _ = self.need_value(&e, &format!("{role} must be a place"));
                        }
                        e
                    }
                    other => {
                        let is = self.show(&other);
                        let message = format!("{role} must be a place, but this is {is}");
                        let d = Diagnostic::error(codes::NOT_A_PLACE, span, message);
                        let hint = self.hint_for_place(&other).unwrap_or_else(|| {
                            "write a zone, a space or `box`, as in `deck`, `my.hand` or `A1`".into()
                        });
                        self.push(d.help(hint));
                        build::error(span)
                    }
                }
            }
        }
    }

    /// Reads a set or list of places.
    pub fn read_places(&mut self, e: &ast::Expr, to: &Ty, role: &str) -> Expr {
        let span = e.span;
        match &*e.kind {
            ast::ExprKind::Set(es) => {
                let all = es.iter().map(|e| self.read_place(e, role)).collect();
                let kind = if matches!(to, Ty::List(_)) { ExprKind::List(all) } else { ExprKind::Set(all) };
                expr(to.clone(), span, kind)
            }
            ast::ExprKind::Binary(ast::BinaryOp::Add, a, b) => {
                let (x, y) = (self.read_places(a, to, role), self.read_places(b, to, role));
                expr(to.clone(), span, ExprKind::Union(x, y))
            }
            _ => {
                let got = self.read_expr(e, Some(to));
                let spaces = types::element(self.model(), &got.ty)
                    .is_some_and(|t| matches!(t, Ty::Of(k) if types::is_space(self.model(), k)));
                if spaces {
                    Expr { ty: to.clone(), span, kind: got.kind }
                } else {
                    self.fit_to(got, to, role)
                }
            }
        }
    }
}

/// `S.attr`: what all of a set have, as one set; sets are put together.
fn make_gathered(base: Expr, it: LocalId, one: Expr, span: Span, model: &Model) -> Expr {
    let (op, ty) = match types::element(model, &one.ty) {
        Some(t) => (FoldOp::Union, types::set_of(t)),
        None => (FoldOp::Collect, types::set_of(types::plain(&one.ty))),
    };
    expr(ty, span, ExprKind::Fold(Box::new(Fold { op, var: it, over: base, cond: None, bodies: vec![one] })))
}

/// A column's letters: A … Z, AA …
pub fn column_name(mut n: u32) -> String {
    let mut out = Vec::new();
    loop {
        out.push((b'A' + (n % 26) as u8) as char);
        n /= 26;
        if n == 0 {
            break;
        }
        n -= 1;
    }
    out.iter().rev().collect()
}
