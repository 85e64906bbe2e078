//! Flat actions, planes and environments, in every game that has them.

use std::collections::{HashMap, HashSet};

use _core::environments::{Environments, FinalObservations, Outputs, Rewards, Spec};
use _core::flat::Flat;
use _core::games::carcassonne::Carcassonne;
use _core::games::hive::Hive;
use _core::games::open;
use _core::games::pyrat::PyRat;
use _core::games::wallwars::Wallwars;
use _core::position::Position;
use _core::rules::{Rules, ToAct, hash_of};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

/// A game with the size of its planes, if it is not the usual one.
struct Sample {
    game: &'static str,
    variant: &'static str,
    config: Value,
    size: Option<usize>,
    laws: fn(&Sample),
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |game, variant, config, size, laws| samples.push(Sample { game, variant, config, size, laws });
    add("wallwars", "standard", json!({"boardWidth": 5, "boardHeight": 4}), None, laws::<Wallwars<1>>);
    add("wallwars", "classic", json!({"boardWidth": 3, "boardHeight": 3}), None, laws::<Wallwars<1>>);
    add("wallwars", "freestyle", json!({"seed": 5}), None, laws::<Wallwars<2>>);
    for variant in ["Base", "Base+MLP", "Base+P"] {
        add("hive", variant, json!({"plyLimit": 120}), None, laws::<Hive>);
    }
    add("hive", "Base", json!({"plyLimit": 60}), Some(30), laws::<Hive>);
    add("hive", "Base+MLP", json!({"plyLimit": 60, "drawByRepetition": false}), Some(8), laws::<Hive>);
    add("carcassonne", "standard", json!({"seed": 1}), None, laws::<Carcassonne>);
    add("carcassonne", "standard", json!({"seats": 5, "seed": 3}), Some(74), laws::<Carcassonne>);
    add("carcassonne", "meeple_compat", json!({"seats": 3, "seed": 2}), Some(8), laws::<Carcassonne>);
    add("carcassonne", "standard", json!({"seats": 4, "seed": 2, "tileCount": 1}), None, laws::<Carcassonne>);
    add("pyrat", "small", json!({"seed": 4}), None, laws::<PyRat<1>>);
    add("pyrat", "asymmetric", json!({"seed": 4}), None, laws::<PyRat<1>>);
    samples
}

#[test]
fn flat_actions_keep_their_laws() {
    for sample in samples() {
        (sample.laws)(&sample);
    }
}

/// Along random games: whoever acts has flat actions, each is a legal action of its own number, planes are finite, and all of
/// it follows from what the seat knows.
fn laws<R: Rules>(sample: &Sample) {
    let (rules, start) = R::setup(sample.variant, &sample.config).unwrap();
    let flat = Flat::new(&rules, sample.size).unwrap();
    let whole = !rules.planes().unwrap().has_edge(flat.signature());
    let mut known = HashMap::new();
    for seed in 0..3 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut state = start.clone();
        for _ in 0..100 {
            let slice = choose(&rules, &flat, &state, whole, &mut rng);
            follows_from_what_is_known(&rules, &flat, &state, &mut known);
            if slice.is_empty() {
                assert!(matches!(rules.to_act(&state), ToAct::Over(_)));
                break;
            }
            rules.play_unchecked(&mut state, &slice);
        }
    }
}

/// A random flat action of every acting seat.
fn choose<R: Rules>(
    rules: &R,
    flat: &Flat<'_, R>,
    state: &R::State,
    whole: bool,
    rng: &mut Pcg64,
) -> Vec<R::Action> {
    let (mut legal, mut listed) = (Vec::new(), Vec::new());
    let acting = rules.acting(state);
    let mut slice = Vec::new();
    for seat in 0..rules.seats() {
        flat.list(state, seat, &mut legal, &mut listed);
        assert_eq!(listed.is_empty(), !acting.contains(&seat));
        let numbers: HashSet<u32> = listed.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers.len(), listed.len(), "each number is one action");
        assert!(numbers.iter().all(|number| (*number as usize) < flat.actions()));
        for (number, action) in &listed {
            assert!(rules.is_legal(state, seat, *action));
            if rules.at_rest(state) {
                let (text, _) = flat.text(state, seat, "", *number).unwrap();
                let read = rules.read(state, seat, &text).unwrap();
                assert!(read == [*action] || rules.end_early(state) == Some(*action), "{text}");
            }
        }
        let mut all = Vec::new();
        rules.legal(state, seat, &mut all);
        assert!(!whole || all.len() <= listed.len() + 1, "a window that holds everything offers every action");
        slice.extend(listed.choose(rng).map(|(_, action)| *action));
    }
    slice
}

