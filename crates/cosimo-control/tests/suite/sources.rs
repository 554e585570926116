//! Sources of signals.

use cosimo_control::{SignalSource, SourceBuilder};
use cosimo_mechanics::{Chirp, Step, Sweep, TimeFunction};
use cosimo_subsystem::conformance::Conformance;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

fn chirp() -> Chirp {
    Chirp {
        mean: 0.0,
        amplitude: 2.0,
        frequency: 1.0,
        end_frequency: 20.0,
        duration: 2.0,
        since: 0.0,
        phase: 0.0,
        sweep: Sweep::Linear,
    }
}

fn source() -> SignalSource {
    let jump = Step { from: 0.0, to: 2.0, at: 0.57, duration: 0.0 };
    let builder = SourceBuilder::new("source").with_output("jump", "N", TimeFunction::Step(jump));
    builder.with_output("chirp", "", TimeFunction::Chirp(chirp())).build().unwrap()
}

#[test]
fn sources_keep_the_contract() {
    Conformance::new(source).check().assert_passed();
}

/// The phase of a linear chirp is `ω₀ t + (ω₁ − ω₀) t²/(2 T)`; a step is seen at its instant though times add up to less.
#[test]
fn outputs_are_exact_at_communication_points() {
    let (mut source, mut out, mut time) = (source(), [0.0; 2], 0.0_f64);
    for k in 0..100 {
        source.outputs(&[], &mut out).unwrap();
        let exact = 2.0 * (time + 4.75 * time * time).sin();
        assert!((out[1] - exact).abs() < 1e-13, "{k}: {} {exact}", out[1]);
        assert_eq!(out[0], if k < 57 { 0.0 } else { 2.0 }, "{k}");
        source.begin(MacroStep { time, size: 0.01 }, &[]).unwrap();
        source.commit(&StepLoads::zeros(0)).unwrap();
        time += 0.01;
    }
}

#[test]
fn outputs_of_one_name_are_refused() {
    let one = TimeFunction::Constant(1.0);
    let built = SourceBuilder::new("source").with_output("a", "", one.clone()).with_output("a", "", one);
    assert!(built.build().unwrap_err().to_string().contains('a'));
}
