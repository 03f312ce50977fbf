//! Converts the layout of the panes (where, how wide, which in front) to plain data for the settings, and back.
use crate::panels::Pane;
use crate::settings::PaneLayout;
use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};

/// Narrower than this share of its row a pane is not kept: it would not be found again.
const LEAST: f32 = 0.05;

/// The text on the left; map, game, figures and cards on the right, one behind the other.
fn default_layout() -> PaneLayout {
    let tabs = |panes: &[Pane]| PaneLayout::Tabs {
        all: panes.iter().copied().map(PaneLayout::Pane).collect(),
        front: 0,
    };
    PaneLayout::Row(vec![
        (1.0, tabs(&[Pane::Write])),
        (1.0, tabs(&[Pane::Draw, Pane::Play, Pane::Measure, Pane::Cards])),
    ])
}

/// The tiles as they were kept; as at first, if that is not each pane once. Settings of an older program have no Measure or Cards: each is put beside the one before it.
pub(super) fn to_tiles(kept: Option<&PaneLayout>) -> Tree<Pane> {
    let mut kept = kept.cloned();
    for (before, pane) in [(Pane::Play, Pane::Measure), (Pane::Measure, Pane::Cards)] {
        if let Some(kept) = kept.as_mut().filter(|k| !list_panes(k).contains(&pane)) {
            add_pane(kept, before, pane);
        }
    }
    let place = kept.filter(|k| list_panes(k) == Pane::ALL).unwrap_or_else(default_layout);
    let mut tiles = Tiles::default();
    let root = add_tiles(&mut tiles, &place);
    Tree::new(egui::Id::unique("panes"), root, tiles)
}

/// The panes of a layout, in order.
fn list_panes(place: &PaneLayout) -> Vec<Pane> {
    let mut panes = Vec::new();
    count_panes(place, &mut panes);
    panes.sort_unstable();
    panes
}

/// Puts a pane behind another one, in the same tabs.
fn add_pane(place: &mut PaneLayout, before: Pane, pane: Pane) {
    match place {
        PaneLayout::Pane(p) if *p == before => {
            *place =
                PaneLayout::Tabs { all: vec![PaneLayout::Pane(before), PaneLayout::Pane(pane)], front: 0 };
        }
        PaneLayout::Pane(_) => {}
        PaneLayout::Tabs { all, front } => {
            match all.iter().position(|p| *p == PaneLayout::Pane(before)) {
                Some(at) => {
                    all.insert(at + 1, PaneLayout::Pane(pane));
                    // The pane in front stays the same.
                    *front += usize::from(*front > at);
                }
                None => all.iter_mut().for_each(|p| add_pane(p, before, pane)),
            }
        }
        PaneLayout::Row(all) | PaneLayout::Column(all) => {
            all.iter_mut().for_each(|(_, p)| add_pane(p, before, pane));
        }
    }
}

fn count_panes(place: &PaneLayout, out: &mut Vec<Pane>) {
    match place {
        PaneLayout::Pane(p) => out.push(*p),
        PaneLayout::Tabs { all, .. } => all.iter().for_each(|p| count_panes(p, out)),
        PaneLayout::Row(all) | PaneLayout::Column(all) => all.iter().for_each(|(_, p)| count_panes(p, out)),
    }
}

fn add_tiles(tiles: &mut Tiles<Pane>, place: &PaneLayout) -> TileId {
    let mut line = |dir: LinearDir, all: &[(f32, PaneLayout)]| {
        let children: Vec<TileId> = all.iter().map(|(_, p)| add_tiles(tiles, p)).collect();
        let mut line = Linear::new(dir, children.clone());
        let sum: f32 = all.iter().map(|(n, _)| n).sum();
        for (id, (share, _)) in children.into_iter().zip(all) {
            let part = if share.is_finite() && sum > 0.0 { share / sum } else { 1.0 };
            line.shares.set_share(id, part.max(LEAST));
        }
        tiles.insert_container(line)
    };
    match place {
        PaneLayout::Pane(p) => tiles.insert_pane(*p),
        PaneLayout::Tabs { all, front } => {
            let children: Vec<TileId> = all.iter().map(|p| add_tiles(tiles, p)).collect();
            let mut tabs = Tabs::new(children.clone());
            tabs.active = children.get(*front).or(children.first()).copied();
            tiles.insert_container(tabs)
        }
        PaneLayout::Row(all) => line(LinearDir::Horizontal, all),
        PaneLayout::Column(all) => line(LinearDir::Vertical, all),
    }
}

