//! A step allocates nothing after the first ones.
#![expect(clippy::unwrap_used, reason = "tests")]

mod models;

use allocation_counter::measure;
use cosimo_dynamics::Theta;
use cosimo_master::{Discretisation, Impacts, Interface, InterfaceLaw, Master, MasterConfig, Scheme};
use cosimo_smooth::Multistep;
use models::{bouncing_mass, mass, rod};

fn assert_silent(name: &str, mut master: Master, steps: usize, h: f64) {
    for _ in 0..3 {
        master.step(h).unwrap();
    }
    let info = measure(|| {
        for _ in 0..steps {
            master.step(h).unwrap();
        }
    });
    assert_eq!(info.count_total, 0, "{name}");
}

fn joined(law: InterfaceLaw, config: MasterConfig) -> Master {
    let subsystems =
        vec![bouncing_mass("node", 0.5, 0.05), mass("body", 2.0, 0.05, Box::new(Theta::default()))];
    Master::new(subsystems, vec![Interface::new("joint", "node.end", "body.end", law)], config, 0.0).unwrap()
}

#[test]
fn a_bouncing_ball_allocates_nothing() {
    let master =
        Master::new(vec![bouncing_mass("ball", 1.0, 0.05)], vec![], MasterConfig::default(), 0.0).unwrap();
    assert_silent("ball", master, 2000, 1e-3);
}

#[test]
fn coupled_masses_with_impacts_allocate_nothing() {
    let config = MasterConfig::default;
    assert_silent("rigid", joined(InterfaceLaw::Rigid, config()), 2000, 1e-3);
    assert_silent("spring", joined(InterfaceLaw::spring(1e3, 2.0, 1), config()), 2000, 1e-3);
    assert_silent("tikhonov", joined(InterfaceLaw::Tikhonov { constant: 1e-12 }, config()), 2000, 1e-3);
    let subsystems = vec![
        bouncing_mass("node", 1.0, 0.05),
        mass("body", 1.0, 0.05, Box::new(Multistep::new(0.6).unwrap())),
    ];
    let spring = Interface::new("joint", "node.end", "body.end", InterfaceLaw::spring(1e3, 0.0, 1));
    assert_silent("multistep", Master::new(subsystems, vec![spring], config(), 0.0).unwrap(), 2000, 1e-3);
}

#[test]
fn the_gauss_seidel_iteration_allocates_nothing() {
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        discretisation: Discretisation::Position,
        impacts: Impacts::Plain,
        ..MasterConfig::default()
    };
    assert_silent("gauss-seidel", joined(InterfaceLaw::spring(1e3, 0.0, 1), config), 1000, 1e-3);
}

#[test]
fn a_nonlinear_model_with_impacts_allocates_nothing() {
    let joint = Interface::new("joint", "node.end", "rod.end", InterfaceLaw::Rigid);
    let subsystems = vec![bouncing_mass("node", 1.0, 0.0), rod("rod")];
    let master = Master::new(subsystems, vec![joint], MasterConfig::default(), 0.0).unwrap();
    assert_silent("nonlinear", master, 500, 1e-3);
}
