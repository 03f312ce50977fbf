//! A match at the terminal: reads numbers or words from people, and lets bots answer in between.
use super::lists;
use super::table;
use super::ticks::{Ticked, Ticks};
use super::titles::things_in_title;
use crate::io::{Exit, Failure, Io, TOO_LONG, Waited};
use crate::report;
use crate::save;
use crate::seats::{Bots, Sitter};
use crate::setup::{self, Loaded};
use houserule_engine::{Choice, QuestionKind, Reason};
use houserule_model::suggest::closest;
use houserule_play::{Decision, Done, Illegal, Match, Offered, REFUSED, UndoMode, find_choices};
use houserule_text::Report;
use std::path::Path;
use std::time::{Duration, Instant};

/// A person's place at the table.
struct Session<'a> {
    m: Match,
    bots: Bots,
    fair: bool,
    /// Whether the seed was told at the start.
    seed_open: bool,
    loaded: &'a Loaded,
    /// The seat whose secrets are on the screen.
    shown: Option<usize>,
    /// Up to which choice each seat has read the log.
    read: Vec<usize>,
    /// The clock that runs, or that ran last.
    watch: Option<Watch>,
    /// The set that is being picked.
    ticks: Ticks,
}

/// How long somebody has sat at a menu with a clock. Time runs while his questions stand on the screen.
struct Watch {
    player: usize,
    /// The question with which the menu was put before him, as far as is known.
    first: u32,
    used: Duration,
    /// It has run out, and nothing could be done about it.
    spent: bool,
}

/// What to do after a line.
enum Next {
    /// Draw everything again.
    Redraw,
    /// Only ask again.
    Again,
    /// Stop.
    Quit,
}

