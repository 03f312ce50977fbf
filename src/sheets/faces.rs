//! Finds what stands on each component of a set-up: cards with their backs, counters, and the pieces of players.
use super::card::CardFace;
use super::color::Color;
use super::contents::{Contents, FaceCount};
use super::pen::color_of_player;
use super::token::TokenFace;
use houserule_ide::Analysis;
use houserule_ide::cards::{
    Back, Card, CardId, CardSet, PlainKind, list_backs, list_cards, list_plain_kinds,
};
use houserule_model::LookParts;
use houserule_model::hir::{ComponentSort, Kind, KindSort, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A card that is printed once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CardToPrint {
    /// Its front.
    pub face: CardFace,
    /// Its back.
    pub back: Back,
    /// What its back is called where the rules do not say it.
    pub back_title: String,
    /// The colour of its owner.
    pub owner: Option<Color>,
}

/// A counter that is printed once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TokenToPrint {
    /// For people.
    pub title: String,
    /// Its front.
    pub face: TokenFace,
    /// Its back, if the rules say anything of it.
    pub back: Option<TokenFace>,
}

/// A kind of component, and what there is of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindCount {
    /// Its name in the rules; of a player's piece empty.
    pub kind: Arc<str>,
    /// For people.
    pub title: String,
    /// How many different faces there are.
    pub faces: usize,
    /// How many cards or counters are printed.
    pub copies: usize,
}

/// A game's components as they are printed.
pub(crate) struct Faces<'a> {
    model: &'a Model,
    contents: &'a Contents,
    set: CardSet,
    backs: BTreeMap<CardId, Back>,
    plain: Vec<PlainKind>,
}

/// What a component of a face is: its own kind and how it is drawn.
struct Known<'a> {
    kind: &'a Kind,
    card: Option<&'a Card>,
    look: LookParts,
    back: Back,
}

