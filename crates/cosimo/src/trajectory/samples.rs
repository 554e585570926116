//! Numbers that are shared, not copied.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Numbers that several owners read: a clone shares them, in this thread or another.
#[derive(Clone, PartialEq)]
pub struct Samples(Arc<Vec<f64>>);

impl Deref for Samples {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl From<Vec<f64>> for Samples {
    fn from(values: Vec<f64>) -> Self {
        Self(Arc::new(values))
    }
}

/// How many they are, and the ends: they may be millions.
impl fmt::Debug for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first(), self.last()) {
            (Some(first), Some(last)) => write!(f, "[{first:?}, …, {last:?}; {}]", self.len()),
            _ => f.write_str("[]"),
        }
    }
}
