//! Many subsystems: clusters and sparse interface matrices give the motion of the model in one piece.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::bouncing_mass;
use crate::models::network::{Network, positions};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig, NoObserver};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, DVector};

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn networks_of_springs_move_as_in_one_piece() {
    for network in [Network::chain(5), Network::chain(40), Network::ring(30), Network::grid(7)] {
        let (mut cut, mut whole) = (network.springs(MasterConfig::default()), network.whole());
        for _ in 0..200 {
            cut.step(1e-2).unwrap();
            whole.step(1e-2).unwrap();
        }
        let error = worst(&positions(&cut), &whole.subsystems()[0].rows().positions);
        assert!(error < 1e-11, "{} masses: {error:e} m", network.masses.len());
    }
}

#[test]
fn rigid_chains_of_many_masses_move_as_one_mass() {
    let network = Network::chain(200);
    let interfaces = network.interfaces(|_| InterfaceLaw::Rigid);
    let together = |_, k| (0.1 * k as f64, 1.0 + k as f64);
    let mut master =
        Master::new(network.subsystems(together), interfaces, MasterConfig::default(), 0.0).unwrap();
    for _ in 0..50 {
        master.step(1e-2).unwrap();
    }
    for position in positions(&master).chunks(3) {
        let exact = [0.5, 1.1, 1.7];
        assert!(worst(position, &exact) < 1e-12, "{position:?}");
    }
    assert!(master.warnings().is_empty());
}

#[test]
fn ten_thousand_subsystems_keep_their_energy() {
    for network in [Network::chain(10_000), Network::grid(100)] {
        let mut master = network.springs(MasterConfig::default());
        let report = master.run(0.05, 1e-2, &mut NoObserver).unwrap();
        let drift = (report.energy.end - report.energy.start).abs() / report.energy.start;
        assert!(drift < 1e-12, "{drift:e}");
        assert!(report.energy.monitor_sum.abs() < 1e-12 * report.energy.start);
    }
}

#[test]
fn balls_by_themselves_do_not_know_of_each_other() {
    let height = |i: usize| 0.05 + 1e-5 * i as f64;
    let count = 3000;
    let balls = |range: std::ops::Range<usize>| {
        let subsystems = range.map(|i| bouncing_mass(&format!("ball{i}"), 1.0, height(i))).collect();
        Master::new(subsystems, vec![], MasterConfig::default(), 0.0).unwrap()
    };
    let mut all = balls(0..count);
    let report = all.run(0.3, 1e-2, &mut NoObserver).unwrap();
    let mut impacts = 0;
    for i in (0..count).step_by(97) {
        let mut alone = balls(i..i + 1);
        impacts += alone.run(0.3, 1e-2, &mut NoObserver).unwrap().impacts;
        let (a, b) = (all.subsystems()[i].rows(), alone.subsystems()[0].rows());
        assert_eq!(a.positions[0].to_bits(), b.positions[0].to_bits(), "ball {i}");
        assert_eq!(a.velocities[0].to_bits(), b.velocities[0].to_bits(), "ball {i}");
    }
    assert!(impacts > 30 && report.impacts > 3000, "{impacts}, {}", report.impacts);
}

#[test]
fn impacts_stay_in_their_cluster() {
    // Pairs on springs; in one model and each by itself, with impacts at different times.
    let pair = |i: usize| -> (Vec<Box<dyn Subsystem>>, Interface) {
        let (low, high) = (format!("low{i}"), format!("high{i}"));
        let height = 0.1 + 0.01 * i as f64;
        let subsystems = vec![
            bouncing_mass(&low, 1.0, height),
            crate::models::mass(&high, 2.0, height, Box::new(Theta::default())),
        ];
        let spring = InterfaceLaw::spring(1e3, 1.0, 1);
        (
            subsystems,
            Interface::new(format!("spring{i}"), format!("{low}.end"), format!("{high}.end"), spring),
        )
    };
    let (mut subsystems, mut interfaces) = (Vec::new(), Vec::new());
    for i in 0..20 {
        let (pair, spring) = pair(i);
        // Not in the order of the clusters.
        let mut pair = pair.into_iter();
        subsystems.extend(pair.next());
        subsystems.insert(0, pair.next().unwrap());
        interfaces.push(spring);
    }
    let mut all = Master::new(subsystems, interfaces, MasterConfig::default(), 0.0).unwrap();
    let mut total = all.run(0.5, 1e-3, &mut NoObserver).unwrap().impacts;
    for i in 0..20 {
        let (subsystems, spring) = pair(i);
        let mut alone = Master::new(subsystems, vec![spring], MasterConfig::default(), 0.0).unwrap();
        total -= alone.run(0.5, 1e-3, &mut NoObserver).unwrap().impacts;
        let low = all.subsystems().iter().find(|s| s.description().name == format!("low{i}")).unwrap();
        assert_eq!(low.rows(), alone.subsystems()[0].rows(), "pair {i}");
    }
    assert_eq!(total, 0);
}

