//! The start of a game as JSON.
//!
//! All keys are optional. `seed` decides whatever the other keys leave open: the maze, unless `walls` or `mud` is present
//! (the other one is then empty), and the cheese, unless `cheese` is present.

use serde_json::{Value, json};

use super::board::MudModel;
use super::direction::Direction;
use super::generate;
use super::grid::{Cell, Grid, SIDE_LIMITS};
use super::maze::{Edge, EdgeId, MUD_LIMITS, Maze};
use super::variant::{Terrain, Variant};
use crate::rules::RuleError;
use crate::splitmix::SplitMix64;

/// The members of a configuration.
pub const MEMBERS: [&str; 10] =
    ["width", "height", "maxTurns", "mudModel", "walls", "mud", "cheeseCount", "cheese", "starts", "seed"];

/// Limits of the number of turns.
const TURN_LIMITS: std::ops::RangeInclusive<u64> = 1..=1023;

/// A start that can be played.
#[derive(Clone, Debug)]
pub struct Start {
    /// Walls and mud.
    pub maze: Maze,
    /// Cells with cheese, at least one, in ascending order.
    pub cheese: Vec<Cell>,
    /// Where the players are.
    pub starts: [Cell; 2],
    /// The game ends after this many turns.
    pub max_turns: u16,
    /// How long mud holds a player.
    pub mud_model: MudModel,
}

/// The `W` of the [`super::PyRat`] that plays this configuration: 1, 3 or 64.
///
/// # Errors
/// `BadConfig` for an unknown variant or an invalid number of pieces of cheese.
pub fn words(variant: &str, config: &Value) -> Result<usize, RuleError> {
    let listed = config.get("cheese").and_then(Value::as_array).map(Vec::len);
    let cheese = listed.map_or_else(|| cheese_count(&named(variant)?, config).map(usize::from), Ok)?;
    Ok([1, 3].into_iter().find(|words| cheese <= 64 * words).unwrap_or(64))
}

/// Reads a configuration.
///
/// # Errors
/// `BadConfig`, naming the key and its limit.
pub fn read(variant: &str, config: &Value) -> Result<Start, RuleError> {
    let variant = named(variant)?;
    let grid = grid(&variant, config)?;
    let mud_model = mud_model(config)?;
    let max_turns = number(config, "maxTurns", TURN_LIMITS)?.map_or(variant.max_turns, |turns| turns as u16);
    let mut seeds = SplitMix64::new(number(config, "seed", 0..=u64::MAX)?.unwrap_or(0));
    let (maze_seed, cheese_seed) = (seeds.next_u64(), seeds.next_u64());
    let maze = match (list(config, "walls")?, list(config, "mud")?) {
        (None, None) if variant.terrain == Terrain::Open => Maze::open(grid),
        (None, None) => generate::maze(grid, variant.symmetry, maze_seed),
        (walls, mud) => explicit_maze(grid, walls.unwrap_or_default(), mud.unwrap_or_default())?,
    };
    let starts = starts(config, grid)?;
    let cheese = match list(config, "cheese")? {
        Some(cells) => explicit_cheese(grid, cells)?,
        None => {
            let count = cheese_count(&variant, config)?;
            generate::cheese(grid, variant.symmetry, count, starts, cheese_seed)?
        }
    };
    can_be_reached(&maze, &cheese, &starts)?;
    Ok(Start { maze, cheese, starts, max_turns, mud_model })
}

/// The complete configuration, without a seed.
#[must_use]
pub fn write(start: &Start) -> Value {
    let grid = start.maze.grid();
    let cells = |cells: &[Cell]| cells.iter().map(|cell| cell_json(grid, *cell)).collect::<Value>();
    json!({
        "width": grid.width,
        "height": grid.height,
        "maxTurns": start.max_turns,
        "mudModel": start.mud_model.name(),
        "walls": walls(&start.maze),
        "mud": mud(&start.maze),
        "cheese": cells(&start.cheese),
        "starts": cells(&start.starts),
    })
}

