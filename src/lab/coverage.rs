//! Reports which rules and cards the tests and random games of a game never reach. Uses code with coverage marks (`LowerOptions::cover`).
//!
//! Games are played on code that marks where it has been. What that says of a declaration is read off the text: a rule is reached if something in its braces is.
pub use super::reached::Reached;
use super::{advice, testing};
use houserule_bots::{self as bots, Bot, Policy, Sight};
use houserule_engine::{Fault, Hooks, Machine, Refusal, Stream, below, mix};
use houserule_model::body::types;
use houserule_model::hir::{Member, Model, ScopeKind};
use houserule_play::setup::{player_range, resolve_setup};
use houserule_play::values::Values;
use houserule_play::{Game, Setup};
use houserule_program::{LowerOptions, PassSet};
use houserule_syntax::{self as syntax, Child, NodeId, NodeKind, Parsed, Tree};
use houserule_text::{File, FileId, Span};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Something that can be reached.
#[derive(Clone, Debug)]
pub struct Unit {
    /// `rule`, `action`, `attachment`, `card` …
    pub what: &'static str,
    /// Its name, or how it begins.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// What has to be reached: its braces, or all of it.
    body: Span,
    /// For a member: its word.
    member: Option<String>,
}

impl Unit {
    /// Whether it was reached; of a member: whether it was in play.
    pub fn is_in(&self, reached: &Reached) -> bool {
        self.count_in(reached) > 0
    }

    /// How many tests and games reached it; of a member only whether it was in play.
    pub fn count_in(&self, reached: &Reached) -> u64 {
        if let Some(word) = &self.member {
            let is = |f: &str| {
                f.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
            };
            return u64::from(reached.faces.iter().any(|f| is(f)));
        }
        let from = Span { end: self.body.start, ..self.body };
        let within = |s: &Span| s.file == self.body.file && s.start < self.body.end;
        let inside = reached.marks.range(from..).take_while(|(s, _)| within(s));
        inside.filter(|(s, _)| s.end <= self.body.end).map(|(_, n)| *n).max().unwrap_or(0)
    }

    /// Whether it is a member: a card, a token.
    pub fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// What it is and its name. What has no name is told as it begins, with its own word.
    pub fn title(&self) -> String {
        if self.name.starts_with(self.what) || self.what == "ending" || self.what == "attachment" {
            self.name.clone()
        } else {
            format!("{} {}", self.what, self.name)
        }
    }
}

/// Everything in a game's rules that can be reached, in the order of the text: rules, phases, actions, values, endings, attachments, and members of kinds of components.
/// Values that only bots use are none of the rules'.
pub fn list_units(game: &Game) -> Vec<Unit> {
    let mut out = Vec::new();
    let told = |f: &File| f.name.ends_with(".rules") || f.name.ends_with(".scenario");
    let files = game.files().iter().filter(|(_, f)| told(f));
    let parsed: Vec<_> = files.map(|(file, f)| (file, f, syntax::parse(file, &f.text))).collect();
    let texts: Vec<(&str, &Parsed)> = parsed.iter().map(|(_, f, p)| (f.text.as_str(), p)).collect();
    let advice = advice::find_bot_only(&texts);
    for ((file, f, p), advice) in parsed.iter().zip(&advice) {
        let mut of_file = Vec::new();
        UnitFinder { text: &f.text, tree: &p.tree, file: *file, out: &mut of_file }.visit_node(p.tree.root());
        of_file.retain(|u| !advice.iter().any(|r| r.start == u.span.start as usize));
        out.append(&mut of_file);
    }
    add_members(game.model(), &mut out);
    out.sort_by_key(|u| u.span);
    out
}

fn add_members(m: &Model, out: &mut Vec<Unit>) {
    // What no zone can hold is never anywhere: cards that an option names, tables.
    let held = |x: &&Member| m.zones.iter().flat_map(|z| &z.holds).any(|k| types::is_a(m, x.kind, *k));
    for x in m.members.iter().filter(|x| types::is_component(m, x.kind)).filter(held) {
        let name = x.name.to_string();
        let kind = m.kinds.get(x.kind.index()).map_or("", |k| &k.name);
        out.push(Unit {
            what: "member",
            name: format!("{kind} {name}"),
            span: x.span,
            body: x.span,
            member: Some(name),
        });
    }
}

struct UnitFinder<'t> {
    text: &'t str,
    tree: &'t Tree,
    file: FileId,
    out: &'t mut Vec<Unit>,
}

