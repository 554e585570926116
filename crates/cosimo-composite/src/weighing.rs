//! How the rules behind the open ports weigh loads. Those of a subsystem have one set of weights; of rules that differ, loads act by their means.

use cosimo_subsystem::LoadWeights;

/// Difference of weights that is rounding, relative (–).
const ROUND_OFF: f64 = 1e-9;

/// The weights of all open ports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weighing {
    /// Weights per size of the step (–).
    share: LoadWeights,
    /// Whether all open ports have these weights.
    pub(crate) is_one: bool,
}

impl Weighing {
    /// That of mean loads.
    pub(crate) const MEAN: Self =
        Self { share: LoadWeights { end: 0.5, start: 0.5, position: 0.5, damping: 0.5 }, is_one: false };

    /// That of open ports with these weights in a step of this size (s); none where they differ and one of them remembers loads.
    pub(crate) fn of(all: &[LoadWeights], size: f64) -> Option<Self> {
        let scaled = |own: &LoadWeights| LoadWeights {
            end: own.end / size,
            start: own.start / size,
            position: own.position / size,
            damping: own.damping / size,
        };
        let Some((first, others)) = all.split_first() else { return Some(Self::MEAN) };
        let remembers = !all.iter().all(|own| own.are_of_mean(size));
        let is_one = others.iter().all(|own| are_alike(first, own));
        match (is_one, remembers) {
            (true, _) => Some(Self { share: scaled(first), is_one }),
            (false, false) => Some(Self::MEAN),
            (false, true) => None,
        }
    }

    /// The weights in a step of this size (s).
    pub(crate) fn at(&self, size: f64) -> LoadWeights {
        let LoadWeights { end, start, position, damping } = self.share;
        LoadWeights {
            end: end * size,
            start: start * size,
            position: position * size,
            damping: damping * size,
        }
    }
}

fn are_alike(a: &LoadWeights, b: &LoadWeights) -> bool {
    let pairs = [(a.end, b.end), (a.start, b.start), (a.position, b.position), (a.damping, b.damping)];
    pairs.iter().all(|(a, b)| (a - b).abs() <= ROUND_OFF * a.abs().max(b.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_remember_loads_have_to_be_alike() {
        let remembers = LoadWeights { end: 0.07, start: 0.02, position: 0.05, damping: 0.05 };
        let [midpoint, later] = [0.5, 0.7].map(|theta| LoadWeights {
            end: theta * 0.1,
            start: (1.0 - theta) * 0.1,
            position: theta * 0.1,
            damping: theta * 0.1,
        });
        let same = Weighing::of(&[remembers, remembers], 0.1);
        assert_eq!(same.map(|own| (own.at(0.1), own.is_one)), Some((remembers, true)));
        assert_eq!(Weighing::of(&[midpoint, later], 0.1), Some(Weighing::MEAN));
        assert_eq!(Weighing::of(&[midpoint, remembers], 0.1), None);
    }
}
