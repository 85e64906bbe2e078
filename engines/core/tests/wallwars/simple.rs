//! The evaluator without a network.

use _core::evaluator::Evaluator;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, ActionKind, Direction, Pawn};
use _core::games::wallwars::board::Grid;
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::games::wallwars::simple::{Simple, score};
use _core::games::wallwars::state::State;
use _core::rules::Rules;

fn start(variant: Variant) -> (Wallwars<1>, State<1>) {
    Setup::corners(variant, Grid { width: 4, height: 4 }).begin().expect("a legal start")
}

fn priors(simple: Simple, rules: &Wallwars<1>, state: &State<1>) -> Vec<(Action, f32)> {
    let mut legal = Vec::new();
    rules.legal(state, state.seat(), &mut legal);
    let mut weights = Vec::new();
    simple.priors(rules, state, state.seat(), &legal, &mut weights);
    legal.into_iter().zip(weights).collect()
}

#[test]
fn scores_compare_distances() {
    assert_eq!([score(2.0, 4.0), score(4.0, 2.0), score(3.0, 3.0), score(0.0, 0.0)], [0.5, -0.5, 0.0, 0.0]);
    assert_eq!([score(0.0, 3.0), score(3.0, 0.0)], [1.0, -1.0]);
}

#[test]
fn values_are_per_seat() {
    let (rules, mut state) = start(Variant::Standard);
    let simple = Simple::default();
    assert_eq!(simple.value(&rules, &state)[..2], [0.0, 0.0]);
    rules.play_unchecked(&mut state, &[Action::step(Pawn::Cat, Direction::Right)]);
    let values = simple.value(&rules, &state);
    assert!(values[0] > 0.0 && values[0] == -values[1]);
    assert_eq!(values[2..], [0.0; 3]);
}

#[test]
fn steps_share_their_part_and_walls_the_rest() {
    let (rules, state) = start(Variant::Standard);
    let priors = priors(Simple::default(), &rules, &state);
    let is_step = |action: Action| matches!(action.kind(), ActionKind::Step(..));
    let sum =
        |steps: bool| priors.iter().filter(|(action, _)| is_step(*action) == steps).map(|(_, p)| p).sum::<f32>();
    assert!((sum(true) - 0.3).abs() < 1e-6 && (sum(false) - 0.7).abs() < 1e-6);
    let of =
        |pawn, direction| priors.iter().find(|(action, _)| *action == Action::step(pawn, direction)).unwrap().1;
    assert_eq!(of(Pawn::Cat, Direction::Right), of(Pawn::Cat, Direction::Down));
    assert!((of(Pawn::Cat, Direction::Right) - 2.0 * of(Pawn::Mouse, Direction::Right)).abs() < 1e-6);
    assert!(
        (of(Pawn::Mouse, Direction::Up) - of(Pawn::Mouse, Direction::Right)).abs() < 1e-6,
        "both nearer the cat"
    );
}

#[test]
fn the_way_back_has_no_weight() {
    let (rules, mut state) = start(Variant::Classic);
    rules.play_unchecked(&mut state, &[Action::step(Pawn::Cat, Direction::Right)]);
    let only_steps = Simple { move_prior: 1.0, ..Simple::default() };
    for (action, weight) in priors(only_steps, &rules, &state) {
        let expected = match action.kind() {
            ActionKind::Step(_, Direction::Left) | ActionKind::Wall(_) => 0.0,
            _ => 0.5,
        };
        assert_eq!(weight, expected, "{action:?}");
    }
}

#[test]
fn survival_compares_the_way_with_the_time() {
    let value = |turns| {
        let (rules, state) = start(Variant::Survival(Terms { turns, mouse_can_move: true }));
        Simple::default().value(&rules, &state)[0]
    };
    assert_eq!((value(3), value(2), value(6)), (0.0, 4.0 / 6.0 - 1.0, 0.5));
}
