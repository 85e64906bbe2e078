//! What a state is worth to the search: expected points, or for [`Utility::Win`] values in [-1, 1]; and back.

use super::Mcgs;
use super::graph::{Kind, Node, Pair};
use super::options::Utility;
use crate::evaluation::Evaluation;
use crate::rules::{MAX_SEATS, Outcome, Rules, ToAct, Values};

impl<R: Rules> Mcgs<R> {
    /// The node of a state that is reached after this number of joint moves.
    pub(super) fn new_node(&self, state: &R::State, to_act: &ToAct, ply: u32) -> Node {
        let (kind, own) = match to_act {
            ToAct::Over(outcome) => (Kind::Over, self.worth_of_outcome(outcome)),
            _ => (Kind::Pending, [0.0; 2]),
        };
        let scale = match (self.options.utility, self.rules.points()) {
            (Utility::Own | Utility::Diff, Some(points)) => points.remaining(state).max(1.0),
            _ => 1.0,
        };
        Node::new(self.rules.key(state), ply, kind, scale, own)
    }

    /// In points, nothing more is to be won in a finished game.
    fn worth_of_outcome(&self, outcome: &Outcome) -> Pair {
        match self.options.utility {
            Utility::Own | Utility::Diff => [0.0; 2],
            Utility::Win => two(&outcome.values(2)),
        }
    }

    /// What the search's own evaluator says about an unfinished state.
    pub(super) fn worth_of_state(&self, state: &R::State) -> Pair {
        let Some(evaluator) = &self.evaluator else { return [0.0; 2] };
        match evaluator.future_points(&self.rules, state) {
            Some(points) => self.worth_of_points(state, [points[0], points[1]]),
            None => two(&evaluator.value(&self.rules, state)),
        }
    }

    /// What a network says about an unfinished state.
    pub(super) fn worth_of_evaluation(&self, state: &R::State, evaluation: &Evaluation) -> Pair {
        let mut values = evaluation.values();
        if self.rules.planes().is_some_and(|planes| planes.estimates_points()) {
            let mut points = two(&values);
            self.errors.disturb_points(&*self.rules, state, &mut points);
            return self.worth_of_points(state, points);
        }
        self.errors.disturb(&*self.rules, state, &mut values);
        two(&values)
    }

    fn worth_of_points(&self, state: &R::State, points: Pair) -> Pair {
        match self.options.utility {
            Utility::Own | Utility::Diff => points,
            Utility::Win => two(&self.values_of_points(state, points)),
        }
    }

    /// The values of an unfinished state, given its worth to the search.
    pub(super) fn values_of(&self, state: &R::State, worth: Pair) -> Values {
        match self.options.utility {
            Utility::Own | Utility::Diff => self.values_of_points(state, worth),
            Utility::Win => per_seat(worth.map(|value| value.clamp(-1.0, 1.0))),
        }
    }

    /// The expected points at the end of the game, given the root's worth to the search; `None` for [`Utility::Win`].
    pub(super) fn points_of(&self, worth: Pair) -> Option<Values> {
        let scores = self.rules.scores(&self.root).filter(|_| self.options.utility != Utility::Win)?;
        Some(per_seat([0, 1].map(|seat| f64::from(scores[seat]) + worth[seat])))
    }

    fn values_of_points(&self, state: &R::State, future: Pair) -> Values {
        let (Some(points), Some(scores)) = (self.rules.points(), self.rules.scores(state)) else {
            return [0.0; MAX_SEATS];
        };
        points.values(state, &per_seat([0, 1].map(|seat| f64::from(scores[seat]) + future[seat])))
    }

    /// The points so far, including those counted only at the end of the game; zero for [`Utility::Win`], which does not
    /// add them up.
    pub(super) fn points_so_far(&self, state: &R::State) -> Pair {
        if self.options.utility == Utility::Win {
            return [0.0; 2];
        }
        self.rules.scores(state).map_or([0.0; 2], |scores| two(&scores))
    }

    /// The points won between a state with these points and a new one.
    pub(super) fn points_won(&self, before: Pair, after: &R::State, to_act: &ToAct) -> Pair {
        let counted = match to_act {
            ToAct::Over(Outcome { scores: Some(scores), .. }) if self.options.utility != Utility::Win => {
                two(scores)
            }
            _ => self.points_so_far(after),
        };
        [counted[0] - before[0], counted[1] - before[1]]
    }
}

fn two(values: &Values) -> Pair {
    [f64::from(values[0]), f64::from(values[1])]
}

pub(super) fn per_seat(pair: Pair) -> Values {
    let mut values = [0.0; MAX_SEATS];
    (values[0], values[1]) = (pair[0] as f32, pair[1] as f32);
    values
}
