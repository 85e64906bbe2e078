//! Settings of a search and their named presets, read from JSON: `{"preset": "default", "puct": 1.6}`.

use serde_json::Value;

use crate::rules::RuleError;
use crate::search::settings;

/// The assumed value of an edge without visits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstPlay {
    /// 0: only its prior counts.
    Zero,
    /// The parent's mean minus this factor times the square root of the prior mass already visited.
    Reduced(f32),
}

/// Treatment of a node whose priors are all zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPriors {
    /// Equal priors for all actions.
    Uniform,
    /// No edges; every visit has the value −2 for its seat.
    DeadEnd,
}

/// Root noise for self-play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Concentration of the Dirichlet distribution.
    pub alpha: f32,
    /// Share of the noise in the mixed prior, 0..=1.
    pub fraction: f32,
}

/// Settings of a PUCT search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Weight of the exploration term.
    pub puct: f32,
    /// Depth in actions at which a node's own evaluation is backed up.
    pub max_depth: usize,
    /// Value of edges without a visit.
    pub first_play: FirstPlay,
    /// Treatment of nodes without priors.
    pub no_priors: NoPriors,
    /// Whether exact values are propagated: a winning action settles its node, and so do actions that are all settled.
    pub solve: bool,
    /// Value subtracted from an edge for each simulation in flight.
    pub virtual_loss: f32,
    /// Noise at the root and behind each fixed action; `None` outside self-play.
    pub noise: Option<Noise>,
    /// Weight k of the forced simulations: where the noise is, every action with a visit gets at least √(k · prior ·
    /// visits) of them (Wu 2019, "Accelerating Self-Play Learning in Go"). 0 outside self-play.
    pub forced: f32,
    /// Best actions are drawn in proportion to visits^(1/temperature); with 0, the most visited one is played.
    pub temperature: f32,
}

/// The reduction of [`FirstPlay::Reduced`] unless another is set.
const REDUCTION: f32 = 0.1;

const NAMES: [&str; 13] = [
    "preset",
    "search",
    "puct",
    "maxDepth",
    "firstPlay",
    "fpuReduction",
    "noPriors",
    "solve",
    "virtualLoss",
    "noiseAlpha",
    "noiseFraction",
    "forcedPlayouts",
    "temperature",
];

impl Options {
    /// Settings for play and analysis.
    pub const DEFAULT: Self = Self {
        puct: 1.5,
        max_depth: 200,
        first_play: FirstPlay::Reduced(REDUCTION),
        no_priors: NoPriors::Uniform,
        solve: true,
        virtual_loss: 1.0,
        noise: None,
        forced: 0.0,
        temperature: 0.0,
    };

    /// The values of Deep Wallwars' tree search, without its root noise, which is for self-play.
    pub const REFERENCE: Self = Self {
        puct: 2.0,
        max_depth: 50,
        first_play: FirstPlay::Zero,
        no_priors: NoPriors::DeadEnd,
        solve: false,
        ..Self::DEFAULT
    };

    /// `REFERENCE` with its root noise; actions are drawn in proportion to their visits.
    pub const SELF_PLAY: Self =
        Self { noise: Some(Noise { alpha: 0.3, fraction: 0.25 }), temperature: 1.0, ..Self::REFERENCE };

    /// Reads settings. The preset defaults to `default`; `null` stands for no settings.
    ///
    /// # Errors
    /// `BadConfig`, naming the unknown preset or setting, or the value out of range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let presets = [("default", Self::DEFAULT), ("reference", Self::REFERENCE), ("self-play", Self::SELF_PLAY)];
        let mut options =
            json.get("preset").map_or(Ok(Self::DEFAULT), |value| settings::one_of("preset", value, &presets))?;
        settings::read(json, |name, value| options.set(name, value))?;
        let is_zero = json.get("firstPlay").is_some_and(|value| value == "zero");
        if is_zero && json.get("fpuReduction").is_some() {
            return Err(RuleError::BadConfig("fpuReduction is for firstPlay reduced".into()));
        }
        Ok(options)
    }

    /// The noise to change; with the reference's values if there was none.
    fn noise(&mut self) -> &mut Noise {
        self.noise.get_or_insert(Noise { alpha: 0.3, fraction: 0.25 })
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), RuleError> {
        match name {
            "preset" | "search" => {}
            "puct" => self.puct = settings::number(name, value, 0.0, 100.0)? as f32,
            "maxDepth" => self.max_depth = settings::number(name, value, 1.0, 1000.0)? as usize,
            "firstPlay" => {
                let reduced = match self.first_play {
                    FirstPlay::Zero => FirstPlay::Reduced(REDUCTION),
                    reduced => reduced,
                };
                self.first_play =
                    settings::one_of(name, value, &[("zero", FirstPlay::Zero), ("reduced", reduced)])?;
            }
            "noPriors" => {
                let known = [("uniform", NoPriors::Uniform), ("deadEnd", NoPriors::DeadEnd)];
                self.no_priors = settings::one_of(name, value, &known)?;
            }
            "solve" => self.solve = settings::boolean(name, value)?,
            "fpuReduction" => {
                self.first_play = FirstPlay::Reduced(settings::number(name, value, 0.0, 2.0)? as f32)
            }
            "virtualLoss" => self.virtual_loss = settings::number(name, value, 0.0, 100.0)? as f32,
            "noiseAlpha" => self.noise().alpha = settings::number(name, value, 0.001, 100.0)? as f32,
            "noiseFraction" => self.noise().fraction = settings::number(name, value, 0.0, 1.0)? as f32,
            "forcedPlayouts" => self.forced = settings::number(name, value, 0.0, 100.0)? as f32,
            "temperature" => self.temperature = settings::number(name, value, 0.0, 100.0)? as f32,
            _ => return Err(settings::unknown(name, &NAMES)),
        }
        Ok(())
    }
}
