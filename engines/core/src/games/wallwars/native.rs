//! The evaluator without a network: the lead in the race, and the actions that change it.
//!
//! *Lead.* With `d` steps to go against the opponent's `e`, and `a` actions left in this turn, the seat to move leads
//! by `e − d + a − 1` actions. A step keeps the lead (one step less to go, one action spent), a wall that costs the
//! opponent `k` steps gains `k − 1`, and passing the turn negates it for the opponent. Where the one-move rule applies,
//! a lead of 1 only draws for player 1, so a lead of 1 counts as even there. The longer the race, the less a lead is
//! worth: the value is x/√(1 + x²) with x = slope · lead / (slack + the shorter way), which, unlike tanh, is the same
//! number on every machine. A sure win is worth slightly less the farther the winner still has to go, so that won games
//! are finished.
//!
//! *Priors.* High for steps along a shortest way, above all those that finish the race in this turn, and for walls
//! across the opponent's shortest ways, especially where few edges carry them all; low for everything else. The numbers
//! were fitted by matches (`plyhouse arena`).

use super::Wallwars;
use super::action::{Action, ActionKind, Cell, Pawn, Wall};
use super::bits::Bits;
use super::board::{Board, Edges};
use super::setup::Variant;
use super::simple::{cat_actions_left, steps_to_go};
use super::state::State;
use crate::evaluator::Evaluator;
use crate::rules::{MAX_SEATS, Seat, Values};

/// The evaluator `native`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Native {
    /// Growth of the value with the lead.
    pub slope: f32,
    /// Steps added to the shorter way, so that short races are not decided too early.
    pub slack: f32,
    /// Share of the value that a won game loses with `width + height` or more steps to go; in proportion with fewer.
    pub haste: f32,
    /// Weight of a cat's step along a shortest way.
    pub advance: f32,
    /// The lead from which on running is better than extending the lead.
    pub safe: f32,
    /// Growth of `advance` per action of lead beyond that.
    pub press: f32,
    /// Weight of such a step if the turn's actions are enough to arrive.
    pub arrive: f32,
    /// Weight of a mouse's step that lengthens the opposing cat's way.
    pub flee: f32,
    /// Weight of a wall that alone lengthens the opponent's way; shared if several edges carry it.
    pub block: f32,
    /// Weight of any other wall.
    pub other_wall: f32,
    /// Weight of any other step.
    pub other_step: f32,
}

impl Default for Native {
    fn default() -> Self {
        Self {
            slope: 2.0,
            slack: 2.0,
            haste: 0.1,
            advance: 1.5,
            safe: 4.0,
            press: 0.5,
            arrive: 100.0,
            flee: 0.5,
            block: 8.0,
            other_wall: 0.03,
            other_step: 0.05,
        }
    }
}

impl<const N: usize> Evaluator<Wallwars<N>> for Native {
    fn value(&self, rules: &Wallwars<N>, state: &State<N>) -> Values {
        let [first, second] = steps_to_go(rules, state);
        let lead = lead(rules, state, [first, second]);
        let ahead = if lead > 0.0 { first } else { second };
        let longest = f32::from(rules.grid().width + rules.grid().height);
        let sure = 1.0 - self.haste * (ahead / longest).min(1.0);
        let scaled = self.slope * lead / (self.slack + first.min(second));
        let value = sure * scaled / (1.0 + scaled * scaled).sqrt();
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (value, -value);
        values
    }

