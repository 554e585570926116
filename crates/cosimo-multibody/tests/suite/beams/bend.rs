//! The bend of 45°: an arc that a force at its tip bends out of its plane (K. J. Bathe, S. Bolourchi, *Int. J. Numer. Meth. Engng* 14, 1979;
//! J. C. Simo, L. Vu-Quoc, *CMAME* 58, 1986), as a chain of chords. Beside it: Reissner's beam by shooting, in no element.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cosimo_dynamics::{ConstrainedSystem, Level, MatrixSink, Motion, Structure};
use cosimo_mechanics::Energy;
use cosimo_multibody::modes::{Equilibrium, Turning};
use cosimo_multibody::spatial::{
    Beam, BodyFunction, Force, ForceKind, Frame, JointKind, Section, SectionInertia, SectionStiffness,
    SpatialModel, SpatialSystem,
};
use nalgebra::{Matrix2, Matrix3, UnitQuaternion, Vector2, Vector3};

use super::hold;

const RADIUS: f64 = 100.0;
const ANGLE: f64 = std::f64::consts::FRAC_PI_4;
const FORCE: f64 = 450.0;
/// Stiffness against pull, shear, and bending and torsion alike: a square of one by one, `E = 10⁷`, `G = E/2`.
const PULL: f64 = 1e7;
const SHEAR: f64 = 5e6;
const BENDING: f64 = 1e7 / 12.0;

/// A point of the arc, which begins along `y`.
fn arc(angle: f64) -> Vector3<f64> {
    Vector3::new(RADIUS * (1.0 - angle.cos()), RADIUS * angle.sin(), 0.0)
}

/// So many chords, each a beam of one element, joined rigidly.
fn chords(count: usize) -> SpatialSystem {
    let stiffness = SectionStiffness::new(PULL, [SHEAR; 2], BENDING, [BENDING; 2]).matrix();
    let second_moment = Matrix2::new(0.1, 0.0, 0.0, 0.1);
    let inertia = SectionInertia { mass: 1.0, centre: Vector2::zeros(), second_moment };
    let part = ANGLE / count as f64;
    let length = 2.0 * RADIUS * (0.5 * part).sin();
    let mut model = SpatialModel::new();
    for k in 0..count {
        let begin = part * k as f64;
        let turn = UnitQuaternion::from_scaled_axis(
            Vector3::z() * (std::f64::consts::FRAC_PI_2 - begin - 0.5 * part),
        );
        let section = Section { stiffness, inertia, twist: 0.0 };
        let frame = (arc(begin).into(), turn);
        model = model
            .with_beam(&Beam::straight(format!("c{k}"), frame, &Beam::even(0.0, length, 1), section))
            .unwrap();
        if k > 0 {
            let (before, own) = (format!("c{}.1", k - 1), format!("c{k}.0"));
            let at = (arc(begin).data.0[0], [0.0, 0.0, 1.0]);
            model = model.with_joint_at(format!("j{k}"), JointKind::Fixed, [Some(&before), Some(&own)], at);
        }
    }
    let model = hold(model, JointKind::Fixed, ("c0.0", [0.0; 3]), [0.0, 0.0, 1.0]);
    let load = [Vector3::z() * FORCE, Vector3::zeros()];
    let kind = ForceKind::OnBody(BodyFunction(Arc::new(move |_, _, _| load)));
    // A load on a node is at its place, not at its centre of mass.
    let tip = Frame::on(format!("c{}.1", count - 1), [0.0; 3]);
    model.with_force(Force::new("load", kind, Frame::ground([0.0; 3]), tip)).build().unwrap()
}

/// A system that counts how often its matrices are asked for.
struct Counted<'a> {
    inner: &'a SpatialSystem,
    matrices: AtomicUsize,
}

impl ConstrainedSystem for Counted<'_> {
    fn structure(&self) -> &Structure {
        self.inner.structure()
    }

    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        self.inner.balance(motion, a, mu, out);
    }

    fn mass_product(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        self.inner.mass_product(q, x, out);
    }

    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        self.inner.add_reactions(t, q, mu, out);
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        self.inner.constraints(level, motion, a, out);
    }

    fn tangents(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.matrices.fetch_add(1, Ordering::Relaxed);
        self.inner.tangents(motion, a, mu, sink);
    }

    fn masses(&self, q: &[f64], sink: &mut dyn MatrixSink) {
        self.inner.masses(q, sink);
    }

    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        self.inner.jacobian(t, q, sink);
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        self.inner.rate_gradient(motion, sink);
    }

    fn energy(&self, motion: Motion<'_>) -> Energy {
        self.inner.energy(motion)
    }
}

