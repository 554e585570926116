//! The reference subsystem with one fault, or with fewer capabilities and no fault.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_subsystem::{
    Call, Description, InverseMass, MacroStep, RowMatrix, RowState, Snapshot, Statistics, StepLoads,
    StepResponse, Subsystem, SubsystemError,
};
use nalgebra::DMatrix;

/// What is different from the reference subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twist {
    // Honest.
    Nothing,
    TakesNoImpulses,
    HasFixedStep,
    CannotRollBack,
    KnowsNoInverseMass,
    HidesAffinity,
    SavesHistory,
    // Faults.
    TwinPorts,
    TwinQuantities,
    TooManyEndPositions,
    NonSquareInverseMass,
    NanEndVelocity,
    UnwrittenQuantity,
    BeginMoves,
    BeginDrifts,
    EvaluateDrifts,
    CommitsWhatWasEvaluated,
    DiscardMoves,
    AnnounceMoves,
    CommitsUnbegun,
    EvaluatesUnbegun,
    AcceptsNan,
    AcceptsNanMoments,
    AcceptsNanMomenta,
    AcceptsAnyLength,
    AcceptsNegativeStep,
    AcceptsNanTime,
    RestoreMoves,
    RestoreForgetsBytes,
    ForgetsHistory,
    KeepsHistoryInside,
    AcceptsDamage,
    RestoresPartly,
    WrongInverseMass,
    ClaimsUnknownInverseMass,
    NotQuiteAffine,
    WrongPositionWeight,
    CommitsMore,
    FrozenRevision,
    RestlessRevision,
    HalvesMoments,
    MovesFarther,
    FalseMoveMass,
    KeepsMomentaInside,
    JumpsFarther,
    JumpMoves,
    ShiftsFarther,
    LosesEnergy,
    NanEnergy,
    CreatesEnergy,
    LedgerEndsElsewhere,
    HidesImpulses,
    HidesVariableStep,
    ClaimsVariableStep,
    HidesRollBack,
    CountsNoSteps,
}

/// The reference subsystem with a twist.
pub(crate) struct Twisted {
    inner: TwoMasses,
    twist: Twist,
    description: Description,
    response: StepResponse,
    /// The loads of the last step; a share of them acts in the next where there is a history.
    previous: Vec<f64>,
    /// The momenta of the last step.
    momenta: Vec<f64>,
    /// Histories by saved state, for those who do not save them.
    drawer: RefCell<BTreeMap<Vec<u64>, Vec<f64>>>,
    evaluated: Option<Vec<f64>>,
    calls: u32,
    restores: u32,
    size: Option<f64>,
}

impl Twisted {
    pub(crate) fn new(twist: Twist) -> Self {
        let inner = TwoMasses::default();
        let mut description = inner.description().clone();
        let can = &mut description.capabilities;
        match twist {
            Twist::TakesNoImpulses | Twist::HidesImpulses => can.takes_impulses = false,
            Twist::HasFixedStep | Twist::HidesVariableStep => can.has_variable_step = false,
            Twist::CannotRollBack | Twist::HidesRollBack => can.can_roll_back = false,
            Twist::KnowsNoInverseMass | Twist::ClaimsUnknownInverseMass => {
                can.inverse_mass = InverseMass::Unknown
            }
            Twist::HidesAffinity => can.is_affine = false,
            Twist::TwinPorts => description.ports[1].name = "left".into(),
            Twist::TwinQuantities => description.quantities[1].name = "stretch".into(),
            _ => {}
        }
        Self {
            inner,
            twist,
            description,
            response: StepResponse::zeros(3),
            previous: vec![0.0; 3],
            momenta: vec![0.0; 3],
            drawer: RefCell::default(),
            evaluated: None,
            calls: 0,
            restores: 0,
            size: None,
        }
    }

    fn is(&self, twist: Twist) -> bool {
        self.twist == twist
    }

    fn has_history(&self) -> bool {
        matches!(self.twist, Twist::SavesHistory | Twist::ForgetsHistory | Twist::KeepsHistoryInside)
    }

    fn nudge(&mut self) -> Result<(), SubsystemError> {
        self.inner.prepare_jump(1e-3)?;
        self.inner.project_positions(&[1e-9, 0.0, 0.0])
    }

    fn unsupported(&self, action: &'static str) -> SubsystemError {
        SubsystemError::Unsupported { subsystem: self.description.name.clone(), action: action.into() }
    }

    /// The loads as the inner subsystem gets them.
    fn loads(&self, loads: &[f64]) -> Vec<f64> {
        let mut loads = loads.to_vec();
        if self.is(Twist::AcceptsNan) {
            loads.iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
        }
        if self.is(Twist::AcceptsAnyLength) {
            loads.resize(3, 0.0);
        }
        if self.has_history() && loads.len() == 3 {
            loads.iter_mut().zip(&self.previous).for_each(|(x, old)| *x += 0.1 * old);
        }
        loads
    }

