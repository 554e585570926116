//! Bodies that slide, roll and stop: on inclines, on facets, on two corners, on plates that turn.

use cosimo::model::ModelSpec;
use coupling_tests::{Run, Table, assert_balanced};

use super::{BALL, assert_path, stick_times};

/// A block of 1 kg on a plane that rises by `angle` towards +x, moving up it at `speed`.
fn block(angle: f64, friction: f64, speed: f64, (h, end): (f64, f64)) -> ModelSpec {
    let (sine, cosine) = angle.sin_cos();
    let (vx, vz) = (speed * cosine, speed * sine);
    Run::text(
        &format!(
            "schema = 1\ntime = {{ end = {end:?}, step = {h:?} }}\n[[subsystem]]\nname = \"block\"\nkind = \"node\"\n\
             mass = 1\ngravity = [0, 0, -9.81]\nvelocity = [{vx:?}, 0, {vz:?}]\n[[subsystem.plane]]\n\
             name = \"slope\"\nnormal = [{:?}, 0, {cosine:?}]\nrestitution = 0\nfriction = {friction:?}\n",
            -sine
        ),
        &[],
    )
}

/// Stopping, turning and sliding on an incline at any part of a step: no errors, as forces are constant.
#[test]
fn blocks_on_inclines_are_exact() {
    for (case, angle, mu, speed_at_start, stop) in [
        ("L1_incline_up_sticks", 0.2, 0.3, 2.0, Some(0.413_797_491_954_490_45)),
        ("L2_incline_up_slides_back", 0.35, 0.3, 2.0, None),
        ("L3_incline_down_stops", 0.2, 0.3, -1.0, Some(1.069_073_017_764_255_6)),
        ("L4_incline_from_rest_slides", 0.05, 0.02, 0.0, None),
    ] {
        let table = Table::reference(&format!("{case}/reference.csv"));
        let end: f64 = *table.column("t").last().unwrap_or(&0.0);
        for h in [1e-3, 5e-4] {
            let model = block(angle, mu, speed_at_start, (h, (end / h).ceil() * h));
            let run = Run::completed(&model);
            let (sine, cosine) = angle.sin_cos();
            for (k, &t) in table.column("t").iter().enumerate() {
                let index = (t / h).round();
                if (index * h - t).abs() > 1e-9 {
                    continue;
                }
                let along = |x: &str, z: &str| run.at(x, t) * cosine + run.at(z, t) * sine;
                let displacement = along("block.x", "block.z") - table.column("s")[k];
                let speed = along("block.vx", "block.vz") - table.column("v")[k];
                assert!(displacement.abs() < 1e-12, "{case}: {displacement:e} m at {t} s");
                assert!(speed.abs() < 1e-12, "{case}: {speed:e} m/s at {t} s");
            }
            let sticks = stick_times(&run, "block.slope");
            match stop {
                Some(stop) => assert!((sticks[0] - stop).abs() < 1e-12, "{case}: {sticks:?}"),
                None => assert!(sticks.is_empty(), "{case}: {sticks:?}"),
            }
            assert_balanced(&model, 1e-13);
        }
    }
}

/// On 16 facets a ball slides as on the exact cone along a facet direction, and half-way between two of them with the larger
/// friction of the polygon's corner.
#[test]
fn facets_are_exact_along_their_directions_and_too_rough_between() {
    let (slope, mu, half) = (0.05_f64, 0.02, std::f64::consts::PI / 16.0);
    let (sine, cosine) = slope.sin_cos();
    // The first tangent of the plane is at this angle to the line of fall for a slope towards `azimuth`.
    let azimuth = |angle: f64| (slope.cos() * angle.tan()).atan();
    for (angle, rise) in [(0.0, 1.0), (half, 1.0 / half.cos()), (2.0 * half, 1.0)] {
        let (y, x) = azimuth(angle).sin_cos();
        let normal =
            format!("subsystem.ball.plane.slope.normal=[{:?}, {:?}, {cosine:?}]", sine * x, sine * y);
        let run = |settings: &[&str]| {
            let settings = [&["time.end=6", normal.as_str()], settings].concat();
            assert_balanced(&Run::model(BALL, &settings), 1e-12);
            Run::example(BALL, &settings)
        };
        let (exact, faceted) = (run(&[]), run(&["subsystem.ball.plane.slope.facets=16"]));
        let speed = |run: &Run, t: f64| {
            let along = run.at("ball.vx", t) * x + run.at("ball.vy", t) * y;
            along * cosine - run.at("ball.vz", t) * sine
        };
        for t in [2.0, 6.0] {
            // The mean normal force is the weight: after the bounces, all impulses have that sum.
            let of = |factor: f64| 9.81 * t * (sine - factor * mu * cosine);
            if t > 5.0 {
                assert!((speed(&exact, t) - of(1.0)).abs() < 1e-3, "{} {}", speed(&exact, t), of(1.0));
                assert!((speed(&faceted, t) - of(rise)).abs() < 1e-3, "{} {}", speed(&faceted, t), of(rise));
            }
            let gap = speed(&exact, t) - speed(&faceted, t);
            if rise == 1.0 {
                assert!(gap.abs() < 1e-11, "{gap}");
            } else {
                // Friction impulses differ by the factor, and nothing else.
                let impulses = 9.81 * sine * t - speed(&exact, t);
                assert!((gap - (rise - 1.0) * impulses).abs() < 1e-10, "{gap} {impulses}");
            }
        }
    }
}

