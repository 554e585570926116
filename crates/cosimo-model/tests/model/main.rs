//! Model files: what is read, printed and built, and every mistake that is found.

#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod building;
mod damage;
mod document;
mod expand;
mod friction;
mod images;
mod many_mistakes;
mod mistakes;
mod mistakes_across;
mod mistakes_linear;
mod mistakes_together;
mod multibody;
mod nested;
mod overrides;
mod patterns;
mod placed;
mod reading;
mod rigid_body;
mod rotor;
mod round_trip;
mod rule_names;
mod shapes;
mod signals;
mod sources;
mod stops;
mod tables;

use cosimo_model::{Diagnostics, ModelSpec, Override, read_model};

/// A model with every kind of subsystem and interface, without mistakes.
const BASE: &str = include_str!("base.toml");

/// The model of a text without mistakes.
#[track_caller]
fn model(text: &str) -> ModelSpec {
    match read_model("model.toml", text, &[]) {
        Ok((model, _)) => model,
        Err(mistakes) => panic!("{mistakes}"),
    }
}

/// The warnings of a text without mistakes.
#[track_caller]
fn warnings(text: &str) -> String {
    match read_model("model.toml", text, &[]) {
        Ok((_, warnings)) => warnings.iter().map(|warning| format!("{warning}\n")).collect(),
        Err(mistakes) => panic!("{mistakes}"),
    }
}

/// The mistakes of a text.
#[track_caller]
fn mistakes(text: &str) -> Diagnostics {
    match read_model("model.toml", text, &[]) {
        Ok(_) => panic!("no mistake was found"),
        Err(mistakes) => mistakes,
    }
}

/// The model of the base text with overrides, or the text of the mistakes.
fn overridden(text: &str, arguments: &[&str]) -> Result<ModelSpec, String> {
    let parse = |argument: &&str| Override::parse(argument).map_err(|error| error.to_string());
    let overrides: Vec<Override> = arguments.iter().map(parse).collect::<Result<_, _>>()?;
    let read = read_model("model.toml", text, &overrides);
    read.map(|(model, _)| model).map_err(|mistakes| mistakes.to_string())
}

/// The base text with one piece, which occurs once, replaced.
#[track_caller]
fn base_with(piece: &str, replacement: &str) -> String {
    assert_eq!(BASE.matches(piece).count(), 1, "`{piece}` must occur once");
    BASE.replace(piece, replacement)
}

/// Asserts that replacing a piece of the base text gives one mistake, on the first line of the replacement.
#[track_caller]
fn assert_mistake(piece: &str, replacement: &str, expected: &str) {
    assert_mistake_at(0, piece, replacement, expected);
}

/// Asserts that replacing a piece of the base text gives one mistake, so many lines below the start of the piece.
#[track_caller]
fn assert_mistake_at(below: isize, piece: &str, replacement: &str, expected: &str) {
    let text = base_with(piece, replacement);
    let found = mistakes(&text);
    let start = BASE.find(piece).map_or(0, |at| BASE[..at].matches('\n').count());
    let [mistake] = found.iter().collect::<Vec<_>>()[..] else {
        panic!("more than one mistake:\n{found}");
    };
    assert_eq!(mistake.line(), (start + 1).checked_add_signed(below), "{mistake}");
    assert!(mistake.to_string().contains(expected), "`{expected}` is not in\n{mistake}");
}
