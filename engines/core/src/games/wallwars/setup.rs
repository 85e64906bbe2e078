//! The four variants, and a start of play: what [`super::Wallwars`] is built from, however it was described.
//!
//! The limits 3..=20 belong to the configuration ([`super::config`]); a start may be smaller, down to 2×2.

use super::Wallwars;
use super::action::{Cell, Wall};
use super::board::{Board, Edges, Grid};
use super::key;
use super::state::State;
use crate::rules::{RuleError, Seat};

/// Stands in `pawns` for a pawn that the variant does not have.
pub const ABSENT: Cell = Cell::MAX;

/// What a survival level demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The mouse wins once the cat has moved this often (at least 1).
    pub turns: u32,
    /// Whether the mouse may step.
    pub mouse_can_move: bool,
}

/// A named setting of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Each cat hunts the other player's mouse.
    Standard,
    /// Each cat runs to its own home.
    Classic,
    /// As standard, from a random mirrored start.
    Freestyle,
    /// Player 1's cat hunts player 2's mouse against a limit of turns.
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

/// A start of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The variant.
    pub variant: Variant,
    /// The size of the board, at least 2×2.
    pub grid: Grid,
    /// Player 1's cat, player 1's mouse or home, player 2's cat, player 2's mouse or home; [`ABSENT`] for none.
    pub pawns: [Cell; 4],
    /// Walls and their owners; neutral without one.
    pub walls: Vec<(Wall, Option<Seat>)>,
}

impl Setup {
    /// The usual start: pawns in the corners, no walls.
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

    /// The cells between which a way must stay open, as (cat, goal), for the seats that have a cat.
    #[must_use]
    pub fn races(&self) -> [Option<(Cell, Cell)>; 2] {
        [0, 1].map(|seat| race(self.variant, &self.pawns, seat))
    }

    /// Starts the game.
    ///
    /// # Errors
    /// `BadConfig` for a wall given twice, a cat on its goal or one that cannot reach it, or a board that `N` words
    /// do not hold.
    pub fn begin<const N: usize>(&self) -> Result<(Wallwars<N>, State<N>), RuleError> {
        if usize::from(self.grid.cells()) > 64 * N {
            return Err(refuse(format!("{} words hold no board of {} cells", N, self.grid.cells())));
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

/// Where `seat`'s cat stands and what it runs to; `None` for a seat without a cat.
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
