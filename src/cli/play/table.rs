//! Prints a match at the terminal: news, the board, the question and its choices.
use super::lists::{LISTED, numbered_lines};
use super::ticks::{Ticks, fold_sets};
use crate::draw::{self, Style};
use crate::io::{Failure, Io};
use houserule_engine::{Choice, EventKind};
use houserule_model::hir::Model;
use houserule_play::points;
use houserule_play::{Decision, Ending, LogLine, Match, Offered};
use houserule_program::ir::{OutcomeSlot, TitlePart};

/// How many choices are looked through for what they point at.
const POINTED: usize = 400;

/// How many lines the choices take at most where the screen has no room for all.
const CHOICE_LINES: usize = 12;

/// So many lines they always get.
const FEWEST_CHOICE_LINES: usize = 5;

/// What the terminal can draw.
pub fn terminal_style(io: &Io) -> Style {
    Style { color: io.color, unicode: io.unicode, width: io.width, players: io.players }
}

/// What happened since a step, as a seat may read it. What the drawing shows anyway is left out: attributes that change, and what is set out at the beginning.
/// What one player does in a row stands in one line, and so do rolls.
pub fn show_news(m: &Match, seat: Option<usize>, since: usize, io: &mut Io) -> Result<(), Failure> {
    let style = terminal_style(io);
    let lines = m.log_since(seat, since);
    let shown: Vec<&LogLine> = lines.iter().filter(|line| line.is_news()).collect();
    let mut at = 0;
    while let Some(line) = shown.get(at).copied() {
        let rest = shown.get(at..).unwrap_or(&[]);
        let n = run(rest).max(1);
        let group = rest.get(..n).unwrap_or(&[]);
        let text = match group {
            [_] => log_line(m, line, style),
            _ => join_lines(m, group, style),
        };
        for text in draw::flow_pieces("", &text.split(' ').map(String::from).collect::<Vec<_>>(), style.width)
        {
            io.write_line(&text)?;
        }
        at += n;
    }
    Ok(())
}

/// How many lines from the first on are told in one.
fn run(lines: &[&LogLine]) -> usize {
    let Some(first) = lines.first() else { return 0 };
    if is_roll(first) {
        return lines.iter().take_while(|l| is_roll(l) && head_of(&l.text) == head_of(&first.text)).count();
    }
    if first.player.is_none() || !is_act(first) {
        return 1;
    }
    let goes_on = |l: &&&LogLine| (is_act(l) && l.player == first.player) || l.kind == EventKind::Said;
    lines.iter().take_while(goes_on).count()
}

/// Between who rolls and what.
const ROLLS: &str = " rolls ";

fn is_roll(line: &LogLine) -> bool {
    matches!(line.kind, EventKind::Rolled(_)) && line.text.contains(ROLLS)
}

/// Who rolls.
fn head_of(text: &str) -> &str {
    text.split_once(ROLLS).map_or("", |(head, _)| head)
}

/// Several lines in one.
fn join_lines(m: &Match, group: &[&LogLine], style: Style) -> String {
    let sign = style.paint_text("2", if style.unicode { "·" } else { "-" });
    let Some(first) = group.first() else { return String::new() };
    if is_roll(first) {
        let who = head_of(&first.text);
        let rolls: Vec<&str> =
            group.iter().map(|l| l.text.split_once(ROLLS).map_or("", |(_, roll)| roll)).collect();
        // What nobody here sees is counted.
        return match rolls.iter().all(|r| r.ends_with('?')) {
            true => format!("{sign} {who} rolls {} times, not seen", rolls.len()),
            false => format!("{sign} {who} rolls {}", rolls.join(", ")),
        };
    }
    let mut text = String::new();
    for line in group {
        if line.kind == EventKind::Said {
            text.push_str(&format!(" \"{}\"", line.text));
        } else {
            text.push_str(if text.is_empty() { "" } else { "; " });
            text.push_str(&line.text);
        }
    }
    match first.player {
        Some(n) => format!("{sign} {}: {text}", style.paint_text(&style.player_style(n), &m.player_name(n))),
        None => format!("{sign} {text}"),
    }
}

/// Everything that has happened, as a seat may know it, with each attribute that changed and what was set out at the beginning.
pub fn show_whole_log(m: &Match, seat: Option<usize>, io: &mut Io) -> Result<(), Failure> {
    for line in m.log(seat) {
        let text = log_line(m, &line, terminal_style(io));
        io.write_line(&text)?;
    }
    Ok(())
}

/// Whether a line says what a player chose.
pub fn is_act(line: &LogLine) -> bool {
    matches!(line.kind, EventKind::Acted(_) | EventKind::Done | EventKind::Passed | EventKind::Answered)
}

