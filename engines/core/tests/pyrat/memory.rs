//! The memory of graph searches of PyRat.

use std::sync::Arc;

use _core::games::pyrat::PyRat;
use _core::rules::Rules;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use _core::search::{Search, SelfEvaluating};
use serde_json::json;

/// Bytes for each node, and memory used compared with what was foretold.
fn measured(variant: &str, evaluator: &str, descents: u32) -> (f64, f64) {
    let (rules, start) = PyRat::<1>::setup(variant, &json!({"seed": 3})).unwrap();
    let evaluator = rules.evaluator(evaluator).unwrap();
    let mut search = Mcgs::new(Arc::new(rules), start, Some(evaluator), Options::rec(), 1);
    let foretold = search.bytes_for(descents) as f64;
    search.run(descents);
    let used = search.bytes() as f64;
    (used / search.graph().size() as f64, used / foretold)
}

#[test]
fn the_memory_of_a_search_is_foretold() {
    for (variant, evaluator, descents, most) in [
        ("medium", "zero", 10_000, 200.0),
        ("medium", "native", 1000, 200.0),
        ("medium", "native", 10_000, 200.0),
        ("medium", "native", 100_000, 220.0),
        ("open", "zero", 100_000, 250.0),
        ("open", "native", 100_000, 250.0),
        ("asymmetric", "native", 10_000, 220.0),
    ] {
        let (for_a_node, share) = measured(variant, evaluator, descents);
        println!(
            "{variant} {evaluator} {descents}: {for_a_node:.0} bytes for a node, {share:.2} of what was foretold"
        );
        assert!(for_a_node < most, "{variant} {evaluator} {descents}: {for_a_node} bytes for a node");
        assert!((0.75..1.25).contains(&share), "{variant} {evaluator} {descents}: {share} of what was foretold");
    }
}
