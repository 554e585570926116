//! Saved numbers, taken one after the other.

/// What of saved numbers has not been taken yet.
#[derive(Debug)]
pub(crate) struct StateReader<'a>(&'a [f64]);

impl<'a> StateReader<'a> {
    pub(crate) fn new(saved: &'a [f64]) -> Self {
        Self(saved)
    }

    /// The next number; `None` at the end.
    pub(crate) fn number(&mut self) -> Option<f64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Fills `out` with the next numbers; `None` if there are too few.
    pub(crate) fn fill(&mut self, out: &mut [f64]) -> Option<()> {
        let (own, rest) = self.0.split_at_checked(out.len())?;
        out.copy_from_slice(own);
        self.0 = rest;
        Some(())
    }

    /// Lets a reader take what it needs and say how much that is.
    pub(crate) fn pass(&mut self, read: impl FnOnce(&'a [f64]) -> Option<usize>) -> Option<()> {
        self.0 = self.0.get(read(self.0)?..)?;
        Some(())
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [f64] {
        self.0
    }
}
