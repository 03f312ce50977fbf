//! Proposes signs for a map whose legend says nothing yet: one for each word that a space of it can have.
use super::Board;
use crate::Analysis;
use houserule_model::hir::{KindSort, Ty};
use std::sync::Arc;

/// So many are proposed at most.
const MOST: usize = 8;

/// Signs, each with its marks as a legend writes them. Never empty.
pub fn propose_signs(analysis: &Analysis, board: &Board) -> Vec<(Arc<str>, String)> {
    let m = &*analysis.model;
    let own = m.attrs.iter().filter(|attr| {
        attr.of.and_then(|k| m.kinds.get(k.index())).is_some_and(|k| *k.name == *board.spaces)
    });
    let words = own.flat_map(|attr| {
        let ty = if let Ty::Maybe(inner) = &attr.ty { inner } else { &attr.ty };
        match ty {
            Ty::Bool => vec![attr.name.to_string()],
            Ty::Of(kind) => {
                let kind = m.kinds.get(kind.index()).filter(|k| k.sort == KindSort::Enum);
                let members = kind.map_or(&[][..], |k| &k.members);
                members.iter().filter_map(|w| m.members.get(w.index())).map(|w| w.name.to_string()).collect()
            }
            _ => Vec::new(),
        }
    });
    let mut out: Vec<(Arc<str>, String)> = Vec::new();
    for word in words.take(MOST) {
        let letters = word.chars().chain(word.chars().flat_map(char::to_uppercase)).chain('a'..='z');
        let mut letters = letters.filter(char::is_ascii_alphabetic).map(|c| c.to_string());
        let taken = |sign: &str| {
            board.palette.iter().map(|e| &e.sign).chain(out.iter().map(|(s, _)| s)).any(|s| **s == *sign)
        };
        if let Some(sign) = letters.find(|c| !taken(c)) {
            out.push((sign.into(), word));
        }
    }
    if out.is_empty() {
        out.push(("o".into(), String::new()));
    }
    out
}
