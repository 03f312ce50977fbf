//! Shows *Try it* for the open card: the situation as text, the choice, the number of seeds, and what came of them.
use super::State;
use super::data::{Data, count_text};
use crate::command::{Command, cards::Act};
use crate::document::TextPlace;
use crate::panels::Context;
use crate::play::bench::{Ending, Outcome, Pick, RUNS, Trial, Tried, Wrong};
use crate::style::{SMALL, offered};
use egui::{ComboBox, DragValue, RichText, Role, Sense, TextEdit, Ui, Vec2, WidgetInfo};
use egui_material_icons::icons;
use houserule::ide::cards::Card;

/// So many outcomes are listed.
const LISTED: usize = 40;

/// So many lines of one outcome are shown.
const LINES: usize = 12;

/// How wide the bar of an outcome is that every run led to.
const BAR: f32 = 110.0;

/// What is wanted of an outcome.
enum Want {
    /// Show one of its matches in Play.
    Show(Outcome),
    /// Make a test of it.
    Test(Outcome),
    /// Try what is asked then.
    GoOn(Outcome),
    /// Go to the place of a rule error.
    Place(Place),
}

/// A file and bytes in it.
type Place = (String, std::ops::Range<usize>);

/// Shows it.
pub(super) fn show(
    state: &mut State,
    ui: &mut Ui,
    cx: &Context<'_>,
    data: &Data,
    card: &Card,
    out: &mut Vec<Command>,
) {
    let Some(subject) = state.subject.clone() else { return };
    let whose = (subject.clone(), card.id.clone());
    state.bench.poll_trial(cx, &whose, card);
    ui.horizontal(|ui| {
        let heading = ui.heading("Try it");
        if std::mem::take(&mut state.bench.scroll) {
            heading.scroll_to_me(Some(egui::Align::TOP));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.button(icons::ICON_CLOSE.codepoint);
            close.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close Try it"));
            if close.on_hover_text("Close Try it").clicked() {
                out.push(Command::Cards(Act::TryIt));
            }
            ui.label(RichText::new("everything is shown").size(SMALL).weak()).on_hover_text(
                "This is for the designer: what any of the players sees is told, also what is hidden from others.",
            );
        });
    });
    let trial = state.bench.trial_of(&whose);
    show_situation(ui, trial, out);
    let mut wants = Vec::new();
    let made = state.bench.made_for(&whose);
    let tried = match made.as_deref() {
        Some(Ok(tried)) => Some(tried),
        Some(Err(wrong)) => {
            show_wrong(ui, wrong, &mut wants);
            None
        }
        None => None,
    };
    let trial = state.bench.trial_of(&whose);
    show_choice(ui, trial, tried);
    let changed = tried.is_some_and(|t| t.trial != *trial);
    ui.separator();
    let busy = state.bench.is_busy();
    if !cx.analyses.get(&subject).is_some_and(|k| k.analysis.sound) {
        let text =
            "Something is wrong with the rules as they are now. It is played again when that is mended.";
        ui.colored_label(ui.visuals().warn_fg_color, text);
    } else if (busy || changed) && !matches!(made.as_deref(), Some(Err(_))) {
        ui.weak("It is being played …");
    }
    if let Some(tried) = tried {
        show_outcomes(ui, tried, &mut wants);
        for want in wants {
            match want {
                Want::Show(o) => state.bench.show_outcome(cx, &subject, tried, &o),
                Want::Test(o) => state.bench.make_test(cx, &subject, tried, &o),
                Want::GoOn(o) => state.bench.go_on(cx, &whose, tried, &o),
                Want::Place(place) => out.push(go_to(cx, data, &place)),
            }
        }
    } else {
        out.extend(wants.iter().filter_map(|w| match w {
            Want::Place(place) => Some(go_to(cx, data, place)),
            _ => None,
        }));
    }
}

