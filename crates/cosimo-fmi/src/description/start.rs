//! Start values.

/// Start values of a variable: one for each element, in row-major order, or one for all elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Of floating point numbers.
    Float(Vec<f64>),
    /// Of whole numbers with sign and enumerations.
    Int(Vec<i64>),
    /// Of whole numbers without sign.
    UInt(Vec<u64>),
    /// Of truth values.
    Boolean(Vec<bool>),
    /// Of texts.
    String(Vec<String>),
    /// Of bytes.
    Binary(Vec<Vec<u8>>),
}

impl Start {
    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Float(values) => values.len(),
            Self::Int(values) => values.len(),
            Self::UInt(values) => values.len(),
            Self::Boolean(values) => values.len(),
            Self::String(values) => values.len(),
            Self::Binary(values) => values.len(),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
