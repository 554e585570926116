//! The Delassus operator by its factors, `W = H M⁻¹ Hᵀ`, with a mass matrix of blocks, one per body.

use nalgebra::SMatrix;

use crate::friction::error::FrictionError;

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
    pub(super) diagonal: Vec<SMatrix<f64, D, D>>,
    /// Contacts of each body.
    pub(super) at_body: Vec<Vec<usize>>,
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
