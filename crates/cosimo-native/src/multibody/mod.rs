//! A spatial multibody system as a subsystem.

mod contacts;
mod ports;
pub(crate) mod quantities;
mod rows;

use cosimo_mechanics::{ContactLaw, TimeInput};
use cosimo_multibody::spatial::{PlacedContact, PoolSlots, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, Formulation, Method, TangentPolicy};
use cosimo_subsystem::scene::Appearance;
use cosimo_subsystem::{ContactPool, ContactSpec, Description, Excitation, PortSpec, Quantity, SignalInput};

use crate::ConstrainedMotion;
use crate::MechanismError;
use crate::constrained::{self, Constrained, FollowedError, TOLERANCE, capabilities, default_formulation};
use crate::error::cannot_start;
use contacts::Contacts;
pub use ports::MultibodyPort;
pub(crate) use ports::PortRows;
pub use rows::SpatialRows;

/// A spatial multibody system. Built by [`MultibodyBuilder`].
pub type Multibody = Constrained<SpatialRows>;

/// Error of a step whose size follows it, relative to `1 + max |q|` and `1 + max |v|`.
const ERROR_TOLERANCE: f64 = 1e-6;

/// Bodies, joints and forces in space, joined to others at body points and frames.
///
/// Bodies start as their model says. What the sensors show are outputs as well. Every body shows `name.x`, `name.y`, `name.z` (m), `name.qw` … `name.qz`, `name.vx` …
/// (m/s) and `name.wx` … (rad/s) of its centre of mass in world axes, every joint `name.fx` … (N) and `name.mx` … (N m), what
/// it does to its second body about the second frame's point, and all joints together `residual`, the largest violation.
///
/// ```
/// use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel};
/// use cosimo_native::{MultibodyBuilder, MultibodyPort};
/// use cosimo_subsystem::Subsystem;
/// use nalgebra::Matrix3;
///
/// let bob = RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?;
/// let system = SpatialModel::new()
///     .with_gravity([0.0, 0.0, -9.81])
///     .with_body(Body::new("bob", bob).with_position([0.0, 0.0, -1.0]))
///     .with_joint_at("hinge", JointKind::Revolute, [None, Some("bob")], ([0.0; 3], [0.0, 1.0, 0.0]))
///     .build()?;
/// let pendulum = MultibodyBuilder::new("pendulum", system)
///     .with_port("bob", MultibodyPort::point("bob", [0.0; 3]))
///     .build()?;
/// assert_eq!(pendulum.rows().positions, [0.0, 0.0, -1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MultibodyBuilder {
    name: String,
    system: SpatialSystem,
    method: Method,
    formulation: Option<Formulation>,
    tolerance: f64,
    newton: TangentPolicy,
    max_iterations: usize,
    error_tolerance: f64,
    time: f64,
    ports: Vec<(String, MultibodyPort)>,
    contacts: Vec<(String, ContactLaw)>,
    longest_step: Option<f64>,
    excitations: Vec<Excitation>,
    inputs: Vec<(SignalInput, TimeInput)>,
    start: Option<[Vec<f64>; 2]>,
}

impl MultibodyBuilder {
    /// This system, stepped by the midpoint rule.
    #[must_use]
    pub fn new(name: impl Into<String>, system: SpatialSystem) -> Self {
        Self {
            name: name.into(),
            system,
            method: Method::Midpoint,
            formulation: None,
            tolerance: TOLERANCE,
            newton: TangentPolicy::Modified,
            max_iterations: DaeSettings::default().max_iterations,
            error_tolerance: ERROR_TOLERANCE,
            time: 0.0,
            ports: Vec::new(),
            contacts: Vec::new(),
            longest_step: None,
            excitations: Vec::new(),
            inputs: Vec::new(),
            start: None,
        }
    }

