//! Constructs that were once played wrongly and that other programs hold too seldom to show it.
use super::exprs::Cx;
use super::more::item;
use super::seldom::head;
use super::tree::{Node, Part, Ty};
use super::world::World;

impl World {
    /// Declarations with such constructs. `root` is the program so far.
    pub fn declare_once_wrong(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let has_kind = |w: &World, name: &str| w.kinds.iter().any(|k| k.name == name);
        let has_zone = |w: &World, name: &str| w.zones.iter().any(|z| z.name == name);
        if self.draw.chance(8) && has_kind(self, "Charm") && has_zone(self, "deck") {
            self.subkinds_in_a_shuffled_pile(root, out);
        }
        if self.draw.chance(10) && has_kind(self, "Charm") && has_zone(self, "deck") {
            self.attribute_of_a_subkind(root, out);
        }
        if self.draw.chance(6) {
            self.nobody_as_an_argument(out);
        }
        if self.draw.chance(20) && has_zone(self, "vault") {
            self.swapped_piles(out);
        }
        if self.draw.chance(6) {
            self.whose_turn_ends_it(root, out);
        }
        if self.draw.chance(8) {
            self.reason_of_a_rule(out);
        }
        if self.draw.chance(6) && has_kind(self, "Card") {
            // The rule fails, and is never called: that it does is compared.
            let (rule, action) = (self.name("r"), self.name("a"));
            out.push(item("table { zone tight: Card up to 1 }", vec![]));
            out.push(item(&format!("rule {rule}() {{ move Card to tight }}"), vec![]));
            out.push(item(&format!("action {action}() in main {{ needs round > 90; {rule}() }}"), vec![]));
        }
    }

