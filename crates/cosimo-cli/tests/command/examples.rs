//! The examples run as their descriptions say.

mod fmus;
mod python_controller;
mod turbine;

pub(crate) use fmus::python_has;

use std::fs;
use std::path::{Path, PathBuf};

use super::{Scratch, assert_code, read, stdout};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The model of an example.
fn example(name: &str) -> PathBuf {
    examples().join(name).join("model.toml")
}

/// A column of results.
pub(crate) fn column(results: &str, name: &str) -> Vec<f64> {
    let mut lines = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|own| *own == name).unwrap();
    lines.map(|cells| cells[place].parse().unwrap()).collect()
}

/// Times of the impacts of an example, run with these overrides.
fn impacts(name: &str, overrides: &[&str]) -> Vec<f64> {
    let scratch = Scratch::new("");
    let model = example(name);
    let mut arguments = vec!["run", model.to_str().unwrap(), "--quiet"];
    arguments.extend(overrides.iter().flat_map(|change| ["--set", change]));
    assert_code(&scratch.cosimo(&arguments), 0);
    let events = read(&scratch.path("out").join(name).join("events.csv"));
    let impacts = events.lines().filter(|line| line.contains(",impact,"));
    impacts.map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64], tolerance: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }
    assert!(found.len() >= expected.len(), "{found:?}");
}

/// Exact times: free flight and contact in closed form, impacts in 60-digit arithmetic.
const OSCILLATOR: [f64; 9] = [
    0.400_249_921_923_79,
    0.458_719_095_698_248,
    0.969_382_274_542_06,
    1.031_433_223_060_405,
    1.075_366_057_322_451,
    1.569_233_712_018_32,
    1.612_067_177_260_552,
    1.638_737_824_879_992,
    1.667_591_519_828_663,
];

#[test]
fn the_oscillator_meets_the_floor_at_the_exact_times() {
    let found = impacts("oscillator", &[]);
    assert_times(&found, &OSCILLATOR, 2e-4);
    assert_eq!(found.len(), OSCILLATOR.len());
    assert_times(&impacts("oscillator", &["time.step=1e-3", "time.end=0.9"]), &OSCILLATOR[..2], 1e-4);
}

#[test]
fn the_ball_bounces_at_the_exact_times() {
    let first = 0.400_249_921_923_79;
    // Each flight lasts 0.8 times as long as the one before; the first begins at its summit.
    let exact: Vec<f64> = (0..10).map(|k| first * (1.0 + 2.0 * (4.0 - 4.0 * 0.8_f64.powi(k)))).collect();
    assert_times(&impacts("bouncing-ball", &[]), &exact, 1e-9);
}

