//! Which subsystem is meant.

use cosimo::model::{ModelSpec, SubsystemKind};

use crate::failure::Failure;

/// The multibody subsystem of this name, or the only one.
pub(super) fn subsystem<'m>(model: &'m ModelSpec, name: Option<&str>) -> Result<&'m str, Failure> {
    let is_multibody = |kind: &SubsystemKind| matches!(kind, SubsystemKind::Multibody(_));
    let all = model.subsystems.iter().filter(|own| is_multibody(&own.kind));
    let names: Vec<&str> = all.map(|own| own.name.as_str()).collect();
    let list = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let refuse = |reason: String| Err(Failure::bad_input(reason));
    match (name, &names[..]) {
        (_, []) => refuse("the model has no multibody subsystem, of which there could be modes".to_owned()),
        (None, [only]) => Ok(only),
        (None, _) => refuse(format!(
            "the model has several multibody subsystems: choose one of {} with --subsystem",
            list()
        )),
        (Some(name), _) => match names.iter().find(|own| **own == name) {
            Some(own) => Ok(own),
            None => refuse(format!("the model has no multibody subsystem `{name}`; there is {}", list())),
        },
    }
}
