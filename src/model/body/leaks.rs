//! The findings for what is read of hidden things: E0502 with its help, and hooks where none may stand. Looks ([`super::look`]) find the reads.
use super::codes;
use super::look::{self, Look};
use super::taint::Lies;
use crate::hir::*;
use houserule_text::{Diagnostic, Report, Span};
use std::collections::HashSet;

/// What is worked out from secrets: told in the message.
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
    /// Whether a menu is put before somebody.
    Open,
    /// Whether somebody is done, where all act freely.
    Done,
    /// Who sees what lies in a zone.
    Seen,
}

/// What was reported already: place and zone.
pub(super) type Told = HashSet<(Span, ZoneId)>;

/// Reports what was found to be looked at though it is hidden, and hooks on the way.
pub(super) fn tell(model: &Model, look: &mut Look<'_>, sort: Guarded, told: &mut Told, out: &mut Report) {
    for leak in std::mem::take(&mut look.reads) {
        let (Lies::In(id) | Lies::Down(id)) = leak.lies else { continue };
        let down = matches!(leak.lies, Lies::Down(_));
        let Some(zone) = model.zones.get(id.index()) else { continue };
        if !told.insert((leak.span, id)) {
            continue;
        }
        let whose_zone = match zone.seen {
            _ if down => format!("may lie face down in `{}`", zone.name),
            Seen::Nobody => format!("lies in `{}`, which nobody may see", zone.name),
            Seen::Owner => format!("lies in `{}`, which only its owner may see", zone.name),
            _ => format!("lies in `{}`, which not everybody may see", zone.name),
        };
        let whose = match sort {
            Guarded::Option => "what is offered or refused would tell the acting player what lies there",
            Guarded::Look => "everybody sees what a look draws",
            Guarded::Choice => "what can be chosen would tell the chooser what lies there",
            Guarded::Asked | Guarded::Open => "all see whether somebody is asked, and who",
            Guarded::Done => "where everyone acts freely all see who is done, and who no longer is",
            Guarded::Seen => "whoever sees a thing, or does not, would know it",
        };
        let through = match &leak.inside {
            Some(name) => format!("`{name}` reads {}", leak.what),
            None if leak.named.is_some() => format!("this was worked out from {}", leak.what),
            None => format!("this reads {}", leak.what),
        };
        let mut finding = Diagnostic::error(
            codes::HIDDEN_IN_GUARD,
            leak.span,
            format!("{through} of what {whose_zone}; {whose}"),
        )
        .label("looks at what is hidden")
        .also(zone.span, if down { "it may lie here" } else { "declared hidden here" });
        if let Some(made) = leak.named {
            finding = finding.also(made, "worked out here");
        }
        out.push(finding.help(match sort {
            Guarded::Look if down => "draw it only if it lies face up, as in `if c.up then …`",
            Guarded::Look => {
                "draw what everybody may know; a card's own face is drawn only for those who know it"
            }
            Guarded::Asked => "ask whatever lies there, and look at it behind the answer; or let all see it first (`show`)",
            Guarded::Open => "say `needs` in place of `open when`: whoever can do nothing is then asked for `done` or `pass`",
            Guarded::Done => "let `done` stand without a condition, or with one of what all may know",
            Guarded::Seen => "name the players by what all may know: whose zone it is, an attribute of a player, how many there are",
            _ if down && *leak.what == *look::BY_EFFECT => {
                "let it be in force only while it lies face up: `active when this.up` at the zone"
            }
            _ if down => "ask first whether it lies face up (`c.up and …`), or whether the player knows it (`sees(me, c) and …`)",
            _ => "read only what the acting player sees: `my` own, how many there are, or what the player knows (`sees(me, c) and …`); or move the test into the action's effect, which may read anything",
        }));
    }
    for (h, span) in std::mem::take(&mut look.hooks) {
        if let Some(hook) = model.hooks.get(h.index()) {
            out.push(
                Diagnostic::error(
                    codes::HOOK_IN_GUARD,
                    span,
                    format!("the hook `{}` stands in a guard", hook.name),
                )
                .label("worked out while options are looked for")
                .also(hook.span, "the hook is declared here")
                .help("say it in the language, or let a rule call the hook"),
            );
        }
    }
}
