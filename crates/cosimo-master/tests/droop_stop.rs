//! The rigidly coupled droop stop.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, StepRule, Theta};
use cosimo_master::{Discretisation, Impacts, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Scheme};
use cosimo_native::{MechanismBuilder};
use cosimo_subsystem::Subsystem;
use nalgebra::dmatrix;

fn droop(mass: f64, law: InterfaceLaw, config: MasterConfig, rule: Box<dyn StepRule>) -> Master {
    let (r, l, mu, g): (f64, f64, f64, f64) = (0.3, 7.5, 9.0, 10.0);
    let m_s = mu * l.powi(3) / 3.0 / r / r;
    let f_s = -mu * l * l / 2.0 * g / r;
    let node = LinearSystem::new(dmatrix![mass]).unwrap().with_force(vec![-g * mass]).unwrap();
    let node = MechanismBuilder::new("node", Box::new(node), Box::new(Theta::default()))
        .with_ports(&[("top", 1)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_contacts(&[("stop", 0.8)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_initial_state(0.0, vec![r * 0.01], vec![0.0])
        .build()
        .unwrap();
    let blade = LinearSystem::new(dmatrix![m_s]).unwrap().with_force(vec![f_s]).unwrap();
    let blade = MechanismBuilder::new("blade", Box::new(blade), rule)
        .with_ports(&[("arm", 1)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_initial_state(0.0, vec![r * 0.01], vec![0.0])
        .build()
        .unwrap();
    let subsystems: Vec<Box<dyn Subsystem>> = vec![Box::new(node), Box::new(blade)];
    Master::new(subsystems, vec![Interface::new("joint", "node.top", "blade.arm", law)], config, 0.0).unwrap()
}

#[test]
fn explore() {
    for mass in [1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0] {
        let mut m = droop(mass, InterfaceLaw::Rigid, MasterConfig::default(), Box::new(Theta::default()));
        let rep = m.run(0.25, 1e-4, &mut NoObserver).unwrap();
        let e = rep.energy;
        println!("mass {mass:e}: impacts {} solves/step {} monitor {:e} contact {:.9} gap {:e} v {:.12} {:.12}", rep.impacts, rep.interface_solves_per_step(), e.monitor_sum, e.contact,
          m.subsystems()[0].rows().positions[0]-m.subsystems()[1].rows().positions[0], m.subsystems()[0].rows().velocities[0], m.subsystems()[1].rows().velocities[0]);
    }
    for mass in [1e-3] { for h in [1e-3, 1e-4] {
        let mut m = droop(mass, InterfaceLaw::spring(2e8, 0.0, 1), MasterConfig::default(), Box::new(Theta::default()));
        let e0 = m.run(0.0, h, &mut NoObserver).unwrap().energy.start;
        let mut most: f64 = 0.0;
        for k in 1..=(0.25f64/h).round() as usize { let rep = m.run(k as f64*h, h, &mut NoObserver).unwrap(); most = most.max(rep.energy.end - e0); }
        let rep = m.run(0.25, h, &mut NoObserver).unwrap();
        println!("stiff mass {mass:e} h {h:e}: impacts {} contact steps {} monitor {:e} {:?} gain {most:e}", rep.impacts, rep.contact_steps, rep.energy.monitor_sum, rep.energy);
    }}
    for mass in [100.0, 10.0, 1.0, 0.3] { for tol in [1e-4, 1e-6] {
        let config = MasterConfig { scheme: Scheme::GaussSeidel, discretisation: Discretisation::Position, impacts: Impacts::Plain, tolerance: tol, ..MasterConfig::default() };
        let mut m = droop(mass, InterfaceLaw::Tikhonov { constant: 5e-9 }, config.clone(), Box::new(Theta::default()));
        match m.run(0.25, 1e-4, &mut NoObserver) {
          Ok(rep) => println!("GS mass {mass:e} tol {tol:e}: its {} max {} impacts {} E {:e}", rep.master_iterations_per_step(), rep.most_iterations, rep.impacts, rep.energy.end - rep.energy.start),
          Err(e) => println!("GS mass {mass}: {e}"),
        }
    }}
}
