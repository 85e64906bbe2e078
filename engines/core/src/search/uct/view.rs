//! Looking into the trees of a UCT search, and copying it. The key of an edge is the hash of its action.
//!
//! A path without a deal stands for the nodes of all deals behind the same actions, whose statistics are added up. What
//! follows a move depends on what it reveals, so in games with hidden information such a path has nothing behind the
//! first whole move; the tree of one deal goes on.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::endgame::Endgame;
use super::formulas::{self, Mean};
use super::options::Tie;
use super::results::{Place, mean_points};
use super::simulation::Deal;
use super::tree::{Kind, ROOT, Tree};
use super::{Uct, acting, thread_pool};
use crate::rules::{MAX_SEATS, Rules, Seat, ToAct, hash_of};
use crate::search::inspect::{
    ActionFacts, Counters, EdgeFacts, Inspect, NodeFacts, NodeKind, NodePath, PerSeat, Unit, points_now, reward,
    sort_actions, sort_edges, wide,
};
use crate::search::node_store::NodeId;

/// The nodes at a path, a state that stands for theirs, and whether the next actions depend on what was revealed.
struct Located<'s, R: Rules> {
    nodes: Vec<Place<'s, R::Action>>,
    state: R::State,
    is_revealed: bool,
}

/// The same action in several nodes.
struct Merged<A> {
    action: A,
    own: Mean,
    amaf: Option<Mean>,
    score: Option<f64>,
}

impl<R: Rules> Uct<R> {
    /// A search of its own with the same tree; leaves in flight are given back.
    pub(super) fn copied(&self) -> Self {
        let mut copy = Self {
            context: self.context.copy(),
            root: self.root.clone(),
            deals: self.deals.iter().map(Deal::copy).collect(),
            next: self.next,
            inherited: self.inherited,
            focused: self.focused,
            threads: thread_pool(self.threads.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)),
            endgame: self.endgame.as_ref().map(Endgame::copy),
            is_outside: self.is_outside,
            errors: self.errors.clone(),
            flights: self.flights.copy(),
        };
        copy.cancel_leaves();
        copy
    }

    fn located(&self, path: &NodePath) -> Option<Located<'_, R>> {
        let deals: &[Deal<R>] = match path.deal {
            None => &self.deals,
            Some(deal) if deal < self.deals() => &self.deals[deal..=deal],
            Some(_) => return None,
        };
        let mut found = Located {
            nodes: deals.iter().map(|deal| (&deal.tree, ROOT)).collect(),
            state: deals[0].root.clone(),
            is_revealed: false,
        };
        for key in &path.edges {
            if found.is_revealed {
                return None;
            }
            let tried = found.nodes.iter().flat_map(|(tree, id)| tree.tried(*id));
            let action = tried.map(|edge| edge.action).find(|action| hash_of(action) == *key)?;
            found.nodes = self.places_behind(found.nodes, action);
            self.context.play(&mut found.state, action, &mut Vec::new());
            found.is_revealed = self.reveals(path, &found.state);
        }
        Some(found)
    }

    /// Whether what follows a state depends on what was revealed before it.
    fn reveals(&self, path: &NodePath, state: &R::State) -> bool {
        let rules = &*self.context.rules;
        rules.hidden().is_some() && path.deal.is_none() && (rules.at_rest(state) || acting(rules, state).is_none())
    }

    /// The listed actions of these nodes, added up. Only one node has scores.
    fn merged(&self, found: &Located<'_, R>) -> Vec<Merged<R::Action>> {
        let mut merged: Vec<Merged<R::Action>> = Vec::new();
        for (tree, id) in found.nodes.iter().filter(|_| !found.is_revealed) {
            let mut amaf = tree.amaf(*id).iter().map(|amaf| amaf.mean);
            for edge in tree.edges(*id) {
                let amaf = amaf.next();
                let Some(same) = merged.iter_mut().find(|same| same.action == edge.action) else {
                    let score = (found.nodes.len() == 1 && edge.mean.visits > 0)
                        .then(|| self.score(tree.node(*id).visits, edge.mean, amaf));
                    merged.push(Merged { action: edge.action, own: edge.mean, amaf, score });
                    continue;
                };
                same.own.add_all(edge.mean);
                if let (Some(sum), Some(amaf)) = (&mut same.amaf, amaf) {
                    sum.add_all(amaf);
                }
            }
        }
        merged
    }

    /// The score by which a node with these visits compares an action that was tried, in [0, 1] plus the exploration term.
    fn score(&self, visits: u32, own: Mean, amaf: Option<Mean>) -> f64 {
        let (rave, c) = (&self.context.options.rave, self.context.exploration);
        match amaf {
            Some(amaf) => formulas::rave(own, amaf, visits, c, rave.k, rave.first_play),
            None => formulas::uct(own, visits, c),
        }
    }

    /// The exploration term that is part of the score.
    fn exploration(&self, visits: u32, own: Mean) -> f64 {
        formulas::exploration(self.context.exploration, f64::from(visits).ln(), own.visits)
    }
}

