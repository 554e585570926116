//! Charts of modes: shapes, and frequencies over the speed.

use cosimo::results::{Chart, ChartCurve, ChartGuide, ChartPanel, Quantity};

use super::shape::{DIRECTIONS, direction, drawn};
use super::solve::{Placed, Vibrations};

/// Part of the largest increment from which a direction is drawn.
const SEEN: f64 = 0.02;
/// Multiples of the speed that are drawn.
const MULTIPLES: u32 = 8;

fn quantity(name: &str, unit: &str) -> Quantity {
    Quantity { name: name.to_owned(), unit: unit.to_owned() }
}

/// A panel for every mode: what moves in which direction, along the bodies.
pub(super) fn shapes(title: &str, own: &Vibrations) -> Chart {
    let along = way_along(&own.bodies);
    let panel = |(number, mode): (usize, _)| {
        let lengths = drawn(mode, &own.masses);
        let curve = |direction: usize| ChartCurve {
            name: DIRECTIONS[direction].to_owned(),
            style: direction,
            points: along.iter().zip(&lengths).map(|(x, of)| [*x, of[direction]]).collect(),
            is_scattered: false,
        };
        let is_seen = |direction: &usize| lengths.iter().any(|of| of[*direction].abs() >= SEEN);
        ChartPanel {
            heading: format!("mode {}: {:.4} Hz", number + 1, mode.frequency()),
            y: quantity("shape", ""),
            least_range: [-1.0, 1.0],
            curves: (0..6).filter(is_seen).map(curve).collect(),
            guides: Vec::new(),
        }
    };
    Chart {
        title: format!("{title}, modes at {} rad/s", own.speed),
        x: quantity("way along the bodies", "m"),
        is_x_logarithmic: false,
        panels: own.modes.iter().enumerate().map(panel).collect(),
    }
}

/// The way (m) from the first body over all others to each, in their order.
fn way_along(bodies: &[Placed]) -> Vec<f64> {
    let steps = bodies.windows(2).map(|pair| (pair[1].position - pair[0].position).norm());
    let mut displacement = 0.0;
    let ends = steps.map(|step| {
        displacement += step;
        displacement
    });
    std::iter::once(0.0).chain(ends).take(bodies.len()).collect()
}

/// Frequencies over the speed, with multiples of the speed.
pub(super) fn fan(title: &str, found: &[Vibrations], tracks: &[Vec<usize>]) -> Chart {
    let count = tracks.iter().flatten().max().map_or(0, |last| last + 1);
    let curve = |track: usize| {
        let mut kind = "";
        let mut points = Vec::new();
        for (own, tracks) in found.iter().zip(tracks) {
            if let Some(number) = tracks.iter().position(|of| *of == track) {
                points.push([own.speed, own.modes[number].frequency()]);
                kind = direction(&own.modes[number], &own.masses);
            }
        }
        ChartCurve { name: format!("{}: {kind}", track + 1), style: track, points, is_scattered: false }
    };
    let per_speed = 0.5 * std::f64::consts::FRAC_1_PI;
    let guide = |n: u32| ChartGuide { name: format!("{n}/rev"), slope: f64::from(n) * per_speed };
    let is_forward = found.iter().all(|own| own.speed >= 0.0);
    let panel = ChartPanel {
        heading: String::new(),
        y: quantity("frequency", "Hz"),
        least_range: [0.0; 2],
        curves: (0..count).map(curve).collect(),
        guides: if is_forward { (1..=MULTIPLES).map(guide).collect() } else { Vec::new() },
    };
    Chart {
        title: title.to_owned(),
        x: quantity("speed", "rad/s"),
        is_x_logarithmic: false,
        panels: vec![panel],
    }
}
