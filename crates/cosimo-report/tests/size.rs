//! How large a page becomes.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use cosimo_master::{FrameRecord, Observer, QuantityLabel, StepRecord};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory, Results};
use cosimo_scene::{Appearance, Body, ContactForce, Geometry, Pose, Scene, Shape, Sight};
use nalgebra::{UnitQuaternion, Vector3};

const BODIES: usize = 200;
const CONTACTS: usize = 330;
const FRAMES: u64 = 600;

/// Numbers in (−1, 1) without an order (splitmix64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}

/// 200 spheres that wander and turn for 10 s, all of whose quantities are recorded, with 330 contacts under load.
fn record(directory: ResultDirectory) {
    let mut noise = Noise(1);
    let names = ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"];
    let label = |body: usize, name: &str| QuantityLabel {
        owner: "pile".into(),
        name: format!("ball{body}.{name}"),
        unit: "m".into(),
    };
    let labels: Vec<QuantityLabel> =
        (0..BODIES).flat_map(|body| names.map(|name| label(body, name))).collect();
    let sphere = Shape::new(Geometry::Sphere { radius: 0.05 });
    let appearance = Appearance {
        bodies: (0..BODIES).map(|body| Body::new(format!("ball{body}")).with_shape(sphere.clone())).collect(),
        contacts: (0..CONTACTS).map(|contact| format!("pair.{contact}")).collect(),
        ..Appearance::default()
    };
    let mut scene = Scene::default();
    scene.add("pile", &appearance);
    let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
    recorder.start(&labels, (0.0, 10.0));
    recorder.scene(&scene);
    let mut poses = vec![Pose::default(); BODIES];
    for step in 0..=FRAMES {
        for pose in &mut poses {
            pose.position += noise.vector() * 0.05;
            pose.orientation = UnitQuaternion::from_scaled_axis(noise.vector() * 0.3) * pose.orientation;
        }
        let time = step as f64 / 60.0;
        let values: Vec<f64> = labels.iter().map(|_| noise.next()).collect();
        let _ = recorder.step(&StepRecord { step, time, values: &values, is_last: step == FRAMES });
        let force = |contact: usize, noise: &mut Noise| ContactForce {
            contact: contact as u32,
            point: noise.vector(),
            force: noise.vector() * 100.0,
        };
        let forces = (0..CONTACTS).map(|contact| force(contact, &mut noise)).collect();
        let sight = Sight { poses: poses.clone(), forces };
        if recorder.wants_frame(step, time, step == FRAMES) {
            recorder.frame(&FrameRecord {
                step,
                time,
                sight: &sight,
                energy: EnergyBalance::default(),
                is_last: step == FRAMES,
            });
        }
    }
    recorder.into_result().unwrap();
}

#[test]
fn ten_seconds_of_two_hundred_bodies_stay_below_five_megabytes() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("out");
    record(ResultDirectory::create(&path, Overwrite::Refuse).unwrap());
    let results = Results::open(&path).unwrap();
    assert_eq!(results.scene.as_ref().unwrap().frames.len(), FRAMES as usize + 1);
    let page = cosimo_report::report(&results);
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    // Every frame is in it, and most of the room is used.
    assert!(page.contains("\"frames\":601") && page.len() > 3_000_000, "{} bytes", page.len());
}
