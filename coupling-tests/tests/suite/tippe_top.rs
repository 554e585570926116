//! The tippe top: friction turns it over, and keeps Jellett's constant until the stem touches.

use coupling_tests::Run;

struct Top(Run);

impl Top {
    fn run(settings: &[&str]) -> Self {
        Self(Run::example("tippe-top/model.toml", settings))
    }

    fn columns<const N: usize>(&self, names: [&str; N]) -> [Vec<f64>; N] {
        names.map(|name| self.0.column(&format!("top.{name}")))
    }

    /// The axis of the top in the world, from its quaternion.
    fn axes(&self) -> Vec<[f64; 3]> {
        let [w, x, y, z] = self.columns(["body.qw", "body.qx", "body.qy", "body.qz"]);
        let axis = |k: usize| {
            let (w, x, y, z) = (w[k], x[k], y[k], z[k]);
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)]
        };
        (0..w.len()).map(axis).collect()
    }

    /// `L · a` with the angular momentum about the centre of mass and the vector `a` from there to the lowest point of the bowl.
    fn jellett(&self) -> Vec<f64> {
        const MOMENTS: [f64; 2] = [8e-7, 7e-7];
        let turns = self.columns(["body.wx", "body.wy", "body.wz"]);
        let constant = |(k, axis): (usize, [f64; 3])| {
            let turn = [turns[0][k], turns[1][k], turns[2][k]];
            let spin: f64 = turn.iter().zip(axis).map(|(w, e)| w * e).sum();
            let momentum = |i: usize| MOMENTS[0] * (turn[i] - spin * axis[i]) + MOMENTS[1] * spin * axis[i];
            let arm = |i: usize| 0.003 * axis[i] - if i == 2 { 0.015 } else { 0.0 };
            (0..3).map(|i| momentum(i) * arm(i)).sum()
        };
        self.axes().into_iter().enumerate().map(constant).collect()
    }
}

/// Largest relative change of Jellett's constant in a second of sliding on the bowl.
fn change(step: &str) -> f64 {
    let top = Top::run(&["time.end=1.0", step, "record.every=10"]);
    let [stem] = top.columns(["stem.gap"]);
    assert!(stem.iter().all(|gap| *gap > 0.0));
    let constant = top.jellett();
    constant.iter().map(|now| (now / constant[0] - 1.0).abs()).fold(0.0, f64::max)
}

#[test]
fn friction_keeps_jelletts_constant() {
    let (coarse, fine) = (change("time.step=2e-4"), change("time.step=1e-4"));
    // Directions of a step are those near its middle, which leaves an error of second order.
    assert!(fine < 6e-6, "{fine:e}");
    assert!((coarse / fine).log2() > 1.8, "{coarse:e} {fine:e}");
}

#[test]
fn a_fast_top_turns_over_and_a_slow_one_does_not() {
    let inclination =
        |top: &Top| top.axes().pop().map(|axis| axis[2].acos().to_degrees()).unwrap_or(f64::NAN);
    let fast = Top::run(&["time.end=2"]);
    let [stem, height] = fast.columns(["stem.force", "body.z"]);
    assert!(inclination(&fast) > 165.0, "{}", inclination(&fast));
    assert!(stem.last().is_some_and(|force| *force > 0.04));
    assert!(height.last() > height.first().map(|height| height + 0.008).as_ref());
    let slow = Top::run(&["time.end=2", "subsystem.top.body.body.angular_velocity=[0, 0, 30]"]);
    assert!(inclination(&slow) < 30.0, "{}", inclination(&slow));
}
