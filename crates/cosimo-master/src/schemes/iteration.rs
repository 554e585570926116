//! The iterative schemes: sweeps until the subsystems agree.
//!
//! A contact is activated by the gap it would close without contact impulses, as in the condensed scheme. That gap is
//! known once the sweeps agree without them: a step is iterated **free** first and, if a contact needs it, once more
//! with the **contact** impulses of the candidates found. With the forecast as activation the first stage is left out.

use cosimo_nonsmooth::ImpactResolution;

use super::cluster_stage::ClusterStage;
use super::corrections::Corrections;
use super::response::{Mismatch, OF_SOLVERS};
use super::stage::Stage;
use super::state::SchemeState;
use super::sweep::Sweep;
use crate::contacts::{contact_rows, expect_stiffness};
use crate::layout::{Layout, Side};
use crate::{Master, MasterConfig, StepError};

/// Velocity change, against the size of velocities and positions at a joint, below which there is only round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// An iterative scheme.
#[derive(Debug)]
pub(crate) struct Iteration {
    sweep: Sweep,
    /// Sweeps of the step at hand.
    sweeps: u32,
    free: Stage,
    contact: Stage,
    candidates: Vec<bool>,
    /// Of every cluster of the model, whether its contacts matter in the step at hand.
    matters: Vec<bool>,
    iterate: Vec<f64>,
    answer: Vec<f64>,
    /// Unknowns of the free stage, to which contact impulses add.
    base: Vec<f64>,
    /// Forces of redundant joints that move nothing, of the last sweep, and forces that are zero.
    idle: [Vec<f64>; 2],
}

impl Iteration {
    pub(crate) fn new(layout: &Layout, config: &MasterConfig) -> Self {
        let sweep = Sweep::new(layout, config.scheme);
        let size = sweep.size();
        let stage = || Stage::new(config.acceleration, size, layout);
        Self {
            free: stage(),
            contact: stage(),
            candidates: vec![false; layout.contacts.len()],
            matters: vec![false; layout.clusters.len()],
            iterate: vec![0.0; size],
            answer: vec![0.0; size],
            base: vec![0.0; layout.unknowns],
            idle: [vec![0.0; layout.unknowns], vec![0.0; layout.unknowns]],
            sweep,
            sweeps: 0,
        }
    }

    /// Whether an accelerator knows anything of steps before.
    fn has_learnt(&self) -> bool {
        let mut clusters = self.free.clusters.iter().chain(&self.contact.clusters);
        clusters.any(|cluster| !cluster.secants().is_empty())
    }

    /// Leaves the clusters whose contacts do not matter as the free stage has left them.
    fn keep_free_clusters(&mut self) {
        for (own, free) in self.contact.clusters.iter_mut().zip(&self.free.clusters) {
            if !self.matters[own.cluster] {
                own.keep(free, &mut self.iterate);
            }
        }
    }

    pub(crate) fn state(&self) -> SchemeState {
        SchemeState { free: self.free.state(), contact: self.contact.state() }
    }

    /// Whether the state is one of this model and scheme.
    pub(crate) fn fits(&self, state: &SchemeState) -> bool {
        self.free.fits(&state.free) && self.contact.fits(&state.contact)
    }

    /// Goes on from a state that fits.
    pub(crate) fn restore(&mut self, state: &SchemeState) {
        self.free.restore(&state.free);
        self.contact.restore(&state.contact);
    }
}

