//! The Draw pane: a scenario as a map. `data` is what is shown, `tool` the tools, `ui` and `side` show it; every stroke, field and button becomes an intent that the library
//! plans, and as one step of the document's journal.
mod data;
mod exchange;
mod form;
mod layers;
mod patches;
mod preview;
mod prints;
mod resize;
mod side;
mod stamps;
mod tool;
mod trial;
mod ui;

pub use data::{Data, ListedPatch, PatchList, to_at, to_spot};
pub use exchange::{Content, ExportFile};
pub use tool::{Hand, HeldPiece, Stroke};

use crate::canvas::{At, Overlay, Viewport};
pub use crate::command::draw::{Act, Tool};
use crate::command::{self, Command};
use crate::document::{Revision, Subject, TextPlace};
use crate::panels::{Context, DrawnSetup};
use houserule::ide::Analysis;
use houserule::ide::draw::brush::Strokes;
use houserule::ide::draw::{
    Board, Drawing, Field, FieldKey, Sheet, SheetId, Spot, Symmetry, Turn, find_sheet_around, list_sheets,
};
use houserule::ide::plan::{Intent, Sides, plan};
use houserule::ide::{games, template};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What stands beside the map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Side {
    /// The signs.
    #[default]
    Palette,
    /// What can be put on spaces mark by mark.
    Marks,
    /// The form.
    Form,
    /// What is shown of the map.
    Layers,
    /// Pieces of maps that are kept.
    Stamps,
    /// The size.
    Size,
    /// The patches of which the map is laid out.
    Patches,
    /// A map of another tool, to be imported.
    File,
}

/// What Draw keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    /// The sheet that is shown, and of which game.
    sheet: Option<(Subject, SheetId)>,
    /// The file that was open when it was chosen.
    file: Option<Arc<str>>,
    /// What is shown.
    data: Option<Arc<Data>>,
    /// Which of its maps.
    board: usize,
    /// Its tiles without the layers that are hidden.
    seen: Option<layers::SeenTiles>,
    /// What the game asks of the scenario that is shown, judged where it begins.
    trial: trial::Trial,
    /// From where it is looked at.
    view: Viewport,
    /// What the hand holds.
    pub hand: Hand,
    /// The texts' revision when this was last shown.
    now: Revision,
    /// What was written after those revisions and is not known yet, the last one last.
    pending: Vec<(Revision, Strokes)>,
    side: Side,
    patches: patches::Shown,
    stamps: stamps::Shown,
    by: Sides,
    /// A resize that is looked at.
    preview: Option<preview::Preview>,
    /// A side of the map that is being dragged.
    pull: Option<resize::Pull>,
    /// A map of another tool that is being mapped to signs.
    import: Option<exchange::Import>,
    /// What is being written into fields.
    drafts: BTreeMap<FieldKey, String>,
    /// A row of the legend that is being written: sign and marks.
    row: (String, String),
    /// A row's name that is being written.
    row_name: Option<(u32, String)>,
    /// A declaration that is being written.
    item: String,
    /// One that is being written anew: its number, how it was, and how it is to be.
    rewritten: Option<(usize, String, String)>,
    /// Other scenarios in which the form sets its fields, too.
    others: BTreeSet<SheetId>,
    /// Their forms, and of which revision and scenarios these are.
    forms: Option<(Revision, BTreeSet<SheetId>, Vec<Vec<Field>>)>,
    /// Where the pointer or the keyboard is, for the preview.
    hovered: Option<(u32, u32)>,
    /// The keyboard moved last, not the pointer.
    by_key: bool,
    /// What lay over the map in the frame before, and of what it was made.
    over: Option<(Overs, Arc<BTreeMap<At, Overlay>>)>,
    /// The place whose sign holds the text's cursor, and of which cursor, revision and map that is.
    in_text: Option<(TextPlace, Revision, usize, Option<At>)>,
}

/// All that what lies over a map is made of: as long as it is the same, so is that.
#[derive(Clone, PartialEq, Debug)]
struct Overs {
    revision: Revision,
    board: usize,
    focus: Option<Spot>,
    hand: Hand,
    pending: Vec<Revision>,
}

impl State {
    /// What is shown.
    pub fn data(&self) -> Option<&Data> {
        self.data.as_deref()
    }

    /// From where the map is looked at.
    pub fn view(&mut self) -> &mut Viewport {
        &mut self.view
    }

    /// What was written and lies over the map until the texts have been read with it.
    pub fn written_strokes(&self) -> Strokes {
        self.pending.iter().flat_map(|(_, strokes)| strokes.clone()).collect()
    }

    /// The sheet that is shown.
    pub fn sheet(&self) -> Option<&SheetId> {
        self.sheet.as_ref().map(|(_, s)| s)
    }

