//! What a report contains about subsystems and interfaces, against what was seen from outside.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::models::tampered::{Calls, Tampered};
use crate::models::{bouncing_mass, floating_mass, rod};
use cosimo_master::{
    Acceleration, Coupling, Impacts, Interface, InterfaceLaw, Master, MasterConfig, NoObserver, RunReport,
    Scheme,
};
use cosimo_subsystem::Subsystem;

fn counted(inner: Box<dyn Subsystem>) -> (Box<dyn Subsystem>, Arc<Calls>) {
    let calls = Arc::new(Calls::default());
    (Box::new(Tampered::new(inner, &calls)), calls)
}

fn joint(name: &str, a: &str, b: &str, law: InterfaceLaw) -> Interface {
    Interface::new(name, format!("{a}.end"), format!("{b}.end"), law)
}

fn run(
    subsystems: Vec<Box<dyn Subsystem>>,
    joints: Vec<Interface>,
    config: MasterConfig,
    h: f64,
) -> RunReport {
    let mut master = Master::new(subsystems, joints, config, 0.0).unwrap();
    master.run(0.3, h, &mut NoObserver).unwrap()
}

#[test]
fn the_work_of_subsystems_is_what_was_called() {
    // A node on a falling rod: not affine, with impacts at which steps are tried, given up and split.
    let ((node, of_node), (rod, of_rod)) = (counted(bouncing_mass("node", 1.0, 5e-4)), counted(rod("rod")));
    let mut joints = vec![joint("joint", "node", "rod", InterfaceLaw::Rigid)];
    joints[0].offset = vec![5e-4];
    let report = run(vec![node, rod], joints, MasterConfig::default(), 1e-3);
    assert!(report.impacts > 3, "{report:?}");
    for (subsystem, calls) in report.subsystems.iter().zip([of_node, of_rod]) {
        let told = subsystem.statistics;
        assert_eq!([told.evaluations, told.steps, told.rollbacks], calls.numbers(), "{}", subsystem.name);
        assert!(told.rollbacks > 3, "{told:?}");
    }
    let newton: Vec<u64> = report.subsystems.iter().map(|s| s.statistics.newton_iterations).collect();
    assert!(newton[0] == 0 && newton[1] > report.steps, "{newton:?}");
    // One factorisation a size of step for the mass, one per step or more for the rod, whose Newton iterations share it.
    assert!(report.subsystems[0].statistics.factorizations < report.steps, "{report:?}");
    let of_rod = report.subsystems[1].statistics.factorizations;
    assert!((report.steps..=newton[1]).contains(&of_rod), "{report:?}");
}

#[test]
fn micro_steps_taken_back_are_rollbacks() {
    let (a, of_a) = counted(floating_mass("a", 1.0, 0.02));
    let mut config = MasterConfig::default();
    config.micro_steps.insert("a".to_owned(), 4);
    config.couplings.insert("b".to_owned(), Coupling::Differenced);
    let joints = vec![joint("spring", "a", "b", InterfaceLaw::spring(1e3, 0.0, 1))];
    let report = run(vec![a, floating_mass("b", 2.0, 0.0)], joints, config, 1e-3);
    let told = report.subsystems[0].statistics;
    let [answers, commits, given_up] = of_a.numbers();
    assert_eq!((told.evaluations, told.rollbacks), (answers, given_up));
    assert!(given_up >= report.steps && commits >= 4 * (report.steps + given_up), "{told:?}");
}

#[test]
fn time_is_that_of_the_calls_and_the_slowest_comes_first() {
    let calls = Arc::new(Calls::default());
    let slow = Tampered::new(floating_mass("slow", 1.0, 0.02), &calls).before(|_, _| {
        let since = Instant::now();
        while since.elapsed() < Duration::from_micros(100) {}
    });
    let quick = floating_mass("quick", 1.0, 0.0);
    let joints = vec![joint("spring", "quick", "slow", InterfaceLaw::spring(1e3, 0.0, 1))];
    let report = run(vec![quick, Box::new(slow)], joints, MasterConfig::default(), 2e-4);
    let names: Vec<&str> = report.slowest_subsystems().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["slow", "quick"]);
    let (told, seen) = (report.subsystems[1].seconds, calls.time.lock().unwrap().as_secs_f64());
    // Others may have taken the processor away meanwhile.
    assert!(told.total() > 0.3 * seen && told.total() < 1.1 * seen, "{told:?} told, {seen} s seen");
    assert!((told.begin / told.commit - 1.0).abs() < 0.2, "{told:?}");
    assert!(report.subsystems[0].seconds.total() < 0.1 * told.total(), "{report:?}");
    assert!(report.master.total() < 0.2 * told.total(), "{report:?}");
}