/// Plays until the end, `quit` or the end of the input.
pub fn run(
    mut m: Match,
    bots: Bots,
    sitters: &[Sitter],
    fair: bool,
    seed_open: bool,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<(Exit, Match), Failure> {
    io.people = true;
    io.players = crate::draw::player_fills(&m.view(0));
    let head = io.to_bold(loaded.game.title());
    // All secrets can be made from the seed: whoever did not choose it, or does not play alone, is told it at the end.
    match seed_open {
        true => io.write_line(&format!("{head}, seed {}", m.setup().seed))?,
        false => io.write_line(&head)?,
    }
    if let Some(scenario) = setup::scenario_title(loaded, m.setup()) {
        io.write_line(&format!("{scenario}."))?;
    }
    if let Some(options) = setup::chosen_options(loaded, m.setup()) {
        io.write_line(&format!("{options}."))?;
    }
    if let Some(goal) = &loaded.game.model().doc {
        table::show_text(goal, io)?;
    }
    let who: Vec<String> = sitters
        .iter()
        .enumerate()
        .map(|(i, s)| format!("{} {}", seat_name(&m, i), sitter_name(*s)))
        .collect();
    io.write_line(&format!("{}. `help` lists what you can type.", who.join(", ")))?;
    let read = vec![0; m.seat_count()];
    let mut session =
        Session { m, bots, fair, seed_open, loaded, shown: None, read, watch: None, ticks: Ticks::default() };
    let exit = session.play_match(io)?;
    Ok((exit, session.m))
}

fn sitter_name(s: Sitter) -> String {
    match s {
        Sitter::You => String::from("is you"),
        Sitter::Bot(bot) => format!("is a {} bot", bot.to_word()),
    }
}

/// A seat by the players that it alone answers for.
fn seat_name(m: &Match, seat: usize) -> String {
    let own = |seats: &u32| seat < 32 && *seats == 1 << seat;
    let answered = m.program().answered.iter().enumerate();
    let names: Vec<String> = answered.filter(|(_, s)| own(s)).map(|(i, _)| m.player_name(i)).collect();
    if names.is_empty() { format!("seat {}", seat + 1) } else { names.join(" + ") }
}

impl Session<'_> {
    fn play_match(&mut self, io: &mut Io) -> Result<Exit, Failure> {
        loop {
            if let Err(e) = self.bots.run(&mut self.m) {
                return Err(self.to_failure(&e, io));
            }
            if let Some(ending) = self.m.ending() {
                let seat = self.last_seat();
                self.tell_news(seat, io)?;
                table::show_board(&mut self.m, seat, io.height, io)?;
                table::show_ending(&mut self.m, seat, &ending, io)?;
                if !self.seed_open {
                    io.write_line(&format!("The seed was {}.", self.m.setup().seed))?;
                }
                match self.handle_after_end(io)? {
                    true => continue,
                    false => return Ok(Exit::Fine),
                }
            }
            let decisions = self.m.decisions().map_err(|e| self.to_failure(&e, io))?;
            let Some((seat, decision)) = self.find_own_question(&decisions) else {
                return Err(Failure::Wrong(String::from(
                    "no player here is asked, but the game is not over",
                )));
            };
            self.draw_curtain(seat, &decision, decisions.len() > 1, io)?;
            self.tell_news(seat, io)?;
            let done: Vec<String> = self.list_done_people("").iter().map(|(_, d)| d.name.clone()).collect();
            let clock = self.m.clock(decision.question).map_err(|e| self.to_failure(&e, io))?;
            // The line in which the answer is typed, and those about who is done and how much time is left.
            let below = 1 + usize::from(!done.is_empty()) + usize::from(clock.is_some());
            table::show_screen(&mut self.m, seat, &decision, below, &self.ticks, io)?;
            if !done.is_empty() {
                let text = io.to_faint(&format!("  done: {} (`not done` takes it back)", done.join(", ")));
                io.write_line(&text)?;
            }
            let left = self.time_left(&decision, io)?;
            let (begun, until) = (Instant::now(), left.map(|d| Instant::now() + d));
            loop {
                let line = match ask_until(until, io)? {
                    Waited::Line(line) => line,
                    Waited::TooLong => {
                        io.write_remark(TOO_LONG);
                        continue;
                    }
                    Waited::Late => {
                        self.handle_time_up(seat, &decision, io)?;
                        break;
                    }
                    Waited::End => {
                        io.write_line(&format!(
                            "The input has ended; the game stops after {}.",
                            count_text(self.m.step())
                        ))?;
                        return Ok(Exit::Fine);
                    }
                };
                match self.handle_line(seat, &decision, line.trim(), io)? {
                    Next::Redraw => break,
                    Next::Again => {}
                    Next::Quit => return Ok(Exit::Fine),
                }
            }
            if let (Some(watch), Some(_)) = (&mut self.watch, until) {
                watch.used += begun.elapsed();
            }
        }
    }

    /// How long may be waited for an answer, if a clock runs; told to whoever must answer.
    fn time_left(&mut self, d: &Decision, io: &mut Io) -> Result<Option<Duration>, Failure> {
        let clock = self.m.clock(d.question).map_err(|e| self.to_failure(&e, io))?;
        let Some((clock, seconds)) = clock.and_then(|c| Some((c, c.seconds?))) else { return Ok(None) };
        let fresh = clock.spent == 0 && d.kind == QuestionKind::Menu(clock.offer);
        let runs = |w: &Watch| w.player == d.player && (!fresh || w.first == d.question);
        if !self.watch.as_ref().is_some_and(runs) {
            self.watch =
                Some(Watch { player: d.player, first: d.question, used: Duration::ZERO, spent: false });
        }
        let Some(watch) = self.watch.as_ref().filter(|w| !w.spent) else { return Ok(None) };
        let left = Duration::from_secs(u64::from(seconds)).saturating_sub(watch.used);
        let whole = left.as_millis().div_ceil(1000);
        let s = if whole == 1 { "" } else { "s" };
        let text = io.to_faint(&format!("  {whole} second{s} left"));
        io.write_line(&text)?;
        Ok(Some(left))
    }

    /// Time is up before anything was typed.
    fn handle_time_up(&mut self, seat: usize, d: &Decision, io: &mut Io) -> Result<(), Failure> {
        if io.interactive {
            io.write_line("")?;
        }
        match self.m.time_up(seat, d.question) {
            Ok(()) => {
                let text = io.paint_text("31", "Time is up.");
                io.write_line(&text)
            }
            Err(e @ Illegal::Fault(_)) => Err(self.to_failure(&e, io)),
            Err(e) => {
                if let Some(watch) = &mut self.watch {
                    watch.spent = true;
                }
                let text = io.paint_text("31", &format!("{e}."));
                io.write_line(&text)
            }
        }
    }

    /// The first question that a person may answer, the person at the screen before others.
    fn find_own_question(&self, decisions: &[Decision]) -> Option<(usize, Decision)> {
        let person = |d: &Decision| {
            let mut people = d.seats.iter().copied().filter(|s| self.bots.is_person(*s));
            let shown = self.shown.filter(|s| d.seats.contains(s) && self.bots.is_person(*s));
            shown.or_else(|| people.next())
        };
        let at_screen = decisions.iter().find(|d| self.shown.is_some_and(|s| person(d) == Some(s)));
        at_screen
            .or(decisions.iter().find(|d| person(d).is_some()))
            .and_then(|d| Some((person(d)?, d.clone())))
    }

    /// Whose view is shown when nobody is asked.
    fn last_seat(&self) -> usize {
        let person = (0..self.m.seat_count()).find(|s| self.bots.is_person(*s));
        self.shown.or(person).unwrap_or(0)
    }

    /// Hides one person's secrets before another one looks.
    fn draw_curtain(&mut self, seat: usize, d: &Decision, at_once: bool, io: &mut Io) -> Result<(), Failure> {
        let before = self.shown.replace(seat);
        if self.bots.count_people() < 2 || before == Some(seat) {
            return Ok(());
        }
        if !(at_once || self.has_secrets(seat, before)) {
            // Both look at the same screen: what one has read the other has read, too.
            let read = before.and_then(|b| self.read.get(b)).copied().unwrap_or(0);
            if let Some(mine) = self.read.get_mut(seat) {
                *mine = read.max(*mine);
            }
            return Ok(());
        }
        let name = if d.anybody { self.m.player_name(self.m.player_of(seat)) } else { d.name.clone() };
        if io.interactive {
            io.write_raw("\u{1b}[2J\u{1b}[3J\u{1b}[H")?;
            io.write_line(&format!("Now {name} looks at the screen. Press Enter when nobody else does."))?;
            io.flush_output()?;
            io.wait_for_line(None)?;
        } else {
            io.write_line(&format!("---- {name} ----"))?;
        }
        Ok(())
    }

    /// Whether two seats see different things. Before anybody has looked, all seats are compared.
    fn has_secrets(&mut self, seat: usize, before: Option<usize>) -> bool {
        let others: Vec<usize> = match before {
            Some(b) => vec![b],
            None => (0..self.m.seat_count()).filter(|s| *s != seat).collect(),
        };
        let mut mine = self.m.view(seat);
        others.into_iter().any(|o| {
            let theirs = self.m.view(o);
            mine.seat = theirs.seat;
            mine != theirs
        })
    }

    fn tell_news(&mut self, seat: usize, io: &mut Io) -> Result<(), Failure> {
        let since = self.read.get(seat).copied().unwrap_or(0);
        table::show_news(&self.m, Some(seat), since, io)?;
        if let Some(read) = self.read.get_mut(seat) {
            *read = self.m.step() + 1;
        }
        Ok(())
    }

    fn to_failure(&self, e: &Illegal, io: &mut Io) -> Failure {
        if let Illegal::Fault(d) = e {
            let report = Report { findings: vec![d.as_ref().clone()] };
            report::show_report(&self.loaded.bundle, self.loaded.game.files(), &report, io);
            return Failure::Shown(Exit::Findings);
        }
        Failure::Wrong(e.to_string())
    }

    /// What a line asks for: a command, a number, or a choice in words.
    fn handle_line(&mut self, seat: usize, d: &Decision, line: &str, io: &mut Io) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if let Some(next) = self.handle_common(seat, word, rest, io)? {
            return Ok(next);
        }
        match word {
            "" => return Ok(Next::Again),
            "list" | "choices" => {
                self.list_choices(seat, d, rest, io)?;
                return Ok(Next::Again);
            }
            "why" => {
                let what = rest.strip_prefix("not").map_or(rest, str::trim);
                self.tell_why_not(seat, d, what, io)?;
                return Ok(Next::Again);
            }
            _ => {}
        }
        let parsed = self.m.parse_choice_for(Some(seat), d.question, line);
        // A set in braces is a whole choice; what names things without them ticks these.
        if parsed.is_err() || !line.contains('{') {
            match self.ticks.read_line(&mut self.m, seat, d, line) {
                Ticked::Nothing => {}
                Ticked::Changed => {
                    table::show_question(&mut self.m, seat, d, &self.ticks, io)?;
                    return Ok(Next::Again);
                }
                Ticked::Refused(why) => {
                    let text = io.paint_text("31", &format!("{why}."));
                    io.write_line(&text)?;
                    return Ok(Next::Again);
                }
                Ticked::Take(choice) => return self.take_choice(seat, d, &choice, io),
            }
            if parsed.is_err()
                && let Some(ticks) = Ticks::begin_action(&mut self.m, seat, d, line)
            {
                self.ticks = ticks;
                table::show_question(&mut self.m, seat, d, &self.ticks, io)?;
                return Ok(Next::Again);
            }
        }
        // A number is a choice's number in the list, but where numbers are asked for it is the answer itself.
        let counted =
            if table::is_asking_for_number(&mut self.m, d) { None } else { line.parse::<u64>().ok() };
        let choice = match counted.ok_or(()) {
            Ok(n) if n >= 1 && n <= d.count => {
                let found = self.m.list_options(d.question, n - 1, 1).map_err(|e| self.to_failure(&e, io))?;
                found.into_iter().next().map(|o| o.choice)
            }
            Ok(_) => {
                io.write_line(&format!("The choices are numbered 1 to {}.", d.count))?;
                return Ok(Next::Again);
            }
            Err(()) => match parsed.or_else(|e| self.find_meant(seat, d, line).ok_or(e)) {
                Ok(choice) => Some(choice),
                Err(e) => {
                    let fitting = self.find_fitting(seat, d, line);
                    if fitting.len() > 1 {
                        let fitting: Vec<(u64, &Offered)> = fitting.iter().map(|(n, o)| (*n, o)).collect();
                        let style = table::terminal_style(io);
                        for line in lists::numbered_lines(&fitting, false, style) {
                            io.write_line(&line)?;
                        }
                    } else {
                        self.tell_misread(line, &e, io)?;
                    }
                    return Ok(Next::Again);
                }
            },
        };
        let Some(choice) = choice else { return Ok(Next::Again) };
        self.take_choice(seat, d, &choice, io)
    }

    /// Takes a choice, or says why not.
    fn take_choice(
        &mut self,
        seat: usize,
        d: &Decision,
        choice: &Choice,
        io: &mut Io,
    ) -> Result<Next, Failure> {
        self.ticks = Ticks::default();
        match self.m.choose(seat, d.question, choice) {
            Ok(()) => Ok(Next::Redraw),
            Err(Illegal::Fault(f)) => {
                self.to_failure(&Illegal::Fault(f), io);
                io.write_line("The choice was taken back; choose something else, or `quit`.")?;
                Ok(Next::Again)
            }
            Err(Illegal::Refused(reasons)) => {
                let no = io.paint_text("31", "No:");
                self.tell_reasons(&no, &reasons, io)?;
                Ok(Next::Again)
            }
            Err(e) => {
                let text = io.paint_text("31", &format!("No: {e}."));
                io.write_line(&text)?;
                Ok(Next::Again)
            }
        }
    }

    /// People at this table who are done and may take that back, with their seats; of that name, if one is given.
    fn list_done_people(&self, name: &str) -> Vec<(usize, Done)> {
        let person = |d: &Done| d.seats.iter().copied().find(|s| self.bots.is_person(*s));
        let dones = self.m.list_dones().into_iter().filter_map(|d| Some((person(&d)?, d)));
        dones.filter(|(_, d)| name.is_empty() || d.name.to_lowercase() == name.to_lowercase()).collect()
    }

    /// `not done [NAME]`.
    fn take_back_done(&mut self, name: &str, io: &mut Io) -> Result<Next, Failure> {
        let done = self.list_done_people(name);
        let told = match done.as_slice() {
            [(seat, d)] => match self.m.take_back(*seat, d.question) {
                Ok(()) => return Ok(Next::Redraw),
                Err(e) => format!("No: {e}."),
            },
            [] => String::from("No player here that this could mean is done."),
            many => {
                let names: Vec<&str> = many.iter().map(|(_, d)| d.name.as_str()).collect();
                format!("Who? `not done NAME`: {}.", names.join(", "))
            }
        };
        let told = io.paint_text("31", &told);
        io.write_line(&told)?;
        Ok(Next::Again)
    }

    /// Words that mean nothing: as a choice, or as a command.
    fn tell_misread(&self, line: &str, e: &Illegal, io: &mut Io) -> Result<(), Failure> {
        let mut text = e.to_string();
        if let Illegal::Words(w) = e
            && w.near.is_none()
            && let Some(near) = closest(line, COMMANDS)
        {
            text = format!("`{line}` is not a choice; did you mean `{near}`?");
        }
        let text = io.paint_text("31", &text);
        io.write_line(&text)
    }

    /// Commands that work at any time. None if it is no such command.
    fn handle_common(
        &mut self,
        seat: usize,
        word: &str,
        rest: &str,
        io: &mut Io,
    ) -> Result<Option<Next>, Failure> {
        Ok(Some(match word {
            "quit" | "exit" => {
                io.write_line(&format!("Stopped after {}.", count_text(self.m.step())))?;
                Next::Quit
            }
            "help" | "?" => {
                io.write_line(HELP)?;
                Next::Again
            }
            "rules" => {
                table::show_rules(&self.m, self.loaded.game.model(), io)?;
                Next::Again
            }
            "look" if rest.is_empty() => Next::Redraw,
            "look" | "card" if !rest.is_empty() => {
                table::show_cards(&mut self.m, seat, rest, io)?;
                Next::Again
            }
            "not" if rest == "done" || rest.starts_with("done ") => {
                self.take_back_done(rest.trim_start_matches("done").trim(), io)?
            }
            "log" if rest == "all" => {
                table::show_whole_log(&self.m, Some(seat), io)?;
                Next::Again
            }
            "log" => {
                table::show_news(&self.m, Some(seat), 0, io)?;
                Next::Again
            }
            "save" => {
                self.save_match(rest, io)?;
                Next::Again
            }
            "undo" => {
                if self.undo_choices(seat, rest, io)? {
                    Next::Redraw
                } else {
                    Next::Again
                }
            }
            "redo" => {
                let mut again = self.m.redo();
                if !again {
                    io.write_line("There is nothing to redo.")?;
                    return Ok(Some(Next::Again));
                }
                // Go on through the bots' choices that were taken back with it.
                while again && self.is_bots_turn() {
                    again = self.m.redo();
                }
                Next::Redraw
            }
            _ => return Ok(None),
        }))
    }

    fn is_bots_turn(&self) -> bool {
        self.m.steps().get(self.m.step()).is_some_and(|s| !self.bots.is_person(s.seat))
    }

    /// Takes back up to and with a person's own last choice, so many times.
    fn undo_choices(&mut self, seat: usize, rest: &str, io: &mut Io) -> Result<bool, Failure> {
        let times = match rest {
            "" => 1,
            n => match n.parse::<usize>() {
                Ok(n) if n > 0 => n,
                _ => {
                    io.write_line("`undo` takes back one choice, `undo 3` three of them.")?;
                    return Ok(false);
                }
            },
        };
        let mode = if self.fair { UndoMode::Fair { seat } } else { UndoMode::Free };
        let before = self.m.step();
        'times: for _ in 0..times {
            loop {
                let person = self
                    .m
                    .step()
                    .checked_sub(1)
                    .and_then(|i| self.m.steps().get(i))
                    .is_some_and(|s| self.bots.is_person(s.seat));
                if let Err(why) = self.m.undo(mode) {
                    if self.m.step() == before {
                        io.write_line(&format!("{why}."))?;
                    }
                    break 'times;
                }
                if person {
                    break;
                }
            }
        }
        for read in &mut self.read {
            *read = (*read).min(self.m.step() + 1);
        }
        if self.m.step() < before {
            io.write_line(&format!("The match is again as it was after {}.", count_text(self.m.step())))?;
        }
        Ok(self.m.step() < before)
    }

    fn save_match(&mut self, name: &str, io: &mut Io) -> Result<(), Failure> {
        if name.is_empty() {
            return io.write_line("`save FILE` writes the match; `houserule replay FILE` shows it again.");
        }
        match save::write(&mut self.m, Path::new(name)) {
            Ok(()) => io.write_line(&format!("Saved to {name}.")),
            Err(why) => {
                let text = io.paint_text("31", &format!("Not saved: {why}"));
                io.write_line(&text)
            }
        }
    }

    fn list_choices(&mut self, seat: usize, d: &Decision, filter: &str, io: &mut Io) -> Result<(), Failure> {
        let offered = self
            .m
            .list_options_for(Some(seat), d.question, 0, lists::MOST)
            .map_err(|e| self.to_failure(&e, io))?;
        let wanted = filter.to_lowercase();
        let hit = |text: &str| text.to_lowercase().contains(&wanted);
        let numbered: Vec<_> = offered
            .iter()
            .enumerate()
            .map(|(i, o)| (i as u64 + 1, o))
            .filter(|(_, o)| hit(&o.words) || hit(&o.title))
            .collect();
        if numbered.is_empty() {
            return io.write_line("No choice contains that.");
        }
        // Where a set is ticked, numbers are those of its elements.
        let ticked = self.ticks.list(&mut self.m, seat, d).is_some();
        let plain = ticked || table::is_asking_for_number(&mut self.m, d);
        let style = table::terminal_style(io);
        let lines = lists::numbered_lines(&numbered, plain, style);
        lines.iter().try_for_each(|line| io.write_line(line))?;
        if d.count > offered.len() as u64 {
            io.write_line(&format!("  these are the first {}; others can be typed in words", offered.len()))?;
        }
        Ok(())
    }

    /// What is against a choice, each with its place in the rules: one reason behind the head, several below it.
    fn tell_reasons(&self, head: &str, reasons: &[Reason], io: &mut Io) -> Result<(), Failure> {
        let files = self.loaded.game.files();
        let head = match reasons {
            [_] if !head.is_empty() => head,
            _ => {
                if !head.is_empty() {
                    io.write_line(head)?;
                }
                " "
            }
        };
        for reason in reasons {
            let text = if reason.text.is_empty() { REFUSED } else { &reason.text };
            let place = report::place_text(&self.loaded.bundle, files, reason.span);
            let place = io.to_faint(&format!("({place})"));
            io.write_line(&format!("{head} {text}  {place}"))?;
        }
        Ok(())
    }

    /// What a line may say as a choice in words, whether it is on offer or not: as it stands; an action's name with the things behind it; its title with the things in it; a bare
    /// thing, where all choices are of one action.
    fn list_readings(&mut self, seat: usize, d: &Decision, line: &str) -> Vec<String> {
        let mut out = vec![line.to_string()];
        let small = line.to_lowercase();
        for action in &self.m.program().actions {
            let name = action.name.replace('_', " ");
            let Some(rest) = small.strip_prefix(&name).and_then(|r| r.strip_prefix(' ')) else { continue };
            let things: Vec<&str> = rest.split([' ', ',']).filter(|x| !x.is_empty() && *x != "to").collect();
            out.extend([
                format!("{}({rest})", action.name),
                format!("{}({})", action.name, things.join(", ")),
            ]);
        }
        let titled = self.m.program().actions.iter().filter_map(|action| {
            let things = things_in_title(&action.said, action.params.len(), &small)?;
            Some(format!("{}({})", action.name, things.join(", ")))
        });
        out.extend(titled);
        let offered = self.m.list_options_for(Some(seat), d.question, 0, lists::LISTED).unwrap_or_default();
        let mut names: Vec<&str> = offered.iter().filter_map(|o| Some(o.words.split_once('(')?.0)).collect();
        names.dedup();
        if let [one] = names.as_slice()
            && !line.contains('(')
        {
            out.push(format!("{one}({line})"));
        }
        out
    }

    /// The one choice that a line may mean although it is not written in full. If none on offer is meant, it may be something that the rules are against, so that they can say so.
    fn find_meant(&mut self, seat: usize, d: &Decision, line: &str) -> Option<Choice> {
        let mut hits = self.find_fitting(seat, d, line).into_iter();
        match (hits.next(), hits.next()) {
            (Some((_, one)), None) => Some(one.choice),
            (Some(_), Some(_)) => None,
            (None, _) => {
                let readings = self.list_readings(seat, d, line);
                let mut read = |words: &String| self.m.parse_choice_for(Some(seat), d.question, words).ok();
                readings.iter().find_map(&mut read)
            }
        }
    }

    /// Choices that a line may mean, with their numbers in the list.
    fn find_fitting(&mut self, seat: usize, d: &Decision, line: &str) -> Vec<(u64, Offered)> {
        let offered = self.m.list_options_for(Some(seat), d.question, 0, lists::MOST).unwrap_or_default();
        let found = find_choices(&offered, line);
        (0..).zip(offered).filter(|(i, _)| found.contains(i)).map(|(i, o)| (i as u64 + 1, o)).collect()
    }

    fn tell_why_not(&mut self, seat: usize, d: &Decision, what: &str, io: &mut Io) -> Result<(), Failure> {
        if what.is_empty() {
            return io.write_line("`why not CHOICE` tells which rule forbids a choice.");
        }
        let mut wrong = None;
        for words in self.list_readings(seat, d, what) {
            match self.m.why_not_in_words(Some(seat), d.question, &words) {
                Ok(reasons) if reasons.is_empty() => {
                    return io.write_line(&format!("Nothing forbids {what}."));
                }
                Ok(reasons) => return self.tell_reasons("", &reasons, io),
                Err(e) => wrong = wrong.or(Some(e)),
            }
        }
        wrong.map_or(Ok(()), |e| self.tell_misread(what, &e, io))
    }

    /// Lines after the end: look back, save, take back. True if the game goes on.
    fn handle_after_end(&mut self, io: &mut Io) -> Result<bool, Failure> {
        let seat = self.last_seat();
        if io.interactive {
            io.write_line("`undo`, `log`, `save FILE`, or `quit`.")?;
        }
        let mut told = false;
        loop {
            let Some(line) = ask_line(io)? else { return Ok(false) };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if word.is_empty() {
                continue;
            }
            match self.handle_common(seat, word, rest.trim(), io)? {
                Some(Next::Quit) => return Ok(false),
                Some(Next::Redraw) => return Ok(true),
                Some(Next::Again) => {}
                // In a pipe once is enough.
                None if told && !io.interactive => {}
                None => {
                    told = true;
                    io.write_line("The game is over: `undo`, `log`, `save FILE`, or `quit`.")?;
                }
            }
        }
    }
}

