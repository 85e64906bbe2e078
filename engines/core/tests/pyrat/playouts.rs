//! Random games against the plain model, and laws of every turn.

use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::games::pyrat::variant::VARIANTS;
use _core::rules::{Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::model::Model;

/// Games on small boards, whose every position is compared in full.
const SMALL_GAMES: u64 = 3000;

/// Games on the boards of each variant.
const GAMES: u64 = 6;

#[test]
fn random_games_on_small_boards_agree_with_the_model() {
    for seed in 0..SMALL_GAMES {
        let mut rng = Pcg64::seed_from_u64(seed);
        play::<1>("asymmetric", &small_board(&mut rng, seed), &mut rng);
    }
}

#[test]
fn random_games_of_all_variants_agree_with_the_model() {
    for variant in VARIANTS {
        for seed in 0..GAMES {
            let mud_model = if seed % 2 == 0 { "rust" } else { "doc" };
            let config = json!({"seed": seed, "mudModel": mud_model});
            play::<3>(variant, &config, &mut Pcg64::seed_from_u64(seed));
        }
    }
}

#[test]
fn random_games_with_thousands_of_pieces_agree_with_the_model() {
    let config = json!({"width": 64, "height": 64, "cheeseCount": 4094, "maxTurns": 150});
    play::<64>("open", &config, &mut Pcg64::seed_from_u64(1));
}

#[test]
fn random_games_of_all_variants_keep_the_laws() {
    VARIANTS.iter().for_each(|variant| keep_the_laws(variant, 30));
}

#[test]
#[ignore = "takes minutes: cargo test --release --test pyrat -- --ignored"]
fn ten_thousand_games_of_each_variant_keep_the_laws() {
    VARIANTS.iter().for_each(|variant| keep_the_laws(variant, 10_000));
}

/// What holds for every turn, without the model.
fn keep_the_laws(variant: &str, games: u64) {
    for seed in 0..games {
        let (rules, mut state) = PyRat::<3>::setup(variant, &json!({"seed": seed})).unwrap();
        let total = 2 * rules.start().cheese.len();
        let mut rng = Pcg64::seed_from_u64(seed);
        while rules.to_act(&state) == ToAct::Together {
            let before = state.clone();
            let undo = state.play(rules.board(), [0, 1].map(|_| *Direction::ALL.choose(&mut rng).unwrap()));
            let won: usize = state.players().iter().map(|player| usize::from(player.half_points)).sum();
            assert_eq!(won + 2 * state.pieces().count(), total, "{variant} {seed}: no cheese is lost");
            assert_eq!(rules.key(&state), rules.full_key(&state), "{variant} {seed}");
            let mut back = state.clone();
            back.undo(undo);
            assert!(back == before, "{variant} {seed}: a turn can be taken back");
        }
        assert!(state.turn() <= rules.start().max_turns, "{variant} {seed}");
    }
}

/// A board of two to six columns and rows with much mud, on which players often meet.
fn small_board(rng: &mut Pcg64, seed: u64) -> Value {
    let (width, height) = (rng.random_range(2..=6u64), rng.random_range(2..=6u64));
    let count = rng.random_range(1..=width * height - 3);
    let mut config = json!({
        "width": width,
        "height": height,
        "cheeseCount": count,
        "maxTurns": rng.random_range(1..=60),
        "mudModel": if rng.random_bool(0.5) { "rust" } else { "doc" },
        "seed": seed,
    });
    let (rules, _) = PyRat::<1>::setup("asymmetric", &config).unwrap();
    let generated = rules.config();
    let (walls, mut mud) = (generated["walls"].clone(), generated["mud"].as_array().unwrap().clone());
    for edge in passages(&rules) {
        let is_new = mud.iter().all(|mud| [&mud[0], &mud[1]] != [&edge[0], &edge[1]]);
        if is_new && rng.random_bool(0.3) {
            mud.push(json!([edge[0], edge[1], rng.random_range(2..=5)]));
        }
    }
    config["walls"] = walls;
    config["mud"] = mud.into();
    if rng.random_bool(0.3) {
        let mut cell = || json!([rng.random_range(0..width), rng.random_range(0..height)]);
        config["starts"] = json!([cell(), cell()]);
        config["cheese"] = generated["cheese"].clone();
    }
    config
}

/// The passages of a maze as pairs of cells.
fn passages(rules: &PyRat<1>) -> Vec<Value> {
    let maze = &rules.start().maze;
    let open = maze.edge_ids().filter(|edge| maze.edge(*edge) != _core::games::pyrat::maze::Edge::Wall);
    let cell = |cell| json!([maze.grid().x(cell), maze.grid().y(cell)]);
    open.map(|edge| json!(maze.cells_of(edge).map(cell))).collect()
}

/// Plays a random game to its end, comparing every position.
fn play<const W: usize>(variant: &str, config: &Value, rng: &mut Pcg64) {
    let (rules, mut state) = PyRat::<W>::setup(variant, config).unwrap();
    let mut model = Model::new(&rules.config());
    let mut turns = 0;
    while rules.to_act(&state) == ToAct::Together {
        compare(&rules, &state, &model);
        let directions = [0, 1].map(|seat| choose(&rules, &state, &model, seat, rng));
        let before = state.clone();
        let undo = state.play(rules.board(), directions);
        model.play(directions.map(Direction::name));
        let mut back = state.clone();
        back.undo(undo);
        assert!(back == before, "a turn can be taken back");
        let mut by_rules = before;
        rules.play_unchecked(&mut by_rules, &directions);
        assert!(by_rules == state);
        assert_eq!(rules.key(&state), rules.full_key(&state));
        turns += 1;
    }
    compare(&rules, &state, &model);
    assert!(turns <= rules.start().max_turns);
    let ToAct::Over(outcome) = rules.to_act(&state) else { panic!("the game goes on") };
    assert_eq!(Some(outcome.reason), model.outcome());
    let [first, second] = [0, 1].map(|seat: usize| model.players[seat].score);
    let winners = if first > second {
        vec![0]
    } else if second > first {
        vec![1]
    } else {
        vec![]
    };
    assert_eq!(outcome.winners(2), winners);
    assert_eq!(outcome.scores.unwrap()[..2], [first as f32, second as f32]);
}

/// Half of the directions are drawn from those with an effect, so that games also have blocked ones.
fn choose<const W: usize>(
    rules: &PyRat<W>,
    state: &_core::games::pyrat::state::State<W>,
    model: &Model,
    seat: usize,
    rng: &mut Pcg64,
) -> Direction {
    let name = *model.legal(seat).choose(rng).unwrap();
    let any = *Direction::ALL.choose(rng).unwrap();
    if rng.random_bool(0.5) {
        let read = rules.read(state, seat, any.name()).unwrap();
        let effect = if model.legal(seat).contains(&any.name()) { any } else { Direction::Stay };
        assert_eq!(read, [effect]);
        return any;
    }
    Direction::named(name).unwrap()
}

fn compare<const W: usize>(rules: &PyRat<W>, state: &_core::games::pyrat::state::State<W>, model: &Model) {
    let view = rules.view(state, None);
    assert_eq!((view["turn"].clone(), view["cheese"].clone(), view["players"].clone()), model.view());
    for seat in 0..2 {
        let mut legal = Vec::new();
        rules.legal(state, seat, &mut legal);
        let names: Vec<_> = legal.into_iter().map(Direction::name).collect();
        assert_eq!(names, model.legal(seat));
    }
    let scores: f64 = model.players.iter().map(|player| player.score).sum();
    assert_eq!(2.0 * (rules.start().cheese.len() as f64 - scores), f64::from(rules.remaining_half_points(state)));
}
