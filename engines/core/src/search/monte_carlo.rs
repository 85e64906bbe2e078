//! Flat Monte-Carlo search: random play-outs after each action of the position, without a tree.
//!
//! Works for every game: two to five seats, hidden information, simultaneous moves. Simulations belong to the seats to
//! act in turn. A simulation redeals what its seat cannot know, plays the seat's least tried action, and continues with
//! uniformly random actions: to the end of the game or, if the game has an evaluator, for `horizon` actions, after
//! which the evaluator is called. So without an evaluator, the mean of an action estimates its exact value under
//! uniform play.

use std::sync::Arc;

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;

use super::choices::choices;
use super::play_out::play_out_until;
use super::{Driver, Focus, Line, Report, Search, SearchSpec, SelfEvaluating, settings};
use crate::evaluator::Evaluator;
use crate::moves;
use crate::rules::{MAX_SEATS, RuleError, Rules, Seat, ToAct, Values};
use crate::search::noise::Noise;

/// Simulations between two checks of the clock.
const STEP: u32 = 16;

/// An action of one seat, and the results of trying it.
struct Arm<A> {
    action: A,
    visits: u32,
    sums: [f64; MAX_SEATS],
    /// Sums of the final points; not numbers if there are none.
    points: [f64; MAX_SEATS],
}

/// A decision being searched: the actions of each acting seat.
struct Decision<R: Rules> {
    state: R::State,
    seats: Vec<(Seat, Vec<Arm<R::Action>>)>,
    visits: u32,
}

/// A flat Monte-Carlo search.
pub struct MonteCarlo<R: Rules> {
    rules: Arc<R>,
    evaluator: Option<Box<dyn Evaluator<R>>>,
    horizon: usize,
    rng: Pcg64,
    /// The decision at the root, and those after each fixed action.
    decisions: Vec<Decision<R>>,
    fixed: Vec<R::Action>,
}

/// Opens a flat Monte-Carlo search. The option `horizon` is the number of random actions before the evaluator is called
/// (default 0); games without this evaluator are played out.
///
/// # Errors
/// `BadConfig` for an unknown option.
pub fn open<R: Rules>(
    rules: &Arc<R>,
    root: &R::State,
    spec: &SearchSpec,
    noise: &Noise,
) -> Result<Box<dyn Search>, RuleError> {
    let horizon = match spec.options.get("horizon").map(Value::as_f64) {
        None => 0,
        Some(Some(horizon)) if horizon >= 0.0 => horizon as usize,
        Some(_) => return Err(RuleError::BadConfig("search option horizon must be a number ≥ 0".into())),
    };
    settings::check(&spec.options, &["search", "horizon"])?;
    let evaluator = noise.on_any(super::optional_evaluator(&**rules, &spec.evaluator)?);
    let rng = Pcg64::seed_from_u64(spec.seed);
    let decisions = vec![Decision::new(&**rules, root.clone())];
    Ok(Box::new(MonteCarlo { rules: Arc::clone(rules), evaluator, horizon, rng, decisions, fixed: Vec::new() }))
}

impl<R: Rules> Decision<R> {
    fn new(rules: &R, state: R::State) -> Self {
        let arms = |seat: Seat| {
            let mut legal = Vec::new();
            choices(rules, &state, seat, &mut legal);
            legal
                .into_iter()
                .map(|action| Arm { action, visits: 0, sums: [0.0; MAX_SEATS], points: [0.0; MAX_SEATS] })
                .collect()
        };
        let seats = rules.acting(&state).into_iter().map(|seat| (seat, arms(seat))).collect();
        Self { state, seats, visits: 0 }
    }

    /// The arm with the best mean for the n-th acting seat; the first among equals. `None` before the first visit.
    fn best(&self, n: usize) -> Option<&Arm<R::Action>> {
        let (seat, arms) = &self.seats[n];
        let tried = arms.iter().filter(|arm| arm.visits > 0);
        tried.reduce(|best, arm| if arm.mean(*seat) > best.mean(*seat) { arm } else { best })
    }
}

