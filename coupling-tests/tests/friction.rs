//! Coulomb friction in coupled models: closed forms, cuts that change nothing, energy step by step.
//!
//! Reference: cases B2, B3, L1 to L5 and L8; closed forms.

use cosimo::master::{ContactEventKind, FrictionState};
use cosimo::model::ModelSpec;
use coupling_tests::{Run, Table, assert_balanced, assert_balanced_within, fitted_order};

fn stick_times(run: &Run, contact: &str) -> Vec<f64> {
    run.events_at(contact, ContactEventKind::Stick).iter().map(|event| event.time).collect()
}

/// Compares columns of a run with those of a table at its times up to `end`.
fn assert_path(run: &Run, (table, end): (&Table, f64), columns: &[(&str, &str)], tolerance: f64) {
    for (k, &t) in table.column("t").iter().enumerate().take_while(|(_, t)| **t <= end) {
        for (found, exact) in columns {
            let error = run.at(found, t) - table.column(exact)[k];
            assert!(error.abs() < tolerance, "{found} at {t} s is off by {error:e}");
        }
    }
}

const BALL: &str = "tilted-plane-friction/model.toml";
const SPHERE: &str = "tilted-plane-friction/sphere.toml";

/// Every impact of ball and sphere: time, impulses, slip, spin.
#[test]
fn impacts_with_friction_are_exact() {
    for (path, case) in [(BALL, "B2_tilted_mu002_pointmass"), (SPHERE, "B3_tilted_mu002_sphere")] {
        let run = Run::example(path, &["time.end=3.4"]);
        let events = Table::reference(&format!("{case}/events.csv"));
        let impacts = run.events_at("ball.slope", ContactEventKind::Impact);
        for (k, found) in impacts[..10].iter().enumerate() {
            let exact = |name| events.column(name)[k];
            assert!((found.time - exact("t")).abs() < 1e-9, "{case}: impact {k} at {} s", found.time);
            assert!((found.impulse - exact("p_n")).abs() < 1e-9, "{case}: impact {k}");
            assert!(
                (found.friction[0] - exact("p_t")).abs() < 1e-9,
                "{case}: impact {k}: {:?}",
                found.friction
            );
            assert!(found.friction[1].abs() < 1e-12);
            let slips = exact("slip_plus").abs() > 1e-12;
            assert_eq!(found.state == FrictionState::Slip, slips, "{case}: impact {k}");
        }
        let table = Table::reference(&format!("{case}/reference.csv"));
        let columns = [("ball.x", "x"), ("ball.z", "z"), ("ball.vx", "vx"), ("ball.vz", "vz")];
        assert_path(&run, (&table, 3.39), &columns, 1e-9);
        if path == SPHERE {
            assert_path(&run, (&table, 3.39), &[("ball.wy", "omega")], 1e-8);
        }
        assert_balanced(&Run::model(path, &["time.end=3.4"]), 1e-12);
    }
}

/// Behind the accumulation of impacts the point mass slides and the sphere rolls, with accelerations of their own.
#[test]
fn ball_slides_and_sphere_rolls_after_the_bounces() {
    for (path, case, acceleration) in [
        (BALL, "B2_tilted_mu002_pointmass", 0.294_340_849_455_862_03),
        (SPHERE, "B3_tilted_mu002_sphere", 0.350_211_178_960_967_43),
    ] {
        let run = Run::example(path, &[]);
        let (sine, cosine) = 0.05_f64.sin_cos();
        let speed = |t: f64| run.at("ball.vx", t) * cosine - run.at("ball.vz", t) * sine;
        assert!(
            (speed(6.0) - speed(4.0) - 2.0 * acceleration).abs() < 1e-11,
            "{case}: {}",
            speed(6.0) - speed(4.0)
        );
        let table = Table::reference(&format!("{case}/reference.csv"));
        assert_path(&run, (&table, 6.0), &[("ball.x", "x"), ("ball.z", "z")], 1e-5);
        assert!(run.at("ball.slope.slip_0", 6.0).abs() < 1e-12 || path == BALL);
        let [normal, friction] =
            ["ball.slope.impulse", "ball.slope.friction_0"].map(|name| run.at(name, 6.0));
        let at_bound = (friction.abs() - 0.02 * normal).abs() < 1e-15;
        assert_eq!(at_bound, path == BALL, "{case}");
        assert_balanced(&Run::model(path, &[]), 1e-11);
    }
}

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
                let way = along("block.x", "block.z") - table.column("s")[k];
                let speed = along("block.vx", "block.vz") - table.column("v")[k];
                assert!(way.abs() < 1e-12, "{case}: {way:e} m at {t} s");
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

