//! What a client asks of a place in a text: each answer is made by `ide`, here it gets the protocol's words.
use super::games::OpenGame;
use super::places::{Columns, Lines, to_uri};
use houserule_ide::cards::{CardKey, list_card_fields, list_cards};
use houserule_ide::draw::State;
use houserule_ide::{self as ide, Class, EditSet, Symbol};
use houserule_text::{Diagnostic, FileId, Label, Severity};
use lsp_types as lsp;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A file of an open game, as somebody asks about it.
pub struct Asked<'g> {
    /// The game.
    pub game: &'g OpenGame,
    /// The file's name in it.
    pub name: &'g str,
    /// How the client counts columns.
    pub columns: Columns,
}

impl<'g> Asked<'g> {
    fn id(&self) -> FileId {
        self.game.analysis.file(self.name).map(|(id, _)| id).unwrap_or_default()
    }

    fn text(&self) -> &'g str {
        self.game.analysis.file(self.name).map_or("", |(_, f)| &f.text)
    }

    fn lines(&self) -> Lines<'g> {
        Lines::new(self.text(), self.columns)
    }

    fn lines_of(&self, name: &str) -> Option<(lsp::Uri, Lines<'g>)> {
        let uri = to_uri(self.game.path_of(name)?)?;
        let (_, f) = self.game.analysis.file(name)?;
        Some((uri, Lines::new(&f.text, self.columns)))
    }

    fn location(&self, file: &str, range: Range<usize>) -> Option<lsp::Location> {
        let (uri, lines) = self.lines_of(file)?;
        Some(lsp::Location { uri, range: lines.to_range(range) })
    }

    fn location_of(&self, label: &Label) -> Option<lsp::Location> {
        let place = self.game.analysis.to_place(label.span)?;
        self.location(&place.file, place.range())
    }

    fn edit(&self, set: &EditSet) -> Option<lsp::WorkspaceEdit> {
        let mut by_file: HashMap<Arc<str>, Vec<&ide::Edit>> = HashMap::new();
        for e in set.edits() {
            by_file.entry(e.file.clone()).or_default().push(e);
        }
        #[allow(clippy::mutable_key_type)] // The protocol's own type.
        let mut changes = HashMap::new();
        for (file, edits) in by_file {
            // A file that came with the program cannot be changed.
            let (uri, lines) = self.lines_of(&file)?;
            let one = |e: &&ide::Edit| lsp::TextEdit {
                range: lines.to_range(e.range.clone()),
                new_text: e.text.clone(),
            };
            changes.insert(uri, edits.iter().map(one).collect());
        }
        Some(lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() })
    }

    /// The findings of the file.
    pub fn findings(&self) -> Vec<lsp::Diagnostic> {
        let lines = self.lines();
        self.game.findings(self.id()).into_iter().map(|d| self.finding(d, &lines)).collect()
    }

    fn finding(&self, d: &Diagnostic, lines: &Lines<'_>) -> lsp::Diagnostic {
        let mut message = d.message.clone();
        if let Some(help) = &d.help {
            message.push('\n');
            message.push_str(help);
        }
        let related = d.others.iter().filter_map(|label| {
            Some(lsp::DiagnosticRelatedInformation {
                location: self.location_of(label)?,
                message: label.text.clone(),
            })
        });
        let related: Vec<_> = related.collect();
        lsp::Diagnostic {
            range: lines.to_range(d.at.span.range()),
            severity: Some(match d.severity {
                Severity::Error => lsp::DiagnosticSeverity::ERROR,
                Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            }),
            code: Some(lsp::NumberOrString::String(d.code.0.to_string())),
            source: Some(String::from("houserule")),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..lsp::Diagnostic::default()
        }
    }

    /// What could be written at a place.
    pub fn completions(&self, at: lsp::Position) -> Vec<lsp::CompletionItem> {
        let lines = self.lines();
        let all = ide::complete(&self.game.analysis, self.name, self.text(), lines.to_offset(at));
        let item = |(i, x): (usize, ide::Item)| lsp::CompletionItem {
            kind: Some(completion_kind(x.class)),
            detail: Some(x.detail).filter(|d| !d.is_empty()),
            // The best is the first, not that with the first letter.
            sort_text: Some(format!("{i:05}")),
            text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
                range: lines.to_range(x.range),
                new_text: x.text.clone(),
            })),
            label: x.text,
            ..lsp::CompletionItem::default()
        };
        all.into_iter().enumerate().map(item).collect()
    }

    /// What is known of the word at a place.
    pub fn hover(&self, at: lsp::Position) -> Option<lsp::Hover> {
        let lines = self.lines();
        let h = ide::hover(&self.game.analysis, self.name, lines.to_offset(at))?;
        let mut parts = Vec::new();
        if !h.declaration.is_empty() {
            parts.push(format!("```houserule\n{}\n```", h.declaration));
        }
        let ty = h.ty.map_or(String::new(), |t| format!(", {t}"));
        parts.extend((!h.title.is_empty()).then(|| format!("{}{ty}", h.title)));
        parts.extend((!h.doc.is_empty()).then_some(h.doc));
        parts.extend(h.findings);
        Some(lsp::Hover {
            contents: lsp::HoverContents::Markup(lsp::MarkupContent {
                kind: lsp::MarkupKind::Markdown,
                value: parts.join("\n\n"),
            }),
            range: Some(lines.to_range(h.place.range())),
        })
    }

    /// Where the word at a place is declared.
    pub fn definition(&self, at: lsp::Position) -> Option<lsp::Location> {
        let place = ide::find_definition(&self.game.analysis, self.name, self.lines().to_offset(at))?;
        self.location(&place.file, place.range())
    }

    /// Where what the word at a place means is named.
    pub fn references(&self, at: lsp::Position, with_declaration: bool) -> Vec<lsp::Location> {
        let all = ide::find_references(&self.game.analysis, self.name, self.lines().to_offset(at));
        let wanted = all.into_iter().filter(|r| with_declaration || !r.declares);
        wanted.filter_map(|r| self.location(&r.place.file, r.place.range())).collect()
    }

    /// The same in this file, to be marked.
    pub fn highlights(&self, at: lsp::Position) -> Vec<lsp::DocumentHighlight> {
        let lines = self.lines();
        let all = ide::find_references(&self.game.analysis, self.name, lines.to_offset(at));
        let own = all.into_iter().filter(|r| &*r.place.file == self.name);
        own.map(|r| lsp::DocumentHighlight { range: lines.to_range(r.place.range()), kind: None }).collect()
    }

    /// Whether the word at a place can be renamed: its range.
    ///
    /// # Errors
    /// Why not.
    pub fn prepare_rename(&self, at: lsp::Position) -> Result<lsp::Range, String> {
        let lines = self.lines();
        let (place, _) =
            ide::check_rename(&self.game.analysis, self.name, lines.to_offset(at)).map_err(|r| r.why)?;
        Ok(lines.to_range(place.range()))
    }

    /// The edits that give the word at a place another name.
    ///
    /// # Errors
    /// Why there are none.
    pub fn rename(&self, at: lsp::Position, new: &str) -> Result<lsp::WorkspaceEdit, String> {
        let offset = self.lines().to_offset(at);
        let set = ide::rename(&self.game.analysis, self.name, offset, new).map_err(|r| r.why)?;
        self.edit(&set).ok_or_else(|| String::from("the name stands in a file that came with the program"))
    }

    /// The edits that lay the file out.
    ///
    /// # Errors
    /// Why there are none: the file has errors.
    pub fn format(&self) -> Result<Vec<lsp::TextEdit>, String> {
        let set = ide::format_text(self.name, self.text()).map_err(|r| r.why)?;
        let lines = self.lines();
        let one = |e: &ide::Edit| lsp::TextEdit {
            range: lines.to_range(e.range.clone()),
            new_text: e.text.clone(),
        };
        Ok(set.edits().iter().map(one).collect())
    }

    /// The declarations of the file.
    pub fn symbols(&self) -> Vec<lsp::DocumentSymbol> {
        let lines = self.lines();
        ide::make_outline(&self.game.analysis, self.id()).iter().map(|s| to_symbol(s, &lines)).collect()
    }

    /// What can be mended in a range.
    pub fn fixes(&self, range: lsp::Range) -> Vec<lsp::CodeActionOrCommand> {
        let lines = self.lines();
        let all = ide::find_fixes(&self.game.analysis, self.name, lines.to_bytes(range));
        let findings = self.findings();
        let action = |fix: ide::Fix| {
            let code = Some(lsp::NumberOrString::String(fix.code.0.to_string()));
            let mends = findings.iter().filter(|d| d.code == code).cloned().collect();
            Some(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
                title: fix.title.clone(),
                kind: Some(lsp::CodeActionKind::QUICKFIX),
                diagnostics: Some(mends),
                edit: Some(self.edit(&fix.edits)?),
                ..lsp::CodeAction::default()
            }))
        };
        all.into_iter().filter_map(action).collect()
    }

    /// What can be folded.
    pub fn folds(&self) -> Vec<lsp::FoldingRange> {
        let one = |f: ide::Fold| lsp::FoldingRange {
            start_line: f.first as u32,
            end_line: f.last as u32,
            ..lsp::FoldingRange::default()
        };
        ide::find_folds(&self.game.analysis, self.id()).into_iter().map(one).collect()
    }

    /// The class of each word, as the protocol packs it.
    pub fn tokens(&self) -> Vec<lsp::SemanticToken> {
        let (lines, text) = (self.lines(), self.text());
        let mut out = Vec::new();
        let (mut line, mut column) = (0, 0);
        for h in ide::highlight(&self.game.analysis, self.id()) {
            let Some(sort) = TOKENS.iter().position(|(class, _)| *class == h.class) else { continue };
            // One line each: a client need not know others.
            let mut from = h.range.start;
            for piece in text.get(h.range).unwrap_or("").split_inclusive('\n') {
                let own = piece.trim_end_matches('\n');
                let (start, end) = (lines.to_position(from), lines.to_position(from + own.len()));
                from += piece.len();
                if end.character == start.character {
                    continue;
                }
                let delta_start = if start.line == line { start.character - column } else { start.character };
                out.push(lsp::SemanticToken {
                    delta_line: start.line - line,
                    delta_start,
                    length: end.character - start.character,
                    token_type: sort as u32,
                    token_modifiers_bitset: u32::from(h.declares),
                });
                (line, column) = (start.line, start.character);
            }
        }
        out
    }

    /// What cards have that is not written on them, behind their names.
    pub fn hints(&self, range: lsp::Range) -> Vec<lsp::InlayHint> {
        let lines = self.lines();
        let (bytes, file) = (lines.to_bytes(range), self.id());
        let set = list_cards(&self.game.analysis);
        let cards = set.groups.iter().flat_map(|g| &g.cards);
        let here =
            cards.filter(|c| c.name_span.file == file && bytes.contains(&(c.name_span.start as usize)));
        let mut out: Vec<lsp::InlayHint> = Vec::new();
        for card in here {
            let fields = list_card_fields(&self.game.analysis, &card.id);
            let inherited = fields.iter().filter(|f| matches!(f.state, State::Inherited | State::Default));
            let told: Vec<String> = inherited
                .filter_map(|f| match &f.key {
                    CardKey::Value(name) if !f.text.is_empty() => Some(format!("{name}: {}", f.text)),
                    _ => None,
                })
                .collect();
            let position = lines.to_position(card.name_span.end as usize);
            // The faces of a family stand in one place.
            if !told.is_empty() && out.last().is_none_or(|last| last.position != position) {
                out.push(lsp::InlayHint {
                    position,
                    label: lsp::InlayHintLabel::String(format!("({})", told.join("; "))),
                    kind: None,
                    text_edits: None,
                    tooltip: Some(lsp::InlayHintTooltip::String(String::from(
                        "not written here: what the kind gives",
                    ))),
                    padding_left: Some(true),
                    padding_right: Some(false),
                    data: None,
                });
            }
        }
        out
    }
}

