//! Network input and output. Both seats act at once, so networks see nothing from one seat's side: there are two policies
//! and two values, and the planes are those of seat 0. Environments show each seat its own planes first.
//!
//! Tensors have columns before rows: cell x, y of a plane is number `x · height + y`. The planes, each pair being for seat
//! 0 and seat 1:
//!
//! * 0, 1: where the player is;
//! * 2: the cheese;
//! * 3 to 6: what is in the way of a step up, right, down and left (1: a wall; for mud, the turns that it holds a player,
//!   divided by 16);
//! * 7, 8: where there is cheese, how near it is to the player, 1 / (1 + turns / 4);
//! * 9, 10: where there is cheese, which share of it the player wins in a [`race`];
//! * 11, 12: how near the cheese is to the cell: the sum s of 1 / (1 + turns)² over all pieces, where those that the other
//!   player reaches sooner count a fifth; as 1 + ln(s) / 8, between 0 and 1;
//! * 13, 14: the turns that mud still holds the player, divided by 16, everywhere; and so the rest:
//! * 15, 16: the points that the player needs for half of all points, as a share of the remaining ones;
//! * 17, 18: the share of the cheese that is left, and 1 / (1 + pieces left / 4);
//! * 19, 20: the share of the turns that is left, and 1 / (1 + turns left / 16).
//!
//! Planes 9 to 12 are 0 on boards with so much cheese that travel times are not kept.
//!
//! The policies are five directions for each seat. The values are the points that each seat still wins, as a share of the
//! remaining ones.

use super::PyRat;
use super::direction::Direction;
use super::grid::{Cell, Grid};
use super::race;
use super::state::State;
use crate::planes::{Layout, Planes, Signature, Symmetry};
use crate::rules::Seat;

const PLANES: usize = 21;
const CHEESE: usize = 2;
const WAYS: usize = 3;
const NEARNESS: usize = 7;
const RACE: usize = 9;
const PULL: usize = 11;
const NUMBERS: usize = 13;

/// The first plane of each pair for the two seats.
const OF_SEATS: [usize; 6] = [0, NEARNESS, RACE, PULL, NUMBERS, NUMBERS + 2];

const DIRECTIONS: usize = 5;

/// The longest time that mud holds a player.
const LONGEST_HELD: f32 = 16.0;

/// What a piece that the other player reaches sooner counts in planes 11 and 12.
const LOST: f32 = 0.2;

impl<const W: usize> PyRat<W> {
    fn signature(&self) -> Signature {
        let Grid { width, height } = self.board().grid();
        let (dim2, dim3) = (usize::from(width), usize::from(height));
        Signature { planes: PLANES, dim2, dim3, policy: 2 * DIRECTIONS, values: 2 }
    }

    /// The number of a cell in a plane.
    fn place(&self, cell: Cell) -> usize {
        let grid = self.board().grid();
        usize::from(grid.x(cell)) * usize::from(grid.height) + usize::from(grid.y(cell))
    }

    /// Marks the cheese, and says how near it is to each player and who wins it in a race.
    fn fill_cheese(&self, state: &State<W>, planes: &mut [f32], area: usize) {
        let races = if self.keeps_times() { race::shares(self, state) } else { [Vec::new(), Vec::new()] };
        for (seat, player) in state.players().iter().enumerate() {
            let times = self.times_from(player.cell);
            for piece in state.pieces().map(usize::from) {
                let place = self.place(self.start().cheese[piece]);
                let turns = f32::from(times[piece].saturating_add(player.held.into()));
                planes[CHEESE * area + place] = 1.0;
                planes[(NEARNESS + seat) * area + place] = 1.0 / (1.0 + turns / 4.0);
                planes[(RACE + seat) * area + place] = races[seat].get(piece).copied().unwrap_or(0.0);
            }
        }
    }

