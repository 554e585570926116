//! A coupled model as a subsystem: it keeps the contract, and moves as the same model without a cut.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write;

use cosimo::composite::Composite;
use cosimo::master::{Assembly, Coupling, Impacts, Master, MasterConfig, Scheme};
use cosimo::mechanics::Restitution;
use cosimo::model::ModelSpec;
use cosimo::subsystem::conformance::Conformance;
use cosimo::subsystem::{Description, InverseMass, Subsystem, pass_on};
use cosimo::transport::ThreadedSubsystem;
use coupling_tests::{NEST, Run, nested, nested_parts};

/// A row of masses between springs, each a subsystem with this solver, joined by these laws from left to right.
fn row(solvers: &[&str], joints: &[&str], step: f64) -> ModelSpec {
    let mut text = format!(
        "schema = 1\ntime = {{ end = 0.4, step = {step:e} }}\nmaster = {{ tolerance = 1e-11, initial_state = \"project\" }}\n"
    );
    for (k, solver) in solvers.iter().enumerate() {
        write!(
            text,
            "[[subsystem]]\nname = \"m{k}\"\nkind = \"linear\"\nsolver = {solver}\ncoordinates = [\"x\"]\nmass = [{}]\n\
             position = 0.01\nvelocity = 0.2\n\
             [[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\"]\n\
             [[subsystem.spring]]\nground = 0\nstiffness = {}\ndamping = 0.5\n",
            1.0 + 0.3 * k as f64,
            200.0 + 90.0 * k as f64,
        )
        .unwrap();
    }
    for (k, law) in joints.iter().enumerate() {
        write!(text, "[[interface]]\nname = \"j{k}\"\nbetween = [\"m{k}.p\", \"m{}.p\"]\n{law}\n", k + 1)
            .unwrap();
    }
    Run::text(&text, &[])
}

const SPRING: &str = "law = \"compliant\"\nstiffness = 300.0\ndamping = 0.4";
const RIGID: &str = "law = \"rigid\"";
const RULES: [&str; 4] = [
    "\"theta\"",
    "{ method = \"theta\", theta = 0.7 }",
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"generalized-alpha\", spectral_radius = 0.8 }",
];

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// By how much the model with this part in a composite moves otherwise (m).
fn off(model: &ModelSpec, inside: &[&str], name: &str) -> f64 {
    let flat = Run::completed(model);
    let cut = Run::by(nested(model, inside), model);
    let outside = |sub: &str| if inside.contains(&sub) { format!("{NEST}.{name}") } else { name.to_owned() };
    let (owner, _) = name.split_once('.').unwrap();
    largest_difference(&flat.column(name), &cut.column(&outside(owner)))
}

/// By the midpoint rule, whose loads are means, nothing changes at all but rounding.
#[test]
fn midpoint_models_move_as_without_the_cut() {
    for joints in
        [[SPRING, SPRING, SPRING], [RIGID, SPRING, SPRING], [SPRING, RIGID, SPRING], [RIGID, RIGID, SPRING]]
    {
        let model = row(&[RULES[0]; 4], &joints, 1e-3);
        for inside in [&["m0"] as &[_], &["m0", "m1"], &["m1", "m2"], &["m1", "m2", "m3"]] {
            for name in ["m0.x", "m1.x", "m2.v_x", "m3.x"] {
                let off = off(&model, inside, name);
                assert!(off < 1e-9, "{joints:?} {inside:?} {name}: {off:e}");
            }
        }
    }
}

/// Whatever the rules on both sides, joints to a composite are as accurate as others: of order two, of order one where a rule inside is.
#[test]
fn joints_to_a_composite_have_the_order_of_the_rules() {
    for (first, second) in RULES.iter().flat_map(|a| RULES.iter().map(move |b| (a, b))) {
        for joints in [[SPRING, SPRING], [RIGID, SPRING], [SPRING, RIGID]] {
            let solvers = [*first, *first, *second];
            let exact = Run::completed(&row(&[RULES[0]; 3], &joints, 1e-5));
            let errors = [4e-3, 2e-3, 1e-3].map(|step| {
                let model = row(&solvers, &joints, step);
                let run = Run::by(nested(&model, &["m0", "m1"]), &model);
                assert_eq!(run.report.outcome, cosimo::master::Outcome::Completed);
                let last = |run: &Run, name: &str| *run.column(name).last().unwrap();
                let own = [("nest.m0.x", "m0.x"), ("nest.m1.v_x", "m1.v_x"), ("m2.x", "m2.x")];
                own.iter().fold(0.0_f64, |most, (a, b)| most.max((last(&run, a) - last(&exact, b)).abs()))
            });
            let is_first_order = [first, second].iter().any(|rule| rule.contains("0.7"));
            let wanted = if is_first_order { 1.8 } else { 3.4 };
            let ratios = [errors[0] / errors[1], errors[1] / errors[2]];
            assert!(ratios[1] > wanted, "{solvers:?} {joints:?}: {errors:?} {ratios:?}");
        }
    }
}

