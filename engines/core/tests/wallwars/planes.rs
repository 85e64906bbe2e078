//! Network planes and policy indices, on boards of the model's size and on padded ones.

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, Cell, Direction, Pawn, Wall};
use _core::games::wallwars::board::Grid;
use _core::games::wallwars::notation::{cell_name, cell_named};
use _core::games::wallwars::padding::{Corridor, Padding};
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::games::wallwars::state::State;
use _core::moves;
use _core::planes::{Planes, Signature};
use _core::rules::Rules;

fn grid(width: u16, height: u16) -> Grid {
    Grid { width, height }
}

fn start(variant: Variant, size: Grid) -> (Wallwars<1>, State<1>) {
    Setup::corners(variant, size).begin().expect("a legal start")
}

fn signature(planes: usize, model: Grid, steps: usize) -> Signature {
    let (dim2, dim3) = (usize::from(model.width), usize::from(model.height));
    Signature { planes, dim2, dim3, policy: 2 * dim2 * dim3 + steps, values: 1 }
}

/// The planes of a state, every number written.
fn fill(rules: &Wallwars<1>, state: &State<1>, signature: &Signature) -> Vec<Vec<f32>> {
    rules.fits(signature).expect("the model fits");
    let mut row = vec![f32::NAN; signature.input_len()];
    rules.fill(state, state.seat(), signature, &mut row);
    assert!(row.iter().all(|number| (0.0..=1.0).contains(number)));
    row.chunks(signature.dim2 * signature.dim3).map(<[f32]>::to_vec).collect()
}

fn play(rules: &Wallwars<1>, state: &mut State<1>, texts: &[&str]) {
    for text in texts {
        moves::play_recorded(rules, state, text).expect("a legal move");
    }
}

/// T6: distances from the corner of a 3×3 board, then with that corner walled in.
#[test]
fn distance_plane() {
    let setup = Setup { pawns: [0, 8, 6, 2], ..Setup::corners(Variant::Classic, grid(3, 3)) };
    let (rules, state) = setup.begin::<1>().expect("a legal start");
    let signature = signature(8, grid(3, 3), 4);
    let distances = &fill(&rules, &state, &signature)[0];
    assert_eq!((distances[0], distances[1], distances[3]), (0.0, 1.0 / 9.0, 1.0 / 9.0));
    assert_eq!((distances[4], distances[8]), (2.0 / 9.0, 4.0 / 9.0));
    let mut walled = Setup { walls: vec![(Wall::right(0), None), (Wall::down(0), None)], ..setup };
    walled.pawns = [8, 4, 6, 0];
    assert!(walled.begin::<1>().is_err(), "a home that is walled in");
    walled.pawns = [8, 4, 6, 2];
    walled.variant = Variant::Survival(Terms { turns: 1, mouse_can_move: true });
    walled.pawns = [8, 0, 0, 4];
    let (_, state) = walled.begin::<1>().expect("a legal start");
    let mut steps = [0; 9];
    state.board().distances(0, &mut steps);
    assert_eq!(steps[0], 0);
    assert!(steps[1..].iter().all(|&steps| steps == u16::MAX));
}

#[test]
fn unreachable_cells_are_far() {
    let mut setup = Setup::corners(Variant::Classic, grid(3, 3));
    setup.pawns = [4, 8, 6, 2];
    setup.walls = vec![(Wall::right(0), None), (Wall::down(0), None)];
    let (rules, state) = setup.begin::<1>().expect("a legal start");
    let planes = fill(&rules, &state, &signature(8, grid(3, 3), 4));
    assert!(planes[..4].iter().all(|distances| distances[0] == 1.0));
    assert_eq!((planes[4][0], planes[5][0]), (1.0, 1.0));
}

