//! How the end of a step answers to small forces.

mod corrections;
mod differences;
mod products;
mod residual;

use cosimo_dynamics::Motion;
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::increments::Increments;
use super::iteration::{StepProblem, largest};
use super::kkt::Kkt;
use super::rule::Link;
use super::{DaeError, DaeState};
use differences::Differences;
use residual::{AtStage, Projection, Residual};

/// Corrections allowed.
const MAX_CORRECTIONS: usize = 40;

/// Error of the answer, relative to it, by the contraction observed: of what those who iterate with it make of it, it is a small
/// share.
const ENOUGH: f64 = 1e-9;

/// Error that the projection of positions may leave in them, relative to the answer.
const OF_POSITIONS: f64 = 1e-8;

/// Corrections with which the changes of the projections' reactions are found anew: they are small to begin with.
const MOST_CHANGES: usize = 2;

/// Share of the speed of bodies without joints below which an answer is none: joints and motions hold what the forces push.
const HELD: f64 = 1e-5;

/// Correction, relative to the answer, that may be left where corrections do not lessen any more.
const ALLOWED: f64 = 1e-9;

/// The derivative of the end of a step by generalised forces `f` that act on the balance of forces, for `r` directions of
/// `f` at once.
///
/// With the equations `R(x) = 0` of a step and the factors `B ≈ ∂R/∂x` that Newton's method solved them with,
///
/// ```text
///   δx ← δx + B⁻¹ (δf − ∂R/∂x δx)
/// ```
///
/// with the exact `∂R/∂x`, projections of the formulation and stiffness of all reactions included, gives the exact
/// derivative however old the factors are. It contracts as Newton's method does.
#[derive(Debug)]
pub struct StepAnswer {
    /// `δq`, increments about the end.
    position: DMatrix<f64>,
    velocity: DMatrix<f64>,
    acceleration: DMatrix<f64>,
    /// Share of the rule in `δq`.
    rule: DMatrix<f64>,
    multipliers: DMatrix<f64>,
    position_projection: Projection,
    velocity_projection: Projection,
    /// The velocity projection before its last correction, and then the correction.
    work: Projection,
    residual: Residual,
    stage: AtStage,
    turns: Vec<Option<Matrix3<f64>>>,
    differences: Differences,
}

/// The step that is derived, solved.
pub(super) struct Solved<'a> {
    pub(super) problem: &'a StepProblem<'a>,
    /// `x`, and what it consists of.
    pub(super) increments: (&'a [f64], &'a Increments),
    /// Where forces balance.
    pub(super) stage: Motion<'a>,
    pub(super) end: &'a DaeState,
}

impl Solved<'_> {
    fn motion(&self) -> Motion<'_> {
        super::iteration::motion(self.end)
    }
}

impl StepAnswer {
    /// Room for the answers of a system to `r` forces.
    #[must_use]
    pub fn new(system: &dyn cosimo_dynamics::ConstrainedSystem, r: usize) -> Self {
        let structure = system.structure();
        let (n, m) = (structure.velocities(), structure.rows());
        Self {
            position: DMatrix::zeros(n, r),
            velocity: DMatrix::zeros(n, r),
            acceleration: DMatrix::zeros(n, r),
            rule: DMatrix::zeros(n, r),
            multipliers: DMatrix::zeros(m, r),
            position_projection: Projection::zeros(n, m, r),
            velocity_projection: Projection::zeros(n, m, r),
            work: Projection::zeros(n, m, r),
            residual: Residual::zeros(n, m, r),
            stage: AtStage::zeros(n, r),
            turns: vec![None; structure.coordinates().blocks().len()],
            differences: Differences::new(structure),
        }
    }

    /// Increments of the end position for unit forces, `n × r`.
    #[must_use]
    pub fn position(&self) -> &DMatrix<f64> {
        &self.position
    }

    /// Change of the end velocity for unit forces, `n × r`.
    #[must_use]
    pub fn velocity(&self) -> &DMatrix<f64> {
        &self.velocity
    }

    /// Derives a solved step by the columns of `forces`, `n × r`.
    pub(super) fn derive(
        &mut self,
        solved: &Solved<'_>,
        kkt: &mut Kkt,
        forces: &DMatrix<f64>,
    ) -> Result<(), DaeError> {
        if forces.is_empty() {
            return Ok(());
        }
        self.begin(solved);
        let formulation = solved.problem.formulation();
        let least = HELD * self.free_speed(solved, forces);
        let (mut before, mut projected) = (f64::INFINITY, f64::INFINITY);
        for iteration in 1..=MAX_CORRECTIONS {
            self.write_residual(solved, forces, iteration == 1);
            let mut size = self.correct(solved, kkt);
            let changes = iteration <= MOST_CHANGES;
            // A projection follows a correction by the share of it by which it followed the answer, and what a projection of the
            // velocities carries over to it.
            let is_small = projected * size <= OF_POSITIONS * self.velocity.amax();
            if formulation.projects_positions() && (formulation.projects_velocities() || !is_small) {
                let found = self.project_positions(solved, kkt, changes);
                projected = found / self.velocity.amax().max(least).max(f64::MIN_POSITIVE);
                size = size.max(found);
            }
            if formulation.projects_velocities() {
                size = size.max(self.project_velocities(solved, kkt, changes));
            }
            let share = size / self.velocity.amax().max(least).max(f64::MIN_POSITIVE);
            // The first correction is the answer itself and tells nothing of the contraction.
            let contraction = if iteration > 2 && share < 0.5 * before { share / before } else { 0.5 };
            let left = share * contraction / (1.0 - contraction);
            if left <= ENOUGH || (share >= 0.5 * before && share <= ALLOWED) {
                return Ok(());
            }
            if !share.is_finite() || iteration == MAX_CORRECTIONS {
                break;
            }
            before = share;
        }
        Err(DaeError::NotConverged {
            time: solved.problem.start.time,
            size: solved.problem.h,
            iterations: MAX_CORRECTIONS,
            correction: before,
        })
    }

