//! Units that `pythonfmu` (FMI 2) and `pythonfmu3` (FMI 3) make, where `python3` has these packages; `COSIMO_REQUIRE_FMI=1` requires them.
//!
//! They expect Python in the process that loads them. So a test builds them and runs this program once more, with the library of Python.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at what they do not expect, and say what they skip"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use coupling_tests::Run;

/// Where the second run of this program finds the units.
const FOLDER: &str = "COSIMO_UNITS_FROM_PYTHON";

/// The packages, with the versions of FMI.
const PACKAGES: [(&str, &str); 2] = [("pythonfmu", "2"), ("pythonfmu3", "3")];

/// A mass on a spring to the ground, exact under a force that is constant over a step. `NN` stands for the version.
const HALF: &str = r#"
from math import cos, sin, sqrt
from PACKAGE import *

class HalfNN(BASE):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.m, self.k, self.x, self.v, self.F = 1.0, 200.0, 0.1, 0.0, 0.0
        parameter = dict(causality=FmiNNCausality.parameter, variability=FmiNNVariability.tunable)
        self.register_variable(REAL("m", **parameter))
        self.register_variable(REAL("k", **parameter))
        self.register_variable(REAL("x", causality=FmiNNCausality.output))
        self.register_variable(REAL("v", causality=FmiNNCausality.output))
        self.register_variable(REAL("F", causality=FmiNNCausality.input))

    def do_step(self, current_time, step_size):
        omega, rest = sqrt(self.k / self.m), self.F / self.k
        c, s, y = cos(omega * step_size), sin(omega * step_size), self.x - rest
        self.x, self.v = rest + y * c + self.v / omega * s, self.v * c - y * omega * s
        return DONE
"#;

/// Feedback `u = -gain y` of the step before where it is enabled; it knows how long its label is.
const FEEDBACK: &str = r#"
from PACKAGE import *

class FeedbackNN(BASE):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.gain, self.enabled, self.label, self.y, self.u, self.length, self.steps = 1.0, True, "", 0.0, 0.0, 0, 0
        parameter = dict(causality=FmiNNCausality.parameter, variability=FmiNNVariability.tunable)
        self.register_variable(REAL("gain", **parameter))
        self.register_variable(Boolean("enabled", **parameter))
        self.register_variable(String("label", **parameter))
        self.register_variable(REAL("y", causality=FmiNNCausality.input))
        self.register_variable(REAL("u", causality=FmiNNCausality.output))
        self.register_variable(INTEGER("length", causality=FmiNNCausality.output))
        self.register_variable(INTEGER("steps", causality=FmiNNCausality.output))

    def exit_initialization_mode(self):
        self.length = len(self.label)

    def do_step(self, current_time, step_size):
        self.steps += 1
        self.u = -self.gain * self.y if self.enabled else 0.0
        return DONE
"#;

/// What `python3` prints; none where it fails.
fn python(arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new("python3").args(arguments).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The shared library of the Python that `python3` is, if it has one.
fn library(folder: &Path) -> Option<PathBuf> {
    let told = "import sysconfig as s; v = s.get_config_var; print(v('LIBDIR'), v('MULTIARCH'), v('INSTSONAME'), sep='\\n')";
    let answer = python(&["-c", told], folder)?;
    let mut lines = answer.lines();
    let (lib, platform, name) = (Path::new(lines.next()?), lines.next()?, lines.next()?);
    [lib.join(name), lib.join(platform).join(name)].into_iter().find(|file| file.is_file())
}

/// Builds the units of a package; what is missing where that cannot be.
fn build((package, version): (&str, &str), folder: &Path) -> Result<(), String> {
    if python(&["-c", &format!("import {package}")], folder).is_none() {
        return Err(format!("python3 has no {package}"));
    }
    let [base, real, integer, done] = match version {
        "2" => ["Fmi2Slave", "Real", "Integer", "True"],
        _ => ["Fmi3SlaveBase, CoSimulation", "Float64", "Int32", "Fmi3StepResult()"],
    };
    for (name, source) in [("half", HALF), ("feedback", FEEDBACK)] {
        let words = [("PACKAGE", package), ("NN", version), ("BASE", base), ("REAL", real)];
        let words = words.into_iter().chain([("INTEGER", integer), ("DONE", done)]);
        let text = words.fold(source.to_owned(), |text, (word, meaning)| text.replace(word, meaning));
        let file = format!("{name}{version}.py");
        std::fs::write(folder.join(&file), text).unwrap();
        let arguments = ["-m", package, "build", "-f", &file, "--handle-state", "--serialize-state"];
        assert!(python(&arguments, folder).is_some(), "{package} does not build {file}");
    }
    Ok(())
}

#[test]
fn units_from_python_run_as_their_closed_forms() {
    let folder = tempfile::tempdir().unwrap();
    let built = PACKAGES.into_iter().try_for_each(|package| build(package, folder.path()));
    let found =
        built.and_then(|()| library(folder.path()).ok_or_else(|| "python3 has no shared library".into()));
    let library = match found {
        Ok(library) => library,
        Err(missing) => {
            let is_required = std::env::var_os("COSIMO_REQUIRE_FMI").is_some_and(|value| value == "1");
            assert!(!is_required, "{missing}, and COSIMO_REQUIRE_FMI=1");
            eprintln!("skipped: {missing}");
            return;
        }
    };
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "--test-threads=1"])
        .args(["units::python::halves_inside", "units::python::feedback_inside"])
        .env(FOLDER, folder.path())
        .env("LD_PRELOAD", library)
        .output()
        .unwrap();
    let text = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat();
    assert!(output.status.success() && text.contains("2 passed"), "{text}");
}

