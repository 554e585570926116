//! Newton's method on the three parts of a step.

use cosimo_dynamics::{Coordinates, GeneralizedAlpha, Motion, StepRule};
use cosimo_mechanics::Restitution;
use cosimo_smooth::dae::TangentPoint;

use super::full::AllAtOnce;
use super::jump::Jump;
use super::part::Part;
use super::sets::{ActiveSets, Augmented};
use super::smooth_forces::SmoothForces;
use crate::contact_problem::{ContactAccuracy, ContactProblem};
use crate::error::ImpactError;
use crate::matrices::{CLOSING, ContactJacobian, HELD, StepMatrices};
use crate::norm::largest;
use crate::outside::OuterJump;
use crate::planned_step::{ImposedLevel, PlannedStep};
use crate::scheme::{Correction, SmoothConstraints};
use crate::state::ImpactState;
use crate::state_reader::StateReader;
use crate::step_problem::{ContactStep, Normal, StepEffort, StepProblem};

/// How often the same active sets may come back in a step until they are made safe.
const MAX_RETURNS: usize = 2;

/// What iterations have come to: how many, the last change (m/s), and whether the step is solved.
#[derive(Debug, Clone, Copy)]
struct Iterated {
    iterations: usize,
    change: f64,
    is_solved: bool,
}

/// Sizes of a correction, as velocities (m/s).
#[derive(Debug, Clone, Copy)]
pub(super) struct Corrected {
    pub(super) all: f64,
    /// Of the parts that were corrected after the smooth motion, whose balance they have changed again.
    pub(super) unsettling: f64,
}

