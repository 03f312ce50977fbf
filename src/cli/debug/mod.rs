//! `debug`: stops a game in front of statements of its rules, and looks at what is there.
mod breaks;

use crate::args::DebugArgs;
use crate::io::{Exit, Failure, Io, Waited};
use crate::setup::{self, Loaded};
use crate::{report, seats, value_calls};
use breaks::Breakpoint;
use houserule_bots::Bot;
use houserule_lab::debugger::{Debugger, Standing, Way};
use houserule_play::fault_finding;
use houserule_text::Span;

/// The most choices that `continue` makes.
const MOST_CHOICES: usize = 100_000;

/// Answers that are listed.
const LISTED: usize = 40;

const HELP: &str = "\
step, s           to the next statement, also into what it calls
next, n           to the next statement of this rule
out, o            to the statement behind the call of this rule
back, b           to the statement before
finish, f         to the next question
continue, c       to the next breakpoint; a bot answers questions
break PLACE       stop at a rule, phase or action by its name, at LINE or at FILE:LINE; `if VALUE` behind it: only if that is yes, `if VALUE == WORDS`: if it is that
breaks            list breakpoints; `delete N` takes one away
watch VALUE       show a value or an attribute at every stop: `edge(Ann)`, `Ann.coins`, `pot`; `unwatch` ends that
print VALUE, p    show it now
stack             the rules that are running
list, l           the rules around this statement
options           what can be answered; `choose WORDS` answers, `choose` alone lets a bot answer
happened          what has happened since the last answer
quit, q           leave";

/// Runs the command.
pub fn run(args: &DebugArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::load_game(&args.game, &args.setup, io)?;
    let setup = setup::make_setup(&args.setup, &loaded, args.seed, None)?;
    let debugger = Debugger::new(&loaded.game, &setup).map_err(|report| loaded.to_failure(&report, io))?;
    let bot = seats::parse_bots(&args.bot)?.first().copied().unwrap_or(Bot::Random);
    let mut session = Session {
        debugger,
        loaded,
        bot,
        breaks: Vec::new(),
        watched: Vec::new(),
        told: 0,
        last: String::new(),
    };
    for place in &args.breaks {
        session.add_break(place, io)?;
    }
    let title = session.loaded.game.title().to_string();
    io.write_remark(&format!("{title}, seed {}. `help` lists what you can type.", args.seed));
    session.show_stop(io)?;
    loop {
        if io.interactive {
            io.write_raw("(debug) ")?;
        }
        let line = match io.wait_for_line(None)? {
            Waited::Line(line) => line,
            Waited::End | Waited::Late => return Ok(Exit::Fine),
            Waited::TooLong => {
                io.write_line("That line is too long.")?;
                continue;
            }
        };
        // An empty line is the last command again.
        let line = if line.trim().is_empty() { session.last.clone() } else { line.trim().to_string() };
        session.last = line.clone();
        let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
        if matches!(word, "quit" | "q") {
            return Ok(Exit::Fine);
        }
        match session.obey(word, rest.trim(), io) {
            Ok(()) => {}
            // What somebody types wrong ends nothing.
            Err(Failure::Usage(why) | Failure::Wrong(why)) => io.write_line(&why)?,
            Err(other) => return Err(other),
        }
    }
}

struct Session {
    debugger: Debugger,
    loaded: Loaded,
    bot: Bot,
    breaks: Vec<Breakpoint>,
    watched: Vec<String>,
    /// How many events of the stretch were told.
    told: usize,
    /// The last command.
    last: String,
}

