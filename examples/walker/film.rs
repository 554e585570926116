//! A moving picture of a mechanism: its bodies as the lines between their joints, seen along `y`.
//!
//! ```text
//! cargo run --release -- run examples/walker/model.toml --out out/film --set time.end=4.2 --set record.every=42 \
//!     --set record.quantities='["w.*", "*.x", "*.z", "*.floor.force"]'
//! cargo run --release -p cosimo --example film -- out/film out/walker.svg
//! ```
//!
//! It reads `model.toml` and `results.csv` of a run of one `multibody` subsystem, and writes an SVG that browsers show moving. Nodes
//! that a contact `floor` carries are marked, where their places and forces are recorded.
#![expect(clippy::print_stderr, reason = "an example prints what went wrong")]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cosimo::model::{
    BodyRef, MultibodySpec, PlaceSpec, PortPlaceSpec, SpatialBodySpec, SubsystemKind, read_model,
};
use cosimo::nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Pixels a metre, and room around the picture (m).
const SCALE: f64 = 180.0;
const ROOM: f64 = 0.35;
/// Colours of bodies, by how far behind they are.
const COLOURS: [&str; 5] = ["#1f5f8b", "#b5541c", "#4d7c3a", "#7a4a86", "#b08a1e"];

/// Colour of feet that carry load.
const CARRIED: &str = "#c1121f";

/// Where a body is: its centre of mass (m), and how it is turned.
#[derive(Clone, Copy)]
struct Pose {
    place: Vector3<f64>,
    turn: UnitQuaternion<f64>,
}

impl Pose {
    fn at_start(body: &SpatialBodySpec) -> Self {
        let [w, x, y, z] = body.orientation;
        let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        Self { place: Vector3::from(body.position) + turn * Vector3::from(body.centre_of_mass), turn }
    }

    /// A point of the world, from the centre of mass in body axes.
    fn inside(&self, point: [f64; 3]) -> Vector3<f64> {
        self.turn.inverse() * (Vector3::from(point) - self.place)
    }

    /// Angle (°) about `y` by which the picture of the body is turned, clockwise as SVG counts it.
    fn angle(&self) -> f64 {
        let x = self.turn * Vector3::x();
        (-x.z).atan2(x.x).to_degrees()
    }
}

/// Points of the bodies that something is fixed to, in the picture's plane, from the centre of mass in body axes (m).
struct Skeleton(Vec<Vec<[f64; 2]>>);

impl Skeleton {
    fn new(system: &MultibodySpec) -> Self {
        let poses: Vec<Pose> = system.bodies.iter().map(Pose::at_start).collect();
        let mut skeleton = Self(vec![Vec::new(); poses.len()]);
        for joint in &system.joints {
            let PlaceSpec::AtStart { bodies, at, .. } = &joint.place else { continue };
            for (body, point) in bodies.iter().zip(at) {
                if let BodyRef::Body(body) = *body {
                    skeleton.add(body, poses[body].inside(*point));
                }
            }
        }
        for port in &system.ports {
            if let PortPlaceSpec::Body { body, point, .. } = &port.place {
                skeleton
                    .add(*body, Vector3::from(*point) - Vector3::from(system.bodies[*body].centre_of_mass));
            }
        }
        skeleton
    }

    /// Adds a point that is not there yet.
    fn add(&mut self, body: usize, point: Vector3<f64>) {
        let (points, point) = (&mut self.0[body], [point.x, point.z]);
        let is_new = points.iter().all(|old| (old[0] - point[0]).hypot(old[1] - point[1]) > 1e-3);
        if is_new {
            points.push(point);
        }
    }

    /// The outline of a body: its points around their middle, in pixels.
    fn outline(&self, body: usize) -> String {
        let points = &self.0[body];
        let middle = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64);
        let mut around = points.clone();
        let angle = |p: &[f64; 2]| (p[1] - middle[1]).atan2(p[0] - middle[0]);
        around.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        around.iter().fold(String::new(), |mut text, [x, z]| {
            let _ = write!(text, "{:.1},{:.1} ", SCALE * x, -SCALE * z);
            text
        })
    }
}

/// Poses of the bodies over time.
struct Motion {
    times: Vec<f64>,
    /// One list a body.
    poses: Vec<Vec<Pose>>,
}