    /// Says how near the cheese is to each cell.
    fn fill_pull(&self, state: &State<W>, planes: &mut [f32], area: usize) {
        if !self.keeps_times() {
            return;
        }
        let weights = self.pull_weights(state);
        for cell in 0..self.board().grid().cells() {
            let mut sums = [0.0; 2];
            for ((time, first), second) in self.times_from(cell).iter().zip(&weights[0]).zip(&weights[1]) {
                let nearness = 1.0 / (1.0 + f32::from(*time));
                sums[0] += first * nearness * nearness;
                sums[1] += second * nearness * nearness;
            }
            for (seat, sum) in sums.into_iter().enumerate() {
                planes[seat * area + self.place(cell)] = (1.0 + sum.ln() / 8.0).clamp(0.0, 1.0);
            }
        }
    }

    /// What each piece counts for each seat.
    fn pull_weights(&self, state: &State<W>) -> [Vec<f32>; 2] {
        let players = state.players();
        let rows = players.map(|player| self.times_from(player.cell));
        let mut weights = [(); 2].map(|()| vec![0.0; self.start().cheese.len()]);
        for piece in state.pieces().map(usize::from) {
            let arrivals = [0, 1].map(|seat| rows[seat][piece].saturating_add(players[seat].held.into()));
            for (seat, weights) in weights.iter_mut().enumerate() {
                weights[piece] = if arrivals[1 - seat] < arrivals[seat] { LOST } else { 1.0 };
            }
        }
        weights
    }

    fn fill_ways(&self, planes: &mut [f32], area: usize) {
        for cell in 0..self.board().grid().cells() {
            let exits = self.board().square(cell).exits;
            for direction in Direction::STEPS {
                let exit = exits[direction as usize];
                let way = if exit.to == cell { 1.0 } else { f32::from(exit.held) / LONGEST_HELD };
                planes[direction as usize * area + self.place(cell)] = way;
            }
        }
    }

    /// The numbers that are the same everywhere.
    fn numbers(&self, state: &State<W>) -> [f32; PLANES - NUMBERS] {
        let [first, second] = state.players();
        let remaining = f32::from(self.remaining_half_points(state)).max(1.0);
        let pieces = remaining / 2.0;
        let turns = f32::from(self.start().max_turns - state.turn());
        // In half points, half of all points are as many as there are pieces.
        let half = self.start().cheese.len() as f32;
        let needed = |points: u16| ((half - f32::from(points)) / remaining).clamp(0.0, 1.0);
        [
            f32::from(first.held) / LONGEST_HELD,
            f32::from(second.held) / LONGEST_HELD,
            needed(first.half_points),
            needed(second.half_points),
            pieces / half,
            1.0 / (1.0 + pieces / 4.0),
            turns / f32::from(self.start().max_turns),
            1.0 / (1.0 + turns / 16.0),
        ]
    }
}

impl<const W: usize> Planes<Self> for PyRat<W> {
    fn layout(&self) -> Layout {
        Layout {
            signature: self.signature(),
            policies: 2,
            per_cell: 0,
            anchors: vec![(0, 1.0), (1, 1.0), (CHEESE, 1.0)],
        }
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        let own = self.signature();
        let Signature { planes, policy, values, .. } = *signature;
        if (planes, policy, values) != (own.planes, own.policy, own.values) {
            return Err(format!("{planes} planes, a policy of {policy} and {values} values are not 21, 10 and 2"));
        }
        if (signature.dim2, signature.dim3) != (own.dim2, own.dim3) {
            let (size, board) = ((signature.dim2, signature.dim3), (own.dim2, own.dim3));
            return Err(format!("a network for {}x{} is not for {}x{}", size.0, size.1, board.0, board.1));
        }
        Ok(())
    }

    fn estimates_points(&self) -> bool {
        true
    }

    fn points_unit(&self, state: &State<W>) -> f32 {
        f32::from(self.remaining_half_points(state)) / 2.0
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let Grid { width, height } = self.board().grid();
        (1..8).map(|number| Reflection::numbered(number).symmetry(width.into(), height.into())).collect()
    }

