//! Point masses on a line as subsystems of each kind. Up is `y`.

use std::fmt::Write as _;

use super::axes::{Combination, Kind, Law, Ports};
use super::lumps::{Pair, Side, Spring, Stop};

/// Names of the sides.
pub(super) const NAMES: [&str; 2] = ["a", "b"];

/// A side as a subsystem.
pub(super) fn subsystem(pair: &Pair, side: usize, combination: &Combination) -> String {
    let (what, kind) = (&pair.sides[side], combination.kinds[side]);
    let solver = combination.rules[side].solver(kind, !what.stops.is_empty());
    let mut text = format!("[[subsystem]]\nname = \"{}\"\nkind = \"{kind}\"\n", NAMES[side]);
    if kind != Kind::RigidBody {
        let _ = writeln!(text, "solver = {solver}");
    }
    if side == 1 && combination.micro_steps > 1 {
        let _ = writeln!(text, "micro_steps = {}", combination.micro_steps);
    }
    // Points of frames meet in the middle.
    let lever = if side == 0 { -0.5 } else { 0.5 } * pair.offset();
    text + &match kind {
        Kind::Node => node(what, pair.gravity, combination.ports),
        Kind::Linear => linear(what, pair.gravity, combination.ports),
        Kind::Planar => planar(what, pair.gravity, combination.ports),
        Kind::Multibody => multibody(what, pair.gravity, combination.ports, lever),
        Kind::RigidBody => rigid_body(what, pair.gravity, combination.ports, lever),
    }
}

/// The joint.
pub(super) fn interface(pair: &Pair, law: Law, ports: Ports) -> String {
    let law = match law {
        Law::Rigid => "law = \"rigid\"".to_owned(),
        Law::Tikhonov => format!("law = \"tikhonov\"\nconstant = {:e}", pair.small),
        Law::SoftTikhonov => format!("law = \"tikhonov\"\nconstant = {:e}", pair.soft),
        Law::Compliant => format!("law = \"compliant\"\nstiffness = {:e}", pair.stiffness),
    };
    let offset = match ports {
        Ports::Scalar => format!("offset = {:e}", pair.offset()),
        Ports::Point => format!("offset = [0.0, {:e}, 0.0]", pair.offset()),
        Ports::Frame => String::new(),
    };
    format!("[[interface]]\nname = \"joint\"\nbetween = [\"a.p\", \"b.p\"]\n{law}\n{offset}\n")
}

/// Labels of the heights and velocities of a side.
pub(super) fn labels(side: &Side, name: &str, kind: Kind) -> [Vec<String>; 2] {
    let of = |prefix: &str| {
        let label = |i: usize| match (kind, prefix) {
            (Kind::Node | Kind::RigidBody, _) => format!("{name}.{prefix}y"),
            (Kind::Linear, "") => format!("{name}.m{i}"),
            (Kind::Linear, _) => format!("{name}.v_m{i}"),
            (Kind::Planar | Kind::Multibody, _) => format!("{name}.m{i}.{prefix}y"),
        };
        (0..side.lumps.len()).map(label).collect()
    };
    [of(""), of("v")]
}

fn node(side: &Side, gravity: f64, ports: Ports) -> String {
    let lump = side.lumps[0];
    let mut text = format!(
        "mass = {:e}\ngravity = [0, {gravity:e}, 0]\nposition = [0, {:e}, 0]\nvelocity = [0, {:e}, 0]\n",
        lump.mass, lump.position, lump.velocity
    );
    text += "[[subsystem.port]]\nname = \"p\"\n";
    if ports == Ports::Scalar {
        text += "direction = [0, 1, 0]\n";
    }
    for (i, stop) in side.stops.iter().enumerate() {
        let _ = write!(
            text,
            "[[subsystem.plane]]\nname = \"stop{i}\"\npoint = [0, {:e}, 0]\nnormal = [0, {:?}, 0]\nrestitution = {:?}\n",
            stop.place,
            stop.normal(),
            stop.restitution
        );
    }
    text
}

fn linear(side: &Side, gravity: f64, ports: Ports) -> String {
    // A point is the joined mass with two more coordinates.
    let count = side.lumps.len() + if ports == Ports::Scalar { 0 } else { 2 };
    let of = |f: &dyn Fn(usize) -> f64, other: f64| {
        let values = (0..count).map(|i| if i < side.lumps.len() { f(i) } else { other });
        values.map(|x| format!("{x:e}")).collect::<Vec<_>>().join(", ")
    };
    let masses = of(&|i| side.lumps[i].mass, side.lumps[side.joined].mass);
    let forces = of(&|i| side.lumps[i].mass * gravity, 0.0);
    let names = (0..count).map(|i| format!("\"m{i}\"")).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "coordinates = [{names}]\nmass = [{masses}]\nforce = [{forces}]\nposition = [{}]\nvelocity = [{}]\n",
        of(&|i| side.lumps[i].position, 0.0),
        of(&|i| side.lumps[i].velocity, 0.0)
    );
    let (joined, first) = (side.joined, side.lumps.len());
    let coordinates = match ports {
        Ports::Scalar => format!("[{joined}]"),
        Ports::Point | Ports::Frame => format!("[{first}, {joined}, {}]", first + 1),
    };
    let _ = write!(text, "[[subsystem.port]]\nname = \"p\"\ncoordinates = {coordinates}\n");
    for spring in &side.springs {
        let ends = match spring.second {
            Some(second) => format!("between = [{}, {second}]", spring.first),
            None => format!("ground = {}", spring.first),
        };
        let Spring { stiffness, damping, rest, .. } = spring;
        let _ = write!(
            text,
            "[[subsystem.spring]]\n{ends}\nstiffness = {stiffness:e}\ndamping = {damping:e}\nrest = {rest:e}\n"
        );
    }
    for (i, stop) in side.stops.iter().enumerate() {
        let Stop { lump, place, restitution, .. } = stop;
        let normal = stop.normal();
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"stop{i}\"\nrow = {{ {lump} = {normal:?} }}\noffset = {:e}\nrestitution = {restitution:?}\n",
            normal * place
        );
    }
    text
}

