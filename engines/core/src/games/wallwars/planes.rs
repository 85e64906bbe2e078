//! Network input and output in the reference's layout: 8 or 9 planes; a policy of two planes of walls and 4 or 8 steps.
//!
//! Tensors have columns before rows, so a model cell is `column · height + row`, as in [`super::board`]. The planes, as
//! seen by a seat: distances from the own cat, the own goal, the other cat and the other goal (steps divided
//! by the model's number of cells; 1 if unreachable); 1 where the way right is blocked; the same for down; 1 for the
//! second action, while the seat acts; 1 for seat 0; and as the ninth, 1 if mice can move. Boards smaller than the model are padded, see
//! [`super::padding`].

use super::Wallwars;
use super::action::{Action, ActionKind, Cell, Pawn, Side};
use super::board::Grid;
use super::padding::Padding;
use super::paths::UNREACHABLE;
use super::setup::Variant;
use super::state::{ACTIONS_PER_TURN, State};
use crate::planes::{Layout, Planes, Signature, Symmetry};
use crate::rules::Seat;

/// The maximum number of cells of a board, and so of the distances of one flood.
const MAX_CELLS: usize = 400;

/// Planes of a network made for Plyhouse; the first ones hold distances, and one the walls on the right of cells.
const PLANES: usize = 9;
const DISTANCES: usize = 4;
const RIGHT_WALLS: usize = 4;

/// Number of steps in a policy for the cat alone; twice as many for cat and mouse.
const CAT_STEPS: usize = 4;
const ALL_STEPS: usize = 8;

/// The source of a distance plane: a cell of the game, and how far beyond it the true source lies.
#[derive(Clone, Copy)]
struct Source {
    cell: Cell,
    beyond: u16,
}

/// A game's board, the model's board, and the place of the former in the latter.
#[derive(Clone, Copy)]
struct Placement<'p> {
    game: Grid,
    model: Grid,
    padding: &'p Padding,
}

impl Placement<'_> {
    /// The index of the last cell of a model column in a plane.
    fn bottom(self, column: u16) -> usize {
        (usize::from(column) + 1) * usize::from(self.model.height) - 1
    }
}

impl<const N: usize> Wallwars<N> {
    fn padding(&self, signature: &Signature) -> Padding {
        let model = model_grid(signature);
        match self.variant() {
            Variant::Classic => Padding::bottom(self.grid(), model),
            _ => Padding::top_left(self.grid(), model),
        }
    }

    /// The sources of the four distance planes.
    fn sources(&self, state: &State<N>, me: Seat, padding: &Padding) -> [Source; 4] {
        let [left, right] = padding.corridor_lengths();
        let source = |cell, beyond| Source { cell, beyond };
        let goal = |seat| {
            let cell = self.race(state, seat).map_or(state.pawn(seat, Pawn::Mouse), |(_, goal)| goal);
            source(cell, if seat == 0 { right } else { left })
        };
        let cat = |seat| source(state.pawn(seat, Pawn::Cat), 0);
        [cat(me), goal(me), cat(1 - me), goal(1 - me)]
    }

    fn homes_in_corners(&self) -> bool {
        let Grid { width, height } = self.grid();
        let homes = [0, 1].map(|seat| self.start().pawn(seat, Pawn::Mouse));
        homes == [self.grid().cell(width - 1, height - 1), self.grid().cell(0, height - 1)]
    }
}

impl<const N: usize> Planes<Self> for Wallwars<N> {
    /// The pawns and the goals are the zeros of the planes of distances.
    fn layout(&self) -> Layout {
        let Grid { width, height } = self.grid();
        let (dim2, dim3) = (usize::from(width), usize::from(height));
        let signature = Signature { planes: PLANES, dim2, dim3, policy: 2 * dim2 * dim3 + ALL_STEPS, values: 1 };
        let anchors = (0..DISTANCES).map(|plane| (plane, 0.0)).collect();
        Layout { signature, policies: 1, per_cell: 2, anchors }
    }

    /// The mirror image: left and right are exchanged, and with them the corners from which the two seats start.
    fn symmetries(&self) -> Vec<Symmetry> {
        let Grid { width, height } = self.grid();
        let (width, height) = (usize::from(width), usize::from(height));
        // Both take a column and mirror it; a wall on the right of a column is on the left in the mirror.
        let cell = |column: usize| width - 1 - column;
        let right_wall = |column: usize| if column + 1 == width { column } else { width - 2 - column };
        let plane = |number: usize, mirror: &dyn Fn(usize) -> usize| -> Vec<usize> {
            let places = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
            places.map(|(column, row)| (number * width + mirror(column)) * height + row).collect()
        };
        let mut inputs = Vec::new();
        for number in 0..PLANES {
            inputs.extend(if number == RIGHT_WALLS { plane(number, &right_wall) } else { plane(number, &cell) });
        }
        let mut policy = [plane(0, &right_wall), plane(1, &cell)].concat();
        let steps = 2 * width * height;
        for pawn in [Pawn::Cat, Pawn::Mouse] {
            // Right, down, left, up.
            policy.extend([2, 1, 0, 3].map(|direction| steps + CAT_STEPS * pawn as usize + direction));
        }
        vec![Symmetry { inputs, policy, values: vec![0] }]
    }

