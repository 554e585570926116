//! Orders of the rules in positions, velocities and reactions, against references that other programs have found.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod case;
mod double_pendulum;
mod four_bar;
mod heavy_top;

mod slider_crank;

use cosimo_smooth::dae::Method;

const SECOND_ORDER: [Method; 2] =
    [Method::GeneralizedAlpha { spectral_radius: 0.9 }, Method::Multistep { spectral_radius: 0.6 }];

fn table(name: &str) -> Vec<Vec<f64>> {
    let mut reader = csv::Reader::from_path(format!("tests/reference/{name}.csv")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}
