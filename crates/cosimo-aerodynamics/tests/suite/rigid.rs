//! Rotors of rigid blades.

use cosimo_aerodynamics::FrameMotion;
use cosimo_aerodynamics::inflow::Rotation;
use cosimo_aerodynamics::rotor::{Rotor, RotorLoads, RotorState, RotorTotals};
use cosimo_aerodynamics::spec::{BladeSpec, RotorSpec};
use nalgebra::{UnitQuaternion, Vector3};

/// A rotor whose blades are rigid and turn with the hub about the vertical.
#[derive(Debug, Clone)]
pub(crate) struct Rigid {
    pub(crate) rotation: Rotation,
    /// Speed (rad/s), in the direction of rotation.
    pub(crate) speed: f64,
    /// Azimuth of the first blade (rad), in the direction of rotation from x.
    pub(crate) azimuth: f64,
    /// Collective (rad).
    pub(crate) collective: f64,
    /// Radius of the flap hinges (m), flap angle (rad, up) and its rate (rad/s).
    pub(crate) flap: [f64; 3],
    /// Velocity of the hub (m/s).
    pub(crate) velocity: Vector3<f64>,
}

impl Rigid {
    pub(crate) fn turning(rotation: Rotation, speed: f64, collective: f64) -> Self {
        Self { rotation, speed, azimuth: 0.0, collective, flap: [0.0; 3], velocity: Vector3::zeros() }
    }

    /// Frames along the blades have x outwards, z up: where the leading edge is depends on the rotation.
    pub(crate) fn adapt(&self, spec: &mut RotorSpec) {
        spec.rotation = self.rotation;
        spec.blade.leading_edge = [0.0, self.rotation.sign(), 0.0];
    }

    /// The motion of the hub and of all frames.
    pub(crate) fn frames(&self, spec: &RotorSpec) -> Vec<FrameMotion> {
        let sign = self.rotation.sign();
        let spin = Vector3::z() * (sign * self.speed);
        let hub = FrameMotion {
            orientation: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), sign * self.azimuth),
            velocity: self.velocity,
            angular_velocity: spin,
            ..FrameMotion::default()
        };
        let mut frames = vec![hub];
        for b in 0..spec.blades {
            let azimuth = sign * (self.azimuth + std::f64::consts::TAU * b as f64 / spec.blades as f64);
            frames.extend(self.blade(&spec.blade, azimuth, &spin));
        }
        frames
    }

    fn blade<'a>(
        &'a self,
        blade: &'a BladeSpec,
        azimuth: f64,
        spin: &'a Vector3<f64>,
    ) -> impl Iterator<Item = FrameMotion> + 'a {
        let [hinge, flap, rate] = self.flap;
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), azimuth);
        // Up is about −y of a frame whose x points outwards.
        let flapped = turned * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -flap);
        let pitch = self.rotation.sign() * self.collective;
        let orientation = flapped * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), pitch);
        let angular_velocity = spin + turned * Vector3::new(0.0, -rate, 0.0);
        blade.stations.iter().map(move |radius| {
            let root = turned * Vector3::new(hinge, 0.0, 0.0);
            let arm = flapped * Vector3::new(radius - hinge, 0.0, 0.0);
            FrameMotion {
                position: root + arm,
                orientation,
                velocity: self.velocity + spin.cross(&root) + angular_velocity.cross(&arm),
                angular_velocity,
            }
        })
    }

    /// The loads of a rotor with a quasi-static inflow.
    pub(crate) fn loads(&self, spec: &RotorSpec) -> (Rotor, RotorLoads) {
        let mut spec = spec.clone();
        self.adapt(&mut spec);
        let rotor = spec.build().unwrap();
        let mut loads = RotorLoads::new(&rotor);
        loads.start(&rotor, &self.frames(&spec), 0.0, &RotorState::new(&rotor), 0.01).unwrap();
        (rotor, loads)
    }

    pub(crate) fn totals(&self, spec: &RotorSpec) -> RotorTotals {
        let (rotor, loads) = self.loads(spec);
        loads.totals(&rotor, &self.frames(spec)).unwrap()
    }
}

/// So many frames at equal distances.
pub(crate) fn stations(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| from + (to - from) * k as f64 / (count - 1) as f64).collect()
}

/// `C_T` of a thrust (N) at sea level.
pub(crate) fn thrust_coefficient(thrust: f64, radius: f64, speed: f64) -> f64 {
    thrust / (1.225 * std::f64::consts::PI * radius.powi(4) * speed * speed)
}
