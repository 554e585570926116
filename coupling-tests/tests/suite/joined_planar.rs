//! Planar mechanisms with pins, joined rigidly, by rules whose constraints are kept at position level: short steps and places far
//! from the origin, where rounding of the positions is more than any velocity tolerance.
//!
//! Reference: the energy of a pendulum of one degree of freedom, and the midpoint rule.

use coupling_tests::Run;

/// A rod of 1 m and 3 kg pinned at `(x, 0)`, at 2.5 rad, with a mass of 1.7 kg joined to its end.
fn pendulum(solver: &str, x: f64, (step, end): (f64, f64)) -> Run {
    let (sine, cosine) = 2.5_f64.sin_cos();
    let speed = 0.5;
    let text = format!(
        "schema = 1\ntime = {{ end = {end:?}, step = {step:?} }}\n[[subsystem]]\nname = \"p\"\nkind = \"planar\"\n\
         solver = \"{solver}\"\ngravity = [0, -9.81]\n[[subsystem.body]]\nname = \"rod\"\nmass = 3.0\ninertia = 0.4\n\
         position = [{:?}, {:?}]\nangle = 2.5\nvelocity = [{:?}, {:?}]\nangular_velocity = {speed:?}\n\
         [[subsystem.pin]]\nname = \"h\"\n\
         between = [{{ body = \"rod\", point = [-0.5, 0] }}, {{ body = \"ground\", point = [{x:?}, 0] }}]\n\
         [[subsystem.port]]\nname = \"tip\"\nbody = \"rod\"\npoint = [0.5, 0]\n\
         [[subsystem]]\nname = \"n\"\nkind = \"node\"\nsolver = \"{solver}\"\nmass = 1.7\nposition = [{:?}, {sine:?}, 0]\n\
         velocity = [{:?}, {:?}, 0]\n[[interface]]\nname = \"j\"\nbetween = [\"n.centre\", \"p.tip\"]\nlaw = \"rigid\"\n",
        x + 0.5 * cosine,
        0.5 * sine,
        -0.5 * sine * speed,
        0.5 * cosine * speed,
        x + cosine,
        -sine * speed,
        cosine * speed
    );
    Run::completed(&Run::text(&text, &[]))
}

#[test]
fn short_steps_and_far_places_are_no_trouble() {
    for (x, step, end) in
        [(0.0, 5e-4, 0.1), (0.0, 1e-4, 0.02), (0.0, 1e-5, 2e-3), (1000.0, 1e-3, 0.1), (1000.0, 1e-5, 2e-3)]
    {
        let last = |run: &Run, name: &str| run.value(name, run.times.len() - 1);
        let exact = pendulum("theta", x, (step, end));
        for solver in ["generalized-alpha", "multistep"] {
            let run = pendulum(solver, x, (step, end));
            let difference = last(&run, "p.rod.angle") - last(&exact, "p.rod.angle");
            assert!(
                difference.abs() < 20.0 * step * step * end + 1e-12 * x.max(1.0),
                "{solver} {x} {step}: {difference:e}"
            );
            assert!(run.report.energy.monitor_sum.abs() < 1e-4, "{solver} {x} {step}");
        }
    }
}
