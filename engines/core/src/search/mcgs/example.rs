//! What a network can learn from a graph search: the policies that the selector arrived at, without what exploration
//! forced on them, and the points that each seat expects.

use super::exploration::{add_noise, confirmed};
use super::graph::ROOT;
use super::options::{Selector, Utility};
use super::results::normalised;
use super::worth::per_seat;
use super::{Mcgs, graph};
use crate::planes::{Planes, Signature};
use crate::rules::{Rules, Values};

impl<R: Rules> Mcgs<R> {
    /// See [`crate::search::Search::example`].
    pub(super) fn write_example(
        &self,
        signature: &Signature,
        planes: &mut [f32],
        policy: &mut [f32],
    ) -> Option<Values> {
        let game = self.rules.planes().filter(|game| game.fits(signature).is_ok())?;
        let values = self.network_values(game)?;
        game.fill(&self.root, 0, signature, planes);
        policy.fill(0.0);
        for (seat, shares) in self.policies_to_learn().iter().enumerate() {
            for (choice, share) in self.graph.choices(ROOT, seat).iter().zip(shares) {
                if let Some(index) = game.policy_index(&self.root, signature, seat, choice.action) {
                    policy[index] += *share as f32;
                }
            }
        }
        Some(values)
    }

    /// The root's value as the game's networks express it. `None` without visits, and if the search has no such value:
    /// results ([`Utility::Win`]) are not points.
    fn network_values(&self, game: &dyn Planes<R>) -> Option<Values> {
        let root = self.graph.node(ROOT);
        let in_points = self.options.utility != Utility::Win;
        if root.total == 0 || game.estimates_points() != in_points {
            return None;
        }
        let (unit, least) = if in_points { (f64::from(game.points_unit(&self.root)), 0.0) } else { (1.0, -1.0) };
        Some(per_seat(root.value.map(|value| (value / unit).clamp(least, 1.0))))
    }

    /// The policy of each seat without the visits that only exploration led to; each adds up to 1.
    fn policies_to_learn(&self) -> [Vec<f64>; 2] {
        let Selector::Puct = self.options.selector else { return self.policies() };
        let mut arms = self.root_arms();
        add_noise(self.options.exploration.noise_fraction, &self.noise, &mut arms);
        let values = graph::utilities(self.options.utility, self.graph.node(ROOT).value);
        [0, 1].map(|seat| {
            let node = self.root_situation(values[seat]);
            normalised(confirmed(&self.options.puct, self.options.exploration.forced, node, &arms[seat]))
        })
    }
}
