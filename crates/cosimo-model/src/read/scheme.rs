//! Reads a nonsmooth integrator, and checks it against the contacts.

use cosimo_impact::{ContactBlock, ContactCoefficients, ContactLayout, Scheme};
use cosimo_nonsmooth::ContactLaw;

use super::deserializer::read_value;
use super::reader::Reader;
use super::value::Value;
use crate::kinds::Kind;
use crate::spec::{SolverSpec, unknown_to_schemes};

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

/// Records contacts that the scheme does not take, and warns where impacts may create energy.
pub(super) fn check_scheme(subsystem: &Reader<'_>, kind: &dyn Kind, scheme: &Scheme) {
    let laws = kind.contact_laws();
    let span = subsystem.span("solver");
    let by_master = SolverSpec::Nonsmooth(*scheme).rule_of_scheme().is_some();
    for (index, law) in laws.iter().enumerate().filter(|_| !by_master) {
        let Some((what, key, way_out)) = unknown_to_schemes(law) else { continue };
        let items = subsystem.value("contact").and_then(|list| list.items("a list of tables"));
        let contact = items.and_then(|items| items.into_iter().nth(index));
        let of_contact = |key: &str| contact.as_ref().and_then(|contact| contact.member(key));
        let place = of_contact(key).as_ref().or(contact.as_ref()).map_or_else(|| span.clone(), Value::span);
        let name = of_contact("name").and_then(|name| name.as_text()).unwrap_or_default();
        let message = format!(
            "contact `{name}` of {} has {what}, which the scheme `{}` does not know",
            subsystem.what(),
            scheme.name()
        );
        subsystem.log().error_with_help(&place, message, way_out);
    }
    let block = |law: &ContactLaw| {
        let coefficients = ContactCoefficients { restitution: law.restitution, friction: law.friction };
        ContactBlock { touches: Vec::new(), coefficients }
    };
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
