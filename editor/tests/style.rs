//! What is painted: how large texts are and how well they can be read, in every pane and in both themes.
use crate::support::{app, open, shipped, window};
use egui::accesskit::Role;
use egui::epaint::{ClippedShape, Shape, TextShape};
use egui::{Color32, Pos2, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use houserule_editor::App;
use houserule_editor::command::{Act, Command};
use houserule_editor::panels::{Pane, play};
use houserule_editor::settings::Theme;
use houserule_editor::style::{READABLE, SMALL, contrast_ratio};

/// A board, a map of hexes, hidden dice and cards in the hand.
const GAMES: [&str; 4] = [
    "rules/classics/chess.rules",
    "scenarios/fog/solo.scenario",
    "rules/fuji/fuji.rules",
    "rules/classics/hearts.rules",
];

/// A text as it was painted: its words, size, colour and the ground under its middle.
struct Painted {
    text: String,
    size: f32,
    color: Color32,
    ground: Color32,
    at: Pos2,
}

/// All texts of the last frame that are in sight.
fn painted(harness: &Harness<App>) -> Vec<Painted> {
    let mut texts = Vec::new();
    let mut grounds: Vec<(Rect, Color32)> = Vec::new();
    for ClippedShape { clip_rect, shape, .. } in &harness.output().shapes {
        add(*clip_rect, shape, &mut grounds, &mut texts);
    }
    texts
}

fn add(clip: Rect, shape: &Shape, grounds: &mut Vec<(Rect, Color32)>, texts: &mut Vec<Painted>) {
    match shape {
        Shape::Vec(all) => all.iter().for_each(|s| add(clip, s, grounds, texts)),
        Shape::Rect(r) if r.fill.a() == 255 => grounds.push((r.rect.intersect(clip), r.fill)),
        Shape::Path(p) if p.fill.a() == 255 && p.closed => {
            grounds.push((Rect::from_points(&p.points).intersect(clip), p.fill));
        }
        Shape::Circle(c) if c.fill.a() == 255 => {
            grounds.push((c.visual_bounding_rect().intersect(clip), c.fill))
        }
        Shape::Text(t) => add_text(clip, t, grounds, texts),
        _ => {}
    }
}

fn add_text(clip: Rect, t: &TextShape, grounds: &[(Rect, Color32)], texts: &mut Vec<Painted>) {
    let mut byte = 0;
    for row in &t.galley.rows {
        for glyph in &row.glyphs {
            let here = egui::text::ByteIndex(byte);
            byte += glyph.chr.len_utf8();
            if glyph.chr.is_whitespace() {
                continue;
            }
            let at = t.pos + row.pos.to_vec2() + glyph.pos.to_vec2() - egui::vec2(0.0, 3.0);
            if !clip.contains(at) {
                continue;
            }
            let sections = &t.galley.job.sections;
            let Some(section) = sections.iter().find(|s| s.byte_range.contains(&here)) else { continue };
            let own = section.format.color;
            let color = if own == Color32::PLACEHOLDER { t.fallback_color } else { own };
            let color = t.override_text_color.unwrap_or(color);
            let behind = section.format.background;
            let ground = match behind.a() {
                255 => behind,
                _ => grounds.iter().rev().find(|(r, _)| r.contains(at)).map_or(Color32::BLACK, |g| g.1),
            };
            let text: String = t.galley.job.text.chars().take(60).collect();
            let size = section.format.font_id.size;
            if texts.last().is_none_or(|l| l.text != text || l.color != color || l.ground != ground) {
                texts.push(Painted { text, size, color, ground, at });
            }
        }
        byte += usize::from(row.ends_with_newline);
    }
}

/// What is too small or too pale. Texts of a map shrink with it, and what cannot be pressed is meant to be pale.
fn faults(harness: &Harness<App>, place: &str) -> Vec<String> {
    let maps: Vec<Rect> = harness.query_all_by_role(Role::Canvas).map(|n| n.rect()).collect();
    let mut out = Vec::new();
    for p in painted(harness).iter().filter(|p| !maps.iter().any(|m| m.contains(p.at))) {
        let ratio = contrast_ratio(p.color, p.ground);
        let pale = p.color.a() == 255 && ratio < READABLE - 0.05;
        if p.size < SMALL || pale {
            out.push(format!(
                "{place}: {:?}, {} points, contrast {ratio:.2} ({:?} on {:?}) at {:?}",
                p.text, p.size, p.color, p.ground, p.at
            ));
        }
    }
    out
}

#[test]
fn what_is_written_can_be_read() {
    let mut found = Vec::new();
    for theme in [Theme::Dark, Theme::Light] {
        let mut h = window(app(shipped()));
        h.state_mut().settings.theme = theme;
        h.run_steps(3);
        found.extend(faults(&h, &format!("start {theme:?}")));
        for file in GAMES {
            open(&mut h, file);
            for pane in Pane::ALL {
                h.state_mut().carry_out(Command::Show(pane));
                h.run_steps(4);
                found.extend(faults(&h, &format!("{file} {pane:?} {theme:?}")));
            }
            h.state_mut().carry_out(Command::Show(Pane::Play));
            h.state_mut().carry_out(Command::Play(play::Act::Start));
            h.run_steps(6);
            found.extend(faults(&h, &format!("{file} played {theme:?}")));
        }
        for act in [Act::Palette, Act::Shortcuts, Act::Book] {
            h.state_mut().carry_out(Command::Do(act));
            h.run_steps(2);
            found.extend(faults(&h, &format!("{act:?} {theme:?}")));
            h.key_press(egui::Key::Escape);
            h.run_steps(2);
        }
    }
    assert!(found.is_empty(), "{}\n{} in all", found.join("\n"), found.len());
}
