//! Reads TMX, the XML of Tiled, and TSX, that of its tilesets. Entities of one's own are not allowed, and the number of nodes is bounded.
use super::tiled::{Budget, Chunk, Holds, RawLayer, RawMap, RawSet, to_names};
use super::{cells, count_of, split_name};
use roxmltree::{Document, Node, ParsingOptions};

/// How many nodes a file may have. A map with an element for each cell has two for each.
const MOST_NODES: u32 = 500_000;

/// How deep groups of layers may be nested.
const DEEPEST: usize = 16;

fn parse(text: &str) -> Result<Document<'_>, String> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|e| format!("its XML cannot be read: {e}"))
}

/// Reads a map. Tilesets in files of their own are not read yet.
pub fn read(text: &str) -> Result<RawMap, String> {
    let document = parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "map" {
        return Err(format!("it holds a `{}` and no map of Tiled", root.tag_name().name()));
    }
    let own = |name: &str| root.attribute(name).unwrap_or("").to_string();
    let mut map = RawMap {
        orientation: own("orientation"),
        stagger_axis: own("staggeraxis"),
        stagger_index: own("staggerindex"),
        infinite: root.attribute("infinite") == Some("1"),
        columns: number(root, "width", 0),
        rows: number(root, "height", 0),
        properties: properties(root).count(),
        ..RawMap::default()
    };
    map.sets = children(root, "tileset").map(read_set).collect();
    read_layers(root, "", true, 0, &mut Budget::default(), &mut map)?;
    Ok(map)
}

/// Reads a tileset that stands in a file of its own.
pub fn read_set_file(text: &str, first: u32) -> Result<RawSet, String> {
    let document = parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "tileset" {
        return Err(String::from("it holds no tileset"));
    }
    Ok(read_own_set(root, first))
}

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |n| n.has_tag_name(name))
}

fn number<T: std::str::FromStr>(node: Node<'_, '_>, name: &str, default: T) -> T {
    node.attribute(name).and_then(|t| t.trim().parse().ok()).unwrap_or(default)
}

fn properties<'a>(node: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    children(node, "properties").flat_map(|p| children(p, "property"))
}

/// The value of a property: an attribute, or the text of an element of several lines.
fn property<'a>(node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    let found = properties(node).find(|p| p.attribute("name") == Some(name))?;
    found.attribute("value").or(found.text())
}

fn read_set(node: Node<'_, '_>) -> RawSet {
    let first = number(node, "firstgid", 1);
    match node.attribute("source") {
        Some(source) => RawSet { first, source: Some(source.to_string()), ..RawSet::default() },
        None => read_own_set(node, first),
    }
}

fn read_own_set(node: Node<'_, '_>, first: u32) -> RawSet {
    let tile = |t: Node<'_, '_>| {
        let text = |s: Option<&str>| s.map(String::from);
        let image = children(t, "image").next().and_then(|i| i.attribute("source"));
        let names = to_names([
            text(property(t, "sign")),
            // Called a class by Tiled 1.9 alone.
            text(t.attribute("type").or(t.attribute("class"))),
            text(property(t, "name")),
            image.map(|i| split_name(i).0.to_string()),
        ]);
        Some((t.attribute("id")?.parse().ok()?, names))
    };
    let name = node.attribute("name").unwrap_or("tiles").to_string();
    let tiles = children(node, "tile").filter_map(tile).collect();
    RawSet { first, name, tiles, ..RawSet::default() }
}

fn read_layers(
    node: Node<'_, '_>,
    group: &str,
    shown: bool,
    depth: usize,
    budget: &mut Budget,
    map: &mut RawMap,
) -> Result<(), String> {
    for layer in node.children().filter(Node::is_element) {
        let name = format!("{group}{}", layer.attribute("name").unwrap_or("without a name"));
        let visible = shown && layer.attribute("visible") != Some("0");
        let moved = number(layer, "offsetx", 0.0) != 0.0 || number(layer, "offsety", 0.0) != 0.0;
        let holds = match layer.tag_name().name() {
            "layer" => {
                Holds::Tiles(read_chunks(layer, map, budget).map_err(|why| format!("layer “{name}”: {why}"))?)
            }
            "objectgroup" => {
                let n = children(layer, "object").count();
                Holds::Other(format!("an object layer with {}", count_of(n, "object", "objects")))
            }
            "imagelayer" => Holds::Other(String::from("a picture")),
            "group" if depth < DEEPEST => {
                read_layers(layer, &format!("{name} / "), visible, depth + 1, budget, map)?;
                continue;
            }
            "group" => return Err(String::from("its groups of layers are nested too deep")),
            _ => continue,
        };
        map.layers.push(RawLayer { name, visible, moved, holds });
    }
    Ok(())
}

fn read_chunks(layer: Node<'_, '_>, map: &RawMap, budget: &mut Budget) -> Result<Vec<Chunk>, String> {
    let Some(data) = children(layer, "data").next() else {
        return Err(String::from("it has no data: the file may be cut off"));
    };
    if !map.infinite {
        return Ok(vec![read_block(data, data, (0, 0), (map.columns, map.rows), budget)?]);
    }
    let chunk = |c: Node<'_, '_>, budget: &mut Budget| {
        let at = (number(c, "x", 0), number(c, "y", 0));
        read_block(c, data, at, (number(c, "width", 0), number(c, "height", 0)), budget)
    };
    children(data, "chunk").map(|c| chunk(c, budget)).collect()
}

/// Reads the cells in a node, in the encoding that the layer's data has.
fn read_block(
    node: Node<'_, '_>,
    data: Node<'_, '_>,
    (column, row): (i64, i64),
    size: (i64, i64),
    budget: &mut Budget,
) -> Result<Chunk, String> {
    let cells = budget.take_cells(size.0, size.1)?;
    let gids = match data.attribute("encoding") {
        Some(encoding) => {
            let text: String = node.children().filter_map(|n| n.is_text().then(|| n.text())?).collect();
            cells::decode(&text, encoding, data.attribute("compression").unwrap_or(""), cells)?
        }
        // An element for each cell.
        None => {
            let all = children(node, "tile").map(|t| number(t, "gid", 0)).collect();
            cells::check_number(all, cells)?
        }
    };
    Ok(Chunk { column, row, columns: u32::try_from(size.0).unwrap_or(1), gids })
}
