//! Settings of a search and their named presets, read from JSON: `{"preset": "default", "puct": 1.6}`.

use serde_json::Value;

use crate::rules::RuleError;

/// The value that an edge without a visit is assumed to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstPlay {
    /// Nothing but its prior counts.
    Zero,
    /// The parent's mean minus this much times the square root of the prior mass already visited.
    Reduced(f32),
}

/// What happens at a node where every prior is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPriors {
    /// All actions count the same.
    Uniform,
    /// The node has no edges and every visit is worth −2 for its seat.
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
    /// Actions below the root after which a node's own evaluation is backed up.
    pub max_depth: usize,
    /// Value of edges without a visit.
    pub first_play: FirstPlay,
    /// Treatment of nodes without priors.
    pub no_priors: NoPriors,
    /// Whether exact values are carried up the tree: a winning action settles its node, and so do actions that are all
    /// settled.
    pub solve: bool,
    /// Value that each simulation in flight takes from its edge.
    pub virtual_loss: f32,
    /// Root noise; none outside self-play.
    pub noise: Option<Noise>,
    /// Best actions are drawn in proportion to visits^(1/temperature); 0 takes the most visited.
    pub temperature: f32,
}

impl Options {
    /// Settings for play and analysis.
    pub const DEFAULT: Self = Self {
        puct: 1.5,
        max_depth: 200,
        first_play: FirstPlay::Reduced(0.1),
        no_priors: NoPriors::Uniform,
        solve: true,
        virtual_loss: 1.0,
        noise: None,
        temperature: 0.0,
    };

    /// The values of Deep Wallwars' tree search (its root noise left out, which belongs to self-play).
    pub const REFERENCE: Self = Self {
        puct: 2.0,
        max_depth: 50,
        first_play: FirstPlay::Zero,
        no_priors: NoPriors::DeadEnd,
        solve: false,
        ..Self::DEFAULT
    };

    /// `REFERENCE` with its root noise, actions drawn in proportion to their visits.
    pub const SELF_PLAY: Self =
        Self { noise: Some(Noise { alpha: 0.3, fraction: 0.25 }), temperature: 1.0, ..Self::REFERENCE };

    /// Reads settings; a missing preset is `default`, `null` is no settings at all.
    ///
    /// # Errors
    /// `BadConfig` that names an unknown preset or setting, or a value outside its range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let mut options = match json.get("preset").map(Value::as_str) {
            None | Some(Some("default")) => Self::DEFAULT,
            Some(Some("reference")) => Self::REFERENCE,
            Some(Some("self-play")) => Self::SELF_PLAY,
            Some(_) => return Err(bad("preset", "one of default, reference, self-play")),
        };
        match json {
            Value::Null => {}
            Value::Object(members) => {
                for (name, value) in members {
                    options.set(name, value)?;
                }
            }
            _ => return Err(RuleError::BadConfig("search options are an object".into())),
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), RuleError> {
        match name {
            "preset" | "search" => {}
            "puct" => self.puct = number(name, value, 0.0, 100.0)?,
            "maxDepth" => self.max_depth = number(name, value, 1.0, 1000.0)? as usize,
            "fpuReduction" => self.first_play = FirstPlay::Reduced(number(name, value, 0.0, 2.0)?),
            "virtualLoss" => self.virtual_loss = number(name, value, 0.0, 100.0)?,
            "temperature" => self.temperature = number(name, value, 0.0, 100.0)?,
            _ => {
                let known = "preset, search, puct, maxDepth, fpuReduction, virtualLoss, temperature";
                return Err(RuleError::BadConfig(format!("unknown search option '{name}': one of {known}")));
            }
        }
        Ok(())
    }
}

fn number(name: &str, value: &Value, low: f64, high: f64) -> Result<f32, RuleError> {
    value
        .as_f64()
        .filter(|number| (low..=high).contains(number))
        .map(|number| number as f32)
        .ok_or_else(|| bad(name, &format!("a number in {low}..{high}")))
}

fn bad(name: &str, wanted: &str) -> RuleError {
    RuleError::BadConfig(format!("search option {name} must be {wanted}"))
}
