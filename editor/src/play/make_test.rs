//! Makes a `test` block of the present line, up to where play stands, and finds its file.
use houserule::ide::{Edit, EditSet};
use houserule::lab::record::{self, Recorded, Wish};
use houserule::play::Match;
use houserule::text::Files;

/// A test with the edit that puts it into its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeTest {
    /// The edit.
    pub edits: EditSet,
    /// The test.
    pub test: Recorded,
}

/// Makes a test of a match up to where it stands. `files` are the game's texts as they stand now; the test has been run on them and passes.
///
/// # Errors
/// Why there is none, in a sentence.
pub fn make_test(m: &Match, files: &Files, wish: &Wish) -> Result<MadeTest, String> {
    let test = record::record_test(m, files, wish)?;
    let edit = Edit::new(test.file.as_str(), test.at..test.at, test.text.clone());
    let edits = EditSet::from_edit(format!("make test “{}” in {}", test.title, test.file), edit);
    Ok(MadeTest { edits, test })
}
