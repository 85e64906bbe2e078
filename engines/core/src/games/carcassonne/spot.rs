//! Names of the places for meeples: `city_NE`, `monastery`, `field_ESW`.

use std::fmt;

use super::catalogue::Kind;
use super::cell::LETTERS;

/// A name: what is there, and a set of edges (bit 0 is N, 1 is E, 2 is S, 3 is W; empty for a monastery).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spot {
    /// What is there.
    pub kind: Kind,
    /// The edges.
    pub edges: u8,
}

impl Kind {
    /// The word in names and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Road => "road",
            Self::Monastery => "monastery",
            Self::Field => "field",
        }
    }
}

impl Spot {
    /// Reads a name whose letters are in any order; `None` if it is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (word, letters) = text.split_once('_').map_or((text, None), |(word, letters)| (word, Some(letters)));
        let kinds = [Kind::City, Kind::Road, Kind::Monastery, Kind::Field];
        let kind = kinds.into_iter().find(|kind| kind.name() == word)?;
        let edges = match letters {
            None => 0,
            Some(letters) => edges(letters)?,
        };
        ((kind == Kind::Monastery) == letters.is_none()).then_some(Self { kind, edges })
    }

    /// The name after so many quarter turns clockwise.
    #[must_use]
    pub fn turned(self, quarters: usize) -> Self {
        let shifted = self.edges << (quarters & 3);
        Self { edges: (shifted | shifted >> 4) & 0xf, ..self }
    }
}

/// The set of the edges named by letters; `None` unless these are one or more different letters of N, E, S, W.
#[must_use]
pub fn edges(letters: &str) -> Option<u8> {
    letters
        .chars()
        .try_fold(0, |edges, letter| {
            let edge = 1 << LETTERS.iter().position(|known| *known == letter)?;
            (edges & edge == 0).then_some(edges | edge)
        })
        .filter(|edges| *edges != 0)
}

impl fmt::Display for Spot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        let mut separator = "_";
        for (bit, letter) in LETTERS.iter().enumerate() {
            if self.edges >> bit & 1 == 1 {
                write!(formatter, "{separator}{letter}")?;
                separator = "";
            }
        }
        Ok(())
    }
}