/// Positions that are the same for a seat have the same planes and numbers, also after a new deal.
fn follows_from_what_is_known<R: Rules>(
    rules: &R,
    flat: &Flat<'_, R>,
    state: &R::State,
    known: &mut HashMap<u128, u64>,
) {
    for seat in 0..rules.seats() {
        let mut redealt = state.clone();
        if let Some(hidden) = rules.hidden() {
            hidden.redeal(&mut redealt, seat, 7);
        }
        for state in [state, &redealt] {
            let mut row = vec![f32::NAN; flat.signature().input_len()];
            flat.fill(state, seat, &mut row);
            let fits = row.iter().fold(true, |fits, number| fits & (0.0..=4.0).contains(number));
            assert!(fits, "planes hold numbers from 0 to 4");
            let mut numbers = flat.legal(state, seat, "").unwrap();
            numbers.sort_unstable();
            let key = rules.information_key(state, seat) ^ seat as u128;
            let bits: Vec<u32> = row.into_iter().map(f32::to_bits).collect();
            let shown = hash_of((bits, numbers));
            assert_eq!(
                *known.entry(key).or_insert(shown),
                shown,
                "the same knowledge, but other planes or actions"
            );
        }
    }
}

/// Bugs of a kind have no numbers of their own: both orders of play lead to the same planes.
#[test]
fn numbers_of_bugs_do_not_matter() {
    let orders =
        ["wG1;bG1 wG1-;wA1 -wG1;bA1 bG1-;wA2 /wG1;bA2 bG1\\", "wG1;bG1 wG1-;wA1 /wG1;bA1 bG1\\;wA2 -wG1;bA2 bG1-"];
    let [first, second] = orders.map(|moves| {
        let mut position = open("hive", Some("Base"), &json!({})).unwrap();
        position.play(&moves.split(';').map(String::from).collect::<Vec<_>>()).unwrap();
        position
    });
    assert_eq!(first.key(), second.key());
    assert_eq!(first.observe(0, "", None).unwrap(), second.observe(0, "", None).unwrap());
    let [first, second] = [first, second].map(|position| {
        let mut numbers = position.flat_legal(0, "", None).unwrap();
        numbers.sort_unstable();
        numbers
    });
    assert_eq!(first, second);
}

/// The numbers of a move lead to its text, action by action.
#[test]
fn a_move_and_its_numbers_are_the_same() {
    for sample in samples() {
        let mut position = open(sample.game, Some(sample.variant), &sample.config).unwrap();
        let mut rng = Pcg64::seed_from_u64(3);
        for _ in 0..40 {
            let mut texts = Vec::new();
            for seat in position.to_act() {
                let (mut text, mut whole) = (String::new(), false);
                while !whole {
                    let offered = position.flat_legal(seat, &text, sample.size).unwrap();
                    let number = *offered.choose(&mut rng).unwrap();
                    (text, whole) = position.flat_text(seat, &text, number, sample.size).unwrap();
                }
                let mut again = String::new();
                for number in position.flat_indices(seat, &text, sample.size).unwrap() {
                    (again, _) = position.flat_text(seat, &again, number, sample.size).unwrap();
                }
                assert_eq!(again, text);
                texts.push(text);
            }
            if texts.is_empty() {
                break;
            }
            position.play(&[texts.join("/")]).unwrap();
        }
    }
}

