//! Actions as numbers, for environments: which ones a seat may choose, and what each one is.
//!
//! They are the entries of the policy vector, and a few more where networks have none (see
//! [`Planes::flat_actions`](crate::planes::Planes::flat_actions)).

use crate::moves;
use crate::planes::{Planes, Signature};
use crate::rules::{RuleError, Rules, Seat};

/// The planes of a game and the shapes in which they are wanted.
pub struct Flat<'r, R: Rules> {
    rules: &'r R,
    planes: &'r dyn Planes<R>,
    signature: Signature,
}

impl<'r, R: Rules> Flat<'r, R> {
    /// With planes of the board's own size, or of another one.
    ///
    /// # Errors
    /// `BadConfig` if the game or its variant has no planes, or none of this size.
    pub fn new(rules: &'r R, size: Option<usize>) -> Result<Self, RuleError> {
        let planes = rules.planes().ok_or_else(|| RuleError::BadConfig("this game has no planes".into()))?;
        let signature = match size {
            None => planes.layout().signature,
            Some(size) => planes.windowed(size).map_err(RuleError::BadConfig)?,
        };
        planes.fits(&signature).map_err(RuleError::BadConfig)?;
        Ok(Self { rules, planes, signature })
    }

    /// With shapes that were found before; `None` if the game has no planes.
    #[must_use]
    pub fn known(rules: &'r R, signature: Signature) -> Option<Self> {
        Some(Self { rules, planes: rules.planes()?, signature })
    }

    /// The shapes of the planes.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// How many flat actions a seat has.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.planes.flat_actions(&self.signature)
    }

    /// Writes what a seat sees of a state into a row.
    pub fn fill(&self, state: &R::State, seat: Seat, row: &mut [f32]) {
        self.planes.fill(state, seat, &self.signature, row);
    }

    /// The same for several seats, one row after the other.
    pub fn fill_seats(&self, state: &R::State, seats: &[Seat], rows: &mut [f32]) {
        self.planes.fill_seats(state, seats, &self.signature, rows);
    }

    /// Lists the actions of a seat with their numbers, each number once. Empty exactly when the seat does not act.
    pub fn list(&self, state: &R::State, seat: Seat, legal: &mut Vec<R::Action>, out: &mut Vec<(u32, R::Action)>) {
        legal.clear();
        out.clear();
        self.rules.legal(state, seat, legal);
        if legal.is_empty() {
            return;
        }
        legal.extend(self.rules.end_early(state).filter(|early| !legal.contains(early)));
        let indices = self.planes.flat_indices(state, &self.signature, seat, legal);
        let known = indices.into_iter().zip(legal.iter());
        out.extend(known.filter_map(|(index, action)| Some((index? as u32, *action))));
        self.drop_repeated(out);
    }

    /// The action of this number among those listed for a seat, or what it stands for otherwise; `None` if it is illegal.
    #[must_use]
    pub fn find(&self, listed: &[(u32, R::Action)], number: i64) -> Option<R::Action> {
        let found = listed.iter().find(|(index, _)| i64::from(*index) == number);
        let attempt = || self.planes.flat_attempt(usize::try_from(number).ok()?).filter(|_| !listed.is_empty());
        found.map(|(_, action)| *action).or_else(attempt)
    }

    /// Keeps the first action of each number, in the order of the rules.
    fn drop_repeated(&self, out: &mut Vec<(u32, R::Action)>) {
        if self.planes.has_edge(&self.signature) {
            let mut seen = std::collections::HashSet::with_capacity(out.len());
            out.retain(|(index, _)| seen.insert(*index));
        }
    }

    /// The numbers of the actions that may follow the staged beginning of a move of `seat`.
    ///
    /// # Errors
    /// `BadNotation` or `IllegalMove` if `staged` is not a legal beginning.
    pub fn legal(&self, state: &R::State, seat: Seat, staged: &str) -> Result<Vec<u32>, RuleError> {
        let (_, after) = moves::stage(self.rules, state, seat, staged)?;
        Ok(self.listed(&after, seat).into_iter().map(|(index, _)| index).collect())
    }

    /// The text of the staged beginning of a move with one more action, and whether the move is whole then.
    ///
    /// # Errors
    /// `IllegalMove` if the action is not legal, and as [`Self::legal`].
    pub fn text(
        &self,
        state: &R::State,
        seat: Seat,
        staged: &str,
        index: u32,
    ) -> Result<(String, bool), RuleError> {
        let (mut actions, mut after) = moves::stage(self.rules, state, seat, staged)?;
        let Some(action) = self.find(&self.listed(&after, seat), index.into()) else {
            return Err(RuleError::IllegalMove(format!("action {index} is not legal here")));
        };
        actions.push(action);
        let text = self.rules.write(state, seat, &actions);
        if self.rules.acting(&after).len() > 1 {
            return Ok((text, true));
        }
        self.rules.play_unchecked(&mut after, &[action]);
        Ok((text, self.rules.at_rest(&after)))
    }

    /// The numbers of the actions of a whole move, in order.
    ///
    /// # Errors
    /// `BadNotation` or `IllegalMove` if the move is not legal; `IllegalMove` also if an action has no number, or shares
    /// one with an earlier action at the edge of the planes.
    pub fn indices(&self, state: &R::State, seat: Seat, text: &str) -> Result<Vec<u32>, RuleError> {
        let actions = moves::complete(self.rules, state, seat, text)?;
        let together = self.rules.acting(state).len() > 1;
        let mut after = state.clone();
        let mut indices = Vec::with_capacity(actions.len());
        for action in actions {
            let listed = self.listed(&after, seat).into_iter().find(|(_, listed)| *listed == action);
            let missing = || RuleError::IllegalMove(format!("{text} has no number among the flat actions"));
            indices.push(listed.ok_or_else(missing)?.0);
            if !together {
                self.rules.play_unchecked(&mut after, &[action]);
            }
        }
        Ok(indices)
    }

    /// What a seat sees. `staged` is the beginning of a move of the seat to act, possibly empty.
    ///
    /// # Errors
    /// As [`Self::legal`].
    pub fn observe(&self, state: &R::State, seat: Seat, staged: &str) -> Result<Vec<f32>, RuleError> {
        let mut row = vec![0.0; self.signature.input_len()];
        match self.rules.acting(state).first() {
            Some(mover) => self.fill(&moves::stage(self.rules, state, *mover, staged)?.1, seat, &mut row),
            None => self.fill(state, seat, &mut row),
        }
        Ok(row)
    }

    fn listed(&self, state: &R::State, seat: Seat) -> Vec<(u32, R::Action)> {
        let (mut legal, mut listed) = (Vec::new(), Vec::new());
        self.list(state, seat, &mut legal, &mut listed);
        listed
    }
}
