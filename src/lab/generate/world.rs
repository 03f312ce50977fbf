//! What a generated program declares: players, map, enums, kinds, attributes, zones. Expressions and statements are made from these lists.
use super::draw::Draw;
use super::tree::{Node, Part, Sort, Ty};

/// Whose an attribute or zone is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// The table's.
    Table,
    /// Each player's.
    Player,
    /// Each space's.
    Space,
    /// Each component's of the kind of that number.
    Kind(usize),
}

/// An attribute.
#[derive(Clone, Debug)]
pub struct Attr {
    /// Whose.
    pub of: Of,
    /// Its name, which no other has.
    pub name: &'static str,
    /// What it holds.
    pub ty: Ty,
    /// Whether rules never change it: then it is printed on a face.
    pub printed: bool,
}

/// Who sees what lies in a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Everybody.
    All,
    /// Its owner, or whom a value names.
    Owner,
    /// Nobody.
    Nobody,
    /// Whom the value `lookers` names.
    Value,
}

/// A zone or slot.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Whose.
    pub of: Of,
    /// Its name, which no other has.
    pub name: &'static str,
    /// The kind of what it holds.
    pub kind: usize,
    /// Whether it holds one thing at most.
    pub slot: bool,
    /// Who sees the faces in it.
    pub seen: Seen,
    /// Whether things may lie face down in it: no guard reads their faces.
    pub dark: bool,
}

/// A kind of components.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The kind that it is, too.
    pub parent: Option<usize>,
    /// Its members, those of its subkinds not among them.
    pub members: Vec<&'static str>,
    /// Whether each player has a set.
    pub sets: bool,
    /// Whether it is a die.
    pub die: bool,
    /// Whether its faces may be hidden.
    pub hidden: bool,
}

/// A value or a rule that can be called.
#[derive(Clone, Debug)]
pub struct Callable {
    /// Its name.
    pub name: String,
    /// What its parameters are.
    pub params: Vec<Ty>,
    /// What it gives.
    pub ty: Ty,
    /// How many folds are in one another in it, those of what it calls among them.
    pub folds: usize,
    /// How deep it calls values that are numbers.
    pub level: usize,
}

/// The shape of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Squares whose sides touch.
    Squares,
    /// Squares whose sides or corners touch.
    Diagonal,
    /// Hexes.
    Hexes,
    /// A line.
    Line,
}

/// Everything that is declared.
pub struct World {
    /// All chance.
    pub draw: Draw,
    /// Features that are left out.
    pub without: Vec<super::Feature>,
    /// Players' names.
    pub players: Vec<&'static str>,
    /// The map, with its size.
    pub map: Option<(Shape, u32, u32)>,
    /// Words of each enum.
    pub enums: Vec<(&'static str, Vec<&'static str>)>,
    /// Kinds of components.
    pub kinds: Vec<Kind>,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// Zones.
    pub zones: Vec<Zone>,
    /// Values that may be called so far.
    pub values: Vec<Callable>,
    /// Rules that may be called so far.
    pub rules: Vec<Callable>,
    /// Whether there is the phase `early`.
    pub phased: bool,
    /// What the variant `rich` holds, if there is one.
    pub variant: Option<Vec<Node>>,
    /// Whether cards have the values `bonus` and `wide`, which may be read now.
    pub own_values: bool,
    /// How many counters there are, if there are many.
    pub counters: Option<u32>,
    /// Numbers of names that were made.
    pub names: usize,
}

const PLAYERS: [&str; 4] = ["ann", "bo", "cy", "di"];
const HUES: [&str; 4] = ["red", "green", "blue", "grey"];
const MOODS: [&str; 3] = ["calm", "wild", "shy"];

