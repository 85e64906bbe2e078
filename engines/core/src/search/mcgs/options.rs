//! Settings of a graph search, read from JSON: `{"profile": "rec", "selector": "puct", "utility": "diff"}`.

use serde_json::Value;

use crate::rules::RuleError;
use crate::search::settings;

/// Where the settings of a search start from, and how a seat chooses its first outcome in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// That with the largest prior.
    Rec,
    /// As first published: the first one.
    Seed,
}

/// The unit of values in PUCT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The points that remain in the node.
    Shares,
    /// One point.
    Points,
}

/// By how much an untried outcome counts less than the node (first-play urgency).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fpu {
    /// The offset times the root of the prior mass of the tried outcomes.
    Visited,
    /// The offset.
    Constant,
}

/// How an outcome's mean weighs the answers of the other seat that were tried against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// By their visits together with the outcome.
    Conditional,
    /// By their priors.
    Prior,
    /// By all their visits in the node.
    Marginal,
    /// By the sum of their prior and all their visits.
    Blend,
}

/// The settings of PUCT.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Puct {
    /// How a seat chooses its first outcome.
    pub profile: Profile,
    /// The unit of values.
    pub unit: Unit,
    /// The form of the offset of untried outcomes.
    pub fpu: Fpu,
    /// The weights of the other seat's answers.
    pub weighting: Weighting,
    /// Weight of the exploration term.
    pub c_puct: f64,
    /// The largest offset of an untried outcome, in the unit of values.
    pub fpu_offset: f64,
}

/// How the seats choose during the search and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    /// PUCT for each seat on its own; the policy is the share of the visits.
    Puct,
    /// Regret matching; the policy is the average strategy.
    RegretMatching,
    /// PUCT, but the policy is the exact solution of the root's matrix game, and every pair of the root's outcomes gets
    /// some visits. A pair without visits counts as the root's value.
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
    /// Whether all values are computed again before results are read. Otherwise, those of a node that shares a child with
    /// another one may be out of date.
    pub sweep: bool,
    /// What decides between equal outcomes.
    pub ties: Ties,
    /// Whether an outcome that wins points sooner is played instead of one that is about as good.
    pub sooner: bool,
    /// Moves are drawn in proportion to policy^(1/temperature); with 0, the most probable one is played. `None`: 0 for
    /// [`Selector::Puct`], otherwise 1.
    pub temperature: Option<f64>,
    /// Name of the evaluator, if it is not the one that the search was opened with.
    pub evaluator: Option<String>,
}

/// The weight of the exploration term that wins most matches.
const C_PUCT: f64 = 0.5;

/// That of the published searches ([`Ties::Index`]), and of [`Selector::RootSolve`], which needs good values behind pairs
/// that are rarely best.
const PUBLISHED_C_PUCT: f64 = 1.5;

const NAMES: [&str; 19] = [
    "search",
    "profile",
    "c_puct",
    "fpu_offset",
    "unit",
    "fpu",
    "weighting",
    "selector",
    "utility",
    "table",
    "short_circuit",
    "sweep",
    "ties",
    "sooner",
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
            puct: Puct {
                profile: Profile::Rec,
                unit: Unit::Shares,
                fpu: Fpu::Visited,
                weighting: Weighting::Conditional,
                c_puct: C_PUCT,
                fpu_offset: 0.2,
            },
            exploration: Exploration::NONE,
            selector: Selector::Puct,
            utility: Utility::Diff,
            sharing: Sharing::Graph,
            stop: Stop::Leaf,
            sweep: false,
            ties: Ties::Seats,
            sooner: true,
            temperature: None,
            evaluator: None,
        }
    }

    /// The search as first published, in which each seat maximises its own points.
    #[must_use]
    pub fn seed() -> Self {
        let rec = Self::rec();
        let puct =
            Puct { profile: Profile::Seed, unit: Unit::Points, fpu: Fpu::Constant, fpu_offset: 0.1, ..rec.puct };
        Self { puct, utility: Utility::Own, ties: Ties::Index, sooner: false, ..rec }
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
        let is_published = options.ties == Ties::Index || options.selector == Selector::RootSolve;
        if is_published && json.get("c_puct").is_none() {
            options.puct.c_puct = PUBLISHED_C_PUCT;
        }
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
            "unit" => {
                self.puct.unit =
                    settings::one_of(name, value, &[("shares", Unit::Shares), ("points", Unit::Points)])?;
            }
            "fpu" => {
                self.puct.fpu =
                    settings::one_of(name, value, &[("visited", Fpu::Visited), ("constant", Fpu::Constant)])?;
            }
            "weighting" => {
                let known = [
                    ("conditional", Weighting::Conditional),
                    ("prior", Weighting::Prior),
                    ("marginal", Weighting::Marginal),
                    ("blend", Weighting::Blend),
                ];
                self.puct.weighting = settings::one_of(name, value, &known)?;
            }
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
            "sweep" => self.sweep = settings::boolean(name, value)?,
            "sooner" => self.sooner = settings::boolean(name, value)?,
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
