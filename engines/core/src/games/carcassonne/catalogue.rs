//! The tiles in the box, as tables that a player can check against it. Everything else is derived from them
//! ([`super::tile_set`]).
//!
//! A row has the letter printed in the rules, how many such tiles there are, the four edges in the order N, E, S, W
//! (C city, R road, F field) and the tile's segments, all unturned. `N` is a whole edge, `N:W` the western half of the
//! northern edge: a road divides its edge into two halves that belong to fields.

/// What a segment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Part of a city.
    City,
    /// Part of a road.
    Road,
    /// A monastery.
    Monastery,
    /// Part of a field.
    Field,
}

/// A part of a tile that a meeple can stand on.
#[derive(Debug, Clone, Copy)]
pub struct Segment {
    /// What it is.
    pub kind: Kind,
    /// The edges in its name, in the order N, E, S, W; empty for a monastery.
    pub name: &'static str,
    /// Edges (cities, roads) or edges and half edges (fields) that it touches.
    pub touches: &'static str,
    /// The names of the cities that a field borders.
    pub borders: &'static str,
    /// Whether a city has a pennant.
    pub pennant: bool,
    /// Whether it is one feature with the segment before it although nothing on the tile's border shows that.
    pub joined: bool,
}

/// One row: tiles that look the same.
#[derive(Debug, Clone, Copy)]
pub struct TileType {
    /// The letter of the rules.
    pub letter: char,
    /// How many there are, the start tile included.
    pub count: u8,
    /// The edges N, E, S, W.
    pub edges: &'static str,
    /// The segments in the order in which they are offered.
    pub segments: &'static [Segment],
}

/// The letter of the start tile.
pub const START: char = 'D';

const NOTHING: Segment =
    Segment { kind: Kind::Monastery, name: "", touches: "", borders: "", pennant: false, joined: false };

const fn monastery() -> Segment {
    NOTHING
}

const fn city(edges: &'static str) -> Segment {
    Segment { kind: Kind::City, name: edges, touches: edges, ..NOTHING }
}

const fn pennant(edges: &'static str) -> Segment {
    Segment { pennant: true, ..city(edges) }
}

const fn road(edges: &'static str) -> Segment {
    Segment { kind: Kind::Road, name: edges, touches: edges, ..NOTHING }
}

const fn field(name: &'static str, touches: &'static str, borders: &'static str) -> Segment {
    Segment { kind: Kind::Field, name, touches, borders, ..NOTHING }
}

const fn same_field(name: &'static str, touches: &'static str) -> Segment {
    Segment { joined: true, ..field(name, touches, "") }
}

const fn tile(letter: char, count: u8, edges: &'static str, segments: &'static [Segment]) -> TileType {
    TileType { letter, count, edges, segments }
}

