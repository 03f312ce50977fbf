//! The table of instructions: each row is one instruction with all its properties, and with the small enums of its operands. `ins_table.rs` generates the enum, the disassembler
//! and all lists of instructions from it.
//!
//! ```text
//! Name { operand: role[width], … }: kind, may it fail, what it sees => what it changes, how its registers are told, [marks], home;
//! ```
//!
//! | column | words |
//! |---|---|
//! | role | `def` written, `use` read, `upd` both, `out` written later, when a question is answered; `reg` a register whose width the row does not tell; `to` where it jumps; else a type |
//! | width | words: a number, a field, or of what (`uni u`: a set over universe u); the functions are those of `def_use.rs` |
//! | kind | [`InsKind`] |
//! | failing | `never` or `may`: a rule error, or that the steps are used up |
//! | sees, changes | [`Sees`], [`Changes`]: what of the state beside registers |
//! | registers | `plain` as the operands say; `opaque` not told, so nothing around it may be rewritten; else the function of `def_use.rs` that adds what stands in tables |
//! | marks | `invariant`: worth moving out of a loop; `reusable`: its result is worth keeping for a later equal instruction; `fast`: a playout can run it outside the run loop |
//! | home | the file of the interpreter that runs it: `loop` (`run_loop.rs`), `rare`, `lines` or `effects`. The loop may have a fast path for others, too |
use super::def_use::{Use, width};
use super::ins_table::{Changes, InsKind, Mark, Sees, Shown};
use super::*;

