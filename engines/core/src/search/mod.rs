//! Tree searches over any [`crate::rules::Rules`], independent of games and clocks: they return leaves to evaluate,
//! take evaluations, and report results. Time limits, priorities and cancellation are up to the driver.
//!
//! * `choices`, `decisive`: the actions that a search looks at, and wins in one move
//! * [`noise`]: errors that are added to evaluations on purpose
//! * [`node_store`]: nodes and edges, for trees and for graphs
//! * [`puct`]: PUCT for two seats that alternate
//! * [`alphabeta`]: alpha-beta for the same games
//! * [`greedy`]: a search of one move, for every game
//! * [`monte_carlo`]: play-outs after each action, for every game
//! * [`uct`]: UCT over several deals of what is hidden, for two to five seats that act one at a time
//! * [`mcgs`]: graph search for two seats that act together
//! * [`matrix_game`]: exact solutions of zero-sum matrix games
//! * [`inspect`], [`export`]: looking into the tree of a search, and writing it down

pub mod alphabeta;
mod choices;
mod decisive;
pub mod export;
pub mod greedy;
pub mod inspect;
pub mod matrix_game;
pub mod mcgs;
pub mod monte_carlo;
pub mod node_store;
pub mod noise;
mod play_out;
pub mod puct;
mod settings;
pub mod uct;

use std::sync::Arc;

use serde_json::Value;

use self::decisive::Decisive;
use self::inspect::Inspect;
use self::noise::Noise;
use crate::evaluation::Evaluation;
use crate::evaluator::Evaluator;
use crate::planes::Signature;
use crate::rules::{Outcome, RuleError, Rules, Values};

/// The parameters of a new search.
#[derive(Debug, Clone)]
pub struct SearchSpec {
    /// Name of an evaluator of the game, or `planes` for external evaluations.
    pub evaluator: String,
    /// Settings, see [`puct::options`], [`alphabeta::options`], [`uct::options`] and
    /// [`mcgs::options`].
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
    /// For the seat that moves (seat 0 if they act together), in [-1, 1]; the best move's is the position's, except where
    /// seats act together. The others differ from it as their means do; alpha-beta: by at least so much.
    pub value: f32,
    /// The principal variation in whole moves, starting with this one.
    pub pv: Vec<String>,
    /// The expected points of each seat at the end of the game, as [`Report::points`].
    pub points: Option<Values>,
}

/// A seat's policy: moves with their probabilities, most likely first.
pub type Policy = Vec<(String, f32)>;

/// A snapshot of a search's results.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// In canonical notation, joint (`a/b`) if seats act together; `None` before the first simulation and in a finished
    /// position.
    pub best_move: Option<String>,
    /// Per seat: exact if the search has settled it, otherwise a fair price, which favours neither the seat to move nor
    /// the others. Tree and graph searches: the mean of the root's visits. Alpha-beta: the mean of the last two depths.
    pub values: Values,
    /// The expected points of each seat at the end of the game, the mean like `values`; exact in a finished position.
    /// `None` in games without points, and from searches and evaluators that do not estimate them.
    pub points: Option<Values>,
    /// One per seat to act, in seat order; empty without a best move. PUCT: each move's share of the visits. Graph
    /// search: see [`mcgs::options::Selector`]. Other searches: the best move with probability 1.
    pub policies: Vec<Policy>,
    /// Visits of the root, including its own evaluation.
    pub visits: u32,
    /// The visits that the root already had when it became the root.
    pub inherited: u32,
    /// Nodes in the tree; for alpha-beta, positions in its table.
    pub nodes: usize,
    /// Depth in actions of the last complete iteration; 0 for searches without iterations.
    pub depth: u32,
    /// Candidates, best first.
    pub lines: Vec<Line>,
}

impl Report {
    /// The report on a finished position.
    fn of_outcome(outcome: &Outcome, seats: usize) -> Self {
        Self { points: outcome.scores, ..Self::of_move(None, outcome.values(seats)) }
    }

    /// A report with a best move only.
    fn of_move(best_move: Option<String>, values: Values) -> Self {
        let policies = best_move.iter().map(|text| vec![(text.clone(), 1.0)]).collect();
        Self {
            best_move,
            values,
            points: None,
            policies,
            visits: 0,
            inherited: 0,
            nodes: 0,
            depth: 0,
            lines: Vec::new(),
        }
    }
}

/// A search from one position: the interface of all searches.
pub trait Search: Send {
    /// How to drive the search.
    fn driver(&mut self) -> Driver<'_>;