/// The base game.
pub const STANDARD: [TileType; 24] = [
    tile('A', 2, "FFRF", &[monastery(), road("S"), field("NEW", "N E W S:E S:W", "")]),
    tile('B', 4, "FFFF", &[monastery(), field("NESW", "N E S W", "")]),
    tile('C', 1, "CCCC", &[pennant("NESW")]),
    tile('D', 4, "CRFR", &[city("N"), road("EW"), field("N", "E:N W:N", "N"), field("S", "S E:S W:S", "")]),
    tile('E', 5, "CFFF", &[city("N"), field("ESW", "E S W", "N")]),
    tile('F', 2, "FCFC", &[pennant("EW"), field("N", "N", "EW"), field("S", "S", "EW")]),
    tile('G', 1, "CFCF", &[city("NS"), field("E", "E", "NS"), field("W", "W", "NS")]),
    tile('H', 3, "CFCF", &[city("N"), city("S"), field("EW", "E W", "N S")]),
    tile('I', 2, "CFFC", &[city("N"), city("W"), field("ES", "E S", "N W")]),
    tile('J', 3, "CRRF", &[city("N"), road("ES"), field("W", "W E:N S:W", "N"), field("ES", "E:S S:E", "")]),
    tile('K', 3, "CFRR", &[city("N"), road("SW"), field("E", "E S:E W:N", "N"), field("SW", "S:W W:S", "")]),
    tile(
        'L',
        3,
        "CRRR",
        &[
            city("N"),
            road("E"),
            road("S"),
            road("W"),
            field("N", "E:N W:N", "N"),
            field("ES", "E:S S:E", ""),
            field("SW", "S:W W:S", ""),
        ],
    ),
    tile('M', 2, "CFFC", &[pennant("NW"), field("ES", "E S", "NW")]),
    tile('N', 3, "CFFC", &[city("NW"), field("ES", "E S", "NW")]),
    tile('O', 2, "CRRC", &[pennant("NW"), road("ES"), field("NE", "E:N S:W", "NW"), field("ES", "E:S S:E", "")]),
    tile('P', 3, "CRRC", &[city("NW"), road("ES"), field("NE", "E:N S:W", "NW"), field("ES", "E:S S:E", "")]),
    tile('Q', 1, "CCFC", &[pennant("NEW"), field("S", "S", "NEW")]),
    tile('R', 3, "CCFC", &[city("NEW"), field("S", "S", "NEW")]),
    tile('S', 2, "CCRC", &[pennant("NEW"), road("S"), field("SW", "S:W", "NEW"), field("ES", "S:E", "NEW")]),
    tile('T', 1, "CCRC", &[city("NEW"), road("S"), field("SW", "S:W", "NEW"), field("ES", "S:E", "NEW")]),
    tile('U', 8, "RFRF", &[road("NS"), field("E", "E N:E S:E", ""), field("W", "W N:W S:W", "")]),
    tile('V', 9, "FFRR", &[road("SW"), field("NE", "N E S:E W:N", ""), field("SW", "S:W W:S", "")]),
    tile(
        'W',
        4,
        "RFRR",
        &[
            road("N"),
            road("S"),
            road("W"),
            field("NE", "E N:E S:E", ""),
            field("NW", "N:W W:N", ""),
            field("SW", "S:W W:S", ""),
        ],
    ),
    tile(
        'X',
        1,
        "RRRR",
        &[
            road("N"),
            road("E"),
            road("S"),
            road("W"),
            field("NE", "N:E E:N", ""),
            field("ES", "E:S S:E", ""),
            field("SW", "S:W W:S", ""),
            field("NW", "W:N N:W", ""),
        ],
    ),
];

/// The rows in which the catalogue of the program meeple_cat differs. Its recorded games need them.
///
/// D, J and K: the field behind the road borders the city too. H: the field is two. L: so is the one below the city.
/// Q to S: other counts, and the letters R and S change places. W: the wide field has two names.
pub const MEEPLE_COMPAT: [TileType; 9] = [
    tile('D', 4, "CRFR", &[city("N"), road("EW"), field("N", "E:N W:N", "N"), field("S", "S E:S W:S", "N")]),
    tile('H', 3, "CFCF", &[city("N"), city("S"), field("E", "E", "N S"), field("W", "W", "N S")]),
    tile('J', 3, "CRRF", &[city("N"), road("ES"), field("W", "W E:N S:W", "N"), field("ES", "E:S S:E", "N")]),
    tile('K', 3, "CFRR", &[city("N"), road("SW"), field("E", "E S:E W:N", "N"), field("SW", "S:W W:S", "N")]),
    tile(
        'L',
        3,
        "CRRR",
        &[
            city("N"),
            road("E"),
            road("S"),
            road("W"),
            field("NE", "E:N", "N"),
            field("NW", "W:N", "N"),
            field("ES", "E:S S:E", ""),
            field("SW", "S:W W:S", ""),
        ],
    ),
    tile('Q', 2, "CCFC", &[pennant("NEW"), field("S", "S", "NEW")]),
    tile('R', 2, "CCRC", &[pennant("NEW"), road("S"), field("SW", "S:W", "NEW"), field("ES", "S:E", "NEW")]),
    tile('S', 2, "CCFC", &[city("NEW"), field("S", "S", "NEW")]),
    tile(
        'W',
        4,
        "RFRR",
        &[
            road("N"),
            road("S"),
            road("W"),
            field("NE", "E N:E", ""),
            same_field("ES", "S:E"),
            field("NW", "N:W W:N", ""),
            field("SW", "S:W W:S", ""),
        ],
    ),
];
