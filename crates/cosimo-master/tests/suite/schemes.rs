//! Every scheme solves the same equations.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::models::{bouncing_mass, floating_mass, mass, rod};
use cosimo_dynamics::Multistep;
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{
    Acceleration, Impacts, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Scheme,
};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::Subsystem;
use nalgebra::DMatrix;

const TOLERANCE: f64 = 1e-9;

const IQN: Acceleration = Acceleration::IqnIls { reuse: 8, filter: 1e-3 };
const SCHEMES: [(Scheme, Acceleration); 8] = [
    (Scheme::GaussSeidel, Acceleration::None),
    (Scheme::GaussSeidel, Acceleration::Relaxation { factor: 0.7 }),
    (Scheme::GaussSeidel, Acceleration::Aitken { first: 0.5 }),
    (Scheme::GaussSeidel, IQN),
    (Scheme::Jacobi, Acceleration::None),
    (Scheme::Jacobi, Acceleration::Relaxation { factor: 0.7 }),
    (Scheme::Jacobi, Acceleration::Aitken { first: 0.5 }),
    (Scheme::Jacobi, IQN),
];

fn config((scheme, acceleration): (Scheme, Acceleration)) -> MasterConfig {
    MasterConfig {
        scheme,
        acceleration,
        impacts: Impacts::PLAIN,
        tolerance: TOLERANCE,
        max_iterations: 300,
        ..MasterConfig::default()
    }
}

type Model = fn() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>);

/// Positions and velocities of all rows after every step.
fn history(model: Model, config: MasterConfig, steps: usize) -> (Vec<f64>, Master) {
    let (subsystems, interfaces) = model();
    let mut master = Master::new(subsystems, interfaces, config.clone(), 0.0).unwrap();
    let mut rows = Vec::new();
    for _ in 0..steps {
        master.step(1e-3).unwrap_or_else(|error| panic!("{config:?}: {error}"));
        for subsystem in master.subsystems() {
            rows.extend_from_slice(&subsystem.rows().positions);
            rows.extend_from_slice(&subsystem.rows().velocities);
        }
    }
    (rows, master)
}

#[track_caller]
fn assert_same_solution(model: Model, schemes: &[(Scheme, Acceleration)], steps: usize) {
    let (expected, condensed) = history(model, config((Scheme::Condensed, Acceleration::None)), steps);
    let size = expected.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    for &scheme in schemes {
        let (found, master) = history(model, config(scheme), steps);
        let worst = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst <= 10.0 * TOLERANCE * size, "{scheme:?}: {worst:e} of {size:e}");
        for name in ["joint", "other"] {
            let forces = [&master, &condensed].map(|master| master.interface_force(name).is_some());
            assert_eq!(forces[0], forces[1], "{name}");
        }
    }
}

/// Two masses, each over a floor of its own, on a spring: both subsystems have contacts.
fn two_bouncers() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let subsystems = vec![bouncing_mass("a", 1.0, 0.01), bouncing_mass("b", 3.0, 0.02)];
    let spring = InterfaceLaw::spring(2e4, 5.0, 1);
    (subsystems, vec![Interface::new("joint", "a.end", "b.end", spring).with_offset(vec![-0.01])])
}

/// The same, joined rigidly: the second one's contact and its joint force are found together.
fn rigid_bouncers() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let subsystems = vec![bouncing_mass("a", 3.0, 0.012), bouncing_mass("b", 1.0, 0.01)];
    let joint = Interface::new("joint", "a.end", "b.end", InterfaceLaw::Rigid);
    (subsystems, vec![joint.with_offset(vec![0.002])])
}

/// A rod that turns, with a node under its arm: not affine.
fn node_and_rod() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let spring = InterfaceLaw::spring(1e4, 10.0, 1);
    (
        vec![bouncing_mass("node", 1.0, 0.001), rod("rod")],
        vec![Interface::new("joint", "node.end", "rod.end", spring)],
    )
}

