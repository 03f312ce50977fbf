//! What mods say of each other and of their game: which are needed, which cannot be loaded together, in which order they are declared.
use super::Declarer;
use crate::hir::*;
use crate::meetings::{ModText, find_meetings};
use crate::{codes, suggest};
use houserule_syntax::ast::{self, ModLine, ModLineKind};
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

/// The numbers of a version: `1.2` is 1 and 2.
pub fn read_version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|n| n.parse().ok().filter(|_| n.bytes().all(|b| b.is_ascii_digit()))).collect()
}

/// The lines of a mod that say something of others.
fn lines_of(m: &ast::ModDecl) -> impl Iterator<Item = &ModLine> {
    m.items.iter().filter_map(|i| if let ast::ItemKind::ModLine(line) = &i.kind { Some(line) } else { None })
}

/// The titles behind which a mod is declared.
fn list_older(m: &ast::ModDecl) -> impl Iterator<Item = &ast::Text> {
    lines_of(m)
        .filter(|line| matches!(line.kind, ModLineKind::Needs | ModLineKind::After))
        .flat_map(|line| &line.texts)
}

fn as_mod(item: &ast::Item) -> Option<&ast::ModDecl> {
    if let ast::ItemKind::Mod(m) = &item.kind { Some(m) } else { None }
}

