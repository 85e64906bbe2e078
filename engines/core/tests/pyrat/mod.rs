//! PyRat: vectors that a player can read, perft tables, random games checked against a plain model, mazes, evaluators,
//! and searches compared with exact solutions.

mod cases;
mod configs;
mod evaluators;
mod exact;
mod exploitability;
mod greedy;
mod memory;
mod model;
mod perft;
mod planes;
mod playouts;
mod starts;
