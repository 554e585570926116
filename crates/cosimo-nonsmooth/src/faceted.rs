//! Friction with faceted cones: an outer polygon in the place of Coulomb's disk, and its linear complementarity problem.
//!
//! The friction of a contact with `ω` facets is bounded in the directions `c_i`, at angles `2π i/ω` from its first tangent,
//!
//! ```text
//!   σ_i = μ P_N − c_i·P_T ≥ 0      −u_T = Σ k_i c_i      0 ≤ σ_i ⟂ k_i ≥ 0
//! ```
//!
//! Two directions `C = [c_0, c_p]` that are about at right angles express `P_T = C⁻ᵀ (μ P_N − σ_C)`; what is left are, of each
//! contact, `1 + ω` complementary pairs `(w, z)`:
//!
//! ```text
//!   (u_N, P_N)      (k_C, σ_C),  k_C = −C⁻¹ (u_T + Σ_R k_i c_i)      (σ_R, k_R)
//! ```
//!
//! Along a `c_i` the friction is that of the exact cone; half-way between two of them it is `μ P_N / cos(π/ω)`. A contact
//! with one tangent has two facets, which is exact.
//!
//! Reference: thesis of M. Fancello (Politecnico di Milano 2012), eqs. 7.3 to 7.6.

use nalgebra::{Matrix2, Vector2};

use crate::active_set::ActiveSet;
use crate::{ContactLaws, OneStepError};

/// The problem with its buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct FacetedSet {
    contacts: Vec<Facets>,
    /// `z ↦ w`, by columns, and `w` at `z = 0`.
    matrix: Vec<f64>,
    offset: Vec<f64>,
    /// Impulses of all rows for one unit of an unknown.
    unit: Vec<f64>,
    unknowns: Vec<usize>,
}

/// The facets of one contact.
#[derive(Debug, Clone, Copy)]
struct Facets {
    contact: usize,
    friction: f64,
    /// Number of facets; zero without friction.
    count: usize,
    /// `C⁻¹`; of a single tangent the unit matrix, of which one entry counts.
    inverse: Matrix2<f64>,
    /// Number of tangents, which is that of the directions in `C`.
    tangents: usize,
    /// First of its unknowns: `P_N, σ_C, k_R`.
    first: usize,
}

impl Facets {
    fn new(laws: &ContactLaws, contact: usize, (finest, first): (usize, usize)) -> Self {
        let (friction, tangents) = (laws.of(contact).friction, laws.slips(contact).len());
        let count = match tangents {
            _ if friction == 0.0 => 0,
            0 => 0,
            1 => 2,
            _ => laws.of(contact).facets.unwrap_or(finest),
        };
        let mut facets = Self { contact, friction, count, inverse: Matrix2::identity(), tangents, first };
        if count > 2 {
            let c = Matrix2::from_columns(&[facets.direction(0), facets.direction(facets.partner())]);
            facets.inverse = c.try_inverse().unwrap_or(facets.inverse);
        }
        facets
    }

    /// The direction of facet `i`.
    fn direction(&self, i: usize) -> Vector2<f64> {
        if self.count == 2 {
            return Vector2::new(1.0 - 2.0 * i as f64, 0.0);
        }
        let (sine, cosine) = (std::f64::consts::TAU * i as f64 / self.count as f64).sin_cos();
        Vector2::new(cosine, sine)
    }

    /// The facet most nearly at a right angle to the first.
    fn partner(&self) -> usize {
        ((self.count + 2) / 4).max(1)
    }

    /// The facets in `C`.
    fn basis(&self) -> impl Iterator<Item = usize> + use<> {
        [0, self.partner()].into_iter().take(if self.count == 0 { 0 } else { self.tangents })
    }

    /// The other facets.
    fn rest(&self) -> impl Iterator<Item = usize> + use<> {
        let (count, partner, tangents) = (self.count, self.partner(), self.tangents);
        (1..count).filter(move |i| tangents == 1 || *i != partner)
    }

    fn unknowns(&self) -> usize {
        1 + self.count
    }

    /// `P_T` for a normal impulse and the `σ_C`.
    fn tangential(&self, normal: f64, slack: Vector2<f64>) -> Vector2<f64> {
        self.inverse.transpose() * (Vector2::repeat(self.friction * normal) - slack)
    }
}

