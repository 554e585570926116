//! Momenta of rows that turn.
//!
//! A rule integrates the loads of momentum rows beside the motion, see [`Momenta`]. What it remembers of a load acts along the direction
//! that the row had then, and is no load on the row as it stands now: it is remembered as forces on the coordinates of the system,
//! `Zᵀ ℓ`, and taken off as such. A row then passes on `Z₁ᵀ X` in a step. Of the force `f` that lasts it passes on the mean of both
//! directions, which is of order two where the row turns:
//!
//! ```text
//!   Z₁ᵀ X − (Z₁ − Z₀)ᵀ h f/2        f: of the mean forces X/h of the last two steps the one nearer to zero, none where their signs differ
//! ```
//!
//! An impact lasts no step and has no part in `f`. Rules without damping carry what they remember of it for ever, to and fro.

use cosimo_dynamics::{LoadQuadrature, Momenta};

use super::rows::{Directions, Rows};

/// What a rule that remembers loads remembers of the momenta of all rows.
#[derive(Debug)]
pub(super) struct RowMomenta {
    /// Of the coordinates of the system.
    coordinates: Momenta,
    /// Mean forces (N) of the last two steps, by row, the last first.
    forces: Vec<[f64; 2]>,
    /// `h f/2` of the step begun (N s), by row.
    lasting: Vec<f64>,
    /// The same on the coordinates, `Z₀ᵀ h f/2`.
    start: Vec<f64>,
    /// What acts on them besides the impulses on the rows, `Z₀ᵀ h f/2 − p̂` (N s).
    past: Vec<f64>,
    /// Room for one number a row, and one a coordinate.
    on_rows: Vec<f64>,
    on_coordinates: Vec<f64>,
    /// Whether the forces are those of a beginning from which no step has been taken: they are not part of the state.
    is_fresh: bool,
}

impl RowMomenta {
    /// Of so many rows of a system of `n` coordinates, none of which has passed on anything.
    pub(super) fn zeros(n: usize, rows: usize) -> Self {
        Self {
            coordinates: Momenta::zeros(n),
            forces: vec![[0.0; 2]; rows],
            lasting: vec![0.0; rows],
            start: vec![0.0; n],
            past: vec![0.0; n],
            on_rows: vec![0.0; rows],
            on_coordinates: vec![0.0; n],
            is_fresh: false,
        }
    }

    /// Begins a step of size `h` (s) from the positions `q`.
    pub(super) fn begin(&mut self, (h, quadrature): (f64, LoadQuadrature), rows: &impl Rows, q: &[f64]) {
        self.coordinates.begin(quadrature);
        let Some(carried) = self.coordinates.carried() else { return };
        for (lasting, forces) in self.lasting.iter_mut().zip(&self.forces) {
            *lasting = 0.5 * h * nearer_to_zero(*forces);
        }
        self.start.fill(0.0);
        rows.add_forces(Directions::at(q), (1.0, &self.lasting), &mut self.start);
        for (past, (start, carried)) in self.past.iter_mut().zip(self.start.iter().zip(carried)) {
            *past = start - carried;
        }
    }

    /// What acts on the coordinates in the step begun besides the impulses on the rows (N s), and the weight of its load (s);
    /// none where no row has ever passed on a momentum.
    pub(super) fn past(&self) -> Option<(&[f64], f64)> {
        self.coordinates.carried().map(|_| (self.past.as_slice(), self.coordinates.end()))
    }

    /// What of the impulses on the rows acts along their directions of the start (N s), one a row; none where there is none.
    pub(super) fn lasting(&self) -> Option<&[f64]> {
        self.coordinates.carried().map(|_| self.lasting.as_slice())
    }

    /// Takes `h f/2` over `weight` off loads on all rows.
    pub(super) fn take_off(&self, weight: f64, loads: &mut [f64]) {
        if let Some(lasting) = self.lasting() {
            loads.iter_mut().zip(lasting).for_each(|(load, lasting)| *load -= lasting / weight);
        }
    }

    /// Takes the step begun, of size `h` (s), with these momenta on the rows (N s), along these directions; rows without an entry have
    /// none.
    pub(super) fn commit(&mut self, (h, momenta): (f64, &[f64]), rows: &impl Rows, along: Directions<'_>) {
        if !self.coordinates.remembers() {
            return;
        }
        self.on_coordinates.fill(0.0);
        self.on_rows.fill(0.0);
        self.on_rows.iter_mut().zip(momenta).for_each(|(own, momentum)| *own = *momentum);
        if self.coordinates.carried().is_some() {
            self.on_coordinates.copy_from_slice(&self.start);
            self.on_rows.iter_mut().zip(&self.lasting).for_each(|(own, lasting)| *own -= lasting);
        }
        rows.add_forces(along, (1.0, &self.on_rows), &mut self.on_coordinates);
        self.coordinates.commit(&self.on_coordinates);
        let all = momenta.iter().copied().chain(std::iter::repeat(0.0));
        self.forces.iter_mut().zip(all).for_each(|(own, momentum)| *own = [momentum / h, own[0]]);
        self.is_fresh = false;
    }

    /// Begins anew from the positions `q` with these loads on the rows (N).
    pub(super) fn restart(&mut self, loads: &[f64], rows: &impl Rows, q: &[f64]) {
        self.on_coordinates.fill(0.0);
        rows.add_forces(Directions::at(q), (1.0, loads), &mut self.on_coordinates);
        self.coordinates.restart(&self.on_coordinates);
        self.forces.iter_mut().zip(loads).for_each(|(own, load)| *own = [*load; 2]);
        self.is_fresh = true;
    }

    /// Begins anew without loads.
    pub(super) fn clear(&mut self) {
        self.coordinates.clear();
        self.forces.fill([0.0; 2]);
        self.is_fresh = false;
    }

    /// How many numbers [`save`](Self::save) appends.
    pub(super) fn saved_length(&self) -> usize {
        2 * self.forces.len() + self.coordinates.saved_length()
    }

    /// Appends what the rule remembers.
    pub(super) fn save(&self, out: &mut Vec<f64>) {
        if self.is_fresh {
            out.resize(out.len() + 2 * self.forces.len(), 0.0);
        } else {
            out.extend(self.forces.iter().flatten());
        }
        self.coordinates.save(out);
    }

    /// Reads back what [`save`](Self::save) wrote; `None` when there are too few numbers.
    pub(super) fn restore(&mut self, saved: &[f64]) -> Option<()> {
        let (own, saved) = saved.split_at_checked(2 * self.forces.len())?;
        for (force, values) in self.forces.iter_mut().zip(own.chunks_exact(2)) {
            force.copy_from_slice(values);
        }
        self.is_fresh = false;
        self.coordinates.restore(saved).map(|_| ())
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
