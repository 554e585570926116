//! Several contacts of free bodies at once: what is pressed, stacked, gripped, piled or shot.
//!
//! Reference: statics, the fall against Coulomb's friction, elastic impact of two spheres, all in closed form.

use cosimo::master::{Impacts, NoObserver};
use cosimo::model::{Execution, ModelSpec};
use coupling_tests::Run;

const G: f64 = 9.81;

/// Rules of every way of weighing loads.
const RULES: [&str; 6] = [
    "\"theta\"",
    "\"generalized-alpha\"",
    "\"hht\"",
    "{ method = \"multistep\", spectral_radius = 0.6 }",
    "{ method = \"multistep\", spectral_radius = 1.0 }",
    "{ method = \"newmark\", gamma = 0.5 }",
];

/// What is left of a share that is determined: `theta` forgets what rules that remember accelerations carry on.
fn round_off(solver: &str) -> f64 {
    if solver == RULES[0] { 1e-9 } else { 1e-8 }
}

fn system((end, h): (f64, f64), gravity: f64, (solver, parts): (&str, &str)) -> ModelSpec {
    let head = format!(
        "schema = 1\ntime = {{ end = {end:e}, step = {h:e} }}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         gravity = [0, 0, {:?}]\n",
        -gravity
    );
    Run::text(&(head + parts), &[&format!("subsystem.s.solver={solver}")])
}

fn body(name: &str, (mass, inertia): (f64, f64), place: [f64; 3], velocity: [f64; 3]) -> String {
    format!(
        "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass:e}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
         position = {place:?}\nvelocity = {velocity:?}\n"
    )
}

/// A sphere of a body on a plane of another.
fn contact(name: &str, plane: &str, (body, point): (&str, [f64; 3]), law: &str) -> String {
    format!(
        "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\nfirst = {{ {plane} }}\n\
         second = {{ body = \"{body}\", point = {point:?} }}\n{law}\n"
    )
}

