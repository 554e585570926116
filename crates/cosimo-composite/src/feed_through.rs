//! Which open inputs reach an output at once: through the signals of a model, as its subsystems declare their feed-through.

use std::collections::BTreeSet;

use cosimo_master::Connection;
use cosimo_subsystem::Description;

use crate::enclose::OpenInput;

/// The signals of a model as a graph: outputs lead back to inputs by their feed-through, inputs to outputs by connections.
#[derive(Debug, Clone, Copy)]
pub struct SignalGraph<'a> {
    /// The subsystems.
    pub subsystems: &'a [&'a Description],
    /// What feeds what.
    pub connections: &'a [Connection],
    /// The inputs that nothing feeds.
    pub inputs: &'a [OpenInput],
}

impl SignalGraph<'_> {
    /// The open inputs, by their places and ascending, that an output depends on at once. None of what is no output.
    #[must_use]
    pub fn reaching(&self, subsystem: &str, output: &str) -> Vec<usize> {
        let mut reached = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![(subsystem.to_owned(), output.to_owned())];
        while let Some((owner, name)) = open.pop() {
            let Some(at) = self.subsystems.iter().find(|own| own.name == owner) else { continue };
            let Some(output) = at.outputs.iter().find(|own| own.name == name) else { continue };
            if !seen.insert((owner.clone(), name)) {
                continue;
            }
            for input in output.feed_through.iter().filter_map(|input| at.inputs.get(*input)) {
                let is_own = |other: &OpenInput| other.subsystem == owner && other.name == input.name;
                reached.extend(self.inputs.iter().position(is_own));
                let to = (owner.clone(), input.name.clone());
                open.extend(self.connections.iter().filter(|own| own.to == to).map(|own| own.from.clone()));
            }
        }
        reached.into_iter().collect()
    }
}
