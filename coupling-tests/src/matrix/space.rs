//! A rigid body that turns freely in space, with a point mass at one of its points, or another body fixed to it.
//!
//! ```text
//!   state (x_a, quaternion, x_b, v_a, ω, v_b), ω in world axes, r the arm to the joint
//!   rigid      a_b = a_a + ω̇ × r + ω × (ω × r), which gives the load of the joint
//!   compliant  the load is k (x_a + r − x_b)
//! ```
//!
//! A body that is fixed to it and has the same inertia about all axes adds that inertia, and nothing to the gyroscopic moment.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::axes::{Combination, Impacts, Kind, Law, Ports};
use super::flow::{Flow, Motion};
use super::lump_text::NAMES;
use super::model::{Model, Setup, Truth};

const INERTIA: [f64; 3] = [0.3, 0.5, 0.7];
const ARM: [f64; 3] = [0.4, 0.1, -0.2];

#[derive(Debug, Clone, Copy)]
struct Tow {
    masses: [f64; 2],
    /// Inertia of the second body where it is fixed (kg m²).
    fixed: f64,
    /// Stiffness of a joint that gives way (N/m).
    joint: Option<f64>,
    velocity: [f64; 3],
    spin: [f64; 3],
}

fn part(state: &[f64], first: usize) -> Vector3<f64> {
    Vector3::new(state[first], state[first + 1], state[first + 2])
}

/// Turn of the body, and the arm in world axes.
fn turn(state: &[f64]) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let turn = UnitQuaternion::new_normalize(Quaternion::new(state[3], state[4], state[5], state[6]));
    (turn, turn * Vector3::from(ARM))
}

impl Tow {
    /// Inertia in world axes, of the body, and with what is fixed to it.
    fn inertia(&self, turn: &UnitQuaternion<f64>) -> [Matrix3<f64>; 2] {
        let rotation = turn.to_rotation_matrix();
        let own = rotation * Matrix3::from_diagonal(&Vector3::from(INERTIA)) * rotation.transpose();
        [own, own + Matrix3::identity() * self.fixed]
    }

    fn start(&self) -> Vec<f64> {
        let arm = Vector3::from(ARM);
        let speed = Vector3::from(self.velocity) + Vector3::from(self.spin).cross(&arm);
        let mut state = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        state.extend(arm.iter());
        state.extend(self.velocity);
        state.extend(self.spin);
        state.extend(speed.iter());
        state
    }

    /// Kinetic energy and all of it (J), of what is observed.
    fn energy(&self, values: &[f64]) -> [f64; 2] {
        let (turn, arm) = turn(values);
        let (v, w, u) = (part(values, 10), part(values, 13), part(values, 16));
        let spin = w.dot(&(self.inertia(&turn)[1] * w));
        let kinetic = 0.5 * (self.masses[0] * v.norm_squared() + self.masses[1] * u.norm_squared() + spin);
        let gap = part(values, 0) + arm - part(values, 7);
        (kinetic, kinetic + 0.5 * self.joint.unwrap_or(0.0) * gap.norm_squared()).into()
    }
}

impl Flow for Tow {
    fn derivative(&self, _mode: u32, state: &[f64], derivative: &mut [f64]) {
        let (turn, arm) = turn(state);
        let (v, w, u) = (part(state, 10), part(state, 13), part(state, 16));
        let [own, all] = self.inertia(&turn);
        let inverse = all.try_inverse().unwrap_or_else(Matrix3::identity);
        let free = inverse * -w.cross(&(own * w));
        let [a, b] = self.masses;
        // The load on the second body; its opposite acts at the arm.
        let load = if let Some(k) = self.joint {
            k * (part(state, 0) + arm - part(state, 7))
        } else {
            let cross = arm.cross_matrix();
            // a_b − a_a + r × … : (1/m_b + 1/m_a + r̂ᵀ J⁻¹ r̂) f = ω̇₀ × r + ω × (ω × r).
            let matrix = Matrix3::identity() * (1.0 / a + 1.0 / b) + cross.transpose() * inverse * cross;
            let wanted = free.cross(&arm) + w.cross(&w.cross(&arm));
            matrix.lu().solve(&wanted).unwrap_or_else(Vector3::zeros)
        };
        let angular = free - inverse * arm.cross(&load);
        let rate = 0.5 * Quaternion::from_imag(w) * Quaternion::new(state[3], state[4], state[5], state[6]);
        derivative[..3].copy_from_slice(v.as_slice());
        derivative[3..7].copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
        derivative[7..10].copy_from_slice(u.as_slice());
        derivative[10..13].copy_from_slice((-load / a).as_slice());
        derivative[13..16].copy_from_slice(angular.as_slice());
        derivative[16..19].copy_from_slice((load / b).as_slice());
    }

