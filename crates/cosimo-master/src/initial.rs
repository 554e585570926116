//! Initial states: checked, or moved to the nearest admissible one.

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::faults::guarded;
use crate::interface_rows::Mode;
use crate::{Discretisation, InitialState, Master, Rung, SetupError, StepError};

/// Step size (s) that a projection prepares jumps for: so small that the masses alone decide.
pub(crate) const INSTANT: f64 = 1e-9;
/// Share of a gap above which what remains of it is no round-off.
const CONTRADICTION: f64 = 1e-3;
/// Newton steps of a projection; one is enough for affine subsystems.
const MAX_PROJECTIONS: usize = 20;

impl Master {
    /// Checks the initial state and, if the settings say so, projects it.
    pub(crate) fn admit_initial_state(&mut self) -> Result<(), SetupError> {
        let violations = self.violations();
        if violations.is_empty() {
            return Ok(());
        }
        if self.config.initial_state == InitialState::Refuse {
            self.check_loops()?;
            return Err(SetupError::InitialState { violations });
        }
        for _ in 0..MAX_PROJECTIONS {
            self.prepare_projection()?;
            self.project(Level::Position)?;
            self.prepare_projection()?;
            self.project(Level::Velocity)?;
            if self.violations().is_empty() {
                self.warn_of_projection(&violations);
                return Ok(());
            }
        }
        self.check_loops()?;
        let reason =
            format!("after {MAX_PROJECTIONS} corrections there still is: {}", self.violations().join("; "));
        Err(SetupError::NotProjected { reason })
    }

    /// Warns of a start that is not the one written.
    fn warn_of_projection(&mut self, violations: &[String]) {
        const SHOWN: usize = 8;
        let shown = violations.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
        let more = match violations.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        self.warn(format!(
            "the initial state violates {shown}{more}; the run starts at the next state that fits, which moves the subsystems \
             so far"
        ));
    }

