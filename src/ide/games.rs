//! Groups the files of a folder into games, by what each says of itself and by which game is nearest.
use houserule_text::INSIDE;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a file says that it is, read from the lines that begin its declarations. It is read so that a text with errors still belongs somewhere.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The word and title of the game that it declares.
    pub game: Option<(Arc<str>, Arc<str>)>,
    /// The scenarios in it: name, title, word of the game.
    pub scenarios: Vec<(Arc<str>, Arc<str>, Arc<str>)>,
    /// The mods in it: title and word of the game.
    pub mods: Vec<(Arc<str>, Arc<str>)>,
    /// The titles of mods that its mods need.
    pub needs_mods: Vec<Arc<str>>,
    /// The words of games that its parts are for.
    pub parts: Vec<Arc<str>>,
}

/// What one line begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
enum HeadWord<'a> {
    Name(&'a str),
    Text(&'a str),
    Other,
}

/// The first words and texts from a place on.
fn read_head(mut rest: &str, most: usize) -> Vec<HeadWord<'_>> {
    let mut out = Vec::new();
    while out.len() < most {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if first == '"' {
            let Some(end) = rest.get(1..).and_then(|r| r.find(['"', '\n'])) else { break };
            out.push(HeadWord::Text(rest.get(1..=end).unwrap_or("")));
            rest = rest.get(end + 2..).unwrap_or("");
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            out.push(HeadWord::Name(word));
            rest = after;
        } else {
            out.push(HeadWord::Other);
            rest = rest.get(first.len_utf8()..).unwrap_or("");
        }
    }
    out
}

/// The titles behind `needs mod` in a line.
fn read_needed(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some((_, behind)) = rest.split_once("needs") {
        rest = behind;
        let Some(titles) = behind.trim_start().strip_prefix("mod") else { continue };
        let mut titles = titles.trim_start();
        while let Some((title, more)) = titles.strip_prefix('"').and_then(|t| t.split_once('"')) {
            out.push(title);
            titles = more.trim_start().strip_prefix(',').unwrap_or("").trim_start();
        }
    }
    out
}

/// What a text of rules or a scenario is about.
pub fn read_about(text: &str) -> About {
    let mut out = About::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let word = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        let from = here + (line.len() - word.len());
        out.needs_mods.extend(read_needed(line).into_iter().map(Arc::from));
        if !["game", "scenario", "mod", "part"].iter().any(|k| word.starts_with(k)) {
            continue;
        }
        match read_head(text.get(from..).unwrap_or(""), 5).as_slice() {
            [HeadWord::Name("game"), HeadWord::Name(word), rest @ ..] => {
                let title = match rest.first() {
                    Some(HeadWord::Text(t)) => *t,
                    _ => *word,
                };
                if out.game.is_none() {
                    out.game = Some(((*word).into(), title.into()));
                }
            }
            [
                HeadWord::Name("scenario"),
                HeadWord::Name(name),
                HeadWord::Text(title),
                HeadWord::Name("for"),
                HeadWord::Name(game),
            ] => out.scenarios.push(((*name).into(), (*title).into(), (*game).into())),
            [
                HeadWord::Name("mod"),
                HeadWord::Text(title),
                HeadWord::Name("for"),
                HeadWord::Name(game),
                ..,
            ] => {
                out.mods.push(((*title).into(), (*game).into()));
            }
            [HeadWord::Name("part"), HeadWord::Name(_), HeadWord::Name("for"), HeadWord::Name(game), ..] => {
                out.parts.push((*game).into());
            }
            _ => {}
        }
    }
    out
}

/// Whether a file is one that rules name, by its ending: a script or an image.
pub fn is_named_by_rules(name: &str) -> bool {
    name.ends_with(".rhai") || houserule_model::images::is_image(name)
}

/// One game of a folder, and the files that make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The file with its `game` line: what the game is known by, as two may have the same word.
    pub file: Arc<str>,
    /// The word of its `game` line.
    pub word: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// Its rules, by name, the file above among them.
    pub rules: Vec<Arc<str>>,
    /// Its scenarios: name, title, file.
    pub scenarios: Vec<(Arc<str>, Arc<str>, Arc<str>)>,
    /// Its mods: title, file. They are in force only where they are asked for, and where one that is asked for needs them.
    pub mods: Vec<(Arc<str>, Arc<str>)>,
    /// What its mods need: the file of a mod, and the title of one that it needs.
    pub needed_mods: Vec<(Arc<str>, Arc<str>)>,
    /// The scripts and images beside its rules and scenarios.
    pub scripts: Vec<Arc<str>>,
    /// The scripts and images beside its mods, each with the mod's file: they come with it.
    pub mod_scripts: Vec<(Arc<str>, Arc<str>)>,
}

