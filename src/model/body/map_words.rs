//! Reads the arguments of words of maps: spaces, the map of a word (`row(2) of Board`), paths and costs; refuses directions where the map is a graph.
use super::build::{self, builtin, cond, expr};
use super::codes;
use super::cx::Cx;
use super::types;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};

/// The most that a space may cost.
const MOST_COST: i32 = 16;

impl<'a> Cx<'a> {
    /// A space.
    pub(super) fn read_space(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let (x, k) = self.read_space_or_none(e, what)?;
        let _ = self.need_value(&x, &format!("{what} must be a space"));
        Some((x, k))
    }

    /// A space, or a set of them.
    pub(super) fn read_space_or_spaces(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let x = self.read_expr(e, None);
        match types::plain(&x.ty) {
            Ty::Error => None,
            Ty::Set(t) | Ty::List(t) if matches!(*t, Ty::Of(k) if types::is_space(self.model(), k)) => {
                let Ty::Of(k) = *t else { return None };
                Some((x, k))
            }
            Ty::Of(k) if types::is_space(self.model(), k) => {
                let _ = self.need_value(&x, &format!("{what} must be a space"));
                Some((x, k))
            }
            other => {
                let is = self.show(&other);
                let message = format!("{what} must be a space or a set of spaces, but this is {is}");
                let hint = self.hint_for_space(&other);
                let _ = self.fail_if(codes::NOT_A_SPACE, x.span, message, hint);
                None
            }
        }
    }

    /// A space, or none: from nowhere nothing is seen or reached.
    pub(super) fn read_space_or_none(&mut self, e: &ast::Expr, what: &str) -> Option<(Expr, KindId)> {
        let x = self.read_expr(e, None);
        match types::plain(&x.ty) {
            Ty::Error => None,
            Ty::Of(k) if types::is_space(self.model(), k) => Some((x, k)),
            other => {
                let is = self.show(&other);
                let hint = self.hint_for_space(&other);
                let _ = self.fail_if(
                    codes::NOT_A_SPACE,
                    x.span,
                    format!("{what} must be a space, but this is {is}"),
                    hint,
                );
                None
            }
        }
    }

    /// The maps that a word can mean that names no space: the boards, or, in a game without boards, its lines.
    pub(super) fn boards(&self) -> Vec<MapId> {
        let maps = &self.model().maps;
        // Boards come before lines, and lines before graphs.
        let rank = |m: &Map| u8::from(m.shape == Shape::Line) + 2 * u8::from(m.shape == Shape::Graph);
        let least = maps.iter().map(rank).min();
        (0..).map(MapId).zip(maps).filter(|(_, m)| Some(rank(m)) == least).map(|(i, _)| i).collect()
    }

    /// The map of a word that names no space: the one behind `of`, or the only board.
    pub(super) fn find_map_of_lines(
        &mut self,
        n: &ast::Name,
        named: Option<MapId>,
    ) -> Option<(MapId, KindId)> {
        self.find_only_map(n)?;
        let map = match (named, self.boards().as_slice()) {
            (Some(map), _) => map,
            (None, [map]) => *map,
            _ => {
                self.report_which_map(&format!("{}(…)", n.text), n.span);
                return None;
            }
        };
        Some((map, self.model().maps.get(map.index())?.space))
    }

    fn report_which_map(&mut self, word: &str, span: Span) {
        let d = Diagnostic::error(codes::WHICH_MAP, span, "this game has several boards");
        let first = self.model().maps.first().map_or("", |m| &m.name);
        let help = format!("say on which one: `{word} of {first}`");
        self.push(d.help(help));
    }

