//! Tree searches over any [`crate::rules::Rules`]. A search knows no game and no clock: it takes evaluations of leaves
//! and gives leaves to evaluate and a report. Budgets, priorities and cancellation belong to whoever drives it.
//!
//! * [`arena`]: nodes and edges, for trees and for graphs
//! * [`options`], [`tree`], [`puct`]: PUCT for two seats that alternate
//! * [`alphabeta`]: alpha-beta for the same games
//! * [`greedy`]: one move ahead, for the same games
//! * [`monte_carlo`]: play-outs behind each action, for every game

pub mod alphabeta;
pub mod arena;
pub mod greedy;
mod leaves;
mod lines;
pub mod monte_carlo;
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

/// What one seat would play: moves with their probabilities, the likeliest first.
pub type Policy = Vec<(String, f32)>;

/// What a search knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Canonical, and joint (`a/b`) where seats act together; none before the first simulation or in a finished position.
    pub best_move: Option<String>,
    /// Per seat: exact where the search has settled it, else that of the best move. PUCT: the mean behind it (before it
    /// has been visited often, the mean over all of the root's visits). Alpha-beta: the value at the end of its line.
    pub values: Values,
    /// One per seat to act, in seat order; empty where there is no best move. PUCT: the share of the visits of each move.
    /// Searches that settle on one move: that move alone.
    pub policies: Vec<Policy>,
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

impl Report {
    /// A report that names one move and nothing else.
    fn of_move(best_move: Option<String>, values: Values) -> Self {
        let policies = best_move.iter().map(|text| vec![(text.clone(), 1.0)]).collect();
        Self { best_move, values, policies, visits: 0, inherited: 0, nodes: 0, depth: 0, lines: Vec::new() }
    }
}

/// A running search from one position: what every search can do.
pub trait Search: Send {
    /// How the search is brought forward.
    fn driver(&mut self) -> Driver<'_>;

    /// The part that searches the later actions of a move, in searches that look at one action at a time.
    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        None
    }

    /// Plays a recorded move. A tree search keeps what lies behind it, with its visits; everything else is freed.
    ///
    /// # Errors
    /// As [`crate::moves::play_recorded`]; the search is unchanged.
    fn advance(&mut self, text: &str) -> Result<(), RuleError>;

    /// What is known now, with at most `lines` candidates. Changes nothing.
    fn report(&self, lines: usize) -> Report;

    /// Visits of the root.
    fn visits(&self) -> u32;

    /// Memory held by the search, in bytes.
    fn bytes(&self) -> usize;

    /// Memory that a move usually takes with so many simulations for each of its actions, in bytes: where a search does
    /// not grow, what it holds.
    fn bytes_for(&self, _simulations: u32) -> usize {
        self.bytes()
    }
}

/// Where a search gets its evaluations from, and so what brings it forward.
pub enum Driver<'s> {
    /// From an evaluator of its own.
    SelfEvaluating(&'s mut dyn SelfEvaluating),
    /// From outside, for several leaves at once.
    Batched(&'s mut dyn Batched),
}

/// A search with an evaluator of its own.
pub trait SelfEvaluating {
    /// Runs simulations; the number done. Less than asked: nothing is left to search.
    fn run(&mut self, simulations: u32) -> u32;

    /// Simulations that `run` is best asked for between two looks at the clock.
    fn step(&self) -> u32;
}

/// A search whose leaves are evaluated by its driver.
pub trait Batched {
    /// Selects up to `room` leaves and appends their keys ([`Rules::information_key`] of the seat to act). No leaf is
    /// ever in flight twice; those in flight before are given back first.
    fn gather(&mut self, room: usize, keys: &mut Vec<u128>);

    /// A number that changes whenever the gathered leaves do: whoever brings evaluations compares it, since a search
    /// may have moved on meanwhile.
    fn flight(&self) -> u64;

    /// Writes the planes of a gathered leaf.
    fn fill(&self, signature: &Signature, leaf: usize, row: &mut [f32]);

    /// What a network's output for a gathered leaf says.
    fn read(&mut self, signature: &Signature, leaf: usize, policy: &[f32], values: &[f32]) -> Evaluation;

    /// Takes the evaluations of all gathered leaves, in the order of `gather`.
    fn absorb(&mut self, evaluations: &[Evaluation]);

    /// Forgets the gathered leaves; the tree is as before `gather`.
    fn cancel(&mut self);
}

/// A search that looks at one action at a time, in games whose moves are several actions.
pub trait Focus {
    /// Fixes the best action found so far and searches behind it. `false` when the move needs no further action.
    fn focus(&mut self) -> bool;

    /// Visits of the state behind the fixed actions.
    fn focus_visits(&self) -> u32;

    /// Searches from the root again.
    fn unfocus(&mut self);
}

/// Opens a search. The option `search` names `puct` (default), `alphabeta`, `greedy`, which are for two seats that
/// alternate, or `montecarlo`.
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

/// The same for games without a search of their own: the option must be given.
///
/// # Errors
/// As [`open`].
pub fn open_by_name<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
) -> Result<Box<dyn Search>, RuleError> {
    if spec.options.get("search").is_none() {
        return Err(RuleError::BadConfig("this game has no search of its own: name one".into()));
    }
    open_named(rules, root, spec, "")
}

fn open_named<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    default: &str,
) -> Result<Box<dyn Search>, RuleError> {
    let name = spec.options.get("search").map_or(Some(default), Value::as_str);
    let alternating = rules.seats() == 2 && !matches!(rules.to_act(root), ToAct::Together);
    match name {
        Some("montecarlo") => monte_carlo::open(rules, root, spec),
        Some("puct" | "alphabeta" | "greedy") if !alternating => {
            Err(RuleError::BadConfig("this search is for two seats that alternate".into()))
        }
        Some("puct") => puct::open(rules, root, spec),
        Some("alphabeta") => alphabeta::open(rules, root, spec),
        Some("greedy") => greedy::open(rules, root, spec),
        _ => {
            let known = "puct, alphabeta, greedy, montecarlo";
            Err(RuleError::BadConfig(format!("search option search must be one of {known}")))
        }
    }
}

fn no_evaluator(name: &str) -> RuleError {
    RuleError::BadConfig(format!("this game has no evaluator '{name}'"))
}
