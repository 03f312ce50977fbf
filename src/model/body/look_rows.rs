//! Checks what a `look` draws, after all bodies are read: colours are `#rrggbb`, shapes have a name or a path, and turns are numbers. What is drawn must be written out somewhere, in the look or in
//! what it reads, so that nothing is left out silently when the game is drawn.
use super::types;
use crate::codes;
use crate::hir::*;
use crate::images::is_image;
use crate::shapes::{SHAPES, find_shape, is_path, read_path};
use crate::suggest;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet;

/// What a look may draw.
pub const LOOK_SLOTS: [&str; 9] =
    ["fill", "edge", "shape", "turn", "title", "text", "corner", "badge", "legend"];

/// What the look of a word may draw, such as a member of an enum: a sign that stands in texts.
const SIGN_SLOTS: [&str; 5] = ["fill", "edge", "shape", "turn", "title"];

/// Slots of which a look has one at most: the second would hide the first.
const ONCE: [&str; 5] = ["fill", "edge", "shape", "turn", "title"];

/// What the texts of a slot are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sort {
    Color,
    Shape,
}

/// Reports what cannot be drawn. The images that looks name are given back, each with the places where it is named.
pub fn check_look_rows(m: &Model, out: &mut Report) -> Vec<(String, Vec<Span>)> {
    let mut found = Found { m, seen: FxHashSet::default(), out: Vec::new(), images: Vec::new() };
    for (id, k) in m.kinds.iter().enumerate() {
        for (i, row) in k.look.iter().enumerate() {
            let e = &row.expr.body;
            found.report_undrawn(KindId(id as u32), k, row);
            let sort = match &*row.slot {
                "fill" | "edge" => Sort::Color,
                "shape" => Sort::Shape,
                "turn" => {
                    let number = matches!(types::plain(&e.ty), Ty::Int(..) | Ty::Error);
                    if !number {
                        let d = Diagnostic::error(codes::LOOK_VALUE, e.span, "`turn` is a number of degrees");
                        found.out.push(d.help("90 turns a shape by a quarter, clockwise"));
                    }
                    found.report_second(k, i);
                    continue;
                }
                _ => {
                    found.report_second(k, i);
                    continue;
                }
            };
            found.report_second(k, i);
            found.visit_text(e, sort, &row.slot);
        }
    }
    found.out.into_iter().for_each(|d| out.push(d));
    found.images
}

struct Found<'m> {
    m: &'m Model,
    /// Values and attributes that have been visited, and as what.
    seen: FxHashSet<(bool, u32, Sort)>,
    out: Vec<Diagnostic>,
    images: Vec<(String, Vec<Span>)>,
}

impl<'m> Found<'m> {
    /// Reports a row that is drawn nowhere on things of that kind.
    fn report_undrawn(&mut self, id: KindId, k: &Kind, row: &LookRow) {
        let is_word = !matches!(k.sort, KindSort::Player | KindSort::Component(_) | KindSort::Space(_));
        let holds =
            self.m.attrs.iter().any(|a| a.of == Some(id)) || self.m.zones.iter().any(|z| z.of == Some(id));
        let (message, help) = match &*row.slot {
            _ if row.back && !matches!(k.sort, KindSort::Component(_)) => (
                format!("`{}` has no back", k.name),
                String::from("only components have one: leave `back` out"),
            ),
            "legend" if !matches!(k.sort, KindSort::Space(Some(_))) => (
                format!("`{}` has no legend", k.name),
                String::from("a legend explains the signs on a map: write it in the look of the spaces"),
            ),
            slot if is_word && !holds && !SIGN_SLOTS.contains(&slot) => (
                format!("a sign in a text has no `{slot}`"),
                format!("the look of `{}` draws {}", k.name, quote_all(&SIGN_SLOTS)),
            ),
            _ => return,
        };
        self.out.push(Diagnostic::error(codes::LOOK_VALUE, row.expr.body.span, message).help(help));
    }

    fn report_second(&mut self, k: &Kind, row: usize) {
        let Some(here) = k.look.get(row).filter(|r| ONCE.contains(&&*r.slot)) else { return };
        let first = k.look.iter().take(row).find(|r| r.slot == here.slot && r.back == here.back);
        if let Some(first) = first {
            let message = format!("the look of `{}` has `{}` twice", k.name, here.slot);
            let d = Diagnostic::error(codes::LOOK_VALUE, here.expr.body.span, message);
            self.out.push(d.also(first.expr.body.span, "the first").help("join both with `if` or `case`"));
        }
    }

