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
pub struct InlineVector<const N: usize, T = f64>(Form<N, T>);

#[derive(Clone)]
enum Form<const N: usize, T> {
    Few { count: u8, entries: [T; N] },
    Many(Box<[T]>),
}

impl<const N: usize, T: Copy + Default> InlineVector<N, T> {
    /// `n` entries that are zero, or whatever is the default of their type.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        match u8::try_from(n) {
            Ok(count) if n <= N => Self(Form::Few { count, entries: [T::default(); N] }),
            _ => Self(Form::Many(vec![T::default(); n].into())),
        }
    }

    /// Becomes what [`zeros`](Self::zeros) gives; allocates nothing if it has that length already.
    pub fn set_zeros(&mut self, n: usize) {
        if self.len() == n {
            self.fill(T::default());
        } else {
            *self = Self::zeros(n);
        }
    }
}

impl<const N: usize, T> Deref for InlineVector<N, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Form::Few { count, entries } => &entries[..usize::from(*count)],
            Form::Many(entries) => entries,
        }
    }
}

impl<const N: usize, T> DerefMut for InlineVector<N, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Form::Few { count, entries } => &mut entries[..usize::from(*count)],
            Form::Many(entries) => entries,
        }
    }
}

impl<const N: usize, T: Copy + Default> Default for InlineVector<N, T> {
    fn default() -> Self {
        Self::zeros(0)
    }
}

impl<const N: usize, T: Copy + Default> From<&[T]> for InlineVector<N, T> {
    fn from(entries: &[T]) -> Self {
        let mut own = Self::zeros(entries.len());
        own.copy_from_slice(entries);
        own
    }
}

impl<const N: usize, T: Copy + Default> From<Vec<T>> for InlineVector<N, T> {
    fn from(entries: Vec<T>) -> Self {
        Self::from(entries.as_slice())
    }
}

impl<const N: usize, T: PartialEq> PartialEq for InlineVector<N, T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const N: usize, T: std::fmt::Debug> std::fmt::Debug for InlineVector<N, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<'a, const N: usize, T> IntoIterator for &'a InlineVector<N, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, const N: usize, T> IntoIterator for &'a mut InlineVector<N, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

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
