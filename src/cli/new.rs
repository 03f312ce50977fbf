//! `new`: makes something to begin from: a game, a scenario, a card, a house rule. It passes `check` and `test` as it is.
use super::args::{NewArgs, NewCard, NewGame, NewMod, NewScenario};
use super::io::{Exit, Failure, Io};
use super::load::{self, Spot};
use super::setup::{Loaded, open_bundle};
use super::sim::again::quote_for_shell;
use super::store::{Store, to_slashed, write_whole};
use houserule_ide::cards::{Card, CardSet, list_cards};
use houserule_ide::plan::{Intent, plan, suggest_name};
use houserule_ide::{Analysis, games, template};
use houserule_model::check;
use houserule_model::hir::{Scope, ScopeKind};
use houserule_model::suggest::closest;
use houserule_shipped::Template;
use houserule_text::File;
use std::path::{Component, Path, PathBuf};

/// Runs the command.
pub fn run(args: &NewArgs, io: &mut Io) -> Result<Exit, Failure> {
    match args {
        NewArgs::Game(args) => make_game(args, io),
        NewArgs::Scenario(args) => make_scenario(args, io),
        NewArgs::Card(args) => make_card(args, io),
        NewArgs::Mod(args) => make_mod(args, io),
    }?;
    Ok(Exit::Fine)
}

fn make_game(args: &NewGame, io: &mut Io) -> Result<(), Failure> {
    let title = title_of(&args.title)?;
    let word = template::to_word(&title, true);
    let Some(template) = Template::ALL.iter().find(|t| t.word == args.like) else {
        return Err(Failure::Usage(format!("there is no game to begin from that is called {}", args.like)));
    };
    let name = template::to_file_name(&title, "game");
    let folder = args.folder.join(&name);
    let file = folder.join(format!("{name}.rules"));
    write_new(&file, &template.make_text(&title, &word))?;
    let shown = shown_arg(&folder);
    io.write_line(&format!("{}: the game {title}, called {word} in rules", to_slashed(&file)))?;
    show_next(io, &[("play it against a bot", "play", &shown), ("run its tests", "test", &shown)])
}

fn make_scenario(args: &NewScenario, io: &mut Io) -> Result<(), Failure> {
    let title = title_of(&args.title)?;
    let word = template::to_word(&title, false);
    let spot = load::find_game(&args.game)?;
    let loaded = open_bundle(spot.load_bundle()?, io)?;
    let model = loaded.game.model();
    let is_scenario = |s: &&Scope| matches!(s.kind, ScopeKind::Scenario);
    let names: Vec<&str> = model.scopes.iter().filter(is_scenario).map(|s| &*s.name).collect();
    if names.contains(&word.as_str()) {
        let message = format!("{} has a scenario {word} already; take another title", model.title);
        return Err(Failure::Usage(message));
    }
    let like = match &args.like {
        Some(like) if names.contains(&like.as_str()) => Some(like.as_str()),
        Some(like) => {
            let hint = match closest(like, names.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None if names.is_empty() => String::from("it has none"),
                None => format!("its scenarios are {}", names.join(", ")),
            };
            return Err(Failure::Usage(format!("{} has no scenario {like}; {hint}", model.title)));
        }
        None => model.first_scenario().map(|s| &*s.name).or(names.first().copied()),
    };
    let (text, how) = match like {
        Some(like) => make_like(&loaded, like, &word, &title),
        None => (template::make_scenario(&word, &title, &model.name), ""),
    };
    let file = args.folder.join(format!("{word}.scenario"));
    write_new(&file, &text)?;
    let shown = shown_arg(&file);
    let of = like.map_or(String::new(), |like| format!(", {how} {like}"));
    io.write_line(&format!("{}: the scenario {title} of {}{of}", to_slashed(&file), model.title))?;
    let play = format!("{} --scenario {shown}", quote_for_shell(&args.game));
    let next = [("play it", "play", play.as_str()), ("check it when it is changed", "check", shown.as_str())];
    show_next_of(&spot, &file, &next, io)
}

