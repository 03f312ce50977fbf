//! Reads TMJ, the JSON of Tiled, and TSJ, that of its tilesets.
use super::tiled::{Budget, Chunk, Holds, RawLayer, RawMap, RawSet, to_names};
use super::{MOST_CELLS, cells, count_of, split_name};
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::Value;

#[derive(serde::Deserialize)]
struct Map {
    orientation: String,
    #[serde(default)]
    staggeraxis: String,
    #[serde(default)]
    staggerindex: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    width: i64,
    #[serde(default)]
    height: i64,
    #[serde(default)]
    tilesets: Vec<Set>,
    layers: Vec<Layer>,
    #[serde(default)]
    properties: Vec<IgnoredAny>,
}

#[derive(serde::Deserialize)]
struct Set {
    #[serde(default)]
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    tiles: Vec<Tile>,
}

#[derive(serde::Deserialize)]
struct Tile {
    id: u32,
    #[serde(rename = "type")]
    kind: Option<String>,
    class: Option<String>,
    image: Option<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(serde::Deserialize)]
struct Property {
    name: String,
    #[serde(default)]
    value: Value,
}

#[derive(serde::Deserialize)]
struct Layer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    visible: Option<bool>,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    #[serde(default)]
    encoding: String,
    #[serde(default)]
    compression: String,
    data: Option<Cells>,
    #[serde(default)]
    chunks: Vec<Block>,
    #[serde(default)]
    layers: Vec<Layer>,
    #[serde(default)]
    objects: Vec<IgnoredAny>,
}

#[derive(serde::Deserialize)]
struct Block {
    #[serde(default)]
    x: i64,
    #[serde(default)]
    y: i64,
    width: i64,
    height: i64,
    data: Cells,
}

/// The cells of a layer: numbers, or base64.
enum Cells {
    Numbers(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Cells, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Cells;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("numbers of tiles, or a text of them")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Cells, E> {
                Ok(Cells::Text(text.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Cells, A::Error> {
                let mut out = Vec::new();
                while let Some(gid) = all.next_element()? {
                    if out.len() == MOST_CELLS {
                        return Err(de::Error::custom("a layer has too many cells"));
                    }
                    out.push(gid);
                }
                Ok(Cells::Numbers(out))
            }
        }
        from.deserialize_any(Reader)
    }
}

fn parse<'t, T: serde::Deserialize<'t>>(text: &'t str, what: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|e| format!("it is no {what} of Tiled in JSON: {e}"))
}

/// Reads a map. Tilesets in files of their own are not read yet.
pub fn read(text: &str) -> Result<RawMap, String> {
    let map: Map = parse(text, "map")?;
    let mut out = RawMap {
        orientation: map.orientation,
        stagger_axis: map.staggeraxis,
        stagger_index: map.staggerindex,
        infinite: map.infinite,
        columns: map.width,
        rows: map.height,
        properties: map.properties.len(),
        ..RawMap::default()
    };
    out.sets = map.tilesets.into_iter().map(to_set).collect();
    read_layers(map.layers, "", true, &mut Budget::default(), &mut out)?;
    Ok(out)
}

/// Reads a tileset that stands in a file of its own.
pub fn read_set_file(text: &str, first: u32) -> Result<RawSet, String> {
    let set: Set = parse(text, "tileset")?;
    Ok(to_set(Set { firstgid: first, ..set }))
}

fn to_set(set: Set) -> RawSet {
    let tile = |t: Tile| {
        let property = |name: &str| {
            let found = t.properties.iter().find(|p| p.name == name)?;
            found.value.as_str().map(String::from)
        };
        let (sign, name) = (property("sign"), property("name"));
        let image = t.image.map(|i| split_name(&i).0.to_string());
        // Called a class by Tiled 1.9 alone.
        (t.id, to_names([sign, t.kind.or(t.class), name, image]))
    };
    let tiles = set.tiles.into_iter().map(tile).collect();
    RawSet { first: set.firstgid, name: set.name, tiles, source: set.source, unread: None }
}

/// Groups are nested as deep as JSON may be, which is bounded.
fn read_layers(
    layers: Vec<Layer>,
    group: &str,
    shown: bool,
    budget: &mut Budget,
    map: &mut RawMap,
) -> Result<(), String> {
    for mut layer in layers {
        let name = format!("{group}{}", if layer.name.is_empty() { "without a name" } else { &layer.name });
        let visible = shown && layer.visible != Some(false);
        let moved = layer.offsetx != 0.0 || layer.offsety != 0.0;
        let holds = match layer.kind.as_str() {
            "tilelayer" => Holds::Tiles(
                read_chunks(&mut layer, map, budget).map_err(|why| format!("layer “{name}”: {why}"))?,
            ),
            "objectgroup" => {
                let many = count_of(layer.objects.len(), "object", "objects");
                Holds::Other(format!("an object layer with {many}"))
            }
            "imagelayer" => Holds::Other(String::from("a picture")),
            "group" => {
                read_layers(layer.layers, &format!("{name} / "), visible, budget, map)?;
                continue;
            }
            _ => continue,
        };
        map.layers.push(RawLayer { name, visible, moved, holds });
    }
    Ok(())
}

fn read_chunks(layer: &mut Layer, map: &RawMap, budget: &mut Budget) -> Result<Vec<Chunk>, String> {
    let (encoding, compression) = (layer.encoding.as_str(), layer.compression.as_str());
    let mut block = |at: (i64, i64), size: (i64, i64), data: Cells| {
        let n = budget.take_cells(size.0, size.1)?;
        let gids = match data {
            Cells::Numbers(gids) => cells::check_number(gids, n)?,
            Cells::Text(text) => cells::decode(&text, encoding, compression, n)?,
        };
        Ok(Chunk { column: at.0, row: at.1, columns: u32::try_from(size.0).unwrap_or(1), gids })
    };
    if map.infinite {
        let blocks = std::mem::take(&mut layer.chunks).into_iter();
        return blocks.map(|b| block((b.x, b.y), (b.width, b.height), b.data)).collect();
    }
    let Some(data) = layer.data.take() else {
        return Err(String::from("it has no data: the file may be cut off"));
    };
    Ok(vec![block((0, 0), (map.columns, map.rows), data)?])
}
