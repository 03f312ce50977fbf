//! The one place that names the parser library: the grammar of `grammar/*.pest`, compiled.
use pest_derive::Parser;

/// The compiled grammar.
#[derive(Parser)]
#[grammar = "../grammar/layout.pest"]
#[grammar = "../grammar/items.pest"]
#[grammar = "../grammar/kinds.pest"]
#[grammar = "../grammar/rules.pest"]
#[grammar = "../grammar/statements.pest"]
#[grammar = "../grammar/expressions.pest"]
#[grammar = "../grammar/tokens.pest"]
#[grammar = "../grammar/words.pest"]
pub(super) struct Grammar;

#[cfg(test)]
mod tests {
    use super::*;
    use pest::Parser;

    #[test]
    fn sketches() {
        for f in ["classics.rules", "fuji.rules", "fuji.scenario", "fog.rules", "fog.scenario", "discover.rules", "discover.scenario"] {
            let text = std::fs::read_to_string(format!("tests/sketches/{f}")).unwrap();
            let t = std::time::Instant::now();
            let r = Grammar::parse(Rule::file, &text);
            eprintln!("{f} {} {:?}", text.len(), t.elapsed());
            match r {
                Ok(pairs) => {
                    let mut n = 0;
                    for p in pairs.flatten() {
                        n += 1;
                        if matches!(p.as_rule(), Rule::bad_item | Rule::bad_stmt | Rule::bad_part | Rule::bad_row | Rule::stray | Rule::bad_hole) {
                            eprintln!("{:?} {:?}", p.as_rule(), p.as_str());
                        }
                    }
                    eprintln!("{n} pairs");
                }
                Err(e) => eprintln!("{e}"),
            }
        }
    }
}