/// The files of a unit that was built in both versions; none where this is not the second run.
fn units(name: &str) -> Vec<String> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let file = |folder: PathBuf| {
        PACKAGES
            .map(|(_, version)| folder.join(format!("{name}{version}.fmu")).display().to_string())
            .to_vec()
    };
    folder.map(file).unwrap_or_default()
}

fn last(run: &Run, name: &str) -> f64 {
    run.last()[run.labels().iter().position(|own| own == name).unwrap()]
}

#[test]
#[ignore = "part of units_from_python_run_as_their_closed_forms"]
fn halves_inside() {
    // Two masses of 1 and 2 kg, each on a spring to the ground, joined by another: the sum of two modes.
    let exact = |t: f64| {
        let (trace, product) = (500.0 + 400.0, 500.0 * 400.0 - 300.0 * 150.0);
        let root = (0.25f64 * trace * trace - product).sqrt();
        let shape = |square: f64| (500.0 - square) / 300.0;
        let [slow, fast] = [0.5 * trace - root, 0.5 * trace + root];
        // q₁ = α cos ω₁t + β cos ω₂t, q₂ = α s₁ cos ω₁t + β s₂ cos ω₂t, from q₁ = 0.1, q₂ = −0.05.
        let beta = (-0.05 - 0.1 * shape(slow)) / (shape(fast) - shape(slow));
        (0.1 - beta) * shape(slow) * (slow.sqrt() * t).cos() + beta * shape(fast) * (fast.sqrt() * t).cos()
    };
    for file in units("Half") {
        let error = |step: f64| {
            let text = format!(
                r#"schema = 1
time = {{ end = 0.5, step = {step} }}
[master]
tolerance = 1e-12
[record]
quantities = ["*"]
[[subsystem]]
name = "a"
kind = "fmu"
file = "{file}"
[[subsystem.port]]
name = "tip"
position = "x"
velocity = "v"
force = "F"
[[subsystem]]
name = "b"
kind = "linear"
mass = [2.0]
stiffness = [500.0]
position = -0.05
[[subsystem.port]]
name = "tip"
coordinates = [0]
[[interface]]
name = "j"
between = ["a.tip", "b.tip"]
law = "compliant"
stiffness = [300.0]
"#
            );
            last(&Run::completed(&Run::text(&text, &[])), "b.q0") - exact(0.5)
        };
        let [coarse, fine] = [4e-3, 2e-3].map(error);
        assert!(fine.abs() < 1e-3 && (coarse / fine - 4.0).abs() < 0.5, "{file}: {coarse:e}, {fine:e}");
    }
}

#[test]
#[ignore = "part of units_from_python_run_as_their_closed_forms"]
fn feedback_inside() {
    for file in units("Feedback") {
        // An integrator under feedback with one step of delay, and beside it the same switched off: two instances in one process.
        let pair = |k: u32, enabled: bool| {
            format!(
                r#"[[subsystem]]
name = "c{k}"
kind = "fmu"
file = "{file}"
quantities = ["*"]
parameters = {{ gain = 4.0, enabled = {enabled}, label = "grün" }}
[[subsystem]]
name = "p{k}"
kind = "controller"
type = "state-space"
a = [[0.0]]
b = [[1.0]]
c = [[1.0]]
start = [1.0]
hold = "held"
[[connection]]
from = "p{k}.output"
to = "c{k}.y"
[[connection]]
from = "c{k}.u"
to = "p{k}.input"
"#
            )
        };
        let head = "schema = 1\ntime = { end = 1.0, step = 1e-2 }\n[record]\nquantities = [\"*\"]\n";
        let run = Run::completed(&Run::text(&[head, &pair(0, true), &pair(1, false)].concat(), &[]));
        // The unit sees the mean of its input over the step, on the line through the last two values.
        let (h, mut x, mut before, mut u) = (1e-2, 1.0, 1.0, 0.0);
        for _ in 0..100 {
            let seen = x + 0.5 * (x - before);
            (before, x, u) = (x, x + h * u, -4.0 * seen);
        }
        let found = ["p0.output", "c0.u", "p1.output", "c1.u"].map(|name| last(&run, name));
        let errors = [found[0] - x, found[1] - u, found[2] - 1.0, found[3]];
        assert!(errors.iter().all(|error| error.abs() < 1e-12), "{file}: {found:?}, not {x}, {u}");
        for name in ["c0.length", "c1.length"] {
            assert_eq!((last(&run, name), last(&run, "c0.steps")), (4.0, 100.0), "{file}");
        }
    }
}
