//! Wallwars: cats, mice and walls on a grid, with two actions per turn.
//!
//! This file has the rules: legality, the end of a turn, and winning. The rest has files of its own:
//!
//! * [`action`], [`bits`], [`board`], [`paths`]: single actions; sets of cells; edges and walls; distances;
//! * [`setup`], [`config`], [`freestyle`]: a start position, read from JSON or generated;
//! * [`state`], `key`: the state of a game, and its hash;
//! * [`notation`], [`view`]: text and JSON;
//! * [`planes`], [`padding`]: network input and output;
//! * [`simple`], [`native`]: evaluators without a network, the reference's and our own;
//! * [`about`]: the description for users.
//!
//! `N` is the number of words in a set of cells, see [`config::words`].

pub mod about;
pub mod action;
pub mod bits;
pub mod board;
pub mod config;
pub mod freestyle;
mod key;
pub mod native;
pub mod notation;
pub mod padding;
pub mod paths;
pub mod planes;
pub mod setup;
pub mod simple;
pub mod state;
pub mod view;

use serde_json::Value;

pub use self::about::about;
pub use self::config::words;

use self::action::{Action, ActionKind, Cell, Direction, Pawn, Wall};
use self::board::{Edges, Grid};
use self::native::Native;
use self::setup::Variant;
use self::simple::Simple;
use self::state::{ACTIONS_PER_TURN, End, State};
use crate::evaluator::Evaluator;
use crate::planes::Planes;
use crate::rules::{RuleError, Rules, Seat, ToAct};

/// The maximum distance between the second player's cat and player 1's mouse at which the one-move rule gives a draw.
const ONE_MOVE: u16 = ACTIONS_PER_TURN as u16;

/// The rules of one game.
pub struct Wallwars<const N: usize> {
    variant: Variant,
    grid: Grid,
    neutral: Edges<N>,
    start: State<N>,
}

impl<const N: usize> Wallwars<N> {
    /// The rules for a validated start; `neutral` are its walls without an owner.
    fn new(variant: Variant, grid: Grid, neutral: Edges<N>, start: State<N>) -> Self {
        Self { variant, grid, neutral, start }
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The size of the board.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The start position.
    #[must_use]
    pub fn start(&self) -> &State<N> {
        &self.start
    }

    /// The cell of `seat`'s cat and its goal; `None` for a seat without a cat.
    #[inline]
    #[must_use]
    pub fn race(&self, state: &State<N>, seat: Seat) -> Option<(Cell, Cell)> {
        setup::race(self.variant, state.pawns(), seat)
    }

    /// The owner of a wall on the board; `None` for neutral walls of the start.
    #[must_use]
    pub fn owner(&self, state: &State<N>, wall: Wall) -> Option<Seat> {
        if self.neutral.has(wall) {
            return None;
        }
        Some(usize::from(state.second().has(wall)))
    }

    /// Whether `seat` has this pawn and may move it.
    #[inline]
    #[must_use]
    pub fn moves_pawn(&self, seat: Seat, pawn: Pawn) -> bool {
        match (self.variant, pawn) {
            (Variant::Standard | Variant::Freestyle, _) | (Variant::Classic, Pawn::Cat) => true,
            (Variant::Classic, Pawn::Mouse) => false,
            (Variant::Survival(_), Pawn::Cat) => seat == 0,
            (Variant::Survival(terms), Pawn::Mouse) => seat == 1 && terms.mouse_can_move,
        }
    }

    /// Whether the seat to move may take this step with `pawn`.
    #[inline]
    #[must_use]
    pub fn can_step(&self, state: &State<N>, pawn: Pawn, direction: Direction) -> bool {
        let seat = state.seat();
        self.moves_pawn(seat, pawn) && state.board().can_step(state.pawn(seat, pawn), direction)
    }

    /// Whether a wall on `wall` leaves every cat a way to its goal. Does not check that the edge is free.
    #[must_use]
    pub fn leaves_ways(&self, state: &State<N>, wall: Wall) -> bool {
        [0, 1]
            .into_iter()
            .filter_map(|seat| self.race(state, seat))
            .all(|(cat, goal)| state.board().connects_despite(wall, cat, goal))
    }

    /// The edges where a wall may be placed now.
    #[must_use]
    pub fn wall_places(&self, state: &State<N>) -> Edges<N> {
        [0, 1]
            .into_iter()
            .filter_map(|seat| self.race(state, seat))
            .fold(state.board().open, |open, (cat, goal)| open.minus(state.board().separating(cat, goal)))
    }

    /// The steps of the seat to move, in the order of lists.
    #[inline]
    pub fn steps<'s>(&'s self, state: &'s State<N>) -> impl Iterator<Item = Action> + 's {
        [Pawn::Cat, Pawn::Mouse].into_iter().filter(|&pawn| self.moves_pawn(state.seat(), pawn)).flat_map(
            move |pawn| {
                let cell = state.pawn(state.seat(), pawn);
                Direction::ALL
                    .into_iter()
                    .filter(move |&direction| state.board().can_step(cell, direction))
                    .map(move |direction| Action::step(pawn, direction))
            },
        )
    }

    /// How the turn just finished by `mover` ends the game, if it does. The ply already counts that turn.
    fn verdict(&self, state: &State<N>, mover: Seat) -> End {
        match self.variant {
            Variant::Standard | Variant::Freestyle => self.duel_verdict(state, mover),
            Variant::Classic => match self.race(state, mover) {
                Some((cat, home)) if cat == home => End::Capture(mover as u8),
                _ => End::Running,
            },
            Variant::Survival(terms) => {
                let moves = state.ply().div_ceil(2);
                if state.pawn(0, Pawn::Cat) == state.pawn(1, Pawn::Mouse) {
                    End::Capture(0)
                } else if mover == 0 && moves >= terms.turns {
                    End::Survival
                } else {
                    End::Running
                }
            }
        }
    }

    fn duel_verdict(&self, state: &State<N>, mover: Seat) -> End {
        let other = 1 - mover;
        if state.pawn(mover, Pawn::Cat) == state.pawn(other, Pawn::Mouse) {
            let answered = mover == 0
                && state
                    .board()
                    .distance(state.pawn(other, Pawn::Cat), state.pawn(mover, Pawn::Mouse))
                    .is_some_and(|steps| steps <= ONE_MOVE);
            return if answered { End::OneMoveRule } else { End::Capture(mover as u8) };
        }
        if state.pawn(other, Pawn::Cat) == state.pawn(mover, Pawn::Mouse) {
            return End::Capture(other as u8);
        }
        End::Running
    }

    /// What the future depends on of the number of moves played, apart from the seat to move.
    fn counted_moves(&self, state: &State<N>) -> u32 {
        if matches!(self.variant, Variant::Survival(_)) { state.ply() } else { 0 }
    }

    fn acts(&self, state: &State<N>, seat: Seat) -> bool {
        state.end() == End::Running && state.seat() == seat
    }
}

impl<const N: usize> Rules for Wallwars<N> {
    type State = State<N>;
    type Action = Action;
    type Observation = ();