impl Master {
    /// Iterates to the tolerance; returns solves and iterations.
    pub(crate) fn solve_iteratively(
        &mut self,
        h: f64,
        resolution: ImpactResolution,
    ) -> Result<(u32, u32), StepError> {
        let Some(mut scheme) = self.iteration.take() else { return Ok((0, 0)) };
        self.clear_moments();
        self.counters.remember(&self.memory);
        scheme.sweeps = 0;
        let has_learnt = scheme.has_learnt();
        let mut result = self.iterate_stages(&mut scheme, h, resolution);
        if has_learnt && result.as_ref().is_err_and(StepError::is_of_step_size) {
            // What was learnt in the steps before may mislead: once more without.
            self.forget(&mut scheme);
            self.discard();
            result = self.begin(h).and_then(|()| self.refresh(h));
            result = result.and_then(|()| self.iterate_stages(&mut scheme, h, resolution));
        }
        match &result {
            Ok(()) => self.unload_idle_part(&mut scheme.idle),
            // What follows, a step of half the size perhaps, begins from the last step that was taken.
            Err(_) => self.forget(&mut scheme),
        }
        let sweeps = scheme.sweeps;
        self.iteration = Some(scheme);
        result.map(|()| (sweeps, sweeps))
    }

    /// Goes back to what was known at the last step that was taken, without what accelerators have learnt.
    fn forget(&mut self, scheme: &mut Iteration) {
        self.memory.copy_from_slice(self.counters.remembered());
        scheme.free.reset();
        scheme.contact.reset();
    }

    /// Takes from the forces found what moves nothing in the whole model: sweeps would carry it to and fro without end. What is left
    /// are the forces of the condensed scheme.
    fn take_idle_part(&mut self, answer: &mut [f64], idle: &mut [f64]) {
        if !self.condensation.is_any_relaxed() {
            return;
        }
        idle.copy_from_slice(answer);
        self.condensation.take_idle_part(&self.layout, idle);
        answer.iter_mut().zip(idle).for_each(|(x, idle)| *x -= *idle);
    }

    /// Takes the same from the loads that the last sweep has left.
    fn unload_idle_part(&mut self, [idle, no_forces]: &mut [Vec<f64>; 2]) {
        if !self.condensation.is_any_relaxed() {
            return;
        }
        idle.iter_mut().for_each(|idle| *idle = -*idle);
        self.condensation.add_joint_loads(&self.layout, idle, no_forces, &mut self.rows.loads);
    }

    fn iterate_stages(
        &mut self,
        scheme: &mut Iteration,
        h: f64,
        resolution: ImpactResolution,
    ) -> Result<(), StepError> {
        self.refresh_sweep(&mut scheme.sweep);
        scheme.base.fill(0.0);
        let is_free = self.layout.contacts.is_empty() || resolution != ImpactResolution::Forecast;
        if is_free {
            self.iterate(scheme, false, h)?;
            scheme.base.copy_from_slice(&self.rows.unknowns);
        }
        if self.layout.contacts.is_empty() {
            return Ok(());
        }
        if self.choose_candidates(scheme, h, resolution) {
            self.iterate(scheme, true, h)?;
            let parts = scheme.sweep.local.iter().filter(|local| !local.contacts.is_empty());
            self.contact_problems
                .collect(parts.map(|l| (l.contacts.as_slice(), l.rows.as_slice(), l.problem.solution())));
        } else {
            self.contact_problems.skip(&mut self.memory);
            scheme.contact.end(h, scheme.base.iter().map(|_| 0.0));
        }
        Ok(())
    }

    /// Decides which contacts may carry impulses in this step; whether the contacts matter at all.
    fn choose_candidates(&mut self, scheme: &mut Iteration, h: f64, resolution: ImpactResolution) -> bool {
        for (k, row) in self.layout.contact_rows.iter().enumerate() {
            if let Some(contact) = row.gap_of {
                self.rows.end_gaps[contact] = self.rows.end_positions[row.global_row];
            }
            self.rows.end_rates[k] = self.rows.end_velocities[row.global_row];
        }
        let all = resolution == ImpactResolution::Forecast && !scheme.candidates.is_empty();
        for (number, cluster) in self.layout.clusters.iter().enumerate() {
            let matrices = (&self.rows, self.condensation.contacts(number));
            let rows = contact_rows(&self.layout, cluster, matrices, (self.clock.now, [h, self.macro_size]));
            let memory = &self.memory[cluster.contacts.clone()];
            for (c, candidate) in scheme.candidates[cluster.contacts.clone()].iter_mut().enumerate() {
                *candidate = resolution.is_candidate(&rows, memory, c);
            }
            scheme.matters[number] = all || resolution.is_needed(&rows, memory);
            // Stiffness is told by matrices that sweeps need for nothing else.
            let passes = |j: &usize| self.layout.joints[*j].law.passes_impulses();
            if scheme.matters[number] && !cluster.contacts.is_empty() && !cluster.joints.iter().any(passes) {
                self.condensation.refresh_contacts(&self.layout, number);
                let memory = &mut self.memory[cluster.contacts.clone()];
                expect_stiffness(memory, self.condensation.contacts(number));
            }
        }
        self.counters.remember(&self.memory);
        scheme.matters.contains(&true)
    }

