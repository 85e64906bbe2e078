//! Tree searches over any [`crate::rules::Rules`]. A search knows no game and no clock: it takes evaluations of leaves
//! and gives leaves to evaluate and a report. Budgets, priorities and cancellation belong to whoever drives it.
//!
//! * [`options`]: settings and presets
//! * [`tree`]: the arena of nodes and edges
//! * [`puct`]: PUCT for two seats that alternate
//! * [`alphabeta`]: alpha-beta for the same games
//! * [`greedy`]: one move ahead

pub mod alphabeta;
pub mod greedy;
mod leaves;
mod lines;
pub mod options;
pub mod puct;
mod settle;
pub mod tree;

use std::sync::Arc;

use serde_json::Value;

use crate::evaluation::Evaluation;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, ToAct, Values};

/// What a search is asked for at the start.
#[derive(Debug, Clone)]
pub struct SearchSpec {
    /// Name of an evaluator of the game, or `planes` for evaluations from outside.
    pub evaluator: String,
    /// Settings, see [`options`] and [`alphabeta::options`].
    pub options: Value,
    /// Seed of everything random.
    pub seed: u64,
}

/// One candidate move.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Canonical text.
    pub text: String,
    /// Simulations that went through it.
    pub visits: u32,
    /// For the seat that moves, in [-1, 1]. PUCT: the mean. Alpha-beta: the value of the best move; any other move's is
    /// only known not to exceed this.
    pub value: f32,
    /// Whole moves, this one first.
    pub pv: Vec<String>,
}

/// What a search knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Canonical; none before the first simulation or in a finished position.
    pub best_move: Option<String>,
    /// Per seat: exact where the search has settled it, else that of the best move. PUCT: the mean behind it (before it
    /// has been visited often, the mean over all of the root's visits). Alpha-beta: the value at the end of its line.
    pub values: Values,
    /// Visits of the root, its own evaluation included.
    pub visits: u32,
    /// Those of them that it had when it became the root.
    pub inherited: u32,
    /// Nodes held; of alpha-beta, positions in its table.
    pub nodes: usize,
    /// Actions that the last complete step of a deepening search looked ahead; 0 for a search without such steps.
    pub depth: u32,
    /// Candidates, best first.
    pub lines: Vec<Line>,
}

/// A running search from one position.
pub trait Search: Send {
    /// Runs simulations with an evaluator of its own; the number done. Less than asked: nothing is left to search.
    /// With evaluations from outside: 0.
    fn run(&mut self, simulations: u32) -> u32;

    /// Simulations that `run` is best asked for between two looks at the clock.
    fn step(&self) -> u32 {
        16
    }

    /// Selects up to `room` leaves for evaluation from outside and appends their keys. No leaf is ever in flight twice;
    /// those in flight before are given back first. A search with an evaluator of its own has none to offer.
    fn gather(&mut self, _room: usize, _keys: &mut Vec<u128>) {}

    /// A number that changes whenever the gathered leaves do: whoever brings evaluations compares it, since a search
    /// may have moved on meanwhile.
    fn flight(&self) -> u64 {
        0
    }

    /// Writes the planes of a gathered leaf.
    fn fill(&self, _signature: &Signature, _leaf: usize, _row: &mut [f32]) {}

    /// What a network's output for a gathered leaf says.
    fn read(&mut self, _signature: &Signature, _leaf: usize, _policy: &[f32], _values: &[f32]) -> Evaluation {
        Evaluation::new(0.0, std::iter::empty())
    }

    /// Takes the evaluations of all gathered leaves, in the order of `gather`.
    fn absorb(&mut self, _evaluations: &[Evaluation]) {}

    /// Forgets the gathered leaves; the tree is as before `gather`.
    fn cancel(&mut self) {}

    /// Fixes the best action found so far and searches behind it. `false` when the move needs no further action.
    fn focus(&mut self) -> bool;

    /// Visits of the state behind the fixed actions.
    fn focus_visits(&self) -> u32;

    /// Searches from the root again.
    fn unfocus(&mut self);

    /// Plays a recorded move: the child becomes the root with its visits, everything else is freed.
    ///
    /// # Errors
    /// As [`crate::moves::play_recorded`]; the search is unchanged.
    fn advance(&mut self, text: &str) -> Result<(), RuleError>;

    /// What is known now, with at most `lines` candidates. Changes nothing.
    fn report(&self, lines: usize) -> Report;

    /// Visits of the root.
    fn visits(&self) -> u32;

    /// Memory held by the tree, in bytes.
    fn bytes(&self) -> usize;
}

/// Opens a search of a two-seat game whose seats alternate: the option `search` names `puct` (default), `alphabeta` or
/// `greedy`.
///
/// # Errors
/// `BadConfig` for unknown options, an evaluator that the game does not have, or another kind of game.
pub fn open<R: Rules>(rules: &Arc<R>, root: &R::State, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError> {
    open_named(rules, root, spec, "puct")
}

/// The same with `alphabeta` by default, unless the evaluations come from outside.
///
/// # Errors
/// As [`open`].
pub fn open_alphabeta<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
) -> Result<Box<dyn Search>, RuleError> {
    open_named(rules, root, spec, if spec.evaluator == "planes" { "puct" } else { "alphabeta" })
}

fn open_named<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    default: &str,
) -> Result<Box<dyn Search>, RuleError> {
    if rules.seats() != 2 || matches!(rules.to_act(root), ToAct::Together) {
        return Err(RuleError::BadConfig("this search is for two seats that alternate".into()));
    }
    match spec.options.get("search").map_or(Some(default), Value::as_str) {
        Some("puct") => puct::open(rules, root, spec),
        Some("alphabeta") => alphabeta::open(rules, root, spec),
        Some("greedy") => greedy::open(rules, root, spec),
        _ => Err(RuleError::BadConfig("search option search must be one of puct, alphabeta, greedy".into())),
    }
}

fn no_evaluator(name: &str) -> RuleError {
    RuleError::BadConfig(format!("this game has no evaluator '{name}'"))
}