/// A line of the log, with the player who acted.
pub fn log_line(m: &Match, line: &LogLine, style: Style) -> String {
    let sign = style.paint_text("2", if style.unicode { "·" } else { "-" });
    match line.kind {
        // Where a round or phase begins stands a heading.
        EventKind::Round(_) => {
            let rule = if style.unicode { "───" } else { "---" };
            return style.paint_text("1", &format!("{rule} {} {rule}", line.text));
        }
        EventKind::Phase(_) => return style.paint_text("1", &line.text),
        _ => {}
    }
    match line.player {
        Some(n) if is_act(line) => {
            format!("{sign} {}: {}", style.paint_text(&style.player_style(n), &m.player_name(n)), line.text)
        }
        _ => format!("{sign} {}", line.text),
    }
}

/// What a seat sees at a question: the board, then the question and its choices. What the screen has no room for is folded; `below` lines stand below it.
pub fn show_screen(
    m: &mut Match,
    seat: usize,
    d: &Decision,
    below: usize,
    ticks: &Ticks,
    io: &mut Io,
) -> Result<(), Failure> {
    let room = io.height.saturating_sub(below);
    let whole = question_lines(m, seat, d, usize::MAX, ticks, io)?;
    let mut question = whole.clone();
    let mut board = board_lines(m, seat, Some(d), usize::MAX, io);
    if board.len() + question.len() > room {
        // First many choices are folded, then the board, then more choices.
        question = question_lines(m, seat, d, CHOICE_LINES, ticks, io)?;
        board = board_lines(m, seat, Some(d), room.saturating_sub(question.len()), io);
        let most = room.saturating_sub(board.len() + 1).max(FEWEST_CHOICE_LINES);
        question = question_lines(m, seat, d, most, ticks, io)?;
    }
    io.write_line("")?;
    board.iter().chain(&question).try_for_each(|line| io.write_line(line))
}

/// A question alone, with what may be answered and what is ticked.
pub fn show_question(
    m: &mut Match,
    seat: usize,
    d: &Decision,
    ticks: &Ticks,
    io: &mut Io,
) -> Result<(), Failure> {
    let lines = question_lines(m, seat, d, usize::MAX, ticks, io)?;
    lines.iter().try_for_each(|line| io.write_line(line))
}

/// Board, cards and secrets of a seat when nothing is asked, in so many lines, if enough can be folded.
pub fn show_board(m: &mut Match, seat: usize, most: usize, io: &mut Io) -> Result<(), Failure> {
    io.write_line("")?;
    board_lines(m, seat, None, most, io).iter().try_for_each(|line| io.write_line(line))
}

/// Board, cards and secrets of a seat, with what a decision points at; in so many lines, if enough can be folded.
fn board_lines(m: &mut Match, seat: usize, decision: Option<&Decision>, most: usize, io: &Io) -> Vec<String> {
    let style = terminal_style(io);
    let program = m.program().clone();
    let mut points = draw::Marks::new();
    if let Some(d) = decision
        && let Ok(offered) = m.list_options(d.question, 0, POINTED)
    {
        points = points::list_spaces(&program, d.kind, &offered);
    }
    let view = m.view(seat);
    let mut out = Vec::new();
    // Where in the round it is, where the rules name their phases for people.
    let titles: Vec<&str> =
        view.phases.iter().filter(|f| f.title != f.word).map(|f| f.title.as_ref()).collect();
    if let Some(phase) = titles.last()
        && decision.is_some()
    {
        let dash = if style.unicode { "–" } else { "-" };
        out.push(style.paint_text("1", &format!("Round {} {dash} {phase}", view.round)));
    }
    let most = most.saturating_sub(out.len() + 1);
    out.extend(draw::view_lines(&view, &points::slanted_maps(&program), &points, most, style));
    out.push(String::new());
    out
}

/// Of no more cards than this it is told what they do.
const DESCRIBED: usize = 6;

/// What stands on the cards with a word, and on those of piles with that word, as a seat sees them.
pub fn show_cards(m: &mut Match, seat: usize, word: &str, io: &mut Io) -> Result<(), Failure> {
    let view = m.view(seat);
    let lines = draw::read_cards(&view, word, terminal_style(io));
    if lines.is_empty() {
        return io.write_line(&format!("No card or pile that you see has `{word}` in its name or text."));
    }
    lines.iter().try_for_each(|line| io.write_line(line))?;
    // Of few cards it is told, too, what they do.
    let told = m.game().describe_seen(&view, word);
    let few = told.iter().filter(|_| told.len() <= DESCRIBED);
    for (title, says) in few {
        show_text(&format!("{title}: {}", says.join(" ")), io)?;
    }
    Ok(())
}

/// A text in lines as long as the screen is wide.
pub fn show_text(text: &str, io: &mut Io) -> Result<(), Failure> {
    let words: Vec<String> = text.split_whitespace().map(|w| format!("{w} ")).collect();
    let lines = draw::flow_pieces("", &words, terminal_style(io).width);
    lines.iter().try_for_each(|line| io.write_line(line.trim_end()))
}

