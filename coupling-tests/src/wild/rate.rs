//! The fastest vibration of a model at its start.
//!
//! ```text
//!   ω² = largest eigenvalue of Π M^(−½) K M^(−½) Π
//! ```
//!
//! over heights and turns of all lumps, with `Π` onto what rigid joints leave.

use nalgebra::{DMatrix, DVector};

use super::draft::{Law, ParsedModel};

/// Rate (1/s) of the fastest vibration; zero without springs.
#[must_use]
pub fn fastest(draft: &ParsedModel) -> f64 {
    let counts: Vec<usize> = draft.sides.iter().map(|side| side.lumps.len()).collect();
    let first: Vec<usize> = (0..counts.len()).map(|i| counts[..i].iter().sum()).collect();
    let size = 2 * counts.iter().sum::<usize>();
    let mut light = DVector::zeros(size);
    for (i, side) in draft.sides.iter().enumerate() {
        for (l, lump) in side.lumps.iter().enumerate() {
            light[2 * (first[i] + l)] = lump.mass.sqrt().recip();
            light[2 * (first[i] + l) + 1] = if side.turns() { lump.inertia().sqrt().recip() } else { 0.0 };
        }
    }
    let row = |ends: &[(usize, f64, f64)]| {
        let mut row = DVector::zeros(size);
        for (lump, sign, arm) in ends {
            row[2 * lump] = sign * light[2 * lump];
            row[2 * lump + 1] = sign * arm * light[2 * lump + 1];
        }
        row
    };
    let (mut stiffness, mut held) = (DMatrix::zeros(size, size), Vec::<DVector<f64>>::new());
    for (i, side) in draft.sides.iter().enumerate() {
        for spring in &side.springs {
            let lump = first[i] + spring.lump;
            let mut ends = vec![(lump, 1.0, spring.arm)];
            if !spring.is_grounded {
                ends.push((lump - 1, -1.0, spring.arm));
            }
            let row = row(&ends);
            stiffness += spring.stiffness * &row * row.transpose();
        }
        let Some(joint) = &draft.joints[i] else { continue };
        let row = row(&[(first[i] - 1, 1.0, joint.arms[0]), (first[i], -1.0, joint.arms[1])]);
        match joint.law {
            Law::Compliant(k, _) => stiffness += k * &row * row.transpose(),
            Law::Rigid | Law::Tikhonov(_) => {
                let rest = held.iter().fold(row, |row, other| &row - other * other.dot(&row));
                held.push(rest.normalize());
            }
        }
    }
    for row in &held {
        let free = DMatrix::identity(size, size) - row * row.transpose();
        stiffness = &free * stiffness * &free;
    }
    stiffness.symmetric_eigenvalues().max().max(0.0).sqrt()
}