/// A middle mass between two others, named last: it finds one force and takes the other.
fn three_in_a_row() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let middle = {
        let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(1)]);
        let mass = DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 0.0, 1.0]);
        let stiffness = DMatrix::from_row_slice(2, 2, &[4e3, -4e3, -4e3, 4e3]);
        let system = LinearSystem::new(mass).unwrap().with_stiffness(stiffness).unwrap();
        let builder = MechanismBuilder::new("middle", system);
        let builder = builder.with_ports(&[("low", 1), ("high", 1)], ports);
        Box::new(builder.with_initial_state(vec![0.02; 2], vec![-0.5, 0.3]).build().unwrap())
    };
    let subsystems: Vec<Box<dyn Subsystem>> =
        vec![floating_mass("top", 4.0, 0.02), middle, bouncing_mass("bottom", 1.0, 0.02)];
    let joint = Interface::new("joint", "middle.low", "bottom.end", InterfaceLaw::spring(5e4, 0.0, 1));
    let other = Interface::new("other", "top.end", "middle.high", InterfaceLaw::spring(3e4, 20.0, 1));
    (subsystems, vec![joint, other])
}

#[test]
fn both_sides_may_have_contacts() {
    assert_same_solution(two_bouncers, &SCHEMES, 150);
}

#[test]
fn contacts_of_the_side_that_finds_the_force_are_solved_with_it() {
    // What every step leaves of the tolerance adds up in a body that flies freely: the run ends soon after the impact at 44 ms.
    assert_same_solution(rigid_bouncers, &SCHEMES, 50);
}

/// A bouncing mass and a lighter one by the two-step rule, joined rigidly: the one finds the momentum, the other takes it.
fn unlike_bouncers() -> (Vec<Box<dyn Subsystem>>, Vec<Interface>) {
    let light = mass("b", 1.0, 0.01, Box::new(Multistep::new(0.6).unwrap()));
    let subsystems = vec![bouncing_mass("a", 3.0, 0.01), light];
    (subsystems, vec![Interface::new("joint", "a.end", "b.end", InterfaceLaw::Rigid)])
}

#[test]
fn sides_may_have_different_step_rules() {
    assert_same_solution(unlike_bouncers, &SCHEMES, 50);
}

#[test]
fn nonlinear_subsystems_are_solved_to_the_tolerance() {
    assert_same_solution(node_and_rod, &SCHEMES, 100);
}

#[test]
fn a_subsystem_may_take_one_force_and_find_another() {
    assert_same_solution(three_in_a_row, &SCHEMES, 150);
}

#[test]
fn models_without_joints_or_contacts_take_one_sweep() {
    let alone: Model = || (vec![floating_mass("a", 1.0, 0.0), bouncing_mass("b", 1.0, 1.0)], vec![]);
    for &scheme in &SCHEMES {
        let (_, mut master) = history(alone, config(scheme), 10);
        let report = master.run(0.02, 1e-3, &mut NoObserver).unwrap();
        assert_eq!(report.master_iterations, report.steps, "{scheme:?}");
    }
}

#[test]
fn a_scheme_goes_on_with_the_same_bits_from_its_saved_state() {
    for &scheme in &SCHEMES {
        let (_, mut whole) = history(three_in_a_row, config(scheme), 60);
        let state = whole.save().unwrap();
        let (_, mut resumed) = history(three_in_a_row, config(scheme), 3);
        resumed.restore(&state).unwrap();
        for step in 0..60 {
            let iterations = [&mut whole, &mut resumed].map(|master| master.step(1e-3).unwrap().iterations);
            assert_eq!(iterations[0], iterations[1], "{scheme:?}, step {step}");
            for (a, b) in whole.subsystems().iter().zip(resumed.subsystems()) {
                assert_eq!(a.rows(), b.rows(), "{scheme:?}, step {step}");
            }
        }
    }
}

#[test]
fn a_state_of_another_scheme_does_not_fit() {
    let make = |scheme| history(three_in_a_row, config(scheme), 60).1;
    let (iqn, condensed) = (make(SCHEMES[3]), make((Scheme::Condensed, Acceleration::None)));
    for (other, state) in [(SCHEMES[7], &iqn), (SCHEMES[0], &iqn), (SCHEMES[0], &condensed)] {
        let error = make(other).restore(&state.save().unwrap()).unwrap_err();
        assert!(error.to_string().contains("its schemes differ"), "{error}");
    }
    make(SCHEMES[3]).restore(&iqn.save().unwrap()).unwrap();
}

