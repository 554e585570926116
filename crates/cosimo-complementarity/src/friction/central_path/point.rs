//! A point near the central path: what it misses, and the linear equations there.

use nalgebra::{SMatrix, SVector};

use crate::friction::by_contact::{of_contact, set_contact};
use crate::friction::cone::tangential_norm;
use crate::friction::refined::Refined;
use crate::friction::scaling::{Scaling, product, quotient};
use crate::friction::{FrictionProblem, Scaled, ScaledSystem};

/// Normal impulses at the start, in units of those that stop contacts that are alone, and by how much contacts differ
/// there, as a power of e: of equal bodies in equal places curves may cross.
const START: f64 = 100.0;
const UNEQUAL: f64 = 0.5;
/// `ε` at the start, in units of the largest velocity.
const SMOOTH: f64 = 30.0;
/// Proximal term on `Δr`, in units of the mean diagonal of `W`, and the largest, where round-off asks for more.
const PROXIMAL: f64 = 1e-10;
const LARGEST_PROXIMAL: f64 = 1e-3;

/// Impulse and velocity of a contact, or changes of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<const D: usize> {
    pub(super) impulse: SVector<f64, D>,
    pub(super) velocity: SVector<f64, D>,
}

/// One contact at the point at hand.
#[derive(Debug, Clone, Copy)]
struct Contact<const D: usize> {
    scaling: Scaling<D>,
    /// `Qᵀ Z S⁻¹ G⁻¹`, as for interior points.
    left: SMatrix<f64, D, D>,
    /// `F − t F₀`, and its derivative by `ln t` with `r` and `ũ` held.
    miss: SVector<f64, D>,
    drift: SVector<f64, D>,
}

/// Where on the path: `r`, `ũ` and `t`.
#[derive(Debug, Clone)]
pub(super) struct Place<const D: usize> {
    pub(super) r: Vec<f64>,
    velocities: Vec<SVector<f64, D>>,
    /// `t`.
    pub(super) share: f64,
}

impl<const D: usize> Place<D> {
    /// Moves by a share of changes, and `t` by that of a change relative to it.
    pub(super) fn go(&mut self, changes: &[Pair<D>], share: f64, length: f64) {
        for (i, change) in changes.iter().enumerate() {
            let moved = of_contact::<D>(&self.r, i) + change.impulse * length;
            set_contact(&mut self.r, i, &moved);
            self.velocities[i] += change.velocity * length;
        }
        self.share *= 1.0 + length * share;
    }
}

/// A place with the equations there.
pub(super) struct Point<'a, const D: usize> {
    problem: &'a FrictionProblem<'a, D>,
    pub(super) place: Place<D>,
    /// `F₀` of each contact, `σ`, and `ε` at the start.
    start: Vec<SVector<f64, D>>,
    products: f64,
    smooth: f64,
    contacts: Vec<Contact<D>>,
    scaled: Vec<Scaled<D>>,
    system: Box<dyn ScaledSystem<D> + 'a>,
    refined: Refined,
    trail: Vec<f64>,
    proximal: f64,
    pub(super) factorizations: usize,
}

impl<'a, const D: usize> Point<'a, D> {
    /// The start of a path: the same for the same number.
    pub(super) fn new(problem: &'a FrictionProblem<'a, D>, seed: u64) -> Self {
        let speed = problem.offset.iter().fold(f64::MIN_POSITIVE, |m, q| m.max(q.abs()));
        let impulse = START * speed / problem.diagonal_scale();
        let mut place = Place { r: vec![0.0; problem.offset.len()], velocities: Vec::new(), share: 1.0 };
        for (i, size) in sizes(seed).take(problem.contacts()).enumerate() {
            place.r[i * D] = impulse * size;
            let mut velocity = SVector::zeros();
            velocity[0] = speed / size;
            place.velocities.push(velocity);
        }
        let mut point = Self {
            problem,
            place,
            start: vec![SVector::zeros(); problem.contacts()],
            products: impulse * speed,
            smooth: SMOOTH * speed,
            contacts: Vec::with_capacity(problem.contacts()),
            scaled: Vec::with_capacity(problem.contacts()),
            system: problem.delassus.scaled(),
            refined: Refined::new(problem),
            trail: vec![0.0; problem.delassus.trail()],
            proximal: PROXIMAL,
            factorizations: 0,
        };
        point.linearise();
        point.start = point.contacts.iter().map(|contact| contact.miss).collect();
        point
    }

    pub(super) fn contacts(&self) -> usize {
        self.problem.contacts()
    }

    /// `t σ`.
    fn target(&self) -> f64 {
        self.place.share * self.products
    }

    /// Writes the equations at the place at hand, and factorises them; false where they are singular.
    pub(super) fn factorize(&mut self) -> bool {
        self.factorizations += 1;
        self.linearise();
        while self.system.factorize(&self.scaled).is_err() {
            self.proximal *= 10.0;
            if self.proximal > LARGEST_PROXIMAL {
                return false;
            }
            self.linearise();
        }
        true
    }

