//! Point masses on a line with springs between them.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, MatrixSink, Motion, Structure,
};
use cosimo_mechanics::Energy;

/// A linear spring and damper between two masses, or from a mass to the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Its masses; `None` is the ground.
    pub ends: (usize, Option<usize>),
    /// Stiffness (N/m) and damping (N s/m).
    pub stiffness: f64,
    /// Damping (N s/m).
    pub damping: f64,
}

/// A force `A sin(ω t)` on a mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HarmonicForce {
    /// The mass.
    pub mass: usize,
    /// `A` (N).
    pub amplitude: f64,
    /// `ω` (rad/s).
    pub frequency: f64,
}

/// Point masses on a line, springs that are free where coordinates are equal (or zero, to the ground), constant and harmonic forces:
/// a sparse linear system, one block of coordinates a mass.
#[derive(Debug, Clone, PartialEq)]
pub struct MassesAndSprings {
    masses: Vec<f64>,
    springs: Vec<Spring>,
    forces: Vec<f64>,
    harmonics: Vec<HarmonicForce>,
    structure: Structure,
}

impl MassesAndSprings {
    /// Free masses (kg).
    #[must_use]
    pub fn new(masses: Vec<f64>) -> Self {
        let blocks = masses.iter().map(|_| CoordinateBlock::Flat(1));
        let structure = Structure::new(Coordinates::new(blocks));
        let forces = vec![0.0; masses.len()];
        Self { masses, springs: Vec::new(), forces, harmonics: Vec::new(), structure }
    }

    /// A chain of equal masses (kg) with equal springs (N/m) between neighbours.
    #[must_use]
    pub fn chain(count: usize, mass: f64, stiffness: f64) -> Self {
        let springs = (1..count).map(|i| Spring { ends: (i - 1, Some(i)), stiffness, damping: 0.0 });
        springs.fold(Self::new(vec![mass; count]), Self::with_spring)
    }

    /// Adds a spring.
    #[must_use]
    pub fn with_spring(mut self, spring: Spring) -> Self {
        if let (a, Some(b)) = spring.ends {
            self.structure = self.structure.with_coupling(a, b);
        }
        self.springs.push(spring);
        self
    }

    /// Sets the constant force (N) on a mass.
    #[must_use]
    pub fn with_force(mut self, mass: usize, force: f64) -> Self {
        self.forces[mass] = force;
        self
    }

    /// Adds a harmonic force.
    #[must_use]
    pub fn with_harmonic(mut self, force: HarmonicForce) -> Self {
        self.harmonics.push(force);
        self
    }

    /// Sets a mass (kg).
    #[must_use]
    pub fn with_mass(mut self, index: usize, mass: f64) -> Self {
        self.masses[index] = mass;
        self
    }

    fn stretch(ends: (usize, Option<usize>), x: &[f64]) -> f64 {
        x[ends.0] - ends.1.map_or(0.0, |other| x[other])
    }
}

impl ConstrainedSystem for MassesAndSprings {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn balance(&self, Motion { t, q, v }: Motion<'_>, a: &[f64], _mu: &[f64], out: &mut [f64]) {
        for i in 0..out.len() {
            out[i] = self.masses[i] * a[i] - self.forces[i];
        }
        for HarmonicForce { mass, amplitude, frequency } in &self.harmonics {
            out[*mass] -= amplitude * (frequency * t).sin();
        }
        for Spring { ends, stiffness, damping } in &self.springs {
            let force = stiffness * Self::stretch(*ends, q) + damping * Self::stretch(*ends, v);
            out[ends.0] += force;
            if let Some(other) = ends.1 {
                out[other] -= force;
            }
        }
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(x.iter().zip(&self.masses)).for_each(|(out, (x, mass))| *out = mass * x);
    }

    fn add_reactions(&self, _t: f64, _q: &[f64], _mu: &[f64], _out: &mut [f64]) {}

    fn constraints(&self, _level: Level, _motion: Motion<'_>, _a: &[f64], _out: &mut [f64]) {}

    fn tangents(&self, motion: Motion<'_>, _a: &[f64], _mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(motion.q, sink);
        for Spring { ends: (a, b), stiffness, damping } in &self.springs {
            let mut give = |row, column, sign: f64| {
                sink.stiffness(row, column, &[sign * stiffness]);
                if *damping != 0.0 {
                    sink.damping(row, column, &[sign * damping]);
                }
            };
            give(*a, *a, 1.0);
            if let Some(b) = *b {
                give(b, b, 1.0);
                give(*a, b, -1.0);
                give(b, *a, -1.0);
            }
        }
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        self.masses.iter().enumerate().for_each(|(i, mass)| sink.mass(i, &[*mass]));
    }

    fn jacobian(&self, _t: f64, _q: &[f64], _sink: &mut dyn MatrixSink) {}

    fn rate_gradient(&self, _motion: Motion<'_>, _sink: &mut dyn MatrixSink) {}

    fn is_linear(&self) -> bool {
        true
    }

    fn energy(&self, Motion { q, v, .. }: Motion<'_>) -> Energy {
        let kinetic = self.masses.iter().zip(v).map(|(mass, v)| 0.5 * mass * v * v).sum();
        let springs =
            self.springs.iter().map(|spring| 0.5 * spring.stiffness * Self::stretch(spring.ends, q).powi(2));
        let forces = self.forces.iter().zip(q).map(|(force, q)| -force * q);
        Energy { kinetic, potential: springs.chain(forces).sum() }
    }

    fn dissipated_power(&self, Motion { v, .. }: Motion<'_>) -> f64 {
        self.springs.iter().map(|spring| spring.damping * Self::stretch(spring.ends, v).powi(2)).sum()
    }

    fn external_power(&self, Motion { t, v, .. }: Motion<'_>) -> f64 {
        let power = |force: &HarmonicForce| force.amplitude * (force.frequency * t).sin() * v[force.mass];
        self.harmonics.iter().map(power).sum()
    }
}
