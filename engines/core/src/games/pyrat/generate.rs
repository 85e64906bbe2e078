//! Random mazes and cheese. Everything follows from a seed by whole-number arithmetic, so that a seed gives the same
//! game on every machine.
//!
//! The mazes have the distribution of the reference program: seven edges in ten are walls, then passages are opened
//! until all cells are connected, and one passage in ten gets mud. A symmetric maze is built together with its image
//! after half a turn of the board. Near the middle of the board, an edge is therefore tried twice, and so is the mud
//! of a passage that connects two parts.

use super::direction::Direction;
use super::grid::{Cell, Grid};
use super::maze::{Edge, EdgeId, Maze};
use crate::rules::RuleError;
use crate::splitmix::SplitMix64;

/// Passages and mud in tenths.
const PASSAGES: u64 = 3;
const MUD: u64 = 1;

/// The costs of mud, all equally likely.
const MUD_COSTS: [u8; 2] = [2, 3];

/// Whether a board equals its image after half a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// It does.
    HalfTurn,
    /// It need not.
    None,
}

/// A maze in which all cells are connected.
#[must_use]
pub fn maze(grid: Grid, symmetry: Symmetry, seed: u64) -> Maze {
    let mut builder =
        Builder { maze: Maze::closed(grid), symmetry, random: SplitMix64::new(seed), parts: Parts::new(grid) };
    builder.open_at_random();
    builder.connect();
    builder.maze
}

struct Builder {
    maze: Maze,
    symmetry: Symmetry,
    random: SplitMix64,
    parts: Parts,
}

impl Builder {
    /// Tries the edges on the right of and above each cell. Images of earlier cells are left out.
    fn open_at_random(&mut self) {
        let grid = self.maze.grid();
        let mut is_done = vec![false; usize::from(grid.cells())];
        for cell in grid.by_columns() {
            if is_done[usize::from(cell)] {
                continue;
            }
            for direction in [Direction::Right, Direction::Up] {
                let Some(edge) = self.maze.edge_id(cell, direction) else { continue };
                if self.random.below(10) < PASSAGES {
                    self.open(edge);
                    self.add_mud(edge);
                }
            }
            if self.symmetry == Symmetry::HalfTurn {
                is_done[usize::from(grid.mirror(cell))] = true;
            }
        }
    }

    /// Opens walls in random order, each of them if it separates two parts.
    fn connect(&mut self) {
        let mut walls: Vec<EdgeId> = self.maze.edge_ids().filter(|edge| self.is_candidate(*edge)).collect();
        self.random.shuffle(&mut walls);
        for edge in walls {
            let [first, second] = self.maze.cells_of(edge);
            if self.parts.find(first) != self.parts.find(second) {
                self.open(edge);
                self.add_mud(edge);
                if self.symmetry == Symmetry::HalfTurn {
                    self.add_mud(edge);
                }
            }
        }
    }

    /// Whether an edge is a wall, and in symmetric mazes not the image of an earlier edge.
    fn is_candidate(&self, edge: EdgeId) -> bool {
        let is_first = self.symmetry == Symmetry::None || edge <= self.maze.mirror(edge);
        is_first && self.maze.edge(edge) == Edge::Wall
    }

    /// Makes a wall a passage. Passages stay as they are.
    fn open(&mut self, edge: EdgeId) {
        if self.maze.edge(edge) == Edge::Wall {
            self.set(edge, Edge::Open);
        }
    }

    /// Puts mud on a passage, with the probability of mud.
    fn add_mud(&mut self, edge: EdgeId) {
        if self.random.below(10) < MUD {
            let cost = MUD_COSTS[self.random.below(MUD_COSTS.len() as u64) as usize];
            self.set(edge, Edge::Mud(cost));
        }
    }

    /// Replaces an edge, and its image in symmetric mazes.
    fn set(&mut self, edge: EdgeId, what: Edge) {
        let image = self.maze.mirror(edge);
        for edge in [edge, if self.symmetry == Symmetry::HalfTurn { image } else { edge }] {
            self.maze.set(edge, what);
            let [first, second] = self.maze.cells_of(edge);
            self.parts.join(first, second);
        }
    }
}

/// Disjoint sets of connected cells.
struct Parts(Vec<Cell>);

impl Parts {
    fn new(grid: Grid) -> Self {
        Self((0..grid.cells()).collect())
    }

    /// The cell that stands for the part of a cell. Halves the path to it.
    fn find(&mut self, mut cell: Cell) -> Cell {
        while self.0[usize::from(cell)] != cell {
            let parent = self.0[usize::from(cell)];
            self.0[usize::from(cell)] = self.0[usize::from(parent)];
            cell = parent;
        }
        cell
    }

    fn join(&mut self, first: Cell, second: Cell) {
        let (first, second) = (self.find(first), self.find(second));
        self.0[usize::from(first)] = second;
    }
}

/// Cells for `count` pieces of cheese, neither on a start nor on the centre (except for the odd piece of a symmetric
/// board), in ascending order.
///
/// # Errors
/// `BadConfig` if there is no such arrangement.
pub fn cheese(
    grid: Grid,
    symmetry: Symmetry,
    count: u16,
    starts: [Cell; 2],
    seed: u64,
) -> Result<Vec<Cell>, RuleError> {
    let image = |cell| if symmetry == Symmetry::HalfTurn { grid.mirror(cell) } else { cell };
    let is_free = |cell: Cell| !starts.contains(&cell) && !starts.contains(&image(cell));
    let mut placed = if symmetry == Symmetry::HalfTurn { central_piece(grid, count, starts)? } else { Vec::new() };
    let mut candidates: Vec<Cell> = (0..grid.cells())
        .filter(|cell| is_free(*cell) && grid.centre() != Some(*cell) && *cell <= image(*cell))
        .collect();
    let each = if symmetry == Symmetry::HalfTurn { 2 } else { 1 };
    let room = candidates.len() * each + placed.len();
    if room < usize::from(count) {
        return Err(refuse(format!("there is room for at most {room} pieces of cheese, not {count}")));
    }
    SplitMix64::new(seed).shuffle(&mut candidates);
    for cell in candidates.into_iter().take((usize::from(count) - placed.len()) / each) {
        placed.push(cell);
        placed.extend((image(cell) != cell).then(|| image(cell)));
    }
    placed.sort_unstable();
    Ok(placed)
}

/// The piece on the centre that an odd number of pieces needs on a symmetric board.
fn central_piece(grid: Grid, count: u16, starts: [Cell; 2]) -> Result<Vec<Cell>, RuleError> {
    if count.is_multiple_of(2) {
        return Ok(Vec::new());
    }
    let Grid { width, height } = grid;
    let Some(centre) = grid.centre() else {
        return Err(refuse(format!(
            "an odd number of cheese, {count}, cannot be symmetric on a {width}x{height} board without a central cell"
        )));
    };
    if starts.contains(&centre) {
        return Err(refuse(format!(
            "an odd number of cheese, {count}, needs the central cell, where a player starts"
        )));
    }
    Ok(vec![centre])
}

fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
