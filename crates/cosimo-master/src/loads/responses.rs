//! Which rows need a response, and which sources tangents of their loads.

use super::Loads;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::affine_model::AffineModel;
use crate::loads::history::LoadHistory;
use crate::topology::Topology;

/// Says to the subsystems on which loads act which of their rows need a response, and to those whose stages see moves to report theirs.
pub(crate) fn limit_responses(topology: &Topology, subsystems: &mut Subsystems, loads: &LoadHistory) {
    for (i, layout) in topology.subsystems.iter().enumerate() {
        set_active_rows(topology, subsystems, (i, loads));
        if layout.sees_moves {
            subsystems.all[i].report_moves(true);
        }
    }
}

/// Says to a subsystem which of its rows need a response, unless all always do.
pub(crate) fn set_active_rows(
    topology: &Topology,
    subsystems: &mut Subsystems,
    (i, loads): (usize, &LoadHistory),
) {
    if topology.subsystems[i].is_loaded() {
        let needed = topology.needed_responses(i, |source| loads.enters(source));
        subsystems.all[i].set_active_rows(&needed);
    }
}

impl Loads {
    /// Takes up what is decided of the tangents of loads: sources give those that enter, and their bodies the response of all rows.
    pub(crate) fn take_up_tangents(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        models: &mut [AffineModel],
    ) {
        let Self { history, exchange } = self;
        if history.enters.is_none() {
            return;
        }
        for (s, source) in
            topology.load_sources.iter().enumerate().filter(|(_, source)| source.gives_tangents)
        {
            let needed = vec![history.enters(s); source.coordinates.len()];
            subsystems.all[source.subsystem].set_active_rows(&needed);
            exchange.forget_tangents(s);
        }
        for (i, model) in models.iter_mut().enumerate() {
            let takes = topology.is_loaded_by(i, |source| history.enters(source));
            if takes != model.loads.is_some() {
                set_active_rows(topology, subsystems, (i, history));
                model.take_load_tangents(takes);
            }
        }
    }
}
