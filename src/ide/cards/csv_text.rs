//! Reads a table of cards from comma-separated values. A file comes from anywhere: what cannot be read is a fault with its line and column, and nothing of the file is taken then.
use csv::{ByteRecord, ReaderBuilder};
use std::collections::BTreeMap;

/// How many bytes a file may have.
pub const MOST_BYTES: usize = 4 << 20;

/// How many cards a table may have.
const MOST_ROWS: usize = 5_000;

/// How many columns a table may have.
const MOST_COLUMNS: usize = 200;

/// How many bytes one value may have.
const MOST_FIELD: usize = 4_000;

/// How many faults are told.
const MOST_FAULTS: usize = 20;

/// A table of cards. Its columns are told apart by their heads; one of them is `name`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardTable {
    /// The heads, in small letters, without that of the names.
    pub columns: Vec<String>,
    /// For each of them its number in the file, from 1.
    pub numbers: Vec<usize>,
    /// The cards.
    pub rows: Vec<TableRow>,
}

/// A card of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// In which line of the file it begins, from 1.
    pub line: u64,
    /// Its name.
    pub name: String,
    /// One value a column, without blanks at its ends; empty where the file says nothing.
    pub cells: Vec<String>,
}

/// Something that is wrong with a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// In which line of the file, from 1; 0: with the whole file.
    pub line: u64,
    /// In which column, from 1; 0: with the whole line.
    pub column: usize,
    /// What that column is called, if it has a name.
    pub head: String,
    /// What is wrong, and what to do.
    pub why: String,
}

impl std::fmt::Display for TableFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.line, self.column, self.head.as_str()) {
            (0, ..) => write!(f, "{}", self.why),
            (line, 0, _) => write!(f, "line {line}: {}", self.why),
            (line, column, "") => write!(f, "line {line}, column {column}: {}", self.why),
            (line, column, head) => write!(f, "line {line}, column {column} ({head}): {}", self.why),
        }
    }
}

/// Reads a table. Columns are separated by commas; by `;` or tabs, if the first line has no comma.
///
/// # Errors
/// All that is wrong with the file, in its order.
pub fn read_table(bytes: &[u8]) -> Result<CardTable, Vec<TableFault>> {
    let whole = |why: String| vec![TableFault { line: 0, column: 0, head: String::new(), why }];
    if bytes.len() > MOST_BYTES {
        return Err(whole(format!(
            "the file is larger than {} MB, so it is no table of cards",
            MOST_BYTES >> 20
        )));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(whole(String::from("the file is in UTF-16: save it as CSV in UTF-8")));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or(&[]);
    let delimiter = match first {
        line if line.contains(&b',') => b',',
        line if line.contains(&b';') => b';',
        line if line.contains(&b'\t') => b'\t',
        _ => b',',
    };
    let mut reader = Reading::default();
    let mut csv =
        ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(bytes);
    let mut record = ByteRecord::new();
    loop {
        match csv.read_byte_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            Err(e) => {
                let line = e.position().map_or(0, csv::Position::line);
                reader.tell(line, 0, format!("this line cannot be read: {e}"));
                break;
            }
        }
        let line = record.position().map_or(0, csv::Position::line);
        if !reader.take(line, &record) {
            break;
        }
    }
    reader.finish()
}

/// What has been read of a table.
#[derive(Default)]
struct Reading {
    /// The heads in the order of the file; none before the first line.
    heads: Option<Vec<String>>,
    /// Which of them is `name`.
    name_at: usize,
    rows: Vec<TableRow>,
    lines: BTreeMap<String, u64>,
    faults: Vec<TableFault>,
}

impl Reading {
    fn tell(&mut self, line: u64, column: usize, why: String) {
        let heads = self.heads.as_deref().unwrap_or(&[]);
        let head = column.checked_sub(1).and_then(|n| heads.get(n)).cloned().unwrap_or_default();
        self.faults.push(TableFault { line, column, head, why });
    }

