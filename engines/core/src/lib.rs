//! Rules and search of Plyhouse's games.
//!
//! Everything here takes values and returns values: there is no clock, no socket and no thread of its own, and no
//! Python callback is ever stored. Modules in dependency order:
//!
//! * [`rules`], [`hidden`], [`repetition`], [`planes`], [`evaluator`]: what a game writes;
//! * [`moves`]: whole moves as text, built on `rules` alone;
//! * [`evaluation`]: what a network says about one leaf;
//! * [`search`]: tree searches over any `Rules`;
//! * [`position`]: type erasure, one object-safe `Position` for every game;
//! * [`cache`], [`batch`]: what networks said, and leaves of many searches gathered into one buffer;
//! * [`games`]: the games and the catalogue, the only place where games meet searches;
//! * `python`: the extension module (feature `python`).

pub mod batch;
pub mod cache;
pub mod evaluation;
pub mod evaluator;
pub mod games;
pub mod hidden;
pub mod moves;
pub mod planes;
pub mod position;
#[cfg(feature = "python")]
mod python;
pub mod repetition;
pub mod rules;
pub mod search;