/// The lower end of a spring to the ground is a metre below its rest; the one between masses has their distance as length.
fn spring_length(spring: &Spring) -> f64 {
    if spring.second.is_some() { spring.rest.abs() } else { 1.0 }
}

fn planar(side: &Side, gravity: f64, ports: Ports) -> String {
    let mut text = format!("gravity = [0, {gravity:e}]\n");
    for (i, lump) in side.lumps.iter().enumerate() {
        let _ = write!(
            text,
            "[[subsystem.body]]\nname = \"m{i}\"\nmass = {:e}\ninertia = {:e}\nposition = [0, {:e}]\nvelocity = [0, {:e}]\n",
            lump.mass,
            0.1 * lump.mass,
            lump.position,
            lump.velocity
        );
    }
    for spring in &side.springs {
        let second = match spring.second {
            Some(second) => format!("{{ body = \"m{second}\", point = [0, 0] }}"),
            None => format!("{{ body = \"ground\", point = [0, {:e}] }}", spring.rest - 1.0),
        };
        let _ = write!(
            text,
            "[[subsystem.spring]]\nbetween = [{{ body = \"m{}\", point = [0, 0] }}, {second}]\nstiffness = {:e}\ndamping = {:e}\nlength = {:e}\n",
            spring.first,
            spring.stiffness,
            spring.damping,
            spring_length(spring)
        );
    }
    for (i, stop) in side.stops.iter().enumerate() {
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"stop{i}\"\nbody = \"m{}\"\nplane = [0, {:e}]\nnormal = [0, {:?}]\nrestitution = {:?}\n",
            stop.lump,
            stop.place,
            stop.normal(),
            stop.restitution
        );
    }
    let _ = write!(text, "[[subsystem.port]]\nname = \"p\"\nbody = \"m{}\"\n", side.joined);
    if ports == Ports::Scalar {
        text += "direction = [0, 1]\n";
    }
    text
}

fn multibody(side: &Side, gravity: f64, ports: Ports, lever: f64) -> String {
    let mut text = format!("gravity = [0, {gravity:e}, 0]\n");
    for (i, lump) in side.lumps.iter().enumerate() {
        let inertia = 0.1 * lump.mass;
        let _ = write!(
            text,
            "[[subsystem.body]]\nname = \"m{i}\"\nmass = {:e}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
             position = [0, {:e}, 0]\nvelocity = [0, {:e}, 0]\n",
            lump.mass, lump.position, lump.velocity
        );
        // Guides, but for what other coordinates of the joint hold.
        if ports == Ports::Scalar {
            let _ = write!(
                text,
                "[[subsystem.joint]]\nname = \"guide{i}\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"m{i}\"]\nat = [0, {:e}, 0]\naxis = [0, 1, 0]\n",
                lump.position
            );
        }
    }
    for (i, spring) in side.springs.iter().enumerate() {
        let second = match spring.second {
            Some(second) => format!("{{ body = \"m{second}\" }}"),
            None => format!("{{ body = \"ground\", point = [0, {:e}, 0] }}", spring.rest - 1.0),
        };
        let _ = write!(
            text,
            "[[subsystem.force]]\nname = \"spring{i}\"\ntype = \"spring\"\nfirst = {{ body = \"m{}\" }}\nsecond = {second}\n\
             stiffness = {:e}\ndamping = {:e}\nlength = {:e}\n",
            spring.first,
            spring.stiffness,
            spring.damping,
            spring_length(spring)
        );
    }
    for (i, stop) in side.stops.iter().enumerate() {
        let _ = write!(
            text,
            "[[subsystem.contact]]\nname = \"stop{i}\"\ntype = \"sphere-plane\"\n\
             first = {{ body = \"ground\", point = [0, {:e}, 0], axis = [0, {:?}, 0] }}\nsecond = {{ body = \"m{}\" }}\nrestitution = {:?}\n",
            stop.place,
            stop.normal(),
            stop.lump,
            stop.restitution
        );
    }
    let _ = write!(text, "[[subsystem.port]]\nname = \"p\"\nbody = \"m{}\"\n", side.joined);
    text + &spatial_port(ports, lever)
}

fn rigid_body(side: &Side, gravity: f64, ports: Ports, lever: f64) -> String {
    let lump = side.lumps[0];
    let text = format!(
        "mass = {:e}\ninertia = {:e}\ngravity = [0, {gravity:e}, 0]\nposition = [0, {:e}, 0]\nvelocity = [0, {:e}, 0]\n\
         [[subsystem.port]]\nname = \"p\"\n",
        lump.mass,
        0.1 * lump.mass,
        lump.position,
        lump.velocity
    );
    text + &spatial_port(ports, lever)
}

fn spatial_port(ports: Ports, lever: f64) -> String {
    match ports {
        Ports::Scalar => "direction = [0, 1, 0]\n".to_owned(),
        Ports::Point => "coordinates = 3\n".to_owned(),
        Ports::Frame => format!("point = [0, {lever:e}, 0]\ncoordinates = 6\n"),
    }
}
