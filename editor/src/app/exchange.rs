//! Import and export of maps, import of cards: dialogs of the system choose the files, jobs read and write them. No text of the folder changes here.
use super::App;
use crate::command::MapFormat;
use crate::dialogs::{Choose, Sort};
use crate::jobs::{Failed, Job, Stop};
use crate::panels::Pane;
use crate::panels::draw::{Content, ExportFile};
use houserule::ide::cards::{CardTable, MOST_BYTES, TableFault, read_table};
use houserule::ide::exchange::{ForeignMap, read_maps};
use std::path::{Path, PathBuf};

/// What a dialog lists to be imported.
const MAPS: Sort = Sort { name: "Maps of Tiled and LDtk", ends: &["tmx", "tmj", "json", "ldtk", "csv"] };

/// What a dialog lists to import cards from.
const TABLES: Sort = Sort { name: "Tables of cards", ends: &["csv"] };

/// A table of cards that was read, or all that is wrong with it.
type ReadTable = Result<CardTable, Vec<TableFault>>;

/// What a dialog lists where a map is written.
fn sort_of(format: MapFormat) -> Sort {
    match format {
        MapFormat::Tmx => Sort { name: "Maps of Tiled", ends: &["tmx"] },
        MapFormat::Svg => Sort { name: "SVG pictures", ends: &["svg"] },
        MapFormat::Png => Sort { name: "PNG pictures", ends: &["png"] },
    }
}

/// An import or export on its way.
pub(super) enum ExchangeJob {
    /// A file is being chosen.
    From(Job<Option<PathBuf>>),
    /// It is being read.
    Reading(Job<Result<Vec<ForeignMap>, String>>, String),
    /// A place is being chosen.
    To(Job<Option<PathBuf>>, MapFormat),
    /// A table of cards is being chosen.
    CardsFrom(Job<Option<PathBuf>>),
    /// It is being read.
    ReadingCards(Job<Result<ReadTable, String>>, String),
    /// The files are being written.
    Writing(Job<Result<(), String>>, PathBuf),
}

