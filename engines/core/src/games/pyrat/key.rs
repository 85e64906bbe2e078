//! Hashes of states. The hash of the remaining cheese is updated incrementally; the few other numbers are mixed in when
//! a key is needed.

use super::board::MudModel;
use super::grid::Cell;
use super::maze::{Edge, Maze};
use super::state::State;
use crate::splitmix::{combine, mix_twice};

/// The hash of a set of cells with cheese.
pub type CheeseHash = [u64; 2];

/// The hash after adding or removing the cheese of a cell.
#[inline]
#[must_use]
pub fn toggle(cheese: CheeseHash, cell: Cell) -> CheeseHash {
    let term = mix_twice(cell.into());
    [cheese[0] ^ term[0], cheese[1] ^ term[1]]
}

/// The hash of the cheese on these cells.
#[must_use]
pub fn cheese(cells: &[Cell]) -> CheeseHash {
    cells.iter().fold([0; 2], |hash, cell| toggle(hash, *cell))
}

/// The hash of what never changes in a game: the maze, the number of pieces of cheese at the start, the limit of turns
/// and the kind of mud.
#[must_use]
pub fn game(maze: &Maze, mud_model: MudModel, total: usize, max_turns: u16) -> u128 {
    let edge = |edge| match maze.edge(edge) {
        Edge::Wall => 0,
        Edge::Open => 1,
        Edge::Mud(cost) => u64::from(cost),
    };
    let grid = maze.grid();
    let numbers = [grid.width.into(), grid.height.into(), total as u64, max_turns.into(), mud_model as u64];
    numbers.into_iter().chain(maze.edge_ids().map(edge)).fold(0, combine)
}

/// The key of a state with this hash of its remaining cheese.
#[inline]
#[must_use]
pub fn key<const W: usize>(game: u128, state: &State<W>, cheese: CheeseHash) -> u128 {
    let player = |seat: usize| {
        let player = state.players()[seat];
        u64::from(player.cell) << 32 | u64::from(player.half_points) << 8 | u64::from(player.held)
    };
    let rest = u64::from(state.turn()) << 2 | state.left().map_or(0, |seat| seat as u64 + 1);
    let hash = game ^ (u128::from(cheese[0]) << 64 | u128::from(cheese[1]));
    combine(combine(hash, player(0) | rest << 48), player(1))
}