    /// Searching the later actions of a move, for searches that search one action at a time.
    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        None
    }

    /// Looking into the search, for searches with a tree.
    fn inspect(&self) -> Option<&dyn Inspect> {
        None
    }

    /// A search of its own with the same tree, for searches with a tree. It gives back leaves in flight.
    ///
    /// # Errors
    /// `BadConfig` for other searches, and with [`noise`], which a search shares with its evaluator.
    fn copy(&self) -> Result<Box<dyn Search>, RuleError> {
        Err(RuleError::BadConfig("this search keeps no tree to copy: puct, uct and mcgs do".into()))
    }

    /// Plays a recorded move. A tree search keeps the subtree with its visits and frees everything else.
    ///
    /// # Errors
    /// As [`crate::moves::play_recorded`]; the search is unchanged.
    fn advance(&mut self, text: &str) -> Result<(), RuleError>;

    /// Searches the position after these recorded moves, which follow the root's, and reports on it, until it is called
    /// without moves or the root moves: for searches that use what they find there at the root. Whenever the position
    /// changes, the search starts anew. Returns whether it searches another position than the root.
    ///
    /// # Errors
    /// As [`crate::moves::play_recorded`]; the search is unchanged.
    fn look_ahead(&mut self, _texts: &[String]) -> Result<bool, RuleError> {
        Ok(false)
    }

    /// The current results, with at most `lines` candidates.
    fn report(&self, lines: usize) -> Report;

    /// Writes what a network can learn from the search about the position behind the fixed actions: its planes, and the
    /// policy that the search arrived at. Returns the value per seat, as the search sees it, in the unit of the game's
    /// networks (see [`crate::planes::Planes::points_unit`]). `None`, with nothing written, if there is nothing to learn:
    /// the game has no planes of these shapes, the search no policy of its own, or too few visits.
    fn example(&self, _signature: &Signature, _planes: &mut [f32], _policy: &mut [f32]) -> Option<Values> {
        None
    }

    /// Visits of the root.
    fn visits(&self) -> u32;

    /// Memory used by the search, in bytes.
    fn bytes(&self) -> usize;

    /// Estimated memory for a move with this many simulations for each of its actions, in bytes; the current memory for
    /// searches that do not grow.
    fn bytes_for(&self, _simulations: u32) -> usize {
        self.bytes()
    }
}

/// Where a search gets its evaluations from, which determines how it is driven.
pub enum Driver<'s> {
    /// From its own evaluator.
    SelfEvaluating(&'s mut dyn SelfEvaluating),
    /// From outside, for several leaves at once.
    Batched(&'s mut dyn Batched),
}

/// A search with its own evaluator.
pub trait SelfEvaluating {
    /// Runs simulations and returns their number; fewer than asked for if nothing is left to search.
    fn run(&mut self, simulations: u32) -> u32;

    /// Number of simulations to run between two checks of the clock.
    fn step(&self) -> u32;
}

/// A search whose leaves are evaluated by its driver.
pub trait Batched {
    /// Selects up to `room` leaves and appends their keys ([`Rules::information_key`] of the seat to act). Gives back
    /// leaves in flight first, so that no leaf is in flight twice.
    fn gather(&mut self, room: usize, keys: &mut Vec<u128>);

    /// Whether it uses the policies of evaluations; otherwise, they may be empty.
    fn takes_policy(&self) -> bool {
        true
    }

    /// A number that changes whenever the gathered leaves do. Drivers compare it before they return evaluations, since
    /// the search may have advanced meanwhile.
    fn flight(&self) -> u64;

    /// Writes the planes of a gathered leaf.
    fn fill(&self, signature: &Signature, leaf: usize, row: &mut [f32]);

    /// Converts a network's output for a gathered leaf.
    fn read(&mut self, signature: &Signature, leaf: usize, policy: &[f32], values: &[f32]) -> Evaluation;

    /// Takes the evaluations of all gathered leaves, in the order of `gather`.
    fn absorb(&mut self, evaluations: &[Evaluation]);

    /// Gives back the gathered leaves; the tree is as before `gather`.
    fn cancel(&mut self);
}

/// A search that searches one action at a time, in games whose moves consist of several actions.
pub trait Focus {
    /// Fixes the best action so far and searches the next one; `false` if the move is complete.
    fn focus(&mut self) -> bool;

    /// Simulations that count as done for the action that is searched now: the visits of the node behind the fixed
    /// actions (PUCT), or only the simulations since the last one was fixed.
    fn focus_visits(&self) -> u32;

    /// Returns to searching from the root.
    fn unfocus(&mut self);
}

/// Opens a search. The option `search` is `puct` (default) or `alphabeta`, which require two seats that alternate,
/// `mcgs`, which requires two seats that act together, `uct`, which requires seats that act one at a time, `greedy` or
/// `montecarlo`. The option `evaluation_noise` adds errors to evaluations, see [`noise`].
///
/// # Errors
/// `BadConfig` for unknown options, an unknown evaluator, or an unsuitable kind of game.
pub fn open<R: Rules>(rules: &Arc<R>, root: &R::State, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError> {
    open_named(rules, root, spec, "puct")
}

/// Like [`open`], but the default is `alphabeta`, unless evaluations come from outside.
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

/// Like [`open`], but the default is `uct`.
///
/// # Errors
/// As [`open`].
pub fn open_uct<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
) -> Result<Box<dyn Search>, RuleError> {
    open_named(rules, root, spec, "uct")
}

/// Like [`open`], but the default is `mcgs`.
///
/// # Errors
/// As [`open`].
pub fn open_mcgs<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
) -> Result<Box<dyn Search>, RuleError> {
    open_named(rules, root, spec, "mcgs")
}

