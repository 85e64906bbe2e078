//! A second statement of the rules, slow and plain: hash maps on the unbounded grid, breadth-first searches, texts for
//! pieces. It shares no code with the rules that it checks.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Axial coordinates.
pub type Hex = (i32, i32);

/// A piece as it is written, such as `wA1` or `bQ`.
pub type Name = String;

/// Clockwise from NW, with how the cell on the other side is written relative to a piece that lies there.
const AROUND: [(Hex, &str, &str); 6] = [
    ((0, -1), "", "\\"),
    ((1, -1), "/", ""),
    ((1, 0), "-", ""),
    ((0, 1), "\\", ""),
    ((-1, 1), "", "/"),
    ((-1, 0), "", "-"),
];

/// One thing that a player may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    Pass,
    Put(Name, Hex),
}

/// A position.
#[derive(Clone)]
pub struct Model {
    stacks: HashMap<Hex, Vec<Name>>,
    hands: [Vec<Name>; 2],
    ply: usize,
    moved: Option<Name>,
    /// Snapshots of every position, for the rule of three.
    seen: Vec<String>,
}

fn add(a: Hex, b: Hex) -> Hex {
    (a.0 + b.0, a.1 + b.1)
}

fn around(cell: Hex) -> Vec<Hex> {
    AROUND.iter().map(|(step, _, _)| add(cell, *step)).collect()
}

fn color(name: &str) -> usize {
    usize::from(name.starts_with('b'))
}

fn bug(name: &str) -> char {
    name.chars().nth(1).unwrap()
}

impl Model {
    pub fn new(game_type: &str) -> Self {
        let mut bugs = vec!["Q", "S1", "S2", "B1", "B2", "G1", "G2", "G3", "A1", "A2", "A3"];
        let expansions = game_type.split('+').nth(1).unwrap_or("");
        bugs.extend(["M", "L", "P"].into_iter().filter(|letter| expansions.contains(letter)));
        let hand = |color: &str| bugs.iter().map(|bug| format!("{color}{bug}")).collect();
        let mut model =
            Self { stacks: HashMap::new(), hands: [hand("w"), hand("b")], ply: 0, moved: None, seen: Vec::new() };
        model.seen.push(model.snapshot());
        model
    }

    fn seat(&self) -> usize {
        self.ply % 2
    }

    fn height(&self, cell: Hex) -> usize {
        self.stacks.get(&cell).map_or(0, Vec::len)
    }

    fn top(&self, cell: Hex) -> Option<&Name> {
        self.stacks.get(&cell).and_then(|stack| stack.last())
    }

    fn cell_of(&self, name: &str) -> Option<Hex> {
        self.stacks.iter().find(|(_, stack)| stack.iter().any(|piece| piece == name)).map(|(cell, _)| *cell)
    }

    fn queen_in_play(&self, seat: usize) -> bool {
        self.cell_of(["wQ", "bQ"][seat]).is_some()
    }

    /// The same moment without the piece on top of a cell. It has no past.
    fn without(&self, cell: Hex) -> Self {
        let mut lifted = Self {
            stacks: self.stacks.clone(),
            hands: self.hands.clone(),
            moved: self.moved.clone(),
            seen: Vec::new(),
            ..*self
        };
        lifted.lift(cell);
        lifted
    }

    fn lift(&mut self, cell: Hex) {
        let stack = self.stacks.get_mut(&cell).unwrap();
        stack.pop();
        if stack.is_empty() {
            self.stacks.remove(&cell);
        }
    }

    fn is_one_hive(&self) -> bool {
        let Some(start) = self.stacks.keys().next() else { return true };
        let mut reached = HashSet::from([*start]);
        let mut queue = vec![*start];
        while let Some(cell) = queue.pop() {
            for near in around(cell) {
                if self.stacks.contains_key(&near) && reached.insert(near) {
                    queue.push(near);
                }
            }
        }
        reached.len() == self.stacks.len()
    }

