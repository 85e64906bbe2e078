//! The interface of a game: what it has to implement (top of [`Rules`]) and what is derived from that (below).
//!
//! `Rules` is the immutable part of a game (variant, board size, tables, configuration); `Rules::State` is the part
//! that changes and is cheap to clone. Seats are 0-based indices in turn order. Searches work with *actions*, players
//! and records with *moves*, which may consist of several actions (see [`crate::moves`]).

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::evaluator::Evaluator;
use crate::hidden::Hidden;
use crate::planes::Planes;
use crate::points::Points;
use crate::repetition::Repetition;
use crate::symmetric::Symmetric;
use crate::walking::Walking;

/// The most seats a game may have.
pub const MAX_SEATS: usize = 5;

/// A 0-based player index in turn order.
pub type Seat = usize;

/// One number per seat; entries at and beyond `Rules::seats` are 0.
pub type Values = [f32; MAX_SEATS];

/// Why a game refuses something. The state is always unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// The text is readable, but the rules forbid the move here.
    #[error("{0}")]
    IllegalMove(String),
    /// The text is not in the game's notation.
    #[error("{0}")]
    BadNotation(String),
    /// An unknown variant or invalid configuration.
    #[error("{0}")]
    BadConfig(String),
}

impl RuleError {
    /// The game has no evaluator with this name.
    #[must_use]
    pub fn no_evaluator(name: &str) -> Self {
        Self::BadConfig(format!("this game has no evaluator '{name}'"))
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The place of each seat, 1 being the best. Tied seats share a place, as in 1, 2, 2, 4. Entries from
    /// `Rules::seats` on are meaningless.
    pub places: [u8; MAX_SEATS],
    /// Final points per seat, including those counted only at the end of the game; `None` in games without points.
    pub scores: Option<Values>,
    /// A fixed lower-case word of the game's specification, such as `capture`.
    pub reason: &'static str,
}

impl Outcome {
    /// `seat` alone wins; the others share the second place.
    #[must_use]
    pub fn win(seat: Seat, reason: &'static str) -> Self {
        let mut places = [2; MAX_SEATS];
        places[seat] = 1;
        Self { places, scores: None, reason }
    }

    /// All seats share the first place.
    #[must_use]
    pub fn draw(reason: &'static str) -> Self {
        Self { places: [1; MAX_SEATS], scores: None, reason }
    }

    /// The most points win. The seats in the bit set `left` have left the game and are placed after all others.
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

    /// The seats in first place, in order; empty in a draw, in which all seats share it.
    #[must_use]
    pub fn winners(&self, seats: usize) -> Vec<Seat> {
        let first: Vec<Seat> = (0..seats).filter(|seat| self.places[*seat] == 1).collect();
        if first.len() == seats { Vec::new() } else { first }
    }

    /// The value of the outcome for each of `seats` seats: 2 · share − 1, where the winners share the win equally. So a
    /// sole winner has +1, each of two winners 0, and a loser −1; the values add up to 2 − `seats`.
    #[must_use]
    pub fn values(&self, seats: usize) -> Values {
        let winners = self.places[..seats].iter().filter(|place| **place == 1).count();
        self.values_with(seats, 2.0 / winners as f32 - 1.0)
    }

    /// The same with another value for each of several winners.
    #[must_use]
    pub fn values_with(&self, seats: usize, shared_win: f32) -> Values {
        let winners = self.places[..seats].iter().filter(|place| **place == 1).count();
        let win = if winners == 1 { 1.0 } else { shared_win };
        let mut values = [0.0; MAX_SEATS];
        for (value, place) in values.iter_mut().zip(&self.places[..seats]) {
            *value = if *place == 1 { win } else { -1.0 };
        }
        values
    }
}

/// Which seats act next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ToAct {
    /// One seat chooses an action.
    One(Seat),
    /// Every seat chooses an action without knowing the others' choices.
    Together,
    /// The game is over.
    Over(Outcome),
}

