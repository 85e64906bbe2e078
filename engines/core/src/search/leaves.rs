//! The leaves of a PUCT search that wait for an evaluation from outside: selected under virtual loss, evaluated by
//! whoever drives the search, and backed up together.

use super::arena::NodeId;
use super::puct::{Puct, seat_of};
use super::tree::Kind;
use crate::evaluation::Evaluation;
use crate::planes::{self, Signature};
use crate::rules::{Rules, Seat};

/// A leaf whose evaluation is outstanding.
pub(super) struct Pending<S, A> {
    /// The nodes from the root to the leaf.
    path: Vec<NodeId>,
    pub(super) state: S,
    /// The legal ones, once they were needed.
    actions: Vec<A>,
}

impl<R: Rules> Puct<R> {
    /// Puts up to `room` leaves in flight, after those that still are have been given back.
    pub(super) fn gather_leaves(&mut self, room: usize) {
        self.cancel_leaves();
        if self.evaluator.is_some() || room == 0 {
            return;
        }
        match self.tree.node(0).kind {
            Kind::Terminal => {}
            Kind::Pending => {
                self.path.clear();
                self.path.push(0);
                self.launch(self.root.clone());
            }
            _ => self.select_leaves(room),
        }
    }

    /// Descends `room` times, or until a descent meets a leaf in flight.
    fn select_leaves(&mut self, room: usize) {
        for _ in 0..room {
            let (state, new) = self.descend();
            let last = self.path.last().copied().unwrap_or(0);
            match self.tree.node(last).kind {
                Kind::Pending if new => self.launch(state),
                Kind::Pending => break,
                _ => {
                    let value = self.verdict(last);
                    self.back_up(value);
                }
            }
        }
    }

    /// Puts the leaf at the end of `self.path` in flight.
    fn launch(&mut self, state: R::State) {
        self.mark_in_flight(1);
        self.pending.push(Pending { path: self.path.clone(), state, actions: Vec::new() });
    }

    /// What a network's output for a leaf says.
    pub(super) fn read_leaf(
        &mut self,
        signature: &Signature,
        leaf: usize,
        policy: &[f32],
        values: &[f32],
    ) -> Evaluation {
        let leaf = &mut self.pending[leaf];
        let seat = Seat::from(seat_of(self.rules.to_act(&leaf.state)));
        self.rules.legal(&leaf.state, seat, &mut leaf.actions);
        let legal = [(seat, &leaf.actions[..])];
        planes::read_output(&*self.rules, &leaf.state, signature, &legal, policy, values)
    }

    /// Backs up the evaluations of all leaves in flight, in the order in which they were selected.
    pub(super) fn absorb_leaves(&mut self, evaluations: &[Evaluation]) {
        self.flight += 1;
        for (leaf, evaluation) in std::mem::take(&mut self.pending).into_iter().zip(evaluations) {
            let last = leaf.path.last().copied().unwrap_or(0);
            self.path = leaf.path;
            self.mark_in_flight(-1);
            self.actions = leaf.actions;
            if self.actions.is_empty() {
                let seat = Seat::from(self.tree.node(last).seat);
                self.rules.legal(&leaf.state, seat, &mut self.actions);
            }
            self.priors.clear();
            self.priors.extend(evaluation.policy(0));
            let value = evaluation.values()[0];
            self.tree.node_mut(last).value = value;
            self.grow(last);
            self.back_up(value);
            if last == 0 {
                self.add_noise();
            }
        }
    }

    /// Forgets the leaves in flight, the latest first; the tree is as before they were selected.
    pub(super) fn cancel_leaves(&mut self) {
        self.flight += 1;
        while let Some(leaf) = self.pending.pop() {
            self.path = leaf.path;
            self.mark_in_flight(-1);
            if let [.., parent, _] = self.path[..] {
                self.tree.orphan(parent);
            }
        }
    }

    fn mark_in_flight(&mut self, change: i16) {
        for &id in &self.path {
            let node = self.tree.node_mut(id);
            node.in_flight = node.in_flight.wrapping_add_signed(change);
        }
    }
}