    /// The map of a word about directions, as its last argument: all its spaces. A game with one map needs none.
    pub fn map_of_directions(&mut self, word: &str, span: Span, named: Option<MapId>) -> Option<Vec<Expr>> {
        let boards = self.boards();
        let sort = |id: &MapId| {
            let map = self.model().maps.get(id.index())?;
            Some(matches!(map.shape, Shape::Hexes { .. }))
        };
        if named.is_none() && boards.iter().any(|m| sort(m) != boards.first().and_then(sort)) {
            self.report_which_map(word, span);
            return None;
        }
        let map = named.or(boards.first().copied());
        let Some(map) = map.and_then(|m| self.model().maps.get(m.index())) else { return Some(Vec::new()) };
        let k = map.space;
        if map.shape == Shape::Graph {
            self.report_no_directions(word, span);
            return None;
        }
        if self.model().maps.len() < 2 {
            return Some(Vec::new());
        }
        Some(vec![expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k))])
    }

    /// The one map of the game.
    pub(super) fn find_only_map(&mut self, n: &ast::Name) -> Option<(MapId, KindId)> {
        match self.model().maps.first() {
            Some(m) => Some((MapId(0), m.space)),
            None => {
                let d = Diagnostic::error(
                    codes::NO_MAP,
                    n.span,
                    format!("`{}` needs a map, but this game has none", n.text),
                )
                .help("declare one: `map Board squares 8 by 8`");
                self.push(d);
                None
            }
        }
    }

    /// `paths(from:, to:, steps:, through:, over:)` behind `choose one of`.
    pub(super) fn read_paths(&mut self, n: &ast::Name, args: &[ast::Arg], span: Span) -> Option<Expr> {
        let a =
            self.arrange_arguments(Builtin::Paths.args(), Builtin::Paths.needed(), args, span, "paths")?;
        let at = |i: usize| a.get(i).copied().flatten();
        self.find_only_map(n)?;
        let (from, k) = self.read_space(at(0)?, "`from`")?;
        let (to, _) = self.read_space(at(1)?, "`to`")?;
        let steps = self.number_or_none(at(2), "`steps`", span);
        let through = match at(3) {
            Some(p) => self.read_space_filter(p, k),
            None => build::none(span),
        };
        let over = match at(4) {
            Some(p) => self.read_space_filter(p, k),
            None => build::none(span),
        };
        let costs = match at(5) {
            Some(e) => self.read_costs(e, &through, k)?,
            None => Vec::new(),
        };
        let args = [vec![from, to, steps, through, over], costs].concat();
        Some(builtin(Builtin::Paths, args, types::set_of(Ty::Of(k)), span))
    }

    /// `cost: e`: for each cost from 1 on, the spaces that may be entered for it.
    pub(super) fn read_costs(&mut self, e: &ast::Expr, through: &Expr, k: KindId) -> Option<Vec<Expr>> {
        let (span, range) = (e.span, Ty::Int(1, MOST_COST));
        let it = self.new_local("it", Ty::Of(k), span);
        let cost = self.read_purely("a cost", |cx| {
            cx.read_in_scope(|cx| {
                cx.its.push(build::local(it, Ty::Of(k), span));
                let cost = cx.read_expr(e, Some(&range));
                cx.its.pop();
                match types::bounds(&cost.ty) {
                    Some((_, most)) if most < 1 => cx.report_free_space(&cost, most),
                    _ => build::held_to_range(cx.fit_to(cost, &range, "the cost of a space"), &range),
                }
            })
        });
        let (_, most) = types::bounds(&cost.ty)?;
        let spaces = match &*through.kind {
            ExprKind::None => expr(types::set_of(Ty::Of(k)), span, ExprKind::All(k)),
            _ => through.clone(),
        };
        let at = |n: i32| {
            let n = expr(Ty::Int(n, n), span, ExprKind::Int(n));
            let is = cond(span, ExprKind::Compare(Comparison::Eq, cost.clone(), n));
            expr(spaces.ty.clone(), span, ExprKind::Where(spaces.clone(), it, is))
        };
        Some((1..=most.min(MOST_COST)).map(at).collect())
    }

    fn report_free_space(&mut self, cost: &Expr, most: i32) -> Expr {
        let is = if matches!(&*cost.kind, ExprKind::Int(_)) { "this is" } else { "this is at most" };
        let message = format!("to enter a space costs 1 to {MOST_COST}, but {is} {most}");
        let help = "write `max([1, …])`; leave `cost: …` out if each space costs 1, or name by `through: …` the spaces that may be entered";
        self.fail(codes::OUTSIDE, cost.span, message, help)
    }

    /// Whether a built-in asks directions, rows or columns of a graph.
    pub(super) fn asks_directions_of_graph(&self, e: &Expr) -> bool {
        use Builtin as B;
        let ExprKind::Builtin(b, args) = &*e.kind else { return false };
        let of = match b {
            B::Between | B::DirectionOf | B::Rays | B::Ray | B::Fan | B::Slides | B::Leaps | B::Mirror => {
                args.first()
            }
            B::Neighbours if args.get(1).is_some_and(|d| !matches!(&*d.kind, ExprKind::None)) => args.first(),
            B::Angle | B::TurnOf => args.get(2),
            B::RowOf | B::ColumnOf => Some(e),
            _ => return false,
        };
        of.is_some_and(|x| self.is_on_graph(&x.ty))
    }

    /// Whether these are spaces of a graph.
    pub(super) fn is_on_graph(&self, ty: &Ty) -> bool {
        let kind = match types::element(self.model(), ty).unwrap_or_else(|| types::plain(ty)) {
            Ty::Of(k) => k,
            _ => return false,
        };
        types::is_graph(self.model(), kind)
    }

    pub(super) fn report_no_directions(&mut self, word: &str, span: Span) -> Expr {
        self.fail(
            codes::NO_DIRECTIONS,
            span,
            format!("`{word}` needs directions, rows or columns, but this map is a graph"),
            "follow its ways: `neighbours(c)`, `distance(a, b)`, `reachable(from: c, steps: n)`, `lines(n)`",
        )
    }
}
