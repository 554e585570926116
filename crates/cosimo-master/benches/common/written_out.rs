//! The scheme of the master written out for linear systems of any number of coordinates, contacts and port rows, in nalgebra's
//! dynamic types: what someone writes who needs one program for many models, but no black boxes.
//!
//! θ = ½, frictionless contacts with Newton's impact law at the instants where they close, energies of every step. Factors and
//! vectors are kept; a step allocates nothing unless a contact closes.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// `M a + K q = f` with unilateral constraints `N q ≥ 0` and port rows `P q`.
pub(crate) struct System {
    pub(crate) mass: DMatrix<f64>,
    pub(crate) stiffness: DMatrix<f64>,
    pub(crate) force: DVector<f64>,
    pub(crate) contacts: DMatrix<f64>,
    pub(crate) restitution: f64,
    pub(crate) ports: DMatrix<f64>,
    pub(crate) q: DVector<f64>,
    pub(crate) v: DVector<f64>,
}

/// A system and what a step of one size needs of it.
pub(crate) struct Stepper {
    system: System,
    step: f64,
    factor: Cholesky<f64, Dyn>,
    /// `S⁻¹ Nᵀ` and `S⁻¹ Pᵀ`, `S` the iteration matrix.
    by_contacts: DMatrix<f64>,
    by_ports: DMatrix<f64>,
    /// Port inverse mass `P S⁻¹ Pᵀ` and Delassus operator `N S⁻¹ Nᵀ`.
    pub(crate) inverse_mass: DMatrix<f64>,
    delassus: DMatrix<f64>,
    middle: DVector<f64>,
    acceleration: DVector<f64>,
    end_q: DVector<f64>,
    end_v: DVector<f64>,
    /// Port rows at the end of the step: positions, velocities.
    pub(crate) ends: [DVector<f64>; 2],
    /// Gaps at the end, gaps and rates at the start.
    gaps: [DVector<f64>; 3],
    /// Contact impulses of the step.
    impulses: DVector<f64>,
    pub(crate) energy: f64,
}

impl Stepper {
    pub(crate) fn new(system: System, step: f64) -> Self {
        let iteration = &system.mass + &system.stiffness * (0.25 * step * step);
        let factor = Cholesky::new(iteration).unwrap();
        let by_contacts = factor.solve(&system.contacts.transpose());
        let by_ports = factor.solve(&system.ports.transpose());
        let (n, c, p) = (system.q.len(), system.contacts.nrows(), system.ports.nrows());
        let zeros = DVector::zeros;
        Self {
            inverse_mass: &system.ports * &by_ports,
            delassus: &system.contacts * &by_contacts,
            middle: zeros(n),
            acceleration: zeros(n),
            end_q: zeros(n),
            end_v: zeros(n),
            ends: [zeros(p), zeros(p)],
            gaps: [zeros(c), zeros(c), zeros(c)],
            impulses: zeros(c),
            energy: 0.0,
            system,
            step,
            factor,
            by_contacts,
            by_ports,
        }
    }

    /// Response of the step without loads.
    pub(crate) fn begin(&mut self) {
        let (s, h) = (&self.system, self.step);
        self.middle.copy_from(&s.q);
        self.middle.axpy(0.5 * h, &s.v, 1.0);
        self.acceleration.copy_from(&s.force);
        self.acceleration.gemv(-1.0, &s.stiffness, &self.middle, 1.0);
        self.factor.solve_mut(&mut self.acceleration);
        self.end_v.copy_from(&s.v);
        self.end_v.axpy(h, &self.acceleration, 1.0);
        self.end_q.copy_from(&s.q);
        self.end_q.axpy(h, &s.v, 1.0);
        self.end_q.axpy(0.5 * h * h, &self.acceleration, 1.0);
        self.observe();
    }

    /// Adds the answer to impulses on the port rows.
    pub(crate) fn load(&mut self, impulses: &DVector<f64>) {
        self.end_v.gemv(1.0, &self.by_ports, impulses, 1.0);
        self.end_q.gemv(0.5 * self.step, &self.by_ports, impulses, 1.0);
        self.observe();
    }

    fn observe(&mut self) {
        self.ends[0].gemv(1.0, &self.system.ports, &self.end_q, 0.0);
        self.ends[1].gemv(1.0, &self.system.ports, &self.end_v, 0.0);
        self.gaps[0].gemv(1.0, &self.system.contacts, &self.end_q, 0.0);
    }

    /// Jumps at the contacts that close, takes the step and measures its energy; whether all is finite.
    pub(crate) fn take(&mut self) -> bool {
        self.impulses.fill(0.0);
        if self.gaps[0].iter().any(|gap| *gap <= 0.0) {
            self.impact();
        }
        let s = &mut self.system;
        std::mem::swap(&mut s.q, &mut self.end_q);
        std::mem::swap(&mut s.v, &mut self.end_v);
        self.middle.gemv(0.5, &s.mass, &s.v, 0.0);
        self.energy = self.middle.dot(&s.v) - s.force.dot(&s.q);
        self.middle.gemv(0.5, &s.stiffness, &s.q, 0.0);
        self.energy += self.middle.dot(&s.q);
        self.energy.is_finite()
    }

