//! The laws of the rules contract, run for every game of the catalogue (and both toy games).

use std::collections::HashSet;

use _core::games::carcassonne::Carcassonne;
use _core::games::hive::Hive;
use _core::games::pyrat::PyRat;
use _core::games::toys::{draw::Draw, goofspiel::Goofspiel};
use _core::games::wallwars::Wallwars;
use _core::games::{self, CATALOGUE, open};
use _core::rules::{Outcome, Rules, ToAct};
use _core::{hidden::Hidden, moves};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

const GAMES: u64 = 4;
const MOST_PLIES: usize = 50;

/// A variant and configuration of a game, and the laws to run for it.
pub(super) struct Sample {
    pub(super) game: &'static str,
    pub(super) variant: &'static str,
    pub(super) config: Value,
    laws: fn(&str, &Value),
}

/// Every game with the variants and configurations that the laws are run for.
pub(super) fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |game, variant, config, laws| samples.push(Sample { game, variant, config, laws });
    add("wallwars", "standard", json!(null), laws::<Wallwars<1>>);
    add("wallwars", "standard", json!({"boardWidth": 4, "boardHeight": 3}), laws::<Wallwars<1>>);
    add("wallwars", "standard", json!({"boardWidth": 20, "boardHeight": 20}), laws::<Wallwars<7>>);
    add("wallwars", "classic", json!({"boardWidth": 5, "boardHeight": 6}), laws::<Wallwars<1>>);
    add("wallwars", "classic", json!({"boardWidth": 13, "boardHeight": 12}), laws::<Wallwars<4>>);
    add("wallwars", "freestyle", json!({"seed": 5}), laws::<Wallwars<2>>);
    add("wallwars", "survival", survival(), laws::<Wallwars<1>>);
    for variant in _core::games::hive::variant::TYPES {
        add("hive", variant, json!(null), laws::<Hive>);
    }
    add("hive", "Base", json!({"drawByRepetition": false, "plyLimit": 30, "queenFirst": true}), laws::<Hive>);
    add("hive", "Base+P", json!({"gameString": ENDGAME, "plyLimit": 0}), laws::<Hive>);
    add("hive", "Base+MLP", composed(), laws::<Hive>);
    add("carcassonne", "standard", json!(null), laws::<Carcassonne>);
    add("carcassonne", "standard", json!({"seats": 5, "seed": 3}), laws::<Carcassonne>);
    add("carcassonne", "standard", json!({"seats": 3, "tileCount": 12, "tile": "E"}), laws::<Carcassonne>);
    add("carcassonne", "meeple_compat", json!({"seats": 4, "tileCount": 40, "seed": 8}), laws::<Carcassonne>);
    for variant in ["medium", "tiny", "small", "open", "asymmetric"] {
        add("pyrat", variant, json!({"seed": 4}), laws::<PyRat<1>>);
    }
    add("pyrat", "large", json!({"seed": 2}), laws::<PyRat<3>>);
    add("pyrat", "huge", json!(null), laws::<PyRat<3>>);
    add("pyrat", "huge", json!({"cheeseCount": 200, "mudModel": "doc", "maxTurns": 30}), laws::<PyRat<64>>);
    add("pyrat", "open", open_board(), laws::<PyRat<1>>);
    add("toy-goofspiel", "standard", json!({"cards": 6}), laws::<Goofspiel>);
    add("toy-draw", "standard", json!({"seats": 3, "seed": 11}), laws::<Draw>);
    add("toy-draw", "standard", json!({"seats": 2, "first": 4}), laws::<Draw>);
    samples
}

/// Few moves and no placements are left.
const ENDGAME: &str = "Base+P;InProgress;White[9];wP;bB1 wP-;wQ /wP;bQ bB1/;wQ wP\\;bQ \\bB1;wQ /wP;bA1 bQ/;wQ wP\\;\
                       bA1 -bQ;wQ /wP;bB2 \\bQ;wQ wP\\;bB2 bQ;bA1 -wP;bB1 wQ";

