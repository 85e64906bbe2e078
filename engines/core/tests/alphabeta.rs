//! Laws of the alpha-beta search, with Wallwars as the game: there a move is two actions of the same seat.

use std::sync::Arc;

use _core::evaluator::Evaluator;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::native::Native;
use _core::games::wallwars::state::State;
use _core::moves;
use _core::rules::{Rules, Seat, ToAct};
use _core::search::alphabeta::AlphaBeta;
use _core::search::alphabeta::options::Options;
use _core::search::{self, Search, SearchSpec, SelfEvaluating};
use serde_json::{Value, json};

type Game = Wallwars<1>;

const WHOLE: Options = Options { reductions: false, ..Options::DEFAULT };

fn start(variant: &str, width: u32, height: u32) -> (Arc<Game>, State<1>) {
    let (rules, state) = Game::setup(variant, &json!({"boardWidth": width, "boardHeight": height})).unwrap();
    (Arc::new(rules), state)
}

fn search(rules: &Arc<Game>, state: &State<1>, options: Options) -> AlphaBeta<Game> {
    AlphaBeta::new(Arc::clone(rules), state.clone(), Box::new(Native::default()), options, 7)
}

/// Runs to the end of the deepest step.
fn finish(search: &mut impl SelfEvaluating) {
    while search.run(1 << 20) > 0 {}
}

/// The value for `seat` by plain minimax, with the evaluator at the horizon.
fn minimax(rules: &Game, state: &State<1>, depth: u32, seat: Seat) -> f32 {
    match rules.to_act(state) {
        ToAct::Over(outcome) => outcome.values(2)[seat],
        ToAct::One(mover) if depth > 0 => {
            let values =
                moves::successors(rules, state).into_iter().map(|after| minimax(rules, &after, depth - 1, mover));
            let best = values.fold(f32::NEG_INFINITY, f32::max);
            if mover == seat { best } else { -best }
        }
        _ => Native::default().value(rules, state)[seat],
    }
}

#[test]
fn the_value_is_that_of_minimax() {
    for (variant, opening) in [
        ("standard", &[][..]),
        ("standard", &["Cb2", "---"]),
        ("classic", &["Cb3.>a1"]),
        ("classic", &[">b2.^b2", "Cc3"]),
    ] {
        let (rules, mut state) = start(variant, 4, 4);
        for text in opening {
            if moves::play_recorded(&*rules, &mut state, text).is_err() {
                break;
            }
        }
        let ToAct::One(seat) = rules.to_act(&state) else { panic!("the game is over") };
        for depth in 1..=3 {
            let mut search = search(&rules, &state, Options { max_depth: depth, ..WHOLE });
            finish(&mut search);
            let report = search.report(1);
            let wanted = minimax(&rules, &state, depth as u32, seat);
            assert!((report.values[seat] - wanted).abs() < 1e-5, "{variant} {opening:?} {depth}: {wanted}");
            assert_eq!(report.depth, depth as u32);
        }
    }
}

#[test]
fn pauses_change_nothing() {
    let (rules, state) = start("standard", 6, 5);
    let mut whole = search(&rules, &state, Options::DEFAULT);
    let mut parts = search(&rules, &state, Options::DEFAULT);
    whole.run(20_000);
    for part in [1, 1, 98, 900, 9_000, 10_000] {
        assert_eq!(parts.run(part), part);
    }
    assert_eq!(whole.report(10), parts.report(10));
    assert_eq!(whole.visits(), 20_000);
    let mut single = search(&rules, &state, Options::DEFAULT);
    assert!((0..20_000).all(|_| single.run(1) == 1), "no visit is made without being asked for");
    assert_eq!(whole.report(10), single.report(10));
}

#[test]
fn looking_changes_nothing() {
    let (rules, state) = start("standard", 5, 5);
    let mut search = search(&rules, &state, Options::DEFAULT);
    assert_eq!(search.report(3).best_move, None, "nothing was searched yet");
    search.run(1);
    assert!(search.report(3).best_move.is_some());
    search.run(5_000);
    assert_eq!(search.report(5), search.report(5));
}

#[test]
fn a_win_in_one_turn_is_found_and_ends_the_search() {
    let pawns = json!({"p1": {"cat": [0, 0], "home": [4, 4]}, "p2": {"cat": [3, 0], "home": [4, 1]}});
    let config = json!({"boardWidth": 5, "boardHeight": 5, "initialState": {"pawns": pawns, "walls": []}});
    let (rules, mut state) = Game::setup("classic", &config).unwrap();
    moves::play_recorded(&rules, &mut state, "Cb5").unwrap();
    let mut search = search(&Arc::new(rules), &state, Options::DEFAULT);
    finish(&mut search);
    let report = search.report(1);
    assert_eq!(report.best_move.as_deref(), Some("Cb1"));
    assert_eq!(report.values[..2], [-1.0, 1.0]);
    assert_eq!(search.run(1), 0, "nothing is left to search");
}

#[test]
fn a_small_game_is_solved_alike_by_one_thread_and_by_two() {
    let (rules, state) = start("classic", 3, 3);
    let mut values = Vec::new();
    for threads in [1, 2] {
        let mut search = search(&rules, &state, Options { threads, ..WHOLE });
        finish(&mut search);
        let report = search.report(1);
        values.push(report.values);
        assert_eq!(report.values[0].abs(), 1.0, "{report:?}");
    }
    assert_eq!(values[0], values[1]);
}

