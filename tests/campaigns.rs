//! Campaigns: games in a row whose set-up is what the one before hands on, in a file that contains their saves.
use crate::cli::{cli, cli_in, lines};
use houserule::cli::Exit;
use houserule::play::Campaign;
use serde_json::{Value, json};
use std::path::Path;

/// A game of one choice, with two scenarios.
const MINE: &str = r#"
game Mine "The mine" { players 1..2; outcome together; begins on upper }
option lamps "Lamps": 0..9 = 2
table { gold: 0..9 = 0 }
menu dig
action climb(n: 0..9) in dig { gold = n; if n >= 5 { win players "enough" } else { lose players "too little" } }
round { everyone in turn { offer dig } }
legacy { lamps = lamps + gold / 5 }
scenario upper "The upper gallery" for Mine { legacy { next lower when won; next upper } }
scenario lower "The lower gallery" for Mine { legacy { next none when won; next lower } }
test "one choice" with Ann { start at round; Ann: climb(5); handed lamps = 3, next lower }
"#;

fn with_rules(text: &str, check: impl FnOnce(&Path, &str)) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.rules"), text).expect("rules");
    let file = folder.path().join("mine.campaign");
    let command = format!("play {} --campaign {}", folder.path().display(), file.display());
    check(folder.path(), &command);
}

/// The file of a campaign in that folder.
fn text_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("mine.campaign")).expect("the campaign")
}

#[test]
fn games_follow_each_other_until_none_is_next() {
    with_rules(MINE, |folder, command| {
        let first = cli_in(&format!("{command} --players 1 --seed 4"), "climb(3)\nquit\n");
        assert_eq!(first.exit, Exit::Fine, "{}", first.err);
        assert!(first.out.contains("Handed on: lamps 2."), "{}", first.out);
        assert!(first.out.contains("The next game is upper"), "{}", first.out);
        let second = cli_in(command, "climb(7)\nquit\n");
        assert!(second.out.contains("Game 1, The upper gallery: Player 1 lost"), "{}", second.out);
        assert!(second.out.contains("The upper gallery (scenario upper)"), "{}", second.out);
        assert!(second.out.contains("Handed on: lamps 3."), "{}", second.out);
        let third = cli_in(command, "climb(5)\nquit\n");
        assert!(third.out.contains("The lower gallery (scenario lower)"), "{}", third.out);
        assert!(third.out.contains("Handed on: lamps 4.\nThe campaign is over."), "{}", third.out);
        assert!(text_of(folder).contains("options: {\"lamps\": \"3\"}"), "{}", text_of(folder));
        let over = cli_in(command, "climb(5)\n");
        assert_eq!(over.exit, Exit::Fine);
        assert!(
            over.out.ends_with("Game 3, The lower gallery: Player 1 won\nThe campaign is over.\n"),
            "{}",
            over.out
        );
    });
}

#[test]
fn a_game_that_has_not_ended_changes_nothing() {
    with_rules(MINE, |folder, command| {
        let stopped = cli_in(command, "quit\n");
        assert!(stopped.err.contains("the campaign stays as it was"), "{}", stopped.err);
        assert!(!folder.join("mine.campaign").exists());
    });
}

