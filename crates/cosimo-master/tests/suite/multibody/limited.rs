//! Bodies that report no response of rows on which only loads act.

use std::sync::{Arc, Mutex};

use cosimo_master::{
    Acceleration, Impacts, Interface, InterfaceLaw, LoadTangents, Master, MasterConfig, Scheme, Tangent,
};
use cosimo_mechanics::StepEnergy;
use cosimo_native::{ForceElement, MultibodyBuilder, QuadraticDrag};
use cosimo_subsystem::{
    Begun, ExpectedLoads, MacroStep, RowBlocks, RowMatrix, StepLoads, StepResponse, Subsystem,
    SubsystemError, pass_on,
};

use super::models::MIDPOINT;
use super::models::{part, part_of_double_pendulum, point};
use super::run::{bits, values};

/// Points of the lower rod in air.
const POINTS: usize = 12;

/// What a subsystem was asked of its response, and the rows that it reported at last.
#[derive(Debug, Default)]
struct Told {
    needed: Vec<bool>,
    has_row: Vec<bool>,
}

/// Passes calls on; requests the response only if it `passes` that.
struct Spy {
    inner: Box<dyn Subsystem>,
    passes: bool,
    told: Arc<Mutex<Told>>,
}

impl Subsystem for Spy {
    pass_on!(inner: description, rows, energy, evaluate, evaluate_rows, discard, prepare_jump, jump, project_positions);
    pass_on!(inner: observe, save, restore, statistics);

    fn set_active_rows(&mut self, needed: &[bool]) {
        self.told.lock().unwrap().needed = needed.to_vec();
        if self.passes {
            self.inner.set_active_rows(needed);
        }
    }

    fn begin(&mut self, step: MacroStep, start_loads: &[f64]) -> Result<&StepResponse, SubsystemError> {
        let response = self.inner.begin(step, start_loads)?;
        let rows = response.positions.len();
        self.told.lock().unwrap().has_row = (0..rows).map(|row| response.inverse_mass.has_row(row)).collect();
        Ok(response)
    }

    fn begin_predicted(
        &mut self,
        step: MacroStep,
        start_loads: &[f64],
        expected: ExpectedLoads<'_>,
    ) -> Result<Begun<'_>, SubsystemError> {
        let begun = self.inner.begin_predicted(step, start_loads, expected)?;
        let (Begun::Free(response) | Begun::UnderLoads(response)) = &begun;
        let rows = response.positions.len();
        self.told.lock().unwrap().has_row = (0..rows).map(|row| response.inverse_mass.has_row(row)).collect();
        Ok(begun)
    }

    fn commit(&mut self, loads: &StepLoads) -> Result<StepEnergy, SubsystemError> {
        self.inner.commit(loads)
    }
}

/// The double pendulum in two parts, the lower one in air that acts on many points.
fn in_air(passes: bool, config: MasterConfig) -> (Master, Arc<Mutex<Told>>) {
    let upper = part("upper", part_of_double_pendulum("upper"), point, MIDPOINT);
    let system = part_of_double_pendulum("lower");
    let at = 1.0 - system.bodies()[0].position.x;
    let mut lower = MultibodyBuilder::new("lower", system).with_method(MIDPOINT);
    let place = |k: usize| [0.3 - 0.6 * k as f64 / POINTS as f64, 0.02 * (k as f64).sin(), 0.0];
    for k in 0..POINTS {
        lower = lower.with_port(format!("p{k}"), point("lower", place(k)));
        if k == 4 {
            lower = lower.with_port("cut", point("lower", [at, 0.0, 0.0]));
        }
    }
    let told = Arc::<Mutex<Told>>::default();
    let lower = Spy { inner: Box::new(lower.build().unwrap()), passes, told: told.clone() };
    let mut subsystems: Vec<Box<dyn Subsystem>> = vec![upper, Box::new(lower)];
    let mut interfaces = vec![Interface::new("joint", "upper.cut", "lower.cut", InterfaceLaw::Rigid)];
    for k in 0..POINTS {
        let law = QuadraticDrag { coefficient: 0.01, size: 3 };
        subsystems.push(Box::new(ForceElement::new(format!("air{k}"), law)));
        let [port, load] = [format!("lower.p{k}"), format!("air{k}.body")];
        interfaces.push(Interface::new(format!("drag{k}"), &port, &load, InterfaceLaw::Load));
    }
    (Master::new(subsystems, interfaces, config, 0.0).unwrap(), told)
}