    fn fill(&self, state: &State<W>, seat: Seat, signature: &Signature, row: &mut [f32]) {
        let area = signature.dim2 * signature.dim3;
        row.fill(0.0);
        for (seat, player) in state.players().iter().enumerate() {
            row[seat * area + self.place(player.cell)] = 1.0;
        }
        self.fill_cheese(state, row, area);
        self.fill_ways(&mut row[WAYS * area..NEARNESS * area], area);
        self.fill_pull(state, &mut row[PULL * area..NUMBERS * area], area);
        for (plane, number) in row[NUMBERS * area..].chunks_exact_mut(area).zip(self.numbers(state)) {
            plane.fill(number);
        }
        if seat == 1 {
            exchange_seats(row, area);
        }
    }

    fn fill_seats(&self, state: &State<W>, seats: &[Seat], signature: &Signature, rows: &mut [f32]) {
        let mut rows = seats.iter().zip(rows.chunks_exact_mut(signature.input_len()));
        let Some((first, filled)) = rows.next() else { return };
        self.fill(state, *first, signature, filled);
        for (seat, row) in rows {
            row.copy_from_slice(filled);
            if seat != first {
                exchange_seats(row, signature.dim2 * signature.dim3);
            }
        }
    }

    fn policy_index(&self, _: &State<W>, _: &Signature, seat: Seat, action: Direction) -> Option<usize> {
        Some(DIRECTIONS * seat + action as usize)
    }

    fn flat_actions(&self, _: &Signature) -> usize {
        DIRECTIONS
    }

    fn flat_indices(&self, _: &State<W>, _: &Signature, _: Seat, actions: &[Direction]) -> Vec<Option<usize>> {
        actions.iter().map(|action| Some(*action as usize)).collect()
    }

    /// Whoever walks into a wall, or out of mud too early, stays.
    fn flat_attempt(&self, number: usize) -> Option<Direction> {
        (number < DIRECTIONS).then_some(Direction::Stay)
    }
}

/// Shows a row from the side of the other seat.
fn exchange_seats(row: &mut [f32], area: usize) {
    for first in OF_SEATS {
        let (own, other) = row[first * area..(first + 2) * area].split_at_mut(area);
        own.swap_with_slice(other);
    }
}

/// A reflection of the board, an exchange of the players, or both: all leave the rules as they are.
#[derive(Clone, Copy)]
struct Reflection {
    columns: bool,
    rows: bool,
    seats: bool,
}

impl Reflection {
    /// 0 is the identity.
    fn numbered(number: u8) -> Self {
        Self { columns: number & 1 != 0, rows: number & 2 != 0, seats: number & 4 != 0 }
    }

    fn seat(self, seat: Seat) -> Seat {
        if self.seats { 1 - seat } else { seat }
    }

    fn direction(self, direction: usize) -> usize {
        match Direction::ALL[direction] {
            Direction::Up if self.rows => Direction::Down as usize,
            Direction::Down if self.rows => Direction::Up as usize,
            Direction::Right if self.columns => Direction::Left as usize,
            Direction::Left if self.columns => Direction::Right as usize,
            _ => direction,
        }
    }

    /// The plane of which a plane becomes the image.
    fn plane(self, plane: usize) -> usize {
        let of_pair = |first: usize| first + self.seat(plane - first);
        match plane {
            WAYS..NEARNESS => WAYS + self.direction(plane - WAYS),
            0 | 1 => of_pair(0),
            NEARNESS..NUMBERS | 13..=16 => of_pair(plane - (plane + 1) % 2),
            _ => plane,
        }
    }

    fn symmetry(self, width: usize, height: usize) -> Symmetry {
        let column = |x: usize| if self.columns { width - 1 - x } else { x };
        let row = |y: usize| if self.rows { height - 1 - y } else { y };
        let cells = || (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        let inputs = (0..PLANES).flat_map(|plane| {
            cells().map(move |(x, y)| (self.plane(plane) * width + column(x)) * height + row(y))
        });
        let policy = (0..2 * DIRECTIONS)
            .map(|index| DIRECTIONS * self.seat(index / DIRECTIONS) + self.direction(index % DIRECTIONS));
        Symmetry {
            inputs: inputs.collect(),
            policy: policy.collect(),
            values: (0..2).map(|seat| self.seat(seat)).collect(),
        }
    }
}
