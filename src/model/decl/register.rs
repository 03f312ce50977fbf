//! Gives every declaration its number, and reports duplicates with the other place.
use super::types::{Waiting, const_int};
use super::{Declarer, Job, RENAME, members};
use crate::hir::*;
use crate::uses::Def;
use crate::{body, codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Span};
use std::sync::Arc;

impl<'t> Declarer<'t> {
    /// The declarations of a file, variant, scenario or mod.
    pub fn declare_items(&mut self, items: &'t [ast::Item], scope: ScopeId) {
        // The game's own line first: mods and scenarios compare with it wherever they stand.
        for item in items {
            if let ast::ItemKind::Game(g) = &item.kind {
                self.declare_game(g, item.span, scope);
                if scope == ScopeId(0) {
                    self.model.doc = item.doc.as_ref().map(|d| d.text.as_str().into());
                }
            }
        }
        let built = |item: &ast::Item| matches!(&item.kind, ast::ItemKind::Scenario(s) if !s.with.is_empty());
        for item in items {
            if built(item) {
                self.built.push((item, scope));
            } else if let ast::ItemKind::Mod(_) = &item.kind {
                self.mods.push((item, scope));
            } else {
                self.declare_item(item, scope);
            }
        }
    }

    /// Scenarios that are built on others: each behind the one that it is built on, so that what it says holds over it.
    pub(super) fn order_scenarios(&mut self) {
        let mut waiting = std::mem::take(&mut self.built);
        while !waiting.is_empty() {
            let ready = |d: &Self, item: &ast::Item| match &item.kind {
                ast::ItemKind::Scenario(s) => s.with.iter().all(|w| d.find_scenario(&w.text).is_some()),
                _ => true,
            };
            // Where none is ready the next one says what it lacks.
            let next = waiting.iter().position(|(i, _)| ready(self, i)).unwrap_or(0);
            let (item, scope) = waiting.remove(next);
            self.declare_item(item, scope);
        }
        self.declare_early_spaces();
    }

    /// The scenario or part on which a scenario is built; where it is one of several, a part.
    fn find_base(&mut self, name: &ast::Name, one_of: bool) -> Option<ScopeId> {
        let found = self.find_scenario(&name.text);
        let whole =
            found.and_then(|s| self.model.scopes.get(s.index())).filter(|s| s.kind == ScopeKind::Scenario);
        if let (true, Some(whole)) = (one_of, whole) {
            let message = format!("`{}` is a scenario; only one of several parts can be chosen", name.text);
            let d = Diagnostic::error(codes::UNKNOWN_SCENARIO, name.span, message)
                .also(whole.span, "declared here");
            self.report.push(d.help("declare what is chosen as `part NAME for GAME { … }`"));
            return None;
        }
        if let Some(s) = found {
            self.notes.note(name.span, Def::Scope(s));
        }
        if found.is_none() {
            let is = |s: &&Scope| matches!(s.kind, ScopeKind::Scenario | ScopeKind::Part);
            let scenarios = self.model.scopes.iter().filter(is);
            let names: Vec<String> = scenarios.map(|s| s.name.to_string()).collect();
            self.notes.note_could(name.span, names.clone());
            let message =
                format!("there is no scenario or part `{}` on which this one could build", name.text);
            let d = Diagnostic::error(codes::UNKNOWN_SCENARIO, name.span, message);
            self.report.push(match suggest::closest(&name.text, names.iter().map(String::as_str)) {
                Some(s) => d.suggest(s),
                None => d.help("two scenarios cannot build on each other"),
            });
        }
        found
    }

    fn find_scenario(&self, word: &str) -> Option<ScopeId> {
        let is = |s: &Scope| matches!(s.kind, ScopeKind::Scenario | ScopeKind::Part) && *s.name == *word;
        self.model.scopes.iter().position(is).map(|i| ScopeId(i as u32))
    }

