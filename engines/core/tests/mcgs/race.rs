//! A race for pieces of cheese on a small board, with walls and mud: both seats move at once, a piece that both reach
//! is shared, and more than half of them win. Moves are U, R, D, L and S (stay); those against a wall are not legal.

use std::sync::Arc;

use _core::evaluator::{Evaluator, Zero};
use _core::planes::{Layout, Planes, Signature};
use _core::points::Points;
use _core::rules::{MAX_SEATS, Outcome, RuleError, Rules, Seat, ToAct, Values};
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use rand::prelude::*;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

/// x and y, from the bottom left.
pub type Cell = (i8, i8);

const STEPS: [Cell; 5] = [(0, 1), (1, 0), (0, -1), (-1, 0), (0, 0)];

#[derive(Clone)]
pub struct Race {
    pub size: i8,
    /// Turns after which the game is over.
    pub turns: u8,
    /// Pieces at the start.
    pub total: u32,
    pub walls: Vec<(Cell, Cell)>,
    /// Turns that it takes to get out of the mud between two cells.
    pub mud: Vec<(Cell, Cell, u8)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub at: [Cell; 2],
    pub stuck: [u8; 2],
    /// Half points.
    pub halves: [u8; 2],
    pub cheese: u32,
    pub turn: u8,
    pub left: Option<u8>,
}

impl Race {
    /// The board of the published vectors: nine cells, three pieces on the other diagonal.
    pub fn diagonal(turns: u8) -> (Self, State) {
        Self { size: 3, turns, total: 3, walls: Vec::new(), mud: Vec::new() }.start(&[(0, 2), (1, 1), (2, 0)])
    }

    /// Both start in opposite corners.
    pub fn start(self, cheese: &[Cell]) -> (Self, State) {
        let last = self.size - 1;
        let bits = cheese.iter().map(|cell| 1 << self.index(*cell)).sum();
        let state =
            State { at: [(0, 0), (last, last)], stuck: [0; 2], halves: [0; 2], cheese: bits, turn: 0, left: None };
        (self, state)
    }

    /// A random board of nine cells with one to three pieces.
    pub fn random(rng: &mut Pcg64) -> (Self, State) {
        let mut race =
            Self { size: 3, turns: rng.random_range(3..9), total: 0, walls: Vec::new(), mud: Vec::new() };
        for (x, y) in (0..9).map(|index| (index % 3, index / 3)) {
            for to in [(x + 1, y), (x, y + 1)].into_iter().filter(|to| to.0 < 3 && to.1 < 3) {
                match rng.random_range(0..10) {
                    0 | 1 => race.walls.push(((x, y), to)),
                    2 => race.mud.push(((x, y), to, rng.random_range(2..4))),
                    _ => {}
                }
            }
        }
        let cells: Vec<Cell> = (1..8).map(|index| (index % 3, index / 3)).collect();
        let pieces = rng.random_range(1..4);
        let cheese: Vec<Cell> = cells.sample(rng, pieces).copied().collect();
        race.total = cheese.len() as u32;
        race.start(&cheese)
    }

    fn index(&self, (x, y): Cell) -> u32 {
        (y * self.size + x) as u32
    }

    fn target(&self, from: Cell, action: u8) -> Option<Cell> {
        let (dx, dy) = STEPS[usize::from(action)];
        let to = (from.0 + dx, from.1 + dy);
        let inside = (0..self.size).contains(&to.0) && (0..self.size).contains(&to.1);
        let blocked = self.walls.iter().any(|wall| *wall == (from, to) || *wall == (to, from));
        (inside && !blocked).then_some(to)
    }

    fn mud(&self, from: Cell, to: Cell) -> u8 {
        let found = self.mud.iter().find(|(a, b, _)| (*a, *b) == (from, to) || (*a, *b) == (to, from));
        found.map_or(0, |(_, _, turns)| *turns)
    }

    /// Steps from a cell to the nearest piece, as if there were neither walls nor mud.
    fn distance(&self, state: &State, (x, y): Cell) -> i8 {
        let cells = (0..self.size * self.size).filter(|index| state.cheese >> index & 1 == 1);
        let far = cells.map(|index| (index % self.size - x).abs() + (index / self.size - y).abs());
        far.min().unwrap_or(0)
    }

    pub fn search(self, state: State, evaluator: impl Evaluator<Self> + 'static, options: Options) -> Mcgs<Self> {
        Mcgs::new(Arc::new(self), state, Some(Box::new(evaluator)), options, 5)
    }
}

impl Rules for Race {
    type State = State;
    type Action = u8;
    type Observation = ();

    fn setup(_: &str, _: &Value) -> Result<(Self, State), RuleError> {
        Ok(Self::diagonal(6))
    }