/// A mass between two others that bounce: given both their motions, it has one way to move and two forces to find. The masses fall
/// together, so that all three hit the floor and part of it is a contact of two.
#[test]
fn a_subsystem_finds_more_forces_than_it_has_ways_to_move_at_impacts_too() {
    let build = |(scheme, acceleration), law: InterfaceLaw| {
        let middle = {
            let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(0)]);
            let system = LinearSystem::new(DMatrix::from_element(1, 1, 2.0)).unwrap();
            let builder = MechanismBuilder::new("middle", system);
            let builder = builder.with_initial_state(vec![0.01], vec![0.0]);
            Box::new(builder.with_ports(&[("low", 1), ("high", 1)], ports).build().unwrap())
        };
        let subsystems: Vec<Box<dyn Subsystem>> =
            vec![bouncing_mass("a", 4.0, 0.01), bouncing_mass("b", 3.0, 0.01), middle];
        let joint = Interface::new("joint", "a.end", "middle.low", law.clone());
        let other = Interface::new("other", "b.end", "middle.high", law);
        Master::new(subsystems, vec![joint, other], config((scheme, acceleration)), 0.0).unwrap()
    };
    for law in [InterfaceLaw::Rigid, InterfaceLaw::spring(1e4, 0.0, 1)] {
        let run = |scheme| {
            let mut master = build(scheme, law.clone());
            let rows = |master: &Master| master.subsystems().iter().map(|s| s.rows().positions[0]).collect();
            let steps = (0..300).map(|_| {
                master.step(1e-3).unwrap();
                rows(&master)
            });
            steps.collect::<Vec<Vec<f64>>>()
        };
        let condensed = run((Scheme::Condensed, Acceleration::None));
        let highest = condensed.iter().skip(100).map(|places| places[0]).fold(0.0, f64::max);
        assert!(highest > 1e-3, "they bounce: {highest} m");
        for scheme in [(Scheme::GaussSeidel, IQN), (Scheme::Jacobi, IQN)] {
            let found = run(scheme);
            let pairs = found.iter().flatten().zip(condensed.iter().flatten());
            let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-8, "{scheme:?} {law:?}: {apart:e} m");
        }
    }
}

/// Bouncing masses on a spring, with these names, mass (kg) and stiffness (N/m).
fn pair(names: [&str; 2], mass: f64, stiffness: f64) -> (Vec<Box<dyn Subsystem>>, Interface) {
    let subsystems: Vec<Box<dyn Subsystem>> =
        vec![bouncing_mass(names[0], mass, 0.01), bouncing_mass(names[1], 2.0 * mass, 0.02)];
    let ports = names.map(|name| format!("{name}.end"));
    let law = InterfaceLaw::spring(stiffness, 0.0, 1);
    (subsystems, Interface::new(format!("{}-{}", names[0], names[1]), &ports[0], &ports[1], law))
}

/// Clusters know nothing of one another: whatever else is in the model, a cluster takes the same iterations to the same bits.
#[test]
fn a_cluster_is_solved_as_if_it_were_alone() {
    let light = || pair(["a", "b"], 1.0, 1e3);
    let heavy = || pair(["c", "d"], 1e7, 1e12);
    for scheme in SCHEMES {
        let history = |with_heavy: bool| {
            let (mut subsystems, joint) = light();
            let mut joints = vec![joint];
            if with_heavy {
                let (others, other) = heavy();
                subsystems.extend(others);
                joints.push(other);
            }
            let mut master = Master::new(subsystems, joints, config(scheme), 0.0).unwrap();
            let mut bits = Vec::new();
            for _ in 0..200 {
                master.step(1e-3).unwrap_or_else(|error| panic!("{scheme:?}: {error}"));
                for subsystem in &master.subsystems()[..2] {
                    let rows = subsystem.rows();
                    bits.extend(rows.positions.iter().chain(&rows.velocities).map(|x| x.to_bits()));
                }
            }
            bits
        };
        assert!(history(false) == history(true), "{scheme:?}");
    }
}
