//! Configurations: defaults, limits, what is refused and with which words, and the complete form.

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::config::words;
use _core::games::wallwars::freestyle;
use _core::games::wallwars::setup::Setup;
use _core::games::wallwars::state::State;
use _core::rules::{RuleError, Rules};
use serde_json::{Value, json};

type Started = (Wallwars<7>, State<7>);

/// Every board fits into seven words.
fn start(variant: &str, config: &Value) -> Result<Started, RuleError> {
    Wallwars::<7>::setup(variant, config)
}

fn refusal(variant: &str, config: &Value) -> String {
    match start(variant, config) {
        Err(RuleError::BadConfig(why)) => why,
        Err(other) => panic!("{config} is refused as {other:?}"),
        Ok(_) => panic!("{config} is accepted"),
    }
}

fn complete(variant: &str, config: &Value) -> String {
    start(variant, config).expect("a legal start").0.config().to_string()
}

#[test]
fn every_size_of_every_variant_starts() {
    for width in 3..=20 {
        for height in 3..=20 {
            let config = json!({ "boardWidth": width, "boardHeight": height });
            for variant in ["standard", "classic", "survival"] {
                let (rules, state) = start(variant, &config).expect("within the limits");
                let cells = usize::try_from(width * height).expect("positive");
                assert!(words(variant, &config).expect("within the limits") * 64 >= cells);
                assert_eq!(rules.count(&state, 1), 0);
                let walls = height * (width - 1) + width * (height - 1);
                let steps = if variant == "standard" { 4 } else { 2 };
                assert_eq!(rules.count(&state, 0), (walls + steps) as u64);
            }
        }
    }
    assert!(start("freestyle", &Value::Null).is_ok());
}

#[test]
fn the_words_of_a_board() {
    let size = |width, height| json!({ "boardWidth": width, "boardHeight": height });
    let cases =
        [((8, 8), 1), ((3, 20), 1), ((13, 5), 2), ((12, 10), 2), ((16, 8), 2), ((16, 16), 4), ((13, 20), 7)];
    for ((width, height), expected) in cases {
        assert_eq!(words("standard", &size(width, height)), Ok(expected), "{width}x{height}");
    }
    assert_eq!(words("standard", &Value::Null), Ok(1));
    assert_eq!(words("freestyle", &json!({})), Ok(2));
    assert_eq!(words("standard", &size(20, 20)), Ok(7));
    assert!(words("chess", &Value::Null).is_err());
}

#[test]
fn the_complete_form() {
    assert_eq!(
        complete("standard", &Value::Null),
        concat!(
            r#"{"boardWidth":8,"boardHeight":8,"initialState":{"pawns":{"p1":{"cat":[0,0],"mouse":[7,0]},"#,
            r#""p2":{"cat":[0,7],"mouse":[7,7]}},"walls":[]}}"#
        )
    );
    assert_eq!(
        complete("classic", &json!({ "boardWidth": 5 })),
        concat!(
            r#"{"boardWidth":5,"boardHeight":8,"initialState":{"pawns":{"p1":{"cat":[0,0],"home":[7,4]},"#,
            r#""p2":{"cat":[0,4],"home":[7,0]}},"walls":[]}}"#
        )
    );
    let wall = json!({ "cell": [3, 2], "orientation": "vertical", "playerId": 1 });
    assert_eq!(
        complete("survival", &json!({ "initialState": { "cat": [1, 1], "walls": [wall] } })),
        concat!(
            r#"{"boardWidth":8,"boardHeight":8,"initialState":{"cat":[1,1],"mouse":[7,7],"turnsToSurvive":10,"#,
            r#""mouseCanMove":true,"walls":[{"cell":[3,2],"orientation":"vertical","playerId":1}]}}"#
        )
    );
}

#[test]
fn the_complete_form_starts_the_same_game() {
    let walls = json!([
        { "cell": [3, 2], "orientation": "vertical", "playerId": 1 },
        { "cell": [3, 2], "orientation": "horizontal", "playerId": 2 },
        { "cell": [4, 4], "orientation": "horizontal" },
    ]);
    let pawns = json!({ "p1": { "cat": [1, 2] }, "p2": { "mouse": [5, 5] } });
    let given = json!({ "initialState": { "pawns": pawns, "walls": walls } });
    for (variant, config) in [("standard", given), ("classic", json!({})), ("freestyle", json!({ "seed": 7 }))] {
        let (rules, state) = start(variant, &config).expect("a legal start");
        let (again, same) = start(variant, &rules.config()).expect("the complete form is a legal start");
        assert_eq!(state, same);
        assert_eq!(rules.config(), again.config());
        assert_eq!(rules.view(&state, None), again.view(&same, None));
    }
}

