//! Wallwars: vectors that a player can read, and laws checked against a plain model.

mod cases;
mod config;
mod laws;
mod model;
mod native;
mod perft;
mod planes;
mod simple;