/// A position that was set up, in which White's Queen is late.
fn composed() -> Value {
    let cell = |q: i32, r: i32, pieces: &[&str]| json!({"q": q, "r": r, "pieces": pieces});
    let cells = [
        cell(-40, 7, &["bQ", "wB2", "bM"]),
        cell(-39, 7, &["wA3"]),
        cell(-40, 8, &["wS1"]),
        cell(-41, 8, &["wP"]),
    ];
    json!({"cells": cells, "toMove": 1})
}

fn survival() -> Value {
    let state = json!({"cat": [0, 0], "mouse": [4, 4], "turnsToSurvive": 6, "mouseCanMove": true, "walls": []});
    json!({"boardWidth": 5, "boardHeight": 5, "initialState": state})
}

fn open_board() -> Value {
    json!({"width": 3, "height": 3, "cheese": [[1, 0], [1, 1], [0, 2]], "starts": [[0, 0], [2, 1]], "maxTurns": 9})
}

#[test]
fn every_game_is_sampled() {
    for game in CATALOGUE {
        for variant in game.variants {
            let sampled = samples().iter().any(|sample| sample.game == game.name && sample.variant == *variant);
            assert!(sampled, "{} {variant} has no sample", game.name);
        }
    }
}

/// Null stands for the default, and unknown members are refused, with the nearest known one.
#[test]
fn configurations_have_known_members() {
    for sample in samples() {
        let game = games::find(sample.game).unwrap();
        let start = open(sample.game, Some(sample.variant), &sample.config).unwrap();
        let mut complete = start.config();
        let given = complete.as_object_mut().unwrap();
        let members: Vec<&str> = given.keys().map(String::as_str).collect();
        assert!(members.iter().all(|name| game.members.contains(name)), "{members:?} of {}", sample.game);
        for name in game.members {
            given.entry(*name).or_insert(Value::Null);
        }
        let again = open(sample.game, Some(sample.variant), &complete).unwrap();
        assert_eq!(again.config(), start.config(), "null stands for the default");
        for name in game.members {
            let misspelt = format!("{name}s");
            let refusal = open(sample.game, Some(sample.variant), &json!({misspelt: null})).err().unwrap();
            assert!(refusal.to_string().ends_with(&format!("did you mean '{name}'?")), "{refusal}");
        }
        let named = |game: &str, variant: &str| {
            let mut config = start.config();
            (config["game"], config["variant"]) = (json!(game), json!(variant));
            open(sample.game, Some(sample.variant), &config)
        };
        assert_eq!(named(sample.game, sample.variant).unwrap().config(), start.config());
        assert!(named("chess", sample.variant).is_err() && named(sample.game, "blitz").is_err());
        for wrong in [json!([]), json!(0), json!("")] {
            assert!(open(sample.game, Some(sample.variant), &wrong).is_err());
        }
    }
}

/// The objects within a configuration have known members, too.
#[test]
fn objects_within_a_configuration_have_known_members() {
    for sample in samples() {
        let complete = open(sample.game, Some(sample.variant), &sample.config).unwrap().config();
        let mut places = Vec::new();
        objects(&complete, String::new(), &mut places);
        for place in places {
            let mut wrong = complete.clone();
            wrong.pointer_mut(&place).unwrap()["nonsense"] = json!(1);
            let refusal = open(sample.game, Some(sample.variant), &wrong).err().unwrap().to_string();
            assert!(refusal.contains("has no member 'nonsense'"), "{}{place}: {refusal}", sample.game);
        }
    }
}

/// The JSON pointers of an object and of all objects in it.
fn objects(value: &Value, place: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| objects(member, format!("{place}/{name}"), out));
            out.push(place);
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| objects(item, format!("{place}/{index}"), out));
        }
        _ => {}
    }
}