impl UnitFinder<'_> {
    fn visit_node(&mut self, id: NodeId) {
        use NodeKind as K;
        let kind = self.tree.kind(id);
        let what = match kind {
            K::Rule => "rule",
            K::Phase => "phase",
            K::Action => "action",
            K::Value => "value",
            K::Attachment => "attachment",
            K::Ending => "ending",
            K::Setup => "setup",
            K::Round => "round",
            K::Fill => "rule",
            K::Test | K::Invariant | K::Heuristic | K::Look | K::Hook | K::Type => return,
            _ => "",
        };
        let kids = self.tree.children(id);
        if !what.is_empty() {
            self.add_unit(id, kind, what, &kids);
        }
        for kid in kids {
            if let Child::Node(n) = kid {
                self.visit_node(n);
            }
        }
    }

    fn add_unit(&mut self, id: NodeId, kind: NodeKind, what: &'static str, kids: &[Child]) {
        let whole = self.tree.range(id);
        let node = |k: &Child| match k {
            Child::Node(n) => Some(*n),
            Child::Token(_) => None,
        };
        let block = kids.iter().filter_map(node).find(|n| self.tree.kind(*n) == NodeKind::Block);
        // A slot that members fill and empty braces have nothing to be reached, and a value that fills one is a part of its member.
        let full = block.filter(|b| self.tree.children(*b).iter().any(|k| node(k).is_some()));
        let needs_braces = matches!(kind, NodeKind::Rule | NodeKind::Phase | NodeKind::Fill);
        if full.is_none() && (needs_braces || block.is_some()) {
            return;
        }
        if kind == NodeKind::Value && !self.slice(&whole).contains('=') {
            return;
        }
        let body = match (full, kind) {
            (Some(b), _) => self.tree.range(b),
            (None, NodeKind::Value) => {
                let from = self.slice(&whole).find('=').map_or(whole.start, |n| whole.start + n);
                from..whole.end
            }
            (None, _) => whole.clone(),
        };
        let head = block.map_or(whole.clone(), |b| whole.start..self.tree.range(b).start);
        let mut name = self.name_of(&head, kind);
        if kind == NodeKind::Fill
            && let Some(member) = self.member_around(id)
        {
            name = format!("{name} of {member}");
        }
        let span = |r: &Range<usize>| Span::new(self.file, r.start, r.end);
        self.out.push(Unit { what, name, span: span(&whole), body: span(&body), member: None });
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or("")
    }

    /// What a declaration is called: the word behind that of its form; what has no name is told as it begins.
    fn name_of(&self, head: &Range<usize>, kind: NodeKind) -> String {
        let line = self.slice(head).split_whitespace().collect::<Vec<_>>().join(" ");
        let named = matches!(kind, NodeKind::Rule | NodeKind::Phase | NodeKind::Action | NodeKind::Value);
        if named || kind == NodeKind::Fill {
            let words =
                line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty());
            return words.skip(usize::from(named)).take(1).collect();
        }
        if line.chars().count() <= 60 { line } else { line.chars().take(59).chain(['…']).collect() }
    }

    /// The member around a node, by its first two words.
    fn member_around(&self, id: NodeId) -> Option<String> {
        let mut at = self.tree.parent(id);
        while let Some(n) = at {
            if self.tree.kind(n) == NodeKind::Member {
                let words = self.slice(&self.tree.range(n)).split_whitespace().take(2);
                return Some(words.collect::<Vec<_>>().join(" "));
            }
            at = self.tree.parent(n);
        }
        None
    }
}

/// What the tests of a game reach, all together.
pub fn measure_tests(game: &Game) -> Reached {
    let one = |i: usize| {
        let mut reached = Reached::default();
        testing::cover_test(game, i, &mut reached);
        reached
    };
    (0..game.model().tests.len()).into_par_iter().map(one).reduce(Reached::default, Reached::merge)
}

/// The stream by which set-ups and answers are drawn.
const STREAM: u64 = 0xc0fe;

/// Choices after which a game is left.
const CAP: u64 = 20_000;

/// Set-ups that are drawn for a game before it is given up: most are refused where a game's variants exclude each other.
const DRAWS: usize = 40;

/// What games between bots reach: each of a scenario, variants, options and a number of players that are drawn, too. A game that the rules end with an error counts as unfinished.
/// `seats` says who sits where, the last one in all further seats, too; `random` if it is empty.
pub fn measure_games(game: &Game, games: u64, seed: u64, seats: &[Bot]) -> Reached {
    let game = game.with_lowering(LowerOptions {
        lift: false,
        passes: PassSet::NONE,
        cover: true,
        ..game.lowering()
    });
    (0..games)
        .into_par_iter()
        .map(|i| measure_game(&game, seed, i, seats))
        .reduce(Reached::default, Reached::merge)
}

