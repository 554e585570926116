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

mod readings;

use cosimo_mechanics::StepEnergy;
use cosimo_nonsmooth::ContactSolution;
use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use super::dashpots::{dashpot_loss, loss_inside, loss_of_way, quadratic_form};
use super::inner_impulses::InnerLoss;
use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::laws::coordinate::JointCoordinate;
use crate::linearisation::{LinearisedModel, mean_force, takes_means};
use crate::rows::StepRows;
use crate::topology::joint::Joint;
use crate::topology::{Cluster, Topology};

/// What a joint does in a step (J).
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointBalance {
    /// Energy that it creates.
    pub(crate) created: f64,
    /// Work that it does on its two sides.
    work: f64,
    /// The same of each side, without sign.
    pub(crate) passed: f64,
    /// Energy stored in its spring at the end.
    stored: f64,
    /// Energy that its dashpot takes out.
    dissipated: f64,
    /// Work on each side where its end is moved, a part of the work.
    on_moves: [f64; 2],
}

/// A step of size `h` (s) whose end rows, before impulses inside it, stand in `rows`.
#[derive(Clone, Copy)]
pub(crate) struct JointWork<'a> {
    pub(crate) model: LinearisedModel<'a>,
    pub(crate) condensation: &'a Condensation,
    pub(crate) rows: &'a StepRows,
    pub(crate) h: f64,
    /// Whether an iteration between the subsystems may leave each side with forces of its own.
    pub(crate) takes_loads: bool,
}

/// What a joint has created and taken out over a run (J).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JointEnergies {
    pub(crate) created: f64,
    pub(crate) dissipated: f64,
}

/// Energies summed over a run (J).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Monitor {
    start: f64,
    contact: f64,
    external: f64,
    dissipated: f64,
    joint_energy: Vec<f64>,
    joint_created: Vec<f64>,
    joint_dissipated: Vec<f64>,
    /// Of every joint, what it created in the current macro step, and the most in one macro step.
    step_created: Vec<f64>,
    step_passed: Vec<f64>,
    most_created: Vec<f64>,
    /// Energy that each subsystem's time integration created, impulses inside steps not counted.
    numerical: Vec<f64>,
    /// Work of each subsystem's contacts that the master does not see.
    inner_contacts: Vec<f64>,
    /// All of it together, and whether there is any.
    inner_contact_work: f64,
    has_inner_contacts: bool,
    /// Work of obstacles that move by themselves, and of prescribed motions at impacts: a part of the external work.
    driven: f64,
    /// Energy change by contacts, and by impulses inside steps, of subsystems and springs.
    impulses: f64,
    subsystem_energy: Vec<f64>,
}

impl Monitor {
    /// Energy of the subsystems and of the springs of the interfaces (J).
    pub(crate) fn total(&self) -> f64 {
        self.subsystem_energy.iter().sum::<f64>() + self.joint_energy.iter().sum::<f64>()
    }

    /// What impulses did to the subsystems beyond the work of the impact law (J): it is made by the superposition on steps.
    pub(crate) fn by_impulses(&self) -> f64 {
        self.impulses - self.contact - self.driven
    }

    /// Work of loads over time and of prescribed motions (J).
    pub(crate) fn external(&self) -> f64 {
        self.external
    }

    /// What dampers and contacts have taken out (J).
    pub(crate) fn taken_out(&self) -> f64 {
        self.dissipated - self.contact
    }

    pub(crate) fn new(topology: &Topology) -> Self {
        let joints = vec![0.0; topology.interfaces()];
        Self {
            start: 0.0,
            contact: 0.0,
            external: 0.0,
            driven: 0.0,
            dissipated: 0.0,
            joint_energy: joints.clone(),
            joint_created: joints.clone(),
            joint_dissipated: joints.clone(),
            step_created: joints.clone(),
            step_passed: joints.clone(),
            most_created: joints,
            numerical: vec![0.0; topology.subsystems.len()],
            inner_contacts: vec![0.0; topology.subsystems.len()],
            inner_contact_work: 0.0,
            has_inner_contacts: false,
            impulses: 0.0,
            subsystem_energy: vec![0.0; topology.subsystems.len()],
        }
    }

    /// Begins a macro step.
    pub(crate) fn begin_step(&mut self) {
        self.step_created.fill(0.0);
        self.step_passed.fill(0.0);
    }

    /// Ends a macro step.
    pub(crate) fn end_step(&mut self) {
        for (most, created) in self.most_created.iter_mut().zip(&self.step_created) {
            *most = most.max(*created);
        }
    }