    pub(super) fn declare_item(&mut self, item: &'t ast::Item, scope: ScopeId) {
        use ast::ItemKind as I;
        let doc: Option<Arc<str>> = item.doc.as_ref().map(|d| d.text.as_str().into());
        match &item.kind {
            I::Game(_) | I::Bad => {}
            I::Header(h) => self.declare_header(h, scope),
            I::Option(o) => {
                self.check_once("option", &o.name);
                let id = OptionId(self.model.options.len() as u32);
                let title = self.read_plain_text(&o.title);
                self.model.options.push(GameOption {
                    name: o.name.text.as_str().into(),
                    title,
                    ty: Ty::Error,
                    default: None,
                    span: o.name.span,
                    scope,
                });
                self.typed.push(Waiting::Option(id, &o.ty));
                if let Some(e) = &o.default {
                    self.jobs.push(Job::OptionDefault(id, e));
                }
            }
            I::SetOption(s) => self.jobs.push(Job::SetOption(scope, s)),
            I::Variant(v) => {
                self.check_once("variant", &v.name);
                let id = self.declare_scope(
                    ScopeKind::Variant,
                    &v.name.text,
                    &v.title,
                    (v.name.span, item.span),
                    scope,
                );
                self.declare_items(&v.items, id);
            }
            I::Mod(m) => {
                self.check_same_game(&m.game);
                let title = self.read_plain_text(&m.title);
                let id =
                    self.declare_scope(ScopeKind::Mod, &title, &m.title, (m.title.span, item.span), scope);
                self.declare_items(&m.items, id);
            }
            I::Scenario(s) => {
                self.check_once("scenario", &s.name);
                self.check_same_game(&s.game);
                let bases: Vec<ScopeId> =
                    s.with.iter().filter_map(|w| self.find_base(w, s.with.len() > 1)).collect();
                let base = bases.first().copied();
                let id = self.declare_scope(
                    ScopeKind::Scenario,
                    &s.name.text,
                    &s.title,
                    (s.name.span, item.span),
                    scope,
                );
                self.declare_items(&s.items, id);
                let (seats, players) = base
                    .and_then(|b| self.model.scopes.get(b.index()))
                    .map_or((None, None), |b| (b.seats, b.players));
                if let Some(own) = self.model.scopes.get_mut(id.index()) {
                    own.with = Some(bases).filter(|b| !b.is_empty()).into_iter().collect();
                    own.seats = own.seats.or(seats);
                    own.players = own.players.or(players);
                }
            }
            I::ModLine(line) => self.declare_mod_line(line, item.span, scope),
            I::Part(p) => {
                self.check_once("scenario", &p.name);
                self.check_same_game(&p.game);
                let title = ast::Text {
                    parts: vec![ast::TextPart::Literal(p.name.text.replace('_', " "), p.name.span)],
                    span: p.name.span,
                };
                let id = self.declare_scope(
                    ScopeKind::Part,
                    &p.name.text,
                    &title,
                    (p.name.span, item.span),
                    scope,
                );
                self.declare_items(&p.items, id);
            }
            I::Needs(n) => self.jobs.push(Job::Needs(scope, n)),
            I::Legacy(rows) => self.jobs.push(Job::Legacy(scope, rows)),
            I::Invariant(i) => self.jobs.push(Job::Invariant(scope, i, item.span)),
            I::Numbered(first, last) => self.declare_numbered(first, last, item.span),
            I::NotPlayed(numbers, why) => self.declare_not_played(numbers, why),
            I::Ending(e) => self.jobs.push(Job::Ending(scope, e, item.span)),
            I::Change(c) => self.declare_change(c, scope),
            I::Remove(names) => self.jobs.extend(names.iter().map(|n| Job::Remove(scope, n))),
            I::Test(t) => self.jobs.push(Job::Test(scope, t, item.span)),
            I::Enum(e) => self.declare_enumeration(e, scope, doc),
            I::Component(c) => self.declare_component(c, scope, doc),
            I::Player(parts) => self.declare_parts(Some(builtin_kinds::PLAYER), parts, scope),
            I::Table(parts) => self.declare_parts(None, parts, scope),
            I::PlayerMember(p) => self.members.push(members::Waiting::Player(p, scope)),
            I::Map(m) => self.declare_map(m, scope),
            I::Space(s) => match &s.on {
                // Its map may be declared further below.
                Some(map) if self.find_map(map).is_none() => self.early_spaces.push((s, scope, doc)),
                _ => self.declare_space(s, scope, doc),
            },
            I::Patch(p) => self.declare_patch(p, scope, doc),
            I::Legend(l) => {
                let span = l.map.as_ref().map_or(item.span, |m| m.span);
                self.jobs.push(Job::Legend(scope, l, span));
            }
            I::List(l) => self.members.push(members::Waiting::List(l, scope)),
            I::Member(m) => self.members.push(members::Waiting::Member(m, scope, doc)),
            I::Value(v) => {
                self.check_once("value", &v.name);
                self.declare_value(v, None, ValueRole::Plain, scope, doc);
            }
            I::Heuristic(v) => {
                self.check_once("value", &v.name);
                self.declare_value(v, None, ValueRole::Heuristic, scope, doc);
            }
            I::Hook(h) => self.declare_hook(h, scope),
            I::Rule(r) => {
                self.check_once("rule", &r.name);
                self.declare_rule(r, None, scope, doc);
            }
            I::Phase(p) => {
                self.check_once("rule", &p.name);
                let id = RuleId(self.model.rules.len() as u32);
                let title = p.title.as_ref().map(|t| self.read_plain_text(t));
                self.model.rules.push(Rule {
                    name: p.name.text.as_str().into(),
                    title,
                    of: None,
                    phase: true,
                    body: Body { locals: Vec::new(), params: 0, body: None },
                    me: LocalId(0),
                    gives: Ty::Nothing,
                    has: Vec::new(),
                    pays: None,
                    span: p.name.span,
                    doc,
                    scope,
                });
                self.typed.push(Waiting::Rule(id, &p.params, p.ty.as_ref(), None));
                self.jobs.push(Job::Rule(id, &p.body));
                self.declare_phase_state(id, &p.body, scope);
            }
            I::Setup(b) => self.jobs.push(Job::Setup(scope, b)),
            I::Round(r) => {
                let name = ast::Name { text: String::new(), span: item.span };
                if let Some(at) = self.seen.insert(("round", String::new()), name.span) {
                    let d = Diagnostic::error(codes::SECOND_ROUND, name.span, "a game has only one `round`");
                    self.report.push(d.also(at, "the first one is here").help("leave one of the two out"));
                }
                self.jobs.push(Job::Round(r, item.span));
            }
            I::Menu(m) => {
                self.check_once("menu", &m.name);
                let id = MenuId(self.model.menus.len() as u32);
                let title = m.title.as_ref().map(|t| self.read_plain_text(t));
                self.model.menus.push(Menu {
                    name: m.name.text.as_str().into(),
                    title: title.unwrap_or_else(|| m.name.text.replace('_', " ").into()),
                    params: Vec::new(),
                    locals: Vec::new(),
                    done: None,
                    pass: None,
                    open: None,
                    endings: Vec::new(),
                    needs: Vec::new(),
                    leaves: Vec::new(),
                    best: None,
                    no_dead_ends: None,
                    clock: None,
                    actions: Vec::new(),
                    span: m.name.span,
                    doc,
                    scope,
                });
                self.jobs.push(Job::Menu(id, m));
            }
            I::Action(a) => {
                self.check_once("action", &a.name);
                self.declare_action(a, None, scope, doc);
            }
            I::Score(l) => self.declare_lines(l, false, scope, doc),
            I::Ranking(l) => self.declare_lines(l, true, scope, doc),
            I::Attach(a) => self.jobs.push(Job::Attach(None, a, scope)),
            I::Look(l) => self.jobs.push(Job::Look(l)),
        }
    }

