//! Reads a configuration: board limits, and JSON to a [`Setup`]. [`super::view`] writes it.
//!
//! All keys are optional, `null` counts as absent, and unknown keys are refused.

use serde_json::{Map, Value};

use super::action::{Cell, Pawn, Wall};
use super::board::Grid;
use super::freestyle;
use super::setup::{Setup, Terms, Variant};
use crate::near_names;
use crate::rules::{RuleError, Seat};

/// The members of a configuration.
pub const MEMBERS: [&str; 4] = ["boardWidth", "boardHeight", "initialState", "seed"];

/// The members of the start of a survival game.
const LEVEL: [&str; 5] = ["cat", "mouse", "turnsToSurvive", "mouseCanMove", "walls"];

/// The members of a wall.
const WALL: [&str; 3] = ["cell", "orientation", "playerId"];

/// Limits for the columns and rows of a configured board.
pub const SIDE_LIMITS: std::ops::RangeInclusive<u16> = 3..=20;

/// Default number of columns and rows.
const DEFAULT_SIDE: u16 = 8;

/// Default number of turns that the mouse of a survival game has to survive.
const DEFAULT_TURNS: u32 = 10;

/// The `N` of the [`super::Wallwars`] that plays this configuration: 1, 2, 4 or 7.
///
/// # Errors
/// `BadConfig` for an unknown variant or a board outside the limits.
pub fn words(variant: &str, config: &Value) -> Result<usize, RuleError> {
    let config = Members::of(config, "config", &MEMBERS)?;
    Ok(read_grid(read_variant(variant)?, &config)?.words())
}

/// Reads a configuration.
///
/// # Errors
/// `BadConfig`, naming the member and its limit.
pub fn read(variant: &str, config: &Value) -> Result<Setup, RuleError> {
    let config = Members::of(config, "config", &MEMBERS)?;
    let variant = read_variant(variant)?;
    let grid = read_grid(variant, &config)?;
    let initial = match (config.get("initialState"), variant) {
        (Some(initial), Variant::Survival(_)) => Members::of(initial, "initialState", &LEVEL)?,
        (Some(initial), _) => Members::of(initial, "initialState", &["pawns", "walls"])?,
        (None, Variant::Freestyle) => return Ok(freestyle::generate(read_seed(&config)?)),
        (None, _) => Members::default(),
    };
    let mut setup = Setup::corners(variant, grid);
    match variant {
        Variant::Survival(_) => read_level(&initial, &mut setup)?,
        _ => read_pawns(&initial, &mut setup)?,
    }
    setup.walls = read_walls(&initial, grid)?;
    Ok(setup)
}

fn read_variant(name: &str) -> Result<Variant, RuleError> {
    match name {
        "standard" => Ok(Variant::Standard),
        "classic" => Ok(Variant::Classic),
        "freestyle" => Ok(Variant::Freestyle),
        "survival" => Ok(Variant::Survival(Terms { turns: DEFAULT_TURNS, mouse_can_move: true })),
        _ => Err(refuse(format!("unknown variant '{name}': there are standard, classic, freestyle and survival"))),
    }
}

fn read_grid(variant: Variant, config: &Members<'_>) -> Result<Grid, RuleError> {
    let free = variant == Variant::Freestyle;
    let default = if free { freestyle::GRID } else { Grid { width: DEFAULT_SIDE, height: DEFAULT_SIDE } };
    let width = config.integer("boardWidth")?.unwrap_or(default.width.into());
    let height = config.integer("boardHeight")?.unwrap_or(default.height.into());
    let side = |length: i64| u16::try_from(length).ok().filter(|length| SIDE_LIMITS.contains(length));
    let (Some(columns), Some(rows)) = (side(width), side(height)) else {
        let (least, most) = (SIDE_LIMITS.start(), SIDE_LIMITS.end());
        return Err(refuse(format!("board {width}x{height} is outside {least}..{most}")));
    };
    let grid = Grid { width: columns, height: rows };
    if free && grid != default {
        let Grid { width, height } = default;
        return Err(refuse(format!("freestyle is played on a {width}x{height} board, not {columns}x{rows}")));
    }
    Ok(grid)
}

fn read_seed(config: &Members<'_>) -> Result<u64, RuleError> {
    let Some(seed) = config.get("seed") else { return Ok(0) };
    seed.as_u64().ok_or_else(|| refuse(format!("seed must be an integer in 0..{}", u64::MAX)))
}

fn read_pawns(initial: &Members<'_>, setup: &mut Setup) -> Result<(), RuleError> {
    let Some(pawns) = initial.members("pawns", &["p1", "p2"])? else { return Ok(()) };
    let target = if setup.variant == Variant::Classic { "home" } else { "mouse" };
    for (seat, name) in ["p1", "p2"].into_iter().enumerate() {
        let Some(own) = pawns.members(name, &["cat", target])? else { continue };
        for (pawn, name) in [(Pawn::Cat, "cat"), (Pawn::Mouse, target)] {
            if let Some(cell) = own.cell(name, setup.grid)? {
                setup.pawns[2 * seat + pawn as usize] = cell;
            }
        }
    }
    Ok(())
}

