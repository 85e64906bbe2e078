//! PyRat: two players collect cheese in a maze with mud. Both move at the same time.
//!
//! This file has the rules: who may do what, and how a game ends. The rest has files of its own:
//!
//! * [`direction`], [`grid`]: single decisions, and cells;
//! * [`maze`], [`board`]: walls and mud, and the tables made from them for play;
//! * [`state`], [`key`]: what changes in a game, one turn of it, and hashes;
//! * [`variant`], [`generate`], [`config`]: named boards, random starts, and starts as JSON;
//! * [`travel`], [`race`], [`playout`]: travel times, and who wins which cheese;
//! * [`greedy`], [`share`], [`native`]: evaluators;
//! * [`planes`]: input and output of networks;
//! * [`view`], [`about`]: what boards draw, and the description for users.
//!
//! `W` is the number of words in a set of pieces of cheese, see [`config::words`]. A set has a bit per piece rather than
//! per cell, so that a state of the usual boards takes 40 bytes. Searches copy states: copying one and playing a turn on
//! it takes no longer than playing and taking back (`benches/pyrat.rs`: 10 and 11 ns).

pub mod about;
pub mod board;
pub mod config;
pub mod direction;
pub mod generate;
pub mod greedy;
pub mod grid;
pub mod key;
pub mod maze;
pub mod native;
pub mod planes;
pub mod playout;
pub mod race;
pub mod share;
pub mod state;
pub mod travel;
pub mod variant;
pub mod view;

use std::borrow::Cow;

use serde_json::Value;

pub use self::about::about;
pub use self::config::words;

use self::board::{Board, NO_PIECE};
use self::config::Start;
use self::direction::{Direction, choices};
use self::greedy::Greedy;
use self::grid::Cell;
use self::native::Native;
use self::share::Share;
use self::state::State;
use self::travel::{NEVER, TravelTimes};
use crate::evaluator::{Evaluator, Zero};
use crate::planes::Planes;
use crate::points::Points;
use crate::rules::{MAX_SEATS, Outcome, RuleError, Rules, Seat, ToAct, Values};
use crate::walking::Walking;

/// The rules of one game with at most 64 · `W` pieces of cheese.
pub struct PyRat<const W: usize> {
    start: Start,
    board: Board,
    times: TravelTimes,
    /// The hash of what never changes.
    game: u128,
}

impl<const W: usize> PyRat<W> {
    /// The start of the game.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The tables of the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of turns from a cell to each piece of cheese, for a player that mud does not hold.
    #[inline]
    #[must_use]
    pub fn times_from(&self, cell: Cell) -> Cow<'_, [u16]> {
        self.times_within(cell, NEVER)
    }

    /// As [`Self::times_from`]; where that computes the times, only those that are at most `most`, and `NEVER` for others.
    #[inline]
    #[must_use]
    pub fn times_within(&self, cell: Cell, most: u16) -> Cow<'_, [u16]> {
        self.times.within(&self.board, &self.start.cheese, cell, most)
    }

    /// Whether a shortest way from a cell to a piece begins in a direction.
    #[must_use]
    pub fn is_way_to(&self, from: Cell, direction: Direction, piece: usize) -> bool {
        let exits = self.board.square(from).exits;
        let mut times = self.times.to(&self.board, &self.start.cheese, piece, exits.map(|exit| exit.to));
        times.iter_mut().zip(exits).for_each(|(time, exit)| *time = time.saturating_add(exit.held.into()));
        times.iter().min() == Some(&times[direction as usize])
    }

    /// Whether [`Self::times_from`] reads a table, rather than computing the times.
    #[must_use]
    pub fn keeps_times(&self) -> bool {
        travel::keeps(&self.board, self.start.cheese.len())
    }

    /// The value of an unfinished state for each seat, if the seats win these points from here on.
    #[must_use]
    pub fn values_with(&self, state: &State<W>, future: [f32; 2]) -> Values {
        let mut expected = state.scores();
        expected.iter_mut().zip(future).for_each(|(points, more)| *points += more);
        self.values(state, &expected)
    }

    /// The pieces of cheese that are left, in half points.
    #[inline]
    #[must_use]
    pub fn remaining_half_points(&self, state: &State<W>) -> u16 {
        let [first, second] = state.players();
        2 * self.start.cheese.len() as u16 - first.half_points - second.half_points
    }

    /// Why the game is over; `None` if it goes on.
    #[inline]
    fn end(&self, state: &State<W>) -> Option<&'static str> {
        let total = self.start.cheese.len() as u16;
        let [first, second] = state.players().map(|player| player.half_points);
        if first > total || second > total {
            return Some("majority");
        }
        if first + second == 2 * total {
            return Some("cheese");
        }
        (state.turn() >= self.start.max_turns).then_some("ply-limit")
    }

    /// The directions with different effects for a seat of a running game.
    #[inline]
    fn choices(&self, state: &State<W>, seat: Seat) -> &'static [Direction] {
        let player = state.players()[seat];
        choices(if player.held > 0 { 0 } else { self.board.square(player.cell).open })
    }

    #[inline]
    fn is_running(&self, state: &State<W>) -> bool {
        state.left().is_none() && self.end(state).is_none()
    }
}

