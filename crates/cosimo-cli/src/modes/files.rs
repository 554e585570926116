//! The files of a directory of modes.

use std::fmt::Write;
use std::path::Path;

use super::charts;
use super::pattern::{Named, named};
use super::shape::shares;
use super::vibrations::Vibrations;
use crate::failure::Failure;
use crate::terminal;

const MODES: &str = "modes.csv";
const SHAPES: &str = "shapes.csv";
const SHAPES_CHART: &str = "shapes.svg";
const FAN_CHART: &str = "fan.svg";

/// Refuses to replace files without being asked to, before anything is computed.
pub(super) fn check(out: &Path, is_forced: bool) -> Result<(), Failure> {
    let taken = [MODES, SHAPES, SHAPES_CHART, FAN_CHART].map(|name| out.join(name));
    match taken.iter().find(|path| path.exists() && !is_forced) {
        Some(path) => Err(Failure::bad_input(format!(
            "`{}` exists: add --force to replace it, or name another directory with --out",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Writes tables and charts; shapes are drawn for the last speed, and the fan if there are several.
pub(super) fn write(
    out: &Path,
    title: &str,
    found: &[Vibrations],
    tracks: &[Vec<usize>],
) -> Result<(), Failure> {
    let cannot =
        |error: std::io::Error| Failure::bad_input(format!("cannot write to `{}`: {error}", out.display()));
    std::fs::create_dir_all(out).map_err(cannot)?;
    let store = |name: &str, text: &str| std::fs::write(out.join(name), text).map_err(cannot);
    store(MODES, &modes_table(found, tracks))?;
    store(SHAPES, &shapes_table(found))?;
    if let Some(last) = found.last() {
        store(SHAPES_CHART, &charts::shapes(title, last).to_svg().map_err(Failure::failed)?)?;
    }
    if found.len() > 1 {
        store(FAN_CHART, &charts::fan(title, found, tracks).to_svg().map_err(Failure::failed)?)?;
    } else {
        // One of an earlier command would not be of these modes.
        let _ = std::fs::remove_file(out.join(FAN_CHART));
    }
    terminal::line(&format!("modes in {}", out.display()));
    Ok(())
}

fn modes_table(found: &[Vibrations], tracks: &[Vec<usize>]) -> String {
    let mut text = "speed_rad_per_s,mode,track,frequency_hz,damping_ratio,eigenvalue_re,eigenvalue_im,share_x,share_y,share_z,\
                    share_about_x,share_about_y,share_about_z,speed_rpm,fixed_frequency_hz,kind,pattern\n"
        .to_owned();
    for (own, tracks) in found.iter().zip(tracks) {
        for (number, (mode, track)) in own.modes.iter().zip(tracks).enumerate() {
            let _ = write!(text, "{},{},{}", own.speed, number + 1, track + 1);
            let eigenvalue = mode.eigenvalue;
            let numbers = [mode.frequency(), mode.damping_ratio(), eigenvalue.re, eigenvalue.im];
            for number in numbers.into_iter().chain(shares(mode, &own.masses)) {
                let _ = write!(text, ",{number:.12e}");
            }
            let Named { kind, order, fixed } = named(own, mode);
            let fixed = fixed.map_or_else(String::new, |fixed| format!("{fixed:.12e}"));
            let order = order.map_or("", |order| order.name());
            let _ =
                writeln!(text, ",{:.12e},{fixed},{kind},{order}", own.speed * 30.0 / std::f64::consts::PI);
        }
    }
    text
}

/// Increments of every body, real and imaginary part, as the library gives them.
fn shapes_table(found: &[Vibrations]) -> String {
    let mut text = "speed_rad_per_s,mode,body,x_re,x_im,y_re,y_im,z_re,z_im,about_x_re,about_x_im,about_y_re,about_y_im,\
                    about_z_re,about_z_im\n"
        .to_owned();
    for own in found {
        for (number, mode) in own.modes.iter().enumerate() {
            for (body, placed) in own.bodies.iter().enumerate() {
                let _ = write!(text, "{},{},{}", own.speed, number + 1, placed.name);
                for x in mode.shape.rows(6 * body, 6).iter() {
                    let _ = write!(text, ",{:.12e},{:.12e}", x.re, x.im);
                }
                text.push('\n');
            }
        }
    }
    text
}
