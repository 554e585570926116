//! The problem that a subsystem solves by itself in a sweep.
//!
//! At a joint one subsystem takes the force and gives its motion; the other takes that motion and finds the force from
//! its own compliance. The contact impulses of subsystem `i` and the forces `x` that it finds follow one after the other,
//!
//! ```text
//!   0 ≤ P ⟂ W_HH P + U_b + e min(U₀, 0) ≥ 0        A⁽ⁱ⁾ x = r + E P        A⁽ⁱ⁾ = (Q χ + V) W ρ + C
//! ```
//!
//! with `U_b` under the forces of the iterate and `r` from the motion of the other sides. Contacts see the iterate also
//! where the subsystem finds a force: a body whose port is led rigidly could not obey its contact as well. Which contacts
//! may carry impulses is decided before the sweeps and stays so over the step.

use cosimo_linear::DenseLu;
use cosimo_nonsmooth::{ContactLaws, ContactMemory, ContactRows, ImpactResolution, OneStepProblem};
use nalgebra::DMatrix;

use super::pseudo_inverse::PseudoInverse;
use super::response::set_end_rows;
use crate::layout::Layout;
use crate::wires::Wire;
use crate::{Master, StepError};

/// What one subsystem solves by itself.
#[derive(Debug)]
pub(crate) struct LocalProblem {
    pub(super) subsystem: usize,
    /// The forces it finds.
    pub(crate) found: Vec<FoundForce>,
    /// The joint coordinates at which it is told a force, or finds one.
    loads: Vec<PortLoad>,
    pub(super) matrix: DMatrix<f64>,
    pub(super) lu: DenseLu,
    /// Whether its own matrix is singular, so that the forces are found with the compliance of the other sides.
    pub(super) is_met: bool,
    /// `(A + D)⁺` where it is.
    pub(super) met: PseudoInverse,
    unknowns: Vec<f64>,
    /// Compliance that each of its forces meets in its own equation (1/kg).
    pub(crate) compliances: Vec<f64>,
    /// Its contacts and their rows, by their index in the model.
    pub(crate) contacts: Vec<usize>,
    pub(crate) rows: Vec<usize>,
    pub(crate) problem: OneStepProblem,
    pub(super) delassus: DMatrix<f64>,
    no_damping: DMatrix<f64>,
    memory: Vec<ContactMemory>,
    gaps: Vec<f64>,
    rates: [Vec<f64>; 2],
    laws: ContactLaws,
}

/// A joint coordinate whose force a subsystem finds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundForce {
    pub(crate) joint: usize,
    pub(crate) coordinate: usize,
    /// Index among the interface unknowns.
    pub(crate) unknown: usize,
    /// Index among the coordinates of all joints.
    wire: usize,
    /// The side that finds it.
    pub(super) side: usize,
}

/// A joint coordinate of a subsystem.
#[derive(Debug, Clone, Copy)]
struct PortLoad {
    /// Index among the coordinates of all joints.
    wire: usize,
    side: usize,
    /// Whether the subsystem finds the force.
    is_found: bool,
}

/// What a subsystem is told of the rest of the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// Interface unknowns, of which the subsystem takes those that it does not find.
    pub(crate) forces: &'a [f64],
    /// Motions of the sides that take forces, in the equation of each unknown.
    pub(crate) motions: &'a [f64],
    /// The contacts of the model that may carry impulses; `None` leaves the contacts alone.
    pub(crate) candidates: Option<&'a [bool]>,
    /// Size of the step (s).
    pub(crate) step: f64,
}

