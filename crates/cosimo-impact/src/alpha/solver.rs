//! Newton's method on the three parts of a step.

use cosimo_dynamics::Motion;
use cosimo_smooth::dae::TangentPoint;

use super::full::AllAtOnce;
use super::part::Part;
use super::sets::{ActiveSets, Augmented};
use crate::contact_problem::{ContactLaw, ContactProblem};
use crate::error::ImpactError;
use crate::matrices::{ContactJacobian, StepMatrices};
use crate::norm::largest;
use crate::plan::Plan;
use crate::rules::{NewmarkParameters, PreviousStep};
use crate::scheme::{Correction, Restitution, SmoothConstraints};
use crate::state::ImpactState;
use crate::step_problem::{ContactStep, StepEffort, StepProblem};
use crate::tape::Tape;

/// What a step adds to the smooth motion, with the multipliers of its constraints and of its contacts, all rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Jump {
    pub(super) change: Vec<f64>,
    pub(super) constraints: Vec<f64>,
    pub(super) contacts: Vec<f64>,
}

impl Jump {
    fn zeros(n: usize, m: usize, rows: usize) -> Self {
        Self { change: vec![0.0; n], constraints: vec![0.0; m], contacts: vec![0.0; rows] }
    }

    pub(super) fn clear(&mut self) {
        self.change.fill(0.0);
        self.constraints.fill(0.0);
        self.contacts.fill(0.0);
    }
}

/// Sizes of a correction, as velocities (m/s).
#[derive(Debug, Clone, Copy)]
pub(super) struct Corrected {
    pub(super) all: f64,
    /// Of the parts that were corrected after the smooth motion, whose balance they have changed again.
    pub(super) unsettling: f64,
}

/// Multipliers of the smooth motion, one a contact: `λ` at the start and at the end, `η` that follows it.
#[derive(Debug, Clone, Default)]
pub(crate) struct SmoothForces {
    pub(crate) start: Vec<f64>,
    algorithmic: Vec<f64>,
    pub(super) end: Vec<f64>,
    /// Share of `η − λ` that goes on into the current step.
    carried: f64,
}

impl SmoothForces {
    /// `η` of a contact at the start and at the end.
    fn followed(&self, parameters: &NewmarkParameters, contact: usize) -> (f64, f64) {
        let (kappa, share_u, share_a) = parameters.known();
        let start = self.start[contact];
        let before = (1.0 - self.carried) * start + self.carried * self.algorithmic[contact];
        (before, kappa * self.end[contact] + share_u * start + share_a * before)
    }

    /// What the smooth motion has of the impulse of a contact in a step of size `h` (s), `Λ* − Λ` (N s).
    pub(super) fn impulse(&self, parameters: &NewmarkParameters, h: f64, contact: usize) -> f64 {
        let (before, after) = self.followed(parameters, contact);
        h * ((1.0 - parameters.gamma) * before + parameters.gamma * after)
    }

    /// The same of the double integral, `ν* − ν` (kg m).
    fn double_impulse(&self, parameters: &NewmarkParameters, h: f64, contact: usize) -> f64 {
        let (before, after) = self.followed(parameters, contact);
        h * h * ((0.5 - parameters.beta) * before + parameters.beta * after)
    }

    /// Takes the end for the next start.
    fn accept(&mut self, parameters: &NewmarkParameters) {
        for contact in 0..self.end.len() {
            self.algorithmic[contact] = self.followed(parameters, contact).1;
        }
        self.start.copy_from_slice(&self.end);
    }
}

/// Rows of the contacts at the end, one a contact.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) gaps: Vec<f64>,
    /// All rows.
    pub(super) rates: Vec<f64>,
    /// `U + e U⁻` and `g̈` of the normals.
    pub(super) rebounds: Vec<f64>,
    pub(super) accelerations: Vec<f64>,
    pub(super) curvature: Vec<f64>,
    /// `ν*` and `Λ*`.
    pub(super) double_impulses: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    pub(super) weights: Vec<f64>,
    pub(super) offsets: Vec<f64>,
}

