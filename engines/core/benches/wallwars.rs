//! What the rules of Wallwars cost on a small, a middle and the largest board: empty, and half full of walls.

use std::hint::black_box;
use std::time::Duration;

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, Direction, Pawn};
use _core::games::wallwars::board::Grid;
use _core::games::wallwars::setup::{Setup, Variant};
use _core::games::wallwars::state::State;
use _core::planes::{Planes, Signature};
use _core::rules::Rules;
use criterion::{Criterion, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn boards(criterion: &mut Criterion) {
    measure::<1>(criterion, Grid { width: 8, height: 8 });
    measure::<2>(criterion, Grid { width: 12, height: 10 });
    measure::<7>(criterion, Grid { width: 20, height: 20 });
}

fn measure<const N: usize>(criterion: &mut Criterion, grid: Grid) {
    let Some((rules, start)) = Setup::corners(Variant::Standard, grid).begin::<N>().ok() else { return };
    for (name, state) in [("empty", start.clone()), ("walled", walled(&rules, &start))] {
        let name = format!("{}x{} {name}", grid.width, grid.height);
        measure_state(criterion, &name, &rules, &state);
    }
}

/// `start` with half of all edges walled in whole rounds, so that the first seat moves.
fn walled<const N: usize>(rules: &Wallwars<N>, start: &State<N>) -> State<N> {
    let mut state = start.clone();
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..state.board().open.len() / 8 * 4 {
        let places: Vec<_> = rules.wall_places(&state).iter().collect();
        rules.play_unchecked(&mut state, &[Action::wall(places[rng.random_range(0..places.len())])]);
    }
    state
}

fn measure_state<const N: usize>(criterion: &mut Criterion, name: &str, rules: &Wallwars<N>, state: &State<N>) {
    let Some((cat, goal)) = rules.race(state, 0) else { return };
    let mut group = criterion.benchmark_group(name);
    let mut legal = Vec::new();
    rules.legal(state, state.seat(), &mut legal);
    let (step, wall) = (Action::step(Pawn::Cat, Direction::Down), legal[legal.len() - 1]);
    group.bench_function("copy and step", |bench| bench.iter(|| played(rules, black_box(state), step)));
    group.bench_function("copy and wall", |bench| bench.iter(|| played(rules, black_box(state), wall)));
    group.bench_function("key", |bench| bench.iter(|| rules.key(black_box(state))));
    group.bench_function("legal", |bench| {
        bench.iter(|| {
            legal.clear();
            rules.legal(black_box(state), 0, &mut legal);
            legal.len()
        });
    });
    group.bench_function("wall places", |bench| bench.iter(|| rules.wall_places(black_box(state))));
    group.bench_function("is_legal", |bench| bench.iter(|| rules.is_legal(black_box(state), 0, wall)));
    group.bench_function("distance", |bench| bench.iter(|| state.board().distance(black_box(cat), goal)));
    let mut steps = vec![0; usize::from(rules.grid().cells())];
    group.bench_function("distances", |bench| bench.iter(|| state.board().distances(black_box(cat), &mut steps)));
    let (dim2, dim3) = (rules.grid().width.into(), rules.grid().height.into());
    let signature = Signature { planes: 9, dim2, dim3, policy: 2 * dim2 * dim3 + 8, values: 1 };
    let mut row = vec![0.0; signature.input_len()];
    group.bench_function("planes", |bench| bench.iter(|| rules.fill(black_box(state), 0, &signature, &mut row)));
    group.finish();
}

fn played<const N: usize>(rules: &Wallwars<N>, state: &State<N>, action: Action) -> State<N> {
    let mut after = state.clone();
    rules.play_unchecked(&mut after, &[action]);
    after
}

/// Short, since there are many: what counts is the order of magnitude of each.
fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30)
}

criterion_group! { name = benches; config = short(); targets = boards }
criterion_main!(benches);
