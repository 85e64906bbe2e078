//! A game on a graph whose positions can occur again, drawn as text, so that each test can show its own.
//!
//! Each line is a position: its name (upper case: seat 0 moves, lower case: seat 1), its static value for seat 0 in
//! hundredths, and the positions to move to, in the order in which a search tries them. The game ends in a position
//! without moves, whose value must be 100, 0 or -100. There is no rule on repetition.

use _core::evaluator::Evaluator;
use _core::repetition::{Earlier, Repetition};
use _core::rules::{MAX_SEATS, Outcome, RuleError, Rules, Seat, ToAct, Values};
use serde_json::{Value, json};

pub struct Graph {
    positions: Vec<Node>,
    drawing: String,
}

struct Node {
    name: char,
    value: f32,
    moves: Vec<u8>,
}

/// The positions that have occurred, the present one last.
pub type Path = Vec<u8>;

/// The static values of the drawing; of two moves, the first has twice the weight.
pub struct Drawn;

impl Graph {
    /// The value of a position for each seat.
    pub fn values(&self, path: &Path) -> Values {
        let mut values = [0.0; MAX_SEATS];
        values[0] = self.node(path).value;
        values[1] = -values[0];
        values
    }

    fn node(&self, path: &Path) -> &Node {
        &self.positions[usize::from(path[path.len() - 1])]
    }

    fn read_line(line: &str, names: &[char]) -> Option<Node> {
        let (position, moves) = line.split_once(':')?;
        let (name, value) = position.trim().split_once(' ')?;
        let index = |text: &str| names.iter().position(|&known| text.starts_with(known)).map(|index| index as u8);
        let moves = moves.split_whitespace().map(index).collect::<Option<_>>()?;
        Some(Node { name: name.chars().next()?, value: value.trim().parse::<f32>().ok()? / 100.0, moves })
    }
}

impl Rules for Graph {
    type State = Path;
    type Action = u8;
    type Observation = ();

    fn setup(_: &str, drawing: &Value) -> Result<(Self, Path), RuleError> {
        let drawing = drawing.as_str().unwrap_or_default().to_string();
        let lines: Vec<&str> = drawing.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let names: Vec<char> = lines.iter().filter_map(|line| line.chars().next()).collect();
        let read =
            |line: &&str| Self::read_line(line, &names).ok_or_else(|| RuleError::BadConfig(line.to_string()));
        let positions = lines.iter().map(read).collect::<Result<_, _>>()?;
        Ok((Self { positions, drawing }, vec![0]))
    }

    fn config(&self) -> Value {
        json!(self.drawing)
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_act(&self, path: &Path) -> ToAct {
        let node = self.node(path);
        match node.value {
            _ if !node.moves.is_empty() => ToAct::One(usize::from(node.name.is_lowercase())),
            1.0 => ToAct::Over(Outcome::win(0, "end")),
            -1.0 => ToAct::Over(Outcome::win(1, "end")),
            _ => ToAct::Over(Outcome::draw("end")),
        }
    }

    fn legal(&self, path: &Path, seat: Seat, out: &mut Vec<u8>) {
        if self.to_act(path) == ToAct::One(seat) {
            out.extend(&self.node(path).moves);
        }
    }

    fn play_unchecked(&self, path: &mut Path, actions: &[u8]) {
        path.extend(actions);
    }

    fn forfeit(&self, _: &mut Path, _: Seat) {}

    fn key(&self, path: &Path) -> u128 {
        u128::from(path[path.len() - 1] + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    fn full_key(&self, path: &Path) -> u128 {
        self.key(path)
    }

    fn read(&self, _: &Path, _: Seat, text: &str) -> Result<Vec<u8>, RuleError> {
        let index = self.positions.iter().position(|node| text.starts_with(node.name));
        index.map(|index| vec![index as u8]).ok_or_else(|| RuleError::BadNotation(text.to_string()))
    }

    fn write(&self, _: &Path, _: Seat, actions: &[u8]) -> String {
        actions.iter().map(|&action| self.positions[usize::from(action)].name).collect()
    }

    fn view(&self, path: &Path, _: Option<Seat>) -> Value {
        json!(self.node(path).name)
    }

    fn repetition(&self) -> Option<&dyn Repetition<Self>> {
        Some(self)
    }

    fn evaluator(&self, _: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        Ok(Box::new(Drawn))
    }
}

impl Repetition<Self> for Graph {
    fn earlier(&self, path: &Path) -> Option<Earlier> {
        let (now, before) = path.split_last()?;
        let latest = before.iter().rposition(|position| position == now)?;
        let times = before.iter().filter(|&position| position == now).count();
        Some(Earlier { times, plies: before.len() - latest })
    }

    fn repeated(&self, path: &Path) -> u64 {
        let twice = |position: &u8| path.iter().filter(|&other| other == position).count() > 1;
        let hash = |position| self.key(&vec![position as u8]) as u64;
        (0..self.positions.len())
            .filter(|&position| twice(&(position as u8)))
            .map(hash)
            .fold(0, |all, one| all ^ one)
    }
}

impl Evaluator<Graph> for Drawn {
    fn value(&self, graph: &Graph, path: &Path) -> Values {
        graph.values(path)
    }

    fn priors(&self, _: &Graph, _: &Path, _: Seat, actions: &[u8], out: &mut Vec<f32>) {
        out.extend((0..actions.len()).map(|index| 0.5f32.powi(index as i32)));
    }
}
