//! The edges between neighbouring cells: walls, passages, and mud. Each edge is stored once, so that it is the same from
//! both sides.

use super::direction::Direction;
use super::grid::{Cell, Grid};

/// Limits of the cost of mud.
pub const MUD_LIMITS: std::ops::RangeInclusive<u8> = 2..=15;

/// What is between two neighbouring cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// No way through.
    Wall,
    /// A passage without mud.
    Open,
    /// A passage with mud of this cost, within [`MUD_LIMITS`].
    Mud(u8),
}

/// The place of an edge in a maze: twice the number of its lower or left cell, plus one if the edge is above it.
pub type EdgeId = usize;

/// A grid with its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maze {
    grid: Grid,
    /// The edges on the right of and above each cell; those on the border are walls.
    edges: Vec<Edge>,
}

impl Maze {
    /// All edges are walls.
    #[must_use]
    pub fn closed(grid: Grid) -> Self {
        Self { grid, edges: vec![Edge::Wall; 2 * usize::from(grid.cells())] }
    }

    /// No walls and no mud.
    #[must_use]
    pub fn open(grid: Grid) -> Self {
        let mut maze = Self::closed(grid);
        for edge in maze.edge_ids() {
            maze.edges[edge] = Edge::Open;
        }
        maze
    }

    /// The size of the board.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The edge of a cell in a direction; `None` on the border.
    #[must_use]
    pub fn edge_id(&self, cell: Cell, direction: Direction) -> Option<EdgeId> {
        let neighbour = self.grid.neighbour(cell, direction)?;
        let above = matches!(direction, Direction::Up | Direction::Down);
        Some(2 * usize::from(cell.min(neighbour)) + usize::from(above))
    }

    /// The edge between two cells; `None` if they are not neighbours.
    #[must_use]
    pub fn between(&self, first: Cell, second: Cell) -> Option<EdgeId> {
        let to_second = |direction: &Direction| self.grid.neighbour(first, *direction) == Some(second);
        self.edge_id(first, Direction::STEPS.into_iter().find(to_second)?)
    }

    /// The two cells of an edge, the lower or left one first.
    #[must_use]
    pub fn cells_of(&self, edge: EdgeId) -> [Cell; 2] {
        let cell = (edge / 2) as Cell;
        [cell, cell + if edge.is_multiple_of(2) { 1 } else { u16::from(self.grid.width) }]
    }

    /// The edge in the place of this one after half a turn of the board.
    #[must_use]
    pub fn mirror(&self, edge: EdgeId) -> EdgeId {
        let [_, second] = self.cells_of(edge);
        2 * usize::from(self.grid.mirror(second)) + edge % 2
    }

    /// All edges inside the board: cell by cell, first the one on its right, then the one above it.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        let grid = self.grid;
        (0..2 * usize::from(grid.cells())).filter(move |edge| {
            let direction = if edge.is_multiple_of(2) { Direction::Right } else { Direction::Up };
            grid.neighbour((edge / 2) as Cell, direction).is_some()
        })
    }

    /// What is there.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> Edge {
        self.edges[edge]
    }

    /// Replaces an edge.
    pub fn set(&mut self, edge: EdgeId, what: Edge) {
        self.edges[edge] = what;
    }

    /// The cells that can be reached from any of `starts`, as one flag per cell.
    #[must_use]
    pub fn reached(&self, starts: &[Cell]) -> Vec<bool> {
        let mut reached = vec![false; usize::from(self.grid.cells())];
        let mut open = starts.to_vec();
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut reached[usize::from(cell)], true) {
                continue;
            }
            let passable =
                |direction| self.edge_id(cell, direction).is_some_and(|edge| self.edges[edge] != Edge::Wall);
            let next = Direction::STEPS.into_iter().filter(|direction| passable(*direction));
            open.extend(next.filter_map(|direction| self.grid.neighbour(cell, direction)));
        }
        reached
    }
}
