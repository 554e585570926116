//! Newton's method for the equations of one step.

use cosimo_dynamics::{Level, Motion};

use super::convergence::{Contraction, Correction, SLOW, UNBALANCED, is_done, may_be_round_off, share_left};
use super::effort::StepEffort;
use super::error::DaeError;
use super::formulation::Formulation;
use super::increments::Increments;
use super::kkt::{Kkt, Side, Weights};
use super::names::singular;
use super::norm::largest;
use super::problem::StepProblem;
use super::round_off::constraint_round_off;
use super::settings::TangentPolicy;
use super::solved::Solved;
use super::state::DaeState;
use cosimo_dynamics::rules::{PositionUpdate, Prediction, StepPlan};

/// Newton's method in the increment of the position. With the increments `y` of the rule and `U` of the projection,
///
/// ```text
///   q₁ = q₀ ∘ exp(y + U)
///   v₁ = T(x) (y − x̂)/b,  u = (v₁ − W − v̂)/c_v        or        u = (y − x̂)/c_q,  v₁ = v̂ + c_v u + W
/// ```
///
/// The unknown of the linear system is `z = δq/c_q`, of the size of an acceleration, and the constraint rows are divided
/// by `c_q` or `c_v`: no entry of the matrix grows as the step shrinks.
#[derive(Debug)]
pub(super) struct Iteration {
    pub(super) unknowns: Vec<f64>,
    /// `x = y + U`.
    pub(super) increment: Vec<f64>,
    pub(super) own: Increments,
    /// Where forces balance, if not at the end: time, position and velocity.
    stage: DaeState,
    pub(super) work: Vec<f64>,
    /// Rows of a level of the constraints; after a correction, that of the multipliers.
    rows: Vec<f64>,
    /// Whether rows have a diagonal of their own in Newton's matrix.
    is_soft: bool,
    /// Largest `c_v C + c_q K` in coordinates of unit mass where the step was first factorised; zero where it was not.
    stiffness: f64,
}

/// Softness of rows of unit length where a step ends in a position, or next to it, in which they depend on each other: a
/// direction of which they hold less than its root is corrected by less than they ask for, instead of by their round-off over
/// next to nothing. It does not change what is solved.
const SOFTNESS: f64 = 1e-12;

impl Iteration {
    pub(super) fn new(state: &DaeState) -> Self {
        let (n, m) = (state.v.len(), state.mu.len());
        Self {
            stage: state.clone(),
            unknowns: vec![0.0; n + m],
            increment: vec![0.0; n],
            own: Increments::zeros(n, m),
            work: vec![0.0; n],
            rows: vec![0.0; m],
            is_soft: false,
            stiffness: 0.0,
        }
    }

    /// Solves the step into `end`. `is_factorized` says whether `kkt` holds factors of an earlier step, and afterwards
    /// whether it holds factors that are of use to others.
    ///
    /// A step whose constraints alone say where it ends, and that is not solved, is tried again with softened rows: it may end
    /// where they depend on each other.
    pub(super) fn solve(
        &mut self,
        p: &StepProblem<'_>,
        (kkt, is_factorized): (&mut Kkt, &mut bool),
        end: &mut DaeState,
    ) -> Result<StepEffort, DaeError> {
        (self.is_soft, self.stiffness) = (false, 0.0);
        let solved = self.iterate(p, (&mut *kkt, &mut *is_factorized), end);
        let Err(error) = solved else { return solved };
        *is_factorized = false;
        if p.formulation() != Formulation::Position || end.mu.is_empty() {
            return Err(error);
        }
        self.is_soft = true;
        let solved = self.iterate(p, (kkt, &mut *is_factorized), end);
        *is_factorized = false;
        solved.map_err(|_| error)
    }

