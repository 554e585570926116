//! Load ports and signals cross too.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::nalgebra::{DMatrix, UnitQuaternion, Vector3};
use cosimo_subsystem::{
    Description, Hold, LoadResponse, MacroStep, PortMotion, PortSpec, Signal, SignalInput, SignalOutput,
    StepLoads, StepResponse, Subsystem, SubsystemError,
};
use cosimo_transport::{EncodedSubsystem, ThreadedSubsystem};

use super::streamed;
use super::threaded::step;

/// A damper at a frame, twice as hard beyond a metre; its output is the sum of its inputs and of the work so far.
struct Damper {
    description: Description,
    response: LoadResponse,
    free: StepResponse,
    inputs: Vec<Signal>,
    work: f64,
}

impl Damper {
    fn new() -> Self {
        let input = |name: &str| SignalInput {
            name: name.to_owned(),
            unit: String::new(),
            hold: Hold::Smooth,
            default: Some(0.0),
        };
        let output = SignalOutput { name: "sum".to_owned(), unit: String::new(), feed_through: vec![0, 1] };
        let description = Description {
            load_ports: vec![PortSpec::frame("hub")],
            inputs: vec![input("a"), input("b")],
            outputs: vec![output],
            ..Description::new("damper")
        };
        let (response, free) = (LoadResponse::with_tangents(6), StepResponse::zeros(0));
        Self { description, response, free, inputs: vec![Signal::default(); 2], work: 0.0 }
    }
}

impl Subsystem for Damper {
    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, _step: MacroStep, _loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        Ok(&self.free)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        self.description.check_motion(motion)?;
        let c = if motion.end.positions[0] > 1.0 { 0.2 } else { 0.1 };
        let turn = motion.end.orientations[0].angle();
        for k in 0..6 {
            self.response.start[k] = -c * motion.start.velocities[k];
            self.response.end[k] = -c * motion.end.velocities[k] * turn;
        }
        self.response.velocity_tangent = DMatrix::from_diagonal_element(6, 6, -c).into();
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.work += self.respond(&loads.motion)?.end.iter().sum::<f64>();
        Ok(StepEnergy { port_work: self.work, ..StepEnergy::default() })
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), SubsystemError> {
        self.description.check_inputs(inputs)?;
        self.inputs.copy_from_slice(inputs);
        Ok(())
    }

    fn outputs(&self, inputs: &[f64], out: &mut [f64]) -> Result<(), SubsystemError> {
        let rates: f64 = self.inputs.iter().map(|signal| signal.rate(0.3)).sum();
        out[0] = inputs.iter().sum::<f64>() + rates + self.work;
        Ok(())
    }
}

/// Everything that a few steps show, as bits.
fn run(subsystem: &mut dyn Subsystem) -> Vec<u64> {
    let mut shown = Vec::new();
    for index in 0..20 {
        let phase = 0.1 * f64::from(index);
        let mut loads = StepLoads { motion: PortMotion::zeros(6, 1), ..StepLoads::zeros(0) };
        loads.motion.end.positions[0] = phase;
        loads.motion.end.velocities = (0..6).map(|k| (phase + f64::from(k)).sin()).collect();
        loads.motion.end.orientations[0] = UnitQuaternion::new(Vector3::new(phase, -phase, 0.3));
        let signal = Signal::smooth(phase, 0.1, [1.0, phase], [phase.cos(), -1.0 / 3.0]);
        subsystem.set_inputs(&[signal, Signal::linear(0.0, 1.0, phase)]).unwrap();
        subsystem.begin(step(index), &[]).unwrap();
        let answer = subsystem.respond(&loads.motion).unwrap();
        shown.extend([&answer.start, &answer.end].into_iter().flatten().copied());
        let tangents = answer.position_tangent.stored().chain(answer.velocity_tangent.stored());
        shown.extend(tangents.map(|(_, x)| x));
        shown.push(subsystem.commit(&loads).unwrap().port_work);
        let mut out = [0.0];
        subsystem.outputs(&[phase, 1.0 / 3.0], &mut out).unwrap();
        shown.push(out[0]);
    }
    shown.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn load_ports_and_signals_keep_their_bits() {
    let damper = || Box::new(Damper::new());
    let near = run(damper().as_mut());
    assert!(near.iter().any(|bits| f64::from_bits(*bits) == -0.2), "its tangent changes");
    assert_eq!(run(&mut EncodedSubsystem::new(damper()).unwrap()), near);
    assert_eq!(run(&mut ThreadedSubsystem::spawn(damper()).unwrap()), near);
    assert_eq!(run(&mut streamed(damper())), near);
}

#[test]
fn their_errors_keep_their_types() {
    let mut far = streamed(Box::new(Damper::new()));
    let error = far.respond(&PortMotion::zeros(5, 1)).unwrap_err();
    assert!(matches!(error, SubsystemError::MotionShape { coordinates: 6, frames: 1, .. }), "{error}");
    let error = far.set_inputs(&[Signal::default()]).unwrap_err();
    assert!(matches!(error, SubsystemError::BadInputs { .. }), "{error}");
    let error = far.save().unwrap_err();
    assert!(matches!(error, SubsystemError::Unsupported { .. }), "{error}");
}
