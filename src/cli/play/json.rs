//! `play --json`: one JSON object a line in and out. The schema is documented in docs/json-protocol.md; whatever changes there raises [`PROTOCOL`].
use super::{campaign, given};
use crate::io::{Exit, Failure, Io, TOO_LONG, Waited, to_json};
use crate::report;
use crate::seats::{Bots, Sitter};
use crate::setup::{Loaded, draw_seed};
use crate::store::write_whole;
use houserule_engine::{Outcome, QuestionKind, Sheet, Verdict};
use houserule_play::words::NOT_DONE;
use houserule_play::{
    Campaign, CampaignError, Decision, Ending, Illegal, Match, NO_CAMPAIGN, Offered, Opened, Setup, UndoMode,
    seat_list,
};
use serde_json::{Value, json};
use std::path::Path;

/// The version of the schema.
pub const PROTOCOL: u32 = 2;

/// How many choices a state lists for each decision; `options` gives the others.
const LISTED: usize = 200;

/// The most that one `options` request gives.
const MOST: usize = 10_000;

/// A request that cannot be done.
struct Refused {
    kind: &'static str,
    message: String,
    more: Value,
}

impl Refused {
    fn new(kind: &'static str, message: impl Into<String>) -> Refused {
        Refused { kind, message: message.into(), more: Value::Null }
    }
}

struct Talk<'a> {
    m: Match,
    bots: Bots,
    sitters: Vec<Sitter>,
    loaded: &'a Loaded,
    /// What was asked for at the start: a match that begins again is set up so, if it is not a later game of a campaign.
    setup: Setup,
    /// The campaign before this match: its finished games.
    before: Opened,
    /// Whether whoever started the match chose its seed, and plays it alone: then it is told at once. Else it is told at the end, since all secrets can be made from it.
    seed_open: bool,
}

/// How a conversation begins.
pub struct Beginning {
    /// What was asked for.
    pub setup: Setup,
    /// See [`Talk::seed_open`].
    pub seed_open: bool,
    /// The campaign before its first match.
    pub before: Opened,
}

