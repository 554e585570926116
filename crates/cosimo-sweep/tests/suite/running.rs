//! What runs leave, beside closed forms.

use super::{BALL, OSCILLATOR, list, numbers, study, table};
use cosimo_fmi::binary::Version;
use cosimo_fmi::test_units::build;
use cosimo_sweep::{Axis, Cases, Distribution, Source, Study, Values, figure};

/// `x = 0.1 cos ωt` with `ω² = k/m`.
#[test]
fn numbers_of_an_oscillator_are_those_of_its_closed_form() {
    let outputs = ["mass.x", "mass.x:min", "mass.x:max", "mass.x:mean", "mass.x:rms", "mass.v_x:max"];
    let study = study(OSCILLATOR, vec![list("subsystem.mass.stiffness", "[20:200:20]")], &outputs);
    // Of a list of lists brackets are part of the values.
    assert!(study.is_err());
    let values = |k: f64| format!("[{k}]");
    let stiffnesses: Vec<f64> = (1..=10).map(|k| 20.0 * f64::from(k)).collect();
    let axis = Axis::list("subsystem.mass.stiffness", stiffnesses.iter().map(|k| values(*k)).collect());
    let study = super::study(OSCILLATOR, vec![axis], &outputs).unwrap();
    let table = table(&study, 2);
    assert_eq!((table.rows(), table.failures().len()), (10, 0));
    let found = outputs
        .map(|name| numbers(&table, &if name == "mass.x" { "mass.x:last".into() } else { name.to_owned() }));
    for (run, stiffness) in stiffnesses.into_iter().enumerate() {
        let (omega, end) = ((stiffness / 2.0_f64).sqrt(), 10.0_f64);
        let phase = omega * end;
        let expected = [
            0.1 * phase.cos(),
            -0.1,
            0.1,
            0.1 * phase.sin() / phase,
            0.1 * (0.5 + (2.0 * phase).sin() / (4.0 * phase)).sqrt(),
            0.1 * omega,
        ];
        // The rule is of second order: of amplitude 0.1, off by `ω³h²t/12` in phase.
        let tolerance = 0.1 * (omega.powi(3) * 1e-6 * end / 12.0 + 1e-4) * omega.max(1.0);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found[run] - expected).abs() < tolerance, "{stiffness}: {} {expected}", found[run]);
        }
    }
}

/// From a height `H` it meets the floor after `√(2H/g)`, again after `2 e √(2H/g)` more.
#[test]
fn events_of_a_ball_are_where_they_must_be() {
    let outputs = ["ball.floor:first-impact", "ball.*:last-impact", "*:impacts", "ball.floor:releases"];
    let axes = vec![list("subsystem.ball.position", "[0,0,0.2],[0,0,0.45],[0,0,20]")];
    let table = table(&study(BALL, axes, &outputs).unwrap(), 1);
    let first = numbers(&table, outputs[0]);
    assert!((first[0] - 0.2).abs() < 1e-9 && (first[1] - 0.3).abs() < 1e-9 && first[2].is_nan(), "{first:?}");
    let count = numbers(&table, outputs[2]);
    // Until 1 s: 0.3, 0.6, 0.75, 0.825 … of the one; all of the other's sum to 3 · 0.2 s.
    assert!(count[0] > 8.0 && count[1] > 5.0 && count[2] == 0.0, "{count:?}");
    assert!(numbers(&table, outputs[1])[1] < 0.9 + 1e-6);
    assert_eq!(numbers(&table, "impacts"), count);
    let text = table.to_csv();
    assert!(text.lines().nth(3).unwrap().starts_with("3,\"[0,0,20]\",,,0.0,"), "{text}");
}

#[test]
fn the_table_is_the_same_for_any_number_of_threads() {
    let axes = || {
        let drawn = vec![("subsystem.ball.mass".to_owned(), Distribution::LogUniform(0.1, 10.0))];
        vec![list("subsystem.ball.plane.floor.restitution", "0:1:0.25"), Axis::random(5, 8, drawn).unwrap()]
    };
    let outputs = ["ball.*:rms", "ball.floor:last-impact"];
    let one = study(BALL, axes(), &outputs).unwrap();
    let text = table(&one, 1).to_csv();
    assert_eq!(text.lines().count(), 41);
    for threads in [2, 7, 100] {
        assert_eq!(table(&one, threads).to_csv(), text);
    }
}

#[test]
fn without_outputs_what_is_plotted_is_kept() {
    let study = study(BALL, vec![list("time.end", "0.1,0.2")], &[]).unwrap();
    let names: Vec<String> = study.outputs().iter().map(cosimo_sweep::Output::name).collect();
    assert!(names.contains(&"ball.z:last".to_owned()), "{names:?}");
}

