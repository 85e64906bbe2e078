//! Runs the cases of `tests/data/wallwars/*.txt`; the commands are explained at the top of `reference.txt`.

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, ActionKind, Cell, Pawn, Wall};
use _core::games::wallwars::board::Grid;
use _core::games::wallwars::notation::cell_named;
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::games::wallwars::state::State;
use _core::moves;
use _core::rules::{RuleError, Rules, ToAct};

#[test]
fn reference_vectors() {
    run(include_str!("../data/wallwars/reference.txt"));
}

#[test]
fn derived_vectors() {
    run(include_str!("../data/wallwars/derived.txt"));
}

#[test]
fn notation() {
    run(include_str!("../data/wallwars/notation.txt"));
}

#[test]
fn endings() {
    run(include_str!("../data/wallwars/endings.txt"));
}

fn run(text: &str) {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with('#')).collect();
    let cases: Vec<&[&str]> = lines.split(|line| line.starts_with("case ")).skip(1).collect();
    assert!(!cases.is_empty());
    let names = lines.iter().filter(|line| line.starts_with("case "));
    for (name, case) in names.zip(cases) {
        let setup = start(case[0]);
        match setup.grid.words() {
            1 => Case::<1>::run(name, &setup, &case[1..]),
            2 => Case::<2>::run(name, &setup, &case[1..]),
            4 => Case::<4>::run(name, &setup, &case[1..]),
            _ => Case::<7>::run(name, &setup, &case[1..]),
        }
    }
}

/// `start standard 5x3 cat1=a2 mouse2=b2 >a3`
fn start(line: &str) -> Setup {
    let mut words = line.strip_prefix("start ").expect("a case begins with start").split(' ');
    let variant = words.next().expect("a variant");
    let (width, height) = words.next().and_then(|size| size.split_once('x')).expect("a size");
    let grid = Grid { width: width.parse().expect("columns"), height: height.parse().expect("rows") };
    let mut terms = Terms { turns: 10, mouse_can_move: true };
    let mut placed: Vec<(usize, Cell)> = Vec::new();
    let mut walls = Vec::new();
    let cell = |name: &str| cell_named(grid, name).expect("a cell");
    for word in words {
        match word.split_once('=') {
            Some(("cat1", name)) => placed.push((0, cell(name))),
            Some(("mouse1" | "home1", name)) => placed.push((1, cell(name))),
            Some(("cat2", name)) => placed.push((2, cell(name))),
            Some(("mouse2" | "home2", name)) => placed.push((3, cell(name))),
            Some(("turns", turns)) => terms.turns = turns.parse().expect("turns"),
            Some(("mouse", "stays")) => terms.mouse_can_move = false,
            Some(other) => panic!("what is {other:?}?"),
            None if word.starts_with('>') => walls.push((Wall::right(cell(&word[1..])), None)),
            None => walls.push((Wall::down(cell(&word[1..]) - 1), None)),
        }
    }
    let variant = match variant {
        "standard" => Variant::Standard,
        "classic" => Variant::Classic,
        "survival" => Variant::Survival(terms),
        other => panic!("variant {other}?"),
    };
    let mut setup = Setup { walls, ..Setup::corners(variant, grid) };
    for (slot, cell) in placed {
        setup.pawns[slot] = cell;
    }
    setup
}

struct Case<'c, const N: usize> {
    name: &'c str,
    rules: Wallwars<N>,
    state: State<N>,
}

impl<'c, const N: usize> Case<'c, N> {
    fn run(name: &'c str, setup: &Setup, commands: &[&str]) {
        let (rules, state) = setup.begin().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut case = Self { name, rules, state };
        for command in commands {
            case.command(command);
        }
    }

    fn command(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').expect("a command has arguments");
        let words: Vec<&str> = rest.split(' ').collect();
        let name = self.name;
        match command {
            "play" => words.iter().for_each(|text| self.play(text)),
            "act" => words.iter().for_each(|text| self.act(text)),
            "legal" => words.iter().for_each(|text| assert!(self.read(text).is_ok(), "{name}: {text} is legal")),
            "illegal" => words.iter().for_each(|text| {
                assert!(matches!(self.read(text), Err(RuleError::IllegalMove(_))), "{name}: {text} is illegal");
            }),
            "unreadable" => words.iter().for_each(|text| {
                assert!(matches!(self.read(text), Err(RuleError::BadNotation(_))), "{name}: {text} is unreadable");
            }),
            "writes" => {
                let actions = self.read(words[0]).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(self.rules.write(&self.state, self.state.seat(), &actions), words[1], "{name}: {line}");
            }
            "outcome" => assert_eq!(self.outcome(), rest, "{name}: {line}"),
            "count" => self.count(&words),
            "distance" => {
                let [from, to] =
                    [words[0], words[1]].map(|cell| cell_named(self.rules.grid(), cell).expect("a cell"));
                let steps = self.state.board().distance(from, to).map_or("none".into(), |steps| steps.to_string());
                assert_eq!(steps, words[2], "{name}: {line}");
            }
            "goal" => {
                let seat = words[0].parse::<usize>().expect("a player") - 1;
                let goal = self.rules.race(&self.state, seat).map(|(_, goal)| goal);
                assert_eq!(goal, cell_named(self.rules.grid(), words[1]), "{name}: {line}");
            }
            _ => panic!("{name}: what is {line}?"),
        }
    }

    /// Reads a whole move; a refusal leaves the state as it was.
    fn read(&self, text: &str) -> Result<Vec<Action>, RuleError> {
        let mut after = self.state.clone();
        let played = moves::play_recorded(&self.rules, &mut after, text);
        assert!(
            played.is_ok() || after == self.state,
            "{}: {text} is refused and yet changes the state",
            self.name
        );
        played.map(|played| played.actions)
    }

    fn play(&mut self, text: &str) {
        let played = moves::play_recorded(&self.rules, &mut self.state, text);
        played.unwrap_or_else(|error| panic!("{}: {error}", self.name));
    }

    /// Plays actions of one move without ending it.
    fn act(&mut self, text: &str) {
        let actions = self.rules.read(&self.state, self.state.seat(), text);
        for action in actions.unwrap_or_else(|error| panic!("{}: {error}", self.name)) {
            self.rules.play_unchecked(&mut self.state, &[action]);
        }
    }

    fn outcome(&self) -> String {
        match self.rules.to_act(&self.state) {
            ToAct::Over(outcome) if outcome.winners(2).is_empty() => format!("draw {}", outcome.reason),
            ToAct::Over(outcome) => format!("{} {}", 1 << outcome.winners(2)[0], outcome.reason),
            _ => "running".into(),
        }
    }

    /// `count walls 10`, `count cat 1`, `count mouse 2`, `count actions 14`
    fn count(&self, words: &[&str]) {
        let mut legal = Vec::new();
        self.rules.legal(&self.state, self.state.seat(), &mut legal);
        let counted = |action: &&Action| match (words[0], action.kind()) {
            ("actions", _) | ("walls", ActionKind::Wall(_)) => true,
            ("cat", ActionKind::Step(pawn, _)) => pawn == Pawn::Cat,
            ("mouse", ActionKind::Step(pawn, _)) => pawn == Pawn::Mouse,
            _ => false,
        };
        let count = legal.iter().filter(counted).count();
        assert_eq!(count.to_string(), words[1], "{}: {words:?}", self.name);
    }
}
