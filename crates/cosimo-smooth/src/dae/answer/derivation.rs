//! Corrections of the answer until it is exact.

use cosimo_dynamics::Structure;
use nalgebra::{DMatrix, Matrix3};

use super::columns::Columns;
use super::differences::Differences;
use super::matrices::Matrices;
use super::residual::{AtStage, Projection, Residual};
use crate::dae::error::DaeError;
use crate::dae::kkt::Kkt;
use crate::dae::norm::largest;
use crate::dae::solved::Solved;
use crate::dae::turned::turned;
use cosimo_dynamics::rules::PositionUpdate;

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

/// What projections of the positions have corrected, as velocities.
struct Projections {
    /// Size of the last.
    last: f64,
    /// Share of the answer by which the first followed it.
    share: f64,
    /// What the positions lack of what their projection would be.
    left: f64,
}

impl Projections {
    /// Before the first.
    const NONE: Self = Self { last: f64::INFINITY, share: f64::INFINITY, left: f64::INFINITY };

    /// What the positions lack after a correction of this size, which a projection would follow by the share by which the first
    /// followed the answer.
    fn lacking(&self, correction: f64) -> f64 {
        self.left + self.share * correction
    }

    /// Takes a projection of this size, of an answer of that size.
    fn take(&mut self, size: f64, answer: f64) {
        let is_first = self.share == f64::INFINITY;
        // The first is the projection itself and says nothing of the contraction.
        let contraction = size / self.last;
        self.left =
            if !is_first && contraction < 0.5 { size * contraction / (1.0 - contraction) } else { size };
        if is_first {
            self.share = size / answer;
        }
        self.last = size;
    }
}

/// What an answer consists of, `L` directions after the other.
#[derive(Debug)]
pub(super) struct Derivation<const L: usize> {
    /// `δq`, increments about the end.
    pub(super) position: Columns<L>,
    pub(super) velocity: Columns<L>,
    pub(super) acceleration: Columns<L>,
    /// Share of the rule in `δq`.
    pub(super) rule: Columns<L>,
    pub(super) multipliers: Columns<L>,
    pub(super) position_projection: Projection<L>,
    pub(super) velocity_projection: Projection<L>,
    /// The velocity projection before its last correction, and then the correction.
    pub(super) work: Projection<L>,
    pub(super) forces: Columns<L>,
    pub(super) residual: Residual<L>,
    pub(super) stage: AtStage<L>,
    pub(super) matrices: Matrices,
    pub(super) differences: Differences,
    turns: Vec<Option<Matrix3<f64>>>,
    /// Of one direction.
    vector: Vec<f64>,
    /// Number of directions.
    pub(super) directions: usize,
}

impl<const L: usize> Derivation<L> {
    pub(super) fn new(structure: &Structure, r: usize) -> Self {
        let (n, m) = (structure.velocities(), structure.rows());
        let [position, velocity, acceleration, rule, forces] = [(); 5].map(|()| Columns::zeros(n, r));
        Self {
            position,
            velocity,
            acceleration,
            rule,
            multipliers: Columns::zeros(m, r),
            position_projection: Projection::zeros(n, m, r),
            velocity_projection: Projection::zeros(n, m, r),
            work: Projection::zeros(n, m, r),
            forces,
            residual: Residual::zeros(n, m, r),
            stage: AtStage::zeros(n, r),
            matrices: Matrices::of(structure),
            differences: Differences::new(structure),
            turns: vec![None; structure.coordinates().blocks().len()],
            vector: vec![0.0; n],
            directions: r,
        }
    }

    /// Derives a solved step by the columns of `forces`, `n × r`; writes `[δq, δv]`, likewise.
    pub(super) fn derive(
        &mut self,
        solved: &Solved<'_>,
        kkt: &mut Kkt,
        forces: &DMatrix<f64>,
        [position, velocity]: [&mut DMatrix<f64>; 2],
    ) -> Result<(), DaeError> {
        self.begin(solved, forces);
        let least = HELD * self.free_speed(solved, forces);
        self.iterate(solved, kkt, least)?;
        self.position.give(position);
        self.velocity.give(velocity);
        Ok(())
    }

