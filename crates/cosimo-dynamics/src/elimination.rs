//! Direct elimination of Lagrange multipliers with Baumgarte's stabilisation.

use cosimo_linear::{DenseLu, StructuredMatrix};
use nalgebra::DMatrix;

use crate::{LinearSystem, SystemError};

/// How constraints are eliminated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elimination {
    /// Baumgarte's `α` (1/s): damping `2 α` of the constraint violation. The literature's choice is 5.
    pub alpha: f64,
    /// Baumgarte's `β` (1/s): stiffness `β²` of the constraint violation. The literature's choice is 5.
    pub beta: f64,
    /// Whether loads and impulses of ports and contacts are projected like all other forces.
    ///
    /// Without it an impulse moves the body it acts on alone: constrained masses pass through each other.
    pub project_impulses: bool,
}

/// The unconstrained system that a constrained linear one becomes when its multipliers are eliminated.
///
/// With the projection `P = I − Φᵀ (Φ M⁻¹ Φᵀ)⁻¹ Φ M⁻¹` and `S = Φᵀ (Φ M⁻¹ Φᵀ)⁻¹`
///
/// ```text
///   M a + (P C + 2α S Φ) v + (P K + β² S Φ) q = P f + β² S c
/// ```
///
/// which follows from `φ̈ + 2α φ̇ + β² φ = 0`, `φ = Φ q − c`. Loads `Zᵀ X` become `P Zᵀ X`.
///
/// Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
/// Problems*, Politecnico di Milano 2012, section 3.2.3; J. Baumgarte, CMAME 1, 1972.
///
/// # Errors
/// `Φ M⁻¹ Φᵀ` is singular: a constraint is given twice.
pub fn eliminate_constraints(system: &LinearSystem, how: Elimination) -> Result<LinearSystem, SystemError> {
    let n = system.coordinates();
    system.check_rows()?;
    let phi = system.constraint_matrix();
    let m = phi.nrows();
    let offsets = DMatrix::from_iterator(m, 1, system.constraints.iter().map(|row| row.offset));
    let inverse_mass_phi_t = solve_columns(&system.mass.to_dense(), &phi.transpose())?;
    // S = Φᵀ (Φ M⁻¹ Φᵀ)⁻¹, computed from its transpose: the middle factor is symmetric.
    let s = solve_columns(&(&phi * &inverse_mass_phi_t), &phi)?.transpose();
    let projection = DMatrix::identity(n, n) - &s * inverse_mass_phi_t.transpose();
    let (twice_alpha, beta2) = (2.0 * how.alpha, how.beta * how.beta);
    let stiffness = &projection * system.stiffness.to_dense() + beta2 * &s * &phi;
    let damping = &projection * system.damping.to_dense() + twice_alpha * &s * &phi;
    let force = &projection * DMatrix::from_column_slice(n, 1, &system.force) + beta2 * &s * offsets;
    let loads = system.loads.iter().map(|load| {
        let mut dense = DMatrix::zeros(n, 1);
        load.direction.weights.iter().for_each(|&(i, w)| dense[i] = w);
        let direction = crate::LinearRow::dense((&projection * dense).as_slice(), 0.0);
        crate::TimeLoad { direction, size: load.size.clone() }
    });
    Ok(LinearSystem {
        mass: system.mass.clone(),
        damping: StructuredMatrix::from_dense(&damping),
        stiffness: StructuredMatrix::from_dense(&stiffness),
        force: force.as_slice().into(),
        loads: loads.collect(),
        constraints: Vec::new(),
        load_projection: how.project_impulses.then(|| Box::new(projection)),
        potential: Some(Box::new((system.stiffness.clone(), system.force.clone()))),
        potential_constant: system.potential_constant,
    })
}

fn solve_columns(matrix: &DMatrix<f64>, columns: &DMatrix<f64>) -> Result<DMatrix<f64>, SystemError> {
    let mut lu = DenseLu::default();
    lu.factorize(matrix)?;
    let mut out = columns.clone();
    for mut column in out.column_iter_mut() {
        lu.solve(column.as_mut_slice());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinearRow;
    use nalgebra::dmatrix;

    fn pair() -> LinearSystem {
        LinearSystem::new(dmatrix![0.5, 0.0; 0.0, 0.5])
            .unwrap()
            .with_stiffness(dmatrix![10.0, 0.0; 0.0, 0.0])
            .unwrap()
            .with_force(vec![4.905, 4.905])
            .unwrap()
            .with_constraint(LinearRow::dense(&[-1.0, 1.0], 0.2))
    }

    #[test]
    fn accelerations_satisfy_baumgartes_equation() {
        let how = Elimination { alpha: 5.0, beta: 5.0, project_impulses: true };
        let eliminated = eliminate_constraints(&pair(), how).unwrap();
        let (q, v) = ([0.1, 0.33], [0.2, -0.1]);
        let mut force = [0.0; 2];
        eliminated.total_force(0.0, &q, &v, &mut force);
        let a = [force[0] / 0.5, force[1] / 0.5];
        let baumgarte = (a[1] - a[0]) + 10.0 * (v[1] - v[0]) + 25.0 * (q[1] - q[0] - 0.2);
        assert!(baumgarte.abs() < 1e-12, "{baumgarte}");
        // The constraint force is internal: the momentum balance does not see it.
        let momentum_rate = 0.5 * a[0] + 0.5 * a[1] - (9.81 - 10.0 * q[0]);
        assert!(momentum_rate.abs() < 1e-12, "{momentum_rate}");
    }

    #[test]
    fn projected_impulse_moves_both_masses_alike() {
        let how = Elimination { alpha: 5.0, beta: 5.0, project_impulses: true };
        let projection = eliminate_constraints(&pair(), how).unwrap().load_projection.unwrap();
        assert!((*projection * dmatrix![0.0; -1.0] - dmatrix![-0.5; -0.5]).amax() < 1e-15);
    }
}
