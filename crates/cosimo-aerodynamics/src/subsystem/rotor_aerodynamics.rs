//! The subsystem.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, Failure, Kind, LoadResponse, MacroStep, PortMotion, Saved, StepLoads, Stepped,
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
    frames: Vec<FrameMotion>,
    loads: RotorLoads,
    tangents: RotorTangents,
    response: LoadResponse,
    /// Whether it was reported that sections are faster than the data of their airfoils.
    has_warned: bool,
}

impl RotorAerodynamics {
    /// The rotor of a description.
    ///
    /// # Errors
    /// The first rule that the description breaks.
    pub fn new(name: impl Into<String>, spec: &RotorSpec) -> Result<Stepped<Self>, SpecError> {
        Self::of(name, spec.build()?, spec.records_sections)
    }

    /// A rotor that was built; `records_sections` says whether the angles of attack of all sections are quantities.
    ///
    /// # Errors
    /// A name that is none.
    pub fn of(
        name: impl Into<String>,
        rotor: Rotor,
        records_sections: bool,
    ) -> Result<Stepped<Self>, SpecError> {
        let description = description(&name.into(), &rotor, records_sections);
        description.validate()?;
        let coordinates = description.load_coordinates();
        Ok(Stepped::new(Self {
            state: RotorState::new(&rotor),
            observed: vec![0.0; description.quantities.len()],
            frames: vec![FrameMotion::default(); rotor.frames()],
            loads: RotorLoads::new(&rotor),
            tangents: RotorTangents::new(&rotor),
            response: LoadResponse::with_tangents(coordinates),
            has_warned: false,
            description,
            rotor,
        }))
    }

    /// The rotor.
    #[must_use]
    pub fn rotor(&self) -> &Rotor {
        &self.rotor
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
    fn loads_of_step(
        &mut self,
        step: MacroStep,
        motion: &PortMotion,
    ) -> Result<Vector3<f64>, AerodynamicError> {
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

impl Kind for RotorAerodynamics {
    fn description(&self) -> &Description {
        &self.description
    }

    fn time(&self) -> Option<f64> {
        None
    }

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.response.limit(needed);
    }

    fn respond(&mut self, step: MacroStep, motion: &PortMotion) -> Result<(), Failure> {
        if self.response.has_tangents() {
            self.follow(step, motion)?;
        } else {
            self.loads_of_step(step, motion)?;
        }
        Ok(())
    }

    fn load_response(&self) -> &LoadResponse {
        &self.response
    }

    fn take(&mut self, step: MacroStep, loads: &StepLoads) -> Result<StepEnergy, Failure> {
        let inflow = self.loads_of_step(step, &loads.motion)?;
        self.loads.write_state(&inflow, &mut self.state);
        self.loads.write_quantities(&self.rotor, &self.frames, &mut self.observed);
        self.warn(step.time);
        // The air stores nothing: what the rotor puts in is lost, what it takes out comes from the wind.
        let port_work = self.port_work(&loads.motion);
        Ok(StepEnergy {
            port_work,
            dissipated: port_work.max(0.0),
            external_work: -port_work.min(0.0),
            ..StepEnergy::default()
        })
    }

    fn observe(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.observed);
    }

    fn save(&self) -> Result<Saved, Failure> {
        let values: Vec<f64> = self
            .state
            .inflow
            .iter()
            .chain(&self.loads.saved_reference())
            .chain(self.state.sections.as_flattened())
            .chain(&self.observed)
            .copied()
            .collect();
        Ok(values.into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        let values = &saved.numbers;
        let of_sections = self.state.sections.as_flattened().len();
        let expected = UNKNOWNS + REFERENCE + of_sections + self.observed.len();
        if values.len() != expected {
            return Err(format!("{} numbers instead of {expected}", values.len()));
        }
        let (inflow, others) = values.split_at(UNKNOWNS);
        let (reference, others) = others.split_at(REFERENCE);
        let (points, observed) = others.split_at(of_sections);
        self.loads.restore_reference([reference[0], reference[1], reference[2]]);
        self.state.inflow = Vector3::from_column_slice(inflow);
        self.state.sections.as_flattened_mut().copy_from_slice(points);
        self.observed.copy_from_slice(observed);
        Ok(())
    }
}
