//! Input and output of networks.

use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::planes::{Planes, Signature, read_output};
use _core::rules::Rules;
use serde_json::json;

fn row(rules: &PyRat<1>, state: &<PyRat<1> as Rules>::State) -> Vec<f32> {
    let signature = rules.layout().signature;
    let mut row = vec![f32::NAN; signature.input_len()];
    rules.fill(state, &signature, &mut row);
    row
}

/// Where the half-turn with exchanged seats takes each plane.
const TURNED: [usize; 16] = [1, 0, 2, 5, 6, 3, 4, 8, 7, 10, 9, 11, 12, 13, 14, 15];
const LEAD: usize = 11;

#[test]
fn a_game_turned_by_half_with_exchanged_seats_has_turned_planes() {
    for seed in 0..20 {
        let (rules, mut state) = PyRat::<1>::setup("medium", &json!({"seed": seed})).unwrap();
        let mut turned = state.clone();
        let area = usize::from(rules.board().grid().cells());
        for turn in 0..12 {
            let (one, other) = (row(&rules, &state), row(&rules, &turned));
            for (plane, target) in TURNED.into_iter().enumerate() {
                let sign = if plane == LEAD { -1.0 } else { 1.0 };
                for place in 0..area {
                    let number = other[target * area + area - 1 - place];
                    assert_eq!(
                        one[plane * area + place],
                        sign * number,
                        "seed {seed}, turn {turn}, plane {plane}"
                    );
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
        assert!(row.iter().all(|number| (-1.0..=1.0).contains(number)));
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