#[test]
fn composites_keep_the_contract() {
    let linear =
        RULES.iter().flat_map(|rule| [SPRING, RIGID].map(|joint| row(&[*rule; 3], &[joint, SPRING], 1e-3)));
    for model in linear {
        let (composite, _) = nested_parts(&model, &["m0", "m1"]);
        let capabilities = composite.description().capabilities;
        assert!(capabilities.inverse_mass == InverseMass::Exact);
        let make = || nested_parts(&model, &["m0", "m1"]).0;
        Conformance::new(make).affine_tolerance(1e-8).ledger_tolerance(1.0).check().assert_passed();
    }
    // With several rows, a frame, contacts and signals inside.
    for (example, overrides, inside) in PARTS {
        let model = Run::model(example, overrides);
        let step = model.time.step;
        let make = || nested_parts(&model, inside).0;
        let suite = Conformance::new(make)
            .step(step)
            .steps(12)
            .velocity_change(1e-3)
            .loads(|row, t| 0.1 * (row as f64 + 30.0 * t).cos());
        let report = suite.derivative_tolerance(1e-4).affine_tolerance(1e-7).ledger_tolerance(1.0).check();
        assert!(report.has_passed(), "{example} {inside:?}: {report}");
    }
}

/// Examples with overrides, and what of them is put into a composite.
const PARTS: &[(&str, &[&str], &[&str])] = &[
    ("oscillator/model.toml", &[], &["upper"]),
    ("oscillator/model.toml", &[], &["lower"]),
    ("droop-stop/model.toml", &[], &["rod"]),
    ("droop-stop/model.toml", &[PLAIN], &["node"]),
    ("droop-stop/multistep.toml", &[], &["blade"]),
    ("rigid-pair/model.toml", &[PLAIN], &["lower"]),
    ("three-subsystems/model.toml", &[], &["b"]),
    ("three-subsystems/model.toml", &[PLAIN], &["a", "b"]),
    ("controlled-slider-crank/model.toml", &[], &["governor"]),
    ("controlled-slider-crank/model.toml", &[], &["machine"]),
];
const PLAIN: &str = "master.impacts=plain";

/// Three bodies in space: the first hangs on a ball joint, the second is welded to it, the third hangs on the second by a point.
fn bodies(solvers: [&str; 3], step: f64) -> ModelSpec {
    let mut text = format!("schema = 1\ntime = {{ end = 0.3, step = {step:e} }}\n");
    for (k, solver) in solvers.iter().enumerate() {
        write!(
            text,
            "[[subsystem]]\nname = \"s{k}\"\nkind = \"multibody\"\nsolver = \"{solver}\"\ngravity = [0, 0, -10]\n\
             [[subsystem.body]]\nname = \"b\"\nmass = {m}\ninertia = [{m}e-2, 2e-2, 3e-2]\nposition = [{x}, 0, 0]\n\
             velocity = [0, {v}, 0]\nangular_velocity = [0, 0, 2]\n",
            m = 1 + k,
            x = 0.5 * (k as f64 + 0.5),
            v = 2.0 * 0.5 * (k as f64 + 0.5),
        )
        .unwrap();
        for (name, at, size) in [("left", -0.25, 6), ("right", 0.25, if k == 0 { 6 } else { 3 })] {
            let size = if k == 2 { 3 } else { size };
            write!(text, "[[subsystem.port]]\nname = \"{name}\"\nbody = \"b\"\npoint = [{at}, 0, 0]\ncoordinates = {size}\n").unwrap();
        }
        if k == 0 {
            text += "[[subsystem.joint]]\nname = \"hinge\"\ntype = \"spherical\"\nbodies = [\"ground\", \"b\"]\nat = [0, 0, 0]\n";
        }
    }
    text += "[[interface]]\nname = \"weld\"\nbetween = [\"s0.right\", \"s1.left\"]\nlaw = \"rigid\"\n\
             [[interface]]\nname = \"ball\"\nbetween = [\"s1.right\", \"s2.left\"]\nlaw = \"rigid\"\n";
    Run::text(&text, &[])
}

