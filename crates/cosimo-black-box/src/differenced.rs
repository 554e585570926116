//! A subsystem that can re-evaluate its steps, with the inverse mass found from outside.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, InverseMass, LoadWeights, MacroStep, RowMatrix, Snapshot, Statistics, StepLoads,
    StepResponse, Subsystem, SubsystemError, pass_on,
};

use crate::differences::{DifferenceError, Differences, KickSize, TRIALS, kick_speed, largest};
use crate::error::{check_finite, step_failed};
use crate::saved::{pack, unpack};
use crate::secant::broyden_update;
use crate::tangent::{Evaluation, Tangent, complete};

/// Corrections must shrink by this factor from one to the next, or the inverse mass is refreshed.
const CONTRACTION: f64 = 0.1;
/// Relative mismatch below which nothing is refreshed, unless the caller sets its own.
const FLOOR: f64 = 1e-10;
/// Updates in a step after which, if corrections still do not shrink tenfold, all columns are differenced; of many rows as many
/// updates as they cost evaluations.
const PATIENCE: usize = 10;
/// Cosine between loads and answer below which they are at right angles, and of the inverse mass along them nothing is known.
const RIGHT_ANGLE: f64 = 1e-3;
const DECORATOR: &str = "differenced inverse mass";

/// How an inverse mass is kept up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// One evaluation per row, when the step size or the weights of loads are others than before or when corrections no longer
    /// shrink tenfold.
    Columns,
    /// A scalar estimate of the mass at the beginning, from one or a few evaluations; then a rank-one update from every
    /// evaluation that the master asks for anyway. Where as many of them in a step as there are rows, and at least ten, do not lead to
    /// it, one evaluation per row.
    QuasiNewton,
}

/// Finds the inverse mass of a subsystem from its answers to trial impulses.
///
/// The inverse mass stays frozen from step to step as long as the master's corrections with it shrink at least tenfold;
/// see [`Refresh`]. What the subsystem itself says of its inverse mass is not looked at. The weights of loads are the
/// subsystem's; where it states none, loads count as means over the step and the position weight is measured.
///
/// Damping stays unknown: the damped inverse mass is empty, and impulses inside a step are of first order where the
/// subsystem damps.
///
/// ```
/// use cosimo_black_box::{DifferencedInverseMass, Refresh};
/// use cosimo_subsystem::conformance::TwoMasses;
/// use cosimo_subsystem::{MacroStep, Subsystem};
/// let mut exact = TwoMasses::default();
/// let mut found = DifferencedInverseMass::new(TwoMasses::default(), Refresh::Columns);
/// let step = MacroStep { time: 0.0, size: 1e-3 };
/// let exact = exact.begin(step, &[0.0; 3])?.inverse_mass.to_dense();
/// let found = found.begin(step, &[0.0; 3])?.inverse_mass.to_dense();
/// assert!((exact - found).amax() < 1e-12);
/// # Ok::<(), cosimo_subsystem::SubsystemError>(())
/// ```
#[derive(Debug)]
pub struct DifferencedInverseMass<S> {
    inner: S,
    description: Description,
    refresh: Refresh,
    /// Relative mismatch that needs no better inverse mass (–).
    floor: f64,
    response: StepResponse,
    /// Tangent of the last step taken: part of the state.
    kept: Tangent,
    /// Tangent of the step begun.
    working: Tangent,
    begun: Option<MacroStep>,
    last: Evaluation,
    differences: Differences,
    mismatch: Vec<f64>,
    change: Vec<f64>,
    prepared: RowMatrix,
    refreshes: u64,
    /// Updates since the step was begun, or since all columns were differenced in it.
    updates: usize,
}

impl<S: Subsystem> DifferencedInverseMass<S> {
    /// Decorates a subsystem that can re-evaluate its steps.
    pub fn new(inner: S, refresh: Refresh) -> Self {
        let mut description = inner.description().clone();
        description.capabilities.inverse_mass = InverseMass::Exact;
        description.capabilities.takes_moves = false;
        // Updates change the inverse mass within a step, however affine the subsystem is.
        description.capabilities.is_affine &= refresh == Refresh::Columns;
        let r = description.rows();
        let tangent = Tangent::zeros(r);
        Self {
            inner,
            description,
            refresh,
            floor: FLOOR,
            response: StepResponse::zeros(r),
            kept: tangent.clone(),
            working: tangent,
            begun: None,
            last: Evaluation::zeros(r),
            differences: Differences::new(r),
            mismatch: vec![0.0; r],
            change: vec![0.0; r],
            prepared: RowMatrix::zeros(r),
            refreshes: 0,
            updates: 0,
        }
    }

    /// Sets the relative mismatch between prediction and answer (–) below which no refresh is worth its evaluations:
    /// the tolerance of the iteration. Default: 1e-10.
    #[must_use]
    pub fn with_floor(mut self, floor: f64) -> Self {
        self.floor = floor;
        self
    }