impl Session {
    fn obey(&mut self, word: &str, rest: &str, io: &mut Io) -> Result<(), Failure> {
        match word {
            "" => Ok(()),
            "help" | "h" | "?" => io.write_line(HELP),
            "step" | "s" => self.go(Way::Into, io),
            "next" | "n" => self.go(Way::Over, io),
            "out" | "o" => self.go(Way::Out, io),
            "back" | "b" => {
                if !self.debugger.go(Way::Back) {
                    return io.write_line("This is the first statement since the last answer.");
                }
                self.told = self.told.min(self.debugger.events().len());
                self.show_stop(io)
            }
            "finish" | "f" => {
                self.debugger.run_to(&|_| false, false);
                self.show_stop(io)
            }
            "continue" | "c" => self.go_on(io),
            "break" => self.add_break(rest, io),
            "breaks" => {
                for (n, b) in self.breaks.iter().enumerate() {
                    io.write_line(&format!("{}  {}", n + 1, b.said))?;
                }
                Ok(())
            }
            "delete" => {
                let number = rest.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let Some(number) = number.filter(|n| *n < self.breaks.len()) else {
                    return Err(Failure::Usage(format!(
                        "there is no breakpoint `{rest}`; `breaks` lists them"
                    )));
                };
                self.breaks.remove(number);
                Ok(())
            }
            "watch" => {
                let text = self.read(rest)?;
                io.write_line(&format!("  {rest} = {text}"))?;
                self.watched.push(rest.to_string());
                Ok(())
            }
            "unwatch" => {
                self.watched.clear();
                Ok(())
            }
            "print" | "p" => {
                let text = self.read(rest)?;
                io.write_line(&format!("  {rest} = {text}"))
            }
            "stack" => self.show_stack(io),
            "list" | "l" => self.show_rules(io),
            "options" => self.show_options(io),
            "choose" => self.choose(rest, io),
            "happened" => {
                let lines: Vec<String> = self.debugger.events().to_vec();
                lines.iter().try_for_each(|line| io.write_line(&format!("  · {line}")))
            }
            _ => Err(Failure::Usage(format!("`{word}` is no command; `help` lists them"))),
        }
    }

    fn read(&mut self, text: &str) -> Result<String, Failure> {
        if text.is_empty() {
            return Err(Failure::Usage(String::from(
                "name a value or an attribute: edge(Ann), Ann.coins, pot",
            )));
        }
        value_calls::read_named(self.debugger.machine(), self.loaded.game.model(), text)
    }

    fn go(&mut self, way: Way, io: &mut Io) -> Result<(), Failure> {
        if self.debugger.standing() == Standing::Asked {
            return self.show_question(io);
        }
        self.debugger.go(way);
        self.show_stop(io)
    }

    /// To the next breakpoint whose condition holds.
    fn go_on(&mut self, io: &mut Io) -> Result<(), Failure> {
        let mut here_too = false;
        for _ in 0..MOST_CHOICES {
            while {
                let breaks = &self.breaks;
                self.debugger.run_to(&|span| breaks.iter().any(|b| b.places.contains(&span)), here_too)
            } {
                here_too = false;
                if self.is_wanted()? {
                    return self.show_stop(io);
                }
            }
            match self.debugger.standing() {
                Standing::Asked => {}
                _ => return self.show_stop(io),
            }
            self.tell_events(io)?;
            let Some(said) = self.debugger.answer_as(self.bot) else { return self.show_stop(io) };
            self.told = 0;
            io.write_line(&format!("> {said}"))?;
            here_too = true;
        }
        io.write_line(&format!("{MOST_CHOICES} choices were made, and nothing stopped the game."))
    }

