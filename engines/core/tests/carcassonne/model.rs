//! A slow model of the rules: a map of tiles, and a flood through it for every question. It reads the catalogue's texts
//! by itself and shares nothing else with the rules under test.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use _core::games::carcassonne::catalogue::{Kind, TileType};
use _core::games::carcassonne::evaluators::outlook::Prospects;
use _core::games::carcassonne::tile_set::TileSet;

pub type Cell = (i32, i32);

/// A segment on the table: its cell and its place in the row of the catalogue.
pub type Node = (Cell, usize);

const LETTERS: &str = "NESW";

const STEPS: [Cell; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// A tile on the table.
#[derive(Clone)]
struct Placed {
    row: &'static TileType,
    quarters: usize,
    /// N E S W.
    edges: Vec<char>,
    /// The edges, or halves of edges, that each segment touches. A whole edge of a field is both halves.
    touches: Vec<Vec<String>>,
}

impl Placed {
    fn new(row: &'static TileType, quarters: usize) -> Self {
        let touches = row.segments.iter().map(|segment| {
            let touches = turned_text(segment.touches, quarters);
            match segment.kind {
                Kind::Field => touches.split(' ').map(str::to_string).collect(),
                _ => touches.chars().map(|letter| letter.to_string()).collect(),
            }
        });
        let edges: Vec<char> = row.edges.chars().collect();
        let edges = (0..4).map(|direction| edges[(direction + 4 - quarters) % 4]);
        Self { row, quarters, edges: edges.collect(), touches: touches.collect() }
    }
}

#[derive(Clone)]
pub struct Model {
    rows: &'static [TileType],
    tiles: HashMap<Cell, Placed>,
    pub meeples: Vec<(usize, Node)>,
    pub scores: Vec<u32>,
}

/// A letter after so many quarter turns.
fn turned(letter: char, quarters: usize) -> char {
    let index = LETTERS.find(letter).unwrap();
    LETTERS.chars().nth((index + quarters) % 4).unwrap()
}

/// All letters of a text turned; other characters stay.
fn turned_text(text: &str, quarters: usize) -> String {
    let letter = |letter: char| if LETTERS.contains(letter) { turned(letter, quarters) } else { letter };
    text.chars().map(letter).collect()
}

fn sorted(letters: &str) -> String {
    LETTERS.chars().filter(|letter| letters.contains(*letter)).collect()
}

/// `E` and `E:N` as the neighbour to the east calls them: `W` and `W:N`.
fn from_the_other_side(edge: &str) -> (Cell, String) {
    let direction = LETTERS.find(&edge[..1]).unwrap();
    let opposite = LETTERS.chars().nth((direction + 2) % 4).unwrap();
    (STEPS[direction], format!("{opposite}{}", &edge[1..]))
}

impl Model {
    pub fn new(variant: &str, seats: usize) -> Self {
        let rows = TileSet::of(variant).types();
        let mut model = Self { rows, tiles: HashMap::new(), meeples: Vec::new(), scores: vec![0; seats] };
        model.tiles.insert((0, 0), Placed::new(model.row("D"), 0));
        model
    }

    fn row(&self, letter: &str) -> &'static TileType {
        self.rows.iter().find(|row| row.letter.to_string() == letter).unwrap()
    }

    fn fits(&self, tile: &Placed, cell: Cell) -> bool {
        let mut neighbours = 0;
        for (direction, (dx, dy)) in STEPS.into_iter().enumerate() {
            if let Some(other) = self.tiles.get(&(cell.0 + dx, cell.1 + dy)) {
                neighbours += 1;
                if other.edges[(direction + 2) % 4] != tile.edges[direction] {
                    return false;
                }
            }
        }
        neighbours > 0 && !self.tiles.contains_key(&cell)
    }

    /// All placements of a tile, in the order of the rules.
    pub fn placements(&self, letter: &str) -> Vec<String> {
        let turned = [0, 1, 2, 3].map(|quarters| Placed::new(self.row(letter), quarters));
        let around = self.tiles.keys().flat_map(|(x, y)| STEPS.map(|(dx, dy)| (x + dx, y + dy)));
        let cells: BTreeSet<Cell> = around.collect();
        let turns = cells.into_iter().flat_map(|cell| turned.iter().map(move |tile| (cell, tile)));
        let fitting = turns.filter(|(cell, tile)| self.fits(tile, *cell));
        fitting.map(|((x, y), tile)| format!("{x},{y},{}", tile.quarters * 90)).collect()
    }

    /// The name of a segment.
    pub fn spot(&self, (cell, segment): Node) -> String {
        let tile = &self.tiles[&cell];
        let segment = &tile.row.segments[segment];
        let letters = sorted(&turned_text(segment.name, tile.quarters));
        match segment.kind {
            Kind::City => format!("city_{letters}"),
            Kind::Road => format!("road_{letters}"),
            Kind::Field => format!("field_{letters}"),
            Kind::Monastery => "monastery".into(),
        }
    }

    /// The segments of a tile on the table.
    fn nodes(&self, cell: Cell) -> Vec<Node> {
        let count = self.tiles.get(&cell).map_or(0, |tile| tile.row.segments.len());
        (0..count).map(|segment| (cell, segment)).collect()
    }

    fn kind(&self, (cell, segment): Node) -> Kind {
        self.tiles[&cell].row.segments[segment].kind
    }

    fn touches(&self, (cell, segment): Node) -> &[String] {
        &self.tiles[&cell].touches[segment]
    }

    /// The segments across the borders that a segment touches, and how many of those borders are open.
    fn neighbours(&self, node: Node) -> (Vec<Node>, usize) {
        let ((x, y), kind) = (node.0, self.kind(node));
        let (mut found, mut open) = (Vec::new(), 0);
        for edge in self.touches(node) {
            let ((dx, dy), facing) = from_the_other_side(edge);
            let beside = (x + dx, y + dy);
            if !self.tiles.contains_key(&beside) {
                open += 1;
                continue;
            }
            let touches = |other: &Node| self.kind(*other) == kind && self.touches(*other).contains(&facing);
            found.extend(self.nodes(beside).into_iter().filter(touches));
        }
        let (cell, segment) = node;
        let segments = self.tiles[&cell].row.segments;
        if segments[segment].joined {
            found.push((cell, segment - 1));
        }
        if segments.get(segment + 1).is_some_and(|next| next.joined) {
            found.push((cell, segment + 1));
        }
        (found, open)
    }

    /// The feature of a segment, and its open edges.
    fn feature(&self, node: Node) -> (BTreeSet<Node>, usize) {
        let (mut feature, mut open, mut waiting) = (BTreeSet::from([node]), 0, vec![node]);
        while let Some(node) = waiting.pop() {
            let (neighbours, unmatched) = self.neighbours(node);
            open += unmatched;
            waiting.extend(neighbours.into_iter().filter(|neighbour| feature.insert(*neighbour)));
        }
        (feature, open)
    }

    fn is_complete(&self, node: Node) -> bool {
        match self.kind(node) {
            Kind::City | Kind::Road => self.feature(node).1 == 0,
            Kind::Monastery => self.around(node.0) == 8,
            Kind::Field => false,
        }
    }

    /// Tiles around a cell.
    fn around(&self, (x, y): Cell) -> usize {
        let offsets = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|offset| *offset != (0, 0));
        offsets.filter(|(dx, dy)| self.tiles.contains_key(&(x + dx, y + dy))).count()
    }

    /// The cities that a field borders, each once: any of its segments stands for it.
    fn cities(&self, feature: &BTreeSet<Node>) -> BTreeSet<BTreeSet<Node>> {
        let mut cities = BTreeSet::new();
        for (cell, segment) in feature {
            let segments = self.tiles[cell].row.segments;
            for name in segments[*segment].borders.split(' ') {
                let of_name = |city: &Node| self.kind(*city) == Kind::City && segments[city.1].name == name;
                cities.extend(self.nodes(*cell).into_iter().filter(of_name).map(|city| self.feature(city).0));
            }
        }
        cities
    }

    fn worth(&self, node: Node) -> u32 {
        let (feature, open) = self.feature(node);
        let tiles: BTreeSet<Cell> = feature.iter().map(|(cell, _)| *cell).collect();
        let pennants = feature.iter().filter(|(cell, segment)| self.tiles[cell].row.segments[*segment].pennant);
        let size = (tiles.len() + pennants.count()) as u32;
        match self.kind(node) {
            Kind::City if open == 0 => 2 * size,
            Kind::City | Kind::Road => size,
            Kind::Monastery => 1 + self.around(node.0) as u32,
            Kind::Field => {
                let cities = self.cities(&feature);
                3 * cities.iter().filter(|city| self.is_complete(*city.first().unwrap())).count() as u32
            }
        }
    }

    /// The seats with the most meeples on a feature.
    fn owners(&self, feature: &BTreeSet<Node>) -> Vec<usize> {
        let mut counts = BTreeMap::new();
        for (seat, _) in self.meeples.iter().filter(|(_, node)| feature.contains(node)) {
            *counts.entry(*seat).or_insert(0) += 1;
        }
        let most = counts.values().max().copied();
        counts.into_iter().filter(|(_, count)| Some(*count) == most).map(|(seat, _)| seat).collect()
    }

    /// Puts a tile on the table.
    pub fn place(&mut self, letter: &str, placement: &str) -> Cell {
        let numbers: Vec<i32> = placement.split(',').map(|number| number.parse().unwrap()).collect();
        let cell = (numbers[0], numbers[1]);
        let tile = Placed::new(self.row(letter), numbers[2] as usize / 90);
        assert!(self.fits(&tile, cell), "{letter} {placement}");
        self.tiles.insert(cell, tile);
        cell
    }

    pub fn supply(&self, seat: usize) -> usize {
        7 - self.meeples.iter().filter(|(owner, _)| *owner == seat).count()
    }

    /// The spots that a seat may put a meeple on, in the order of the catalogue.
    pub fn spots(&self, seat: usize, cell: Cell) -> Vec<String> {
        let occupied = |node: &Node| {
            let feature = self.feature(*node).0;
            self.meeples.iter().any(|(_, meeple)| feature.contains(meeple))
        };
        let free = self.nodes(cell).into_iter().filter(|node| self.supply(seat) > 0 && !occupied(node));
        free.map(|node| self.spot(node)).collect()
    }

    /// Puts a meeple, or none, on the tile on a cell, and scores what it has completed.
    pub fn finish(&mut self, seat: usize, cell: Cell, spot: Option<&str>) {
        if let Some(spot) = spot {
            let node = self.nodes(cell).into_iter().find(|node| self.spot(*node) == spot).unwrap();
            self.meeples.push((seat, node));
        }
        let monasteries =
            self.meeples.iter().map(|(_, node)| *node).filter(|node| self.kind(*node) == Kind::Monastery);
        let touched: Vec<Node> = self.nodes(cell).into_iter().chain(monasteries).collect();
        for node in touched.into_iter().filter(|node| self.is_complete(*node)).collect::<Vec<_>>() {
            let feature = self.feature(node).0;
            self.score(node);
            self.meeples.retain(|(_, meeple)| !feature.contains(meeple));
        }
    }

    /// Gives the owners of a feature its points.
    fn score(&mut self, node: Node) {
        let worth = self.worth(node);
        for seat in self.owners(&self.feature(node).0) {
            self.scores[seat] += worth;
        }
    }

    /// What evaluators look at, with so many tiles left in the bag.
    pub fn prospects(&self, left: usize) -> Vec<Prospects> {
        let mut all: Vec<Prospects> = (0..self.scores.len()).map(|seat| self.of_seat(seat)).collect();
        let features: BTreeSet<BTreeSet<Node>> =
            self.meeples.iter().map(|(_, node)| self.feature(*node).0).collect();
        let progress = self.tiles.len() as f64 / (self.tiles.len() + left) as f64;
        for feature in &features {
            let node = *feature.first().unwrap();
            let chance = self.chance(node, left);
            let now = f64::from(self.worth(node));
            for (seat, prospects) in all.iter_mut().enumerate() {
                let own = self.meeples.iter().filter(|(other, at)| *other == seat && feature.contains(at)).count();
                let owns = self.owners(feature).contains(&seat);
                match self.kind(node) {
                    Kind::Field if owns => prospects.fields += self.expected_of_field(feature, left),
                    Kind::Field => {}
                    kind => {
                        let finished = match kind {
                            Kind::City => 2.0 * now,
                            Kind::Monastery => 9.0,
                            _ => now,
                        };
                        let expected = chance * finished + (1.0 - chance) * now;
                        let hopeless = chance < 0.15 && progress > 0.4;
                        let meeples = own as f64;
                        prospects.owned += if owns { expected } else { 0.0 };
                        prospects.lost += if owns { 0.0 } else { expected };
                        prospects.outnumbered += if owns { 0.0 } else { meeples };
                        prospects.hopeless += if owns && hopeless { meeples } else { 0.0 };
                    }
                }
            }
        }
        all
    }

    fn of_seat(&self, seat: usize) -> Prospects {
        Prospects { points: self.scores[seat].into(), supply: self.supply(seat) as f64, ..Prospects::default() }
    }

    /// The chance that a feature is completed.
    fn chance(&self, node: Node, left: usize) -> f64 {
        let missing = match self.kind(node) {
            Kind::Monastery => 8 - self.around(node.0),
            _ => self.feature(node).1,
        };
        if missing == 0 { 1.0 } else { (left as f64 / (6 * missing) as f64).min(1.0) }
    }

    fn expected_of_field(&self, feature: &BTreeSet<Node>, left: usize) -> f64 {
        let chances = self.cities(feature).into_iter().map(|city| self.chance(*city.first().unwrap(), left));
        chances.filter(|chance| *chance > 0.3).map(|chance| 3.0 * chance).sum()
    }

    /// Scores what is left at the end of the game.
    pub fn end(&mut self) {
        let mut scored: BTreeSet<Node> = BTreeSet::new();
        for (_, node) in self.meeples.clone() {
            if scored.insert(node) {
                scored.extend(self.feature(node).0);
                self.score(node);
            }
        }
    }
}
