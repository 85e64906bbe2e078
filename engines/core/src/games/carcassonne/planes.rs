//! Network input and output. The planes are a window on the grid with the tiles in its middle, columns before rows: cell x,
//! y of a plane is number `x · size + y`. In a window that is too small, what is outside is drawn on the edge. Edges of tiles
//! come in the order N, E, S, W, halves of edges as in [`Side`], and seats in turn order from the one that looks.
//!
//! On the cells of tiles:
//!
//! * 0: the tile; 1 to 4, 5 to 8: an edge with a city, with a road; 9: a monastery; 10: a pennant;
//! * 11 to 14: how complete the city or road at an edge is, 1 / (1 + its open edges); 15: the tiles around a monastery and its
//!   own, divided by 9;
//! * 16 to 19, 20 to 23: meeples of the seat, and the most of another seat, on the city or road at an edge; 24 to 31, 32 to
//!   39: on the field at half an edge; 40, 41: on the monastery; all divided by 3;
//! * 42: the tile on which a meeple may be put now;
//!
//! on the open cells: 43 to 46: where the tile in hand fits after 0 to 3 quarter turns clockwise; 47: the share of the unseen
//! tiles that fit there; and everywhere the same:
//!
//! * 48 to 51, 52 to 55: the edges of the tile in hand with a city, with a road; 56: its monastery; 57: its pennant; 58, 59:
//!   its cities divided by 2, its roads divided by 4;
//! * 60 to 64: the points of each seat, divided by 100; 65 to 69: its meeples in supply, divided by 7; 70 to 74: whether it is
//!   in the game;
//! * 75: the share of the tiles that is left; 76: 1 if a meeple may be put now; 77: 1 if the seat is to act.
//!
//! The policy has a plane for each rotation of the tile in hand; then 14 places for a meeple: the city or road at each edge,
//! the monastery, the field at each half edge (a feature with several edges has the first of them), and none.

use std::ops::RangeInclusive;

use super::Carcassonne;
use super::action::Action;
use super::catalogue::Kind;
use super::cell::{Cell, DIRECTIONS};
use super::features::{SegmentId, kind};
use super::meeples::MEEPLES;
use super::state::{Phase, State};
use super::tile_set::{Edge, Local, Side, TILES, TileId};
use crate::planes::{Layout, Planes, Signature, fits_window, window_size};
use crate::rules::{MAX_SEATS, Seat};

const PLANES: usize = 78;
const CITIES: usize = 1;
const ROADS: usize = 5;
const MONASTERY: usize = 9;
const PENNANT: usize = 10;
const COMPLETE: usize = 11;
const SURROUNDED: usize = 15;
const ON_BUILDINGS: usize = 16;
const ON_FIELDS: usize = 24;
const ON_MONASTERY: usize = 40;
const LAST: usize = 42;
const FITS: usize = 43;
const UNSEEN_FITS: usize = 47;
const NUMBERS: usize = 48;

/// Halves of the edges of a tile.
const HALVES: usize = 2 * DIRECTIONS;

/// The places of meeples in the policy: the monastery comes after the edges, then the fields, then none.
const ON_CLOISTER: usize = DIRECTIONS;
const FIELDS: usize = DIRECTIONS + 1;
const NONE: usize = FIELDS + HALVES;
const CLAIMS: usize = NONE + 1;

/// The sizes that windows may have.
const SIZES: RangeInclusive<usize> = 8..=TILES + 2;

/// The size for games with more tiles than it has columns. The widest of 3,000 random games had 22 columns or rows.
const USUAL_SIZE: usize = 24;

/// Where the window lies on the grid: the cell in its corner.
#[derive(Clone, Copy)]
struct Window {
    size: i32,
    corner: [i32; 2],
}

impl Window {
    fn around(state: &State, size: usize) -> Self {
        let size = size as i32;
        let cells = || placed(state).map(|(_, cell)| cell);
        let corner = [Cell::x, Cell::y].map(|coordinate| {
            let [least, most] = cells()
                .map(coordinate)
                .fold([i32::MAX, i32::MIN], |[least, most], here| [least.min(here), most.max(here)]);
            (least + most + 1 - size).div_euclid(2)
        });
        Self { size, corner }
    }

    /// The number of a cell in a plane.
    fn place(self, cell: Cell) -> usize {
        let within = |coordinate: i32, corner: i32| (coordinate - corner).clamp(0, self.size - 1) as usize;
        within(cell.x(), self.corner[0]) * self.size as usize + within(cell.y(), self.corner[1])
    }
}

/// The tiles on the table.
fn placed(state: &State) -> impl Iterator<Item = (TileId, Cell)> {
    let tiles = (0..TILES as TileId).filter(|tile| state.board().has(*tile));
    tiles.map(|tile| (tile, state.board().cell(tile)))
}

