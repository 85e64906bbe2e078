//! Weights of evaluators, as written behind their names: `v1/field_base=0.3/field_scale=8`.

use crate::rules::RuleError;

/// A weight: its name and where it is stored. Names that end in `scale` are divisors.
pub type Weight<H> = (&'static str, fn(&mut H) -> &mut f64);

/// The largest weight.
const MOST: f64 = 1000.0;

/// All weights, and their numbers.
pub fn read<H: Clone>(heuristic: &H, known: &[Weight<H>]) -> Vec<(&'static str, f64)> {
    let mut heuristic = heuristic.clone();
    known.iter().map(|(name, place)| (*name, *place(&mut heuristic))).collect()
}

/// Changes weights of the evaluator with this name.
///
/// # Errors
/// `BadConfig`, naming the unknown weight or the value out of range.
pub fn set<H>(
    name: &str,
    heuristic: &mut H,
    known: &[Weight<H>],
    settings: impl Iterator<Item = impl AsRef<str>>,
) -> Result<(), RuleError> {
    for setting in settings {
        let (weight, value) = setting.as_ref().split_once('=').unwrap_or((setting.as_ref(), ""));
        let Some((_, place)) = known.iter().find(|(known, _)| *known == weight) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            return Err(RuleError::BadConfig(format!(
                "evaluator {name} has no weight '{weight}': one of {names}"
            )));
        };
        let least = if weight.ends_with("scale") { 0.001 } else { -MOST };
        let in_range = |value: &f64| (least..=MOST).contains(value);
        *place(heuristic) = value.parse().ok().filter(in_range).ok_or_else(|| {
            RuleError::BadConfig(format!("weight {weight} of {name} must be a number in {least}..{MOST}"))
        })?;
    }
    Ok(())
}