#[test]
fn what_does_not_fit_is_refused_with_the_number_of_the_game() {
    with_rules(MINE, |folder, command| {
        cli_in(command, "climb(6)\nquit\n");
        cli_in(command, "climb(1)\nquit\n");
        let whole = text_of(folder);
        let told = |text: &str| {
            std::fs::write(folder.join("mine.campaign"), text).expect("a file");
            let done = cli_in(command, "climb(6)\nquit\n");
            assert_ne!(done.exit, Exit::Fine, "{}", done.out);
            assert_eq!(text_of(folder), text, "the file is left as it was");
            done.err
        };
        let cut: String = whole.lines().take(9).map(|l| format!("{l}\n")).collect();
        assert!(told(&cut).contains("this is no file of a campaign"));
        assert!(told("(campaign: 2, games: [])").contains("format 2; this version reads format 1"));
        let changed = told(&whole.replace("climb(1)", "climb(2)"));
        assert!(changed.contains("game 2 of the campaign") && changed.contains("was changed"), "{changed}");
        let richer = told(&whole.replace("{\"lamps\": \"3\"}", "{\"lamps\": \"4\"}"));
        assert!(richer.contains("game 2 of the campaign"), "{richer}");
        // Another edition of the rules: the games play as they did, but hand something else on.
        std::fs::write(folder.join("mine.campaign"), &whole).expect("a file");
        std::fs::write(folder.join("mine.rules"), MINE.replace("gold / 5", "gold / 3")).expect("rules");
        let other = cli_in(command, "climb(6)\nquit\n");
        assert!(
            other.err.contains("game 2 of the campaign: it does not begin as game 1 has handed on"),
            "{}",
            other.err
        );
        // One whose games end otherwise.
        std::fs::write(folder.join("mine.rules"), MINE.replace("n >= 5", "n > 6")).expect("rules");
        let other = cli_in(command, "climb(6)\nquit\n");
        assert!(
            other.err.contains("game 1 of the campaign: after 1 choices: it ended otherwise"),
            "{}",
            other.err
        );
    });
}

#[test]
fn the_campaign_says_how_its_next_game_is_set_up() {
    with_rules(MINE, |_, command| {
        cli_in(command, "climb(6)\nquit\n");
        for given in ["--scenario upper", "--option lamps=9", "--players 2", "--names Ann,Bo"] {
            let done = cli(&format!("{command} {given}"));
            assert_eq!(done.exit, Exit::Usage, "{given}");
            assert!(done.err.contains("the campaign says how its next game is set up"), "{}", done.err);
        }
    });
    let without = cli("play pig --campaign somewhere.campaign");
    assert_eq!(without.exit, Exit::Usage);
    assert!(without.err.contains("`legacy { … }`"), "{}", without.err);
}

#[test]
fn a_value_that_the_option_cannot_have_is_told() {
    let rules = MINE.replace("lamps + gold / 5", "lamps + gold").replace("handed lamps = 3, ", "handed ");
    with_rules(&rules, |folder, command| {
        let done = cli_in(command, "climb(9)\nquit\n");
        assert_ne!(done.exit, Exit::Fine);
        assert!(
            done.err.contains("gives the option `lamps` the value 11: it is a number from 0 to 9"),
            "{}",
            done.err
        );
        assert!(!folder.join("mine.campaign").exists() && folder.join("mine.save").exists());
    });
}

/// Simulates campaigns of some rules, and gives what is printed for machines and the file with every game.
fn simulate(rules: &str, more: &str) -> (crate::cli::Done, Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.rules"), rules).expect("rules");
    let file = folder.path().join("all.json");
    let place = folder.path().display();
    let done = cli(&format!("sim {place} --campaign --format json --out {} {more}", file.display()));
    let mut told: Value = serde_json::from_str(&done.out).expect("JSON");
    // The name of the folder, which is another one each time.
    told["game"] = Value::Null;
    (
        done,
        told,
        std::fs::read_to_string(file)
            .expect("a file")
            .replace(&format!("{:?}", folder.path().file_name().expect("a name")), "null"),
    )
}

