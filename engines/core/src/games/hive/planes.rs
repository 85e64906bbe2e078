//! Network input and output. The planes are a window on the grid with the hive in its middle, in axial coordinates, columns
//! before rows: cell q, r of a plane is number `q · size + r`. A window as wide as there are pieces, and two more, holds
//! every hive with the cells around it. In a smaller one, what is outside is drawn on the edge.
//!
//! Each seat has 14 slots: one for each of its pieces in the order Q, S, S, B, B, G, G, G, A, A, A, M, L, P. Bugs of a kind
//! have their slots in the order of their places (column, row, level) and not by their numbers, since positions that differ
//! only in numbers are the same; those in hand come last. The planes, as seen by a seat:
//!
//! * 0 to 13: where the piece in each slot of the seat is; 14 to 27: the same for the other seat;
//! * 28, 29: where a piece of the seat, or of the other one, is uncovered;
//! * 30: the number of pieces on the cell, divided by 4;
//! * 31: uncovered pieces on the ground that hold the hive together and cannot move;
//! * 32: the piece that may not move because it was moved last, if that matters; and everywhere the same:
//! * 33, 34: how near the turn is in which the seat, or the other one, has to place its Queen: 1 in that turn, 0 once the
//!   Queen is in play;
//! * 35: how often the position has occurred before, divided by 2; 36: the share of the limit of plies that is left, or 1;
//! * 37: 1 if the seat is to move.
//!
//! The policy has a plane for each slot: where its piece goes. The last entry is the pass.

use std::ops::RangeInclusive;

use super::action::{Action, Kind};
use super::bug::{Bug, Piece};
use super::grid::{CELLS, Cell, NOWHERE, ORIGIN};
use super::state::State;
use super::{Hive, QUEEN_DUE, pins};
use crate::planes::{Layout, Planes, Signature, fits_window, window_size};
use crate::repetition::Repetition;
use crate::rules::Seat;

const PLANES: usize = 38;
const TOPS: usize = 28;
const HEIGHT: usize = 30;
const PINNED: usize = 31;
const RESTING: usize = 32;
const NUMBERS: usize = 33;

/// Slots of a seat, and of both.
const SLOTS: usize = 14;
const ALL_SLOTS: usize = 2 * SLOTS;

/// The sizes that windows may have.
const SIZES: RangeInclusive<usize> = 8..=30;

/// Where the window lies on the grid.
#[derive(Clone, Copy)]
struct Window {
    size: usize,
    /// The cell in the corner before the first column and row of the hive.
    corner: Cell,
    /// The column and row of that cell in the window; negative if the hive is larger than the window.
    margin: [i32; 2],
}

impl Window {
    /// A hive is connected, so that its columns, and its rows, are a run on the wrapped grid; the run's beginning is where
    /// the one before is empty.
    fn around(state: &State, size: usize) -> Self {
        let board = state.board();
        let occupied = || board.in_play().map(|piece| board.cell(piece));
        let columns = occupied().fold(0u32, |columns, cell| columns | 1 << (cell & 31));
        if columns == 0 {
            let margin = [size as i32 / 2; 2];
            return Self { size, corner: ORIGIN, margin };
        }
        let first_column = beginning(columns);
        let row = |cell: Cell| row_from(cell, first_column);
        let rows = occupied().fold(0u32, |rows, cell| rows | 1 << row(cell));
        let margin = [columns, rows].map(|run| (size as i32 - run.count_ones() as i32).div_euclid(2) - 1);
        let corner = first_column.wrapping_add(beginning(rows) << 5).wrapping_sub(33) & (CELLS as u16 - 1);
        Self { size, corner, margin }
    }

    /// The number in a plane of a cell of the hive or beside it.
    fn place(self, cell: Cell) -> usize {
        let from_corner = cell.wrapping_sub(self.corner) & (CELLS as u16 - 1);
        let [column, row] = [from_corner & 31, from_corner >> 5];
        let within = |coordinate: u16, margin: i32| {
            (i32::from(coordinate) + margin).clamp(0, self.size as i32 - 1) as usize
        };
        within(column, self.margin[0]) * self.size + within(row, self.margin[1])
    }
}

/// The first of a run of bits on a circle of 32.
fn beginning(run: u32) -> u16 {
    (run & !run.rotate_left(1)).trailing_zeros() as u16 & 31
}

/// The row of a cell, if columns are counted from `column`.
fn row_from(cell: Cell, column: u16) -> u16 {
    (cell.wrapping_sub(column) & (CELLS as u16 - 1)) >> 5
}

/// The slots of the pieces in play.
struct Slots {
    /// The places of the pieces in the window.
    places: [usize; ALL_SLOTS],
    of: [usize; ALL_SLOTS],
}

