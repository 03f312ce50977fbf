//! Generates constructs that were once compiled wrongly and that other generated programs contain too seldom to show it.
use super::additions::make_item;
use super::exprs::Scope;
use super::rare::first_words;
use super::tree::{Node, Part, Ty};
use super::world::Generator;

impl Generator {
    /// Declarations with such constructs. `root` is the program so far.
    pub fn declare_once_wrong(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let has_kind = |w: &Generator, name: &str| w.kinds.iter().any(|k| k.name == name);
        let has_zone = |w: &Generator, name: &str| w.zones.iter().any(|z| z.name == name);
        if self.draw.draw_percent(8) && has_kind(self, "Charm") && has_zone(self, "deck") {
            self.declare_subkinds_in_a_shuffled_pile(root, out);
        }
        if self.draw.draw_percent(10) && has_kind(self, "Charm") && has_zone(self, "deck") {
            self.declare_attribute_of_a_subkind(root, out);
        }
        if self.draw.draw_percent(6) {
            self.declare_nobody_as_an_argument(out);
        }
        if self.draw.draw_percent(20) && has_zone(self, "vault") {
            self.declare_swapped_piles(out);
        }
        if self.draw.draw_percent(6) {
            self.declare_end_by_turn(root, out);
        }
        if self.draw.draw_percent(8) {
            self.declare_reason_of_a_rule(out);
        }
        if self.draw.draw_percent(6) && has_kind(self, "Card") {
            // The rule fails, and is never called: that it does is compared.
            let (rule, action) = (self.make_name("r"), self.make_name("a"));
            out.push(make_item("table { zone tight: Card up to 1 }", vec![]));
            out.push(make_item(&format!("rule {rule}() {{ move Card to tight }}"), vec![]));
            out.push(make_item(
                &format!("action {action}() in main {{ needs round > 90; {rule}() }}"),
                vec![],
            ));
        }
    }

