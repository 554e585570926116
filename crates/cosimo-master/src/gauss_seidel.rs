//! The semi-implicit Gauss-Seidel iteration of the thesis.
//!
//! The subsystems answer one after the other, those with contacts first. At a joint the earlier subsystem takes the
//! force and gives its motion; the later one takes that motion and gives the force that follows from its own
//! compliance, `(Q χ_b + V) W_b + C`. A subsystem with contacts solves its own complementarity problem under the
//! forces it is given. Per iteration the error of a joint is multiplied by the ratio of the two sides' compliances,
//!
//! ```text
//!   − (Q χ_a + V) W_a ρ_a / ((Q χ_b + V) W_b ρ_b + C)
//! ```
//!
//! in position rows `−θ²h² / m_a / (b₁² W_b + c)`: it converges when the side that takes the force is the heavier, or
//! is made to by the relaxation `c`. Contacts are activated by the forecast `y₀ + h/2 U₀ ≤ 0`, fixed over the step.
//!
//! Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
//! Problems*, Politecnico di Milano 2012, chapter 4.

use cosimo_linear::DenseLu;
use cosimo_nonsmooth::{ContactMemory, ContactRows, ImpactResolution, OneStepProblem};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use crate::layout::{Joint, Layout, Side};
use crate::{Master, StepError};

/// Growth of the corrections, against the first, at which the iteration is given up.
const DIVERGENCE: f64 = 1e9;

/// Velocity change, against the size of velocities and positions at a joint, below which there is only round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Buffers of the iteration.
#[derive(Debug)]
pub(crate) struct GaussSeidel {
    order: Vec<usize>,
    /// Position of each subsystem in the order.
    rank: Vec<usize>,
    local: Vec<LocalProblem>,
    previous: Vec<f64>,
    older: Vec<f64>,
    largest: f64,
}

/// What one subsystem solves by itself.
#[derive(Debug)]
struct LocalProblem {
    /// Joints whose force this subsystem finds.
    solved: Vec<usize>,
    matrix: DMatrix<f64>,
    lu: DenseLu,
    right: Vec<f64>,
    contacts: Vec<usize>,
    problem: OneStepProblem,
    memory: Vec<ContactMemory>,
    delassus: DMatrix<f64>,
    no_damping: DMatrix<f64>,
    gaps: [Vec<f64>; 2],
    rates: [Vec<f64>; 2],
    restitutions: Vec<f64>,
}

impl GaussSeidel {
    pub(crate) fn new(layout: &Layout) -> Self {
        let count = layout.members.len();
        let has_contacts = |i: &usize| layout.contacts.iter().any(|contact| contact.subsystem == *i);
        let mut order: Vec<usize> = (0..count).filter(has_contacts).collect();
        order.extend((0..count).filter(|i| !has_contacts(i)));
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(position, &i)| rank[i] = position);
        let local = (0..count).map(|i| LocalProblem::new(layout, i, &rank)).collect();
        let unknowns = vec![0.0; layout.unknowns];
        Self { order, rank, local, previous: unknowns.clone(), older: unknowns, largest: 0.0 }
    }
}

/// What the iteration carries from one step to the next.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct History {
    /// Unknowns of the step before the last.
    older: Vec<f64>,
    /// Largest unknown so far.
    largest: f64,
}

impl GaussSeidel {
    pub(crate) fn history(&self) -> History {
        History { older: self.older.clone(), largest: self.largest }
    }

    pub(crate) fn restore(&mut self, history: &History) {
        self.older.copy_from_slice(&history.older);
        self.largest = history.largest;
    }

    pub(crate) fn fits(&self, history: &History) -> bool {
        self.older.len() == history.older.len()
    }
}

impl LocalProblem {
    fn new(layout: &Layout, i: usize, rank: &[usize]) -> Self {
        let is_later =
            |&&(j, side): &&(usize, usize)| rank[layout.joints[j].sides[1 - side].subsystem] < rank[i];
        let solved: Vec<usize> = layout.members[i].joints.iter().filter(is_later).map(|&(j, _)| j).collect();
        let size = solved.iter().map(|&j| layout.joints[j].size).sum();
        let contacts: Vec<usize> =
            (0..layout.contacts.len()).filter(|&c| layout.contacts[c].subsystem == i).collect();
        let zero = vec![0.0; contacts.len()];
        Self {
            solved,
            matrix: DMatrix::zeros(size, size),
            lu: DenseLu::default(),
            right: vec![0.0; size],
            problem: OneStepProblem::new(contacts.len(), ImpactResolution::Plain),
            memory: vec![ContactMemory::OPEN; contacts.len()],
            delassus: DMatrix::zeros(contacts.len(), contacts.len()),
            no_damping: DMatrix::zeros(0, 0),
            gaps: [zero.clone(), zero.clone()],
            rates: [zero.clone(), zero],
            restitutions: contacts.iter().map(|&c| layout.restitutions[c]).collect(),
            contacts,
        }
    }
}