/// A plane body with many ports along its rim, and a mass at each.
struct Star {
    arms: usize,
}

impl Star {
    const MASS: [f64; 3] = [5.0, 5.0, 2.0];
    const ARM: f64 = 0.1;

    /// Velocity of a rim point for the body's coordinates x, y, angle.
    fn row(i: usize) -> [f64; 3] {
        let angle = i as f64;
        [angle.cos(), angle.sin(), 0.3 + 0.01 * (i % 5) as f64]
    }

    fn hub(&self) -> Box<dyn Subsystem> {
        let system =
            LinearSystem::new(DMatrix::from_diagonal(&DVector::from_row_slice(&Self::MASS))).unwrap();
        let system = system.with_force(vec![1.0, -2.0, 3.0]).unwrap();
        let names: Vec<String> = (0..self.arms).map(|i| format!("p{i}")).collect();
        let specs: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
        let rows = (0..self.arms).map(|i| LinearRow::dense(&Self::row(i), 0.0)).collect();
        let builder = MechanismBuilder::new("hub", system);
        Box::new(builder.with_ports(&specs, LinearRows(rows)).build().unwrap())
    }

    fn joined(&self, law: &InterfaceLaw) -> Master {
        let arms = (0..self.arms).map(|i| {
            let system = LinearSystem::new(DMatrix::from_element(1, 1, Self::ARM)).unwrap();
            let builder = MechanismBuilder::new(format!("arm{i}"), system);
            let rows = LinearRows(vec![LinearRow::coordinate(0)]);
            Box::new(builder.with_ports(&[("end", 1)], rows).build().unwrap()) as Box<dyn Subsystem>
        });
        let subsystems = std::iter::once(self.hub()).chain(arms).collect();
        let interface =
            |i| Interface::new(format!("joint{i}"), format!("hub.p{i}"), format!("arm{i}.end"), law.clone());
        let interfaces = (0..self.arms).map(interface).collect();
        Master::new(subsystems, interfaces, MasterConfig::default(), 0.0).unwrap()
    }
}

#[test]
fn a_body_with_many_rigid_arms_has_the_mass_of_all() {
    let star = Star { arms: 300 };
    let mut master = star.joined(&InterfaceLaw::Rigid);
    let (h, steps) = (1e-2, 40);
    for _ in 0..steps {
        master.step(h).unwrap();
    }
    // (M + Σ m rᵀ r) q̈ = f
    let mut mass = DMatrix::from_diagonal(&DVector::from_row_slice(&Star::MASS));
    for i in 0..star.arms {
        let row = DVector::from_row_slice(&Star::row(i));
        mass += &row * row.transpose() * Star::ARM;
    }
    let acceleration = mass.try_inverse().unwrap() * DVector::from_row_slice(&[1.0, -2.0, 3.0]);
    let t = h * steps as f64;
    for (i, arm) in master.subsystems()[1..].iter().enumerate() {
        let exact = DVector::from_row_slice(&Star::row(i)).dot(&acceleration) * t * t / 2.0;
        let error = arm.rows().positions[0] - exact;
        assert!(error.abs() < 1e-13, "arm {i}: {error:e} m");
    }
}

#[test]
fn a_body_on_many_springs_moves_as_in_one_piece() {
    let star = Star { arms: 60 };
    let stiffness = 200.0;
    let mut master = star.joined(&InterfaceLaw::spring(stiffness, 0.0, 1));
    let n = 3 + star.arms;
    let mass = DMatrix::from_fn(n, n, |i, j| match (i == j, i < 3) {
        (true, true) => Star::MASS[i],
        (true, false) => Star::ARM,
        _ => 0.0,
    });
    let mut k = DMatrix::zeros(n, n);
    for i in 0..star.arms {
        let mut row = DVector::zeros(n);
        row.rows_mut(0, 3).copy_from_slice(&Star::row(i));
        row[3 + i] = -1.0;
        k += &row * row.transpose() * stiffness;
    }
    let mut force = vec![0.0; n];
    force[..3].copy_from_slice(&[1.0, -2.0, 3.0]);
    let system = LinearSystem::new(mass).unwrap().with_stiffness(k).unwrap().with_force(force).unwrap();
    let rows = LinearRows((3..n).map(LinearRow::coordinate).collect());
    let names: Vec<String> = (0..star.arms).map(|i| format!("p{i}")).collect();
    let specs: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let builder = MechanismBuilder::new("whole", system);
    let whole = builder.with_ports(&specs, rows).build().unwrap();
    let mut whole = Master::new(vec![Box::new(whole)], vec![], MasterConfig::default(), 0.0).unwrap();
    for _ in 0..100 {
        master.step(1e-2).unwrap();
        whole.step(1e-2).unwrap();
    }
    let arms: Vec<f64> = master.subsystems()[1..].iter().map(|s| s.rows().positions[0]).collect();
    let error = worst(&arms, &whole.subsystems()[0].rows().positions);
    assert!(error < 1e-12, "{error:e} m");
}
