//! The contract of a game: what it must write (top of [`Rules`]) and what is derived from that (below).
//!
//! `Rules` is the immutable part of one started game (variant, board size, tables, configuration); `Rules::State` is
//! the part that changes and is cheap to clone. Seats are 0-based indices in turn order. Search works on *actions*,
//! players and records on *moves*, which may be several actions (see [`crate::moves`]).

use std::fmt::Debug;
use std::hash::Hash;

use serde_json::Value;

use crate::evaluator::Evaluator;
use crate::hidden::Hidden;
use crate::planes::Planes;
use crate::repetition::Repetition;

/// The most seats a game may have.
pub const MAX_SEATS: usize = 5;

/// A 0-based player index in turn order.
pub type Seat = usize;

/// One number per seat; entries at and beyond `Rules::seats` are 0.
pub type Values = [f32; MAX_SEATS];

/// Why a game refuses something. The state is unchanged whenever one is returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// Readable, but the rules forbid it here.
    #[error("{0}")]
    IllegalMove(String),
    /// Not in the game's notation.
    #[error("{0}")]
    BadNotation(String),
    /// A variant or a configuration that no game can start from.
    #[error("{0}")]
    BadConfig(String),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The place of each seat, 1 the best. Equal seats share a place, and the next ones move down: 1, 2, 2, 4. Entries
    /// at and beyond `Rules::seats` mean nothing.
    pub places: [u8; MAX_SEATS],
    /// Final points per seat, those that only the end of the game counts included; `None` in games without points.
    pub scores: Option<Values>,
    /// A fixed lower-case word of the game's specification, such as `capture`.
    pub reason: &'static str,
}

impl Outcome {
    /// `seat` alone won; the others share the second place.
    #[must_use]
    pub fn win(seat: Seat, reason: &'static str) -> Self {
        let mut places = [2; MAX_SEATS];
        places[seat] = 1;
        Self { places, scores: None, reason }
    }

    /// Nobody won: all seats share the first place.
    #[must_use]
    pub fn draw(reason: &'static str) -> Self {
        Self { places: [1; MAX_SEATS], scores: None, reason }
    }

    /// The most points win. The seats of the bit set `left` have left the game and come after all others.
    #[must_use]
    pub fn by_scores(scores: Values, seats: usize, left: u8, reason: &'static str) -> Self {
        let standing = |seat: Seat| (left >> seat & 1 == 0, scores[seat]);
        let ahead = |seat: Seat| (0..seats).filter(|other| standing(*other) > standing(seat)).count();
        let mut places = [1; MAX_SEATS];
        for (seat, place) in places.iter_mut().enumerate().take(seats) {
            *place = ahead(seat) as u8 + 1;
        }
        Self { places, scores: Some(scores), reason }
    }

    /// The seats in the first place, in order; empty in a draw, where all of them are.
    #[must_use]
    pub fn winners(&self, seats: usize) -> Vec<Seat> {
        let first: Vec<Seat> = (0..seats).filter(|seat| self.places[*seat] == 1).collect();
        if first.len() == seats { Vec::new() } else { first }
    }

    /// The value of the outcome for each of `seats` seats: +1 for the only winner, `shared_win` for each of several
    /// (all of them in a draw), −1 for everybody else.
    #[must_use]
    pub fn values(&self, seats: usize, shared_win: f32) -> Values {
        let first = self.places[..seats].iter().filter(|place| **place == 1).count();
        let win = if first == 1 { 1.0 } else { shared_win };
        let mut values = [0.0; MAX_SEATS];
        for (value, place) in values.iter_mut().zip(&self.places[..seats]) {
            *value = if *place == 1 { win } else { -1.0 };
        }
        values
    }
}

/// What a shared win is worth to everybody who is told a value, whatever a search makes of it.
pub const SHARED_WIN: f32 = 0.0;

/// Who decides next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ToAct {
    /// One seat chooses an action.
    One(Seat),
    /// Every seat chooses an action, without knowledge of the others' choices.
    Together,
    /// The game is over.
    Over(Outcome),
}

