//! Sections of beams: stiffness, and inertia per length.

use nalgebra::{Matrix2, Matrix3, Matrix6, Rotation3, Vector2, Vector3};
use serde::Serialize;

use super::super::element::SpatialInertia;
use super::screw::blocks;

/// Stiffness of a section by its principal numbers and centres. Axes of the section: `x` along the beam, `y` and `z` across;
/// centres are in metres from the reference line, whose strains the section law takes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct SectionStiffness {
    /// `EA` (N).
    pub axial: f64,
    /// `GA` along `y` and `z` (N), shear correction included.
    pub shear: [f64; 2],
    /// `GJ` (N m²).
    pub torsion: f64,
    /// `EI` of bending about `y` and about `z` (N m²), about the tension centre.
    pub bending: [f64; 2],
    /// Angle (rad) about `x` from `y` to the principal axis of bending about which the first `EI` is; shear follows it.
    pub principal_angle: f64,
    /// Where a pull does not bend.
    pub tension_centre: [f64; 2],
    /// Where a transverse force does not twist.
    pub shear_centre: [f64; 2],
}

impl SectionStiffness {
    /// A section whose centres are on the reference line.
    #[must_use]
    pub fn new(axial: f64, shear: [f64; 2], torsion: f64, bending: [f64; 2]) -> Self {
        let zero = [0.0; 2];
        Self {
            axial,
            shear,
            torsion,
            bending,
            principal_angle: 0.0,
            tension_centre: zero,
            shear_centre: zero,
        }
    }

    /// The section law `K = Bᵀ diag(EA, GA_y, GA_z, GJ, EI_y, EI_z) B`, stress resultants by strains at the reference line:
    ///
    /// ```text
    ///   γx + κy z_t − κz y_t     stretch at the tension centre        κx
    ///   γy − κx z_s              shear at the shear centre            κy
    ///   γz + κx y_s                                                   κz
    /// ```
    #[must_use]
    pub fn matrix(&self) -> Matrix6<f64> {
        let ([yt, zt], [ys, zs]) = (self.tension_centre, self.shear_centre);
        let mut b = Matrix6::identity();
        (b[(0, 4)], b[(0, 5)], b[(1, 3)], b[(2, 3)]) = (zt, -yt, -zs, ys);
        let [gy, gz] = self.shear;
        let [ey, ez] = self.bending;
        let diagonal = [self.axial, gy, gz, self.torsion, ey, ez];
        let about_principal = turned(&Matrix6::from_diagonal(&diagonal.into()), self.principal_angle);
        b.transpose() * about_principal * b
    }
}

/// A section law whose section is turned by this angle about `x`.
pub(super) fn turned(law: &Matrix6<f64>, angle: f64) -> Matrix6<f64> {
    if angle == 0.0 {
        return *law;
    }
    let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), angle).into_inner();
    let both = blocks([[turn, Matrix3::zeros()], [Matrix3::zeros(), turn]]);
    both * law * both.transpose()
}

/// Inertia of a section per length, about the reference line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionInertia {
    /// Mass per length (kg/m).
    pub mass: f64,
    /// Centre of mass `(y, z)` (m).
    pub centre: Vector2<f64>,
    /// `∫ r rᵀ dm` per length with `r = (y, z)` from the reference line (kg m). A thin section along `y` has the first entry
    /// alone: its inertia about `x` and about `z` is the same, that about `y` zero, which gives the propeller moment.
    pub second_moment: Matrix2<f64>,
}

impl SectionInertia {
    /// A section without extent across, its mass on the reference line.
    #[must_use]
    pub fn line(mass: f64) -> Self {
        Self { mass, centre: Vector2::zeros(), second_moment: Matrix2::zeros() }
    }

    /// Least eigenvalue of the second moment about the centre of mass (kg m); not negative for a distribution of mass.
    #[must_use]
    pub fn least_central_moment(&self) -> f64 {
        let central = self.second_moment - self.centre * self.centre.transpose() * self.mass;
        central.symmetric_eigenvalues().min()
    }

    /// Mass and moments of a slice of this length (m) about the reference line, in the section's axes.
    pub(super) fn slice(&self, length: f64) -> SpatialInertia {
        let second = self.second_moment * length;
        let [yy, zz, yz] = [second[(0, 0)], second[(1, 1)], second[(0, 1)]];
        SpatialInertia {
            mass: self.mass * length,
            first_moment: Vector3::new(0.0, self.centre.x, self.centre.y) * (self.mass * length),
            about_origin: Matrix3::new(yy + zz, 0.0, 0.0, 0.0, zz, -yz, 0.0, -yz, yy),
        }
    }
}

/// A section at one station.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Section law in the axes of the section (N, N m, N m²).
    pub stiffness: Matrix6<f64>,
    /// Inertia per length in the axes of the section.
    pub inertia: SectionInertia,
    /// Angle (rad) about `x` from the reference axes to those of the section.
    pub twist: f64,
}

/// Sections along a beam by the station `s` (m).
pub trait SectionLaw: Send + Sync + std::fmt::Debug {
    /// The section at a station; between two [`breaks`](Self::breaks) it is smooth, and it is not asked for at them.
    fn at(&self, station: f64) -> Section;

    /// Twist (rad) at any station; it must not jump.
    fn twist(&self, station: f64) -> f64;

    /// Stations where sections jump or have a kink, in any order.
    fn breaks(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// The same section all along.
impl SectionLaw for Section {
    fn at(&self, _station: f64) -> Section {
        *self
    }

    fn twist(&self, _station: f64) -> f64 {
        self.twist
    }
}
