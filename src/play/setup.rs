//! Resolves a set-up in words (`--scenario`, `--option k=v`, names) to numbers, and evaluates its conditions.
use super::codes;
use super::values::{Values, face_number, space_number};
use houserule_model::hir::*;
use houserule_model::suggest::closest;
use houserule_program::setup::Resolved;
use houserule_text::{Code, Diagnostic, Report, Span, is_control};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many characters a player's name may have.
const LONGEST_NAME: usize = 64;

/// What a match is set up with, in words. [`Setup::default`] is the bare game with the fewest players and seed 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The scenario's word; `None` is the game alone.
    pub scenario: Option<String>,
    /// How many players; `None` is as many as names, or else the fewest.
    pub players: Option<u32>,
    /// Of all chance in the game.
    pub seed: u64,
    /// Options by word, each as text.
    pub options: BTreeMap<String, String>,
    /// Words of the variants that are on.
    pub variants: Vec<String>,
    /// Titles of the mods in force; `None` is every mod that was loaded.
    pub mods: Option<Vec<String>>,
    /// The players' names for people, in seat order; empty: the rules' own, or Player 1 ….
    pub names: Vec<String>,
    /// Who answers for each seat, as the command line names them; kept for saves, the game does not look at it.
    pub seats: Vec<String>,
    /// Whether somebody measures time: clocks of menus then run by seconds, and whoever measures says when one has run out ([`super::Match::time_up`]).
    pub timed: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            scenario: None,
            players: None,
            seed: 1,
            options: BTreeMap::new(),
            variants: Vec::new(),
            mods: None,
            names: Vec::new(),
            seats: Vec::new(),
            timed: false,
        }
    }
}

impl Setup {
    /// A set-up without any choice, with that seed.
    pub fn with_seed(seed: u64) -> Setup {
        Setup { seed, ..Setup::default() }
    }

    /// Sets the number of players.
    pub fn with_players(mut self, n: u32) -> Setup {
        self.players = Some(n);
        self
    }
}

/// The fewest and most seats that a set-up with that scenario may have.
pub fn player_range(m: &Model, scenario: Option<ScopeId>) -> (u32, u32) {
    m.seat_range(scenario)
}

/// Names to numbers, conditions judged. Where the set-up does not say which, the game's first scenario is played, if it has one, and as few players as the conditions allow.
///
/// # Errors
/// Everything that is wrong with the set-up, in one report: unknown words (with what may have been meant), values out of range, too few or many players, conditions not met.
pub fn resolve_setup(m: &Model, s: &Setup) -> Result<Resolved, Report> {
    if let (None, Some(first)) = (&s.scenario, m.first_scenario()) {
        return resolve_setup(m, &Setup { scenario: Some(first.name.to_string()), ..s.clone() });
    }
    let first = resolve_one(m, s);
    if s.players.is_some() || !s.names.is_empty() || first.is_ok() {
        return first;
    }
    let named = |word: &str| m.scopes.iter().position(|x| *x.name == *word).map(|i| ScopeId(i as u32));
    let (least, most) = player_range(m, s.scenario.as_deref().and_then(named));
    let more = (least..=most).skip(1).find_map(|n| resolve_one(m, &s.clone().with_players(n)).ok());
    more.map_or(first, Ok)
}

fn resolve_one(m: &Model, s: &Setup) -> Result<Resolved, Report> {
    let (mut r, out) = gather_names(m, s);
    r.check_needs(&out);
    if r.report.has_errors() { Err(r.report) } else { Ok(out) }
}

/// The set-up with options given as expressions besides its own.
///
/// # Errors
/// The first that has no value at set-up.
pub fn with_options(m: &Model, s: &Setup, options: &[(OptionId, Expr)]) -> Result<Setup, Box<Diagnostic>> {
    let mut s = s.clone();
    for (o, e) in options {
        let (_, r) = gather_names(m, &s);
        let word = m.options.get(o.index()).and_then(|option| {
            let value = evaluate(m, &r, e)?;
            Some((option.name.to_string(), Values::from_type(m, &r, &option.ty)?.word_of(value)?))
        });
        match word {
            Some((name, word)) => drop(s.options.insert(name, word)),
            None => {
                let message = "this value of an option is not known at set-up";
                return Err(Box::new(Diagnostic::error(codes::NOT_CONSTANT, e.span, message)));
            }
        }
    }
    Ok(s)
}

