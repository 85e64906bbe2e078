//! The alpha-beta search with Hive's evaluator: values against plain minimax, wins in a few plies, memory.

use std::sync::Arc;

use _core::evaluator::Evaluator;
use _core::games::hive::Hive;
use _core::games::hive::action::{Action, Kind};
use _core::games::hive::evaluate::Linear;
use _core::games::hive::state::State;
use _core::moves;
use _core::rules::{Rules, Seat, ToAct};
use _core::search::alphabeta::AlphaBeta;
use _core::search::alphabeta::options::Options;
use _core::search::{Search, SelfEvaluating};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use serde_json::json;

use super::perft::late;

/// Positions in which the seat that moves wins in three plies.
fn wins_in_three() -> impl Iterator<Item = &'static str> {
    include_str!("../data/hive/wins.txt").lines().filter(|line| !line.starts_with('#'))
}

fn start(game: &str) -> (Arc<Hive>, State) {
    let name = game.split(';').next().unwrap();
    let (rules, state) = Hive::setup(name, &json!({"gameString": game})).unwrap();
    (Arc::new(rules), state)
}

fn search(rules: &Arc<Hive>, state: &State, options: Options) -> AlphaBeta<Hive> {
    AlphaBeta::new(Arc::clone(rules), state.clone(), Box::new(Linear::default()), options, 3)
}

fn finish(search: &mut AlphaBeta<Hive>) {
    while search.run(1 << 20) > 0 {}
}

fn seat_of(rules: &Hive, state: &State) -> Option<Seat> {
    match rules.to_act(state) {
        ToAct::One(seat) => Some(seat),
        _ => None,
    }
}

/// Positions of random games, one every few plies.
fn random_positions(count: usize) -> Vec<(Arc<Hive>, State)> {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut found = Vec::new();
    let (rules, first) = start("Base+MLP");
    let mut state = first.clone();
    while found.len() < count {
        for _ in 0..7 {
            let Some(seat) = seat_of(&rules, &state) else { break };
            let mut legal = Vec::new();
            rules.legal(&state, seat, &mut legal);
            rules.play_unchecked(&mut state, &[*legal.choose(&mut rng).unwrap()]);
        }
        match seat_of(&rules, &state) {
            Some(_) if state.ply() < 40 => found.push((Arc::clone(&rules), state.clone())),
            _ => state = first.clone(),
        }
    }
    found
}