    /// Sets the step rule, by default `Midpoint`. Rigid joints to nodes, and to all that impacts reach, ask for rules whose loads
    /// are means: `Midpoint` or `ImplicitEuler`. `Bdf` of order 2 and more and `AdaptiveBdf` serve systems without ports: their
    /// points before the start know nothing of loads, and steps that follow the error have no inverse mass. With `AdaptiveBdf` a
    /// macro step is made of as many steps as the error asks for.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets at which levels the constraints are imposed. The midpoint rule goes with `PositionVelocity`, its default, and
    /// `Velocity`; the default of the others, which go with all, is `PositionVelocityAcceleration`. Without positions among what
    /// is imposed the joints drift apart, which the quantity `residual` shows.
    #[must_use]
    pub fn with_formulation(mut self, formulation: Formulation) -> Self {
        self.formulation = Some(formulation);
        self
    }

    /// Sets the error of the velocities that the solution of a step may leave, relative to `1 + max |v|` (–); default 1e-12.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets how often the matrix of a step is factorised, by default `Modified`.
    #[must_use]
    pub fn with_newton(mut self, newton: TangentPolicy) -> Self {
        self.newton = newton;
        self
    }

    /// Sets the iterations that the solution of a step may take, default 30.
    #[must_use]
    pub fn with_max_iterations(mut self, count: usize) -> Self {
        self.max_iterations = count;
        self
    }

    /// Sets the error of a step (–) that `AdaptiveBdf` follows, see [`cosimo_smooth::dae::ErrorControl`]; default 1e-6.
    #[must_use]
    pub fn with_error_tolerance(mut self, tolerance: f64) -> Self {
        self.error_tolerance = tolerance;
        self
    }

