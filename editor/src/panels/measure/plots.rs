//! The plots of Measure: shares of wins with their intervals, and a histogram of lengths. They are pictures: the tables beside them say the same in words. A click on
//! a bar shows one of its games, as the links of the tables do.
use super::data::{Data, PlayerRow};
use crate::command::Command;
use crate::command::measure::Request;
use egui::{Color32, Response, Role, Stroke, Ui, WidgetInfo};
use egui_plot::{Bar, BarChart, GridMark, Line, Plot, PlotPoints};

/// How high a plot is.
const HIGH: f32 = 170.0;

/// How wide the cap of a whisker is.
const CAP: f64 = 0.08;

fn new_plot<'a>(name: &'a str, ui: &Ui) -> Plot<'a> {
    Plot::new(name)
        .height(HIGH)
        .width(ui.available_width())
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
}

/// Marks on an axis at all multiples of a step.
fn list_marks((from, to): (f64, f64), step: f64) -> Vec<GridMark> {
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last.min(first.saturating_add(100)))
        .map(|i| GridMark { value: i as f64 * step, step_size: step })
        .collect()
}

/// A round step that has some four marks between these bounds: 1, 2 or 5 times a power of ten.
fn round_step((from, to): (f64, f64)) -> f64 {
    let rough = ((to - from) / 5.0).max(1e-6);
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    power * steps.into_iter().find(|s| s * power >= rough).unwrap_or(10.0)
}

/// A picture's name and what it shows, for screen readers.
fn name_picture(response: &Response, said: &str) {
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, said));
}

/// A vertical line with caps, from the lower to the upper bound.
fn whisker(x: f64, low: f64, high: f64, color: Color32) -> [Line<'static>; 3] {
    let line = |points: Vec<[f64; 2]>| {
        Line::new("", PlotPoints::from(points)).color(color).width(1.5).allow_hover(false)
    };
    [
        line(vec![[x, low], [x, high]]),
        line(vec![[x - CAP, low], [x + CAP, low]]),
        line(vec![[x - CAP, high], [x + CAP, high]]),
    ]
}

/// How often each player won, as bars with intervals; those of the run before stand beside them, paler.
pub(super) fn show_wins(ui: &mut Ui, data: &Data, colors: &[Color32], out: &mut Vec<Command>) {
    let strong = ui.visuals().strong_text_color();
    let grey = ui.visuals().weak_text_color();
    let names: Vec<String> = data.players.iter().map(|p| p.name.clone()).collect();
    let said: Vec<String> = data.players.iter().map(say_player).collect();
    let plot = new_plot("wins", ui)
        .default_y_bounds(0.0, 1.0)
        .include_y(0.0)
        .include_y(1.0)
        .include_x(-0.6)
        .include_x(names.len() as f64 - 0.4)
        .show_grid([false, true])
        .x_grid_spacer(|input| list_marks(input.bounds, 1.0))
        .y_grid_spacer(|input| list_marks(input.bounds, 0.25))
        .x_axis_formatter(move |mark, _| player_at(&names, mark.value))
        .y_axis_formatter(|mark, _| format!("{:.0} %", mark.value * 100.0));
    let shown = plot.show(ui, |plot| {
        for (i, p) in data.players.iter().enumerate() {
            let x = i as f64;
            let color = colors.get(p.bar.player).copied().unwrap_or(Color32::GRAY);
            let (wide, shift) = if p.bar.before.is_some() { (0.34, 0.19) } else { (0.5, 0.0) };
            let bar = |x: f64, share: f64, fill: Color32| {
                let bar = Bar::new(x, share).width(wide).fill(fill).stroke(Stroke::new(1.0, grey));
                BarChart::new("", vec![bar]).allow_hover(false)
            };
            if let Some((share, low, high)) = p.bar.before {
                plot.bar_chart(bar(x - shift, share, color.gamma_multiply(0.25)));
                whisker(x - shift, low, high, grey).into_iter().for_each(|line| plot.line(line));
            }
            let (share, low, high) = p.bar.share;
            plot.bar_chart(bar(x + shift, share, color.gamma_multiply(0.75)));
            whisker(x + shift, low, high, strong).into_iter().for_each(|line| plot.line(line));
        }
        plot.pointer_coordinate().map(|p| p.x)
    });
    let clicked = shown.inner.filter(|_| shown.response.clicked());
    let player = clicked.and_then(|x| data.players.get(x.round().max(0.0) as usize));
    if let Some(won) = player.and_then(|p| p.lots.first()?.as_ref()) {
        out.push(Command::AskMeasure(Request::Games(won.told.clone(), won.games.clone())));
    }
    name_picture(&shown.response, &format!("Wins: {}", said.join("; ")));
}