#[test]
fn simulated_campaigns_go_as_their_games_hand_on() {
    let (done, told, all) = simulate(MINE, "-n 60 --players 1");
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    assert_eq!((&told["campaigns"], &told["ended"]), (&Value::from(60), &Value::from(60)));
    let all: Value = serde_json::from_str(&all).expect("JSON");
    let each = all["each"].as_array().expect("a list");
    assert_eq!(each.len(), 60);
    let mut games = 0;
    for campaign in each {
        let row = campaign["games"].as_array().expect("games");
        games += row.len();
        let (mut scenario, mut lamps) = ("upper", 2);
        for (i, g) in row.iter().enumerate() {
            assert_eq!(g["scenario"], scenario, "{campaign}");
            assert_eq!(g["options"]["lamps"].as_str().unwrap_or("2"), lamps.to_string(), "{campaign}");
            let won = g["verdicts"][0] == "won";
            lamps += i32::from(won);
            assert_eq!(g["handed"]["lamps"], lamps.to_string(), "{campaign}");
            assert_eq!(i + 1 == row.len(), won && scenario == "lower", "{campaign}");
            scenario = if won { "lower" } else { scenario };
        }
    }
    // The figures are those of the games.
    let row = told["row"].as_array().expect("a list");
    assert_eq!(row.iter().map(|r| r["games"].as_u64().expect("a number")).sum::<u64>(), games as u64);
    assert_eq!(row[0]["scenarios"], serde_json::json!({ "upper": 60 }));
    assert!(
        row[1]["scenarios"]["upper"].as_u64() > Some(10) && row[1]["scenarios"]["lower"].as_u64() > Some(10)
    );
    assert_eq!(told["last"][0]["won"]["count"], 60);
    assert!((told["games"]["mean"].as_f64().expect("a number") - games as f64 / 60.0).abs() < 1e-9);
}

#[test]
fn simulated_campaigns_are_the_same_for_every_number_of_jobs() {
    let (_, told, all) = simulate(MINE, "-n 70 --seed 5 --jobs 1");
    for more in ["-n 70 --seed 5 --jobs 3", "-n 70 --seed 5"] {
        assert_eq!(simulate(MINE, more).1, told);
        assert_eq!(simulate(MINE, more).2, all);
    }
    assert_ne!(simulate(MINE, "-n 70 --seed 6").2, all);
    // One of them alone is the same as among all.
    let one: Value = serde_json::from_str(&simulate(MINE, "--seed 5 --only 41").2).expect("JSON");
    let all: Value = serde_json::from_str(&all).expect("JSON");
    assert_eq!(one["each"][0], all["each"][41]);
}

#[test]
fn a_simulated_campaign_is_saved_and_goes_on() {
    with_rules(MINE, |folder, command| {
        let file = folder.join("mine.campaign");
        let place = folder.display();
        for (only, longest) in [(0, 100), (1, 1)] {
            let line = format!(
                "sim {place} --campaign --players 1 --seed 3 --only {only} --longest {longest} --save {}",
                file.display()
            );
            let done = cli(&line);
            assert!(done.err.contains(&format!("Campaign {only} of")), "{}", done.err);
            assert_eq!(done.exit == Exit::Fine, longest == 100, "{}", done.err);
            let played = cli_in(command, "climb(5)\nquit\n");
            assert_eq!(played.exit, Exit::Fine, "{}", played.err);
            assert!(played.out.contains("Game 1, The upper gallery: Player 1"), "{}", played.out);
            assert_eq!(played.out.ends_with("The campaign is over.\n"), longest == 100, "{}", played.out);
        }
    });
}

#[test]
fn simulated_campaigns_without_an_end_are_an_error() {
    let endless =
        MINE.replace("next none when won; next lower", "next lower").replace("lamps + gold / 5", "lamps");
    let endless = endless.replace("handed lamps = 3, ", "handed ");
    let (done, told, all) = simulate(&endless, "-n 8 --longest 7");
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.err.contains("E0665") && done.err.contains("has not ended after 7 games"), "{}", done.err);
    assert!(done.err.contains("8 campaigns did not come to their end"), "{}", done.err);
    assert_eq!(
        (&told["campaigns"], &told["ended"], &told["faults"][0]["campaigns"]),
        (&8.into(), &0.into(), &8.into())
    );
    let all: Value = serde_json::from_str(&all).expect("JSON");
    assert_eq!(all["each"][3]["games"].as_array().map(Vec::len), Some(7));
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.rules"), &endless).expect("rules");
    let place = folder.path().display();
    let table = cli(&format!("sim {place} --campaign -n 8 --longest 2"));
    assert!(
        table.out.contains("unfinished  8\n    the campaign has not ended after 2 games"),
        "{}",
        table.out
    );
}

