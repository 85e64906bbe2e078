//! What the evaluators see of a position: how often each feature occurs for each seat.
//!
//! Features are uncovered bugs by kind, by whether they can move and by the Queens they stand next to; climbers and what
//! they cover; the hand; the shape of the cells around the Queen. They do not depend on the place of the hive on the
//! grid, nor on its rotation or reflection.

use super::Hive;
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{Cell, NOWHERE, distance, touch};
use super::pins;
use super::ring::Ring;
use super::state::State;
use crate::rules::Seat;

/// Number of features of a seat.
pub const FEATURES: usize = 119;

/// Features of one seat, counted with their occurrences: at most 14 pieces and one of each other group.
pub const MOST: usize = 19;

/// First feature of each group. A bug on the ground: its kind, the Queens next to it, and whether it is stuck.
pub const GROUND: usize = 0;
/// A climber by the Queens next to it, then one on the own Queen, then one on the other Queen.
pub const CLIMBER: usize = 64;
/// A covered bug, by kind.
pub const COVERED: usize = 70;
/// A bug in hand, by kind.
pub const HAND: usize = 78;
/// The shape of the cells around the Queen of the seat that waits; 14 shapes.
pub const RING: usize = 86;
/// The same for the seat to move.
pub const RING_TO_MOVE: usize = 100;
/// The nearest free Beetle two cells from the other Queen, then one at three cells.
pub const STALK: usize = 114;
/// A Pillbug that can carry the Queen away, then a Mosquito.
pub const SHELTER: usize = 116;
/// Being the seat to move.
pub const TURN: usize = 118;

/// Bugs that move by sliding along the ground, of both seats.
const CRAWLERS: Pieces = {
    let mut crawlers = Pieces::NONE;
    let mut seat = 0;
    while seat < 2 {
        let slow = Bug::Queen.pieces(seat).or(Bug::Pillbug.pieces(seat));
        crawlers = crawlers.or(slow).or(Bug::Spider.pieces(seat)).or(Bug::Ant.pieces(seat));
        seat += 1;
    }
    crawlers
};

/// Properties of the position needed for every piece.
struct Scene<'b> {
    board: &'b Board,
    /// Cells of the Queens; `NOWHERE` before they are in play.
    queens: [Cell; 2],
}

