//! What boards draw, as JSON. Everybody sees the same.

use std::fmt::Write;

use serde_json::{Value, json};

use super::PyRat;
use super::config::{self, cell_json};
use super::state::{Player, State};

/// What no turn changes: the maze, and where everything started.
#[must_use]
pub fn constants<const W: usize>(rules: &PyRat<W>) -> Value {
    let start = rules.start();
    let grid = start.maze.grid();
    json!({
        "width": grid.width,
        "height": grid.height,
        "turn": null,
        "maxTurns": start.max_turns,
        "mudModel": start.mud_model.name(),
        "starts": start.starts.iter().map(|cell| cell_json(grid, *cell)).collect::<Value>(),
        "exits": exits(rules),
        "mud": config::mud(&start.maze),
        "cheese": null,
        "totalCheese": start.cheese.len(),
        "players": null,
    })
}

/// The rest of the public view of a state.
#[must_use]
pub fn view<const W: usize>(rules: &PyRat<W>, state: &State<W>) -> Value {
    let start = rules.start();
    let grid = start.maze.grid();
    let player = |player: &Player| {
        json!({
            "cell": cell_json(grid, player.cell),
            "mud": player.held,
            "score": f32::from(player.half_points) / 2.0,
        })
    };
    let cheese = state.pieces().map(|piece| cell_json(grid, start.cheese[usize::from(piece)]));
    json!({
        "turn": state.turn(),
        "cheese": cheese.collect::<Value>(),
        "players": state.players().iter().map(player).collect::<Value>(),
    })
}

/// A string per row from the bottom, a hexadecimal digit per cell: the sum of 1 (up), 2 (right), 4 (down) and 8 (left)
/// over the steps that are open.
fn exits<const W: usize>(rules: &PyRat<W>) -> Vec<String> {
    let grid = rules.board().grid();
    let row = |y| {
        (0..grid.width).fold(String::new(), |mut row, x| {
            // Writing to a string cannot fail.
            let _ = write!(row, "{:x}", rules.board().square(grid.cell(x, y)).open);
            row
        })
    };
    (0..grid.height).map(row).collect()
}