impl<R: Rules> Inspect for Uct<R> {
    fn name(&self) -> &'static str {
        "uct"
    }

    fn unit(&self) -> Unit {
        Unit::Value
    }

    fn seats(&self) -> usize {
        self.context.rules.seats()
    }

    fn deals(&self) -> usize {
        if self.context.rules.hidden().is_some() && !self.context.deals_anew() { self.deals.len() } else { 0 }
    }

    fn node(&self, path: &NodePath) -> Option<NodeFacts> {
        let found = self.located(path)?;
        let rules = &*self.context.rules;
        let visits: u32 = found.nodes.iter().map(|(tree, id)| tree.node(*id).visits).sum();
        let points = match rules.to_act(&found.state) {
            ToAct::Over(outcome) => outcome.scores,
            _ => mean_points(&found.nodes),
        };
        let shown = if found.is_revealed { Vec::new() } else { rules.acting(&found.state) };
        Some(NodeFacts {
            id: id_of(path),
            kind: kind(&found.nodes),
            to_act: shown,
            visits,
            q: (visits > 0).then(|| mean_values(rules.seats(), &found.nodes)),
            evaluation: None,
            points: points.map(wide),
            distance: None,
        })
    }

    fn actions(&self, path: &NodePath) -> Option<Vec<ActionFacts>> {
        let found = self.located(path)?;
        let rules = &*self.context.rules;
        let Some(seat) = acting(rules, &found.state) else { return Some(Vec::new()) };
        let visits: u32 = found.nodes.iter().map(|(tree, id)| tree.node(*id).visits).sum();
        let facts = |merged: Merged<R::Action>| ActionFacts {
            seat,
            text: self.text(&found.state, seat, merged.action),
            prior: None,
            visits: merged.own.visits,
            q: (merged.own.visits > 0).then(|| valued(merged.own.or(0.5))),
            u: merged.score.map(|_| 2.0 * self.exploration(visits, merged.own)),
            score: merged.score.map(valued),
            amaf: merged.amaf.filter(|amaf| amaf.visits > 0).map(|amaf| (amaf.visits, valued(amaf.or(0.5)))),
            regret: None,
        };
        let mut actions: Vec<ActionFacts> = self.merged(&found).into_iter().map(facts).collect();
        sort_actions(&mut actions);
        Some(actions)
    }

    fn edges(&self, path: &NodePath) -> Option<Vec<EdgeFacts>> {
        let found = self.located(path)?;
        let rules = &*self.context.rules;
        let Some(seat) = acting(rules, &found.state) else { return Some(Vec::new()) };
        let before = points_now(rules, &found.state);
        let facts = |merged: Merged<R::Action>| {
            let mut after = found.state.clone();
            self.context.play(&mut after, merged.action, &mut Vec::new());
            let nodes = self.places_behind(found.nodes.clone(), merged.action);
            EdgeFacts {
                key: hash_of(merged.action),
                text: self.text(&found.state, seat, merged.action),
                visits: merged.own.visits,
                q: mean_values(rules.seats(), &nodes),
                reward: reward(before, points_now(rules, &after)),
            }
        };
        let visited = self.merged(&found).into_iter().filter(|merged| merged.own.visits > 0);
        let mut edges: Vec<EdgeFacts> = visited.map(facts).collect();
        sort_edges(&mut edges);
        Some(edges)
    }

    fn best(&self, path: &NodePath) -> Option<u64> {
        let found = self.located(path)?;
        let mut best: Option<Merged<R::Action>> = None;
        for next in self.merged(&found).into_iter().filter(|merged| merged.own.visits > 0) {
            let rank = |merged: &Merged<R::Action>| (merged.own.visits, merged.own.or(0.0));
            let is_better = best.as_ref().is_none_or(|best| match self.context.options.tie {
                Tie::Mean => rank(&next) > rank(best),
                Tie::First => next.own.visits > best.own.visits,
            });
            best = if is_better { Some(next) } else { best };
        }
        Some(hash_of(best?.action))
    }

    fn counters(&self) -> Counters {
        let of_all = |count: fn(&Deal<R>) -> u64| self.deals.iter().map(count).sum();
        Counters {
            evaluations: of_all(|deal| deal.evaluations),
            known: of_all(|deal| deal.known),
            hits: 0,
            nodes: self.deals.iter().map(|deal| deal.tree.size()).sum(),
            depth: self.deals.iter().map(|deal| depth(&deal.tree)).max().unwrap_or(0),
        }
    }
}

