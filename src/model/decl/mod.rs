//! First half of the checker: declarations. Numbers all declarations of all files, then has their bodies read (`body`).
//!
//! 1. `register` gives every kind, member, attribute, zone, value, rule, menu and action its number, in the order of the text.
//! 2. `types` reads the types that they are declared with.
//! 3. `bodies` has every expression and block read, in the order in which they need each other: values, menus, actions, the rest.
mod backs;
mod bodies;
mod faces;
mod graphs;
mod growing;
mod images;
mod kind_fills;
mod legacy;
mod limits;
pub mod map_pictures;
mod map_sizes;
pub mod member_bodies;
mod members;
mod menu_costs;
mod menus;
mod mods;
mod numbers;
mod ordered;
mod patch_values;
mod patches;
mod register;
mod register_rules;
mod scores;
mod seats;
mod test_scenarios;
mod types;

use super::codes;
use super::hir::*;
use super::uses::{Notes, Uses};
use houserule_syntax::{self as syntax, ast};
use houserule_text::{Diagnostic, Files, Report, Source, Span, fnv1a};
use rustc_hash::FxHashMap as HashMap;
use std::sync::Arc;

/// Advice for what is declared twice.
const RENAME: &str = "rename one of the two, or leave one out";

pub(crate) use register::report_holes;

pub use limits::{MOST_FILES, report_too_many_files};

/// What checking gives: the files as read, the model if there is no error, and all findings.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Every file, in load order.
    pub files: Files,
    /// The game, if nothing is wrong with it.
    pub model: Option<Model>,
    /// The game as far as it was understood, if something is wrong with it (else empty): for editors, which go on working then. Nothing may be played of it.
    pub draft: Model,
    /// What was found.
    pub report: Report,
    /// Which word of the texts means which declaration.
    pub uses: Uses,
}

/// Checks everything that a source holds, in one run.
pub fn check(source: &dyn Source) -> Checked {
    let mut files = Files::new();
    let mut report = Report::default();
    let mut trees = Vec::new();
    let mut tokens = 0;
    let all = source.files();
    let too_many = all.len() > MOST_FILES;
    for file in all.into_iter().take(MOST_FILES + 1) {
        let id = files.add(file);
        if let Some(f) = files.get(id).filter(|_| !too_many && tokens <= syntax::MOST_TOKENS) {
            let (tree, findings) = syntax::read(id, &f.text);
            tokens += tree.tokens;
            report.findings.extend(findings);
            trees.push(tree);
        }
    }
    check_read(files, &trees.iter().collect::<Vec<_>>(), report, source)
}

/// Checks what has been read already: a tree for each of the files, in their order, with what was found while they were read. The source is asked
/// for scripts only.
pub fn check_read(files: Files, trees: &[&ast::File], mut report: Report, source: &dyn Source) -> Checked {
    if let Some((id, _)) = files.iter().nth(MOST_FILES) {
        report.findings = vec![report_too_many_files(id)];
    }
    report.findings.extend(limits::find_too_many_tokens(&files, trees));
    // If a file was not read, its names would be reported as unknown: the check ends here.
    let unread = report.findings.iter().any(|f| limits::is_unread(f.code)).then(|| report.findings.clone());
    let mut d = Declarer::new(&files, source);
    for tree in trees {
        d.declare_items(&tree.items, ScopeId(0));
        tree.eithers.iter().for_each(|ways| d.declare_ways(ways));
    }
    d.declare_early_spaces();
    d.order_scenarios();
    d.declare_mods();
    // What could not be read may be what uses a name.
    let broken = report.has_errors();
    d.read_bodies_and_check(&mut report);
    if let Some(findings) = unread {
        report.findings = findings;
    } else if broken {
        report.findings.retain(|f| !super::body::unused::is_about_use(f.code));
    }
    let (mut model, notes) = (d.model, d.notes);
    model.fingerprint = fingerprint(&files);
    let uses = notes.into_uses(&files, &model);
    report.sort_and_dedup();
    let (model, draft) = if report.has_errors() { (None, model) } else { (Some(model), empty_model()) };
    Checked { files, model, draft, report, uses }
}

/// FNV-1a over all texts with line ends unified: the same rules have the same fingerprint on every machine.
fn fingerprint(files: &Files) -> u64 {
    fnv1a(files.iter().flat_map(|(_, f)| {
        f.name.bytes().chain([0]).chain(f.text.bytes().filter(|b| *b != b'\r')).chain([0])
    }))
}

