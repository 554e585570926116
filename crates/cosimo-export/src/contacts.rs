//! Contacts that a unit can leave to its host: their gaps and slips as ports of one coordinate each.

use cosimo_master::Master;
use cosimo_mechanics::{ContactLaw, ImpactLaw};
use cosimo_subsystem::{ContactSpec, Description, PortSpec, Subsystem, pass_on};

/// A contact of a subsystem by its rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenContact {
    /// Index of the subsystem, and its name.
    pub(crate) subsystem: usize,
    pub(crate) owner: String,
    pub(crate) name: String,
    /// Row of the gap, and those of the slips.
    pub(crate) gap: usize,
    pub(crate) slips: Vec<usize>,
    /// Coefficient of restitution, and that of friction where there is some (–).
    pub(crate) restitution: f64,
    pub(crate) friction: Option<f64>,
}

impl OpenContact {
    /// Its rows: the gap, then the slips.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        [self.gap].into_iter().chain(self.slips.iter().copied())
    }
}

/// All contacts of a model, if a host can carry every one of them; else none.
pub(crate) fn open_contacts(master: &Master) -> Vec<OpenContact> {
    let mut found = Vec::new();
    for (index, subsystem) in master.subsystems().iter().enumerate() {
        let description = subsystem.description();
        if description.contacts.is_empty() {
            continue;
        }
        let rows = subsystem.rows();
        let moves_by_itself = !rows.surface_velocities.is_empty();
        if !description.pools.is_empty() || !rows.absent.is_empty() || moves_by_itself {
            return Vec::new();
        }
        let mut slip = description.port_rows() + description.contacts.len();
        for (k, contact) in description.contacts.iter().enumerate() {
            if !is_plain(contact) {
                return Vec::new();
            }
            let slips = (slip..slip + contact.slips()).collect::<Vec<_>>();
            slip += slips.len();
            found.push(OpenContact {
                subsystem: index,
                owner: description.name.clone(),
                name: contact.name.clone(),
                gap: description.port_rows() + k,
                slips,
                restitution: contact.law.restitution,
                friction: (contact.slips() > 0).then_some(contact.law.friction),
            });
        }
    }
    found
}

/// Whether a contact is that of Newton's restitution and Coulomb's friction, all of which two numbers tell.
fn is_plain(contact: &ContactSpec) -> bool {
    let ContactLaw { static_friction, tangential_restitution, impact, facets, .. } = contact.law;
    let is_coulomb = static_friction.is_none() && tangential_restitution == 0.0 && facets.is_none();
    impact == ImpactLaw::Newton && !contact.law.is_captured() && (is_coulomb || contact.slips() == 0)
}

/// Name of the port that a row of a contact becomes.
pub(crate) fn port_of(row: usize) -> String {
    format!("contact row {row}")
}

/// A subsystem whose contacts somebody else carries: their rows are ports.
pub(crate) struct LooseContacts {
    inner: Box<dyn Subsystem>,
    description: Description,
}

impl LooseContacts {
    pub(crate) fn new(inner: Box<dyn Subsystem>) -> Self {
        let mut description = inner.description().clone();
        let rows = description.port_rows()..description.rows();
        description.contacts.clear();
        description.ports.extend(rows.map(|row| PortSpec::new(port_of(row), 1)));
        Self { inner, description }
    }
}

impl Subsystem for LooseContacts {
    pass_on!(inner: rows, energy, set_active_rows, report_moves, begin, begin_predicted);
    pass_on!(inner: evaluate, evaluate_rows);
    pass_on!(inner: respond, commit, discard, prepare_jump, jump, project_positions, set_inputs, outputs, observe);
    pass_on!(inner: save, restore, statistics, remote_cost, prefetch, is_asynchronous);

    fn description(&self) -> &Description {
        &self.description
    }
}