impl LocalProblem {
    /// The problem of subsystem `i`, which finds the forces of its joints to subsystems of lower `rank`.
    pub(crate) fn new(layout: &Layout, i: usize, rank: &[usize]) -> Self {
        let joints = &layout.members[i].joints;
        let finds: Vec<bool> = joints
            .iter()
            .map(|&(j, side)| rank[layout.joints[j].sides[1 - side].subsystem] < rank[i])
            .collect();
        let mut found = Vec::new();
        let mut loads = Vec::new();
        for (&(j, side), &is_found) in joints.iter().zip(&finds) {
            let joint = &layout.joints[j];
            loads.extend(joint.wires().map(|wire| PortLoad { wire, side, is_found }));
            if !is_found {
                continue;
            }
            found.extend((0..joint.size).map(|k| FoundForce {
                joint: j,
                coordinate: k,
                unknown: joint.first + k,
                wire: joint.first_wire + k,
                side,
            }));
        }
        let contacts: Vec<usize> =
            (0..layout.contacts.len()).filter(|&c| layout.contacts[c].subsystem == i).collect();
        let slips = contacts.iter().flat_map(|&c| layout.contacts[c].slips.clone());
        let rows: Vec<usize> = contacts.iter().map(|&c| layout.contacts[c].gap).chain(slips).collect();
        let law = |&c: &usize| (*layout.law(c), layout.contacts[c].slips.len());
        let (m, c, r) = (found.len(), contacts.len(), rows.len());
        Self {
            subsystem: i,
            found,
            loads,
            matrix: DMatrix::zeros(m, m),
            lu: DenseLu::default(),
            is_met: false,
            met: PseudoInverse::new(m),
            unknowns: vec![0.0; m],
            compliances: vec![0.0; m],
            problem: OneStepProblem::with_rows(c, r, ImpactResolution::Plain),
            delassus: DMatrix::zeros(r, r),
            no_damping: DMatrix::zeros(0, 0),
            memory: vec![ContactMemory::OPEN; c],
            gaps: vec![0.0; c],
            rates: [vec![0.0; r], vec![0.0; r]],
            laws: ContactLaws::new(contacts.iter().map(law)),
            contacts,
            rows,
        }
    }

    /// The joint coordinates at which it is told the force, with its side.
    pub(crate) fn told(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.loads.iter().filter(|load| !load.is_found).map(|load| (load.wire, load.side))
    }
}

impl Master {
    /// Motion of one side over the step in the equation of a joint coordinate, from its end rows.
    #[inline(always)]
    pub(crate) fn motion(&self, wire: usize, side: usize) -> f64 {
        let (wire, rows) = (&self.condensation.wires[wire], &self.rows);
        if wire.is_single {
            let law = self.condensation.law(wire);
            return wire.motion(
                (side, law),
                &rows.start_positions,
                (&rows.end_positions, &rows.end_velocities),
            );
        }
        self.coupled_motion(wire, side)
    }

    fn coupled_motion(&self, wire: &Wire, side: usize) -> f64 {
        let (joint, row) = (&self.layout.joints[wire.joint()], &self.condensation.rows[wire.joint()]);
        let (rows, k) = (&self.rows, wire.coordinate());
        let own = &joint.sides[side];
        let part = |l: usize| {
            let g = own.global_row + l;
            row.position[(k, l)] * (rows.end_positions[g] - rows.start_positions[g])
                + row.velocity[(k, l)] * rows.end_velocities[g]
        };
        own.sign * (0..joint.size).map(part).sum::<f64>()
    }

    /// Part of the gap at the start in the equation of a joint coordinate.
    fn start_term(&self, wire: usize) -> f64 {
        let wire = &self.condensation.wires[wire];
        if wire.is_single {
            return wire.start_term(self.condensation.law(wire), &self.rows.start_positions);
        }
        let (joint, row, k) =
            (&self.layout.joints[wire.joint()], &self.condensation.rows[wire.joint()], wire.coordinate());
        let gap = |l: usize| joint.gap(l, &self.rows.start_positions);
        row.start_gap * gap(k) + (0..joint.size).map(|l| row.position[(k, l)] * gap(l)).sum::<f64>()
    }