    /// Takes the answer for what it is not worth more: not affine, whatever the subsystem claims.
    #[must_use]
    pub fn without_affinity(mut self) -> Self {
        self.description.capabilities.is_affine = false;
        self
    }

    /// How the inverse mass is kept up to date.
    #[must_use]
    pub fn refresh(&self) -> Refresh {
        self.refresh
    }

    /// The subsystem inside.
    #[must_use]
    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| SubsystemError::NotBegun {
            subsystem: self.description.name.clone(),
            call: call.into(),
        })
    }

    /// Updates in a step before its columns are differenced.
    fn patience(&self) -> usize {
        PATIENCE.max(self.change.len())
    }

    /// Speeds at hand: of the rows, and of the answer in the response.
    fn speed(&self) -> f64 {
        largest(&self.inner.rows().velocities).max(largest(&self.response.velocities))
    }

    /// The free response of the step in `response`, with `stated` weights; finds the tangent for it.
    fn find_tangent(&mut self, step: MacroStep, stated: LoadWeights) -> Result<(), SubsystemError> {
        self.last.impulses.fill(0.0);
        self.last.velocities.copy_from_slice(&self.response.velocities);
        self.working.copy_from(&self.kept);
        if self.working.fits(step.size, stated) {
            return Ok(());
        }
        match self.refresh {
            Refresh::QuasiNewton if self.kept.size > 0.0 => {
                // Inertia hardly depends on the size; updates do the rest.
                let chi = self.kept.weights.position / self.kept.size;
                self.working.weights = complete(stated, step.size, chi * step.size);
            }
            Refresh::QuasiNewton => self.estimate_mass(step, stated)?,
            Refresh::Columns => self.difference(step, stated)?,
        }
        self.working.size = step.size;
        Ok(())
    }

    /// All columns about the last evaluation.
    fn difference(&mut self, step: MacroStep, stated: LoadWeights) -> Result<(), SubsystemError> {
        let speed = kick_speed(self.description.capabilities.is_affine, self.speed());
        let base = (self.response.positions.as_slice(), self.response.velocities.as_slice());
        self.differences.of_step(&mut self.inner, &self.last.impulses, base, speed).map_err(|error| {
            match error {
                DifferenceError::Subsystem(error) => error,
                DifferenceError::Refused(error) => step_failed(&self.description.name, step, &error),
            }
        })?;
        self.refreshes += 1;
        self.working.inverse_mass.copy_from(&self.differences.inverse_mass);
        self.working.weights = complete(stated, step.size, self.differences.position_weight);
        Ok(())
    }

    /// `W = (|Δv|² / x·Δv) I` from an evaluation with all rows loaded, and `χ` by least squares: a subsystem that gives way in
    /// one direction alone has its inverse mass there, wherever it lies.
    ///
    /// Source: J. Barzilai, J. M. Borwein, *IMA J. Numer. Anal.* 8, 1988, equation 5.
    fn estimate_mass(&mut self, step: MacroStep, stated: LoadWeights) -> Result<(), SubsystemError> {
        let mut sizes = KickSize::new(kick_speed(false, self.speed()));
        let mut kick = sizes.first();
        let (mut inverse_mass, mut chi) = (0.0, 0.0);
        for _ in 0..TRIALS {
            self.load_all_rows(kick);
            let answer = self.inner.evaluate_rows(&self.change)?;
            check_finite(&answer.positions, &answer.velocities)
                .map_err(|error| step_failed(&self.description.name, step, &error))?;
            let (mut most, mut moves, mut squares) = (0.0_f64, 0.0, 0.0);
            let (mut along, mut loads) = (0.0, 0.0);
            for (row, x) in self.change.iter().enumerate() {
                let dv = answer.velocities[row] - self.response.velocities[row];
                most = most.max(dv.abs());
                moves += dv * (answer.positions[row] - self.response.positions[row]);
                (squares, along, loads) = (squares + dv * dv, along + x * dv, loads + x * x);
            }
            let least = RIGHT_ANGLE * (squares * loads).sqrt();
            inverse_mass = if squares > 0.0 { squares / f64::max(along, least) } else { 0.0 };
            chi = if squares > 0.0 { moves / squares } else { 0.0 };
            match sizes.better(kick, most) {
                Some(better) => kick = better,
                None => break,
            }
        }
        self.refreshes += 1;
        self.working.inverse_mass.fill(0.0);
        self.working.inverse_mass.fill_diagonal(inverse_mass);
        self.working.weights = complete(stated, step.size, chi);
        Ok(())
    }

    /// Loads of about this size on all rows: numbers that no joint is likely to be at right angles to.
    fn load_all_rows(&mut self, size: f64) {
        for (row, x) in self.change.iter_mut().enumerate() {
            *x = size * (1.0 + (0.618 * row as f64).fract());
        }
    }

    /// Compares the answer in `response` with the prediction, and refreshes the tangent if it must be better.
    fn follow(
        &mut self,
        step: MacroStep,
        impulses: &[f64],
        stated: LoadWeights,
    ) -> Result<(), SubsystemError> {
        let (mut correction, mut mismatch) = (0.0_f64, 0.0_f64);
        for (change, (x, last)) in self.change.iter_mut().zip(impulses.iter().zip(&self.last.impulses)) {
            *change = x - last;
        }
        for row in 0..impulses.len() {
            let predicted: f64 = (0..impulses.len())
                .map(|column| self.working.inverse_mass[(row, column)] * self.change[column])
                .sum();
            let found = self.response.velocities[row] - self.last.velocities[row];
            self.mismatch[row] = found - predicted;
            correction = correction.max(found.abs());
            mismatch = mismatch.max(self.mismatch[row].abs());
        }
        self.last.impulses.copy_from_slice(impulses);
        self.last.velocities.copy_from_slice(&self.response.velocities);
        let is_small = mismatch <= self.floor * self.speed();
        match self.refresh {
            _ if self.description.capabilities.is_affine || is_small => Ok(()),
            Refresh::QuasiNewton
                if self.updates >= self.patience() && mismatch > CONTRACTION * correction =>
            {
                self.updates = 0;
                self.difference(step, stated)
            }
            Refresh::QuasiNewton => {
                self.updates += 1;
                broyden_update(&mut self.working.inverse_mass, &self.change, &self.mismatch);
                Ok(())
            }
            // What a correction leaves is what the next one corrects.
            Refresh::Columns if mismatch > CONTRACTION * correction => self.difference(step, stated),
            Refresh::Columns => Ok(()),
        }
    }

    /// Shows the tangent in the response; the revision changes only when it does.
    fn publish(&mut self) {
        let response = &mut self.response;
        let shown = response.inverse_mass.dense_mut();
        if *shown != self.working.inverse_mass || response.weights != self.working.weights {
            shown.copy_from(&self.working.inverse_mass);
            response.weights = self.working.weights;
            response.revision += 1;
        }
    }
}

