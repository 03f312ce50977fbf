//! Data of the compiler about one set-up: [`Layout`] (numbering and storage, frozen once the layout is done) and [`Tables`] (program tables and analysis results, which grow).
use crate::facts::game_facts::Facts;
use crate::ir::*;
use crate::setup::{LowerOptions, Resolved};
use houserule_model::hir::{self, *};
use houserule_text::{Diagnostic, Span};
use rustc_hash::FxHashMap as HashMap;

/// The storage class of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// In cells of the state.
    Cell(AttrIx),
    /// In a constant table, by face (components) or by thing.
    Table(TableIx),
    /// In a constant table, by the sides of dice.
    Side(TableIx),
    /// Constant sets in a row, by face (components) or by thing: the first word, and the universe of the sets.
    Sets(u32, UniverseId),
    /// In a table of constant lists, by face (components) or by thing.
    Lists(LinesIx),
}

/// A plain value (nothing modifies or fills it): its number of parameters and its body.
pub type Plain = std::rc::Rc<(usize, hir::Expr)>;

/// An attachment of a layer, with the names of its rule that it captures.
pub struct Layered<'m> {
    /// The attachment.
    pub a: &'m Attachment,
    /// Names with their types, in the order of capture.
    pub names: Vec<(LocalId, Ty)>,
}

/// One mark of a sign on a space.
pub struct Sign {
    pub column: u32,
    pub row: u32,
    pub span: Span,
    pub mark: Mark,
    /// The owner of the component that it puts there.
    pub whose: Option<Expr>,
}

/// Whether an expression can fault or be none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totality {
    /// It does not fault in any state.
    pub total: bool,
    /// If it does not fault, it is not none.
    pub some: bool,
}

/// Key of a totality question: the value, its lifted parameters (a bit each), and whether it is evaluated for one thing at a time, in order.
pub type AskedTotality = (ValueId, u32, bool);

/// Which built-in a grid of constant sets answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GridSort {
    /// `fan`: by direction, then space.
    Fan,
    /// `leaps`: by space, for these two distances.
    Leaps(i64, i64),
    /// `neighbours`: by space, in these directions (bits).
    Near(u8),
    /// `between`: by one space, then the other.
    Between,
    /// Rows, by number from 1.
    Rows,
    /// Columns, by number from 1.
    Columns,
}

/// The layout of a set-up: the number of each thing, and the storage of each attribute and zone. Only the files of this folder change it; others read it through
/// [`Tables`].
pub struct Layout<'m> {
    /// The checked game.
    pub m: &'m Model,
    /// Facts about all rules of the game.
    pub game_facts: &'m Facts,
    /// The set-up.
    pub set: &'m Resolved,
    /// Universe of a kind's things; of a component kind, the universe of its root kind.
    pub kind_uni: HashMap<KindId, UniverseId>,
    /// Component tables by root kind.
    pub comps_of: HashMap<KindId, u16>,
    /// Number of a member among the things of its kind, for kinds that are not components.
    pub member_no: HashMap<MemberId, u32>,
    /// Faces of a member: the first number, the least key, how many.
    pub faces_of: HashMap<MemberId, (u16, i32, u16)>,
    /// Components of each kind as a set over the root's universe.
    pub things_of: HashMap<KindId, Vec<u64>>,
    /// Member and key of each face, by index of the root kind.
    pub face_members: Vec<Vec<(MemberId, i32)>>,
    /// Kind of each face, by index of the root kind.
    pub face_kinds: Vec<Vec<KindId>>,
    /// Declared sides of each face of dice, by index of the root kind.
    pub sides: Vec<Vec<Vec<Side>>>,
    /// Storage of attributes.
    pub homes: HashMap<AttrId, Home>,
    /// Numbers of zones.
    pub zone_ix: HashMap<ZoneId, ZoneIx>,
    /// Numbers of maps.
    pub map_ix: HashMap<MapId, MapIx>,
    /// Tables of rows and columns.
    pub rank_tables: HashMap<KindId, LinesIx>,
    /// Numbers of phases.
    pub phase_ix: HashMap<RuleId, PhaseIx>,
    /// The universe of phases, if there are any.
    pub phase_uni: Option<UniverseId>,
}