    // ── The game and its scopes ──────────────────────────────────────────────────────────────────────────

    fn declare_game(&mut self, g: &'t ast::Game, span: Span, scope: ScopeId) {
        if scope != ScopeId(0) {
            self.report_misplaced(
                g.name.span,
                "a `game` can only be declared at the top of a file",
                "move it in front of the block in which it stands",
            );
            return;
        }
        if let Some(at) = self.game {
            let d = Diagnostic::error(
                codes::TWO_GAMES,
                g.name.span,
                format!("`{}` is a second game", g.name.text),
            );
            self.report.push(d.also(at, "the first one is here").help("move it to its own folder"));
            return;
        }
        self.game = Some(g.name.span);
        self.notes.note(g.name.span, Def::Game);
        self.model.name = g.name.text.as_str().into();
        self.model.title = self.read_plain_text(&g.title);
        self.model.scopes[0].name = self.model.name.clone();
        self.model.scopes[0].title = self.model.title.clone();
        self.model.scopes[0].span = span;
        for h in &g.headers {
            self.declare_header(h, scope);
        }
    }

    fn declare_header(&mut self, h: &'t ast::Header, scope: ScopeId) {
        use ast::HeaderKind as H;
        match &h.kind {
            H::Bad => {}
            H::Players { who, answered } => {
                if let Some(a) = answered {
                    self.read_answered_by(who, a, scope);
                }
                let count = match who {
                    ast::Players::Number(b) => self.read_bounds(b),
                    ast::Players::Named(names) => {
                        for n in names {
                            self.new_member(builtin_kinds::PLAYER, &n.text, None, n.span, scope);
                        }
                        Some((names.len() as u32, names.len() as u32))
                    }
                };
                if let Some((a, b)) = count {
                    if a < 1 || b > 16 {
                        let d = Diagnostic::error(codes::PLAYERS, h.span, "a game is for 1 to 16 players");
                        self.report.push(d.help("write a number or a range from 1 to 16: `players 2..4`"));
                    } else if scope == ScopeId(0) {
                        self.model.players = (a, b);
                    } else {
                        self.model.scopes[scope.index()].players = Some((a, b));
                    }
                }
            }
            H::Seats(b) => {
                let n = self.read_bounds(b);
                if n.is_some_and(|(a, b)| a < 1 || b > 16) {
                    let d = Diagnostic::error(codes::PLAYERS, h.span, "a game is for 1 to 16 seats");
                    self.report.push(d.help("write a number or a range from 1 to 16: `seats 1..2`"));
                } else if scope == ScopeId(0) {
                    self.model.seats = n;
                } else {
                    self.model.scopes[scope.index()].seats = n;
                }
            }
            H::Outcome(o) => self.jobs.push(Job::Outcome(o, h.span)),
            H::Score { value, title } => self.jobs.push(Job::Score(value, title.as_ref())),
            H::OrderBy(e) => self.jobs.push(Job::OrderBy(e)),
            H::EndsWhen { when, text } => self.jobs.push(Job::EndsWhen(when, text.as_ref())),
            H::Version(text) => self.declare_version(text),
            H::BeginsOn(name) => self.jobs.push(Job::BeginsOn(scope, name)),
        }
    }