    /// What is drawn for the file that is open, in words of a set-up. None where that was opened while Draw was not shown.
    pub fn drawn_setup(&self, open: Option<&TextPlace>) -> Option<DrawnSetup> {
        let ((subject, _), data) = (self.sheet.as_ref()?, self.data.as_ref()?);
        let sheet = &data.drawing.sheet;
        (self.file.as_deref() == Some(&*open?.file)).then(|| DrawnSetup {
            subject: subject.clone(),
            chosen: sheet.id != SheetId::Game,
            scenario: sheet.scenario.as_ref().map(|s| s.to_string()),
            variants: sheet.variants.iter().map(|v| v.to_string()).collect(),
        })
    }

    /// The map that is shown.
    fn shown_board(&self) -> Option<&Board> {
        self.data.as_ref()?.board(self.board)
    }

    /// Brings what is shown up to date with the open file and with what is known of it.
    fn refresh(&mut self, cx: &Context<'_>) {
        self.now = cx.document.revision();
        let Some(here) = cx.here else {
            (self.sheet, self.data) = (None, None);
            return;
        };
        let Some(subject) = cx.document.subject(&here.file) else { return };
        let Some(known) = cx.analyses.get(&subject) else { return };
        let came = self.file.as_ref() != Some(&here.file);
        let other = self.sheet.as_ref().is_none_or(|(s, _)| *s != subject);
        let led = cx.arrived.is_some();
        if came || other || led {
            let all = list_sheets(&known.analysis);
            let holds = |range: std::ops::Range<usize>| {
                let range = cx.document.follow_range(known.revision, &here.file, range).range;
                range.start <= here.range.start && here.range.start <= range.end
            };
            let around = find_sheet_around(&known.analysis, &here.file, holds);
            let now = self.sheet.as_ref().filter(|(of, _)| *of == subject).map(|(_, id)| id);
            // The one that is shown may be looked at as built on another than the first.
            let shown = |s: &SheetId| now.is_some_and(|id| id.is_of(s));
            let in_file = |s: &&Sheet| s.file == here.file && s.id.scenario().is_some();
            // Whoever is led to the maps of the game itself means these and no scenario beside them.
            let stays = all.iter().any(|s| shown(&s.id) && s.file == here.file && holds(s.span.range()));
            let found = all.iter().find(in_file).filter(|_| (came || other) && !stays);
            let own = all.iter().find(|s| s.id == SheetId::Game && !is_blank(&known.analysis, &s.id));
            let found = found
                .or(own.or(first_scenario(&known.analysis, &all)).or(all.first()).filter(|_| other))
                .or(own.filter(|s| s.file == here.file && came));
            let found = match around {
                Some(a) => Some(a).filter(|a| !now.is_some_and(|id| a.is_sheet(id))).map(|a| a.id),
                None => found.map(|s| s.id.clone()).filter(|id| !shown(id)),
            };
            if let Some(id) = found {
                self.choose_sheet(subject.clone(), id);
            }
            // A new file's own sheet is looked for until the game has been read with it.
            if known.analysis.file(&here.file).is_some() {
                self.file = Some(here.file.clone());
            }
        }
        let Some((of, id)) = self.sheet.clone().filter(|(s, _)| *s == subject) else { return };
        let same = self.data.as_ref().is_some_and(|d| {
            d.looked == known.revision
                && d.drawing.sheet.id == id
                && self.sheet.as_ref().is_some_and(|(s, _)| *s == of)
        });
        if !same {
            let made =
                Data::from_analysis(&known.analysis, known.revision, &id, self.data.as_deref()).map(Arc::new);
            if made.is_some() || self.data.as_ref().is_some_and(|d| d.drawing.sheet.id != id) {
                self.data = made;
                self.trial.judged = false;
            }
            // With fewer maps than before the one that was shown may be gone.
            if self.data.as_ref().is_some_and(|d| self.board >= d.drawing.boards.len()) {
                self.turn_to(0);
            }
        }
        // What the texts were read with is on the map itself. Where they are as they were before a stroke, that was refused.
        self.pending.retain(|(then, _)| known.revision <= *then && *then < self.now);
        if let Some(data) = &self.data
            && let Some(judged) = self.trial.poll_jobs(cx, &of, known, data)
        {
            self.data = Some(Arc::new(judged));
        }
        let sign = self.hand.sign.clone();
        if let Some(b) = self.shown_board()
            && b.entry_of(&sign).is_none()
            && let Some(e) = b.palette.iter().find(|e| e.space).or(b.palette.first())
        {
            self.hand.sign = e.sign.clone();
        }
    }

    /// Shows another sheet.
    fn choose_sheet(&mut self, subject: Subject, id: SheetId) {
        self.sheet = Some((subject, id));
        self.data = None;
        self.board = 0;
        self.view = Viewport::default();
        self.drop_held();
        self.drafts.clear();
        self.rewritten = None;
        self.others.clear();
        (self.preview, self.by) = (None, Sides::default());
    }

