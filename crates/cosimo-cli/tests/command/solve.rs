//! `cosimo solve`.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use super::{MODEL, Scratch, assert_code, stderr, stdout};

/// 2 kg on the ground, pushed: sliding with the friction of 0.5.
const BLOCK: &str = "mu\n0.5\nq\n-1.0\n3.0\n0.0\nW_triplets\n0 0 0.5\n1 1 0.5\n2 2 0.5\n";

fn solution(scratch: &Scratch, file: &str) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(scratch.path(file)).unwrap()).unwrap()
}

#[test]
fn a_linear_problem_is_solved_and_written() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("lcp.json"), r#"{"name": "two", "M": [[2, 1], [0, 2]], "q": [-4, -2]}"#).unwrap();
    let output = scratch.cosimo(&["solve", "lcp.json", "--out", "z.json"]);
    assert_code(&output, 0);
    for expected in
        ["linear complementarity (2 unknowns)", "status      solved", "residual", "iterations", "time"]
    {
        assert!(stdout(&output).contains(expected), "{}", stdout(&output));
    }
    assert_eq!(solution(&scratch, "z.json")["solution"], serde_json::json!([1.5, 1.0]));
}

/// `z = (1.5, 1)` makes `w = M z + q = 0`; the block slides with `r = (2, −1, 0)`, `u = W r + q = (0, 2.5, 0)`.
#[test]
fn small_solutions_are_printed() {
    let scratch = Scratch::new(MODEL);
    let printed = |content: &str| {
        fs::write(scratch.path("problem"), content).unwrap();
        let output = scratch.cosimo(&["solve", "problem"]);
        assert_code(&output, 0);
        let text = stdout(&output);
        let row = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name:<12}")))?;
            Some(line.split_whitespace().map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>())
        };
        ["z", "w", "r", "u"].map(row)
    };
    let expect = |found: Option<Vec<f64>>, expected: &[f64]| {
        let found = found.unwrap();
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    };
    let [z, w, r, _] = printed(r#"{"M": [[2, 1], [0, 2]], "q": [-4, -2]}"#);
    expect(z, &[1.5, 1.0]);
    expect(w, &[0.0, 0.0]);
    assert_eq!(r, None);
    let [_, _, r, u] = printed(BLOCK);
    expect(r, &[2.0, -1.0, 0.0]);
    expect(u, &[0.0, 2.5, 0.0]);
    let diagonal = |k: usize| {
        format!("[{}]", (0..30).map(|j| u8::from(j == k).to_string()).collect::<Vec<_>>().join(","))
    };
    let large = (0..30).map(diagonal).collect::<Vec<_>>().join(",");
    let [z, ..] = printed(&format!("{{\"M\": [{large}], \"q\": [{}]}}", ["-1"; 30].join(",")));
    assert_eq!(z, None, "large ones are for --out");
}

#[test]
fn unknown_keys_and_deep_nesting_are_refused_by_name() {
    let scratch = Scratch::new(MODEL);
    let refused = |content: &str| {
        fs::write(scratch.path("problem"), content).unwrap();
        let output = scratch.cosimo(&["solve", "problem"]);
        assert_code(&output, 2);
        stderr(&output)
    };
    let found = refused(r#"{"M": [[2]], "q": [-4], "tolerence": 1e-6}"#);
    assert!(found.contains("unknown key `tolerence`: a problem has `M` and `q`"), "{found}");
    let found = refused(r#"{"M": [[2]], "q": [-4], "q": [3]}"#);
    assert!(found.contains("more than one `q`"), "{found}");
    let found = refused("mu\n0.5\nq\n-1\n0\nW\n0 0 1\n1 1 1\n");
    assert!(found.contains("line 6: there is no section `W`"), "{found}");
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(1_000_000), close.repeat(1_000_000));
        for content in [format!("{{\"name\": {deep}}}"), format!("{{\"M\": {deep}}}")] {
            assert!(refused(&content).contains("nested more than 100 deep"));
        }
    }
}