    fn read_bounds(&mut self, b: &ast::Bounds) -> Option<(u32, u32)> {
        let low = const_int(&b.from).and_then(|n| u32::try_from(n).ok());
        let high = b.to.as_ref().map_or(low, |e| const_int(e).and_then(|n| u32::try_from(n).ok()));
        match (low, high) {
            (Some(a), Some(b)) if a <= b => Some((a, b)),
            _ => {
                let d = Diagnostic::error(codes::BAD_RANGE, b.span, "this is not a range of numbers");
                self.report.push(d.help("write one number, or the lower and the higher one: `2..4`"));
                None
            }
        }
    }

    fn declare_scope(
        &mut self,
        kind: ScopeKind,
        name: &str,
        title: &ast::Text,
        at: (Span, Span),
        parent: ScopeId,
    ) -> ScopeId {
        let (span, extent) = at;
        let title = self.read_plain_text(title);
        self.model.scopes.push(Scope {
            kind,
            name: name.into(),
            title,
            span,
            extent,
            parent: Some(parent),
            with: Vec::new(),
            needs: Vec::new(),
            options: Vec::new(),
            seats: None,
            players: None,
            removes: Vec::new(),
            needs_mods: Vec::new(),
            breaks: Vec::new(),
        });
        ScopeId(self.model.scopes.len() as u32 - 1)
    }

    fn check_same_game(&mut self, name: &ast::Name) {
        self.notes.note(name.span, Def::Game);
        if self.game.is_some() && *self.model.name != *name.text {
            let own = self.model.name.to_string();
            self.notes.note_could(name.span, vec![own.clone()]);
            let d = Diagnostic::error(
                codes::OTHER_GAME,
                name.span,
                format!("this is for the game `{}`, but the game in this folder is `{own}`", name.text),
            );
            let near = suggest::closest(&name.text, [own.as_str()]).is_some();
            let help = format!("write `for {own}`, or move the file to the folder of its game");
            self.report.push(if near { d.suggest(own) } else { d.help(help) });
        }
    }

    /// A construct that later games bring.
    pub fn report_not_played(&mut self, span: Span, what: &str) {
        self.report.push(body::unsupported::not_played(span, what));
    }

    /// Reports a second declaration of the same sort and name.
    pub fn check_once(&mut self, sort: &'static str, n: &ast::Name) {
        if sort == "value" && n.text == "team" {
            let d = Diagnostic::error(codes::BUILT_IN, n.span, "`team` is built in");
            self.report.push(d.help("give each player a team: `modify team(p) = …`"));
            return;
        }
        if let Some(at) = self.seen.insert((sort, n.text.clone()), n.span) {
            self.report.push(
                Diagnostic::error(codes::TWICE, n.span, format!("`{}` is declared twice", n.text))
                    .label("declared again here")
                    .also(at, "first declared here")
                    .help(RENAME),
            );
        }
    }

    // ── Kinds ────────────────────────────────────────────────────────────────────────────────────────────

    pub fn new_kind(
        &mut self,
        name: &str,
        title: Option<&ast::Text>,
        sort: KindSort,
        span: Span,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) -> KindId {
        let id = KindId(self.model.kinds.len() as u32);
        if self.kinds.contains_key(name) {
            let built_in = self.kinds[name].0 <= builtin_kinds::TEAM.0;
            let d = if built_in {
                Diagnostic::error(codes::BUILT_IN, span, format!("`{name}` is built in"))
                    .help("give it another name")
            } else {
                let at = self.model.kinds[self.kinds[name].index()].span;
                Diagnostic::error(codes::TWICE, span, format!("`{name}` is declared twice"))
                    .also(at, "first declared here")
                    .help(RENAME)
            };
            self.report.push(d);
        } else {
            self.kinds.insert(name.to_string(), id);
        }
        let title = title.map_or_else(|| name.into(), |t| self.read_plain_text(t));
        self.model.kinds.push(Kind {
            name: name.into(),
            title,
            sort,
            parent: None,
            per_player: false,
            joined: false,
            members: Vec::new(),
            attrs: Vec::new(),
            zones: Vec::new(),
            copies: None,
            discards: Vec::new(),
            out_when: Vec::new(),
            sides: Vec::new(),
            look: Vec::new(),
            span,
            doc,
            scope,
        });
        id
    }

