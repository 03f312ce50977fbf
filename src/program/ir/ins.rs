//! Instructions, and the small words in them.
use super::*;

/// One instruction: 8 bytes (asserted in a test). `d` is the destination, `w` a set's length in words, `u` the low byte of a [`UniverseId`], `to` an absolute code position.
///
/// Unless said, reading a thing's attribute, place or face with none as the thing is a fault; writing to none does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ins {
    // ── move ──
    /// d = k (also [`NONE`]).
    Li { d: R, k: i32 },
    /// d = a.
    Mov { d: R, a: R },
    /// n registers from a to d (sets, lists); they may overlap.
    MovN { d: R, a: R, n: u8 },
    /// d.. = a constant set: words `k..k+w` of [`Program::sets`].
    SConst { d: R, w: u8, k: u32 },
    /// d.. = one of several constant sets side by side: words `k + i*w..` of [`Program::sets`]; outside of them is a fault.
    SConstI { d: R, i: R, w: u8, k: u32 },
    // ── number ──
    /// d = a + b.
    Add { d: R, a: R, b: R },
    /// d = a - b.
    Sub { d: R, a: R, b: R },
    /// d = a * b.
    Mul { d: R, a: R, b: R },
    /// d = a / b, toward zero; by zero is a fault.
    Div { d: R, a: R, b: R },
    /// d = a + k.
    AddK { d: R, a: R, k: i32 },
    /// d = a, which lies within `tables[table][0]..tables[table][1]` or is none; outside is a fault.
    Within { d: R, a: R, table: TableIx },
    /// d = -a.
    Neg { d: R, a: R },
    /// d = the less; none counts as absent (the other is taken), of two nones none.
    Min { d: R, a: R, b: R },
    /// d = the greater; as [`Ins::Min`].
    Max { d: R, a: R, b: R },
    /// d = a modulo k (k > 0), never negative.
    ModK { d: R, a: R, k: i32 },
    /// d = (a + k) modulo m (m > 0), never negative. Made by the fusing pass: round the table.
    AddModK { d: R, a: R, k: i16, m: i16 },
    // ── truth ──
    /// d = a == b (bits; none equals none).
    Eq { d: R, a: R, b: R },
    /// d = a != b.
    Ne { d: R, a: R, b: R },
    /// d = a < b; false if either is none.
    Lt { d: R, a: R, b: R },
    /// d = a <= b; false if either is none.
    Le { d: R, a: R, b: R },
    /// d = a == k (k may be none).
    EqK { d: R, a: R, k: i32 },
    /// d = not a.
    Not { d: R, a: R },
    /// d = a and b.
    And { d: R, a: R, b: R },
    /// d = a or b.
    Or { d: R, a: R, b: R },
    // ── jump (a jump backwards charges the budget) ──
    /// Go on there.
    Jmp { to: u32 },
    /// If a is 0 (false).
    Jz { a: R, to: u32 },
    /// If a is not 0.
    Jnz { a: R, to: u32 },
    /// If a is none.
    JNone { a: R, to: u32 },
    /// If a is not none.
    JSome { a: R, to: u32 },
    /// If a == k. Made by the fusing pass.
    JEqK { a: R, k: i16, to: u32 },
    /// If a != k. Made by the fusing pass.
    JNeK { a: R, k: i16, to: u32 },
    /// If a <= b; not if either is none. This and the next five are made by the fusing pass.
    JLe { a: R, b: R, to: u32 },
    /// If not a <= b.
    JNotLe { a: R, b: R, to: u32 },
    /// If a < b; not if either is none.
    JLt { a: R, b: R, to: u32 },
    /// If not a < b.
    JNotLt { a: R, b: R, to: u32 },
    /// If s has anything.
    JAny { s: R, w: u8, to: u32 },
    /// If s has nothing.
    JNil { s: R, w: u8, to: u32 },
    /// d is cut with b; if nothing is left of it. Made by the joining pass.
    SCut { d: R, b: R, w: u8, to: u32 },
    /// a = a + 1; if it is not k then. Made by the fusing pass: the end of a counted loop.
    LoopK { a: R, k: i16, to: u32 },
    /// If there is a next element of set s above i: into i, and on at `to`. Made by the fusing pass: the end of a loop.
    SMore { i: R, s: R, w: u8, to: u32 },
    /// If set `k` of [`Program::noted`] was worked out for the list of options that is being made: it to d.., and on at `to`.
    Noted { d: R, k: u8, to: u32 },
    /// What stands from d on is set `k` of [`Program::noted`] for the list of options that is being made.
    Note { d: R, k: u8 },
    /// If value `k` of [`Program::kept`] of player `who` is kept and still good: its words to d.., and on at `to`.
    Recall { d: R, who: R, k: u8, to: u32 },
    /// What stands from d on is value `k` of [`Program::kept`] of player `who`, until something changes that it looks at.
    Keep { d: R, who: R, k: u8 },
    // ── read ──
    /// d = attribute of thing e.
    LdAttr { d: R, e: R, attr: AttrIx },
    /// d = attribute of the table (thing 0).
    LdGlobal { d: R, attr: AttrIx },
    /// d = `tables[table][i]`; outside the table is a fault.
    LdTable { d: R, i: R, table: TableIx },
    /// d = face of component c of universe u (a number of its face universe).
    LdFace { d: R, c: R, u: u8 },
    /// d = place of component c.
    LdPlace { d: R, c: R, u: u8 },
    /// d = space on which component c lies, or none.
    LdAt { d: R, c: R, u: u8 },
    /// d = side of die c: 0.. in the order of its faces.
    LdSide { d: R, c: R, u: u8 },
    /// d = 1 if component c lies face up.
    LdUp { d: R, c: R, u: u8 },
    /// d = place of a zone: holder's number in o (ignored for the table's), index in i (ignored where the zone has none; a register that holds 0).
    PlaceOf { d: R, o: R, i: R, zone: ZoneIx },
    /// d = what lies in the slot at place p, or none.
    LdSlot { d: R, p: R },
    /// d = what lies in o's slot of a zone with one place a holder, or none (also if o is none).
    LdHeld { d: R, o: R, zone: ZoneIx },
    /// d.. = what lies in o's place of a zone with one a holder; of none the empty set.
    Held { d: R, o: R, zone: ZoneIx },
    /// d = one fact about place p (none gives none).
    PlaceFact { d: R, p: R, fact: PlaceFact },
    /// d = one of the counters of the game.
    LdClock { d: R, what: Clock },
    /// d = 1 while that phase is running.
    Running { d: R, phase: PhaseIx },
    /// d = 1 if any action of the menu is on offer to player p (a menu without parameters).
    CanMenu { d: R, p: R, menu: MenuIx },
    /// d = 1 if player p can take an action of one of an offer's menus.
    CanOffer { d: R, p: R, offer: OfferIx },
    /// d = how often the position now stands in a history.
    SeenTimes { d: R, h: HistoryIx },
    /// d = 1 if player p (register) may see the face of component c of universe u now.
    Sees { d: R, p: R, c: R, u: u8 },
    // ── write ──
    /// attribute of e = a: range checked or clamped; index planes and projections follow.
    StAttr { e: R, a: R, attr: AttrIx },
    /// attribute of the table = a.
    StGlobal { a: R, attr: AttrIx },
    /// attribute of every thing of set s = a.
    StMany { s: R, a: R, attr: AttrIx },
    /// Component c goes to place p (none of either: nothing). On top, or under all if `how` says so.
    Move { c: R, p: R, u: u8, how: MoveHow },
    /// Every component of set s goes to place p, lowest number first.
    MoveSet { s: R, p: R, u: u8, how: MoveHow },
    /// Every component of list l in order.
    MoveList { l: R, p: R, u: u8, how: MoveHow },
    /// What lies at p and at q changes places, all at once.
    SwapPlaces { p: R, q: R },
    /// Components a and b change places and positions.
    SwapThings { a: R, b: R, u: u8 },
    /// The faces of what lies at place p are permuted by the table's stream; who knew them knows them no more.
    Shuffle { p: R },
    /// Component c shows face f from now on.
    Become { c: R, f: R, u: u8 },
    /// The faces of set s become known to the players in set t (a set over players).
    Show { s: R, t: R, u: u8 },
    /// Component c lies up (a = 1), down (0), or is turned over (none).
    Flip { c: R, a: R, u: u8 },
    /// Die c shows side a (number of the side).
    StSide { c: R, a: R, u: u8 },
    // ── set ──
    /// d.. = plane at word offset `at` of the state.
    Plane { d: R, w: u8, at: u32 },
    /// d.. = plane i of a group (none is the group's last); a number outside is the empty set.
    PlaneI { d: R, i: R, group: GroupIx },
    /// As [`Ins::PlaneI`], of planes that are fixed.
    PlaneC { d: R, i: R, group: GroupIx },
    /// d.. = a.. cut with plane i of a group of fixed planes. Made by the joining pass.
    SAndC { d: R, a: R, i: R, group: GroupIx },
    /// d.. = the components of universe u at place p; none is the empty set.
    Members { d: R, p: R, u: u8 },
    /// d.. = what all places of a zone hold together of universe u (whoever's).
    ZoneMembers { d: R, u: u8, zone: ZoneIx },
    /// d.. = the holders in whose slot of a zone (one each) a component of set s lies.
    SHolders { d: R, s: R, zone: ZoneIx },
    /// d = the first (or last) space of set s that a ray from c in direction r comes to; none.
    RayEnd { d: R, c: R, r: R, s: R, m: u8, last: bool },
    /// d.. = the holders in whose zone (one each) so many lie: as many as `op` says of the number and n.
    SCrowd { d: R, n: R, op: Cmp, zone: ZoneIx },
    /// d.. = the components of set e of universe u that lie on a space in whose zone (one each) so many lie: as many as `op` says of the number and n.
    SCrowdAt { d: R, e: R, n: R, op: Cmp, u: u8, zone: ZoneIx },
    /// d.. = the components of set e of universe u that lie on a space of set s, of w words.
    SAtIn { d: R, e: R, s: R, u: u8, w: u8 },
    /// d.. = what lies in a zone of all holders in set s together.
    HeldIn { d: R, s: R, zone: ZoneIx },
    /// d.. = a & b.
    SAnd { d: R, a: R, b: R, w: u8 },
    /// d.. = a | b.
    SOr { d: R, a: R, b: R, w: u8 },
    /// d.. = a without b.
    SAndNot { d: R, a: R, b: R, w: u8 },
    /// d.. = all of universe u but a.
    SNot { d: R, a: R, u: u8 },
    /// d.. = all of universe u.
    SAll { d: R, u: u8 },
    /// d.. = nothing.
    SZero { d: R, w: u8 },
    /// d.. = only i (none: nothing).
    SOne { d: R, i: R, w: u8 },
    /// i is put into d.. in place (none: nothing).
    SIns { d: R, i: R, w: u8 },
    /// i is taken out of d.. in place.
    SDel { d: R, i: R, w: u8 },
    /// d = i is in s (none is in nothing).
    STest { d: R, s: R, i: R, w: u8 },
    /// d = a is part of b.
    SSub { d: R, a: R, b: R, w: u8 },
    /// d = a and b are the same.
    SEq { d: R, a: R, b: R, w: u8 },
    /// d = how many.
    SCount { d: R, s: R, w: u8 },
    /// d = whether s has anything.
    SAny { d: R, s: R, w: u8 },
    /// d = the lowest, or none.
    SFirst { d: R, s: R, w: u8 },
    /// d = the highest, or none.
    SLast { d: R, s: R, w: u8 },
    /// d = the one element, or none if there are none or several.
    SOnly { d: R, s: R, w: u8 },
    /// The first of the components in s (universe u), or the last, in the order of what they show ([`Components::mixed`]) is taken out of s into d; none if there are none.
    /// Charges the budget.
    TakeFirst { d: R, s: R, u: u8, last: bool },
    /// Whoever looks now into places that a function opens ([`SeenBy::Func`]) learns what lies there.
    Notice,
    /// The next element of s above i (i = none: the first) into i, or, if there is none, on at `to`. Charges the budget.
    SNext { i: R, s: R, w: u8, to: u32 },
    /// The first element of s into i, or none, and then on at `to`. Charges the budget. Made by the joining pass: the head of a loop.
    SEach { i: R, s: R, w: u8, to: u32 },
    /// d.. = numbers a..=b of a number universe u, cut to it.
    SRange { d: R, a: R, b: R, u: u8 },
    /// d.. = things whose attribute compares so with register a (none never does): `attr op a`.
    SScan { d: R, a: R, op: Cmp, attr: AttrIx },
    /// d.. = dice of set s (universe u) that show a side in the set of sides f.
    SByShown { d: R, s: R, f: R, u: u8 },
    /// d = the sum of a table by side over the sides that the dice of set s (universe u) show.
    SumShown { d: R, s: R, u: u8, table: TableIx },
    /// d.. = components of set s (universe u) whose face is in the set of faces f.
    SByFace { d: R, s: R, f: R, u: u8 },
    /// d.. = set s of components with alike ones (same face, same visible attributes, same place, nothing of their own) cut down to the lowest of each class.
    Alike { d: R, s: R, u: u8 },
    // ── list ──
    /// d = length of the list at l.
    LLen { d: R, l: R },
    /// d = element i (from 0) of the list at l; outside: none.
    LGet { d: R, l: R, i: R },
    /// a is added to the list at l, which has room for `cap` things; beyond is a fault.
    LPush { l: R, a: R, cap: u16 },
    /// d.. = the set of the list's things.
    LSet { d: R, l: R, w: u8 },
    /// The list at d is turned round in place.
    LReverse { d: R },
    /// d = element j of constant list i.
    LineGet { d: R, i: R, j: R, t: LinesIx },
    /// d = first element, in the list's own order, of constant list i that is in set s, or none.
    LineFirst { d: R, i: R, s: R, t: LinesIx },
    /// d.. = constant list i as a set.
    LineSet { d: R, i: R, t: LinesIx },
    /// d.. = the lists (numbers over the table's lists) that meet set s of things.
    LinesMeeting { d: R, s: R, t: LinesIx },
    /// d = how many lie at place p.
    ZLen { d: R, p: R },
    /// d = component at position i of the ordered place p, 0 is the top (first); outside: none.
    ZGet { d: R, p: R, i: R },
    // ── weigh ──
    /// d = sum of an attribute over set s of its universe.
    SumAttr { d: R, s: R, attr: AttrIx },
    /// d = sum of `tables[table][face]` over the components of set s; the universe is the table's.
    SumTable { d: R, s: R, table: TableIx },
    /// d = for all components of set s together, the sum of a table over what set a has in common with the constant set of their face, by [`Program::sums`]. Made by a pass of its own.
    SumEach { d: R, s: R, a: R, sum: u16 },
    // ── map ──
    /// d = the neighbour of c in direction r (a direction's number), or none.
    StepC { d: R, c: R, r: R, m: u8 },
    /// d.. = neighbours of c (as the map counts them).
    Neigh { d: R, c: R, m: u8 },
    /// d.. = the neighbours of the spaces of s (s itself not added).
    Dilate { d: R, s: R, m: u8 },
    /// d = steps between a and b on the whole map, or none.
    Dist { d: R, a: R, b: R, m: u8 },
    /// d = steps from a to b over spaces of set s only (a and b need not be in it… b must), or none.
    DistThru { d: R, a: R, b: R, s: R, m: u8 },
    /// d.. = spaces within n steps of c through set s (c counts as reached); n none: any number.
    Reach { d: R, c: R, n: R, s: R, m: u8 },
    /// d.. = spaces within n steps of some space of set a through set s (those of a count as reached); n none: any number.
    Flood { d: R, a: R, n: R, s: R, m: u8 },
    /// d.. = union over all directions of the runs from c: spaces of P in a row beginning beside c, closed by one of Q; P at p, Q at q.
    RunC { d: R, c: R, p: R, q: R, m: u8 },
    /// d.. = spaces from which [`Ins::RunC`] is not empty.
    RunSrc { d: R, p: R, q: R, m: u8 },
    /// d.. (set) = the run from c in direction r only.
    RunDir { d: R, c: R, r: R, p: R, q: R, m: u8 },
    /// d.. = the ray from c in direction r as a set, c not in it.
    RaySet { d: R, c: R, r: R, m: u8 },
    /// d.. = the constant set at row j and column i of a grid; outside of it, and none, is a fault.
    SGrid { d: R, i: R, j: R, t: GridIx },
    /// d.. (set) = the ray from c in direction r through set s only, at most n spaces (none: any number).
    RayThru { d: R, c: R, r: R, s: R, n: R, m: u8 },
    /// d.. = rays from c in each direction of set r, each as long as it goes through set s, and the space that ends it.
    Slides { d: R, c: R, r: R, s: R, m: u8 },
    /// d = some line of the table through c lies wholly in set s.
    LineThru { d: R, c: R, s: R, t: LinesIx },
    /// d = some line of the table lies wholly in set s.
    LineAny { d: R, s: R, t: LinesIx },
    /// d = a path through set s (w words at s, then s+w the first end set, s+2w the other) joins the two end sets.
    Joined { d: R, s: R, m: u8 },
    /// d = the direction from a to b if they stand in a line, or none.
    DirOf { d: R, a: R, b: R, m: u8 },
    // ── chance: the stream is player who's, or the table's if none ──
    /// d = 0..n-1, n from register; n < 1 is a fault.
    Below { d: R, n: R, who: R },
    /// d = one of set s over universe u, or none.
    PickOne { d: R, s: R, who: R, w: u8, u: u8 },
    /// d.. = n of set s over universe u (n from a register, cut to the set's size).
    PickN { d: R, s: R, n: R, who: R, w: u8, u: u8 },
    /// d = one of the values of a table, drawn: what a die that nobody sees lying about shows. The table's name is told with it.
    RollValue { d: R, who: R, table: TableIx },
    /// Die c gets a random side.
    RollDie { c: R, who: R, u: u8 },
    // ── call ──
    /// See the module's page.
    Call { at: R, f: FuncId },
    /// As [`Ins::Call`] of an effect function, in the middle of pure code: what it changes is undone by [`Ins::Untry`]. It ends at its first question, at its end, or at the game's.
    Try { at: R, f: FuncId },
    /// All is as it was before the innermost [`Ins::Try`].
    Untry,
    /// Back to the caller; results stand in registers 0...
    Ret,
    /// A hook: arguments at `at`.., result at `at`.
    Hook { at: R, h: u16 },
    // ── scopes ──
    /// A turn of player p begins: `turn`, `turns`, attributes per turn, layers until the start of p's turn.
    TurnBegin { p: R },
    /// `turn` is player p, or nobody, and nothing else: while the end of the game is judged before p's turn begins.
    TurnIs { p: R },
    /// The turn ends: layers until the end of turn.
    TurnEnd,
    /// [`Ins::TurnEnd`], then the next of `n` round the table in `p`; one more has had their turn in `left`, and to `to` unless that are all.
    TurnNext { p: R, left: R, n: u8, to: u32 },
    /// A round begins.
    RoundBegin,
    /// It ends.
    RoundEnd,
    /// A phase begins.
    PhaseBegin { phase: PhaseIx },
    /// It ends.
    PhaseEnd { phase: PhaseIx },
    /// Until [`Ins::LeaseClose`], writes and moves are layers that end with that scope (a phase's number or a player in a, else ignored).
    LeaseOpen { scope: LeaseScope, a: R },
    /// Back to ordinary changes.
    LeaseClose,
    /// An attachment of an open layer comes into force with `n` captured words from register at.
    LeaseAttach { at: R, n: u8, what: LeasedIx },
    /// The next instance of a leased attachment in force above i (none: the first) into i, or on at `to`; newest last.
    LeaseNext { i: R, what: LeasedIx, to: u32 },
    /// n captured words of instance i to d.
    LeaseGet { d: R, i: R, n: u8 },
    /// The layer i ends at once: it was good for once.
    LeaseDrop { i: R },
    // ── ask (only effects) ──
    /// The menus of an offer are put to the player in register `who`. If nothing is on offer d = [`OFFER_NONE`] at once. Else play stops; on an action its effect is called
    /// with its window at `at` (`me`, menu's parameters, parameters), then d = [`OFFER_ACTED`]; done and pass give [`OFFER_DONE`], [`OFFER_PASSED`].
    AskMenu { d: R, at: R, who: R, offer: OfferIx },
    /// A choice from the set (or list) at s by the player(s) in register `who`; the answer (a thing or none, or a set) to d... Bounds stand in registers that the ask names.
    Ask { d: R, s: R, who: R, ask: AskIx },
    /// The position now goes into a history.
    Record { h: HistoryIx },
    // ── fibers ──
    /// One child for each player of the list at l runs f with `me` and then `n` captured words from `at`; goes on when all have ended.
    Fork { l: R, at: R, n: u8, f: FuncId, freely: bool },
    // ── tell ──
    /// A template's text into the log, holes read from registers.
    Say { t: TemplateIx },
    /// A rule error with that text.
    Fail { t: TemplateIx },
    /// The game ends for the players in the set at s (all if `all`).
    Verdict { s: R, verdict: VerdictCode, all: bool, t: TemplateIx },
    /// The game is over: results are worked out by [`Program::outcome`].
    End,
    /// The game is over if every player's lot is decided.
    EndDecided,
    /// What [`Program::marks`] holds at `n` was reached. Only in programs that are made to be covered.
    Mark { n: u32 },
    // ── enumerators ──
    /// Options of an action: fixed parameters from register `at`, the last one's domain (set, or number range in two registers, or bounds and set of a subset) at `last`.
    Options { at: R, last: R, action: ActionIx },
    /// The one option of an action without parameters.
    Option { action: ActionIx },
}

