//! The boards that have a name.

use super::generate::Symmetry;
use super::grid::Grid;

/// How the start of a variant is made.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name.
    pub name: &'static str,
    /// The size of the board.
    pub grid: Grid,
    /// Pieces of cheese.
    pub cheese: u16,
    /// The game ends after this many turns.
    pub max_turns: u16,
    /// Whether there are walls and mud.
    pub terrain: Terrain,
    /// Whether maze and cheese equal their images after half a turn.
    pub symmetry: Symmetry,
}

/// What is between the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    /// A random maze with mud.
    Maze,
    /// Neither walls nor mud.
    Open,
}

/// All variants, the default first.
const ALL: [Variant; 7] = [
    Variant::maze("medium", [21, 15], 41, 300),
    Variant::maze("tiny", [11, 9], 13, 150),
    Variant::maze("small", [15, 13], 21, 200),
    Variant::maze("large", [31, 21], 85, 400),
    Variant::maze("huge", [41, 31], 165, 500),
    Variant { terrain: Terrain::Open, ..Variant::maze("open", [21, 15], 41, 300) },
    Variant { symmetry: Symmetry::None, ..Variant::maze("asymmetric", [21, 15], 41, 300) },
];

/// Their names.
pub static VARIANTS: [&str; 7] = {
    let mut names = [""; 7];
    let mut index = 0;
    while index < names.len() {
        names[index] = ALL[index].name;
        index += 1;
    }
    names
};

impl Variant {
    const fn maze(name: &'static str, [width, height]: [u8; 2], cheese: u16, max_turns: u16) -> Self {
        let grid = Grid { width, height };
        Self { name, grid, cheese, max_turns, terrain: Terrain::Maze, symmetry: Symmetry::HalfTurn }
    }

    /// The variant with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().find(|variant| variant.name == name).copied()
    }
}
