//! The energy of a run, found from what it shows and the model file alone: states, events, impulses.
//!
//! Nothing of a run's own balance is used. The formulas are those of mechanics, written for whole models:
//!
//! ```text
//!   E = Σ ½ vᵀ M v + ½ qᵀ K q − fᵀ q + Σ springs ½ k (stretch)² + Σ joints ½ gᵀ K g
//!   contacts = Σ P (U⁻ + U⁺)/2 over the impacts        obstacles = Σ P V
//! ```

use cosimo::master::{ContactEventKind, Impacts};
use cosimo::model::{
    BodyFrameSpec, BodyRef, ForceLaw, ForceSpec, LawSpec, LinearSpec, LinearSpringSpec, ModelSpec,
    MultibodySpec, NodeSpec, PlaceSpec, PlanarSpec, PlaneSpec, PointSpec, RigidBodySpec, SpringEnds,
    SubsystemKind, SubsystemSpec,
};
use nalgebra::{DVector, Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector2, Vector3};

use crate::{Event, Run};

/// What happened to the energy of a run (J).
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Energy at the end less energy at the start.
    pub change: f64,
    /// Work of the impacts, `Σ P (U⁻ + U⁺)/2`, and of contacts inside nonsmooth integrators, as these record it.
    pub contact: f64,
    /// Work of obstacles that move.
    pub external: f64,
    /// Largest kinetic energy on the way, the size of things.
    pub scale: f64,
}

impl Measured {
    /// Measures a run of a model without dampers and loads over time.
    #[must_use]
    pub fn of(model: &ModelSpec, run: &Run) -> Self {
        let last = run.times.len() - 1;
        let values = |k: usize| energy(model, run, k);
        let (start, end) = (values(0), values(last));
        let stride = (last / 200).max(1);
        let scale = (0..=last).step_by(stride).map(|k| values(k).0).fold(0.0, f64::max);
        let is_plain = model.master.impacts != Impacts::SubStep;
        let obstacle = |subsystem| obstacles(subsystem, run, is_plain);
        Self {
            change: (end.0 + end.1) - (start.0 + start.1),
            contact: work_of_impacts(run) + work_inside(run),
            external: model.subsystems.iter().map(obstacle).sum(),
            scale,
        }
    }

    /// What is left unexplained: energy that the integration has made.
    #[must_use]
    pub fn drift(&self) -> f64 {
        self.change - self.contact - self.external
    }
}

/// Work of the impacts (J), `Σ P (U⁻ + U⁺)/2`; loads on closed contacts do none. A touch may close a contact without an impact, as
/// the events say by its work. Where the plain problem takes a step, a contact may be stopped and closed in one: a closing with an
/// approach and without an impact in its step.
fn work_of_impacts(run: &Run) -> f64 {
    let work = |event: &Event| 0.5 * event.impulse * (event.velocities[0] + event.velocities[1]);
    let step = |event: &Event| run.times.partition_point(|t| *t < event.time);
    let is_hit = |event: &&Event| match event.kind {
        ContactEventKind::Impact => true,
        ContactEventKind::Closing => {
            let impacts = run.events_at(&event.contact, ContactEventKind::Impact);
            let is_alone = !impacts.iter().any(|impact| step(impact) == step(event));
            event.work != 0.0 || (event.velocities[0] < 0.0 && is_alone)
        }
        _ => false,
    };
    run.events.iter().filter(is_hit).map(work).sum()
}

/// Work of the contacts inside nonsmooth integrators (J), of all steps.
fn work_inside(run: &Run) -> f64 {
    let ends = [".step.contact", ".step.impact", ".step.friction"];
    let names = run.labels().iter().filter(|name| ends.iter().any(|end| name.ends_with(end)));
    names.map(|name| run.column(name).iter().sum::<f64>()).sum()
}