fn to_symbol(s: &Symbol, lines: &Lines<'_>) -> lsp::DocumentSymbol {
    let name = if s.name.trim().is_empty() { s.sort.to_string() } else { s.name.clone() };
    // A name must lie inside its declaration.
    let whole = s.range.start.min(s.at.start)..s.range.end.max(s.at.end);
    #[allow(deprecated)] // The type has no other way to be made.
    lsp::DocumentSymbol {
        name,
        detail: Some(s.sort.to_string()),
        kind: symbol_kind(s.class),
        tags: None,
        deprecated: None,
        range: lines.to_range(whole),
        selection_range: lines.to_range(s.at.clone()),
        children: Some(s.inside.iter().map(|x| to_symbol(x, lines)).collect()),
    }
}

/// Classes of words, with the protocol's name for the sort of token.
pub const TOKENS: &[(Class, &str)] = &[
    (Class::Keyword, "keyword"),
    (Class::Builtin, "macro"),
    (Class::Kind, "class"),
    (Class::Member, "enumMember"),
    (Class::Player, "enumMember"),
    (Class::Attribute, "property"),
    (Class::Zone, "property"),
    (Class::Map, "struct"),
    (Class::Value, "function"),
    (Class::Rule, "function"),
    (Class::Action, "method"),
    (Class::Menu, "type"),
    (Class::Option, "variable"),
    (Class::Scope, "namespace"),
    (Class::Hook, "function"),
    (Class::Local, "parameter"),
    (Class::Name, "variable"),
    (Class::Number, "number"),
    (Class::Text, "string"),
    (Class::Comment, "comment"),
    (Class::Doc, "comment"),
    (Class::Sign, "string"),
    (Class::Picture, "string"),
];

