//! Clusters of which only near contacts are taken, and what those see of a step.

use cosimo_nonsmooth::{ContactLaws, ContactRows};

use crate::rows::StepRows;
use crate::topology::subsystem::SubsystemLayout;
use crate::topology::{Cluster, Topology};
use crate::{Scheme, Tangent};

/// Contacts of a subsystem below which all take part in every step: to choose among them costs more than it saves.
const FEW: usize = 4;

/// What the near contacts of a cluster see of a step.
#[derive(Debug)]
pub(crate) struct NearRows {
    laws: ContactLaws,
    start_gaps: Vec<f64>,
    start_rates: Vec<f64>,
    lengths: Vec<f64>,
    speeds: Vec<f64>,
    end_gaps: Vec<f64>,
    end_rates: Vec<f64>,
}

impl NearRows {
    /// Room for these contacts, with so many rows.
    pub(crate) fn new(topology: &Topology, contacts: &[usize], rows: usize) -> Self {
        let law = |contact: &usize| (*topology.law(*contact), topology.contacts[*contact].slips.len());
        let (gaps, rates) = (vec![0.0; contacts.len()], vec![0.0; rows]);
        Self {
            laws: ContactLaws::new(contacts.iter().map(law)),
            start_gaps: gaps.clone(),
            lengths: gaps.clone(),
            speeds: gaps.clone(),
            start_rates: rates.clone(),
            end_gaps: gaps,
            end_rates: rates,
        }
    }

    /// What they see, among `all` contact rows of their cluster.
    pub(crate) fn among<'a>(&'a self, all: ContactRows<'a>) -> ContactRows<'a> {
        ContactRows {
            start_gaps: &self.start_gaps,
            start_rates: &self.start_rates,
            lengths: &self.lengths,
            speeds: &self.speeds,
            end_gaps: &self.end_gaps,
            end_rates: &self.end_rates,
            laws: &self.laws,
            ..all
        }
    }

    /// Takes what belongs to these contacts and contact rows.
    pub(crate) fn gather(&mut self, rows: &StepRows, contacts: &[usize], contact_rows: &[usize]) {
        pick(&rows.start_gaps, contacts, &mut self.start_gaps);
        pick(&rows.lengths, contacts, &mut self.lengths);
        pick(&rows.speeds, contacts, &mut self.speeds);
        pick(&rows.end_gaps, contacts, &mut self.end_gaps);
        pick(&rows.start_rates, contact_rows, &mut self.start_rates);
        pick(&rows.end_rates, contact_rows, &mut self.end_rates);
    }
}

fn pick(from: &[f64], places: &[usize], to: &mut [f64]) {
    to.iter_mut().zip(places).for_each(|(to, place)| *to = from[*place]);
}

/// Whether far contacts of this subsystem are left out.
pub(super) fn leaves_out(topology: &Topology, layout: &SubsystemLayout) -> bool {
    topology.config.scheme == Scheme::Condensed
        && topology.config.tangent != Tangent::Frozen
        && !layout.is_declared_affine
        && !layout.is_loaded()
        && layout.contacts.len() >= FEW
}

/// Whether far contacts of any subsystem of a cluster are left out.
pub(crate) fn is_selective(topology: &Topology, cluster: &Cluster) -> bool {
    cluster.members.iter().any(|&i| leaves_out(topology, &topology.subsystems[i]))
}
