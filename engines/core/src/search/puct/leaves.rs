//! Leaves of a PUCT search that wait for external evaluations: selected under virtual loss, evaluated by the driver of
//! the search, and backed up together.

use super::tree::{Kind, Step};
use super::{Puct, seat_of};
use crate::evaluation::Evaluation;
use crate::planes::{self, Signature};
use crate::rules::{Rules, Seat};
use crate::search::choices::choices;

/// A leaf that waits for its evaluation.
#[derive(Clone)]
pub(super) struct Pending<S> {
    /// The nodes from the root to the leaf.
    path: Vec<Step>,
    pub(super) state: S,
}

impl<R: Rules> Puct<R> {
    /// Puts up to `room` leaves in flight, after giving back those that are still in flight.
    pub(super) fn gather_leaves(&mut self, room: usize) {
        self.cancel_leaves();
        if self.evaluator.is_some() || room == 0 {
            return;
        }
        match self.tree.node(0).kind {
            Kind::Terminal => {}
            Kind::Pending => {
                self.path.clear();
                self.path.push(Step::ROOT);
                self.launch(self.root.clone());
            }
            _ => self.select_leaves(room),
        }
    }

    /// Descends `room` times, or until a descent reaches a leaf in flight.
    fn select_leaves(&mut self, room: usize) {
        for _ in 0..room {
            let (state, new) = self.descend();
            let last = self.end();
            match self.tree.node(last).kind {
                Kind::Pending if new => self.launch(state),
                Kind::Pending => break,
                _ => {
                    self.tally(false);
                    let value = self.verdict(last);
                    self.back_up(value);
                }
            }
        }
    }

    /// Puts the last node of `self.path` in flight.
    fn launch(&mut self, state: R::State) {
        self.mark_in_flight(1);
        self.pending.push(Pending { path: self.path.clone(), state });
    }

    /// Converts a network's output for a leaf.
    pub(super) fn read_leaf(
        &mut self,
        signature: &Signature,
        leaf: usize,
        policy: &[f32],
        values: &[f32],
    ) -> Evaluation {
        let state = &self.pending[leaf].state;
        let seat = Seat::from(seat_of(self.rules.to_act(state)));
        self.actions.clear();
        choices(&*self.rules, state, seat, &mut self.actions);
        let legal = [(seat, &self.actions[..])];
        planes::read_output(&*self.rules, state, signature, &legal, policy, values)
    }

    /// Backs up the evaluations of all leaves in flight, in order of selection.
    pub(super) fn absorb_leaves(&mut self, evaluations: &[Evaluation]) {
        self.flight += 1;
        let mut pending = std::mem::take(&mut self.pending);
        for (leaf, evaluation) in pending.drain(..).zip(evaluations) {
            self.path = leaf.path;
            let last = self.end();
            self.mark_in_flight(-1);
            self.priors.clear();
            self.priors.extend(evaluation.policy(0));
            let seat = Seat::from(self.tree.node(last).seat);
            self.errors.disturb_priors(&*self.rules, &leaf.state, seat, &mut self.priors);
            let mut values = evaluation.values();
            self.errors.disturb(&*self.rules, &leaf.state, &mut values);
            let value = values[0];
            self.weights.keep(last, &self.priors);
            let node = self.tree.node_mut(last);
            (node.value, node.kind) = (value, Kind::Leaf);
            self.tally(true);
            self.back_up(value);
            if last == 0 {
                self.add_noise(0);
            }
        }
        self.pending = pending;
    }

    /// Gives back the leaves in flight, the latest first. What was backed up meanwhile is kept.
    pub(super) fn cancel_leaves(&mut self) {
        self.flight += 1;
        while let Some(leaf) = self.pending.pop() {
            self.path = leaf.path;
            self.mark_in_flight(-1);
            if let [.., parent, child] = self.path[..] {
                self.tree.orphan(parent.node, child.node);
            }
        }
    }

    fn mark_in_flight(&mut self, change: i16) {
        for (at, &step) in self.path.iter().enumerate() {
            let node = self.tree.node_mut(step.node);
            node.in_flight = node.in_flight.wrapping_add_signed(change);
            if at > 0 {
                self.tree.refresh(self.path[at - 1].node, step.edge, self.options.virtual_loss);
            }
        }
    }
}
