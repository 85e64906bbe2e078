//! The evaluators `native` and `share`, and the travel times that they use.

use _core::games::open;
use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::games::pyrat::grid::Cell;
use _core::games::pyrat::playout;
use _core::games::pyrat::state::State;
use _core::games::pyrat::travel::{self, NEVER};
use _core::rules::{Rules, ToAct};
use _core::search::{Driver, SearchSpec};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

fn start(config: &Value) -> (PyRat<1>, State<1>) {
    PyRat::setup("open", config).unwrap()
}

fn future(rules: &PyRat<1>, state: &State<1>, name: &str) -> [f64; 2] {
    let evaluator = rules.evaluator(name).unwrap();
    let points = evaluator.future_points(rules, state).unwrap();
    [points[0], points[1]]
}

/// The weights of a seat's directions.
fn weights(rules: &PyRat<1>, state: &State<1>, seat: usize) -> Vec<(Direction, f32)> {
    let (mut legal, mut weights) = (Vec::new(), Vec::new());
    rules.legal(state, seat, &mut legal);
    rules.evaluator("native").unwrap().priors(rules, state, seat, &legal, &mut weights);
    legal.into_iter().zip(weights).collect()
}

fn preferred(rules: &PyRat<1>, state: &State<1>, seat: usize) -> Direction {
    weights(rules, state, seat).into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

#[test]
fn the_times_to_each_piece_are_those_to_its_cell() {
    for (variant, config) in [("small", json!({"seed": 3})), ("asymmetric", json!({"mudModel": "doc"}))] {
        let (rules, _) = PyRat::<1>::setup(variant, &config).unwrap();
        let cheese = &rules.start().cheese;
        let times: Vec<_> = (0..rules.board().grid().cells()).map(|cell| rules.times_from(cell)).collect();
        for (piece, target) in cheese.iter().enumerate() {
            let expected = travel::times_to_nearest(rules.board(), std::iter::once(*target));
            assert!(times.iter().map(|row| row[piece]).eq(expected));
        }
    }
}

/// On a board full of cheese, the times are computed when they are needed.
#[test]
fn times_on_the_largest_board_are_not_kept() {
    let config = json!({"width": 64, "height": 64, "cheeseCount": 4094});
    let (rules, start) = PyRat::<64>::setup("open", &config).unwrap();
    let times = rules.times_from(65);
    assert!(matches!(times, std::borrow::Cow::Owned(_)));
    for (time, cell) in times.iter().zip(&rules.start().cheese) {
        let sides = [Cell::abs_diff(cell % 64, 1), Cell::abs_diff(cell / 64, 1)];
        assert_eq!(*time, sides[0] + sides[1]);
    }
    let points = rules.evaluator("native").unwrap().future_points(&rules, &start).unwrap();
    assert_eq!(points[0], points[1]);
}

/// Where times are not kept, those to near pieces and the first steps of shortest ways are what the whole table would say.
#[test]
fn near_times_and_ways_of_large_boards_are_those_of_the_whole_board() {
    let config = json!({"width": 64, "height": 64, "cheeseCount": 1000, "seed": 7});
    let (rules, mut state) = PyRat::<64>::setup("medium", &config).unwrap();
    assert!(!rules.keeps_times());
    let mut rng = Pcg64::seed_from_u64(7);
    for _ in 0..200 {
        let steps = [0, 1].map(|seat| {
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            *legal.choose(&mut rng).unwrap()
        });
        rules.play_unchecked(&mut state, &steps);
    }
    let board = rules.board();
    for cell in [0, 77, 2000, 4095] {
        let all = rules.times_from(cell);
        let reach = travel::reach(board, cell, 32, |piece| state.has(piece));
        assert!(state.pieces().filter(|piece| all[usize::from(*piece)] <= reach).count() >= 32);
        assert!(state.pieces().filter(|piece| all[usize::from(*piece)] < reach).count() < 32);
        let near = all.iter().map(|time| if *time <= reach { *time } else { NEVER });
        assert!(rules.times_within(cell, reach).iter().copied().eq(near));
        for piece in [0, 300, 999] {
            let times = travel::times_to_nearest(board, std::iter::once(rules.start().cheese[piece]));
            let arrivals = board.square(cell).exits.map(|exit| times[usize::from(exit.to)] + u16::from(exit.held));
            for direction in Direction::ALL {
                let is_way = arrivals.iter().min() == Some(&arrivals[direction as usize]);
                assert_eq!(rules.is_way_to(cell, direction, piece), is_way);
            }
        }
    }
}

/// Where times are not kept: nobody wins more than a piece each turn, and a lost turn costs no more than a piece.
#[test]
fn points_of_large_boards_are_those_of_a_playout() {
    for (pieces, turns) in [(4094, 300), (2000, 300), (1000, 300), (4094, 20), (2000, 1)] {
        let config =
            json!({"width": 64, "height": 64, "cheeseCount": pieces, "maxTurns": turns, "mud": [], "seed": 3});
        let (rules, start) = PyRat::<64>::setup("medium", &config).unwrap();
        let points = playout::run(&rules, &start);
        let case = format!("{pieces} pieces, {turns} turns: {points:?}");
        assert!(points[0] <= turns as f32 && (points[0] - points[1]).abs() <= 2.0, "{case}");
        assert!(points[0] + points[1] >= turns as f32 * 0.4, "{case}");
        let mut later = start.clone();
        rules.play_unchecked(&mut later, &[Direction::Stay, Direction::Stay]);
        let lost = points[0] - playout::run(&rules, &later)[0];
        assert!((-1.0..=2.0).contains(&lost), "{case}, {lost} lost");
    }
}

/// A playout wins what a race wins where all pieces are within its turns and nobody has to turn round under way.
#[test]
fn a_playout_is_a_race() {
    let board =
        |starts: Value, cheese: Value| json!({"width": 9, "height": 2, "cheese": cheese, "starts": starts});
    for (config, expected) in [
        (board(json!([[1, 0], [5, 0]]), json!([[0, 0], [4, 0], [8, 0]])), [1.0, 2.0]),
        (board(json!([[1, 0], [7, 0]]), json!([[2, 0], [4, 0], [6, 0]])), [1.5, 1.5]),
        (board(json!([[1, 0], [7, 0]]), json!([[0, 1]])), [1.0, 0.0]),
        (json!({"width": 5, "height": 5, "cheese": [[1, 1]], "maxTurns": 1}), [0.0, 0.0]),
        (json!({"width": 5, "height": 5, "cheese": [[1, 1]], "maxTurns": 2}), [1.0, 0.0]),
    ] {
        let (rules, state) = start(&config);
        assert_eq!(playout::run(&rules, &state), expected, "{config}");
        assert_eq!(future(&rules, &state, "native"), expected.map(f64::from), "{config}");
    }
}

#[test]
fn who_is_nearer_gets_more() {
    let (rules, state) = start(&json!({"width": 5, "height": 5, "cheese": [[1, 1]]}));
    assert_eq!(future(&rules, &state, "share"), [7.0 / 10.0, 1.0 - 7.0 / 10.0], "2 and 6 turns");
    assert_eq!(future(&rules, &state, "native"), [1.0, 0.0]);
    let value = rules.evaluator("native").unwrap().value(&rules, &state);
    assert!(value[0] > 0.5 && value[0] == -value[1], "{value:?}");
}

/// Mud counts at its true cost, and so do the turns for which it still holds a player.
#[test]
fn mud_delays() {
    let board =
        |mud: Value| json!({"width": 7, "height": 2, "cheese": [[3, 0]], "starts": [[0, 0], [6, 0]], "mud": mud});
    let (rules, state) = start(&board(json!([])));
    assert_eq!(future(&rules, &state, "native"), [0.5, 0.5]);
    let both_ways = json!([[[0, 0], [1, 0], 2], [[0, 0], [0, 1], 2]]);
    let (rules, mut state) = start(&board(both_ways));
    let before = future(&rules, &state, "native");
    assert!(before[0] < before[1]);
    rules.play_unchecked(&mut state, &[Direction::Right, Direction::Stay]);
    assert_eq!(state.players()[0].held, 2);
    assert!(future(&rules, &state, "native")[0] < 0.5, "two turns in the mud and two steps against three steps");
    assert!(future(&rules, &state, "share")[0] < 0.5);
    assert_eq!(weights(&rules, &state, 0), [(Direction::Stay, 1.0)]);
}

/// Players go on from piece to piece, and pieces that both reach at the same time are shared.
#[test]
fn a_race_goes_on_from_piece_to_piece() {
    let board =
        |starts: Value, cheese: Value| json!({"width": 9, "height": 2, "cheese": cheese, "starts": starts});
    let (rules, state) = start(&board(json!([[1, 0], [5, 0]]), json!([[0, 0], [4, 0], [8, 0]])));
    assert_eq!(future(&rules, &state, "native"), [1.0, 2.0]);
    let (rules, state) = start(&board(json!([[1, 0], [7, 0]]), json!([[2, 0], [4, 0], [6, 0]])));
    assert_eq!(future(&rules, &state, "native"), [1.5, 1.5]);
}

/// The Rat goes to the nearest piece, which the Python takes in two turns, and from there to the other one in three.
#[test]
fn a_player_in_a_race_turns_round() {
    for (turns, expected) in [(4, [0.0, 1.0]), (5, [1.0, 1.0])] {
        let (rules, state) = start(&json!({
            "width": 6, "height": 3, "cheese": [[0, 2], [5, 2]], "starts": [[2, 0], [2, 2]], "maxTurns": turns,
        }));
        assert_eq!(future(&rules, &state, "native"), expected, "{turns} turns");
    }
}

#[test]
fn cheese_that_nobody_reaches_in_time_is_worth_nothing() {
    let board = |turns: u32| json!({"width": 5, "height": 5, "cheese": [[1, 1]], "maxTurns": turns});
    for (turns, expected) in [(1, [0.0, 0.0]), (2, [1.0, 0.0])] {
        let (rules, state) = start(&board(turns));
        assert_eq!(future(&rules, &state, "native"), expected, "{turns} turns");
    }
}

#[test]
fn priors_lead_to_near_cheese_that_can_still_be_won() {
    let (rules, state) = start(&json!({"width": 7, "height": 7, "cheese": [[2, 0], [0, 5], [6, 4]]}));
    assert_eq!([0, 1].map(|seat| preferred(&rules, &state, seat)), [Direction::Right, Direction::Down]);
    let lost = json!({"width": 7, "height": 7, "cheese": [[0, 3], [3, 0]], "starts": [[0, 0], [0, 5]]});
    let (rules, state) = start(&lost);
    assert_eq!(preferred(&rules, &state, 0), Direction::Right, "the other player is nearer to the other piece");
}

/// Values and priors of random positions: points that exist, and the same after half a turn of the board.
#[test]
fn seats_are_treated_alike() {
    for seed in 0..40 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let (rules, mut state) = PyRat::<1>::setup("small", &json!({"seed": seed})).unwrap();
        let mut mirrored = state.clone();
        while rules.to_act(&state) == ToAct::Together {
            for name in ["native", "share", "playout"] {
                let future = |state| match name {
                    "playout" => playout::run(&rules, state).map(f64::from),
                    _ => future(&rules, state, name),
                };
                let points = future(&state);
                let rest = f64::from(rules.remaining_half_points(&state)) / 2.0;
                assert!(points.iter().all(|points| *points >= 0.0), "{name} {points:?}");
                assert!(points[0] + points[1] <= rest + 1e-4, "{name} {points:?} of {rest}");
                let [second, first] = future(&mirrored);
                assert!((points[0] - first).abs() < 1e-4 && (points[1] - second).abs() < 1e-4, "{name}");
            }
            for seat in 0..2 {
                let image = weights(&rules, &mirrored, 1 - seat);
                for (direction, weight) in weights(&rules, &state, seat) {
                    let same = image.iter().find(|other| other.0 == turned(direction)).unwrap();
                    assert!(weight > 0.0 && (weight - same.1).abs() < 1e-4, "{direction:?}");
                }
            }
            let [first, second] = [0, 1].map(|_| Direction::ALL[rng.random_range(0..5)]);
            rules.play_unchecked(&mut state, &[first, second]);
            rules.play_unchecked(&mut mirrored, &[turned(second), turned(first)]);
        }
    }
}

/// The direction after half a turn of the board.
fn turned(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Right => Direction::Left,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Stay => Direction::Stay,
    }
}

/// Without further options, the game is searched by graph search, whose values are those of expected points.
#[test]
fn the_game_has_an_analysis() {
    let position = open("pyrat", None, &json!({"seed": 5})).unwrap();
    let spec = SearchSpec { evaluator: "native".into(), options: json!({}), seed: 1 };
    let mut search = position.search(&spec).unwrap();
    let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
    assert_eq!(driver.run(300), 300);
    let report = search.report(3);
    assert_eq!((report.policies.len(), report.lines.len(), report.visits), (2, 3, 300));
    assert!(position.search(&SearchSpec { options: json!({"search": "montecarlo"}), ..spec }).is_ok());
}
