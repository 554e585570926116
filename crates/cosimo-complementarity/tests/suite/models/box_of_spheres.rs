//! Steps of spheres in a box, as stored in `tests/reference/spheres`.

#![allow(dead_code, reason = "tests and benches use their own shares")]
#![expect(clippy::unwrap_used, reason = "a file that cannot be read must stop the test")]

use std::io::Read;

use cosimo_complementarity::friction::{BodyDelassus, ContactArm, FrictionProblem};
use nalgebra::{Matrix6, SMatrix, Vector3, Vector6};

const RADIUS: f64 = 0.05;

/// One step of spheres in a box, as `tests/reference/README.md` describes it.
pub(crate) struct BoxOfSpheres {
    pub(crate) delassus: BodyDelassus<3, 6>,
    /// Contact velocities without impulses (m/s).
    pub(crate) offset: Vec<f64>,
    pub(crate) friction: Vec<f64>,
}

impl BoxOfSpheres {
    /// The step that the file of this name describes.
    pub(crate) fn read(name: &str) -> Self {
        let path = format!("{}/tests/reference/spheres/{name}.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let mut lines = text.lines();
        let head: Vec<f64> = numbers(lines.next().unwrap());
        let (linear, angular) = (head[1], head[2]);
        let inverse =
            Matrix6::from_diagonal(&Vector6::new(linear, linear, linear, angular, angular, angular));
        let (mut arms, mut offset) = (Vec::new(), Vec::new());
        for line in lines {
            let mut words = line.splitn(3, ' ');
            let bodies = [words.next().unwrap().parse().ok(), words.next().unwrap().parse().ok()];
            let numbers = numbers(words.next().unwrap());
            let normal = Vector3::from_column_slice(&numbers[..3]).normalize();
            let sides = bodies.into_iter().zip([1.0, -1.0]);
            arms.push(sides.filter_map(|(body, sign)| Some(arm(body?, sign, &normal))).collect());
            offset.extend_from_slice(&numbers[3..]);
        }
        let friction = vec![head[3]; arms.len()];
        let delassus = BodyDelassus::new(&vec![inverse; head[0] as usize], arms).unwrap();
        Self { delassus, offset, friction }
    }

    pub(crate) fn problem(&self) -> FrictionProblem<'_, 3> {
        FrictionProblem::new(&self.delassus, &self.offset, &self.friction).unwrap()
    }
}

fn numbers(line: &str) -> Vec<f64> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}

/// Rows of a sphere on whose side of the contact the normal points.
fn arm(body: usize, sign: f64, normal: &Vector3<f64>) -> ContactArm<3, 6> {
    let across = if normal.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&across).normalize();
    let (arm, mut rows) = (-sign * RADIUS * normal, SMatrix::<f64, 3, 6>::zeros());
    for (k, direction) in [*normal, first, normal.cross(&first)].iter().enumerate() {
        rows.fixed_view_mut::<1, 3>(k, 0).copy_from(&(direction * sign).transpose());
        rows.fixed_view_mut::<1, 3>(k, 3).copy_from(&(arm.cross(direction) * sign).transpose());
    }
    ContactArm { body, rows }
}
