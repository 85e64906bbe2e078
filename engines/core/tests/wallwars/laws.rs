//! Random games, action by action beside the plain model: the same actions in the same order, the same end.

use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, Cell, Pawn, Wall};
use _core::games::wallwars::board::{Edges, Grid};
use _core::games::wallwars::freestyle;
use _core::games::wallwars::paths::UNREACHABLE;
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::games::wallwars::state::State;
use _core::moves;
use _core::rules::{Rules, ToAct};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::model::Model;

const SURVIVAL: Variant = Variant::Survival(Terms { turns: 30, mouse_can_move: true });
const SITTING: Variant = Variant::Survival(Terms { turns: 12, mouse_can_move: false });

/// Every size has as many random games of every variant as given.
fn games(sizes: &[(u16, u16)], each: u64) -> Vec<(Setup, u64)> {
    let variants = [Variant::Standard, Variant::Classic, Variant::Freestyle, SURVIVAL, SITTING];
    let mut games = Vec::new();
    for &(width, height) in sizes {
        for variant in variants {
            games.extend((0..each).map(|seed| (Setup::corners(variant, Grid { width, height }), seed)));
        }
    }
    games
}

fn follow_all(games: Vec<(Setup, u64)>, actions: usize) {
    for (setup, seed) in games {
        match setup.grid.words() {
            1 => Pair::<1>::new(&setup, seed).follow(actions),
            2 => Pair::<2>::new(&setup, seed).follow(actions),
            4 => Pair::<4>::new(&setup, seed).follow(actions),
            _ => Pair::<7>::new(&setup, seed).follow(actions),
        }
    }
}

#[test]
fn small_boards_play_as_the_model() {
    follow_all(games(&[(2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (3, 5), (5, 5)], 30), 400);
}

#[test]
fn middle_boards_play_as_the_model() {
    follow_all(games(&[(8, 8), (7, 9), (3, 20), (20, 3)], 1), 160);
}

#[test]
fn large_boards_play_as_the_model() {
    follow_all(games(&[(11, 12), (16, 16)], 1), 25);
    follow_all(games(&[(20, 20)], 1), 8);
}

#[test]
fn walled_large_boards_play_as_the_model() {
    let endless = Variant::Survival(Terms { turns: 1_000, mouse_can_move: true });
    for (seed, variant) in [(1, Variant::Standard), (2, Variant::Classic), (3, endless)] {
        let mut pair = Pair::<7>::new(&Setup::corners(variant, Grid { width: 20, height: 20 }), seed);
        pair.fill_with_walls(340);
        pair.follow(8);
    }
}

#[test]
fn freestyle_starts_play_as_the_model() {
    follow_all((0..4).map(|seed| (freestyle::generate(seed), seed)).collect(), 40);
}

#[test]
fn walls_end_with_every_way_still_open() {
    for seed in 0..50 {
        let mut pair = Pair::<1>::new(&Setup::corners(Variant::Standard, Grid { width: 5, height: 5 }), seed);
        pair.fill_with_walls(usize::MAX);
        assert!(pair.model.connected());
        assert!(pair.rules.wall_places(&pair.state).is_empty());
    }
}

/// The rules and the model in the same position.
struct Pair<const N: usize> {
    rules: Wallwars<N>,
    state: State<N>,
    model: Model,
    rng: Pcg64Mcg,
    /// The state at the beginning of the turn, and the turn's actions so far.
    turn: (State<N>, Vec<Action>),
}

impl<const N: usize> Pair<N> {
    fn new(setup: &Setup, seed: u64) -> Self {
        let (rules, state) = setup.begin().expect("a legal start");
        let turn = (state.clone(), Vec::new());
        Self { rules, state, model: Model::new(setup), rng: Pcg64Mcg::seed_from_u64(seed), turn }
    }

    fn follow(&mut self, actions: usize) {
        for _ in 0..actions {
            let legal = self.compare();
            if legal.is_empty() {
                return;
            }
            let action = match self.rng.random_range(0..20) {
                0 => Action::END,
                1..10 => self.pick(&legal[..legal.len().min(6)]),
                _ => self.pick(&legal),
            };
            self.play(action);
        }
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.random_range(0..items.len())]
    }

    fn fill_with_walls(&mut self, most: usize) {
        for _ in 0..most {
            let walls: Vec<Wall> = self.rules.wall_places(&self.state).iter().collect();
            if walls.is_empty() {
                return;
            }
            let wall = self.pick(&walls);
            self.play(Action::wall(wall));
        }
    }

    fn play(&mut self, action: Action) {
        let text = self.rules.write(&self.state, self.state.seat(), &[action]);
        self.model.play(&text);
        self.turn.1.push(action);
        self.rules.play_unchecked(&mut self.state, &[action]);
        if self.rules.at_rest(&self.state) {
            self.check_turn();
            self.turn = (self.state.clone(), Vec::new());
        }
    }

    /// The legal actions, after comparing everything that both sides know.
    fn compare(&self) -> Vec<Action> {
        let seat = self.state.seat();
        let mut legal = Vec::new();
        self.rules.legal(&self.state, seat, &mut legal);
        let texts: Vec<_> = legal.iter().map(|action| self.rules.write(&self.state, seat, &[*action])).collect();
        assert_eq!(texts, self.model.legal());
        assert_eq!(self.rules.count(&self.state, seat), legal.len() as u64);
        let outcome = match self.rules.to_act(&self.state) {
            ToAct::Over(outcome) if outcome.winners(2).is_empty() => Some(format!("draw {}", outcome.reason)),
            ToAct::Over(outcome) => Some(format!("{} {}", 1 << outcome.winners(2)[0], outcome.reason)),
            _ => None,
        };
        assert_eq!(outcome, self.model.end);
        assert_eq!((self.state.ply(), u32::from(self.state.actions_left())), (self.model.ply, self.model.left));
        assert_eq!(self.rules.key(&self.state), self.rules.full_key(&self.state));
        let mut other = Vec::new();
        self.rules.legal(&self.state, 1 - seat, &mut other);
        assert!(other.is_empty(), "only the mover acts");
        self.compare_single(&legal);
        self.compare_distances();
        legal
    }

    /// Asked one by one, the same actions are legal.
    fn compare_single(&self, legal: &[Action]) {
        for wall in Edges::<N>::all(self.rules.grid()).iter().map(Action::wall) {
            let listed = legal.contains(&wall);
            assert_eq!(self.rules.is_legal(&self.state, self.state.seat(), wall), listed, "{wall:?}");
        }
        let running = self.model.end.is_none();
        assert_eq!(self.rules.is_legal(&self.state, self.state.seat(), Action::END), running);
        assert_eq!(self.rules.end_early(&self.state).is_some(), running);
    }

    fn compare_distances(&self) {
        let grid = self.rules.grid();
        let at = |cell: Cell| (i32::from(grid.column(cell)), i32::from(grid.row(cell)));
        let mut steps = vec![0; usize::from(grid.cells())];
        for cell in [self.state.pawn(0, Pawn::Cat), self.state.pawn(1, Pawn::Mouse)] {
            let plain = self.model.distances(at(cell));
            self.state.board().distances(cell, &mut steps);
            for target in 0..grid.cells() {
                let expected = plain[usize::from(target)];
                let listed = steps[usize::from(target)];
                assert_eq!((listed != UNREACHABLE).then_some(listed), expected);
                if target % 7 == 0 {
                    assert_eq!(self.state.board().distance(cell, target), expected);
                    let cells = self.state.board().shortest_path(cell, target).len() as usize;
                    assert_eq!(cells, expected.map_or(0, |steps| usize::from(steps) + 1));
                }
            }
        }
    }

    /// The turn just played, written and read, leads to the same state; nothing more can be added to it.
    fn check_turn(&self) {
        let (before, actions) = &self.turn;
        let text = self.rules.write(before, before.seat(), actions);
        let mut again = before.clone();
        let played = moves::play_recorded(&self.rules, &mut again, &text).expect("what is written can be read");
        assert_eq!(again, self.state, "{text}");
        assert_eq!(played.text, text);
        assert_eq!(self.rules.key(&again), self.rules.key(&self.state));
        for refused in ["Ca1.Ca2.Ca3", "", "C", ">z9", "^a26", &format!("{text}.{text}.{text}")] {
            let mut after = before.clone();
            assert!(moves::play_recorded(&self.rules, &mut after, refused).is_err(), "{refused}");
            assert_eq!(&after, before);
        }
    }
}

