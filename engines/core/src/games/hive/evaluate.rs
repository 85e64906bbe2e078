//! The evaluator that plays without a network: how near each Queen is to being surrounded, and who has pieces to do it.
//!
//! A position is a count of features for each seat: each visible bug by kind, by whether it can move and by which Queen
//! it stands beside; climbers and what they cover; the hand; the shape of the cells around the Queen. The points ahead
//! are the sum of the [`weights`](super::weights), which were fitted to the results of games played by the alpha-beta
//! search. The value is x/√(1 + x²), which is the same number on every machine, as tanh is not.
//!
//! *Priors* rank actions by what they do around the two Queens.

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

/// First feature of each group. A bug on the ground: its kind, the Queens beside it, and whether it is stuck.
pub const GROUND: usize = 0;
/// A climber by the Queens beside it, then one on the own Queen, then one on the other.
pub const CLIMBER: usize = 64;
/// A covered bug, by kind.
pub const COVERED: usize = 70;
/// A bug in hand, by kind.
pub const HAND: usize = 78;
/// The shape of what surrounds the Queen of the seat that waits; 14 of them.
pub const RING: usize = 86;
/// The same of the seat whose turn it is.
pub const RING_TO_MOVE: usize = 100;
/// The nearest free Beetle two cells from the other Queen, then three.
pub const STALK: usize = 114;
/// A Pillbug that can carry the Queen away, then a Mosquito.
pub const SHELTER: usize = 116;
/// Having the turn.
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

/// What is asked about every piece.
struct Scene<'b> {
    board: &'b Board,
    /// Held in their place by the one-hive rule.
    pinned: Pieces,
    /// Cells of the Queens, `NOWHERE` before they are in play.
    queens: [Cell; 2],
}

impl Scene<'_> {
    fn new(board: &Board) -> Scene<'_> {
        let queens = [0, 1].map(|seat| board.queen(seat).unwrap_or(NOWHERE));
        Scene { board, pinned: pins::pinned(board), queens }
    }

    /// Whether a visible piece on the ground can probably not move by itself.
    fn stuck(&self, piece: Piece, cell: Cell) -> bool {
        let crawls = matches!(piece.bug(), Bug::Queen | Bug::Spider | Bug::Ant | Bug::Pillbug);
        self.pinned.has(piece) || crawls && self.board.ring(cell).slides().is_empty()
    }

    /// 1 for a neighbour of the own Queen, plus 2 for one of the other.
    fn zone(&self, cell: Cell, seat: Seat) -> usize {
        let beside = |queen: Cell| usize::from(queen != NOWHERE && touch(cell, queen));
        beside(self.queens[seat]) + 2 * beside(self.queens[1 - seat])
    }

    /// Calls `found` with every feature of a seat, once for each time it is there.
    #[inline]
    fn features(&self, seat: Seat, to_move: Seat, hand: Pieces, mut found: impl FnMut(usize)) {
        let board = self.board;
        let (own, other) = (self.queens[seat], self.queens[1 - seat]);
        let mut nearest = usize::MAX;
        for piece in board.tops(seat) {
            let (cell, bug) = (board.cell(piece), piece.bug());
            if board.climbed().has(piece) {
                found(match cell {
                    _ if cell == own => CLIMBER + 4,
                    _ if cell == other => CLIMBER + 5,
                    _ => CLIMBER + self.zone(cell, seat),
                });
                nearest = nearest.min(distance(cell, other));
            } else {
                let stuck = self.stuck(piece, cell);
                found(GROUND + bug as usize * 8 + self.zone(cell, seat) * 2 + usize::from(stuck));
                if bug == Bug::Beetle && !stuck {
                    nearest = nearest.min(distance(cell, other));
                }
            }
        }
        board.covered().and(Pieces::of(seat)).for_each(|piece| found(COVERED + piece.bug() as usize));
        hand.for_each(|piece| found(HAND + piece.bug() as usize));
        if other != NOWHERE && matches!(nearest, 2 | 3) {
            found(STALK + nearest - 2);
        }
        if own != NOWHERE {
            let group = if seat == to_move { RING_TO_MOVE } else { RING };
            found(group + SHAPES[usize::from(board.ring(own).0 & 63)] as usize);
            self.shelter(seat, own, &mut found);
        }
        if seat == to_move {
            found(TURN);
        }
    }

    /// The pieces that can carry the Queen away.
    fn shelter(&self, seat: Seat, own: Cell, found: &mut impl FnMut(usize)) {
        let board = self.board;
        let tops = board.tops(seat).without(board.climbed());
        if tops.and(Bug::Queen.pieces(seat)).without(self.pinned).is_empty() {
            return;
        }
        let throws = |cell: Cell| touch(cell, own) && board.ring(cell) != Ring::FULL;
        let pillbug = tops.and(Bug::Pillbug.pieces(seat)).first().map(|piece| board.cell(piece));
        if pillbug.is_some_and(throws) {
            found(SHELTER);
        }
        let mosquito = tops.and(Bug::Mosquito.pieces(seat)).first().map(|piece| board.cell(piece));
        if let (Some(pillbug), Some(mosquito)) = (pillbug, mosquito)
            && touch(pillbug, mosquito)
            && throws(mosquito)
        {
            found(SHELTER + 1);
        }
    }
}

/// The shape of a ring of neighbours: the same number for rings that turning or mirroring makes equal, in the order of
/// their smallest bits.
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

/// How often each feature is there for the seat that moves, less how often for the other one.
#[must_use]
pub fn features(rules: &Hive, state: &State) -> [i8; FEATURES] {
    let scene = Scene::new(state.board());
    let seat = state.seat();
    let mut counts = [0; FEATURES];
    scene.features(seat, seat, state.hand(seat, rules.pieces()), |feature| counts[feature] += 1);
    scene.features(1 - seat, seat, state.hand(1 - seat, rules.pieces()), |feature| counts[feature] -= 1);
    counts
}

impl Evaluator<Hive> for Native {
    fn value(&self, rules: &Hive, state: &State) -> Values {
        let scene = Scene::new(state.board());
        let points = |seat| {
            let mut points = 0;
            let hand = state.hand(seat, rules.pieces());
            scene.features(seat, state.seat(), hand, |feature| points += i32::from(self.weights[feature]));
            points
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

/// The weight of an action; `queens` are the own and the other Queen's cells.
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
