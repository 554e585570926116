//! Expressions of named numbers, as `block.x * cos(0.2) + block.z * sin(0.2)`.

use cosimo::formula::{Formula, Value};
use serde::Deserialize;

/// A formula of quantities, or a number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Text")]
pub(super) struct Expression(Formula);

/// An expression as it stands in a file: text, or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Text(String),
}

impl TryFrom<Text> for Expression {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        let text = match text {
            Text::Number(x) => format!("{x:?}"),
            Text::Text(text) => text,
        };
        Formula::parse(&text).map(Self).map_err(|error| format!("`{text}`: {error}"))
    }
}

impl Expression {
    /// As written.
    pub(super) fn text(&self) -> &str {
        self.0.text()
    }

    /// The names in it, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.0.names() {
            if !names.iter().any(|own| own == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Its value, with the value of every name; not-a-number where there is none.
    pub(super) fn value(&self, of: &impl Fn(&str) -> f64) -> f64 {
        match self.0.value(&|name| Some(Value::Number(of(name)))) {
            Ok(Value::Number(found)) => found,
            _ => f64::NAN,
        }
    }
}
