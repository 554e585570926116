//! What the master refuses before the first step, and in what words.

use crate::models::{bouncing_mass, floating_mass, mass};
use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{StepRule, Theta};
use cosimo_master::{
    Acceleration, Impacts, InitialState, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Scheme,
    SetupError,
};
use cosimo_subsystem::Subsystem;
use nalgebra::dmatrix;

fn theta(name: &str, height: f64) -> Box<dyn Subsystem> {
    mass(name, 1.0, height, Box::new(Theta::default()))
}

fn couple(subsystems: Vec<Box<dyn Subsystem>>, interfaces: Vec<Interface>) -> Result<Master, SetupError> {
    Master::new(subsystems, interfaces, MasterConfig::default(), 0.0)
}

fn rigid(a: &str, b: &str) -> Interface {
    Interface::new("joint", a, b, InterfaceLaw::Rigid)
}

#[test]
fn unknown_ports_are_named_with_those_there_are() {
    let error = couple(vec![theta("a", 1.0), theta("b", 1.0)], vec![rigid("a.end", "b.tip")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "interface `joint` joins `b.tip`, which does not exist; there are: a.end, b.end"
    );
}

#[test]
fn interfaces_share_a_port() {
    let subsystems = vec![theta("a", 1.0), theta("b", 1.0), theta("c", 1.0)];
    let other = Interface::new("other", "c.end", "a.end", InterfaceLaw::Rigid);
    couple(subsystems, vec![rigid("a.end", "b.end"), other]).unwrap();
}

#[test]
fn names_are_unique() {
    let error = couple(vec![theta("a", 1.0), theta("a", 1.0)], vec![]).unwrap_err();
    assert!(matches!(error, SetupError::DuplicateName { name } if name == "a"));
}

#[test]
fn the_name_of_the_quantities_of_all_contacts_is_refused() {
    let error = couple(vec![theta("contacts", 1.0)], vec![]).unwrap_err();
    assert!(matches!(&error, SetupError::ReservedName { name } if name == "contacts"), "{error}");
    let joint = Interface::new("contacts", "a.end", "b.end", InterfaceLaw::Rigid);
    let error = couple(vec![theta("a", 1.0), theta("b", 1.0)], vec![joint]).unwrap_err();
    assert!(matches!(error, SetupError::ReservedName { name } if name == "contacts"));
}

#[test]
fn laws_must_be_passive() {
    let laws = [
        InterfaceLaw::spring(-1.0, 0.0, 1),
        InterfaceLaw::spring(f64::NAN, 0.0, 1),
        InterfaceLaw::spring(0.0, 0.0, 1),
        InterfaceLaw::spring(1.0, 0.0, 3),
        InterfaceLaw::spring(1.0, 0.0, usize::MAX),
        InterfaceLaw::Tikhonov { constant: 0.0 },
        InterfaceLaw::Compliant { stiffness: dmatrix![1.0], damping: dmatrix![-1.0] },
    ];
    for law in laws {
        let joint = Interface::new("joint", "a.end", "b.end", law.clone());
        let error = couple(vec![theta("a", 1.0), theta("b", 1.0)], vec![joint]).unwrap_err();
        assert!(matches!(error, SetupError::BadInterface { .. }), "{law:?}: {error}");
    }
}

#[test]
fn settings_are_checked() {
    let check = |config: MasterConfig| config.validate().unwrap_err().to_string();
    let base = MasterConfig::default;
    assert_eq!(
        check(MasterConfig { tolerance: f64::NAN, ..base() }),
        "`tolerance` is NaN, must be positive and finite"
    );
    assert_eq!(
        check(MasterConfig { max_iterations: 0, ..base() }),
        "`max_iterations` is 0, must be at least 1"
    );
    assert!(
        check(MasterConfig { scheme: Scheme::GaussSeidel, ..base() }).contains("use impacts = \"plain\"")
    );
    assert!(check(MasterConfig { scheme: Scheme::Jacobi, ..base() }).contains("scheme = \"jacobi\""));
}

#[test]
fn accelerations_are_checked() {
    let check = |acceleration, scheme| {
        let impacts = Impacts::PLAIN;
        let config = MasterConfig { scheme, acceleration, impacts, ..MasterConfig::default() };
        config.validate().map_err(|error| error.to_string())
    };
    let wrong = |acceleration| check(acceleration, Scheme::Jacobi).unwrap_err();
    assert_eq!(
        wrong(Acceleration::Relaxation { factor: 0.0 }),
        "`acceleration.factor` is 0, must be positive and finite"
    );
    assert!(wrong(Acceleration::Aitken { first: f64::NAN }).contains("`acceleration.first` is NaN"));
    assert_eq!(
        wrong(Acceleration::IqnIls { reuse: 0, filter: 1.0 }),
        "`acceleration.filter` is 1, must be in [0, 1)"
    );
    let aitken = Acceleration::Aitken { first: 0.5 };
    assert!(check(aitken, Scheme::Condensed).unwrap_err().contains("no iteration to accelerate"));
    assert!(check(aitken, Scheme::GaussSeidel).is_ok());
}

#[test]
fn a_gap_at_a_rigid_joint_is_refused_or_closed() {
    let make = || vec![theta("a", 1.0), mass("b", 3.0, 1.5, Box::new(Theta::default()))];
    let error = couple(make(), vec![rigid("a.end", "b.end")]).unwrap_err();
    assert!(error.to_string().contains("interface `joint` by a gap of 5e-1 m"), "{error}");
    let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
    let master = Master::new(make(), vec![rigid("a.end", "b.end")], config, 0.0).unwrap();
    // The nearest state in the metric of the masses: the common centre of mass stays.
    for subsystem in master.subsystems() {
        assert!((subsystem.rows().positions[0] - 1.375).abs() < 1e-9, "{:?}", subsystem.rows());
    }
}

#[test]
fn a_penetrated_contact_is_refused_or_opened() {
    let make = || vec![bouncing_mass("ball", 2.0, -0.25)];
    let error = couple(make(), vec![]).unwrap_err();
    assert!(error.to_string().contains("contact `ball.floor` by a penetration of 2.5e-1 m"), "{error}");
    let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
    let master = Master::new(make(), vec![], config, 0.0).unwrap();
    assert!(master.subsystems()[0].rows().positions[0].abs() < 1e-12);
    let warning = master.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(warning.contains("violates contact `ball.floor` by a penetration of 2.5e-1 m;"), "{warning}");
    assert!(couple(vec![bouncing_mass("ball", 2.0, 0.25)], vec![]).unwrap().warnings().is_empty());
}

/// A mass that falls and one that floats, by rules that weigh forces differently: together they fall with the share of the
/// weight, which is the force of the joint.
#[test]
fn a_rigid_joint_joins_rules_that_weigh_forces_differently() {
    let rules: [fn() -> Box<dyn StepRule>; 2] =
        [|| Box::new(Multistep::new(0.6).unwrap()), || Box::new(GeneralizedAlpha::new(0.6).unwrap())];
    for (law, gap) in [(InterfaceLaw::Rigid, 0.0), (InterfaceLaw::Tikhonov { constant: 1e-6 }, 7.5e-6)] {
        for rule in rules {
            let subsystems = vec![mass("a", 1.0, 1.0, rule()), floating_mass("b", 3.0, 1.0)];
            let joint = Interface::new("joint", "a.end", "b.end", law.clone());
            let mut master = couple(subsystems, vec![joint]).unwrap();
            for _ in 0..100 {
                master.step(1e-2).unwrap();
            }
            let [a, b] = [0, 1].map(|i: usize| master.subsystems()[i].rows().clone());
            let force = master.interface_force("joint").unwrap()[0];
            assert!(
                (a.velocities[0] + 2.5).abs() < 1e-12 && (b.velocities[0] + 2.5).abs() < 1e-12,
                "{a:?} {b:?}"
            );
            assert!((0.25 * a.positions[0] + 0.75 * b.positions[0] + 0.25).abs() < 1e-4, "{a:?} {b:?}");
            assert!((force.abs() - 7.5).abs() < 1e-9, "{force} N");
            assert!(((a.positions[0] - b.positions[0]).abs() - gap).abs() < 1e-12, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_joint_given_twice_is_relaxed_and_named() {
    let two_ports = || {
        use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
        let rows = LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(0)]);
        move |name: &str| -> Box<dyn Subsystem> {
            let system = LinearSystem::new(dmatrix![1.0]).unwrap();
            let builder = cosimo_native::MechanismBuilder::new(name, system);
            Box::new(builder.with_ports(&[("end", 1), ("again", 1)], rows.clone()).build().unwrap())
        }
    };
    let make = two_ports();
    let twice = |law: InterfaceLaw| {
        let second = Interface::new("again", "a.again", "b.again", law);
        couple(vec![make("a"), make("b")], vec![rigid("a.end", "b.end"), second]).unwrap()
    };
    let mut redundant = twice(InterfaceLaw::Rigid);
    redundant.step(1e-3).unwrap();
    let warning = &redundant.warnings()[0].text;
    assert!(warning.contains("`joint`, `again` are redundant"), "{warning}");
    let mut relaxed = twice(InterfaceLaw::Tikhonov { constant: 1e-12 });
    relaxed.step(1e-3).unwrap();
    assert!(relaxed.warnings().is_empty(), "{:?}", relaxed.warnings());
}

#[test]
fn iterations_that_do_not_agree_are_told_with_their_cause() {
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        impacts: Impacts::PLAIN,
        max_iterations: 20,
        ..MasterConfig::default()
    };
    let subsystems = vec![bouncing_mass("light", 1e-3, 1.0), floating_mass("heavy", 1e3, 1.0)];
    let mut master = Master::new(subsystems, vec![rigid("light.end", "heavy.end")], config, 0.0).unwrap();
    let report = master.run(0.1, 1e-3, &mut NoObserver).unwrap();
    assert!(report.solved_at_once > 90 && report.failed_steps == 0, "{}", report.solved_at_once);
    let [warning] = master.warnings() else { panic!("{:?}", master.warnings()) };
    for part in ["`joint`", "`heavy.end`", "iterations", "multiplies the error", "scheme = \"condensed\""] {
        assert!(warning.text.contains(part), "`{part}` is missing in: {}", warning.text);
    }
}

#[test]
fn the_last_step_is_shortened_to_meet_the_end() {
    let mut master = couple(vec![bouncing_mass("ball", 1.0, 5.0)], vec![]).unwrap();
    let report = master.run(0.0105, 1e-3, &mut NoObserver).unwrap();
    assert_eq!(report.steps, 11);
    assert!((report.end_time - 0.0105).abs() < 1e-15);
    let fall = 5.0 - 5.0 * 0.0105_f64.powi(2);
    assert!((master.subsystems()[0].rows().positions[0] - fall).abs() < 1e-12);
}