impl<R: Rules> Uct<R> {
    /// The notation of an action and of what it forces in the same move.
    fn text(&self, state: &R::State, seat: Seat, action: R::Action) -> String {
        let (mut after, mut played) = (state.clone(), Vec::new());
        self.context.play(&mut after, action, &mut played);
        self.context.rules.write(state, seat, &played)
    }
}

/// A number for a path, since the same nodes may be part of several paths.
fn id_of(path: &NodePath) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

/// The mean value of each seat in these nodes, in [-1, 1].
fn mean_values<A: Copy + PartialEq>(seats: usize, nodes: &[Place<'_, A>]) -> PerSeat {
    let visits: f64 = nodes.iter().map(|(tree, id)| f64::from(tree.node(*id).visits)).sum();
    let mut values = [0.0; MAX_SEATS];
    for (seat, value) in values.iter_mut().enumerate().take(seats) {
        *value = valued(nodes.iter().map(|(tree, id)| tree.node(*id).sums[seat]).sum::<f64>() / visits);
    }
    values
}

/// A mean in [0, 1], or a score on that scale, as a value in [-1, 1].
fn valued(mean: f64) -> f64 {
    2.0 * mean - 1.0
}

/// Edges from the root to the deepest node.
fn depth<A: Copy + PartialEq>(tree: &Tree<A>) -> u32 {
    let mut depths = vec![0; tree.size()];
    // Children are newer than their parents.
    for id in 0..tree.size() {
        for edge in tree.tried(id as NodeId) {
            tree.outcomes(edge).for_each(|child| depths[child as usize] = depths[id] + 1);
        }
    }
    depths.into_iter().max().unwrap_or(0)
}

/// What the nodes are: expanded if one of them is.
fn kind<A: Copy + PartialEq>(nodes: &[Place<'_, A>]) -> NodeKind {
    let kinds = || nodes.iter().map(|(tree, id)| tree.node(*id).kind);
    match kinds().find(|kind| *kind == Kind::Listed).or_else(|| kinds().next()) {
        Some(Kind::Listed) => NodeKind::Expanded,
        Some(Kind::Over) => NodeKind::Over,
        Some(Kind::Repeated) => NodeKind::Repeated,
        Some(Kind::Leaf) | None => NodeKind::Leaf,
    }
}
