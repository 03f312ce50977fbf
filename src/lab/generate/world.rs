//! What a generated program has declared so far: players, map, enums, kinds, attributes, zones. The generator takes expressions and statements from these lists.
use super::draw::Draw;
use super::tree::{Node, Ty};

/// What holds an attribute or zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
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
    pub of: Holder,
    /// Its name, which no other has.
    pub name: &'static str,
    /// What it holds.
    pub ty: Ty,
    /// Whether rules never change it: then it is printed on a face.
    pub printed: bool,
}

/// Who sees what lies in a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenBy {
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
    pub of: Holder,
    /// Its name, which no other has.
    pub name: &'static str,
    /// The kind of what it holds.
    pub kind: usize,
    /// Whether it holds one thing at most.
    pub slot: bool,
    /// Who sees the faces in it.
    pub seen: SeenBy,
    /// Whether things may lie face down in it: no guard reads their faces.
    pub dark: bool,
}

/// The zone of the table to which notes are moved face up only, although notes lie face down elsewhere.
pub const LEDGE: &str = "ledge";

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
pub enum MapShape {
    /// Squares whose sides touch.
    Squares,
    /// Squares whose sides or corners touch.
    Diagonal,
    /// Hexes.
    Hexes,
    /// A line.
    Line,
    /// Named places with ways between them.
    Graph,
}

/// The places of graphs.
pub const PLACES: [&str; 6] = ["inn", "mill", "farm", "ford", "wood", "glen"];

