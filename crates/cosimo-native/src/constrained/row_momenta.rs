//! Momenta of rows that turn.
//!
//! A rule integrates the loads of momentum rows beside the motion, see [`Momenta`], and what it remembers of them is taken off, `p̂`. That of
//! ports is taken off along the rows as they stand. Impacts act on contacts: what the rule remembers of one acts along the direction
//! that the row had then, and taken off along one that has turned it would leave a rest, which rules without damping carry to and fro for
//! ever. It is remembered as forces on the coordinates of the system, `Zᵀ ℓ`, and taken off as such. A contact then passes on `Z₁ᵀ X` in a
//! step. Of the force `f` that lasts it passes on the mean of both directions, which is of order two where the row turns:
//!
//! ```text
//!   Z₁ᵀ X − (Z₁ − Z₀)ᵀ h f/2        f: of the mean forces X/h of the last two steps the one nearer to zero, none where their signs differ
//! ```
//!
//! An impact lasts no step and has no part in `f`.

use cosimo_dynamics::{LoadQuadrature, Momenta};

use super::rows::{ConstrainedRows, Directions};

/// What a rule that remembers loads remembers of the momenta of all rows.
#[derive(Debug)]
pub(super) struct RowMomenta {
    /// Of the rows of ports.
    ports: Momenta,
    /// Of contacts, on the coordinates of the system.
    coordinates: Momenta,
    /// Mean forces (N) of the last two steps on the rows of contacts, the last first.
    forces: Vec<[f64; 2]>,
    /// What is taken off the impulses of the step begun (N s), by row: `p̂` of ports, `h f/2` of contacts.
    off: Vec<f64>,
    /// That of contacts on the coordinates, along the directions of the start, `Z₀ᵀ h f/2` (N s).
    start: Vec<f64>,
    /// What acts on the coordinates besides the impulses on the rows, `Z₀ᵀ h f/2 − p̂` (N s).
    past: Vec<f64>,
    /// Room for one number per row, and one per coordinate.
    on_rows: Vec<f64>,
    on_coordinates: Vec<f64>,
    /// Whether the forces are those of a beginning from which no step has been taken: they are not part of the state.
    is_fresh: bool,
}

impl RowMomenta {
    /// Of these rows of a system of `n` coordinates, none of which has passed on anything.
    pub(super) fn zeros(n: usize, rows: &impl ConstrainedRows) -> Self {
        let (count, contacts) = (rows.len(), rows.contacts());
        Self {
            ports: Momenta::zeros(contacts.start),
            coordinates: Momenta::zeros(if contacts.is_empty() { 0 } else { n }),
            forces: vec![[0.0; 2]; contacts.len()],
            off: vec![0.0; count],
            start: vec![0.0; n],
            past: vec![0.0; n],
            on_rows: vec![0.0; count],
            on_coordinates: vec![0.0; n],
            is_fresh: false,
        }
    }

    /// Number of the rows of ports.
    fn of_ports(&self) -> usize {
        self.off.len() - self.forces.len()
    }

    /// Begins a step of size `h` (s) from the positions `q`.
    pub(super) fn begin(
        &mut self,
        (h, quadrature): (f64, LoadQuadrature),
        rows: &impl ConstrainedRows,
        q: &[f64],
    ) {
        self.ports.begin(quadrature);
        self.coordinates.begin(quadrature);
        self.off.fill(0.0);
        let first = self.of_ports();
        if let Some(carried) = self.coordinates.carried() {
            for (off, forces) in self.off[first..].iter_mut().zip(&self.forces) {
                *off = 0.5 * h * nearer_to_zero(*forces);
            }
            self.start.fill(0.0);
            rows.add_forces(Directions::at(q), 1.0, &self.off, &mut self.start);
            for (past, (start, carried)) in self.past.iter_mut().zip(self.start.iter().zip(carried)) {
                *past = start - carried;
            }
        }
        if let Some(carried) = self.ports.carried() {
            self.off[..first].copy_from_slice(carried);
        }
    }

    /// What acts on the coordinates in the step begun besides the impulses on the rows (N s), and the weight of its load (s);
    /// none where no contact has ever passed on a momentum.
    pub(super) fn past(&self) -> Option<(&[f64], f64)> {
        self.coordinates.carried().map(|_| (self.past.as_slice(), self.coordinates.end()))
    }