    /// Copies a response and spoils it.
    fn answer(&mut self, response: &StepResponse, impulses: &[f64]) -> &StepResponse {
        let twist = self.twist;
        self.response = response.clone();
        let r = &mut self.response;
        match twist {
            Twist::KnowsNoInverseMass => r.inverse_mass.scale(0.0),
            Twist::TooManyEndPositions => r.positions.push(0.0),
            Twist::NonSquareInverseMass => r.inverse_mass = DMatrix::zeros(3, 2).into(),
            Twist::NanEndVelocity => r.velocities[1] = f64::NAN,
            Twist::WrongInverseMass => r.inverse_mass.scale(1.001),
            Twist::NotQuiteAffine => r.velocities[0] += 1e-9 * impulses.iter().map(|x| x.abs()).sum::<f64>(),
            Twist::FalseMoveMass => r.move_mass.copy_from(&r.inverse_mass),
            Twist::WrongPositionWeight => r.weights.position *= 1.001,
            Twist::FrozenRevision => r.revision = 7,
            Twist::RestlessRevision => r.revision += u64::from(self.calls),
            _ => {}
        }
        self.calls += 1;
        &self.response
    }

    fn history_key(snapshot: &Snapshot) -> Result<Vec<u64>, SubsystemError> {
        Ok(snapshot.decode("two-masses")?.iter().map(|x| x.to_bits()).collect())
    }
}

