//! The nodes of a PUCT tree and their edges: what a state is worth at first, and which actions are worth trying next.

use super::options::NoPriors;
use super::tree::{Kind, Node};
use super::{Puct, seat_of};
use crate::repetition::drawn_by;
use crate::rules::{Rules, Seat, ToAct};
use crate::search::choices::choices;
use crate::search::node_store::NodeId;

/// The least prior of an action where values are proven, as a share of the mean: an action is lost only if all are.
const LEAST_PRIOR: f32 = 1e-3;

impl<R: Rules> Puct<R> {
    /// The node of a state `ply` actions from the root, evaluated if the search has its own evaluator.
    pub(super) fn new_node(&self, state: &R::State, ply: usize) -> Node {
        match (self.rules.to_act(state), &self.evaluator) {
            (ToAct::Over(outcome), _) => Node::new(0, Kind::Terminal, outcome.values(2)[0]),
            (to_act, _) if ply > 0 && drawn_by(&*self.rules, state, ply).is_some() => {
                Node::new(seat_of(to_act), Kind::Repeated, 0.0)
            }
            (to_act, Some(evaluator)) => {
                Node::new(seat_of(to_act), Kind::Leaf, evaluator.value(&self.rules, state)[0])
            }
            (to_act, None) => Node::new(seat_of(to_act), Kind::Pending, 0.0),
        }
    }

    /// Lists up to `most` further edges of an evaluated node.
    pub(super) fn list(&mut self, id: NodeId, state: &R::State, most: usize) {
        let (mut actions, mut priors) = (std::mem::take(&mut self.actions), std::mem::take(&mut self.priors));
        let mut total = self.weigh(id, state, &mut actions, &mut priors);
        if total <= 0.0 {
            priors.fill(1.0);
            total = priors.len() as f32;
            if self.options.no_priors == NoPriors::DeadEnd && actions.len() > 1 {
                self.tree.node_mut(id).kind = Kind::DeadEnd;
            }
        }
        if self.tree.node(id).kind != Kind::DeadEnd {
            self.tree.list_edges(id, &actions, &priors, total, most);
        }
        (self.actions, self.priors) = (actions, priors);
    }

    /// The actions of an evaluated node and their weights, in the game's order; returns the sum of the weights. Where
    /// values are proven, none is 0.
    fn weigh(&self, id: NodeId, state: &R::State, actions: &mut Vec<R::Action>, priors: &mut Vec<f32>) -> f32 {
        let seat = Seat::from(self.tree.node(id).seat);
        actions.clear();
        priors.clear();
        choices(&*self.rules, state, seat, actions);
        match &self.evaluator {
            Some(evaluator) => evaluator.priors(&self.rules, state, seat, actions, priors),
            None => priors.extend_from_slice(self.weights.of(id)),
        }
        let total: f32 = priors.iter().sum();
        let least = LEAST_PRIOR * total / priors.len().max(1) as f32;
        if !self.options.solve || priors.iter().all(|prior| *prior >= least) {
            return total;
        }
        priors.iter_mut().for_each(|prior| *prior = prior.max(least));
        priors.iter().sum()
    }
}