/// A stopped block stays where it is, for ten thousand steps.
#[test]
fn a_stopped_block_stays() {
    let run = Run::completed(&block(0.2, 0.3, 2.0, (1e-3, 10.5)));
    let [x, vx, vz] = ["block.x", "block.vx", "block.vz"].map(|name| run.column(name));
    let stopped = run.times.partition_point(|t| *t < 0.42);
    assert!(run.times.len() - stopped > 10_000);
    assert!(vx[stopped..].iter().chain(&vz[stopped..]).all(|v| v.abs() < 1e-12));
    assert!(x[stopped..].iter().all(|x_k| (x_k - x[stopped]).abs() < 1e-12));
    assert_balanced(&block(0.2, 0.3, 2.0, (1e-3, 10.5)), 1e-13);
}

/// A sphere thrown without spin rolls at 5/7 of its speed.
#[test]
fn a_sphere_slides_then_rolls() {
    let text = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"ball\"\nkind = \"node\"\n\
        mass = 1\nradius = 0.1\ninertia = 4e-3\ngravity = [0, 0, -9.81]\nposition = [0, 0, 0.1]\nvelocity = [2, 0, 0]\n\
        [[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0\nfriction = 0.3\n";
    let model = Run::text(text, &[]);
    let run = Run::completed(&model);
    let sticks = stick_times(&run, "ball.floor");
    assert!((sticks[0] - 0.194_165_331_780_010_7).abs() < 3e-3, "{sticks:?}");
    let table = Table::reference("L5_sphere_sliding_to_rolling/reference.csv");
    let end = table.column("t").last().copied().unwrap_or(0.0).min(1.0);
    assert_path(&run, (&table, end), &[("ball.x", "x")], 1e-5);
    assert_path(&run, (&table, end), &[("ball.vx", "v")], 3e-3);
    assert!((run.at("ball.vx", 1.0) - 10.0 / 7.0).abs() < 1e-12);
    assert!((run.at("ball.wy", 1.0) - 100.0 / 7.0).abs() < 1e-11);
    assert_balanced(&model, 1e-13);
}

/// A box in the plane slides on two corners, which is more than it takes to hold it, and stops at `v/(μ g)`; then it
/// stands.
#[test]
fn a_box_on_two_corners_slides_and_stops() {
    let corner = |name: &str, x: f64| {
        format!(
            "[[subsystem.contact]]\nname = \"{name}\"\nbody = \"box\"\npoint = [{x:?}, -0.1]\nnormal = [0, 1]\n\
             restitution = 0\nfriction = 0.25\n"
        )
    };
    let text = format!(
        "schema = 1\ntime = {{ end = 2, step = 1e-3 }}\n[[subsystem]]\nname = \"b\"\nkind = \"planar\"\ngravity = [0, -9.81]\n\
         [[subsystem.body]]\nname = \"box\"\nmass = 2\ninertia = 0.05\nposition = [0, 0.1]\nvelocity = [3, 0]\n{}{}",
        corner("left", -0.3),
        corner("right", 0.3)
    );
    let model = Run::text(&text, &[]);
    let run = Run::completed(&model);
    let (stop, displacement) = (3.0 / (0.25 * 9.81), 4.5 / (0.25 * 9.81));
    for (k, t) in run.times.iter().enumerate() {
        let speed = (3.0 - 0.25 * 9.81 * t).max(0.0);
        assert!((run.value("b.box.vx", k) - speed).abs() < 3e-3, "{t}: {}", run.value("b.box.vx", k));
        assert!(run.value("b.box.angle", k).abs() < 1e-9 && run.value("b.box.vy", k).abs() < 1e-9, "{t}");
    }
    assert!(
        (run.at("b.box.x", 2.0) - displacement).abs() < 1e-5,
        "{} {displacement}",
        run.at("b.box.x", 2.0)
    );
    assert!(run.at("b.box.vx", 2.0).abs() < 1e-12);
    // Friction presses the leading corner down: its share of the weight is larger by μ h/b.
    let [left, right] = ["b.left.impulse", "b.right.impulse"].map(|name| run.at(name, 1.0) / 1e-3);
    let tilt = 0.25 * 19.62 * 0.1 / 0.6;
    assert!((right - (9.81 + tilt)).abs() < 1e-6 && (left - (9.81 - tilt)).abs() < 1e-6, "{left} {right}");
    assert!((stick_times(&run, "b.left")[0] - stop).abs() < 3e-3);
    assert_balanced(&model, 1e-9);
}

