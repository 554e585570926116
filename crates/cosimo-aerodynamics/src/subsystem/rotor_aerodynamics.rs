//! The subsystem.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, LoadResponse, MacroStep, PortMotion, Snapshot, Statistics, StepLoads, StepResponse,
    Subsystem, SubsystemError,
};
use nalgebra::Vector3;

use super::describe::description;
use super::motion;
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::rotor::{Rotor, RotorLoads, RotorState, RotorStep, RotorTangents};
use crate::spec::{RotorSpec, SpecError};

/// Number of unknowns of the inflow.
const UNKNOWNS: usize = 3;

/// Numbers of the direction from which the axes of the disk are counted.
const REFERENCE: usize = 3;

/// The aerodynamics of a rotor: takes the motion of the hub and of frames along the blades, and answers with the loads of the air on
/// them. The hub gives axis, place and speed; no load acts on it.
///
/// ```
/// use cosimo_aerodynamics::spec::{AirfoilSpec, BladeSpec, RotorSpec};
/// use cosimo_aerodynamics::RotorAerodynamics;
/// use cosimo_subsystem::Subsystem;
///
/// let blade = BladeSpec::straight(vec![1.0, 3.0, 6.0], [1.0, 6.0], 0.4, AirfoilSpec::Naca0012);
/// let rotor = RotorAerodynamics::new("air", &RotorSpec::new(4, blade, 6.0, 36.0))?;
/// assert_eq!(rotor.description().load_ports.len(), 1 + 4 * 3);
/// # Ok::<(), cosimo_aerodynamics::spec::SpecError>(())
/// ```
#[derive(Debug)]
pub struct RotorAerodynamics {
    description: Description,
    rotor: Rotor,
    /// State at the present communication point.
    state: RotorState,
    /// Quantities there.
    observed: Vec<f64>,
    begun: Option<MacroStep>,
    frames: Vec<FrameMotion>,
    loads: RotorLoads,
    tangents: RotorTangents,
    response: LoadResponse,
    empty: StepResponse,
    statistics: Statistics,
    /// Whether it was reported that sections are faster than the data of their airfoils.
    has_warned: bool,
}

impl RotorAerodynamics {
    /// The rotor of a description.
    ///
    /// # Errors
    /// The first rule that the description breaks.
    pub fn new(name: impl Into<String>, spec: &RotorSpec) -> Result<Self, SpecError> {
        Self::of(name, spec.build()?, spec.records_sections)
    }

    /// A rotor that was built; `records_sections` says whether the angles of attack of all sections are quantities.
    ///
    /// # Errors
    /// A name that is none.
    pub fn of(name: impl Into<String>, rotor: Rotor, records_sections: bool) -> Result<Self, SpecError> {
        let description = description(&name.into(), &rotor, records_sections);
        description.validate()?;
        let coordinates = description.load_coordinates();
        Ok(Self {
            state: RotorState::new(&rotor),
            observed: vec![0.0; description.quantities.len()],
            begun: None,
            frames: vec![FrameMotion::default(); rotor.frames()],
            loads: RotorLoads::new(&rotor),
            tangents: RotorTangents::new(&rotor),
            response: LoadResponse::with_tangents(coordinates),
            empty: StepResponse::zeros(0),
            statistics: Statistics::default(),
            has_warned: false,
            description,
            rotor,
        })
    }

