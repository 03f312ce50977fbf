//! What a script may read of the game: the object `game`, which a hook's function may take as its last parameter.
//!
//! Things are numbers here as everywhere in scripts; kinds, attributes, zones and maps are called by their names in the rules. A name that does not exist stops the
//! script with an error; a thing that does not exist has nothing, `()`.
use rhai::{Dynamic, Engine, EvalAltResult, INT};
use std::sync::Arc;

/// The game as a script reads it. Numbers of things as in sets; `None`: there is no such name.
pub trait Reads: Send + Sync {
    /// How many players.
    fn players(&self) -> i64;
    /// Rounds begun.
    fn round(&self) -> i64;
    /// Whose turn it is.
    fn turn(&self) -> Option<i64>;
    /// How many things of a kind there are.
    fn count(&self, kind: &str) -> Option<i64>;
    /// The number of a thing by the word that the rules have for it.
    fn number(&self, kind: &str, word: &str) -> Option<Option<i64>>;
    /// An attribute of a thing; of the table, if `thing` is `None`.
    fn attr(&self, name: &str, thing: Option<i64>) -> Option<Option<i64>>;
    /// The face of a component of a kind.
    fn face(&self, kind: &str, component: i64) -> Option<Option<i64>>;
    /// The place of a component of a kind.
    fn place(&self, kind: &str, component: i64) -> Option<Option<i64>>;
    /// The place of a zone: its holder, if it has one.
    fn zone(&self, name: &str, holder: Option<i64>) -> Option<Option<i64>>;
    /// What lies at a place, top first if it is ordered.
    fn lying_at(&self, place: i64) -> Vec<i64>;
    /// The space beside a space of a map, by a direction's number.
    fn step(&self, map: &str, space: i64, direction: i64) -> Option<Option<i64>>;
}

/// The game in a script: nothing can be written through it.
#[derive(Clone)]
pub(super) struct Game(pub Arc<dyn Reads>);

type Out = Result<Dynamic, Box<EvalAltResult>>;

/// Adds what `game` can be asked.
pub(super) fn register_game(engine: &mut Engine) {
    engine.register_type_with_name::<Game>("game");
    engine.register_get("players", |g: &mut Game| g.0.players());
    engine.register_get("round", |g: &mut Game| g.0.round());
    engine.register_get("turn", |g: &mut Game| to_dynamic(g.0.turn()));
    engine.register_fn("count", |g: &mut Game, kind: &str| -> Out {
        found_or_error("kind", kind, g.0.count(kind).map(Some))
    });
    engine.register_fn("number", |g: &mut Game, kind: &str, word: &str| -> Out {
        found_or_error("kind", kind, g.0.number(kind, word))
    });
    engine.register_fn("attr", |g: &mut Game, name: &str| -> Out {
        found_or_error("attribute of the table", name, g.0.attr(name, None))
    });
    engine.register_fn("attr", |g: &mut Game, name: &str, thing: INT| -> Out {
        found_or_error("attribute", name, g.0.attr(name, Some(thing)))
    });
    engine.register_fn("face", |g: &mut Game, kind: &str, c: INT| -> Out {
        found_or_error("kind of components", kind, g.0.face(kind, c))
    });
    engine.register_fn("place", |g: &mut Game, kind: &str, c: INT| -> Out {
        found_or_error("kind of components", kind, g.0.place(kind, c))
    });
    engine.register_fn("zone", |g: &mut Game, name: &str| -> Out {
        found_or_error("zone", name, g.0.zone(name, None))
    });
    engine.register_fn("zone", |g: &mut Game, name: &str, holder: INT| -> Out {
        found_or_error("zone", name, g.0.zone(name, Some(holder)))
    });
    engine.register_fn("lying_at", |g: &mut Game, place: INT| -> rhai::Array {
        g.0.lying_at(place).into_iter().map(Dynamic::from_int).collect()
    });
    engine.register_fn("step", |g: &mut Game, map: &str, space: INT, direction: INT| -> Out {
        found_or_error("map", map, g.0.step(map, space, direction))
    });
}

fn to_dynamic(v: Option<i64>) -> Dynamic {
    v.map_or(Dynamic::UNIT, Dynamic::from_int)
}

fn found_or_error(what: &str, name: &str, found: Option<Option<i64>>) -> Out {
    match found {
        Some(v) => Ok(to_dynamic(v)),
        None => Err(format!("the game has no {what} `{name}`").into()),
    }
}
