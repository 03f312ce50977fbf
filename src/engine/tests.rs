//! Small programs put together by hand: what each instruction means, how strands take turns, what seats know, and that states can be copied anywhere.
use super::decision::{Choice, Options, Refusal, Words};
use super::fault::FaultKind;
use super::knowledge::SeededFault;
use super::machine::Machine;
use super::stream::Stream;
use super::{EventKind, Verdict};
use crate::program::ir::*;
use crate::text::{FileId, Span};
use std::sync::Arc;

/// A program in the making.
struct Build {
    p: Program,
}

fn thing(word: &str) -> Thing {
    Thing { word: word.into(), title: word.to_uppercase().into() }
}

impl Build {
    fn new(players: u8) -> Build {
        let mut p = Program {
            title: "test".into(),
            fingerprint: 1,
            players,
            seats: players,
            answered: (0..players).map(|i| 1 << i).collect(),
            universes: Vec::new(),
            player_universe: UniverseId(0),
            truth_universe: UniverseId(1),
            comps: Vec::new(),
            attrs: Vec::new(),
            zones: Vec::new(),
            places: Vec::new(),
            groups: Vec::new(),
            maps: Vec::new(),
            line_tables: Vec::new(),
            tables: Vec::new(),
            sets: Vec::new(),
            code: Vec::new(),
            spans: Vec::new(),
            funcs: Vec::new(),
            decls: vec![Decl { what: "rule", name: "main".into(), span: Span::default() }],
            menus: Vec::new(),
            actions: Vec::new(),
            offers: Vec::new(),
            asks: Vec::new(),
            templates: Vec::new(),
            leased: Vec::new(),
            phases: Vec::new(),
            cells: 0,
            planes: 0,
            main: FuncId(0),
            bare: FuncId(0),
            outcome: OutcomeSlot::Win,
            score: None,
            invariants: Vec::new(),
            heuristics: Vec::new(),
            values: Vec::new(),
            looks: Vec::new(),
            hooks: Vec::new(),
            tests: Vec::new(),
        };
        let names = ["ann", "bob", "cyd", "dan"];
        p.universes.push(Universe {
            name: "player".into(),
            n: u32::from(players),
            w: 1,
            sort: UniverseSort::Players,
            things: names.iter().take(players as usize).map(|n| thing(n)).collect(),
        });
        p.universes.push(Universe {
            name: "truth".into(),
            n: 2,
            w: 1,
            sort: UniverseSort::Truth,
            things: vec![thing("no"), thing("yes")],
        });
        Build { p }
    }

    fn universe(&mut self, name: &str, n: u32, sort: UniverseSort) -> UniverseId {
        let things = (0..n).map(|i| thing(&format!("{name}{i}"))).collect();
        self.p.universes.push(Universe {
            name: name.into(),
            n,
            w: n.div_ceil(64).max(1) as u8,
            sort,
            things,
        });
        UniverseId(self.p.universes.len() as u16 - 1)
    }

    /// A function; jumps are counted from its start. The span of instruction i is i..i+1.
    fn func(&mut self, name: &str, args: u8, results: u8, pure_: bool, mut code: Vec<Ins>) -> FuncId {
        let start = self.p.code.len() as u32;
        for ins in &mut code {
            match ins {
                Ins::Jmp { to }
                | Ins::Jz { to, .. }
                | Ins::Jnz { to, .. }
                | Ins::JNone { to, .. }
                | Ins::JSome { to, .. }
                | Ins::SNext { to, .. }
                | Ins::LeaseNext { to, .. } => *to += start,
                _ => {}
            }
        }
        for i in 0..code.len() {
            self.p.spans.push((start + i as u32, Span::new(FileId(0), i, i + 1)));
        }
        self.p.code.extend(code);
        let end = self.p.code.len() as u32;
        self.p.funcs.push(Func {
            name: name.into(),
            start,
            end,
            args,
            results,
            frame: 64,
            pure_,
            decl: DeclIx(0),
        });
        FuncId(self.p.funcs.len() as u16 - 1)
    }

    fn pure(&mut self, args: u8, results: u8, code: Vec<Ins>) -> FuncId {
        self.func("pure", args, results, true, code)
    }

    fn main(&mut self, code: Vec<Ins>) {
        self.p.main = self.func("main", 1, 0, false, code);
    }

    fn attr(&mut self, name: &str, of: Option<UniverseId>, lo: i32, hi: i32) -> AttrIx {
        let n = of.map_or(1, |u| self.p.universes[u.index()].n);
        let cell = self.p.cells;
        self.p.cells += n;
        self.p.attrs.push(AttrSlot {
            name: name.into(),
            of,
            cell,
            lo,
            hi,
            maybe: false,
            clamped: false,
            show: Show::Number,
            planes: None,
            set_at: None,
            initial: vec![lo.max(0); n as usize],
            per: None,
            seen: SeenBy::All,
            decl: DeclIx(0),
        });
        AttrIx(self.p.attrs.len() as u16 - 1)
    }

    fn planes(&mut self, n: u32) -> u32 {
        self.p.planes += n;
        self.p.planes - n
    }

    fn cells(&mut self, n: u32) -> u32 {
        self.p.cells += n;
        self.p.cells - n
    }

    /// A kind of n components, all with different faces of the same back.
    fn cards(&mut self, n: u32) -> UniverseId {
        let ci = self.p.comps.len() as u16;
        let u = self.universe("card", n, UniverseSort::Components(ci));
        let faces = self.universe("face", n, UniverseSort::Faces(ci));
        let w = self.p.universes[u.index()].w as u32;
        let (place, face, pos) = (self.cells(n), self.cells(n), self.cells(n));
        let boxed = self.p.places.len() as u16;
        let plane = self.planes(w);
        self.p.places.push(Place {
            zone: u16::MAX,
            owner: i32::MIN,
            holder: i32::MIN,
            space: i32::MIN,
            comps: ci,
            plane,
            seq: u32::MAX,
            cap: n as u16,
        });
        let known = self.planes(w * u32::from(self.p.seats));
        self.p.comps.push(Components {
            universe: u,
            faces,
            place,
            face,
            pos,
            side: u32::MAX,
            up: u32::MAX,
            boxed,
            discards: None,
            by_face: None,
            known,
            initial: (0..n as u16).collect(),
            backs: vec![0; n as usize],
            owners: Vec::new(),
            sides: Vec::new(),
            attrs: Vec::new(),
        });
        u
    }