#[test]
fn keys_tell_states_apart() {
    let mut keys = std::collections::HashMap::new();
    for (setup, seed) in games(&[(3, 3), (4, 4), (4, 3)], 40) {
        let mut pair = Pair::<1>::new(&setup, seed);
        for _ in 0..60 {
            let mut legal = Vec::new();
            pair.rules.legal(&pair.state, pair.state.seat(), &mut legal);
            if legal.is_empty() {
                break;
            }
            let mut known = pair.rules.view(&pair.state, None);
            for wall in known["walls"].as_array_mut().expect("walls") {
                wall.as_object_mut().expect("a wall").remove("playerId");
            }
            let undone: Vec<bool> = legal.iter().map(|action| pair.state.undoes(*action)).collect();
            let law = match setup.variant {
                Variant::Freestyle => Variant::Standard,
                law => law,
            };
            let counted = if matches!(law, Variant::Survival(_)) { pair.state.ply() } else { 0 };
            let identity = format!("{law:?} {known} {undone:?} {counted}");
            let before = keys.insert(pair.rules.key(&pair.state), identity.clone());
            assert!(before.is_none_or(|before| before == identity));
            let action = pair.pick(&legal);
            pair.play(action);
        }
    }
    assert!(keys.len() > 5_000);
}

#[test]
fn leaving_loses() {
    let setup = Setup::corners(Variant::Standard, Grid { width: 8, height: 8 });
    for seat in [0, 1] {
        let mut pair = Pair::<1>::new(&setup, 0);
        pair.follow(3);
        pair.rules.forfeit(&mut pair.state, seat);
        let ToAct::Over(outcome) = pair.rules.to_act(&pair.state) else { panic!("the game goes on") };
        assert_eq!((outcome.winners(2), outcome.reason), (vec![1 - seat], "resignation"));
        assert!(pair.rules.at_rest(&pair.state));
        assert_eq!(pair.rules.key(&pair.state), pair.rules.full_key(&pair.state));
    }
}

#[test]
fn states_are_small() {
    assert!(size_of::<State<1>>() <= 80);
    assert!(size_of::<State<7>>() <= 280);
    assert_eq!(size_of::<Action>(), 2);
}