impl Game {
    /// The folder of its rules, without `/` at its end.
    pub fn folder(&self) -> &str {
        folder_of(&self.file)
    }

    /// The folder for a new scenario: where its others are, else the folder `scenarios` beside that of its rules, where the command line looks.
    pub fn scenarios_folder(&self) -> String {
        let first = self.scenarios.iter().find(|(_, _, f)| f.ends_with(".scenario"));
        if let Some((_, _, file)) = first {
            return folder_of(file).to_string();
        }
        let parts: Vec<&str> = self.folder().split('/').filter(|p| !p.is_empty()).collect();
        let above = parts.iter().position(|p| *p == "rules").and_then(|n| parts.get(..n)).unwrap_or(&[]);
        let own = parts.last().filter(|p| **p != "rules").copied().unwrap_or(stem_of(&self.file));
        above.iter().chain(&["scenarios", own]).copied().collect::<Vec<_>>().join("/")
    }

    /// Its files in load order: rules, scenarios, mods that are wanted, then scripts.
    pub fn list_files(&self, with: &[Arc<str>]) -> Vec<Arc<str>> {
        let mut out = self.rules.clone();
        let with = &self.with_needed(with)[..];
        let mut add = |name: &Arc<str>| {
            if !out.contains(name) {
                out.push(name.clone());
            }
        };
        self.scenarios.iter().for_each(|(_, _, f)| add(f));
        with.iter().filter(|w| self.mods.iter().any(|(_, f)| f == *w)).for_each(&mut add);
        self.scripts.iter().for_each(&mut add);
        self.mod_scripts.iter().filter(|(of, _)| with.contains(of)).for_each(|(_, script)| add(script));
        out
    }

    /// These mods, by their files, with those that they need behind them.
    fn with_needed(&self, with: &[Arc<str>]) -> Vec<Arc<str>> {
        let mut out = with.to_vec();
        let mut next = 0;
        while let Some(of) = out.get(next).cloned() {
            next += 1;
            for (_, title) in self.needed_mods.iter().filter(|(file, _)| *file == of) {
                let file = self.mods.iter().find(|(t, _)| t == title).map(|(_, file)| file);
                out.extend(file.filter(|f| !out.contains(f)).cloned());
            }
        }
        out
    }

    /// Takes the scripts and images that its files may name: each looks for them beside itself and in the folders for them there.
    fn take_scripts(&mut self, all: &[&Arc<str>]) {
        let beside = |file: &str, script: &str| {
            let (from, to) = (folder_of(file), folder_of(script));
            from == to || INSIDE.iter().any(|inner| to == join_path(from, inner))
        };
        let own = self.rules.iter().chain(self.scenarios.iter().map(|(_, _, f)| f));
        let own: Vec<Arc<str>> = own.cloned().collect();
        let is_own = |script: &&&Arc<str>| own.iter().any(|f| beside(f, script));
        self.scripts = all.iter().filter(is_own).map(|s| Arc::clone(s)).collect();
        for (_, file) in &self.mods {
            let more = all.iter().filter(|s| beside(file, s) && !self.scripts.contains(s));
            self.mod_scripts.extend(more.map(|s| (file.clone(), Arc::clone(s))));
        }
    }
}

/// All games of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// By the name of the file that declares each.
    pub games: Vec<Game>,
    /// Files that are of no game here, by name, with the word of the game that they ask for, if they do.
    pub strays: Vec<(Arc<str>, Option<Arc<str>>)>,
}

/// A file's name from its folder and its own.
pub fn join_path(folder: &str, own: &str) -> String {
    if folder.is_empty() { own.to_string() } else { format!("{folder}/{own}") }
}

fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(f, _)| f)
}

/// How many folders two files have in common.
fn count_common_folders(a: &str, b: &str) -> usize {
    folder_of(a).split('/').zip(folder_of(b).split('/')).take_while(|(x, y)| x == y).count()
}

