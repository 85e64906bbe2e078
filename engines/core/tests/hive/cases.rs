//! Runs the cases of `tests/data/hive/*.txt`; the commands are explained at the top of `rules.txt`. The plain model
//! must agree in every position of a case.

use std::collections::BTreeSet;

use _core::games::open;
use _core::position::Position;
use _core::rules::RuleError;
use serde_json::{Map, Value, json};

use super::model::Model;

#[test]
fn rules() {
    run(include_str!("../data/hive/rules.txt"));
}

#[test]
fn positions_of_other_engines() {
    run(include_str!("../data/hive/engines.txt"));
}

#[test]
fn notation() {
    run(include_str!("../data/hive/notation.txt"));
}

#[test]
fn endings() {
    run(include_str!("../data/hive/endings.txt"));
}

fn run(text: &str) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut case = Case::default();
    let mut cases = 0;
    for line in lines {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if command == "case" {
            case = Case { name: rest.to_string(), ..Case::default() };
            cases += 1;
        } else {
            case.obey(command, rest.trim());
        }
    }
    assert!(cases > 0);
}

/// One position and what is said about it.
#[derive(Default)]
struct Case {
    name: String,
    config: Map<String, Value>,
    position: Option<Box<dyn Position>>,
}

impl Case {
    fn obey(&mut self, command: &str, rest: &str) {
        match command {
            "config" => self.config = serde_json::from_str(rest).unwrap(),
            "at" => self.open(rest),
            "steps" => assert_eq!(self.steps(), split(rest), "{}", self.name),
            "all" => assert_eq!(self.moves(), split(rest), "{}", self.name),
            "legal" => assert_eq!(self.moves().len().to_string(), rest, "{}", self.name),
            "placements" => {
                assert_eq!((self.moves().len() - self.steps().len()).to_string(), rest, "{}", self.name);
            }
            "perft" => self.perft(rest),
            "counts" => self.counts(rest),
            "state" => assert_eq!(self.position().view(None).unwrap()["state"], rest, "{}", self.name),
            "reason" => assert_eq!(self.position().outcome().unwrap().reason, rest, "{}", self.name),
            "reads" => self.reads(rest),
            "illegal" => self.refuses(rest, |error| matches!(error, RuleError::IllegalMove(_))),
            "unreadable" => self.refuses(rest, |error| matches!(error, RuleError::BadNotation(_))),
            other => panic!("{}: what is '{other}'?", self.name),
        }
    }

    fn position(&self) -> &dyn Position {
        &**self.position.as_ref().expect("a case begins with at")
    }

    /// Opens a GameString with the type's rules and the case's configuration; the model agrees.
    fn open(&mut self, game: &str) {
        let game_type = game.split(';').next().unwrap();
        let mut position = open("hive", Some(game_type), &Value::Object(self.config.clone())).unwrap();
        let mut model = Model::new(game_type);
        let agree = |position: &dyn Position, model: &Model| {
            if position.outcome().is_none() && !self.config.contains_key("queenFirst") {
                let listed: BTreeSet<String> = position.legal_moves(None).unwrap().into_iter().collect();
                assert_eq!(listed, model.moves(), "{}: {:?}", self.name, position.history());
            }
        };
        for text in game.split(';').skip(3) {
            agree(&*position, &model);
            let played = position.play(&[text.to_string()]);
            played.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.name));
            if !self.config.contains_key("queenFirst") {
                model.play_text(position.history().last().unwrap());
            }
        }
        agree(&*position, &model);
        let mut whole = self.config.clone();
        whole.insert("gameString".into(), json!(game));
        let started = open("hive", Some(game_type), &Value::Object(whole)).unwrap();
        assert_eq!(started.view(None), position.view(None), "{}: a start with these moves", self.name);
        assert_eq!(started.key(), position.key());
        self.position = Some(position);
    }

    fn moves(&self) -> BTreeSet<String> {
        self.position().legal_moves(None).unwrap().into_iter().collect()
    }

    /// The legal moves of pieces in play.
    fn steps(&self) -> BTreeSet<String> {
        let view = self.position().view(None).unwrap();
        let cells = view["cells"].as_array().unwrap();
        let pieces: Vec<&str> = cells
            .iter()
            .flat_map(|cell| cell["pieces"].as_array().unwrap())
            .map(|name| name.as_str().unwrap())
            .collect();
        let in_play = |text: &String| text.split(' ').next().is_some_and(|name| pieces.contains(&name));
        self.moves().into_iter().filter(in_play).collect()
    }

    fn perft(&self, leaves: &str) {
        for (depth, leaves) in (1..).zip(leaves.split(' ')) {
            let counted = self.position().perft(depth, 1).unwrap();
            assert_eq!(counted.to_string(), leaves, "{}, depth {depth}", self.name);
        }
    }

    /// Numbers of legal moves before ply 0, 1, ... of the case's game.
    fn counts(&self, counts: &str) {
        let mut position = self.position().boxed_clone();
        let mut legal = Vec::new();
        while position.undo().is_ok() {
            legal.push(position.legal_moves(None).unwrap().len().to_string());
        }
        legal.reverse();
        let counts: Vec<&str> = counts.split(' ').collect();
        assert_eq!(legal[..counts.len()], counts, "{}", self.name);
    }

    /// `text => canonical`
    fn reads(&self, rest: &str) {
        let (text, canonical) = rest.split_once(" => ").expect("text => canonical");
        let text = text.trim_matches('|');
        assert_eq!(self.position().check(text, None), Ok(canonical.into()), "{}: {text}", self.name);
    }

    /// `text => words of the sentence`
    fn refuses(&self, rest: &str, kind: fn(&RuleError) -> bool) {
        let (text, words) = rest.split_once(" => ").expect("text => words of the sentence");
        let mut position = self.position().boxed_clone();
        let error = position.play(&[text.trim_matches('|').to_string()]).expect_err(text);
        assert!(kind(&error) && error.to_string().contains(words), "{}: {text}: {error}", self.name);
        assert_eq!(position.view(None), self.position().view(None), "{}: {text}", self.name);
    }
}

fn split(texts: &str) -> BTreeSet<String> {
    texts.split(';').filter(|text| !text.is_empty()).map(str::to_string).collect()
}
