//! The examples with FMUs, where `python3` has the packages; `COSIMO_REQUIRE_FMI=1` requires them.
#![expect(clippy::print_stderr, reason = "a test that is skipped says why")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::super::{Scratch, assert_code, read, stdout};
use super::{column, examples, words};

/// Whether Python has a package; says so where it has not.
pub(crate) fn python_has(package: &str) -> bool {
    let import = Command::new("python3").args(["-c", &format!("import {package}")]).output();
    let has = import.is_ok_and(|output| output.status.success());
    let is_required = std::env::var_os("COSIMO_REQUIRE_FMI").is_some_and(|value| value == "1");
    assert!(has || !is_required, "python3 has no {package}, and COSIMO_REQUIRE_FMI=1");
    if !has {
        eprintln!("skipped: python3 has no {package}");
    }
    has
}

/// What a command of Python prints in the scratch folder.
fn python(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = Command::new("python3").args(arguments).current_dir(scratch.path("")).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{out}\n{err}");
    out
}

/// A folder with a copy of the files of an example.
fn copy(name: &str) -> Scratch {
    let scratch = Scratch::new("");
    let entries = fs::read_dir(examples().join(name)).unwrap().map(|file| file.unwrap());
    for file in entries.filter(|file| file.file_type().unwrap().is_file()) {
        fs::copy(file.path(), scratch.path("").join(file.file_name())).unwrap();
    }
    scratch
}

/// The library of Python, which units of pythonfmu3 expect in the process.
fn library_of_python(scratch: &Scratch) -> PathBuf {
    let told = "import sysconfig as s; v = s.get_config_var; print(v('LIBDIR'), v('MULTIARCH'), v('INSTSONAME'), sep='\\n')";
    let answer = python(scratch, &["-c", told]);
    let lines: Vec<&str> = answer.lines().collect();
    let folders = [PathBuf::from(lines[0]), PathBuf::from(lines[0]).join(lines[1])];
    let mut files =
        folders.iter().flat_map(|folder| ["libpython3.so", lines[2]].map(|file| folder.join(file)));
    files.find(|file| file.exists()).unwrap()
}

/// The control of `fmu-controller` is an FMU of another tool; it does what the native one does.
#[test]
fn a_machine_runs_under_a_control_from_python() {
    if !python_has("pythonfmu3") {
        return;
    }
    let scratch = copy("fmu-controller");
    python(&scratch, &["-m", "pythonfmu3", "build", "-f", "governor.py"]);
    let library = library_of_python(&scratch);
    let run = |isolation: &str| {
        let setting = format!("subsystem.governor.isolation={isolation}");
        let arguments = ["run", "model.toml", "--quiet", "--out", isolation, "--set", &setting];
        let output = scratch.command(&arguments).env("LD_PRELOAD", &library).output().unwrap();
        assert_code(&output, 0);
        read(&scratch.path(isolation).join("results.csv"))
    };
    let found = run("none");
    assert!(run("process") == found, "in a process of its own the bits are others");

    let native = examples().join("controlled-slider-crank/model.toml");
    assert_code(&scratch.cosimo(&["run", native.to_str().unwrap(), "--quiet", "--out", "native"]), 0);
    let native = read(&scratch.path("native").join("results.csv"));
    let speeds = [&found, &native].map(|results| column(results, "machine.shaft.rate"));
    let apart = speeds[0].iter().zip(&speeds[1]).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(apart > 0.0 && apart < 0.06 && speeds[0].len() == 2001, "{apart} rad/s apart");

    let figures = [scratch.path("none"), scratch.path("")].map(|folder| read(&folder.join("plot.svg")));
    assert_eq!(words(&figures[0]), words(&figures[1]));
    assert!(read(&scratch.path("README.md")).contains("](plot.svg)"));
}

const GUIDE: &str = include_str!("../../../../../docs/guide/fmi.md");

/// The first block of the guide in a language, after this text.
fn block(after: &str, language: &str) -> &'static str {
    let (_, rest) = GUIDE.split_once(after).unwrap();
    rest.split_once(&format!("```{language}\n")).unwrap().1.split_once("```").unwrap().0
}

/// A mass leaves by `cosimo export` and comes back as a subsystem: what the guide to FMI shows.
#[test]
fn the_guide_to_fmi_is_true() {
    let scratch = Scratch::new("");
    fs::write(scratch.path("cart.toml"), block("as `cart.toml`", "toml")).unwrap();
    fs::write(scratch.path("pair.toml"), block("`pair.toml` joins it", "toml")).unwrap();
    assert_code(&scratch.cosimo(&["export", "cart.toml", "--fmu", "cart.fmu"]), 0);
    let told = scratch.cosimo(&["fmu", "cart.fmu"]);
    assert_code(&told, 0);
    assert!(stdout(&told).contains("mass.end"), "{}", stdout(&told));
    assert_code(&scratch.cosimo(&["check", "pair.toml"]), 0);
    assert_code(&scratch.cosimo(&["run", "pair.toml", "--quiet"]), 0);
    let positions = column(&read(&scratch.path("out/pair/results.csv")), "load.x");
    let exact = 0.05 * (800.0_f64 / 3.0).sqrt().cos();
    assert!((positions[1000] - exact).abs() < 1e-4, "{} in place of {exact}", positions[1000]);

    if python_has("fmpy") {
        fs::write(
            scratch.path("cart.py"),
            block("## A model as an FMU", "python").to_owned() + "print(found[-1][1])\n",
        )
        .unwrap();
        let found: f64 = python(&scratch, &["cart.py"]).trim().parse().unwrap();
        let rest = 5.0 / 1200.0;
        let exact = rest + (0.05 - rest) * (1200.0_f64 / 2.0).sqrt().cos();
        assert!((found - exact).abs() < 1e-4, "{found} in place of {exact}");
    }
}

