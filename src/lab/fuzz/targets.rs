//! The fuzz targets: what is done with a mutated text (check, format, load a save, play, run a script) and which properties must hold.
use houserule_engine::{FaultKind, Stream};
use houserule_play::{Campaign, Game, Match, Setup};
use houserule_syntax as syntax;
use houserule_text::{File, FileId, Files};

/// The rules whose hook `h` the scripts of the corpus are.
const HOOK: &str = "game G \"G\" { players 2; outcome highest score }
player { score: 0..999 = 0; picked: set of 0..9 = [] }
map Board squares 4 by 4
space Cell on Board { lit: bool = no }
hook h(n: int, s: set of Cell): int from \"h.rhai\"
value score(p: player): int = p.score
menu m
action a(c: Cell) in m { c.lit = not c.lit; my.score = h(my.score, Cell where it.lit) }
round 9 times { everyone in turn { offer m } }
";

/// How many choices a game is played.
const CHOICES: u64 = 60;

/// Rules are checked: the tree holds every byte, findings lie in the text, and a set-up that is taken is made or refused.
///
/// # Errors
/// Which property does not hold.
pub fn check_rules(text: &str) -> Result<(), String> {
    let parsed = syntax::parse(FileId(0), text);
    if parsed.tree.write(text) != text {
        return Err(String::from("the tree does not hold the text"));
    }
    let files = one_file("g.rules", text);
    match Game::load(&files) {
        Ok(game) => drop(game.lower_setup(&Setup::default())),
        Err(r) if !r.has_errors() => return Err(String::from("refused without an error")),
        Err(r) => {
            if let Some(d) = r.findings.iter().find(|d| d.at.span.end as usize > text.len()) {
                return Err(format!("{} lies outside the text", d.code.0));
            }
        }
    }
    Ok(())
}

/// Rules are laid out: what is laid out stays so, and means the same.
///
/// # Errors
/// Which property does not hold.
pub fn check_formatting(text: &str) -> Result<(), String> {
    let Ok(new) = syntax::format_file(FileId(0), text) else { return Ok(()) };
    match syntax::format_file(FileId(0), &new) {
        Ok(again) if again == new => {}
        Ok(_) => return Err(String::from("laid out twice, it is another text")),
        Err(_) => return Err(String::from("laid out, it cannot be read")),
    }
    let codes = |text: &str| match Game::load(&one_file("g.rules", text)) {
        Ok(_) => Vec::new(),
        Err(r) => r.findings.iter().filter(|d| d.is_error()).map(|d| d.code.0).collect(),
    };
    let (mut before, mut behind) = (codes(text), codes(&new));
    before.sort_unstable();
    behind.sort_unstable();
    if before == behind { Ok(()) } else { Err(format!("the errors were {before:?} and are {behind:?}")) }
}

/// A save is loaded and its choices are played again; the match that this gives is saved, and that save loads as the same match.
///
/// # Errors
/// Which property does not hold.
pub fn check_save(game: &Game, text: &str) -> Result<(), String> {
    let Ok(loaded) = Match::load(game, text) else { return Ok(()) };
    let mut m = loaded.game;
    let saved = m.save();
    let again = Match::load(game, &saved).map_err(|e| format!("saved again, it cannot be loaded: {e}"))?;
    match again.parted {
        Some(p) => Err(format!("saved again, it parts: {p}")),
        None if again.game.step() != m.step() => Err(String::from("saved again, it is another match")),
        None => Ok(()),
    }
}

/// A campaign is read and its games are played again; its file, written again, gives the same campaign.
///
/// # Errors
/// Which property does not hold.
pub fn check_campaign(game: &Game, text: &str) -> Result<(), String> {
    let Ok(opened) = Campaign::read(text).and_then(|c| c.open(game)) else { return Ok(()) };
    let again = Campaign::read(&opened.campaign.to_text()).and_then(|c| c.open(game));
    match again {
        Ok(again) if again == opened => Ok(()),
        Ok(_) => Err(String::from("written again, it is another campaign")),
        Err(e) => Err(format!("written again, it cannot be opened: {e}")),
    }
}

/// Rules are checked and, if they have no errors, played by chance: they may fail, but not the program.
///
/// # Errors
/// Which property does not hold.
pub fn play_rules(text: &str) -> Result<(), String> {
    play_files(&one_file("g.rules", text))
}

/// A script is checked and called: by a small game whose hook `h` it is.
///
/// # Errors
/// Which property does not hold.
pub fn check_hook(script: &str) -> Result<(), String> {
    let mut files = one_file("g.rules", HOOK);
    files.add(File::new("h.rhai", script));
    play_files(&files)
}

fn play_files(files: &Files) -> Result<(), String> {
    let Ok(game) = Game::load(files) else { return Ok(()) };
    let Ok(program) = game.lower_setup(&Setup::default()) else { return Ok(()) };
    let mut m = game.make_machine(program, 1);
    let mut stream = Stream::new(1, 1);
    if let Err(f) = m.start().and_then(|()| m.playout(&mut stream, CHOICES))
        && let FaultKind::BadProgram(why) = f.kind
    {
        return Err(format!("broken program: {why}"));
    }
    Ok(())
}

fn one_file(name: &str, text: &str) -> Files {
    let mut files = Files::new();
    files.add(File::new(name, text));
    files
}
