//! Arguments of `cosimo solve`.

use std::path::PathBuf;

use crate::numbers::positive;

/// Arguments of `cosimo solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    /// The problem: an LCP as JSON with M and q, or a friction-contact problem as text; plain or gzipped; `-` for standard
    /// input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// The solver
    #[arg(long, value_enum, default_value_t = Solver::Auto)]
    pub(crate) solver: Solver,
    /// The law of friction
    #[arg(long, value_enum, default_value_t = Law::Coulomb)]
    pub(crate) law: Law,
    /// Residual to be met, without unit [default: 1e-10 for LCPs, 1e-8 for friction]
    #[arg(long, value_name = "X", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// Where to begin: a JSON array of numbers, or what --out has written before
    #[arg(long, value_name = "FILE")]
    pub(crate) guess: Option<PathBuf>,
    /// Iterations after which the best point counts, of all methods together [default: those of the solver]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_iterations: Option<u64>,
    /// Time after which the best point counts
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) time_limit: Option<f64>,
    /// Bytes that a problem may have, unpacked
    #[arg(long, value_name = "N", default_value_t = 1 << 30)]
    pub(crate) max_bytes: u64,
    /// Writes the solution with what is known of it, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Replaces an earlier solution; the problem itself is never replaced
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// Solvers of complementarity problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Solver {
    /// By the kind of the problem
    Auto,
    /// Lemke's method with lexicographic pivoting, for LCPs
    Lemke,
    /// Newton's method with line search: Fischer-Burmeister for LCPs, Alart-Curnier for friction
    Newton,
    /// Projected Gauss-Seidel for LCPs, accelerated nonsmooth Gauss-Seidel for friction
    GaussSeidel,
    /// Interior-point method, for friction
    InteriorPoint,
    /// Interior points in pseudo-time, for friction
    PseudoTransient,
    /// Proximal points: implicit steps in pseudo-time, for friction
    ProximalPoint,
    /// Gauss-Seidel by patches of contacts, for friction of many contacts
    Patches,
    /// Accelerated projected gradients, for friction with the associated law
    ProjectedGradient,
}

/// Laws of friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Law {
    /// Coulomb's law
    Coulomb,
    /// The cone complementarity relaxation: convex, but sliding contacts open
    Associated,
}

impl Solver {
    /// Name as written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Lemke => "lemke",
            Self::Newton => "newton",
            Self::GaussSeidel => "gauss-seidel",
            Self::InteriorPoint => "interior-point",
            Self::PseudoTransient => "pseudo-transient",
            Self::ProximalPoint => "proximal-point",
            Self::Patches => "patches",
            Self::ProjectedGradient => "projected-gradient",
        }
    }
}