/// Names to numbers; what is wrong with them stands in the report.
fn gather_names<'m>(m: &'m Model, s: &Setup) -> (Resolver<'m>, Resolved) {
    let game = m.scopes.first().map_or(Span::default(), |g| g.span);
    let mut r =
        Resolver { m, game, report: Report::default(), scopes: vec![ScopeId(0)], options: Vec::new() };
    let scenario = s
        .scenario
        .as_deref()
        .and_then(|word| r.resolve_scope(ScopeKind::Scenario, word, codes::NO_SCENARIO, "scenario"));
    if let Some(id) = scenario {
        r.resolve_bases(id, &s.variants, 0);
        r.scopes.push(id);
    }
    for word in &s.variants {
        // A part that a scenario takes in may be named among the variants: it chooses between parts.
        if r.scopes.iter().any(|id| r.is_scope(*id, ScopeKind::Part, word)) {
            continue;
        }
        if let Some(id) = r.resolve_scope(ScopeKind::Variant, word, codes::NO_VARIANT, "variant")
            && !r.scopes.contains(&id)
        {
            r.scopes.push(id);
        }
    }
    r.resolve_mods(s.mods.as_deref());
    r.check_parents();
    let players = r.resolve_player_count(s, scenario);
    r.resolve_names(s, players);
    let mut answered = r.assign_own_players(players);
    let own = answered.len() as u32;
    r.assign_extra_players(players, &mut answered);
    let mut out = Resolved {
        players: answered.len() as u32,
        seats: players,
        own,
        answered,
        scopes: std::mem::take(&mut r.scopes),
        options: Vec::new(),
        names: s.names.iter().map(|n| Arc::from(n.trim())).collect(),
        timed: s.timed,
    };
    r.apply_scope_options(&mut out);
    r.apply_given_options(s, &mut out);
    out.options.append(&mut r.options);
    out.options.sort();
    (r, out)
}

struct Resolver<'m> {
    m: &'m Model,
    game: Span,
    report: Report,
    scopes: Vec<ScopeId>,
    options: Vec<(OptionId, i64)>,
}

