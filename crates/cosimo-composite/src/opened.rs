//! A subsystem on whose open ports loads act from outside: they are a part of it, as its own forces are.
//!
//! ```text
//!   begin → evaluate(X)        evaluate(Y) → evaluate(X + Y)        commit(Y) → commit(X + Y)
//! ```
//!
//! Rules that remember loads so remember these as they do those of any joint, momenta included. In a part of a step the impulses are those
//! of the whole step by its share; in the tiny step by which a master finds the forces of an instant they are those of the loads at the start.

use cosimo_master::INSTANT_SHARE;
use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Begun, ExpectedLoads, LoadWeights, MacroStep, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on,
};

use crate::outside_loads::SharedLoads;

/// Rounding of sizes, relative (–).
const ROUND_OFF: f64 = 1e-9;

/// Loads on one row over a step, and how the row moves under them.
pub(crate) struct RowWork {
    /// Impulse (N s), the part of it that is a momentum, and the load at the start (N).
    pub(crate) loads: [f64; 3],
    /// Displacement (m).
    pub(crate) displacement: f64,
    /// Velocities at both ends (m/s).
    pub(crate) rates: [f64; 2],
}

impl RowWork {
    /// Work (J) of the loads in a step of size `h` (s): mean load times displacement, momentum times mean rate.
    pub(crate) fn by(&self, weights: LoadWeights, h: f64) -> f64 {
        let [impulse, momentum, start] = self.loads;
        let finite = impulse - momentum;
        let load = match weights.are_of_mean(h) {
            true => finite / h,
            false => 0.5 * ((finite - weights.start * start) / weights.end + start),
        };
        load * self.displacement + momentum * 0.5 * (self.rates[0] + self.rates[1])
    }
}

/// A subsystem with open ports.
pub(crate) struct Opened {
    inner: Box<dyn Subsystem>,
    /// Rows of the open ports, and their places among all open rows.
    rows: Vec<(usize, usize)>,
    /// Those of them that are rotation increments.
    turns: Vec<bool>,
    outside: SharedLoads,
    step: Option<MacroStep>,
    weights: LoadWeights,
    /// Sums of the loads inside and outside, by row.
    total: Vec<f64>,
    start: Vec<f64>,
    momenta: Vec<f64>,
    none: Vec<f64>,
    committed: StepLoads,
}

/// What a step begins with.
struct Beginning<'a> {
    step: MacroStep,
    /// Loads at the start (N), and as many that are none.
    start: &'a [f64],
    none: &'a [f64],
}

impl Beginning<'_> {
    /// Begins the step, with the start loads of momenta where they are known.
    fn begin<'s>(
        &self,
        inner: &'s mut dyn Subsystem,
        momenta: Option<&[f64]>,
    ) -> Result<&'s StepResponse, SubsystemError> {
        let Some(momenta) = momenta else { return inner.begin(self.step, self.start) };
        let expected = ExpectedLoads { start: self.none, end: self.none, momenta, needs_matrices: true };
        Ok(match inner.begin_predicted(self.step, self.start, expected)? {
            Begun::Free(response) | Begun::UnderLoads(response) => response,
        })
    }
}

impl Opened {
    pub(crate) fn new(inner: Box<dyn Subsystem>, rows: Vec<(usize, usize)>, outside: SharedLoads) -> Self {
        let description = inner.description();
        let zero = vec![0.0; description.rows()];
        let frames: Vec<usize> = description.frames().map(|(row, _)| row + 3).collect();
        let is_turn = |row: usize| frames.iter().any(|first| (*first..first + 3).contains(&row));
        Self {
            turns: rows.iter().map(|(row, _)| is_turn(*row)).collect(),
            step: None,
            weights: LoadWeights::default(),
            total: zero.clone(),
            start: zero.clone(),
            momenta: zero.clone(),
            committed: StepLoads::zeros(zero.len()),
            none: zero,
            inner,
            rows,
            outside,
        }
    }

