//! What `GET /api/rules` says about the game.

use serde_json::{Map, Value, json};

use super::catalogue::{Segment, TileType};
use super::tile_set::{TileSet, VARIANTS};

/// Variants, tiles, notation and notes.
#[must_use]
pub fn about() -> Value {
    json!({
        "title": "Carcassonne",
        "sentence": "Lay tiles of cities, roads and fields, and claim them with your meeples. For two to five players.",
        "variantTitles": {"meeple_compat": "Tiles of meeple_cat"},
        "variants": {
            "standard": "The base game with its 72 tiles.",
            "meeple_compat": "With the tile list of the program meeple_cat, whose games it can replay.",
        },
        "reasons": {"points": "by points"},
        "samples": {
            "evaluation": 2000,
            "beginner": 8, "novice": 16, "easy": 40, "medium": 120, "hard": 500, "strong": 4000
        },
        "noise": {"beginner": 0.44, "novice": 0.28, "easy": 0.19, "medium": 0.08, "hard": 0.05},
        "notation": "x,y,rotation places the tile, turned clockwise by 0, 90, 180 or 270 degrees, with the start tile \
                     on 0,0 and y growing to the north; a meeple follows as a spot: 0,1,180 city_S. In records, -C was \
                     discarded for lack of a place and +B was drawn.",
        "notes": [
            "A turn places the drawn tile beside another one, so that all edges match, and may put a meeple on it.",
            "A meeple may be put only on a feature that has none.",
            "Complete cities score 2 points a tile and pennant, roads 1 a tile, monasteries 9.",
            "At the end, incomplete ones score 1 point a tile and pennant, and each field 3 for every complete city \
             that it borders.",
            "The seats with the most meeples on a feature all get its points.",
            "A tile without a place leaves the game, and the same player draws again.",
        ],
        "tiles": VARIANTS.map(|variant| (variant.to_string(), tiles(variant))).into_iter().collect::<Map<_, _>>(),
    })
}

/// The tiles of a variant, unturned.
fn tiles(variant: &str) -> Value {
    let set = TileSet::of(variant);
    let row = |tile_type: &TileType| {
        let segments: Vec<Value> = tile_type.segments.iter().map(segment).collect();
        json!({
            "tile": tile_type.letter.to_string(),
            "count": tile_type.count,
            "edges": tile_type.edges,
            "segments": segments,
        })
    };
    set.types().iter().map(row).collect()
}

fn segment(segment: &Segment) -> Value {
    let mut members = Map::new();
    members.insert("kind".into(), segment.kind.name().into());
    if !segment.name.is_empty() {
        members.insert("name".into(), segment.name.into());
        members.insert("touches".into(), segment.touches.into());
    }
    if !segment.borders.is_empty() {
        members.insert("borders".into(), segment.borders.into());
    }
    if segment.pennant {
        members.insert("pennant".into(), true.into());
    }
    members.into()
}