impl Motion {
    /// Reads the columns of a subsystem's bodies.
    fn read(table: &str, subsystem: &str, system: &MultibodySpec) -> Result<Self, Box<dyn Error>> {
        let mut lines = table.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let mut columns = Vec::new();
        for body in &system.bodies {
            for part in ["x", "y", "z", "qw", "qx", "qy", "qz"] {
                let name = format!("{subsystem}.{}.{part}", body.name);
                let column = names.iter().position(|own| *own == name);
                columns.push(column.ok_or_else(|| format!("`{name}` is not recorded"))?);
            }
        }
        let mut motion = Self { times: Vec::new(), poses: vec![Vec::new(); system.bodies.len()] };
        for line in lines {
            let row = line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
            motion.times.push(row[0]);
            for (poses, own) in motion.poses.iter_mut().zip(columns.chunks_exact(7)) {
                let [x, y, z, qw, qx, qy, qz] = std::array::from_fn(|k| row[own[k]]);
                let turn = UnitQuaternion::new_normalize(Quaternion::new(qw, qx, qy, qz));
                poses.push(Pose { place: Vector3::new(x, y, z), turn });
            }
        }
        Ok(motion)
    }

    /// Time that the picture takes (s).
    fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or_default()
    }

    /// How many planes of bodies are further behind.
    fn depth(&self, body: usize) -> usize {
        let place = |poses: &Vec<Pose>| (poses[0].place.y * 100.0).round() as i64;
        let own = place(&self.poses[body]);
        let mut behind: Vec<i64> = self.poses.iter().map(place).filter(|y| *y > own).collect();
        behind.sort_unstable();
        behind.dedup();
        behind.len()
    }

    /// Least and largest place along an axis (m).
    fn extent(&self, axis: usize) -> [f64; 2] {
        let places = self.poses.iter().flatten().map(|pose| pose.place[axis]);
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
    }
}

/// A node that may stand on its plane `floor`.
struct Foot {
    /// Places in the picture (pixels), one a record.
    places: Vec<[f64; 2]>,
    /// Whether the floor carries it then.
    carried: Vec<bool>,
}

impl Foot {
    /// Reads the nodes whose places and forces are recorded.
    fn read(table: &str) -> Result<Vec<Self>, Box<dyn Error>> {
        let mut lines = table.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let column = |name: String| names.iter().position(|own| *own == name);
        let columns = names.iter().enumerate().filter_map(|(force, name)| {
            let node = name.strip_suffix(".floor.force")?;
            Some([column(format!("{node}.x"))?, column(format!("{node}.z"))?, force])
        });
        let columns: Vec<[usize; 3]> = columns.collect();
        let mut feet: Vec<Self> =
            columns.iter().map(|_| Self { places: Vec::new(), carried: Vec::new() }).collect();
        for line in lines {
            let row = line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
            for (foot, [x, z, force]) in feet.iter_mut().zip(&columns) {
                foot.places.push([SCALE * row[*x], -SCALE * row[*z]]);
                foot.carried.push(row[*force] > 0.0);
            }
        }
        Ok(feet)
    }

    /// A dot while the floor carries the foot.
    fn draw(&self, out: &mut String, duration: f64) {
        let list = |axis: usize| {
            let places = self.places.iter().map(|place| format!("{:.1}", place[axis]));
            places.collect::<Vec<_>>().join(";")
        };
        let shown = self.carried.iter().map(|carried| if *carried { "1" } else { "0" });
        let (x, y, shown) = (list(0), list(1), shown.collect::<Vec<_>>().join(";"));
        let animate = |name: &str, mode: &str, values: &str| {
            format!(
                "<animate attributeName=\"{name}\" calcMode=\"{mode}\" dur=\"{duration}s\" repeatCount=\"indefinite\" \
                 values=\"{values}\"/>"
            )
        };
        let _ = writeln!(
            out,
            "<circle r=\"6\" fill=\"{CARRIED}\" cx=\"{}\" cy=\"{}\" opacity=\"{}\">{}{}{}</circle>",
            first(&x),
            first(&y),
            first(&shown),
            animate("cx", "linear", &x),
            animate("cy", "linear", &y),
            animate("opacity", "discrete", &shown),
        );
    }
}

