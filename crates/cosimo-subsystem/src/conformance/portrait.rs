//! Everything that shows of a subsystem, to be compared bit for bit.

use cosimo_scene::Sight;

use crate::{LoadResponse, RowMatrix, Snapshot, StepResponse, Subsystem, SubsystemError};

use super::report::{Found, ensure};

/// Named numbers, and the saved bytes where there are any.
#[derive(Debug, Clone)]
pub(super) struct Portrait {
    parts: Vec<(&'static str, Vec<f64>)>,
    saved: Option<Snapshot>,
}

impl Portrait {
    /// What shows of the present state.
    pub(super) fn of(subsystem: &dyn Subsystem) -> Result<Self, SubsystemError> {
        let description = subsystem.description();
        let mut observed = vec![f64::NAN; description.quantities.len()];
        subsystem.observe(&mut observed);
        let mut sight = Sight::default();
        subsystem.look(&vec![0.0; description.rows()], &mut sight)?;
        let poses =
            sight.poses.iter().flat_map(|own| own.position.iter().chain(own.orientation.coords.iter()));
        let poses = poses.copied().collect();
        let (rows, energy) = (subsystem.rows(), subsystem.energy());
        let saved = match description.capabilities.can_roll_back {
            true => Some(subsystem.save()?),
            false => None,
        };
        let parts = vec![
            ("row position", rows.positions.clone()),
            ("row velocity", rows.velocities.clone()),
            ("orientation", rows.orientations.iter().flat_map(|q| q.coords.iter().copied()).collect()),
            ("absent contact", rows.absent.iter().map(|absent| f64::from(*absent)).collect()),
            ("body of a contact", rows.holders.iter().flatten().map(|body| f64::from(*body)).collect()),
            ("energy", vec![energy.kinetic, energy.potential]),
            ("quantity", observed),
            ("number of a pose", poses),
        ];
        Ok(Self { parts, saved })
    }

    /// What shows of a response, its revision excepted.
    pub(super) fn of_response(response: &StepResponse) -> Self {
        let mut parts =
            vec![("end position", response.positions.clone()), ("end velocity", response.velocities.clone())];
        parts.append(&mut Self::of_matrices(response).parts);
        Self { parts, saved: None }
    }

    /// What the revision of a response stands for.
    pub(super) fn of_matrices(response: &StepResponse) -> Self {
        let w = response.weights;
        let parts = vec![
            ("inverse mass entry", entries(&response.inverse_mass)),
            ("damped inverse mass entry", entries(&response.damped_inverse_mass)),
            ("move mass entry", entries(&response.move_mass)),
            ("weight", vec![w.end, w.start, w.position, w.damping]),
        ];
        Self { parts, saved: None }
    }

    /// What shows of an answer of load ports.
    pub(super) fn of_loads(response: &LoadResponse) -> Self {
        let parts = vec![
            ("load at the start", response.start.clone()),
            ("load at the end", response.end.clone()),
            ("position tangent", entries(&response.position_tangent)),
            ("velocity tangent", entries(&response.velocity_tangent)),
        ];
        Self { parts, saved: None }
    }

    /// The first difference, in words.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        for ((name, a), (_, b)) in self.parts.iter().zip(&other.parts) {
            if a.len() != b.len() {
                return Some(format!("there are {} times `{name}` instead of {}", b.len(), a.len()));
            }
            let mut pairs = a.iter().zip(b).enumerate();
            if let Some((i, (a, b))) = pairs.find(|(_, (a, b))| a.to_bits() != b.to_bits()) {
                return Some(format!("{name} {i} is {b:e} instead of {a:e} (difference {:e})", b - a));
            }
        }
        (self.saved != other.saved).then(|| "the saved bytes differ".to_owned())
    }

    /// The rule is broken when `found` is not the same.
    pub(super) fn ensure_same(&self, found: &Self, when: impl Fn() -> String) -> Found {
        match self.difference(found) {
            None => Ok(()),
            Some(difference) => ensure(false, || format!("{}: {difference}", when())),
        }
    }
}

fn entries(matrix: &RowMatrix) -> Vec<f64> {
    matrix.stored().map(|(_, x)| x).collect()
}
