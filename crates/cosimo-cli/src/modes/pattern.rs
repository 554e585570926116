//! What a mode of a rotor is: flap, lag or torsion of its blades, and how their motions follow each other about the axis.
//!
//! Of `N` blades with amplitudes `b_k exp(iωt)` in axes that turn, the multiblade coordinates are
//!
//! ```text
//!   c_n = 1/N Σ b_k exp(−2πi n k/N)        n = 0 collective, ∓1 with and against the turn, others reactionless
//! ```
//!
//! Of two blades `n = 1` is differential, as in a teeter: it goes neither with nor against the turn but loads the hub, and seen from axes
//! that do not turn has both `ω + Ω` and `|ω − Ω|`.
//!
//! and of the hub and all else on the axis displacements `a`, `b` along two directions across it are `(a ± i b)/√2` with and against
//! the turn. Seen from axes that do not turn, what goes with the turn has the frequency `ω + Ω`, what goes against it `|ω − Ω|`.
//!
//! References: R. P. Coleman, A. M. Feingold, *Theory of self-excited mechanical oscillations of helicopter rotors with hinged blades*,
//! NACA Report 1351, 1958; W. Johnson, *Rotorcraft Aeromechanics*, Cambridge 2013, chapter 15.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use cosimo::multibody::modes::Mode;
use cosimo::nalgebra::{Complex, DMatrix, DVector, Vector3};

use super::vibrations::Vibrations;

/// Share of the energy from which a mode is named by it.
const MOST: f64 = 0.6;

/// Difference of eigenvalues, relative to their size, up to which shapes are combinations of each other.
const SAME: f64 = 1e-6;

/// Distance from the axis, relative to the size of all, up to which a body is on it.
const ON_AXIS: f64 = 1e-3;

/// How motions follow each other about the axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Collective,
    Forward,
    Backward,
    /// Of two blades: opposite.
    Differential,
    Reactionless,
    /// Of what is neither a blade nor on the axis.
    Beside,
}

impl Order {
    fn of(n: usize, blades: usize) -> Self {
        match n {
            0 => Self::Collective,
            1 if blades == 2 => Self::Differential,
            1 if blades > 2 => Self::Backward,
            n if blades > 2 && n == blades - 1 => Self::Forward,
            _ => Self::Reactionless,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Collective => "collective",
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Differential => "differential",
            Self::Reactionless => "reactionless",
            Self::Beside => "",
        }
    }

    /// The circular frequency in axes that do not turn (rad/s) of one in axes that do; none of what has no part on the axis, or two.
    fn fixed(self, omega: f64, speed: f64) -> Option<f64> {
        match self {
            Self::Collective => Some(omega),
            Self::Forward => Some(omega + speed),
            Self::Backward => Some((omega - speed).abs()),
            Self::Differential | Self::Reactionless | Self::Beside => None,
        }
    }
}

/// Parts of a shape in units of the root of the energy, by order and number of the multiblade coordinate.
fn parts(own: &Vibrations, mode: &Mode) -> Vec<(Order, Vec<Complex<f64>>)> {
    let count = own.blades.len();
    let mut parts: Vec<(Order, Vec<Complex<f64>>)> =
        [Order::Collective, Order::Forward, Order::Backward].map(|order| (order, Vec::new())).to_vec();
    for n in 0..count {
        let order = Order::of(n, count);
        let coordinate = multiblade(own, mode, n);
        match parts.iter_mut().find(|part| part.0 == order && order != Order::Reactionless) {
            Some(part) => part.1.extend(coordinate),
            None => parts.push((order, coordinate)),
        }
    }
    let axis = own.axis;
    let first = if axis.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let e1 = (first - axis * axis.dot(&first)).normalize();
    let axes = [e1, axis.cross(&e1), axis];
    let is_of_blade = |body: &usize| own.blades.iter().any(|blade| blade.bodies.contains(body));
    let size = own.bodies.iter().map(|body| body.position.norm()).fold(0.0, f64::max);
    let mut beside = Vec::new();
    for body in (0..own.bodies.len()).filter(|body| !is_of_blade(body)) {
        if axis.cross(&own.bodies[body].position).norm() > ON_AXIS * size {
            beside.extend(in_axes(own, mode, body, &axes));
            continue;
        }
        let [a, b, along, about_a, about_b, about] = in_axes(own, mode, body, &axes);
        let i = Complex::new(0.0, FRAC_1_SQRT_2);
        let circles =
            |a: Complex<f64>, b: Complex<f64>| [a * FRAC_1_SQRT_2 + i * b, a * FRAC_1_SQRT_2 - i * b];
        parts[0].1.extend([along, about]);
        for [forward, backward] in [circles(a, b), circles(about_a, about_b)] {
            parts[1].1.push(forward);
            parts[2].1.push(backward);
        }
    }
    parts.push((Order::Beside, beside));
    parts
}