impl World {
    /// A world without anything that acts.
    pub fn new(seed: u64, without: &[super::Feature]) -> World {
        let mut draw = Draw::new(seed);
        let players = PLAYERS[..draw.between(2, 3) as usize].to_vec();
        let map = match draw.weighted(&[4, 3, 3, 2, 2]) {
            0 => Some((Shape::Squares, draw.between(2, 4) as u32, draw.between(2, 3) as u32)),
            1 => Some((Shape::Diagonal, draw.between(2, 3) as u32, draw.between(2, 3) as u32)),
            2 => Some((Shape::Hexes, draw.between(2, 4) as u32, draw.between(2, 3) as u32)),
            3 => Some((Shape::Line, draw.between(3, 7) as u32, 1)),
            _ => None,
        };
        let mut enums = vec![("Hue", HUES[..draw.between(2, 4) as usize].to_vec())];
        if draw.chance(50) {
            enums.push(("Mood", MOODS[..draw.between(2, 3) as usize].to_vec()));
        }
        let mut w = World {
            draw,
            without: without.to_vec(),
            players,
            map,
            enums,
            kinds: Vec::new(),
            attrs: Vec::new(),
            zones: Vec::new(),
            values: Vec::new(),
            rules: Vec::new(),
            phased: false,
            variant: None,
            own_values: false,
            counters: None,
            names: 0,
        };
        w.phased = w.draw.chance(35) && w.has(super::Feature::Phases);
        w.variant = (w.draw.chance(35) && w.has(super::Feature::Variants)).then(Vec::new);
        w.make_kinds();
        w.make_attrs();
        w.make_zones();
        w
    }

    /// Whether a feature is used.
    pub fn has(&self, feature: super::Feature) -> bool {
        !self.without.contains(&feature)
    }

