//! A rod on a hinge whose tip is joined to a point mass: in both coordinates of the plane, or in its height alone.
//!
//! ```text
//!   q = (φ, joined coordinates z)        M = diag(I, m, …)        f = (−½ m_r g L sin φ, −m g − k (z − r), …)
//!   rigid      q = X(φ), T = X′:  (Tᵀ M T) φ̈ = Tᵀ (f − M T′ φ̇²)
//!   else       M q̈ = f + k_j (X(φ) − z) on both sides
//! ```

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use super::axes::{Combination, Impacts, Kind, Law, Ports};
use super::flow::{Flow, Motion};
use super::lump_text::NAMES;
use super::model::{Model, Setup, Truth};

/// Numbers of a model.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    /// Of the rod (kg, m), about its hinge (kg m²).
    mass: f64,
    length: f64,
    inertia: f64,
    /// Of the point (kg), and its own inertia where it is a frame (kg m²).
    point: f64,
    turning: f64,
    gravity: f64,
    /// Angle from the vertical at the start (rad), and its rate (rad/s).
    angle: f64,
    rate: f64,
    /// Spring under the point (N/m), and its height at zero force (m).
    ground: Option<(f64, f64)>,
    /// Restitution of a wall at `x = 0` for the point.
    wall: Option<f64>,
    /// Whether `x` is joined too.
    is_plane: bool,
    /// Stiffness of the joint where it gives way (N/m).
    joint: Option<f64>,
    /// Whether impacts pass it rigidly.
    passes: bool,
    /// Whether the ends of a joint that gives way meet then.
    meets: bool,
}

impl Numbers {
    /// Inertia of the point where it is a body.
    fn turning_of(&self, ports: Ports) -> f64 {
        if ports == Ports::Frame { 0.05 * self.point } else { 0.1 * self.point }
    }

    /// The spring from the point to the ground.
    fn spring_text(&self, kind: Kind) -> String {
        let Some((k, rest)) = self.ground else { return String::new() };
        let below = rest - 1.0;
        match kind {
            Kind::Linear => {
                format!("[[subsystem.spring]]\nground = 1\nstiffness = {k:e}\nrest = {rest:e}\n")
            }
            Kind::Planar => format!(
                "[[subsystem.spring]]\nbetween = [{{ body = \"m\", point = [0, 0] }}, {{ body = \"ground\", point = [0, {below:e}] }}]\nstiffness = {k:e}\nlength = 1.0\n"
            ),
            _ => format!(
                "[[subsystem.force]]\nname = \"spring\"\ntype = \"spring\"\nfirst = {{ body = \"m\" }}\nsecond = {{ body = \"ground\", point = [0, {below:e}, 0] }}\nstiffness = {k:e}\nlength = 1.0\n"
            ),
        }
    }

    /// The wall in front of the point.
    fn wall_text(&self, kind: Kind) -> String {
        let Some(e) = self.wall else { return String::new() };
        match kind {
            Kind::Linear => {
                format!("[[subsystem.contact]]\nname = \"wall\"\nrow = {{ x = 1.0 }}\nrestitution = {e:?}\n")
            }
            Kind::Planar => format!(
                "[[subsystem.contact]]\nname = \"wall\"\nbody = \"m\"\nnormal = [1, 0]\nrestitution = {e:?}\n"
            ),
            Kind::Multibody => format!(
                "[[subsystem.contact]]\nname = \"wall\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [1, 0, 0] }}\nsecond = {{ body = \"m\" }}\nrestitution = {e:?}\n"
            ),
            _ => format!("[[subsystem.plane]]\nname = \"wall\"\nnormal = [1, 0, 0]\nrestitution = {e:?}\n"),
        }
    }

    fn axes(&self) -> usize {
        if self.is_plane { 2 } else { 1 }
    }

    /// Joined coordinates of the tip at an angle, and their first two derivatives; the height is the last.
    fn tip(&self, angle: f64) -> [Vec<f64>; 3] {
        let (s, c) = angle.sin_cos();
        let (s, c) = (self.length * s, self.length * c);
        if self.is_plane { [vec![s, -c], vec![c, s], vec![-s, c]] } else { [vec![-c], vec![s], vec![c]] }
    }

