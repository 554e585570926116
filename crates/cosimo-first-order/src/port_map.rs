//! Inputs and outputs as ports, signals and quantities.

use cosimo_subsystem::nalgebra::{Quaternion, UnitQuaternion};
use cosimo_subsystem::{
    Capabilities, ContactSpec, Description, PortSpec, PortState, Quantity, RowState, SignalInput,
    SignalOutput, SubsystemError,
};
use thiserror::Error;

/// The orientation of a port that is a frame, by indices of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// Quaternion `w, x, y, z` that turns vectors of the frame into those of space (–).
    pub quaternion: [usize; 4],
    /// Angular velocity along the axes of space (rad/s).
    pub angular_velocity: [usize; 3],
    /// Moment along the axes of space (N m).
    pub moment: [usize; 3],
}

/// A port that gives motion and takes loads: positions and velocities among the outputs, loads among the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MotionPort {
    /// Name of the port.
    pub name: String,
    /// Positions (m, rad), one an entry: 1, 3 or 6; with an orientation 3.
    pub positions: Vec<usize>,
    /// Their rates (m/s, rad/s), of the same length.
    pub velocities: Vec<usize>,
    /// Loads (N, N m), of the same length.
    pub loads: Vec<usize>,
    /// The orientation of a frame.
    pub rotation: Option<Rotation>,
}

/// A port that takes motion and gives loads: positions and velocities among the inputs, loads among the outputs.
///
/// A velocity may be missing where only positions are asked for, and the other way about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadPort {
    /// Name of the port.
    pub name: String,
    /// Positions (m, rad), of the length of the loads or none.
    pub positions: Vec<usize>,
    /// Velocities (m/s, rad/s), of the length of the loads or none.
    pub velocities: Vec<usize>,
    /// Loads on the body at the other side (N, N m): 1, 3 or 6; with an orientation 3.
    pub loads: Vec<usize>,
    /// The orientation of a frame; its moment is among the outputs, the other two among the inputs.
    pub rotation: Option<Rotation>,
}

/// A contact that the system leaves to others: gap and rates among the outputs, loads among the inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPort {
    /// Its name and law.
    pub spec: ContactSpec,
    /// Gap (m).
    pub gap: usize,
    /// Its rate (m/s).
    pub gap_rate: usize,
    /// Load that opens it (N).
    pub load: usize,
    /// Slip rates (m/s), one a tangent.
    pub slip_rates: Vec<usize>,
    /// Friction along the tangents (N).
    pub slip_loads: Vec<usize>,
    /// Output that is the coefficient of restitution (–).
    pub restitution: usize,
    /// Output that is the coefficient of friction (–).
    pub friction: Option<usize>,
}

impl ContactPort {
    /// Takes the numbers of its law from the outputs.
    pub fn read_law(&mut self, outputs: &[f64]) {
        self.spec.law.restitution = outputs[self.restitution];
        if let Some(index) = self.friction {
            self.spec.law.friction = outputs[index];
        }
    }
}

/// Which variable is what. All indices are places among the inputs `u` or the outputs `y`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PortMap {
    /// Ports that give motion.
    pub motion_ports: Vec<MotionPort>,
    /// Contacts that others carry.
    pub contacts: Vec<ContactPort>,
    /// Ports that take motion.
    pub load_ports: Vec<LoadPort>,
    /// Signals taken, with their inputs.
    pub inputs: Vec<(SignalInput, usize)>,
    /// Signals given, with their outputs.
    pub outputs: Vec<(SignalOutput, usize)>,
    /// What can be recorded, with its outputs.
    pub quantities: Vec<(Quantity, usize)>,
    /// Outputs that are the kinetic and the potential energy (J), where the system tells them.
    pub energy: [Option<usize>; 2],
}

/// A map that does not fit.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PortMapError {
    /// A port with numbers of coordinates that do not fit.
    #[error("port `{port}` has {positions} positions, {velocities} velocities and {loads} loads; {rule}")]
    Shape {
        /// Name of the port.
        port: String,
        /// Number of positions.
        positions: usize,
        /// Number of velocities.
        velocities: usize,
        /// Number of loads.
        loads: usize,
        /// What must be.
        rule: &'static str,
    },
    /// An index beyond the variables of the system.
    #[error("`{name}` stands for {kind} {index}, and there are {count}")]
    Index {
        /// Name of the port, signal or quantity.
        name: String,
        /// Input or output.
        kind: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// What a subsystem cannot be.
    #[error(transparent)]
    Description(#[from] SubsystemError),
}

impl MotionPort {
    fn spec(&self) -> PortSpec {
        match self.rotation {
            Some(_) => PortSpec::frame(&self.name),
            None => PortSpec::new(&self.name, self.positions.len()),
        }
    }

    /// Inputs of its loads, in the order of its rows.
    fn load_inputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.loads.iter().copied().chain(self.rotation.iter().flat_map(|rotation| rotation.moment))
    }

    /// Outputs of its velocities, in the order of its rows.
    fn rate_outputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.velocities.iter().copied().chain(self.rotation.iter().flat_map(|own| own.angular_velocity))
    }

    fn check(&self) -> Result<(), PortMapError> {
        let (z, v, l) = (self.positions.len(), self.velocities.len(), self.loads.len());
        let fits = z == v && v == l && if self.rotation.is_some() { z == 3 } else { matches!(z, 1 | 3 | 6) };
        let rule = "all must be 1, 3 or 6, and 3 with an orientation";
        if fits { Ok(()) } else { Err(self::shape(&self.name, [z, v, l], rule)) }
    }
}

