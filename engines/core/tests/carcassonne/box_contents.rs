//! The catalogues are complete: what a player can count in the box, and no edge without an owner.

use _core::games::carcassonne::catalogue::{Kind, TileType};
use _core::games::carcassonne::tile_set::{TYPES, TileSet, VARIANTS};

/// Sums a number over all tiles.
fn total(rows: &[TileType], number: impl Fn(&TileType) -> usize) -> usize {
    rows.iter().map(|row| usize::from(row.count) * number(row)).sum()
}

fn segments(rows: &[TileType], kind: Kind) -> usize {
    total(rows, |row| row.segments.iter().filter(|segment| segment.kind == kind).count())
}

fn pennants(rows: &[TileType]) -> usize {
    total(rows, |row| row.segments.iter().filter(|segment| segment.pennant).count())
}

fn edges(rows: &[TileType], edge: char) -> usize {
    total(rows, |row| row.edges.matches(edge).count())
}

#[test]
fn the_base_game_is_complete() {
    let rows = TileSet::of("standard").types();
    assert_eq!((rows.len(), total(rows, |_| 1), pennants(rows)), (TYPES, 72, 10));
    assert_eq!(['F', 'R', 'C'].map(|edge| edges(rows, edge)), [115, 94, 79]);
    let kinds = [Kind::City, Kind::Road, Kind::Monastery, Kind::Field];
    assert_eq!(kinds.map(|kind| segments(rows, kind)), [49, 62, 6, 126]);
}

#[test]
fn the_other_catalogue_differs_as_it_says() {
    let [standard, compat] = VARIANTS.map(|variant| TileSet::of(variant).types());
    assert_eq!((total(compat, |_| 1), pennants(compat)), (72, 11));
    assert_eq!(['F', 'R', 'C'].map(|edge| edges(compat, edge)), [115, 94, 79]);
    let kinds = [Kind::City, Kind::Road, Kind::Monastery, Kind::Field];
    assert_eq!(kinds.map(|kind| segments(compat, kind)), [49, 62, 6, 126 + 3 + 3 + 4]);
    let looks = |row: &TileType| format!("{row:?}");
    let differing = standard.iter().zip(compat).filter(|(ours, theirs)| looks(ours) != looks(theirs));
    assert_eq!(differing.map(|(row, _)| row.letter).collect::<String>(), "DHJKLQRSW");
}

/// Every edge and half edge belongs to exactly one segment of the right kind, and names and borders mean something.
#[test]
fn every_edge_has_its_segments() {
    for row in VARIANTS.iter().flat_map(|variant| TileSet::of(variant).types()) {
        for (letter, edge) in "NESW".chars().zip(row.edges.chars()) {
            let buildings = row.segments.iter().filter(|segment| segment.kind != Kind::Field);
            let kinds: Vec<Kind> =
                buildings.filter(|segment| segment.touches.contains(letter)).map(|segment| segment.kind).collect();
            match edge {
                'C' => assert_eq!(kinds, [Kind::City], "{} {letter}", row.letter),
                'R' => assert_eq!(kinds, [Kind::Road], "{} {letter}", row.letter),
                _ => assert!(kinds.is_empty(), "{} {letter}", row.letter),
            }
            let sides = if "NS".contains(letter) { ["W", "E"] } else { ["N", "S"] };
            for side in sides {
                let half = format!("{letter}:{side}");
                let touching = |touches: &str| touches.split(' ').filter(|edge| **edge == half).count();
                let whole = |touches: &str| touches.split(' ').filter(|edge| *edge == letter.to_string()).count();
                let fields = row.segments.iter().filter(|segment| segment.kind == Kind::Field);
                let halves: usize = fields.clone().map(|field| touching(field.touches)).sum();
                let wholes: usize = fields.map(|field| whole(field.touches)).sum();
                let joined = row.segments.iter().any(|segment| segment.joined);
                match edge {
                    'C' => assert_eq!((halves, wholes), (0, 0), "{} {half}", row.letter),
                    'R' => assert_eq!((halves, wholes), (1, 0), "{} {half}", row.letter),
                    _ => assert!((halves, wholes) == (0, 1) || joined, "{} {half}", row.letter),
                }
            }
        }
        for field in row.segments.iter().filter(|segment| segment.kind == Kind::Field) {
            for name in field.borders.split(' ').filter(|name| !name.is_empty()) {
                let is_city = row.segments.iter().any(|other| other.kind == Kind::City && other.name == name);
                assert!(is_city, "{}: {name}", row.letter);
            }
        }
    }
}

/// No two segments of a tile share a name, and turning a name four times gives it back.
#[test]
fn spots_are_segments() {
    for variant in VARIANTS {
        let tiles = TileSet::of(variant);
        for (row, tile_type) in (0..).zip(tiles.types()) {
            for rotation in 0..4 {
                for local in 0..tile_type.segments.len() as u8 {
                    let spot = tiles.spot(row, rotation, local);
                    assert_eq!(tiles.local(row, rotation, spot), Some(local), "{} {spot}", tile_type.letter);
                    assert_eq!(spot.turned(4 - usize::from(rotation)), tiles.spot(row, 0, local));
                }
            }
        }
    }
}
