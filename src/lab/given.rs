//! Begins a match in a given state: a block of statements (`given { … }`) replaces the beginning of the game.
use super::testing;
use houserule_engine::Chanced;
use houserule_play::save::{LoadError, Loaded, Save, place_of_given};
use houserule_play::{Game, Match, Setup, codes};
use houserule_syntax::{self as syntax, ast};
use houserule_text::{Diagnostic, File, FileId, Files, Report, Span};

/// The file that the block is read as.
pub const NAME: &str = "given.rules";

/// What the block begins with.
const WORD: &str = "given";

/// The name of the test that the block is made into.
pub(super) const TITLE: &str = "given state of a match";

/// Why a match cannot begin so.
#[derive(Debug)]
pub struct GivenError {
    /// The files with the block among them, which the findings are of.
    pub files: Files,
    /// What is wrong; never empty.
    pub report: Report,
}

impl GivenError {
    /// The first finding.
    pub fn first_finding(&self) -> Option<&Diagnostic> {
        self.report.findings.iter().find(|d| d.is_error()).or(self.report.findings.first())
    }
}

/// The block as a test among a game's files.
struct Block {
    text: String,
    /// Where its first word stands.
    at: usize,
    /// The block as a `test` of the rules.
    test: String,
}

impl Block {
    /// Else what is wrong with its form, and where.
    fn read(text: &str) -> Result<Block, (usize, &'static str)> {
        let at = text.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(0);
        let Some((head, rest)) = text.split_at_checked(at) else { return Err((0, FORM)) };
        let Some(rest) = rest.strip_prefix(WORD).filter(|r| !r.starts_with(char::is_alphanumeric)) else {
            return Err((at, FORM));
        };
        let mut block = Block { text: text.to_string(), at, test: format!("{head}test \"{TITLE}\"{rest}") };
        let parsed = syntax::parse(FileId(0), &block.test);
        let mut tests = parsed.ast.items.iter().map(|i| match &i.kind {
            ast::ItemKind::Test(t) => Ok(t),
            _ => Err(i.span),
        });
        let first = match tests.next() {
            Some(Ok(t)) => t,
            _ => return if parsed.findings.is_empty() { Err((at, FORM)) } else { Ok(block) },
        };
        if let Some(second) = tests.next() {
            let span = second.map_or_else(|span| span, |t| t.title.span);
            return Err((block.place_in_block(span.start as usize), "there must be nothing after the block"));
        }
        // What it leaves unsaid is that the rounds begin.
        let started = first.body.stmts.iter().any(|s| matches!(s.kind, ast::StmtKind::StartAt(_)));
        let end = (first.body.span.end as usize).saturating_sub(1);
        if !started && block.test.get(end..).is_some_and(|t| t.starts_with('}')) {
            block.test.insert_str(end, "\n  start at round\n");
        }
        Ok(block)
    }

    /// What stands before its brace and between its braces, as a test says it.
    fn parts(&self) -> Option<(&str, &str)> {
        let parsed = syntax::parse(FileId(0), &self.test);
        let body = match &parsed.ast.items.first()?.kind {
            ast::ItemKind::Test(t) => t.body.span.range(),
            _ => return None,
        };
        let head = self.test.get(self.at + self.test_head()..body.start)?;
        Some((head, self.test.get(body)?.strip_prefix('{')?.strip_suffix('}')?))
    }

    /// A place in the test as one in the block.
    fn place_in_block(&self, at: usize) -> usize {
        let more = self.test_head() - WORD.len();
        let here = if at <= self.at { at } else { at.saturating_sub(more).max(self.at) };
        here.min(self.text.len())
    }

    fn test_head(&self) -> usize {
        "test \"\"".len() + TITLE.len()
    }

    /// A statement that cannot be carried out, as a finding about the block.
    fn to_failure(&self, game: &Game, f: testing::Failure) -> GivenError {
        let finding = Diagnostic::error(codes::GIVEN, f.span, f.message);
        self.to_wrong(game.files(), Report { findings: vec![finding] })
    }

    /// Findings about the test as findings about the block.
    fn to_wrong(&self, files: &Files, mut report: Report) -> GivenError {
        let mut own = Files::new();
        let mut id = None;
        for (n, f) in files.iter() {
            if f.name == NAME {
                id = Some(n);
                own.add(File::new(NAME, self.text.as_str()));
            } else {
                own.add(f.clone());
            }
        }
        let map = |span: &mut Span| {
            if Some(span.file) == id {
                span.start = self.place_in_block(span.start as usize) as u32;
                span.end = self.place_in_block(span.end as usize) as u32;
            }
        };
        for d in &mut report.findings {
            map(&mut d.at.span);
            d.others.iter_mut().for_each(|o| map(&mut o.span));
        }
        report.findings.retain(Diagnostic::is_error);
        GivenError { files: own, report }
    }
}