#[test]
fn bodies_in_space_move_with_order_two() {
    let exact = Run::completed(&bodies(["theta"; 3], 2e-5));
    for solvers in [
        ["theta"; 3],
        ["multistep"; 3],
        ["generalized-alpha"; 3],
        ["theta", "theta", "multistep"],
        ["multistep", "multistep", "theta"],
    ] {
        for inside in [&["s0", "s1"] as &[_], &["s1"], &["s1", "s2"]] {
            if solvers[1] != solvers[2] && inside == ["s1", "s2"] {
                continue;
            }
            let errors = [4e-3, 2e-3].map(|step| {
                let model = bodies(solvers, step);
                let run = Run::by(nested(&model, inside), &model);
                assert_eq!(run.report.outcome, cosimo::master::Outcome::Completed, "{solvers:?} {inside:?}");
                let last = |run: &Run, name: &str| *run.column(name).last().unwrap();
                let of = |k: usize, c: &str| {
                    let own = format!("s{k}.b.{c}");
                    let led = if inside.contains(&&*format!("s{k}")) {
                        format!("{NEST}.{own}")
                    } else {
                        own.clone()
                    };
                    (last(&run, &led) - last(&exact, &own)).abs()
                };
                (0..3).flat_map(|k| ["x", "y", "z"].map(|c| of(k, c))).fold(0.0_f64, f64::max)
            });
            assert!(errors[1] < 1e-3 && errors[0] > 3.0 * errors[1], "{solvers:?} {inside:?}: {errors:?}");
        }
    }
}

/// Whatever is put into a composite, impacts included, examples end where they end without the cut.
#[test]
fn examples_move_as_without_the_cut() {
    for (example, overrides, inside) in PARTS {
        let errors = [1.0, 0.5].map(|share| {
            let mut model = Run::model(example, overrides);
            model.time.end = model.time.end.min(0.5);
            model.time.step *= share;
            let (flat, cut) = (Run::completed(&model), Run::by(nested(&model, inside), &model));
            assert_eq!(cut.report.outcome, cosimo::master::Outcome::Completed, "{example} {inside:?}");
            let names: Vec<String> = model.plotted_quantities().into_iter().map(|own| own.name).collect();
            let off = |name: &String| {
                let led = if inside.contains(&name.split_once('.').unwrap().0) {
                    format!("{NEST}.{name}")
                } else {
                    name.clone()
                };
                let (flat, cut) = (flat.column(name), cut.column(&led));
                let size = flat.iter().fold(1e-12_f64, |most, x| most.max(x.abs()));
                // Velocities jump at instants that are a step apart at most: their means tell.
                let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
                let last = (flat.last().unwrap() - cut.last().unwrap()).abs();
                last.max((mean(&flat) - mean(&cut)).abs()) / size
            };
            names.iter().map(off).fold(0.0_f64, f64::max)
        });
        let bound = if overrides.is_empty() { 1e-4 } else { 1e-9 };
        assert!(errors[1] < bound, "{example} {overrides:?} {inside:?}: {errors:?}");
        assert!(
            errors[1] < 0.8 * errors[0] || errors[1] < 1e-9,
            "{example} {overrides:?} {inside:?}: {errors:?}"
        );
    }
}

