//! Reads the sizes with which maps are declared: numbers, or expressions that each set-up computes.
//!
//! ```text
//! map Board squares 8 by 8          # a number of columns and one of rows
//! option size "Size": 5..9 = 8
//! map Field hexes size by size      # in each set-up as large as the option says
//! ```
use super::Declarer;
use super::bodies::{Apply, Reader};
use crate::body::cx::Mode;
use crate::body::index::Index;
use crate::body::{build, types};
use crate::codes;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report};

/// The most columns, and rows, of a map.
const MOST_ROWS: i32 = 100;

/// The number that an expression is, if it is written as one.
fn written(e: &ast::Expr) -> Option<i64> {
    if let ast::ExprKind::Int(n) = &*e.kind { Some(*n) } else { None }
}

impl<'t> Declarer<'t> {
    /// The size of a map, if it is written in numbers. An expression waits until options are known.
    pub(super) fn declare_size(&mut self, map: MapId, shape: &'t ast::Shape) -> Option<(u32, u32)> {
        let width = shape.width.as_ref()?;
        let size = match &shape.height {
            Some(height) => written(width).zip(written(height)),
            None => written(width).map(|w| (w, 1)),
        };
        match size {
            _ if matches!(shape.layout, ast::Layout::Graph) => {
                self.report_misplaced(
                    width.span,
                    "a graph has no size: its places are the members of its kind of spaces",
                    "leave out the size: `map M graph { inn - mill }`",
                );
                None
            }
            None => {
                self.jobs.push(super::Job::MapSize(map, shape));
                None
            }
            Some((w, h))
                if (1..=100).contains(&w) && (1..=100).contains(&h) && w * h <= MOST_SPACES as i64 =>
            {
                Some((w as u32, h as u32))
            }
            Some(_) => {
                let message =
                    format!("a map has 1 to 100 columns and rows, and at most {MOST_SPACES} spaces");
                let d = Diagnostic::error(codes::MAP_SIZE, shape.span, message);
                self.report.push(match shape.grows {
                    true => d.help("write a smaller bound, as in `squares within 45 by 45`"),
                    false => d.help("write a smaller size, as in `squares 8 by 8`"),
                });
                None
            }
        }
    }
}

impl Reader<'_> {
    /// Reads a size that each set-up computes. The checker takes the map as large as it can become.
    pub(super) fn read_map_size(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        map: MapId,
        shape: &ast::Shape,
    ) -> Option<Apply> {
        let mut cx = self.new_cx(ix, out, Mode::Pure("the size of a map"));
        let columns = cx.read_number_of(shape.width.as_ref()?, "how many columns a map has");
        let rows = match &shape.height {
            Some(e) => cx.read_number_of(e, "how many rows a map has"),
            None => build::expr(Ty::Int(1, 1), shape.span, ExprKind::Int(1)),
        };
        let (mut fits, mut most) = (true, [1; 2]);
        for (e, most) in [&columns, &rows].into_iter().zip(&mut most) {
            let (lo, hi) = types::bounds(&e.ty)?;
            *most = hi;
            if lo < 1 || hi > MOST_ROWS {
                let (lo, hi) = types::range(&e.ty)
                    .map_or(("any number".into(), String::new()), |(lo, hi)| {
                        (lo.to_string(), format!(" to {hi}"))
                    });
                let message =
                    format!("this can be {lo}{hi}, but a map has 1 to {MOST_ROWS} columns and rows");
                cx.fail(
                    codes::MAP_SIZE,
                    e.span,
                    message,
                    "give the option a range that fits, as in `option size \"Size\": 5..9 = 8`",
                );
                fits = false;
            }
        }
        let [w, h] = most;
        if fits && w * h > MOST_SPACES as i32 {
            let message = format!("this map can become {w} by {h}, but it has at most {MOST_SPACES} spaces");
            cx.fail(codes::MAP_SIZE, shape.span, message, "give the option a smaller range");
            fits = false;
        }
        if !fits {
            return None;
        }
        Some(Box::new(move |m| {
            let of = &mut m.maps[map.index()];
            (of.size, of.computed) = (Some((w as u32, h as u32)), Some((columns, rows)));
        }))
    }
}
