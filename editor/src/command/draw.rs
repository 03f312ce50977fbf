//! The tools and named commands of the Draw pane.
use super::exchange::MapFormat;
use super::info::{Info, ctrl_shift, key};
use egui::Key;
use egui_material_icons::icons;

/// What the hand holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Tool {
    /// One sign, in the brush's size.
    #[default]
    Brush,
    /// A straight line.
    Line,
    /// A rectangle.
    Rectangle,
    /// The rim of a rectangle.
    Rim,
    /// Whatever hangs together and is alike.
    Fill,
    /// Every place with that sign.
    Replace,
    /// Signs by chance, of those that are marked.
    Scatter,
    /// `.`
    Erase,
    /// Takes the sign of a place up.
    Pick,
    /// Chooses places.
    Select,
}

/// Draw's commands that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// Takes a tool.
    Take(Tool),
    /// A smaller brush.
    Smaller,
    /// A larger brush.
    Larger,
    /// The next symmetry.
    Symmetry,
    /// The next sign of the palette.
    NextSign,
    /// The one before it.
    LastSign,
    /// Takes the selection up to be copied.
    Copy,
    /// Takes the selection up to be moved.
    Move,
    /// Turns what is held to the right.
    TurnRight,
    /// Turns it to the left.
    TurnLeft,
    /// Mirrors it, west to east.
    MirrorWestEast,
    /// Mirrors it, south to north.
    MirrorSouthNorth,
    /// Selects everything.
    SelectAll,
    /// Erases what is selected.
    EraseSelection,
    /// Paints what is selected.
    PaintSelection,
    /// Forgets what was begun.
    Cancel,
    /// Closer.
    ZoomIn,
    /// Further away.
    ZoomOut,
    /// The whole map.
    Fit,
    /// A new scenario.
    NewScenario,
    /// A map of another tool.
    ImportMap,
    /// The map for other programs.
    ExportMap(MapFormat),
}

impl Act {
    /// All of them.
    pub const ALL: &[Act] = &[
        Act::Take(Tool::Brush),
        Act::Take(Tool::Line),
        Act::Take(Tool::Rectangle),
        Act::Take(Tool::Rim),
        Act::Take(Tool::Fill),
        Act::Take(Tool::Replace),
        Act::Take(Tool::Scatter),
        Act::Take(Tool::Erase),
        Act::Take(Tool::Pick),
        Act::Take(Tool::Select),
        Act::Smaller,
        Act::Larger,
        Act::Symmetry,
        Act::NextSign,
        Act::LastSign,
        Act::Copy,
        Act::Move,
        Act::TurnRight,
        Act::TurnLeft,
        Act::MirrorWestEast,
        Act::MirrorSouthNorth,
        Act::SelectAll,
        Act::EraseSelection,
        Act::PaintSelection,
        Act::Cancel,
        Act::ZoomIn,
        Act::ZoomOut,
        Act::Fit,
        Act::NewScenario,
        Act::ImportMap,
        Act::ExportMap(MapFormat::Tmx),
        Act::ExportMap(MapFormat::Svg),
        Act::ExportMap(MapFormat::Png),
    ];

