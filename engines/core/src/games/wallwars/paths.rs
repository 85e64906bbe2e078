//! Distances and paths on a [`Board`], all by growing a set of cells until it meets what is sought.
//!
//! The rules use them for wall legality and the one-move rule, evaluators for distances. Nothing here allocates for
//! paths of up to [`SHORT`] cells.

use super::action::{Cell, Wall};
use super::bits::Bits;
use super::board::{Board, Edges};

/// What [`Board::distances`] says of a cell that cannot be reached.
pub const UNREACHABLE: u16 = u16::MAX;

/// Paths of up to this many cells stay on the stack.
const SHORT: usize = 64;

/// A list whose first [`SHORT`] items need no allocation.
struct List<T> {
    head: [T; SHORT],
    tail: Vec<T>,
    len: usize,
}

impl<T: Copy> List<T> {
    fn of(len: usize, item: T) -> Self {
        Self { head: [item; SHORT], tail: vec![item; len.saturating_sub(SHORT)], len }
    }

    #[inline]
    fn push(&mut self, item: T) {
        if self.len < SHORT {
            self.head[self.len] = item;
        } else {
            self.tail.push(item);
        }
        self.len += 1;
    }

    #[inline]
    fn get(&self, index: usize) -> T {
        if index < SHORT { self.head[index] } else { self.tail[index - SHORT] }
    }

    #[inline]
    fn set(&mut self, index: usize, item: T) {
        if index < SHORT {
            self.head[index] = item;
        } else {
            self.tail[index - SHORT] = item;
        }
    }
}

/// A shortest path: its cells from start to target, both included; empty where there is none.
pub struct Path(List<Cell>);

impl Path {
    /// Number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// Whether there is no path.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len == 0
    }

    /// The cells from start to target.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.0.len).map(|index| self.0.get(index))
    }
}

/// The cells at distance 0, 1, 2, … of a set, as one set per distance. Made by [`Board::flood`].
pub struct Flood<'b, const N: usize> {
    board: &'b Board<N>,
    seen: Bits<N>,
    next: Bits<N>,
}

impl<const N: usize> Iterator for Flood<'_, N> {
    type Item = Bits<N>;

    #[inline]
    fn next(&mut self) -> Option<Bits<N>> {
        let layer = self.next.minus(self.seen);
        if layer.is_empty() {
            return None;
        }
        self.seen = self.next;
        self.next = self.board.grow(self.seen);
        Some(layer)
    }
}

impl<const N: usize> Board<N> {
    /// The cells at distance 0, 1, 2, … of `seeds`, until nothing new is reached.
    #[inline]
    #[must_use]
    pub fn flood(&self, seeds: Bits<N>) -> Flood<'_, N> {
        Flood { board: self, seen: Bits::EMPTY, next: seeds }
    }

    /// Number of steps from one cell to another; `None` where there is no way.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: Cell, to: Cell) -> Option<u16> {
        let mut seen = Bits::single(from);
        let mut steps = 0;
        while !seen.has(to) {
            let grown = self.grow(seen);
            if grown == seen {
                return None;
            }
            seen = grown;
            steps += 1;
        }
        Some(steps)
    }

    /// Writes the number of steps from `from` to every cell, [`UNREACHABLE`] where there is no way.
    /// `steps` has an entry per cell of the board.
    pub fn distances(&self, from: Cell, steps: &mut [u16]) {
        steps.fill(UNREACHABLE);
        for (distance, layer) in self.flood(Bits::single(from)).enumerate() {
            for cell in layer.iter() {
                steps[usize::from(cell)] = distance as u16;
            }
        }
    }

    /// The cells that are one step nearer to `goal` than `cell` is (anywhere on the board, not only beside it).
    /// Empty where `cell` is the goal or cannot reach it.
    #[must_use]
    pub fn nearer(&self, cell: Cell, goal: Cell) -> Bits<N> {
        let mut nearer = Bits::EMPTY;
        for layer in self.flood(Bits::single(goal)) {
            if layer.has(cell) {
                return nearer;
            }
            nearer = layer;
        }
        Bits::EMPTY
    }

    /// Whether a way leads from one cell to another once `wall` is built as well.
    #[must_use]
    pub fn connects_despite(&self, wall: Wall, from: Cell, to: Cell) -> bool {
        let mut walled = *self;
        walled.build(wall);
        walled.distance(from, to).is_some()
    }

    /// A shortest path between two cells.
    #[must_use]
    pub fn shortest_path(&self, from: Cell, to: Cell) -> Path {
        let mut layers = List::of(0, Bits::EMPTY);
        let mut found = false;
        for layer in self.flood(Bits::single(from)) {
            layers.push(layer);
            found = layer.has(to);
            if found {
                break;
            }
        }
        let mut path = List::of(if found { layers.len } else { 0 }, to);
        for index in (1..path.len).rev() {
            let before = self.grow(Bits::single(path.get(index))) & layers.get(index - 1);
            path.set(index - 1, before.first().unwrap_or(from));
        }
        Path(path)
    }

    /// The open edges without which no way leads from one cell to another; none where there is no way now.
    ///
    /// One sweep along a shortest path, which holds all of them: a set grows from the start without ever crossing an
    /// edge of the path. Where it comes round to a later cell of the path, no edge passed over separates; where it
    /// does not, the next edge does, and the set crosses it.
    #[must_use]
    pub fn separating(&self, from: Cell, to: Cell) -> Edges<N> {
        let path = self.shortest_path(from, to).0;
        let mut cut = Edges::EMPTY;
        let mut around = *self;
        let mut ahead = Bits::EMPTY;
        for index in 1..path.len {
            around.build(self.between(path.get(index - 1), path.get(index)));
            ahead.insert(path.get(index));
        }
        let mut seen = Bits::single(from);
        let mut far = 0;
        while far + 1 < path.len {
            seen = around.fill_until(seen, to);
            let next = if (seen & ahead).is_empty() {
                cut.insert(self.between(path.get(far), path.get(far + 1)));
                far + 1
            } else {
                (far + 1..path.len).rev().find(|&index| seen.has(path.get(index))).unwrap_or(far + 1)
            };
            for index in far + 1..=next {
                seen.insert(path.get(index));
                ahead.remove(path.get(index));
            }
            far = next;
        }
        cut
    }

    /// Everything that can be reached from `cells`, or less once `target` is in it.
    #[inline]
    fn fill_until(&self, cells: Bits<N>, target: Cell) -> Bits<N> {
        let mut seen = cells;
        while !seen.has(target) {
            let grown = self.grow(seen);
            if grown == seen {
                break;
            }
            seen = grown;
        }
        seen
    }
}
