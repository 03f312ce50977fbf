//! Components: their places, and who knows their faces.
use super::*;

/// Two hands, a deck, a slot; cards are dealt from the deck.
fn table() -> (Build, UniverseId, ZoneIx, ZoneIx, ZoneIx) {
    let mut b = Build::new(2);
    let cards = b.cards(6);
    let deck = b.zone("deck", None, 0, SeenBy::Nobody, 6, false);
    let hand = b.zone("hand", Some(UniverseId(0)), 0, SeenBy::Owner, 6, false);
    let slot = b.zone("shown", None, 0, SeenBy::All, 1, true);
    (b, cards, deck, hand, slot)
}

/// Code that moves all cards into the deck, shuffles it, and moves one into each hand.
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
        Ins::ZGet { d: 8, p: 7, i: 40 },
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
            Ins::ZGet { d: 12, p: 7, i: 40 },
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
            Ins::ZGet { d: 2, p: 7, i: 40 },
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
    // A permutation of the faces that seat 0 does not know leaves its view as it is; the other seat's view changes.
    let mut rng = Stream::new(3, 0);
    let before = m.view(1);
    let mut noticed = false;
    for _ in 0..20 {
        m.swap_hidden(0, &mut rng);
        assert_eq!(m.view(0), v);
        noticed |= m.view(1) != before;
    }
    assert!(noticed, "nothing was permuted");
    // The same comparison finds planted leaks.
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
        all.into_iter().rfind(|e| e.kind == EventKind::Moved).unwrap()
    };
    let last = run(None);
    let (ann, bob) = (last.text(Some(0)).unwrap(), last.text(Some(1)).unwrap());
    assert!(bob.starts_with("FACE"), "{bob}");
    assert!(ann.starts_with("card goes"), "{ann}");
    assert_eq!(ann.split_once(" goes ").unwrap().1, bob.split_once(" goes ").unwrap().1);
    let last = run(Some(SeededFault::LogUnfiltered));
    assert_eq!(last.text(Some(0)), last.text(Some(1)));
}

#[test]
fn a_component_in_an_unordered_hidden_zone_becomes_unknown() {
    let mut b = Build::new(2);
    let cards = b.cards(6);
    let u = cards.0 as u8;
    let hand = b.zone("hand", Some(UniverseId(0)), 0, SeenBy::Owner, 6, false);
    let bag = b.zone("bag", None, 0, SeenBy::Nobody, 6, false);
    let open = b.zone("open", None, 0, SeenBy::All, 6, false);
    for z in [hand, bag] {
        b.p.zones[z.index()].ordered = false;
    }
    let loose: Vec<u16> = vec![hand.0, bag.0];
    for pl in &mut b.p.places {
        if loose.contains(&pl.zone) {
            (pl.seq, pl.row) = (u32::MAX, u32::MAX);
        }
    }
    // Cards 0, 1, 2 go to bob's hand; 3 to ann's; the rest into the bag.
    let mut code = vec![Ins::Li { d: 1, k: 1 }, Ins::PlaceOf { d: 2, o: 1, i: 40, zone: hand }];
    for c in 0..3 {
        code.extend([Ins::Li { d: 3, k: c }, Ins::Move { c: 3, p: 2, u, how: MoveHow(0) }]);
    }
    code.extend([
        Ins::Li { d: 1, k: 0 },
        Ins::PlaceOf { d: 2, o: 1, i: 40, zone: hand },
        Ins::Li { d: 3, k: 3 },
        Ins::Move { c: 3, p: 2, u, how: MoveHow(0) },
        Ins::PlaceOf { d: 2, o: 40, i: 40, zone: bag },
        Ins::Li { d: 3, k: 4 },
        Ins::Move { c: 3, p: 2, u, how: MoveHow(0) },
        Ins::Li { d: 3, k: 5 },
        Ins::Move { c: 3, p: 2, u, how: MoveHow(0) },
        Ins::Ret,
    ]);
    b.main(code);
    // Shows bob's hand to ann.
    let show = b.func(
        "show",
        1,
        0,
        false,
        vec![
            Ins::Li { d: 1, k: 1 },
            Ins::PlaceOf { d: 2, o: 1, i: 40, zone: hand },
            Ins::Members { d: 3, p: 2, u },
            Ins::Li { d: 4, k: 0b01 },
            Ins::Show { s: 3, t: 4, u },
            Ins::Ret,
        ],
    );
    let to = |b: &mut Build, zone| {
        b.func(
            "to",
            2,
            0,
            false,
            vec![
                Ins::PlaceOf { d: 2, o: 40, i: 40, zone },
                Ins::Move { c: 1, p: 2, u, how: MoveHow(0) },
                Ins::Ret,
            ],
        )
    };
    let to_bob = b.func(
        "to bob",
        2,
        0,
        false,
        vec![
            Ins::Li { d: 3, k: 1 },
            Ins::PlaceOf { d: 2, o: 3, i: 40, zone: hand },
            Ins::Move { c: 1, p: 2, u, how: MoveHow(0) },
            Ins::Ret,
        ],
    );
    let (to_bag, to_open) = (to(&mut b, bag), to(&mut b, open));
    let knows = |m: &Machine, seat: usize| -> Vec<usize> {
        (0..6).filter(|c| crate::world::knowledge::knows(m.program(), m.state(), seat, 0, *c)).collect()
    };
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    m.run_effect(b.p.main, NONE, &[], &mut []).unwrap();
    assert_eq!(knows(&m, 0), [3], "a component in the bag is unknown");
    assert_eq!(knows(&m, 1), [0, 1, 2]);
    m.run_effect(show, NONE, &[], &mut []).unwrap();
    assert_eq!(knows(&m, 0), [0, 1, 2, 3]);
    let shown = m.state().clone();
    // Bob plays a card openly: ann still knows the others.
    m.run_effect(to_open, NONE, &[1], &mut []).unwrap();
    assert_eq!(knows(&m, 0), [0, 1, 2, 3]);
    // Or bob puts one away, hidden: it may be any of them.
    m.set_state(&shown);
    m.run_effect(to_bag, NONE, &[1], &mut []).unwrap();
    assert_eq!(knows(&m, 0), [3]);
    assert_eq!(knows(&m, 1), [0, 2], "bob knows the rest of the hand");
    let v = m.view(0);
    let pile = &v.players[1].piles[0];
    assert!(pile.cards.iter().all(|c| c.face.is_none()) && pile.hidden == 2);
    // Neither numbers nor positions of hidden cards reveal them: a third card comes back, and it may be any.
    let mut other = Machine::new(Arc::new(b.p.clone()), 7);
    other.set_state(m.state());
    for (m, c) in [(&mut m, 1), (&mut other, 5)] {
        m.run_effect(show, NONE, &[], &mut []).unwrap();
        m.run_effect(to_bob, NONE, &[c], &mut []).unwrap();
    }
    assert_eq!(other.view(0), m.view(0));
    assert_eq!(m.view(0).players[1].piles[0].hidden, 1);
    other.seed_fault(Some(SeededFault::HandlesKept));
    m.seed_fault(Some(SeededFault::HandlesKept));
    assert_ne!(other.view(0), m.view(0));
}

