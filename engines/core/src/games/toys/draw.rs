//! Draw: a shuffled deck of 1..=n. The top card is open. The seat to move takes it or gives it to the next seat
//! (`take`, `give`), and may then double its worth for its owner (`take double`). The next card is turned up and
//! becomes known: it is the tail, `+7`, which is empty at the end of the deck. The most points win; ties are shared.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use super::mix;
use crate::hidden::Hidden;
use crate::planes::Planes;
use crate::rules::{MAX_SEATS, Outcome, RuleError, Rules, Seat, ToAct, Values};

const CARDS: usize = 9;

/// One game. `seed` is known if the game was dealt, not if it was set up from the seats' knowledge.
pub struct Draw {
    seats: usize,
    first: u8,
    seed: Option<u64>,
}

/// The deck in order, the index of the open card, and the points of the seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    deck: [u8; CARDS],
    open: usize,
    to_move: u8,
    given_to: Option<u8>,
    points: [u16; MAX_SEATS],
    gone: u8,
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Keeps the open card.
    Take,
    /// Gives it to the next seat.
    Give,
    /// Doubles its worth.
    Double,
    /// Does not double its worth.
    Plain,
}

impl State {
    /// The seat to move.
    #[must_use]
    pub fn to_move(&self) -> u8 {
        self.to_move
    }

    /// The points of the seats.
    #[must_use]
    pub fn points(&self) -> [u16; MAX_SEATS] {
        self.points
    }

    /// The open card; 0 at the end of the deck.
    #[must_use]
    pub fn open_card(&self) -> u8 {
        self.deck.get(self.open).copied().unwrap_or(0)
    }

    /// Who gets it, between the two actions of a move.
    #[must_use]
    pub fn given_to(&self) -> Option<u8> {
        self.given_to
    }

    /// The public information, without the open card.
    fn known(&self) -> impl Iterator<Item = u64> {
        let numbers = [self.open as u64, u64::from(self.to_move), u64::from(self.gone)];
        let given_to = self.given_to.map_or(9, u64::from);
        numbers.into_iter().chain([given_to]).chain(self.points.map(u64::from))
    }
}

impl Draw {
    fn next_seat(&self, state: &State, seat: u8) -> u8 {
        let mut next = seat;
        loop {
            next = (next + 1) % self.seats as u8;
            if state.gone >> next & 1 == 0 || next == seat {
                return next;
            }
        }
    }

    fn still_in(&self, state: &State) -> Vec<Seat> {
        (0..self.seats).filter(|seat| state.gone >> seat & 1 == 0).collect()
    }
}

/// An order of 1..=9 that starts with the known cards.
fn shuffle(deck: &mut [u8], seed: u64) {
    deck.shuffle(&mut Pcg64::seed_from_u64(seed));
}

impl Rules for Draw {
    type State = State;
    type Action = Action;
    type Observation = Option<u8>;

    fn setup(_: &str, config: &Value) -> Result<(Self, State), RuleError> {
        let number = |name: &str| config.get(name).map(|value| value.as_u64().ok_or_else(|| bad(name)));
        let seats = number("seats").transpose()?.unwrap_or(2) as usize;
        if !(2..=3).contains(&seats) {
            return Err(RuleError::BadConfig(format!("{seats} seats: 2..3 can play")));
        }
        let seed = number("seed").transpose()?;
        let first = number("first").transpose()?;
        let mut deck: [u8; CARDS] = std::array::from_fn(|index| index as u8 + 1);
        match (seed, first) {
            (None, None) => return Err(RuleError::BadConfig("either seed or first is needed".into())),
            (Some(seed), _) => shuffle(&mut deck, seed),
            (None, Some(first)) => {
                let place = deck.iter().position(|card| u64::from(*card) == first).ok_or_else(|| bad("first"))?;
                deck.swap(0, place);
            }
        }
        if first.is_some_and(|first| first != u64::from(deck[0])) {
            return Err(RuleError::BadConfig("seed and first disagree".into()));
        }
        let state = State { deck, open: 0, to_move: 0, given_to: None, points: [0; MAX_SEATS], gone: 0 };
        Ok((Self { seats, first: deck[0], seed }, state))
    }