/// Waiting is nobody's work.
#[test]
fn a_pause_is_not_counted() {
    let mut is_due = true;
    let pausing = Tampered::new(floating_mass("pausing", 1.0, 0.02), &Arc::default());
    let pausing = pausing.before(move |_, time| {
        if is_due && time >= 128.0 * 1e-4 {
            std::thread::sleep(Duration::from_millis(50));
            is_due = false;
        }
    });
    let joints = vec![joint("spring", "a", "pausing", InterfaceLaw::spring(1e3, 0.0, 1))];
    let parts = vec![floating_mass("a", 1.0, 0.0), Box::new(pausing) as Box<dyn Subsystem>];
    let report = run(parts, joints, MasterConfig::default(), 1e-4);
    assert!(report.steps == 3000 && report.wall_seconds > 0.05, "{report:?}");
    let told = report.processor_seconds();
    assert!(told > 0.0 && told < report.wall_seconds - 0.045, "{report:?}");
}

/// The costs of a run that goes on are added to those before.
#[test]
fn costs_go_on_with_a_state() {
    let build = || {
        let parts = vec![floating_mass("a", 1.0, 0.0), floating_mass("b", 1.0, 0.02)];
        let joints = vec![joint("spring", "a", "b", InterfaceLaw::spring(1e3, 0.0, 1))];
        Master::new(parts, joints, MasterConfig::default(), 0.0).unwrap()
    };
    let mut first = build();
    let before = first.run(0.3, 1e-5, &mut NoObserver).unwrap();
    let mut second = build();
    second.restore(&first.save().unwrap()).unwrap();
    let after = second.run(0.3001, 1e-5, &mut NoObserver).unwrap();
    let grown = after.processor_seconds() / before.processor_seconds();
    assert!(grown > 1.0 && grown < 1.2, "{grown}: {before:?}, {after:?}");
    for (before, after) in before.subsystems.iter().zip(&after.subsystems) {
        assert!(after.seconds.total() >= before.seconds.total(), "{before:?}, {after:?}");
    }
}

/// A hard pair and an easy one, not joined to each other, in one model; and the hard one alone.
fn hard_and_easy(
    (height, body): (f64, impl Fn() -> Box<dyn Subsystem>),
    hard: &Interface,
    config: &MasterConfig,
) -> [RunReport; 2] {
    let pair = || vec![bouncing_mass("node", 100.0, height), body()];
    let alone = run(pair(), vec![hard.clone()], config.clone(), 2e-3);
    let easy = joint("easy", "a", "b", InterfaceLaw::spring(1e3, 0.0, 1));
    let rest = [floating_mass("a", 1.0, 0.0), floating_mass("b", 1.0, 0.0)];
    let all = pair().into_iter().chain(rest).collect();
    [run(all, vec![hard.clone(), easy], config.clone(), 2e-3), alone]
}

fn assert_own([together, alone]: [RunReport; 2], tolerance: f64) {
    let [hard, easy] = &together.interfaces[..] else { panic!("two interfaces") };
    // The easy one rests: one iteration per step. The hard one does not know that it is there.
    assert_eq!((easy.iterations, easy.most_iterations), (together.steps, 1));
    assert_eq!((easy.largest_residual, easy.energy_monitor), (0.0, 0.0));
    assert_eq!(hard, &alone.interfaces[0]);
    assert!(hard.iterations > together.steps + 20 && hard.most_iterations > 1, "{hard:?}");
    assert_eq!(hard.iterations, together.master_iterations);
    assert_eq!(hard.most_iterations, together.most_iterations);
    assert!(hard.largest_residual > 0.0 && hard.largest_residual <= tolerance, "{hard:?}");
    let order: Vec<&str> = together.slowest_interfaces().iter().map(|i| i.name.as_str()).collect();
    assert_eq!(order, ["hard", "easy"]);
}

#[test]
fn figures_of_an_interface_are_its_own() {
    let config = MasterConfig { tolerance: 1e-12, ..MasterConfig::default() };
    let mut hard = joint("hard", "node", "body", InterfaceLaw::spring(1e5, 0.0, 1));
    hard.offset = vec![1.0];
    assert_own(hard_and_easy((1.0, || rod("body")), &hard, &config), 1e-12);
}

#[test]
fn figures_of_an_iterated_interface_are_its_own() {
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        acceleration: Acceleration::Aitken { first: 0.5 },
        impacts: Impacts::PLAIN,
        tolerance: 1e-8,
        ..MasterConfig::default()
    };
    let mut hard = joint("hard", "node", "body", InterfaceLaw::Tikhonov { constant: 2e-8 });
    hard.offset = vec![1.0];
    assert_own(hard_and_easy((1.0, || rod("body")), &hard, &config), 1e-8);
}
