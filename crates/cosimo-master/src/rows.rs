//! The master's vectors: rows of all subsystems, unknowns of all interfaces, and what is read at a communication point.

use cosimo_subsystem::Subsystem;

use crate::motion::Motion;
use crate::topology::Topology;

/// A contact load that begins inside a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct InnerLoad {
    /// Impulse (N s).
    pub(crate) impulse: f64,
    /// Its moment about the end of the step (N s²).
    pub(crate) moment: f64,
}

/// The rows of all subsystems and the unknowns of all interfaces in the current step.
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
    /// The part of them that belongs to momenta, where forces are known at an instant.
    pub(crate) start_momenta: Vec<f64>,
    /// Momenta over the step on all rows: the part of the loads that belongs to joints that pass impulses, and to contacts of the plain
    /// problem.
    pub(crate) momenta: Vec<f64>,
    /// Loads of load ports on all rows.
    pub(crate) expected: ExpectedRows,
    /// Interface unknowns.
    pub(crate) unknowns: Vec<f64>,
    /// The part of them that impacts pass, which Tikhonov joints do not give way to, and whether there is any.
    pub(crate) impact_unknowns: Vec<f64>,
    pub(crate) has_impact_unknowns: bool,
    /// Interface forces at the start of the step (N).
    pub(crate) start_forces: Vec<f64>,
    /// Those by which Tikhonov joints are open.
    pub(crate) relaxed_forces: Vec<f64>,
    /// By how much the ends are moved to close the gaps of joints (m).
    pub(crate) moved: Vec<f64>,
    /// Gaps, one per contact, and rates, one per contact row, at the start and, without contact impulses, at the end. Absent contacts
    /// have infinite gaps and no rates.
    pub(crate) start_gaps: Vec<f64>,
    pub(crate) start_rates: Vec<f64>,
    /// Rates at the start as the contacts of an iterative scheme see them, see `contacts/locked`.
    pub(crate) rates_before: Vec<f64>,
    pub(crate) end_gaps: Vec<f64>,
    pub(crate) end_rates: Vec<f64>,
    /// The largest length (m) that the gap of each contact is a difference of, and the largest speed (m/s) of its rate, at the start;
    /// zero where they are not told.
    pub(crate) lengths: Vec<f64>,
    pub(crate) speeds: Vec<f64>,
    /// Of every row, whether it is one of a contact that its subsystem reports as absent.
    pub(crate) is_absent_row: Vec<bool>,
    /// Whether subsystems report which of their contacts are absent.
    pub(crate) has_absent: bool,
    /// Whether any subsystem tells lengths and speeds.
    pub(crate) has_scales: bool,
    /// By how much the contact rows move by themselves, `∂y/∂t`, at the start of the step and of the one before;
    /// empty where none does.
    pub(crate) own_rates: [Vec<f64>; 2],
    /// Contact loads that begin inside the step, by contact row.
    pub(crate) inner_loads: Vec<InnerLoad>,
    /// Gaps of the joints that pass impulses at the end of the step (m), then what closes them (kg m).
    pub(crate) end_gaps_of_joints: Vec<f64>,
}

impl StepRows {
    /// By how much a contact row moves by itself in the step just taken, in the mean (m/s).
    pub(crate) fn mean_own_rate(&self, row: usize) -> f64 {
        let [end, start] = &self.own_rates;
        end.get(row).zip(start.get(row)).map_or(0.0, |(end, start)| 0.5 * (start + end))
    }
}

/// What load ports are expected to do to all rows over a step (N).
#[derive(Debug, Default)]
pub(crate) struct ExpectedRows {
    /// Loads at the start and, as predicted, at the end.
    pub(crate) loads: [Vec<f64>; 2],
    /// No loads.
    pub(crate) none: Vec<f64>,
}

