//! Many games of one kind at once, one action of each a step, for reinforcement learning. A game that ends begins again
//! in the same step.

use std::mem;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::flat::Flat;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, Seat, ToAct, Values};
use crate::splitmix::{SplitMix64, mix};

/// What seats get in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewards {
    /// At the end, the value of the outcome in [-1, 1]; 0 before.
    Result,
    /// The points won in the step, with those of the end of the game.
    Points,
    /// What a seat gains on the best of the others: the change of its points minus the most that another seat has.
    Lead,
}

impl Rewards {
    /// The kind with this name.
    ///
    /// # Errors
    /// `BadConfig`, listing the kinds.
    pub fn named(name: &str) -> Result<Self, RuleError> {
        match name {
            "result" => Ok(Self::Result),
            "points" => Ok(Self::Points),
            "lead" => Ok(Self::Lead),
            _ => Err(RuleError::BadConfig(format!("unknown rewards '{name}': one of result, points, lead"))),
        }
    }
}

/// The most games at once.
const MOST_GAMES: usize = 65_536;

/// The most threads that share them.
const MOST_THREADS: usize = 256;

/// How games are set up.
pub struct Spec {
    /// The variant.
    pub variant: String,
    /// The configuration.
    pub config: Value,
    /// Whether each game gets a seed of its own as the member `seed` of its configuration.
    pub seeded: bool,
    /// The number of games.
    pub games: usize,
    /// The size of the planes, where it can be chosen.
    pub size: Option<usize>,
    /// What the seats get.
    pub rewards: Rewards,
    /// The actions after which a game is cut off; 0 for no limit.
    pub max_steps: u32,
    /// The threads that share the games.
    pub threads: usize,
}

/// The shapes of all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The number of games.
    pub games: usize,
    /// Seats of a game.
    pub seats: usize,
    /// Seats that choose in a step: all of them in games with simultaneous moves, otherwise 1.
    pub choosing: usize,
    /// The shapes of the planes.
    pub signature: Signature,
    /// Flat actions of a seat.
    pub actions: usize,
}

/// Where a step is written: arrays in C order, whose first axis are the games.
pub struct Outputs<'o> {
    /// What each seat that chooses sees: `(games, choosing, planes, dim2, dim3)`.
    pub planes: &'o mut [f32],
    /// Their legal actions: `(games, choosing, actions)`.
    pub masks: &'o mut [bool],
    /// The seat to act; 0 if all act: `(games,)`.
    pub seats: &'o mut [i64],
    /// The rewards of the step: `(games, seats)`.
    pub rewards: &'o mut [f32],
    /// Whether the game ended in the step: `(games,)`.
    pub terminated: &'o mut [bool],
    /// Whether it was cut off: `(games,)`.
    pub truncated: &'o mut [bool],
}

/// The games that ended or were cut off in a step, as they were then: arrays in C order, whose first axis are these games.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalObservations {
    /// Their numbers, ascending.
    pub games: Vec<usize>,
    /// What each seat sees: `(games, seats, planes, dim2, dim3)`.
    pub planes: Vec<f32>,
    /// Its legal actions, none of a game that ended: `(games, seats, actions)`.
    pub masks: Vec<bool>,
}

/// Games of any kind.
pub trait Environments: Send {
    /// The shapes.
    fn shape(&self) -> Shape;

    /// Begins all games anew, from this seed.
    fn reset(&mut self, seed: u64, out: &mut Outputs<'_>) -> Result<(), RuleError>;

    /// Plays an action of each seat that chooses, `(games, choosing)`. If one of them is illegal, none is played.
    ///
    /// # Errors
    /// `IllegalMove`, naming the game.
    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), RuleError>;

    /// What all seats saw at the end of the games that ended or were cut off in the last step.
    fn final_observations(&self) -> Result<FinalObservations, RuleError>;

    /// Chooses a random legal action for each seat that chooses, `(games, choosing)`.
    fn sample(&self, seed: u64, out: &mut [i64]);

    /// Plays random actions in a game of its own, one after the other, with masks and planes, and returns how many games
    /// ended: what steps cost without arrays, batches and threads.
    fn play_random(&self, steps: usize, seed: u64) -> Result<usize, RuleError>;
}

/// [`Environments`] for the rules `R`.
pub struct Games<R: Rules> {
    setting: Setting,
    games: Vec<Game<R>>,
    pool: Option<rayon::ThreadPool>,
}

/// What all games have in common.
struct Setting {
    spec: Spec,
    shape: Shape,
}