fn read_level(initial: &Members<'_>, setup: &mut Setup) -> Result<(), RuleError> {
    if let Some(cell) = initial.cell("cat", setup.grid)? {
        setup.pawns[0] = cell;
    }
    if let Some(cell) = initial.cell("mouse", setup.grid)? {
        setup.pawns[3] = cell;
    }
    let turns = initial.integer("turnsToSurvive")?.unwrap_or(DEFAULT_TURNS.into());
    let turns = u32::try_from(turns)
        .ok()
        .filter(|&turns| turns > 0)
        .ok_or_else(|| refuse(format!("{} {turns} is outside 1..{}", initial.path("turnsToSurvive"), u32::MAX)))?;
    let mouse_can_move = initial.boolean("mouseCanMove")?.unwrap_or(true);
    setup.variant = Variant::Survival(Terms { turns, mouse_can_move });
    Ok(())
}

fn read_walls(initial: &Members<'_>, grid: Grid) -> Result<Vec<(Wall, Option<Seat>)>, RuleError> {
    let Some(walls) = initial.get("walls") else { return Ok(Vec::new()) };
    let path = initial.path("walls");
    let Value::Array(walls) = walls else { return Err(refuse(format!("{path} must be an array"))) };
    walls
        .iter()
        .enumerate()
        .map(|(index, wall)| read_wall(&Members::of(wall, &format!("{path}[{index}]"), &WALL)?, grid))
        .collect()
}

fn read_wall(wall: &Members<'_>, grid: Grid) -> Result<(Wall, Option<Seat>), RuleError> {
    let cell = wall.cell("cell", grid)?.ok_or_else(|| refuse(format!("{} is missing", wall.path("cell"))))?;
    let owner = match wall.integer("playerId")? {
        None => None,
        Some(1) => Some(0),
        Some(2) => Some(1),
        Some(_) => return Err(refuse(format!("{} must be 1 or 2", wall.path("playerId")))),
    };
    let border = || refuse(format!("{} is on the border of the {}x{} board", wall.path, grid.width, grid.height));
    let place = match wall.get("orientation").and_then(Value::as_str) {
        Some("vertical") if grid.column(cell) + 1 == grid.width => return Err(border()),
        Some("vertical") => Wall::right(cell),
        Some("horizontal") if grid.row(cell) == 0 => return Err(border()),
        Some("horizontal") => Wall::down(cell - 1),
        _ => return Err(refuse(format!("{} must be vertical or horizontal", wall.path("orientation")))),
    };
    Ok((place, owner))
}

/// The members of a JSON object, with its path for error messages.
#[derive(Default)]
struct Members<'v> {
    path: String,
    members: Option<&'v Map<String, Value>>,
}

impl<'v> Members<'v> {
    fn of(value: &'v Value, path: &str, known: &[&str]) -> Result<Self, RuleError> {
        let members = match value {
            Value::Null => None,
            Value::Object(members) => Some(members),
            _ => return Err(refuse(format!("{path} must be an object"))),
        };
        near_names::check(path, members.into_iter().flat_map(Map::keys), known)?;
        Ok(Self { path: path.to_owned(), members })
    }

    fn path(&self, name: &str) -> String {
        if self.path == "config" { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn get(&self, name: &str) -> Option<&'v Value> {
        self.members?.get(name).filter(|value| !value.is_null())
    }

    fn members(&self, name: &str, known: &[&str]) -> Result<Option<Self>, RuleError> {
        self.get(name).map(|value| Self::of(value, &self.path(name), known)).transpose()
    }

    fn integer(&self, name: &str) -> Result<Option<i64>, RuleError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_i64().map(Some).ok_or_else(|| refuse(format!("{} must be an integer", self.path(name))))
    }

    fn boolean(&self, name: &str) -> Result<Option<bool>, RuleError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| refuse(format!("{} must be true or false", self.path(name))))
    }

    /// A cell as `[row, column]`.
    fn cell(&self, name: &str, grid: Grid) -> Result<Option<Cell>, RuleError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let pair = value.as_array().map(|pair| pair.iter().map(Value::as_i64).collect::<Vec<_>>());
        let Some([Some(row), Some(column)]) = pair.as_deref() else {
            return Err(refuse(format!("{} must be [row, column]", self.path(name))));
        };
        let within = |length: u16, at: i64| u16::try_from(at).ok().filter(|&at| at < length);
        match (within(grid.width, *column), within(grid.height, *row)) {
            (Some(column), Some(row)) => Ok(Some(grid.cell(column, row))),
            _ => Err(refuse(format!(
                "{} [{row},{column}] is off the {}x{} board",
                self.path(name),
                grid.width,
                grid.height
            ))),
        }
    }
}

fn refuse(why: String) -> RuleError {
    RuleError::BadConfig(why)
}