    /// What the present state violates, in plain words.
    fn violations(&self) -> Vec<String> {
        let tolerance = self.config.initial_tolerance;
        let rows = &self.rows;
        let mut found = Vec::new();
        for joint in self.layout.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            let gap = |k| joint.present_gap(k, &rows.start_positions);
            let rate = |k| joint.difference(k, &rows.start_velocities);
            let (linear, angular) = joint.coordinates_by_unit();
            let amounts = [
                ("gap", "m", largest(linear.clone(), gap)),
                ("gap", "rad", largest(angular.clone(), gap)),
                ("speed difference", "m/s", largest(linear, rate)),
                ("speed difference", "rad/s", largest(angular, rate)),
            ];
            for (what, unit, amount) in amounts {
                if !(amount <= tolerance) {
                    found.push(format!("interface `{}` by a {what} of {amount:e} {unit}", joint.name));
                }
            }
        }
        for (contact, gap) in self.layout.contacts.iter().zip(&rows.start_gaps) {
            if !(*gap >= -tolerance) {
                found.push(format!("contact `{}` by a penetration of {:e} m", contact.name, -gap));
            }
        }
        found
    }

    fn prepare_projection(&mut self) -> Result<(), SetupError> {
        self.prepare_instant(INSTANT).map_err(|error| match error {
            StepError::Subsystem { source, .. } => SetupError::Subsystem(source),
            other => SetupError::NotProjected { reason: other.to_string() },
        })
    }

    /// Compliances and interface matrix of a velocity jump at the present communication point.
    pub(crate) fn prepare_instant(&mut self, size: f64) -> Result<(), StepError> {
        let time = self.clock.now;
        for (i, (member, subsystem)) in self.layout.members.iter_mut().zip(&mut self.subsystems).enumerate() {
            if member.rows.is_empty() {
                continue;
            }
            if !subsystem.description().capabilities.takes_impulses
                && member.joints.iter().all(|&(j, _)| !self.layout.joints[j].law.passes_impulses())
            {
                // No impulse reaches it.
                member.compliance.fill(0.0);
                member.revision = None;
                continue;
            }
            let compliance = &mut member.compliance;
            let prepared = guarded(subsystem.as_mut(), &member.name, |subsystem| {
                compliance.copy_from(subsystem.prepare_jump(size)?);
                Ok(())
            });
            if let Err(source) = prepared {
                self.note_fall(i, &source);
                return Err(StepError::Subsystem { time, source });
            }
            // The compliance of the next step is another one, whatever its revision says.
            member.revision = None;
        }
        self.check_compliances().map_err(|source| StepError::Subsystem { time, source })?;
        // Every compliance is another one.
        self.condensation.note_all();
        let refreshed = self.condensation.refresh(&self.layout, Mode::Instant, self.config.discretisation);
        refreshed.map_err(|unknown| self.singular_interface(unknown))?;
        self.refresh_all_contacts();
        Ok(())
    }

    /// Writes gaps or gap rates of the joints that pass impulses in the place of the unknowns.
    fn violations_as_unknowns(&mut self, level: Level) {
        let rows = &mut self.rows;
        for joint in &self.layout.joints {
            for k in 0..joint.size {
                let value = match level {
                    _ if !joint.law.passes_impulses() => 0.0,
                    Level::Position => joint.present_gap(k, &rows.start_positions),
                    Level::Velocity => joint.difference(k, &rows.start_velocities),
                };
                rows.unknowns[joint.first + k] = value;
            }
        }
    }

    /// Whether loops of joints can be closed at all: where joints are redundant, gaps may remain that no load closes.
    fn check_loops(&mut self) -> Result<(), SetupError> {
        if self.prepare_instant(INSTANT).is_err() {
            // Subsystems that do not jump tell nothing of their loops.
            return Ok(());
        }
        for level in [Level::Position, Level::Velocity] {
            self.violations_as_unknowns(level);
            let most = largest(0..self.rows.unknowns.len(), |k| self.rows.unknowns[k]);
            let mut rest = std::mem::replace(&mut self.rows.unknowns, vec![0.0; self.layout.unknowns]);
            for (number, cluster) in self.layout.clusters.iter().enumerate() {
                self.condensation.project_on_redundant(number, &mut rest[cluster.unknowns.clone()]);
            }
            let amount = largest(0..rest.len(), |k| rest[k]);
            if amount > self.config.initial_tolerance && amount > CONTRADICTION * most {
                let takes_part = |joint: &&crate::layout::Joint| {
                    joint.unknowns().any(|k| rest[k].abs() > CONTRADICTION * amount)
                };
                let names = self.layout.joints.iter().filter(takes_part).map(|joint| joint.name.clone());
                let is_largest_angular = self.layout.joints.iter().any(|joint| {
                    let (_, mut angular) = joint.coordinates_by_unit();
                    angular.any(|k| rest[joint.first + k].abs() == amount)
                });
                let unit = match (level, is_largest_angular) {
                    (Level::Position, false) => "m",
                    (Level::Position, true) => "rad",
                    (Level::Velocity, false) => "m/s",
                    (Level::Velocity, true) => "rad/s",
                };
                return Err(SetupError::InconsistentLoop { interfaces: names.collect(), amount, unit });
            }
        }
        Ok(())
    }

    /// One Newton step towards closed joints and open contacts, at position or velocity level.
    fn project(&mut self, level: Level) -> Result<(), SetupError> {
        self.violations_as_unknowns(level);
        let rows = &mut self.rows;
        self.condensation.solve(&self.layout, &mut rows.unknowns);
        rows.loads.fill(0.0);
        rows.start_forces.fill(0.0);
        self.condensation.add_joint_loads(&self.layout, &rows.unknowns, &rows.start_forces, &mut rows.loads);
        if level == Level::Position {
            let reason = |error: cosimo_nonsmooth::OneStepError| error.to_string();
            self.push_contacts_apart().map_err(|error| SetupError::NotProjected { reason: reason(error) })?;
        }
        for (member, subsystem) in self.layout.members.iter().zip(&mut self.subsystems) {
            let loads = &self.rows.loads[member.rows.clone()];
            if loads.iter().any(|x| *x != 0.0) {
                move_subsystem(subsystem.as_mut(), level, loads)?;
            }
        }
        self.read_rows();
        Ok(())
    }

    /// Forces of rigid joints at the start: from a tiny step with impulse rows, whose impulse divided by its size is the force.
    /// Position rows carry them on; rules without a past balance the accelerations of their start with them, where all
    /// subsystems tell their compliance: others would have to be evaluated for it.
    pub(crate) fn find_initial_forces(&mut self, h: f64) -> Result<(), StepError> {
        let all_tell = self.rungs().iter().all(|rung| matches!(rung, Rung::Exact | Rung::ExactContradicted))
            && self.subsystems.iter().all(|s| s.description().capabilities.has_variable_step);
        let has_use = self.config.discretisation == Discretisation::Position || all_tell;
        if !(has_use && self.layout.joints.iter().any(|joint| joint.law.passes_impulses())) {
            return Ok(());
        }
        let tiny = 1e-3 * h;
        self.begin(tiny)?;
        let factorized = self.condensation.refresh(
            &self.layout,
            Mode::Step { size: tiny, macro_size: h },
            Discretisation::Impulse,
        );
        if factorized.is_ok() {
            self.solve_interface();
            for joint in self.layout.joints.iter().filter(|joint| joint.law.passes_impulses()) {
                for unknown in joint.unknowns() {
                    self.rows.end_forces[unknown] = self.rows.unknowns[unknown] / tiny;
                }
            }
        }
        self.discard();
        self.condensation.note_all();
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

fn move_subsystem(subsystem: &mut dyn Subsystem, level: Level, loads: &[f64]) -> Result<(), SubsystemError> {
    match level {
        Level::Position => subsystem.shift(loads),
        Level::Velocity => subsystem.jump(loads),
    }
}

/// The largest magnitude of some values; not-a-number wins.
fn largest(indices: std::ops::Range<usize>, value: impl Fn(usize) -> f64) -> f64 {
    indices.fold(0.0, |most, k| nan_max(most, value(k).abs()))
}

/// The larger of two numbers; not-a-number wins.
fn nan_max(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}
