//! Settings of the alpha-beta search, read from JSON: `{"threads": 2, "hashMB": 64, "maxDepth": 4}`.

use serde_json::Value;

use super::score::LONGEST;
use crate::rules::RuleError;
use crate::search::settings;

/// Settings of an alpha-beta search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Number of workers that share the table. With one, the search is deterministic.
    pub threads: usize,
    /// Limit of the table in MiB. It starts at 16 KiB.
    pub hash_mb: usize,
    /// Maximum depth in actions.
    pub max_depth: usize,
    /// Whether late actions are searched less deeply, and static values far above the window are trusted near the
    /// horizon. Otherwise values are those of plain minimax, as they are up to a `max_depth` of [`EXACT`].
    pub reductions: bool,
}

/// The largest `max_depth` that is searched without reductions: every win and loss within it is found.
pub const EXACT: usize = 4;

const NAMES: [&str; 5] = ["search", "threads", "hashMB", "maxDepth", "reductions"];

impl Options {
    /// Settings for play and analysis.
    pub const DEFAULT: Self = Self { threads: 1, hash_mb: 16, max_depth: LONGEST, reductions: true };

    /// Whether this search reduces.
    #[must_use]
    pub fn reduces(&self) -> bool {
        self.reductions && self.max_depth > EXACT
    }

    /// Reads settings; `null` stands for no settings.
    ///
    /// # Errors
    /// `BadConfig`, naming the unknown setting or the value out of range.
    pub fn read(json: &Value) -> Result<Self, RuleError> {
        let mut options = Self::DEFAULT;
        settings::read(json, |name, value| options.set(name, value))?;
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), RuleError> {
        match name {
            "search" => {}
            "threads" => self.threads = settings::whole(name, value, 1, 256)?,
            "hashMB" => self.hash_mb = settings::whole(name, value, 1, 65_536)?,
            "maxDepth" => self.max_depth = settings::whole(name, value, 1, LONGEST)?,
            "reductions" => self.reductions = settings::boolean(name, value)?,
            _ => return Err(settings::unknown(name, &NAMES)),
        }
        Ok(())
    }
}
