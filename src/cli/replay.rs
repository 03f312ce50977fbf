//! `replay` and `view`: replay a saved match.
use super::args::{Format, ReplayArgs, ViewArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::play::table;
use super::setup::{self, Loaded};
use super::store::{Store, read_whole};
use super::{library, load};
use houserule_lab::given;
use houserule_play::Match;
use houserule_play::save::{LoadError, Loaded as Replayed, Save};
use serde_json::json;
use std::path::{Path, PathBuf};

/// A save cannot be longer than this.
const LARGEST: u64 = 64 << 20;

pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let unreadable = |e: std::io::Error| Failure::Unreadable(format!("cannot read {}: {e}", file.display()));
    let bytes = read_whole(file, LARGEST).map_err(unreadable)?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::Unreadable(format!("{} is not a text file", file.display())))
}

fn to_failure(file: &Path, e: &LoadError) -> Failure {
    match e {
        LoadError::Unreadable { .. } => Failure::Unreadable(format!("{}:{e}", file.display())),
        LoadError::Given { .. } => Failure::Wrong(format!("{}:{e}", file.display())),
        _ => Failure::Wrong(format!("{}: {e}", file.display())),
    }
}

/// The game that a save is of: the one that is named, else a shipped one or one around here, with the mods that it names.
fn load_game_of(
    save: &Save,
    named: Option<&str>,
    mods: &[String],
    file: &Path,
    io: &mut Io,
) -> Result<Loaded, Failure> {
    let mut spot = match named {
        Some(name) => load::find_game(name)?,
        None => load::find_by_word(&save.game).ok_or_else(|| {
            let text = format!(
                "{}: there is no game {} here; give its place with --game",
                file.display(),
                save.game
            );
            Failure::Usage(text)
        })?,
    };
    for wanted in mods {
        spot.extra.push(setup::find_mod(wanted)?);
    }
    for title in &save.mods {
        let mut found = library::mod_names().into_iter().filter_map(|name| library::find_mod(&name));
        let holds = |path: &PathBuf| {
            let text = Store::Shipped.read(path).unwrap_or_default();
            String::from_utf8_lossy(&text).contains(&format!("mod \"{title}\" for"))
        };
        if let Some(path) = found.find(holds)
            && mods.is_empty()
        {
            spot.extra.push((Store::Shipped, path));
        }
    }
    setup::open_bundle(spot.load_bundle()?, io)
}

fn open_save(
    file: &Path,
    named: Option<&str>,
    mods: &[String],
    io: &mut Io,
) -> Result<(Loaded, Replayed), Failure> {
    let text = read(file)?;
    let save = Save::read(&text).map_err(|e| to_failure(file, &e))?.save;
    let loaded = load_game_of(&save, named, mods, file, io)?;
    let replayed =
        given::load_match(&loaded.game, &loaded.bundle.files, &text).map_err(|e| to_failure(file, &e))?;
    if replayed.other_rules {
        io.write_remark(&format!("{}: the rules have changed since it was saved", file.display()));
    }
    Ok((loaded, replayed))
}

/// A saved match at a step, out of `FILE` or `FILE:STEP`, of a game that is loaded already.
pub fn open_at(loaded: &Loaded, at: &str, io: &mut Io) -> Result<Match, Failure> {
    let (file, step) = match at.rsplit_once(':') {
        Some((file, step)) if !Path::new(at).exists() => match step.parse::<usize>() {
            Ok(n) => (file, Some(n)),
            Err(_) => (at, None),
        },
        _ => (at, None),
    };
    let text = read(Path::new(file))?;
    let replayed = given::load_match(&loaded.game, &loaded.bundle.files, &text)
        .map_err(|e| to_failure(Path::new(file), &e))?;
    if let Some(parted) = &replayed.parted {
        io.write_remark(&format!("{file}: {parted}"));
    }
    let mut m = replayed.game;
    go_to(&mut m, step)?;
    Ok(m)
}

fn go_to(m: &mut Match, step: Option<usize>) -> Result<(), Failure> {
    let Some(step) = step else { return Ok(()) };
    let last = m.steps().len();
    if m.at(step) { Ok(()) } else { Err(Failure::Usage(format!("there are steps 0 to {last}, not {step}"))) }
}