    /// Shows another of its maps.
    fn turn_to(&mut self, board: usize) {
        if self.board != board {
            self.board = board;
            self.view = Viewport::default();
            self.drop_held();
        }
    }

    /// What is selected and held is of one map: it is not put down, and nothing erased for it, on another one.
    fn drop_held(&mut self) {
        self.pending.clear();
        self.hand.selection = BTreeSet::new();
        (self.hand.stroke, self.hand.held, self.pull) = (None, None, None);
    }

    /// Shows where signs get the weights by which they are mixed.
    fn ask_for_weights(&mut self) -> Command {
        self.side = Side::Palette;
        Command::Say("Give some signs a weight in the palette first".into())
    }

    /// Plans an intent on what is shown.
    fn plan_intent(&self, intent: &Intent) -> Vec<Command> {
        let Some(data) = &self.data else { return Vec::new() };
        if let Some(why) = &data.stale {
            return vec![command::refuse_with(format!("drawing is not possible now: {why}"))];
        }
        match plan(&data.analysis, intent) {
            Ok(set) if set.is_empty() => Vec::new(),
            Ok(set) => vec![command::apply_edits(data.revision, set)],
            Err(refusal) => vec![Command::Refuse { since: data.revision, refusal }],
        }
    }

    /// Writes strokes on the map that is shown.
    fn write_intent(&mut self, strokes: Strokes, what: String) -> Vec<Command> {
        let (Some(data), Some(b)) = (&self.data, self.shown_board()) else { return Vec::new() };
        let intent = Intent::Paint {
            sheet: data.drawing.sheet.id.clone(),
            map: b.name.clone(),
            strokes: strokes.clone(),
            what,
        };
        let commands = self.plan_intent(&intent);
        if commands.iter().any(|c| matches!(c, Command::Apply { .. })) {
            self.pending.push((self.now, strokes));
        }
        self.hand.seed = self.hand.seed.wrapping_add(1);
        commands
    }

    /// Writes strokes that leave alone what is hidden, and says how many places were left as they are.
    fn write_spared(&mut self, (strokes, kept): (Strokes, usize), what: String) -> Vec<Command> {
        let mut commands = if strokes.is_empty() { Vec::new() } else { self.write_intent(strokes, what) };
        if kept > 0 {
            let spaces = if kept == 1 { "1 space keeps" } else { &format!("{kept} spaces keep") };
            commands.push(Command::Say(format!("{spaces} what is hidden there")));
        }
        commands
    }

    /// Does one of its commands. What that means for texts comes back.
    pub fn do_act(&mut self, act: Act, cx: &Context<'_>) -> Vec<Command> {
        self.refresh(cx);
        if let Act::ImportMap | Act::ExportMap(_) = act {
            return vec![self.exchange_map(act)];
        }
        let Some(data) = self.data.clone() else { return Vec::new() };
        let Some(board) = data.board(self.board) else { return Vec::new() };
        if act == Act::Cancel {
            if let Some(said) = self.cancel_pull() {
                return vec![said];
            }
            if self.cancel_import() {
                return vec![Command::Say("The map is not imported".into())];
            }
        }
        let hand = &mut self.hand;
        let nothing = || vec![Command::Say("Nothing is selected: first drag with the tool Select".into())];
        let mut ready = true;
        match act {
            Act::Take(tool) => {
                (hand.tool, hand.stroke, hand.held) = (tool, None, None);
                return vec![Command::Say(act.info().about.to_string())];
            }
            Act::Smaller | Act::Larger => {
                hand.resize_brush(act == Act::Larger);
                return vec![Command::Say(format!("Brush of size {}", hand.size))];
            }
            Act::Symmetry => {
                let n = Symmetry::ALL.iter().position(|s| *s == hand.symmetry).unwrap_or(0);
                hand.symmetry = Symmetry::ALL.get(n + 1).copied().unwrap_or_default();
                return vec![Command::Say(format!("Symmetry: {}", hand.symmetry.name()))];
            }
            Act::NextSign | Act::LastSign => {
                let n = board.palette.iter().position(|e| e.sign == hand.sign).unwrap_or(0);
                let len = board.palette.len().max(1);
                let n = (if act == Act::NextSign { n + 1 } else { n + len - 1 }) % len;
                if let Some(e) = board.palette.get(n) {
                    hand.sign = e.sign.clone();
                    return vec![Command::Say(format!("{}: {}", e.sign, data::describe_sign(e)))];
                }
            }
            Act::Copy => ready = hand.take_up(board, false),
            Act::Move => ready = hand.take_up(board, true),
            Act::TurnRight => ready = hand.turn_held(board, Turn::Right),
            Act::TurnLeft => ready = hand.turn_held(board, Turn::Left),
            Act::MirrorWestEast => ready = hand.turn_held(board, Turn::WestEast),
            Act::MirrorSouthNorth => ready = hand.turn_held(board, Turn::SouthNorth),
            Act::SelectAll => hand.selection = board.lattice.spots().collect(),
            Act::EraseSelection | Act::PaintSelection => {
                if hand.selection.is_empty() {
                    return nothing();
                }
                let (strokes, what) = match act {
                    Act::EraseSelection => {
                        (houserule::ide::draw::brush::with_sign(&hand.selection, "."), "erase".to_string())
                    }
                    _ if hand.is_mixing() => {
                        (hand.paint_places(board, &hand.selection), "paint by chance".to_string())
                    }
                    _ => (hand.paint_places(board, &hand.selection), format!("paint {}", hand.sign)),
                };
                if strokes.is_empty() {
                    return vec![self.ask_for_weights()];
                }
                let spared = board.spare_hidden(strokes, &hand.hidden);
                return self.write_spared(spared, what);
            }
            Act::Cancel => hand.cancel_gesture(),
            Act::ZoomIn => self.view.zoom_by(1.25),
            Act::ZoomOut => self.view.zoom_by(0.8),
            Act::Fit => self.view.fit = true,
            Act::NewScenario => return self.make_scenario(cx),
            Act::ImportMap | Act::ExportMap(_) => {}
        }
        if ready { Vec::new() } else { nothing() }
    }

