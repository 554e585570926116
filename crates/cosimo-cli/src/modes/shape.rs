//! Shapes of modes: shares of the kinetic energy, similarity, and what is drawn.

use cosimo::multibody::modes::Mode;
use cosimo::multibody::spatial::SpatialSystem;
use cosimo::nalgebra::{Complex, DVector};

/// Increments of a body: its centre of mass in the axes of the world, which turn with the system, and turns about its own axes.
pub(super) const DIRECTIONS: [&str; 6] = ["x", "y", "z", "about x", "about y", "about z"];

/// Mass (kg) three times and moments of inertia (kg m²) of every body.
pub(super) fn masses(system: &SpatialSystem) -> DVector<f64> {
    let of_body = |body: &cosimo::multibody::spatial::Body| {
        let (m, inertia) = (body.properties.mass(), body.properties.inertia());
        [m, m, m, inertia[(0, 0)], inertia[(1, 1)], inertia[(2, 2)]]
    };
    DVector::from_iterator(6 * system.bodies().len(), system.bodies().iter().flat_map(of_body))
}

/// Shares of the kinetic energy in the six directions.
pub(super) fn shares(mode: &Mode, masses: &DVector<f64>) -> [f64; 6] {
    std::array::from_fn(|direction| mode.share(masses, |k| k % 6 == direction))
}

/// The direction with the largest share.
pub(super) fn direction(mode: &Mode, masses: &DVector<f64>) -> &'static str {
    let shares = shares(mode, masses);
    let largest = (0..6).max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
    DIRECTIONS[largest.unwrap_or_default()]
}

/// Modal assurance criterion of two shapes, weighted with the masses: one for the same shape, zero for orthogonal ones.
///
/// Reference: R. J. Allemang, *The modal assurance criterion: twenty years of use and abuse*, Sound and Vibration 37(8), 2003.
pub(super) fn similarity(a: &Mode, b: &Mode, masses: &DVector<f64>) -> f64 {
    let product = |a: &Mode, b: &Mode| -> Complex<f64> {
        let parts = a.shape.iter().zip(b.shape.iter()).zip(masses.iter());
        parts.map(|((a, b), mass)| a.conj() * b * *mass).sum()
    };
    product(a, b).norm_sqr() / (product(a, a).re * product(b, b).re)
}

/// Lengths (relative to the largest) of the increments at the instant at which the largest is largest, six of each body: ways,
/// and turns times the radius of gyration of the body about the axis.
pub(super) fn drawn(mode: &Mode, masses: &DVector<f64>) -> Vec<[f64; 6]> {
    let length = |k: usize| mode.shape[k] * (masses[k] / masses[k - k % 6]).sqrt();
    let lengths: Vec<Complex<f64>> = (0..mode.shape.len()).map(length).collect();
    let largest = lengths.iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm()));
    let scale = largest.filter(|x| x.norm() > 0.0).unwrap_or(Complex::new(1.0, 0.0));
    let of_body = |part: &[Complex<f64>]| std::array::from_fn(|k| (part[k] / scale).re);
    lengths.chunks_exact(6).map(of_body).collect()
}