    fn zone(
        &mut self,
        name: &str,
        of: Option<UniverseId>,
        ci: u16,
        seen: SeenBy,
        cap: u16,
        slot: bool,
    ) -> ZoneIx {
        let holders = of.map_or(1, |u| self.p.universes[u.index()].n);
        let n = self.p.universes[self.p.comps[ci as usize].universe.index()].n;
        let w = n.div_ceil(64).max(1);
        let first = self.p.places.len() as u16;
        for h in 0..holders {
            let plane = self.planes(w);
            let seq = if slot { self.cells(1) } else { self.cells(1 + n) };
            self.p.places.push(Place {
                zone: self.p.zones.len() as u16,
                owner: if of.is_some() { h as i32 } else { i32::MIN },
                holder: if of == Some(UniverseId(0)) { h as i32 } else { i32::MIN },
                space: i32::MIN,
                comps: ci,
                plane,
                seq,
                cap: if slot { 1 } else { n as u16 },
            });
        }
        self.p.zones.push(ZoneSlot {
            name: name.into(),
            of,
            holds: ci,
            first,
            indexes: 1,
            index_lo: 0,
            slot,
            ordered: !slot,
            seen,
            capacity: cap,
            sorted: None,
            decl: DeclIx(0),
        });
        ZoneIx(self.p.zones.len() as u16 - 1)
    }

    fn text(&mut self, t: &str) -> TemplateIx {
        self.p.templates.push(Template { parts: vec![Piece::Literal(t.into())] });
        TemplateIx(self.p.templates.len() as u16 - 1)
    }

    fn ask(&mut self, universe: UniverseId, one: bool, min: R, max: R) -> AskIx {
        self.p.asks.push(AskSlot {
            universe,
            one,
            min,
            max,
            list: false,
            prompt: NO_TEMPLATE,
            always: false,
            several: false,
            truth: false,
            span: Span::default(),
            decl: DeclIx(0),
        });
        AskIx(self.p.asks.len() as u16 - 1)
    }

    /// An action with one parameter of a universe: `enumerator` and `effect` are (me, parameter).
    fn action(&mut self, name: &str, params: Vec<Domain>, enumerator: FuncId, effect: FuncId) -> ActionIx {
        self.p.actions.push(ActionSlot {
            name: name.into(),
            title: name.into(),
            params: params
                .into_iter()
                .enumerate()
                .map(|(i, domain)| ParamSlot { name: format!("p{i}").into(), domain })
                .collect(),
            enumerator,
            guards: Vec::new(),
            effect,
            decl: DeclIx(0),
        });
        ActionIx(self.p.actions.len() as u16 - 1)
    }

    fn menu(&mut self, actions: Vec<ActionIx>, pass: Option<EndWhen>, done: Option<EndWhen>) -> OfferIx {
        let end = |when| EndSlot { when, reason: NO_TEMPLATE, title: NO_TEMPLATE };
        self.p.menus.push(MenuSlot {
            name: "menu".into(),
            params: 0,
            actions,
            open: None,
            done: done.map(end),
            pass: pass.map(end),
            decl: DeclIx(0),
        });
        let menu = MenuIx(self.p.menus.len() as u16 - 1);
        self.p.offers.push(Offer {
            menus: vec![(menu, 1)],
            silent: pass.is_none(),
            span: Span::default(),
            decl: DeclIx(0),
        });
        OfferIx(self.p.offers.len() as u16 - 1)
    }

    fn game(&self) -> Machine {
        let mut m = Machine::new(Arc::new(self.p.clone()), 7);
        m.start().unwrap();
        m
    }

    /// What a pure function gives.
    fn value(&self, f: FuncId, args: &[i64], n: usize) -> Result<Vec<i64>, FaultKind> {
        let mut m = Machine::new(Arc::new(self.p.clone()), 7);
        let args: Vec<u64> = args.iter().map(|x| *x as u64).collect();
        let mut out = vec![0; n];
        m.eval(f, &args, &mut out).map_err(|f| f.kind)?;
        Ok(out.into_iter().map(|x| x as i64).collect())
    }
}

const BIG: i64 = i32::MAX as i64;

#[test]
fn numbers_stay_in_their_range_or_fault() {
    let mut b = Build::new(2);
    let two = |b: &mut Build, ins| b.pure(2, 1, vec![ins, Ins::Ret]);
    let add = two(&mut b, Ins::Add { d: 0, a: 0, b: 1 });
    let mul = two(&mut b, Ins::Mul { d: 0, a: 0, b: 1 });
    let div = two(&mut b, Ins::Div { d: 0, a: 0, b: 1 });
    let min = two(&mut b, Ins::Min { d: 0, a: 0, b: 1 });
    let max = two(&mut b, Ins::Max { d: 0, a: 0, b: 1 });
    let less = two(&mut b, Ins::Lt { d: 0, a: 0, b: 1 });
    let neg = two(&mut b, Ins::Neg { d: 0, a: 0 });
    let modk = two(&mut b, Ins::ModK { d: 0, a: 0, k: 5 });
    assert_eq!(b.value(add, &[BIG - 1, 1], 1), Ok(vec![BIG]));
    assert_eq!(b.value(add, &[BIG, 1], 1), Err(FaultKind::Overflow));
    assert_eq!(b.value(add, &[-BIG, -1], 1), Err(FaultKind::Overflow), "none is no number");
    assert_eq!(b.value(add, &[NONE, 1], 1), Err(FaultKind::NoneValue));
    assert_eq!(b.value(mul, &[65_536, 65_536], 1), Err(FaultKind::Overflow));
    assert_eq!(b.value(mul, &[-3, 7], 1), Ok(vec![-21]));
    assert_eq!(b.value(div, &[-7, 2], 1), Ok(vec![-3]), "toward zero");
    assert_eq!(b.value(div, &[7, 0], 1), Err(FaultKind::DivideByZero));
    assert_eq!(b.value(div, &[NONE, -1], 1), Err(FaultKind::NoneValue));
    assert_eq!(b.value(min, &[NONE, 4], 1), Ok(vec![4]), "none is absent");
    assert_eq!(b.value(max, &[NONE, -4], 1), Ok(vec![-4]));
    assert_eq!(b.value(min, &[NONE, NONE], 1), Ok(vec![NONE]));
    assert_eq!(b.value(less, &[NONE, 4], 1), Ok(vec![0]), "none is not less");
    assert_eq!(b.value(neg, &[-BIG, 0], 1), Ok(vec![BIG]));
    assert_eq!(b.value(modk, &[-1, 0], 1), Ok(vec![4]), "never negative");
}