fn check_seat(m: &Match, seat: usize) -> Result<usize, Failure> {
    let n = m.seat_count();
    if (1..=n).contains(&seat) {
        return Ok(seat - 1);
    }
    Err(Failure::Usage(format!("--seat {seat}: seats are 1 to {n}")))
}

/// Whether a reader, or nobody who may know only so much, is told the words of a seat's answer.
fn is_told_to(reader: Option<usize>, seat: usize) -> bool {
    reader.is_none_or(|r| r == seat)
}

/// Runs `replay`.
pub fn run(args: &ReplayArgs, io: &mut Io) -> Result<Exit, Failure> {
    let (loaded, replayed) = open_save(&args.file, args.game.as_deref(), &args.mods, io)?;
    let mut m = replayed.game;
    let whole = m.steps().len();
    go_to(&mut m, args.to)?;
    let reader = args.seat.map(|s| check_seat(&m, s)).transpose()?;
    let parted = replayed.parted.map(|p| p.redact_for(reader));
    let exit = if parted.is_some() { Exit::Findings } else { Exit::Fine };
    if args.format == Format::Json {
        let upto = m.step();
        let steps: Vec<_> = m
            .steps()
            .iter()
            .take(upto)
            .enumerate()
            .map(|(i, s)| {
                let says = is_told_to(reader, s.seat).then_some(&s.words);
                json!({ "step": i + 1, "seat": s.seat, "player": s.player, "says": says })
            })
            .collect();
        let log: Vec<_> = m
            .log(reader)
            .iter()
            .map(|l| json!({ "step": l.step, "player": l.player, "text": l.text, "rule": l.rule }))
            .collect();
        io.write_line(&to_pretty_json(&json!({
            "version": 1, "game": loaded.bundle.name, "steps": steps, "of": whole, "log": log, "result": m.result_line(),
            "parted": parted.as_ref().map(|p| json!({ "step": p.step, "line": p.line, "why": p.why })),
        })))?;
        return Ok(exit);
    }
    io.people = true;
    io.players = crate::draw::player_fills(&m.view(0));
    let head = io.to_bold(loaded.game.title());
    // Whoever knows the seed knows everything.
    let seed = match reader {
        None => format!(", seed {}", m.setup().seed),
        Some(_) => String::new(),
    };
    io.write_line(&format!("{head}{seed}: {} of {whole} choices", m.step()))?;
    for (i, step) in m.steps().iter().take(m.step()).enumerate() {
        let line = format!("{:>4}  {}: {}", i + 1, m.player_name(step.player), step.words);
        if is_told_to(reader, step.seat) {
            let line = if reader.is_none() { line } else { io.to_bold(&line) };
            io.write_line(&line)?;
        }
        for news in m.log_since(reader, i + 1).iter().filter(|l| l.step == i + 1 && !table::is_act(l)) {
            let text = table::log_line(&m, news, table::terminal_style(io));
            io.write_line(&format!("      {text}"))?;
        }
    }
    let shown = reader.unwrap_or(0);
    table::show_board(&mut m, shown, usize::MAX, io)?;
    if let Some(ending) = m.ending() {
        table::show_ending(&mut m, shown, &ending, io)?;
    }
    if let Some(p) = &parted {
        let place = args.file.display();
        io.write_error(&format!("{place} differs from the rules here: {p}"));
    }
    Ok(exit)
}

/// Runs `view`.
pub fn run_view(args: &ViewArgs, io: &mut Io) -> Result<Exit, Failure> {
    let (_, replayed) = open_save(&args.file, args.game.as_deref(), &args.mods, io)?;
    let mut m = replayed.game;
    let seat = check_seat(&m, args.seat)?;
    if let Some(p) = replayed.parted.map(|p| p.redact_for(Some(seat))) {
        io.write_remark(&format!("{}: {p}", args.file.display()));
    }
    go_to(&mut m, args.to)?;
    if args.format == Format::Json {
        let view = serde_json::to_value(m.view(seat)).map_err(|e| Failure::Wrong(e.to_string()))?;
        io.write_line(&to_pretty_json(
            &json!({ "version": 1, "seat": seat, "step": m.step(), "view": view }),
        ))?;
        return Ok(Exit::Fine);
    }
    io.people = true;
    table::show_board(&mut m, seat, usize::MAX, io)?;
    if let Some(ending) = m.ending() {
        table::show_ending(&mut m, seat, &ending, io)?;
    }
    Ok(Exit::Fine)
}