/// The tip in equilibrium, and how many matrices were factorised.
fn bent(count: usize) -> (Vector3<f64>, usize) {
    let system = chords(count);
    let counted = Counted { inner: &system, matrices: AtomicUsize::new(0) };
    let found = Equilibrium::find(&counted, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let last = system.bodies().len() - 1;
    let state = system.body_state(last, &found.q, &found.v).unwrap();
    (state.point(&-system.bodies()[last].centre_of_mass), counted.matrices.into_inner())
}

/// Place, axes and moment of a section.
type Along = (Vector3<f64>, Matrix3<f64>, Vector3<f64>);

/// `r' = R (Γ + e₁)`, `R' = R κ×`, `m' = −r' × n` under the force `n` that all sections carry.
fn slope((_, axes, moment): &Along) -> Along {
    let force = Vector3::z() * FORCE;
    let (n, m) = (axes.tr_mul(&force), axes.tr_mul(moment));
    let strain = Vector3::new(1.0 + n.x / PULL, n.y / SHEAR, n.z / SHEAR);
    let curvature = m / BENDING - Vector3::z() / RADIUS;
    let along = axes * strain;
    (along, axes * curvature.cross_matrix(), -along.cross(&force))
}

/// Place and moment of the tip for a moment at the clamp, by the classical rule of Runge and Kutta.
fn shot(moment: Vector3<f64>) -> [Vector3<f64>; 2] {
    const STEPS: usize = 200;
    let h = RADIUS * ANGLE / STEPS as f64;
    let axes = Matrix3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let mut at: Along = (Vector3::zeros(), axes, moment);
    let moved = |at: &Along, by: &Along, h: f64| (at.0 + by.0 * h, at.1 + by.1 * h, at.2 + by.2 * h);
    for _ in 0..STEPS {
        let first = slope(&at);
        let second = slope(&moved(&at, &first, 0.5 * h));
        let third = slope(&moved(&at, &second, 0.5 * h));
        let fourth = slope(&moved(&at, &third, h));
        for (own, share) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
            at = moved(&at, &own, share * h / 6.0);
        }
    }
    [at.0, at.2]
}

/// The tip of the arc by Newton's method on the moment at the clamp: none is left at the tip.
fn exact() -> Vector3<f64> {
    let mut clamp = Vector3::new(0.75, -0.25, 0.0) * FORCE * 70.0;
    for _ in 0..20 {
        let [tip, left] = shot(clamp);
        if left.norm() < 1e-7 * clamp.norm() {
            return tip;
        }
        let column = |k: usize| (shot(clamp + Vector3::ith(k, 1.0))[1] - left).data.0[0];
        let by_clamp = Matrix3::from_columns(&[0, 1, 2].map(|k| Vector3::from(column(k))));
        clamp -= by_clamp.lu().solve(&left).unwrap();
    }
    unreachable!("the shot does not converge");
}

/// Bathe and Bolourchi, Simo and Vu-Quoc, and codes since then give places of the tip that differ by 0.2; the shot has the digits.
#[test]
fn the_bend_of_45_degrees_is_found_at_a_cost_that_grows_with_its_bodies() {
    let exact = exact();
    assert!((exact - Vector3::new(18.62, 52.32, 48.39)).norm() < 0.2, "{exact}");
    // With a cost of the third power of the bodies the last one would take a day.
    let counts = [16, 32, 64, 512];
    let found = counts.map(bent);
    let errors = found.map(|(tip, _)| (tip - exact).norm());
    assert!(errors[1] < 0.02 && errors[3] < 1e-4, "{errors:?}");
    assert!(
        errors[..3].windows(2).all(|pair| (pair[0] / pair[1] - 4.0).abs() < 0.1),
        "order two: {errors:?}"
    );
    let matrices = found.map(|(_, matrices)| matrices);
    assert!(matrices.iter().all(|own| *own <= matrices[0] + 4), "{matrices:?}");
}
