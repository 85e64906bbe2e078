//! Simulations that wait for external evaluations, in the trees of all deals in turn. A simulation in flight counts as a
//! loss, so that the next one in the same tree goes elsewhere. It may also go on below a leaf in flight: listing actions
//! needs no evaluation.

use rand_pcg::Pcg64;

use super::Uct;
use super::simulation::{Change, End};
use super::tree::{Kind, Step};
use crate::evaluation::Evaluation;
use crate::evaluator::Estimate;
use crate::planes::{self, Signature};
use crate::rules::{MAX_SEATS, Rules, Seat, ToAct};
use crate::search::node_store::NodeId;

/// A simulation in flight.
struct Flight<R: Rules> {
    deal: usize,
    path: Vec<Step>,
    last: NodeId,
    /// The state of the last node.
    state: R::State,
    /// What that is worth, if it is known without an evaluation.
    known: Option<Estimate>,
    changes: Vec<Change>,
}

/// The simulations in flight.
pub(super) struct Flights<R: Rules> {
    all: Vec<Flight<R>>,
    /// Those that wait for an evaluation.
    leaves: Vec<usize>,
    /// Changes whenever the leaves do.
    pub(super) number: u64,
    /// The deal that was next, and the generator of each deal, before they were gathered.
    before: (usize, Vec<Pcg64>),
}

impl<R: Rules> Flights<R> {
    pub(super) fn new() -> Self {
        Self { all: Vec::new(), leaves: Vec::new(), number: 0, before: (0, Vec::new()) }
    }

    /// Number of simulations in flight.
    pub(super) fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// The states that wait for an evaluation.
    pub(super) fn states(&self) -> impl Iterator<Item = &R::State> {
        self.leaves.iter().map(|index| &self.all[*index].state)
    }

    /// The state of a leaf.
    pub(super) fn state(&self, leaf: usize) -> &R::State {
        &self.all[self.leaves[leaf]].state
    }

    /// The same for a copy of the search.
    pub(super) fn copy(&self) -> Self {
        let all = self.all.iter().map(Flight::copy).collect();
        Self { all, leaves: self.leaves.clone(), number: self.number, before: self.before.clone() }
    }
}

impl<R: Rules> Flight<R> {
    fn copy(&self) -> Self {
        let Self { deal, last, known, .. } = *self;
        Self {
            deal,
            path: self.path.clone(),
            last,
            state: self.state.clone(),
            known,
            changes: self.changes.clone(),
        }
    }
}

impl<R: Rules> Uct<R> {
    /// Puts up to `room` simulations in flight, after giving back those that are still in flight. If none of them needs an
    /// evaluation, they are counted at once.
    pub(super) fn gather_leaves(&mut self, room: usize) {
        self.cancel_leaves();
        if !self.is_outside || self.is_complete() {
            return;
        }
        self.flights.before = (self.next, self.deals.iter().map(|deal| deal.rng.clone()).collect());
        (0..room).for_each(|_| self.launch());
        if self.flights.leaves.is_empty() {
            self.absorb_leaves(&[]);
        }
    }

    /// Puts a simulation in flight.
    fn launch(&mut self) {
        let (deal, mut changes) = (&mut self.deals[self.next], Vec::new());
        let End { node: last, state } = deal.descend_from_root(&self.context, &mut |change| changes.push(change));
        let kind = deal.tree.node(last).kind;
        let is_known = matches!(kind, Kind::Over | Kind::Repeated);
        let known = is_known.then(|| deal.evaluate(&self.context, &state, kind));
        let path = deal.path.clone();
        deal.tree.mark_in_flight(&path, last, 1);
        if !is_known {
            self.flights.leaves.push(self.flights.all.len());
        }
        self.flights.all.push(Flight { deal: self.next, path, last, state, known, changes });
        self.next = (self.next + 1) % self.deals.len();
    }

    /// The seat that acts in the state of a leaf.
    pub(super) fn seat_of(&self, state: &R::State) -> Seat {
        match self.context.rules.to_act(state) {
            ToAct::One(seat) => seat,
            _ => 0,
        }
    }

    /// Converts a network's output for a leaf; its policy is not used.
    pub(super) fn read_leaf(&self, signature: &Signature, leaf: usize, values: &[f32]) -> Evaluation {
        let state = self.flights.state(leaf);
        let legal = [(self.seat_of(state), &[][..])];
        planes::read_output(&*self.context.rules, state, signature, &legal, &[], values)
    }

    /// Counts the simulations in flight, in the order in which they were gathered.
    pub(super) fn absorb_leaves(&mut self, evaluations: &[Evaluation]) {
        self.flights.number += 1;
        self.flights.leaves.clear();
        let flights = std::mem::take(&mut self.flights.all);
        for flight in &flights {
            self.deals[flight.deal].tree.mark_in_flight(&flight.path, flight.last, -1);
        }
        self.count(flights.len() as u32);
        let mut evaluations = evaluations.iter();
        for flight in flights {
            let evaluated = || evaluations.next().map(|evaluation| self.estimate(&flight.state, evaluation));
            let Some(worth) = flight.known.or_else(evaluated) else { continue };
            let deal = &mut self.deals[flight.deal];
            deal.path = flight.path;
            deal.finish(&self.context, flight.last, &worth);
        }
    }

    /// What a network says about an unfinished state.
    fn estimate(&self, state: &R::State, evaluation: &Evaluation) -> Estimate {
        let (rules, mut values) = (&*self.context.rules, evaluation.values());
        let mut points = None;
        if rules.planes().is_some_and(|planes| planes.estimates_points()) {
            let so_far = rules.scores(state).unwrap_or([0.0; MAX_SEATS]);
            let ends = std::array::from_fn(|seat| so_far[seat] + values[seat]);
            values = rules.points().map_or([0.0; MAX_SEATS], |points| points.values(state, &ends));
            points = Some(ends);
        }
        self.errors.disturb(rules, state, &mut values);
        Estimate { values, points }
    }

    /// Gives back the simulations in flight: the trees are as they were before these were gathered.
    pub(super) fn cancel_leaves(&mut self) {
        self.flights.number += 1;
        self.flights.leaves.clear();
        if self.flights.all.is_empty() {
            return;
        }
        while let Some(flight) = self.flights.all.pop() {
            let deal = &mut self.deals[flight.deal];
            deal.tree.mark_in_flight(&flight.path, flight.last, -1);
            deal.undo(flight.changes.into_iter());
        }
        let (next, generators) = std::mem::take(&mut self.flights.before);
        self.next = next;
        for (deal, rng) in self.deals.iter_mut().zip(generators) {
            deal.rng = rng;
        }
    }
}
