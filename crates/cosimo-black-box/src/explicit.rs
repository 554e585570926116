//! A subsystem that neither reports its inverse mass nor re-evaluates a step.

use cosimo_mechanics::StepEnergy;
use cosimo_subsystem::{
    Description, InverseMass, LoadWeights, MacroStep, RowMatrix, Snapshot, StepLoads, StepResponse,
    Subsystem, SubsystemError, pass_on,
};

use crate::error::check_step;
use crate::saved::{pack, unpack};

const DECORATOR: &str = "explicit coupling";

/// Couples a subsystem explicitly: its motion over the next step is extrapolated from the communication points behind,
///
/// ```text
///   a = (v₀ − v₋₁) / h₋₁      ż₁ = v₀ + h a      z₁ = z₀ + h v₀ + h²/2 a
/// ```
///
/// and no load changes that: the inverse mass is zero. The law of a compliant joint with this motion gives the load, the
/// true step is taken with it when the master commits, and the true rows are read afterwards. The first step
/// extrapolates without acceleration.
///
/// Stable only for steps that are short against the time scale of the joints, and what is extrapolated wrongly shows
/// in the energy monitor: to be used with a step control on that energy. An interface impulse would change nothing:
/// rigid joints and contacts are out of reach.
///
/// Nothing reaches the subsystem before the commit, so that a step can be begun, evaluated and discarded at will.
#[derive(Debug)]
pub struct Explicit<S> {
    inner: S,
    description: Description,
    response: StepResponse,
    begun: Option<MacroStep>,
    start_loads: Vec<f64>,
    /// Rates at the communication point before, and the size of the step since (s), zero before the first.
    behind: Vec<f64>,
    behind_size: f64,
    loads: StepLoads,
}

impl<S: Subsystem> Explicit<S> {
    /// Decorates a subsystem.
    pub fn new(inner: S) -> Self {
        let mut description = inner.description().clone();
        description.capabilities.inverse_mass = InverseMass::Exact;
        description.capabilities.is_affine = true;
        description.capabilities.takes_impulses = false;
        description.capabilities.takes_jumps = false;
        description.capabilities.takes_moves = false;
        let r = description.rows();
        Self {
            response: StepResponse::zeros(r),
            begun: None,
            start_loads: vec![0.0; r],
            behind: vec![0.0; r],
            behind_size: 0.0,
            loads: StepLoads::zeros(r),
            description,
            inner,
        }
    }

    /// The subsystem inside.
    #[must_use]
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The equations above.
    fn extrapolate(&mut self, h: f64) {
        let (rows, response) = (self.inner.rows(), &mut self.response);
        let per_time = if self.behind_size > 0.0 { 1.0 / self.behind_size } else { 0.0 };
        let now = rows.positions.iter().zip(&rows.velocities).zip(&self.behind);
        let ends = response.positions.iter_mut().zip(&mut response.velocities);
        for (((z, v), behind), (end_z, end_v)) in now.zip(ends) {
            let a = (v - behind) * per_time;
            *end_z = z + h * (v + 0.5 * h * a);
            *end_v = v + h * a;
        }
        let half = 0.5 * h;
        if response.weights.end.to_bits() != half.to_bits() {
            response.weights = LoadWeights { end: half, start: half, position: half, damping: half };
            response.revision += 1;
        }
    }

    fn step_begun(&self, call: &'static str) -> Result<MacroStep, SubsystemError> {
        self.begun.ok_or_else(|| SubsystemError::NotBegun {
            subsystem: self.description.name.clone(),
            call: call.into(),
        })
    }

    fn unsupported<T>(&self, action: &'static str) -> Result<T, SubsystemError> {
        Err(SubsystemError::Unsupported { subsystem: self.description.name.clone(), action: action.into() })
    }

    #[inline]
    fn check_loads(&self, loads: &[f64]) -> Result<(), SubsystemError> {
        self.description.check_loads_on(self.start_loads.len(), loads)
    }

    /// The impulses that the subsystem takes for the same load at the end of the step: as it weighs loads, if it says
    /// how, `X = end · λ₁ + start · λ₀`.
    fn weigh_loads(&mut self, step: MacroStep, loads: &StepLoads, stated: LoadWeights) {
        self.loads.impulses.iter_mut().zip(&loads.impulses).for_each(|(own, given)| *own = *given);
        let sum = stated.end + stated.start;
        if sum == 0.0 || (sum - step.size).abs() <= 1e-9 * step.size {
            return;
        }
        let Self { loads, start_loads, .. } = self;
        for (impulse, start) in loads.impulses.iter_mut().zip(start_loads) {
            let end = 2.0 * *impulse / step.size - *start;
            *impulse = stated.end * end + stated.start * *start;
        }
    }
}

impl<S: Subsystem> Subsystem for Explicit<S> {
    pass_on!(inner: rows, energy, respond, set_inputs, outputs, observe, statistics, remote_cost);

    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.check_loads(start_loads)?;
        check_step(&self.description.name, step)?;
        self.start_loads.iter_mut().zip(start_loads).for_each(|(own, given)| *own = *given);
        self.begun = Some(step);
        self.extrapolate(step.size);
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.step_begun("evaluate")?;
        self.check_loads(impulses)?;
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let step = self.step_begun("commit")?;
        self.check_loads(&loads.impulses)?;
        self.description.check_momenta(&loads.momenta)?;
        if loads.has_moves {
            self.description.check_moves(&loads.moves)?;
        }
        if loads.has_moments {
            return self.unsupported("take impulses inside a step: it is coupled explicitly");
        }
        let stated = self.inner.begin(step, &self.start_loads)?.weights;
        self.weigh_loads(step, loads, stated);
        let velocities = &self.inner.rows().velocities;
        self.behind.iter_mut().zip(velocities).for_each(|(behind, v)| *behind = *v);
        let ledger = self.inner.commit(&self.loads)?;
        self.behind_size = step.size;
        self.begun = None;
        Ok(ledger)
    }

    fn discard(&mut self) {
        self.begun = None;
    }

    fn prepare_jump(&mut self, _size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.unsupported("jump: it is coupled explicitly")
    }

    fn jump(&mut self, _impulses: &[f64]) -> Result<(), SubsystemError> {
        self.unsupported("jump: it is coupled explicitly")
    }

    fn project_positions(&mut self, _weights: &[f64]) -> Result<(), SubsystemError> {
        self.unsupported("be moved: it is coupled explicitly")
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let mut values = vec![self.behind_size];
        values.extend_from_slice(&self.behind);
        pack(DECORATOR, &self.description.name, self.inner.save()?, values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return self.unsupported("restore");
        }
        let saved = unpack(DECORATOR, &self.description.name, snapshot, 1 + self.behind.len())?;
        self.inner.restore(&saved.inner)?;
        self.begun = None;
        if let [size, ref behind @ ..] = saved.values[..] {
            self.behind_size = size;
            self.behind.copy_from_slice(behind);
        }
        Ok(())
    }
}