    fn begin_under(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        momenta: Option<&[f64]>,
    ) -> Result<&StepResponse, SubsystemError> {
        self.step = None;
        self.inner.description().check_loads(start_loads)?;
        let outside = self.outside.now();
        self.start.copy_from_slice(start_loads);
        self.momenta.fill(0.0);
        momenta.into_iter().for_each(|own| self.momenta.copy_from_slice(own));
        for (row, place) in &self.rows {
            self.start[*row] += outside.start_loads[*place];
            if let Some(own) = &outside.start_momenta {
                self.momenta[*row] += own[*place];
            }
        }
        let knows_momenta = momenta.is_some() || outside.start_momenta.is_some();
        let is_none = |loads: &[f64]| self.rows.iter().all(|(_, place)| loads[*place] == 0.0);
        let is_free = is_none(&outside.impulses) && is_none(&outside.start_loads);
        drop(outside);
        let given = Beginning { step, start: &self.start, none: &self.none };
        let momenta = knows_momenta.then_some(self.momenta.as_slice());
        if is_free {
            let response = given.begin(self.inner.as_mut(), momenta)?;
            (self.weights, self.step) = (response.weights, Some(step));
            return Ok(response);
        }
        self.weights = given.begin(self.inner.as_mut(), momenta)?.weights;
        self.step = Some(step);
        self.total.fill(0.0);
        self.add_outside(step);
        self.inner.evaluate(&self.total)
    }

    /// The loads to be committed, with those from outside, in a step of this size (s).
    fn take_all_loads(&mut self, loads: &StepLoads, size: f64) {
        self.committed.clone_from(loads);
        self.committed.impulses.copy_from_slice(&self.total);
        if self.committed.momenta.is_empty() {
            self.committed.momenta.resize(self.total.len(), 0.0);
        }
        let outside = self.outside.now();
        let share = size / outside.size;
        for (row, place) in &self.rows {
            self.committed.momenta[*row] += share * outside.momenta[*place];
        }
    }

    /// Adds the impulses from outside to the sums.
    fn add_outside(&mut self, step: MacroStep) {
        let outside = self.outside.now();
        let share = step.size / outside.size;
        let is_instant = (share - INSTANT_SHARE).abs() < ROUND_OFF * INSTANT_SHARE;
        let (factor, loads) = match is_instant {
            true => (self.weights.of_constant_load(step.size), &outside.start_loads),
            false => (share, &outside.impulses),
        };
        self.rows.iter().for_each(|(row, place)| self.total[*row] += factor * loads[*place]);
    }

    fn begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        let subsystem = || self.description().name.clone();
        self.step.ok_or_else(|| SubsystemError::NotBegun { subsystem: subsystem(), call: call.into() })
    }

    fn add_to(&mut self, impulses: &[f64], call: &'static str) -> Result<(), SubsystemError> {
        self.inner.description().check_loads(impulses)?;
        let step = self.begun(call)?;
        self.total.copy_from_slice(impulses);
        self.add_outside(step);
        Ok(())
    }

    /// Work (J) of the loads from outside in the step just taken, from these rows on.
    fn outside_work(&self, step: MacroStep, before: &[[f64; 2]]) -> f64 {
        let (outside, rows) = (self.outside.now(), self.inner.rows());
        let share = step.size / outside.size;
        let work = |((row, place), (is_turn, before)): (&(usize, usize), (&bool, &[f64; 2]))| {
            let end = [rows.positions[*row], rows.velocities[*row]];
            let mean = 0.5 * step.size * (before[1] + end[1]);
            let loads = [
                share * outside.impulses[*place],
                share * outside.momenta[*place],
                outside.start_loads[*place],
            ];
            // Increments of a rotation count from the end on.
            let displacement = if *is_turn { mean } else { end[0] - before[0] };
            RowWork { loads, displacement, rates: [before[1], end[1]] }.by(self.weights, step.size)
        };
        self.rows.iter().zip(self.turns.iter().zip(before)).map(work).sum()
    }
}

impl Subsystem for Opened {
    pass_on!(inner: description, rows, energy, set_active_rows, report_moves, respond, discard);
    pass_on!(inner: prepare_jump, jump, project_positions, set_inputs, outputs, observe, save, restore, statistics, remote_cost);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.begin_under(step, start_loads, None)
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        self.begin_under(step, start_loads, Some(expected.momenta)).map(Begun::Free)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.add_to(impulses, "evaluate")?;
        self.inner.evaluate(&self.total)
    }

    fn evaluate_rows(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.add_to(impulses, "evaluate_rows")?;
        self.inner.evaluate_rows(&self.total)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.add_to(&loads.impulses, "commit")?;
        let step = self.begun("commit")?;
        self.take_all_loads(loads, step.size);
        let rows = self.inner.rows();
        let before: Vec<[f64; 2]> =
            self.rows.iter().map(|(row, _)| [rows.positions[*row], rows.velocities[*row]]).collect();
        let ledger = self.inner.commit(&self.committed)?;
        self.step = None;
        let work = self.outside_work(step, &before);
        Ok(StepEnergy {
            port_work: ledger.port_work - work,
            external_work: ledger.external_work + work,
            ..ledger
        })
    }
}