    /// The rotor.
    #[must_use]
    pub fn rotor(&self) -> &Rotor {
        &self.rotor
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| SubsystemError::NotBegun {
            subsystem: self.description.name.clone(),
            call: call.into(),
        })
    }

    fn failed(&self, step: MacroStep, error: &AerodynamicError) -> SubsystemError {
        SubsystemError::StepFailed {
            subsystem: self.description.name.clone(),
            time: step.time,
            size: step.size,
            reason: SubsystemError::chain(error),
        }
    }

    /// The loads at the start of the step.
    fn start(&mut self, step: MacroStep, motion: &PortMotion) -> Result<RotorStep, AerodynamicError> {
        motion::read(&motion.start, &mut self.frames);
        let inflow = self.loads.start(&self.rotor, &self.frames, step.time, &self.state, step.size)?;
        self.loads.write(&mut self.response.start);
        Ok(inflow)
    }

    /// Loads at both ends of the step, and tangents.
    fn follow(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), AerodynamicError> {
        let inflow = self.start(step, motion)?;
        motion::read(&motion.end, &mut self.frames);
        let end = step.time + step.size;
        let LoadResponse { position_tangent, velocity_tangent, .. } = &mut self.response;
        let out = [position_tangent.dense_mut(), velocity_tangent.dense_mut()];
        self.tangents.end(&mut self.loads, &self.rotor, &self.frames, end, &inflow, out)?;
        motion::by_rotation_vectors(&motion.end, position_tangent.dense_mut());
        self.loads.write(&mut self.response.end);
        Ok(())
    }

    /// Loads at both ends of the step, and the unknowns of the inflow at its end.
    fn take(&mut self, step: MacroStep, motion: &PortMotion) -> Result<Vector3<f64>, AerodynamicError> {
        let inflow = self.start(step, motion)?;
        motion::read(&motion.end, &mut self.frames);
        let found = self.loads.end(&self.rotor, &self.frames, step.time + step.size, &inflow)?;
        self.loads.write(&mut self.response.end);
        Ok(found)
    }

    /// Work of the ports on the air: mean load times displacement.
    fn port_work(&self, motion: &PortMotion) -> f64 {
        let loads = self.response.start.iter().zip(&self.response.end);
        let moved = motion.start.positions.iter().zip(&motion.end.positions);
        loads.zip(moved).map(|((start, end), (from, to))| -0.5 * (start + end) * (to - from)).sum()
    }

    /// Says once that sections are faster than the data of their airfoils.
    fn warn(&mut self, time: f64) {
        if !self.has_warned && self.loads.is_beyond_data(&self.rotor) {
            self.has_warned = true;
            tracing::warn!(
                subsystem = self.description.name,
                time,
                largest = self.rotor.blade.largest_mach(),
                "sections are faster than the largest Mach number of an airfoil; its values there are used"
            );
        }
    }
}

impl Subsystem for RotorAerodynamics {
    fn description(&self) -> &Description {
        &self.description
    }

    fn limit_response(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, step.time)?;
        self.begun = Some(step);
        Ok(&self.empty)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        let step = self.begun("respond")?;
        self.description.check_motion(motion)?;
        let followed = match self.response.has_tangents() {
            true => self.follow(step, motion),
            false => self.take(step, motion).map(|_| ()),
        };
        followed.map_err(|error| self.failed(step, &error))?;
        self.statistics.evaluations += 1;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let step = self.begun("commit")?;
        self.description.check_step_loads(loads)?;
        let inflow = self.take(step, &loads.motion).map_err(|error| self.failed(step, &error))?;
        self.loads.write_state(&inflow, &mut self.state);
        self.loads.write_quantities(&self.rotor, &self.frames, &mut self.observed);
        self.warn(step.time);
        self.begun = None;
        self.statistics.steps += 1;
        // The air stores nothing: what the rotor puts in is lost, what it takes out comes from the wind.
        let port_work = self.port_work(&loads.motion);
        Ok(StepEnergy {
            port_work,
            dissipated: port_work.max(0.0),
            external_work: -port_work.min(0.0),
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.observed);
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let values: Vec<f64> = self
            .state
            .inflow
            .iter()
            .chain(&self.loads.saved_reference())
            .chain(self.state.sections.as_flattened())
            .chain(&self.observed)
            .copied()
            .collect();
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode(&self.description.name)?;
        let of_sections = self.state.sections.as_flattened().len();
        let expected = UNKNOWNS + REFERENCE + of_sections + self.observed.len();
        if values.len() != expected {
            let reason = format!("{} numbers instead of {expected}", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: self.description.name.clone(), reason });
        }
        let (inflow, others) = values.split_at(UNKNOWNS);
        let (reference, others) = others.split_at(REFERENCE);
        let (points, observed) = others.split_at(of_sections);
        self.loads.restore_reference([reference[0], reference[1], reference[2]]);
        self.state.inflow = Vector3::from_column_slice(inflow);
        self.state.sections.as_flattened_mut().copy_from_slice(points);
        self.observed.copy_from_slice(observed);
        self.begun = None;
        self.statistics.rollbacks += 1;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