    fn fits(&self, signature: &Signature) -> Result<(), String> {
        let (game, model) = (self.grid(), model_grid(signature));
        if !matches!(signature.planes, 8 | 9) || signature.values != 1 {
            return Err(format!(
                "{} planes and {} values are not 8 or 9 and 1",
                signature.planes, signature.values
            ));
        }
        let walls = 2 * signature.dim2 * signature.dim3;
        if signature.policy != walls + CAT_STEPS && signature.policy != walls + ALL_STEPS {
            return Err(format!("a policy of {} is not {walls} walls and 4 or 8 steps", signature.policy));
        }
        if game.width > model.width || game.height > model.height {
            return Err(format!(
                "a {}x{} board is larger than the model's {}x{}",
                game.width, game.height, model.width, model.height
            ));
        }
        match self.variant() {
            Variant::Survival(_) => Err("models do not support survival".into()),
            Variant::Classic if game != model && !self.homes_in_corners() => {
                Err("a classic board with homes outside its bottom corners cannot be padded".into())
            }
            Variant::Standard | Variant::Freestyle if signature.policy == walls + CAT_STEPS => {
                Err("a model without mouse steps supports only classic".into())
            }
            _ => Ok(()),
        }
    }

    fn fill(&self, state: &State<N>, seat: Seat, signature: &Signature, row: &mut [f32]) {
        let padding = self.padding(signature);
        let place = Placement { game: self.grid(), model: model_grid(signature), padding: &padding };
        let area = signature.dim2 * signature.dim3;
        let mut planes = row.chunks_exact_mut(area);
        for (source, plane) in self.sources(state, seat, &padding).into_iter().zip(planes.by_ref()) {
            fill_distances(state, place, source, plane);
        }
        for (side, plane) in [Side::Right, Side::Down].into_iter().zip(planes.by_ref()) {
            fill_walls(state, place, side, plane);
        }
        let flags = [
            state.seat() == seat && state.actions_left() < ACTIONS_PER_TURN,
            seat == 0,
            self.moves_pawn(seat, Pawn::Mouse),
        ];
        for (flag, plane) in flags.into_iter().zip(planes) {
            plane.fill(f32::from(u8::from(flag)));
        }
    }

    fn policy_index(&self, state: &State<N>, signature: &Signature, _: Seat, action: Action) -> Option<usize> {
        let area = signature.dim2 * signature.dim3;
        match action.kind() {
            ActionKind::Wall(wall) => {
                let (column, row) = self.padding(signature).to_model(wall.cell);
                let place = usize::from(column) * signature.dim3 + usize::from(row);
                Some(if wall.side == Side::Right { place } else { area + place })
            }
            ActionKind::Step(..) if state.undoes(action) => None,
            ActionKind::Step(pawn, direction) => {
                let index = 2 * area + CAT_STEPS * pawn as usize + direction as usize;
                (index < signature.policy).then_some(index)
            }
            ActionKind::End => None,
        }
    }

    /// The last one ends the turn, for which the policy has no entry.
    fn flat_actions(&self, signature: &Signature) -> usize {
        signature.policy + 1
    }

    fn flat_indices(
        &self,
        state: &State<N>,
        signature: &Signature,
        seat: Seat,
        actions: &[Action],
    ) -> Vec<Option<usize>> {
        let index = |action: &Action| match action.kind() {
            ActionKind::End => Some(signature.policy),
            _ => self.policy_index(state, signature, seat, *action),
        };
        actions.iter().map(index).collect()
    }
}

fn model_grid(signature: &Signature) -> Grid {
    let side = |length| u16::try_from(length).unwrap_or(u16::MAX);
    Grid { width: side(signature.dim2), height: side(signature.dim3) }
}

fn fill_distances<const N: usize>(state: &State<N>, place: Placement<'_>, source: Source, plane: &mut [f32]) {
    let mut steps = [UNREACHABLE; MAX_CELLS];
    state.board().distances(source.cell, &mut steps[..usize::from(place.game.cells())]);
    let area = plane.len() as f32;
    let number = |steps: u16, further: u16| match steps {
        UNREACHABLE => 1.0,
        near => f32::from(near + further) / area,
    };
    plane.fill(1.0);
    let columns = steps.chunks_exact(usize::from(place.game.height));
    for (column, steps) in (0..place.game.width).zip(columns) {
        for (out, &steps) in plane[place.padding.column_in_plane(column)].iter_mut().zip(steps) {
            *out = number(steps, source.beyond);
        }
    }
    for corridor in place.padding.corridors() {
        let further = if corridor.corner == source.cell {
            source.beyond.abs_diff(corridor.steps)
        } else {
            source.beyond + corridor.steps
        };
        plane[place.bottom(corridor.column)] = number(steps[usize::from(corridor.corner)], further);
    }
}

fn fill_walls<const N: usize>(state: &State<N>, place: Placement<'_>, side: Side, plane: &mut [f32]) {
    let open = match side {
        Side::Right => state.board().open.right,
        Side::Down => state.board().open.down,
    };
    plane.fill(1.0);
    for column in 0..place.game.width {
        let cells = place.game.cell(column, 0)..;
        for (out, cell) in plane[place.padding.column_in_plane(column)].iter_mut().zip(cells) {
            *out = f32::from(u8::from(!open.has(cell)));
        }
    }
    if side == Side::Right {
        for corridor in place.padding.corridors() {
            let left = if corridor.column < place.padding.columns { corridor.column } else { corridor.column - 1 };
            plane[place.bottom(left)] = 0.0;
        }
    }
}