/// A ball on a plate that turns about its own axis is taken along: at every instant the friction acts against the slip over the
/// plate at that place. Reference: the differential equation, integrated finely.
#[test]
fn a_plate_that_turns_takes_a_ball_along() {
    let text = "schema = 1\ntime = { end = 0.5, step = 1e-3 }\n[[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = 1\n\
        gravity = [0, 0, -9.81]\nposition = [0.5, 0, 0]\n[[subsystem.plane]]\nname = \"plate\"\nnormal = [0, 0, 1]\n\
        restitution = 0\nfriction = 0.2\nangular_velocity = [0, 0, 6]\n";
    let acceleration = |x: [f64; 2], v: [f64; 2]| {
        let slip = [v[0] + 6.0 * x[1], v[1] - 6.0 * x[0]];
        let speed = slip[0].hypot(slip[1]);
        slip.map(|s| -0.2 * 9.81 * s / speed)
    };
    let (mut x, mut v, h) = ([0.5, 0.0], [0.0, 0.0], 1e-5);
    for _ in 0..50_000 {
        let a = acceleration(x, v);
        let (xm, vm) = ([0, 1].map(|i| x[i] + 0.5 * h * v[i]), [0, 1].map(|i| v[i] + 0.5 * h * a[i]));
        let am = acceleration(xm, vm);
        (x, v) = ([0, 1].map(|i| x[i] + h * vm[i]), [0, 1].map(|i| v[i] + h * am[i]));
    }
    let errors = |h: f64| {
        let model = Run::text(text, &[&format!("time.step={h:e}")]);
        // Friction `μ g` acts on the plate where the ball is at the end of a step of size `h`, `Ω h/2` of its speed, below
        // 1 m/s, beside the middle.
        assert_balanced(&model, 0.2 * 9.81 * h * 6.0 * 0.5 * h);
        let run = Run::completed(&model);
        let exact = [("ball.x", x[0]), ("ball.y", x[1]), ("ball.vx", v[0]), ("ball.vy", v[1])];
        exact.map(|(name, exact)| (run.at(name, 0.5) - exact).abs())
    };
    // Friction takes its direction from the end of each step, half a step late: `h/2 ∫ |da/dt| dt`, with `μ g Ω` at most.
    let (coarse, fine) = (errors(1e-3), errors(5e-4));
    for (coarse, fine) in coarse.iter().zip(fine) {
        assert!(*coarse < 0.5e-3 * 0.2 * 9.81 * 6.0 * 0.5, "{coarse}");
        assert!(fine < 0.6 * coarse, "{coarse} {fine}");
    }
}

/// A ball that rolls on a turntable moves on a circle, with 2/7 of its angular speed: `(1 + m R²/I) v̇ = Ω × v`.
#[test]
fn a_ball_circles_on_a_turntable() {
    let text = "schema = 1\ntime = { end = 4, step = 1e-3 }\n[[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = 1\n\
        radius = 0.1\ninertia = 4e-3\ngravity = [0, 0, -9.81]\nposition = [0.5, 0, 0.1]\nvelocity = [0.2, 0, 0]\n\
        angular_velocity = [30, 2, 0]\n[[subsystem.plane]]\nname = \"plate\"\nnormal = [0, 0, 1]\nrestitution = 0\n\
        friction = 0.3\nangular_velocity = [0, 0, 6]\n";
    let rate = 2.0 / 7.0 * 6.0;
    let errors = |h: f64| {
        let model = Run::text(text, &[&format!("time.step={h:e}")]);
        // The friction `2/7 Ω v` acts on the plate where the ball is at the end of a step, `Ω v h/2` beside the middle's speed.
        assert_balanced(&model, 0.5 * 6.0 * 0.2 * h * h * rate * 0.2);
        let run = Run::completed(&model);
        let error = |&t: &f64| {
            let (sine, cosine) = (rate * t).sin_cos();
            let exact = [0.5 + 0.2 / rate * sine, 0.2 / rate * (1.0 - cosine)];
            (run.at("ball.x", t) - exact[0]).hypot(run.at("ball.y", t) - exact[1])
        };
        run.times.iter().map(error).fold(0.0, f64::max)
    };
    let (coarse, fine) = (errors(2e-3), errors(1e-3));
    assert!(coarse < 1e-4 && fine < 0.3 * coarse, "{coarse:e} {fine:e}");
}