    fn iterate(
        &mut self,
        p: &StepProblem<'_>,
        (kkt, is_factorized): (&mut Kkt, &mut bool),
        end: &mut DaeState,
    ) -> Result<StepEffort, DaeError> {
        self.begin(p, end);
        let keeps = *is_factorized && (p.guess.is_some() || p.settings.tangent == TangentPolicy::Frozen);
        let mut effort = StepEffort::default();
        let mut is_due = !keeps;
        // Where old factors meet multipliers that are guessed worse than the motion, the second correction says nothing of them.
        let is_frozen = p.settings.tangent == TangentPolicy::Frozen;
        let (believed, unjudged) = if is_frozen { (1.0, 2) } else { (0.0, 1) };
        // Beside projections the rows lag behind by one iterate: corrections contract by turns, see `gradient_weight`.
        let mut course = Contraction::new(believed, p.formulation().projects_positions());
        for iteration in 1..=p.settings.max_iterations {
            self.update(p, end);
            let is_fresh = is_due || p.settings.tangent == TangentPolicy::Full;
            if is_fresh {
                *is_factorized = false;
                effort.factorizations += self.factorize(p, kkt, end)?;
                if self.stiffness == 0.0 {
                    self.stiffness = kkt.stiffness;
                }
                *is_factorized = true;
                course.of_motion = 0.0;
            }
            let size = self.correct(p, kkt, end)?;
            effort.iterations = iteration;
            let found = course.note(size);
            let is_settled = is_done(p, size, [found[0], course.of_motion], is_fresh, end);
            let is_exhausted = is_fresh
                && !is_settled
                && may_be_round_off(p, size, found[0], end)
                && self.is_exhausted(p, kkt, size, end);
            // Soft rows may stop where they are nearest to closed.
            let has_motion = is_exhausted || (is_settled && (!self.is_soft || self.has_closed(p, kkt, end)));
            // Factors of this step give the reactions with the motion.
            let is_own = effort.factorizations > 0 || !is_frozen;
            if has_motion && (is_own || self.has_reactions(p, kkt, size, &course, end)) {
                self.update(p, end);
                *is_factorized &= !is_exhausted;
                return Ok(effort);
            }
            let slowness = course.go_on(size, found, has_motion);
            is_due = iteration > unjudged && slowness > SLOW;
            if is_due && !is_own && !has_motion && slowness > 1.0 {
                // Old factors have led away, as those from next to a singular position may.
                self.begin(p, end);
                course.restart();
            }
        }
        *is_factorized = false;
        Err(DaeError::NotConverged {
            time: p.start.time,
            size: p.plan.h,
            iterations: effort.iterations,
            correction: course.before.velocity,
        })
    }

    /// `(ω h)²` of the fastest motion of a body without joints, where the last step was first factorised.
    pub(super) fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Where forces balance.
    pub(super) fn stage<'a>(&'a self, plan: &StepPlan, end: &'a DaeState) -> Motion<'a> {
        (if !plan.formula.stage.is_end() { &self.stage } else { end }).motion()
    }

    /// The step that was solved, for its derivative.
    pub(super) fn solved<'a>(&'a self, problem: &'a StepProblem<'a>, end: &'a DaeState) -> Solved<'a> {
        Solved { problem, increments: self.increments(), stage: self.stage(problem.plan, end), end }
    }

    /// `x = y + U` and what it consists of.
    pub(super) fn increments(&self) -> (&[f64], &Increments) {
        (&self.increment, &self.own)
    }

    /// Takes the guess, or predicts.
    fn begin(&mut self, p: &StepProblem<'_>, end: &mut DaeState) {
        let Some((increments, mu)) = p.guess else { return self.predict(p, end) };
        end.time = p.start.time + p.plan.h;
        end.mu.copy_from_slice(mu);
        self.own.copy(increments);
    }

