//! The priors of the evaluator `native` against their definition, by the distances of all cells, in random games.

use _core::evaluator::Evaluator;
use _core::games::wallwars::Wallwars;
use _core::games::wallwars::action::{Action, ActionKind, Cell, Pawn, Wall};
use _core::games::wallwars::board::{Edges, Grid};
use _core::games::wallwars::native::Native;
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::games::wallwars::state::State;
use _core::rules::{Rules, ToAct};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const SURVIVAL: Variant = Variant::Survival(Terms { turns: 30, mouse_can_move: true });

#[test]
fn priors_are_those_of_the_definition() {
    for variant in [Variant::Standard, Variant::Classic, Variant::Freestyle, SURVIVAL] {
        for (width, height) in [(3, 3), (5, 8), (8, 8), (12, 10), (16, 16), (20, 20)] {
            let setup = Setup::corners(variant, Grid { width, height });
            match setup.grid.words() {
                1 => follow::<1>(&setup),
                2 => follow::<2>(&setup),
                4 => follow::<4>(&setup),
                _ => follow::<7>(&setup),
            }
        }
    }
}

/// Plays random games and compares the priors of every position.
fn follow<const N: usize>(setup: &Setup) {
    for seed in 0..3 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let (rules, mut state) = setup.begin::<N>().unwrap();
        let mut legal = Vec::new();
        for _ in 0..60 {
            let ToAct::One(seat) = rules.to_act(&state) else { break };
            legal.clear();
            rules.legal(&state, seat, &mut legal);
            compare(&rules, &state, seat, &legal);
            rules.play_unchecked(&mut state, &[legal[rng.random_range(0..legal.len())]]);
        }
    }
}

fn compare<const N: usize>(rules: &Wallwars<N>, state: &State<N>, seat: usize, legal: &[Action]) {
    let native = Native::default();
    let mut priors = Vec::new();
    native.priors(rules, state, seat, legal, &mut priors);
    let [own, other] =
        [seat, 1 - seat].map(|seat| rules.race(state, seat).map(|race| Race::new(rules, state, race)));
    let share = |race: &Option<Race>, wall| race.as_ref().map_or(0.0, |race| race.share(wall));
    for (action, prior) in legal.iter().zip(priors) {
        let expected = match action.kind() {
            ActionKind::Wall(wall) => {
                let (hurt, gain) = (share(&own, wall), share(&other, wall));
                native.other_wall * (1.0 - hurt) + native.block * (gain - hurt).max(0.0)
            }
            ActionKind::Step(Pawn::Mouse, direction) if !state.undoes(*action) => {
                let target = state.board().beside(state.pawn(seat, Pawn::Mouse), direction);
                let flees = other.as_ref().is_some_and(|race| race.from_cat[usize::from(target)] > race.steps);
                if flees { native.flee } else { native.other_step }
            }
            _ => continue,
        };
        assert_eq!(prior.to_bits(), expected.to_bits(), "{action:?}");
    }
}

/// A cat on its way, by distances.
struct Race {
    steps: u16,
    from_cat: Vec<u16>,
    /// Open edges on shortest ways, each with the distance from the cat at which it begins.
    edges: Vec<(Wall, u16)>,
}

impl Race {
    fn new<const N: usize>(rules: &Wallwars<N>, state: &State<N>, (cat, goal): (Cell, Cell)) -> Self {
        let distances = |from| {
            let mut steps = vec![0; rules.grid().cells().into()];
            state.board().distances(from, &mut steps);
            steps
        };
        let (from_cat, from_goal): (Vec<u16>, Vec<u16>) = (distances(cat), distances(goal));
        let steps = from_cat[usize::from(goal)];
        let begins = |wall: Wall| {
            let beyond = if wall == Wall::down(wall.cell) { 1 } else { rules.grid().height };
            let (a, b) = (usize::from(wall.cell), usize::from(wall.cell + beyond));
            let length = |a: usize, b: usize| u32::from(from_cat[a]) + 1 + u32::from(from_goal[b]);
            [(a, b), (b, a)]
                .into_iter()
                .find(|(a, b)| length(*a, *b) == u32::from(steps))
                .map(|(a, _)| from_cat[a])
        };
        let open = Edges::<N>::all(rules.grid()).iter().filter(|wall| state.board().open.has(*wall));
        let edges = open.filter_map(|wall| begins(wall).map(|at| (wall, at))).collect();
        Self { steps, from_cat, edges }
    }

    /// The share of the shortest ways that an edge stands for.
    fn share(&self, wall: Wall) -> f32 {
        let Some((_, at)) = self.edges.iter().find(|(edge, _)| *edge == wall) else { return 0.0 };
        match self.edges.iter().filter(|(_, other)| other == at).count() {
            1 => 1.0,
            2 => 0.5,
            _ => 0.25,
        }
    }
}
