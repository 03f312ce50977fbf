//! Instructions one by one: numbers, sets, lists, faults, scopes, chance.
use super::*;
use houserule_program::passes::{Unit, superinstructions};

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
    assert_eq!(b.value(add, &[-BIG, -1], 1), Err(FaultKind::Overflow), "none is not a number");
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
    // The set of the numbers from argument 0 to argument 1: their count, the first, the last; and the count of all others.
    let f = b.pure(
        2,
        4,
        vec![
            Ins::SRange { d: 10, a: 0, b: 1, u: u8_ },
            Ins::SNot { d: 20, a: 10, u: u8_ },
            Ins::SCount { d: 30, s: 20, w: 3 },
            Ins::SFirst { d: 31, s: 20, w: 3 },
            Ins::SLast { d: 32, s: 20, w: 3 },
            Ins::SSub { d: 33, a: 10, b: 20, w: 3 },
            Ins::MovN { d: 0, a: 30, n: 4 },
            Ins::Ret,
        ],
    );
    assert_eq!(b.value(f, &[-10, 60], 4), Ok(vec![59, 71, 129, 0]));
    assert_eq!(b.value(f, &[-99, 999], 4), Ok(vec![0, NONE, NONE, 0]), "cut to the universe");
    assert_eq!(b.value(f, &[5, 4], 4), Ok(vec![130, 0, 129, 1]));
    assert_eq!(b.value(f, &[54, 54], 4), Ok(vec![129, 0, 129, 0]));
    // A loop over the set visits every element once, in order: 1 + 2 * 64 + 4 * 129 by position.
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

/// A function gives the same results after the superinstruction pass: with sets of one, three and four words; with planes of values, the plane of none, and a value without a plane.
#[test]
fn superinstructions_do_what_their_parts_did() {
    let mut ran = 0;
    for w in [1u8, 3, 4] {
        let mut b = Build::new(2);
        let all = b.universe("n", u32::from(w) * 64 - 5, UniverseSort::Numbers { lo: 0 });
        let group = GroupIx(0);
        let mut rng = Stream::new(u64::from(w), 0);
        let mut word = || rng.draw();
        // Planes of 2, 3 and 4, and that of none.
        b.p.sets = (0..4 * w).map(|_| word() & word()).collect();
        b.p.groups.push(PlaneGroup { universe: all, at: 0, fixed: true, ordered: false, lo: 2, n: 3, w });
        let (plane, cut, set) = (40, 50, 1);
        // Of each in the set that is not in the plane of argument 0 once, of each that is three times; and whether any is in both.
        let code = vec![
            Ins::Li { d: 30, k: 0 },
            Ins::Li { d: 31, k: NONE as i32 },
            Ins::SNext { i: 31, s: set, w, to: 10 },
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: cut, a: plane, b: set, w },
            Ins::AddK { d: 30, a: 30, k: 1 },
            Ins::STest { d: 32, s: cut, i: 31, w },
            Ins::Jz { a: 32, to: 2 },
            Ins::AddK { d: 30, a: 30, k: 2 },
            Ins::SMore { i: 31, s: set, w, to: 4 },
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: set, a: set, b: plane, w },
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: plane, a: plane, b: set, w },
            Ins::JNil { s: plane, w, to: 18 },
            Ins::SAnd { d: set, a: plane, b: set, w },
            Ins::JNil { s: set, w, to: 18 },
            Ins::AddK { d: 30, a: 30, k: 1000 },
            // A plane that is read again, one behind which somebody comes in from elsewhere, and one that is laid over a part of the other set, stay.
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: cut, a: set, b: plane, w },
            Ins::SSub { d: 32, a: cut, b: plane, w },
            Ins::Add { d: 30, a: 30, b: 32 },
            Ins::MovN { d: plane + 1, a: set, n: w },
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: cut, a: plane, b: plane + 1, w },
            Ins::SCount { d: 32, s: cut, w },
            Ins::Add { d: 30, a: 30, b: 32 },
            Ins::Li { d: 33, k: 0 },
            Ins::PlaneC { d: plane, i: 0, group },
            Ins::SAnd { d: plane, a: plane, b: set, w },
            Ins::SCount { d: 32, s: plane, w },
            Ins::Add { d: 30, a: 30, b: 32 },
            Ins::SZero { d: set, w },
            Ins::AddK { d: 33, a: 33, k: 1 },
            Ins::JNeK { a: 33, k: 2, to: 29 },
            // After a loop over the empty set the register holds none.
            Ins::EqK { d: 32, a: 31, k: NONE as i32 },
            Ins::Add { d: 0, a: 30, b: 32 },
            Ins::Ret,
        ];
        let mut unit = Unit { code: code.clone(), results: 1, ..Unit::default() };
        superinstructions::replace_pairs(&b.p, &mut unit);
        let joined = unit.code;
        let has = |is: fn(&Ins) -> bool| joined.iter().filter(|ins| is(ins)).count();
        assert_eq!(has(|i| matches!(i, Ins::SEach { .. })), 1, "{joined:?}");
        assert_eq!(has(|i| matches!(i, Ins::SNext { .. })), 0, "{joined:?}");
        // The plane that stands before the loop's rounds is looked up once, and stays so.
        let many = if w == 1 { 3 } else { 2 };
        assert_eq!(has(|i| matches!(i, Ins::SAndC { .. })), many, "{joined:?}");
        let (each, both) = (b.pure(1 + w, 1, code), b.pure(1 + w, 1, joined));
        for k in 0..200u64 {
            let mut args = vec![[1, 2, 3, 4, 5, NONE][k as usize % 6]];
            // Nothing, something in the first word, in the last, in all.
            let in_it = |i: u8| [false, i == 0, i + 1 == w, true][(k / 6 % 4) as usize];
            args.extend((0..w).map(|i| if in_it(i) { word() as i64 } else { 0 }));
            let was = b.value(each, &args, 1);
            assert!(was.is_ok(), "{was:?}");
            assert_eq!(b.value(both, &args, 1), was, "{args:?}");
            ran += usize::from(was.is_ok_and(|x| x[0] > 1000));
        }
    }
    assert!(ran > 60, "{ran} with something in both");
}