    /// Takes the energy of the initial state.
    pub(crate) fn start(
        &mut self,
        model: LinearisedModel<'_>,
        rows: &StepRows,
        subsystems: &[Box<dyn Subsystem>],
    ) {
        for (energy, subsystem) in self.subsystem_energy.iter_mut().zip(subsystems) {
            *energy = subsystem.energy().total();
        }
        for (energy, joint) in self.joint_energy.iter_mut().zip(&model.topology.joints) {
            *energy = stored_energy(model, joint, rows);
        }
        self.start = self.total();
    }

    /// Accounts for what the joints did in a step. The forces are those of the unknowns or, of an iteration that stopped short
    /// of agreement, those that each side took.
    pub(crate) fn book_joints(&mut self, step: JointWork<'_>) {
        for coordinates in step.condensation.coordinates.chunk_by(|a, b| a.joint() == b.joint()) {
            let (j, balance) = (coordinates[0].joint(), self.of_joint(step, coordinates));
            self.joint_energy[j] = balance.stored;
            self.joint_created[j] += balance.created;
            self.step_created[j] += balance.created;
            self.step_passed[j] += balance.passed;
            self.joint_dissipated[j] += balance.dissipated;
            self.dissipated += balance.dissipated;
            self.impulses -= balance.work;
            let sides = &step.model.topology.joints[j].sides;
            for (side, work) in sides.iter().zip(balance.on_moves) {
                self.numerical[side.subsystem] -= work;
                self.impulses += work;
            }
        }
    }

    /// What the joint with these coordinates does in a step.
    pub(crate) fn of_joint(&self, step: JointWork<'_>, coordinates: &[JointCoordinate]) -> JointBalance {
        let JointWork { model, condensation, rows, h, takes_loads } = step;
        let j = coordinates.first().map_or(0, JointCoordinate::joint);
        let has_couple = model.topology.joints[j].frame.as_ref().is_some_and(|frame| frame.is_compliant);
        // An iteration that stopped short of agreement leaves each side with forces of its own; at a shared port they cannot
        // be distinguished, nor from the couple of a bushing.
        let takes_loads = takes_loads && !model.topology.joints[j].shares_port && !has_couple;
        let joint = &model.topology.joints[j];
        let (mut work, mut passed, mut on_moves) = (0.0, 0.0, [0.0; 2]);
        let is_relaxed = matches!(joint.law, InterfaceLaw::Tikhonov { .. });
        for coordinate in coordinates {
            let weights = &condensation.law(coordinate).weights;
            let start = rows.start_forces[coordinate.unknown()];
            // What impacts pass belongs to the contacts.
            let of_impacts = if is_relaxed { rows.impact_unknowns[coordinate.unknown()] } else { 0.0 };
            for side in 0..2 {
                let (g, sign) = (coordinate.row(side), if side == 0 { 1.0 } else { -1.0 });
                let impulse = if takes_loads {
                    -sign * rows.loads[g]
                } else {
                    weights.impulse(side, rows.unknowns[coordinate.unknown()], start)
                };
                let displacement = rows.end_positions[g] - rows.start_positions[g];
                let moved = match coordinate.passes_impulses
                    && works_by_mean_rate(model, joint.sides[side].subsystem, h)
                {
                    true => 0.5 * h * (rows.start_velocities[g] + rows.end_velocities[g]),
                    false => displacement,
                };
                let force = sign * weights.mean_force(side, impulse - of_impacts, start);
                if is_relaxed {
                    on_moves[side] -= force * rows.moved[g];
                }
                let part = force * moved;
                work -= part;
                passed += part.abs();
            }
        }
        let ends = (rows.start_positions.as_slice(), rows.end_positions.as_slice());
        let (stored, dissipated) = if let InterfaceLaw::Tikhonov { constant } = joint.law {
            let force = |coordinate: &JointCoordinate| {
                let unknown = coordinate.unknown();
                let mean = (rows.unknowns[unknown] - rows.impact_unknowns[unknown]) / h;
                0.5 * (rows.relaxed_forces[unknown] + mean)
            };
            (coordinates.iter().map(|own| 0.5 * constant * force(own) * force(own)).sum(), 0.0)
        } else if coordinates.iter().all(|coordinate| coordinate.is_single) {
            let laws = || coordinates.iter().map(|coordinate| (coordinate, condensation.law(coordinate)));
            let stored = laws().map(|(coordinate, law)| coordinate.spring_energy(law, ends.1)).sum();
            (stored, laws().map(|(coordinate, law)| coordinate.dashpot_loss(law, ends.0, ends.1, h)).sum())
        } else {
            work += couple_work(model, joint, rows, h);
            (spring_energy(model, joint, &rows.end_positions), dashpot_loss(model, joint, rows, h))
        };
        work += on_moves.iter().sum::<f64>();
        let created = work + (stored - self.joint_energy[j]) + dissipated;
        JointBalance { created, work, passed, stored, dissipated, on_moves }
    }