    /// Sets the initial time (s), default 0.
    #[must_use]
    pub fn with_initial_time(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    /// Sets positions and velocities at the start, such as those of an equilibrium, in place of the model's.
    #[must_use]
    pub fn with_initial_state(mut self, q: impl Into<Vec<f64>>, v: impl Into<Vec<f64>>) -> Self {
        self.start = Some([q.into(), v.into()]);
        self
    }

    /// Adds a port.
    #[must_use]
    pub fn with_port(mut self, name: impl Into<String>, port: MultibodyPort) -> Self {
        self.ports.push((name.into(), port));
        self
    }

    /// Sets the longest step (s) that will be taken: so far [pools](cosimo_multibody::spatial::ContactPool) of contacts look ahead. In
    /// longer ones they look at every pair.
    #[must_use]
    pub fn with_longest_step(mut self, step: f64) -> Self {
        self.longest_step = Some(step);
        self
    }

    /// Gives a contact of the system, or all of a pool, its law: restitution, and friction where surfaces slide. Every contact and pool
    /// needs one, in any order, which is that of the gaps; those of pools are the last.
    #[must_use]
    pub fn with_contact(mut self, contact: impl Into<String>, law: ContactLaw) -> Self {
        self.contacts.push((contact.into(), law));
        self
    }

    /// Tells of an input over time that is known beforehand, such as a load that a user function takes from a table: steps that
    /// follow the error do not pass over it.
    #[must_use]
    pub fn with_excitation(mut self, excitation: Excitation) -> Self {
        self.excitations.push(excitation);
        self
    }

    /// Adds a signal that drives an input over time of the system: of a force, which is any, or of the motion of a joint, which must be
    /// held as [`Hold::Smooth`](cosimo_subsystem::Hold::Smooth) and have as default the number at which the joint starts.
    ///
    /// Outputs are what the sensors show, by the names of those quantities.
    #[must_use]
    pub fn with_input(mut self, signal: SignalInput, input: TimeInput) -> Self {
        self.inputs.push((signal, input));
        self
    }

    /// Builds the subsystem.
    ///
    /// # Errors
    /// A method or a formulation that cannot serve, a port of a body that does not exist, numbers that are not finite, names
    /// given twice, or a start that cannot be made consistent: the joint that stays open is named.
    pub fn build(mut self) -> Result<Multibody, MechanismError> {
        self.check()?;
        let rule = self.method.rule().map_err(cannot_start(&self.name))?;
        let (specs, ports) = place_ports(&self.system, &self.ports).map_err(|reason| self.refuse(reason))?;
        let (mut contact_specs, contacts) = self.find_contacts()?;
        let slips = contact_specs.iter().map(ContactSpec::slips);
        let contacts = contacts.into_iter().zip(slips).collect();
        let quantities = self.quantities(&contact_specs);
        let points = self.ports.iter().filter_map(|(_, port)| port.place());
        self.system = self.system.with_seen_points(points);
        let (pools, slots) = self.find_pools(&mut contact_specs)?;
        let contacts = Contacts::new(ports.len(), contacts, slots);
        // Steps that follow the error themselves see to their inputs.
        let inputs = std::mem::take(&mut self.excitations);
        let (own, excitations) = match self.method {
            Method::AdaptiveBdf { .. } => (inputs, Vec::new()),
            _ => {
                let share = rule.end_share();
                (Vec::new(), inputs.into_iter().map(|input| input.weighing_ends(share)).collect())
            }
        };
        let (inputs, time_inputs) = std::mem::take(&mut self.inputs).into_iter().unzip();
        let description = Description {
            name: self.name.clone(),
            capabilities: capabilities(rule.as_ref(), !specs.is_empty()),
            ports: specs,
            inputs,
            outputs: quantities::outputs(&self.system),
            quantities: quantities.into_iter().chain(contacts.pools.quantities()).collect(),
            appearance: appearance(&self.system, &contact_specs),
            contacts: contact_specs,
            pools,
            excitations,
            rule: rule.label(),
            ..Description::default()
        };
        description.validate()?;
        let [q, v] = self.start_of_motion()?;
        let start = (self.time, q, v);
        let settings = DaeSettings {
            formulation: self.chosen_formulation(),
            tangent: self.newton,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            ..DaeSettings::default()
        };
        let followed = matches!(self.method, Method::AdaptiveBdf { .. })
            .then_some(FollowedError { tolerance: self.error_tolerance, excitations: own });
        let rows = SpatialRows::new(ports, contacts, time_inputs);
        let system = rows.loaded(self.system);
        let started =
            ConstrainedMotion::start((description, followed), (system, rows), (self.method, settings), start);
        let started = started.map_err(cannot_start(&self.name))?;
        started.check_pools()?;
        Ok(started)
    }

    fn chosen_formulation(&self) -> Formulation {
        self.formulation.unwrap_or_else(|| default_formulation(self.method))
    }

    fn check(&self) -> Result<(), MechanismError> {
        let takes_loads = !matches!(self.method, Method::Bdf { order: 2.. } | Method::AdaptiveBdf { .. });
        let has_rows = !(self.ports.is_empty() && self.contacts.is_empty());
        if has_rows && !takes_loads {
            return Err(MechanismError::Method { subsystem: self.name.clone(), method: self.method });
        }
        if let Some(reason) = self.misfit() {
            let (subsystem, method) = (self.name.clone(), self.method);
            let formulation = self.chosen_formulation();
            return Err(MechanismError::Formulation { subsystem, formulation, method, reason });
        }
        self.check_numbers()
    }

    fn check_numbers(&self) -> Result<(), MechanismError> {
        let tolerance = self.tolerance;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(self.refuse(format!("the tolerance is {tolerance}, must be positive and finite")));
        }
        if let Some(step) = self.longest_step.filter(|step| !(*step > 0.0 && step.is_finite())) {
            return Err(self.refuse(format!("the longest step is {step} s, must be positive and finite")));
        }
        if self.max_iterations == 0 {
            return Err(self.refuse("no iterations are allowed, must be at least 1".to_owned()));
        }
        if !self.time.is_finite() {
            return Err(self.refuse("the initial time is not finite".to_owned()));
        }
        Ok(())
    }

