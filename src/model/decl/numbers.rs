//! Checks numbers of rules: `numbered F001..F084`, and which of them are `not played`.
use super::Declarer;
use crate::hir::*;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;

/// Rules that one checklist may hold.
const MOST: u32 = 10_000;

/// The letters of a number, how many digits follow, and what they say.
fn split_number(number: &str) -> Option<(&str, usize, u32)> {
    let cut = number.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (letters, digits) = number.split_at_checked(cut)?;
    Some((letters, digits.len(), digits.parse().ok()?))
}

impl<'t> Declarer<'t> {
    /// `numbered F001..F084`.
    pub(super) fn declare_numbered(&mut self, first: &'t ast::Name, last: &'t ast::Name, span: Span) {
        let wrong = |span, message: String| {
            Diagnostic::error(codes::RULE_NUMBERS, span, message)
                .help("write for example `numbered F001..F084`")
        };
        let found = match (split_number(&first.text), split_number(&last.text)) {
            (None, _) => Err(wrong(first.span, format!("`{}` does not end in a number", first.text))),
            (_, None) => Err(wrong(last.span, format!("`{}` does not end in a number", last.text))),
            (Some(a), Some(b)) if a.0 != b.0 => {
                Err(wrong(span, format!("`{}` and `{}` begin with different letters", first.text, last.text)))
            }
            (Some(a), Some(b)) if a.2 > b.2 => {
                Err(wrong(span, format!("`{}` comes before `{}`", last.text, first.text)))
            }
            (Some(a), Some(b)) if b.2 - a.2 >= MOST => {
                Err(wrong(span, format!("a checklist has at most {MOST} rules")))
            }
            (Some(a), Some(_)) => Ok(Numbered {
                letters: a.0.into(),
                digits: a.1,
                first: a.2,
                last: split_number(&last.text).map_or(a.2, |b| b.2),
                span,
            }),
        };
        match found {
            Ok(list) if list.names().last().as_deref() == Some(&last.text) => self.model.numbered.push(list),
            Ok(_) => self.report.push(wrong(
                span,
                format!("`{}` and `{}` do not have the same number of digits", first.text, last.text),
            )),
            Err(d) => self.report.push(d),
        }
    }

    /// `not played F045, F046: "why"`.
    pub(super) fn declare_not_played(&mut self, numbers: &'t [ast::Name], why: &'t ast::Text) {
        let reason = self.read_plain_text(why);
        self.model.not_played.extend(numbers.iter().map(|n| NotPlayed {
            number: n.text.as_str().into(),
            reason: reason.clone(),
            span: n.span,
        }));
    }

    /// Every number once, and nothing not played that has no number.
    pub(super) fn check_numbers(&mut self) {
        let mut known: HashMap<String, Span> = HashMap::default();
        for list in &self.model.numbered {
            let twice = list.names().find_map(|n| {
                let at = known.insert(n.clone(), list.span)?;
                Some((n, at))
            });
            if let Some((n, at)) = twice {
                let d = Diagnostic::error(
                    codes::TWICE,
                    list.span,
                    format!("the rule number {n} is declared twice"),
                );
                self.report.push(d.also(at, "the first one is here").help("leave one of the two out"));
            }
        }
        let mut told: HashMap<&str, Span> = HashMap::default();
        for n in &self.model.not_played {
            if !known.contains_key(&*n.number) {
                let d = Diagnostic::error(
                    codes::NOT_NUMBERED,
                    n.span,
                    format!("there is no rule number {}", n.number),
                );
                let names: Vec<String> = self.model.numbered.iter().flat_map(Numbered::names).collect();
                let known = names.iter().map(String::as_str);
                self.report.push(suggest::suggest_word(d, &n.number, known, "declare it: `numbered F1..F9`"));
            } else if let Some(at) = told.insert(&n.number, n.span) {
                let d = Diagnostic::error(
                    codes::TWICE,
                    n.span,
                    format!("the rule number {} is named twice", n.number),
                );
                self.report.push(d.also(at, "the first one is here").help("leave one of the two out"));
            }
        }
    }
}
