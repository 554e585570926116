//! An elastic blade on the two-step rule with a node of 1 kg on Moreau and Jean's at its stop arm: two masses of 7031.25 kg on
//! 3e6 N/m, their weights 4218.75 N, e = 0.8, from 3 mm.
//!
//! Closed form, by arcs of the joined masses between impacts: impacts at 0.099919 and 0.166374 s; at 0.188 s positions of
//! 6.035707655e-4 and −3.769119133e-3 m, 15.360961 J.

use coupling_tests::Run;

const EXACT: [f64; 2] = [6.035_707_655e-4, -3.769_119_133e-3];

fn text(law: &str, impacts: &str, solver: &str) -> String {
    format!(
        r#"
schema = 1
time = {{ end = 0.188, step = 1e-3 }}
master = {{ impacts = "{impacts}" }}
[[subsystem]]
name = "node"
kind = "node"
mass = 1.0
gravity = [0, 0, -10]
position = [0, 0, 0.003]
port = [{{ name = "top", direction = [0, 0, 1] }}]
[[subsystem.plane]]
name = "stop"
normal = [0, 0, 1]
restitution = 0.8
[[subsystem]]
name = "blade"
kind = "linear"
solver = {solver}
coordinates = ["x", "y"]
mass = [7031.25, 7031.25]
stiffness = [[3e6, -3e6], [-3e6, 3e6]]
force = [-4218.75, -4218.75]
position = 0.003
port = [{{ name = "arm", coordinates = ["x"] }}]
[[interface]]
name = "joint"
between = ["node.top", "blade.arm"]
{law}
"#
    )
}

const TWO_STEP: &str = "{ method = \"multistep\", spectral_radius = 0.6 }";

/// Largest error of both positions (m).
fn error(run: &Run) -> f64 {
    let last = run.times.len() - 1;
    let error = |name: &str, exact: f64| (run.value(name, last) - exact).abs();
    error("blade.x", EXACT[0]).max(error("blade.y", EXACT[1]))
}

fn energy(run: &Run) -> f64 {
    let last = run.times.len() - 1;
    let value = |name: &str| run.value(name, last);
    let (x, y) = (value("blade.x"), value("blade.y"));
    let kinetic =
        7031.25 * (value("blade.v_x").powi(2) + value("blade.v_y").powi(2)) + value("node.vz").powi(2);
    0.5 * kinetic + 1.5e6 * (x - y).powi(2) + 4218.75 * (x + y) + 10.0 * value("node.z")
}

#[test]
fn impacts_inside_steps_are_of_order_two() {
    for (h, bound, bound_of_energy) in [(1e-3, 5e-7, 5e-3), (2.5e-4, 4e-8, 4e-4)] {
        let settings = format!("time.step={h:e}");
        let run = Run::completed(&Run::text(&text("law = \"rigid\"", "sub-step", TWO_STEP), &[&settings]));
        assert!(error(&run) < bound, "{h} s: {:e} m", error(&run));
        assert!((energy(&run) - 15.360_961).abs() < bound_of_energy, "{h} s: {} J", energy(&run));
        let gap = run.column("joint.gap").iter().fold(0.0_f64, |largest, gap| largest.max(gap.abs()));
        assert!(gap < 1e-12, "{h} s: gap {gap:e} m");
        let impacts = run.impacts();
        assert_eq!(impacts.len(), 2, "{impacts:?}");
        for (found, exact) in impacts.iter().zip([0.099_919, 0.166_374]) {
            assert!((found - exact).abs() < 3e-5, "{h} s: {impacts:?}");
        }
    }
}

#[test]
fn tikhonov_adds_its_own_compression_alone() {
    for constant in [5e-9, 1e-7] {
        let law = format!("law = \"tikhonov\"\nconstant = {constant:e}");
        let run = Run::completed(&Run::text(&text(&law, "sub-step", TWO_STEP), &[]));
        // Loads of 10 N are 1e-6 m at most, and impacts ring with it.
        assert!(error(&run) < 5e-7 + 30.0 * constant, "{constant} m/N: {:e} m", error(&run));
    }
}

#[test]
fn plain_impacts_are_of_order_one() {
    for solver in super::SECOND_ORDER {
        let run = Run::completed(&Run::text(&text("law = \"rigid\"", "plain", solver), &[]));
        assert!(error(&run) < 6e-5, "{solver}: {:e} m", error(&run));
        let run = Run::completed(&Run::text(&text("law = \"rigid\"", "plain", solver), &["time.step=1e-4"]));
        assert!(error(&run) < 6e-6, "{solver}: {:e} m", error(&run));
    }
}

#[test]
fn every_rule_of_order_two_goes_with_moreau_and_jean() {
    for solver in super::SECOND_ORDER {
        let run =
            Run::completed(&Run::text(&text("law = \"rigid\"", "sub-step", solver), &["time.step=2.5e-4"]));
        assert!(error(&run) < 1.5e-7, "{solver}: {:e} m", error(&run));
    }
}