    /// Forces on the angle and on the coordinates of the point, without those of the joint.
    fn forces(&self, angle: f64, place: &[f64]) -> (f64, Vec<f64>) {
        let of_angle = -0.5 * self.mass * self.gravity * self.length * angle.sin();
        let mut forces = vec![0.0; place.len()];
        let last = place.len() - 1;
        let spring = self.ground.map_or(0.0, |(k, rest)| k * (place[last] - rest));
        forces[last] = -self.point * self.gravity - spring;
        (of_angle, forces)
    }

    /// Angle, its rate, place and velocity of the point.
    fn parts(&self, state: &[f64]) -> (f64, f64, Vec<f64>, Vec<f64>) {
        if self.joint.is_none() {
            let [place, slope, _] = self.tip(state[0]);
            let velocity = slope.iter().map(|x| x * state[1]).collect();
            return (state[0], state[1], place, velocity);
        }
        let n = self.axes();
        (state[0], state[n + 1], state[1..=n].to_vec(), state[n + 2..].to_vec())
    }

    fn start(&self) -> Vec<f64> {
        if self.joint.is_none() {
            return vec![self.angle, self.rate];
        }
        let [place, slope, _] = self.tip(self.angle);
        let mut state = vec![self.angle];
        state.extend(place);
        state.push(self.rate);
        state.extend(slope.iter().map(|x| x * self.rate));
        state
    }

    /// Kinetic energy and all of it (J) of the place of the point and of the centre of the rod, and of their velocities.
    fn energy(&self, values: &[f64]) -> [f64; 2] {
        let n = self.axes();
        let (places, velocities) = values.split_at(n + 2);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let half = 0.5 * self.length;
        let about_hinge = (self.inertia + self.turning) / (half * half);
        let kinetic = 0.5 * (self.point * square(&velocities[..n]) + about_hinge * square(&velocities[n..]));
        let (height, centre) = (places[n - 1], [places[n], places[n + 1]]);
        let mut potential = self.gravity * (self.point * height + self.mass * centre[1]);
        if let Some((k, rest)) = self.ground {
            potential += 0.5 * k * (height - rest).powi(2);
        }
        if let Some(k) = self.joint {
            let tip = if n == 2 { vec![2.0 * centre[0], 2.0 * centre[1]] } else { vec![2.0 * centre[1]] };
            let gaps: Vec<f64> = tip.iter().zip(places).map(|(tip, place)| tip - place).collect();
            potential += 0.5 * k * square(&gaps);
        }
        [kinetic, kinetic + potential]
    }
}

impl Flow for Numbers {
    fn derivative(&self, _mode: u32, state: &[f64], derivative: &mut [f64]) {
        let (angle, rate, place, velocity) = self.parts(state);
        let (of_angle, forces) = self.forces(angle, &place);
        let [tip, slope, second] = self.tip(angle);
        let inertia = self.inertia + self.turning;
        let Some(k) = self.joint else {
            let mut mass = inertia;
            let mut force = of_angle;
            for i in 0..place.len() {
                mass += self.point * slope[i] * slope[i];
                force += slope[i] * (forces[i] - self.point * second[i] * rate * rate);
            }
            derivative.copy_from_slice(&[rate, force / mass]);
            return;
        };
        let n = place.len();
        derivative[0] = rate;
        derivative[n + 1] = of_angle / inertia;
        for i in 0..n {
            let pull = k * (tip[i] - place[i]);
            derivative[1 + i] = velocity[i];
            derivative[n + 2 + i] = (forces[i] + pull) / self.point;
            derivative[n + 1] -= slope[i] * pull / inertia;
        }
    }

    fn events(&self, _mode: u32, state: &[f64]) -> Vec<f64> {
        if self.wall.is_some() { vec![self.parts(state).2[0] + 1e-13] } else { Vec::new() }
    }

