//! Bodies whose forces, loads or reactions are stiff against their inertia over a step.
//!
//! Reference: statics of a rod on a coil spring, the formulation of index 3, which projects nothing, and the energies of a
//! pendulum and of a slider-crank of one degree of freedom.

use std::fmt::Write as _;

use coupling_tests::Run;

const HINGE: &str = include_str!("../../models/stiff-hinge.toml");
const HEAVY_BOB: &str = include_str!("../../models/heavy-bob.toml");
const LIGHT_ROD: &str = include_str!("../../models/light-rod.toml");

/// At `ω h` of 1.2 to 40; what is left of the oscillation at the end is far below the tolerance.
#[test]
fn rod_on_a_stiff_coil_spring_comes_to_its_static_angle() {
    for stiffness in [2.0, 20.0, 2000.0] {
        let stiffness_text = format!("subsystem.arm.force.coil.stiffness={stiffness:?}");
        let run = Run::completed(&Run::text(HINGE, &[&stiffness_text]));
        let mut angle = 0.0_f64;
        for _ in 0..200 {
            angle -= (stiffness * angle - angle.cos()) / (stiffness + angle.sin());
        }
        let end = run.times.len() - 1;
        for (name, expected) in [("arm.rod.x", 0.5 * angle.cos()), ("arm.rod.z", 0.5 * angle.sin())] {
            let error = run.value(name, end) - expected;
            assert!(error.abs() < 1e-9, "{stiffness} {name} {error:e}");
        }
    }
}

/// Twenty links of 5 cm on coil springs, a load that grows at the tip: `ω h = 150`.
fn links(formulation: &str) -> Run {
    let mut text = format!(
        "schema = 1\ntime = {{ end = 0.5, step = 5e-3 }}\n[[subsystem]]\nname = \"b\"\nkind = \"multibody\"\n\
         solver = {{ method = \"generalized-alpha\", spectral_radius = 0.8 }}\nformulation = \"{formulation}\"\n"
    );
    for k in 0..20 {
        let (at, before) =
            (0.05 * f64::from(k), if k == 0 { "ground".to_owned() } else { format!("s{}", k - 1) });
        let hinge = format!("bodies = [\"{before}\", \"s{k}\"]\nat = [{at:?}, 0, 0]\naxis = [0, -1, 0]\n");
        write!(
            text,
            "[[subsystem.body]]\nname = \"s{k}\"\nmass = 0.05\ninertia = 1.041666666666667e-5\nposition = [{:?}, 0, 0]\n\
             [[subsystem.joint]]\nname = \"h{k}\"\ntype = \"revolute\"\n{hinge}\
             [[subsystem.force]]\nname = \"k{k}\"\ntype = \"torsion-spring\"\n{hinge}stiffness = 20.0\n",
            at + 0.025
        )
        .unwrap_or_default();
    }
    text += "[[subsystem.load]]\nbody = \"s19\"\npoint = [0.025, 0, 0]\ndirection = [0, 0, 1]\naxes = \"world\"\n\
             time = [0, 10]\nvalue = [0, 10]\n";
    Run::completed(&Run::text(&text, &[]))
}

#[test]
fn stiff_chain_moves_alike_in_every_formulation() {
    let [projected, positions] = ["stabilised-index-1", "index-3"].map(links);
    let largest = positions.column("b.s19.z").iter().fold(0.0, |m: f64, z| m.max(z.abs()));
    assert!(largest > 1e-3);
    for (a, b) in projected.column("b.s19.z").iter().zip(positions.column("b.s19.z")) {
        assert!((a - b).abs() < 2e-3 * largest, "{a} {b} of {largest}");
    }
}

/// A pendulum of 0.5 kg with a node of 10⁵ to 10⁷ kg: the impact at 45° from the energy that gravity gave it.
#[test]
fn light_pendulum_carries_a_heavy_node_through_impacts() {
    for mass in [1e5, 1e6, 1e7] {
        let run = Run::completed(&Run::text(HEAVY_BOB, &[&format!("subsystem.weight.mass={mass:?}")]));
        let (of_all, inertia) = (mass + 0.5, mass + 0.5 + 0.1);
        let (quarter, start) = (45.0_f64.to_radians().sin(), 15.0_f64.to_radians().sin());
        let speed = (2.0 * of_all * 10.0 * (quarter - start) / inertia).sqrt() * quarter;
        let [before, after] = run.events[0].velocities;
        assert!((before + speed).abs() < 1e-5 * speed, "{mass:e}: {before} {speed}");
        assert!((after + 0.5 * before).abs() < 1e-9 * speed, "{mass:e}: {before} {after}");
    }
}

/// The rod of 0.1 g carries the forces of a slider of 1 kg.
#[test]
fn rod_without_mass_to_speak_of_drives_a_slider() {
    let run = Run::completed(&Run::text(LIGHT_ROD, &[]));
    let of = |name: &str| run.column(name);
    let (angle, rate) = (of("crank_drive.theta.angle"), of("crank_drive.theta.rate"));
    let (x, speed) = (of("slider.x"), of("slider.v_x"));
    let energy = |k: usize| {
        let crank = 0.5 * (0.0075 + 0.15_f64.powi(2)) * rate[k].powi(2);
        crank
            + 0.5 * speed[k].powi(2)
            + 9.81 * 0.15 * (std::f64::consts::FRAC_PI_4 + angle[k] - angle[0]).sin()
    };
    for k in 0..x.len() {
        let (sine, cosine) = (std::f64::consts::FRAC_PI_4 + angle[k] - angle[0]).sin_cos();
        let closed = 0.3 * cosine + (0.64 - (0.3 * sine).powi(2)).sqrt();
        assert!((x[k] - closed).abs() < 1e-6, "{k}: {} {closed}", x[k]);
        assert!((energy(k) / energy(0) - 1.0).abs() < 1e-3, "{k}: {} of {}", energy(k), energy(0));
    }
}