    /// First guess from the extrapolated acceleration.
    fn predict(&mut self, p: &StepProblem<'_>, end: &mut DaeState) {
        let StepPlan { formula, prediction: Prediction { velocity, increment }, .. } = p.plan;
        let (end_weights, guess) = (formula.end, p.acceleration);
        end.time = p.start.time + p.plan.h;
        end.mu.copy_from_slice(&p.start.mu);
        self.own.clear_projections();
        match formula.position_update {
            PositionUpdate::Acceleration => {
                for (i, y) in self.own.rule.iter_mut().enumerate() {
                    *y = increment[i] + end_weights.position * guess[i];
                }
            }
            PositionUpdate::Rate { weight } => {
                for i in 0..guess.len() {
                    self.work[i] = velocity[i] + end_weights.velocity * guess[i];
                    self.increment[i] = increment[i] + weight * self.work[i];
                }
                p.coordinates().rate(&self.increment, &self.work, &mut self.own.rule);
                for (y, explicit) in self.own.rule.iter_mut().zip(increment) {
                    *y = explicit + weight * *y;
                }
            }
        }
    }

    /// Positions, velocities and accelerations from the increments.
    fn update(&mut self, p: &StepProblem<'_>, end: &mut DaeState) {
        for (i, x) in self.increment.iter_mut().enumerate() {
            *x = self.own.rule[i] + self.own.position[i];
        }
        p.coordinates().move_by(&p.start.q, &self.increment, &mut end.q);
        self.update_rates(p, end);
        if !p.plan.formula.stage.is_end() {
            self.update_stage(p, end);
        }
    }

    /// Velocities and accelerations from the increments, by the way the rule updates positions.
    #[inline]
    fn update_rates(&mut self, p: &StepProblem<'_>, end: &mut DaeState) {
        let plan = p.plan;
        match plan.formula.position_update {
            PositionUpdate::Rate { weight } => {
                for (i, w) in self.work.iter_mut().enumerate() {
                    *w = (self.own.rule[i] - plan.prediction.increment[i]) / weight;
                }
                p.coordinates().velocity(&self.increment, &self.work, &mut end.v);
                for (i, a) in end.a.iter_mut().enumerate() {
                    *a = (end.v[i] - self.own.velocity[i] - plan.prediction.velocity[i])
                        / plan.formula.end.velocity;
                }
            }
            PositionUpdate::Acceleration => {
                for (i, a) in end.a.iter_mut().enumerate() {
                    *a = (self.own.rule[i] - plan.prediction.increment[i]) / plan.formula.end.position;
                    end.v[i] =
                        plan.prediction.velocity[i] + plan.formula.end.velocity * *a + self.own.velocity[i];
                }
            }
        }
    }

    /// Position and velocity where forces balance, `q₀ ∘ exp(c x)` and `(1 − c) v₀ + c v₁`.
    fn update_stage(&mut self, p: &StepProblem<'_>, end: &DaeState) {
        let share = p.plan.formula.stage.time;
        self.stage.time = p.start.time + share * p.plan.h;
        self.work.iter_mut().zip(&self.increment).for_each(|(w, x)| *w = share * x);
        p.coordinates().move_by(&p.start.q, &self.work, &mut self.stage.q);
        for (v, (start, end)) in self.stage.v.iter_mut().zip(p.start.v.iter().zip(&end.v)) {
            *v = start + share * (end - start);
        }
    }

    /// Moves the end, and with it where forces balance, by an increment about it; accelerations and velocities are moved already.
    pub(super) fn move_end(&mut self, p: &StepProblem<'_>, change: &[f64], end: &mut DaeState) {
        p.coordinates().rate(&self.increment, change, &mut self.work);
        self.increment.iter_mut().zip(&self.work).for_each(|(x, d)| *x += d);
        p.coordinates().move_by(&p.start.q, &self.increment, &mut end.q);
        if !p.plan.formula.stage.is_end() {
            self.update_stage(p, end);
        }
    }