impl Subsystem for Twisted {
    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        self.inner.rows()
    }

    fn energy(&self) -> Energy {
        self.inner.energy()
    }

    fn report_moves(&mut self, wanted: bool) {
        self.inner.report_moves(wanted);
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let mut step = step;
        if self.is(Twist::AcceptsNegativeStep) {
            step.size = step.size.abs();
        }
        if self.is(Twist::AcceptsNanTime) {
            step.time = 0.0;
        }
        let first = *self.size.get_or_insert(step.size);
        if matches!(self.twist, Twist::HasFixedStep | Twist::ClaimsVariableStep) && first != step.size {
            let MacroStep { time, size } = step;
            let subsystem = self.description.name.clone();
            if size > 0.0 && size.is_finite() {
                return Err(SubsystemError::BadStep {
                    subsystem,
                    time,
                    size,
                    reason: "the size is fixed".into(),
                });
            }
        }
        let mut start_loads = start_loads.to_vec();
        if matches!(self.twist, Twist::AcceptsNan | Twist::AcceptsAnyLength) {
            start_loads = self.loads(&start_loads);
        }
        let free = self.inner.begin(step, &start_loads)?.clone();
        if self.is(Twist::BeginMoves) {
            self.nudge()?;
        }
        self.evaluated = None;
        let no_loads = self.loads(&[0.0; 3]);
        let mut response = if self.has_history() { self.inner.evaluate(&no_loads)?.clone() } else { free };
        if self.is(Twist::BeginDrifts) {
            response.velocities[0] += 1e-13 * f64::from(self.calls);
        }
        Ok(self.answer(&response, &no_loads))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let loads = self.loads(impulses);
        let is_lenient = self.is(Twist::EvaluatesUnbegun);
        let mut response = match self.inner.evaluate(&loads) {
            Err(SubsystemError::NotBegun { .. }) if is_lenient => return Ok(&self.response),
            other => other?.clone(),
        };
        if self.is(Twist::EvaluateDrifts) {
            response.velocities[0] += 1e-13 * f64::from(self.calls);
        }
        self.evaluated = Some(loads.clone());
        Ok(self.answer(&response, &loads))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let mut loads = loads.clone();
        loads.impulses = self.loads(&loads.impulses);
        if loads.has_moments && self.is(Twist::TakesNoImpulses) {
            return Err(self.unsupported("take impulses"));
        }
        if loads.has_moments && self.is(Twist::HalvesMoments) {
            loads.moments.velocity.iter_mut().for_each(|x| *x *= 0.5);
        }
        if self.is(Twist::MovesFarther) {
            loads.moves.iter_mut().for_each(|x| *x *= 1.001);
        }
        let has_momenta = loads.momenta.len() == 3 && loads.momenta.iter().all(|x| x.is_finite());
        if self.is(Twist::KeepsMomentaInside) && has_momenta {
            loads.impulses.iter_mut().zip(&self.momenta).for_each(|(x, old)| *x += 0.1 * old);
            self.momenta.clone_from(&loads.momenta);
        }
        if self.is(Twist::AcceptsAnyLength) {
            loads.momenta.resize(3, 0.0);
            loads.moves.resize(3, 0.0);
            let m = &mut loads.moments;
            for part in [&mut m.velocity, &mut m.velocity_damped, &mut m.position, &mut m.position_damped] {
                part.resize(3, 0.0);
            }
        }
        if self.is(Twist::AcceptsNanMomenta) {
            loads.momenta.iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
        }
        if matches!(self.twist, Twist::AcceptsNan | Twist::AcceptsNanMoments) {
            let damped = &mut loads.moments.position_damped;
            damped.iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
        }
        match self.twist {
            Twist::CommitsMore => loads.impulses.iter_mut().for_each(|x| *x *= 1.001),
            Twist::CommitsWhatWasEvaluated => {
                if let Some(evaluated) = self.evaluated.take() {
                    loads.impulses = evaluated;
                }
            }
            _ => {}
        }
        let is_lenient = self.is(Twist::CommitsUnbegun);
        let mut ledger = match self.inner.commit(&loads) {
            Err(SubsystemError::NotBegun { .. }) if is_lenient => StepEnergy::default(),
            other => other?,
        };
        match self.twist {
            Twist::LosesEnergy => ledger.external_work += 1e-3,
            Twist::NanEnergy => ledger.dissipated = f64::NAN,
            Twist::CreatesEnergy => {
                ledger.numerical += 1e-3;
                ledger.dissipated += 1e-3;
            }
            Twist::LedgerEndsElsewhere => {
                ledger.energy.kinetic += 1e-3;
                ledger.external_work += 1e-3;
            }
            _ => {}
        }
        self.previous = loads.impulses;
        Ok(ledger)
    }

    fn discard(&mut self) {
        if self.is(Twist::DiscardMoves) {
            // The reference takes this shift.
            let _ = self.nudge();
        }
        self.inner.discard();
    }

    fn prepare_jump(&mut self, size: f64) -> Result<&RowMatrix, SubsystemError> {
        if self.is(Twist::TakesNoImpulses) {
            return Err(self.unsupported("jump"));
        }
        self.inner.prepare_jump(if self.is(Twist::AcceptsNegativeStep) { size.abs() } else { size })
    }

    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        if self.is(Twist::TakesNoImpulses) {
            return Err(self.unsupported("jump"));
        }
        let mut impulses = if self.has_history() { impulses.to_vec() } else { self.loads(impulses) };
        if self.is(Twist::JumpsFarther) {
            impulses.iter_mut().for_each(|x| *x *= 1.001);
        }
        self.inner.jump(&impulses)?;
        if self.is(Twist::JumpMoves) {
            self.inner.project_positions(&[1e-9, 0.0, 0.0])?;
        }
        Ok(())
    }

    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        if self.is(Twist::TakesNoImpulses) {
            return Err(self.unsupported("jump"));
        }
        let mut weights = if self.has_history() { weights.to_vec() } else { self.loads(weights) };
        if self.is(Twist::ShiftsFarther) {
            weights.iter_mut().for_each(|x| *x *= 1.001);
        }
        self.inner.project_positions(&weights)
    }

    fn observe(&self, out: &mut [f64]) {
        if self.is(Twist::UnwrittenQuantity) {
            let mut all = [0.0; 2];
            self.inner.observe(&mut all);
            out[0] = all[0];
        } else {
            self.inner.observe(out);
        }
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        if self.is(Twist::CannotRollBack) {
            return Err(self.unsupported("be saved"));
        }
        let snapshot = self.inner.save()?;
        if self.is(Twist::KeepsHistoryInside) {
            self.drawer.borrow_mut().insert(Self::history_key(&snapshot)?, self.previous.clone());
        }
        if self.is(Twist::RestoreForgetsBytes) {
            let mut values = snapshot.decode(&self.description.name)?;
            values.push(f64::from(self.restores));
            return Snapshot::encode(&self.description.name, &values);
        }
        if !self.is(Twist::SavesHistory) {
            return Ok(snapshot);
        }
        let mut values = snapshot.decode(&self.description.name)?;
        values.extend_from_slice(&self.previous);
        Snapshot::encode(&self.description.name, &values)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        if self.is(Twist::CannotRollBack) {
            return Err(self.unsupported("be restored"));
        }
        let name = self.description.name.clone();
        if matches!(self.twist, Twist::SavesHistory | Twist::RestoreForgetsBytes) {
            let values = snapshot.decode(&name)?;
            let expected = if self.is(Twist::SavesHistory) { 7 } else { 5 };
            if values.len() != expected {
                return Err(SubsystemError::BadSnapshot { subsystem: name, reason: "wrong length".into() });
            }
            self.inner.restore(&Snapshot::encode(&name, &values[..4])?)?;
            if self.is(Twist::SavesHistory) {
                self.previous.copy_from_slice(&values[4..]);
            }
            self.restores += 1;
            return Ok(());
        }
        match self.inner.restore(snapshot) {
            Err(_) if self.is(Twist::AcceptsDamage) => return Ok(()),
            Err(error) if self.is(Twist::RestoresPartly) => {
                self.nudge()?;
                return Err(error);
            }
            other => other?,
        }
        if self.is(Twist::KeepsHistoryInside) {
            let found = self.drawer.borrow().get(&Self::history_key(snapshot)?).cloned();
            self.previous = found.unwrap_or_else(|| vec![0.0; 3]);
        }
        if self.is(Twist::RestoreMoves) {
            self.nudge()?;
        }
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        let statistics = self.inner.statistics();
        if self.is(Twist::CountsNoSteps) { Statistics { steps: 0, ..statistics } } else { statistics }
    }

    fn prefetch(&mut self, _call: Call<'_>) {
        if self.is(Twist::AnnounceMoves) {
            // The reference takes this shift.
            let _ = self.nudge();
        }
    }
}