fn go_to(cx: &Context<'_>, data: &Data, (file, range): &Place) -> Command {
    let range = cx.document.follow_range(data.revision, file, range.clone()).range;
    Command::GoTo(TextPlace::new(file.as_str(), range))
}

/// The text of the situation, and where it can come from.
fn show_situation(ui: &mut Ui, trial: &mut Trial, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.strong("Situation");
        let r = ui.button("Take the match in Play");
        if r.on_hover_text("Write the match in Play, as it stands, as the situation.").clicked() {
            out.push(Command::TryMatch);
        }
        let r = ui.button("Propose one");
        if r.on_hover_text("Look for a situation in which the card can be used.").clicked() {
            (trial.situation, trial.pick) = (None, Pick::Usual);
        }
    });
    let mut text = trial.situation.clone().unwrap_or_default();
    let rows = text.lines().count().clamp(3, 12);
    let field = TextEdit::multiline(&mut text)
        .code_editor()
        .desired_width(f32::INFINITY)
        .desired_rows(rows)
        .hint_text("given { … }: statements of the rules, as in a test");
    let r = ui.add(field);
    r.widget_info(|| WidgetInfo::labeled(Role::MultilineTextInput, true, "Situation"));
    if r.changed() {
        trial.situation = Some(text);
    }
}

/// What is wrong with the situation, each with its line; what is wrong in the rules leads there.
fn show_wrong(ui: &mut Ui, wrong: &[Wrong], wants: &mut Vec<Want>) {
    let color = ui.visuals().error_fg_color;
    for w in wrong {
        let line = w.line.map(|n| format!("Line {n}: ")).unwrap_or_default();
        let text = RichText::new(format!("{line}{}", w.text)).color(color);
        show_told(ui, text, w.place.as_ref(), wants);
    }
}

/// A line that leads to a place, if it has one.
fn show_told(ui: &mut Ui, text: RichText, place: Option<&Place>, wants: &mut Vec<Want>) {
    match place {
        Some(place) => {
            if ui.link(text).on_hover_text("Go to the place").clicked() {
                wants.push(Want::Place(place.clone()));
            }
        }
        None => drop(ui.label(text)),
    }
}

/// The choice, and how often it is played.
fn show_choice(ui: &mut Ui, trial: &mut Trial, tried: Option<&Tried>) {
    const NONE: &str = "None: what happens by itself";
    let shown = match (&trial.pick, tried) {
        (Pick::Usual, _) => String::from("…"),
        (Pick::Nothing, _) => String::from(NONE),
        (Pick::Choice(c), Some(t)) if t.trial.pick == trial.pick && !t.is_offered => {
            format!("{} (not on offer)", c.title)
        }
        (Pick::Choice(c), _) => c.title.clone(),
    };
    ui.horizontal(|ui| {
        let label = ui.strong("Choice");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let seeds = ui.add(DragValue::new(&mut trial.runs).range(RUNS));
            seeds.labelled_by(ui.label("Seeds").id);
            let width = (ui.available_width() - 8.0).max(60.0);
            let combo = ComboBox::from_id_salt("choice to try").selected_text(&shown).width(width).truncate();
            let r = combo.show_ui(ui, |ui| {
                ui.selectable_value(&mut trial.pick, Pick::Nothing, NONE);
                let Some(tried) = tried else { return };
                for (n, c) in tried.offers.iter().enumerate() {
                    if n == tried.naming && n > 0 {
                        ui.separator();
                    }
                    ui.selectable_value(&mut trial.pick, Pick::Choice(c.clone()), &c.title);
                }
                if tried.more > 0 {
                    ui.weak(format!("and {} more", tried.more));
                }
            });
            r.response.labelled_by(label.id).on_hover_text(shown);
        });
    });
}

