//! How subsystems are coupled that cannot do everything.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::models::{bouncing_mass, floating_mass, rod};
use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{
    Coupling, CouplingMode, EnergyAction, Impacts, InitialState, Interface, InterfaceLaw, Master,
    MasterConfig, NoObserver, Observer, RunState, SetupError, StepControl,
};
use cosimo_native::MechanismBuilder;
use cosimo_subsystem::conformance::Hidden;
use cosimo_subsystem::{Subsystem, SubsystemError};
use nalgebra::DMatrix;

type Secret = Hidden<Box<dyn Subsystem>>;

fn secret(name: &str) -> Secret {
    Hidden::new(floating_mass(name, 2.0, 0.05)).without_inverse_mass()
}

fn opaque(name: &str) -> Secret {
    secret(name).without_roll_back().without_impulses()
}

fn couple(
    b: impl Subsystem + 'static,
    law: InterfaceLaw,
    config: MasterConfig,
) -> Result<Master, SetupError> {
    let joint = Interface::new("joint", "ball.end", "body.end", law);
    Master::new(vec![bouncing_mass("ball", 1.0, 0.05), Box::new(b)], vec![joint], config, 0.0)
}

fn with(coupling: Coupling) -> MasterConfig {
    MasterConfig { couplings: [("body".to_owned(), coupling)].into(), ..MasterConfig::default() }
}

fn spring() -> InterfaceLaw {
    InterfaceLaw::spring(1e3, 0.0, 1)
}

#[test]
fn the_choice_follows_the_capabilities() {
    let choice = |b: Secret, coupling| couple(b, spring(), with(coupling)).unwrap().coupling_modes()[1];
    assert_eq!(
        choice(Hidden::new(floating_mass("body", 2.0, 0.05)), Coupling::Auto),
        CouplingMode::ExactUnverified
    );
    assert_eq!(choice(secret("body"), Coupling::Auto), CouplingMode::Differenced);
    assert_eq!(choice(opaque("body"), Coupling::Auto), CouplingMode::Explicit);
    assert_eq!(choice(secret("body"), Coupling::QuasiNewton), CouplingMode::QuasiNewton);
    assert_eq!(choice(secret("body"), Coupling::Explicit), CouplingMode::Explicit);
    let mut master = couple(floating_box(), spring(), with(Coupling::Auto)).unwrap();
    master.step(1e-3).unwrap();
    assert_eq!(
        master.coupling_modes(),
        [CouplingMode::Exact, CouplingMode::Exact],
        "verified in the first step"
    );
    let mut master = couple(floating_box(), spring(), with(Coupling::Differenced)).unwrap();
    master.step(1e-3).unwrap();
    assert_eq!(master.coupling_modes()[1], CouplingMode::Differenced);
}

fn floating_box() -> Box<dyn Subsystem> {
    floating_mass("body", 2.0, 0.05)
}

#[test]
fn couplings_that_cannot_be_are_refused() {
    let refuse = |b: Secret, coupling| couple(b, spring(), with(coupling)).unwrap_err().to_string();
    assert_eq!(
        refuse(secret("body"), Coupling::Exact),
        "subsystem `body` cannot have coupling = \"exact\": it does not tell its inverse mass; use coupling = \"auto\""
    );
    for coupling in [Coupling::Differenced, Coupling::QuasiNewton] {
        let text = refuse(opaque("body"), coupling);
        assert!(text.contains("it cannot evaluate a step before it is taken"), "{text}");
    }
    let config = MasterConfig {
        couplings: [("ball".to_owned(), Coupling::QuasiNewton)].into(),
        ..with(Coupling::Auto)
    };
    let text = couple(secret("body"), spring(), config).unwrap_err().to_string();
    assert!(text.contains("has contacts"), "{text}");
    let config =
        MasterConfig { couplings: [("bodi".to_owned(), Coupling::Auto)].into(), ..MasterConfig::default() };
    let text = couple(secret("body"), spring(), config).unwrap_err().to_string();
    assert_eq!(text, "there is a setting for subsystem `bodi`, which does not exist; there are: ball, body");
}