    /// Jumps at the instant at which the first contact closes, by projected sweeps over all that have closed.
    fn impact(&mut self) {
        let (s, h) = (&self.system, self.step);
        let [ends, gaps, rates] = &mut self.gaps;
        gaps.gemv(1.0, &s.contacts, &s.q, 0.0);
        rates.gemv(1.0, &s.contacts, &s.v, 0.0);
        let time = (0..gaps.len()).filter(|k| ends[*k] <= 0.0).map(|k| {
            let a = 2.0 * (ends[k] - gaps[k] - h * rates[k]) / (h * h);
            2.0 * gaps[k] / (-rates[k] + (rates[k] * rates[k] - 2.0 * a * gaps[k]).sqrt())
        });
        let time = time.fold(h, f64::min);
        let mut approach = &s.v + (&self.end_v - &s.v) * (time / h);
        approach = &s.contacts * approach * (1.0 + s.restitution);
        for _ in 0..100 {
            for k in (0..gaps.len()).filter(|k| ends[*k] <= 0.0) {
                let rate = approach[k] + self.delassus.row(k).transpose().dot(&self.impulses);
                self.impulses[k] = (self.impulses[k] - rate / self.delassus[(k, k)]).max(0.0);
            }
        }
        let jump = &self.by_contacts * &self.impulses;
        self.end_q.axpy(h - time, &jump, 1.0);
        self.end_v += jump;
    }
}

/// Two systems on a spring between their first port rows, solved together as the condensed scheme does.
pub(crate) struct Pair {
    pub(crate) parts: [Stepper; 2],
    stiffness: f64,
    gap: f64,
    /// What a contact impulse on the first system adds to the impulse of the spring.
    passed_on: DVector<f64>,
    loads: [DVector<f64>; 2],
    pub(crate) energy: f64,
}

impl Pair {
    pub(crate) fn new(mut parts: [Stepper; 2], stiffness: f64) -> Self {
        let loads = [0, 1].map(|k: usize| DVector::zeros(parts[k].inverse_mass.nrows()));
        let gap = |part: &Stepper| (part.system.ports.row(0) * &part.system.q)[0];
        let gap = gap(&parts[0]) - gap(&parts[1]);
        let quarter = 0.25 * parts[0].step * parts[0].step * stiffness;
        let inverse_mass = parts[0].inverse_mass[(0, 0)] + parts[1].inverse_mass[(0, 0)];
        let a = &mut parts[0];
        let motion = (a.system.ports.row(0) * &a.by_contacts).transpose();
        let passed_on = motion * (quarter / (1.0 + quarter * inverse_mass));
        a.by_contacts -= a.by_ports.column(0) * passed_on.transpose();
        a.delassus = &a.system.contacts * &a.by_contacts;
        Self { gap, parts, stiffness, passed_on, loads, energy: 0.0 }
    }

    /// One step; whether all is finite.
    pub(crate) fn step(&mut self) -> bool {
        let h = self.parts[0].step;
        self.parts.iter_mut().for_each(Stepper::begin);
        // The mean of the spring's force over the step: x = h k (g₀ + g₁)/2, g₁ = free − h/2 W x.
        let [a, b] = &self.parts;
        let (free, inverse_mass) =
            (a.ends[0][0] - b.ends[0][0], a.inverse_mass[(0, 0)] + b.inverse_mass[(0, 0)]);
        let half = 0.5 * h * self.stiffness;
        let x = half * (self.gap + free) / (1.0 + half * 0.5 * h * inverse_mass);
        (self.loads[0][0], self.loads[1][0]) = (-x, x);
        for (part, load) in self.parts.iter_mut().zip(&self.loads) {
            part.load(load);
        }
        let [a, b] = &mut self.parts;
        let mut is_finite = a.take();
        let passed_on = self.passed_on.dot(&a.impulses);
        if passed_on != 0.0 {
            self.loads[1][0] = passed_on;
            b.load(&self.loads[1]);
        }
        is_finite &= b.take();
        [&mut *a, &mut *b].into_iter().for_each(Stepper::observe_taken);
        self.gap = a.ends[0][0] - b.ends[0][0];
        self.energy = a.energy + b.energy + 0.5 * self.stiffness * self.gap * self.gap;
        is_finite
    }
}

impl Stepper {
    /// Port rows after the step taken, impacts included.
    fn observe_taken(&mut self) {
        self.ends[0].gemv(1.0, &self.system.ports, &self.system.q, 0.0);
    }

    pub(crate) fn positions(&self) -> &DVector<f64> {
        &self.system.q
    }
}