    /// Visits every text that an expression can come to.
    fn visit_text(&mut self, e: &'m Expr, sort: Sort, slot: &str) {
        match &*e.kind {
            ExprKind::None => {}
            ExprKind::Text(t) => match t.parts.as_slice() {
                [] => {}
                [TextPart::Literal(text)] => self.check_text(text, e.span, sort),
                // A hole that holds all of the text is what it holds.
                [TextPart::Hole(inner)] if types::plain(&inner.ty) == Ty::Text => {
                    self.visit_text(inner, sort, slot)
                }
                _ => self.report_composed(e, sort, slot),
            },
            ExprKind::If(_, a, b) | ExprKind::Default(a, b) => {
                self.visit_text(a, sort, slot);
                self.visit_text(b, sort, slot);
            }
            ExprKind::Let(_, _, inner) => self.visit_text(inner, sort, slot),
            ExprKind::Value(id, _) => {
                if self.seen.insert((true, id.0, sort)) {
                    let m = self.m;
                    let own = m.values.get(id.index()).and_then(|v| v.body.body.as_ref());
                    let fills = m.members.iter().flat_map(|x| &x.fills).filter(|(v, _)| v == id);
                    let all: Vec<&Expr> = own.into_iter().chain(fills.map(|(_, b)| &b.body)).collect();
                    all.into_iter().for_each(|e| self.visit_text(e, sort, slot));
                }
            }
            ExprKind::Attr(_, a) | ExprKind::TableAttr(a) if types::plain(&e.ty) == Ty::Text => {
                if self.seen.insert((false, a.0, sort)) {
                    let m = self.m;
                    let own = m.attrs.get(a.index()).and_then(|a| a.default.as_ref());
                    let given = m.members.iter().flat_map(|x| &x.sets).filter(|(x, _)| x == a);
                    let all: Vec<&Expr> =
                        own.into_iter().chain(given.map(|(_, b)| b)).map(|b| &b.body).collect();
                    all.into_iter().for_each(|e| self.visit_text(e, sort, slot));
                }
            }
            _ if e.ty == Ty::Error => {}
            _ => self.report_composed(e, sort, slot),
        }
    }

    fn report_composed(&mut self, e: &Expr, sort: Sort, slot: &str) {
        let what = match sort {
            Sort::Color => "a colour",
            Sort::Shape => "a shape",
        };
        let d = Diagnostic::error(
            codes::LOOK_VALUE,
            e.span,
            format!("`{slot}` needs {what} that is written out"),
        );
        self.out.push(d.help(match sort {
            Sort::Color => {
                "name the colours one by one, as in `case suit { moons: \"#c8d0e8\", suns: \"#f2d98c\" }`"
            }
            Sort::Shape => "name the shapes one by one, as in `case suit { moons: \"moon\", suns: \"sun\" }`",
        }));
    }

    fn check_text(&mut self, text: &str, at: Span, sort: Sort) {
        if text.is_empty() {
            return;
        }
        match sort {
            Sort::Color => {
                if parse_color(text).is_none() {
                    let d = Diagnostic::error(codes::LOOK_VALUE, at, format!("`{text}` is no colour"));
                    self.out.push(
                        d.help("a colour is written `\"#rrggbb\"` or `\"#rgb\"`, such as `\"#c0392b\"`"),
                    );
                }
            }
            Sort::Shape if is_path(text) => {
                if let Err(why) = read_path(text) {
                    let d = Diagnostic::error(codes::LOOK_VALUE, at, format!("the path {why}"));
                    self.out.push(d.help(
                        "a path is SVG path data in a square from 0 to 100, such as `\"M 50 8 L 94 88 H 6 Z\"`",
                    ));
                }
            }
            Sort::Shape if is_image(text) => match self.images.iter_mut().find(|(name, _)| name == text) {
                Some((_, places)) => places.push(at),
                None => self.images.push((text.to_string(), vec![at])),
            },
            Sort::Shape => {
                if find_shape(text).is_none() {
                    let names: Vec<&str> = SHAPES.iter().map(|s| s.name).collect();
                    let d = Diagnostic::error(codes::LOOK_VALUE, at, format!("there is no shape `{text}`"));
                    self.out.push(match suggest::closest(text, names.iter().copied()) {
                        Some(name) => d.suggest(format!("\"{name}\"")),
                        None => d.help(format!("the shapes are: {}", names.join(", "))),
                    });
                }
            }
        }
    }
}

fn quote_all(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// A colour written `#rrggbb` or `#rgb`: red, green, blue.
pub fn parse_color(text: &str) -> Option<[u8; 3]> {
    let hex = text.strip_prefix('#')?;
    let digits: Vec<u8> = hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    match digits.as_slice() {
        [r, g, b] => Some([r * 17, g * 17, b * 17]),
        [r, s, g, h, b, c] => Some([r * 16 + s, g * 16 + h, b * 16 + c]),
        _ => None,
    }
}
