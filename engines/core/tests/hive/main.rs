//! Hive: vectors that a player can read, perft tables, and random games checked against a plain model.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod ants;
mod cases;
mod evaluators;
mod mates;
mod model;
mod perft;
mod playouts;
mod repetition;
mod search;
mod starts;
