//! Contacts with and without friction in one problem, and contacts that stay closed up to an impact elsewhere.

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

/// A block that slides on a rough floor into a smooth slope.
const BLOCK: &str = r#"
schema = 1
time = { end = 0.6, step = 1e-3 }
[[subsystem]]
name = "block"
kind = "node"
mass = 1.0
gravity = [0, 0, -9.81]
velocity = [1, 0.3, 0]
port = []
[[subsystem.plane]]
name = "rough"
normal = [0, 0, 1]
restitution = 0
friction = 0.4
[[subsystem.plane]]
name = "slope"
point = [0.05, 0, 0]
normal = [-1, 0, 1]
restitution = 0
friction = 0.0
"#;

#[test]
fn a_slope_without_friction_is_one_with_next_to_none() {
    let model = |extra: &[&str]| Run::completed(&Run::text(BLOCK, extra));
    for setting in ["master.impacts=sub-step", "master.impacts=plain"] {
        let without = model(&[setting]);
        let with = model(&[setting, "subsystem.block.plane.slope.friction=1e-12"]);
        assert!(without.report.impacts >= 1, "{setting}: {:?}", without.report);
        for k in 0..without.times.len() {
            for name in ["block.x", "block.y", "block.z", "block.vx", "block.vy", "block.vz"] {
                let (a, b) = (without.value(name, k), with.value(name, k));
                assert!((a - b).abs() < 1e-9, "{setting}, {name} at {} s: {a} {b}", without.times[k]);
            }
        }
    }
}

/// What a slope without friction does to a block that meets it sliding: the speed into the slope is lost, that along it stays;
/// on the slope the block rises with `−g/√2`. The floor lets go, and rubs no more.
#[test]
fn the_block_goes_on_up_the_slope() {
    let run = Run::completed(&Run::text(BLOCK, &["time.end=0.1"]));
    // Friction slows it down to the slope; there it turns up.
    let speed = 1.0_f64.hypot(0.3);
    let along = |t: f64| speed * t - 0.5 * 0.4 * 9.81 * t * t;
    let share = 1.0 / speed;
    let arrival = run.times.iter().position(|t| share * along(*t) > 0.05).unwrap_or(0);
    let before = run.value("block.vx", arrival - 1);
    let after = (run.value("block.vx", arrival + 1), run.value("block.vz", arrival + 1));
    let (kept, lost) = ((after.0 + after.1) / 2.0_f64.sqrt(), (after.1 - after.0) / 2.0_f64.sqrt());
    assert!(lost.abs() < 1e-12, "{lost:e} m/s out of the slope");
    // Two steps of friction or gravity at most lie between.
    assert!((kept - before / 2.0_f64.sqrt()).abs() < 3.0 * 1e-3 * 9.81, "{kept} m/s after {before} m/s");
    let later = arrival + 21;
    let slowed = (run.value("block.vx", later) - after.0) * 2.0_f64.sqrt();
    assert!((slowed + 0.02 * 9.81 / 2.0_f64.sqrt()).abs() < 1e-9, "{slowed} m/s in 20 ms on the slope");
    assert!((run.value("block.vy", later) - run.value("block.vy", arrival + 1)).abs() < 1e-12);
}

/// A block that slides on a slowly turning floor into a wall.
const TURNING: &str = r#"
schema = 1
time = { end = 0.3, step = 2e-3 }
[[subsystem]]
name = "block"
kind = "node"
mass = 1.0
gravity = [0, 0, -9.81]
velocity = [1, 0, 0]
port = []
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.5
friction = 0.1
angular_velocity = [0, 0.3, 0]
[[subsystem.plane]]
name = "wall"
point = [0.2, 0, 0]
normal = [-1, 0, -0.5]
restitution = 0
friction = 0.1
"#;

/// The floor carries the block up to the wall, wherever in a step that is.
#[test]
fn a_closed_contact_stays_closed_up_to_an_impact_elsewhere() {
    for k in 0..24 {
        let place = format!("subsystem.block.plane.wall.point=[{}, 0, 0]", 0.2 + 1e-4 * f64::from(k));
        let run = Run::completed(&Run::text(TURNING, &[&place]));
        let events: Vec<_> = run.events.iter().map(|e| (e.time, e.kind, e.contact.as_str())).collect();
        let hit = events.iter().find(|e| e.2 == "block.wall").map_or(f64::NAN, |e| e.0);
        assert!((0.2..0.25).contains(&hit), "{place}: {events:?}");
        let lost = events
            .iter()
            .find(|e| e.1 == ContactEventKind::Release && e.2 == "block.floor" && e.0 <= hit + 1e-4);
        assert!(lost.is_none(), "{place}: {events:?}");
        let highest = (0..run.times.len()).map(|i| run.value("block.floor.gap", i)).fold(0.0, f64::max);
        assert!(highest < 1e-5, "{place}: {highest:e} m above the floor");
    }
}
