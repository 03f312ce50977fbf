//! What an editor asks of texts, held against every shipped game: names mean what they mean, and renaming changes nothing but names.
use crate::support::{games, source};
use houserule::ide::{self, Analysis, Class};
use houserule::model::Def;
use houserule::syntax::TokenKind;
use houserule::text::{File, Files};

/// The files of a game, each replaced by what it is now.
fn with(files: &Files, change: impl Fn(&File) -> String) -> Files {
    let mut out = Files::new();
    for (_, f) in files.iter() {
        out.add(File::new(f.name.clone(), change(f)));
    }
    out
}

#[test]
fn every_name_of_every_game_means_something() {
    let mut lost = Vec::new();
    for name in games() {
        let a = Analysis::from_source(&source(&name));
        assert!(a.sound, "{name}");
        for (id, f) in a.files.iter() {
            let tree = &a.trees[id.0 as usize];
            for h in ide::highlight(&a, id) {
                let word = &f.text[h.range.clone()];
                let token = tree.token_at(h.range.start).map(|i| tree.tokens()[i].kind);
                // Spaces and lines of boards have no declaration of their own.
                let space = word.len() <= 4
                    && word
                        .trim_start_matches(|c: char| c.is_ascii_uppercase())
                        .chars()
                        .all(|c| c.is_ascii_digit());
                let known = a.uses.use_at(id, h.range.start).is_some();
                let unknown = h.class == Class::Name || (token == Some(TokenKind::Kind) && !known && !space);
                if unknown && !["Direction", "Row", "Column"].contains(&word) {
                    lost.push(format!("{}:{} {word}", f.name, f.line_col(h.range.start).line));
                }
            }
        }
    }
    let shown: Vec<&String> = lost.iter().take(60).collect();
    assert!(lost.is_empty(), "{} words: {shown:#?}", lost.len());
}

#[test]
fn renaming_there_and_back_gives_the_same_bytes() {
    let (mut done, mut refused) = (0, Vec::new());
    for name in games() {
        let files = source(&name);
        let a = Analysis::from_source(&files);
        let named: Vec<_> = a
            .uses
            .all()
            .iter()
            .filter(|(at, d)| a.uses.place_of(*d, &a.model) == Some(*at) && !matches!(d, Def::Hook(_)))
            .collect();
        // A few of each game, spread over it, and each time others of another game.
        let step = (named.len() / 8).max(1);
        for (at, def) in named.iter().skip(name.len() % 7).step_by(step) {
            let old = a.slice(*at).to_string();
            let new = if old.starts_with(|c: char| c.is_ascii_uppercase()) { "Zzz9" } else { "zzz_9" };
            let place = a.to_place(*at).expect("a file");
            let set = match ide::rename(&a, &place.file, place.start, new) {
                Ok(set) => set,
                Err(r) => {
                    refused.push(format!("{name}: {old} ({def:?}): {}", r.why));
                    continue;
                }
            };
            let then = with(&files, |f| set.apply_to_text(&f.name, &f.text).expect("the edits fit"));
            let b = Analysis::after_change(&a, &then);
            assert!(b.sound, "{name}: {old}: {:?}", b.report.findings.first());
            assert_eq!(a.model.tests.len(), b.model.tests.len(), "{name}: {old}");
            let start = b
                .uses
                .all()
                .iter()
                .find(|(s, d)| b.uses.place_of(*d, &b.model) == Some(*s) && b.slice(*s) == new);
            let (start, _) = start.expect("the new name is declared");
            let place = b.to_place(*start).expect("a file");
            let back = ide::rename(&b, &place.file, place.start, &old)
                .unwrap_or_else(|r| panic!("{name}: {old}: {}", r.why));
            for (_, f) in files.iter() {
                let (_, now) = then.iter().find(|(_, x)| x.name == f.name).expect("the file");
                assert_eq!(
                    back.apply_to_text(&f.name, &now.text).as_deref(),
                    Ok(f.text.as_str()),
                    "{name}: {old}"
                );
            }
            done += 1;
        }
    }
    assert!(done >= 60, "{done} were renamed");
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn an_analysis_made_from_the_one_before_is_the_same() {
    let files = source("hex");
    let a = Analysis::from_source(&files);
    let changed = with(&files, |f| {
        if f.name.ends_with(".rules") { f.text.replacen("players", "playerz", 1) } else { f.text.clone() }
    });
    let (fresh, again) = (Analysis::from_source(&changed), Analysis::after_change(&a, &changed));
    assert_eq!(fresh.report, again.report);
    assert_eq!(fresh.uses.all(), again.uses.all());
    assert!(!fresh.sound);
    let back = Analysis::after_change(&again, &files);
    assert_eq!(back.report, a.report);
    assert!(
        std::sync::Arc::ptr_eq(&back.trees[0], &again.trees[0])
            == (files.iter().next().map(|(_, f)| f.name.ends_with(".rules")) != Some(true))
    );
}

#[test]
fn every_feature_takes_every_place_of_a_broken_text() {
    // Cut anywhere, a text is still coloured, folded, outlined and completed.
    let files = source("tic-tac-toe");
    let (_, f) = files.iter().next().expect("a file");
    let cuts: Vec<usize> = (0..f.text.len()).filter(|i| f.text.is_char_boundary(*i)).step_by(37).collect();
    for cut in cuts {
        let mut one = Files::new();
        one.add(File::new("t.rules", &f.text[..cut]));
        let a = Analysis::from_source(&one);
        let id = a.file("t.rules").expect("the file").0;
        let end = ide::highlight(&a, id).last().map_or(0, |h| h.range.end);
        assert!(end <= cut);
        ide::find_folds(&a, id);
        ide::make_outline(&a, id);
        ide::complete(&a, "t.rules", &f.text[..cut], cut);
        ide::hover(&a, "t.rules", cut);
        ide::find_references(&a, "t.rules", cut);
    }
}

/// `cargo test --test suite ide::a_keystroke -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn a_keystroke() {
    for game in ["fuji", "fog", "chess"] {
        let files = source(game);
        let bytes: usize = files.iter().map(|(_, f)| f.text.len()).sum();
        let a = Analysis::from_source(&files);
        let (_, largest) = files.iter().max_by_key(|(_, f)| f.text.len()).expect("a file");
        let name = largest.name.clone();
        let time = |n: u32, what: &mut dyn FnMut()| {
            let start = std::time::Instant::now();
            for _ in 0..n {
                what();
            }
            start.elapsed().as_secs_f64() * 1000.0 / f64::from(n)
        };
        let whole = time(10, &mut || drop(Analysis::from_source(&files)));
        let mut n = 0;
        let key = time(20, &mut || {
            n += 1;
            let now = with(&files, |f| {
                if f.name == name { format!("{}{}", f.text, " ".repeat(n)) } else { f.text.clone() }
            });
            drop(Analysis::after_change(&a, &now));
        });
        let parse =
            time(10, &mut || drop(houserule::syntax::parse(houserule::text::FileId(0), &largest.text)));
        let id = a.file(&name).expect("it").0;
        let colour = time(10, &mut || drop(ide::highlight(&a, id)));
        let complete = time(5, &mut || drop(ide::complete(&a, &name, &largest.text, largest.text.len() / 2)));
        println!(
            "{game}: {bytes} bytes; whole {whole:.1} ms, keystroke {key:.1} ms (its file's parse {parse:.1}), colours {colour:.1}, completion {complete:.1}"
        );
    }
}
