//! No search of any game misses a win in one move, whatever it was given to search.

use _core::games::{find, open};
use _core::position::Position;
use _core::rules::Seat;
use _core::search::{Driver, SearchSpec};
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

/// The searches of games in turns, and those of simultaneous moves.
const IN_TURN: [&str; 5] = ["puct", "alphabeta", "greedy", "uct", "montecarlo"];
const TOGETHER: [&str; 3] = ["mcgs", "greedy", "montecarlo"];

/// Plays random games and calls `judge` with each position, until it has said `wanted` times that a win was there.
fn along_random_games(
    (game, variant, config): (&str, &str, &Value),
    wanted: usize,
    mut judge: impl FnMut(&dyn Position) -> bool,
) -> usize {
    let mut rng = Pcg64::seed_from_u64(17);
    let (mut won, mut seen) = (0, 0);
    while won < wanted {
        let mut config = config.clone();
        if find(game).unwrap().members.contains(&"seed") {
            config["seed"] = json!(rng.random_range(0..1_000_000));
        }
        let mut position = open(game, Some(variant), &config).unwrap();
        while position.outcome().is_none() && position.ply() < 150 && won < wanted {
            (won, seen) = (won + usize::from(judge(&*position)), seen + 1);
            let part = |seat| random_move(&*position, seat, &mut rng);
            let text = position.to_act().into_iter().map(part).collect::<Vec<_>>().join("/");
            position.play(&[text]).unwrap();
        }
        assert!(seen < 100_000, "{game} {variant}: {won} wins in {seen} positions");
    }
    seen
}

/// Half of the moves of Wallwars are steps, so that games end before the board is full.
fn random_move(position: &dyn Position, seat: Seat, rng: &mut Pcg64) -> String {
    if position.lists_moves() {
        return position.legal_moves(Some(seat)).unwrap().choose(rng).unwrap().clone();
    }
    let pick = |staged: &str, rng: &mut Pcg64| {
        let all = position.legal_actions(Some(seat), staged).unwrap();
        let steps: Vec<String> = all.iter().filter(|action| action.starts_with(['C', 'M'])).cloned().collect();
        let from = if steps.is_empty() || rng.random() { all } else { steps };
        from.choose(rng).unwrap().clone()
    };
    let first = pick("", rng);
    match rng.random_range(0..5) {
        0 => first,
        _ => match pick(&first, rng) {
            end if end == "---" => first,
            second => format!("{first}.{second}"),
        },
    }
}

/// Every whole move of a seat that moves alone, those that end early included.
fn whole_moves(position: &dyn Position, seat: Seat) -> Vec<String> {
    if position.lists_moves() {
        return position.legal_moves(Some(seat)).unwrap();
    }
    let mut texts = vec!["---".to_owned()];
    for first in position.legal_actions(Some(seat), "").unwrap() {
        let seconds = position.legal_actions(Some(seat), &first).unwrap_or_default();
        texts.extend(seconds.iter().filter(|second| *second != "---").map(|second| format!("{first}.{second}")));
        texts.push(first);
    }
    texts
}

fn wins(position: &dyn Position, text: &str, seat: Seat) -> bool {
    let mut after = position.boxed_clone();
    let played = match position.to_act().len() {
        1 => after.play_submitted(text, Some(seat), None),
        _ => after.play(&[text.to_owned()]).map(|_| ()),
    };
    played.is_ok() && after.outcome().is_some_and(|outcome| outcome.winners(position.seats()) == [seat])
}

/// The best move of a search that was given so many simulations for each action.
fn best_move(position: &dyn Position, search: &str, simulations: u32) -> (String, Vec<f32>) {
    let spec = SearchSpec { evaluator: "native".into(), options: json!({"search": search}), seed: 3 };
    let mut search = position.search(&spec).unwrap();
    loop {
        let Driver::SelfEvaluating(driver) = search.driver() else { panic!("it evaluates itself") };
        driver.run(simulations);
        if !search.focusing().is_some_and(|focus| focus.focus()) {
            let report = search.report(2);
            return (report.best_move.unwrap(), report.values.to_vec());
        }
    }
}

