//! The evaluator that plays without a network: how near each Queen is to being surrounded, and who has pieces to do it.
//!
//! Points for a seat: its bugs that are free to move, by kind, unless they already stand beside the other Queen; the
//! cells filled around the other Queen, the more the fewer are left; Beetles near it and above all on it; a Pillbug
//! that can carry the own Queen away; what is still in hand; and the turn. The value is x/√(1 + x²) with x = points
//! ahead / `scale`, which is the same number on every machine, as tanh is not.
//!
//! *Priors* rank actions by what they do around the two Queens. All numbers were fitted by matches of the alpha-beta
//! search against itself.

use super::Hive;
use super::action::{Action, Kind};
use super::board::Board;
use super::bug::{Bug, Piece, Pieces};
use super::grid::{Cell, NOWHERE, distance, touch};
use super::pins;
use super::state::State;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// The evaluator `native`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Native {
    /// Points ahead that are worth 1/√2.
    pub scale: f32,
    /// What it costs to have so many occupied cells beside one's Queen.
    pub ring: [f32; 7],
    /// Given back for each of them that holds an own bug which is free to leave.
    pub leave: f32,
    /// Added for each of them that holds a bug of the other seat.
    pub siege: f32,
    /// A free bug, in the order of [`Bug::ALL`].
    pub free: [f32; 8],
    /// Standing on the other Queen.
    pub cover: f32,
    /// The nearest free Beetle one cell away from the other Queen, and two.
    pub stalk: [f32; 2],
    /// A Pillbug, or a Mosquito beside one, next to the own Queen, which can be thrown.
    pub rescue: f32,
    /// Each piece in hand.
    pub hand: f32,
    /// Having the turn.
    pub turn: f32,
}

impl Default for Native {
    fn default() -> Self {
        Self {
            scale: 150.0,
            ring: [0.0, 20.0, 45.0, 75.0, 115.0, 170.0, 300.0],
            leave: 12.0,
            siege: 8.0,
            free: [16.0, 6.0, 12.0, 8.0, 14.0, 14.0, 10.0, 8.0],
            cover: 35.0,
            stalk: [25.0, 12.0],
            rescue: 40.0,
            hand: 2.0,
            turn: 10.0,
        }
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

    /// Whether a visible piece can probably move by itself.
    fn free(&self, piece: Piece, cell: Cell) -> bool {
        if self.board.climbed().has(piece) {
            return true;
        }
        let crawls = matches!(piece.bug(), Bug::Queen | Bug::Spider | Bug::Ant | Bug::Pillbug);
        !self.pinned.has(piece) && !(crawls && self.board.ring(cell).slides().is_empty())
    }

    fn beside(&self, cell: Cell, queen: Cell) -> bool {
        queen != NOWHERE && touch(cell, queen)
    }
}

impl Native {
    /// Points of one seat.
    fn points(&self, scene: &Scene, seat: Seat) -> f32 {
        let (board, own, other) = (scene.board, scene.queens[seat], scene.queens[1 - seat]);
        let mut points = 0.0;
        let mut nearest = usize::MAX;
        for piece in board.tops(seat) {
            let (cell, bug) = (board.cell(piece), piece.bug());
            let free = scene.free(piece, cell);
            if scene.beside(cell, other) {
                points += self.siege;
            } else if free {
                points += self.free[bug as usize];
            }
            if free && scene.beside(cell, own) && bug != Bug::Queen {
                points += self.leave;
            }
            if free && bug == Bug::Beetle && other != NOWHERE {
                nearest = nearest.min(distance(cell, other));
            }
            if cell == other {
                points += self.cover;
            }
        }
        if let Some(stalk) = self.stalk.get(nearest.wrapping_sub(1)) {
            points += stalk;
        }
        if own != NOWHERE {
            points -= self.ring[usize::from(board.ring(own).len())];
            points += self.shelter(scene, seat, own);
        }
        points
    }

    /// Points for a Pillbug that can carry the Queen away.
    fn shelter(&self, scene: &Scene, seat: Seat, own: Cell) -> f32 {
        let board = scene.board;
        let pillbug = board.tops(seat).and(Bug::Pillbug.pieces(seat)).first();
        let Some(pillbug) = pillbug.filter(|&piece| touch(board.cell(piece), own)) else { return 0.0 };
        let queen = board.tops(seat).and(Bug::Queen.pieces(seat));
        let movable = !queen.without(scene.pinned).is_empty();
        if movable && board.ring(board.cell(pillbug)).len() < 6 { self.rescue } else { 0.0 }
    }
}

impl Evaluator<Hive> for Native {
    fn value(&self, rules: &Hive, state: &State) -> Values {
        let scene = Scene::new(state.board());
        let hand = |seat| state.hand(seat, rules.pieces()).len() as f32;
        let turn = if state.seat() == 0 { self.turn } else { -self.turn };
        let ahead = self.points(&scene, 0) - self.points(&scene, 1) + self.hand * (hand(0) - hand(1)) + turn;
        let scaled = ahead / self.scale;
        let value = scaled / (1.0 + scaled * scaled).sqrt();
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
