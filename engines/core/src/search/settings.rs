//! Reads the options of a search from JSON: types, ranges, and what a refusal says.

use serde_json::Value;

use crate::near_names;
use crate::rules::RuleError;

/// Calls `set` with the name and value of every option; `null` stands for no options.
///
/// # Errors
/// `BadConfig` if `json` is neither an object nor `null`, and the errors of `set`.
pub fn read(json: &Value, mut set: impl FnMut(&str, &Value) -> Result<(), RuleError>) -> Result<(), RuleError> {
    match json {
        Value::Null => Ok(()),
        Value::Object(members) => members.iter().try_for_each(|(name, value)| set(name, value)),
        _ => Err(RuleError::BadConfig("search options are an object".into())),
    }
}

/// Checks the names of the options of a search that reads them itself.
///
/// # Errors
/// `BadConfig` for an unknown option.
pub fn check(json: &Value, known: &[&str]) -> Result<(), RuleError> {
    read(json, |name, _| if known.contains(&name) { Ok(()) } else { Err(unknown(name, known)) })
}

/// A number in `low..=high`.
pub fn number(name: &str, value: &Value, low: f64, high: f64) -> Result<f64, RuleError> {
    let found = value.as_f64().filter(|number| (low..=high).contains(number));
    found.ok_or_else(|| bad(name, &format!("a number in {low}..{high}")))
}

/// A whole number in `low..=high`, which Python may send as 4.0.
pub fn whole(name: &str, value: &Value, low: usize, high: usize) -> Result<usize, RuleError> {
    let in_range = |number: &f64| number.fract() == 0.0 && (low as f64..=high as f64).contains(number);
    let found = value.as_f64().filter(in_range).map(|number| number as usize);
    found.ok_or_else(|| bad(name, &format!("a whole number in {low}..{high}")))
}

/// True or false.
pub fn boolean(name: &str, value: &Value) -> Result<bool, RuleError> {
    value.as_bool().ok_or_else(|| bad(name, "true or false"))
}

/// A text that is not checked further here.
pub fn text(name: &str, value: &Value) -> Result<String, RuleError> {
    value.as_str().map(Into::into).ok_or_else(|| bad(name, "a name"))
}

/// One of the named values.
pub fn one_of<T: Clone>(name: &str, value: &Value, known: &[(&str, T)]) -> Result<T, RuleError> {
    let found = known.iter().find(|(text, _)| value.as_str() == Some(text));
    let names = || known.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(", ");
    found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| bad(name, &format!("one of {}", names())))
}

/// The refusal of an unknown option.
pub fn unknown(name: &str, known: &[&str]) -> RuleError {
    RuleError::BadConfig(format!("there is no search option '{name}'{}", near_names::did_you_mean(name, known)))
}

fn bad(name: &str, wanted: &str) -> RuleError {
    RuleError::BadConfig(format!("search option {name} must be {wanted}"))
}
