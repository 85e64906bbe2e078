//! Settings of the alpha-beta search, read from JSON: `{"threads": 2, "hashMB": 64, "maxDepth": 4}`.

use serde_json::Value;

use super::score::LONGEST;
use crate::rules::RuleError;

/// Settings of an alpha-beta search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Workers that search at once, sharing the table. With one the search is deterministic.
    pub threads: usize,
    /// Limit of the table in MiB. It starts at 16 KiB.
    pub hash_mb: usize,
    /// Actions to look ahead, at most.
    pub max_depth: usize,
    /// Whether late actions are looked at less deeply, and a static value far above what is asked for is trusted near
    /// the horizon. Without it a value is that of plain minimax, and so it is up to a `max_depth` of [`EXACT`].
    pub reductions: bool,
}

/// The largest `max_depth` that is searched without reductions: every win and loss within it is found.
pub const EXACT: usize = 4;

impl Options {
    /// Settings for play and analysis.
    pub const DEFAULT: Self = Self { threads: 1, hash_mb: 16, max_depth: LONGEST, reductions: true };

    /// Whether this search reduces.
    #[must_use]
    pub fn reduces(&self) -> bool {
        self.reductions && self.max_depth > EXACT
    }

    /// Reads settings; `null` is no settings at all.
    ///
    /// # Errors
    /// `BadConfig` that names an unknown setting or a value outside its range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let mut options = Self::DEFAULT;
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
            "search" => {}
            "threads" => self.threads = whole(name, value, 256)?,
            "hashMB" => self.hash_mb = whole(name, value, 65_536)?,
            "maxDepth" => self.max_depth = whole(name, value, LONGEST)?,
            "reductions" => {
                self.reductions = value.as_bool().ok_or_else(|| bad(name, "true or false"))?;
            }
            _ => {
                let known = "search, threads, hashMB, maxDepth, reductions";
                return Err(RuleError::BadConfig(format!("unknown search option '{name}': one of {known}")));
            }
        }
        Ok(())
    }
}

/// A whole number in 1..=most; Python may send it as 4.0.
fn whole(name: &str, value: &Value, most: usize) -> Result<usize, RuleError> {
    value
        .as_f64()
        .filter(|number| number.fract() == 0.0 && (1.0..=most as f64).contains(number))
        .map(|number| number as usize)
        .ok_or_else(|| bad(name, &format!("a whole number in 1..{most}")))
}

fn bad(name: &str, wanted: &str) -> RuleError {
    RuleError::BadConfig(format!("search option {name} must be {wanted}"))
}
