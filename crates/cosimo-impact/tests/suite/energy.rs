//! Energy propositions of V. Acary, *The nonsmooth dynamics framework*, 2019, at every step of random linear systems.

use cosimo_dynamics::GeneralizedAlphaParameters;
use cosimo_impact::{
    Activation, HarmonicForce, ImpactSettings, LinearContact, LinearContacts, MassesAndSprings,
    NonsmoothStepper, Scheme, SmoothConstraints, Spring,
};
use proptest::prelude::*;

use crate::common::{Masses, TRAPEZOIDAL, schemes};

/// A chain with random masses, springs, dampers and gaps between ground, neighbours and a far wall.
#[derive(Debug, Clone)]
struct Random {
    masses: Vec<f64>,
    springs: Vec<(f64, f64)>,
    gaps: Vec<f64>,
    speeds: Vec<f64>,
    restitution: f64,
}

fn random(dampers: std::ops::Range<f64>) -> impl Strategy<Value = Random> {
    (2_usize..6).prop_flat_map(move |n| {
        let spring = (1.0..1e3, dampers.clone());
        (
            prop::collection::vec(0.5_f64..3.0, n),
            prop::collection::vec(spring, n),
            prop::collection::vec(0.0_f64..0.1, n),
            prop::collection::vec(-2.0_f64..2.0, n),
            0.0_f64..1.0,
        )
            .prop_map(|(masses, springs, gaps, speeds, restitution)| Random {
                masses,
                springs,
                gaps,
                speeds,
                restitution,
            })
    })
}

impl Random {
    fn system(&self) -> MassesAndSprings {
        let mut system = MassesAndSprings::new(self.masses.clone());
        for (i, (stiffness, damping)) in self.springs.iter().copied().enumerate() {
            let other = i.checked_sub(1);
            system = system.with_spring(Spring { ends: (i, other), stiffness, damping });
        }
        system
    }

    fn stepper(&self, system: MassesAndSprings, scheme: Scheme) -> Masses {
        let n = self.masses.len();
        let contact = |terms: Vec<(usize, f64)>, offset: f64| LinearContact {
            terms,
            offset,
            restitution: self.restitution,
        };
        let mut contacts: Vec<_> = (0..n)
            .map(|i| {
                let ahead = [(i, 1.0)].to_vec();
                let terms = if i == 0 { ahead } else { vec![(i - 1, -1.0), (i, 1.0)] };
                contact(terms, self.gaps[i])
            })
            .collect();
        contacts.push(contact(vec![(n - 1, -1.0)], 0.05));
        let start = (0.0, vec![0.0; n], self.speeds.clone());
        NonsmoothStepper::new(system, LinearContacts::new(contacts), scheme, start).unwrap()
    }

    /// `vᵀ M v`.
    fn mass_norm(&self, v: &[f64]) -> f64 {
        v.iter().zip(&self.masses).map(|(v, mass)| mass * v * v).sum()
    }

