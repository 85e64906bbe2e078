//! Whole moves as text, for any game: reading, checking, playing and counting them.
//!
//! A *submitted* move is what a player sends. A *recorded* move is what a history holds: joint moves are written
//! `a/b`, hidden games append a tail, and `!1` means that seat 1 forfeits. Searches and positions both use this module,
//! so that they always agree on the meaning of a text.

use rayon::prelude::*;
use serde_json::Value;

use crate::rules::{RuleError, Rules, Seat, ToAct};

/// A recorded move that was played.
#[derive(Debug, Clone)]
pub struct Played<A> {
    /// The actions played: one per seat for a joint move, none for a forfeit.
    pub actions: Vec<A>,
    /// The canonical record.
    pub text: String,
    /// Whether it counts as a ply (forfeits do not).
    pub counts: bool,
    /// Further events, as described by the rules (see [`Rules::events`]).
    pub events: Vec<Value>,
}

/// Reads a complete move as submitted by `seat`: every action must be legal, and the move must end with the last one.
///
/// # Errors
/// `BadNotation` or `IllegalMove`, with a sentence for the player.
pub fn complete<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    text: &str,
) -> Result<Vec<R::Action>, RuleError> {
    if matches!(rules.to_act(state), ToAct::Together) {
        return read_together(rules, state, seat, text).map(|action| vec![action]);
    }
    play_complete(rules, &mut state.clone(), seat, text).map(|(actions, _)| actions)
}

/// Reads the single action of a seat in a simultaneous move.
fn read_together<R: Rules>(rules: &R, state: &R::State, seat: Seat, text: &str) -> Result<R::Action, RuleError> {
    if !rules.acting(state).contains(&seat) {
        return Err(not_acting(rules, state, seat));
    }
    match rules.read(state, seat, text)?[..] {
        [action] if rules.is_legal(state, seat, action) => Ok(action),
        _ => Err(illegal(text)),
    }
}

/// Reads, checks and plays a complete move of a seat that acts alone; returns the actions and the events. On an error
/// the state may be in the middle of the move.
fn play_complete<R: Rules>(
    rules: &R,
    state: &mut R::State,
    seat: Seat,
    text: &str,
) -> Result<(Vec<R::Action>, Vec<Value>), RuleError> {
    if !rules.acting(state).contains(&seat) {
        return Err(not_acting(rules, state, seat));
    }
    let mut actions = rules.read(state, seat, text)?;
    let mut events = Vec::new();
    let mut ended = false;
    for &action in &actions {
        if ended {
            return Err(RuleError::IllegalMove(format!("{text} has more actions than the turn allows")));
        }
        if !rules.is_legal(state, seat, action) {
            return Err(illegal(text));
        }
        play_slice(rules, state, &[action], &mut events);
        ended = rules.at_rest(state);
    }
    if !ended {
        match rules.end_early(state) {
            Some(end) if rules.is_legal(state, seat, end) => {
                play_slice(rules, state, &[end], &mut events);
                actions.push(end);
            }
            _ => return Err(RuleError::IllegalMove(format!("{text} is not a complete move"))),
        }
    }
    Ok((actions, events))
}

/// Plays legal actions and appends their events.
fn play_slice<R: Rules>(rules: &R, state: &mut R::State, actions: &[R::Action], events: &mut Vec<Value>) {
    let before = state.clone();
    rules.play_unchecked(state, actions);
    events.extend(rules.events(&before, state));
}

/// Plays a recorded move. On an error the state is unchanged.
///
/// # Errors
/// `BadNotation` or `IllegalMove`.
pub fn play_recorded<R: Rules>(
    rules: &R,
    state: &mut R::State,
    text: &str,
) -> Result<Played<R::Action>, RuleError> {
    if let Some(seat) = text.strip_prefix('!') {
        return play_forfeit(rules, state, seat);
    }
    match rules.to_act(state) {
        ToAct::Over(_) => Err(RuleError::IllegalMove("the game is over".into())),
        ToAct::Together => play_joint(rules, state, text),
        ToAct::One(seat) => play_one(rules, state, seat, text),
    }
}