impl Master {
    /// Iterates to the tolerance; returns solves and iterations.
    pub(crate) fn solve_gauss_seidel(&mut self, h: f64) -> Result<(u32, u32), StepError> {
        let Some(mut scheme) = self.gauss_seidel.take() else { return Ok((0, 0)) };
        let result = self.iterate_gauss_seidel(&mut scheme, h);
        self.gauss_seidel = Some(scheme);
        result
    }

    fn iterate_gauss_seidel(&mut self, scheme: &mut GaussSeidel, h: f64) -> Result<(u32, u32), StepError> {
        self.step_loads.iter_mut().for_each(cosimo_subsystem::StepLoads::clear_moments);
        self.counters.remember(&self.memory);
        self.factorize_local_problems(scheme)?;
        self.extrapolate_unknowns(scheme);
        let (mut first, mut last, mut contraction) = (f64::NAN, f64::NAN, f64::NAN);
        let (mut worst, mut residual, mut done, mut largest) = (0, f64::NAN, 0, scheme.largest);
        for iteration in 1..=self.config.max_iterations {
            done = iteration;
            scheme.previous.copy_from_slice(&self.rows.unknowns);
            for position in 0..scheme.order.len() {
                let i = scheme.order[position];
                self.solve_local(scheme, i, h)?;
            }
            let (unknown, change, size) = largest_change(&scheme.previous, &self.rows.unknowns);
            largest = largest.max(size);
            worst = unknown;
            contraction = if last > 0.0 { change / last } else { contraction };
            residual = change / largest.max(f64::MIN_POSITIVE);
            first = if iteration == 1 { change } else { first };
            if !change.is_finite() || change > DIVERGENCE * first {
                break;
            }
            let is_converged = residual <= self.config.tolerance;
            if is_converged || self.is_round_off(&scheme.previous) {
                if is_converged {
                    self.counters.note_residual(residual);
                }
                self.counters.note_contraction(iteration, contraction);
                scheme.largest = largest;
                self.finish_gauss_seidel(scheme);
                return Ok((iteration, iteration));
            }
            last = change;
        }
        // What follows, a step of half the size perhaps, begins from the last step that was taken.
        self.memory.copy_from_slice(self.counters.remembered());
        self.rows.unknowns.copy_from_slice(&scheme.older);
        self.counters.note_contraction(done, contraction);
        let text = if contraction.is_finite() {
            format!(" and each iteration multiplies the error by {contraction:.3}")
        } else {
            String::new()
        };
        Err(self.not_converged(h, (done, worst, residual), &text))
    }

    /// Whether the last change of the unknowns moves no port by more than the round-off of its motion. Where forces are
    /// zero no change is small against them.
    fn is_round_off(&self, previous: &[f64]) -> bool {
        let (members, rows) = (&self.layout.members, &self.rows);
        self.layout.joints.iter().zip(&self.condensation.rows).all(|(joint, row)| {
            (0..joint.size).all(|k| {
                let size = |own: &Side| {
                    let (q, v) =
                        (rows.end_positions[own.global_row + k], rows.end_velocities[own.global_row + k]);
                    v.abs() + q.abs() / members[own.subsystem].weights.position
                };
                let scale: f64 = joint.sides.iter().map(size).sum();
                let change = (rows.unknowns[joint.first + k] - previous[joint.first + k]).abs();
                joint.sides.iter().zip(row.share).all(|(own, share)| {
                    change * share * members[own.subsystem].compliance[(own.row + k, own.row + k)]
                        <= ROUND_OFF * scale
                })
            })
        })
    }