    /// Solves a local problem. The forces found are written to `answer`, loads and end rows of the affine model to the
    /// master's rows.
    pub(crate) fn solve_local(
        &mut self,
        local: &mut LocalProblem,
        told: &Surroundings<'_>,
        answer: &mut [f64],
    ) -> Result<(), StepError> {
        let i = local.subsystem;
        let candidates = told.candidates.filter(|_| !local.contacts.is_empty());
        if let Some(candidates) = candidates {
            self.set_given_loads(local, told.forces, true);
            set_end_rows(&self.layout.members[i], &mut self.rows);
            self.solve_local_contacts(local, candidates, told.step)?;
        }
        self.set_given_loads(local, told.forces, false);
        if candidates.is_some() {
            for (impulse, &c) in local.problem.solution().sustained.iter().zip(&local.rows) {
                self.rows.loads[self.layout.contact_rows[c].global_row] += impulse;
            }
        }
        set_end_rows(&self.layout.members[i], &mut self.rows);
        if local.found.is_empty() {
            return Ok(());
        }
        for (x, force) in local.unknowns.iter_mut().zip(&local.found) {
            let motions = told.motions[force.unknown] + self.motion(force.wire, force.side);
            *x = self.start_term(force.wire) + motions;
        }
        if local.is_met {
            let guess = |column: usize| told.forces[local.found[column].unknown];
            for (column, own) in local.matrix.column_iter().enumerate() {
                let x = guess(column);
                local.unknowns.iter_mut().zip(own.iter()).for_each(|(r, a)| *r -= a * x);
            }
            local.met.apply(&mut local.unknowns);
            local.unknowns.iter_mut().enumerate().for_each(|(column, x)| *x += guess(column));
        } else {
            local.lu.solve(&mut local.unknowns);
        }
        self.add_found_loads(local);
        set_end_rows(&self.layout.members[i], &mut self.rows);
        for (x, force) in local.unknowns.iter().zip(&local.found) {
            answer[force.unknown] = *x;
        }
        Ok(())
    }

    /// Loads of the joints at these forces, and of the forces at the start; those that the subsystem finds itself only
    /// if `with_found`.
    #[inline(always)]
    pub(crate) fn set_given_loads(&mut self, local: &LocalProblem, forces: &[f64], with_found: bool) {
        let (member, rows) = (&self.layout.members[local.subsystem], &mut self.rows);
        if local.loads.len() < member.rows.len() {
            rows.loads[member.rows.clone()].fill(0.0);
        }
        for load in &local.loads {
            let wire = &self.condensation.wires[load.wire];
            let x = if load.is_found && !with_found { 0.0 } else { forces[wire.unknown()] };
            let impulse =
                self.condensation.law(wire).weights.impulse(load.side, x, rows.start_forces[wire.unknown()]);
            rows.loads[wire.row(load.side)] = if load.side == 0 { -impulse } else { impulse };
        }
    }

    fn add_found_loads(&mut self, local: &LocalProblem) {
        for (force, x) in local.found.iter().zip(&local.unknowns) {
            let load = self.load_of(force, force.side);
            let own = &self.layout.joints[force.joint].sides[force.side];
            self.rows.loads[own.global_row + force.coordinate] += load * x;
        }
    }

    fn solve_local_contacts(
        &mut self,
        local: &mut LocalProblem,
        candidates: &[bool],
        h: f64,
    ) -> Result<(), StepError> {
        let time = self.clock.now;
        for (a, &c) in local.contacts.iter().enumerate() {
            local.gaps[a] = self.rows.start_gaps[c];
            local.memory[a] = self.counters.remembered()[c];
        }
        for (a, &row) in local.rows.iter().enumerate() {
            local.rates[0][a] = self.rows.start_rates[row];
            local.rates[1][a] = self.rows.end_velocities[self.layout.contact_rows[row].global_row];
        }
        let rows = ContactRows {
            time,
            step: h,
            macro_step: self.macro_size,
            damping_weight: 0.0,
            start_gaps: &local.gaps,
            start_rates: &local.rates[0],
            end_gaps: &local.gaps,
            end_rates: &local.rates[1],
            laws: &local.laws,
            delassus: &local.delassus,
            damped: &local.no_damping,
        };
        let is_candidate = |a: usize| candidates[local.contacts[a]];
        let solved = local.problem.solve_on(is_candidate, &rows, &mut local.memory);
        if let Err(source) = solved {
            let contact = self.layout.contacts[local.contacts[0]].name.clone();
            return Err(StepError::Contacts { time, contact, source });
        }
        for (memory, &c) in local.memory.iter().zip(&local.contacts) {
            self.memory[c] = *memory;
        }
        Ok(())
    }
}
