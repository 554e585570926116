//! What a run says that it has cost, against work of known amount and against the processor time of this process. Nothing
//! else runs in it: there is one test.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::hint::black_box;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cosimo::master::{Master, NoObserver, RunReport};
use cosimo::mechanics::StepEnergy;
use cosimo::model::ModelSpec;
use cosimo::subsystem::{MacroStep, StepLoads, StepResponse, Subsystem, SubsystemError, pass_on};
use cosimo::transport::{DEADLINE, StreamSubsystem, ThreadedSubsystem, serve};
use coupling_tests::Run;
use rustix::time::{ClockId, clock_gettime};

/// Processor time (ns) that work in begins, evaluations and commits has taken, by the clocks of its threads.
type Done = Arc<[AtomicU64; 3]>;

/// A subsystem that works so many units more in a begin, an evaluation and a commit.
struct Busy {
    inner: Box<dyn Subsystem>,
    units: [u64; 3],
    done: Done,
}

impl Busy {
    /// A unit takes some 400 µs: much more than to wake a thread up in the midst of others, and all steps are measured.
    fn work(&self, phase: usize) {
        if self.units[phase] == 0 {
            return;
        }
        let since = nanoseconds(ClockId::ThreadCPUTime);
        let mut sum = 0.0_f64;
        for k in 0..128_000 * self.units[phase] {
            sum = black_box(sum + k as f64);
        }
        let spent = nanoseconds(ClockId::ThreadCPUTime) - since;
        self.done[phase].fetch_add(spent, Ordering::Relaxed);
    }
}

impl Subsystem for Busy {
    pass_on!(inner: description, rows, energy, discard, prepare_jump, jump, project_positions, observe, save, restore);
    pass_on!(inner: statistics);

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.work(0);
        self.inner.begin(step, start_loads)
    }

    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.work(1);
        self.inner.evaluate(impulses)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.work(2);
        self.inner.commit(loads)
    }
}

/// Where the subsystems run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Here,
    SharedByThreads,
    Threads,
    /// At the other end of bytes, as in a process.
    Streams,
}

/// A socket that is closed when this is dropped: the other end then stops to serve.
struct Line(TcpStream);

impl Drop for Line {
    fn drop(&mut self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Serves a subsystem in another thread of this process.
fn served(subsystem: Box<dyn Subsystem>, lines: &mut Vec<Line>) -> Box<dyn Subsystem> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let far = listener.accept().unwrap().0;
    near.set_nodelay(true).unwrap();
    far.set_nodelay(true).unwrap();
    lines.push(Line(near.try_clone().unwrap()));
    std::thread::spawn(move || serve(subsystem, far.try_clone().unwrap(), far));
    Box::new(StreamSubsystem::connect("busy", near.try_clone().unwrap(), near, DEADLINE).unwrap())
}

/// Processor time by this clock (ns).
fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    1_000_000_000 * time.tv_sec.unsigned_abs() + time.tv_nsec.unsigned_abs()
}

/// Seconds that a processor has worked for this process.
fn process_seconds() -> f64 {
    1e-9 * nanoseconds(ClockId::ProcessCPUTime) as f64
}

/// The report of a run, the time of the work by subsystem and phase, and the processor time of this process meanwhile (s).
fn run(model: &ModelSpec, place: Place) -> (RunReport, [[f64; 3]; 2], f64) {
    let done: [Done; 2] = Default::default();
    let mut lines = Vec::new();
    let units = [[1, 0, 3], [2, 4, 1]];
    let parts = model.build_subsystems().unwrap().into_iter().zip(units).zip(&done);
    let parts = parts.map(|((inner, units), done)| -> Box<dyn Subsystem> {
        let busy = Box::new(Busy { inner, units, done: done.clone() });
        match place {
            Place::Here | Place::SharedByThreads => busy,
            Place::Threads => Box::new(ThreadedSubsystem::spawn(busy).unwrap()),
            Place::Streams => served(busy, &mut lines),
        }
    });
    let parts = parts.collect();
    let mut config = model.build_config();
    config.threads = if place == Place::SharedByThreads { 2 } else { 1 };
    let mut master = Master::new(parts, model.build_interfaces(), config, model.time.start).unwrap();
    let counts = || done.each_ref().map(|done| done.each_ref().map(|spent| spent.load(Ordering::Relaxed)));
    let (before, since) = (counts(), process_seconds());
    let report = master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let (after, spent) = (counts(), process_seconds() - since);
    let work = [0, 1].map(|i| [0, 1, 2].map(|k: usize| 1e-9 * (after[i][k] - before[i][k]) as f64));
    (report, work, spent)
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() < tolerance * expected, "{what}: {found} in place of {expected}");
}

/// The parts add up, and each is as large as its work.
fn check(model: &ModelSpec, place: Place) {
    let (report, work, spent) = run(model, place);
    assert_close(report.processor_seconds(), spent, 0.05, &format!("{place:?}, all"));
    let seconds: f64 = report.subsystems.iter().map(|own| own.seconds.total()).sum();
    // Besides, the master does next to nothing here, and waiting for others is no work.
    let carried = report.master.messages + report.master.threads;
    assert!(seconds + carried > 0.9 * spent && carried < 0.5 * spent, "{place:?}: {report:?}");
    assert!(carried < 0.05 * spent || place != Place::Here, "{place:?}: {report:?}");
    for (own, work) in report.subsystems.iter().zip(work) {
        let calls = [own.seconds.begin, own.seconds.evaluate, own.seconds.commit];
        for (k, (found, expected)) in calls.into_iter().zip(work).enumerate() {
            if expected > 0.0 {
                assert_close(found, expected, 0.1, &format!("{place:?}, {}, phase {k}", own.name));
            }
        }
    }
}

/// Processes that take the processors away as long as this lives.
struct Others(Vec<Child>);

impl Others {
    fn start() -> Self {
        let start = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Self((0..2).map(|_| start()).collect())
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn costs_are_those_of_the_work_wherever_it_is_done_and_whatever_else_runs() {
    let model = Run::first_steps("droop-stop-nonlinear/model.toml", &[], 80);
    let places = [Place::Here, Place::SharedByThreads, Place::Threads, Place::Streams];
    for place in places {
        check(&model, place);
    }
    let _others = Others::start();
    for place in places {
        check(&model, place);
    }
}
