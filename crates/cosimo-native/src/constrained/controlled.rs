//! Macro steps that are made of steps whose order and size follow the error.

use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_mechanics::StepEnergy;
use cosimo_smooth::dae::{DaeError, DaeSolver, DaeState, ErrorControl};
use cosimo_subsystem::{Excitation, MacroStep};

use super::energy::energy;
use super::loaded::LoadedSystem;
use super::rows::ConstrainedRows;

/// How often a stretch is halved at most for what its inputs do inside: enough for a millionth.
const MOST_HALVINGS: u32 = 20;

/// The control of the error, and room for the state at the start of a macro step, to which one that fails goes back.
#[derive(Debug)]
pub(super) struct Controlled {
    control: ErrorControl,
    before: Before,
    start: Vec<f64>,
    /// Way (m, rad) that a step may miss of its inputs, and the inputs.
    tolerance: f64,
    excitations: Vec<Excitation>,
}

/// Size of the step before (s), 0 where there is none, and the powers at its start (W).
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    size: f64,
    powers: [f64; 2],
}

impl Before {
    /// The integral of a power over the next step, of size `h` (s), from its values at both ends: that of the parabola through
    /// the three points known, as the steps of high order are too long for the trapezoidal rule.
    fn integral(&self, k: usize, h: f64, [start, end]: [f64; 2]) -> f64 {
        let trapezoid = 0.5 * h * (start + end);
        if self.size == 0.0 {
            return trapezoid;
        }
        let bend = ((end - start) / h - (start - self.powers[k]) / self.size) / (h + self.size);
        trapezoid - bend * h * h * h / 6.0
    }
}

impl Controlled {
    /// A control, and the way (m, rad) that a step may miss of these inputs.
    pub(super) fn new(control: ErrorControl, (tolerance, excitations): (f64, Vec<Excitation>)) -> Self {
        Self { control, before: Before::default(), start: Vec::new(), tolerance, excitations }
    }

    /// The end (s) of the longest stretch from `time` up to `end` that shows at its ends what the inputs do, by halving.
    fn seen_until(&self, time: f64, end: f64) -> f64 {
        let mut size = end - time;
        for _ in 0..MOST_HALVINGS {
            let step = MacroStep { time, size };
            if self.excitations.iter().all(|input| input.unseen(step) <= self.tolerance) {
                break;
            }
            size *= 0.5;
        }
        if size < end - time { time + size } else { end }
    }

    /// Goes to the time `end` (s); the powers of forces and motions are integrated over every step.
    pub(super) fn advance<R: ConstrainedRows>(
        &mut self,
        solver: &mut DaeSolver<LoadedSystem<R>>,
        end: f64,
    ) -> Result<StepEnergy, DaeError> {
        self.start.clear();
        solver.save_into(&mut self.start);
        let (control, before) = (self.control, self.before);
        let advanced = self.steps(solver, end);
        if advanced.is_err() {
            (self.control, self.before) = (control, before);
            // What was saved fits.
            let _ = solver.restore(&self.start);
        }
        advanced
    }

    fn steps<R: ConstrainedRows>(
        &mut self,
        solver: &mut DaeSolver<LoadedSystem<R>>,
        end: f64,
    ) -> Result<StepEnergy, DaeError> {
        let before = energy(solver, solver.state()).total();
        let [mut dissipated, mut external_work] = [0.0; 2];
        let mut at_start = powers(solver);
        while solver.state().time < end {
            let time = solver.state().time;
            let until = self.seen_until(time, end);
            solver.step_within(until, &mut self.control)?;
            let (at_end, h) = (powers(solver), solver.state().time - time);
            dissipated += self.before.integral(0, h, [at_start[0], at_end[0]]);
            external_work += self.before.integral(1, h, [at_start[1], at_end[1]]);
            self.before = Before { size: h, powers: at_start };
            at_start = at_end;
        }
        let energy = energy(solver, solver.state());
        let numerical = energy.total() - before - external_work + dissipated;
        Ok(StepEnergy { energy, external_work, dissipated, numerical, ..StepEnergy::default() })
    }

    pub(super) fn save(&self, out: &mut Vec<f64>) {
        let Before { size, powers: [dissipated, external] } = self.before;
        out.extend([size, dissipated, external]);
        out.extend(self.control.save());
    }

    /// Reads back what [`save`](Self::save) wrote last; the numbers before it.
    pub(super) fn restore<'s>(&mut self, saved: &'s [f64]) -> Option<&'s [f64]> {
        let (rest, control) = saved.split_last_chunk()?;
        let (rest, &[size, dissipated, external]) = rest.split_last_chunk()?;
        self.control.restore(*control);
        self.before = Before { size, powers: [dissipated, external] };
        Some(rest)
    }
}

/// Power dissipated and power put in at the present state.
fn powers<R: ConstrainedRows>(solver: &DaeSolver<LoadedSystem<R>>) -> [f64; 2] {
    let DaeState { time, q, v, mu, .. } = solver.state();
    let motion = Motion { t: *time, q, v };
    let system = solver.system();
    [system.dissipated_power(motion), system.external_power(motion) + system.driving_power(motion, mu)]
}
