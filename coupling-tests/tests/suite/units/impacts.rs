//! A sphere that bounces with a unit in model exchange fixed to it: impulses reach the unit through the joint.

use coupling_tests::Run;

use super::{VERSIONS, file};

/// A sphere of 1 kg over a floor, with half a kilogram fixed to it rigidly.
fn model(load: &str, solver: &str) -> String {
    format!(
        r#"schema = 1
time = {{ end = 3.0, step = 1e-3 }}
[master]
tolerance = 1e-13
[record]
quantities = ["*"]
[[subsystem]]
name = "ball"
kind = "node"
solver = "{solver}"
mass = 1.0
radius = 0.1
gravity = [0, 0, -9.81]
position = [0, 0, 1.0]
[[subsystem.port]]
name = "top"
direction = [0, 0, 1]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.7
{load}
[[interface]]
name = "j"
between = ["ball.top", "load.tip"]
law = "rigid"
offset = 1.0
"#
    )
}

#[test]
fn impulses_pass_through_a_rigid_joint_to_a_unit_as_to_a_native_mass() {
    for solver in ["theta", "multistep"] {
        let native = format!(
            "[[subsystem]]\nname = \"load\"\nkind = \"linear\"\nsolver = \"{solver}\"\nmass = [0.5]\nstiffness = [4.0]\n\
             damping = [0.2]\n[[subsystem.port]]\nname = \"tip\"\ncoordinates = [0]\n"
        );
        let reference = Run::completed(&Run::text(&model(&native, solver), &[]));
        assert!(reference.impacts().len() > 2);
        for version in VERSIONS {
            let Some(file) = file("oscillator_half", version, &[]) else { return };
            let unit = format!(
                "[[subsystem]]\nname = \"load\"\nkind = \"fmu\"\nfile = \"{file}\"\nsolver = \"{solver}\"\n\
                 parameters = {{ m = 0.5, k = 4.0, c = 0.2, x0 = 0 }}\n\
                 [[subsystem.port]]\nname = \"tip\"\nposition = \"x\"\nvelocity = \"v\"\nforce = \"F\"\n"
            );
            let run = Run::completed(&Run::text(&model(&unit, solver), &[]));
            assert_eq!(run.impacts().len(), reference.impacts().len());
            assert!(run.report.warnings.is_empty(), "{:?}", run.report.warnings);
            let (found, expected) = (run.column("ball.z"), reference.column("ball.z"));
            let apart = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            assert!(apart < 1e-10, "{solver}, {version:?}: {apart:e}");
        }
    }
}
