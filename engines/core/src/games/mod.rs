//! The games, and the catalogue: the only place where games meet searches.
//!
//! A further game costs one module here and two lines: its `mod` line and its row in [`CATALOGUE`].

pub mod hive;
pub mod toys;
pub mod wallwars;

use serde_json::{Value, json};

use crate::position::{Erased, Position};
use crate::rules::RuleError;
use crate::search;

/// Starts a variant from a configuration.
pub type Open = fn(&str, &Value) -> Result<Box<dyn Position>, RuleError>;

/// A game of the catalogue.
pub struct Game {
    /// Its name in every protocol.
    pub name: &'static str,
    /// Its variants, default first.
    pub variants: &'static [&'static str],
    /// Fewest and most seats.
    pub seats: (usize, usize),
    /// Whether it is offered to users. The toy games, which hold the contract's rarer cases, are not.
    pub listed: bool,
    /// Board limits, notation and edition notes for `GET /api/rules`.
    pub about: fn() -> Value,
    /// The start position of a variant and configuration.
    pub open: Open,
}

/// Every game, in the order in which it is offered.
pub static CATALOGUE: &[Game] = &[
    Game {
        name: "wallwars",
        variants: &["standard", "classic", "freestyle", "survival"],
        seats: (2, 2),
        listed: true,
        about: wallwars::about,
        open: open_wallwars,
    },
    Game {
        name: "hive",
        variants: &hive::variant::TYPES,
        seats: (2, 2),
        listed: true,
        about: hive::about,
        open: |variant, config| Erased::<hive::Hive>::open(variant, config, search::open_alphabeta),
    },
    Game {
        name: "toy-goofspiel",
        variants: &["standard"],
        seats: (2, 2),
        listed: false,
        about: || json!({}),
        open: |variant, config| Erased::<toys::goofspiel::Goofspiel>::open(variant, config, search::open_by_name),
    },
    Game {
        name: "toy-draw",
        variants: &["standard"],
        seats: (2, 3),
        listed: false,
        about: || json!({}),
        open: |variant, config| Erased::<toys::draw::Draw>::open(variant, config, search::open_by_name),
    },
];

/// The row of a game.
///
/// # Errors
/// `BadConfig` that lists the games offered.
pub fn find(name: &str) -> Result<&'static Game, RuleError> {
    CATALOGUE.iter().find(|game| game.name == name).ok_or_else(|| {
        let known: Vec<_> = CATALOGUE.iter().filter(|game| game.listed).map(|game| game.name).collect();
        RuleError::BadConfig(format!("unknown game '{name}': one of {}", known.join(", ")))
    })
}

/// The start position of a game; the variant defaults to the game's first.
///
/// # Errors
/// `BadConfig` for an unknown game or variant, or a configuration that no game starts from.
pub fn open(name: &str, variant: Option<&str>, config: &Value) -> Result<Box<dyn Position>, RuleError> {
    let game = find(name)?;
    let variant = variant.unwrap_or(game.variants[0]);
    if !game.variants.contains(&variant) {
        let known = game.variants.join(", ");
        return Err(RuleError::BadConfig(format!("unknown variant '{variant}' of {name}: one of {known}")));
    }
    (game.open)(variant, config)
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
