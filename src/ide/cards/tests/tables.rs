//! Tests of tables: what an import changes, what is left out, and files that cannot be read.
use super::*;
use crate::plan::compare_table;

fn import(table: &str) -> (CardTable, Intent) {
    let table = read_table(table.as_bytes()).unwrap();
    (table.clone(), Intent::ImportCards { kind: "Card".into(), table, what: "import cards.csv".into() })
}

#[test]
fn a_table_is_compared_before_it_is_imported() {
    let a = cards();
    let (table, intent) = import(
        "name,title,copies,rank,suit,colour\n\
         queen,Queen,,8,,red\n\
         fool,Big fool,4,2,suns,\n\
         monk,,3,,,\n\
         comet,,2,4,moons,\n\
         number,,,5,,\n\
         hermit,Hermit,2,7,suns,\n\
         pilgrim,,,10,sunz,\n\
         Bad name,,,1,,\n",
    );
    let diff = compare_table(&a, "Card", &table);
    assert_eq!(diff.unknown_columns, ["colour"]);
    let changed: Vec<String> = diff
        .changed
        .iter()
        .flat_map(|c| c.values.iter().map(move |v| format!("{} {} {}>{}", c.id, v.label, v.old, v.new)))
        .collect();
    assert_eq!(
        changed,
        [
            "queen rank 9>8",
            "fool Title Fool>Big fool",
            "fool Copies 3>4",
            "fool rank 1>2",
            "fool suit moons>suns",
            "comet Copies 1>2",
            "comet rank 5>4",
            "comet suit suns>moons",
        ]
    );
    let added: Vec<&str> = diff.added.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(added, ["hermit", "pilgrim"]);
    let left: Vec<String> = diff.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(left.len(), 5, "{left:#?}");
    assert!(left[0].starts_with("line 4, column 3 (copies): Copies of monk is calculated"), "{left:#?}");
    assert!(left[1].starts_with("line 6: `number` is a family"), "{left:#?}");
    assert!(left[2].starts_with("line 8, column 4 (rank): rank goes from 1 to 9"), "{left:#?}");
    assert!(left[3].starts_with("line 8, column 5 (suit): `sunz` is not a word"), "{left:#?}");
    assert!(left[4].starts_with("line 9: `Bad name` is not a name"), "{left:#?}");
    assert!(diff.absent.iter().any(|n| &**n == "wide") && !diff.absent.iter().any(|n| &**n == "fool"));
    let set = plan(&a, &intent).unwrap();
    assert_eq!(set.label, "import cards.csv: 2 added, 3 changed");
    let new = apply(&a, &set);
    assert!(new.sound, "{:?}", new.report.findings);
    let text = &new.file("t.rules").unwrap().1.text;
    for line in [
        "Card queen \"Queen\" { rank: 8; play { say \"queen\" } } # ours\n",
        "Card fool \"Big fool\" x4 { rank: 2; suit: suns }\n",
        "  comet  \"Comet\" x2  | moons | 4 { note: \"far\" }\n  hermit \"Hermit\" x2 | suns  | 7\n",
        "}\nCard pilgrim\nvalue royal",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    // Once more, and nothing is left to do.
    let again = compare_table(&new, "Card", &table);
    assert!(again.is_empty() && again.same == 6, "{again:?}");
    assert!(plan(&new, &intent).unwrap().is_empty());
}

#[test]
fn what_is_written_and_read_again_changes_nothing() {
    let a = cards();
    for (kind, cards, left_out) in [("Card", 8, vec!["number"]), ("Charm", 1, vec![])] {
        let written = write_table(&a, kind).unwrap();
        assert_eq!(
            (written.cards, written.left_out),
            (cards, left_out.into_iter().map(String::from).collect())
        );
        let table = read_table(written.text.as_bytes()).unwrap();
        let diff = compare_table(&a, kind, &table);
        assert!(diff.is_empty() && diff.left_out.is_empty() && diff.unknown_columns.is_empty(), "{diff:?}");
        assert_eq!(diff.same, cards);
    }
    assert!(
        write_table(&a, "Card")
            .unwrap()
            .text
            .starts_with("name,title,copies,suit,rank,note,worth\nqueen,Queen,1,moons,9,")
    );
    assert_eq!(write_table(&a, "Suit"), None);
}

#[test]
fn hostile_tables_are_faults_with_line_and_column() {
    let huge = format!("name,title\nqueen,{}\n", "x".repeat(10_000));
    let open = "name,title\nqueen,\"Queen\nfool,Fool\n";
    let many = format!("{}\n", vec!["c"; 300].join(","));
    for (bytes, fault) in [
        (&b""[..], "the file is empty"),
        (b"title,rank\nQueen,1\n", "line 1: no column is called `name`"),
        (b"name,rank,Rank\nqueen,1,2\n", "line 1, column 3 (rank): `rank` is already the head of column 2"),
        (b"name,title\nqueen,Qu\0een\n", "line 2, column 2 (title): there is a NUL sign"),
        (b"name,title\nqueen,Qu\xff\xfeen\n", "line 2, column 2 (title): this is not a text in UTF-8"),
        (b"name,title\n\xe9\xe8,Q\n", "line 2, column 1 (name): this is not a text in UTF-8"),
        (b"\xff\xfen\0a\0", "the file is in UTF-16"),
        (b"name,title\nqueen\n", "line 2, column 2 (title): this line has 1 values"),
        (b"name,title\nqueen,Queen,3\n", "line 2, column 3: this line has 3 values"),
        (
            b"name,title\nqueen,Queen\nfool,F\nqueen,Q\n",
            "line 4, column 1 (name): `queen` is already in line 2",
        ),
        (b"name,title\n,Queen\n", "line 2, column 1 (name): this card has no name"),
        (b"name,title,\nqueen,Queen,3\n", "line 2, column 3: this column has no head"),
        (huge.as_bytes(), "line 2, column 2 (title): this value has 10000 bytes"),
        (open.as_bytes(), "line 2, column 2 (title): this value goes on over several lines"),
        (many.as_bytes(), "line 1, column 201: a table has at most 200 columns"),
        (b"name,title\nqueen,a\x07b\n", "line 2, column 2 (title): there is a control sign"),
    ] {
        let faults = read_table(bytes).unwrap_err();
        assert!(faults[0].to_string().starts_with(fault), "{fault}: {faults:?}");
    }
    // What spreadsheets write is read.
    for text in
        ["\u{feff}name;rank\r\nqueen;3\r\n;\r\n", "Name\tRank\nqueen\t3\n", "name,rank,\nqueen,3,\n,,\n"]
    {
        let table = read_table(text.as_bytes()).unwrap();
        assert_eq!((table.columns.as_slice(), table.rows.len()), (&["rank".to_string()][..], 1), "{text:?}");
        assert_eq!(table.rows[0].cells, ["3"]);
    }
    let long: String = (0..6_000).map(|n| format!("c{n},1\n")).collect();
    let faults = read_table(format!("name,rank\n{long}").as_bytes()).unwrap_err();
    assert_eq!(faults[0].to_string(), "line 5002: a table has at most 5000 cards");
    let bad: String = (0..100).map(|_| "a\n").collect();
    assert_eq!(read_table(format!("name,rank\n{bad}").as_bytes()).unwrap_err().len(), 20);
}
