//! A solver of small games of two seats in turn: it lists every state that can be reached, and finds out which of them
//! are won, by rounds of whole moves. Uses the rules only; a game that need not end is a draw.

use std::collections::HashMap;

use _core::rules::{Rules, Seat, ToAct};

/// A state between two moves, and what is known of it.
struct Node {
    seat: Seat,
    next: Vec<Next>,
    /// The winner, and the moves until the end if both hasten or delay it.
    won: Option<(Seat, u32)>,
}

/// What a move leads to.
#[derive(Clone, Copy)]
enum Next {
    Node(usize),
    Over(Option<Seat>),
}

/// All states that can be reached from one.
pub struct Solver<'r, R: Rules> {
    rules: &'r R,
    known: HashMap<u128, usize>,
    pub states: Vec<R::State>,
    nodes: Vec<Node>,
}

/// The states after every whole move of the seat that acts, those that end early included.
fn whole_moves<R: Rules>(rules: &R, state: &R::State, seat: Seat, out: &mut Vec<R::State>) {
    let mut actions = Vec::new();
    rules.legal(state, seat, &mut actions);
    actions.extend(rules.end_early(state).filter(|end| rules.is_legal(state, seat, *end)));
    for action in actions {
        let mut after = state.clone();
        rules.play_unchecked(&mut after, &[action]);
        if rules.at_rest(&after) {
            out.push(after);
        } else {
            whole_moves(rules, &after, seat, out);
        }
    }
}

impl<'r, R: Rules> Solver<'r, R> {
    /// Solves everything that can be reached from `root`; `None` if that is more than `most` states.
    pub fn new(rules: &'r R, root: &R::State, most: usize) -> Option<Self> {
        let mut solver = Self { rules, known: HashMap::new(), states: Vec::new(), nodes: Vec::new() };
        solver.add(root);
        let mut index = 0;
        while index < solver.states.len() {
            if solver.states.len() > most {
                return None;
            }
            let (mut after, seat) = (Vec::new(), solver.nodes[index].seat);
            whole_moves(rules, &solver.states[index].clone(), seat, &mut after);
            let next: Vec<Next> = after.iter().map(|state| solver.add(state)).collect();
            solver.nodes[index].next = next;
            index += 1;
        }
        solver.solve();
        Some(solver)
    }

    fn add(&mut self, state: &R::State) -> Next {
        let seat = match self.rules.to_act(state) {
            ToAct::Over(outcome) => return Next::Over(outcome.winners(2).first().copied()),
            ToAct::One(seat) => seat,
            ToAct::Together => panic!("seats move in turn"),
        };
        let (states, nodes) = (&mut self.states, &mut self.nodes);
        Next::Node(*self.known.entry(self.rules.key(state)).or_insert_with(|| {
            states.push(state.clone());
            nodes.push(Node { seat, next: Vec::new(), won: None });
            nodes.len() - 1
        }))
    }

    /// Rounds: in each, the states that are decided by those of the rounds before.
    fn solve(&mut self) {
        for round in 1.. {
            let decided: Vec<(usize, Seat)> = (0..self.nodes.len())
                .filter(|index| self.nodes[*index].won.is_none())
                .filter_map(|index| self.winner(&self.nodes[index]).map(|winner| (index, winner)))
                .collect();
            if decided.is_empty() {
                return;
            }
            decided.into_iter().for_each(|(index, winner)| self.nodes[index].won = Some((winner, round)));
        }
    }

    fn winner(&self, node: &Node) -> Option<Seat> {
        let after = |next: &Next| match next {
            Next::Node(index) => self.nodes[*index].won.map(|(winner, _)| winner),
            Next::Over(winner) => *winner,
        };
        if node.next.iter().any(|next| after(next) == Some(node.seat)) {
            return Some(node.seat);
        }
        node.next.iter().all(|next| after(next) == Some(1 - node.seat)).then_some(1 - node.seat)
    }

    /// The value for seat 0 of a state that was reached: 1, 0 or -1.
    pub fn value(&self, state: &R::State) -> f32 {
        match self.rules.to_act(state) {
            ToAct::Over(outcome) => outcome.values(2)[0],
            _ => match self.won(state) {
                Some((seat, _)) => [1.0, -1.0][seat],
                None => 0.0,
            },
        }
    }

    /// The winner of a state that was reached, and the number of moves until then.
    pub fn won(&self, state: &R::State) -> Option<(Seat, u32)> {
        self.nodes[self.known[&self.rules.key(state)]].won
    }
}
