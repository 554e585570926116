//! Runs that fail, and studies that are refused.

use super::{BALL, OSCILLATOR, list, numbers, rows, study, table};
use cosimo_model::Override;
use cosimo_sweep::{Axis, Cases, MOST_RUNS, Source, Status, Study};

#[test]
fn a_run_that_fails_is_a_row_with_its_reason() {
    let axes = vec![list("subsystem.ball.mass", "1,-1,x,2"), list("master.on_unsolved", "stop")];
    let study = study(BALL, axes, &["ball.z:max"]).unwrap();
    let table = table(&study, 2);
    let reasons: Vec<&str> = table.failures().iter().map(|(_, reason)| reason.as_str()).collect();
    assert_eq!(table.failures().iter().map(|own| own.0).collect::<Vec<_>>(), [1, 2]);
    assert!(reasons[0].starts_with("subsystem.ball.mass=-1: mass is -1"), "{reasons:?}");
    assert!(reasons[1].contains("mass is the string \"x\""), "{reasons:?}");
    let found = numbers(&table, "ball.z:max");
    assert!((found[0] - 0.45).abs() < 1e-12 && found[1].is_nan() && found[3] == found[0]);
}

/// Numbers that are not finite end a run in its midst.
#[test]
fn a_step_that_fails_leaves_how_far_the_run_came() {
    let load = "[[subsystem.load]]\ndirection = [0, 0, 1]\ntime = [0.1, 0.101]\nvalue = [0.0, 1e308]\n";
    let text = BALL.replacen("[[subsystem.plane]]", &format!("{load}[[subsystem.plane]]"), 1);
    let study = study(&text, vec![list("subsystem.ball.mass", "1e-9,1e300")], &["ball.z"]).unwrap();
    let mut rows = rows(&study, 1);
    rows.sort_by_key(|row| row.run);
    assert_eq!(rows[0].status, Status::Failed);
    assert!(rows[0].reason.contains("step from 0.1 s: subsystem `ball`"), "{}", rows[0].reason);
    assert_eq!(rows[0].costs.steps, 100);
    assert!(rows[0].outputs[0].is_nan());
}

/// A model has other quantities where its coordinates are others.
#[test]
fn a_run_without_the_quantity_is_a_row() {
    let axes = vec![list("subsystem.mass.coordinates", "[\"x\"],[\"y\"]")];
    let table = table(&study(OSCILLATOR, axes, &["mass.x"]).unwrap(), 1);
    assert_eq!(table.failures(), [(1, "the model of this run has no quantity `mass.x`".to_owned())]);
}

#[test]
fn what_no_run_can_be_done_with_is_refused_before_any() {
    let refused = |values: &str, output: &str| {
        let axes = vec![list("subsystem.ball.mass", values)];
        study(BALL, axes, &[output]).unwrap_err().to_string()
    };
    assert!(refused("-1,-2", "ball.z").contains("must be positive"));
    assert_eq!(refused("1,2", "bal.z"), "no quantity matches `bal.z`; did you mean `ball.z`?");
    assert_eq!(
        refused("1,2", "ball.flor:impacts"),
        "no contact matches `ball.flor`; did you mean `ball.floor`?"
    );
    let unknown = study(BALL, vec![list("subsystem.bal.mass", "1,2")], &[]).unwrap_err().to_string();
    assert!(unknown.contains("did you mean `ball`?"), "{unknown}");
    let none = study(OSCILLATOR, vec![list("time.end", "1,2")], &["*:impacts"]).unwrap_err().to_string();
    assert_eq!(none, "no contact matches `*`; the model has none");
}

#[test]
fn memory_is_bounded_by_name() {
    let many = format!("linear(0.1,1,{MOST_RUNS})");
    let outputs = ["ball.*:min", "ball.*:max", "ball.*:mean", "ball.*:rms", "ball.*:last"];
    let error = study(BALL, vec![list("time.end", &many)], &outputs).unwrap_err().to_string();
    assert!(error.contains("at most 50000000 are kept: ask for fewer outputs"), "{error}");
    let error = study(BALL, vec![list("time.end", &many), list("time.step", "1e-3,1e-4")], &[]);
    assert!(error.unwrap_err().to_string().contains("has 2000000 runs, at most 1000000 are done"));
}

/// A table has one value of an entry, and a run as well.
#[test]
fn an_entry_has_its_values_from_one_place() {
    let refused = |fixed: &[&str], axes: &[(&str, &str)]| {
        let axes = axes.iter().map(|(key, values)| list(key, values)).collect();
        let changes: Vec<Override> = fixed.iter().map(|own| Override::parse(own).unwrap()).collect();
        let source = Source::new("model.toml", BALL, &changes);
        let cases = Cases::new(axes).map_err(cosimo_sweep::StudyError::from);
        cases.and_then(|cases| Study::new(source, cases, &[], None)).map(drop).unwrap_err().to_string()
    };
    let (end, whole) = (("time.end", "0.1,0.2"), ("time", "{end=1,step=0.1},{end=2,step=0.1}"));
    assert!(refused(&["time.end=1"], &[end]).contains("`time.end` is set twice"));
    assert!(refused(&[" time . end = 1"], &[end]).contains("`time . end` and `time.end` are both set"));
    assert!(refused(&[], &[end, whole]).contains("`time.end` and `time` are both set"));
    assert!(refused(&["time={end=1,step=0.1}"], &[end]).contains("`time` and `time.end` are both set"));
    let mass = [("subsystem.0.mass", "1,2"), ("subsystem.ball.mass", "3,4")];
    assert!(refused(&[], &mass).contains("`subsystem.0.mass` and `subsystem.ball.mass` are both set"));
    assert!(refused(&["subsystem.0.mass=1"], &mass[1..]).contains("are both set"));
    let fine = Source::new("model.toml", BALL, &[Override::parse("time.step=1e-2").unwrap()]);
    assert!(Study::new(fine, Cases::new(vec![list("time.end", "0.1,0.2")]).unwrap(), &[], None).is_ok());
}

#[test]
fn an_entry_without_values_is_named() {
    let error = Cases::new(vec![list("time.end", "1"), Axis::list("time.step", Vec::new())]).unwrap_err();
    assert_eq!(error.to_string(), "`time.step` has no values: give it at least one");
}