    fn events(&self, _mode: u32, _state: &[f64]) -> Vec<f64> {
        Vec::new()
    }

    fn jump(&self, mode: u32, _event: usize, _state: &mut [f64]) -> u32 {
        mode
    }
}

#[derive(Debug)]
struct TowTruth(Motion<Tow>);

impl Truth for TowTruth {
    fn values(&self, t: f64) -> Vec<f64> {
        self.0.at(t).1
    }

    fn events(&self) -> &[f64] {
        &[]
    }

    fn load(&self, _t: f64) -> Option<f64> {
        None
    }
}

/// A body that tows another one.
#[derive(Debug)]
pub(super) struct SpaceModel {
    name: &'static str,
    tow: Tow,
    span: (f64, u32),
    truths: [[OnceLock<Arc<TowTruth>>; 2]; 4],
}

impl SpaceModel {
    fn step(&self) -> f64 {
        self.span.0 / f64::from(self.span.1)
    }

    fn reduced(&self) -> f64 {
        1.0 / (1.0 / self.tow.masses[0] + 1.0 / self.tow.masses[1])
    }

    fn joint_stiffness(&self, law: Law) -> Option<f64> {
        match law {
            Law::Rigid | Law::Tikhonov => None,
            Law::SoftTikhonov => Some(self.reduced() * (0.2 / self.step()).powi(2)),
            Law::Compliant => Some(self.reduced() * (0.15 / self.step()).powi(2)),
        }
    }

    fn interface(&self, law: Law) -> String {
        let law = match (law, self.joint_stiffness(law)) {
            (Law::Compliant, Some(k)) => format!("law = \"compliant\"\nstiffness = {k:e}"),
            (Law::SoftTikhonov, Some(k)) => format!("law = \"tikhonov\"\nconstant = {:e}", 1.0 / k),
            (Law::Tikhonov, _) => {
                format!("law = \"tikhonov\"\nconstant = {:e}", 1e-8 * self.step().powi(2) / self.reduced())
            }
            _ => "law = \"rigid\"".to_owned(),
        };
        format!("[[interface]]\nname = \"joint\"\nbetween = [\"a.p\", \"b.p\"]\n{law}\n")
    }

    fn side_text(&self, side: usize, kind: Kind, ports: Ports) -> String {
        let state = self.tow.start();
        let mass = self.tow.masses[side];
        let (place, velocity) = (part(&state, 7 * side), part(&state, if side == 0 { 10 } else { 16 }));
        let spin = if side == 0 || ports == Ports::Frame { self.tow.spin } else { [0.0; 3] };
        let inertia = if side == 0 { INERTIA } else { [self.tow.fixed_inertia(); 3] };
        let list = |x: &[f64]| x.iter().map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ");
        let (place, velocity) = (list(place.as_slice()), list(velocity.as_slice()));
        let arm = if side == 0 { list(&ARM) } else { list(&[0.0; 3]) };
        let motion = format!("position = [{place}]\nvelocity = [{velocity}]\n");
        let turning = format!("inertia = [{}]\nangular_velocity = [{}]\n", list(&inertia), list(&spin));
        let point = format!("point = [{arm}]\ncoordinates = {}\n", ports.count());
        match kind {
            Kind::Node => format!("mass = {mass:e}\n{motion}[[subsystem.port]]\nname = \"p\"\n"),
            Kind::Linear => format!(
                "coordinates = [\"x\", \"y\", \"z\"]\nmass = [{mass:e}, {mass:e}, {mass:e}]\n{motion}\
                 [[subsystem.port]]\nname = \"p\"\ncoordinates = [0, 1, 2]\n"
            ),
            Kind::RigidBody => {
                format!("mass = {mass:e}\n{motion}{turning}[[subsystem.port]]\nname = \"p\"\n{point}")
            }
            Kind::Multibody | Kind::Planar => format!(
                "[[subsystem.body]]\nname = \"m\"\nmass = {mass:e}\n{motion}{turning}\
                 [[subsystem.port]]\nname = \"p\"\nbody = \"m\"\n{point}"
            ),
        }
    }
}

