//! The empty cells around the hive, connected by slides: the destinations of Ants. One walk around the hive serves all.
//!
//! Lifting an Ant changes only the slides between the cells next to it. A slide between two of them is lost if they
//! have no other neighbour in common; it becomes possible if they have, since the Ant was one side of that gate. The
//! Ant's own cell replaces the lost slides. So the Ant reaches the parts of the perimeter that the cells next to it
//! belong to, except for cells whose only neighbour is the Ant. If a cell in the middle of a gap has other neighbours
//! too, this need not hold, and [`crawl::ant`] follows the slides of that Ant alone.

use super::board::Board;
use super::cells::{Cells, MOST};
use super::crawl;
use super::grid::{CELLS, Cell, NOWHERE, beside, step, stepped};
use super::reach::{Reach, Union};
use super::ring::{Gap, Ring};

/// The parts of the perimeter that are connected by slides, computed on demand.
pub struct Perimeter<'b> {
    board: &'b Board,
    /// The number of each cell's part, from 1; 0 if unknown.
    part: [u8; CELLS],
    /// The cells, part by part.
    cells: Cells,
    /// The end of each part's cells; part 0 has none.
    ends: [u8; MOST],
    parts: usize,
}

/// The destinations of an Ant.
struct Run {
    /// A bit for each part of the perimeter.
    parts: u64,
    /// The part with cells whose only neighbour is the Ant, and these cells.
    bare_part: usize,
    bare: [Cell; 4],
    bare_len: usize,
}

impl<'b> Perimeter<'b> {
    /// Nothing is computed yet.
    #[inline]
    #[must_use]
    pub fn of(board: &'b Board) -> Self {
        Self { board, part: [0; CELLS], cells: Cells::new(), ends: [0; MOST], parts: 0 }
    }

    /// The destinations of the piece on the ground of `cell` by any number of slides.
    #[inline]
    pub fn ant(&mut self, cell: Cell, reach: &mut impl Reach) {
        let mut run = Run { parts: 0, bare_part: 0, bare: [NOWHERE; 4], bare_len: 0 };
        for gap in self.board.ring(cell).wide_gaps() {
            if !self.run_through(cell, gap, &mut run) {
                return self.ant_alone(cell, reach);
            }
        }
        while run.parts != 0 {
            let part = run.parts.trailing_zeros() as usize;
            run.parts &= run.parts - 1;
            let cells = &self.cells.as_slice()[usize::from(self.ends[part - 1])..usize::from(self.ends[part])];
            if part == run.bare_part {
                reach.all_but(cells, &run.bare[..run.bare_len & 3]);
            } else {
                reach.all(cells);
            }
        }
    }

    #[cold]
    fn ant_alone(&self, cell: Cell, reach: &mut impl Reach) {
        let mut ends = Union::except(cell);
        crawl::ant(self.board, cell, &mut ends);
        reach.all(ends.cells());
    }

    /// Adds a gap between the neighbours of `cell`; returns whether the parts of its cells determine the destinations.
    #[inline]
    fn run_through(&mut self, cell: Cell, gap: Gap, run: &mut Run) -> bool {
        let (mut first, mut last) = (0, gap.len - 1);
        let ring = |index: u8| self.board.ring(beside(cell, gap.direction(index)));
        // Cells connected with an end of the gap by a gate that opens.
        while first < last && ring(first).has(gap.direction(first + 1)) {
            first += 1;
        }
        while first < last && ring(last).has(gap.direction(last + 5)) {
            last -= 1;
        }
        for index in first + 1..last {
            if ring(index).len() > 1 {
                return false;
            }
            run.bare[run.bare_len & 3] = beside(cell, gap.direction(index));
            run.bare_len += 1;
        }
        for index in (0..=first).chain(last..gap.len) {
            let part = self.part(beside(cell, gap.direction(index)));
            run.parts |= 1 << part;
            if index == first && last > first + 1 {
                run.bare_part = part;
            }
        }
        true
    }

    /// The number of the part that an empty cell of the perimeter belongs to.
    #[inline]
    fn part(&mut self, cell: Cell) -> usize {
        match self.part[usize::from(cell) & (CELLS - 1)] {
            0 => self.explore(cell),
            part => usize::from(part),
        }
    }

    /// Numbers the part that `cell` belongs to.
    fn explore(&mut self, cell: Cell) -> usize {
        self.parts += 1;
        let number = self.parts & (MOST - 1);
        self.add(cell);
        for gap in self.board.ring(cell).wide_gaps() {
            self.walk_round(cell, gap);
        }
        self.ends[number] = self.cells.len() as u8;
        number
    }

    /// Adds the other cells along the hive on the side of one gap of `start`, from both ends of the gap until they
    /// meet. Such a walk never visits a cell twice: what lies in the other gap of a cell is cut off from it by the hive
    /// and the cell.
    fn walk_round(&mut self, start: Cell, gap: Gap) {
        let (mut one, mut other) = (Step::at(start, gap.last()), Step::at(start, gap.first));
        loop {
            one = one.next(self.board);
            if one.cell == other.cell {
                return;
            }
            self.pass(one);
            other = other.next(self.board);
            if one.cell == other.cell {
                return;
            }
            self.pass(other);
        }
    }

    /// Adds a cell and, if it is new, the cells along the hive in its other gap.
    #[inline]
    fn pass(&mut self, step: Step) {
        if self.add(step.cell)
            && let Some(other) = self.board.ring(step.cell).other_gap(usize::from(step.back / 64))
        {
            self.walk_round(step.cell, other);
        }
    }

    #[inline]
    fn add(&mut self, cell: Cell) -> bool {
        let part = &mut self.part[usize::from(cell) & (CELLS - 1)];
        let new = *part == 0;
        *part = self.parts as u8;
        self.cells.push_if(cell, new);
        new
    }
}

/// A cell of a walk along the hive.
#[derive(Clone, Copy)]
struct Step {
    cell: Cell,
    /// The direction back, times 64.
    back: u16,
}

impl Step {
    #[inline]
    fn at(cell: Cell, back: u8) -> Self {
        Self { cell, back: u16::from(back) * 64 }
    }

    /// Leaves the gap at the other end.
    #[inline]
    fn next(self, board: &Board) -> Self {
        let index = usize::from(self.back) + usize::from(board.ring(self.cell).0);
        let way = WAYS[index & (WAYS.len() - 1)];
        Self { cell: stepped(self.cell, way.step), back: way.back }
    }
}

/// The other end of a gap.
#[derive(Clone, Copy)]
struct Way {
    /// The offset of the next cell.
    step: u16,
    /// The direction back from there, times 64.
    back: u16,
}

/// Ways by the direction back (times 64) and the ring of neighbours; 512 entries, so that no index is out of range.
static WAYS: [Way; 512] = {
    let mut ways = [Way { step: 0, back: 0 }; 512];
    let mut ring = 0;
    while ring < 64 {
        let gaps = Ring(ring as u8).both_gaps();
        let mut index = 0;
        while index < 2 {
            let (first, last) = (gaps[index].first as usize, gaps[index].last() as usize);
            if gaps[index].len > 1 {
                ways[first * 64 + ring] = Way { step: step(last), back: (last as u16 + 3) % 6 * 64 };
                ways[last * 64 + ring] = Way { step: step(first), back: (first as u16 + 3) % 6 * 64 };
            }
            index += 1;
        }
        ring += 1;
    }
    ways
};
