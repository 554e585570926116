//! The product of axes, the last one running fastest.

use serde::{Deserialize, Serialize};

use super::axis::Axis;
use super::error::CasesError;
use super::paths::overlap;
use crate::MOST_RUNS;

/// The runs of a sweep. No case is stored: each is made from its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cases {
    axes: Vec<Axis>,
}

impl Cases {
    /// The product of these axes.
    ///
    /// # Errors
    /// Nothing is varied, an entry has no values, an entry or a part of it is varied twice, or there are more than [`MOST_RUNS`].
    pub fn new(axes: Vec<Axis>) -> Result<Self, CasesError> {
        let keys: Vec<&str> = axes.iter().flat_map(Axis::keys).collect();
        for (place, key) in keys.iter().enumerate() {
            check_apart(key, &keys[..place])?;
        }
        if axes.is_empty() {
            return Err(CasesError::None);
        }
        if let Some(key) = axes.iter().filter(|axis| axis.is_empty()).flat_map(Axis::keys).next() {
            return Err(CasesError::Empty(key.to_owned()));
        }
        let count = axes.iter().map(|axis| axis.len() as f64).product::<f64>();
        if count > MOST_RUNS as f64 {
            return Err(CasesError::Many(if count < 1e15 {
                count.to_string()
            } else {
                format!("{count:e}")
            }));
        }
        Ok(Self { axes })
    }

    /// The axes.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// How many runs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.axes.iter().map(Axis::len).product()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries that are set, as paths.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().flat_map(Axis::keys)
    }

    /// The values of a run, one per key; none where the run leaves the entry as the model has it.
    #[must_use]
    pub fn values(&self, run: usize) -> Vec<Option<String>> {
        let mut place = run;
        let mut by_axis: Vec<Vec<Option<String>>> = Vec::new();
        for axis in self.axes.iter().rev() {
            by_axis.push(axis.values(place % axis.len()));
            place /= axis.len();
        }
        by_axis.into_iter().rev().flatten().collect()
    }
}

/// Refuses a path of an entry that others, which are set as well, lead to.
pub(crate) fn check_apart(key: &str, others: &[&str]) -> Result<(), CasesError> {
    match others.iter().find(|other| overlap(other, key)) {
        Some(other) if *other == key => Err(CasesError::Twice(key.to_owned())),
        Some(other) => Err(CasesError::Overlap((*other).to_owned(), key.to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Distribution;

    fn grid(key: &str, values: &[&str]) -> Axis {
        Axis::list(key, values.iter().map(|value| (*value).to_owned()).collect())
    }

    fn shown(cases: &Cases, run: usize) -> String {
        let values = cases.values(run);
        values.into_iter().map(|value| value.unwrap_or_else(|| "-".to_owned())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_axis_runs_fastest() {
        let cases = Cases::new(vec![grid("a", &["1", "2"]), grid("b", &["x", "y", "z"])]).unwrap();
        let all: Vec<String> = (0..cases.len()).map(|run| shown(&cases, run)).collect();
        assert_eq!(all, ["1 x", "1 y", "1 z", "2 x", "2 y", "2 z"]);
    }

    #[test]
    fn a_file_a_grid_and_draws_are_multiplied() {
        let file = Axis::table("cases.csv", "a, b.c\n1,\"[0, 1]\"\n2,\n").unwrap();
        let draws = Axis::random(3, 5, vec![("d".to_owned(), Distribution::Normal(0.0, 1.0))]).unwrap();
        let cases = Cases::new(vec![file, grid("e", &["p", "q"]), draws]).unwrap();
        assert_eq!((cases.len(), cases.keys().collect::<Vec<_>>()), (20, vec!["a", "b.c", "e", "d"]));
        assert!(shown(&cases, 0).starts_with("1 [0, 1] p "));
        assert!(shown(&cases, 19).starts_with("2 - q "));
        // The same draws everywhere.
        assert_eq!(cases.values(3)[3], cases.values(18)[3]);
    }

    #[test]
    fn a_seed_gives_the_same_numbers_on_every_machine() {
        let key = |name: &str| (name.to_owned(), Distribution::Normal(1.0, 0.1));
        let draws = Axis::random(1, 3, vec![key("a"), key("b")]).unwrap();
        let all: Vec<Option<String>> = (0..3).flat_map(|k| draws.values(k)).collect();
        let again = Axis::random(1, 300, vec![key("a"), key("b")]).unwrap();
        assert_eq!(all, (0..3).flat_map(|k| again.values(k)).collect::<Vec<_>>());
        assert_eq!(all[0].as_deref(), Some("1.0842127924839295"));
        let other = Axis::random(2, 3, vec![key("a")]).unwrap();
        assert_ne!(all[0], other.values(0)[0]);
    }

    #[test]
    fn mistakes_are_named() {
        let many: Vec<&str> = vec!["1"; 1001];
        let text = |axes| Cases::new(axes).unwrap_err().to_string();
        assert!(text(vec![grid("a", &many), grid("b", &many)]).contains("has 1002001 runs, at most 1000000"));
        assert!(text(vec![grid("a", &["1"]), grid("a", &["2"])]).contains("`a` is set twice"));
        assert!(text(Vec::new()).contains("no entry has several values"));
        let text = |content| Axis::table("cases.csv", content).unwrap_err().to_string();
        assert_eq!(text("a,b\n1\n"), "`cases.csv`, line 2: 1 fields in place of 2");
        assert_eq!(text("a,b\n"), "`cases.csv`: it has no rows");
        assert_eq!(text("a,,b\n1,2,3\n"), "`cases.csv`: a column has no name; each is the path of an entry");
    }
}