#[test]
fn planes_are_seen_by_the_seat_to_act() {
    let (rules, mut state) = start(Variant::Standard, grid(4, 5));
    let nine = signature(9, grid(4, 5), 8);
    let first = fill(&rules, &state, &nine);
    let zero = |planes: &[Vec<f32>]| -> Vec<usize> {
        planes[..4].iter().map(|plane| plane.iter().position(|&number| number == 0.0).expect("a source")).collect()
    };
    assert_eq!(zero(&first), [0, 19, 15, 4]);
    assert_eq!([first[6][0], first[7][0], first[8][0]], [0.0, 1.0, 1.0]);
    rules.play_unchecked(&mut state, &[Action::step(Pawn::Cat, Direction::Right)]);
    let second = fill(&rules, &state, &nine);
    assert_eq!(zero(&second), [5, 19, 15, 4]);
    assert_eq!([second[6][7], second[7][7]], [1.0, 1.0]);
    rules.play_unchecked(&mut state, &[Action::wall(Wall::down(2))]);
    let third = fill(&rules, &state, &nine);
    assert_eq!(zero(&third), [15, 4, 5, 19]);
    assert_eq!([third[6][3], third[7][3]], [0.0, 0.0]);
    assert_eq!(third[5][..5], [0.0, 0.0, 1.0, 0.0, 1.0]);
    assert_eq!(third[4][14..], [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let (classic, start) = start_classic();
    assert_eq!(fill(&classic, &start, &signature(9, grid(4, 5), 8))[8][0], 0.0);
}

fn start_classic() -> (Wallwars<1>, State<1>) {
    start(Variant::Classic, grid(4, 5))
}

#[test]
fn which_models_fit() {
    let (standard, _) = start(Variant::Standard, grid(5, 5));
    let (classic, _) = start(Variant::Classic, grid(5, 5));
    for (planes, steps) in [(8, 8), (9, 8)] {
        assert!(standard.fits(&signature(planes, grid(8, 8), steps)).is_ok());
        assert!(standard.fits(&signature(planes, grid(5, 5), steps)).is_ok());
    }
    assert!(standard.fits(&signature(8, grid(5, 5), 4)).is_err(), "T8: standard needs eight steps");
    assert!(classic.fits(&signature(8, grid(5, 5), 4)).is_ok());
    assert!(classic.fits(&signature(9, grid(12, 10), 8)).is_ok());
    assert!(classic.fits(&signature(8, grid(4, 8), 4)).is_err(), "too narrow");
    assert!(classic.fits(&signature(8, grid(8, 4), 4)).is_err(), "too low");
    assert!(classic.fits(&signature(7, grid(8, 8), 4)).is_err());
    assert!(classic.fits(&signature(8, grid(8, 8), 5)).is_err());
    assert!(classic.fits(&Signature { values: 2, ..signature(8, grid(8, 8), 4) }).is_err());
    let survival = Variant::Survival(Terms { turns: 5, mouse_can_move: true });
    assert!(start(survival, grid(8, 8)).0.fits(&signature(9, grid(8, 8), 8)).is_err());
    let moved = Setup { pawns: [0, 12, 20, 4], ..Setup::corners(Variant::Classic, grid(5, 5)) };
    let (moved, _) = moved.begin::<1>().expect("a legal start");
    assert!(moved.fits(&signature(8, grid(5, 5), 4)).is_ok());
    assert!(moved.fits(&signature(8, grid(8, 8), 4)).is_err(), "only homes in the corners can be padded");
}

#[test]
fn policy_indices() {
    let (rules, mut state) = start(Variant::Standard, grid(4, 5));
    let eight = signature(9, grid(4, 5), 8);
    let index = |state: &State<1>, action| rules.policy_index(state, &eight, 0, action);
    assert_eq!(index(&state, Action::wall(Wall::right(7))), Some(7));
    assert_eq!(index(&state, Action::wall(Wall::down(7))), Some(27));
    assert_eq!(index(&state, Action::step(Pawn::Cat, Direction::Down)), Some(41));
    assert_eq!(index(&state, Action::step(Pawn::Mouse, Direction::Up)), Some(47));
    assert_eq!(index(&state, Action::END), None);
    rules.play_unchecked(&mut state, &[Action::step(Pawn::Cat, Direction::Down)]);
    assert_eq!(index(&state, Action::step(Pawn::Cat, Direction::Up)), None, "the way back");
    assert_eq!(index(&state, Action::step(Pawn::Cat, Direction::Down)), Some(41));
    assert_eq!(index(&state, Action::step(Pawn::Mouse, Direction::Up)), Some(47));
    let mut legal = Vec::new();
    rules.legal(&state, 0, &mut legal);
    let mut indices: Vec<_> = legal.iter().filter_map(|&action| index(&state, action)).collect();
    assert_eq!(indices.len() + 1, legal.len());
    indices.sort_unstable();
    indices.dedup();
    assert_eq!(indices.len() + 1, legal.len(), "every action has a place of its own");
}

#[test]
fn policy_indices_of_a_padded_board() {
    let (rules, state) = start(Variant::Classic, grid(5, 5));
    let eight = signature(9, grid(8, 8), 8);
    let right = rules.policy_index(&state, &eight, 0, Action::wall(Wall::right(grid(5, 5).cell(2, 1))));
    assert_eq!(right, Some(3 * 8 + 4));
    let (rules, state) = start(Variant::Standard, grid(5, 5));
    let down = rules.policy_index(&state, &eight, 0, Action::wall(Wall::down(grid(5, 5).cell(2, 1))));
    assert_eq!(down, Some(64 + 2 * 8 + 1));
}

/// T12 and T13: where a padded board lies.
#[test]
fn padding() {
    let model = grid(8, 8);
    let offset = |padding: Padding| (padding.columns, padding.rows);
    assert_eq!(offset(Padding::top_left(grid(5, 5), model)), (0, 0));
    assert_eq!(offset(Padding::bottom(grid(5, 5), model)), (1, 3));
    assert_eq!(offset(Padding::bottom(grid(6, 6), model)), (1, 2));
    assert_eq!(offset(Padding::bottom(grid(7, 5), model)), (0, 3));
    let (game, padding) = (grid(5, 5), Padding::bottom(grid(5, 5), model));
    assert_eq!(padding.to_model(game.cell(2, 1)), (3, 4));
    assert_eq!(in_game(&padding, game, (3, 4)), Some(game.cell(2, 1)));
    assert_eq!(padding.to_model(game.cell(2, 4)), (3, 7));
    assert_eq!(in_game(&padding, game, (3, 7)), Some(game.cell(2, 4)));
    for outside in [(3, 0), (0, 5), (7, 5), (0, 7), (7, 7)] {
        assert_eq!(in_game(&padding, game, outside), None, "{outside:?}");
    }
    let [left, right] = [game.cell(0, 4), game.cell(4, 4)];
    let corridors: Vec<_> =
        padding.corridors().map(|Corridor { column, corner, steps }| (column, corner, steps)).collect();
    assert_eq!(corridors, [(0, left, 1), (6, right, 1), (7, right, 2)]);
    for cell in 0..game.cells() {
        let (column, row) = padding.to_model(cell);
        let place = padding.column_in_plane(game.column(cell)).start + usize::from(game.row(cell));
        assert_eq!(place, usize::from(model.cell(column, row)));
    }
}

/// The cell of the game that lies in a model cell.
fn in_game(padding: &Padding, game: Grid, model: (u16, u16)) -> Option<Cell> {
    (0..game.cells()).find(|&cell| padding.to_model(cell) == model)
}

/// T14: a padded classic start seen by a model: cats where they are, homes in the model's corners.
#[test]
fn padded_classic_planes() {
    let (rules, state) = start(Variant::Classic, grid(6, 6));
    let planes = fill(&rules, &state, &signature(9, grid(8, 8), 8));
    let at = |plane: usize, column: usize, row: usize| planes[plane][column * 8 + row];
    let steps = |plane, column, row| at(plane, column, row) * 64.0;
    assert_eq!((at(0, 1, 2), at(2, 6, 2)), (0.0, 0.0), "cats");
    assert_eq!((at(1, 7, 7), at(3, 0, 7)), (0.0, 0.0), "homes");
    assert_eq!((steps(1, 6, 7), steps(1, 1, 7), steps(1, 0, 7)), (1.0, 6.0, 7.0));
    assert_eq!((steps(0, 6, 7), steps(0, 7, 7), steps(0, 0, 7)), (10.0, 11.0, 6.0));
    assert_eq!((steps(3, 1, 2), steps(3, 7, 7)), (6.0, 7.0));
    assert_eq!((at(0, 0, 0), at(1, 3, 0), at(3, 7, 6)), (1.0, 1.0, 1.0), "outside");
    assert_eq!((at(4, 0, 7), at(4, 6, 7), at(4, 7, 7)), (0.0, 0.0, 1.0), "corridors are open");
    assert_eq!((at(4, 0, 6), at(4, 6, 6), at(5, 7, 6), at(5, 3, 1)), (1.0, 1.0, 1.0, 1.0), "the border is not");
}

#[test]
fn padded_standard_planes() {
    let (rules, mut state) = start(Variant::Standard, grid(5, 5));
    play(&rules, &mut state, &[">a5.^b2", "Cd5"]);
    let padded = fill(&rules, &state, &signature(9, grid(8, 8), 8));
    let exact = fill(&rules, &state, &signature(9, grid(5, 5), 8));
    for plane in 0..6 {
        for column in 0..8 {
            for row in 0..8 {
                let number = padded[plane][column * 8 + row];
                if column >= 5 || row >= 5 {
                    assert_eq!(number, 1.0);
                } else {
                    let scale = if plane < 4 { 25.0 / 64.0 } else { 1.0 };
                    assert!((number - exact[plane][column * 5 + row] * scale).abs() < 1e-6);
                }
            }
        }
    }
}

/// T15: what a model's best move means in the game. Rows count from the bottom, so only cells can be translated.
#[test]
fn a_models_move_in_the_game() {
    let standard = |size| Padding::top_left(size, grid(8, 8));
    let classic = |size| Padding::bottom(size, grid(8, 8));
    let cases = [
        (standard(grid(5, 5)), grid(5, 5), "Ce4", "Ce1"),
        (classic(grid(5, 5)), grid(5, 5), "Cd5", "Cc5"),
        (classic(grid(5, 5)), grid(5, 5), ">d5", ">c5"),
        (standard(grid(6, 6)), grid(6, 6), "^c7", "^c5"),
        (classic(grid(6, 6)), grid(6, 6), "Ch1", "Cf1"),
        (standard(grid(8, 8)), grid(8, 8), "Ce4", "Ce4"),
        (standard(grid(8, 8)), grid(8, 8), ">f3", ">f3"),
    ];
    for (padding, game, model, expected) in cases {
        let (sign, cell) = model.split_at(1);
        let seen = cell_named(grid(8, 8), cell).expect("a model cell");
        let (column, row) = (grid(8, 8).column(seen), grid(8, 8).row(seen));
        let corridor = padding.corridors().find(|corridor| row == 7 && corridor.column == column);
        let cell = in_game(&padding, game, (column, row)).or(corridor.map(|corridor| corridor.corner));
        let cell = cell.expect("a cell of the game or on the way to its corner");
        assert_eq!(format!("{sign}{}", cell_name(game, cell)), expected);
    }
}