#[test]
fn what_is_no_number_may_stand_beside_the_problem() {
    let scratch = Scratch::new(MODEL);
    let content = r#"{"solvers": {"other": [NaN, Infinity, -Infinity]}, "M": [[2]], "q": [-4]}"#;
    fs::write(scratch.path("lcp.json"), content).unwrap();
    assert_code(&scratch.cosimo(&["solve", "lcp.json", "--out", "z.json"]), 0);
    assert_eq!(solution(&scratch, "z.json")["solution"], serde_json::json!([2.0]));
    fs::write(scratch.path("nan.json"), r#"{"M": [[NaN]], "q": [-4]}"#).unwrap();
    let output = scratch.cosimo(&["solve", "nan.json"]);
    assert!(stderr(&output).contains("M[0, 0] is NaN"), "{}", stderr(&output));
}

#[test]
fn numbers_are_read_to_their_last_bit() {
    let scratch = Scratch::new(MODEL);
    let numbers = [51.248178375505404, 31.245270191439438, 121.48791951161945];
    let rows = "[1, 0, 0], [0, 1, 0], [0, 0, 1]";
    let content = format!("{{\"M\": [{rows}], \"q\": [-{}, -{}, -{}]}}", numbers[0], numbers[1], numbers[2]);
    fs::write(scratch.path("lcp.json"), content).unwrap();
    assert_code(&scratch.cosimo(&["solve", "lcp.json", "--out", "z.json"]), 0);
    for (k, number) in numbers.iter().enumerate() {
        assert_eq!(solution(&scratch, "z.json")["solution"][k].as_f64(), Some(*number));
    }
}

#[test]
fn files_may_begin_with_a_byte_order_mark() {
    let scratch = Scratch::new(MODEL);
    for content in ["{\"M\": [[2]], \"q\": [-4]}", BLOCK] {
        fs::write(scratch.path("problem"), format!("\u{feff}{content}")).unwrap();
        let output = scratch.cosimo(&["solve", "problem", "--out", "z.json", "--force"]);
        assert_code(&output, 0);
        assert_eq!(solution(&scratch, "z.json")["solution"][0], serde_json::json!(2.0));
    }
}

#[test]
fn friction_is_solved_from_plain_and_packed_text() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("block.txt"), BLOCK).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(BLOCK.as_bytes()).unwrap();
    fs::write(scratch.path("block.txt.gz"), packed.finish().unwrap()).unwrap();
    for file in ["block.txt", "block.txt.gz"] {
        let output = scratch.cosimo(&["solve", file, "--tolerance", "1e-12", "--out", "r.json", "--force"]);
        assert_code(&output, 0);
        assert!(stdout(&output).contains("1 contacts in space"), "{}", stdout(&output));
        let found = solution(&scratch, "r.json");
        for (k, exact) in [2.0, -1.0, 0.0].iter().enumerate() {
            assert!((found["solution"][k].as_f64().unwrap() - exact).abs() < 1e-12, "{found}");
        }
    }
}

#[test]
fn what_has_no_solution_fails_and_says_so() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("no.json"), r#"{"M": [[-1]], "q": [-1]}"#).unwrap();
    let output = scratch.cosimo(&["solve", "no.json"]);
    assert_code(&output, 1);
    assert!(stderr(&output).contains("no solution exists"), "{}", stderr(&output));
}

