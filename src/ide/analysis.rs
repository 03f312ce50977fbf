//! What is known of a game's texts at one moment: both trees of each file, the checked game, and what it looked like when it last was sound.
use crate::model::{self, Checked, hir::Model};
use crate::syntax::{self, Tree, ast};
use crate::text::{File, FileId, Files, Report, Source, Span};

/// A game's texts, read and checked. Plain data: it may be made on another thread and handed over.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// All texts, in load order; spans and the trees are of these.
    pub files: Files,
    /// Every byte of each file, in tokens and nodes, by the file's number; empty for scripts.
    pub trees: Vec<Tree>,
    /// What each file says, by its number.
    pub asts: Vec<ast::File>,
    /// The game as far as it is understood, also where something is wrong with it.
    pub model: Model,
    /// Whether nothing is wrong with it, so that it can be played.
    pub sound: bool,
    /// All findings, in order of file and place.
    pub report: Report,
}

impl Analysis {
    /// Reads and checks everything that a source holds.
    pub fn of(source: &dyn Source) -> Analysis {
        let Checked { files, model, draft, report } = model::check(source);
        let (trees, asts) = files
            .iter()
            .map(|(id, f)| {
                let parsed = syntax::parse(id, &f.text);
                (parsed.tree, parsed.ast)
            })
            .unzip();
        let sound = model.is_some();
        Analysis { files, trees, asts, model: model.unwrap_or(draft), sound, report }
    }

    /// A file by its name.
    pub fn file(&self, name: &str) -> Option<(FileId, &File)> {
        self.files.iter().find(|(_, f)| f.name == name)
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.files.slice(span)
    }
}
