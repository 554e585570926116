//! exploration
#![expect(clippy::unwrap_used, reason = "tests")]
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_master::*;
use cosimo_multibody::planar::*;
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::Subsystem;
use nalgebra::dmatrix;

fn blade(mass: f64, angle: f64, impacts: Impacts) -> Master {
    let (r, l, mu, g): (f64, f64, f64, f64) = (0.3, 7.5, 9.0, 10.0);
    let m = mu * l;
    let (c, s) = (angle.cos(), angle.sin());
    let sys = PlanarModel::new([0.0, -g]).with_body(Body::new("rod", m, m * l * l / 12.0).at([l / 2.0 * c, l / 2.0 * s], angle))
        .with_pin(Pin::new("hinge", Point::on("rod", [-l / 2.0, 0.0]), Point::ground([0.0, 0.0]))).build().unwrap();
    let rows = PointRows::along(&sys, &Point::on("rod", [-l / 2.0 + r, 0.0]), [0.0, 1.0]).unwrap();
    let q = sys.initial_position().to_vec();
    let v = sys.initial_velocity().to_vec();
    let rod = MechanismBuilder::new("blade", Box::new(sys), Box::new(Theta::default())).with_ports(&[("arm", 1)], Box::new(rows)).with_initial_state(0.0, q, v).build().unwrap();
    let node = LinearSystem::new(dmatrix![mass]).unwrap().with_force(vec![-g * mass]).unwrap();
    let node = MechanismBuilder::new("node", Box::new(node), Box::new(Theta::default()))
        .with_ports(&[("top", 1)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_contacts(&[("stop", 0.8)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_initial_state(0.0, vec![r * s], vec![0.0]).build().unwrap();
    let subsystems: Vec<Box<dyn Subsystem>> = vec![Box::new(node), Box::new(rod)];
    let config = MasterConfig { impacts, tolerance: 1e-9, ..MasterConfig::default() };
    Master::new(subsystems, vec![Interface::new("joint", "node.top", "blade.arm", InterfaceLaw::Rigid)], config, 0.0).unwrap()
}

#[test]
fn explore() {
    for impacts in [Impacts::SubStep, Impacts::Plain] {
    for mass in [1e-3, 1.0, 100.0] {
        let mut last: Option<(f64, f64)> = None;
        for h in [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4] {
            let mut m = blade(mass, 1.0471975511965976, impacts);
            let rep = m.run(1.9, h, &mut NoObserver).unwrap();
            let p = m.subsystems()[0].rows().positions[0];
            println!("{impacts:?} mass {mass:e} h {h:e} impacts {} its {:.3} max {} x {p:.12} {} monitor {:.3e} gap {:.1e}", rep.impacts, rep.master_iterations_per_step(), rep.most_iterations,
              last.map_or(String::new(), |(a, d): (f64, f64)| format!("diff {:.2e} ratio {:.2}", p - a, d / (p - a))), rep.energy.monitor_sum, p - m.subsystems()[1].rows().positions[0]);
            last = Some((p, last.map_or(0.0, |(a, _)| p - a)));
        }
    }}
}
