//! Reads a force law.

use cosimo_native::{BoucWen, QuadraticDrag, SpringDamper};
use serde::{Deserialize, Serialize};

use super::ForceLawSpec;
use crate::kinds::{ParsedModel, Start};
use crate::toml::Reader;

/// Name of a law.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawName {
    #[default]
    QuadraticDrag,
    SpringDamper,
    BoucWen,
}

/// Reads the keys of a force law.
pub(crate) fn read(reader: &Reader<'_>, _start: &Start) -> ParsedModel<ForceLawSpec> {
    let law = match reader.choice::<LawName>("law").required() {
        LawName::QuadraticDrag => ForceLawSpec::QuadraticDrag(QuadraticDrag {
            coefficient: reader.number("coefficient").not_negative().required(),
            size: reader.count("coordinates").check("1 or 3", |count| [1, 3].contains(count)).or(1) as usize,
        }),
        LawName::SpringDamper => ForceLawSpec::SpringDamper(SpringDamper {
            stiffness: reader.number("stiffness").not_negative().required(),
            damping: reader.number("damping").not_negative().or(0.0),
            rest: reader.number("rest").or(0.0),
            has_other_end: read_ends(reader),
        }),
        LawName::BoucWen => ForceLawSpec::BoucWen(BoucWen {
            stiffness: reader.number("stiffness").positive().required(),
            hardening: reader.number("hardening").within(0.0, 1.0).required(),
            damping: reader.number("damping").not_negative().or(0.0),
            amplitude: reader.number("amplitude").positive().or(1.0),
            beta: reader.number("beta").not_negative().required(),
            gamma: reader.number("gamma").required(),
            exponent: reader.number("exponent").check("at least 1", |n| *n >= 1.0).or(1.0),
            has_other_end: read_ends(reader),
        }),
    };
    ParsedModel { kind: law, has_all_names: true }
}

/// `ends`: 2 by default; with 1 the other end of the law is fixed at zero.
fn read_ends(reader: &Reader<'_>) -> bool {
    reader.count("ends").check("1 or 2", |count| [1, 2].contains(count)).or(2) == 2
}
