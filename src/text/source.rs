//! Files and the trait through which they are read: from memory (tests, the editor, built-in games) or from disk (the command line).
use super::{FileId, LineCol, LineIndex, Span};

/// One file: a name for people and machines (a relative path with `/`) and its text.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, such as `rules/draw/draw.rules`.
    pub name: String,
    /// Its text as read; a byte order mark and carriage returns are still in it.
    pub text: String,
    lines: LineIndex,
}

impl File {
    /// A file of that name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        File { name: name.into(), lines: LineIndex::new(&text), text }
    }

    /// Line and column of a byte offset.
    pub fn line_col(&self, offset: usize) -> LineCol {
        self.lines.line_col(&self.text, offset)
    }

    /// The number of the line, from 0, that holds a byte.
    pub fn line_of(&self, offset: usize) -> usize {
        self.lines.line_of(offset.min(self.text.len()))
    }

    /// How many lines there are; at least one.
    pub fn line_count(&self) -> usize {
        self.lines.count()
    }

    /// The bytes of a line, counted from 0, without its end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        self.lines.range(line, self.text.len())
    }
}

/// All files of one load, numbered in load order: game, then scenarios, then mods.
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: Vec<File>,
}

impl Files {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and gives its number.
    pub fn add(&mut self, file: File) -> FileId {
        self.files.push(file);
        FileId((self.files.len() - 1) as u16)
    }

    /// The file of that number, if there is one.
    pub fn get(&self, id: FileId) -> Option<&File> {
        self.files.get(id.0 as usize)
    }

    /// The text that a span covers; empty if it is of no file here.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.range())).unwrap_or("")
    }

    /// `name:line:col` of a span's beginning.
    pub fn place(&self, span: Span) -> String {
        match self.get(span.file) {
            Some(f) => {
                let at = f.line_col(span.start as usize);
                format!("{}:{}:{}", f.name, at.line, at.col)
            }
            None => String::from("?"),
        }
    }

    /// Numbers and files in order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u16), f))
    }

    /// How many files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Where a game's files come from. Names are relative paths with `/`.
///
/// The engine never touches a disk: the command line hands in a source that does, tests hand in [`Files`].
pub trait Source {
    /// Every `.rules` and `.scenario` file of the game, in load order (rules before scenarios, then by name).
    fn files(&self) -> Vec<File>;
    /// Another text that the rules name, such as a hook's script: `name` is relative to the rule file `beside`.
    fn read(&self, beside: &str, name: &str) -> Option<String>;
}

/// Folders beside rules in which what they name is found, too: scripts and images.
pub const INSIDE: [&str; 2] = ["hooks", "images"];

impl Source for Files {
    fn files(&self) -> Vec<File> {
        self.files
            .iter()
            .filter(|f| f.name.ends_with(".rules") || f.name.ends_with(".scenario"))
            .cloned()
            .collect()
    }

    fn read(&self, beside: &str, name: &str) -> Option<String> {
        let folder = beside.rsplit_once('/').map_or("", |(f, _)| f);
        let named = |inner: &str| match (folder, inner) {
            ("", "") => name.to_string(),
            ("", inner) => format!("{inner}/{name}"),
            (folder, "") => format!("{folder}/{name}"),
            (folder, inner) => format!("{folder}/{inner}/{name}"),
        };
        let places = [named(""), named(INSIDE[0]), named(INSIDE[1])];
        self.files.iter().find(|f| places.contains(&f.name)).map(|f| f.text.clone())
    }
}