/// Like [`open`], but without a default: the option is required.
///
/// # Errors
/// As [`open`].
pub fn open_by_name<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
) -> Result<Box<dyn Search>, RuleError> {
    if spec.options.get("search").is_none() {
        return Err(RuleError::BadConfig("this game has no default search: choose one".into()));
    }
    open_named(rules, root, spec, "")
}

fn open_named<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    default: &str,
) -> Result<Box<dyn Search>, RuleError> {
    let (noise, spec) = Noise::take(spec)?;
    let spec = &spec;
    let has_two_seats = rules.seats() == 2;
    let search = match spec.options.get("search").map_or(Some(default), Value::as_str) {
        Some(name @ ("alphabeta" | "greedy" | "montecarlo")) if spec.evaluator == "planes" => {
            Err(RuleError::BadConfig(format!(
                "{name} has evaluators of the game only: puct, uct and mcgs take others"
            )))
        }
        Some("montecarlo") => monte_carlo::open(rules, root, spec, &noise),
        Some("greedy") => greedy::open(rules, root, spec, &noise),
        // The compiler leaves out those that do not suit the game.
        Some("puct") if !R::TOGETHER && has_two_seats => puct::open(rules, root, spec, &noise),
        Some("alphabeta") if !R::TOGETHER && has_two_seats => alphabeta::open(rules, root, spec, &noise),
        Some("uct") if !R::TOGETHER => uct::open(rules, root, spec, &noise),
        Some("mcgs") if R::TOGETHER && has_two_seats => mcgs::open(rules, root, spec, &noise),
        Some("puct" | "alphabeta") => {
            Err(RuleError::BadConfig("this search is for two seats that alternate".into()))
        }
        Some("uct") => Err(RuleError::BadConfig("this search is for seats that act one at a time".into())),
        Some("mcgs") => Err(RuleError::BadConfig("this search is for two seats that act together".into())),
        _ => {
            let known = "puct, alphabeta, greedy, uct, mcgs, montecarlo";
            Err(RuleError::BadConfig(format!("search option search must be one of {known}")))
        }
    }?;
    Ok(Box::new(Decisive::new(rules, root, search, noise)))
}

/// The largest value that is not a proven win.
const UNPROVEN: f32 = 0.999;

/// A value that is not proven, kept apart from those of wins and losses.
fn unproven(value: f32) -> f32 {
    value.clamp(-UNPROVEN, UNPROVEN)
}

/// Candidates with their values moved by the same amount, so that the first one's is the `value` of the position for the
/// seat that moves. Proven values of the others stay.
fn with_value(mut lines: Vec<Line>, value: f32) -> Vec<Line> {
    let Some((best, others)) = lines.split_first_mut() else { return lines };
    for line in others.iter_mut().filter(|line| line.value.abs() < 1.0) {
        line.value = (line.value + value - best.value).clamp(-1.0, 1.0);
    }
    best.value = value;
    lines
}

/// The evaluator that a search is opened with; `None` in games without a native one, unless another is named.
fn optional_evaluator<R: Rules>(rules: &R, name: &str) -> Result<Option<Box<dyn Evaluator<R>>>, RuleError> {
    match rules.evaluator(name) {
        Err(_) if name == "native" => Ok(None),
        evaluator => evaluator.map(Some),
    }
}