    /// Assembles and factorises the matrix at the present iterate, and that of the projections where it is another; returns
    /// how many that are.
    pub(super) fn factorize(
        &mut self,
        p: &StepProblem<'_>,
        kkt: &mut Kkt,
        end: &DaeState,
    ) -> Result<usize, DaeError> {
        let (plan, formulation) = (p.plan, p.formulation());
        let (c_v, c_q) = (plan.formula.end.velocity, plan.formula.end.position);
        let weights = Weights {
            damping: plan.formula.stage_velocity(),
            stiffness: plan.formula.stage_position(),
            rate_rows: formulation.level() != Level::Position,
            gradient: formulation.gradient_weight(c_v, c_q),
        };
        let coordinates = p.coordinates();
        if let PositionUpdate::Rate { .. } = plan.formula.position_update {
            for (i, w) in self.work.iter_mut().enumerate() {
                *w = self.own.rule[i] - plan.prediction.increment[i];
            }
        }
        // How the rate of the end answers to a turn δq: b δẏ = (1 + ∂(T w)/∂x T⁻¹) δq with w = y − x̂, or T⁻¹ δq.
        let gain = |block: usize| {
            let inverse = coordinates.inverse_turn(block, &self.increment)?;
            match plan.formula.position_update {
                PositionUpdate::Acceleration => Some(inverse),
                PositionUpdate::Rate { .. } => {
                    let gradient = coordinates.turn_gradient(block, &self.increment, &self.work)?;
                    Some(nalgebra::Matrix3::identity() + gradient * inverse)
                }
            }
        };
        kkt.begin(weights, gain);
        let stage = self.stage(plan, end);
        p.system.tangents(stage, &end.a, &end.mu, kkt);
        if !plan.formula.stage.is_end() {
            kkt.take(Side::Reactions);
            p.system.jacobian(stage.t, stage.q, kkt);
            kkt.take(Side::Rows);
        }
        p.system.jacobian(end.time, &end.q, kkt);
        if weights.gradient != 0.0 {
            p.system.rate_gradient(end.motion(), kkt);
        }
        if self.is_soft {
            kkt.soften(SOFTNESS);
        }
        let mut factorizations = 1;
        if formulation.projects_positions() {
            let has_own = kkt
                .factorize_metric(p.system, end.motion().configuration())
                .map_err(|error| singular(p.system, error))?;
            factorizations += usize::from(has_own);
        }
        kkt.factorize().map_err(|error| singular(p.system, error))?;
        Ok(factorizations)
    }

    /// One correction of increments and multipliers, projections included.
    fn correct(
        &mut self,
        p: &StepProblem<'_>,
        kkt: &mut Kkt,
        end: &mut DaeState,
    ) -> Result<Correction, DaeError> {
        self.residual(p, end);
        kkt.solve(&mut self.unknowns);
        let (z, change) = self.unknowns.split_at_mut(end.v.len());
        let largest_z = largest(z);
        if !largest_z.is_finite() || change.iter().any(|x| !x.is_finite()) {
            return Err(DaeError::NotFinite { quantity: "the acceleration", time: end.time });
        }
        end.mu.iter_mut().zip(&*change).for_each(|(mu, d)| *mu += d);
        let (c_v, c_q) = (p.plan.formula.end.velocity, p.plan.formula.end.position);
        z.iter_mut().for_each(|z| *z *= c_q);
        p.coordinates().rate(&self.increment, z, &mut self.work);
        self.own.rule.iter_mut().zip(&self.work).for_each(|(y, d)| *y += d);
        self.rows.copy_from_slice(change);
        let multiplier = largest(change);
        let mut size = Correction { velocity: c_v * largest_z, position: c_q * largest_z, multiplier };
        if p.formulation().projects_positions() {
            self.update(p, end);
            let change = self.project_position(p, kkt, end);
            size.velocity = size.velocity.max(change * c_v / c_q);
            size.position = size.position.max(change);
        }
        if p.formulation().projects_velocities() {
            self.update(p, end);
            let change = self.project_velocity(p, kkt, end);
            size.velocity = size.velocity.max(change);
            size.position = size.position.max(change * c_q / c_v);
        }
        Ok(size)
    }

