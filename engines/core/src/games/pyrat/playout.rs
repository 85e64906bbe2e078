//! A greedy playout: both players go to the nearest piece again and again, for some turns.
//!
//! This is what a [`race`] is on boards with so much cheese that the times between all pieces are not kept. A player
//! looks for its next piece from where it stands, which is near there.
//!
//! [`race`]: super::race

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::PyRat;
use super::board::{NO_PIECE, Piece};
use super::direction::Direction;
use super::grid::Cell;
use super::state::State;
use super::travel::NEVER;
use crate::rules::Seat;

/// The most turns that are played. What is left then is won at the same pace by both.
const HORIZON: u16 = 64;

/// A way to a piece.
#[derive(Default)]
struct Route {
    /// The steps that are left, the next one last.
    steps: Vec<Direction>,
    /// [`NO_PIECE`] if there is none to be reached.
    target: Piece,
    /// The turn of the game in which the player gets there.
    arrival: u16,
}

/// The points that each seat wins from an unfinished state on.
#[must_use]
pub fn run<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> [f32; 2] {
    let last = rules.start().max_turns;
    let mut playout = Playout { rules, state: state.clone(), until: last.min(state.turn() + HORIZON) };
    let won = playout.play(state);
    let turns = f32::from((playout.state.turn() - state.turn()).max(1));
    let pace = (won[0] + won[1]) / 2.0 / turns;
    let later = match rules.end(&playout.state) {
        Some(_) => 0.0,
        None => {
            let most = f32::from(rules.remaining_half_points(&playout.state)) / 4.0;
            (pace * f32::from(last - playout.state.turn())).min(most)
        }
    };
    won.map(|points| points + later)
}

struct Playout<'r, const W: usize> {
    rules: &'r PyRat<W>,
    state: State<W>,
    /// The turn of the game at which it ends.
    until: u16,
}

impl<const W: usize> Playout<'_, W> {
    /// Plays to the end; returns what each seat has won since `start`.
    fn play(&mut self, start: &State<W>) -> [f32; 2] {
        let mut nearest = Nearest::new(self.rules.board().grid().cells());
        let mut routes = [0, 1].map(|seat| self.route(&mut nearest, seat, NO_PIECE));
        while self.state.turn() < self.until && self.rules.end(&self.state).is_none() {
            self.turn_round(&mut nearest, &mut routes);
            let players = *self.state.players();
            let steps = [0, 1].map(|seat| match players[seat].held {
                0 => routes[seat].steps.pop().unwrap_or(Direction::Stay),
                _ => Direction::Stay,
            });
            self.state.play(self.rules.board(), steps);
            for (seat, route) in routes.iter_mut().enumerate() {
                if route.target != NO_PIECE && !self.state.has(route.target) {
                    *route = self.route(&mut nearest, seat, NO_PIECE);
                }
            }
        }
        let before = start.players().map(|player| player.half_points);
        let after = self.state.players().map(|player| player.half_points);
        [0, 1].map(|seat| f32::from(after[seat] - before[seat]) / 2.0)
    }

    /// Whoever comes later to the piece that both go to looks for another one.
    fn turn_round(&self, nearest: &mut Nearest, routes: &mut [Route; 2]) {
        let [first, second] = &*routes;
        if first.target == NO_PIECE || first.target != second.target || first.arrival == second.arrival {
            return;
        }
        let (later, taken) = (usize::from(first.arrival < second.arrival), first.target);
        routes[later] = self.route(nearest, later, taken);
    }

    fn route(&self, nearest: &mut Nearest, seat: Seat, taken: Piece) -> Route {
        let player = self.state.players()[seat];
        let free = self.state.turn() + u16::from(player.held);
        let most = self.until.saturating_sub(free);
        nearest.find(self.rules, &self.state, seat, player.cell, taken, most).map_or(
            Route { target: NO_PIECE, ..Route::default() },
            |(target, time, steps)| Route { steps, target, arrival: free + time.max(1) },
        )
    }
}

/// Looks for the nearest piece, outwards from a cell.
struct Nearest {
    times: Vec<u16>,
    /// The step that leads to each cell, and from where.
    from: Vec<(Direction, Cell)>,
    /// The cells whose times are set.
    seen: Vec<Cell>,
    open: BinaryHeap<Reverse<(u16, Cell, Cell)>>,
}

impl Nearest {
    fn new(cells: u16) -> Self {
        let cells = usize::from(cells);
        Self {
            times: vec![NEVER; cells],
            from: vec![(Direction::Stay, 0); cells],
            seen: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    /// The nearest piece but `taken` that is reached in at most `most` turns, the time to it, and the steps, the first one
    /// last. Among equals, seat 0 takes the first cell and seat 1 the last one, so that a board turned by half is the same.
    fn find<const W: usize>(
        &mut self,
        rules: &PyRat<W>,
        state: &State<W>,
        seat: Seat,
        start: Cell,
        taken: Piece,
        most: u16,
    ) -> Option<(Piece, u16, Vec<Direction>)> {
        let board = rules.board();
        let last = board.grid().cells() - 1;
        let rank = |cell: Cell| if seat == 0 { cell } else { last - cell };
        self.seen.drain(..).for_each(|cell| self.times[usize::from(cell)] = NEVER);
        self.open.clear();
        self.set(start, 0, (Direction::Stay, start), rank(start));
        while let Some(Reverse((time, _, cell))) = self.open.pop() {
            if time > self.times[usize::from(cell)] {
                continue;
            }
            let piece = board.square(cell).piece;
            if piece != NO_PIECE && piece != taken && state.has(piece) {
                return Some((piece, time, self.steps_to(cell, start)));
            }
            for step in Direction::STEPS {
                let exit = board.square(cell).exits[step as usize];
                let later = time + 1 + u16::from(exit.held);
                if later <= most && later < self.times[usize::from(exit.to)] {
                    self.set(exit.to, later, (step, cell), rank(exit.to));
                }
            }
        }
        None
    }

    fn set(&mut self, cell: Cell, time: u16, from: (Direction, Cell), rank: Cell) {
        self.times[usize::from(cell)] = time;
        self.from[usize::from(cell)] = from;
        self.seen.push(cell);
        self.open.push(Reverse((time, rank, cell)));
    }

    fn steps_to(&self, cell: Cell, start: Cell) -> Vec<Direction> {
        let mut steps = Vec::new();
        let mut at = cell;
        while at != start {
            let (step, before) = self.from[usize::from(at)];
            steps.push(step);
            at = before;
        }
        steps
    }
}