/// Whether the seat to move wins in one; if so, every search does.
fn all_searches_win(position: &dyn Position) -> bool {
    let seat = position.to_act()[0];
    if !whole_moves(position, seat).iter().any(|text| wins(position, text, seat)) {
        return false;
    }
    for search in IN_TURN {
        if position.seats() > 2 && matches!(search, "puct" | "alphabeta") {
            continue;
        }
        if position.submitted("a +b") == "a" && matches!(search, "puct" | "alphabeta") {
            continue; // hidden information
        }
        for simulations in [1, 40] {
            let (best, values) = best_move(position, search, simulations);
            let config = position.config();
            assert!(
                wins(position, &best, seat),
                "{search} {simulations}: {best} {config} {:?}",
                position.history()
            );
            assert_eq!(values[seat], 1.0, "{search}");
        }
    }
    true
}

#[test]
fn wallwars() {
    let boards = [(3, 3), (4, 3), (3, 4), (5, 4)]
        .map(|(width, height)| json!({"boardWidth": width, "boardHeight": height}));
    for config in boards {
        for variant in ["standard", "classic"] {
            along_random_games(("wallwars", variant, &config), 60, all_searches_win);
        }
    }
    let start = json!({"cat": [0, 0], "mouse": [2, 2], "turnsToSurvive": 9, "mouseCanMove": true, "walls": []});
    let survival = json!({"boardWidth": 3, "boardHeight": 3, "initialState": start});
    along_random_games(("wallwars", "survival", &survival), 25, all_searches_win);
}

/// No wall has a place, so that the second action would have to leave the goal again.
#[test]
fn a_turn_ends_where_it_has_won() {
    let config = json!({"boardWidth": 3, "boardHeight": 4});
    let mut position = open("wallwars", Some("classic"), &config).unwrap();
    let record = "^c1 >a3 ^c3 >b2 >a2 >b3 ^a1 ^c2 ^a3 ^a2 Cb4.>a4 Cb3 Cb3 Cb4 Cb4 Cb2 Cb3 Cb1.^b3 Cb2 Cb3 Cb1.>b4 Cb2 \
                  Cb3 Cb1 Cb2.^b2 Cc1 Cb1.^b1 ---";
    position.play(&record.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap();
    for search in IN_TURN {
        assert_eq!(
            best_move(&*position, search, 100),
            ("Cc1".to_owned(), vec![1.0, -1.0, 0.0, 0.0, 0.0]),
            "{search}"
        );
    }
}

#[test]
fn hive() {
    for variant in ["Base", "Base+MLP"] {
        along_random_games(("hive", variant, &json!({})), 30, all_searches_win);
    }
}

#[test]
fn carcassonne() {
    for seats in [2, 3] {
        along_random_games(
            ("carcassonne", "standard", &json!({"seats": seats, "tileCount": 5})),
            15,
            all_searches_win,
        );
    }
}

/// A seat with an action that wins against all of the other's plays one.
#[test]
fn pyrat() {
    let config = json!({
        "width": 4, "height": 4, "cheese": [[1, 1], [2, 2], [0, 3]], "starts": [[0, 0], [3, 3]], "maxTurns": 20
    });
    along_random_games(("pyrat", "open", &config), 40, |position| {
        let moves = [0, 1].map(|seat| position.legal_moves(Some(seat)).unwrap());
        let is_certain = |seat: Seat, own: &str| {
            moves[1 - seat].iter().all(|other| {
                let joint = if seat == 0 { format!("{own}/{other}") } else { format!("{other}/{own}") };
                wins(position, &joint, seat)
            })
        };
        let Some(seat) = (0..2).find(|seat| moves[*seat].iter().any(|own| is_certain(*seat, own))) else {
            return false;
        };
        for search in TOGETHER {
            for simulations in [2, 40] {
                let (best, values) = best_move(position, search, simulations);
                let own = best.split('/').nth(seat).unwrap();
                assert!(is_certain(seat, own), "{search} {simulations}: {best} {:?}", position.history());
                assert_eq!(values[seat], 1.0, "{search}");
            }
        }
        true
    });
}
