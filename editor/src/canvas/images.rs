//! Paints the images that looks name. Each is drawn into a texture once for each size, twice as large as the one before.
use egui::epaint::{Mesh, Vertex};
use egui::{Color32, ColorImage, Context, Id, Painter, Pos2, TextureHandle, TextureOptions, Vec2};
use houserule::model::images::Image;
use resvg::{tiny_skia, usvg};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The sizes of textures, in pixels.
const SIZES: (u32, u32) = (32, 512);

/// So many textures are kept; the rules of one game need fewer.
const KEPT: usize = 256;

/// The place of an image's text in memory, and the size of its texture.
type Key = (usize, u32);

/// Textures, each with the image of which it is; none of an image that cannot be drawn.
type Store = Arc<Mutex<HashMap<Key, (Image, Option<TextureHandle>)>>>;

/// Paints an image; `place` says where a point of the square from -0.5 to 0.5 lies, `side` how many points wide that is.
pub fn paint_image(painter: &Painter, image: &Image, side: f32, place: &dyn Fn(Vec2) -> Pos2) {
    let pixels = (side * painter.pixels_per_point()).clamp(1.0, SIZES.1 as f32) as u32;
    let size = pixels.next_power_of_two().clamp(SIZES.0, SIZES.1);
    let Some(texture) = find_texture(painter.ctx(), image, size) else { return };
    let mut mesh = Mesh::with_texture(texture.id());
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let pos = place(Vec2::new(x - 0.5, y - 0.5));
        mesh.vertices.push(Vertex { pos, uv: Pos2::new(x, y), color: Color32::WHITE });
    }
    mesh.indices.extend([0, 1, 2, 0, 2, 3]);
    painter.add(mesh);
}

fn find_texture(ctx: &Context, image: &Image, size: u32) -> Option<TextureHandle> {
    let store = ctx.data_mut(|d| d.get_temp_mut_or_default::<Store>(Id::unique("images")).clone());
    let mut store = store.lock().ok()?;
    let key = (image.text.as_ptr() as usize, size);
    // The image is kept with its texture, so that its place in memory stays its own.
    if let Some((_, texture)) = store.get(&key) {
        return texture.clone();
    }
    let texture = draw(&image.text, size)
        .map(|drawn| ctx.load_texture(image.name.to_string(), drawn, TextureOptions::LINEAR));
    if store.len() >= KEPT {
        store.clear();
    }
    store.insert(key, (image.clone(), texture.clone()));
    texture
}

/// Draws an SVG that was checked into a square of so many pixels, as large as it fits.
fn draw(svg: &str, size: u32) -> Option<ColorImage> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).ok()?;
    let own = tree.size();
    let scale = size as f32 / own.width().max(own.height());
    let mut pixels = tiny_skia::Pixmap::new(size, size)?;
    let (x, y) = (size as f32 - own.width() * scale, size as f32 - own.height() * scale);
    let place = tiny_skia::Transform::from_scale(scale, scale).post_translate(x / 2.0, y / 2.0);
    resvg::render(&tree, place, &mut pixels.as_mut());
    let side = size as usize;
    Some(ColorImage::from_rgba_premultiplied([side, side], pixels.data()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule::text::wrap_png;

    fn colors(svg: &str) -> ColorImage {
        draw(svg, 32).expect("an image")
    }

    #[test]
    fn an_image_is_drawn_in_the_middle_as_large_as_it_fits() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10\"><rect width=\"20\" height=\"10\" fill=\"#ff0000\"/></svg>";
        let image = colors(svg);
        assert_eq!(image[(16, 16)], Color32::RED);
        assert_eq!([image[(16, 2)], image[(16, 30)]], [Color32::TRANSPARENT; 2]);
        assert_eq!([image[(1, 16)], image[(30, 16)]], [Color32::RED; 2]);
        assert!(draw("no image", 32).is_none());
    }

    #[test]
    fn a_png_is_drawn_too() {
        let mut pixels = tiny_skia::Pixmap::new(4, 4).expect("pixels");
        pixels.fill(tiny_skia::Color::from_rgba8(0, 0, 255, 255));
        let svg = wrap_png(&pixels.encode_png().expect("a PNG"));
        assert_eq!(houserule::model::images::check_image(&svg), Ok(()));
        assert_eq!(colors(&svg)[(16, 16)], Color32::BLUE);
    }
}
