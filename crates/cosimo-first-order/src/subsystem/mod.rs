//! A first-order system as a subsystem.

mod calls;
mod ports;
mod saved;
mod taken;
mod trial;

use std::cell::RefCell;

use cosimo_dynamics::{Momenta, StepFormula, StepRule};
use cosimo_subsystem::{
    Capabilities, Description, Failure, InverseMass, LoadResponse, RowMatrix, RowState, StepResponse,
    Stepped, SubsystemError,
};
use nalgebra::UnitQuaternion;

use crate::course::InputCourse;
use crate::differences::Lineariser;
use crate::motion::StateMotion;
use crate::response::Sensitivity;
use crate::{FirstOrderSystem, Linearisation, Point, PortMap, PortMapError, Selection, SystemError};

/// A system `ẋ = f(t, x, u)`, `y = g(t, x, u)` under a step rule, with ports, signals and quantities by a [`PortMap`].
///
/// Loads on inputs act as those of a mechanical system do: by their impulses, exactly, whatever the rule. Velocity jumps add `B ξ` to the states.
/// Events are located in the step and passed: the rule begins anew behind each. Of a step under trial they are passed too, and taken back, where
/// the system [can be saved](FirstOrderSystem::can_save); else the trial goes on as if there were none, and the step taken has them.
///
/// The energy is what outputs tell; where none do, the energy is zero and the work at ports counts as external.
pub struct FirstOrderSubsystem<S> {
    system: RefCell<S>,
    map: PortMap,
    description: Description,
    motion: StateMotion,
    lineariser: Lineariser,
    /// Derivatives that the Newton matrix is made of.
    newton: Linearisation,
    sensitivity: Sensitivity,
    course: RefCell<InputCourse>,
    momenta: Momenta,
    rows: RowState,
    outputs: Vec<f64>,
    trial_outputs: Vec<f64>,
    response: StepResponse,
    load_response: LoadResponse,
    prepared: RowMatrix,
    jump_work: f64,
    /// Energy that impulses inside the last step put in (J).
    inside_work: f64,
    /// Start values of the inputs.
    start_inputs: Vec<f64>,
    /// Loads at the start of the step begun (N).
    start_loads: Vec<f64>,
    /// The part of them that does not belong to momenta (N).
    finite_loads: Vec<f64>,
    scratch: Scratch,
    formula: StepFormula,
    loads: Vec<f64>,
    /// Loads at the communication point, as far as outputs depend on them: those that the last step ended with (N).
    present_loads: Vec<f64>,
    wants_matrices: bool,
}

/// Storage of calls, not a part of the state.
struct Scratch {
    zero: Vec<f64>,
    start: Vec<f64>,
    start_rates: Vec<f64>,
    end: Vec<f64>,
    rates: Vec<f64>,
    orientations: Vec<UnitQuaternion<f64>>,
    outputs: RefCell<Vec<f64>>,
    saved: Vec<f64>,
}

impl Scratch {
    fn new(rows: usize, frames: usize, outputs: usize) -> Self {
        let zero = vec![0.0; rows];
        Self {
            start: zero.clone(),
            start_rates: zero.clone(),
            end: zero.clone(),
            rates: zero.clone(),
            zero,
            orientations: vec![UnitQuaternion::identity(); frames],
            outputs: RefCell::new(vec![0.0; outputs]),
            saved: Vec::new(),
        }
    }

    /// Where the rows are at the start of a step.
    fn note_start(&mut self, rows: &RowState) {
        self.start.copy_from_slice(&rows.positions);
        self.start_rates.copy_from_slice(&rows.velocities);
        self.orientations.copy_from_slice(&rows.orientations);
    }
}

