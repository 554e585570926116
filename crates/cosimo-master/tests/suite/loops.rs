//! Loops of rigid joints: redundant ones are relaxed with a warning, inconsistent ones refused.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::network::{Network, positions};
use cosimo_master::{
    Acceleration, Coupling, Impacts, InitialState, Interface, InterfaceLaw, Master, MasterConfig,
    QuantityLabel, Scheme, SetupError,
};

/// Sides of a quadrangle: `q_a − q_b` of every joint, in the order of the ring.
const SIDES: [[f64; 3]; 4] = [[-1.0, 0.0, 0.0], [-0.5, -2.0, 0.3], [2.0, -0.5, 0.2], [-0.5, 2.5, -0.5]];

/// Corner `i` of the quadrangle and beyond: masses above the ring hang on the one before.
fn place(i: usize, k: usize) -> (f64, f64) {
    let side = |i: usize| if i < 3 { SIDES[i][k] } else { -0.1 };
    (-(0..i).map(side).sum::<f64>(), 0.7 - k as f64)
}

/// Four masses in space joined to a ring, and two that hang on the last one.
fn quadrangle() -> (Network, Vec<Interface>) {
    let mut network = Network::ring(4);
    network.masses.extend([1.0, 2.0]);
    network.joints.extend([(3, 4), (4, 5)]);
    let mut interfaces = network.interfaces(|_| InterfaceLaw::Rigid);
    for (j, interface) in interfaces.iter_mut().enumerate() {
        interface.offset = SIDES.get(j).map_or_else(|| vec![-0.1; 3], |side| side.to_vec());
    }
    (network, interfaces)
}

fn join(
    (network, interfaces): (Network, Vec<Interface>),
    start: impl Fn(usize, usize) -> (f64, f64),
    initial_state: InitialState,
) -> Result<Master, SetupError> {
    let config = MasterConfig { initial_state, ..MasterConfig::default() };
    Master::new(network.subsystems(start), interfaces, config, 0.0)
}

#[test]
fn a_redundant_loop_moves_as_one_body_and_its_joints_are_named() {
    let mut master = join(quadrangle(), place, InitialState::Refuse).unwrap();
    for _ in 0..100 {
        master.step(1e-2).unwrap();
    }
    let now = positions(&master);
    for (index, x) in now.iter().enumerate() {
        let (q, v) = place(index / 3, index % 3);
        assert!((x - (q + v)).abs() < 1e-9, "coordinate {index}: {:e} m", x - q - v);
    }
    assert_eq!(master.warnings().len(), 1, "{:?}", master.warnings());
    let warning = &master.warnings()[0].text;
    for (joint, is_named) in [("`j0`", true), ("`j1`", true), ("`j2`", true), ("`j3`", true), ("`j4`", false)]
    {
        assert_eq!(warning.contains(joint), is_named, "{warning}");
    }
}

#[test]
fn an_inconsistent_loop_is_an_error_that_names_its_joints() {
    for initial_state in [InitialState::Refuse, InitialState::Project] {
        let (network, mut interfaces) = quadrangle();
        interfaces[2].offset[1] += 0.01;
        let error = join((network, interfaces), place, initial_state).unwrap_err();
        let SetupError::InconsistentLoop { interfaces, amount, .. } = &error else { panic!("{error}") };
        assert_eq!(interfaces, &["j0", "j1", "j2", "j3"], "{error}");
        assert!((0.001..0.02).contains(amount), "{error}");
        // Shared equally less may remain: it is no least amount.
        let text = error.to_string();
        assert!(text.contains("shared among them") && !text.contains("at least"), "{text}");
    }
}

#[test]
fn a_consistent_loop_away_from_its_place_is_projected() {
    let away = |i: usize, k: usize| {
        let (q, v) = place(i, k);
        (q + 0.01 * ((i + k) as f64).sin(), v + 0.1 * ((2 * i + k) as f64).cos())
    };
    let refused = join(quadrangle(), away, InitialState::Refuse).unwrap_err();
    assert!(matches!(refused, SetupError::InitialState { .. }), "{refused}");
    let master = join(quadrangle(), away, InitialState::Project).unwrap();
    // The centre of mass stays, and so does the momentum.
    let (network, _) = quadrangle();
    for k in 0..3 {
        let moment = |value: &dyn Fn(usize) -> f64| (0..6).map(|i| network.masses[i] * value(i)).sum::<f64>();
        let rows = |i: usize| master.subsystems()[i].rows();
        let position = moment(&|i| rows(i).positions[k]) - moment(&|i| away(i, k).0);
        let velocity = moment(&|i| rows(i).velocities[k]) - moment(&|i| away(i, k).1);
        assert!(position.abs() < 1e-8 && velocity.abs() < 1e-8, "{position:e} {velocity:e}");
        for i in 0..3 {
            let side = rows(i).positions[k] - rows(i + 1).positions[k] - SIDES[i][k];
            assert!(side.abs() < 1e-9, "side {i}: {side:e} m");
        }
    }
}