    /// First guess: the unknowns of the last two steps, extrapolated.
    fn extrapolate_unknowns(&mut self, scheme: &mut GaussSeidel) {
        for (k, x) in self.rows.unknowns.iter_mut().enumerate() {
            let (last, before) = (*x, scheme.older[k]);
            scheme.older[k] = last;
            *x = 2.0 * last - before;
        }
    }

    fn factorize_local_problems(&mut self, scheme: &mut GaussSeidel) -> Result<(), StepError> {
        for (i, local) in scheme.local.iter_mut().enumerate() {
            let member = &self.layout.members[i];
            for (a, &c) in local.contacts.iter().enumerate() {
                for (b, &d) in local.contacts.iter().enumerate() {
                    local.delassus[(a, b)] =
                        member.compliance[(self.layout.contacts[c].row, self.layout.contacts[d].row)];
                }
            }
            let mut column = 0;
            for &k in &local.solved {
                for l in 0..self.layout.joints[k].size {
                    let mut row = 0;
                    for &j in &local.solved {
                        for a in 0..self.layout.joints[j].size {
                            local.matrix[(row, column)] = self.local_entry(i, (j, a), (k, l));
                            row += 1;
                        }
                    }
                    column += 1;
                }
            }
            if column > 0 {
                let first = local.solved[0];
                let singular = |_| self.singular_interface(self.layout.joints[first].first);
                local.lu.factorize(&local.matrix).map_err(singular)?;
            }
        }
        Ok(())
    }

    /// Entry of subsystem `i`'s own interface matrix between coordinate `a` of joint `j` and `l` of joint `k`.
    fn local_entry(&self, i: usize, (j, a): (usize, usize), (k, l): (usize, usize)) -> f64 {
        let member = &self.layout.members[i];
        let (joint_j, joint_k) = (&self.layout.joints[j], &self.layout.joints[k]);
        let (side_j, side_k) = (side_of(joint_j, i), side_of(joint_k, i));
        let (own_j, own_k) = (&joint_j.sides[side_j], &joint_k.sides[side_k]);
        let row = &self.condensation.rows[j];
        let answer: f64 = (0..joint_j.size)
            .map(|b| {
                row.answer(member.weights.position, a, b) * member.compliance[(own_j.row + b, own_k.row + l)]
            })
            .sum();
        let relaxation = if j == k { row.relaxation[(a, l)] } else { 0.0 };
        own_j.sign * own_k.sign * self.condensation.rows[k].share[side_k] * answer + relaxation
    }

    /// Subsystem `i` finds the forces of its joints to earlier subsystems, then its contact impulses and end rows.
    fn solve_local(&mut self, scheme: &mut GaussSeidel, i: usize, h: f64) -> Result<(), StepError> {
        self.set_loads(i, &scheme.rank, false);
        self.end_rows_of(i);
        let local = &mut scheme.local[i];
        if !local.solved.is_empty() {
            let mut next = 0;
            for &j in &local.solved {
                for k in 0..self.layout.joints[j].size {
                    local.right[next] = self.row_residual(j, k);
                    next += 1;
                }
            }
            local.lu.solve(&mut local.right);
            let mut next = 0;
            for &j in &local.solved {
                for unknown in self.layout.joints[j].unknowns() {
                    self.rows.unknowns[unknown] = local.right[next];
                    next += 1;
                }
            }
            self.set_loads(i, &scheme.rank, true);
            self.end_rows_of(i);
        }
        if !local.contacts.is_empty() {
            self.solve_local_contacts(local, h)?;
            self.end_rows_of(i);
        }
        if !self.layout.members[i].is_affine {
            self.evaluate_member(i)?;
        }
        Ok(())
    }

    /// Loads of the joints on subsystem `i`; the unknowns it finds itself only if `with_own`.
    fn set_loads(&mut self, i: usize, rank: &[usize], with_own: bool) {
        let member = &self.layout.members[i];
        self.rows.loads[member.rows.clone()].fill(0.0);
        for &(j, side) in &member.joints {
            let (joint, row) = (&self.layout.joints[j], &self.condensation.rows[j]);
            let is_own = rank[joint.sides[1 - side].subsystem] < rank[i];
            let own = &joint.sides[side];
            for k in 0..joint.size {
                let x = if is_own && !with_own { 0.0 } else { self.rows.unknowns[joint.first + k] };
                let impulse = row.impulse(side, x, self.rows.start_forces[joint.first + k]);
                self.rows.loads[own.global_row + k] -= own.sign * impulse;
            }
        }
    }

