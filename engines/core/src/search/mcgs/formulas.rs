//! The formulas of the search: decoupled PUCT, regret matching, and how many collisions a batch may have.

use std::ops::Range;

use super::options::{Fpu, Profile, Puct, Unit};
use crate::splitmix::mix;

/// Scores that differ by at most this much are equal.
const TIE: f64 = 1e-9;

/// Share of uniform play in the strategies of regret matching.
const EXPLORED: f64 = 0.02;

/// The largest part by which the priors of the seats are set apart.
const APART: f32 = 0.05;

/// What a node knows about one outcome of a seat.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Arm {
    /// Visits of all pairs with this outcome.
    pub visits: u32,
    /// Descents through it that are in flight.
    pub in_flight: u16,
    /// Prior weight, not normalised.
    pub weight: f32,
    /// The mean utility, weighed as [`super::options::Weighting`] says; 0 without visits.
    pub mean: f64,
}

impl Arm {
    /// The mean utility, or `otherwise` without visits.
    #[must_use]
    pub fn mean_or(&self, otherwise: f64) -> f64 {
        if self.visits == 0 { otherwise } else { self.mean }
    }
}

/// What a node knows apart from its arms.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    /// The node's value, in the same unit as the arms' utilities.
    pub value: f64,
    /// The scale of the utilities.
    pub scale: f64,
    /// Visits of all pairs.
    pub visits: u32,
}

impl Puct {
    /// The unit of values in a node, in that of its utilities.
    #[must_use]
    pub fn unit_in(&self, node: Situation) -> f64 {
        match self.unit {
            Unit::Shares => node.scale,
            Unit::Points => 1.0,
        }
    }
}

/// What the scores of all arms of a seat have in common.
struct Terms {
    /// The utility of an arm without visits.
    untried: f64,
    /// The exploration term of an arm of weight 1 without tries, in the unit of values.
    exploration: f64,
}

fn terms(puct: &Puct, node: Situation, arms: &[Arm]) -> Terms {
    let (mut total, mut visited) = (0.0, 0.0);
    for arm in arms {
        let weight = f64::from(arm.weight);
        total += weight;
        visited += if arm.visits > 0 { weight } else { 0.0 };
    }
    let share = match puct.fpu {
        Fpu::Visited => (visited / total).sqrt(),
        Fpu::Constant => 1.0,
    };
    let untried = node.value - puct.fpu_offset * puct.unit_in(node) * share;
    let visits = match puct.profile {
        Profile::Rec => node.visits.max(1),
        Profile::Seed => node.visits,
    };
    Terms { untried, exploration: puct.c_puct * f64::from(visits).sqrt() / total }
}

impl Terms {
    /// The exploration term of an arm, in the unit of values.
    fn of(&self, arm: &Arm) -> f64 {
        let tries = 1.0 + f64::from(arm.visits) + f64::from(arm.in_flight);
        self.exploration * f64::from(arm.weight) / tries
    }
}

/// The scores by which a seat chooses one of its arms, in the unit of values.
pub fn puct_scores(puct: &Puct, node: Situation, arms: &[Arm], out: &mut Vec<f64>) {
    let (terms, per_unit) = (terms(puct, node, arms), puct.unit_in(node).recip());
    out.clear();
    out.extend(arms.iter().map(|arm| arm.mean_or(terms.untried) * per_unit + terms.of(arm)));
}

/// The exploration terms that are part of these scores.
#[must_use]
pub fn exploration_terms(puct: &Puct, node: Situation, arms: &[Arm]) -> Vec<f64> {
    let terms = terms(puct, node, arms);
    arms.iter().map(|arm| terms.of(arm)).collect()
}

/// Changes each weight of a seat by up to 5 %, by a function of the node, the seat and the outcome. So two seats that see
/// the same do not choose alike for ever.
pub fn set_apart(node: u64, seat: usize, weights: &mut [f32]) {
    for (index, weight) in weights.iter_mut().enumerate() {
        let word = mix(node ^ mix((2 * index + seat) as u64));
        let share = (word >> 40) as f32 / (1 << 24) as f32;
        *weight *= 1.0 + APART * (2.0 * share - 1.0);
    }
}

