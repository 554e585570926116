//! Writes a model as a model file.

use std::fmt::Write as _;

use super::super::matrix::axes::Kind;
use super::draft::{Joint, Law, ParsedModel, Side};
use super::{text_lines, text_planar, text_space};

/// The model file.
#[must_use]
pub fn text(draft: &ParsedModel) -> String {
    let mut text = format!(
        "schema = 1\n[time]\nend = {:e}\nstep = {:e}\n[master]\n{}",
        draft.step * f64::from(draft.steps),
        draft.step,
        draft.master
    );
    for (i, side) in draft.sides.iter().enumerate() {
        let _ = write!(text, "[[subsystem]]\nname = \"s{i}\"\nkind = \"{}\"\n", side.kind);
        if let Some(solver) = &side.solver {
            let _ = writeln!(text, "solver = {solver}");
        }
        let ports = Ports { lower: draft.joints[i], upper: draft.joints.get(i + 1).copied().flatten() };
        text += &match side.kind {
            Kind::Node => text_lines::node(draft, side, &ports),
            Kind::Linear => text_lines::linear(draft, side, &ports),
            Kind::Planar => text_planar::planar(draft, side, &ports),
            Kind::Multibody => text_space::multibody(draft, side, &ports),
            Kind::RigidBody => text_space::rigid_body(draft, side, &ports),
        };
    }
    for (i, joint) in draft.joints.iter().enumerate() {
        if let Some(joint) = joint {
            text += &interface(&draft.sides[i - 1], &draft.sides[i], i, joint);
        }
    }
    text
}

/// The joints of a subsystem.
pub(super) struct Ports {
    lower: Option<Joint>,
    upper: Option<Joint>,
}

/// A port of a subsystem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) lump: usize,
    pub(super) arm: f64,
    pub(super) is_point: bool,
}

impl Ports {
    pub(super) fn of(&self, side: &Side) -> Vec<Port> {
        let port = |name, lump, arm, joint: Joint| Port { name, lump, arm, is_point: joint.is_of_points };
        let lower = self.lower.map(|joint| port("lower", 0, joint.arms[1], joint));
        let upper = self.upper.map(|joint| port("upper", side.lumps.len() - 1, joint.arms[0], joint));
        lower.into_iter().chain(upper).collect()
    }
}

fn interface(below: &Side, above: &Side, i: usize, joint: &Joint) -> String {
    let law = match joint.law {
        Law::Rigid => "law = \"rigid\"".to_owned(),
        Law::Tikhonov(constant) => format!("law = \"tikhonov\"\nconstant = {constant:e}"),
        Law::Compliant(stiffness, damping) => {
            format!("law = \"compliant\"\nstiffness = {stiffness:e}\ndamping = {damping:e}")
        }
    };
    let rise = below.lumps[below.lumps.len() - 1].height - above.lumps[0].height;
    let offset = if joint.is_of_points {
        format!("[{:e}, 0.0, {rise:e}]", joint.arms[0] - joint.arms[1])
    } else {
        format!("{rise:e}")
    };
    format!(
        "[[interface]]\nname = \"j{i}\"\nbetween = [\"s{}.upper\", \"s{i}.lower\"]\n{law}\noffset = {offset}\n",
        i - 1
    )
}

/// The keys of the law of a contact.
pub(super) fn law_keys(contact: &super::draft::Contact) -> String {
    let mut keys = format!("restitution = {:e}\n", contact.restitution);
    if contact.friction > 0.0 {
        let _ = writeln!(keys, "friction = {:e}", contact.friction);
    }
    if contact.is_of_moreau {
        keys += "impact_law = \"moreau\"\n";
    }
    keys
}

/// A list of numbers.
pub(super) fn list(numbers: impl IntoIterator<Item = f64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|x| format!("{x:e}")).collect();
    format!("[{}]", numbers.join(", "))
}

/// A normal of length one.
pub(super) fn unit([right, up]: [f64; 2]) -> [f64; 2] {
    let length = right.hypot(up);
    [right / length, up / length]
}