#[test]
fn every_game_keeps_the_laws() {
    for sample in samples() {
        (sample.laws)(sample.variant, &sample.config);
    }
}

/// All laws along random games.
fn laws<R: Rules>(variant: &str, config: &Value) {
    let (rules, start) = R::setup(variant, config).unwrap();
    let (again, same) = R::setup(variant, &rules.config()).unwrap();
    assert_eq!(again.config(), rules.config(), "the complete configuration starts the same game");
    assert_eq!(again.view(&same, None), rules.view(&start, None));
    for seed in 0..GAMES {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut state = start.clone();
        let (mut record, mut passed) = (Vec::new(), Vec::new());
        while record.len() < MOST_PLIES && !matches!(rules.to_act(&state), ToAct::Over(_)) {
            at_rest(&rules, &state);
            assert_eq!(matches!(rules.to_act(&state), ToAct::Together), R::TOGETHER);
            passed.push(state.clone());
            let actions = random_move(&rules, &state, &mut rng);
            let text = play_both_ways(&rules, &mut state, &actions);
            record.push(text);
        }
        over(&rules, &state);
        points(&rules, &passed, &state);
        if let Some(hidden) = rules.hidden() {
            hidden_laws(&rules, hidden, &start, &record, variant);
        }
    }
    forfeits(&rules, &start);
}

/// Laws of a running state.
fn at_rest<R: Rules>(rules: &R, state: &R::State) {
    assert!(rules.at_rest(state));
    listed(rules, state);
    let view = rules.view(state, None);
    assert!(view.is_object());
    evaluated(rules, state);
    let mut refusing = state.clone();
    for text in ["", " ", "zz", "Cé9", "9999999999999999999999", "a/b/c/d", "!", "!9", "!x", "\u{0}"] {
        if moves::play_recorded(rules, &mut refusing, text).is_ok() {
            refusing = state.clone();
        }
        assert_eq!(rules.key(&refusing), rules.key(state), "a refused move changes nothing");
    }
    assert_eq!(rules.view(&refusing, None), view);
}

/// A native evaluator gives every seat a value in [-1, 1], twice a share of one win less one, and every action a weight.
/// Its estimate has the same values, and points where the game has some.
fn evaluated<R: Rules>(rules: &R, state: &R::State) {
    let Ok(evaluator) = rules.evaluator("native") else { return };
    let values = evaluator.value(rules, state);
    assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
    let sum = 2.0 - rules.seats() as f32;
    assert!((values.iter().sum::<f32>() - sum).abs() < 1e-5, "{values:?}");
    let estimate = evaluator.estimate(rules, state);
    assert_eq!(estimate.values, values);
    assert_eq!(estimate.points.is_some(), rules.scores(state).is_some());
    for seat in rules.acting(state) {
        let (mut legal, mut weights) = (Vec::new(), Vec::new());
        rules.legal(state, seat, &mut legal);
        evaluator.priors(rules, state, seat, &legal, &mut weights);
        assert_eq!(weights.len(), legal.len());
        assert!(weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite()));
    }
}

/// Points are halves, at most as many are won as remain, and more of them are worth more.
fn points<R: Rules>(rules: &R, passed: &[R::State], last: &R::State) {
    let Some(points) = rules.points() else { return };
    let seats = rules.seats();
    let last = match rules.to_act(last) {
        ToAct::Over(outcome) => outcome.scores.unwrap(),
        _ => rules.scores(last).unwrap(),
    };
    for state in passed {
        let so_far = rules.scores(state).unwrap();
        assert!(so_far.iter().all(|score| (score * 2.0).fract() == 0.0));
        let won: f32 = (0..seats).map(|seat| last[seat] - so_far[seat]).sum();
        assert!(won <= points.remaining(state), "{won} of {} points were won", points.remaining(state));
        let values = points.values(state, &so_far);
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(seats > 2 || values.iter().sum::<f32>() == 0.0, "two seats' values sum to zero");
        for seat in 0..seats {
            let mut more = so_far;
            more[seat] += 1.0;
            assert!(points.values(state, &more)[seat] >= values[seat]);
        }
        if let Some(expected) =
            rules.evaluator("native").ok().and_then(|native| native.future_points(rules, state))
        {
            assert!(expected.iter().all(|points| *points >= 0.0 && points.is_finite()));
        }
    }
}

