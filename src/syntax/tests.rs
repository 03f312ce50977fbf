//! Tests of the parser: complete files, single constructs, error recovery, limits.
use super::ast::*;
use super::scan::DEEPEST;
use super::*;
use houserule_text::FileId;

/// Name and text of every sketch.
pub(super) fn sketches() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/sketches");
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap()))
        .collect();
    all.sort();
    assert_eq!(all.len(), 7);
    all
}

fn read(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text);
    assert_eq!(parsed.tree.write(text), text, "not lossless");
    parsed
}

#[test]
fn heads_are_the_declarations_without_their_bodies() {
    let named = |items: &[Item]| -> Vec<String> {
        let name = |i: &Item| match &i.kind {
            ItemKind::Game(g) => Some(g.name.text.clone()),
            ItemKind::Mod(m) => Some(m.game.text.clone()),
            ItemKind::Scenario(s) => Some(format!("{} for {}", s.name.text, s.game.text)),
            ItemKind::Part(p) => Some(format!("{} for {}", p.name.text, p.game.text)),
            _ => None,
        };
        items.iter().filter_map(name).collect()
    };
    for (name, text) in sketches() {
        assert_eq!(named(&read_heads(&text)), named(&read(&text).ast.items), "{name}");
    }
    let text = "game A \"a\" { # }\n}\npart p for A { test \"}\" { expect \"{1 + 2}\" == t } }";
    assert_eq!(named(&read_heads(text)), ["A", "p for A"]);
    // What stands in the brackets is left out.
    let parts = read_heads(text).into_iter().filter_map(|i| match i.kind {
        ItemKind::Part(p) => Some(p.items.len()),
        _ => None,
    });
    assert_eq!(parts.collect::<Vec<_>>(), [0]);
    // Where brackets do not match, nothing is left out.
    let text = "game A \"a\" { players 2\nmod \"m\" for B { }";
    assert_eq!(named(&read_heads(text)), named(&parse(FileId(0), text).ast.items));
}

fn show(text: &str, parsed: &Parsed) -> Vec<String> {
    parsed
        .findings
        .iter()
        .map(|d| {
            let line = text[..d.at.span.start as usize].matches('\n').count() + 1;
            format!("{}:{line} {:?} {}", d.code.0, &text[d.at.span.range()], d.message)
        })
        .collect()
}

/// A text that must be sound.
fn sound(text: &str) -> File {
    let parsed = read(text);
    assert_eq!(show(text, &parsed), Vec::<String>::new(), "{text}");
    parsed.ast
}

fn findings(text: &str) -> Vec<String> {
    let parsed = read(text);
    show(text, &parsed)
}

#[test]
fn sketches_are_sound() {
    for (name, text) in sketches() {
        let parsed = read(&text);
        assert_eq!(show(&text, &parsed), Vec::<String>::new(), "{name}");
        assert!(parsed.ast.items.len() > 1);
        assert!(!format!("{:?}", parsed.ast).contains("Bad"), "{name}");
    }
}

/// Every rule file that is shipped, and every example of the book.
fn shipped() -> Vec<(String, String)> {
    fn walk(folder: &std::path::Path, all: &mut Vec<(String, String)>) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for path in entries.map(|e| e.unwrap().path()) {
            let name = path.display().to_string();
            if path.is_dir() {
                walk(&path, all);
            } else if name.ends_with(".rules") || name.ends_with(".scenario") {
                all.push((name, std::fs::read_to_string(path).unwrap()));
            } else if name.ends_with(".md") {
                let page = std::fs::read_to_string(path).unwrap();
                for (n, block) in page.split("```").enumerate().filter(|(n, _)| n % 2 == 1) {
                    if let Some(("rules", text)) =
                        block.split_once('\n').map(|(h, t)| (h.split(' ').next().unwrap(), t))
                    {
                        all.push((format!("{name}#{n}"), text.to_string()));
                    }
                }
            }
        }
    }
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut all = Vec::new();
    for folder in ["rules", "scenarios", "docs/book", "tests/sketches"] {
        walk(&root.join(folder), &mut all);
    }
    all.sort();
    all
}

#[test]
fn shipped_rules_are_sound() {
    let mut bad = Vec::new();
    for (name, text) in shipped() {
        bad.extend(findings(&text).into_iter().map(|f| format!("{name}: {f}")));
    }
    assert_eq!(bad, Vec::<String>::new());
}