    fn config(&self) -> Value {
        json!({"seats": self.seats, "first": self.first})
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn to_act(&self, state: &State) -> ToAct {
        if let [seat] = self.still_in(state)[..] {
            return ToAct::Over(Outcome::win(seat, "resignation"));
        }
        if state.open < CARDS {
            return ToAct::One(usize::from(state.to_move));
        }
        ToAct::Over(Outcome::by_scores(state.points.map(f32::from), self.seats, state.gone, "points"))
    }

    fn legal(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if self.to_act(state) == ToAct::One(seat) {
            out.extend(match state.given_to {
                None => [Action::Take, Action::Give],
                Some(_) => [Action::Plain, Action::Double],
            });
        }
    }

    fn play_unchecked(&self, state: &mut State, actions: &[Action]) {
        let worth = match actions[0] {
            Action::Take => return state.given_to = Some(state.to_move),
            Action::Give => return state.given_to = Some(self.next_seat(state, state.to_move)),
            Action::Plain => 1,
            Action::Double => 2,
        };
        let owner = state.given_to.take().unwrap_or(state.to_move);
        state.points[usize::from(owner)] += worth * u16::from(state.deck[state.open]);
        state.open += 1;
        state.to_move = self.next_seat(state, state.to_move);
    }

    fn forfeit(&self, state: &mut State, seat: Seat) {
        state.gone |= 1 << seat;
        state.given_to = None;
        if usize::from(state.to_move) == seat {
            state.to_move = self.next_seat(state, state.to_move);
        }
    }

    fn key(&self, state: &State) -> u128 {
        self.full_key(state)
    }

    fn full_key(&self, state: &State) -> u128 {
        let rest = state.deck[state.open..].iter().map(|card| u64::from(*card));
        mix(state.known().chain(rest))
    }

    fn information_key(&self, state: &State, _: Seat) -> u128 {
        let mut rest: Vec<u64> = state.deck[state.open..].iter().map(|card| u64::from(*card)).collect();
        if let [_, unseen @ ..] = &mut rest[..] {
            unseen.sort_unstable();
        }
        mix(state.known().chain(rest))
    }

    fn read(&self, state: &State, _: Seat, text: &str) -> Result<Vec<Action>, RuleError> {
        let words: Vec<&str> = text.split(' ').collect();
        let action = |word: &str| match word {
            "take" => Ok(Action::Take),
            "give" => Ok(Action::Give),
            "double" => Ok(Action::Double),
            "plain" => Ok(Action::Plain),
            _ => Err(RuleError::BadNotation(format!("'{word}' is not one of take, give, double, plain"))),
        };
        match (state.given_to, &words[..]) {
            (None, [first]) => Ok(vec![action(first)?]),
            (None, [first, second]) => Ok(vec![action(first)?, action(second)?]),
            (Some(_), [second]) => Ok(vec![action(second)?]),
            _ => Err(RuleError::BadNotation(format!("'{text}' is not one move"))),
        }
    }

    fn write(&self, state: &State, _: Seat, actions: &[Action]) -> String {
        let words = actions.iter().filter(|action| **action != Action::Plain || state.given_to.is_some());
        let word = |action: &Action| match action {
            Action::Take => "take",
            Action::Give => "give",
            Action::Double => "double",
            Action::Plain => "plain",
        };
        words.map(word).collect::<Vec<_>>().join(" ")
    }

    fn view(&self, state: &State, _: Option<Seat>) -> Value {
        json!({"open": state.deck.get(state.open), "points": state.points[..self.seats]})
    }

    fn at_rest(&self, state: &State) -> bool {
        state.given_to.is_none()
    }

    fn end_early(&self, state: &State) -> Option<Action> {
        state.given_to.map(|_| Action::Plain)
    }

    fn scores(&self, state: &State) -> Option<Values> {
        Some(state.points.map(f32::from))
    }

    fn events(&self, before: &State, after: &State) -> Vec<Value> {
        match after.deck.get(after.open) {
            Some(card) if after.open > before.open => vec![json!({"type": "turned-up", "card": card})],
            _ => Vec::new(),
        }
    }

    fn hidden(&self) -> Option<&dyn Hidden<Self>> {
        Some(self)
    }

    fn planes(&self) -> Option<&dyn Planes<Self>> {
        Some(self)
    }
}

impl Hidden<Self> for Draw {
    fn is_dealt(&self) -> bool {
        self.seed.is_some()
    }

    fn secret(&self) -> Value {
        self.seed.map_or_else(|| json!({}), |seed| json!({"seed": seed}))
    }

    fn redeal(&self, state: &mut State, _: Seat, seed: u64) {
        let unseen = &mut state.deck[(state.open + 1).min(CARDS)..];
        unseen.sort_unstable();
        shuffle(unseen, seed);
    }

    fn observe(&self, before: &State, after: &State) -> Option<u8> {
        after.deck.get(after.open).copied().filter(|_| after.open > before.open)
    }

    fn reveal(&self, state: &mut State, turned_up: &Option<u8>) -> Result<(), RuleError> {
        let next = state.open + 1;
        match *turned_up {
            None if next >= CARDS => Ok(()),
            None => Err(RuleError::IllegalMove("the record lacks the card that was turned up".into())),
            Some(card) => {
                let place = state.deck.iter().skip(next).position(|unseen| *unseen == card);
                let place = place.ok_or_else(|| RuleError::IllegalMove(format!("+{card} is not in the deck")))?;
                state.deck.swap(next, next + place);
                Ok(())
            }
        }
    }

    fn split<'t>(&self, text: &'t str) -> (&'t str, &'t str) {
        text.split_once(" +").map_or((text, ""), |(submitted, _)| (submitted, &text[submitted.len() + 1..]))
    }

    fn read_tail(&self, tail: &str) -> Result<Option<u8>, RuleError> {
        if tail.is_empty() {
            return Ok(None);
        }
        let card = tail.strip_prefix('+').and_then(|card| card.parse().ok());
        card.map(Some).ok_or_else(|| RuleError::BadNotation(format!("'{tail}' is not a card")))
    }

    fn write_tail(&self, turned_up: &Option<u8>) -> String {
        turned_up.map_or_else(String::new, |card| format!("+{card}"))
    }
}

fn bad(name: &str) -> RuleError {
    RuleError::BadConfig(format!("{name} is not a valid number"))
}