/// Plays a move as submitted by a seat that acts alone, without a tail. On an error the state is unchanged. With a
/// `deal`, what the seat cannot know is reshuffled by this seed first.
///
/// # Errors
/// `BadNotation` or `IllegalMove`, the latter also if several seats act together, and without a deal in a public hidden
/// position.
pub fn play_submitted<R: Rules>(
    rules: &R,
    state: &mut R::State,
    seat: Seat,
    text: &str,
    deal: Option<u64>,
) -> Result<Played<R::Action>, RuleError> {
    if matches!(rules.to_act(state), ToAct::Together) {
        return Err(RuleError::IllegalMove("the seats move together: one part is not a whole move".into()));
    }
    let mut before = state.clone();
    if let (Some(hidden), Some(seed)) = (rules.hidden(), deal) {
        hidden.redeal(&mut before, seat, seed);
    }
    let (after, played) = play_revealed(rules, &before, seat, text, None)?;
    if rules.hidden().is_some_and(|hidden| deal.is_none() && !hidden.is_dealt()) {
        return Err(RuleError::IllegalMove("this position cannot tell what the move reveals".into()));
    }
    *state = after;
    Ok(played)
}

fn play_one<R: Rules>(
    rules: &R,
    state: &mut R::State,
    seat: Seat,
    text: &str,
) -> Result<Played<R::Action>, RuleError> {
    let (submitted, tail) = rules.hidden().map_or((text, ""), |hidden| hidden.split(text));
    let mut before = state.clone();
    let recorded = reveal(rules, &mut before, seat, submitted, tail)?;
    let (after, played) = play_revealed(rules, &before, seat, submitted, recorded.map(|known| (known, tail)))?;
    *state = after;
    Ok(played)
}

/// The state after a submitted move, and its record. `recorded` is the tail in a record, which the move must reveal.
fn play_revealed<R: Rules>(
    rules: &R,
    before: &R::State,
    seat: Seat,
    submitted: &str,
    recorded: Option<(R::Observation, &str)>,
) -> Result<(R::State, Played<R::Action>), RuleError> {
    let mut after = before.clone();
    let (actions, events) = play_complete(rules, &mut after, seat, submitted)?;
    let mut text = rules.write(before, seat, &actions);
    if let Some(hidden) = rules.hidden() {
        let observed = hidden.observe(before, &after);
        let known = hidden.write_tail(&observed);
        if let Some((_, tail)) = recorded.filter(|(recorded, _)| *recorded != observed) {
            let follows = if known.is_empty() { "nothing".into() } else { format!("'{known}'") };
            return Err(RuleError::IllegalMove(format!("the record says '{tail}' where {follows} follows")));
        }
        if !known.is_empty() {
            text = format!("{text} {known}");
        }
    }
    Ok((after, Played { actions, text, counts: true, events }))
}

/// Reads the tail of a recorded move, and reshuffles a public position to reveal it.
fn reveal<R: Rules>(
    rules: &R,
    state: &mut R::State,
    seat: Seat,
    submitted: &str,
    tail: &str,
) -> Result<Option<R::Observation>, RuleError> {
    let Some(hidden) = rules.hidden() else { return Ok(None) };
    if hidden.is_dealt() && tail.is_empty() {
        return Ok(None);
    }
    complete(rules, state, seat, submitted)?; // an illegal move is refused as such, whatever its tail
    let recorded = hidden.read_tail(tail)?;
    if !hidden.is_dealt() {
        hidden.reveal(state, &recorded)?;
    }
    Ok(Some(recorded))
}

fn play_joint<R: Rules>(rules: &R, state: &mut R::State, text: &str) -> Result<Played<R::Action>, RuleError> {
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() != rules.seats() {
        return Err(RuleError::BadNotation(format!(
            "'{text}' is not one move for each of {} seats",
            rules.seats()
        )));
    }
    let mut actions = Vec::with_capacity(parts.len());
    let mut texts = Vec::with_capacity(parts.len());
    for (seat, part) in parts.iter().enumerate() {
        let action = read_together(rules, state, seat, part)?;
        texts.push(rules.write(state, seat, &[action]));
        actions.push(action);
    }
    let mut events = Vec::new();
    play_slice(rules, state, &actions, &mut events);
    Ok(Played { actions, text: join(&texts), counts: true, events })
}