/// Rows of the contacts at the end, one per contact.
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
    pub(crate) rule: GeneralizedAlpha,
    pub(super) smooth: SmoothConstraints,
    pub(super) restitution: Restitution,
    pub(crate) plan: PlannedStep,
    pub(crate) matrices: StepMatrices,
    pub(crate) jacobian: ContactJacobian,
    pub(crate) forces: SmoothForces,
    pub(super) position: Jump,
    pub(super) velocity: Jump,
    /// The part of `W` that friction and impulses from outside make.
    pub(super) slip: Vec<f64>,
    /// What impulses from outside do.
    pub(crate) outer: OuterJump,
    /// Where all parts are corrected at once.
    pub(super) full: Option<AllAtOnce>,
    pub(super) parts: [Part; 3],
    pub(super) problem: ContactProblem,
    /// The contacts that the problem has begun with.
    pub(super) obeying: Vec<usize>,
    /// Offsets of the law, those of contacts that open reversed.
    pub(super) reversed: Vec<f64>,
    pub(super) sets: ActiveSets,
    /// The contacts with forces in the smooth motion, of the step without impulses from outside.
    resting: Vec<usize>,
    pub(super) last_sets: ActiveSets,
    /// Fingerprints of the sets of the step at hand.
    seen: Vec<u64>,
    pub(super) rows: Rows,
    pub(super) v: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(super) unknowns: Vec<f64>,
    pub(super) work: Vec<f64>,
    /// What is known of the multipliers of active contacts.
    pub(super) shifts: Vec<f64>,
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
        let mut rule = GeneralizedAlpha::new(radius).map_err(ImpactError::of_rule)?;
        rule.restart(structure.coordinates());
        let mut solver = Self {
            rule,
            smooth,
            restitution,
            plan: PlannedStep::new(n, ImposedLevel::Velocity),
            matrices: StepMatrices::new(p.system, p.start.time, &p.start.q)?,
            jacobian: ContactJacobian::new(layout, structure.coordinates()),
            forces: SmoothForces::zeros(contacts),
            position: Jump::zeros(n, m, rows),
            velocity: Jump::zeros(n, m, rows),
            slip: vec![0.0; n + m],
            outer: OuterJump::default(),
            full: (correction == Correction::Full).then(|| AllAtOnce::new(p.system, p.contacts)),
            parts: Default::default(),
            problem: ContactProblem::new(ContactAccuracy::default()),
            obeying: Vec::new(),
            reversed: Vec::new(),
            sets: ActiveSets::default(),
            resting: Vec::new(),
            last_sets: ActiveSets::default(),
            seen: Vec::new(),
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
            shifts: Vec::new(),
        };
        solver.weigh(p)?;
        Ok(solver)
    }

    /// Forgets the past: forces and accelerations of the smooth motion are those that the next start has.
    pub(crate) fn restart(&mut self, coordinates: &Coordinates) {
        self.rule.restart(coordinates);
        self.forces.algorithmic.restart(self.forces.start.len());
    }

    /// `r` of every contact: the mass that it sees at the start.
    fn weigh(&mut self, p: &StepProblem<'_>) -> Result<(), ImpactError> {
        let motion = p.start.motion();
        let at = TangentPoint { motion, a: &p.start.a, mu: &p.start.mu };
        self.matrices.mass.factorize(p.system, (0.0, 0.0), at)?;
        self.matrices.take(p.system, at);
        self.jacobian.update(p.contacts, motion.t, motion.q);
        let n = self.v.len();
        for contact in 0..self.rows.weights.len() {
            let row = contact * p.contacts.layout().dimension();
            self.jacobian.row(row, &mut self.work);
            self.unknowns[..n].copy_from_slice(&self.work);
            self.unknowns[n..].fill(0.0);
            self.matrices.mass.solve(&mut self.unknowns);
            let mobility = self.jacobian.product(row, &self.unknowns);
            let share = self.matrices.share_of_free(&self.jacobian, row, mobility);
            // A contact that is held at the start tells no mass, but may be free later.
            self.rows.weights[contact] = if share > HELD { mobility.recip() } else { 1.0 };
            if share <= HELD {
                self.full = None;
            }
        }
        Ok(())
    }

    /// Solves the step; `end` holds the first guess of acceleration and multipliers, `found` takes the impulses.
    pub(crate) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        end: &mut ImpactState,
        found: &mut ContactStep,
    ) -> Result<StepEffort, ImpactError> {
        self.begin(p);
        self.move_velocity(end);
        self.move_position(p, end);
        let before = self.matrices.factorizations;
        let mut iterations = 0;
        let mut change = f64::INFINITY;
        let is_pushed = p.outside.is_some_and(|outside| outside.impulses.iter().any(|x| *x != 0.0));
        if is_pushed {
            self.sets.keep_forces(&self.resting);
        }
        for is_safe in [false, true].into_iter().skip(usize::from(is_pushed)) {
            if is_safe && !is_pushed {
                self.sets.make_safe(&self.last_sets);
            }
            let iterated = self.iterate(p, end)?;
            (iterations, change) = (iterations + iterated.iterations, iterated.change);
            if iterated.is_solved {
                self.check_held(p)?;
                if !is_pushed {
                    self.resting.clone_from(&self.sets.sets[2]);
                }
                self.finish(p, end, found);
                return Ok(StepEffort { iterations, factorizations: self.matrices.factorizations - before });
            }
            if !change.is_finite() {
                break;
            }
        }
        let changing = self.sets.differing(&self.last_sets).into_iter().map(|c| p.contacts.name(c)).collect();
        Err(ImpactError::NotConverged { time: p.start.time, size: p.h, iterations, change, changing })
    }

    /// Corrects until corrections are small and for the same sets, up to the iterations allowed, or until sets cycle.
    fn iterate(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<Iterated, ImpactError> {
        let (mut change, mut last) = (f64::INFINITY, f64::INFINITY);
        self.seen.clear();
        // Whether the last correction was below the tolerance, and whether it has solved the equations of its sets.
        let (mut is_small, mut is_exact) = (false, false);
        let slides = self.slides(p);
        for iteration in 0..=p.settings.max_iterations {
            self.look(p, end);
            let agree = self.sets.agree(&self.last_sets);
            if (is_small || is_exact) && agree {
                return Ok(Iterated {
                    iterations: iteration - usize::from(is_small),
                    change,
                    is_solved: true,
                });
            }
            if !agree && self.has_cycled() {
                return Ok(Iterated { iterations: iteration, change, is_solved: false });
            }
            self.refresh(p, end)?;
            let corrected = self.improve(p, end)?;
            change = corrected.all;
            self.last_sets.copy(&self.sets);
            let allowed = p.settings.allowed(p.h, &self.q, &self.v);
            is_small = change <= allowed || (change <= 100.0 * allowed && change >= 0.5 * last);
            if !change.is_finite() {
                break;
            }
            last = change;
            // What slides moves the position after it was corrected.
            is_exact = p.is_linear() && !slides && corrected.unsettling <= allowed;
        }
        Ok(Iterated { iterations: p.settings.max_iterations, change, is_solved: false })
    }

    /// Whether jumps of velocities move the position: those of friction, and of impulses from outside.
    pub(super) fn slides(&self, p: &StepProblem<'_>) -> bool {
        p.contacts.layout().dimension() > 1 || self.outer.is_there()
    }

    /// Whether the sets at hand have come back too often; takes note of them.
    fn has_cycled(&mut self) -> bool {
        let present = self.sets.fingerprint();
        self.seen.push(present);
        !self.sets.is_safe && self.seen.iter().filter(|own| **own == present).count() > MAX_RETURNS
    }

    /// Corrects the parts, and moves the end.
    fn improve(&mut self, p: &StepProblem<'_>, end: &mut ImpactState) -> Result<Corrected, ImpactError> {
        let at_once = if self.sets.is_safe || self.opens(p) { None } else { self.correct_all(p, end) };
        let corrected = match at_once {
            Some(corrected) => {
                self.move_position(p, end);
                corrected
            }
            None => {
                self.prepare_parts(p, end);
                while self.leave_out_held(p) {
                    self.prepare_parts(p, end);
                }
                self.correct(p, end)?
            }
        };
        self.move_velocity(end);
        Ok(corrected)
    }

    fn begin(&mut self, p: &StepProblem<'_>) {
        self.plan.make(&mut self.rule, p.h, p.start, p.coordinates());
        self.forces.begin(&self.rule, p.h);
        self.position.clear();
        self.velocity.clear();
        self.slip.fill(0.0);
        self.outer.begin(p, 1.0);
        self.obeying.clear();
        self.sets.begin();
        let d = p.contacts.layout().dimension();
        for contact in 0..self.rows.offsets.len() {
            let rate = p.start_rates[contact * d];
            self.rows.offsets[contact] = p.restitution(contact) * self.restitution.seen(rate);
        }
    }

    /// The end velocity for the present unknowns.
    pub(super) fn move_velocity(&mut self, end: &ImpactState) {
        let c_v = self.plan.end().0;
        let known = self.plan.step.prediction.velocity.iter().zip(&self.velocity.change);
        for ((v, a), (explicit, jump)) in self.v.iter_mut().zip(&end.a).zip(known) {
            *v = explicit + c_v * a + jump;
        }
    }

    /// The end position for the present unknowns.
    pub(super) fn move_position(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let (c_q, half) = (self.plan.end().1, 0.5 * self.plan.step.h);
        let known = self.plan.step.prediction.increment.iter().zip(&self.position.change);
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
            rows.impulses[c] = self.velocity.contacts[row] + self.forces.impulse(&self.rule, p.h, c);
            rows.double_impulses[c] =
                self.position.contacts[row] + self.forces.double_impulse(&self.rule, p.h, c);
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
        self.matrices.refresh(p.system, self.plan.end(), at)?;
        Ok(())
    }

    /// The answers to the multipliers of active contacts: as many solutions as there are, which corrections at once do without.
    fn prepare_parts(&mut self, p: &StepProblem<'_>, end: &ImpactState) {
        let (d, sizes) = (p.contacts.layout().dimension(), (end.a.len(), end.mu.len()));
        let by_law = self.has_law_of_velocities(p);
        let StepMatrices { step, mass, factorizations, .. } = &mut self.matrices;
        let (jacobian, count) = (&self.jacobian, *factorizations);
        let [positions, velocities, accelerations] = &self.sets.sets;
        let [of_positions, of_velocities, of_accelerations] = &mut self.parts;
        of_positions.prepare((mass, count), jacobian, positions.iter().map(|c| c * d), sizes);
        let closed = if by_law { positions } else { velocities };
        let rows = closed.iter().flat_map(|c| c * d..(c + 1) * d);
        of_velocities.prepare((mass, count), jacobian, rows, sizes);
        of_accelerations.prepare((step, count), jacobian, accelerations.iter().map(|c| c * d), sizes);
    }

    /// Takes a contact at which nothing gives way out of the sets, if there is one.
    fn leave_out_held(&mut self, p: &StepProblem<'_>) -> bool {
        let d = p.contacts.layout().dimension();
        let is_held = |(k, contact): &(usize, usize)| {
            let mobility = self.parts[0].mobility(*k);
            self.matrices.share_of_free(&self.jacobian, contact * d, mobility) <= HELD
        };
        let held = self.sets.sets[0].iter().copied().enumerate().find(is_held);
        held.inspect(|(_, contact)| self.sets.hold(*contact)).is_some()
    }

    /// Refuses a step in which a contact has closed where nothing gives way.
    fn check_held(&self, p: &StepProblem<'_>) -> Result<(), ImpactError> {
        let d = p.contacts.layout().dimension();
        let allowed = CLOSING * (1.0 + largest(&self.v));
        let closes =
            |contact: &&usize| self.rows.gaps[**contact] < 0.0 && self.rows.rates[**contact * d] < -allowed;
        let Some(&contact) = self.sets.held.iter().find(closes) else { return Ok(()) };
        let (time, rate) = (p.start.time, self.rows.rates[contact * d]);
        Err(ImpactError::Jammed { time, contact: p.contacts.name(contact), rate })
    }

    /// Takes the step of size `h` (s) that was solved last.
    pub(crate) fn accept(&mut self, h: f64, start: &ImpactState, end: &ImpactState) {
        let jumped = !self.sets.sets[0].is_empty() || self.outer.is_there();
        self.forces.accept(&self.rule, h, jumped);
        self.rule.accept(h, start.point(), &end.a, jumped);
    }

    /// Appends what of the past the next step uses.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        [&self.forces.start, &self.rows.weights].into_iter().for_each(|own| out.extend_from_slice(own));
        self.forces.algorithmic.save(out);
        self.rule.save(out);
    }

    /// Takes that over; `None` if it does not fit.
    pub(crate) fn restore(&mut self, saved: &mut StateReader<'_>) -> Option<()> {
        let Self { forces: SmoothForces { start, algorithmic, .. }, rows, rule, .. } = self;
        [start, &mut rows.weights].into_iter().try_for_each(|own| saved.fill(own))?;
        saved.pass(|rest| algorithmic.restore(rest))?;
        saved.pass(|rest| rule.restore(rest))
    }

    fn finish(&mut self, p: &StepProblem<'_>, end: &mut ImpactState, found: &mut ContactStep) {
        end.time = p.start.time + p.h;
        end.q.copy_from_slice(&self.q);
        end.v.copy_from_slice(&self.v);
        let d = p.contacts.layout().dimension();
        found.impulses.copy_from_slice(&self.velocity.contacts);
        found.is_active.fill(false);
        found.forces.fill(0.0);
        self.sets.sets[0].iter().for_each(|contact| found.is_active[*contact] = true);
        // What lingers of a force in the algorithmic acceleration after a release is the rule's own.
        for contact in &self.sets.sets[1] {
            found.impulses[contact * d] = self.rows.impulses[*contact];
        }
        for contact in &self.sets.sets[0] {
            let (impulse, mobility) = (found.impulses[contact * d], self.rows.weights[*contact].recip());
            let mean = p.force(*contact, Normal { impulse, mobility });
            let smooth = self.forces.end[*contact];
            found.forces[*contact] = if mean > 0.0 && smooth > 0.0 { smooth } else { mean };
        }
        found.constraint_impulses.copy_from_slice(&self.velocity.constraints);
    }
}