    /// Whether the error left in the multipliers, whose last correction is of this size, is small: beside them, or by the
    /// accelerations that it would give the bodies without joints, times `c_v`, beside the velocities. By factors of an earlier
    /// step the motion may be right before the reactions are.
    fn has_reactions(
        &mut self,
        p: &StepProblem<'_>,
        kkt: &Kkt,
        size: Correction,
        course: &Contraction,
        end: &DaeState,
    ) -> bool {
        let (share, tolerance) = (share_left(course.of_multipliers), p.settings.tolerance);
        if share * size.multiplier <= tolerance * largest(&end.mu) {
            return true;
        }
        let stage = if !p.plan.formula.stage.is_end() { self.stage.motion() } else { end.motion() };
        self.work.fill(0.0);
        p.system.add_reactions(stage.t, stage.q, &self.rows, &mut self.work);
        let velocity = p.plan.formula.end.velocity * largest_acceleration(&self.work, kkt);
        share * velocity <= tolerance * (1.0 + largest(&end.v))
    }

    /// Whether corrections of this size, by factors of the iterate, are what the round-off of the constraints makes of them: these
    /// are closed as well as numbers allow, and what the balance of forces lacks would give the bodies without joints a small part
    /// of the velocity that the corrections change.
    fn is_exhausted(&mut self, p: &StepProblem<'_>, kkt: &Kkt, size: Correction, end: &mut DaeState) -> bool {
        if !self.has_closed(p, kkt, end) {
            return false;
        }
        let lacking = largest_acceleration(&self.unknowns[..end.v.len()], kkt);
        p.plan.formula.end.velocity * lacking <= UNBALANCED * size.velocity
    }

    /// Whether every constraint row that is kept is met to its round-off. Leaves the right-hand side in the unknowns.
    fn has_closed(&mut self, p: &StepProblem<'_>, kkt: &Kkt, end: &mut DaeState) -> bool {
        self.update(p, end);
        self.residual(p, end);
        constraint_round_off(p.system, end.time, &end.q, &mut self.rows);
        let scale = p.formulation().row_scale(p.plan.formula.end.velocity, p.plan.formula.end.position);
        let rows = self.unknowns[end.v.len()..].iter().zip(&self.rows).zip(kkt.left_out());
        rows.into_iter().all(|((row, allowed), out)| *out || scale * row.abs() <= *allowed)
    }

    /// Right-hand side: the negative balance of forces, and the negative constraints in the scale of accelerations.
    fn residual(&mut self, p: &StepProblem<'_>, end: &DaeState) {
        let (top, bottom) = self.unknowns.split_at_mut(end.v.len());
        let stage = if !p.plan.formula.stage.is_end() { &self.stage } else { end };
        p.system.balance(stage.motion(), &end.a, &end.mu, top);
        let motion = end.motion();
        let formulation = p.formulation();
        p.system.constraints(formulation.level(), motion, &end.a, bottom);
        let scale = formulation.row_scale(p.plan.formula.end.velocity, p.plan.formula.end.position);
        if let Some([of_rate, of_value]) = formulation.feedback() {
            for (level, weight) in [(Level::Velocity, of_rate), (Level::Position, of_value)] {
                p.system.constraints(level, motion, &end.a, &mut self.rows);
                bottom.iter_mut().zip(&self.rows).for_each(|(b, row)| *b += weight * row);
            }
        }
        top.iter_mut().for_each(|x| *x = -*x);
        bottom.iter_mut().for_each(|x| *x /= -scale);
    }
}

/// Largest acceleration that forces would give the bodies without joints: the scale of a coordinate is one over the root of its
/// mass.
fn largest_acceleration(forces: &[f64], kkt: &Kkt) -> f64 {
    let accelerations = forces.iter().zip(kkt.scales().0).map(|(force, scale)| (force * scale * scale).abs());
    accelerations.fold(0.0, f64::max)
}
