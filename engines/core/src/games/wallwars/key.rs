//! Hashing of states: mixing functions instead of tables, so that boards of every size share one.
//!
//! Keys of different games are comparable: the variant and the size of the board are part of them. The hash of the
//! walls is kept while playing; the few other numbers are mixed in when a key is asked for.

use super::action::Wall;
use super::board::{Edges, Grid};
use super::setup::Variant;

/// The hash of a set of walls on the board of a certain game.
pub type WallsHash = [u64; 2];

/// SplitMix64's output function (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
#[inline]
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[inline]
const fn mix_twice(number: u64) -> WallsHash {
    [mix(number), mix(number ^ 0x5851_f42d_4c95_7f2d)]
}

/// `walls` with `wall` added or taken out.
#[inline]
#[must_use]
pub fn toggle(walls: WallsHash, wall: Wall) -> WallsHash {
    let hash = mix_twice(wall.index().into());
    [walls[0] ^ hash[0], walls[1] ^ hash[1]]
}

/// The hash of the walls on a board that still has `open` edges.
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
