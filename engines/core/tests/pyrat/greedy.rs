//! The bot that goes to the nearest cheese, and values of expected points.

use _core::games::open;
use _core::games::pyrat::PyRat;
use _core::games::pyrat::travel::{self, NEVER};
use _core::position::Position;
use _core::rules::Rules;
use _core::search::{Driver, Report, Search, SearchSpec};
use serde_json::{Value, json};

fn search(position: &dyn Position) -> Box<dyn Search> {
    let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": "greedy"}), seed: 1 };
    position.search(&spec).unwrap()
}

fn chosen(search: &mut dyn Search) -> Report {
    let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
    driver.run(1);
    search.report(5)
}

fn best_move(config: &Value) -> String {
    let position = open("pyrat", Some("open"), config).unwrap();
    chosen(&mut *search(&*position)).best_move.unwrap()
}

#[test]
fn it_goes_to_the_nearest_cheese() {
    let board = |cheese: Value| json!({"width": 5, "height": 5, "cheese": cheese});
    assert_eq!(best_move(&board(json!([[2, 0], [0, 3], [4, 1]]))), "RIGHT/DOWN");
    assert_eq!(best_move(&board(json!([[0, 0], [0, 2], [3, 4]]))), "STAY/LEFT", "cheese on a start is nearest");
    let mut walled = board(json!([[2, 0], [0, 3], [4, 1]]));
    walled["walls"] = json!([[[0, 0], [1, 0]]]);
    assert_eq!(best_move(&walled), "UP/DOWN");
}

/// Mud of cost 2 takes three turns, or two in the other model, as long as the way around it.
#[test]
fn mud_counts_at_its_true_cost() {
    let config = |mud_model: &str, cheese: Value| {
        let mud = json!([[[0, 0], [0, 1], 2]]);
        json!({"width": 5, "height": 5, "cheese": cheese, "mud": mud, "mudModel": mud_model})
    };
    assert_eq!(best_move(&config("rust", json!([[0, 1], [2, 0]]))), "RIGHT/DOWN");
    assert_eq!(best_move(&config("doc", json!([[0, 1], [3, 0]]))), "UP/DOWN");
    assert_eq!(best_move(&config("rust", json!([[0, 3], [4, 0]]))), "RIGHT/DOWN");
}

#[test]
fn travel_times_are_turns() {
    let config = json!({
        "width": 4, "height": 2, "cheese": [[3, 0]], "mud": [[[1, 0], [2, 0], 3]],
        "walls": [[[0, 0], [0, 1]], [[1, 0], [1, 1]], [[2, 0], [2, 1]], [[3, 0], [3, 1]]],
    });
    let (rules, start) = PyRat::<1>::setup("open", &config).unwrap();
    let times = travel::times_to_nearest(rules.board(), start.pieces().map(|_| 3));
    assert_eq!(times, [6, 5, 1, 0, NEVER, NEVER, NEVER, NEVER]);
    let mut state = start;
    for turn in 0..6 {
        assert!(state.has(0), "turn {turn}");
        let right = rules.read(&state, 0, "RIGHT").unwrap()[0];
        rules.play_unchecked(&mut state, &[right, right]);
    }
    assert!(!state.has(0));
}

/// From end to end of the largest board, in one corridor that is all mud.
#[test]
fn the_longest_way_has_a_time() {
    let rows = || (0..64).flat_map(|y| (0..63).map(move |x| json!([[x, y], [x + 1, y], 15])));
    let gap = |y: u32| if y.is_multiple_of(2) { 63 } else { 0 };
    let columns = || (0..64).flat_map(|x| (0..63).map(move |y| (x, y)));
    let walls = columns().filter(|(x, y)| *x != gap(*y)).map(|(x, y)| json!([[x, y], [x, y + 1]]));
    let gaps = columns().filter(|(x, y)| *x == gap(*y)).map(|(x, y)| json!([[x, y], [x, y + 1], 15]));
    let config = json!({
        "width": 64, "height": 64, "cheese": [[0, 0]],
        "walls": walls.collect::<Value>(), "mud": rows().chain(gaps).collect::<Value>(),
    });
    let (rules, _) = PyRat::<1>::setup("open", &config).unwrap();
    let times = travel::times_to_nearest(rules.board(), [0].into_iter());
    assert_eq!((times[0], times[63], times[63 * 64]), (0, 63 * 16, 4095 * 16));
}

/// Two greedy players collect all that there is, and report one policy per seat.
#[test]
fn it_plays_whole_games() {
    for variant in ["tiny", "small", "asymmetric"] {
        let mut position = open("pyrat", Some(variant), &json!({"seed": 3})).unwrap();
        let mut search = search(&*position);
        while position.outcome().is_none() {
            let report = chosen(&mut *search);
            let best = report.best_move.unwrap();
            let parts: Vec<&str> = best.split('/').collect();
            let policies: Vec<_> = report.policies.iter().map(|policy| policy[0].0.as_str()).collect();
            assert_eq!(policies, parts);
            assert!(report.lines.is_empty(), "a line is of one seat");
            position.play(&[best]).unwrap();
            search.advance(position.last_move().unwrap()).unwrap();
        }
        assert_ne!(position.outcome().unwrap().reason, "ply-limit", "{variant}");
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        assert_eq!(driver.run(1), 0);
    }
}

#[test]
fn points_weigh_more_when_few_are_left() {
    let config = json!({"width": 3, "height": 3, "cheese": [[1, 0], [1, 1], [0, 2], [2, 0]]});
    let (rules, mut state) = PyRat::<1>::setup("open", &config).unwrap();
    let points = rules.points().unwrap();
    assert_eq!(points.remaining(&state), 4.0);
    assert_eq!(points.values(&state, &[2.5, 1.0, 0.0, 0.0, 0.0])[..2], [1.0, -1.0].map(|sign| sign * 1f32.tanh()));
    let right = rules.read(&state, 0, "RIGHT").unwrap()[0];
    rules.play_unchecked(&mut state, &[right, right]);
    assert_eq!((points.remaining(&state), rules.scores(&state).unwrap()[0]), (3.0, 1.0));
    let value = rules.evaluator("zero").unwrap().value(&rules, &state);
    assert_eq!(value[..2], [1.0, -1.0].map(|sign| sign * (1f32 / 1.375).tanh()));
    assert!(rules.evaluator("natives").is_err());
}
