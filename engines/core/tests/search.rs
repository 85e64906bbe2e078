//! Laws of the PUCT search, with Wallwars as the game.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use _core::evaluation::Evaluation;
use _core::evaluator::Evaluator;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, Direction, Pawn};
use _core::games::wallwars::native::Native;
use _core::games::wallwars::simple::Simple;
use _core::games::wallwars::state::State;
use _core::planes::Signature;
use _core::rules::{MAX_SEATS, Rules, Seat, ToAct, Values};
use _core::search::puct::Puct;
use _core::search::puct::options::Options;
use _core::search::{Batched, Focus, Search, SelfEvaluating};
use serde_json::{Value, json};

type Game = Wallwars<1>;

fn start(variant: &str, width: u32, height: u32) -> (Arc<Game>, State<1>) {
    let (rules, state) = Game::setup(variant, &json!({"boardWidth": width, "boardHeight": height})).unwrap();
    (Arc::new(rules), state)
}

fn search(options: Options, evaluator: impl Evaluator<Game> + 'static) -> Puct<Game> {
    let (rules, state) = start("standard", 4, 4);
    Puct::new(rules, state, Some(Box::new(evaluator)), options, 42)
}

fn native(width: u32, height: u32) -> Puct<Game> {
    let (rules, state) = start("standard", width, height);
    Puct::new(rules, state, Some(Box::new(Native::default())), Options::DEFAULT, 42)
}

/// Only ever steps down, sees every position as even, and counts how often it is asked.
struct Down(Arc<AtomicUsize>);

impl Evaluator<Game> for Down {
    fn value(&self, _: &Game, _: &State<1>) -> Values {
        self.0.fetch_add(1, Ordering::Relaxed);
        [0.0; MAX_SEATS]
    }

    fn priors(&self, _: &Game, _: &State<1>, _: Seat, actions: &[Action], out: &mut Vec<f32>) {
        let down = Action::step(Pawn::Cat, Direction::Down);
        out.extend(actions.iter().map(|action| f32::from(u8::from(*action == down))));
    }
}

#[test]
fn a_fresh_root_has_one_visit_and_the_first_simulation_improves_it() {
    let steps_only = Simple { move_prior: 1.0, ..Simple::default() };
    let mut search = search(Options::REFERENCE, steps_only);
    assert_eq!((search.visits(), search.report(1).values[0]), (1, 0.0));
    assert_eq!(search.report(1).best_move, None, "nothing was searched yet");
    assert_eq!(search.run(1), 1);
    assert_eq!(search.visits(), 2);
    assert!(search.report(1).values[0] > 0.0);
}

#[test]
fn a_single_line_is_evaluated_once_per_state() {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut search = search(Options::REFERENCE, Down(Arc::clone(&asked)));
    search.run(1000);
    assert_eq!(search.visits(), 1001);
    assert_eq!(asked.load(Ordering::Relaxed), 6);
}

#[test]
fn looking_changes_nothing() {
    let mut search = native(5, 5);
    search.run(50);
    let first = search.report(5);
    assert_eq!(search.report(5), first);
    assert_eq!(search.visits(), 51);
}

#[test]
fn the_same_simulations_in_parts_give_the_same_tree() {
    let (mut whole, mut parts) = (native(6, 5), native(6, 5));
    whole.run(600);
    for part in [1, 99, 250, 250] {
        parts.run(part);
    }
    assert_eq!(whole.report(10), parts.report(10));
}

#[test]
fn a_move_keeps_the_visits_of_its_child_and_frees_the_rest() {
    let mut search = native(8, 8);
    search.run(2000);
    while search.focus() {
        search.run(500);
    }
    let report = search.report(3);
    let best = report.lines[0].clone();
    let bytes = search.bytes();
    search.advance(&best.text).unwrap();
    let after = search.report(1);
    assert!(after.visits > 0 && after.visits <= best.visits, "{} of {}", after.visits, best.visits);
    assert_eq!(after.inherited, after.visits);
    assert!(search.bytes() < bytes);
    search.advance(">a8.>b8").unwrap();
    assert_eq!(search.report(1).inherited, 0, "a move that was never tried starts a new tree");
    assert_eq!(search.visits(), 1);
}

