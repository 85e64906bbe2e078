//! The games, and the catalogue: the only place that connects games with searches.
//!
//! A new game is one module here and two lines: its `mod` line and its row in [`CATALOGUE`].

pub mod carcassonne;
pub mod hive;
pub mod pyrat;
pub mod toys;
pub mod wallwars;

use serde_json::{Value, json};

use crate::near_names;
use crate::position::{Erased, Position};
use crate::rules::RuleError;
use crate::search;

/// Sets up a variant from a configuration.
pub type Open = fn(&str, &Value) -> Result<Box<dyn Position>, RuleError>;

/// A catalogue entry.
pub struct Game {
    /// The game's name in every protocol.
    pub name: &'static str,
    /// Its variants, default first.
    pub variants: &'static [&'static str],
    /// The members of its configurations. No others are accepted.
    pub members: &'static [&'static str],
    /// Minimum and maximum number of seats.
    pub seats: (usize, usize),
    /// Whether it is offered to users. The toy games, which exist to test rare cases of the interface, and games without
    /// a board on the page are not.
    pub listed: bool,
    /// Board limits, notation and edition notes for `GET /api/rules`.
    pub about: fn() -> Value,
    /// The start position of a variant and configuration.
    pub open: Open,
}

/// All games, in the order in which they are offered.
pub static CATALOGUE: &[Game] = &[
    Game {
        name: "wallwars",
        variants: &["standard", "classic", "freestyle", "survival"],
        members: &wallwars::config::MEMBERS,
        seats: (2, 2),
        listed: true,
        about: wallwars::about,
        open: open_wallwars,
    },
    Game {
        name: "hive",
        variants: &hive::variant::TYPES,
        members: &hive::config::MEMBERS,
        seats: (2, 2),
        listed: true,
        about: hive::about,
        open: |variant, config| Erased::<hive::Hive>::open(variant, config, search::open_alphabeta),
    },
    Game {
        name: "carcassonne",
        variants: &carcassonne::tile_set::VARIANTS,
        members: &carcassonne::config::MEMBERS,
        seats: (2, 5),
        listed: true,
        about: carcassonne::about,
        open: |variant, config| Erased::<carcassonne::Carcassonne>::open(variant, config, search::open_uct),
    },
    Game {
        name: "pyrat",
        variants: &pyrat::variant::VARIANTS,
        members: &pyrat::config::MEMBERS,
        seats: (2, 2),
        listed: true,
        about: pyrat::about,
        open: open_pyrat,
    },
    Game {
        name: "toy-goofspiel",
        variants: &["standard"],
        members: &["cards"],
        seats: (2, 2),
        listed: false,
        about: || json!({}),
        open: |variant, config| Erased::<toys::goofspiel::Goofspiel>::open(variant, config, search::open_by_name),
    },
    Game {
        name: "toy-draw",
        variants: &["standard"],
        members: &["seats", "seed", "first"],
        seats: (2, 3),
        listed: false,
        about: || json!({}),
        open: |variant, config| Erased::<toys::draw::Draw>::open(variant, config, search::open_by_name),
    },
];

/// The catalogue entry of a game.
///
/// # Errors
/// `BadConfig`, listing the games offered.
pub fn find(name: &str) -> Result<&'static Game, RuleError> {
    CATALOGUE.iter().find(|game| game.name == name).ok_or_else(|| {
        let known: Vec<_> = CATALOGUE.iter().filter(|game| game.listed).map(|game| game.name).collect();
        RuleError::BadConfig(format!("unknown game '{name}': one of {}", known.join(", ")))
    })
}

/// The start position of a game; the variant defaults to the game's first one.
///
/// # Errors
/// `BadConfig` for an unknown game, variant or member of the configuration, or an invalid one.
pub fn open(name: &str, variant: Option<&str>, config: &Value) -> Result<Box<dyn Position>, RuleError> {
    let game = find(name)?;
    let variant = variant.unwrap_or(game.variants[0]);
    if !game.variants.contains(&variant) {
        let known = game.variants.join(", ");
        return Err(RuleError::BadConfig(format!("unknown variant '{variant}' of {name}: one of {known}")));
    }
    (game.open)(variant, &given(game, variant, config)?)
}

/// The members of a configuration that are not null: null stands for the default. It may name its game and variant, as
/// the configurations sent to bots do.
pub(crate) fn given(game: &Game, variant: &str, config: &Value) -> Result<Value, RuleError> {
    let members = match config {
        Value::Null => return Ok(json!({})),
        Value::Object(members) => members,
        _ => return Err(RuleError::BadConfig("config must be an object".into())),
    };
    let named = [("game", game.name), ("variant", variant)];
    for (name, value) in named {
        if let Some(other) = members.get(name).filter(|other| !other.is_null() && *other != value) {
            return Err(RuleError::BadConfig(format!("config is for {name} {other}, not {value}")));
        }
    }
    let is_own = |name: &str| named.iter().all(|(other, _)| *other != name);
    near_names::check("config", members.keys().filter(|name| is_own(name)), game.members)?;
    let given = members.iter().filter(|(name, value)| !value.is_null() && is_own(name));
    Ok(given.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Wallwars is compiled for boards of one, two, four and seven words.
fn open_wallwars(variant: &str, config: &Value) -> Result<Box<dyn Position>, RuleError> {
    use wallwars::Wallwars;
    match wallwars::words(variant, config)? {
        1 => Erased::<Wallwars<1>>::open(variant, config, search::open),
        2 => Erased::<Wallwars<2>>::open(variant, config, search::open),
        4 => Erased::<Wallwars<4>>::open(variant, config, search::open),
        _ => Erased::<Wallwars<7>>::open(variant, config, search::open),
    }
}

/// PyRat is compiled for sets of 64, 192 and 4096 pieces of cheese.
fn open_pyrat(variant: &str, config: &Value) -> Result<Box<dyn Position>, RuleError> {
    use pyrat::PyRat;
    match pyrat::words(variant, config)? {
        1 => Erased::<PyRat<1>>::open(variant, config, search::open_mcgs),
        3 => Erased::<PyRat<3>>::open(variant, config, search::open_mcgs),
        _ => Erased::<PyRat<64>>::open(variant, config, search::open_mcgs),
    }
}
