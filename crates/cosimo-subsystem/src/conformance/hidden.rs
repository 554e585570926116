//! A subsystem that shows less than it knows.

use cosimo_mechanics::StepEnergy;

use crate::{
    Call, Description, InverseMass, LoadWeights, MacroStep, RowMatrix, Snapshot, StepLoads, StepResponse,
    Subsystem, SubsystemError, pass_on,
};

/// Hides what a subsystem can do, or makes it lie, to test what a master does about it.
///
/// ```
/// use cosimo_subsystem::conformance::{Hidden, TwoMasses};
/// use cosimo_subsystem::{MacroStep, Subsystem};
/// let mut secret = Hidden::new(TwoMasses::default()).without_inverse_mass();
/// let response = secret.begin(MacroStep { time: 0.0, size: 1e-3 }, &[0.0; 3])?;
/// assert_eq!(response.inverse_mass.amax(), 0.0);
/// # Ok::<(), cosimo_subsystem::SubsystemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hidden<S> {
    inner: S,
    description: Description,
    response: StepResponse,
    prepared: RowMatrix,
    has_weights: bool,
    /// Factor of the inverse mass shown (–).
    factor: f64,
    is_begun: bool,
}

impl<S: Subsystem> Hidden<S> {
    /// Hides nothing yet.
    pub fn new(inner: S) -> Self {
        let mut description = inner.description().clone();
        // Masters close its gaps on the other side.
        description.capabilities.takes_moves = false;
        let r = description.rows();
        Self {
            inner,
            description,
            response: StepResponse::zeros(r),
            prepared: RowMatrix::zeros(r),
            has_weights: true,
            factor: 1.0,
            is_begun: false,
        }
    }

    /// The inverse mass is unknown, at jumps too.
    #[must_use]
    pub fn without_inverse_mass(mut self) -> Self {
        self.description.capabilities.inverse_mass = InverseMass::Unknown;
        self.factor = 0.0;
        self
    }

    /// The weights of loads are all zero: not stated.
    #[must_use]
    pub fn without_weights(mut self) -> Self {
        self.has_weights = false;
        self
    }

    /// The answer is not said to be affine.
    #[must_use]
    pub fn without_affinity(mut self) -> Self {
        self.description.capabilities.is_affine = false;
        self
    }

    /// The answer is said to be affine.
    #[must_use]
    pub fn with_claimed_affinity(mut self) -> Self {
        self.description.capabilities.is_affine = true;
        self
    }

    /// Impulses are refused.
    #[must_use]
    pub fn without_impulses(mut self) -> Self {
        self.description.capabilities.takes_impulses = false;
        self
    }

    /// A step can neither be discarded nor evaluated before it is committed, nor begun twice; `begin` shows the
    /// present rows.
    #[must_use]
    pub fn without_roll_back(mut self) -> Self {
        self.description.capabilities.can_roll_back = false;
        self
    }

    /// The inverse mass shown is this many times the true one.
    #[must_use]
    pub fn with_false_inverse_mass(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// The subsystem inside.
    #[must_use]
    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn unsupported<T>(&self, action: &'static str) -> Result<T, SubsystemError> {
        Err(SubsystemError::Unsupported { subsystem: self.description.name.clone(), action: action.into() })
    }

    fn check_impulses(&self, action: &'static str) -> Result<(), SubsystemError> {
        if self.description.capabilities.takes_impulses { Ok(()) } else { self.unsupported(action) }
    }
}

/// Shows a response as far as it is not hidden.
fn show(from: &StepResponse, to: &mut StepResponse, factor: f64, has_weights: bool) {
    to.positions.copy_from_slice(&from.positions);
    to.velocities.copy_from_slice(&from.velocities);
    to.inverse_mass.copy_from(&from.inverse_mass);
    to.inverse_mass.scale(factor);
    if factor != 0.0 {
        to.damped_inverse_mass.copy_from(&from.damped_inverse_mass);
    }
    to.weights = if has_weights { from.weights } else { LoadWeights::default() };
    to.revision = from.revision;
}

impl<S: Subsystem> Subsystem for Hidden<S> {
    pass_on!(inner: rows, energy, respond, set_inputs, outputs, observe, statistics);

    fn description(&self) -> &Description {
        &self.description
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let can_roll_back = self.description.capabilities.can_roll_back;
        if self.is_begun && !can_roll_back {
            return self.unsupported("begin a step twice");
        }
        show(self.inner.begin(step, start_loads)?, &mut self.response, self.factor, self.has_weights);
        self.is_begun = true;
        if !can_roll_back {
            self.response.positions.copy_from_slice(&self.inner.rows().positions);
            self.response.velocities.copy_from_slice(&self.inner.rows().velocities);
        }
        Ok(&self.response)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return self.unsupported("evaluate a step");
        }
        show(self.inner.evaluate(impulses)?, &mut self.response, self.factor, self.has_weights);
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        if loads.has_moves {
            self.description.check_moves(&loads.moves)?;
        }
        if loads.has_moments {
            self.check_impulses("take impulses inside a step")?;
        }
        let ledger = self.inner.commit(loads)?;
        self.is_begun = false;
        Ok(ledger)
    }

    fn discard(&mut self) {
        if self.description.capabilities.can_roll_back {
            self.inner.discard();
        }
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        self.check_impulses("prepare a velocity jump")?;
        self.prepared.copy_from(self.inner.prepare_jump(size)?);
        self.prepared.scale(self.factor);
        Ok(&self.prepared)
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.check_impulses("jump")?;
        self.inner.jump(impulses)
    }

    fn jump_work(&self) -> f64 {
        self.inner.jump_work()
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.check_impulses("project_positions")?;
        self.inner.project_positions(weights)
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        if self.description.capabilities.can_roll_back { self.inner.save() } else { self.unsupported("save") }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        if !self.description.capabilities.can_roll_back {
            return self.unsupported("restore");
        }
        self.is_begun = false;
        self.inner.restore(snapshot)
    }

    fn prefetch(&mut self, call: Call<'_>) {
        if self.description.capabilities.can_roll_back {
            self.inner.prefetch(call);
        }
    }

    fn is_asynchronous(&self) -> bool {
        self.description.capabilities.can_roll_back && self.inner.is_asynchronous()
    }
}
