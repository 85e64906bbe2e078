//! Game types: the expansions in use.

use super::bug::{Bug, Pieces};

/// The game types in their canonical spelling, the default first.
pub const TYPES: [&str; 8] = ["Base+MLP", "Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP"];

/// The canonical spelling of a game type; accepts its expansions in any order and either case.
#[must_use]
pub fn canonical(text: &str) -> Option<&'static str> {
    let wanted = expansions(text)?;
    TYPES.into_iter().find(|name| expansions(name) == Some(wanted))
}

/// The pieces of a game type, for both seats; `None` for an unknown one.
#[must_use]
pub fn pieces(name: &str) -> Pieces {
    let Some(wanted) = expansions(name) else { return Pieces::NONE };
    let optional = [Bug::Mosquito, Bug::Ladybug, Bug::Pillbug];
    let bugs = Bug::ALL.into_iter().filter(|bug| match optional.iter().position(|other| other == bug) {
        Some(index) => wanted[index],
        None => true,
    });
    bugs.fold(Pieces::NONE, |all, bug| all.or(bug.pieces(0)).or(bug.pieces(1)))
}

/// Whether Mosquito, Ladybug and Pillbug are in use.
fn expansions(text: &str) -> Option<[bool; 3]> {
    let text = text.trim().to_ascii_uppercase();
    let letters = match text.split_once('+') {
        None => "",
        Some((_, "")) => return None,
        Some((_, letters)) => letters,
    };
    if text.split('+').next() != Some("BASE") {
        return None;
    }
    let mut wanted = [false; 3];
    for letter in letters.chars() {
        let index = ['M', 'L', 'P'].iter().position(|other| *other == letter)?;
        if std::mem::replace(&mut wanted[index], true) {
            return None;
        }
    }
    Some(wanted)
}