#[test]
fn what_fails_in_a_simulated_campaign_is_told_with_its_game() {
    // The value that an option cannot have.
    let rich = MINE.replace("lamps + gold / 5", "lamps + gold").replace("handed lamps = 3, ", "handed ");
    let (done, told, _) = simulate(&rich, "-n 40 --players 1");
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.err.contains("E0664") && done.err.contains("it is a number from 0 to 9"), "{}", done.err);
    assert_eq!(told["faults"][0]["finding"]["at"]["line"], 8, "{told}");
    // The failing game is saved beside the campaign.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.rules"), &rich).expect("rules");
    let (place, file) = (folder.path().display(), folder.path().join("mine.campaign"));
    let (number, games) =
        (&told["faults"][0]["campaign"], told["faults"][0]["games"].as_u64().expect("a number"));
    let again = cli(&format!("sim {place} --campaign --players 1 --only {number} --save {}", file.display()));
    assert_eq!(again.exit, Exit::Findings);
    assert_eq!(text_of(folder.path()).matches("format: 1").count() as u64, games - 1);
    let load = cli(&format!("play {place} --load {}", folder.path().join("mine.save").display()));
    assert!(load.out.contains("The game is over."), "{}", load.out);
    // A set-up that is not allowed.
    let bright = "needs lamps < 3 else \"too bright\"; legacy { next none }";
    let needs = MINE.replace("legacy { next none when won; next lower }", bright);
    let (done, told, _) = simulate(&needs, "-n 40 --players 1");
    assert_eq!(done.exit, Exit::Findings);
    assert!(done.err.contains("E0655") && done.err.contains("too bright"), "{}", done.err);
    assert_eq!(told["ended"], 0, "only who wins comes to the lower gallery: {told}");
}

#[test]
fn games_without_legacy_have_no_campaigns() {
    let done = cli("sim pig --campaign -n 2");
    assert_eq!(done.exit, Exit::Usage);
    assert!(done.err.contains("`legacy { … }`"), "{}", done.err);
    assert_eq!(cli("sim backgammon --longest 3").exit, Exit::Usage);
    let csv = tempfile::tempdir().expect("a folder");
    let file = csv.path().join("all.csv");
    let done = cli(&format!("sim backgammon --campaign -n 3 --out {}", file.display()));
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let text = std::fs::read_to_string(file).expect("a file");
    let head = "campaign,game,seed,scenario,choices,turns,unfinished,verdict white,verdict black,handed black_points,handed white_points\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.lines().skip(1).all(|l| l.split(',').count() == 11), "{text}");
}

/// Talks about the rules of the mine over JSON, and gives the answers behind `hello` and the first state.
fn talk(folder: &Path, more: &str, requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|r| format!("{r}\n")).collect();
    let done = cli_in(&format!("play {} --json {more}", folder.display()), &input);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let all = lines(&done.out);
    assert_eq!((&all[0]["type"], &all[1]["type"]), (&"hello".into(), &"state".into()));
    all[2..].to_vec()
}

fn choose(words: &str) -> Value {
    json!({ "do": "choose", "choice": words })
}