/// Talks until `quit` or the end of the input.
pub fn run(
    m: Match,
    bots: Bots,
    sitters: &[Sitter],
    beginning: Beginning,
    loaded: &Loaded,
    io: &mut Io,
) -> Result<Exit, Failure> {
    let Beginning { setup, seed_open, before } = beginning;
    let mut talk = Talk { m, bots, sitters: sitters.to_vec(), loaded, setup, before, seed_open };
    let hello = talk.make_hello();
    send_value(io, hello)?;
    let first = talk.run_bots();
    let first = talk.make_answer(first, &Value::Null);
    send_value(io, first)?;
    loop {
        let line = match io.wait_for_line(None)? {
            Waited::Line(line) => line,
            Waited::TooLong => {
                let answer = talk.make_answer(Err(Refused::new("request", TOO_LONG)), &Value::Null);
                send_value(io, answer)?;
                continue;
            }
            Waited::End | Waited::Late => break,
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let request: Value = match serde_json::from_str(line) {
            Ok(v @ Value::Object(_)) => v,
            Ok(_) => {
                let answer = talk.make_answer(
                    Err(Refused::new("request", "a request must be a JSON object")),
                    &Value::Null,
                );
                send_value(io, answer)?;
                continue;
            }
            Err(e) => {
                let answer = talk.make_answer(
                    Err(Refused::new("request", format!("this is not JSON: {e}"))),
                    &Value::Null,
                );
                send_value(io, answer)?;
                continue;
            }
        };
        if request.get("do").and_then(Value::as_str) == Some("quit") {
            let answer = talk.make_answer(Ok(json!({ "type": "bye" })), &request);
            send_value(io, answer)?;
            break;
        }
        let answer = talk.handle_request(&request, io);
        let answer = talk.make_answer(answer, &request);
        send_value(io, answer)?;
    }
    Ok(Exit::Fine)
}

fn send_value(io: &mut Io, value: Value) -> Result<(), Failure> {
    io.write_line(&to_json(&value))?;
    io.flush_output()
}

impl Talk<'_> {
    /// What a line's answer is, with the request's own mark on it.
    fn make_answer(&self, result: Result<Value, Refused>, request: &Value) -> Value {
        let mut value = match result {
            Ok(value) => value,
            Err(r) => json!({ "type": "error", "kind": r.kind, "message": r.message, "details": r.more }),
        };
        if let (Some(id), Some(object)) = (request.get("id"), value.as_object_mut()) {
            object.insert(String::from("id"), id.clone());
        }
        value
    }

    fn make_hello(&self) -> Value {
        let players: Vec<Value> = (0..self.m.player_count()).map(|i| json!(self.m.player_name(i))).collect();
        let answered: Vec<Vec<usize>> = self.m.program().answered.iter().map(|s| seat_list(*s)).collect();
        let seats: Vec<String> = self.sitters.iter().map(|s| s.to_word()).collect();
        let setup = self.m.setup();
        let seed = self.seed_open.then_some(setup.seed);
        json!({
            "type": "hello", "protocol": PROTOCOL, "version": env!("CARGO_PKG_VERSION"),
            "game": self.loaded.bundle.name, "word": self.loaded.game.name(), "title": self.loaded.game.title(),
            "fingerprint": format!("{:016x}", self.m.program().fingerprint),
            "players": players, "answered": answered, "seats": seats, "seed": seed, "scenario": setup.scenario,
            "variants": setup.variants, "options": setup.options, "given": self.m.given_text().is_some(),
            "campaign": self.is_campaign().then(|| json!({ "games": self.before.told, "other_rules": self.before.other_rules })),
        })
    }

    /// Whether this match can be a game of a campaign.
    fn is_campaign(&self) -> bool {
        self.loaded.game.has_campaign() && self.m.given_text().is_none()
    }

    /// What the end of the match hands on; nothing before it has ended.
    fn make_handed(&mut self) -> Value {
        if !self.is_campaign() || !matches!(self.m.ending(), Some(Ending::Over(_))) {
            return Value::Null;
        }
        match self.end_game() {
            Ok(after) => campaign::handed_to_json(&after),
            Err(e) => json!({ "fault": e.to_string() }),
        }
    }

    /// The campaign with this match.
    fn end_game(&mut self) -> Result<Opened, CampaignError> {
        let mut after = self.before.clone();
        after.add(&mut self.m)?;
        Ok(after)
    }

    /// Lets the bots play on, and tells how things stand.
    fn run_bots(&mut self) -> Result<Value, Refused> {
        if let Err(e) = self.bots.run(&mut self.m) {
            return Err(self.to_refused(&e));
        }
        self.make_state()
    }

    fn make_state(&mut self) -> Result<Value, Refused> {
        let decisions = self.m.decisions().map_err(|e| self.to_refused(&e))?;
        let mut list = Vec::new();
        for d in &decisions {
            let offered = self.m.list_options(d.question, 0, LISTED).map_err(|e| self.to_refused(&e))?;
            let choices: Vec<&str> = offered.iter().map(|o| o.words.as_str()).collect();
            let clock = self.m.clock(d.question).map_err(|e| self.to_refused(&e))?;
            let clock = clock.map(|c| json!({ "seconds": c.seconds, "taken": c.spent }));
            list.push(json!({
                "clock": clock,
                "question": d.question, "player": d.player, "anybody": d.anybody, "name": d.name, "seats": d.seats, "prompt": d.prompt,
                "kind": kind_word(d.kind), "count": count_to_json(d.count), "choices": choices,
            }));
        }
        let done: Vec<Value> = self
            .m
            .list_dones()
            .iter()
            .map(|d| json!({ "question": d.question, "player": d.player, "name": d.name, "seats": d.seats }))
            .collect();
        let result = match self.m.ending() {
            None => Value::Null,
            Some(Ending::Unfinished(why)) => json!({ "unfinished": why }),
            Some(Ending::Over(o)) => outcome_to_json(&o, &self.m.sheets()),
        };
        Ok(json!({
            "type": "state", "step": self.m.step(), "over": self.m.is_over(), "result": result, "decisions": list,
            "done": done, "seed": self.m.is_over().then_some(self.m.setup().seed), "handed": self.make_handed(),
        }))
    }

    fn handle_request(&mut self, r: &Value, io: &mut Io) -> Result<Value, Refused> {
        match r.get("do").and_then(Value::as_str) {
            Some("state") => self.make_state(),
            Some("choose") => self.make_choice(r),
            Some("time_up") => {
                let d = self.find_decision(r)?;
                let seat = if r.get("seat").is_some() {
                    Some(self.parse_seat(r)?)
                } else {
                    d.seats.first().copied()
                };
                self.m.time_up(seat.unwrap_or(0), d.question).map_err(|e| self.to_refused(&e))?;
                self.run_bots()
            }
            Some("options") => self.list_options(r),
            Some("view") => {
                let seat = self.parse_seat(r)?;
                let view = self.m.view(seat);
                let view = serde_json::to_value(&view).map_err(|e| Refused::new("request", e.to_string()))?;
                Ok(json!({ "type": "view", "seat": seat, "step": self.m.step(), "view": view }))
            }
            Some("log") => self.list_log(r),
            Some("why_not") => self.explain_refusal(r),
            Some("undo") => {
                self.m.undo(UndoMode::Free).map_err(|e| Refused::new("undo", e.to_string()))?;
                self.make_state()
            }
            Some("redo") => match self.m.redo() {
                true => self.make_state(),
                false => Err(Refused::new("undo", "there is nothing to redo")),
            },
            Some("play") => self.run_bots(),
            Some("save") => self.save(r),
            Some("start") => self.restart_match(r, io),
            Some("next") => self.start_next(r, io),
            Some("campaign") => self.tell_campaign(r),
            Some(other) => {
                let all = "state, choose, time_up, options, view, log, why_not, undo, redo, play, save, start, next, campaign, quit";
                Err(Refused::new("request", format!("there is no request `{other}`; the requests are {all}")))
            }
            None => Err(Refused::new("request", "a request must say what to do: {\"do\": \"state\"}")),
        }
    }

    /// Begins again, with another seed, in a given state, or with the next game of a campaign.
    fn restart_match(&mut self, r: &Value, io: &mut Io) -> Result<Value, Refused> {
        let seed = parse_seed(r)?.unwrap_or(self.m.setup().seed);
        let mut before = self.before.clone();
        let mut given = match r.get("given") {
            // Without a word about it, it begins as it began before; `null` is the game's own beginning.
            None => self.m.given_text().map(String::from),
            Some(Value::Null) => None,
            Some(text) => match text.as_str() {
                Some(text) => Some(text.to_string()),
                None => {
                    return Err(Refused::new("request", "\"given\" must be a text: a block `given { … }`"));
                }
            },
        };
        match r.get("campaign") {
            None => {}
            Some(_) if !self.loaded.game.has_campaign() => return Err(Refused::new("campaign", NO_CAMPAIGN)),
            Some(_) if r.get("given").is_some_and(|g| !g.is_null()) => {
                let text = "a game of a campaign does not begin in a given state";
                return Err(Refused::new("campaign", text));
            }
            Some(Value::Null) => (before, given) = (Opened::default(), None),
            Some(text) => {
                let Some(text) = text.as_str() else {
                    let text = "\"campaign\" must be the text of a campaign, or null";
                    return Err(Refused::new("request", text));
                };
                let opened = Campaign::read(text).and_then(|c| c.open(&self.loaded.game));
                (before, given) = (opened.map_err(refuse_campaign)?, None);
            }
        }
        self.begin(seed, given, before, r, io)
    }
    /// Begins the next game of the campaign.
    fn start_next(&mut self, r: &Value, io: &mut Io) -> Result<Value, Refused> {
        self.ensure_campaign()?;
        let after = self.end_game().map_err(refuse_campaign)?;
        let seed = match parse_seed(r)? {
            Some(seed) => seed,
            // Who knows the seed of the last game must not know the next one by it, unless all seeds are his.
            None if self.seed_open => self.m.setup().seed.wrapping_add(1),
            None => draw_seed(),
        };
        self.begin(seed, None, after, r, io)
    }

    /// The campaign as its file holds it, with this match if that has ended.
    fn tell_campaign(&mut self, r: &Value) -> Result<Value, Refused> {
        ensure_no_seat(r)?;
        let all = self.find_campaign()?;
        let (handed, text) = (campaign::handed_to_json(&all), all.campaign.to_text());
        Ok(json!({ "type": "campaign", "games": all.told, "handed": handed, "text": text }))
    }

    fn find_campaign(&mut self) -> Result<Opened, Refused> {
        self.ensure_campaign()?;
        match self.m.ending() {
            Some(Ending::Over(_)) => self.end_game().map_err(refuse_campaign),
            _ => Ok(self.before.clone()),
        }
    }

    /// Writes the match, or the campaign, to a file.
    fn save(&mut self, r: &Value) -> Result<Value, Refused> {
        ensure_no_seat(r)?;
        let Some(file) = r.get("file").and_then(Value::as_str) else {
            return Err(Refused::new("request", "`save` needs a \"file\""));
        };
        let text = match r.get("campaign") {
            None | Some(Value::Bool(false)) => self.m.save(),
            Some(Value::Bool(true)) => self.find_campaign()?.campaign.to_text(),
            Some(_) => return Err(Refused::new("request", "\"campaign\" of `save` must be true or false")),
        };
        write_whole(Path::new(file), text.as_bytes())
            .map_err(|e| Refused::new("save", format!("{file}: {e}")))?;
        Ok(json!({ "type": "saved", "file": file }))
    }

    fn ensure_campaign(&self) -> Result<(), Refused> {
        if !self.loaded.game.has_campaign() {
            return Err(Refused::new("campaign", NO_CAMPAIGN));
        }
        if !self.is_campaign() {
            let text = "this match began in a given state, so it is no game of a campaign";
            return Err(Refused::new("campaign", text));
        }
        Ok(())
    }

    /// Begins a match, the next game of the campaign before it.
    fn begin(
        &mut self,
        seed: u64,
        given: Option<String>,
        before: Opened,
        r: &Value,
        io: &mut Io,
    ) -> Result<Value, Refused> {
        if before.is_over() {
            return Err(Refused::new("campaign", "the campaign is over"));
        }
        let setup = before.next_setup(&Setup { seed, ..self.setup.clone() });
        let fresh = match given {
            Some(text) => given::from_text(self.loaded, &text, &setup).map_err(|wrong| {
                let (message, more) = given::describe_wrong(self.loaded, &wrong);
                Refused { kind: "given", message, more }
            })?,
            None => self.loaded.game.start(&setup).map_err(|report| {
                let files = self.loaded.game.files();
                let list = report
                    .findings
                    .iter()
                    .map(|d| report::finding_to_json(&self.loaded.bundle, files, d))
                    .collect::<Vec<_>>();
                Refused { kind: "setup", message: String::from("the match cannot begin"), more: json!(list) }
            })?,
        };
        if fresh.seat_count() != self.sitters.len() {
            return Err(Refused::new(
                "given",
                format!("this start has {} seats, not {}", fresh.seat_count(), self.sitters.len()),
            ));
        }
        self.seed_open |= r.get("seed").is_some() && is_alone(&self.sitters);
        let fresh = fresh.with_seats(self.m.setup().seats.clone());
        self.m = if self.seed_open { fresh } else { fresh.with_discreet_faults() };
        self.bots = Bots::new(&self.sitters, seed);
        self.before = before;
        let hello = self.make_hello();
        send_value(io, hello).map_err(|_| Refused::new("stream", "nobody reads"))?;
        self.run_bots()
    }

    fn parse_seat(&self, r: &Value) -> Result<usize, Refused> {
        let n = match r.get("seat") {
            None => return Err(Refused::new("request", "this needs a \"seat\", a number from 0")),
            Some(v) => v.as_u64().and_then(|n| usize::try_from(n).ok()),
        };
        n.filter(|n| *n < self.m.seat_count()).ok_or_else(|| {
            Refused::new("request", format!("seats are 0 to {}", self.m.seat_count().saturating_sub(1)))
        })
    }

    /// The decision that a request is about: by its number, else the first that the seat may answer.
    fn find_decision(&mut self, r: &Value) -> Result<Decision, Refused> {
        let decisions = self.m.decisions().map_err(|e| self.to_refused(&e))?;
        if let Some(q) = r.get("question") {
            let found = decisions.into_iter().find(|d| q.as_u64() == Some(u64::from(d.question)));
            return found.ok_or_else(|| Refused::new("question", format!("question {q} is not asked now")));
        }
        let seat = if r.get("seat").is_some() { Some(self.parse_seat(r)?) } else { None };
        let found = decisions.into_iter().find(|d| seat.is_none_or(|s| d.seats.contains(&s)));
        found.ok_or_else(|| Refused::new("question", "nothing is asked now"))
    }

    fn make_choice(&mut self, r: &Value) -> Result<Value, Refused> {
        if r.get("choice").and_then(Value::as_str).is_some_and(|words| words.trim() == NOT_DONE) {
            return self.take_back_done(r);
        }
        let d = self.find_decision(r)?;
        let seat = match (r.get("seat"), d.seats.first()) {
            (Some(_), _) => self.parse_seat(r)?,
            (None, Some(seat)) => *seat,
            (None, None) => return Err(Refused::new("question", "nobody may answer")),
        };
        let choice = match (r.get("choice").and_then(Value::as_str), r.get("index").and_then(Value::as_u64)) {
            (Some(words), _) => {
                self.m.parse_choice_for(Some(seat), d.question, words).map_err(|e| self.to_refused(&e))?
            }
            (None, Some(n)) => {
                let found = self.m.list_options(d.question, n, 1).map_err(|e| self.to_refused(&e))?;
                let found = found.into_iter().next().map(|o| o.choice);
                found.ok_or_else(|| Refused::new("illegal", format!("there are {} choices", d.count)))?
            }
            (None, None) => {
                return Err(Refused::new("request", "`choose` needs a \"choice\" in words or an \"index\""));
            }
        };
        self.m.choose(seat, d.question, &choice).map_err(|e| self.to_refused(&e))?;
        self.run_bots()
    }

    /// Takes a `done` back: of a question, else of a seat, else the first.
    fn take_back_done(&mut self, r: &Value) -> Result<Value, Refused> {
        let seat = if r.get("seat").is_some() { Some(self.parse_seat(r)?) } else { None };
        let question = r.get("question").map(Value::as_u64);
        let found = self.m.list_dones().into_iter().find(|d| {
            question.is_none_or(|q| q == Some(u64::from(d.question)))
                && seat.is_none_or(|s| d.seats.contains(&s))
        });
        let Some((question, Some(first))) = found.map(|d| (d.question, d.seats.first().copied())) else {
            return Err(Refused::new("question", "no player that this could mean is done"));
        };
        self.m.take_back(seat.unwrap_or(first), question).map_err(|e| self.to_refused(&e))?;
        self.run_bots()
    }

    fn list_options(&mut self, r: &Value) -> Result<Value, Refused> {
        let d = self.find_decision(r)?;
        let from = r.get("from").and_then(Value::as_u64).unwrap_or(0);
        let most = r.get("most").and_then(Value::as_u64).unwrap_or(1000).min(MOST as u64) as usize;
        let seat = if r.get("seat").is_some() { Some(self.parse_seat(r)?) } else { None };
        let offered =
            self.m.list_options_for(seat, d.question, from, most).map_err(|e| self.to_refused(&e))?;
        let list: Vec<Value> = offered.iter().map(option_to_json).collect();
        Ok(
            json!({ "type": "options", "question": d.question, "from": from, "count": count_to_json(d.count), "options": list, "tree": make_tree(&offered, 0) }),
        )
    }

    fn list_log(&mut self, r: &Value) -> Result<Value, Refused> {
        let seat = if r.get("seat").is_some() { Some(self.parse_seat(r)?) } else { None };
        let since = r.get("since").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let lines: Vec<Value> = self
            .m
            .log_since(seat, since)
            .iter()
            .map(|l| json!({ "step": l.step, "player": l.player, "text": l.text, "rule": l.rule }))
            .collect();
        Ok(json!({ "type": "log", "lines": lines }))
    }

    fn explain_refusal(&mut self, r: &Value) -> Result<Value, Refused> {
        let d = self.find_decision(r)?;
        let Some(words) = r.get("choice").and_then(Value::as_str) else {
            return Err(Refused::new("request", "`why_not` needs a \"choice\" in words"));
        };
        let seat = if r.get("seat").is_some() { Some(self.parse_seat(r)?) } else { None };
        let reasons = self.m.why_not_in_words(seat, d.question, words).map_err(|e| self.to_refused(&e))?;
        let files = self.loaded.game.files();
        let list: Vec<Value> = reasons
            .iter()
            .map(|x| json!({ "text": x.text, "place": report::place_text(&self.loaded.bundle, files, x.span) }))
            .collect();
        Ok(json!({ "type": "reasons", "question": d.question, "legal": list.is_empty(), "reasons": list }))
    }

    fn to_refused(&self, e: &Illegal) -> Refused {
        let files = self.loaded.game.files();
        let more = match e {
            Illegal::Words(w) => json!({ "at": w.at, "length": w.len, "near": w.near }),
            Illegal::Refused(reasons) => json!(
                reasons
                    .iter()
                    .map(|x| json!({ "text": x.text, "place": report::place_text(&self.loaded.bundle, files, x.span) }))
                    .collect::<Vec<_>>()
            ),
            Illegal::Fault(d) => report::finding_to_json(&self.loaded.bundle, files, d),
            _ => Value::Null,
        };
        let kind = match e {
            Illegal::Over => "over",
            Illegal::Capped(_) => "unfinished",
            Illegal::NotPending | Illegal::NotYours { .. } => "question",
            Illegal::Words(_) => "words",
            Illegal::Refused(_) => "illegal",
            Illegal::Fault(_) => "fault",
        };
        Refused { kind, message: e.to_string(), more }
    }
}

