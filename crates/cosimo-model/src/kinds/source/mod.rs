//! `kind = "source"`: signals that are functions of time.

pub(crate) mod read;

use cosimo_control::SourceBuilder;
use cosimo_mechanics::TimeFunction;
use cosimo_subsystem::Subsystem;
use serde::Serialize;

use super::{Kind, NamedTable};
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, SignalShape};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "source";

/// Outputs over time. It has neither ports nor inputs, and its solver has no effect.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SourceSpec {
    /// The outputs, at least one.
    #[serde(rename = "output")]
    pub outputs: Vec<SourceOutputSpec>,
}

/// An output of a source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceOutputSpec {
    /// Name, unique among the outputs.
    pub name: String,
    /// Unit. Default: none.
    pub unit: String,
    /// The value over time.
    pub value: TimeFunction,
}

impl Kind for SourceSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        Vec::new()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("gives the values of its functions")
    }

    fn outputs(&self) -> Vec<SignalShape> {
        self.outputs.iter().map(|output| SignalShape::output(&output.name, &output.unit)).collect()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        Vec::new()
    }

    fn tables(&self) -> Vec<NamedTable<'_>> {
        let outputs = self.outputs.iter().enumerate();
        let tables = outputs.filter_map(|(index, output)| match &output.value {
            TimeFunction::Curve(curve) => {
                let name = format!("`{}`", output.name);
                Some(NamedTable { key: "output", index, name, table: curve.table() })
            }
            _ => None,
        });
        tables.collect()
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        let start = SourceBuilder::new(frame.name).with_initial_time(frame.start_time);
        let all = self.outputs.iter().fold(start, |builder, output| {
            builder.with_output(&output.name, &output.unit, output.value.clone())
        });
        Ok(Box::new(all.build().map_err(BuildError::part(frame.name))?))
    }
}