#[test]
fn a_rigid_joint_to_an_opaque_subsystem_is_refused_with_what_is_missing() {
    for law in [InterfaceLaw::Rigid, InterfaceLaw::Tikhonov { constant: 1e-9 }] {
        let text = couple(opaque("body"), law, MasterConfig::default()).unwrap_err().to_string();
        assert_eq!(
            text,
            "subsystem `body` can only be coupled explicitly, at compliant interfaces: it neither reports its inverse mass \
             nor can evaluate a step before it is taken (roll-back); but interface `joint` passes impulses, and those \
             of contacts with them; join it by a compliant interface, or give it an inverse mass or roll-back"
        );
    }
    let text = couple(secret("body"), InterfaceLaw::Rigid, with(Coupling::Explicit)).unwrap_err().to_string();
    assert!(text.contains("its coupling is set to \"explicit\""), "{text}");
    assert!(text.ends_with("join it by a compliant interface, or use coupling = \"auto\""), "{text}");
    let ball = Hidden::new(bouncing_mass("body", 1.0, 0.05)).without_inverse_mass().without_roll_back();
    let text = couple(ball, spring(), MasterConfig::default()).unwrap_err().to_string();
    assert!(text.contains("but contact `floor` acts by impulses"), "{text}");
}

/// What is set to explicit could be coupled otherwise; what can only be explicit gets no such advice.
#[test]
fn explicit_couplings_are_told_a_way_out_that_they_have() {
    let by_error = |coupling| MasterConfig { step_control: StepControl::Error, ..with(coupling) };
    let text = couple(secret("body"), spring(), by_error(Coupling::Explicit)).unwrap_err().to_string();
    let expected = "subsystem `body` is coupled explicitly, which tries no step before it is taken; use coupling = \"auto\"";
    assert!(text.contains(expected) && !text.contains("roll-back"), "{text}");
    let text = couple(opaque("body"), spring(), by_error(Coupling::Auto)).unwrap_err().to_string();
    assert!(text.contains("subsystem `body` cannot take a step back (no roll-back)"), "{text}");

    let stopped = |coupling| {
        let config =
            MasterConfig { energy_action: EnergyAction::Stop, energy_tolerance: 1e-12, ..with(coupling) };
        let stiff = InterfaceLaw::spring(1e5, 0.0, 1);
        let mut master = couple(secret("body"), stiff, config).unwrap();
        (0..1000).find_map(|_| master.step(1e-3).err()).unwrap().to_string()
    };
    let text = stopped(Coupling::Explicit);
    assert!(text.contains("a coupling other than \"explicit\"") && !text.contains("halve"), "{text}");
}

/// Contacts elsewhere, a model that is not affine, and a subsystem that takes no impulses: they do not meet.
#[test]
fn impacts_of_others_leave_an_opaque_subsystem_alone() {
    let rigid = Interface::new("rigid", "ball.end", "rod.end", InterfaceLaw::Rigid);
    let subsystems: Vec<Box<dyn Subsystem>> =
        vec![bouncing_mass("ball", 1.0, 0.0), rod("rod"), Box::new(opaque("apart"))];
    let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
    let mut master = Master::new(subsystems, vec![rigid], config, 0.0).unwrap();
    for _ in 0..200 {
        master.step(1e-3).unwrap();
    }
    assert_eq!(master.subsystems()[2].rows().velocities, [0.0]);
}

/// What the first step found of a claim belongs to the state: a model built anew goes on with the same bits.
#[test]
fn a_false_claim_survives_saving() {
    let build = || {
        let liar = Hidden::new(floating_mass("body", 2.0, 0.05)).with_false_inverse_mass(3.0);
        couple(liar, spring(), MasterConfig::default()).unwrap()
    };
    let mut master = build();
    let mut saved = None;
    for k in 0..200 {
        if k == 100 {
            saved = Some(master.save().unwrap());
        }
        master.step(1e-3).unwrap();
    }
    let mut resumed = build();
    resumed.restore(&saved.unwrap()).unwrap();
    assert_eq!(resumed.coupling_modes(), [CouplingMode::Exact, CouplingMode::Differenced]);
    assert_eq!(resumed.warnings(), master.warnings());
    for _ in 100..200 {
        resumed.step(1e-3).unwrap();
    }
    for (a, b) in resumed.subsystems().iter().zip(master.subsystems()) {
        assert_eq!(a.rows(), b.rows());
    }
    let mut other = couple(secret("body"), spring(), with(Coupling::Explicit)).unwrap();
    let state = couple(floating_box(), spring(), with(Coupling::Auto)).unwrap().save().unwrap();
    let text = other.restore(&state).unwrap_err().to_string();
    assert!(text.contains("its couplings differ"), "{text}");
}

