//! Whether a subsystem answers as it claims to.

use std::fmt;

use cosimo_subsystem::{InverseMass, MacroStep, RowMatrix, StepResponse, Subsystem, SubsystemError};

use crate::differences::{HEAVIEST, NO_CHANGE, kick_speed, largest};

/// Relative difference from the finite difference that a claimed derivative may have.
const DERIVATIVE_TOLERANCE: f64 = 1e-3;
/// Relative difference from an affine answer that one who claims to be affine may have.
const AFFINE_TOLERANCE: f64 = 1e-8;

/// Rounding of a difference of two answers, relative to the answers: of a body so heavy that the impulses hardly move it nothing
/// else may be left.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What a check of the claims found.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The subsystem answers as it says.
    Confirmed,
    /// There is nothing to compare: no inverse mass is claimed, or steps cannot be re-evaluated.
    NotVerifiable,
    /// The subsystem answers otherwise.
    False(FalseClaim),
}

/// A claim that the answer of a subsystem contradicts.
#[derive(Debug, Clone, PartialEq)]
pub struct FalseClaim {
    /// Row whose answer differs most.
    pub row: usize,
    /// What is claimed of it.
    pub claim: &'static str,
    /// Change of the row according to the claim (m/s, rad/s; m, rad).
    pub claimed: f64,
    /// Change found by evaluating the step.
    pub found: f64,
}

impl FalseClaim {
    /// Whether the answer may be the claim but for rounding.
    fn is_slight(&self) -> bool {
        (self.claimed - self.found).abs() <= SLIGHT * self.claimed.abs().max(self.found.abs())
    }
}

impl fmt::Display for FalseClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, claim, claimed, found } = self;
        write!(
            f,
            "{claim} of row {row} is false: it claims a change of {claimed:.6e}, a re-evaluation gives {found:.6e}"
        )
    }
}

/// Inverse mass of a row, relative to the largest, below which it is round-off.
const IMMOVABLE: f64 = 1e-14;
/// Share of the impulses with which a contradiction is looked at again: what bends an answer shrinks with its square.
const GENTLER: f64 = 0.01;
/// Relative difference up to which an affine answer is looked at again.
const SLIGHT: f64 = 1e-6;
/// By what the impulses are multiplied then: affine answers are straight whatever their size.
const HARDER: f64 = 1e4;
/// How often impulses that the subsystem fails under are made gentler.
const TRIALS: usize = 4;

/// Compares the inverse mass that a subsystem claims for this step with a central difference of its answers, along one
/// direction in which all rows take part; of affine subsystems also position weight and affinity. Two evaluations, or four; no
/// step stays begun. A subsystem that captures impacts is taken at its word: its answers bend where its contacts close.
///
/// # Errors
/// The subsystem fails.
pub fn verify(
    subsystem: &mut (impl Subsystem + ?Sized),
    step: MacroStep,
    start_loads: &[f64],
) -> Result<Verdict, SubsystemError> {
    let capabilities = subsystem.description().capabilities;
    if capabilities.inverse_mass == InverseMass::Unknown
        || !capabilities.can_roll_back
        || subsystem.rows().velocities.is_empty()
    {
        return Ok(Verdict::NotVerifiable);
    }
    if capabilities.captures_impacts {
        return Ok(Verdict::Confirmed);
    }
    let speed = largest(&subsystem.rows().velocities);
    let free = match subsystem.begin(step, start_loads) {
        // The step has an answer in parts only.
        Err(SubsystemError::StepHoldsEvent { .. }) => return Ok(Verdict::NotVerifiable),
        begun => begun?.clone(),
    };
    let is_affine = capabilities.is_affine;
    let speed = kick_speed(is_affine, speed.max(largest(&free.velocities)));
    let mut impulses = impulses(&free.inverse_mass, speed);
    let mut claim = compare(subsystem, &free, (&impulses, speed), is_affine);
    let mut trials = 1;
    if is_affine && matches!(&claim, Ok(Some(claim)) if claim.is_slight()) {
        // What is rounded away far from the origin, or of a heavy body, is not by impulses much larger.
        let harder: Vec<f64> = impulses.iter().map(|x| HARDER * x).collect();
        if let Ok(None) = compare(subsystem, &free, (&harder, HARDER * speed), is_affine) {
            claim = Ok(None);
        }
    }
    // A row that hardly moves gets a kick that may bend the answers of the others, or be more than they bear.
    while !is_affine && (trials == 1 && matches!(claim, Ok(Some(_))) || trials < TRIALS && claim.is_err()) {
        impulses.iter_mut().for_each(|x| *x *= GENTLER);
        claim = compare(subsystem, &free, (&impulses, speed), is_affine);
        trials += 1;
    }
    subsystem.discard();
    Ok(claim?.map_or(Verdict::Confirmed, Verdict::False))
}

