//! A game for testing arithmetic: some seats choose one of six arms in turn; then nobody acts, and the game is never
//! over. The value for seat 0 is that of its arm, minus a tenth of that of the second arm.

use std::sync::Arc;

use _core::evaluator::Evaluator;
use _core::rules::{MAX_SEATS, RuleError, Rules, Seat, ToAct, Values};
use _core::search::uct::Uct;
use _core::search::uct::options::Options;
use serde_json::{Value, json};

/// Values of the arms in [0, 1].
pub const ARMS: [f32; 6] = [0.3, 0.5, 0.2, 0.9, 0.6, 0.4];

/// The number of choices.
pub struct Bandit(pub usize);

/// The arms chosen.
pub type State = Vec<u8>;

impl Bandit {
    /// A search from the start, with the values of the arms. The first two choices try the arms in order, the third one
    /// in reverse.
    pub fn search(self, options: Options) -> Uct<Self> {
        Uct::new(Arc::new(self), Vec::new(), Some(Box::new(ByArm)), Some(Box::new(ByArm)), options, 1)
    }
}

struct ByArm;

impl Evaluator<Bandit> for ByArm {
    fn value(&self, _: &Bandit, state: &State) -> Values {
        let arm = |choice: usize| state.get(choice).map_or(0.0, |arm| ARMS[usize::from(*arm)]);
        let own = 2.0 * (arm(0) - 0.1 * arm(1)) - 1.0;
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (own, -own);
        values
    }

    fn priors(&self, _: &Bandit, state: &State, _: Seat, actions: &[u8], out: &mut Vec<f32>) {
        let prior = |arm: u8| f32::from(if state.len() < 2 { 6 - arm } else { 1 + arm });
        out.extend(actions.iter().map(|arm| prior(*arm)));
    }
}

impl Rules for Bandit {
    type State = State;
    type Action = u8;
    type Observation = ();

    fn setup(_: &str, _: &Value) -> Result<(Self, State), RuleError> {
        Ok((Self(1), Vec::new()))
    }

    fn config(&self) -> Value {
        json!({})
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_act(&self, state: &State) -> ToAct {
        ToAct::One(state.len() % 2)
    }

    fn legal(&self, state: &State, _: Seat, out: &mut Vec<u8>) {
        out.extend((0..6).filter(|_| state.len() < self.0));
    }

    fn play_unchecked(&self, state: &mut State, actions: &[u8]) {
        state.push(actions[0]);
    }

    fn forfeit(&self, _: &mut State, _: Seat) {}

    fn key(&self, state: &State) -> u128 {
        self.full_key(state)
    }

    fn full_key(&self, state: &State) -> u128 {
        state.iter().fold(1, |key, arm| key * 7 + u128::from(*arm))
    }

    fn read(&self, _: &State, _: Seat, text: &str) -> Result<Vec<u8>, RuleError> {
        text.parse().map(|arm| vec![arm]).map_err(|_| RuleError::BadNotation(text.into()))
    }

    fn write(&self, _: &State, _: Seat, actions: &[u8]) -> String {
        actions.iter().map(u8::to_string).collect()
    }

    fn view(&self, _: &State, _: Option<Seat>) -> Value {
        json!({})
    }

    fn amaf_context(&self, state: &State, _: u8) -> Option<u32> {
        Some(state.len() as u32)
    }
}
