//! What a player does in a turn: one of four steps, or staying.

/// One decision. The numbers are those of other PyRat programs, and the order is that of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// One row up: y + 1.
    Up = 0,
    /// One column to the right: x + 1.
    Right = 1,
    /// One row down: y − 1.
    Down = 2,
    /// One column to the left: x − 1.
    Left = 3,
    /// No step.
    Stay = 4,
}

use Direction::{Down, Left, Right, Stay, Up};

impl Direction {
    /// All five.
    pub const ALL: [Self; 5] = [Up, Right, Down, Left, Stay];

    /// The four that leave the cell.
    pub const STEPS: [Self; 4] = [Up, Right, Down, Left];

    /// The word of the notation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Up => "UP",
            Right => "RIGHT",
            Down => "DOWN",
            Left => "LEFT",
            Stay => "STAY",
        }
    }

    /// The direction with this name; upper case only.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// The bit of a step in a set of open directions.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// For each set of open directions, the directions with different effects: the open ones in order, then `Stay`.
static CHOICES: [([Direction; 5], u8); 16] = {
    let mut choices = [([Stay; 5], 0); 16];
    let mut open = 0;
    while open < choices.len() {
        let mut step = 0;
        while step < Direction::STEPS.len() {
            if open >> step & 1 == 1 {
                choices[open].0[choices[open].1 as usize] = Direction::STEPS[step];
                choices[open].1 += 1;
            }
            step += 1;
        }
        choices[open].1 += 1;
        open += 1;
    }
    choices
};

/// The directions with different effects where these steps are open (bits as [`Direction::bit`]), `Stay` last.
#[inline]
#[must_use]
pub fn choices(open: u8) -> &'static [Direction] {
    let (directions, count) = &CHOICES[usize::from(open & 0xf)];
    &directions[..usize::from(*count)]
}