/// The index of the highest score. Profile `rec`: among equals, the highest weight decides, then the order.
#[must_use]
pub fn best_score(profile: Profile, scores: &[f64], arms: &[Arm]) -> usize {
    let mut highest = 0;
    for (index, score) in scores.iter().enumerate() {
        if *score > scores[highest] {
            highest = index;
        }
    }
    if profile == Profile::Seed {
        return highest;
    }
    let least = scores[highest] - TIE;
    let mut best = highest;
    for index in (0..scores.len()).filter(|index| scores[*index] >= least) {
        let (weight, most) = (arms[index].weight, arms[best].weight);
        if weight > most || weight == most && index < best {
            best = index;
        }
    }
    best
}

/// The index of the arm with the most visits; among equals, of the one with the highest mean, then of the first one.
#[must_use]
pub fn most_visited(arms: &[Arm]) -> usize {
    let better = |next: &Arm, best: &Arm| {
        let means = [next, best].map(|arm| arm.mean_or(f64::NEG_INFINITY));
        next.visits > best.visits || next.visits == best.visits && means[0] > means[1]
    };
    (1..arms.len()).fold(0, |best, next| if better(&arms[next], &arms[best]) { next } else { best })
}

/// The strategy of regret matching (Hart and Mas-Colell 2000): in proportion to the regrets, which are never negative
/// (regret matching+, Tammelin 2014); uniform if all are 0.
pub fn matched(regrets: impl ExactSizeIterator<Item = f64> + Clone) -> impl Iterator<Item = f64> {
    let count = regrets.len() as f64;
    let total: f64 = regrets.clone().sum();
    regrets.map(move |regret| if total > 0.0 { regret / total } else { 1.0 / count })
}

/// A probability of a strategy for `count` outcomes, mixed with uniform play.
#[must_use]
pub fn explored(probability: f64, count: usize) -> f64 {
    (1.0 - EXPLORED) * probability + EXPLORED / count as f64
}

/// The index at which the sum of the probabilities exceeds `point`, which is in [0, 1).
pub fn drawn(probabilities: impl IntoIterator<Item = f64>, point: f64) -> usize {
    let (mut sum, mut last) = (0.0, 0);
    for (index, probability) in probabilities.into_iter().enumerate() {
        sum += probability;
        if probability > 0.0 {
            last = index;
        }
        if point < sum {
            return index;
        }
    }
    last
}

/// Number of collisions after which a batch of leaves is closed, growing with the number of nodes.
pub const COLLISIONS: Budget = Budget { nodes: 800..50_000, collisions: 1..256, power: 1.0 };

/// A number of collisions that grows from one bound to the other while the nodes do.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Nodes between which it grows.
    pub nodes: Range<usize>,
    /// The number at both ends.
    pub collisions: Range<usize>,
    /// Exponent of the growth.
    pub power: f64,
}