/// The seed that a request names.
fn parse_seed(r: &Value) -> Result<Option<u64>, Refused> {
    let whole =
        |v: &Value| v.as_u64().ok_or_else(|| Refused::new("request", "\"seed\" must be a whole number"));
    r.get("seed").map(whole).transpose()
}

/// A save and a campaign are not a seat's.
fn ensure_no_seat(r: &Value) -> Result<(), Refused> {
    if r.get("seat").is_none() {
        return Ok(());
    }
    let text = "a save contains the seed and the choices of all seats, so it cannot be asked for with \"seat\"; a seat can keep its `view` and its `log`";
    Err(Refused::new("request", text))
}

/// Why a campaign cannot go on.
fn refuse_campaign(e: CampaignError) -> Refused {
    Refused::new("campaign", e.to_string())
}

/// Whether at most one seat is a person's.
pub fn is_alone(sitters: &[Sitter]) -> bool {
    sitters.iter().filter(|s| **s == Sitter::You).count() <= 1
}

fn kind_word(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Menu(_) => "menu",
        QuestionKind::One(..) => "one",
        QuestionKind::Subset(..) => "subset",
        QuestionKind::Truth(_) => "truth",
    }
}

/// A number of choices; null for too many to be counted.
fn count_to_json(n: u64) -> Value {
    if n == u64::MAX { Value::Null } else { json!(n) }
}