    pub fn new_member(
        &mut self,
        kind: KindId,
        name: &str,
        title: Option<&ast::Text>,
        span: Span,
        scope: ScopeId,
    ) -> MemberId {
        let id = MemberId(self.model.members.len() as u32);
        let title = match title.and_then(ast::Text::literal) {
            Some(t) => Text::plain(t, span),
            None => Text::plain(name.replace('_', " "), span),
        };
        self.model.members.push(Member {
            kind,
            name: name.into(),
            title,
            family: None,
            copies: None,
            sets: Vec::new(),
            fills: Vec::new(),
            rule_fills: Vec::new(),
            sides: Vec::new(),
            answered: None,
            span,
            doc: None,
            scope,
        });
        self.model.kinds[kind.index()].members.push(id);
        id
    }

    /// A text without holes.
    pub fn read_plain_text(&mut self, t: &ast::Text) -> Arc<str> {
        report_holes(t).into_iter().for_each(|d| self.report.push(d));
        t.literal().unwrap_or_default().into()
    }

    /// A title that is given to a member where it is named again.
    pub fn set_title(&mut self, id: MemberId, title: Option<&ast::Text>, span: Span, scope: ScopeId) {
        let Some(text) = title.and_then(ast::Text::literal) else { return };
        if scope == ScopeId(0) {
            self.model.members[id.index()].title = Text::plain(text, span);
        } else {
            self.report_not_played(span, "another title for a member");
        }
    }

    fn declare_enumeration(&mut self, e: &'t ast::EnumDecl, scope: ScopeId, doc: Option<Arc<str>>) {
        let k = self.new_kind(&e.name.text, None, KindSort::Enum, e.name.span, scope, doc);
        let attrs: Vec<AttrId> =
            e.columns.iter().map(|a| self.declare_attr(a, Some(k), None, scope, None)).collect();
        for row in &e.rows {
            if let Some(at) =
                self.seen.insert(("word", format!("{}.{}", e.name.text, row.name.text)), row.name.span)
            {
                let d = Diagnostic::error(
                    codes::TWICE,
                    row.name.span,
                    format!("`{}` is in this list twice", row.name.text),
                );
                self.report.push(d.also(at, "first declared here").help(RENAME));
            }
            let m = self.new_member(k, &row.name.text, row.title.as_ref(), row.name.span, scope);
            self.declare_cells(m, &attrs, &row.cells, row.span);
        }
    }

    /// Declares the ways of an `either` as the words of an enum; those that read alike share one.
    pub fn declare_ways(&mut self, ways: &[ast::EitherName]) {
        let name = ast::name_of_ways(ways.iter());
        let Some(span) = ways.first().map(|w| w.span).filter(|_| !self.kinds.contains_key(&name)) else {
            return;
        };
        let k = self.new_kind(&name, None, KindSort::Enum, span, ScopeId(0), None);
        for (i, w) in ways.iter().enumerate() {
            w.title.iter().for_each(|t| drop(self.read_plain_text(t)));
            if let Some(first) = ways.iter().take(i).find(|x| x.word == w.word) {
                let d = Diagnostic::error(codes::TWICE, w.span, format!("two ways are called `{}`", w.word));
                self.report
                    .push(d.also(first.span, "the first one").help("give each way a title of its own"));
            }
            self.new_member(k, &w.word, w.title.as_ref(), w.span, ScopeId(0));
        }
    }

    fn declare_component(&mut self, c: &'t ast::Component, scope: ScopeId, doc: Option<Arc<str>>) {
        let sort = match c.kind {
            ast::ComponentKind::Card => ComponentSort::Card,
            ast::ComponentKind::Token => ComponentSort::Token,
            ast::ComponentKind::Piece => ComponentSort::Piece,
            ast::ComponentKind::Die => ComponentSort::Die,
        };
        let k =
            self.new_kind(&c.name.text, c.title.as_ref(), KindSort::Component(sort), c.name.span, scope, doc);
        self.model.kinds[k.index()].per_player = c.of_player;
        if let Some(p) = &c.is {
            self.typed.push(Waiting::Parent(k, p));
        }
        if let Some(e) = &c.copies {
            self.jobs.push(Job::KindCopies(k, e));
        }
        self.declare_parts(Some(k), &c.parts, scope);
    }

    /// Declares the spaces that are written before their maps.
    pub(super) fn declare_early_spaces(&mut self) {
        for (space, scope, doc) in std::mem::take(&mut self.early_spaces) {
            self.declare_space(space, scope, doc);
        }
    }

