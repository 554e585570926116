//! Penalty contact laws against closed forms and fine references.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{Z, diagonal, start};
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, JointKind, PenaltyLaw, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.9 };

fn solver(model: SpatialModel) -> DaeSolver<SpatialSystem> {
    let settings =
        DaeSettings { formulation: Formulation::Position, tolerance: 1e-12, ..DaeSettings::default() };
    start(model, RULE, settings)
}

/// Steps while `gap` shows contact and until it is open again; returns the least gap.
fn bounce(
    solver: &mut DaeSolver<SpatialSystem>,
    h: f64,
    gap: impl Fn(&DaeSolver<SpatialSystem>) -> f64,
) -> f64 {
    let (mut least, mut has_met) = (0.0_f64, false);
    for _ in 0..2_000_000 {
        solver.step(h).unwrap();
        let now = gap(solver);
        least = least.min(now);
        has_met |= now < 0.0;
        if has_met && now >= 0.0 {
            return least;
        }
    }
    least
}

fn ball(mass: f64) -> RigidBody {
    RigidBody::new(mass, diagonal(0.004, 0.004, 0.004)).unwrap()
}

fn ball_on_floor(law: PenaltyLaw, gravity: f64, speed: f64) -> SpatialModel {
    let body = Body::new("ball", ball(1.0))
        .with_position([0.0, 0.0, 0.1])
        .with_velocity([0.0, 0.0, -speed], [0.0; 3]);
    let floor = Frame::ground([0.0; 3]);
    let kind = ForceKind::SpherePlane { radius: 0.1, law };
    let floor = Force::new("floor", kind, floor, Frame::on("ball", [0.0; 3]));
    SpatialModel::new().with_gravity([0.0, 0.0, -gravity]).with_body(body).with_force(floor)
}

fn laws(restitution: f64) -> [PenaltyLaw; 3] {
    let (stiffness, exponent) = (1e6, 1.5);
    [
        PenaltyLaw::HuntCrossley { stiffness, exponent, restitution },
        PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution },
        PenaltyLaw::Flores { stiffness, exponent, restitution },
    ]
}

/// Restitution against the nominal one: rows of `e`, then of the three laws.
fn curves() -> Vec<[f64; 4]> {
    let mut reader = csv::Reader::from_path("tests/reference/restitution.csv").unwrap();
    let rows = reader.deserialize::<Vec<f64>>().map(|row| row.unwrap());
    rows.map(|row| [row[0], row[1], row[5], row[9]]).collect()
}

#[test]
fn restitution_of_the_laws_is_that_of_their_curves() {
    for [nominal, exact @ ..] in curves() {
        for (law, exact) in laws(nominal).into_iter().zip(exact) {
            let mut solver = solver(ball_on_floor(law, 0.0, 1.0));
            bounce(&mut solver, 1e-5, |s| s.state().q[2] - 0.1);
            let found = solver.state().v[2];
            assert!((found - exact).abs() < 1e-4, "{law:?}: {found} instead of {exact}");
        }
    }
}

/// Every impact has a speed of its own: the second one, slower, keeps the same share.
#[test]
fn the_speed_of_impact_is_found_anew_at_every_impact() {
    let exact = curves().into_iter().find(|row| (row[0] - 0.5).abs() < 1e-9).unwrap();
    for (law, exact) in laws(0.5).into_iter().zip(&exact[1..]) {
        let mut solver = solver(ball_on_floor(law, 0.5, 1.0));
        for impact in 0..3 {
            while solver.state().q[2] - 0.1 > 1e-4 || solver.state().v[2] > 0.0 {
                solver.step(1e-4).unwrap();
            }
            let before = -solver.state().v[2];
            bounce(&mut solver, 1e-5, |s| s.state().q[2] - 0.1);
            let kept = solver.state().v[2] / before;
            // The weight acts on the way, less than 5 ms.
            let allowed = 0.5 * 5e-3 / before * 2.0;
            assert!((kept - exact).abs() < allowed, "{law:?}, impact {impact}: {kept} instead of {exact}");
        }
    }
}

/// Two spheres and a hinge stop see the same law with other masses: the same restitution.
#[test]
fn spheres_and_stops_have_the_same_restitution() {
    let exact = curves().into_iter().find(|row| (row[0] - 0.5).abs() < 1e-9).unwrap();
    for (law, exact) in laws(0.5).into_iter().zip(&exact[1..]) {
        let pair = SpatialModel::new()
            .with_body(Body::new("a", ball(1.0)).with_velocity([0.5, 0.0, 0.0], [0.0; 3]))
            .with_body(
                Body::new("b", ball(3.0))
                    .with_position([0.3, 0.0, 0.0])
                    .with_velocity([-0.5, 0.0, 0.0], [0.0; 3]),
            );
        let kind = ForceKind::SphereSphere { radii: [0.1, 0.2], law };
        let pair =
            pair.with_force(Force::new("pair", kind, Frame::on("a", [0.0; 3]), Frame::on("b", [0.0; 3])));
        let mut solver = solver(pair);
        bounce(&mut solver, 1e-5, |s| s.state().q[7] - s.state().q[0] - 0.3);
        let found = solver.state().v[6] - solver.state().v[0];
        assert!((found - exact).abs() < 1e-4, "{law:?}: {found} instead of {exact}");
    }
    for (law, exact) in laws(0.5).into_iter().zip(&exact[1..]) {
        for (is_upper, spin) in [(true, 1.0), (false, -1.0)] {
            let arm = Body::new("arm", ball(1.0)).with_velocity([0.0; 3], [0.0, 0.0, spin]);
            let kind = ForceKind::Stop { limit: 0.0, is_upper, law };
            let model = SpatialModel::new()
                .with_body(arm)
                .with_joint_at("hinge", JointKind::Revolute, [None, Some("arm")], ([0.0; 3], Z))
                .with_force(Force::new("stop", kind, Frame::ground([0.0; 3]), Frame::on("arm", [0.0; 3])));
            let mut solver = solver(model);
            bounce(&mut solver, 1e-6, |s| -spin * s.state().q[6]);
            let found = -spin * solver.state().v[5];
            assert!((found - exact).abs() < 1e-4, "{law:?} {is_upper}: {found} instead of {exact}");
        }
    }
}

/// Kelvin-Voigt that lets go where the force is zero, for two ratios of damping.
#[test]
fn linear_contact_without_tension_has_its_closed_form() {
    for (zeta, exact) in [(0.01, 0.969_264_750_464_492_5), (0.02, 0.939_841_335_663_894_6)] {
        let stiffness = 1e6_f64;
        let law = PenaltyLaw::KelvinVoigt { stiffness, damping: 2.0 * zeta * stiffness.sqrt() };
        let mut solver = solver(ball_on_floor(law, 0.0, 1.0));
        bounce(&mut solver, 1e-6, |s| s.state().q[2] - 0.1);
        let found = solver.state().v[2];
        assert!((found - exact).abs() < 1e-4, "{found} instead of {exact}");
    }
}
