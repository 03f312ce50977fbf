//! Goes on with a match when its rules are edited: it is played again in the background, and where it parts from what was, both sides are shown.
use super::{Act, Playing, State, Wants, show::show_button};
use crate::command::Command;
use crate::document::Revision;
use crate::jobs::Job;
use crate::panels::Context;
use crate::panels::setup::LoadedGame;
use crate::play::carry::{Carried, OldLine, Parting};
use crate::style::primary_button;
use egui::Ui;

/// What was played again.
#[derive(Clone, Copy)]
struct Of {
    /// The texts.
    revision: Revision,
    /// How often play had moved by then.
    generation: u64,
    /// The seat whose views of both matches were compared.
    view_as: usize,
}

/// What came of it.
type Made = Result<Carried, Vec<String>>;

/// The match that is played, played again under the rules as they are now.
#[derive(Default)]
pub(super) struct Carry {
    running: Option<(Of, Job<Made>)>,
    /// The last one that is not as it was, until somebody says which is to go on.
    parted: Option<(Of, Made)>,
    /// The one that was left for the old rules.
    left: Option<Of>,
    /// Where play stood when the match went on with changed rules.
    renewed: Option<u64>,
}

impl Carry {
    pub(super) fn parting(&self) -> Option<&Parting> {
        self.parted.as_ref().and_then(|(_, made)| made.as_ref().ok()?.parting.as_ref())
    }

    /// Whether the match has just gone on with changed rules.
    pub(super) fn is_renewed(&self, generation: u64) -> bool {
        self.renewed == Some(generation)
    }

    /// The old rules go on.
    pub(super) fn leave(&mut self) {
        self.left = self.parted.take().map(|(of, _)| of);
    }

    /// Says that the texts have changed, and what that changes.
    pub(super) fn show(&self, ui: &mut Ui, cx: &Context, wants: &mut Wants) {
        let again = |ui: &mut Ui, wants: &mut Wants| {
            let r = ui.button("Start again");
            if r.on_hover_text("Start a game of the texts as they are now.").clicked() {
                wants.act(Act::Start);
            }
        };
        let Some((_, made)) = &self.parted else {
            ui.horizontal_wrapped(|ui| {
                ui.weak("The texts have changed since this game was started.");
                again(ui, wants);
            });
            return;
        };
        match made {
            Err(told) => {
                for line in told {
                    ui.colored_label(ui.visuals().error_fg_color, line);
                }
            }
            Ok(carried) => {
                let Some(parting) = &carried.parting else { return };
                show_parting(ui, parting);
            }
        }
        ui.horizontal_wrapped(|ui| {
            if made.is_ok() {
                let info = Act::NewRules.info();
                let r = ui.add(primary_button(info.title()));
                r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.name));
                if r.on_hover_text(cx.keys.tooltip(&Command::Play(Act::NewRules))).clicked() {
                    wants.act(Act::NewRules);
                }
                show_button(ui, cx, Act::OldRules, wants);
            }
            again(ui, wants);
        });
    }
}

/// Both sides of the step at which a match parts.
fn show_parting(ui: &mut Ui, parting: &Parting) {
    let Parting { step, all, choice, refused, old, new } = parting;
    let choice = choice.as_ref().map_or(String::new(), |c| format!(" – {c}"));
    ui.strong(match step {
        0 => String::from("With the changed rules the match begins otherwise."),
        step => format!("With the changed rules the match parts at choice {step} of {all}{choice}."),
    });
    ui.columns(2, |sides| {
        for (ui, (title, lines)) in
            sides.iter_mut().zip([("As it was", old), ("With the changed rules", new)])
        {
            ui.weak(title);
            let area = egui::ScrollArea::vertical().id_salt(title).max_height(110.0);
            area.show(ui, |ui| {
                if let Some(why) = refused.as_ref().filter(|_| std::ptr::eq(lines, new)) {
                    ui.colored_label(ui.visuals().warn_fg_color, why);
                }
                for line in lines {
                    ui.label(line);
                }
                if lines.is_empty() && (refused.is_none() || std::ptr::eq(lines, old)) {
                    ui.weak("nothing that this seat sees");
                }
            });
        }
    });
}

impl State {
    /// Plays the match again when the texts of its game have changed and can be played.
    pub(super) fn poll_carry(&mut self, cx: &Context) {
        let Some(p) = self.playing.as_ref().filter(|p| p.is_stale(cx)) else {
            self.carry = Carry { renewed: self.carry.renewed, ..Carry::default() };
            return;
        };
        let (generation, view_as) = (p.session.generation(), p.session.view_as());
        let touched = cx.document.game_touched_at(&p.subject);
        let fits = |of: &Of| of.revision >= touched && of.generation == generation && of.view_as == view_as;
        if let Some((of, job)) = &mut self.carry.running
            && let Some(made) = job.poll()
        {
            let of = *of;
            self.carry.running = None;
            let made = made.unwrap_or_else(|failed| Err(vec![failed.to_string()]));
            if fits(&of) {
                // Where nobody has chosen anything, nothing is lost.
                let same = made.as_ref().is_ok_and(|c| c.parting.as_ref().is_none_or(|p| p.all == 0));
                self.carry.parted = Some((of, made));
                if same {
                    self.take_carried();
                    self.carry.renewed = self.playing.as_ref().map(|p| p.session.generation());
                    return;
                }
            }
        }
        if self.carry.parted.as_ref().is_some_and(|(of, _)| !fits(of)) {
            self.carry.parted = None;
        }
        let left = self.carry.left.is_some_and(|of| of.revision >= touched);
        if left || self.carry.running.is_some() || self.carry.parted.is_some() {
            return;
        }
        let Some(LoadedGame { subject, revision, game: Ok((game, files)) }) = &self.setup.loaded else {
            return;
        };
        if *subject != p.subject || *revision < touched {
            return;
        }
        let (game, files) = (game.clone(), files.clone());
        let old = OldLine::from_session(&p.session);
        let job = cx.jobs.start("Playing the match again", move |_| old.carry(&game, &files));
        self.carry.running = Some((Of { revision: *revision, generation, view_as }, job));
    }

    /// Goes on with the match as the changed rules play it; the one that was shown is kept if anything of it is not there. False if there is none.
    pub(super) fn take_carried(&mut self) -> bool {
        let Some((of, Ok(carried))) = self.carry.parted.take() else { return false };
        let Some(p) = &self.playing else { return false };
        let subject = p.subject.clone();
        let whole = carried.parting.is_none() && p.session.lines().0.len() == 1;
        let (before, views, paused) = (self.before.take(), std::mem::take(&mut self.views), self.paused);
        self.leave_match();
        if whole {
            self.before = before;
        }
        (self.views, self.paused) = (views, paused);
        self.playing = Some(Playing::new(subject, of.revision, carried.session));
        self.carry = Carry::default();
        true
    }
}
