//! Friction: contacts with Coulomb's law.
//!
//! With the Delassus operator `W` and the velocities `q` without impulses, find impulses `r` with
//!
//! ```text
//!   u = W r + q        r ∈ K,  u + μ ‖u_T‖ N ∈ K*,  and the two are orthogonal, contact by contact
//! ```
//!
//! | role | here |
//! |---|---|
//! | what to solve | [`FrictionProblem`], a checked, borrowed view over any [`Delassus`] operator |
//! | forms of `W` | [`BlockMatrix`] (blocks that are not zero), [`BodyDelassus`] (`H M⁻¹ Hᵀ`, never formed) |
//! | what "solved" means | [`FrictionProblem::residual`]: one number, without unit, the same for every solver |
//! | how to solve | [`FrictionSolver`], which chooses and falls back |
//! | | [`GaussSeidel`]: contact after contact, each exactly, the sweeps accelerated |
//! | | [`Patches`]: sweeps, and the places where they end solved at once |
//! | | [`InteriorPoint`]: all contacts at once, for more contacts than hold the bodies |
//! | | [`PseudoTransient`]: past places where that path turns back, for packings nearly at rest |
//! | | [`ProximalPoint`]: implicit steps along the way that sweeps crawl |
//! | | [`AlartCurnier`]: semismooth Newton method with line search |
//! | | [`ProjectedGradient`]: without any factorisation, for the associated law |
//! | with facets in place of the cone | [`FacetedCone`], [`FacetedSolver`]: a linear complementarity problem |
//! | how it ended | [`FrictionOutcome`] |
//!
//! ```
//! use cosimo_complementarity::friction::{BlockMatrix, FrictionProblem, GaussSeidel, GaussSeidelConfig};
//! use nalgebra::DMatrix;
//!
//! // A mass of 1 kg on the ground, pushed: it slides against the friction μ = ½.
//! let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
//! let (offset, friction) = ([-1.0, 2.0, 0.0], [0.5]);
//! let problem = FrictionProblem::new(&mass, &offset, &friction)?;
//! let mut impulses = [0.0; 3];
//! let outcome = GaussSeidel::new(GaussSeidelConfig::default())?.solve(&problem, &mut impulses)?;
//! assert!(outcome.is_solved());
//! assert!(impulses.iter().zip([1.0, -0.5, 0.0]).all(|(found, exact): (&f64, f64)| (found - exact).abs() < 1e-12));
//! # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
//! ```

mod anderson;
mod automatic;
mod by_contact;
mod colours;
mod cone;
mod delassus;
mod drift;
mod error;
mod faceted;
mod gauss_seidel;
mod interior_point;
mod local;
mod method;
mod newton;
mod outcome;
mod patches;
mod precise_product;
mod problem;
mod progress;
mod projected_gradient;
mod proximal_point;
mod pseudo_transient;
mod refined;
mod residual;
mod round_robin;
mod scaling;
mod text;
mod thresholds;

pub use automatic::FrictionSolver;
pub use cone::project_onto_cone;
pub use delassus::{BlockMatrix, BodyDelassus, ContactArm, Delassus, Scaled, ScaledSystem};
pub use error::FrictionError;
pub use faceted::{FacetedCone, FacetedSolver};
pub use gauss_seidel::{GaussSeidel, GaussSeidelConfig, SweepOrder};
pub use interior_point::InteriorPoint;
pub use local::solve_contact;
pub use method::FrictionConfig;
pub use newton::AlartCurnier;
pub use outcome::{FrictionMethod, FrictionOutcome, FrictionStatus};
pub use patches::Patches;
pub use problem::{FrictionLaw, FrictionProblem};
pub use projected_gradient::ProjectedGradient;
pub use proximal_point::ProximalPoint;
pub use pseudo_transient::PseudoTransient;
pub use text::{FrictionText, TextError};
