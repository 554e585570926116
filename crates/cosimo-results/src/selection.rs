//! Which quantities of a run are meant.

use cosimo_master::QuantityLabel;
use thiserror::Error;

/// A pattern that names no quantity of the run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no quantity matches `{pattern}`: the run has {known}")]
pub struct UnknownQuantity {
    /// The pattern.
    pub pattern: String,
    /// The quantities there are; of many, the first ones.
    pub known: String,
}

/// Quantities chosen by patterns: `*` is everything, `name.*` whatever begins with `name.`, and anything else one
/// quantity by its full name, `subsystem.quantity`.
///
/// ```
/// use cosimo_master::QuantityLabel;
/// use cosimo_results::Selection;
///
/// let label = |owner: &str, name: &str| QuantityLabel { owner: owner.into(), name: name.into(), unit: "m".into() };
/// let labels = [label("lower", "x"), label("lower", "z"), label("upper", "z")];
/// assert_eq!(Selection::new(["upper.z", "lower.*"]).indices(&labels), Ok(vec![0, 1, 2]));
/// assert!(Selection::new(["middle.z"]).indices(&labels).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    patterns: Vec<String>,
}

impl Selection {
    /// Selects what any of the patterns matches.
    pub fn new<P: Into<String>>(patterns: impl IntoIterator<Item = P>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect() }
    }

    /// Selects everything.
    #[must_use]
    pub fn everything() -> Self {
        Self::new(["*"])
    }

    /// Whether one pattern is of a full name.
    #[must_use]
    pub fn matches(pattern: &str, name: &str) -> bool {
        match pattern.strip_suffix('*') {
            Some("") => true,
            Some(prefix) if prefix.ends_with('.') => name.starts_with(prefix),
            _ => pattern == name,
        }
    }

    /// Positions of the selected quantities in `labels`, ascending, each once.
    ///
    /// # Errors
    /// The first pattern that matches nothing; `*` may.
    pub fn indices(&self, labels: &[QuantityLabel]) -> Result<Vec<usize>, UnknownQuantity> {
        self.indices_of(&labels.iter().map(full_name).collect::<Vec<_>>())
    }

    /// Positions of the selected among these full names, ascending, each once.
    ///
    /// # Errors
    /// As [`indices`](Self::indices).
    pub fn indices_of<N: AsRef<str>>(&self, names: &[N]) -> Result<Vec<usize>, UnknownQuantity> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let mut is_selected = vec![false; names.len()];
        for pattern in &self.patterns {
            let mut matches_any = pattern == "*";
            for (name, selected) in names.iter().zip(&mut is_selected) {
                if Self::matches(pattern, name) {
                    *selected = true;
                    matches_any = true;
                }
            }
            if !matches_any {
                return Err(UnknownQuantity { pattern: pattern.clone(), known: known(&names) });
            }
        }
        Ok((0..names.len()).filter(|&index| is_selected[index]).collect())
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self::everything()
    }
}

/// The name of a quantity as users write it.
pub(crate) fn full_name(label: &QuantityLabel) -> String {
    format!("{}.{}", label.owner, label.name)
}

fn known(names: &[&str]) -> String {
    const SHOWN: usize = 20;
    if names.is_empty() {
        return "none".to_owned();
    }
    let mut text = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<QuantityLabel> {
        [("rod", "x"), ("rod", "stop.gap"), ("rod2", "x"), ("joint", "force")]
            .map(|(owner, name)| QuantityLabel {
                owner: owner.into(),
                name: name.into(),
                unit: String::new(),
            })
            .to_vec()
    }

    #[test]
    fn star_is_everything() {
        assert_eq!(Selection::everything().indices(&labels()), Ok(vec![0, 1, 2, 3]));
        assert_eq!(Selection::everything().indices(&[]), Ok(vec![]));
    }

    #[test]
    fn a_whole_subsystem_is_not_its_namesake() {
        assert_eq!(Selection::new(["rod.*"]).indices(&labels()), Ok(vec![0, 1]));
        assert_eq!(Selection::new(["rod.stop.*"]).indices(&labels()), Ok(vec![1]));
    }

    #[test]
    fn order_is_that_of_the_model_and_duplicates_count_once() {
        assert_eq!(Selection::new(["joint.force", "rod.x", "rod.x"]).indices(&labels()), Ok(vec![0, 3]));
    }

    #[test]
    fn unknown_quantity_names_pattern_and_choice() {
        let error = Selection::new(["rod.x", "rod.y"]).indices(&labels()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no quantity matches `rod.y`: the run has `rod.x`, `rod.stop.gap`, `rod2.x`, `joint.force`"
        );
        assert!(Selection::new(["ro*"]).indices(&labels()).is_err());
    }
}
