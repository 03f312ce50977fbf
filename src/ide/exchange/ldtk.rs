//! Reads LDtk: the int grids of a project, and the CSV files of its simplified export. Each value of an int grid is a tile; 0 is empty.
use super::tiled::{Budget, read_named, to_names};
use super::{ForeignLayer, ForeignMap, ForeignShape, ForeignTile, MOST_CELLS, ReadBeside};
use super::{count_of, make_labels, to_text};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// How many levels of a project are read.
const MOST_LEVELS: usize = 256;

#[derive(serde::Deserialize)]
struct Project {
    defs: Definitions,
    #[serde(default)]
    levels: Vec<Level>,
    #[serde(default)]
    worlds: Vec<World>,
}

#[derive(serde::Deserialize)]
struct World {
    #[serde(default)]
    levels: Vec<Level>,
}

#[derive(serde::Deserialize)]
struct Definitions {
    #[serde(default)]
    layers: Vec<LayerDefinition>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayerDefinition {
    uid: i64,
    #[serde(default)]
    int_grid_values: Vec<ValueDefinition>,
}

#[derive(serde::Deserialize)]
struct ValueDefinition {
    value: i64,
    identifier: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Level {
    identifier: String,
    layer_instances: Option<Vec<Layer>>,
    external_rel_path: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__cWid")]
    columns: i64,
    #[serde(rename = "__cHei")]
    rows: i64,
    #[serde(default)]
    layer_def_uid: i64,
    visible: Option<bool>,
    #[serde(default)]
    int_grid_csv: Vec<i64>,
    #[serde(default)]
    auto_layer_tiles: Vec<IgnoredAny>,
    #[serde(default)]
    grid_tiles: Vec<IgnoredAny>,
    #[serde(default)]
    entity_instances: Vec<IgnoredAny>,
}

/// Reads the levels of a project, those of its worlds, too.
pub fn read_project(text: &str, beside: &ReadBeside<'_>) -> Result<Vec<ForeignMap>, String> {
    let project: Project =
        serde_json::from_str(text).map_err(|e| format!("it is no project of LDtk: {e}"))?;
    let levels: Vec<Level> =
        project.levels.into_iter().chain(project.worlds.into_iter().flat_map(|w| w.levels)).collect();
    if levels.is_empty() {
        return Err(String::from("the project has no level"));
    }
    if levels.len() > MOST_LEVELS {
        return Err(format!("the project has more than {MOST_LEVELS} levels"));
    }
    let mut budget = Budget::default();
    levels.into_iter().map(|l| to_map(l, &project.defs, &mut budget, beside)).collect()
}

fn to_map(
    mut level: Level,
    defs: &Definitions,
    budget: &mut Budget,
    beside: &ReadBeside<'_>,
) -> Result<ForeignMap, String> {
    if let (None, Some(path)) = (&level.layer_instances, &level.external_rel_path) {
        let read = || {
            let bytes = read_named(path, beside)?;
            let own: Level = serde_json::from_str(to_text(&bytes)?).map_err(|e| e.to_string())?;
            Ok(own.layer_instances)
        };
        level.layer_instances = read().map_err(|why: String| {
            format!("the level {} stands in {path}, which cannot be read: {why}", level.identifier)
        })?;
    }
    let mut values = Values::default();
    let (mut layers, mut dropped) = (Vec::new(), Vec::new());
    let mut size: Option<(i64, i64)> = None;
    // The topmost layer comes first.
    for layer in level.layer_instances.unwrap_or_default().into_iter().rev() {
        let name = layer.identifier;
        let tiles = layer.auto_layer_tiles.len() + layer.grid_tiles.len();
        if layer.kind != "IntGrid" {
            let many = match layer.entity_instances.len() {
                0 => count_of(tiles, "tile", "tiles"),
                n => count_of(n, "entity", "entities"),
            };
            dropped.push(format!("Layer “{name}” is no int grid, and has {many}: it is left out."));
            continue;
        }
        let own = (layer.columns, layer.rows);
        if *size.get_or_insert(own) != own {
            dropped.push(format!("Layer “{name}” has another grid than the one below: it is left out."));
            continue;
        }
        if tiles > 0 {
            let many = count_of(tiles, "tile", "tiles");
            dropped.push(format!("{many} that rules put on layer “{name}”: left out."));
        }
        let cells = budget.take_cells(own.0, own.1)?;
        if layer.int_grid_csv.len() != cells {
            let n = layer.int_grid_csv.len();
            return Err(format!(
                "layer “{name}” has {n} cells, and its size says {cells}: save the project again"
            ));
        }
        let known = defs.layers.iter().find(|d| d.uid == layer.layer_def_uid);
        let word = |value: i64| {
            known?.int_grid_values.iter().find(|v| v.value == value).and_then(|v| v.identifier.clone())
        };
        let cells = layer.int_grid_csv.iter().map(|v| values.number_of(&name, *v, &word)).collect();
        layers.push(ForeignLayer { name, visible: layer.visible != Some(false), cells });
    }
    let Some((columns, rows)) = size else {
        return Err(format!("the level {} has no layer of the type IntGrid", level.identifier));
    };
    values.into_map(level.identifier, (columns, rows), layers, dropped)
}

/// Reads a CSV file of the simplified export: a line for each row, a number for each cell.
pub fn read_csv(text: &str, name: &str) -> Result<ForeignMap, String> {
    let mut values = Values::default();
    let mut cells = Vec::new();
    let (mut columns, mut rows) = (0, 0);
    for (n, line) in text.lines().map(str::trim).enumerate().filter(|(_, l)| !l.is_empty()) {
        // Lines end with a comma.
        let line = line.strip_suffix(',').unwrap_or(line);
        let before = cells.len();
        for word in line.split(',').map(str::trim) {
            let value = word.parse::<i64>().map_err(|_| {
                let word: String = word.chars().take(20).collect();
                format!("line {}: `{word}` is no number of an int grid", n + 1)
            })?;
            if cells.len() == MOST_CELLS {
                return Err(String::from("it has too many cells for a map of a table"));
            }
            cells.push(values.number_of(name, value, &|_| None));
        }
        let own = cells.len() - before;
        if rows > 0 && own != columns {
            return Err(format!("line {} has {own} cells, and the lines before it have {columns}", n + 1));
        }
        (columns, rows) = (own, rows + 1);
    }
    let size = (columns as i64, rows as i64);
    Budget::default().take_cells(size.0, size.1)?;
    let layer = ForeignLayer { name: name.to_string(), visible: true, cells };
    values.into_map(name.to_string(), size, vec![layer], Vec::new())
}

/// The values that a map uses, each of each layer once.
#[derive(Default)]
struct Values {
    numbers: BTreeMap<(String, i64), usize>,
    tiles: Vec<ForeignTile>,
    unique: Vec<String>,
}

impl Values {
    /// The tile that stands for a value of a layer, which is used once more.
    fn number_of(&mut self, layer: &str, value: i64, word: &dyn Fn(i64) -> Option<String>) -> Option<usize> {
        if value == 0 {
            return None;
        }
        let n = *self.numbers.entry((layer.to_string(), value)).or_insert(self.tiles.len());
        if n == self.tiles.len() {
            let names = to_names([word(value)]);
            let own = format!("{layer} {value}");
            let label = names.first().unwrap_or(&own).clone();
            self.unique.push(own);
            self.tiles.push(ForeignTile { label, names, used: 0 });
        }
        if let Some(tile) = self.tiles.get_mut(n) {
            tile.used += 1;
        }
        Some(n)
    }

    fn into_map(
        mut self,
        name: String,
        (columns, rows): (i64, i64),
        layers: Vec<ForeignLayer>,
        dropped: Vec<String>,
    ) -> Result<ForeignMap, String> {
        make_labels(&mut self.tiles, &self.unique)?;
        let side = |n: i64| u32::try_from(n).map_err(|_| String::from("its size is below nought"));
        let (columns, rows) = (side(columns)?, side(rows)?);
        Ok(ForeignMap {
            name,
            shape: ForeignShape::Squares,
            columns,
            rows,
            tiles: self.tiles,
            layers,
            dropped,
        })
    }
}
