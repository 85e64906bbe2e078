//! The three formulas: `score`, `v1` and `v2`. Each gives a seat's share of the win, in [0, 1].

use super::outlook::{Outlook, Prospects};
use super::weight_settings::Weight;
use crate::rules::Seat;

/// Meeples of each seat, as a divisor.
const MEEPLES: f64 = super::super::meeples::MEEPLES as f64;

/// A formula.
pub trait Heuristic: Send + Sync {
    /// The share of `seat` in the win, in [0, 1].
    fn share(&self, outlook: &Outlook<'_>, seat: Seat) -> f64;
}

/// The logistic function: 0.5 at 0, 0.73 at `scale`.
#[must_use]
pub fn sigmoid(x: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-x / scale).exp())
}

/// A weight that changes linearly over the game.
#[derive(Debug, Clone, Copy)]
pub struct Ramp {
    /// At the start.
    pub base: f64,
    /// How much more at the end.
    pub delta: f64,
}

impl Ramp {
    fn at(self, progress: f64) -> f64 {
        self.base + self.delta * progress
    }
}

/// Only the lead in points.
#[derive(Debug, Clone, Copy)]
pub struct Score {
    /// The lead that makes a share of 0.73.
    pub scale: f64,
}

impl Score {
    /// The default.
    pub const DEFAULT: Self = Self { scale: 20.0 };
    /// By name.
    pub const WEIGHTS: [Weight<Self>; 1] = [("scale", |score| &mut score.scale)];
}

impl Heuristic for Score {
    fn share(&self, outlook: &Outlook<'_>, seat: Seat) -> f64 {
        sigmoid(outlook.lead(seat, |own| own.points), self.scale)
    }
}

/// Four shares, weighted: points, incomplete features, meeples and fields.
#[derive(Debug, Clone, Copy)]
pub struct V1 {
    /// Lead in points.
    pub score: Ramp,
    /// Its scale.
    pub score_scale: f64,
    /// Incomplete cities, roads and monasteries.
    pub potential: Ramp,
    /// Its scale.
    pub potential_scale: f64,
    /// Meeples in the supply.
    pub meeple: Ramp,
    /// A seat with at least this many meeples in its supply hoards them.
    pub hoard_threshold: f64,
    /// The progress above which hoarding is penalised.
    pub hoard_gate: f64,
    /// The factor that the value of a hoarded supply is multiplied by.
    pub hoard_penalty: f64,
    /// Fields.
    pub field: Ramp,
    /// Its scale.
    pub field_scale: f64,
}

impl V1 {
    /// The default.
    pub const DEFAULT: Self = Self {
        score: Ramp { base: 0.35, delta: 0.10 },
        score_scale: 25.0,
        potential: Ramp { base: 0.35, delta: -0.15 },
        potential_scale: 15.0,
        meeple: Ramp { base: 0.20, delta: -0.05 },
        hoard_threshold: 6.0,
        hoard_gate: 0.2,
        hoard_penalty: 0.8,
        field: Ramp { base: 0.10, delta: 0.10 },
        field_scale: 10.0,
    };

    /// Points before meeples.
    pub const AGGRESSIVE: Self = Self::with_bases([0.45, 0.30, 0.10, 0.15]);

    /// More weight on fields.
    pub const FIELD_HEAVY: Self = Self::with_bases([0.30, 0.30, 0.15, 0.25]);

    /// Keeps its meeples.
    pub const CONSERVATIVE: Self = Self::with_bases([0.30, 0.30, 0.30, 0.10]);

    /// The default with other weights at the start, of points, incomplete features, meeples and fields.
    const fn with_bases([score, potential, meeple, field]: [f64; 4]) -> Self {
        let mut v1 = Self::DEFAULT;
        v1.score.base = score;
        v1.potential.base = potential;
        v1.meeple.base = meeple;
        v1.field.base = field;
        v1
    }

    /// By name.
    pub const WEIGHTS: [Weight<Self>; 14] = [
        ("score_base", |v1| &mut v1.score.base),
        ("score_delta", |v1| &mut v1.score.delta),
        ("score_scale", |v1| &mut v1.score_scale),
        ("potential_base", |v1| &mut v1.potential.base),
        ("potential_delta", |v1| &mut v1.potential.delta),
        ("potential_scale", |v1| &mut v1.potential_scale),
        ("meeple_base", |v1| &mut v1.meeple.base),
        ("meeple_delta", |v1| &mut v1.meeple.delta),
        ("meeple_hoard_threshold", |v1| &mut v1.hoard_threshold),
        ("meeple_hoard_penalty", |v1| &mut v1.hoard_penalty),
        ("meeple_hoard_progress_gate", |v1| &mut v1.hoard_gate),
        ("field_base", |v1| &mut v1.field.base),
        ("field_delta", |v1| &mut v1.field.delta),
        ("field_scale", |v1| &mut v1.field_scale),
    ];

