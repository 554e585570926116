//! Results of runs with something to be seen.

use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

use cosimo_master::{ContactEvent, ContactEventKind, FrameRecord, FrictionState, Observer, StepRecord};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, Results};
use cosimo_scene::{Anchor, ContactForce, Geometry, Link, Mesh, Pose, Role, Scene, SceneBody, Shape, Sight};
use nalgebra::{UnitQuaternion, Vector3};
use tempfile::TempDir;

/// Every geometry on a body of its own, and all on a last one.
pub(crate) fn scene() -> Scene {
    let mesh = Mesh {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 0, 1]],
    };
    let geometries = [
        Geometry::Sphere { radius: 0.3 },
        Geometry::Box { size: [0.1, 0.2, 0.3] },
        Geometry::Cylinder { radius: 0.1, length: 0.5 },
        Geometry::Capsule { radius: 0.1, length: 0.5 },
        Geometry::Mesh { mesh: Arc::new(mesh) },
        Geometry::Arrow { vector: Vector3::new(0.1, -0.4, 0.2), radius: 0.02 },
        Geometry::Line { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5]] },
        Geometry::Plane { size: 5.0 },
    ];
    let roles = [Role::Body, Role::Inertia, Role::Joint, Role::Ground];
    let shapes = geometries.into_iter().zip(roles.into_iter().cycle()).map(|(geometry, role)| {
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.2, 0.7);
        Shape::new(geometry).at(Vector3::new(0.1, 0.2, -0.3)).with_orientation(turn).standing_for(role)
    });
    let shapes: Vec<Shape> = shapes.collect();
    let body = |(number, shapes): (usize, Vec<Shape>)| SceneBody {
        subsystem: ["lower", "upper"][number % 2].to_owned(),
        name: format!("Körper <{number}>, \"&\""),
        shapes,
    };
    let each = shapes.iter().map(|shape| vec![shape.clone()]);
    let anchor = |body, x| Anchor { body, point: Vector3::new(x, 0.1, 0.0) };
    let link =
        |name: &str, from, to| Link { name: name.to_owned(), from, to, radius: 0.01, role: Role::Force };
    Scene {
        bodies: each.chain([shapes.clone(), Vec::new()]).enumerate().map(body).collect(),
        links: vec![
            link("lower.spring", anchor(None, 0.0), anchor(Some(1), 0.2)),
            link("upper.beam", anchor(Some(2), -0.5), anchor(Some(3), 0.5)),
        ],
        contacts: vec!["lower.floor".to_owned(), "upper.Böden, \"nass\"".to_owned()],
        up: None,
    }
}

/// Where the bodies are and which forces act; the pose of the first one is not known at some instants.
pub(crate) fn sight(scene: &Scene, step: u64) -> Sight {
    let t = step as f64 / 20.0;
    let pose = |number: usize| {
        let k = number as f64;
        let position = Vector3::new(10.0 * k, (TAU * t + k).sin(), 1.0 + k * (0.3 * t).cos());
        let turn = Vector3::new((k + 1.0) * t, 0.5 * k, 3.0 * t * t);
        Pose { position, orientation: UnitQuaternion::from_scaled_axis(turn) }
    };
    let mut poses: Vec<Pose> = (0..scene.bodies.len()).map(pose).collect();
    if (3..6).contains(&step) {
        poses[0] = Pose::unknown();
    }
    // The last one rests.
    poses[scene.bodies.len() - 1] = Pose::at(Vector3::new(1.0, 2.0, 3.0));
    let force = |contact: u32| ContactForce {
        contact,
        point: Vector3::new(t, 0.0, -1.0),
        force: Vector3::new(0.0, 10.0 * t, 1e3 / (1.0 + t)),
    };
    Sight { poses, forces: (0..(step % 3) as u32).map(force).collect() }
}

/// A run of so many frames in a directory of its own.
pub(crate) fn run(frames: u64) -> (TempDir, Results) {
    let scratch = tempfile::tempdir().unwrap();
    record(scratch.path(), frames);
    let results = Results::open(scratch.path()).unwrap();
    assert_eq!(results.scene.as_ref().unwrap().frames.len() as u64, frames);
    (scratch, results)
}

fn record(path: &Path, frames: u64) {
    let directory = ResultDirectory::create(path, Overwrite::Refuse).unwrap();
    let config = RecordConfig { title: Some("Bodies".into()), ..RecordConfig::default() };
    let mut recorder = Recorder::create(directory, config).unwrap();
    let scene = scene();
    recorder.start(&[], (-0.5, 0.5));
    recorder.scene(&scene);
    for step in 0..frames {
        let time = step as f64 / 500.0 - 0.5;
        let sight = sight(&scene, step);
        let is_last = step + 1 == frames;
        assert!(recorder.wants_frame(step, time, is_last));
        recorder.frame(&FrameRecord { step, time, sight: &sight, energy: EnergyBalance::default(), is_last });
        assert!(recorder.step(&StepRecord { step, time, values: &[], is_last }).is_continue());
    }
    recorder.event(&ContactEvent {
        time: -0.45,
        kind: ContactEventKind::Impact,
        subsystem: "lower",
        contact: "floor",
        velocity_before: -1.0,
        velocity_after: 0.5,
        impulse: 1.5,
        tangential_impulse: [0.0; 2],
        friction: FrictionState::None,
        work: -0.5,
    });
    recorder.into_result().unwrap();
}
