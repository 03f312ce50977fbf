//! Once warm, playing a board game allocates nothing: choosing, options, cloning a state, going back.
use crate::support::game;
use houserule::engine::{Machine, Stream};
use houserule::play::Setup;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Counts what each thread allocates.
struct Counting;

fn note() {
    let _ = COUNT.try_with(|c| c.set(c.get() + 1));
}

// SAFETY: everything is handed to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many times something allocates in this thread.
pub fn allocations(run: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    run();
    COUNT.with(Cell::get) - before
}

fn play(m: &mut Machine, fresh: &houserule::engine::State, rng: &mut Stream) {
    m.set_state(fresh);
    m.start().expect("it starts");
    while !m.is_over() {
        assert!(m.step(0, rng).expect("a choice"));
    }
}

#[test]
fn a_warm_playout_allocates_nothing() {
    // Longer games need more to be warm: whatever grows must have been as large as it gets.
    for (name, warm, games) in [
        ("tic-tac-toe", 20, 50),
        ("connect-four", 20, 50),
        ("othello", 20, 50),
        ("breakthrough", 20, 50),
        ("hex", 20, 50),
        ("chess", 12, 6),
        ("fuji", 120, 20),
    ] {
        let g = game(name);
        let p = g.lower_setup(&Setup::default()).expect("a program");
        let mut m = g.make_machine(p, 1);
        let fresh = m.state().clone();
        let mut rng = Stream::new(3, 0);
        for _ in 0..warm {
            play(&mut m, &fresh, &mut rng);
        }
        let n = allocations(|| {
            for _ in 0..games {
                play(&mut m, &fresh, &mut rng);
            }
        });
        assert_eq!(n, 0, "{name}: {n} allocations in {games} games, step by step");
        let n = allocations(|| {
            for _ in 0..games {
                m.set_state(&fresh);
                m.start().expect("it starts");
                m.playout(&mut rng, u64::MAX).expect("no rule error");
            }
        });
        assert_eq!(n, 0, "{name}: {n} allocations in {games} playouts");
    }
}

#[test]
fn a_warm_clone_allocates_nothing() {
    let g = game("othello");
    let p = g.lower_setup(&Setup::default()).expect("a program");
    let mut m = g.make_machine(p, 1);
    m.start().expect("it starts");
    let mut copy = m.state().clone();
    let mut rng = Stream::new(3, 0);
    for _ in 0..10 {
        m.step(0, &mut rng).expect("a choice");
        copy.clone_from(m.state());
    }
    let n = allocations(|| {
        for _ in 0..10 {
            m.step(0, &mut rng).expect("a choice");
            copy.clone_from(m.state());
            m.set_state(&copy);
        }
    });
    assert_eq!(n, 0);
}

#[test]
fn the_count_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))) >= 1);
}
