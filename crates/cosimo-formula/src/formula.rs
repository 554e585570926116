//! Formulas of named numbers and vectors.

use std::fmt;
use std::ops::Range;

use crate::error::{FormulaError, Mistake};
use crate::parse::parse;
use crate::term::Term;
use crate::value::Value;

/// Name of the time (s).
pub const TIME: &str = "t";

/// A formula: its text, and what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    text: String,
    pub(crate) root: Term,
}

impl Formula {
    /// Reads a text.
    ///
    /// # Errors
    /// Where the text is no formula, with the place.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Ok(Self { root: parse(text)?, text: text.to_owned() })
    }

    /// The same with the parts that have no names as numbers, so that they are computed once.
    pub(crate) fn folded(self) -> Self {
        Self { root: self.root.folded(), text: self.text }
    }

    /// As written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names in it with their places, from left to right.
    #[must_use]
    pub fn names(&self) -> Vec<(&str, Range<usize>)> {
        let mut names = Vec::new();
        self.root.names(&mut |name, span| names.push((name, span.clone())));
        names
    }

    /// Whether it depends on the time.
    #[must_use]
    pub fn is_over_time(&self) -> bool {
        self.names().iter().any(|(name, _)| *name == TIME)
    }

    /// The value, with the value of every name; of the time too, where it is known.
    ///
    /// # Errors
    /// Names without value, vectors that do not go together, results that are not finite.
    pub fn value(&self, of: &impl Fn(&str) -> Option<Value>) -> Result<Value, FormulaError> {
        if let Some((_, span)) = self.names().iter().find(|(name, _)| *name == TIME && of(TIME).is_none()) {
            return Err(FormulaError::new(span, Mistake::OverTime));
        }
        let found = self.root.value(of)?;
        match found.numbers().iter().all(|number| number.is_finite()) {
            true => Ok(found),
            false => Err(FormulaError::new(&self.root.span, Mistake::NotFinite)),
        }
    }

    /// The text with the values of all names but the time in their places.
    ///
    /// # Errors
    /// Names without value.
    pub fn with_values(&self, of: &impl Fn(&str) -> Option<Value>) -> Result<String, FormulaError> {
        let mut text = String::new();
        let mut end = 0;
        for (name, span) in self.names() {
            if name == TIME {
                continue;
            }
            let value = crate::evaluate::named(name, of)
                .ok_or_else(|| FormulaError::new(&span, Mistake::UnknownName { name: name.to_owned() }))?;
            text.push_str(&self.text[end..span.start]);
            text.push_str(&literal(&value));
            end = span.end;
        }
        text.push_str(&self.text[end..]);
        Ok(text)
    }
}

