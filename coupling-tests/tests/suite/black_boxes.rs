//! Subsystems that hide what they know, on every rung of the ladder.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::master::{Coupling, CouplingMode, Impacts, Master, MasterConfig, NoObserver, RunReport};
use cosimo::model::ModelSpec;
use cosimo::subsystem::Subsystem;
use cosimo::subsystem::conformance::Hidden;
use coupling_tests::Run;

type Secret = Hidden<Box<dyn Subsystem>>;

/// The end of a run: all quantities, and the numbers.
struct End {
    values: Vec<f64>,
    report: RunReport,
    rungs: Vec<CouplingMode>,
    warnings: Vec<String>,
}

impl End {
    fn of(model: &ModelSpec, hide: impl Fn(Secret) -> Secret, change: impl Fn(&mut MasterConfig)) -> Self {
        let subsystems = model.build_subsystems().unwrap().into_iter();
        let hidden = subsystems.map(|s| Box::new(hide(Hidden::new(s))) as Box<dyn Subsystem>).collect();
        let mut config = model.build_config();
        change(&mut config);
        let mut master = Master::new(hidden, model.build_interfaces(), config, model.time.start).unwrap();
        let report = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
        let mut values = vec![0.0; master.labels().len()];
        master.observe(&mut values).unwrap();
        Self {
            values,
            report,
            rungs: master.coupling_modes().to_vec(),
            warnings: master.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    fn open(model: &ModelSpec) -> Self {
        Self::of(model, |secret| secret, |_| {})
    }

    /// Largest difference of any quantity.
    fn distance(&self, other: &Self) -> f64 {
        self.values.iter().zip(&other.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

fn linear_models() -> Vec<(&'static str, ModelSpec)> {
    let model = |path: &'static str, end: f64| (path, Run::model(path, &[&format!("time.end={end}")]));
    vec![
        model("oscillator/model.toml", 0.5),
        model("droop-stop/model.toml", 0.2),
        model("chain/model-4-springs.toml", 0.3),
        model("chain/model-4-masses.toml", 0.3),
    ]
}

#[test]
fn differenced_inverse_masses_give_the_results_of_those_told() {
    for (path, model) in linear_models() {
        let open = End::open(&model);
        assert!(open.rungs.iter().all(|rung| *rung == CouplingMode::Exact), "{path}: {:?}", open.rungs);
        let differenced = End::of(&model, Hidden::without_inverse_mass, |_| {});
        assert!(differenced.rungs.iter().all(|rung| *rung == CouplingMode::Differenced), "{path}");
        let distance = differenced.distance(&open);
        assert!(distance <= 1e-8, "{path}: {distance:e}");
        assert_eq!(differenced.report.interface_solves, open.report.interface_solves, "{path}");
        for subsystem in &differenced.report.subsystems {
            // One to verify that the answer is affine as claimed, one for the only step size.
            assert_eq!(subsystem.statistics.refreshes, 2, "{path}, {}", subsystem.name);
        }
    }
}

/// Without any claim of affinity every step is evaluated once at the loads found, and once is enough.
#[test]
fn black_boxes_that_are_linear_take_one_solve_and_one_evaluation_a_step() {
    for (path, model) in linear_models() {
        let hide = |secret: Secret| secret.without_inverse_mass().without_affinity();
        let plain = |config: &mut MasterConfig| config.impacts = Impacts::PLAIN;
        let (open, blind) = (End::of(&model, |s| s, plain), End::of(&model, hide, plain));
        let distance = blind.distance(&open);
        assert!(distance <= 1e-6, "{path}: {distance:e}");
        let solves = blind.report.interface_solves_per_step();
        assert!(solves <= 1.05, "{path}: {solves} solves per step");
        for subsystem in &blind.report.subsystems {
            let evaluations = subsystem.statistics.evaluations as f64 / blind.report.steps as f64;
            assert!(evaluations <= 2.2, "{path}, {}: {evaluations} evaluations per step", subsystem.name);
            assert_eq!(subsystem.statistics.refreshes, 1, "{path}, {}", subsystem.name);
        }
    }
}

#[test]
fn false_claims_are_reported_and_not_used() {
    let model = Run::model("oscillator/model.toml", &["time.end=0.5"]);
    // Impacts are plain: inside a step they are resolved otherwise for answers that are not affine.
    let plain = |config: &mut MasterConfig| config.impacts = Impacts::PLAIN;
    let open = End::of(&model, |secret| secret, plain);
    let liars = End::of(&model, |secret| secret.with_false_inverse_mass(1.5), plain);
    assert_eq!(liars.rungs, [CouplingMode::Differenced; 2]);
    assert_eq!(liars.warnings.len(), 2);
    assert!(liars.warnings[0].contains("the inverse mass of row"), "{:?}", liars.warnings);
    assert!(liars.warnings[0].contains("differenced instead"), "{:?}", liars.warnings);
    let distance = liars.distance(&open);
    assert!(distance <= 1e-6, "{distance:e}");
    // Forced, the false inverse mass is used: the results differ.
    let forced = |config: &mut MasterConfig| {
        plain(config);
        config.couplings = ["lower", "upper"].map(|name| (name.to_owned(), Coupling::Exact)).into();
    };
    let misled = End::of(&model, |secret| secret.with_false_inverse_mass(1.5), forced);
    assert_eq!(misled.rungs, [CouplingMode::ExactContradicted; 2]);
    assert!(misled.warnings[0].contains("it is used nevertheless"), "{:?}", misled.warnings);
    assert!(misled.distance(&open) > 1e-3);
}

#[test]
fn quasi_newton_inverse_masses_reach_the_same_results() {
    for (path, model) in linear_models() {
        let smooth = model.subsystems.iter().filter(|s| !s.kind.has_contacts());
        let names: Vec<String> = smooth.map(|s| s.name.clone()).collect();
        let forced = |config: &mut MasterConfig| {
            config.impacts = Impacts::PLAIN;
            config.couplings = names.iter().map(|name| (name.clone(), Coupling::QuasiNewton)).collect();
        };
        let open = End::of(&model, |s| s, |config| config.impacts = Impacts::PLAIN);
        let secant = End::of(&model, Hidden::without_inverse_mass, forced);
        let secants = secant.rungs.iter().filter(|rung| **rung == CouplingMode::QuasiNewton).count();
        assert_eq!(secants, names.len(), "{path}");
        let distance = secant.distance(&open);
        assert!(distance <= 1e-6, "{path}: {distance:e}");
        let solves = secant.report.interface_solves_per_step();
        assert!(solves <= 3.0, "{path}: {solves} solves per step");
        let secants = secant.report.subsystems.iter().filter(|s| s.coupling == CouplingMode::QuasiNewton);
        for subsystem in secants {
            assert_eq!(subsystem.statistics.refreshes, 1, "{path}, {}", subsystem.name);
        }
    }
}