    fn find_map(&self, name: &ast::Name) -> Option<MapId> {
        let at = self.model.maps.iter().position(|m| *m.name == *name.text)?;
        Some(MapId(at as u32))
    }

    fn declare_space(&mut self, s: &'t ast::SpaceDecl, scope: ScopeId, doc: Option<Arc<str>>) {
        let map = match &s.on {
            None => None,
            Some(n) => match self.find_map(n) {
                Some(map) => {
                    self.notes.note(n.span, Def::Map(map));
                    Some(map)
                }
                None => {
                    let names: Vec<String> = self.model.maps.iter().map(|m| m.name.to_string()).collect();
                    let near = suggest::closest(&n.text, names.iter().map(String::as_str)).map(String::from);
                    let d = Diagnostic::error(
                        codes::UNKNOWN_MAP,
                        n.span,
                        format!("there is no map `{}`", n.text),
                    )
                    .help("declare it: `map NAME squares 8 by 8`");
                    self.report.push(match near {
                        Some(s) => d.suggest(s),
                        None => d,
                    });
                    None
                }
            },
        };
        // The spaces of a graph are members, as places off any map are.
        let grid = map.filter(|m| self.model.maps.get(m.index()).is_some_and(|m| m.shape != Shape::Graph));
        let k = self.new_kind(&s.name.text, None, KindSort::Space(grid), s.name.span, scope, doc);
        if let Some(p) = &s.is {
            self.typed.push(Waiting::Parent(k, p));
        }
        if let Some(m) = map {
            self.model.maps[m.index()].space = k;
        }
        if let Some(patch) = &s.patch {
            self.patches.slots.push((k, patch));
        }
        self.declare_parts(Some(k), &s.parts, scope);
    }

    fn declare_map(&mut self, m: &'t ast::MapDecl, scope: ScopeId) {
        if let Some(picture) = &m.picture {
            self.drawings.push(super::map_pictures::Drawing { scope, map: &m.name, picture });
        }
        if !m.ways.is_empty() {
            self.ways.push((&m.name, &m.ways, scope));
        }
        let Some(shape) = &m.shape else {
            if m.picture.is_none() && m.ways.is_empty() {
                let d = Diagnostic::error(codes::MAP_SIZE, m.name.span, "this map has no shape");
                self.report.push(d.help(
                    "write the shape, `map M squares 8 by 8`, or draw a declared map: `map M \"\"\" … \"\"\"`",
                ));
            }
            return;
        };
        self.check_once("map", &m.name);
        if let Some(p) = &m.of {
            self.patches.maps.push((MapId(self.model.maps.len() as u32), p));
        }
        let id = MapId(self.model.maps.len() as u32);
        let size = self.declare_size(id, shape);
        if shape.width.is_none() && matches!(shape.layout, ast::Layout::Line) {
            self.report_not_played(shape.span, "lines without a length");
        }
        if shape.grows && shape.layout != ast::Layout::Graph {
            self.growing.push(id);
        }
        let squares = matches!(shape.layout, ast::Layout::Squares);
        let hexes = matches!(shape.layout, ast::Layout::Hexes);
        if shape.diagonal && !squares {
            let help = "leave out `diagonal`, or declare the map as `squares diagonal 8 by 8`";
            self.report_misplaced(shape.span, "only a map of squares can be `diagonal`", help);
        }
        let rows = shape.height.is_some() && size.is_none_or(|(_, rows)| rows > 1);
        if matches!(shape.layout, ast::Layout::Line) && rows {
            self.report_misplaced(
                shape.span,
                "a line has one row",
                "write how many spaces it has, as in `map M line 12`",
            );
        }
        if shape.rhombus && !hexes {
            let help = "leave out `rhombus`, or declare the map as `hexes rhombus 9 by 9`";
            self.report_misplaced(shape.span, "only a map of hexes can be a `rhombus`", help);
        }
        let layout = match shape.layout {
            ast::Layout::Squares => Shape::Squares { diagonal: shape.diagonal },
            ast::Layout::Hexes => Shape::Hexes { rhombus: shape.rhombus },
            ast::Layout::Line => Shape::Line,
            ast::Layout::Graph => Shape::Graph,
        };
        self.model.maps.push(Map {
            name: m.name.text.as_str().into(),
            shape: layout,
            space: builtin_kinds::DIRECTION,
            size,
            computed: None,
            in_play: None,
            pictures: Vec::new(),
            ways: Vec::new(),
            places: Vec::new(),
            legend: Vec::new(),
            rows: None,
            columns: None,
            slots: None,
            span: m.name.span,
            scope,
        });
        if matches!(layout, Shape::Squares { .. } | Shape::Hexes { .. }) && !self.kinds.contains_key("Column")
        {
            let c = self.new_kind(
                "Column",
                None,
                KindSort::Lines(id, LineSort::Column),
                m.name.span,
                scope,
                None,
            );
            let r = self.new_kind("Row", None, KindSort::Lines(id, LineSort::Row), m.name.span, scope, None);
            self.model.maps[id.index()].columns = Some(c);
            self.model.maps[id.index()].rows = Some(r);
        }
    }

