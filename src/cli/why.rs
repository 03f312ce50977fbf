//! `why`: prints a value and what each modification in force makes of it, or what is attached to a rule and whether it applies.
use super::args::{Format, WhyArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::setup::{self, Loaded};
use super::value_calls::{self, find_value, parse_argument, parse_call};
use super::{replay, report};
use houserule_lab::around::{Around, Part, Unless, explain_around, find_target, parameters};
use houserule_model::hir::Target;
use houserule_play::Match;
use houserule_program::ir::{FuncId, Show, ValueSlot};
use serde_json::json;

/// Runs the command.
pub fn run(args: &WhyArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let mut m = match &args.at {
        Some(at) => replay::open_at(&loaded, at, io)?,
        None => {
            let setup = setup::make_setup(&args.setup, &loaded, args.seed, None)?;
            loaded.game.start(&setup).map_err(|report| loaded.to_failure(&report, io))?
        }
    };
    let program = m.program().clone();
    let (name, given) = parse_call(&args.value)?;
    let is_value = program.values.iter().any(|v| v.name.as_ref() == name);
    if let Some(target) = find_target(loaded.game.model(), name).filter(|_| !is_value) {
        return explain_rule(&mut m, target, &given, args, &loaded, io);
    }
    let value = find_value(&program, name, loaded.game.model())?;
    if given.len() != value.params.len() {
        let n = value.params.len();
        let s = if n == 1 { "" } else { "s" };
        return Err(Failure::Usage(format!("{name} takes {n} argument{s}, not {}", given.len())));
    }
    let mut words = Vec::new();
    for (text, show) in given.iter().zip(&value.params) {
        words.push(parse_argument(m.machine().look(), text, *show)?);
    }
    explain_value(&mut m, value, &args.value, &words, &loaded, args.format, io)
}

fn explain_value(
    m: &mut Match,
    value: &ValueSlot,
    said: &str,
    words: &[u64],
    loaded: &Loaded,
    format: Format,
    io: &mut Io,
) -> Result<Exit, Failure> {
    let program = m.program().clone();
    let mut steps = Vec::new();
    for (i, (decl, func)) in value.chain.iter().enumerate() {
        let text = evaluate(m, *func, words, value.show, loaded, io)?;
        let decl = program.decls.get(decl.index());
        let what = match decl {
            Some(_) if i == 0 => String::from("as declared"),
            Some(d) if d.name.is_empty() => d.what.to_string(),
            Some(d) => format!("{} {}", d.what, d.name),
            None => String::from("?"),
        };
        let place =
            decl.map_or(String::new(), |d| report::place_text(&loaded.bundle, loaded.game.files(), d.span));
        steps.push((what, text, place));
    }
    if steps.is_empty() {
        let decl = program.funcs.get(value.func.index()).and_then(|f| program.decls.get(f.decl.index()));
        let place =
            decl.map_or(String::new(), |d| report::place_text(&loaded.bundle, loaded.game.files(), d.span));
        let text = evaluate(m, value.func, words, value.show, loaded, io)?;
        steps.push((String::from("as declared; nothing modifies it"), text, place));
    }
    let whole = evaluate(m, value.func, words, value.show, loaded, io)?;
    // A score has lines: each is a value of its own.
    let mut parts = Vec::new();
    let lines = program.sheets.iter().find(|s| s.sum.is_some() && s.name == value.name).map(|s| &s.lines[..]);
    for line in lines.unwrap_or(&[]) {
        let show = if line.text { Show::Text } else { value.show };
        let text = evaluate(m, line.func, words, show, loaded, io)?;
        let decl = program.funcs.get(line.func.index()).and_then(|f| program.decls.get(f.decl.index()));
        let place =
            decl.map_or(String::new(), |d| report::place_text(&loaded.bundle, loaded.game.files(), d.span));
        parts.push((line, text, place));
    }
    if format == Format::Json {
        let lines: Vec<_> = parts
            .iter()
            .map(|(l, v, place)| json!({ "line": l.name, "title": l.title, "value": v, "place": place }))
            .collect();
        let chain: Vec<_> = steps
            .iter()
            .map(|(what, v, place)| json!({ "what": what, "value": v, "place": place }))
            .collect();
        io.write_line(&to_pretty_json(&json!({
            "version": 1, "name": value.name.as_ref(), "value": whole, "chain": chain, "lines": lines,
            "step": m.step(),
        })))?;
        return Ok(Exit::Fine);
    }
    let head = io.to_bold(&format!("{} = {whole}", said.trim()));
    io.write_line(&head)?;
    let mut last: Option<&String> = None;
    for (what, text, place) in &steps {
        let note = if last == Some(text) { " (unchanged)" } else { "" };
        let place = io.to_faint(&format!("({place})"));
        io.write_line(&format!("  {what}: {text}{note}  {place}"))?;
        last = Some(text);
    }
    for (line, text, place) in &parts {
        let place = io.to_faint(&format!("({place})"));
        let title = if line.title.is_empty() { &line.name } else { &line.title };
        io.write_line(&format!("  {title} ({}): {text}  {place}", line.name))?;
    }
    Ok(Exit::Fine)
}

/// What is attached to a rule or an action, and whether it applies to these arguments.
fn explain_rule(
    m: &mut Match,
    target: Target,
    given: &[&str],
    args: &WhyArgs,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<Exit, Failure> {
    let said = args.value.trim();
    let Some(shows) = parameters(m, target) else {
        let why = format!(
            "{said}: an argument of this rule is a set, a list or a place, which cannot be written here"
        );
        return Err(Failure::Usage(why));
    };
    if given.len() != shows.len() {
        let (n, s) = (shows.len(), if shows.len() == 1 { "" } else { "s" });
        let name = said.split('(').next().unwrap_or(said);
        return Err(Failure::Usage(format!("{name} takes {n} argument{s}, not {}", given.len())));
    }
    let mut words = Vec::new();
    for (text, (show, may_be_none)) in given.iter().zip(&shows) {
        let none = *text == "none" && *may_be_none;
        words.push(if none { None } else { Some(parse_argument(m.machine().look(), text, *show)?) });
    }
    let view = m.view(0);
    let acts = match &args.by {
        Some(who) => {
            let is = |p: &houserule_engine::HolderView| *p.name.title == **who || *p.name.word == **who;
            let found = view.players.iter().position(is);
            Some(found.ok_or_else(|| Failure::Usage(format!("there is no player `{who}`")))?)
        }
        None => view.turn.or_else(|| m.machine().questions().first().map(|q| usize::from(q.player))),
    };
    let lines = explain_around(m, target, &words, acts).map_err(Failure::Usage)?;
    let who = acts.and_then(|p| view.players.get(p)).map(|p| p.name.title.to_string());
    let place = |span| report::place_text(&loaded.bundle, loaded.game.files(), span);
    let reason = |a: &Around| a.unless.as_ref().map(|u| unless_text(u, loaded));
    if args.format == Format::Json {
        let chain: Vec<_> = lines
            .iter()
            .map(|a| {
                json!({
                    "part": part_word(a.part), "place": place(a.span), "carrier": a.carrier,
                    "applies": a.unless.is_none(), "why_not": reason(a),
                })
            })
            .collect();
        io.write_line(&to_pretty_json(&json!({
            "version": 1, "name": said, "by": who, "chain": chain, "step": m.step(),
        })))?;
        return Ok(Exit::Fine);
    }
    let by = who.map_or(String::new(), |p| format!(" by {p}"));
    let head = io.to_bold(&format!("{said}{by}"));
    io.write_line(&head)?;
    for a in &lines {
        let carrier = a.carrier.as_ref().map_or(String::new(), |c| format!(" ({c})"));
        let state = match (a.part, reason(a)) {
            (Part::Itself, _) => String::new(),
            (_, Some(why)) => format!(": does not apply, since {why}"),
            (_, None) => String::from(": applies"),
        };
        let place = io.to_faint(&format!("({})", place(a.span)));
        io.write_line(&format!("  {}{carrier}{state}  {place}", part_word(a.part)))?;
    }
    Ok(Exit::Fine)
}

fn part_word(part: Part) -> &'static str {
    match part {
        Part::Forbid => "forbid",
        Part::Instead => "instead of",
        Part::Before => "before",
        Part::Itself => "the rule itself",
        Part::After => "after",
    }
}

fn unless_text(unless: &Unless, loaded: &Loaded) -> String {
    let text = |span: houserule_text::Span| {
        let text = loaded.game.files().slice(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    match unless {
        Unless::NotInForce => String::from("nothing that brings it is in force"),
        Unless::NoOwner => String::from("nobody holds it"),
        Unless::Unfit(span) => format!("an argument is not `{}`", text(*span)),
        Unless::Fails(span) => format!("`{}` does not hold", text(*span)),
        Unless::By(span) => format!("it needs `by {}`", text(*span)),
        Unless::During(phases) => format!("{} is not running", phases.join(" or ")),
        Unless::Used => String::from("it was used"),
    }
}

fn evaluate(
    m: &mut Match,
    func: FuncId,
    words: &[u64],
    show: Show,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<String, Failure> {
    let program = m.program().clone();
    value_calls::evaluate(m.machine(), func, words, show)
        .map_err(|f| loaded.to_failure(&houserule_play::fault_report(&f, &program), io))
}
