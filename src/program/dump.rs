//! Disassembler: prints a program as text, for `houserule dump` and for tests.
//!
//! Each line is one instruction: position, name, operands (`r3` is a register, every other operand has its name). Where the source place changes, a line names
//! it.
use crate::ir::*;
use houserule_text::Files;
use std::fmt::Write;

/// Prints the whole program; with `stats` only the figures. Source places are printed if the files are given.
pub fn dump(p: &Program, files: Option<&Files>, stats: bool) -> String {
    let mut out = String::new();
    write_figures(p, &mut out);
    if !stats {
        write_listing(p, files, &mut out);
    }
    out
}

/// Number of loops in the enumerator of an action that could not be vectorised. Loops over parameters are not counted.
pub fn residual_loops(p: &Program, action: ActionIx) -> usize {
    let Some(a) = p.actions.get(action.index()) else { return 0 };
    let loops: usize = reachable_functions(p, a.enumerator).into_iter().map(|f| loops_in(p, f)).sum();
    loops.saturating_sub(a.params.len().saturating_sub(1))
}

/// A function and all functions that it calls.
fn reachable_functions(p: &Program, from: FuncId) -> Vec<FuncId> {
    let mut seen = vec![from];
    let mut i = 0;
    while let Some(f) = seen.get(i).copied() {
        i += 1;
        for ins in code_of(p, f) {
            if let Ins::Call { f, .. } = ins
                && !seen.contains(f)
            {
                seen.push(*f);
            }
        }
    }
    seen
}

/// Counts jumps backwards, but not loops over parameters.
fn loops_in(p: &Program, f: FuncId) -> usize {
    let start = p.funcs.get(f.index()).map_or(0, |f| f.start) as usize;
    let code = code_of(p, f);
    let lists = |ins: &Ins| matches!(ins, Ins::Options { .. } | Ins::Subsets { .. } | Ins::Option { .. });
    let round = |(i, ins): (usize, &Ins)| {
        let to = (ins.target()? as usize).checked_sub(start)?;
        code.get(to..=i)
    };
    code.iter().enumerate().filter_map(round).filter(|round| !round.iter().any(lists)).count()
}

fn code_of(p: &Program, f: FuncId) -> &[Ins] {
    p.funcs.get(f.index()).and_then(|f| p.code.get(f.start as usize..f.end as usize)).unwrap_or(&[])
}

fn write_figures(p: &Program, out: &mut String) {
    let _ = writeln!(out, "{}: {} players, {} seats", p.title, p.players, p.seats);
    let _ = writeln!(
        out,
        "code: {} instructions of 8 bytes in {} functions ({} pure)",
        p.code.len(),
        p.funcs.len(),
        p.funcs.iter().filter(|f| f.pure_).count()
    );
    let _ = writeln!(
        out,
        "state: {} numbers and {} words of sets, {} bytes, without frames",
        p.cells,
        p.planes,
        p.cells as usize * 4 + p.planes as usize * 8
    );
    let _ = writeln!(
        out,
        "constants: {} words of sets, {} tables, {} line tables, {} texts",
        p.sets.len(),
        p.tables.len(),
        p.line_tables.len(),
        p.templates.len()
    );
    for (i, a) in p.actions.iter().enumerate() {
        let reach = reachable_functions(p, a.enumerator);
        let _ = writeln!(
            out,
            "action {}: {} parameters, {} guards, enumerated by {} instructions with {} loops left",
            a.name,
            a.params.len(),
            a.guards.len(),
            reach.iter().map(|f| code_of(p, *f).len()).sum::<usize>(),
            residual_loops(p, ActionIx(i as u16))
        );
    }
}