    fn declare_change(&mut self, c: &'t ast::Change, scope: ScopeId) {
        match &c.target {
            ast::ChangeTarget::Kind(n) => match self.kinds.get(&n.text).copied() {
                Some(k) => {
                    self.notes.note(n.span, Def::Kind(k));
                    self.declare_parts(Some(k), &c.parts, scope);
                }
                None => self.members.push(members::Waiting::Change(n, &c.parts, scope)),
            },
            ast::ChangeTarget::Player(_) => self.declare_parts(Some(builtin_kinds::PLAYER), &c.parts, scope),
            ast::ChangeTarget::Table(_) => self.declare_parts(None, &c.parts, scope),
            ast::ChangeTarget::Member(n) => {
                self.members.push(members::Waiting::ChangeMember(n, &c.parts, scope))
            }
        }
    }

    // ── Parts of kinds ───────────────────────────────────────────────────────────────────────────────────

    /// What a kind, the player or the table (no kind) has.
    pub fn declare_parts(&mut self, of: Option<KindId>, parts: &'t [ast::Part], scope: ScopeId) {
        for (i, p) in parts.iter().enumerate() {
            use ast::PartKind as P;
            let earlier = parts.get(..i).unwrap_or(&[]);
            let word = match &p.kind {
                P::Faces(_) => Some("faces"),
                P::DiscardsTo(_) => Some("discards to"),
                P::OutWhen(_) => Some("out when"),
                _ => None,
            };
            if let Some(word) = word
                && earlier.iter().any(|e| std::mem::discriminant(&e.kind) == std::mem::discriminant(&p.kind))
            {
                self.report.push(body::hints::report_said_twice(p.span, word));
            }
            let doc: Option<Arc<str>> = p.doc.as_ref().map(|d| d.text.as_str().into());
            match &p.kind {
                P::Bad => {}
                P::Attr(a) => {
                    self.declare_attr(a, of, None, scope, doc);
                }
                P::Zone(z) => self.declare_zone(z, of, scope, doc),
                P::Value(v) => self.declare_value(v, of, ValueRole::Plain, scope, doc),
                P::Rule(r) => self.declare_rule(r, of, scope, doc),
                P::Action(a) => self.declare_action(a, of.map(Carrier::Kind), scope, doc),
                P::Attach(a) => self.jobs.push(Job::Attach(of.map(Carrier::Kind), a, scope)),
                P::Faces(m) => match of.filter(|k| self.is_component(*k)) {
                    Some(k) => self.jobs.push(Job::MemberFaces(None, k, m)),
                    None => self.report_misplaced(
                        p.span,
                        "only a kind of dice can have `faces`",
                        "declare the dice: `die D { faces: 1..6 }`",
                    ),
                },
                P::DiscardsTo(e) => match of.filter(|k| self.is_component(*k)) {
                    Some(k) => self.jobs.push(Job::Discards(k, e, scope)),
                    None => self.report_misplaced(
                        p.span,
                        "only a kind of components can have `discards to`",
                        "write it in a `card`, `token`, `piece` or `die`",
                    ),
                },
                P::OutWhen(e) => match of.filter(|k| *k == builtin_kinds::PLAYER) {
                    Some(k) => self.jobs.push(Job::OutWhen(k, e, scope)),
                    None => self.report_misplaced(
                        p.span,
                        "only players can be out",
                        "write it in `player { out when … }`",
                    ),
                },
                P::FillValue(f) if let Some(k) = of.filter(|k| self.is_component(*k)) => {
                    self.kind_fills.push((k, super::kind_fills::Fill::Value(f)));
                }
                P::FillRule(f) if let Some(k) = of.filter(|k| self.is_component(*k)) => {
                    self.kind_fills.push((k, super::kind_fills::Fill::Rule(f)));
                }
                P::FillValue(f) => self.report_not_played(f.name.span, "fixed values of a kind"),
                P::FillRule(f) => self.report_not_played(f.name.span, "rules filled by a kind"),
                P::Prints(prints) => self.declare_prints(of, prints, p.span, scope),
                P::Has(_) | P::Set(..) => {
                    self.report_misplaced(
                        p.span,
                        "this can only be written in a member, not in a kind",
                        "declare the attribute for all members: `name: type = value`",
                    );
                }
                P::Look(l) => self.jobs.push(Job::Look(l)),
            }
        }
    }

