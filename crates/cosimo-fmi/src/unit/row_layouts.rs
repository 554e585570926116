//! The scalars of rows, and the variables of their responses and of impulses on them.

use super::UnitError;
use super::names::{Element, Names};
use super::scalars::Scalars;

/// Scalars of rows, one per row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RowElements {
    pub(crate) loads: Vec<Element>,
    pub(crate) velocities: Vec<Element>,
    /// None of rotations, which are told by a quaternion, and of slips.
    pub(crate) positions: Vec<Option<Element>>,
}

impl RowElements {
    pub(crate) fn push(&mut self, load: Element, velocity: Element, position: Option<Element>) {
        self.loads.push(load);
        self.velocities.push(velocity);
        self.positions.push(position);
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.loads.extend(other.loads);
        self.velocities.extend(other.velocities);
        self.positions.extend(other.positions);
    }
}

/// The variables of the derivatives, by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AnswerLayout {
    pub(crate) loads: Scalars,
    /// Velocities of all rows, then positions of those that have some.
    pub(crate) motion: Scalars,
    /// Rows of the positions.
    pub(crate) position_rows: Vec<usize>,
}

impl AnswerLayout {
    /// Of these rows; none where one is no number of 64 bits.
    pub(crate) fn new(names: &Names<'_>, rows: &RowElements) -> Result<Option<Self>, UnitError> {
        let RowElements { loads, velocities, positions } = rows;
        let known = positions.iter().enumerate().filter_map(|(row, own)| Some((row, (*own)?)));
        let (position_rows, positions): (Vec<usize>, Vec<Element>) = known.unzip();
        let motion = Scalars::of(names, &[velocities.as_slice(), &positions].concat())?;
        let loads = Scalars::of(names, loads)?;
        Ok(loads.zip(motion).map(|(loads, motion)| Self { loads, motion, position_rows }))
    }
}

/// The variables of impulses, by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JumpLayout {
    pub(crate) clock: u32,
    pub(crate) impulses: Scalars,
    pub(crate) velocities: Scalars,
}

impl JumpLayout {
    /// Of rows with these impulses, set when this clock ticks, and these velocities.
    pub(crate) fn new(
        names: &Names<'_>,
        clock: u32,
        impulses: &[Element],
        velocities: &[Element],
    ) -> Result<Option<Self>, UnitError> {
        let (impulses, velocities) = (Scalars::of(names, impulses)?, Scalars::of(names, velocities)?);
        Ok(impulses.zip(velocities).map(|(impulses, velocities)| Self { clock, impulses, velocities }))
    }
}