impl<'a> Faces<'a> {
    /// Of a set-up.
    pub fn new(analysis: &'a Analysis, contents: &'a Contents) -> Faces<'a> {
        Faces {
            model: &analysis.model,
            contents,
            set: list_cards(analysis),
            backs: list_backs(analysis),
            plain: list_plain_kinds(analysis),
        }
    }

    /// The words that are drawn as signs in texts.
    pub fn signs(&self) -> &[houserule_model::LookSign] {
        &self.set.signs
    }

    /// A kind by its name.
    fn find_kind(&self, name: &str) -> Option<&'a Kind> {
        self.model.kinds.iter().find(|k| *k.name == *name && matches!(k.sort, KindSort::Component(_)))
    }

    /// The name of the kind at the top of one.
    fn root_of(&self, kind: &'a Kind) -> &'a Arc<str> {
        let parent = |k: &&'a Kind| k.parent.and_then(|p| self.model.kinds.get(p.index()));
        // No kind is above itself; the bound holds for rules with errors, too.
        std::iter::successors(Some(kind), parent)
            .take(self.model.kinds.len())
            .last()
            .map_or(&kind.name, |k| &k.name)
    }

    /// What the rules say of a face.
    fn find(&self, face: &FaceCount) -> Option<Known<'_>> {
        let groups = self.set.groups.iter();
        let mut of_kind = groups.filter_map(|g| Some((g, self.find_kind(&g.kind)?)));
        let is = |c: &&Card| c.id.to_string() == *face.word;
        let found = of_kind.find_map(|(g, kind)| {
            let card = g.cards.iter().find(is).filter(|_| *self.root_of(kind) == face.kind)?;
            Some((card, kind))
        });
        if let Some((card, kind)) = found {
            let back = self.backs.get(&card.id).cloned().unwrap_or_default();
            return Some(Known { kind, card: Some(card), look: card.face.clone(), back });
        }
        let mut plain = self.plain.iter().filter_map(|p| Some((p, self.find_kind(&p.kind)?)));
        let plain = plain.find(|(p, kind)| *self.root_of(kind) == face.kind && p.title == *face.title);
        match plain {
            Some((p, kind)) => Some(Known { kind, card: None, look: p.face.clone(), back: Back::default() }),
            // A face of a large family: nothing but its title is known.
            None => {
                let kind = self.find_kind(&face.kind)?;
                Some(Known { kind, card: None, look: LookParts::default(), back: Back::default() })
            }
        }
    }

    /// The faces of the wanted kind, each with what is known of it.
    fn wanted(&self, kind: Option<&'a str>) -> impl Iterator<Item = (&'a FaceCount, Known<'_>)> {
        self.contents.faces.iter().filter_map(move |face| {
            let known = self.find(face).filter(|_| !face.owners.is_empty())?;
            let is = kind.is_none_or(|k| *known.kind.name == *k || *face.kind == *k);
            is.then_some((face, known))
        })
    }

    /// The names of all kinds of components that have faces in this set-up, or could have some.
    pub fn kind_names(&self) -> Vec<Arc<str>> {
        let all = self.model.kinds.iter().filter(|k| matches!(k.sort, KindSort::Component(_)) && !k.joined);
        all.map(|k| k.name.clone()).collect()
    }

    /// All cards, and how many of each kind.
    pub fn cards(&self, kind: Option<&'a str>) -> (Vec<CardToPrint>, Vec<KindCount>) {
        let (mut out, mut counts) = (Vec::new(), Vec::new());
        for (face, known) in self.wanted(kind) {
            if known.kind.sort != KindSort::Component(ComponentSort::Card) {
                continue;
            }
            add_count(&mut counts, known.kind, 1, face.owners.len());
            let name = match (&known.look.title, known.card) {
                (Some(title), _) if !title.is_empty() => title.clone(),
                (_, Some(card)) => card.title.clone(),
                (_, None) => face.title.to_string(),
            };
            let lines = known.card.map(face_lines).unwrap_or_default();
            for owner in &face.owners {
                let same = face.owners.iter().filter(|o| *o == owner).count();
                let foot = match owner {
                    Some(p) => self.contents.players.get(*p).map_or_else(String::new, |p| p.name.clone()),
                    None if same > 1 => format!("x{same}"),
                    None => String::new(),
                };
                let owner = owner.map(|p| self.player_color(p));
                let mut look = known.look.clone();
                look.fill = look.fill.or(owner);
                out.push(CardToPrint {
                    face: CardFace { name: name.clone(), look, lines: lines.clone(), foot },
                    back: known.back.clone(),
                    back_title: face.back.to_string(),
                    owner,
                });
            }
        }
        (out, counts)
    }

    fn player_color(&self, player: usize) -> Color {
        let none = LookParts::default();
        color_of_player(self.contents.players.get(player).map_or(&none, |p| &p.look), player)
    }

    /// All counters, and how many of each kind.
    pub fn tokens(&self, kind: Option<&'a str>) -> (Vec<TokenToPrint>, Vec<KindCount>) {
        let (mut out, mut counts) = (Vec::new(), Vec::new());
        for (face, known) in self.wanted(kind) {
            let sort = match known.kind.sort {
                KindSort::Component(ComponentSort::Card | ComponentSort::Patch) => continue,
                KindSort::Component(sort) => sort,
                _ => continue,
            };
            let die = sort == ComponentSort::Die && !face.sides.is_empty();
            let printed = if die { face.sides.len() } else { 1 };
            add_count(&mut counts, known.kind, printed, printed * face.owners.len());
            for owner in &face.owners {
                let owner = owner.map(|p| self.player_color(p));
                let back = (known.back != Back::default()).then(|| TokenFace {
                    texts: back_texts(&known.back, &face.back),
                    look: known.back.look.clone(),
                    owner,
                    side: die,
                });
                let token = |texts, side| TokenToPrint {
                    title: face.title.to_string(),
                    face: TokenFace { look: known.look.clone(), texts, owner, side },
                    back: back.clone(),
                };
                match die {
                    true => out.extend(face.sides.iter().map(|s| token(vec![s.clone()], true))),
                    false => out.push(token(token_texts(&known.look, &face.title), false)),
                }
            }
        }
        if self.contents.standing && kind.is_none() {
            let players = &self.contents.players;
            out.extend(players.iter().enumerate().map(|(n, p)| {
                let face = TokenFace {
                    look: p.look.clone(),
                    texts: vec![p.name.clone()],
                    owner: Some(self.player_color(n)),
                    side: false,
                };
                TokenToPrint { title: p.name.clone(), face, back: None }
            }));
            counts.push(KindCount {
                kind: "".into(),
                title: String::from("players' pieces"),
                faces: players.len(),
                copies: players.len(),
            });
        }
        (out, counts)
    }

    /// Patches: the name of each face, and how many there are.
    pub fn patches(&self, kind: Option<&'a str>) -> (BTreeMap<Arc<str>, usize>, Vec<KindCount>) {
        let (mut out, mut counts) = (BTreeMap::new(), Vec::new());
        for (face, known) in self.wanted(kind) {
            if known.kind.sort == KindSort::Component(ComponentSort::Patch) {
                add_count(&mut counts, known.kind, 1, face.owners.len());
                out.insert(face.word.clone(), face.owners.len());
            }
        }
        (out, counts)
    }

    /// What is not printed because the set-up does not have it, in sentences.
    pub fn describe_missing(&self, kind: Option<&str>) -> Vec<String> {
        let shown: BTreeSet<(&str, &str)> = self
            .contents
            .faces
            .iter()
            .filter(|f| !f.owners.is_empty())
            .map(|f| (&*f.kind, &*f.word))
            .collect();
        let mut missing: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
        for group in self.set.groups.iter().filter(|g| kind.is_none_or(|k| *g.kind == *k)) {
            let Some(own) = self.find_kind(&group.kind) else { continue };
            let root = self.root_of(own);
            for card in &group.cards {
                if !shown.contains(&(&**root, card.id.to_string().as_str())) {
                    *missing.entry((&group.title, card.within.as_deref())).or_default() += 1;
                }
            }
        }
        let said = missing.into_iter().map(|((kind, within), n)| {
            let faces = if n == 1 { String::from("1 face") } else { format!("{n} faces") };
            match within {
                Some(within) => {
                    format!("{faces} of {kind} not printed: in the {within}, which this set-up does not have")
                }
                None => format!("{faces} of {kind} not printed: this set-up has no copies of it"),
            }
        });
        said.collect()
    }

    /// Faces of which only the title is printed, because a family has so many of them, in sentences.
    pub fn describe_unlisted(&self, kind: Option<&'a str>) -> Vec<String> {
        let unlisted = |face: &FaceCount, known: &Known<'_>| {
            known.card.is_none() && !self.plain.iter().any(|p| p.title == *face.title)
        };
        let n = self.wanted(kind).filter(|(face, known)| unlisted(face, known)).count();
        let text = format!("{n} faces of large families are printed with their titles alone");
        if n == 0 { Vec::new() } else { vec![text] }
    }
}

