//! Inserts a declaration to begin from behind the one at a place of the text: a card, an action, a test, a look or a scenario, with names that are still free.
//!
//! ```text
//! Insert::Action in a game with the menu `move` ─▶
//!   ## Say what it does.
//!   action new_action() "New action" in move {
//!     say "{me} does something new"
//!   }
//! ```
use super::plan::suggest_name;
use super::{Analysis, Edit, EditSet, Refusal};
use houserule_model::hir::{KindSort, Model};
use houserule_syntax::ast::ItemKind;
use std::ops::Range;

/// What can be inserted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Insert {
    /// A card of a kind that the game has, else a new kind with one.
    Card,
    /// An action in the first menu, else in a new one.
    Action,
    /// A test.
    Test,
    /// A look of the first kind that has none.
    Look,
    /// A scenario.
    Scenario,
}

/// The names of players in tests, one for each.
const PLAYERS: &[&str] = &["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Joe"];

impl Insert {
    /// All of them.
    pub const ALL: &[Insert] = &[Insert::Card, Insert::Action, Insert::Test, Insert::Look, Insert::Scenario];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Insert::Card => "card",
            Insert::Action => "action",
            Insert::Test => "test",
            Insert::Look => "look",
            Insert::Scenario => "scenario",
        }
    }

    /// Its text.
    fn make_text(self, a: &Analysis) -> Result<String, Refusal> {
        let m = &*a.model;
        let refuse = |why: &str| Err(Refusal::with_reason(why));
        Ok(match self {
            Insert::Card => {
                let name = suggest_name(a, "new card");
                match find_plain_kind(m) {
                    Some(kind) => format!("{kind} {name} \"New card\""),
                    None => {
                        let kind = free_kind(m, "NewCard");
                        format!(
                            "# A kind of cards. Say where they lie, for example: table {{ zone deck: {kind} }}\ncard {kind}\n{kind} {name} \"New card\" x2"
                        )
                    }
                }
            }
            Insert::Action => {
                let name = suggest_name(a, "new action");
                // A menu with parameters is offered with arguments, which an action need not know.
                let own = m.menus.iter().find(|menu| menu.params.is_empty());
                let (before, menu) = match own {
                    Some(menu) => (String::new(), menu.name.to_string()),
                    None => {
                        let menu = suggest_name(a, "new menu");
                        let told = format!(
                            "# Say where it is put before a player, for example: round {{ everyone in turn {{ offer {menu} }} }}\nmenu {menu} \"What do you do?\"\n\n"
                        );
                        (told, menu)
                    }
                };
                format!(
                    "{before}## Say what it does.\naction {name}() \"New action\" in {menu} {{\n  say \"{{me}} does something new\"\n}}"
                )
            }
            Insert::Test => {
                let title = free_title(m);
                let named = m.kinds.iter().any(|k| k.sort == KindSort::Player && !k.members.is_empty());
                let count = m.players.0.max(1) as usize;
                if !named && count > PLAYERS.len() {
                    return refuse("A test names each player; this game has too many for that");
                }
                let mut head = String::new();
                if let Some(scope) = m.first_scenario() {
                    head.push_str(&format!(" on {}", scope.name));
                }
                if !named {
                    let names = PLAYERS.get(..count).unwrap_or_default();
                    head.push_str(&format!(" with {}", names.join(", ")));
                }
                format!(
                    "test \"{title}\"{head} {{\n  # Say how it begins, what the players choose, and what must hold then.\n  expect count(players) >= {count}\n}}"
                )
            }
            Insert::Look => {
                let drawn =
                    |sort: &KindSort| matches!(sort, KindSort::Component(_) | KindSort::Space(Some(_)));
                let bare = m.kinds.iter().find(|k| drawn(&k.sort) && k.look.is_empty() && !k.joined);
                match bare {
                    Some(kind) => format!("look {} {{ fill: \"#c8b88a\" }}", kind.name),
                    None => return refuse("Every card, piece and space of this game has a look already"),
                }
            }
            Insert::Scenario => {
                let name = suggest_name(a, "new scenario");
                let drawn = m.maps.iter().find(|map| map.size.is_none() && map.computed.is_none());
                let picture = drawn.map(|map| {
                    let sign = map.legend.first().map_or(".", |row| &row.sign);
                    format!("\n  map {} \"\"\"\n    {sign}\n  \"\"\"", map.name)
                });
                format!(
                    "scenario {name} \"New scenario\" for {} {{\n  # Write here what is different: options, maps, rules.{}\n}}",
                    m.name,
                    picture.unwrap_or_default()
                )
            }
        })
    }
}

