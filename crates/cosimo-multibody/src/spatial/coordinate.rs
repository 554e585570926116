//! Numbers between two bodies along which loads act.

use super::blocks::{give_blocks, scatter};
use super::geometry::Geometry;
use super::model_error::SpatialModelError;
use super::pose::{Gradient, Hessian, Pair};
use super::sensor::{PlacedSensor, SensorKind};
use cosimo_dynamics::{State, StateChange};

/// The distance, displacement or angle `θ(q)` that a sensor measures, as a coordinate along which a load `ℓ` (N or N m)
/// acts: the generalised force is `∇θ ℓ`, positive towards a greater `θ`. The load of an angle acts on the second body
/// about the sensor's axis, its opposite on the first.
///
/// ```
/// use cosimo_multibody::spatial::{Body, Frame, RigidBody, Sensor, SensorKind, SpatialModel};
/// use nalgebra::Matrix3;
///
/// let disk = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?;
/// let frame = |frame: Frame| frame.with_axis([0.0, 0.0, 1.0]);
/// let system = SpatialModel::new()
///     .with_body(Body::new("disk", disk).with_velocity([0.0; 3], [0.0, 0.0, 3.0]))
///     .with_sensor(Sensor::new("turn", SensorKind::Angle, frame(Frame::ground([0.0; 3])), frame(Frame::on("disk", [0.0; 3]))))
///     .build()?;
/// let turn = system.coordinate("turn").expect("the sensor measures one number");
/// assert_eq!(turn.rate(&system.initial_position(), &system.initial_velocity()), 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Coordinate {
    /// Number of the sensor in its system.
    sensor: usize,
    bodies: [Option<usize>; 2],
    geometry: Geometry,
}

impl Coordinate {
    /// What the sensor of this name measures, if it is one number.
    pub(super) fn measured_by(sensors: &[PlacedSensor], name: &str) -> Option<Self> {
        let sensor = sensors.iter().position(|sensor| sensor.name == name)?;
        let PlacedSensor { kind, bodies, geometries, .. } = &sensors[sensor];
        match (kind, &geometries[..]) {
            (SensorKind::Way, _) => None,
            (_, [geometry]) => Some(Coordinate { sensor, bodies: *bodies, geometry: *geometry }),
            _ => None,
        }
    }

    /// The same for what errors call `owner`.
    pub(super) fn of(owner: &str, name: &str, sensors: &[PlacedSensor]) -> Result<Self, SpatialModelError> {
        Self::measured_by(sensors, name).ok_or_else(|| {
            let scalar = sensors.iter().filter(|own| own.is_scalar());
            let known: Vec<&str> = scalar.map(|own| own.name.as_str()).collect();
            let (owner, sensor) = (owner.to_owned(), name.to_owned());
            SpatialModelError::UnknownSensor { owner, sensor, known: known.join(", ") }
        })
    }

    pub(super) fn bodies(&self) -> [Option<usize>; 2] {
        self.bodies
    }

    /// Number of the sensor in its system.
    pub(super) fn sensor(&self) -> usize {
        self.sensor
    }

    pub(super) fn is_angle(&self) -> bool {
        matches!(self.geometry, Geometry::Angle { .. })
    }

    pub(super) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// `θ̇` (m/s or rad/s).
    #[must_use]
    pub fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        let pair = Pair::read(q, v, self.bodies);
        self.geometry.gradient(&pair).rate(&pair.twists)
    }

    /// Change of `θ̇` with the increment `dq` of the positions and the change `dv` of the velocities, both as long as `v`.
    #[must_use]
    pub fn rate_change(&self, State { q, v }: State<'_>, StateChange { dq, dv }: StateChange<'_>) -> f64 {
        let pair = Pair::read(q, v, self.bodies);
        let along = |x: &[f64]| Pair::read(q, x, self.bodies).twists;
        let of_positions = self.geometry.hessian(&pair).rate_gradient(&pair.twists).rate(&along(dq));
        of_positions + self.geometry.gradient(&pair).rate(&along(dv))
    }

    /// Adds `∇θ ℓ`, as long as the velocities.
    pub fn add_force(&self, q: &[f64], load: f64, out: &mut [f64]) {
        let mut force = Gradient::default();
        force.add(load, &self.geometry.gradient(&Pair::read(q, &[], self.bodies)));
        scatter(self.bodies, &force, out);
    }

    /// Gives the blocks of `∂(∇θ ℓ)/∂q`: two bodies and 36 numbers by columns.
    pub fn give_stiffness(&self, q: &[f64], load: f64, give: impl FnMut(usize, usize, &[f64])) {
        let mut stiffness = Hessian::default();
        self.geometry.add_hessian(load, &Pair::read(q, &[], self.bodies), &mut stiffness);
        give_blocks(self.bodies, &stiffness, give);
    }
}