/// Every model of the examples with a short end (s) and the impacts until then, by closed forms and references.
pub(crate) const IMPACTS: &[(&str, f64, u64)] = &[
    ("andrews/model.toml", 0.002, 0),
    ("blade-elsewhere/model.toml", 0.02, 0),
    ("bouc-wen-isolator/model.toml", 0.2, 0),
    ("bouncing-ball/model.toml", 1.1, 2),
    ("bouncing-pendulum/model.toml", 1.0, 2),
    ("bouncing-pendulum/pva.toml", 1.0, 0),
    ("bouncing-pendulum/pvv.toml", 1.0, 0),
    ("chain/model-10-masses.toml", 0.15, 3),
    ("chain/model-10-springs.toml", 0.15, 3),
    ("chain/model-2-masses.toml", 0.15, 3),
    ("chain/model-2-springs.toml", 0.15, 3),
    ("chain/model-4-masses.toml", 0.15, 3),
    ("chain/model-4-springs.toml", 0.15, 3),
    ("chain/model.toml", 0.15, 3),
    ("controlled-slider-crank/model.toml", 0.2, 0),
    ("double-pendulum/model.toml", 0.5, 0),
    ("droop-stop-nonlinear/model.toml", 1.4, 1),
    ("droop-stop-nonlinear/penalty.toml", 0.2, 0),
    ("droop-stop/model.toml", 0.3, 2),
    ("droop-stop/multistep.toml", 0.2, 2),
    ("elastic-bar/model.toml", 0.55, 1),
    ("exported-mechanism/model.toml", 0.4, 4),
    ("falling-drag/model.toml", 0.5, 0),
    ("flexible-pendulum/model.toml", 0.01, 0),
    ("flexible-pendulum/pvv.toml", 0.01, 0),
    ("four-bar-stop/model.toml", 0.1, 0),
    ("four-bar/model.toml", 0.2, 0),
    ("hail/model.toml", 0.08, 2),
    ("heavy-top/model.toml", 0.1, 0),
    ("oscillator/model.toml", 0.5, 2),
    ("puma-blade/model.toml", 0.02, 0),
    ("puma-drop/friction.toml", 0.002, 0),
    ("puma-drop/inside.toml", 0.409, 1),
    ("puma-drop/lever.toml", 0.002, 0),
    ("puma-drop/model.toml", 0.409, 1),
    ("puma-drop/penalty.toml", 0.002, 0),
    ("puma-engagement/engagement.toml", 0.01, 0),
    ("puma-engagement/inside.toml", 0.01, 0),
    ("puma-engagement/penalty.toml", 0.01, 0),
    ("puma-gust/gust.toml", 0.01, 0),
    ("puma-hover/inside.toml", 0.01, 0),
    ("puma-hover/model.toml", 0.01, 0),
    ("python-controller/native.toml", 0.5, 0),
    ("rigid-pair/cut-at-link.toml", 0.5, 1),
    ("rigid-pair/eliminated.toml", 0.5, 1),
    ("rigid-pair/model.toml", 0.5, 1),
    ("rigid-pair/whole.toml", 0.5, 1),
    ("rocking-box/model.toml", 0.08, 1),
    ("rods/falling.toml", 0.5, 2),
    ("rods/hinged.toml", 0.6, 1),
    ("rods/impact.toml", 1e-3, 1),
    ("rods/model.toml", 0.2, 2),
    ("slider-crank-stop/compliant.toml", 0.1, 0),
    ("slider-crank-stop/model.toml", 0.4, 1),
    ("sliding-block/model.toml", 0.5, 0),
    ("spheres-in-a-box/model.toml", 0.05, 4),
    ("ssp-wagons/whole.toml", 0.5, 0),
    ("stick-slip-belt/limit-cycle.toml", 0.5, 0),
    ("stick-slip-belt/model.toml", 0.5, 0),
    ("three-subsystems/model-one-piece.toml", 0.5, 42),
    ("three-subsystems/model.toml", 0.5, 42),
    ("tilted-plane-friction/model.toml", 1.2, 2),
    ("tilted-plane-friction/sphere.toml", 1.2, 2),
    ("tilted-plane/model.toml", 1.2, 2),
    ("tippe-top/model.toml", 0.05, 0),
    ("train/model.toml", 0.1, 0),
    ("train/wagon.toml", 0.1, 0),
    ("turbine/model.toml", 0.1, 0),
    ("vibrating-table/model.toml", 0.3, 2),
    ("walker/cone.toml", 0.1, 1),
    ("walker/faceted.toml", 0.1, 1),
    ("walker/feet-inside.toml", 0.02, 0),
    ("walker/model.toml", 0.02, 0),
    ("walker/no-ports.toml", 0.02, 0),
    ("wedge/model.toml", 0.5, 2),
    ("woodpecker/model.toml", 0.15, 6),
];

/// Models with an FMU that is built first, that become FMUs of a system, or with a program that is started first; they have tests of
/// their own.
const TESTED_APART: &[&str] = &[
    "fmu-controller/model.toml",
    "python-controller/model.toml",
    "ssp-wagons/coupling.toml",
    "ssp-wagons/wagon.toml",
];

/// The energy in the summary adds up, contacts put nothing in, and with friction on bodies without springs nothing is made.
fn assert_balanced(model: &str, summary: &serde_json::Value) {
    let of = |key: &str| summary[format!("energy_{key}")].as_f64().unwrap();
    let scale = 1.0 + ["start", "end", "contact", "external"].map(|key| of(key).abs()).iter().sum::<f64>();
    let left =
        of("end") - of("start") - of("contact") - of("external") + of("dissipated") - of("monitor_sum");
    assert!(left.abs() < 1e-9 * scale, "{model}: {left:e} J unaccounted for");
    assert!(of("contact") <= 1e-12 * scale, "{model}: contacts put {:e} J in", of("contact"));
    let folder = model.split('/').next().unwrap_or_default();
    if ["sliding-block", "tilted-plane-friction"].contains(&folder) {
        assert!(of("contact") < -1e-3 && of("monitor_sum").abs() < 1e-10 * scale, "{model}: {summary}");
    }
}

