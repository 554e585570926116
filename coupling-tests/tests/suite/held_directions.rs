//! Contacts of bodies that cannot move in some direction: impulses along it change nothing.
//!
//! Reference: the same mechanism without the direction, and Coulomb's law.

use coupling_tests::Run;

const TIP: &str = include_str!("../../models/planar-tip.toml");
const DIRECTIONS: &str = include_str!("../../models/planar-tip-directions.toml");
const PLANAR: &str = include_str!("../../models/planar-tip-planar.toml");
const DRIVEN: &str = include_str!("../../models/driven-against-stop.toml");

/// The same fall with friction: what moves is the same, and across the plane there is no impulse.
#[test]
fn friction_ignores_the_direction_that_a_planar_joint_holds() {
    for friction in [0.1, 0.3, 0.5, 0.7, 1.0] {
        let floor = format!("subsystem.foot.plane.floor.friction={friction:?}");
        let [tip, directions, planar] =
            [TIP, DIRECTIONS, PLANAR].map(|text| Run::completed(&Run::text(text, &[&floor])));
        assert!(!tip.events.is_empty());
        for (quantity, in_plane) in [("foot.x", "foot.x"), ("foot.z", "foot.y"), ("foot.vx", "foot.vx")] {
            let (a, b, c) = (tip.column(quantity), directions.column(quantity), planar.column(in_plane));
            for ((a, b), c) in a.iter().zip(b).zip(c) {
                assert!((a - b).abs() < 1e-9 && (a - c).abs() < 1e-7, "{friction} {quantity}: {a} {b} {c}");
            }
        }
        let across = tip.events.iter().map(|event| event.friction[1].abs()).fold(0.0, f64::max);
        assert!(across < 1e-15, "{friction}: {across:e}");
    }
}

/// A cone of facets is a line there, which is exact.
#[test]
fn facets_ignore_it_too() {
    let exact = Run::completed(&Run::text(TIP, &[]));
    for facets in [4, 7, 12] {
        let run = Run::completed(&Run::text(TIP, &[&format!("subsystem.foot.plane.floor.facets={facets}")]));
        for name in ["foot.x", "foot.z", "foot.floor.friction_0", "foot.floor.friction_1"] {
            for (a, b) in run.column(name).iter().zip(exact.column(name)) {
                assert!((a - b).abs() < 1e-9, "{facets} {name}: {a} {b}");
            }
        }
    }
}

/// The plane of the mechanism stands askew to the tangents of the floor.
#[test]
fn held_direction_need_not_be_a_tangent() {
    let straight = Run::completed(&Run::text(TIP, &[]));
    let (sine, cosine) = 0.7_f64.sin_cos();
    let text = TIP
        .replace("axis = [0, 1, 0]", &format!("axis = [{:?}, {cosine:?}, 0]", -sine))
        .replace("point = [0.3, 0, -0.6]", &format!("point = [{:?}, {:?}, -0.6]", 0.3 * cosine, 0.3 * sine))
        .replace(
            "position = [0.3, 0, 0.4]",
            &format!("position = [{:?}, {:?}, 0.4]", 0.3 * cosine, 0.3 * sine),
        );
    let run = Run::completed(&Run::text(&text, &[]));
    let (x, y, along) = (run.column("foot.x"), run.column("foot.y"), straight.column("foot.x"));
    for k in 0..along.len() {
        let [found, across] = [cosine * x[k] + sine * y[k], cosine * y[k] - sine * x[k]];
        assert!((found - along[k]).abs() < 1e-9 && across.abs() < 1e-9, "{k}: {found} {across} {}", along[k]);
    }
}

#[test]
fn driven_body_against_a_rigid_stop_is_named_with_what_helps() {
    let mut master = Run::text(DRIVEN, &[]).build().unwrap_or_else(|e| panic!("{e}"));
    let failed = master.run(0.2, 2e-4, &mut cosimo::master::NoObserver);
    let text = failed.map(|_| ()).map_err(|error| error.to_string()).expect_err("no impulse stops the crank");
    for part in ["`buffer.stop`", "`mill.nose`", "`pad`", "prescribed motion", "compliant", "torque"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // With a spring between them it goes on.
    let spring =
        ["law=\"compliant\"", "stiffness=1e5", "damping=10.0"].map(|set| format!("interface.pad.{set}"));
    let run = Run::completed(&Run::text(DRIVEN, &spring.each_ref().map(String::as_str)));
    assert!(!run.impacts().is_empty());
}