    fn setup(variant: &str, config: &Value) -> Result<(Self, Self::State), RuleError> {
        config::read(variant, config)?.begin()
    }

    fn config(&self) -> Value {
        view::config(self)
    }

    /// Measured on boards from 4×4 to 12×12: medians of 0.7 to 0.94 plies for each cell.
    fn usual_plies(&self) -> Option<u32> {
        Some(u32::from(self.grid.width) * u32::from(self.grid.height) * 7 / 8)
    }

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn to_act(&self, state: &Self::State) -> ToAct {
        state.end().outcome().map_or(ToAct::One(state.seat()), ToAct::Over)
    }

    fn legal(&self, state: &Self::State, seat: Seat, out: &mut Vec<Action>) {
        if !self.acts(state, seat) {
            return;
        }
        let before = out.len();
        out.extend(self.steps(state));
        let places = self.wall_places(state);
        out.reserve(places.len() as usize);
        places.iter().for_each(|wall| out.push(Action::wall(wall)));
        if out.len() == before {
            out.push(Action::END);
        }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut Self::State, actions: &[Action]) {
        let Some(&action) = actions.first() else { return };
        let mover = state.seat();
        if state.act(action) {
            state.pass_turn();
            state.finish(self.verdict(state, mover));
        }
    }

    fn forfeit(&self, state: &mut Self::State, seat: Seat) {
        state.finish(End::Resignation(if seat == 0 { 1 } else { 0 }));
    }

    #[inline]
    fn key(&self, state: &Self::State) -> u128 {
        state.key(state.walls_hash(), self.counted_moves(state))
    }

    fn full_key(&self, state: &Self::State) -> u128 {
        let walls = key::walls(self.variant, self.grid, state.board().open);
        state.key(walls, self.counted_moves(state))
    }

    fn read(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Vec<Action>, RuleError> {
        notation::read(self, state, seat, text)
    }

    fn write(&self, state: &Self::State, seat: Seat, actions: &[Action]) -> String {
        notation::write(self, state, seat, actions)
    }

    fn view(&self, state: &Self::State, _seat: Option<Seat>) -> Value {
        view::view(self, state)
    }

    #[inline]
    fn at_rest(&self, state: &Self::State) -> bool {
        state.actions_left() == ACTIONS_PER_TURN
    }

    fn end_early(&self, state: &Self::State) -> Option<Action> {
        (state.end() == End::Running).then_some(Action::END)
    }

    /// Only a cat that reaches its goal wins in its own turn.
    fn may_win(&self, state: &Self::State, seat: Seat) -> bool {
        self.race(state, seat).is_some_and(|(cat, goal)| {
            state.board().distance(cat, goal).is_some_and(|steps| steps <= state.actions_left().into())
        })
    }

    fn lists_moves(&self) -> bool {
        false
    }

    fn is_legal(&self, state: &Self::State, seat: Seat, action: Action) -> bool {
        self.acts(state, seat)
            && match action.kind() {
                ActionKind::Step(pawn, direction) => self.can_step(state, pawn, direction),
                ActionKind::Wall(wall) => state.board().open.has(wall) && self.leaves_ways(state, wall),
                ActionKind::End => true,
            }
    }

    fn count(&self, state: &Self::State, seat: Seat) -> u64 {
        if !self.acts(state, seat) {
            return 0;
        }
        let actions = self.steps(state).count() as u64 + u64::from(self.wall_places(state).len());
        actions.max(1)
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        match name {
            "native" => Ok(Box::new(Native::default())),
            "simple" => Ok(Box::new(Simple::default())),
            _ => Err(RuleError::no_evaluator(name)),
        }
    }
}
