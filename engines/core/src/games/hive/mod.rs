//! Hive, with the Mosquito, Ladybug and Pillbug expansions, in the notation of the Universal Hive Protocol.
//!
//! This file has the rules: legal placements, the end of a ply, and winning. The rest has files of its own:
//!
//! * [`bug`], [`grid`], [`ring`], [`cells`]: pieces; cells and directions; sets of both;
//! * [`board`], `holes`, [`action`]: the pieces on the grid; enclosed cells; one ply;
//! * [`reach`], [`window`]: destinations of a piece, as lists and as bits;
//! * [`gates`], [`pins`], [`walks`], [`crawl`], [`perimeter`], [`throws`], [`moves`]: freedom to move, the one-hive
//!   rule, and every legal move;
//! * [`state`], [`past`], `key`: the state of a game, its positions for the repetition rule, and hashes;
//! * [`variant`], [`config`], [`game_string`], [`composed`]: game types and starts;
//! * `symmetry`: positions seen from other sides;
//! * [`notation`], [`refusal`], [`view`]: MoveStrings, the reasons of refusals, and JSON for boards;
//! * [`features`], [`evaluate`], [`perceptron`]: what evaluators see of a position, and the two evaluators;
//! * `planes`: network input and output;
//! * [`about`]: the description for users.

pub mod about;
pub mod action;
pub mod board;
pub mod bug;
pub mod cells;
pub mod composed;
pub mod config;
pub mod crawl;
pub mod evaluate;
pub mod features;
pub mod game_string;
pub mod gates;
pub mod grid;
mod holes;
mod key;
pub mod moves;
pub mod notation;
pub mod past;
pub mod perceptron;
pub mod perimeter;
pub mod pins;
mod planes;
pub mod reach;
pub mod refusal;
pub mod ring;
pub mod state;
mod symmetry;
pub mod throws;
pub mod variant;
pub mod view;
pub mod walks;
mod weights;
pub mod window;

use serde_json::Value;

pub use self::about::about;

use self::action::{Action, Kind};
use self::bug::{Bug, Pieces};
use self::grid::{Cell, NOWHERE};
use self::moves::Turn;
use self::past::Seen;
use self::ring::Ring;
use self::state::{End, State};
use crate::evaluator::Evaluator;
use crate::planes::Planes;
use crate::repetition::{Earlier, Repetition};
use crate::rules::{RuleError, Rules, Seat, ToAct};
use crate::splitmix::{combine, mix};
use crate::symmetric::Symmetric;

/// The last turn in which a seat may place its Queen, counted from 0.
const QUEEN_DUE: u32 = 3;

/// The configurable rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Whether the third occurrence of a position is a draw.
    pub draw_by_repetition: bool,
    /// Number of plies after which the game is drawn; 0 for no limit.
    pub ply_limit: u32,
    /// Whether a seat's first piece may be its Queen.
    pub queen_first: bool,
}

/// The rules of one game.
pub struct Hive {
    name: &'static str,
    pieces: Pieces,
    terms: Terms,
    start: Start,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// After the moves of this canonical GameString, which may be none.
    Played(String),
    /// In a position that was set up: its cells as in the view, and the seat to move.
    Composed(Value, Seat),
}

impl Hive {
    /// The rules of a game type, starting from the empty board.
    fn new(name: &'static str, terms: Terms) -> Self {
        let start = Start::Played(game_string::write(name, &State::start(), &[]));
        Self { name, pieces: variant::pieces(name), terms, start }
    }

    /// The same rules with another start.
    fn started_as(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// The rules of a game that begins in a position that was set up, and this position, in which the game may be over.
    fn composed(self, mut state: State) -> (Self, State) {
        state.finish(Self::verdict(&state));
        let cells = view::cells(&state);
        let seat = state.seat();
        (self.started_as(Start::Composed(cells, seat)), state)
    }

    /// The game type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The pieces of this game type, for both seats.
    #[must_use]
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// The configurable rules of this game.
    #[must_use]
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// Where the game begins.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Whether the seat to move has to place its Queen now.
    #[inline]
    #[must_use]
    pub fn queen_is_due(&self, state: &State) -> bool {
        state.ply() / 2 >= QUEEN_DUE && state.board().queen(state.seat()).is_none()
    }

    /// Whether the seat to move may not place its Queen yet.
    #[inline]
    #[must_use]
    pub fn queen_is_early(&self, state: &State) -> bool {
        state.ply() < 2 && !self.terms.queen_first
    }

    /// The turn number of the seat to move.
    #[inline]
    #[must_use]
    pub fn turn<'s>(&self, state: &'s State) -> Turn<'s> {
        let seat = state.seat();
        let queen = Bug::Queen.pieces(seat);
        let mut hand = state.hand(seat, self.pieces);
        if self.queen_is_due(state) {
            hand = hand.and(queen);
        } else if self.queen_is_early(state) {
            hand = hand.without(queen);
        }
        Turn { board: state.board(), seat, resting: state.resting(), hand: hand.kinds() }
    }

    /// Whether the only legal action is to pass: there is no placement, move or throw.
    #[must_use]
    pub fn must_pass(&self, state: &State) -> bool {
        self.turn(state).count() == 0
    }

    /// The end of the game after the ply just counted, if any.
    #[inline]
    fn verdict(state: &State) -> End {
        let surrounded =
            |seat: Seat| state.board().queen(seat).is_some_and(|queen| state.board().ring(queen) == Ring::FULL);
        match (surrounded(0), surrounded(1)) {
            (false, false) => End::Running,
            (true, false) => End::Surrounded(1),
            (false, true) => End::Surrounded(0),
            (true, true) => End::BothSurrounded,
        }
    }

    /// Whether the rule that the piece on a cell must rest takes a move away from the seat to move.
    fn rest_matters(&self, state: &State, resting: Cell) -> bool {
        let turn = self.turn(state);
        (Turn { resting, ..turn }).count() != (Turn { resting: NOWHERE, ..turn }).count()
    }

    /// Plays an action other than a placement; the position after it may be a repetition.
    fn act_and_remember(state: &mut State, action: Action) {
        if state.past().is_empty() {
            let before = state.seen();
            state.past_mut().add(before);
        }
        state.act(action);
        let now = state.seen();
        state.past_mut().add(now);
    }

    /// Hashes what the future depends on in addition to the position.
    fn with_counters(&self, position: u128, state: &State, past: u64) -> u128 {
        let past = if self.terms.draw_by_repetition { past } else { 0 };
        let plies = if self.terms.ply_limit == 0 { 0 } else { u64::from(state.ply()) };
        if past == 0 && plies == 0 { position } else { combine(position, past ^ mix(plies)) }
    }

    fn acts(&self, state: &State, seat: Seat) -> bool {
        state.end() == End::Running && state.seat() == seat
    }
}

