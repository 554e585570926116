//! What is told of good units, as a text and as JSON, and their dry runs.

use std::fs;

use cosimo_fmi::binary::Version;
use serde_json::Value;

use super::super::{Scratch, assert_code, read, stderr, stdout};
use super::{VERSIONS, unit};

/// The words of a line.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn what_is_in_a_unit_and_what_it_will_be_is_told() {
    for version in VERSIONS {
        let Some(unit) = unit("oscillator_half", version, &[]) else { return };
        let scratch = Scratch::with_temporary("");
        let output = scratch.cosimo(&["fmu", &unit]);
        assert_code(&output, 0);
        assert_eq!(stderr(&output), "");
        let told = stdout(&output);
        let number = if version == Version::Two { "2.0" } else { "3.0" };
        assert!(told.starts_with(&format!("oscillator_half, FMI {number}\n")), "{told}");
        let words: Vec<String> = told.lines().map(|line| words(line).join(" ")).collect();
        for expected in [
            "tool Cosimo test units",
            "experiment from 0 s to 1 s",
            "model-exchange 2 states, no event indicators; saves and serialises its state; directional derivatives",
            "co-simulation saves and serialises its state; directional derivatives; variable steps",
            "coupled signals only: it has no mechanical ports",
            "inputs F",
            "outputs x, v, a, place",
            "can be resumed yes: its state can be serialised",
            "F input continuous Float64 0",
            "dry run from 0 to 1 s by steps of 0.002 s, in a process of its own",
            // x = cos t, to the error of the rule.
            "x 0.540303 1 0.540303",
        ] {
            assert!(words.iter().any(|line| line == expected), "`{expected}` is not in\n{told}");
        }
        assert!(
            told.contains("; this machine is among them\n") && told.contains("  500 steps in "),
            "{told}"
        );
        assert!(scratch.left().is_empty() && fs::read_dir(scratch.path("")).unwrap().count() == 2);
    }
}

/// A unit with steps of one size is never asked for another: neither by the last step of a run nor by parts of its own.
#[test]
fn steps_that_a_unit_cannot_take_are_refused_before_the_run() {
    for version in VERSIONS {
        let Some(unit) = unit("oscillator_half", version, &[("FIXED_STEP", "0.1")]) else { return };
        let run = |face: &str, end: f64, step: f64| {
            let text = format!(
                "schema = 1\ntime = {{ end = {end}, step = {step} }}\n[[subsystem]]\nname = \"a\"\nkind = \"fmu\"\nfile = \"{unit}\"\n\
                 face = \"{face}\"\n"
            );
            let scratch = Scratch::new(&text);
            let output = scratch.cosimo(&["check", "masses.toml"]);
            (output.status.code(), stderr(&output))
        };
        assert_eq!(run("co-simulation", 1.5, 0.1).0, Some(0));
        assert_eq!(run("model-exchange", 1.55, 0.07).0, Some(0));
        let (code, text) = run("co-simulation", 1.55, 0.1);
        assert!(
            code == Some(2) && text.contains("the last one, up to 1.55 s, is shorter than 0.1 s"),
            "{text}"
        );
        if version == Version::Three {
            let (code, text) = run("co-simulation", 1.4, 0.07);
            assert!(code == Some(2) && text.contains("whole steps of 0.1 s"), "{text}");
            assert_eq!(run("co-simulation", 1.4, 0.2).0, Some(0));
        }
    }
}

/// The second instance would end the process of the first.
#[test]
fn a_second_unit_that_a_process_cannot_hold_gets_a_process_of_its_own() {
    for version in VERSIONS {
        let Some(unit) = unit("once", version, &[]) else { return };
        let text = |name: &str, speed: f64, more: &str| {
            format!(
                "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{unit}\"\nparameters = {{ speed = {speed} }}\n{more}"
            )
        };
        for more in ["", "face = \"co-simulation\"\n"] {
            let model = format!(
                "schema = 1\ntime = {{ end = 1.0, step = 0.1 }}\n{}{}{}",
                text("a", 1.0, more),
                text("b", 2.0, more),
                text("c", 3.0, more)
            );
            let scratch = Scratch::with_temporary(&model);
            let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
            assert_code(&output, 0);
            let results = scratch.result("results.csv");
            let last: Vec<f64> =
                results.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
            let ends = &last[last.len() - 3..];
            assert!(ends.iter().zip([1.0, 2.0, 3.0]).all(|(x, exact)| (x - exact).abs() < 1e-12), "{last:?}");
            assert!(scratch.left().is_empty());
        }
    }
}

