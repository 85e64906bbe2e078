//! Standard notation, `Cb8.>d4`: conversion between text and actions.
//!
//! Reading has two steps: [`parse`] checks the grammar only; [`read`] interprets each term in a state and checks that
//! it can be played. Only in the notation are rows counted from the bottom.

use super::Wallwars;
use super::action::{Action, ActionKind, Cell, Direction, Pawn, Side, Wall};
use super::board::Grid;
use super::state::State;
use crate::rules::{RuleError, Rules, Seat, ToAct};

/// The move without actions.
const PASS: &str = "---";

/// Maximum number of characters of a refused text that an error quotes.
const QUOTED: usize = 40;

/// One term of a move, its cell as (column from the left, row from the top), which may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Term<'t> {
    text: &'t str,
    sign: Sign,
    cell: (i32, i32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Pawn(Pawn),
    /// A wall to the right of the cell.
    Vertical,
    /// A wall above the cell.
    Horizontal,
}

/// The notation of a cell.
#[must_use]
pub fn cell_name(grid: Grid, cell: Cell) -> String {
    let mut name = String::with_capacity(3);
    push_cell(&mut name, grid, cell);
    name
}

fn push_cell(text: &mut String, grid: Grid, cell: Cell) {
    text.push(char::from(b'a' + grid.column(cell) as u8));
    let row = grid.height - grid.row(cell);
    if row >= 10 {
        text.push(char::from(b'0' + (row / 10) as u8));
    }
    text.push(char::from(b'0' + (row % 10) as u8));
}

/// The cell written as in `b8`; `None` if it is unreadable or off the board.
#[must_use]
pub fn cell_named(grid: Grid, name: &str) -> Option<Cell> {
    on_board(grid, parse_cell(grid, name)?)
}

/// Reads a move of `seat`, or the beginning of one.
///
/// # Errors
/// `BadNotation` for syntax errors, `IllegalMove` for what cannot be played here.
pub fn read<const N: usize>(
    rules: &Wallwars<N>,
    state: &State<N>,
    seat: Seat,
    text: &str,
) -> Result<Vec<Action>, RuleError> {
    let terms = parse(rules.grid(), text)?;
    if rules.to_act(state) != ToAct::One(seat) {
        return Err(RuleError::IllegalMove(format!("player {} does not move now", seat + 1)));
    }
    let mut reader = Reader { rules, now: state.clone(), left: state.actions_left(), actions: Vec::new() };
    for term in &terms {
        reader.term(term)?;
    }
    Ok(reader.actions)
}

/// Parses a move.
fn parse(grid: Grid, text: &str) -> Result<Vec<Term<'_>>, RuleError> {
    if text == PASS {
        return Ok(Vec::new());
    }
    text.split('.')
        .map(|term| parse_term(grid, term).ok_or_else(|| RuleError::BadNotation(unreadable(text))))
        .collect()
}

fn unreadable(text: &str) -> String {
    let quoted: String = text.chars().take(QUOTED).collect();
    let dots = if quoted.len() < text.len() { "…" } else { "" };
    format!("'{quoted}{dots}' is not a move: actions such as Cb8, Ma2, >d4 or ^d4, joined by a dot, or ---")
}

fn parse_term(grid: Grid, text: &str) -> Option<Term<'_>> {
    let sign = match text.as_bytes().first()? {
        b'C' => Sign::Pawn(Pawn::Cat),
        b'M' => Sign::Pawn(Pawn::Mouse),
        b'>' => Sign::Vertical,
        b'^' => Sign::Horizontal,
        _ => return None,
    };
    Some(Term { text, sign, cell: parse_cell(grid, &text[1..])? })
}

fn parse_cell(grid: Grid, text: &str) -> Option<(i32, i32)> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let well_formed = letter.is_ascii_lowercase()
        && matches!(digits.len(), 1..=2)
        && digits[0] != b'0'
        && digits.iter().all(u8::is_ascii_digit);
    if !well_formed {
        return None;
    }
    let number = digits.iter().fold(0, |sum, digit| 10 * sum + i32::from(digit - b'0'));
    Some((i32::from(letter - b'a'), i32::from(grid.height) - number))
}

fn on_board(grid: Grid, (column, row): (i32, i32)) -> Option<Cell> {
    let column = u16::try_from(column).ok().filter(|&column| column < grid.width)?;
    let row = u16::try_from(row).ok().filter(|&row| row < grid.height)?;
    Some(grid.cell(column, row))
}

/// Plays terms one after another, as far as the legality of one depends on another.
struct Reader<'r, const N: usize> {
    rules: &'r Wallwars<N>,
    now: State<N>,
    left: u8,
    actions: Vec<Action>,
}

