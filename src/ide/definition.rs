//! Go to definition: finds where the word at a cursor is declared.
use super::{Analysis, Location};

/// The place of the name in the declaration that the word means; none for words of the language and what is built in.
pub fn find_definition(a: &Analysis, file: &str, offset: usize) -> Option<Location> {
    let (id, _) = a.file(file)?;
    let (_, def) = a.uses.use_at(id, offset)?;
    a.to_place(a.uses.place_of(def, &a.model)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{analyse, find_marks};

    /// The text has a cursor `$0` and what is to be found between `«` and `»`.
    fn check(text: &str) {
        let (a, at) = analyse(text);
        let (_, want) = find_marks(text);
        let found = find_definition(&a, "t.rules", at).map(|p| p.range());
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn names_lead_to_their_declarations() {
        check("enum «Colour» { red, blue }\ntable { of_all: Col$0our = red }");
        check("enum Colour { «red», blue }\ntable { of_all: Colour = re$0d }");
        check("table { «wind»: 0..9 = 1 }\nvalue double: int = 2 * wind$0");
        check("value «twice»(n: int): int = 2 * n\nvalue four: int = $0twice(2)");
        check("value twice(«n»: int): int = 2 * $0n");
        check("value twice(«n»: int): int = 2 * n\nvalue four: int = twice($0n: 2)");
        check("player { «coins»: 0..9 = 0 }\nvalue rich(p: player): bool = p.coi$0ns > 5");
        check("player { coins: 0..9 = 0 }\nvalue rich(«p»: player): bool = p$0.coins > 5");
        check(
            "map Board squares 3 by 3\nspace «Cell» on Board\nvalue all_of: int = count(c$0 in Cell)"
                .replace("c$0", "c")
                .replace("in Cell", "in Ce$0ll")
                .as_str(),
        );
        check("map «Board» squares 3 by 3\nspace Cell on Boar$0d");
    }

    #[test]
    fn bodies_menus_rules_and_tests_lead_there_too() {
        check("rule «go»(p: player) { say \"go\" }\nsetup { for p in players { g$0o(p) } }");
        check("setup { for «p» in players { say \"{p$0.name}\" } }");
        check("setup { let «n» = 3\n if n$0 > 2 { say \"x\" } }");
        check("menu «act» { done }\naction rest() in a$0ct { }");
        check("action «rest»() in act { }\nmenu act { done }\nforbid re$0st");
        check("phase «night»() { say \"night\" }\nsetup { nigh$0t() }");
        check("option «long» \"Long\": bool = no\nvalue turns_left: int = if lo$0ng then 9 else 5");
        check("test \"two\" with «Ann», Bob { expect A$0nn != Bob }");
        check("variant «fast» \"Fast\" { }\ntest \"f\" with Ann, Bob, fas$0t { expect 1 == 1 }");
    }

    #[test]
    fn nothing_is_declared_of_words_of_the_language() {
        check("setup { f$0or p in players { say \"x\" } }");
        check("setup { for p in play$0ers { say \"{p.name}\" } }");
        check("# a com$0ment");
    }
}
