//! Lays a game out on pages: cards nine a page, counters in rows, patches packed, then the maps.
use super::card::{CARD, draw_back, draw_card};
use super::contents::{BoardPart, Contents};
use super::faces::{CardToPrint, Faces, KindCount, TokenToPrint};
use super::grid::Grid;
use super::maps::{TRUE_SIZE, count_tiled, fit_on_page, tile_over_pages};
use super::options::{MOST_PAGES, Part, PrintOptions};
use super::page::Page;
use super::patches::{PatchToPrint, bounds, draw_patch, list_patches};
use super::pen::Pen;
use super::svg::{Point, Rect, Svg};
use super::token::{TOKEN, TokenFace, draw_token};
use houserule_ide::Analysis;
use houserule_ide::draw::{Drawing, PatchSet, SheetId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The colour of a back for which the rules have none.
const BACK: [u8; 3] = [84, 96, 112];
/// How far the ground of a counter goes over its edge at most.
const TOKEN_BLEED: f64 = 1.0;
/// Around patches and between them.
const PATCH_GAP: f64 = 4.0;
/// The size of the line at the foot of a page.
const LABEL: f64 = 2.2;

/// A part of a game as it is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedPart {
    /// Which part, in a word: `cards`, `tokens`, `patches`, `boards`.
    pub name: &'static str,
    /// What it is made of.
    pub kinds: Vec<KindCount>,
    /// How many pages it takes.
    pub pages: usize,
}

/// A game on pages.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sheets {
    /// The pages, in the order in which they are printed.
    pub pages: Vec<Page>,
    /// What is on them.
    pub parts: Vec<PrintedPart>,
    /// What a person should know: texts that have no room, characters that no font has, faces that are not printed.
    pub remarks: Vec<String>,
}

/// Why a game is not laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SheetFault {
    /// It would take more pages than [`MOST_PAGES`].
    TooManyPages(usize),
    /// There is no such kind of component; these are there.
    NoKind(Vec<Arc<str>>),
}

/// Lays a game out on pages.
///
/// # Errors
/// There are too many pages, or there is no component of the wanted kind.
pub fn lay_out(
    analysis: &Analysis,
    contents: &Contents,
    options: &PrintOptions,
) -> Result<Sheets, SheetFault> {
    let faces = Faces::new(analysis, contents);
    let kind = options.kind.as_deref();
    if kind.is_some_and(|k| !faces.kind_names().iter().any(|n| **n == *k)) {
        return Err(SheetFault::NoKind(faces.kind_names()));
    }
    let pen = Pen::new(faces.signs());
    let paper = options.paper.size();
    let has = |part: Part| options.parts.contains(&part);
    let mut out =
        Builder { contents, options, pen: &pen, paper, sheets: Sheets::default(), cut: BTreeSet::new() };
    let (cards, card_kinds) = if has(Part::Cards) { faces.cards(kind) } else { Default::default() };
    let (tokens, token_kinds) = if has(Part::Tokens) { faces.tokens(kind) } else { Default::default() };
    let (counts, patch_kinds) = if has(Part::Tokens) { faces.patches(kind) } else { Default::default() };
    let sets = if counts.is_empty() { Vec::new() } else { find_patch_sets(analysis, contents) };
    let patches: Vec<PatchToPrint> = sets.iter().flat_map(|set| list_patches(set, &counts)).collect();
    let boards: Vec<_> = contents.boards.iter().filter(|_| has(Part::Boards) && kind.is_none()).collect();
    let (shown, grown): (Vec<_>, Vec<_>) = boards.into_iter().partition(|b| b.spaces.len() > 1 && !b.grows);
    out.check_count(cards.len(), tokens.len(), &shown, patches.len())?;
    out.add_cards(&cards, card_kinds);
    out.add_tokens(&tokens, token_kinds);
    out.add_patches(&patches, patch_kinds);
    out.add_boards(&shown);
    let Builder { mut sheets, cut, .. } = out;
    for title in cut {
        sheets.remarks.push(format!(
            "the text of “{title}” has no room even in the smallest letters; what is left over is not printed"
        ));
    }
    for board in grown {
        sheets.remarks.push(format!("the map {} grows in play: it has no page", board.name));
    }
    let missing = pen.type_.missing();
    if !missing.is_empty() {
        let chars: Vec<String> =
            missing.iter().take(20).map(|c| format!("{c} (U+{:04X})", *c as u32)).collect();
        let more = if missing.len() > 20 { " and others" } else { "" };
        sheets.remarks.push(format!("no font has {}{more}; � is printed instead", chars.join(", ")));
    }
    if has(Part::Cards) || has(Part::Tokens) {
        sheets.remarks.extend(faces.describe_missing(kind));
        sheets.remarks.extend(faces.describe_unlisted(kind));
    }
    if options.backs && !patches.is_empty() {
        sheets.remarks.push(String::from("patches are printed without their backs"));
    }
    Ok(sheets)
}