impl Scene<'_> {
    #[inline]
    fn new(board: &Board) -> Scene<'_> {
        Scene { board, queens: [0, 1].map(|seat| board.queen(seat).unwrap_or(NOWHERE)) }
    }

    /// Whether an uncovered piece on the ground is probably unable to move by itself.
    #[inline]
    fn stuck(&self, piece: Piece, cell: Cell) -> bool {
        let enclosed = CRAWLERS.has(piece) & self.board.ring(cell).slides().is_empty();
        enclosed | pins::is_pinned(self.board, cell)
    }

    /// 1 for a neighbour of the own Queen, plus 2 for one of the other Queen.
    #[inline]
    fn zone(&self, cell: Cell, seat: Seat) -> usize {
        let beside = |queen: Cell| usize::from((queen != NOWHERE) & touch(cell, queen));
        beside(self.queens[seat]) + 2 * beside(self.queens[1 - seat])
    }

    /// Calls `note` for every feature of a seat, once for each occurrence.
    #[inline]
    fn visit(&self, seat: Seat, to_move: Seat, hand: Pieces, mut note: impl FnMut(usize)) {
        let board = self.board;
        let (own, other) = (self.queens[seat], self.queens[1 - seat]);
        let climbers = board.tops(seat).and(board.climbed());
        let ground = board.tops(seat).without(climbers);
        for piece in ground {
            let cell = board.cell(piece);
            let stuck = usize::from(self.stuck(piece, cell));
            note(GROUND + piece.bug() as usize * 8 + self.zone(cell, seat) * 2 + stuck);
        }
        for cell in climbers.map(|piece| board.cell(piece)) {
            note(match cell {
                _ if cell == own => CLIMBER + 4,
                _ if cell == other => CLIMBER + 5,
                _ => CLIMBER + self.zone(cell, seat),
            });
        }
        for piece in board.covered().and(Pieces::of(seat)) {
            note(COVERED + piece.bug() as usize);
        }
        for piece in hand {
            note(HAND + piece.bug() as usize);
        }
        if let Some(nearest @ (2 | 3)) = self.nearest_beetle(seat, ground, climbers) {
            note(STALK + nearest - 2);
        }
        if own != NOWHERE {
            let group = if seat == to_move { RING_TO_MOVE } else { RING };
            note(group + SHAPES[usize::from(board.ring(own).0 & 63)] as usize);
            let [pillbug, mosquito] = self.shelter(seat, ground, own);
            if pillbug {
                note(SHELTER);
            }
            if mosquito {
                note(SHELTER + 1);
            }
        }
        if seat == to_move {
            note(TURN);
        }
    }

    /// The distance from the other Queen of the nearest climber or free Beetle of a seat.
    #[inline]
    fn nearest_beetle(&self, seat: Seat, ground: Pieces, climbers: Pieces) -> Option<usize> {
        let (board, other) = (self.board, self.queens[1 - seat]);
        let beetles = ground.and(Bug::Beetle.pieces(seat));
        let free = beetles.filter(|&piece| !self.stuck(piece, board.cell(piece)));
        let nearest = climbers.chain(free).map(|piece| distance(board.cell(piece), other)).min();
        nearest.filter(|_| other != NOWHERE)
    }

    /// Whether the Pillbug can carry the Queen on the cell `own` away, and whether the Mosquito can.
    #[inline]
    fn shelter(&self, seat: Seat, ground: Pieces, own: Cell) -> [bool; 2] {
        let board = self.board;
        let cell = |bug: Bug| ground.and(bug.pieces(seat)).first().map(|piece| board.cell(piece));
        let Some(pillbug) = cell(Bug::Pillbug) else { return [false; 2] };
        if cell(Bug::Queen).is_none() || pins::is_pinned(board, own) {
            return [false; 2];
        }
        let throws = |cell: Cell| touch(cell, own) && board.ring(cell) != Ring::FULL;
        [throws(pillbug), cell(Bug::Mosquito).is_some_and(|cell| touch(pillbug, cell) && throws(cell))]
    }
}

/// The shape of a ring of neighbours: equal for rings that are rotations or reflections of each other, numbered in the
/// order of their smallest bits.
const SHAPES: [u8; 64] = {
    let mut shapes = [0; 64];
    let mut smallest = [0; 64];
    let mut known = 0;
    let mut ring = 0;
    while ring < 64 {
        let mut least = ring;
        let mut turned = ring;
        let mut step = 0;
        while step < 12 {
            turned = if step == 6 { mirrored(turned) } else { (turned << 1 | turned >> 5) & 63 };
            if turned < least {
                least = turned;
            }
            step += 1;
        }
        if least == ring {
            smallest[ring] = known;
            known += 1;
        }
        shapes[ring] = smallest[least];
        ring += 1;
    }
    shapes
};

/// The ring read counter-clockwise.
const fn mirrored(ring: usize) -> usize {
    let mut mirror = 0;
    let mut direction = 0;
    while direction < 6 {
        mirror |= (ring >> direction & 1) << (5 - direction);
        direction += 1;
    }
    mirror
}

/// Calls `note` for every feature of a seat in an unfinished position, once for each occurrence.
#[inline]
pub fn visit(rules: &Hive, state: &State, seat: Seat, note: impl FnMut(usize)) {
    Scene::new(state.board()).visit(seat, state.seat(), state.hand(seat, rules.pieces()), note);
}

/// How often each feature of a seat occurs.
#[must_use]
pub fn counts(rules: &Hive, state: &State, seat: Seat) -> [u8; FEATURES] {
    let mut counts = [0; FEATURES];
    visit(rules, state, seat, |feature| counts[feature] += 1);
    counts
}
