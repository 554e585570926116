//! Subsystems that fail in the middle of a run: it ends with their names, and its results up to there are complete.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cosimo::master::{Master, MasterConfig, NoObserver};
use cosimo::mechanics::StepEnergy;
use cosimo::results::{Overwrite, RecordConfig, Recorder, ResultDirectory};
use cosimo::subsystem::{
    Description, MacroStep, RowState, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on,
};
use cosimo::transport::ThreadedSubsystem;
use coupling_tests::Run;

/// Passes every call on until a time, at which it panics; counts that it was dropped.
struct Falls {
    inner: Box<dyn Subsystem>,
    at: f64,
    drops: Arc<AtomicU32>,
}

impl Drop for Falls {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::SeqCst);
    }
}

impl Subsystem for Falls {
    pass_on!(inner: description, rows, energy, evaluate, commit, discard, prepare_jump, jump, project_positions);
    pass_on!(inner: observe, save, restore, statistics, prefetch, is_asynchronous);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        assert!(step.time < self.at, "the licence has expired");
        self.inner.begin(step, start_loads)
    }
}

const MODEL: &str = "chain/model-10-masses.toml";
const STEP: f64 = 1e-3;

/// The chain in ten parts, of which the sixth panics in the step from `at` (s).
fn chain(in_threads: bool, threads: u32, at: f64, drops: &Arc<AtomicU32>) -> Master {
    let model = Run::model(MODEL, &[]);
    let mut subsystems = Vec::new();
    for (i, inner) in model.build_subsystems().unwrap().into_iter().enumerate() {
        let at = if i == 5 { at } else { f64::INFINITY };
        let falls = Box::new(Falls { inner, at, drops: drops.clone() });
        subsystems.push(match in_threads {
            true => Box::new(ThreadedSubsystem::spawn(falls).unwrap()) as Box<dyn Subsystem>,
            false => falls,
        });
    }
    let config = MasterConfig { threads, ..model.build_config() };
    Master::new(subsystems, model.build_interfaces(), config, 0.0).unwrap()
}

#[test]
fn a_panic_leaves_complete_results_and_ends_all_threads() {
    let drops = Arc::new(AtomicU32::new(0));
    let scratch = tempfile::tempdir().unwrap();
    let whole = {
        let directory = ResultDirectory::create(scratch.path().join("whole"), Overwrite::Refuse).unwrap();
        let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
        chain(false, 1, f64::INFINITY, &drops).run(0.1, STEP, &mut recorder).unwrap();
        fs::read_to_string(recorder.into_result().unwrap().results()).unwrap()
    };
    for (name, in_threads, threads) in [("own", true, 1), ("crew", false, 2), ("none", false, 1)] {
        drops.store(0, Ordering::SeqCst);
        let directory = ResultDirectory::create(scratch.path().join(name), Overwrite::Refuse).unwrap();
        let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
        let mut master = chain(in_threads, threads, 0.0495, &drops);
        let subsystem = master.subsystems()[5].description().name.clone();
        let error = master.run(1.0, STEP, &mut recorder).unwrap_err();
        let reason = error.source.to_string();
        for part in ["step from 0.05 s", &format!("`{subsystem}`"), "panicked: the licence has expired"] {
            assert!(reason.contains(part), "{name}: {reason}");
        }
        assert_eq!(error.report.steps, 50, "{name}");
        drop(master);
        assert_eq!(drops.load(Ordering::SeqCst), 10, "{name}: all have ended");

        let directory = recorder.into_result().unwrap();
        let results = fs::read_to_string(directory.results()).unwrap();
        let (lines, expected): (Vec<_>, Vec<_>) =
            (results.lines().collect(), whole.lines().take(52).collect());
        assert_eq!(lines.len(), 52, "{name}: a header, the start and 50 steps");
        assert!(lines == expected, "{name}: the results are those of a run without the failure");
        let summary: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(directory.summary()).unwrap()).unwrap();
        assert_eq!(summary["outcome"], "failed", "{name}");
        assert!(summary["reason"].as_str().unwrap().contains(&subsystem), "{name}: {summary}");
        assert_eq!(summary["steps"], 50, "{name}");
        assert!(directory.plot().exists(), "{name}");
    }
}