fn write_listing(p: &Program, files: Option<&Files>, out: &mut String) {
    for u in &p.universes {
        let _ = writeln!(out, "universe {}: {} things, {} words", u.name, u.n, u.w);
    }
    for a in &p.attrs {
        let of = a.of.and_then(|u| p.universes.get(u.index())).map_or("table", |u| &u.name);
        let planes = if a.planes.is_some() { ", planes" } else { "" };
        let _ = writeln!(out, "attribute {of}.{}: {}..{} at cell {}{planes}", a.name, a.lo, a.hi, a.cell);
    }
    for z in &p.zones {
        let of = z.of.and_then(|u| p.universes.get(u.index())).map_or("table", |u| &u.name);
        let order = if z.slot {
            "slot"
        } else if z.ordered {
            "ordered"
        } else {
            "unordered"
        };
        let _ = writeln!(
            out,
            "zone {of}.{}: {order}, {} places from {}",
            z.name,
            z.holders.1 * u32::from(z.indexes),
            z.first
        );
    }
    for (i, f) in p.funcs.iter().enumerate() {
        let sort = if f.pure_ { "pure" } else { "effect" };
        let _ = writeln!(
            out,
            "\n{sort} {i} {}: {} words in, {} out, {} registers",
            f.name, f.args, f.results, f.frame
        );
        let mut last = None;
        for (k, ins) in code_of(p, FuncId(i as u16)).iter().enumerate() {
            let at = f.start as usize + k;
            let _ = write!(out, "{at:6}  {}", instruction_text(p, ins));
            let span =
                p.spans.partition_point(|(c, _)| *c as usize <= at).checked_sub(1).map(|i| p.spans[i].1);
            if span != last
                && let (Some(files), Some(span)) = (files, span)
            {
                let line = files.slice(span).lines().next().unwrap_or("").trim();
                let short: String = line.chars().take(60).collect();
                let _ = write!(out, "    # {} {short}", files.place(span));
            }
            last = span;
            out.push('\n');
        }
    }
}

/// Prints one instruction: name, registers, and names in place of table numbers.
fn instruction_text(p: &Program, ins: &Ins) -> String {
    let (word, operands) = ins.shown();
    if operands.is_empty() {
        return word.to_string();
    }
    let mut out = format!("{word:<10}");
    for (name, value) in operands {
        let _ = write!(out, " {name}={}", operand_text(p, value));
    }
    out
}

fn operand_text(p: &Program, value: Shown) -> String {
    let (named, number) = match value {
        Shown::Register(r) => return format!("r{r}"),
        Shown::Number(k) if i64::from(k) == NONE => return "none".into(),
        Shown::Number(k) => return k.to_string(),
        Shown::Count(n) => return n.to_string(),
        Shown::Truth(yes) => return yes.to_string(),
        Shown::Word(word) => return word,
        Shown::Func(f) => (p.funcs.get(f.index()).map(|f| f.name.to_string()), f.index()),
        Shown::Attr(a) => (p.attrs.get(a.index()).map(|a| a.name.to_string()), a.index()),
        Shown::Zone(z) => (p.zones.get(z.index()).map(|z| z.name.to_string()), z.index()),
        Shown::Action(a) => (p.actions.get(a.index()).map(|a| a.name.to_string()), a.index()),
        Shown::Table(t) => (p.tables.get(t.index()).map(|t| t.name.to_string()), t.index()),
        Shown::Phase(x) => (p.phases.get(x.index()).map(|x| x.name.to_string()), x.index()),
        Shown::Template(t) => (p.templates.get(t.index()).map(template_text), t.index()),
    };
    named.unwrap_or_else(|| number.to_string())
}

fn template_text(t: &Template) -> String {
    let mut out = String::from("\"");
    for part in &t.parts {
        match part {
            Piece::Literal(text) => out.push_str(text),
            Piece::Register(r, _) => {
                let _ = write!(out, "{{r{r}}}");
            }
            Piece::Func(f, _) | Piece::Reason(f) => {
                let _ = write!(out, "{{{}}}", f.index());
            }
        }
    }
    out + "\""
}