    /// How the game stands: the words of a GameString's state.
    pub fn state(&self) -> &'static str {
        let surrounded =
            |name| self.cell_of(name).is_some_and(|cell| around(cell).iter().all(|near| self.height(*near) > 0));
        match (surrounded("wQ"), surrounded("bQ")) {
            (true, true) => "Draw",
            (true, false) => "BlackWins",
            (false, true) => "WhiteWins",
            (false, false) if self.ply == 0 => "NotStarted",
            (false, false) => "InProgress",
        }
    }

    /// Whether the position has occurred three times.
    pub fn is_repeated(&self) -> bool {
        let now = self.seen.last().unwrap();
        self.seen.iter().filter(|before| *before == now).count() >= 3
    }

    /// The position as a text that is the same for the same position wherever it lies.
    fn snapshot(&self) -> String {
        let mut bare = self.clone();
        bare.moved = None;
        let has_pillbugs = self.cell_of("wP").or(self.cell_of("bP")).is_some();
        let stuns = has_pillbugs && self.moved.is_some() && self.moves() != bare.moves();
        let stun = stuns.then(|| self.cell_of(self.moved.as_ref().unwrap()).unwrap());
        let west = self.stacks.keys().map(|cell| cell.0).min().unwrap_or(0);
        let north = self.stacks.keys().map(|cell| cell.1).min().unwrap_or(0);
        let shifted = |cell: Hex| (cell.0 - west, cell.1 - north);
        let stack = |stack: &Vec<Name>| stack.iter().map(|name| name[..2].to_string()).collect::<Vec<_>>();
        let mut cells: Vec<_> = self.stacks.iter().map(|(cell, names)| (shifted(*cell), stack(names))).collect();
        cells.sort();
        format!("{cells:?} {} {:?}", self.seat(), stun.map(shifted))
    }

    /// Every legal move in its canonical text.
    pub fn moves(&self) -> BTreeSet<String> {
        self.deeds().iter().map(|deed| self.text(deed)).collect()
    }

    /// Every legal move.
    pub fn deeds(&self) -> Vec<Deed> {
        let mut deeds = self.placements();
        if self.queen_in_play(self.seat()) {
            for (name, cell) in self.movable() {
                let mut ends = self.thrown_to(cell);
                if color(&name) == self.seat() {
                    ends.extend(self.walks(&name, cell));
                }
                deeds.extend(ends.into_iter().map(|end| Deed::Put(name.clone(), end)));
            }
        }
        if deeds.is_empty() {
            deeds.push(Deed::Pass);
        }
        deeds
    }

    fn placements(&self) -> Vec<Deed> {
        let mut next: Vec<&Name> = Vec::new();
        for name in &self.hands[self.seat()] {
            if next.iter().all(|other| bug(other) != bug(name)) {
                next.push(name);
            }
        }
        if self.ply < 2 {
            next.retain(|name| bug(name) != 'Q');
        }
        if self.ply / 2 == 3 && !self.queen_in_play(self.seat()) {
            next.retain(|name| bug(name) == 'Q');
        }
        let cells = self.placement_cells();
        next.iter().flat_map(|name| cells.iter().map(|cell| Deed::Put((*name).clone(), *cell))).collect()
    }

    fn placement_cells(&self) -> HashSet<Hex> {
        if self.ply == 0 {
            return HashSet::from([(0, 0)]);
        }
        let beside: HashSet<Hex> = self.stacks.keys().flat_map(|cell| around(*cell)).collect();
        let colors = |cell: Hex| -> Vec<usize> {
            around(cell).iter().filter_map(|near| self.top(*near)).map(|name| color(name)).collect()
        };
        let fits = |cell: &Hex| {
            self.height(*cell) == 0 && (self.ply == 1 || colors(*cell).iter().all(|color| *color == self.seat()))
        };
        beside.into_iter().filter(fits).collect()
    }

    /// Visible pieces that may leave their cell.
    fn movable(&self) -> Vec<(Name, Hex)> {
        let tops = self.stacks.iter().map(|(cell, stack)| (stack.last().unwrap().clone(), *cell));
        tops.filter(|(name, cell)| self.moved.as_ref() != Some(name) && self.without(*cell).is_one_hive())
            .collect()
    }

    fn walks(&self, name: &str, cell: Hex) -> HashSet<Hex> {
        let lifted = self.without(cell);
        if lifted.height(cell) > 0 {
            return lifted.walk_as('B', cell);
        }
        if bug(name) != 'M' {
            return lifted.walk_as(bug(name), cell);
        }
        let kinds: HashSet<char> =
            around(cell).iter().filter_map(|near| self.top(*near)).map(|near| bug(near)).collect();
        kinds.into_iter().flat_map(|kind| lifted.walk_as(kind, cell)).collect()
    }

    /// Destinations of a bug that has been lifted off `cell`.
    fn walk_as(&self, kind: char, cell: Hex) -> HashSet<Hex> {
        match kind {
            'Q' | 'P' => self.ground_steps(cell),
            'B' => around(cell).into_iter().filter(|to| self.can_step(cell, *to)).collect(),
            'S' => {
                let mut ends = HashSet::new();
                self.crawl(&mut vec![cell], &mut ends);
                ends
            }
            'A' => self.run(cell),
            'G' => AROUND.iter().filter_map(|(step, _, _)| self.jump(cell, *step)).collect(),
            'L' => self.ladybug(cell),
            _ => HashSet::new(),
        }
    }

    /// The two cells that lie beside the way between neighbours.
    fn beside_way(from: Hex, to: Hex) -> Vec<Hex> {
        let near: HashSet<Hex> = around(from).into_iter().collect();
        around(to).into_iter().filter(|cell| near.contains(cell)).collect()
    }

    /// Freedom to move between neighbours for a lifted piece.
    fn can_step(&self, from: Hex, to: Hex) -> bool {
        let sides: Vec<usize> = Self::beside_way(from, to).iter().map(|cell| self.height(*cell)).collect();
        if self.height(from) == 0 && self.height(to) == 0 {
            return sides.iter().filter(|height| **height > 0).count() == 1;
        }
        *sides.iter().min().unwrap() <= self.height(from).max(self.height(to))
    }

    fn ground_steps(&self, from: Hex) -> HashSet<Hex> {
        around(from).into_iter().filter(|to| self.height(*to) == 0 && self.can_step(from, *to)).collect()
    }

    fn crawl(&self, path: &mut Vec<Hex>, ends: &mut HashSet<Hex>) {
        if path.len() == 4 {
            ends.insert(path[3]);
            return;
        }
        for to in self.ground_steps(*path.last().unwrap()) {
            if !path.contains(&to) {
                path.push(to);
                self.crawl(path, ends);
                path.pop();
            }
        }
    }

    fn run(&self, start: Hex) -> HashSet<Hex> {
        let mut reached = HashSet::from([start]);
        let mut queue = vec![start];
        while let Some(cell) = queue.pop() {
            queue.extend(self.ground_steps(cell).into_iter().filter(|to| reached.insert(*to)));
        }
        reached.remove(&start);
        reached
    }

    fn jump(&self, from: Hex, step: Hex) -> Option<Hex> {
        let mut cell = add(from, step);
        if self.height(cell) == 0 {
            return None;
        }
        while self.height(cell) > 0 {
            cell = add(cell, step);
        }
        Some(cell)
    }

    fn ladybug(&self, start: Hex) -> HashSet<Hex> {
        let up = |from: Hex| {
            around(from).into_iter().filter(move |to| self.height(*to) > 0 && self.can_step(from, *to))
        };
        let down = |from: Hex| {
            around(from).into_iter().filter(move |to| self.height(*to) == 0 && self.can_step(from, *to))
        };
        let tops: HashSet<Hex> = up(start).flat_map(up).collect();
        let mut ends: HashSet<Hex> = tops.into_iter().flat_map(down).collect();
        ends.remove(&start);
        ends
    }

    /// Where the piece on `from`, which may leave its cell, can be thrown.
    fn thrown_to(&self, from: Hex) -> HashSet<Hex> {
        if self.height(from) != 1 {
            return HashSet::new();
        }
        let lifted = self.without(from);
        let mut ends = HashSet::new();
        for over in around(from) {
            if self.can_throw(over) && lifted.can_step(from, over) {
                let down = around(over).into_iter().filter(|to| lifted.height(*to) == 0 && *to != from);
                ends.extend(down.filter(|to| lifted.can_step(over, *to)));
            }
        }
        ends
    }

    /// Whether the mover has a piece on `cell` that may throw its neighbours.
    fn can_throw(&self, cell: Hex) -> bool {
        let Some(name) = self.top(cell) else { return false };
        if color(name) != self.seat() || self.height(cell) != 1 || self.moved.as_ref() == Some(name) {
            return false;
        }
        let beside_pillbug = around(cell).iter().filter_map(|near| self.top(*near)).any(|near| bug(near) == 'P');
        bug(name) == 'P' || (bug(name) == 'M' && beside_pillbug)
    }

    /// The canonical text of a legal move.
    pub fn text(&self, deed: &Deed) -> String {
        let Deed::Put(name, to) = deed else { return "pass".into() };
        let lifted = self.cell_of(name).map_or_else(|| self.clone(), |cell| self.without(cell));
        if let Some(under) = lifted.top(*to) {
            return format!("{name} {under}");
        }
        for (step, before, behind) in AROUND {
            if let Some(near) = lifted.top(add(*to, step)) {
                return format!("{name} {before}{near}{behind}");
            }
        }
        name.clone()
    }

    /// Plays a legal move.
    pub fn play(&mut self, deed: &Deed) {
        self.moved = None;
        if let Deed::Put(name, to) = deed {
            match self.cell_of(name) {
                Some(from) => {
                    self.lift(from);
                    self.moved = Some(name.clone());
                }
                None => self.hands[color(name)].retain(|held| held != name),
            }
            self.stacks.entry(*to).or_default().push(name.clone());
        }
        self.ply += 1;
        self.seen.push(self.snapshot());
    }

    /// Plays the move of this canonical text.
    pub fn play_text(&mut self, text: &str) {
        let deeds = self.deeds();
        let deed = deeds.iter().find(|deed| self.text(deed) == text);
        self.play(deed.unwrap_or_else(|| panic!("{text} is not among the model's moves: {:?}", self.moves())));
    }

    /// The cells as a view shows them: coordinates and pieces, lowest first.
    pub fn cells(&self) -> BTreeSet<(Hex, Vec<Name>)> {
        self.stacks.iter().map(|(cell, stack)| (*cell, stack.clone())).collect()
    }
}
