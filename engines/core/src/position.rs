//! Type erasure: turns any [`Rules`] into an object-safe [`Position`] with text input and output and a history.

mod flat;

use std::sync::Arc;

use serde_json::{Value, json};

pub use self::flat::FlatPosition;
use crate::moves::{self, Played};
use crate::planes::{Layout, Signature, Symmetry};
use crate::rules::{Outcome, RuleError, Rules, Seat, ToAct, Values};
use crate::search::{Search, SearchSpec};

/// Opens the search registered in the catalogue for a game.
pub type OpenSearch<R> = fn(&Arc<R>, &<R as Rules>::State, &SearchSpec) -> Result<Box<dyn Search>, RuleError>;

/// A position of any game. A refused operation leaves it unchanged.
pub trait Position: FlatPosition + Send + Sync {
    /// Number of seats.
    fn seats(&self) -> usize;
    /// The complete public start configuration.
    fn config(&self) -> Value;
    /// The part of the configuration that `config` omits while the game runs.
    fn secret(&self) -> Value;
    /// Whether nothing is hidden, or the true order of it is known.
    fn is_dealt(&self) -> bool;
    /// Number of moves played.
    fn ply(&self) -> usize;
    /// Plies of an even game between strong players with this set-up.
    fn usual_plies(&self) -> Option<u32>;
    /// Number of moves played ÷ that of a usual game, at most 1; 0 if nobody knows how long games are.
    fn progress(&self) -> f64;
    /// Hash of everything that the rest of the game depends on.
    fn key(&self) -> u128;
    /// Seats that have to move now.
    fn to_act(&self) -> Vec<Seat>;
    /// The history without its first `skipped` entries.
    fn history_after(&self, skipped: usize) -> Vec<String>;
    /// The recorded moves.
    fn history(&self) -> Vec<String> {
        self.history_after(0)
    }
    /// Number of history entries.
    fn entries(&self) -> usize;
    /// The last entry of the history.
    fn last_move(&self) -> Option<&str>;
    /// How the game ended, or `None`.
    fn outcome(&self) -> Option<Outcome>;
    /// Hash of what a seat knows of everything that the rest of the game depends on.
    fn information_key(&self, seat: Seat) -> Result<u128, RuleError>;
    /// A hash of what all seats see of the position, from each side from which its board looks the same.
    fn image_keys(&self) -> Result<Vec<u128>, RuleError>;
    /// The text of a legal move as a player submits it, as seen from each of these sides.
    fn images(&self, text: &str) -> Result<Vec<String>, RuleError>;
    /// The members of every view that never change during the game.
    fn constants(&self) -> Value;
    /// What a seat or a spectator may see, without `constants`.
    fn changing_view(&self, seat: Option<Seat>) -> Result<Value, RuleError>;
    /// What a seat or a spectator may see.
    fn view(&self, seat: Option<Seat>) -> Result<Value, RuleError> {
        let mut view = self.constants();
        if let (Value::Object(view), Value::Object(changing)) = (&mut view, self.changing_view(seat)?) {
            view.extend(changing);
        }
        Ok(view)
    }
    /// Whether there are few enough whole moves to list them.
    fn lists_moves(&self) -> bool;
    /// Whole moves of a seat.
    fn legal_moves(&self, seat: Option<Seat>) -> Result<Vec<String>, RuleError>;
    /// Actions of a seat that may follow the staged beginning of a move.
    fn legal_actions(&self, seat: Option<Seat>, staged: &str) -> Result<Vec<String>, RuleError>;
    /// Whether the staged beginning of a move is a whole move.
    fn can_finish(&self, seat: Option<Seat>, staged: &str) -> Result<bool, RuleError>;
    /// Canonical text of a legal move as submitted by a player.
    fn check(&self, text: &str, seat: Option<Seat>) -> Result<String, RuleError>;
    /// A recorded move as a player submits it: without what it revealed.
    fn submitted<'t>(&self, recorded: &'t str) -> &'t str;
    /// Plays recorded moves, all or none of them, and returns the events.
    fn play(&mut self, texts: &[String]) -> Result<Vec<Value>, RuleError>;
    /// Plays a move as submitted by a seat that acts alone.
    fn play_submitted(&mut self, text: &str, seat: Option<Seat>, deal: Option<u64>) -> Result<(), RuleError>;
    /// Takes back the last history entry.
    fn undo(&mut self) -> Result<(), RuleError>;
    /// Reshuffles what a seat cannot know.
    fn redeal(&mut self, seat: Seat, seed: u64) -> Result<(), RuleError>;
    /// Number of leaves of the action tree.
    fn perft(&self, depth: u32, threads: usize) -> Result<u64, RuleError>;
    /// Whether a model of this signature can evaluate the game.
    fn fits(&self, signature: &Signature) -> Result<(), String>;
    /// The layout of networks for exactly this board; `None` if the game has no planes.
    fn layout(&self) -> Option<Layout>;
    /// Whether self-play trains networks of this layout.
    fn is_trained(&self) -> bool;
    /// The points of each seat so far, for games with points.
    fn scores(&self) -> Option<Values>;
    /// What a value of 1 is worth in points for the game's networks; `None` if they do not estimate points.
    fn points_unit(&self) -> Option<f32>;
    /// The symmetries of a network's input and output in this layout, without the identity.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// The features of each seat, as an evaluator of the game sees the position.
    fn features(&self, evaluator: &str) -> Result<Vec<Vec<f32>>, RuleError>;
    /// The weights of an evaluator, and their numbers.
    fn weights(&self, evaluator: &str) -> Result<Vec<(&'static str, f64)>, RuleError>;
    /// The value for each seat without a search, in [-1, 1].
    fn value(&self, evaluator: &str) -> Result<Vec<f32>, RuleError>;
    /// Opens a search from this position.
    fn search(&self, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError>;
    /// The earlier position after so many moves, with the forfeits that followed them at once; `None` if there were fewer.
    fn at_ply(&self, ply: usize) -> Result<Option<Box<dyn Position>>, RuleError>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Position>;
}

/// Every so many history entries the state is kept, and the states between are replayed when needed. A game in memory
/// costs its texts and a few states, whatever the size of a state.
const KEPT: usize = 16;

/// A history entry. Positions with a common past share its steps, so that the cost of copying a position does not
/// depend on the ply.
struct Step<S> {
    /// The state before the entry: at the start, at every [`KEPT`]th entry, and after a redeal.
    before: Option<Box<S>>,
    text: String,
    /// Number of history entries up to this one.
    entries: usize,
    /// Number of moves up to this one: the entries that are not forfeits.
    ply: usize,
    previous: Option<Arc<Step<S>>>,
}

impl<S> Drop for Step<S> {
    /// Frees a long past iteratively, which would otherwise be a deep recursion.
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
    /// Whether the next step keeps the state in any case, because replaying the history may not lead to it.
    keeps_next: bool,
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
        Ok(Box::new(Self { rules: Arc::new(rules), state, last: None, keeps_next: false, open_search }))
    }

    /// The given seat, or the first to act; `None` if the game is over.
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
        let before = self.kept_state();
        let played = moves::play_recorded(&*self.rules, &mut self.state, text)?;
        Ok(self.record(before, played))
    }

    /// The state, if the next step keeps it.
    fn kept_state(&self) -> Option<Box<R::State>> {
        (self.keeps_next || self.entries().is_multiple_of(KEPT)).then(|| Box::new(self.state.clone()))
    }

    /// Adds a played move to the history; returns its events.
    fn record(&mut self, before: Option<Box<R::State>>, played: Played<R::Action>) -> Vec<Value> {
        let (entries, ply) = (self.entries() + 1, self.ply() + usize::from(played.counts));
        self.keeps_next = false;
        let previous = self.last.take();
        self.last = Some(Arc::new(Step { before, text: played.text, entries, ply, previous }));
        played.events
    }

    /// The state before a history entry, which follows from the last one that was kept.
    fn state_before(&self, step: &Step<R::State>) -> Result<R::State, RuleError> {
        let mut texts = Vec::new();
        for step in steps_to(Some(step)) {
            texts.push(&step.text);
            if let Some(kept) = &step.before {
                let mut state = R::State::clone(kept);
                for text in texts.iter().skip(1).rev() {
                    moves::play_recorded(&*self.rules, &mut state, text)?;
                }
                return Ok(state);
            }
        }
        Err(RuleError::IllegalMove("the start was not kept".into()))
    }

    /// Goes back to the position before a history entry.
    fn go_before(&mut self, step: &Step<R::State>) -> Result<(), RuleError> {
        self.state = self.state_before(step)?;
        self.keeps_next = step.before.is_some();
        self.last.clone_from(&step.previous);
        Ok(())
    }

    /// The history entries, latest first.
    fn steps(&self) -> impl Iterator<Item = &Step<R::State>> {
        steps_to(self.last.as_deref())
    }

    fn copy(&self) -> Self {
        Self {
            rules: Arc::clone(&self.rules),
            state: self.state.clone(),
            last: self.last.clone(),
            keeps_next: self.keeps_next,
            open_search: self.open_search,
        }
    }
}