    fn jump(&self, mode: u32, _event: usize, state: &mut [f64]) -> u32 {
        let e = self.wall.unwrap_or(0.0);
        if self.joint.is_none() {
            state[1] *= -e;
            return mode;
        }
        let (angle, rate, _, mut velocity) = self.parts(state);
        if !self.passes {
            state[self.axes() + 2] = -e * velocity[0];
            return mode;
        }
        // T (Tᵀ M T)⁻¹ Tᵀ of the rod with the point at its tip, along x.
        let [_, slope, _] = self.tip(angle);
        let mass = self.inertia + self.turning + self.point * slope.iter().map(|x| x * x).sum::<f64>();
        let n = self.axes();
        if self.meets {
            let own = mass - self.point * slope.iter().map(|x| x * x).sum::<f64>();
            let of_point: f64 = slope.iter().zip(&velocity).map(|(x, v)| self.point * x * v).sum();
            let common = (own * rate + of_point) / mass;
            velocity = slope.iter().map(|x| x * common).collect();
            state[n + 1] = common;
            state[n + 2..2 * n + 2].copy_from_slice(&velocity);
        }
        let impulse = -(1.0 + e) * velocity[0] * mass / (slope[0] * slope[0]);
        let change = slope[0] * impulse / mass;
        state[n + 1] += change;
        for i in 0..n {
            state[n + 2 + i] += slope[i] * change;
        }
        mode
    }
}

#[derive(Debug)]
struct RodTruth {
    motion: Motion<Numbers>,
}

impl Truth for RodTruth {
    fn values(&self, t: f64) -> Vec<f64> {
        let (_, state) = self.motion.at(t);
        let (angle, rate, place, velocity) = self.motion.flow.parts(&state);
        let (s, c) = angle.sin_cos();
        let half = 0.5 * self.motion.flow.length;
        let mut values = place;
        values.extend([half * s, -half * c]);
        values.extend(velocity);
        values.extend([half * c * rate, half * s * rate]);
        values
    }

    fn events(&self) -> &[f64] {
        &self.motion.events
    }

    fn load(&self, _t: f64) -> Option<f64> {
        None
    }
}

/// A model of a rod and a point.
#[derive(Debug)]
pub(super) struct RodModel {
    name: &'static str,
    numbers: Numbers,
    span: (f64, u32),
    truths: [[OnceLock<Arc<RodTruth>>; 2]; Combination::MOTIONS],
}

impl RodModel {
    fn small(&self) -> f64 {
        let step = self.span.0 / f64::from(self.span.1);
        1e-8 * step * step / self.reduced()
    }

    fn reduced(&self) -> f64 {
        1.0 / (1.0 / self.numbers.point + 3.0 / self.numbers.mass)
    }

    fn joint_stiffness(&self, law: Law) -> Option<f64> {
        let step = self.span.0 / f64::from(self.span.1);
        match law {
            Law::Rigid | Law::Tikhonov => None,
            Law::SoftTikhonov => Some(self.reduced() * (0.25 / step).powi(2)),
            Law::Compliant => Some(self.reduced() * (0.2 / step).powi(2)),
        }
    }

    fn interfaces(&self, combination: &Combination) -> String {
        let law = match (combination.law, self.joint_stiffness(combination.law)) {
            (Law::Compliant, Some(k)) => format!("law = \"compliant\"\nstiffness = {k:e}"),
            (Law::SoftTikhonov, Some(k)) => format!("law = \"tikhonov\"\nconstant = {:e}", 1.0 / k),
            (Law::Tikhonov, _) => format!("law = \"tikhonov\"\nconstant = {:e}", self.small()),
            _ => "law = \"rigid\"".to_owned(),
        };
        let ports: &[&str] = match (combination.ports, self.numbers.is_plane) {
            (Ports::Scalar, true) => &["x", "y"],
            (Ports::Scalar, false) => &["y"],
            (Ports::Point | Ports::Frame, _) => &["p"],
        };
        let joint = |port: &&str| {
            format!("[[interface]]\nname = \"joint_{port}\"\nbetween = [\"a.{port}\", \"b.{port}\"]\n{law}\n")
        };
        ports.iter().map(joint).collect()
    }