    /// Why the formulation does not go with the method.
    fn misfit(&self) -> Option<&'static str> {
        match (self.method, self.chosen_formulation()) {
            (method, Formulation::PositionVelocity | Formulation::Velocity) if method.takes_means() => None,
            (method, _) if method.takes_means() => Some(
                "whose reactions are means over a step and impose velocities: use PositionVelocity or Velocity, or another method",
            ),
            (Method::AdaptiveBdf { .. }, Formulation::Position) => Some(
                "whose steps change, which makes reactions and velocities of index 3 jump, so that the error stays: use a \
                 formulation that imposes velocities or accelerations",
            ),
            _ => None,
        }
    }

    /// Positions and velocities at the start.
    fn start_of_motion(&mut self) -> Result<[Vec<f64>; 2], MechanismError> {
        let written = [self.system.initial_position(), self.system.initial_velocity()];
        let Some(start) = self.start.take() else { return Ok(written) };
        for ((own, written), what) in start.iter().zip(&written).zip(["positions", "velocities"]) {
            if own.len() != written.len() {
                let reason = format!("{} {what} at the start, the system has {}", own.len(), written.len());
                return Err(self.refuse(reason));
            }
        }
        Ok(start)
    }

    fn refuse(&self, reason: String) -> MechanismError {
        MechanismError::Parameter { subsystem: self.name.clone(), reason }
    }

    fn quantities(&self, contacts: &[ContactSpec]) -> Vec<Quantity> {
        let mut all = quantities::quantities(&self.system);
        all.extend(constrained::contacts::quantities(contacts));
        all
    }

    fn find_contacts(&self) -> Result<(Vec<ContactSpec>, Vec<PlacedContact>), MechanismError> {
        let lawless = |name: &&str| !self.contacts.iter().any(|(own, _)| own == name);
        if let Some(name) = self.system.contact_names().chain(self.system.pool_names()).find(lawless) {
            return Err(self.refuse(format!("contact `{name}` has no law; give it one by `with_contact`")));
        }
        let is_single = |(name, _): &&(String, ContactLaw)| !self.system.pool_names().any(|own| own == name);
        let single = self.contacts.iter().filter(is_single);
        let found = single.map(|(name, law)| contacts::find(&self.system, name, *law));
        let found: Result<Vec<_>, _> = found.collect();
        Ok(found.map_err(|reason| self.refuse(reason))?.into_iter().unzip())
    }

    /// The pools of contacts with their slots and the slips of a contact; the contacts join those that are known.
    #[expect(clippy::type_complexity, reason = "read once, where it is made")]
    fn find_pools(
        &self,
        specs: &mut Vec<ContactSpec>,
    ) -> Result<(Vec<ContactPool>, Vec<(PoolSlots, usize)>), MechanismError> {
        let (mut pools, mut slots) = (Vec::new(), Vec::new());
        for (name, law) in
            self.contacts.iter().filter(|(name, _)| self.system.pool_names().any(|own| own == name))
        {
            let Some(step) = self.longest_step else {
                let reason =
                    format!("contact `{name}` is a pool; say the longest step by `with_longest_step`");
                return Err(self.refuse(reason));
            };
            let found = contacts::find_pool(&self.system, (name, *law), step);
            let (own, found) = found.map_err(|reason| self.refuse(reason))?;
            let contacts = specs.len()..specs.len() + own.len();
            let bodies = found.bodies().map(str::to_owned).collect();
            pools.push(ContactPool { name: name.clone(), contacts, bodies });
            slots.push((found, own.first().map_or(0, ContactSpec::slips)));
            specs.extend(own);
        }
        Ok((pools, slots))
    }
}

/// What a system with these contacts looks like.
fn appearance(system: &SpatialSystem, contacts: &[ContactSpec]) -> Appearance {
    let contacts = contacts.iter().map(|contact| contact.name.clone()).collect();
    Appearance { contacts, ..system.appearance().clone() }
}

/// Finds bodies and sensors of ports; what is wrong with one.
pub(crate) fn place_ports(
    system: &SpatialSystem,
    ports: &[(String, MultibodyPort)],
) -> Result<(Vec<PortSpec>, PortRows), String> {
    let mut specs = Vec::with_capacity(ports.len());
    let mut placed = Vec::with_capacity(ports.len());
    for (name, port) in ports {
        placed.push(port.placed(system).map_err(|reason| format!("port `{name}`: {reason}"))?);
        specs.push(match port {
            MultibodyPort::Along { .. } | MultibodyPort::Sensor { .. } => PortSpec::new(name, 1),
            MultibodyPort::Point { .. } => PortSpec::new(name, 3),
            MultibodyPort::Frame { .. } => PortSpec::frame(name),
        });
    }
    Ok((specs, PortRows::new(placed)))
}