fn load(body: &str, direction: [f64; 3], force: f64) -> String {
    format!(
        "[[subsystem.load]]\nbody = \"{body}\"\ndirection = {direction:?}\ntime = [0]\nvalue = [{force:e}]\n"
    )
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// The feet of a box share what presses it, however much it is: loads on contacts do not turn with the body.
#[test]
fn a_box_that_is_pressed_rests_on_its_feet() {
    let floor = "body = \"ground\", axis = [0, 0, 1]";
    let feet = [[0.1, 0.1, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1], [0.1, -0.1, -0.1]];
    for (solver, force) in RULES.into_iter().flat_map(|rule| [1e2, 1e4, 1e6].map(|force| (rule, force))) {
        for h in [1e-3, 1e-2] {
            let mut parts = body("box", (1.0, 0.02 / 3.0), [0.0, 0.0, 0.1], [0.0; 3]);
            for (k, foot) in feet.into_iter().enumerate() {
                parts += &contact(&format!("c{k}"), floor, ("box", foot), "restitution = 0\nfriction = 0.5");
            }
            let run = Run::completed(&system(
                (0.5, h),
                G,
                (solver, &(parts + &load("box", [0.0, 0.0, -1.0], force))),
            ));
            let what = format!("{solver}, {force} N, h {h}");
            for name in ["x", "y", "qx", "qy", "qz"] {
                let moved = largest(&run.column(&format!("s.box.{name}")));
                assert!(moved < 1e-11, "{what}: {name} {moved:e}");
            }
            for foot in 0..4 {
                let share = run.at(&format!("s.c{foot}.force"), 0.5) / (0.25 * (force + G));
                assert!((share - 1.0).abs() < 1e-8, "{what}: foot {foot} carries {share}");
            }
            assert!(run.impacts().is_empty(), "{what}");
        }
    }
}

/// A body on two feet on another on two feet, of all ratios of masses: both rest.
#[test]
fn a_stack_rests_whatever_its_masses() {
    let law = "radius = 0.1\nrestitution = 0\nfriction = 0.5";
    let ratios = [1e-6, 1e-3, 1.0, 1e3, 1e6];
    for (solver, ratio) in RULES.into_iter().flat_map(|rule| ratios.map(|ratio| (rule, ratio))) {
        for h in [1e-4, 1e-3, 5e-3] {
            let mut parts = body("low", (1.0, 0.01), [0.0, 0.0, 0.1], [0.0; 3])
                + &body("up", (ratio, 0.01 * ratio), [0.0, 0.0, 0.3], [0.0; 3]);
            for (name, x) in [("a", 0.1), ("b", -0.1)] {
                let foot = [x, 0.0, 0.0];
                parts +=
                    &contact(&format!("g{name}"), "body = \"ground\", axis = [0, 0, 1]", ("low", foot), law);
                let top = "body = \"low\", point = [0, 0, 0.1], axis = [0, 0, 1]";
                parts += &contact(&format!("c{name}"), top, ("up", foot), law);
            }
            let run = Run::completed(&system((100.0 * h, h), G, (solver, &parts)));
            let what = format!("{solver}, ratio {ratio}, h {h}");
            for (contact, weight) in [("g", (1.0 + ratio) * G), ("c", ratio * G)] {
                let force: f64 =
                    ["a", "b"].map(|end| run.at(&format!("s.{contact}{end}.force"), 100.0 * h)).iter().sum();
                let error = (force / weight - 1.0).abs();
                assert!(error < round_off(solver), "{what}: {contact} carry {force} of {weight} N");
            }
            for name in ["low.x", "up.x", "low.qy", "up.qy"] {
                let moved = largest(&run.column(&format!("s.{name}")));
                assert!(moved < 1e-10, "{what}: {name} {moved:e}");
            }
            assert!(run.impacts().is_empty(), "{what}");
        }
    }
}

/// A capsule slides between two pads that are pressed against it: it falls straight, against twice the friction of a pad, and each end
/// carries half of the force.
#[test]
fn a_capsule_slides_straight_between_pads() {
    const MASS: f64 = 0.045;
    let cases = [(12.0, 0.01), (3.0, 0.02), (20.0, 0.002)];
    for (solver, (force, friction)) in RULES.into_iter().flat_map(|rule| cases.map(|case| (rule, case))) {
        let law = format!("radius = 0.004\nrestitution = 0\nfriction = {friction}");
        let mut parts = String::new();
        let pads = [("left", -1.0), ("right", 1.0)];
        for (pad, side) in pads {
            parts += &body(pad, (0.2, 1e-4), [0.004 * side, 0.0, 0.0], [0.0; 3]);
        }
        parts += "[[subsystem.body]]\nname = \"caps\"\nmass = 0.045\ninertia = [6e-6, 3.6e-7, 6e-6]\n";
        for (pad, side) in pads {
            parts += &format!(
                "[[subsystem.joint]]\nname = \"slide_{pad}\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"{pad}\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n"
            );
            parts += &load(pad, [-side, 0.0, 0.0], force);
            let plane = format!("body = \"{pad}\", axis = [{}, 0, 0]", -side);
            for (end, y) in [("f", 0.02), ("b", -0.02)] {
                parts += &contact(&format!("{pad}_{end}"), &plane, ("caps", [0.0, y, 0.0]), &law);
            }
        }
        let run = Run::completed(&system((0.5, 2e-3), G, (solver, &parts)));
        let what = format!("{solver}, {force} N, friction {friction}");
        let fall = 0.5 * (G - 2.0 * friction * force / MASS) * 0.25;
        let z = run.at("s.caps.z", 0.5);
        assert!((z + fall).abs() < 1e-9, "{what}: {z} for {}", -fall);
        for name in ["caps.qx", "caps.qz", "caps.vx", "caps.vy"] {
            let moved = largest(&run.column(&format!("s.{name}")));
            assert!(moved < round_off(solver), "{what}: {name} {moved:e}");
        }
        for (pad, _) in pads {
            for end in ["f", "b"] {
                let share = run.at(&format!("s.{pad}_{end}.force"), 0.5) / (0.5 * force);
                assert!((share - 1.0).abs() < 1e-8, "{what}: {pad}_{end} {share}");
            }
        }
    }
}

/// Numbers between 0 and 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Spheres that pass many times their size in a step hit each other where they meet, in any phase of the step.
#[test]
fn fast_spheres_hit_each_other() {
    let mut numbers = Numbers(7);
    for pair in 0..300 {
        let speed = 2000.0_f64.powf(numbers.next());
        let radii = [0.05 + 0.1 * numbers.next(), 0.005 + 0.05 * numbers.next()];
        let masses = [0.1 + numbers.next(), 0.01 + numbers.next()];
        let reach = radii[0] + radii[1];
        let offset = 0.98 * reach * numbers.next();
        let h = 1e-3 + 0.05 * numbers.next();
        // The instant of the impact, somewhere in the first three steps.
        let instant = 3.0 * h * numbers.next() + 1e-2 * h;
        let depth = (reach * reach - offset * offset).sqrt();
        let start = [-depth - speed * instant, offset, 0.0];
        let parts = body("target", (masses[0], 0.4 * masses[0] * radii[0] * radii[0]), [0.0; 3], [0.0; 3])
            + &body("bullet", (masses[1], 0.4 * masses[1] * radii[1] * radii[1]), start, [speed, 0.0, 0.0])
            + &format!(
                "[[subsystem.contact]]\nname = \"c\"\ntype = \"sphere-sphere\"\nfirst = {{ body = \"target\" }}\n\
                 second = {{ body = \"bullet\" }}\nradii = {radii:?}\nrestitution = 1\n"
            );
        let solver = RULES[pair % RULES.len()];
        let mut model = system((5.0 * h, h), 0.0, (solver, &parts));
        let run = Run::completed(&model);
        // Along the line of centres the bullet gives off twice what both have in common.
        let normal = [-depth / reach, offset / reach];
        let impulse = -2.0 * speed * normal[0] / (1.0 / masses[0] + 1.0 / masses[1]);
        let last = 5.0 * h;
        let found = ["vx", "vy"].map(|v| run.at(&format!("s.bullet.{v}"), last));
        let right = [speed + impulse * normal[0] / masses[1], impulse * normal[1] / masses[1]];
        for k in 0..2 {
            let error = (found[k] - right[k]).abs() / speed;
            assert!(error < 1e-6, "{solver}, pair {pair} at {speed} m/s, h {h}: {found:?} for {right:?}");
        }
        if pair % 25 == 0 {
            model.placement.execution = Execution::Threads;
            assert!(run.has_bits_of(&Run::completed(&model)), "pair {pair} in threads");
        }
    }
}

/// Where the plain problem takes impacts, which looks at ends of steps, what is passed through is told once.
#[test]
fn what_the_plain_problem_passes_through_is_told() {
    let inertia = (1.0, 4e-3);
    let parts = body("target", inertia, [0.0; 3], [0.0; 3])
        + &body("bullet", inertia, [-1.3, 0.06, 0.0], [20.0, 0.0, 0.0])
        + "[[subsystem.contact]]\nname = \"c\"\ntype = \"sphere-sphere\"\nfirst = { body = \"target\" }\n\
           second = { body = \"bullet\" }\nradii = [0.1, 0.01]\nrestitution = 1\n";
    for (impacts, told) in [(Impacts::PLAIN, 1), (Impacts::SubStep, 0)] {
        let mut model = system((0.2, 0.02), 0.0, (RULES[0], &parts));
        model.master.impacts = impacts;
        let mut master = model.build().unwrap();
        master.run(0.2, 0.02, &mut NoObserver).unwrap();
        let passed = master.warnings().iter().filter(|w| w.text.contains("`s.c` is passed through")).count();
        assert_eq!(passed, told, "{impacts:?}");
    }
}

/// A plate of a system in the plane rests on its feet as one in space does.
#[test]
fn a_plate_in_the_plane_that_is_pressed_rests() {
    // Those that the kind takes.
    let rules = [RULES[0], RULES[1], RULES[3], RULES[4]];
    for (solver, force) in rules.into_iter().flat_map(|rule| [1e2, 1e4, 1e6].map(|force| (rule, force))) {
        let text = format!(
            "schema = 1\ntime = {{ end = 0.5, step = 1e-2 }}\n[[subsystem]]\nname = \"s\"\nkind = \"planar\"\n\
             gravity = [0, {:?}]\n[[subsystem.body]]\nname = \"plate\"\nmass = 1\ninertia = 0.0066\nposition = [0, 0.1]\n\
             [[subsystem.contact]]\nname = \"a\"\nbody = \"plate\"\npoint = [-0.1, -0.1]\nnormal = [0, 1]\nrestitution = 0\nfriction = 0.5\n\
             [[subsystem.contact]]\nname = \"b\"\nbody = \"plate\"\npoint = [0.1, -0.1]\nnormal = [0, 1]\nrestitution = 0\nfriction = 0.5\n",
            -force
        );
        let run = Run::completed(&Run::text(&text, &[&format!("subsystem.s.solver={solver}")]));
        let what = format!("{solver}, {force} N");
        // Of speeds, beside the one that the force would give in a step without feet.
        for (name, allowed) in [("x", 1e-10), ("angle", 1e-10), ("vx", 1e-14 * force), ("vy", 1e-14 * force)]
        {
            let moved = largest(&run.column(&format!("s.plate.{name}")));
            assert!(moved < allowed, "{what}: {name} {moved:e}");
        }
        for foot in ["a", "b"] {
            let share = run.at(&format!("s.{foot}.force"), 0.5) / (0.5 * force);
            assert!((share - 1.0).abs() < 1e-8, "{what}: foot {foot} carries {share}");
        }
    }
}

/// Eight spheres of 50 mm, scattered by this seed, above the floor of a box.
fn pile(seed: u32, restitution: f64) -> String {
    const RADIUS: f64 = 0.05;
    const WIDTH: f64 = 0.23;
    let law = format!("restitution = {restitution}\nfriction = 0.3\n");
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let spheres = body("b", (mass, 0.4 * mass * RADIUS * RADIUS), [0.056, 0.056, 0.053], [0.0; 3]);
    let array = format!("count = [2, 2, 2]\nspacing = [0.11, 0.11, 0.105]\nscatter = 0.002\nseed = {seed}\n");
    let pairs = format!(
        "[[subsystem.contact]]\nname = \"pair\"\ntype = \"sphere-sphere\"\nbetween = [\"b*\", \"b*\"]\n\
         radii = [{RADIUS}, {RADIUS}]\n{law}"
    );
    let wall = |(name, at, axis): (&str, [f64; 3], [f64; 3])| {
        format!(
            "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\n\
             first = {{ body = \"ground\", point = {at:?}, axis = {axis:?} }}\nsecond = \"b*\"\nradius = {RADIUS}\n{law}"
        )
    };
    let walls = [
        ("floor", [0.0; 3], [0.0, 0.0, 1.0]),
        ("left", [0.0; 3], [1.0, 0.0, 0.0]),
        ("right", [WIDTH, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ("front", [0.0; 3], [0.0, 1.0, 0.0]),
        ("back", [0.0, WIDTH, 0.0], [0.0, -1.0, 0.0]),
    ];
    spheres + &array + &pairs + &walls.map(wall).concat()
}

/// Spheres that fall into a box come to rest there: every run ends, none is lost, the floor carries them, and nothing is created.
#[test]
fn piles_come_to_rest() {
    const COUNT: usize = 8;
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3);
    for (seed, restitution) in [(1, 0.0), (2, 0.3), (4, 0.3)] {
        let run = Run::completed(&system((2.0, 1e-3), G, (RULES[0], &pile(seed, restitution))));
        let what = format!("seed {seed}, e {restitution}");
        let names = (1..=COUNT).map(|k| format!("b{k}"));
        // In the mean of the last quarter of a second: some still roll.
        let carried =
            |name: String| run.column(&format!("s.floor_{name}.impulse"))[1751..].iter().sum::<f64>() / 0.25;
        let carried: f64 = names.clone().map(carried).sum();
        // Friction of the walls holds what the floor does not.
        let share = carried / (COUNT as f64 * mass * G);
        assert!((0.8..1.0 + 1e-6).contains(&share), "{what}: the floor carries {share} of the weight");
        for name in names {
            let speed = ["vx", "vy", "vz"].map(|v| run.at(&format!("s.{name}.{v}"), 2.0));
            assert!(largest(&speed) < 1e-3, "{what}: sphere {name} moves by {speed:?} m/s");
            let gaps = run.column(&format!("s.floor_{name}.gap"));
            let deepest = gaps.into_iter().fold(f64::INFINITY, f64::min);
            assert!(deepest > -1e-5, "{what}: sphere {name} at {deepest} m");
        }
        let report = &run.report;
        assert!(report.energy.monitor_sum < 2e-5 * -report.energy.contact, "{what}");
        let (mean, most) = (report.master_iterations_per_step(), report.most_iterations);
        assert!(mean < 3.0 && most <= 45, "{what}: {mean} solutions per step, at most {most}");
    }
}

/// Twelve spheres of 50 mm above a floor, the first by this gap, each by the step of gaps higher than the one before.
fn row_of_spheres([gap, step]: [f64; 2], speed: f64, restitution: f64) -> String {
    let first = body("b", (2.0, 2e-3), [0.0, 0.0, 0.05 + gap], [0.0, 0.0, -speed]);
    let array = format!("count = 12\nspacing = [0.2, 0.0, {step:e}]\n");
    let floor = format!(
        "[[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
         second = \"b*\"\nradius = 0.05\nrestitution = {restitution}\nfriction = 0.3\n"
    );
    first + &array + &floor
}

/// Of twelve spheres that strike the floor one after the other within a step all rebound, those after the eighth as well.
#[test]
fn all_that_is_hit_in_a_crowded_step_rebounds() {
    const H: f64 = 1e-3;
    for solver in RULES {
        let run =
            Run::completed(&system((4.0 * H, H), 0.0, (solver, &row_of_spheres([1e-4, 5e-5], 1.0, 0.5))));
        for k in 1..=12 {
            let speed = run.at(&format!("s.b{k}.vz"), 4.0 * H);
            assert!((speed - 0.5).abs() < 1e-9, "{solver}: sphere {k} leaves with {speed} m/s");
        }
        assert_eq!(run.report.impacts, 12, "{solver}");
        let taken_out = 12.0 * 0.5 * 2.0 * (1.0 - 0.25);
        assert!((run.report.energy.contact + taken_out).abs() < 1e-9, "{solver}");
    }
}

/// Twelve spheres that fall by less than the way of a step arrive together: at gap zero, at rest, and with the energy of their fall taken
/// out, which the events account for.
#[test]
fn what_closes_softly_in_a_crowded_step_arrives() {
    const H: f64 = 1e-3;
    let gaps = |k: usize| 1e-6 + 3e-7 * k as f64;
    for solver in RULES {
        let run =
            Run::completed(&system((20.0 * H, H), G, (solver, &row_of_spheres([1e-6, 3e-7], 0.0, 0.0))));
        for k in 1..=12 {
            let (gap, speed) =
                (run.at(&format!("s.floor_b{k}.gap"), 20.0 * H), run.at(&format!("s.b{k}.vz"), 20.0 * H));
            assert!(
                gap.abs() < 1e-9 && speed.abs() < 1e-9,
                "{solver}: sphere {k} at {gap} m with {speed} m/s"
            );
        }
        let fallen: f64 = (0..12).map(|k| 2.0 * G * gaps(k)).sum();
        let (contact, created) = (run.report.energy.contact, run.report.energy.monitor_sum);
        // But for the energy of gaps of 1e-9 m.
        let left = 12.0 * 2.0 * G * 1e-9;
        assert!((contact + created + fallen).abs() < left, "{solver}: {contact} and {created} J, {fallen} J");
        // Where loads are means the contacts take it all; others carry the impulse on in their accelerations.
        let share = if solver == RULES[0] { 1e-6 } else { 5e-2 };
        assert!((contact + fallen).abs() < share * fallen, "{solver}: {contact} J, {fallen} J");
        let of_events: f64 = run.events.iter().map(|event| event.work).sum();
        assert!(
            (of_events - contact).abs() < share * fallen,
            "{solver}: {of_events} J in the events, {contact} J"
        );
    }
}

/// A step in which contacts and bodies are not solved together is halved unasked: with two iterations per step the top turns no less
/// right than with as many as it needs.
#[test]
fn steps_that_are_not_solved_are_halved() {
    let turning = |step: &str, more: &[&str]| {
        let run = Run::example("tippe-top/model.toml", &[&["time.end=0.3", step], more].concat());
        (run.at("top.body.wz", 0.3), run.report.failed_steps)
    };
    let (right, _) = turning("time.step=1e-4", &[]);
    let (free, none) = turning("time.step=1e-3", &[]);
    let (few, some) = turning("time.step=1e-3", &["master.max_iterations=2"]);
    assert_eq!(none, 0);
    assert!(some > 10, "{some} failed steps");
    let errors = [few - right, free - right];
    assert!(errors[0].abs() < 1.1 * errors[1].abs(), "{errors:?} of {right} rad/s");
}
