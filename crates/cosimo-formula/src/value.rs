//! Numbers and vectors.

/// A number or a vector.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<N = f64> {
    /// One number.
    Number(N),
    /// Numbers in a row.
    Vector(Vec<N>),
}

impl<N: Copy> Value<N> {
    /// Every number by itself.
    pub(crate) fn map<M>(self, mut function: impl FnMut(N) -> M) -> Value<M> {
        match self {
            Self::Number(number) => Value::Number(function(number)),
            Self::Vector(numbers) => Value::Vector(numbers.into_iter().map(function).collect()),
        }
    }

    /// Two values number by number, a number with every one of a vector; the lengths where they differ.
    pub(crate) fn zip(self, other: Self, function: impl Fn(N, N) -> N) -> Result<Self, (usize, usize)> {
        Ok(match (self, other) {
            (Self::Number(a), b) => b.map(|b| function(a, b)),
            (a, Self::Number(b)) => a.map(|a| function(a, b)),
            (Self::Vector(a), Self::Vector(b)) if a.len() != b.len() => return Err((a.len(), b.len())),
            (Self::Vector(a), Self::Vector(b)) => {
                Self::Vector(a.into_iter().zip(b).map(|(a, b)| function(a, b)).collect())
            }
        })
    }

    /// Numbers in each where they differ in that, or where one is a number and the other a vector.
    pub(crate) fn unlike(&self, other: &Self) -> Option<(usize, usize)> {
        let [a, b] = [self.numbers().len(), other.numbers().len()];
        let is_alike = matches!(self, Self::Number(_)) == matches!(other, Self::Number(_)) && a == b;
        (!is_alike).then_some((a, b))
    }

    /// The numbers, one or several.
    pub fn numbers(&self) -> &[N] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Vector(numbers) => numbers,
        }
    }
}