    /// What is known of it.
    pub const fn info(self) -> Info {
        let (id, name, icon, about, shortcut) = match self {
            Act::Take(Tool::Brush) => {
                ("draw.stamp", "Brush", icons::ICON_BRUSH.codepoint, "Paint the chosen sign.", key(Key::B))
            }
            Act::Take(Tool::Line) => (
                "draw.line",
                "Line",
                icons::ICON_DIAGONAL_LINE.codepoint,
                "Paint a straight line.",
                key(Key::L),
            ),
            Act::Take(Tool::Rectangle) => (
                "draw.rectangle",
                "Rectangle",
                icons::ICON_RECTANGLE.codepoint,
                "Paint a filled rectangle.",
                key(Key::R),
            ),
            Act::Take(Tool::Rim) => (
                "draw.rim",
                "Frame",
                icons::ICON_CROP_SQUARE.codepoint,
                "Paint the rim of a rectangle.",
                key(Key::O),
            ),
            Act::Take(Tool::Fill) => (
                "draw.fill",
                "Fill",
                icons::ICON_FORMAT_COLOR_FILL.codepoint,
                "Paint all connected spaces with the same sign.",
                key(Key::F),
            ),
            Act::Take(Tool::Replace) => (
                "draw.replace",
                "Replace alike",
                icons::ICON_FIND_REPLACE.codepoint,
                "Paint every space that has the same sign.",
                key(Key::A),
            ),
            Act::Take(Tool::Scatter) => (
                "draw.scatter",
                "Scatter",
                icons::ICON_GRAIN.codepoint,
                "Paint by chance, with the signs that are given a weight.",
                key(Key::W),
            ),
            Act::Take(Tool::Erase) => {
                ("draw.erase", "Erase", icons::ICON_INK_ERASER.codepoint, "Remove signs.", key(Key::E))
            }
            Act::Take(Tool::Pick) => (
                "draw.pick",
                "Pick",
                icons::ICON_COLORIZE.codepoint,
                "Choose the sign of a space.",
                key(Key::I),
            ),
            Act::Take(Tool::Select) => (
                "draw.select",
                "Select",
                icons::ICON_SELECT.codepoint,
                "Choose spaces, to move, copy, turn or erase them.",
                key(Key::S),
            ),
            Act::Smaller => (
                "draw.smaller",
                "Smaller brush",
                icons::ICON_REMOVE.codepoint,
                "Make the brush smaller.",
                key(Key::OpenBracket),
            ),
            Act::Larger => (
                "draw.larger",
                "Larger brush",
                icons::ICON_ADD.codepoint,
                "Make the brush larger.",
                key(Key::CloseBracket),
            ),
            Act::Symmetry => {
                ("draw.symmetry", "Next symmetry", "", "Draw the same on several sides at once.", key(Key::Y))
            }
            Act::NextSign => {
                ("draw.next_sign", "Next sign", "", "Choose the next sign of the palette.", key(Key::Period))
            }
            Act::LastSign => (
                "draw.last_sign",
                "Sign before",
                "",
                "Choose the sign before in the palette.",
                key(Key::Comma),
            ),
            Act::Copy => (
                "draw.copy",
                "Copy selection",
                "",
                "Copy the selection and hold it; a click puts it down.",
                key(Key::C),
            ),
            Act::Move => {
                ("draw.move", "Move selection", "", "Hold the selection; a click puts it down.", key(Key::X))
            }
            Act::TurnRight => (
                "draw.turn_right",
                "Turn right",
                icons::ICON_ROTATE_RIGHT.codepoint,
                "Turn the selection, or what is held, to the right.",
                key(Key::T),
            ),
            Act::TurnLeft => (
                "draw.turn_left",
                "Turn left",
                icons::ICON_ROTATE_LEFT.codepoint,
                "Turn the selection, or what is held, to the left.",
                key(Key::Q),
            ),
            Act::MirrorWestEast => (
                "draw.mirror_we",
                "Mirror west and east",
                icons::ICON_SWAP_HORIZ.codepoint,
                "Mirror the selection, or what is held, from west to east.",
                key(Key::H),
            ),
            Act::MirrorSouthNorth => (
                "draw.mirror_sn",
                "Mirror south and north",
                icons::ICON_SWAP_VERT.codepoint,
                "Mirror the selection, or what is held, from south to north.",
                key(Key::V),
            ),
            Act::SelectAll => {
                ("draw.select_all", "Select the whole map", "", "Choose every space.", ctrl_shift(Key::A))
            }
            Act::EraseSelection => (
                "draw.erase_selection",
                "Erase selection",
                "",
                "Remove the signs of the selected spaces.",
                key(Key::Delete),
            ),
            Act::PaintSelection => (
                "draw.paint_selection",
                "Paint selection",
                "",
                "Paint the selected spaces with the chosen sign.",
                key(Key::P),
            ),
            Act::Cancel => (
                "draw.cancel",
                "Let go",
                "",
                "Cancel what was begun; then let go of what is held; then clear the selection.",
                key(Key::Escape),
            ),
            Act::ZoomIn => ("draw.zoom_in", "Closer", "", "Show the map larger.", key(Key::Plus)),
            Act::ZoomOut => ("draw.zoom_out", "Further away", "", "Show the map smaller.", key(Key::Minus)),
            Act::Fit => ("draw.fit", "Whole map", "", "Show the whole map.", key(Key::Num0)),
            Act::NewScenario => (
                "draw.new",
                "New scenario",
                icons::ICON_ADD.codepoint,
                "Make a new scenario of this game, as a copy of the one that is shown.",
                None,
            ),
            Act::ImportMap => (
                "draw.import",
                "Import a map …",
                "",
                "Draw this map from a file of Tiled or LDtk: first choose which sign each of its tiles is.",
                None,
            ),
            Act::ExportMap(MapFormat::Tmx) => (
                "draw.export_tmx",
                "Export map for Tiled …",
                "",
                "Write this map as a TMX file, with a picture of its tiles beside it.",
                None,
            ),
            Act::ExportMap(MapFormat::Svg) => (
                "draw.export_svg",
                "Export map as SVG …",
                "",
                "Write this map as a picture that stays sharp at every size.",
                None,
            ),
            Act::ExportMap(MapFormat::Png) => {
                ("draw.export_png", "Export map as PNG …", "", "Write this map as a picture of pixels.", None)
            }
        };
        Info { id, name, icon, about, shortcut }
    }
}
