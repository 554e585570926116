//! What is done about an interface that creates more energy in a step than allowed; about what a run has created
//! altogether see `energy_watch`.
//!
//! ```text
//!   ε_j ≤ energy_limit + energy_tolerance · E
//! ```
//!
//! for the energy `ε_j` that interface `j` creates in a macro step (`monitor`) and the largest energy `E` that there has
//! been so far, or that the interface has passed on in this step if that is more. A step in halves shares what is
//! allowed. What an interface loses is allowed: relaxed joints do.

use cosimo_nonsmooth::ContactMemory;
use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use crate::energy_watch::EnergyWatch;
use crate::layout::Layout;
use crate::monitor::JointBalance;
use crate::{Master, Rung, SetupError, StepError};

/// What to do when an interface creates more energy in a step than allowed.
///
/// Whatever it is, a run warns, once for each place, as soon as an interface, the time integration of a subsystem or a
/// contact has created more than a hundredth of the energy at stake; with [`Stop`](Self::Stop) it ends there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnergyAction {
    /// Nothing is done about single steps.
    #[default]
    None,
    /// Warn, once for each interface, and count.
    Warn,
    /// End the run with an error. The step is not taken, unless a subsystem is coupled explicitly: its energy is known
    /// only then.
    Stop,
    /// Take the step in halves, as often as `max_halvings` allows, then as [`Stop`](Self::Stop).
    Halve,
}

/// What the guard remembers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EnergyGuard {
    /// Largest energy there has been (J).
    largest: f64,
    /// Of every joint, how often it created more than allowed.
    exceeded: Vec<u64>,
    /// What the run has created.
    pub(crate) watch: EnergyWatch,
    /// Memory of the contacts at the start of the step at hand.
    #[serde(skip)]
    memory: Vec<ContactMemory>,
}

impl EnergyGuard {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            largest: 0.0,
            exceeded: vec![0; layout.joints.len()],
            watch: EnergyWatch::new(layout),
            memory: vec![ContactMemory::OPEN; layout.contacts.len()],
        }
    }

    /// How often a joint created more than allowed.
    pub(crate) fn exceeded(&self, joint: usize) -> u64 {
        self.exceeded[joint]
    }

    /// A saved guard with the working storage of this one.
    pub(crate) fn restored(&self, saved: &Self) -> Self {
        Self { memory: self.memory.clone(), ..saved.clone() }
    }

    /// Whether this belongs to a model with so many joints.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        self.exceeded.len() == layout.joints.len() && self.watch.fits(layout)
    }
}

/// A joint that created more than allowed.
struct Excess {
    joint: usize,
    created: f64,
    allowed: f64,
}

impl Master {
    /// Refuses to guard by halving what cannot be taken back.
    pub(crate) fn check_energy_action(&self) -> Result<(), SetupError> {
        if self.config.energy_action != EnergyAction::Halve {
            return Ok(());
        }
        for (subsystem, rung) in self.subsystems.iter().zip(&self.ladder.rungs) {
            let description = subsystem.description();
            if !description.capabilities.can_roll_back || *rung == Rung::Explicit {
                return Err(SetupError::NoRollback { subsystem: description.name.clone() });
            }
        }
        Ok(())
    }

    /// Begins a macro step: takes up the energy there is.
    pub(crate) fn begin_guarded_step(&mut self) {
        if self.config.energy_action == EnergyAction::None {
            return;
        }
        let energy = |s: &dyn Subsystem| s.energy().kinetic + s.energy().potential.abs();
        let energy = self.subsystems.iter().map(|s| energy(s.as_ref())).sum::<f64>() + self.monitor.stored();
        self.energy_guard.largest = self.energy_guard.largest.max(energy);
    }

    /// Begins a part of a step that may be rejected.
    pub(crate) fn begin_guarded_part(&mut self) {
        if matches!(self.config.energy_action, EnergyAction::Stop | EnergyAction::Halve) {
            self.energy_guard.memory.copy_from_slice(&self.memory);
        }
    }

    /// Rejects the part of a step just solved, of size `h` (s), if an interface creates too much energy in it.
    pub(crate) fn admit_energy(&mut self, h: f64) -> Result<(), StepError> {
        let is_halved = match self.config.energy_action {
            EnergyAction::None | EnergyAction::Warn => return Ok(()),
            EnergyAction::Stop if self.ladder.rungs.contains(&Rung::Explicit) => return Ok(()),
            EnergyAction::Stop => false,
            EnergyAction::Halve => true,
        };
        if self.all_affine {
            self.end_rows_with_loads();
        }
        // Halves share what is allowed; where nothing is halved, parts that were taken count.
        let share = if is_halved { (h / self.macro_size).min(1.0) } else { 1.0 };
        let found = (0..self.layout.joints.len()).find_map(|joint| {
            let JointBalance { created, passed, .. } = self.joint_balance(joint, h);
            let before = if is_halved { 0.0 } else { self.monitor.created_in_step(joint) };
            let (created, allowed) = (before + created, share * self.allowed_energy(passed));
            (created > allowed).then_some(Excess { joint, created, allowed })
        });
        match found {
            None => Ok(()),
            Some(excess) => {
                self.discard();
                self.memory.copy_from_slice(&self.energy_guard.memory);
                let start = self.clock.now;
                Err(self.too_much_energy(&excess, (start, h)))
            }
        }
    }

    /// Looks at what the interfaces have created in the macro step just taken, from `time` and of size `h` (s).
    pub(crate) fn watch_energy(&mut self, (time, h): (f64, f64)) -> Result<(), StepError> {
        let action = self.config.energy_action;
        if matches!(action, EnergyAction::None | EnergyAction::Halve) {
            return Ok(());
        }
        for joint in 0..self.layout.joints.len() {
            let created = self.monitor.created_in_step(joint);
            let allowed = self.allowed_energy(self.monitor.passed_in_step(joint));
            if created <= allowed {
                continue;
            }
            let excess = Excess { joint, created, allowed };
            if action == EnergyAction::Stop {
                return Err(self.too_much_energy(&excess, (time, h)));
            }
            self.energy_guard.exceeded[joint] += 1;
            if self.energy_guard.exceeded[joint] == 1 {
                self.warn_of_energy(&excess, (time, h));
            }
        }
        Ok(())
    }

    /// Energy (J) that an interface may create in a macro step in which it passes on so much (J).
    fn allowed_energy(&self, passed: f64) -> f64 {
        self.config.energy_limit + self.config.energy_tolerance * self.energy_guard.largest.max(passed)
    }

    fn too_much_energy(&mut self, excess: &Excess, (time, size): (f64, f64)) -> StepError {
        let Excess { joint, created, allowed } = *excess;
        self.energy_guard.exceeded[joint] += 1;
        let interface = self.layout.joints[joint].name.clone();
        StepError::EnergyCreated {
            time,
            size,
            interface,
            created,
            allowed,
            action: self.config.energy_action,
            is_explicit: self.ladder.rungs.contains(&Rung::Explicit),
        }
    }

    fn warn_of_energy(&mut self, excess: &Excess, (time, size): (f64, f64)) {
        let Excess { joint, created, allowed } = *excess;
        let text = format!(
            "interface `{}` created {created:.3e} J in the step from {time} s of {size:e} s, more than the {allowed:.3e} J \
             that energy_limit and energy_tolerance allow; further such steps are counted in the summary",
            self.layout.joints[joint].name
        );
        self.warn(text);
    }
}