#[test]
fn sets_work_across_words() {
    let mut b = Build::new(2);
    let u = b.universe("n", 130, UniverseSort::Numbers { lo: -10 });
    let u8_ = u.0 as u8;
    // The numbers from argument 0 to argument 1, taken out of all, then counted, the first, the last, their number below.
    let f = b.pure(
        2,
        4,
        vec![
            Ins::SRange { d: 10, a: 0, b: 1, u: u8_ },
            Ins::SNot { d: 20, a: 10, u: u8_ },
            Ins::SCount { d: 30, s: 20, w: 3 },
            Ins::SFirst { d: 31, s: 20, w: 3 },
            Ins::SLast { d: 32, s: 20, w: 3 },
            Ins::SMeets { d: 33, a: 10, b: 20, w: 3 },
            Ins::MovN { d: 0, a: 30, n: 4 },
            Ins::Ret,
        ],
    );
    assert_eq!(b.value(f, &[-10, 60], 4), Ok(vec![59, 71, 129, 0]));
    assert_eq!(b.value(f, &[-99, 999], 4), Ok(vec![0, NONE, NONE, 0]), "cut to the universe");
    assert_eq!(b.value(f, &[5, 4], 4), Ok(vec![130, 0, 129, 0]));
    assert_eq!(b.value(f, &[54, 54], 4), Ok(vec![129, 0, 129, 0]));
    // A loop over the set meets every element once, in order: 1 + 2 * 64 + 4 * 129 by position.
    let sum = b.pure(
        0,
        1,
        vec![
            Ins::SZero { d: 10, w: 3 },
            Ins::Li { d: 1, k: 0 },
            Ins::SIns { d: 10, i: 1, w: 3 },
            Ins::Li { d: 1, k: 64 },
            Ins::SIns { d: 10, i: 1, w: 3 },
            Ins::Li { d: 1, k: 129 },
            Ins::SIns { d: 10, i: 1, w: 3 },
            Ins::Li { d: 1, k: NONE as i32 },
            Ins::SIns { d: 10, i: 1, w: 3 },
            Ins::Li { d: 0, k: 0 },
            Ins::SNext { i: 1, s: 10, w: 3, to: 14 },
            Ins::Add { d: 0, a: 0, b: 0 },
            Ins::Add { d: 0, a: 0, b: 1 },
            Ins::Jmp { to: 10 },
            Ins::Ret,
        ],
    );
    assert_eq!(b.value(sum, &[], 1), Ok(vec![(2 * 64) + 129]));
}

#[test]
fn lists_keep_their_order_and_their_room() {
    let mut b = Build::new(2);
    let f = b.pure(
        1,
        3,
        vec![
            Ins::Li { d: 10, k: 0 },
            Ins::Li { d: 1, k: 0 },
            Ins::LPush { l: 10, a: 1, cap: 5 },
            Ins::AddK { d: 1, a: 1, k: 7 },
            Ins::Lt { d: 2, a: 1, b: 0 },
            Ins::Jnz { a: 2, to: 2 },
            Ins::LReverse { d: 10 },
            Ins::Li { d: 3, k: 0 },
            Ins::LLen { d: 0, l: 10 },
            Ins::LGet { d: 1, l: 10, i: 3 },
            Ins::LGet { d: 2, l: 10, i: 0 },
            Ins::Ret,
        ],
    );
    assert_eq!(b.value(f, &[35], 3), Ok(vec![5, 28, NONE]), "pushed 0, 7, 14, 21, 28 and turned round");
    assert_eq!(b.value(f, &[36], 3), Err(FaultKind::ListFull));
}

#[test]
fn endless_loops_and_endless_calls_end() {
    let mut b = Build::new(2);
    let spin = b.pure(0, 0, vec![Ins::Jmp { to: 0 }]);
    let next = b.p.funcs.len() as u16;
    let dive = b.pure(0, 0, vec![Ins::Call { at: 0, f: FuncId(next) }, Ins::Ret]);
    let wide = b.pure(0, 0, vec![Ins::Call { at: 255, f: FuncId(next + 1) }, Ins::Ret]);
    assert_eq!(b.value(spin, &[], 0), Err(FaultKind::OutOfBudget));
    assert_eq!(b.value(dive, &[], 0), Err(FaultKind::TooDeep));
    assert_eq!(b.value(wide, &[], 0), Err(FaultKind::TooDeep));
    let lost = b.pure(0, 0, vec![Ins::Jmp { to: 99_999 }]);
    assert!(matches!(b.value(lost, &[], 0), Err(FaultKind::BadProgram(_))));
    let effect = b.pure(0, 0, vec![Ins::TurnEnd, Ins::Ret]);
    assert!(matches!(b.value(effect, &[], 0), Err(FaultKind::BadProgram(_))), "pure code must not act");
}

#[test]
fn a_fault_tells_its_calls_and_leaves_the_state_alone() {
    let mut b = Build::new(2);
    let a = b.attr("gold", None, 0, 9);
    let inner = b.func(
        "inner",
        2,
        0,
        false,
        vec![
            Ins::StGlobal { a: 1, attr: a },
            Ins::Add { d: 1, a: 1, b: 1 },
            Ins::StGlobal { a: 1, attr: a },
            Ins::Ret,
        ],
    );
    b.main(vec![Ins::Li { d: 11, k: 5 }, Ins::Call { at: 10, f: inner }, Ins::Ret]);
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    let before = m.state().clone();
    let fault = m.start().unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfRange { attr: a, value: 10 });
    assert_eq!(fault.message(&b.p), "gold cannot be 10: it is 0..9");
    let names: Vec<_> = fault.frames.iter().map(|f| f.name.to_string()).collect();
    assert_eq!(names, ["inner", "main"]);
    assert_eq!(fault.span, Span::new(FileId(0), 2, 3));
    assert_eq!(fault.frames[1].span, Span::new(FileId(0), 1, 2));
    assert_eq!(fault.frames[0].args[1], 10);
    assert!(*m.state() == before, "nothing of it stays");
}

#[test]
fn attributes_are_cut_or_checked_and_their_planes_follow() {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 70, UniverseSort::Words);
    let a = b.attr("owner", Some(cells), 0, 1);
    b.p.attrs[0].maybe = true;
    b.p.attrs[0].initial = vec![i32::MIN; 70];
    let at = b.planes(3 * 2);
    b.p.groups.push(PlaneGroup { universe: cells, at, lo: 0, n: 2, w: 2 });
    b.p.attrs[0].planes = Some(GroupIx(0));
    let hp = b.attr("hp", None, 0, 9);
    b.p.attrs[1].clamped = true;
    b.main(vec![
        Ins::Li { d: 1, k: 66 },
        Ins::Li { d: 2, k: 1 },
        Ins::StAttr { e: 1, a: 2, attr: a },
        Ins::Li { d: 3, k: NONE as i32 },
        Ins::StAttr { e: 3, a: 2, attr: a },
        Ins::Li { d: 4, k: 50 },
        Ins::StGlobal { a: 4, attr: hp },
        Ins::Ret,
    ]);
    let plane = b.pure(
        1,
        2,
        vec![Ins::PlaneI { d: 10, i: 0, group: GroupIx(0) }, Ins::MovN { d: 0, a: 10, n: 2 }, Ins::Ret],
    );
    let scan = b.pure(
        1,
        2,
        vec![Ins::SScan { d: 10, a: 0, op: Cmp::Ge, attr: a }, Ins::MovN { d: 0, a: 10, n: 2 }, Ins::Ret],
    );
    let mut m = b.game();
    let mut out = [0u64; 2];
    m.eval(plane, &[1], &mut out).unwrap();
    assert_eq!(out, [0, 4]);
    m.eval(plane, &[NONE as u64], &mut out).unwrap();
    assert_eq!(out, [u64::MAX, 0b11_1011]);
    m.eval(plane, &[7], &mut out).unwrap();
    assert_eq!(out, [0, 0], "a value outside has no things");
    m.eval(scan, &[0], &mut out).unwrap();
    assert_eq!(out, [0, 4], "none compares with nothing");
    assert_eq!(m.look().attr(hp, 0), Some(9));
}