impl Tow {
    fn fixed_inertia(&self) -> f64 {
        0.1 * self.masses[1]
    }
}

impl Model for SpaceModel {
    fn name(&self) -> &str {
        self.name
    }

    fn fits(&self, combination: &Combination) -> bool {
        let [a, b] = combination.kinds;
        let is_rigid = matches!(combination.law, Law::Rigid | Law::Tikhonov);
        matches!(a, Kind::Multibody | Kind::RigidBody)
            && b != Kind::Planar
            && combination.impacts == Impacts::None
            && combination.ports != Ports::Scalar
            && combination.ports.join(combination.kinds)
            && (combination.ports == Ports::Point || is_rigid && combination.micro_steps == 1)
    }

    fn setup(&self, combination: &Combination) -> Setup {
        let (end, steps) = self.span;
        let is_frame = combination.ports == Ports::Frame;
        let mut tow = self.tow;
        tow.joint = self.joint_stiffness(combination.law);
        tow.fixed = if is_frame { tow.fixed_inertia() } else { 0.0 };
        let [scheme, acceleration] = combination.scheme.keys();
        let mut text = format!(
            "schema = 1\ntime = {{ end = {end:?}, step = {:e} }}\n[master]\nscheme = \"{scheme}\"\n\
             acceleration = \"{acceleration}\"\ntolerance = 1e-10\n",
            self.step()
        );
        for side in 0..2 {
            let kind = combination.kinds[side];
            let _ = write!(text, "[[subsystem]]\nname = \"{}\"\nkind = \"{kind}\"\n", NAMES[side]);
            if kind != Kind::RigidBody {
                let _ = writeln!(text, "solver = {}", combination.rules[side].solver(kind, false));
            }
            if side == 1 && combination.micro_steps > 1 {
                let _ = writeln!(text, "micro_steps = {}", combination.micro_steps);
            }
            text += &self.side_text(side, kind, combination.ports);
        }
        text += &self.interface(combination.law);
        let label = |side: usize, quantity: &str| {
            let owner = NAMES[side];
            match combination.kinds[side] {
                Kind::Multibody => format!("{owner}.m.{quantity}"),
                Kind::Linear => format!("{owner}.{}", quantity.replace('v', "v_")),
                _ => format!("{owner}.{quantity}"),
            }
        };
        let mut labels = Vec::new();
        labels.extend(["x", "y", "z", "qw", "qx", "qy", "qz"].map(|quantity| label(0, quantity)));
        labels.extend(["x", "y", "z"].map(|quantity| label(1, quantity)));
        labels.extend(["vx", "vy", "vz", "wx", "wy", "wz"].map(|quantity| label(0, quantity)));
        labels.extend(["vx", "vy", "vz"].map(|quantity| label(1, quantity)));
        let truth = self.truths[combination.law as usize][usize::from(is_frame)]
            .get_or_init(|| Arc::new(TowTruth(Motion::of(tow, tow.start(), 0, end, 400))));
        Setup {
            text,
            end,
            steps,
            positions: 10,
            labels,
            impulse: None,
            truth: truth.clone(),
            energy: Box::new(move |values| tow.energy(values)),
            largest_order: 2.0,
        }
    }
}

/// All of them.
#[must_use]
pub(super) fn space_models() -> Vec<SpaceModel> {
    let tow = Tow {
        masses: [2.0, 0.5],
        fixed: 0.0,
        joint: None,
        velocity: [0.3, -0.2, 0.5],
        spin: [1.0, 4.0, 2.0],
    };
    let new = |name, tow| SpaceModel { name, tow, span: (0.4, 36), truths: Default::default() };
    vec![
        new("body that tows in space, 2 to 0.5 kg", tow),
        new(
            "body that is towed in space, 2 to 100 kg",
            Tow { masses: [2.0, 100.0], spin: [2.0, 1.0, -3.0], ..tow },
        ),
    ]
}
