//! The TextMate grammar of the extension for VS Code against the grammar of the language, on every shipped file: comments, texts, drawn maps, numbers and
//! reserved words are what the language says they are.
use houserule::ide::{Class, highlight_text};
use houserule::syntax::is_reserved;
use regex_lite::Regex;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A rule of a TextMate grammar, as far as ours has them: a match, or a stretch from one match to another with rules inside.
struct Rule {
    name: String,
    begin: Regex,
    /// Of a stretch.
    end: Option<Regex>,
    inside: Vec<usize>,
}

/// A grammar with its rules in a row; includes are solved.
struct Grammar {
    rules: Vec<Rule>,
    top: Vec<usize>,
}

impl Grammar {
    fn read(json: &Value) -> Grammar {
        let mut out = Grammar { rules: Vec::new(), top: Vec::new() };
        let mut known = HashMap::new();
        out.top = out.add_patterns(json, &json["patterns"], &mut known);
        out
    }

    fn add_patterns(
        &mut self,
        json: &Value,
        patterns: &Value,
        known: &mut HashMap<String, Vec<usize>>,
    ) -> Vec<usize> {
        let mut out = Vec::new();
        for p in patterns.as_array().map_or(&[][..], Vec::as_slice) {
            match p["include"].as_str() {
                Some(name) => out.extend(self.add_named(json, name, known)),
                None => out.push(self.add_rule(json, p, known)),
            }
        }
        out
    }

    fn add_named(&mut self, json: &Value, name: &str, known: &mut HashMap<String, Vec<usize>>) -> Vec<usize> {
        if let Some(rules) = known.get(name) {
            return rules.clone();
        }
        let of = &json["repository"][name.trim_start_matches('#')]["patterns"];
        assert!(of.is_array(), "{name} is included and not there");
        // What includes itself finds the rules that are known when it is asked: only `all` does, from within holes.
        known.insert(name.to_string(), Vec::new());
        let rules = self.add_patterns(json, of, known);
        known.insert(name.to_string(), rules.clone());
        rules
    }

    fn add_rule(&mut self, json: &Value, p: &Value, known: &mut HashMap<String, Vec<usize>>) -> usize {
        let regex = |key: &str| {
            p[key].as_str().map(|text| Regex::new(text).unwrap_or_else(|e| panic!("{text}: {e}")))
        };
        let begin = regex("match").or_else(|| regex("begin")).expect("a match or a beginning");
        let inside = self.add_patterns(json, &p["patterns"], known);
        let name = p["name"].as_str().unwrap_or("").to_string();
        self.rules.push(Rule { name, begin, end: regex("end"), inside });
        self.rules.len() - 1
    }

    /// The innermost name of each byte of a text.
    fn names(&self, text: &str) -> Vec<&str> {
        let mut out = vec![""; text.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let own = line.trim_end_matches('\n');
            let mut at = 0;
            // By rule and whether it is its end: the next match, which stays the next until it is passed.
            let mut next_matches: HashMap<(usize, bool), Option<(usize, usize)>> = HashMap::new();
            let mut find = |i: usize, ends: bool, at: usize| {
                let known = next_matches.get(&(i, ends)).copied();
                if let Some(found) = known.filter(|found| found.is_none_or(|(start, _)| start >= at)) {
                    return found;
                }
                let rule = &self.rules[i];
                let regex = if ends { rule.end.as_ref()? } else { &rule.begin };
                let found = regex.find_at(own, at).map(|m| (m.start(), m.end()));
                next_matches.insert((i, ends), found);
                found
            };
            loop {
                let top = open.last().map(|i| &self.rules[*i]);
                // A hole holds what a text outside holds.
                let inside = match top {
                    Some(r) if r.name.starts_with("meta.embedded") => &self.top,
                    Some(r) => &r.inside,
                    None => &self.top,
                };
                let end =
                    open.last().and_then(|i| find(*i, true, at)).map(|(start, stop)| (start, stop, None));
                let found: Vec<_> = inside
                    .iter()
                    .filter_map(|i| find(*i, false, at).map(|(start, stop)| (start, stop, Some(*i))))
                    .collect();
                // The first; of two that begin alike the one that is named first, the end before all.
                let next = end.into_iter().chain(found).min_by_key(|(start, _, _)| *start);
                let name = top.map_or("", |r| r.name.as_str());
                let Some((start, stop, rule)) = next else {
                    out[from + at..from + own.len()].fill(name);
                    break;
                };
                out[from + at..from + start].fill(name);
                out[from + start..from + stop].fill(rule.map_or(name, |i| self.rules[i].name.as_str()));
                match rule {
                    None => drop(open.pop()),
                    Some(i) if self.rules[i].end.is_some() => open.push(i),
                    Some(_) => {}
                }
                at = stop;
            }
            from += line.len();
        }
        out
    }
}

/// The rules and scenarios below a folder.
fn add_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rules" || e == "scenario") {
            out.push(path);
        }
    }
}

#[test]
fn the_colours_of_other_editors_agree_with_the_language() {
    let root = crate::support::root();
    let grammar = std::fs::read_to_string(root.join("editor/vscode/syntaxes/houserule.tmLanguage.json"))
        .expect("the grammar");
    let grammar = Grammar::read(&serde_json::from_str(&grammar).expect("JSON"));
    let mut files = Vec::new();
    for folder in ["rules", "scenarios"] {
        add_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{}", files.len());
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file");
        let names = grammar.names(&text);
        for h in highlight_text(&text) {
            let word = &text[h.range.clone()];
            let wanted = match h.class {
                Class::Comment => "comment.line.number-sign",
                Class::Doc => "comment.line.documentation",
                Class::Picture => "string.quoted.triple",
                Class::Number => "constant.numeric",
                Class::Text if word == "\"" => "string.quoted.double",
                Class::Keyword if is_reserved(word) => "keyword",
                _ => continue,
            };
            compared += 1;
            let got = names[h.range.start];
            if !got.starts_with(wanted) {
                let line = text[..h.range.start].matches('\n').count() + 1;
                wrong.push(format!("{}:{line}: {word:?} is {wanted}, and `{got}` there", file.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.iter().take(30).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(compared > 25_000, "{compared}");
}

/// What the test above compares with can be wrong: a grammar without texts is found out.
#[test]
fn a_grammar_without_texts_is_found_out() {
    let json = serde_json::json!({ "patterns": [{ "name": "comment.line", "match": "#.*$" }] });
    let grammar = Grammar::read(&json);
    let text = "value a: text = \"# no comment\"\n";
    assert_eq!(grammar.names(text)[text.find('#').expect("a sign")], "comment.line");
}

/// Words that the extension colours at the head of a line are words of the language.
#[test]
fn every_word_of_the_grammar_is_one_of_the_language() {
    let root = crate::support::root();
    let text = std::fs::read_to_string(root.join("editor/vscode/syntaxes/houserule.tmLanguage.json"))
        .expect("the grammar");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let words = std::fs::read_to_string(root.join("grammar/words.pest")).expect("the words");
    for part in ["heads", "words"] {
        for p in json["repository"][part]["patterns"].as_array().expect("patterns") {
            let list = p["match"].as_str().expect("a match");
            let list = &list[list.find('(').expect("a list") + 1..list.rfind(')').expect("its end")];
            for word in list.split('|') {
                assert!(words.contains(&format!("@{{ \"{word}\" ~ !idc }}")) || is_reserved(word), "{word}");
                if part == "words" {
                    assert!(is_reserved(word), "{word}");
                }
            }
        }
    }
}
