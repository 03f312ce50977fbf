//! Makes the findings for reads of hidden things: E0502 with its help, and hooks where none may stand. [`super::look`] finds the reads.
use super::codes;
use super::look::{self, Look};
use super::taint::Lies;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use rustc_hash::FxHashSet as HashSet;

/// What is computed from secrets; the message names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Guarded {
    /// What is offered.
    Option,
    /// What can be chosen.
    Choice,
    /// What is drawn.
    Look,
    /// Who is asked, and whether.
    Asked,
    /// To whom something is shown.
    Shown,
    /// Whether a menu is put before somebody.
    Open,
    /// Whether somebody is done, where all act freely.
    Done,
    /// Who sees what lies in a zone.
    Seen,
}

/// What was reported already: place and zone.
pub(super) type Reported = HashSet<(Span, ZoneId)>;

/// Reports what was found to be looked at though it is hidden, and hooks on the way.
pub(super) fn report_leaks(
    model: &Model,
    look: &mut Look<'_>,
    sort: Guarded,
    told: &mut Reported,
    out: &mut Report,
) {
    for leak in std::mem::take(&mut look.reads) {
        let (Lies::In(id) | Lies::Down(id) | Lies::Boxed(id)) = leak.lies else { continue };
        let down = matches!(leak.lies, Lies::Down(_));
        let boxed = matches!(leak.lies, Lies::Boxed(_));
        let Some(zone) = model.zones.get(id.index()) else { continue };
        if !told.insert((leak.span, id)) {
            continue;
        }
        let whose_zone = match zone.seen {
            _ if boxed => format!("may have come to the box hidden, out of `{}`", zone.name),
            _ if down => format!("may lie face down in `{}`", zone.name),
            Seen::Nobody => format!("lies in `{}`, which nobody may see", zone.name),
            Seen::Owner => format!("lies in `{}`, which only its owner may see", zone.name),
            _ => format!("lies in `{}`, which not all players may see", zone.name),
        };
        let whose = match sort {
            Guarded::Option => "the offered actions would tell the acting player what lies there",
            Guarded::Look => "all players see what a look draws",
            Guarded::Choice => "the options would tell the choosing player what lies there",
            Guarded::Asked | Guarded::Open => "all players see whether somebody is asked, and who",
            Guarded::Shown => "the log tells all players to whom something is shown",
            Guarded::Done => "in `everyone freely`, all players see who is done, and who no longer is",
            Guarded::Seen => "who sees the thing would tell the players what lies there",
        };
        let through = match &leak.inside {
            Some(name) => format!("`{name}` reads {}", leak.what),
            None if leak.named.is_some() => format!("this was calculated from {}", leak.what),
            None => format!("this reads {}", leak.what),
        };
        let mut finding = Diagnostic::error(
            codes::HIDDEN_IN_GUARD,
            leak.span,
            format!("{through} of what {whose_zone}; {whose}"),
        )
        .label("this reads a hidden face")
        .also(zone.span, if down || boxed { "it may lie here" } else { "declared hidden here" });
        if let Some(made) = leak.named {
            finding = finding.also(made, "calculated here");
        }
        out.push(finding.help(match sort {
            _ if boxed => "`show` it to all before it goes to the box, or move it to a zone of its own; or move the test into an effect, which may read anything",
            Guarded::Look if down => "draw it only if it lies face up, as in `if c.up then …`",
            Guarded::Look => {
                "draw only what all players may know; the game draws a card's own face only for players who know it"
            }
            Guarded::Asked => "ask first, and read it after the answer; or `show` it to all before",
            Guarded::Open => "write `needs` instead of `open when`: a player who can do nothing is then asked for `done` or `pass`",
            Guarded::Shown => "let a value say who sees the zone where it lies: `seen by VALUE`; or name the players by what all may know",
            Guarded::Done => "write `done` without a condition, or with a condition on what all players may know",
            Guarded::Seen => "name the players by what all may know: the owner of the zone, an attribute of a player, how many things there are",
            _ if down && *leak.what == *look::BY_EFFECT => {
                "let it be in force only while it lies face up: write `active when this.up` at the zone"
            }
            _ if down => "ask first whether it lies face up (`c.up and …`), or whether the player knows it (`sees(me, c) and …`)",
            _ => "read only what the acting player sees: `my` own cards, how many there are, or what the player knows (`sees(me, c) and …`); or move the test into the action's effect, which may read anything",
        }));
    }
    for (h, span) in std::mem::take(&mut look.hooks) {
        if let Some(hook) = model.hooks.get(h.index()) {
            out.push(
                Diagnostic::error(
                    codes::HOOK_IN_GUARD,
                    span,
                    format!("a guard cannot call the hook `{}`", hook.name),
                )
                .label("this is calculated while the options are collected")
                .also(hook.span, "the hook is declared here")
                .help("write it without a hook, or call the hook in a rule"),
            );
        }
    }
}