    /// A rule, and an action that does it.
    fn rule_and_action(&mut self, body: &str, out: &mut Vec<Node>) {
        let (rule, action) = (self.name("r"), self.name("a"));
        out.push(item(&format!("rule {rule}() {{ {body} }}"), vec![]));
        out.push(item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// What a card is goes by its face, which a shuffle gives to another component; so does where it is discarded to.
    fn subkinds_in_a_shuffled_pile(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let n = self.draw.between(1, 3);
        let body = format!(
            "shuffle deck; for t in first {n} of deck {{ if t is Charm {{ my.coins += 1 }} else {{ my.coins -= 1 }} }}"
        );
        self.rule_and_action(&body, out);
        let discards =
            root.iter().any(|n| head(n).starts_with("card Card ") && n.text().contains("discards to"));
        let charm = root.iter_mut().find(|n| head(n).starts_with("card Charm is Card "));
        if let (true, Some(Part::Row(_, _, rows))) = (discards, charm.and_then(|n| n.parts.get_mut(1))) {
            rows.push(item("discards to spent", vec![]));
            out.push(item("table { zone spent: Card }", vec![]));
            self.rule_and_action(&format!("shuffle deck; for t in first {n} of deck {{ discard t }}"), out);
        }
    }

    /// Only faces of the subkind have its attribute, in rules and for who looks.
    fn attribute_of_a_subkind(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let charm = root.iter_mut().find(|n| head(n).starts_with("card Charm is Card "));
        let Some(Part::Row(_, _, rows)) = charm.and_then(|n| n.parts.get_mut(1)) else { return };
        rows.push(item("charge: 0..3 = 1 clamped", vec![]));
        let n = self.draw.between(2, 4);
        let body =
            format!("for t in first {n} of deck {{ if t is Charm {{ t.charge += 1 }}; move t to box }}");
        self.rule_and_action(&body, out);
    }

    /// A statement is left out that hands nobody to a value.
    fn nobody_as_an_argument(&mut self, out: &mut Vec<Node>) {
        let (value, several) = (self.name("v"), self.name("v"));
        let (n, p) = (self.draw.between(0, 2), self.expr(&Ty::Player, &Cx { me: true, ..Cx::default() }, 1));
        out.push(item("player { pal: player? }", vec![]));
        out.push(item(&format!("value {value}(p: player): int = 1 + {n} * size"), vec![]));
        out.push(item(
            &format!("value {several}(p: player): set of player = players where it.coins > {n}"),
            vec![],
        ));
        let (rule, action) = (self.name("r"), self.name("a"));
        let text = format!(
            "rule {rule}() {{ my.coins += {value}(my.pal); for p in {several}(my.pal) {{ p.coins -= 1 }}; if my.coins > {n} {{ my.pal = % }} else {{ my.pal = none }} }}"
        );
        out.push(item(&text, vec![p]));
        out.push(item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// A pile takes its order along when it is swapped with another, of which nothing else asks the order.
    fn swapped_piles(&mut self, out: &mut Vec<Node>) {
        let n = self.draw.between(2, 3);
        out.push(item("table { zone spare: Note seen by nobody; zone seat_of_spare: Note }", vec![]));
        let body = format!(
            "move first {n} of vault to spare; swap vault, spare; move first of vault to seat_of_spare; move last of vault to seat_of_spare; swap vault, spare"
        );
        self.rule_and_action(&body, out);
    }

    /// Whether the game ends hangs on whose turn begins.
    fn whose_turn_ends_it(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let (n, p) = (self.draw.between(0, 3), self.player(&Cx::default(), 0));
        let (text, holes) = match self.draw.below(2) {
            0 => (format!("; ends when round > 1 and turn is some and turn.coins > {n}"), vec![]),
            _ => ("; ends when round > 1 and turn == %".into(), vec![p]),
        };
        let game = root.iter_mut().find(|n| head(n).starts_with("game "));
        let Some(parts) = game.map(|n| &mut n.parts).filter(|p| p.len() == 4) else { return };
        parts.insert(3, Part::Row("", 0, vec![item(&text, holes)]));
        self.rule_and_action("everyone in turn { my.coins += 1 }", out);
    }

    /// A thing is chosen while names hold others, or a set of them, of its kind: here, or in the rule that asks.
    pub fn chosen_twice(&mut self, out: &mut Vec<Node>) {
        let (rule, first) = (self.name("r"), self.name("r"));
        out.push(item(&format!("rule {rule}(): Man? {{ give choose one of (first 3 of Man) }}"), vec![]));
        let pick = match self.draw.below(3) {
            0 => format!("let a = {rule}(); let b = {rule}()"),
            1 => "let a = choose one of Man; let b = choose one of Man".into(),
            _ => format!(
                "let s = first 2 of Man; let b = choose one of Man; let a = {rule}(); if b in s {{ my.coins += 1 }}"
            ),
        };
        let end = match self.draw.below(2) {
            0 => "if a == b { my.coins += 1 } else { my.coins -= 1 }",
            _ => "if a is some and b is some and a != b { my.coins -= 1 }",
        };
        out.push(item(&format!("rule {first}() {{ {pick}; {end} }}"), vec![]));
        let action = self.name("a");
        out.push(item(&format!("action {action}() in main {{ {first}() }}"), vec![]));
    }

    /// Why an action cannot be taken, if that is why its rule cannot begin.
    fn reason_of_a_rule(&mut self, out: &mut Vec<Node>) {
        let (rule, action, n) = (self.name("r"), self.name("a"), self.draw.between(0, 4));
        let c = self.expr(&Ty::Bool, &Cx { me: true, folds: 1, ..Cx::default() }, 1);
        out.push(item(
            &format!("rule {rule}() {{ needs my.coins > {n} else \"too few\"; my.coins -= 1 }}"),
            vec![],
        ));
        out.push(item(&format!("forbid {rule}() when % else \"not now\""), vec![c]));
        out.push(item(&format!("action {action}() in main {{ needs can {rule}(); {rule}() }}"), vec![]));
    }
}
