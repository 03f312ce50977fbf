//! `mutate`: reports which small changes of the rules no test notices.
use super::args::{Format, MutateArgs};
use super::explain::to_pretty_json;
use super::io::{Exit, Failure, Io};
use super::store::{Store, has_end};
use super::{load, report, setup};
use houserule_lab::mutate::{
    ChangeSort, Idle, Mutant, Mutated, MutationPlan, Numbered, RefusedScenario, check_numbered_tests,
    mutate_game,
};
use houserule_lab::testing;
use houserule_text::Files;
use serde_json::json;
use std::path::PathBuf;

/// Runs the command.
pub fn run(args: &MutateArgs, io: &mut Io) -> Result<Exit, Failure> {
    let loaded = setup::open_bundle(load::find_game(&args.game)?.load_bundle()?, io)?;
    let (game, bundle) = (&loaded.game, &loaded.bundle);
    let failing = testing::run(game, None).into_iter().find(|r| r.failure.is_some());
    if let Some(r) = failing {
        let place = report::place_text(bundle, game.files(), r.span);
        let text = format!(
            "all tests must pass before `mutate` changes the rules; this one fails: {} ({place})",
            r.title
        );
        return Err(Failure::Wrong(text));
    }
    if game.model().tests.is_empty() {
        return Err(Failure::Wrong(format!("{} has no tests", bundle.name)));
    }
    let mut sorts = Vec::new();
    for word in &args.sorts {
        let Some(sort) = ChangeSort::ALL.into_iter().find(|s| s.key() == word) else {
            let all: Vec<&str> = ChangeSort::ALL.iter().map(|s| s.key()).collect();
            return Err(Failure::Usage(format!("there is no sort {word}; the sorts are {}", all.join(", "))));
        };
        sorts.push(sort);
    }
    let refused = read_refused(&args.refused, &bundle.files)?;
    let plan = MutationPlan { seed: args.seed, limit: args.limit, jobs: args.jobs, sorts, refused };
    if args.numbered {
        return tell_numbered(&check_numbered_tests(game, &bundle.files, &plan), args, &loaded, io);
    }
    let done = mutate_game(game, &bundle.files, &plan);
    let place = |m: &Mutant| report::place_text(bundle, game.files(), m.span);
    let bites = done.has_killed_share(args.least);
    if args.format == Format::Json {
        let list: Vec<_> = list_survivors(&done)
            .map(|m| json!({ "place": place(m), "sort": m.sort.key(), "was": m.was, "became": m.became }))
            .collect();
        let sorts: serde_json::Map<String, serde_json::Value> = count_by_sort(&done)
            .map(|(s, killed, of)| (s.key().to_string(), json!({ "mutants": of, "killed": killed })))
            .collect();
        let all = json!({
            "version": 1, "game": bundle.name, "tests": done.tests, "refused": plan.refused.len(), "places": done.places, "unloaded": done.unloaded,
            "mutants": done.mutants.len(), "killed": done.count_killed(), "percent": round_down_to_tenths(done.killed_percent()), "least": args.least,
            "sorts": sorts, "survivors": list,
        });
        io.write_line(&to_pretty_json(&all))?;
    } else {
        for m in list_survivors(&done) {
            let what = if m.became.is_empty() {
                format!("without `{}`", m.was)
            } else {
                format!("`{}` as `{}`", m.was, m.became)
            };
            io.write_line(&format!("{}: {what}", place(m)))?;
        }
        for (sort, killed, of) in count_by_sort(&done) {
            io.write_line(&format!("{:>5} of {of:>5} {}", killed, sort.word()))?;
        }
        let line = format!(
            "{}: {} changes, {} noticed by {} ({} %), {} not; {} more give rules with errors",
            bundle.name,
            done.mutants.len(),
            done.count_killed(),
            name_judges(done.tests, plan.refused.len()),
            round_down_to_tenths(done.killed_percent()),
            done.mutants.len() - done.count_killed(),
            done.unloaded
        );
        let line = io.paint_text(if bites { "1;32" } else { "1;31" }, &line);
        io.write_line(&line)?;
    }
    Ok(if bites { Exit::Fine } else { Exit::Findings })
}

