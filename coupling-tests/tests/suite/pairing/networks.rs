//! Random networks of linear sides, each by a rule of its own: three or four in a loop, or two. Nothing grows in 1e4 steps.

use std::fmt::Write as _;

use coupling_tests::Run;
use coupling_tests::matrix::cover::Draw;
use nalgebra::{DMatrix, DVector};

use super::{CAPTURING, FIRST_ORDER, SECOND_ORDER, Values, largest_early_and_late};

const STEP: f64 = 1e-2;

/// A side without damping, with the mass and stiffness matrices that it has.
struct Side {
    name: String,
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
}

impl Side {
    /// Two to four coordinates, masses of 1e-3 to 1e3 kg, ωh to 30, some coordinates free.
    fn random(name: String, draw: &mut Draw) -> Self {
        let count = 2 + draw.below(3);
        let mut normal = || (0..12).map(|_| draw.uniform()).sum::<f64>() - 6.0;
        let factor = DMatrix::from_fn(count, count, |_, _| normal());
        let turn = DMatrix::from_fn(count, count, |_, _| normal()).qr().q();
        let scale = 10_f64.powf(6.0 * draw.uniform() - 3.0);
        let mass: DMatrix<f64> =
            (&factor * factor.transpose() + 0.2 * DMatrix::identity(count, count)) * scale;
        let free = draw.below(count);
        let squares = DVector::from_fn(count, |i, _| {
            let frequency = 10_f64.powf(3.5 * draw.uniform() - 2.0) / STEP;
            if i > free { 0.0 } else { frequency * frequency }
        });
        let lower = mass.clone().cholesky().map_or_else(|| mass.clone(), |c| c.l());
        let modes = &lower * turn;
        let stiffness: DMatrix<f64> = &modes * DMatrix::from_diagonal(&squares) * modes.transpose();
        let symmetric = (&stiffness + stiffness.transpose()) * 0.5;
        Self { name, mass, stiffness: symmetric }
    }

    fn text(&self, draw: &mut Draw, rules: &[&str]) -> String {
        let count = self.mass.nrows();
        let solver = rules[draw.below(rules.len())];
        let list = |f: &mut dyn FnMut(usize) -> f64| {
            (0..count).map(|i| format!("{:e}", f(i))).collect::<Vec<_>>().join(", ")
        };
        let matrix = |m: &DMatrix<f64>| {
            (0..count).map(|i| format!("[{}]", list(&mut |j| m[(i, j)]))).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!(
            "[[subsystem]]\nname = \"{}\"\nkind = \"linear\"\nsolver = {solver}\nmass = [{}]\nstiffness = [{}]\nvelocity = [{}]\n",
            self.name,
            matrix(&self.mass),
            matrix(&self.stiffness),
            list(&mut |_| 2.0 * draw.uniform() - 1.0)
        );
        for port in ["first", "second"] {
            let row = list(&mut |_| 2.0 * draw.uniform() - 1.0);
            let _ = write!(text, "[[subsystem.port]]\nname = \"{port}\"\nrows = [[{row}]]\n");
        }
        text
    }

    /// Energy (J).
    fn energy(&self, values: &Values<'_>) -> f64 {
        let count = self.mass.nrows();
        let vector =
            |prefix: &str| DVector::from_fn(count, |i, _| values.get(&format!("{}.{prefix}q{i}", self.name)));
        let (q, v) = (vector(""), vector("v_"));
        0.5 * (v.dot(&(&self.mass * &v)) + q.dot(&(&self.stiffness * &q)))
    }
}

/// A loop of so many sides by some of these rules, or a pair; its text, its sides, and what a Tikhonov joint gives way (m/N).
fn network(seed: u64, count: usize, has_tikhonov: bool, rules: &[&str]) -> (String, Vec<Side>) {
    let mut draw = Draw::new(seed);
    let sides: Vec<Side> = (0..count).map(|i| Side::random(format!("s{i}"), &mut draw)).collect();
    let mut text = format!(
        "schema = 1\ntime = {{ end = 100.0, step = {STEP:e} }}\nmaster = {{ initial_state = \"project\", energy_action = \"none\" }}\n"
    );
    sides.iter().for_each(|side| text += &side.text(&mut draw, rules));
    let joints = if count == 2 { 1 } else { count };
    for i in 0..joints {
        let other = (i + 1) % count;
        let mass = sides[i].mass[(0, 0)].min(sides[other].mass[(0, 0)]);
        let law = if has_tikhonov {
            format!(
                "law = \"tikhonov\"\nconstant = {:e}",
                STEP * STEP / mass * 10_f64.powf(3.0 * draw.uniform() - 2.0)
            )
        } else {
            "law = \"rigid\"".to_owned()
        };
        let _ = write!(
            text,
            "[[interface]]\nname = \"j{i}\"\nbetween = [\"s{i}.second\", \"s{other}.first\"]\n{law}\n"
        );
    }
    (text, sides)
}

/// What grows by 1e-6 a step is 1 % more after 1e4.
fn assert_nothing_grows(seeds: std::ops::Range<u64>, count: usize, has_tikhonov: bool) {
    let rules: Vec<&str> = SECOND_ORDER.iter().chain(&FIRST_ORDER).copied().collect();
    assert_nothing_grows_by(&rules, seeds, count, has_tikhonov);
}

fn assert_nothing_grows_by(rules: &[&str], seeds: std::ops::Range<u64>, count: usize, has_tikhonov: bool) {
    let mut grown = Vec::new();
    for seed in seeds {
        let (text, sides) = network(seed, count, has_tikhonov, rules);
        let model = Run::text(&text, &[]);
        let energy = |values: &Values<'_>| sides.iter().map(|side| side.energy(values)).sum();
        let [early, late] = largest_early_and_late(&model, 10_000, &energy);
        if !(late <= 1.02 * early) {
            grown.push(format!("{count} sides, seed {seed}: {early:e} J, then {late:e} J"));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}

#[test]
fn pairs_do_not_grow() {
    assert_nothing_grows(0..60, 2, false);
    assert_nothing_grows(60..80, 2, true);
}

#[test]
fn loops_of_three_and_four_do_not_grow() {
    assert_nothing_grows(100..125, 3, false);
    assert_nothing_grows(200..220, 4, false);
    assert_nothing_grows(300..310, 3, true);
    assert_nothing_grows(400..410, 4, true);
}

/// Half of the sides capture impacts, which here are none.
#[test]
fn sides_that_capture_impacts_do_not_grow() {
    let rules: Vec<&str> = SECOND_ORDER.iter().chain(&FIRST_ORDER).chain(&CAPTURING).copied().collect();
    assert_nothing_grows_by(&rules, 500..525, 2, false);
    assert_nothing_grows_by(&CAPTURING, 525..540, 2, false);
    assert_nothing_grows_by(&rules, 600..610, 2, true);
    assert_nothing_grows_by(&rules, 700..712, 3, false);
    assert_nothing_grows_by(&rules, 800..806, 4, true);
}
