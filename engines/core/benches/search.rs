//! Simulations per second of the search with the native evaluator, from a fresh root and on one thread.

use std::sync::Arc;

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::native::Native;
use _core::rules::Rules;
use _core::search::Search;
use _core::search::options::Options;
use _core::search::puct::Puct;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::json;

const SIMULATIONS: u32 = 1000;

fn boards(criterion: &mut Criterion) {
    measure::<1>(criterion, 8, 8);
    measure::<2>(criterion, 12, 10);
    measure::<7>(criterion, 20, 20);
}

fn measure<const N: usize>(criterion: &mut Criterion, width: u32, height: u32) {
    let config = json!({"boardWidth": width, "boardHeight": height});
    let Ok((rules, start)) = Wallwars::<N>::setup("standard", &config) else { return };
    let rules = Arc::new(rules);
    let fresh =
        || Puct::new(Arc::clone(&rules), start.clone(), Some(Box::new(Native::default())), Options::DEFAULT, 1);
    let mut group = criterion.benchmark_group(format!("{width}x{height}"));
    group.throughput(Throughput::Elements(SIMULATIONS.into()));
    group.bench_function("simulations", |bench| {
        bench.iter_batched_ref(fresh, |search| search.run(SIMULATIONS), BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, boards);
criterion_main!(benches);
