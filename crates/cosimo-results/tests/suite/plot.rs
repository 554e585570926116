//! The figure of a run.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use cosimo_master::{ContactEvent, ContactEventKind, FrictionState, Observer, Outcome};
use cosimo_master::{QuantityLabel, RunReport, StepRecord};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, Selection};

fn report() -> RunReport {
    RunReport {
        outcome: Outcome::Completed,
        end_time: 2.0,
        steps: 0,
        interface_solves: 0,
        master_iterations: 0,
        most_iterations: 0,
        contraction: None,
        failed_steps: 0,
        solved_at_once: 0,
        unsolved_steps: 0,
        largest_contact_residual: 0.0,
        step_sizes: Default::default(),
        impacts: 0,
        contact_steps: 0,
        impact_gains: Vec::new(),
        energy: EnergyBalance::default(),
        warnings: Vec::new(),
        subsystems: vec![],
        interfaces: vec![],
        master: Default::default(),
        recording: Default::default(),
        wall_seconds: 0.0,
    }
}

/// The figure of quantities `owner.name [unit]` sampled at times in `[0, 2]`.
fn figure(
    quantities: &[(&str, &str, &str)],
    plot: Option<Selection>,
    steps: u64,
    impacts: u32,
    values: impl Fn(f64) -> Vec<f64>,
) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path(), Overwrite::Refuse).unwrap();
    let config = RecordConfig { title: Some("Masses & <springs>".into()), plot, ..Default::default() };
    let mut recorder = Recorder::create(directory, config).unwrap();
    let label = |&(owner, name, unit): &(&str, &str, &str)| QuantityLabel {
        owner: owner.to_owned(),
        name: name.to_owned(),
        unit: unit.to_owned(),
    };
    recorder.start(&quantities.iter().map(label).collect::<Vec<_>>(), (0.0, 2.0));
    for step in 0..=steps {
        let time = 2.0 * step as f64 / steps.max(1) as f64;
        let _ = recorder.step(&StepRecord { step, time, values: &values(time), is_last: step == steps });
    }
    for impact in 0..impacts {
        recorder.event(&ContactEvent {
            time: 2.0 * f64::from(impact) / f64::from(impacts),
            kind: ContactEventKind::Impact,
            subsystem: "lower",
            contact: "floor",
            velocity_before: -1.0,
            velocity_after: 0.8,
            impulse: 1.8,
            tangential_impulse: [-0.25, 0.0],
            friction: FrictionState::Slip,
            work: -0.5,
        });
    }
    recorder.finish(&report());
    let svg = fs::read_to_string(recorder.into_result().unwrap().plot()).unwrap();
    assert_is_svg(&svg);
    svg
}

/// Every tag is closed, in order, and no coordinate is out of this world.
fn assert_is_svg(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty());
    assert!(!svg.contains("NaN") && !svg.contains("2147483647") && !svg.contains("-2147483648"));
}

fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text")
        .skip(1)
        .filter_map(|text| text.split_once('>')?.1.split_once('<'))
        .map(|(text, _)| text.trim())
        .collect()
}

#[test]
fn title_axes_units_and_curves_are_labelled() {
    let quantities =
        [("lower", "z", "m"), ("lower", "vz", "m/s"), ("upper", "z", "m"), ("joint", "angle", "rad")];
    let svg = figure(&quantities, Some(Selection::everything()), 200, 3, |t| vec![t, t * t, -t, t.sin()]);
    let texts = texts(&svg);
    let expected = [
        "Masses &amp; &lt;springs&gt;",
        "t [s]",
        "position [m]",
        "velocity [m/s]",
        "angle [rad]",
        "lower.z",
        "lower.vz",
        "upper.z",
        "joint.angle",
        "impacts (3)",
    ];
    for text in expected {
        assert!(texts.contains(&text), "{text} is not in {texts:?}");
    }
}

#[test]
fn axes_read_prefixes_and_what_is_measured() {
    let quantities =
        [("a", "x", "m"), ("beam", "1.my", "N m"), ("a", "floor.gap", "m/s"), ("a", "load", "N")];
    let svg = figure(&quantities, Some(Selection::everything()), 50, 0, |t| {
        vec![0.01 * t, 2e6 * t, 3e-7 * t, -4e3 * t]
    });
    let texts = texts(&svg);
    for text in ["position [mm]", "moment [MN m]", "gap [nm/s]", "load [kN]", "20", "4", "600", "−8"] {
        assert!(texts.contains(&text), "{text} is not in {texts:?}");
    }
}

#[test]
fn positions_that_move_are_shown_if_nothing_is_chosen() {
    let quantities = [("a", "x", "m"), ("a", "vz", "m/s"), ("a", "z", "m"), ("a", "hinge.residual", "m")];
    let svg = figure(&quantities, None, 50, 0, |t| vec![0.0, t, t, t]);
    let texts = texts(&svg);
    assert!(texts.contains(&"a.z"));
    assert!(!texts.contains(&"a.x") && !texts.contains(&"a.vz") && !texts.contains(&"a.hinge.residual"));
}

#[test]
fn awkward_curves_are_drawn() {
    let one = [("a", "z", "m")];
    for value in [0.0, 1.0, f64::NAN, f64::INFINITY, 1e308, -1e300, 1e-320, 1e-9, 1e12] {
        let constant = figure(&one, None, 30, 0, |_| vec![value]);
        assert!(texts(&constant).contains(&"a.z"), "{value:e}");
        figure(&one, None, 0, 0, |_| vec![value]);
        figure(&one, None, 30, 0, |t| vec![if t > 1.0 { value } else { t }]);
    }
    figure(&[], None, 5, 0, |_| vec![]);
}

#[test]
fn many_impacts_are_not_marked() {
    let one = [("a", "z", "m")];
    let has_marks = |impacts| figure(&one, None, 30, impacts, |t| vec![t]).contains("impacts (");
    assert!(has_marks(199) && !has_marks(200) && !has_marks(5000) && !has_marks(0));
}

#[test]
fn a_long_run_makes_a_small_file_that_keeps_the_peak() {
    let peak = |t: f64| if t == 1.0 { 9.0 } else { t.sin() };
    let svg = figure(&[("a", "z", "m")], None, 100_000, 0, |t| vec![peak(t)]);
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    assert!(texts(&svg).contains(&"8"), "{:?}", texts(&svg));
}
