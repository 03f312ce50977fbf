//! Tests of maps in and out of other tools: `readers` on files as the tools write them and on hostile ones, `fitting` on the way into a picture and back.
use super::*;

mod fitting;
mod readers;

fn no_file(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("there is no {name}"))
}

fn read(name: &str, text: &str) -> Result<ForeignMap, String> {
    read_maps(name, text.as_bytes(), &no_file).map(|mut all| all.remove(0))
}

/// A map of Tiled 1.11 of three columns and two rows, with a tileset of two tiles.
fn tmx(data: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.11.0\" orientation=\"orthogonal\" renderorder=\"right-down\" width=\"3\" height=\"2\" tilewidth=\"16\" tileheight=\"16\" infinite=\"0\" nextlayerid=\"3\" nextobjectid=\"2\">\n \
         <tileset firstgid=\"1\" name=\"land\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"2\" columns=\"2\">\n  <image source=\"land.png\" width=\"32\" height=\"16\"/>\n  <tile id=\"0\" type=\"grass\"/>\n  <tile id=\"1\">\n   <properties>\n    <property name=\"name\" value=\"sand\"/>\n   </properties>\n  </tile>\n </tileset>\n \
         <layer id=\"1\" name=\"ground\" width=\"3\" height=\"2\">\n{data}\n </layer>\n \
         <objectgroup id=\"2\" name=\"notes\">\n  <object id=\"1\" x=\"8\" y=\"8\"/>\n </objectgroup>\n</map>\n"
    )
}

const CSV: &str = "  <data encoding=\"csv\">\n1,2,0,\n2147483650,1,1\n</data>";

/// The labels of a layer's tiles.
fn labels(map: &ForeignMap, layer: usize) -> Vec<&str> {
    map.layers[layer].cells.iter().map(|c| c.map_or("", |n| &map.tiles[n].label)).collect()
}

const CELLS: [&str; 6] = ["grass", "sand", "", "sand", "grass", "grass"];