/// The oscillator with dry friction.
fn dry_oscillator((h, end): (f64, f64)) -> ModelSpec {
    let text = "schema = 1\ntime = { end = 6.0, step = 1e-3 }\n[[subsystem]]\nname = \"mass\"\nkind = \"linear\"\n\
        coordinates = [\"x\", \"z\"]\nmass = [1, 1]\nforce = [0, -9.81]\nposition = [0.5, 0]\n[[subsystem.spring]]\n\
        ground = \"x\"\nstiffness = 100\n[[subsystem.contact]]\nname = \"floor\"\nrow = { z = 1 }\nrestitution = 0\n\
        friction = 0.2\ntangents = [{ x = 1 }]\n";
    Run::text(text, &[&format!("time.step={h:e}"), &format!("time.end={end:e}")])
}

/// Twelve turns and a stop at whatever parts of the steps: way and speed at the times of the reference are of order two.
#[test]
fn a_spring_with_dry_friction_is_of_order_two() {
    let table = Table::reference("L8_coulomb_oscillator/reference.csv");
    let times = table.column("t");
    // The reference has its times at equal distances: whole numbers of steps, with turns at all parts of them.
    let distance = times[1] - times[0];
    let steps: Vec<f64> = [7.0, 9.0, 13.0, 18.0, 25.0, 36.0, 50.0, 71.0].map(|n| distance / n).to_vec();
    let errors_with = |h: &f64| {
        let last = times.iter().rposition(|t| *t < 5.0).unwrap_or(0);
        let run = Run::completed(&dry_oscillator((*h, times[last])));
        ["x", "v"].map(|name| {
            let (found, exact) =
                (format!("mass.{}", if name == "x" { "x" } else { "v_x" }), table.column(name));
            let error = |k: usize| (run.at(&found, times[k]) - exact[k]).abs();
            (0..=last).map(error).fold(0.0, f64::max)
        })
    };
    let errors: Vec<[f64; 2]> = steps.iter().map(errors_with).collect();
    for (k, bound) in [50.0, 500.0].into_iter().enumerate() {
        let of: Vec<f64> = errors.iter().map(|errors| errors[k]).collect();
        assert!(of.iter().zip(&steps).all(|(error, h)| *error < bound * h * h), "{steps:?} {of:?}");
        let order = fitted_order(&steps, &of);
        assert!((1.9..2.1).contains(&order), "{order}: {steps:?} {of:?}");
    }
}

/// Its turning points, the time of its end, the place where it ends.
#[test]
fn a_spring_with_dry_friction_stops_in_the_dead_band() {
    let model = dry_oscillator((1e-3, 6.0));
    let run = Run::completed(&model);
    let last = stick_times(&run, "mass.floor").last().copied().unwrap_or(0.0);
    assert!((last - 4.084_070_449_666_731).abs() < 5e-5, "{last}");
    assert!((run.at("mass.x", 6.0) - 0.010_12).abs() < 1e-8);
    assert!(run.at("mass.v_x", 6.0).abs() < 1e-12);
    let (turns, v) = (Table::reference("L8_coulomb_oscillator/events.csv"), run.column("mass.v_x"));
    for (&t, &x) in turns.column("t_turn").iter().zip(turns.column("x_turn")).take(12) {
        let k = run.times.partition_point(|time| *time < t);
        assert!((run.value("mass.x", k) - x).abs() < 1e-4, "{t}");
        assert!(v[k - 3] * v[k + 2] < 0.0, "{t}");
    }
    // Friction changes by at most `2 μ m g` where the slip turns, with `ω h` and speeds below `2 μ g h`: see `created_inside`.
    let (h, change) = (1e-3_f64, 2.0 * 0.2 * 9.81);
    assert_balanced_within(&model, 1e-13, &|_, _| 0.25 * h * h * 100.0 * 5.0 * (change * h).powi(2));
}

