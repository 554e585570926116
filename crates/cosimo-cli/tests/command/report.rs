//! Reports: what is in them, and that they play in a browser as the tables say.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::{MODEL, Scratch, assert_code, read, stderr, tutorial};

/// Deviations of positions, as a share of the size of the motion, and of angles (rad) that the page may have: those of its numbers.
const POSITION: f64 = 2e-5;
const ANGLE: f64 = 2e-4;

/// The script that drives a browser.
fn driver() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cosimo-report/page/tests/browser.mjs")
}

/// Whether there are Node and Chromium; they must be there where this is asked for.
fn has_browser() -> bool {
    let answers =
        |name: &str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    let has = answers("node") && answers("chromium");
    assert!(has || env::var_os("COSIMO_REQUIRE_BROWSER").is_none(), "node and chromium are required");
    has
}

/// One browser at a time: it draws by the processor.
static BROWSER: Mutex<()> = Mutex::new(());

/// Opens a page, plays it and looks at its pixels; the values of these expressions.
fn opened(page: &Path, expressions: &[String]) -> Value {
    let _alone = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("node");
    command.arg(driver()).arg(page).arg("--check");
    command.args(expressions.iter().flat_map(|expression| ["--evaluate", expression]));
    let out = command.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{}: {text}", page.display());
    serde_json::from_str(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The columns `NAME.part` of a table.
fn columns(table: &str, name: &str, parts: &[&str]) -> Vec<Vec<f64>> {
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let index = |part: &&str| header.iter().position(|own| *own == format!("{name}.{part}")).unwrap();
    let indices: Vec<usize> = parts.iter().map(index).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        indices.iter().map(|k| cells[*k].parse().unwrap()).collect()
    };
    table.lines().skip(1).map(row).collect()
}

/// Runs a model with a report, plays it, and compares the poses of some bodies with the table at three instants.
fn assert_plays(model: &Path, arguments: &[&str], bodies: &[&str]) {
    let scratch = Scratch::new("");
    let path = model.to_str().unwrap();
    let run = [
        &["run", path, "--out", "out", "--quiet", "--report", "--set", "record.quantities=[\"*\"]"],
        arguments,
    ];
    assert_code(&scratch.cosimo(&run.concat()), 0);
    let (page, table) = (scratch.path("out/report.html"), read(&scratch.path("out/results.csv")));
    let html = read(&page);
    assert!(html.len() < 5_000_000, "{} bytes", html.len());
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http") && !html.contains("@import"));
    if !has_browser() {
        return;
    }
    let times: Vec<f64> =
        table.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    let rows = [times.len() / 3, 2 * times.len() / 3, times.len() - 1];
    let size = "JSON.parse(document.getElementById(\"cosimo-data\").textContent).scene.size";
    let mut expressions = vec![size.to_owned()];
    for (row, body) in rows.iter().flat_map(|row| bodies.iter().map(move |body| (*row, *body))) {
        let time = times[row];
        expressions.push(format!("cosimo.seek({time:?}), [cosimo.time, ...cosimo.pose({body:?}).position, ...cosimo.pose({body:?}).orientation]"));
    }
    let seen = opened(&page, &expressions);
    let size = seen["values"][0].as_f64().unwrap();
    let mut found = seen["values"].as_array().unwrap()[1..].iter().map(numbers);
    for row in rows {
        for body in bodies {
            let (expected, found) =
                (columns(&table, body, &["x", "y", "z", "qw", "qx", "qy", "qz"]), found.next().unwrap());
            assert!((found[0] - times[row]).abs() < 1e-9, "{} for {}", found[0], times[row]);
            let off = (0..3).map(|k| (found[1 + k] - expected[row][k]).abs()).fold(0.0, f64::max);
            assert!(off < POSITION * size, "{body} at {} is off by {off} m of {size} m", times[row]);
            let cosine: f64 = (0..4).map(|k| found[4 + k] * expected[row][3 + k]).sum();
            let angle = 2.0 * cosine.abs().min(1.0).acos();
            assert!(angle < ANGLE, "{body} at {} is off by {angle} rad", times[row]);
        }
    }
}

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

#[test]
fn the_walker_plays() {
    assert_plays(
        &example("walker/model.toml"),
        &["--set", "time.end=0.3"],
        &["w.chassis", "w.shaft", "w.link_j3"],
    );
}

#[test]
fn a_rotor_that_is_engaged_plays() {
    // The hub begins to turn after five seconds.
    let changes = ["time.end=6.5", "time.step=2e-3", "record.every=10", "record.frames_per_second=50"];
    let changes: Vec<&str> = changes.iter().flat_map(|change| ["--set", *change]).collect();
    assert_plays(&example("puma-engagement/engagement.toml"), &changes, &["rotor.hub", "rotor.blade_2.3"]);
}

#[test]
fn spheres_in_a_box_play() {
    assert_plays(
        &example("spheres-in-a-box/model.toml"),
        &["--set", "record.every=1"],
        &["pile.ball1", "pile.ball12"],
    );
}

#[test]
fn the_hammer_of_the_tutorial_plays() {
    let scratch = Scratch::new("");
    let of_hammer = tutorial::blocks().into_iter().filter(|(fence, _)| fence.contains("hammer.toml")).take(1);
    let text: String = of_hammer.map(|(_, text)| text).collect();
    fs::write(scratch.path("hammer.toml"), text).unwrap();
    assert_plays(&scratch.path("hammer.toml"), &["--set", "time.end=0.5"], &["machine.arm"]);
}

#[test]
fn a_page_is_written_of_any_run() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet"]), 0);
    let told = scratch.cosimo(&["report", "out/masses"]);
    assert_code(&told, 0);
    assert!(stderr(&told).contains("report.html"), "{}", stderr(&told));
    let page = read(&scratch.path("out/masses/report.html"));
    assert!(page.contains("<title>Two masses</title>") && page.contains("lower.floor"));
    // It may be written elsewhere, and is replaced with the other results.
    assert_code(&scratch.cosimo(&["report", "out/masses", "--out", "mine.html"]), 0);
    assert_eq!(read(&scratch.path("mine.html")), page);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet", "--force"]), 0);
    assert!(!scratch.path("out/masses/report.html").exists());
    // A file of another's is not replaced.
    fs::write(scratch.path("out/masses/.cosimo-run"), "results.csv\n").unwrap();
    fs::write(scratch.path("out/masses/report.html"), "mine").unwrap();
    assert_code(&scratch.cosimo(&["report", "out/masses"]), 2);
    assert_eq!(read(&scratch.path("out/masses/report.html")), "mine");
    assert_code(&scratch.cosimo(&["report", "nowhere"]), 2);
}