    /// Corrects until the answer is exact, beside speeds of this size at least.
    fn iterate(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, least: f64) -> Result<(), DaeError> {
        let formulation = solved.problem.formulation();
        let (mut before, mut projections) = (f64::INFINITY, Projections::NONE);
        for iteration in 1..=MAX_CORRECTIONS {
            self.write_residual(solved, iteration == 1);
            let mut size = self.correct(solved, kkt);
            let changes = iteration <= MOST_CHANGES;
            let is_small = projections.lacking(size) <= OF_POSITIONS * self.velocity.largest();
            if formulation.projects_positions() && (formulation.projects_velocities() || !is_small) {
                let found = self.project_positions(solved, kkt, changes);
                projections.take(found, self.velocity.largest().max(least).max(f64::MIN_POSITIVE));
                size = size.max(found);
            } else {
                projections.left = projections.lacking(size);
            }
            if formulation.projects_velocities() {
                size = size.max(self.project_velocities(solved, kkt, changes));
            }
            let share = size / self.velocity.largest().max(least).max(f64::MIN_POSITIVE);
            // The first correction is the answer itself and says nothing of the contraction.
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
            size: solved.problem.plan.h,
            iterations: MAX_CORRECTIONS,
            correction: before,
        })
    }

    /// A speed that the forces would give the bodies without joints, from their inertia along the forces.
    fn free_speed(&mut self, solved: &Solved<'_>, forces: &DMatrix<f64>) -> f64 {
        let product = &mut self.vector;
        let speed = |force: &[f64]| {
            solved.problem.system.mass_product(&solved.end.q, force, product);
            let square: f64 = force.iter().map(|f| f * f).sum();
            let inertia: f64 = force.iter().zip(&*product).map(|(f, m)| f * m).sum();
            if inertia > 0.0 { largest(force) * square / inertia } else { 0.0 }
        };
        let most = forces.as_slice().chunks_exact(forces.nrows().max(1)).map(speed).fold(0.0, f64::max);
        solved.problem.plan.formula.end.velocity * most
    }

    /// Zeros, the matrices, and how rates answer to turns.
    fn begin(&mut self, solved: &Solved<'_>, forces: &DMatrix<f64>) {
        let Self { position, velocity, acceleration, rule, multipliers, .. } = self;
        [position, velocity, acceleration, rule, multipliers].into_iter().for_each(Columns::clear);
        self.position_projection.clear();
        self.velocity_projection.clear();
        self.forces.take(forces);
        self.matrices.find(solved);
        let (coordinates, plan) = (solved.problem.coordinates(), solved.problem.plan);
        let (x, own) = solved.increments;
        let work = &mut self.vector;
        for (w, (y, explicit)) in work.iter_mut().zip(own.rule.iter().zip(&plan.prediction.increment)) {
            *w = y - explicit;
        }
        for (block, turn) in self.turns.iter_mut().enumerate() {
            let inverse = coordinates.inverse_turn(block, x);
            *turn = match plan.formula.position_update {
                PositionUpdate::Acceleration => inverse,
                PositionUpdate::Rate { .. } => {
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
    pub(super) fn refresh(&mut self, solved: &Solved<'_>) {
        let plan = solved.problem.plan;
        let (c_v, c_q) = (plan.formula.end.velocity, plan.formula.end.position);
        self.position.copy_from(&self.rule);
        self.position += &self.position_projection.change;
        match plan.formula.position_update {
            PositionUpdate::Rate { weight } => {
                self.velocity.copy_from(&self.rule);
                self.add_turned_positions(solved);
                self.velocity /= weight;
                self.acceleration.copy_from(&self.velocity);
                self.acceleration -= &self.velocity_projection.change;
                self.acceleration /= c_v;
            }
            PositionUpdate::Acceleration => {
                self.acceleration.copy_from(&self.rule);
                self.turn_accelerations(solved);
                self.acceleration /= c_q;
                self.velocity.copy_from(&self.acceleration);
                self.velocity *= c_v;
                self.velocity += &self.velocity_projection.change;
            }
        }
    }

    /// Adds `N δq` to the velocities.
    fn add_turned_positions(&mut self, solved: &Solved<'_>) {
        for group in 0..self.velocity.groups() {
            let (from, to) = (self.position.group(group), self.velocity.group_mut(group));
            for (block, turn) in solved.problem.coordinates().blocks().iter().zip(&self.turns) {
                let Some(turn) = turn else { continue };
                let at = block.velocity + 3;
                let change = turned(turn, &from[at..at + 3]);
                let own = to[at..at + 3].as_flattened_mut().iter_mut();
                own.zip(change.as_flattened()).for_each(|(x, d)| *x += d);
            }
        }
    }

    /// Multiplies the accelerations by `T⁻¹`.
    fn turn_accelerations(&mut self, solved: &Solved<'_>) {
        for group in 0..self.acceleration.groups() {
            let own = self.acceleration.group_mut(group);
            for (block, turn) in solved.problem.coordinates().blocks().iter().zip(&self.turns) {
                let Some(turn) = turn else { continue };
                let at = block.velocity + 3;
                let change = turned(turn, &own[at..at + 3]);
                own[at..at + 3].copy_from_slice(&change);
            }
        }
    }
}
