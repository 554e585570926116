//! Surfaces of revolution about `z`.

use std::f64::consts::{PI, TAU};

use super::triangles::Surface;

/// Corners of a circle.
const AROUND: usize = 24;
/// Rings of half a ball.
const RINGS: usize = 6;

/// A circle of a surface of revolution: radius, height, and the normal outwards and upwards.
type Ring = [f64; 4];

/// Strips of rings, each smooth in itself.
type Profile = Vec<Vec<Ring>>;

pub(super) fn ball(radius: f64) -> Surface {
    turned(&[[lower_half(radius, 0.0), upper_half(radius, 0.0)].concat()])
}

pub(super) fn cylinder(radius: f64, length: f64) -> Surface {
    turned(&shaft(radius, [-0.5 * length, 0.5 * length]))
}

pub(super) fn capsule(radius: f64, length: f64) -> Surface {
    turned(&[[lower_half(radius, -0.5 * length), upper_half(radius, 0.5 * length)].concat()])
}

/// An arrow from the origin along `z`; the head is as long as six radii of the shaft, or half of the arrow.
pub(super) fn arrow(radius: f64, length: f64) -> Surface {
    let head = (6.0 * radius).min(0.5 * length);
    let (neck, width) = (length - head, 2.0 * radius);
    let mut profile = shaft(radius, [0.0, neck]);
    profile.pop();
    let slope = width.hypot(head);
    let normal = if slope > 0.0 { [head / slope, width / slope] } else { [1.0, 0.0] };
    profile.push(vec![[radius, neck, 0.0, -1.0], [width, neck, 0.0, -1.0]]);
    profile.push(vec![[width, neck, normal[0], normal[1]], [0.0, length, normal[0], normal[1]]]);
    turned(&profile)
}

/// A cylinder between two heights with its ends.
fn shaft(radius: f64, [low, high]: [f64; 2]) -> Profile {
    vec![
        vec![[0.0, low, 0.0, -1.0], [radius, low, 0.0, -1.0]],
        vec![[radius, low, 1.0, 0.0], [radius, high, 1.0, 0.0]],
        vec![[radius, high, 0.0, 1.0], [0.0, high, 0.0, 1.0]],
    ]
}

fn lower_half(radius: f64, height: f64) -> Vec<Ring> {
    (0..=RINGS).map(|ring| arc(radius, height, ring as f64 / RINGS as f64 - 1.0)).collect()
}

fn upper_half(radius: f64, height: f64) -> Vec<Ring> {
    (0..=RINGS).map(|ring| arc(radius, height, ring as f64 / RINGS as f64)).collect()
}

/// A ring of a ball, from the lower pole at −1 to the upper one at 1.
fn arc(radius: f64, height: f64, place: f64) -> Ring {
    let (sin, cos) = (0.5 * PI * place).sin_cos();
    let cos = if place.abs() < 1.0 { cos } else { 0.0 };
    [radius * cos, height + radius * sin, cos, sin]
}

/// Turns strips about `z`.
fn turned(profile: &[Vec<Ring>]) -> Surface {
    let mut surface = Surface::default();
    for strip in profile {
        let first = surface.points.len();
        for [radius, height, out, up] in strip {
            for corner in 0..AROUND {
                let (sin, cos) = (TAU * corner as f64 / AROUND as f64).sin_cos();
                surface.points.push([radius * cos, radius * sin, *height]);
                surface.normals.push([out * cos, out * sin, *up]);
            }
        }
        add_triangles(&mut surface, first, strip);
    }
    surface
}

/// The triangles between the rings of a strip, whose points begin with the `first`.
fn add_triangles(surface: &mut Surface, first: usize, strip: &[Ring]) {
    for (ring, pair) in strip.windows(2).enumerate() {
        let corner = |ring: usize, corner: usize| (first + ring * AROUND + corner % AROUND) as u32;
        for k in 0..AROUND {
            let below = [corner(ring, k), corner(ring, k + 1)];
            let above = [corner(ring + 1, k), corner(ring + 1, k + 1)];
            if pair[0][..2] == pair[1][..2] {
                continue;
            }
            if pair[0][0] > 0.0 {
                surface.triangles.push([below[0], below[1], above[1]]);
            }
            if pair[1][0] > 0.0 {
                surface.triangles.push([below[0], above[1], above[0]]);
            }
        }
    }
}