/// Words that are commands.
const COMMANDS: [&str; 12] =
    ["help", "list", "why", "undo", "redo", "save", "log", "look", "card", "rules", "quit", "exit"];

const HELP: &str = "  3              take the choice with that number; of a set, tick or untick that one
  1 4 9, take    tick several, and take the set that is ticked
  run            show the choices that begin so; `run ada e9` takes that one, and so does
                 `e9`, if nothing else goes there
  list [WORD]    show all choices, or those that contain that word
  why not CHOICE tell which rule forbids it
  undo [N]       take back your last choice, or the last N
  redo           take the choice again that was taken back
  not done       where all players act freely: be asked again, until all are done
  log [all]      show what has happened, as far as you may know it; `all`: with every value that changed
  look [WORD]    draw everything again, or read the cards and piles with that word
  card NAME      read a card
  rules          what the game is about, its phases, and what can be done
  save FILE      write the match to a file; `houserule replay FILE` shows it
  quit           stop";

fn count_text(n: usize) -> String {
    if n == 1 { String::from("1 choice") } else { format!("{n} choices") }
}

/// Asks for a line. In a pipe the line is shown as if it had been typed.
fn ask_line(io: &mut Io) -> Result<Option<String>, Failure> {
    loop {
        match ask_until(None, io)? {
            Waited::Line(line) => return Ok(Some(line)),
            Waited::TooLong => io.write_remark(TOO_LONG),
            Waited::End | Waited::Late => return Ok(None),
        }
    }
}

/// The same, until then.
fn ask_until(until: Option<Instant>, io: &mut Io) -> Result<Waited, Failure> {
    if io.interactive {
        io.write_text("> ")?;
    }
    io.flush_output()?;
    let waited = io.wait_for_line(until)?;
    if let (false, Waited::Line(line)) = (io.interactive, &waited) {
        io.write_line(&format!("> {}", line.trim_end()))?;
    }
    Ok(waited)
}