#[test]
fn a_long_loop_is_found_in_a_sparse_matrix_too() {
    let ring = || {
        let mut network = Network::ring(40);
        network.masses.push(3.0);
        network.joints.push((5, 40));
        let interfaces = network.interfaces(|_| InterfaceLaw::Rigid);
        (network, interfaces)
    };
    let moving = |_, k| (0.0, k as f64);
    let mut master = join(ring(), moving, InitialState::Refuse).unwrap();
    for _ in 0..50 {
        master.step(1e-2).unwrap();
    }
    for x in positions(&master).chunks(3) {
        assert!((0..3).all(|k| (x[k] - 0.5 * k as f64).abs() < 1e-10), "{x:?}");
    }
    let warning = &master.warnings()[0].text;
    assert!(
        warning.contains("`j0`") && warning.contains("32 more") && !warning.contains("`j40`"),
        "{warning}"
    );
    let (network, mut interfaces) = ring();
    interfaces[7].offset = vec![0.0, 0.0, 0.1];
    let error = join((network, interfaces), moving, InitialState::Project).unwrap_err();
    assert!(
        matches!(&error, SetupError::InconsistentLoop { interfaces, .. } if interfaces.len() == 40),
        "{error}"
    );
}

#[test]
fn loops_of_springs_are_not_redundant() {
    let (network, mut interfaces) = quadrangle();
    interfaces[1].law = InterfaceLaw::spring(1e4, 0.0, 3);
    interfaces[2].offset[1] += 0.01;
    let mut master = join((network, interfaces), place, InitialState::Project).unwrap();
    master.step(1e-3).unwrap();
    let [warning] = master.warnings() else { panic!("{:?}", master.warnings()) };
    let warning = &warning.text;
    assert!(
        warning.contains("violates interface `j2` by a gap of 1.0") && !warning.contains("redundant"),
        "{warning}"
    );
}

/// Positions and forces of the joints after some steps of the quadrangle, whose last mass hangs on a spring that is stretched, and
/// the warnings.
fn moved(config: MasterConfig) -> (Vec<f64>, Vec<f64>, Vec<String>) {
    let (network, mut interfaces) = quadrangle();
    interfaces[5].law = InterfaceLaw::spring(1e3, 0.0, 3);
    interfaces[5].offset = vec![0.2, -0.3, 0.1];
    let mut master = Master::new(network.subsystems(place), interfaces, config, 0.0).unwrap();
    for _ in 0..20 {
        master.step(1e-2).unwrap();
    }
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let is_force = |(label, _): &(&QuantityLabel, f64)| label.name.starts_with("force");
    let forces = labels.iter().zip(values).filter(is_force).map(|(_, force)| force);
    (positions(&master), forces.collect(), master.warnings().iter().map(ToString::to_string).collect())
}

#[test]
fn sweeps_move_a_redundant_loop_as_the_condensed_scheme_does() {
    let (condensed, forces, warnings) = moved(MasterConfig::default());
    let displacement = condensed[0] - place(0, 0).0 - 0.2 * place(0, 0).1;
    assert!(displacement.abs() > 1e-3, "the loop is pulled: {displacement:e} m");
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        let acceleration = Acceleration::IqnIls { reuse: 8, filter: 1e-6 };
        let plain = MasterConfig { impacts: Impacts::PLAIN, ..MasterConfig::default() };
        let (swept, shared, told) = moved(MasterConfig { scheme, acceleration, ..plain });
        for (a, b) in swept.iter().zip(&condensed) {
            assert!((a - b).abs() < 1e-7, "{scheme:?}: {a} {b}");
        }
        let largest = forces.iter().fold(0.0_f64, |most, force| most.max(force.abs()));
        assert!(largest > 1.0 && forces.len() == 18, "{forces:?}");
        for (a, b) in shared.iter().zip(&forces) {
            assert!((a - b).abs() < 1e-6 * largest, "{scheme:?}: {a} N, {b} N");
        }
        assert_eq!(told, warnings);
    }
}