impl Resolver<'_> {
    fn is_scope(&self, id: ScopeId, kind: ScopeKind, word: &str) -> bool {
        self.m.scopes.get(id.index()).is_some_and(|s| s.kind == kind && *s.name == *word)
    }

    fn report_unknown(&mut self, code: Code, what: &str, word: &str, words: &[&str]) {
        let d = Diagnostic::error(code, self.game, format!("there is no {what} `{word}`"));
        let d = match closest(word, words.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if words.is_empty() => d.help(format!("this game has no {what}s")),
            None => d.help(format!("there are: {}", words.join(", "))),
        };
        self.report.push(d);
    }

    fn resolve_scope(&mut self, kind: ScopeKind, word: &str, code: Code, what: &str) -> Option<ScopeId> {
        let all = || self.m.scopes.iter().enumerate().filter(|(_, s)| s.kind == kind);
        let found = all().find(|(_, s)| *s.name == *word).or_else(|| all().find(|(_, s)| *s.title == *word));
        if let Some((i, _)) = found {
            return Some(ScopeId(i as u32));
        }
        let words: Vec<&str> = all().map(|(_, s)| &*s.name).collect();
        self.report_unknown(code, what, word, &words);
        None
    }

    /// What a scenario is built on, which stands before it: of each list the one named, or the first.
    fn resolve_bases(&mut self, scenario: ScopeId, named: &[String], depth: usize) {
        let Some(s) = self.m.scopes.get(scenario.index()).filter(|_| depth < 64) else { return };
        for list in &s.with {
            let chosen = list.iter().find(|id| {
                self.m.scopes.get(id.index()).is_some_and(|p| named.iter().any(|n| **n == *p.name))
            });
            if let Some(id) = chosen.or(list.first()) {
                self.resolve_bases(*id, named, depth + 1);
                self.scopes.push(*id);
            }
        }
    }

    fn resolve_mods(&mut self, wanted: Option<&[String]>) {
        let loaded: Vec<ScopeId> = (0..self.m.scopes.len() as u32)
            .map(ScopeId)
            .filter(|id| self.m.scopes.get(id.index()).is_some_and(|s| s.kind == ScopeKind::Mod))
            .collect();
        match wanted {
            None => self.scopes.extend(loaded),
            Some(words) => {
                for word in words {
                    if let Some(id) = self.resolve_scope(ScopeKind::Mod, word, codes::NO_MOD, "mod")
                        && !self.scopes.contains(&id)
                    {
                        self.scopes.push(id);
                    }
                }
                self.check_needed_mods();
            }
        }
    }

    /// A mod is not played without those that it needs.
    fn check_needed_mods(&mut self) {
        let is_on = |title: &str| self.scopes.iter().any(|id| self.is_scope(*id, ScopeKind::Mod, title));
        let on = self.scopes.iter().filter_map(|id| self.m.scopes.get(id.index()));
        let missing: Vec<Diagnostic> = on
            .flat_map(|s| s.needs_mods.iter().map(move |(title, at)| (s, title, at)))
            .filter(|(_, title, _)| !is_on(title))
            .map(|(s, title, at)| {
                let message = format!("“{}” needs the mod “{title}”, which is switched off", s.title);
                Diagnostic::error(codes::NOT_IN_FORCE, *at, message).label("needed here")
            })
            .collect();
        missing.into_iter().for_each(|d| self.report.push(d));
    }

    /// Whatever is on must stand in something that is on.
    fn check_parents(&mut self) {
        for id in self.scopes.clone() {
            let Some(s) = self.m.scopes.get(id.index()) else { continue };
            let Some(parent) = s.parent.filter(|p| !self.scopes.contains(p)) else { continue };
            let outer = self.m.scopes.get(parent.index()).map_or("", |p| &p.title);
            self.report.push(
                Diagnostic::error(
                    codes::NOT_IN_FORCE,
                    s.span,
                    format!("`{}` belongs to “{outer}”, which is switched off", s.name),
                )
                .label("declared here"),
            );
        }
    }

    fn resolve_player_count(&mut self, s: &Setup, scenario: Option<ScopeId>) -> u32 {
        let (least, most) = player_range(self.m, scenario);
        let n = s.players.unwrap_or(if s.names.is_empty() { least } else { s.names.len() as u32 });
        if !(least..=most).contains(&n) {
            let for_whom = scenario
                .and_then(|id| self.m.scopes.get(id.index()))
                .map_or_else(|| self.m.title.to_string(), |s| s.title.to_string());
            let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
            self.report.push(Diagnostic::error(
                codes::PLAYER_COUNT,
                self.game,
                format!("{for_whom} is for {range} players, not {n}"),
            ));
        }
        n.clamp(least, most)
    }

    /// The seats' own players: one each, unless the header says who answers for whom.
    fn assign_own_players(&mut self, seats: u32) -> Vec<u32> {
        let each: Vec<u32> = (0..seats.min(16)).map(|p| 1 << p).collect();
        let Some(e) = &self.m.answered else { return each };
        let asked = Resolved {
            players: seats,
            seats,
            own: seats,
            answered: each.clone(),
            scopes: self.scopes.clone(),
            options: Vec::new(),
            names: Vec::new(),
            timed: false,
        };
        let named = self.m.named_players().count();
        let numbers = evaluate_list(self.m, &asked, e, &mut Vec::new());
        let fits = |all: &Vec<i64>| {
            all.len() <= named
                && all.iter().all(|n| (1..=i64::from(seats)).contains(n))
                && (1..=i64::from(seats)).all(|n| all.contains(&n))
        };
        match numbers.filter(fits) {
            Some(all) => all.iter().map(|n| 1 << (n - 1)).collect(),
            None => {
                let s = if seats == 1 { "" } else { "s" };
                let message = format!("this does not say who answers for whom with {seats} seat{s}");
                let d = Diagnostic::error(houserule_model::codes::ANSWERED, e.span, message);
                self.report.push(d.help("write for each player the number of the seat that answers; every seat answers for at least one player"));
                each.into_iter().take(named).collect()
            }
        }
    }

    /// Seats that answer for the players that variants and the like bring.
    fn assign_extra_players(&mut self, seats: u32, answered: &mut Vec<u32>) {
        let all = (1u32 << seats.min(16)) - 1;
        for id in self.m.extra_players() {
            let Some(d) = self.m.members.get(id.index()) else { continue };
            let (true, Some(by)) = (d.scope.0 == 0 || self.scopes.contains(&d.scope), &d.answered) else {
                continue;
            };
            if answered.len() >= 32 {
                let d = Diagnostic::error(codes::PLAYER_COUNT, d.span, "more than 32 players");
                self.report.push(d);
                return;
            }
            answered.push(match &*by.kind {
                ExprKind::Set(es) => es.iter().fold(0, |m, e| match &*e.kind {
                    ExprKind::Int(n) if (1..=16).contains(n) => m | (1 << (n - 1)) & all,
                    _ => m,
                }),
                _ => all,
            });
        }
    }

    fn resolve_names(&mut self, s: &Setup, players: u32) {
        let bad = |n: &str| {
            n.is_empty()
                || n.contains(['(', ')', '{', '}', ',', '#', ':', '"', '\n', '\t'])
                || n.contains(is_control)
        };
        for (i, name) in s.names.iter().map(|n| n.trim()).enumerate() {
            if name.chars().count() > LONGEST_NAME {
                self.report.push(Diagnostic::error(
                    codes::PLAYER_NAME,
                    self.game,
                    format!("player {} has a name of more than {LONGEST_NAME} characters", i + 1),
                ));
                continue;
            }
            if bad(name) || s.names.iter().take(i).any(|n| n.trim() == name) {
                self.report.push(Diagnostic::error(
                    codes::PLAYER_NAME,
                    self.game,
                    format!("`{name}` cannot be a player's name: each name must be different, not empty, and without brackets, commas, colons, quotes and `#`"),
                ));
            }
        }
        if !s.names.is_empty() && s.names.len() != players as usize {
            self.report.push(Diagnostic::error(
                codes::PLAYER_COUNT,
                self.game,
                format!("there are {} names for {players} players", s.names.len()),
            ));
        }
    }

    /// Options that scopes in force give values to; later ones win.
    fn apply_scope_options(&mut self, r: &mut Resolved) {
        for id in r.scopes.clone() {
            let Some(s) = self.m.scopes.get(id.index()) else { continue };
            for (o, e) in &s.options {
                match evaluate(self.m, r, e) {
                    Some(v) => {
                        r.options.retain(|(x, _)| x != o);
                        r.options.push((*o, v));
                    }
                    None => self.report.push(Diagnostic::error(
                        codes::NOT_CONSTANT,
                        e.span,
                        "this value of an option is not known at set-up",
                    )),
                }
            }
        }
    }

    fn apply_given_options(&mut self, s: &Setup, r: &mut Resolved) {
        let m = self.m;
        for (word, text) in &s.options {
            let here: Vec<(usize, &GameOption)> =
                m.options.iter().enumerate().filter(|(_, o)| r.has(o.scope)).collect();
            let Some((i, option)) = here.iter().find(|(_, o)| *o.name == **word) else {
                let words: Vec<&str> = here.iter().map(|(_, o)| &*o.name).collect();
                self.report_unknown(codes::NO_OPTION, "option", word, &words);
                continue;
            };
            match parse_option_value(m, r, option, text.trim()) {
                Ok(v) => {
                    r.options.retain(|(x, _)| x.index() != *i);
                    self.options.push((OptionId(*i as u32), v));
                }
                Err((why, near)) => {
                    let mut d = Diagnostic::error(
                        codes::OPTION_VALUE,
                        option.span,
                        format!("`{text}` is not a value of the option `{word}`: {why}"),
                    )
                    .label("declared here");
                    if let Some(near) = near {
                        d = d.help(format!("did you mean `{near}`?"));
                    }
                    self.report.push(d);
                }
            }
        }
    }

    fn check_needs(&mut self, r: &Resolved) {
        let m = self.m;
        let scoped = r.scopes.iter().filter_map(|id| m.scopes.get(id.index())).flat_map(|s| s.needs.iter());
        for (cond, reason) in m.needs.iter().chain(scoped) {
            // What reads the drawn maps is judged on them ([`super::judge`]).
            if evaluate(m, r, cond) == Some(0) {
                let why = reason.as_ref().map(|t| reason_text(m, r, t)).filter(|t| !t.is_empty());
                let message = why.unwrap_or_else(|| String::from("the rules do not allow this set-up"));
                self.report.push(
                    Diagnostic::error(codes::NEEDS, cond.span, message).label("this condition is not met"),
                );
            }
        }
    }
}

