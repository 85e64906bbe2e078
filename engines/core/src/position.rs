//! Type erasure: any [`Rules`] becomes one object-safe [`Position`], text in, text out, with the moves that led to it.

use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::moves;
use crate::planes::Signature;
use crate::rules::{Outcome, RuleError, Rules, Seat, ToAct};
use crate::search::{Search, SearchSpec};

/// Opens the search that the catalogue has chosen for a game.
pub type OpenSearch<R> = fn(&Arc<R>, &<R as Rules>::State, &SearchSpec) -> Result<Box<dyn Search>, RuleError>;

/// A state of play of any game. Every refusal leaves it as it was.
pub trait Position: Send + Sync {
    /// Number of seats.
    fn seats(&self) -> usize;
    /// The complete public start configuration.
    fn config(&self) -> Value;
    /// What `config` leaves out while the game runs.
    fn secret(&self) -> Value;
    /// Moves played.
    fn ply(&self) -> usize;
    /// Hash of everything that the rest of the game depends on.
    fn key(&self) -> u128;
    /// Seats that must move now.
    fn to_act(&self) -> Vec<Seat>;
    /// The moves played, as recorded.
    fn history(&self) -> Vec<String>;
    /// How the game ended, if it did.
    fn outcome(&self) -> Option<Outcome>;
    /// Hash of what a seat knows of everything that the rest of the game depends on.
    fn information_key(&self, seat: Seat) -> Result<u128, RuleError>;
    /// What a seat or a spectator may see.
    fn view(&self, seat: Option<Seat>) -> Result<Value, RuleError>;
    /// Whether whole moves are few enough to list.
    fn lists_moves(&self) -> bool;
    /// Whole moves of a seat.
    fn legal_moves(&self, seat: Option<Seat>) -> Result<Vec<String>, RuleError>;
    /// Single actions of a seat after the staged beginning of a move.
    fn legal_actions(&self, seat: Option<Seat>, staged: &str) -> Result<Vec<String>, RuleError>;
    /// Whether the staged beginning of a move may stand as the whole move.
    fn can_finish(&self, seat: Option<Seat>, staged: &str) -> Result<bool, RuleError>;
    /// Canonical text of a legal move as a player submits it.
    fn check(&self, text: &str, seat: Option<Seat>) -> Result<String, RuleError>;
    /// Plays recorded moves, all or nothing, and returns the events.
    fn play(&mut self, texts: &[String]) -> Result<Vec<Value>, RuleError>;
    /// Takes back the last history entry.
    fn undo(&mut self) -> Result<(), RuleError>;
    /// Reorders what a seat cannot know.
    fn redeal(&mut self, seat: Seat, seed: u64) -> Result<(), RuleError>;
    /// Leaves of the tree of actions.
    fn perft(&self, depth: u32, threads: usize) -> Result<u64, RuleError>;
    /// Whether a model of this signature can evaluate the game.
    fn fits(&self, signature: &Signature) -> Result<(), String>;
    /// A search from here.
    fn search(&self, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Position>;
}

/// A history entry and the state before it. Positions that share a past share its steps, so that copying a position
/// costs the same at any ply.
struct Step<S> {
    before: S,
    text: String,
    counts: bool,
    previous: Option<Arc<Step<S>>>,
}

impl<S> Drop for Step<S> {
    /// Frees a long past step by step instead of one call within another.
    fn drop(&mut self) {
        let mut previous = self.previous.take();
        while let Some(mut step) = previous.and_then(Arc::into_inner) {
            previous = step.previous.take();
        }
    }
}

/// [`Position`] for the rules `R`.
pub struct Erased<R: Rules> {
    rules: Arc<R>,
    state: R::State,
    last: Option<Arc<Step<R::State>>>,
    open_search: OpenSearch<R>,
}

impl<R: Rules> Erased<R> {
    /// The start position of a configuration.
    ///
    /// # Errors
    /// As [`Rules::setup`].
    pub fn open(
        variant: &str,
        config: &Value,
        open_search: OpenSearch<R>,
    ) -> Result<Box<dyn Position>, RuleError> {
        let (rules, state) = R::setup(variant, config)?;
        Ok(Box::new(Self { rules: Arc::new(rules), state, last: None, open_search }))
    }

    /// The seat asked for, or the first that acts; `None` when the game is over.
    fn seat(&self, seat: Option<Seat>) -> Result<Option<Seat>, RuleError> {
        match seat {
            Some(seat) if seat >= self.rules.seats() => {
                Err(RuleError::IllegalMove(format!("there is no seat {seat} in a game of {}", self.rules.seats())))
            }
            Some(seat) => Ok(Some(seat)),
            None => Ok(self.rules.acting(&self.state).first().copied()),
        }
    }

    fn play_one(&mut self, text: &str) -> Result<Vec<Value>, RuleError> {
        let before = self.state.clone();
        let played = moves::play_recorded(&*self.rules, &mut self.state, text)?;
        let (text, counts, previous) = (played.text, played.counts, self.last.take());
        self.last = Some(Arc::new(Step { before, text, counts, previous }));
        Ok(played.events)
    }