/// A cell as `[x, y]`.
#[must_use]
pub fn cell_json(grid: Grid, cell: Cell) -> Value {
    json!([grid.x(cell), grid.y(cell)])
}

/// All walls as pairs of cells, row by row: for each cell the wall on its right, then the one above it.
fn walls(maze: &Maze) -> Value {
    let walls = maze.edge_ids().filter(|edge| maze.edge(*edge) == Edge::Wall);
    walls.map(|edge| maze.cells_of(edge).map(|cell| cell_json(maze.grid(), cell))).map(Value::from).collect()
}

/// All mud as a pair of cells and a cost, ordered by the x and y of its left or lower cell.
#[must_use]
pub fn mud(maze: &Maze) -> Value {
    let by_columns = maze.grid().by_columns().flat_map(|cell| {
        [Direction::Up, Direction::Right].into_iter().filter_map(move |step| maze.edge_id(cell, step))
    });
    let mud = by_columns.filter_map(|edge| {
        let Edge::Mud(cost) = maze.edge(edge) else { return None };
        let [first, second] = maze.cells_of(edge).map(|cell| cell_json(maze.grid(), cell));
        Some(json!([first, second, cost]))
    });
    mud.collect()
}

fn named(variant: &str) -> Result<Variant, RuleError> {
    Variant::named(variant).ok_or_else(|| refuse(format!("unknown variant '{variant}'")))
}

fn grid(variant: &Variant, config: &Value) -> Result<Grid, RuleError> {
    let side = |name, default: u8| {
        let limits = u64::from(*SIDE_LIMITS.start())..=u64::from(*SIDE_LIMITS.end());
        Ok(number(config, name, limits)?.map_or(default, |side| side as u8))
    };
    Ok(Grid { width: side("width", variant.grid.width)?, height: side("height", variant.grid.height)? })
}

fn mud_model(config: &Value) -> Result<MudModel, RuleError> {
    let Some(value) = config.get("mudModel") else { return Ok(MudModel::Rust) };
    let model = value.as_str().and_then(MudModel::named);
    model.ok_or_else(|| refuse(format!("mudModel is {value}, neither \"rust\" nor \"doc\"")))
}

fn cheese_count(variant: &Variant, config: &Value) -> Result<u16, RuleError> {
    let most = u64::from(grid(variant, config)?.cells());
    Ok(number(config, "cheeseCount", 1..=most)?.map_or(variant.cheese, |count| count as u16))
}

fn starts(config: &Value, grid: Grid) -> Result<[Cell; 2], RuleError> {
    let Some(starts) = list(config, "starts")? else { return Ok([0, grid.cells() - 1]) };
    let [first, second] = starts else {
        return Err(refuse(format!("starts has {} cells, not 2", starts.len())));
    };
    Ok([cell(grid, first, "starts[0]")?, cell(grid, second, "starts[1]")?])
}

/// A maze whose edges are open unless they are listed. A wall may be listed from both sides.
fn explicit_maze(grid: Grid, walls: &[Value], mud: &[Value]) -> Result<Maze, RuleError> {
    let mut maze = Maze::open(grid);
    for (index, wall) in walls.iter().enumerate() {
        let path = format!("walls[{index}]");
        let Some([first, second]) = wall.as_array().map(Vec::as_slice) else {
            return Err(refuse(format!("{path} is {wall}, not a pair of cells [[x,y],[x,y]]")));
        };
        maze.set(edge(&maze, first, second, &path)?, Edge::Wall);
    }
    for (index, mud) in mud.iter().enumerate() {
        add_mud(&mut maze, mud, &format!("mud[{index}]"))?;
    }
    Ok(maze)
}

