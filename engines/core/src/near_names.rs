//! Refusals of unknown names, with the known name that was probably meant. Called wherever JSON members are read.

use strsim::levenshtein;

use crate::rules::RuleError;

/// How many characters of an unknown name are compared and shown.
const LONGEST_NAME: usize = 40;

/// Checks that all members of a JSON object, such as `config` or `config.initialState`, have known names.
///
/// # Errors
/// `BadConfig`, naming the first unknown member and the nearest known one, or all of them if none is near.
pub fn check<'n>(
    object: &str,
    mut members: impl Iterator<Item = &'n String>,
    known: &[&str],
) -> Result<(), RuleError> {
    match members.find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let name: String = name.chars().take(LONGEST_NAME).collect();
            Err(RuleError::BadConfig(format!("{object} has no member '{name}'{}", did_you_mean(&name, known))))
        }
    }
}

/// The end of a message about an unknown name: the nearest known one, or all of them if none is near.
#[must_use]
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    let near = known.iter().map(|other| (levenshtein(&name.to_lowercase(), &other.to_lowercase()), other));
    match near.min().filter(|(edits, other)| 2 * edits <= other.len()) {
        Some((_, other)) => format!(": did you mean '{other}'?"),
        None => format!(": it has {}", known.join(", ")),
    }
}