/// An outcome for machines.
pub fn outcome_to_json(o: &Outcome, sheets: &[Sheet]) -> Value {
    let verdicts: Vec<&str> = o
        .verdicts
        .iter()
        .map(|v| match v {
            Verdict::Won => "won",
            Verdict::Lost => "lost",
            Verdict::Tied => "tied",
        })
        .collect();
    json!({
        "verdicts": verdicts, "scores": o.scores, "places": o.places, "text": o.text, "texts": o.texts, "sheets": sheets,
    })
}

/// An option: in the words that `choose` takes, as a sentence, what it costs, what it is found by and its target.
fn option_to_json(o: &Offered) -> Value {
    let target = o.path.get(1..).and_then(|things| things.last());
    let costs: Vec<Value> =
        o.cost.iter().map(|c| json!({ "due": c.due, "have": c.have, "of": *c.word })).collect();
    json!({ "words": o.words, "title": o.title, "cost": o.cost_text(), "costs": costs, "path": o.path, "target": target })
}

/// Options as a tree by action, thing and target: a node has a `text`, and either `options` below it or, with the sentence and the cost, the `words` to choose.
fn make_tree(offered: &[Offered], depth: usize) -> Vec<Value> {
    let part = |o: &Offered| o.path.get(depth).cloned();
    let branches = offered.chunk_by(|a, b| part(a).is_some() && part(a) == part(b));
    let node = |branch: &[Offered]| match branch {
        [o] => {
            let rest = o.path.get(depth..).filter(|_| depth > 0).map(|rest| rest.join(", "));
            let mut leaf = option_to_json(o);
            if let Some(object) = leaf.as_object_mut() {
                object.insert(String::from("text"), json!(rest.unwrap_or_else(|| o.title.clone())));
            }
            leaf
        }
        many => json!({ "text": many.first().and_then(part), "options": make_tree(many, depth + 1) }),
    };
    branches.map(node).collect()
}
