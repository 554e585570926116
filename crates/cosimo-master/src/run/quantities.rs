//! What a run can record: quantities and outputs of subsystems, contacts and interfaces.

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::Description;
use cosimo_subsystem::scene::{Scene, Sight};
use thiserror::Error;

use super::observer::{Observer, QuantityLabel};
use super::report::{Outcome, RunReport};
use super::sight;
use crate::master::Master;
use crate::topology::check::CONTACTS;

/// A slice for the values of quantities that has another length than there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "there is room for {found} values, there are {expected} quantities: take as many as there are labels"
)]
pub struct ObserveError {
    /// Number of quantities.
    pub expected: usize,
    /// Length of the slice.
    pub found: usize,
}

/// What is shown of a pool of contacts: how many are closed, and the sum of their normal forces.
const OF_POOL: [(&str, &str); 2] = [("touching", ""), ("force", "N")];

/// The contacts that are in no pool.
fn listed(description: &Description) -> impl Iterator<Item = usize> + '_ {
    (0..description.contacts.len()).filter(|contact| description.pool_of(*contact).is_none())
}

impl Master {
    /// Labels of all quantities: those of the subsystems, their outputs of other names, force, status and impulses of their contacts, of
    /// pools of contacts how many touch and the sum of their normal forces; of the joints forces, gaps
    /// and impulses, and the iterations, the residual and the energy created (J) of the last macro step; of load interfaces the
    /// loads on the body and the energy created; of all contacts together the relative residual with which the last macro step was left (–).
    #[must_use]
    pub fn labels(&self) -> Vec<QuantityLabel> {
        let mut labels = Vec::new();
        let mut push = |owner: &str, name: String, unit: &str| {
            labels.push(QuantityLabel { owner: owner.to_owned(), name, unit: unit.to_owned() });
        };
        for (i, subsystem) in self.sim.subsystems.all.iter().enumerate() {
            let description = subsystem.description();
            for quantity in &description.quantities {
                push(&description.name, quantity.name.clone(), &quantity.unit);
            }
            for (_, name, unit) in self.sim.topology.signals.shown(i) {
                push(&description.name, name.to_owned(), unit);
            }
            for contact in listed(description) {
                let contact = &description.contacts[contact];
                for (name, unit) in [("force", "N"), ("status", ""), ("impulse", "N s")] {
                    push(&description.name, format!("{}.{name}", contact.name), unit);
                }
                for name in contact.slip_names("friction") {
                    push(&description.name, format!("{}.{name}", contact.name), "N s");
                }
            }
            for pool in &description.pools {
                for (name, unit) in OF_POOL {
                    push(&description.name, format!("{}.{name}", pool.name), unit);
                }
            }
        }
        for joint in &self.sim.topology.joints {
            for (name, plain) in [("force", "N"), ("gap", "m"), ("impulse", "N s")] {
                for k in 0..joint.size {
                    let unit = match (name, joint.frame.is_some() && k >= 3) {
                        ("force", true) => "N m",
                        ("gap", true) => "rad",
                        (_, true) => "N m s",
                        _ => plain,
                    };
                    let name = if joint.size == 1 { name.to_owned() } else { format!("{name}_{k}") };
                    push(&joint.name, name, unit);
                }
            }
            for (name, unit) in [("iterations", ""), ("residual", ""), ("created", "J")] {
                push(&joint.name, name.to_owned(), unit);
            }
        }
        for joint in &self.sim.topology.load_joints {
            for k in 0..joint.size {
                let unit = if joint.frames.is_some() && k >= 3 { "N m" } else { "N" };
                let name = if joint.size == 1 { "force".to_owned() } else { format!("force_{k}") };
                push(&joint.name, name, unit);
            }
            push(&joint.name, "created".to_owned(), "J");
        }
        if !self.sim.topology.contacts.is_empty() {
            push(CONTACTS, "residual".to_owned(), "");
        }
        labels
    }

    /// What the model looks like: the bodies of all subsystems, in the order of the subsystems.
    #[must_use]
    pub fn scene(&self) -> Scene {
        sight::scene(self)
    }

    /// Writes where the bodies of the [`scene`](Self::scene) are at the present communication point, and the forces of contacts. Poses
    /// of a subsystem that has panicked, or that cannot be asked, are NaN.
    pub fn look(&self, out: &mut Sight) {
        sight::look(self, &mut Vec::new(), &mut Sight::default(), out);
    }