/// Kinetic and potential energy (J) at communication point `k`.
pub(crate) fn energy(model: &ModelSpec, run: &Run, k: usize) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for subsystem in &model.subsystems {
        let of_kind = if let SubsystemKind::Node(node) = &subsystem.kind {
            node_energy(node, &subsystem.name, run, k)
        } else if let SubsystemKind::Linear(linear) = &subsystem.kind {
            linear_energy(linear, &subsystem.name, run, k)
        } else if let SubsystemKind::Planar(planar) = &subsystem.kind {
            planar_energy(planar, &subsystem.name, run, k)
        } else if let SubsystemKind::Multibody(system) = &subsystem.kind {
            multibody_energy(system, &subsystem.name, run, k)
        } else if let SubsystemKind::RigidBody(body) = &subsystem.kind {
            rigid_body_energy(body, &subsystem.name, run, k)
        } else if let SubsystemKind::Controller(_) = &subsystem.kind {
            (0.0, 0.0)
        } else {
            panic!("the energy of subsystem `{}` is not known here", subsystem.name)
        };
        sum = (sum.0 + of_kind.0, sum.1 + of_kind.1);
    }
    (sum.0, sum.1 + joint_energy(model, run, k))
}

fn node_energy(node: &NodeSpec, name: &str, run: &Run, k: usize) -> (f64, f64) {
    let vector = |names: [&str; 3]| Vector3::from(names.map(|axis| run.value(&format!("{name}.{axis}"), k)));
    let (q, v) = (vector(["x", "y", "z"]), vector(["vx", "vy", "vz"]));
    let force = node.mass * Vector3::from(node.gravity) + Vector3::from(node.force);
    let spin = node.inertia.map_or(0.0, |inertia| inertia * vector(["wx", "wy", "wz"]).norm_squared());
    (0.5 * (node.mass * v.norm_squared() + spin), -force.dot(&q))
}

fn linear_energy(linear: &LinearSpec, name: &str, run: &Run, k: usize) -> (f64, f64) {
    let vector = |prefix: &str| {
        let names = linear.coordinates.iter().map(|c| run.value(&format!("{name}.{prefix}{c}"), k));
        DVector::from_iterator(linear.coordinates.len(), names)
    };
    let (q, v) = (vector(""), vector("v_"));
    let (mass, stiffness) = (linear.mass.to_dense(), linear.stiffness.to_dense());
    let weight = &mass * DVector::from_element(q.len(), linear.gravity);
    let constant = (DVector::from_column_slice(&linear.force) + weight).dot(&q);
    let springs: f64 = linear.springs.iter().map(|spring| spring_energy(spring, &q)).sum();
    (0.5 * v.dot(&(mass * &v)), 0.5 * q.dot(&(stiffness * &q)) - constant + springs)
}

fn spring_energy(spring: &LinearSpringSpec, q: &DVector<f64>) -> f64 {
    let of = |displacement: f64| 0.5 * spring.stiffness * (displacement - spring.rest).powi(2);
    match spring.ends {
        SpringEnds::Between(a, b) => of(q[a] - q[b]),
        SpringEnds::Ground(a) => of(q[a]),
        SpringEnds::Chain(first, last) => (first..last).map(|i| of(q[i] - q[i + 1])).sum(),
    }
}

fn planar_energy(planar: &PlanarSpec, name: &str, run: &Run, k: usize) -> (f64, f64) {
    let value = |body: usize, quantity: &str| {
        run.value(&format!("{name}.{}.{quantity}", planar.bodies[body].name), k)
    };
    let mut sum = (0.0, 0.0);
    for (i, body) in planar.bodies.iter().enumerate() {
        let v = Vector2::new(value(i, "vx"), value(i, "vy"));
        sum.0 += 0.5 * (body.mass * v.norm_squared() + body.inertia * value(i, "omega").powi(2));
        sum.1 -= body.mass * Vector2::from(planar.gravity).dot(&Vector2::new(value(i, "x"), value(i, "y")));
    }
    let place = |point: &PointSpec| match point.body {
        BodyRef::Ground => Vector2::from(point.point),
        BodyRef::Body(i) => {
            let (sine, cosine) = value(i, "angle").sin_cos();
            let [x, y] = point.point;
            Vector2::new(value(i, "x") + cosine * x - sine * y, value(i, "y") + sine * x + cosine * y)
        }
    };
    for spring in &planar.springs {
        let length = (place(&spring.between[0]) - place(&spring.between[1])).norm();
        sum.1 += 0.5 * spring.stiffness * (length - spring.length).powi(2);
    }
    sum
}