impl<A> Arm<A> {
    fn mean(&self, seat: Seat) -> f32 {
        (self.sums[seat] / f64::from(self.visits.max(1))) as f32
    }

    fn mean_points(&self) -> Option<Values> {
        let mean = self.points.map(|sum| (sum / f64::from(self.visits.max(1))) as f32);
        (self.visits > 0 && mean[0].is_finite()).then_some(mean)
    }
}

impl<R: Rules> MonteCarlo<R> {
    fn root(&self) -> &Decision<R> {
        &self.decisions[0]
    }

    fn simulate(&mut self) {
        let rules = Arc::clone(&self.rules);
        let last = self.decisions.len() - 1;
        let decision = &mut self.decisions[last];
        let (n, round) = (decision.visits as usize % decision.seats.len(), decision.visits as usize);
        let mut state = decision.state.clone();
        let arms = decision.seats[n].1.len();
        let tried = round / decision.seats.len() % arms;
        let slice: Vec<R::Action> = (0..decision.seats.len())
            .map(|other| {
                let arms = &decision.seats[other].1;
                arms[if other == n { tried } else { self.rng.random_range(0..arms.len()) }].action
            })
            .collect();
        if let Some(hidden) = rules.hidden() {
            hidden.redeal(&mut state, decision.seats[n].0, self.rng.next_u64());
        }
        rules.play_unchecked(&mut state, &slice);
        let evaluated = self.evaluator.as_deref().map(|evaluator| (evaluator, self.horizon));
        let worth = play_out_until(&*rules, state, &mut self.rng, evaluated);
        let decision = &mut self.decisions[last];
        decision.visits += 1;
        let arm = &mut decision.seats[n].1[tried];
        arm.visits += 1;
        let points = worth.points.unwrap_or([f32::NAN; MAX_SEATS]);
        add(&mut arm.sums, &worth.values);
        add(&mut arm.points, &points);
    }

    /// The best move of the n-th seat to act: the fixed actions, the best next one, and the first legal ones to
    /// complete it.
    fn move_of(&self, n: usize) -> Option<String> {
        let (seat, _) = self.root().seats[n];
        let last = self.decisions.last()?;
        let mut actions = self.fixed.clone();
        let mut state = last.state.clone();
        if self.fixed.is_empty() || !self.rules.at_rest(&state) {
            actions.push(last.best(n)?.action);
            if last.seats.len() == 1 {
                self.rules.play_unchecked(&mut state, &actions[actions.len() - 1..]);
            }
        }
        while last.seats.len() == 1 && !self.rules.at_rest(&state) {
            let mut legal = Vec::new();
            self.rules.legal(&state, seat, &mut legal);
            actions.push(self.rules.end_early(&state).or_else(|| legal.first().copied())?);
            self.rules.play_unchecked(&mut state, &actions[actions.len() - 1..]);
        }
        Some(self.rules.write(&self.root().state, seat, &actions))
    }

    /// The value of the position for each seat: for seats to act that of their best action, for the others that of the
    /// first acting seat's best action. Two seats that act together may both be ahead with their best actions; their
    /// values are half the difference, so that they sum to zero.
    fn values(&self) -> Values {
        let mut values = [0.0; MAX_SEATS];
        let Some(decision) = self.decisions.iter().rev().find(|decision| decision.visits > 0) else {
            return values;
        };
        for (seat, value) in values.iter_mut().enumerate().take(self.rules.seats()) {
            let n = decision.seats.iter().position(|(acting, _)| *acting == seat).unwrap_or(0);
            *value = decision.best(n).map_or(0.0, |arm| arm.mean(seat)).clamp(-1.0, 1.0);
        }
        if decision.seats.len() == 2 && self.rules.seats() == 2 {
            let half = (values[0] - values[1]) / 2.0;
            (values[0], values[1]) = (half, -half);
        }
        values
    }

    /// The expected points of each seat, by the same actions.
    fn points(&self) -> Option<Values> {
        let decision = self.decisions.iter().rev().find(|decision| decision.visits > 0)?;
        let mut points = [0.0; MAX_SEATS];
        for (seat, own) in points.iter_mut().enumerate().take(self.rules.seats()) {
            let n = decision.seats.iter().position(|(acting, _)| *acting == seat).unwrap_or(0);
            *own = decision.best(n)?.mean_points()?[seat];
        }
        Some(points)
    }

