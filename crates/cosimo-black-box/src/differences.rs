//! Inverse mass by finite differences, column by column.

use cosimo_subsystem::{RowState, Subsystem, SubsystemError};
use nalgebra::DMatrix;

use crate::BlackBoxError;
use crate::error::check_finite;

/// Speed (m/s, rad/s) that a kick changes a row by, at least, where the answer is affine: differences are exact, and
/// large ones lose the fewest digits.
const AFFINE_SPEED: f64 = 1.0;
/// Speed that counts as the least a subsystem moves with.
const LEAST_SPEED: f64 = 0.1;
/// Kick relative to the speeds at hand where the answer is not affine: small against what bends the answer, large
/// against the noise of a solver.
const SHARE: f64 = 1e-3;
/// Trials for the size of a kick.
pub(crate) const TRIALS: usize = 4;
/// Kick relative to the one that moves the lightest row: more than that no row gets, because one that hardly moves would hide
/// what the rest of the subsystem does.
pub(crate) const HEAVIEST: f64 = 1e4;
/// Share of the speed wanted that counts as no change: what a solver leaves in rows that joints hold.
pub(crate) const NO_CHANGE: f64 = 1e-5;

/// Why differences could not be taken.
#[derive(Debug)]
pub(crate) enum DifferenceError {
    /// The subsystem failed.
    Subsystem(SubsystemError),
    /// Its answer is refused.
    Refused(BlackBoxError),
}

impl From<SubsystemError> for DifferenceError {
    fn from(error: SubsystemError) -> Self {
        Self::Subsystem(error)
    }
}

/// The speed change that a kick aims at, from the speeds at hand (m/s).
pub(crate) fn kick_speed(is_affine: bool, speed: f64) -> f64 {
    if is_affine { speed.max(AFFINE_SPEED) } else { SHARE * speed.max(LEAST_SPEED) }
}

/// Largest magnitude.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

/// Buffers of a differentiation of `r` rows, and its results.
#[derive(Debug, Clone)]
pub(crate) struct Differences {
    /// `W`, `r × r` (1/kg).
    pub(crate) inverse_mass: DMatrix<f64>,
    /// `χ` (s), by least squares over all columns; zero where nothing moved.
    pub(crate) position_weight: f64,
    impulses: Vec<f64>,
    end: RowState,
}

