//! The blade of the SA 330 Puma: frequencies against tables.

use super::{Kind, frequencies, turning_modes, with_hub};
use cosimo_multibody::modes::{Equilibrium, Turning};
use cosimo_multibody::spatial::{
    Beam, BeamError, Body, JointKind, RigidBody, SectionQuantity, SpanTable, SpatialModel, SpatialSystem,
    TableSections,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

const NOMINAL_SPEED: f64 = 28.002_062_518_997;
const CHORD: f64 = 0.537;
const LAG_HINGE: f64 = 0.269;
const FLAP_HINGE: f64 = 0.289;
const BEARING: f64 = 0.432;
const RADIUS: f64 = 7.49;
const ELEMENTS: usize = 32;

/// The flap hinge: free, or on its stop.
#[derive(Clone, Copy)]
enum Flap {
    Hinged,
    OnStop,
}

fn table(name: &str) -> SpanTable {
    let path = format!("../../coupling-tests/reference/puma/{name}.csv");
    SpanTable::read(name, &std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Mass and stiffness, without twist and offsets; rigid in shear, as Euler and Bernoulli have it.
fn rigid_in_shear() -> TableSections {
    use SectionQuantity as Q;
    let text = "r0_m,r1_m,GA_N_at_r0,GA_N_at_r1\n0.28,7.49,1e12,1e12\n";
    let rigid = SpanTable::read("GA", text).unwrap();
    let with = |all: TableSections, quantity| all.with_table(quantity, &rigid, "").unwrap();
    [Q::ShearY, Q::ShearZ].into_iter().fold(plain(), with)
}

/// Mass and stiffness, without twist and offsets.
fn plain() -> TableSections {
    use SectionQuantity as Q;
    let bending = table("EI");
    let given =
        [(Q::Mass, "mass"), (Q::Axial, "EA"), (Q::Torsion, "GJ"), (Q::SecondMomentY, "torsional_inertia")];
    let with = |all: TableSections, (quantity, name)| all.with_table(quantity, &table(name), "").unwrap();
    let all = given.into_iter().fold(TableSections::new().with_chord(CHORD).with_inertia_floor(1e-3), with);
    let all = all.with_table(Q::BendingY, &bending, "EI_flap").unwrap();
    all.with_table(Q::BendingZ, &bending, "EI_chord").unwrap()
}

/// With twist and the offset of the centre of mass; the moment of the balance mass at the tip constant.
fn twisted() -> TableSections {
    use SectionQuantity as Q;
    let path = "../../coupling-tests/reference/puma/torsional_inertia.csv";
    let text =
        std::fs::read_to_string(path).unwrap().replace("7.390,7.402,0.337,0.067", "7.390,7.402,0.337,0.337");
    let inertia = SpanTable::read("torsional_inertia", &text).unwrap();
    let all = plain().with_table(Q::CentreY, &table("cg_offset"), "cg").unwrap();
    let all = all.with_table(Q::SecondMomentY, &inertia, "").unwrap();
    all.with_table(Q::Twist, &table("twist"), "").unwrap()
}

/// A rod along `x` of the mass per length of the blade's root.
fn root_part(name: &str, from: f64, to: f64, speed: f64) -> Body {
    let (length, middle) = (to - from, 0.5 * (from + to));
    let mass = 58.4 * length;
    let across = mass * length * length / 12.0;
    let thick = 1e-3 * length;
    let body = RigidBody::new(mass, Matrix3::from_diagonal(&[thick, across, across + thick].into())).unwrap();
    Body::new(name, body)
        .with_position([middle, 0.0, 0.0])
        .with_velocity([0.0, speed * middle, 0.0], [0.0, 0.0, speed])
}

/// Nodes: the root is stiff and short.
fn stations(elements: usize) -> Vec<f64> {
    let inboard = elements / 4;
    let mut all = Beam::even(BEARING, 1.25, inboard);
    all.extend(&Beam::even(1.25, RADIUS, elements - inboard)[1..]);
    all
}

fn blade_model(sections: TableSections, flap: Flap, speed: f64, elements: usize) -> SpatialModel {
    sections.check().unwrap();
    let frame = ([0.0; 3], UnitQuaternion::identity());
    let beam = Beam::straight("blade", frame, &stations(elements), sections);
    let beam = beam.moving([0.0; 3], [0.0, 0.0, speed]);
    let model = with_hub(SpatialModel::new().with_beam(&beam).unwrap(), speed);
    // The tables begin at 0.280 m.
    let model = model.with_body(root_part("link", 0.280, FLAP_HINGE, speed));
    let model = model.with_body(root_part("root", FLAP_HINGE, BEARING, speed));
    let kind = match flap {
        Flap::Hinged => JointKind::Revolute,
        Flap::OnStop => JointKind::Fixed,
    };
    let (up, across) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    let lag = ([LAG_HINGE, 0.0, 0.0], up);
    let model = model.with_joint_at("lag", JointKind::Revolute, [Some("hub"), Some("link")], lag);
    let at = ([FLAP_HINGE, 0.0, 0.0], across);
    let model = model.with_joint_at("flap", kind, [Some("link"), Some("root")], at);
    let at = ([BEARING, 0.0, 0.0], up);
    model.with_joint_at("bearing", JointKind::Fixed, [Some("root"), Some("blade.0")], at)
}

fn blade(sections: TableSections, flap: Flap, speed: f64, elements: usize) -> SpatialSystem {
    blade_model(sections, flap, speed, elements).build().unwrap()
}

/// Frequencies (Hz) of a table by speed and kind.
fn expected(percent: &str, kind: &str) -> Vec<f64> {
    let text = std::fs::read_to_string("../../coupling-tests/reference/puma/frequencies.csv").unwrap();
    let prefix = format!("{percent},{kind},");
    let row = text.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap();
    row.split(',').filter(|x| !x.is_empty()).map(|x| x.parse().unwrap()).collect()
}

fn check(found: &[f64], percent: &str, kind: &str) {
    for (mode, hertz) in expected(percent, kind).into_iter().enumerate().filter(|(_, hertz)| *hertz > 0.0) {
        let own = found[mode] / std::f64::consts::TAU;
        let error = (own / hertz - 1.0).abs();
        assert!(error < 0.005, "{percent} % {kind}, mode {}: {own} instead of {hertz}", mode + 1);
    }
}

#[test]
fn the_blade_weighs_what_the_tables_say() {
    let system = blade(plain(), Flap::Hinged, 0.0, 20);
    let parts = system.bodies().iter().filter(|body| body.name != "hub" && body.name != "link");
    let mass: f64 = parts.clone().map(|body| body.properties.mass()).sum();
    let q = system.initial_position();
    let place = |body: &Body| {
        let number = system.bodies().iter().position(|other| other.name == body.name).unwrap();
        q[7 * number] - FLAP_HINGE
    };
    let moment: f64 = parts.clone().map(|body| body.properties.mass() * place(body)).sum();
    let inertia: f64 = parts
        .map(|body| body.properties.inertia()[(1, 1)] + body.properties.mass() * place(body).powi(2))
        .sum();
    // From the tables in closed form.
    assert!(
        (mass - 91.110).abs() < 1e-3 && (moment - 247.630).abs() < 1e-3 && (inertia - 1178.848).abs() < 1e-3
    );
}

/// Lag is 0.3 % below the table, whose sections have no inertia against turning with the chord.
#[test]
fn frequencies_of_the_blade_are_those_of_the_tables() {
    for percent in ["0", "25", "50", "75", "100"] {
        let speed = NOMINAL_SPEED * percent.parse::<f64>().unwrap() / 100.0;
        let skip = usize::from(speed == 0.0);
        for flap in [Flap::Hinged, Flap::OnStop] {
            let system = blade(rigid_in_shear(), flap, speed, ELEMENTS);
            let found = turning_modes(&system, speed, (14, 20.0));
            let of = |kind| -> Vec<f64> {
                frequencies(&system, &found, kind).into_iter().filter(|frequency| *frequency > 0.5).collect()
            };
            // The rigid mode of a blade at rest has the frequency zero.
            let rigid = || vec![0.0; skip];
            match flap {
                Flap::Hinged => {
                    check(&[rigid(), of(Kind::Flap)].concat(), percent, "flap_hinged");
                    check(&[rigid(), of(Kind::Lag)].concat(), percent, "lag");
                    check(&of(Kind::Torsion), percent, "torsion");
                }
                Flap::OnStop => check(&of(Kind::Flap), percent, "flap_on_stop"),
            }
        }
    }
}

/// With twist and offsets at 100 % of the speed, hinged; the table leaves out stretch, Coriolis forces and the steady deflection.
#[test]
fn coupled_frequencies_of_the_blade_are_those_of_the_table() {
    let system = blade(twisted(), Flap::Hinged, NOMINAL_SPEED, ELEMENTS);
    let found = turning_modes(&system, NOMINAL_SPEED, (7, 20.0));
    let table = [1.0585, 4.5896, 12.2665, 21.298, 23.931, 33.464, 40.451];
    for (mode, hertz) in found.iter().zip(table) {
        assert!((mode.frequency() / hertz - 1.0).abs() < 0.005, "{} instead of {hertz}", mode.frequency());
        assert!(mode.damping_ratio().abs() < 1e-6);
    }
}

/// Rigid in shear and damped: `C = d K` makes the damping ratio `d ω/2` of every mode with the frequency `ω` at rest. Waves of shear,
/// 10⁴ times as fast as bending and overdamped, are beside them.
#[test]
fn a_stiff_and_damped_blade_has_the_damping_of_its_material() {
    const DAMPING: f64 = 2e-4;
    let with_damping = |damping: f64| {
        let frame = ([0.0; 3], UnitQuaternion::identity());
        let beam =
            Beam::straight("blade", frame, &stations(ELEMENTS), rigid_in_shear()).with_damping(damping);
        let model = SpatialModel::new().with_beam(&beam).unwrap();
        let held = [None, Some("blade.0")];
        let model =
            model.with_joint_at("root", JointKind::Fixed, held, ([BEARING, 0.0, 0.0], [0.0, 0.0, 1.0]));
        turning_modes(&model.build().unwrap(), 0.0, (10, 20.0))
    };
    let pairs: Vec<_> = with_damping(0.0).into_iter().zip(with_damping(DAMPING)).collect();
    assert_eq!(pairs.len(), 10);
    for (free, damped) in pairs {
        let speed = free.eigenvalue.norm();
        assert!((damped.eigenvalue.norm() / speed - 1.0).abs() < 1e-6, "{} {speed}", damped.eigenvalue);
        let ratio = 0.5 * DAMPING * speed;
        assert!((damped.damping_ratio() / ratio - 1.0).abs() < 1e-5, "{} {ratio}", damped.damping_ratio());
    }
}

/// On its droop stop, 10° below level, the blade sags as the elastica does: tip and moment about the flap hinge.
#[test]
fn the_blade_sags_on_its_stop_as_the_elastica() {
    let droop = -10.0_f64.to_radians();
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -droop);
    let along = |displacement: f64| (turn * Vector3::new(displacement, 0.0, 0.0)).into();
    // The hinge is the origin; stations are radii.
    let frame = (along(-FLAP_HINGE), turn);
    let beam = Beam::straight("blade", frame, &stations(ELEMENTS), rigid_in_shear());
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.80665]).with_beam(&beam).unwrap();
    let root = root_part("root", 0.0, BEARING - FLAP_HINGE, 0.0);
    let place = along(0.5 * (BEARING - FLAP_HINGE));
    let model = model.with_body(root.with_position(place).with_orientation(turn));
    let up = [0.0, 0.0, 1.0];
    let model = model.with_joint_at("stop", JointKind::Fixed, [None, Some("root")], ([0.0; 3], up));
    let bearing = [Some("root"), Some("blade.0")];
    let model = model.with_joint_at("bearing", JointKind::Fixed, bearing, (along(BEARING - FLAP_HINGE), up));
    let system = model.build().unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    let state = system.body_state(ELEMENTS, &found.q, &found.v).unwrap();
    let tip = state.point(&-system.bodies()[ELEMENTS].centre_of_mass);
    assert!((tip - Vector3::new(7.0472, 0.0, -1.4754)).norm() < 5e-4, "{tip}");
    let sag = -(turn.inverse() * tip).z;
    assert!((sag / 0.2292 - 1.0).abs() < 1e-3, "{sag}");
    let [_, moment] = system.reaction(0, 0.0, &found.q, &found.mu).unwrap();
    assert!((moment.y.abs() / 2381.2 - 1.0).abs() < 1e-4, "{moment} {tip} {sag}");
}