/// A kind of components of which a member stands that says nothing of itself: another one may stand so, too.
fn find_plain_kind(m: &Model) -> Option<&str> {
    let plain = m.members.iter().find(|x| {
        let kind = m.kinds.get(x.kind.index());
        kind.is_some_and(|k| matches!(k.sort, KindSort::Component(_)) && !k.per_player)
            && x.sets.is_empty()
            && x.fills.is_empty()
            && x.family.is_none()
    })?;
    m.kinds.get(plain.kind.index()).map(|k| &*k.name)
}

/// A kind's name that nothing has.
fn free_kind(m: &Model, stem: &str) -> String {
    let taken = |n: &str| {
        *m.name == *n
            || m.kinds.iter().any(|k| *k.name == *n)
            || m.maps.iter().any(|map| *map.name == *n)
            || m.members.iter().any(|x| *x.name == *n)
    };
    let mut names = (1..).map(|n| if n == 1 { stem.to_string() } else { format!("{stem}{n}") });
    names.find(|n| !taken(n)).unwrap_or_default()
}

/// A title that no test has.
fn free_title(m: &Model) -> String {
    let stem = "what must hold";
    let mut titles = (1..).map(|n| if n == 1 { stem.to_string() } else { format!("{stem} {n}") });
    titles.find(|t| m.tests.iter().all(|x| *x.title != **t)).unwrap_or_default()
}

/// Inserts a declaration behind the one at an offset of a file. Gives the edit, and where its text stands then.
///
/// # Errors
/// Why it cannot stand in that file.
pub fn plan_insert(
    a: &Analysis,
    file: &str,
    offset: usize,
    what: Insert,
) -> Result<(EditSet, Range<usize>), Refusal> {
    let Some((id, f)) = a.file(file) else {
        return Err(Refusal::with_reason(format!("{file} belongs to no game")));
    };
    let items = a.asts.get(id.0 as usize).map_or(&[][..], |ast| &ast.items);
    let is_mod = items.iter().any(|i| matches!(i.kind, ItemKind::Mod(_)));
    let is_setup = file.ends_with(".scenario");
    if is_mod || is_setup && what != Insert::Scenario {
        let name = what.name();
        return Err(Refusal::with_reason(format!("A new {name} stands in the rules of the game: open them")));
    }
    let text = what.make_text(a)?;
    let behind = items.iter().take_while(|i| (i.span.start as usize) <= offset).last().or(items.first());
    let end = behind.map_or(f.text.len(), |i| i.span.end as usize);
    // What is written behind it on its line belongs to it.
    let at = match f.text.get(end..).and_then(|rest| rest.find('\n')) {
        _ if end > 0 && f.text.as_bytes().get(end - 1) == Some(&b'\n') => end - 1,
        Some(n) => end + n,
        None => f.text.len(),
    };
    let before = if f.text.get(..at).is_none_or(|t| t.trim().is_empty()) { "" } else { "\n\n" };
    let rest = f.text.get(at..).unwrap_or("");
    let after = match rest.strip_prefix('\n') {
        Some(next) if next.starts_with('\n') || next.is_empty() => "",
        _ => "\n",
    };
    let start = at + before.len();
    let range = start..start + text.len();
    let edit = Edit::new(file, at..at, format!("{before}{text}{after}"));
    Ok((EditSet::from_edit(format!("insert a {}", what.name()), edit), range))
}