/// Planes that are being filled. Where several cells are drawn on one, the largest number counts.
struct Canvas<'r> {
    row: &'r mut [f32],
    area: usize,
    place: usize,
}

impl Canvas<'_> {
    fn mark(&mut self, plane: usize, number: f32) {
        let old = &mut self.row[plane * self.area + self.place];
        *old = old.max(number);
    }
}

impl Carcassonne {
    /// The size of a window that holds all tiles of every game, with the cells around them.
    fn whole_size(&self) -> usize {
        usize::from(self.tile_count) + 3
    }

    fn signature(&self, size: usize) -> Signature {
        let policy = DIRECTIONS * size * size + CLAIMS;
        Signature { planes: PLANES, dim2: size, dim3: size, policy, values: self.seats }
    }

    fn sides(&self, state: &State, tile: TileId) -> &'static [Side; DIRECTIONS] {
        self.tiles.sides(self.tiles.type_of(tile), state.board().rotation(tile))
    }

    /// The meeples of `seat` on a feature, and the most that another seat has there, divided by 3.
    fn meeples_on(&self, state: &State, root: SegmentId, seat: Seat) -> [f32; 2] {
        let counts = state.board().features().meeples(root);
        if counts.is_empty() {
            return [0.0; 2];
        }
        let others = (0..self.seats).filter(|other| *other != seat).map(|other| counts.of(other));
        [counts.of(seat), others.max().unwrap_or(0)].map(|count| f32::from(count) / 3.0)
    }

    fn has_pennant(&self, tile: TileId) -> bool {
        self.tiles.types()[usize::from(self.tiles.type_of(tile))].segments.iter().any(|segment| segment.pennant)
    }

    fn monastery(&self, tile: TileId) -> Option<SegmentId> {
        self.tiles.segments(tile).iter().copied().find(|segment| kind(*segment) == Kind::Monastery)
    }

    fn fill_tile(&self, state: &State, seat: Seat, tile: TileId, canvas: &mut Canvas<'_>) {
        let features = state.board().features();
        canvas.mark(0, 1.0);
        for (direction, side) in self.sides(state, tile).iter().enumerate() {
            if side.edge != Edge::Field {
                let first = if side.edge == Edge::City { CITIES } else { ROADS };
                canvas.mark(first + direction, 1.0);
                let root = features.find(self.tiles.segment(tile, side.building));
                canvas.mark(COMPLETE + direction, 1.0 / (1.0 + f32::from(features.building(root).open)));
                for (whose, number) in self.meeples_on(state, root, seat).into_iter().enumerate() {
                    canvas.mark(ON_BUILDINGS + DIRECTIONS * whose + direction, number);
                }
            }
            if side.edge != Edge::City {
                for (half, field) in side.halves.into_iter().enumerate() {
                    let root = features.find(self.tiles.segment(tile, field));
                    for (whose, number) in self.meeples_on(state, root, seat).into_iter().enumerate() {
                        canvas.mark(ON_FIELDS + HALVES * whose + 2 * direction + half, number);
                    }
                }
            }
        }
        if let Some(monastery) = self.monastery(tile) {
            canvas.mark(MONASTERY, 1.0);
            canvas.mark(SURROUNDED, f32::from(features.building(monastery).tiles) / 9.0);
            for (whose, number) in self.meeples_on(state, monastery, seat).into_iter().enumerate() {
                canvas.mark(ON_MONASTERY + whose, number);
            }
        }
        if self.has_pennant(tile) {
            canvas.mark(PENNANT, 1.0);
        }
    }

    fn fill_open_cells(&self, state: &State, window: Window, row: &mut [f32], area: usize) {
        let unseen = state.unseen(self.tiles);
        let all: u32 = unseen.iter().copied().map(u32::from).sum();
        let in_hand = state.in_hand().map(|tile| self.tiles.fits(self.tiles.type_of(tile)));
        for (cell, demand) in state.board().open().iter() {
            let mut canvas = Canvas { row: &mut *row, area, place: window.place(cell) };
            let rotations = in_hand.map_or(0, |fits| fits[usize::from(demand)]);
            for rotation in (0..DIRECTIONS).filter(|rotation| rotations >> rotation & 1 == 1) {
                canvas.mark(FITS + rotation, 1.0);
            }
            let fitting =
                unseen.iter().zip(0..).filter(|(_, kind)| self.tiles.fits(*kind)[usize::from(demand)] != 0);
            let fitting: u32 = fitting.map(|(count, _)| u32::from(*count)).sum();
            canvas.mark(UNSEEN_FITS, fitting as f32 / all.max(1) as f32);
        }
    }

    /// The numbers that are the same everywhere.
    fn numbers(&self, state: &State, seat: Seat) -> [f32; PLANES - NUMBERS] {
        let mut numbers = [0.0; PLANES - NUMBERS];
        if let Some(tile) = state.in_hand() {
            let row = self.tiles.type_of(tile);
            for (direction, side) in self.tiles.sides(row, 0).iter().enumerate() {
                numbers[direction] = f32::from(u8::from(side.edge == Edge::City));
                numbers[DIRECTIONS + direction] = f32::from(u8::from(side.edge == Edge::Road));
            }
            let segments = self.tiles.types()[usize::from(row)].segments;
            let count = |kind: Kind| segments.iter().filter(|segment| segment.kind == kind).count() as f32;
            numbers[8] = count(Kind::Monastery);
            numbers[9] = f32::from(u8::from(self.has_pennant(tile)));
            numbers[10] = count(Kind::City) / 2.0;
            numbers[11] = count(Kind::Road) / 4.0;
        }
        for step in 0..self.seats {
            let other = (seat + step) % self.seats;
            numbers[12 + step] = f32::from(state.scores()[other]) / 100.0;
            numbers[12 + MAX_SEATS + step] = f32::from(state.meeples(other).supply()) / MEEPLES as f32;
            numbers[12 + 2 * MAX_SEATS + step] = f32::from(1 - (state.gone() >> other & 1));
        }
        numbers[27] = state.bag().left() as f32 / f32::from(self.tile_count);
        numbers[28] = f32::from(u8::from(state.phase() == Phase::PlaceMeeple));
        numbers[29] = f32::from(u8::from(self.acts(state, seat)));
        numbers
    }

    /// The place in the policy of a segment on the tile placed last.
    fn claim_index(&self, state: &State, local: Local) -> Option<usize> {
        let tile = state.last()?.tile;
        let sides = self.sides(state, tile);
        match kind(self.tiles.segment(tile, local)) {
            Kind::Monastery => Some(ON_CLOISTER),
            Kind::City | Kind::Road => {
                sides.iter().position(|side| side.edge != Edge::Field && side.building == local)
            }
            Kind::Field => {
                let halves = sides.iter().flat_map(|side| {
                    let open = side.edge != Edge::City;
                    side.halves.into_iter().map(move |field| open && field == local)
                });
                halves.into_iter().position(|is_there| is_there).map(|half| FIELDS + half)
            }
        }
    }
}