fn add_mud(maze: &mut Maze, mud: &Value, path: &str) -> Result<(), RuleError> {
    let Some([first, second, cost]) = mud.as_array().map(Vec::as_slice) else {
        return Err(refuse(format!("{path} is {mud}, not a pair of cells and a cost [[x,y],[x,y],n]")));
    };
    let cost_of_mud =
        cost.as_u64().and_then(|cost| u8::try_from(cost).ok()).filter(|cost| MUD_LIMITS.contains(cost));
    let Some(cost) = cost_of_mud else {
        let (least, most) = (MUD_LIMITS.start(), MUD_LIMITS.end());
        return Err(refuse(format!("the cost of {path} is {cost}, not a whole number in {least}..{most}")));
    };
    let edge = edge(maze, first, second, path)?;
    match maze.edge(edge) {
        Edge::Open => maze.set(edge, Edge::Mud(cost)),
        Edge::Wall => return Err(refuse(format!("{path} lies on a wall"))),
        Edge::Mud(earlier) if earlier != cost => {
            return Err(refuse(format!(
                "{path} has cost {cost}, but the same mud was listed with {earlier} before"
            )));
        }
        Edge::Mud(_) => {}
    }
    Ok(())
}

fn explicit_cheese(grid: Grid, cells: &[Value]) -> Result<Vec<Cell>, RuleError> {
    let mut is_taken = vec![false; usize::from(grid.cells())];
    for (index, value) in cells.iter().enumerate() {
        let path = format!("cheese[{index}]");
        if std::mem::replace(&mut is_taken[usize::from(cell(grid, value, &path)?)], true) {
            return Err(refuse(format!("{path} {value} was listed before")));
        }
    }
    if cells.is_empty() {
        return Err(refuse("cheese is empty: a game needs at least one piece".into()));
    }
    Ok((0..grid.cells()).filter(|cell| is_taken[usize::from(*cell)]).collect())
}

fn can_be_reached(maze: &Maze, cheese: &[Cell], starts: &[Cell; 2]) -> Result<(), RuleError> {
    let reached = maze.reached(starts);
    match cheese.iter().find(|cell| !reached[usize::from(**cell)]) {
        None => Ok(()),
        Some(cell) => Err(refuse(format!("no player can reach the cheese on {}", cell_json(maze.grid(), *cell)))),
    }
}

fn edge(maze: &Maze, first: &Value, second: &Value, path: &str) -> Result<EdgeId, RuleError> {
    let [from, to] = [cell(maze.grid(), first, path)?, cell(maze.grid(), second, path)?];
    let distant = || refuse(format!("{path} is between {first} and {second}, which are not neighbours"));
    maze.between(from, to).ok_or_else(distant)
}

/// Reads `[x, y]`.
fn cell(grid: Grid, value: &Value, path: &str) -> Result<Cell, RuleError> {
    let pair = value.as_array().map(|pair| pair.iter().map(Value::as_i64).collect::<Vec<_>>());
    let Some([Some(x), Some(y)]) = pair.as_deref() else {
        return Err(refuse(format!("{path} has {value} where a cell [x,y] is expected")));
    };
    let within = |at: i64, side: u8| u8::try_from(at).ok().filter(|at| *at < side);
    match (within(*x, grid.width), within(*y, grid.height)) {
        (Some(x), Some(y)) => Ok(grid.cell(x, y)),
        _ => Err(refuse(format!("{path} {value} is off the {}x{} board", grid.width, grid.height))),
    }
}

fn list<'c>(config: &'c Value, name: &str) -> Result<Option<&'c [Value]>, RuleError> {
    let Some(value) = config.get(name) else { return Ok(None) };
    let items = value.as_array().map(Vec::as_slice);
    items.map(Some).ok_or_else(|| refuse(format!("{name} must be an array")))
}

/// A whole number within limits; `None` if the configuration does not have it.
fn number(config: &Value, name: &str, limits: std::ops::RangeInclusive<u64>) -> Result<Option<u64>, RuleError> {
    let Some(value) = config.get(name) else { return Ok(None) };
    let (least, most) = (limits.start(), limits.end());
    let number = value.as_u64().filter(|number| limits.contains(number));
    number.map(Some).ok_or_else(|| refuse(format!("{name} is {value}, not a whole number in {least}..{most}")))
}

fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