fn config(load_tangents: LoadTangents, scheme: Scheme) -> MasterConfig {
    let acceleration = match scheme {
        Scheme::Condensed => Acceleration::default(),
        _ => Acceleration::IqnIls { reuse: 3, filter: 1e-6 },
    };
    let impacts = Impacts::PLAIN;
    MasterConfig { load_tangents, scheme, impacts, acceleration, tolerance: 1e-11, ..MasterConfig::default() }
}

#[test]
fn rows_that_only_loads_act_on_need_no_response() {
    let end = |passes: bool, scheme: Scheme| {
        let (mut master, told) = in_air(passes, config(LoadTangents::Never, scheme));
        for _ in 0..200 {
            master.step(2e-3).unwrap();
        }
        let told = told.lock().unwrap();
        let joined = |row: usize| (15..18).contains(&row);
        assert!(told.needed.iter().enumerate().all(|(row, needed)| *needed == joined(row)));
        assert!(told.has_row.iter().enumerate().all(|(row, has)| *has == (!passes || joined(row))));
        assert_eq!(told.has_row.len(), 3 * POINTS + 3);
        (values(&master, "lower", ["lower.x", "lower.y", "lower.z"]), master.energy().monitor_sum)
    };
    let (full, created) = end(false, Scheme::Condensed);
    for scheme in [Scheme::Condensed, Scheme::GaussSeidel, Scheme::Jacobi] {
        let (limited, monitor) = end(true, scheme);
        let difference = (limited - full).norm().max((monitor - created).abs());
        assert!(difference < 1e-9, "{scheme:?}: {difference:e}");
    }
}

#[test]
fn only_tangents_that_enter_need_the_response_of_all_rows() {
    let needed = |load_tangents: LoadTangents| {
        let (mut master, told) = in_air(true, config(load_tangents, Scheme::Condensed));
        let count = |told: &Arc<Mutex<Told>>| told.lock().unwrap().needed.iter().filter(|row| **row).count();
        let before = count(&told);
        for _ in 0..20 {
            master.step(2e-3).unwrap();
        }
        ([before, count(&told)], bits(&master))
    };
    // Thin air contracts fast: what is chosen and how it was found leave no trace.
    let (never, by_never) = needed(LoadTangents::Never);
    let (auto, by_itself) = needed(LoadTangents::Auto);
    assert_eq!((never, auto), ([3, 3], [3, 3]));
    assert_eq!(by_never, by_itself);
    assert_eq!(needed(LoadTangents::Always).0, [3, 3 * POINTS + 3]);
}

#[test]
fn a_limited_response_repeats_after_a_checkpoint_bit_for_bit() {
    for (load_tangents, tangent) in [
        (LoadTangents::Never, Tangent::Exact),
        (LoadTangents::Never, Tangent::Frozen),
        (LoadTangents::Auto, Tangent::Exact),
        (LoadTangents::Always, Tangent::Exact),
    ] {
        let settings = || MasterConfig { tangent, ..config(load_tangents, Scheme::Condensed) };
        let new = || in_air(true, settings()).0;
        let mut master = new();
        for _ in 0..20 {
            master.step(2e-3).unwrap();
        }
        let saved = master.save().unwrap();
        let mut other = new();
        other.restore(&saved).unwrap();
        for _ in 0..20 {
            master.step(2e-3).unwrap();
            other.step(2e-3).unwrap();
        }
        assert_eq!(bits(&master), bits(&other), "{load_tangents:?}, {tangent:?}");
    }
}

/// The blocks of a response are those rows that are needed.
#[test]
fn a_multibody_system_tells_one_block_of_the_rows_that_are_needed() {
    let mut body = part("lower", part_of_double_pendulum("lower"), point, MIDPOINT);
    let needed = [true, false, true];
    body.set_active_rows(&needed);
    let response = body.begin(MacroStep { time: 0.0, size: 1e-3 }, &[0.0; 3]).unwrap();
    let RowMatrix::Blocks(blocks) = &response.inverse_mass else { panic!("{:?}", response.inverse_mass) };
    assert_eq!(blocks.blocks()[0].rows, RowBlocks::over(&needed).blocks()[0].rows);
}
