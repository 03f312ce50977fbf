//! Questions and answers: menus, choices, fibers that take turns, states that are copied to another machine.
use super::*;

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
fn a_copied_state_continues_in_the_same_way_in_another_machine() {
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

#[test]
fn at_once_the_order_of_answers_makes_no_difference() {
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
fn a_sampled_world_holds_no_answers_of_other_seats() {
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
fn freely_each_answer_takes_effect_at_once() {
    let b = lockstep(true);
    let mut m = b.game();
    assert_eq!(players(&m), [0, 1, 2]);
    m.choose(1, &Choice::One(4)).unwrap();
    assert_eq!(m.look().attr(AttrIx(1), 1), Some(1), "the fiber continued at once");
    assert_eq!(players(&m), [0, 1, 2]);
    m.choose(1, &Choice::One(4)).unwrap();
    assert_eq!(m.look().attr(AttrIx(0), 1), Some(28));
    assert_eq!(players(&m), [0, 2]);
}

#[test]
fn a_question_with_one_answer_or_none_is_not_asked() {
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
    // If skipping the question would reveal something, it is asked; with the planted fault it is not.
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
fn a_choice_that_comes_to_a_fault_is_undone() {
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
    // A playout keeps no copy: after a fault the game is over, without an outcome.
    assert!(m.choose_nth(0, 2).is_err());
    assert!(m.is_over() && m.outcome().is_none());
    m.set_state(&before);
    m.choose(0, &taking(1)).unwrap();
}

#[test]
fn options_are_counted_never_listed() {
    // A menu of an action with a number of a huge range, and of one with a subset of a large set.
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

/// Everyone at once takes a cell of the row.
fn grab() -> Build {
    let (mut b, ..) = row();
    let body =
        b.func("each", 1, 0, false, vec![Ins::AskMenu { d: 3, at: 20, who: 0, offer: OfferIx(0) }, Ins::Ret]);
    b.main(vec![
        Ins::Li { d: 10, k: 0 },
        Ins::Li { d: 1, k: 0 },
        Ins::LPush { l: 10, a: 1, cap: 2 },
        Ins::Li { d: 1, k: 1 },
        Ins::LPush { l: 10, a: 1, cap: 2 },
        Ins::Fork { l: 10, at: 2, n: 0, f: body, freely: false },
        Ins::Ret,
    ]);
    b
}

#[test]
fn a_player_whose_choice_is_taken_is_asked_again() {
    let b = grab();
    let mut m = b.game();
    let first: Vec<u32> = m.questions().iter().map(|q| q.id).collect();
    assert_eq!(players(&m), [0, 1]);
    m.choose(1, &taking(2)).unwrap();
    m.choose(0, &taking(2)).unwrap();
    assert_eq!(players(&m), [1], "the earlier seat has it");
    assert_eq!(m.look().attr(AttrIx(0), 2), Some(0));
    assert!(!first.contains(&m.questions()[0].id), "another question");
    assert!(m.choose(0, &taking(2)).is_err());
    m.choose(0, &taking(0)).unwrap();
    assert!(m.is_over());
    assert_eq!(m.look().attr(AttrIx(0), 0), Some(1));
    // If the choices do not conflict, nobody is asked again.
    let mut m = b.game();
    m.choose(1, &taking(2)).unwrap();
    m.choose(0, &taking(1)).unwrap();
    assert!(m.is_over());
}

#[test]
fn can_tests_whether_a_menu_has_an_available_action() {
    let (mut b, owner, _) = row();
    let can = b.pure(1, 1, vec![Ins::CanMenu { d: 0, p: 0, menu: MenuIx(0) }, Ins::Ret]);
    let mut m = b.game();
    let mut out = [0u64];
    m.eval(can, &[1], &mut out).unwrap();
    assert_eq!(out, [1]);
    for k in [0, 0, 0] {
        m.choose_nth(0, k).unwrap();
    }
    m.eval(can, &[1], &mut out).unwrap();
    assert_eq!((out, m.look().attr(owner, 0)), ([0], Some(0)));
    // A menu that is not open offers nothing; if another menu is offered with it, a refusal gives its reason.
    let shut = b.pure(1, 1, vec![Ins::LdGlobal { d: 0, attr: AttrIx(1) }, Ins::Ret]);
    let gate = b.attr("gate", None, 0, 1);
    assert_eq!(gate, AttrIx(1));
    let why = b.text("the gate is shut");
    b.p.menus[0].open = Some((shut, why));
    let mut m = b.game();
    assert!(m.is_over(), "a menu that is not open is skipped, with its pass");
    m.eval(can, &[1], &mut out).unwrap();
    assert_eq!(out, [0]);
    let beside = b.menu(Vec::new(), Some(EndWhen::Always), None);
    let menu = b.p.offers[beside.index()].menus[0];
    b.p.offers[0].menus.push(menu);
    b.p.offers[0].silent = false;
    let mut m = b.game();
    assert_eq!(m.options(0).unwrap().iter().collect::<Vec<_>>(), [Choice::Pass]);
    assert_eq!(m.why_not_choice(0, &taking(0))[0].text, "the gate is shut");
    // A guard that tests whether its own menu has an action recurses without end: a fault, no crash.
    b.p.menus[0].open = None;
    let start = b.p.code.len() as u32;
    let round = b.pure(1, 0, vec![Ins::CanMenu { d: 1, p: 0, menu: MenuIx(0) }, Ins::Ret]);
    assert_eq!(b.p.funcs[round.index()].start, start);
    b.p.actions[0].enumerator = round;
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    assert_eq!(m.start().unwrap_err().kind, FaultKind::TooDeep);
}
