//! The rules once more, as plainly as possible: one search per wall, sets of named edges, text for actions. Slow.

use std::collections::{HashMap, HashSet, VecDeque};

use _core::games::wallwars::action::{Cell, Side};
use _core::games::wallwars::setup::{ABSENT, Setup, Variant};

/// (column, row), row 0 at the top.
type At = (i32, i32);

/// A wall: `r` to the right of a cell, `d` below it.
type Edge = (At, char);

/// A state of play.
#[derive(Clone)]
pub struct Model {
    variant: Variant,
    width: i32,
    height: i32,
    walls: HashSet<Edge>,
    pawns: [Option<At>; 4],
    pub ply: u32,
    pub left: u32,
    /// `1 capture`, `draw one-move-rule`, …; `None` while the game runs.
    pub end: Option<String>,
}

const STEPS: [At; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Model {
    pub fn new(setup: &Setup) -> Self {
        let at = |cell: Cell| (i32::from(setup.grid.column(cell)), i32::from(setup.grid.row(cell)));
        let side = |side| if side == Side::Right { 'r' } else { 'd' };
        Self {
            variant: setup.variant,
            width: setup.grid.width.into(),
            height: setup.grid.height.into(),
            walls: setup.walls.iter().map(|(wall, _)| (at(wall.cell), side(wall.side))).collect(),
            pawns: setup.pawns.map(|cell| (cell != ABSENT).then(|| at(cell))),
            ply: 0,
            left: 2,
            end: None,
        }
    }

    fn on_board(&self, (x, y): At) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn edge(a: At, b: At) -> Edge {
        (a.min(b), if a.1 == b.1 { 'r' } else { 'd' })
    }

    fn neighbours(&self, a: At) -> impl Iterator<Item = At> + '_ {
        STEPS
            .iter()
            .map(move |step| (a.0 + step.0, a.1 + step.1))
            .filter(move |&b| self.on_board(b) && !self.walls.contains(&Self::edge(a, b)))
    }

    /// Steps from a cell to every cell that can be reached.
    pub fn distances(&self, from: At) -> HashMap<At, u16> {
        let mut steps = HashMap::from([(from, 0)]);
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            let next = steps[&cell] + 1;
            for beside in self.neighbours(cell).collect::<Vec<_>>() {
                steps.entry(beside).or_insert_with(|| {
                    queue.push_back(beside);
                    next
                });
            }
        }
        steps
    }

    fn pairs(&self) -> Vec<(At, At)> {
        let indices: &[(usize, usize)] = match self.variant {
            Variant::Standard | Variant::Freestyle => &[(0, 3), (2, 1)],
            Variant::Classic => &[(0, 1), (2, 3)],
            Variant::Survival(_) => &[(0, 3)],
        };
        indices.iter().map(|&(cat, goal)| (self.pawns[cat].unwrap(), self.pawns[goal].unwrap())).collect()
    }

    pub fn connected(&self) -> bool {
        self.pairs().into_iter().all(|(cat, goal)| self.distances(cat).contains_key(&goal))
    }

    fn name(&self, (x, y): At) -> String {
        format!("{}{}", (b'a' + x as u8) as char, self.height - y)
    }

    /// Indices of the pawns that the mover may step with, and their letters.
    fn movable(&self) -> Vec<(usize, char)> {
        let seat = (self.ply % 2) as usize;
        let mouse = match self.variant {
            Variant::Standard | Variant::Freestyle => true,
            Variant::Classic => false,
            Variant::Survival(terms) => terms.mouse_can_move,
        };
        [(2 * seat, 'C', true), (2 * seat + 1, 'M', mouse)]
            .into_iter()
            .filter(|&(index, _, moves)| moves && self.pawns[index].is_some())
            .map(|(index, letter, _)| (index, letter))
            .collect()
    }

    /// The legal single actions in the order of lists.
    pub fn legal(&self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        let mut texts = Vec::new();
        for (index, letter) in self.movable() {
            let cell = self.pawns[index].unwrap();
            texts.extend(self.neighbours(cell).map(|beside| format!("{letter}{}", self.name(beside))));
        }
        for x in 0..self.width {
            for y in 0..self.height {
                texts.extend(self.wall_text(((x, y), 'd'), (x, y + 1), '^', (x, y + 1)));
                texts.extend(self.wall_text(((x, y), 'r'), (x + 1, y), '>', (x, y)));
            }
        }
        if texts.is_empty() { vec!["---".into()] } else { texts }
    }

    fn wall_text(&self, edge: Edge, behind: At, sign: char, named: At) -> Option<String> {
        if !self.on_board(behind) || self.walls.contains(&edge) {
            return None;
        }
        let mut walled = self.clone();
        walled.walls.insert(edge);
        walled.connected().then(|| format!("{sign}{}", self.name(named)))
    }

    /// Plays a single action (`---` ends the turn).
    pub fn play(&mut self, text: &str) {
        if text == "---" {
            self.left = 0;
        } else {
            let x = i32::from(text.as_bytes()[1] - b'a');
            let y = self.height - text[2..].parse::<i32>().unwrap();
            let seat = (self.ply % 2) as usize;
            match &text[..1] {
                "C" => self.pawns[2 * seat] = Some((x, y)),
                "M" => self.pawns[2 * seat + 1] = Some((x, y)),
                ">" => assert!(self.walls.insert(((x, y), 'r'))),
                _ => assert!(self.walls.insert(((x, y - 1), 'd'))),
            }
            self.left -= 1;
        }
        if self.left == 0 {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        let mover = (self.ply % 2) as usize;
        self.ply += 1;
        self.left = 2;
        let meets = |a: usize, b: usize| self.pawns[a].is_some() && self.pawns[a] == self.pawns[b];
        let capture = |seat: usize| Some(format!("{} capture", seat + 1));
        self.end = match self.variant {
            Variant::Standard | Variant::Freestyle => {
                let (mine, theirs) = (meets(2 * mover, 3 - 2 * mover), meets(2 - 2 * mover, 2 * mover + 1));
                let near = self.distances(self.pawns[2].unwrap()).get(&self.pawns[1].unwrap()).copied();
                match (mine, theirs) {
                    (true, _) if mover == 0 && near.is_some_and(|steps| steps <= 2) => {
                        Some("draw one-move-rule".into())
                    }
                    (true, _) => capture(mover),
                    (false, true) => capture(1 - mover),
                    (false, false) => None,
                }
            }
            Variant::Classic => {
                if meets(2 * mover, 2 * mover + 1) {
                    capture(mover)
                } else {
                    None
                }
            }
            Variant::Survival(terms) => {
                if meets(0, 3) {
                    capture(0)
                } else if mover == 0 && self.ply.div_ceil(2) >= terms.turns {
                    Some("2 survival".into())
                } else {
                    None
                }
            }
        };
    }

    /// Leaves of the tree of single actions.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let play = |text: &String| {
            let mut after = self.clone();
            after.play(text);
            after.perft(depth - 1)
        };
        self.legal().iter().map(play).sum()
    }
}