/// A move that shares its number with an earlier one, at the edge of planes that are too small, has none.
#[test]
fn moves_without_a_number_are_refused() {
    for (game, refused_most) in [("hive", 1_000), ("carcassonne", 1_000)] {
        let mut position = open(game, None, &json!(null)).unwrap();
        let mut rng = Pcg64::seed_from_u64(5);
        let (mut refused, mut found) = (0, 0);
        while let Some(&seat) = position.to_act().first()
            && position.ply() < 60
        {
            let legal = position.legal_moves(Some(seat)).unwrap();
            for text in &legal {
                match position.flat_indices(seat, text, Some(8)) {
                    Err(_) => refused += 1,
                    Ok(numbers) => {
                        found += 1;
                        let mut again = String::new();
                        for number in numbers {
                            (again, _) = position.flat_text(seat, &again, number, Some(8)).unwrap();
                        }
                        assert_eq!(again, *text);
                    }
                }
            }
            let chosen = legal.choose(&mut rng).unwrap().clone();
            position.play_submitted(&chosen, Some(seat), None).unwrap();
        }
        assert!(found > 500 && 0 < refused && refused < refused_most, "{game}: {found} and {refused}");
    }
}

/// Each seat of a maze sees its own planes first.
#[test]
fn seats_that_act_together_see_themselves_first() {
    let position = open("pyrat", Some("asymmetric"), &json!({"seed": 3})).unwrap();
    let [own, other] = [0, 1].map(|seat| position.observe(seat, "", None).unwrap());
    assert!(own != other);
    let area = own.len() / 21;
    assert_eq!(own[..area], other[area..2 * area]);
    assert_eq!(own[2 * area..7 * area], other[2 * area..7 * area]);
}

