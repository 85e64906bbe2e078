//! Hive: vectors that a player can read, perft tables, and random games checked against a plain model.

mod ants;
mod boards;
mod cases;
mod evaluators;
mod mates;
mod model;
mod perft;
mod playouts;
mod repetition;
mod search;
mod starts;