impl<const W: usize> Rules for PyRat<W> {
    type State = State<W>;
    type Action = Direction;
    type Observation = ();

    const TOGETHER: bool = true;

    fn setup(variant: &str, config: &Value) -> Result<(Self, State<W>), RuleError> {
        let start = config::read(variant, config)?;
        let pieces = start.cheese.len();
        if pieces > 64 * W {
            return Err(RuleError::BadConfig(format!("{pieces} pieces of cheese are more than {}", 64 * W)));
        }
        let state = State::start(start.starts, &start.cheese);
        let board = Board::new(&start.maze, start.mud_model, &start.cheese);
        let game = key::game(&start.maze, start.mud_model, pieces, start.max_turns);
        Ok((Self { start, board, times: TravelTimes::default(), game }, state))
    }

    fn config(&self) -> Value {
        config::write(&self.start)
    }

    /// As on `medium`; on smaller boards and without walls, games are over sooner, on larger ones later.
    fn usual_plies(&self) -> Option<u32> {
        Some(u32::from(self.start.max_turns) * 4 / 5)
    }

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn to_act(&self, state: &State<W>) -> ToAct {
        if let Some(seat) = state.left() {
            return ToAct::Over(Outcome::win(1 - seat, "resignation"));
        }
        let over = |reason| ToAct::Over(Outcome::by_scores(state.scores(), 2, 0, reason));
        self.end(state).map_or(ToAct::Together, over)
    }

    #[inline]
    fn legal(&self, state: &State<W>, seat: Seat, out: &mut Vec<Direction>) {
        if self.is_running(state) {
            out.extend_from_slice(self.choices(state, seat));
        }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State<W>, actions: &[Direction]) {
        if let [first, second] = actions {
            state.play(&self.board, [*first, *second]);
        }
    }

    fn forfeit(&self, state: &mut State<W>, seat: Seat) {
        state.leave(seat);
    }

    #[inline]
    fn key(&self, state: &State<W>) -> u128 {
        key::key(self.game, state, state.cheese_hash())
    }

    fn full_key(&self, state: &State<W>) -> u128 {
        let cells: Vec<_> = state.pieces().map(|piece| self.start.cheese[usize::from(piece)]).collect();
        key::key(self.game, state, key::cheese(&cells))
    }

    /// A direction that has no effect is read as `Stay`.
    fn read(&self, state: &State<W>, seat: Seat, text: &str) -> Result<Vec<Direction>, RuleError> {
        let Some(direction) = Direction::named(text) else {
            let text: String = text.chars().take(40).collect();
            return Err(RuleError::BadNotation(format!("'{text}' is not UP, RIGHT, DOWN, LEFT or STAY")));
        };
        let has_effect = self.choices(state, seat).contains(&direction);
        Ok(vec![if has_effect { direction } else { Direction::Stay }])
    }

    fn write(&self, _state: &State<W>, _seat: Seat, actions: &[Direction]) -> String {
        actions.iter().map(|direction| direction.name()).collect()
    }

    fn view(&self, state: &State<W>, _seat: Option<Seat>) -> Value {
        view::view(self, state)
    }

    fn constants(&self) -> Value {
        view::constants(self)
    }

    #[inline]
    fn is_legal(&self, state: &State<W>, seat: Seat, action: Direction) -> bool {
        self.is_running(state) && self.choices(state, seat).contains(&action)
    }

    #[inline]
    fn count(&self, state: &State<W>, seat: Seat) -> u64 {
        if self.is_running(state) { self.choices(state, seat).len() as u64 } else { 0 }
    }

    #[inline]
    fn scores(&self, state: &State<W>) -> Option<Values> {
        Some(state.scores())
    }

    fn points(&self) -> Option<&dyn Points<Self>> {
        Some(self)
    }

    fn walking(&self) -> Option<&dyn Walking<Self>> {
        Some(self)
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        match name {
            "native" => Ok(Box::new(Native)),
            "share" => Ok(Box::new(Share)),
            "greedy" => Ok(Box::new(Greedy)),
            "zero" => Ok(Box::new(Zero)),
            _ => Err(RuleError::no_evaluator(name)),
        }
    }
}

impl<const W: usize> Points<Self> for PyRat<W> {
    #[inline]
    fn remaining(&self, state: &State<W>) -> f32 {
        f32::from(self.remaining_half_points(state)) / 2.0
    }

    /// tanh(margin / (1 + remaining / 8)): a point counts the more, the fewer are left.
    fn values(&self, state: &State<W>, expected: &Values) -> Values {
        let value = ((expected[0] - expected[1]) / (1.0 + self.remaining(state) / 8.0)).tanh();
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (value, -value);
        values
    }
}

impl<const W: usize> Walking<Self> for PyRat<W> {
    fn cell(&self, state: &State<W>, seat: Seat) -> u16 {
        state.players()[seat].cell
    }

    fn leads_to(&self, state: &State<W>, seat: Seat, action: Direction, cell: u16) -> bool {
        let piece = self.board.square(cell).piece;
        piece != NO_PIECE && self.is_way_to(state.players()[seat].cell, action, piece.into())
    }
}
