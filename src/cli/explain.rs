//! `explain CODE`: prints what a finding means, with a wrong and a right example.
use super::args::{ExplainArgs, Format};
use super::io::{Exit, Failure, Io, escape_json};
use houserule_model as model;
use houserule_play as play;
use houserule_syntax as syntax;
use houserule_text::CodeInfo;

/// Every documented code, in order.
pub fn all_codes() -> Vec<CodeInfo> {
    let tables = [
        syntax::CODES,
        model::codes::TABLE,
        model::body::codes::TABLE,
        houserule_program::CODES,
        play::codes::TABLE,
    ];
    let mut all: Vec<CodeInfo> = tables.iter().flat_map(|t| t.iter().copied()).collect();
    all.sort_by_key(|c| c.code);
    all
}

/// Runs the command.
pub fn run(args: &ExplainArgs, io: &mut Io) -> Result<Exit, Failure> {
    let all = all_codes();
    let Some(word) = &args.code else {
        if args.format == Format::Json {
            let list: Vec<_> = all.iter().map(to_json).collect();
            io.write_line(&to_pretty_json(&serde_json::json!({ "version": 1, "codes": list })))?;
            return Ok(Exit::Fine);
        }
        for info in &all {
            let line = format!("{}  {}", io.to_bold(info.code.0), info.title);
            io.write_line(&line)?;
        }
        return Ok(Exit::Fine);
    };
    let wanted = word.to_ascii_uppercase();
    let Some(info) = all.iter().find(|c| c.code.0 == wanted) else {
        let near = model::suggest::closest(&wanted, all.iter().map(|c| c.code.0));
        let hint = near.map_or(String::from("; `houserule explain` lists all of them"), |n| {
            format!("; did you mean {n}?")
        });
        return Err(Failure::Usage(format!("there is no code {word}{hint}")));
    };
    if args.format == Format::Json {
        io.write_line(&to_pretty_json(&to_json(info)))?;
        return Ok(Exit::Fine);
    }
    let head = format!("{}: {}", io.to_bold(info.code.0), io.to_bold(info.title));
    io.write_line(&head)?;
    io.write_line("")?;
    for line in wrap_text(info.text, io.width.min(100)) {
        io.write_line(&line)?;
    }
    show_part(io, "Wrong:", info.wrong)?;
    show_part(io, "Right:", info.right)?;
    Ok(Exit::Fine)
}

fn show_part(io: &mut Io, head: &str, text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return Ok(());
    }
    io.write_line("")?;
    let head = io.to_bold(head);
    io.write_line(&head)?;
    for line in text.lines() {
        io.write_line(&format!("    {line}"))?;
    }
    Ok(())
}

fn to_json(info: &CodeInfo) -> serde_json::Value {
    serde_json::json!({
        "code": info.code.0, "title": info.title, "text": info.text, "wrong": info.wrong, "right": info.right,
    })
}

/// A JSON value for people too.
pub fn to_pretty_json(value: &serde_json::Value) -> String {
    escape_json(serde_json::to_string_pretty(value).unwrap_or_default())
}

/// A text in lines of at most that many characters; its own line ends stay.
pub fn wrap_text(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