instructions! {
    // ── move ──
    /// d = k (also [`NONE`]).
    Li { d: def[1], k: i32 }: value, never, Nothing => Nothing, plain, [invariant fast], loop;
    /// d = a.
    Mov { d: def[1], a: use[1] }: value, never, Nothing => Nothing, plain, [fast], loop;
    /// n registers from a to d (sets, lists); they may overlap.
    MovN { d: def[n], a: use[n], n: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d.. = a constant set: words `k..k+w` of [`Program::sets`].
    SConst { d: def[w], w: u8, k: u32 }: value, never, Nothing => Nothing, plain, [invariant reusable fast], loop;
    /// d.. = one of several constant sets side by side: words `k + i*w..` of [`Program::sets`]; outside of them is a fault.
    SConstI { d: def[w], i: use[1], w: u8, k: u32 }: value, may, Nothing => Nothing, plain, [invariant], rare;
    // ── number ──
    /// d = a + b.
    Add { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [invariant], loop;
    /// d = a - b.
    Sub { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [invariant], loop;
    /// d = a * b.
    Mul { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [invariant], loop;
    /// d = a / b, toward zero; by zero is a fault.
    Div { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [invariant], rare;
    /// `d = a mod b`: the remainder of a division, never negative; division by zero is a fault.
    Mod { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [invariant], rare;
    /// d = a + k.
    AddK { d: def[1], a: use[1], k: i32 }: value, may, Nothing => Nothing, plain, [invariant], loop;
    /// d = a, which lies within `tables[table][0]..tables[table][1]` or is none; outside is a fault.
    Within { d: def[1], a: use[1], table: TableIx }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = -a.
    Neg { d: def[1], a: use[1] }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = the less; none counts as absent (the other is taken), of two nones none.
    Min { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [], loop;
    /// d = the greater; as [`Ins::Min`].
    Max { d: def[1], a: use[1], b: use[1] }: value, may, Nothing => Nothing, plain, [], loop;
    /// d = a modulo k (k > 0), never negative.
    ModK { d: def[1], a: use[1], k: i32 }: value, may, Nothing => Nothing, plain, [invariant], loop;
    /// d = (a + k) modulo m (m > 0), never negative. Made by the peephole pass: round the table.
    AddModK { d: def[1], a: use[1], k: i16, m: i16 }: value, may, Nothing => Nothing, plain, [invariant], loop;
    // ── truth ──
    /// d = a == b (bits; none equals none).
    Eq { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d = a != b.
    Ne { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d = a < b; false if either is none.
    Lt { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = a <= b; false if either is none.
    Le { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = a == k (k may be none).
    EqK { d: def[1], a: use[1], k: i32 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d = not a.
    Not { d: def[1], a: use[1] }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d = a and b.
    And { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = a or b.
    Or { d: def[1], a: use[1], b: use[1] }: value, never, Nothing => Nothing, plain, [], loop;
    // ── jump (a jump backwards charges the budget) ──
    /// Go on there.
    Jmp { to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a is 0 (false).
    Jz { a: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a is not 0.
    Jnz { a: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a is none.
    JNone { a: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a is not none.
    JSome { a: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a == k. Made by the peephole pass.
    JEqK { a: use[1], k: i16, to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a != k. Made by the peephole pass.
    JNeK { a: use[1], k: i16, to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a <= b; not if either is none. This and the next five are made by the peephole pass.
    JLe { a: use[1], b: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If not a <= b.
    JNotLe { a: use[1], b: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If a < b; not if either is none.
    JLt { a: use[1], b: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If not a < b.
    JNotLt { a: use[1], b: use[1], to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If s has anything.
    JAny { s: use[w], w: u8, to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If s has nothing.
    JNil { s: use[w], w: u8, to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// If there is a next element of set s above i: into i, and on at `to`. Made by the peephole pass: the end of a loop.
    SMore { i: upd[1], s: use[w], w: u8, to: to }: jump, may, Nothing => Nothing, plain, [], loop;
    /// If set `k` of [`Program::noted`] was computed for the list of options that is being made: it to d.., and on at `to`.
    Noted { d: def[noted k], k: u8, to: to }: cache, never, Nothing => Nothing, plain, [], loop;
    /// What stands from d on is set `k` of [`Program::noted`] for the list of options that is being made.
    Note { d: use[noted k], k: u8 }: cache, never, Nothing => Nothing, plain, [], loop;
    /// If value `k` of [`Program::kept`] of player `who` is kept and still good: its words to d.., and on at `to`.
    Recall { d: def[kept k], who: use[1], k: u8, to: to }: cache, never, Nothing => Nothing, plain, [], loop;
    /// What stands from d on is value `k` of [`Program::kept`] of player `who`, until something changes that it reads.
    Keep { d: use[kept k], who: use[1], k: u8 }: cache, never, Nothing => Nothing, plain, [], loop;
    // ── read ──
    /// d = attribute of thing e.
    LdAttr { d: def[1], e: use[1], attr: AttrIx }: value, may, Attr(attr) => Nothing, plain, [invariant reusable], loop;
    /// d = attribute of the table (thing 0).
    LdGlobal { d: def[1], attr: AttrIx }: value, may, Attr(attr) => Nothing, plain, [invariant reusable], loop;
    /// d = `tables[table][i]`; outside the table is a fault.
    LdTable { d: def[1], i: use[1], table: TableIx }: value, may, Nothing => Nothing, plain, [invariant reusable], loop;
    /// d = face of component c of universe u (a number of its face universe).
    LdFace { d: def[1], c: use[1], u: u8 }: value, may, Faces(u) => Nothing, plain, [invariant reusable], loop;
    /// d = place of component c.
    LdPlace { d: def[1], c: use[1], u: u8 }: value, may, Places(u) => Nothing, plain, [invariant], loop;
    /// d = space on which component c lies, or none.
    LdAt { d: def[1], c: use[1], u: u8 }: value, may, Places(u) => Nothing, plain, [invariant reusable], loop;
    /// d = side of die c: 0.. in the order of its faces.
    LdSide { d: def[1], c: use[1], u: u8 }: value, may, Faces(u) => Nothing, plain, [], rare;
    /// d = 1 if component c lies face up.
    LdUp { d: def[1], c: use[1], u: u8 }: value, may, Faces(u) => Nothing, plain, [], rare;
    /// d = place of a zone: holder's number in o (ignored for the table's), index in i (ignored where the zone has none; a register that holds 0).
    PlaceOf { d: def[1], o: use[1], i: use[1], zone: ZoneIx }: value, may, Nothing => Nothing, plain, [], loop;
    /// d = what lies in o's slot of a zone with one place a holder, or none (also if o is none).
    LdHeld { d: def[1], o: use[1], zone: ZoneIx }: value, may, Zone(zone) => Nothing, plain, [invariant reusable], loop;
    /// d.. = what lies in o's place of a zone with one a holder; of none the empty set.
    Held { d: def[held zone], o: use[1], zone: ZoneIx }: value, may, Zone(zone) => Nothing, plain, [invariant reusable], loop;
    /// d = one fact about place p (none gives none).
    PlaceFact { d: def[1], p: use[1], fact: PlaceFact }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d = one of the counters of the game.
    LdClock { d: def[1], what: Clock }: value, never, Clock(what) => Nothing, plain, [], rare;
    /// d = 1 while that phase is running.
    Running { d: def[1], phase: PhaseIx }: value, never, Phases => Nothing, plain, [], rare;
    /// d = 1 if any action of the menu is on offer to player p (a menu without parameters).
    CanMenu { d: def[1], p: use[1], menu: MenuIx }: call, may, Nothing => Nothing, plain, [], loop;
    /// d = 1 if player p can take an action of one of an offer's menus.
    CanOffer { d: def[1], p: use[1], offer: OfferIx }: call, may, Anything => Nothing, menu_parameters, [], loop;
    /// d = how often the position now stands in a history.
    SeenTimes { d: def[1], h: HistoryIx }: value, may, Anything => Nothing, plain, [], rare;
    /// d = 1 if player p (register) may see the face of component c of universe u now.
    Sees { d: def[1], p: use[1], c: use[1], u: u8 }: value, may, FacesAndPlaces(u) => Nothing, plain, [], rare;
    // ── write ──
    /// attribute of e = a: range checked or clamped; index planes and projections follow.
    StAttr { e: use[1], a: use[1], attr: AttrIx }: effect, may, Anything => Attr(attr), plain, [], effects;
    /// attribute of the table = a.
    StGlobal { a: use[1], attr: AttrIx }: effect, may, Anything => Attr(attr), plain, [], effects;
    /// attribute of every thing of set s = a.
    StMany { s: use[things attr], a: use[1], attr: AttrIx }: effect, may, Anything => Attr(attr), plain, [], effects;
    /// Component c goes to place p (none of either: nothing). On top, or under all if `how` says so.
    Move { c: use[1], p: use[1], u: u8, how: MoveHow }: effect, may, Anything => Moved(u), plain, [], effects;
    /// Every component of set s goes to place p, lowest number first.
    MoveSet { s: use[uni u], p: use[1], u: u8, how: MoveHow }: effect, may, Anything => Moved(u), plain, [], effects;
    /// Every component of list l in order.
    MoveList { l: reg, p: use[1], u: u8, how: MoveHow }: effect, may, Anything => Moved(u), opaque, [], effects;
    /// What lies at p and at q changes places, all at once.
    SwapPlaces { p: use[1], q: use[1] }: effect, may, Anything => Anything, plain, [], effects;
    /// Components a and b change places and positions.
    SwapThings { a: use[1], b: use[1], u: u8 }: effect, may, Anything => Anything, plain, [], effects;
    /// The faces of what lies at place p are permuted by the table's stream; who knew them knows them no more.
    Shuffle { p: use[1] }: chance, may, Anything => Anything, plain, [], effects;
    /// Component c shows face f from now on.
    Become { c: use[1], f: use[1], u: u8 }: effect, may, Anything => Anything, plain, [], effects;
    /// The faces of set s become known to the players in set t (a set over players).
    Show { s: use[uni u], t: use[of_players], u: u8 }: effect, may, Anything => Faces(u), plain, [], effects;
    /// Component c lies up (a = 1), down (0), or is turned over (none).
    Flip { c: use[1], a: use[1], u: u8 }: effect, may, Anything => Anything, plain, [], effects;
    /// Die c shows side a (number of the side).
    StSide { c: use[1], a: use[1], u: u8 }: effect, may, Anything => Faces(u), plain, [], effects;
    // ── set ──
    /// d.. = plane at word offset `at` of the state.
    Plane { d: def[w], w: u8, at: u32 }: value, never, Planes(w, at) => Nothing, plain, [invariant reusable fast], loop;
    /// d.. = plane i of a group (none is the group's last); a number outside is the empty set.
    PlaneI { d: def[group group], i: use[1], group: GroupIx }: value, never, Group(group) => Nothing, plain, [invariant reusable fast], loop;
    /// As [`Ins::PlaneI`], of planes that are fixed.
    PlaneC { d: def[group group], i: use[1], group: GroupIx }: value, never, Nothing => Nothing, plain, [invariant reusable], loop;
    /// d.. = a.. cut with plane i of a group of fixed planes. Made by the superinstruction pass.
    SAndC { d: def[group group], a: use[group group], i: use[1], group: GroupIx }: value, never, Nothing => Nothing, plain, [], loop;
    /// d.. = the components of universe u at place p; none is the empty set.
    Members { d: def[uni u], p: use[1], u: u8 }: value, may, Places(u) => Nothing, plain, [], loop;
    /// d.. = what all places of a zone hold together of universe u (whoever's).
    ZoneMembers { d: def[uni u], u: u8, zone: ZoneIx }: value, never, Places(u) => Nothing, plain, [], rare;
    /// d.. = the holders in whose slot of a zone (one each) a component of set s lies.
    SHolders { d: def[owners zone], s: use[held zone], zone: ZoneIx }: value, never, Zone(zone) => Nothing, plain, [invariant reusable], loop;
    /// d = the first (or last) space of set s that a ray from c in direction r comes to; none.
    RayEnd { d: def[1], c: use[1], r: use[1], s: use[map m], m: u8, last: bool }: value, may, Nothing => Nothing, plain, [], loop;
    /// d.. = the holders in whose zone (one each) so many lie: as many as `op` says of the number and n.
    SCrowd { d: def[owners zone], n: use[1], op: Comparison, zone: ZoneIx }: value, never, Zone(zone) => Nothing, plain, [invariant reusable], loop;
    /// d.. = the components of set e of universe u that lie on a space in whose zone (one each) so many lie: as many as `op` says of the number and n.
    SCrowdAt { d: def[uni u], e: use[uni u], n: use[1], op: Comparison, u: u8, zone: ZoneIx }: value, never, PlacesAndZone(u, zone) => Nothing, plain, [invariant reusable], loop;
    /// d.. = the components of set e of universe u that lie on a space of set s, of w words.
    SAtIn { d: def[uni u], e: use[uni u], s: use[w], u: u8, w: u8 }: value, never, Places(u) => Nothing, plain, [invariant], loop;
    /// d.. = what lies in a zone of all holders in set s together.
    HeldIn { d: def[held zone], s: use[owners zone], zone: ZoneIx }: value, never, Zone(zone) => Nothing, plain, [invariant reusable], loop;
    /// d.. = a & b.
    SAnd { d: def[w], a: use[w], b: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [invariant fast], loop;
    /// d.. = a | b.
    SOr { d: def[w], a: use[w], b: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [invariant fast], loop;
    /// d.. = a without b.
    SAndNot { d: def[w], a: use[w], b: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [invariant fast], loop;
    /// d.. = all of universe u but a.
    SNot { d: def[uni u], a: use[uni u], u: u8 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d.. = all of universe u.
    SAll { d: def[uni u], u: u8 }: value, never, Nothing => Nothing, plain, [invariant reusable], loop;
    /// d.. = nothing.
    SZero { d: def[w], w: u8 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d.. = only i (none: nothing).
    SOne { d: def[w], i: use[1], w: u8 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// i is put into d.. in place (none: nothing).
    SIns { d: upd[w], i: use[1], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// i is taken out of d.. in place.
    SDel { d: upd[w], i: use[1], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = i is in s (none is in nothing).
    STest { d: def[1], s: use[w], i: use[1], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = a is part of b.
    SSub { d: def[1], a: use[w], b: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = a and b are the same.
    SEq { d: def[1], a: use[w], b: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = how many.
    SCount { d: def[1], s: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = whether s has anything.
    SAny { d: def[1], s: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = the lowest, or none.
    SFirst { d: def[1], s: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], loop;
    /// d = the highest, or none.
    SLast { d: def[1], s: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], rare;
    /// d = the one element, or none if there are none or several.
    SOnly { d: def[1], s: use[w], w: u8 }: value, never, Nothing => Nothing, plain, [], rare;
    /// The first of the components in s (universe u), or the last, in the order of what they show ([`Components::mixed`]) is taken out of s into d; none if there are none.
    /// Charges the budget.
    TakeFirst { d: def[1], s: upd[uni u], u: u8, last: bool }: value, may, Alike(u) => Nothing, plain, [], rare;
    /// Whoever looks now into places that a function opens ([`SeenBy::Func`]) learns what lies there.
    Notice: effect, may, Anything => Nothing, plain, [], effects;
    /// The next element of s above i (i = none: the first) into i, or, if there is none, on at `to`. Charges the budget.
    SNext { i: upd[1], s: use[w], w: u8, to: to }: jump, may, Nothing => Nothing, plain, [], loop;
    /// The first element of s into i, or none, and then on at `to`. Charges the budget. Made by the superinstruction pass: the head of a loop.
    SEach { i: def[1], s: use[w], w: u8, to: to }: jump, never, Nothing => Nothing, plain, [], loop;
    /// d.. = numbers a..=b of a number universe u, cut to it.
    SRange { d: def[uni u], a: use[1], b: use[1], u: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = dice of set s (universe u) that show a side in the set of sides f.
    SByShown { d: def[uni u], s: use[uni u], f: use[sides u], u: u8 }: value, may, Faces(u) => Nothing, plain, [invariant], loop;
    /// d = the sum of a table by side over the sides that the dice of set s (universe u) show.
    SumShown { d: def[1], s: use[uni u], u: u8, table: TableIx }: value, may, Faces(u) => Nothing, plain, [invariant], loop;
    /// d.. = components of set s (universe u) whose face is in the set of faces f.
    SByFace { d: def[uni u], s: use[uni u], f: use[faces u], u: u8 }: value, may, Faces(u) => Nothing, plain, [], loop;
    /// d.. = set s of components with alike ones (same face, same visible attributes, same place, nothing of their own) cut down to the lowest of each class.
    Alike { d: def[uni u], s: use[uni u], u: u8 }: value, may, Alike(u) => Nothing, plain, [], rare;
    // ── list ──
    /// d = length of the list at l.
    LLen { d: def[1], l: reg }: value, may, Nothing => Nothing, opaque, [], rare;
    /// d = element i (from 0) of the list at l; outside: none.
    LGet { d: def[1], l: reg, i: use[1] }: value, may, Nothing => Nothing, opaque, [], rare;
    /// a is added to the list at l, which has room for `cap` things; beyond is a fault.
    LPush { l: reg, a: use[1], cap: u16 }: value, may, Nothing => Nothing, opaque, [], rare;
    /// d.. = the set of the list's things.
    LSet { d: def[w], l: reg, w: u8 }: value, may, Nothing => Nothing, opaque, [], rare;
    /// The list at d is turned round in place.
    LReverse { d: reg }: value, may, Nothing => Nothing, opaque, [], rare;
    /// d = element j of constant list i.
    LineGet { d: def[1], i: use[1], j: use[1], t: LinesIx }: value, never, Nothing => Nothing, plain, [], lines;
    /// d = first element, in the list's own order, of constant list i that is in set s, or none.
    LineFirst { d: def[1], i: use[1], s: use[line t], t: LinesIx }: value, never, Nothing => Nothing, plain, [], lines;
    /// d.. = constant list i as a set.
    LineSet { d: def[line t], i: use[1], t: LinesIx }: value, never, Nothing => Nothing, plain, [invariant], lines;
    /// d.. = the lists (numbers over the table's lists) that meet set s of things.
    LinesMeeting { d: def[lists t], s: use[line t], t: LinesIx }: value, may, Nothing => Nothing, plain, [fast], lines;
    /// d = how many lie at place p.
    ZLen { d: def[1], p: use[1] }: value, never, AnyPlace => Nothing, plain, [], loop;
    /// d = component at position i of the ordered place p, 0 is the top (first); outside: none.
    ZGet { d: def[1], p: use[1], i: use[1] }: value, may, AnyPlace => Nothing, plain, [], rare;
    // ── weigh ──
    /// d = sum of `tables[table][face]` over the components of set s; the universe is the table's.
    SumTable { d: def[1], s: use[summed table], table: TableIx }: value, may, Table(table) => Nothing, plain, [invariant], loop;
    /// d = for all components of set s together, the sum of a table over what set a has in common with the constant set of their face, by [`Program::sums`]. Made by a pass of its own.
    SumEach { d: def[1], s: use[1], a: use[1], sum: u16 }: value, may, Sum(sum) => Nothing, plain, [invariant], loop;
    // ── map ──
    /// d = the neighbour of c in direction r (a direction's number), or none.
    StepC { d: def[1], c: use[1], r: use[1], m: u8 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d.. = neighbours of c (as the map counts them).
    Neigh { d: def[map m], c: use[1], m: u8 }: value, never, Nothing => Nothing, plain, [invariant], loop;
    /// d.. = the neighbours of the spaces of s (s itself not added).
    Dilate { d: def[map m], s: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], loop;
    /// d.. = the spaces whose neighbour in direction r is in s.
    StepSrc { d: def[map m], s: use[map m], r: use[1], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = steps between a and b on the whole map, or none.
    Dist { d: def[1], a: use[1], b: use[1], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = steps from a to b over spaces of set s only (a and b need not be in it… b must), or none.
    DistThru { d: def[1], a: use[1], b: use[1], s: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = spaces within n steps of c through set s (c counts as reached); n none: any number.
    Reach { d: def[map m], c: use[1], n: use[1], s: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = spaces within n steps of some space of set a through set s (those of a count as reached); n none: any number.
    Flood { d: def[map m], a: use[map m], n: use[1], s: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = union over all directions of the runs from c: spaces of P in a row beginning beside c, closed by one of Q; P at p, Q at q.
    RunC { d: def[map m], c: use[1], p: use[map m], q: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = spaces from which [`Ins::RunC`] is not empty.
    RunSrc { d: def[map m], p: use[map m], q: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], loop;
    /// d.. (set) = the run from c in direction r only.
    RunDir { d: def[map m], c: use[1], r: use[1], p: use[map m], q: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d.. = the ray from c in direction r as a set, c not in it.
    RaySet { d: def[map m], c: use[1], r: use[1], m: u8 }: value, may, Nothing => Nothing, plain, [reusable], loop;
    /// d.. = the constant set at row j and column i of a grid; outside of it, and none, is a fault.
    SGrid { d: def[grid t], i: use[1], j: use[1], t: GridIx }: value, may, Nothing => Nothing, plain, [invariant], rare;
    /// d.. (set) = the ray from c in direction r through set s only, at most n spaces (none: any number).
    RayThru { d: def[map m], c: use[1], r: use[1], s: use[map m], n: use[1], m: u8 }: value, may, Nothing => Nothing, plain, [], loop;
    /// d.. = rays from c in each direction of set r, each as long as it goes through set s, and the space that ends it.
    Slides { d: def[map m], c: use[1], r: use[1], s: use[map m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = some line of the table through c lies wholly in set s.
    LineThru { d: def[1], c: use[1], s: use[line t], t: LinesIx }: value, never, Nothing => Nothing, plain, [], lines;
    /// d = a path through set s (w words at s, then s+w the first end set, s+2w the other) joins the two end sets.
    Joined { d: def[1], s: use[three_sets m], m: u8 }: value, may, Nothing => Nothing, plain, [], rare;
    /// d = the direction from a to b if they stand in a line, or none.
    DirOf { d: def[1], a: use[1], b: use[1], m: u8 }: value, never, Nothing => Nothing, plain, [reusable], loop;
    // ── chance: the stream is player who's, or the table's if none ──
    /// d = one of set s over universe u, or none.
    PickOne { d: def[1], s: use[w], who: use[1], w: u8, u: u8 }: chance, may, Anything => Nothing, plain, [], effects;
    /// d.. = n of set s over universe u (n from a register, cut to the set's size).
    PickN { d: def[w], s: use[w], n: use[1], who: use[1], w: u8, u: u8 }: chance, may, Anything => Nothing, plain, [], effects;
    /// d = one of the values of a table, drawn: what a die that nobody sees lying about shows. The table's name is told with it.
    RollValue { d: def[1], who: use[1], table: TableIx }: chance, may, Anything => Nothing, plain, [], effects;
    /// Die c gets a random side.
    RollDie { c: use[1], who: use[1], u: u8 }: chance, may, Anything => Faces(u), plain, [], effects;
    // ── call ──
    /// See the module's page.
    Call { at: reg, f: FuncId }: call, may, Nothing => Anything, call, [], loop;
    /// As [`Ins::Call`] of an effect function, in the middle of pure code: what it changes is undone by [`Ins::Untry`]. It ends at its first question, at its end, or at the game's.
    Try { at: reg, f: FuncId }: call, may, Anything => Anything, trial, [], loop;
    /// All is as it was before the innermost [`Ins::Try`].
    Untry: call, may, Anything => Anything, plain, [], loop;
    /// Back to the caller; results stand in registers 0...
    Ret: call, never, Nothing => Nothing, plain, [], loop;
    /// A hook: arguments at `at`.., result at `at`.
    Hook { at: reg, h: u16 }: call, may, Anything => Anything, opaque, [], rare;
    // ── scopes ──
    /// A turn of player p begins: `turn`, `turns`, attributes per turn, layers until the start of p's turn.
    TurnBegin { p: use[1] }: effect, may, Anything => Turns, plain, [], effects;
    /// `turn` is player p, or nobody, and nothing else: while the end of the game is judged before p's turn begins.
    TurnIs { p: use[1] }: effect, may, Anything => Turns, plain, [], effects;
    /// The turn ends: layers until the end of turn.
    TurnEnd: effect, may, Anything => Turns, plain, [], effects;
    /// [`Ins::TurnEnd`], then the next of `n` round the table in `p`; one more has had their turn in `left`, and to `to` unless that are all.
    TurnNext { p: upd[1], left: upd[1], n: u8, to: to }: effect, may, Anything => Turns, plain, [], loop;
    /// A round begins.
    RoundBegin: effect, may, Anything => Turns, plain, [], effects;
    /// It ends.
    RoundEnd: effect, may, Anything => Turns, plain, [], effects;
    /// A phase begins.
    PhaseBegin { phase: PhaseIx }: effect, may, Anything => Turns, plain, [], effects;
    /// It ends.
    PhaseEnd { phase: PhaseIx }: effect, may, Anything => Turns, plain, [], effects;
    /// Until [`Ins::LeaseClose`], writes and moves are layers that end with that scope (a phase's number or a player in a, else ignored).
    LeaseOpen { scope: LeaseScope, a: reg }: effect, may, Anything => Nothing, opaque, [], effects;
    /// Back to ordinary changes.
    LeaseClose: effect, may, Anything => Nothing, plain, [], effects;
    /// An attachment of an open layer comes into force with `n` captured words from register at.
    LeaseAttach { at: reg, n: u8, what: LeasedIx }: effect, may, Anything => Force, opaque, [], effects;
    /// The next instance of a leased attachment in force above i (none: the first) into i, or on at `to`; newest last.
    LeaseNext { i: upd[1], what: LeasedIx, to: to }: jump, may, Force => Nothing, plain, [], loop;
    /// n captured words of instance i to d.
    LeaseGet { d: def[n], i: use[1], n: u8 }: value, never, Force => Nothing, plain, [], rare;
    /// The layer i ends at once: it was good for once.
    LeaseDrop { i: use[1] }: effect, may, Anything => Force, opaque, [], effects;
    // ── ask (only effects) ──
    /// The menus of an offer are put to the player in register `who`. If nothing is on offer d = [`OFFER_NONE`] at once. Else play stops; on an action its effect is called
    /// with its window at `at` (`me`, menu's parameters, parameters), then d = [`OFFER_ACTED`]; done and pass give [`OFFER_DONE`], [`OFFER_PASSED`].
    AskMenu { d: out[1], at: reg, who: use[1], offer: OfferIx }: question, may, Anything => Anything, question, [], loop;
    /// A choice from the set (or list) at s by the player(s) in register `who`; the answer (a thing or none, or a set) to d... Bounds stand in registers that the ask names.
    Ask { d: reg, s: reg, who: use[1], ask: AskIx }: question, may, Anything => Anything, opaque, [], loop;
    /// The position now goes into a history.
    Record { h: HistoryIx }: effect, may, Anything => Nothing, plain, [], effects;
    // ── fibers ──
    /// One child for each player of the list at l runs f with `me` and then `n` captured words from `at`; goes on when all have ended.
    Fork { l: reg, at: reg, n: u8, f: FuncId, freely: bool }: question, may, Anything => Anything, opaque, [], loop;
    // ── tell ──
    /// A template's text into the log, holes read from registers.
    Say { t: TemplateIx }: effect, may, Anything => Nothing, opaque, [], effects;
    /// A rule error with that text.
    Fail { t: TemplateIx }: effect, may, Anything => Anything, opaque, [], effects;
    /// The game ends for the players in the set at s (all if `all`).
    Verdict { s: use[of_players], verdict: VerdictCode, all: bool, t: TemplateIx }: effect, may, Anything => Anything, text, [], effects;
    /// The game is over: results are computed by [`Program::outcome`].
    End: effect, may, Anything => Anything, plain, [], loop;
    /// The game is over if every player's lot is decided.
    EndDecided: effect, may, Anything => Anything, plain, [], loop;
    /// What [`Program::marks`] holds at `n` was reached. Only in programs that are made to be covered.
    Mark { n: u32 }: effect, never, Nothing => Nothing, plain, [], rare;
    // ── enumerators ──
    /// Options of an action: fixed parameters from register `at`, the last one's domain (set, or number range in two registers, or bounds and set of a subset) at `last`.
    Options { at: reg, last: reg, action: ActionIx }: option, may, Nothing => Nothing, options, [], loop;
    /// As `Options`, if the last is a subset (of universe u) whose elements may be alike, or which guards read ([`ActionSlot::each`]).
    Subsets { at: reg, last: reg, u: u8, alike: bool, action: ActionIx }: option, may, Alike(u) => Nothing, options, [], rare;
    /// The one option of an action without parameters.
    Option { action: ActionIx }: option, may, Nothing => Nothing, option, [], loop;
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

    /// Whether leaving it out cannot be noticed where nothing reads what it writes.
    pub fn is_removable(&self) -> bool {
        self.kind() == InsKind::Value && !self.may_fail()
    }

    /// Whether it may stand in a loop out of which others are moved: it changes nothing but registers.
    pub fn may_stand_in_loop(&self) -> bool {
        matches!(self.kind(), InsKind::Value | InsKind::Jump | InsKind::Option)
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

/// Whether two numbers compare so: none equals none alone, and has no place in an order.
pub fn compares(op: Comparison, a: i64, b: i64) -> bool {
    op.holds(a, b) && !(op.is_order() && (a == NONE || b == NONE))
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
    /// The holder if it is a component, or none.
    Host,
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

impl From<houserule_model::hir::Verdict> for VerdictCode {
    fn from(v: houserule_model::hir::Verdict) -> Self {
        use houserule_model::hir::Verdict;
        match v {
            Verdict::Win => VerdictCode::Win,
            Verdict::Lose => VerdictCode::Lose,
            Verdict::Tie => VerdictCode::Tie,
        }
    }
}