    fn priors(&self, rules: &Wallwars<N>, state: &State<N>, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        let board = state.board();
        let ways = [0, 1].map(|seat| rules.race(state, seat).map(|(cat, goal)| Ways::new(board, cat, goal)));
        let steps = ways.each_ref().map(|ways| match ways {
            Some(ways) => ways.steps as f32,
            None => cat_actions_left(rules, state),
        });
        let lead = lead(rules, state, steps) * if seat == 0 { 1.0 } else { -1.0 };
        let [own, other] = [&ways[seat], &ways[1 - seat]];
        let within = other.as_ref().map(|ways| ways.within(board));
        let on_ways = ways.iter().flatten().fold(Edges::EMPTY, |all, ways| all.plus(ways.edges()));
        let advance = self.advance * (1.0 + self.press * (lead - self.safe).max(0.0));
        let arrives = own.as_ref().is_some_and(|ways| ways.steps <= usize::from(state.actions_left()));
        for &action in actions {
            out.push(match action.kind() {
                ActionKind::Step(..) if state.undoes(action) => 0.0,
                ActionKind::Step(pawn, direction) => {
                    let target = board.beside(state.pawn(seat, pawn), direction);
                    let good = match pawn {
                        Pawn::Cat => own.as_ref().is_some_and(|ways| ways.nearer.has(target)),
                        Pawn::Mouse => within.is_some_and(|within| !within.has(target)),
                    };
                    match (good, pawn) {
                        (true, Pawn::Cat) if arrives => self.arrive,
                        (true, Pawn::Cat) => advance,
                        (true, Pawn::Mouse) => self.flee,
                        (false, _) => self.other_step,
                    }
                }
                ActionKind::Wall(wall) if !on_ways.has(wall) => self.other_wall,
                ActionKind::Wall(wall) => {
                    let hurt = own.as_ref().map_or(0.0, |ways| ways.share(wall));
                    let gain = other.as_ref().map_or(0.0, |ways| ways.share(wall));
                    self.other_wall * (1.0 - hurt) + self.block * (gain - hurt).max(0.0)
                }
                ActionKind::End => self.other_step,
            });
        }
    }
}

/// Seat 0's lead in actions, given the steps that each seat has to go.
fn lead<const N: usize>(rules: &Wallwars<N>, state: &State<N>, [first, second]: [f32; 2]) -> f32 {
    let tempo = f32::from(state.actions_left()) - 1.0;
    let even = match rules.variant() {
        Variant::Standard | Variant::Freestyle => 1.0,
        Variant::Classic | Variant::Survival(_) => 0.0,
    };
    second - first - even + if state.seat() == 0 { tempo } else { -tempo }
}

/// The shortest ways of a cat to its goal.
struct Ways<const N: usize> {
    cat: Cell,
    /// Their length.
    steps: usize,
    /// Cells one step nearer to the goal than the cat.
    nearer: Bits<N>,
    /// Edges on shortest ways, grouped by how many of them connect the same two distances: 1, 2 or more.
    crossings: [Edges<N>; 3],
}

impl<const N: usize> Ways<N> {
    fn new(board: &Board<N>, cat: Cell, goal: Cell) -> Self {
        let mut ways = Self { cat, steps: 0, nearer: Bits::EMPTY, crossings: [Edges::EMPTY; 3] };
        let mut from_goal = Vec::with_capacity(32);
        for layer in board.flood(Bits::single(goal)) {
            if layer.has(cat) {
                break;
            }
            from_goal.push(layer);
        }
        let mut here = Bits::single(cat);
        for (ahead, &layer) in from_goal.iter().rev().enumerate() {
            let next = board.grow(here) & layer;
            if ahead == 0 {
                ways.nearer = next;
            }
            let crossing = board.crossing(here, next);
            let class = (crossing.len() as usize).clamp(1, 3) - 1;
            ways.crossings[class] = ways.crossings[class].plus(crossing);
            here = next;
        }
        ways.steps = from_goal.len();
        ways
    }

    /// Cells no farther from the cat than the goal is.
    fn within(&self, board: &Board<N>) -> Bits<N> {
        (0..self.steps).fold(Bits::single(self.cat), |cells, _| board.grow(cells))
    }

    /// Edges on shortest ways.
    fn edges(&self) -> Edges<N> {
        self.crossings.iter().fold(Edges::EMPTY, |all, crossing| all.plus(*crossing))
    }

    /// The share of the shortest ways through an edge: 1 for all, ½ or ¼ if there are others, 0 for none.
    fn share(&self, wall: Wall) -> f32 {
        let shares = [1.0, 0.5, 0.25];
        self.crossings.iter().zip(shares).find(|(edges, _)| edges.has(wall)).map_or(0.0, |(_, share)| share)
    }
}
