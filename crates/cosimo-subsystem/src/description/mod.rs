//! What a subsystem says about itself.

use std::collections::BTreeSet;

use cosimo_mechanics::ImpulseMoments;
use cosimo_scene::Appearance;
use serde::{Deserialize, Serialize};

use crate::{Excitation, MacroStep, PortMotion, Signal, StepLoads, SubsystemError};

mod contact;
mod pool;
mod port;
mod signal;

pub use contact::{ContactSpec, PortAttachment};
pub use pool::ContactPool;
pub use port::PortSpec;
pub use signal::{Hold, SignalInput, SignalOutput};

/// A quantity that can be recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// Name, unique among the subsystem's quantities.
    pub name: String,
    /// Unit, e.g. `m/s`; empty for a number.
    pub unit: String,
}

/// How much a subsystem knows of its inverse mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum InverseMass {
    /// [`StepResponse::inverse_mass`](crate::StepResponse::inverse_mass) is the derivative of the answer.
    Exact,
    /// The subsystem does not know it; the field is zero.
    #[default]
    Unknown,
}

/// What a subsystem can do. By default, nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capabilities {
    /// Whether the inverse mass is given; of a subsystem with load ports, whether its tangents are.
    pub inverse_mass: InverseMass,
    /// Whether the answer of the rows to impulses is exactly affine: no re-evaluation is needed. Of a subsystem with load ports,
    /// whether its loads are affine in the motion at the end of the step.
    pub is_affine: bool,
    /// Whether a step can be discarded, and states saved and restored.
    pub can_roll_back: bool,
    /// Whether the subsystem takes impulses inside a step and velocity jumps. Without, jumps between steps may be possible
    /// nevertheless; the master tries.
    pub takes_impulses: bool,
    /// Whether velocity jumps between steps are taken, though not impulses inside one. A cluster with such a subsystem that is not affine has
    /// its impacts between parts of steps, and needs no others.
    pub takes_jumps: bool,
    /// Whether the step size may change from step to step.
    pub has_variable_step: bool,
    /// Whether a step takes [moves](crate::StepLoads::moves) that close the gaps of joints.
    pub takes_moves: bool,
    /// Whether its rule cannot pass on a given [momentum](crate::StepLoads::momenta): backward differentiation of an order above 1 keeps
    /// no past of loads. It is then joined by finite forces alone.
    pub lacks_momenta: bool,
    /// Whether it captures impacts in steps of its own: its own impacts and those that joints pass on to it act as momenta over a step, at no
    /// instant inside.
    pub captures_impacts: bool,
    /// Whether it has impacts inside its steps, at instants that others do not see: joints that pass impulses would have to pass them on, and
    /// cannot.
    pub keeps_impacts: bool,
    /// Whether no force depends on its positions: a move changes nothing else, and the response to it is the inverse mass.
    pub is_strain_free: bool,
}

/// Name, ports, contacts, signals, quantities and capabilities: everything that is known before the first step.
///
/// A new one is written with its own fields and the rest by default:
///
/// ```
/// use cosimo_subsystem::{Description, PortSpec};
/// let load = Description { load_ports: vec![PortSpec::new("hub", 1)], ..Description::new("drag") };
/// assert!(load.validate().is_ok() && load.rows() == 0);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Description {
    /// Name, unique in the model.
    pub name: String,
    /// Ports; their coordinates are the first rows.
    pub ports: Vec<PortSpec>,
    /// Load ports: they take motion and answer with loads. A subsystem with load ports has no rows.
    pub load_ports: Vec<PortSpec>,
    /// Signals that it takes.
    pub inputs: Vec<SignalInput>,
    /// Signals that it gives.
    pub outputs: Vec<SignalOutput>,
    /// Contacts; their gaps are the rows after the ports', and their slips those after all gaps.
    pub contacts: Vec<ContactSpec>,
    /// Contacts that are between pairs of many bodies by turns, in the order of the contacts.
    pub pools: Vec<ContactPool>,
    /// Quantities in the order of [`Subsystem::observe`](crate::Subsystem::observe).
    pub quantities: Vec<Quantity>,
    /// What the subsystem can do.
    pub capabilities: Capabilities,
    /// Name of the rule that integrates its motion, with its parameters: subsystems of one name make the same positions of the same
    /// rates. Empty where it is not known.
    pub rule: String,
    /// Inputs over time that are known beforehand and that its steps sample; of subsystems that see to it themselves, none.
    pub excitations: Vec<Excitation>,
    /// What it looks like: the bodies and contacts that [`Subsystem::look`](crate::Subsystem::look) tells of.
    pub appearance: Appearance,
}

