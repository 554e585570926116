//! Steps of coupled models: solved at once where iterations do not agree, joined in six coordinates, split into threads.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{bouncing_mass, floating_mass};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{Impacts, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, Scheme};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::Subsystem;
use nalgebra::{DMatrix, DVector};

/// A spring so stiff that Gauss-Seidel multiplies errors by 1.1 at 1 ms and by 0.3 at half of it.
fn stiff_pair(scheme: Scheme) -> Master {
    let config =
        MasterConfig { scheme, impacts: Impacts::PLAIN, tolerance: 1e-11, ..MasterConfig::default() };
    let spring = Interface::new("spring", "light.end", "heavy.end", InterfaceLaw::spring(5e5, 0.0, 1));
    let subsystems = vec![bouncing_mass("light", 0.1, 0.05), floating_mass("heavy", 1.0, 0.05)];
    Master::new(subsystems, vec![spring], config, 0.0).unwrap()
}

#[test]
fn a_step_on_which_iterations_do_not_agree_is_solved_at_once() {
    let [mut master, mut condensed] = [Scheme::GaussSeidel, Scheme::Condensed].map(stiff_pair);
    let report = master.run(0.02, 1e-3, &mut NoObserver).unwrap();
    assert_eq!((report.steps, report.solved_at_once, report.failed_steps), (20, 20, 0));
    condensed.run(0.02, 1e-3, &mut NoObserver).unwrap();
    for (a, b) in master.subsystems().iter().zip(condensed.subsystems()) {
        assert_eq!(a.rows().positions[0].to_bits(), b.rows().positions[0].to_bits());
    }
    // Half of the step is short enough.
    let report = stiff_pair(Scheme::GaussSeidel).run(0.02, 5e-4, &mut NoObserver).unwrap();
    assert_eq!((report.steps, report.solved_at_once, report.failed_steps), (40, 0, 0));
}

#[test]
fn the_last_communication_point_is_the_end() {
    for (end, step) in [(0.3, 0.1), (0.7, 0.1), (1.1, 0.1), (0.25, 0.1)] {
        let mut master =
            Master::new(vec![floating_mass("free", 1.0, 0.0)], vec![], MasterConfig::default(), 0.0);
        let master = master.as_mut().unwrap();
        let report = master.run(end, step, &mut NoObserver).unwrap();
        assert_eq!(report.end_time.to_bits(), f64::to_bits(end), "{} is not {end}", report.end_time);
        // From there it goes on as from any other point.
        assert_eq!(
            master.run(2.0 * end, step, &mut NoObserver).unwrap().end_time.to_bits(),
            (2.0 * end).to_bits()
        );
    }
}

/// Six coupled coordinates, one of them over a stop, at one port of six coordinates.
fn six(name: &str, scale: f64, with_stop: bool) -> Box<dyn Subsystem> {
    let mass = DMatrix::from_fn(6, 6, |i, j| scale * if i == j { 2.0 + i as f64 } else { 0.1 });
    let force: Vec<f64> = (0..6).map(|i| scale * (i as f64 - 3.0)).collect();
    let system = LinearSystem::new(mass).unwrap().with_force(force).unwrap();
    let port = LinearRows((0..6).map(LinearRow::coordinate).collect());
    let mut builder = MechanismBuilder::new(name, system)
        .with_ports(&[("body", 6)], port)
        .with_initial_state(vec![0.01; 6], vec![0.0; 6]);
    if with_stop {
        let gap = LinearRows(vec![LinearRow::dense(&[1.0, 0.0, 0.5, 0.0, 0.0, 0.2], 0.0)]);
        builder = builder.with_contacts(&[("stop", 0.5)], gap);
    }
    Box::new(builder.build().unwrap())
}

#[test]
fn six_coordinates_joined_rigidly_move_as_one_body() {
    let joint = Interface::new("joint", "a.body", "b.body", InterfaceLaw::Rigid);
    let mut cut = Master::new(
        vec![six("a", 1e-3, true), six("b", 10.0, false)],
        vec![joint],
        MasterConfig::default(),
        0.0,
    )
    .unwrap();
    let mut whole =
        Master::new(vec![six("whole", 10.001, true)], vec![], MasterConfig::default(), 0.0).unwrap();
    let report = cut.run(1.0, 1e-3, &mut NoObserver).unwrap();
    let expected = whole.run(1.0, 1e-3, &mut NoObserver).unwrap();
    assert!(report.impacts >= 2, "{}", report.impacts);
    assert_eq!(report.impacts, expected.impacts);
    assert_eq!(report.interface_solves_per_step(), 1.0);
    let rows =
        |master: &Master, i: usize| DVector::from_column_slice(&master.subsystems()[i].rows().positions[..6]);
    assert!((rows(&cut, 0) - rows(&cut, 1)).amax() < 1e-13);
    assert!((rows(&cut, 1) - rows(&whole, 0)).amax() < 1e-12, "{}", rows(&cut, 1) - rows(&whole, 0));
}