impl Repetition<Self> for Hive {
    fn earlier(&self, state: &State) -> Option<Earlier> {
        let now = state.past().latest().filter(|_| state.past().may_recur())?;
        let matters = |resting| self.rest_matters(state, state.cell_of_seen(resting));
        // Evaluated lazily: repetitions are rare.
        let alike = |seen: Seen| seen.resting == now.resting || !matters(now.resting) && !matters(seen.resting);
        let mut before = state.past().before().filter(|&(_, seen)| seen.key == now.key && alike(seen));
        let (plies, _) = before.next()?;
        Some(Earlier { times: 1 + before.count(), plies })
    }

    fn repeated(&self, state: &State) -> u64 {
        state.past().repeated()
    }
}

impl Rules for Hive {
    type State = State;
    type Action = Action;
    type Observation = ();

    fn setup(variant: &str, config: &Value) -> Result<(Self, State), RuleError> {
        config::read(variant, config)
    }

    fn config(&self) -> Value {
        config::write(self)
    }

    /// Measured: medians of 44 to 47 with 20,000 nodes a move, with a long tail.
    fn usual_plies(&self) -> Option<u32> {
        Some(50)
    }

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn to_act(&self, state: &State) -> ToAct {
        state.end().outcome().map_or(ToAct::One(state.seat()), ToAct::Over)
    }

    fn legal(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if !self.acts(state, seat) {
            return;
        }
        let before = out.len();
        self.turn(state).list(out);
        if out.len() == before {
            out.push(Action::PASS);
        }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, actions: &[Action]) {
        let Some(&action) = actions.first() else { return };
        if matches!(action.kind(), Kind::Place(..)) {
            state.past_mut().clear();
            state.act(action);
        } else {
            Self::act_and_remember(state, action);
        }
        let repeated =
            || self.terms.draw_by_repetition && self.earlier(state).is_some_and(|earlier| earlier.times > 1);
        state.finish(match Self::verdict(state) {
            End::Running if repeated() => End::Repetition,
            End::Running if self.terms.ply_limit != 0 && state.ply() >= self.terms.ply_limit => End::PlyLimit,
            end => end,
        });
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.finish(End::Resignation(if seat == 0 { 1 } else { 0 }));
    }

    #[inline]
    fn key(&self, state: &State) -> u128 {
        self.with_counters(self.table_key(state), state, state.past().digest())
    }

    fn full_key(&self, state: &State) -> u128 {
        self.with_counters(state.key(state.board().full_hash()), state, state.past().full_digest())
    }

    fn repetition(&self) -> Option<&dyn Repetition<Self>> {
        Some(self)
    }

    fn symmetric(&self) -> Option<&dyn Symmetric<Self>> {
        Some(self)
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }

    #[inline]
    fn table_key(&self, state: &State) -> u128 {
        state.key(state.board().hash())
    }

    fn read(&self, state: &State, seat: Seat, text: &str) -> Result<Vec<Action>, RuleError> {
        notation::read(self, state, seat, text).map(|action| vec![action])
    }

    fn write(&self, state: &State, _seat: Seat, actions: &[Action]) -> String {
        actions.first().map_or_else(String::new, |&action| notation::write(state, action))
    }

    fn view(&self, state: &State, _seat: Option<Seat>) -> Value {
        view::view(self, state)
    }

    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        match name {
            "native" => Ok(Box::new(&perceptron::NATIVE)),
            "linear" => Ok(Box::new(evaluate::Linear::default())),
            _ => Err(RuleError::no_evaluator(name)),
        }
    }

    #[inline]
    fn count(&self, state: &State, seat: Seat) -> u64 {
        if self.acts(state, seat) { self.turn(state).count().max(1) } else { 0 }
    }
}
