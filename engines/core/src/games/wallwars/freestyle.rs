//! The random start of the freestyle variant: pawns in the outer thirds and neutral walls, all mirrored at the vertical
//! midline. A seed always gives the same start.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::action::{Cell, Side, Wall};
use super::board::{Board, Grid};
use super::setup::{Setup, Variant};

/// The only size of a freestyle board.
pub const GRID: Grid = Grid { width: 12, height: 10 };

/// Pawns of player 1 start in this many leftmost columns.
const PAWN_COLUMNS: u16 = 4;

/// Number of walls, each with its mirror image.
const WALLS: std::ops::RangeInclusive<usize> = 4..=10;

/// Attempts per wall before the generator accepts fewer walls.
const TRIES: usize = 500;

/// The number of words for [`GRID`].
const WORDS: usize = 2;

/// The start for a seed.
#[must_use]
pub fn generate(seed: u64) -> Setup {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut setup = Setup { pawns: pawns(&mut rng), ..Setup::corners(Variant::Freestyle, GRID) };
    let mut board = Board::<WORDS>::empty(GRID);
    let wanted = rng.random_range(WALLS);
    let mut placed = 0;
    for _ in 0..TRIES * wanted {
        if placed == wanted {
            break;
        }
        if let Some(walls) = candidate(&mut rng).and_then(|wall| place(&mut board, &setup, wall)) {
            setup.walls.extend(walls.into_iter().map(|wall| (wall, None)));
            placed += 1;
        }
    }
    setup
}

fn pawns(rng: &mut impl Rng) -> [Cell; 4] {
    let mut draw = || (rng.random_range(0..GRID.height), rng.random_range(0..PAWN_COLUMNS));
    let (mut cat, mut mouse) = (draw(), draw());
    if mouse.0 < cat.0 {
        (cat, mouse) = (mouse, cat);
    }
    let cell = |(row, column): (u16, u16)| GRID.cell(column, row);
    let mirrored = |(row, column): (u16, u16)| GRID.cell(GRID.width - 1 - column, row);
    [cell(cat), cell(mouse), mirrored(cat), mirrored(mouse)]
}

/// A random wall on the left half, including the midline; `None` if it would be above the top row.
fn candidate(rng: &mut impl Rng) -> Option<Wall> {
    let vertical = rng.random_bool(0.5);
    let row = rng.random_range(0..GRID.height);
    let column = rng.random_range(0..GRID.width / 2);
    if vertical {
        return Some(Wall::right(GRID.cell(column, row)));
    }
    Some(Wall::down(GRID.cell(column, row.checked_sub(1)?)))
}

/// Builds a wall and its mirror image, as far as legal, and returns the walls built.
fn place(board: &mut Board<WORDS>, setup: &Setup, wall: Wall) -> Option<Vec<Wall>> {
    let image = mirror(wall);
    let mut walls = vec![wall];
    walls.extend((image != wall).then_some(image));
    let mut built = *board;
    for &wall in &walls {
        let legal = built.open.has(wall)
            && setup.races().into_iter().flatten().all(|(cat, goal)| built.connects_despite(wall, cat, goal));
        if !legal {
            return None;
        }
        built.build(wall);
    }
    *board = built;
    Some(walls)
}

fn mirror(wall: Wall) -> Wall {
    let (column, row) = (GRID.column(wall.cell), GRID.row(wall.cell));
    match wall.side {
        Side::Right => Wall::right(GRID.cell(GRID.width - 2 - column, row)),
        Side::Down => Wall::down(GRID.cell(GRID.width - 1 - column, row)),
    }
}
