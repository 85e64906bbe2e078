//! What the rules of Carcassonne cost: whole random games, copies of a state, and what a search does at every node, with
//! 1, 20, 40 and 60 tiles placed.

use std::hint::black_box;
use std::time::Duration;

use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::state::{Phase, State};
use _core::hidden::Hidden;
use _core::rules::{Rules, ToAct};
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::json;

/// Games played one after the other in a measurement.
const GAMES: u64 = 64;

fn start(seats: u64, seed: u64) -> (Carcassonne, State) {
    let config = json!({"seats": seats, "seed": seed});
    Carcassonne::setup("standard", &config).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays uniformly until so many tiles are placed and it is a seat's turn, or to the end.
fn play(rules: &Carcassonne, state: &mut State, tiles: usize, rng: &mut Pcg64, legal: &mut Vec<Action>) {
    while let ToAct::One(seat) = rules.to_act(state) {
        if state.phase() == Phase::PlaceTile && state.bag().seen().len() >= tiles {
            return;
        }
        legal.clear();
        rules.legal(state, seat, legal);
        let action = legal[rng.random_range(0..legal.len())];
        rules.play_unchecked(state, &[action]);
    }
}

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("carcassonne random games");
    group.sample_size(20).measurement_time(Duration::from_secs(3)).throughput(Throughput::Elements(GAMES));
    for seats in [2, 5] {
        let starts: Vec<_> = (0..GAMES).map(|seed| start(seats, seed)).collect();
        group.bench_function(format!("{seats} seats"), |bench| {
            let mut legal = Vec::new();
            bench.iter(|| {
                let mut rng = Pcg64::seed_from_u64(1);
                for (rules, start) in &starts {
                    let mut state = *black_box(start);
                    play(rules, &mut state, usize::MAX, &mut rng, &mut legal);
                    black_box(state.scores());
                }
            });
        });
    }
    group.finish();
}

fn operations(criterion: &mut Criterion) {
    for tiles in [1, 20, 40, 60] {
        let starts: Vec<_> = (0..GAMES).map(|seed| start(2, seed)).collect();
        let mut rng = Pcg64::seed_from_u64(2);
        let mut legal = Vec::new();
        let positions: Vec<_> = starts
            .into_iter()
            .map(|(rules, mut state)| {
                play(&rules, &mut state, tiles, &mut rng, &mut legal);
                (rules, state)
            })
            .collect();
        let mut group = criterion.benchmark_group(format!("carcassonne {tiles} tiles"));
        group.sample_size(30).measurement_time(Duration::from_millis(800)).throughput(Throughput::Elements(GAMES));
        measure(&mut group, &positions);
        group.finish();
    }
}

/// Ends a value in a way that the compiler cannot leave out.
fn drop_visibly<T>(value: T) {
    black_box(&value);
}

/// Measures operations on all positions, one after the other.
fn measure(group: &mut BenchmarkGroup<WallTime>, positions: &[(Carcassonne, State)]) {
    let mut legal = Vec::new();
    group.bench_function("copy", |bench| {
        bench.iter(|| positions.iter().map(|(_, state)| *black_box(state)).for_each(drop_visibly));
    });
    group.bench_function("legal", |bench| {
        bench.iter(|| {
            for (rules, state) in positions {
                legal.clear();
                rules.legal(black_box(state), state.seat(), &mut legal);
                black_box(&legal);
            }
        });
    });
    let mut rng = Pcg64::seed_from_u64(3);
    group.bench_function("copy, legal and play of a turn", |bench| {
        bench.iter(|| {
            for (rules, state) in positions {
                let (mut after, seat) = (*black_box(state), state.seat());
                for _ in 0..2 {
                    legal.clear();
                    rules.legal(&after, seat, &mut legal);
                    let action = legal[rng.random_range(0..legal.len())];
                    rules.play_unchecked(&mut after, &[action]);
                }
                black_box(&after);
            }
        });
    });
    group.bench_function("redeal", |bench| {
        bench.iter(|| {
            for (rules, state) in positions {
                let mut after = *black_box(state);
                rules.redeal(&mut after, 0, 7);
                black_box(&after);
            }
        });
    });
    group.bench_function("key", |bench| {
        bench.iter(|| positions.iter().map(|(rules, state)| rules.key(black_box(state))).for_each(drop_visibly));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200));
    targets = games, operations
}
criterion_main!(benches);
