//! What the compiler knows of a set-up before it makes code: [`Layout`], which is frozen once the layout is done, and [`Tables`], which grow.
use crate::facts::game_facts::Facts;
use crate::ir::*;
use crate::setup::{LowerOptions, Resolved};
use houserule_model::hir::{self, *};
use houserule_text::Diagnostic;
use rustc_hash::FxHashMap as HashMap;

/// Where an attribute lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the state.
    Cell(AttrIx),
    /// In a table by face (components) or by thing.
    Table(TableIx),
    /// In a table by the sides of dice.
    Side(TableIx),
    /// Sets in a row, by face (components) or by thing: the first word, over that universe.
    Sets(u32, UniverseId),
    /// Lists in a table of constant lists, by face (components) or by thing.
    Lists(LinesIx),
}

/// A plain value: how many parameters it has, and its body.
pub type Plain = std::rc::Rc<(usize, hir::Expr)>;

/// An attachment of a layer, with the names of its rule that it uses.
pub struct Layered<'m> {
    /// The attachment.
    pub a: &'m Attachment,
    /// Names with their types, in the order in which they are captured.
    pub names: Vec<(LocalId, Ty)>,
}

/// What is known of an expression's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totality {
    /// It can be worked out in every state.
    pub total: bool,
    /// Where it can, it is not none.
    pub some: bool,
}

/// What is asked of a value: which, the parameters that stand for what is being vectorised (a bit each), and whether it is worked out in order.
pub type AskedTotality = (ValueId, u32, bool);

/// Which built-in a grid of constant sets answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GridSort {
    /// By direction, then space.
    Fan,
    /// By space: so far one way, so far aside.
    Leaps(i64, i64),
    /// By space: the neighbours in these directions (bits).
    Near(u8),
    /// By one space, then the other.
    Between,
    /// By number from 1: rows.
    Rows,
    /// Columns.
    Columns,
}

/// How a set-up is laid out: which number each thing has, and where the state keeps each attribute and zone. Only the files of this folder write to it ([`Tables`]
/// gives it to others to read).
pub struct Layout<'m> {
    /// The game.
    pub m: &'m Model,
    /// What all of its rules say together.
    pub game_facts: &'m Facts,
    /// The set-up.
    pub set: &'m Resolved,
    /// Universe of a kind's things (component kinds: of the root's).
    pub kind_uni: HashMap<KindId, UniverseId>,
    /// Component tables by root kind.
    pub comps_of: HashMap<KindId, u16>,
    /// The place of a member among its kind's things, for kinds that are not components.
    pub member_no: HashMap<MemberId, u32>,
    /// Faces of a member: first number, keys' least, how many.
    pub faces_of: HashMap<MemberId, (u16, i32, u16)>,
    /// Components of each kind as a set over the root's universe.
    pub things_of: HashMap<KindId, Vec<u64>>,
    /// Member and key of each face, by root's index.
    pub face_members: Vec<Vec<(MemberId, i32)>>,
    /// The kind of each face, by root's index.
    pub face_kinds: Vec<Vec<KindId>>,
    /// The declared sides of each face of dice, by root's index.
    pub sides: Vec<Vec<Vec<Side>>>,
    /// Attributes.
    pub homes: HashMap<AttrId, Home>,
    /// Zones.
    pub zone_ix: HashMap<ZoneId, ZoneIx>,
    /// Maps.
    pub map_ix: HashMap<MapId, MapIx>,
    /// Rows and columns.
    pub rank_tables: HashMap<KindId, LinesIx>,
    /// Phases.
    pub phase_ix: HashMap<RuleId, PhaseIx>,
    /// The universe of phases, if there are any.
    pub phase_uni: Option<UniverseId>,
}

