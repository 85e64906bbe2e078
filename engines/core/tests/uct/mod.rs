//! The UCT search: its arithmetic on a bandit, hidden information and batches on the toy game Draw, and
//! whole games.

mod bandit;
mod batches;
mod carcassonne;
mod hidden;
mod options;
mod play;
mod vectors;

use std::sync::Arc;

use _core::rules::Rules;
use _core::search::uct::Uct;
use _core::search::uct::options::Options;
use serde_json::Value;

/// A search without an evaluator.
fn played_out<R: Rules>(rules: &Arc<R>, state: &R::State, options: &Value, seed: u64) -> Uct<R> {
    Uct::new(Arc::clone(rules), state.clone(), None, None, Options::read(options).unwrap(), seed)
}
