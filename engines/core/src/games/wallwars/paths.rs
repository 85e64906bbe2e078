//! Distances and paths on a [`Board`], computed by growing a set of cells until it reaches the target.
//!
//! Used by the rules for wall legality and the one-move rule, and by evaluators for distances. Paths of up to [`SHORT`]
//! cells need no allocation.

use super::action::{Cell, Direction, Wall};
use super::bits::Bits;
use super::board::{Board, Edges};

/// The value of unreachable cells in [`Board::distances`].
pub const UNREACHABLE: u16 = u16::MAX;

/// Paths of up to this many cells stay on the stack.
const SHORT: usize = 64;

/// A list of sets whose first [`SHORT`] entries need no allocation.
struct Layers<const N: usize> {
    head: [Bits<N>; SHORT],
    tail: Vec<Bits<N>>,
    len: usize,
}

impl<const N: usize> Layers<N> {
    #[inline]
    fn new() -> Self {
        Self { head: [Bits::EMPTY; SHORT], tail: Vec::new(), len: 0 }
    }

    #[inline]
    fn push(&mut self, layer: Bits<N>) {
        match self.head.get_mut(self.len) {
            Some(place) => *place = layer,
            None => self.tail.push(layer),
        }
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<Bits<N>> {
        self.len = self.len.checked_sub(1)?;
        self.tail.pop().or_else(|| self.head.get(self.len).copied())
    }
}

/// The cells at distance 0, 1, 2, … from a set, as one set per distance. Made by [`Board::flood`].
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
    /// The cells at distance 0, 1, 2, … from `seeds`, until no new cell is reached.
    #[inline]
    #[must_use]
    pub fn flood(&self, seeds: Bits<N>) -> Flood<'_, N> {
        Flood { board: self, seen: Bits::EMPTY, next: seeds }
    }

    /// Number of steps from one cell to another; `None` if there is no way.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: Cell, to: Cell) -> Option<u16> {
        if self.has_direct_way(from, to) {
            let ((column, row), (other_column, other_row)) = (self.place(from), self.place(to));
            return Some(column.abs_diff(other_column) + row.abs_diff(other_row));
        }
        let mut seen = Bits::single(from);
        let mut steps = 0;
        while !seen.has(to) {
            let grown = self.grow(seen);
            if grown.minus(seen).is_empty() {
                return None;
            }
            seen = grown;
            steps += 1;
        }
        Some(steps)
    }

    /// Whether there is a way none of whose steps leads away from the other cell. Takes about as long as growing a set
    /// once.
    fn has_direct_way(&self, from: Cell, to: Cell) -> bool {
        let (from, to) = (self.place(from), self.place(to));
        let ((mut column, top), (last, bottom)) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        let mut rows = 1u64 << top;
        loop {
            // The sum carries every row down its run of open edges.
            let down = self.column(&self.open.down, column);
            rows |= (down + (rows & down)) ^ down;
            if column == last {
                return rows >> bottom & 1 == 1;
            }
            let next = if column < last { column + 1 } else { column - 1 };
            rows &= self.column(&self.open.right, column.min(next));
            column = next;
        }
    }

    /// Writes the number of steps from `from` to every cell, or [`UNREACHABLE`]. `steps` must have an entry per cell of
    /// the board.
    pub fn distances(&self, from: Cell, steps: &mut [u16]) {
        steps.fill(UNREACHABLE);
        for (distance, layer) in self.flood(Bits::single(from)).enumerate() {
            for cell in layer.iter() {
                steps[usize::from(cell)] = distance as u16;
            }
        }
    }

    /// The cells one step nearer to `goal` than `cell` is (anywhere on the board, not only next to it). Empty if `cell`
    /// is the goal or cannot reach it.
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

    /// Whether there is still a way from one cell to another after building `wall`.
    #[must_use]
    pub fn connects_despite(&self, wall: Wall, from: Cell, to: Cell) -> bool {
        let mut walled = *self;
        walled.build(wall);
        walled.distance(from, to).is_some()
    }

    /// The cells of a shortest path between two cells, including both; empty if there is no way.
    #[must_use]
    pub fn shortest_path(&self, from: Cell, to: Cell) -> Bits<N> {
        let mut layers = Layers::new();
        let mut seen = Bits::single(from);
        while !seen.has(to) {
            layers.push(seen);
            let grown = self.grow(seen);
            if grown.minus(seen).is_empty() {
                return Bits::EMPTY;
            }
            seen = grown;
        }
        let mut path = Bits::single(to);
        let mut last = to;
        while let Some(nearer) = layers.pop() {
            last = self.neighbour_in(last, &nearer).unwrap_or(from);
            path.insert(last);
        }
        path
    }

    /// The first cell of a set that is one step from `cell`.
    fn neighbour_in(&self, cell: Cell, cells: &Bits<N>) -> Option<Cell> {
        let ascending = [Direction::Left, Direction::Up, Direction::Down, Direction::Right];
        let open = ascending.into_iter().filter(|direction| self.can_step(cell, *direction));
        open.map(|direction| self.beside(cell, direction)).find(|next| cells.has(*next))
    }

    /// The open edges whose removal leaves no way from one cell to another; none if there is no way now.
    ///
    /// One sweep along a shortest path, which contains all of them: a set grows from the start without crossing an edge
    /// of the path. If it reaches a later cell of the path, none of the skipped edges separates; if it does not, the
    /// next edge separates, and the set crosses it. (Neighbours on a shortest path are consecutive, or there would be a
    /// shorter one: a set of cells therefore determines its edges and its order.)
    #[must_use]
    pub fn separating(&self, from: Cell, to: Cell) -> Edges<N> {
        let mut cut = Edges::EMPTY;
        let mut ahead = self.shortest_path(from, to);
        let mut around = *self;
        around.open = self.open.minus(self.crossing(ahead, ahead));
        let mut seen = Bits::single(from);
        let mut far = from;
        ahead.remove(from);
        while !ahead.is_empty() {
            seen = around.fill_until(seen, to);
            if seen.has(to) {
                break;
            }
            let mut passed = seen & ahead;
            let separated = passed.is_empty();
            loop {
                let Some(next) = self.neighbour_in(far, &ahead) else { return cut };
                if separated {
                    cut.insert(self.between(far, next));
                }
                far = next;
                seen.insert(far);
                ahead.remove(far);
                passed.remove(far);
                if passed.is_empty() {
                    break;
                }
            }
        }
        cut
    }

    /// Everything reachable from `cells`; stops early once `target` is reached.
    #[inline]
    fn fill_until(&self, cells: Bits<N>, target: Cell) -> Bits<N> {
        let mut seen = cells;
        while !seen.has(target) {
            let grown = self.grow(seen);
            if grown.minus(seen).is_empty() {
                break;
            }
            seen = grown;
        }
        seen
    }
}
