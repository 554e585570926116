//! Tables and schemes that tests share.

pub(crate) mod pendulum;

use cosimo_dynamics::GeneralizedAlphaParameters;
use cosimo_impact::{
    Activation, ImpactSettings, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper, Scheme,
    SmoothConstraints, Spring,
};

/// Rows of a reference table without its head.
pub(crate) fn table(name: &str) -> Vec<Vec<f64>> {
    let path = format!("{}/tests/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

/// Newmark's rule of constant mean acceleration.
pub(crate) const TRAPEZOIDAL: GeneralizedAlphaParameters =
    GeneralizedAlphaParameters { alpha_m: 0.0, alpha_f: 0.0, beta: 0.25, gamma: 0.5 };

pub(crate) fn pva(rho: f64) -> Scheme {
    Scheme::generalized_alpha(rho, SmoothConstraints::Acceleration)
}

pub(crate) fn pvv(rho: f64) -> Scheme {
    Scheme::generalized_alpha(rho, SmoothConstraints::Velocity)
}

/// Every scheme that takes contacts with restitution.
pub(crate) fn schemes() -> Vec<(&'static str, Scheme)> {
    let activation = Activation::default();
    vec![
        ("theta = 1/2", Scheme::moreau_jean(0.5)),
        ("theta = 1", Scheme::moreau_jean(1.0)),
        ("dissipative", Scheme::DissipativeMoreauJean { theta: 0.6, activation }),
        ("projected", Scheme::ProjectedMoreauJean { theta: 0.5, activation }),
        ("schatzman-paoli", Scheme::SchatzmanPaoli { theta: 0.0 }),
        ("multistep", Scheme::multistep(0.82)),
        ("newmark", Scheme::newmark(TRAPEZOIDAL)),
        ("hht", Scheme::Hht { alpha: -0.1, activation }),
        ("generalized-alpha", Scheme::newmark(GeneralizedAlphaParameters::generalized_alpha(0.8))),
        ("pvv", pvv(0.8)),
        ("pva", pva(0.8)),
    ]
}

pub(crate) type Masses = NonsmoothStepper<MassesAndSprings, LinearContacts>;

/// A ball of 1 kg at 1 m over the floor.
pub(crate) fn ball(scheme: Scheme) -> Masses {
    let floor = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.9)]);
    let ball = MassesAndSprings::new(vec![1.0]).with_force(0, -9.81);
    NonsmoothStepper::new(ball, floor, scheme, (0.0, vec![1.0], vec![0.0])).unwrap()
}

/// 1 kg on a spring of `(2π)²` N/m that hits a wall at its rest position.
pub(crate) fn oscillator(scheme: Scheme) -> Masses {
    let wall = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.9)]);
    let spring = Spring { ends: (0, None), stiffness: std::f64::consts::TAU.powi(2), damping: 0.0 };
    let mass = MassesAndSprings::new(vec![1.0]).with_spring(spring);
    NonsmoothStepper::new(mass, wall, scheme, (0.0, vec![1.0], vec![0.0])).unwrap()
}

/// The elastic bar of Brüls, Acary and Cardona, 2018, section 6.3, with lumped masses: 10 m/s, 5 m from the wall.
pub(crate) fn bar(scheme: Scheme) -> Masses {
    bar_with(scheme, ImpactSettings::default())
}

pub(crate) fn bar_with(scheme: Scheme, settings: ImpactSettings) -> Masses {
    let half = 0.5 * 10.0 / 200.0;
    let bar = MassesAndSprings::chain(201, 2.0 * half, 18_000.0).with_mass(0, half).with_mass(200, half);
    let wall = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0)]);
    let start = (0.0, vec![5.0; 201], vec![-10.0; 201]);
    NonsmoothStepper::with_settings(bar, wall, (scheme, settings), start).unwrap()
}

/// The chain of Fancello, 2012, section 5.4.3: 1 m/s, 0.1 m from the wall, restitution 0.8.
pub(crate) fn chain(scheme: Scheme) -> Masses {
    let chain = MassesAndSprings::chain(100, 1.0, 1e4);
    let wall = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.8)]);
    NonsmoothStepper::new(chain, wall, scheme, (0.0, vec![0.1; 100], vec![-1.0; 100])).unwrap()
}