/// Compares the claims of the step begun, without loads `free`, with its answers to these impulses, which aim at this speed, and
/// to their opposite.
fn compare(
    subsystem: &mut (impl Subsystem + ?Sized),
    free: &StepResponse,
    (impulses, speed): (&[f64], f64),
    is_affine: bool,
) -> Result<Option<FalseClaim>, SubsystemError> {
    let above = subsystem.evaluate_rows(impulses)?.clone();
    let opposite: Vec<f64> = impulses.iter().map(|x| -x).collect();
    let below = subsystem.evaluate_rows(&opposite)?.clone();
    Ok(false_claim(free, (impulses, speed), (&above, &below), is_affine))
}

/// The first claim of a response that its answers to impulses and to their opposite contradict.
fn false_claim(
    free: &StepResponse,
    (impulses, speed): (&[f64], f64),
    (above, below): (&StepResponse, &StepResponse),
    is_affine: bool,
) -> Option<FalseClaim> {
    let half = |a: &[f64], b: &[f64], sign: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| 0.5 * (a + sign * b)).collect()
    };
    let claimed = free.inverse_mass.product(impulses);
    let found = half(&above.velocities, &below.velocities, -1.0);
    let scale = largest(&claimed).max(largest(&found));
    // What motions hold does not move, in word or deed: there is round-off only.
    if !is_affine && scale <= NO_CHANGE * speed.min(largest(impulses)) {
        return None;
    }
    let derivative = if is_affine { AFFINE_TOLERANCE } else { DERIVATIVE_TOLERANCE };
    let rounding = |a: &[f64], b: &[f64]| ROUNDING * largest(a).max(largest(b));
    let of_velocities = rounding(&above.velocities, &below.velocities);
    let allowed = derivative * scale + of_velocities;
    contradiction(&free.inverse_mass, "the inverse mass", (&claimed, &found), allowed).or_else(|| {
        if !is_affine {
            return None;
        }
        let moved: Vec<f64> = claimed.iter().map(|dv| free.weights.position * dv).collect();
        let found = half(&above.positions, &below.positions, -1.0);
        let scale = largest(&moved).max(1e-6 * largest(&free.positions));
        let allowed = AFFINE_TOLERANCE * scale + rounding(&above.positions, &below.positions);
        let position = contradiction(&free.inverse_mass, "the position weight", (&moved, &found), allowed);
        position.or_else(|| {
            let mean = half(&above.velocities, &below.velocities, 1.0);
            let scale = largest(&claimed).max(largest(&free.velocities));
            contradiction(
                &free.inverse_mass,
                "affinity",
                (&free.velocities, &mean),
                AFFINE_TOLERANCE * scale + of_velocities,
            )
        })
    })
}

/// The row that differs most of those that the response covers, if any does by more than is allowed.
fn contradiction(
    matrix: &RowMatrix,
    claim: &'static str,
    (claimed, found): (&[f64], &[f64]),
    allowed: f64,
) -> Option<FalseClaim> {
    let error = |row: usize| (claimed[row] - found[row]).abs();
    // Not `error > allowed`: it must also find NaN.
    let row = (0..claimed.len())
        .filter(|row| matrix.has_row(*row) && !(error(*row) <= allowed))
        .max_by(|a, b| error(*a).total_cmp(&error(*b)))?;
    Some(FalseClaim { row, claim, claimed: claimed[row], found: found[row] })
}

/// Impulses on all rows, no two alike, each of which changes some row by about `speed`; on rows that nothing but round-off
/// moves, as those across the plane of a mechanism, of the size of the smallest; none larger than those that change so what is
/// ten thousand kilograms heavy, as where motions hold all rows.
fn impulses(inverse_mass: &RowMatrix, speed: f64) -> Vec<f64> {
    let rows = inverse_mass.shape().0;
    let weight = |row: usize| {
        let size = 1.0 + row as f64 / rows as f64;
        if row.is_multiple_of(2) { size } else { -size }
    };
    let largest = inverse_mass.amax();
    let kick = |row: usize| match inverse_mass.column_amax(row) {
        most if most > IMMOVABLE * largest && most.is_finite() => speed / most,
        _ if largest > 0.0 && largest.is_finite() => speed / largest,
        _ => speed,
    };
    let impulse = |row: usize| weight(row) * kick(row).min(HEAVIEST * speed);
    (0..rows).map(|row| if inverse_mass.has_row(row) { impulse(row) } else { 0.0 }).collect()
}
