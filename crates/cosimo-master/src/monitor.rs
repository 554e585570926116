//! The energy monitor: what the coupling creates or loses, interface by interface and step by step.
//!
//! For a joint with the forces as each side takes them (their means `F` over the step) and the displacements `Δz` as
//! each side sees them,
//!
//! ```text
//!   ε = F_a·Δz_a + F_b·Δz_b + Δ(½ gᵀ k g) + h ġ_mᵀ d ġ_m       ġ_m = Δg / h
//! ```
//!
//! is the energy that the joint created: work done on the subsystems, what its spring stored and its dashpot took
//! out, none of which came from anywhere. It is zero to round-off for a compliant joint between two θ = ½ rules.

use cosimo_subsystem::{Ledger, Subsystem};

use crate::condensation::Condensation;
use crate::layout::{Joint, Layout};
use crate::master::StepRows;
use crate::{EnergyBalance, InterfaceLaw};

/// Energies summed over a run (J).
#[derive(Debug)]
pub(crate) struct Monitor {
    start: f64,
    total: f64,
    contact: f64,
    external: f64,
    dissipated: f64,
    joint_energy: Vec<f64>,
    joint_created: Vec<f64>,
    joint_dissipated: Vec<f64>,
    numerical: Vec<f64>,
    subsystem_energy: Vec<f64>,
}

impl Monitor {
    pub(crate) fn new(layout: &Layout) -> Self {
        let joints = vec![0.0; layout.joints.len()];
        Self {
            start: 0.0,
            total: 0.0,
            contact: 0.0,
            external: 0.0,
            dissipated: 0.0,
            joint_energy: joints.clone(),
            joint_created: joints.clone(),
            joint_dissipated: joints,
            numerical: vec![0.0; layout.members.len()],
            subsystem_energy: vec![0.0; layout.members.len()],
        }
    }

    /// Takes the energy of the initial state.
    pub(crate) fn start(&mut self, layout: &Layout, rows: &StepRows, subsystems: &[Box<dyn Subsystem>]) {
        for (energy, subsystem) in self.subsystem_energy.iter_mut().zip(subsystems) {
            *energy = subsystem.energy().total();
        }
        for (energy, joint) in self.joint_energy.iter_mut().zip(&layout.joints) {
            *energy = spring_energy(joint, &rows.start_positions);
        }
        self.start = self.subsystem_energy.iter().sum::<f64>() + self.joint_energy.iter().sum::<f64>();
        self.total = self.start;
    }

    /// Books what the joints did in the step whose end rows, before impulses inside it, stand in `rows`.
    pub(crate) fn book_joints(&mut self, layout: &Layout, condensation: &Condensation, rows: &StepRows, h: f64) {
        for (j, (joint, row)) in layout.joints.iter().zip(&condensation.rows).enumerate() {
            let mut work = 0.0;
            for (side, own) in joint.sides.iter().enumerate() {
                let weights = layout.members[own.subsystem].weights;
                let takes_means = ((weights.end + weights.start) / h - 1.0).abs() < 1e-12;
                for k in 0..joint.size {
                    let unknown = joint.first + k;
                    let start = rows.start_forces[unknown];
                    let impulse = row.share[side] * rows.unknowns[unknown] + row.start[side] * start;
                    let mean = if takes_means { impulse / h } else { 0.5 * (start + impulse / weights.end) };
                    let moved = rows.end_positions[own.global_row + k] - rows.start_positions[own.global_row + k];
                    work -= own.sign * mean * moved;
                }
            }
            let stored = spring_energy(joint, &rows.end_positions) - self.joint_energy[j];
            let dissipated = dashpot_loss(joint, rows, h);
            self.joint_created[j] += work + stored + dissipated;
            self.joint_dissipated[j] += dissipated;
            self.dissipated += dissipated;
        }
    }

    /// Books the ledger of a subsystem's committed step.
    pub(crate) fn book_subsystem(&mut self, index: usize, ledger: &Ledger) {
        self.subsystem_energy[index] = ledger.energy.total();
        self.numerical[index] += ledger.numerical;
        self.external += ledger.external_work;
        self.dissipated += ledger.dissipated;
    }

    /// Closes the step: contact work and the energy stored in the joints at the new communication point.
    pub(crate) fn close_step(&mut self, layout: &Layout, rows: &StepRows, contact_work: f64) {
        self.contact += contact_work;
        for (energy, joint) in self.joint_energy.iter_mut().zip(&layout.joints) {
            *energy = spring_energy(joint, &rows.start_positions);
        }
        self.total = self.subsystem_energy.iter().sum::<f64>() + self.joint_energy.iter().sum::<f64>();
    }

    /// The energy balance so far.
    pub(crate) fn balance(&self) -> EnergyBalance {
        let interfaces = self.joint_created.iter().sum();
        let monitor_sum = self.total - self.start - self.contact - self.external + self.dissipated;
        EnergyBalance {
            start: self.start,
            end: self.total,
            contact: self.contact,
            external: self.external,
            dissipated: self.dissipated,
            interfaces,
            subsystems: monitor_sum - interfaces,
            monitor_sum,
        }
    }

    pub(crate) fn joint(&self, index: usize) -> (f64, f64) {
        (self.joint_created[index], self.joint_dissipated[index])
    }

    pub(crate) fn subsystem(&self, index: usize) -> f64 {
        self.numerical[index]
    }

    /// Books a velocity jump at a communication point, by the change of the subsystems' energies.
    pub(crate) fn book_jump(&mut self, subsystems: &[Box<dyn Subsystem>]) {
        for (energy, subsystem) in self.subsystem_energy.iter_mut().zip(subsystems) {
            *energy = subsystem.energy().total();
        }
    }
}

fn spring_energy(joint: &Joint, positions: &[f64]) -> f64 {
    let InterfaceLaw::Compliant { stiffness, .. } = &joint.law else { return 0.0 };
    let gap = |k: usize| joint.gap(k, positions);
    let row = |k: usize| (0..joint.size).map(|l| stiffness[(k, l)] * gap(l)).sum::<f64>() * gap(k);
    0.5 * (0..joint.size).map(row).sum::<f64>()
}

fn dashpot_loss(joint: &Joint, rows: &StepRows, h: f64) -> f64 {
    let InterfaceLaw::Compliant { damping, .. } = &joint.law else { return 0.0 };
    let moved = |k: usize| joint.difference(k, &rows.end_positions) - joint.difference(k, &rows.start_positions);
    let row = |k: usize| (0..joint.size).map(|l| damping[(k, l)] * moved(l)).sum::<f64>() * moved(k);
    (0..joint.size).map(row).sum::<f64>() / h
}
