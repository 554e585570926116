//! Vectors that hold few numbers in place.

use std::ops::{Deref, DerefMut};

/// A vector of a fixed number of entries, of which up to `N` are held in place and more on the heap.
///
/// Where very many small systems are stepped one after the other, time goes into fetching their numbers from memory: what
/// stands in place comes with what stands beside it, and is not looked for elsewhere.
///
/// ```
/// use cosimo_linear::InlineVector;
/// let mut short = InlineVector::<3>::zeros(2);
/// short[1] = 5.0;
/// assert_eq!(*short, [0.0, 5.0]);
/// assert_eq!(InlineVector::<3>::from(vec![1.0; 4]).len(), 4);
/// ```
#[derive(Clone)]
pub struct InlineVector<const N: usize>(Form<N>);

#[derive(Clone)]
enum Form<const N: usize> {
    Few { count: u8, entries: [f64; N] },
    Many(Box<[f64]>),
}

impl<const N: usize> InlineVector<N> {
    /// `n` zeros.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        match u8::try_from(n) {
            Ok(count) if n <= N => Self(Form::Few { count, entries: [0.0; N] }),
            _ => Self(Form::Many(vec![0.0; n].into())),
        }
    }

    /// Becomes `n` zeros; allocates nothing if it has that length already.
    pub fn set_zeros(&mut self, n: usize) {
        if self.len() == n {
            self.fill(0.0);
        } else {
            *self = Self::zeros(n);
        }
    }
}

impl<const N: usize> Deref for InlineVector<N> {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        match &self.0 {
            Form::Few { count, entries } => &entries[..usize::from(*count)],
            Form::Many(entries) => entries,
        }
    }
}

impl<const N: usize> DerefMut for InlineVector<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        match &mut self.0 {
            Form::Few { count, entries } => &mut entries[..usize::from(*count)],
            Form::Many(entries) => entries,
        }
    }
}

impl<const N: usize> Default for InlineVector<N> {
    fn default() -> Self {
        Self::zeros(0)
    }
}

impl<const N: usize> From<&[f64]> for InlineVector<N> {
    fn from(entries: &[f64]) -> Self {
        let mut own = Self::zeros(entries.len());
        own.copy_from_slice(entries);
        own
    }
}

impl<const N: usize> From<Vec<f64>> for InlineVector<N> {
    fn from(entries: Vec<f64>) -> Self {
        Self::from(entries.as_slice())
    }
}

impl<const N: usize> PartialEq for InlineVector<N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const N: usize> std::fmt::Debug for InlineVector<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<'a, const N: usize> IntoIterator for &'a InlineVector<N> {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, const N: usize> IntoIterator for &'a mut InlineVector<N> {
    type Item = &'a mut f64;
    type IntoIter = std::slice::IterMut<'a, f64>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_entries_are_alike() {
        for n in 0..9 {
            let entries: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let mut own = InlineVector::<4>::from(entries.clone());
            assert_eq!(*own, *entries);
            own.iter_mut().for_each(|x| *x += 1.0);
            assert!(own.iter().zip(&entries).all(|(a, b)| *a == b + 1.0));
            own.set_zeros(n);
            assert_eq!(own, InlineVector::zeros(n));
            own.set_zeros(8 - n);
            assert_eq!(*own, *vec![0.0; 8 - n]);
        }
    }
}