    /// `x₁ᵀ K x₂` and `x₁ᵀ C x₂`.
    fn forms(&self, x: &[f64], y: &[f64]) -> (f64, f64) {
        let stretch = |i: usize, x: &[f64]| x[i] - i.checked_sub(1).map_or(0.0, |k| x[k]);
        self.springs.iter().enumerate().fold((0.0, 0.0), |(k, c), (i, (stiffness, damping))| {
            let product = stretch(i, x) * stretch(i, y);
            (k + stiffness * product, c + damping * product)
        })
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

const STEP: f64 = 5e-3;
const STEPS: usize = 150;
const ROUND_OFF: f64 = 1e-11;

/// Whether every contact with an impulse approached: the hypothesis `g₀ ≥ 0` with a prediction `g₀ + γ h U₀ ≤ 0` says so.
fn impulses_meet_approach(stepper: &Masses, before: &[f64]) -> bool {
    let n = before.len();
    let rate = |contact: usize| match contact {
        0 => before[0],
        c if c == n => -before[n - 1],
        c => before[c] - before[c - 1],
    };
    let impulses = stepper.contacts().impulses.iter().enumerate();
    impulses.filter(|(_, impulse)| **impulse > 0.0).all(|(contact, _)| rate(contact) <= 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Eqs. 93 and 94: the balance of the θ rule, and dissipation for `½ ≤ θ ≤ 1/(1 + e)`.
    #[test]
    fn moreau_jean_dissipates_within_its_bound(case in random(0.0..2.0), share in 0.0_f64..1.0) {
        let theta = 0.5 + share * ((1.0 + case.restitution).recip() - 0.5);
        let mut stepper = case.stepper(case.system(), Scheme::moreau_jean(theta));
        for _ in 0..STEPS {
            let before = stepper.state().clone();
            let balance = stepper.step(STEP).unwrap().balance;
            let after = stepper.state();
            let (dv, dq) = (difference(&after.v, &before.v), difference(&after.q, &before.q));
            let own = (0.5 - theta) * (case.mass_norm(&dv) + case.forms(&dq, &dq).0);
            // ½ (U₀ + U₁)ᵀ P is in the balance, U_θᵀ P in the proposition.
            let jump = (theta - 0.5) * case.mass_of_impulses(&stepper, &dv);
            prop_assert!((balance.algorithmic - own - jump).abs() < ROUND_OFF * (1.0 + own.abs() + jump.abs()) * 10.0,
                "{balance:?}, {own}, {jump}");
            if impulses_meet_approach(&stepper, &before.v) {
                prop_assert!(balance.change <= balance.external + balance.damping + ROUND_OFF, "{balance:?}");
            }
        }
    }

    /// Eqs. 97 and 98: the variant dissipates for every `θ` from ½ on, whatever the restitution.
    #[test]
    fn the_dissipative_variant_dissipates(case in random(0.0..2.0), theta in 0.5_f64..1.0) {
        let scheme = Scheme::DissipativeMoreauJean { theta, activation: Activation::default() };
        let mut stepper = case.stepper(case.system(), scheme);
        for _ in 0..STEPS {
            let before = stepper.state().clone();
            let balance = stepper.step(STEP).unwrap().balance;
            let dq = difference(&stepper.state().q, &before.q);
            let own = (0.5 - theta) * case.forms(&dq, &dq).0;
            prop_assert!((balance.algorithmic - own).abs() < ROUND_OFF * (1.0 + own.abs()), "{balance:?}, {own}");
            if impulses_meet_approach(&stepper, &before.v) {
                prop_assert!(balance.change <= balance.external + balance.damping + ROUND_OFF, "{balance:?}");
            }
        }
    }

    /// Eqs. 102 to 104: the algorithmic energy `E + h²/4 (2β − γ) aᵀ M a` of Newmark's rule.
    #[test]
    fn newmark_dissipates_its_algorithmic_energy(case in random(0.0..2.0), gamma in 0.5_f64..1.0, excess in 0.0_f64..0.3) {
        let beta = 0.5 * gamma + excess;
        let parameters = GeneralizedAlphaParameters { alpha_m: 0.0, alpha_f: 0.0, beta, gamma };
        let mut stepper = case.stepper(case.system(), Scheme::newmark(parameters));
        let weight = 0.25 * STEP * STEP * (2.0 * beta - gamma);
        for _ in 0..STEPS {
            let before = stepper.state().clone();
            let balance = stepper.step(STEP).unwrap().balance;
            let after = stepper.state();
            let (dq, da) = (difference(&after.q, &before.q), difference(&after.a, &before.a));
            let mean: Vec<f64> = after.v.iter().zip(&before.v).map(|(b, a)| gamma * b + (1.0 - gamma) * a).collect();
            let damping = -case.forms(&dq, &mean).1;
            let change = balance.change + weight * (case.mass_norm(&after.a) - case.mass_norm(&before.a));
            let own = (0.5 - gamma) * (case.forms(&dq, &dq).0 + 2.0 * weight * case.mass_norm(&da));
            let contact = balance.contact + balance.impact;
            let scale = 1.0 + own.abs() + damping.abs() + change.abs() + weight * case.mass_norm(&after.a);
            prop_assert!((change - damping - own - contact).abs() < ROUND_OFF * scale,
                "{change}, {damping}, {own}, {contact}");
            if impulses_meet_approach(&stepper, &before.v) {
                prop_assert!(change <= damping + ROUND_OFF * scale);
            }
        }
    }

    /// Eqs. 111 to 116: the algorithmic energy of the HHT rule, `E + h²/4 (2β − γ) aᵀ M a + 2 α (1 − γ) wᵀ K w` with the filtered
    /// displacement `w`, here without damping.
    #[test]
    fn hht_dissipates_its_algorithmic_energy(case in random(0.0..1e-300), alpha in 0.0_f64..0.3333) {
        let parameters = GeneralizedAlphaParameters::hht(-alpha);
        let GeneralizedAlphaParameters { beta, gamma, .. } = parameters;
        let mut stepper = case.stepper(case.system(), Scheme::newmark(parameters));
        let weight = 0.25 * STEP * STEP * (2.0 * beta - gamma);
        let mut filtered = vec![0.0; case.masses.len()];
        for step in 0..STEPS {
            let (before, followed) = (stepper.state().clone(), stepper.algorithmic_acceleration());
            let balance = stepper.step(STEP).unwrap().balance;
            let (after, follows) = (stepper.state(), stepper.algorithmic_acceleration());
            let dq = difference(&after.q, &before.q);
            let next: Vec<f64> = dq.iter().map(|dq| 0.5 * dq).collect();
            let storage = |a: &[f64], w: &[f64]| {
                weight * case.mass_norm(a) + 2.0 * alpha * (1.0 - gamma) * case.forms(w, w).0
            };
            let stored = storage(&follows, &next) - storage(&followed, &filtered);
            let change = balance.change + stored;
            let scale = 1.0 + change.abs() + case.mass_norm(&follows) * weight;
            // The filter has no past in the first step.
            if step > 0 && impulses_meet_approach(&stepper, &before.v) {
                prop_assert!(change <= ROUND_OFF * scale, "{change}");
            }
            filtered = next;
        }
    }
}

impl Random {
    /// `(U₁ − U₀)ᵀ P`.
    fn mass_of_impulses(&self, stepper: &Masses, dv: &[f64]) -> f64 {
        let n = dv.len();
        let impulses = stepper.contacts().impulses.iter().enumerate();
        impulses
            .map(|(contact, impulse)| {
                let change = match contact {
                    0 => dv[0],
                    c if c == n => -dv[n - 1],
                    c => dv[c] - dv[c - 1],
                };
                change * impulse
            })
            .sum()
    }
}

/// The parts of every balance add up to the change of the energy, forces and dampers included, and over a run the applied work is
/// that of the motion.
#[test]
fn balances_add_up_over_a_run() {
    for (name, scheme) in schemes() {
        let spring = Spring { ends: (0, None), stiffness: 100.0, damping: 0.5 };
        let force = HarmonicForce { mass: 0, amplitude: 20.0, frequency: 7.0 };
        let system = MassesAndSprings::new(vec![1.0]).with_spring(spring).with_harmonic(force);
        let wall = LinearContacts::new(vec![LinearContact::on_coordinate(0, 1.0).with_restitution(0.5)]);
        let start = (0.0, vec![0.2], vec![0.0]);
        let mut stepper = NonsmoothStepper::new(system, wall, scheme, start).unwrap();
        let first = stepper.energy().total();
        let mut sums = [0.0; 6];
        for _ in 0..5000 {
            let b = stepper.step(1e-3).unwrap().balance;
            let parts = [b.external, b.damping, b.contact, b.impact, b.friction, b.algorithmic];
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        let change = stepper.energy().total() - first;
        assert!((sums.iter().sum::<f64>() - change).abs() < 1e-10, "{name}");
        let [external, damping, _, impact, ..] = sums;
        assert!(external > 1.0 && damping < -0.1 && impact < -0.1, "{name}: {sums:?}");
        // What the rule does itself is small, but for implicit Euler.
        let allowed = if name == "theta = 1" { 0.3 } else { 0.05 };
        assert!(sums[5].abs() < allowed * external, "{name}: {sums:?}");
    }
}

/// A mass that leaves its floor, out of it still by some of the way, is hit from above: nothing is created, whatever the masses are.
#[test]
fn a_contact_that_opens_does_no_work_on_what_hits_its_body() {
    let activation = Activation::default();
    let schemes = [
        Scheme::moreau_jean(0.5),
        Scheme::DissipativeMoreauJean { theta: 0.5, activation },
        Scheme::ProjectedMoreauJean { theta: 0.5, activation },
        Scheme::multistep(0.8),
        Scheme::newmark(TRAPEZOIDAL),
        Scheme::generalized_alpha(0.8, SmoothConstraints::Velocity),
        Scheme::generalized_alpha(0.8, SmoothConstraints::Acceleration),
    ];
    let settings = ImpactSettings { start_tolerance: 1.0, ..ImpactSettings::default() };
    for (scheme, ratio) in schemes.into_iter().flat_map(|scheme| [1e-4, 1.0, 30.0, 1e4].map(|r| (scheme, r)))
    {
        for restitution in [0.0, 0.5, 1.0] {
            let on_floor = LinearContact { terms: vec![(0, 1.0)], offset: 0.0, restitution };
            let between = LinearContact { terms: vec![(0, -1.0), (1, 1.0)], offset: 0.0, restitution };
            let contacts = LinearContacts::new(vec![on_floor, between]);
            let start = (0.0, vec![-1e-3, -1e-3], vec![1.0, -2.0]);
            let masses = MassesAndSprings::new(vec![1.0, ratio]);
            let mut stepper =
                NonsmoothStepper::with_settings(masses, contacts, (scheme, settings), start).unwrap();
            let before = stepper.energy().total();
            let balance = stepper.step(1e-4).unwrap().balance;
            let what = format!("{}, ratio {ratio}, restitution {restitution}", scheme.name());
            assert!(balance.change <= 1e-12 * before, "{what}: {} of {before} J", balance.change);
            assert!(stepper.contacts().impulses[1] > 0.0, "{what}");
            let is_conserved = restitution < 1.0 || balance.change.abs() < 1e-12 * before;
            assert!(is_conserved, "{what}: {} of {before} J", balance.change);
        }
    }
}