#[test]
fn components_and_contents_of_places_are_swapped() {
    let (mut b, cards, deck, hand, _) = table();
    let u = cards.0 as u8;
    let mut code = deal(cards, deck, hand);
    code.extend([
        Ins::Li { d: 20, k: 0 },
        Ins::PlaceOf { d: 21, o: 20, i: 40, zone: hand },
        Ins::Li { d: 20, k: 1 },
        Ins::PlaceOf { d: 22, o: 20, i: 40, zone: hand },
        Ins::ZGet { d: 23, p: 1, i: 20 },
        Ins::ZGet { d: 24, p: 22, i: 40 },
        Ins::Mov { d: 0, a: 23 },
        Ins::Mov { d: 1, a: 24 },
        Ins::Ret,
    ]);
    let f = b.func("f", 1, 2, false, code);
    let things = b.func("things", 3, 0, false, vec![Ins::SwapThings { a: 1, b: 2, u }, Ins::Ret]);
    let places = b.func(
        "places",
        1,
        0,
        false,
        vec![
            Ins::Li { d: 20, k: 1 },
            Ins::PlaceOf { d: 1, o: 40, i: 40, zone: deck },
            Ins::PlaceOf { d: 2, o: 20, i: 40, zone: hand },
            Ins::SwapPlaces { p: 1, q: 2 },
            Ins::Ret,
        ],
    );
    let mut m = Machine::new(Arc::new(b.p.clone()), 7);
    let mut out = [0u64; 2];
    m.run_effect(f, NONE, &[], &mut out).unwrap();
    let (second, held) = (out[0] as usize, out[1] as usize);
    let place = |m: &Machine, c: usize| m.look().place(0, c).unwrap();
    let (at_deck, at_hand) = (place(&m, second), place(&m, held));
    let before = m.look().lying_at(at_deck);
    m.run_effect(things, NONE, &out, &mut []).unwrap();
    assert_eq!((place(&m, second), place(&m, held)), (at_hand, at_deck));
    let after = m.look().lying_at(at_deck);
    assert_eq!(after[1], held, "in the same position");
    assert_eq!((after[0], after[2], after[3]), (before[0], before[2], before[3]));
    m.run_effect(places, NONE, &[], &mut []).unwrap();
    assert_eq!(m.look().lying_at(at_hand), after, "in order");
    assert_eq!(m.look().lying_at(at_deck), [second]);
    assert_eq!(m.view(1).players[1].piles[0].hidden, 0, "bob sees all cards of the new hand");
}
