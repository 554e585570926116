//! The master's vectors: rows of all subsystems, unknowns of all interfaces, and what is read at a communication point.

use crate::Master;
use crate::layout::Layout;

/// The rows of all subsystems and the unknowns of all interfaces in the step at hand.
#[derive(Debug, Default)]
pub(crate) struct StepRows {
    /// Rows at the start of the step.
    pub(crate) start_positions: Vec<f64>,
    pub(crate) start_velocities: Vec<f64>,
    /// Rows at the communication point just reached, until they are those of the next start.
    pub(crate) next_positions: Vec<f64>,
    pub(crate) next_velocities: Vec<f64>,
    /// Rows at the end without any interface load (of the affine model).
    pub(crate) free_positions: Vec<f64>,
    pub(crate) free_velocities: Vec<f64>,
    /// Rows at the end with the loads found, without impulses inside the step.
    pub(crate) end_positions: Vec<f64>,
    pub(crate) end_velocities: Vec<f64>,
    /// Impulses over the step on all rows.
    pub(crate) loads: Vec<f64>,
    /// Finite loads at the start on all rows.
    pub(crate) start_loads: Vec<f64>,
    /// Interface unknowns.
    pub(crate) unknowns: Vec<f64>,
    /// Interface forces at the start and at the end of the step (N).
    pub(crate) start_forces: Vec<f64>,
    pub(crate) end_forces: Vec<f64>,
    /// Gaps, one a contact, and rates, one a contact row, at the start and, without contact impulses, at the end.
    pub(crate) start_gaps: Vec<f64>,
    pub(crate) start_rates: Vec<f64>,
    pub(crate) end_gaps: Vec<f64>,
    pub(crate) end_rates: Vec<f64>,
    /// By how much the contact rows move by themselves, `∂y/∂t`, at the start of the step and of the one before;
    /// empty where none does.
    pub(crate) own_rates: [Vec<f64>; 2],
    /// Impulses of contact loads that begin inside the step (N s), and their moments (N s²), by contact row.
    pub(crate) inner_loads: Vec<[f64; 2]>,
    /// Impulses of contacts and joints in the macro step at hand, in all its parts (N s).
    pub(crate) contact_impulses: Vec<f64>,
    pub(crate) has_contact_impulses: bool,
    pub(crate) joint_impulses: Vec<f64>,
    /// Gaps of the rigid joints at the end of the step (m), then what closes them (kg m).
    pub(crate) end_gaps_of_joints: Vec<f64>,
}

impl StepRows {
    pub(crate) fn new(layout: &Layout) -> Self {
        let (r, m, c, contact_rows) = (
            vec![0.0; layout.rows],
            vec![0.0; layout.unknowns],
            vec![0.0; layout.contacts.len()],
            vec![0.0; layout.contact_rows.len()],
        );
        Self {
            start_positions: r.clone(),
            start_velocities: r.clone(),
            next_positions: r.clone(),
            next_velocities: r.clone(),
            free_positions: r.clone(),
            free_velocities: r.clone(),
            end_positions: r.clone(),
            end_velocities: r.clone(),
            loads: r.clone(),
            start_loads: r,
            unknowns: m.clone(),
            start_forces: m.clone(),
            end_forces: m.clone(),
            joint_impulses: m.clone(),
            end_gaps_of_joints: m,
            start_gaps: c.clone(),
            start_rates: contact_rows.clone(),
            end_gaps: c,
            end_rates: contact_rows.clone(),
            inner_loads: vec![[0.0; 2]; contact_rows.len()],
            contact_impulses: contact_rows,
            has_contact_impulses: false,
            own_rates: [Vec::new(), Vec::new()],
        }
    }

    /// Begins the sums of impulses of a macro step.
    pub(crate) fn clear_impulses(&mut self) {
        if self.has_contact_impulses {
            self.contact_impulses.fill(0.0);
            self.has_contact_impulses = false;
        }
        self.joint_impulses.iter_mut().for_each(|sum| *sum = 0.0);
    }
}

