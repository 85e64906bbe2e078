//! The evaluator without a network: how close each Queen is to being surrounded, and which pieces can do it.
//!
//! A position is described by feature counts for each seat: each uncovered bug by kind, by whether it can move and by
//! the Queen it stands next to; climbers and what they cover; the hand; the shape of the cells around the Queen. The
//! lead in points is their sum weighted by [`weights`](super::weights), which were fitted to the results of games
//! between alpha-beta searches. The value is x/√(1 + x²), which, unlike tanh, is the same number on every machine.
//!
//! *Priors* rank actions by their effect around the two Queens.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{Cell, NOWHERE, distance, touch};
use super::pins;
use super::ring::Ring;
use super::state::State;
use super::weights::{FEATURES, WEIGHTS};
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

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

/// The evaluator `native`.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    /// Thousandths of a point per feature.
    pub weights: [i16; FEATURES],
}

impl Default for Native {
    fn default() -> Self {
        Self { weights: WEIGHTS }
    }
}

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

    /// Adds up what `worth` returns for every feature of a seat, called once for each occurrence.
    #[inline]
    fn sum(&self, seat: Seat, to_move: Seat, hand: Pieces, mut worth: impl FnMut(usize) -> i32) -> i32 {
        let board = self.board;
        let (own, other) = (self.queens[seat], self.queens[1 - seat]);
        let climbers = board.tops(seat).and(board.climbed());
        let ground = board.tops(seat).without(climbers);
        let mut sum = 0;
        for piece in ground {
            let cell = board.cell(piece);
            let stuck = usize::from(self.stuck(piece, cell));
            sum += worth(GROUND + piece.bug() as usize * 8 + self.zone(cell, seat) * 2 + stuck);
        }
        for cell in climbers.map(|piece| board.cell(piece)) {
            sum += worth(match cell {
                _ if cell == own => CLIMBER + 4,
                _ if cell == other => CLIMBER + 5,
                _ => CLIMBER + self.zone(cell, seat),
            });
        }
        for piece in board.covered().and(Pieces::of(seat)) {
            sum += worth(COVERED + piece.bug() as usize);
        }
        for piece in hand {
            sum += worth(HAND + piece.bug() as usize);
        }
        if let Some(nearest @ (2 | 3)) = self.nearest_beetle(seat, ground, climbers) {
            sum += worth(STALK + nearest - 2);
        }
        if own != NOWHERE {
            let group = if seat == to_move { RING_TO_MOVE } else { RING };
            sum += worth(group + SHAPES[usize::from(board.ring(own).0 & 63)] as usize);
            let [pillbug, mosquito] = self.shelter(seat, ground, own);
            sum += if pillbug { worth(SHELTER) } else { 0 };
            sum += if mosquito { worth(SHELTER + 1) } else { 0 };
        }
        sum + if seat == to_move { worth(TURN) } else { 0 }
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

/// The count of each feature for the seat to move, minus the count for the other seat.
#[must_use]
pub fn features(rules: &Hive, state: &State) -> [i8; FEATURES] {
    let scene = Scene::new(state.board());
    let seat = state.seat();
    let mut counts = [0; FEATURES];
    for (side, sign) in [(seat, 1), (1 - seat, -1)] {
        scene.sum(side, seat, state.hand(side, rules.pieces()), |feature| {
            counts[feature] += sign;
            0
        });
    }
    counts
}

impl Evaluator<Hive> for Native {
    fn value(&self, rules: &Hive, state: &State) -> Values {
        let scene = Scene::new(state.board());
        let points = |seat| {
            let hand = state.hand(seat, rules.pieces());
            scene.sum(seat, state.seat(), hand, |feature| i32::from(self.weights[feature]))
        };
        let ahead = (points(0) - points(1)) as f32 / 1000.0;
        let value = ahead / (1.0 + ahead * ahead).sqrt();
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (value, -value);
        values
    }

    fn priors(&self, _: &Hive, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        let board = state.board();
        let queens = [seat, 1 - seat].map(|seat| board.queen(seat).unwrap_or(NOWHERE));
        out.extend(actions.iter().map(|&action| prior(board, queens, action)));
    }
}

/// The weight of an action; `queens` are the cells of the own and the other Queen.
fn prior(board: &Board, [own, other]: [Cell; 2], action: Action) -> f32 {
    let near = |cell: Cell, queen: Cell| queen != NOWHERE && touch(cell, queen);
    match action.kind() {
        Kind::Pass => 1.0,
        Kind::Place(Bug::Queen, _) => 2.0,
        Kind::Place(_, to) => {
            if near(to, own) {
                0.4
            } else {
                1.0
            }
        }
        Kind::Move(from, to) => {
            let mut weight = 1.0;
            if to == other && from != other {
                weight *= 8.0;
            }
            match (near(from, other), near(to, other)) {
                (false, true) if from != other => weight *= 6.0,
                (true, false) if to != other => weight *= 0.15,
                _ => {}
            }
            if from == own {
                weight *= if board.ring(to).len() < board.ring(own).len() { 3.0 } else { 0.6 };
            } else {
                match (near(from, own), near(to, own)) {
                    (true, false) => weight *= 4.0,
                    (false, true) => weight *= 0.3,
                    _ => {}
                }
            }
            weight
        }
    }
}
