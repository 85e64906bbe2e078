//! What the rules of Hive cost: leaves of the tree of moves per second on one thread, the last ply only counted, and
//! single operations in a crowded middle game.

use std::hint::black_box;
use std::time::Duration;

use _core::games::hive::Hive;
use _core::games::hive::pins;
use _core::games::hive::state::State;
use _core::moves::perft;
use _core::rules::Rules;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use serde_json::json;

/// Positions with the depth and leaves that are counted: what public engines are measured with.
const TREES: [(&str, &str, u32, u64); 4] = [
    ("Base+MLP", "Base+MLP", 6, 192_353_904),
    ("Base", "Base", 6, 12_219_480),
    ("crowded", CROWDED, 4, 151_460_537),
    ("mosquitoes", MOSQUITOES, 4, 52_745_320),
];

/// 22 pieces, all bugs free to move; known as a position of Intsect's tests.
const CROWDED: &str = r"Base+MLP;InProgress;White[11];wB1;bS1 wB1-;wQ /wB1;bQ bS1/;wG1 -wB1;bG1 bS1-;wM -wQ;bM bQ-;\
wP /wQ;bP bQ/;wL -wG1;bL bG1-;wA1 wQ\;bB1 \bQ;wS1 wA1-;bA1 -bB1;wA2 -wP;bA2 bP-;wA2 wS1/;bA2 /bA1";

/// 17 pieces with Ants on both sides; from the same tests.
const MOSQUITOES: &str = r"Base+MLP;InProgress;White[12];wL;bL wL\;wM \wL;bM bL\;wA1 /wM;bA1 /bL;wQ wM/;bQ bM-;wA2 wQ\;\
bA2 bA1\;wA2 /bA2;bA1 /wA1;wB1 wQ\;bP bA2-;wM wB1\;bB1 \bA2;wA3 -wQ;bS1 /bA1;wA3 -bS1";

/// The rules and the state of a GameString, without the rules that count plies and positions.
fn start(game: &str) -> (Hive, State) {
    let game = game.replace("\\\n", "");
    let name = game.split(';').next().unwrap_or(&game).to_string();
    let config = json!({"gameString": game, "drawByRepetition": false, "plyLimit": 0});
    Hive::setup(&name, &config).unwrap_or_else(|error| panic!("{game}: {error}"))
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hive leaves");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    for (name, game, depth, leaves) in TREES {
        let (rules, state) = start(game);
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(format!("{name} {depth}"), |bench| {
            bench.iter(|| assert_eq!(perft(&rules, black_box(&state), depth), leaves));
        });
    }
    group.finish();
}

/// All of the late positions to depth 3: what a search sees in real games.
fn late(criterion: &mut Criterion) {
    let lines = include_str!("../tests/data/hive/late.txt").lines().filter(|line| !line.starts_with('#'));
    let mut starts = Vec::new();
    let mut leaves = 0;
    for line in lines {
        let mut words = line.splitn(3, ' ');
        leaves += words.next().and_then(|count| count.parse::<u64>().ok()).unwrap_or_default();
        starts.push(start(words.nth(1).unwrap_or_default()));
    }
    let mut group = criterion.benchmark_group("hive leaves");
    group.sample_size(10).measurement_time(Duration::from_secs(2)).throughput(Throughput::Elements(leaves));
    group.bench_function("late 3", |bench| {
        bench.iter(|| {
            let counted: u64 = starts.iter().map(|(rules, state)| perft(rules, black_box(state), 3)).sum();
            assert_eq!(counted, leaves);
        });
    });
    group.finish();
}

fn operations(criterion: &mut Criterion) {
    for (name, game) in [("hive first", "Base+MLP"), ("hive crowded", CROWDED)] {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(30).measurement_time(Duration::from_millis(600));
        measure(&mut group, &start(game));
        group.finish();
    }
}

fn measure(group: &mut BenchmarkGroup<WallTime>, (rules, state): &(Hive, State)) {
    let seat = state.seat();
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    let last = legal[legal.len() - 1];
    group.bench_function("copy and play", |bench| {
        bench.iter(|| {
            let mut after = black_box(state).clone();
            rules.play_unchecked(&mut after, &[last]);
            after
        });
    });
    group.bench_function("count", |bench| bench.iter(|| rules.count(black_box(state), seat)));
    group.bench_function("legal", |bench| {
        bench.iter(|| {
            legal.clear();
            rules.legal(black_box(state), seat, &mut legal);
            legal.len()
        });
    });
    group.bench_function("pinned", |bench| bench.iter(|| pins::pinned(black_box(state).board())));
    group.bench_function("key", |bench| bench.iter(|| rules.key(black_box(state))));
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200));
    targets = trees, late, operations
}
criterion_main!(benches);
