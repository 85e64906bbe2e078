//! Random games of every type beside the plain model: the same moves in the same words, the same board, the same end.

use std::collections::{BTreeSet, HashMap};

use _core::games::hive::Hive;
use _core::games::hive::action::Action;
use _core::games::hive::state::State;
use _core::games::hive::variant::TYPES;
use _core::games::open;
use _core::position::Position;
use _core::rules::Rules;
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use super::model::{Hex, Model, Name};

/// How a random player chooses.
#[derive(Clone, Copy)]
enum Taste {
    /// Every move is as good as another.
    Any,
    /// Moves rather than placements, so that pieces climb and throw early.
    Restless,
    /// Rarely a piece of the own hand, and then Beetles and Pillbugs: few pieces, many stacks and throws.
    Climbing,
}

#[test]
fn games_agree_with_the_model() {
    for (index, game_type) in TYPES.into_iter().enumerate() {
        for (seed, taste) in [Taste::Any, Taste::Restless, Taste::Climbing].into_iter().enumerate() {
            follow(game_type, (index * 10 + seed) as u64, taste, 90);
        }
    }
}

/// A hive walks over the edge of the wrapped grid in each direction, and its coordinates go on.
#[test]
fn hives_wander_without_end() {
    let mut game = r"wA1;bA1 wA1-;wQ -wA1;bQ bA1-".to_string();
    let mut walk = r"wQ \wA1;bQ bA1/;wQ -bQ;bA1 bQ\;wA1 wQ\;bQ bA1/;wQ -wA1;bQ bA1-".to_string();
    for _ in 0..6 {
        wander(&game, &walk, 20);
        (game, walk) = (turned(&game), turned(&walk));
    }
}

fn wander(opening: &str, walk: &str, times: usize) {
    let config = json!({"drawByRepetition": false, "plyLimit": 0});
    let mut position = open("hive", Some("Base"), &config).unwrap();
    let mut model = Model::new("Base");
    let walks = std::iter::repeat_n(walk, times);
    for text in std::iter::once(opening).chain(walks).flat_map(|texts| texts.split(';')) {
        position.play(&[text.to_string()]).unwrap();
        model.play_text(position.history().last().unwrap());
        assert_eq!(cells(&position.view(None).unwrap()), model.cells());
        let moves: BTreeSet<String> = position.legal_moves(None).unwrap().into_iter().collect();
        assert_eq!(moves, model.moves());
    }
}

/// The same moves with every direction turned clockwise by a sixth.
pub fn turned(moves: &str) -> String {
    let turn = |text: &str| {
        let (piece, to) = text.split_once(' ')?;
        let name = to.trim_matches(['-', '/', '\\']);
        let to = match (to.strip_suffix(name), to.strip_prefix(name)) {
            (Some("\\"), _) => format!("{name}/"),
            (_, Some("/")) => format!("{name}-"),
            (_, Some("-")) => format!("{name}\\"),
            (_, Some("\\")) => format!("/{name}"),
            (Some("/"), _) => format!("-{name}"),
            (Some(""), _) => name.to_string(),
            _ => format!("\\{name}"),
        };
        Some(format!("{piece} {to}"))
    };
    moves.split(';').map(|text| turn(text).unwrap_or_else(|| text.to_string())).collect::<Vec<_>>().join(";")
}

