//! Values of one entry: `1:10:0.5`, `1,2,5`, `log(1,1000,7)`, `normal(1,0.1)`.
//!
//! | file | subject |
//! |---|---|
//! | `error.rs` | why a text does not say values |
//! | `parts.rs` | commas outside of brackets, calls |
//! | `series.rs` | numbers at even or logarithmic distances |
//! | `random.rs` | numbers of a seed, by their position |
//! | `distribution.rs` | random numbers of a distribution |

mod distribution;
mod error;
mod parts;
mod random;
mod series;

use cosimo_model::hint;

pub use distribution::Distribution;
pub use error::ValueError;
pub(crate) use random::Stream;

use error::wrong;
use parts::{Call, call, parts};

/// What one entry of a model is set to, run by run.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// One after the other, as a model file has them.
    List(Vec<String>),
    /// Drawn.
    Random(Distribution),
}

impl Values {
    /// Reads what stands behind the `=` of `--set`: a value, several with commas between them, a range `start:end:step`, a series
    /// `linear(first,last,count)` or `log(first,last,count)`, or a [`Distribution`].
    ///
    /// ```
    /// use cosimo_sweep::Values;
    /// let list = |text| match Values::parse(text) {
    ///     Ok(Values::List(values)) => values.join(" "),
    ///     other => format!("{other:?}"),
    /// };
    /// assert_eq!(list("1:2:0.25"), "1 1.25 1.5 1.75 2");
    /// assert_eq!(list("[0, 0, -10], [0, 0, -5]"), "[0, 0, -10] [0, 0, -5]");
    /// assert_eq!(list("log(1,1000,4), 5e3"), "1 10 100 1000 5e3");
    /// ```
    ///
    /// # Errors
    /// [`ValueError`]. Whether a value is one of its entry, the model says.
    pub fn parse(text: &str) -> Result<Self, ValueError> {
        let parts = parts(text);
        if let [one] = parts[..]
            && let Some(Call { name, arguments }) = call(one)
            && let Some(distribution) = Distribution::of(name, &arguments)
        {
            return distribution.map(Self::Random).map_err(|rule| wrong(one, rule));
        }
        let mut list = Vec::new();
        for part in parts {
            list.extend(values(part).map_err(|error| match error {
                ValueError::Empty(_) => ValueError::Empty(text.trim().to_owned()),
                other => other,
            })?);
        }
        Ok(Self::List(list))
    }

    /// These numbers, as a model file has them.
    #[must_use]
    pub fn numbers(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::List(numbers.into_iter().map(text_of).collect())
    }
}

/// The values of one part of a list.
fn values(part: &str) -> Result<Vec<String>, ValueError> {
    if part.is_empty() {
        return Err(ValueError::Empty(String::new()));
    }
    if let Some(range) = series::range(part) {
        return range.map(|numbers| numbers.into_iter().map(text_of).collect());
    }
    let Some(Call { name, arguments }) = call(part) else { return Ok(vec![part.to_owned()]) };
    if let Some(numbers) = series::series(part, name, &arguments) {
        return numbers.map(|numbers| numbers.into_iter().map(text_of).collect());
    }
    match Distribution::of(name, &arguments) {
        Some(_) => Err(ValueError::RandomInList(part.to_owned())),
        None => {
            let known = series::NAMES.into_iter().chain(Distribution::NAMES);
            Err(ValueError::Unknown { name: name.to_owned(), help: hint(name, known) })
        }
    }
}

/// The number that a text is, if a column of numbers has it as it is: whole numbers as far as all of them are numbers of the machine.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    const EXACT: u128 = 1 << f64::MANTISSA_DIGITS;
    let is_rounded = |whole: i128| whole.unsigned_abs() > EXACT;
    let is_long = text.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit())
        && text.parse().map_or(true, is_rounded);
    text.parse().ok().filter(|_| !is_long)
}

/// Numbers above which whole ones are not written as such.
const WHOLE: f64 = 1e15;

/// A number as a model file has it, in the shortest form of the same bits: whole numbers as those.
pub(crate) fn text_of(number: f64) -> String {
    if number.trunc() == number && number.abs() < WHOLE {
        format!("{}", number as i64)
    } else {
        format!("{number:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        match Values::parse(text) {
            Ok(Values::List(values)) => values,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ranges_have_their_end_where_a_step_meets_it() {
        assert_eq!(list("1:10:0.5").len(), 19);
        assert_eq!(list("0:1:0.3"), ["0", "0.3", "0.6", "0.9"]);
        assert_eq!(list("-0.3:0.3:0.1"), ["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]);
        assert_eq!(list("3:1:-1"), ["3", "2", "1"]);
        assert_eq!(list("0.1:0.7:0.1").last().map(String::as_str), Some("0.7"));
    }

    #[test]
    fn what_is_no_range_series_or_list_stays_a_value() {
        for text in ["plain", "\"a,b(c)\"", "[1, 2]", "{ method = \"theta\", theta = 1 }", "\"= k / (m, n)\""]
        {
            assert_eq!(list(text), [text]);
        }
        assert_eq!(list("plain, sub-step"), ["plain", "sub-step"]);
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        let text = |text| Values::parse(text).unwrap_err().to_string();
        assert_eq!(text("1,,2"), "a value is missing in `1,,2`");
        assert_eq!(text("1:10"), "`1:10` is no range: it is start:end:step, as in 1:10:0.5");
        assert!(text("1:10:-1").contains("the step leads from the start to the end"));
        assert!(text("0:1:1e-9").contains(" values, at most 1000000 are taken"));
        assert!(text("unifrom(1,2)").contains("nothing is called `unifrom`; did you mean `uniform`?"));
        assert_eq!(text("normal(1)"), "`normal(1)`: must be normal(mean,deviation), the deviation positive");
        assert_eq!(text("log(-1,1,3)"), "`log(-1,1,3)`: must be log(first,last,count), both positive");
        assert!(text("1,uniform(0,1)").contains("cannot stand in a list"));
    }
}
