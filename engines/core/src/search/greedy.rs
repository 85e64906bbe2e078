//! A search of one move: plays and evaluates every whole move and chooses the best one for its seat. Seats that act
//! together each choose the action with the greatest prior, the first one among equals. A yardstick for matches, and the
//! weakest player with a purpose.

use std::sync::Arc;

use super::choices::choices;
use super::{Driver, Line, Report, Search, SearchSpec, SelfEvaluating, settings};
use crate::evaluator::{Estimate, Evaluator};
use crate::moves;
use crate::repetition::drawn_by;
use crate::rules::{MAX_SEATS, RuleError, Rules, Seat, ToAct};
use crate::search::noise::Noise;

/// A search of depth one.
pub struct Greedy<R: Rules> {
    rules: Arc<R>,
    root: R::State,
    evaluator: Box<dyn Evaluator<R>>,
    /// Determines the deal of what is hidden.
    seed: u64,
    best: Option<Best>,
    tried: u32,
}

/// A chosen move.
struct Best {
    /// One per seat to act.
    moves: Vec<String>,
    worth: Estimate,
}

/// Opens a greedy search with an evaluator of the game. Instead of `native`, it uses the evaluator `greedy` in games that
/// have one.
///
/// # Errors
/// `BadConfig` for an unknown option, or an evaluator that the game does not have.
pub fn open<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    noise: &Noise,
) -> Result<Box<dyn Search>, RuleError> {
    settings::check(&spec.options, &["search"])?;
    let evaluator = match spec.evaluator.as_str() {
        "native" => rules.evaluator("greedy").or_else(|_| rules.evaluator("native"))?,
        name => rules.evaluator(name)?,
    };
    let (rules, root, evaluator) = (Arc::clone(rules), root.clone(), noise.on(evaluator));
    Ok(Box::new(Greedy { rules, root, evaluator, seed: spec.seed, best: None, tried: 0 }))
}

impl<R: Rules> Greedy<R> {
    /// What a state at `ply` actions from the root is worth.
    fn worth(&self, state: &R::State, ply: usize) -> Estimate {
        match self.rules.to_act(state) {
            ToAct::Over(outcome) => Estimate::of_outcome(&outcome, self.rules.seats()),
            _ if drawn_by(&*self.rules, state, ply).is_some() => Estimate::DRAW,
            _ => self.evaluator.estimate(&self.rules, state),
        }
    }

    /// Tries every whole move from `state`; keeps the first of the best.
    fn try_all(&mut self, state: &R::State, seat: Seat, staged: &mut Vec<R::Action>) {
        let mut legal = Vec::new();
        choices(&*self.rules, state, seat, &mut legal);
        for action in legal {
            let mut after = state.clone();
            self.rules.play_unchecked(&mut after, &[action]);
            staged.push(action);
            if self.rules.at_rest(&after) {
                self.tried += 1;
                let worth = self.worth(&after, staged.len());
                if self.best.as_ref().is_none_or(|best| worth.values[seat] > best.worth.values[seat]) {
                    self.best = Some(Best { moves: vec![self.rules.write(&self.root, seat, staged)], worth });
                }
            } else {
                self.try_all(&after, seat, staged);
            }
            staged.pop();
        }
    }

    /// The root with what a seat cannot know dealt anew.
    fn deal(&self, seat: Seat) -> R::State {
        let mut deal = self.root.clone();
        if let Some(hidden) = self.rules.hidden() {
            hidden.redeal(&mut deal, seat, self.seed);
        }
        deal
    }

    /// Chooses an action for every seat by its priors, from what the seat knows.
    fn choose_together(&mut self) {
        let (mut moves, mut worth) = (Vec::new(), Estimate::DRAW);
        for seat in 0..self.rules.seats() {
            let deal = self.deal(seat);
            let (mut legal, mut weights) = (Vec::new(), Vec::new());
            self.rules.legal(&deal, seat, &mut legal);
            self.evaluator.priors(&self.rules, &deal, seat, &legal, &mut weights);
            let weighted = legal.into_iter().zip(weights);
            let best = weighted.reduce(|best, next| if next.1 > best.1 { next } else { best });
            moves.extend(best.map(|(action, _)| self.rules.write(&deal, seat, &[action])));
            let own = self.evaluator.estimate(&self.rules, &deal);
            worth.values[seat] = own.values[seat];
            if let Some(points) = own.points {
                worth.points.get_or_insert([0.0; MAX_SEATS])[seat] = points[seat];
            }
        }
        self.best = Some(Best { moves, worth });
        self.tried = 1;
    }
}

impl<R: Rules> SelfEvaluating for Greedy<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        match self.rules.to_act(&self.root) {
            ToAct::One(seat) if self.best.is_none() && simulations > 0 => {
                self.try_all(&self.deal(seat), seat, &mut Vec::new());
                simulations
            }
            ToAct::Together if self.best.is_none() && simulations > 0 => {
                self.choose_together();
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
        let Some(Best { moves, worth }) = &self.best else {
            return match self.rules.to_act(&self.root) {
                ToAct::Over(outcome) => Report::of_outcome(&outcome, self.rules.seats()),
                _ => Report::of_move(None, [0.0; MAX_SEATS]),
            };
        };
        let seat = self.rules.acting(&self.root).first().copied().unwrap_or(0);
        let line = |text: &String| Line {
            text: text.clone(),
            visits: 1,
            value: worth.values[seat],
            pv: vec![text.clone()],
            points: worth.points,
        };
        let is_alone = moves.len() == 1;
        Report {
            policies: moves.iter().map(|text| vec![(text.clone(), 1.0)]).collect(),
            visits: self.tried,
            lines: moves.iter().filter(|_| is_alone).take(lines).map(line).collect(),
            points: worth.points,
            ..Report::of_move(Some(moves::join(moves)), worth.values)
        }
    }

    fn visits(&self) -> u32 {
        self.tried
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}