/// A subsystem that falls between two rows: what is known of the others is recorded, of it nothing.
#[test]
fn a_row_after_a_panic_tells_only_what_is_known() {
    let drops = Arc::new(AtomicU32::new(0));
    let scratch = tempfile::tempdir().unwrap();
    let directory = ResultDirectory::create(scratch.path().join("out"), Overwrite::Refuse).unwrap();
    let every = RecordConfig { every: 20.try_into().unwrap(), ..RecordConfig::default() };
    let mut recorder = Recorder::create(directory, every).unwrap();
    let mut master = chain(false, 1, 0.0495, &drops);
    let subsystem = master.subsystems()[5].description().name.clone();
    master.run(1.0, STEP, &mut recorder).unwrap_err();
    let directory = recorder.into_result().unwrap();
    let mut reader = csv::Reader::from_path(directory.results()).unwrap();
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4, "0, 20, 40 and 50 steps");
    for (name, value) in header.iter().zip(&rows[3]) {
        let is_known = value.parse::<f64>().is_ok_and(f64::is_finite);
        let is_of_it = name.starts_with(&format!("{subsystem}."));
        assert!(is_known != is_of_it, "{name} is {value}");
    }
    assert!(fs::read_to_string(directory.plot()).unwrap().contains("<svg"));
}

#[test]
fn a_state_that_overflows_is_told_by_name() {
    // A spring that is unstable when it is coupled explicitly: the state grows until its energy overflows.
    let text = "schema = 1\ntime = { end = 100.0, step = 0.1 }\nmaster = { step_control = \"fixed\" }\n\
        [[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [1.0]\nposition = [0.02]\n\
        port = [{ name = \"end\", coordinates = [0] }]\n\
        [[subsystem]]\nname = \"b\"\nkind = \"linear\"\nmass = [2.0]\ncoupling = \"explicit\"\n\
        port = [{ name = \"end\", coordinates = [0] }]\n\
        [[interface]]\nname = \"spring\"\nbetween = [\"a.end\", \"b.end\"]\nlaw = \"compliant\"\nstiffness = 1e7\n";
    let model = Run::text(text, &[]);
    let mut master = model.build().unwrap();
    let error = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap_err();
    let text = error.source.to_string();
    assert!(error.report.steps > 20 && error.report.steps < 1000, "{:?}", error.report);
    for part in ["step from ", "subsystem `a`", "an energy of the step is not finite"] {
        assert!(text.contains(part), "{text}");
    }
}

/// Shows positions of which a share is missing, so that they are not those of its rates, and takes no moves.
struct Lags {
    inner: Box<dyn Subsystem>,
    description: Description,
    share: f64,
    rows: RowState,
    response: StepResponse,
}

impl Lags {
    fn new(inner: Box<dyn Subsystem>, share: f64) -> Self {
        let mut description = inner.description().clone();
        description.capabilities.takes_moves = false;
        let mut new =
            Self { description, share, rows: inner.rows().clone(), response: StepResponse::zeros(1), inner };
        new.take_a_look();
        new
    }

    fn take_a_look(&mut self) {
        self.rows.clone_from(self.inner.rows());
        self.rows.positions.iter_mut().for_each(|x| *x *= self.share);
    }

    fn show(&mut self, shown: StepResponse) -> &StepResponse {
        self.response = shown;
        self.response.positions.iter_mut().for_each(|x| *x *= self.share);
        &self.response
    }
}

impl Subsystem for Lags {
    pass_on!(inner: energy, discard, observe, save, restore, statistics);

    fn description(&self) -> &Description {
        &self.description
    }

    fn rows(&self) -> &RowState {
        &self.rows
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let shown = self.inner.begin(step, start_loads)?.clone();
        Ok(self.show(shown))
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let shown = self.inner.evaluate(impulses)?.clone();
        Ok(self.show(shown))
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        let ledger = self.inner.commit(loads)?;
        self.take_a_look();
        Ok(ledger)
    }
}

/// A rigid joint that comes apart says so, once, and one whose ends keep together says nothing.
#[test]
fn a_rigid_joint_that_opens_is_told() {
    let text = "schema = 1\ntime = { end = 1, step = 1e-3 }\n\
        [[subsystem]]\nname = \"a\"\nkind = \"linear\"\nmass = [1.0]\nvelocity = 2\n[[subsystem.port]]\nname = \"p\"\ncoordinates = [0]\n\
        [[subsystem]]\nname = \"b\"\nkind = \"linear\"\nmass = [1.0]\nvelocity = 2\n[[subsystem.port]]\nname = \"p\"\ncoordinates = [0]\n\
        [[interface]]\nname = \"j\"\nlaw = \"rigid\"\nbetween = [\"a.p\", \"b.p\"]\n";
    for (share, told) in [(1.0, 0), (0.9, 1)] {
        let model = Run::text(text, &[]);
        let mut shares = [1.0, share].into_iter();
        let lags = |inner| Box::new(Lags::new(inner, shares.next().unwrap())) as Box<dyn Subsystem>;
        let subsystems = model.build_subsystems().unwrap().into_iter().map(lags).collect();
        let mut master =
            Master::new(subsystems, model.build_interfaces(), model.build_config(), 0.0).unwrap();
        master.run(1.0, 1e-3, &mut NoObserver).unwrap();
        let open = master.warnings().iter().filter(|warning| warning.text.contains("is rigid and open by"));
        assert_eq!(open.count(), told, "{share}");
    }
}
