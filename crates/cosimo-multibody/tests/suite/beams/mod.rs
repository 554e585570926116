//! Beams: derivatives, statics, frequencies, energy, and a helicopter blade.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod bend;
mod blade;
mod elements;
mod energy;
mod frequencies;
mod mistakes;
mod offsets;
mod puma;
mod rigid_turns;
mod roll_up;
mod tangents;
mod work;

use cosimo_mechanics::TimeFunction;
use cosimo_multibody::modes::{Equilibrium, Mode, Turning, modes};
use cosimo_multibody::spatial::{
    Beam, Body, Frame, Joint, JointKind, RigidBody, Section, SectionInertia, SectionStiffness, SpatialModel,
    SpatialSystem,
};
use nalgebra::{DVector, Matrix2, Matrix3, UnitQuaternion, Vector2};

/// A section of unit mass whose bending stiffness about `y` is one, slender but for `slenderness`: one over the stiffness of pull and
/// shear.
pub(crate) fn slender(bending: [f64; 2], slenderness: f64) -> Section {
    let stiff = 1.0 / slenderness;
    let stiffness = SectionStiffness::new(stiff, [stiff; 2], 0.5, bending).matrix();
    let second_moment = Matrix2::new(1e-6, 0.0, 0.0, 0.0);
    Section {
        stiffness,
        inertia: SectionInertia { mass: 1.0, centre: Vector2::zeros(), second_moment },
        twist: 0.0,
    }
}

/// A straight beam along `x` from station 0 to 1.
pub(crate) fn straight(section: Section, elements: usize) -> Beam {
    let frame = ([0.0; 3], UnitQuaternion::identity());
    Beam::straight("beam", frame, &Beam::even(0.0, 1.0, elements), section)
}

/// A joint of a node to the ground, or to another body, where it is.
pub(crate) fn hold(model: SpatialModel, kind: JointKind, at: (&str, [f64; 3]), z: [f64; 3]) -> SpatialModel {
    let name = format!("{} held", at.0);
    model.with_joint_at(&name, kind, [None, Some(at.0)], (at.1, z))
}

/// A hub that turns about the world's `z` with this speed.
pub(crate) fn with_hub(model: SpatialModel, speed: f64) -> SpatialModel {
    let hub = RigidBody::new(1.0, Matrix3::identity()).unwrap();
    let frames = || (Frame::ground([0.0; 3]), Frame::on("hub", [0.0; 3]));
    let ((ground, own), (first, second)) = (frames(), frames());
    let drive = JointKind::Angle(TimeFunction::Linear { start: 0.0, rate: speed });
    let model = model.with_body(Body::new("hub", hub).with_velocity([0.0; 3], [0.0, 0.0, speed]));
    let model = model.with_joint(Joint::new("shaft", JointKind::Revolute, ground, own));
    model.with_joint(Joint::new("drive", drive, first, second))
}

/// Modes about the equilibrium at this speed about `z`.
pub(crate) fn turning_modes(system: &SpatialSystem, speed: f64, settings: (usize, f64)) -> Vec<Mode> {
    let turning = Turning::about_origin([0.0, 0.0, speed]);
    let found = Equilibrium::find(system, 0.0, &system.initial_position(), turning).unwrap();
    modes(system, &found, settings).unwrap()
}

/// Which increments of bodies a mode is about.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Lag,
    Flap,
    Torsion,
}

/// Circular frequencies of the modes that are mostly of one kind.
pub(crate) fn frequencies(system: &SpatialSystem, modes: &[Mode], kind: Kind) -> Vec<f64> {
    let of_body = |body: &Body| {
        let (m, inertia) = (body.properties.mass(), body.properties.inertia());
        [m, m, m, inertia[(0, 0)], inertia[(1, 1)], inertia[(2, 2)]]
    };
    let masses = DVector::from_iterator(6 * system.bodies().len(), system.bodies().iter().flat_map(of_body));
    let number = match kind {
        Kind::Lag => 1,
        Kind::Flap => 2,
        Kind::Torsion => 3,
    };
    let is_meant = |mode: &&Mode| mode.share(&masses, |k| k % 6 == number) > 0.5;
    modes.iter().filter(is_meant).map(|mode| mode.eigenvalue.im).collect()
}

/// Rows of a table of reference solutions.
pub(crate) fn reference(case: &str) -> Vec<Vec<String>> {
    let path = format!("../../coupling-tests/reference/{case}/reference.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// Richardson's extrapolation of a sequence of order two on meshes that double, by the last two.
pub(crate) fn extrapolated(found: &[f64]) -> f64 {
    let last = found.len() - 1;
    found[last] + (found[last] - found[last - 1]) / 3.0
}
