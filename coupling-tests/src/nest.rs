//! Models of which a part is a model of its own.

use cosimo::composite::Composite;
use cosimo::master::{Assembly, Master};
use cosimo::model::ModelSpec;

/// Name of the composite that holds the part.
pub const NEST: &str = "nest";

/// The composite of the subsystems of these names with all that joins them, and the rest of the model, in which names lead into the composite.
#[must_use]
pub fn nested_parts(model: &ModelSpec, inside: &[&str]) -> (Composite, Assembly) {
    let is_inside = |name: &str| inside.contains(&name);
    let (mut inner, mut outer) = (Assembly::default(), Assembly::default());
    for subsystem in model.build_subsystems().unwrap_or_else(|e| panic!("{e}")) {
        let side = if is_inside(&subsystem.description().name) { &mut inner } else { &mut outer };
        side.subsystems.push(subsystem);
    }
    let led = |end: &(String, String)| (NEST.to_owned(), format!("{}.{}", end.0, end.1));
    for mut joint in model.build_interfaces() {
        let ends = [&joint.a.0, &joint.b.0].map(|name| is_inside(name));
        if ends == [true, true] {
            inner.interfaces.push(joint);
            continue;
        }
        for (end, is_inside) in [&mut joint.a, &mut joint.b].into_iter().zip(ends) {
            if is_inside {
                if !inner.open.contains(end) {
                    inner.open.push(end.clone());
                }
                *end = led(end);
            }
        }
        outer.interfaces.push(joint);
    }
    for mut connection in model.build_connections() {
        let ends = [&connection.from.0, &connection.to.0].map(|name| is_inside(name));
        if ends == [true, true] {
            inner.connections.push(connection);
            continue;
        }
        for (end, is_inside) in [&mut connection.from, &mut connection.to].into_iter().zip(ends) {
            if is_inside {
                *end = led(end);
            }
        }
        outer.connections.push(connection);
    }
    let composite = Composite::new(NEST, inner, model.build_config(), (model.time.start, model.time.step));
    (composite.unwrap_or_else(|e| panic!("{e}")), outer)
}

/// The model with these subsystems in a composite.
#[must_use]
pub fn nested(model: &ModelSpec, inside: &[&str]) -> Master {
    let (composite, mut outer) = nested_parts(model, inside);
    outer.subsystems.push(Box::new(composite));
    Master::assemble(outer, model.build_config(), model.time.start).unwrap_or_else(|e| panic!("{e}"))
}