impl Slots {
    fn of(state: &State, window: Window, seat: Seat) -> Self {
        let board = state.board();
        let mut slots = Self { places: [0; ALL_SLOTS], of: [0; ALL_SLOTS] };
        for piece in board.in_play() {
            slots.places[piece.index()] = window.place(board.cell(piece));
        }
        for piece in board.in_play() {
            let alike = piece.bug().pieces(piece.seat()).and(board.in_play());
            let order = |piece: Piece| (slots.places[piece.index()], board.cell(piece), board.level(piece));
            let rank = alike.filter(|other| order(*other) < order(piece)).count();
            slots.of[piece.index()] = first_slot(piece.bug(), piece.seat(), seat) + rank;
        }
        slots
    }
}

/// The first slot of a kind of bugs, as seen by `seat`.
fn first_slot(bug: Bug, owner: Seat, seat: Seat) -> usize {
    usize::from(owner != seat) * SLOTS + bug.piece(0, 1).index()
}

impl Hive {
    /// The size of a window that holds every hive, with the cells around it.
    fn whole_size(&self) -> usize {
        self.pieces().len() as usize + 2
    }

    /// The numbers that are the same everywhere.
    fn numbers(&self, state: &State, seat: Seat) -> [f32; PLANES - NUMBERS] {
        let board = state.board();
        let turns = state.ply() / 2;
        let due = |seat: Seat| match board.queen(seat) {
            Some(_) => 0.0,
            None => ((turns + 1) as f32 / (QUEEN_DUE + 1) as f32).min(1.0),
        };
        let earlier = if self.terms().draw_by_repetition { self.earlier(state) } else { None };
        let limit = self.terms().ply_limit;
        let left = if limit == 0 { 1.0 } else { limit.saturating_sub(state.ply()) as f32 / limit as f32 };
        let to_move = f32::from(u8::from(state.seat() == seat));
        [due(seat), due(1 - seat), earlier.map_or(0, |earlier| earlier.times) as f32 / 2.0, left, to_move]
    }
}

fn signature(size: usize) -> Signature {
    Signature { planes: PLANES, dim2: size, dim3: size, policy: ALL_SLOTS * size * size + 1, values: 1 }
}

impl Planes<Self> for Hive {
    fn fits(&self, found: &Signature) -> Result<(), String> {
        fits_window(found, &SIZES, signature)
    }

    fn layout(&self) -> Layout {
        Layout {
            signature: signature(self.whole_size()),
            policies: 1,
            per_cell: ALL_SLOTS,
            anchors: vec![(0, 1.0), (SLOTS, 1.0)],
        }
    }

    fn is_trained(&self) -> bool {
        false
    }

    fn windowed(&self, size: usize) -> Result<Signature, String> {
        window_size(size, &SIZES).map(signature)
    }

    fn has_edge(&self, signature: &Signature) -> bool {
        signature.dim2 < self.whole_size()
    }

    fn fill(&self, state: &State, seat: Seat, signature: &Signature, row: &mut [f32]) {
        let area = signature.dim2 * signature.dim3;
        let window = Window::around(state, signature.dim2);
        let (board, slots) = (state.board(), Slots::of(state, window, seat));
        row[..NUMBERS * area].fill(0.0);
        for piece in board.in_play() {
            let place = slots.places[piece.index()];
            row[slots.of[piece.index()] * area + place] = 1.0;
            row[HEIGHT * area + place] += 0.25;
        }
        for (plane, owner) in [(TOPS, seat), (TOPS + 1, 1 - seat)] {
            for piece in board.tops(owner) {
                row[plane * area + slots.places[piece.index()]] = 1.0;
            }
        }
        let ground = board.tops(0).or(board.tops(1)).without(board.climbed());
        for piece in ground.filter(|piece| pins::is_pinned(board, board.cell(*piece))) {
            row[PINNED * area + slots.places[piece.index()]] = 1.0;
        }
        if state.rest_may_matter() && state.resting() != NOWHERE {
            row[RESTING * area + window.place(state.resting())] = 1.0;
        }
        for (plane, number) in row[NUMBERS * area..].chunks_exact_mut(area).zip(self.numbers(state, seat)) {
            plane.fill(number);
        }
    }

    fn policy_index(&self, state: &State, signature: &Signature, seat: Seat, action: Action) -> Option<usize> {
        self.policy_indices(state, signature, seat, &[action])[0]
    }

    fn policy_indices(
        &self,
        state: &State,
        signature: &Signature,
        seat: Seat,
        actions: &[Action],
    ) -> Vec<Option<usize>> {
        let area = signature.dim2 * signature.dim3;
        let window = Window::around(state, signature.dim2);
        let slots = Slots::of(state, window, seat);
        let board = state.board();
        let index = |action: &Action| match action.kind() {
            Kind::Pass => Some(ALL_SLOTS * area),
            Kind::Place(bug, to) => {
                let in_play = bug.pieces(seat).and(board.in_play()).len() as usize;
                Some((first_slot(bug, seat, seat) + in_play) * area + window.place(to))
            }
            Kind::Move(from, to) => Some(slots.of[board.top(from)?.index()] * area + window.place(to)),
        };
        actions.iter().map(index).collect()
    }
}