    fn config(&self) -> Value {
        json!({})
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_act(&self, state: &State) -> ToAct {
        if let Some(seat) = state.left {
            return ToAct::Over(Outcome::win(1 - usize::from(seat), "resignation"));
        }
        let won = state.halves.iter().any(|halves| u32::from(*halves) > self.total);
        if won || state.cheese == 0 || state.turn >= self.turns {
            return ToAct::Over(Outcome::by_scores(scores(state), 2, 0, "points"));
        }
        ToAct::Together
    }

    fn legal(&self, state: &State, seat: Seat, out: &mut Vec<u8>) {
        if !matches!(self.to_act(state), ToAct::Together) {
            return;
        }
        let first = if state.stuck[seat] > 0 { 4 } else { 0 };
        out.extend((first..5).filter(|action| self.target(state.at[seat], *action).is_some()));
    }

    fn play_unchecked(&self, state: &mut State, actions: &[u8]) {
        for (seat, action) in actions.iter().enumerate() {
            let from = state.at[seat];
            match self.target(from, *action) {
                _ if state.stuck[seat] > 0 => state.stuck[seat] -= 1,
                Some(to) => (state.at[seat], state.stuck[seat]) = (to, self.mud(from, to)),
                None => {}
            }
        }
        let free = state.stuck.map(|turns| turns == 0);
        let shared = free == [true; 2] && state.at[0] == state.at[1];
        for seat in (0..2).filter(|seat| free[*seat]) {
            let piece = 1 << self.index(state.at[seat]);
            if state.cheese & piece != 0 {
                let won = if shared { [1, 1] } else { [2 * u8::from(seat == 0), 2 * u8::from(seat == 1)] };
                state.halves = [state.halves[0] + won[0], state.halves[1] + won[1]];
                state.cheese &= !piece;
            }
        }
        state.turn += 1;
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.left = Some(seat as u8);
    }

    fn key(&self, state: &State) -> u128 {
        self.full_key(state)
    }

    fn full_key(&self, state: &State) -> u128 {
        let [a, b] = state.at.map(|cell| self.index(cell) as u8);
        let left = state.left.map_or(9, |seat| seat);
        let bytes = [a, b, state.stuck[0], state.stuck[1], state.halves[0], state.halves[1], state.turn, left];
        let packed = u128::from(u64::from_le_bytes(bytes)) << 32 | u128::from(state.cheese);
        let mixed = packed.wrapping_mul(0x2d35_8dcc_aa6c_78a5_8bb8_4b93_962e_acc9);
        mixed ^ (mixed >> 67)
    }

    fn read(&self, _: &State, _: Seat, text: &str) -> Result<Vec<u8>, RuleError> {
        let action = ["U", "R", "D", "L", "S"].iter().position(|name| *name == text);
        let unknown = || RuleError::BadNotation(format!("'{text}' is not a move"));
        action.map(|action| vec![action as u8]).ok_or_else(unknown)
    }

    fn write(&self, _: &State, _: Seat, actions: &[u8]) -> String {
        actions.iter().map(|action| char::from(b"URDLS"[usize::from(*action)])).collect()
    }

    fn view(&self, _: &State, _: Option<Seat>) -> Value {
        json!({})
    }

    fn scores(&self, state: &State) -> Option<Values> {
        Some(scores(state))
    }

    fn points(&self) -> Option<&dyn Points<Self>> {
        Some(self)
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        match name {
            "share" => Ok(Box::new(Share)),
            "zero" => Ok(Box::new(Zero)),
            _ => Err(RuleError::no_evaluator(name)),
        }
    }
}

impl Points<Self> for Race {
    fn remaining(&self, state: &State) -> f32 {
        state.cheese.count_ones() as f32
    }

    fn values(&self, state: &State, expected: &Values) -> Values {
        let value = ((expected[0] - expected[1]) / (1.0 + self.remaining(state) / 8.0)).tanh();
        per_seat(value, -value)
    }
}

/// One number in, the pieces that remain; a weight for each move of each seat and the points of each seat out.
pub const SIGNATURE: Signature = Signature { planes: 1, dim2: 1, dim3: 1, policy: 10, values: 2 };

impl Planes<Self> for Race {
    fn layout(&self) -> Layout {
        Layout { signature: SIGNATURE, policies: 2, per_cell: 0, anchors: Vec::new() }
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        if *signature == SIGNATURE { Ok(()) } else { Err("not the signature of the race".into()) }
    }

    fn estimates_points(&self) -> bool {
        true
    }

    fn fill(&self, state: &State, _: Seat, _: &Signature, row: &mut [f32]) {
        row[0] = self.remaining(state);
    }

    fn policy_index(&self, _: &State, _: &Signature, seat: Seat, action: u8) -> Option<usize> {
        Some(5 * seat + usize::from(action))
    }
}

fn scores(state: &State) -> Values {
    per_seat(f32::from(state.halves[0]) / 2.0, f32::from(state.halves[1]) / 2.0)
}

fn per_seat(first: f32, second: f32) -> Values {
    let mut values = [0.0; MAX_SEATS];
    (values[0], values[1]) = (first, second);
    values
}

fn future(first: f64, second: f64) -> Option<[f64; MAX_SEATS]> {
    let mut points = [0.0; MAX_SEATS];
    (points[0], points[1]) = (first, second);
    Some(points)
}

/// Each seat gets half of what remains.
#[derive(Clone, Copy)]
pub struct Share;

impl Evaluator<Race> for Share {
    fn value(&self, rules: &Race, state: &State) -> Values {
        rules.values(state, &scores(state))
    }

    fn future_points(&self, rules: &Race, state: &State) -> Option<[f64; MAX_SEATS]> {
        let half = f64::from(rules.remaining(state)) / 2.0;
        future(half, half)
    }

    fn priors(&self, _: &Race, _: &State, _: Seat, actions: &[u8], out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|_| 1.0));
    }
}

/// Who is nearer to a piece gets more of what remains; later directions have larger weights.
#[derive(Clone, Copy)]
pub struct Nearness;

impl Evaluator<Race> for Nearness {
    fn value(&self, rules: &Race, state: &State) -> Values {
        rules.values(state, &scores(state))
    }

    fn future_points(&self, rules: &Race, state: &State) -> Option<[f64; MAX_SEATS]> {
        let [own, other] = state.at.map(|cell| f64::from(rules.distance(state, cell)));
        let remaining = f64::from(rules.remaining(state));
        let first = remaining * (other + 1.0) / (own + other + 2.0);
        future(first, remaining - first)
    }

    fn priors(&self, _: &Race, _: &State, _: Seat, actions: &[u8], out: &mut Vec<f32>) {
        out.extend(actions.iter().map(|action| f32::from(action + 1)));
    }
}