/// A block on a belt at constant speed, held by a spring: slides until it has the speed of the belt, rides to where the
/// spring is as strong as friction, and swings from there.
#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let path = "stick-slip-belt/model.toml";
    let overrides = ["subsystem.block.plane.belt.amplitude=[0, 0, 0]", "time.end=0.75"];
    let run = Run::example(path, &overrides);
    let (v, omega, edge) = (0.2, 10.0, 0.3 * 9.81 / 100.0_f64);
    let caught = (v / (edge * omega)).asin() / omega;
    let freed = caught + edge * (omega * caught).cos() / v;
    let exact = |t: f64| {
        if t < caught {
            edge * (1.0 - (omega * t).cos())
        } else if t < freed {
            edge + v * (t - freed)
        } else {
            edge + v / omega * (omega * (t - freed)).sin()
        }
    };
    for &t in &run.times {
        assert!((run.at("block.x", t) - exact(t)).abs() < 2e-5, "{t}: {} {}", run.at("block.x", t), exact(t));
    }
    let slips = run.events_at("block.belt", ContactEventKind::Slip);
    assert!((stick_times(&run, "block.belt")[0] - caught).abs() < 3e-3);
    assert!((slips[0].time - freed).abs() < 3e-3, "{} {freed}", slips[0].time);
    // The work of the belt is external, the friction's is that of the slip. Where that stops, friction changes by at most
    // `2 μ m g`: see `created_inside`.
    let created = |run: &Run, k: usize| {
        let kick = 2.0 * 0.3 * 9.81 * 1e-3;
        let speed = run.value("block.vx", k).abs() + kick;
        let most = 0.25 * (omega * 1e-3_f64).powi(2) * (speed * kick + 1.5 * kick * kick);
        if turns(run, "block.belt", k) { most } else { 0.0 }
    };
    assert_balanced_within(&Run::model(path, &overrides), 1e-12, &created);
    assert_balanced_within(&Run::model(path, &[]), 1e-12, &created);
}