impl Games {
    /// Puts files together: rules with the game of their folder; scenarios, mods and parts with the nearest game of the word that they name; scripts with the files that
    /// they lie beside or below in `hooks`.
    pub fn from_files(files: &BTreeMap<Arc<str>, About>) -> Games {
        let mut out = Games::default();
        for (name, about) in files {
            if let Some((word, title)) = &about.game {
                out.games.push(Game {
                    file: name.clone(),
                    word: word.clone(),
                    title: title.clone(),
                    rules: vec![name.clone()],
                    scenarios: Vec::new(),
                    mods: Vec::new(),
                    needed_mods: Vec::new(),
                    scripts: Vec::new(),
                    mod_scripts: Vec::new(),
                });
            }
        }
        let scripts: Vec<&Arc<str>> = files.keys().filter(|name| is_named_by_rules(name)).collect();
        for (name, about) in files {
            if is_named_by_rules(name) {
                continue;
            }
            let mut asked: Option<Arc<str>> = None;
            let mut placed = about.game.is_some();
            for (scenario, title, word) in &about.scenarios {
                asked.get_or_insert(word.clone());
                if let Some(game) = out.find_nearest(name, word) {
                    game.scenarios.push((scenario.clone(), title.clone(), name.clone()));
                    placed = true;
                }
            }
            for (title, word) in &about.mods {
                asked.get_or_insert(word.clone());
                if let Some(game) = out.find_nearest(name, word) {
                    game.mods.push((title.clone(), name.clone()));
                    game.needed_mods.extend(about.needs_mods.iter().map(|t| (name.clone(), t.clone())));
                    placed = true;
                }
            }
            for word in &about.parts {
                asked.get_or_insert(word.clone());
                // A part in the game's own folder is one of its rules.
                if let Some(game) = out.find_nearest(name, word)
                    && !game.rules.contains(name)
                {
                    game.rules.push(name.clone());
                    placed = true;
                }
            }
            if asked.is_none() && !placed {
                let mut own = out.games.iter_mut().filter(|g| g.folder() == folder_of(name));
                // A folder with several games has no rules that are everybody's.
                if let (Some(game), None) = (own.next(), own.next()) {
                    if name.ends_with(".rules") {
                        game.rules.push(name.clone());
                        placed = true;
                    }
                } else if name.ends_with(".scenario")
                    && let Some(game) = out.find_by_scenarios(name)
                {
                    // A scenario whose head is being written still has its game's findings.
                    game.scenarios.push((stem_of(name).into(), stem_of(name).into(), name.clone()));
                    placed = true;
                }
            }
            if !placed {
                out.strays.push((name.clone(), asked));
            }
        }
        for game in &mut out.games {
            game.rules.sort();
            game.rules.dedup();
            game.take_scripts(&scripts);
        }
        let called = |s: &Arc<str>| {
            let of = |g: &Game| g.scripts.contains(s) || g.mod_scripts.iter().any(|(_, m)| m == s);
            out.games.iter().any(of)
        };
        let strays: Vec<_> = scripts.into_iter().filter(|s| !called(s)).map(|s| (s.clone(), None)).collect();
        out.strays.extend(strays);
        out.strays.sort();
        out
    }

    fn find_nearest(&mut self, name: &str, word: &str) -> Option<&mut Game> {
        // The first of the nearest, so that it does not depend on what else there is.
        let best = self
            .games
            .iter()
            .filter(|g| &*g.word == word)
            .map(|g| count_common_folders(&g.file, name))
            .max()?;
        self.games.iter_mut().find(|g| &*g.word == word && count_common_folders(&g.file, name) == best)
    }

    /// The game whose folder is called as the folder below `scenarios`.
    fn find_by_scenarios(&mut self, name: &str) -> Option<&mut Game> {
        let called = folder_of(name).rsplit_once('/').filter(|(above, _)| above.ends_with("scenarios"))?.1;
        self.games.iter_mut().find(|g| g.folder().rsplit('/').next() == Some(called))
    }

    /// The game of that file.
    pub fn find_by_file(&self, file: &str) -> Option<&Game> {
        self.games.iter().find(|g| &*g.file == file)
    }

    /// The game that a file belongs to, and, if the file is a mod, the mod that must be in force for it to be seen.
    pub fn find_owner(&self, name: &str) -> Option<(&Game, Option<Arc<str>>)> {
        self.games.iter().find_map(|g| {
            let of_mod = g.mod_scripts.iter().find(|(_, script)| &**script == name).map(|(file, _)| file);
            let own = g.mods.iter().find(|(_, f)| &**f == name).map(|(_, file)| file);
            if let Some(file) = own.or(of_mod) {
                return Some((g, Some(file.clone())));
            }
            let mine = g.rules.iter().chain(&g.scripts).any(|f| &**f == name)
                || g.scenarios.iter().any(|(_, _, f)| &**f == name);
            mine.then_some((g, None))
        })
    }
}