/// A body that waits until all names are known.
pub(super) enum Job<'t> {
    AttrDefault(AttrId, &'t ast::Expr),
    ZoneMarks(ZoneId, &'t ast::ZoneDecl),
    Discards(KindId, &'t ast::Expr, ScopeId),
    OutWhen(KindId, &'t ast::Expr, ScopeId),
    KindCopies(KindId, &'t ast::Expr),
    /// The size of a map, where each set-up computes it.
    MapSize(MapId, &'t ast::Shape),
    EnumCell(MemberId, AttrId, &'t ast::Expr),
    MemberCopies(MemberId, &'t ast::Expr),
    MemberTitle(MemberId, &'t ast::Text),
    MemberSet(MemberId, &'t ast::Name, &'t ast::Expr),
    /// A value behind a member's name, for an attribute of its back.
    MemberBack(MemberId, AttrId, &'t ast::Expr),
    /// What a patch prints in that column of a list, or what a sign says of its slot.
    Marks(MemberId, Option<&'t ast::Name>, &'t [ast::Mark]),
    MemberFill(MemberId, &'t ast::FillValue),
    MemberRule(MemberId, &'t ast::FillRule),
    /// The same for another member: its findings have been told.
    Again(Box<Job<'t>>),
    MemberFaces(Option<MemberId>, KindId, &'t [ast::Mark]),
    Value(ValueId, &'t ast::ValueDecl),
    /// A line of a score (to which it is added) or of a ranking.
    Line(ValueId, ValueId, &'t ast::Expr),
    Rule(RuleId, &'t ast::Block),
    /// The rule that a zone's `refill` is.
    Refill(RuleId, &'t ast::Block),
    Menu(MenuId, &'t ast::MenuDecl),
    Action(ActionId, &'t ast::ActionDecl),
    Attach(Option<Carrier>, &'t ast::Attach, ScopeId),
    Setup(ScopeId, &'t ast::Block),
    Round(&'t ast::RoundDecl, Span),
    Ending(ScopeId, &'t ast::Ending, Span),
    /// `order by p`.
    OrderBy(&'t ast::Expr),
    EndsWhen(&'t ast::Expr, Option<&'t ast::Text>),
    BeginsOn(ScopeId, &'t ast::Name),
    Needs(ScopeId, &'t ast::Needs),
    OptionDefault(OptionId, &'t ast::Expr),
    SetOption(ScopeId, &'t ast::SetOption),
    Legacy(ScopeId, &'t [ast::LegacyRow]),
    Invariant(ScopeId, &'t ast::Invariant, Span),
    Test(ScopeId, &'t ast::Test, Span),
    Look(&'t ast::Look),
    Outcome(&'t ast::OutcomeKind, Span),
    /// Who answers for each of the named players.
    Answered(&'t ast::Expr),
    Score(&'t ast::Expr, Option<&'t ast::Text>),
    Remove(ScopeId, &'t ast::Name),
    Legend(ScopeId, &'t ast::Legend, Span),
}

/// The work of this room on one game.
pub(super) struct Declarer<'t> {
    pub files: &'t Files,
    pub source: &'t dyn Source,
    pub model: Model,
    pub report: Report,
    pub jobs: Vec<Job<'t>>,
    pub kinds: HashMap<String, KindId>,
    /// Names declared at the top, with the sort and the place: for doubles.
    pub seen: HashMap<(&'static str, String), Span>,
    /// Types that wait until all kinds are known.
    pub typed: Vec<types::Waiting<'t>>,
    /// Rules that pay goods, with the enum of the goods.
    pub paying: Vec<(RuleId, &'t ast::Name)>,
    /// The values behind the names of members.
    pub(in crate::decl) back_values: Vec<(MemberId, &'t [ast::Expr])>,
    /// What kinds fill for their members.
    pub(in crate::decl) kind_fills: Vec<(KindId, kind_fills::Fill<'t>)>,
    /// Members that wait until all kinds are known.
    pub members: Vec<members::Waiting<'t>>,
    /// Pictures that wait until all maps are known.
    pub(in crate::decl) drawings: Vec<map_pictures::Drawing<'t>>,
    /// Ways of graphs that wait until all places are known: the map's name, the rows, who declares them.
    pub(in crate::decl) ways: Vec<(&'t ast::Name, &'t [ast::WayRow], ScopeId)>,
    /// Maps that grow.
    pub(in crate::decl) growing: Vec<MapId>,
    /// Patches, their maps, and where they lie.
    pub(in crate::decl) patches: patches::Patches<'t>,
    pub game: Option<Span>,
    /// Spaces that are written before their maps.
    pub early_spaces: Vec<(&'t ast::SpaceDecl, ScopeId, Option<Arc<str>>)>,
    /// Scenarios that are built on others wait for them.
    pub built: Vec<(&'t ast::Item, ScopeId)>,
    /// Mods wait for each other, and for what they change.
    pub mods: Vec<(&'t ast::Item, ScopeId)>,
    /// The name of a family's parameter.
    pub families: HashMap<MemberId, (String, Span)>,
    /// Scopes behind `per`, some of them phases, and whether the attribute belongs to components.
    pub pers: Vec<(&'t ast::Name, bool)>,
    /// Which word means which declaration.
    pub notes: Notes,
}

impl<'t> Declarer<'t> {
    fn new(files: &'t Files, source: &'t dyn Source) -> Self {
        let mut d = Declarer {
            files,
            source,
            model: empty_model(),
            report: Report::default(),
            jobs: Vec::new(),
            kinds: HashMap::default(),
            seen: HashMap::default(),
            typed: Vec::new(),
            paying: Vec::new(),
            kind_fills: Vec::new(),
            back_values: Vec::new(),
            members: Vec::new(),
            drawings: Vec::new(),
            ways: Vec::new(),
            growing: Vec::new(),
            patches: patches::Patches::default(),
            game: None,
            early_spaces: Vec::new(),
            built: Vec::new(),
            mods: Vec::new(),
            families: HashMap::default(),
            pers: Vec::new(),
            notes: Notes::default(),
        };
        let span = Span::default();
        for (name, sort) in
            [("player", KindSort::Player), ("Direction", KindSort::Direction), ("team", KindSort::Team)]
        {
            d.new_kind(name, None, sort, span, ScopeId(0), None);
        }
        d.declare_teams();
        d
    }

    fn read_bodies_and_check(&mut self, report: &mut Report) {
        if self.game.is_none() {
            let span = self.files.iter().next().map_or(Span::default(), |(id, _)| Span::new(id, 0, 0));
            self.report.push(
                Diagnostic::error(codes::NO_GAME, span, "there is no `game` in these files")
                    .help("declare it: `game Name \"Title\" { players 2; outcome win }`"),
            );
        }
        if !self.refuse_too_many() {
            self.read_types();
            self.read_members();
            self.fill_backs();
            self.fill_by_kinds();
            if !self.refuse_too_many() {
                self.read_bodies();
                self.check_seats_and_players();
                self.check_numbers();
                self.check_expected_to_break();
                self.warn_no_first_scenario();
                self.warn_mods_in_the_game();
                super::body::play_warnings::warn_no_end(&self.model, &mut self.report);
            }
        }
        if self.patches.has_blank {
            self.forget_unknown_slots();
        }
        report.findings.append(&mut self.report.findings);
    }

    /// Where a picture shows no slot, a name that nothing has may be the name of one: the picture alone is reported.
    fn forget_unknown_slots(&mut self) {
        let files = self.files;
        let word = |at: Span| files.get(at.file).and_then(|f| f.text.get(at.range()));
        let could_be_slot = |d: &Diagnostic| {
            d.code == super::body::codes::NO_NAME && word(d.at.span).is_some_and(patches::is_name)
        };
        self.report.findings.retain(|d| !could_be_slot(d));
    }
}

impl Declarer<'_> {
    /// Warns of mods in the file of the game.
    fn warn_mods_in_the_game(&mut self) {
        let mods = self.model.scopes.iter().filter(|s| s.kind == ScopeKind::Mod);
        for s in mods.filter(|s| self.game.is_some_and(|game| game.file == s.span.file)) {
            let message = "this mod is in the game's own file, so it is in force in every match, but not in tests outside the mod";
            let d = Diagnostic::warning(codes::MOD_IN_GAME, s.span, message);
            self.report.push(d.help("move it to a file in another folder, or make it a `variant`"));
        }
    }

    /// Warns of a game that is played on one of several scenarios and says of none that it is the first.
    fn warn_no_first_scenario(&mut self) {
        let m = &self.model;
        let mut all = m.scopes.iter().filter(|s| s.kind == ScopeKind::Scenario);
        let (Some(first), Some(_), None, true) = (all.next(), all.next(), m.begins_on, m.needs_scenario())
        else {
            return;
        };
        let at = m.scopes.first().map_or(Span::default(), |game| game.span);
        let message = "the game does not say which scenario is played if none is chosen";
        let help = format!("write it in the header: `begins on {}`", first.name);
        self.report.push(Diagnostic::warning(codes::NO_FIRST_SCENARIO, at, message).help(help));
    }
}

fn empty_model() -> Model {
    let scope = Scope {
        kind: ScopeKind::Game,
        name: Arc::from(""),
        title: Arc::from(""),
        span: Span::default(),
        extent: Span::default(),
        parent: None,
        with: Vec::new(),
        needs: Vec::new(),
        options: Vec::new(),
        seats: None,
        players: None,
        removes: Vec::new(),
        needs_mods: Vec::new(),
        breaks: Vec::new(),
    };
    Model {
        name: Arc::from(""),
        doc: None,
        title: Arc::from(""),
        players: (1, 1),
        seats: None,
        answered: None,
        outcome: Outcome::Win,
        score: None,
        ends: Vec::new(),
        begins_on: None,
        version: None,
        scopes: vec![scope],
        kinds: Vec::new(),
        members: Vec::new(),
        attrs: Vec::new(),
        zones: Vec::new(),
        face_down: rustc_hash::FxHashSet::default(),
        maps: Vec::new(),
        values: Vec::new(),
        rules: Vec::new(),
        menus: Vec::new(),
        actions: Vec::new(),
        attachments: Vec::new(),
        setups: Vec::new(),
        images: Vec::new(),
        round: None,
        endings: Vec::new(),
        needs: Vec::new(),
        options: Vec::new(),
        hooks: Vec::new(),
        legacy: Vec::new(),
        invariants: Vec::new(),
        numbered: Vec::new(),
        not_played: Vec::new(),
        tests: Vec::new(),
        narrowed: rustc_hash::FxHashMap::default(),
        fingerprint: 0,
        order: None,
        ordered: Vec::new(),
        leaving: None,
        own_attrs: None,
    }
}