/// Joins the moves of simultaneously acting seats, one per seat in seat order.
#[must_use]
pub fn join(texts: &[String]) -> String {
    texts.join("/")
}

fn play_forfeit<R: Rules>(rules: &R, state: &mut R::State, seat: &str) -> Result<Played<R::Action>, RuleError> {
    let number = seat
        .parse::<Seat>()
        .ok()
        .filter(|number| *number < rules.seats() && number.to_string() == seat)
        .ok_or_else(|| RuleError::BadNotation(format!("'!{seat}' names no seat")))?;
    if matches!(rules.to_act(state), ToAct::Over(_)) {
        return Err(RuleError::IllegalMove("the game is over".into()));
    }
    let mut after = state.clone();
    rules.forfeit(&mut after, number);
    if rules.key(&after) == rules.key(state) {
        return Err(RuleError::IllegalMove(format!("seat {number} has left already")));
    }
    let events = rules.events(state, &after);
    *state = after;
    Ok(Played { actions: Vec::new(), text: format!("!{number}"), counts: false, events })
}

/// All whole moves of `seat`, in the order of the rules, without duplicates.
pub fn list<R: Rules>(rules: &R, state: &R::State, seat: Seat) -> Vec<String> {
    let mut texts = Vec::new();
    if !rules.acting(state).contains(&seat) {
        return texts;
    }
    if matches!(rules.to_act(state), ToAct::Together) {
        let mut legal = Vec::new();
        rules.legal(state, seat, &mut legal);
        return legal.iter().map(|action| rules.write(state, seat, &[*action])).collect();
    }
    collect(rules, state, state, seat, &mut Vec::new(), &mut texts);
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

fn collect<R: Rules>(
    rules: &R,
    start: &R::State,
    state: &R::State,
    seat: Seat,
    staged: &mut Vec<R::Action>,
    texts: &mut Vec<String>,
) {
    let mut legal = Vec::new();
    rules.legal(state, seat, &mut legal);
    for action in legal {
        let mut after = state.clone();
        rules.play_unchecked(&mut after, &[action]);
        staged.push(action);
        if rules.at_rest(&after) {
            texts.push(rules.write(start, seat, staged));
        } else {
            collect(rules, start, &after, seat, staged, texts);
        }
        staged.pop();
    }
}

/// The actions of `seat` that may follow the staged beginning of a move; empty if that is already a whole move.
///
/// # Errors
/// `BadNotation` or `IllegalMove` if `staged` is not a legal beginning.
pub fn actions<R: Rules>(rules: &R, state: &R::State, seat: Seat, staged: &str) -> Result<Vec<String>, RuleError> {
    if !rules.acting(state).contains(&seat) {
        return if staged.is_empty() { Ok(Vec::new()) } else { Err(not_acting(rules, state, seat)) };
    }
    let (before, after) = stage(rules, state, seat, staged)?;
    if !before.is_empty() && (matches!(rules.to_act(state), ToAct::Together) || rules.at_rest(&after)) {
        return Ok(Vec::new());
    }
    let mut legal = Vec::new();
    rules.legal(&after, seat, &mut legal);
    Ok(legal.iter().map(|action| rules.write(&after, seat, &[*action])).collect())
}

/// The actions of the staged beginning of a move, possibly empty, and the state after them. The state stays where the
/// seats act together, since it needs the others' choices.
///
/// # Errors
/// `BadNotation` or `IllegalMove` if `staged` is not a legal beginning.
pub fn stage<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    staged: &str,
) -> Result<(Vec<R::Action>, R::State), RuleError> {
    let mut after = state.clone();
    if staged.is_empty() {
        return Ok((Vec::new(), after));
    }
    let actions = rules.read(state, seat, staged)?;
    for action in &actions {
        if !rules.acting(&after).contains(&seat) || !rules.is_legal(&after, seat, *action) {
            return Err(illegal(staged));
        }
        if matches!(rules.to_act(&after), ToAct::Together) {
            break;
        }
        rules.play_unchecked(&mut after, &[*action]);
        if rules.at_rest(&after) {
            break;
        }
    }
    Ok((actions, after))
}

