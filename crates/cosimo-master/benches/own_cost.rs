//! The master's own cost: macro steps of two subsystems that have nothing to compute.
//!
//! The last measured figures are in `docs/benchmarks/cost.md`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::missing_docs_in_private_items,
    reason = "benches"
)]

use cosimo_master::{Coupling, Impacts, Interface, InterfaceLaw, Master, MasterConfig, Scheme};
use cosimo_mechanics::{Energy, StepEnergy};
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, LoadWeights, MacroStep, PortSpec, RowMatrix, RowState, Snapshot,
    Statistics, StepLoads, StepResponse, Subsystem, SubsystemError,
};
use divan::{Bencher, black_box};

#[path = "common/timing.rs"]
mod timing;

const H: f64 = 1e-3;
const STEPS: usize = 1000;

fn main() {
    divan::main();
    if timing::is_wanted() {
        let time = |build: fn() -> Master| {
            timing::microseconds(build, |master| {
                black_box(advance(master));
            })
        };
        let condensed = time(condensed_pair);
        println!("\n| one step | µs | limit (µs) | condensed step (µs) | ratio |\n|---|---|---|---|---|");
        for (name, time, limit) in [
            ("explicit, two trivial subsystems", time(explicit_pair), 0.3),
            ("five iterations", time(iterated_pair), 1.0),
        ] {
            println!("| {name} | {time:.3} | {limit} | {condensed:.4} | {:.1} |", time / condensed);
        }
    }
}

/// A mass on a line, stepped by the implicit midpoint rule in a few additions.
struct Mass {
    description: Description,
    mass: f64,
    rows: RowState,
    response: StepResponse,
    step: MacroStep,
}

impl Mass {
    fn boxed(name: &str, mass: f64, velocity: f64) -> Box<dyn Subsystem> {
        let description = Description {
            name: name.to_owned(),
            ports: vec![PortSpec::new("end", 1)],
            contacts: Vec::new(),
            quantities: Vec::new(),
            capabilities: Capabilities {
                inverse_mass: InverseMass::Exact,
                is_affine: true,
                can_roll_back: true,
                takes_impulses: true,
                has_variable_step: true,
                ..Capabilities::default()
            },
            ..Description::default()
        };
        let rows = RowState { positions: vec![0.0], velocities: vec![velocity], ..RowState::default() };
        let mut response = StepResponse::zeros(1);
        response.inverse_mass.dense_mut()[(0, 0)] = 1.0 / mass;
        Box::new(Self { description, mass, rows, response, step: MacroStep::default() })
    }

    fn answer(&mut self, impulse: f64) {
        let (z, v) = (self.rows.positions[0], self.rows.velocities[0]);
        let end = v + impulse / self.mass;
        self.response.velocities[0] = end;
        self.response.positions[0] = z + 0.5 * self.step.size * (v + end);
    }
}

impl Subsystem for Mass {
    fn description(&self) -> &Description {
        &self.description
    }
    fn rows(&self) -> &RowState {
        &self.rows
    }
    fn energy(&self) -> Energy {
        Energy { kinetic: 0.5 * self.mass * self.rows.velocities[0].powi(2), potential: 0.0 }
    }
    fn begin(&mut self, step: MacroStep, _start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.step = step;
        let half = 0.5 * step.size;
        let weights = LoadWeights { end: half, start: half, position: half, damping: half };
        if self.response.weights != weights {
            self.response.weights = weights;
            self.response.revision += 1;
        }
        self.answer(0.0);
        Ok(&self.response)
    }
    fn evaluate(&mut self, impulses: &[f64]) -> Result<&StepResponse, SubsystemError> {
        self.answer(impulses[0]);
        Ok(&self.response)
    }
    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.answer(loads.impulses[0]);
        let moved = self.response.positions[0] - self.rows.positions[0];
        self.rows.positions[0] = self.response.positions[0];
        self.rows.velocities[0] = self.response.velocities[0];
        let port_work = loads.impulses[0] / self.step.size * moved;
        Ok(StepEnergy { energy: self.energy(), port_work, ..StepEnergy::default() })
    }
    fn discard(&mut self) {}
    fn prepare_jump(&mut self, _size: f64) -> Result<&RowMatrix, SubsystemError> {
        Ok(&self.response.inverse_mass)
    }
    fn jump(&mut self, impulses: &[f64]) -> Result<(), SubsystemError> {
        self.rows.velocities[0] += impulses[0] / self.mass;
        Ok(())
    }
    fn project_positions(&mut self, weights: &[f64]) -> Result<(), SubsystemError> {
        self.rows.positions[0] += weights[0] / self.mass;
        Ok(())
    }
    fn observe(&self, _out: &mut [f64]) {}
    fn save(&self) -> Result<Snapshot, SubsystemError> {
        Snapshot::encode("mass", &[self.rows.positions[0], self.rows.velocities[0]])
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SubsystemError> {
        let values = snapshot.decode("mass")?;
        (self.rows.positions[0], self.rows.velocities[0]) = (values[0], values[1]);
        Ok(())
    }
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

fn pair(law: InterfaceLaw, config: MasterConfig) -> Master {
    let masses = vec![Mass::boxed("a", 1.0, 0.1), Mass::boxed("b", 2.0, -0.1)];
    Master::new(masses, vec![Interface::new("joint", "a.end", "b.end", law)], config, 0.0).unwrap()
}

fn advance(master: &mut Master) -> f64 {
    for _ in 0..STEPS {
        master.step(H).unwrap();
    }
    master.time()
}

/// Motion extrapolated, one exchange a step.
fn explicit_pair() -> Master {
    let couplings = ["a", "b"].map(|name| (name.to_owned(), Coupling::Explicit)).into();
    pair(InterfaceLaw::spring(1.0, 0.0, 1), MasterConfig { couplings, ..MasterConfig::default() })
}

/// The interface solved at once by the inverse masses.
fn condensed_pair() -> Master {
    pair(InterfaceLaw::spring(1.0, 0.0, 1), MasterConfig::default())
}

/// Subsystem after subsystem, five times a step, each evaluated anew from the start of the step.
fn iterated_pair() -> Master {
    let config = MasterConfig {
        scheme: Scheme::GaussSeidel,
        impacts: Impacts::PLAIN,
        tolerance: TOLERANCE,
        ..MasterConfig::default()
    };
    pair(InterfaceLaw::spring(STIFFNESS, 0.0, 1), config)
}

/// Chosen for five iterations per step: `(h/2)² k / m` is the contraction.
const STIFFNESS: f64 = 4e4;
const TOLERANCE: f64 = 1e-9;

#[divan::bench(sample_count = 100)]
fn explicit_step(bencher: Bencher) {
    bencher.counter(STEPS).with_inputs(explicit_pair).bench_local_refs(|master| black_box(advance(master)));
}

#[divan::bench(sample_count = 100)]
fn condensed_step(bencher: Bencher) {
    bencher.counter(STEPS).with_inputs(condensed_pair).bench_local_refs(|master| black_box(advance(master)));
}

#[divan::bench(sample_count = 100)]
fn five_iterations(bencher: Bencher) {
    let mut master = iterated_pair();
    let iterations: u32 = (0..STEPS).map(|_| master.step(H).unwrap().iterations).sum();
    let mean = f64::from(iterations) / STEPS as f64;
    assert!((mean - 5.0).abs() < 0.1, "{mean} iterations per step, not five");
    bencher.counter(STEPS).with_inputs(iterated_pair).bench_local_refs(|master| black_box(advance(master)));
}
