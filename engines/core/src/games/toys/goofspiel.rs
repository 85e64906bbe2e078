//! Goofspiel: in round r both seats play one card of 1..=n at once; the higher takes r points, a tie takes none.

use serde_json::{Value, json};

use super::mix;
use crate::points::Points;
use crate::rules::{MAX_SEATS, Outcome, RuleError, Rules, Seat, ToAct, Values};

/// One game of `cards` rounds.
pub struct Goofspiel {
    cards: u8,
}

/// Cards still in hand as bit sets, and points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    hands: [u16; 2],
    points: [u8; 2],
    round: u8,
    left: Option<u8>,
    key: u128,
}

impl State {
    fn full_key(&self) -> u128 {
        let left = self.left.map_or(9, u64::from);
        mix([
            u64::from(self.hands[0]),
            u64::from(self.hands[1]),
            u64::from(self.points[0]),
            u64::from(self.points[1]),
            u64::from(self.round),
            left,
        ])
    }
}

impl State {
    fn scores(&self) -> Values {
        let mut scores = [0.0; MAX_SEATS];
        (scores[0], scores[1]) = (f32::from(self.points[0]), f32::from(self.points[1]));
        scores
    }
}

impl Rules for Goofspiel {
    type State = State;
    type Action = u8;
    type Observation = ();

    const TOGETHER: bool = true;

    fn setup(_: &str, config: &Value) -> Result<(Self, State), RuleError> {
        let cards = match config.get("cards") {
            None => 4,
            Some(cards) => cards
                .as_u64()
                .filter(|cards| (1..=8).contains(cards))
                .ok_or_else(|| RuleError::BadConfig(format!("cards is {cards}, not in 1..8")))?,
        } as u8;
        let hand = ((1u16 << cards) - 1) << 1;
        let mut state = State { hands: [hand; 2], points: [0; 2], round: 1, left: None, key: 0 };
        state.key = state.full_key();
        Ok((Self { cards }, state))
    }

    fn config(&self) -> Value {
        json!({"cards": self.cards})
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_act(&self, state: &State) -> ToAct {
        if let Some(seat) = state.left {
            return ToAct::Over(Outcome::win(1 - usize::from(seat), "resignation"));
        }
        if state.round <= self.cards {
            return ToAct::Together;
        }
        ToAct::Over(Outcome::by_scores(state.scores(), 2, 0, "points"))
    }

    fn legal(&self, state: &State, seat: Seat, out: &mut Vec<u8>) {
        if matches!(self.to_act(state), ToAct::Together) {
            out.extend((1..=self.cards).filter(|card| state.hands[seat] >> card & 1 == 1));
        }
    }

    fn play_unchecked(&self, state: &mut State, actions: &[u8]) {
        let [a, b] = [actions[0], actions[1]];
        state.hands[0] &= !(1 << a);
        state.hands[1] &= !(1 << b);
        if a != b {
            state.points[usize::from(b > a)] += state.round;
        }
        state.round += 1;
        state.key = state.full_key();
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.left = Some(seat as u8);
        state.key = state.full_key();
    }

    fn key(&self, state: &State) -> u128 {
        state.key
    }

    fn full_key(&self, state: &State) -> u128 {
        state.full_key()
    }

    fn read(&self, _: &State, _: Seat, text: &str) -> Result<Vec<u8>, RuleError> {
        match text.as_bytes() {
            [digit @ b'1'..=b'8'] => Ok(vec![digit - b'0']),
            _ => Err(RuleError::BadNotation(format!("'{text}' is not a card"))),
        }
    }

    fn write(&self, _: &State, _: Seat, actions: &[u8]) -> String {
        actions.iter().map(u8::to_string).collect()
    }

    fn view(&self, state: &State, _: Option<Seat>) -> Value {
        json!({"round": state.round, "points": state.points})
    }

    fn scores(&self, state: &State) -> Option<Values> {
        Some(state.scores())
    }

    fn points(&self) -> Option<&dyn Points<Self>> {
        Some(self)
    }
}

impl Points<Self> for Goofspiel {
    fn remaining(&self, state: &State) -> f32 {
        (state.round..=self.cards).map(f32::from).sum()
    }

    fn values(&self, state: &State, expected: &Values) -> Values {
        let value = ((expected[0] - expected[1]) / (1.0 + self.remaining(state))).tanh();
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (value, -value);
        values
    }
}