    /// What is taken off the impulses on the rows (N s), one per row; none where no row has ever passed on a momentum.
    pub(super) fn off(&self) -> Option<&[f64]> {
        self.ports.carried().or_else(|| self.coordinates.carried()).map(|_| self.off.as_slice())
    }

    /// Takes it over `weight` off loads on all rows.
    pub(super) fn take_off(&self, weight: f64, loads: &mut [f64]) {
        if let Some(off) = self.off() {
            loads.iter_mut().zip(off).for_each(|(load, off)| *load -= off / weight);
        }
    }

    /// Weight (s) of the load at the end of the step begun.
    pub(super) fn end(&self) -> f64 {
        self.ports.end()
    }

    /// Takes the step begun, of size `h` (s), with these momenta on the rows (N s), along these directions; rows without an entry have
    /// none.
    pub(super) fn commit(
        &mut self,
        (h, momenta): (f64, &[f64]),
        rows: &impl ConstrainedRows,
        along: Directions<'_>,
    ) {
        let first = self.of_ports();
        self.on_rows.fill(0.0);
        self.on_rows.iter_mut().zip(momenta).for_each(|(own, momentum)| *own = *momentum);
        self.ports.commit(&self.on_rows[..first]);
        if self.forces.is_empty() || !self.coordinates.remembers() {
            return;
        }
        self.on_rows[..first].fill(0.0);
        for (forces, momentum) in self.forces.iter_mut().zip(&self.on_rows[first..]) {
            *forces = [momentum / h, forces[0]];
        }
        self.on_coordinates.fill(0.0);
        if self.coordinates.carried().is_some() {
            self.on_coordinates.copy_from_slice(&self.start);
            self.on_rows[first..].iter_mut().zip(&self.off[first..]).for_each(|(own, off)| *own -= off);
        }
        rows.add_forces(along, 1.0, &self.on_rows, &mut self.on_coordinates);
        self.coordinates.commit(&self.on_coordinates);
        self.is_fresh = false;
    }

    /// Begins anew from the positions `q` with these loads on the rows (N).
    pub(super) fn restart(&mut self, loads: &[f64], rows: &impl ConstrainedRows, q: &[f64]) {
        let first = self.of_ports();
        self.ports.restart(&loads[..first]);
        self.on_rows.copy_from_slice(loads);
        self.on_rows[..first].fill(0.0);
        self.on_coordinates.fill(0.0);
        rows.add_forces(Directions::at(q), 1.0, &self.on_rows, &mut self.on_coordinates);
        self.coordinates.restart(&self.on_coordinates);
        self.forces.iter_mut().zip(&loads[first..]).for_each(|(own, load)| *own = [*load; 2]);
        self.is_fresh = true;
    }

    /// Forgets the force that lasted on a row, which now is that of another contact. What the rule remembers of it acts on the
    /// coordinates, and goes on.
    pub(super) fn forget_row(&mut self, row: usize) {
        let first = self.of_ports();
        if let Some(forces) = row.checked_sub(first).and_then(|row| self.forces.get_mut(row)) {
            *forces = [0.0; 2];
        }
    }

    /// Begins anew without loads.
    pub(super) fn clear(&mut self) {
        self.ports.clear();
        self.coordinates.clear();
        self.forces.fill([0.0; 2]);
        self.is_fresh = false;
    }

    /// How many numbers [`save`](Self::save) appends.
    pub(super) fn saved_length(&self) -> usize {
        2 * self.forces.len() + self.ports.saved_length() + self.coordinates.saved_length()
    }

    /// Appends what the rule remembers.
    pub(super) fn save(&self, out: &mut Vec<f64>) {
        if self.is_fresh {
            out.resize(out.len() + 2 * self.forces.len(), 0.0);
        } else {
            out.extend(self.forces.iter().flatten());
        }
        self.ports.save(out);
        self.coordinates.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; `None` when there are too few numbers.
    pub(super) fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let (own, saved) = saved.split_at_checked(2 * self.forces.len())?;
        for (force, values) in self.forces.iter_mut().zip(own.chunks_exact(2)) {
            force.copy_from_slice(values);
        }
        self.is_fresh = false;
        let taken = self.ports.restore(saved)?;
        self.coordinates.restore(&saved[taken..]).map(|_| ())
    }
}

/// The one nearer to zero of two numbers; zero where their signs differ.
fn nearer_to_zero([a, b]: [f64; 2]) -> f64 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}
