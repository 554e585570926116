//! Frequencies of uniform beams, at rest and turning, against tables of closed forms.

use super::{Kind, extrapolated, frequencies, hold, reference, slender, straight, turning_modes, with_hub};
use cosimo_multibody::modes::Mode;
use cosimo_multibody::spatial::{JointKind, SpatialModel, SpatialSystem};
use nalgebra::{Complex, Matrix2};

/// Bending about `y` with stiffness one, chordwise with four times as much: circular frequencies twice as high.
fn beam(elements: usize) -> SpatialModel {
    SpatialModel::new().with_beam(&straight(slender([1.0, 4.0], 1e-7), elements)).unwrap()
}

fn clamped(elements: usize) -> SpatialSystem {
    hold(beam(elements), JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]).build().unwrap()
}

/// Held by hinges about `y` at both ends, which slide at the second, and do not twist.
fn hinged(elements: usize) -> SpatialSystem {
    let across = [0.0, 1.0, 0.0];
    let model = hold(beam(elements), JointKind::Revolute, ("beam.0", [0.0; 3]), across);
    let tip = format!("beam.{elements}");
    let height = JointKind::Coordinate {
        direction: [0.0, 0.0, 1.0],
        motion: cosimo_mechanics::TimeFunction::Constant(0.0),
    };
    let model = hold(model, height, (&tip, [1.0, 0.0, 0.0]), across);
    model.build().unwrap()
}

/// The first flapwise frequencies on three meshes, above rigid motions.
fn on_meshes(make: impl Fn(usize) -> SpatialSystem, count: usize) -> Vec<Vec<f64>> {
    let on = |elements| {
        let system = make(elements);
        // A rigid motion is up to two modes of frequency zero.
        let found = turning_modes(&system, 0.0, (14 + 3 * count, 3.0));
        let flap = frequencies(&system, &found, Kind::Flap);
        flap.into_iter().filter(|frequency| *frequency > 0.1).take(count).collect()
    };
    [6, 12, 24].map(on).to_vec()
}

fn check(case: &str, make: impl Fn(usize) -> SpatialSystem, count: usize) {
    let found = on_meshes(make, count);
    let rows = reference("P3_beam_frequencies");
    let rows: Vec<f64> =
        rows.iter().filter(|row| row[0] == case).map(|row| row[3].parse().unwrap()).collect();
    for (mode, exact) in rows.iter().take(count).enumerate() {
        let on: Vec<f64> = found.iter().map(|mesh| mesh[mode]).collect();
        let errors: Vec<f64> = on.iter().map(|frequency| (frequency / exact - 1.0).abs()).collect();
        let order = (errors[0] / errors[1]).log2();
        let left = (extrapolated(&on) / exact - 1.0).abs();
        assert!(order > 1.8, "{case} {mode}: {errors:?}");
        assert!(left < 1e-4, "{case} {mode}: {left:e}");
    }
}

/// A clamped beam that is as stiff in both directions has every frequency twice, with two shapes across each other.
#[test]
fn repeated_frequencies_have_shapes_that_differ() {
    let mut section = slender([1.0, 1.0], 1e-7);
    section.inertia.second_moment = Matrix2::from_diagonal_element(1e-6);
    let model = SpatialModel::new().with_beam(&straight(section, 12)).unwrap();
    let system = hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]).build().unwrap();
    let found = turning_modes(&system, 0.0, (6, 3.0));
    let inner = |a: &Mode, b: &Mode| {
        let of_body = |k: usize| {
            let [a, b] = [a, b].map(|mode| mode.shape.rows(6 * k, 3));
            a.dotc(&b) * Complex::new(system.bodies()[k].properties.mass(), 0.0)
        };
        (0..system.bodies().len()).map(of_body).sum::<Complex<f64>>().norm()
    };
    for pair in found.chunks(2) {
        let [a, b] = pair else { panic!("an odd number of modes") };
        assert!((a.frequency() / b.frequency() - 1.0).abs() < 1e-8, "{} {}", a.frequency(), b.frequency());
        let cosine = inner(a, b) / (inner(a, a) * inner(b, b)).sqrt();
        assert!(cosine < 1e-5, "{cosine}");
    }
    assert!(found[2].frequency() > 6.0 * found[1].frequency());
}

#[test]
fn clamped_beams_vibrate_as_euler_and_bernoulli_say() {
    check("clamped-free", clamped, 3);
}

#[test]
fn hinged_beams_vibrate_as_euler_and_bernoulli_say() {
    check("pinned-pinned", hinged, 3);
}

#[test]
fn free_beams_vibrate_as_euler_and_bernoulli_say() {
    check("free-free/clamped-clamped", |elements| beam(elements).build().unwrap(), 2);
}

/// Southwell's stiffening: flap and lag of a cantilever that turns, clamped on the axis.
#[test]
fn turning_cantilevers_stiffen_as_the_power_series_says() {
    let blade = |elements: usize, speed: f64| {
        let beam = straight(slender([1.0, 1.0], 1e-6), elements).moving([0.0; 3], [0.0, 0.0, speed]);
        let model = with_hub(SpatialModel::new().with_beam(&beam).unwrap(), speed);
        let root = [Some("hub"), Some("beam.0")];
        model.with_joint_at("root", JointKind::Fixed, root, ([0.0; 3], [0.0, 0.0, 1.0])).build().unwrap()
    };
    for row in reference("P5_rotating_beam") {
        let row: Vec<f64> = row.iter().map(|x| x.parse().unwrap()).collect();
        let speed = row[0];
        if ![1.0, 4.0, 12.0].contains(&speed) {
            continue;
        }
        let on = [8, 16].map(|elements| {
            let system = blade(elements, speed);
            let found = turning_modes(&system, speed, (10, 10.0));
            let flap = frequencies(&system, &found, Kind::Flap);
            let lag = frequencies(&system, &found, Kind::Lag);
            [flap[0], flap[1], lag[0], lag[1]]
        });
        for (k, exact) in [row[1], row[2], row[4], row[5]].into_iter().enumerate() {
            let order = ((on[0][k] / exact - 1.0) / (on[1][k] / exact - 1.0)).log2();
            assert!((1.8..2.2).contains(&order), "speed {speed}, column {k}: order {order}");
            let left = extrapolated(&[on[0][k], on[1][k]]) / exact - 1.0;
            assert!(left.abs() < 1e-4, "speed {speed}, column {k}: {on:?} instead of {exact}");
        }
    }
}
