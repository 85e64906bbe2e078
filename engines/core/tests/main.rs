//! The tests that need no access to the internals of the core. They are compiled as a module of it, since a program of
//! their own would compile the searches for every game again.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod alphabeta;
mod batch;
mod carcassonne;
mod exact;
mod flat;
mod hive;
mod laws;
mod mcgs;
mod monte_carlo;
mod pyrat;
mod repetition;
mod search;
mod suitable_searches;
mod uct;
mod wallwars;