/// The first entry of a list of values.
fn first(list: &str) -> &str {
    list.split(';').next().unwrap_or_default()
}

/// A run as a moving picture.
fn film(directory: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(directory.join("model.toml"))?;
    let (model, _) = read_model("model.toml", &text, &[])?;
    let found = model.subsystems.iter().find_map(|own| match &own.kind {
        SubsystemKind::Multibody(system) => Some((&own.name, system)),
        _ => None,
    });
    let (name, system) = found.ok_or("there is no multibody subsystem")?;
    let table = fs::read_to_string(directory.join("results.csv"))?;
    let (motion, feet) = (Motion::read(&table, name, system)?, Foot::read(&table)?);
    let skeleton = Skeleton::new(system);
    let [[left, right], [_, top]] = [motion.extent(0), motion.extent(2)];
    let (width, height) = (SCALE * (right - left + 2.0 * ROOM), SCALE * (top + 2.0 * ROOM));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <g transform=\"translate({:.1} {:.1})\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
         <path d=\"M{:.1} 0H{:.1}\" stroke=\"#444\" stroke-width=\"2\"/>\n",
        SCALE * (ROOM - left),
        height - SCALE * ROOM,
        SCALE * (left - ROOM),
        SCALE * (right + ROOM),
    );
    // Bodies that are far behind first.
    let mut order: Vec<usize> = (0..system.bodies.len()).collect();
    order.sort_by(|a, b| motion.poses[*b][0].place.y.total_cmp(&motion.poses[*a][0].place.y));
    for body in order {
        let colour = COLOURS[motion.depth(body) % COLOURS.len()];
        draw(&mut out, (&skeleton.outline(body), colour), (body, &motion));
    }
    for foot in &feet {
        foot.draw(&mut out, motion.duration());
    }
    if !feet.is_empty() {
        let (x, y) = (SCALE * (left - ROOM) + 20.0, 0.5 * SCALE * ROOM);
        let _ = writeln!(
            out,
            "<circle r=\"6\" fill=\"{CARRIED}\" cx=\"{x:.1}\" cy=\"{y:.1}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" font-family=\"sans-serif\" font-size=\"14\" stroke=\"none\">foot under load</text>",
            x + 14.0,
            y + 5.0,
        );
    }
    out.push_str("</g>\n</svg>\n");
    Ok(out)
}

/// A body that moves.
fn draw(out: &mut String, (outline, colour): (&str, &str), (body, motion): (usize, &Motion)) {
    let poses = &motion.poses[body];
    let duration = motion.duration();
    let list = |text: &dyn Fn(&Pose) -> String| poses.iter().map(text).collect::<Vec<_>>().join(";");
    let places = list(&|pose| format!("{:.1} {:.1}", SCALE * pose.place.x, -SCALE * pose.place.z));
    let mut last = 0.0_f64;
    let angles = poses.iter().map(|pose| {
        // The turn next to the one before, so that no picture between turns back.
        last += (pose.angle() - last + 180.0).rem_euclid(360.0) - 180.0;
        format!("{last:.1}")
    });
    let angles = angles.collect::<Vec<_>>().join(";");
    // Where the body is at the start, for viewers that show no motion.
    let (place, angle) = (first(&places), first(&angles));
    let _ = writeln!(
        out,
        "<polygon points=\"{outline}\" fill=\"{colour}\" fill-opacity=\"0.18\" stroke=\"{colour}\" stroke-width=\"3\" \
         transform=\"translate({place}) rotate({angle})\">\
         <animateTransform attributeName=\"transform\" type=\"translate\" dur=\"{duration}s\" repeatCount=\"indefinite\" \
         values=\"{places}\"/><animateTransform attributeName=\"transform\" type=\"rotate\" additive=\"sum\" \
         dur=\"{duration}s\" repeatCount=\"indefinite\" values=\"{angles}\"/></polygon>"
    );
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, picture] = arguments.as_slice() else {
        eprintln!("usage: film DIRECTORY PICTURE.svg");
        return ExitCode::from(2);
    };
    match film(Path::new(directory)).and_then(|text| Ok(fs::write(picture, text)?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
