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

/// A stop inside the multibody system is the stop joined to its hinge, which has a hundredth of the blade's inertia more.
#[test]
fn a_stop_inside_the_rotor_is_the_stop_at_its_port() {
    let [ported, inside] = ["model", "inside"]
        .map(|name| Run::example(&format!("puma-drop/{name}.toml"), &["time.end=0.85", "record.every=1"]));
    let [a, b] = [&ported, &inside].map(|run| run.column("rotor.flap_angle_1.angle"));
    let most = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / DEGREE;
    assert!(most < 0.002, "{most}°");
    assert_eq!(ported.report.impacts, inside.report.impacts);
    let [a, b] = [&ported, &inside].map(|run| run.report.energy.contact);
    assert!((a / b - 1.0).abs() < 0.01, "{a} and {b} J");
    // The instant of an impact is corrected once, and what that leaves of the gap stays: 4e-9 rad, on either side of the stop.
    let gaps = inside.column("rotor.droop_stop.gap");
    let deepest = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(deepest > -1e-8, "{deepest} rad inside the stop");
    let force = inside.column("rotor.droop_stop.force");
    let rests = gaps.iter().zip(&force).filter(|(_, force)| **force > 0.0).map(|(gap, _)| gap.abs());
    let farthest = rests.fold(0.0, f64::max);
    assert!(farthest < 1e-8, "rests at {farthest} rad from the stop");
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
    let inside = Run::example("puma-engagement/inside.toml", &["time.end=0.02"]);
    for blade in 1..=4 {
        let moment = inside.value(&format!("rotor.droop_stop_{blade}.impulse"), 20) / 1e-3;
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

/// The air in the equations of motion gives the hover of the air behind ports: what is between them goes with the square of the step.
#[test]
fn the_air_inside_gives_the_same_hover() {
    let steps = ["4e-3", "2e-3"];
    let [coarse, fine] = steps.map(|step| {
        let step = format!("time.step={step}");
        let end = |name: &str| Run::example(name, &["time.end=0.48", &step]);
        (end("puma-hover/model.toml"), end("puma-hover/inside.toml"))
    });
    let last = |run: &Run, name: &str| run.value(name, run.times.len() - 1);
    for angle in ["rotor.flap_angle_1.angle", "rotor.lag_angle_1.angle"] {
        let [far, near] = [&coarse, &fine].map(|(ported, inside)| last(ported, angle) - last(inside, angle));
        assert!((3.5..4.5).contains(&(far / near)), "{angle}: {far} {near} rad");
        assert!(near.abs() < 2e-3 * last(&fine.0, angle).abs(), "{angle}: {near} rad");
    }
    for quantity in ["thrust", "inflow"] {
        let [ported, inside] =
            [last(&fine.0, &format!("air.{quantity}")), last(&fine.1, &format!("rotor.air.{quantity}"))];
        assert!((inside / ported - 1.0).abs() < 1e-3, "{quantity}: {inside} instead of {ported}");
    }
    let iterations = |run: &Run| run.report.master_iterations as f64 / run.report.steps as f64;
    assert!(iterations(&fine.1) < 0.6 * iterations(&fine.0), "{} passes", iterations(&fine.1));
}

/// Amplitude and lag (rad) of the first harmonic of these numbers over one revolution, which end at the azimuth zero of blade 1.
fn first_harmonic(values: &[f64]) -> [f64; 2] {
    let part = std::f64::consts::TAU / values.len() as f64;
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (k, value) in values.iter().enumerate() {
        let psi = part * (k + 1) as f64;
        sine += 2.0 * value * psi.sin() / values.len() as f64;
        cosine += 2.0 * value * psi.cos() / values.len() as f64;
    }
    [sine.hypot(cosine), (-cosine).atan2(sine)]
}

/// Pitch links that grow and shrink with the azimuth, as a tilted swashplate makes them: the blades flap a little less than a quarter of
/// a turn later. The reference is a rigid blade on the hinge, `I β'' + (I + e S) Ω² β = k ∫ r x (Ω r θ − x β' + c/2 (θ' + Ω β)) dr`: 1.054
/// and 87.2° for the slope of the table. Bending parts the hinge from the tip.
#[test]
fn cyclic_pitch_tilts_the_rotor_a_quarter_of_a_turn_later() {
    const SPEED: f64 = 28.002062518997;
    let (parts, horn) = (112, 0.181);
    let period = std::f64::consts::TAU / SPEED;
    let mut overrides = vec![
        format!("time.step={:e}", period / f64::from(parts)),
        format!("time.end={:e}", 6.0 * period),
        "record.every=1".to_owned(),
        "master.initial_state=project".to_owned(),
        "subsystem.rotor.joint.collective.motion=0.0".to_owned(),
    ];
    let run = |overrides: &[String]| {
        let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
        Run::example("puma-hover/inside.toml", &overrides)
    };
    let plain = run(&overrides);
    for blade in 0..4_u8 {
        let phase = f64::from(blade) * std::f64::consts::FRAC_PI_2;
        let motion = format!(
            "{{ mean = 1.0, amplitude = {:e}, frequency = {SPEED}, phase = {phase} }}",
            horn * DEGREE
        );
        overrides.push(format!("subsystem.rotor.joint.pitch_link_{}.motion={motion}", blade + 1));
    }
    let cyclic = run(&overrides);
    let of = |name: &str, scale: f64| {
        let (with, without) = (cyclic.column(name), plain.column(name));
        let first = with.len() - parts as usize;
        let change: Vec<f64> = with[first..]
            .iter()
            .zip(&without[first..])
            .map(|(with, without)| (with - without) * scale)
            .collect();
        first_harmonic(&change)
    };
    let hinge = of("rotor.flap_angle_1.angle", 1.0 / DEGREE);
    let tip = of("rotor.tip_1.z", 1.0 / DEGREE / (7.49 - HINGE));
    assert!(hinge[0] < 1.054 && tip[0] > 1.054 && tip[0] - hinge[0] < 0.05, "{hinge:?} {tip:?}");
    for [_, lag] in [hinge, tip] {
        assert!((lag / DEGREE - 87.2).abs() < 1.0, "{}°", lag / DEGREE);
    }
    // Blade 2 is a quarter of a turn ahead.
    let [amplitude, lag] = of("rotor.flap_angle_2.angle", 1.0 / DEGREE);
    assert!((amplitude / hinge[0] - 1.0).abs() < 1e-3, "{amplitude} {hinge:?}");
    assert!((lag - hinge[1] + 90.0 * DEGREE).abs() < 1e-3, "{lag} {hinge:?}");
}

/// In threads, and after a break, the rotor has the same bits.
#[test]
fn rotors_have_the_same_bits_in_threads_and_after_a_break() {
    for name in [
        "puma-gust/gust.toml",
        "puma-engagement/inside.toml",
        "puma-hover/model.toml",
        "puma-hover/inside.toml",
    ] {
        let model = |overrides: &[&str]| Run::first_steps(name, overrides, 12);
        let whole = Run::completed(&model(&[]));
        assert!(Run::completed(&model(&["master.execution=threads"])).has_bits_of(&whole), "{name}");
        assert!(Run::interrupted(&model(&[]), &[3, 7]).has_bits_of(&whole), "{name}");
    }
}