/// Two bodies that touch floor and wall with friction, each both of them or, rigidly joined, one of them; in one piece or
/// cut at the joint. Rebounds do not accumulate, which would make much of round-off.
fn pieces(is_cut: bool, is_rigid: bool) -> ModelSpec {
    let head = "schema = 1\ntime = { end = 0.6, step = 1e-3 }\n";
    let contact = |body: &str, name: &str, axis: &str, tangents: [&str; 2], e: f64| {
        format!(
            "[[subsystem.contact]]\nname = \"{body}_{name}\"\nrow = {{ {axis} = 1 }}\noffset = -0.01\n\
             restitution = {e:?}\nfriction = 0.3\ntangents = [{{ {} = 1 }}, {{ {} = 1 }}]\n",
            tangents[0], tangents[1]
        )
    };
    let contacts = |body: &str, prefix: &str| {
        let [x, y, z] = ["x", "y", "z"].map(|axis| format!("{prefix}{axis}"));
        let floor = contact(body, "floor", &z, [&x, &y], if body == "a" { 0.9 } else { 0.0 });
        let wall = contact(body, "wall", &x, [&y, &z], 0.0);
        match (is_rigid, body) {
            (false, _) => floor + &wall,
            (true, "a") => floor,
            (true, _) => wall,
        }
    };
    let stiffness = [[400.0, 30.0, 150.0], [30.0, 500.0, -80.0], [150.0, -80.0, 300.0]];
    let port = "[[subsystem.port]]\nname = \"p\"\ncoordinates = [\"x\", \"y\", \"z\"]\n";
    let body = |name: &str, mass: f64, velocity: [f64; 3]| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\ncoordinates = [\"x\", \"y\", \"z\"]\n\
             mass = {mass:?}\nforce = [{:?}, 0, {:?}]\nvelocity = {velocity:?}\n{}{port}",
            -3.0 * mass,
            -9.81 * mass,
            contacts(name, "")
        )
    };
    let text = match (is_cut, is_rigid) {
        (true, true) => {
            let velocity = [0.3, 0.7, 0.5];
            let joint = "[[interface]]\nname = \"j\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"rigid\"\n";
            format!("{head}{}{}{joint}", body("a", 1.0, velocity), body("b", 2.5, velocity))
        }
        (true, false) => {
            let joint = format!(
                "[[interface]]\nname = \"j\"\nbetween = [\"a.p\", \"b.p\"]\nlaw = \"compliant\"\nstiffness = {stiffness:?}\n"
            );
            format!("{head}{}{}{joint}", body("a", 1.0, [0.3, 0.7, 0.5]), body("b", 2.5, [-0.2, 0.4, 0.1]))
        }
        (false, true) => format!(
            "{head}[[subsystem]]\nname = \"w\"\nkind = \"linear\"\ncoordinates = [\"x\", \"y\", \"z\"]\nmass = 3.5\n\
             force = [-10.5, 0, {:?}]\nvelocity = [0.3, 0.7, 0.5]\n{}{}",
            -9.81 * 3.5,
            contacts("a", ""),
            contacts("b", "")
        ),
        (false, false) => {
            let entry = |i: usize, j: usize| {
                if i / 3 == j / 3 { stiffness[i % 3][j % 3] } else { -stiffness[i % 3][j % 3] }
            };
            let matrix: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect();
            format!(
                "{head}[[subsystem]]\nname = \"w\"\nkind = \"linear\"\n\
                 coordinates = [\"ax\", \"ay\", \"az\", \"bx\", \"by\", \"bz\"]\nmass = [1, 1, 1, 2.5, 2.5, 2.5]\n\
                 stiffness = {matrix:?}\nforce = [-3, 0, -9.81, -7.5, 0, {:?}]\nvelocity = [0.3, 0.7, 0.5, -0.2, 0.4, 0.1]\n{}{}",
                -9.81 * 2.5,
                contacts("a", "a"),
                contacts("b", "b")
            )
        }
    };
    Run::text(&text, &[])
}

/// Where a contact is said to begin to slide, it slides at the end of the step: floor and wall may share a load in many ways, in
/// some of which friction that holds is at its bound.
fn assert_slips(run: &Run) {
    for event in run.events.iter().filter(|event| event.kind == ContactEventKind::Slip) {
        let k = run.times.partition_point(|time| *time <= event.time + 1e-9);
        let [a, b] = ["slip_0", "slip_1"].map(|slip| run.value(&format!("{}.{slip}", event.contact), k));
        assert!(a.hypot(b) > 1e-14, "{} at {} s slides at {a:e}, {b:e} m/s", event.contact, event.time);
    }
}

/// Whether the slip of a contact stops in a step or turns by more than a right angle.
fn turns(run: &Run, contact: &str, k: usize) -> bool {
    let slip = |k: usize| ["slip_0", "slip_1"].map(|slip| run.value(&format!("{contact}.{slip}"), k));
    let (before, after) = (slip(k - 1), slip(k));
    let speed = before[0].hypot(before[1]);
    speed > 1e-9 && before[0] * after[0] + before[1] * after[1] <= 1e-12 * speed * speed
}