/// What came of it.
fn show_outcomes(ui: &mut Ui, tried: &Tried, wants: &mut Vec<Want>) {
    let all: usize = tried.outcomes.iter().map(|o| o.seeds.len()).sum();
    let n = tried.outcomes.len();
    ui.strong(format!("{} in {}", count_text(n, "outcome", "outcomes"), count_text(all, "run", "runs")));
    if tried.varies {
        ui.weak("The situation leaves something to chance: it differs from run to run.");
    }
    for (n, o) in tried.outcomes.iter().take(LISTED).enumerate() {
        ui.push_id(("outcome", n), |ui| {
            egui::Frame::group(ui.style()).show(ui, |ui| {
                ui.set_width(ui.available_width());
                show_outcome(ui, tried, o, all, wants);
            });
        });
    }
    let more = n.saturating_sub(LISTED);
    if more > 0 {
        ui.weak(format!("and {} that are rarer", count_text(more, "outcome", "outcomes")));
    }
}

/// What an outcome is, a line each.
fn outcome_lines(tried: &Tried, o: &Outcome) -> Vec<String> {
    let mut out: Vec<String> = match &o.ending {
        Ending::Taken => Vec::new(),
        Ending::Refused(why) => vec![format!("Refused: {why}")],
        Ending::Fault(why, _) => vec![format!("A rule error: {why}")],
    };
    out.extend(o.told.iter().chain(&o.changes).cloned());
    if out.is_empty() {
        out.push(String::from(match (&tried.trial.pick, tried.outcomes.len()) {
            (Pick::Nothing, 1) => "Every run is the same",
            _ => "Nothing changes",
        }));
    }
    out
}

fn show_outcome(ui: &mut Ui, tried: &Tried, o: &Outcome, all: usize, wants: &mut Vec<Want>) {
    let lines = outcome_lines(tried, o);
    let count = format!("{} of {all}", o.seeds.len());
    ui.horizontal(|ui| {
        let r = ui.button(format!("{} {count}", icons::ICON_PLAY_ARROW.codepoint));
        r.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{count}: {}", lines.join("; "))));
        if r.on_hover_text("Show one of these matches in Play").clicked() {
            wants.push(Want::Show(o.clone()));
        }
        let (rect, _) = ui.allocate_exact_size(Vec2::new(BAR, 10.0), Sense::hover());
        ui.painter().rect_filled(rect, 3, ui.visuals().extreme_bg_color);
        let share = o.seeds.len() as f32 / all.max(1) as f32;
        let full = egui::Rect::from_min_size(rect.min, Vec2::new(rect.width() * share, rect.height()));
        ui.painter().rect_filled(full, 3, offered(ui.visuals()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // A rule that fails can be no test that passes.
            if matches!(o.ending, Ending::Fault(..)) {
                return;
            }
            if o.ending == Ending::Taken && tried.trial.pick != Pick::Nothing {
                let r = ui.button("Go on");
                r.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Go on from {count}")));
                let about = "Take this as the situation, and try what can be chosen then.";
                if r.on_hover_text(about).clicked() {
                    wants.push(Want::GoOn(o.clone()));
                }
            }
            let r = ui.button("Make a test");
            r.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Make a test of {count}")));
            if r.on_hover_text("Write the situation, the choice and what came of it as a test.").clicked() {
                wants.push(Want::Test(o.clone()));
            }
        });
    });
    let visuals = ui.visuals();
    let (first, place) = match &o.ending {
        Ending::Taken => (None, None),
        Ending::Refused(_) => (Some(visuals.warn_fg_color), None),
        Ending::Fault(_, place) => (Some(visuals.error_fg_color), place.as_ref()),
    };
    for (n, line) in lines.iter().take(LINES).enumerate() {
        match first.filter(|_| n == 0) {
            Some(color) => show_told(ui, RichText::new(line).color(color), place, wants),
            None => drop(ui.label(line)),
        }
    }
    if lines.len() > LINES {
        ui.weak(format!("and {} more", lines.len() - LINES))
            .on_hover_text(lines.get(LINES..).unwrap_or(&[]).join("\n"));
    }
    if !o.chance.is_empty() {
        ui.weak(format!("for example: {}", o.chance.join(", ")));
    }
}