    fn point_text(&self, kind: Kind, ports: Ports) -> String {
        let numbers = &self.numbers;
        let mass = numbers.point;
        let (s, c) = numbers.angle.sin_cos();
        // Where `x` is not joined it stays at zero.
        let x = if numbers.is_plane { numbers.length * s } else { 0.0 };
        let y = -numbers.length * c;
        let turn = if ports == Ports::Frame { numbers.rate } else { 0.0 };
        let along = if numbers.is_plane { -y * numbers.rate } else { 0.0 };
        let up = numbers.length * s * numbers.rate;
        let gravity = -numbers.gravity;
        let inertia = numbers.turning_of(ports);
        let text = match kind {
            Kind::Node | Kind::RigidBody => {
                let mut text = format!(
                    "mass = {mass:e}\ngravity = [0, {gravity:e}, 0]\nposition = [{x:e}, {y:e}, 0]\nvelocity = [{along:e}, {up:e}, 0]\n"
                );
                if kind == Kind::RigidBody {
                    let _ = write!(text, "inertia = {inertia:e}\nangular_velocity = [0, 0, {turn:e}]\n");
                }
                text + &spatial_ports("", ports, "")
            }
            Kind::Linear => {
                let ports = match ports {
                    Ports::Scalar => port("x", "coordinates = [0]") + &port("y", "coordinates = [1]"),
                    Ports::Point | Ports::Frame => port("p", "coordinates = [0, 1, 2]"),
                };
                format!(
                    "coordinates = [\"x\", \"y\", \"z\"]\nmass = [{mass:e}, {mass:e}, {mass:e}]\n\
                     force = [0, {:e}, 0]\nposition = [{x:e}, {y:e}, 0]\nvelocity = [{along:e}, {up:e}, 0]\n{ports}",
                    mass * gravity
                )
            }
            Kind::Planar => {
                let ports = match ports {
                    Ports::Scalar => {
                        port("x", "body = \"m\"\ndirection = [1, 0]")
                            + &port("y", "body = \"m\"\ndirection = [0, 1]")
                    }
                    Ports::Point | Ports::Frame => port("p", "body = \"m\""),
                };
                format!(
                    "gravity = [0, {gravity:e}]\n[[subsystem.body]]\nname = \"m\"\nmass = {mass:e}\ninertia = {:e}\n\
                     position = [{x:e}, {y:e}]\nvelocity = [{along:e}, {up:e}]\n{ports}",
                    0.1 * mass
                )
            }
            Kind::Multibody => {
                let body = format!(
                    "gravity = [0, {gravity:e}, 0]\n[[subsystem.body]]\nname = \"m\"\nmass = {mass:e}\n\
                     inertia = [{inertia:e}, {inertia:e}, {inertia:e}]\nposition = [{x:e}, {y:e}, 0]\n\
                     velocity = [{along:e}, {up:e}, 0]\nangular_velocity = [0, 0, {turn:e}]\n"
                );
                body + &spatial_ports("m", ports, "")
            }
        };
        text + &numbers.spring_text(kind) + &numbers.wall_text(kind)
    }