impl Ins {
    /// Where it jumps to, if it does.
    pub fn target(&self) -> Option<u32> {
        let mut ins = *self;
        ins.target_mut().copied()
    }

    /// Moves its jump, if it has one, so many positions further on.
    pub fn shift_target(&mut self, by: u32) {
        if let Some(to) = self.target_mut() {
            *to += by;
        }
    }

    /// Where it jumps to, to be changed: the one list of all that jump.
    pub fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Ins::Jmp { to }
            | Ins::Jz { to, .. }
            | Ins::Jnz { to, .. }
            | Ins::JNone { to, .. }
            | Ins::JSome { to, .. }
            | Ins::JEqK { to, .. }
            | Ins::JNeK { to, .. }
            | Ins::JLe { to, .. }
            | Ins::JNotLe { to, .. }
            | Ins::JLt { to, .. }
            | Ins::JNotLt { to, .. }
            | Ins::JAny { to, .. }
            | Ins::JNil { to, .. }
            | Ins::LoopK { to, .. }
            | Ins::TurnNext { to, .. }
            | Ins::SNext { to, .. }
            | Ins::SEach { to, .. }
            | Ins::SCut { to, .. }
            | Ins::SMore { to, .. }
            | Ins::Recall { to, .. }
            | Ins::Noted { to, .. }
            | Ins::LeaseNext { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// Outcomes of [`Ins::AskMenu`].
pub const OFFER_ACTED: i64 = 0;
/// `done` was taken.
pub const OFFER_DONE: i64 = 1;
/// `pass` was taken.
pub const OFFER_PASSED: i64 = 2;
/// Nothing was on offer.
pub const OFFER_NONE: i64 = 3;
/// No template.
pub const NO_TEMPLATE: TemplateIx = TemplateIx(u16::MAX);

/// Comparisons of [`Ins::SScan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cmp {
    /// `==`.
    Eq,
    /// `!=` (and not none).
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

/// How something moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveHow(pub u8);
impl MoveHow {
    /// To the bottom.
    pub const UNDER: MoveHow = MoveHow(1);
    /// Face up.
    pub const UP: MoveHow = MoveHow(2);
    /// Face down.
    pub const DOWN: MoveHow = MoveHow(4);
    /// Whether a flag is set.
    pub fn has(self, flag: MoveHow) -> bool {
        self.0 & flag.0 != 0
    }
}

/// Facts about a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceFact {
    /// Its space, or none.
    Space,
    /// Its holder as a player, or none.
    Holder,
    /// Its zone's number.
    Zone,
    /// The holder's number whatever it is.
    Owner,
}

/// Counters of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Rounds begun.
    Round,
    /// Turns begun.
    Turns,
    /// Whose turn it is, or none.
    Turn,
    /// The innermost running phase, or none.
    Phase,
    /// The set of players who have won, lost or tied.
    Decided,
    /// The number that the next layer will have: what has a lesser one was there before.
    Age,
    /// Whether the set-up is running.
    SetUp,
}

/// When a layer ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseScope {
    /// With this turn.
    Turn,
    /// With this round.
    Round,
    /// With the next round.
    NextRound,
    /// With the innermost running phase.
    Phase,
    /// With a phase (its number in the register).
    PhaseNamed,
    /// Never.
    Game,
    /// When a turn of the player in the register begins.
    StartOfTurn,
}

/// [`Ins::Verdict`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerdictCode {
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// Neither.
    Tie,
}
