//! The description of the game in `GET /api/rules`.

use serde_json::{Value, json};

/// Variants, seats, notation and notes. Samples are descents of a graph search.
#[must_use]
pub fn about() -> Value {
    json!({
        "title": "PyRat",
        "sentence": "A rat and a python race for cheese through a maze, and move at the same time.",
        "seats": ["Rat", "Python"],
        "simultaneous": true,
        "variants": {
            "medium": "A symmetric maze of 21x15 cells with 41 pieces of cheese.",
            "tiny": "A symmetric maze of 11x9 cells with 13 pieces of cheese.",
            "small": "A symmetric maze of 15x13 cells with 21 pieces of cheese.",
            "large": "A symmetric maze of 31x21 cells with 85 pieces of cheese.",
            "huge": "A symmetric maze of 41x31 cells with 165 pieces of cheese.",
            "open": "As medium, without walls and mud.",
            "asymmetric": "As medium, but neither maze nor cheese is symmetric.",
        },
        "samples": {
            "evaluation": 2000,
            "beginner": 16, "novice": 20, "easy": 30, "medium": 100, "hard": 300, "strong": 4000
        },
        "noise": {"beginner": 1, "novice": 0.205, "easy": 0.1675, "medium": 0.15, "hard": 0.1},
        "reasons": {
            "majority": "by collecting more than half of the cheese",
            "cheese": "by points",
            "ply-limit": "by points at the limit of turns",
        },
        "lateMove": "STAY",
        "obstacle": "There is a wall in the way.",
        "notation": "UP, RIGHT, DOWN, LEFT or STAY; a turn of both players is written UP/LEFT. \
                     Cells are x,y from 0,0 at the bottom left.",
        "notes": [
            "Both players move at the same time, without knowing the other's move.",
            "A player collects the cheese of the cell where its turn ends; two players on the cell get half a point each.",
            "Mud holds a player for as many turns as its number says, after the step into it.",
            "A step into a wall is the same as STAY.",
            "The game ends when a player has more than half of the cheese, when no cheese is left, or at the limit of \
             turns.",
        ],
    })
}
