//! What a description says of a contact with this law.

use cosimo_mechanics::ContactLaw;
use cosimo_subsystem::{ContactSpec, PortAttachment};

/// The contact `name`, which acts at a port as its gap and its tangents do; without tangents there is no friction.
pub(crate) fn contact_spec(
    name: &str,
    law: &ContactLaw,
    (attachment, tangents): (Option<PortAttachment>, Vec<Option<PortAttachment>>),
) -> ContactSpec {
    let law = if tangents.is_empty() { law.without_friction() } else { *law };
    ContactSpec { name: name.to_owned(), law, attachment, tangents }
}
