//! How the end of a step answers to small forces.

mod differences;
mod products;

use cosimo_dynamics::{Level, Motion};
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::increments::Increments;
use super::iteration::StepProblem;
use super::kkt::Kkt;
use super::rule::Link;
use super::{DaeError, DaeState};
use differences::Differences;
use products::{Balance, Reactions, Rows};

/// Corrections allowed.
const MAX_CORRECTIONS: usize = 40;

/// Correction, relative to the answer, after which what is left is round-off.
const ENOUGH: f64 = 1e-13;

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

/// The answer where forces balance, if not at the end.
#[derive(Debug)]
struct AtStage {
    position: DMatrix<f64>,
    velocity: DMatrix<f64>,
    increment: Vec<f64>,
    rate: Vec<f64>,
}

impl AtStage {
    fn derive(&mut self, solved: &Solved<'_>, [position, velocity]: [&DMatrix<f64>; 2]) {
        let (coordinates, share) = (solved.problem.coordinates(), solved.problem.plan.share);
        let (x, _) = solved.increments;
        self.increment.iter_mut().zip(x).for_each(|(own, x)| *own = share * x);
        for (own, end) in self.position.column_iter_mut().zip(position.column_iter()) {
            let mut own = own;
            coordinates.rate(x, end.as_slice(), &mut self.rate);
            coordinates.velocity(&self.increment, &self.rate, own.as_mut_slice());
            own *= share;
        }
        self.velocity.copy_from(velocity);
        self.velocity *= share;
    }
}

/// A projection: the change, `n × r`, and its multipliers, `m × r`.
#[derive(Debug)]
struct Projection {
    change: DMatrix<f64>,
    multipliers: DMatrix<f64>,
}

impl Projection {
    fn zeros(n: usize, m: usize, r: usize) -> Self {
        Self { change: DMatrix::zeros(n, r), multipliers: DMatrix::zeros(m, r) }
    }

    fn clear(&mut self) {
        self.change.fill(0.0);
        self.multipliers.fill(0.0);
    }
}