    fn linearise(&mut self) {
        let problem = self.problem;
        let (share, smooth) = (self.place.share, self.smooth * self.place.share);
        let proximal = self.proximal * problem.diagonal_scale();
        problem.delassus.start(&self.place.r, &mut self.trail);
        self.contacts.clear();
        self.scaled.clear();
        for (i, velocity) in self.place.velocities.iter().enumerate() {
            let friction = problem.friction[i];
            let scaling = Scaling::new(friction, &of_contact(&self.place.r, i), velocity);
            let slip = tangential_norm(velocity).hypot(smooth);
            let mut miss = problem.velocity(i, &self.place.r, &self.trail) - velocity - self.start[i] * share;
            miss[0] += friction * (slip - smooth);
            let mut drift = -self.start[i] * share;
            drift[0] += friction * smooth * (smooth / slip - 1.0);
            let mut back = SMatrix::identity();
            for k in 1..D {
                back[(0, k)] = friction * velocity[k] / slip;
            }
            let right = scaling.impulses();
            let left = right.transpose() * back;
            let block = SMatrix::identity() + left * right * proximal;
            self.scaled.push(Scaled { left, right, block });
            self.contacts.push(Contact { scaling, left, miss, drift });
        }
    }

    /// By how much the place misses the path, in units of what the cones leave it.
    pub(super) fn distance(&self) -> f64 {
        let target = self.target();
        self.contacts.iter().fold(0.0, |largest, contact| {
            let mut products = product(&contact.scaling.lambda, &contact.scaling.lambda);
            products[0] -= target;
            let miss = (contact.left * contact.miss).norm() / target.sqrt();
            // A number that is none is as bad as any.
            let most = (products.norm() / target).max(miss);
            if most.is_finite() { most.max(largest) } else { f64::INFINITY }
        })
    }

    /// Newton's step to the path with `t` held, in scaled numbers.
    pub(super) fn correction(&mut self) -> Vec<Pair<D>> {
        self.solve(|contact, whole| (whole - contact.scaling.lambda, contact.miss))
    }

    /// The derivative of the path by `ln t`, in scaled numbers.
    pub(super) fn tangent(&mut self) -> Vec<Pair<D>> {
        self.solve(|contact, whole| (whole, contact.drift))
    }

    /// Changes whose scaled sums are what is wanted of each contact, given `t σ λ⁻¹`, and that make up for what it misses.
    fn solve(
        &mut self,
        wanted: impl Fn(&Contact<D>, SVector<f64, D>) -> (SVector<f64, D>, SVector<f64, D>),
    ) -> Vec<Pair<D>> {
        let mut unit = SVector::zeros();
        unit[0] = self.target();
        let wanted = |contact: &Contact<D>| wanted(contact, quotient(&contact.scaling.lambda, &unit));
        for (i, contact) in self.contacts.iter().enumerate() {
            let (aim, miss) = wanted(contact);
            let right_side = contact.scaling.axes.tr_mul(&aim) - contact.left * miss;
            set_contact(&mut self.refined.right_side, i, &right_side);
        }
        self.refined.solve(self.problem, &self.scaled, self.system.as_mut());
        let changes = self.contacts.iter().enumerate().map(|(i, contact)| {
            let impulse = contact.scaling.axes * of_contact::<D>(&self.refined.solution, i);
            Pair { impulse, velocity: wanted(contact).0 - impulse }
        });
        changes.collect()
    }

    /// Product of two changes, in units of `t σ`: the cones are about 1 away.
    pub(super) fn inner(&self, a: &[Pair<D>], b: &[Pair<D>]) -> f64 {
        let pairs = a.iter().zip(b);
        let sum: f64 = pairs.map(|(a, b)| a.impulse.dot(&b.impulse) + a.velocity.dot(&b.velocity)).sum();
        sum / self.target()
    }

    /// From scaled changes to those of impulses and velocities.
    pub(super) fn unscaled(&self, changes: &[Pair<D>]) -> Vec<Pair<D>> {
        let contacts = changes.iter().zip(&self.contacts).zip(&self.scaled);
        let unscaled = |((change, contact), scaled): ((&Pair<D>, &Contact<D>), &Scaled<D>)| Pair {
            impulse: scaled.right * contact.scaling.axes.tr_mul(&change.impulse),
            velocity: contact.scaling.velocity(&change.velocity),
        };
        contacts.map(unscaled).collect()
    }

    /// From changes of impulses and velocities to those scaled here.
    pub(super) fn scaled(&self, changes: &[Pair<D>]) -> Vec<Pair<D>> {
        let contacts = changes.iter().zip(&self.contacts);
        let scaled = |(change, contact): (&Pair<D>, &Contact<D>)| Pair {
            impulse: contact.scaling.scaled_impulse(&change.impulse),
            velocity: contact.scaling.scaled_velocity(&change.velocity),
        };
        contacts.map(scaled).collect()
    }

    /// Largest step along scaled changes within the cones, up to this limit.
    pub(super) fn largest_step(&self, changes: &[Pair<D>], limit: f64) -> f64 {
        changes.iter().zip(&self.contacts).fold(limit, |step, (change, contact)| {
            let step = contact.scaling.largest_step(&change.impulse, step);
            contact.scaling.largest_step(&change.velocity, step)
        })
    }

    pub(super) fn residual(&mut self) -> f64 {
        self.problem.residual_in(&self.place.r, &mut self.trail)
    }
}

/// Sizes of impulses, a fixed sequence for every seed.
fn sizes(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed + 1;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        (UNEQUAL * number).exp()
    })
}