/// A scenario like another, under another word and title: a copy of its text, or, where the game cannot have all of that twice, one that is built on it.
fn make_like(loaded: &Loaded, like: &str, word: &str, title: &str) -> (String, &'static str) {
    let files = &loaded.bundle.files;
    let declares = |text: &&str| games::read_about(text).scenarios.iter().any(|(name, ..)| **name == *like);
    let found = files.iter().map(|(_, f)| &*f.text).find(declares);
    let fits = |text: &String| {
        let mut files = files.clone();
        files.add(File::new(format!("scenarios/{word}.scenario"), text.as_str()));
        !check(&files).report.has_errors()
    };
    let copy = found.and_then(|text| template::copy_scenario(text, word, title)).filter(fits);
    let built =
        || format!("scenario {word} \"{title}\" for {} with {like} {{\n}}\n", loaded.game.model().name);
    copy.map_or_else(|| (built(), "built on"), |text| (text, "a copy of"))
}

fn make_card(args: &NewCard, io: &mut Io) -> Result<(), Failure> {
    let title = title_of(&args.title)?;
    let spot = load::find_game(&args.game)?;
    let bundle = spot.load_bundle()?;
    // What is wrong with the game is shown first.
    let loaded = open_bundle(bundle, io)?;
    let analysis = Analysis::from_source(&loaded.bundle.files);
    let cards = list_cards(&analysis);
    let card = find_card(&cards, args.like.as_deref())?;
    let name = suggest_name(&analysis, &title);
    let intent = Intent::CopyCard { card: card.id.clone(), name: name.clone(), title: Some(title.clone()) };
    let refused = |why: String| Failure::Usage(format!("{} cannot be copied: {why}", card.title));
    let edits = plan(&analysis, &intent).map_err(|r| refused(r.why))?;
    let mut written = Vec::new();
    for edit in edits.edits() {
        let shown = loaded.bundle.shown_name(&edit.file);
        if shown.starts_with("<shipped>") {
            let message = format!(
                "{} ships with this program: write a house rule with a card of your own (`houserule new mod`)",
                card.title
            );
            return Err(Failure::Usage(message));
        }
        let Some((_, file)) = loaded.bundle.files.iter().find(|(_, f)| f.name == *edit.file) else {
            continue;
        };
        let text = edits.apply_to_text(&edit.file, &file.text).map_err(|e| refused(e.to_string()))?;
        if !written.contains(&shown) {
            write_whole(Path::new(&shown), text.as_bytes()).map_err(|e| unwritable(Path::new(&shown), &e))?;
            written.push(shown);
        }
    }
    let what = if card.id.key.is_some() { "family of cards" } else { "card" };
    let like = if card.id.key.is_some() { &card.id.name } else { &*card.title };
    io.write_line(&format!("{}: the {what} {title}, called {name}, as {like}", written.join(", ")))?;
    show_next(io, &[("look at it", "edit", &shown_arg(Path::new(&args.game)))])
}

/// A card by its name or title; without one, the first card of the game.
fn find_card<'c>(cards: &'c CardSet, like: Option<&str>) -> Result<&'c Card, Failure> {
    let all = || cards.groups.iter().flat_map(|g| &g.cards);
    let Some(like) = like else {
        // Of a family, a copy would be a whole family.
        let first = all().find(|c| c.id.key.is_none()).or_else(|| all().next());
        return first.ok_or_else(|| Failure::Usage(String::from("the game has no card to begin from")));
    };
    let called = |c: &&Card| *c.id.name == *like || c.title.eq_ignore_ascii_case(like);
    if let Some(card) = all().find(called) {
        return Ok(card);
    }
    let hint = closest(like, all().map(|c| &*c.id.name))
        .map_or(String::new(), |near| format!("; did you mean {near}?"));
    Err(Failure::Usage(format!("there is no card {like}{hint}")))
}