impl LoadPort {
    fn spec(&self) -> PortSpec {
        match self.rotation {
            Some(_) => PortSpec::frame(&self.name),
            None => PortSpec::new(&self.name, self.loads.len()),
        }
    }

    fn check(&self) -> Result<(), PortMapError> {
        let (z, v, l) = (self.positions.len(), self.velocities.len(), self.loads.len());
        let is_whole = |count: usize| count == 0 || count == l;
        let size = if self.rotation.is_some() { l == 3 } else { matches!(l, 1 | 3 | 6) };
        let rule =
            "loads must be 1, 3 or 6, 3 with an orientation, and positions and velocities as many or none";
        if size && is_whole(z) && is_whole(v) && z + v > 0 {
            Ok(())
        } else {
            Err(shape(&self.name, [z, v, l], rule))
        }
    }
}

fn shape(port: &str, [positions, velocities, loads]: [usize; 3], rule: &'static str) -> PortMapError {
    PortMapError::Shape { port: port.to_owned(), positions, velocities, loads, rule }
}

impl PortMap {
    /// Checks the map against the numbers of inputs and outputs, and describes the subsystem.
    ///
    /// # Errors
    /// The map does not fit, or describes what cannot be a subsystem.
    pub fn describe(
        &self,
        name: &str,
        [inputs, outputs]: [usize; 2],
        capabilities: Capabilities,
    ) -> Result<Description, PortMapError> {
        self.motion_ports.iter().try_for_each(MotionPort::check)?;
        self.load_ports.iter().try_for_each(LoadPort::check)?;
        self.check_indices([inputs, outputs])?;
        let description = Description {
            ports: self.motion_ports.iter().map(MotionPort::spec).collect(),
            contacts: self.contacts.iter().map(|contact| contact.spec.clone()).collect(),
            load_ports: self.load_ports.iter().map(LoadPort::spec).collect(),
            inputs: self.inputs.iter().map(|(signal, _)| signal.clone()).collect(),
            outputs: self.outputs.iter().map(|(signal, _)| signal.clone()).collect(),
            quantities: self.quantities.iter().map(|(quantity, _)| quantity.clone()).collect(),
            capabilities,
            ..Description::new(name)
        };
        description.validate()?;
        Ok(description)
    }

    fn check_indices(&self, [inputs, outputs]: [usize; 2]) -> Result<(), PortMapError> {
        let motion = self.motion_ports.iter().flat_map(|port| {
            let turned = port.rotation.iter().flat_map(|own| own.quaternion);
            let given = port.positions.iter().copied().chain(port.rate_outputs()).chain(turned);
            let taken = port.load_inputs().map(|index| (&port.name, index, true));
            given.map(|index| (&port.name, index, false)).chain(taken)
        });
        let loads = self.load_ports.iter().flat_map(|port| {
            let rotation = port.rotation.iter();
            let turned =
                rotation.clone().flat_map(|own| own.quaternion.into_iter().chain(own.angular_velocity));
            let taken = port.positions.iter().chain(&port.velocities).copied().chain(turned);
            let given = port.loads.iter().copied().chain(rotation.flat_map(|own| own.moment));
            taken.map(|index| (&port.name, index, true)).chain(given.map(|index| (&port.name, index, false)))
        });
        let signals = self.inputs.iter().map(|(signal, index)| (&signal.name, *index, true));
        let given = self.outputs.iter().map(|(signal, index)| (&signal.name, *index, false));
        let shown = self.quantities.iter().map(|(quantity, index)| (&quantity.name, *index, false));
        let contacts = self.contacts.iter().flat_map(|own| {
            let given = [own.gap, own.gap_rate, own.restitution].into_iter().chain(own.friction);
            let given =
                given.chain(own.slip_rates.iter().copied()).map(|index| (&own.spec.name, index, false));
            let taken = own.slip_loads.iter().copied().chain([own.load]);
            given.chain(taken.map(|index| (&own.spec.name, index, true)))
        });
        let all = motion.chain(contacts).chain(loads).chain(signals).chain(given).chain(shown);
        for (name, index, is_input) in all {
            let (kind, count) = if is_input { ("input", inputs) } else { ("output", outputs) };
            if index >= count {
                return Err(PortMapError::Index { name: name.clone(), kind, index, count });
            }
        }
        Ok(())
    }