/// Everything that a step writes.
struct Arrays {
    planes: Vec<f32>,
    masks: Vec<bool>,
    seats: Vec<i64>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Arrays {
    fn of(games: &dyn Environments) -> Self {
        let shape = games.shape();
        Self {
            planes: vec![f32::NAN; shape.games * shape.choosing * shape.signature.input_len()],
            masks: vec![false; shape.games * shape.choosing * shape.actions],
            seats: vec![-1; shape.games],
            rewards: vec![f32::NAN; shape.games * shape.seats],
            terminated: vec![false; shape.games],
            truncated: vec![false; shape.games],
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            planes: &mut self.planes,
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
        }
    }

    /// A random legal action for each mask.
    fn choose(&self, actions: usize, rng: &mut Pcg64) -> Vec<i64> {
        let numbers = |mask: &[bool]| -> Vec<i64> {
            (0..).zip(mask).filter(|(_, legal)| **legal).map(|(number, _)| number).collect()
        };
        self.masks.chunks_exact(actions).map(|mask| *numbers(mask).choose(rng).unwrap()).collect()
    }
}

fn spec(sample: &Sample, games: usize, threads: usize, rewards: Rewards) -> Spec {
    Spec {
        variant: sample.variant.into(),
        config: sample.config.clone(),
        seeded: sample.config.get("seed").is_none() && matches!(sample.game, "carcassonne" | "pyrat"),
        games,
        size: sample.size,
        rewards,
        max_steps: 90,
        threads,
    }
}

/// Games in a batch are what positions are: planes, masks, seats, rewards, ends and new beginnings.
#[test]
fn a_batch_plays_what_positions_play() {
    for sample in samples() {
        let start = open(sample.game, Some(sample.variant), &sample.config).unwrap();
        let rewards = if start.scores().is_some() { Rewards::Points } else { Rewards::Result };
        let mut early = start.environments(spec(&sample, 3, 1, rewards)).unwrap();
        let mut unused = Arrays::of(&*early);
        let refused = early.step(&vec![0; 3 * early.shape().choosing], &mut unused.outputs()).unwrap_err();
        assert_eq!(refused.to_string(), "the games have not begun: they need a reset");
        let mut games = start.environments(spec(&sample, 3, 1, rewards)).unwrap();
        let shape = games.shape();
        let mut arrays = Arrays::of(&*games);
        games.reset(5, &mut arrays.outputs()).unwrap();
        let mut rng = Pcg64::seed_from_u64(1);
        let followed = sample.config.get("seed").is_some() || !matches!(sample.game, "carcassonne" | "pyrat");
        let (mut position, mut staged, mut steps) = (start.boxed_clone(), String::new(), 0);
        for _ in 0..140 {
            let seat = arrays.seats[0] as usize;
            if followed {
                let mask = &arrays.masks[..shape.actions];
                let listed: Vec<u32> =
                    (0..).zip(mask).filter(|(_, legal)| **legal).map(|(number, _)| number).collect();
                let mut offered = position.flat_legal(seat, &staged, sample.size).unwrap();
                offered.sort_unstable();
                assert_eq!(listed, offered);
                for (row, choosing) in
                    arrays.planes.chunks_exact(shape.signature.input_len()).zip(0..shape.choosing)
                {
                    let seat = if shape.choosing == 1 { seat } else { choosing };
                    assert!(row == position.observe(seat, &staged, sample.size).unwrap());
                }
            }
            let before = position.scores();
            let chosen = arrays.choose(shape.actions, &mut rng);
            games.step(&chosen, &mut arrays.outputs()).unwrap();
            if !followed {
                continue;
            }
            let texts: Vec<(String, bool)> = (0..shape.choosing)
                .map(|choosing| {
                    let seat = if shape.choosing == 1 { seat } else { choosing };
                    position.flat_text(seat, &staged, chosen[choosing] as u32, sample.size).unwrap()
                })
                .collect();
            staged = if texts[0].1 {
                let whole: Vec<String> = texts.into_iter().map(|(text, _)| text).collect();
                position.play(&[whole.join("/")]).unwrap();
                String::new()
            } else {
                texts[0].0.clone()
            };
            steps += 1;
            let outcome = position.outcome();
            assert_eq!(arrays.terminated[0], outcome.is_some());
            assert_eq!(arrays.truncated[0], outcome.is_none() && steps == 90);
            let won = &arrays.rewards[..shape.seats];
            match rewards {
                Rewards::Result => {
                    let values = outcome.map_or([0.0; 5], |outcome| outcome.values(shape.seats));
                    assert_eq!(won, &values[..shape.seats]);
                }
                _ if staged.is_empty() => {
                    let after = outcome.and_then(|outcome| outcome.scores).or_else(|| position.scores()).unwrap();
                    let before = before.unwrap();
                    let expected: Vec<f32> = (0..shape.seats).map(|seat| after[seat] - before[seat]).collect();
                    assert_eq!(won, expected);
                }
                _ => assert!(won.iter().all(|points| *points == 0.0)),
            }
            let last = games.final_observations().unwrap();
            let ended = (0..3).filter(|game| arrays.terminated[*game] || arrays.truncated[*game]);
            assert_eq!(last.games, ended.collect::<Vec<_>>());
            if arrays.terminated[0] || arrays.truncated[0] {
                saw_the_end(&*position, &staged, sample.size, &last);
                (position, staged, steps) = (start.boxed_clone(), String::new(), 0);
            }
        }
    }
}

/// The first of the games that ended is this one, as each of its seats saw it.
fn saw_the_end(position: &dyn Position, staged: &str, size: Option<usize>, last: &FinalObservations) {
    let (signature, actions) = position.flat_shape(size).unwrap();
    let rows = last.planes.chunks_exact(signature.input_len()).zip(last.masks.chunks_exact(actions));
    for (seat, (row, mask)) in (0..position.seats()).zip(rows) {
        assert!(row == position.observe(seat, staged, size).unwrap());
        let listed: Vec<u32> = (0..).zip(mask).filter(|(_, legal)| **legal).map(|(number, _)| number).collect();
        let mut offered = Vec::new();
        if position.to_act().contains(&seat) {
            offered = position.flat_legal(seat, staged, size).unwrap();
        }
        offered.sort_unstable();
        assert_eq!(listed, offered);
    }
}

/// The same seed gives the same games, with any number of threads; another seed gives others where something is random.
#[test]
fn games_follow_from_the_seed() {
    for (game, config) in
        [("pyrat", json!({})), ("carcassonne", json!({"seats": 3})), ("hive", json!({"plyLimit": 50}))]
    {
        let start = open(game, None, &config).unwrap();
        let play = |threads: usize, seed: u64| {
            let sample = Sample { game, variant: variant(game), config: config.clone(), size: None, laws: |_| {} };
            let mut games = start.environments(spec(&sample, 4, threads, Rewards::Result)).unwrap();
            let mut arrays = Arrays::of(&*games);
            games.reset(seed, &mut arrays.outputs()).unwrap();
            let mut rng = Pcg64::seed_from_u64(2);
            let mut seen = Vec::new();
            for _ in 0..120 {
                let chosen = arrays.choose(games.shape().actions, &mut rng);
                games.step(&chosen, &mut arrays.outputs()).unwrap();
                seen.push((arrays.planes.iter().sum::<f32>(), arrays.seats.clone(), arrays.terminated.clone()));
            }
            seen
        };
        let first = play(1, 9);
        assert!(first == play(2, 9), "{game}");
        assert_eq!(first == play(1, 10), game == "hive", "{game}");
    }
}

fn variant(game: &str) -> &'static str {
    _core::games::find(game).unwrap().variants[0]
}

