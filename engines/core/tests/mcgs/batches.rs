//! Descents that wait for evaluations from outside.

use std::sync::Arc;

use _core::evaluation::Evaluation;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::graph::Kind;
use _core::search::mcgs::options::Options;
use _core::search::node_store::NodeId;
use _core::search::{Batched, Driver, Search, SelfEvaluating};
use serde_json::{Value, json};

use super::race::{Race, SIGNATURE, Share};

fn outside(options: &Value) -> Mcgs<Race> {
    let (race, start) = Race::diagonal(6);
    Mcgs::new(Arc::new(race), start, None, Options::read(options).unwrap(), 5)
}

/// Gathers leaves and evaluates them as [`Share`] does; returns the number of leaves.
fn step(search: &mut Mcgs<Race>, room: usize) -> usize {
    let mut keys = Vec::new();
    search.gather(room, &mut keys);
    let evaluations: Vec<Evaluation> = (0..keys.len())
        .map(|leaf| {
            let mut row = [f32::NAN];
            search.fill(&SIGNATURE, leaf, &mut row);
            search.read(&SIGNATURE, leaf, &[0.5; 10], &[row[0] / 2.0; 2])
        })
        .collect();
    search.absorb(&evaluations);
    keys.len()
}

fn sound(search: &Mcgs<Race>) {
    let graph = search.graph();
    for id in 0..graph.size() as NodeId {
        assert_eq!(graph.inconsistency(id), None);
        assert!(graph.node(id).kind != Kind::Pending && graph.node(id).in_flight == 0);
        assert!((0..2).all(|seat| graph.choices(id, seat).iter().all(|choice| choice.in_flight == 0)));
    }
}

#[test]
fn batches_of_one_are_the_same_as_an_own_evaluator() {
    for options in [json!({}), json!({"utility": "own"}), json!({"selector": "rm"}), json!({"utility": "win"})] {
        let mut search = outside(&options);
        assert!(matches!(search.driver(), Driver::Batched(_)));
        let (race, start) = Race::diagonal(6);
        let mut alone = race.search(start, Share, Options::read(&options).unwrap());
        for descent in 1..=600 {
            step(&mut search, 1);
            alone.run(1);
            assert_eq!(search.root_statistics(), alone.root_statistics(), "{options} after {descent}");
        }
        assert_eq!(search.report(9), alone.report(9));
    }
}

#[test]
fn a_batch_counts_every_descent_but_collisions() {
    for room in [2, 8, 16, 64] {
        for options in
            [json!({}), json!({"selector": "rm"}), json!({"table": false}), json!({"short_circuit": true})]
        {
            let mut search = outside(&options);
            let (mut leaves, mut visits) = (0, 0);
            while search.visits() < 1500 {
                leaves += step(&mut search, room);
                assert!(search.visits() > visits && search.visits() <= visits + room as u32);
                visits = search.visits();
                sound(&search);
            }
            let evaluated = search.root_statistics().evaluations;
            assert_eq!(evaluated, leaves as u64, "no leaf is evaluated twice");
        }
    }
}

#[test]
fn a_batch_goes_to_different_leaves() {
    let mut search = outside(&json!({}));
    step(&mut search, 1);
    let mut keys = Vec::new();
    search.gather(64, &mut keys);
    assert_eq!(keys.len(), 3, "virtual loss leads to another pair, until a collision closes the batch");
}

#[test]
fn what_was_gathered_can_be_given_back() {
    for options in [json!({}), json!({"selector": "rm"}), json!({"table": false})] {
        let (mut search, mut twin) = (outside(&options), outside(&options));
        for round in 0..60 {
            let before = (search.root_statistics(), search.graph().size());
            let (flight, mut keys) = (search.flight(), Vec::new());
            search.gather(8, &mut keys);
            let counted_at_once = keys.is_empty();
            search.cancel();
            assert_ne!(search.flight(), flight);
            if counted_at_once {
                twin.gather(8, &mut keys);
            } else {
                assert_eq!((search.root_statistics(), search.graph().size()), before, "round {round}");
                step(&mut search, 8);
                step(&mut twin, 8);
            }
            sound(&search);
            assert_eq!(search.root_statistics(), twin.root_statistics(), "nothing of it is left");
        }
        assert_eq!(search.report(50), twin.report(50));
    }
}
