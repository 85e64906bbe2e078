//! Runs the cases of `tests/data/pyrat/rules.txt`; the commands are explained at its top.

use _core::games::open;
use _core::games::pyrat::PyRat;
use _core::position::Position;
use _core::rules::{RuleError, Rules, ToAct};
use serde_json::{Value, json};

#[test]
fn rules() {
    let text = include_str!("../data/pyrat/rules.txt");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut case = Case::default();
    for line in lines {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if command == "case" {
            case = Case { name: rest.to_string(), position: None };
        } else {
            case.obey(command, rest);
        }
    }
}

/// Two ways to the same cells, cheese and turn, but with different points: one of them ends the game.
#[test]
fn scores_are_part_of_the_key() {
    let config = json!({"width": 3, "height": 3, "cheese": [[1, 0], [1, 1], [0, 2]], "starts": [[0, 0], [2, 1]]});
    let played = |moves: [&str; 2]| {
        let mut position = open("pyrat", Some("open"), &config).unwrap();
        position.play(&moves.map(String::from)).unwrap();
        position
    };
    let ahead = played(["RIGHT/STAY", "UP/STAY"]);
    let level = played(["RIGHT/LEFT", "UP/RIGHT"]);
    let seen = |position: &dyn Position| {
        let view = position.view(None).unwrap();
        json!([view["players"][0]["cell"], view["players"][1]["cell"], view["cheese"], view["turn"]])
    };
    assert_eq!(seen(&*ahead), json!([[1, 1], [2, 1], [[0, 2]], 2]));
    assert_eq!(seen(&*ahead), seen(&*level));
    assert_eq!(ahead.outcome().unwrap().winners(2), [0]);
    assert_eq!(level.outcome(), None);
    assert_ne!(ahead.key(), level.key());
}

/// The same position in games that differ in one thing only.
#[test]
fn what_never_changes_is_part_of_the_key() {
    let config =
        json!({"width": 4, "height": 3, "cheese": [[1, 1], [2, 1]], "maxTurns": 20, "walls": [], "mud": []});
    let key = |config: &Value| open("pyrat", Some("open"), config).unwrap().key();
    let mut keys = vec![key(&config)];
    for (name, value) in [
        ("maxTurns", json!(21)),
        ("mudModel", json!("doc")),
        ("walls", json!([[[0, 0], [1, 0]]])),
        ("walls", json!([[[0, 0], [0, 1]]])),
        ("mud", json!([[[0, 0], [1, 0], 2]])),
        ("mud", json!([[[0, 0], [1, 0], 3]])),
        ("mud", json!([[[0, 0], [0, 1], 2]])),
        ("cheese", json!([[1, 1]])),
        ("cheese", json!([[1, 1], [2, 0]])),
        ("starts", json!([[3, 2], [0, 0]])),
        ("height", json!(4)),
    ] {
        let mut other = config.clone();
        other[name] = value;
        keys.push(key(&other));
    }
    let first = keys.clone();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), first.len());
}

/// The number of pieces at the start decides what a majority is, even if the same cells have cheese later.
#[test]
fn the_number_of_pieces_at_the_start_is_part_of_the_key() {
    let key = |cheese: Value, text: &str| {
        let config = json!({"width": 3, "height": 3, "cheese": cheese, "starts": [[0, 0], [0, 0]]});
        let (rules, mut state) = PyRat::<1>::setup("open", &config).unwrap();
        _core::moves::play_recorded(&rules, &mut state, text).unwrap();
        assert_eq!(rules.to_act(&state), ToAct::Together);
        rules.key(&state)
    };
    let both = [key(json!([[2, 2], [2, 1]]), "UP/UP"), key(json!([[2, 2], [2, 1], [1, 2]]), "UP/UP")];
    assert_ne!(both[0], both[1]);
}

/// A blocked direction is accepted, and written as what it does.
#[test]
fn submitted_moves_are_written_as_what_they_do() {
    let position = open("pyrat", Some("open"), &json!({"seed": 1})).unwrap();
    assert_eq!(position.check("LEFT", Some(0)), Ok("STAY".into()));
    assert_eq!(position.check("UP", Some(0)), Ok("UP".into()));
    assert!(matches!(position.check("north", Some(0)), Err(RuleError::BadNotation(_))));
    assert_eq!(position.legal_moves(Some(1)).unwrap(), ["DOWN", "LEFT", "STAY"]);
}

