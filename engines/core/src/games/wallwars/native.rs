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
        let advance = self.advance * (1.0 + self.press * (lead - self.safe).max(0.0));
        let arrives = own.as_ref().is_some_and(|ways| ways.steps <= usize::from(state.actions_left()));
        let (edges, walls) = (EdgeClasses::new(own, other), self.weights_of_walls());
        out.extend(actions.iter().map(|&action| match action.kind() {
            ActionKind::Step(..) if state.undoes(action) => 0.0,
            ActionKind::Step(pawn, direction) => {
                let target = board.beside(state.pawn(seat, pawn), direction);
                let good = match pawn {
                    Pawn::Cat => own.as_ref().is_some_and(|ways| ways.nearer.has(target)),
                    Pawn::Mouse => other.as_ref().is_some_and(|ways| !ways.last.has(target)),
                };
                match (good, pawn) {
                    (true, Pawn::Cat) if arrives => self.arrive,
                    (true, Pawn::Cat) => advance,
                    (true, Pawn::Mouse) => self.flee,
                    (false, _) => self.other_step,
                }
            }
            ActionKind::Wall(wall) => walls[edges.of(wall)],
            ActionKind::End => self.other_step,
        }));
    }
}

impl Native {
    /// The weight of a wall by the class of its edge.
    fn weights_of_walls(&self) -> [f32; 16] {
        std::array::from_fn(|class| {
            let (hurt, gain) = (SHARES[class & 3], SHARES[class >> 2]);
            self.other_wall * (1.0 - hurt) + self.block * (gain - hurt).max(0.0)
        })
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
    /// Their length.
    steps: usize,
    /// Cells one step nearer to the goal than the cat.
    nearer: Bits<N>,
    /// Cells one step before the goal. From the others beside it the cat has farther to go, since neighbouring cells
    /// differ by one step.
    last: Bits<N>,
    /// The classes of edges on shortest ways, as two bits: 3 if no other edge connects the same two distances, 2 if one
    /// does, else 1.
    classes: [Edges<N>; 2],
}

/// The share of the shortest ways through an edge, by its class.
const SHARES: [f32; 4] = [0.0, 0.25, 0.5, 1.0];

impl<const N: usize> Ways<N> {
    fn new(board: &Board<N>, cat: Cell, goal: Cell) -> Self {
        let (nearer, last) = (Bits::EMPTY, Bits::EMPTY);
        let mut ways = Self { steps: 0, nearer, last, classes: [Edges::EMPTY; 2] };
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
            let class = 4 - crossing.len().clamp(1, 3);
            for (bit, edges) in ways.classes.iter_mut().enumerate() {
                if class >> bit & 1 == 1 {
                    *edges = edges.plus(crossing);
                }
            }
            ways.last = here;
            here = next;
        }
        ways.steps = from_goal.len();
        ways
    }
}

/// The classes of all edges for the own cat (two bits) and the other one (two higher bits), by side and by the word of
/// the cell.
struct EdgeClasses<const N: usize>([[[u64; 4]; N]; 2]);

impl<const N: usize> EdgeClasses<N> {
    fn new(own: &Option<Ways<N>>, other: &Option<Ways<N>>) -> Self {
        let classes = |ways: &Option<Ways<N>>| ways.as_ref().map_or([Edges::EMPTY; 2], |ways| ways.classes);
        let ([a, b], [c, d]) = (classes(own), classes(other));
        let bits = [a, b, c, d];
        let down = std::array::from_fn(|i| bits.map(|edges| edges.down.word(i)));
        let right = std::array::from_fn(|i| bits.map(|edges| edges.right.word(i)));
        Self([down, right])
    }

    #[inline]
    fn of(&self, wall: Wall) -> usize {
        let (words, member) = (&self.0[wall.side as usize][usize::from(wall.cell >> 6)], wall.cell & 63);
        let bits = words.iter().zip(0..).map(|(word, place)| (word >> member & 1) << place);
        bits.sum::<u64>() as usize
    }
}