/// Products of balance and constraints with the answer, and the unknowns of one correction.
#[derive(Debug)]
struct Residual {
    balance: DMatrix<f64>,
    rows: DMatrix<f64>,
    unknowns: Vec<f64>,
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
    /// Room for the answers of a system of `n` velocities, `m` constraint rows and `positions` numbers of a position to `r`
    /// forces.
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
            residual: Residual {
                balance: DMatrix::zeros(n, r),
                rows: DMatrix::zeros(m, r),
                unknowns: vec![0.0; n + m],
            },
            stage: AtStage {
                position: DMatrix::zeros(n, r),
                velocity: DMatrix::zeros(n, r),
                increment: vec![0.0; n],
                rate: vec![0.0; n],
            },
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
        self.begin(solved);
        let formulation = solved.problem.formulation();
        let mut before = f64::INFINITY;
        for iteration in 1..=MAX_CORRECTIONS {
            let mut size = self.correct(solved, kkt, forces);
            if formulation.projects_positions() {
                size = size.max(self.project_positions(solved, kkt));
            }
            if formulation.projects_velocities() {
                size = size.max(self.project_velocities(solved, kkt));
            }
            let share = size / self.velocity.amax().max(f64::MIN_POSITIVE);
            if share <= ENOUGH || (share >= 0.5 * before && share <= ALLOWED) {
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

    /// Writes `M δa + C δv + K δq + Φᵀ δμ` where forces balance: at a share `c` of the step `δv` is `c` times that of the end,
    /// and `δq = c T(c x) T(x)⁻¹` times that of the end.
    fn balance(&mut self, solved: &Solved<'_>) {
        let (p, end, stage) = (solved.problem, solved.end, solved.stage);
        let structure = p.system.structure();
        let Self { acceleration, velocity, position, stage: at_stage, residual, .. } = self;
        let balance = &mut residual.balance;
        balance.fill(0.0);
        let [mut stage_position, mut stage_velocity] = [&*position, &*velocity];
        if p.plan.share < 1.0 {
            at_stage.derive(solved, [position, velocity]);
            [stage_position, stage_velocity] = [&at_stage.position, &at_stage.velocity];
        }
        let mut products = Balance {
            structure,
            acceleration,
            velocity: stage_velocity,
            position: stage_position,
            out: &mut *balance,
        };
        p.system.tangents(stage, &end.a, &end.mu, &mut products);
        let multipliers = &self.multipliers;
        p.system.jacobian(stage.t, stage.q, &mut Reactions { structure, multipliers, out: balance });
    }

    /// One correction of the rule's share and the multipliers; returns its size as a velocity.
    fn correct(&mut self, solved: &Solved<'_>, kkt: &mut Kkt, forces: &DMatrix<f64>) -> f64 {
        let (p, end) = (solved.problem, solved.end);
        let (structure, motion) = (p.system.structure(), solved.motion());
        self.balance(solved);
        let Residual { balance, rows, .. } = &mut self.residual;
        *balance -= forces;
        let (acceleration, velocity, position) = (&self.acceleration, &self.velocity, &self.position);
        let level = p.formulation().level();
        let scale = match level {
            Level::Position => p.plan.position_weight,
            Level::Velocity => p.plan.velocity_weight,
            Level::Acceleration => 1.0,
        };
        rows.fill(0.0);
        let of_jacobian = match level {
            Level::Position => position,
            Level::Velocity => velocity,
            Level::Acceleration => acceleration,
        };
        let mut products = Rows { structure, of_jacobian, of_gradient: position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        match level {
            Level::Position => {}
            Level::Velocity => p.system.rate_gradient(motion, &mut products),
            Level::Acceleration => self.differences.add_curvature(solved, (position, velocity), rows),
        }
        *rows /= scale;
        let (c_q, c_v) = (p.plan.position_weight, p.plan.velocity_weight);
        let mut size = 0.0_f64;
        for k in 0..self.rule.ncols() {
            let (z, change) = self.residual.solve(kkt, k);
            size = size.max(c_v * super::iteration::largest(z));
            self.rule.column_mut(k).iter_mut().zip(&*z).for_each(|(y, z)| *y += c_q * z);
            self.multipliers.column_mut(k).iter_mut().zip(&*change).for_each(|(mu, d)| *mu += d);
        }
        self.refresh(solved);
        size
    }

    /// One correction of `M U + Φᵀ ν = 0`, `φ = 0`; returns its size as a velocity.
    fn project_positions(&mut self, solved: &Solved<'_>, kkt: &mut Kkt) -> f64 {
        let (p, end, (x, own)) = (solved.problem, solved.end, solved.increments);
        let structure = p.system.structure();
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.position_projection;
        balance.fill(0.0);
        let of = (&own.position[..], &own.position_multipliers[..]);
        self.differences.add_projection(solved, of, &self.position, balance);
        for k in 0..balance.ncols() {
            self.differences.add_mass_product(
                solved,
                |change, out| p.coordinates().rate(x, change, out),
                projection.change.column(k).as_slice(),
                balance.column_mut(k).as_mut_slice(),
            );
        }
        let multipliers = &projection.multipliers;
        p.system.jacobian(end.time, &end.q, &mut Reactions { structure, multipliers, out: balance });
        rows.fill(0.0);
        let position = &self.position;
        let mut products = Rows { structure, of_jacobian: position, of_gradient: position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        let size = self.residual.project(kkt, projection);
        self.refresh(solved);
        size * p.plan.velocity_weight / p.plan.position_weight
    }

    /// One correction of `M W + Φᵀ Λ = 0`, `φ̇ = 0`; returns its size.
    fn project_velocities(&mut self, solved: &Solved<'_>, kkt: &mut Kkt) -> f64 {
        let (p, end, (_, own)) = (solved.problem, solved.end, solved.increments);
        let structure = p.system.structure();
        let Residual { balance, rows, .. } = &mut self.residual;
        let projection = &mut self.velocity_projection;
        balance.fill(0.0);
        let of = (&own.velocity[..], &own.velocity_multipliers[..]);
        self.differences.add_projection(solved, of, &self.position, balance);
        for k in 0..balance.ncols() {
            self.differences.add_mass_product(
                solved,
                |change, out| out.copy_from_slice(change),
                projection.change.column(k).as_slice(),
                balance.column_mut(k).as_mut_slice(),
            );
        }
        let multipliers = &projection.multipliers;
        p.system.jacobian(end.time, &end.q, &mut Reactions { structure, multipliers, out: balance });
        rows.fill(0.0);
        let mut products =
            Rows { structure, of_jacobian: &self.velocity, of_gradient: &self.position, out: rows };
        p.system.jacobian(end.time, &end.q, &mut products);
        p.system.rate_gradient(solved.motion(), &mut products);
        let before = (&mut self.work.change, &mut self.work.multipliers);
        before.0.copy_from(&projection.change);
        before.1.copy_from(&projection.multipliers);
        let size = self.residual.project(kkt, projection);
        if let Link::Rate { weight } = p.plan.link {
            self.carry_over(weight);
        }
        self.refresh(solved);
        size
    }
}

impl StepAnswer {
    /// As Newton's method does: the rule takes over a change of the velocity, the projection of the position gives it back.
    fn carry_over(&mut self, weight: f64) {
        self.work.change -= &self.velocity_projection.change;
        self.work.multipliers -= &self.velocity_projection.multipliers;
        self.work.change *= weight;
        self.work.multipliers *= weight;
        self.rule -= &self.work.change;
        self.position_projection.change += &self.work.change;
        self.position_projection.multipliers += &self.work.multipliers;
    }
}

impl Residual {
    /// Solves for the negative residual of column `k`: coordinates and multipliers.
    fn solve(&mut self, kkt: &mut Kkt, k: usize) -> (&mut [f64], &mut [f64]) {
        let (top, bottom) = self.unknowns.split_at_mut(self.balance.nrows());
        top.iter_mut().zip(self.balance.column(k).iter()).for_each(|(x, r)| *x = -r);
        bottom.iter_mut().zip(self.rows.column(k).iter()).for_each(|(x, r)| *x = -r);
        kkt.solve(&mut self.unknowns);
        self.unknowns.split_at_mut(self.balance.nrows())
    }

    /// Corrects a projection; returns the size of the correction.
    fn project(&mut self, kkt: &mut Kkt, projection: &mut Projection) -> f64 {
        let mut size = 0.0_f64;
        for k in 0..projection.change.ncols() {
            self.solve(kkt, k);
            let (change, multipliers) = self.unknowns.split_at_mut(self.balance.nrows());
            kkt.turn(change);
            size = size.max(super::iteration::largest(change));
            projection.change.column_mut(k).iter_mut().zip(&*change).for_each(|(x, d)| *x += d);
            projection.multipliers.column_mut(k).iter_mut().zip(&*multipliers).for_each(|(x, d)| *x += d);
        }
        size
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