impl<'t> Declarer<'t> {
    /// Declares all mods: each behind those that it needs or says it comes after, otherwise in the order of loading.
    pub(super) fn declare_mods(&mut self) {
        let mut waiting = std::mem::take(&mut self.mods);
        self.check_mods_together(&waiting);
        let mut ordered: Vec<ModText<'t>> = Vec::new();
        while !waiting.is_empty() {
            let waits_for = |m: &ast::ModDecl| {
                let older = |title: &&'_ ast::Text| {
                    let title = title.literal();
                    title != m.title.literal()
                        && waiting.iter().filter_map(|(i, _)| as_mod(i)).any(|x| x.title.literal() == title)
                };
                list_older(m).find(older).map(|t| t.span)
            };
            let ready =
                |(item, _): &(&ast::Item, ScopeId)| as_mod(item).is_none_or(|m| waits_for(m).is_none());
            let next = waiting.iter().position(ready);
            if next.is_none() {
                let at =
                    waiting.iter().filter_map(|(i, _)| as_mod(i)).find_map(waits_for).unwrap_or_default();
                let message = "these mods wait for each other: each is to be loaded after the other";
                let d = Diagnostic::error(codes::MODS_APART, at, message);
                self.report.push(d.help("leave out `after mod` or `needs mod` in one of them"));
            }
            let (item, scope) = waiting.remove(next.unwrap_or(0));
            self.declare_item(item, scope);
            ordered.extend(as_mod(item).map(|text| ModText { text, span: item.span }));
        }
        self.warn_meetings(&ordered);
    }

    /// What a mod demands of its game and of other mods that are loaded.
    fn check_mods_together(&mut self, all: &[(&'t ast::Item, ScopeId)]) {
        let mods: Vec<&'t ast::ModDecl> = all.iter().filter_map(|(i, _)| as_mod(i)).collect();
        let titles: Vec<String> = mods.iter().filter_map(|m| m.title.literal()).collect();
        let place = |title: &str| {
            mods.iter().find(|m| m.title.literal().as_deref() == Some(title)).map(|m| m.title.span)
        };
        for m in &mods {
            let own = m.title.literal().unwrap_or_default();
            for line in lines_of(m) {
                for text in &line.texts {
                    let Some(title) = text.literal() else {
                        let d = Diagnostic::error(
                            codes::MOD_LINE,
                            text.span,
                            "this text has an insertion, so it names nothing",
                        );
                        self.report.push(d.help("write the title as it stands in the other mod"));
                        continue;
                    };
                    if line.kind == ModLineKind::NeedsVersion {
                        self.check_version(&title, text.span);
                        continue;
                    }
                    if line.kind == ModLineKind::Breaks {
                        continue;
                    }
                    if title == own {
                        let d =
                            Diagnostic::error(codes::MOD_LINE, text.span, "a mod cannot say this of itself");
                        self.report.push(d.help("name another mod"));
                        continue;
                    }
                    match (line.kind, place(&title)) {
                        (ModLineKind::Conflicts, Some(at)) => {
                            let message = format!("“{own}” cannot be played together with “{title}”");
                            let d = Diagnostic::error(codes::MODS_APART, text.span, message);
                            self.report
                                .push(d.also(at, "which is loaded, too").help("leave one of the two out"));
                        }
                        (ModLineKind::Needs, None) => {
                            let message = format!("“{own}” needs the mod “{title}”, which is not loaded");
                            let d = Diagnostic::error(codes::NO_NEEDED_MOD, text.span, message);
                            let near = suggest::closest(
                                &title,
                                titles.iter().map(String::as_str).filter(|t| **t != *own),
                            );
                            self.report.push(suggest_title(
                                d,
                                near,
                                "load it, too: `--mod FILE`; one in the same folder is found by its title",
                            ));
                        }
                        (_, None) => {
                            // Whether such a mod exists is not known; a title that is nearly that of a loaded one is a slip.
                            let near = suggest::closest(
                                &title,
                                titles.iter().map(String::as_str).filter(|t| **t != *own),
                            );
                            if near.is_some() {
                                let message = format!("no mod that is loaded is called “{title}”");
                                let d = Diagnostic::warning(codes::NO_SUCH_TITLE, text.span, message);
                                self.report.push(suggest_title(d, near, ""));
                            }
                        }
                        (_, Some(_)) => {}
                    }
                }
            }
        }
    }

    /// `needs version "1.2"`.
    fn check_version(&mut self, wanted: &str, at: Span) {
        let Some(least) = read_version(wanted) else {
            self.report_no_version(wanted, at);
            return;
        };
        let of_game = self.model.version.clone();
        match of_game.as_deref().map(|v| (v, read_version(v))) {
            None => {
                let message =
                    format!("this needs version {wanted} of the game, and the game says of no version");
                let d = Diagnostic::error(codes::OLD_GAME, at, message);
                self.report
                    .push(d.help("write `version \"…\"` into the game's header, or leave this line out"));
            }
            Some((v, Some(own))) if own < least => {
                let message = format!("this needs version {wanted} of the game, which is of version {v}");
                let d = Diagnostic::error(codes::OLD_GAME, at, message);
                self.report
                    .push(d.help("take a newer edition of the game's rules, or an older one of the mod"));
            }
            Some(_) => {}
        }
    }

    fn report_no_version(&mut self, text: &str, at: Span) {
        let message = format!("“{text}” is not a version");
        let d = Diagnostic::error(codes::MOD_LINE, at, message);
        self.report.push(d.help("write numbers with dots between them: `version \"1.2\"`"));
    }

    /// `version "1.2"` in the header.
    pub(super) fn declare_version(&mut self, text: &'t ast::Text) {
        let version = self.read_plain_text(text);
        if read_version(&version).is_none() {
            self.report_no_version(&version, text.span);
        }
        self.model.version = Some(version);
    }

    /// A line of a mod, in its scope.
    pub(super) fn declare_mod_line(&mut self, line: &'t ModLine, span: Span, scope: ScopeId) {
        let is_mod = |s: &Scope| s.kind == ScopeKind::Mod;
        if !self.model.scopes.get(scope.index()).is_some_and(is_mod) {
            let d = Diagnostic::error(codes::MOD_LINE, span, "only a mod says this");
            self.report.push(d.help("write it in a `mod \"…\" for GAME { … }`"));
            return;
        }
        let texts: Vec<(Arc<str>, Span)> =
            line.texts.iter().map(|t| (t.literal().unwrap_or_default().into(), t.span)).collect();
        let Some(own) = self.model.scopes.get_mut(scope.index()) else { return };
        match line.kind {
            ModLineKind::Breaks => own.breaks.extend(texts),
            ModLineKind::Needs => own.needs_mods.extend(texts),
            ModLineKind::Conflicts | ModLineKind::After | ModLineKind::NeedsVersion => {}
        }
    }

    /// What a mod expects to break must be there: a test or an invariant of the game or of another mod.
    pub(super) fn check_expected_to_break(&mut self) {
        let m = &self.model;
        let tests = m.tests.iter().map(|t| (t.title.to_string(), t.scope));
        let known: Vec<(String, ScopeId)> =
            tests.chain(m.invariants.iter().map(|i| (i.title.to_string(), i.scope))).collect();
        for (i, scope) in m.scopes.iter().enumerate() {
            for (title, at) in &scope.breaks {
                let others = || known.iter().filter(|(_, of)| of.index() != i).map(|(t, _)| t.as_str());
                if others().any(|t| *t == **title) {
                    continue;
                }
                let own = known.iter().any(|(t, _)| **t == **title);
                let message = if own {
                    format!("“{title}” is a test or invariant of this mod itself")
                } else {
                    format!("there is no test and no invariant “{title}”")
                };
                let d = Diagnostic::error(codes::NO_SUCH_TEST, *at, message);
                let help = "name a test or an invariant of the game by its title";
                self.report.push(suggest_title(d, suggest::closest(title, others()), help));
            }
        }
    }

    /// Where two mods touch the same thing and nobody says which comes later.
    fn warn_meetings(&mut self, mods: &[ModText<'t>]) {
        for meeting in find_meetings(mods).into_iter().filter(|m| m.loses) {
            let [older, newer] =
                meeting.mods.map(|i| mods.get(i).and_then(|m| m.text.title.literal()).unwrap_or_default());
            let settled = |i: usize, other: &str| {
                let text = mods.get(i).map(|m| m.text);
                text.is_some_and(|m| list_older(m).any(|t| t.literal().as_deref() == Some(other)))
            };
            if settled(meeting.mods[1], &older) {
                continue;
            }
            let [a, b] = meeting.places;
            let message = format!("two mods meet at `{}`: {}", meeting.name, meeting.told);
            let d = Diagnostic::warning(codes::MODS_MEET, b, message).also(a, format!("here in “{older}”"));
            let help = format!(
                "write `after mod \"{older}\"` in “{newer}” if this is meant, `after mod \"{newer}\"` in “{older}” for the other order, or `conflicts with mod \"…\"`"
            );
            self.report.push(d.help(help));
        }
    }
}

/// A finding with the title that was probably meant, or this help.
fn suggest_title(d: Diagnostic, near: Option<&str>, help: &str) -> Diagnostic {
    match near {
        Some(near) => {
            Diagnostic { fix: Some(format!("\"{near}\"")), ..d.help(format!("did you mean “{near}”?")) }
        }
        None => d.help(help),
    }
}
