//! What a run says of the energy that it has created when it is at its end, and that it is silent where nothing was.
//!
//! The energy of each model is worked out here, from the motion that was recorded.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use cosimo::master::{
    EnergyAction, Master, NoObserver, Outcome, RunError, RunReport, StepError, Warning, WarningPlace,
};
use cosimo::model::ModelSpec;
use coupling_tests::Run;

const TWO_MASSES: &str = include_str!("../../models/energy/inner-two-masses.toml");
const PROJECTED: &str = include_str!("../../models/energy/inner-projected.toml");
const GUARANTEED: &str = include_str!("../../models/energy/inner-guaranteed.toml");
const SCHATZMAN: &str = include_str!("../../models/energy/inner-schatzman.toml");
const SWINGING: &str = include_str!("../../models/energy/swinging-ball.toml");
const DIVERGING: &str = include_str!("../../models/energy/diverging.toml");
const RESTING: &str = include_str!("../../models/energy/resting-block.toml");
const BELT: &str = include_str!("../../models/energy/belt.toml");
const OSCILLATOR: &str = include_str!("../../models/energy/oscillator.toml");

fn run(model: &ModelSpec) -> (Master, Result<RunReport, RunError>) {
    let mut master = model.build().unwrap();
    let ended = master.run(model.time.end, model.time.step, &mut NoObserver);
    (master, ended)
}

/// Works of the contacts of subsystem `c`, from step to step (J).
fn works(run: &Run) -> Vec<f64> {
    let [contact, impact, friction] =
        ["contact", "impact", "friction"].map(|name| run.column(&format!("c.step.{name}")));
    contact.into_iter().zip(impact).zip(friction).map(|((c, i), f)| c + i + f).collect()
}

fn told(warnings: &[Warning]) -> Vec<&Warning> {
    warnings.iter().filter(|warning| warning.text.contains("has created")).collect()
}