#[test]
fn runs_without_bodies_and_runs_that_fail_have_reports() {
    let signals = "schema = 1\ntime = { end = 1, step = 1e-2 }\n[[subsystem]]\nname = \"mass\"\nkind = \"linear\"\nmass = [1]\n\
                   position = [1]\nstiffness = [4]\n";
    let scratch = Scratch::new(signals);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "--quiet", "--report"]), 0);
    assert!(!scratch.path("out/masses/scene.json").exists());
    let page = scratch.path("out/masses/report.html");
    assert!(read(&page).contains("\"scene\":null"));
    if has_browser() {
        let seen = opened(&page, &["cosimo.duration".to_owned()]);
        assert_eq!(seen["values"][0].as_f64(), Some(1.0));
    }
}

#[test]
fn frames_are_the_same_in_threads_and_processes_and_can_be_left_out() {
    let scratch = Scratch::new(MODEL);
    let frames = |arguments: &[&str]| {
        let run = [&["run", "masses.toml", "--quiet", "--force"], arguments].concat();
        assert_code(&scratch.cosimo(&run), 0);
        fs::read(scratch.path("out/masses/frames.bin")).ok()
    };
    let here = frames(&[]).unwrap();
    for execution in ["threads", "processes"] {
        let there = frames(&["--set", &format!("master.execution={execution}")]);
        assert_eq!(there.as_ref(), Some(&here), "{execution}");
    }
    // Of two bodies: 48 bytes, 40 a body, 4, and 28 for every contact that carries load.
    assert!(here.len() >= 501 * 132, "{}", here.len());
    let few = frames(&["--set", "record.frames_per_second=10"]).unwrap();
    assert!((6 * 132..8 * 160).contains(&few.len()), "{}", few.len());
    assert_eq!(frames(&["--set", "record.frames_per_second=0"]), None);
}