fn make_mod(args: &NewMod, io: &mut Io) -> Result<(), Failure> {
    let title = title_of(&args.title)?;
    let spot = load::find_game(&args.game)?;
    let real = |folder: &Path| Path::new(".").join(folder).canonicalize().ok();
    if spot.store == Store::Disk && spot.only.is_none() && real(&args.folder) == real(&spot.folder) {
        let message =
            "a house rule in the game's own folder is a part of the game; make it elsewhere: --in FOLDER";
        return Err(Failure::Usage(String::from(message)));
    }
    let loaded = open_bundle(spot.load_bundle()?, io)?;
    let model = loaded.game.model();
    let file = args.folder.join(format!("{}.rules", template::to_file_name(&title, "house-rule")));
    write_new(&file, &mod_text(&title, &model.name, &model.title))?;
    let shown = shown_arg(&file);
    io.write_line(&format!("{}: the house rule {title} for {}", to_slashed(&file), model.title))?;
    let play = format!("{} --mod {shown}", quote_for_shell(&args.game));
    let next = [("play with it", "play", play.as_str()), ("run its tests", "test", shown.as_str())];
    show_next_of(&spot, &file, &next, io)
}

/// A house rule that says that it is in force, and a test of that.
fn mod_text(title: &str, game: &str, game_title: &str) -> String {
    format!(
        r#"# A house rule for {game_title}. Write here what it changes. Each of these is a line of its own:
#   modify VALUE += 1                       another number
#   forbid ACTION(…) else "the reason"      what cannot be done any more
#   before ACTION(…) {{ }}                    what happens in front of it; also `after`, `instead of`
#   change THING {{ attribute: 2 }}           what is printed on a card or another thing
#   remove THING                            a card or an action less

mod "{title}" for {game} {{
  before setup {{ say "{title} is in force" }}

  test "{title} is in force" {{
    start at setup
    logged "{title} is in force"
  }}
}}
"#
    )
}

/// A title that can stand in rules.
fn title_of(given: &str) -> Result<String, Failure> {
    let title = template::to_title(given.trim());
    if title.is_empty() {
        return Err(Failure::Usage(String::from("it needs a title, such as \"Harvest moon\"")));
    }
    Ok(title)
}

/// Whether the game of a file is found from where it lies.
fn is_found_from(game: &Spot, file: &Path) -> bool {
    let real = |spot: &Spot| Path::new(".").join(&spot.folder).canonicalize().ok();
    let same = |found: &Spot| {
        found.store == game.store && (found.store == Store::Shipped || real(found) == real(game))
    };
    load::find_spot_of_file(Store::Disk, file).is_ok_and(|found| same(&found))
}

/// What is said where the game of a file is not found from there.
const LOST: &str = "The game is not found from there: `check` and `test` want it beside the game's folder, or in a folder beside that.";

/// Writes a file that is not there yet, with the folders above it.
fn write_new(file: &Path, text: &str) -> Result<(), Failure> {
    if file.symlink_metadata().is_ok() {
        let message = format!("there is already a file {}; take another title", to_slashed(file));
        return Err(Failure::Usage(message));
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
    }
    write_whole(file, text.as_bytes()).map_err(|e| unwritable(file, &e))
}

fn unwritable(file: &Path, e: &std::io::Error) -> Failure {
    Failure::Unreadable(format!("cannot write {}: {e}", to_slashed(file)))
}

/// A path as it is typed behind a command.
fn shown_arg(path: &Path) -> String {
    let path: PathBuf = path.components().filter(|c| !matches!(c, Component::CurDir)).collect();
    let shown = if path.as_os_str().is_empty() { String::from(".") } else { to_slashed(&path) };
    quote_for_shell(&shown)
}

/// Shows the commands that come next for a file of a game; if the game is not found from it, the first of them alone.
fn show_next_of(spot: &Spot, file: &Path, next: &[(&str, &str, &str)], io: &mut Io) -> Result<(), Failure> {
    if is_found_from(spot, file) {
        return show_next(io, next);
    }
    show_next(io, next.get(..1).unwrap_or(next))?;
    io.write_line(LOST)
}

/// Shows the commands that come next: what each does, its name, and what follows.
fn show_next(io: &mut Io, next: &[(&str, &str, &str)]) -> Result<(), Failure> {
    for (why, command, rest) in next {
        let line = format!("houserule {command} {rest}");
        io.write_line(&format!("  {line:<60}  {why}"))?;
    }
    Ok(())
}
