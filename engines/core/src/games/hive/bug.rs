//! Bugs, the 28 pieces, and sets of pieces; independent of the board.
//!
//! A piece is an index: 14 of White, then 14 of Black, each in the order Q, S1, S2, B1, B2, G1..G3, A1..A3, M, L, P.

use crate::rules::Seat;

/// Pieces of one seat with all expansions.
const PIECES_EACH: u8 = 14;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bug {
    /// Queen Bee.
    Queen,
    /// Spider.
    Spider,
    /// Beetle.
    Beetle,
    /// Grasshopper.
    Grasshopper,
    /// Soldier Ant.
    Ant,
    /// Mosquito.
    Mosquito,
    /// Ladybug.
    Ladybug,
    /// Pillbug.
    Pillbug,
}

/// Index of each bug's first piece, followed by the number of pieces.
const FIRST: [u8; 9] = [0, 1, 3, 5, 8, 11, 12, 13, PIECES_EACH];

/// The bug of each piece; 32 entries, so that no index is out of range.
static BUG_OF: [Bug; 32] = {
    let mut bugs = [Bug::Queen; 32];
    let mut bug = 0;
    while bug < 8 {
        let mut piece = FIRST[bug] as usize;
        while piece < FIRST[bug + 1] as usize {
            bugs[piece] = Bug::ALL[bug];
            bugs[piece + PIECES_EACH as usize] = Bug::ALL[bug];
            piece += 1;
        }
        bug += 1;
    }
    bugs
};

/// The first piece of each bug and seat; of those with at least two pieces; of those with three.
const FIRSTS: [u32; 3] = {
    let mut firsts = [0; 3];
    let mut bug = 0;
    while bug < 8 {
        let first = 1 << FIRST[bug] | 1 << (FIRST[bug] + PIECES_EACH);
        let mut more = 0;
        while more < FIRST[bug + 1] - FIRST[bug] {
            firsts[more as usize] |= first;
            more += 1;
        }
        bug += 1;
    }
    firsts
};

impl Bug {
    /// Every bug, in the order of lists.
    pub const ALL: [Self; 8] = [
        Self::Queen,
        Self::Spider,
        Self::Beetle,
        Self::Grasshopper,
        Self::Ant,
        Self::Mosquito,
        Self::Ladybug,
        Self::Pillbug,
    ];

    /// The letter in the names of its pieces.
    #[must_use]
    pub fn letter(self) -> char {
        ['Q', 'S', 'B', 'G', 'A', 'M', 'L', 'P'][self as usize]
    }

    /// The bug with this letter, in either case.
    #[must_use]
    pub fn lettered(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|bug| bug.letter() == letter.to_ascii_uppercase())
    }

    /// Number of its pieces per seat.
    #[must_use]
    pub fn count(self) -> u8 {
        FIRST[self as usize + 1] - FIRST[self as usize]
    }

    /// A seat's piece of this bug; numbers begin at 1 and end at [`Bug::count`].
    #[must_use]
    pub fn piece(self, seat: Seat, number: u8) -> Piece {
        Piece(seat as u8 * PIECES_EACH + FIRST[self as usize] + number - 1)
    }

    /// A seat's pieces of this bug.
    #[inline]
    #[must_use]
    pub const fn pieces(self, seat: Seat) -> Pieces {
        let bug = self as usize;
        let own = (1 << FIRST[bug + 1]) - (1 << FIRST[bug]);
        Pieces(own << (seat as u8 * PIECES_EACH))
    }
}

/// One of the 28 pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// Its index in 0..28.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0 & 31)
    }

    /// Its owner: 0 White, 1 Black.
    #[inline]
    #[must_use]
    pub fn seat(self) -> Seat {
        usize::from(self.0 >= PIECES_EACH)
    }

    /// Its kind.
    #[inline]
    #[must_use]
    pub fn bug(self) -> Bug {
        BUG_OF[self.index()]
    }

    /// Its number among the seat's pieces of the same bug, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0 - self.bug().piece(self.seat(), 1).0 + 1
    }

    /// Its name: `wQ`, `bA2`.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::from(['w', 'b'][self.seat()]);
        name.push(self.bug().letter());
        if self.bug().count() > 1 {
            name.push(char::from(b'0' + self.number()));
        }
        name
    }

    /// The piece with this name, in either case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let seat = match letters.next()? {
            'w' | 'W' => 0,
            'b' | 'B' => 1,
            _ => return None,
        };
        let bug = Bug::lettered(letters.next()?)?;
        let number = match letters.next() {
            None if bug.count() == 1 => 1,
            Some(digit @ '1'..='3') if bug.count() > 1 => digit as u8 - b'0',
            _ => return None,
        };
        (number <= bug.count() && letters.next().is_none()).then(|| bug.piece(seat, number))
    }
}

/// A set of pieces: bit `p` for piece `p`. Iterating takes them in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces(pub u32);

impl Pieces {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// All pieces of a seat.
    #[inline]
    #[must_use]
    pub const fn of(seat: Seat) -> Self {
        Self(((1 << PIECES_EACH) - 1) << (seat as u8 * PIECES_EACH))
    }

    /// Whether the set contains the piece.
    #[inline]
    #[must_use]
    pub fn has(self, piece: Piece) -> bool {
        self.0 >> piece.index() & 1 == 1
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of pieces.
    #[inline]
    #[must_use]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The intersection.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The union.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The pieces that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The kinds of the pieces: for each, the first piece that its seat has of it, even if the set has only others.
    #[inline]
    #[must_use]
    pub const fn kinds(self) -> Self {
        Self(self.0 & FIRSTS[0] | self.0 >> 1 & FIRSTS[1] | self.0 >> 2 & FIRSTS[2])
    }

    /// Adds a piece.
    #[inline]
    pub fn insert(&mut self, piece: Piece) {
        self.0 |= 1 << piece.index();
    }

    /// Removes a piece.
    #[inline]
    pub fn remove(&mut self, piece: Piece) {
        self.0 &= !(1 << piece.index());
    }

    /// The first piece.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Piece> {
        (self.0 != 0).then(|| Piece(self.0.trailing_zeros() as u8))
    }
}

impl FromIterator<Piece> for Pieces {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        let mut set = Self::NONE;
        pieces.into_iter().for_each(|piece| set.insert(piece));
        set
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}