    fn rod_text(&self, kind: Kind, ports: Ports) -> String {
        let Numbers { mass, length, inertia, gravity, angle, rate, .. } = self.numbers;
        let (s, c) = angle.sin_cos();
        let half = 0.5 * length;
        let (x, y) = (half * s, -half * c);
        let (along, up) = (-y * rate, x * rate);
        let own = inertia - mass * half * half;
        if kind == Kind::Planar {
            let tip = format!("body = \"rod\"\npoint = [0, {:e}]\n", -half);
            let ports = match ports {
                Ports::Scalar if self.numbers.is_plane => {
                    port("x", &(tip.clone() + "direction = [1, 0]"))
                        + &port("y", &(tip + "direction = [0, 1]"))
                }
                Ports::Scalar => port("y", &(tip + "direction = [0, 1]")),
                Ports::Point | Ports::Frame => port("p", &tip),
            };
            return format!(
                "gravity = [0, {:e}]\n[[subsystem.body]]\nname = \"rod\"\nmass = {mass:e}\ninertia = {own:e}\n\
                 position = [{x:e}, {y:e}]\nangle = {angle:e}\nvelocity = [{along:e}, {up:e}]\nangular_velocity = {rate:e}\n\
                 [[subsystem.pin]]\nname = \"hinge\"\nbetween = [{{ body = \"rod\", point = [0, {half:e}] }}, {{ body = \"ground\", point = [0, 0] }}]\n{ports}",
                -gravity
            );
        }
        let tip = format!("point = [0, {:e}, 0]\n", -half);
        format!(
            "gravity = [0, {:e}, 0]\n[[subsystem.body]]\nname = \"rod\"\nmass = {mass:e}\ninertia = [{own:e}, {:e}, {own:e}]\n\
             position = [{x:e}, {y:e}, 0]\norientation = {{ axis = [0, 0, 1], angle = {angle:e} }}\nvelocity = [{along:e}, {up:e}, 0]\n\
             angular_velocity = [0, 0, {rate:e}]\n[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\n\
             at = [0, 0, 0]\naxis = [0, 0, 1]\n{}",
            -gravity,
            0.01 * own,
            spatial_ports("rod", ports, &tip)
        )
    }
}

fn port(name: &str, keys: &str) -> String {
    format!("[[subsystem.port]]\nname = \"{name}\"\n{keys}\n")
}

/// Ports of a body in space: along both axes, of its point, or a frame that is turned as the world at the start.
fn spatial_ports(body: &str, ports: Ports, place: &str) -> String {
    let body = if body.is_empty() { String::new() } else { format!("body = \"{body}\"\n") };
    match ports {
        Ports::Scalar => {
            port("x", &format!("{body}{place}direction = [1, 0, 0]"))
                + &port("y", &format!("{body}{place}direction = [0, 1, 0]"))
        }
        // A node has no key for the size of its port.
        Ports::Point if body.is_empty() => port("p", "POINT"),
        Ports::Point => port("p", &format!("{body}{place}coordinates = 3")),
        Ports::Frame => port("p", &format!("{body}{place}coordinates = 6\nTURNED")),
    }
}

impl Model for RodModel {
    fn name(&self) -> &str {
        self.name
    }

    fn fits(&self, combination: &Combination) -> bool {
        let [point, rod] = combination.kinds;
        let numbers = &self.numbers;
        let has_contacts = numbers.wall.is_some();
        let is_point = match point {
            Kind::Node => numbers.ground.is_none(),
            Kind::RigidBody => numbers.ground.is_none() && !has_contacts,
            Kind::Linear | Kind::Planar | Kind::Multibody => true,
        };
        let gives_way = matches!(combination.law, Law::SoftTikhonov | Law::Compliant);
        let ports = match combination.ports {
            Ports::Scalar => true,
            Ports::Point => numbers.is_plane,
            Ports::Frame => numbers.is_plane && !gives_way,
        };
        matches!(rod, Kind::Planar | Kind::Multibody)
            && is_point
            && ports
            && combination.ports.join(combination.kinds)
            && (combination.impacts == Impacts::None) != has_contacts
            && (combination.micro_steps == 1 || combination.ports != Ports::Frame)
    }

