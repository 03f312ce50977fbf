//! Rules of absurd shapes, small: each is checked, laid out and made code for, or refused with a finding that is expected. `houserule fuzz shapes` does the same at
//! full size and measures it.
use crate::allocation::allocations;
use houserule::lab::fuzz::{SHAPES, Shape, make_files};
use houserule::model::MOST_FILES;
use houserule::play::find_unplayable;
use houserule::text::{File, FileId, Files};
use houserule::{model, syntax};

fn files(text: String) -> Files {
    let mut files = Files::new();
    files.add(File::new("g.rules", text));
    files
}

/// The codes of the errors of a text, each once.
fn errors(text: String) -> Vec<&'static str> {
    let mut checked = model::check(&files(text));
    if let Some(m) = &checked.model {
        checked.report.findings.extend(find_unplayable(m));
    }
    let mut codes: Vec<_> =
        checked.report.findings.iter().filter(|d| d.is_error()).map(|d| d.code.0).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn shape(name: &str) -> &'static Shape {
    SHAPES.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("no shape {name}"))
}

#[test]
fn small_shapes_are_taken() {
    assert!(SHAPES.len() >= 60);
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let text = shape.make_text(4 << 10);
        let _ = syntax::format_file(FileId(0), &text);
        wrong.extend(errors(text).into_iter().filter(|c| !shape.may_have(c)).map(|c| (shape.name, c)));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Four times the text takes not many more than four times as many allocations, but for those of findings: what is slow for long texts mostly is so because it
/// looks at everything for everything.
#[test]
fn the_work_grows_with_the_text() {
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let work = |bytes: usize| {
            let text = shape.make_text(bytes);
            let mut findings = 0;
            let n = allocations(|| findings = model::check(&files(text)).report.findings.len() as u64);
            (n, findings)
        };
        let ((short, _), (long, findings)) = (work(4 << 10), work(16 << 10));
        if long > 7 * short + 1000 * findings + 1000 {
            wrong.push((shape.name, short, long, findings));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn what_is_too_much_is_said() {
    for (name, bytes, code) in [
        ("list", 1 << 20, "E0910"),
        ("empty-lines", 1 << 20, "E0910"),
        ("kinds", 32 << 10, "E0911"),
        ("variants", 32 << 10, "E0911"),
        ("before", 128 << 10, "E0911"),
        ("values-of-values", 16 << 10, "E0912"),
        ("values-twice", 32 << 10, "E0912"),
        ("rules-twice", 16 << 10, "E0912"),
        ("statements", 32 << 10, "E0106"),
        ("needs", 32 << 10, "E0106"),
    ] {
        let said = errors(shape(name).make_text(bytes));
        assert!(said.contains(&code), "{name}: {said:?}");
        // What was not read declares nothing: no name is said to be unknown.
        assert!(code != "E0910" || said == [code], "{name}: {said:?}");
    }
    assert_eq!(errors(" ".repeat(syntax::LARGEST + 1)), ["E0107"]);
    let mut all = Files::new();
    for (name, text) in make_files(MOST_FILES * 30) {
        all.add(File::new(name, text));
    }
    assert!(all.len() > MOST_FILES);
    let checked = model::check(&all);
    let [said] = &checked.report.findings[..] else { panic!("{:?}", checked.report.findings) };
    assert_eq!((said.code.0, said.message.as_str()), ("E0911", "a game may have at most 1000 files"));
    assert!(checked.files.place(said.at.span).starts_with("f999.rules:1:1"));

    let mut all = Files::new();
    let half = format!("value x: int = sum([1{}])\n", ", 1".repeat(60_000));
    for (name, text) in make_files(100) {
        all.add(File::new(name, text));
    }
    for name in ["y.rules", "z.rules"] {
        all.add(File::new(name, half.as_str()));
    }
    let checked = model::check(&all);
    let said = checked.report.findings.iter().find(|d| d.code.0 == "E0910").expect("too many words");
    assert_eq!(said.message, "this game has more than 200000 words, numbers, signs and lines");
    assert!(checked.files.place(said.at.span).starts_with("z.rules:1:"));
}

/// Twice the text takes no more allocations where the first half is too much already.
#[test]
fn what_lies_beyond_a_limit_is_no_work() {
    let work = |bytes| {
        let text = shape("wrong-escapes").make_text(bytes);
        allocations(|| assert_eq!(errors(text), ["E0910"]))
    };
    let (once, twice) = (work(512 << 10), work(1 << 20));
    assert!(twice < once + 100, "{once} and {twice}");
}

#[test]
fn blocks_that_are_never_closed_are_told_each() {
    for n in [40, 60, 170] {
        let rules: String = (0..n).map(|i| format!("rule r{i}() {{\n")).collect();
        let checked = model::check(&files(format!("game G \"G\" {{ players 2; outcome win }}\n{rules}")));
        let told = checked.report.findings.iter().filter(|d| d.code.0 == "E0101").count();
        assert_eq!(told, n, "of {n}");
    }
}
