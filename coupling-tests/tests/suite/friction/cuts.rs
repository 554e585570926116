//! Models with friction that are cut, and the schemes that solve them.

use cosimo::master::{ContactEventKind, FrictionState};
use cosimo::model::ModelSpec;
use coupling_tests::{Run, assert_balanced, assert_balanced_within};

use super::turns;

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
                let round_off = if axis.starts_with('v') { 1e-9 } else { 4e-12 };
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
        model.master.impacts = cosimo::master::Impacts::PLAIN;
        model.master.tolerance = 1e-12;
        model.master.scheme = match scheme {
            "gauss-seidel" => cosimo::master::Scheme::GaussSeidel,
            "jacobi" => cosimo::master::Scheme::Jacobi,
            _ => cosimo::master::Scheme::Condensed,
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