/// Everything that is declared.
pub struct Generator {
    /// All chance.
    pub draw: Draw,
    /// Features that are left out.
    pub without: Vec<super::Feature>,
    /// Players' names.
    pub players: Vec<&'static str>,
    /// The map, with its size.
    pub map: Option<(MapShape, u32, u32)>,
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

impl Generator {
    /// A world without anything that acts.
    pub fn new(seed: u64, without: &[super::Feature]) -> Generator {
        let mut draw = Draw::new(seed);
        let players = PLAYERS[..draw.draw_between(2, 3) as usize].to_vec();
        let map = match draw.draw_weighted(&[4, 3, 3, 2, 2, 2]) {
            0 => Some((MapShape::Squares, draw.draw_between(2, 4) as u32, draw.draw_between(2, 3) as u32)),
            1 => Some((MapShape::Diagonal, draw.draw_between(2, 3) as u32, draw.draw_between(2, 3) as u32)),
            2 => Some((MapShape::Hexes, draw.draw_between(2, 4) as u32, draw.draw_between(2, 3) as u32)),
            3 => Some((MapShape::Line, draw.draw_between(3, 7) as u32, 1)),
            4 => Some((MapShape::Graph, draw.draw_between(3, PLACES.len() as i64) as u32, 1)),
            _ => None,
        };
        let mut enums = vec![("Hue", HUES[..draw.draw_between(2, 4) as usize].to_vec())];
        if draw.draw_percent(50) {
            enums.push(("Mood", MOODS[..draw.draw_between(2, 3) as usize].to_vec()));
        }
        let mut w = Generator {
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
        w.phased = w.draw.draw_percent(35) && w.has_feature(super::Feature::Phases);
        w.variant = (w.draw.draw_percent(35) && w.has_feature(super::Feature::Variants)).then(Vec::new);
        w.make_kinds();
        w.make_attrs();
        w.make_zones();
        w
    }

    /// Whether a feature is used.
    pub fn has_feature(&self, feature: super::Feature) -> bool {
        !self.without.contains(&feature)
    }

    /// A name that nothing has yet.
    pub fn make_name(&mut self, start: &str) -> String {
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
        if self.draw.draw_percent(70) {
            let card = self.kinds.len();
            self.kinds.push(plain("Card", &["oak", "elm", "ash"]));
            if self.draw.draw_percent(70) {
                self.kinds.push(Kind { parent: Some(card), ..plain("Charm", &["lamp", "bell"]) });
            }
        }
        if self.draw.draw_percent(50) {
            self.kinds.push(Kind { sets: true, ..plain("Man", &["chief", "scout"]) });
        }
        if self.draw.draw_percent(50) {
            self.kinds.push(plain("Chip", &["counter"]));
        }
        if self.draw.draw_percent(40) {
            self.kinds.push(Kind { die: true, ..plain("Cube", &["even_cube", "odd_cube"]) });
        }
        if self.draw.draw_percent(45) && self.has_feature(super::Feature::Secrets) {
            self.kinds.push(Kind { hidden: true, ..plain("Note", &["plea", "oath", "lie"]) });
        }
    }

    fn make_attrs(&mut self) {
        let word = |w: &mut Generator| Ty::Word(w.draw.draw_below(w.enums.len()));
        let space = |w: &Generator| if w.map.is_some() { Ty::Space } else { Ty::Player };
        let some: [(Holder, &'static str, Ty, usize); 19] = [
            (Holder::Space, "lit", Ty::Bool, 70),
            (Holder::Space, "level", Ty::Int, 70),
            (Holder::Space, "mark", Ty::Player.maybe(), 70),
            (Holder::Space, "hue", word(self), 50),
            (Holder::Space, "link", Ty::Space.maybe(), 50),
            (Holder::Space, "mood", word(self).maybe(), 30),
            (Holder::Player, "coins", Ty::Int, 100),
            (Holder::Player, "steps", Ty::Int, 30),
            (Holder::Player, "awake", Ty::Bool, 50),
            (Holder::Player, "spot", space(self).maybe(), 60),
            (Holder::Player, "friend", Ty::Player.maybe(), 50),
            (Holder::Player, "tint", word(self), 40),
            (Holder::Player, "base", space(self), 30),
            (Holder::Table, "pot", Ty::Int, 80),
            (Holder::Table, "target", space(self).maybe(), 60),
            (Holder::Table, "leader", Ty::Player.maybe(), 60),
            (Holder::Table, "boss", Ty::Player, 50),
            (Holder::Table, "season", word(self), 50),
            (Holder::Table, "frozen", Ty::Bool, 40),
        ];
        for (of, name, ty, often) in some {
            let on_a_line = ty == Ty::Space && self.map.is_some_and(|m| m.0 == MapShape::Line);
            if on_a_line && !self.has_feature(super::Feature::DefaultOnALine) {
                continue;
            }
            if (of != Holder::Space || self.map.is_some()) && self.draw.draw_percent(often) {
                self.attrs.push(Attr { of, name, ty, printed: false });
            }
        }
        for k in 0..self.kinds.len() {
            let printed = |name, ty| Attr { of: Holder::Kind(k), name, ty, printed: true };
            let changes = |name, ty: Ty| Attr { of: Holder::Kind(k), name, ty, printed: false };
            match self.kinds.get(k).map(|k| k.name) {
                Some("Card") => {
                    self.attrs.push(printed("rank", Ty::Int));
                    if self.draw.draw_percent(60) {
                        let ty = word(self);
                        self.attrs.push(printed("suit", ty));
                    }
                    if self.draw.draw_percent(50) {
                        self.attrs.push(changes("wear", Ty::Int));
                    }
                    if self.draw.draw_percent(40) {
                        self.attrs.push(changes("bearer", Ty::Player.maybe()));
                    }
                }
                Some("Charm") => self.attrs.push(printed("power", Ty::Int)),
                Some("Man") => {
                    self.attrs.push(printed("strong", Ty::Bool));
                    if self.draw.draw_percent(60) {
                        self.attrs.push(changes("tired", Ty::Int));
                    }
                    if self.map.is_some() && self.draw.draw_percent(40) {
                        self.attrs.push(changes("goal", Ty::Space.maybe()));
                    }
                }
                Some("Chip") if self.draw.draw_percent(60) => self.attrs.push(changes("hot", Ty::Bool)),
                Some("Note") => {
                    self.attrs.push(printed("worth", Ty::Int));
                    if self.draw.draw_percent(50) {
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
                    add(Holder::Table, "deck", false, SeenBy::All);
                    add(Holder::Player, "hand", false, SeenBy::All);
                    if map && self.draw.draw_percent(40) {
                        self.zones.push(Zone {
                            of: Holder::Space,
                            name: "pile",
                            kind: k,
                            slot: false,
                            seen: SeenBy::All,
                            dark: false,
                        });
                    }
                }
                "Charm" => add(Holder::Player, "worn", false, SeenBy::All),
                "Man" if map => add(Holder::Space, "on", true, SeenBy::All),
                "Man" => add(Holder::Table, "camp", false, SeenBy::All),
                "Chip" => {
                    add(Holder::Player, "purse", false, SeenBy::All);
                    if map {
                        add(Holder::Space, "heap", false, SeenBy::All);
                    }
                }
                "Cube" => add(Holder::Table, "tray", false, SeenBy::All),
                "Note" => {
                    add(Holder::Table, "vault", false, SeenBy::Nobody);
                    add(Holder::Player, "letters", false, SeenBy::Owner);
                    if self.draw.draw_percent(40) {
                        self.zones.push(Zone {
                            of: Holder::Player,
                            name: "desk",
                            kind: k,
                            slot: false,
                            seen: SeenBy::Value,
                            dark: false,
                        });
                    }
                    // Where some lie face down no guard reads a face; on the ledge all lie face up.
                    if self.draw.draw_percent(50) && self.has_feature(super::Feature::FaceDown) {
                        if self.draw.draw_percent(50) {
                            let (of, slot, seen, dark) = (Holder::Table, false, SeenBy::All, false);
                            self.zones.push(Zone { of, name: LEDGE, kind: k, slot, seen, dark });
                        }
                        for (of, name) in
                            [(Holder::Table, "board"), (Holder::Table, "nook"), (Holder::Space, "lair")]
                        {
                            let (slot, seen, dark) = (false, SeenBy::All, true);
                            if map || of == Holder::Table {
                                self.zones.push(Zone { of, name, kind: k, slot, seen, dark });
                            }
                        }
                    } else {
                        self.zones.push(Zone {
                            of: Holder::Table,
                            name: "board",
                            kind: k,
                            slot: false,
                            seen: SeenBy::All,
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
            (Holder::Player, Ty::Player) | (Holder::Space, Ty::Space) => true,
            (Holder::Kind(k), Ty::Thing(t)) => self.is_a(*t, k),
            _ => false,
        };
        self.attrs.iter().filter(of).cloned().collect()
    }

    /// The zones that a thing of a type has.
    pub fn zones_of(&self, ty: &Ty) -> Vec<Zone> {
        let of = |z: &&Zone| matches!((z.of, ty), (Holder::Player, Ty::Player) | (Holder::Space, Ty::Space));
        self.zones.iter().filter(of).cloned().collect()
    }

    /// The members of a kind, those of its subkinds among them.
    pub fn members_of(&self, k: usize) -> Vec<&'static str> {
        let kinds = self.kinds.iter().enumerate().filter(|(i, _)| self.is_a(*i, k));
        kinds.flat_map(|(_, k)| k.members.clone()).collect()
    }

    /// The names of some spaces.
    pub fn space_names(&self) -> Vec<String> {
        let Some((shape, w, h)) = self.map else { return Vec::new() };
        if shape == MapShape::Line {
            return (1..=w).map(|n| format!("Cell({n})")).collect();
        }
        if shape == MapShape::Graph {
            return PLACES.iter().take(w as usize).map(|p| p.to_string()).collect();
        }
        (0..w).flat_map(|c| (1..=h).map(move |r| format!("{}{r}", (b'A' + c as u8) as char))).collect()
    }

    /// Whether spaces of the map lie in directions from each other.
    pub fn has_directions(&self) -> bool {
        self.map.is_some_and(|m| m.0 != MapShape::Graph)
    }

    /// Whether the map has rows and columns.
    pub fn has_rows(&self) -> bool {
        self.map.is_some_and(|m| !matches!(m.0, MapShape::Line | MapShape::Graph))
    }

    /// The directions of the map.
    pub fn directions(&self) -> &'static [&'static str] {
        match self.map.map(|m| m.0) {
            Some(MapShape::Hexes) => &["east", "west", "northeast", "northwest", "southeast", "southwest"],
            Some(MapShape::Line) => &["east", "west"],
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
        if let Some(c) = self.space_names().first() {
            out.push((Ty::Space, c.clone()));
            out.push((Ty::Space.set(), "Cell".into()));
            out.push((Ty::Space.set(), format!("[{c}]")));
        }
        if self.has_directions() {
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
}
