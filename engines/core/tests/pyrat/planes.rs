//! Input and output of networks.

use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::planes::{Planes, Signature, read_output};
use _core::rules::Rules;
use serde_json::{Value, json};

fn row(rules: &PyRat<1>, state: &<PyRat<1> as Rules>::State) -> Vec<f32> {
    let signature = rules.layout().signature;
    let mut row = vec![f32::NAN; signature.input_len()];
    rules.fill(state, 0, &signature, &mut row);
    row
}

/// Where the half-turn with exchanged seats takes each plane.
const TURNED: [usize; 21] = [1, 0, 2, 5, 6, 3, 4, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 17, 18, 19, 20];

/// The planes of the race, in which the order of the cells decides between pieces at the same distance.
const RACE: [usize; 2] = [9, 10];

#[test]
fn a_game_turned_by_half_with_exchanged_seats_has_turned_planes() {
    for seed in 0..20 {
        let (rules, mut state) = PyRat::<1>::setup("medium", &json!({"seed": seed})).unwrap();
        let mut turned = state.clone();
        let area = usize::from(rules.board().grid().cells());
        for turn in 0..12 {
            let (one, other) = (row(&rules, &state), row(&rules, &turned));
            for (plane, target) in TURNED.into_iter().enumerate().filter(|(plane, _)| !RACE.contains(plane)) {
                for place in 0..area {
                    let number = other[target * area + area - 1 - place];
                    let error = (one[plane * area + place] - number).abs(); // sums in another order
                    assert!(error < 1e-5, "seed {seed}, turn {turn}, plane {plane}");
                }
            }
            let mut choices = [Vec::new(), Vec::new()];
            (0..2).for_each(|seat| rules.legal(&state, seat, &mut choices[seat]));
            if choices[0].is_empty() {
                break;
            }
            let pick = [0, 1].map(|seat| choices[seat][(seed + 3 * turn + 5 * seat) % choices[seat].len()]);
            rules.play_unchecked(&mut state, &pick);
            rules.play_unchecked(&mut turned, &[opposite(pick[1]), opposite(pick[0])]);
        }
    }
}

/// The image of a configuration, by reflecting its columns, rows, or exchanging the players.
fn reflected(config: &Value, [columns, rows, seats]: [bool; 3]) -> Value {
    let side = |name: &str| config[name].as_u64().unwrap();
    let (width, height) = (side("width"), side("height"));
    let mut image = config.clone();
    for list in ["walls", "mud", "cheese", "starts"] {
        reflect_cells(&mut image[list], &|x| if columns { width - 1 - x } else { x }, &|y| {
            if rows { height - 1 - y } else { y }
        });
    }
    if seats {
        image["starts"].as_array_mut().unwrap().reverse();
    }
    image
}

/// Reflects every `[x, y]` in a list.
fn reflect_cells(value: &mut Value, column: &dyn Fn(u64) -> u64, row: &dyn Fn(u64) -> u64) {
    let Value::Array(items) = value else { return };
    match items.as_mut_slice() {
        [Value::Number(x), Value::Number(y)] => {
            let (to_x, to_y) = (column(x.as_u64().unwrap()), row(y.as_u64().unwrap()));
            *items = vec![json!(to_x), json!(to_y)];
        }
        items => items.iter_mut().for_each(|item| reflect_cells(item, column, row)),
    }
}

/// Plays a game and its image by every symmetry: the same moves are legal, the points are the same, and planes, policy and
/// values are permuted as the symmetry says.
#[test]
fn every_symmetry_of_the_layout_is_one_of_the_rules() {
    for (variant, seed) in [("asymmetric", 1), ("tiny", 2), ("open", 3)] {
        let (rules, start) = PyRat::<1>::setup(variant, &json!({"seed": seed})).unwrap();
        let signature = rules.layout().signature;
        let area = signature.dim2 * signature.dim3;
        let symmetries = rules.symmetries();
        assert_eq!(symmetries.len(), 7);
        for (number, symmetry) in (1..8).zip(symmetries) {
            let flags = [1, 2, 4].map(|bit| number & bit != 0);
            let (image_rules, mut image) = PyRat::<1>::setup(variant, &reflected(&rules.config(), flags)).unwrap();
            let mut state = start.clone();
            for turn in 0..60 {
                let (planes, seen) = (row(&rules, &state), row(&image_rules, &image));
                for (index, number) in symmetry.inputs.iter().map(|index| planes[*index]).enumerate() {
                    let is_same = RACE.contains(&(index / area)) || (number - seen[index]).abs() < 1e-6;
                    assert!(is_same, "{variant}, turn {turn}, plane {}", index / area);
                }
                let mut legal = [Vec::new(), Vec::new()];
                (0..2).for_each(|seat| rules.legal(&state, seat, &mut legal[seat]));
                if legal[0].is_empty() {
                    break;
                }
                let pair = [0, 1].map(|seat| legal[seat][(7 * turn + 3 * seat + number) % legal[seat].len()]);
                let mut image_pair = pair;
                for (index, from) in symmetry.policy.iter().enumerate() {
                    let (seat, direction) = (index / 5, Direction::ALL[index % 5]);
                    let (from_seat, from_direction) = (from / 5, Direction::ALL[from % 5]);
                    let is_legal = legal[from_seat].contains(&from_direction);
                    assert_eq!(image_rules.is_legal(&image, seat, direction), is_legal);
                    if pair[from_seat] == from_direction {
                        image_pair[seat] = direction;
                    }
                }
                rules.play_unchecked(&mut state, &pair);
                image_rules.play_unchecked(&mut image, &image_pair);
                let (scores, image_scores) = (rules.scores(&state).unwrap(), image_rules.scores(&image).unwrap());
                assert_eq!([0, 1].map(|seat| scores[symmetry.values[seat]]), image_scores[..2]);
            }
        }
    }
}