#[test]
fn a_move_is_found_in_whatever_order_it_was_searched() {
    let mut search = native(8, 8);
    search.run(20_000);
    let lines = search.report(12).lines;
    assert!(lines.iter().any(|line| line.text.contains('.')), "some of them are two actions");
    for line in lines {
        let mut search = native(8, 8);
        search.run(20_000);
        search.advance(&line.text).unwrap();
        let inherited = search.report(1).inherited;
        assert!(2 * inherited >= line.visits, "{}: {inherited} of {}", line.text, line.visits);
    }
}

#[test]
fn a_refused_move_leaves_the_search_as_it_was() {
    let mut search = native(5, 5);
    search.run(100);
    let before = search.report(5);
    assert!(search.advance("Cz9").is_err());
    assert!(search.advance("Ca1").is_err());
    assert_eq!(search.report(5), before);
}

#[test]
fn the_second_action_is_searched_behind_the_first() {
    let mut search = native(8, 8);
    search.run(300);
    assert!(search.focus(), "a first action needs a second");
    let before = search.focus_visits();
    search.run(200);
    assert_eq!(search.focus_visits(), before + 200, "every simulation goes through the fixed action");
    assert!(!search.focus(), "the move is complete");
    search.unfocus();
    assert_eq!(search.focus_visits(), search.visits());
}

#[test]
fn a_win_in_one_turn_is_found() {
    let pawns = json!({"p1": {"cat": [0, 0], "home": [4, 4]}, "p2": {"cat": [3, 0], "home": [4, 1]}});
    let config = json!({"boardWidth": 5, "boardHeight": 5, "initialState": {"pawns": pawns, "walls": []}});
    let (rules, mut state) = Game::setup("classic", &config).unwrap();
    _core::moves::play_recorded(&rules, &mut state, "Cb5").unwrap();
    let mut search = Puct::new(Arc::new(rules), state, Some(Box::new(Native::default())), Options::DEFAULT, 1);
    search.run(400);
    while search.focus() {
        search.run(400);
    }
    let report = search.report(1);
    assert_eq!(report.best_move.as_deref(), Some("Cb1"));
    assert!(report.values[1] > 0.9);
}

#[test]
fn a_won_game_is_also_ended() {
    for seat in [0, 1] {
        let (rules, mut state) = start("standard", 8, 8);
        let mut search = native(8, 8);
        let mut plies = 0;
        while let ToAct::One(mover) = rules.to_act(&state) {
            let text = if mover == seat { think(&mut search, 300) } else { "---".into() };
            _core::moves::play_recorded(&*rules, &mut state, &text).unwrap();
            search.advance(&text).unwrap();
            plies += 1;
            assert!(plies < 30, "fourteen steps to go, and nobody in the way");
        }
        assert!(matches!(rules.to_act(&state), ToAct::Over(outcome) if outcome.winners(2) == [seat]));
    }
}

fn think(search: &mut Puct<Game>, simulations: u32) -> String {
    search.unfocus();
    search.run(simulations);
    while search.focus() {
        search.run(simulations);
    }
    search.report(1).best_move.unwrap()
}

#[test]
fn a_finished_game_has_nothing_to_search() {
    let (rules, mut state) = start("standard", 3, 3);
    for text in ["Cb2", "---", "Cc1"] {
        _core::moves::play_recorded(&*rules, &mut state, text).unwrap();
    }
    let mut search = Puct::new(rules, state, Some(Box::new(Native::default())), Options::DEFAULT, 1);
    assert_eq!(search.run(10), 0);
    let report = search.report(1);
    assert_eq!((report.best_move, report.values[0], report.values[1]), (None, 1.0, -1.0));
}

// ---- evaluations from outside ----------------------------------------------------------------------------------

const SIGNATURE: Signature = Signature { planes: 9, dim2: 5, dim3: 5, policy: 58, values: 1 };

fn outside() -> Puct<Game> {
    let (rules, state) = start("standard", 5, 5);
    Puct::new(rules, state, None, Options::REFERENCE, 42)
}