/// An option's value out of a text; else why not, and what may have been meant.
fn parse_option_value(
    m: &Model,
    r: &Resolved,
    o: &GameOption,
    text: &str,
) -> Result<i64, (String, Option<String>)> {
    match Values::from_type(m, r, &o.ty) {
        Some(values) => values.value_of(text),
        None => Err((String::from("options of this type cannot be given as text"), None)),
    }
}

/// A reason with what is known of its holes.
fn reason_text(m: &Model, r: &Resolved, t: &Text) -> String {
    t.parts
        .iter()
        .map(|p| match p {
            TextPart::Literal(s) => s.to_string(),
            TextPart::Hole(e) => evaluate(m, r, e).map_or_else(|| String::from("…"), |n| n.to_string()),
        })
        .collect()
}

/// What an expression over options, variants and the number of players is; `None` if it needs more than that.
/// The checker has bounded how deeply expressions nest.
pub fn evaluate(m: &Model, r: &Resolved, e: &Expr) -> Option<i64> {
    evaluate_with(m, r, e, &mut Vec::new(), OPTIONS)
}

/// A list of numbers over the same.
fn evaluate_list(m: &Model, r: &Resolved, e: &Expr, names: &mut Vec<(LocalId, i64)>) -> Option<Vec<i64>> {
    match &*e.kind {
        ExprKind::List(all) | ExprKind::Set(all) => {
            all.iter().map(|x| evaluate_with(m, r, x, names, OPTIONS)).collect()
        }
        ExprKind::If(c, a, b) => {
            let way = if evaluate_with(m, r, c, names, OPTIONS)? != 0 { a } else { b };
            evaluate_list(m, r, way, names)
        }
        ExprKind::Let(l, x, body) => {
            let x = evaluate_with(m, r, x, names, OPTIONS)?;
            names.push((*l, x));
            let out = evaluate_list(m, r, body, names);
            names.pop();
            out
        }
        _ => None,
    }
}