/// Two hands, a deck, a slot; cards are dealt from the deck.
fn table() -> (Build, UniverseId, ZoneIx, ZoneIx, ZoneIx) {
    let mut b = Build::new(2);
    let cards = b.cards(6);
    let deck = b.zone("deck", None, 0, SeenBy::Nobody, 6, false);
    let hand = b.zone("hand", Some(UniverseId(0)), 0, SeenBy::Owner, 6, false);
    let slot = b.zone("shown", None, 0, SeenBy::All, 1, true);
    (b, cards, deck, hand, slot)
}

/// All cards into the deck, shuffled; one into each hand.
fn deal(cards: UniverseId, deck: ZoneIx, hand: ZoneIx) -> Vec<Ins> {
    let u = cards.0 as u8;
    vec![
        Ins::PlaceOf { d: 1, o: 40, i: 40, zone: deck },
        Ins::SAll { d: 2, u },
        Ins::MoveSet { s: 2, p: 1, u, how: MoveHow(0) },
        Ins::Shuffle { p: 1 },
        Ins::Li { d: 3, k: 0 },
        Ins::PlaceOf { d: 4, o: 3, i: 40, zone: hand },
        Ins::ZGet { d: 5, p: 1, i: 40 },
        Ins::Move { c: 5, p: 4, u, how: MoveHow(0) },
        Ins::AddK { d: 3, a: 3, k: 1 },
        Ins::EqK { d: 6, a: 3, k: 2 },
        Ins::Jz { a: 6, to: 5 },
    ]
}

#[test]
fn cards_lie_in_order_and_slots_hold_one() {
    let (mut b, cards, deck, _, slot) = table();
    let u = cards.0 as u8;
    b.main(vec![
        Ins::PlaceOf { d: 1, o: 40, i: 40, zone: deck },
        Ins::SAll { d: 2, u },
        Ins::MoveSet { s: 2, p: 1, u, how: MoveHow::UNDER },
        Ins::PlaceOf { d: 7, o: 40, i: 40, zone: slot },
        Ins::LdSlot { d: 8, p: 7 },
        Ins::Li { d: 9, k: 3 },
        Ins::ZGet { d: 5, p: 1, i: 9 },
        Ins::Move { c: 5, p: 7, u, how: MoveHow(0) },
        Ins::Ret,
    ]);
    let top = b.pure(
        1,
        3,
        vec![
            Ins::PlaceOf { d: 1, o: 40, i: 40, zone: deck },
            Ins::ZGet { d: 10, p: 1, i: 0 },
            Ins::ZLen { d: 11, p: 1 },
            Ins::PlaceOf { d: 7, o: 40, i: 40, zone: slot },
            Ins::LdSlot { d: 12, p: 7 },
            Ins::MovN { d: 0, a: 10, n: 3 },
            Ins::Ret,
        ],
    );
    let over = b.func(
        "over",
        1,
        0,
        false,
        vec![
            Ins::PlaceOf { d: 7, o: 40, i: 40, zone: slot },
            Ins::Li { d: 1, k: 0 },
            Ins::Move { c: 1, p: 7, u, how: MoveHow(0) },
            Ins::Ret,
        ],
    );
    let back = b.func(
        "back",
        1,
        0,
        false,
        vec![
            Ins::PlaceOf { d: 7, o: 40, i: 40, zone: slot },
            Ins::PlaceOf { d: 1, o: 40, i: 40, zone: deck },
            Ins::LdSlot { d: 2, p: 7 },
            Ins::Move { c: 2, p: 1, u, how: MoveHow(0) },
            Ins::Ret,
        ],
    );
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    assert!(m.run_effect(b.p.main, NONE, &[], &mut []).unwrap());
    let mut out = [0u64; 3];
    m.eval(top, &[0], &mut out).unwrap();
    assert_eq!(out, [0, 5, 3]);
    m.eval(top, &[3], &mut out).unwrap();
    assert_eq!(out[0], 4, "the gap closes");
    let before = m.state().clone();
    let fault = m.run_effect(over, NONE, &[], &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::ZoneFull(slot));
    assert!(*m.state() == before);
    assert!(m.run_effect(back, NONE, &[], &mut []).unwrap());
    m.eval(top, &[0], &mut out).unwrap();
    assert_eq!(out.map(|x| x as i64), [3, 6, NONE], "on top; the slot is empty");
}

#[test]
fn seats_know_what_they_see_and_views_hold_no_more() {
    let (mut b, cards, deck, hand, _) = table();
    let mut code = deal(cards, deck, hand);
    code.push(Ins::Ret);
    b.main(code);
    let mut m = b.game();
    let v = m.view(0);
    let mine = &v.players[0].piles[0];
    let theirs = &v.players[1].piles[0];
    assert!(mine.cards[0].face.is_some() && mine.hidden == 0);
    assert!(theirs.cards[0].face.is_none() && theirs.hidden == 1);
    let stock = v.table.piles.iter().find(|p| &*p.zone == "deck").unwrap();
    assert_eq!((stock.cards.len(), stock.hidden), (4, 4));
    // Whatever seat 0 does not know may be permuted without its noticing; the other seat does notice.
    let mut rng = Stream::new(3, 0);
    let before = m.view(1);
    let mut noticed = false;
    for _ in 0..20 {
        m.swap_hidden(0, &mut rng);
        assert_eq!(m.view(0), v);
        noticed |= m.view(1) != before;
    }
    assert!(noticed, "nothing was permuted");
    // Planted leaks are seen by the same comparison.
    for leak in [SeededFault::ViewShowsFaces, SeededFault::ShuffleKeepsKnown] {
        let mut m = Machine::new(Arc::new(b.p.clone()), 7);
        m.seed_fault(Some(leak));
        m.start().unwrap();
        let v = m.view(0);
        let deck = v.table.piles.iter().find(|p| &*p.zone == "deck").unwrap();
        assert!(deck.cards.iter().any(|c| c.face.is_some()), "{leak:?}");
    }
}

