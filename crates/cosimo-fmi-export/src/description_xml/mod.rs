//! The files of XML in an FMU.

mod parts;
mod v2;
mod v3;

use crate::description::{FmiVersion, UnitDescription};

pub(crate) use v3::terminals_and_icons;

/// `modelDescription.xml`.
pub(crate) fn model_description(version: FmiVersion, unit: &UnitDescription, token: &str) -> String {
    let root = match version {
        FmiVersion::V2 => v2::model_description(unit, token),
        FmiVersion::V3 => v3::model_description(unit, token),
    };
    root.document()
}