#[test]
fn the_view_of_a_start() {
    let wall = json!({ "cell": [3, 2], "orientation": "horizontal", "playerId": 2 });
    let (rules, state) = start("classic", &json!({ "initialState": { "walls": [wall] } })).expect("legal");
    assert_eq!(
        rules.view(&state, Some(1)),
        json!({
            "boardWidth": 8, "boardHeight": 8, "turn": 1, "actionsLeft": 2,
            "pawns": { "p1": { "cat": [0, 0], "home": [7, 7] }, "p2": { "cat": [0, 7], "home": [7, 0] } },
            "walls": [wall],
        })
    );
    let (rules, state) = start("survival", &json!({ "boardWidth": 3, "boardHeight": 3 })).expect("legal");
    assert_eq!(
        rules.view(&state, None),
        json!({
            "boardWidth": 3, "boardHeight": 3, "turn": 1, "actionsLeft": 2,
            "pawns": { "p1": { "cat": [0, 0] }, "p2": { "mouse": [2, 2] } }, "walls": [],
            "turnsToSurvive": 10, "turnsPlayed": 0, "mouseCanMove": true,
        })
    );
}

#[test]
fn refusals_name_the_limit() {
    let initial = |state: Value| json!({ "initialState": state });
    let wall = |cell: Value, orientation: &str| json!({ "cell": cell, "orientation": orientation });
    let walls = |walls: Value| initial(json!({ "walls": walls }));
    let cat = |cell: Value| initial(json!({ "pawns": { "p1": { "cat": cell } } }));
    let cases = [
        ("standard", json!({ "boardWidth": 21 }), "board 21x8 is outside 3..20"),
        ("standard", json!({ "boardWidth": 2, "boardHeight": 2 }), "board 2x2 is outside 3..20"),
        ("standard", json!({ "boardWidth": 21, "boardHeight": 21 }), "board 21x21 is outside 3..20"),
        ("standard", json!({ "boardHeight": -1 }), "board 8x-1 is outside 3..20"),
        ("standard", json!({ "boardWidth": 70000 }), "board 70000x8 is outside 3..20"),
        ("standard", json!({ "boardWidth": "8" }), "boardWidth must be an integer"),
        ("standard", json!({ "boardWidth": 8.5 }), "boardWidth must be an integer"),
        ("freestyle", json!({ "boardWidth": 8 }), "freestyle is played on a 12x10 board, not 8x10"),
        ("freestyle", json!({ "seed": "x" }), "seed must be an integer in 0..18446744073709551615"),
        ("freestyle", json!({ "seed": -1 }), "seed must be an integer in 0..18446744073709551615"),
        ("standard", json!([]), "config must be an object"),
        ("standard", initial(json!(1)), "initialState must be an object"),
        ("standard", initial(json!({ "pawns": [] })), "initialState.pawns must be an object"),
        ("standard", cat(json!([8, 0])), "initialState.pawns.p1.cat [8,0] is off the 8x8 board"),
        ("standard", cat(json!([0, -1])), "initialState.pawns.p1.cat [0,-1] is off the 8x8 board"),
        ("standard", cat(json!({ "row": 0 })), "initialState.pawns.p1.cat must be [row, column]"),
        ("standard", cat(json!([1, 2, 3])), "initialState.pawns.p1.cat must be [row, column]"),
        ("standard", cat(json!([1, 2.5])), "initialState.pawns.p1.cat must be [row, column]"),
        ("standard", cat(json!([7, 7])), "player 1's cat starts on its goal"),
        (
            "classic",
            initial(json!({ "pawns": { "p2": { "home": [0, 7] } } })),
            "player 2's cat starts on its goal",
        ),
        ("standard", walls(json!({})), "initialState.walls must be an array"),
        ("standard", walls(json!([3])), "initialState.walls[0] must be an object"),
        ("standard", walls(json!([{ "orientation": "vertical" }])), "initialState.walls[0].cell is missing"),
        (
            "standard",
            walls(json!([wall(json!([0, 7]), "vertical")])),
            "initialState.walls[0] is on the border of the 8x8 board",
        ),
        (
            "standard",
            walls(json!([wall(json!([0, 3]), "horizontal")])),
            "initialState.walls[0] is on the border of the 8x8 board",
        ),
        (
            "standard",
            walls(json!([wall(json!([1, 3]), "diagonal")])),
            "initialState.walls[0].orientation must be vertical or horizontal",
        ),
        (
            "standard",
            walls(json!([{ "cell": [1, 3], "orientation": "vertical", "playerId": 3 }])),
            "initialState.walls[0].playerId must be 1 or 2",
        ),
        (
            "standard",
            walls(json!([wall(json!([1, 3]), "vertical"), wall(json!([1, 3]), "vertical")])),
            "initialState.walls names one wall twice",
        ),
        (
            "standard",
            walls(json!([wall(json!([0, 0]), "vertical"), wall(json!([1, 0]), "horizontal")])),
            "player 1's cat cannot reach its goal",
        ),
        (
            "survival",
            initial(json!({ "turnsToSurvive": 0 })),
            "initialState.turnsToSurvive 0 is outside 1..4294967295",
        ),
        ("survival", initial(json!({ "mouseCanMove": 1 })), "initialState.mouseCanMove must be true or false"),
        ("survival", initial(json!({ "cat": [7, 7] })), "player 1's cat starts on its goal"),
    ];
    for (variant, config, why) in cases {
        assert_eq!(refusal(variant, &config), why, "{config}");
    }
    assert!(refusal("chess", &Value::Null).starts_with("unknown variant 'chess'"));
}

