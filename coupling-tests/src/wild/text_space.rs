//! Bodies in space.

use std::fmt::Write as _;

use super::draft::{Contact, Lump, Obstacle, ParsedModel, Side};
use super::text::{Port, Ports, law_keys, unit};
use super::text_planar::GROUND;

pub(super) fn multibody(draft: &ParsedModel, side: &Side, ports: &Ports) -> String {
    let mut text = format!("gravity = [0.0, 0.0, {:e}]\n", -draft.gravity);
    for (i, lump) in side.lumps.iter().enumerate() {
        let _ = write!(text, "[[subsystem.body]]\nname = \"b{i}\"\n{}", motion(lump));
    }
    for (s, spring) in side.springs.iter().enumerate() {
        let (i, arm) = (spring.lump, spring.arm);
        let height = side.lumps[i].height;
        let (other, rise) = if spring.is_grounded {
            (format!("{{ body = \"ground\", point = [{arm:e}, 0.0, {:e}] }}", height - GROUND), GROUND)
        } else {
            let rise = height - side.lumps[i - 1].height;
            (format!("{{ body = \"b{}\", point = [{arm:e}, 0.0, 0.0] }}", i - 1), rise)
        };
        let _ = write!(
            text,
            "[[subsystem.force]]\nname = \"f{s}\"\ntype = \"spring\"\nfirst = {{ body = \"b{i}\", point = [{arm:e}, 0.0, 0.0] }}\n\
             second = {other}\nstiffness = {:e}\ndamping = {:e}\nlength = {:e}\n",
            spring.stiffness,
            spring.damping,
            rise - spring.stretch
        );
    }
    for (c, contact) in side.contacts.iter().enumerate() {
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"c{c}\"\n{}{}",
            shape(side, contact),
            law_keys(contact)
        );
    }
    for port in ports.of(side) {
        let _ = write!(
            text,
            "[[subsystem.port]]\nname = \"{}\"\nbody = \"b{}\"\n{}",
            port.name,
            port.lump,
            port_place(&port)
        );
    }
    text
}

pub(super) fn rigid_body(draft: &ParsedModel, side: &Side, ports: &Ports) -> String {
    let mut text = format!("gravity = [0.0, 0.0, {:e}]\n{}", -draft.gravity, motion(&side.lumps[0]));
    for port in ports.of(side) {
        let _ = write!(text, "[[subsystem.port]]\nname = \"{}\"\n{}", port.name, port_place(&port));
    }
    text
}

fn motion(lump: &Lump) -> String {
    let ([up, right], inertia) = (lump.velocity, lump.inertia());
    format!(
        "mass = {:e}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\nposition = [0.0, 0.0, {:e}]\nvelocity = [{right:e}, 0.0, {up:e}]\n\
         angular_velocity = [0.0, {:e}, 0.0]\n",
        lump.mass, lump.height, lump.spin
    )
}

fn port_place(port: &Port) -> String {
    let shape = if port.is_point { "coordinates = 3" } else { "direction = [0.0, 0.0, 1.0]" };
    format!("point = [{:e}, 0.0, 0.0]\n{shape}\n", port.arm)
}

fn shape(side: &Side, contact: &Contact) -> String {
    let (i, lump) = (contact.lump, &side.lumps[contact.lump]);
    match contact.obstacle {
        Obstacle::Plane(normal) => {
            let ([x, z], displacement) = (unit(normal), contact.gap + lump.radius);
            format!(
                "type = \"sphere-plane\"\nfirst = {{ body = \"ground\", point = [{:e}, 0.0, {:e}], axis = [{x:e}, 0.0, {z:e}] }}\n\
                 second = {{ body = \"b{i}\" }}\nradius = {:e}\n",
                -displacement * x,
                lump.height - displacement * z,
                lump.radius
            )
        }
        Obstacle::Below => {
            let between = lump.height - side.lumps[i - 1].height - contact.gap;
            let below = 0.4 * between;
            format!(
                "type = \"sphere-sphere\"\nfirst = {{ body = \"b{}\" }}\nsecond = {{ body = \"b{i}\" }}\nradii = [{below:e}, {:e}]\n",
                i - 1,
                between - below
            )
        }
    }
}