/// The patches of which the maps of a set-up are laid out.
fn find_patch_sets(analysis: &Analysis, contents: &Contents) -> Vec<PatchSet> {
    let id = contents.scenario.as_ref().map_or(SheetId::Game, |s| SheetId::Scenario(s.clone()));
    Drawing::from_analysis(analysis, &id).map(|d| d.patches).unwrap_or_default()
}

/// Pages in the making.
struct Builder<'a> {
    contents: &'a Contents,
    options: &'a PrintOptions,
    pen: &'a Pen,
    paper: Point,
    sheets: Sheets,
    /// The titles of what has a text without room.
    cut: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    fn card_grid(&self) -> Grid {
        Grid::new(self.paper, CARD, self.options.bleed)
    }

    fn token_grid(&self) -> Grid {
        Grid::new(self.paper, (TOKEN, TOKEN), self.options.bleed.min(TOKEN_BLEED))
    }

    /// Refuses to make more pages than a person prints, before the first one is made.
    fn check_count(
        &self,
        cards: usize,
        tokens: usize,
        boards: &[&BoardPart],
        patches: usize,
    ) -> Result<(), SheetFault> {
        let sides = if self.options.backs { 2 } else { 1 };
        let in_grids = cards.div_ceil(self.card_grid().count()) + tokens.div_ceil(self.token_grid().count());
        let maps: usize = match self.options.tile {
            true => boards.iter().map(|b| count_tiled(b, self.paper)).sum(),
            false => boards.len(),
        };
        // Not even a page for each patch.
        let all = in_grids * sides + maps + patches;
        if all > MOST_PAGES { Err(SheetFault::TooManyPages(all)) } else { Ok(()) }
    }

    fn add_part(&mut self, name: &'static str, kinds: Vec<KindCount>, pages: Vec<Page>) {
        if !pages.is_empty() {
            self.sheets.parts.push(PrintedPart { name, kinds, pages: pages.len() });
            self.sheets.pages.extend(pages);
        }
    }

    /// Pages of boxes: those of a grid, each drawn by its number, with the backs behind them if they are wanted.
    fn fill_grid(
        &mut self,
        name: &str,
        grid: Grid,
        count: usize,
        backs: bool,
        draw: &dyn Fn(&mut Svg, usize, bool) -> Option<String>,
    ) -> Vec<Page> {
        let sheets = count.div_ceil(grid.count());
        let sides: &[bool] = if backs { &[false, true] } else { &[false] };
        let mut pages = Vec::new();
        for sheet in 0..sheets {
            for back in sides {
                let word = if *back { "-back" } else { "" };
                let file = format!("{name}-{:02}{word}", sheet + 1);
                let title = format!(
                    "{}: {name} {} of {sheets}{}",
                    self.contents.title,
                    sheet + 1,
                    if *back { ", backs" } else { "" }
                );
                let mut svg = Svg::document(self.paper.0, self.paper.1, &title);
                grid.draw_marks(&mut svg);
                let first = sheet * grid.count();
                for n in first..count.min(first + grid.count()) {
                    let place = grid.place(n - first, *back);
                    let [left, top, right, bottom] = grid.bleed_of(n - first, *back);
                    let room = Rect::new(
                        place.x - left,
                        place.y - top,
                        place.width + left + right,
                        place.height + top + bottom,
                    );
                    svg.begin_part(room, (-left, -top));
                    self.cut.extend(draw(&mut svg, n, *back));
                    svg.end_part();
                }
                self.draw_foot(&mut svg, &grid, &title, &format!("{} of {sheets}", sheet + 1));
                pages.push(Page {
                    name: file,
                    width: self.paper.0,
                    height: self.paper.1,
                    svg: svg.end_document(),
                });
            }
        }
        pages
    }

    /// Says at the foot of a page which one it is: between two cut marks, so in fewer words if boxes are narrow.
    fn draw_foot(&self, svg: &mut Svg, grid: &Grid, title: &str, short: &str) {
        let place = grid.place(grid.columns / 2, false);
        let width = |text: &str| self.pen.type_.line(text).width() * LABEL;
        let text = if width(title) < place.width - 3.0 { title } else { short };
        let x = place.x + (place.width - width(text)) / 2.0;
        self.pen.draw_label(svg, (x, self.paper.1 - 3.6), text, LABEL);
    }

    fn add_cards(&mut self, cards: &[CardToPrint], kinds: Vec<KindCount>) {
        let (pen, bleed) = (self.pen, self.options.bleed);
        let pages =
            self.fill_grid("cards", self.card_grid(), cards.len(), self.options.backs, &|svg, n, back| {
                let card = cards.get(n)?;
                let fits = match back {
                    true => {
                        draw_back(pen, svg, &card.back, &card.back_title, card.owner.unwrap_or(BACK), bleed)
                    }
                    false => draw_card(pen, svg, &card.face, bleed),
                };
                (!fits).then(|| card.face.name.clone())
            });
        self.add_part("cards", kinds, pages);
    }

    fn add_tokens(&mut self, tokens: &[TokenToPrint], kinds: Vec<KindCount>) {
        let (pen, bleed) = (self.pen, self.options.bleed.min(TOKEN_BLEED));
        let backs = self.options.backs && tokens.iter().any(|t| t.back.is_some());
        let pages = self.fill_grid("tokens", self.token_grid(), tokens.len(), backs, &|svg, n, back| {
            let token = tokens.get(n)?;
            let face: &TokenFace = if back { token.back.as_ref()? } else { &token.face };
            (!draw_token(pen, svg, face, bleed)).then(|| token.title.clone())
        });
        self.add_part("tokens", kinds, pages);
    }

    /// Patches beside each other while the page has room, then in the next row, then on the next page.
    fn add_patches(&mut self, patches: &[PatchToPrint], kinds: Vec<KindCount>) {
        let (width, height) = (self.paper.0 - 2.0 * PATCH_GAP, self.paper.1 - 3.0 * PATCH_GAP);
        let mut pages: Vec<Svg> = Vec::new();
        let (mut x, mut y, mut high) = (0.0, 0.0, 0.0_f64);
        for patch in patches {
            let one = bounds(patch, 1.0);
            // A patch that is larger than a page is made smaller.
            let scale = TRUE_SIZE.min(width / one.width).min(height / one.height);
            let (w, h) = (one.width * scale, one.height * scale);
            if x > 0.0 && x + w > width {
                (x, y) = (0.0, y + high + PATCH_GAP);
                high = 0.0;
            }
            if pages.is_empty() || y + h > height {
                pages.push(Svg::document(self.paper.0, self.paper.1, &self.contents.title));
                (x, y, high) = (0.0, 0.0, 0.0);
            }
            if let Some(svg) = pages.last_mut() {
                let at = (PATCH_GAP + x, 1.5 * PATCH_GAP + y);
                self.cut.extend(draw_patch(self.pen, svg, patch, at, scale));
            }
            x += w + PATCH_GAP;
            high = high.max(h);
        }
        let (width, height) = self.paper;
        let page = |(n, svg): (usize, Svg)| Page {
            name: format!("patches-{:02}", n + 1),
            width,
            height,
            svg: svg.end_document(),
        };
        let pages = pages.into_iter().enumerate().map(page).collect();
        self.add_part("patches", kinds, pages);
    }

    fn add_boards(&mut self, boards: &[&BoardPart]) {
        let (mut pages, mut kinds) = (Vec::new(), Vec::new());
        for (n, board) in boards.iter().enumerate() {
            let own = |page: usize| {
                let more = if self.options.tile { format!("-{:02}", page + 1) } else { String::new() };
                format!("board-{:02}{more}", n + 1)
            };
            let cut = if self.options.tile {
                let (all, cut) = tile_over_pages(self.pen, board, self.paper, &own);
                pages.extend(all);
                cut
            } else {
                let (page, cut) = fit_on_page(self.pen, board, self.paper, own(0));
                pages.push(page);
                cut
            };
            self.cut.extend(cut.into_iter().map(|space| format!("{} {space}", board.name)));
            kinds.push(KindCount {
                kind: board.name.as_str().into(),
                title: board.name.clone(),
                faces: board.spaces.len(),
                copies: 1,
            });
        }
        self.add_part("boards", kinds, pages);
    }
}