/// The law of one started game.
///
/// Laws that hold for every game (tested in `tests/laws.rs`): `legal` is empty exactly when the game is over or the
/// seat does not act; every listed action can be played; a refused move changes nothing; `key` equals `full_key`;
/// `write` then `read` is the identity on listed moves; `setup(config())` starts the same game.
pub trait Rules: Send + Sync + Sized + 'static {
    /// A state of play: small, flat, cheap to clone.
    type State: Clone + Send + Sync + 'static;
    /// One decision.
    type Action: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What becomes known when a move is played, in games with hidden information; `()` in all others.
    type Observation: PartialEq + Debug;

    // ---- required ------------------------------------------------------------------------------------------------

    /// Starts a game. The catalogue has checked that `variant` is one of the game's. Unknown keys of `config` are ignored; `null` stands for an empty object.
    ///
    /// # Errors
    /// `BadConfig` for an unknown variant, a value outside its limits or an illegal start; the text names the limit.
    fn setup(variant: &str, config: &Value) -> Result<(Self, Self::State), RuleError>;

    /// The complete public configuration: an object from which `setup` starts the same game, nothing defaulted.
    /// Secrets (a seed that fixes hidden order) are left out; see [`Hidden::secret`].
    fn config(&self) -> Value;

    /// Number of seats, 2..=[`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Who decides next.
    fn to_act(&self, state: &Self::State) -> ToAct;

    /// Appends the actions that `seat` may choose now, in the game's fixed order; nothing when it does not act.
    fn legal(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Action>);

    /// Plays one action per acting seat (a slice of one where one seat acts, one per seat in seat order where all do).
    /// Trusts that each is legal: anything else is a wrong state, though never undefined behaviour.
    fn play_unchecked(&self, state: &mut Self::State, actions: &[Self::Action]);

    /// `seat` leaves a running game (reason `resignation`; a server may know a better one). Two seats: the other wins. More: it is skipped from now on and cannot win.
    fn forfeit(&self, state: &mut Self::State, seat: Seat);

    /// A hash of everything that the rest of the game depends on, kept incrementally.
    fn key(&self, state: &Self::State) -> u128;

    /// The same hash computed from nothing.
    fn full_key(&self, state: &Self::State) -> u128;

    /// Reads the notation of one move of `seat`, or the beginning of one, as actions in the order given.
    /// Legality is checked as far as reading needs it; the caller checks the rest.
    ///
    /// # Errors
    /// `BadNotation` when it cannot be read, `IllegalMove` when it names something that cannot be played.
    fn read(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Vec<Self::Action>, RuleError>;

    /// The canonical notation of legal actions of one move of `seat`, played from `state` (at rest or within a move).
    /// No text starts with `!`, which marks forfeits in records, and none of a game whose seats ever act together
    /// contains `/`, which joins simultaneous moves there.
    fn write(&self, state: &Self::State, seat: Seat, actions: &[Self::Action]) -> String;

    /// What `seat` (or, without one, a spectator) may see: a JSON object, for boards and spectators.
    fn view(&self, state: &Self::State, seat: Option<Seat>) -> Value;

    // ---- derived -------------------------------------------------------------------------------------------------

    /// Whether the state lies between two moves. Games whose moves are several actions say `false` inside one.
    fn at_rest(&self, _state: &Self::State) -> bool {
        true
    }

    /// The action that ends the current move early, where players may do so although `legal` does not list it.
    fn end_early(&self, _state: &Self::State) -> Option<Self::Action> {
        None
    }

    /// Whether players are given whole moves to choose from. `false` where there are too many to list: players then
    /// choose action by action, and a move is written as its actions joined by `.`.
    fn lists_moves(&self) -> bool {
        true
    }

    /// Whether `seat` may choose `action` now. Override where membership is cheaper than listing, or where players
    /// may do more than `legal` lists.
    fn is_legal(&self, state: &Self::State, seat: Seat, action: Self::Action) -> bool {
        let mut legal = Vec::new();
        self.legal(state, seat, &mut legal);
        legal.contains(&action)
    }

    /// Number of actions that `legal` lists for `seat`; override where counting is cheaper than listing.
    fn count(&self, state: &Self::State, seat: Seat) -> u64 {
        let mut legal = Vec::new();
        self.legal(state, seat, &mut legal);
        legal.len() as u64
    }

    /// The key under which a search remembers a position, uniform in all bits. Override where `key` tells apart what is
    /// best played alike, such as positions that differ in what a rule on repetition has counted.
    fn table_key(&self, state: &Self::State) -> u128 {
        self.key(state)
    }

    /// A hash of everything that `seat` knows and that the rest of the game depends on: equal for all redeals of a
    /// state for that seat. Evaluations are cached by it, and searches that merge positions merge by it. Override in
    /// games with hidden information.
    fn information_key(&self, state: &Self::State, _seat: Seat) -> u128 {
        self.key(state)
    }

    /// The seats' points now, in games that have points (half points are allowed). What a seat gains by a slice of
    /// actions is the difference, and so are the rewards of a search. The final points, which may include what only the
    /// end of the game counts, stand in [`Outcome::scores`].
    fn scores(&self, _state: &Self::State) -> Option<Values> {
        None
    }

    /// What happened on the way from `before` to `after` beyond the actions themselves, as JSON objects with a `type`.
    /// For viewers and records; never needed to replay.
    fn events(&self, _before: &Self::State, _after: &Self::State) -> Vec<Value> {
        Vec::new()
    }

    /// The hidden part of the game, where it has one.
    fn hidden(&self) -> Option<&dyn Hidden<Self>> {
        None
    }

    /// The positions that come again, in a game where they can.
    fn repetition(&self) -> Option<&dyn Repetition<Self>> {
        None
    }

    /// The network planes of the game, where it has some.
    fn planes(&self) -> Option<&dyn Planes<Self>> {
        None
    }

    /// The game's own evaluator of this name (`native` is the default one), where it has one.
    fn evaluator(&self, _name: &str) -> Option<Box<dyn Evaluator<Self>>> {
        None
    }

    /// The seats that must act now.
    fn acting(&self, state: &Self::State) -> Vec<Seat> {
        match self.to_act(state) {
            ToAct::One(seat) => vec![seat],
            ToAct::Together => (0..self.seats()).collect(),
            ToAct::Over(_) => Vec::new(),
        }
    }
}
