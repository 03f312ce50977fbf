//! Find references: lists every use of a declaration.
use super::{Analysis, Location};
use houserule_model::Def;

/// One word that means a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Where.
    pub place: Location,
    /// Whether it is the name in the declaration itself.
    pub declares: bool,
    /// The line's number, from 1.
    pub line: usize,
    /// The whole line, without blanks at its ends.
    pub text: String,
}

/// All uses of what the word at a cursor means, its declaration among them, in order of file and place.
pub fn find_references(a: &Analysis, file: &str, offset: usize) -> Vec<Reference> {
    match a.file(file).and_then(|(id, _)| a.uses.use_at(id, offset)) {
        Some((_, def)) => find_references_of(a, def),
        None => Vec::new(),
    }
}

/// All uses of a declaration.
pub fn find_references_of(a: &Analysis, def: Def) -> Vec<Reference> {
    let own = a.uses.place_of(def, &a.model);
    let mut out = Vec::new();
    for span in a.uses.uses_of(def) {
        let (Some(place), Some(f)) = (a.to_place(span), a.files.get(span.file)) else { continue };
        let from = f.text.get(..place.start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
        let to = f.text.get(place.end..).and_then(|t| t.find('\n')).map_or(f.text.len(), |n| place.end + n);
        let text = f.text.get(from..to).unwrap_or("").trim().to_string();
        out.push(Reference { line: f.line_col(place.start).line, place, declares: Some(span) == own, text });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{analyse, split_marks};

    /// All marked places are the references of the cursor's word, and no others.
    fn check(text: &str) {
        let (a, at) = analyse(text);
        let (_, _, want) = split_marks(text);
        let found: Vec<_> = find_references(&a, "t.rules", at).into_iter().map(|r| r.place.range()).collect();
        assert_eq!(found, want, "{text}\n{:?}", a.report.findings);
    }

    #[test]
    fn every_use_is_found() {
        check("enum «Colour» { red }\ntable { a: «Col$0our» = red; b: «Colour»? }");
        check(
            "enum Colour { «red», blue }\ntable { a: Colour = «r$0ed» }\nvalue is_it: bool = a == «red» or a is «red»",
        );
        check(
            "table { «wind»: 0..9 = 1 }\nsetup { «win$0d» += 1; «wind» = «wind» + 1 }\nvalue w: int = «wind»",
        );
        check(
            "value «twice»(n: int): int = 2 * n\nvalue a: int = «tw$0ice»(«twice»(1))\nmodify «twice» += 1",
        );
        check("value twice(«n»: int): int = 2 * «n$0»\nvalue a: int = twice(«n»: 2)");
        check(
            "rule r(«x»: int) { say \"{«x»}\" }\ninstead of r(«x») { proceed(«x»: «$0x» + 1) }\nsetup { r(1) }",
        );
    }

    #[test]
    fn kinds_are_found_by_their_small_names_too() {
        check(
            "piece «Man» of player { rule hop() { say \"hop\" } }\nbefore hop(«ma$0n») { say \"{«man».name}\" }",
        );
    }

    #[test]
    fn members_columns_and_legends() {
        check(
            "enum Ground { «sand», rock }\nmap Board squares\nspace Cell on Board { ground: Ground = «sand» }\nlegend Board { s: «sa$0nd» ; r: rock }\nscenario a \"A\" for Tiny { map Board \"\"\"\ns r\n\"\"\" }",
        );
        check(
            "card Card { «cost»: 0..9 = 0 }\nlist Card | «co$0st» {\n  axe | 3\n  saw | 4\n}\nvalue c(x: Card): int = x.«cost»",
        );
    }
}