impl App {
    /// Lets a map of another tool be chosen.
    pub(super) fn choose_map(&mut self) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let job = self.dialogs.ask(&self.jobs, "Import a map", Choose::File(MAPS), start.as_deref());
        self.exchange = Some(ExchangeJob::From(job));
    }

    /// Lets a place be chosen for the map that Draw shows.
    pub(super) fn export_map(&mut self, format: MapFormat, name: &str) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let what = Choose::Place(sort_of(format), name);
        let job = self.dialogs.ask(&self.jobs, "Export the map", what, start.as_deref());
        self.exchange = Some(ExchangeJob::To(job, format));
    }

    /// Lets a table of cards be chosen.
    pub(super) fn choose_cards(&mut self) {
        let start = self.workspace.as_ref().map(|w| w.root.clone());
        let job = self.dialogs.ask(&self.jobs, "Import cards", Choose::File(TABLES), start.as_deref());
        self.exchange = Some(ExchangeJob::CardsFrom(job));
    }

    fn tell_fault(&mut self, failed: &Failed) -> Option<ExchangeJob> {
        self.set_message(format!("{failed}. Nothing was changed; choose the file again"));
        None
    }

    /// Looks after an import or export on its way. Called before each frame.
    pub(super) fn poll_exchange(&mut self) {
        self.exchange = match self.exchange.take() {
            Some(ExchangeJob::From(mut job)) => match job.poll() {
                None => Some(ExchangeJob::From(job)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(None)) => {
                    self.set_message(String::from("No map was chosen"));
                    None
                }
                Some(Ok(Some(path))) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let job = self.jobs.start("Reading the map", move |_| read_file(&path));
                    Some(ExchangeJob::Reading(job, name))
                }
            },
            Some(ExchangeJob::Reading(mut job, name)) => match job.poll() {
                None => Some(ExchangeJob::Reading(job, name)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(Err(why))) => {
                    self.set_message(format!("{name} cannot be imported: {why}"));
                    None
                }
                Some(Ok(Ok(maps))) => {
                    self.show_pane(Pane::Draw);
                    self.set_message(format!("Choose the sign of each tile of {name}, then Import"));
                    self.run_in_panes(|panes, cx| panes.draw.begin_import(name, maps, cx));
                    None
                }
            },
            Some(ExchangeJob::CardsFrom(mut job)) => match job.poll() {
                None => Some(ExchangeJob::CardsFrom(job)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(None)) => {
                    self.set_message(String::from("No table was chosen"));
                    None
                }
                Some(Ok(Some(path))) => {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let read = move |_: &Stop| Ok(read_table(&crate::disk::read_at_most(&path, MOST_BYTES)?));
                    Some(ExchangeJob::ReadingCards(self.jobs.start("Reading the cards", read), name))
                }
            },
            Some(ExchangeJob::ReadingCards(mut job, name)) => match job.poll() {
                None => Some(ExchangeJob::ReadingCards(job, name)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(Err(why))) => {
                    self.set_message(format!("{name} cannot be imported: {why}"));
                    None
                }
                Some(Ok(Ok(table))) => {
                    self.show_pane(Pane::Cards);
                    self.run_in_panes(|panes, cx| panes.cards.begin_import(name, table, cx));
                    None
                }
            },
            Some(ExchangeJob::To(mut job, format)) => match job.poll() {
                None => Some(ExchangeJob::To(job, format)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(None)) => {
                    self.set_message(String::from("Not exported: no place was chosen"));
                    None
                }
                Some(Ok(Some(path))) => self.begin_writing(path, format),
            },
            Some(ExchangeJob::Writing(mut job, path)) => match job.poll() {
                None => Some(ExchangeJob::Writing(job, path)),
                Some(Err(failed)) => self.tell_fault(&failed),
                Some(Ok(done)) => {
                    let name = path.display();
                    self.set_message(match done {
                        Ok(()) => format!("Exported to {name}"),
                        Err(why) => format!("Not exported to {name}: {why}"),
                    });
                    None
                }
            },
            None => None,
        };
    }

    /// Starts to write what Draw shows. The file ends as its format does, so that no text of rules is written over.
    fn begin_writing(&mut self, path: PathBuf, format: MapFormat) -> Option<ExchangeJob> {
        let ends = path.extension().is_some_and(|e| e.eq_ignore_ascii_case(format.ending()));
        let path = match ends {
            true => path,
            false => {
                let mut name = path.into_os_string();
                name.push(format!(".{}", format.ending()));
                PathBuf::from(name)
            }
        };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let files = self.panes.draw.make_export(format, &stem);
        if files.is_empty() {
            self.set_message(String::from("Not exported: Draw shows no map"));
            return None;
        }
        let to = path.clone();
        let job = self.jobs.start("Exporting the map", move |_: &Stop| write_files(&to, files));
        Some(ExchangeJob::Writing(job, path))
    }
}

/// Reads the maps of a file, with the tilesets beside it.
fn read_file(path: &Path) -> Result<Vec<ForeignMap>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let read = |path: &Path| crate::disk::read_at_most(path, houserule::ide::exchange::MOST_BYTES);
    let beside = |name: &str| match crate::disk::path_of(&folder, name) {
        Some(path) => read(&path),
        None => Err(String::from("it does not lie in the folder of the map")),
    };
    read_maps(&name, &read(path)?, &beside)
}

/// Writes all files of an export; the first one at the path that was chosen, others beside it.
fn write_files(path: &Path, files: Vec<ExportFile>) -> Result<(), String> {
    // All of them are made before the first is written.
    let made = files.into_iter().map(|f| match f.content {
        Content::Text(text) => Ok((f.name, text.into_bytes())),
        Content::Picture(svg) => Ok((f.name, crate::picture::to_png(&svg)?)),
    });
    for (name, bytes) in made.collect::<Result<Vec<_>, String>>()? {
        let to = match name {
            Some(name) => path.with_file_name(name),
            None => path.to_path_buf(),
        };
        crate::disk::write(&to, bytes).map_err(|e| e.to_string())?;
    }
    Ok(())
}
