//! Network input and output. Both seats act at once, so nothing is seen from one seat's side: the planes name the seats by
//! their numbers, and there are two policies and two values.
//!
//! Tensors have columns before rows: cell x, y of a plane is number `x · height + y`. Planes 0 and 1 mark where the players
//! are, 2 the cheese, 3 to 6 what is in the way of a step up, right, down and left (1: a wall; for mud, the turns that it
//! holds a player, divided by 16). Planes 7 and 8 say how near the cheese is to each player, 1 / (1 + turns / 4) where there
//! is cheese. The rest are the same number everywhere: how long mud still holds each player (divided by 16), the lead of
//! seat 0 as a share of the remaining points, the share of cheese that is left, 1 / (1 + pieces left / 4), the share of the
//! turns that is left, and 1 / (1 + turns left / 16).
//!
//! The policies are five directions for each seat. The values are the points that each seat still wins, as a share of the
//! remaining ones.

use super::PyRat;
use super::direction::Direction;
use super::grid::{Cell, Grid};
use super::state::State;
use crate::planes::{Layout, Planes, Signature};
use crate::rules::Seat;

const PLANES: usize = 16;
const DIRECTIONS: usize = 5;

/// The longest time that mud holds a player.
const LONGEST_HELD: f32 = 16.0;

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
    fn numbers(&self, state: &State<W>) -> [f32; 7] {
        let [first, second] = state.players();
        let remaining = f32::from(self.remaining_half_points(state)).max(1.0);
        let pieces = remaining / 2.0;
        let turns = f32::from(self.start().max_turns - state.turn());
        [
            f32::from(first.held) / LONGEST_HELD,
            f32::from(second.held) / LONGEST_HELD,
            ((f32::from(first.half_points) - f32::from(second.half_points)) / remaining).clamp(-1.0, 1.0),
            pieces / self.start().cheese.len() as f32,
            1.0 / (1.0 + pieces / 4.0),
            turns / f32::from(self.start().max_turns),
            1.0 / (1.0 + turns / 16.0),
        ]
    }
}

impl<const W: usize> Planes<Self> for PyRat<W> {
    fn layout(&self) -> Layout {
        Layout { signature: self.signature(), policies: 2, per_cell: 0, anchors: vec![(0, 1.0), (1, 1.0)] }
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        let own = self.signature();
        let Signature { planes, policy, values, .. } = *signature;
        if (planes, policy, values) != (own.planes, own.policy, own.values) {
            return Err(format!("{planes} planes, a policy of {policy} and {values} values are not 16, 10 and 2"));
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

    fn fill(&self, state: &State<W>, signature: &Signature, row: &mut [f32]) {
        let area = signature.dim2 * signature.dim3;
        row.fill(0.0);
        let (marks, numbers) = row.split_at_mut(9 * area);
        for (seat, player) in state.players().iter().enumerate() {
            marks[seat * area + self.place(player.cell)] = 1.0;
            let times = self.times_from(player.cell);
            for piece in state.pieces().map(usize::from) {
                let place = self.place(self.start().cheese[piece]);
                let turns = f32::from(times[piece].saturating_add(player.held.into()));
                marks[2 * area + place] = 1.0;
                marks[(7 + seat) * area + place] = 1.0 / (1.0 + turns / 4.0);
            }
        }
        self.fill_ways(&mut marks[3 * area..7 * area], area);
        for (plane, number) in numbers.chunks_exact_mut(area).zip(self.numbers(state)) {
            plane.fill(number);
        }
    }

    fn policy_index(&self, _: &State<W>, _: &Signature, seat: Seat, action: Direction) -> Option<usize> {
        Some(DIRECTIONS * seat + action as usize)
    }
}