#[test]
fn what_cannot_be_joined_or_opened_is_refused_by_name() {
    let model = Run::model("three-subsystems/model.toml", &[]);
    let (composite, mut outer) = nested_parts(&model, &["a", "b"]);
    outer.subsystems.push(Box::new(composite));
    let refused = Master::assemble(outer, model.build_config(), 0.0).unwrap_err().to_string();
    assert!(refused.contains("`bc`") && refused.contains("impacts = \"plain\""), "{refused}");

    let open = |port: &str, kinds: [&str; 2]| {
        let model = row(&[kinds[0], kinds[1]], &[SPRING], 1e-3);
        let ports = [("m0".to_owned(), port.to_owned()), ("m1".to_owned(), "p".to_owned())];
        let assembly = Assembly {
            subsystems: model.build_subsystems().unwrap(),
            interfaces: model.build_interfaces(),
            open: ports.to_vec(),
            ..Assembly::default()
        };
        Composite::new(NEST, assembly, MasterConfig::default(), (0.0, 1e-3))
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert_eq!(open("p", [RULES[0]; 2]), Ok(()));
    let unknown = open("end", [RULES[0]; 2]).unwrap_err();
    assert!(unknown.contains("`m0.end`") && unknown.contains("`m0.p`, `m1.p`"), "{unknown}");
    let mixed = open("p", [RULES[0], RULES[2]]).unwrap_err();
    assert!(mixed.contains("`m0`, `m1`") && mixed.contains("the same solver"), "{mixed}");
}

#[test]
fn a_composite_has_the_same_bits_in_a_thread_and_within_another_one() {
    let model = row(&[RULES[0], RULES[2], RULES[0], RULES[3]], &[SPRING, RIGID, SPRING], 1e-3);
    let run = |in_thread: bool| {
        let (composite, mut outer) = nested_parts(&model, &["m1"]);
        outer.subsystems.push(if in_thread {
            Box::new(ThreadedSubsystem::spawn(Box::new(composite)).unwrap())
        } else {
            Box::new(composite)
        });
        Master::assemble(outer, model.build_config(), 0.0).unwrap()
    };
    let [here, there] = [false, true].map(|in_thread| Run::by(run(in_thread), &model));
    assert!(here.has_bits_of(&there));

    // A composite of a composite moves as the first.
    let (composite, mut rest) = nested_parts(&model, &["m1"]);
    let port = format!("{}.p", "m1");
    rest.subsystems.push(Box::new(composite));
    rest.open = vec![(NEST.to_owned(), port)];
    rest.interfaces.clear();
    rest.subsystems.retain(|own| own.description().name == NEST);
    let twice = Composite::new("outer", rest, model.build_config(), (0.0, 1e-3)).unwrap();
    let (_, mut outer) = nested_parts(&model, &["m1"]);
    for joint in &mut outer.interfaces {
        for end in [&mut joint.a, &mut joint.b].into_iter().filter(|end| end.0 == NEST) {
            *end = ("outer".to_owned(), format!("{NEST}.{}", end.1));
        }
    }
    outer.subsystems.push(Box::new(twice));
    let twice = Run::by(Master::assemble(outer, model.build_config(), 0.0).unwrap(), &model);
    for (once, twice) in here.column("m2.x").iter().zip(twice.column("m2.x")) {
        assert!((once - twice).abs() < 1e-9);
    }
}

/// The train of the examples moves as its six bodies in one file do.
#[test]
fn a_train_of_models_moves_as_one_piece() {
    let wagons = [("first", 1.5, 20e3), ("second", 0.0, 4e3), ("third", 0.0, 20e3)];
    let mut text = String::from("schema = 1\ntime = { end = 4.0, step = 1e-3 }\n");
    for (wagon, velocity, load) in wagons {
        for (part, mass, ports) in
            [("chassis", 12e3, ["front", "rear", "deck"].as_slice()), ("load", load, &["lashing"])]
        {
            write!(
                text,
                "[[subsystem]]\nname = \"{wagon}-{part}\"\nkind = \"linear\"\ncoordinates = [\"x\"]\nmass = [{mass}]\nvelocity = {velocity}\n"
            )
            .unwrap();
            for port in ports {
                write!(text, "[[subsystem.port]]\nname = \"{port}\"\ncoordinates = [\"x\"]\n").unwrap();
            }
        }
    }
    let mut join = |name: &str, between: [String; 2], law: &str| {
        write!(text, "[[interface]]\nname = \"{name}\"\nbetween = {between:?}\n{law}\n").unwrap();
    };
    for (wagon, ..) in wagons {
        let between = [format!("{wagon}-load.lashing"), format!("{wagon}-chassis.deck")];
        join(&format!("{wagon}-lashing"), between, "law = \"compliant\"\nstiffness = 2e6\ndamping = 2e4");
    }
    let gear = "law = \"compliant\"\nstiffness = 1e6\ndamping = 5e3";
    join("gear", ["first-chassis.front".to_owned(), "second-chassis.rear".to_owned()], gear);
    join("rod", ["second-chassis.front".to_owned(), "third-chassis.rear".to_owned()], RIGID);
    let (whole, nested) = (Run::completed(&Run::text(&text, &[])), Run::example("train/model.toml", &[]));
    for (wagon, ..) in wagons {
        for part in ["chassis", "load"] {
            let [one, other] = [format!("{wagon}-{part}.v_x"), format!("{wagon}.{part}.v_x")];
            assert!(largest_difference(&whole.column(&one), &nested.column(&other)) < 1e-9, "{other}");
        }
    }
    let momentum = |k: usize| -> f64 {
        let of = |(wagon, _, load): (&str, f64, f64)| {
            12e3 * nested.column(&format!("{wagon}.chassis.v_x"))[k]
                + load * nested.column(&format!("{wagon}.load.v_x"))[k]
        };
        wagons.into_iter().map(of).sum()
    };
    assert!((0..nested.times.len()).all(|k| (momentum(k) - 48e3).abs() < 1e-6));

    // What the dampers take out, those inside included, is all that is lost.
    let energy = nested.report.energy;
    assert!(energy.dissipated > 0.5 * (energy.start - 0.5 * 80e3 * 0.36));
    assert!((energy.start - energy.dissipated - energy.end).abs() < 1e-9 * energy.start, "{energy:?}");
    assert!(energy.monitor_sum.abs() < 1e-9 * energy.start, "{energy:?}");
}

/// A subsystem that cannot go back.
struct Unsaved {
    inner: Box<dyn Subsystem>,
    description: Description,
}

impl Subsystem for Unsaved {
    pass_on!(inner: rows, energy, set_active_rows, report_moves, begin, begin_predicted, evaluate, evaluate_rows);
    pass_on!(inner: respond, commit, discard, prepare_jump, jump, project_positions, set_inputs, outputs, observe, statistics);

    fn description(&self) -> &Description {
        &self.description
    }
}

/// A model that cannot be taken back is coupled by extrapolation, over springs, and its energies are known.
#[test]
fn a_composite_that_cannot_go_back_takes_its_steps_once() {
    let errors = [2e-3, 1e-3].map(|step| {
        let model = row(&[RULES[0]; 3], &[SPRING, SPRING], step);
        let flat = Run::completed(&model);
        let mut subsystems = model.build_subsystems().unwrap();
        let last = subsystems.pop().unwrap();
        let unsaved = |inner: Box<dyn Subsystem>| -> Box<dyn Subsystem> {
            let mut description = inner.description().clone();
            description.capabilities.can_roll_back = false;
            Box::new(Unsaved { inner, description })
        };
        let mut joints = model.build_interfaces();
        let mut outer = joints.pop().unwrap();
        let open = vec![outer.a.clone()];
        outer.a = (NEST.to_owned(), format!("{}.{}", outer.a.0, outer.a.1));
        let inner = Assembly {
            subsystems: subsystems.into_iter().map(unsaved).collect(),
            interfaces: joints,
            open,
            ..Assembly::default()
        };
        let composite = Composite::new(NEST, inner, MasterConfig::default(), (0.0, step)).unwrap();
        let all: Vec<Box<dyn Subsystem>> = vec![Box::new(composite), last];
        let cut = Run::by(Master::new(all, vec![outer], model.build_config(), 0.0).unwrap(), &model);
        let energy = cut.report.energy;
        let rest = energy.start + energy.external + energy.contact - energy.dissipated + energy.monitor_sum
            - energy.end;
        assert!(rest.abs() < 1e-9 * energy.start, "{energy:?}");
        assert_eq!(cut.report.outcome, cosimo::master::Outcome::Completed);
        (flat.column("m2.x").last().unwrap() - cut.column("m2.x").last().unwrap()).abs()
    });
    assert!(errors[1] < 1e-4 && errors[1] < 0.6 * errors[0], "{errors:?}");
}

/// Every scheme and every coupling of the composite ends where the model without the cut does.
#[test]
fn composites_are_coupled_by_every_scheme_and_mode() {
    for (rule, joint) in [(RULES[0], SPRING), (RULES[0], RIGID), (RULES[2], SPRING), (RULES[2], RIGID)] {
        let model = row(&[rule; 3], &[SPRING, joint], 1e-3);
        let flat = Run::completed(&model);
        for scheme in [Scheme::Condensed, Scheme::GaussSeidel, Scheme::Jacobi] {
            for coupling in [Coupling::Auto, Coupling::Differenced, Coupling::QuasiNewton] {
                let (composite, mut outer) = nested_parts(&model, &["m0", "m1"]);
                outer.subsystems.push(Box::new(composite));
                let couplings = [(NEST.to_owned(), coupling)].into();
                // Iterations take no impacts at their instants; there are none.
                let impacts = Impacts::Plain { gamma: None, restitution: Restitution::default() };
                let config = MasterConfig { scheme, couplings, impacts, ..model.build_config() };
                let cut = Run::by(Master::assemble(outer, config, 0.0).unwrap(), &model);
                let what = format!("{rule} {joint} {scheme:?} {coupling:?}");
                assert_eq!(cut.report.outcome, cosimo::master::Outcome::Completed, "{what}");
                let off = largest_difference(&flat.column("m2.x"), &cut.column("m2.x"));
                assert!(off < 1e-7, "{what}: {off:e}");
            }
        }
    }
}