#[test]
fn shuffling_permutes_faces_and_depends_on_the_seed_alone() {
    let (mut b, cards, deck, hand, _) = table();
    let mut code = deal(cards, deck, hand);
    code.push(Ins::Ret);
    b.main(code);
    let faces = |seed| {
        let mut m = Machine::new(Arc::new(b.p.clone()), seed);
        m.start().unwrap();
        (0..6).map(|c| m.look().face(0, c).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(faces(1), faces(1));
    assert!((2..9).any(|s| faces(s) != faces(1)));
    let mut all = faces(5);
    all.sort();
    assert_eq!(all, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn events_hide_faces_from_those_who_do_not_know_them() {
    let (mut b, cards, deck, hand, _) = table();
    let mut code = deal(cards, deck, hand);
    code.push(Ins::Ret);
    b.main(code);
    let run = |leak| {
        let mut m = Machine::new(Arc::new(b.p.clone()), 7);
        m.record(true);
        m.seed_fault(leak);
        m.start().unwrap();
        let all = m.take_events();
        all.into_iter().filter(|e| e.kind == EventKind::Moved).next_back().unwrap()
    };
    let last = run(None);
    let (ann, bob) = (last.text(Some(0)).unwrap(), last.text(Some(1)).unwrap());
    assert!(bob.starts_with("FACE"), "{bob}");
    assert!(ann.starts_with("card:"), "{ann}");
    assert_eq!(ann.split_once(':').unwrap().1, bob.split_once(':').unwrap().1);
    let last = run(Some(SeededFault::LogUnfiltered));
    assert_eq!(last.text(Some(0)), last.text(Some(1)));
}

/// A row of three cells; players in turn take one that is free, until all are taken.
fn row() -> (Build, AttrIx, ActionIx) {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 3, UniverseSort::Spaces(None));
    let u = cells.0 as u8;
    let owner = b.attr("owner", Some(cells), 0, 1);
    b.p.attrs[0].maybe = true;
    b.p.attrs[0].initial = vec![i32::MIN; 3];
    b.p.attrs[0].show = Show::Thing(UniverseId(0));
    let at = b.planes(3);
    b.p.groups.push(PlaneGroup { universe: cells, at, lo: 0, n: 2, w: 1 });
    b.p.attrs[0].planes = Some(GroupIx(0));
    let _ = u;
    let enumerator = b.pure(
        1,
        0,
        vec![
            Ins::Plane { d: 1, w: 1, at: at + 2 },
            Ins::Options { at: 1, last: 1, action: ActionIx(0) },
            Ins::Ret,
        ],
    );
    let effect = b.func("take", 2, 0, false, vec![Ins::StAttr { e: 1, a: 0, attr: owner }, Ins::Ret]);
    let take = b.action("take", vec![Domain::Thing(cells)], enumerator, effect);
    let free = b.pure(
        2,
        1,
        vec![Ins::LdAttr { d: 2, e: 1, attr: owner }, Ins::EqK { d: 0, a: 2, k: NONE as i32 }, Ins::Ret],
    );
    let fine = b.pure(2, 1, vec![Ins::Li { d: 0, k: 1 }, Ins::Ret]);
    let who = b.pure(2, 1, vec![Ins::LdAttr { d: 0, e: 1, attr: owner }, Ins::Ret]);
    b.p.templates.push(Template {
        parts: vec![
            Piece::Register(1, Show::Thing(cells)),
            Piece::Literal(" belongs to ".into()),
            Piece::Func(who, Show::Thing(UniverseId(0))),
        ],
    });
    let reason = TemplateIx(b.p.templates.len() as u16 - 1);
    b.p.actions[0].guards = vec![
        GuardSlot { func: fine, upto: 1, reason: NO_TEMPLATE, span: Span::new(FileId(0), 1, 2) },
        GuardSlot { func: free, upto: 1, reason, span: Span::new(FileId(0), 3, 4) },
    ];
    let offer = b.menu(vec![take], Some(EndWhen::NoAction), None);
    b.p.outcome = OutcomeSlot::Highest(FuncId(0));
    let score = b.pure(
        1,
        1,
        vec![Ins::PlaneI { d: 1, i: 0, group: GroupIx(0) }, Ins::SCount { d: 0, s: 1, w: 1 }, Ins::Ret],
    );
    b.p.outcome = OutcomeSlot::Highest(score);
    // Four turns: the last finds nothing and passes.
    b.main(vec![
        Ins::Li { d: 1, k: 0 },
        Ins::Li { d: 2, k: 0 },
        Ins::TurnBegin { p: 1 },
        Ins::AskMenu { d: 3, at: 20, who: 1, offer },
        Ins::TurnEnd,
        Ins::AddK { d: 1, a: 1, k: 1 },
        Ins::ModK { d: 1, a: 1, k: 2 },
        Ins::AddK { d: 2, a: 2, k: 1 },
        Ins::EqK { d: 4, a: 2, k: 4 },
        Ins::Jz { a: 4, to: 2 },
        Ins::Ret,
    ]);
    (b, owner, take)
}

fn taking(cell: u64) -> Choice {
    Choice::Action { action: ActionIx(0), params: Words::from_slice(&[cell]) }
}

#[test]
fn a_menu_is_asked_played_and_passed() {
    let (b, owner, take) = row();
    let mut m = b.game();
    assert_eq!(m.questions().len(), 1);
    assert_eq!(m.questions()[0].player, 0);
    assert_eq!(m.options(0).unwrap().count(), 3);
    m.choose(0, &taking(1)).unwrap();
    assert_eq!(m.questions()[0].player, 1);
    assert_eq!(m.look().attr(owner, 1), Some(0));
    let before = m.state().clone();
    match m.choose(0, &taking(1)) {
        Err(Refusal::Illegal(why)) => {
            assert_eq!(why.len(), 1);
            assert_eq!(why[0].text, "CELL1 belongs to ANN");
            assert_eq!(why[0].span, Span::new(FileId(0), 3, 4));
        }
        other => panic!("{other:?}"),
    }
    assert!(*m.state() == before, "a refusal changes nothing");
    assert!(!m.why_not_choice(0, &Choice::Pass).is_empty(), "no pass while something can be done");
    // The law: no reasons exactly for options.
    for c in 0..3 {
        let option = m.options(0).unwrap().index_of(&taking(c)).is_some();
        assert_eq!(m.why_not(1, take, &[c]).is_empty(), option);
    }
    m.choose(0, &taking(0)).unwrap();
    m.choose(0, &taking(2)).unwrap();
    let all: Vec<_> = m.options(0).unwrap().iter().collect();
    assert_eq!(all, [Choice::Pass], "a forced pass is asked");
    assert!(!m.is_over());
    m.choose_nth(0, 0).unwrap();
    assert!(m.is_over() && m.questions().is_empty());
    let o = m.outcome().unwrap();
    assert_eq!(o.scores, [[2], [1]]);
    assert_eq!(o.verdicts, [Verdict::Won, Verdict::Lost]);
    assert_eq!(m.choose(0, &taking(2)), Err(Refusal::NotPending));
}

#[test]
fn a_copied_state_plays_on_the_same_way_anywhere() {
    let (b, ..) = row();
    let mut m = b.game();
    let mut other = Machine::new(Arc::new(b.p.clone()), 99);
    let mut rng = Stream::new(1, 1);
    while !m.is_over() {
        let kept = m.state().clone();
        other.set_state(&kept);
        assert_eq!(other.questions(), m.questions());
        let mut twin = rng.clone();
        m.step(0, &mut rng).unwrap();
        other.step(0, &mut twin).unwrap();
        assert!(other.state() == m.state());
        // And back again.
        let after = m.state().clone();
        other.set_state(&kept);
        assert!(*other.state() == kept);
        other.set_state(&after);
        assert!(*other.state() == after);
    }
    assert!(other.is_over());
    assert_eq!(other.outcome().unwrap(), m.outcome().unwrap());
}

#[test]
fn perft_of_the_row_is_three_times_two_times_one() {
    let (b, ..) = row();
    let mut m = b.game();
    fn leaves(m: &mut Machine, depth: u32) -> u64 {
        if m.is_over() || depth == 0 {
            return 1;
        }
        let n = m.options(0).unwrap().count();
        let here = m.state().clone();
        let mut sum = 0;
        for k in 0..n {
            m.set_state(&here);
            m.choose_nth(0, k).unwrap();
            sum += leaves(m, depth - 1);
        }
        sum
    }
    assert_eq!([1, 2, 3, 4, 5].map(|d| leaves(&mut b.game(), d)), [3, 6, 6, 6, 6]);
    assert_eq!(m.options(0).unwrap().count(), 3);
    m.choose_nth(0, 0).unwrap();
}

/// Everyone at once picks a number, twice; then the sums are written, in seat order, with how many have written before.
fn lockstep(freely: bool) -> Build {
    let mut b = Build::new(3);
    let n = b.universe("number", 4, UniverseSort::Numbers { lo: 1 });
    let sum = b.attr("sum", Some(UniverseId(0)), 0, 99);
    let order = b.attr("order", Some(UniverseId(0)), 0, 99);
    let count = b.attr("count", None, 0, 99);
    let ask = b.ask(n, true, 0, 0);
    let u = n.0 as u8;
    let each = b.func(
        "each",
        2,
        0,
        false,
        vec![
            Ins::SAll { d: 3, u },
            Ins::Ask { d: 4, s: 3, who: 0, ask },
            Ins::LdGlobal { d: 6, attr: count },
            Ins::AddK { d: 6, a: 6, k: 1 },
            Ins::StGlobal { a: 6, attr: count },
            Ins::StAttr { e: 0, a: 6, attr: order },
            Ins::Ask { d: 5, s: 3, who: 0, ask },
            Ins::Add { d: 4, a: 4, b: 5 },
            // The captured word.
            Ins::Add { d: 4, a: 4, b: 1 },
            Ins::StAttr { e: 0, a: 4, attr: sum },
            Ins::Ret,
        ],
    );
    b.main(vec![
        Ins::Li { d: 10, k: 0 },
        Ins::Li { d: 1, k: 2 },
        Ins::LPush { l: 10, a: 1, cap: 3 },
        Ins::Li { d: 1, k: 0 },
        Ins::LPush { l: 10, a: 1, cap: 3 },
        Ins::Li { d: 1, k: 1 },
        Ins::LPush { l: 10, a: 1, cap: 3 },
        Ins::Li { d: 2, k: 20 },
        Ins::Fork { l: 10, at: 2, n: 1, f: each, freely },
        Ins::Li { d: 1, k: 0 },
        Ins::SAll { d: 3, u: n.0 as u8 },
        Ins::Ask { d: 4, s: 3, who: 1, ask },
        Ins::Ret,
    ]);
    b
}

fn players(m: &Machine) -> Vec<u8> {
    m.questions().iter().map(|q| q.player).collect()
}

#[test]
fn at_once_does_not_depend_on_who_answers_first() {
    let b = lockstep(false);
    let play = |orders: [[u8; 3]; 2]| {
        let mut m = b.game();
        for (k, order) in orders.iter().enumerate() {
            assert_eq!(players(&m), [0, 1, 2], "all are asked");
            for p in order {
                assert_eq!(m.look().attr(AttrIx(2), 0), Some(3 * k as i64), "held until all have answered");
                let q = players(&m).iter().position(|x| x == p).unwrap();
                m.choose(q, &Choice::One(i64::from(*p) + 1)).unwrap();
                assert!(
                    k == 1 || players(&m).len() == 3 || !players(&m).contains(p),
                    "nobody is asked twice"
                );
            }
        }
        assert_eq!(players(&m), [0], "all have joined");
        m
    };
    let a = play([[0, 1, 2], [0, 1, 2]]);
    let z = play([[2, 1, 0], [1, 2, 0]]);
    assert!(a.state() == z.state());
    let of = |attr| (0..3).map(|i| a.look().attr(AttrIx(attr), i).unwrap()).collect::<Vec<_>>();
    assert_eq!(of(0), [22, 24, 26]);
    assert_eq!(of(1), [2, 3, 1], "in the list's order");
}

#[test]
fn held_answers_are_no_part_of_what_a_bot_imagines() {
    let b = lockstep(false);
    let mut m = b.game();
    m.choose(2, &Choice::One(4)).unwrap();
    m.choose(0, &Choice::One(2)).unwrap();
    assert_eq!(players(&m), [1]);
    let real = m.state().clone();
    let mut rng = Stream::new(1, 1);
    m.determinize(0, &mut rng);
    assert_eq!(players(&m), [1, 2], "its own answer stays");
    m.set_state(&real);
    assert_eq!(players(&m), [1]);
    m.choose(0, &Choice::One(1)).unwrap();
    assert_eq!(players(&m), [0, 1, 2]);
}

#[test]
fn freely_takes_answers_as_they_come() {
    let b = lockstep(true);
    let mut m = b.game();
    assert_eq!(players(&m), [0, 1, 2]);
    m.choose(1, &Choice::One(4)).unwrap();
    assert_eq!(m.look().attr(AttrIx(1), 1), Some(1), "it went on at once");
    assert_eq!(players(&m), [0, 1, 2]);
    m.choose(1, &Choice::One(4)).unwrap();
    assert_eq!(m.look().attr(AttrIx(0), 1), Some(28));
    assert_eq!(players(&m), [0, 2]);
}

#[test]
fn one_answer_is_taken_silently_and_none_is_none() {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 70, UniverseSort::Words);
    let got = b.attr("got", None, -1, 99);
    b.p.attrs[0].maybe = true;
    let ask = b.ask(cells, true, 0, 0);
    let f = b.func(
        "f",
        3,
        1,
        false,
        vec![
            // A set of register 1 and 2.
            Ins::SOne { d: 10, i: 1, w: 2 },
            Ins::SIns { d: 10, i: 2, w: 2 },
            Ins::Ask { d: 5, s: 10, who: 0, ask },
            Ins::StGlobal { a: 5, attr: got },
            Ins::Mov { d: 0, a: 5 },
            Ins::Ret,
        ],
    );
    b.main(vec![Ins::Ret]);
    b.p.main = f;
    let new = |b: &Build| Machine::new(Arc::new(b.p.clone()), 7);
    let mut out = [0u64];
    assert!(new(&b).run_effect(f, 0, &[NONE as u64, NONE as u64], &mut out).unwrap());
    assert_eq!(out[0] as i64, NONE);
    assert!(new(&b).run_effect(f, 0, &[67, 67], &mut out).unwrap());
    assert_eq!(out[0], 67);
    let mut m = new(&b);
    assert!(!m.run_effect(f, 0, &[67, 3], &mut out).unwrap());
    let all: Vec<_> = m.options(0).unwrap().iter().collect();
    assert_eq!(all, [Choice::One(3), Choice::One(67)]);
    assert!(matches!(m.choose(0, &Choice::One(4)), Err(Refusal::Illegal(why)) if why.len() == 1));
    m.choose(0, &Choice::One(67)).unwrap();
    assert!(!m.is_waiting() && m.results() == [67] && !m.is_over());
    // Where silence would tell, it is asked all the same; the planted fault is not.
    b.p.asks[0].always = true;
    let mut m = new(&b);
    assert!(!m.run_effect(f, 0, &[67, 67], &mut out).unwrap());
    assert_eq!(m.options(0).unwrap().count(), 1);
    let mut m = new(&b);
    m.seed_fault(Some(SeededFault::SilentAnswer));
    assert!(m.run_effect(f, 0, &[67, 67], &mut out).unwrap());
}

#[test]
fn several_must_agree() {
    let mut b = Build::new(3);
    let cells = b.universe("cell", 4, UniverseSort::Words);
    let ask = b.ask(cells, true, 0, 0);
    b.p.asks[0].several = true;
    let f = b.func(
        "f",
        1,
        1,
        false,
        vec![
            Ins::SAll { d: 10, u: cells.0 as u8 },
            Ins::Li { d: 2, k: 0b101 },
            Ins::Ask { d: 0, s: 10, who: 2, ask },
            Ins::Ret,
        ],
    );
    let p = Arc::new(b.p.clone());
    for (second, result) in [(1, 1), (2, NONE)] {
        let mut m = Machine::new(p.clone(), 7);
        assert!(!m.run_effect(f, NONE, &[], &mut []).unwrap());
        assert_eq!(players(&m), [0, 2]);
        m.choose(0, &Choice::One(1)).unwrap();
        assert_eq!(players(&m), [2]);
        m.choose(0, &Choice::One(second)).unwrap();
        assert_eq!(m.results(), [result as u64]);
    }
}

#[test]
fn subsets_are_bounded_and_checked() {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 5, UniverseSort::Words);
    let ask = b.ask(cells, false, 20, 21);
    let f = b.func(
        "f",
        4,
        1,
        false,
        vec![
            Ins::Mov { d: 10, a: 1 },
            Ins::Mov { d: 20, a: 2 },
            Ins::Mov { d: 21, a: 3 },
            Ins::Ask { d: 0, s: 10, who: 0, ask },
            Ins::Ret,
        ],
    );
    let p = Arc::new(b.p.clone());
    let mut out = [0u64];
    let mut m = Machine::new(p, 7);
    assert!(m.run_effect(f, 0, &[0b11, 3, 4], &mut out).unwrap(), "as many as there are");
    assert_eq!(out, [0b11]);
    assert!(m.run_effect(f, 0, &[0b11, 0, 0], &mut out).unwrap());
    assert_eq!(out, [0]);
    assert!(!m.run_effect(f, 0, &[0b1011, 1, 2], &mut out).unwrap());
    assert_eq!(m.options(0).unwrap().count(), 3 + 3);
    let pick = |x: u64| Choice::Subset(Words::from_slice(&[x]));
    for bad in [0, 0b1011, 0b100] {
        assert!(m.choose(0, &pick(bad)).is_err(), "{bad:b}");
    }
    m.choose(0, &pick(0b1010)).unwrap();
    assert_eq!(m.results(), [0b1010]);
}

#[test]
fn layers_end_with_their_scope_wherever_they_lie() {
    let mut b = Build::new(2);
    let x = b.attr("x", None, 0, 99);
    let y = b.attr("y", None, 0, 99);
    b.p.leased.push(Leased { decl: DeclIx(0), words: 1 });
    let what = LeasedIx(0);
    // x: 0, then 10 until end of round, then 20 until end of turn over it. y: 5 until end of turn, swept by an ordinary 7.
    let f = b.func(
        "f",
        2,
        4,
        false,
        vec![
            Ins::RoundBegin,
            Ins::Li { d: 30, k: 0 },
            Ins::TurnBegin { p: 30 },
            Ins::LeaseOpen { scope: LeaseScope::Round, a: 30 },
            Ins::Li { d: 10, k: 10 },
            Ins::StGlobal { a: 10, attr: x },
            Ins::Li { d: 31, k: 77 },
            Ins::LeaseAttach { at: 31, n: 1, what },
            Ins::LeaseClose,
            Ins::LeaseOpen { scope: LeaseScope::Turn, a: 30 },
            Ins::Li { d: 10, k: 20 },
            Ins::StGlobal { a: 10, attr: x },
            Ins::Li { d: 10, k: 5 },
            Ins::StGlobal { a: 10, attr: y },
            Ins::LeaseClose,
            Ins::Li { d: 10, k: 7 },
            Ins::StGlobal { a: 10, attr: y },
            // The scopes end in the order that argument 1 says.
            Ins::Jnz { a: 1, to: 20 },
            Ins::TurnEnd,
            Ins::Jmp { to: 21 },
            Ins::RoundEnd,
            Ins::LdGlobal { d: 12, attr: x },
            Ins::LdGlobal { d: 13, attr: y },
            Ins::Li { d: 14, k: NONE as i32 },
            Ins::Li { d: 15, k: NONE as i32 },
            Ins::LeaseNext { i: 14, what, to: 27 },
            Ins::LeaseGet { d: 15, i: 14, n: 1 },
            Ins::TurnEnd,
            Ins::RoundEnd,
            Ins::Mov { d: 0, a: 12 },
            Ins::Mov { d: 1, a: 13 },
            Ins::Mov { d: 2, a: 15 },
            Ins::LdGlobal { d: 3, attr: x },
            Ins::Ret,
        ],
    );
    let p = Arc::new(b.p.clone());
    let run = |first: u64| {
        let mut m = Machine::new(p.clone(), 7);
        let mut out = [0u64; 4];
        assert!(m.run_effect(f, NONE, &[first], &mut out).unwrap());
        assert!(m.state().layers.is_empty());
        out.map(|x| x as i64)
    };
    assert_eq!(run(0), [10, 7, 77, 0], "the turn ends first: the round's layer shows again");
    assert_eq!(run(1), [20, 7, NONE, 0], "the round ends first: the younger layer stays and inherits");
}

#[test]
fn rolls_can_be_ordered_and_streams_do_not_mix() {
    let mut b = Build::new(2);
    let f = b.func(
        "f",
        1,
        4,
        false,
        vec![
            Ins::Li { d: 10, k: 1000 },
            Ins::Li { d: 11, k: 0 },
            Ins::Li { d: 12, k: 1 },
            Ins::Below { d: 0, n: 10, who: 11 },
            Ins::Below { d: 1, n: 10, who: 12 },
            Ins::Below { d: 2, n: 10, who: 11 },
            Ins::Li { d: 13, k: NONE as i32 },
            Ins::Below { d: 3, n: 10, who: 13 },
            Ins::Ret,
        ],
    );
    let none =
        b.func("g", 1, 1, false, vec![Ins::Li { d: 1, k: 0 }, Ins::Below { d: 0, n: 1, who: 1 }, Ins::Ret]);
    let p = Arc::new(b.p.clone());
    let mut m = Machine::new(p.clone(), 7);
    let mut out = [0u64; 4];
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    let want = |stream, n| super::stream::below(1000, || super::stream::mix(7, stream, n));
    assert_eq!(out, [want(1, 0), want(2, 0), want(1, 1), want(0, 0)]);
    assert_eq!(m.state().draws(), [1, 2, 1]);
    m.rig(&[3, 1004]);
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    assert_eq!(out[..2], [3, 4]);
    assert_eq!(out[2], want(1, 2));
    let fault = m.run_effect(none, NONE, &[], &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::EmptyRange);
}

#[test]
fn the_end_is_the_end() {
    let mut b = Build::new(3);
    let x = b.attr("x", None, 0, 99);
    let said = b.text("over and out");
    let inner = b.func(
        "inner",
        1,
        0,
        false,
        vec![
            Ins::Li { d: 1, k: 0b10 },
            Ins::Verdict { s: 1, verdict: VerdictCode::Win, all: false, t: said },
            Ins::Li { d: 1, k: 0b111 },
            Ins::Verdict { s: 1, verdict: VerdictCode::Lose, all: true, t: NO_TEMPLATE },
            Ins::End,
            Ins::Ret,
        ],
    );
    b.main(vec![
        Ins::Call { at: 10, f: inner },
        Ins::Li { d: 1, k: 5 },
        Ins::StGlobal { a: 1, attr: x },
        Ins::Ret,
    ]);
    let mut m = b.game();
    assert!(m.is_over());
    assert_eq!(m.look().attr(x, 0), Some(0), "nothing runs after it");
    let o = m.outcome().unwrap();
    assert_eq!(o.verdicts, [Verdict::Lost, Verdict::Won, Verdict::Lost], "the first verdict counts");
    assert_eq!(o.text, "over and out");
}

#[test]
fn a_fault_in_a_choice_takes_it_back() {
    let (mut b, owner, _) = row();
    // Taking the last cell is a rule error.
    let text = b.text("not that one");
    let start = b.p.funcs[b.p.actions[0].effect.index()].start;
    assert_eq!(b.p.code[start as usize], Ins::StAttr { e: 1, a: 0, attr: owner });
    let effect = b.func(
        "take",
        2,
        0,
        false,
        vec![
            Ins::StAttr { e: 1, a: 0, attr: owner },
            Ins::EqK { d: 3, a: 1, k: 2 },
            Ins::Jz { a: 3, to: 4 },
            Ins::Fail { t: text },
            Ins::Ret,
        ],
    );
    b.p.actions[0].effect = effect;
    let mut m = b.game();
    let before = m.state().clone();
    match m.choose(0, &taking(2)) {
        Err(Refusal::Fault(f)) => {
            assert_eq!(f.kind, FaultKind::Rule("not that one".into()));
            assert_eq!(f.frames.iter().map(|f| &*f.name).collect::<Vec<_>>(), ["take", "main"]);
        }
        other => panic!("{other:?}"),
    }
    assert!(*m.state() == before);
    assert_eq!(m.questions().len(), 1);
    // In a playout nothing is kept: it is over, without an outcome.
    assert!(m.choose_nth(0, 2).is_err());
    assert!(m.is_over() && m.outcome().is_none());
    m.set_state(&before);
    m.choose(0, &taking(1)).unwrap();
}

#[test]
fn options_are_counted_never_listed() {
    // A menu of an action with a number of a huge range and one with a subset of many.
    let mut b = Build::new(2);
    let many = b.universe("thing", 100, UniverseSort::Words);
    let name = b.p.actions.len() as u16;
    let numbers = b.pure(
        1,
        0,
        vec![
            Ins::Li { d: 1, k: -5 },
            Ins::Li { d: 2, k: 1_000_000_000 },
            Ins::Options { at: 1, last: 1, action: ActionIx(name) },
            Ins::Ret,
        ],
    );
    let subsets = b.pure(
        1,
        0,
        vec![
            Ins::Li { d: 1, k: 0 },
            Ins::Li { d: 2, k: 50 },
            Ins::SAll { d: 3, u: many.0 as u8 },
            Ins::Options { at: 1, last: 1, action: ActionIx(name + 1) },
            Ins::Ret,
        ],
    );
    let nothing = b.func("nothing", 3, 0, false, vec![Ins::Ret]);
    let a = b.action("number", vec![Domain::Number], numbers, nothing);
    let c = b.action("subset", vec![Domain::Subset(many)], subsets, nothing);
    let offer = b.menu(vec![a, c], None, Some(EndWhen::Always));
    b.main(vec![Ins::Li { d: 1, k: 0 }, Ins::AskMenu { d: 2, at: 20, who: 1, offer }, Ins::Ret]);
    let mut m = b.game();
    let o: &Options = m.options(0).unwrap();
    assert_eq!(o.count(), u64::MAX);
    assert_eq!(o.weight(), 1_000_000_006 + 1 + 1);
    assert_eq!(o.segments.len(), 3);
    let first = o.nth(0).unwrap();
    assert_eq!(first, Choice::Action { action: a, params: Words::from_slice(&[-5i64 as u64]) });
    let mut rng = Stream::new(1, 1);
    for _ in 0..50 {
        let c = m.draw(0, &mut rng).unwrap().unwrap();
        assert!(m.why_not_choice(0, &c).is_empty());
    }
    m.choose(0, &Choice::Done).unwrap();
    assert!(m.is_over());
}