/// What a text is that is no block.
const FORM: &str = "a given state is written as `given { … }`";

/// Begins a match of the game that these files hold (as they were loaded, scripts among them) in the state that a text describes. `given on S with A, B { … }` says on which scenario, with
/// whom and with which variants; what it leaves unsaid is as the set-up has it, and that the rounds begin.
///
/// # Errors
/// What is wrong with the text, with its places.
pub fn begin_match(files: &Files, text: &str, setup: &Setup) -> Result<Match, GivenError> {
    begin_with_chance(files, text, setup).map(|(m, _)| m)
}

/// A block as the head (scenario, players, variants) and the statements of a test; none, if it cannot be read. How the game goes on from there is said in it.
pub fn split_block(text: &str) -> Option<(String, String)> {
    let block = Block::read(text).ok()?;
    let (head, body) = block.parts()?;
    Some((head.trim().to_string(), body.trim().to_string()))
}

/// What chance brought while the block was played that [`begin_match`] reads; nothing where it cannot be.
pub fn chance_of_block(files: &Files, text: &str, setup: &Setup) -> Vec<Chanced> {
    begin_with_chance(files, text, setup).map_or_else(|_| Vec::new(), |(_, lots)| lots)
}

fn begin_with_chance(files: &Files, text: &str, setup: &Setup) -> Result<(Match, Vec<Chanced>), GivenError> {
    Situation::read(files, text, setup)?.begin_with_chance(setup.seed)
}

/// A block that has been read and compiled: any number of matches can begin in it.
pub struct Situation {
    block: Block,
    game: Game,
    plan: testing::GivenPlan,
}

impl Situation {
    /// Reads a block, as [`begin_match`] does.
    ///
    /// # Errors
    /// What is wrong with the text, with its places.
    pub fn read(files: &Files, text: &str, setup: &Setup) -> Result<Situation, GivenError> {
        let block = Block::read(text).map_err(|(at, why)| {
            let mut files = Files::new();
            let id = files.add(File::new(NAME, text));
            let finding = Diagnostic::error(codes::GIVEN, Span::new(id, at, at), why);
            GivenError { files, report: Report { findings: vec![finding] } }
        })?;
        let mut all = files.clone();
        all.add(File::new(NAME, block.test.clone()));
        let game = Game::load_with_files(&all).map_err(|(files, report)| block.to_wrong(&files, report))?;
        match testing::prepare_given(&game, TITLE, setup) {
            Ok(plan) => Ok(Situation { block, game, plan }),
            Err(f) => Err(block.to_failure(&game, f)),
        }
    }

    /// The game with the block among its texts.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Begins a match in it. The seed decides what the block leaves to chance, and all chance behind it.
    ///
    /// # Errors
    /// Why its statements cannot be carried out, with the place.
    pub fn begin(&self, seed: u64) -> Result<Match, GivenError> {
        self.begin_with_chance(seed).map(|(m, _)| m)
    }

    fn begin_with_chance(&self, seed: u64) -> Result<(Match, Vec<Chanced>), GivenError> {
        let begun = testing::play_given(&self.game, &self.plan, seed);
        let (machine, setup, lots) = begun.map_err(|f| self.block.to_failure(&self.game, f))?;
        Ok((Match::new(self.game.clone(), setup, machine).with_beginning(&self.block.text), lots))
    }
}

/// Plays a saved match again, also one that began in a given state; `files` are the game's, as for [`begin_match`].
///
/// # Errors
/// Why nothing of it can be played. What is wrong with a given text has its place in the saved text.
pub fn load_match(game: &Game, files: &Files, text: &str) -> Result<Loaded, LoadError> {
    Match::load_from(game, text, |save: &Save, given: &str| {
        begin_match(files, given, &save.to_setup()).map_err(|wrong| {
            let found = wrong.first_finding();
            let (at, message) =
                found.map_or((0, String::new()), |d| (d.at.span.start as usize, d.message.clone()));
            let (line, column) = place_of_given(text, given, at);
            LoadError::Given { line, column, message }
        })
    })
}
