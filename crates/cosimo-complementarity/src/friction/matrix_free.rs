//! The Delassus operator by its factors, `W = H M⁻¹ Hᵀ`, with a mass matrix of blocks, one a body.

use nalgebra::{SMatrix, SVector};

use super::scaled::ScaledBodies;
use super::{BlockMatrix, Delassus, FrictionError, ScaledSystem};

/// How a contact acts on a body of `B` degrees of freedom: its rows of `H`.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactArm<const D: usize, const B: usize> {
    /// Index of the body.
    pub body: usize,
    /// Contact velocities by those of the body.
    pub rows: SMatrix<f64, D, B>,
}

/// `W = H M⁻¹ Hᵀ` without forming it: memory and work grow with the number of contacts, however many of them meet at a
/// body. The trail of a sweep is the velocity that the impulses give the bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyDelassus<const D: usize, const B: usize> {
    bodies: usize,
    starts: Vec<usize>,
    arms: Vec<ContactArm<D, B>>,
    /// `M⁻¹ Hᵀ` of each arm.
    answers: Vec<SMatrix<f64, B, D>>,
    diagonal: Vec<SMatrix<f64, D, D>>,
    /// Contacts of each body.
    at_body: Vec<Vec<usize>>,
}

impl<const D: usize, const B: usize> BodyDelassus<D, B> {
    /// The operator of bodies with these inverse masses and contacts with these arms; a body that does not move has no
    /// arm.
    ///
    /// # Errors
    /// An arm at a body that is not there, or a number that is not finite.
    pub fn new(
        inverse_masses: &[SMatrix<f64, B, B>],
        contacts: impl IntoIterator<Item = Vec<ContactArm<D, B>>>,
    ) -> Result<Self, FrictionError> {
        let mut built = Self {
            bodies: inverse_masses.len(),
            starts: vec![0],
            arms: Vec::new(),
            answers: Vec::new(),
            diagonal: Vec::new(),
            at_body: vec![Vec::new(); inverse_masses.len()],
        };
        for (index, contact) in contacts.into_iter().enumerate() {
            let mut diagonal = SMatrix::zeros();
            for arm in contact {
                let inverse = inverse_masses.get(arm.body).ok_or(FrictionError::Body {
                    contact: index,
                    body: arm.body,
                    bodies: inverse_masses.len(),
                })?;
                let answer = inverse * arm.rows.transpose();
                if answer.iter().chain(arm.rows.iter()).any(|x| !x.is_finite()) {
                    return Err(FrictionError::NotFinite { quantity: "H", index });
                }
                diagonal += arm.rows * answer;
                built.at_body[arm.body].push(index);
                built.answers.push(answer);
                built.arms.push(arm);
            }
            built.diagonal.push(diagonal);
            built.starts.push(built.arms.len());
        }
        Ok(built)
    }

    /// Number of bodies.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// The pairs of bodies that meet in a contact, each with itself included, in the order of its arms.
    pub(crate) fn body_pairs(&self, contact: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let bodies = move || self.of_contact(contact).map(|(arm, _)| arm.body);
        bodies().flat_map(move |a| bodies().map(move |b| (a, b)))
    }

    #[inline]
    pub(crate) fn of_contact(
        &self,
        contact: usize,
    ) -> impl Iterator<Item = (&ContactArm<D, B>, &SMatrix<f64, B, D>)> {
        let range = self.starts[contact]..self.starts[contact + 1];
        self.arms[range.clone()].iter().zip(&self.answers[range])
    }
}

impl<const D: usize, const B: usize> Delassus<D> for BodyDelassus<D, B> {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn block(&self, contact: usize) -> SMatrix<f64, D, D> {
        self.diagonal[contact]
    }

    fn trail(&self) -> usize {
        self.bodies * B
    }

    fn start(&self, r: &[f64], trail: &mut [f64]) {
        trail.fill(0.0);
        for contact in 0..self.contacts() {
            self.follow(contact, &super::delassus::of_contact(r, contact), trail);
        }
    }

    #[inline]
    fn row(&self, contact: usize, _r: &[f64], trail: &[f64]) -> SVector<f64, D> {
        self.of_contact(contact).fold(SVector::zeros(), |sum, (arm, _)| {
            sum + arm.rows * super::delassus::of_contact::<B>(trail, arm.body)
        })
    }

    #[inline]
    fn follow(&self, contact: usize, change: &SVector<f64, D>, trail: &mut [f64]) {
        for (arm, answer) in self.of_contact(contact) {
            let velocity = super::delassus::of_contact::<B>(trail, arm.body) + answer * change;
            super::delassus::set_contact(trail, arm.body, &velocity);
        }
    }

    /// Through the bodies: the trail holds the sums of what each of them is given.
    fn largest_terms(&self, r: &[f64], trail: &mut [f64]) -> f64 {
        use super::delassus::{of_contact, set_contact};
        trail.fill(0.0);
        for contact in 0..self.contacts() {
            let impulse = of_contact::<D>(r, contact).abs();
            for (arm, answer) in self.of_contact(contact) {
                let sum = of_contact::<B>(trail, arm.body) + answer.abs() * impulse;
                set_contact(trail, arm.body, &sum);
            }
        }
        let terms = |contact: usize| {
            let arms = self.of_contact(contact);
            let of_arm = arms.map(|(arm, _)| arm.rows.abs() * of_contact::<B>(trail, arm.body));
            of_arm.sum::<SVector<f64, D>>().max()
        };
        (0..self.contacts()).map(terms).fold(0.0, f64::max)
    }

    fn between(&self, contact: usize, other: usize) -> SMatrix<f64, D, D> {
        let mut block = SMatrix::zeros();
        for (arm, _) in self.of_contact(contact) {
            let shared = self.of_contact(other).filter(|(theirs, _)| theirs.body == arm.body);
            block = shared.fold(block, |sum, (_, answer)| sum + arm.rows * answer);
        }
        block
    }

    fn neighbours(&self, contact: usize, found: &mut Vec<usize>) {
        found.extend(self.of_contact(contact).flat_map(|(arm, _)| &self.at_body[arm.body]));
    }

    fn to_blocks(&self) -> BlockMatrix<D> {
        let mut of_body = vec![Vec::new(); self.bodies];
        for contact in 0..self.contacts() {
            for (arm, answer) in self.of_contact(contact) {
                of_body[arm.body].push((contact, arm.rows, answer));
            }
        }
        let pairs =
            of_body.iter().flat_map(|all| all.iter().flat_map(move |a| all.iter().map(move |b| (a, b))));
        let entries = pairs.flat_map(|((i, rows, _), (j, _, answer))| {
            let block = rows * *answer;
            (0..D * D).map(move |k| (i * D + k % D, j * D + k / D, block[(k % D, k / D)]))
        });
        BlockMatrix::gather(self.contacts(), entries.collect())
    }

    fn scaled(&self) -> Box<dyn ScaledSystem<D> + '_> {
        Box::new(ScaledBodies::new(self))
    }
}
