//! A plain model of the game: sets of cells and edges, read from the complete configuration. Every rule is written as
//! in the description, without tables.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

pub type Cell = (i64, i64);

/// An edge, its smaller cell first.
fn edge(first: Cell, second: Cell) -> (Cell, Cell) {
    (first.min(second), first.max(second))
}

pub const DIRECTIONS: [(&str, Cell); 5] =
    [("UP", (0, 1)), ("RIGHT", (1, 0)), ("DOWN", (0, -1)), ("LEFT", (-1, 0)), ("STAY", (0, 0))];

#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    pub cell: Cell,
    pub mud: u64,
    pub score: f64,
}

#[derive(Clone, Debug)]
pub struct Model {
    size: Cell,
    walls: BTreeSet<(Cell, Cell)>,
    mud: BTreeMap<(Cell, Cell), u64>,
    /// Turns that mud of cost n holds a player after the step.
    held_by: fn(u64) -> u64,
    total: f64,
    max_turns: u64,
    pub turn: u64,
    pub cheese: BTreeSet<Cell>,
    pub players: [Player; 2],
}

impl Model {
    pub fn new(config: &Value) -> Self {
        let cells = |name: &str| config[name].as_array().unwrap().iter().map(cell).collect::<Vec<_>>();
        let walls = config["walls"].as_array().unwrap().iter().map(|wall| edge(cell(&wall[0]), cell(&wall[1])));
        let mud = config["mud"].as_array().unwrap().iter();
        let mud = mud.map(|mud| (edge(cell(&mud[0]), cell(&mud[1])), mud[2].as_u64().unwrap()));
        let cheese: BTreeSet<Cell> = cells("cheese").into_iter().collect();
        let starts = cells("starts");
        Self {
            size: (config["width"].as_i64().unwrap(), config["height"].as_i64().unwrap()),
            walls: walls.collect(),
            mud: mud.collect(),
            held_by: if config["mudModel"] == "rust" { |cost| cost } else { |cost| cost - 1 },
            total: cheese.len() as f64,
            max_turns: config["maxTurns"].as_u64().unwrap(),
            turn: 0,
            cheese,
            players: [0, 1].map(|seat| Player { cell: starts[seat], mud: 0, score: 0.0 }),
        }
    }

    fn target(&self, from: Cell, step: Cell) -> Option<Cell> {
        let to = (from.0 + step.0, from.1 + step.1);
        let is_inside = (0..self.size.0).contains(&to.0) && (0..self.size.1).contains(&to.1);
        (is_inside && to != from && !self.walls.contains(&edge(from, to))).then_some(to)
    }

    /// The directions with different effects.
    pub fn legal(&self, seat: usize) -> Vec<&'static str> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let player = &self.players[seat];
        let has_effect = |step| player.mud == 0 && self.target(player.cell, step).is_some();
        let legal = DIRECTIONS.into_iter().filter(|(name, step)| *name == "STAY" || has_effect(*step));
        legal.map(|(name, _)| name).collect()
    }

    pub fn play(&mut self, names: [&str; 2]) {
        for (seat, name) in names.into_iter().enumerate() {
            let step = DIRECTIONS.into_iter().find(|(known, _)| *known == name).unwrap().1;
            let target = self.target(self.players[seat].cell, step);
            let player = &mut self.players[seat];
            if player.mud > 0 {
                player.mud -= 1;
            } else if let Some(target) = target {
                let cost = self.mud.get(&edge(player.cell, target)).copied();
                player.mud = cost.map_or(0, self.held_by);
                player.cell = target;
            }
        }
        self.eat();
        self.turn += 1;
    }

    fn eat(&mut self) {
        for cell in self.cheese.clone() {
            let can_eat = |seat: &usize| self.players[*seat].cell == cell && self.players[*seat].mud == 0;
            let eaters: Vec<usize> = [0, 1].into_iter().filter(can_eat).collect();
            for seat in &eaters {
                self.players[*seat].score += 1.0 / eaters.len() as f64;
                self.cheese.remove(&cell);
            }
        }
    }

    /// Why the game is over.
    pub fn outcome(&self) -> Option<&'static str> {
        if self.players.iter().any(|player| player.score > self.total / 2.0) {
            return Some("majority");
        }
        if self.cheese.is_empty() {
            return Some("cheese");
        }
        (self.turn >= self.max_turns).then_some("ply-limit")
    }

    /// The part of the view that changes.
    pub fn view(&self) -> (Value, Value, Value) {
        let mut cheese: Vec<Cell> = self.cheese.iter().copied().collect();
        cheese.sort_by_key(|(x, y)| (*y, *x));
        let players = self.players.iter().map(|player| {
            let (x, y) = player.cell;
            json!({"cell": [x, y], "mud": player.mud, "score": player.score})
        });
        (json!(self.turn), json!(cheese), players.collect())
    }
}

fn cell(value: &Value) -> Cell {
    (value[0].as_i64().unwrap(), value[1].as_i64().unwrap())
}