impl Planes<Self> for Carcassonne {
    fn fits(&self, found: &Signature) -> Result<(), String> {
        fits_window(found, &SIZES, |size| self.signature(size))
    }

    fn layout(&self) -> Layout {
        Layout {
            signature: self.signature(self.whole_size().clamp(*SIZES.start(), USUAL_SIZE)),
            policies: 1,
            per_cell: DIRECTIONS,
            anchors: vec![(LAST, 1.0)],
        }
    }

    fn is_trained(&self) -> bool {
        false
    }

    fn windowed(&self, size: usize) -> Result<Signature, String> {
        window_size(size, &SIZES).map(|size| self.signature(size))
    }

    fn has_edge(&self, signature: &Signature) -> bool {
        signature.dim2 < self.whole_size()
    }

    fn fill(&self, state: &State, seat: Seat, signature: &Signature, row: &mut [f32]) {
        let area = signature.dim2 * signature.dim3;
        let window = Window::around(state, signature.dim2);
        row[..NUMBERS * area].fill(0.0);
        for (tile, cell) in placed(state) {
            let mut canvas = Canvas { row: &mut *row, area, place: window.place(cell) };
            self.fill_tile(state, seat, tile, &mut canvas);
        }
        if let Some(last) = state.last().filter(|_| state.phase() == Phase::PlaceMeeple) {
            row[LAST * area + window.place(state.board().cell(last.tile))] = 1.0;
        }
        self.fill_open_cells(state, window, row, area);
        for (plane, number) in row[NUMBERS * area..].chunks_exact_mut(area).zip(self.numbers(state, seat)) {
            plane.fill(number);
        }
    }

    fn policy_index(&self, state: &State, signature: &Signature, seat: Seat, action: Action) -> Option<usize> {
        self.policy_indices(state, signature, seat, &[action])[0]
    }

    fn policy_indices(
        &self,
        state: &State,
        signature: &Signature,
        _: Seat,
        actions: &[Action],
    ) -> Vec<Option<usize>> {
        let area = signature.dim2 * signature.dim3;
        let (window, claims) = (Window::around(state, signature.dim2), DIRECTIONS * area);
        let index = |action: &Action| match *action {
            Action::Place(cell, rotation) => Some(usize::from(rotation) * area + window.place(cell)),
            Action::Claim(local) => Some(claims + self.claim_index(state, local)?),
            Action::Skip => Some(claims + NONE),
        };
        actions.iter().map(index).collect()
    }
}