    /// A speed that the forces would give the bodies without joints, from their inertia along the forces.
    fn free_speed(&mut self, solved: &Solved<'_>, forces: &DMatrix<f64>) -> f64 {
        let n = forces.nrows();
        let product = &mut self.residual.unknowns[..n];
        let speed = |force: &[f64]| {
            solved.problem.system.mass_product(&solved.end.q, force, product);
            let square: f64 = force.iter().map(|f| f * f).sum();
            let inertia: f64 = force.iter().zip(&*product).map(|(f, m)| f * m).sum();
            if inertia > 0.0 { largest(force) * square / inertia } else { 0.0 }
        };
        let most = forces.as_slice().chunks_exact(n.max(1)).map(speed).fold(0.0, f64::max);
        solved.problem.plan.velocity_weight * most
    }

    /// Zeros, and how rates answer to turns.
    fn begin(&mut self, solved: &Solved<'_>) {
        let Self { position, velocity, acceleration, rule, multipliers, .. } = self;
        for part in [position, velocity, acceleration, rule, multipliers] {
            part.fill(0.0);
        }
        self.position_projection.clear();
        self.velocity_projection.clear();
        let (coordinates, plan) = (solved.problem.coordinates(), solved.problem.plan);
        let (x, own) = solved.increments;
        let work = &mut self.residual.unknowns[..x.len()];
        for (w, (y, explicit)) in work.iter_mut().zip(own.rule.iter().zip(&plan.increment)) {
            *w = y - explicit;
        }
        for (block, turn) in self.turns.iter_mut().enumerate() {
            let inverse = coordinates.inverse_turn(block, x);
            *turn = match plan.link {
                Link::Acceleration => inverse,
                Link::Rate { .. } => {
                    inverse.and_then(|inverse| Some(coordinates.turn_gradient(block, x, work)? * inverse))
                }
            };
        }
    }

    /// Positions, velocities and accelerations from what they consist of.
    ///
    /// ```text
    ///   δq = δq_y + δq_U      δv = (δq_y + N δq)/b,  δa = (δv − δW)/c_v     or     δa = T⁻¹ δq_y/c_q,  δv = c_v δa + δW
    /// ```
    ///
    /// with `N = ∂(T w)/∂x T⁻¹` at fixed `w = y − x̂`.
    fn refresh(&mut self, solved: &Solved<'_>) {
        let plan = solved.problem.plan;
        let (c_v, c_q) = (plan.velocity_weight, plan.position_weight);
        let change = &self.velocity_projection.change;
        self.position.copy_from(&self.rule);
        self.position += &self.position_projection.change;
        match plan.link {
            Link::Rate { weight } => {
                self.velocity.copy_from(&self.rule);
                add_turned(solved, &self.turns, &self.position, &mut self.velocity);
                self.velocity /= weight;
                self.acceleration.copy_from(&self.velocity);
                self.acceleration -= change;
                self.acceleration /= c_v;
            }
            Link::Acceleration => {
                self.acceleration.copy_from(&self.rule);
                for (block, turn) in solved.problem.coordinates().blocks().iter().zip(&self.turns) {
                    let Some(turn) = turn else { continue };
                    let mut own = self.acceleration.rows_mut(block.velocity + 3, 3);
                    for mut column in own.column_iter_mut() {
                        let turned = turn * Vector3::new(column[0], column[1], column[2]);
                        column.copy_from(&turned);
                    }
                }
                self.acceleration /= c_q;
                self.velocity.copy_from(&self.acceleration);
                self.velocity *= c_v;
                self.velocity += change;
            }
        }
    }
}

/// Adds to the turns of `out` those of `position` times a matrix of their block.
fn add_turned(
    solved: &Solved<'_>,
    turns: &[Option<Matrix3<f64>>],
    position: &DMatrix<f64>,
    out: &mut DMatrix<f64>,
) {
    for (block, turn) in solved.problem.coordinates().blocks().iter().zip(turns) {
        let Some(turn) = turn else { continue };
        let at = block.velocity + 3;
        for k in 0..position.ncols() {
            let own = Vector3::new(position[(at, k)], position[(at + 1, k)], position[(at + 2, k)]);
            let turned = turn * own;
            (0..3).for_each(|i| out[(at + i, k)] += turned[i]);
        }
    }
}