#[test]
fn a_campaign_is_played_over_json() {
    with_rules(MINE, |folder, command| {
        let file = folder.join("mine.campaign");
        let next = json!({ "do": "next" });
        let said = talk(
            folder,
            "--players 1 --seed 4",
            &[
                json!({ "do": "campaign" }),
                next.clone(),
                choose("climb(3)"),
                next.clone(),
                choose("climb(7)"),
                json!({ "do": "undo" }),
                choose("climb(6)"),
                next.clone(),
                json!({ "do": "start" }),
                choose("climb(5)"),
                next,
                json!({ "do": "campaign" }),
                json!({ "do": "save", "campaign": true, "file": file.to_str() }),
            ],
        );
        assert_eq!((&said[0]["games"], &said[0]["handed"]), (&json!([]), &Value::Null));
        assert_eq!(said[1]["kind"], "campaign", "a game that goes on hands nothing on");
        let upper = json!({ "scenario": "upper", "options": { "lamps": "2" } });
        assert_eq!(said[2]["handed"], json!({ "options": { "lamps": "2" }, "next": upper }));
        let (hello, state) = (&said[3], &said[4]);
        let games = json!({ "games": ["The upper gallery: Player 1 lost"], "other_rules": false });
        assert_eq!(hello["campaign"], games);
        assert_eq!((&hello["scenario"], &hello["options"]["lamps"]), (&"upper".into(), &"2".into()));
        assert_eq!((&hello["seed"], &state["handed"]), (&5.into(), &Value::Null));
        assert_eq!(said[5]["handed"]["next"]["scenario"], "lower");
        assert_eq!((&said[6]["over"], &said[6]["handed"]), (&false.into(), &Value::Null));
        assert_eq!(said[7]["handed"]["options"], json!({ "lamps": "3" }));
        assert_eq!((&said[8]["scenario"], &said[8]["options"]), (&"lower".into(), &json!({ "lamps": "3" })));
        // `start` begins the same game of the campaign again.
        assert_eq!(said[10], said[8]);
        assert_eq!(said[12]["handed"], json!({ "options": { "lamps": "4" }, "next": null }));
        assert_eq!(
            (&said[13]["kind"], &said[13]["message"]),
            (&"campaign".into(), &"the campaign is over".into())
        );
        let games = said[14]["games"].as_array().expect("a list");
        assert_eq!((games.len(), &games[2]), (3, &"The lower gallery: Player 1 won".into()));
        assert_eq!(said[15]["type"], "saved");
        assert_eq!(said[14]["text"], text_of(folder).as_str());
        let over = cli_in(command, "climb(5)\n");
        assert!(over.out.ends_with("The campaign is over.\n"), "{}", over.out);
    });
}

#[test]
fn a_campaign_goes_on_over_json() {
    with_rules(MINE, |folder, command| {
        cli_in(&format!("{command} --players 1"), "climb(6)\nquit\n");
        let text = text_of(folder);
        let start = |campaign: Value| json!({ "do": "start", "campaign": campaign });
        let said =
            talk(folder, "--seed 8", &[start(text.clone().into()), start(Value::Null), choose("climb(1)")]);
        assert_eq!((&said[0]["scenario"], &said[0]["options"]["lamps"]), (&"lower".into(), &"3".into()));
        assert_eq!((&said[2]["scenario"], &said[2]["campaign"]["games"]), (&"upper".into(), &json!([])));
        assert_eq!(said[4]["handed"]["options"]["lamps"], "2");
        // The file of the command line is read, and written only by `save`.
        let file = folder.join("mine.campaign");
        let said = talk(folder, &format!("--seed 8 --campaign {}", file.display()), &[choose("climb(1)")]);
        assert_eq!(said[0]["handed"]["next"], json!({ "scenario": "lower", "options": { "lamps": "3" } }));
        assert_eq!(text_of(folder), text);
        let said = talk(
            folder,
            &format!("--seed 8 --campaign {}", file.display()),
            &[start(Value::Null), json!({ "do": "state" })],
        );
        assert_eq!(said[0]["scenario"], "upper");
    });
}

