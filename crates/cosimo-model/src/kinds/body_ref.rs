//! Bodies by their names.

use serde::Serialize;

use crate::toml::{Names, Reader, Value, find};

/// Name of the world frame where a body is expected.
pub(crate) const GROUND: &str = "ground";

/// What a point is fixed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum BodyRef {
    /// The world, `body = "ground"`.
    #[serde(rename = "ground")]
    Ground,
    /// The body of this index in the list of the subsystem, such as [`PlanarSpec::bodies`](crate::PlanarSpec::bodies).
    #[serde(untagged)]
    Body(usize),
}

/// The names of the bodies that points may belong to.
pub(crate) struct BodyNames<'b>(pub(crate) Vec<&'b str>);

impl BodyNames<'_> {
    /// The index of the body named by `body`, which must not be the ground.
    pub(crate) fn moving(&self, reader: &Reader<'_>) -> usize {
        let read = |value: &Value<'_>| self.moving_named(value);
        reader.entry("body", "the name of a body", read).required()
    }

    /// The index of the body that a value names, which must not be the ground.
    pub(crate) fn moving_named(&self, value: &Value<'_>) -> Option<usize> {
        find(value.log, &value.span(), "body", value.text()?, &self.0)
    }

    /// The body named by `body`, or the ground.
    pub(crate) fn any(&self, reader: &Reader<'_>) -> Option<BodyRef> {
        let read = |value: &Value<'_>| self.any_named(value);
        reader.entry("body", "the name of a body, or \"ground\"", read).required_option()
    }

    /// The body that a value names, or the ground.
    pub(crate) fn any_named(&self, value: &Value<'_>) -> Option<BodyRef> {
        let names = [&self.0[..], &[GROUND]].concat();
        let index = find(value.log, &value.span(), "body", value.text()?, &names)?;
        Some(if index < self.0.len() { BodyRef::Body(index) } else { BodyRef::Ground })
    }
}

/// Records a body that is called as the world, and that there is none at all.
pub(crate) fn check_bodies(reader: &Reader<'_>, names: &Names, are_there: bool) {
    if let Some(span) = names.span_of(GROUND) {
        reader.log().error(span, "the name `ground` stands for the world, a body must have another");
    }
    if !are_there {
        let message = format!("{} has no body", reader.what());
        reader.log().error_with_help(&reader.header(), message, "add at least one [[subsystem.body]]");
    }
}