#[test]
fn bad_files_and_solvers_are_refused_with_the_reason() {
    let scratch = Scratch::new(MODEL);
    let refuse = |content: &str, more: &[&str], expected: &str| {
        fs::write(scratch.path("problem"), content).unwrap();
        let output = scratch.cosimo(&[&["solve", "problem"], more].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    refuse("mu\n0.5\nq\nx\n", &[], "line 4: there is no section `x`");
    refuse(r#"{"M": [[1, 2]], "q": [1]}"#, &[], "row 0 has 2 entries");
    refuse(BLOCK, &["--solver", "lemke"], "is for LCPs");
    refuse(r#"{"M": [[1]], "q": [1]}"#, &["--law", "associated"], "is for friction problems");
    refuse(BLOCK, &["--tolerance", "0"], "must be a positive number");
    refuse(BLOCK, &["--tolerance", "-1"], "must be a positive number");
}

/// Every solver for friction finds the same impulse; the relaxed law another, which lifts off.
#[test]
fn solvers_and_laws_are_chosen_by_name() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("block.txt"), BLOCK).unwrap();
    let normal = |more: &[&str]| {
        let output = scratch.cosimo(&[&["solve", "block.txt", "--out", "r.json", "--force"], more].concat());
        assert_code(&output, 0);
        solution(&scratch, "r.json")["solution"][0].as_f64().unwrap()
    };
    let any = ["auto", "gauss-seidel", "interior-point", "newton"];
    for solver in any.into_iter().chain(["pseudo-transient", "proximal-point", "patches"]) {
        assert!((normal(&["--solver", solver]) - 2.0).abs() < 1e-6, "{solver}");
    }
    // (|q_N| + μ |q_T|)/(W (1 + μ²)).
    for solver in ["auto", "interior-point", "projected-gradient"] {
        assert!((normal(&["--law", "associated", "--solver", solver]) - 4.0).abs() < 1e-6, "{solver}");
    }
}

#[test]
fn half_of_a_symmetric_matrix_is_told() {
    let scratch = Scratch::new(MODEL);
    let problem = |entries: &str| {
        format!("mu\n0.5\n0.5\nq\n-1\n2\n-1\n0\nW_triplets\n0 0 1\n1 1 1\n2 2 1\n3 3 1\n0 2 0.5\n{entries}")
    };
    for (name, entries, warns) in [("upper.txt", "", true), ("whole.txt", "2 0 0.5\n", false)] {
        fs::write(scratch.path(name), problem(entries)).unwrap();
        let output = scratch.cosimo(&["solve", name]);
        assert_code(&output, 0);
        assert_eq!(
            stdout(&output).contains("(0, 2) and (2, 0) differ by 5.0e-1"),
            warns,
            "{}",
            stdout(&output)
        );
    }
    // Nor is an entry that is there twice passed over.
    fs::write(scratch.path("twice.txt"), problem("2 0 0.25\n2 0 0.25\n")).unwrap();
    let output = scratch.cosimo(&["solve", "twice.txt"]);
    assert_code(&output, 0);
    assert!(stdout(&output).contains("(2, 0) of W is given more than once"), "{}", stdout(&output));
    // A line without end is not repeated.
    fs::write(scratch.path("long.txt"), format!("mu\n{}\n", "1 ".repeat(50_000))).unwrap();
    let output = scratch.cosimo(&["solve", "long.txt"]);
    assert_code(&output, 2);
    assert!(stderr(&output).len() < 400 && stderr(&output).contains("line 2"));
}

#[test]
fn neither_problems_nor_files_are_overwritten_unasked() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("block.txt"), BLOCK).unwrap();
    fs::write(scratch.path("other"), "mine").unwrap();
    // The problem not even where that is asked for, nor by another name.
    for (arguments, expected) in [
        (&["--out", "block.txt"][..], "is the problem itself"),
        (&["--out", "./block.txt", "--force"], "is the problem itself"),
        (&["--out", "other"], "other exists already: replace it with --force"),
    ] {
        let output = scratch.cosimo(&[&["solve", "block.txt"], arguments].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    assert_eq!(fs::read_to_string(scratch.path("block.txt")).unwrap(), BLOCK);
    assert_eq!(fs::read_to_string(scratch.path("other")).unwrap(), "mine");
    assert_code(&scratch.cosimo(&["solve", "block.txt", "--out", "other", "--force"]), 0);
    assert_eq!(solution(&scratch, "other")["is_solved"], serde_json::json!(true));
}

#[test]
fn impulses_beyond_numbers_are_refused() {
    let scratch = Scratch::new(MODEL);
    let content = "mu\n0.3\nq\n-1e250\n1e250\n0\nW_triplets\n0 0 1e-90\n1 1 1e-90\n2 2 1e-90\n";
    fs::write(scratch.path("far.txt"), content).unwrap();
    let output = scratch.cosimo(&["solve", "far.txt", "--out", "r.json"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("choose other units"), "{}", stderr(&output));
    assert!(!scratch.path("r.json").exists());
}

/// A problem of the reference set of `cosimo-complementarity`.
fn reference(name: &str) -> String {
    let crates = env!("CARGO_MANIFEST_DIR");
    format!("{crates}/../cosimo-complementarity/tests/reference/friction/{name}.txt.gz")
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The command with a text at its standard input.
fn with_input(scratch: &Scratch, arguments: &[&str], text: &[u8]) -> Output {
    let mut command = scratch.command(arguments);
    let mut running =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(text).unwrap();
    running.wait_with_output().unwrap()
}

#[test]
fn velocities_stand_beside_impulses_and_complements_beside_z() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("block.txt"), BLOCK).unwrap();
    assert_code(&scratch.cosimo(&["solve", "block.txt", "--tolerance", "1e-12", "--out", "r.json"]), 0);
    for (found, expected) in numbers(&solution(&scratch, "r.json")["u"]).iter().zip([0.0, 2.5, 0.0]) {
        assert!((found - expected).abs() < 1e-12);
    }
    fs::write(scratch.path("lcp.json"), r#"{"M": [[2, 0], [1, 1]], "q": [-4, 3]}"#).unwrap();
    assert_code(&scratch.cosimo(&["solve", "lcp.json", "--out", "z.json"]), 0);
    assert_eq!(solution(&scratch, "z.json")["w"], serde_json::json!([0.0, 5.0]));
    assert!(solution(&scratch, "z.json").get("certificate").is_none());
}

#[test]
fn what_proves_that_there_is_no_solution_is_written() {
    let scratch = Scratch::new(MODEL);
    fs::write(scratch.path("no.json"), r#"{"M": [[1, -1], [-1, 1]], "q": [-1, -1]}"#).unwrap();
    for solver in ["auto", "lemke"] {
        let arguments = ["solve", "no.json", "--solver", solver, "--out", "z.json", "--force"];
        assert_code(&scratch.cosimo(&arguments), 1);
        let y = numbers(&solution(&scratch, "z.json")["certificate"]);
        assert!(y[0] > 0.0 && (y[0] - y[1]).abs() <= 1e-12 * y[0], "{y:?}");
    }
}

#[test]
fn problems_are_read_from_standard_input() {
    let scratch = Scratch::new(MODEL);
    let packed = fs::read(reference("cubic_99")).unwrap();
    for (text, size) in [(BLOCK.as_bytes(), "1 contacts"), (&packed, "99 contacts")] {
        let output = with_input(&scratch, &["solve", "-"], text);
        assert_code(&output, 0);
        assert!(stdout(&output).contains(size), "{}", stdout(&output));
    }
}

#[test]
fn a_former_answer_is_a_first_guess() {
    let scratch = Scratch::new(MODEL);
    let problem = reference("cubic_99");
    assert_code(&scratch.cosimo(&["solve", &problem, "--out", "r.json"]), 0);
    assert!(solution(&scratch, "r.json")["iterations"].as_u64().unwrap() > 0);
    let list = solution(&scratch, "r.json")["solution"].to_string();
    fs::write(scratch.path("list.json"), list).unwrap();
    for guess in ["r.json", "list.json"] {
        let arguments = ["solve", &problem, "--guess", guess, "--out", "again.json", "--force"];
        assert_code(&scratch.cosimo(&arguments), 0);
        assert_eq!(solution(&scratch, "again.json")["iterations"], serde_json::json!(0));
    }
    fs::write(scratch.path("short.json"), "[1, 2]").unwrap();
    for (guess, expected) in [("short.json", "the guess has 2 numbers"), ("masses.toml", "is no guess")] {
        let output = scratch.cosimo(&["solve", &problem, "--guess", guess]);
        assert_code(&output, 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn iterations_and_time_are_bounded() {
    let scratch = Scratch::new(MODEL);
    let problem = reference("uneven_tower_72");
    for (bound, status) in
        [(["--time-limit", "1e-9"], "interrupted"), (["--max-iterations", "20"], "the limit of iterations")]
    {
        let arguments = [&["solve", &problem, "--out", "r.json", "--force"][..], &bound].concat();
        let output = scratch.cosimo(&arguments);
        assert_code(&output, 1);
        let found = solution(&scratch, "r.json");
        assert!(found["status"].as_str().unwrap().contains(status), "{found}");
        assert!(found["iterations"].as_u64().unwrap() <= 20);
        assert_eq!(numbers(&found["solution"]).len(), numbers(&found["u"]).len());
    }
}

/// The best point so far is written and told.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_best_point() {
    let scratch = Scratch::new(MODEL);
    let problem = reference("cubic_1000");
    // A tolerance that cannot be met, by a method that goes on for long.
    let arguments = ["solve", &problem, "--law", "associated", "--solver", "projected-gradient"];
    let mut command =
        scratch.command(&[&arguments[..], &["--tolerance", "1e-300", "--out", "r.json"]].concat());
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It listens once it catches signal 2.
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        u64::from_str_radix(caught.trim(), 16).unwrap_or(0) >> 1 & 1 == 1
    };
    while !catches() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = running.wait_with_output().unwrap();
    assert_code(&output, 130);
    assert!(stdout(&output).contains("status      interrupted"), "{}", stdout(&output));
    assert_eq!(solution(&scratch, "r.json")["status"], serde_json::json!("interrupted"));
}

/// Before anything is read, and before memory is taken for it.
#[test]
fn files_that_cannot_be_are_refused() {
    let scratch = Scratch::new(MODEL);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    fs::write(scratch.path("large.txt.gz"), packed.finish().unwrap()).unwrap();
    for (arguments, expected) in [
        (&["large.txt.gz", "--max-bytes", "1000"][..], "has more than 1000 bytes"),
        (&["absent.txt", "--out", "."], "cannot write"),
        (&["absent.txt", "--out", "none/r.json"], "cannot write"),
        (&["absent.txt"], "cannot read"),
    ] {
        let output = scratch.cosimo(&[&["solve"], arguments].concat());
        assert_code(&output, 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}
