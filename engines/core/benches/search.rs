//! Simulations per second of PUCT, UCT and graph search and nodes per second of alpha-beta, from a fresh root and on one
//! thread, with the games' native evaluators. Games without one have the points so far in UCT. Graph search also has the
//! evaluator `zero`, so that the search itself is measured, and in PyRat the ratio to what its moves and evaluations take
//! alone.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use _core::evaluator::{Evaluator, Zero};
use _core::games::carcassonne::Carcassonne;
use _core::games::carcassonne::action::Action;
use _core::games::carcassonne::state::State;
use _core::games::hive::Hive;
use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::games::pyrat::state::State as PyRatState;
use _core::games::toys::draw::Draw;
use _core::games::toys::goofspiel::Goofspiel;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::native::Native;
use _core::rules::{MAX_SEATS, Rules, Seat, Values};
use _core::search::SelfEvaluating;
use _core::search::alphabeta::{self, AlphaBeta};
use _core::search::mcgs::{self, Mcgs};
use _core::search::puct::Puct;
use _core::search::puct::options::Options;
use _core::search::uct::{self, Uct};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};

const SIMULATIONS: u32 = 1000;

/// A search that is larger than a processor's caches.
const DEEP: u32 = 100_000;

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
    for simulations in [SIMULATIONS, DEEP] {
        group.throughput(Throughput::Elements(simulations.into())).sample_size(10);
        group.bench_function(format!("{simulations} simulations"), |bench| {
            bench.iter_batched_ref(fresh, |search| search.run(simulations), BatchSize::LargeInput);
        });
    }
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
    let options = alphabeta::options::Options::DEFAULT;
    let mut group = criterion.benchmark_group("hive");
    group.throughput(Throughput::Elements(NODES.into())).sample_size(20);
    for name in ["native", "linear"] {
        let fresh = || {
            let evaluator = rules.evaluator(name).unwrap_or_else(|error| panic!("{error}"));
            AlphaBeta::new(Arc::clone(&rules), start.clone(), evaluator, options, 1)
        };
        group.bench_function(format!("nodes, {name}"), |bench| {
            bench.iter_batched_ref(fresh, |search| search.run(NODES), BatchSize::LargeInput);
        });
    }
    group.finish();
}

/// The difference of points, and equal priors.
struct Points;

impl<R: Rules> Evaluator<R> for Points {
    fn value(&self, rules: &R, state: &R::State) -> Values {
        let scores = rules.scores(state).unwrap_or_default();
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(rules.seats()) {
            let others = (0..rules.seats()).filter(|other| *other != seat).map(|other| scores[other]);
            *value = ((scores[seat] - others.fold(0.0, f32::max)) / 20.0).tanh();
        }
        values
    }

    fn priors(&self, _: &R, _: &R::State, _: Seat, actions: &[R::Action], out: &mut Vec<f32>) {
        out.resize(actions.len(), 1.0);
    }
}

fn deals(criterion: &mut Criterion) {
    if let Ok((rules, start)) = Draw::setup("standard", &json!({"seats": 3, "seed": 1})) {
        uct_of(criterion, "draw", &Arc::new(rules), &start);
    }
    let Ok((rules, mut state)) = Carcassonne::setup("standard", &json!({"seed": 1})) else { return };
    let rules = Arc::new(rules);
    for tiles in [1, 20, 40, 60] {
        place(&rules, &mut state, tiles);
        uct_of(criterion, &format!("carcassonne {tiles} tiles"), &rules, &state);
    }
}

/// Plays Carcassonne until so many tiles are placed.
fn place(rules: &Carcassonne, state: &mut State, tiles: usize) {
    let mut legal: Vec<Action> = Vec::new();
    let mut turn = 0;
    while !rules.at_rest(state) || state.bag().seen().len() < tiles {
        legal.clear();
        rules.legal(state, state.seat(), &mut legal);
        turn += 7;
        rules.play_unchecked(state, &[legal[turn % legal.len()]]);
    }
}

fn uct_of<R: Rules>(criterion: &mut Criterion, name: &str, rules: &Arc<R>, state: &R::State) {
    let mut group = criterion.benchmark_group(format!("uct {name}"));
    group.throughput(Throughput::Elements(SIMULATIONS.into())).sample_size(20);
    for (name, options) in [
        ("5 deals", json!({})),
        ("a deal each", json!({"num_determinizations": 0})),
        ("rave", json!({"use_rave": true})),
    ] {
        let Ok(options) = uct::options::Options::read(&options) else { return };
        let evaluator = || Some(rules.evaluator("native").unwrap_or_else(|_| Box::new(Points)));
        let fresh = || Uct::new(Arc::clone(rules), state.clone(), evaluator(), evaluator(), options.clone(), 1);
        group.bench_function(name, |bench| {
            bench.iter_batched_ref(fresh, |search| search.run(SIMULATIONS), BatchSize::LargeInput);
        });
    }
    group.finish();
}