#[test]
fn json_has_the_same_as_data() {
    for version in VERSIONS {
        let Some(unit) = unit("oscillator_half", version, &[("NO_STATE", "1")]) else { return };
        let scratch = Scratch::with_temporary("");
        let asked = ["fmu", &unit, "--json", "--face", "co-simulation", "--end", "0.5", "--step", "0.25"];
        let output = scratch.cosimo(&asked);
        assert_code(&output, 0);
        let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!((&told["model_name"], &told["runs_here"]), (&"oscillator_half".into(), &true.into()));
        let faces: Vec<_> = told["faces"].as_array().unwrap().iter().map(|face| &face["face"]).collect();
        assert_eq!(faces, ["model-exchange", "co-simulation"]);
        assert_eq!(told["faces"][1]["can_get_and_set_state"], false);
        assert_eq!(told["subsystem"]["can_resume"], false);
        assert_eq!(told["subsystem"]["inputs"][0]["start"], 0.0);
        let names = |list: &Value| -> Vec<String> {
            let names = list.as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap().to_owned());
            names.collect()
        };
        assert!(names(&told["variables"]).contains(&"der(x)".to_owned()));
        let run = &told["dry_run"];
        assert_eq!((&run["steps"], &run["error"]), (&2.into(), &Value::Null));
        assert_eq!(names(&run["quantities"]), ["x", "v", "a", "place"]);
        assert!((run["quantities"][0]["last"].as_f64().unwrap() - 0.5_f64.cos()).abs() < 1e-6, "{run}");
    }
}

#[test]
fn json_tells_why_a_dry_run_failed() {
    let Some(unit) = unit("bad", Version::Three, &[("BAD_MODE", "7")]) else { return };
    let scratch = Scratch::with_temporary("");
    let output = scratch.cosimo(&["fmu", &unit, "--json", "--face", "co-simulation"]);
    assert_code(&output, 1);
    let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let error = told["dry_run"]["error"].as_str().unwrap();
    assert!(error.starts_with("the run ended at 0 s") && error.contains("exit status: 3"), "{error}");
    assert!(stderr(&output).contains(error), "{}", stderr(&output));
}

#[test]
fn results_are_written_where_they_are_wanted() {
    for version in VERSIONS {
        let Some(unit) = unit("bouncing_ball", version, &[]) else { return };
        let scratch = Scratch::with_temporary("");
        let out = ["fmu", &unit, "--out", "out"];
        assert_code(&scratch.cosimo(&out), 0);
        assert_eq!(read(&scratch.path("out/results.csv")).lines().count(), 502);
        assert!(read(&scratch.path("out/plot.svg")).contains("bouncing_ball.h"));
        let refused = scratch.cosimo(&out);
        assert_code(&refused, 2);
        assert!(stderr(&refused).contains("add --force"), "{}", stderr(&refused));
        assert_code(&scratch.cosimo(&[&out[..], &["--force"]].concat()), 0);
        assert!(scratch.left().is_empty());
    }
}

#[test]
fn without_a_dry_run_nothing_of_it_is_loaded() {
    // It would crash at once.
    let Some(unit) = unit("bad", Version::Two, &[("BAD_MODE", "1")]) else { return };
    let scratch = Scratch::with_temporary("");
    let output = scratch.cosimo(&["fmu", &unit, "--no-run"]);
    assert_code(&output, 0);
    assert!(!stdout(&output).contains("dry run"));
}

#[test]
fn check_tells_how_units_are_coupled_and_which_keep_a_run_from_being_resumed() {
    let Some(able) = unit("oscillator_half", Version::Two, &[]) else { return };
    let Some(plain) = unit("oscillator_half", Version::Three, &[("NO_STATE", "1")]) else { return };
    let subsystem = |name: &str, file: &str, keys: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{file}\"\n{keys}\n[[subsystem.port]]\nname = \"tip\"\n\
             position = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n"
        )
    };
    let model = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n".to_owned()
        + &subsystem("a", &able, "")
        + &subsystem("b", &able, "face = \"co-simulation\"")
        + &subsystem("c", &able, "face = \"co-simulation\"\ncoupling = \"quasi-newton\"")
        + &subsystem("d", &plain, "face = \"co-simulation\"");
    let scratch = Scratch::with_temporary(&model);
    let output = scratch.cosimo(&["check", "masses.toml"]);
    assert_code(&output, 0);
    let expected = "\
note: FMU `a`, model-exchange: coupled exact: model exchange is integrated here, and its responses follow from its derivatives
note: FMU `b`, co-simulation: coupled by its directional derivatives, if a repeated step confirms that they are those of a step; else by differences
note: FMU `c`, co-simulation: coupled as `coupling` says; else by its directional derivatives, if a repeated step confirms that they are those of a step; else by differences
note: FMU `d`, co-simulation: coupled explicit, on joints that give way: it cannot go back to a saved state (canGetAndSetFMUState)
note: a run with FMU `d` cannot be resumed: its state cannot be serialised (canSerializeFMUState)
";
    assert!(stderr(&output).ends_with(expected), "{}", stderr(&output));
    assert!(scratch.left().is_empty());
}