/// Evaluates a row by a fixed function of it alone, as a network would.
fn evaluate(row: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let sum: f32 = row.iter().enumerate().map(|(index, plane)| plane * (index % 7) as f32).sum();
    let priors = (0..SIGNATURE.policy).map(|index| 0.5 + 0.5 * ((index as f32 + sum) * 12.9898).sin()).collect();
    (priors, vec![(sum * 0.37).sin() * 0.5])
}

fn step(search: &mut Puct<Game>, room: usize) -> usize {
    let mut keys = Vec::new();
    search.gather(room, &mut keys);
    let evaluations: Vec<Evaluation> = (0..keys.len())
        .map(|leaf| {
            let mut row = vec![f32::NAN; SIGNATURE.input_len()];
            search.fill(&SIGNATURE, leaf, &mut row);
            assert!(row.iter().all(|plane| plane.is_finite()), "every plane is written");
            let (priors, values) = evaluate(&row);
            search.read(&SIGNATURE, leaf, &priors, &values)
        })
        .collect();
    search.absorb(&evaluations);
    keys.len()
}

#[test]
fn five_in_flight_and_sixteen_simulations_give_seventeen_visits() {
    let mut search = outside();
    let mut leaves = 0;
    while search.visits() < 17 {
        let missing = 17 - search.visits() as usize;
        leaves += step(&mut search, missing.min(5));
    }
    assert_eq!(search.visits(), 17);
    assert_eq!(leaves, search.report(1).nodes, "no leaf was evaluated twice");
}

#[test]
fn what_was_gathered_can_be_given_back() {
    let mut search = outside();
    for _ in 0..20 {
        step(&mut search, 4);
    }
    let before = search.report(50);
    let (flight, mut keys) = (search.flight(), Vec::new());
    search.gather(4, &mut keys);
    assert!(!keys.is_empty());
    search.cancel();
    assert_ne!(search.flight(), flight);
    assert_eq!(search.report(50), before);
    let mut twin = outside();
    for _ in 0..20 {
        step(&mut twin, 4);
    }
    for _ in 0..10 {
        step(&mut search, 4);
        step(&mut twin, 4);
    }
    assert_eq!(search.report(50), twin.report(50), "nothing of it is left");
}

#[test]
fn options_are_checked() {
    for (json, wanted) in [
        (json!({"preset": "reference"}), Ok(Options::REFERENCE)),
        (Value::Null, Ok(Options::DEFAULT)),
        (json!({"puct": -1}), Err("puct")),
        (json!({"preset": "best"}), Err("preset")),
        (json!({"cpuct": 1}), Err("cpuct")),
        (json!([]), Err("object")),
    ] {
        match (Options::read(&json), wanted) {
            (Ok(options), Ok(wanted)) => assert_eq!(options, wanted),
            (Err(error), Err(word)) => assert!(error.to_string().contains(word), "{error}"),
            (got, _) => panic!("{json} gave {got:?}"),
        }
    }
}

#[test]
fn the_memory_of_a_move_is_foretold() {
    for (columns, rows, simulations) in [(8, 8, 20_000), (7, 7, 10_000), (8, 6, 5_000)] {
        let mut search = native(columns, rows);
        let foretold = search.bytes_for(simulations);
        search.run(simulations);
        while search.focus() {
            search.run(simulations);
        }
        let share = search.bytes() as f64 / foretold as f64;
        assert!((0.5..1.25).contains(&share), "{share} of {foretold} on {columns}x{rows}");
    }
}

#[test]
fn actions_that_were_never_tried_take_no_memory() {
    let mut own = native(8, 8);
    own.run(20_000);
    assert!(own.bytes() < 20_000 * 160, "{}", own.bytes());
    let mut evaluated = outside();
    let foretold = evaluated.bytes_for(1000);
    while evaluated.visits() < 2000 {
        step(&mut evaluated, 8);
    }
    assert!(evaluated.bytes() < 2000 * 450, "{}", evaluated.bytes());
    let share = evaluated.bytes() as f64 / foretold as f64;
    assert!((0.5..1.25).contains(&share), "{share} of {foretold}");
}