    /// The history entries, latest first.
    fn steps(&self) -> impl Iterator<Item = &Step<R::State>> {
        std::iter::successors(self.last.as_deref(), |step| step.previous.as_deref())
    }
}

impl<R: Rules> Position for Erased<R> {
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn config(&self) -> Value {
        self.rules.config()
    }

    fn secret(&self) -> Value {
        self.rules.hidden().map_or_else(|| json!({}), |hidden| hidden.secret())
    }

    fn ply(&self) -> usize {
        self.steps().filter(|step| step.counts).count()
    }

    fn key(&self) -> u128 {
        self.rules.key(&self.state)
    }

    fn to_act(&self) -> Vec<Seat> {
        self.rules.acting(&self.state)
    }

    fn history(&self) -> Vec<String> {
        let mut history: Vec<String> = self.steps().map(|step| step.text.clone()).collect();
        history.reverse();
        history
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.rules.to_act(&self.state) {
            ToAct::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn information_key(&self, seat: Seat) -> Result<u128, RuleError> {
        self.seat(Some(seat))?;
        Ok(self.rules.information_key(&self.state, seat))
    }

    fn view(&self, seat: Option<Seat>) -> Result<Value, RuleError> {
        self.seat(seat)?;
        Ok(self.rules.view(&self.state, seat))
    }

    fn lists_moves(&self) -> bool {
        self.rules.lists_moves()
    }

    fn legal_moves(&self, seat: Option<Seat>) -> Result<Vec<String>, RuleError> {
        if !self.rules.lists_moves() {
            return Err(RuleError::IllegalMove("this game has too many moves to list: ask for actions".into()));
        }
        let seat = self.seat(seat)?;
        Ok(seat.map_or_else(Vec::new, |seat| moves::list(&*self.rules, &self.state, seat)))
    }

    fn legal_actions(&self, seat: Option<Seat>, staged: &str) -> Result<Vec<String>, RuleError> {
        match self.seat(seat)? {
            Some(seat) => moves::actions(&*self.rules, &self.state, seat, staged),
            None if staged.is_empty() => Ok(Vec::new()),
            None => Err(RuleError::IllegalMove("the game is over".into())),
        }
    }

    fn can_finish(&self, seat: Option<Seat>, staged: &str) -> Result<bool, RuleError> {
        let seat = self.seat(seat)?;
        Ok(seat.is_some_and(|seat| moves::can_finish(&*self.rules, &self.state, seat, staged)))
    }

    fn check(&self, text: &str, seat: Option<Seat>) -> Result<String, RuleError> {
        let Some(seat) = self.seat(seat)? else {
            return Err(RuleError::IllegalMove("the game is over".into()));
        };
        let actions = moves::complete(&*self.rules, &self.state, seat, text)?;
        Ok(self.rules.write(&self.state, seat, &actions))
    }

    fn play(&mut self, texts: &[String]) -> Result<Vec<Value>, RuleError> {
        let (state, last) = (self.state.clone(), self.last.clone());
        let mut events = Vec::new();
        for text in texts {
            match self.play_one(text) {
                Ok(happened) => events.extend(happened),
                Err(error) => {
                    (self.state, self.last) = (state, last);
                    return Err(error);
                }
            }
        }
        Ok(events)
    }

    fn undo(&mut self) -> Result<(), RuleError> {
        let step =
            self.last.take().ok_or_else(|| RuleError::IllegalMove("there is nothing to take back".into()))?;
        self.state = step.before.clone();
        self.last = step.previous.clone();
        Ok(())
    }

    fn redeal(&mut self, seat: Seat, seed: u64) -> Result<(), RuleError> {
        self.seat(Some(seat))?;
        let rules = Arc::clone(&self.rules);
        let hidden =
            rules.hidden().ok_or_else(|| RuleError::IllegalMove("nothing is hidden in this game".into()))?;
        hidden.redeal(&mut self.state, seat, seed);
        Ok(())
    }

    fn perft(&self, depth: u32, threads: usize) -> Result<u64, RuleError> {
        if threads <= 1 || depth < 3 {
            return Ok(moves::perft(&*self.rules, &self.state, depth));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| RuleError::BadConfig(format!("{threads} threads cannot be started: {error}")))?;
        let rules = &*self.rules;
        Ok(pool.install(|| {
            moves::successors(rules, &self.state)
                .par_iter()
                .flat_map_iter(|state| moves::successors(rules, state))
                .map(|state| moves::perft(rules, &state, depth - 2))
                .sum()
        }))
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        match self.rules.planes() {
            Some(planes) => planes.fits(signature),
            None => Err("this game has no network planes".into()),
        }
    }

    fn search(&self, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError> {
        (self.open_search)(&self.rules, &self.state, spec)
    }

    fn boxed_clone(&self) -> Box<dyn Position> {
        Box::new(Self {
            rules: Arc::clone(&self.rules),
            state: self.state.clone(),
            last: self.last.clone(),
            open_search: self.open_search,
        })
    }
}