impl<S: FirstOrderSystem> FirstOrderSubsystem<S> {
    /// A subsystem that starts at this point: its inputs are the start values of those that nothing sets.
    ///
    /// # Errors
    /// A map that does not fit, a rule that needs points before the start, or a system that has no answer there.
    pub fn new(
        name: &str,
        mut system: S,
        rule: Box<dyn StepRule>,
        map: PortMap,
        start: Point<'_>,
    ) -> Result<Stepped<Self>, PortMapError> {
        if !rule.passes_momenta() {
            return Err(bad_start(name, &cosimo_dynamics::SystemError::Rule { rule: rule.label() }));
        }
        let size = system.size();
        let is_exact = !map.has_load_frames();
        let capabilities = capabilities(&system, is_exact);
        let mut description = map.describe(name, [size.inputs, size.outputs], capabilities)?;
        description.rule = label(rule.as_ref());
        let selection = select(&map);
        let found = Linearisation::zeros(size.states, &selection);
        let (r, coordinates) = (description.rows(), description.load_coordinates());
        let frames = description.frames().count();
        let load_ports = [coordinates, description.load_frames()];
        let lineariser = Lineariser::new(&system, selection);
        let mut outputs = vec![0.0; size.outputs];
        system.outputs(start, &mut outputs).map_err(|error| bad_start(name, &error))?;
        let mut new = Self {
            course: RefCell::new(InputCourse::new(&map, start.inputs, start.time, load_ports)),
            motion: StateMotion::new(rule, start.time, start.states, size.indicators),
            newton: found.clone(),
            sensitivity: Sensitivity::new(found),
            momenta: Momenta::zeros(r),
            rows: RowState::zeros(r, frames),
            trial_outputs: outputs.clone(),
            outputs,
            response: StepResponse { damped_inverse_mass: RowMatrix::zeros(r), ..StepResponse::zeros(r) },
            load_response: match (coordinates, is_exact) {
                (0, _) | (_, false) => LoadResponse::zeros(coordinates),
                _ => LoadResponse::with_tangents(coordinates),
            },
            prepared: RowMatrix::zeros(r),
            jump_work: 0.0,
            inside_work: 0.0,
            start_inputs: start.inputs.to_vec(),
            start_loads: vec![0.0; r],
            finite_loads: vec![0.0; r],
            scratch: Scratch::new(r, frames, size.outputs),
            formula: StepFormula::default(),
            loads: vec![0.0; r],
            present_loads: vec![0.0; r],
            wants_matrices: r + coordinates > 0,
            system: RefCell::new(system),
            map,
            description,
            lineariser,
        };
        new.map.write_state(&new.outputs, &mut new.rows);
        Ok(Stepped::new(new))
    }

    /// The system inside.
    pub fn system(&mut self) -> &mut S {
        self.system.get_mut()
    }

    /// The states `x` at the present communication point.
    #[must_use]
    pub fn states(&self) -> &[f64] {
        &self.motion.state.v
    }
}

/// What the system can do as a subsystem; `is_exact`: its inverse mass is known.
fn capabilities(system: &impl FirstOrderSystem, is_exact: bool) -> Capabilities {
    Capabilities {
        inverse_mass: if is_exact { InverseMass::Exact } else { InverseMass::Unknown },
        can_roll_back: system.can_save(),
        takes_impulses: true,
        is_affine: is_exact && system.is_affine(),
        has_variable_step: true,
        ..Capabilities::default()
    }
}

/// Why a step failed, or is not possible.
fn failure(error: SystemError) -> Failure {
    if error.is_of_step() { error.into() } else { Failure::BadStep(error.to_string()) }
}

/// The inputs and outputs that derivatives are wanted of: loads and rates of rows; motion and loads of load ports, port by port
/// positions and then velocities.
fn select(map: &PortMap) -> Selection {
    let driven =
        map.load_ports.iter().flat_map(|port| port.positions.iter().chain(&port.velocities).copied());
    Selection {
        inputs: map.load_inputs().into_iter().chain(driven).collect(),
        outputs: map.rate_outputs().into_iter().chain(map.load_outputs()).collect(),
    }
}

/// The label of the rule. Positions are states here, and integrated as such: where the rule itself makes other positions of the same rates, as
/// generalized-α does, joints must not take the two for equal.
fn label(rule: &dyn StepRule) -> String {
    let formula = rule.formula(1.0);
    let (found, of_states) = (formula.end.position, formula.end.velocity * formula.stage_velocity());
    let is_same = (found - of_states).abs() <= 1e-12 * found.abs();
    if is_same { rule.label() } else { format!("first-order {}", rule.label()) }
}

fn bad_start(name: &str, error: &impl std::fmt::Display) -> PortMapError {
    SubsystemError::BadDescription { subsystem: name.to_owned(), reason: format!("at the start: {error}") }
        .into()
}
