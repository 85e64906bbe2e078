//! What never changes during a game, as tables that a turn reads: where each step leads, and which cell has which piece
//! of cheese.

use super::direction::Direction;
use super::grid::{Cell, Grid};
use super::maze::{Edge, Maze};

/// How long mud of cost N holds a player. The names are those of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MudModel {
    /// As in the program pyrat-rust: after the turn of the step, the player is held for N turns.
    Rust,
    /// As in the documents of PyRat: the step and the turns in the mud are N turns together.
    Doc,
}

impl MudModel {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Doc => "doc",
        }
    }

    /// The model with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Rust, Self::Doc].into_iter().find(|model| model.name() == name)
    }

    /// For how many turns after the step a player is held.
    #[must_use]
    pub const fn held(self, cost: u8) -> u8 {
        match self {
            Self::Rust => cost,
            Self::Doc => cost - 1,
        }
    }
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// The cell; the cell itself if the way is blocked.
    pub to: Cell,
    /// For how many turns after the step the player is held.
    pub held: u8,
}

/// The number of a piece of cheese: its rank among the cells that have some at the start.
pub type Piece = u16;

/// The piece of a cell that never had cheese.
pub const NO_PIECE: Piece = u16::MAX;

/// The tables for one cell.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    /// By direction.
    pub exits: [Exit; 5],
    /// The steps that are open, as bits.
    pub open: u8,
    /// The piece of cheese that lies here at the start, or [`NO_PIECE`].
    pub piece: Piece,
}

/// The tables of a board.
#[derive(Clone, Debug)]
pub struct Board {
    grid: Grid,
    squares: Box<[Square]>,
}

impl Board {
    /// The tables for a maze with cheese on these cells, in ascending order.
    #[must_use]
    pub fn new(maze: &Maze, mud_model: MudModel, cheese: &[Cell]) -> Self {
        let square = |cell: Cell| {
            let exits = Direction::ALL.map(|direction| exit(maze, mud_model, cell, direction));
            let is_open = |step: &Direction| exits[*step as usize].to != cell;
            let open = Direction::STEPS.into_iter().filter(is_open).fold(0, |open, step| open | step.bit());
            Square { exits, open, piece: cheese.binary_search(&cell).map_or(NO_PIECE, |piece| piece as Piece) }
        };
        Self { grid: maze.grid(), squares: (0..maze.grid().cells()).map(square).collect() }
    }

    /// The size.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The tables for a cell.
    #[inline]
    #[must_use]
    pub fn square(&self, cell: Cell) -> &Square {
        &self.squares[usize::from(cell)]
    }
}

fn exit(maze: &Maze, mud_model: MudModel, cell: Cell, direction: Direction) -> Exit {
    let blocked = Exit { to: cell, held: 0 };
    let (Some(edge), Some(to)) = (maze.edge_id(cell, direction), maze.grid().neighbour(cell, direction)) else {
        return blocked;
    };
    match maze.edge(edge) {
        Edge::Wall => blocked,
        Edge::Open => Exit { to, held: 0 },
        Edge::Mud(cost) => Exit { to, held: mud_model.held(cost) },
    }
}