/// A hash that is the same in every process.
pub fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The rules of one game that was set up.
///
/// Laws that hold for every game (tested in `tests/laws.rs`): `legal` is empty exactly when the game is over or the
/// seat does not act; every listed action can be played; a refused move changes nothing; `key` equals `full_key`;
/// `write` then `read` is the identity on listed moves; `setup(config())` starts the same game.
pub trait Rules: Send + Sync + Sized + 'static {
    /// A state of the game: small, flat, cheap to clone.
    type State: Clone + Send + Sync + 'static;
    /// One decision.
    type Action: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What a move reveals, in games with hidden information; `()` in all others.
    type Observation: PartialEq + Debug;

    /// Whether all seats act together in every running position; `false` if they act one at a time. Only the searches
    /// for games of that kind are compiled for the game.
    const TOGETHER: bool = false;

    // ---- required ------------------------------------------------------------------------------------------------

    /// Sets up a game. The catalogue has checked that `variant` is one of the game's, and that `config` is an object with
    /// members of the game that are not `null`; nested objects are checked here.
    ///
    /// # Errors
    /// `BadConfig` for an unknown variant, a value out of range or an illegal start; the text names the limit.
    fn setup(variant: &str, config: &Value) -> Result<(Self, Self::State), RuleError>;

    /// The complete public configuration, including defaults: `setup` starts the same game from it. Secrets (a seed
    /// that determines a hidden order) are left out; see [`Hidden::secret`].
    fn config(&self) -> Value;

    /// Number of seats, 2..=[`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Which seats act next.
    fn to_act(&self, state: &Self::State) -> ToAct;

    /// Appends the legal actions of `seat`, in the game's fixed order; nothing if it does not act.
    fn legal(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Action>);

    /// Plays one action per acting seat (a slice of one if one seat acts, one per seat in seat order if all do). Does
    /// not check their legality: an illegal action produces a wrong state, but never undefined behaviour.
    fn play_unchecked(&self, state: &mut Self::State, actions: &[Self::Action]);

    /// `seat` leaves a running game (reason `resignation`; servers may replace it). With two seats, the other one wins;
    /// with more, the seat is skipped from now on and cannot win. The key changes unless the seat has left before.
    fn forfeit(&self, state: &mut Self::State, seat: Seat);

    /// A hash of everything that the rest of the game depends on, updated incrementally.
    fn key(&self, state: &Self::State) -> u128;

    /// The same hash, computed from scratch.
    fn full_key(&self, state: &Self::State) -> u128;

    /// Reads the notation of a move of `seat`, or of the beginning of one, as actions in the order given. Checks
    /// legality only as far as reading requires; the caller checks the rest.
    ///
    /// # Errors
    /// `BadNotation` if the text is unreadable, `IllegalMove` if it names something that cannot be played.
    fn read(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Vec<Self::Action>, RuleError>;

    /// The canonical notation of legal actions of one move of `seat`, played from `state` (between or within moves). No
    /// text starts with `!`, which marks forfeits in records. In games with simultaneous moves no text contains `/`,
    /// which joins them.
    fn write(&self, state: &Self::State, seat: Seat, actions: &[Self::Action]) -> String;

    /// What `seat` may see, or a spectator if `None`: a JSON object, for boards and clients.
    fn view(&self, state: &Self::State, seat: Option<Seat>) -> Value;

    /// The members of every view that never change during a game, which `view` leaves out. They are converted only once
    /// for all positions of a game, so a large board belongs here. A member that changes may be `null` to have its place.
    fn constants(&self) -> Value {
        Value::Object(serde_json::Map::new())
    }

    // ---- derived -------------------------------------------------------------------------------------------------

    /// Whether the state is between two moves; `false` in the middle of a move of several actions.
    fn at_rest(&self, _state: &Self::State) -> bool {
        true
    }

    /// The action that ends the current move early, if players may do so although `legal` does not list it.
    fn end_early(&self, _state: &Self::State) -> Option<Self::Action> {
        None
    }

    /// Whether `seat`, which acts alone, may win before its move is over: `false` only if it cannot, or not for sure,
    /// because that depends on hidden information. Searches try every move where it is `true`. Override if a test is
    /// cheaper than that.
    fn may_win(&self, _state: &Self::State, _seat: Seat) -> bool {
        true
    }

    /// How many plies an even game between strong players has with this set-up; `None` if nobody knows.
    fn usual_plies(&self) -> Option<u32> {
        None
    }

    /// Whether players choose from a list of whole moves. `false` if there are too many: players then choose action by
    /// action, and a move is written as its actions joined by `.`.
    fn lists_moves(&self) -> bool {
        true
    }

    /// Whether `seat` may choose `action` now. Override if a membership test is faster than listing, or if players may
    /// do more than `legal` lists.
    fn is_legal(&self, state: &Self::State, seat: Seat, action: Self::Action) -> bool {
        let mut legal = Vec::new();
        self.legal(state, seat, &mut legal);
        legal.contains(&action)
    }

    /// Number of actions that `legal` lists for `seat`. Override if counting is faster than listing.
    fn count(&self, state: &Self::State, seat: Seat) -> u64 {
        let mut legal = Vec::new();
        self.legal(state, seat, &mut legal);
        legal.len() as u64
    }

    /// The key for a search's tables, uniform in all bits. Override if `key` differs between positions in which the
    /// same action is best, such as positions that differ only in what a rule on repetition has counted.
    fn table_key(&self, state: &Self::State) -> u128 {
        self.key(state)
    }

    /// A hash of everything that `seat` knows and that the rest of the game depends on: unchanged by redeals for that
    /// seat. Evaluations are cached by it, and searches that merge positions merge by it. Override in games with hidden
    /// information.
    fn information_key(&self, state: &Self::State, _seat: Seat) -> u128 {
        self.key(state)
    }

    /// The current points of the seats, in games with points (half points are allowed). The reward of an action is the
    /// difference. Final points, which may include some counted only at the end of the game, are in
    /// [`Outcome::scores`].
    fn scores(&self, _state: &Self::State) -> Option<Values> {
        None
    }

    /// What searches for points need to know, in games with points.
    fn points(&self) -> Option<&dyn Points<Self>> {
        None
    }

    /// What a search needs to send a seat to a cell, in games in which seats walk.
    fn walking(&self) -> Option<&dyn Walking<Self>> {
        None
    }

    /// What happened between `before` and `after` apart from the actions themselves, as JSON objects with a `type`. For
    /// viewers and records; not needed for replaying.
    fn events(&self, _before: &Self::State, _after: &Self::State) -> Vec<Value> {
        Vec::new()
    }

    /// The number of an action in statistics that searches share between positions: actions that mean the same have the
    /// same number. Override if the meaning of an action depends on the position.
    fn amaf_key(&self, _state: &Self::State, action: Self::Action) -> u64 {
        hash_of(action)
    }

    /// A number that distinguishes equal actions of different meaning, such as the tile that an action places. Searches
    /// that share statistics between positions may keep those of each apart.
    fn amaf_context(&self, _state: &Self::State, _action: Self::Action) -> Option<u32> {
        None
    }

    /// The hidden part of the game, if it has one.
    fn hidden(&self) -> Option<&dyn Hidden<Self>> {
        None
    }

    /// Repetition of positions, in games where they can recur.
    fn repetition(&self) -> Option<&dyn Repetition<Self>> {
        None
    }

    /// Images of positions, in games whose board looks the same from several sides.
    fn symmetric(&self) -> Option<&dyn Symmetric<Self>> {
        None
    }

    /// The network planes of the game, if it has some.
    fn planes(&self) -> Option<&dyn Planes<Self>> {
        None
    }

    /// The game's own evaluator with this name (`native` is the default).
    ///
    /// # Errors
    /// `BadConfig` if the game has none with this name.
    fn evaluator(&self, name: &str) -> Result<Box<dyn Evaluator<Self>>, RuleError> {
        Err(RuleError::no_evaluator(name))
    }

    /// The seats that have to act now.
    fn acting(&self, state: &Self::State) -> Vec<Seat> {
        match self.to_act(state) {
            ToAct::One(seat) => vec![seat],
            ToAct::Together => (0..self.seats()).collect(),
            ToAct::Over(_) => Vec::new(),
        }
    }
}