/// What impulses inside a step may create on the springs of [`pieces`] (J). An impulse `P` whose place is `p` before the end
/// of the step, `0 ≤ p ≤ h`, creates `(p − h/2) (h/2 v + ½ (p + h/2) w P)ᵀ K w P`, which is at most
/// `(ω h/2)² (2 √(T_v T_P) + 3 T_P)` with the largest frequency `ω`, the kinetic energy `T_v` without the impulse and
/// `T_P = P²/2m` of its own.
fn created_inside(run: &Run, k: usize, h: f64) -> f64 {
    let is_inside = |time: f64| time > run.times[k - 1] - 1e-12 && time < run.times[k] + 1e-12;
    let at_contact = |name: &str| {
        let of_body = if run.labels().iter().any(|label| label == "w.ax") { "w" } else { &name[..1] };
        let contact = format!("{of_body}.{name}");
        let events = run.events.iter().filter(|event| event.contact == contact);
        let load = ["impulse", "friction_0", "friction_1"];
        let square: f64 = load.map(|row| run.value(&format!("{contact}.{row}"), k).powi(2)).iter().sum();
        let is_any = events.clone().any(|event| is_inside(event.time)) || turns(run, &contact, k);
        if is_any { square } else { 0.0 }
    };
    let impulses: f64 =
        ["a_floor", "a_wall", "b_floor", "b_wall"].map(|name| at_contact(name).sqrt()).iter().sum();
    // They begin with 0.68 J of motion, and fall by millimetres; the stiffness is at most its largest row sum, the masses are
    // 1 and 2.5 kg.
    let (impulse_energy, speed_energy) = (0.5 * impulses * impulses, 1.0);
    let square = 610.0 * (1.0 + 1.0 / 2.5);
    0.25 * h * h * square * (2.0 * (impulse_energy * speed_energy).sqrt() + 3.0 * impulse_energy)
}

/// A model with friction that is cut into subsystems moves as in one piece: the effective mass of normals and tangents
/// crosses the joint, impacts inside steps included.
#[test]
fn friction_does_not_see_where_a_model_is_cut() {
    for is_rigid in [false, true] {
        let (whole, cut) =
            (Run::completed(&pieces(false, is_rigid)), Run::completed(&pieces(true, is_rigid)));
        for h in [1e-3, 5e-4, 2.5e-4] {
            for is_cut in [false, true] {
                let mut model = pieces(is_cut, is_rigid);
                model.time.step = h;
                if is_rigid {
                    assert_balanced(&model, 1e-13);
                } else {
                    assert_balanced_within(&model, 1e-12, &|run, k| created_inside(run, k, h));
                }
            }
        }
        assert!(whole.impacts().len() > 3, "{:?}", whole.impacts());
        assert!(whole.events.iter().any(|event| event.state == FrictionState::Slip));
        assert_slips(&whole);
        for axis in ["x", "y", "z", "v_x", "v_y", "v_z"] {
            for body in ["a", "b"] {
                let name = match (is_rigid, axis.strip_prefix("v_")) {
                    (true, _) => format!("w.{axis}"),
                    (false, None) => format!("w.{body}{axis}"),
                    (false, Some(axis)) => format!("w.v_{body}{axis}"),
                };
                let (one, two) = (whole.column(&name), cut.column(&format!("{body}.{axis}")));
                let distance = one.iter().zip(&two).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                // The direction of a slip that comes to rest makes more of round-off.
                let round_off = if axis.starts_with('v') { 1e-9 } else { 1e-12 };
                assert!(distance < round_off, "rigid {is_rigid}: {name} differs by {distance:e}");
            }
        }
    }
}

/// What friction of one direction a step may put in where slips turn (J).
fn pushed(run: &Run, k: usize) -> f64 {
    let at_contact = |contact: &str| {
        let value = |name: &str, k: usize| run.value(&format!("{contact}.{name}"), k);
        let turned = ["slip_0", "slip_1"].map(|slip| value(slip, k) - value(slip, k - 1));
        let before = ["slip_0", "slip_1"].map(|slip| value(slip, k - 1));
        let [p0, p1] = ["friction_0", "friction_1"].map(|name| value(name, k));
        let is_pushed = p0 * (before[0] + 0.5 * turned[0]) + p1 * (before[1] + 0.5 * turned[1]) > 0.0;
        if is_pushed { 0.5 * 0.3 * value("impulse", k) * turned[0].hypot(turned[1]) } else { 0.0 }
    };
    ["a.a_floor", "a.a_wall", "b.b_floor", "b.b_wall"].map(at_contact).iter().sum()
}

