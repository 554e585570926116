//! What ports and laws of an interface cannot do together.

use cosimo_fmi::description::InnerImpacts;

use super::ports::{Joint, Ports};
use crate::spec::{LawSpec, PortRef};
use crate::toml::Reader;

/// What is wrong with a joint to a unit whose contacts pass it nothing.
pub(super) const KEEP_IMPACTS: &str =
    "contacts inside the FMU or model at it keep their impulses to themselves";
/// The ways out.
pub(super) const KEPT_IMPACTS_HELP: &str = "for a rigid joint set impacts = \"plain\" in that model, or export the FMU with it; let the master carry the contacts, \
     where the FMU offers that (FMI 3, ports by its terminals, contacts = \"master\"); or use \"compliant\"";

/// The ports of a model.
pub(super) struct InterfaceRules<'p, 'd> {
    pub(super) ports: &'p Ports<'d>,
}

impl InterfaceRules<'_, '_> {
    /// Records what the ports of a joint cannot do with its law.
    pub(super) fn check(
        &self,
        interface: &Reader<'_>,
        name: &str,
        joint: &Joint,
        (law, offset): (&LawSpec, &[f64]),
    ) {
        if let Some(between) = joint.between() {
            self.check_load_ports(interface, name, between, (law, offset));
            self.check_kept_impacts(interface, name, between, law);
            self.check_flat_ports(interface, name, between, law);
            self.check_frames(interface, name, between, (law, offset));
            self.check_placement(interface, name, between, (law, offset));
        }
    }

    /// Records a mistake if an instance turns or mirrors an interface whose numbers are not the same in all directions. Those of frames are
    /// in axes that turn with the instance.
    fn check_placement(
        &self,
        interface: &Reader<'_>,
        name: &str,
        between: [PortRef; 2],
        (law, offset): (&LawSpec, &[f64]),
    ) {
        let placement = interface.placement();
        let turns_with_it =
            between.map(|port| self.ports.is_frame(port)) == [true; 2] && !placement.is_mirrored();
        if placement.keeps_directions() || turns_with_it || offset.len() == 1 {
            return;
        }
        let has_directions = match law {
            LawSpec::Compliant { stiffness, damping } => {
                !(stiffness.is_isotropic() && damping.is_isotropic())
            }
            LawSpec::Rigid | LawSpec::Tikhonov { .. } | LawSpec::Load => false,
        };
        if has_directions || offset.iter().any(|x| *x != 0.0) {
            let message = format!(
                "interface `{name}` has other numbers in other directions, and its instance is turned or mirrored"
            );
            let help = "give the same stiffness and damping in all directions and no offset; or write the interface outside of the template";
            interface.log().error_with_help(&interface.header(), message, help);
        }
    }

    /// Records a mistake if the law does not fit the causality of the ports.
    fn check_load_ports(
        &self,
        interface: &Reader<'_>,
        name: &str,
        between: [PortRef; 2],
        (law, offset): (&LawSpec, &[f64]),
    ) {
        let is_load = |port| self.ports.shape(port).is_some_and(|port| port.is_load);
        let mistake = match (between.map(is_load), law) {
            ([true, true], _) => Some((
                "between",
                "joins two load ports, neither of which moves".to_owned(),
                "join each to a port of a subsystem with mass",
            )),
            ([true, false] | [false, true], LawSpec::Load) if offset.iter().any(|x| *x != 0.0) => Some((
                "offset",
                "has an offset, which a load port does not take".to_owned(),
                "leave it out; the law sees the motion of the port as it is",
            )),
            ([false, false], LawSpec::Load) => Some((
                "law",
                "has law = \"load\", but neither port is a load port".to_owned(),
                "use \"compliant\", \"rigid\" or \"tikhonov\"",
            )),
            ([true, false] | [false, true], law) if *law != LawSpec::Load => Some((
                "law",
                format!("is {}, but one of its ports is a load port, which holds nothing", law.name()),
                "use law = \"load\"",
            )),
            _ => None,
        };
        if let Some((key, what, help)) = mistake {
            interface.log().error_with_help(&interface.span(key), format!("interface `{name}` {what}"), help);
        }
    }

    /// Records a mistake if a joint that passes impulses holds a unit whose contacts keep theirs to themselves. Captured ones are momenta, which
    /// rigid joints pass on; a Tikhonov joint gives way to them.
    fn check_kept_impacts(&self, interface: &Reader<'_>, name: &str, between: [PortRef; 2], law: &LawSpec) {
        let keeps = |port: &PortRef| {
            let kept = self.ports.shape(*port).and_then(|port| port.kept_impacts);
            match law {
                LawSpec::Rigid => kept == Some(InnerImpacts::AtInstants),
                LawSpec::Tikhonov { .. } => kept.is_some(),
                _ => false,
            }
        };
        if between.iter().any(keeps) {
            let message = format!("interface `{name}` is {}, and {KEEP_IMPACTS}", law.name());
            interface.log().error_with_help(&interface.span("law"), message, KEPT_IMPACTS_HELP);
        }
    }

    /// Records a mistake if a rigid interface joins two points that cannot leave their plane: the force across it is
    /// not determined.
    fn check_flat_ports(&self, interface: &Reader<'_>, name: &str, between: [PortRef; 2], law: &LawSpec) {
        if *law != LawSpec::Rigid || !between.iter().all(|port| self.ports.is_flat(*port)) {
            return;
        }
        let message = format!(
            "interface `{name}` joins two points of rigid bodies in a plane, which cannot be held together across it"
        );
        let help = "give each body two ports of one `direction`, [1, 0] and [0, 1], and join them in pairs";
        interface.log().error_with_help(&interface.span("law"), message, help);
    }

    /// Records a mistake if a frame is joined to what is none, or two frames rigidly at points that do not coincide.
    fn check_frames(
        &self,
        interface: &Reader<'_>,
        name: &str,
        between: [PortRef; 2],
        (law, offset): (&LawSpec, &[f64]),
    ) {
        match between.map(|port| self.ports.is_frame(port)) {
            [false, false] => {}
            [true, true] => {
                let is_apart = offset.iter().take(3).any(|x| *x != 0.0);
                if is_apart && !matches!(law, LawSpec::Compliant { .. }) {
                    refuse_distance(interface, name);
                }
            }
            _ => {
                let message = format!(
                    "interface `{name}` joins a frame, which may turn by any angle, to small rotations"
                );
                let help = "join two frames of bodies, or points of 3 coordinates";
                interface.log().error_with_help(&interface.span("between"), message, help);
            }
        }
    }
}

fn refuse_distance(interface: &Reader<'_>, name: &str) {
    let message = format!("interface `{name}` joins two frames rigidly at points that do not coincide");
    let help = "the first three entries of the offset must be zero; move the point of a port";
    interface.log().error_with_help(&interface.span("offset"), message, help);
}
