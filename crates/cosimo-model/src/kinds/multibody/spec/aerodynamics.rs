//! The air on a rotor of the system.

use cosimo_aerodynamics::inflow::InflowModel;
use cosimo_aerodynamics::spec::{RotorSpec, SpecError};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::kinds::rotor_aerodynamics::shown;
use crate::spec::QuantityName;

/// The air on a rotor, in the equations of motion of the system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AerodynamicsSpec {
    name: String,
    #[serde(flatten)]
    frames: RotorFramesSpec,
    #[serde(flatten)]
    rotor: RotorSpec,
    #[serde(skip)]
    quantities: Vec<QuantityName>,
}

/// The bodies that carry the frames of a rotor.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RotorFramesSpec {
    /// The hub.
    pub hub: CarriedFrameSpec,
    /// The stations of each blade, from the root outwards.
    #[serde(rename = "frames")]
    pub blades: Vec<Vec<CarriedFrameSpec>>,
}

/// A frame of a rotor on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CarriedFrameSpec {
    /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
    pub body: usize,
    /// Origin in the body's frame (m). Default: zero.
    pub point: [f64; 3],
    /// A unit quaternion that turns vectors of the frame into vectors of the body. Default: `[1, 0, 0, 0]`.
    pub orientation: [f64; 4],
}

impl CarriedFrameSpec {
    /// The frame of a body.
    #[must_use]
    pub fn of(body: usize) -> Self {
        Self { body, point: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }
    }
}

/// As the body alone where it is the frame of the body.
impl Serialize for CarriedFrameSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::of(self.body) {
            return self.body.serialize(serializer);
        }
        let mut frame = serializer.serialize_struct("frame", 3)?;
        frame.serialize_field("body", &self.body)?;
        frame.serialize_field("point", &self.point)?;
        frame.serialize_field("orientation", &self.orientation)?;
        frame.end()
    }
}

impl Default for CarriedFrameSpec {
    fn default() -> Self {
        Self::of(0)
    }
}

impl AerodynamicsSpec {
    /// The air on this rotor, whose frames these bodies carry. The name is that of its quantities.
    ///
    /// # Errors
    /// The first rule that the rotor breaks, or frames that are not as many as it has.
    pub fn new(name: &str, rotor: RotorSpec, frames: RotorFramesSpec) -> Result<Self, SpecError> {
        let built = rotor.build()?;
        let wrong = |parameter, found: usize, rule| {
            Err(SpecError::OutOfRange { parameter, found: found as f64, rule })
        };
        if frames.blades.len() != rotor.blades {
            return wrong("number of entries of `frames`", frames.blades.len(), "one for every blade");
        }
        let stations = built.blade.stations();
        if let Some(blade) = frames.blades.iter().find(|blade| blade.len() != stations) {
            return wrong("number of frames of a blade", blade.len(), "that of its stations");
        }
        let quantities = shown(&built, &format!("{name}."), rotor.records_sections);
        Ok(Self { name: name.to_owned(), rotor, frames, quantities })
    }

    /// Name, that of its quantities before the dot.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rotor.
    #[must_use]
    pub fn rotor(&self) -> &RotorSpec {
        &self.rotor
    }

    /// Replaces an inflow of states by that in which theirs ends where the flow is steady and along the axis.
    pub(crate) fn settle_inflow(&mut self) {
        if self.rotor.inflow.is_dynamic() {
            self.rotor.inflow = InflowModel::Uniform;
        }
    }

    /// The bodies that carry it.
    #[must_use]
    pub fn frames(&self) -> &RotorFramesSpec {
        &self.frames
    }

    pub(crate) fn quantities(&self) -> &[QuantityName] {
        &self.quantities
    }
}