#[test]
fn the_race_says_who_wins_which_piece() {
    let config = json!({"width": 5, "height": 3, "walls": [], "cheese": [[1, 0], [2, 2], [4, 1]], "maxTurns": 30});
    let (rules, state) = PyRat::<1>::setup("open", &config).unwrap();
    let row = row(&rules, &state);
    let at = |plane: usize, x: usize, y: usize| row[(plane * 5 + x) * 3 + y];
    assert_eq!([at(9, 1, 0), at(10, 1, 0)], [1.0, 0.0], "next to seat 0");
    assert_eq!([at(9, 4, 1), at(10, 4, 1)], [0.0, 1.0], "next to seat 1");
    assert_eq!(at(9, 2, 2) + at(10, 2, 2), 1.0);
    // From the corner of seat 0 the pieces are 1, 4 and 5 turns away; seat 1 reaches the second one first, and the third.
    let pull = 1.0f32 / 4.0 + 0.2 / 25.0 + 0.2 / 36.0;
    assert!((at(11, 0, 0) - (1.0 + pull.ln() / 8.0)).abs() < 1e-6);
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
        Direction::Stay => Direction::Stay,
    }
}

#[test]
fn planes_hold_small_numbers_and_mark_each_player_once() {
    for variant in ["tiny", "asymmetric", "open"] {
        let (rules, state) = PyRat::<1>::setup(variant, &json!({"seed": 3})).unwrap();
        let row = row(&rules, &state);
        let area = usize::from(rules.board().grid().cells());
        let plane = |number: usize| &row[number * area..(number + 1) * area];
        for (seat, player) in state.players().iter().enumerate() {
            let place = plane(seat).iter().position(|mark| *mark == 1.0).unwrap();
            let height = usize::from(rules.board().grid().height);
            assert_eq!(plane(seat).iter().sum::<f32>(), 1.0);
            assert_eq!(rules.board().grid().cell((place / height) as u8, (place % height) as u8), player.cell);
        }
        assert_eq!(plane(2).iter().sum::<f32>(), rules.start().cheese.len() as f32);
        assert!(row.iter().all(|number| (0.0..=1.0).contains(number)));
    }
}

#[test]
fn values_are_shares_of_the_remaining_points() {
    let (rules, state) = PyRat::<1>::setup("tiny", &json!({"seed": 3})).unwrap();
    let signature = rules.layout().signature;
    let mut legal = [Vec::new(), Vec::new()];
    (0..2).for_each(|seat| rules.legal(&state, seat, &mut legal[seat]));
    let policy: Vec<f32> = (0..10).map(|index| index as f32 / 10.0).collect();
    let lists = [(0, &legal[0][..]), (1, &legal[1][..])];
    let evaluation = read_output(&rules, &state, &signature, &lists, &policy, &[0.25, 0.5]);
    let pieces = rules.start().cheese.len() as f32;
    assert_eq!(evaluation.values()[..2], [0.25 * pieces, 0.5 * pieces]);
    for seat in 0..2 {
        for (action, weight) in legal[seat].iter().zip(evaluation.policy(seat)) {
            let expected = policy[5 * seat + *action as usize];
            assert!((weight - expected).abs() <= 0.004 * expected);
        }
    }
}

#[test]
fn other_shapes_do_not_fit() {
    let (rules, _) = PyRat::<1>::setup("tiny", &json!({"seed": 3})).unwrap();
    let own = rules.layout().signature;
    assert!(rules.fits(&own).is_ok());
    let wallwars = Signature { planes: 9, policy: 2 * own.dim2 * own.dim3 + 8, values: 1, ..own };
    let reason = rules.fits(&wallwars).unwrap_err();
    assert!(reason.starts_with("9 planes"), "{reason}");
    assert!(rules.fits(&Signature { dim2: own.dim2 + 1, ..own }).is_err());
}
