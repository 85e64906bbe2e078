//! Descents that wait for external evaluations: selected under virtual loss, evaluated by the driver of the search, and
//! counted together.
//!
//! A descent that reaches a position in flight is a collision: it is not counted, but stays in flight until the batch
//! is complete, so that the next descent goes elsewhere.

use super::Mcgs;
use super::descent::{Attached, Step};
use super::formulas::COLLISIONS;
use super::graph::{Kind, ROOT};
use crate::evaluation::Evaluation;
use crate::planes::{self, Signature};
use crate::rules::Rules;
use crate::search::node_store::NodeId;

/// A position that waits for its evaluation.
pub(super) struct Leaf<R: Rules> {
    id: NodeId,
    pub(super) state: R::State,
    /// The legal actions of both seats.
    actions: [Vec<R::Action>; 2],
}

/// A descent of a batch.
#[derive(Clone)]
struct Flight {
    path: Vec<Step>,
    last: NodeId,
    /// Whether it ended at a position that was in flight already.
    collided: bool,
}

/// A batch of descents.
pub(super) struct Flights<R: Rules> {
    pub(super) leaves: Vec<Leaf<R>>,
    descents: Vec<Flight>,
    /// Changes whenever the leaves do.
    pub(super) number: u64,
    /// The generator as it was before the batch.
    rng: rand_pcg::Pcg64,
}

impl<R: Rules> Flights<R> {
    pub(super) fn new(rng: rand_pcg::Pcg64) -> Self {
        Self { leaves: Vec::new(), descents: Vec::new(), number: 0, rng }
    }

    /// A copy that can only be given back.
    pub(super) fn without_leaves(&self) -> Self {
        let (descents, rng) = (self.descents.clone(), self.rng.clone());
        Self { leaves: Vec::new(), descents, number: self.number, rng }
    }
}

impl<R: Rules> Mcgs<R> {
    /// Puts up to `room` descents in flight, after giving back those that are still in flight. If none of them needs an
    /// evaluation, they are counted at once.
    pub(super) fn gather_leaves(&mut self, room: usize) {
        self.cancel_leaves();
        if self.evaluator.is_some() || self.graph.node(ROOT).kind == Kind::Over {
            return;
        }
        self.flights.rng = self.rng.clone();
        let mut collisions = COLLISIONS.at(self.graph.size());
        let mut counted = 0;
        while counted < room {
            if self.launch() {
                counted += 1;
            } else if collisions <= 1 {
                break;
            } else {
                collisions -= 1;
            }
        }
        if self.flights.leaves.is_empty() {
            self.absorb_leaves(&[]);
        }
    }

    /// Puts a descent in flight; `false` if it is a collision.
    fn launch(&mut self) -> bool {
        let mut state = self.root.clone();
        let last = self.descend(&mut state);
        let node = self.graph.node(last);
        let waits = node.kind == Kind::Pending;
        let collided = waits && node.in_flight > 0;
        if waits && !collided {
            let mut actions = [Vec::new(), Vec::new()];
            for (seat, actions) in actions.iter_mut().enumerate() {
                self.rules.legal(&state, seat, actions);
            }
            self.flights.leaves.push(Leaf { id: last, state, actions });
        }
        let flight = Flight { path: std::mem::take(&mut self.path), last, collided };
        self.mark_in_flight(&flight, 1);
        self.flights.descents.push(flight);
        !collided
    }

    fn mark_in_flight(&mut self, flight: &Flight, change: i16) {
        let marked = |count: u16| count.wrapping_add_signed(change);
        for step in &flight.path {
            let node = self.graph.node_mut(step.node);
            node.in_flight = marked(node.in_flight);
            for (seat, outcome) in step.pair.into_iter().enumerate() {
                let choice = self.graph.choice_mut(step.node, seat, outcome);
                choice.in_flight = marked(choice.in_flight);
            }
        }
        let node = self.graph.node_mut(flight.last);
        node.in_flight = marked(node.in_flight);
    }

    /// Converts a network's output for a leaf.
    pub(super) fn read_leaf(
        &self,
        signature: &Signature,
        leaf: usize,
        policy: &[f32],
        values: &[f32],
    ) -> Evaluation {
        let leaf = &self.flights.leaves[leaf];
        let legal = [(0, &leaf.actions[0][..]), (1, &leaf.actions[1][..])];
        planes::read_output(&*self.rules, &leaf.state, signature, &legal, policy, values)
    }

    /// Stores the evaluations of all leaves in flight, counts the descents, and computes each touched value once.
    pub(super) fn absorb_leaves(&mut self, evaluations: &[Evaluation]) {
        self.flights.number += 1;
        self.attached.clear();
        for (leaf, evaluation) in std::mem::take(&mut self.flights.leaves).into_iter().zip(evaluations) {
            let worth = self.worth_of_evaluation(&leaf.state, evaluation);
            self.evaluate(leaf.id, worth);
            let mut weights: [Vec<f32>; 2] = [0, 1].map(|seat| {
                let mut weights: Vec<f32> = evaluation.policy(seat).collect();
                self.errors.disturb_priors(&*self.rules, &leaf.state, seat, &mut weights);
                weights
            });
            self.list_with(leaf.id, &leaf.actions, &mut weights);
            if leaf.id == ROOT {
                self.draw_noise();
            }
        }
        let descents = std::mem::take(&mut self.flights.descents);
        let counted = descents.iter().filter(|flight| !flight.collided).count();
        self.known += (counted - evaluations.len()) as u64;
        let mut touched = Vec::new();
        for flight in &descents {
            self.mark_in_flight(flight, -1);
            for step in flight.path.iter().filter(|_| !flight.collided) {
                self.graph.count(step.node, step.pair);
                touched.push(step.node);
            }
        }
        touched.sort_unstable_by_key(|id| (std::cmp::Reverse(self.graph.node(*id).ply), *id));
        touched.dedup();
        for id in touched {
            self.graph.refresh(id);
        }
        for flight in descents.iter().filter(|flight| !flight.collided) {
            flight.path.iter().rev().for_each(|step| self.learn(*step));
        }
    }

    /// Gives back the leaves in flight: the graph is as it was before they were gathered.
    pub(super) fn cancel_leaves(&mut self) {
        self.flights.number += 1;
        if self.flights.descents.is_empty() {
            return;
        }
        self.flights.leaves.clear();
        for flight in std::mem::take(&mut self.flights.descents) {
            self.mark_in_flight(&flight, -1);
        }
        while let Some(Attached { step, is_new }) = self.attached.pop() {
            self.graph.detach(step.node, step.pair);
            if is_new {
                self.graph.remove_last();
            } else {
                self.hits -= 1;
            }
        }
        self.rng = self.flights.rng.clone();
    }
}