/// The tables of the program while it is compiled, and results of analyses of expressions: all that is known without code. Entries are added and never changed, so an
/// index into a table stays valid.
pub struct Tables<'m> {
    pub(super) layout: Layout<'m>,
    /// Options of code generation.
    pub opts: LowerOptions,
    /// The program that is made.
    pub p: Program,
    /// Findings: what cannot be compiled.
    pub errors: Vec<Diagnostic>,
    /// Universes of number ranges.
    pub number_universes: HashMap<(i32, i32), UniverseId>,
    /// Grids of constant sets, by map and built-in.
    pub grids: HashMap<(MapIx, GridSort), GridIx>,
    /// Tables of numbers about a map: angles, mirrored spaces.
    pub map_numbers: HashMap<(MapIx, Builtin), TableIx>,
    /// Plain values with their bodies; none for a value that is not plain.
    pub plain_values: std::cell::RefCell<HashMap<ValueId, Option<Plain>>>,
    /// Attachments that layers can bring, numbered as in [`Program::leased`].
    pub layer_attachments: Vec<Layered<'m>>,
    /// Fixed plane groups, by table and comparison.
    pub groups_by_table: HashMap<(TableIx, Comparison), GroupIx>,
    /// Values that read nothing that changes, as fixed plane groups, by the universe of their sets.
    pub value_groups: HashMap<(ValueId, UniverseId), Option<GroupIx>>,
    /// Truth values that read nothing that changes, as constant sets: the things for which they are true.
    pub truth_sets: HashMap<(ValueId, UniverseId), Option<u32>>,
    /// The same values as tables.
    pub truth_tables: HashMap<ValueId, Option<TableIx>>,
    /// Declarations by what and where they are.
    pub decl_ix: HashMap<(&'static str, Span), DeclIx>,
    /// By attribute `per stay`: what each face begins with.
    pub stay_tables: HashMap<AttrIx, TableIx>,
    /// Compositions of two tables: the second looked up by the first.
    pub composed_tables: HashMap<(TableIx, TableIx), TableIx>,
    /// Fixed plane groups, by the values of all things and the comparison.
    pub groups_by_values: HashMap<(Vec<i32>, Comparison), GroupIx>,
    /// Fixed plane groups of pairs, by their content: see [`crate::index::pairs`].
    pub groups_by_pair: HashMap<(UniverseId, Vec<u64>), GroupIx>,
    /// Tables of lines, by map and length.
    pub line_tables: HashMap<(MapIx, usize), LinesIx>,
    /// Totality of values; none while it is being computed.
    pub totality: HashMap<AskedTotality, Option<Totality>>,
    /// The marks that pictures put on the spaces of maps.
    pub signs_of: HashMap<MapId, std::rc::Rc<Vec<Sign>>>,
    /// Which parameters the body of a value reads.
    pub used_params: HashMap<ValueId, Option<std::rc::Rc<Vec<bool>>>>,
}

impl<'m> std::ops::Deref for Tables<'m> {
    type Target = Layout<'m>;
    fn deref(&self) -> &Layout<'m> {
        &self.layout
    }
}

impl<'m> Tables<'m> {
    /// Lays out a set-up. Findings are in [`Tables::errors`].
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
            decl_ix: HashMap::default(),
            stay_tables: HashMap::default(),
            composed_tables: HashMap::default(),
            groups_by_values: HashMap::default(),
            groups_by_pair: HashMap::default(),
            line_tables: HashMap::default(),
            totality: HashMap::default(),
            signs_of: HashMap::default(),
            used_params: HashMap::default(),
        };
        tables.lay_out();
        tables.check_sizes();
        tables
    }
}

/// An empty program for a set-up.
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