fn completion_kind(class: Class) -> lsp::CompletionItemKind {
    use lsp::CompletionItemKind as K;
    match class {
        Class::Keyword => K::KEYWORD,
        Class::Kind => K::CLASS,
        Class::Member | Class::Player | Class::Sign => K::ENUM_MEMBER,
        Class::Attribute | Class::Zone => K::PROPERTY,
        Class::Map => K::STRUCT,
        Class::Value | Class::Rule | Class::Hook | Class::Builtin => K::FUNCTION,
        Class::Action => K::METHOD,
        Class::Menu => K::INTERFACE,
        Class::Option | Class::Local | Class::Name => K::VARIABLE,
        Class::Scope => K::MODULE,
        _ => K::TEXT,
    }
}

fn symbol_kind(class: Class) -> lsp::SymbolKind {
    use lsp::SymbolKind as K;
    match class {
        Class::Kind => K::CLASS,
        Class::Member | Class::Player => K::ENUM_MEMBER,
        Class::Attribute | Class::Zone => K::PROPERTY,
        Class::Map => K::STRUCT,
        Class::Value | Class::Rule | Class::Hook => K::FUNCTION,
        Class::Action => K::METHOD,
        Class::Menu => K::INTERFACE,
        Class::Option | Class::Local | Class::Name => K::VARIABLE,
        Class::Scope => K::MODULE,
        _ => K::EVENT,
    }
}
