//! What PyRat's graph search saves and needs, in numbers that are the same on every machine: nodes and evaluations of a
//! graph compared with a tree, bytes for a node, and how full the batches of many searches are. Means over some starts.

use std::sync::Arc;

use _core::evaluation::Evaluation;
use _core::games::pyrat::PyRat;
use _core::games::pyrat::state::State;
use _core::rules::Rules;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use _core::search::{Batched, Search, SelfEvaluating};
use serde_json::{Value, json};

const STARTS: u64 = 4;

/// Searches whose leaves share batches.
const SEARCHES: u64 = 64;

/// Leaves that each of them may submit to a batch.
const ROOMS: [usize; 3] = [1, 8, 64];

type Start = (Arc<PyRat<1>>, State<1>);

fn start(variant: &str, seed: u64) -> Option<Start> {
    let (rules, state) = PyRat::setup(variant, &json!({"seed": seed})).ok()?;
    Some((Arc::new(rules), state))
}

fn search((rules, state): &Start, evaluator: Option<&str>, options: &Value) -> Option<Mcgs<PyRat<1>>> {
    let evaluator = evaluator.map(|name| rules.evaluator(name)).transpose().ok()?;
    Some(Mcgs::new(Arc::clone(rules), state.clone(), evaluator, Options::read(options).ok()?, 1))
}

fn main() {
    println!(
        "variant     descents | graph: nodes, evaluations, bytes a node (foretold) | tree: nodes, bytes a node"
    );
    for variant in ["tiny", "medium", "open", "asymmetric"] {
        for descents in [1000, 10_000, 100_000] {
            let [graph, tree] =
                [json!({}), json!({"table": false})].map(|options| sizes(variant, descents, &options));
            println!(
                "{variant:<11} {descents:>8} | {:>8.0} {:>8.0} {:>6.0} ({:.2}) | {:>8.0} {:>6.0}",
                graph.nodes, graph.evaluations, graph.bytes, graph.foretold, tree.nodes, tree.bytes
            );
        }
    }
    println!("\n{SEARCHES} searches: leaves in a batch, as a share of the room, until each has 1,000 visits");
    for room in ROOMS {
        println!("room {room:>2} for each: {:.3}", fill(room).unwrap_or(f64::NAN));
    }
}

/// Means after a number of descents.
struct Sizes {
    nodes: f64,
    evaluations: f64,
    bytes: f64,
    foretold: f64,
}

fn sizes(variant: &str, descents: u32, options: &Value) -> Sizes {
    let mut sizes = Sizes { nodes: 0.0, evaluations: 0.0, bytes: 0.0, foretold: 0.0 };
    for seed in 0..STARTS {
        let Some(mut search) = start(variant, seed).and_then(|start| search(&start, Some("native"), options))
        else {
            continue;
        };
        let foretold = search.bytes_for(descents);
        search.run(descents);
        let nodes = search.graph().size() as f64;
        let share = 1.0 / STARTS as f64;
        sizes.nodes += nodes * share;
        sizes.evaluations += search.root_statistics().evaluations as f64 * share;
        sizes.bytes += search.bytes() as f64 / nodes * share;
        sizes.foretold += foretold as f64 / search.bytes() as f64 * share;
    }
    sizes
}

/// The share of the room that is filled.
fn fill(room: usize) -> Option<f64> {
    let opened = (0..SEARCHES).map(|seed| search(&start("medium", seed)?, None, &json!({})));
    let mut searches: Vec<_> = opened.collect::<Option<_>>()?;
    let (mut leaves, mut rooms) = (0, 0);
    while searches.iter().any(|search| search.visits() < 1000) {
        for search in &mut searches {
            let mut keys = Vec::new();
            search.gather(room, &mut keys);
            // All even: 5 weights for each seat are enough for any position.
            let even = || Evaluation::in_points(&[5.0; 2], [[1.0; 5]; 2].into_iter().map(IntoIterator::into_iter));
            let evaluations: Vec<_> = keys.iter().map(|_| even()).collect();
            search.absorb(&evaluations);
            (leaves, rooms) = (leaves + keys.len(), rooms + room);
        }
    }
    Some(leaves as f64 / rooms as f64)
}