/// What is listed can be played, counted, written and read.
fn listed<R: Rules>(rules: &R, state: &R::State) {
    assert_eq!(rules.key(state), rules.full_key(state), "the incremental key is the full key");
    let acting = rules.acting(state);
    for seat in 0..rules.seats() {
        let mut legal = Vec::new();
        rules.legal(state, seat, &mut legal);
        assert_eq!(legal.is_empty(), !acting.contains(&seat), "an acting seat has an action, no other has");
        assert_eq!(rules.count(state, seat), legal.len() as u64);
        for action in &legal {
            assert!(rules.is_legal(state, seat, *action));
            let text = rules.write(state, seat, &[*action]);
            let joined = matches!(rules.to_act(state), ToAct::Together) && text.contains('/');
            assert!(!joined && !text.starts_with('!'), "{text} is kept for records");
            let ends = rules.end_early(state) == Some(*action);
            assert!(ends || rules.read(state, seat, &text).unwrap() == [*action], "{text}");
        }
        let distinct: HashSet<_> = legal.iter().collect();
        assert_eq!(distinct.len(), legal.len(), "no action is listed twice");
    }
}

/// A random move of every acting seat, as slices to play.
fn random_move<R: Rules>(rules: &R, state: &R::State, rng: &mut Pcg64) -> Vec<Vec<R::Action>> {
    let mut after = state.clone();
    let mut slices = Vec::new();
    loop {
        let slice: Vec<R::Action> = rules
            .acting(&after)
            .into_iter()
            .map(|seat| {
                let mut legal = Vec::new();
                rules.legal(&after, seat, &mut legal);
                *legal.choose(rng).unwrap()
            })
            .collect();
        rules.play_unchecked(&mut after, &slice);
        slices.push(slice);
        if rules.at_rest(&after) {
            return slices;
        }
        listed(rules, &after);
    }
}

/// Plays by actions and by text; both lead to the same state. Returns the record.
fn play_both_ways<R: Rules>(rules: &R, state: &mut R::State, slices: &[Vec<R::Action>]) -> String {
    let before = state.clone();
    let text = match rules.to_act(&before) {
        ToAct::Together => {
            let seats = slices[0].iter().enumerate();
            seats.map(|(seat, action)| rules.write(&before, seat, &[*action])).collect::<Vec<_>>().join("/")
        }
        _ => {
            let seat = rules.acting(&before)[0];
            let actions: Vec<R::Action> = slices.iter().map(|slice| slice[0]).collect();
            let text = rules.write(&before, seat, &actions);
            let read = moves::complete(rules, &before, seat, &text).unwrap();
            assert_eq!(rules.write(&before, seat, &read), text, "canonical text is a fixed point");
            text
        }
    };
    let dealt = rules.hidden().is_none_or(Hidden::is_dealt);
    for slice in slices {
        rules.play_unchecked(state, slice);
    }
    let tail =
        rules.hidden().map_or_else(String::new, |hidden| hidden.write_tail(&hidden.observe(&before, state)));
    let record = if tail.is_empty() { text.clone() } else { format!("{text} {tail}") };
    let view = rules.view(state, None);
    for text in [&text, &record] {
        let mut by_text = before.clone();
        match moves::play_recorded(rules, &mut by_text, text) {
            Ok(played) => {
                assert_eq!(rules.view(&by_text, None), view, "{text}");
                assert_eq!(played.text, record);
                assert!(!dealt || rules.key(&by_text) == rules.key(state), "{text}");
            }
            Err(error) => assert!(!dealt && text != &record, "{text}: {error}"),
        }
    }
    let mut submitted = before.clone();
    match moves::play_submitted(rules, &mut submitted, rules.acting(&before)[0], &text, None) {
        Ok(played) => {
            assert_eq!((played.text, rules.key(&submitted)), (record.clone(), rules.key(state)), "{text}");
        }
        Err(error) => {
            assert!(!dealt || matches!(rules.to_act(&before), ToAct::Together), "{text}: {error}");
            assert_eq!(rules.key(&submitted), rules.key(&before), "a refused move changes nothing");
        }
    }
    record
}

