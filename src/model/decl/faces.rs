//! Checks the faces of dice: each says a number and perhaps a word that fills one of the kind's `face` attributes.
use super::bodies::Reader;
use super::types::const_int;
use crate::body::cx::Mode;
use crate::body::index::Index;
use crate::body::{self, build, types};
use crate::codes;
use crate::hir::*;
use crate::uses::Def;
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};

/// How many faces a die may have.
const MOST: usize = 1000;

impl Reader<'_> {
    /// The sides that `faces: …` of a die kind, or of one of its members, writes down.
    pub(super) fn read_sides(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        k: KindId,
        marks: &[ast::Mark],
    ) -> Option<Vec<Side>> {
        let model = ix.model;
        let span = marks.first().map_or(Span::default(), |m| m.span);
        if !types::is_die(model, k) {
            let message = format!("only dice have `faces`, and {} is not a die", types::name(model, k));
            let d = Diagnostic::error(codes::MISPLACED, span, message);
            out.push(d.help("declare the kind with `die`, or write attributes: `name: type`"));
            return None;
        }
        let attrs: Vec<AttrId> = types::line_of(model, k)
            .into_iter()
            .filter_map(|k| model.kinds.get(k.index()))
            .flat_map(|k| &k.attrs)
            .copied()
            .filter(|a| model.attrs.get(a.index()).is_some_and(|a| a.side == AttrSide::Side))
            .collect();
        let mut sides: Vec<Side> = Vec::new();
        for m in marks {
            let numbers = match &*m.value.kind {
                _ if m.attr.is_some() => None,
                ast::ExprKind::Range(Some(a), Some(b)) => const_int(a).zip(const_int(b)),
                ast::ExprKind::Amount(n, _) => i32::try_from(n.value).ok().map(|n| (n, n)),
                // A word alone: the number is the face's place.
                ast::ExprKind::Name(_) => i32::try_from(sides.len() + 1).ok().map(|n| (n, n)),
                _ => const_int(&m.value).map(|n| (n, n)),
            };
            let Some((least, most)) = numbers else {
                let d = Diagnostic::error(body::codes::WRONG_FORM, m.span, "this is not a face of a die");
                out.push(d.help(
                    "write a number, a range, a word, or a number and a word: `1`, `1..6`, `blue`, `1 blue`",
                ));
                return None;
            };
            if i64::from(most) - i64::from(least) + sides.len() as i64 >= MOST as i64 {
                let message = format!("a die has at most {MOST} faces");
                out.push(Diagnostic::error(codes::BAD_RANGE, m.span, message).help("write a shorter range"));
                return None;
            }
            let word = match &*m.value.kind {
                ast::ExprKind::Amount(_, word) | ast::ExprKind::Name(word) => Some(word),
                _ => None,
            };
            let marks = match word {
                Some(word) => vec![self.read_mark(ix, out, k, &attrs, word)?],
                None => Vec::new(),
            };
            for a in &attrs {
                let Some(attr) = model.attrs.get(a.index()) else { continue };
                if marks.iter().any(|(x, _)| x == a)
                    || attr.default.is_some()
                    || matches!(attr.ty, Ty::Maybe(_) | Ty::Bool | Ty::Error)
                {
                    continue;
                }
                let message = format!("this face gives no value for `{}`", attr.name);
                let d = Diagnostic::error(codes::MISSING_VALUE, m.span, message);
                out.push(d.also(attr.span, "it has no default").help("write it after the number: `1 blue`"));
            }
            let numbered = !matches!(&*m.value.kind, ast::ExprKind::Name(_));
            sides.extend((least..=most).map(|value| Side { value, numbered, marks: marks.clone() }));
        }
        Some(sides)
    }

    /// What a word on a face says: the `face` attribute that it fills, or the one that is called so and is yes.
    fn read_mark(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        k: KindId,
        attrs: &[AttrId],
        word: &ast::Name,
    ) -> Option<(AttrId, Expr)> {
        let model = ix.model;
        let mut cx = self.new_cx(ix, out, Mode::Pure("a die's face"));
        let mut words: Vec<String> = Vec::new();
        for a in attrs {
            let attr = model.attrs.get(a.index())?;
            match types::plain(&attr.ty) {
                Ty::Bool if *attr.name == *word.text => {
                    cx.note(word.span, Def::Attr(*a));
                    return Some((*a, build::truth(true, word.span)));
                }
                Ty::Bool => words.push(attr.name.to_string()),
                Ty::Of(of) => {
                    if let Some(m) = cx.find_member(of, &word.text) {
                        cx.note(word.span, Def::Member(m));
                        return Some((*a, cx.read_member(m, Some(&Ty::Of(of)), word.span)));
                    }
                    let members = model.members.iter().filter(|m| types::is_a(model, m.kind, of));
                    words.extend(members.map(|m| m.name.to_string()));
                }
                _ => {}
            }
        }
        let name = types::name(model, k);
        let message = if attrs.is_empty() {
            format!("a face of {name} has no word `{}`: {name} declares no `face` attribute", word.text)
        } else {
            format!("no `face` attribute of {name} takes `{}`", word.text)
        };
        let _ = cx.report_unknown(body::codes::NO_NAME, word, message, words);
        None
    }
}