/// Copies positions and velocities of the rows of one subsystem; says whether all are finite.
#[inline]
pub(crate) fn copy_rows(
    (positions, velocities): (&[f64], &[f64]),
    (own_positions, own_velocities): (&mut [f64], &mut [f64]),
) -> bool {
    // Zero times a number that is not finite is not a number.
    let mut nothing = 0.0;
    let own = own_positions.iter_mut().zip(own_velocities);
    for ((own_z, own_rate), (z, rate)) in own.zip(positions.iter().zip(velocities)) {
        (*own_z, *own_rate) = (*z, *rate);
        nothing += 0.0 * z + 0.0 * rate;
    }
    nothing == 0.0
}

impl Master {
    /// Takes over the rows of all subsystems at the present communication point.
    pub(crate) fn read_rows(&mut self) {
        for (member, subsystem) in self.layout.members.iter().zip(&self.subsystems) {
            let rows = subsystem.rows();
            let positions = &mut self.rows.start_positions[member.rows.clone()];
            let velocities = &mut self.rows.start_velocities[member.rows.clone()];
            copy_rows((&rows.positions, &rows.velocities), (positions, velocities));
        }
        self.look_around();
    }

    /// Takes over the rows of the communication point just reached.
    pub(crate) fn take_next_rows(&mut self) {
        std::mem::swap(&mut self.rows.start_positions, &mut self.rows.next_positions);
        std::mem::swap(&mut self.rows.start_velocities, &mut self.rows.next_velocities);
        self.look_around();
    }

    /// What follows from the rows at the present communication point: contacts, frames, forces of springs.
    #[inline]
    fn look_around(&mut self) {
        for (k, row) in self.layout.contact_rows.iter().enumerate() {
            if let Some(contact) = row.gap_of {
                self.rows.start_gaps[contact] = self.rows.start_positions[row.global_row];
            }
            self.rows.start_rates[k] = self.rows.start_velocities[row.global_row];
        }
        self.read_own_rates();
        if !self.layout.joints.is_empty() {
            self.look_at_joints();
        }
    }

    /// What follows at the joints: frames, and forces of springs.
    fn look_at_joints(&mut self) {
        let rows = (self.rows.start_positions.as_slice(), self.rows.start_velocities.as_slice());
        for &j in &self.layout.frames {
            let joint = &mut self.layout.joints[j];
            if let Some(frame) = &mut joint.frame {
                frame.read(&self.subsystems, rows);
                // The tangents of a bushing turn with its frame.
                self.condensation
                    .note(self.layout.members[joint.sides[0].subsystem].cluster, frame.is_compliant());
            }
        }
        self.read_spring_forces();
        self.warn_of_turned_bushings();
    }

    /// Forces of the compliant joints at the present communication point.
    fn read_spring_forces(&mut self) {
        let state = (self.rows.start_positions.as_slice(), self.rows.start_velocities.as_slice());
        for wire in self.condensation.wires.iter().filter(|wire| !wire.passes_impulses && wire.is_single) {
            self.rows.end_forces[wire.unknown()] = wire.spring_force(self.condensation.law(wire), state);
        }
        for &j in &self.condensation.coupled {
            let joint = &self.layout.joints[j];
            for k in 0..joint.size {
                if let Some(force) = joint.spring_force(k, state) {
                    self.rows.end_forces[joint.first + k] = force;
                }
            }
        }
    }

    fn read_own_rates(&mut self) {
        if self.rows.own_rates[0].is_empty() {
            return;
        }
        self.rows.own_rates.swap(0, 1);
        for (own, row) in self.rows.own_rates[0].iter_mut().zip(&self.layout.contact_rows) {
            let rows = self.subsystems[row.subsystem].rows();
            *own = rows.own_velocities.get(row.row).copied().unwrap_or(0.0);
        }
    }
}
