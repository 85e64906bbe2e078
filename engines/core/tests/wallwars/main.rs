//! Wallwars: vectors that a player can read, and laws checked against a plain model.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod config;
mod laws;
mod model;
mod perft;
mod planes;
mod simple;