/// Whether the staged beginning of a move, possibly empty, is a whole move of `seat`.
pub fn can_finish<R: Rules>(rules: &R, state: &R::State, seat: Seat, staged: &str) -> bool {
    if !rules.acting(state).contains(&seat) {
        return false;
    }
    if staged.is_empty() {
        return rules.end_early(state).is_some_and(|end| rules.is_legal(state, seat, end));
    }
    complete(rules, state, seat, staged).is_ok()
}

/// Number of leaves of the action tree at `depth` (joint actions if all seats act together).
pub fn perft<R: Rules>(rules: &R, state: &R::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match rules.to_act(state) {
        ToAct::Over(_) => 0,
        ToAct::One(seat) if depth == 1 => rules.count(state, seat),
        ToAct::One(seat) => {
            let mut legal = Vec::with_capacity(64);
            rules.legal(state, seat, &mut legal);
            let mut after = state.clone();
            let leaves = |action: &R::Action| {
                after.clone_from(state);
                rules.play_unchecked(&mut after, &[*action]);
                perft(rules, &after, depth - 1)
            };
            legal.iter().map(leaves).sum()
        }
        ToAct::Together if depth == 1 => (0..rules.seats()).map(|seat| rules.count(state, seat)).product(),
        ToAct::Together => successors(rules, state).iter().map(|after| perft(rules, after, depth - 1)).sum(),
    }
}

/// [`perft`] on several threads, which share the first actions.
///
/// # Errors
/// `BadConfig` if so many threads cannot be started.
pub fn perft_on<R: Rules>(threads: usize, rules: &R, state: &R::State, depth: u32) -> Result<u64, RuleError> {
    if threads <= 1 || depth < 3 {
        return Ok(perft(rules, state, depth));
    }
    let first = successors(rules, state);
    sum_on(threads, first.len(), &|number| perft(rules, &first[number], depth - 1))
}

/// The sum of what `work` returns for the numbers below `count`. Not generic, so that it is compiled once.
fn sum_on(threads: usize, count: usize, work: &(dyn Fn(usize) -> u64 + Sync)) -> Result<u64, RuleError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RuleError::BadConfig(format!("{threads} threads cannot be started: {error}")))?;
    Ok(pool.install(|| (0..count).into_par_iter().map(work).sum()))
}

/// The state after one action of every seat that acts.
pub fn after<R: Rules>(rules: &R, state: &R::State, slice: &[R::Action]) -> R::State {
    let mut after = state.clone();
    rules.play_unchecked(&mut after, slice);
    after
}

/// The states after each action from `state`, in the order of the rules.
pub fn successors<R: Rules>(rules: &R, state: &R::State) -> Vec<R::State> {
    slices(rules, state).iter().map(|slice| after(rules, state, slice)).collect()
}

/// One action of every seat that acts, in all combinations, in the order of the rules; none if the game is over.
pub fn slices<R: Rules>(rules: &R, state: &R::State) -> Vec<Vec<R::Action>> {
    let mut slices: Vec<Vec<R::Action>> = match rules.to_act(state) {
        ToAct::Over(_) => return Vec::new(),
        _ => vec![Vec::new()],
    };
    for seat in rules.acting(state) {
        let mut legal = Vec::new();
        rules.legal(state, seat, &mut legal);
        slices = slices
            .iter()
            .flat_map(|slice| {
                legal.iter().map(|action| {
                    let mut longer = slice.clone();
                    longer.push(*action);
                    longer
                })
            })
            .collect();
    }
    slices
}

fn illegal(text: &str) -> RuleError {
    RuleError::IllegalMove(format!("{text} is not legal here"))
}

fn not_acting<R: Rules>(rules: &R, state: &R::State, seat: Seat) -> RuleError {
    RuleError::IllegalMove(match rules.to_act(state) {
        ToAct::Over(_) => "the game is over".into(),
        _ => format!("seat {seat} does not move now"),
    })
}
