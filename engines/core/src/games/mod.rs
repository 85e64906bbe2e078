//! The games, and the catalogue: the only place where games meet searches.

pub mod wallwars;
