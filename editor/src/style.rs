//! How text and colours look in both themes: sizes, what can be read on what, the two accents, fonts with icons.
use egui::epaint::text::{FontPriority, InsertFontFamily};
use egui::{Color32, FontFamily, FontId, RichText, TextStyle, Theme, Visuals};

/// The size of text, in points.
pub const BODY: f32 = 14.0;

/// The size of the smallest text, in points. Only what stands on a map becomes smaller, with the map.
pub const SMALL: f32 = 12.0;

/// The least contrast of text with its ground: WCAG 2.2, success criterion 1.4.3.
pub const READABLE: f32 = 4.5;

/// The ground of a button that does what its place is for. White can be read on it, and it can be told from either ground.
const PRIMARY: Color32 = Color32::from_rgb(0, 98, 190);

/// The ground of a card, in both themes: cards are printed on paper.
pub const PAPER: Color32 = Color32::from_rgb(244, 239, 228);

/// What is printed on it.
pub const PRINT: Color32 = Color32::from_rgb(34, 31, 28);

/// The band with its name, where its look says no colour.
pub const BAND: Color32 = Color32::from_rgb(214, 203, 180);

/// Gives a window its fonts and both themes. Called once, before the first frame.
pub fn set_up(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    // The text's own font has the arrows and shapes that dice and signs are made of.
    fonts.families.entry(FontFamily::Proportional).or_default().push("Hack".to_owned());
    ctx.set_fonts(fonts);
    let mut icons = egui_material_icons::font_insert();
    icons.families.push(InsertFontFamily { family: FontFamily::Monospace, priority: FontPriority::Lowest });
    ctx.add_font(icons);
    ctx.style_mut_of(Theme::Dark, |s| dress(s, dark()));
    ctx.style_mut_of(Theme::Light, |s| dress(s, light()));
}

fn dress(style: &mut egui::Style, visuals: Visuals) {
    style.visuals = visuals;
    style.text_styles = [
        (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(BODY, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(BODY, FontFamily::Proportional)),
        (TextStyle::Heading, FontId::new(20.0, FontFamily::Proportional)),
        (TextStyle::Monospace, FontId::new(BODY, FontFamily::Monospace)),
    ]
    .into();
}

/// The dark theme.
pub fn dark() -> Visuals {
    let mut v = Visuals::dark();
    v.weak_text_color = Some(Color32::from_gray(168));
    v.widgets.noninteractive.fg_stroke.color = Color32::from_gray(205);
    v.widgets.inactive.fg_stroke.color = Color32::from_gray(215);
    v.warn_fg_color = Color32::from_rgb(255, 203, 107);
    v.error_fg_color = Color32::from_rgb(255, 120, 120);
    v.selection.bg_fill = Color32::from_rgb(0, 92, 140);
    v
}

/// The light theme.
pub fn light() -> Visuals {
    let mut v = Visuals::light();
    v.weak_text_color = Some(Color32::from_gray(90));
    v.widgets.noninteractive.fg_stroke.color = Color32::from_gray(50);
    v.widgets.inactive.fg_stroke.color = Color32::from_gray(45);
    v.hyperlink_color = Color32::from_rgb(0, 98, 190);
    v.warn_fg_color = Color32::from_rgb(140, 84, 0);
    v.error_fg_color = Color32::from_rgb(186, 32, 32);
    v.selection.bg_fill = Color32::from_rgb(150, 208, 250);
    v
}

/// The colour of what is on offer: spaces, pieces and rows that a choice names.
pub fn offered(visuals: &Visuals) -> Color32 {
    visuals.hyperlink_color
}

/// The colour of what has been picked or selected.
pub fn picked(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(255, 190, 40) } else { Color32::from_rgb(148, 76, 0) }
}

/// A button that does what its place is for: filled.
pub fn primary_button<'a>(text: impl Into<String>) -> egui::Button<'a> {
    egui::Button::new(RichText::new(text).color(contrast_color(PRIMARY))).fill(PRIMARY)
}

/// How bright a colour is, from 0 to 1: the relative luminance of WCAG 2.2.
fn luminance(color: Color32) -> f32 {
    let part = |v: u8| {
        let x = f32::from(v) / 255.0;
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(color.r()) + 0.7152 * part(color.g()) + 0.0722 * part(color.b())
}

/// How well two colours can be told apart, from 1 to 21: the contrast ratio of WCAG 2.2.
pub fn contrast_ratio(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

/// Black or white, whichever reads better on a colour.
pub fn contrast_color(fill: Color32) -> Color32 {
    if luminance(fill) > 0.179 { Color32::from_gray(10) } else { Color32::from_gray(250) }
}

/// The colour, or the nearest to it on the way to black or white that can be read as a text on that ground.
pub fn readable_color(color: Color32, ground: Color32) -> Color32 {
    let end = contrast_color(ground);
    (0..=10)
        .map(|k| color.lerp_to_gamma(end, k as f32 / 10.0))
        .find(|c| contrast_ratio(*c, ground) >= READABLE)
        .unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_players_can_be_read_as_text() {
        for ground in [Color32::from_gray(27), Color32::from_gray(248)] {
            for color in
                [Color32::WHITE, Color32::BLACK, Color32::YELLOW, Color32::BLUE, Color32::from_gray(128)]
            {
                let text = readable_color(color, ground);
                assert!(contrast_ratio(text, ground) >= READABLE, "{color:?} on {ground:?}: {text:?}");
            }
            let own = contrast_color(ground);
            assert_eq!(readable_color(own, ground), own, "what can be read stays as it is");
        }
    }

    #[test]
    fn every_style_can_be_read_on_every_ground() {
        for v in [dark(), light()] {
            let grounds = [v.panel_fill, v.window_fill, v.extreme_bg_color, v.widgets.inactive.weak_bg_fill];
            let texts = [
                ("text", v.text_color()),
                ("weak", v.weak_text_color()),
                ("strong", v.strong_text_color()),
                ("link and offered", offered(&v)),
                ("picked", picked(&v)),
                ("warning", v.warn_fg_color),
                ("error", v.error_fg_color),
            ];
            for ground in grounds {
                for (name, text) in texts {
                    let ratio = contrast_ratio(text, ground);
                    assert!(ratio >= READABLE, "{name} on {ground:?}, dark {}: {ratio}", v.dark_mode);
                }
            }
            for (name, w) in [
                ("inactive", v.widgets.inactive),
                ("hovered", v.widgets.hovered),
                ("active", v.widgets.active),
                ("open", v.widgets.open),
            ] {
                let ratio = contrast_ratio(w.text_color(), w.weak_bg_fill);
                assert!(ratio >= READABLE, "a button that is {name}, dark {}: {ratio}", v.dark_mode);
            }
            let chosen = contrast_ratio(v.selection.stroke.color, v.selection.bg_fill);
            assert!(chosen >= READABLE, "a chosen row, dark {}: {chosen}", v.dark_mode);
            // They differ in hue: no channel has to be as bright as the other.
            let [a, b] = [offered(&v), picked(&v)].map(|c| c.to_array());
            let apart: u32 = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            assert!(apart > 250, "two accents, dark {}: {apart}", v.dark_mode);
        }
        assert!(contrast_ratio(contrast_color(PRIMARY), PRIMARY) >= READABLE);
        assert!(
            contrast_ratio(PRINT, PAPER) >= READABLE
                && contrast_ratio(contrast_color(BAND), BAND) >= READABLE
        );
    }
}
