//! The rows of gears in the equations of motion, behind those of the joints.

use cosimo_dynamics::{Level, MatrixSink, Motion};

use super::blocks::{give_blocks, scatter};
use super::coordinate::Coordinate;
use super::gear::SideRow;
use super::system::SpatialSystem;

impl SpatialSystem {
    /// Adds what the multipliers of the gears do.
    pub(super) fn add_gear_reactions(&self, q: &[f64], mu: &[f64], out: &mut [f64]) {
        for gear in &self.gears {
            for (bodies, mut part) in gear.gradient(&gear.at(&self.sensors, q, &[])) {
                part.0.iter_mut().for_each(|own| *own *= mu[gear.row]);
                scatter(bodies, &part, out);
            }
        }
    }

    /// Writes the constraints of the gears at this level.
    pub(super) fn gear_constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        for gear in &self.gears {
            let meshing = gear.at(&self.sensors, motion.q, motion.v);
            out[gear.row] = match level {
                Level::Position => meshing.error,
                Level::Velocity => meshing.rate(),
                Level::Acceleration => gear.acceleration(&meshing, motion.q, a),
            };
        }
    }

    /// Gives the derivatives of what the multipliers of the gears do.
    pub(super) fn gear_tangents(&self, q: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        for gear in self.gears.iter().filter(|gear| mu.get(gear.row).is_some_and(|mu| *mu != 0.0)) {
            for (bodies, part) in gear.stiffness(&gear.at(&self.sensors, q, &[]), mu[gear.row]) {
                give_blocks(bodies, &part, |i, j, block| sink.stiffness(i, j, block));
            }
        }
    }

    /// Gives the rows of the gears, or of their rates where there are velocities, body by body.
    pub(super) fn give_gear_rows(
        &self,
        q: &[f64],
        rates: Option<&[f64]>,
        mut give: impl FnMut(usize, usize, &[f64]),
    ) {
        for (number, gear) in self.gears.iter().enumerate() {
            let meshing = gear.at(&self.sensors, q, rates.unwrap_or_default());
            let parts = if rates.is_some() { gear.rate_gradient(&meshing) } else { gear.gradient(&meshing) };
            give_row(&parts, |body, row| give(self.joints.len() + number, body, row));
        }
    }

    /// `φ`, `φ̇` and `φ̈` of the gear of this number.
    pub(super) fn gear_levels(&self, gear: usize, motion: Motion<'_>, a: &[f64]) -> [f64; 3] {
        let gear = &self.gears[gear];
        let meshing = gear.at(&self.sensors, motion.q, motion.v);
        [meshing.error, meshing.rate(), gear.acceleration(&meshing, motion.q, a)]
    }

    /// Names of the gears, in the order of their constraint blocks, which are behind those of the joints.
    pub fn gear_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.gears.iter().map(|gear| gear.name.as_str())
    }

    /// Units of the loads on the second coordinates of the gears, in their order.
    pub fn gear_units(&self) -> impl Iterator<Item = &'static str> {
        self.gears.iter().map(|gear| unit_of_load(&gear.sides[1]))
    }

    /// The load (N or N m) of a gear on its second coordinate.
    #[must_use]
    pub fn gear_load(&self, gear: usize, mu: &[f64]) -> Option<f64> {
        mu.get(self.gears.get(gear)?.row).map(|mu| -mu)
    }
}

fn unit_of_load(coordinate: &Coordinate) -> &'static str {
    if coordinate.is_angle() { "N m" } else { "N" }
}

/// Gives the parts of a row body by body, one after the other where both sides have the same body.
fn give_row(parts: &[SideRow; 2], mut give: impl FnMut(usize, &[f64])) {
    let mut given = [None; 4];
    for (place, body) in parts.iter().flat_map(|(bodies, _)| *bodies).enumerate() {
        let Some(body) = body.filter(|body| !given.contains(&Some(*body))) else { continue };
        given[place] = Some(body);
        let mut row = [0.0; 6];
        for (bodies, part) in parts {
            for (k, _) in bodies.iter().enumerate().filter(|(_, own)| **own == Some(body)) {
                for j in 0..3 {
                    row[j] += part.0[2 * k][j];
                    row[3 + j] += part.0[2 * k + 1][j];
                }
            }
        }
        give(body, &row);
    }
}