    fn setup(&self, combination: &Combination) -> Setup {
        let (end, steps) = self.span;
        let is_frame = combination.ports == Ports::Frame;
        let mut numbers = self.numbers;
        numbers.joint = self.joint_stiffness(combination.law);
        numbers.passes = combination.law != Law::Compliant;
        numbers.meets = combination.meets();
        numbers.turning = if is_frame { numbers.turning_of(Ports::Frame) } else { 0.0 };
        let [scheme, acceleration] = combination.scheme.keys();
        let impacts = match combination.impacts {
            Impacts::None => String::new(),
            treatment => format!("impacts = \"{treatment}\"\n"),
        };
        let mut text = format!(
            "schema = 1\ntime = {{ end = {end:?}, step = {:e} }}\n[master]\nscheme = \"{scheme}\"\n\
             acceleration = \"{acceleration}\"\ntolerance = 1e-10\n{impacts}",
            end / f64::from(steps)
        );
        for side in 0..2 {
            let kind = combination.kinds[side];
            let _ = write!(text, "[[subsystem]]\nname = \"{}\"\nkind = \"{kind}\"\n", NAMES[side]);
            if kind != Kind::RigidBody {
                let has_contacts = side == 0 && numbers.wall.is_some();
                let _ = writeln!(text, "solver = {}", combination.rules[side].solver(kind, has_contacts));
            }
            if side == 1 && combination.micro_steps > 1 {
                let _ = writeln!(text, "micro_steps = {}", combination.micro_steps);
            }
            let part = if side == 0 {
                self.point_text(kind, combination.ports)
            } else {
                self.rod_text(kind, combination.ports)
            };
            // The frame of the rod starts turned as the body at its tip.
            let turned = if side == 0 {
                String::new()
            } else {
                format!("orientation = {{ axis = [0, 0, 1], angle = {:e} }}", -numbers.angle)
            };
            let point = if kind == Kind::RigidBody { "coordinates = 3" } else { "" };
            text += &part.replace("TURNED", &turned).replace("POINT", point);
        }
        text += &self.interfaces(combination);
        let point = match combination.kinds[0] {
            Kind::Node | Kind::RigidBody => "a.",
            Kind::Linear => "a.",
            Kind::Planar | Kind::Multibody => "a.m.",
        };
        let speed = if combination.kinds[0] == Kind::Linear { "v_" } else { "v" };
        let axes: &[&str] = if numbers.is_plane { &["x", "y"] } else { &["y"] };
        let mut labels: Vec<String> = axes.iter().map(|axis| format!("{point}{axis}")).collect();
        labels.extend(["b.rod.x".to_owned(), "b.rod.y".to_owned()]);
        labels.extend(axes.iter().map(|axis| format!("{point}{speed}{axis}")));
        labels.extend(["b.rod.vx".to_owned(), "b.rod.vy".to_owned()]);
        let truth = self.truths[combination.motion()][usize::from(is_frame)]
            .get_or_init(|| Arc::new(RodTruth { motion: Motion::of(numbers, numbers.start(), 0, end, 400) }));
        Setup {
            text,
            end,
            steps,
            positions: labels.len() / 2,
            labels,
            impulse: None,
            truth: truth.clone(),
            energy: Box::new(move |values| numbers.energy(values)),
            largest_order: 2.0,
        }
    }
}

/// All of them.
#[must_use]
pub(super) fn rod_models() -> Vec<RodModel> {
    let numbers = Numbers {
        mass: 3.0,
        length: 1.0,
        inertia: 1.0,
        point: 1.0,
        turning: 0.0,
        gravity: 10.0,
        angle: std::f64::consts::FRAC_PI_3,
        rate: 0.0,
        ground: None,
        wall: None,
        is_plane: true,
        joint: None,
        passes: true,
        meets: false,
    };
    let new = |name, numbers, span| RodModel { name, numbers, span, truths: Default::default() };
    vec![
        new("rod and point, 3 to 1 kg", numbers, (0.5, 36)),
        new("rod and light point, 3 to 1e-3 kg", Numbers { point: 1e-3, rate: 1.0, ..numbers }, (0.4, 36)),
        new(
            "rod and point on a wall, 3 to 1 kg, e 0.5",
            Numbers { wall: Some(0.5), angle: 0.3, rate: -1.0, ..numbers },
            (0.4, 36),
        ),
        new(
            "rod on an oscillator, 3 to 0.5 kg",
            Numbers { point: 0.5, ground: Some((120.0, -0.4)), is_plane: false, rate: 0.5, ..numbers },
            (0.4, 36),
        ),
    ]
}