/// Plays one game on both and compares them at every ply.
fn follow(game_type: &str, seed: u64, taste: Taste, plies: usize) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut position = open("hive", Some(game_type), &json!(null)).unwrap();
    let mut model = Model::new(game_type);
    for ply in 0..plies {
        let at = || format!("{game_type} seed {seed} ply {ply}: {:?}", position.history());
        let view = position.view(None).unwrap();
        assert_eq!(cells(&view), model.cells(), "{}", at());
        let repeated = model.is_repeated() && model.state() == "InProgress";
        assert_eq!(view["state"], if repeated { "Draw" } else { model.state() }, "{}", at());
        let reason = position.outcome().map(|outcome| outcome.reason);
        if matches!(model.state(), "NotStarted" | "InProgress") && !repeated {
            assert_eq!(reason, None, "{}", at());
        } else {
            assert_eq!(reason, Some(if repeated { "repetition" } else { "board" }), "{}", at());
            assert!(position.legal_moves(None).unwrap().is_empty());
            return;
        }
        let listed = position.legal_moves(None).unwrap();
        let moves: BTreeSet<String> = listed.iter().cloned().collect();
        assert_eq!(moves.len(), listed.len(), "{}", at());
        assert_eq!(moves, model.moves(), "{}", at());
        assert_eq!(position.perft(1, 1), Ok(moves.len() as u64), "{}", at());
        let choice = choose(&*position, &listed, taste, &mut rng);
        position.play(std::slice::from_ref(&choice)).unwrap();
        assert_eq!(position.history().last(), Some(&choice), "what is listed is canonical");
        model.play_text(&choice);
    }
}

#[test]
fn keys_tell_positions_apart() {
    let (rules, start) = Hive::setup("Base+MLP", &json!(null)).unwrap();
    let mut known = HashMap::new();
    for seed in 0..300 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut state = start.clone();
        for _ in 0..30 {
            let mut legal = Vec::new();
            rules.legal(&state, state.seat(), &mut legal);
            let Some(action) = legal.choose(&mut rng) else { break };
            rules.play_unchecked(&mut state, &[*action]);
            let view = rules.view(&state, None);
            let unnumbered = view["cells"].to_string().replace(['1', '2', '3'], "");
            let numbers: Vec<String> = cells(&view).into_iter().map(|(cell, _)| format!("{cell:?}")).collect();
            let identity = format!("{unnumbered} {numbers:?} {}", view["toMove"]);
            let before = known.insert(rules.table_key(&state), identity.clone());
            assert!(before.is_none_or(|before| before == identity));
        }
    }
    assert!(known.len() > 5_000);
}

#[test]
fn states_are_small() {
    assert!(size_of::<State>() <= 1_344, "{}", size_of::<State>());
    assert_eq!(size_of::<Action>(), 4);
}

fn choose(position: &dyn Position, moves: &[String], taste: Taste, rng: &mut Pcg64Mcg) -> String {
    let placed: Vec<Name> =
        cells(&position.view(None).unwrap()).into_iter().flat_map(|(_, stack)| stack).collect();
    let is_step = |text: &&String| placed.iter().any(|name| text.split(' ').next() == Some(name));
    let climbs = |text: &&String| {
        text.split(' ').nth(1).is_some_and(|to| to.starts_with(['w', 'b']) && !to.ends_with(['/', '-', '\\']))
    };
    let tasty = |text: &&String| ["wQ", "bQ", "wB", "bB", "wP", "bP", "wM", "bM"].contains(&&text[..2]);
    let wanted: Vec<&String> = match taste {
        Taste::Any => Vec::new(),
        Taste::Restless => moves.iter().filter(is_step).filter(|_| rng.random_bool(0.7)).collect(),
        Taste::Climbing if rng.random_bool(0.4) => moves.iter().filter(climbs).collect(),
        Taste::Climbing => moves.iter().filter(|text| is_step(text) || tasty(text)).collect(),
    };
    wanted.choose(rng).map_or_else(|| moves.choose(rng).unwrap().clone(), |text| (*text).clone())
}

/// The cells of a view.
fn cells(view: &Value) -> BTreeSet<(Hex, Vec<Name>)> {
    let number = |value: &Value| value.as_i64().unwrap() as i32;
    let pieces = |cell: &Value| -> Vec<Name> {
        cell["pieces"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_string()).collect()
    };
    let cell = |cell: &Value| ((number(&cell["q"]), number(&cell["r"])), pieces(cell));
    view["cells"].as_array().unwrap().iter().map(cell).collect()
}