    /// Takes a line. Whether to go on.
    fn take(&mut self, line: u64, record: &ByteRecord) -> bool {
        let mut cells = Vec::new();
        let known = self.faults.len();
        for (n, field) in record.iter().enumerate().take(MOST_COLUMNS) {
            cells.push(self.read_field(line, n + 1, field));
        }
        if record.len() > MOST_COLUMNS {
            self.tell(line, MOST_COLUMNS + 1, format!("a table has at most {MOST_COLUMNS} columns"));
        }
        if self.faults.len() > known {
            return self.faults.len() < MOST_FAULTS && self.heads.is_some();
        }
        match &self.heads {
            None => self.take_heads(line, cells),
            Some(_) if cells.iter().all(String::is_empty) => {}
            Some(_) if self.rows.len() >= MOST_ROWS => {
                self.tell(line, 0, format!("a table has at most {MOST_ROWS} cards"));
                return false;
            }
            Some(heads) => {
                let wanted = heads.len();
                self.take_row(line, cells, wanted);
            }
        }
        self.heads.is_some() && self.faults.len() < MOST_FAULTS
    }

    fn read_field(&mut self, line: u64, column: usize, field: &[u8]) -> String {
        if field.len() > MOST_FIELD {
            let why = format!(
                "this value has {} bytes, and {MOST_FIELD} are read: is a closing quote missing?",
                field.len()
            );
            self.tell(line, column, why);
            return String::new();
        }
        let Ok(text) = std::str::from_utf8(field) else {
            self.tell(
                line,
                column,
                String::from("this is not a text in UTF-8: save the file as CSV in UTF-8"),
            );
            return String::new();
        };
        let why = if text.contains('\0') {
            "there is a NUL sign in this value: the file is no table"
        } else if text.contains(['\n', '\r']) {
            "this value goes on over several lines: is a closing quote missing?"
        } else if text.chars().any(char::is_control) {
            "there is a control sign in this value: take it out"
        } else {
            return text.trim().to_string();
        };
        self.tell(line, column, why.to_string());
        String::new()
    }

    fn take_heads(&mut self, line: u64, cells: Vec<String>) {
        let heads: Vec<String> = cells.into_iter().map(|c| c.to_lowercase().replace(' ', "_")).collect();
        self.heads = Some(heads.clone());
        for (n, head) in heads.iter().enumerate() {
            if let Some(first) = heads.iter().position(|h| h == head).filter(|f| *f < n && !head.is_empty()) {
                let why = format!("`{head}` is already the head of column {}", first + 1);
                self.tell(line, n + 1, why);
            }
        }
        match heads.iter().position(|h| h == "name") {
            Some(n) => self.name_at = n,
            None => {
                let why =
                    "no column is called `name`: the first line has the heads, such as `name,title,copies`";
                self.tell(line, 0, why.to_string());
                // Nothing else can be said of it.
                self.heads = None;
            }
        }
    }

    fn take_row(&mut self, line: u64, cells: Vec<String>, wanted: usize) {
        if cells.len() != wanted {
            let column = cells.len().min(wanted) + 1;
            let why = format!("this line has {} values, and the first line has {wanted} heads", cells.len());
            return self.tell(line, column, why);
        }
        let column = self.name_at + 1;
        let name = cells.get(self.name_at).cloned().unwrap_or_default();
        if name.is_empty() {
            return self.tell(line, column, String::from("this card has no name"));
        }
        if let Some(first) = self.lines.insert(name.clone(), line) {
            return self.tell(line, column, format!("`{name}` is already in line {first}"));
        }
        let heads = self.heads.clone().unwrap_or_default();
        for (n, cell) in cells.iter().enumerate() {
            if heads.get(n).is_some_and(String::is_empty) && !cell.is_empty() {
                self.tell(line, n + 1, String::from("this column has no head"));
            }
        }
        self.rows.push(TableRow { line, name, cells });
    }

    fn finish(mut self) -> Result<CardTable, Vec<TableFault>> {
        let heads = self.heads.take().unwrap_or_default();
        if heads.is_empty() && self.faults.is_empty() {
            self.tell(
                0,
                0,
                String::from("the file is empty: its first line has the heads, such as `name,title,copies`"),
            );
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let kept: Vec<usize> = (0..heads.len())
            .filter(|n| *n != self.name_at && heads.get(*n).is_some_and(|h| !h.is_empty()))
            .collect();
        let pick =
            |all: &[String]| -> Vec<String> { kept.iter().filter_map(|n| all.get(*n).cloned()).collect() };
        let rows = self.rows.into_iter().map(|r| TableRow { cells: pick(&r.cells), ..r }).collect();
        Ok(CardTable { columns: pick(&heads), numbers: kept.iter().map(|n| n + 1).collect(), rows })
    }
}
