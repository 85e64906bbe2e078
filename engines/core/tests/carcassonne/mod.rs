//! Carcassonne: the tiles against the box, vectors that a player can read, perft tables, and random games checked
//! against a plain model.

mod box_contents;
mod cases;
mod configs;
mod evaluators;
mod hidden;
mod limits;
mod model;
mod perft;
mod placings;
mod playouts;
mod search;