    /// A rule, and an action that does it.
    fn declare_rule_and_action(&mut self, body: &str, out: &mut Vec<Node>) {
        let (rule, action) = (self.make_name("r"), self.make_name("a"));
        out.push(make_item(&format!("rule {rule}() {{ {body} }}"), vec![]));
        out.push(make_item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// What a card is goes by its face, which a shuffle gives to another component; so does where it is discarded to.
    fn declare_subkinds_in_a_shuffled_pile(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let n = self.draw.draw_between(1, 3);
        let body = format!(
            "shuffle deck; for t in first {n} of deck {{ if t is Charm {{ my.coins += 1 }} else {{ my.coins -= 1 }} }}"
        );
        self.declare_rule_and_action(&body, out);
        let discards = root
            .iter()
            .any(|n| first_words(n).starts_with("card Card ") && n.to_text().contains("discards to"));
        let charm = root.iter_mut().find(|n| first_words(n).starts_with("card Charm is Card "));
        if let (true, Some(Part::Row(_, _, rows))) = (discards, charm.and_then(|n| n.parts.get_mut(1))) {
            rows.push(make_item("discards to spent", vec![]));
            out.push(make_item("table { zone spent: Card }", vec![]));
            self.declare_rule_and_action(
                &format!("shuffle deck; for t in first {n} of deck {{ discard t }}"),
                out,
            );
        }
    }

    /// Only faces of the subkind have its attribute, in rules and for who looks.
    fn declare_attribute_of_a_subkind(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let charm = root.iter_mut().find(|n| first_words(n).starts_with("card Charm is Card "));
        let Some(Part::Row(_, _, rows)) = charm.and_then(|n| n.parts.get_mut(1)) else { return };
        rows.push(make_item("charge: 0..3 = 1 clamped", vec![]));
        let n = self.draw.draw_between(2, 4);
        let body =
            format!("for t in first {n} of deck {{ if t is Charm {{ t.charge += 1 }}; move t to box }}");
        self.declare_rule_and_action(&body, out);
    }

    /// A statement is left out that hands nobody to a value.
    fn declare_nobody_as_an_argument(&mut self, out: &mut Vec<Node>) {
        let (value, several) = (self.make_name("v"), self.make_name("v"));
        let (n, p) = (
            self.draw.draw_between(0, 2),
            self.make_expr(&Ty::Player, &Scope { me: true, ..Scope::default() }, 1),
        );
        out.push(make_item("player { pal: player? }", vec![]));
        out.push(make_item(&format!("value {value}(p: player): int = 1 + {n} * size"), vec![]));
        out.push(make_item(
            &format!("value {several}(p: player): set of player = players where it.coins > {n}"),
            vec![],
        ));
        let (rule, action) = (self.make_name("r"), self.make_name("a"));
        let text = format!(
            "rule {rule}() {{ my.coins += {value}(my.pal); for p in {several}(my.pal) {{ p.coins -= 1 }}; if my.coins > {n} {{ my.pal = % }} else {{ my.pal = none }} }}"
        );
        out.push(make_item(&text, vec![p]));
        out.push(make_item(&format!("action {action}() in main {{ {rule}() }}"), vec![]));
    }

    /// A pile takes its order along when it is swapped with another, of which nothing else asks the order.
    fn declare_swapped_piles(&mut self, out: &mut Vec<Node>) {
        let n = self.draw.draw_between(2, 3);
        out.push(make_item("table { zone spare: Note seen by nobody; zone seat_of_spare: Note }", vec![]));
        let body = format!(
            "move first {n} of vault to spare; swap vault, spare; move first of vault to seat_of_spare; move last of vault to seat_of_spare; swap vault, spare"
        );
        self.declare_rule_and_action(&body, out);
    }

    /// Whether the game ends hangs on whose turn begins.
    fn declare_end_by_turn(&mut self, root: &mut [Node], out: &mut Vec<Node>) {
        let (n, p) = (self.draw.draw_between(0, 3), self.make_player(&Scope::default(), 0));
        let (text, holes) = match self.draw.draw_below(2) {
            0 => (format!("; ends when round > 1 and turn is some and turn.coins > {n}"), vec![]),
            _ => ("; ends when round > 1 and turn == %".into(), vec![p]),
        };
        let game = root.iter_mut().find(|n| first_words(n).starts_with("game "));
        let Some(parts) = game.map(|n| &mut n.parts).filter(|p| p.len() == 4) else { return };
        parts.insert(3, Part::Row("", 0, vec![make_item(&text, holes)]));
        self.declare_rule_and_action("everyone in turn { my.coins += 1 }", out);
    }

    /// A thing is chosen while names hold others, or a set of them, of its kind: here, or in the rule that asks.
    pub fn declare_chosen_twice(&mut self, out: &mut Vec<Node>) {
        let (rule, first) = (self.make_name("r"), self.make_name("r"));
        out.push(make_item(
            &format!("rule {rule}(): Man? {{ give choose one of (first 3 of Man) }}"),
            vec![],
        ));
        let pick = match self.draw.draw_below(3) {
            0 => format!("let a = {rule}(); let b = {rule}()"),
            1 => "let a = choose one of Man; let b = choose one of Man".into(),
            _ => format!(
                "let s = first 2 of Man; let b = choose one of Man; let a = {rule}(); if b in s {{ my.coins += 1 }}"
            ),
        };
        let end = match self.draw.draw_below(2) {
            0 => "if a == b { my.coins += 1 } else { my.coins -= 1 }",
            _ => "if a is some and b is some and a != b { my.coins -= 1 }",
        };
        out.push(make_item(&format!("rule {first}() {{ {pick}; {end} }}"), vec![]));
        let action = self.make_name("a");
        out.push(make_item(&format!("action {action}() in main {{ {first}() }}"), vec![]));
        // A question in a statement or an argument is asked once.
        let (near, action) = (self.make_name("v"), self.make_name("a"));
        out.push(make_item(
            &format!("value {near}(m: Man): set of Man = Man where it.owner == m.owner"),
            vec![],
        ));
        let asks = self.draw.draw_one(&[
            "for x in %(choose one of Man) { my.coins += 1 }",
            "show choose one of Man to choose one of players; my.coins += 1",
            "let all = %(choose one of Man) + %(choose one of Man); my.coins += count(all)",
        ]);
        let asks = asks.unwrap_or("").replace('%', &near);
        out.push(make_item(&format!("action {action}() in main {{ {asks} }}"), vec![]));
    }

    /// Why an action cannot be taken, if that is why its rule cannot begin.
    fn declare_reason_of_a_rule(&mut self, out: &mut Vec<Node>) {
        let (rule, action, n) = (self.make_name("r"), self.make_name("a"), self.draw.draw_between(0, 4));
        let c = self.make_expr(&Ty::Bool, &Scope { me: true, folds: 1, ..Scope::default() }, 1);
        out.push(make_item(
            &format!("rule {rule}() {{ needs my.coins > {n} else \"too few\"; my.coins -= 1 }}"),
            vec![],
        ));
        out.push(make_item(&format!("forbid {rule}() when % else \"not now\""), vec![c]));
        out.push(make_item(&format!("action {action}() in main {{ needs can {rule}(); {rule}() }}"), vec![]));
    }
}