/// Solves the step of the nonsmooth generalized-α method.
#[derive(Debug)]
pub(crate) struct AlphaSolver {
    pub(super) parameters: NewmarkParameters,
    previous: PreviousStep,
    pub(super) smooth: SmoothConstraints,
    pub(super) restitution: Restitution,
    pub(super) plan: Plan,
    pub(super) matrices: StepMatrices,
    pub(super) jacobian: ContactJacobian,
    pub(crate) forces: SmoothForces,
    pub(super) position: Jump,
    pub(super) velocity: Jump,
    /// The part of `W` that friction makes.
    pub(super) slip: Vec<f64>,
    /// Where all parts are corrected at once.
    pub(super) full: Option<AllAtOnce>,
    pub(super) parts: [Part; 3],
    pub(super) problem: ContactProblem,
    pub(super) sets: ActiveSets,
    pub(super) last_sets: ActiveSets,
    pub(super) rows: Rows,
    pub(super) v: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) unknowns: Vec<f64>,
    pub(super) work: Vec<f64>,
    pub(super) offset: Vec<f64>,
    pub(super) totals: Vec<f64>,
}

impl AlphaSolver {
    pub(crate) fn new(
        p: &StepProblem<'_>,
        (radius, smooth, restitution): (f64, SmoothConstraints, Restitution),
        correction: Correction,
    ) -> Result<Self, ImpactError> {
        let (structure, layout) = (p.system.structure(), p.contacts.layout());
        let (n, m) = (structure.velocities(), structure.rows());
        let (contacts, rows) = (layout.contacts().len(), layout.rows());
        let of_contacts = || vec![0.0; contacts];
        let mut solver = Self {
            parameters: NewmarkParameters::generalized_alpha(radius),
            smooth,
            restitution,
            plan: Plan::zeros(n),
            matrices: StepMatrices::new(p.system, p.start.time, &p.start.q)?,
            jacobian: ContactJacobian::new(layout, structure.coordinates()),
            forces: SmoothForces {
                start: of_contacts(),
                algorithmic: of_contacts(),
                end: of_contacts(),
                carried: 0.0,
            },
            previous: PreviousStep::default(),
            position: Jump::zeros(n, m, rows),
            velocity: Jump::zeros(n, m, rows),
            slip: vec![0.0; n + m],
            full: (correction == Correction::Full).then(|| AllAtOnce::new(p.system, p.contacts)),
            parts: Default::default(),
            problem: ContactProblem::new(layout.dimension(), ContactLaw::Coulomb)?,
            sets: ActiveSets::default(),
            last_sets: ActiveSets::default(),
            rows: Rows {
                gaps: of_contacts(),
                rates: vec![0.0; rows],
                rebounds: of_contacts(),
                accelerations: of_contacts(),
                curvature: vec![0.0; rows],
                double_impulses: of_contacts(),
                impulses: of_contacts(),
                weights: vec![1.0; contacts],
                offsets: of_contacts(),
            },
            v: vec![0.0; n],
            x: vec![0.0; n],
            q: p.start.q.clone(),
            unknowns: vec![0.0; n + m],
            work: vec![0.0; n],
            offset: Vec::new(),
            totals: Vec::new(),
        };
        solver.weigh(p)?;
        Ok(solver)
    }

    /// Begins at forces that act on the smooth motion.
    pub(crate) fn begin_with(&mut self) {
        self.forces.algorithmic.copy_from_slice(&self.forces.start);
    }

    /// `r` of every contact: the mass that it sees at the start.
    fn weigh(&mut self, p: &StepProblem<'_>) -> Result<(), ImpactError> {
        let motion = p.start.motion();
        let at = TangentPoint { motion, a: &p.start.a, mu: &p.start.mu };
        self.matrices.mass.factorize(p.system, (0.0, 0.0), at)?;
        self.jacobian.update(p.contacts, motion.t, motion.q);
        let n = self.v.len();
        for contact in 0..self.rows.weights.len() {
            let row = contact * p.contacts.layout().dimension();
            self.jacobian.row(row, &mut self.work);
            self.unknowns[..n].copy_from_slice(&self.work);
            self.unknowns[n..].fill(0.0);
            self.matrices.mass.solve(&mut self.unknowns);
            let mobility = self.jacobian.product(row, &self.unknowns);
            self.rows.weights[contact] = if mobility > 0.0 { mobility.recip() } else { 1.0 };
        }
        Ok(())
    }