/// A history entry and those before it.
fn steps_to<S>(last: Option<&Step<S>>) -> impl Iterator<Item = &Step<S>> {
    std::iter::successors(last, |step| step.previous.as_deref())
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

    fn is_dealt(&self) -> bool {
        self.rules.hidden().is_none_or(|hidden| hidden.is_dealt())
    }

    fn ply(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.ply)
    }

    fn usual_plies(&self) -> Option<u32> {
        self.rules.usual_plies()
    }

    fn progress(&self) -> f64 {
        let usual = self.usual_plies();
        usual.map_or(0.0, |plies| (self.ply() as f64 / f64::from(plies.max(1))).min(1.0))
    }

    fn key(&self) -> u128 {
        self.rules.key(&self.state)
    }

    fn to_act(&self) -> Vec<Seat> {
        self.rules.acting(&self.state)
    }

    fn history_after(&self, skipped: usize) -> Vec<String> {
        let wanted = self.entries().saturating_sub(skipped);
        let mut history: Vec<String> = self.steps().take(wanted).map(|step| step.text.clone()).collect();
        history.reverse();
        history
    }

    fn entries(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.entries)
    }

    fn last_move(&self) -> Option<&str> {
        self.last.as_ref().map(|step| step.text.as_str())
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

    fn image_keys(&self) -> Result<Vec<u128>, RuleError> {
        match self.rules.symmetric() {
            Some(game) => Ok((0..game.symmetries()).map(|number| game.image_key(&self.state, number)).collect()),
            None => Ok(vec![self.information_key(0)?]),
        }
    }

    fn images(&self, text: &str) -> Result<Vec<String>, RuleError> {
        match (self.rules.symmetric(), self.seat(None)?) {
            (Some(game), Some(seat)) => {
                (0..game.symmetries()).map(|number| game.image(&self.state, seat, text, number)).collect()
            }
            _ => Ok(vec![self.check(text, None)?]),
        }
    }

    fn constants(&self) -> Value {
        self.rules.constants()
    }

    fn changing_view(&self, seat: Option<Seat>) -> Result<Value, RuleError> {
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

    fn submitted<'t>(&self, recorded: &'t str) -> &'t str {
        self.rules.hidden().map_or(recorded, |hidden| hidden.split(recorded).0)
    }

    fn play(&mut self, texts: &[String]) -> Result<Vec<Value>, RuleError> {
        let start = (self.state.clone(), self.last.clone(), self.keeps_next);
        let mut events = Vec::new();
        for text in texts {
            match self.play_one(text) {
                Ok(happened) => events.extend(happened),
                Err(error) => {
                    (self.state, self.last, self.keeps_next) = start;
                    return Err(error);
                }
            }
        }
        Ok(events)
    }

    fn play_submitted(&mut self, text: &str, seat: Option<Seat>, deal: Option<u64>) -> Result<(), RuleError> {
        let Some(seat) = self.seat(seat)? else {
            return Err(RuleError::IllegalMove("the game is over".into()));
        };
        let before = self.kept_state();
        let played = moves::play_submitted(&*self.rules, &mut self.state, seat, text, deal)?;
        self.record(before, played);
        self.keeps_next |= deal.is_some();
        Ok(())
    }

    fn undo(&mut self) -> Result<(), RuleError> {
        let Some(undone) = self.last.clone() else {
            return Err(RuleError::IllegalMove("there is nothing to take back".into()));
        };
        self.go_before(&undone)
    }

    fn redeal(&mut self, seat: Seat, seed: u64) -> Result<(), RuleError> {
        self.seat(Some(seat))?;
        let rules = Arc::clone(&self.rules);
        let hidden =
            rules.hidden().ok_or_else(|| RuleError::IllegalMove("nothing is hidden in this game".into()))?;
        hidden.redeal(&mut self.state, seat, seed);
        self.keeps_next = true;
        Ok(())
    }

    fn perft(&self, depth: u32, threads: usize) -> Result<u64, RuleError> {
        moves::perft_on(threads, &*self.rules, &self.state, depth)
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        match self.rules.planes() {
            Some(planes) => planes.fits(signature),
            None => Err("this game has no network planes".into()),
        }
    }

    fn layout(&self) -> Option<Layout> {
        self.rules.planes().map(|planes| planes.layout())
    }

    fn is_trained(&self) -> bool {
        self.rules.planes().is_some_and(|planes| planes.is_trained())
    }

    fn scores(&self) -> Option<Values> {
        self.rules.scores(&self.state)
    }

    fn points_unit(&self) -> Option<f32> {
        let planes = self.rules.planes().filter(|planes| planes.estimates_points())?;
        Some(planes.points_unit(&self.state))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.rules.planes().map_or_else(Vec::new, |planes| planes.symmetries())
    }

    fn features(&self, evaluator: &str) -> Result<Vec<Vec<f32>>, RuleError> {
        let features = self.rules.evaluator(evaluator)?.features(&self.rules, &self.state);
        features.ok_or_else(|| RuleError::BadConfig(format!("the evaluator '{evaluator}' has no features")))
    }

    fn weights(&self, evaluator: &str) -> Result<Vec<(&'static str, f64)>, RuleError> {
        Ok(self.rules.evaluator(evaluator)?.weights())
    }

    fn value(&self, evaluator: &str) -> Result<Vec<f32>, RuleError> {
        let evaluator = self.rules.evaluator(evaluator)?;
        let values = match self.outcome() {
            Some(outcome) => outcome.values(self.rules.seats()),
            None => evaluator.value(&self.rules, &self.state),
        };
        Ok(values[..self.rules.seats()].to_vec())
    }

    fn search(&self, spec: &SearchSpec) -> Result<Box<dyn Search>, RuleError> {
        (self.open_search)(&self.rules, &self.state, spec)
    }

    fn at_ply(&self, ply: usize) -> Result<Option<Box<dyn Position>>, RuleError> {
        if ply > self.ply() {
            return Ok(None);
        }
        let mut at = self.copy();
        if let Some(next) = self.steps().take_while(|step| step.ply > ply).last() {
            at.go_before(next)?;
        }
        Ok(Some(Box::new(at)))
    }

    fn boxed_clone(&self) -> Box<dyn Position> {
        Box::new(self.copy())
    }
}
