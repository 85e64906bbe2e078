//! A race for the cheese, played in jumps from piece to piece: what each seat wins if both keep going to a near piece.
//!
//! A player goes to the nearest of the pieces that the other one does not reach sooner, or if there are none, to the
//! nearest one. If the other one takes it first, the player turns round wherever it is.
//!
//! Searches run a race for every position. All loops are over whole rows of travel times, without branches, so that the
//! compiler can use vector instructions.

use std::borrow::Cow;

use super::PyRat;
use super::state::State;
use crate::rules::Seat;

/// The latest arrival that counts; later ones are as late. Games have fewer turns.
const LATEST: u16 = 0x3fff;

/// Added to the arrival at a piece that the other player reaches sooner.
const LOST: u16 = 0x4000;

/// Added to the arrival at a piece that has been collected.
const GONE: u16 = 0x8000;

/// A player on its way. Times are in turns from the start of the race.
struct Runner<'t> {
    /// The travel times to each piece from where it was last.
    times: Cow<'t, [u16]>,
    /// When it was there, or will be free to go.
    since: u16,
    /// The piece it goes to.
    target: usize,
    arrival: u16,
}

impl Runner<'_> {
    /// Goes back, or on, from where the player is now on the way to its target. `from_target` are the times from there.
    /// In a maze without cycles, the times are exact: the way to another piece either goes back or by the target.
    fn turn_round(&mut self, now: u16, from_target: &[u16]) {
        let gone = now.saturating_sub(self.since);
        let ahead = self.times[self.target].saturating_sub(gone);
        for (time, from_target) in self.times.to_mut().iter_mut().zip(from_target) {
            *time = time.saturating_sub(gone).max(from_target.saturating_sub(ahead));
        }
        self.since = self.since.max(now);
    }
}

/// The points that each seat wins from an unfinished state on.
#[must_use]
pub fn run<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> [f32; 2] {
    let mut halves = [0; 2];
    follow(rules, state, |_, seat, won| halves[seat] += won);
    halves.map(|halves| f32::from(halves) / 2.0)
}

/// For each seat, which share of each piece it wins from an unfinished state on: 0, ½ or 1.
#[must_use]
pub fn shares<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> [Vec<f32>; 2] {
    let mut shares = [(); 2].map(|()| vec![0.0; rules.start().cheese.len()]);
    follow(rules, state, |piece, seat, won| shares[seat][piece] = f32::from(won) / 2.0);
    shares
}

/// Runs a race; calls `win` with each piece that is collected, who collects it, and the half points that this brings.
fn follow<const W: usize>(rules: &PyRat<W>, state: &State<W>, mut win: impl FnMut(usize, Seat, u16)) {
    let total = rules.start().cheese.len();
    let turns = rules.start().max_turns - state.turn();
    let mut collected = vec![GONE; total];
    state.pieces().for_each(|piece| collected[usize::from(piece)] = 0);
    let mut halves = state.players().map(|player| player.half_points);
    let mut runners = state.players().map(|player| {
        let times = rules.times_from(player.cell);
        Runner { times, since: player.held.into(), target: 0, arrival: 0 }
    });
    (0..2).for_each(|seat| set_out(&mut runners, seat, &collected));
    while halves.iter().all(|halves| usize::from(*halves) <= total) {
        let now = runners[0].arrival.min(runners[1].arrival);
        if now > turns {
            break;
        }
        let targets = runners.each_ref().map(|runner| runner.target);
        let arrived = runners.each_ref().map(|runner| runner.arrival == now);
        let is_contested = targets[0] == targets[1];
        for seat in 0..2 {
            let there = rules.times_from(rules.start().cheese[targets[seat]]);
            if arrived[seat] {
                collected[targets[seat]] = GONE;
                let won = if is_contested && arrived[1 - seat] { 1 } else { 2 };
                halves[seat] += won;
                win(targets[seat], seat, won);
                (runners[seat].times, runners[seat].since) = (there, now);
            } else if is_contested {
                runners[seat].turn_round(now, &there);
            }
        }
        for seat in (0..2).filter(|seat| arrived[*seat] || is_contested) {
            set_out(&mut runners, seat, &collected);
        }
    }
}

/// Chooses a target; without any piece left, the arrival is at no time of the game. Among equals, seat 0 takes the first
/// piece and seat 1 the last one, so that a board turned by half gives the same race.
fn set_out(runners: &mut [Runner<'_>; 2], seat: Seat, collected: &[u16]) {
    let (runner, other) = (&runners[seat], &runners[1 - seat]);
    let pieces = || runner.times.iter().zip(&*other.times).zip(collected);
    // A piece under a player's feet takes a turn.
    let cost = |((time, others), collected): ((&u16, &u16), &u16)| {
        let arrival = time.saturating_add(runner.since).clamp(1, LATEST);
        let is_lost = others.saturating_add(other.since) < arrival;
        arrival | collected | if is_lost { LOST } else { 0 }
    };
    let least = pieces().map(cost).fold(u16::MAX, u16::min);
    let is_least = |piece| cost(piece) == least;
    let target = if seat == 0 { pieces().position(is_least) } else { pieces().rposition(is_least) };
    runners[seat].target = target.unwrap_or_default();
    runners[seat].arrival = least & !LOST;
}