impl Differences {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            inverse_mass: DMatrix::zeros(rows, rows),
            position_weight: 0.0,
            impulses: vec![0.0; rows],
            end: RowState { positions: vec![0.0; rows], velocities: vec![0.0; rows], ..RowState::default() },
        }
    }

    /// Differentiates the answer of the step that is begun about `impulses`, where it is `base`.
    pub(crate) fn of_step(
        &mut self,
        subsystem: &mut (impl Subsystem + ?Sized),
        impulses: &[f64],
        base: (&[f64], &[f64]),
        speed: f64,
    ) -> Result<(), DifferenceError> {
        self.impulses.copy_from_slice(impulses);
        self.columns(base, speed, |x, row, kick, end| {
            x[row] += kick;
            let answer = subsystem.evaluate_rows(x);
            x[row] = impulses[row];
            let answer = answer?;
            end.positions.copy_from_slice(&answer.positions);
            end.velocities.copy_from_slice(&answer.velocities);
            Ok(())
        })
    }

    /// Differentiates the velocity jump that is prepared at the present communication point.
    pub(crate) fn of_jump(
        &mut self,
        subsystem: &mut (impl Subsystem + ?Sized),
        size: f64,
        speed: f64,
    ) -> Result<(), DifferenceError> {
        let saved = subsystem.save()?;
        let before = subsystem.rows().clone();
        self.impulses.fill(0.0);
        let done = self.columns((&before.positions, &before.velocities), speed, |x, row, kick, end| {
            subsystem.prepare_jump(size)?;
            x[row] = kick;
            let jumped = subsystem.jump(x);
            x[row] = 0.0;
            jumped?;
            end.positions.copy_from_slice(&subsystem.rows().positions);
            end.velocities.copy_from_slice(&subsystem.rows().velocities);
            keep_rows_of_new_contacts(subsystem, &before, &mut end.velocities);
            Ok(subsystem.restore(&saved)?)
        });
        if done.is_err() {
            subsystem.restore(&saved)?;
        }
        done
    }

    /// All columns; `answer` gives the rows for a kick on one of them.
    fn columns(
        &mut self,
        (positions, velocities): (&[f64], &[f64]),
        speed: f64,
        mut answer: impl FnMut(&mut [f64], usize, f64, &mut RowState) -> Result<(), DifferenceError>,
    ) -> Result<(), DifferenceError> {
        let rows = velocities.len();
        let Self { inverse_mass, impulses, end, .. } = self;
        let (mut moved, mut squares) = (0.0, 0.0);
        let mut size = KickSize::new(speed);
        for column in 0..rows {
            let mut kick = size.last;
            let mut tried = None;
            for _ in 0..TRIALS {
                match answer(impulses, column, kick, end) {
                    Ok(()) => {}
                    Err(error) => {
                        // It is not known how large a kick a row bears that a smaller one has hardly moved.
                        kick = tried.ok_or(error)?;
                        answer(impulses, column, kick, end)?;
                        break;
                    }
                }
                check_finite(&end.positions, &end.velocities).map_err(DifferenceError::Refused)?;
                match size.better(kick, largest_change(&end.velocities, velocities)) {
                    Some(better) => (tried, kick) = (Some(kick), better),
                    None => break,
                }
            }
            for row in 0..rows {
                let change = end.velocities[row] - velocities[row];
                inverse_mass[(row, column)] = change / kick;
                moved += (end.positions[row] - positions[row]) * change;
                squares += change * change;
            }
        }
        self.position_weight = if squares > 0.0 { moved / squares } else { 0.0 };
        Ok(())
    }
}

/// The size of kicks that change the velocities by about a speed.
pub(crate) struct KickSize {
    /// Speed wanted (m/s).
    speed: f64,
    /// The kick that moved a row last (N s), where the trials of the next one begin: at first what moves one kilogram.
    last: f64,
    /// The smallest kick that gives any row the speed, as far as known.
    lightest: Option<f64>,
}

impl KickSize {
    pub(crate) fn new(speed: f64) -> Self {
        Self { speed, last: speed, lightest: None }
    }

    /// The first kick to try (N s).
    pub(crate) fn first(&self) -> f64 {
        self.last
    }

    /// Another size for a kick that changed the velocities by much more or less than wanted.
    pub(crate) fn better(&mut self, kick: f64, change: f64) -> Option<f64> {
        let most = HEAVIEST * self.lightest.unwrap_or(self.speed);
        if change <= NO_CHANGE * self.speed {
            return (kick < most).then_some((1e3 * kick).min(most));
        }
        let wanted = kick * self.speed / change;
        let lightest = self.lightest.map_or(wanted, |least| least.min(wanted));
        (self.lightest, self.last) = (Some(lightest), kick);
        let better = wanted.min(HEAVIEST * lightest);
        let ratio = better / kick;
        (!(0.1..=10.0).contains(&ratio)).then_some(better)
    }
}

/// Largest change of a velocity.
fn largest_change(end: &[f64], base: &[f64]) -> f64 {
    end.iter().zip(base).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
}

/// Takes the velocities before for the rows of contacts that come with a jump: that they appear is no change by it.
fn keep_rows_of_new_contacts(
    subsystem: &(impl Subsystem + ?Sized),
    before: &RowState,
    velocities: &mut [f64],
) {
    let (description, after) = (subsystem.description(), subsystem.rows());
    let first = description.port_rows();
    let mut slip = first + description.contacts.len();
    for (c, contact) in description.contacts.iter().enumerate() {
        let slips = slip..slip + contact.slips();
        slip = slips.end;
        if before.is_absent(c) && !after.is_absent(c) {
            let rows = std::iter::once(first + c).chain(slips);
            rows.for_each(|row| velocities[row] = before.velocities[row]);
        }
    }
}
