//! The condensed interface: interface matrix, effective mass at the contacts, and what a contact impulse does to
//! every subsystem.
//!
//! With the interface equations of all joints, `A x = r + E P`, the contact impulses `P` see the subsystems through
//!
//! ```text
//!   W_c = W_HH − Eᵀ A⁻¹ E
//! ```
//!
//! The subtraction loses digits when a light subsystem hangs on a heavy one. Where a contact acts at a joined port
//! `p` of its subsystem `i`, `H = R B_p`, it is replaced: `x = s Rᵀ/ρ + z` on that joint turns the equations into
//! `A z = −(A − A⁽ⁱ⁾) s Rᵀ/ρ`, in which the answer of subsystem `i` itself has cancelled, and its load at the port is
//! `−s ρ z`. For one joint this is the parallel sum `W_N (W_N + W_S + C)⁻¹ (W_S + C)`, exact at any mass ratio.

use cosimo_linear::{DenseLu, FactorizationError};
use nalgebra::DMatrix;

use crate::Discretisation;
use crate::interface_rows::{InterfaceRow, Mode};
use crate::layout::{Contact, Layout};

/// Matrices of the condensed interface problem, with their buffers.
#[derive(Debug)]
pub(crate) struct Condensation {
    pub(crate) rows: Vec<InterfaceRow>,
    matrix: DMatrix<f64>,
    lu: DenseLu,
    /// Loads on all rows for a unit impulse over the step at each contact, `rows × contacts`.
    pub(crate) contact_loads: DMatrix<f64>,
    /// Interface unknowns for a unit impulse over the step at each contact, `unknowns × contacts`.
    pub(crate) contact_unknowns: DMatrix<f64>,
    /// Loads on all rows that the damping feeds back for a unit impulse at each contact; `rows × contacts`.
    pub(crate) feedback_loads: DMatrix<f64>,
    /// `W_c`, `contacts × contacts`.
    pub(crate) delassus: DMatrix<f64>,
    /// Damped companion of `W_c`, `contacts × contacts`.
    damped: DMatrix<f64>,
    no_damping: DMatrix<f64>,
    column: Vec<f64>,
    answers: Vec<f64>,
    mode: Mode,
    has_damping: bool,
    contacts_are_current: bool,
    is_stale: bool,
}

impl Condensation {
    pub(crate) fn new(layout: &Layout) -> Self {
        let (m, r, c) = (layout.unknowns, layout.rows, layout.contacts.len());
        Self {
            rows: layout.joints.iter().map(|joint| InterfaceRow::zeros(joint.size)).collect(),
            matrix: DMatrix::zeros(m, m),
            lu: DenseLu::default(),
            contact_loads: DMatrix::zeros(r, c),
            contact_unknowns: DMatrix::zeros(m, c),
            feedback_loads: DMatrix::zeros(r, c),
            delassus: DMatrix::zeros(c, c),
            damped: DMatrix::zeros(c, c),
            no_damping: DMatrix::zeros(0, 0),
            column: vec![0.0; m],
            answers: vec![0.0; r],
            mode: Mode::Instant,
            has_damping: false,
            contacts_are_current: false,
            is_stale: true,
        }
    }

    /// Notes whether a subsystem's compliance has changed.
    pub(crate) fn note(&mut self, has_changed: bool) {
        self.is_stale |= has_changed;
    }

    /// Whether the matrices do not belong to this mode and the present compliances.
    pub(crate) fn is_stale(&self, mode: Mode) -> bool {
        self.is_stale || self.mode != mode
    }

    /// Sets up and factorises the interface matrix from the members' compliances.
    pub(crate) fn refresh(
        &mut self,
        layout: &Layout,
        mode: Mode,
        discretisation: Discretisation,
    ) -> Result<(), FactorizationError> {
        self.mode = mode;
        self.is_stale = false;
        self.contacts_are_current = false;
        for (row, joint) in self.rows.iter_mut().zip(&layout.joints) {
            row.set(joint, &layout.members, mode, discretisation);
        }
        self.matrix.fill(0.0);
        for j in 0..layout.joints.len() {
            for side in 0..2 {
                self.add_answer_of_side(layout, j, side);
            }
            let range = layout.joints[j].unknowns();
            for (a, k) in range.clone().enumerate() {
                for (b, l) in range.clone().enumerate() {
                    self.matrix[(k, l)] += self.rows[j].relaxation[(a, b)];
                }
            }
        }
        self.lu.factorize(&self.matrix)
    }

    /// Adds to the columns of joint `j` what its load does to the rows through the subsystem on `side`.
    fn add_answer_of_side(&mut self, layout: &Layout, j: usize, side: usize) {
        let joint = &layout.joints[j];
        let own = &joint.sides[side];
        for l in 0..joint.size {
            let load = own.sign * self.rows[j].share[side];
            add_rows_of_load(layout, &self.rows, own.subsystem, (own.row + l, load), |row, value| {
                self.matrix[(row, joint.first + l)] += value;
            });
        }
    }

