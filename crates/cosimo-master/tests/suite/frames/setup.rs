//! What is refused, and the names of what is recorded.

use cosimo_master::{Coupling, Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_native::{BodyPort, FreeBodyBuilder, PointMassBuilder, PointMassPort};
use cosimo_subsystem::Subsystem;
use nalgebra::{UnitQuaternion, Vector3};

use super::bodies::{pair, state};

fn bodies() -> Vec<Box<dyn Subsystem>> {
    let parts = pair(Vector3::zeros(), Vector3::zeros());
    let build = |(part, name): (&super::bodies::Part, &str)| {
        let frame = BodyPort::Frame { arm: part.arm, orientation: UnitQuaternion::identity() };
        let body = FreeBodyBuilder::new(name, part.body.clone()).with_initial_state(part.start);
        Box::new(body.with_port("hub", frame).build().unwrap()) as _
    };
    parts.iter().zip(["a", "b"]).map(build).collect()
}

fn refused(interface: Interface, config: MasterConfig) -> String {
    Master::new(bodies(), vec![interface], config, 0.0).unwrap_err().to_string()
}

#[test]
fn joints_that_frames_cannot_have_are_refused() {
    let joint = |law, offset: &[f64]| Interface::new("j", "a.hub", "b.hub", law).with_offset(offset.to_vec());
    let plain = MasterConfig::default();
    let apart = refused(joint(InterfaceLaw::Rigid, &[0.1, 0.0, 0.0, 0.0, 0.0, 0.0]), plain.clone());
    assert!(apart.contains("coincide"), "{apart}");
    let turned = refused(joint(InterfaceLaw::Rigid, &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]), plain.clone());
    assert!(turned.contains("half a turn"), "{turned}");
    let violated = refused(joint(InterfaceLaw::Rigid, &[]), plain.clone());
    assert!(violated.contains("gap"), "{violated}");
    let node = PointMassBuilder::new("n", 1.0).with_port("centre", PointMassPort::Centre).build().unwrap();
    let mut subsystems = bodies();
    subsystems.push(Box::new(node));
    let interface = Interface::new("j", "a.hub", "n.centre", InterfaceLaw::Rigid);
    let sizes = Master::new(subsystems, vec![interface], plain, 0.0).unwrap_err().to_string();
    assert!(sizes.contains("6 coordinates"), "{sizes}");
}

#[test]
fn recorded_quantities_have_units_of_forces_and_moments() {
    let law = InterfaceLaw::spring(1.0, 0.0, 6);
    let interface = Interface::new("j", "a.hub", "b.hub", law);
    let master = Master::new(bodies(), vec![interface], MasterConfig::default(), 0.0).unwrap();
    let labels = master.labels();
    let units = |name: &str| -> Vec<&str> {
        let own = labels.iter().filter(|label| label.owner == "j" && label.name.starts_with(name));
        own.map(|label| label.unit.as_str()).collect()
    };
    assert_eq!(units("force_"), ["N", "N", "N", "N m", "N m", "N m"]);
    assert_eq!(units("gap_"), ["m", "m", "m", "rad", "rad", "rad"]);
    assert_eq!(units("impulse_"), ["N s", "N s", "N s", "N m s", "N m s", "N m s"]);
}

/// Rungs that cannot carry an orientation refuse frames; the others find the same motion.
#[test]
fn rungs_that_cannot_carry_orientations_refuse_frames() {
    let interface = || Interface::new("j", "a.hub", "b.hub", InterfaceLaw::spring(1.0, 0.0, 6));
    let rejection = |config: MasterConfig| refused(interface(), config);
    let coupled =
        |coupling| MasterConfig { couplings: [("a".to_owned(), coupling)].into(), ..MasterConfig::default() };
    let explicit = rejection(coupled(Coupling::Explicit));
    assert!(explicit.contains("`hub` is a frame"), "{explicit}");
    let micro =
        rejection(MasterConfig { micro_steps: [("a".to_owned(), 2)].into(), ..MasterConfig::default() });
    assert!(micro.contains("`hub` is a frame"), "{micro}");
    let run = |coupling| {
        let mut master = Master::new(bodies(), vec![interface()], coupled(coupling), 0.0).unwrap();
        (0..200).for_each(|_| assert!(master.step(1e-2).is_ok()));
        state(&master, "a")
    };
    let [exact, differenced, learnt] =
        [Coupling::Exact, Coupling::Differenced, Coupling::QuasiNewton].map(run);
    for other in [differenced, learnt] {
        let apart = (other.position - exact.position).norm() + other.orientation.angle_to(&exact.orientation);
        assert!(apart < 1e-7, "{apart:e}");
    }
    assert!(exact.position.norm() > 0.1 && exact.orientation.angle() > 0.1);
}