impl Setting {
    /// The flat actions and planes of a game, in the shapes of all games.
    fn flat<'r, R: Rules>(&self, rules: &'r R) -> Result<Flat<'r, R>, RuleError> {
        Flat::known(rules, self.shape.signature).map_or_else(|| Flat::new(rules, self.spec.size), Ok)
    }

    /// Whether a game of so many actions is cut off.
    fn cuts(&self, steps: u32) -> bool {
        self.spec.max_steps > 0 && steps >= self.spec.max_steps
    }
}

/// One game, with the actions that may follow.
struct Game<R: Rules> {
    rules: Arc<R>,
    /// Where games begin that have no seed.
    start: R::State,
    state: R::State,
    /// The game before, as it was in the end, if that was in the last step.
    last: Option<(Arc<R>, R::State)>,
    /// For each seat that chooses.
    legal: Vec<Vec<(u32, R::Action)>>,
    steps: u32,
    /// The first number of its seeds, and how many have been used.
    stream: u64,
    episode: u64,
    buffer: Vec<R::Action>,
}

/// The part of the outputs that belongs to one game.
struct Row<'o> {
    planes: &'o mut [f32],
    masks: &'o mut [bool],
    seat: &'o mut i64,
    rewards: &'o mut [f32],
    terminated: &'o mut bool,
    truncated: &'o mut bool,
}

/// Plays the game with this number, and fills its row of the outputs.
type Play<'p, R> = dyn Fn(&mut Game<R>, usize, Row<'_>, &Setting) -> Result<(), RuleError> + Sync + 'p;

