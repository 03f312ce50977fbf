//! What a card is and does, in sentences.
use super::game::Game;
use houserule_engine::{Card, Drawn, View};
use houserule_model::hir::{KindId, MemberId, Model};
use houserule_model::sentences::describe_member;
use std::sync::Arc;

/// A text of fewer words is a mark, such as a state, and does not say what the card does.
const TEXT: usize = 4;

impl Game {
    /// What the declaration of a card says, in sentences. Nothing of a card whose face is hidden, of a die, and of a card on which its look writes a text of its own.
    pub fn describe_card(&self, card: &Card) -> Arc<[String]> {
        let none = || Arc::from([]);
        let Some(face) = card.face.as_ref().filter(|_| card.side.is_none()) else { return none() };
        let is_text = |d: &&Drawn| &*d.slot == "text" && d.text.split_whitespace().count() >= TEXT;
        if card.look.iter().any(|d| is_text(&d)) {
            return none();
        }
        let describe = || describe_face(self.model(), &card.kind, &face.word).into();
        match self.described().lock() {
            Ok(mut known) => {
                known.entry((card.kind.clone(), face.word.clone())).or_insert_with(describe).clone()
            }
            Err(_) => describe(),
        }
    }

    /// The cards in a view of whose title a text is a part, each with its title and what its declaration says.
    pub fn describe_seen(&self, view: &View, part: &str) -> Vec<(String, Arc<[String]>)> {
        let part = part.to_lowercase();
        let spaces = view.maps.iter().flat_map(|m| &m.spaces);
        let holders = std::iter::once(&view.table).chain(&view.players).chain(spaces).chain(&view.others);
        let mut out: Vec<(String, Arc<[String]>)> = Vec::new();
        for card in holders.flat_map(|h| &h.piles).flat_map(|p| &p.cards) {
            let Some(face) = card.face.as_ref().filter(|f| f.title.to_lowercase().contains(&part)) else {
                continue;
            };
            let told = (face.title.to_string(), self.describe_card(card));
            if !told.1.is_empty() && !out.contains(&told) {
                out.push(told);
            }
        }
        out
    }
}

/// What the declaration of a face of a kind says.
fn describe_face(model: &Model, kind: &str, word: &str) -> Vec<String> {
    // The key of a family stands in brackets.
    let (word, key) = word.split_once('(').unwrap_or((word, ""));
    let key = key.trim_end_matches(')').parse().ok();
    let found = model.members.iter().position(|m| *m.name == *word && is_of(model, m.kind, kind));
    found.map_or_else(Vec::new, |m| describe_member(model, MemberId(m as u32), key))
}

/// Whether a kind has that name, or is part of one that has it.
fn is_of(model: &Model, mut kind: KindId, name: &str) -> bool {
    while let Some(k) = model.kinds.get(kind.index()) {
        match k.parent {
            _ if *k.name == *name => return true,
            Some(parent) => kind = parent,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::describe_face;
    use crate::Game;
    use houserule_text::{File, Files};

    const RULES: &str = r#"
game Fair "The fair" { players 2..4; outcome win }
enum Mood { calm, wild }
die Cube x2 { faces: 1..6 }
card Stall "Stall" { cost: 0..9 = 0; open: bool = no; mood: Mood = calm; rule play(); discards to discards }
Stall drum "Drum" { cost: 3; play { my.purse += 2; say "Boom." } }
Stall ring "Ring" { open: yes; play { let d = choose up to 2 of my.dice "Which?"; roll d } }
Stall lamp "Lamp" { mood: wild; play { until end of round { modify luck(me) += 3 } } }
Stall bell "Bell" { play { needs count(my.hand) > 2; may "Ring it?" { discard choose one of my.hand "Which?" } } }
Stall mask "Mask" { play {
  let p = choose one of others "Who?"
  if p.purse > 3 { p.purse -= 1 } else { shuffle deck }
} }
Stall flag "Flag" { play { for c in my.hand where open { move c under deck } } }
Stall crown "Crown" { play { }; modify luck(owner) = 6 when owner.purse < 2 }
Stall sign "Sign" { play { }; after earn(owner, n) { owner.purse += n } }
Stall number(n: 1..3) "Number {n}" { cost: n; play { my.purse += 1 } }
table { zone deck: Stall seen by nobody; zone discards: Stall }
player { purse: 0..99 = 0; zone hand: Stall seen by owner; zone dice: Cube }
value luck(p: player): 0..9 = 0
rule earn(p: player, n: 0..9) { p.purse += n }
round once { for p in players { earn(p, luck(p)) }
  win players
}
"#;

    #[test]
    fn cards_say_their_declarations() {
        let mut files = Files::new();
        files.add(File::new("fair.rules", RULES.to_string()));
        let game = Game::load(&files).unwrap_or_else(|r| panic!("{:?}", r.findings));
        let names = ["drum", "ring", "lamp", "bell", "mask", "flag", "crown", "sign", "number(2)"];
        let told: Vec<String> = names
            .iter()
            .map(|n| format!("{n}: {}", describe_face(game.model(), "Stall", n).join(" ")))
            .collect();
        let expected = [
            "drum: Cost: 3. Play: increase your purse by 2.",
            "ring: Open. Play: choose up to 2 of the cubes in your dice, then roll the chosen cubes.",
            "lamp: Mood: wild. Play: until the end of the round, your luck is 3 more.",
            "bell: Play: only if the number of stalls in your hand is more than 2, then you may discard one of the stalls in your hand.",
            "mask: Play: choose one of the other players, then if the chosen player's purse is more than 3, reduce the chosen player's purse by 1; otherwise shuffle the deck.",
            "flag: Play: for each of the stalls in your hand where it is open: move it to the bottom of the deck.",
            "crown: Its owner's luck is 6, if its owner's purse is less than 2.",
            "sign: After earn its owner, any n: increase its owner's purse by n.",
            "number(2): Cost: 2. Play: increase your purse by 1.",
        ];
        assert_eq!(told, expected);
    }
}
