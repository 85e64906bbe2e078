//! Rules and search of Plyhouse's games.
//!
//! Pure functions and values: no clock, no sockets, no threads of its own, and no stored Python callbacks. Modules in
//! dependency order:
//!
//! * [`rules`], [`hidden`], [`repetition`], [`symmetric`], [`planes`], [`points`], [`walking`], [`evaluator`]: what a game
//!   implements;
//! * [`near_names`]: refusals of unknown names, with a suggestion;
//! * [`splitmix`]: hashes and reproducible random numbers;
//! * [`moves`]: whole moves as text, built on `rules` alone;
//! * [`flat`], [`environments`]: actions as numbers, and many games at once, for reinforcement learning;
//! * [`evaluation`]: a network's evaluation of one leaf;
//! * [`search`]: tree searches over any `Rules`;
//! * [`position`]: type erasure, one object-safe `Position` for every game;
//! * [`cache`], [`batch`]: cached evaluations, and leaves of many searches gathered into one buffer;
//! * [`games`]: the games and the catalogue, the only place where games meet searches;
//! * `python`: the extension module (feature `python`).

pub mod batch;
pub mod cache;
pub mod environments;
pub mod evaluation;
pub mod evaluator;
pub mod flat;
pub mod games;
pub mod hidden;
pub mod moves;
pub mod near_names;
pub mod planes;
pub mod points;
pub mod position;
#[cfg(feature = "python")]
mod python;
pub mod repetition;
pub mod rules;
pub mod search;
pub mod splitmix;
pub mod symmetric;
pub mod walking;

// The tests of tests/ name the crate as its users do.
#[cfg(test)]
extern crate self as _core;
#[cfg(test)]
#[path = "../tests/main.rs"]
mod tests;
