//! Contacts of a body on which loads act that are found in passes: what a later pass closes joins the candidates.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_master::{Impacts, Interface, InterfaceLaw, LoadTangents, Master, MasterConfig};
use cosimo_mechanics::ContactLaw;
use cosimo_native::{ForceElement, ForceLaw, LawDerivatives, LawInstant, PointMassBuilder, PointMassPort};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_subsystem::PortSpec;
use nalgebra::Vector3;

const STEP: f64 = 1e-2;
const GAP: f64 = 1e-4;

/// Nothing in the first step, at the end of the second a force downwards: its first pass, which goes on from the loads before, does
/// not see it.
struct Blow;

impl ForceLaw for Blow {
    fn ports(&self) -> Vec<PortSpec> {
        vec![PortSpec::new("end", 1)]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        out[0] = if at.time > 1.5 * STEP { -200.0 } else { 0.0 };
    }

    fn derivatives(&self, _: &LawInstant<'_>, _: &mut LawDerivatives) {}
}

/// A ball that rises slowly from just above the floor when the blow comes.
fn ball(impacts: Impacts) -> Master {
    let floor = PlaneMotion::at_rest(Vector3::zeros(), Vector3::z());
    let node = PointMassBuilder::new("ball", 1.0)
        .with_initial_state(Vector3::new(0.0, 0.0, GAP), Vector3::new(0.0, 0.0, 0.01))
        .with_port("top", PointMassPort::Along(Vector3::z()))
        .with_plane(MovingPlane { name: "floor".into(), motion: floor, law: ContactLaw::frictionless(0.0) });
    let law = ForceElement::new("blow", Blow);
    let joint = Interface::new("link", "ball.top", "blow.end", InterfaceLaw::Load);
    let config = MasterConfig { impacts, load_tangents: LoadTangents::Never, ..MasterConfig::default() };
    Master::new(vec![Box::new(node.build().unwrap()), Box::new(law)], vec![joint], config, 0.0).unwrap()
}

/// Gap and its rate.
fn gap(master: &Master) -> [f64; 2] {
    let rows = master.subsystems()[0].rows();
    [rows.positions[1], rows.velocities[1]]
}

#[test]
fn a_contact_that_a_later_pass_alone_closes_is_caught_in_the_step() {
    for impacts in [Impacts::PLAIN, Impacts::SubStep] {
        let mut master = ball(impacts);
        for _ in 0..3 {
            master.step(STEP).unwrap();
            let [z, rate] = gap(&master);
            assert!(z > -1e-6 && rate > -1e-6, "{impacts:?}: {z} {rate}");
        }
    }
}
