//! Loops of outputs that depend on each other at once, solved by Newton's method.
//!
//! The unknowns are the values `x` of the cuts. One sweep evaluates the outputs of the loop in their order and gives `G(x)`
//! there; what is solved is `G(x) − x = 0`, with differences for the derivatives. Loops of affine elements take one iteration.

use cosimo_linear::DenseLu;
use cosimo_subsystem::SubsystemError;
use nalgebra::DMatrix;

use super::values::Values;
use crate::error::signals::SignalError;
use crate::execution::subsystems::Subsystems;
use crate::topology::signals::order::Loop;
use crate::topology::signals::wiring::Wiring;

/// Iterations after which a loop counts as not solved.
const MOST_ITERATIONS: u32 = 50;
/// Width of the differences, relative to the largest value of the loop: affine loops leave 1e-16 / 1e-5 of it, less than any
/// tolerance in use.
const WIDTH: f64 = 1e-5;
/// Halvings of a Newton step that does not reduce the residual.
const MOST_HALVINGS: u32 = 20;

/// Why outputs are not evaluated.
#[derive(Debug)]
pub(super) enum LoopFailure {
    /// A subsystem failed.
    Subsystem(SubsystemError),
    /// The iteration did not converge.
    NotSolved(SignalError),
}

/// A loop with room for its solution.
#[derive(Debug)]
pub(super) struct LoopSolver {
    pub(super) cycle: Loop,
    unknowns: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
    jacobian: DMatrix<f64>,
    lu: DenseLu,
    /// Largest value at the start of the iteration or at its present point (unit of the signals): what a step too far met does not count.
    scale: f64,
    start_scale: f64,
}

impl LoopSolver {
    pub(super) fn new(cycle: Loop) -> Self {
        let n = cycle.cuts.len();
        Self {
            cycle,
            unknowns: vec![0.0; n],
            residual: vec![0.0; n],
            correction: vec![0.0; n],
            jacobian: DMatrix::zeros(n, n),
            lu: DenseLu::default(),
            scale: 0.0,
            start_scale: 0.0,
        }
    }

    /// Solves the loop from the present values of its cuts, to a residual relative to its largest value (–).
    pub(super) fn solve(
        &mut self,
        wiring: &Wiring,
        subsystems: &mut Subsystems,
        values: &mut Values,
        tolerance: f64,
    ) -> Result<(), LoopFailure> {
        let Self { cycle, unknowns, .. } = self;
        unknowns.iter_mut().zip(&cycle.cuts).for_each(|(x, cut)| *x = values.outputs[*cut]);
        self.start_scale = 0.0;
        let mut sweep = Sweep { wiring, subsystems, values };
        self.find_residual(&mut sweep)?;
        self.start_scale = self.scale;
        for iterations in 0.. {
            let norm = largest(&self.residual);
            if norm <= tolerance * self.scale {
                return Ok(());
            }
            let residual = norm / self.scale;
            if iterations == MOST_ITERATIONS {
                let reason = "it may have no solution; check the gains in the loop";
                return Err(self.not_solved(wiring, (iterations, residual), reason));
            }
            self.find_jacobian(&mut sweep)?;
            if self.lu.factorize(&self.jacobian).is_err() {
                let reason = "its gain is one, so that it has no solution or many; change a gain in the loop";
                return Err(self.not_solved(wiring, (iterations, residual), reason));
            }
            self.correct(&mut sweep, norm)?;
        }
        Ok(())
    }

    #[cold]
    fn not_solved(
        &self,
        wiring: &Wiring,
        (iterations, residual): (u32, f64),
        reason: &'static str,
    ) -> LoopFailure {
        let outputs = wiring.names(&self.cycle.outputs);
        LoopFailure::NotSolved(SignalError::LoopNotSolved { outputs, iterations, residual, reason })
    }

    /// `G(x) − x` into the residual.
    fn find_residual(&mut self, sweep: &mut Sweep<'_>) -> Result<(), LoopFailure> {
        sweep.take(&self.cycle, &self.unknowns)?;
        let found = self.cycle.cuts.iter().map(|cut| sweep.values.outputs[*cut]);
        self.scale = self.start_scale;
        for ((residual, x), g) in self.residual.iter_mut().zip(&self.unknowns).zip(found) {
            *residual = g - x;
            self.scale = self.scale.max(g.abs()).max(x.abs());
        }
        Ok(())
    }

    /// `∂(G − x)/∂x` by differences from the current residual.
    fn find_jacobian(&mut self, sweep: &mut Sweep<'_>) -> Result<(), LoopFailure> {
        let width = WIDTH * self.scale;
        for k in 0..self.unknowns.len() {
            let x = self.unknowns[k];
            self.unknowns[k] = x + width;
            let width = self.unknowns[k] - x;
            sweep.take(&self.cycle, &self.unknowns)?;
            for (row, cut) in self.cycle.cuts.iter().enumerate() {
                let residual = sweep.values.outputs[*cut] - self.unknowns[row];
                self.jacobian[(row, k)] = (residual - self.residual[row]) / width;
            }
            self.unknowns[k] = x;
        }
        Ok(())
    }

    /// A Newton step, halved until the residual becomes smaller than `norm`.
    fn correct(&mut self, sweep: &mut Sweep<'_>, norm: f64) -> Result<(), LoopFailure> {
        self.correction.copy_from_slice(&self.residual);
        self.lu.solve(&mut self.correction);
        let mut share = 1.0;
        self.advance(-1.0);
        for _ in 0..MOST_HALVINGS {
            self.find_residual(sweep)?;
            if largest(&self.residual) < norm {
                break;
            }
            share *= 0.5;
            self.advance(share);
        }
        Ok(())
    }

    /// Adds a share of the correction to the unknowns.
    fn advance(&mut self, share: f64) {
        self.unknowns.iter_mut().zip(&self.correction).for_each(|(x, d)| *x += share * d);
    }
}

/// What a sweep through a loop works on.
struct Sweep<'a> {
    wiring: &'a Wiring,
    subsystems: &'a mut Subsystems,
    values: &'a mut Values,
}

impl Sweep<'_> {
    /// Evaluates the outputs of a loop from these values of its cuts.
    fn take(&mut self, cycle: &Loop, unknowns: &[f64]) -> Result<(), LoopFailure> {
        let Self { wiring, subsystems, values } = self;
        cycle.cuts.iter().zip(unknowns).for_each(|(cut, x)| values.set(wiring, *cut, *x));
        for &output in &cycle.outputs {
            let subsystem = wiring.outputs[output].subsystem;
            values.evaluate(wiring, subsystems, subsystem, &[output]).map_err(LoopFailure::Subsystem)?;
        }
        Ok(())
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}
