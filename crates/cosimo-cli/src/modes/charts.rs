//! Charts of modes: shapes, and frequencies over the speed.

use cosimo::multibody::modes::Mode;
use cosimo::nalgebra::Complex;
use cosimo::results::{Chart, ChartCurve, ChartGuide, ChartPanel, Quantity};

use super::blades::Blade;
use super::blades::Placed;
use super::pattern::{in_axes, named};
use super::shape::{DIRECTIONS, direction, drawn};
use super::vibrations::Vibrations;

/// Part of the largest increment from which a direction is drawn.
const SEEN: f64 = 0.02;
/// Multiples of the speed that are drawn.
const MULTIPLES: u32 = 8;

fn quantity(name: &str, unit: &str) -> Quantity {
    Quantity { name: name.to_owned(), unit: unit.to_owned() }
}

/// A panel for every mode: what moves in which direction, along the bodies, or along every blade.
pub(super) fn shapes(title: &str, own: &Vibrations) -> Chart {
    let along = way_along(&own.bodies);
    let panel = |(number, mode): (usize, &Mode)| ChartPanel {
        heading: heading(own, number, mode),
        y: quantity("shape", ""),
        least_range: [-1.0, 1.0],
        curves: if own.blades.is_empty() { in_a_row(own, mode, &along) } else { by_blade(own, mode) },
        guides: Vec::new(),
    };
    let x = if own.blades.is_empty() { "way along the bodies" } else { "radius" };
    Chart {
        title: format!("{title}, modes at {} rad/s", own.speed),
        x: quantity(x, "m"),
        is_x_logarithmic: false,
        panels: own.modes.iter().enumerate().map(panel).collect(),
    }
}

fn heading(own: &Vibrations, number: usize, mode: &Mode) -> String {
    let named = named(own, mode);
    let order = named.order.map_or("", |order| order.name());
    let kind = format!("{} {order}", named.kind);
    format!("mode {}: {:.4} Hz {}", number + 1, mode.frequency(), kind.trim()).trim_end().to_owned()
}

/// A curve for every direction over all bodies in their order.
fn in_a_row(own: &Vibrations, mode: &Mode, along: &[f64]) -> Vec<ChartCurve> {
    let lengths = drawn(mode, &own.masses);
    let curve = |direction: usize| ChartCurve {
        name: DIRECTIONS[direction].to_owned(),
        style: direction,
        points: along.iter().zip(&lengths).map(|(x, of)| [*x, of[direction]]).collect(),
        is_scattered: false,
    };
    let is_seen = |direction: &usize| lengths.iter().any(|of| of[*direction].abs() >= SEEN);
    (0..6).filter(is_seen).map(curve).collect()
}

/// Directions of a blade: displacements outwards, with the turn and along its axis, and the rotation about the span.
const OF_BLADE: [&str; 4] = ["stretch", "lag", "flap", "torsion"];

/// A curve for every direction of every blade over the radius, at the instant at which the largest is largest.
fn by_blade(own: &Vibrations, mode: &Mode) -> Vec<ChartCurve> {
    // Energies over masses: lengths, and rotations times the radius of gyration.
    let of_body = |blade: &Blade, body: usize| {
        let scale = own.masses[6 * body].sqrt();
        let [outwards, with, along, about, ..] =
            in_axes(own, mode, body, &blade.axes).map(|part| part / scale);
        [outwards, with, along, about]
    };
    let all = own.blades.iter().flat_map(|blade| blade.bodies.iter().flat_map(|body| of_body(blade, *body)));
    let largest = all.max_by(|a, b| a.norm().total_cmp(&b.norm()));
    let scale = largest.filter(|x| x.norm() > 0.0).unwrap_or(Complex::new(1.0, 0.0));
    let mut curves = Vec::new();
    for (number, name) in OF_BLADE.iter().enumerate() {
        for blade in &own.blades {
            let radius = |body: usize| own.bodies[body].position.dot(&blade.axes[0]);
            let point = |body: &usize| [radius(*body), (of_body(blade, *body)[number] / scale).re];
            let mut points: Vec<[f64; 2]> = blade.bodies.iter().map(point).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            curves.push(ChartCurve {
                name: format!("{name} {}", blade.number),
                style: 0,
                points,
                is_scattered: false,
            });
        }
    }
    let is_seen = |curve: &ChartCurve| curve.points.iter().any(|point| point[1].abs() >= SEEN);
    curves.retain(is_seen);
    curves.iter_mut().enumerate().for_each(|(style, curve)| curve.style = style);
    curves
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

/// Frequencies over the speed, with multiples of the speed; where modes have patterns about the axis, those in axes that do not turn
/// below.
pub(super) fn fan(title: &str, found: &[Vibrations], tracks: &[Vec<usize>]) -> Chart {
    let turning = frequencies(found, tracks, |_, mode| Some(mode.frequency()));
    let fixed = frequencies(found, tracks, |own, mode| match own.speed == 0.0 {
        true => Some(mode.frequency()),
        false => named(own, mode).fixed,
    });
    let has_blades = found.iter().any(|own| !own.blades.is_empty());
    let in_axes = |heading: &str, curves: Vec<ChartCurve>| ChartPanel {
        heading: if has_blades { heading.to_owned() } else { String::new() },
        y: quantity("frequency", "Hz"),
        least_range: [0.0; 2],
        curves,
        guides: multiples(found),
    };
    let mut panels = vec![in_axes("in axes that turn", turning)];
    if has_blades {
        panels.push(in_axes("in axes that do not turn", fixed));
    }
    Chart { title: title.to_owned(), x: quantity("speed", "rad/s"), is_x_logarithmic: false, panels }
}

/// A curve for every track.
fn frequencies(
    found: &[Vibrations],
    tracks: &[Vec<usize>],
    of: impl Fn(&Vibrations, &Mode) -> Option<f64>,
) -> Vec<ChartCurve> {
    let count = tracks.iter().flatten().max().map_or(0, |last| last + 1);
    let curve = |track: usize| {
        let (mut name, mut points) = (String::new(), Vec::new());
        for (own, tracks) in found.iter().zip(tracks) {
            if let Some(number) = tracks.iter().position(|of| *of == track) {
                let mode = &own.modes[number];
                points.extend(of(own, mode).map(|frequency| [own.speed, frequency]));
                name = kind(own, mode);
            }
        }
        ChartCurve { name: format!("{}: {name}", track + 1), style: track, points, is_scattered: false }
    };
    (0..count).map(curve).collect()
}

/// What a mode of blades is, or along what most of any other moves.
fn kind(own: &Vibrations, mode: &Mode) -> String {
    let named = named(own, mode);
    let order = named.order.map_or("", |order| order.name());
    match named.kind {
        "" => direction(mode, &own.masses).to_owned(),
        kind => format!("{kind} {order}").trim_end().to_owned(),
    }
}

/// Multiples of the speed.
fn multiples(found: &[Vibrations]) -> Vec<ChartGuide> {
    let per_speed = 0.5 * std::f64::consts::FRAC_1_PI;
    let guide = |n: u32| ChartGuide { name: format!("{n}/rev"), slope: f64::from(n) * per_speed };
    let is_forward = found.iter().all(|own| own.speed >= 0.0);
    if is_forward { (1..=MULTIPLES).map(guide).collect() } else { Vec::new() }
}
