//! The place of a smaller board within a model's board.
//!
//! Standard boards are placed in the top left corner. Classic ones are placed at the bottom, centred to the left,
//! because networks only support homes in the bottom corners: the cells left and right of the game's bottom row are
//! corridors that lead there. All other cells are walled off.

use std::ops::Range;

use super::action::Cell;
use super::board::Grid;

/// A game's board within a model's.
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

/// A model cell beyond a bottom corner of the game, on the way to the model's own corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corridor {
    /// The model column; the row is the model's last.
    pub column: u16,
    /// The corner of the game.
    pub corner: Cell,
    /// Steps from that corner, at least 1.
    pub steps: u16,
}

impl Padding {
    /// A standard or freestyle game in the top left corner. The model must be at least as large as the game.
    #[must_use]
    pub fn top_left(game: Grid, model: Grid) -> Self {
        Self { game, model, columns: 0, rows: 0, corridors: false }
    }

    /// A classic game at the bottom. The model must be at least as large as the game.
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

    /// The range of a game column's cells in a plane of the model.
    #[must_use]
    pub fn column_in_plane(&self, column: u16) -> Range<usize> {
        let start = usize::from(column + self.columns) * usize::from(self.model.height) + usize::from(self.rows);
        start..start + usize::from(self.game.height)
    }

    /// The cells of both corridors.
    pub fn corridors(&self) -> impl Iterator<Item = Corridor> + use<> {
        let Self { game, columns, .. } = *self;
        let [left, right] = self.corridor_lengths();
        let [left_corner, right_corner] = [0, game.width - 1].map(|column| game.cell(column, game.height - 1));
        let before = (1..=left).map(move |steps| Corridor { column: columns - steps, corner: left_corner, steps });
        let last = columns + game.width - 1;
        before.chain((1..=right).map(move |steps| Corridor { column: last + steps, corner: right_corner, steps }))
    }

    /// Distance between the bottom corners of game and model: left corridor, right corridor.
    #[must_use]
    pub fn corridor_lengths(&self) -> [u16; 2] {
        if self.corridors { [self.columns, self.model.width - self.game.width - self.columns] } else { [0, 0] }
    }
}
