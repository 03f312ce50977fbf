//! Unit tests with small programs made by hand: what each instruction means, how fibers take turns, what seats know, and that states can be copied.
use super::base::fault::FaultKind;
use super::data::decision::{Choice, Options, Refusal, Words};
use super::machine::game::Machine;
use super::world::knowledge::SeededFault;
use super::{EventKind, Verdict};
use crate::base::stream::Stream;
use houserule_program::ir::*;
use houserule_text::{FileId, Span};
use std::sync::Arc;

mod cards;
mod code;
mod fibers;
mod maps;

/// A program under construction.
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
            player_universe: UniverseId(0),
            truth_universe: UniverseId(1),
            decls: vec![Decl { what: "rule", name: "main".into(), span: Span::default() }],
            ..Program::default()
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
        for to in code.iter_mut().filter_map(Ins::target_mut) {
            *to += start;
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
            initial: vec![lo.max(0); n as usize],
            own: Vec::new(),
            per: None,
            seen: SeenBy::All,
            back: false,
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
        let (place, face) = (self.cells(n), self.cells(n));
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
            row: u32::MAX,
            room: 0,
        });
        let known = self.planes(w * u32::from(self.p.seats));
        self.p.comps.push(Components {
            universe: u,
            title: self.p.universes.get(u.index()).map_or("".into(), |u| u.name.clone()),
            faces,
            place,
            face,
            side: u32::MAX,
            up: u32::MAX,
            came: u32::MAX,
            showing: None,
            boxed,
            discards: None,
            by_face: None,
            known,
            initial: (0..n as u16).collect(),
            backs: vec![0; n as usize],
            back_titles: Vec::new(),
            classes: vec![0; n as usize],
            owners: Vec::new(),
            sides: Vec::new(),
            attrs: Vec::new(),
            named_by: Vec::new(),
            mixed: false,
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
            let seq = if slot { self.cells(1) } else { self.cells(2 + n) };
            self.p.places.push(Place {
                zone: self.p.zones.len() as u16,
                owner: if of.is_some() { h as i32 } else { i32::MIN },
                holder: if of == Some(UniverseId(0)) { h as i32 } else { i32::MIN },
                space: i32::MIN,
                comps: ci,
                plane,
                seq,
                row: if slot { u32::MAX } else { seq + 2 },
                room: if slot { 0 } else { n as u16 },
            });
        }
        self.p.zones.push(ZoneSlot {
            kinds: None,
            name: name.into(),
            of,
            holds: ci,
            first,
            holders: (0, holders),
            indexes: 1,
            index_lo: 0,
            index_of: None,
            slot,
            ordered: !slot,
            order_asked: !slot,
            seen,
            capacity: cap,
            unlimited: false,
            decl: DeclIx(0),
        });
        ZoneIx(self.p.zones.len() as u16 - 1)
    }

    fn text(&mut self, t: &str) -> TemplateIx {
        self.p.templates.push(Template { parts: vec![Piece::Literal(t.into())] });
        TemplateIx(self.p.templates.len() as u16 - 1)
    }

    fn ask(&mut self, universe: UniverseId, one: bool, min: R, max: R) -> AskIx {
        let slot = AskSlot::new(universe, NO_TEMPLATE, Span::default(), DeclIx(0));
        self.p.asks.push(AskSlot { one, min, max, ..slot });
        AskIx(self.p.asks.len() as u16 - 1)
    }

    /// An action with one parameter of a universe: `enumerator` and `effect` are (me, parameter).
    fn action(&mut self, name: &str, params: Vec<Domain>, enumerator: FuncId, effect: FuncId) -> ActionIx {
        self.p.actions.push(ActionSlot {
            each: None,
            name: name.into(),
            title: name.into(),
            said: vec![TitlePart::Text(name.into())],
            params: params
                .into_iter()
                .enumerate()
                .map(|(i, domain)| ParamSlot {
                    name: format!("p{i}").into(),
                    domain,
                    sealed: false,
                    used: true,
                })
                .collect(),
            enumerator,
            loose: None,
            tries: None,
            guards: Vec::new(),
            costs: Vec::new(),
            effect,
            decl: DeclIx(0),
        });
        ActionIx(self.p.actions.len() as u16 - 1)
    }

    fn menu(&mut self, actions: Vec<ActionIx>, pass: Option<EndWhen>, done: Option<EndWhen>) -> OfferIx {
        let end = |when| EndSlot { when, reason: NO_TEMPLATE, title: NO_TEMPLATE };
        self.p.menus.push(MenuSlot {
            name: "menu".into(),
            title: "menu".into(),
            params: 0,
            actions,
            open: None,
            done: done.map(end),
            pass: pass.map(end),
            lines: None,
            decl: DeclIx(0),
        });
        let menu = MenuIx(self.p.menus.len() as u16 - 1);
        self.p.offers.push(Offer {
            menus: vec![(menu, 1)],
            silent: pass.is_none(),
            clock: None,
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

    /// The result of a pure function.
    fn value(&self, f: FuncId, args: &[i64], n: usize) -> Result<Vec<i64>, FaultKind> {
        let mut m = Machine::new(Arc::new(self.p.clone()), 7);
        let args: Vec<u64> = args.iter().map(|x| *x as u64).collect();
        let mut out = vec![0; n];
        m.eval(f, &args, &mut out).map_err(|f| f.kind)?;
        Ok(out.into_iter().map(|x| x as i64).collect())
    }
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
    b.p.groups.push(PlaneGroup { universe: cells, at, fixed: false, ordered: false, lo: 0, n: 2, w: 1 });
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
        GuardSlot {
            func: fine,
            upto: 1,
            tried: false,
            wary: false,
            reason: NO_TEMPLATE,
            span: Span::new(FileId(0), 1, 2),
        },
        GuardSlot {
            func: free,
            upto: 1,
            tried: false,
            wary: false,
            reason,
            span: Span::new(FileId(0), 3, 4),
        },
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

fn players(m: &Machine) -> Vec<u8> {
    m.questions().iter().map(|q| q.player).collect()
}