fn player_at(names: &[String], x: f64) -> String {
    let whole = (x - x.round()).abs() < 0.01 && x >= 0.0;
    if whole { names.get(x.round() as usize).cloned().unwrap_or_default() } else { String::new() }
}

fn say_player(p: &PlayerRow) -> String {
    let (share, low, high) = p.bar.share;
    format!("{} {:.1} % ({:.1} to {:.1})", p.name, share * 100.0, low * 100.0, high * 100.0)
}

/// How many games had how many choices.
pub(super) fn show_lengths(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    let all = data.bars.iter().map(|(.., games)| games.count).sum::<u64>().max(1) as f64;
    let fill = ui.visuals().selection.bg_fill;
    let line = ui.visuals().weak_text_color();
    let middle = |low: u64, high: u64| (low + high) as f64 / 2.0;
    let wide = |low: u64, high: u64| (high - low + 1) as f64 * 0.9;
    let bars: Vec<Bar> = data
        .bars
        .iter()
        .map(|(low, high, games)| {
            let share = games.count as f64 / all;
            Bar::new(middle(*low, *high), share).width(wide(*low, *high)).fill(fill)
        })
        .collect();
    // The run before is an outline over them, scaled to the width of the bars.
    let width = data.bars.first().map_or(1.0, |(low, high, _)| (high - low + 1) as f64);
    let before: Vec<Bar> = data
        .bars_before
        .iter()
        .map(|(low, high, share)| {
            let scaled = share * width / (high - low + 1) as f64;
            Bar::new(middle(*low, *high), scaled)
                .width(wide(*low, *high))
                .fill(Color32::TRANSPARENT)
                .stroke(Stroke::new(1.5, line))
        })
        .collect();
    let plot = new_plot("lengths", ui)
        .include_y(0.0)
        .show_grid([false, true])
        .x_axis_label("choices")
        .x_grid_spacer(|input| list_marks(input.bounds, round_step(input.bounds)))
        .y_grid_spacer(|input| list_marks(input.bounds, round_step(input.bounds)))
        .y_axis_formatter(|mark, _| format!("{:.0} %", mark.value * 100.0));
    let shown = plot.show(ui, |plot| {
        plot.bar_chart(BarChart::new("", bars).allow_hover(false));
        plot.bar_chart(BarChart::new("", before).allow_hover(false));
        plot.pointer_coordinate().map(|p| p.x)
    });
    let clicked = shown.inner.filter(|_| shown.response.clicked());
    let is_at = |low: u64, high: u64, x: f64| low as f64 - 0.5 <= x && x <= high as f64 + 0.5;
    let bar = clicked.and_then(|x| data.bars.iter().find(|(low, high, _)| is_at(*low, *high, x)));
    if let Some((low, high, games)) = bar.filter(|(.., games)| games.count > 0) {
        let told = match low == high {
            true => format!("a game with {low} choices"),
            false => format!("a game with {low} to {high} choices"),
        };
        out.push(Command::AskMeasure(Request::Games(told, games.games.clone())));
    }
    let said = |(low, high, games): &(u64, u64, houserule::lab::figures::Sample)| match low == high {
        true => format!("{low}: {}", games.count),
        false => format!("{low} to {high}: {}", games.count),
    };
    let said: Vec<String> = data.bars.iter().map(said).collect();
    name_picture(&shown.response, &format!("Games by number of choices: {}", said.join("; ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_marks() {
        assert_eq!(round_step((0.0, 100.0)), 20.0);
        assert_eq!(round_step((19.0, 112.0)), 20.0);
        assert!((round_step((0.0, 0.11)) - 0.05).abs() < 1e-9);
        let marks: Vec<f64> = list_marks((-0.1, 1.0), 0.25).iter().map(|m| m.value).collect();
        assert_eq!(marks, [0.0, 0.25, 0.5, 0.75, 1.0]);
    }
}
