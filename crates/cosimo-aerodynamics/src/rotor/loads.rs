//! Loads of a rotor at an instant.

use nalgebra::{DVector, SMatrix, SVector, Vector3};

use super::forcing::{Forcing, FrameForcing};
use super::rotor::Rotor;
use super::state::{RotorMemory, RotorState};
use crate::blade::BladeLoads;
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::inflow::{Disk, Equations, UNKNOWNS};
use crate::section::{LAGS, Lags};

/// Loads of all blades at an instant, for given unknowns of the inflow.
#[derive(Debug, Clone)]
pub struct RotorLoads {
    /// Loads of each blade on its frames.
    pub blades: Vec<BladeLoads>,
    /// Mean and gradients of the induced velocity along the axes of the disk (m/s).
    pub field: SVector<f64, UNKNOWNS>,
    /// What lags behind, at the start of the step.
    pub(super) starts: Vec<Lags>,
    /// The disk, once there was an evaluation.
    pub(super) disk: Option<Disk>,
    /// From which direction in space its axes are counted: that of the first evaluation.
    reference: Option<Vector3<f64>>,
}

/// The equations of the inflow at an instant, with the derivatives that Newton's method and the tangents need.
#[derive(Debug, Clone, Copy)]
pub(super) struct InflowAt {
    pub(super) equations: Equations,
    pub(super) field: Equations,
    /// Of residuals or rates by the unknowns: what they do to the loads included.
    pub(super) by_unknowns: SMatrix<f64, UNKNOWNS, UNKNOWNS>,
}

/// Whether the lags of the sections are those of a state, or of the end of a step with half this size (s).
#[derive(Debug, Clone, Copy)]
pub(super) enum Held<'a> {
    State(&'a [[f64; LAGS]]),
    Step(f64),
}

impl RotorLoads {
    /// Room for the loads of a rotor.
    #[must_use]
    pub fn new(rotor: &Rotor) -> Self {
        Self {
            blades: vec![BladeLoads::new(&rotor.blade); rotor.blades],
            field: SVector::zeros(),
            starts: vec![Lags::default(); rotor.sections_with_memory()],
            disk: None,
            reference: None,
        }
    }

    /// The loads for this motion of the frames and these unknowns of the inflow; the equations of the inflow there.
    pub(super) fn evaluate(
        &mut self,
        rotor: &Rotor,
        frames: &[FrameMotion],
        time: f64,
        unknowns: &SVector<f64, UNKNOWNS>,
        held: Held<'_>,
    ) -> Result<InflowAt, AerodynamicError> {
        let reference = self.reference(rotor, &frames[0]);
        self.reference = Some(reference);
        let disk = rotor.disk((&frames[0], &reference), time)?;
        let field = rotor.inflow.field(&rotor.momentum, (&disk.flow, disk.sign), unknowns);
        self.field = field.value;
        let memory = match held {
            Held::State(sections) => RotorMemory::Held(sections),
            Held::Step(half) => RotorMemory::Stepped(&self.starts, half),
        };
        for (k, blade) in self.blades.iter_mut().enumerate() {
            let around = rotor.surroundings((&disk, time), field.value, memory.of_blade(rotor, k));
            blade.evaluate(&rotor.blade, &frames[rotor.frames_of(k)], &around)?;
        }
        let (forcing, by_field) = self.forcing(rotor, &disk, frames);
        let equations = rotor.inflow.linearised(&rotor.momentum, &disk.flow, unknowns, &forcing);
        let by_unknowns = equations.by_unknowns + equations.by_forcing * by_field * field.by_unknowns;
        self.disk = Some(disk);
        Ok(InflowAt { equations, field, by_unknowns })
    }

    fn forcing(&self, rotor: &Rotor, disk: &Disk, frames: &[FrameMotion]) -> Forcing {
        let (mut forcing, mut by_field) = (SVector::zeros(), SMatrix::zeros());
        for (b, blade) in self.blades.iter().enumerate() {
            for (k, frame) in frames[rotor.frames_of(b)].iter().enumerate() {
                let of_frame = FrameForcing::new(disk, rotor.momentum.radius, frame).by_force(disk);
                forcing += of_frame * blade.loads.fixed_rows::<3>(6 * k);
                by_field += of_frame * blade.by_field.fixed_view::<3, 3>(6 * k, 0);
            }
        }
        (forcing, by_field)
    }

    /// Writes the loads of all frames, six numbers each (N, N m): those of the hub are zero.
    pub fn write(&self, out: &mut [f64]) {
        out[..6].fill(0.0);
        let all = self.blades.iter().flat_map(|blade| blade.loads.iter());
        out[6..].iter_mut().zip(all).for_each(|(out, load)| *out = *load);
    }

    /// From which direction in space the axes of the disk are counted.
    pub(super) fn reference(&self, rotor: &Rotor, hub: &FrameMotion) -> Vector3<f64> {
        self.reference.unwrap_or_else(|| rotor.axes.reference_at(hub))
    }

    /// That direction as three numbers, which are zero before the first evaluation.
    pub(crate) fn saved_reference(&self) -> [f64; 3] {
        self.reference.map_or([0.0; 3], Into::into)
    }

    /// Takes these numbers back.
    pub(crate) fn restore_reference(&mut self, saved: [f64; 3]) {
        self.reference = Some(Vector3::from(saved)).filter(|saved| *saved != Vector3::zeros());
    }

    /// Keeps the lags of the evaluation as those at the start of a step.
    pub(super) fn keep_starts(&mut self) {
        let points = self.blades.iter().flat_map(|blade| &blade.points);
        for (start, point) in self.starts.iter_mut().zip(points) {
            *start = point.lags;
        }
    }

    /// Writes the state at the end of a step whose loads were found last, with the unknowns of the inflow there (m/s).
    pub fn write_state(&self, inflow: &Vector3<f64>, state: &mut RotorState) {
        state.inflow = *inflow;
        let points = self.blades.iter().flat_map(|blade| &blade.points);
        for (own, point) in state.sections.iter_mut().zip(points) {
            *own = point.lags.map(|[value, _]| value);
        }
    }

    /// Force and moment on frame `k` of a blade.
    pub(super) fn on_frame(loads: &DVector<f64>, k: usize) -> [Vector3<f64>; 2] {
        [loads.fixed_rows::<3>(6 * k).into_owned(), loads.fixed_rows::<3>(6 * k + 3).into_owned()]
    }
}
