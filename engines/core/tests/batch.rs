//! Laws of batches and of the evaluation cache: what is shared saves work and changes nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use _core::batch::{Batch, Shared, lock};
use _core::cache::Cache;
use _core::games::open;
use _core::planes::Signature;
use _core::search::{Report, SearchSpec};
use serde_json::{Value, json};

const SIGNATURE: Signature = Signature { planes: 9, dim2: 5, dim3: 5, policy: 58, values: 1 };
const PARALLEL: usize = 4;

fn search(moves: &[&str]) -> Shared {
    let mut position = open("wallwars", Some("standard"), &json!({"boardWidth": 5, "boardHeight": 5})).unwrap();
    position.play(&moves.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap();
    let spec = SearchSpec { evaluator: "planes".into(), options: Value::Null, seed: 7 };
    Arc::new(Mutex::new(position.search(&spec).unwrap()))
}

/// A model whose answer depends on the row alone, and which remembers how often it saw which row.
#[derive(Default)]
struct Model {
    seen: HashMap<Vec<u32>, usize>,
}

impl Model {
    fn evaluate(&mut self, rows: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let (mut priors, mut values) = (Vec::new(), Vec::new());
        for row in rows.chunks(SIGNATURE.input_len()) {
            *self.seen.entry(row.iter().map(|plane| plane.to_bits()).collect()).or_default() += 1;
            let sum: f32 = row.iter().enumerate().map(|(index, plane)| plane * (index % 7) as f32).sum();
            priors.extend((0..SIGNATURE.policy).map(|index| 0.5 + 0.5 * ((index as f32 + sum) * 12.9898).sin()));
            values.push((sum * 0.37).sin() * 0.5);
        }
        (priors, values)
    }

    fn rows(&self) -> usize {
        self.seen.values().sum()
    }
}

/// Brings every search to `visits`, all of them in one batch.
fn run(searches: &[Shared], visits: u32, cache: &Arc<Cache>, model: &mut Model) {
    let mut batch = Batch::new(SIGNATURE, Arc::clone(cache));
    let mut buffer = vec![f32::NAN; searches.len() * PARALLEL * SIGNATURE.input_len()];
    loop {
        let wanted: Vec<(Shared, u32)> = searches
            .iter()
            .map(|search| (Arc::clone(search), visits.saturating_sub(lock(search).visits())))
            .filter(|(_, missing)| *missing > 0)
            .collect();
        if wanted.is_empty() {
            return;
        }
        batch.gather(&wanted, PARALLEL, &mut buffer);
        let (priors, values) = model.evaluate(&buffer[..batch.rows() * SIGNATURE.input_len()]);
        let ran = batch.scatter(&priors, &values);
        assert!(ran.iter().all(|&simulations| simulations > 0));
    }
}

fn report(search: &Shared) -> Report {
    lock(search).report(50)
}

fn alone(moves: &[&str], visits: u32, capacity: usize) -> (Report, usize) {
    let (search, mut model) = (search(moves), Model::default());
    run(&[Arc::clone(&search)], visits, &Arc::new(Cache::new(capacity)), &mut model);
    (report(&search), model.rows())
}

#[test]
fn a_cache_of_any_size_changes_no_search() {
    let (without, rows) = alone(&[], 600, 0);
    for capacity in [1, 50, 100_000] {
        let (with, fewer) = alone(&[], 600, capacity);
        assert_eq!(with, without);
        assert!(fewer <= rows);
    }
}

#[test]
fn what_others_left_in_the_cache_changes_no_search() {
    let (lonely, rows) = alone(&["Cb4"], 400, 0);
    let cache = Arc::new(Cache::new(100_000));
    run(&[search(&[]), search(&["Cb4"])], 300, &cache, &mut Model::default());
    let (after, mut model) = (search(&["Cb4"]), Model::default());
    run(&[Arc::clone(&after)], 400, &cache, &mut model);
    assert_eq!(report(&after), lonely);
    assert!(model.rows() < rows / 2, "{} of {rows}", model.rows());
}

#[test]
fn a_search_is_the_same_alone_and_in_company() {
    let (lonely, _) = alone(&["Cb4"], 300, 100_000);
    let few: Vec<Shared> = [&[][..], &["Cb4"], &["Cb4"], &["Ca3"], &["Cb4", "---"]].map(search).to_vec();
    run(&few, 300, &Arc::new(Cache::new(100_000)), &mut Model::default());
    assert_eq!(report(&few[1]), lonely);
    assert_eq!(report(&few[2]), lonely);
    // So many that they are worked on in parallel.
    let company: Vec<Shared> =
        (0..40).map(|number| search(&[["Cb4", "Ca3", "Ca4", "Cb5", ">a1"][number % 5]])).collect();
    run(&company, 300, &Arc::new(Cache::new(100_000)), &mut Model::default());
    assert_eq!(report(&company[0]), lonely);
    assert_eq!(report(&company[25]), lonely);
}

#[test]
fn no_position_is_evaluated_twice() {
    let cache = Arc::new(Cache::new(100_000));
    let company: Vec<Shared> = [&[][..], &[], &["Cb4"]].map(search).to_vec();
    let mut model = Model::default();
    run(&company, 300, &cache, &mut model);
    assert!(model.seen.values().all(|&times| times == 1));
    assert_eq!(cache.misses() as usize, model.rows());
    assert_eq!(cache.len(), model.rows());
    assert!(cache.hits() as usize > model.rows() / 3, "the second search costs nothing");
}

#[test]
fn a_search_that_moved_on_drops_the_evaluations_of_its_old_leaves() {
    let (moved, twin) = (search(&[]), search(&[]));
    let cache = Arc::new(Cache::new(0));
    let mut batch = Batch::new(SIGNATURE, Arc::clone(&cache));
    let mut buffer = vec![0.0; PARALLEL * SIGNATURE.input_len()];
    for each in [&moved, &twin] {
        run(&[Arc::clone(each)], 100, &cache, &mut Model::default());
    }
    batch.gather(&[(Arc::clone(&moved), 50)], PARALLEL, &mut buffer);
    for each in [&moved, &twin] {
        lock(each).advance("Cb4").unwrap();
    }
    run(&[Arc::clone(&moved)], 60, &cache, &mut Model::default());
    let (priors, values) = Model::default().evaluate(&buffer[..batch.rows() * SIGNATURE.input_len()]);
    batch.scatter(&priors, &values);
    run(&[Arc::clone(&twin)], 60, &cache, &mut Model::default());
    assert_eq!(report(&moved), report(&twin));
}

#[test]
fn a_batch_given_back_leaves_no_trace() {
    let (search, twin) = (search(&[]), search(&[]));
    let cache = Arc::new(Cache::new(0));
    let mut buffer = vec![0.0; PARALLEL * SIGNATURE.input_len()];
    let mut batch = Batch::new(SIGNATURE, Arc::clone(&cache));
    run(&[Arc::clone(&search), Arc::clone(&twin)], 100, &cache, &mut Model::default());
    batch.gather(&[(Arc::clone(&search), 50)], PARALLEL, &mut buffer);
    assert!(batch.rows() > 0);
    batch.cancel();
    assert_eq!(batch.rows(), 0);
    run(&[Arc::clone(&search), Arc::clone(&twin)], 200, &cache, &mut Model::default());
    assert_eq!(report(&search), report(&twin));
}