#[test]
fn pawns_that_a_variant_lacks_are_refused() {
    let pawns = |pawns: Value| json!({ "initialState": { "pawns": pawns } });
    for (variant, config, why) in [
        ("survival", pawns(json!({})), "initialState has no member 'pawns': it has cat, mouse, "),
        (
            "standard",
            json!({ "initialState": { "cat": [0, 0] } }),
            "initialState has no member 'cat': it has pawns, walls",
        ),
        ("classic", pawns(json!({ "p1": { "mouse": [1, 1] } })), "initialState.pawns.p1 has no member 'mouse': "),
        ("standard", pawns(json!({ "p1": { "home": [1, 1] } })), "initialState.pawns.p1 has no member 'home': "),
        ("freestyle", pawns(json!({ "p3": {} })), "initialState.pawns has no member 'p3': did you mean 'p1'?"),
    ] {
        assert!(refusal(variant, &config).starts_with(why), "{config}: {}", refusal(variant, &config));
    }
}

#[test]
fn freestyle_starts_are_mirrored_and_follow_from_the_seed() {
    let mut seen = std::collections::HashSet::new();
    for seed in 0..300 {
        let setup = freestyle::generate(seed);
        assert_eq!(setup, freestyle::generate(seed));
        check_mirrored(&setup);
        setup.begin::<2>().expect("a legal start");
        seen.insert(format!("{:?}", setup.pawns));
    }
    assert!(seen.len() > 200, "starts differ");
}

fn check_mirrored(setup: &Setup) {
    let grid = setup.grid;
    let [cat, mouse, other_cat, other_mouse] = setup.pawns;
    for (cell, image) in [(cat, other_cat), (mouse, other_mouse)] {
        assert!(grid.column(cell) < 4);
        assert_eq!((grid.column(image), grid.row(image)), (11 - grid.column(cell), grid.row(cell)));
    }
    assert!(grid.row(cat) <= grid.row(mouse));
    assert!((4..=20).contains(&setup.walls.len()));
    let config = setup.begin::<2>().expect("a legal start").0.config();
    let walls = config["initialState"]["walls"].as_array().expect("walls").clone();
    for wall in &walls {
        assert!(wall.get("playerId").is_none());
        let last = if wall["orientation"] == "vertical" { 10 } else { 11 };
        let column = wall["cell"][1].as_u64().expect("a column");
        let mut image = wall.clone();
        image["cell"][1] = json!(last - column);
        assert!(walls.contains(&image));
    }
}