#[test]
fn the_seed_of_the_next_game_is_not_told_by_the_last_one() {
    with_rules(MINE, |folder, _| {
        let said = talk(
            folder,
            "--players 2 --seats you,you --seed 9",
            &[choose("climb(6)"), json!({ "do": "next" }), choose("climb(6)")],
        );
        assert_eq!(said[0]["seed"], 9);
        assert!(said[1]["seed"].is_null());
        let next = said[3]["seed"].as_u64().expect("a number");
        assert!(![8, 9, 10].contains(&next), "{next}");
    });
}

#[test]
fn campaigns_that_do_not_fit_are_refused_over_json() {
    with_rules(MINE, |folder, command| {
        cli_in(&format!("{command} --players 1"), "climb(6)\nquit\n");
        cli_in(command, "climb(1)\nquit\n");
        let whole = text_of(folder);
        let mut twice = Campaign::read(&whole).expect("a campaign");
        twice.games.push(twice.games[0].clone());
        let mut texts: Vec<(String, &str)> = vec![
            (whole.replace("climb(1)", "climb(2)"), "game 2 of the campaign"),
            (whole.replace("{\"lamps\": \"3\"}", "{\"lamps\": \"4\"}"), "game 2 of the campaign"),
            (whole.replace("game: \"Mine\"", "game: \"Pit\""), "this is a match of Pit, not of Mine"),
            (whole.replace("campaign: 1", "campaign: 2"), "this file has format 2"),
            (String::from("(campaign: 1, games: [\"\"])"), "game 1 of the campaign"),
            (format!("(campaign: 1, games: [{}])", "\"\",".repeat(1001)), "1001 games"),
            (String::from("hello"), "this is no file of a campaign"),
            (String::new(), "this is no file of a campaign"),
            (format!("(campaign: 1, games: {}", "[".repeat(100_000)), "this is no file of a campaign"),
            (twice.to_text(), "game 3 of the campaign: it does not begin as game 2 has handed on"),
        ];
        let cuts = (0..whole.len() - 3).step_by(97).map(|n| (whole.chars().take(n).collect(), ""));
        texts.extend(cuts);
        let mut requests = vec![json!({ "do": "state" })];
        for (text, _) in &texts {
            requests.push(json!({ "do": "start", "campaign": text }));
            requests.push(json!({ "do": "state" }));
        }
        for wrong in [json!(1), json!(true), json!(["x"]), json!({})] {
            requests.push(json!({ "do": "start", "campaign": wrong }));
        }
        requests.push(json!({ "do": "start", "campaign": whole, "given": "given { }" }));
        requests.push(json!({ "do": "campaign", "seat": 0 }));
        requests.push(json!({ "do": "save", "campaign": "x", "file": "x" }));
        requests.push(json!({ "do": "next", "seed": "x" }));
        let said = talk(folder, "--seed 8", &requests);
        assert_eq!(said.len(), requests.len(), "each is answered once: none begins");
        for ((text, why), answer) in texts.iter().zip(said[1..].chunks(2)) {
            assert_eq!(answer[0]["kind"], "campaign", "{text}: {}", answer[0]);
            assert!(answer[0]["message"].as_str().expect("a text").contains(why), "{}: {why}", answer[0]);
            assert_eq!(answer[1], said[0], "nothing has changed");
        }
        let kinds: Vec<&Value> = said[1 + 2 * texts.len()..].iter().map(|a| &a["kind"]).collect();
        let request = Value::from("request");
        let campaign = Value::from("campaign");
        assert_eq!(kinds, [&request, &request, &request, &request, &campaign, &request, &request, &campaign]);
    });
    let said = lines(
        &cli_in(
            "play pig --json",
            "{\"do\": \"campaign\"}\n{\"do\": \"next\"}\n{\"do\": \"start\", \"campaign\": null}\n",
        )
        .out,
    );
    assert!(said[0]["campaign"].is_null() && said[1]["handed"].is_null());
    assert!(
        said[2..].iter().all(|a| a["message"].as_str().is_some_and(|m| m.contains("`legacy { … }`"))),
        "{said:?}"
    );
}