impl<R: Rules> Games<R> {
    /// Sets up the games.
    ///
    /// # Errors
    /// As [`Rules::setup`] and [`Flat::new`]; `BadConfig` for rewards in points where the game has none, and for no games.
    pub fn open(spec: Spec) -> Result<Box<dyn Environments>, RuleError> {
        if spec.games == 0 || spec.games > MOST_GAMES {
            return Err(RuleError::BadConfig(format!("{} games are not from 1 to {MOST_GAMES}", spec.games)));
        }
        if spec.threads > MOST_THREADS {
            return Err(RuleError::BadConfig(format!("{} threads are more than {MOST_THREADS}", spec.threads)));
        }
        let games: Vec<Game<R>> =
            (0..spec.games).map(|number| Game::new(&spec, number as u64)).collect::<Result<_, _>>()?;
        let first = &games[0];
        if spec.rewards != Rewards::Result && first.rules.scores(&first.state).is_none() {
            return Err(RuleError::BadConfig("this game has no points to reward".into()));
        }
        let flat = Flat::new(&*first.rules, spec.size)?;
        let seats = first.rules.seats();
        let shape = Shape {
            games: games.len(),
            seats,
            choosing: if R::TOGETHER { seats } else { 1 },
            signature: *flat.signature(),
            actions: flat.actions(),
        };
        let pool = match spec.threads.min(games.len()) {
            0 | 1 => None,
            threads => {
                Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
                    RuleError::BadConfig(format!("{threads} threads cannot be started: {error}"))
                })?)
            }
        };
        Ok(Box::new(Self { setting: Setting { spec, shape }, games, pool }))
    }

    /// Calls `play` for every game with its row of the outputs, on all threads.
    fn each(&mut self, out: &mut Outputs<'_>, play: &Play<'_, R>) -> Result<(), RuleError> {
        let Self { setting, games, pool } = self;
        let rows = rows(&setting.shape, out);
        let work = |(number, (game, row)): (usize, (&mut Game<R>, Row<'_>))| play(game, number, row, setting);
        match pool {
            None => games.iter_mut().zip(rows).enumerate().try_for_each(work),
            Some(pool) => {
                let rows: Vec<Row<'_>> = rows.collect();
                pool.install(|| games.par_iter_mut().zip(rows).enumerate().try_for_each(work))
            }
        }
    }
}

/// The rows of the outputs, game by game.
fn rows<'o>(shape: &Shape, out: &'o mut Outputs<'_>) -> impl Iterator<Item = Row<'o>> {
    let planes = out.planes.chunks_exact_mut(shape.choosing * shape.signature.input_len());
    let masks = out.masks.chunks_exact_mut(shape.choosing * shape.actions);
    let rewards = out.rewards.chunks_exact_mut(shape.seats);
    let flags = out.terminated.iter_mut().zip(out.truncated.iter_mut());
    planes.zip(masks).zip(out.seats.iter_mut().zip(rewards)).zip(flags).map(
        |(((planes, masks), (seat, rewards)), (terminated, truncated))| Row {
            planes,
            masks,
            seat,
            rewards,
            terminated,
            truncated,
        },
    )
}

impl<R: Rules> Environments for Games<R> {
    fn shape(&self) -> Shape {
        self.setting.shape
    }

    fn reset(&mut self, seed: u64, out: &mut Outputs<'_>) -> Result<(), RuleError> {
        self.each(out, &|game, number, row, setting| {
            game.stream = mix(seed ^ mix(number as u64));
            game.episode = 0;
            game.begin(setting)?;
            game.last = None;
            row.rewards.fill(0.0);
            (*row.terminated, *row.truncated) = (false, false);
            game.show(setting, row)
        })
    }

    fn step(&mut self, actions: &[i64], out: &mut Outputs<'_>) -> Result<(), RuleError> {
        if self.games.iter().any(|game| game.legal.is_empty()) {
            return Err(RuleError::IllegalMove("the games have not begun: they need a reset".into()));
        }
        let choosing = self.setting.shape.choosing;
        for (number, (game, chosen)) in self.games.iter().zip(actions.chunks_exact(choosing)).enumerate() {
            game.chosen(chosen, &self.setting).map_err(|index| {
                RuleError::IllegalMove(format!("game {number}: action {index} is not legal here"))
            })?;
        }
        self.each(out, &|game, number, row, setting| {
            let chosen = game.chosen(&actions[number * choosing..][..choosing], setting).unwrap_or_default();
            game.play(&chosen, setting, row)
        })
    }

    fn final_observations(&self) -> Result<FinalObservations, RuleError> {
        let Shape { seats, signature, actions, .. } = self.setting.shape;
        let last = || (0..).zip(&self.games).filter_map(|(number, game)| Some((number, game.last.as_ref()?)));
        let games: Vec<usize> = last().map(|(number, _)| number).collect();
        let mut planes = vec![0.0; games.len() * seats * signature.input_len()];
        let mut masks = vec![false; games.len() * seats * actions];
        let all: Vec<Seat> = (0..seats).collect();
        let rows = planes.chunks_exact_mut(seats * signature.input_len());
        let (mut buffer, mut legal) = (Vec::new(), Vec::new());
        for (((_, (rules, state)), planes), masks) in last().zip(rows).zip(masks.chunks_exact_mut(seats * actions))
        {
            let flat = self.setting.flat(&**rules)?;
            flat.fill_seats(state, &all, planes);
            for (seat, mask) in all.iter().zip(masks.chunks_exact_mut(actions)) {
                flat.list(state, *seat, &mut buffer, &mut legal);
                legal.iter().for_each(|(index, _)| mask[*index as usize] = true);
            }
        }
        Ok(FinalObservations { games, planes, masks })
    }

    fn sample(&self, seed: u64, out: &mut [i64]) {
        let mut random = SplitMix64::new(seed);
        let lists = self.games.iter().flat_map(|game| &game.legal);
        for (number, legal) in out.iter_mut().zip(lists) {
            *number = legal[random.below(legal.len() as u64) as usize].0.into();
        }
    }

    fn play_random(&self, steps: usize, seed: u64) -> Result<usize, RuleError> {
        let setting = &self.setting;
        let shape = setting.shape;
        let mut random = SplitMix64::new(seed);
        let mut planes = vec![0.0; shape.choosing * shape.signature.input_len()];
        let mut masks = vec![false; shape.choosing * shape.actions];
        let mut game = Game::<R>::new(&setting.spec, seed)?;
        game.list(setting, &mut masks)?;
        let mut ended = 0;
        for _ in 0..steps {
            let actions: Vec<R::Action> =
                game.legal.iter().map(|legal| legal[random.below(legal.len() as u64) as usize].1).collect();
            game.rules.play_unchecked(&mut game.state, &actions);
            game.steps += 1;
            let over = matches!(game.rules.to_act(&game.state), ToAct::Over(_));
            if over || setting.cuts(game.steps) {
                ended += 1;
                game.begin(setting)?;
            }
            game.list(setting, &mut masks)?;
            game.fill(setting, &mut planes)?;
        }
        Ok(ended)
    }
}

impl<R: Rules> Game<R> {
    fn new(spec: &Spec, number: u64) -> Result<Self, RuleError> {
        let stream = mix(number);
        let (rules, state) = R::setup(&spec.variant, &config(spec, stream))?;
        let (start, legal) = (state.clone(), Vec::new());
        let rules = Arc::new(rules);
        Ok(Self { rules, start, state, last: None, legal, steps: 0, stream, episode: 0, buffer: Vec::new() })
    }

    /// Begins a new game, with the next seed, and keeps the one before.
    fn begin(&mut self, setting: &Setting) -> Result<(), RuleError> {
        let (rules, start) = if setting.spec.seeded {
            let config = config(&setting.spec, self.stream.wrapping_add(self.episode));
            let (rules, start) = R::setup(&setting.spec.variant, &config)?;
            (Arc::new(rules), start)
        } else {
            (Arc::clone(&self.rules), self.start.clone())
        };
        self.last = Some((mem::replace(&mut self.rules, rules), mem::replace(&mut self.state, start)));
        self.steps = 0;
        self.episode += 1;
        Ok(())
    }

    /// The seat to act; 0 if all act.
    fn seat(&self) -> Seat {
        match self.rules.to_act(&self.state) {
            ToAct::One(seat) => seat,
            ToAct::Together | ToAct::Over(_) => 0,
        }
    }

    /// The actions with these numbers, or the first number that is not legal.
    fn chosen(&self, numbers: &[i64], setting: &Setting) -> Result<Vec<R::Action>, i64> {
        let flat = Flat::known(&*self.rules, setting.shape.signature);
        let find = |(number, legal): (&i64, &Vec<(u32, R::Action)>)| {
            flat.as_ref().and_then(|flat| flat.find(legal, *number)).ok_or(*number)
        };
        numbers.iter().zip(&self.legal).map(find).collect()
    }

    /// Plays one action of every seat that chooses.
    fn play(&mut self, actions: &[R::Action], setting: &Setting, row: Row<'_>) -> Result<(), RuleError> {
        self.last = None;
        let before = self.rules.scores(&self.state);
        self.rules.play_unchecked(&mut self.state, actions);
        self.steps += 1;
        let seats = self.rules.seats();
        let outcome = match self.rules.to_act(&self.state) {
            ToAct::Over(outcome) => Some(outcome),
            _ => None,
        };
        let won = match (setting.spec.rewards, outcome) {
            (Rewards::Result, None) => [0.0; crate::rules::MAX_SEATS],
            (Rewards::Result, Some(outcome)) => outcome.values(seats),
            (kind, outcome) => {
                let after = outcome.and_then(|outcome| outcome.scores).or_else(|| self.rules.scores(&self.state));
                let worth = |points: Option<Values>| match kind {
                    Rewards::Lead => leads(points.unwrap_or_default(), seats),
                    _ => points.unwrap_or_default(),
                };
                difference(worth(after), worth(before))
            }
        };
        row.rewards.copy_from_slice(&won[..seats]);
        *row.terminated = outcome.is_some();
        *row.truncated = outcome.is_none() && setting.cuts(self.steps);
        if *row.terminated || *row.truncated {
            self.begin(setting)?;
        }
        self.show(setting, row)
    }

    /// Writes the position into its row, and lists the actions.
    fn show(&mut self, setting: &Setting, row: Row<'_>) -> Result<(), RuleError> {
        self.list(setting, row.masks)?;
        *row.seat = self.seat() as i64;
        self.fill(setting, row.planes)
    }

    /// Writes what each seat that chooses sees.
    fn fill(&self, setting: &Setting, planes: &mut [f32]) -> Result<(), RuleError> {
        setting.flat(&*self.rules)?.fill_seats(&self.state, &self.rules.acting(&self.state), planes);
        Ok(())
    }

    /// Lists the actions of each seat that chooses, and marks them in the masks.
    fn list(&mut self, setting: &Setting, masks: &mut [bool]) -> Result<(), RuleError> {
        let seats = self.rules.acting(&self.state);
        let flat = setting.flat(&*self.rules)?;
        self.legal.resize_with(seats.len(), Vec::new);
        masks.fill(false);
        for ((seat, legal), mask) in
            seats.into_iter().zip(&mut self.legal).zip(masks.chunks_exact_mut(flat.actions()))
        {
            flat.list(&self.state, seat, &mut self.buffer, legal);
            legal.iter().for_each(|(index, _)| mask[*index as usize] = true);
        }
        Ok(())
    }
}

/// The configuration of a game, with a seed if it takes one.
fn config(spec: &Spec, seed: u64) -> Value {
    let mut config = spec.config.clone();
    if let (true, Value::Object(members)) = (spec.seeded, &mut config) {
        members.insert("seed".into(), json!(mix(seed) >> 11));
    }
    config
}

fn difference(after: Values, before: Values) -> Values {
    std::array::from_fn(|seat| after[seat] - before[seat])
}

/// How far each of the seats is ahead of the best of the others, in points.
fn leads(points: Values, seats: usize) -> Values {
    let most = |seat: Seat| {
        let others = (0..seats).filter(|other| *other != seat).map(|other| points[other]);
        others.fold(f32::NEG_INFINITY, f32::max)
    };
    std::array::from_fn(|seat| if seat < seats { points[seat] - most(seat) } else { 0.0 })
}