/// A value as it stands in formulas.
fn literal(value: &Value) -> String {
    let number = |x: &f64| if x.is_sign_negative() { format!("({x:?})") } else { format!("{x:?}") };
    match value {
        Value::Number(x) => number(x),
        Value::Vector(numbers) => format!("[{}]", numbers.iter().map(number).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        let known = |name: &str| match name {
            "k" => Some(Value::Number(8.0)),
            "m" => Some(Value::Number(-2.0)),
            "v" => Some(Value::Vector(vec![3.0, 0.0, 4.0])),
            "leg.b" => Some(Value::Number(41.5)),
            _ => None,
        };
        Formula::parse(text)
            .and_then(|formula| formula.value(&known))
            .unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn mistake(text: &str) -> (String, Range<usize>) {
        let known = |name: &str| (name == "v").then(|| Value::Vector(vec![1.0, 2.0]));
        let error = Formula::parse(text).and_then(|formula| formula.value(&known)).expect_err(text);
        (error.to_string(), error.span)
    }

    #[test]
    fn values_are_those_of_arithmetic() {
        for (text, expected) in [
            ("2 - 3 - 4", -5.0),
            (" 2 + 3 * 4 ", 14.0),
            ("-2^2", -4.0),
            ("(-2)^2", 4.0),
            ("2^-1*3", 1.5),
            ("2 * -3", -6.0),
            ("1e-3 + 1.5E+1 + .5 + 2.", 17.501),
            ("k / m", -4.0),
            ("k/m/2", -2.0),
            ("sqrt(k * 2) + abs(m)", 6.0),
            ("atan2(1, -1) / pi", 0.75),
            ("180*deg/pi + 60*rpm/(2*pi)", 2.0),
            ("min(3, max(1, 2)) + mod(-1, 3) + clamp(7, 0, 5) + hypot(3, 4)", 14.0),
            ("if(k > 7, 1, 1/0) + (2 <= 2) + (1 < 1)", 2.0),
            ("v.x + v[2] + norm(v) + dot(v, v) + sum(v)", 44.0),
            ("(2*v).z + cross([1,0,0], [0,1,0])[2]", 9.0),
            ("leg.b + leg.b", 83.0),
        ] {
            let Value::Number(found) = value(text) else { panic!("{text} is a vector") };
            assert!((found - expected).abs() < 1e-13, "{text}: {found}");
        }
    }

    #[test]
    fn vectors_are_computed_entry_by_entry() {
        assert_eq!(value("(v + [1, 2, 3]) / 2 * [1, -1, 1]"), Value::Vector(vec![2.0, -1.0, 3.5]));
        assert_eq!(value("unit(v)"), Value::Vector(vec![0.6, 0.0, 0.8]));
        assert_eq!(value("-sqrt(v*v)"), Value::Vector(vec![-3.0, -0.0, -4.0]));
    }

    #[test]
    fn mistakes_have_their_place() {
        for (text, message, span) in [
            ("", "a number, a name or a bracket is missing here", 0..0),
            ("1 +", "a number, a name or a bracket is missing here", 3..3),
            ("(1 + 2", "`)` is missing here", 6..6),
            ("2 x", "an operator, or the end of the formula, is missing here", 2..3),
            ("sin 2", "`(` is missing here", 4..5),
            ("2 * q", "no parameter `q`", 4..5),
            ("2 * sine(3)", "no function `sine`", 4..8),
            ("max(1)", "`max` takes two arguments, not 1", 0..3),
            ("clamp(1, 2, 0)", "the least bound of `clamp` is greater than the greatest", 0..13),
            ("1 + 1/(2 - 2)", "division by zero", 4..12),
            ("sqrt(-1)", "the result is not a finite number", 0..7),
            ("min(1, sqrt(-1))", "the result is not a finite number", 7..14),
            ("max(0, log(-1))", "the result is not a finite number", 7..13),
            ("if(sqrt(-1) > 0, 1, 2)", "the result is not a finite number", 3..10),
            ("clamp(0.5, 0, sqrt(-1))", "the result is not a finite number", 14..21),
            ("sqrt(-1)^0", "the result is not a finite number", 0..7),
            ("v + [1, 2, 3]", "vectors of 2 and 3 numbers do not go together", 0..13),
            ("v[2]", "no element 2: there are 2, counted from 0", 0..3),
            ("2^3^4", "an operator, or the end of the formula, is missing here", 3..4),
            ("--2", "a number, a name or a bracket is missing here", 1..2),
            ("2 + t", "depends on the time `t`, which a number cannot", 4..5),
            ("1 # 2", "an operator, or the end of the formula, is missing here", 2..3),
        ] {
            assert_eq!(mistake(text), (message.to_owned(), span), "{text}");
        }
        assert!(mistake(&"(".repeat(60)).0.contains("50 brackets"));
        assert!(mistake(&"1+".repeat(1500)).0.contains("2000 characters"));
    }

    /// Squares of the numbers are too large or too small.
    #[test]
    fn lengths_are_right_for_all_numbers() {
        for scale in [1e-300, 1e-200, 1e-150, 1.0, 1e150, 1e200, 1e300] {
            let text = format!("hypot(3*{scale:e}, 4*{scale:e})/{scale:e} + unit([0, 2*{scale:e}]).y");
            let Value::Number(found) = value(&text) else { panic!("{text}") };
            assert!((found - 6.0).abs() < 1e-14, "{text}: {found}");
        }
    }

    #[test]
    fn values_stand_in_the_place_of_names() {
        let known = |name: &str| match name {
            "w" => Some(Value::Number(-28.5)),
            "v" => Some(Value::Vector(vec![1.0, -2.0])),
            _ => None,
        };
        let text = Formula::parse("w/2*(1 - cos(pi*t)) + v.y + v[0]").unwrap().with_values(&known).unwrap();
        assert_eq!(text, "(-28.5)/2*(1 - cos(pi*t)) + (-2.0) + [1.0, (-2.0)][0]");
        assert!(Formula::parse(&text).is_ok());
    }
}
