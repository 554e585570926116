//! Reads a nonsmooth integrator, and checks it against the contacts.

use cosimo_impact::{ContactBlock, ContactLayout, Scheme};
use cosimo_mechanics::ContactLaw;

use crate::kinds::Kind;
use crate::toml::{Reader, Value, read_value};

/// Reads `{ scheme = NAME, … }`; `None` after mistakes.
pub(super) fn read_scheme(value: &Value<'_>) -> Option<Scheme> {
    let scheme: Scheme = read_value(value)?;
    match scheme.check_ranges() {
        Ok(()) => Some(scheme),
        Err(mistake) => {
            value.log.error(&value.span(), format!("{}: {mistake}", value.label));
            None
        }
    }
}

/// Refuses contacts that the scheme does not take, and warns where impacts may create energy.
pub(super) fn check_scheme(subsystem: &Reader<'_>, kind: &dyn Kind, scheme: &Scheme) {
    let laws = kind.contact_laws();
    let span = subsystem.span("solver");
    let block = |law: &ContactLaw| ContactBlock { touches: Vec::new(), law: *law };
    let dimension = if laws.iter().any(|law| law.friction > 0.0) { 3 } else { 1 };
    if let Err(mistake) = scheme.check(&ContactLayout::new(dimension, laws.iter().map(block).collect())) {
        subsystem.log().error(&span, format!("{} cannot be stepped: {mistake}", subsystem.what()));
        return;
    }
    if !kind.ports().is_empty()
        && let Err(mistake) = scheme.takes_outer_impulses()
    {
        subsystem.log().error(&span, format!("{} cannot be stepped: {mistake}", subsystem.what()));
        return;
    }
    let largest = laws.iter().fold(0.0_f64, |most, law| most.max(law.restitution));
    if let Some(warning) = scheme.warning(largest) {
        let help = "lower theta, use scheme = \"dissipative-moreau-jean\", or set dissipation = \"guaranteed\" to refuse such a theta";
        subsystem.log().warning(&span, format!("{}: {warning}", subsystem.what()), help);
    }
}
