//! Visits, values and counts of whole searches on a race, which other implementations of the algorithm agree on.

use _core::evaluator::{Evaluator, Zero};
use _core::search::SelfEvaluating;
use _core::search::mcgs::Mcgs;
use _core::search::mcgs::options::Options;
use serde_json::{Value, json};

use super::race::{Nearness, Race, Share, State};

/// The numbers after `k` descents; what is not known is left out.
#[derive(Default)]
struct Row {
    k: u32,
    value: Option<[f64; 2]>,
    /// By rows, as in `2 0 0/0 1 0/0 0 1`.
    visits: &'static str,
    /// Means of the outcomes of both seats; NaN without visits.
    means: Option<[[f64; 3]; 2]>,
    nodes: Option<usize>,
    evaluations: Option<u64>,
    hits: Option<u64>,
}

fn row(k: u32, value: [f64; 2], visits: &'static str) -> Row {
    Row { k, value: Some(value), visits, ..Row::default() }
}

impl Row {
    fn means(self, first: [f64; 3], second: [f64; 3]) -> Self {
        Self { means: Some([first, second]), ..self }
    }

    fn nodes(self, nodes: usize) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    fn evaluations(self, evaluations: u64) -> Self {
        Self { evaluations: Some(evaluations), ..self }
    }

    fn hits(self, hits: u64) -> Self {
        Self { hits: Some(hits), ..self }
    }

    fn check(&self, search: &Mcgs<Race>) {
        let (k, root) = (self.k, search.root_statistics());
        let columns = root.actions[1].len();
        let text = |row: &[u32]| row.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let visits: Vec<String> = root.visits.chunks(columns).map(text).collect();
        assert_eq!(visits.join("/"), self.visits, "visits after {k}");
        let close = |found: f64, wanted: f64| (found - wanted).abs() < 1e-6;
        for (found, wanted) in root.value.iter().zip(self.value.iter().flatten()) {
            assert!(close(*found, *wanted), "value {:?} after {k}", root.value);
        }
        for (found, wanted) in root.means.iter().zip(self.means.iter().flatten()) {
            for (found, wanted) in found.iter().zip(wanted) {
                let same = found.map_or(wanted.is_nan(), |found| close(found, *wanted));
                assert!(same, "means {:?} after {k}", root.means);
            }
        }
        assert!(self.nodes.is_none_or(|nodes| nodes == search.graph().size()), "{} nodes", search.graph().size());
        assert!(self.evaluations.is_none_or(|count| count == root.evaluations), "{} evaluated", root.evaluations);
        assert!(self.hits.is_none_or(|hits| hits == root.hits), "{} hits after {k}", root.hits);
    }
}

fn check(
    (race, start): (Race, State),
    evaluator: impl Evaluator<Race> + Copy + 'static,
    options: &Value,
    rows: &[Row],
) {
    let mut search = race.search(start, evaluator, Options::read(options).unwrap());
    let mut done = 0;
    for row in rows {
        search.run(row.k - done);
        done = row.k;
        row.check(&search);
    }
}

const NONE: f64 = f64::NAN;

#[test]
fn halves_of_what_remains() {
    let rows = [
        row(2, [1.5, 1.5], "1 0 0/0 0 0/0 0 0").means([1.5, NONE, NONE], [1.5, NONE, NONE]).nodes(2).hits(0),
        row(3, [1.5, 1.5], "1 0 0/0 1 0/0 0 0").means([1.5, 1.5, NONE], [1.5, 1.5, NONE]).nodes(3).hits(0),
        row(4, [1.5, 1.5], "1 0 0/0 1 0/0 0 1").means([1.5; 3], [1.5; 3]).nodes(4).hits(0),
        row(5, [1.6, 1.4], "2 0 0/0 1 0/0 0 1").means([1.75, 1.5, 1.5], [1.25, 1.5, 1.5]).nodes(5).hits(0),
        row(6, [1.666_667, 1.333_333], "2 0 0/0 2 0/0 0 1").means([1.75, 1.75, 1.5], [1.25, 1.25, 1.5]).nodes(6),
        row(7, [1.642_857, 1.357_143], "2 0 0/0 2 0/0 0 2").means([1.75, 1.75, 1.5], [1.25, 1.25, 1.5]).nodes(7),
        row(8, [1.625, 1.375], "2 0 1/0 2 0/0 0 2").means([1.666_667, 1.75, 1.5], [1.25, 1.25, 1.5]).nodes(8),
        row(10, [1.6, 1.4], "2 0 1/1 2 0/0 1 2")
            .means([1.666_667, 1.666_667, 1.5], [1.333_333, 1.333_333, 1.5])
            .nodes(10)
            .evaluations(10)
            .hits(0),
        row(16, [1.625, 1.375], "3 1 2/2 2 1/0 2 2")
            .means([1.666_667, 1.7, 1.5], [1.3, 1.4, 1.4])
            .nodes(16)
            .evaluations(16)
            .hits(1),
        row(32, [1.5625, 1.4375], "6 2 4/3 6 2/1 4 3")
            .means([1.645_833, 1.613_636, 1.375], [1.425, 1.520_833, 1.333_333])
            .nodes(32)
            .evaluations(32)
            .hits(5),
        row(64, [1.544_271, 1.455_729], "10 6 7/8 12 3/6 6 5")
            .means([1.597_826, 1.579_710, 1.426_471], [1.524_306, 1.524_306, 1.233_333])
            .nodes(64)
            .evaluations(64)
            .hits(19),
        row(128, [1.519_95, 1.480_05], "22 15 10/19 18 11/9 14 9")
            .means([1.564_978, 1.554_125, 1.403_175], [1.546_667, 1.511_322, 1.319_365])
            .nodes(128)
            .evaluations(128)
            .hits(53),
        row(512, [1.458_583, 1.445_526], "83 79 47/76 87 35/37 45 22")
            .means([1.493_894, 1.487_512, 1.332_146], [1.472_678, 1.483_682, 1.316_42])
            .nodes(502)
            .evaluations(447)
            .hits(343),
    ];
    check(Race::diagonal(6), Share, &json!({"ties": "index", "utility": "own"}), &rows);
}

