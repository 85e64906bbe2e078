//! Results of an alpha-beta search: the best move, the candidates, and their lines, in whole moves.

use super::descent::evaluate;
use super::ordering::digest;
use super::worker::{RootMove, Worker};
use super::{AlphaBeta, score};
use crate::rules::{MAX_SEATS, Rules, Seat, ToAct};
use crate::search::choices::choices;
use crate::search::{Line, Report, Search};

/// Maximum number of whole moves in a line.
const LINE_MOVES: usize = 12;

impl<R: Rules> AlphaBeta<R> {
    pub(super) fn tell(&self, lines: usize) -> Report {
        let leader = self.leader();
        let seat = self.seat_to_act();
        let best = seat.and_then(|seat| self.best_line(leader, seat));
        let mut values = [0.0; MAX_SEATS];
        match (self.shared.rules.to_act(&self.shared.root), seat) {
            (ToAct::Over(outcome), _) => values = outcome.values(2),
            (_, Some(seat)) => {
                values[seat] = score::to_value(leader.worth());
                values[1 - seat] = -values[seat];
            }
            _ => {}
        }
        let best_move = best.and_then(|line| line.into_iter().next());
        Report {
            visits: self.visits(),
            nodes: self.shared.table.used(),
            depth: leader.finished as u32,
            lines: seat.map_or_else(Vec::new, |seat| self.candidates(leader, seat, lines)),
            ..Report::of_move(best_move, values)
        }
    }

    fn seat_to_act(&self) -> Option<Seat> {
        match self.shared.rules.to_act(&self.shared.root) {
            ToAct::One(seat) => Some(seat),
            _ => None,
        }
    }

    fn best_line(&self, leader: &Worker<R>, seat: Seat) -> Option<Vec<String>> {
        let best = leader.moves.first().filter(|_| self.visits > 0)?;
        Some(self.write_line(seat, best))
    }

    /// Different whole moves, best first, then by their upper bounds, each at most the value of the best move, even if
    /// the bound is older than that value. The best move's value is that of the position.
    fn candidates(&self, leader: &Worker<R>, seat: Seat, count: usize) -> Vec<Line> {
        let best = leader.score();
        let change = leader.worth() - best;
        let mut order: Vec<&RootMove<R::Action>> = leader.moves.iter().filter(|known| known.nodes > 0).collect();
        if let [_, others @ ..] = &mut order[..] {
            others.sort_by_key(|known| std::cmp::Reverse((known.score.min(best), known.nodes)));
        }
        let mut lines: Vec<Line> = Vec::new();
        for known in order {
            if lines.len() == count {
                break;
            }
            let pv = self.write_line(seat, known);
            if lines.iter().all(|line| line.text != pv[0]) {
                let visits = u32::try_from(known.nodes).unwrap_or(u32::MAX);
                lines.push(Line {
                    text: pv[0].clone(),
                    visits,
                    value: score::to_value(score::raised(known.score.min(best), change)),
                    pv,
                    points: None,
                });
            }
        }
        lines
    }

    /// The whole moves of a line. Completes the first one if the line ends within it.
    fn write_line(&self, seat: Seat, known: &RootMove<R::Action>) -> Vec<String> {
        let rules = &*self.shared.rules;
        let mut actions = if known.line.is_empty() { vec![known.action] } else { known.line.clone() };
        self.complete(seat, &mut actions);
        self.go_on(&mut actions, score::is_sure(known.score));
        let (mut texts, mut state, mut seat) = (Vec::new(), self.shared.root.clone(), seat);
        let mut start = 0;
        let mut before = state.clone();
        for end in 0..actions.len() {
            rules.play_unchecked(&mut state, &actions[end..=end]);
            if self.runs_on(&state) {
                continue;
            }
            texts.push(rules.write(&before, seat, &actions[start..=end]));
            let ToAct::One(next) = rules.to_act(&state) else { break };
            if texts.len() == LINE_MOVES {
                break;
            }
            (seat, start) = (next, end + 1);
            before.clone_from(&state);
        }
        texts
    }

    /// Appends the continuation in the table: for moves other than the best, their refutation. It was not searched to
    /// the end for this line: if the value is not `proven`, it stops where the game would be over.
    fn go_on(&self, actions: &mut Vec<R::Action>, proven: bool) {
        let rules = &*self.shared.rules;
        let mut state = self.shared.root.clone();
        actions.iter().for_each(|action| rules.play_unchecked(&mut state, &[*action]));
        let mut legal = Vec::new();
        while let ToAct::One(seat) = rules.to_act(&state)
            && actions.len() < LINE_MOVES
            && let Some(entry) = self.shared.table.find(self.shared.table_key(&state))
        {
            legal.clear();
            choices(rules, &state, seat, &mut legal);
            let Some(&next) = legal.iter().find(|action| digest(*action) == entry.hint) else { return };
            rules.play_unchecked(&mut state, &[next]);
            if !proven && matches!(rules.to_act(&state), ToAct::Over(_)) {
                return;
            }
            actions.push(next);
        }
    }

    /// Whether the move that leads to `state` needs another action.
    fn runs_on(&self, state: &R::State) -> bool {
        !self.shared.rules.at_rest(state) && matches!(self.shared.rules.to_act(state), ToAct::One(_))
    }

    /// Appends the statically best actions of `seat` until the first move is complete.
    fn complete(&self, seat: Seat, actions: &mut Vec<R::Action>) {
        let rules = &*self.shared.rules;
        let mut state = self.shared.root.clone();
        for action in &*actions {
            rules.play_unchecked(&mut state, &[*action]);
            if !self.runs_on(&state) {
                return;
            }
        }
        while self.runs_on(&state) {
            let mut legal = Vec::new();
            choices(rules, &state, seat, &mut legal);
            let worth = |action: &R::Action| {
                let mut after = state.clone();
                rules.play_unchecked(&mut after, &[*action]);
                match rules.to_act(&after) {
                    ToAct::Over(outcome) => score::of_outcome(outcome, seat, 0),
                    _ => evaluate(&self.shared, &after, seat),
                }
            };
            let Some(best) = legal.iter().copied().max_by_key(worth) else { return };
            actions.push(best);
            rules.play_unchecked(&mut state, &[best]);
        }
    }
}
