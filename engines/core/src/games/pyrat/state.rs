//! What changes during a game, and one turn of it. Points are counted in halves.

use super::board::{Board, NO_PIECE, Piece};
use super::direction::Direction;
use super::grid::Cell;
use super::key;
use crate::rules::{MAX_SEATS, Seat, Values};

/// One player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Where the player is. In mud, this is already the cell behind it.
    pub cell: Cell,
    /// For how many more turns mud holds the player.
    pub held: u8,
    /// Twice the points.
    pub half_points: u16,
}

/// A state of a game with at most 64 · `W` pieces of cheese.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<const W: usize> {
    /// The pieces that are left, as bits.
    cheese: [u64; W],
    cheese_hash: key::CheeseHash,
    players: [Player; 2],
    turn: u16,
    left: Option<u8>,
}

/// What takes a turn back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    players: [Player; 2],
    /// The pieces collected by each seat; a shared one stands at seat 0.
    collected: [Piece; 2],
}

impl<const W: usize> State<W> {
    /// The start of a game with cheese on these cells.
    #[must_use]
    pub fn start(starts: [Cell; 2], cheese: &[Cell]) -> Self {
        let mut left = [0; W];
        for piece in 0..cheese.len() {
            left[piece / 64] |= 1 << (piece % 64);
        }
        Self {
            cheese: left,
            cheese_hash: key::cheese(cheese),
            players: starts.map(|cell| Player { cell, held: 0, half_points: 0 }),
            turn: 0,
            left: None,
        }
    }

    /// The players, in seat order.
    #[inline]
    #[must_use]
    pub fn players(&self) -> &[Player; 2] {
        &self.players
    }

    /// Number of turns played.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// The seat that has left the game.
    #[inline]
    #[must_use]
    pub fn left(&self) -> Option<Seat> {
        self.left.map(Seat::from)
    }

    /// Whether a piece has not been collected yet.
    #[inline]
    #[must_use]
    pub fn has(&self, piece: Piece) -> bool {
        self.cheese[usize::from(piece) / 64] >> (piece % 64) & 1 == 1
    }

    /// The pieces that are left, in ascending order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.cheese.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some((64 * index) as Piece + bit as Piece)
            })
        })
    }

    /// The hash of the cells of [`Self::pieces`].
    #[inline]
    #[must_use]
    pub fn cheese_hash(&self) -> key::CheeseHash {
        self.cheese_hash
    }

    /// Points per seat.
    #[inline]
    #[must_use]
    pub fn scores(&self) -> Values {
        let mut scores = [0.0; MAX_SEATS];
        for (score, player) in scores.iter_mut().zip(&self.players) {
            *score = f32::from(player.half_points) / 2.0;
        }
        scores
    }

    /// A seat leaves; the first one counts.
    pub fn leave(&mut self, seat: Seat) {
        self.left = self.left.or(Some(seat as u8));
    }

    /// Plays a turn. A blocked step and any step in mud are the same as `Stay`.
    #[inline]
    pub fn play(&mut self, board: &Board, directions: [Direction; 2]) -> Undo {
        let players = self.players;
        for (player, direction) in self.players.iter_mut().zip(directions) {
            player.step(board, direction);
        }
        self.turn += 1;
        Undo { players, collected: self.collect(board) }
    }

    /// Takes back the last turn.
    #[inline]
    pub fn undo(&mut self, undo: Undo) {
        for (seat, piece) in undo.collected.into_iter().enumerate().filter(|(_, piece)| *piece != NO_PIECE) {
            self.toggle(piece, self.players[seat].cell);
        }
        self.players = undo.players;
        self.turn -= 1;
    }

    /// Both players take what is on their cells; those in mud cannot. Returns what was collected by each seat.
    #[inline]
    fn collect(&mut self, board: &Board) -> [Piece; 2] {
        let mut collected = [NO_PIECE; 2];
        let [first, second] = self.players;
        let is_shared = first.cell == second.cell && first.held == 0 && second.held == 0;
        for (seat, collected) in collected.iter_mut().enumerate() {
            let Player { cell, held, .. } = self.players[seat];
            let piece = board.square(cell).piece;
            if held > 0 || piece == NO_PIECE || !self.has(piece) {
                continue;
            }
            self.toggle(piece, cell);
            *collected = piece;
            if is_shared {
                self.players.iter_mut().for_each(|player| player.half_points += 1);
            } else {
                self.players[seat].half_points += 2;
            }
        }
        collected
    }

    /// Removes a piece on a cell, or puts it back.
    #[inline]
    fn toggle(&mut self, piece: Piece, cell: Cell) {
        self.cheese[usize::from(piece) / 64] ^= 1 << (piece % 64);
        self.cheese_hash = key::toggle(self.cheese_hash, cell);
    }
}

impl Player {
    #[inline]
    fn step(&mut self, board: &Board, direction: Direction) {
        if self.held > 0 {
            self.held -= 1;
            return;
        }
        let exit = board.square(self.cell).exits[direction as usize];
        (self.cell, self.held) = (exit.to, exit.held);
    }
}