/// Defaults of options that may refer to each other in a row.
const OPTIONS: u32 = 32;

fn evaluate_with(
    m: &Model,
    r: &Resolved,
    e: &Expr,
    names: &mut Vec<(LocalId, i64)>,
    left: u32,
) -> Option<i64> {
    let how_many = |e: &Expr| match &*e.kind {
        ExprKind::Builtin(Builtin::Players, _) => Some(i64::from(r.playing().count_ones())),
        ExprKind::Builtin(Builtin::Seats, _) => Some(i64::from(r.seats)),
        ExprKind::All(builtin_kinds::PLAYER) => Some(i64::from(r.players)),
        _ => None,
    };
    Some(match &*e.kind {
        ExprKind::Int(n) => i64::from(*n),
        ExprKind::Bool(b) => i64::from(*b),
        ExprKind::None => houserule_program::ir::NONE,
        ExprKind::Local(l) => names.iter().rev().find(|(x, _)| x == l)?.1,
        ExprKind::Direction(d) => i64::from(*d),
        ExprKind::Member(id) => {
            let kind = m.members.get(id.index())?.kind;
            let all = &m.kinds.get(kind.index())?.members;
            let in_force = |x: &&MemberId| m.members.get(x.index()).is_some_and(|d| r.has(d.scope));
            if let Some(i) = m.extra_players().filter(|x| in_force(&x)).position(|x| x == *id) {
                return Some(i64::from(r.own) + i as i64);
            }
            all.iter().filter(in_force).position(|x| x == id)? as i64
        }
        // A component stands for the face that it shows at the start: an option names it so.
        ExprKind::Face(id, key) | ExprKind::Component(id, key) => {
            let key = match key {
                Some(k) => Some(evaluate_with(m, r, k, names, left)?),
                None => None,
            };
            face_number(m, r, *id, key)?
        }
        ExprKind::Space(map, column, row) => space_number(m, *map, *column, *row)?,
        ExprKind::Line(_, n) => i64::from(*n),
        ExprKind::Option(o) => match r.options.iter().find(|(x, _)| x == o) {
            Some((_, v)) => *v,
            None => {
                let default = m.options.get(o.index())?.default.as_ref()?;
                evaluate_with(m, r, default, &mut Vec::new(), left.checked_sub(1)?)?
            }
        },
        ExprKind::VariantOn(s) => i64::from(r.has(*s)),
        // The n-th of those who play, also by the name that a test's cast gives them.
        ExprKind::Nth(of, n) if matches!(&*of.kind, ExprKind::Builtin(Builtin::Players, _)) => {
            let n = usize::try_from(evaluate_with(m, r, n, names, left)?).ok()?.checked_sub(1)?;
            i64::from((0..u64::BITS).filter(|p| r.playing() >> p & 1 == 1).nth(n)?)
        }
        ExprKind::Builtin(Builtin::Count, args) => args.first().and_then(how_many)?,
        ExprKind::Fold(f) if f.op == FoldOp::Count && f.cond.is_none() => how_many(&f.over)?,
        ExprKind::Not(a) => i64::from(evaluate_with(m, r, a, names, left)? == 0),
        ExprKind::Neg(a) => evaluate_with(m, r, a, names, left)?.checked_neg()?,
        ExprKind::And(a, b) => {
            i64::from(evaluate_with(m, r, a, names, left)? != 0 && evaluate_with(m, r, b, names, left)? != 0)
        }
        ExprKind::Or(a, b) => {
            i64::from(evaluate_with(m, r, a, names, left)? != 0 || evaluate_with(m, r, b, names, left)? != 0)
        }
        ExprKind::If(c, a, b) => {
            let way = if evaluate_with(m, r, c, names, left)? != 0 { a } else { b };
            evaluate_with(m, r, way, names, left)?
        }
        ExprKind::Let(l, x, body) => {
            let x = evaluate_with(m, r, x, names, left)?;
            names.push((*l, x));
            let out = evaluate_with(m, r, body, names, left);
            names.pop();
            out?
        }
        ExprKind::In(x, set) => {
            let x = evaluate_with(m, r, x, names, left)?;
            match &*set.kind {
                ExprKind::Range(a, b) => i64::from(
                    evaluate_with(m, r, a, names, left)? <= x && x <= evaluate_with(m, r, b, names, left)?,
                ),
                ExprKind::Set(all) | ExprKind::List(all) => {
                    let mut found = 0;
                    for e in all {
                        if evaluate_with(m, r, e, names, left)? == x {
                            found = 1;
                        }
                    }
                    found
                }
                _ => return None,
            }
        }
        ExprKind::IsSome(a) => i64::from(evaluate_with(m, r, a, names, left)? != houserule_program::ir::NONE),
        ExprKind::Arith(op, a, b) => {
            let (a, b) = (evaluate_with(m, r, a, names, left)?, evaluate_with(m, r, b, names, left)?);
            match op {
                Arith::Add => a.checked_add(b)?,
                Arith::Sub => a.checked_sub(b)?,
                Arith::Mul => a.checked_mul(b)?,
                Arith::Div => a.checked_div(b)?,
                Arith::Mod => a.checked_rem_euclid(b)?,
            }
        }
        ExprKind::Compare(op, a, b) => {
            let (a, b) = (evaluate_with(m, r, a, names, left)?, evaluate_with(m, r, b, names, left)?);
            i64::from(op.holds(a, b))
        }
        _ => return None,
    })
}

