//! Numbers at even or logarithmic distances.

use super::error::{ValueError, wrong};
use super::parts::numbers;
use crate::MOST_RUNS;

/// Names of series.
pub(super) const NAMES: [&str; 2] = ["linear", "log"];

/// Share of a step by which its multiples may miss the end.
const ROUND_OFF: f64 = 1e-9;

/// The numbers of `start:end:step`; `None` of a text that is of another form.
pub(super) fn range(text: &str) -> Option<Result<Vec<f64>, ValueError>> {
    let parts: Option<Vec<f64>> = text.split(':').map(|part| part.trim().parse().ok()).collect();
    let refused = |rule| Some(Err(ValueError::Range { text: text.to_owned(), rule }));
    match parts?[..] {
        [] | [_] => None,
        [start, end, step] if [start, end, step].iter().all(|x| x.is_finite()) => {
            Some(steps(text, (start, end), step))
        }
        _ => refused("it is start:end:step, as in 1:10:0.5"),
    }
}

fn steps(text: &str, (start, end): (f64, f64), step: f64) -> Result<Vec<f64>, ValueError> {
    let count = (end - start) / step;
    if !(count >= 0.0) {
        let rule = "the step leads from the start to the end and is not zero";
        return Err(ValueError::Range { text: text.to_owned(), rule });
    }
    let last = (count + ROUND_OFF).floor();
    bounded(text, last + 1.0)?;
    let number = |k: u32| match f64::from(k) {
        k if (k - count).abs() <= ROUND_OFF => end,
        k => without_round_off(start + k * step, step),
    };
    Ok((0..=last as u32).map(number).collect())
}

/// The number to fifteen digits, which are those that were meant; zero where it is nothing beside the step.
fn without_round_off(number: f64, step: f64) -> f64 {
    if number.abs() < ROUND_OFF * step.abs() {
        return 0.0;
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// The numbers of `linear(…)` or `log(…)`; `None` of another name.
pub(super) fn series(text: &str, name: &str, arguments: &[&str]) -> Option<Result<Vec<f64>, ValueError>> {
    let rule = match name {
        "linear" => "linear(first,last,count), the count a whole number from 2 on",
        "log" => "log(first,last,count), both positive",
        _ => return None,
    };
    let Some([first, last, count]) = numbers(arguments) else { return Some(Err(wrong(text, rule))) };
    let is_even = name == "linear";
    if !(count >= 2.0 && count.trunc() == count && (is_even || (first > 0.0 && last > 0.0))) {
        return Some(Err(wrong(text, rule)));
    }
    if let Err(error) = bounded(text, count) {
        return Some(Err(error));
    }
    let number = |k: u32| match f64::from(k) / (count - 1.0) {
        0.0 => first,
        1.0 => last,
        share if is_even => without_round_off(first + share * (last - first), last - first),
        share => without_round_off(first * libm::pow(last / first, share), first),
    };
    Some(Ok((0..count as u32).map(number).collect()))
}

fn bounded(text: &str, count: f64) -> Result<(), ValueError> {
    if count <= MOST_RUNS as f64 {
        Ok(())
    } else {
        Err(ValueError::Many { text: text.to_owned(), found: count })
    }
}
