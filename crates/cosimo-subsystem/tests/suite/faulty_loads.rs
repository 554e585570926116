//! A subsystem with a load port, honest or with one fault, each of which the suite finds by the check that is meant for it.

use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::conformance::{Check, Conformance};
use cosimo_subsystem::nalgebra::DMatrix;
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadResponse, MacroStep, PortMotion, PortSpec, Snapshot,
    StepLoads, StepResponse, Subsystem, SubsystemError,
};

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// The answer begins where the last one ended.
    RemembersMotion,
    /// An answer moves the state.
    MovesState,
    WrongPositionTangent,
    WrongVelocityTangent,
    /// Tangents of a subsystem that says it does not know them.
    TellsUnknownTangents,
    TakesNotFinite,
    TakesOtherShapes,
    DiscardMovesState,
    /// The stretch is not saved.
    SavesLittle,
    WrongWork,
    /// A cubic spring that says it is affine.
    ClaimsAffine,
}

const STIFFNESS: f64 = 300.0;
const DAMPING: f64 = 2.0;
const SLIDER: f64 = 40.0;

/// Spring, damper, and a spring behind a dashpot whose stretch is a state: `λ = −k z − d ż − k₂ s`, `ṡ = ż − s/τ`, τ = 10 ms.
struct Maxwell {
    description: Description,
    fault: Fault,
    stretch: f64,
    position: f64,
    begun: Option<MacroStep>,
    response: LoadResponse,
    empty: StepResponse,
    last: f64,
}

impl Maxwell {
    fn new(fault: Fault) -> Self {
        let knows = fault != Fault::TellsUnknownTangents;
        let description = Description {
            load_ports: vec![PortSpec::new("end", 1)],
            capabilities: Capabilities {
                inverse_mass: if knows { InverseMass::Exact } else { InverseMass::Unknown },
                is_affine: true,
                can_roll_back: true,
                takes_impulses: false,
                has_variable_step: true,
                ..Capabilities::default()
            },
            ..Description::new("maxwell")
        };
        Self {
            description,
            fault,
            stretch: 0.0,
            position: 0.0,
            begun: None,
            response: LoadResponse::with_tangents(1),
            empty: StepResponse::zeros(0),
            last: 0.0,
        }
    }

    fn begun(&self) -> Result<MacroStep, SubsystemError> {
        let not_begun = || SubsystemError::NotBegun { subsystem: "maxwell".into(), call: "respond".into() };
        self.begun.ok_or_else(not_begun)
    }

    fn check(&self, motion: &PortMotion) -> Result<(), SubsystemError> {
        match (self.description.check_motion(motion), self.fault) {
            (Err(SubsystemError::MotionNotFinite { .. }), Fault::TakesNotFinite) => Ok(()),
            (Err(SubsystemError::MotionShape { .. }), Fault::TakesOtherShapes) => Ok(()),
            (checked, _) => checked,
        }
    }

    fn cubic(&self) -> f64 {
        if self.fault == Fault::ClaimsAffine { 1e7 } else { 0.0 }
    }

    /// Stretch at the end of the step, by the trapezoidal rule, and the loads.
    fn follow(&mut self, step: MacroStep, motion: &PortMotion) -> f64 {
        let (h, tau) = (step.size, 1e-2);
        let (start, end) = (&motion.start, &motion.end);
        let rates = 0.5 * h * (start.velocities[0] + end.velocities[0]);
        let stretch = ((1.0 - 0.5 * h / tau) * self.stretch + rates) / (1.0 + 0.5 * h / tau);
        let cubic = self.cubic();
        let load = |z: f64, v: f64, s: f64| -STIFFNESS * z - cubic * z * z * z - DAMPING * v - SLIDER * s;
        self.response.start[0] = load(start.positions[0], start.velocities[0], self.stretch);
        self.response.end[0] = load(end.positions[0], end.velocities[0], stretch);
        if self.fault == Fault::RemembersMotion {
            self.response.end[0] += 1e-9 * std::mem::replace(&mut self.last, end.positions[0]);
        }
        let off = |fault: Fault| if self.fault == fault { 1.001 } else { 1.0 };
        let by_position = -STIFFNESS - 3.0 * cubic * end.positions[0] * end.positions[0];
        let by_velocity = -DAMPING - SLIDER * 0.5 * h / (1.0 + 0.5 * h / tau);
        let matrix = |x: f64| DMatrix::from_element(1, 1, x).into();
        self.response.position_tangent = matrix(off(Fault::WrongPositionTangent) * by_position);
        self.response.velocity_tangent = matrix(off(Fault::WrongVelocityTangent) * by_velocity);
        stretch
    }