impl<S: Subsystem> Subsystem for DifferencedInverseMass<S> {
    pass_on!(inner: rows, energy, jump, project_positions, set_inputs, outputs, observe, remote_cost, prefetch, is_asynchronous);

    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        (self.begun, self.updates) = (None, 0);
        let free = self.inner.begin(step, start_loads)?;
        check_finite(&free.positions, &free.velocities)
            .map_err(|error| step_failed(&self.description.name, step, &error))?;
        self.response.positions.copy_from_slice(&free.positions);
        self.response.velocities.copy_from_slice(&free.velocities);
        self.response.touches.clone_from(&free.touches);
        let stated = free.weights;
        self.find_tangent(step, stated)?;
        self.begun = Some(step);
        self.publish();
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let step = self.step_begun("evaluate")?;
        let answer = self.inner.evaluate_rows(impulses)?;
        check_finite(&answer.positions, &answer.velocities)
            .map_err(|error| step_failed(&self.description.name, step, &error))?;
        self.response.positions.copy_from_slice(&answer.positions);
        self.response.velocities.copy_from_slice(&answer.velocities);
        self.response.touches.clone_from(&answer.touches);
        let stated = answer.weights;
        self.follow(step, impulses, stated)?;
        self.publish();
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.step_begun("commit")?;
        if loads.has_moves {
            self.description.check_moves(&loads.moves)?;
        }
        let ledger = self.inner.commit(loads)?;
        self.begun = None;
        self.kept.copy_from(&self.working);
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.begun = None;
        self.inner.discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.begun = None;
        self.inner.prepare_jump(size)?;
        // A jump at one place is linear in its impulses, however the motion is bent.
        let speed = kick_speed(true, largest(&self.rows().velocities));
        self.differences.of_jump(&mut self.inner, size, speed).map_err(|error| match error {
            DifferenceError::Subsystem(error) => error,
            DifferenceError::Refused(error) => {
                step_failed(&self.description.name, MacroStep { time: 0.0, size }, &error)
            }
        })?;
        self.inner.prepare_jump(size)?;
        self.prepared.dense_mut().copy_from(&self.differences.inverse_mass);
        Ok(&self.prepared)
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        pack(DECORATOR, &self.description.name, self.inner.save()?, self.kept.to_values())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let r = self.description.rows();
        let saved = unpack(DECORATOR, &self.description.name, snapshot, Tangent::values(r))?;
        self.inner.restore(&saved.inner)?;
        self.begun = None;
        self.kept.restore(&saved.values);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { refreshes: self.refreshes, ..self.inner.statistics() }
    }
}
