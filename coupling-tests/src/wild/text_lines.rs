//! Nodes, and linear systems whose coordinates are heights and, with friction, ways to the right.

use std::fmt::Write as _;

use super::draft::{Obstacle, ParsedModel, Side};
use super::text::{Ports, law_keys, list, unit};

pub(super) fn node(draft: &ParsedModel, side: &Side, ports: &Ports) -> String {
    let lump = &side.lumps[0];
    let [up, right] = lump.velocity;
    let mut text = format!(
        "mass = {:e}\nradius = {:e}\ngravity = [0.0, 0.0, {:e}]\nposition = [0.0, 0.0, {:e}]\nvelocity = [{right:e}, 0.0, {up:e}]\n",
        lump.mass, lump.radius, -draft.gravity, lump.height
    );
    let ports = ports.of(side);
    if ports.is_empty() {
        text += "port = []\n";
    }
    for port in &ports {
        let _ = writeln!(text, "[[subsystem.port]]\nname = \"{}\"", port.name);
        if !port.is_point {
            text += "direction = [0.0, 0.0, 1.0]\n";
        }
    }
    for (c, contact) in side.contacts.iter().enumerate() {
        let Obstacle::Plane(normal) = contact.obstacle else { continue };
        let ([x, z], displacement) = (unit(normal), contact.gap + lump.radius);
        let _ = write!(
            text,
            "[[subsystem.plane]]\nname = \"c{c}\"\npoint = [{:e}, 0.0, {:e}]\nnormal = [{x:e}, 0.0, {z:e}]\n{}",
            -displacement * x,
            lump.height - displacement * z,
            law_keys(contact)
        );
    }
    text
}

pub(super) fn linear(draft: &ParsedModel, side: &Side, ports: &Ports) -> String {
    let (lumps, count) = (&side.lumps, side.lumps.len());
    let slides = side.contacts.iter().any(|contact| contact.friction > 0.0);
    let both = |up: &dyn Fn(usize) -> f64, right: &dyn Fn(usize) -> f64| {
        let right = (0..if slides { count } else { 0 }).map(right);
        list((0..count).map(up).chain(right))
    };
    let mass = |i: usize| lumps[i].mass;
    let mut text = format!(
        "mass = {}\nforce = {}\nposition = {}\nvelocity = {}\n",
        both(&mass, &mass),
        both(&|i| -draft.gravity * lumps[i].mass, &|_| 0.0),
        both(&|i| lumps[i].height, &|_| 0.0),
        both(&|i| lumps[i].velocity[0], &|i| lumps[i].velocity[1])
    );
    for spring in &side.springs {
        let lump = spring.lump;
        let ends = if spring.is_grounded {
            format!("ground = {lump}")
        } else {
            format!("between = [{lump}, {}]", lump - 1)
        };
        let from = if spring.is_grounded { 0.0 } else { lumps[lump - 1].height };
        let rest = lumps[lump].height - from - spring.stretch;
        let _ = write!(
            text,
            "[[subsystem.spring]]\n{ends}\nstiffness = {:e}\ndamping = {:e}\nrest = {rest:e}\n",
            spring.stiffness, spring.damping
        );
    }
    for (c, contact) in side.contacts.iter().enumerate() {
        let (lump, mut tangent) = (contact.lump, format!("{} = 1.0", count + contact.lump));
        let height = lumps[lump].height;
        let (row, value) = match contact.obstacle {
            Obstacle::Plane([_, up]) => (format!("{lump} = {:e}", up.signum()), up.signum() * height),
            Obstacle::Below => {
                let _ = write!(tangent, ", {} = -1.0", count + lump - 1);
                (format!("{} = -1.0, {lump} = 1.0", lump - 1), height - lumps[lump - 1].height)
            }
        };
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"c{c}\"\nrow = {{ {row} }}\noffset = {:e}\n{}",
            value - contact.gap,
            law_keys(contact)
        );
        if contact.friction > 0.0 {
            let _ = writeln!(text, "tangents = [{{ {tangent} }}]");
        }
    }
    for port in ports.of(side) {
        let _ = write!(text, "[[subsystem.port]]\nname = \"{}\"\ncoordinates = [{}]\n", port.name, port.lump);
    }
    text
}