#[test]
fn every_line_of_a_report_can_be_played() {
    let (rules, state) = start("standard", 8, 8);
    let mut search = search(&rules, &state, Options::DEFAULT);
    for nodes in [1, 10, 1_000, 30_000] {
        search.run(nodes);
        let report = search.report(8);
        assert_eq!(Some(&report.lines[0].text), report.best_move.as_ref());
        assert_eq!(report.lines[0].value, report.values[0], "the first line is the evaluation");
        assert!(report.lines.is_sorted_by(|a, b| a.value >= b.value), "and no other is worth more");
        for line in report.lines {
            let mut state = state.clone();
            for text in &line.pv {
                moves::play_recorded(&*rules, &mut state, text).unwrap();
            }
            assert!((-1.0..=1.0).contains(&line.value) && line.visits > 0);
        }
    }
}

#[test]
fn a_move_keeps_what_the_table_knows() {
    let (rules, state) = start("standard", 6, 6);
    let mut search = search(&rules, &state, Options { max_depth: 4, ..Options::DEFAULT });
    finish(&mut search);
    let (best, nodes) = (search.report(1).best_move.unwrap(), search.visits());
    search.advance(&best).unwrap();
    assert_eq!((search.visits(), search.report(1).best_move), (0, None));
    finish(&mut search);
    assert!(search.visits() < nodes && search.report(1).depth == 4);
    assert!(search.advance("Cz9").is_err());
    assert!(search.report(1).best_move.is_some(), "a refused move changes nothing");
}

/// Runs until so many steps are complete.
fn finish_steps(search: &mut AlphaBeta<Game>, depth: u32) {
    while search.report(0).depth < depth {
        search.run(64);
    }
}

#[test]
fn looking_ahead_is_a_search_from_there_and_back() {
    let (rules, state) = start("standard", 6, 6);
    let opening: Vec<String> = ["Cb5", "Ce5"].map(String::from).to_vec();
    let mut after = state.clone();
    for text in &opening {
        moves::play_recorded(&*rules, &mut after, text).unwrap();
    }
    let (mut there, mut ahead) =
        (search(&rules, &after, Options::DEFAULT), search(&rules, &state, Options::DEFAULT));
    assert!(!ahead.look_ahead(&[]).unwrap(), "it is at the root");
    there.run(5_000);
    assert!(ahead.look_ahead(&opening).unwrap());
    ahead.run(5_000);
    assert_eq!(ahead.report(3), there.report(3));
    assert!(ahead.look_ahead(&["Cb5".into(), "Cz9".into()]).is_err());
    assert_eq!(ahead.report(3), there.report(3), "a refused move changes nothing");
    assert!(ahead.look_ahead(&opening[..1]).unwrap());
    assert_eq!((ahead.visits(), ahead.report(1).best_move), (0, None));
    assert!(!ahead.look_ahead(&[]).unwrap());
    finish_steps(&mut ahead, 4);
    assert!(moves::play_recorded(&*rules, &mut state.clone(), &ahead.report(1).best_move.unwrap()).is_ok());
    assert!(ahead.look_ahead(&opening).unwrap());
    ahead.advance(&opening[0]).unwrap();
    ahead.advance(&opening[1]).unwrap();
    finish_steps(&mut ahead, 4);
    assert!(moves::play_recorded(&*rules, &mut after, &ahead.report(1).best_move.unwrap()).is_ok());
}

#[test]
fn what_was_seen_ahead_is_known_at_the_root() {
    let (rules, state) = start("classic", 3, 3);
    let searched = |max_depth: usize, ahead: &[String]| {
        let mut search = search(&rules, &state, Options { max_depth, ..Options::DEFAULT });
        for moves in (0..=ahead.len()).rev() {
            search.look_ahead(&ahead[..moves]).unwrap();
            finish(&mut search);
        }
        search.report(1)
    };
    let deep = searched(6, &[]);
    assert_ne!(searched(4, &[]).values, deep.values);
    assert_eq!(searched(4, &deep.lines[0].pv).values, deep.values);
}

#[test]
fn a_thousand_nodes_take_little_memory() {
    let (rules, state) = start("standard", 8, 8);
    let mut search = search(&rules, &state, Options::DEFAULT);
    search.run(1_000);
    assert!(search.bytes() < 1 << 20, "{}", search.bytes());
    search.run(200_000);
    assert!(search.bytes() < 18 << 20, "{}", search.bytes());
}

#[test]
fn a_finished_game_has_nothing_to_search() {
    let (rules, mut state) = start("standard", 3, 3);
    for text in ["Cb2", "---", "Cc1"] {
        moves::play_recorded(&*rules, &mut state, text).unwrap();
    }
    let mut search = search(&rules, &state, Options::DEFAULT);
    assert_eq!(search.run(10), 0);
    assert_eq!((search.report(1).best_move, search.report(1).lines.len()), (None, 0));
}

#[test]
fn options_are_checked() {
    let (rules, state) = start("standard", 5, 5);
    for (options, wanted) in [
        (json!({"search": "alphabeta"}), Ok(())),
        (json!({"search": "alphabeta", "threads": 2.0, "hashMB": 1, "maxDepth": 3, "reductions": false}), Ok(())),
        (json!({"search": "alphabeta", "threads": 0}), Err("threads")),
        (json!({"search": "alphabeta", "hashMB": 1.5}), Err("hashMB")),
        (json!({"search": "alphabeta", "puct": 1}), Err("puct")),
        (json!({"search": "beta"}), Err("alphabeta")),
        (Value::Null, Ok(())),
    ] {
        let spec = SearchSpec { evaluator: "native".into(), options, seed: 0 };
        match (search::open_alphabeta(&rules, &state, &spec), wanted) {
            (Ok(_), Ok(())) => {}
            (Err(error), Err(word)) => assert!(error.to_string().contains(word), "{error}"),
            (got, _) => panic!("{:?} gave {:?}", spec.options, got.err()),
        }
    }
}