    fn end_rows_of(&mut self, i: usize) {
        let member = &self.layout.members[i];
        for (k, g) in member.rows.clone().enumerate() {
            let change = member.answer(k, &self.rows.loads);
            self.rows.end_velocities[g] = self.rows.free_velocities[g] + change;
            self.rows.end_positions[g] = self.rows.free_positions[g] + member.weights.position * change;
        }
    }

    /// Interface equation of coordinate `k` of joint `j` at the present end rows, without its unknown.
    fn row_residual(&self, j: usize, k: usize) -> f64 {
        let (joint, row, rows) = (&self.layout.joints[j], &self.condensation.rows[j], &self.rows);
        let answer: f64 = (0..joint.size)
            .map(|l| {
                row.position[(k, l)] * joint.gap(l, &rows.end_positions)
                    + row.velocity[(k, l)] * joint.difference(l, &rows.end_velocities)
            })
            .sum();
        row.start_gap * joint.gap(k, &rows.start_positions) + answer
    }

    fn solve_local_contacts(&mut self, local: &mut LocalProblem, h: f64) -> Result<(), StepError> {
        let time = self.clock.now;
        for (a, &c) in local.contacts.iter().enumerate() {
            let row = self.layout.contacts[c].global_row;
            local.gaps[0][a] = self.rows.start_gaps[c];
            local.rates[0][a] = self.rows.start_rates[c];
            local.gaps[1][a] = self.rows.start_gaps[c] + 0.5 * h * self.rows.start_rates[c];
            local.rates[1][a] = self.rows.end_velocities[row];
            local.memory[a] = self.counters.remembered()[c];
        }
        let rows = ContactRows {
            time,
            step: h,
            damping_weight: 0.0,
            start_gaps: &local.gaps[0],
            start_rates: &local.rates[0],
            end_gaps: &local.gaps[1],
            end_rates: &local.rates[1],
            restitutions: &local.restitutions,
            delassus: &local.delassus,
            damped: &local.no_damping,
        };
        let solved = local.problem.solve(&rows, &mut local.memory);
        let solution = solved.map_err(|source| {
            let contact = self.layout.contacts[local.contacts[0]].name.clone();
            StepError::Contacts { time, contact, source }
        })?;
        for (a, &c) in local.contacts.iter().enumerate() {
            self.rows.loads[self.layout.contacts[c].global_row] += solution.sustained[a];
            self.memory[c] = local.memory[a];
        }
        Ok(())
    }

    /// The true answer of a subsystem that is not affine; the affine model moves to it.
    fn evaluate_member(&mut self, i: usize) -> Result<(), StepError> {
        let time = self.clock.now;
        let member = &mut self.layout.members[i];
        let range = member.rows.clone();
        let response = self.subsystems[i]
            .evaluate(&self.rows.loads[range.clone()])
            .map_err(|source| StepError::Subsystem { time, source })?;
        self.rows.end_positions[range.clone()].copy_from_slice(&response.positions);
        self.rows.end_velocities[range.clone()].copy_from_slice(&response.velocities);
        for (k, g) in range.enumerate() {
            let change = member.answer(k, &self.rows.loads);
            self.rows.free_velocities[g] = self.rows.end_velocities[g] - change;
            self.rows.free_positions[g] = self.rows.end_positions[g] - member.weights.position * change;
        }
        Ok(())
    }

    /// Hands the contact solutions of the subsystems to the master's own, which books and reports them.
    fn finish_gauss_seidel(&mut self, scheme: &GaussSeidel) {
        let parts = scheme.local.iter().filter(|local| !local.contacts.is_empty());
        self.contact_problems
            .collect(parts.map(|local| (local.contacts.as_slice(), local.problem.solution())));
    }
}

fn side_of(joint: &Joint, subsystem: usize) -> usize {
    usize::from(joint.sides[0].subsystem != subsystem)
}

/// Index and size of the largest change, and the largest value.
fn largest_change(before: &[f64], after: &[f64]) -> (usize, f64, f64) {
    let mut result = (0, 0.0, 0.0_f64);
    for (k, (b, a)) in before.iter().zip(after).enumerate() {
        let change = (a - b).abs();
        if change.is_nan() || change > result.1 {
            (result.0, result.1) = (k, change);
        }
        result.2 = result.2.max(a.abs());
    }
    result
}
