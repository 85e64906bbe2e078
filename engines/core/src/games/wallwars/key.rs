//! Hashes of states: mixing functions instead of tables, so that the same code serves all board sizes.
//!
//! Keys of different games are comparable: they include the variant and the board size. The hash of the walls is
//! updated incrementally; the few other numbers are mixed in on request.

use super::action::Wall;
use super::board::{Edges, Grid};
use super::setup::Variant;
use crate::splitmix::{mix, mix_twice};

/// The hash of a set of walls, on the board of a given game.
pub type WallsHash = [u64; 2];

/// The hash after adding or removing `wall`.
#[inline]
#[must_use]
pub fn toggle(walls: WallsHash, wall: Wall) -> WallsHash {
    let hash = mix_twice(wall.index().into());
    [walls[0] ^ hash[0], walls[1] ^ hash[1]]
}

/// The hash of all walls on a board with these `open` edges.
#[must_use]
pub fn walls<const N: usize>(variant: Variant, grid: Grid, open: Edges<N>) -> WallsHash {
    let law = match variant {
        Variant::Standard | Variant::Freestyle => 1,
        Variant::Classic => 2,
        Variant::Survival(terms) => 4 | u64::from(terms.mouse_can_move) << 4 | u64::from(terms.turns) << 8,
    };
    let game = mix_twice(mix(law) ^ u64::from(grid.width) << 32 ^ u64::from(grid.height));
    Edges::all(grid).minus(open).iter().fold(game, toggle)
}

/// The key of walls, pawns and the rest of a state.
#[inline]
#[must_use]
pub fn key(walls: WallsHash, pawns: u64, rest: u64) -> u128 {
    let [first, second] = mix_twice(pawns);
    let high = walls[0] ^ mix(first ^ rest);
    let low = walls[1] ^ mix(second ^ rest);
    u128::from(high) << 64 | u128::from(low)
}
