//! Directional derivatives that are wrong: told, not used, and the result is that of right ones.

use std::path::Path;

use super::super::{Scratch, assert_code, stderr};
use super::{VERSIONS, unit};

/// A native mass beside a unit in model exchange.
fn text(unit: &str, joint: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\nmaster = {{ tolerance = 1e-11 }}\n\
         [[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [1.0]\nstiffness = [200.0]\nposition = 0.1\n\
         [[subsystem.port]]\nname = \"tip\"\ncoordinates = [0]\n\
         [[subsystem]]\nname = \"b\"\nkind = \"fmu\"\nfile = \"{unit}\"\nface = \"model-exchange\"\n\
         parameters = {{ m = 2.0, k = 500.0, c = 3.0, x0 = -0.05 }}\n\
         [[subsystem.port]]\nname = \"tip\"\nposition = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n\
         [[interface]]\nname = \"j\"\nbetween = [\"a.tip\", \"b.tip\"]\n{joint}\n"
    )
}

fn forces(results: &Path) -> Vec<f64> {
    let mut reader = csv::Reader::from_path(results).unwrap();
    let place = reader.headers().unwrap().iter().position(|name| name == "j.force").unwrap();
    reader.records().map(|row| row.unwrap()[place].parse().unwrap()).collect()
}

#[test]
fn wrong_derivatives_in_model_exchange_are_told_and_not_used() {
    for version in VERSIONS {
        for joint in ["law = \"compliant\"\nstiffness = 1000", "law = \"rigid\"\noffset = 0.15"] {
            let Some(right) = unit("oscillator_half", version, &[]) else { return };
            let scratch = Scratch::new(&text(&right, joint));
            let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
            assert_code(&output, 0);
            assert_eq!(stderr(&output), "");
            let expected = forces(&scratch.path("out/masses/results.csv"));
            let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (defines, warning) in [
                (
                    &[("BY_STATE", "0.5")][..],
                    "FMU `b` gives directional derivatives of its rates that differ by",
                ),
                (&[("BY_FORCE", "2.0")], "subsystem `b`: "),
                (
                    &[("BY_STATE", "1.5"), ("BY_FORCE", "0.1")],
                    "FMU `b` gives directional derivatives of its rates",
                ),
            ] {
                let Some(wrong) = unit("oscillator_half", version, defines) else { return };
                let scratch = Scratch::new(&text(&wrong, joint));
                let output = scratch.cosimo(&["run", "masses.toml", "--quiet"]);
                assert_code(&output, 0);
                assert!(stderr(&output).contains(warning), "{defines:?}: {}", stderr(&output));
                let found = forces(&scratch.path("out/masses/results.csv"));
                let apart = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(
                    apart < 1e-7 * scale,
                    "{version:?}, {joint}, {defines:?}: {apart:e} N of {scale:e} apart"
                );
            }
        }
    }
}
