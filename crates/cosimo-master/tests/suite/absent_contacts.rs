//! Contacts that appear and vanish: a ball slides off a table, falls through the height of it, and lands on a lower one.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_master::{
    ContactEvent, ContactEventKind, Impacts, Master, MasterConfig, NoObserver, Observer, RunPosition, Scheme,
};
use cosimo_subsystem::conformance::TwoTables;

/// A power of two: the ball comes to the edges at communication points, without round-off.
const STEP: f64 = 1.0 / 256.0;
/// When the ball leaves the upper table, and when it has fallen the 0.5 m to the lower one (s).
const EDGE: f64 = 0.25;
const FALL: f64 = 0.316_227_766_016_837_94;

fn tables(scheme: Scheme, impacts: Impacts) -> Master {
    let config = MasterConfig { scheme, impacts, ..MasterConfig::default() };
    Master::new(vec![Box::new(TwoTables::default())], Vec::new(), config, 0.0).unwrap()
}

/// Gap and its rate.
fn gap(master: &Master) -> [f64; 2] {
    let rows = master.subsystems()[0].rows();
    [rows.positions[1], rows.velocities[1]]
}

#[derive(Default)]
struct Events(Vec<(ContactEventKind, f64)>);

impl Observer for Events {
    fn event(&mut self, event: &ContactEvent<'_>) {
        self.0.push((event.kind, event.time));
    }
}

#[test]
fn a_contact_vanishes_and_comes_back() {
    for scheme in [Scheme::Condensed, Scheme::GaussSeidel, Scheme::Jacobi] {
        let mut master = tables(scheme, Impacts::PLAIN);
        for step in 1..=160 {
            master.step(STEP).unwrap();
            let time = f64::from(step) * STEP;
            let fallen = (time - EDGE).max(0.0);
            let height = -5.0 * fallen * fallen;
            let expected = if time < EDGE + 0.25 { height } else { height + 0.5 };
            if time < EDGE + FALL {
                assert!((gap(&master)[0] - expected).abs() < 1e-12, "{scheme:?}, {time}: {:?}", gap(&master));
                assert!((gap(&master)[1] + 10.0 * fallen).abs() < 1e-12, "{scheme:?}, {time}");
                let impulse = master.energy().contact;
                assert!(impulse.abs() < 1e-12, "{scheme:?}, {time}: {impulse}");
            } else {
                assert!(gap(&master)[1] > 0.0, "{scheme:?}, {time}: it does not rebound");
            }
        }
    }
}

/// Parabolas are exact by the midpoint rule, and so is an impact at its own instant.
#[test]
fn its_impact_is_that_of_a_free_fall_and_events_tell_of_it_alone() {
    let mut master = tables(Scheme::Condensed, Impacts::SubStep);
    let mut events = Events::default();
    master.run(0.75, STEP, &mut events).unwrap();
    let kinds: Vec<_> = events.0.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [ContactEventKind::Closing, ContactEventKind::Release, ContactEventKind::Impact]);
    assert_eq!(events.0[1].1, EDGE);
    let landed = EDGE + FALL;
    assert!((events.0[2].1 - landed).abs() < 1e-12, "{:?}", events.0);
    let (rebound, rest) = (0.5 * 10.0 * FALL, 0.75 - landed);
    let [z, rate] = gap(&master);
    assert!((rate - (rebound - 10.0 * rest)).abs() < 1e-11, "{rate}");
    assert!((z - rest * (rebound - 5.0 * rest)).abs() < 1e-11, "{z}");
    // The impact takes out (1 − e²) of what the fall gave.
    assert!((master.energy().contact + 0.75 * 5.0).abs() < 1e-10, "{:?}", master.energy());
}

#[test]
fn a_run_that_is_resumed_over_the_hole_has_the_same_bits() {
    let mut master = tables(Scheme::Condensed, Impacts::SubStep);
    for _ in 0..80 {
        master.step(STEP).unwrap();
    }
    let mut other = tables(Scheme::Condensed, Impacts::SubStep);
    other.restore(&master.save().unwrap()).unwrap();
    for _ in 0..120 {
        master.step(STEP).unwrap();
        other.step(STEP).unwrap();
        assert_eq!(gap(&master).map(f64::to_bits), gap(&other).map(f64::to_bits));
    }
    let position = RunPosition::start(master.time(), master.time() + 0.1, STEP);
    let [one, two] =
        [&mut master, &mut other].map(|m| m.run_from(position, &mut NoObserver).unwrap().impacts);
    assert_eq!(one, two);
}
