//! The tables of modes that are printed.

use std::fmt::Write;

use cosimo::multibody::modes::Mode;
use cosimo::nalgebra::DVector;

use super::pattern::named;
use super::shape::shares;
use super::vibrations::Vibrations;
use crate::args::Direction;

/// A table for every speed.
pub(super) fn text(subsystem: &str, axis: Direction, found: &[Vibrations]) -> String {
    let mut text = format!("modes of `{subsystem}`\n");
    for own in found {
        let _ = writeln!(text, "\n{}", heading(axis, own.speed));
        text += "mode  frequency  damping      share of the kinetic energy (%)";
        text += if has_names(own) { "            not turning\n" } else { "\n" };
        text += "             Hz    ratio      x     y     z   about x     y     z";
        text += if has_names(own) { "             Hz\n" } else { "\n" };
        for (number, mode) in own.modes.iter().enumerate() {
            let _ = writeln!(text, "{:4}  {}{}", number + 1, row(mode, &own.masses), name(own, mode));
        }
        for motion in &own.free {
            let _ = writeln!(text, "nothing holds {}: a motion of frequency zero, left out", motion.name);
        }
    }
    text
}

fn heading(Direction([x, y, z]): Direction, speed: f64) -> String {
    if speed == 0.0 {
        return "at rest".to_owned();
    }
    let per_minute = speed * 30.0 / std::f64::consts::PI;
    format!("turning at {speed} rad/s ({per_minute:.2} rev/min) about [{x}, {y}, {z}]")
}

fn row(mode: &Mode, masses: &DVector<f64>) -> String {
    let [x, y, z, about_x, about_y, about_z] = shares(mode, masses).map(|share| 100.0 * share);
    // Round-off has no sign.
    let damping = (1e5 * mode.damping_ratio()).round() / 1e5 + 0.0;
    format!(
        "{:9.4}  {damping:7.5}  {x:5.1} {y:5.1} {z:5.1}     {about_x:5.1} {about_y:5.1} {about_z:5.1}",
        mode.frequency()
    )
}

/// Whether modes have a part about the axis that is worth a name.
fn has_names(own: &Vibrations) -> bool {
    own.speed != 0.0 || !own.blades.is_empty()
}

/// Frequency in axes that do not turn, and what the mode is.
fn name(own: &Vibrations, mode: &Mode) -> String {
    if !has_names(own) {
        return String::new();
    }
    let named = named(own, mode);
    let fixed = named.fixed.map_or_else(|| format!("{:>9}", "-"), |fixed| format!("{fixed:9.4}"));
    let order = named.order.map_or("", |order| order.name());
    format!("      {fixed}  {} {order}", named.kind).trim_end().to_owned()
}