#[test]
fn figures_have_curves_over_lists_and_dots_over_draws() {
    let shown = |axes: Vec<Axis>| {
        let study = study(BALL, axes, &["ball.z:max", "ball.vz:min"]).unwrap();
        figure(&study, &table(&study, 2)).unwrap()
    };
    let restitution = || list("subsystem.ball.plane.floor.restitution", "0,0.5,1");
    let lines = shown(vec![list("time.end", "0.1:1:0.1"), restitution()]);
    for part in
        ["time.end [SI]", "floor.restitution = 0.5", "ball.z:max", "max [m]", "ball.vz:min", "min [m/s]"]
    {
        assert!(lines.contains(part), "{part}");
    }
    assert!(!lines.contains("<circle"));
    let dots = shown(vec![restitution(), list("subsystem.ball.mass", "uniform(1,2)")]);
    assert_eq!(dots.matches("<circle").count(), 2 * 60);
    let logarithmic = shown(vec![list("subsystem.ball.mass", "log(1,1000,4)")]);
    assert!(logarithmic.contains("1e2"));
    let texts = shown(vec![list("master.impacts", "plain,sub-step")]);
    assert!(texts.contains(">\nrun [–]") || texts.contains("run [–]"));
}

#[test]
fn the_figure_is_over_what_is_said() {
    let cases =
        || Cases::new(vec![list("time.end", "0.1:1:0.1"), list("subsystem.ball.mass", "1,2")]).unwrap();
    let own = Study::new(Source::new("model.toml", BALL, &[]), cases(), &[], None).unwrap();
    let own = own.with_figure_over("subsystem.ball.mass").unwrap();
    assert!(figure(&own, &table(&own, 1)).unwrap().contains("subsystem.ball.mass [SI]"));
    let error = own.with_figure_over("time.step").unwrap_err().to_string();
    assert!(error.contains("varied are `time.end`, `subsystem.ball.mass`"), "{error}");
    for values in ["1,x", "1,9007199254740993"] {
        let cases =
            Cases::new(vec![list("subsystem.ball.mass", values), list("time.end", "0.1,0.2")]).unwrap();
        let own = Study::new(Source::new("model.toml", BALL, &[]), cases, &[], None).unwrap();
        let error = own.with_figure_over("subsystem.ball.mass").unwrap_err().to_string();
        assert!(error.contains("not by numbers alone"), "{error}");
    }
    assert!(matches!(Values::numbers([1.0, 0.5]), Values::List(list) if list == ["1", "0.5"]));
}

/// A whole number that no number of the machine is stays as it was written.
#[test]
fn whole_numbers_are_in_the_table_as_they_were_set() {
    let shown = |values: &str| {
        let study = study(BALL, vec![list("subsystem.ball.mass", values)], &["ball.z"]).unwrap();
        let text = table(&study, 1).to_csv();
        text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown("9007199254740993,-9007199254740993"), ["9007199254740993", "-9007199254740993"]);
    let long = "1000000000000000000000000000000000000000000";
    assert_eq!(shown(&format!("{long},1")), [long, "1"]);
    assert_eq!(shown("9007199254740992,1e300"), ["9007199254740992.0", "1e300"]);
}

/// The second instance would end the process: without others the runs are one after the other, however deep the unit is.
#[test]
fn units_that_a_process_holds_once_are_held_once() {
    let Some(unit) = build("once", Version::Three, &[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let time = "schema = 1\ntime = { end = 1.0, step = 0.1 }\n";
    let file = unit.fmu.display();
    let own = format!("{time}[[subsystem]]\nname = \"unit\"\nkind = \"fmu\"\nfile = '{file}'\n");
    let outer =
        |file: &str| format!("{time}[[subsystem]]\nname = \"outer\"\nkind = \"model\"\nfile = \"{file}\"\n");
    std::fs::write(folder.path().join("inner.toml"), &own).unwrap();
    std::fs::write(folder.path().join("middle.toml"), outer("inner.toml")).unwrap();
    for (text, output) in [(own, "unit.x"), (outer("middle.toml"), "outer.outer.unit.x")] {
        let source = Source::new(folder.path().join("model.toml").display().to_string(), text, &[]);
        let cases = Cases::new(vec![list("time.end", "0.5:2:0.1")]).unwrap();
        let study = Study::new(source, cases, &[output.parse().unwrap()], None).unwrap();
        let table = table(&study, 4);
        assert_eq!(table.failures(), []);
        let ends = numbers(&table, "time.end");
        let found = numbers(&table, &format!("{output}:last"));
        assert!(found.iter().zip(ends).all(|(x, end)| (x - end).abs() < 1e-9), "{found:?}");
    }
}