#[test]
fn lists_keep_their_order_and_their_capacity() {
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
fn endless_loops_and_endless_recursion_are_faults() {
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
fn a_fault_has_a_call_stack_and_does_not_change_the_state() {
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
    assert_eq!(fault.message(&b.p), "gold cannot be 10: it must be 0..9");
    let names: Vec<_> = fault.frames.iter().map(|f| f.name.to_string()).collect();
    assert_eq!(names, ["inner", "main"]);
    assert_eq!(fault.span, Span::new(FileId(0), 2, 3));
    assert_eq!(fault.frames[1].span, Span::new(FileId(0), 1, 2));
    assert_eq!(fault.frames[0].args[1], 10);
    assert!(*m.state() == before, "the state is as before");
}

#[test]
fn attributes_are_clamped_or_checked_and_their_planes_follow() {
    let mut b = Build::new(2);
    let cells = b.universe("cell", 70, UniverseSort::Words);
    let a = b.attr("owner", Some(cells), 0, 1);
    b.p.attrs[0].maybe = true;
    b.p.attrs[0].initial = vec![i32::MIN; 70];
    let at = b.planes(3 * 2);
    b.p.groups.push(PlaneGroup { universe: cells, at, fixed: false, ordered: false, lo: 0, n: 2, w: 2 });
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
    let mut m = b.game();
    let mut out = [0u64; 2];
    m.eval(plane, &[1], &mut out).unwrap();
    assert_eq!(out, [0, 4]);
    m.eval(plane, &[NONE as u64], &mut out).unwrap();
    assert_eq!(out, [u64::MAX, 0b11_1011]);
    m.eval(plane, &[7], &mut out).unwrap();
    assert_eq!(out, [0, 0], "a value outside has no things");
    assert_eq!(m.look().attr(hp, 0), Some(9));
}

#[test]
fn layers_end_with_their_scope_in_any_order() {
    let mut b = Build::new(2);
    let x = b.attr("x", None, 0, 99);
    let y = b.attr("y", None, 0, 99);
    b.p.leased.push(Leased { decl: DeclIx(0), words: 1, things: Vec::new() });
    let what = LeasedIx(0);
    // x: 0, then 10 until end of round, then 20 until end of turn over it. y: 5 until end of turn, then an ordinary 7, which drops the layer.
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
fn rolls_can_be_ordered_and_streams_are_independent() {
    let mut b = Build::new(2);
    let universe = b.p.player_universe;
    for values in [(0..1000).collect(), Vec::new()] {
        b.p.tables.push(Table { name: "die".into(), universe, values });
    }
    let table = TableIx(0);
    let f = b.func(
        "f",
        1,
        4,
        false,
        vec![
            Ins::Li { d: 11, k: 0 },
            Ins::Li { d: 12, k: 1 },
            Ins::RollValue { d: 0, who: 11, table },
            Ins::RollValue { d: 1, who: 12, table },
            Ins::RollValue { d: 2, who: 11, table },
            Ins::Li { d: 13, k: NONE as i32 },
            Ins::RollValue { d: 3, who: 13, table },
            Ins::Ret,
        ],
    );
    let roll = Ins::RollValue { d: 0, who: 1, table: TableIx(1) };
    let none = b.func("g", 1, 1, false, vec![Ins::Li { d: 1, k: 0 }, roll, Ins::Ret]);
    let p = Arc::new(b.p.clone());
    let mut m = Machine::new(p.clone(), 7);
    let mut out = [0u64; 4];
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    let want = |stream, n| crate::base::stream::below(1000, || crate::base::stream::mix(7, stream, n));
    assert_eq!(out, [want(1, 0), want(2, 0), want(1, 1), want(0, 0)]);
    assert_eq!(m.state().draws(), [1, 2, 1]);
    m.rig(None, &[3, 1004]);
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    assert_eq!(out[..2], [3, 4]);
    assert_eq!(out[2], want(1, 2));
    let fault = m.run_effect(none, NONE, &[], &mut []).unwrap_err();
    assert_eq!(fault.kind, FaultKind::EmptyRange);
}

/// A game that is over holds no orders of chance: two games with the same end have equal states.
#[test]
fn orders_of_chance_end_with_the_game() {
    use crate::Said;
    let mut b = Build::new(2);
    b.main(vec![Ins::End, Ins::Ret]);
    let p = Arc::new(b.p.clone());
    let ended = |rolls: &[u64], draws: &[Vec<Said>], tops: &[Said]| {
        let mut m = Machine::new(p.clone(), 7);
        m.rig(None, rolls);
        m.order_draws(draws);
        if !tops.is_empty() {
            m.order_shuffle(0, tops);
        }
        let begun = m.state().clone();
        m.start().unwrap();
        assert!(m.is_over());
        (begun, m.state().clone())
    };
    let (open, plain) = ended(&[], &[], &[]);
    let three = [Said::Number(3)];
    for (begun, over) in [ended(&[3], &[], &[]), ended(&[], &[three.to_vec()], &[]), ended(&[], &[], &three)]
    {
        assert!(begun != open, "before the end, orders make two states differ");
        assert!(over == plain);
    }
}

#[test]
fn nothing_runs_after_the_end() {
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
fn after_a_turn_within_a_turn_the_outer_turn_continues() {
    let mut b = Build::new(3);
    let x = b.attr("x", None, 0, 9);
    let per = b.attr("used", Some(UniverseId(0)), 0, 9);
    b.p.attrs[per.index()].per = Some(Per::Turn);
    let f = b.func(
        "f",
        1,
        5,
        false,
        vec![
            Ins::Li { d: 10, k: 2 },
            Ins::Li { d: 11, k: 0 },
            Ins::Li { d: 12, k: 7 },
            Ins::StAttr { e: 10, a: 12, attr: per },
            Ins::StAttr { e: 11, a: 12, attr: per },
            Ins::TurnBegin { p: 10 },
            Ins::LeaseOpen { scope: LeaseScope::Turn, a: 40 },
            Ins::StGlobal { a: 12, attr: x },
            Ins::LeaseClose,
            Ins::TurnBegin { p: 11 },
            Ins::LdClock { d: 0, what: Clock::Turn },
            Ins::TurnEnd,
            Ins::LdClock { d: 1, what: Clock::Turn },
            Ins::LdGlobal { d: 2, attr: x },
            Ins::TurnEnd,
            Ins::LdClock { d: 3, what: Clock::Turn },
            Ins::LdGlobal { d: 4, attr: x },
            Ins::Ret,
        ],
    );
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    let mut out = [0u64; 5];
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    assert_eq!(
        out.map(|x| x as i64),
        [0, 2, 7, NONE, 0],
        "the inner turn's end does not end the outer one's layers"
    );
    assert_eq!((m.look().attr(per, 2), m.look().attr(per, 0), m.state().turns()), (Some(0), Some(0), 2));
}

/// Adds its arguments, counting three steps; fails for a negative one.
struct Adder;

impl crate::Hooks for Adder {
    fn call(
        &self,
        hook: &HookSlot,
        args: &[u64],
        out: &mut [u64],
        look: crate::Look<'_>,
        steps: &mut u64,
    ) -> Result<(), String> {
        *steps = steps.saturating_sub(3);
        let sum = args.iter().map(|x| *x as i64).sum::<i64>() + i64::from(look.round());
        if sum < 0 {
            return Err(format!("{} of {sum}", hook.name));
        }
        out[0] = sum as u64;
        Ok(())
    }
}

#[test]
fn hooks_are_called_with_words_and_checked() {
    let mut b = Build::new(2);
    b.p.hooks.push(HookSlot {
        name: "adder".into(),
        script: "".into(),
        file: "".into(),
        params: vec![Show::Number, Show::Number],
        gives: Show::Number,
        decl: DeclIx(0),
    });
    let f = b.pure(2, 1, vec![Ins::Hook { at: 0, h: 0 }, Ins::Ret]);
    let lost = b.pure(2, 1, vec![Ins::Hook { at: 0, h: 1 }, Ins::Ret]);
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    let mut out = [0u64];
    assert!(matches!(m.eval(f, &[1, 2], &mut out).unwrap_err().kind, FaultKind::Hook(_)), "nobody runs it");
    m.set_hooks(Arc::new(Adder));
    m.eval(f, &[40, 2], &mut out).unwrap();
    assert_eq!(out, [42]);
    assert_eq!(
        m.eval(f, &[-5i64 as u64, 2], &mut out).unwrap_err().kind,
        FaultKind::Hook("adder of -3".into())
    );
    assert_eq!(m.eval(f, &[BIG as u64, 2], &mut out).unwrap_err().kind, FaultKind::Overflow);
    assert!(matches!(m.eval(lost, &[1, 2], &mut out).unwrap_err().kind, FaultKind::BadProgram(_)));
}