    fn energy_at(&self, z: f64, stretch: f64) -> f64 {
        0.5 * STIFFNESS * z * z + 0.25 * self.cubic() * z * z * z * z + 0.5 * SLIDER * stretch * stretch
    }
}

impl Subsystem for Maxwell {
    fn description(&self) -> &Description {
        &self.description
    }

    fn energy(&self) -> Energy {
        Energy { kinetic: 0.0, potential: self.energy_at(self.position, self.stretch) }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.description.check_loads(start_loads)?;
        self.description.check_step(step, step.time)?;
        self.begun = Some(step);
        Ok(&self.empty)
    }

    fn respond(&mut self, motion: &PortMotion) -> Result<&LoadResponse, SubsystemError> {
        let step = self.begun()?;
        self.check(motion)?;
        let end = self.follow(step, motion);
        if self.fault == Fault::MovesState {
            self.stretch += 1e-6 * (end - self.stretch);
        }
        Ok(&self.response)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let step = self.begun()?;
        self.description.check_loads(&loads.impulses)?;
        self.description.check_loads(&loads.momenta)?;
        self.check(&loads.motion)?;
        if loads.has_moments {
            return Err(SubsystemError::Unsupported { subsystem: "maxwell".into(), action: "jump".into() });
        }
        let before = self.energy().total();
        let stretch = self.follow(step, &loads.motion);
        let displacement = loads.motion.end.positions[0] - loads.motion.start.positions[0];
        let share = if self.fault == Fault::WrongWork { 0.501 } else { 0.5 };
        let port_work = -share * (self.response.start[0] + self.response.end[0]) * displacement;
        // Where the motion begins elsewhere than it ended, the spring is stretched by others.
        let moved = self.energy_at(loads.motion.start.positions[0], self.stretch) - before;
        (self.position, self.stretch) = (loads.motion.end.positions[0], stretch);
        self.begun = None;
        let change = self.energy().total() - before;
        let dissipated = port_work + moved - change;
        Ok(StepEnergy {
            energy: self.energy(),
            port_work,
            external_work: moved,
            dissipated,
            ..StepEnergy::default()
        })
    }

    fn discard(&mut self) {
        if self.begun.take().is_some() && self.fault == Fault::DiscardMovesState {
            self.stretch += 1e-9;
        }
    }

    fn save(&self) -> Result<Snapshot, SubsystemError> {
        let stretch = if self.fault == Fault::SavesLittle { 0.0 } else { self.stretch };
        Snapshot::encode("maxwell", &[self.position, stretch])
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode("maxwell")?;
        let &[position, stretch] = values.as_slice() else {
            let reason = format!("{} numbers instead of 2", values.len());
            return Err(SubsystemError::BadSnapshot { subsystem: "maxwell".into(), reason });
        };
        (self.position, self.stretch, self.begun) = (position, stretch, None);
        Ok(())
    }
}

fn failed(fault: Fault) -> Vec<Check> {
    let suite = Conformance::new(|| Maxwell::new(fault)).steps(20);
    let suite = suite.skip(Check::Statistics, "it counts nothing");
    suite.check().failed().collect()
}

#[test]
fn an_honest_load_port_passes() {
    let suite = Conformance::new(|| Maxwell::new(Fault::Nothing)).steps(20);
    let report = suite.skip(Check::Statistics, "it counts nothing").check();
    report.assert_passed();
    for check in [Check::Respond, Check::Motion, Check::LoadTangents, Check::AffineLoads, Check::LoadWork] {
        assert_eq!(report.outcome(check), Some(&cosimo_subsystem::conformance::CheckOutcome::Passed));
    }
}

#[test]
fn every_fault_of_a_load_port_is_found() {
    for (fault, check) in [
        (Fault::RemembersMotion, Check::Respond),
        (Fault::MovesState, Check::Respond),
        (Fault::WrongPositionTangent, Check::LoadTangents),
        (Fault::WrongVelocityTangent, Check::LoadTangents),
        (Fault::TellsUnknownTangents, Check::LoadTangents),
        (Fault::TakesNotFinite, Check::Motion),
        (Fault::TakesOtherShapes, Check::Motion),
        (Fault::DiscardMovesState, Check::Discard),
        (Fault::SavesLittle, Check::Restore),
        (Fault::WrongWork, Check::LoadWork),
        (Fault::ClaimsAffine, Check::AffineLoads),
    ] {
        let failed = failed(fault);
        assert!(failed.contains(&check), "{fault:?}: {failed:?}");
    }
}
