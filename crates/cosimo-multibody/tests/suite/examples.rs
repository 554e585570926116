//! The examples run, and print what they must.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]
#![allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "examples are programs of their own, which draw figures besides"
)]

#[path = "../../examples/andrews.rs"]
mod andrews;
#[path = "../../examples/double_pendulum.rs"]
mod double_pendulum;
#[path = "../../examples/four_bar.rs"]
mod four_bar;
#[path = "../../examples/gyroscope.rs"]
mod gyroscope;
#[path = "../../examples/slider_crank.rs"]
mod slider_crank;

/// The number after these words.
#[track_caller]
fn number(text: &str, words: &str) -> f64 {
    let (_, after) = text.split_once(words).unwrap_or_else(|| panic!("`{words}` is not in `{text}`"));
    after.split_whitespace().next().unwrap().parse().unwrap()
}

/// Against the value of Hairer and Wanner at 30 ms.
#[test]
fn andrews_mechanism_ends_where_the_literature_says() {
    let (found, curves) = andrews::run().unwrap();
    assert!(number(&found, "error ") < 1e-6, "{found}");
    assert!(curves.iter().all(|curve| curve.1.len() == 600));
}

/// Without friction the energy stays, and the tip within reach.
#[test]
fn double_pendulum_keeps_its_energy() {
    let (found, curves) = double_pendulum::run().unwrap();
    assert!(number(&found, "changed by ").abs() < 1e-5, "{found}");
    assert!(curves[0].1.iter().all(|(x, z)| x.hypot(*z) < 2.0));
}

/// Three redundant rows, and the height of the tip after 5 s by elliptic functions.
#[test]
fn four_bar_turns_as_the_reference_does() {
    let (found, curves) = four_bar::run().unwrap();
    assert_eq!(found.matches("is redundant").count(), 3, "{found}");
    assert!(number(&found, "parallel to ") < 1e-9, "{found}");
    let mut reader = csv::Reader::from_path("tests/reference/n_four_bar_1.csv").unwrap();
    let rows: Vec<Vec<f64>> = reader.deserialize().map(Result::unwrap).collect();
    let exact = rows.iter().find(|row| (row[0] - 5.0).abs() < 1e-9).unwrap()[2];
    let (time, height) = *curves[0].1.last().unwrap();
    assert!((time - 5.0).abs() < 1e-9 && (height - exact).abs() < 1e-3, "{height} for {exact} at {time} s");
}

/// Nutation of a top let go at rest with a level axis: period and azimuth of one cusp after the other, by quadrature of
/// `ẇ² = a w (1 − w²) − b² w²`, `φ̇ = b w/(1 − w²)` for the sine `w` of the dip, with `a = 2 m g l/A` and `b = J ω/A`.
fn nutation(a: f64, b: f64) -> [f64; 2] {
    let deepest = (-b * b + (b.powi(4) + 4.0 * a * a).sqrt()) / (2.0 * a);
    let count = 64;
    let step = std::f64::consts::FRAC_PI_2 / f64::from(count);
    (0..count).fold([0.0, 0.0], |[period, azimuth], k| {
        let w = deepest * (step * (f64::from(k) + 0.5)).sin().powi(2);
        // Down and up again.
        let time = 2.0 * 2.0 * step / (a * (deepest + w) + b * b).sqrt();
        [period + time, azimuth + time * b * w / (1.0 - w * w)]
    })
}

/// The disc of 0.1 m and 1 kg on an arm of 0.15 m spins at 200 rad/s.
#[test]
fn gyroscope_nods_and_goes_round_as_quadratures_say() {
    let (found, curves) = gyroscope::run().unwrap();
    let (along, across) = (0.5 * 0.01, 0.25 * 0.01 + 0.15 * 0.15);
    let [period, azimuth] = nutation(2.0 * 9.81 * 0.15 / across, along * 200.0 / across);
    // Of second order in what the disc turns in a step, 0.04 rad.
    let share = 0.04 * 0.04 / 4.0;
    for cusp in 1..=7 {
        let sample = (f64::from(cusp) * period / 2e-4).round() as usize;
        let at = curves[0].1[sample - 1];
        let exact = f64::from(cusp) * azimuth;
        assert!((at.0 - exact).abs() < share * exact && at.1.abs() < 1e-4, "cusp {cusp}: {at:?} for {exact}");
    }
    assert!((number(&found, "m g l/(J ω) = ") - 1.4715).abs() < 1e-9, "{found}");
    assert!((number(&found, "precession ") - azimuth / period).abs() < 0.03, "{found}");
}

/// The slider-crank by the angle of its crank: inertia, potential, and place of the slider with its derivative.
fn by_the_angle(angle: f64) -> [f64; 4] {
    let (s, c) = angle.sin_cos();
    let root = (2.25 - 0.25 * s * s).sqrt();
    let (place, rate) = (0.5 * c + root, -0.5 * s - 0.25 * s * c / root);
    let middle = [0.5 * (rate - 0.5 * s), 0.25 * c];
    let turn = 0.5 * c / root;
    let crank = 0.25 / 3.0;
    let rod = 2.0 * (middle[0] * middle[0] + middle[1] * middle[1]) + 4.5 / 12.0 * turn * turn;
    [crank + rod + rate * rate, 9.81 * 0.75 * s, place, rate]
}

/// Depth (m) in 2 s: `J θ̈ = −½ J′ θ̇² − V′ − F x′` with the law of Flores, by the classical method of fourth order.
fn deepest() -> f64 {
    let (h, damping) = (1e-5, 1.6 * 0.4 / 0.6);
    let (mut state, mut onset, mut deepest) = ([0.5 * std::f64::consts::PI, -6.0], 1.0, 0.0_f64);
    for _ in 0..200_000 {
        let rates = |[angle, rate]: [f64; 2]| {
            let [inertia, _, place, by_angle] = by_the_angle(angle);
            let [ahead, behind] = [1e-4, -1e-4].map(|d| by_the_angle(angle + d));
            let derivative = |k: usize| (ahead[k] - behind[k]) / 2e-4;
            let depth = (place - 1.9).max(0.0);
            let force = 2e6 * depth.powf(1.5) * (1.0 + damping * by_angle * rate / onset).max(0.0);
            let push = 0.5 * derivative(0) * rate * rate + derivative(1) + force * by_angle;
            [rate, -push / inertia]
        };
        let ahead = |k: [f64; 2], h: f64| [state[0] + h * k[0], state[1] + h * k[1]];
        let a = rates(state);
        let b = rates(ahead(a, 0.5 * h));
        let c = rates(ahead(b, 0.5 * h));
        let d = rates(ahead(c, h));
        state = [0, 1].map(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        let [_, _, place, by_angle] = by_the_angle(state[0]);
        if place < 1.9 {
            onset = (by_angle * state[1]).abs();
        }
        deepest = deepest.max(place - 1.9);
    }
    deepest
}

#[test]
fn slider_goes_as_deep_into_its_stop_as_its_crank_allows() {
    let (found, _) = slider_crank::run().unwrap();
    let (depth, exact) = (number(&found, "goes "), 1e3 * deepest());
    assert!((depth - exact).abs() < 0.01, "{depth} mm for {exact} mm");
}
