//! Values behind a member's name: they stand for the attributes of its back, in the order of their declaration.
//!
//! ```text
//! card Page { back number: 1..99; back deck: Deck }
//! Page cabin "Abandoned cabin" 17 exploration { }     # { number: 17; deck: exploration }
//! ```
use super::{Declarer, Job, kind_fills::Fill};
use crate::body::types;
use crate::codes;
use crate::hir::*;
use houserule_syntax::ast;
use houserule_text::Diagnostic;

impl Declarer<'_> {
    /// Gives the values behind the names of members to the attributes of their backs.
    pub(in crate::decl) fn fill_backs(&mut self) {
        for (id, values) in std::mem::take(&mut self.back_values) {
            let kind = self.model.members[id.index()].kind;
            let backs = self.list_open_backs(kind);
            for (a, e) in backs.iter().zip(values) {
                let name = &self.model.attrs[a.index()].name;
                let is_same = |n: &ast::Name| n.text == **name;
                let twice = self.jobs.iter().find_map(|j| match j {
                    Job::MemberSet(m, n, _) if *m == id && is_same(n) => Some(n.span),
                    _ => None,
                });
                if let Some(span) = twice {
                    let message = format!("`{name}` has a value already");
                    let d =
                        Diagnostic::error(codes::BACK_VALUES, span, message).also(e.span, "it stands here");
                    self.report.push(d.help("leave one of the two out"));
                }
                self.jobs.push(Job::MemberBack(id, *a, e));
            }
            if let Some(e) = values.get(backs.len()) {
                let kind = types::name(&self.model, kind);
                let message = match backs.len() {
                    0 => format!("the back of a {kind} has no value"),
                    n => format!("the back of a {kind} has no more than {n} of these values"),
                };
                let help = "write `name: value` in braces; or declare in the kind what its back shows: `back name: type`";
                self.report.push(Diagnostic::error(codes::BACK_VALUES, e.span, message).help(help));
            }
        }
    }

    /// The attributes of the backs of a kind that no kind fixes, in the order of their declaration, those of the kinds above first.
    fn list_open_backs(&self, kind: KindId) -> Vec<AttrId> {
        let line = types::line_of(&self.model, kind);
        let is_fixed = |a: &Attr| {
            let fixes = |f: &Fill<'_>| matches!(f, Fill::Value(f) if f.name.text == *a.name);
            self.kind_fills.iter().any(|(k, f)| line.contains(k) && fixes(f))
        };
        let of_kind = |k: &KindId| {
            let k = *k;
            let all = (0u32..).map(AttrId).zip(&self.model.attrs);
            all.filter(move |(_, a)| a.of == Some(k) && a.side == AttrSide::Back && a.has_of.is_none())
        };
        line.iter().rev().flat_map(of_kind).filter(|(_, a)| !is_fixed(a)).map(|(id, _)| id).collect()
    }
}
