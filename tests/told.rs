//! Pages of wrong texts: a mistake a section, with what is told of it.
use rayon::prelude::*;
use std::path::Path;

/// Checks a page of wrong texts: each section has a text in a fence `fence` and what `found` says of it in a fence `says`. Returns what is said of each; `wrong` gets the differences.
/// If `HOUSERULE_BLESS` is set, the findings are written into the page instead of compared with it.
pub fn check_told(
    path: &Path,
    fence: &str,
    found: impl Fn(&str, &str) -> String + Sync,
    wrong: &mut Vec<String>,
) -> Vec<String> {
    let page = std::fs::read_to_string(path).expect("a page of wrong texts");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    let read = |section: &&str| {
        let block = section.split(fence).nth(1).and_then(|b| b.split("```").next()).expect("the wrong text");
        let (info, text) = block.split_once('\n').expect("the wrong text");
        let says = section.split("```says\n").nth(1).and_then(|s| s.split("```").next());
        (text.to_string(), says.expect("what is told").to_string(), found(info.trim(), text))
    };
    let results: Vec<_> = sections.par_iter().map(read).collect();
    let bless = std::env::var_os("HOUSERULE_BLESS").is_some();
    let mut blessed = page.clone();
    for (section, (text, says, found)) in sections.iter().zip(&results) {
        let title = format!("{}: {}", path.display(), section.lines().next().unwrap_or_default());
        assert!(!found.is_empty(), "{title}: nothing is told");
        if found != says && !bless {
            wrong.push(format!("{title}\n--- says\n{says}--- finds\n{found}"));
        }
        let head = format!("{text}```\n\n```says\n");
        blessed = blessed.replace(&format!("{head}{says}```"), &format!("{head}{found}```"));
    }
    if bless && blessed != page {
        std::fs::write(path, blessed).expect("the page is written");
    }
    results.into_iter().map(|(.., found)| found).collect()
}
