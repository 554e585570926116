//! How a solve ended.

/// How a solver of the linear complementarity problem ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LcpStatus {
    /// The residual, recomputed from `M`, `q` and the `z` returned, is within the tolerance.
    Solved,
    /// There is no solution, nor any `z ≥ 0` with `M z + q ≥ 0`: Lemke's method ended on a ray that proves it, checked with the
    /// matrix itself (Cottle, Pang, Stone, 1992, §2.7, §4.4); or, where round-off leaves a doubt, that the impulses of every
    /// solution are beyond 1e13 in terms of a problem of order 1, and none was found there either. `z` is returned as 0.
    Ray,
    /// The limit on the number of pivots was met and nothing better found. `z` is returned as 0.
    PivotLimit,
    /// The limit on Newton steps or sweeps was met. `z` is the best point found, for inspection only.
    IterationLimit,
    /// The method cannot go on: no step makes it better, a diagonal entry that it divides by is not positive, or Lemke's method
    /// has ended on rays that prove nothing, and `z` is 0. Otherwise `z` is the best point found, for inspection only.
    Stalled,
    /// The time of the [`Budget`](crate::Budget) has run out, or somebody has stopped the solve. `z` is the best point found, for
    /// inspection only.
    Interrupted,
    /// A solution up to round-off, whose residual misses the tolerance: the problem is nearly singular. `z` is finite, without
    /// negative entries, and solves, within the tolerance, a problem whose entries differ from those of `M` by one rounding (2⁻⁵²,
    /// relative) at most; that changes `w` by a thousandth of the largest `|qᵢ|` at most.
    Inaccurate,
}

/// How a solve ended, with the work done and the accuracy reached.
///
/// ```
/// use cosimo_complementarity::{LcpProblem, LcpStatus, LemkeWorkspace};
/// // w = 0·z − 1 is negative for every z: there is no solution.
/// let problem = LcpProblem::new(&[0.0], &[-1.0])?;
/// let outcome = LemkeWorkspace::with_capacity(1).solve(problem, &mut [0.0])?;
/// assert_eq!(outcome.status, LcpStatus::Ray);
/// assert!(!outcome.is_solved());
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use = "z is a solution only if the status says so"]
pub struct LcpOutcome {
    /// How it ended.
    pub status: LcpStatus,
    /// Pivots, Newton steps or sweeps done, 0 where `z` was written down directly.
    pub iterations: usize,
    /// [`LcpProblem::residual`](crate::LcpProblem::residual) of the `z` returned; no unit, never NaN.
    pub residual: f64,
}

impl LcpOutcome {
    /// Is the `z` returned a solution, checked by its residual?
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status == LcpStatus::Solved
    }
}