fn number_after(text: &str, before: &str) -> f64 {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no `{before}` in: {text}")).1;
    rest.split_whitespace().next().unwrap().parse().unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Contacts take energy out: what their work has risen by since it was least comes from nowhere.
#[test]
fn contacts_of_a_subsystem_that_put_energy_in_are_told_of_at_that_time() {
    for (text, steps) in [
        (TWO_MASSES, ["1e-4", "7e-5", "3e-5"]),
        (PROJECTED, ["0.01", "0.007", "0.013"]),
        (GUARANTEED, ["1e-3", "1.1e-3", "0.9e-3"]),
        (SCHATZMAN, ["1e-3", "0.7e-3", "1.2e-3"]),
    ] {
        for step in steps {
            let model = Run::text(text, &[&format!("time.step={step}")]);
            let recorded = Run::of(&model);
            let (mut sum, mut least, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
            let mut rises = Vec::new();
            for work in works(&recorded) {
                sum += work;
                least = least.min(sum);
                most = most.max(sum - least);
                rises.push(sum - least);
            }
            let report = &recorded.report;
            let of_contacts: Vec<_> =
                told(&report.warnings).into_iter().filter(|told| told.text.contains("impact rule")).collect();
            let stake = of_contacts.first().map_or(f64::INFINITY, |told| number_after(&told.text, "where "));
            let Some(first) = of_contacts.first() else {
                assert!(step != steps[0] && most < 0.01 * report.energy.start, "{step}: {most} J");
                continue;
            };
            assert_eq!(first.place, WarningPlace::Subsystem("c".to_owned()));
            let k = rises.iter().position(|rise| *rise > 0.01 * stake).unwrap();
            assert!(
                (first.time - recorded.times[k]).abs() < 1e-9,
                "{step}: {first:?}, {}",
                recorded.times[k]
            );
            let created = number_after(&first.text, "has created ");
            assert!((created / rises[k] - 1.0).abs() < 1e-3, "{created} J, {} J", rises[k]);
        }
    }
}

/// Kinetic and potential energy of the two masses of `inner-two-masses`, step by step.
fn energies(model: &ModelSpec) -> Vec<f64> {
    let run = Run::of(model);
    let columns = ["c.q0", "c.q1", "c.v_q0", "c.v_q1"].map(|name| run.column(name));
    let [m0, m1] = [0.516_292_293_327_063_8, 0.036_799_791_764_770_72];
    let (inner, ground, rest) = (6_115_604_317.538_349, 1_825.015_757_070_492_3, 0.525_674_135_621_240_7);
    let energy = |k: usize| {
        let [q0, q1, v0, v1] = [0, 1, 2, 3].map(|column: usize| columns[column][k]);
        let kinetic = 0.5 * (m0 * v0 * v0 + m1 * v1 * v1);
        let springs = 0.5 * (inner * (q1 - q0 - 0.5).powi(2) + ground * (q1 - rest).powi(2));
        kinetic + springs + 9.81 * (m0 * q0 + m1 * q1)
    };
    (0..run.times.len()).map(energy).collect()
}

#[test]
fn a_run_that_has_created_more_than_was_at_stake_ends_with_an_error() {
    let model = Run::text(TWO_MASSES, &[]);
    let energies = energies(&model);
    let (start, end) = (energies[0], energies[energies.len() - 1]);
    assert!(end > 1000.0 * start, "{start} J, {end} J");
    let (_, ended) = run(&model);
    let error = ended.unwrap_err();
    // As `main` shows it: one paragraph, without the report.
    let shown = format!("{error:?}");
    assert!(
        shown.starts_with("the run ended at 0.05 s after 500 steps: the run to 0.05 s has created"),
        "{shown}"
    );
    assert!(shown.lines().count() == 1 && shown.len() < 600, "{shown}");
    let RunError { report, source } = error;
    let StepError::EnergyCreatedInRun { time, created, at_stake, place } = *source else {
        panic!("{source}")
    };
    assert_eq!((time, report.end_time), (model.time.end, model.time.end));
    assert!((created / (end - start) - 1.0).abs() < 0.01, "{created} J");
    assert!((0.9 * start..10.0 * start).contains(&at_stake), "{at_stake} J");
    assert_eq!(place, "the impact rule of subsystem `c`");
    assert!(matches!(&report.outcome, Outcome::Failed(reason) if reason.contains("not to be trusted")));
    // What was recorded is complete, and the settings may accept it.
    assert_eq!(report.steps, 500);
    let accepted = run(&Run::text(TWO_MASSES, &["master.energy_action=ignore"])).1.unwrap();
    assert_eq!(accepted.outcome, Outcome::Completed);
    assert_eq!(accepted.energy, report.energy);
    assert!(!told(&accepted.warnings).is_empty());
}

#[test]
fn every_model_that_creates_energy_says_so() {
    // What grows beyond what was at stake, and what creates a part of it.
    for (text, fails) in
        [(PROJECTED, true), (DIVERGING, true), (SCHATZMAN, false), (GUARANTEED, false), (SWINGING, false)]
    {
        let (master, ended) = run(&Run::text(text, &[]));
        assert_eq!(ended.is_err(), fails, "{ended:?}");
        let is_told = |warning: &&Warning| {
            warning.text.contains("has created") || warning.text.contains("energy may be made")
        };
        let warnings: Vec<_> = master.warnings().iter().filter(is_told).collect();
        assert!(!warnings.is_empty(), "{ended:?}");
        assert!(warnings.iter().all(|warning| warning.time > 0.0 && warning.place != WarningPlace::Model));
    }
}

/// Twelve orders of magnitude to either side: energies, and what is round-off beside them, have no absolute size. The factors are powers
/// of two, so that all motions have the same bits.
#[test]
fn whatever_the_units_the_same_is_told() {
    let scaled = |factor: f64| {
        let times = |numbers: &[f64]| numbers.iter().map(|x| format!("{:e}", x * factor)).collect::<Vec<_>>();
        let masses = times(&[0.516_292_293_327_063_8, 0.036_799_791_764_770_72]).join(", ");
        let springs = times(&[6_115_604_317.538_349, 1_825.015_757_070_492_3]);
        let text = TWO_MASSES.replace("[0.5162922933270638, 0.036799791764770724]", &format!("[{masses}]"));
        let text = text.replace("6115604317.538349", &springs[0]);
        let text = text.replace("1825.0157570704923", &springs[1]);
        let (master, ended) = run(&Run::text(&text, &["master.energy_action=ignore"]));
        let told = told(master.warnings()).into_iter();
        let told: Vec<_> =
            told.map(|told| (told.time, number_after(&told.text, "created ") / factor)).collect();
        (told, ended.unwrap().energy.end / factor)
    };
    let (told, end) = scaled(1.0);
    assert!(told.len() > 2, "{told:?}");
    for factor in [2.0_f64.powi(40), 2.0_f64.powi(-40)] {
        let (others, other_end) = scaled(factor);
        assert_eq!(other_end, end);
        assert_eq!(others.len(), told.len());
        for ((time, created), (other_time, other)) in told.iter().zip(&others) {
            assert!(time == other_time && (other / created - 1.0).abs() < 1e-2, "{created} J, {other} J");
        }
    }
}

/// Loads hold a block in balance: nothing moves but by round-off, and there is nothing to create anything from.
#[test]
fn where_nothing_is_at_stake_nothing_is_told() {
    for (text, end) in [(RESTING, "0.1"), (BELT, "0.3")] {
        for factor in [1.0, 1e12, 1e-12] {
            for step in ["1e-3", "1e-2", "1e-4"] {
                let mass = format!("subsystem.b.mass=[{factor:e}, {factor:e}]");
                let weight = format!("subsystem.b.force=[0.0, {:e}]", -9.81 * factor);
                let load = format!(
                    "subsystem.b.load=[{{ coordinate = \"x\", time = [0.0, 1.0], value = [0.0, {:e}] }}]",
                    2.0 * factor
                );
                let overrides =
                    [&mass, &weight, &load, &format!("time.step={step}"), &format!("time.end={end}")];
                let model = Run::text(text, &overrides.map(String::as_str));
                let (master, ended) = run(&model);
                let report = ended.unwrap_or_else(|error| panic!("{factor}, {step}: {error}"));
                assert!(report.energy.monitor_sum.abs() < 1e-12 * factor);
                assert!(master.warnings().is_empty(), "{factor}, {step}: {:?}", master.warnings());
            }
        }
    }
    let (master, ended) = run(&Run::text(BELT, &[]));
    assert!(ended.is_ok() && master.warnings().is_empty(), "{:?}", master.warnings());
}

/// Energy grows without end: each power of ten is told, with all that has come from the place so far.
#[test]
fn a_place_that_goes_on_is_told_of_by_tens() {
    let model = Run::text(TWO_MASSES, &["master.energy_action=ignore"]);
    let (master, _) = run(&model);
    let created: Vec<f64> = told(master.warnings())
        .iter()
        .filter(|told| told.text.contains("impact rule"))
        .map(|told| number_after(&told.text, "has created "))
        .collect();
    assert!(created.len() > 3, "{created:?}");
    assert!(created.windows(2).all(|pair| pair[1] >= 0.999 * 10.0 * pair[0]), "{created:?}");
    let energy = master.energy();
    assert!(energy.contact < 10.0 * created[created.len() - 1], "{energy:?}, {created:?}");
    // A motion that diverges by powers of ten a step is told of some times, not hundreds.
    let (master, ended) = run(&Run::text(DIVERGING, &[]));
    assert!(ended.is_err());
    assert!((10..60).contains(&told(master.warnings()).len()), "{}", told(master.warnings()).len());
}

#[test]
fn warnings_stand_in_the_report() {
    let (master, ended) = run(&Run::text(OSCILLATOR, &["master.energy_action=ignore"]));
    let report = ended.unwrap();
    assert_eq!(report.warnings, master.warnings());
    let first = told(&report.warnings)[0];
    assert_eq!(first.place, WarningPlace::Contact("lower.floor".to_owned()));
    assert!(first.time > 0.0 && format!("{report:?}").contains(&first.text));
    assert_eq!(master.config().energy_action, EnergyAction::Ignore);
}
