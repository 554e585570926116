//! What the figures of the penalty laws show (`cargo run --release -p cosimo-multibody --example penalty_laws`), by closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::steel_ball::{HEIGHT, RADIUS, STIFFNESS, bounces, elastic_depth, first_impact, laws, speed};

/// Share of the speed kept and, where it has a closed form, depth as a share of the elastic one.
fn exact(restitution: f64) -> [(f64, f64); 5] {
    let mut rows = csv::Reader::from_path("tests/reference/restitution.csv").unwrap();
    let row = rows.deserialize::<Vec<f64>>().map(|row| row.unwrap());
    let row = row.into_iter().find(|row| (row[0] - restitution).abs() < 1e-9).unwrap();
    // K δⁿ⁺¹/(n + 1) = v² I for 1 kg, where the elastic one has I = ½.
    let law = |column: usize| (row[column], (2.0 * row[column + 2]).powf(1.0 / 2.5));
    [(restitution, f64::NAN), (1.0, 1.0), law(1), law(5), law(9)]
}

/// Losses are the areas of the loops, restitution and depth those of the laws; the weight, less than 2e-4 of the largest force,
/// is not in the closed forms.
#[test]
fn loops_of_the_first_impact_have_the_closed_form() {
    assert!((STIFFNESS * elastic_depth().powf(2.5) / 2.5 - 0.5 * speed().powi(2)).abs() < 1e-9);
    for restitution in [0.8, 0.2] {
        for ((name, law), (kept, depth)) in laws(restitution).into_iter().zip(exact(restitution)) {
            let impact = first_impact(law).unwrap();
            let found = impact.rebound / speed();
            assert!((found - kept).abs() < 3e-4, "{name}, {restitution}: {found} instead of {kept}");
            let lost = 0.5 * (speed().powi(2) - impact.rebound.powi(2));
            let loss = impact.loss();
            assert!(
                (loss - lost).abs() < 1e-3 * speed(),
                "{name}, {restitution}: {loss} J instead of {lost} J"
            );
            let deepest = impact.path.iter().fold(0.0, |m: f64, point| m.max(point.0)) / elastic_depth();
            assert!(!((deepest - depth).abs() > 3e-4), "{name}, {restitution}: {deepest} instead of {depth}");
        }
    }
}

/// Heights of the first rebound are those of its speed.
#[test]
fn rebounds_rise_as_their_speed_says() {
    for ((name, law), (kept, _)) in laws(0.8).into_iter().zip(exact(0.8)) {
        let path = bounces(law, 1.1).unwrap();
        let rise = path.iter().filter(|point| point.0 > 0.5).fold(0.0, |m: f64, point| m.max(point.1));
        let exact = RADIUS + (HEIGHT - RADIUS) * kept * kept;
        assert!((rise - exact).abs() < 1e-3, "{name}: {rise} instead of {exact}");
    }
}