    /// Accounts for the work of obstacles that move by themselves in the step just taken, `−∫ P ∂y/∂t`: at impacts with
    /// their speed at that instant, by the moments of the impulses.
    pub(crate) fn book_obstacles(&mut self, rows: &StepRows, solution: &ContactSolution, h: f64) {
        let [end, start] = &rows.own_rates;
        for (c, (end, start)) in end.iter().zip(start).enumerate() {
            let over_step = 0.5 * (start + end) * solution.sustained[c];
            let (velocity, position) = (&solution.moments.velocity, &solution.moments.position);
            let inside = end * velocity[c] - (end - start) / h * position[c];
            self.drive(-over_step - inside);
        }
    }

    /// Accounts for what remembered loads of contacts did besides their impulses: their work, and that on obstacles that move (J).
    pub(crate) fn book_remembered(&mut self, work: f64, on_obstacles: f64) {
        self.contact += work;
        self.drive(-on_obstacles);
    }

    /// Accounts for external work that impulses have done.
    pub(crate) fn drive(&mut self, work: f64) {
        self.driven += work;
        self.external += work;
    }

    /// Accounts for what a load joint did in a step: the work of the loads on both of its subsystems, which should cancel (J).
    pub(crate) fn book_load(&mut self, interface: usize, [on_body, on_source]: [f64; 2]) {
        let created = on_body + on_source;
        self.joint_created[interface] += created;
        self.step_created[interface] += created;
        self.step_passed[interface] += on_body.abs() + on_source.abs();
        self.impulses -= created;
    }

    /// Accounts for the ledgers of the step that all subsystems have committed.
    #[inline]
    pub(crate) fn book_subsystems<'a>(&mut self, ledgers: impl Iterator<Item = &'a StepEnergy>) {
        ledgers.enumerate().for_each(|(i, ledger)| self.book_subsystem(i, ledger));
    }

    /// Accounts for the ledger of a subsystem's committed step. Of the work of all its loads, ports and contacts, that of the
    /// joints is [theirs](Self::book_joints); what remains is the contacts'. Row by row these cannot be distinguished: a
    /// contact that acts at a joined port passes its load through that port.
    fn book_subsystem(&mut self, index: usize, ledger: &StepEnergy) {
        self.subsystem_energy[index] = ledger.energy.total();
        self.numerical[index] += ledger.numerical;
        self.impulses += ledger.port_work + ledger.contact_work + ledger.jumps + ledger.inner_contacts;
        self.contact += ledger.inner_contacts;
        if ledger.inner_contacts != 0.0 {
            self.inner_contacts[index] += ledger.inner_contacts;
            self.inner_contact_work += ledger.inner_contacts;
            self.has_inner_contacts = true;
        }
        self.external += ledger.external_work;
        self.dissipated += ledger.dissipated;
    }

    /// Accounts for what impulses inside the step of size `h` (s) just taken make the dashpots take out.
    pub(crate) fn book_dashpots(
        &mut self,
        topology: &Topology,
        rows: &StepRows,
        solution: &ContactSolution,
        h: f64,
    ) {
        for (joint, sum) in topology.joints.iter().zip(&mut self.joint_dissipated) {
            let loss = loss_inside(topology, joint, rows, solution, h);
            *sum += loss;
            self.dissipated += loss;
            self.impulses += loss;
        }
    }

    /// Accounts for what damping takes out of impulses in the step just taken more than was counted for them; of that each joint
    /// has the share that it has in what was.
    pub(crate) fn book_inner_loss(
        &mut self,
        topology: &Topology,
        cluster: &Cluster,
        rows: &StepRows,
        loss: InnerLoss,
    ) {
        self.dissipated += loss.difference;
        self.impulses += loss.difference;
        if loss.of_way > 0.0 {
            for &j in &cluster.joints {
                let share = loss_of_way(&topology.joints[j], rows) / loss.of_way;
                self.joint_dissipated[j] += share * loss.difference;
            }
        }
    }

    /// Closes the step: contact work and, where impulses inside the step have moved the ends of the joints, the energy
    /// stored in them at the new communication point. Impacts take energy out, unless Newton's law with friction creates
    /// some; what contacts put in besides, pushing a body that opens already, is made by the scheme.
    pub(crate) fn close_step(
        &mut self,
        model: LinearisedModel<'_>,
        rows: &StepRows,
        solution: &ContactSolution,
    ) {
        let gained: f64 = solution.gains.iter().map(|gain| gain.energy).sum();
        self.contact += (solution.work - gained).min(0.0) + gained;
        if solution.has_moments {
            self.follow_springs(model, rows);
        }
    }

    /// Takes the energy of the springs where impulses inside the step have moved them.
    pub(crate) fn follow_springs(&mut self, model: LinearisedModel<'_>, rows: &StepRows) {
        let springs = self.joint_energy.iter_mut().zip(&model.topology.joints);
        for (energy, joint) in springs.filter(|(_, joint)| !joint.law.passes_impulses()) {
            let after = spring_energy(model, joint, &rows.start_positions);
            self.impulses += after - *energy;
            *energy = after;
        }
    }

    /// Takes the energy of the Tikhonov joints of a cluster where impulses inside the step have moved their ends.
    pub(crate) fn follow_tikhonov_joints(
        &mut self,
        model: LinearisedModel<'_>,
        cluster: usize,
        rows: &StepRows,
    ) {
        for &j in &model.topology.clusters[cluster].joints {
            let joint = &model.topology.joints[j];
            if matches!(joint.law, InterfaceLaw::Tikhonov { .. }) {
                let after = stored_energy(model, joint, rows);
                self.impulses += after - self.joint_energy[j];
                self.joint_energy[j] = after;
            }
        }
    }

    /// Accounts for a velocity jump at a communication point by contact impulses (N s): the change of the subsystems'
    /// energies, of which what moving obstacles and prescribed motions put in is external.
    pub(crate) fn book_jump(&mut self, subsystems: &[Box<dyn Subsystem>], rows: &StepRows, impulses: &[f64]) {
        let work: f64 = rows.own_rates[0].iter().zip(impulses).map(|(own, impulse)| own * impulse).sum();
        self.drive(-work);
        for (energy, subsystem) in self.subsystem_energy.iter_mut().zip(subsystems) {
            let after = subsystem.energy().total();
            self.impulses += after - *energy;
            *energy = after;
        }
    }

    /// Accounts for what somebody outside of the model has done to its state at a communication point, by impulses or other parameters: the change of
    /// the energies of the subsystems is external work.
    pub(crate) fn book_changes_from_outside(&mut self, subsystems: &[Box<dyn Subsystem>]) {
        for (k, subsystem) in subsystems.iter().enumerate() {
            let after = subsystem.energy().total();
            let change = after - std::mem::replace(&mut self.subsystem_energy[k], after);
            self.impulses += change;
            self.drive(change);
        }
    }
}

