//! What is kept of linear systems changes nothing.

use cosimo_dynamics::{ConstrainedSystem, Level, MatrixSink, Motion, Structure};
use cosimo_impact::{
    ContactLayout, ContactSink, Contacts, LinearContact, LinearContacts, MassesAndSprings, NonsmoothStepper,
    Scheme, Spring,
};
use cosimo_mechanics::Energy;

use crate::common::schemes;

/// Chain and contacts that do not tell that they are linear.
struct Untold<T>(T);

impl ConstrainedSystem for Untold<MassesAndSprings> {
    fn structure(&self) -> &Structure {
        self.0.structure()
    }
    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        self.0.balance(motion, a, mu, out);
    }
    fn mass_product(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        self.0.mass_product(q, x, out);
    }
    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        self.0.add_reactions(t, q, mu, out);
    }
    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        self.0.constraints(level, motion, a, out);
    }
    fn tangents(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.0.tangents(motion, a, mu, sink);
    }
    fn masses(&self, q: &[f64], sink: &mut dyn MatrixSink) {
        self.0.masses(q, sink);
    }
    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        self.0.jacobian(t, q, sink);
    }
    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        self.0.rate_gradient(motion, sink);
    }
    fn energy(&self, motion: Motion<'_>) -> Energy {
        self.0.energy(motion)
    }
    fn dissipated_power(&self, motion: Motion<'_>) -> f64 {
        self.0.dissipated_power(motion)
    }
}

impl Contacts for Untold<LinearContacts> {
    fn layout(&self) -> &ContactLayout {
        self.0.layout()
    }
    fn gaps(&self, t: f64, q: &[f64], out: &mut [f64]) {
        self.0.gaps(t, q, out);
    }
    fn rates(&self, motion: Motion<'_>, out: &mut [f64]) {
        self.0.rates(motion, out);
    }
    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn ContactSink) {
        self.0.jacobian(t, q, sink);
    }
}

/// Positions over 400 steps of two sizes, the second from the 250th step on, and the factorisations that they took.
fn run(system: impl ConstrainedSystem, contacts: impl Contacts, scheme: Scheme) -> (Vec<Vec<f64>>, usize) {
    let start = (0.0, vec![0.05; 60], vec![-1.0; 60]);
    let mut stepper = NonsmoothStepper::new(system, contacts, scheme, start).unwrap();
    let path = (0..400).map(|k| {
        stepper.step(if k < 250 { 1e-3 } else { 6e-4 }).unwrap();
        stepper.state().q.clone()
    });
    (path.collect(), stepper.effort().1.factorizations)
}

/// Damped, so that round-off does not grow; two contacts that open and close.
#[test]
fn linear_systems_move_as_if_everything_were_taken_anew() {
    let spring = |i: usize| Spring { ends: (i - 1, Some(i)), stiffness: 1e4, damping: 5.0 };
    let chain =
        || (1..60).map(spring).fold(MassesAndSprings::new(vec![1.0; 60]), MassesAndSprings::with_spring);
    let contacts = || {
        let stops = [(0, 0.0), (2, 0.004)];
        LinearContacts::new(stops.map(|(i, o)| LinearContact::on_coordinate(i, 1.0).with_offset(o)).to_vec())
    };
    for (name, scheme) in schemes() {
        let (told, factorizations) = run(chain(), contacts(), scheme);
        let (untold, _) = run(Untold(chain()), Untold(contacts()), scheme);
        let pairs = told.iter().flatten().zip(untold.iter().flatten());
        let apart = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(apart < 1e-10, "{name}: {apart:e}");
        // One of each size, and the first step of rules that begin differently.
        assert!(factorizations <= 4, "{name}: {factorizations}");
    }
}