/// The tiles as they are now; none if there are none.
pub(super) fn from_tiles(tree: &Tree<Pane>) -> Option<PaneLayout> {
    from_tile(tree, tree.root()?)
}

fn from_tile(tree: &Tree<Pane>, id: TileId) -> Option<PaneLayout> {
    let line = |dir: LinearDir, all: Vec<(f32, PaneLayout)>| match dir {
        LinearDir::Horizontal => PaneLayout::Row(all),
        LinearDir::Vertical => PaneLayout::Column(all),
    };
    Some(match tree.tiles.get(id)? {
        Tile::Pane(p) => PaneLayout::Pane(*p),
        Tile::Container(Container::Tabs(t)) => {
            let front = t.children.iter().position(|c| Some(*c) == t.active).unwrap_or(0);
            PaneLayout::Tabs { all: t.children.iter().filter_map(|c| from_tile(tree, *c)).collect(), front }
        }
        Tile::Container(Container::Linear(l)) => {
            let sum: f32 = l.children.iter().map(|c| l.shares[*c]).sum();
            // Whole parts of a thousand, so that settings do not change with every frame.
            let part = |c: &TileId| (l.shares[*c] / sum.max(0.001) * 1000.0).round() / 1000.0;
            let all = l.children.iter().filter_map(|c| Some((part(c), from_tile(tree, *c)?)));
            line(l.dir, all.collect())
        }
        // A table of panes is kept as a row.
        Tile::Container(Container::Grid(g)) => {
            let all = g.children().filter_map(|c| Some((1.0, from_tile(tree, *c)?)));
            line(LinearDir::Horizontal, all.collect())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(place: &PaneLayout) -> Option<PaneLayout> {
        from_tiles(&to_tiles(Some(place)))
    }

    #[test]
    fn tiles_are_kept_as_they_are() {
        let halves = PaneLayout::Row(vec![(0.5, PaneLayout::Pane(Pane::Write)), (0.5, default_layout())]);
        assert_eq!(
            again(&halves),
            from_tiles(&to_tiles(None)),
            "each pane is there once, or all is as at first"
        );
        let tabs = |all: &[Pane], front| PaneLayout::Tabs {
            all: all.iter().copied().map(PaneLayout::Pane).collect(),
            front,
        };
        let own = PaneLayout::Row(vec![
            (0.25, tabs(&[Pane::Play, Pane::Measure, Pane::Cards], 0)),
            (0.75, PaneLayout::Column(vec![(0.6, tabs(&[Pane::Draw], 0)), (0.4, tabs(&[Pane::Write], 0))])),
        ]);
        assert_eq!(again(&own), Some(own.clone()));
        let all = tabs(&[Pane::Play, Pane::Write, Pane::Measure, Pane::Cards, Pane::Draw], 1);
        assert_eq!(again(&all), Some(all.clone()));
        // What somebody wrote into the settings by hand cannot hide a pane.
        let PaneLayout::Row(mut odd) = own else { panic!("a row") };
        odd[0].0 = 0.0;
        odd[1].0 = f32::NAN;
        let Some(PaneLayout::Row(odd)) = again(&PaneLayout::Row(odd)) else { panic!("a row") };
        assert!(odd.iter().all(|(n, _)| *n >= LEAST / 2.0), "{odd:?}");
    }

    #[test]
    fn settings_without_measure_and_cards_have_them_beside_play() {
        let tabs = |all: &[Pane], front| PaneLayout::Tabs {
            all: all.iter().copied().map(PaneLayout::Pane).collect(),
            front,
        };
        let row = |right: PaneLayout| PaneLayout::Row(vec![(0.5, tabs(&[Pane::Write], 0)), (0.5, right)]);
        let old = row(tabs(&[Pane::Play, Pane::Draw], 1));
        // The front pane is counted from the left: Draw stands two further now.
        assert_eq!(again(&old), Some(row(tabs(&[Pane::Play, Pane::Measure, Pane::Cards, Pane::Draw], 3))));
        let alone = PaneLayout::Column(vec![
            (0.4, tabs(&[Pane::Write, Pane::Draw], 1)),
            (0.6, PaneLayout::Pane(Pane::Play)),
        ]);
        let Some(PaneLayout::Column(new)) = again(&alone) else { panic!("a column") };
        assert_eq!(new[1].1, tabs(&[Pane::Play, Pane::Measure, Pane::Cards], 0));
        assert_eq!(new[0].1, tabs(&[Pane::Write, Pane::Draw], 1));
    }
}