    /// Overwrites the right-hand side `x` with the unknowns.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        if !x.is_empty() {
            self.lu.solve(x);
        }
    }

    /// Adds the loads of the unknowns `x` on all rows to `loads`; `start_forces` are the forces at the start.
    pub(crate) fn add_joint_loads(
        &self,
        layout: &Layout,
        x: &[f64],
        start_forces: &[f64],
        loads: &mut [f64],
    ) {
        for (joint, row) in layout.joints.iter().zip(&self.rows) {
            for (side, own) in joint.sides.iter().enumerate() {
                for k in 0..joint.size {
                    let unknown = joint.first + k;
                    let impulse = row.impulse(side, x[unknown], start_forces[unknown]);
                    loads[own.global_row + k] -= own.sign * impulse;
                }
            }
        }
    }

    /// Residual of the interface equations at given row positions and velocities, with unknowns `x`.
    pub(crate) fn residual(
        &self,
        layout: &Layout,
        (positions, velocities): (&[f64], &[f64]),
        start_positions: &[f64],
        x: Option<&[f64]>,
        out: &mut [f64],
    ) {
        for (joint, row) in layout.joints.iter().zip(&self.rows) {
            for k in 0..joint.size {
                let mut sum = row.start_gap * joint.gap(k, start_positions);
                for l in 0..joint.size {
                    sum += row.position[(k, l)] * joint.gap(l, positions)
                        + row.velocity[(k, l)] * joint.difference(l, velocities);
                    if let Some(x) = x {
                        sum -= row.relaxation[(k, l)] * x[joint.first + l];
                    }
                }
                out[joint.first + k] = sum;
            }
        }
    }

    /// Brings the contacts' matrices up to date.
    pub(crate) fn refresh_contacts(&mut self, layout: &Layout) {
        if self.contacts_are_current {
            return;
        }
        self.contacts_are_current = true;
        self.contact_loads.fill(0.0);
        for (c, contact) in layout.contacts.iter().enumerate() {
            match &contact.attachment {
                Some((joint, side, direction)) if self.rows[*joint].share[*side] != 0.0 => {
                    self.attached_loads(layout, c, (*joint, *side), direction);
                }
                _ => self.free_loads(layout, (c, contact)),
            }
        }
        for c in 0..layout.contacts.len() {
            for (d, row) in layout.contacts.iter().enumerate() {
                let loads = self.contact_loads.column(c);
                self.delassus[(d, c)] = layout.members[row.subsystem].answer(row.row, loads.as_slice());
            }
        }
        self.refresh_damping(layout);
    }

    /// Loads for a unit impulse at a contact anywhere: `x = A⁻¹ E`.
    fn free_loads(&mut self, layout: &Layout, (c, contact): (usize, &Contact)) {
        let Self { rows, column, .. } = self;
        column.fill(0.0);
        // E: the answer to a load of +1 on the contact's row; `add_rows_of_load` gives sign · answer.
        add_rows_of_load(layout, rows, contact.subsystem, (contact.row, 1.0), |row, value| {
            column[row] += value
        });
        self.solve_column();
        self.write_joint_loads(layout, c);
        self.contact_loads[(contact.global_row, c)] += 1.0;
    }

    /// Loads for a unit impulse at a contact that acts at a joined port, without cancellation.
    fn attached_loads(&mut self, layout: &Layout, c: usize, (j, side): (usize, usize), direction: &[f64]) {
        let joint = &layout.joints[j];
        let (own, other) = (&joint.sides[side], &joint.sides[1 - side]);
        let shift = own.sign / self.rows[j].share[side];
        let Self { rows, column, .. } = self;
        column.fill(0.0);
        for (l, weight) in direction.iter().enumerate() {
            let load = -other.sign * rows[j].share[1 - side] * shift * weight;
            add_rows_of_load(layout, rows, other.subsystem, (other.row + l, load), |row, value| {
                column[row] += value
            });
            for k in 0..joint.size {
                column[joint.first + k] -= rows[j].relaxation[(k, l)] * shift * weight;
            }
        }
        self.solve_column();
        self.write_joint_loads(layout, c);
        // On the other side the whole unknown acts, z and the part split off.
        for (l, weight) in direction.iter().enumerate() {
            let load = -other.sign * self.rows[j].share[1 - side] * shift * weight;
            self.contact_loads[(other.global_row + l, c)] += load;
            self.contact_unknowns[(joint.first + l, c)] += shift * weight;
        }
    }

    fn solve_column(&mut self) {
        if !self.column.is_empty() {
            self.lu.solve(&mut self.column);
        }
    }

    /// Writes the loads of the unknowns in `column` on all rows to column `c` of the contacts' loads.
    fn write_joint_loads(&mut self, layout: &Layout, c: usize) {
        self.contact_unknowns.column_mut(c).copy_from_slice(&self.column);
        for (joint, row) in layout.joints.iter().zip(&self.rows) {
            for (side, own) in joint.sides.iter().enumerate() {
                for k in 0..joint.size {
                    let load = -own.sign * row.share[side] * self.column[joint.first + k];
                    self.contact_loads[(own.global_row + k, c)] += load;
                }
            }
        }
    }

    /// What the damping feeds back, `w₂ = J_c⁻¹ C_t w`: loads on the joints, and its answer at the contacts.
    fn refresh_damping(&mut self, layout: &Layout) {
        let by_members = layout.members.iter().any(|member| !member.damped.is_empty());
        let by_joints = layout.joints.iter().any(has_dashpot);
        self.has_damping = (by_members || by_joints) && self.mode != Mode::Instant;
        let contacts = layout.contacts.len();
        if !self.has_damping {
            return;
        }
        self.feedback_loads.fill(0.0);
        for c in 0..contacts {
            self.feed_back(layout, c);
        }
    }

    fn feed_back(&mut self, layout: &Layout, c: usize) {
        self.add_dashpot_loads(layout, c);
        self.answer_to_feedback(layout, c);
        let Self { rows, column, answers, .. } = self;
        for (joint, row) in layout.joints.iter().zip(rows.iter()) {
            for k in 0..joint.size {
                column[joint.first + k] = (0..joint.size)
                    .map(|l| {
                        joint
                            .sides
                            .iter()
                            .map(|own| {
                                let chi = layout.members[own.subsystem].weights.position;
                                own.sign * row.answer(chi, k, l) * answers[own.global_row + l]
                            })
                            .sum::<f64>()
                    })
                    .sum();
            }
        }
        self.solve_column();
        for (joint, row) in layout.joints.iter().zip(&self.rows) {
            for (side, own) in joint.sides.iter().enumerate() {
                for k in 0..joint.size {
                    let load = -own.sign * row.share[side] * self.column[joint.first + k];
                    self.feedback_loads[(own.global_row + k, c)] += load;
                }
            }
        }
        self.answer_to_feedback(layout, c);
        for (d, contact) in layout.contacts.iter().enumerate() {
            self.damped[(d, c)] = self.answers[contact.global_row];
        }
    }

    /// Dashpots of compliant joints answer to the rates that impulse `c` causes, with the sign of `C_t w`.
    fn add_dashpot_loads(&mut self, layout: &Layout, c: usize) {
        for joint in &layout.joints {
            let crate::InterfaceLaw::Compliant { damping, .. } = &joint.law else { continue };
            for k in 0..joint.size {
                let force: f64 = (0..joint.size)
                    .map(|l| {
                        let rate: f64 = joint
                            .sides
                            .iter()
                            .map(|own| {
                                let loads = self.contact_loads.column(c);
                                own.sign * layout.members[own.subsystem].answer(own.row + l, loads.as_slice())
                            })
                            .sum();
                        damping[(k, l)] * rate
                    })
                    .sum();
                for own in &joint.sides {
                    self.feedback_loads[(own.global_row + k, c)] += own.sign * force;
                }
            }
        }
    }

    /// Velocity answer of all rows to the damping of the subsystems and the feedback loads of contact `c`.
    fn answer_to_feedback(&mut self, layout: &Layout, c: usize) {
        for member in &layout.members {
            for row in 0..member.rows.len() {
                let mut sum = member.answer(row, self.feedback_loads.column(c).as_slice());
                if !member.damped.is_empty() {
                    let loads = self.contact_loads.column(c);
                    sum += member
                        .rows
                        .clone()
                        .enumerate()
                        .map(|(k, g)| member.damped[(row, k)] * loads[g])
                        .sum::<f64>();
                }
                self.answers[member.rows.start + row] = sum;
            }
        }
    }

    /// Damped companion of `W_c`; `0 × 0` without damping.
    pub(crate) fn damped(&self) -> &DMatrix<f64> {
        if self.has_damping { &self.damped } else { &self.no_damping }
    }

    /// Whether impulses are fed back by damping.
    pub(crate) fn has_damping(&self) -> bool {
        self.has_damping
    }

    /// Which equations the matrices belong to.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }
}

fn has_dashpot(joint: &crate::layout::Joint) -> bool {
    matches!(&joint.law, crate::InterfaceLaw::Compliant { damping, .. } if damping.iter().any(|d| *d != 0.0))
}

/// Gives `sign · (Q χ + V) · W` for a load on one row of a subsystem, to every interface equation it takes part in.
fn add_rows_of_load(
    layout: &Layout,
    rows: &[InterfaceRow],
    subsystem: usize,
    (load_row, load): (usize, f64),
    mut add: impl FnMut(usize, f64),
) {
    let member = &layout.members[subsystem];
    for &(j, side) in &member.joints {
        let joint = &layout.joints[j];
        let own = &joint.sides[side];
        for k in 0..joint.size {
            let sum: f64 = (0..joint.size)
                .map(|l| {
                    rows[j].answer(member.weights.position, k, l) * member.compliance[(own.row + l, load_row)]
                })
                .sum();
            add(joint.first + k, own.sign * sum * load);
        }
    }
}
