//! Values of parameters.

/// Values of a parameter: one, or as many as the array has elements, in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// Numbers.
    Real(Vec<f64>),
    /// Whole numbers.
    Integer(Vec<i64>),
    /// Truth values.
    Boolean(Vec<bool>),
    /// Texts.
    String(Vec<String>),
    /// Names of values of an enumeration.
    Enumeration(Vec<String>),
    /// Bytes.
    Binary(Vec<Vec<u8>>),
}

impl ParameterValue {
    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Real(values) => values.len(),
            Self::Integer(values) => values.len(),
            Self::Boolean(values) => values.len(),
            Self::String(values) | Self::Enumeration(values) => values.len(),
            Self::Binary(values) => values.len(),
        }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
