//! What searches make of positions that occur again: a draw the second time on their own path and the third time in the
//! game, whether or not the rules end the game there.

mod graph;

use std::sync::Arc;

use self::graph::{Drawn, Graph, Path};
use _core::evaluation::Evaluation;
use _core::moves;
use _core::rules::Rules;
use _core::search::alphabeta::{self, AlphaBeta};
use _core::search::puct::Puct;
use _core::search::puct::options::Options;
use _core::search::{self, Batched, Driver, Search, SearchSpec, SelfEvaluating};
use serde_json::json;

const ROUND: &str = "
    A  50: b
    b  50: A C
    C  80: d
    d  80: C
";

/// A game after some moves from the first position of the drawing.
fn game(drawing: &str, played: &str) -> (Arc<Graph>, Path) {
    let (rules, mut path) = Graph::setup("", &json!(drawing)).unwrap();
    for text in played.split_whitespace() {
        moves::play_recorded(&rules, &mut path, text).unwrap();
    }
    (Arc::new(rules), path)
}

/// Back and forth, with no other move.
const CIRCLE: &str = "
    A  50: b
    b  50: A
";

fn alphabeta((rules, path): (Arc<Graph>, Path), depth: usize) -> AlphaBeta<Graph> {
    let options = alphabeta::options::Options {
        max_depth: depth,
        reductions: false,
        ..alphabeta::options::Options::DEFAULT
    };
    AlphaBeta::new(rules, path, Box::new(Drawn), options, 1)
}

fn puct((rules, path): (Arc<Graph>, Path)) -> Puct<Graph> {
    Puct::new(rules, path, Some(Box::new(Drawn)), Options::DEFAULT, 1)
}

fn greedy((rules, path): (Arc<Graph>, Path)) -> Box<dyn Search> {
    let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": "greedy"}), seed: 1 };
    let mut search = search::open(&rules, &path, &spec).unwrap();
    if let Driver::SelfEvaluating(search) = search.driver() {
        search.run(1);
    }
    search
}

/// An evaluation from outside: equal chances, and equal weights for so many actions.
fn even(actions: usize) -> Evaluation {
    Evaluation::new(&[0.0, 0.0], [vec![1.0; actions].into_iter()].into_iter())
}

/// The value for seat 0 when nothing is left to search, or after a thousand simulations.
fn value(search: &mut (impl SelfEvaluating + Search)) -> f32 {
    search.run(1000);
    search.report(1).values[0]
}

#[test]
fn a_second_occurrence_on_the_path_is_a_draw() {
    assert_eq!(value(&mut alphabeta(game(ROUND, ""), 1)), 0.5);
    assert_eq!(value(&mut alphabeta(game(ROUND, ""), 2)), 0.0);
    assert!(value(&mut puct(game(CIRCLE, ""))).abs() < 0.01);
}

#[test]
fn a_second_occurrence_in_the_game_alone_is_not() {
    assert_eq!(value(&mut alphabeta(game(ROUND, "b"), 1)), 0.5);
    let mut search = puct(game(CIRCLE, "b"));
    search.run(1);
    assert_eq!(search.report(1).values[0], 0.5);
}

#[test]
fn a_third_occurrence_in_the_game_is_a_draw() {
    assert_eq!(value(&mut alphabeta(game(ROUND, "b A b"), 1)), 0.0);
    assert_eq!(value(&mut puct(game(CIRCLE, "b A b"))), 0.0);
    assert_eq!(greedy(game(ROUND, "b A b")).report(1).values[0], 0.0);
}

/// When B occurs for the second time, v leads to the third A, a draw. The first time, it led to the second A.
#[test]
fn the_table_does_not_hide_that_positions_have_occurred_twice() {
    let drawing = "
        A -50: y
        y -50: B
        B -50: z v
        v -50: A E
        z -20: F
        F -20: z
        E  90: z
    ";
    let mut search = alphabeta(game(drawing, ""), 2);
    for text in ["y", "B", "v", "A", "y", "B"] {
        search.run(1000);
        search.advance(text).unwrap();
    }
    assert_eq!(value(&mut search), 0.0);
}

/// Behind p, X can only repeat p or lose. Behind q, p is new.
#[test]
fn the_table_stores_no_draw_that_only_one_path_leads_to() {
    let drawing = "
        R   0: p q
        p  75: X
        q  10: X
        X   5: p n
        n -80: Y
        Y -80: n
    ";
    assert_eq!(value(&mut alphabeta(game(drawing, ""), 3)), 0.75);
}

/// From A, going back from b to A is a draw; from b, it loses.
#[test]
fn a_tree_forgets_repetitions_of_positions_before_its_new_root() {
    let drawing = "
        A   0: b w
        b   0: A
        w 100:
    ";
    let mut search = puct(game(drawing, ""));
    assert_eq!(value(&mut search), 1.0);
    search.advance("b").unwrap();
    assert_eq!(search.visits(), 1, "all others led to the draw");
    search.run(10);
    assert_eq!(search.report(1).values[..2], [1.0, -1.0]);
}

/// The end behind w is found while the leaf behind b is in flight.
#[test]
fn leaves_are_given_back_also_if_something_was_found_after_them() {
    let drawing = "
        A   0: b w
        b  10: C
        C  10: b
        w -100:
    ";
    let (rules, path) = game(drawing, "");
    let mut search = Puct::new(Arc::clone(&rules), path, None, Options::DEFAULT, 1);
    let mut keys = Vec::new();
    search.gather(1, &mut keys);
    search.absorb(&[even(2)]);
    keys.clear();
    search.gather(8, &mut keys);
    assert_eq!((keys.len(), search.report(9).nodes), (1, 3), "b is in flight, and w is known");
    search.cancel();
    for _ in 0..20 {
        keys.clear();
        search.gather(1, &mut keys);
        search.absorb(&vec![even(1); keys.len()]);
    }
    let report = search.report(9);
    assert_eq!(report.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["b", "w"]);
    assert_eq!(report.lines[1].value, -1.0);
    // The visits of w count in the position's value, and the best move's value is the position's.
    assert!((-0.5..0.0).contains(&report.lines[0].value), "{:?}", report.lines);
}
