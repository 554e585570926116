//! Pools of contacts: the same motion as with contacts one by one, and nothing passes through anything.
//!
//! Reference: the same model with every pair with a contact of its own; elastic collisions of two spheres and momentum, in closed form.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo::model::ModelSpec;
use coupling_tests::Run;
use nalgebra::Vector3;

const RADIUS: f64 = 0.05;

/// A body of 1 kg.
fn sphere(name: &str, place: Vector3<f64>, velocity: Vector3<f64>) -> String {
    let [place, velocity]: [[f64; 3]; 2] = [place.into(), velocity.into()];
    format!(
        "[[subsystem.body]]\nname = \"{name}\"\nmass = 1.0\ninertia = [1e-3, 1e-3, 1e-3]\nposition = {place:?}\n\
         velocity = {velocity:?}\n"
    )
}

fn head(end: f64, step: f64, gravity: f64) -> String {
    format!(
        "schema = 1\ntime = {{ end = {end}, step = {step} }}\n[[subsystem]]\nname = \"bed\"\nkind = \"multibody\"\n\
         gravity = [0, 0, {gravity}]\n"
    )
}

/// Contacts of all bodies `b*` with each other, in a pool of this capacity or one by one.
fn pairs(law: &str, capacity: Option<usize>) -> String {
    let capacity = capacity.map_or(String::new(), |count| format!("capacity = {count}\n"));
    format!(
        "[[subsystem.contact]]\nname = \"pile\"\ntype = \"sphere-sphere\"\nbetween = [\"b*\", \"b*\"]\n\
         radii = [{RADIUS}, {RADIUS}]\n{law}\n{capacity}"
    )
}

fn wall(name: &str, point: [f64; 3], axis: [f64; 3], law: &str, capacity: Option<usize>) -> String {
    let capacity = capacity.map_or(String::new(), |count| format!("capacity = {count}\n"));
    format!(
        "[[subsystem.contact]]\nname = \"{name}\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", point = {point:?}, \
         axis = {axis:?} }}\nsecond = \"b*\"\nradius = {RADIUS}\n{law}\n{capacity}"
    )
}

