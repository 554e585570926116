//! Files that ask for too much, and mistakes without end.

use cosimo_model::read_model;

use crate::{BASE, mistakes, model};

fn body(inertia: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 1, step = 0.1 }}\n[[subsystem]]\nname = \"a\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"b\"\nmass = 1.0\ninertia = {inertia}\n"
    )
}

/// Lists of 21 to 20,000 wrong entries in one line: the same short list, and the rest as a number.
#[test]
fn mistakes_are_listed_up_to_a_number_and_counted() {
    for wrong in [21, 300, 20_000] {
        let found = mistakes(&body(&format!("[{}]", vec!["{x=1}"; wrong].join(", "))));
        assert!(found.error_count() >= wrong);
        assert_eq!(found.iter().count(), 20);
        let text = found.to_string();
        let more = found.error_count() - 20;
        let more = if more < 1000 { more.to_string() } else { format!("{},{:03}", more / 1000, more % 1000) };
        assert!(text.ends_with(&format!("\n\nand {more} more")), "{}", &text[text.len() - 80..]);
        assert!(text.len() < 10_000, "{} bytes", text.len());
    }
    let few = mistakes(&body("[{x=1}, {x=1}, {x=1}]")).to_string();
    assert!(!few.contains("more"), "{few}");
}

/// The part of a long line around a mistake, with the carets under it.
#[test]
fn long_lines_are_cut_around_the_mistake() {
    for before in [1, 59, 60, 61, 2000] {
        for after in [0, 1, 200, 2000] {
            // Characters of several bytes count as one.
            let comment = format!("# {}", "ä".repeat(after));
            let line = format!("[{}\"wrong\"] {comment}", "1.5, ".repeat(before));
            let found = mistakes(&body(&line)).to_string();
            let lines: Vec<&str> = found.lines().collect();
            let at = lines.iter().position(|line| line.contains("\"wrong\"")).unwrap();
            let at = if lines[at].starts_with("  ") { at } else { at + 1 };
            assert!(lines[at].chars().count() < 200, "{}", lines[at]);
            let column = lines[at].split("\"wrong\"").next().unwrap().chars().count();
            // Under the list or its entry.
            let carets: Vec<char> = lines[at + 1].chars().collect();
            assert!(carets[column..column + 7].iter().all(|caret| *caret == '^'), "{found}");
            assert!(before < 2000 || lines[at].starts_with("  …"), "{found}");
        }
    }
}

#[test]
fn long_names_are_not_repeated() {
    let key = "k".repeat(1_000_000);
    let found = mistakes(&format!("{}{key} = 1\n", body("[1, 1, 1]"))).to_string();
    assert!(found.contains("unknown key `kkk") && found.len() < 5000, "{} bytes", found.len());
}

#[test]
fn mistakes_of_syntax_are_listed_up_to_a_number() {
    let found = mistakes(&"a = = b\n".repeat(5000));
    assert!(found.iter().count() <= 20 && found.error_count() > 1000, "{}", found.error_count());
}

/// Warnings do not hide a mistake.
#[test]
fn errors_are_listed_before_warnings_are_counted() {
    let load = "[[subsystem.load]]\ndirection = [0, 0, 1]\ntime = [0, 0.001, 0.002]\nvalue = [0, 5, 0]\n";
    let node = "kind = \"node\"\nmass = 1.0\n".to_owned() + &load.repeat(40);
    let start = "schema = 1\ntime = { end = 1, step = 0.1 }\n[[subsystem]]\nname = \"a\"\n";
    let (_, warnings) = read_model("model.toml", &format!("{start}{node}"), &[]).unwrap();
    assert_eq!(warnings.len(), 40);
    let found = mistakes(&format!("{start}{node}[wrong]\n"));
    assert_eq!(found.error_count(), 1);
    let text = found.to_string();
    assert!(text.contains("wrong") && text.ends_with("and 20 more warnings"), "{text}");
}

#[test]
fn what_takes_memory_is_bounded() {
    let beam = |elements: &str| {
        body("[1, 1, 1]")
            + &format!(
                "[[subsystem.beam]]\nname = \"s\"\nlength = 1.0\nelements = {elements}\n[subsystem.beam.section]\nmass = 1.0\n\
                 second_moment = [1e-6, 1e-6, 0]\naxial = 1e6\ntorsion = 1.0\nbending = [1.0, 1.0]\n"
            )
    };
    model(&beam("24"));
    for elements in ["0", "10001", "4294967295"] {
        let found = mistakes(&beam(elements)).to_string();
        assert!(found.contains("must be at least 1 and at most 10000"), "{found}");
    }
    let found = mistakes(&beam("99999999999")).to_string();
    assert!(found.contains("must be a whole number"), "{found}");
}

/// Every number of the base model, replaced by one that is none.
#[test]
fn numbers_that_are_not_finite_are_refused_wherever_they_stand() {
    for (at, line) in BASE.lines().enumerate() {
        let Some((key, value)) = line.split_once(" = ") else { continue };
        let is_number = value.split(['#', ' ']).next().is_some_and(|value| value.parse::<f64>().is_ok());
        for wrong in ["nan", "inf", "-inf", "1e999"].into_iter().filter(|_| is_number) {
            let lines: Vec<String> = BASE.lines().map(str::to_owned).collect();
            let mut lines = lines;
            lines[at] = format!("{key} = {wrong}");
            assert!(read_model("model.toml", &lines.join("\n"), &[]).is_err(), "{key} = {wrong}");
        }
    }
}

#[test]
fn lists_without_end_are_refused() {
    for (open, close) in [("[", "]"), ("{a = ", "}")] {
        let deep = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        assert!(read_model("model.toml", &format!("title = {deep}\n"), &[]).is_err());
    }
}