/// A row of masses on springs, a port each.
fn many_ports(name: &str, count: usize) -> Secret {
    let stiffness = DMatrix::from_fn(count, count, |i, j| match i.abs_diff(j) {
        0 => 2e3,
        1 => -1e3,
        _ => 0.0,
    });
    let system = LinearSystem::new(DMatrix::identity(count, count)).unwrap();
    let system = system.with_stiffness(stiffness).unwrap();
    let names: Vec<String> =
        (0..count).map(|i| if i == 0 { "end".to_owned() } else { format!("p{i}") }).collect();
    let ports: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 1)).collect();
    let rows = LinearRows((0..count).map(LinearRow::coordinate).collect());
    let built = MechanismBuilder::new(name, system).with_ports(&ports, rows).build().unwrap();
    let built: Box<dyn Subsystem> = Box::new(built);
    Hidden::new(built).without_inverse_mass()
}

#[test]
fn many_ports_are_learnt_instead_of_differenced() {
    // Inside a step, impacts are resolved otherwise where an answer is not affine.
    let master = |b: Secret, coupling| {
        let config = MasterConfig { impacts: Impacts::PLAIN, ..with(coupling) };
        couple(b, spring(), config).unwrap()
    };
    assert_eq!(master(many_ports("body", 12), Coupling::Auto).coupling_modes()[1], CouplingMode::Differenced);
    let mut learnt = master(many_ports("body", 13), Coupling::Auto);
    let mut differenced = master(many_ports("body", 13), Coupling::Differenced);
    assert_eq!(learnt.coupling_modes()[1], CouplingMode::QuasiNewton);
    let mut most = 0;
    for _ in 0..90 {
        most = most.max(learnt.step(1e-3).unwrap().iterations);
        differenced.step(1e-3).unwrap();
    }
    let (a, b) = (learnt.subsystems()[1].rows(), differenced.subsystems()[1].rows());
    for (a, b) in a.positions.iter().zip(&b.positions) {
        assert!((a - b).abs() < 1e-10, "{a:e} and {b:e}");
    }
    assert!(most <= 6, "{most} iterations in one step");
    assert!(learnt.subsystems()[1].statistics().evaluations < 4 * 90);
}

/// Keeps the state after some steps, and stops if it is asked to.
#[derive(Default)]
struct Keeper {
    at: u64,
    kept: Option<RunState>,
}

impl Observer for Keeper {
    fn wants_state(&mut self, step: u64, _is_stopping: bool) -> bool {
        step == self.at
    }

    fn state(&mut self, state: Result<&RunState, &SubsystemError>) {
        self.kept = Some(state.unwrap().clone());
    }
}

#[test]
fn a_controlled_run_goes_on_with_the_same_bits() {
    let build = || {
        let body = Hidden::new(floating_mass("body", 2.0, 0.06)).without_inverse_mass();
        couple(body, InterfaceLaw::spring(1e4, 0.0, 1), with(Coupling::Explicit)).unwrap()
    };
    let (mut whole, mut keeper) = (build(), Keeper { at: 100, kept: None });
    let report = whole.run(0.08, 4e-3, &mut keeper).unwrap();
    let state = keeper.kept.unwrap();
    assert!(report.steps > 150, "{} steps: the control has made them small", report.steps);
    let mut resumed = build();
    resumed.restore(&state.master).unwrap();
    let second = resumed.run_from(state.position, &mut NoObserver).unwrap();
    assert_eq!(second.steps, report.steps);
    for (a, b) in whole.subsystems().iter().zip(resumed.subsystems()) {
        assert_eq!(a.rows(), b.rows());
    }
}

#[test]
fn steps_that_cannot_be_taken_back_are_not_chosen_by_their_error() {
    let rejection = |body: Secret, config: MasterConfig| {
        let config = MasterConfig { step_control: StepControl::Error, ..config };
        couple(body, InterfaceLaw::spring(1e4, 0.0, 1), config).err().unwrap().to_string()
    };
    let text = rejection(opaque("body"), with(Coupling::Auto));
    assert!(text.contains("`body` cannot take a step back") && text.contains("\"energy\""), "{text}");
    let text = rejection(
        Hidden::new(floating_mass("body", 2.0, 0.06)).without_inverse_mass(),
        with(Coupling::Explicit),
    );
    assert!(text.contains("`body` is coupled explicitly, which tries no step before it is taken"), "{text}");
}