/// Nobody acts in a finished game.
fn over<R: Rules>(rules: &R, state: &R::State) {
    if let ToAct::Over(outcome) = rules.to_act(state) {
        assert!(rules.acting(state).is_empty());
        ranked(&outcome, rules.seats());
        assert!(rules.at_rest(state), "a finished game is at rest");
        let mut after = state.clone();
        assert!(moves::play_recorded(rules, &mut after, "!0").is_err(), "nobody leaves a finished game");
    }
}

/// A place is one more than the number of seats ahead of it; who has more points is not behind.
fn ranked(outcome: &Outcome, seats: usize) {
    let places = &outcome.places[..seats];
    for (seat, place) in places.iter().enumerate() {
        assert_eq!(usize::from(*place), 1 + places.iter().filter(|other| *other < place).count(), "{outcome:?}");
        if let Some(scores) = outcome.scores.filter(|_| outcome.reason != "resignation") {
            let ahead = (0..seats).filter(|other| scores[*other] > scores[seat]);
            assert!(ahead.into_iter().all(|other| places[other] < *place), "{outcome:?}");
        }
    }
    let values = outcome.values(seats);
    let sum: f32 = values[..seats].iter().sum();
    assert!((sum - (2.0 - seats as f32)).abs() < 1e-5, "values {values:?} are shares of one win");
}

/// Leaving ends a game of two for the other seat; of more, once a single seat is left.
fn forfeits<R: Rules>(rules: &R, start: &R::State) {
    for last in 0..rules.seats() {
        let mut state = start.clone();
        for seat in (0..rules.seats()).filter(|seat| *seat != last) {
            assert!(!matches!(rules.to_act(&state), ToAct::Over(_)));
            moves::play_recorded(rules, &mut state, &format!("!{seat}")).unwrap();
            assert_eq!(rules.key(&state), rules.full_key(&state));
            assert!(!rules.acting(&state).contains(&seat), "who left does not act");
            assert!(moves::play_recorded(rules, &mut state, &format!("!{seat}")).is_err(), "nobody leaves twice");
        }
        match rules.to_act(&state) {
            ToAct::Over(outcome) => assert_eq!(outcome.winners(rules.seats()), [last]),
            to_act => panic!("one seat is left, yet {to_act:?}"),
        }
    }
}

/// A record replays from the public configuration and shows the same at every ply; redealing changes nothing seen.
fn hidden_laws<R: Rules>(rules: &R, hidden: &dyn Hidden<R>, start: &R::State, record: &[String], variant: &str) {
    let (public, mut seen) = R::setup(variant, &rules.config()).unwrap();
    assert!(!public.hidden().unwrap().is_dealt(), "a public configuration gives no secret away");
    let mut state = start.clone();
    for (index, text) in record.iter().enumerate() {
        let mut redealt = seen.clone();
        hidden.redeal(&mut redealt, 0, index as u64);
        assert_eq!(public.view(&redealt, Some(0)), public.view(&seen, Some(0)));
        assert_eq!(public.information_key(&redealt, 0), public.information_key(&seen, 0));
        let mut true_order = state.clone();
        hidden.redeal(&mut true_order, 0, index as u64);
        assert_eq!(rules.key(&true_order), public.key(&redealt), "a redeal does not depend on the order before");
        moves::play_recorded(rules, &mut state, text).unwrap();
        moves::play_recorded(&public, &mut redealt, text).unwrap();
        let before = public.key(&seen);
        let (submitted, _) = hidden.split(text);
        if submitted != text {
            assert!(
                moves::play_recorded(&public, &mut seen, submitted).is_err(),
                "a public record needs its tail"
            );
            assert!(moves::play_recorded(&public, &mut seen, &format!("{submitted} +99")).is_err());
            assert_eq!(public.key(&seen), before);
        }
        moves::play_recorded(&public, &mut seen, text).unwrap();
        assert_eq!(public.view(&seen, None), rules.view(&state, None));
        assert_eq!(public.view(&redealt, None), rules.view(&state, None));
    }
}