impl Description {
    /// The pool that a contact belongs to.
    #[must_use]
    pub fn pool_of(&self, contact: usize) -> Option<&ContactPool> {
        self.pools.iter().find(|pool| pool.contacts.contains(&contact))
    }

    /// A contact in words that name what it is between: its name; of one of a pool those of the pool and of the bodies.
    #[must_use]
    pub fn contact_label(&self, contact: usize, holders: [u32; 2]) -> String {
        let name = || self.contacts.get(contact).map(|own| own.name.clone()).unwrap_or_default();
        self.pool_of(contact).and_then(|pool| pool.label(holders)).unwrap_or_else(name)
    }

    /// A subsystem of this name without ports, contacts, signals or capabilities.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Number of coordinates of all load ports.
    #[must_use]
    pub fn load_coordinates(&self) -> usize {
        self.load_ports.iter().map(|port| port.size).sum()
    }

    /// Number of load ports that are frames.
    #[must_use]
    pub fn load_frames(&self) -> usize {
        self.load_ports.iter().filter(|port| port.is_frame).count()
    }

    /// Number of rows that belong to ports.
    #[must_use]
    pub fn port_rows(&self) -> usize {
        self.ports.iter().map(|port| port.size).sum()
    }

    /// Number of all rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.port_rows() + self.contact_rows()
    }

    /// Number of rows that belong to contacts: gaps and slips.
    #[must_use]
    pub fn contact_rows(&self) -> usize {
        self.contacts.iter().map(|contact| 1 + contact.slips()).sum()
    }

    /// The loads on the rows of every contact, by its number: of the gap, then of the slips, zero where there are none.
    pub fn contact_loads<'a>(&'a self, loads: &'a [f64]) -> impl Iterator<Item = (usize, [f64; 3])> + 'a {
        let first = self.port_rows();
        let mut slip = first + self.contacts.len();
        self.contacts.iter().enumerate().map(move |(number, contact)| {
            let mut own = [0.0; 3];
            own[0] = loads.get(first + number).copied().unwrap_or(0.0);
            let slips = loads.get(slip..).unwrap_or_default().iter().take(contact.slips());
            own[1..].iter_mut().zip(slips).for_each(|(own, load)| *own = *load);
            slip += contact.slips();
            (number, own)
        })
    }

    /// First row of port `index`.
    #[must_use]
    pub fn port_row(&self, index: usize) -> usize {
        self.ports[..index].iter().map(|port| port.size).sum()
    }

    /// First row and place among [`RowState::orientations`](crate::RowState::orientations) of every port that is a
    /// frame, in the order of the ports.
    pub fn frames(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        frames_of(&self.ports)
    }

    /// First coordinate and place among [`PortState::orientations`](crate::PortState::orientations) of every load port that
    /// is a frame, in the order of the load ports.
    pub fn frames_of_loads(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        frames_of(&self.load_ports)
    }

    /// Index of the port of this name.
    #[must_use]
    pub fn port_index(&self, name: &str) -> Option<usize> {
        self.ports.iter().position(|port| port.name == name)
    }

    fn signal_names(&self) -> impl Iterator<Item = &str> {
        let inputs = self.inputs.iter().map(|input| input.name.as_str());
        inputs.chain(self.outputs.iter().map(|output| output.name.as_str()))
    }

    /// A row in words, by its port or contact: ``coordinate 2 of port `tip` ``.
    #[must_use]
    pub fn row_name(&self, row: usize) -> String {
        let mut first = 0;
        for port in &self.ports {
            if row < first + port.size {
                return match port.size {
                    1 => format!("port `{}`", port.name),
                    _ => format!("coordinate {} of port `{}`", row - first, port.name),
                };
            }
            first += port.size;
        }
        let contact = self.contacts.get(row - first);
        format!("contact `{}`", contact.map_or("", |contact| &contact.name))
    }

    /// Checks loads on the rows.
    ///
    /// # Errors
    /// [`SubsystemError::LoadLength`] or [`SubsystemError::LoadNotFinite`].
    #[inline]
    pub fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.check_loads_on(self.rows(), loads)
    }

    /// The same for one who knows the number of [`rows`](Self::rows) and need not have them counted in every call.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    #[inline]
    pub fn check_loads_on(&self, rows: usize, loads: &[f64]) -> Result<(), SubsystemError> {
        let are_finite = loads.iter().fold(true, |all, x| all & x.is_finite());
        if loads.len() == rows && are_finite { Ok(()) } else { Err(self.bad_loads(loads)) }
    }

    /// Checks the loads of a whole step, impulses inside it included.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    pub fn check_step_loads(&self, loads: &StepLoads) -> Result<(), SubsystemError> {
        self.check_step_loads_on(self.rows(), loads)
    }

    /// The same for one who knows the number of [`rows`](Self::rows).
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    #[inline]
    pub fn check_step_loads_on(&self, rows: usize, loads: &StepLoads) -> Result<(), SubsystemError> {
        self.check_loads_on(rows, &loads.impulses)?;
        if !loads.momenta.is_empty() {
            self.check_loads_on(rows, &loads.momenta)?;
        }
        if loads.has_moves {
            self.check_moves(&loads.moves)?;
        }
        if !self.load_ports.is_empty() {
            self.check_motion(&loads.motion)?;
        }
        if loads.has_moments { self.check_moments(&loads.moments) } else { Ok(()) }
    }

    /// Checks momenta, which are left out where there are none.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    #[inline]
    pub fn check_momenta(&self, momenta: &[f64]) -> Result<(), SubsystemError> {
        if momenta.is_empty() { Ok(()) } else { self.check_loads(momenta) }
    }

    /// Checks moves that close gaps.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads), and [`SubsystemError::Unsupported`] where none are taken.
    pub fn check_moves(&self, moves: &[f64]) -> Result<(), SubsystemError> {
        if !self.capabilities.takes_moves {
            let (subsystem, action) = (self.name.clone(), "take moves that close gaps".into());
            return Err(SubsystemError::Unsupported { subsystem, action });
        }
        self.check_loads(moves)
    }

    /// Checks the moments of impulses inside a step.
    ///
    /// # Errors
    /// As [`check_loads`](Self::check_loads).
    pub fn check_moments(&self, moments: &ImpulseMoments) -> Result<(), SubsystemError> {
        let ImpulseMoments { velocity, velocity_damped, position, position_damped } = moments;
        [velocity, velocity_damped, position, position_damped]
            .into_iter()
            .try_for_each(|part| self.check_loads(part))
    }

    /// Checks the motion of the load ports over a step.
    ///
    /// # Errors
    /// [`SubsystemError::MotionShape`] or [`SubsystemError::MotionNotFinite`].
    pub fn check_motion(&self, motion: &PortMotion) -> Result<(), SubsystemError> {
        let (coordinates, frames) = (self.load_coordinates(), self.load_frames());
        for state in [&motion.start, &motion.end] {
            let fits = state.positions.len() == coordinates && state.velocities.len() == coordinates;
            if !fits || state.orientations.len() != frames {
                return Err(SubsystemError::MotionShape {
                    subsystem: self.name.clone(),
                    coordinates,
                    frames,
                });
            }
            if !state.is_finite() {
                return Err(SubsystemError::MotionNotFinite { subsystem: self.name.clone() });
            }
        }
        Ok(())
    }

    /// Checks the courses of the inputs.
    ///
    /// # Errors
    /// [`SubsystemError::BadInputs`].
    pub fn check_inputs(&self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        let bad = |reason: String| Err(SubsystemError::BadInputs { subsystem: self.name.clone(), reason });
        if inputs.len() != self.inputs.len() {
            return bad(format!("there are {} inputs, {} were set", self.inputs.len(), inputs.len()));
        }
        let is_finite = |signal: &Signal| signal.coefficients.iter().all(|c| c.is_finite());
        match self.inputs.iter().zip(inputs).find(|(_, signal)| !is_finite(signal)) {
            Some((input, _)) => bad(format!("input `{}` is not finite", input.name)),
            None => Ok(()),
        }
    }

    /// Checks the values of the inputs from which outputs are computed, and the number of outputs.
    ///
    /// # Errors
    /// [`SubsystemError::BadInputs`].
    pub fn check_outputs(&self, inputs: &[f64], out: &[f64]) -> Result<(), SubsystemError> {
        let bad = |reason: String| Err(SubsystemError::BadInputs { subsystem: self.name.clone(), reason });
        if inputs.len() != self.inputs.len() || out.len() != self.outputs.len() {
            let [own, asked] = [[self.inputs.len(), self.outputs.len()], [inputs.len(), out.len()]]
                .map(|[i, o]| format!("{i} inputs and {o} outputs"));
            return bad(format!("there are {own}, asked for {asked}"));
        }
        match self.inputs.iter().zip(inputs).find(|(_, value)| !value.is_finite()) {
            Some((input, _)) => bad(format!("input `{}` is not finite", input.name)),
            None => Ok(()),
        }
    }

    /// Checks a step from the communication point `now` (s).
    ///
    /// # Errors
    /// [`SubsystemError::BadStep`] for a size that is not positive and finite, or a start that is not `now`, up to round-off.
    #[inline]
    pub fn check_step(&self, step: MacroStep, now: f64) -> Result<(), SubsystemError> {
        if !(step.size > 0.0 && step.size.is_finite()) {
            return Err(self.bad_step(step, "the size must be positive and finite"));
        }
        if !step.time.is_finite() || (step.time - now).abs() > 1e-9 * step.size.max(now.abs()) {
            return Err(self.bad_step(step, "the step does not start at the present communication point"));
        }
        Ok(())
    }

    #[cold]
    fn bad_step(&self, step: MacroStep, reason: &'static str) -> SubsystemError {
        let subsystem = self.name.clone();
        SubsystemError::BadStep { subsystem, time: step.time, size: step.size, reason: reason.into() }
    }

    #[cold]
    fn bad_loads(&self, loads: &[f64]) -> SubsystemError {
        let subsystem = self.name.clone();
        if loads.len() != self.rows() {
            return SubsystemError::LoadLength { subsystem, expected: self.rows(), found: loads.len() };
        }
        let row = loads.iter().position(|x| !x.is_finite()).unwrap_or_default();
        SubsystemError::LoadNotFinite { subsystem, row, place: self.row_name(row) }
    }

    /// Checks that names are unique, port sizes are 1, 3 or 6, and the contacts' laws and attachments.
    ///
    /// # Errors
    /// [`SubsystemError::BadDescription`] names the first rule broken.
    pub fn validate(&self) -> Result<(), SubsystemError> {
        let fail =
            |reason: String| Err(SubsystemError::BadDescription { subsystem: self.name.clone(), reason });
        if let Some(rule) = self.ports.iter().chain(&self.load_ports).find_map(PortSpec::broken_rule) {
            return fail(rule);
        }
        if let Some(port) = self.load_ports.first().filter(|_| self.rows() > 0) {
            return fail(format!(
                "load port `{}` stands beside ports or contacts; a subsystem has either: divide it in two",
                port.name
            ));
        }
        for output in &self.outputs {
            if output.feed_through.iter().any(|input| *input >= self.inputs.len()) {
                return fail(format!("output `{}` depends on an input that does not exist", output.name));
            }
        }
        for contact in &self.contacts {
            if let Some(rule) = contact.broken_rule(&self.ports) {
                return fail(format!("contact `{}`: {rule}", contact.name));
            }
        }
        if let Some(rule) = pool::broken_rule(&self.pools, self.contacts.len()) {
            return fail(rule);
        }
        if let Some(rule) = self.appearance.broken_rule() {
            return fail(rule);
        }
        let contacts = self.contacts.iter().map(|contact| contact.name.as_str());
        let contacts = contacts.chain(self.pools.iter().map(|pool| pool.name.as_str()));
        let names = [
            ("ports", repeated(self.ports.iter().chain(&self.load_ports).map(|port| port.name.as_str()))),
            ("signals", repeated(self.signal_names())),
            ("contacts", repeated(contacts)),
            ("quantities", repeated(self.quantities.iter().map(|quantity| quantity.name.as_str()))),
        ];
        match names.iter().find_map(|(what, name)| name.map(|name| (what, name))) {
            Some((what, name)) => fail(format!("two {what} are named `{name}`")),
            None => Ok(()),
        }
    }
}

/// First coordinate and place among the frames of every port that is a frame.
fn frames_of(ports: &[PortSpec]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let first = ports.iter().scan(0, |next, port| {
        let row = *next;
        *next += port.size;
        Some((row, port.is_frame))
    });
    first.filter(|(_, is_frame)| *is_frame).enumerate().map(|(place, (row, _))| (row, place))
}

/// The first name that has been there before.
fn repeated<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut known = BTreeSet::new();
    names.find(|name| !known.insert(*name))
}