impl StepRows {
    /// Rows at the start of the step.
    pub(crate) fn start(&self) -> Motion<'_> {
        Motion { positions: &self.start_positions, velocities: &self.start_velocities }
    }

    /// Whether a contact is absent in the current step.
    pub(crate) fn is_absent(&self, contact: usize) -> bool {
        self.start_gaps[contact] == f64::INFINITY
    }

    /// Rounding of the gap of a contact (m): one below is zero.
    pub(crate) fn gap_rounding(&self, contact: usize) -> f64 {
        cosimo_nonsmooth::gap_rounding(self.lengths[contact])
    }

    /// Forgets what impacts have passed.
    pub(crate) fn clear_impact_unknowns(&mut self) {
        if std::mem::take(&mut self.has_impact_unknowns) {
            self.impact_unknowns.fill(0.0);
        }
    }

    /// Takes the ends of the contact rows as those of a step without contact impulses.
    pub(crate) fn take_contact_ends(&mut self, topology: &Topology) {
        for (k, row) in topology.contact_rows.iter().enumerate() {
            if let Some(contact) = row.gap_of {
                self.end_gaps[contact] = self.end_positions[row.global_row];
            }
            self.end_rates[k] = self.end_velocities[row.global_row];
        }
        self.open_absent(topology);
    }

    /// Moves the ends of absent contacts out of reach.
    pub(crate) fn open_absent(&mut self, topology: &Topology) {
        for (c, contact) in topology.contacts.iter().enumerate() {
            if self.is_absent(c) {
                self.end_gaps[c] = f64::INFINITY;
                contact.rows().for_each(|row| self.end_rates[row] = 0.0);
            }
        }
    }

    /// Rows at the end of the step.
    pub(crate) fn end(&self) -> Motion<'_> {
        Motion { positions: &self.end_positions, velocities: &self.end_velocities }
    }

    /// The same with room for what these subsystems tell of their contacts: rows that move by themselves, and what gaps are differences of.
    pub(crate) fn with_contacts_of(mut self, topology: &Topology, subsystems: &[Box<dyn Subsystem>]) -> Self {
        self.has_absent = subsystems.iter().any(|subsystem| !subsystem.rows().absent.is_empty());
        self.has_scales = subsystems.iter().any(|subsystem| !subsystem.rows().scales.is_empty());
        if subsystems.iter().any(|subsystem| !subsystem.rows().surface_velocities.is_empty()) {
            self.own_rates = [(); 2].map(|()| vec![0.0; topology.contact_rows.len()]);
        }
        self
    }

    pub(crate) fn new(topology: &Topology) -> Self {
        let (r, m, c, contact_rows) = (
            vec![0.0; topology.rows],
            vec![0.0; topology.unknowns],
            vec![0.0; topology.contacts.len()],
            vec![0.0; topology.contact_rows.len()],
        );
        Self {
            expected: ExpectedRows { loads: [r.clone(), r.clone()], none: r.clone() },
            start_positions: r.clone(),
            start_velocities: r.clone(),
            next_positions: r.clone(),
            next_velocities: r.clone(),
            free_positions: r.clone(),
            free_velocities: r.clone(),
            end_positions: r.clone(),
            end_velocities: r.clone(),
            loads: r.clone(),
            start_loads: r.clone(),
            start_momenta: r.clone(),
            momenta: r.clone(),
            unknowns: m.clone(),
            impact_unknowns: m.clone(),
            has_impact_unknowns: false,
            start_forces: m.clone(),
            relaxed_forces: m.clone(),
            moved: r,
            end_gaps_of_joints: m,
            lengths: c.clone(),
            speeds: c.clone(),
            has_scales: false,
            is_absent_row: vec![false; topology.rows],
            has_absent: false,
            start_gaps: c.clone(),
            start_rates: contact_rows.clone(),
            rates_before: contact_rows.clone(),
            end_gaps: c,
            end_rates: contact_rows,
            inner_loads: vec![InnerLoad::default(); topology.contact_rows.len()],
            own_rates: [Vec::new(), Vec::new()],
        }
    }
}

/// Copies positions and velocities of the rows of one subsystem; says whether all are finite.
#[inline]
pub(crate) fn copy_rows(
    Motion { positions, velocities }: Motion<'_>,
    own_positions: &mut [f64],
    surface_velocities: &mut [f64],
) -> bool {
    // Zero times a number that is not finite is not a number.
    let mut nothing = 0.0;
    let own = own_positions.iter_mut().zip(surface_velocities);
    for ((own_z, own_rate), (z, rate)) in own.zip(positions.iter().zip(velocities)) {
        (*own_z, *own_rate) = (*z, *rate);
        nothing += 0.0 * z + 0.0 * rate;
    }
    nothing == 0.0
}
