//! Which step would do: advice, where a run creates energy because its step is too large for what moves fast.
//!
//! The rate of a compliant interface is that of its spring or dashpot with the masses that its ports feel,
//!
//! ```text
//!   ω = max( √(k w), d w )        w = W_a + W_b
//! ```
//!
//! and that of a subsystem follows from the inverse masses of its rows for steps of no size, `W₀`, and of size `h`, where its
//! own springs take part,
//!
//! ```text
//!   W₀/W_h = 1 + (ω h/2)²
//! ```

use cosimo_subsystem::{RowMatrix, Subsystem};

use super::watch::Place;
use crate::InterfaceLaw;
use crate::execution::coupling_mode::CouplingMode;
use crate::execution::faults::guarded;
use crate::linearisation::affine_model::AffineModel;
use crate::time::part::INSTANT;
use crate::topology::Topology;
use crate::topology::joint::{Joint, Side};

/// `ωh` above which the step is what creates energy.
const COARSE: f64 = 0.1;
/// `ωh` of the step that is advised: an impact without losses then creates a thousandth of the energy of the mass that hits,
/// and some dozens of them stay below a hundredth of that at stake.
const FINE: f64 = 0.05;

/// Inverse masses (1/kg) of a subsystem's rows: of the masses alone, and for steps of the current size.
struct InverseMasses {
    of_masses: RowMatrix,
    of_step: RowMatrix,
}

/// Whom to ask for advice on the step.
pub(crate) struct Advice<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) subsystems: &'a mut [Box<dyn Subsystem>],
    pub(crate) modes: &'a [CouplingMode],
    pub(crate) models: &'a mut [AffineModel],
}

impl Advice<'_> {
    /// What to do where steps of size `h` (s) have created energy at this place.
    pub(super) fn on_step(&mut self, place: Place, h: f64) -> String {
        let fastest = self.fastest_near(place, h).filter(|(_, rate)| rate * h > COARSE);
        match fastest {
            Some((name, rate)) => format!(
                "the step of {h:e} s is too large for {name}, where ωh = {:.2} by an estimate: steps of {:.1e} s would do",
                rate * h,
                FINE / rate
            ),
            None if matches!(place, Place::InnerContacts(_)) => {
                "use a smaller step, or an integrator that dissipates".to_owned()
            }
            None => "use a smaller step".to_owned(),
        }
    }

    /// The largest rate (1/s) of the interfaces and subsystems that act on a place, and where it is.
    fn fastest_near(&mut self, place: Place, h: f64) -> Option<(String, f64)> {
        let topology = self.topology;
        let members = &topology.subsystems;
        let cluster = match place {
            Place::Joint(j) => Some(topology.interface_cluster(j)),
            Place::Integration(i) | Place::InnerContacts(i) => Some(members[i].cluster),
            Place::Contact(c) => Some(members[topology.contacts[c].subsystem].cluster),
            Place::Loads | Place::Run => None,
        };
        let is_near = |subsystem: usize| cluster.is_none_or(|own| members[subsystem].cluster == own);
        let inverse_masses: Vec<Option<InverseMasses>> = (0..members.len())
            .map(|i| if is_near(i) { self.inverse_masses_of(i, h) } else { None })
            .collect();
        let of_subsystem = |(i, found): (usize, &Option<InverseMasses>)| {
            let rate = found.as_ref()?.rate(h);
            Some((format!("subsystem `{}`", members[i].name), rate))
        };
        let of_joint = |joint: &Joint| {
            Some((format!("interface `{}`", joint.name), rate_of_joint(joint, &inverse_masses)?))
        };
        let subsystems = inverse_masses.iter().enumerate().filter_map(of_subsystem);
        let joints = topology.joints.iter().filter_map(of_joint);
        joints.chain(subsystems).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Inverse masses of a subsystem that reports them, at the present communication point.
    fn inverse_masses_of(&mut self, i: usize, h: f64) -> Option<InverseMasses> {
        let subsystem = &mut self.subsystems[i];
        if self.modes[i] != CouplingMode::Exact || !subsystem.description().capabilities.takes_impulses {
            return None;
        }
        let mut prepare = |size| {
            let name = &self.topology.subsystems[i].name;
            guarded(subsystem.as_mut(), name, |subsystem| Ok(subsystem.prepare_jump(size)?.clone())).ok()
        };
        let found = Some(InverseMasses { of_masses: prepare(INSTANT)?, of_step: prepare(h)? });
        self.models[i].revision = None;
        found
    }
}

fn rate_of_joint(joint: &Joint, inverse_masses: &[Option<InverseMasses>]) -> Option<f64> {
    let InterfaceLaw::Compliant { stiffness, damping } = &joint.law else { return None };
    let inverse_mass = |k: usize| {
        let of_side = |side: &Side| {
            let found = inverse_masses[side.subsystem].as_ref();
            found.map_or(0.0, |found| found.of_masses[(side.row + k, side.row + k)])
        };
        joint.sides.iter().map(of_side).sum::<f64>()
    };
    let rate = |k: usize| {
        let w = inverse_mass(k);
        (stiffness[(k, k)] * w).sqrt().max(damping[(k, k)] * w)
    };
    (0..joint.size).map(rate).max_by(f64::total_cmp)
}

impl InverseMasses {
    /// The largest rate (1/s) that the rows feel, from steps of size `h` (s).
    fn rate(&self, h: f64) -> f64 {
        let ratios = (0..self.of_step.shape().0).map(|k| self.of_masses[(k, k)] / self.of_step[(k, k)]);
        let stiffening = ratios.filter(|ratio| ratio.is_finite()).fold(1.0, f64::max);
        2.0 / h * (stiffening - 1.0).sqrt()
    }
}