/// Bodies under gravity, with springs between given points.
fn multibody_energy(system: &MultibodySpec, name: &str, run: &Run, k: usize) -> (f64, f64) {
    let poses: Vec<_> =
        system.bodies.iter().map(|body| Pose::of(run, &format!("{name}.{}", body.name), k)).collect();
    let mut sum = (0.0, 0.0);
    for (body, pose) in system.bodies.iter().zip(&poses) {
        let inertia: Matrix3<f64> = body.inertia.to_dense().fixed_view::<3, 3>(0, 0).into_owned();
        sum.0 += pose.kinetic(body.mass, &inertia);
        sum.1 -= body.mass * Vector3::from(system.gravity).dot(&pose.place);
    }
    sum.1 += system.forces.iter().map(|force| force_energy(system, force, &poses)).sum::<f64>();
    sum
}

fn force_energy(system: &MultibodySpec, force: &ForceSpec, poses: &[Pose]) -> f64 {
    match (&force.law, &force.place) {
        (ForceLaw::LinearActuator(_) | ForceLaw::RotaryActuator(_), _) => 0.0,
        (
            ForceLaw::Spring { stiffness, length: Some(length), preload: 0.0, .. },
            PlaceSpec::Frames(frames),
        ) => {
            let place = |frame: &BodyFrameSpec| match frame.body {
                BodyRef::Ground => Vector3::from(frame.point),
                BodyRef::Body(i) => {
                    let arm = Vector3::from(frame.point) - Vector3::from(system.bodies[i].centre_of_mass);
                    poses[i].place + poses[i].turn * arm
                }
            };
            0.5 * stiffness * ((place(&frames[0]) - place(&frames[1])).norm() - length).powi(2)
        }
        _ => panic!("the energy of force `{}` is not known here", force.name),
    }
}

fn rigid_body_energy(body: &RigidBodySpec, name: &str, run: &Run, k: usize) -> (f64, f64) {
    let pose = Pose::of(run, name, k);
    let inertia: Matrix3<f64> = body.inertia.to_dense().fixed_view::<3, 3>(0, 0).into_owned();
    (pose.kinetic(body.mass, &inertia), -body.mass * Vector3::from(body.gravity).dot(&pose.place))
}

/// Where a body is in space, and how it moves.
struct Pose {
    place: Vector3<f64>,
    turn: UnitQuaternion<f64>,
    velocity: Vector3<f64>,
    /// In the axes of the world.
    spin: Vector3<f64>,
}

impl Pose {
    fn of(run: &Run, name: &str, k: usize) -> Self {
        let vector =
            |names: [&str; 3]| Vector3::from(names.map(|part| run.value(&format!("{name}.{part}"), k)));
        let real = run.value(&format!("{name}.qw"), k);
        let turn = UnitQuaternion::new_normalize(Quaternion::from_parts(real, vector(["qx", "qy", "qz"])));
        let (velocity, spin) = (vector(["vx", "vy", "vz"]), vector(["wx", "wy", "wz"]));
        Self { place: vector(["x", "y", "z"]), turn, velocity, spin }
    }

    fn kinetic(&self, mass: f64, inertia: &Matrix3<f64>) -> f64 {
        let spin = self.turn.inverse() * self.spin;
        0.5 * (mass * self.velocity.norm_squared() + spin.dot(&(inertia * spin)))
    }
}