    /// Inputs that loads of rows act on, one per row.
    #[must_use]
    pub fn load_inputs(&self) -> Vec<usize> {
        let ports = self.motion_ports.iter().flat_map(MotionPort::load_inputs);
        let slips = self.contacts.iter().flat_map(|contact| contact.slip_loads.iter().copied());
        ports.chain(self.contacts.iter().map(|contact| contact.load)).chain(slips).collect()
    }

    /// Outputs that are the rates of rows, one per row.
    #[must_use]
    pub fn rate_outputs(&self) -> Vec<usize> {
        let ports = self.motion_ports.iter().flat_map(MotionPort::rate_outputs);
        let slips = self.contacts.iter().flat_map(|contact| contact.slip_rates.iter().copied());
        ports.chain(self.contacts.iter().map(|contact| contact.gap_rate)).chain(slips).collect()
    }

    /// Outputs that are the positions of rows, one per row; none of rotations, which are told from an orientation on, and of slips.
    #[must_use]
    pub fn position_outputs(&self) -> Vec<Option<usize>> {
        let ports = self.motion_ports.iter().flat_map(|port| {
            let turned = port.rotation.iter().flat_map(|_| [None; 3]);
            port.positions.iter().map(|index| Some(*index)).chain(turned)
        });
        let slips = self.contacts.iter().flat_map(|contact| contact.slip_rates.iter().map(|_| None));
        ports.chain(self.contacts.iter().map(|contact| Some(contact.gap))).chain(slips).collect()
    }

    /// Writes the rows of outputs; rotations are told from `from` on, one orientation a frame.
    pub fn write_rows(
        &self,
        outputs: &[f64],
        from: &[UnitQuaternion<f64>],
        (positions, velocities): (&mut [f64], &mut [f64]),
    ) {
        let (mut row, mut frame) = (0, 0);
        for port in &self.motion_ports {
            for (z, v) in port.positions.iter().zip(&port.velocities) {
                (positions[row], velocities[row]) = (outputs[*z], outputs[*v]);
                row += 1;
            }
            if let Some(rotation) = &port.rotation {
                let turned = orientation(rotation.quaternion.map(|k| outputs[k])) * from[frame].inverse();
                positions[row..row + 3].copy_from_slice(turned.scaled_axis().as_slice());
                for (k, rate) in rotation.angular_velocity.iter().enumerate() {
                    velocities[row + k] = outputs[*rate];
                }
                (row, frame) = (row + 3, frame + 1);
            }
        }
        for contact in &self.contacts {
            (positions[row], velocities[row]) = (outputs[contact.gap], outputs[contact.gap_rate]);
            row += 1;
        }
        for rate in self.contacts.iter().flat_map(|contact| &contact.slip_rates) {
            (positions[row], velocities[row]) = (0.0, outputs[*rate]);
            row += 1;
        }
    }

    /// Writes the rows of the present communication point.
    pub fn write_state(&self, outputs: &[f64], rows: &mut RowState) {
        let frames = self.motion_ports.iter().filter_map(|port| port.rotation.as_ref());
        for (orientation, rotation) in rows.orientations.iter_mut().zip(frames) {
            *orientation = self::orientation(rotation.quaternion.map(|k| outputs[k]));
        }
        let RowState { positions, velocities, orientations, .. } = rows;
        self.write_rows(outputs, orientations, (positions, velocities));
    }

    /// Writes the motion of the load ports to the inputs.
    pub(crate) fn write_motion(&self, state: &PortState, inputs: &mut [f64]) {
        let (mut row, mut frame) = (0, 0);
        for port in &self.load_ports {
            let mut put = |indices: &[usize], values: &[f64]| {
                for (index, value) in indices.iter().zip(values) {
                    inputs[*index] = *value;
                }
            };
            put(&port.positions, &state.positions[row..]);
            put(&port.velocities, &state.velocities[row..]);
            row += port.loads.len();
            if let Some(rotation) = &port.rotation {
                let q = &state.orientations[frame];
                put(&rotation.quaternion, &[q.w, q.i, q.j, q.k]);
                put(&rotation.angular_velocity, &state.velocities[row..]);
                (row, frame) = (row + 3, frame + 1);
            }
        }
    }

    /// Writes the loads of the load ports.
    pub fn write_loads(&self, outputs: &[f64], loads: &mut [f64]) {
        for (load, index) in loads.iter_mut().zip(self.load_outputs()) {
            *load = outputs[index];
        }
    }

    /// Outputs that are loads, one per coordinate of the load ports.
    pub(crate) fn load_outputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.load_ports.iter().flat_map(|port| {
            port.loads.iter().copied().chain(port.rotation.iter().flat_map(|own| own.moment))
        })
    }

    /// Whether any load port is a frame: its loads depend on an orientation.
    pub(crate) fn has_load_frames(&self) -> bool {
        self.load_ports.iter().any(|port| port.rotation.is_some())
    }
}

/// The rotation of these numbers; none of zeros, and of others the nearest.
fn orientation([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    let quaternion = Quaternion::new(w, x, y, z);
    UnitQuaternion::try_new(quaternion, f64::MIN_POSITIVE).unwrap_or_default()
}
