//! Signals: inputs that are checked, outputs that are pure and depend on what they say.

use super::Conformance;
use super::purity::expect_undisturbed;
use super::report::{Finding, Found, ensure};
use super::run::Run;
use crate::{Description, Signal, Subsystem, SubsystemError};

/// [`Check::Inputs`](super::Check::Inputs)
pub(super) fn inputs(setup: &Conformance<'_>) -> Found {
    let place = 2;
    let mut run = Run::at(setup, place)?;
    let (time, count) = (run.next_step().time, run.subsystem.description().inputs.len());
    let mut bad = vec![("one input too many".to_owned(), vec![Signal::held(time, 0.0); count + 1])];
    if count > 0 {
        bad.push(("one input too few".to_owned(), vec![Signal::held(time, 0.0); count - 1]));
        for k in 0..4 {
            let mut signals = vec![Signal::held(time, 0.0); count];
            signals[count - 1].coefficients[k] = f64::NAN;
            bad.push((format!("a coefficient of order {k} that is not finite"), signals));
        }
    }
    let is_refusal = |e: &SubsystemError| {
        matches!(e, SubsystemError::BadInputs { .. } | SubsystemError::Unsupported { .. })
    };
    for (text, signals) in &bad {
        let refused = run.subsystem.set_inputs(signals).is_err_and(|error| is_refusal(&error));
        ensure(refused, || format!("`set_inputs` with {text} must be refused as BadInputs"))?;
    }
    expect_undisturbed(setup, &mut run, place, "refused inputs")
}

/// [`Check::Outputs`](super::Check::Outputs)
pub(super) fn outputs(setup: &Conformance<'_>) -> Found {
    for place in setup.places() {
        let mut run = Run::at(setup, place)?;
        let (inputs, count) = trial_inputs(&run)?;
        let before = run.portrait()?;
        let first = outputs_for(run.subsystem.as_ref(), &inputs)?;
        ensure(first.iter().all(|x| x.is_finite()), || {
            format!("after {place} events, an output is not written or not finite")
        })?;
        outputs_for(run.subsystem.as_ref(), &inputs.iter().map(|u| 2.0 * u + 1.0).collect::<Vec<_>>())?;
        let again = outputs_for(run.subsystem.as_ref(), &inputs)?;
        ensure(same(&first, &again), || format!("after {place} events, `outputs` a second time differs"))?;
        before.ensure_same(&run.portrait()?, || format!("after {place} events and `outputs`"))?;
        // A step begun is not a step taken.
        run.begin()?;
        let begun = outputs_for(run.subsystem.as_ref(), &inputs)?;
        ensure(same(&first, &begun), || format!("after {place} events and `begin`, `outputs` differs"))?;
        let mut out = vec![0.0; count];
        let long = vec![0.0; inputs.len() + 1];
        let mut refused = run.subsystem.outputs(&long, &mut out).is_err();
        if !inputs.is_empty() {
            let not_finite = vec![f64::INFINITY; inputs.len()];
            refused &= run.subsystem.outputs(&not_finite, &mut out).is_err();
        }
        out.push(0.0);
        refused &= run.subsystem.outputs(&inputs, &mut out).is_err();
        ensure(refused, || "`outputs` must refuse wrong lengths and inputs that are not finite".to_owned())?;
    }
    Ok(())
}

/// [`Check::FeedThrough`](super::Check::FeedThrough)
pub(super) fn feed_through(setup: &Conformance<'_>) -> Found {
    for place in setup.places() {
        let run = Run::at(setup, place)?;
        let (mut inputs, _) = trial_inputs(&run)?;
        let subsystem = run.subsystem.as_ref();
        let Description { inputs: specs, outputs: outs, .. } = subsystem.description();
        let first = outputs_for(subsystem, &inputs)?;
        for k in 0..inputs.len() {
            let kept = inputs[k];
            for other in [kept + 1.0, kept - 1e3, 0.0] {
                inputs[k] = other;
                let found = outputs_for(subsystem, &inputs)?;
                let changed = |(o, spec): (usize, &crate::SignalOutput)| {
                    !spec.feed_through.contains(&k) && first[o].to_bits() != found[o].to_bits()
                };
                let lie = outs.iter().enumerate().find(|(o, spec)| changed((*o, spec)));
                if let Some((_, spec)) = lie {
                    return ensure(false, || {
                        format!(
                            "after {place} events, output `{}` changes with input `{}`, which does not feed through to it",
                            spec.name, specs[k].name
                        )
                    });
                }
            }
            inputs[k] = kept;
        }
    }
    Ok(())
}

/// Values of the inputs, and the number of outputs; not applicable without outputs.
fn trial_inputs(run: &Run<'_>) -> Result<(Vec<f64>, usize), Finding> {
    let description = run.subsystem.description();
    let count = description.outputs.len();
    if count == 0 {
        return Err(Finding::NotApplicable("the subsystem gives no signals"));
    }
    Ok((run.input_values(), count))
}

fn outputs_for(subsystem: &dyn Subsystem, inputs: &[f64]) -> Result<Vec<f64>, SubsystemError> {
    let mut out = vec![f64::NAN; subsystem.description().outputs.len()];
    subsystem.outputs(inputs, &mut out)?;
    Ok(out)
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}
