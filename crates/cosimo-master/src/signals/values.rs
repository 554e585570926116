//! The values of all signals at a communication point.

use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::CallKind;

use crate::execution::faults::are_finite;
use crate::execution::subsystems::Subsystems;
use crate::topology::signals::wiring::Wiring;

/// Values of all inputs and outputs.
#[derive(Debug, Clone)]
pub(super) struct Values {
    pub(super) inputs: Vec<f64>,
    pub(super) outputs: Vec<f64>,
    /// What a subsystem has written, before it counts.
    written: Vec<f64>,
}

impl Values {
    pub(super) fn new(wiring: &Wiring) -> Self {
        Self {
            inputs: vec![0.0; wiring.inputs.len()],
            outputs: vec![0.0; wiring.outputs.len()],
            written: vec![0.0; wiring.outputs.len()],
        }
    }

    /// Starts from the values at the communication point before.
    pub(super) fn start(&mut self, inputs: &[f64], outputs: &[f64]) {
        self.inputs.copy_from_slice(inputs);
        self.outputs.copy_from_slice(outputs);
    }

    /// Sets an output and the inputs that it feeds.
    pub(super) fn set(&mut self, wiring: &Wiring, output: usize, value: f64) {
        self.outputs[output] = value;
        wiring.outputs[output].targets.iter().for_each(|input| self.inputs[*input] = value);
    }

    /// Evaluates these outputs of a subsystem from the present values of its inputs.
    pub(super) fn evaluate(
        &mut self,
        wiring: &Wiring,
        subsystems: &mut Subsystems,
        subsystem: usize,
        outputs: &[usize],
    ) -> Result<(), SubsystemError> {
        let member = &wiring.members[subsystem];
        let Self { inputs, written, .. } = self;
        let (inputs, own) = (&inputs[member.inputs.clone()], &mut written[member.outputs.clone()]);
        subsystems.call((subsystem, &member.name), CallKind::Other, |s| s.outputs(inputs, own))?;
        for &output in outputs {
            let value = self.written[output];
            if !are_finite(&[value]) {
                let what = format!("output `{}`", wiring.outputs[output].name);
                return Err(SubsystemError::NotFinite { subsystem: member.name.clone(), what });
            }
            self.set(wiring, output, value);
        }
        Ok(())
    }
}