impl FacetedSet {
    /// Solves the law on `set`; arguments as those of [`ContactSet::solve`](crate::contact_set::ContactSet::solve).
    pub(crate) fn solve(
        &mut self,
        (set, laws): (&[usize], &ContactLaws),
        lcp: &mut ActiveSet,
        (matrix, offset): (impl Fn(usize, usize) -> f64, impl Fn(usize) -> f64),
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        let finest = set.iter().filter_map(|&c| laws.of(c).facets).max().unwrap_or(0);
        self.contacts.clear();
        let mut size = 0;
        for &contact in set {
            let facets = Facets::new(laws, contact, (finest, size));
            size += facets.unknowns();
            self.contacts.push(facets);
        }
        self.fill(laws, (&matrix, &offset), out.len());
        self.unknowns.clear();
        self.unknowns.extend(0..size);
        lcp.solve(&self.unknowns, |row, column| self.matrix[column * size + row], |row| self.offset[row])?;
        for facets in &self.contacts {
            write(laws, facets, &lcp.values()[facets.first..], out);
        }
        Ok(())
    }

    fn fill(
        &mut self,
        laws: &ContactLaws,
        (matrix, offset): (&impl Fn(usize, usize) -> f64, &impl Fn(usize) -> f64),
        rows: usize,
    ) {
        let Self { contacts, matrix: entries, offset: start, unit, .. } = self;
        start.clear();
        for facets in contacts.iter() {
            let normal = offset(facets.contact);
            push_answers(facets, (normal, slip(laws, facets, offset)), None, start);
        }
        entries.clear();
        for own in contacts.iter() {
            for k in 0..own.unknowns() {
                unit.clear();
                unit.resize(rows, 0.0);
                let z = |j: usize| if j == k { 1.0 } else { 0.0 };
                write_values(
                    laws,
                    own,
                    (z(0), Vector2::new(z(1), if own.tangents > 1 { z(2) } else { 0.0 })),
                    unit,
                );
                let rate = |row: usize| {
                    loaded(laws, own).map(|column| matrix(row, column) * unit[column]).sum::<f64>()
                };
                for facets in contacts.iter() {
                    let moved = (rate(facets.contact), slip(laws, facets, &rate));
                    let own_unit = (facets.first == own.first).then_some(k);
                    push_answers(facets, moved, own_unit, entries);
                }
            }
        }
    }
}

/// The rows of a contact.
fn loaded(laws: &ContactLaws, facets: &Facets) -> impl Iterator<Item = usize> + use<> {
    std::iter::once(facets.contact).chain(laws.slips(facets.contact))
}

/// Slip of a contact from its rows.
fn slip(laws: &ContactLaws, facets: &Facets, rate: &impl Fn(usize) -> f64) -> Vector2<f64> {
    let mut out = Vector2::zeros();
    laws.slips(facets.contact).zip(out.iter_mut()).for_each(|(row, x)| *x = rate(row));
    out
}

/// Appends `u_N, k_C, σ_R` of a contact for these rates, and for one unit of its unknown `unit`, if it is given.
fn push_answers(
    facets: &Facets,
    (normal, slip): (f64, Vector2<f64>),
    unit: Option<usize>,
    answers: &mut Vec<f64>,
) {
    answers.push(normal);
    let z = |j: usize| if unit == Some(j) { 1.0 } else { 0.0 };
    let basis = facets.basis().count();
    let mut sum = slip;
    for (j, i) in facets.rest().enumerate() {
        sum += facets.direction(i) * z(1 + basis + j);
    }
    let multipliers = -(facets.inverse * sum);
    answers.extend(multipliers.iter().take(basis));
    let slack = Vector2::new(if basis > 0 { z(1) } else { 0.0 }, if basis > 1 { z(2) } else { 0.0 });
    let tangential = facets.tangential(z(0), slack);
    for i in facets.rest() {
        answers.push(facets.friction * z(0) - facets.direction(i).dot(&tangential));
    }
}

/// Writes the impulses of a contact from its unknowns.
fn write(laws: &ContactLaws, facets: &Facets, z: &[f64], out: &mut [f64]) {
    let basis = facets.basis().count();
    let slack = Vector2::new(if basis > 0 { z[1] } else { 0.0 }, if basis > 1 { z[2] } else { 0.0 });
    write_values(laws, facets, (z[0], slack), out);
}

fn write_values(laws: &ContactLaws, facets: &Facets, (normal, slack): (f64, Vector2<f64>), out: &mut [f64]) {
    out[facets.contact] = normal;
    if facets.count > 0 {
        let tangential = facets.tangential(normal, slack);
        laws.slips(facets.contact).zip(tangential.iter()).for_each(|(row, p)| out[row] = *p);
    }
}
