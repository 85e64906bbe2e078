//! Settings of a graph search, read from JSON: `{"profile": "rec", "selector": "puct", "utility": "diff"}`.

use serde_json::Value;

use crate::rules::RuleError;
use crate::search::settings;

/// The formula of PUCT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Values are divided by the points that remain, and the value of an untried outcome falls with the prior mass of
    /// the tried ones.
    Rec,
    /// The search as first published: values in points, and a constant offset for untried outcomes.
    Seed,
}

/// The settings of PUCT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Puct {
    /// The formula.
    pub profile: Profile,
    /// Weight of the exploration term.
    pub c_puct: f64,
    /// How much less than the node an untried outcome is worth: as a share of the remaining points (`rec`) or in points
    /// (`seed`).
    pub fpu_offset: f64,
}

/// How the seats choose during the search and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    /// PUCT for each seat on its own; the policy is the share of the visits.
    Puct,
    /// Regret matching; the policy is the average strategy.
    RegretMatching,
    /// PUCT, but the policy is the exact solution of the root's matrix game, in which a pair without visits counts as
    /// the root's value.
    RootSolve,
}

/// What a seat maximises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Utility {
    /// Its own points.
    Own,
    /// Its points less the other seat's.
    Diff,
    /// The result: the value in [-1, 1] of the position, and that of the outcome in finished ones.
    Win,
}

/// Whether positions reached in several ways share a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// They do: a graph.
    Graph,
    /// They do not: a tree.
    Tree,
}

/// Where a descent ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// At a new or finished position.
    Leaf,
    /// Also at a position that other parents have visited more often than the pair of outcomes that leads to it.
    Visited,
}

/// What decides between outcomes that are equally good for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Each seat has priors that are a little different at every node. Where both seats see the same, they would otherwise
    /// always choose alike, and pairs of different outcomes would never be tried.
    Seats,
    /// The order of the outcomes.
    Index,
}

/// Exploration of the root in self-play, for selectors with PUCT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exploration {
    /// Share of the noise in the mixed prior of each seat, 0..=1; 0 outside self-play.
    pub noise_fraction: f64,
    /// Concentration of the Dirichlet distribution of the noise.
    pub noise_alpha: f64,
    /// Weight k of the forced simulations: every outcome with a visit gets at least √(k · prior · visits) of them
    /// (Wu 2019, "Accelerating Self-Play Learning in Go"). 0 outside self-play.
    pub forced: f64,
}

impl Exploration {
    /// Outside self-play.
    pub const NONE: Self = Self { noise_fraction: 0.0, noise_alpha: 0.3, forced: 0.0 };
}

/// Settings of a graph search.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The settings of PUCT.
    pub puct: Puct,
    /// Exploration of the root.
    pub exploration: Exploration,
    /// How the seats choose.
    pub selector: Selector,
    /// What a seat maximises.
    pub utility: Utility,
    /// Whether positions share nodes.
    pub sharing: Sharing,
    /// Where a descent ends.
    pub stop: Stop,
    /// What decides between equal outcomes.
    pub ties: Ties,
    /// Moves are drawn in proportion to policy^(1/temperature); with 0, the most probable one is played. `None`: 0 for
    /// [`Selector::Puct`], otherwise 1.
    pub temperature: Option<f64>,
    /// Name of the evaluator, if it is not the one that the search was opened with.
    pub evaluator: Option<String>,
}

const NAMES: [&str; 14] = [
    "search",
    "profile",
    "c_puct",
    "fpu_offset",
    "selector",
    "utility",
    "table",
    "short_circuit",
    "ties",
    "temperature",
    "eval",
    "noiseFraction",
    "noiseAlpha",
    "forcedPlayouts",
];

impl Options {
    /// Settings for play and analysis.
    #[must_use]
    pub fn rec() -> Self {
        Self {
            puct: Puct { profile: Profile::Rec, c_puct: 1.5, fpu_offset: 0.2 },
            exploration: Exploration::NONE,
            selector: Selector::Puct,
            utility: Utility::Diff,
            sharing: Sharing::Graph,
            stop: Stop::Leaf,
            ties: Ties::Seats,
            temperature: None,
            evaluator: None,
        }
    }

    /// The search as first published, in which each seat maximises its own points.
    #[must_use]
    pub fn seed() -> Self {
        let puct = Puct { profile: Profile::Seed, c_puct: 1.5, fpu_offset: 0.1 };
        Self { puct, utility: Utility::Own, ties: Ties::Index, ..Self::rec() }
    }

    /// Reads settings. The profile defaults to `rec`; `null` stands for no settings.
    ///
    /// # Errors
    /// `BadConfig`, naming the unknown or contradictory setting, or the value out of range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let profiles = [("rec", Self::rec as fn() -> Self), ("seed", Self::seed)];
        let mut options =
            json.get("profile")
                .map_or(Ok(Self::rec as _), |value| settings::one_of("profile", value, &profiles))?();
        settings::read(json, |name, value| options.set(name, value))?;
        if options.selector == Selector::RegretMatching && options.utility == Utility::Own {
            return Err(RuleError::BadConfig("selector rm needs utility diff or win".into()));
        }
        if options.selector == Selector::RootSolve && options.utility == Utility::Own {
            return Err(RuleError::BadConfig("selector puct+rootsolve needs utility diff or win".into()));
        }
        if options.selector == Selector::RegretMatching && options.exploration != Exploration::NONE {
            let why = "selector rm explores without noiseFraction, noiseAlpha and forcedPlayouts";
            return Err(RuleError::BadConfig(why.into()));
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), RuleError> {
        match name {
            "search" | "profile" => {}
            "c_puct" => self.puct.c_puct = settings::number(name, value, 0.0, 1000.0)?,
            "fpu_offset" => self.puct.fpu_offset = settings::number(name, value, 0.0, 1000.0)?,
            "selector" => {
                let known = [
                    ("puct", Selector::Puct),
                    ("rm", Selector::RegretMatching),
                    ("puct+rootsolve", Selector::RootSolve),
                ];
                self.selector = settings::one_of(name, value, &known)?;
            }
            "utility" => {
                let known = [("own", Utility::Own), ("diff", Utility::Diff), ("win", Utility::Win)];
                self.utility = settings::one_of(name, value, &known)?;
            }
            "table" => self.sharing = if settings::boolean(name, value)? { Sharing::Graph } else { Sharing::Tree },
            "short_circuit" => {
                self.stop = if settings::boolean(name, value)? { Stop::Visited } else { Stop::Leaf }
            }
            "ties" => {
                let known = [("seats", Ties::Seats), ("index", Ties::Index)];
                self.ties = settings::one_of(name, value, &known)?;
            }
            "temperature" => self.temperature = Some(settings::number(name, value, 0.0, 100.0)?),
            "noiseFraction" => self.exploration.noise_fraction = settings::number(name, value, 0.0, 1.0)?,
            "noiseAlpha" => self.exploration.noise_alpha = settings::number(name, value, 0.001, 100.0)?,
            "forcedPlayouts" => self.exploration.forced = settings::number(name, value, 0.0, 100.0)?,
            "eval" => self.evaluator = Some(settings::text(name, value)?),
            _ => return Err(settings::unknown(name, &NAMES)),
        }
        Ok(())
    }

    /// The exponent's divisor when a move is drawn from the policy; 0 for the most probable move.
    #[must_use]
    pub fn temperature(&self) -> f64 {
        self.temperature.unwrap_or(if self.selector == Selector::Puct { 0.0 } else { 1.0 })
    }
}
