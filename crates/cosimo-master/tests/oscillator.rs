//! The two-mass oscillator of the thesis: a node on a floor, a spring, a smooth mass.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem, Theta};
use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_native::{MechanismBuilder, NodeBuilder, NodePort};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_subsystem::Subsystem;
use nalgebra::{Vector3, dmatrix};

fn oscillator(stiffness: f64, config: MasterConfig) -> Master {
    let floor = MovingPlane {
        name: "floor".to_owned(),
        motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()),
        restitution: 0.8,
    };
    let lower = NodeBuilder::new("lower", 1.0)
        .with_gravity(Vector3::new(0.0, 0.0, -10.0))
        .with_initial_state(Vector3::new(0.0, 0.0, 0.801), Vector3::zeros())
        .with_port("top", NodePort::Along(Vector3::z()))
        .with_plane(floor)
        .build()
        .unwrap();
    let system = LinearSystem::new(dmatrix![1.0]).unwrap().with_force(vec![-10.0]).unwrap();
    let upper = MechanismBuilder::new("upper", Box::new(system), Box::new(Theta::default()))
        .with_ports(&[("foot", 1)], Box::new(LinearRows(vec![LinearRow::coordinate(0)])))
        .with_initial_state(0.0, vec![0.801], vec![0.0])
        .build()
        .unwrap();
    let spring = Interface::new("spring", "lower.top", "upper.foot", InterfaceLaw::spring(stiffness, 0.0, 1));
    let subsystems: Vec<Box<dyn Subsystem>> = vec![Box::new(lower), Box::new(upper)];
    Master::new(subsystems, vec![spring], config, 0.0).unwrap()
}

fn reference(case: &str, end: f64) -> Vec<[f64; 3]> {
    let text = std::fs::read_to_string(format!("/work/shared/reference/{case}/reference.csv")).unwrap();
    text.lines().skip(1).map(|l| { let f: Vec<f64> = l.split(',').map(|x| x.parse().unwrap()).collect(); [f[0], f[1], f[2]] }).filter(|r| r[0] <= end + 1e-9).collect()
}

#[test]
fn explore() {
    for (case, k) in [("E1_oscillator_k1e3", 1e3), ("E2_oscillator_k1e4", 1e4)] {
        let table = reference(case, 0.9);
        for (h, every) in [(1e-3, 1), (5e-4, 1), (2e-4, 5), (1e-4, 5), (5e-5, 10), (2.5e-5, 20)] {
            let mut master = oscillator(k, MasterConfig::default());
            let mut worst: f64 = 0.0;
            let rows: Vec<_> = if h == 1e-3 { table.iter().step_by(2).collect() } else if h == 2e-4 { table.iter().step_by(2).collect() } else { table.iter().collect() };
            let mut impacts = Vec::new();
            for row in rows.iter().skip(1) {
                while master.time() < row[0] - 0.5 * h { master.step(h).unwrap(); 
                    }
                assert!((master.time() - row[0]).abs() < 1e-9, "{} {}", master.time(), row[0]);
                let q = [master.subsystems()[0].rows().positions[0], master.subsystems()[1].rows().positions[0]];
                worst = worst.max((q[0] - row[1]).abs()).max((q[1] - row[2]).abs());
            }
            let _ = every;
            impacts.push(0.0);
            println!("{case} h {h:e} error {worst:.3e}");
        }
        let mut master = oscillator(k, MasterConfig::default());
        let report = master.run(1.5, 1e-3, &mut cosimo_master::NoObserver).unwrap();
        println!("{report:#?}");
    }
}