/// Sweeps over the subsystems reach the solution of the condensed scheme, friction included.
#[test]
fn schemes_agree_with_friction() {
    let model = |scheme: &str| {
        let mut model = pieces(true, false);
        model.master.impacts = cosimo::model::Impacts::Plain;
        model.master.tolerance = 1e-12;
        model.master.scheme = match scheme {
            "gauss-seidel" => cosimo::model::Scheme::GaussSeidel,
            "jacobi" => cosimo::model::Scheme::Jacobi,
            _ => cosimo::model::Scheme::Condensed,
        };
        model
    };
    let condensed = Run::completed(&model("condensed"));
    for scheme in ["condensed", "gauss-seidel", "jacobi"] {
        // The plain problem knows one friction a step: where the slip turns it creates `μ P_N |ΔU_T|/2` at most.
        assert_balanced_within(&model(scheme), 1e-10, &pushed);
        let run = Run::completed(&model(scheme));
        for name in ["a.x", "a.v_y", "b.z", "b.v_x"] {
            let pairs = run.column(name).into_iter().zip(condensed.column(name));
            let distance = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(distance < 1e-8, "{scheme}: {name} differs by {distance:e}");
        }
    }
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
    let (stop, way) = (3.0 / (0.25 * 9.81), 4.5 / (0.25 * 9.81));
    for (k, t) in run.times.iter().enumerate() {
        let speed = (3.0 - 0.25 * 9.81 * t).max(0.0);
        assert!((run.value("b.box.vx", k) - speed).abs() < 3e-3, "{t}: {}", run.value("b.box.vx", k));
        assert!(run.value("b.box.angle", k).abs() < 1e-9 && run.value("b.box.vy", k).abs() < 1e-9, "{t}");
    }
    assert!((run.at("b.box.x", 2.0) - way).abs() < 1e-5, "{} {way}", run.at("b.box.x", 2.0));
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

/// Moreau's law in the model file; Newton's gains are warnings and stand in the report.
#[test]
fn impact_laws_are_chosen_by_name_and_gains_are_told() {
    // A rod of 1 kg and 2 m, tilted, that slides fast as it hits the floor with its end.
    let text = |law: &str, angle: f64, omega: f64| {
        let (sine, cosine) = angle.sin_cos();
        format!(
            "schema = 1\ntime = {{ end = 0.01, step = 1e-4 }}\n[[subsystem]]\nname = \"rod\"\nkind = \"planar\"\n\
             [[subsystem.body]]\nname = \"rod\"\nmass = 1\ninertia = 0.333\nposition = [0, {:?}]\nangle = {angle:?}\n\
             velocity = [{:?}, -1]\nangular_velocity = {omega:?}\n[[subsystem.contact]]\nname = \"tip\"\nbody = \"rod\"\n\
             point = [-1, 0]\nnormal = [0, 1]\nrestitution = 0.9\nfriction = 0.9\nimpact_law = \"{law}\"\n",
            sine + 1e-4,
            -0.3 * cosine
        )
    };
    let mut gained = 0;
    for angle in [0.3, 0.6, 0.9, 1.2] {
        for omega in [-2.0, -0.8, 0.0, 0.8] {
            let newton = Run::completed(&Run::text(&text("newton", angle, omega), &[]));
            let works: Vec<f64> = newton.events.iter().map(|event| event.work).collect();
            let is_gain = works.iter().any(|work| *work > 1e-9);
            assert_eq!(is_gain, !newton.report.impact_gains.is_empty(), "{works:?}");
            gained += usize::from(is_gain);
            let moreau = Run::completed(&Run::text(&text("moreau", angle, omega), &[]));
            assert!(moreau.events.iter().all(|event| event.work <= 1e-12), "{angle} {omega}");
            assert!(moreau.report.impact_gains.is_empty());
            assert_balanced(&Run::text(&text("moreau", angle, omega), &[]), 1e-9);
        }
    }
    assert!(gained > 0);
}