    /// A name that nothing has yet.
    pub fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}{}", self.names)
    }

    fn make_kinds(&mut self) {
        let plain = |name, members: &[&'static str]| Kind {
            name,
            parent: None,
            members: members.to_vec(),
            sets: false,
            die: false,
            hidden: false,
        };
        if self.draw.chance(70) {
            let card = self.kinds.len();
            self.kinds.push(plain("Card", &["oak", "elm", "ash"]));
            if self.draw.chance(70) {
                self.kinds.push(Kind { parent: Some(card), ..plain("Charm", &["lamp", "bell"]) });
            }
        }
        if self.draw.chance(50) {
            self.kinds.push(Kind { sets: true, ..plain("Man", &["chief", "scout"]) });
        }
        if self.draw.chance(50) {
            self.kinds.push(plain("Chip", &["counter"]));
        }
        if self.draw.chance(40) {
            self.kinds.push(Kind { die: true, ..plain("Cube", &["even_cube", "odd_cube"]) });
        }
        if self.draw.chance(45) && self.has(super::Feature::Secrets) {
            self.kinds.push(Kind { hidden: true, ..plain("Note", &["plea", "oath", "lie"]) });
        }
    }

    fn make_attrs(&mut self) {
        let word = |w: &mut World| Ty::Word(w.draw.below(w.enums.len()));
        let space = |w: &World| if w.map.is_some() { Ty::Space } else { Ty::Player };
        let some: [(Of, &'static str, Ty, usize); 19] = [
            (Of::Space, "lit", Ty::Bool, 70),
            (Of::Space, "level", Ty::Int, 70),
            (Of::Space, "mark", Ty::Player.maybe(), 70),
            (Of::Space, "hue", word(self), 50),
            (Of::Space, "link", Ty::Space.maybe(), 50),
            (Of::Space, "mood", word(self).maybe(), 30),
            (Of::Player, "coins", Ty::Int, 100),
            (Of::Player, "steps", Ty::Int, 30),
            (Of::Player, "awake", Ty::Bool, 50),
            (Of::Player, "spot", space(self).maybe(), 60),
            (Of::Player, "friend", Ty::Player.maybe(), 50),
            (Of::Player, "tint", word(self), 40),
            (Of::Player, "base", space(self), 30),
            (Of::Table, "pot", Ty::Int, 80),
            (Of::Table, "target", space(self).maybe(), 60),
            (Of::Table, "leader", Ty::Player.maybe(), 60),
            (Of::Table, "boss", Ty::Player, 50),
            (Of::Table, "season", word(self), 50),
            (Of::Table, "frozen", Ty::Bool, 40),
        ];
        for (of, name, ty, often) in some {
            let on_a_line = ty == Ty::Space && self.map.is_some_and(|m| m.0 == Shape::Line);
            if on_a_line && !self.has(super::Feature::DefaultOnALine) {
                continue;
            }
            if (of != Of::Space || self.map.is_some()) && self.draw.chance(often) {
                self.attrs.push(Attr { of, name, ty, printed: false });
            }
        }
        for k in 0..self.kinds.len() {
            let printed = |name, ty| Attr { of: Of::Kind(k), name, ty, printed: true };
            let changes = |name, ty: Ty| Attr { of: Of::Kind(k), name, ty, printed: false };
            match self.kinds.get(k).map(|k| k.name) {
                Some("Card") => {
                    self.attrs.push(printed("rank", Ty::Int));
                    if self.draw.chance(60) {
                        let ty = word(self);
                        self.attrs.push(printed("suit", ty));
                    }
                    if self.draw.chance(50) {
                        self.attrs.push(changes("wear", Ty::Int));
                    }
                    if self.draw.chance(40) {
                        self.attrs.push(changes("bearer", Ty::Player.maybe()));
                    }
                }
                Some("Charm") => self.attrs.push(printed("power", Ty::Int)),
                Some("Man") => {
                    self.attrs.push(printed("strong", Ty::Bool));
                    if self.draw.chance(60) {
                        self.attrs.push(changes("tired", Ty::Int));
                    }
                    if self.map.is_some() && self.draw.chance(40) {
                        self.attrs.push(changes("goal", Ty::Space.maybe()));
                    }
                }
                Some("Chip") if self.draw.chance(60) => self.attrs.push(changes("hot", Ty::Bool)),
                Some("Note") => {
                    self.attrs.push(printed("worth", Ty::Int));
                    if self.draw.chance(50) {
                        self.attrs.push(printed("true_word", Ty::Bool));
                    }
                }
                _ => {}
            }
        }
    }

    fn make_zones(&mut self) {
        let map = self.map.is_some();
        for k in 0..self.kinds.len() {
            let Some(kind) = self.kinds.get(k).cloned() else { continue };
            let mut add =
                |of, name, slot, seen| self.zones.push(Zone { of, name, kind: k, slot, seen, dark: false });
            match kind.name {
                "Card" => {
                    add(Of::Table, "deck", false, Seen::All);
                    add(Of::Player, "hand", false, Seen::All);
                    if map && self.draw.chance(40) {
                        self.zones.push(Zone {
                            of: Of::Space,
                            name: "pile",
                            kind: k,
                            slot: false,
                            seen: Seen::All,
                            dark: false,
                        });
                    }
                }
                "Charm" => add(Of::Player, "worn", false, Seen::All),
                "Man" if map => add(Of::Space, "on", true, Seen::All),
                "Man" => add(Of::Table, "camp", false, Seen::All),
                "Chip" => {
                    add(Of::Player, "purse", false, Seen::All);
                    if map {
                        add(Of::Space, "heap", false, Seen::All);
                    }
                }
                "Cube" => add(Of::Table, "tray", false, Seen::All),
                "Note" => {
                    add(Of::Table, "vault", false, Seen::Nobody);
                    add(Of::Player, "letters", false, Seen::Owner);
                    if self.draw.chance(40) {
                        self.zones.push(Zone {
                            of: Of::Player,
                            name: "desk",
                            kind: k,
                            slot: false,
                            seen: Seen::Value,
                            dark: false,
                        });
                    }
                    // Where some lie face down no guard reads a face in any zone that all see.
                    if self.draw.chance(50) && self.has(super::Feature::FaceDown) {
                        for (of, name) in [(Of::Table, "board"), (Of::Table, "nook"), (Of::Space, "lair")] {
                            let (slot, seen, dark) = (false, Seen::All, true);
                            if map || of == Of::Table {
                                self.zones.push(Zone { of, name, kind: k, slot, seen, dark });
                            }
                        }
                    } else {
                        self.zones.push(Zone {
                            of: Of::Table,
                            name: "board",
                            kind: k,
                            slot: false,
                            seen: Seen::All,
                            dark: false,
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// The name of a type, as it stands behind a colon.
    pub fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".into(),
            Ty::Bool => "bool".into(),
            Ty::Player => "player".into(),
            Ty::Space => "Cell".into(),
            Ty::Way => "Direction".into(),
            Ty::Word(e) => self.enums.get(*e).map_or("Hue", |e| e.0).into(),
            Ty::Thing(k) => self.kinds.get(*k).map_or("Card", |k| k.name).into(),
            Ty::Maybe(t) => format!("{}?", self.type_name(t)),
            Ty::Set(t) => format!("set of {}", self.type_name(t)),
            Ty::List(t) => format!("list of {}", self.type_name(t)),
        }
    }

    /// Whether a thing of the first kind is one of the second.
    pub fn is_a(&self, k: usize, of: usize) -> bool {
        k == of || self.kinds.get(k).and_then(|k| k.parent).is_some_and(|p| self.is_a(p, of))
    }

    /// The attributes that a thing of a type has.
    pub fn attrs_of(&self, ty: &Ty) -> Vec<Attr> {
        let of = |a: &&Attr| match (a.of, ty) {
            (Of::Player, Ty::Player) | (Of::Space, Ty::Space) => true,
            (Of::Kind(k), Ty::Thing(t)) => self.is_a(*t, k),
            _ => false,
        };
        self.attrs.iter().filter(of).cloned().collect()
    }

    /// The zones that a thing of a type has.
    pub fn zones_of(&self, ty: &Ty) -> Vec<Zone> {
        let of = |z: &&Zone| matches!((z.of, ty), (Of::Player, Ty::Player) | (Of::Space, Ty::Space));
        self.zones.iter().filter(of).cloned().collect()
    }

    /// The members of a kind, those of its subkinds among them.
    pub fn members_of(&self, k: usize) -> Vec<&'static str> {
        let kinds = self.kinds.iter().enumerate().filter(|(i, _)| self.is_a(*i, k));
        kinds.flat_map(|(_, k)| k.members.clone()).collect()
    }

    /// The names of some spaces.
    pub fn spaces(&self) -> Vec<String> {
        let Some((shape, w, h)) = self.map else { return Vec::new() };
        if shape == Shape::Line {
            return (1..=w).map(|n| format!("Cell({n})")).collect();
        }
        (0..w).flat_map(|c| (1..=h).map(move |r| format!("{}{r}", (b'A' + c as u8) as char))).collect()
    }

    /// The directions of the map.
    pub fn ways(&self) -> &'static [&'static str] {
        match self.map.map(|m| m.0) {
            Some(Shape::Hexes) => &["east", "west", "northeast", "northwest", "southeast", "southwest"],
            Some(Shape::Line) => &["east", "west"],
            _ => &["north", "east", "south", "west", "northeast", "southwest"],
        }
    }

    /// A plain expression of each type.
    pub fn constants(&self) -> Vec<(Ty, String)> {
        let mut out = vec![
            (Ty::Int, "0".to_string()),
            (Ty::Int, "1".to_string()),
            (Ty::Bool, "yes".to_string()),
            (Ty::Bool, "no".to_string()),
            (Ty::Player, self.players.first().map_or(String::new(), |p| p.to_string())),
            (Ty::Player.set(), "players".to_string()),
        ];
        if let Some(c) = self.spaces().first() {
            out.push((Ty::Space, c.clone()));
            out.push((Ty::Space.set(), "Cell".into()));
            out.push((Ty::Space.set(), format!("[{c}]")));
            out.push((Ty::Way, "east".into()));
        }
        for (i, (_, words)) in self.enums.iter().enumerate() {
            out.extend(words.first().map(|w| (Ty::Word(i), w.to_string())));
        }
        for (i, k) in self.kinds.iter().enumerate() {
            out.push((Ty::Thing(i).set(), k.name.to_string()));
        }
        out
    }

    /// The declarations of enums, map, kinds, table and players. `extra` are lines for members that hold attachments.
    pub fn declarations(&mut self, charms: Vec<Node>, active: Option<String>) -> Vec<Node> {
        let item = |text: String| Node::new(Sort::Item, &text.replace('%', ""), Vec::new());
        let mut out = Vec::new();
        for (name, words) in &self.enums {
            let words = words.iter().map(|w| item(w.to_string())).collect();
            let parts = vec![
                Part::Text(format!("enum {name} {{ ")),
                Part::Row(", ", 1, words),
                Part::Text(" }".into()),
            ];
            out.push(Node { sort: Sort::Item, parts });
        }
        if let Some((shape, w, h)) = self.map {
            let shape_text = match shape {
                Shape::Squares => "squares",
                Shape::Diagonal => "squares diagonal",
                Shape::Hexes => "hexes",
                Shape::Line => "line",
            };
            let mut parts = vec![Part::Text(format!("map Board {shape_text} ")), Part::Number(w, 2)];
            if shape != Shape::Line {
                parts.extend([Part::Text(" by ".into()), Part::Number(h, 1)]);
            }
            out.push(Node { sort: Sort::Item, parts });
            let own = self.own(Of::Space, None);
            out.push(braces("space Cell on Board", own));
        }
        let mut charms = charms.into_iter();
        for k in 0..self.kinds.len() {
            let Some(kind) = self.kinds.get(k).cloned() else { continue };
            let sort = match kind.name {
                "Card" | "Charm" | "Note" => "card",
                "Man" => "piece",
                "Cube" => "die",
                _ => "token",
            };
            let mut head = format!("{sort} {}", kind.name);
            if kind.sets {
                head.push_str(" of player");
            }
            if let Some(p) = kind.parent.and_then(|p| self.kinds.get(p)) {
                head.push_str(&format!(" is {}", p.name));
            }
            let mut own = self.own(Of::Kind(k), None);
            let valued = self.own_values && kind.name == "Card";
            if kind.name == "Card" {
                own.push(item("discards to deck".into()));
            }
            if valued {
                own.extend(self.own_value(k, true));
            }
            if kind.die {
                own.push(item(format!("faces: 1..{}", self.draw.between(2, 6))));
            }
            out.push(braces(&head, own));
            let rich = matches!(kind.name, "Card" | "Charm" | "Note");
            for (i, m) in kind.members.iter().enumerate() {
                let mut own = Vec::new();
                for a in self.attrs_of(&Ty::Thing(k)) {
                    if a.printed && self.draw.chance(75) {
                        let v = self.printed_value(&a);
                        own.push(item(format!("{}: {v}", a.name)));
                    }
                }
                if kind.name == "Charm" {
                    own.extend(charms.next());
                }
                if valued {
                    own.extend(self.own_value(k, false));
                }
                let copies = match kind.name {
                    "Chip" => self.draw.between(2, 5),
                    "Charm" => 1,
                    _ if rich => self.draw.between(1, 3),
                    _ => self.draw.between(1, 2),
                };
                let mut parts = vec![Part::Text(format!("{} {m}", kind.name))];
                if copies > 1 {
                    let many = self.counters.filter(|_| kind.name == "Chip").unwrap_or(copies as u32);
                    parts.extend([Part::Text(" x".into()), Part::Number(many, 1)]);
                }
                parts.extend([Part::Text(" { ".into()), Part::Row("; ", 0, own), Part::Text(" }".into())]);
                // Of each kind one member stays: a kind without any is another game.
                out.push(Node { sort: if i == 0 { Sort::Fixed } else { Sort::Item }, parts });
            }
            // The first member goes with its kind.
            if let Some(first) = kind.members.len().checked_sub(1).and_then(|n| out.len().checked_sub(n + 2))
            {
                let of_first = out.remove(first + 1);
                if let Some(slot) = out.get_mut(first) {
                    slot.parts.extend([Part::Text("\n".into()), Part::Node(of_first)]);
                }
            }
            if kind.name == "Card" {
                out.push(item("Card numbered(n: 1..3) { rank: n }".into()));
            }
        }
        let table = self.own(Of::Table, None);
        if !table.is_empty() {
            out.push(braces("table", table));
        }
        let own = self.own(Of::Player, active.as_deref());
        out.push(braces("player", own));
        out
    }

    /// The values of a card: as its kind declares them, or as a member fills some.
    fn own_value(&mut self, k: usize, declared: bool) -> Vec<Node> {
        let cx = super::exprs::Cx { locals: vec![("this".into(), Ty::Thing(k))], ..Default::default() };
        let values = std::mem::take(&mut self.values);
        self.own_values = false;
        let mut out = Vec::new();
        for (name, ty) in [("bonus", Ty::Int), ("wide", Ty::Bool)] {
            if declared || self.draw.chance(50) {
                let e = self.expr(&ty, &cx, 2);
                let head =
                    if declared { format!("value {name}: {}", self.type_name(&ty)) } else { name.into() };
                out.push(Node::new(Sort::Item, &format!("{head} = %"), vec![e]));
            }
        }
        (self.values, self.own_values) = (values, true);
        out
    }

    fn printed_value(&mut self, a: &Attr) -> String {
        match &a.ty {
            Ty::Int => self.draw.between(0, 5).to_string(),
            Ty::Bool => if self.draw.chance(50) { "yes" } else { "no" }.to_string(),
            Ty::Word(e) => {
                let words = self.enums.get(*e).map(|e| e.1.clone()).unwrap_or_default();
                self.draw.one(&words).unwrap_or("red").to_string()
            }
            _ => "none".into(),
        }
    }

    /// Attributes and zones as they are declared.
    fn own(&mut self, of: Of, active: Option<&str>) -> Vec<Node> {
        let mut out = Vec::new();
        for a in self.attrs.clone() {
            if a.of != of {
                continue;
            }
            let text = match &a.ty {
                Ty::Int if a.printed => format!("{}: 0..5 = {}", a.name, self.draw.between(0, 3)),
                Ty::Int if a.name == "steps" => "steps: 0..9 = 0 clamped per turn".into(),
                Ty::Int => {
                    let most = self.draw.between(3, 9);
                    format!("{}: 0..{most} = {} clamped", a.name, self.draw.between(0, 3))
                }
                Ty::Maybe(_) => format!("{}: {}", a.name, self.type_name(&a.ty)),
                Ty::Player => format!("{}: player = {}", a.name, self.players.first().unwrap_or(&"ann")),
                Ty::Space => {
                    let spaces = self.spaces();
                    format!("{}: Cell = {}", a.name, self.draw.one(&spaces).unwrap_or_default())
                }
                _ => format!("{}: {} = {}", a.name, self.type_name(&a.ty), self.printed_value(&a)),
            };
            out.push(Node::new(Sort::Item, &text, Vec::new()));
        }
        for z in self.zones.clone() {
            if z.of != of {
                continue;
            }
            let kind = self.kinds.get(z.kind).map_or("Card", |k| k.name);
            let mut text = format!("{} {}: {kind}", if z.slot { "slot" } else { "zone" }, z.name);
            match z.seen {
                Seen::All => {}
                Seen::Owner => text.push_str(" seen by owner"),
                Seen::Nobody => text.push_str(" seen by nobody"),
                Seen::Value => text.push_str(" seen by lookers(it)"),
            }
            // More than there are: whoever moves looks whether there is room, and there is.
            if matches!(z.name, "hand" | "heap") && self.players.len() == 3 {
                text.push_str(" up to 400");
            }
            if z.name == "worn" {
                text.push_str(" active");
                if let Some(when) = active {
                    text.push_str(&format!(" when {when}"));
                }
            }
            out.push(Node::new(Sort::Item, &text, Vec::new()));
        }
        out
    }
}

/// A declaration whose parts stand in braces.
fn braces(head: &str, own: Vec<Node>) -> Node {
    let parts = vec![Part::Text(format!("{head} {{ ")), Part::Row("; ", 0, own), Part::Text(" }".into())];
    Node { sort: Sort::Item, parts }
}
