//! Reads calls of built-ins (`count`, `neighbours`, `turn` …) and of the words that take a kind (`faces(Card)`, `roll(D6)`).
use super::build::{self, builtin, expr};
use super::codes;
use super::cx::{Cx, Mode};
use super::folds::read_fold_op;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

impl<'a> Cx<'a> {
    pub(super) fn number_or_none(&mut self, e: Option<&ast::Expr>, what: &str, span: Span) -> Expr {
        match e {
            Some(e) => self.read_number_of(e, what),
            None => build::none(span),
        }
    }

    pub(super) fn read_built_in_call(
        &mut self,
        word: &str,
        n: &ast::Name,
        args: &[ast::Arg],
        span: Span,
    ) -> Expr {
        let e = self.read_built_in(word, n, args, span).unwrap_or_else(|| build::error(span));
        if self.asks_directions_of_graph(&e) { self.report_no_directions(word, span) } else { e }
    }

    fn read_built_in(&mut self, word: &str, n: &ast::Name, args: &[ast::Arg], span: Span) -> Option<Expr> {
        use Builtin as B;
        let named = self.on_map.take();
        let players = types::set_of(types::player());
        let b = match Builtin::called(word) {
            Some(B::Paths) => {
                let d = Diagnostic::error(codes::WRONG_FORM, span, "`paths` can only be used in `choose`");
                self.push(d.help("write `choose one of paths(from: a, to: b, over: P)`"));
                return None;
            }
            Some(b) => b,
            None => return self.kind_form(word, args, span),
        };
        let a = self.arrange_arguments(b.args(), b.needed(), args, span, word)?;
        let at = |i: usize| a.get(i).copied().flatten();
        let first = at(0)?;
        Some(match b {
            B::Neighbours => {
                let x = self.read_expr(first, None);
                match types::plain(&x.ty) {
                    Ty::Error => return None,
                    Ty::Of(k) if k == builtin_kinds::PLAYER => {
                        let _ = self.need_value(&x, "the argument of `neighbours`");
                        builtin(B::NeighbourPlayers, vec![x], players, span)
                    }
                    Ty::Of(k) if types::is_space(self.model(), k) => {
                        self.find_only_map(n)?;
                        let dirs = match at(1) {
                            Some(d) => self.read_as(d, &types::set_of(types::direction()), "the directions"),
                            None => build::none(span),
                        };
                        builtin(B::Neighbours, vec![x, dirs], types::set_of(Ty::Of(k)), span)
                    }
                    Ty::Set(t) | Ty::List(t) if matches!(*t, Ty::Of(k) if types::is_space(self.model(), k)) =>
                    {
                        self.find_only_map(n)?;
                        let dirs = match at(1) {
                            Some(d) => self.read_as(d, &types::set_of(types::direction()), "the directions"),
                            None => build::none(span),
                        };
                        builtin(B::Neighbours, vec![x, dirs], types::set_of(*t), span)
                    }
                    other => {
                        let is = self.show(&other);
                        let hint = self.hint_for_space(&other);
                        self.fail_if(
                            codes::NOT_A_SPACE,
                            x.span,
                            format!("only spaces and players have neighbours, but this is {is}"),
                            hint,
                        )
                    }
                }
            }
            B::Between => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let (y, _) = self.read_space_or_none(at(1)?, "this")?;
                builtin(B::Between, vec![x, y], types::set_of(Ty::Of(k)), span)
            }
            B::DirectionOf => {
                self.find_only_map(n)?;
                let (x, _) = self.read_space(first, "this")?;
                let (y, _) = self.read_space(at(1)?, "this")?;
                builtin(b, vec![x, y], types::maybe(types::direction()), span)
            }
            B::Distance => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                let (y, _) = self.read_space(at(1)?, "this")?;
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                let ty = types::maybe(Ty::Int(0, i32::MAX));
                match at(3) {
                    Some(e) => {
                        let costs = self.read_costs(e, &through, k)?;
                        builtin(B::CostDistance, [vec![x, y], costs].concat(), ty, span)
                    }
                    None => builtin(b, vec![x, y, through], ty, span),
                }
            }
            B::Angle => {
                let x = self.read_as(first, &types::direction(), "this");
                let y = self.read_as(at(1)?, &types::direction(), "this");
                let map = self.map_of_directions("angle(…)", n.span, named)?;
                builtin(B::Angle, [vec![x, y], map].concat(), Ty::Int(0, 4), span)
            }
            B::TurnOf => {
                self.find_only_map(n)?;
                let x = self.read_as(first, &types::direction(), "the direction that is turned");
                let by = self.read_number_of(at(1)?, "the number of directions to turn by");
                let map = self.map_of_directions("turn(…)", n.span, named)?;
                builtin(b, [vec![x, by], map].concat(), types::direction(), span)
            }
            B::Opposite => {
                let x = self.read_as(first, &types::direction(), "this");
                builtin(b, vec![x], types::direction(), span)
            }
            B::Reachable => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_spaces(first, "`from`")?;
                let steps = self.number_or_none(at(1), "`steps`", span);
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                match at(3) {
                    Some(e) => {
                        let costs = self.read_costs(e, &through, k)?;
                        let args = [vec![x, steps], costs].concat();
                        builtin(B::CostReachable, args, types::set_of(Ty::Of(k)), span)
                    }
                    None => builtin(B::Reachable, vec![x, steps, through], types::set_of(Ty::Of(k)), span),
                }
            }
            B::Mirror => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                let map = self.model().maps.iter().find(|m| m.space == k);
                let (shape, whole) = match map {
                    Some(m) => (m.shape, m.pictures.is_empty() && types::is_square(m)),
                    None => return None,
                };
                if !matches!(shape, Shape::Squares { .. } | Shape::Hexes { rhombus: true }) {
                    let d = Diagnostic::error(
                        codes::WRONG_FORM,
                        span,
                        "only boards of squares and rhombuses of hexes have a mirror line from corner to corner",
                    );
                    self.push(d.help(
                        "keep the opposite space of each space in an attribute, as in `opposite: Cell?`, and write that",
                    ));
                    return None;
                }
                let ty = if whole { Ty::Of(k) } else { types::maybe(Ty::Of(k)) };
                builtin(B::Mirror, vec![x], ty, span)
            }
            B::Rays => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space(first, "this")?;
                builtin(B::Rays, vec![x], types::set_of(types::list_of(Ty::Of(k))), span)
            }
            B::Ray => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::direction(), "the direction of a ray");
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => build::none(span),
                };
                let most = self.number_or_none(at(3), "`most`", span);
                builtin(B::Ray, vec![x, d, through, most], types::list_of(Ty::Of(k)), span)
            }
            B::Run => {
                self.find_only_map(n)?;
                let r = self.read_expr(first, None);
                let r = self.as_list(r, "`run`");
                let k = match types::element(self.model(), &r.ty) {
                    Some(Ty::Of(k)) if types::is_space(self.model(), k) => k,
                    Some(Ty::Error) | None => return None,
                    Some(_) => {
                        let is = self.show(&r.ty);
                        return Some(self.fail(
                            codes::NOT_A_SPACE,
                            r.span,
                            format!("`run` needs a list of spaces, but this is {is}"),
                            "write a ray, as in `run(ray(c, north), …)`, or `r` of `r in rays(c)`",
                        ));
                    }
                };
                let p = self.read_space_filter(at(1)?, k);
                let q = self.read_space_filter(at(2)?, k);
                builtin(B::Run, vec![r, p, q], types::list_of(Ty::Of(k)), span)
            }
            B::Lines => {
                let (_, k) = self.find_map_of_lines(n, named)?;
                let len = self.read_number_of(first, "the length of the lines");
                builtin(B::Lines, vec![len], types::set_of(types::list_of(Ty::Of(k))), span)
            }
            B::RowOf | B::ColumnOf => {
                let (m, k) = self.find_map_of_lines(n, named)?;
                let x = self.read_expr(first, None);
                let ok = match types::plain(&x.ty) {
                    Ty::Int(..) | Ty::Error => true,
                    Ty::Set(t) | Ty::List(t) => matches!(*t, Ty::Int(..) | Ty::Error),
                    _ => false,
                };
                if !ok {
                    let is = self.show(&x.ty);
                    return Some(self.fail(
                        codes::NOT_A_NUMBER,
                        x.span,
                        format!("`{word}(…)` needs a number, but this is {is}"),
                        format!("the {word} of a space c is `c.{word}`"),
                    ));
                }
                let _ = self.need_value(&x, "a row or column needs a number");
                if let (Some((lo, hi)), Some(size)) = (
                    types::bounds(&element_or_self(&x.ty)),
                    self.model().maps.get(m.index()).and_then(|m| m.size),
                ) {
                    let most = if b == B::RowOf { size.1 } else { size.0 } as i32;
                    if lo > most || hi < 1 {
                        let message = format!("the board only has the {word}s 1 to {most}");
                        let d = Diagnostic::error(codes::OUTSIDE, x.span, message);
                        self.push(d.help("write one of these numbers, or draw a larger board"));
                    }
                }
                builtin(b, vec![x], types::set_of(Ty::Of(k)), span)
            }
            B::Joined => {
                let (_, k) = self.find_only_map(n)?;
                let want = types::set_of(Ty::Of(k));
                let x = self.read_as(first, &want, "one side");
                let y = self.read_as(at(1)?, &want, "the other side");
                let through = self.read_space_filter(at(2)?, k);
                builtin(B::Joined, vec![x, y, through], Ty::Bool, span)
            }
            B::Fan => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::direction(), "the direction of a fan");
                builtin(B::Fan, vec![x, d], types::set_of(Ty::Of(k)), span)
            }
            B::Slides => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let d = self.read_as(at(1)?, &types::set_of(types::direction()), "the directions");
                let through = match at(2) {
                    Some(p) => self.read_space_filter(p, k),
                    None => {
                        if !self.model().zones.iter().any(|z| z.of == Some(k)) {
                            let d = Diagnostic::error(
                                codes::MISSING_ARG,
                                span,
                                "these spaces have no zone, so `slides` does not know what is in the way",
                            );
                            self.push(d.help(
                                "write which spaces are free: `slides(c, dirs, through: it.stone is none)`",
                            ));
                            return None;
                        }
                        build::none(span)
                    }
                };
                builtin(B::Slides, vec![x, d, through], types::set_of(Ty::Of(k)), span)
            }
            B::Leaps => {
                self.find_only_map(n)?;
                let (x, k) = self.read_space_or_none(first, "this")?;
                let p = self.read_number_of(at(1)?, "the first distance");
                let q = self.read_number_of(at(2)?, "the second distance");
                builtin(B::Leaps, vec![x, p, q], types::set_of(Ty::Of(k)), span)
            }
            B::Only => {
                let s = self.read_source(first, None, None);
                let s = self.read_collection(s, "the argument of `only`");
                let el = types::element(self.model(), &s.ty)?;
                builtin(B::Only, vec![s], types::maybe(el), span)
            }
            B::Reversed => {
                let s = self.read_sequence(first);
                let s = self.as_list(s, "`reversed`");
                let ty = s.ty.clone();
                builtin(B::Reversed, vec![s], ty, span)
            }
            B::Index => {
                let s = self.read_sequence(first);
                let s = self.as_list(s, "`index`");
                let el = types::element(self.model(), &s.ty)?;
                let x = self.read_expr(at(1)?, Some(&el));
                if !types::comparable(self.model(), &x.ty, &el) {
                    let (l, r) = (self.show(&x.ty), self.show(&s.ty));
                    let hint = self.hint_for_type(&x.ty, &el);
                    let message = format!("{l} cannot be in {r}");
                    return Some(self.fail_if(codes::INCOMPARABLE, x.span, message, hint));
                }
                builtin(B::Index, vec![s, x], types::maybe(Ty::Int(1, i32::MAX)), span)
            }
            B::Clockwise => {
                let s = self.read_as(first, &players, "the players to go through");
                let from = self.read_as(at(1)?, &types::player(), "`from`");
                builtin(B::Clockwise, vec![s, from], types::list_of(types::player()), span)
            }
            B::Left => {
                let p = self.read_as(first, &types::player(), "the player of `left`");
                let among = match at(1) {
                    Some(s) => self.read_as(s, &players, "`among`"),
                    None => build::none(span),
                };
                builtin(B::Left, vec![p, among], types::player(), span)
            }
            B::FaceOf => {
                let x = self.read_expr(first, None);
                match types::plain(&x.ty) {
                    Ty::Error => return None,
                    Ty::AnyOf(_) => self.fail(
                        codes::WRONG_TYPE,
                        x.span,
                        format!("the face of {} has no type of its own", self.show(&x.ty)),
                        "ask first which kind it is, as in `if x is Card { … }`, or compare the thing itself: `x == f`",
                    ),
                    Ty::Of(k) if types::is_component(self.model(), k) => {
                        let _ = self.need_value(&x, "only a component has a face");
                        builtin(B::FaceOf, vec![x], Ty::Face(k), span)
                    }
                    other => {
                        let is = self.show(&other);
                        self.fail(
                            codes::WRONG_TYPE,
                            x.span,
                            format!("only a component has a face, but this is {is}"),
                            "write a card, token, piece or die, as in `face(first of ZONE)`",
                        )
                    }
                }
            }
            B::Opponent => {
                let p = self.read_as(first, &types::player(), "the player of `opponent`");
                self.warn_not_two_players(n.span);
                builtin(B::Opponent, vec![p], types::player(), span)
            }
            B::Sees => {
                let p = self.read_as(first, &types::player(), "the player of `sees`");
                let what = at(1)?;
                let want = self.wanted_component_type(what);
                let x = self.read_expr(what, want.as_ref());
                builtin(B::Sees, vec![p, x], Ty::Bool, span)
            }
            B::Odd | B::Even => {
                let x = self.read_number_of(first, "the argument of `odd` and `even`");
                builtin(b, vec![x], Ty::Bool, span)
            }
            B::Median => {
                let (s, one) = self.numbers_of(word, first)?;
                builtin(b, vec![s], one, span)
            }
            // A fold of a set as it is, with the name of its argument.
            B::Count | B::SumOf | B::MinOf | B::MaxOf => self.fold_of(read_fold_op(word)?, word, first, span),
            // Words without brackets, what stands behind a dot, and what the checker adds.
            B::NeighbourPlayers
            | B::Paths
            | B::DirectionSet(_)
            | B::Seats
            | B::Players
            | B::Others
            | B::TeamOf
            | B::Team(_)
            | B::At
            | B::Holder
            | B::Host
            | B::OwnerOf
            | B::DieValue
            | B::Sides
            | B::Up
            | B::NameOf
            | B::KeyOf
            | B::RowNumber
            | B::ColumnNumber
            | B::InZone
            | B::Round
            | B::Turns
            | B::Turn
            | B::AsSet
            | B::Widened
            | B::LineSpaces
            | B::CostDistance
            | B::CostReachable
            | B::Held
            | B::Gather => return None,
        })
    }

    /// `faces(K)`, `roll(D)`: calls that take a kind.
    fn kind_form(&mut self, word: &str, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let names: &[&str] = match word {
            "faces" => &["K"],
            "roll" => &["D"],
            _ => {
                let _ = self.report_not_played(span, &format!("`{word}`"));
                return None;
            }
        };
        let first = self.arrange_arguments(names, 1, args, span, word)?.first().copied().flatten()?;
        Some(match word {
            "faces" => match first.as_name().and_then(|n| self.find_kind(n)) {
                Some(k) if types::is_component(self.model(), k) => {
                    expr(types::set_of(Ty::Face(k)), span, ExprKind::Faces(k))
                }
                Some(_) => self.fail(
                    codes::WRONG_FORM,
                    first.span,
                    "only components have faces",
                    "write a kind of cards, tokens, pieces or dice; all things of another kind are its name alone",
                ),
                None => match first.as_name() {
                    Some(n) => {
                        let n = n.clone();
                        self.report_no_such_kind(&n)
                    }
                    None => {
                        self.fail(codes::WRONG_FORM, first.span, "`faces` needs a kind", "write `faces(Card)`")
                    }
                },
            },
            _ => {
                if let Mode::Pure(what) = self.mode {
                    return Some(self.fail(
                        codes::ACTS_IN_PURE,
                        span,
                        format!("{what} cannot roll: `roll` is only possible in rules, phases and actions"),
                        "roll in a rule, and hand the number on: `let n = roll(D)`",
                    ));
                }
                match first.as_name().and_then(|n| self.find_kind(n)) {
                    Some(k)
                        if matches!(
                            types::kind(self.model(), k).map(|k| &k.sort),
                            Some(KindSort::Component(ComponentSort::Die))
                        ) =>
                    {
                        let line = types::line_of(self.model(), k);
                        let sides =
                            |k: &KindId| types::kind(self.model(), *k).is_some_and(|k| !k.sides.is_empty());
                        if !line.iter().any(sides) {
                            return Some(self.fail(
                                codes::WRONG_FORM,
                                first.span,
                                "this kind of die has no faces of its own",
                                "write them in the kind, as in `die D { faces: 1..6 }`, or roll dice in play with the statement `roll …`",
                            ));
                        }
                        let ty = self.die_value_type(&[k]);
                        expr(ty, span, ExprKind::Roll(k))
                    }
                    _ => self.fail(
                        codes::WRONG_FORM,
                        first.span,
                        "`roll(…)` needs a kind of dice",
                        "write `roll(D)`; to roll dice in play, write the statement `roll d`",
                    ),
                }
            }
        })
    }
}

fn element_or_self(t: &Ty) -> Ty {
    match t {
        Ty::Set(t) | Ty::List(t) => (**t).clone(),
        t => t.clone(),
    }
}
