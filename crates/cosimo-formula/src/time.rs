//! Numbers over time.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{FormulaError, Mistake};
use crate::formula::{Formula, TIME};
use crate::jet::Jet;
use crate::value::Value;

/// What files put before formulas.
const SIGN: char = '=';

/// A number over the time `t` (s), with exact first and second derivative. In files it is the text with a `=` before.
#[derive(Clone, PartialEq)]
pub struct TimeFormula(Formula);

impl TimeFormula {
    /// Reads a text, in which the only name is `t`.
    ///
    /// # Errors
    /// Where the text is no formula, has other names, or is a vector.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let formula = Formula::parse(text)?;
        if let Some((name, span)) = formula.names().into_iter().find(|(name, _)| *name != TIME) {
            return Err(FormulaError::new(&span, Mistake::UnknownName { name: name.to_owned() }));
        }
        let found = Self(formula.folded());
        // Whether it is a vector does not depend on the time, and at a time of its own there may be no value.
        match found.evaluate(0.5) {
            Ok(Value::Vector(_)) => {
                Err(FormulaError::new(&found.0.root.span, Mistake::NotANumber("a function of time")))
            }
            Err(error) if !matches!(error.mistake, Mistake::DivisionByZero | Mistake::NotFinite) => {
                Err(error)
            }
            _ => Ok(found),
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// Value, first and second derivative at the time `t` (s); not-a-number where there is none.
    #[must_use]
    pub fn at(&self, t: f64) -> [f64; 3] {
        match self.evaluate(t) {
            Ok(Value::Number(Jet(found))) => found,
            _ => [f64::NAN; 3],
        }
    }

    /// The value alone, for less.
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        match self.0.root.value::<f64>(&|_| Some(Value::Number(t))) {
            Ok(Value::Number(found)) => found,
            _ => f64::NAN,
        }
    }

    fn evaluate(&self, t: f64) -> Result<Value<Jet>, FormulaError> {
        self.0.root.value(&|_| Some(Value::Number(Jet::time(t))))
    }
}

impl fmt::Display for TimeFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SIGN} {}", self.0.text().trim())
    }
}

impl fmt::Debug for TimeFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for TimeFormula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeFormula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let formula = text
            .trim_start()
            .strip_prefix(SIGN)
            .ok_or_else(|| de::Error::custom("no formula: begins with `=`"))?;
        Self::parse(formula.trim()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both derivatives are those of central differences.
    fn check(text: &str, times: &[f64]) {
        let function = TimeFormula::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let h = 1e-5;
        for &t in times {
            let [value, rate, second] = function.at(t);
            let [[low, low_rate, _], [high, high_rate, _]] = [function.at(t - h), function.at(t + h)];
            let scale = 1.0 + value.abs() + rate.abs() + second.abs();
            assert!(((high - low) / (2.0 * h) - rate).abs() < 1e-8 * scale, "{text} at {t}: {rate}");
            assert!(
                ((high_rate - low_rate) / (2.0 * h) - second).abs() < 1e-8 * scale,
                "{text} at {t}: {second}"
            );
            assert_eq!(function.value(t).to_bits(), value.to_bits(), "{text} at {t}");
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let times = [-1.3, -0.2, 0.4, 1.7];
        for text in [
            "3",
            "2*t - 4",
            "t^3 - t^2 + t^1 + t^0",
            "(1 + t^2)^-1.5",
            "2^t + (2 + t)^t",
            "sin(3*t)*cos(t)/(2 + t)",
            "exp(-0.3*t)*sin(t^2)",
            "atan2(sin(t), cos(t)) + atan2(1 + t, -2) + atan2(-1, t*t)",
            "hypot(t, 2) + norm([t, 1, t*t]) + dot([t, 1], [1, t])",
            "unit([t, 1, 2])[1] + cross([t, 1, 0], [0, t, 1])[2]",
            "min(t, 1) + max(t*t, 0.5) + clamp(t, -1, 1) + mod(t, 0.7)",
            "if(t < 0.1, t^2, sin(t)) + abs(t) + sign(t)*t^3",
            "28/2*(1 - cos(pi*clamp((t - 5)/20, 0, 1)))",
            "log(3 + t) + log10(4 + t) + sqrt(2 + t) + tanh(t) + asin(t/3)",
        ] {
            check(text, &times);
        }
        check("28/2*(1 - cos(pi*clamp((t - 5)/20, 0, 1)))", &[0.0, 10.0, 24.0, 30.0]);
    }

    /// What does not depend on the time is computed once, with the same bits.
    #[test]
    fn constants_are_folded() {
        for text in [
            "28/2*(1 - cos(pi*t))",
            "[3, 4][0]*t + norm([3, 4])",
            "if(t > 0, 1/(2 - 1), 1/0)*t",
            "dot([t, 1], [1, 2])",
        ] {
            let (folded, plain) = (TimeFormula::parse(text).unwrap(), Formula::parse(text).unwrap());
            for t in [0.1, 0.7, 3.0] {
                assert_eq!(
                    Ok(Value::Number(folded.value(t))),
                    plain.value(&|_| Some(Value::Number(t))),
                    "{text}"
                );
            }
            assert_eq!(folded.text(), text);
        }
        let folded = TimeFormula::parse("28/2 + [3, 4][1]*t").unwrap();
        assert_eq!(format!("{:?}", folded.0.root).matches("Number").count(), 2, "{:?}", folded.0.root);
    }

    #[test]
    fn times_without_value_are_not_a_number() {
        let function = TimeFormula::parse("1/(t - 0.5)").unwrap();
        assert!(function.at(0.5)[0].is_nan());
        assert_eq!(function.at(1.5)[0], 1.0);
        assert_eq!(TimeFormula::parse("if(t > 0, sin(t)/t, 1)").unwrap().at(0.0)[0], 1.0);
    }

    #[test]
    fn other_names_and_vectors_are_refused() {
        assert!(TimeFormula::parse("k*t").is_err());
        assert!(TimeFormula::parse("[t, 1]").is_err());
    }

    #[test]
    fn files_have_a_sign_before() {
        let function: TimeFormula = serde_json::from_str("\"= 2*t\"").unwrap();
        assert_eq!(serde_json::to_string(&function).unwrap(), "\"= 2*t\"");
        assert!(serde_json::from_str::<TimeFormula>("\"2*t\"").is_err());
    }
}
