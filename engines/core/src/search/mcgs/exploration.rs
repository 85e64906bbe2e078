//! Exploration of the root in self-play: noise in the priors of both seats, and simulations that every outcome gets once
//! it was tried (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.2).
//!
//! The noise is not stored in the node, whose priors stay those of the evaluator.

use rand::SeedableRng;
use rand_distr::Distribution;
use rand_pcg::Pcg64;

use super::Mcgs;
use super::formulas::{self, Arm, Situation};
use super::graph::{Kind, ROOT};
use super::options::{Exploration, Puct};
use crate::rules::Rules;

impl<R: Rules> Mcgs<R> {
    /// Draws the noise of a new root. Deterministic for the seed and the position.
    pub(super) fn draw_noise(&mut self) {
        self.noise = [Vec::new(), Vec::new()];
        let Exploration { noise_fraction, noise_alpha, .. } = self.options.exploration;
        if noise_fraction == 0.0 || self.graph.node(ROOT).kind != Kind::Listed {
            return;
        }
        let Ok(gamma) = rand_distr::Gamma::new(noise_alpha, 1.0) else { return };
        let key = self.graph.node(ROOT).key();
        let mut rng = Pcg64::seed_from_u64(self.seed ^ (key >> 64) as u64);
        self.noise = self.graph.node(ROOT).counts().map(|count| {
            let draws: Vec<f64> = (0..count).map(|_| gamma.sample(&mut rng)).collect();
            let total = draws.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            draws.iter().map(|draw| draw / total).collect()
        });
    }
}

/// Mixes the noise of each seat into the weights of the root's arms.
pub(super) fn add_noise(fraction: f64, noise: &[Vec<f64>; 2], arms: &mut [Vec<Arm>; 2]) {
    for (arms, noise) in arms.iter_mut().zip(noise) {
        let total = weights(arms);
        for (arm, noise) in arms.iter_mut().zip(noise) {
            arm.weight = ((1.0 - fraction) * f64::from(arm.weight) / total + fraction * noise) as f32;
        }
    }
}

/// The visits that an outcome of the root must have once it has one. `total` is the sum of the arms' weights.
fn forced_visits(forced: f64, node: Situation, arm: &Arm, total: f64) -> f64 {
    (forced * f64::from(arm.weight) / total * f64::from(node.visits)).sqrt()
}

fn weights(arms: &[Arm]) -> f64 {
    arms.iter().map(|arm| f64::from(arm.weight)).sum()
}

/// An outcome of the root that has not had all its forced simulations.
pub(super) fn forced_arm(forced: f64, node: Situation, arms: &[Arm]) -> Option<usize> {
    let total = weights(arms);
    arms.iter().position(|arm| {
        let visits = f64::from(arm.visits) + f64::from(arm.in_flight);
        visits > 0.0 && visits < forced_visits(forced, node, arm, total)
    })
}

/// The visits of each outcome of the root without the forced ones that its value does not justify; 0 if only one is left.
pub(super) fn confirmed(puct: &Puct, forced: f64, node: Situation, arms: &[Arm]) -> Vec<f64> {
    let best = formulas::most_visited(arms);
    let total = weights(arms);
    let unit = puct.unit_in(node);
    let upper_value = |arm: &Arm, fewer: f64| {
        let explored = puct.c_puct * f64::from(arm.weight) / total * f64::from(node.visits).sqrt();
        arm.mean_or(node.value) / unit + explored / (1.0 + f64::from(arm.visits) - fewer)
    };
    let limit = upper_value(&arms[best], 0.0);
    let kept = |(index, arm): (usize, &Arm)| {
        let visits = f64::from(arm.visits);
        if forced == 0.0 || index == best {
            return visits;
        }
        let most = forced_visits(forced, node, arm, total).floor().min(visits);
        let mut removed = 0.0;
        while removed < most && upper_value(arm, removed + 1.0) < limit {
            removed += 1.0;
        }
        if visits - removed > 1.0 { visits - removed } else { 0.0 }
    };
    arms.iter().enumerate().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;

    fn published() -> Puct {
        Puct { c_puct: 1.5, ..Options::rec().puct }
    }

    /// Means .5, .3, .8, .95 and .1, equal weights, 55 visits.
    fn arms() -> Vec<Arm> {
        let known = [(10, 0.5), (5, 0.3), (20, 0.8), (18, 0.95), (2, 0.1)];
        let arm = |(visits, mean): (u32, f64)| Arm { visits, in_flight: 0, weight: 1.0, mean };
        known.map(arm).to_vec()
    }

    const NODE: Situation = Situation { value: 0.7, scale: 1.0, visits: 55 };

    #[test]
    fn visits_that_the_value_does_not_justify_are_left_out() {
        let puct = published();
        assert_eq!(confirmed(&puct, 0.0, NODE, &arms()), [10.0, 5.0, 20.0, 18.0, 2.0], "nothing is forced");
        // The best outcome keeps its visits, and so does the one whose mean exceeds the best one's upper value of .905945.
        // The others keep as many as bring their upper values below it: .5 + 2.224859 / (1 + visits) for the first one.
        assert_eq!(confirmed(&puct, 1000.0, NODE, &arms()), [5.0, 3.0, 20.0, 18.0, 2.0]);
    }

    #[test]
    fn at_most_the_forced_visits_are_left_out() {
        // √(2 · 55 / 5) = 4.69
        assert_eq!(confirmed(&published(), 2.0, NODE, &arms()), [6.0, 3.0, 20.0, 18.0, 2.0]);
    }

    #[test]
    fn a_single_visit_is_left_out() {
        let mut arms = arms();
        arms[4].weight = 0.01;
        assert_eq!(confirmed(&published(), 1000.0, NODE, &arms)[4], 0.0);
    }

    #[test]
    fn outcomes_that_were_tried_are_forced() {
        let mut arms = arms();
        assert_eq!(forced_arm(2.0, NODE, &arms), Some(4));
        arms[4].in_flight = 3;
        assert_eq!(forced_arm(2.0, NODE, &arms), None, "those in flight count");
        arms[4] = Arm { weight: 1.0, ..Arm::default() };
        assert_eq!(forced_arm(2.0, NODE, &arms), None, "an untried one is not forced");
    }
}