    /// Meeples in the supply: how many, and how many more than the others.
    fn meeples(&self, outlook: &Outlook<'_>, seat: Seat) -> f64 {
        let (supply, progress) = (outlook.prospects[seat].supply, outlook.progress);
        let mut value = (supply / MEEPLES).min(1.0);
        if supply >= self.hoard_threshold && progress > self.hoard_gate {
            value *= self.hoard_penalty;
        }
        if supply == 0.0 && progress < 0.85 {
            value *= 0.3;
        } else if supply <= 1.0 && progress < 0.7 {
            value *= 0.6;
        }
        0.5 * sigmoid(0.5 * outlook.spare_meeples(seat), 3.0) + 0.5 * value
    }
}

impl Heuristic for V1 {
    fn share(&self, outlook: &Outlook<'_>, seat: Seat) -> f64 {
        let (own, at) = (&outlook.prospects[seat], outlook.progress);
        let potential = own.owned - own.lost - 1.5 * own.outnumbered;
        let sum = self.score.at(at) * sigmoid(outlook.lead(seat, |own| own.points), self.score_scale)
            + self.potential.at(at) * sigmoid(potential, self.potential_scale)
            + self.meeple.at(at) * self.meeples(outlook, seat)
            + self.field.at(at) * sigmoid(outlook.lead(seat, |own| own.fields), self.field_scale);
        sum.clamp(0.0, 1.0)
    }
}

/// Everything in points, and one share of the sum.
#[derive(Debug, Clone, Copy)]
pub struct V2 {
    /// Lead in points.
    pub score: Ramp,
    /// Incomplete cities, roads and monasteries.
    pub potential: Ramp,
    /// Fields.
    pub field: Ramp,
    /// Meeples in the supply.
    pub meeple: Ramp,
    /// Points that a meeple is worth at the start.
    pub meeple_points: f64,
    /// The share of them that it loses over the game.
    pub meeple_decay: f64,
    /// Weight of half the points of meeples that are stuck.
    pub stuck: f64,
    /// The sum that makes a share of 0.73.
    pub scale: f64,
}

impl V2 {
    /// The default.
    pub const DEFAULT: Self = Self {
        score: Ramp { base: 0.35, delta: 0.15 },
        potential: Ramp { base: 0.35, delta: -0.15 },
        field: Ramp { base: 0.10, delta: 0.10 },
        meeple: Ramp { base: 0.20, delta: -0.10 },
        meeple_points: 4.0,
        meeple_decay: 0.7,
        stuck: 0.1,
        scale: 10.0,
    };

    /// By name.
    pub const WEIGHTS: [Weight<Self>; 12] = [
        ("score_base", |v2| &mut v2.score.base),
        ("score_delta", |v2| &mut v2.score.delta),
        ("potential_base", |v2| &mut v2.potential.base),
        ("potential_delta", |v2| &mut v2.potential.delta),
        ("field_base", |v2| &mut v2.field.base),
        ("field_delta", |v2| &mut v2.field.delta),
        ("meeple_base", |v2| &mut v2.meeple.base),
        ("meeple_delta", |v2| &mut v2.meeple.delta),
        ("meeple_points", |v2| &mut v2.meeple_points),
        ("meeple_decay", |v2| &mut v2.meeple_decay),
        ("stuck", |v2| &mut v2.stuck),
        ("scale", |v2| &mut v2.scale),
    ];

    /// The weighted sum, in points.
    #[must_use]
    pub fn advantage(&self, outlook: &Outlook<'_>, seat: Seat) -> f64 {
        let (own, at) = (&outlook.prospects[seat], outlook.progress);
        let meeple = self.meeple_points * (1.0 - self.meeple_decay * at);
        let stuck = |own: &Prospects| own.outnumbered + own.hopeless;
        self.score.at(at) * outlook.lead(seat, |own| own.points)
            + self.potential.at(at) * (own.owned - own.lost)
            + self.field.at(at) * outlook.lead(seat, |own| own.fields)
            + self.meeple.at(at) * outlook.spare_meeples(seat) * meeple
            - self.stuck * stuck(own) * meeple / 2.0
    }
}

impl Heuristic for V2 {
    fn share(&self, outlook: &Outlook<'_>, seat: Seat) -> f64 {
        sigmoid(self.advantage(outlook, seat), self.scale)
    }
}
