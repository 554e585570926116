//! Rigid bodies in space with joints and forces.

mod accelerations;
mod aerodynamics;
mod angles;
mod assembled;
mod beams;
mod contacts;
mod forces;
mod gears;
mod joined_bdf;
mod mistakes;
mod reading;
mod rules;
mod running;
mod springs;

/// A slider-crank with a loose bob, without mistakes.
pub(crate) const TEXT: &str = include_str!("model.toml");

/// The text with one piece, which occurs once, replaced.
#[track_caller]
fn with(piece: &str, replacement: &str) -> String {
    assert_eq!(TEXT.matches(piece).count(), 1, "`{piece}` must occur once");
    TEXT.replace(piece, replacement)
}

/// Asserts that replacing a piece gives one mistake, warnings apart, on its first line.
#[track_caller]
fn assert_refused(piece: &str, replacement: &str, expected: &str) {
    assert_refused_at(0, piece, replacement, expected);
}

/// The same with the mistake so many lines below the start of the piece.
#[track_caller]
fn assert_refused_at(below: usize, piece: &str, replacement: &str, expected: &str) {
    let found = crate::mistakes(&with(piece, replacement));
    let start = TEXT.find(piece).map_or(0, |at| TEXT[..at].matches('\n').count());
    let [mistake] = found.iter().filter(|found| found.is_error()).collect::<Vec<_>>()[..] else {
        panic!("more than one mistake:\n{found}");
    };
    assert!(mistake.to_string().contains(expected), "`{expected}` is not in\n{mistake}");
    assert_eq!(mistake.line(), Some(start + 1 + below), "{mistake}");
}