    pub fn is_component(&self, k: KindId) -> bool {
        matches!(self.model.kinds[k.index()].sort, KindSort::Component(_))
    }

    pub(super) fn report_misplaced(&mut self, span: Span, message: &str, help: &str) {
        self.report.push(Diagnostic::error(codes::MISPLACED, span, message).help(help));
    }

    pub(super) fn check_once_in(&mut self, of: Option<KindId>, n: &ast::Name) {
        let owner = of.map_or(String::from("table"), |k| self.model.kinds[k.index()].name.to_string());
        if let Some(at) = self.seen.insert(("part", format!("{owner}.{}", n.text)), n.span) {
            let d = Diagnostic::error(codes::TWICE, n.span, format!("{owner} already has `{}`", n.text));
            self.report.push(d.also(at, "first declared here").help(RENAME));
        }
    }

    pub fn declare_attr(
        &mut self,
        a: &'t ast::AttrDecl,
        of: Option<KindId>,
        has_of: Option<HasOf>,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) -> AttrId {
        if has_of.is_none() {
            self.check_once_in(of, &a.name);
        }
        let sort = of.and_then(|k| self.model.kinds.get(k.index())).map(|k| &k.sort);
        let (on_component, on_die) = (
            matches!(sort, Some(KindSort::Component(_))),
            matches!(sort, Some(KindSort::Component(ComponentSort::Die))),
        );
        if matches!(a.side, Some(ast::Side::Back)) && !on_component {
            let d = Diagnostic::error(codes::MISPLACED, a.name.span, "only components have backs");
            self.report.push(d.help("leave out `back`: everybody sees this attribute anyway"));
        }
        if matches!(a.side, Some(ast::Side::Face)) && !on_die {
            let d = Diagnostic::error(codes::MISPLACED, a.name.span, "only a die can have `face` attributes");
            self.report.push(
                d.help("leave out `face`: an attribute of a card already belongs to the face of the card"),
            );
        }
        self.pers.extend(a.per.iter().map(|n| (n, on_component)));
        let id = AttrId(self.model.attrs.len() as u32);
        self.model.attrs.push(Attr {
            name: a.name.text.as_str().into(),
            of,
            ty: Ty::Error,
            default: None,
            clamped: a.clamped,
            per: a.per.as_ref().map(|n| n.text.as_str().into()),
            side: match a.side {
                Some(ast::Side::Back) => AttrSide::Back,
                Some(ast::Side::Face) => AttrSide::Side,
                None => AttrSide::Front,
            },
            assigned: false,
            drawn: false,
            has_of,
            parts: Vec::new(),
            is_part: false,
            span: a.name.span,
            doc,
            scope,
        });
        if let Some(k) = of {
            self.model.kinds[k.index()].attrs.push(id);
        }
        self.typed.push(Waiting::Attr(id, &a.ty));
        if let Some(e) = &a.default {
            self.jobs.push(Job::AttrDefault(id, e));
        }
        id
    }

    fn declare_zone(
        &mut self,
        z: &'t ast::ZoneDecl,
        of: Option<KindId>,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        self.check_once_in(of, &z.name);
        self.add_zone(z, of, None, scope, doc);
    }

    /// A zone of a kind, of the table, or of a phase's own.
    pub(super) fn add_zone(
        &mut self,
        z: &'t ast::ZoneDecl,
        of: Option<KindId>,
        has_of: Option<RuleId>,
        scope: ScopeId,
        doc: Option<Arc<str>>,
    ) {
        let id = ZoneId(self.model.zones.len() as u32);
        self.model.zones.push(Zone {
            name: z.name.text.as_str().into(),
            of,
            has_of,
            index: None,
            holds: Vec::new(),
            slot: z.slot,
            seen: Seen::All,
            active: Active::Never,
            capacity: None,
            sorted: None,
            unlimited: z.marks.iter().any(|m| matches!(m, ast::ZoneMark::Unlimited(_))),
            refill: None,
            span: z.name.span,
            doc,
            scope,
        });
        if let Some(k) = of {
            self.model.kinds[k.index()].zones.push(id);
        }
        self.typed.push(Waiting::Zone(id, z));
        self.jobs.push(Job::ZoneMarks(id, z));
        let refill =
            z.marks.iter().find_map(|m| if let ast::ZoneMark::Refill(b) = m { Some(b) } else { None });
        if let Some(b) = refill {
            self.declare_refill(id, z, b, of);
        }
    }
}

/// What is wrong with a text that is to have no holes.
pub(crate) fn report_holes(t: &ast::Text) -> Option<Diagnostic> {
    let message = "this text cannot have a hole `{…}`: it is the same in every game";
    let help = "write the text without the hole; for the character `{`, write `\\{`";
    t.literal().is_none().then(|| Diagnostic::error(codes::HOLES, t.span, message).help(help))
}