    /// A new scenario in a file of its own: a copy of the one that is shown, or one that draws the game's own maps.
    fn make_scenario(&self, cx: &Context<'_>) -> Vec<Command> {
        let (Some(data), Some((subject, _))) = (&self.data, &self.sheet) else { return Vec::new() };
        let Some(game) = cx.document.game(subject) else { return Vec::new() };
        let folder = game.scenarios_folder();
        let taken = |n: &str| data.sheets.iter().any(|s| s.id.scenario().is_some_and(|x| **x == *n));
        let file = |n: &str| games::join_path(&folder, &format!("{n}.scenario"));
        let free = |n: &String| !taken(n) && cx.document.text(&file(n)).is_none();
        let Some(name) = (1..1000).map(|n| format!("new_{n}")).find(free) else { return Vec::new() };
        let own = &data.drawing.sheet;
        let copy = own.id.scenario().and_then(|_| {
            let text = data.analysis.slice(own.span);
            template::copy_scenario(text.trim_end(), &name, "New scenario")
        });
        let text = copy.map_or_else(|| new_scenario_text(data, &name), |t| format!("{t}\n"));
        vec![Command::Create { label: format!("new scenario {name}"), name: file(&name).into(), text }]
    }
}

/// A scenario that draws the maps that are shown.
fn new_scenario_text(data: &Data, name: &str) -> String {
    let mut text = format!("scenario {name} \"New scenario\" for {} {{\n", data.drawing.sheet.game);
    for b in data.drawing.boards.iter().filter(|b| b.grid.is_some() || b.fixed.is_none()) {
        text.push_str(&format!("  map {} \"\"\"\n", b.name));
        let l = b.lattice;
        let (columns, rows) = if l.columns == 0 || l.rows == 0 { (8, 8) } else { (l.columns, l.rows) };
        let sign = |c: u32, r: u32| b.sign_at(Spot::new(c, r)).unwrap_or(".");
        let wide = |c: u32| (0..rows).map(|r| sign(c, r).chars().count()).max().unwrap_or(1);
        for r in (0..rows).rev() {
            let name =
                b.rows.iter().find(|n| n.row == r).map(|n| format!("{} | ", n.sign)).unwrap_or_default();
            let shift = if l.is_staggered() && r % 2 == 1 { "  " } else { "" };
            let mut line = format!("    {name}{shift}");
            for c in 0..columns {
                let w = if c + 1 < columns { wide(c) + 1 } else { 0 };
                let sign = sign(c, r);
                line.push_str(sign);
                line.push_str(&" ".repeat(w.saturating_sub(sign.chars().count())));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str("  \"\"\"\n");
    }
    text.push_str("}\n");
    text
}

/// Whether a sheet has no space on any of its maps.
fn is_blank(analysis: &Analysis, id: &SheetId) -> bool {
    let drawing = Drawing::from_analysis(analysis, id);
    drawing.is_some_and(|d| d.boards.iter().all(|b| b.cells.iter().all(|c| !c.space)))
}

/// The scenario that is played unless another is named.
fn first_scenario<'s>(analysis: &Analysis, all: &'s [Sheet]) -> Option<&'s Sheet> {
    let name = &analysis.model.first_scenario()?.name;
    all.iter().find(|s| s.id == SheetId::Scenario(name.clone()))
}
