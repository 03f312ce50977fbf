//! `fmt`: formats rules.
use super::args::FmtArgs;
use super::io::{Exit, Failure, Io};
use super::load::Bundle;
use super::report;
use super::store::{Store, find_crowded, has_end, to_slashed, write_whole};
use houserule_model as model;
use houserule_syntax as syntax;
use houserule_text::{Diagnostic, File, FileId, Files};
use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;

/// The most that is read from standard input.
const LARGEST: u64 = 16 << 20;

/// Runs the command.
pub fn run(args: &FmtArgs, io: &mut Io) -> Result<Exit, Failure> {
    if args.paths.iter().any(|p| p.as_os_str() == "-") {
        if args.paths.len() > 1 {
            return Err(Failure::Usage(String::from("`-` stands alone: standard input to standard output")));
        }
        return from_input(args, io);
    }
    let (mut changed, mut broken, mut total) = (0, 0, 0);
    let files = gather_files(&args.paths)?;
    let crowded = find_crowded(&files);
    let mut refused = HashSet::new();
    for file in &files {
        total += 1;
        let name = to_slashed(file);
        if let Some(folder) = file.parent().filter(|f| crowded.contains(f)) {
            broken += 1;
            if refused.insert(folder) {
                show_findings(&name, String::new(), &[model::report_too_many_files(FileId(0))], io);
            }
            continue;
        }
        let bytes =
            Store::Disk.read(file).map_err(|e| Failure::Unreadable(format!("cannot read {name}: {e}")))?;
        let Some((text, new)) = lay_out(&name, bytes, io)? else {
            broken += 1;
            continue;
        };
        if text == new {
            continue;
        }
        changed += 1;
        if args.check {
            let line = first_difference(&text, &new);
            io.write_line(&format!("{name}:{line}: not formatted"))?;
        } else {
            write_whole(file, new.as_bytes())
                .map_err(|e| Failure::Unreadable(format!("cannot write {name}: {e}")))?;
            io.write_line(&format!("{name}: formatted"))?;
        }
    }
    let what = if total == 1 { String::from("1 file") } else { format!("{total} files") };
    let verb = if args.check { "not formatted" } else { "changed" };
    let mut line = format!("{what}, {changed} {verb}");
    if broken > 0 {
        line.push_str(&format!(", {broken} with errors left alone"));
    }
    io.write_line(&line)?;
    let bad = broken > 0 || (args.check && changed > 0);
    Ok(if bad { Exit::Findings } else { Exit::Fine })
}

fn from_input(args: &FmtArgs, io: &mut Io) -> Result<Exit, Failure> {
    let mut bytes = Vec::new();
    io.input.by_ref().take(LARGEST).read_to_end(&mut bytes)?;
    let Some((text, new)) = lay_out("<stdin>", bytes, io)? else { return Ok(Exit::Findings) };
    if args.check {
        return Ok(if text == new { Exit::Fine } else { Exit::Findings });
    }
    io.write_raw(&new)?;
    Ok(Exit::Fine)
}

/// The text and its layout; none if it has errors, which are then shown.
fn lay_out(name: &str, bytes: Vec<u8>, io: &mut Io) -> Result<Option<(String, String)>, Failure> {
    let id = FileId(0);
    let (text, findings) = match syntax::decode(id, bytes.clone()) {
        Ok(text) => match syntax::format_file(id, &text) {
            Ok(new) => return Ok(Some((text, new))),
            Err(findings) => (text, findings),
        },
        Err(finding) => (String::from_utf8_lossy(&bytes).into_owned(), vec![*finding]),
    };
    show_findings(name, text, &findings, io);
    Ok(None)
}

/// Shows the findings of a file.
fn show_findings(name: &str, text: String, findings: &[Diagnostic], io: &mut Io) {
    let mut files = Files::new();
    files.add(File::new(name, text));
    let text = report::draw_findings(&Bundle::default(), &files, findings, io);
    io.write_findings(&text);
}

/// Files to be laid out, in order.
fn gather_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let here = [PathBuf::new()];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut out: Vec<PathBuf> = Vec::new();
    for path in paths {
        if Store::Disk.is_dir(path) {
            let found = Store::Disk.walk_folder(path, &["rules", "scenario"]);
            out.extend(
                found.map_err(|e| Failure::Unreadable(format!("cannot read {}: {e}", to_slashed(path))))?,
            );
        } else if has_end(path, "rules") || has_end(path, "scenario") || path.is_file() {
            out.push(path.clone());
        } else {
            return Err(Failure::Unreadable(format!("there is no file or folder {}", to_slashed(path))));
        }
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn first_difference(a: &str, b: &str) -> usize {
    1 + a.lines().zip(b.lines()).take_while(|(x, y)| x == y).count()
}
