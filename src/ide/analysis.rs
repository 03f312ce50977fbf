//! The analysis of a game's texts at one moment: both trees of each file, the checked game, what each word means, and the findings. All other features read it.
use houserule_model::{self as model, Checked, Uses, hir::Model};
use houserule_syntax::{self as syntax, Parsed, Tree, ast};
use houserule_text::{Diagnostic, File, FileId, Files, Report, Source, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A game's texts, read and checked. Plain data: it may be made on another thread and handed over.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// All texts, in load order; spans and the trees are of these.
    pub files: Files,
    /// Every byte of each file, in tokens and nodes, by the file's number.
    pub trees: Vec<Arc<Tree>>,
    /// What each file says, by its number.
    pub asts: Vec<Arc<ast::File>>,
    /// The game as far as it is understood, also where something is wrong with it. Shared, so that it can be played without being checked again.
    pub model: Arc<Model>,
    /// Which word means which declaration.
    pub uses: Uses,
    /// Whether nothing is wrong with it, so that it can be played.
    pub sound: bool,
    /// All findings, in order of file and place.
    pub report: Report,
    /// What was found while each file was read, for the next analysis.
    form: Vec<Arc<[Diagnostic]>>,
}

/// A place in a text: a file by its name, and bytes of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The file's name.
    pub file: Arc<str>,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Location {
    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Analysis {
    /// Reads and checks everything that a source holds.
    pub fn from_source(source: &dyn Source) -> Analysis {
        Self::make_from(None, source)
    }

    /// Analyses a source after a change: files whose texts have not changed are not parsed again.
    pub fn after_change(before: &Analysis, source: &dyn Source) -> Analysis {
        Self::make_from(Some(before), source)
    }

    fn make_from(before: Option<&Analysis>, source: &dyn Source) -> Analysis {
        let mut files = Files::new();
        let mut report = Report::default();
        let (mut trees, mut asts, mut form) = (Vec::new(), Vec::new(), Vec::new());
        for file in source.files().into_iter().take(model::MOST_FILES + 1) {
            let id = files.add(file);
            let Some(f) = files.get(id) else { continue };
            // Spans hold the file's number: the same text under another number is another tree.
            let known = before.filter(|b| b.files.get(id).is_some_and(|old| old.text == f.text));
            let i = id.0 as usize;
            match known.and_then(|b| Some((b.trees.get(i)?, b.asts.get(i)?, b.form.get(i)?))) {
                Some((tree, ast, found)) => {
                    trees.push(tree.clone());
                    asts.push(ast.clone());
                    form.push(found.clone());
                }
                None => {
                    let Parsed { tree, ast, findings } = syntax::parse(id, &f.text);
                    trees.push(Arc::new(tree));
                    asts.push(Arc::new(ast));
                    form.push(findings.into());
                }
            }
        }
        report.findings.extend(form.iter().flat_map(|f| f.iter().cloned()));
        let read: Vec<&ast::File> = asts.iter().map(|a| &**a).collect();
        let Checked { files, model, draft, report, uses } = model::check_read(files, &read, report, source);
        let sound = model.is_some();
        let model = Arc::new(model.unwrap_or(draft));
        Analysis { files, trees, asts, model, uses, sound, report, form }
    }

    /// Analyses this game with some texts replaced, by the files' names: what would be if an edit were carried out.
    pub fn with_texts(&self, texts: &BTreeMap<Arc<str>, String>) -> Analysis {
        Self::after_change(self, &EditedSource { base: self, texts })
    }

    /// A file by its name.
    pub fn file(&self, name: &str) -> Option<(FileId, &File)> {
        self.files.iter().find(|(_, f)| f.name == name)
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.files.slice(span)
    }

    /// A span with its file's name.
    pub fn to_place(&self, span: Span) -> Option<Location> {
        let file = self.files.get(span.file)?.name.as_str().into();
        Some(Location { file, start: span.start as usize, end: span.end as usize })
    }

    /// The findings of one file, in order of place.
    pub fn findings(&self, file: FileId) -> impl Iterator<Item = &Diagnostic> {
        self.report.findings.iter().filter(move |d| d.at.span.file == file)
    }
}

/// An analysis' own texts, some of them replaced.
struct EditedSource<'a> {
    base: &'a Analysis,
    texts: &'a BTreeMap<Arc<str>, String>,
}

impl Source for EditedSource<'_> {
    fn files(&self) -> Vec<File> {
        let now = |f: &File| match self.texts.get(f.name.as_str()) {
            Some(text) => File::new(f.name.clone(), text.clone()),
            None => f.clone(),
        };
        self.base.files.iter().map(|(_, f)| now(f)).collect()
    }

    fn read(&self, _beside: &str, name: &str) -> Option<String> {
        let hook = self.base.model.hooks.iter().find(|h| &*h.file == name)?;
        (!hook.script.is_empty()).then(|| hook.script.to_string())
    }
}
