//! Coverage of lines for other programs: a trace file of lcov, and a page with the coloured rules.
use crate::setup::Loaded;
use houserule_lab::line_coverage::{FileCoverage, Line};

/// A trace file, which lcov's `genhtml`, Codecov and most editors read.
///
/// Source: lcov, *geninfo(1)*, section "Tracefile format".
pub fn to_lcov(files: &[FileCoverage], loaded: &Loaded) -> String {
    let mut out = String::from("TN:\n");
    for f in files {
        let Some(file) = loaded.game.files().get(f.file) else { continue };
        out.push_str(&format!("SF:{}\n", loaded.bundle.shown_name(&file.name)));
        for d in &f.declarations {
            out.push_str(&format!("FN:{},{}\n", d.line, plain(&d.name)));
        }
        for d in &f.declarations {
            out.push_str(&format!("FNDA:{},{}\n", d.count, plain(&d.name)));
        }
        let reached = f.declarations.iter().filter(|d| d.count > 0).count();
        out.push_str(&format!("FNF:{}\nFNH:{reached}\n", f.declarations.len()));
        let (mut ways, mut taken) = (0, 0);
        for (line, l) in f.lines.iter().filter(|(_, l)| l.ways.len() > 1) {
            for (i, n) in l.ways.iter().enumerate() {
                // A way on a line that was never reached was not even met.
                let told = if l.count() == 0 { String::from("-") } else { n.to_string() };
                out.push_str(&format!("BRDA:{line},0,{i},{told}\n"));
                ways += 1;
                taken += usize::from(*n > 0);
            }
        }
        out.push_str(&format!("BRF:{ways}\nBRH:{taken}\n"));
        for (line, l) in &f.lines {
            out.push_str(&format!("DA:{line},{}\n", l.count()));
        }
        out.push_str(&format!("LF:{}\nLH:{}\nend_of_record\n", f.lines.len(), count_reached(f)));
    }
    out
}

/// A name without what separates fields.
fn plain(name: &str) -> String {
    name.replace([',', '\n', '\r'], " ")
}

fn count_reached(f: &FileCoverage) -> usize {
    f.lines.values().filter(|l| l.count() > 0).count()
}

/// The share of the lines that were reached, in words.
fn share_text(reached: usize, of: usize) -> String {
    match of {
        0 => String::from("nothing to reach"),
        _ => format!("{reached} of {of} lines, {:.1} %", reached as f64 * 100.0 / of as f64),
    }
}

/// One page with all files: a table of them, then each with its lines. It needs no other file.
pub fn to_html(files: &[FileCoverage], loaded: &Loaded) -> String {
    let title = escape(loaded.game.title());
    let (lines, reached): (usize, usize) =
        files.iter().fold((0, 0), |(l, r), f| (l + f.lines.len(), r + count_reached(f)));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}: coverage</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}: {}</h1>\n<p><span class=\"yes\">reached</span> <span class=\"some\">in part</span> <span class=\"no\">never reached</span>; the number before a line says in how many tests and games.</p>\n<table>\n",
        share_text(reached, lines)
    );
    let name = |f: &FileCoverage| {
        loaded
            .game
            .files()
            .get(f.file)
            .map_or(String::new(), |file| escape(&loaded.bundle.shown_name(&file.name)))
    };
    for (i, f) in files.iter().enumerate() {
        let never: Vec<String> =
            f.declarations.iter().filter(|d| d.count == 0).map(|d| escape(&d.name)).collect();
        out.push_str(&format!(
            "<tr><td><a href=\"#f{i}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
            name(f),
            share_text(count_reached(f), f.lines.len()),
            if never.is_empty() { String::new() } else { format!("never: {}", never.join(", ")) }
        ));
    }
    out.push_str("</table>\n");
    for (i, f) in files.iter().enumerate() {
        let Some(file) = loaded.game.files().get(f.file) else { continue };
        out.push_str(&format!("<h2 id=\"f{i}\">{}</h2>\n<pre>", name(f)));
        for (n, text) in file.text.lines().enumerate() {
            let line = f.lines.get(&(n + 1));
            let (class, count) = match line {
                None => ("", String::new()),
                Some(l) => (class_of(l), l.count().to_string()),
            };
            out.push_str(&format!(
                "<span class=\"{class}\"><i>{:>5} {count:>6} </i>{}</span>",
                n + 1,
                escape(text)
            ));
        }
        out.push_str("</pre>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn class_of(l: &Line) -> &'static str {
    match (l.count(), l.is_partial()) {
        (0, _) => "no",
        (_, true) => "some",
        _ => "yes",
    }
}

/// Text as HTML can hold it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em;max-width:90em;color:#1c1c1c;background:#fff}\
    table{border-collapse:collapse}td{padding:.15em 1em .15em 0;vertical-align:top}\
    pre{font:13px/1.5 ui-monospace,monospace;overflow-x:auto}pre span{display:block;white-space:pre}\
    i{color:#595959;font-style:normal;user-select:none}.yes{background:#dff3e2}.some{background:#fdf0c4}.no{background:#fbdcdc}\
    p span{padding:0 .4em}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1b1b}i{color:#a8a8a8}a{color:#8ab4f8}\
    .yes{background:#1f3d26}.some{background:#4a3f14}.no{background:#522525}}";