/// What the game is about, its phases in order, and what can be done in which menu, as far as the rules have texts for it.
pub fn show_rules(m: &Match, model: &Model, io: &mut Io) -> Result<(), Failure> {
    if let Some(goal) = &model.doc {
        show_text(goal, io)?;
    }
    let phases: Vec<&str> =
        model.rules.iter().filter(|r| r.phase).filter_map(|r| r.title.as_deref()).collect();
    if !phases.is_empty() {
        show_text(&format!("Phases: {}.", phases.join("; ")), io)?;
    }
    for menu in &m.program().menus {
        let mut text = format!("{}:", menu.title);
        for (i, slot) in menu.actions.iter().filter_map(|a| m.program().actions.get(a.index())).enumerate() {
            let part = |part: &TitlePart| match part {
                TitlePart::Text(t) => t.to_string(),
                TitlePart::Param(_) => String::from("…"),
            };
            let title: String = slot.said.iter().map(part).collect();
            text.push_str(if i == 0 { " " } else { "; " });
            text.push_str(&title);
        }
        show_text(&format!("{text}."), io)?;
    }
    Ok(())
}

/// The question and what may be answered, in the words of a seat; the choices in at most so many lines. The last one stays, if all are known.
fn question_lines(
    m: &mut Match,
    seat: usize,
    d: &Decision,
    most: usize,
    ticks: &Ticks,
    io: &Io,
) -> Result<Vec<String>, Failure> {
    let style = terminal_style(io);
    let name =
        if d.anybody { d.name.clone() } else { style.paint_text(&style.player_style(d.player), &d.name) };
    let prompt = if d.prompt.is_empty() { String::from("your choice") } else { d.prompt.clone() };
    if let Some(list) = ticks.list(m, seat, d) {
        let prompt = format!("{prompt} ({})", list.describe_range());
        let mut lines = list.lines(style);
        lines.insert(0, format!("{name}: {}", style.paint_text("1", &prompt)));
        return Ok(lines);
    }
    let offered =
        m.list_options_for(Some(seat), d.question, 0, LISTED).map_err(|e| Failure::Wrong(e.to_string()))?;
    let plain = is_asking_for_number(m, d);
    let (offered, sets) = fold_sets(m, seat, d, offered);
    let numbered: Vec<(u64, &Offered)> = offered.iter().map(|(n, o)| (*n, o)).take(LISTED).collect();
    let list = |shown: usize| {
        let (first, rest) = numbered.split_at(shown.min(numbered.len()));
        let last =
            rest.last().filter(|(n, o)| *n == d.count && matches!(o.choice, Choice::Done | Choice::Pass));
        let shown: Vec<(u64, &Offered)> = first.iter().chain(last).copied().collect();
        let mut lines = numbered_lines(&shown, plain, style);
        let known = if sets.is_empty() { d.count } else { offered.len() as u64 };
        if known > shown.len() as u64 {
            let rest = known - shown.len() as u64;
            let count = if d.count == u64::MAX { String::from("very many") } else { rest.to_string() };
            lines.push(format!("  and {count} more; `list` shows them, `list WORD` those with that word"));
        }
        lines
    };
    let mut lines = list(numbered.len());
    let mut shown = numbered.len();
    while lines.len() > most && shown > 1 {
        shown -= 1;
        lines = list(shown);
    }
    let sets: Vec<String> = sets.iter().flat_map(|l| flow_line(l, style)).collect();
    lines.splice(0..0, sets);
    lines.insert(0, format!("{name}: {}", style.paint_text("1", &prompt)));
    Ok(lines)
}

/// A line as wide as the screen, with further ones where it has no room.
fn flow_line(line: &str, style: Style) -> Vec<String> {
    let words: Vec<String> = line.trim_start().split(' ').map(|w| format!("{w} ")).collect();
    draw::flow_pieces("  ", &words, style.width)
}

/// Whether answers are numbers themselves, so that their places in a list must not be confused with them.
pub fn is_asking_for_number(m: &mut Match, d: &Decision) -> bool {
    let first = m.list_options(d.question, 0, 1).unwrap_or_default();
    first.first().is_some_and(|o| o.words.parse::<i64>().is_ok())
}

/// How the match ended.
pub fn show_ending(m: &mut Match, seat: usize, ending: &Ending, io: &mut Io) -> Result<(), Failure> {
    match ending {
        Ending::Unfinished(why) => io.write_line(&format!("Unfinished: {why}.")),
        Ending::Over(outcome) => {
            let view = m.view(seat);
            let together = matches!(m.program().outcome, OutcomeSlot::Together);
            let head = io.to_bold("The game is over.");
            io.write_line(&head)?;
            let sheets = m.sheets();
            for line in draw::outcome_lines(&view, outcome, together, &sheets, terminal_style(io)) {
                io.write_line(&format!("  {line}"))?;
            }
            let narrow = terminal_style(io);
            let narrow = draw::Style { width: narrow.width.saturating_sub(2), ..narrow };
            for sheet in &sheets {
                io.write_line("")?;
                for line in draw::sheet_lines(&view, sheet, narrow) {
                    io.write_line(&format!("  {line}"))?;
                }
            }
            Ok(())
        }
    }
}