    /// Whether a breakpoint of this statement has no condition, or one that holds.
    fn is_wanted(&mut self) -> Result<bool, Failure> {
        let Standing::Before(span) = self.debugger.standing() else { return Ok(false) };
        let conditions: Vec<_> =
            self.breaks.iter().filter(|b| b.places.contains(&span)).map(|b| b.condition.clone()).collect();
        for condition in conditions {
            let Some((value, equal, wanted)) = condition else { return Ok(true) };
            if (self.read(&value)? == wanted) == equal {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn add_break(&mut self, text: &str, io: &mut Io) -> Result<(), Failure> {
        let found = breaks::read_break(&self.loaded, text)?;
        io.write_line(&format!("stops at {}", found.said))?;
        self.breaks.push(found);
        Ok(())
    }

    /// The events that were not told yet.
    fn tell_events(&mut self, io: &mut Io) -> Result<(), Failure> {
        let lines: Vec<String> = self.debugger.events().iter().skip(self.told).cloned().collect();
        self.told = self.told.max(self.debugger.events().len());
        lines.iter().try_for_each(|line| io.write_line(&format!("  · {line}")))
    }

    /// Where the game stands, what has happened on the way, and what is watched.
    fn show_stop(&mut self, io: &mut Io) -> Result<(), Failure> {
        self.tell_events(io)?;
        match self.debugger.standing() {
            Standing::Before(span) => self.show_place(span, io)?,
            Standing::Asked => self.show_question(io)?,
            Standing::Failed => {
                let finding =
                    self.debugger.failure().map(|fault| fault_finding(fault, self.debugger.program()));
                let text = report::draw_findings(
                    &self.loaded.bundle,
                    self.loaded.game.files(),
                    &finding.into_iter().collect::<Vec<_>>(),
                    io,
                );
                io.write_raw(&text)?;
                io.write_line("`back` goes to the statements before it.")?;
            }
            Standing::Over => io.write_line("The game is over.")?,
        }
        for name in self.watched.clone() {
            let text = self.read(&name).unwrap_or_else(|_| String::from("?"));
            io.write_line(&format!("  {name} = {text}"))?;
        }
        Ok(())
    }

    fn show_place(&self, span: Span, io: &mut Io) -> Result<(), Failure> {
        let place = report::place_text(&self.loaded.bundle, self.loaded.game.files(), span);
        let frame = self.debugger.frames().iter().find(|f| f.span != Span::default());
        let within = frame.map(|f| format!("  in {}", f.name)).unwrap_or_default();
        let text = self.loaded.game.files().slice(span);
        let line = text.lines().next().unwrap_or("");
        let head = io.to_bold(&format!("{place}{within}"));
        io.write_line(&head)?;
        io.write_line(&format!("    {}", line.trim_end()))
    }

    fn show_question(&mut self, io: &mut Io) -> Result<(), Failure> {
        for (n, q) in self.debugger.questions().iter().enumerate() {
            let prompt = self.debugger.machine().prompt(n);
            let prompt = if prompt.is_empty() { String::from("a choice") } else { prompt };
            io.write_line(&format!("Player {} is asked: {prompt}", q.player + 1))?;
        }
        io.write_line(
            "`options` lists what can be answered; `choose WORDS` answers, `choose` lets a bot do it.",
        )
    }

    fn show_stack(&self, io: &mut Io) -> Result<(), Failure> {
        for frame in self.debugger.frames() {
            let decl = self.debugger.program().decls.get(frame.decl.index());
            let what = decl.map_or("rule", |d| d.what);
            let place = report::place_text(&self.loaded.bundle, self.loaded.game.files(), frame.span);
            io.write_line(&format!("  {what} {}  {place}", frame.name))?;
        }
        Ok(())
    }

    fn show_rules(&self, io: &mut Io) -> Result<(), Failure> {
        let Standing::Before(span) = self.debugger.standing() else {
            return io.write_line("The game does not stand at a statement.");
        };
        let Some(file) = self.loaded.game.files().get(span.file) else { return Ok(()) };
        let here = file.line_col(span.start as usize).line;
        let first = here.saturating_sub(5).max(1);
        for (n, line) in file.text.lines().enumerate().skip(first - 1).take(11) {
            let mark = if n + 1 == here { ">" } else { " " };
            io.write_line(&format!("{mark} {:>4}  {line}", n + 1))?;
        }
        Ok(())
    }

    fn show_options(&mut self, io: &mut Io) -> Result<(), Failure> {
        for n in 0..self.debugger.questions().len() {
            let all = self.debugger.list_answers(n, LISTED + 1);
            let all = all.map_err(|f| Failure::Wrong(f.to_string()))?;
            all.iter().take(LISTED).try_for_each(|words| io.write_line(&format!("  {words}")))?;
            if all.len() > LISTED {
                io.write_line("  …")?;
            }
        }
        Ok(())
    }

    fn choose(&mut self, words: &str, io: &mut Io) -> Result<(), Failure> {
        if self.debugger.questions().is_empty() {
            return Err(Failure::Usage(String::from(
                "nobody is asked yet; `finish` goes to the next question",
            )));
        }
        if words.is_empty() {
            match self.debugger.answer_as(self.bot) {
                Some(said) => io.write_line(&format!("> {said}"))?,
                None => return Err(Failure::Usage(String::from("the bot finds no answer"))),
            }
        } else {
            self.debugger.answer(0, words).map_err(Failure::Usage)?;
        }
        self.told = 0;
        self.show_stop(io)
    }
}