    /// One stage: sweeps until they agree.
    fn iterate(&mut self, scheme: &mut Iteration, with_contacts: bool, h: f64) -> Result<(), StepError> {
        self.guess(scheme, with_contacts, h);
        if with_contacts {
            scheme.keep_free_clusters();
        }
        self.counters.interfaces.begin_solve();
        let Iteration {
            sweep,
            sweeps,
            free,
            contact,
            candidates,
            iterate,
            answer,
            base,
            idle: [idle, _],
            ..
        } = scheme;
        let stage = if with_contacts { contact } else { free };
        let (unknowns, candidates) = (base.len(), with_contacts.then_some(candidates.as_slice()));
        let (mut untrue, mut before) = (None, Mismatch::default());
        let mut count = 0;
        while count < self.config.max_iterations {
            (count, *sweeps) = (count + 1, *sweeps + 1);
            let swept = self.sweep(sweep, (iterate, answer), (candidates, h));
            let found = swept.map_err(|error| self.diverged(stage, h).unwrap_or(error))?;
            self.take_idle_part(&mut answer[..unknowns], idle);
            let (mismatch, row) = found.relative();
            if with_contacts {
                let parts = sweep.local.iter().flat_map(|local| {
                    local.contacts.iter().copied().zip(local.problem.solution().sustained.iter().copied())
                });
                stage.note_contacts(parts);
            }
            if stage.take(iterate, answer, base) {
                break;
            }
            let is_floor = count > 2 && found.is_floor(before);
            before = found;
            untrue = (mismatch > self.config.tolerance && !is_floor).then_some((row, mismatch));
            self.note_mismatches(count, found);
            if self.settle(stage, sweep, (iterate, answer), untrue.is_none()) {
                stage.clusters.iter_mut().for_each(ClusterStage::accept);
                self.note_last_changes(count, &stage.clusters);
                self.note_contraction(count, stage);
                self.rows.unknowns.copy_from_slice(&answer[..unknowns]);
                stage.end(h, self.rows.unknowns.iter().zip(base.iter()).map(|(x, base)| x - base));
                return Ok(());
            }
            for cluster in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
                cluster.advance(iterate);
                if !(cluster.corrections.residual <= self.config.tolerance) {
                    self.counters.interfaces.note_unsettled(cluster.cluster, count);
                }
            }
        }
        self.note_contraction(count, stage);
        let worst = stage.worst().map(|cluster| &cluster.corrections);
        let agrees = worst.is_none_or(|corrections| corrections.residual <= self.config.tolerance);
        Err(match (untrue.filter(|_| agrees), worst) {
            (None, Some(corrections)) => self.give_up(corrections, h),
            (found, _) => {
                let (row, mismatch) = found.unwrap_or_default();
                self.row_not_converged(h, (count, row, mismatch))
            }
        })
    }

    /// Decides which clusters agree, if what their subsystems told is `true`; says whether all do. Their iterates stay, and
    /// with them their answers, as long as subsystems are affine: those of others go on moving.
    fn settle(
        &self,
        stage: &mut Stage,
        sweep: &Sweep,
        (iterate, answer): (&[f64], &[f64]),
        is_true: bool,
    ) -> bool {
        if !is_true {
            return false;
        }
        for own in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
            let is_converged = own.corrections.residual <= self.config.tolerance;
            let joints = &self.layout.clusters[own.cluster].joints;
            if is_converged || self.is_round_off(joints, sweep, (iterate, answer)) {
                own.settle(is_converged);
            }
        }
        let all = stage.clusters.iter().all(|cluster| cluster.is_settled);
        let goes_on = |cluster: &&mut ClusterStage| !all && !self.all_affine && cluster.is_settled;
        stage.clusters.iter_mut().filter(goes_on).for_each(|cluster| cluster.is_settled = false);
        all
    }

    /// Notes how the cluster that agreed last, or is farthest from it, came there.
    fn note_contraction(&mut self, count: u32, stage: &Stage) {
        if let Some(own) = stage.worst() {
            self.counters.note_contraction(count, own.corrections.contraction());
        }
    }

    /// First guess of a stage: what contact impulses added in the last steps, on top of the free stage; or the solutions
    /// of the last steps; or, in the first step, the forces at its start.
    fn guess(&mut self, scheme: &mut Iteration, with_contacts: bool, h: f64) {
        let Iteration { sweep, free, contact, iterate, base, .. } = scheme;
        let unknowns = base.len();
        let stage = if with_contacts { contact } else { free };
        iterate[..unknowns].copy_from_slice(base);
        if stage.history.known == 0 && base.iter().all(|x| *x == 0.0) {
            for (joint, row) in self.layout.joints.iter().zip(&self.condensation.rows) {
                for unknown in joint.unknowns() {
                    iterate[unknown] = row.load_weight * self.rows.start_forces[unknown];
                }
            }
        }
        stage.begin(h, &mut iterate[..unknowns]);
        self.guess_motions(sweep, iterate);
    }

    fn give_up(&self, corrections: &Corrections, h: f64) -> StepError {
        let found = (corrections.count, corrections.worst, corrections.residual);
        self.not_converged(h, found, corrections.contraction())
    }

    /// What is wrong where a subsystem cannot follow the forces of a sweep because sweeps drive them apart.
    fn diverged(&self, stage: &Stage, h: f64) -> Option<StepError> {
        let corrections = &stage.worst()?.corrections;
        (corrections.contraction() > 1.0).then(|| self.give_up(corrections, h))
    }

    /// Whether the last correction moves no port by more than the round-off of its motion, and what the solvers of subsystems leave
    /// in it. Where forces are zero no change is small against them.
    fn is_round_off(&self, joints: &[usize], sweep: &Sweep, (iterate, answer): (&[f64], &[f64])) -> bool {
        let (members, rows) = (&self.layout.members, &self.rows);
        let joints = joints.iter().map(|&j| (&self.layout.joints[j], &self.condensation.rows[j]));
        joints.into_iter().all(|(joint, row)| {
            (0..joint.size).all(|k| {
                let rounding = |own: &Side| {
                    let (q, v) =
                        (rows.end_positions[own.global_row + k], rows.end_velocities[own.global_row + k]);
                    let member = &members[own.subsystem];
                    let of_solver = if member.is_affine { 0.0 } else { OF_SOLVERS * (1.0 + v.abs()) };
                    ROUND_OFF * (v.abs() + q.abs() / member.weights.position) + of_solver
                };
                let floor: f64 = joint.sides.iter().map(rounding).sum();
                let change = |entry: usize| (answer[entry] - iterate[entry]).abs();
                let unknown = joint.first + k;
                let motion = rows.unknowns.len() + unknown;
                let is_at_rest = |compliance: f64| change(motion) * compliance <= floor;
                sweep.motion_compliance(motion).filter(|_| motion < answer.len()).is_none_or(is_at_rest)
                    && joint.sides.iter().zip(row.share).all(|(own, share)| {
                        let compliance = members[own.subsystem].compliance[(own.row + k, own.row + k)];
                        change(unknown) * share * compliance <= floor
                    })
            })
        })
    }
}
