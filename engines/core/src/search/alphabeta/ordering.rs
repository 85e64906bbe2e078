//! The order in which actions are tried: by hints from the table, by what refuted sibling positions, the previous
//! action or any position so far, and by the evaluator's priors.

use std::hash::{Hash, Hasher};

use crate::rules::Seat;

/// Size of the history and reply tables, a power of two.
const PLACES: usize = 4096;

/// Maximum absolute history value. Priors count 1024 per factor of two.
const MOST: i32 = 4096;

const HINTED: i32 = 1 << 30;
const KILLER: i32 = 1 << 29;
const REPLY: i32 = 1 << 28;

/// A 16-bit hash of an action, never 0. Actions may share one: everything stored under a digest is only a guess.
pub fn digest<A: Hash>(action: &A) -> u16 {
    let mut mixer = Mixer(0);
    action.hash(&mut mixer);
    (mixer.finish() as u16).max(1)
}

/// A multiplicative hash of a few small words: fast, and the same on every machine.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 >> 40
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }
}

/// The rank of a prior: 1024 per factor of two, read from the bits of the float.
pub fn of_prior(prior: f32) -> i32 {
    (prior.max(0.0).to_bits() >> 13) as i32
}

/// What a worker has learnt about actions, by seat and digest.
pub struct Ordering {
    history: Box<[[i32; PLACES]; 2]>,
    replies: Box<[[u16; PLACES]; 2]>,
    killers: Vec<[u16; 2]>,
}

/// What is known about the actions of a node before it is searched.
#[derive(Clone, Copy)]
pub struct Guess {
    seat: Seat,
    hint: u16,
    killers: [u16; 2],
    reply: u16,
}

impl Ordering {
    pub fn new() -> Self {
        Self { history: Box::new([[0; PLACES]; 2]), replies: Box::new([[0; PLACES]; 2]), killers: Vec::new() }
    }

    /// For a node of `seat`, `ply` actions from the root, reached by the action `previous` (0: none).
    pub fn guess(&self, seat: Seat, ply: usize, previous: u16, hint: u16) -> Guess {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        Guess { seat, hint, killers, reply: self.replies[seat][place(previous)] }
    }

    /// The rank of an action; larger ranks are tried first.
    pub fn rank(&self, guess: &Guess, digest: u16, prior: i32) -> i32 {
        if digest == guess.hint {
            HINTED
        } else if let Some(index) = guess.killers.iter().position(|&killer| killer == digest) {
            KILLER - index as i32
        } else if digest == guess.reply {
            REPLY
        } else {
            prior + self.history[guess.seat][place(digest)]
        }
    }

    /// Learns that the action `digest` refuted the position after `previous`, and that those `tried` before it did not.
    pub fn refuted(
        &mut self,
        seat: Seat,
        ply: usize,
        depth: i32,
        previous: u16,
        digest: u16,
        tried: impl Iterator<Item = u16>,
    ) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [0; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != digest {
            *killers = [digest, killers[0]];
        }
        self.replies[seat][place(previous)] = digest;
        let bonus = (16 * depth * depth).min(MOST / 4);
        self.learn(seat, digest, bonus);
        for other in tried {
            self.learn(seat, other, -bonus);
        }
    }

    /// Moves a history value towards ±[`MOST`], more slowly the closer it is.
    fn learn(&mut self, seat: Seat, digest: u16, bonus: i32) {
        let number = &mut self.history[seat][place(digest)];
        *number += bonus - *number * bonus.abs() / MOST;
    }

    /// Called when the root moves: halves what was learnt and clears the killers, which belong to other plies.
    pub fn fade(&mut self) {
        self.killers.clear();
        for number in self.history.iter_mut().flatten() {
            *number /= 2;
        }
    }

    pub const fn bytes() -> usize {
        2 * PLACES * (size_of::<i32>() + size_of::<u16>())
    }
}

fn place(digest: u16) -> usize {
    usize::from(digest) % PLACES
}
