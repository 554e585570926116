//! The chain of Fancello, 2012, section 5.4.3, on its wall.

use cosimo_dynamics::GeneralizedAlphaParameters;
use cosimo_impact::Scheme;

use crate::common::{chain, pva, pvv};

/// Energy of the exact motion after contact (J).
const ENERGY: f64 = 49.248_433_537_432_71;

/// Energy at 3 s (J), and by how much the gap changes from 0.3 s to 1.9 s (m), while the chain lies on its wall.
fn run(scheme: Scheme) -> (f64, f64) {
    let mut chain = chain(scheme);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for k in 1..=3000 {
        chain.step(1e-3).unwrap();
        if (300..1900).contains(&k) {
            let gap = chain.state().q[0];
            (least, most) = (gap.min(least), gap.max(most));
        }
    }
    (chain.energy().total(), most - least)
}

#[test]
fn lies_on_its_wall_without_drift_and_keeps_its_energy() {
    let schemes = [
        ("theta = 1/2", Scheme::moreau_jean(0.5)),
        ("multistep", Scheme::multistep(0.82)),
        ("hht", Scheme::newmark(GeneralizedAlphaParameters::hht(-0.1))),
        ("generalized-alpha", Scheme::newmark(GeneralizedAlphaParameters::generalized_alpha(0.82))),
        ("pvv", pvv(0.82)),
        ("pva", pva(0.82)),
    ];
    for (name, scheme) in schemes {
        let (energy, drift) = run(scheme);
        assert!((energy - ENERGY).abs() < 0.002 * ENERGY, "{name}: {energy}");
        // Positions of Newmark's family lag by `h² (β − γ/2) (a₁ − a₀)` behind a velocity of zero; that does not add up.
        let allowed = if name == "hht" || name == "generalized-alpha" { 1e-8 } else { 1e-12 };
        assert!(drift < allowed, "{name}: {drift:e}");
    }
    // Implicit Euler takes out a twentieth.
    let (energy, drift) = run(Scheme::moreau_jean(1.0));
    assert!(energy < 0.96 * ENERGY && drift < 1e-12, "{energy}, {drift:e}");
}
