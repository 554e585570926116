//! Bodies in a plane.

use std::fmt::Write as _;

use super::draft::{Obstacle, ParsedModel, Side};
use super::text::{Ports, law_keys, unit};

/// Length of a spring to the ground (m).
pub(super) const GROUND: f64 = 1.0;

pub(super) fn planar(draft: &ParsedModel, side: &Side, ports: &Ports) -> String {
    let mut text = format!("gravity = [0.0, {:e}]\n", -draft.gravity);
    for (i, lump) in side.lumps.iter().enumerate() {
        let [up, right] = lump.velocity;
        let _ = write!(
            text,
            "[[subsystem.body]]\nname = \"b{i}\"\nmass = {:e}\ninertia = {:e}\nposition = [0.0, {:e}]\nvelocity = [{right:e}, {up:e}]\n\
             angular_velocity = {:e}\n",
            lump.mass,
            lump.inertia(),
            lump.height,
            lump.spin
        );
    }
    for spring in &side.springs {
        let (i, arm) = (spring.lump, spring.arm);
        let height = side.lumps[i].height;
        let (other, rise) = if spring.is_grounded {
            (format!("{{ body = \"ground\", point = [{arm:e}, {:e}] }}", height - GROUND), GROUND)
        } else {
            let rise = height - side.lumps[i - 1].height;
            (format!("{{ body = \"b{}\", point = [{arm:e}, 0.0] }}", i - 1), rise)
        };
        let _ = write!(
            text,
            "[[subsystem.spring]]\nbetween = [{{ body = \"b{i}\", point = [{arm:e}, 0.0] }}, {other}]\n\
             stiffness = {:e}\ndamping = {:e}\nlength = {:e}\n",
            spring.stiffness,
            spring.damping,
            rise - spring.stretch
        );
    }
    for (c, contact) in side.contacts.iter().enumerate() {
        let Obstacle::Plane(normal) = contact.obstacle else { continue };
        let ([x, y], lump) = (unit(normal), &side.lumps[contact.lump]);
        let arm = if c % 2 == 0 { 0.0 } else { lump.radius };
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"c{c}\"\nbody = \"b{}\"\npoint = [{arm:e}, 0.0]\nplane = [{:e}, {:e}]\nnormal = [{x:e}, {y:e}]\n{}",
            contact.lump,
            arm - contact.gap * x,
            lump.height - contact.gap * y,
            law_keys(contact)
        );
    }
    for port in ports.of(side) {
        let _ = write!(
            text,
            "[[subsystem.port]]\nname = \"{}\"\nbody = \"b{}\"\npoint = [{:e}, 0.0]\ndirection = [0.0, 1.0]\n",
            port.name, port.lump, port.arm
        );
    }
    text
}
