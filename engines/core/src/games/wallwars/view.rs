//! JSON output: the complete configuration, and the view for boards. [`super::config`] reads configurations.

use serde_json::{Map, Value, json};

use super::Wallwars;
use super::action::{Cell, Pawn, Side, Wall};
use super::board::{Edges, Grid};
use super::setup::Variant;
use super::state::State;

/// The complete configuration, from which `setup` starts the same game.
#[must_use]
pub fn config<const N: usize>(rules: &Wallwars<N>) -> Value {
    let start = rules.start();
    let initial = match rules.variant() {
        Variant::Survival(terms) => json!({
            "cat": cell(rules.grid(), start.pawn(0, Pawn::Cat)),
            "mouse": cell(rules.grid(), start.pawn(1, Pawn::Mouse)),
            "turnsToSurvive": terms.turns,
            "mouseCanMove": terms.mouse_can_move,
            "walls": walls(rules, start),
        }),
        _ => json!({ "pawns": pawns(rules, start), "walls": walls(rules, start) }),
    };
    let Grid { width, height } = rules.grid();
    json!({ "boardWidth": width, "boardHeight": height, "initialState": initial })
}

/// The public view of a state.
#[must_use]
pub fn view<const N: usize>(rules: &Wallwars<N>, state: &State<N>) -> Value {
    let Grid { width, height } = rules.grid();
    let mut view = json!({
        "boardWidth": width,
        "boardHeight": height,
        "turn": state.seat() + 1,
        "actionsLeft": state.actions_left(),
        "pawns": pawns(rules, state),
        "walls": walls(rules, state),
    });
    if let Variant::Survival(terms) = rules.variant() {
        view["turnsToSurvive"] = terms.turns.into();
        view["turnsPlayed"] = state.ply().div_ceil(2).into();
        view["mouseCanMove"] = terms.mouse_can_move.into();
    }
    view
}

fn cell(grid: Grid, cell: Cell) -> Value {
    json!([grid.row(cell), grid.column(cell)])
}

/// The pawns of the variant, by player.
fn pawns<const N: usize>(rules: &Wallwars<N>, state: &State<N>) -> Value {
    let at = |seat, pawn| cell(rules.grid(), state.pawn(seat, pawn));
    match rules.variant() {
        Variant::Survival(_) => {
            json!({ "p1": { "cat": at(0, Pawn::Cat) }, "p2": { "mouse": at(1, Pawn::Mouse) } })
        }
        Variant::Classic => json!({
            "p1": { "cat": at(0, Pawn::Cat), "home": at(0, Pawn::Mouse) },
            "p2": { "cat": at(1, Pawn::Cat), "home": at(1, Pawn::Mouse) },
        }),
        Variant::Standard | Variant::Freestyle => json!({
            "p1": { "cat": at(0, Pawn::Cat), "mouse": at(0, Pawn::Mouse) },
            "p2": { "cat": at(1, Pawn::Cat), "mouse": at(1, Pawn::Mouse) },
        }),
    }
}

/// The walls on the board, column by column.
fn walls<const N: usize>(rules: &Wallwars<N>, state: &State<N>) -> Value {
    let built = Edges::all(rules.grid()).minus(state.board().open);
    built.iter().map(|wall| wall_json(rules, state, wall)).collect()
}

fn wall_json<const N: usize>(rules: &Wallwars<N>, state: &State<N>, wall: Wall) -> Value {
    let (named, orientation) = match wall.side {
        Side::Right => (wall.cell, "vertical"),
        Side::Down => (wall.cell + 1, "horizontal"),
    };
    let mut members = Map::new();
    members.insert("cell".into(), cell(rules.grid(), named));
    members.insert("orientation".into(), orientation.into());
    if let Some(seat) = rules.owner(state, wall) {
        members.insert("playerId".into(), (seat + 1).into());
    }
    members.into()
}
