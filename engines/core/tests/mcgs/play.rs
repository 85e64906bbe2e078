//! Whole games: reports, the move to play, and the graph that is kept when a move is played.

use std::collections::HashSet;

use _core::evaluator::Zero;
use _core::games::open;
use _core::games::toys::goofspiel::Goofspiel;
use _core::rules::Rules;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::graph::ROOT;
use _core::search::mcgs::options::Options;
use _core::search::node_store::NodeId;
use _core::search::{Driver, Search, SearchSpec, SelfEvaluating};
use serde_json::{Value, json};

use super::race::{Race, Share};

fn race(options: &Value) -> Mcgs<Race> {
    let (race, start) = Race::diagonal(6);
    race.search(start, Share, Options::read(options).unwrap())
}

fn goofspiel(cards: u32, options: &Value, seed: u64) -> Mcgs<Goofspiel> {
    let (rules, state) = Goofspiel::setup("standard", &json!({"cards": cards})).unwrap();
    Mcgs::new(rules.into(), state, Some(Box::new(Zero)), Options::read(options).unwrap(), seed)
}

#[test]
fn every_selector_and_utility_plays_a_game() {
    for options in [
        json!({}),
        json!({"utility": "own", "table": false}),
        json!({"utility": "win", "short_circuit": true}),
        json!({"selector": "rm"}),
        json!({"selector": "rm", "utility": "win"}),
        json!({"selector": "puct+rootsolve"}),
        json!({"profile": "seed", "temperature": 1}),
    ] {
        let mut all = options.clone();
        all["search"] = json!("mcgs");
        let mut position = open("toy-goofspiel", None, &json!({"cards": 6})).unwrap();
        let spec = SearchSpec { evaluator: "zero".into(), options: all, seed: 3 };
        let mut search = position.search(&spec).unwrap();
        assert!(search.focusing().is_none() && search.report(1).best_move.is_none());
        while position.outcome().is_none() {
            let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
            assert_eq!(driver.run(200), 200);
            let report = search.report(3);
            assert_eq!(search.report(3), report, "a repeated report changes nothing");
            assert_eq!(report.values[0] + report.values[1], 0.0);
            assert_eq!(report.policies.len(), 2);
            for policy in &report.policies {
                assert!((policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5);
                assert!(policy.is_sorted_by(|a, b| a.1 >= b.1), "most probable first");
            }
            let text = report.best_move.unwrap();
            for (part, policy) in text.split('/').zip(&report.policies) {
                assert!(
                    policy.iter().any(|(text, share)| text == part && *share > 0.0),
                    "{text} is in the policies"
                );
            }
            if report.lines[0].text == text {
                assert_eq!(report.lines[0].pv[0], text);
            }
            position.play(std::slice::from_ref(&text)).unwrap();
            search.advance(&text).unwrap();
        }
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        assert_eq!(driver.run(10), 0, "nothing is left to search");
        let report = search.report(1);
        assert_eq!((report.best_move, report.policies.len(), report.visits), (None, 0, 0));
        assert_eq!(report.values[0], position.outcome().unwrap().values(2)[0]);
    }
}

#[test]
fn the_graph_below_a_played_move_is_kept_and_the_rest_is_freed() {
    for options in [json!({}), json!({"selector": "rm"}), json!({"table": false})] {
        let mut search = race(&options);
        search.run(3000);
        let (bytes, nodes) = (search.bytes(), search.graph().size());
        let best = search.report(1).best_move.unwrap();
        let graph = search.graph();
        let visits = search.report(9).lines.iter().find(|line| line.text == best).unwrap().visits;
        assert_eq!(graph.node(ROOT).ply, 0);
        search.advance(&best).unwrap();
        let graph = search.graph();
        assert!(search.bytes() < bytes && graph.size() < nodes, "memory is freed");
        assert!(search.visits() >= visits && search.visits() == search.report(1).inherited);
        for id in 0..graph.size() as NodeId {
            let node = graph.node(id);
            assert_eq!((graph.inconsistency(id), node.value), (None, graph.computed(id)), "all values are fresh");
            assert!(node.ply >= 1 && graph.find(node.key(), node.ply).is_none_or(|found| found == id));
        }
        search.run(2000);
        if options.get("selector").is_some() {
            continue; // it mixes outcomes of equal worth in any way
        }
        let (rules, mut state) = Race::diagonal(6);
        _core::moves::play_recorded(&rules, &mut state, &best).unwrap();
        let mut fresh = rules.search(state, Share, Options::read(&options).unwrap());
        fresh.run(4000);
        assert_eq!(likely(&search), likely(&fresh), "{options}");
        let (kept, fresh) = (search.root_statistics().value, fresh.root_statistics().value);
        assert!((0..2).all(|seat| (kept[seat] - fresh[seat]).abs() < 0.1), "{options}");
    }
}

/// The moves of both seats with more than a tenth of the visits.
fn likely(search: &Mcgs<Race>) -> HashSet<String> {
    let policies = search.report(1).policies;
    policies.into_iter().flatten().filter(|(_, share)| *share > 0.1).map(|(text, _)| text).collect()
}

#[test]
fn a_game_searched_to_the_end_holds_no_more_memory_than_its_rest() {
    let mut search = goofspiel(6, &json!({}), 1);
    while search.report(1).values[0].abs() < 2.0 {
        search.run(5000);
        let (before, nodes) = (search.bytes(), search.graph().size());
        let Some(best) = search.report(1).best_move else { break };
        search.advance(&best).unwrap();
        assert!(search.bytes() * nodes <= before * (search.graph().size() + 200) * 2, "{} bytes", search.bytes());
    }
    assert_eq!(search.graph().size(), 1);
}

#[test]
fn unvisited_moves_and_forfeits_start_a_new_graph() {
    let mut search = race(&json!({}));
    search.run(1);
    search.advance("U/D").unwrap();
    assert_eq!((search.visits(), search.graph().size(), search.graph().node(ROOT).ply), (0, 1, 1));
    assert!(search.advance("D/X").is_err() && search.advance("L/L").is_err());
    search.run(10);
    assert_eq!(search.visits(), 10, "a refused move changes nothing");
    search.advance("!0").unwrap();
    assert_eq!((search.run(1), search.report(1).values[..2].to_vec()), (0, vec![-1.0, 1.0]));
}

#[test]
fn after_one_descent_the_priors_are_the_policy() {
    let mut search = race(&json!({"ties": "index"}));
    search.run(1);
    let report = search.report(9);
    assert_eq!((report.visits, report.nodes, report.lines.len()), (1, 1, 0));
    assert_eq!(report.best_move.as_deref(), Some("U/D"));
    assert!(report.policies.iter().flatten().all(|(_, share)| (*share - 1.0 / 3.0).abs() < 1e-6));
}

#[test]
fn a_mixture_is_played_as_a_draw_from_it() {
    let mut played = HashSet::new();
    for seed in 0..40 {
        let mut search = goofspiel(3, &json!({"selector": "rm"}), seed);
        search.run(300);
        let report = search.report(1);
        assert_eq!(search.report(1).best_move, report.best_move, "the same draw in every report");
        let mut twin = goofspiel(3, &json!({"selector": "rm"}), seed);
        twin.run(300);
        assert_eq!(twin.report(1), report, "a seed plays the same");
        played.insert(report.best_move.unwrap());
    }
    assert!(played.len() > 1, "{played:?}");
    let largest = |temperature: Value| {
        let mut search = goofspiel(3, &json!({"selector": "rm", "temperature": temperature}), 7);
        search.run(300);
        let report = search.report(1);
        let largest: Vec<_> = report.policies.iter().map(|policy| policy[0].0.clone()).collect();
        (report.best_move.unwrap(), largest.join("/"))
    };
    let (best, first) = largest(json!(0));
    assert_eq!(best, first, "without temperature, the most probable move is played");
}

#[test]
fn rewards_on_the_edges_add_up() {
    // Leaf (2, 3) behind (0.5, 1) is worth (2.5, 4), and behind another (1, 0.5) it is worth (3.5, 4.5).
    use _core::search::mcgs::graph::{Graph, Kind, Node};
    use _core::search::mcgs::options::Sharing;
    let node = |key, ply| Node::new(key, ply, Kind::Pending, 1.0, [0.0; 2]);
    let mut graph: Graph<char> = Graph::new(node(1, 0), Sharing::Graph, false);
    let (middle, leaf) = (graph.add(node(2, 1)), graph.add(node(3, 2)));
    for (id, own) in [(ROOT, [3.5, 4.5]), (middle, [2.5, 4.0]), (leaf, [2.0, 3.0])] {
        graph.evaluate(id, own);
        graph.list(id, [&['a'], &['b', 'c']], [&[1.0], &[0.0, 1.0]]);
        assert_eq!(graph.choices(id, 1).iter().map(|choice| choice.action).collect::<String>(), "c", "weight 0");
    }
    graph.attach(middle, [0, 0], leaf, [0.5, 1.0]);
    graph.attach(ROOT, [0, 0], middle, [1.0, 0.5]);
    for id in [middle, ROOT] {
        graph.count(id, [0, 0]);
        graph.refresh(id);
    }
    assert_eq!(graph.worth(&graph.edges(middle)[0]), [2.5, 4.0]);
    assert_eq!(graph.worth(&graph.edges(ROOT)[0]), [3.5, 4.5]);
    assert_eq!((graph.node(middle).value, graph.node(ROOT).value), ([2.5, 4.0], [3.5, 4.5]));
}