fn stem_of(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.split('.').next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(files: &[(&str, &str)]) -> Games {
        Games::from_files(&files.iter().map(|(n, t)| (Arc::from(*n), read_about(t))).collect())
    }

    fn told(g: &Games) -> String {
        let mut out = String::new();
        for game in &g.games {
            out += &format!("{} {:?} {:?}", game.word, game.title, game.rules);
            out += &format!(" {:?} {:?} {:?}\n", game.scenarios, game.mods, game.scripts);
        }
        out + format!("strays {:?}", g.strays).as_str()
    }

    #[test]
    fn a_text_says_what_it_is_about() {
        let a = read_about(
            "# game No \"x\"\n\u{feff}game Yes \"The title\" {\n  player { }\n}\npart p for Other { }\n",
        );
        assert_eq!(a.game, Some(("Yes".into(), "The title".into())));
        assert_eq!(a.parts, ["Other".into()]);
        let a =
            read_about("scenario s \"S\"\n  for Yes with a or b { }\nmod \"M\" for Yes { }\nmodify x += 1\n");
        assert_eq!(a.scenarios, [("s".into(), "S".into(), "Yes".into())]);
        assert_eq!(a.mods, [("M".into(), "Yes".into())]);
        let a = read_about(
            "mod \"M\" for Yes { needs mod \"A\", \"B b\"; needs x }\n  needs  mod \"C\"\n needs model\n needs mod \"",
        );
        assert_eq!(a.needs_mods, ["A".into(), "B b".into(), "C".into()]);
        assert_eq!(read_about("game"), About::default());
        assert_eq!(read_about("scenario s \"open"), About::default());
        assert_eq!(read_about("gamers Yes \"x\""), About::default());
    }

    #[test]
    fn files_find_their_game() {
        let g = games(&[
            ("rules/a/a.rules", "game A \"Aa\" { }"),
            ("rules/a/more.rules", "player { }"),
            ("rules/a/hooks/h.rhai", "fn f() {}"),
            ("rules/b/b.rules", "game B \"Bb\" { }"),
            ("rules/mods/m.rules", "mod \"M\" for A { }"),
            ("rules/mods/n.rules", "mod \"N\" for C { }"),
            ("scenarios/a/s.scenario", "scenario s \"S\" for A { }"),
            ("scenarios/b/half.scenario", "scenario "),
            ("note.rules", "player { }"),
        ]);
        let expect = r#"
A "Aa" ["rules/a/a.rules", "rules/a/more.rules"] [("s", "S", "scenarios/a/s.scenario")] [("M", "rules/mods/m.rules")] ["rules/a/hooks/h.rhai"]
B "Bb" ["rules/b/b.rules"] [("half", "half", "scenarios/b/half.scenario")] [] []
strays [("note.rules", None), ("rules/mods/n.rules", Some("C"))]"#;
        assert_eq!(told(&g), expect.trim_start());
        let (game, with) = g.find_owner("rules/mods/m.rules").unwrap();
        assert_eq!((&*game.word, with.as_deref()), ("A", Some("rules/mods/m.rules")));
        assert_eq!(g.find_owner("note.rules"), None);
        let with = ["rules/mods/m.rules".into()];
        let all = g.games[0].list_files(&with);
        assert_eq!(
            all.iter().map(|n| &**n).collect::<Vec<_>>(),
            [
                "rules/a/a.rules",
                "rules/a/more.rules",
                "scenarios/a/s.scenario",
                "rules/mods/m.rules",
                "rules/a/hooks/h.rhai"
            ]
        );
        assert!(!g.games[0].list_files(&[]).contains(&"rules/mods/m.rules".into()));
    }

    #[test]
    fn a_mod_comes_with_those_that_it_needs() {
        let g = games(&[
            ("a.rules", "game A \"A\" { }"),
            ("mods/m.rules", "mod \"M\" for A { needs mod \"N\" }"),
            ("mods/n.rules", "mod \"N\" for A {\n  needs mod \"O\", \"M\"\n}"),
            ("mods/o.rules", "mod \"O\" for A { needs mod \"elsewhere\" }"),
        ]);
        let files = g.games[0].list_files(&["mods/m.rules".into()]);
        assert_eq!(
            files,
            ["a.rules".into(), "mods/m.rules".into(), "mods/n.rules".into(), "mods/o.rules".into()]
        );
        assert_eq!(g.games[0].list_files(&["mods/o.rules".into()]).len(), 2);
    }

    #[test]
    fn scripts_of_a_game_that_lies_at_the_top_are_found() {
        let g = games(&[
            ("a.rules", "game A \"A\" { }"),
            ("h.rhai", ""),
            ("hooks/k.rhai", ""),
            ("webhooks/m.rhai", ""),
        ]);
        assert_eq!(g.games[0].scripts, ["h.rhai".into(), "hooks/k.rhai".into()]);
    }

    #[test]
    fn scripts_beside_mods_and_scenarios_come_with_them() {
        let g = games(&[
            ("rules/a/a.rules", "game A \"A\" { }"),
            ("rules/b/b.rules", "game B \"B\" { }"),
            ("scenarios/a/s.scenario", "scenario s \"S\" for A { }"),
            ("scenarios/a/hooks/s.rhai", ""),
            ("rules/mods/m.rules", "mod \"M\" for A { }"),
            ("rules/mods/n.rules", "mod \"N\" for B { }"),
            ("rules/mods/x.rhai", ""),
            ("rules/mods/hooks/y.rhai", ""),
        ]);
        let files = |n: usize, with: &[&str]| -> Vec<String> {
            let with: Vec<Arc<str>> = with.iter().map(|w| Arc::from(*w)).collect();
            g.games[n]
                .list_files(&with)
                .iter()
                .filter(|f| f.ends_with("rhai"))
                .map(|f| f.to_string())
                .collect()
        };
        assert_eq!(files(0, &[]), ["scenarios/a/hooks/s.rhai"]);
        let all = ["scenarios/a/hooks/s.rhai", "rules/mods/hooks/y.rhai", "rules/mods/x.rhai"];
        assert_eq!(files(0, &["rules/mods/m.rules"]), all);
        assert_eq!(files(1, &["rules/mods/n.rules"]), all[1..]);
        assert!(files(1, &[]).is_empty() && files(1, &["rules/mods/m.rules"]).is_empty());
        assert!(g.strays.is_empty(), "{:?}", g.strays);
        // Whoever opens such a script sees the game with its mod.
        let (game, with) = g.find_owner("rules/mods/x.rhai").unwrap();
        assert_eq!((&*game.word, with.as_deref()), ("A", Some("rules/mods/m.rules")));
    }

    #[test]
    fn scripts_that_no_file_can_call_are_of_no_game() {
        let g = games(&[
            ("rules/a/a.rules", "game A \"A\" { }"),
            ("rules/a/hooks/deep/x.rhai", ""),
            ("rules/a/hooks/h.rhai", ""),
            ("lost.rhai", ""),
            ("note.rules", "# nothing"),
        ]);
        let strays: Vec<&str> = g.strays.iter().map(|(n, _)| &**n).collect();
        assert_eq!(strays, ["lost.rhai", "note.rules", "rules/a/hooks/deep/x.rhai"]);
    }

    #[test]
    fn new_scenarios_lie_where_they_are_looked_for() {
        let of = |file: &str, scenario: &str| {
            let game = (file, "game A \"A\" { }");
            let all = [game, (scenario, "scenario s \"S\" for A { }")];
            let g = games(if scenario.is_empty() { &all[..1] } else { &all });
            g.games[0].scenarios_folder()
        };
        assert_eq!(of("rules/a/a.rules", ""), "scenarios/a");
        assert_eq!(of("rules/classics/a/a.rules", ""), "scenarios/a");
        assert_eq!(of("mine/rules/a/a.rules", ""), "mine/scenarios/a");
        assert_eq!(of("a.rules", ""), "scenarios/a");
        assert_eq!(of("rules/a.rules", ""), "scenarios/a");
        assert_eq!(of("rules/a/a.rules", "elsewhere/s.scenario"), "elsewhere");
        // A scenario among the rules does not make their folder one of scenarios.
        assert_eq!(of("rules/a/a.rules", "rules/a/more.rules"), "scenarios/a");
    }

    #[test]
    fn of_two_games_of_one_word_the_nearest_is_meant() {
        let g = games(&[
            ("one/rules/a.rules", "game A \"1\" { }"),
            ("two/rules/a.rules", "game A \"2\" { }"),
            ("two/scenarios/s.scenario", "scenario s \"S\" for A { }"),
        ]);
        assert_eq!((g.games[0].scenarios.len(), g.games[1].scenarios.len()), (0, 1));
    }
}