/// Energy of the springs of compliant interfaces, by their gaps.
fn joint_energy(model: &ModelSpec, run: &Run, k: usize) -> f64 {
    let of_joint = |joint: &cosimo::model::InterfaceSpec| {
        let size = joint.size();
        let label = |i: usize| if size == 1 { "gap".to_owned() } else { format!("gap_{i}") };
        let gap = (0..size).map(|i| run.value(&format!("{}.{}", joint.name, label(i)), k));
        let gap = DVector::from_iterator(size, gap);
        match &joint.law {
            LawSpec::Compliant { stiffness, .. } => 0.5 * gap.dot(&(stiffness.to_dense() * &gap)),
            LawSpec::Tikhonov { constant } => 0.5 * gap.norm_squared() / constant,
            _ => 0.0,
        }
    };
    model.interfaces.iter().map(of_joint).sum()
}

/// Work of the moving planes of a node (J): impacts by the speed of the plane at that instant, loads by its way over the
/// step. Inside a step the speed is linear in time, as the scheme has it; the plain scheme knows loads over steps only.
fn obstacles(subsystem: &SubsystemSpec, run: &Run, is_plain: bool) -> f64 {
    let SubsystemKind::Node(node) = &subsystem.kind else { return 0.0 };
    let zero = [0.0; 3];
    let is_moving = |p: &&PlaneSpec| p.velocity != zero || p.amplitude != zero || p.angular_velocity != zero;
    let moving = node.planes.iter().filter(is_moving);
    moving.map(|plane| work_of_plane(plane, &subsystem.name, run, is_plain)).sum()
}

/// Speed (m/s) of a plane along its normal, `n·ṗ − ṅ·(x − p)`, where the node is at communication point `k`.
fn speed_of_plane(plane: &PlaneSpec, node: &str, run: &Run, k: usize) -> f64 {
    let t = run.times[k];
    let [point, velocity, amplitude, spin] =
        [plane.point, plane.velocity, plane.amplitude, plane.angular_velocity].map(Vector3::from);
    let normal = Rotation3::new(spin * t) * Vector3::from(plane.normal).normalize();
    let phase = plane.frequency * t + plane.phase;
    let point = point + velocity * t + amplitude * phase.sin();
    let velocity = velocity + amplitude * plane.frequency * phase.cos();
    let place = Vector3::from(["x", "y", "z"].map(|axis| run.value(&format!("{node}.{axis}"), k)));
    normal.dot(&velocity) - spin.cross(&normal).dot(&(place - point))
}

fn work_of_plane(plane: &PlaneSpec, node: &str, run: &Run, is_plain: bool) -> f64 {
    let contact = format!("{node}.{}", plane.name);
    let impacts = run.events_at(&contact, ContactEventKind::Impact);
    let closings = run.events_at(&contact, ContactEventKind::Closing);
    let impulses = run.column(&format!("{contact}.impulse"));
    let speeds: Vec<_> = (0..run.times.len()).map(|k| speed_of_plane(plane, node, run, k)).collect();
    let mut work = 0.0;
    for k in 1..run.times.len() {
        let (from, to) = (run.times[k - 1], run.times[k]);
        let speed = |t: f64| speeds[k - 1] + (speeds[k] - speeds[k - 1]) * (t - from) / (to - from);
        // An impact at the very start of the run belongs to the first step.
        let is_inside = |event: &&&Event| !is_plain && (k == 1 || event.time > from) && event.time <= to;
        let mut load = impulses[k];
        for event in impacts.iter().filter(is_inside) {
            load -= event.impulse;
            work += event.impulse * speed(event.time);
        }
        // A load that begins at a closing acts over the rest of the step.
        let begin = closings.iter().filter(is_inside).map(|event| event.time).next().unwrap_or(from);
        work += load * speed(0.5 * (begin + to));
    }
    work
}