/// What a test stands on: its scenario, its cast, its variants, and the mod that it is written in.
pub fn setup_of_test(m: &Model, t: &Test) -> Setup {
    let word = |id: ScopeId| m.scopes.get(id.index()).map(|s| s.name.to_string());
    let mut s = Setup { scenario: t.scenario.and_then(word), ..Setup::default() };
    s.variants.extend(t.variants.iter().filter_map(|v| word(*v)));
    let mut mods = Vec::new();
    // What a test stands in is in force for it, and what that stands in.
    let mut at = Some(t.scope);
    while let Some(scope) = at.and_then(|id| m.scopes.get(id.index())) {
        let name = scope.name.to_string();
        match scope.kind {
            ScopeKind::Mod => mods.push(name),
            ScopeKind::Variant if !s.variants.contains(&name) => s.variants.push(name),
            ScopeKind::Scenario if s.scenario.is_none() => s.scenario = Some(name),
            _ => {}
        }
        at = scope.parent.filter(|p| Some(*p) != at);
    }
    // A mod is not played without those that it needs.
    let mut next = 0;
    while let Some(title) = mods.get(next).cloned() {
        next += 1;
        let this = m.scopes.iter().find(|s| s.kind == ScopeKind::Mod && *s.name == *title);
        let needed = this.iter().flat_map(|s| &s.needs_mods).map(|(title, _)| title.to_string());
        let fresh: Vec<String> = needed.filter(|t| !mods.contains(t)).collect();
        mods.extend(fresh);
    }
    s.mods = Some(mods);
    if !t.cast.is_empty() {
        s.players = Some(t.cast.len() as u32);
        let own =
            m.named_players().filter_map(|id| m.members.get(id.index())).any(|x| t.cast.contains(&x.name));
        if !own {
            s.names = t.cast.iter().map(ToString::to_string).collect();
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_text::{File, Files};

    const RULES: &str = "game Pile \"Pile\" { players 2..4; outcome win }\n\
        enum Level { low, high }\n\
        option level \"Level\": Level = low\n\
        option size \"Size\": 1..9 = 3\n\
        option fast \"Fast\": bool = no\n\
        variant cold \"Cold\" { }\n\
        variant warm \"Warm\" { }\n\
        round once { }\n";

    fn model() -> Model {
        let mut files = Files::new();
        files.add(File::new("pile.rules", RULES));
        let checked = houserule_model::check(&files);
        let found: Vec<_> = checked.report.findings.iter().map(|d| (d.code, d.message.clone())).collect();
        checked.model.unwrap_or_else(|| panic!("{found:?}"))
    }

    fn errors(s: &Setup) -> Vec<(Code, String)> {
        match resolve_setup(&model(), s) {
            Ok(_) => Vec::new(),
            Err(r) => r
                .findings
                .iter()
                .map(|d| (d.code, format!("{} | {}", d.message, d.help.clone().unwrap_or_default())))
                .collect(),
        }
    }

    #[test]
    fn words_become_numbers() {
        let mut s = Setup::default();
        s.options.insert("level".into(), "high".into());
        s.options.insert("size".into(), "9".into());
        s.options.insert("fast".into(), "yes".into());
        s.variants.push("warm".into());
        let r = resolve_setup(&model(), &s).unwrap();
        assert_eq!(r.options, [(OptionId(0), 1), (OptionId(1), 9), (OptionId(2), 1)]);
        assert_eq!(r.players, 2);
        assert_eq!(r.scopes.len(), 2);
        let s = Setup { names: vec!["Ann".into(), "Bo".into(), "Cy".into()], ..Setup::default() };
        assert_eq!(resolve_setup(&model(), &s).unwrap().players, 3);
    }

    #[test]
    fn every_mistake_is_told_at_once_and_with_what_was_meant() {
        let mut s = Setup { players: Some(7), scenario: Some("none".into()), ..Setup::default() };
        s.options.insert("levle".into(), "high".into());
        s.options.insert("level".into(), "hihg".into());
        s.options.insert("size".into(), "10".into());
        s.variants.push("wram".into());
        s.names = vec!["A(".into(), "A(".into()];
        let all = errors(&s);
        let has = |code: Code, text: &str| {
            assert!(all.iter().any(|(c, m)| *c == code && m.contains(text)), "{code:?} {text}: {all:?}");
        };
        has(codes::NO_SCENARIO, "has no scenario");
        has(codes::NO_OPTION, "did you mean `level`");
        has(codes::OPTION_VALUE, "did you mean `high`");
        has(codes::OPTION_VALUE, "from 1 to 9");
        has(codes::NO_VARIANT, "did you mean `warm`");
        has(codes::PLAYER_COUNT, "for 2 to 4 players, not 7");
        has(codes::PLAYER_NAME, "A(");
    }
}