fn add_count(counts: &mut Vec<KindCount>, kind: &Kind, faces: usize, copies: usize) {
    match counts.iter_mut().find(|c| c.kind == kind.name) {
        Some(count) => {
            count.faces += faces;
            count.copies += copies;
        }
        None => {
            counts.push(KindCount { kind: kind.name.clone(), title: kind.title.to_string(), faces, copies });
        }
    }
}

/// Whether a value is worth a line on a face that has no look.
fn is_worth_printing(value: &str) -> bool {
    !matches!(value.rsplit(' ').next().unwrap_or(""), "none" | "no" | "0" | "" | "[]")
}

/// What stands on a card below its name: what its look says, else what its declaration says in sentences, else its values.
fn face_lines(card: &Card) -> Vec<String> {
    let face = &card.face;
    if !face.text.is_empty() {
        return face.text.clone();
    }
    if !card.sentences.is_empty() {
        return card.sentences.clone();
    }
    if !face.corner.is_empty() || !face.badge.is_empty() {
        return Vec::new();
    }
    let worth = card.values.iter().filter(|v| is_worth_printing(v));
    worth.map(|v| v.strip_suffix(" yes").unwrap_or(v).replace('_', " ")).collect()
}

/// What stands on a counter: its name, unless the look says that it has none, and the texts of the look.
fn token_texts(look: &LookParts, title: &str) -> Vec<String> {
    let name = look.title.as_deref().unwrap_or(title);
    let all = std::iter::once(name).chain(look.all_texts()).filter(|t| !t.is_empty());
    let texts: Vec<String> = all.map(String::from).collect();
    // Nobody could tell an empty counter from another one.
    if texts.is_empty() && look.shape.is_none() { vec![String::from(title)] } else { texts }
}

fn back_texts(back: &Back, title: &str) -> Vec<String> {
    let name = back.look.title.as_deref().unwrap_or(title);
    let all = std::iter::once(name).chain(back.look.all_texts()).chain(back.marks.iter().map(String::as_str));
    all.filter(|t| !t.is_empty()).map(String::from).collect()
}

/// The sides of a die as they are printed: without the name of the die before the number.
pub fn shorten_side(side: &str, die: &str) -> String {
    let rest = side.strip_prefix(die).map_or(side, str::trim_start);
    String::from(if rest.is_empty() { side } else { rest })
}
