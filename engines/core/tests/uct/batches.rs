//! Simulations that wait for evaluations from outside, in Draw with two and three seats.

use std::sync::Arc;

use _core::evaluation::Evaluation;
use _core::evaluator::Evaluator;
use _core::games::toys::draw::{Action, Draw};
use _core::rules::{Rules, Seat, Values};
use _core::search::uct::Uct;
use _core::search::uct::options::Options;
use _core::search::{Batched, Driver, Search, SearchSpec, SelfEvaluating, open};
use serde_json::{Value, json};

type State = <Draw as Rules>::State;

/// Values that depend on what a network sees.
struct Seen;

fn values_of(row: &[f32], seats: usize) -> Vec<f32> {
    let sum: f32 = row.iter().enumerate().map(|(index, number)| number * (index + 1) as f32).sum();
    (0..seats).map(|seat| (sum * 5.0 + seat as f32).sin() * 0.9).collect()
}

impl Evaluator<Draw> for Seen {
    fn value(&self, rules: &Draw, state: &State) -> Values {
        let planes = rules.planes().unwrap();
        let signature = planes.layout().signature;
        let mut row = vec![f32::NAN; signature.input_len()];
        planes.fill(state, rules.acting(state)[0], &signature, &mut row);
        let mut values = Values::default();
        values[..rules.seats()].copy_from_slice(&values_of(&row, rules.seats()));
        values
    }

    fn priors(&self, _: &Draw, _: &State, _: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|_| 1.0));
    }
}

fn game(seats: usize) -> (Arc<Draw>, State) {
    let (rules, state) = Draw::setup("standard", &json!({"seats": seats, "first": 4})).unwrap();
    (Arc::new(rules), state)
}

fn settings() -> Vec<Value> {
    let mut all = Vec::new();
    for deals in [0, 1, 3] {
        for use_rave in [false, true] {
            all.push(json!({"search": "uct", "num_determinizations": deals, "use_rave": use_rave}));
        }
    }
    all.push(json!({"search": "uct", "preset": "seed"}));
    all
}

fn outside(seats: usize, options: &Value) -> Box<dyn Search> {
    let (rules, state) = game(seats);
    let spec = SearchSpec { evaluator: "planes".into(), options: options.clone(), seed: 5 };
    open(&rules, &state, &spec).unwrap()
}

fn batched(search: &mut dyn Search) -> &mut dyn Batched {
    let Driver::Batched(search) = search.driver() else { panic!("evaluations come from outside") };
    search
}

/// Gathers leaves and evaluates them as [`Seen`] does; returns their number.
fn step(search: &mut dyn Search, seats: usize, room: usize) -> usize {
    let signature = game(seats).0.planes().unwrap().layout().signature;
    let (search, mut keys) = (batched(search), Vec::new());
    search.gather(room, &mut keys);
    let evaluations: Vec<Evaluation> = (0..keys.len())
        .map(|leaf| {
            let mut row = vec![f32::NAN; signature.input_len()];
            search.fill(&signature, leaf, &mut row);
            search.read(&signature, leaf, &[], &values_of(&row, seats))
        })
        .collect();
    search.absorb(&evaluations);
    keys.len()
}

/// All that a search tells.
fn told(search: &dyn Search) -> String {
    let tree = search.inspect().unwrap();
    let root = Default::default();
    format!("{:?} {:?} {:?} {}", search.report(99), tree.actions(&root), tree.counters(), search.visits())
}

#[test]
fn batches_of_one_are_the_same_as_an_own_evaluator() {
    for (seats, options) in settings().iter().flat_map(|options| [(2, options), (3, options)]) {
        let mut search = outside(seats, options);
        let (rules, state) = game(seats);
        let own = Options::read(options).unwrap();
        // The preset `seed` evaluates only the seat that searches, by its raw value, which `Seen` does not balance.
        let mut alone = Uct::new(rules, state, Some(Box::new(Seen)), None, own, 5);
        for simulation in 1..=200 {
            step(&mut *search, seats, 1);
            alone.run(1);
            if simulation % 20 == 0 {
                assert_eq!(told(&*search), told(&alone), "{seats} seats, {options} after {simulation}");
            }
        }
    }
}

#[test]
fn a_batch_counts_every_simulation() {
    for options in settings() {
        for room in [2, 7, 32] {
            let mut search = outside(3, &options);
            let mut leaves = 0;
            while search.visits() < 600 {
                let before = search.visits();
                leaves += step(&mut *search, 3, room);
                assert!((before + 1..=before + room as u32).contains(&search.visits()));
            }
            let counters = search.inspect().unwrap().counters();
            assert_eq!(counters.evaluations, leaves as u64);
            assert_eq!(counters.evaluations + counters.known, u64::from(search.visits()));
        }
    }
}

#[test]
fn what_was_gathered_can_be_given_back() {
    for (seats, options) in settings().iter().flat_map(|options| [(2, options), (3, options)]) {
        let (mut search, mut twin) = (outside(seats, options), outside(seats, options));
        for round in 0..40 {
            let (before, flight, mut keys) = (told(&*search), batched(&mut *search).flight(), Vec::new());
            batched(&mut *search).gather(9, &mut keys);
            assert!(keys.len() > 1 || round > 0, "a batch has several leaves");
            let copy = search.copy().unwrap();
            batched(&mut *search).cancel();
            assert_ne!(batched(&mut *search).flight(), flight);
            if keys.is_empty() {
                batched(&mut *twin).gather(9, &mut keys);
            } else {
                assert_eq!(told(&*search), before, "{options} round {round}");
                step(&mut *search, seats, 9);
                step(&mut *twin, seats, 9);
            }
            assert_eq!(
                told(&*copy),
                if keys.is_empty() { told(&*search) } else { before },
                "a copy gives back, too"
            );
            assert_eq!(told(&*search), told(&*twin), "{options} round {round}: nothing of it is left");
        }
    }
}

#[test]
fn moves_and_fixed_actions_give_back_what_is_in_flight() {
    for options in settings() {
        let mut search = outside(3, &options);
        step(&mut *search, 3, 8);
        for act in [
            |search: &mut dyn Search| search.advance("take +7").unwrap(),
            |search: &mut dyn Search| {
                search.focusing().unwrap().focus();
            },
        ] {
            let mut keys = Vec::new();
            batched(&mut *search).gather(8, &mut keys);
            let flight = batched(&mut *search).flight();
            act(&mut *search);
            assert_ne!(batched(&mut *search).flight(), flight);
            let before = search.visits();
            step(&mut *search, 3, 8);
            assert!(search.visits() > before);
        }
    }
}