/// Whether momenta do their work on a subsystem at the mean of its rates, as they change the kinetic energy of linear motions. Of others,
/// mean loads do theirs on the way that their rule makes, where that is the way of the mean rates but for turns: with θ above a half and
/// with implicit Euler it is another one, and those that capture impacts put bodies back on their contacts.
fn works_by_mean_rate(model: LinearisedModel<'_>, subsystem: usize, h: f64) -> bool {
    let own = &model.models[subsystem];
    let is_midpoint = takes_means(own.weights, h) && (own.weights.position - 0.5 * h).abs() < 1e-12 * h;
    own.is_affine || !is_midpoint || model.topology.subsystems[subsystem].captures_impacts
}

/// Work of the couple that a bushing gives side b besides its moment.
fn couple_work(model: LinearisedModel<'_>, joint: &Joint, rows: &StepRows, h: f64) -> f64 {
    let Some(frame) = joint.frame.as_ref().filter(|frame| frame.is_compliant) else { return 0.0 };
    let ([start, end], first) = (&model.frames[frame.index].couples, frame.couple_row());
    let weights = model.models[joint.sides[1].subsystem].weights;
    let part = |k: usize| {
        let impulse = weights.end * end[k] + weights.start * start[k];
        let moved = rows.end_positions[first + k] - rows.start_positions[first + k];
        mean_force(impulse, start[k], weights, h) * moved
    };
    (0..3).map(part).sum()
}

/// Energy that a joint stores at the communication point whose motion stands in the rows of the start.
fn stored_energy(model: LinearisedModel<'_>, joint: &Joint, rows: &StepRows) -> f64 {
    match joint.law {
        InterfaceLaw::Tikhonov { constant } => {
            let gap = |k: usize| model.present_gap(joint, k, &rows.start_positions);
            (0..joint.size).map(|k| 0.5 * gap(k).powi(2) / constant).sum()
        }
        _ => spring_energy(model, joint, &rows.start_positions),
    }
}

fn spring_energy(model: LinearisedModel<'_>, joint: &Joint, positions: &[f64]) -> f64 {
    if let Some(frame) = &joint.frame {
        return frame.with(&model.frames[frame.index]).energy(positions);
    }
    let InterfaceLaw::Compliant { stiffness, .. } = &joint.law else { return 0.0 };
    0.5 * quadratic_form(stiffness, |k| joint.gap(k, positions))
}