/// The value for the seat that moves by plain minimax.
fn minimax(rules: &Hive, state: &State, depth: u32) -> f32 {
    let seat = seat_of(rules, state).unwrap();
    if depth == 0 {
        return Linear::default().value(rules, state)[seat];
    }
    let value = |after: State| match rules.to_act(&after) {
        ToAct::Over(outcome) => outcome.values(2)[seat],
        _ => -minimax(rules, &after, depth - 1),
    };
    moves::successors(rules, state).into_iter().map(value).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn the_value_is_that_of_minimax() {
    for (rules, state) in random_positions(8) {
        for depth in 1..=2 {
            let options = Options { reductions: false, max_depth: depth, ..Options::DEFAULT };
            let mut search = search(&rules, &state, options);
            finish(&mut search);
            let seat = seat_of(&rules, &state).unwrap();
            let (found, wanted) = (search.report(1).values[seat], minimax(&rules, &state, depth as u32));
            assert!((found - wanted).abs() < 1e-5, "ply {} depth {depth}: {found}, not {wanted}", state.ply());
        }
    }
}

#[test]
fn a_win_in_three_plies_is_found_against_every_reply() {
    for game in wins_in_three() {
        let (rules, mut state) = start(game);
        let seat = seat_of(&rules, &state).unwrap();
        let mut first = search(&rules, &state, Options::DEFAULT);
        finish(&mut first);
        let report = first.report(1);
        assert_eq!((report.values[seat], report.lines[0].pv.len()), (1.0, 3), "{game}");
        moves::play_recorded(&*rules, &mut state, &report.best_move.unwrap()).unwrap();
        for mut after in moves::successors(&*rules, &state) {
            if let ToAct::Over(outcome) = rules.to_act(&after) {
                assert_eq!(outcome.winners(2), [seat], "{game}");
                continue;
            }
            let mut second = search(&rules, &after, Options::DEFAULT);
            finish(&mut second);
            let best = second.report(1).best_move.unwrap();
            moves::play_recorded(&*rules, &mut after, &best).unwrap();
            assert!(
                matches!(rules.to_act(&after), ToAct::Over(outcome) if outcome.winners(2) == [seat]),
                "{best} in {game}"
            );
        }
    }
}

#[test]
fn two_threads_find_the_wins_that_one_finds() {
    for game in wins_in_three() {
        let (rules, state) = start(game);
        let mut search = search(&rules, &state, Options { threads: 2, ..Options::DEFAULT });
        finish(&mut search);
        assert_eq!(search.report(1).values[seat_of(&rules, &state).unwrap()], 1.0, "{game}");
    }
}

#[test]
fn one_thread_is_deterministic() {
    for (rules, state) in random_positions(3) {
        let report = || {
            let mut search = search(&rules, &state, Options::DEFAULT);
            search.run(30_000);
            search.report(5)
        };
        assert_eq!(report(), report());
    }
}

#[test]
fn lines_are_ordered_and_say_what_follows() {
    for (rules, state) in random_positions(4) {
        let seat = seat_of(&rules, &state).unwrap();
        let mut search = search(&rules, &state, Options::DEFAULT);
        for nodes in [300, 3_000, 30_000] {
            search.run(nodes);
            let report = search.report(5);
            assert_eq!(report.lines[0].value, report.values[seat]);
            assert!(report.lines.is_sorted_by(|a, b| a.value >= b.value));
            for line in &report.lines {
                let mut after = state.clone();
                line.pv.iter().for_each(|text| drop(moves::play_recorded(&*rules, &mut after, text).unwrap()));
            }
        }
        let follows = search.report(5).lines.iter().filter(|line| line.pv.len() > 1).count();
        assert!(follows >= 3, "{follows} of 5 lines go on, at ply {}", state.ply());
    }
}

#[test]
fn fifty_thousand_nodes_take_little_memory() {
    for (rules, state) in random_positions(6) {
        let mut search = search(&rules, &state, Options::DEFAULT);
        search.run(50_000);
        assert!(search.bytes() < 1 << 20, "{} at ply {}", search.bytes(), state.ply());
    }
}

/// A late position to which the game came back twice: by the best move, a reply, and both taken back.
struct Round {
    rules: Arc<Hive>,
    before: State,
    /// The moves of the two rounds.
    round: Vec<Action>,
    after: State,
    /// The move that would bring a position about for the third time.
    repeats: String,
    /// What it is worth the first time.
    value: f32,
}

/// Rounds of the late positions; the rule of repetition is off, so that nothing but the search counts.
fn rounds() -> Vec<Round> {
    late().filter_map(|(_, game)| round(game)).collect()
}

fn round(game: &str) -> Option<Round> {
    let config = json!({"gameString": game, "drawByRepetition": false, "plyLimit": 0});
    let (rules, before) = Hive::setup(game.split(';').next().unwrap(), &config).unwrap();
    let (rules, seat) = (Arc::new(rules), before.seat());
    let mut search = search(&rules, &before, SHALLOW);
    finish(&mut search);
    let report = search.report(1);
    let repeats = report.best_move.unwrap();
    let there = rules.read(&before, seat, &repeats).unwrap()[0];
    let mut moved = before.clone();
    rules.play_unchecked(&mut moved, &[there]);
    let mut replies = Vec::new();
    rules.legal(&moved, 1 - seat, &mut replies);
    // The worst first: they are best taken back.
    replies.sort_by_key(|&reply| {
        let mut state = moved.clone();
        rules.play_unchecked(&mut state, &[reply]);
        (-1e6 * Linear::default().value(&rules, &state)[seat]) as i32
    });
    let (round, after) = replies.into_iter().find_map(|reply| {
        let round = [there, reply, back(there)?, back(reply)?].repeat(2);
        let mut state = before.clone();
        for &action in &round {
            if !rules.is_legal(&state, state.seat(), action) {
                return None;
            }
            rules.play_unchecked(&mut state, &[action]);
        }
        Some((round, state))
    })?;
    Some(Round { rules, before, round, after, repeats, value: report.values[seat] })
}

const SHALLOW: Options = Options { max_depth: 2, ..Options::DEFAULT };

/// The move that takes a move back.
fn back(action: Action) -> Option<Action> {
    match action.kind() {
        Kind::Move(from, to) => Some(Action::step(to, from)),
        _ => None,
    }
}

#[test]
fn who_is_ahead_avoids_a_third_occurrence_and_who_is_behind_finds_it() {
    let (mut avoided, mut found) = (0, 0);
    for Round { rules, before, after, repeats, value, .. } in rounds() {
        assert_eq!(rules.to_act(&after), ToAct::One(before.seat()), "the rule is off");
        let mut search = search(&rules, &after, SHALLOW);
        finish(&mut search);
        let report = search.report(1);
        let (best, now) = (report.best_move.unwrap(), report.values[after.seat()]);
        assert!(now >= 0.0, "{repeats} draws, {best} loses by {now}");
        if value > 0.0 {
            assert!(best != repeats || now == 0.0, "{best} draws and is not worth {now}");
            avoided += u32::from(best != repeats);
        } else if value < 0.0 {
            assert_eq!((best, now), (repeats, 0.0));
            found += 1;
        }
    }
    assert!(avoided >= 3 && found >= 3, "avoided {avoided}, found {found}");
}

/// What the table knows from before a position came again must not hide that: the reply that is taken back last leads to
/// the position in which the other side can repeat.
#[test]
fn a_search_that_goes_with_the_game_sees_the_same_repetitions() {
    let options = Options { max_depth: 3, ..Options::DEFAULT };
    for Round { rules, before, round, repeats, .. } in rounds() {
        let mut old = search(&rules, &before, options);
        let mut state = before;
        for &action in &round[..7] {
            finish(&mut old);
            old.advance(&rules.write(&state, state.seat(), &[action])).unwrap();
            rules.play_unchecked(&mut state, &[action]);
        }
        let mut fresh = search(&rules, &state, options);
        finish(&mut fresh);
        finish(&mut old);
        assert_eq!(old.report(1).values, fresh.report(1).values, "{repeats}");
    }
}
