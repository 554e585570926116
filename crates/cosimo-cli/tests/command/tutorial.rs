//! The tutorial is followed to the letter: its files are written, its commands run, its numbers looked up.

use std::fmt::Write as _;
use std::fs;

use super::{Scratch, assert_code, read};

const TUTORIAL: &str = include_str!("../../../../docs/guide/tutorial.md");

/// A block of code: the language and what follows it on the fence, and the text.
pub(super) fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut rest = TUTORIAL;
    let mut blocks = Vec::new();
    while let Some((_, after)) = rest.split_once("\n```") {
        let (fence, body) = after.split_once('\n').unwrap();
        let (text, tail) = body.split_once("```\n").unwrap();
        blocks.push((fence, text));
        // The line break before the next fence is part of what is left.
        rest = tail;
    }
    blocks
}

/// Words of a command, without its quotes.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => write!(words.last_mut().unwrap(), "{c}").unwrap(),
        }
    }
    words
}

/// A number of a row of a table, counted from the end of the file, by its column.
fn entry(table: &str, row: usize, column: &str) -> f64 {
    let place = table.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
    table.lines().nth(row).unwrap().split(',').nth(place).unwrap().parse().unwrap()
}

#[test]
fn the_tutorial_does_what_it_says() {
    let scratch = Scratch::new("");
    for (fence, text) in blocks() {
        match fence.split(' ').collect::<Vec<_>>()[..] {
            ["toml", name] => fs::write(scratch.path(name), text).unwrap(),
            ["toml", name, "+"] => {
                let before = read(&scratch.path(name));
                fs::write(scratch.path(name), format!("{before}\n{text}")).unwrap();
            }
            ["console"] => {
                for command in text.lines().filter_map(|line| line.strip_prefix("$ cosimo ")) {
                    let words = words(command);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    assert_code(&scratch.cosimo(&words), 0);
                    check_first_blow(&scratch, command);
                }
            }
            _ => {}
        }
    }

    let coarse = read(&scratch.path("out/oscillator/results.csv"));
    let fine = read(&scratch.path("out/fine/results.csv"));
    let error = |table: &str| {
        let end = entry(table, table.lines().count() - 1, "hammer.x");
        (end - oscillation(2.0)).abs()
    };
    assert!((error(&coarse) - 2.2e-5).abs() < 5e-7, "{}", error(&coarse));
    assert!((error(&coarse) / error(&fine) - 100.0).abs() < 5.0, "{} {}", error(&coarse), error(&fine));

    let summary: serde_json::Value =
        serde_json::from_str(&read(&scratch.path("out/hammer/summary.json"))).unwrap();
    assert!(summary["impacts"].as_u64().unwrap() > 20, "{summary}");
}

/// After the second step: the arm has fallen, and bounced.
fn check_first_blow(scratch: &Scratch, command: &str) {
    if command == "run hammer.toml" {
        let events = read(&scratch.path("out/hammer/events.csv"));
        let arrival = (2.0 * 3.0 * 9.81 * 0.4 * 0.3_f64.sin() / (0.05 + 3.0 * 0.4 * 0.4)).sqrt();
        assert!((entry(&events, 1, "velocity_before") + arrival).abs() < 1e-5);
        assert!((entry(&events, 1, "velocity_after") - 0.3 * arrival).abs() < 1e-5);
        let closing = events.lines().position(|line| line.contains(",closing,")).unwrap();
        // Contacts settle when what is left of their bounces lasts no longer than a step.
        assert!((entry(&events, closing, "t") - 0.306).abs() < 1e-3);
    }
}

/// Where the oscillator is at a time (s), in closed form.
fn oscillation(t: f64) -> f64 {
    let (decay, squared): (f64, f64) = (1.6 / (2.0 * 2.0), 800.0 / 2.0);
    let damped = (squared - decay * decay).sqrt();
    0.05 * (-decay * t).exp() * ((damped * t).cos() + decay / damped * (damped * t).sin())
}