    /// The actions of the position, best first; none if several seats act.
    fn lines(&self, count: usize) -> Vec<Line> {
        let [(seat, arms)] = &self.root().seats[..] else { return Vec::new() };
        let mut order: Vec<&Arm<R::Action>> = arms.iter().filter(|arm| arm.visits > 0).collect();
        order.sort_by(|a, b| b.mean(*seat).total_cmp(&a.mean(*seat)));
        let write = |arm: &&Arm<R::Action>| {
            let text = self.rules.write(&self.root().state, *seat, &[arm.action]);
            let (pv, value) = (vec![text.clone()], arm.mean(*seat).clamp(-1.0, 1.0));
            Line { text, visits: arm.visits, value, pv, points: arm.mean_points() }
        };
        order.iter().take(count).map(write).collect()
    }
}

impl<R: Rules> SelfEvaluating for MonteCarlo<R> {
    fn run(&mut self, simulations: u32) -> u32 {
        if self.decisions.last().is_none_or(|decision| decision.seats.is_empty()) {
            return 0;
        }
        (0..simulations).for_each(|_| self.simulate());
        simulations
    }

    fn step(&self) -> u32 {
        STEP
    }
}

impl<R: Rules> Focus for MonteCarlo<R> {
    fn focus(&mut self) -> bool {
        let Some(decision) = self.decisions.last() else { return false };
        if decision.seats.len() != 1 || (!self.fixed.is_empty() && self.rules.at_rest(&decision.state)) {
            return false;
        }
        let Some(best) = decision.best(0).map(|arm| arm.action) else { return false };
        let mut state = decision.state.clone();
        self.rules.play_unchecked(&mut state, &[best]);
        self.fixed.push(best);
        self.decisions.push(Decision::new(&*self.rules, state));
        let state = &self.decisions[self.decisions.len() - 1].state;
        !self.rules.at_rest(state) && !matches!(self.rules.to_act(state), ToAct::Over(_))
    }

    fn focus_visits(&self) -> u32 {
        self.decisions.last().map_or(0, |decision| decision.visits)
    }

    fn unfocus(&mut self) {
        self.decisions.truncate(1);
        self.fixed.clear();
    }
}

impl<R: Rules> Search for MonteCarlo<R> {
    fn driver(&mut self) -> Driver<'_> {
        Driver::SelfEvaluating(self)
    }

    fn focusing(&mut self) -> Option<&mut dyn Focus> {
        Some(self)
    }

    fn advance(&mut self, text: &str) -> Result<(), RuleError> {
        let mut state = self.root().state.clone();
        moves::play_recorded(&*self.rules, &mut state, text)?;
        self.unfocus();
        self.decisions[0] = Decision::new(&*self.rules, state);
        Ok(())
    }

    fn report(&self, lines: usize) -> Report {
        if let ToAct::Over(outcome) = self.rules.to_act(&self.root().state) {
            return Report::of_outcome(&outcome, self.rules.seats());
        }
        let moves: Option<Vec<String>> = (0..self.root().seats.len()).map(|n| self.move_of(n)).collect();
        let moves = moves.unwrap_or_default();
        Report {
            best_move: (!moves.is_empty()).then(|| moves::join(&moves)),
            policies: moves.into_iter().map(|text| vec![(text, 1.0)]).collect(),
            visits: self.visits(),
            lines: self.lines(lines),
            points: self.points(),
            ..Report::of_move(None, self.values())
        }
    }

    fn visits(&self) -> u32 {
        self.decisions.iter().map(|decision| decision.visits).sum()
    }

    fn bytes(&self) -> usize {
        let arms = self.decisions.iter().flat_map(|decision| &decision.seats).map(|(_, arms)| arms.capacity());
        size_of::<Self>() + arms.sum::<usize>() * size_of::<Arm<R::Action>>()
    }
}

fn add(sums: &mut [f64; MAX_SEATS], numbers: &Values) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += f64::from(*number);
    }
}
