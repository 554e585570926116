//! How fast an error of the loads shrinks in passes without tangents, and whose tangents enter therefore.
//!
//! A pass without tangents multiplies an error of the loads by `B W`. Its spectral radius is found once, before the first step, by
//! power iteration: the body is evaluated at the load, and the tangents of the source make the next load of what it has moved,
//!
//! ```text
//!   δz, δż = evaluate(X) − evaluate(0)        X ← end (∂λ₁/∂z₁ δz + ∂λ₁/∂ż₁ δż)
//! ```
//!
//! so that no response of rows on which only loads act is needed for the choice.

use cosimo_subsystem::cost::CallKind;
use cosimo_subsystem::{MacroStep, StepResponse, Subsystem, SubsystemError};

use super::Loads;
use super::exchange::{LoadExchange, LoadedBody, SourceTangents};
use crate::LoadTangents;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::Linearisation;
use crate::rows::StepRows;
use crate::topology::Topology;

/// Contraction above which tangents enter by themselves: slower than a digit a pass.
const SLOW: f64 = 0.1;
const ITERATIONS: usize = 30;
/// Change from one iteration to the next, as a share, below which the contraction is known.
const SETTLED: f64 = 1e-3;
/// Largest change of a velocity that a body is evaluated at (m/s).
const CHANGE: f64 = 1e-3;

impl Loads {
    /// Chooses, once and before the first step, which will be this one, whose tangents enter: those of loads whose error would shrink by less
    /// than a digit a pass without them, or is unknown, or as the settings say.
    ///
    /// # Errors
    /// A subsystem has panicked.
    pub(crate) fn choose_tangents(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        linearisation: &mut Linearisation,
        rows: &StepRows,
        step: MacroStep,
    ) -> Result<(), SubsystemError> {
        if topology.load_sources.is_empty() || self.history.enters.is_some() {
            return Ok(());
        }
        // What fails here fails in the step, which knows what to do about it.
        let contraction = self
            .find_contractions(topology, subsystems, rows, step)
            .unwrap_or_else(|_| vec![None; topology.load_sources.len()]);
        subsystems.discard();
        subsystems.check_panicked(topology)?;
        let is_slow = |contraction: &Option<f64>| needs_tangents(topology.config.load_tangents, *contraction);
        let sources = topology.load_sources.iter().zip(&contraction);
        let enters =
            sources.map(|(source, contraction)| source.gives_tangents && is_slow(contraction)).collect();
        (self.history.enters, self.history.contraction) = (Some(enters), contraction);
        self.take_up_tangents(topology, subsystems, &mut linearisation.models);
        Ok(())
    }

    /// The contraction of each source that gives tangents: the largest of the bodies that its loads act on.
    fn find_contractions(
        &mut self,
        topology: &Topology,
        subsystems: &mut Subsystems,
        rows: &StepRows,
        step: MacroStep,
    ) -> Result<Vec<Option<f64>>, SubsystemError> {
        let Self { history, exchange } = self;
        LoadExchange::begin(topology, subsystems, step)?;
        exchange.read_start(topology, (rows, subsystems), step.size);
        exchange.ask(topology, subsystems, history, (|_| true, true))?;
        let gives = topology.load_sources.iter().map(|source| source.gives_tangents.then_some(0.0));
        let mut contractions: Vec<Option<f64>> = gives.collect();
        for body in &exchange.bodies {
            let (i, layout) = (body.subsystem, &topology.subsystems[body.subsystem]);
            let mut found = None;
            if subsystems.all[i].description().capabilities.can_roll_back {
                let loads = BodyLoads {
                    body,
                    exchange,
                    first: |s: usize| topology.load_sources[s].coordinates.start,
                };
                let start_loads = &rows.start_loads[layout.rows.clone()];
                found = Some(subsystems.call((i, &layout.name), CallKind::Other, |subsystem| {
                    loads.contraction(subsystem, step, start_loads)
                })?);
            }
            for row in &body.rows {
                let known = &mut contractions[row.source];
                *known = known.zip(found).map(|(known, found)| known.max(found));
            }
        }
        Ok(contractions)
    }
}

/// The loads on a body, as their tangents give them.
struct BodyLoads<'a, F> {
    body: &'a LoadedBody,
    exchange: &'a LoadExchange,
    /// First coordinate of a source among those of all load ports.
    first: F,
}

impl<F: Fn(usize) -> usize> BodyLoads<'_, F> {
    /// Spectral radius of `B W` of a body.
    fn contraction(
        &self,
        subsystem: &mut dyn Subsystem,
        step: MacroStep,
        start_loads: &[f64],
    ) -> Result<f64, SubsystemError> {
        let free = subsystem.begin(step, start_loads)?.clone();
        let mut direction = self.first_direction(start_loads.len());
        let (mut scale, mut growth) = (step.size, 0.0);
        for _ in 0..ITERATIONS {
            let impulses: Vec<f64> = direction.iter().map(|x| scale * x).collect();
            let moved = subsystem.evaluate_rows(&impulses)?;
            let largest = moved.velocities.iter().zip(&free.velocities).map(|(v, free)| (v - free).abs());
            let largest = largest.fold(0.0, f64::max);
            self.answer([&free, moved], scale, &mut direction);
            let last = std::mem::replace(&mut growth, normalise(&mut direction));
            if !(growth > 0.0) || (growth - last).abs() <= SETTLED * growth {
                break;
            }
            if largest > 0.0 {
                scale *= CHANGE / largest;
            }
        }
        Ok(growth)
    }

    /// Any unit vector that no eigenvector is orthogonal to.
    fn first_direction(&self, rows: usize) -> Vec<f64> {
        let mut direction = vec![0.0; rows];
        for (k, row) in self.body.rows.iter().enumerate() {
            direction[row.row] = 1.0 + (0.618 * k as f64).fract();
        }
        normalise(&mut direction);
        direction
    }

    /// Writes the impulses of the loads for the move from the free rows, by unit of the scale.
    fn answer(&self, [free, moved]: [&StepResponse; 2], scale: f64, impulses: &mut [f64]) {
        impulses.fill(0.0);
        let change = |of: fn(&StepResponse) -> &[f64], row: usize| (of(moved)[row] - of(free)[row]) / scale;
        for rows in &self.body.rows_by_source {
            let (source, first) = (rows[0].source, (self.first)(rows[0].source));
            let SourceTangents { position, velocity } = &self.exchange.tangents[source];
            if position.is_empty() {
                continue;
            }
            for row in rows {
                let products = rows.iter().map(|column| {
                    let at = (row.coordinate - first, column.coordinate - first);
                    let dz = change(|response| &response.positions, column.row);
                    let rate = change(|response| &response.velocities, column.row);
                    position.entry(at.0, at.1) * dz + velocity.entry(at.0, at.1) * rate
                });
                impulses[row.row] += free.weights.end * products.sum::<f64>();
            }
        }
    }
}

/// Scales a vector to the length one; returns its length.
fn normalise(x: &mut [f64]) -> f64 {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        x.iter_mut().for_each(|x| *x /= length);
    }
    length
}

/// Whether the tangents of loads with this contraction, if it is known, are to enter.
fn needs_tangents(wanted: LoadTangents, contraction: Option<f64>) -> bool {
    match wanted {
        LoadTangents::Auto => contraction.is_none_or(|contraction| contraction > SLOW),
        LoadTangents::Always => true,
        LoadTangents::Never => false,
    }
}
