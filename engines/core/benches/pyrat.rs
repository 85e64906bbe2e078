//! What the rules of PyRat cost: turns of random games, whole random games through the contract, copying a state against
//! taking a turn back, and keys.

use std::hint::black_box;
use std::time::Duration;

use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::games::pyrat::state::State;
use _core::rules::{Rules, ToAct};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::json;

/// Games played one after the other in a measurement.
const GAMES: u64 = 64;

fn starts<const W: usize>(variant: &str) -> Vec<(PyRat<W>, State<W>)> {
    let start = |seed| PyRat::setup(variant, &json!({"seed": seed})).unwrap_or_else(|error| panic!("{error}"));
    (0..GAMES).map(start).collect()
}

/// Directions of both seats, enough for the longest game.
fn directions() -> Vec<[Direction; 2]> {
    let mut rng = Pcg64::seed_from_u64(1);
    (0..1024).map(|_| [0, 1].map(|_| Direction::ALL[rng.random_range(0..5)])).collect()
}

fn all(criterion: &mut Criterion) {
    measure::<1>(criterion, "medium");
    measure::<1>(criterion, "open");
    measure::<3>(criterion, "huge");
}

fn measure<const W: usize>(criterion: &mut Criterion, variant: &str) {
    let games = starts::<W>(variant);
    turns(criterion, variant, &games);
    whole_games(criterion, variant, &games);
    back(criterion, variant, &games);
}

/// Turns with any directions until the game is over.
fn turns<const W: usize>(criterion: &mut Criterion, variant: &str, games: &[(PyRat<W>, State<W>)]) {
    let directions = directions();
    let play = |(rules, start): &(PyRat<W>, State<W>)| {
        let mut state = black_box(start).clone();
        let mut played = directions.iter();
        while rules.to_act(&state) == ToAct::Together {
            let Some(pair) = played.next() else { break };
            rules.play_unchecked(&mut state, pair);
        }
        state
    };
    let count: u64 = games.iter().map(|game| u64::from(play(game).turn())).sum();
    let mut group = criterion.benchmark_group(format!("pyrat {variant} turns"));
    group.throughput(Throughput::Elements(count)).measurement_time(Duration::from_secs(3));
    group.bench_function("of random games", |bench| {
        bench.iter(|| {
            games.iter().map(play).for_each(|state| {
                black_box(&state);
            })
        });
    });
    group.finish();
}

/// Games of legal directions, as play-outs play them.
fn whole_games<const W: usize>(criterion: &mut Criterion, variant: &str, games: &[(PyRat<W>, State<W>)]) {
    let mut group = criterion.benchmark_group(format!("pyrat {variant} random games"));
    group.throughput(Throughput::Elements(GAMES)).measurement_time(Duration::from_secs(3)).sample_size(30);
    group.bench_function("of legal directions", |bench| {
        let (mut rng, mut legal) = (Pcg64::seed_from_u64(2), Vec::new());
        bench.iter(|| {
            for (rules, start) in games {
                let mut state = black_box(start).clone();
                while rules.to_act(&state) == ToAct::Together {
                    let pair = [0, 1].map(|seat| {
                        legal.clear();
                        rules.legal(&state, seat, &mut legal);
                        legal[rng.random_range(0..legal.len())]
                    });
                    rules.play_unchecked(&mut state, &pair);
                }
                black_box(&state);
            }
        });
    });
    group.finish();
}

/// All pairs of directions from the same state, with a copy for each, or taken back; and the key after each.
fn back<const W: usize>(criterion: &mut Criterion, variant: &str, games: &[(PyRat<W>, State<W>)]) {
    let pairs: Vec<[Direction; 2]> =
        Direction::ALL.into_iter().flat_map(|first| Direction::ALL.map(|second| [first, second])).collect();
    let mut group = criterion.benchmark_group(format!("pyrat {variant} pairs"));
    group.throughput(Throughput::Elements(GAMES * pairs.len() as u64));
    group.bench_function("copy and play", |bench| {
        bench.iter(|| {
            for (rules, state) in games {
                for pair in &pairs {
                    let mut after = black_box(state).clone();
                    after.play(rules.board(), *pair);
                    black_box(&after);
                }
            }
        });
    });
    group.bench_function("play and take back", |bench| {
        bench.iter(|| {
            for (rules, state) in games {
                let mut state = state.clone();
                for pair in &pairs {
                    let undo = state.play(rules.board(), *pair);
                    black_box(&mut state).undo(undo);
                }
            }
        });
    });
    group.bench_function("copy, play and key", |bench| {
        bench.iter(|| {
            for (rules, state) in games {
                for pair in &pairs {
                    let mut after = black_box(state).clone();
                    after.play(rules.board(), *pair);
                    black_box(rules.key(&after));
                }
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(benches);
