//! The entry of this room: a text in; the lossless tree, the typed tree and the findings out.
use super::ast;
use super::build::Builder;
use super::codes;
use super::explain::explain_bad;
use super::grammar::{Grammar, Rule};
use super::scan::{self, Scan};
use super::tree::{Tree, TreeBuilder};
use houserule_text::{Diagnostic, FileId, Span};
use pest::Parser;
use pest::error::InputLocation;

/// How many bytes a file may hold.
pub const LARGEST: usize = 4 << 20;

/// Of how many pieces that cannot be read it is said what was expected.
const MOST_EXPLAINED: usize = 1000;

/// What a text turned out to be. Trees are always there, however broken the text is.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// Every byte of the text, in tokens and nodes.
    pub tree: Tree,
    /// What the text says.
    pub ast: ast::File,
    /// What is wrong with its form, in order of place.
    pub findings: Vec<Diagnostic>,
}

/// Reads bytes as the text of rules: UTF-8. The error is a finding at the first byte that is no character.
pub fn decode(file: FileId, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let finding = Diagnostic::error(codes::BYTES, Span::new(file, at, at), "this file is not UTF-8 text");
        Box::new(finding.help("save it as UTF-8 in your editor"))
    })
}

/// Parses a text of at most [`LARGEST`] bytes; of a larger one only that is said. Never fails, never panics, linear in the text's length.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut tree = TreeBuilder::new(text);
    let (ast, findings) = parse_into(file, text, Some(&mut tree));
    Parsed { tree: tree.finish_tree(text), ast, findings }
}

/// Parses without the lossless tree, for callers that only need the typed one.
pub fn read(file: FileId, text: &str) -> (ast::File, Vec<Diagnostic>) {
    parse_into(file, text, None)
}

/// The declarations of a text as far as their heads: what stands in curly brackets is left out, unless brackets do not match. A fraction of the work of [`read`].
/// Places are those of a shorter text.
pub fn read_heads(text: &str) -> Vec<ast::Item> {
    let file = FileId(0);
    let scan = scan::scan(file, text);
    let mut heads = String::new();
    let mut end = 0;
    for (from, to) in scan.bodies.iter().filter(|_| scan.findings.is_empty()) {
        heads.push_str(text.get(end..*from).unwrap_or_default());
        end = *to;
    }
    heads.push_str(text.get(end..).unwrap_or_default());
    read(file, &heads).0.items
}

fn parse_into(file: FileId, text: &str, mut tree: Option<&mut TreeBuilder>) -> (ast::File, Vec<Diagnostic>) {
    let whole = Span::new(file, 0, text.len());
    if text.len() > LARGEST {
        let at = Span::new(file, 0, 0);
        let finding = Diagnostic::error(codes::SIZE, at, "this file is too large")
            .help(format!("a file may have at most {} MiB; split it in two", LARGEST >> 20));
        return (ast::File { items: Vec::new(), span: whole, tokens: 0, eithers: Vec::new() }, vec![finding]);
    }
    let scan = scan::scan(file, text);
    let mut findings = scan.findings.clone();
    let (mut items, mut eithers) = (Vec::new(), Vec::new());
    let mut explained = 0;
    for chunk in &scan.chunks {
        let given = scan.chunk_text(text, chunk);
        match Grammar::parse(Rule::file, &given) {
            Ok(mut pairs) => {
                let Some(pair) = pairs.next() else { continue };
                if let Some(tree) = &mut tree {
                    tree.add_chunk(pair.clone(), chunk.start, chunk.end);
                }
                let mut builder = Builder::new(file, chunk.start, chunk.end - chunk.start);
                let mut part = builder.build_file(pair);
                items.append(&mut part.items);
                eithers.append(&mut part.eithers);
                findings.append(&mut builder.findings);
                for bad in &builder.bad {
                    let (start, end) = (chunk.start + bad.start, (chunk.start + bad.end).min(chunk.end));
                    // In what was never closed, the next declarations look like statements.
                    let swallowed = !chunk.closers.is_empty()
                        && bad.rule != Rule::bad_item
                        && scan::is_declaration_start(given.get(bad.start..bad.end).unwrap_or(""));
                    if start < end && !swallowed && !is_damaged(&scan, start, end) {
                        let piece = given.get(bad.start..bad.end).unwrap_or("");
                        let span = Span::new(file, start, end);
                        explained += 1;
                        findings.push(if explained <= MOST_EXPLAINED {
                            explain_bad(bad, piece, span)
                        } else {
                            Diagnostic::error(codes::ITEM, span, "this cannot be read")
                                .help("mend the entries above first")
                        });
                    }
                }
            }
            Err(error) => {
                // The grammar takes every balanced text; if it does not, say so at the place instead of going wrong in silence.
                let at = match error.location {
                    InputLocation::Pos(p) | InputLocation::Span((p, _)) => (chunk.start + p).min(chunk.end),
                };
                let span = Span::new(file, at, (at + 1).min(chunk.end));
                findings.push(Diagnostic::error(
                    codes::ITEM,
                    span,
                    "the rest of the file cannot be read from here",
                ));
            }
        }
    }
    findings.sort_by_key(|d| (d.at.span, d.code));
    findings.dedup();
    (ast::File { items, span: whole, tokens: scan.tokens, eithers }, findings)
}

/// Whether something in that range has been reported already.
fn is_damaged(scan: &Scan, start: usize, end: usize) -> bool {
    // Few and short: a file with much damage has few entries.
    let upto = scan.damaged.partition_point(|(from, _)| *from < end);
    scan.damaged.iter().take(upto).rev().take(1000).any(|(_, to)| *to > start)
}
