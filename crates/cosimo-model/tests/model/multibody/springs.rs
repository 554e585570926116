//! Springs between points: the sign of the preload, and what the length is the length of.

use cosimo_master::NoObserver;

use crate::model;

/// A body of 2 kg that slides along x, 1 m from the ground point it hangs on by a spring of 10 N/m with these entries: its
/// acceleration (m/s²) away from that point at the start, by a step so short that the spring does not notice.
#[track_caller]
fn acceleration(entries: &str) -> f64 {
    let step = 1e-6;
    let model = model(&format!(
        r#"
schema = 1
time = {{ end = {step}, step = {step} }}
[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.body]]
name = "slider"
mass = 2.0
inertia = 1.0
position = [1, 0, 0]
[[subsystem.joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "slider"]
at = [1, 0, 0]
axis = [1, 0, 0]
[[subsystem.force]]
name = "spring"
type = "spring"
bodies = ["ground", "slider"]
at = [[0, 0, 0], [1, 0, 0]]
stiffness = 10.0
{entries}
"#
    ));
    let mut master = model.build().unwrap();
    master.run(step, step, &mut NoObserver).unwrap();
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    let at = master.labels().iter().position(|label| label.name == "slider.vx").unwrap();
    values[at] / step
}

#[track_caller]
fn assert_pull(entries: &str, force: f64) {
    let found = acceleration(entries);
    assert!((found + force / 2.0).abs() < 1e-4, "{entries}: {found} m/s² instead of {}", -force / 2.0);
}

#[test]
fn a_positive_preload_pulls_the_points_together() {
    assert_pull("", 0.0);
    assert_pull("preload = 3.0", 3.0);
    assert_pull("preload = -3.0", -3.0);
}

/// `length` is where the stiffness gives no force; with a preload the spring is without force at `length − preload/stiffness`.
#[test]
fn the_length_is_where_the_preload_is_all() {
    assert_pull("length = 0.8", 2.0);
    assert_pull("length = 1.3", -3.0);
    assert_pull("length = 0.8\npreload = 3.0", 5.0);
    assert_pull("length = 0.8\npreload = -2.0", 0.0);
}