impl Budget {
    /// The number of collisions for this number of nodes.
    #[must_use]
    pub fn at(&self, nodes: usize) -> usize {
        let part = nodes.saturating_sub(self.nodes.start) as f64 / (self.nodes.end - self.nodes.start) as f64;
        let grown = part.min(1.0).powf(self.power) * (self.collisions.end - self.collisions.start) as f64;
        self.collisions.start + grown as usize
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;

    fn published() -> Puct {
        Puct { c_puct: 1.5, ..Options::rec().puct }
    }

    fn scores(situation: Situation, arms: &[(u32, f64)]) -> Vec<f64> {
        let arm = |&(visits, mean): &(u32, f64)| Arm { visits, in_flight: 0, weight: 1.0, mean };
        let arms: Vec<Arm> = arms.iter().map(arm).collect();
        let mut out = Vec::new();
        puct_scores(&published(), situation, &arms, &mut out);
        out
    }

    #[test]
    fn scores_of_known_numbers() {
        let start = |visits, value| Situation { value, scale: 3.0, visits };
        for (situation, arms, expected) in [
            (start(0, 1.5), [(0, 0.0), (0, 0.0), (0, 0.0)], [1.0, 1.0, 1.0]),
            (start(1, 1.5), [(1, 1.5), (0, 0.0), (0, 0.0)], [0.75, 0.884_530, 0.884_530]),
            (start(2, 1.5), [(1, 1.5), (1, 1.5), (0, 0.0)], [0.853_553, 0.853_553, 1.043_807]),
            (start(4, 1.6), [(2, 1.75), (1, 1.5), (1, 1.5)], [0.916_667, 1.0, 1.0]),
            (start(5, 5.0 / 3.0), [(2, 1.75), (2, 1.75), (1, 1.5)], [0.956_011, 0.956_011, 1.059_017]),
        ] {
            let found = scores(situation, &arms);
            assert!(found.iter().zip(expected).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{found:?}");
        }
    }

    #[test]
    fn descents_in_flight_count_as_visits_of_the_exploration_only() {
        let situation = Situation { value: 1.0, scale: 1.0, visits: 4 };
        let arm = Arm { visits: 4, in_flight: 0, weight: 0.5, mean: 0.5 };
        let mut out = Vec::new();
        let arms = [arm, Arm { in_flight: 5, ..arm }];
        puct_scores(&published(), situation, &arms, &mut out);
        assert_eq!(out, [0.5 + 1.5 / 5.0, 0.5 + 1.5 / 10.0]);
    }

    #[test]
    fn equal_scores_are_decided_by_the_weight_and_then_by_the_order() {
        let arms = [1.0, 2.0, 2.0, 1.0].map(|weight| Arm { weight, ..Arm::default() });
        assert_eq!(best_score(Profile::Rec, &[0.5, 0.5 + 1e-12, 0.5, 0.4], &arms), 1);
        assert_eq!(best_score(Profile::Rec, &[0.5, 0.4, 0.4, 0.5], &arms), 0);
        assert_eq!(best_score(Profile::Rec, &[0.5, 0.4, 0.4, 0.6], &arms), 3);
        assert_eq!(best_score(Profile::Seed, &[0.5, 0.5 + 1e-12, 0.5, 0.5], &arms), 1);
        assert_eq!(best_score(Profile::Seed, &[0.5; 4], &arms), 0);
    }

    #[test]
    fn regrets_are_matched() {
        let strategy = |regrets: [f64; 3]| matched(regrets.into_iter()).collect::<Vec<_>>();
        assert_eq!(strategy([3.0, 0.0, 1.0]), [0.75, 0.0, 0.25]);
        assert_eq!(strategy([0.0; 3]), [1.0 / 3.0; 3]);
        assert_eq!((explored(0.0, 4), explored(1.0, 2)), (0.005, 0.99));
    }

    #[test]
    fn a_draw_follows_the_probabilities() {
        let shares = [0.0, 0.25, 0.0, 0.75];
        let points = [0.0, 0.2, 0.25, 0.9, 0.999_999_999_9];
        assert_eq!(points.map(|point| drawn(shares, point)), [1, 1, 3, 3, 3]);
        assert_eq!(drawn([0.5, 0.499, 0.0], 0.9999), 1, "rounding never draws an impossible outcome");
    }

    #[test]
    fn more_nodes_allow_more_collisions() {
        let of = |power| Budget { nodes: 0..100, collisions: 0..100, power };
        for (power, nodes, expected) in
            [(1.0, 50, 50), (1.0, 25, 25), (2.0, 50, 25), (1.0, 0, 0), (1.0, 100, 100), (2.0, 1000, 100)]
        {
            assert_eq!(of(power).at(nodes), expected);
        }
        assert_eq!([0, 800, 50_000, 1_000_000].map(|nodes| COLLISIONS.at(nodes)), [1, 1, 256, 256]);
    }
}
