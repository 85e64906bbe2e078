//! The rules once more, as plainly as possible: one search per wall, a list of edges, text for actions. Slow.

use std::collections::VecDeque;

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
    /// Whether there is a wall, by [`Model::index`] of the edge.
    walls: Vec<bool>,
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
        let mut model = Self {
            variant: setup.variant,
            width: setup.grid.width.into(),
            height: setup.grid.height.into(),
            walls: vec![false; 2 * usize::from(setup.grid.cells())],
            pawns: setup.pawns.map(|cell| (cell != ABSENT).then(|| at(cell))),
            ply: 0,
            left: 2,
            end: None,
        };
        for (wall, _) in &setup.walls {
            model.build((at(wall.cell), side(wall.side)));
        }
        model
    }

    fn cell(&self, (x, y): At) -> usize {
        (x * self.height + y) as usize
    }

    fn index(&self, (cell, side): Edge) -> usize {
        2 * self.cell(cell) + usize::from(side == 'r')
    }

    fn build(&mut self, edge: Edge) {
        let index = self.index(edge);
        assert!(!self.walls[index]);
        self.walls[index] = true;
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
            .filter(move |&b| self.on_board(b) && !self.walls[self.index(Self::edge(a, b))])
    }

    /// Steps from a cell to every cell, column by column; `None` where there is no way.
    pub fn distances(&self, from: At) -> Vec<Option<u16>> {
        let mut steps = vec![None; (self.width * self.height) as usize];
        steps[self.cell(from)] = Some(0);
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            let next = steps[self.cell(cell)].map(|steps| steps + 1);
            for beside in self.neighbours(cell) {
                if steps[self.cell(beside)].is_none() {
                    steps[self.cell(beside)] = next;
                    queue.push_back(beside);
                }
            }
        }
        steps
    }

    fn distance(&self, from: At, to: At) -> Option<u16> {
        self.distances(from)[self.cell(to)]
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
        self.pairs().into_iter().all(|(cat, goal)| self.distance(cat, goal).is_some())
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
        if !self.on_board(behind) || self.walls[self.index(edge)] {
            return None;
        }
        let mut walled = self.clone();
        walled.build(edge);
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
                ">" => self.build(((x, y), 'r')),
                _ => self.build(((x, y - 1), 'd')),
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
                let near = self.distance(self.pawns[2].unwrap(), self.pawns[1].unwrap());
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