    /// Solves the step; `end` holds the first guess of acceleration and multipliers, `found` takes the impulses.
    pub(crate) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        (end, found): (&mut ImpactState, &mut ContactStep),
    ) -> Result<StepEffort, ImpactError> {
        self.begin(p);
        self.move_velocity(end);
        self.move_position(p, end);
        let before = self.matrices.factorizations;
        let (mut change, mut last) = (f64::INFINITY, f64::INFINITY);
        // Whether the last correction was below the tolerance, and whether it has solved the equations of its sets.
        let (mut is_small, mut is_exact) = (false, false);
        for iteration in 0..=p.settings.max_iterations {
            self.look(p, end);
            if (is_small || is_exact) && self.sets == self.last_sets {
                self.finish(p, end, found);
                let factorizations = self.matrices.factorizations - before;
                let iterations = iteration - usize::from(is_small);
                return Ok(StepEffort { iterations, factorizations });
            }
            self.refresh(p, end)?;
            let corrected = self.improve(p, end)?;
            change = corrected.all;
            self.last_sets.copy(&self.sets);
            let allowed = p.settings.tolerance * (1.0 + largest(&self.v));
            is_small = change <= allowed || (change <= 100.0 * allowed && change >= 0.5 * last);
            if !change.is_finite() {
                break;
            }
            last = change;
            // Friction moves the position after it was corrected.
            let has_friction = p.contacts.layout().dimension() > 1;
            is_exact = p.is_linear() && !has_friction && corrected.unsettling <= allowed;
        }
        let (time, size, iterations) = (p.start.time, p.h, p.settings.max_iterations);
        Err(ImpactError::NotConverged { time, size, iterations, change })
    }

    /// Corrects the parts, and moves the end.
    fn improve(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<Corrected, ImpactError> {
        let corrected = match self.correct_all(p, end) {
            Some(corrected) => {
                self.move_position(p, end);
                corrected
            }
            None => {
                self.prepare_parts(p, end);
                self.correct(p, end)?
            }
        };
        self.move_velocity(end);
        Ok(corrected)
    }

    fn begin(&mut self, p: &StepProblem<'_>) {
        self.plan.h = p.h;
        self.forces.carried = self.previous.carried(p.h);
        self.parameters.plan_end(p.h, self.forces.carried, p.start, &mut self.plan);
        self.position.clear();
        self.velocity.clear();
        self.slip.fill(0.0);
        self.forces.end.copy_from_slice(&self.forces.start);
        let d = p.contacts.layout().dimension();
        for contact in 0..self.rows.offsets.len() {
            let rate = p.start_rates[contact * d];
            let seen = if self.restitution == Restitution::Approaching { rate.min(0.0) } else { rate };
            self.rows.offsets[contact] = p.restitution(contact) * seen;
        }
    }

    /// The end velocity for the present unknowns.
    pub(super) fn move_velocity(&mut self, end: &ImpactState) {
        let c_v = self.plan.end.by_acceleration.0;
        let known = self.plan.end.velocity.iter().zip(&self.velocity.change);
        for ((v, a), (explicit, jump)) in self.v.iter_mut().zip(&end.a).zip(known) {
            *v = explicit + c_v * a + jump;
        }
    }

    /// The end position for the present unknowns.
    pub(super) fn move_position(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let (c_q, half) = (self.plan.end.by_acceleration.1, 0.5 * self.plan.h);
        let known = self.plan.end.increment.iter().zip(&self.position.change);
        let smooth = self.x.iter_mut().zip(&end.a).zip(&self.slip);
        for (((x, a), slip), (explicit, jump)) in smooth.zip(known) {
            *x = explicit + c_q * a + half * slip + jump;
        }
        p.coordinates().move_by(&p.start.q, &self.x, &mut self.q);
    }

    /// What contacts have at the end, and the sets of active ones.
    fn look(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        let (rows, d) = (&mut self.rows, p.contacts.layout().dimension());
        p.contacts.gaps(motion.t, motion.q, &mut rows.gaps);
        p.contacts.rates(motion, &mut rows.rates);
        p.contacts.curvature(motion, &mut rows.curvature);
        self.jacobian.update(p.contacts, motion.t, motion.q);
        for c in 0..rows.gaps.len() {
            let row = c * d;
            rows.rebounds[c] = rows.rates[row] + rows.offsets[c];
            rows.accelerations[c] = self.jacobian.product(row, &end.a) + rows.curvature[row];
            let parameters = &self.parameters;
            rows.impulses[c] = self.velocity.contacts[row] + self.forces.impulse(parameters, p.h, c);
            rows.double_impulses[c] =
                self.position.contacts[row] + self.forces.double_impulse(parameters, p.h, c);
        }
        let augmented = Augmented {
            multipliers: [&rows.double_impulses, &rows.impulses, &self.forces.end],
            rows: [&rows.gaps, &rows.rebounds, &rows.accelerations],
            weights: &rows.weights,
        };
        self.sets.update(&augmented, self.smooth == SmoothConstraints::Acceleration);
    }

    /// Matrices at the end.
    fn refresh(&mut self, p: &StepProblem<'_>, end: &ImpactState) -> Result<(), ImpactError> {
        let motion = Motion { t: p.start.time + p.h, q: &self.q, v: &self.v };
        let at = TangentPoint { motion, a: &end.a, mu: &end.mu };
        self.matrices.refresh(p.system, self.plan.end.by_acceleration, at)?;
        Ok(())
    }

    /// The answers to the multipliers of active contacts: as many solutions as there are, which corrections at once do without.
    fn prepare_parts(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let (d, sizes) = (p.contacts.layout().dimension(), (end.a.len(), end.mu.len()));
        let StepMatrices { step, mass, factorizations, .. } = &mut self.matrices;
        let (jacobian, count) = (&self.jacobian, *factorizations);
        let [positions, velocities, accelerations] = &self.sets.sets;
        let [of_positions, of_velocities, of_accelerations] = &mut self.parts;
        of_positions.prepare((mass, count), jacobian, positions.iter().map(|c| c * d), sizes);
        if d == 1 {
            of_velocities.prepare((mass, count), jacobian, velocities.iter().map(|c| c * d), sizes);
        } else {
            let rows = positions.iter().flat_map(|c| c * d..(c + 1) * d);
            of_velocities.prepare((mass, count), jacobian, rows, sizes);
        }
        of_accelerations.prepare((step, count), jacobian, accelerations.iter().map(|c| c * d), sizes);
    }

    /// Takes the step of size `h` (s) that was solved last.
    pub(crate) fn accept(&mut self, h: f64) {
        self.forces.accept(&self.parameters);
        self.previous = PreviousStep(Some(h));
    }

    /// Appends what of the past the next step uses.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        let SmoothForces { start, algorithmic, .. } = &self.forces;
        [start, algorithmic, &self.rows.weights].into_iter().for_each(|own| out.extend_from_slice(own));
        self.previous.save(out);
    }

    /// Takes that over; `None` if it does not fit.
    pub(crate) fn restore(&mut self, saved: &mut Tape<'_>) -> Option<()> {
        let SmoothForces { start, algorithmic, .. } = &mut self.forces;
        [start, algorithmic, &mut self.rows.weights].into_iter().try_for_each(|own| saved.fill(own))?;
        self.previous = PreviousStep::restore(saved)?;
        Some(())
    }

    fn finish(&mut self, p: &StepProblem<'_>, end: &mut ImpactState, found: &mut ContactStep) {
        end.time = p.start.time + p.h;
        end.q.copy_from_slice(&self.q);
        end.v.copy_from_slice(&self.v);
        self.parameters.complete(self.forces.carried, p.start, end);
        let d = p.contacts.layout().dimension();
        found.impulses.copy_from_slice(&self.velocity.contacts);
        found.is_active.fill(false);
        self.sets.sets[0].iter().for_each(|contact| found.is_active[*contact] = true);
        // What lingers of a force in the algorithmic acceleration after a release is the rule's own.
        for contact in &self.sets.sets[1] {
            found.impulses[contact * d] = self.rows.impulses[*contact];
        }
        found.constraint_impulses.copy_from_slice(&self.velocity.constraints);
    }
}
