//! One move ahead: every whole move is played and evaluated, and the best for its seat is taken. A yardstick for
//! matches, and the weakest player that still knows what it wants.

use std::sync::Arc;

use super::{Driver, Line, Report, Search, SearchSpec, SelfEvaluating};
use crate::evaluator::Evaluator;
use crate::moves;
use crate::rules::{MAX_SEATS, RuleError, Rules, SHARED_WIN, Seat, ToAct, Values};

/// A search of depth one.
pub struct Greedy<R: Rules> {
    rules: Arc<R>,
    root: R::State,
    evaluator: Box<dyn Evaluator<R>>,
    best: Option<(String, Values)>,
    tried: u32,
}

/// Opens a greedy search with an evaluator of the game.
///
/// # Errors
/// `BadConfig` for an evaluator that the game does not have.
pub fn open<R: Rules>(rules: &Arc<R>, root: &R::State, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError> {
    let evaluator = rules.evaluator(&spec.evaluator).ok_or_else(|| super::no_evaluator(&spec.evaluator))?;
    Ok(Box::new(Greedy { rules: Arc::clone(rules), root: root.clone(), evaluator, best: None, tried: 0 }))
}

impl<R: Rules> Greedy<R> {
    fn value(&self, state: &R::State) -> Values {
        match self.rules.to_act(state) {
            ToAct::Over(outcome) => outcome.values(self.rules.seats(), SHARED_WIN),
            _ => self.evaluator.value(&self.rules, state),
        }
    }

    /// Tries every whole move behind `state`; the first of the best stays.
    fn try_all(&mut self, state: &R::State, seat: Seat, staged: &mut Vec<R::Action>) {
        let mut legal = Vec::new();
        self.rules.legal(state, seat, &mut legal);
        for action in legal {
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[action]);
            staged.push(action);
            if self.rules.at_rest(&after) {
                self.tried += 1;
                let values = self.value(&after);
                if self.best.as_ref().is_none_or(|(_, best)| values[seat] > best[seat]) {
                    self.best = Some((self.rules.write(&self.root, seat, staged), values));
                }
            } else {
                self.try_all(&after, seat, staged);
            }
            staged.pop();
        }
    }
}

impl<R: Rules> SelfEvaluating for Greedy<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        match self.rules.to_act(&self.root) {
            ToAct::One(seat) if self.best.is_none() && simulations > 0 => {
                let root = self.root.clone();
                self.try_all(&root, seat, &mut Vec::new());
                simulations
            }
            _ => 0,
        }
    }

    fn step(&self) -> u32 {
        1
    }
}

impl<R: Rules> Search for Greedy<R> {
    fn driver(&mut self) -> Driver<'_> {
        Driver::SelfEvaluating(self)
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        moves::play_recorded(&*self.rules, &mut self.root, text)?;
        self.best = None;
        self.tried = 0;
        Ok(())
    }

    fn report(&self, lines: usize) -> Report {
        let seat = self.rules.acting(&self.root).first().copied().unwrap_or(0);
        let values = self.best.as_ref().map_or([0.0; MAX_SEATS], |(_, values)| *values);
        let line = |(text, values): &(String, Values)| Line {
            text: text.clone(),
            visits: 1,
            value: values[seat],
            pv: vec![text.clone()],
        };
        Report {
            visits: self.tried,
            lines: self.best.iter().take(lines).map(line).collect(),
            ..Report::of_move(self.best.as_ref().map(|(text, _)| text.clone()), values)
        }
    }

    fn visits(&self) -> u32 {
        self.tried
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