/// A rod that cannot be stretched with a mass at each end, of which it is given the motions: it has one way to move and two forces to
/// find.
#[test]
fn a_body_finds_more_forces_than_it_has_ways_to_move() {
    use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
    let mass = |name: &str, ports: &[(&str, usize)], force: f64| {
        let system = LinearSystem::new(nalgebra::dmatrix![1.0]).unwrap().with_force(vec![force]).unwrap();
        let rows = LinearRows(vec![LinearRow::coordinate(0); ports.len()]);
        let builder = cosimo_native::MechanismBuilder::new(name, system);
        let built = builder.with_ports(ports, rows).build().unwrap();
        Box::new(built) as Box<dyn cosimo_subsystem::Subsystem>
    };
    let run = |scheme, acceleration, third: bool| {
        let ends = [("x", 1), ("y", 1)];
        let subsystems = vec![mass("left", &ends, 6.0), mass("right", &ends, -1.0), mass("rod", &ends, 4.0)];
        let mut interfaces = vec![
            Interface::new("a", "left.x", "rod.x", InterfaceLaw::Rigid),
            Interface::new("b", "right.x", "rod.y", InterfaceLaw::Rigid),
        ];
        if third {
            interfaces.push(Interface::new("c", "left.y", "right.y", InterfaceLaw::Rigid));
        }
        let config =
            MasterConfig { scheme, acceleration, impacts: Impacts::PLAIN, ..MasterConfig::default() };
        let mut master = Master::new(subsystems, interfaces, config, 0.0).unwrap();
        for _ in 0..100 {
            let step = master.step(1e-3);
            assert!(step.is_ok(), "{scheme:?} {acceleration:?} {third}: {step:?}");
        }
        let places = master.subsystems().iter().map(|subsystem| subsystem.rows().positions[0]);
        (places.collect::<Vec<f64>>(), master.warnings().iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let iqn = Acceleration::IqnIls { reuse: 8, filter: 1e-6 };
    for (scheme, acceleration) in [
        (Scheme::GaussSeidel, Acceleration::None),
        (Scheme::GaussSeidel, Acceleration::Aitken { first: 0.5 }),
        (Scheme::GaussSeidel, iqn),
        (Scheme::Jacobi, Acceleration::None),
        (Scheme::Jacobi, iqn),
    ] {
        // The third joint is one of equal masses: there plain sweeps neither converge nor diverge.
        let thirds = if acceleration == Acceleration::None { vec![false] } else { vec![false, true] };
        for third in thirds {
            let (places, warnings) = run(scheme, acceleration, third);
            // Three masses that fall together with 3 m/s^2.
            let fallen = 0.5 * 3.0 * 0.01;
            let is_near = |place: &f64| (place - fallen).abs() < 1e-9;
            assert!(places.iter().all(is_near), "{scheme:?} {acceleration:?} {third}: {places:?}");
            let is_told = warnings.iter().any(|text| text.contains("`a`, `b`, `c` are redundant"));
            assert_eq!(is_told, third, "{warnings:?}");
        }
    }
}

#[test]
fn loops_of_subsystems_that_hide_their_inverse_mass_are_found_too() {
    let names = (0..6).map(|i| (format!("m{i}"), Coupling::QuasiNewton)).collect();
    let (learnt, _, warnings) = moved(MasterConfig { couplings: names, ..MasterConfig::default() });
    let (exact, _, told) = moved(MasterConfig::default());
    assert!(warnings.len() == 1 && warnings[0].starts_with(&told[0]), "{warnings:?}");
    assert!(warnings[0].contains("make one of these joints a Tikhonov joint"), "{warnings:?}");
    for (a, b) in learnt.iter().zip(&exact) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
}

/// A joint between two ports that cannot move, and a mass held on both sides.
#[test]
fn joints_at_ports_that_cannot_move_are_relaxed_in_every_scheme() {
    use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
    let body = |name: &str, ports: &[(&str, usize)], row: LinearRow, force: f64| {
        let system = LinearSystem::new(nalgebra::dmatrix![2.0]).unwrap().with_force(vec![force]).unwrap();
        let rows = LinearRows(vec![row; ports.len()]);
        let builder = cosimo_native::MechanismBuilder::new(name, system);
        Box::new(builder.with_ports(ports, rows).build().unwrap()) as Box<dyn cosimo_subsystem::Subsystem>
    };
    for scheme in [Scheme::Condensed, Scheme::GaussSeidel, Scheme::Jacobi] {
        let subsystems = vec![
            body("left", &[("x", 1), ("y", 1)], LinearRow::default(), 0.0),
            body("right", &[("x", 1), ("y", 1)], LinearRow::default(), 0.0),
            body("held", &[("x", 1), ("y", 1)], LinearRow::coordinate(0), 12.0),
        ];
        let interfaces = vec![
            Interface::new("between", "left.y", "right.y", InterfaceLaw::Rigid),
            Interface::new("a", "left.x", "held.x", InterfaceLaw::Rigid),
            Interface::new("b", "right.x", "held.y", InterfaceLaw::Rigid),
        ];
        let config = MasterConfig { scheme, impacts: Impacts::PLAIN, ..MasterConfig::default() };
        let mut master = Master::new(subsystems, interfaces, config, 0.0).unwrap();
        for _ in 0..10 {
            master.step(1e-3).unwrap();
        }
        assert!(master.warnings()[0].text.contains("are redundant"), "{:?}", master.warnings());
        let held = master.subsystems()[2].rows();
        assert!(held.positions[0].abs() < 1e-12 && held.velocities[0].abs() < 1e-9, "{scheme:?}: {held:?}");
    }
}
