//! Limits on how many declarations a game may have. A larger game is refused before its bodies are read.
use super::{Declarer, Job};
use crate::codes;
use houserule_syntax::{self as syntax, ast};
use houserule_text::{Code, Diagnostic, FileId, Files, Span};

/// How many files of rules and scenarios a game may have.
pub const MOST_FILES: usize = 1000;

/// The finding for the first file that is too much.
pub fn report_too_many_files(file: FileId) -> Diagnostic {
    let message = format!("a game may have at most {MOST_FILES} files");
    Diagnostic::error(codes::TOO_MANY, Span::new(file, 0, 0), message)
        .help("join small files, and put each game into its own folder")
}

/// The finding for the file with which all of them together have too many words.
pub(super) fn find_too_many_tokens(files: &Files, trees: &[&ast::File]) -> Option<Diagnostic> {
    let mut tokens = 0;
    let full = trees.iter().position(|tree| {
        tokens += tree.tokens;
        tokens > syntax::MOST_TOKENS
    })?;
    // The file that alone has too many says so itself.
    let alone = trees.get(full).is_some_and(|tree| tree.tokens > syntax::MOST_TOKENS);
    let (id, _) = files.iter().nth(full).filter(|_| !alone)?;
    let message = format!("this game has more than {} words, numbers, signs and lines", syntax::MOST_TOKENS);
    let help = "the files after this one are not read; make the game shorter";
    Some(Diagnostic::error(syntax::codes::TOKENS, Span::new(id, 0, 0), message).help(help))
}

/// Whether a finding says that a file was not read.
pub(super) fn is_unread(code: Code) -> bool {
    [codes::TOO_MANY, syntax::codes::SIZE, syntax::codes::TOKENS].contains(&code)
}

impl Declarer<'_> {
    /// Whether there is too much of a sort; reported at the first that is too much.
    pub fn refuse_too_many(&mut self) -> bool {
        let m = &self.model;
        let attaches = |j: &Job| match j {
            Job::Attach(_, a, _) => Some(a.span),
            _ => None,
        };
        let sets_up = |j: &Job| match j {
            Job::Setup(_, b) => Some(b.span),
            _ => None,
        };
        let holds = |j: &Job| match j {
            Job::Needs(_, n) => Some(n.cond.span),
            Job::Invariant(.., span) | Job::Ending(.., span) => Some(*span),
            _ => None,
        };
        let tests = |j: &Job| match j {
            Job::Test(.., span) => Some(*span),
            _ => None,
        };
        let jobs =
            |sort: &dyn Fn(&Job) -> Option<Span>, most: usize| self.jobs.iter().filter_map(sort).nth(most);
        let found = [
            (1000, "kinds and enums", m.kinds.get(1000).map(|x| x.span)),
            (10_000, "members of kinds and enums", m.members.get(10_000).map(|x| x.span)),
            (2000, "attributes", m.attrs.get(2000).map(|x| x.span)),
            (1000, "zones", m.zones.get(1000).map(|x| x.span)),
            (200, "maps", m.maps.get(200).map(|x| x.span)),
            (5000, "values", m.values.get(5000).map(|x| x.span)),
            (5000, "rules and phases", m.rules.get(5000).map(|x| x.span)),
            (1000, "menus", m.menus.get(1000).map(|x| x.span)),
            (2000, "actions", m.actions.get(2000).map(|x| x.span)),
            (500, "variants, scenarios, parts and mods", m.scopes.get(501).map(|x| x.span)),
            (500, "options", m.options.get(500).map(|x| x.span)),
            (250, "hooks", m.hooks.get(250).map(|x| x.span)),
            (
                2000,
                "attachments (`modify`, `before`, `after`, `instead of`, `forbid`)",
                jobs(&attaches, 2000),
            ),
            (1000, "`setup` blocks", jobs(&sets_up, 1000)),
            (1000, "endings, invariants and conditions on the set-up", jobs(&holds, 1000)),
            (5000, "tests", jobs(&tests, 5000)),
        ];
        let mut refused = false;
        for (most, what, at) in found {
            let Some(at) = at else { continue };
            refused = true;
            let message = format!("a game may have at most {most} {what}");
            let d = Diagnostic::error(codes::TOO_MANY, at, message).label("this one is over the limit");
            self.report.push(d.help("leave some out, or fold several that are alike into one"));
        }
        refused
    }
}