/// A tree without its places.
fn bare(ast: &File) -> String {
    let text = format!("{:?}", ast.items);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(n) = rest.find("Span {") {
        out.push_str(&rest[..n]);
        rest = &rest[n + rest[n..].find('}').unwrap() + 1..];
    }
    out + rest
}

// ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────

fn item(text: &str) -> ItemKind {
    let mut items = sound(text).items;
    assert_eq!(items.len(), 1, "{text}");
    items.remove(0).kind
}

fn expr(text: &str) -> ExprKind {
    match item(&format!("value v: int = {text}")) {
        ItemKind::Value(ValueDecl { body: Some(e), .. }) => *e.kind,
        other => panic!("{other:?}"),
    }
}

fn stmt(text: &str) -> StmtKind {
    match item(&format!("rule r() {{ {text} }}")) {
        ItemKind::Rule(RuleDecl { body: Some(mut b), .. }) => {
            assert_eq!(b.stmts.len(), 1, "{text}");
            b.stmts.remove(0).kind
        }
        other => panic!("{other:?}"),
    }
}

/// An expression with all its brackets.
fn full(e: &Expr) -> String {
    let many = |m: &Many| match &m.kind {
        ManyKind::One => String::from("one"),
        ManyKind::Any => String::from("any"),
        ManyKind::Some => String::from("some"),
        ManyKind::UpTo(e) => format!("upto {}", full(e)),
        ManyKind::Range(a, b) => format!("{}..{}", full(a), b.as_ref().map(full).unwrap_or_default()),
        ManyKind::Exactly(e) => full(e),
    };
    let opt =
        |word: &str, e: &Option<Expr>| e.as_ref().map(|e| format!(" {word} {}", full(e))).unwrap_or_default();
    match &*e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Name(n) | ExprKind::Kind(n) => n.text.clone(),
        ExprKind::Me => "me".into(),
        ExprKind::My => "my".into(),
        ExprKind::It => "it".into(),
        ExprKind::None => "none".into(),
        ExprKind::No => "no".into(),
        ExprKind::Any => "any".into(),
        ExprKind::Amount(n, unit) => format!("({} {})", n.value, unit.text),
        ExprKind::Set(es) => format!("[{}]", es.iter().map(full).collect::<Vec<_>>().join(" ")),
        ExprKind::Field(e, n) => format!("{}.{}", full(e), n.text),
        ExprKind::Index(e, i) => format!("{}[{}]", full(e), full(i)),
        ExprKind::Neg(e) => format!("(- {})", full(e)),
        ExprKind::Not(e) => format!("(not {})", full(e)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", full(a), op.as_str(), full(b)),
        ExprKind::Range(a, b) => format!(
            "({}..{})",
            a.as_ref().map(full).unwrap_or_default(),
            b.as_ref().map(full).unwrap_or_default()
        ),
        ExprKind::In { item, set, not } => {
            format!("({}{} in {})", full(item), if *not { " not" } else { "" }, full(set))
        }
        ExprKind::Is { value, test, not } => {
            let test = match test {
                IsTest::Some => String::from("some"),
                IsTest::Filter(e) => full(e),
            };
            format!("({} is{} {test})", full(value), if *not { " not" } else { "" })
        }
        ExprKind::Where(a, b) => format!("({} where {})", full(a), full(b)),
        ExprKind::If(c, a, b) => format!("(if {} then {} else {})", full(c), full(a), full(b)),
        ExprKind::FirstOf { last, count, from } => {
            format!("({}{} of {})", if *last { "last" } else { "first" }, opt("", count), full(from))
        }
        ExprKind::Choose(c) => format!("(choose {} of {})", many(&c.many), full(&c.from)),
        ExprKind::OnMap(e, map) => format!("({} of {})", full(e), map.text),
        ExprKind::KindOf(k, e) => format!("({} of {})", k.text, full(e)),
        ExprKind::The { what, of, filter } => {
            format!("(the {}{}{})", full(what), opt("of", of), opt("where", filter))
        }
        ExprKind::Call(e, args) => {
            let args = args.iter().map(|a| match a {
                Arg::Plain(e) => full(e),
                Arg::Named(n, e) => format!("{}: {}", n.text, full(e)),
                Arg::Fold(f) => {
                    let values: Vec<String> = f.values.iter().map(full).collect();
                    format!("{} <- {} => {}", f.var.text, full(&f.from), values.join(" then "))
                }
            });
            format!("{}({})", full(e), args.collect::<Vec<_>>().join(", "))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn precedence() {
    for (text, want) in [
        ("a or b and not c == d", "(a or (b and (not (c == d))))"),
        ("a - b - c * 2", "((a - b) - (c * 2))"),
        ("-a default b + 1", "((- (a default b)) + 1)"),
        ("- - a", "(- (- a))"),
        ("not not a", "(not (not a))"),
        ("c step north step east default d", "((((c step north) step east)) default d)"),
        ("1..n + 1", "(1..(n + 1))"),
        ("x in 3.. and y not in ..4", "((x in (3..)) and (y not in (..4)))"),
        ("x is not (a and b) or y is some", "((x is not (a and b)) or (y is some))"),
        ("S where it.a or b", "(S where (it.a or b))"),
        ("first 2 of a + b", "(first  2 of (a + b))"),
        ("(first of a) + b", "((first of a) + b)"),
        ("choose up to 2 of my.dice where 6", "(choose upto 2 of (my.dice where 6))"),
        ("if a then b else if c then d else e + 1", "(if a then b else (if c then d else (e + 1)))"),
        ("the Man of p where old and x", "(the Man of p where (old and x))"),
        ("count(Man of me) * 2", "(count((Man of me)) * 2)"),
        ("z[i].a(b, c: 3)[1]", "z[i].a(b, c: 3)[1]"),
        ("no(x in S where P: x.a) and any(S)", "(no(x <- (S where P) => x.a) and any(S))"),
        ("most(p in left: f(p), g(p))", "most(p <- left => f(p) then g(p))"),
        ("1 stone + 2 wood or none", "(((1 stone) + (2 wood)) or none)"),
        ("[a, b] - [c]", "([a b] - [c])"),
    ] {
        let want = want.replace("((((c step north) step east))", "(((c step north) step east)");
        let e = Expr::new(expr(text), Default::default());
        assert_eq!(full(&e), want, "{text}");
    }
}

#[test]
fn places_are_exact() {
    let text = "value a: int =\n  (1 + b)   # note\nvalue c: int = f(x)  .. 3\n";
    let ast = sound(text);
    let spans: Vec<&str> = ast
        .items
        .iter()
        .map(|i| match &i.kind {
            ItemKind::Value(v) => &text[v.body.as_ref().unwrap().span.range()],
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(spans, ["(1 + b)", "f(x)  .. 3"]);
    assert_eq!(&text[ast.items[0].span.range()], "value a: int =\n  (1 + b)");
}

#[test]
fn declarations() {
    let ItemKind::Component(c) =
        item("piece Man of player is Thing \"Man\" x(1 + 2) { a: int = 3 clamped per turn }")
    else {
        panic!()
    };
    assert_eq!((c.kind, c.of_player, c.is.unwrap().text.as_str()), (ComponentKind::Piece, true, "Thing"));
    assert!(
        matches!(&c.parts[0].kind, PartKind::Attr(a) if a.clamped && a.per.as_ref().unwrap().text == "turn")
    );
    let ItemKind::Member(m) = item("Item bow \"Bow\" 93 crafted x2 { a: 1; b = 2; c(x) { stop } }") else {
        panic!()
    };
    assert_eq!((m.given.len(), m.parts.len()), (2, 3));
    assert!(matches!(&*m.copies.unwrap().kind, ExprKind::Int(2)));
    let ItemKind::Member(m) = item("Chit a x5, b x4") else { panic!() };
    assert_eq!(m.more[0].name.text, "b");
    let ItemKind::Enum(e) = item("enum T | cost: 1..3 | b: int? { beach | 1 | none; ocean | 2 | 3 }") else {
        panic!()
    };
    assert_eq!((e.columns.len(), e.rows.len(), e.rows[1].cells.len()), (2, 2, 2));
    let ItemKind::Enum(e) = item("enum T { a \"A\", B, c }") else { panic!() };
    assert_eq!(e.rows.iter().map(|r| r.name.text.as_str()).collect::<Vec<_>>(), ["a", "B", "c"]);
    let ItemKind::List(l) =
        item("list K | a | 1 { x \"X\" x2 | 1 blue, c: 3 | { stop }; 7 | 2 | 3; x4 | 1 | 1 { b: 1 } }")
    else {
        panic!()
    };
    assert!(matches!(l.rows[1].name, RowName::Number(Int { value: 7, .. })));
    assert!(matches!(l.rows[2].name, RowName::Unnamed) && l.rows[2].parts.len() == 1);
    assert!(matches!(&l.rows[0].cells[..], [Cell::Marks(m), Cell::Rule(_)] if m.len() == 2));
    let ItemKind::Legend(l) = item("legend M { W: white; .: ; : : a; 1..32 (: b when c; \": d }") else {
        panic!()
    };
    let signs: Vec<_> =
        l.rows.iter().map(|r| r.signs.iter().map(|s| s.text.as_str()).collect::<Vec<_>>()).collect();
    assert_eq!(signs, [vec!["W"], vec!["."], vec![":"], vec!["1..32", "("], vec!["\""]]);
    let ItemKind::Test(t) = item(
        "test \"t\" with Ann, holes seeds 1..3 { expect black won and a == 1; expect lost because \"x\" }",
    ) else {
        panic!()
    };
    assert!(t.on.is_none() && t.with.len() == 2 && t.seeds.is_some());
    assert!(
        matches!(&t.body.stmts[0].kind, StmtKind::Expect(e) if matches!(&*e.kind, ExprKind::Binary(BinaryOp::And, l, _) if matches!(*l.kind, ExprKind::Ended(..))))
    );
    assert!(matches!(&t.body.stmts[1].kind, StmtKind::ExpectOutcome(None, Outcome::Lose, Some(_))));
    let ItemKind::Test(t) =
        item("test \"t\" with Ann { level = 2; expect refused because \"x\"; expect refused == 3 }")
    else {
        panic!()
    };
    assert!(matches!(&t.body.stmts[1].kind, StmtKind::ExpectRefused(Some(_))));
    assert!(matches!(&t.body.stmts[2].kind, StmtKind::Expect(_)));
    let ItemKind::Game(g) = item("game G \"G\" { players 2..4; outcome highest score; ends when x \"X\" }")
    else {
        panic!()
    };
    assert!(
        matches!(&g.headers[0].kind, HeaderKind::Players { who: Players::Number(b), .. } if b.to.is_some())
    );
    let ItemKind::Action(a) = item(
        "action a(c: Cell where it.x, d: 1..2 of S, e: one of T = u) in m, n cost 1 wood once per turn when C { stop }",
    ) else {
        panic!()
    };
    assert_eq!((a.params.len(), a.menus.len(), a.clauses.len()), (3, 2, 3));
    assert!(matches!(
        &a.params[1].kind,
        ParamKind::Choice { many: Many { kind: ManyKind::Range(..), .. }, .. }
    ));
    assert!(a.params[2].default.is_some());
    let ItemKind::Attach(a) =
        item("instead of fight(p, foe, any) when p != owner may by owner \"Step in?\" { stop }")
    else {
        panic!()
    };
    assert_eq!((a.heads[0].pats.as_ref().unwrap().len(), a.limits.len()), (3, 1));
    assert!(matches!(
        a.kind,
        AttachKind::Around { when: Around::Instead, may: Some(May { by: Some(_), .. }), .. }
    ));
    let ItemKind::Attach(a) = item("modify menu.cost(x), w at most 3 during a, b once per round") else {
        panic!()
    };
    assert!(
        matches!(a.kind, AttachKind::Modify(ModifyHow::AtMost, _))
            && a.heads[0].path.len() == 2
            && a.limits.len() == 2
    );
}

#[test]
fn statements() {
    assert!(
        matches!(stmt("if a { } else if b { } else { }"), StmtKind::If { arms, otherwise: Some(_) } if arms.len() == 2)
    );
    assert!(
        matches!(stmt("move X from Y under Z face down"), StmtKind::Move(m) if m.under && m.lying == Some(Lying::Down))
    );
    assert!(
        matches!(stmt("everyone of S from p in any order until all pass { }"), StmtKind::Everyone(e) if e.order == TurnOrder::AnyOrder && matches!(e.until, Some(EveryoneUntil::AllPass { .. })))
    );
    assert!(
        matches!(stmt("until start of my turn { }"), StmtKind::Until(p, _) if p.start && p.which == PointWhich::My)
    );
    assert!(matches!(stmt("either \"a\" { } or { }"), StmtKind::Either(ways) if ways.len() == 2));
    assert!(matches!(stmt("a.b += 3"), StmtKind::Assign(_, AssignOp::Add, _)));
    assert!(matches!(stmt("f(x) by p"), StmtKind::Call(_, Some(_))));
    assert!(matches!(stmt("x becomes y"), StmtKind::Becomes(..)));
    assert!(matches!(stmt("repeat 3 times { }"), StmtKind::RepeatTimes(..)));
    assert!(matches!(stmt("black: go(A1)"), StmtKind::Answer(_)));
    assert!(
        matches!(stmt("must minimise a, then b"), StmtKind::Must(Must::Minimise(es, None)) if es.len() == 2)
    );
    assert!(matches!(
        stmt("win p \"x\""),
        StmtKind::Result { outcome: Outcome::Win, who: Some(_), text: Some(_) }
    ));
}

#[test]
fn texts_and_docs() {
    let ast = sound("## One\n## two \r\nvalue a: text = \"x\\n\\{y}{b + 1} z\"\n");
    assert_eq!(ast.items[0].doc.as_ref().unwrap().text, "One\ntwo");
    let ItemKind::Value(v) = &ast.items[0].kind else { panic!() };
    let ExprKind::Text(t) = &*v.body.as_ref().unwrap().kind else { panic!() };
    assert!(
        matches!(&t.parts[..], [TextPart::Literal(a, _), TextPart::Hole(_), TextPart::Literal(b, _)] if a == "x\n{y}" && b == " z")
    );
}

#[test]
fn pictures_in_both_trees() {
    let text = "map M squares \"\"\"\n  A | Br .\n  B | .  x\n\"\"\"\n";
    let parsed = read(text);
    let ItemKind::Map(m) = &parsed.ast.items[0].kind else { panic!() };
    let rows = &m.picture.as_ref().unwrap().rows;
    assert_eq!(&text[rows[1].cells[1].span.range()], "x");
    assert_eq!(rows[0].label.as_ref().unwrap().text, "A");
    let picture = parsed.tree.nodes().find(|n| parsed.tree.kind(*n) == NodeKind::Picture).unwrap();
    let cells: Vec<Vec<&str>> = parsed
        .tree
        .picture_cells(picture)
        .iter()
        .map(|row| {
            row.iter()
                .map(|t| parsed.tree.tokens()[*t])
                .map(|t| &text[t.start as usize..t.end as usize])
                .collect()
        })
        .collect();
    assert_eq!(cells, [["Br", "."], [".", "x"]]);
}

#[test]
fn the_tree_nests() {
    for (name, text) in sketches() {
        let tree = read(&text).tree;
        let mut end = 0;
        for token in tree.tokens() {
            assert_eq!(token.start, end, "{name}");
            end = token.end;
        }
        assert_eq!(end as usize, text.len());
        for id in tree.nodes() {
            let mut at = tree.range(id).start;
            for child in tree.children(id) {
                let range = match child {
                    Child::Node(n) => {
                        assert_eq!(tree.parent(n), Some(id));
                        tree.range(n)
                    }
                    Child::Token(t) => tree.tokens()[t].start as usize..tree.tokens()[t].end as usize,
                };
                assert_eq!(range.start, at, "{name} {:?} {:?}", tree.kind(id), &text[tree.range(id)]);
                at = range.end;
            }
            assert_eq!(at, tree.range(id).end);
        }
        // The innermost node at the middle of a word holds it.
        let word = text.find("for").unwrap() + 1;
        assert!(tree.range(tree.node_at(word)).contains(&word));
    }
}

// ── Recovery ─────────────────────────────────────────────────────────────────────────────────────────────

/// Each text with its findings, `code line text`.
fn check(text: &str, want: &[&str]) {
    let parsed = read(text);
    let got: Vec<String> = parsed
        .findings
        .iter()
        .map(|d| {
            let line = text[..d.at.span.start as usize].matches('\n').count() + 1;
            format!("{} {line} {}", d.code.0, text[d.at.span.range()].trim())
        })
        .collect();
    let got: Vec<&str> = got.iter().map(|g| g.trim()).collect();
    assert_eq!(got, want, "{text}\n{:#?}", show(text, &parsed));
}

#[test]
fn one_broken_statement_hides_nothing() {
    check("rule a() {\n  let x = 1\n  let y 2\n  foo(x)\n}\nrule b() { stop }\n", &["E0110 3 2"]);
    check(
        "rule a() {\n  let x 1\n  if a { let y 2; bar() } else { let z 3 }\n}\nvalue b int = 3\nvalue c: int = 4 4",
        &["E0110 2 1", "E0110 3 2", "E0110 3 3", "E0109 5 int", "E0109 6 4"],
    );
    let parsed = read("rule a() { let x 1; foo() }\nrule b() { stop }");
    assert_eq!(parsed.ast.items.len(), 2);
    let ItemKind::Rule(r) = &parsed.ast.items[0].kind else { panic!() };
    assert!(matches!(
        r.body.as_ref().unwrap().stmts[..],
        [Stmt { kind: StmtKind::Bad, .. }, Stmt { kind: StmtKind::Call(..), .. }]
    ));
}

#[test]
fn brackets() {
    check("rule a() {\n  foo(\n  bar()\n}\nrule b() { let x 1 }\n", &["E0101 2 (", "E0110 5 1"]);
    check(
        "rule a() {\n  if x {\n    foo()\n}\n\n## doc\nrule b() { let x 1 }\n",
        &["E0101 2 {", "E0110 7 1"],
    );
    check(
        "rule a() {\n  foo()\n\nrule b() { let x 1 }\nCard c { a 1 }\n",
        &["E0101 1 {", "E0110 4 1", "E0111 5 1"],
    );
    check("value a: int = f(1\nvalue b: int = 2 2\n", &["E0101 1 (", "E0109 2 2"]);
    check("rule a() { stop }\n}\nvalue x: int = )\nvalue y: = 3\n", &["E0102 2 }", "E0102 3 )", "E0109 4 ="]);
    check("rule a() { x = [1, 2) }\nrule b() { let x 1 }", &["E0101 1 [", "E0102 1 )", "E0110 2 1"]);
    check(
        "scenario s \"S\" for G {\n  rule a() {\n    foo()\n  value b: int = 3\n}\n\nrule z() { let y 1 }\n",
        &["E0101 2 {", "E0110 7 1"],
    );
    assert_eq!(read("rule a() { foo()\nrule b() { stop }\nrule c() { stop }").ast.items.len(), 3);
}

#[test]
fn texts() {
    check("rule a() {\n  say \"hello\n  let x 1\n}\n", &["E0103 2 \"", "E0110 3 1"]);
    check(
        "rule a() { say \"a {b\" }\nrule b() { say \"{\" }\nrule c() { let x 1 }",
        &["E0103 1 \"", "E0103 2 \"", "E0110 3 1"],
    );
    check("value s: text = \"a {1 +} b \\q {c d}\"", &["E0105 1", "E0104 1 \\q", "E0105 1 d"]);
    check("map M squares \"\"\"\n a b\n\nrule a() { let x 1 }\n", &["E0116 1 \"\"\"", "E0110 4 1"]);
    check("value a: text = \"{ {} \"\nvalue b: int = 1", &["E0103 1 \""]);
}

#[test]
fn other_spellings() {
    check(
        "rule a() { while x { stop }; if a = b { stop }; return 4; let first = 3; draw 3 cards }",
        &["E0114 1 while", "E0115 1 =", "E0114 1 return", "E0112 1 first", "E0114 1 draw"],
    );
    check(
        "rule a() {\n ## hm\n if a && b { }\n if a { } elif b { }\n}",
        &["E0117 2 ## hm", "E0114 3 &&", "E0114 4 elif"],
    );
    check(
        "rul a() { stop }\nrule b() { forr x in y { }; put(3) }\nfoo bar\n",
        &["E0109 1 rul", "E0110 2 forr", "E0109 3 foo"],
    );
    check("value a: int = 99999999999999999999", &["E0113 1 99999999999999999999"]);
    check("value a: int = 3\u{0}\n", &["E0108 1 \u{0}"]);
    let parsed = read("rul a() { stop }");
    assert_eq!(parsed.findings[0].fix.as_deref(), Some("rule"));
}

#[test]
fn every_code_is_shown_by_its_example() {
    for info in CODES {
        assert!(info.text.len() > 60, "{}", info.code.0);
        if info.wrong.is_empty() {
            continue;
        }
        let codes: Vec<&str> = read(info.wrong).findings.iter().map(|d| d.code.0).collect();
        assert_eq!(codes, [info.code.0], "{}", info.wrong);
        assert_eq!(findings(info.right), Vec::<String>::new());
    }
}

// ── Bounds ───────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn nesting_is_bounded() {
    let n = 20_000;
    let deep = |open: &str, close: &str| {
        format!("value a: int = {}1{}\nvalue b: int = 2 2\n", open.repeat(n), close.repeat(n))
    };
    for text in [
        deep("(", ")"),
        deep("[", "]"),
        deep("f(", ")"),
        deep("not ", ""),
        deep("- ", ""),
        deep("1 + ", ""),
        deep("if a then b else ", ""),
        deep("first of ", ""),
        deep("case x { else: ", "}"),
        deep("choose one of (", ")"),
        deep("", ".a"),
        deep("", "[1]"),
        deep("\"{", "}\""),
        deep("a and\n", ""),
        deep("a\n and ", ""),
        format!("value a: {}int\nvalue b: int = 2 2\n", "set of ".repeat(n)),
        format!("rule a() {{ {} stop {} }}\nvalue b: int = 2 2\n", "if x { ".repeat(n), "}".repeat(n)),
        format!("rule a() {}\nvalue b: int = 2 2\n", "{".repeat(n)),
    ] {
        let codes: Vec<&str> = read(&text).findings.iter().map(|d| d.code.0).collect();
        assert!(codes.contains(&"E0106"), "{codes:?} {}", &text[..60]);
        assert!(codes.len() < 200, "{}", &text[..60]);
        assert!(codes.contains(&"E0109"), "what follows is read: {codes:?} {}", &text[..60]);
    }
    // What is allowed is read.
    let n = DEEPEST - 1;
    sound(&format!("value a: int = {}1{}", "(".repeat(n), ")".repeat(n)));
    sound(&format!("value a: int = {}1{}", "f(1, g[".repeat(n / 2), "])".repeat(n / 2)));
    sound(&format!("rule a() {{ {} stop {} }}", "if x { ".repeat(n - 1), "}".repeat(n - 1)));
    // A chain of arms is bounded, too: each stands inside the one before it when it is checked.
    sound(&format!("rule a() {{ if a == 0 {{ }}{} }}", " else if a == 1 { }".repeat(254)));
    let long =
        format!("rule a() {{ if a == 0 {{ }}{} }}\nvalue b: int = 2 2\n", " else if a == 1 { }".repeat(2000));
    let codes: Vec<&str> = read(&long).findings.iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["E0106", "E0109"]);
    sound(&format!("value a: list of int = [{}1]", "1 + 1, ".repeat(5000)));
}

#[test]
fn what_is_nested_too_deep_is_not_given_to_the_grammar() {
    let text = format!("value x: int = {}\nvalue y: int = 1\n", "(".repeat(100_000));
    let scan = super::scan::scan(FileId(0), &text);
    let given: usize = scan.chunks.iter().map(|c| scan.chunk_text(&text, c).len()).sum();
    assert!(given < 1000, "{given} bytes");
    let parsed = parse(FileId(0), &text);
    let codes: Vec<&str> = parsed.findings.iter().map(|d| d.code.0).collect();
    assert_eq!((codes, parsed.ast.items.len()), (vec!["E0106"], 2));
}

#[test]
fn size_is_bounded() {
    let text = " ".repeat(LARGEST + 1);
    assert_eq!(parse(FileId(0), &text).findings[0].code, codes::SIZE);
    assert_eq!(decode(FileId(0), vec![b'a', 0xff]).unwrap_err().code, codes::BYTES);
    assert_eq!(parse(FileId(0), "").ast.items.len(), 0);
}

#[test]
fn marks_and_line_ends_do_not_matter() {
    for (name, text) in sketches() {
        let plain = bare(&sound(&text));
        let other = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        assert_eq!(bare(&sound(&other)), plain, "{name}");
        let tabs: String = text
            .split('\n')
            .map(|l| {
                let rest = l.trim_start_matches(' ');
                let in_picture = rest.len() < l.len() && !l.contains(['{', '}', '(', '#', '"', '=', ':']);
                if in_picture {
                    format!("{l}\n")
                } else {
                    format!("{}{rest}\t\n", "\t".repeat(l.len() - rest.len()))
                }
            })
            .collect();
        assert_eq!(bare(&sound(&tabs)), plain, "{name}");
    }
}

// ── The formatter ────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn formatting_keeps_what_is_said() {
    for (name, text) in shipped() {
        let done = format_text(&text).unwrap();
        assert_eq!(format_text(&done).unwrap(), done, "{name}: no fixed point");
        assert_eq!(bare(&sound(&done)), bare(&sound(&text)), "{name}: the tree has changed");
        let remarks = |t: &str| t.matches('#').count();
        assert_eq!(remarks(&done), remarks(&text), "{name}");
    }
}

#[test]
fn the_sketches_look_as_they_are() {
    let mut changed = 0;
    for (_, text) in sketches() {
        let done = format_text(&text).unwrap();
        changed += text.lines().zip(done.lines()).filter(|(a, b)| a != b).count();
    }
    assert!(changed <= 3, "{changed} lines are changed");
}

#[test]
fn layout() {
    for (text, want) in [
        ("rule a(){stop}", "rule a() { stop }\n"),
        ("\n\n\nrule a() {\n\n\n\n\nstop\n   foo( 1,2 )\n}\n\n", "rule a() {\n\n\n  stop\n  foo(1, 2)\n}\n"),
        ("value a:int=1+2*-b[ 3 ]", "value a: int = 1 + 2 * -b[3]\n"),
        ("value a: int=f (x)", ""),
        ("value a: bool =\na\n  and b", "value a: bool =\n  a\n  and b\n"),
        (
            "rule a() {\nif x {\nfoo()\n}\nelse {\nbar()\n}\n}",
            "rule a() {\n  if x {\n    foo()\n  }\n  else {\n    bar()\n  }\n}\n",
        ),
        ("legend M{a b:c;.:}", "legend M { a b: c; .: }\n"),
        ("value a: text = \"x{ b+1 }  y\"   # c  ", "value a: text = \"x{b + 1}  y\"   # c\n"),
        ("enum A{a,b\nc}", "enum A { a, b\n  c }\n"),
        ("value s: set of int=[ 1,2 , 3 ]", "value s: set of int = [1, 2, 3]\n"),
        ("value a: 1 .. 3 = 2\r\nvalue b: int? = 1", "value a: 1 .. 3 = 2\r\nvalue b: int? = 1\r\n"),
    ] {
        match format_text(text) {
            Ok(done) => assert_eq!(done, want, "{text}"),
            Err(_) => assert_eq!("", want, "{text}"),
        }
    }
}

#[test]
fn any_indentation_is_mended() {
    for (name, text) in shipped() {
        if text.contains("\"\"\"") {
            continue; // drawn maps stay as they are
        }
        let flat: String = text.lines().map(|l| format!("{}\n", l.trim_start())).collect();
        let done = format_text(&flat).unwrap();
        assert_eq!(format_text(&done).unwrap(), done, "{name}");
        assert_eq!(bare(&sound(&done)), bare(&sound(&text)), "{name}");
    }
}

// ── Mangled texts ────────────────────────────────────────────────────────────────────────────────────────

/// A small generator of numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

#[test]
fn mangled_texts_are_read_and_written_back() {
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "\"\"\"",
        "#",
        "##",
        "\n",
        ";",
        ":",
        ",",
        "|",
        "=",
        "==",
        "..",
        ".",
        "-",
        "not ",
        " if ",
        "then",
        "else",
        "rule ",
        "\nrule x() {\n",
        "\\",
        "é",
        "\u{0}",
        "legend ",
        "x2",
        "?",
        "\r\n",
        "\t",
        "choose one of ",
        "\u{FEFF}",
        "999999999999999999999",
    ];
    let mut dice = Dice(7);
    let sketches = sketches();
    let start = std::time::Instant::now();
    for n in 0..150 {
        let (name, whole) = &sketches[n % sketches.len()];
        // A stretch of it, so that many are read in little time.
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let from = dice.roll(lines.len());
        let mut text: String = lines[from..(from + 40).min(lines.len())].concat();
        for _ in 0..1 + dice.roll(6) {
            let mut at = dice.roll(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if dice.roll(2) == 0 {
                text.insert_str(at, pieces[dice.roll(pieces.len())]);
            } else {
                let mut end = (at + 1 + dice.roll(12)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, "");
            }
        }
        let parsed = read(&text);
        for d in &parsed.findings {
            assert!(text.get(d.at.span.range()).is_some(), "{name}: a span within a character: {d:?}");
        }
        let bad = format!("{:?}", parsed.ast).contains("Bad");
        assert!(!bad || !parsed.findings.is_empty(), "{name}: something bad, and nothing said:\n{text}");
        if let Ok(done) = format_text(&text) {
            assert_eq!(format_text(&done).unwrap(), done, "no fixed point:\n{text}");
            assert_eq!(bare(&parsed.ast), bare(&sound(&done)), "the tree has changed:\n{text}");
        }
    }
    eprintln!("{:?}", start.elapsed());
}