/// A seat that leaves loses, whatever the points.
#[test]
fn leaving_loses() {
    let config = json!({"width": 3, "height": 3, "cheese": [[1, 0], [1, 1], [0, 2]]});
    let mut position = open("pyrat", Some("open"), &config).unwrap();
    position.play(&["RIGHT/STAY".into(), "!0".into()]).unwrap();
    let outcome = position.outcome().unwrap();
    assert_eq!((outcome.winners(2), outcome.reason), (vec![1], "resignation"));
    assert_eq!(position.ply(), 1);
}

/// One position and what is said about it.
#[derive(Default)]
struct Case {
    name: String,
    position: Option<Box<dyn Position>>,
}

impl Case {
    fn obey(&mut self, command: &str, rest: &str) {
        let name = self.name.clone();
        match command {
            "start" => {
                let (variant, config) = rest.split_once(' ').unwrap();
                let config = serde_json::from_str(config).unwrap();
                self.position = Some(open("pyrat", Some(variant), &config).unwrap());
            }
            "move" => self.play(rest, rest),
            "moves" => {
                let (text, recorded) = rest.split_once(" => ").expect("text => recorded");
                self.play(text, recorded);
            }
            "legal" => {
                let (seat, directions) = rest.split_once(' ').unwrap();
                let legal = self.position().legal_moves(Some(seat.parse().unwrap())).unwrap();
                assert_eq!(legal.join(" "), directions, "{name}");
            }
            "player" => {
                let (seat, player) = rest.split_once(' ').unwrap();
                let view = &self.view()["players"][seat.parse::<usize>().unwrap()];
                let seen = format!("{} {} {}", cell(&view["cell"]), view["mud"], view["score"]);
                assert_eq!(seen, player, "{name}");
            }
            "cheese" => {
                let cheese: Vec<_> = self.view()["cheese"].as_array().unwrap().iter().map(cell).collect();
                assert_eq!(cheese.join(" "), rest, "{name}");
            }
            "turn" => assert_eq!(self.view()["turn"].to_string(), rest, "{name}"),
            "end" => {
                let outcome = self.position().outcome().unwrap_or_else(|| panic!("{name}: the game goes on"));
                let (places, scores) = (outcome.places, outcome.scores.unwrap());
                let [first, second] = [scores[0], scores[1]];
                let seen = format!("{} {},{} {first:?},{second:?}", outcome.reason, places[0], places[1]);
                assert_eq!(seen, rest, "{name}");
            }
            "unreadable" => self.refuses(rest, |error| matches!(error, RuleError::BadNotation(_))),
            "illegal" => self.refuses(rest, |error| matches!(error, RuleError::IllegalMove(_))),
            other => panic!("{name}: what is '{other}'?"),
        }
    }

    fn position(&self) -> &dyn Position {
        &**self.position.as_ref().expect("a case begins with start")
    }

    fn view(&self) -> Value {
        self.position().view(None).unwrap()
    }

    fn play(&mut self, text: &str, recorded: &str) {
        let position = self.position.as_mut().expect("a case begins with start");
        position.play(&[text.to_string()]).unwrap_or_else(|error| panic!("{}: {text}: {error}", self.name));
        assert_eq!(position.history().last().unwrap(), recorded, "{}", self.name);
    }

    /// `text => words of the sentence`
    fn refuses(&self, rest: &str, kind: fn(&RuleError) -> bool) {
        let (text, words) = rest.split_once(" => ").expect("text => words of the sentence");
        let mut position = self.position().boxed_clone();
        let error = position.play(&[text.to_string()]).expect_err(text);
        assert!(kind(&error) && error.to_string().contains(words), "{}: {text}: {error:?}", self.name);
        assert_eq!((position.view(None), position.key()), (self.position().view(None), self.position().key()));
    }
}

fn cell(value: &Value) -> String {
    format!("{},{}", value[0], value[1])
}
