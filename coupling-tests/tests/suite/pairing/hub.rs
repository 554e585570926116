//! A hub that turns on a ball at its foot and is held at its head by a bearing of another subsystem: gyroscopic moments couple the
//! two ways in which the head moves. Nothing grows in 1e5 steps, at up to 0.3 radians of turn a step.

use coupling_tests::Run;

use super::{SECOND_ORDER, Values, largest_early_and_late};

const STEP: f64 = 1e-3;

/// The hub of 2 kg turns at this speed (rad/s); its head, 1 m above the ball, moves with the bearing, 0.5 kg on 4000 and 5000 N/m.
fn text(rules: [&str; 2], speed: f64, is_point: bool) -> String {
    let tilt = 0.05;
    let ports = |body: &str, key: &str| {
        if is_point {
            return format!(
                "[[subsystem.port]]\nname = \"p\"\n{body}{}\n",
                if body.is_empty() { "coordinates = [0, 1, 2]" } else { "coordinates = 3" }
            );
        }
        let of = |i: usize, axis: &str, direction: &str| {
            let what = if key == "coordinates" {
                format!("coordinates = [{i}]")
            } else {
                format!("direction = {direction}")
            };
            format!("[[subsystem.port]]\nname = \"{axis}\"\n{body}{what}\n")
        };
        of(0, "x", "[1, 0, 0]") + &of(1, "y", "[0, 1, 0]")
    };
    let joints = if is_point { vec!["p"] } else { vec!["x", "y"] };
    let joint = |port: &&str| {
        format!(
            "[[interface]]\nname = \"j{port}\"\nbetween = [\"rotor.{port}\", \"bearing.{port}\"]\nlaw = \"rigid\"\n"
        )
    };
    format!(
        "schema = 1\ntime = {{ end = 100.0, step = {STEP:e} }}\n[[subsystem]]\nname = \"rotor\"\nkind = \"multibody\"\nsolver = {}\n\
         [[subsystem.body]]\nname = \"hub\"\nmass = 2.0\ninertia = [0.12, 0.15, 0.2]\nposition = [0, 0, 0.6]\n\
         velocity = [{:e}, 0, 0]\nangular_velocity = [0, {tilt:e}, {speed:e}]\n\
         [[subsystem.joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"ground\", \"hub\"]\nat = [0, 0, 0]\n{}\
         [[subsystem]]\nname = \"bearing\"\nkind = \"linear\"\nsolver = {}\ncoordinates = [\"x\", \"y\", \"z\"]\nmass = [0.5, 0.5, 0.5]\n\
         stiffness = [4000.0, 5000.0, 0.0]\nposition = [0, 0, 1]\nvelocity = [{tilt:e}, 0, 0]\n{}{}",
        rules[0],
        0.6 * tilt,
        ports("body = \"hub\"\npoint = [0, 0, 0.4]\n", "direction"),
        rules[1],
        ports("", "coordinates"),
        joints.iter().map(joint).collect::<String>()
    )
}

#[test]
fn nothing_grows_in_a_hundred_thousand_steps() {
    let theta = SECOND_ORDER[0];
    let (two_step, alpha) = (SECOND_ORDER[2], SECOND_ORDER[5]);
    let pairs = [
        [two_step, theta],
        [theta, two_step],
        [alpha, theta],
        [two_step, alpha],
        ["{ method = \"hht\", alpha = -0.1 }", theta],
        ["{ method = \"newmark\", gamma = 0.5 }", two_step],
    ];
    let mut grown = Vec::new();
    for (i, pair) in pairs.into_iter().enumerate() {
        let turns: &[f64] = if i < 2 { &[0.03, 0.3] } else { &[0.3] };
        for turn in turns.iter().copied() {
            let model = Run::text(&text(pair, turn / STEP, i % 2 == 0), &[]);
            // Twice the energy of the bearing: the spin of the hub would hide it.
            let motion = |values: &Values<'_>| {
                let [x, y, vx, vy] =
                    ["x", "y", "v_x", "v_y"].map(|label| values.get(&format!("bearing.{label}")));
                0.5 * (vx * vx + vy * vy) + 4000.0 * x * x + 5000.0 * y * y
            };
            let [early, late] = largest_early_and_late(&model, 100_000, &motion);
            if !(late <= 1.02 * early) {
                grown.push(format!("{pair:?}, {turn} radians a step: {early:e}, then {late:e} J"));
            }
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
