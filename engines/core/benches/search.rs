//! Simulations per second of PUCT and nodes per second of alpha-beta with the native evaluators, from a fresh root and
//! on one thread.

use std::sync::Arc;

use _core::games::hive::Hive;
use _core::games::hive::evaluate;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::native::Native;
use _core::rules::Rules;
use _core::search::SelfEvaluating;
use _core::search::alphabeta::{self, AlphaBeta};
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

/// Twenty plies into a world championship's final, with all expansions.
const MIDDLE: &str = r"Base+MLP;InProgress;Black[10];wG1;bL /wG1;wM wG1/;bM /bL;wA1 wM\;bQ bL\;wQ \wM;bP /bQ;wP /wQ;\
bA1 -bP;wM bQ\;bM wA1\;wB1 wQ\;bA2 /bP;wB2 wM-;bA1 wB2\;wB1 wG1;bA2 wQ-;wB1 bL";

const NODES: u32 = 20_000;

fn hives(criterion: &mut Criterion) {
    let config = json!({"gameString": MIDDLE.replace("\\\n", "")});
    let Ok((rules, start)) = Hive::setup("Base+MLP", &config) else { return };
    let rules = Arc::new(rules);
    let native = || Box::new(evaluate::Native::default());
    let options = alphabeta::options::Options::DEFAULT;
    let fresh = || AlphaBeta::new(Arc::clone(&rules), start.clone(), native(), options, 1);
    let mut group = criterion.benchmark_group("hive");
    group.throughput(Throughput::Elements(NODES.into())).sample_size(20);
    group.bench_function("nodes", |bench| {
        bench.iter_batched_ref(fresh, |search| search.run(NODES), BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, boards, hives);
criterion_main!(benches);