/// Turning with its hub under its weight, without air: the centrifugal forces on its droop `w` carry the weight,
/// `Ω² Σ m r w = −g Σ m x` about the hinge. A rigid blade droops by 0.142°; this one by more at the hinge and less at the tip.
#[test]
fn the_turning_blade_carries_its_weight_by_its_droop() {
    let model =
        blade_model(plain(), Flap::Hinged, NOMINAL_SPEED, ELEMENTS).with_gravity([0.0, 0.0, -9.80665]);
    let system = model.build().unwrap();
    let turning = Turning::about_origin([0.0, 0.0, NOMINAL_SPEED]);
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), turning).unwrap();
    let is_outboard = |body: &Body| body.name == "root" || body.name.starts_with("blade");
    let bodies = system.bodies().iter().enumerate().filter(|(_, body)| is_outboard(body));
    let [mut moment, mut inertia] = [0.0; 2];
    for (number, body) in bodies {
        let mass = body.properties.mass();
        let [radius, height] = [found.q[7 * number], found.q[7 * number + 2]];
        moment += mass * radius * height;
        inertia += mass * radius * (radius - FLAP_HINGE);
    }
    let mean = moment / inertia;
    assert!((mean.to_degrees() + 0.142).abs() < 5e-4, "{}", mean.to_degrees());
}

#[test]
fn moments_that_no_mass_has_are_refused_by_name() {
    let raw = twisted().with_table(SectionQuantity::SecondMomentY, &table("torsional_inertia"), "").unwrap();
    // No floor: it would hide the mistake.
    let frame = ([0.0; 3], UnitQuaternion::identity());
    let beam = Beam::straight("blade", frame, &stations(12), raw.with_inertia_floor(0.0));
    let error = SpatialModel::new().with_beam(&beam).unwrap_err();
    let BeamError::NegativeCentralInertia { station, .. } = error else { panic!("{error}") };
    assert!((7.390..7.402).contains(&station), "{error}");
}
