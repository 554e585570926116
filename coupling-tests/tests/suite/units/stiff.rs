//! Stiff units in model exchange under implicit rules of ours.

use coupling_tests::Run;

use super::{VERSIONS, file};

const MU: f64 = 1000.0;

/// Where the oscillator of van der Pol creeps from 2 on: `(ln x − x²/2) − (ln 2 − 2) = t/μ`, to a relative error of 1/μ².
fn creeping(t: f64) -> f64 {
    let time = |x: f64| MU * ((x.ln() - 0.5 * x * x) - (2.0_f64.ln() - 2.0));
    let (mut low, mut high) = (1.0, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        // It creeps downwards.
        if time(middle) > t { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn the_oscillator_of_van_der_pol_creeps_by_steps_a_thousand_times_its_shortest_time() {
    for version in VERSIONS {
        let Some(file) = file("van_der_pol", version, &[]) else { return };
        for solver in ["theta", "multistep", "generalized-alpha"] {
            // Explicit rules are unstable above 2/(3 μ) s.
            let text = format!(
                "schema = 1\ntime = {{ end = 600.0, step = 0.5 }}\n[record]\nquantities = [\"*\"]\n[[subsystem]]\nname = \"v\"\nkind = \"fmu\"\n\
                 file = \"{file}\"\nface = \"model-exchange\"\nsolver = \"{solver}\"\nparameters = {{ mu = {MU}, x = 2.0, y = {} }}\n",
                -2.0 / (3.0 * MU)
            );
            let x = Run::completed(&Run::text(&text, &[])).column("v.x");
            assert_eq!(x.len(), 1201);
            for k in [300, 600, 900, 1200] {
                let exact = creeping(0.5 * k as f64);
                assert!(
                    (x[k] - exact).abs() < 2e-6,
                    "{version:?}, {solver}, step {k}: {} instead of {exact}",
                    x[k]
                );
            }
        }
    }
}