fn graphs(criterion: &mut Criterion) {
    let options =
        [("graph", json!({})), ("tree", json!({"table": false})), ("regret matching", json!({"selector": "rm"}))];
    if let Ok((rules, start)) = Goofspiel::setup("standard", &json!({"cards": 8})) {
        let rules = Arc::new(rules);
        options.iter().for_each(|(name, options)| {
            mcgs_of(criterion, &format!("goofspiel {name}"), &rules, &start, options, SIMULATIONS);
        });
    }
    for variant in ["medium", "open"] {
        let Ok((rules, start)) = PyRat::<1>::setup(variant, &json!({"seed": 1})) else { return };
        let rules = Arc::new(rules);
        for descents in [1000, 10_000, 100_000] {
            mcgs_of(criterion, &format!("pyrat {variant}"), &rules, &start, &json!({}), descents);
        }
        options.iter().skip(1).for_each(|(name, options)| {
            mcgs_of(criterion, &format!("pyrat {variant} {name}"), &rules, &start, options, SIMULATIONS);
        });
    }
}

/// Searches, and bare descents, that are timed in turns.
const ROUNDS: u32 = 20;

/// Compares graph search of PyRat with its limit: the same number of moves from the root and of evaluations, without a
/// graph.
fn limits(_: &mut Criterion) {
    for variant in ["medium", "open"] {
        let Ok((rules, start)) = PyRat::<1>::setup(variant, &json!({"seed": 1})) else { return };
        let rules = Arc::new(rules);
        for evaluator in ["zero", "native"] {
            let get = || rules.evaluator(evaluator).ok();
            let (mut in_search, mut bare) = (Duration::ZERO, Duration::ZERO);
            for seed in 0..ROUNDS.into() {
                let options = mcgs::options::Options::rec();
                let mut search = Mcgs::new(Arc::clone(&rules), start.clone(), get(), options, seed);
                let began = Instant::now();
                search.run(SIMULATIONS);
                in_search += began.elapsed();
                let visits = (0..search.graph().size() as u32).map(|id| search.graph().node(id).total);
                let depth = visits.sum::<u32>() / SIMULATIONS;
                let Some(evaluator) = get() else { return };
                let began = Instant::now();
                (0..SIMULATIONS).for_each(|_| bare_descent(&rules, &start, &*evaluator, depth));
                bare += began.elapsed();
            }
            let share = bare.as_secs_f64() / in_search.as_secs_f64();
            println!("mcgs pyrat {variant}, {SIMULATIONS}, {evaluator}: {share:.2} of the speed of bare descents");
        }
    }
}

/// Plays so many moves, and evaluates what they lead to.
fn bare_descent(rules: &PyRat<1>, start: &PyRatState<1>, evaluator: &dyn Evaluator<PyRat<1>>, depth: u32) {
    let mut state = start.clone();
    for turn in 0..depth as usize {
        let pair = [turn % 5, turn / 5 % 5].map(|code| Direction::ALL[code]);
        rules.play_unchecked(&mut state, &pair);
    }
    black_box(rules.key(&state));
    black_box(evaluator.future_points(rules, &state));
    for seat in 0..2 {
        let (mut legal, mut weights) = (Vec::new(), Vec::new());
        rules.legal(&state, seat, &mut legal);
        evaluator.priors(rules, &state, seat, &legal, &mut weights);
        black_box(weights);
    }
}

fn mcgs_of<R: Rules>(
    criterion: &mut Criterion,
    name: &str,
    rules: &Arc<R>,
    state: &R::State,
    options: &Value,
    descents: u32,
) {
    let Ok(options) = mcgs::options::Options::read(options) else { return };
    let mut group = criterion.benchmark_group(format!("mcgs {name}, {descents}"));
    group.throughput(Throughput::Elements(descents.into())).sample_size(if descents > 10_000 { 10 } else { 20 });
    for evaluator in ["zero", "native"] {
        let get = || match evaluator {
            "zero" => Some(Box::new(Zero) as Box<dyn Evaluator<R>>),
            name => rules.evaluator(name).ok(),
        };
        if get().is_none() {
            continue;
        }
        let fresh = || Mcgs::new(Arc::clone(rules), state.clone(), get(), options.clone(), 1);
        group.bench_function(evaluator, |bench| {
            bench.iter_batched_ref(fresh, |search| search.run(descents), BatchSize::LargeInput);
        });
    }
    group.finish();
}

criterion_group!(benches, boards, hives, deals, graphs, limits);
criterion_main!(benches);