    /// Writes the present values in the order of [`labels`](Self::labels); those of a subsystem that has panicked are not
    /// known, NaN.
    ///
    /// # Errors
    /// Another number of values than of labels.
    pub fn observe(&self, out: &mut [f64]) -> Result<(), ObserveError> {
        let expected = self.quantity_count();
        if out.len() != expected {
            return Err(ObserveError { expected, found: out.len() });
        }
        self.write_quantities(out);
        Ok(())
    }

    /// Shows an observer what happened at the contacts in the last macro step, for a program that takes its steps itself.
    pub fn show_events(&self, observer: &mut dyn Observer) {
        super::show_events(self, observer);
    }

    /// The numbers of the run so far, for a program that takes its steps itself: how it says that the run ended, and the wall time (s) that it took.
    #[must_use]
    pub fn report(&self, outcome: Outcome, wall_seconds: f64) -> RunReport {
        super::report(self, outcome, wall_seconds)
    }

    /// As many as there are labels.
    fn quantity_count(&self) -> usize {
        let joints = self.sim.topology.joints.iter().map(|joint| 3 * joint.size + 3);
        let loads = self.sim.topology.load_joints.iter().map(|joint| joint.size + 1);
        let mut count: usize = joints.chain(loads).sum();
        count += usize::from(!self.sim.topology.contacts.is_empty());
        for (i, (layout, subsystem)) in
            self.sim.topology.subsystems.iter().zip(&self.sim.subsystems.all).enumerate()
        {
            let (contacts, description) =
                (&self.sim.topology.contacts[layout.contacts.clone()], subsystem.description());
            count += description.quantities.len() + self.sim.topology.signals.shown(i).count();
            count += listed(description).map(|contact| 2 + contacts[contact].rows().count()).sum::<usize>();
            count += OF_POOL.len() * description.pools.len();
        }
        count
    }

    /// Writes the values into a slice of the right length.
    pub(crate) fn write_quantities(&self, out: &mut [f64]) {
        let mut next = 0;
        let model = self.sim.linearisation.of(&self.sim.topology);
        for (i, (layout, subsystem)) in
            self.sim.topology.subsystems.iter().zip(&self.sim.subsystems.all).enumerate()
        {
            let count = subsystem.description().quantities.len();
            let own = &mut out[next..next + count];
            if self.sim.subsystems.has_panicked(i) {
                own.fill(f64::NAN)
            } else {
                subsystem.observe(own)
            }
            next += count;
            for (output, ..) in self.sim.topology.signals.shown(i) {
                out[next] = self.sim.signals.state.outputs[output];
                next += 1;
            }
            for number in listed(subsystem.description()) {
                let number = layout.contacts.start + number;
                let (contact, memory) =
                    (&self.sim.topology.contacts[number], &self.sim.contacts.state.memory[number]);
                out[next..next + 2].copy_from_slice(&[memory.load, memory.status()]);
                next += 2;
                for row in contact.rows() {
                    out[next] = self.sim.contacts.state.impulses[row];
                    next += 1;
                }
            }
            let memories = &self.sim.contacts.state.memory[layout.contacts.clone()];
            for pool in &subsystem.description().pools {
                let touching = memories[pool.contacts.clone()].iter().filter(|memory| memory.is_closed());
                let sum = |[count, force]: [f64; 2], own: &ContactMemory| [count + 1.0, force + own.load];
                out[next..next + OF_POOL.len()].copy_from_slice(&touching.fold([0.0; 2], sum));
                next += OF_POOL.len();
            }
        }
        for (j, joint) in self.sim.topology.joints.iter().enumerate() {
            for k in 0..joint.size {
                out[next + k] = self.sim.joints.end[joint.first + k];
                out[next + joint.size + k] = model.present_gap(joint, k, &self.sim.rows.start_positions);
                out[next + 2 * joint.size + k] = self.sim.joints.impulses[joint.first + k];
            }
            next += 3 * joint.size;
            let tally = self.sim.counters.interfaces.of_step(j);
            let created = self.sim.energy.monitor.created_in_step(j);
            out[next..next + 3].copy_from_slice(&[tally.iterations as f64, tally.residual, created]);
            next += 3;
        }
        for (index, joint) in self.sim.topology.load_joints.iter().enumerate() {
            out[next..next + joint.size]
                .copy_from_slice(&self.sim.loads.history.present[joint.coordinates()]);
            out[next + joint.size] =
                self.sim.energy.monitor.created_in_step(self.sim.topology.joints.len() + index);
            next += joint.size + 1;
        }
        if !self.sim.topology.contacts.is_empty() {
            out[next] = self.sim.contacts.residual;
        }
    }
}
