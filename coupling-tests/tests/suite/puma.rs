//! The rotor of the SA 330 Puma: one blade at rest on its stop, dropped, turning, in a gust, in hover.
//!
//! References were computed with codes of their own from the same data: a rigid blade in closed form, an elastica, a linear beam with
//! modes, blade elements with uniform inflow.

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Distance of the flap hinge from the axis (m).
const HINGE: f64 = 0.289;

/// Mass outboard of the hinge (kg), its centre (m) and moment of inertia (kg m²) against the hinge, from the tables of the blade.
const RIGID: &str = r#"
schema = 1
time = { end = 2.4, step = 1e-3 }
[[subsystem]]
name = "blade"
kind = "multibody"
gravity = [0, 0, -9.80665]
[[subsystem.body]]
name = "blade"
mass = 91.110
inertia = [1.0, 505.812, 506.0]
centre_of_mass = [2.717923, 0, 0]
[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "blade"]
at = [0, 0, 0]
axis = [0, -1, 0]
[[subsystem.sensor]]
name = "flap"
type = "angle"
bodies = ["ground", "blade"]
at = [0, 0, 0]
axis = [0, -1, 0]
[[subsystem.port]]
name = "flap"
sensor = "flap"
[[stop]]
name = "stop"
on = "blade.flap"
lower = -0.17453292519943295
restitution = 0.8
inertia = 1e-3
"#;

/// From level on a stop at −10°: times and speed of the pendulum in closed form.
#[test]
fn a_rigid_blade_drops_as_a_pendulum() {
    let run = Run::completed(&Run::text(RIGID, &[]));
    let first = run.events_at("stop.lower", ContactEventKind::Impact)[0];
    assert!((first.time - 0.411_85).abs() < 1e-5, "{}", first.time);
    assert!((first.velocities[0] + 0.845_83).abs() < 1e-5, "{:?}", first.velocities);
    let expected = [0.411_85, 1.072_47, 1.602_40, 2.027_28, 2.367_73];
    for (found, expected) in run.impacts().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
    }
    // Of 2,400 J that change hands.
    assert!(run.report.energy.monitor_sum.abs() < 1e-3, "{:?}", run.report.energy);
}

/// Depth of the tip below the line of the rigid blade on its stop (m).
fn depth(run: &Run, k: usize) -> f64 {
    let [x, z] = ["rotor.tip_1.x", "rotor.tip_1.z"].map(|name| run.value(name, k));
    let slope = -10.0 * DEGREE;
    slope.sin() * (x - HINGE) - slope.cos() * z
}

/// The reference is linear; geometry makes a few per cent.
#[test]
fn a_flexible_blade_drops_and_springs_back() {
    let run = Run::example("puma-drop/model.toml", &[]);
    let contact = run.impacts()[0];
    assert!((contact / 0.408 - 1.0).abs() < 0.05, "contact at {contact} s");
    let deepest = (0..1000).max_by(|a, b| depth(&run, *a).total_cmp(&depth(&run, *b))).unwrap();
    assert!((run.times[deepest] / 0.636 - 1.0).abs() < 0.05, "deepest at {} s", run.times[deepest]);
    assert!((depth(&run, deepest) / 1.197 - 1.0).abs() < 0.05, "{} m", depth(&run, deepest));
    let angle = run.column("rotor.flap_angle_1.angle");
    let highest = (900..angle.len()).max_by(|a, b| angle[*a].total_cmp(&angle[*b])).unwrap();
    assert!((run.times[highest] / 1.263 - 1.0).abs() < 0.05, "back at {} s", run.times[highest]);
    assert!(angle[highest].abs() < 0.5 * DEGREE, "{} rad", angle[highest]);
}

/// A contact point of any mass at a lever, on a plane that turns with the part behind the lag hinge, is the stop on the angle.
#[test]
fn a_contact_point_at_a_lever_is_the_stop_at_the_hinge() {
    let end = "time.end=1.2";
    let of_angle = Run::example("puma-drop/model.toml", &[end]);
    let expected = of_angle.column("rotor.flap_angle_1.angle");
    for (mass, tolerance) in [("0.01", 0.002), ("1.0", 0.002), ("10.0", 0.013)] {
        let run = Run::example("puma-drop/lever.toml", &[end, &format!("stop.stop_1.inertia={mass}")]);
        let angles = run.column("rotor.flap_angle_1.angle");
        let most = angles.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / DEGREE;
        assert!(most < tolerance, "{mass} kg: {most}°");
        let iterations = run.report.master_iterations_per_step();
        assert!(iterations < 2.5, "{mass} kg: {iterations}");
        assert!((run.report.energy.contact / of_angle.report.energy.contact - 1.0).abs() < 0.06);
    }
}

