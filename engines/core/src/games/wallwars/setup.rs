//! The four variants, and the start position from which [`super::Wallwars`] is built.
//!
//! The limits 3..=20 apply to configurations ([`super::config`]); a start may be smaller, down to 2×2.

use super::Wallwars;
use super::action::{Cell, Wall};
use super::board::{Board, Edges, Grid};
use super::key;
use super::state::State;
use crate::rules::{RuleError, Seat};

/// Marks a pawn in `pawns` that the variant does not have.
pub const ABSENT: Cell = Cell::MAX;

/// The rules of a survival level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The mouse wins once the cat has moved this often; at least 1.
    pub turns: u32,
    /// Whether the mouse may move.
    pub mouse_can_move: bool,
}

/// A variant of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Each cat hunts the other player's mouse.
    Standard,
    /// Each cat runs to its own home.
    Classic,
    /// As standard, from a random mirrored start.
    Freestyle,
    /// Player 1's cat has to catch player 2's mouse within a limit of turns.
    Survival(Terms),
}

impl Variant {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Classic => "classic",
            Self::Freestyle => "freestyle",
            Self::Survival(_) => "survival",
        }
    }
}

/// A start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The variant.
    pub variant: Variant,
    /// The size of the board, at least 2×2.
    pub grid: Grid,
    /// Player 1's cat, player 1's mouse or home, player 2's cat, player 2's mouse or home; [`ABSENT`] if missing.
    pub pawns: [Cell; 4],
    /// Walls and their owners; neutral walls have none.
    pub walls: Vec<(Wall, Option<Seat>)>,
}

impl Setup {
    /// The default start: pawns in the corners, no walls.
    #[must_use]
    pub fn corners(variant: Variant, grid: Grid) -> Self {
        let (right, bottom) = (grid.width - 1, grid.height - 1);
        let [top_left, top_right] = [grid.cell(0, 0), grid.cell(right, 0)];
        let [bottom_left, bottom_right] = [grid.cell(0, bottom), grid.cell(right, bottom)];
        let pawns = match variant {
            Variant::Standard | Variant::Freestyle => [top_left, bottom_left, top_right, bottom_right],
            Variant::Classic => [top_left, bottom_right, top_right, bottom_left],
            Variant::Survival(_) => [top_left, ABSENT, ABSENT, bottom_right],
        };
        Self { variant, grid, pawns, walls: Vec::new() }
    }

    /// The cells (cat, goal) that must stay connected, for the seats that have a cat.
    #[must_use]
    pub fn races(&self) -> [Option<(Cell, Cell)>; 2] {
        [0, 1].map(|seat| race(self.variant, &self.pawns, seat))
    }

    /// Sets up the game.
    ///
    /// # Errors
    /// `BadConfig` for a duplicate wall, for a cat that starts on its goal or cannot reach it, or if the board is too
    /// large for `N` words.
    pub fn begin<const N: usize>(&self) -> Result<(Wallwars<N>, State<N>), RuleError> {
        if usize::from(self.grid.cells()) > 64 * N {
            return Err(refuse(format!("{} words cannot hold a board of {} cells", N, self.grid.cells())));
        }
        let mut board = Board::empty(self.grid);
        let (mut second, mut neutral) = (Edges::EMPTY, Edges::EMPTY);
        for &(wall, owner) in &self.walls {
            if !board.open.has(wall) {
                return Err(refuse("initialState.walls names one wall twice".into()));
            }
            board.build(wall);
            match owner {
                None => neutral.insert(wall),
                Some(0) => {}
                Some(_) => second.insert(wall),
            }
        }
        self.check_races(&board)?;
        let walls = key::walls(self.variant, self.grid, board.open);
        let state = State::start(board, second, walls, self.pawns);
        Ok((Wallwars::new(self.variant, self.grid, neutral, state.clone()), state))
    }

    fn check_races<const N: usize>(&self, board: &Board<N>) -> Result<(), RuleError> {
        for (seat, race) in self.races().into_iter().enumerate() {
            let Some((cat, goal)) = race else { continue };
            match board.distance(cat, goal) {
                Some(0) => return Err(refuse(format!("player {}'s cat starts on its goal", seat + 1))),
                Some(_) => {}
                None => return Err(refuse(format!("player {}'s cat cannot reach its goal", seat + 1))),
            }
        }
        Ok(())
    }
}

/// The cell of `seat`'s cat and its goal; `None` for a seat without a cat.
#[inline]
pub(super) fn race(variant: Variant, pawns: &[Cell; 4], seat: Seat) -> Option<(Cell, Cell)> {
    let cat = pawns[2 * seat];
    match variant {
        Variant::Standard | Variant::Freestyle => Some((cat, pawns[3 - 2 * seat])),
        Variant::Classic => Some((cat, pawns[2 * seat + 1])),
        Variant::Survival(_) => (seat == 0).then_some((cat, pawns[3])),
    }
}

fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
