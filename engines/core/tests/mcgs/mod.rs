//! The graph search: published numbers, laws, batches, selectors against exact solutions, and whole games.

mod batches;
mod examples;
mod laws;
mod options;
mod play;
mod race;
mod selectors;
mod traces;