/// The program's tables while it is made, and what has been found out about expressions: all that can be asked before code is made for them. It grows, but what stands in it
/// stays.
pub struct Tables<'m> {
    pub(super) layout: Layout<'m>,
    /// How code is made.
    pub opts: LowerOptions,
    /// What is made.
    pub p: Program,
    /// Findings: what cannot be lowered.
    pub errors: Vec<Diagnostic>,
    /// Number universes.
    pub number_universes: HashMap<(i32, i32), UniverseId>,
    /// What built-ins say of each space of a map, as constant sets.
    pub grids: HashMap<(MapIx, GridSort), GridIx>,
    /// Numbers about a map: angles, mirrored spaces.
    pub map_numbers: HashMap<(MapIx, &'static str), TableIx>,
    /// Values that have been asked whether they are plain: nothing fills, modifies or repeats them.
    pub plain_values: std::cell::RefCell<HashMap<ValueId, Option<Plain>>>,
    /// Attachments that layers can bring; numbered as in [`Program::leased`].
    pub layer_attachments: Vec<Layered<'m>>,
    /// Fixed planes by table and comparison.
    pub groups_by_table: HashMap<(TableIx, Comparison), GroupIx>,
    /// Values that look at nothing that changes, by the universe of their sets.
    pub value_groups: HashMap<(ValueId, UniverseId), Option<GroupIx>>,
    /// Values of yes and no that look at nothing that changes: of which things they are yes.
    pub truth_sets: HashMap<(ValueId, UniverseId), Option<u32>>,
    /// The same as tables, by value.
    pub truth_tables: HashMap<ValueId, Option<TableIx>>,
    /// Tables of what one table says of what another says.
    pub composed_tables: HashMap<(TableIx, TableIx), TableIx>,
    /// Fixed planes by what each thing has, with the comparison.
    pub groups_by_values: HashMap<(Vec<i32>, Comparison), GroupIx>,
    /// Fixed planes of pairs, by what they hold: see [`crate::index::pairs`].
    pub groups_by_pair: HashMap<(UniverseId, Vec<u64>), GroupIx>,
    /// Lines by map and length.
    pub line_tables: HashMap<(MapIx, usize), LinesIx>,
    /// Values that have been asked whether they can fault; none while one is being asked.
    pub totality: HashMap<AskedTotality, Option<Totality>>,
    /// Which of their parameters values look at.
    pub used_params: HashMap<ValueId, Option<std::rc::Rc<Vec<bool>>>>,
}

impl<'m> std::ops::Deref for Tables<'m> {
    type Target = Layout<'m>;
    fn deref(&self) -> &Layout<'m> {
        &self.layout
    }
}

impl<'m> Tables<'m> {
    /// Lays out a set-up. Findings stand in [`Tables::errors`].
    pub fn new(m: &'m Model, facts: &'m Facts, set: &'m Resolved, opts: LowerOptions) -> Tables<'m> {
        let layout = Layout {
            m,
            game_facts: facts,
            set,
            kind_uni: HashMap::default(),
            comps_of: HashMap::default(),
            member_no: HashMap::default(),
            faces_of: HashMap::default(),
            things_of: HashMap::default(),
            face_members: Vec::new(),
            face_kinds: Vec::new(),
            sides: Vec::new(),
            homes: HashMap::default(),
            zone_ix: HashMap::default(),
            map_ix: HashMap::default(),
            rank_tables: HashMap::default(),
            phase_ix: HashMap::default(),
            phase_uni: None,
        };
        let mut tables = Tables {
            layout,
            opts,
            p: empty(m, set),
            errors: Vec::new(),
            number_universes: HashMap::default(),
            grids: HashMap::default(),
            map_numbers: HashMap::default(),
            plain_values: std::cell::RefCell::default(),
            layer_attachments: Vec::new(),
            groups_by_table: HashMap::default(),
            value_groups: HashMap::default(),
            truth_sets: HashMap::default(),
            truth_tables: HashMap::default(),
            composed_tables: HashMap::default(),
            groups_by_values: HashMap::default(),
            groups_by_pair: HashMap::default(),
            line_tables: HashMap::default(),
            totality: HashMap::default(),
            used_params: HashMap::default(),
        };
        tables.lay_out();
        tables.check_sizes();
        tables
    }
}

/// A program of a set-up, with nothing in it yet.
fn empty(m: &Model, set: &Resolved) -> Program {
    let mut fingerprint = m.fingerprint;
    let mut mix =
        |x: u64| fingerprint = (fingerprint ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    mix(u64::from(set.players));
    set.scopes.iter().for_each(|s| mix(u64::from(s.0)));
    set.options.iter().for_each(|(o, v)| mix((u64::from(o.0) << 32) ^ *v as u64));
    Program {
        title: m.title.clone(),
        fingerprint,
        players: set.players as u8,
        seats: set.seats as u8,
        answered: set.answered.clone(),
        truth_universe: UniverseId(1),
        ..Program::default()
    }
}
