//! Reads from a match that has begun what a set-up of the game has: how many components show each face, the players, and the maps.
use houserule_engine::{Drawn, HolderView, MapView, Seen, View};
use houserule_model::LookParts;
use houserule_model::images::Image;
use houserule_play::Match;
use houserule_play::points::slanted_maps;
use houserule_program::ir::{Components, Program};
use houserule_sheets::{BoardPart, Contents, FaceCount, PlayerPart, SpacePart, shorten_side};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the set-up of a match has.
pub fn read_contents(m: &mut Match) -> Contents {
    // A seat that nobody has sees what lies open; the first seat is as good as any other for what maps show.
    let view = m.view(0);
    let slants = slanted_maps(m.program());
    let (game, program) = (m.game(), m.program());
    let images = &game.model().images;
    let players = view.players.iter();
    let players =
        players.map(|p| PlayerPart { name: p.name.title.to_string(), look: read_look(&p.look, images) });
    let boards = view.maps.iter().enumerate().map(|(n, map)| {
        let grows = program.maps.get(n).is_some_and(|m| m.in_play.is_some());
        read_board(&view, map, slants.get(n).copied().unwrap_or(false), grows, images)
    });
    Contents {
        title: game.title().to_string(),
        scenario: m.setup().scenario.as_deref().map(Arc::from),
        faces: program.comps.iter().flat_map(|c| count_faces(program, c)).collect(),
        players: players.collect(),
        standing: program.standing.is_some(),
        boards: boards.collect(),
    }
}

fn read_look(drawn: &[Drawn], images: &[Image]) -> LookParts {
    LookParts::from_rows(drawn.iter().map(Drawn::row)).with_image(images)
}

/// The faces of components of one kind and those below it.
fn count_faces(program: &Program, comps: &Components) -> Vec<FaceCount> {
    let universe = |u: houserule_program::ir::UniverseId| program.universes.get(u.index());
    let (Some(own), Some(faces)) = (universe(comps.universe), universe(comps.faces)) else {
        return Vec::new();
    };
    let mut owners: BTreeMap<usize, Vec<Option<usize>>> = BTreeMap::new();
    for (n, face) in comps.initial.iter().enumerate() {
        let owner = comps.owners.get(n).and_then(|p| usize::try_from(*p).ok());
        owners.entry(usize::from(*face)).or_default().push(owner);
    }
    let sides = comps.showing.and_then(universe);
    let most = comps.most_sides();
    let count = |(n, face): (usize, &houserule_program::ir::Thing)| {
        let many = comps.sides.get(n).map_or(0, Vec::len);
        let titles = sides.into_iter().flat_map(|s| s.things.iter().skip(n * most).take(many));
        FaceCount {
            kind: own.name.clone(),
            word: face.word.clone(),
            title: face.title.clone(),
            back: comps.hidden_title(Some(n)).clone(),
            owners: owners.remove(&n).unwrap_or_default(),
            sides: titles.map(|t| shorten_side(&t.title, &face.title)).collect(),
        }
    };
    faces.things.iter().enumerate().map(count).collect()
}

fn read_board(view: &View, map: &MapView, slanted: bool, grows: bool, images: &[Image]) -> BoardPart {
    let place = |n: usize| {
        map.at
            .get(n)
            .map(|(c, r)| (u32::from(c.saturating_sub(map.from.0)), u32::from(r.saturating_sub(map.from.1))))
    };
    let spaces = map.spaces.iter().enumerate();
    let spaces = spaces.filter_map(|(n, s)| Some(read_space(view, s, place(n)?, images)));
    let ways = map.ways.iter();
    let ways = ways.filter_map(|(a, b, one)| Some((place(usize::from(*a))?, place(usize::from(*b))?, *one)));
    BoardPart {
        name: map.name.to_string(),
        grows,
        hexes: map.hexes,
        slanted,
        size: map.size,
        spaces: spaces.collect(),
        ways: ways.collect(),
    }
}

fn read_space(view: &View, space: &HolderView, at: (u32, u32), images: &[Image]) -> SpacePart {
    let is_player = |a: &Seen| view.players.iter().any(|p| *p.name.word == *a.word);
    let drawn = space.look.iter().any(|d| matches!(&*d.slot, "text" | "shape"));
    let marks = if drawn { &[][..] } else { &space.attrs };
    let worth = |a: &&Seen| !matches!(a.word.as_str(), "none" | "no" | "0" | "") && !is_player(a);
    let mut look = read_look(&space.look, images);
    look.text.retain(|text| !names_player(view, text));
    SpacePart {
        name: space.name.title.to_string(),
        at,
        look,
        marks: marks.iter().filter(worth).map(describe_mark).collect(),
        owned: space.attrs.iter().any(is_player),
    }
}

/// Whether a text on a space names a player: then it tells of pieces that stand there at the start, and is no print.
fn names_player(view: &View, text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|w| !w.is_empty() && view.players.iter().any(|p| *p.name.word == *w || *p.name.title == *w))
}

/// An attribute as it stands on a space: the word of an enum alone, a number with its name.
fn describe_mark(a: &Seen) -> String {
    let name = a.name.replace('_', " ");
    match a.word.as_str() {
        "yes" => name,
        word if word.parse::<i64>().is_ok() => format!("{name} {word}"),
        _ => a.text.clone(),
    }
}