#[test]
fn the_same_as_a_tree() {
    let rows = [
        row(64, [1.507_812, 1.492_188], "11 6 8/7 12 4/6 6 3").nodes(64).hits(0),
        row(256, [1.531_25, 1.468_75], "42 37 23/33 42 20/21 28 9").hits(0),
    ];
    check(Race::diagonal(6), Share, &json!({"ties": "index", "utility": "own", "table": false}), &rows);
}

#[test]
fn graph_and_tree_agree_until_a_shared_node_counts() {
    let visits = |k: u32, table: bool| {
        let (race, start) = Race::diagonal(6);
        let options = Options::read(&json!({"ties": "index", "utility": "own", "table": table})).unwrap();
        let mut search = race.search(start, Share, options);
        search.run(k);
        let root = search.root_statistics();
        (root.visits, root.value)
    };
    assert!((1..30).all(|k| visits(k, true) == visits(k, false)));
    assert_ne!(visits(30, true), visits(30, false));
}

#[test]
fn the_same_with_short_circuits() {
    let rows = [row(64, [1.519_531, 1.480_469], "8 10 6/11 7 5/4 8 4").nodes(61)];
    check(Race::diagonal(6), Share, &json!({"ties": "index", "utility": "own", "short_circuit": true}), &rows);
}

#[test]
fn the_first_published_profile() {
    let rows = [
        row(5, [0.2, 0.0], "2 0 0/0 1 0/0 0 1"),
        row(8, [0.125, 0.0], "2 1 1/1 1 0/0 0 1"),
        row(16, [0.343_75, 0.281_25], "8 1 2/1 1 0/0 1 1"),
    ];
    check(Race::diagonal(6), Zero, &json!({"profile": "seed"}), &rows);
}

#[test]
fn nothing_expected() {
    let rows = [
        row(10, [0.3, 0.0], "2 2 0/0 1 2/1 0 1").nodes(10).hits(1),
        row(32, [0.453_125, 0.296_875], "5 4 4/6 3 2/4 2 1"),
        row(512, [0.867_872, 1.010_22], "64 34 15/42 285 16/23 26 6").nodes(380).evaluations(332).hits(227),
    ];
    check(Race::diagonal(6), Zero, &json!({"ties": "index", "utility": "own"}), &rows);
}

#[test]
fn walls_mud_and_unequal_priors() {
    let (mut race, start) = Race::diagonal(8);
    race.walls = vec![((0, 0), (1, 0))];
    race.mud = vec![((2, 2), (2, 1), 2)];
    let rows = [
        Row { k: 2, visits: "0 0 0/0 0 1", ..Row::default() },
        row(4, [1.425, 1.575], "0 0 0/0 1 2"),
        row(8, [1.3125, 1.6875], "0 0 0/2 3 2"),
        row(16, [1.3625, 1.6375], "1 1 2/3 5 3"),
        row(32, [1.268_527, 1.731_473], "2 4 4/5 11 5").hits(5),
        row(64, [1.192_635, 1.802_532], "6 7 6/10 22 12").nodes(64).evaluations(63).hits(22),
        row(128, [1.297_773, 1.671_49], "15 32 20/13 29 18").nodes(126).evaluations(121),
        Row { k: 512, visits: "65 239 99/20 55 33", ..Row::default() },
        row(8192, [1.397_833, 1.418_286], "183 7238 276/26 427 41").nodes(951).evaluations(726),
    ];
    let options = json!({"ties": "index", "utility": "own", "c_puct": 1.0, "fpu_offset": 0.25});
    check((race, start), Nearness, &options, &rows);
}
