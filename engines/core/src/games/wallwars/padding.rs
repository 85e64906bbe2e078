//! Where a smaller board lies inside a model's board.
//!
//! Standard boards lie in the top left corner. Classic ones lie at the bottom, centred to the left, because networks
//! only know homes in the bottom corners: the cells left and right of the game's bottom row are corridors that lead
//! there. Everything else is walled up.

use super::action::Cell;
use super::board::Grid;

/// A game's board inside a model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    game: Grid,
    model: Grid,
    /// The model column of the game's left column.
    pub columns: u16,
    /// The model row of the game's top row.
    pub rows: u16,
    corridors: bool,
}

/// What a model cell is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A cell of the game.
    Game(Cell),
    /// So many steps beyond a bottom corner of the game, on the way to the model's.
    Corridor {
        /// The corner of the game.
        corner: Cell,
        /// At least 1.
        steps: u16,
    },
    /// Walled up.
    Outside,
}

impl Padding {
    /// A standard or freestyle game in the top left corner. The model is at least as large as the game.
    #[must_use]
    pub fn top_left(game: Grid, model: Grid) -> Self {
        Self { game, model, columns: 0, rows: 0, corridors: false }
    }

    /// A classic game at the bottom. The model is at least as large as the game.
    #[must_use]
    pub fn bottom(game: Grid, model: Grid) -> Self {
        let (columns, rows) = ((model.width - game.width) / 2, model.height - game.height);
        Self { game, model, columns, rows, corridors: true }
    }

    /// The model cell (as column, row) of a cell of the game.
    #[must_use]
    pub fn to_model(&self, cell: Cell) -> (u16, u16) {
        (self.game.column(cell) + self.columns, self.game.row(cell) + self.rows)
    }

    /// What the model cell in a column and row is to the game.
    #[must_use]
    pub fn locate(&self, column: u16, row: u16) -> Place {
        let inside = (self.columns..self.columns + self.game.width).contains(&column);
        if inside && (self.rows..self.rows + self.game.height).contains(&row) {
            return Place::Game(self.game.cell(column - self.columns, row - self.rows));
        }
        if !self.corridors || row + 1 != self.model.height || inside {
            return Place::Outside;
        }
        let bottom = self.game.height - 1;
        if column < self.columns {
            return Place::Corridor { corner: self.game.cell(0, bottom), steps: self.columns - column };
        }
        let right = self.columns + self.game.width - 1;
        Place::Corridor { corner: self.game.cell(self.game.width - 1, bottom), steps: column - right }
    }

    /// How far beyond the game's bottom corner the model's lies: left corridor, right corridor.
    #[must_use]
    pub fn corridor_lengths(&self) -> [u16; 2] {
        if self.corridors { [self.columns, self.model.width - self.game.width - self.columns] } else { [0, 0] }
    }
}