/// What notices changes: the tests, and the scenarios that must be refused.
fn name_judges(tests: usize, refused: usize) -> String {
    let tests = if tests == 1 { String::from("the test") } else { format!("the {tests} tests") };
    match refused {
        0 => tests,
        1 => format!("{tests} and a refused scenario"),
        n => format!("{tests} and {n} refused scenarios"),
    }
}

/// The scenarios that must be refused. Each must be so now.
fn read_refused(paths: &[PathBuf], files: &Files) -> Result<Vec<RefusedScenario>, Failure> {
    let mut out = Vec::new();
    for path in paths {
        let unreadable = |e| Failure::Unreadable(format!("cannot read {}: {e}", path.display()));
        let pages = match path.is_dir() {
            true => Store::Disk.walk_folder(path, &["scenario", "md"]).map_err(unreadable)?,
            false => vec![path.clone()],
        };
        for page in pages {
            let bytes = Store::Disk.read(&page).map_err(unreadable)?;
            let text = String::from_utf8_lossy(&bytes);
            let blocks: Vec<&str> = match has_end(&page, "scenario") {
                true => vec![&text],
                false => {
                    text.split("```scenario\n").skip(1).filter_map(|b| b.split("\n```").next()).collect()
                }
            };
            for (n, block) in blocks.iter().enumerate() {
                out.push(RefusedScenario::new(files, block).ok_or_else(|| {
                    let which = if blocks.len() > 1 { format!("scenario {} of ", n + 1) } else { String::new() };
                    let file = page.display();
                    Failure::Wrong(format!("`check` finds no error in {which}{file}: --refused is for scenarios that must be refused"))
                })?);
            }
        }
    }
    match out.is_empty() && !paths.is_empty() {
        true => Err(Failure::Wrong(String::from("--refused: there is no scenario in what is named"))),
        false => Ok(out),
    }
}

/// The tests that name a rule's number and notice nothing.
fn tell_numbered(
    done: &Numbered,
    args: &MutateArgs,
    loaded: &setup::Loaded,
    io: &mut Io,
) -> Result<Exit, Failure> {
    let (game, bundle) = (&loaded.game, &loaded.bundle);
    let place = |t: &Idle| report::place_text(bundle, game.files(), t.span);
    if args.format == Format::Json {
        let idle: Vec<_> = done
            .idle
            .iter()
            .map(|t| json!({ "place": place(t), "title": t.title, "numbers": t.numbers, "tried": t.tried }))
            .collect();
        let all = json!({
            "version": 1, "game": bundle.name, "tests": done.tests, "idle": idle, "numbers": done.numbers,
        });
        io.write_line(&to_pretty_json(&all))?;
    } else {
        for t in &done.idle {
            io.write_line(&format!(
                "{}: `{}` passes on all {} changes of what it reaches",
                place(t),
                t.title,
                t.tried
            ))?;
        }
        if !done.numbers.is_empty() {
            io.write_line(&format!(
                "rule numbers whose tests notice no change: {}",
                done.numbers.join(", ")
            ))?;
        }
        let line = format!(
            "{}: {} tests name rule numbers, {} of them notice nothing",
            bundle.name,
            done.tests,
            done.idle.len()
        );
        let line = io.paint_text(if done.idle.is_empty() { "1;32" } else { "1;31" }, &line);
        io.write_line(&line)?;
    }
    Ok(if done.idle.is_empty() { Exit::Fine } else { Exit::Findings })
}

fn list_survivors(done: &Mutated) -> impl Iterator<Item = &Mutant> {
    done.mutants.iter().filter(|m| !m.killed)
}

/// Each sort with how many were killed, and of how many.
fn count_by_sort(done: &Mutated) -> impl Iterator<Item = (ChangeSort, usize, usize)> + '_ {
    ChangeSort::ALL.into_iter().filter_map(|s| {
        let of: Vec<_> = done.mutants.iter().filter(|m| m.sort == s).collect();
        let killed = of.iter().filter(|m| m.killed).count();
        (!of.is_empty()).then_some((s, killed, of.len()))
    })
}

/// With one digit behind the point, never rounded up.
fn round_down_to_tenths(percent: f64) -> f64 {
    (percent * 10.0).floor() / 10.0
}
