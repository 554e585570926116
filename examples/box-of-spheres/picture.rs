//! The pile as a picture, seen from the front and above.

use std::fmt::Write;

use nalgebra::Vector3;

use super::pile::{Pile, RADIUS};

/// Pixels a metre.
const SCALE: f64 = 520.0;

/// Where a point is seen (pixels to the right and down), and how near it is.
fn project(p: &Vector3<f64>) -> (f64, f64, f64) {
    let (turn, tilt) = (0.6_f64, 0.45_f64);
    let (right, back) = (p.x * turn.cos() - p.y * turn.sin(), p.x * turn.sin() + p.y * turn.cos());
    let down = -(p.z * tilt.cos() + back * tilt.sin());
    (SCALE * right, SCALE * down, p.z * tilt.sin() - back * tilt.cos())
}

/// An SVG of the box and its spheres; what lies further back is drawn first.
pub(crate) fn draw(pile: &Pile, caption: &str) -> String {
    let height = pile.centres.iter().fold(pile.side, |top, c| top.max(c.z + RADIUS));
    let corner = |i: usize| {
        let at = |bit: usize, size: f64| if i >> bit & 1 == 1 { size } else { 0.0 };
        project(&Vector3::new(at(0, pile.side), at(1, pile.side), at(2, height)))
    };
    let seen: Vec<_> = (0..8).map(corner).collect();
    let least = |of: fn(&(f64, f64, f64)) -> f64| seen.iter().map(of).fold(f64::INFINITY, f64::min) - 20.0;
    let most = |of: fn(&(f64, f64, f64)) -> f64| seen.iter().map(of).fold(f64::NEG_INFINITY, f64::max) + 20.0;
    let (left, top) = (least(|p| p.0), least(|p| p.1));
    let (width, depth) = (most(|p| p.0) - left, most(|p| p.1) - top + 30.0);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} {top:.0} {width:.0} {depth:.0}\" \
         width=\"{width:.0}\" height=\"{depth:.0}\">\n<rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"100%\" \
         height=\"100%\" fill=\"white\"/>\n<defs><radialGradient id=\"ball\" cx=\"0.35\" cy=\"0.3\" r=\"0.75\">\
         <stop offset=\"0\" stop-color=\"#f7f2e8\"/><stop offset=\"0.6\" stop-color=\"#c58b4a\"/>\
         <stop offset=\"1\" stop-color=\"#6b4423\"/></radialGradient></defs>"
    );
    let edges =
        [(0, 1), (1, 3), (3, 2), (2, 0), (0, 4), (1, 5), (2, 6), (3, 7), (4, 5), (5, 7), (7, 6), (6, 4)];
    let line = |svg: &mut String, (a, b): (usize, usize)| {
        let ((x1, y1, _), (x2, y2, _)) = (seen[a], seen[b]);
        let _ = writeln!(
            svg,
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#8899aa\" stroke-width=\"1.5\"/>"
        );
    };
    // The edges at the nearest corner of the floor, and of the lid that is not there, lie in front.
    let is_front = |(a, b): (usize, usize)| [a, b].iter().any(|corner| corner & 3 == 0) && (a | b) >= 4;
    edges.into_iter().filter(|edge| !is_front(*edge)).for_each(|edge| line(&mut svg, edge));
    let mut spheres: Vec<_> = pile.centres.iter().map(project).collect();
    spheres.sort_by(|a, b| a.2.total_cmp(&b.2));
    for (x, y, _) in spheres {
        let r = SCALE * RADIUS;
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"url(#ball)\"/>");
    }
    edges.into_iter().filter(|edge| is_front(*edge)).for_each(|edge| line(&mut svg, edge));
    let (x, y) = (left + 0.5 * width, top + depth - 12.0);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"15\" \
         fill=\"#333\">{caption}</text>\n</svg>"
    );
    svg
}
