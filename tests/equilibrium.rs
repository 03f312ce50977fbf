//! A small solver over what seats are shown: it sees a game through questions, options and views alone, so its values are right only if information sets are.
//!
//! The whole tree of a two-seat zero-sum game is gone through, chance by its outcomes. Nodes at which a seat was shown the same, now and at each of its earlier decisions, are one
//! information set. Counterfactual regret minimisation finds a pair of strategies; best responses to both, which are worked out exactly, enclose the game's value.
use crate::support::game;
use houserule::engine::{Machine, State};
use houserule::play::Setup;
use std::collections::HashMap;

/// A position of the tree.
enum Node {
    /// What the first seat has gained.
    End(f64),
    /// All outcomes have the same chance.
    Chance(Vec<usize>),
    /// A seat decides, not knowing at which node of the set it stands.
    Ask { set: usize, next: Vec<usize> },
}

/// What a seat knows when it decides.
struct Known {
    seat: usize,
    options: usize,
    /// How many decisions the seat has made before.
    depth: usize,
    nodes: Vec<usize>,
}

struct Tree {
    nodes: Vec<Node>,
    sets: Vec<Known>,
    ends: usize,
}

/// How the tree is built.
struct Builder<'b> {
    tree: Tree,
    keys: HashMap<String, usize>,
    /// What each seat was shown and answered so far.
    shown: [String; 2],
    depth: [usize; 2],
    gain: &'b dyn Fn(&mut Machine) -> f64,
    /// Whether every seat is shown what the other sees, too: a game without secrets, to see that it is another one.
    open: bool,
}

impl Builder<'_> {
    fn push(&mut self, n: Node) -> usize {
        self.tree.nodes.push(n);
        self.tree.nodes.len() - 1
    }

    /// The node behind a step, with all outcomes of the chance in it.
    fn step(&mut self, m: &mut Machine, from: &State, step: &dyn Fn(&mut Machine)) -> usize {
        let mut script: Vec<u64> = Vec::new();
        let (mut next, mut ways) = (Vec::new(), Vec::new());
        loop {
            m.set_state(from);
            m.lay_down(&script);
            step(m);
            let (ranges, _) = m.take_draws();
            if ranges.is_empty() {
                return self.arrive(m);
            }
            script.resize(ranges.len(), 0);
            ways.push(ranges.iter().product::<u64>());
            next.push(self.arrive(m));
            while let Some(k) = script.pop() {
                if k + 1 < ranges[script.len()] {
                    script.push(k + 1);
                    break;
                }
            }
            if script.is_empty() {
                assert!(ways.iter().all(|w| *w == ways[0]), "some outcomes are more likely than others");
                return self.push(Node::Chance(next));
            }
        }
    }

    fn arrive(&mut self, m: &mut Machine) -> usize {
        if m.is_over() {
            self.tree.ends += 1;
            let gain = (self.gain)(m);
            return self.push(Node::End(gain));
        }
        let seat = m.questions()[0].seats.trailing_zeros() as usize;
        let prompt = m.prompt(0);
        let view = |m: &mut Machine, seat| serde_json::to_string(&m.view(seat)).expect("a view is data");
        let mut sees = view(m, seat);
        if self.open {
            sees += &view(m, 1 - seat);
        }
        let options: Vec<_> = m.options(0).expect("options").iter().collect();
        let key = format!("{seat} {} {prompt} {} {sees}", self.shown[seat], options.len());
        let at = self.push(Node::Chance(Vec::new()));
        let (sets, depth) = (&mut self.tree.sets, self.depth[seat]);
        let set = *self.keys.entry(key.clone()).or_insert_with(|| {
            sets.push(Known { seat, options: options.len(), depth, nodes: Vec::new() });
            sets.len() - 1
        });
        sets[set].nodes.push(at);
        let here = m.state().clone();
        let before = self.shown[seat].clone();
        self.depth[seat] += 1;
        let mut next = Vec::new();
        for (i, choice) in options.iter().enumerate() {
            self.shown[seat] = format!("{key} {i};");
            next.push(self.step(m, &here, &|m| m.choose_known(0, choice.clone()).expect("an option")));
        }
        self.shown[seat] = before;
        self.depth[seat] -= 1;
        self.tree.nodes[at] = Node::Ask { set, next };
        at
    }
}

/// The tree of a game; its root is the last node.
fn tree(name: &str, options: &[(&str, &str)], open: bool, gain: &dyn Fn(&mut Machine) -> f64) -> Tree {
    let game = game(name);
    let options = options.iter().map(|(k, v)| (String::from(*k), String::from(*v))).collect();
    let setup = Setup { options, ..Setup::default() };
    let mut m = game.make_machine(game.lower_setup(&setup).expect("a program"), 1);
    let fresh = m.state().clone();
    let tree = Tree { nodes: Vec::new(), sets: Vec::new(), ends: 0 };
    let mut b = Builder { tree, keys: HashMap::new(), shown: Default::default(), depth: [0; 2], gain, open };
    b.step(&mut m, &fresh, &|m| m.start().expect("it starts"));
    b.tree
}

