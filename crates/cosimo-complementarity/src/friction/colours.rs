//! Contacts by colours, no two of a colour meeting: what a sweep may do at once.

use super::Delassus;

/// Contacts colour by colour, by their index within one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Colours {
    order: Vec<usize>,
    /// First contact of each colour, and the end.
    starts: Vec<usize>,
}

impl Colours {
    /// Gives every contact the first colour that none of its earlier neighbours has.
    pub(crate) fn find<const D: usize>(delassus: &dyn Delassus<D>) -> Self {
        let contacts = delassus.contacts();
        let mut colours = vec![usize::MAX; contacts];
        // The contact that has asked for a colour last.
        let mut taken: Vec<usize> = Vec::new();
        let mut neighbours = Vec::new();
        for contact in 0..contacts {
            neighbours.clear();
            delassus.neighbours(contact, &mut neighbours);
            for &neighbour in neighbours.iter().filter(|n| colours[**n] != usize::MAX) {
                taken[colours[neighbour]] = contact;
            }
            let free = taken.iter().position(|asked| *asked != contact).unwrap_or(taken.len());
            if free == taken.len() {
                taken.push(usize::MAX);
            }
            colours[contact] = free;
        }
        let mut order: Vec<usize> = (0..contacts).collect();
        order.sort_by_key(|contact| colours[*contact]);
        let mut starts = vec![0; taken.len() + 1];
        colours.iter().for_each(|colour| starts[colour + 1] += 1);
        for colour in 0..taken.len() {
            starts[colour + 1] += starts[colour];
        }
        Self { order, starts }
    }

    /// Contacts in the order of their colours.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The places of each colour in that order.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.starts.windows(2).map(|pair| pair[0]..pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::BlockMatrix;

    #[test]
    fn no_two_of_a_colour_meet() {
        // A ring of seven with a chord.
        let ring = (0..7).flat_map(|i| [(i, (i + 1) % 7), ((i + 1) % 7, i)]).chain([(0, 3), (3, 0)]);
        let matrix = BlockMatrix::<1>::from_triplets(7, ring.map(|(i, j)| (i, j, 1.0))).unwrap();
        let colours = Colours::find(&matrix);
        assert_eq!(colours.ranges().count(), 3);
        let mut seen = colours.order().to_vec();
        seen.sort_unstable();
        assert_eq!(seen, (0..7).collect::<Vec<_>>());
        for range in colours.ranges() {
            for (a, b) in colours.order()[range.clone()]
                .iter()
                .flat_map(|a| colours.order()[range.clone()].iter().map(move |b| (*a, *b)))
            {
                assert!(
                    a == b || (a.abs_diff(b) != 1 && a.abs_diff(b) != 6 && (a.min(b), a.max(b)) != (0, 3))
                );
            }
        }
    }
}