/// One illegal action stops the whole step before anything is played.
#[test]
fn an_illegal_action_changes_nothing() {
    let start = open("pyrat", Some("tiny"), &json!({"seed": 1})).unwrap();
    let sample = Sample { game: "pyrat", variant: "tiny", config: json!({"seed": 1}), size: None, laws: |_| {} };
    let mut games = start.environments(spec(&sample, 3, 1, Rewards::Lead)).unwrap();
    let mut arrays = Arrays::of(&*games);
    games.reset(0, &mut arrays.outputs()).unwrap();
    let before = (arrays.planes.clone(), arrays.masks.clone());
    for wrong in [5, -1, i64::MAX, 1 << 32] {
        let refused = games.step(&[4, 4, 4, 4, 4, wrong], &mut arrays.outputs()).unwrap_err();
        assert_eq!(refused.to_string(), format!("game 2: action {wrong} is not legal here"));
        assert!(before == (arrays.planes.clone(), arrays.masks.clone()));
    }
    let mut again = Arrays::of(&*games);
    games.step(&[4; 6], &mut again.outputs()).unwrap();
    assert!(again.rewards.iter().all(|points| *points == 0.0));
}

/// What cannot be: no games, points where there are none, other sizes, variants without planes.
#[test]
fn bad_environments_are_refused() {
    let refusal = |game: &'static str, variant: &'static str, change: fn(&mut Spec)| {
        let config = match game {
            _ if variant == "survival" => survival(),
            _ => json!({}),
        };
        let sample = Sample { game, variant, config, size: None, laws: |_| {} };
        let mut spec = spec(&sample, 1, 1, Rewards::Result);
        change(&mut spec);
        open(game, Some(variant), &sample.config).unwrap().environments(spec).err().map(|error| error.to_string())
    };
    assert_eq!(refusal("hive", "Base", |_| {}), None);
    assert_eq!(refusal("hive", "Base", |spec| spec.games = 0).unwrap(), "0 games are not from 1 to 65536");
    let many = refusal("hive", "Base", |spec| spec.games = 1_000_000_000).unwrap();
    assert_eq!(many, "1000000000 games are not from 1 to 65536");
    let threads = refusal("hive", "Base", |spec| spec.threads = 500_000_000).unwrap();
    assert_eq!(threads, "500000000 threads are more than 256");
    let points = refusal("hive", "Base", |spec| spec.rewards = Rewards::Points).unwrap();
    assert_eq!(points, "this game has no points to reward");
    let size = refusal("hive", "Base", |spec| spec.size = Some(7)).unwrap();
    assert_eq!(size, "planes have a size from 8 to 30 in this game, not 7");
    let fixed = refusal("pyrat", "tiny", |spec| spec.size = Some(9)).unwrap();
    assert_eq!(fixed, "planes have the size of the board in this game");
    assert_eq!(refusal("wallwars", "survival", |_| {}).unwrap(), "models do not support survival");
    assert_eq!(refusal("toy-goofspiel", "standard", |_| {}).unwrap(), "this game has no planes");
}

fn survival() -> Value {
    let state = json!({"cat": [0, 0], "mouse": [4, 4], "turnsToSurvive": 6, "mouseCanMove": true, "walls": []});
    json!({"boardWidth": 5, "boardHeight": 5, "initialState": state})
}