/// What a solver has found.
struct Solved {
    /// By set: the chance of each option in the mean strategy.
    strategy: Vec<Vec<f64>>,
    /// What the first seat gets at least, whatever the second does; what it gets at most, whatever it does itself. The game's value lies between.
    least: f64,
    most: f64,
}

/// Sum of the numbers made 1; all the same if there are none.
fn normal(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().map(|x| x.max(0.0)).sum();
    let even = 1.0 / weights.len() as f64;
    weights.iter().map(|x| if sum > 0.0 { x.max(0.0) / sum } else { even }).collect()
}

/// Counterfactual regret minimisation: seats in turn, later strategies weigh more.
struct Cfr<'t> {
    tree: &'t Tree,
    regret: Vec<Vec<f64>>,
    /// What this round does to it.
    change: Vec<Vec<f64>>,
    mean: Vec<Vec<f64>>,
}

impl Cfr<'_> {
    /// The value of a node for a seat under the present strategies, what its sets have to regret noted; `own` and `others` are the chances of coming here.
    fn walk(&mut self, at: usize, seat: usize, own: f64, others: f64, weight: f64) -> f64 {
        let tree = self.tree;
        match &tree.nodes[at] {
            Node::End(gain) => {
                if seat == 0 {
                    *gain
                } else {
                    -gain
                }
            }
            Node::Chance(next) => {
                let p = 1.0 / next.len() as f64;
                next.iter().map(|n| p * self.walk(*n, seat, own, others * p, weight)).sum()
            }
            Node::Ask { set, next } => {
                let now = normal(&self.regret[*set]);
                if tree.sets[*set].seat != seat {
                    let go = |(n, p): (&usize, &f64)| p * self.walk(*n, seat, own, others * p, weight);
                    return next.iter().zip(&now).map(go).sum();
                }
                let values: Vec<f64> = next
                    .iter()
                    .zip(&now)
                    .map(|(n, p)| self.walk(*n, seat, own * p, others, weight))
                    .collect();
                let value: f64 = values.iter().zip(&now).map(|(v, p)| v * p).sum();
                for (i, v) in values.iter().enumerate() {
                    self.change[*set][i] += others * (v - value);
                    self.mean[*set][i] += weight * own * now[i];
                }
                value
            }
        }
    }
}

/// The most that a seat can get against a strategy, exactly: its sets from the last decision to the first, each by what its nodes together are worth.
fn best(tree: &Tree, strategy: &[Vec<f64>], seat: usize) -> f64 {
    fn value(tree: &Tree, strategy: &[Vec<f64>], seat: usize, pick: &[usize], at: usize) -> f64 {
        let go = |n: &usize| value(tree, strategy, seat, pick, *n);
        match &tree.nodes[at] {
            Node::End(gain) => {
                if seat == 0 {
                    *gain
                } else {
                    -gain
                }
            }
            Node::Chance(next) => next.iter().map(go).sum::<f64>() / next.len() as f64,
            Node::Ask { set, next } if tree.sets[*set].seat == seat => go(&next[pick[*set]]),
            Node::Ask { set, next } => next.iter().zip(&strategy[*set]).map(|(n, p)| p * go(n)).sum(),
        }
    }
    // How likely chance and the other seat let each node be reached.
    let mut reach = vec![0.0; tree.nodes.len()];
    reach[tree.nodes.len() - 1] = 1.0;
    let mut order = vec![tree.nodes.len() - 1];
    while let Some(at) = order.pop() {
        let mut to = |n: usize, p: f64| {
            reach[n] = reach[at] * p;
            order.push(n);
        };
        match &tree.nodes[at] {
            Node::End(_) => {}
            Node::Chance(next) => next.iter().for_each(|n| to(*n, 1.0 / next.len() as f64)),
            Node::Ask { set, next } => {
                let own = tree.sets[*set].seat == seat;
                next.iter().enumerate().for_each(|(i, n)| to(*n, if own { 1.0 } else { strategy[*set][i] }));
            }
        }
    }
    let mut pick = vec![0; tree.sets.len()];
    let mut own: Vec<usize> = (0..tree.sets.len()).filter(|s| tree.sets[*s].seat == seat).collect();
    own.sort_by_key(|s| std::cmp::Reverse(tree.sets[*s].depth));
    for set in own {
        let worth = |i: usize| -> f64 {
            let of = |at: &usize| match &tree.nodes[*at] {
                Node::Ask { next, .. } => reach[*at] * value(tree, strategy, seat, &pick, next[i]),
                _ => 0.0,
            };
            tree.sets[set].nodes.iter().map(of).sum()
        };
        let options = 0..tree.sets[set].options;
        pick[set] = options.max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(0);
    }
    value(tree, strategy, seat, &pick, tree.nodes.len() - 1)
}

