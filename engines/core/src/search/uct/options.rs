//! Settings of a UCT search and their presets, read from JSON: `{"preset": "default", "num_determinizations": 5}`.

use serde_json::Value;

use super::formulas::FirstPlay;
use crate::rules::RuleError;
use crate::search::settings;

/// Whose value a node maximises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Each seat its own.
    Own,
    /// The seat that searches its own, all others the complement of that: one coalition against it.
    Coalition,
}

/// Which of the most visited actions is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// The one with the highest mean.
    Mean,
    /// The one that was tried first.
    First,
}

/// What distinguishes AMAF statistics of the same action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmafKeys {
    /// Whether each seat has its own.
    pub by_seat: bool,
    /// Whether [`crate::rules::Rules::amaf_context`] counts, such as the tile that is placed.
    pub by_context: bool,
}

/// How AMAF statistics are used (rapid action value estimation).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rave {
    /// The number of visits at which AMAF and own mean weigh the same is about k.
    pub k: f64,
    /// Number of actions below a node that count for it; `usize::MAX` for all of them.
    pub depth: usize,
    /// Which action a node tries next.
    pub first_play: FirstPlay,
    /// What distinguishes the statistics.
    pub keys: AmafKeys,
}

/// Settings of a UCT search.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Weight of the exploration term.
    pub exploration: f64,
    /// Number of deals of the hidden information, each with its own tree; 0 for one tree and a new deal in every
    /// simulation.
    pub determinizations: usize,
    /// Factor and exponent of progressive widening.
    pub widening: (f64, f64),
    /// Whether AMAF statistics are used.
    pub use_rave: bool,
    /// How they are used.
    pub rave: Rave,
    /// Name of the evaluator whose priors order the actions; `rules` for the order of the rules, `None` for the search's
    /// own evaluator.
    pub order: Option<String>,
    /// Number of threads, which share the deals.
    pub threads: usize,
    /// Whose value a node maximises.
    pub aim: Aim,
    /// Value of a shared win in [-1, 1]; `None`: the winners share it equally.
    pub shared_win: Option<f32>,
    /// Which of the most visited actions is the best.
    pub tie: Tie,
    /// Whether a move's only legal next action is played without a node of its own.
    pub skips_forced: bool,
    /// Whether the trees are kept for the next decision.
    pub keeps_trees: bool,
}

const NAMES: [&str; 19] = [
    "preset",
    "search",
    "exploration_constant",
    "num_determinizations",
    "pw_c",
    "pw_alpha",
    "use_rave",
    "rave_k",
    "max_amaf_depth",
    "rave_fpu",
    "tile_aware_amaf",
    "amaf_by_seat",
    "order",
    "aim",
    "shared_win",
    "tie",
    "skip_forced",
    "keep_trees",
    "threads",
];

impl Options {
    /// Settings for play and analysis: for evaluators whose values of good moves differ by a few hundredths, and whose
    /// priors put good moves first.
    #[must_use]
    pub fn standard() -> Self {
        let keys = AmafKeys { by_seat: true, by_context: false };
        Self {
            exploration: 0.15,
            determinizations: 5,
            widening: (0.5, 0.5),
            use_rave: false,
            rave: Rave { k: 100.0, depth: 4, first_play: FirstPlay::Amaf, keys },
            order: None,
            threads: 1,
            aim: Aim::Own,
            shared_win: None,
            tie: Tie::Mean,
            skips_forced: true,
            keeps_trees: true,
        }
    }

    /// The search as it was first described: a coalition of opponents, 0.8 of a win (in [0, 1]) for a shared one, AMAF
    /// statistics shared by the seats, new trees for every action, and much exploration.
    #[must_use]
    pub fn seed() -> Self {
        let standard = Self::standard();
        let keys = AmafKeys { by_seat: false, by_context: false };
        Self {
            exploration: 1.41,
            widening: (2.0, 0.5),
            rave: Rave { first_play: FirstPlay::Static, keys, ..standard.rave },
            aim: Aim::Coalition,
            shared_win: Some(0.6),
            tie: Tie::First,
            skips_forced: false,
            keeps_trees: false,
            ..standard
        }
    }

    /// Reads settings. The preset defaults to `default`; `null` stands for no settings.
    ///
    /// # Errors
    /// `BadConfig`, naming the unknown preset or setting, or the value out of range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let presets = [("default", Self::standard()), ("seed", Self::seed())];
        let mut options = json
            .get("preset")
            .map_or(Ok(Self::standard()), |value| settings::one_of("preset", value, &presets))?;
        settings::read(json, |name, value| options.set(name, value))?;
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), RuleError> {
        match name {
            "preset" | "search" => {}
            "exploration_constant" => self.exploration = settings::number(name, value, 0.0, 1000.0)?,
            "num_determinizations" => self.determinizations = settings::whole(name, value, 0, 256)?,
            "pw_c" => self.widening.0 = settings::number(name, value, 0.0, 1e6)?,
            "pw_alpha" => self.widening.1 = settings::number(name, value, 0.0, 1.0)?,
            "use_rave" => self.use_rave = settings::boolean(name, value)?,
            "rave_k" => self.rave.k = settings::number(name, value, 1e-6, 1e9)?,
            "max_amaf_depth" => {
                let depth = settings::whole(name, value, 0, 1000)?;
                self.rave.depth = if depth == 0 { usize::MAX } else { depth };
            }
            "rave_fpu" => {
                self.rave.first_play =
                    if settings::boolean(name, value)? { FirstPlay::Amaf } else { FirstPlay::Static };
            }
            "tile_aware_amaf" => self.rave.keys.by_context = settings::boolean(name, value)?,
            "amaf_by_seat" => self.rave.keys.by_seat = settings::boolean(name, value)?,
            "aim" => {
                self.aim = settings::one_of(name, value, &[("own", Aim::Own), ("coalition", Aim::Coalition)])?
            }
            "shared_win" => {
                self.shared_win = match value {
                    Value::Null => None,
                    value => Some(settings::number(name, value, -1.0, 1.0)? as f32),
                };
            }
            "tie" => self.tie = settings::one_of(name, value, &[("mean", Tie::Mean), ("first", Tie::First)])?,
            "skip_forced" => self.skips_forced = settings::boolean(name, value)?,
            "keep_trees" => self.keeps_trees = settings::boolean(name, value)?,
            "order" => self.order = Some(settings::text(name, value)?),
            "threads" => self.threads = settings::whole(name, value, 1, 256)?,
            _ => return Err(settings::unknown(name, &NAMES)),
        }
        Ok(())
    }
}