#[test]
fn every_example_runs_and_writes_its_results() {
    let scratch = Scratch::new("");
    for &(model, end, impacts) in IMPACTS {
        let (file, setting) = (examples().join(model), format!("time.end={end}"));
        let out = model.replace('/', "-");
        let arguments = ["run", file.to_str().unwrap(), "--set", &setting, "--out", &out];
        let run = scratch.cosimo(&arguments);
        assert_code(&run, 0);
        assert!(stdout(&run).contains(&format!("completed at t = {end} s")), "{}", stdout(&run));

        let folder = scratch.path(&out);
        let summary: serde_json::Value = serde_json::from_str(&read(&folder.join("summary.json"))).unwrap();
        assert_eq!(
            (summary["outcome"].as_str(), summary["impacts"].as_u64()),
            (Some("completed"), Some(impacts)),
            "{model}"
        );
        assert_balanced(model, &summary);
        let (results, events) = (read(&folder.join("results.csv")), read(&folder.join("events.csv")));
        let mut rows = results.lines();
        let columns = rows.next().unwrap().split(',').count();
        let numbers: Vec<Vec<f64>> =
            rows.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        assert!(columns > 2 && numbers.iter().all(|row| row.len() == columns), "{model}");
        assert!(numbers.iter().flatten().all(|number| number.is_finite()), "{model}");
        // A multiple of the step may be off by a bit.
        let last = numbers[numbers.len() - 1][0];
        assert!(numbers[0][0] == 0.0 && (last - end).abs() < 1e-12, "{model}: ends at {last} s");
        assert_eq!(
            events.lines().filter(|line| line.contains(",impact,")).count() as u64,
            impacts,
            "{model}"
        );
        assert!(read(&folder.join("plot.svg")).contains("<polyline"), "{model}");
    }
}

/// The folders of the examples.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Every example is on the page of the examples.
#[test]
fn the_index_has_every_example() {
    let index = read(&examples().join("README.md"));
    for folder in folders() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(index.contains(&format!("[{name}]({name})")), "{name} is missing");
    }
}

/// No model of the examples is left out above.
#[test]
fn every_model_of_the_examples_is_run() {
    let mut found = Vec::new();
    for folder in folders() {
        for file in fs::read_dir(&folder).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let model = format!("{}/{name}", folder.file_name().unwrap().to_str().unwrap());
            if name.ends_with(".toml") && name != "Cargo.toml" && !TESTED_APART.contains(&model.as_str()) {
                found.push(model);
            }
        }
    }
    found.sort();
    assert_eq!(found, IMPACTS.iter().map(|(model, ..)| *model).collect::<Vec<_>>());
}

/// Text in a figure: title, labels, ticks and legend.
fn words(figure: &str) -> Vec<&str> {
    figure
        .split("<text")
        .skip(1)
        .filter_map(|rest| rest.split_once('>')?.1.split('<').next())
        .map(str::trim)
        .collect()
}

/// The figure beside a description is that of the model.
#[test]
fn the_figures_of_the_examples_are_those_of_their_models() {
    let scratch = Scratch::new("");
    for folder in folders() {
        if !folder.join("model.toml").exists() {
            continue;
        }
        let name = folder.file_name().unwrap().to_str().unwrap();
        if TESTED_APART.contains(&format!("{name}/model.toml").as_str()) {
            continue;
        }
        assert_code(&scratch.cosimo(&["run", folder.join("model.toml").to_str().unwrap(), "--quiet"]), 0);
        let found = read(&scratch.path("out").join(name).join("plot.svg"));
        let shown = read(&folder.join("plot.svg"));
        assert!(words(&shown).len() > 5, "{name}");
        assert_eq!(words(&found), words(&shown), "{name}");
        assert!(read(&folder.join("README.md")).contains("](plot.svg)"), "{name}");
    }
}

/// The first impact turns the sphere round, `v → −0.8 v`, and the spring is pressed by the relative velocity `1.8 v`: `F = 1.8 v √(k m/2)`.
#[test]
fn the_sweep_of_the_oscillator_finds_the_largest_force() {
    let scratch = Scratch::new("");
    let (folder, page) = (examples().join("oscillator"), read(&examples().join("oscillator/README.md")));
    let command = page.lines().find_map(|line| line.strip_prefix("cargo run --release -- sweep ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
    let model = folder.join("model.toml");
    assert_code(&scratch.cosimo(&[&["sweep", model.to_str().unwrap()], &arguments[..]].concat()), 0);
    let out = scratch.path("out/oscillator-sweep");
    let (table, speed) = (read(&out.join("sweep.csv")), (2.0_f64 * 0.801 * 10.0).sqrt());
    for row in table.lines().skip(1) {
        let cells: Vec<f64> = row.split(',').take(3).map(|cell| cell.parse().unwrap()).collect();
        let expected = 1.8 * speed * (cells[1] / 2.0).sqrt();
        assert!((cells[2] / expected - 1.0).abs() < 1e-5, "{row}");
    }
    assert_eq!(table.lines().count(), 10);
    let [found, shown] = [&out, &folder].map(|folder| read(&folder.join("sweep.svg")));
    assert_eq!(self::words(&found), self::words(&shown));
    assert!(page.contains("](sweep.svg)"));
}