/// Friction at the contact point takes more than the impacts alone, and leaves the motion nearly the same.
#[test]
fn friction_at_the_stop_takes_energy() {
    let [without, with] =
        ["lever", "friction"].map(|name| Run::example(&format!("puma-drop/{name}.toml"), &["time.end=0.85"]));
    let [smooth, rough] = [&without, &with].map(|run| -run.report.energy.contact);
    assert!(rough > 1.3 * smooth, "{rough} J, without {smooth} J");
    let [a, b] = [&without, &with].map(|run| run.column("rotor.flap_angle_1.angle"));
    let most = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / DEGREE;
    assert!(most < 0.01, "{most}°");
    assert_eq!(with.report.failed_steps, 0);
}

/// The run starts in equilibrium and stays there: moment on the stop and place of the tip by the elastica.
#[test]
fn blades_rest_on_their_stops() {
    let run = Run::example("puma-engagement/engagement.toml", &["time.end=0.02"]);
    for blade in 1..=4 {
        let moment = run.value(&format!("stop_{blade}.lower.impulse"), 20) / 1e-3;
        assert!((moment / 2381.2 - 1.0).abs() < 0.005, "blade {blade}: {moment} N m");
    }
    let [x, z] = ["rotor.tip_1.x", "rotor.tip_1.z"].map(|name| run.value(name, 20));
    // The twist of the blade turns its soft direction: two millimetres.
    assert!((x - HINGE - 7.0472).abs() < 2e-3 && (z + 1.4754).abs() < 2e-3, "{x} m, {z} m");
    assert_eq!(run.report.impacts, 0);
}

/// A front crosses the parked rotor: blade 1 lifts, blade 3, whose leading edge is away from the wind, is pressed down.
#[test]
fn a_gust_lifts_the_blade_that_it_meets_first() {
    let run = Run::example("puma-gust/gust.toml", &["time.end=7.0", "time.step=4e-3"]);
    let lifted = run.events_at("stop_1.lower", ContactEventKind::Release)[0].time;
    let wind = 15.0 * (1.0 - (std::f64::consts::PI * 10.0 * lifted / 100.0).cos());
    assert!((wind / 21.37 - 1.0).abs() < 0.02, "lifted by {wind} m/s");
    let last = run.times.len() - 1;
    let moment = |blade: usize| run.value(&format!("stop_{blade}.lower.impulse"), last) / 4e-3;
    assert!(moment(3) > 1.5 * 2381.0, "{} N m", moment(3));
    for blade in [2, 4] {
        assert!(moment(blade) > 0.5 * 2381.0 && moment(blade) < 1.5 * 2381.0, "{} N m", moment(blade));
    }
    let gaps = (1..=4).flat_map(|blade| run.column(&format!("stop_{blade}.lower.gap")));
    assert!(gaps.into_iter().all(|gap| gap > -1e-9), "a blade is in its stop");
    assert_eq!(run.report.failed_steps, 0);
}

/// At collective zero the twisted blades push down. Expected are the numbers of `reference/puma/hover.csv`: blade elements with uniform
/// inflow and the pitch rate `Ω sin β` of a coned blade, on blades that are flexible in flap and torsion, by a code of its own. What
/// this leaves out, in-plane bending and its coupling by the twist, is below a hundredth.
#[test]
fn the_rotor_hovers_with_the_thrust_of_blade_elements() {
    let level = "subsystem.rotor.joint.collective.motion.value=[0.0, 0.0]";
    let run = Run::example("puma-hover/model.toml", &["time.end=2.0", "time.step=2e-3", level]);
    let last = run.times.len() - 1;
    let near = |name: &str, expected: f64, share: f64| {
        let found = run.value(name, last);
        assert!((found / expected - 1.0).abs() < share, "{name}: {found} instead of {expected}");
    };
    near("air.thrust", -26_550.0, 0.01);
    near("rotor.flap_angle_1.angle", -2.115 * DEGREE, 0.01);
    near("rotor.tip_1.z", -0.447, 0.01);
    near("rotor.lag_angle_1.angle", 3.657 * DEGREE, 0.015);
    assert_eq!(run.report.impacts, 0);
    for blade in 2..=4 {
        let [own, first] = [blade, 1].map(|k| run.value(&format!("rotor.flap_angle_{k}.angle"), last));
        assert!((own - first).abs() < 1e-6 * DEGREE, "blade {blade}: {own} instead of {first}");
    }
}

/// In threads, and after a break, the rotor has the same bits.
#[test]
fn rotors_have_the_same_bits_in_threads_and_after_a_break() {
    for name in ["puma-gust/gust.toml", "puma-hover/model.toml"] {
        let model = |overrides: &[&str]| Run::first_steps(name, overrides, 12);
        let whole = Run::completed(&model(&[]));
        assert!(Run::completed(&model(&["master.execution=threads"])).has_bits_of(&whole), "{name}");
        assert!(Run::interrupted(&model(&[]), &[3, 7]).has_bits_of(&whole), "{name}");
    }
}