/// The multiblade coordinate of this number, times `√N`.
fn multiblade(own: &Vibrations, mode: &Mode, n: usize) -> Vec<Complex<f64>> {
    let count = own.blades.len() as f64;
    let mut sum: Vec<Complex<f64>> = Vec::new();
    for (k, blade) in own.blades.iter().enumerate() {
        let turn = Complex::from_polar(1.0 / count.sqrt(), -TAU * (n * k) as f64 / count);
        let parts = blade.bodies.iter().flat_map(|body| in_axes(own, mode, *body, &blade.axes));
        let parts: Vec<_> = parts.map(|part| part * turn).collect();
        sum.resize(parts.len(), Complex::new(0.0, 0.0));
        sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// Displacements and rotations of a body along axes, in units of the root of the energy.
pub(super) fn in_axes(
    own: &Vibrations,
    mode: &Mode,
    body: usize,
    axes: &[Vector3<f64>; 3],
) -> [Complex<f64>; 6] {
    let at = 6 * body;
    let orientation = own.bodies[body].orientation;
    let inertia = Vector3::new(own.masses[at + 3], own.masses[at + 4], own.masses[at + 5]);
    std::array::from_fn(|k| {
        let axis = if k < 3 { axes[k] } else { orientation.inverse() * axes[k - 3] };
        let first = if k < 3 { at } else { at + 3 };
        let along: Complex<f64> = (0..3).map(|j| mode.shape[first + j] * axis[j]).sum();
        let size = if k < 3 { own.masses[at] } else { axis.component_mul(&axis).dot(&inertia) };
        along * size.sqrt()
    })
}

fn energy(part: &[Complex<f64>]) -> f64 {
    part.iter().map(|x| x.norm_sqr()).sum()
}

/// Replaces the shapes of one eigenvalue by combinations of different order, where the system turns or has blades.
pub(super) fn resolve(own: &mut Vibrations) {
    if own.speed == 0.0 && own.blades.is_empty() {
        return;
    }
    let mut first = 0;
    while first < own.modes.len() {
        let value = own.modes[first].eigenvalue;
        let is_same = |mode: &&Mode| (mode.eigenvalue - value).norm() <= SAME * value.norm();
        let count = own.modes[first..].iter().take_while(is_same).count().max(1);
        if count > 1
            && let Some(shapes) = combined(own, first, count)
        {
            for (mode, shape) in own.modes[first..].iter_mut().zip(shapes) {
                mode.shape = shape;
            }
        }
        first += count;
    }
}

/// The combinations that diagonalise `Σ w_n c_nᴴ c_n` with weights `w_n` that differ.
fn combined(own: &Vibrations, first: usize, count: usize) -> Option<Vec<DVector<Complex<f64>>>> {
    let modes = &own.modes[first..first + count];
    let all: Vec<Vec<(Order, Vec<Complex<f64>>)>> = modes.iter().map(|mode| parts(own, mode)).collect();
    let product = |n: usize| {
        let inner = |i: usize, j: usize| -> Complex<f64> {
            all[i][n].1.iter().zip(&all[j][n].1).map(|(a, b)| a.conj() * b).sum()
        };
        DMatrix::from_fn(count, count, inner)
    };
    let products: Vec<DMatrix<Complex<f64>>> = (0..all[0].len()).map(product).collect();
    let zero = || DMatrix::zeros(count, count);
    let whole = products.iter().fold(zero(), |sum, own| sum + own);
    let weighted = products
        .iter()
        .enumerate()
        .fold(zero(), |sum, (n, own)| sum + own * Complex::new(1.0 + n as f64, 0.0));
    // In a basis that is orthonormal by the energy.
    let lower = whole.cholesky()?.l().try_inverse()?;
    let turn = (&lower * weighted * lower.adjoint()).symmetric_eigen().eigenvectors;
    let shares = lower.adjoint() * turn;
    let combine = |column: usize| {
        let sum = modes.iter().enumerate().fold(DVector::zeros(modes[0].shape.len()), |sum, (k, mode)| {
            sum + &mode.shape * shares[(k, column)]
        });
        let length = Complex::new(sum.norm(), 0.0);
        sum / length
    };
    Some((0..count).map(combine).collect())
}

/// What a mode is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Named {
    /// `flap`, `lag`, `torsion`, `stretch` of the blades; `hub` where these hardly move, nothing where there are none.
    pub(super) kind: &'static str,
    /// How motions follow each other about the axis, where that is clear.
    pub(super) order: Option<Order>,
    /// Frequency in axes that do not turn (Hz).
    pub(super) fixed: Option<f64>,
}

/// The name of a mode.
pub(super) fn named(own: &Vibrations, mode: &Mode) -> Named {
    let has_axis = own.speed != 0.0 || !own.blades.is_empty();
    let parts = parts(own, mode);
    let all: f64 = parts.iter().map(|part| energy(&part.1)).sum();
    let largest = parts.iter().max_by(|a, b| energy(&a.1).total_cmp(&energy(&b.1)));
    let order = largest.filter(|part| has_axis && energy(&part.1) > MOST * all).map(|part| part.0);
    let fixed = order.and_then(|order| order.fixed(mode.eigenvalue.im, own.speed.abs()));
    Named { kind: kind(own, mode, all), order, fixed: fixed.map(|omega| omega / TAU) }
}

/// What moves the blades most.
fn kind(own: &Vibrations, mode: &Mode, all: f64) -> &'static str {
    let mut energies = [("flap", 0.0), ("lag", 0.0), ("torsion", 0.0), ("stretch", 0.0)];
    for blade in &own.blades {
        for body in &blade.bodies {
            let parts = in_axes(own, mode, *body, &blade.axes).map(|part| part.norm_sqr());
            let [outwards, with, along, about_span, about_with, about_axis] = parts;
            let by_kind = [along + about_with, with + about_axis, about_span, outwards];
            energies.iter_mut().zip(by_kind).for_each(|(own, energy)| own.1 += energy);
        }
    }
    let of_blades: f64 = energies.iter().map(|own| own.1).sum();
    let largest = energies.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match largest {
        _ if own.blades.is_empty() => "",
        Some((kind, _)) if of_blades >= 0.5 * all => kind,
        _ => "hub",
    }
}