#[test]
fn positions_undo_copy_and_play_all_or_nothing() {
    for Sample { game, variant, config, .. } in samples() {
        let mut position = open(game, Some(variant), &config).unwrap();
        let mut rng = Pcg64::seed_from_u64(1);
        let mut keys = vec![position.key()];
        while position.outcome().is_none() && position.history().len() < 40 {
            let text = random_text(&*position, &mut rng);
            let copy = position.boxed_clone();
            if let Err(error) = position.play(std::slice::from_ref(&text)) {
                // Without the seed nobody knows what comes next: only records with tails can be played.
                let is_public = config.get("first").or(config.get("tile")).is_some();
                assert!(is_public, "{game} {text}: {error}");
                break;
            }
            assert_eq!(copy.key(), keys[keys.len() - 1], "a copy stands alone");
            let bad = [position.history()[0].clone(), "nonsense".into()];
            let key = position.key();
            assert!(position.play(&bad).is_err());
            assert_eq!((position.key(), position.history().len()), (key, keys.len()));
            keys.push(key);
        }
        let record = position.history();
        let mut replayed = open(game, Some(variant), &config).unwrap();
        replayed.play(&record).unwrap();
        assert_eq!(replayed.key(), position.key(), "a record replays");
        while keys.pop().is_some() && !keys.is_empty() {
            position.undo().unwrap();
            assert_eq!(position.key(), keys[keys.len() - 1], "undo is the way back");
        }
        assert!(position.undo().is_err(), "nothing before the start");
    }
}

#[test]
fn undo_restores_what_was_before_also_after_redeals() {
    for Sample { game, variant, config, .. } in samples() {
        let mut position = open(game, Some(variant), &config).unwrap();
        let mut rng = Pcg64::seed_from_u64(2);
        let mut before = Vec::new();
        for _ in 0..200 {
            match rng.random_range(0..8) {
                0 => drop(position.redeal(0, rng.random())),
                1 | 2 => {
                    assert_eq!(position.undo().is_ok(), !before.is_empty(), "{game}");
                    before.pop().inspect(|key| assert_eq!(position.key(), *key, "{game}"));
                }
                _ if position.outcome().is_none() => {
                    let key = position.key();
                    let text = random_text(&*position, &mut rng);
                    before.extend(position.play(&[text]).is_ok().then_some(key));
                }
                _ => {}
            }
            assert_eq!(position.history().len(), before.len());
        }
    }
}

fn random_text(position: &dyn _core::position::Position, rng: &mut Pcg64) -> String {
    let moves = position.to_act().into_iter().map(|seat| {
        if position.lists_moves() {
            return position.legal_moves(Some(seat)).unwrap().choose(rng).unwrap().clone();
        }
        let first = position.legal_actions(Some(seat), "").unwrap().choose(rng).unwrap().clone();
        match position.legal_actions(Some(seat), &first).unwrap().choose(rng) {
            Some(second) => format!("{first}.{second}"),
            None => first,
        }
    });
    moves.collect::<Vec<_>>().join("/")
}