/// A number in [0, 1) of a sequence that is the same everywhere.
fn uniform(k: u64) -> f64 {
    let mut z = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn vector(k: u64) -> Vector3<f64> {
    Vector3::new(uniform(3 * k), uniform(3 * k + 1), uniform(3 * k + 2))
}

fn last(run: &Run, body: &str, names: [&str; 3]) -> Vector3<f64> {
    let value = |name: &str| *run.column(&format!("bed.{body}.{name}")).last().unwrap();
    names.map(value).into()
}

/// Twenty-seven spheres that fall into a box.
fn pile(pooled: bool, end: f64) -> ModelSpec {
    pile_beside(pooled, end, false)
}

/// The same, beside two bodies far away that a spring ties together.
fn pile_beside(pooled: bool, end: f64, tied: bool) -> ModelSpec {
    let law = "restitution = 0.2\nfriction = 0.3\nimpact_law = \"moreau\"";
    let (side, all) = (0.36, |count: usize| pooled.then_some(count));
    let mut text = head(end, 1e-3, -9.81);
    for k in 0..27 {
        let grid = Vector3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64);
        let place = grid * 0.115 + Vector3::new(0.065, 0.065, 0.06) + vector(k) * 4e-3;
        text += &sphere(&format!("b{k}"), place, Vector3::zeros());
    }
    if tied {
        text += &sphere("far1", Vector3::new(90.0, 0.0, 0.0), Vector3::zeros());
        text += &sphere("far2", Vector3::new(91.0, 0.0, 0.0), Vector3::zeros());
        text += "[[subsystem.force]]\nname = \"tie\"\ntype = \"spring\"\nbodies = [\"far1\", \"far2\"]\n\
                 at = [[90, 0, 0], [91, 0, 0]]\nstiffness = 1.0\n";
    }
    text += &pairs(law, all(150));
    for (name, point, axis) in [
        ("floor", [0.0; 3], [0.0, 0.0, 1.0]),
        ("left", [0.0; 3], [1.0, 0.0, 0.0]),
        ("right", [side, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ("front", [0.0; 3], [0.0, 1.0, 0.0]),
        ("back", [0.0, side, 0.0], [0.0, -1.0, 0.0]),
    ] {
        text += &wall(name, point, axis, law, all(27));
    }
    // So many pairs are contacts of their own only where they are written out.
    if pooled { Run::text(&text, &[]) } else { Run::text(&listed(&text), &[]) }
}

/// The same text with every pair of spheres of the table `pile` as a table of its own.
fn listed(text: &str) -> String {
    let (before, after) = text.split_once("[[subsystem.contact]]\nname = \"pile\"").unwrap();
    let (table, after) = after.split_once("[[subsystem.contact]]").unwrap();
    let law = table.split_once("radii").unwrap().1;
    let mut all = before.to_owned();
    for a in 0..27 {
        for b in a + 1..27 {
            all += &format!(
                "[[subsystem.contact]]\nname = \"pile_{a}_{b}\"\ntype = \"sphere-sphere\"\nfirst = {{ body = \"b{a}\" }}\n\
                 second = {{ body = \"b{b}\" }}\nradii{law}"
            );
        }
    }
    all + "[[subsystem.contact]]" + after
}

/// With a larger tolerance, which is that of contacts too, a pile moves as with the default but for less than it lets, which is not nothing.
#[test]
fn a_pile_errs_by_less_than_the_tolerance_of_the_model() {
    let run = |tolerance: f64| {
        let mut model = pile(true, 0.15);
        (model.master.impacts, model.master.tolerance) = (cosimo::master::Impacts::PLAIN, tolerance);
        Run::completed(&model)
    };
    let [exact, loose, looser] = [1e-9, 1e-7, 1e-5].map(run);
    let [near, far] = [&loose, &looser].map(|run| apart(27, [&exact, run]));
    assert!(near > 0.0 && near < 1e-9 && far > near && far < 1e-5, "{near:e} and {far:e} m apart");
}

/// Until rounding has grown, a pile moves as with contacts one by one, and its events are those of the same bodies.
#[test]
fn a_pile_moves_as_with_contacts_one_by_one() {
    let (pool, one_by_one) = (Run::completed(&pile(true, 0.15)), Run::completed(&pile(false, 0.15)));
    let largest = apart(27, [&pool, &one_by_one]);
    assert!(largest < 1e-9, "{largest:e} m apart");
    assert!(!pool.impacts().is_empty());
    // `bed.pile b4 on b2` is `bed.pile_2_4`.
    let renamed = |name: &str| match name.split_once(" on ") {
        Some((second, first)) if name.contains("pile") => {
            let second = second.rsplit_once(" b").unwrap().1;
            format!("bed.pile_{}_{second}", &first[1..])
        }
        Some((second, _)) => second.replace(' ', "_"),
        None => name.to_owned(),
    };
    let firsts = |run: &Run| -> Vec<String> {
        run.events.iter().take(12).map(|event| renamed(&event.contact)).collect()
    };
    assert_eq!(firsts(&pool), firsts(&one_by_one));
    let touching = pool.column("bed.floor.touching");
    assert!(touching.iter().any(|count| *count > 0.0) && touching.iter().all(|count| *count <= 27.0));
}

/// Eight spheres that fall on a floor by a rule, with settings of the master.
fn few(pooled: bool, solver: &str, master: &str) -> ModelSpec {
    let law = "restitution = 0.2\nfriction = 0.3\nimpact_law = \"moreau\"";
    let capacity = |count: usize| pooled.then_some(count);
    let mut text = head(0.09, 1e-3, -9.81).replace("gravity", &format!("solver = {solver}\ngravity"));
    for k in 0..8 {
        let grid = Vector3::new((k % 2) as f64, (k / 2 % 2) as f64, (k / 4) as f64);
        let place = grid * 0.103 + Vector3::new(0.06, 0.06, 0.055) + vector(k) * 2e-3;
        text += &sphere(&format!("b{k}"), place, Vector3::new(0.3, 0.0, 0.0));
    }
    text += &pairs(law, capacity(28));
    text += &wall("floor", [0.0; 3], [0.0, 0.0, 1.0], law, capacity(8));
    text += &wall("right", [0.24, 0.0, 0.0], [-1.0, 0.0, 0.0], law, capacity(8));
    Run::text(&(text + "[master]\n" + master), &[])
}

/// Largest distance (m) between the places of spheres in two runs.
fn apart(count: usize, [a, b]: [&Run; 2]) -> f64 {
    let mut largest = 0.0_f64;
    for k in 0..count {
        for name in ["x", "y", "z"] {
            let column = format!("bed.b{k}.{name}");
            let pairs = a.column(&column).into_iter().zip(b.column(&column));
            largest = pairs.fold(largest, |most, (a, b)| most.max((a - b).abs()));
        }
    }
    largest
}

/// Pools are offered with every rule, scheme, tangent and way of impacts, and move spheres as contacts one by one do: until many of them chatter,
/// and instants of impacts that round-off tells apart come in another order.
#[test]
fn pools_hold_under_every_rule_and_scheme() {
    const SETTINGS: [&str; 6] = [
        "",
        "impacts = \"plain\"",
        "impacts = { method = \"plain\", gamma = 0.5 }",
        "scheme = \"gauss-seidel\"",
        "scheme = \"jacobi\"",
        "tangent = \"frozen\"",
    ];
    let rules = ["\"theta\"", "\"implicit-euler\"", "\"multistep\"", "\"generalized-alpha\"", "\"newmark\""];
    for solver in rules {
        for master in SETTINGS {
            let [pooled, listed] = [true, false].map(|pooled| Run::completed(&few(pooled, solver, master)));
            let largest = apart(8, [&pooled, &listed]);
            assert!(largest < 1e-9, "{solver}, {master}: {largest:e} m apart");
            assert!(!pooled.impacts().is_empty(), "{solver}, {master}");
        }
    }
}

/// A pile moves as it does beside two bodies far away on a spring, with which its inverse mass is a dense matrix.
#[test]
fn a_pile_moves_the_same_by_sparse_and_by_dense_matrices() {
    let [sparse, dense] = [false, true].map(|tied| Run::completed(&pile_beside(true, 0.15, tied)));
    let largest = apart(27, [&sparse, &dense]);
    assert!(largest < 1e-9, "{largest:e} m apart");
}

/// What is saved in the middle of a pile goes on with the same bits, also in threads.
#[test]
fn a_pile_goes_on_with_the_same_bits() {
    let model = pile(true, 0.15);
    let whole = Run::of(&model);
    let parts = Run::interrupted(&model, &[1, 60, 85, 110, 135]);
    assert!(parts.has_bits_of(&whole));
    let mut threaded = pile(true, 0.1);
    let alone = Run::of(&threaded);
    threaded.placement.execution = cosimo::model::Execution::Threads;
    assert!(Run::of(&threaded).has_bits_of(&alone));
}

/// Momentum of a cloud that collides is kept, and Moreau's law creates no energy.
#[test]
fn a_cloud_keeps_its_momentum() {
    let mut text = head(0.6, 1e-3, 0.0);
    for k in 0..16 {
        let place = Vector3::new((k % 4) as f64, (k / 4) as f64, 0.0) * 0.16 + vector(k) * 0.03;
        let velocity = (vector(k + 100) - Vector3::repeat(0.5)) * 2.0;
        text += &sphere(&format!("b{k}"), place, velocity);
    }
    text += &pairs("restitution = 0.7\nfriction = 0.2\nimpact_law = \"moreau\"", Some(100));
    let run = Run::completed(&Run::text(&text, &[]));
    assert!(run.impacts().len() > 5, "{:?}", run.impacts());
    let momentum = |k: usize| -> Vector3<f64> {
        let of = |body: usize| ["vx", "vy", "vz"].map(|name| run.column(&format!("bed.b{body}.{name}"))[k]);
        (0..16).map(|body| Vector3::from(of(body))).sum()
    };
    let steps = run.column("bed.b0.x").len();
    let drift = (0..steps).map(|k| (momentum(k) - momentum(0)).norm()).fold(0.0, f64::max);
    assert!(drift < 1e-12, "{drift:e} kg m/s");
    let energy = &run.report.energy;
    assert!(energy.contact < 0.0 && energy.end < energy.start, "{energy:?}");
}

/// Velocities after the elastic collision of two smooth spheres of one mass that fly through these places at time zero, if they meet:
/// they exchange their parts along the line of their centres then.
fn collided([p, q]: [Vector3<f64>; 2], [v, w]: [Vector3<f64>; 2]) -> [Vector3<f64>; 2] {
    let (apart, displacement) = (q - p, w - v);
    let (a, b, c) =
        (displacement.norm_squared(), apart.dot(&displacement), apart.norm_squared() - 4.0 * RADIUS * RADIUS);
    let root = b * b - a * c;
    if b >= 0.0 || root <= 0.0 {
        return [v, w];
    }
    let normal = (apart + displacement * ((-b - root.sqrt()) / a)).normalize();
    let exchanged = normal * normal.dot(&displacement);
    [v + exchanged, w - exchanged]
}

/// Spheres at 1 to 2,000 m/s with any phase and offset: those that meet collide, the others do not, and both as in closed form.
#[test]
fn fast_spheres_do_not_pass_through_each_other() {
    for k in 0..40_u64 {
        let speed = 2000.0_f64.powf(uniform(1000 + k));
        let end = 0.0505_f64.min(0.8 / speed);
        let step = [1e-3, end / 2.5][usize::from(end < 2e-3)];
        let (place, offset) = (vector(k + 2000) * 0.1, (vector(k + 3000) - Vector3::repeat(0.5)) * 0.25);
        let axis = (vector(k + 4000) - Vector3::repeat(0.5)).normalize();
        let across = offset - axis * offset.dot(&axis);
        let displacement = 0.13 + uniform(5000 + k) * 0.5;
        let places = [place, place + axis * (displacement + 0.1) + across];
        let velocities = [axis * speed, axis * (-0.3 * speed * uniform(6000 + k))];
        let text = head(end, step, 0.0)
            + &sphere("b1", places[0], velocities[0])
            + &sphere("b2", places[1], velocities[1])
            + &sphere("b3", place + axis * 40.0, Vector3::zeros())
            + &pairs("restitution = 1.0", Some(2));
        let run = Run::completed(&Run::text(&text, &[]));
        let expected = collided(places, velocities);
        // The impact may lie beyond the end.
        let apart = places[1] - places[0];
        let closing = (velocities[0] - velocities[1]).dot(&axis);
        let reach = (4.0 * RADIUS * RADIUS - across.norm_squared()).max(0.0).sqrt();
        let hits_within = (apart.dot(&axis) - reach) / closing < end;
        let expected = if hits_within { expected } else { velocities };
        for (body, expected) in ["b1", "b2"].into_iter().zip(expected) {
            let found = last(&run, body, ["vx", "vy", "vz"]);
            assert!(
                (found - expected).norm() < 1e-6 * speed,
                "{k}, {body}: {found:?} instead of {expected:?}"
            );
        }
    }
}

/// A bullet that stops at a sphere, which stops at a third, all within one step: the last one flies on alone. The pair of the second and
/// the third is no near one when the step begins.
#[test]
fn a_bullet_passes_its_motion_on_within_a_step() {
    for (speed, step) in [(20.0, 0.1), (300.0, 5e-3), (2000.0, 1e-3), (1999.0, 1e-3 / 3.0)] {
        let places = [0.0, 0.4, 0.75, 1.02];
        let mut text = head(0.95 / speed, step, 0.0);
        for (k, x) in places.into_iter().enumerate() {
            let velocity = if k == 0 { speed } else { 0.0 };
            text += &sphere(&format!("b{k}"), Vector3::new(x, 0.0, 0.0), Vector3::new(velocity, 0.0, 0.0));
        }
        text += &pairs("restitution = 1.0", Some(6));
        let run = Run::completed(&Run::text(&text, &[]));
        let mut flown = 0.0;
        for (k, x) in places.into_iter().enumerate() {
            let own = last(&run, &format!("b{k}"), ["vx", "vy", "vz"]);
            let expected = if k == 3 { speed } else { 0.0 };
            assert!((own.x - expected).abs() < 1e-6 * speed, "{speed} m/s, b{k}: {own:?}");
            flown += last(&run, &format!("b{k}"), ["x", "y", "z"]).x - x;
        }
        // Whoever flies does so at the same speed: together they have come as far as one alone.
        assert!((flown - 0.95).abs() < 1e-6, "{speed} m/s: {flown} m");
    }
}

/// Spheres that cross a box more than once in a step stay in it, and keep their energy.
#[test]
fn fast_spheres_stay_in_their_box() {
    let law = "restitution = 1.0";
    let mut text = head(4e-3, 1e-3, 0.0);
    for k in 0..6 {
        let place = vector(k + 70) * 0.8 + Vector3::repeat(0.1);
        let velocity = (vector(k + 80) - Vector3::repeat(0.5)).normalize() * (400.0 + 100.0 * k as f64);
        text += &sphere(&format!("b{k}"), place, velocity);
    }
    text += &pairs(law, Some(15));
    for axis in 0..3 {
        let unit = Vector3::ith(axis, 1.0);
        let [low, high]: [[f64; 3]; 2] = [unit.into(), (-unit).into()];
        text += &wall(&format!("low{axis}"), [0.0; 3], low, law, Some(6));
        text += &wall(&format!("high{axis}"), unit.into(), high, law, Some(6));
    }
    let run = Run::completed(&Run::text(&text, &[]));
    let mut energy = [0.0; 2];
    for k in 0..6 {
        let place = last(&run, &format!("b{k}"), ["x", "y", "z"]);
        assert!(place.iter().all(|x| (RADIUS - 1e-6..=1.0 - RADIUS + 1e-6).contains(x)), "b{k} at {place:?}");
        for (energy, row) in energy.iter_mut().zip([0, run.column("bed.b0.x").len() - 1]) {
            let speed = ["vx", "vy", "vz"].map(|name| run.column(&format!("bed.b{k}.{name}"))[row]);
            *energy += Vector3::from(speed).norm_squared();
        }
    }
    assert!((energy[1] / energy[0] - 1.0).abs() < 1e-6, "{energy:?}");
    assert!(run.impacts().len() > 6);
}