fn measure_game(game: &Game, seed: u64, index: u64, seats: &[Bot]) -> Reached {
    let mut reached = Reached { games: 1, ..Reached::default() };
    let own = mix(seed, STREAM, index);
    let mut stream = Stream::new(own, STREAM);
    let mut refused = None;
    for _ in 0..DRAWS {
        let setup = draw_setup(game.model(), own, &mut stream);
        match game.lower_setup(&setup) {
            Ok(program) => {
                let mut policies: Vec<Option<Box<dyn Policy>>> =
                    (0..usize::from(program.seats)).map(|seat| make_policy(seats, seat, own)).collect();
                let mut m = game.make_machine(program, own);
                let ended = play_out(game, &mut m, &mut policies, &mut stream, &mut reached);
                reached.note_things(&m);
                reached.note_places(&m);
                return reached
                    .with_end(index, ended.map_err(|why| format!("{} ({why})", describe_setup(&setup))));
            }
            Err(report) => refused = report.findings.into_iter().next().map(|d| d.message),
        }
    }
    let why = refused.unwrap_or_default();
    reached
        .with_end(index, Err(format!("{DRAWS} set-ups were drawn, and the rules allow none of them: {why}")))
}

/// A set-up in words.
fn describe_setup(s: &Setup) -> String {
    let players = s.players.unwrap_or_default();
    let mut out =
        vec![s.scenario.clone().unwrap_or_else(|| "no scenario".into()), format!("{players} players")];
    out.extend(s.variants.iter().cloned());
    out.extend(s.options.iter().map(|(name, value)| format!("{name}={value}")));
    out.join(", ")
}

/// Who sits there; none for the uniform policy, which needs no sight.
fn make_policy(seats: &[Bot], seat: usize, seed: u64) -> Option<Box<dyn Policy>> {
    let bot = *seats.get(seat).or(seats.last())?;
    (bot != Bot::Random).then(|| bot.make_policy(bots::seed_of(seed, seat)))
}

/// Plays to the end, and looks who has won.
fn play_out(
    game: &Game,
    m: &mut Machine,
    policies: &mut [Option<Box<dyn Policy>>],
    stream: &mut Stream,
    reached: &mut Reached,
) -> Result<(), String> {
    let hooks = game.make_hooks(m.program());
    let told = |f: &Fault, m: &Machine| f.message(m.program());
    m.start().map_err(|f| told(&f, m))?;
    for _ in 0..CAP {
        if m.is_over() {
            // Results and scores are worked out only when they are asked for.
            m.outcome();
            m.view(0);
            return Ok(());
        }
        reached.note_things(m);
        let at = below(m.questions().len() as u64, || stream.draw()) as usize;
        let seat = m.questions().get(at).map_or(0, |q| q.seats.trailing_zeros() as usize);
        let answered = match policies.get_mut(seat).and_then(Option::as_mut) {
            None => m.step(at, stream),
            Some(policy) => answer(m, hooks.clone(), seat, at, policy.as_mut()),
        };
        match answered {
            Ok(true) => {}
            Ok(false) => return Err(String::from("nobody is asked, and nothing ends the game")),
            Err(f) => return Err(told(&f, m)),
        }
    }
    Err(format!("no end after {CAP} choices"))
}

/// Lets a policy answer a question. False if it has no answer.
fn answer(
    m: &mut Machine,
    hooks: Option<Arc<dyn Hooks>>,
    seat: usize,
    at: usize,
    policy: &mut dyn Policy,
) -> Result<bool, Fault> {
    let Some(mut sight) = Sight::new(m, hooks, seat, at) else { return Ok(false) };
    let Some(choice) = policy.choose(&mut sight)? else { return Ok(false) };
    match m.choose(at, &choice) {
        Ok(()) => Ok(true),
        Err(Refusal::Fault(f)) => Err(f),
        Err(_) => Ok(false),
    }
}

/// A set-up out of all that can be chosen; it may be one that the rules refuse.
fn draw_setup(m: &Model, seed: u64, stream: &mut Stream) -> Setup {
    let of = |kind| m.scopes.iter().enumerate().filter(move |(_, s)| s.kind == kind);
    let scenarios: Vec<_> = of(ScopeKind::Scenario).collect();
    let k = below(scenarios.len() as u64 + 1, || stream.draw()) as usize;
    let scenario = scenarios.get(k);
    let id = scenario.map(|(i, _)| houserule_model::hir::ScopeId(*i as u32));
    let (least, most) = player_range(m, id);
    let players = u64::from(least) + below(u64::from(most.saturating_sub(least)) + 1, || stream.draw());
    let mut setup = Setup::with_seed(seed).with_players(players as u32);
    setup.scenario = scenario.map(|(_, s)| s.name.to_string());
    for (_, v) in of(ScopeKind::Variant) {
        if below(3, || stream.draw()) == 0 {
            setup.variants.push(v.name.to_string());
        }
    }
    let Ok(base) = resolve_setup(m, &setup) else { return setup };
    for o in m.options.iter().filter(|o| base.scopes.contains(&o.scope)) {
        if below(2, || stream.draw()) == 0
            && let Some(word) = Values::from_type(m, &base, &o.ty).and_then(|v| v.draw(stream.draw()))
        {
            setup.options.insert(o.name.to_string(), word);
        }
    }
    setup
}