fn solve(tree: &Tree, rounds: usize) -> Solved {
    let zero = || tree.sets.iter().map(|s| vec![0.0; s.options]).collect::<Vec<_>>();
    let mut cfr = Cfr { tree, regret: zero(), change: zero(), mean: zero() };
    for t in 1..=rounds {
        for seat in 0..2 {
            cfr.walk(tree.nodes.len() - 1, seat, 1.0, 1.0, t as f64);
            for (r, c) in cfr.regret.iter_mut().flatten().zip(cfr.change.iter_mut().flatten()) {
                *r = (*r + *c).max(0.0);
                *c = 0.0;
            }
        }
    }
    let strategy: Vec<Vec<f64>> = cfr.mean.iter().map(|m| normal(m)).collect();
    let (least, most) = (-best(tree, &strategy, 1), best(tree, &strategy, 0));
    Solved { strategy, least, most }
}

/// Rounds of the solver.
const ROUNDS: usize = 2000;
/// What encloses a value may be so wide: after that many rounds it is less than a tenth of that in the games below, and a fiftieth of what the value would move if cards were open.
const WIDTH: f64 = 0.001;

fn encloses(s: &Solved, value: f64) {
    eprintln!("from {} to {}", s.least, s.most);
    assert!(s.most - s.least < WIDTH, "from {} to {} is wide", s.least, s.most);
    let slack = 1e-9;
    assert!(s.least <= value + slack && value <= s.most + slack, "{} to {}, not {value}", s.least, s.most);
}

fn chips(m: &mut Machine) -> f64 {
    m.outcome().expect("it is over").scores[0][0] as f64
}

fn won(m: &mut Machine) -> f64 {
    use houserule::engine::Verdict;
    match m.outcome().expect("it is over").verdicts[0] {
        Verdict::Won => 1.0,
        Verdict::Tied => 0.0,
        Verdict::Lost => -1.0,
    }
}

#[test]
fn kuhn_poker_is_worth_minus_one_eighteenth() {
    let t = tree("kuhn", &[], false, &chips);
    assert_eq!((t.ends, t.sets.len()), (30, 12), "histories, information sets");
    // Three cards in each of two situations of either seat; the other card may be either of two.
    assert!(t.sets.iter().all(|s| s.nodes.len() == 2 && s.options == 2));
    assert_eq!(t.sets.iter().filter(|s| s.seat == 0).count(), 6);
    let s = solve(&t, ROUNDS);
    encloses(&s, -1.0 / 18.0);
    // The second seat's best strategy is the only one: with the highest card it always bets and calls, with the lowest it bluffs after a check one time of three, with the middle one it calls a bet one time of three.
    let second = t.sets.iter().zip(&s.strategy).filter(|(k, _)| k.seat == 1);
    let mut mixed: Vec<f64> = second.map(|(_, p)| p[0]).filter(|p| (0.1..0.9).contains(p)).collect();
    mixed.sort_by(f64::total_cmp);
    assert_eq!(mixed.len(), 2, "{mixed:?}");
    assert!(mixed.iter().all(|p| (p - 1.0 / 3.0).abs() < 0.02), "{mixed:?}");
}

#[test]
fn with_open_cards_it_would_be_worth_nothing() {
    // The same tree if a seat were shown the other's cards: 24 sets, and nobody has an edge. A leak would move the value above by a lot.
    let t = tree("kuhn", &[], true, &chips);
    assert_eq!((t.ends, t.sets.len()), (30, 24));
    encloses(&solve(&t, ROUNDS), 0.0);
}

#[test]
fn rock_paper_scissors_is_worth_nothing() {
    // If the second seat saw what the first has answered, it would have three sets and always win.
    let t = tree("rock-paper-scissors", &[], false, &won);
    assert_eq!((t.ends, t.sets.len()), (9, 2));
    let s = solve(&t, ROUNDS);
    encloses(&s, 0.0);
    assert!(s.strategy.iter().flatten().all(|p| (p - 1.0 / 3.0).abs() < 0.01), "{:?}", s.strategy);
    // Best of three: the same, over what was played in the rounds before.
    let t = tree("rock-paper-scissors", &[("best_of", "3")], false, &won);
    encloses(&solve(&t, 100), 0.0);
}