impl<const N: usize> Reader<'_, N> {
    fn term(&mut self, term: &Term<'_>) -> Result<(), RuleError> {
        let grid = self.rules.grid();
        let Some(cell) = on_board(grid, term.cell) else {
            return Err(refuse(term, &format!("is off the {}x{} board", grid.width, grid.height)));
        };
        match term.sign {
            Sign::Pawn(pawn) => self.pawn(term, pawn, cell),
            Sign::Vertical => self.wall(term, Wall::right(cell)),
            Sign::Horizontal if grid.row(cell) == 0 => Err(refuse(term, "would be on the border")),
            Sign::Horizontal => self.wall(term, Wall::down(cell - 1)),
        }
    }

    fn wall(&mut self, term: &Term<'_>, wall: Wall) -> Result<(), RuleError> {
        self.spend(term, 1)?;
        if wall.side == Side::Right && self.rules.grid().column(wall.cell) + 1 == self.rules.grid().width {
            return Err(refuse(term, "would be on the border"));
        }
        if !self.now.board().open.has(wall) {
            return Err(refuse(term, "is built already"));
        }
        if !self.rules.leaves_ways(&self.now, wall) {
            return Err(refuse(term, "would close a cat's last way to its goal"));
        }
        self.play(Action::wall(wall));
        Ok(())
    }

    fn pawn(&mut self, term: &Term<'_>, pawn: Pawn, target: Cell) -> Result<(), RuleError> {
        let seat = self.now.seat();
        if !self.rules.moves_pawn(seat, pawn) {
            return Err(refuse(term, "names a pawn that does not move in this game"));
        }
        let from = self.now.pawn(seat, pawn);
        let steps = steps_between(self.rules.grid(), from, target);
        if !matches!(steps, 1 | 2) {
            return Err(refuse(term, "is neither one nor two steps away"));
        }
        self.spend(term, steps as u8)?;
        let route = if steps == 1 { self.one_step(from, target) } else { self.two_steps(from, target) };
        if route.is_empty() {
            return Err(refuse(term, "is behind a wall"));
        }
        for direction in route {
            self.play(Action::step(pawn, direction));
        }
        Ok(())
    }

    fn spend(&mut self, term: &Term<'_>, actions: u8) -> Result<(), RuleError> {
        self.left = self
            .left
            .checked_sub(actions)
            .ok_or_else(|| refuse(term, "is one action more than the turn allows"))?;
        Ok(())
    }

    fn play(&mut self, action: Action) {
        self.rules.play_unchecked(&mut self.now, &[action]);
        self.actions.push(action);
    }

    /// The open step to a neighbouring cell, as a list of at most one.
    fn one_step(&self, from: Cell, target: Cell) -> Vec<Direction> {
        let board = self.now.board();
        Direction::ALL
            .into_iter()
            .filter(|&way| board.can_step(from, way) && board.beside(from, way) == target)
            .collect()
    }

    /// The first two open steps to a cell two steps away.
    fn two_steps(&self, from: Cell, target: Cell) -> Vec<Direction> {
        let board = self.now.board();
        for first in Direction::ALL.into_iter().filter(|&way| board.can_step(from, way)) {
            if let [second] = self.one_step(board.beside(from, first), target)[..] {
                return vec![first, second];
            }
        }
        Vec::new()
    }
}

/// Number of steps between two cells on a board without walls.
fn steps_between(grid: Grid, a: Cell, b: Cell) -> u16 {
    grid.column(a).abs_diff(grid.column(b)) + grid.row(a).abs_diff(grid.row(b))
}

fn refuse(term: &Term<'_>, why: &str) -> RuleError {
    RuleError::IllegalMove(format!("{} {why}", term.text))
}

/// The canonical notation of legal actions of one move, played from `state`: cat, mouse, vertical walls, horizontal
/// walls, each kind of wall by column and then from the top. Two steps of a pawn are one term, unless it returns.
#[must_use]
pub fn write<const N: usize>(rules: &Wallwars<N>, state: &State<N>, seat: Seat, actions: &[Action]) -> String {
    let grid = rules.grid();
    let mut text = String::with_capacity(8);
    for (pawn, sign) in [(Pawn::Cat, 'C'), (Pawn::Mouse, 'M')] {
        for cell in visited(state, seat, pawn, actions) {
            push_term(&mut text, grid, sign, cell);
        }
    }
    let mut walls: Vec<Wall> = actions
        .iter()
        .filter_map(|action| if let ActionKind::Wall(wall) = action.kind() { Some(wall) } else { None })
        .collect();
    walls.sort_by_key(|wall| (wall.side == Side::Down, wall.cell));
    for wall in walls {
        match wall.side {
            Side::Right => push_term(&mut text, grid, '>', wall.cell),
            Side::Down => push_term(&mut text, grid, '^', wall.cell + 1),
        }
    }
    if text.is_empty() { PASS.to_owned() } else { text }
}

/// Adds a term of a move. Lists of actions are written for every move of a game, so nothing is formatted separately.
fn push_term(text: &mut String, grid: Grid, sign: char, cell: Cell) {
    if !text.is_empty() {
        text.push('.');
    }
    text.push(sign);
    push_cell(text, grid, cell);
}

/// The cells written for a pawn: its destination, or every step if it returns to its start.
fn visited<const N: usize>(state: &State<N>, seat: Seat, pawn: Pawn, actions: &[Action]) -> Vec<Cell> {
    let start = state.pawn(seat, pawn);
    let mut cells = Vec::new();
    for action in actions {
        if let ActionKind::Step(moved, direction) = action.kind()
            && moved == pawn
        {
            cells.push(state.board().beside(cells.last().copied().unwrap_or(start), direction));
        }
    }
    match cells.last() {
        Some(&end) if end != start => vec![end],
        _ => cells,
    }
}
