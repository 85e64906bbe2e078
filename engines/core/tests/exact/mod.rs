//! What is won is won, and what is called exact is exact: searches against solvers that try every move.

mod idleness;
mod last_tiles;
mod lines;
mod solved;
mod solver;
mod wins;