/// The hammer of `exported-mechanism` runs in FMPy as it runs here.
#[test]
fn the_exported_hammer_runs_as_the_native_one() {
    if !python_has("fmpy") {
        return;
    }
    let scratch = copy("exported-mechanism");
    assert_code(&scratch.cosimo(&["run", "model.toml", "--quiet", "--out", "native"]), 0);
    let export = ["export", "model.toml", "--unset", "subsystem.governor", "--unset", "connection"];
    let exported = scratch.cosimo(&[&export[..], &["--fmu", "hammer.fmu"]].concat());
    assert_code(&exported, 0);
    assert!(stdout(&exported).contains("open ports: machine.shaft"), "{}", stdout(&exported));

    let told = python(&scratch, &["drive.py", "hammer.fmu", "native/results.csv"]);
    let apart = |line: &str| line.split("at most ").nth(1)?.split(' ').next()?.parse::<f64>().ok();
    let apart: Vec<f64> = told.lines().filter_map(apart).collect();
    assert!(apart.len() == 3 && apart.iter().all(|x| *x < 1e-7), "{told}");
}

/// Places (m) of the wagons of `ssp-wagons`: their centre of mass goes on as it was, the distance between them swings.
fn wagons(t: f64) -> [f64; 2] {
    let (masses, stiffness, stretch, speed) = ([20e3, 12e3], 1e6, 0.02, 0.5);
    let total = masses[0] + masses[1];
    let centre = masses[0] / total * (stretch + speed * t);
    let omega = (stiffness * total / (masses[0] * masses[1])).sqrt();
    let distance = stretch * (omega * t).cos() + speed / omega * (omega * t).sin();
    [centre + masses[1] / total * distance, centre - masses[0] / total * distance]
}

/// Most that the wagons are from their exact places (m), and most that their centre of mass is.
fn wagons_apart(results: &str, names: [&str; 2]) -> [f64; 2] {
    let (times, [front, rear]) = (column(results, "t"), names.map(|name| column(results, name)));
    assert_eq!(times.last(), Some(&2.0));
    let mut apart = [0.0_f64; 2];
    for ((t, front), rear) in times.iter().zip(front).zip(rear) {
        let exact = wagons(*t);
        let [a, b] = [front - exact[0], rear - exact[1]];
        apart = [apart[0].max(a.abs()).max(b.abs()), apart[1].max((20.0 * a + 12.0 * b).abs() / 32.0)];
    }
    apart
}

/// The system `ssp-wagons`, of two FMUs that are exported first, is of order two, and loses no momentum.
#[test]
fn the_wagons_of_the_system_move_by_their_closed_form() {
    let scratch = copy("ssp-wagons");
    fs::create_dir(scratch.path("resources")).unwrap();
    for name in ["wagon", "coupling"] {
        let [model, fmu] = [format!("{name}.toml"), format!("resources/{name}.fmu")];
        assert_code(&scratch.cosimo(&["export", &model, "--fmu", &fmu]), 0);
    }
    let run = |file: &str, step: &str, names: [&str; 2]| {
        let setting = format!("time.step={step}");
        let ran = scratch.cosimo(&["run", file, "--quiet", "--force", "--out", "found", "--set", &setting]);
        assert_code(&ran, 0);
        wagons_apart(&read(&scratch.path("found/results.csv")), names)
    };
    let whole = ["4e-3", "2e-3"].map(|step| run("whole.toml", step, ["front.x", "rear.x"]));
    let hooks = ["front.wagon.hook.position", "rear.wagon.hook.position"];
    let system = ["4e-3", "2e-3"].map(|step| run("SystemStructure.ssd", step, hooks));
    assert!(whole[0][0] < 1.2e-4 && system[0][0] < 2.3e-4, "{whole:?}, {system:?}");
    for [coarse, fine] in [whole, system] {
        assert!((3.8..4.2).contains(&(coarse[0] / fine[0])), "{coarse:?}, {fine:?}");
        assert!(coarse[1] < 1e-12 && fine[1] < 1e-12, "{coarse:?}, {fine:?}");
    }

    let figures = [scratch.path("found"), scratch.path("")].map(|folder| read(&folder.join("plot.svg")));
    assert_eq!(words(&figures[0]), words(&figures[1]));
    assert!(read(&scratch.path("README.md")).contains("](plot.svg)"));
}
