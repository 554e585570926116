//! Draws a model.

use super::super::matrix::axes::Kind;
use super::draft::{Contact, Joint, Law, Lump, Obstacle, ParsedModel, Side, Spring};
use super::random::Random;
use super::rate::fastest;
use super::solvers::{has_inner_scheme, inner_scheme, rule};

// Speeds of 0.3 m/s and more at steps of 1 ms and less: gravity changes them by a thirtieth in a step at most, so that `ωh` alone says how
// coarse a step is.

/// Height of a lump above the one below (m).
const RISE: f64 = 0.5;
/// Most contacts of a model.
const MOST_CONTACTS: usize = 8;

/// The model of a seed with this number, and the `ωh` of its fastest vibration.
#[must_use]
pub fn draw(seed: u64, model: u64) -> (ParsedModel, f64) {
    let random = &mut Random::new(seed, model);
    let step = random.scale(1e-5, 1e-3);
    let mut draft = ParsedModel {
        step,
        steps: 200 + random.below(200) as u32,
        gravity: random.of(&[0.0, 9.81, 9.81]),
        master: String::new(),
        sides: Vec::new(),
        joints: Vec::new(),
    };
    let speed = random.scale(1.0, 3.0);
    let count = random.of(&[1, 1, 2, 2, 3]);
    let is_joined = count > 1 && random.chance(0.75);
    for i in 0..count {
        let kind = kind(random, is_joined);
        let lumps = lumps(random, kind, speed, if is_joined { draft.sides.last() } else { None });
        let mut side = Side {
            kind,
            solver: None,
            is_nonsmooth: false,
            lumps,
            springs: Vec::new(),
            contacts: Vec::new(),
        };
        side.springs = springs(random, &side);
        side.contacts = contacts(random, &side, speed * step * f64::from(draft.steps));
        side.is_nonsmooth = has_inner_scheme(kind) && random.chance(0.5);
        side.solver =
            if side.is_nonsmooth { Some(inner_scheme(random, is_joined)) } else { rule(random, kind) };
        if side.is_nonsmooth {
            keep_to_scheme(&mut side);
        }
        let joint = (is_joined && i > 0).then(|| joint(random, &mut draft.sides[i - 1], &mut side, step));
        draft.sides.push(side);
        draft.joints.push(joint);
    }
    keep_contacts(&mut draft);
    draft.master = master(random, &draft);
    let rate = set_stiffness(random, &mut draft, speed);
    (draft, rate)
}

fn kind(random: &mut Random, is_joined: bool) -> Kind {
    if is_joined {
        random.of(&[Kind::Node, Kind::Linear, Kind::Planar, Kind::Multibody, Kind::RigidBody])
    } else {
        random.of(&[Kind::Node, Kind::Linear, Kind::Linear, Kind::Planar, Kind::Multibody, Kind::Multibody])
    }
}

fn lumps(random: &mut Random, kind: Kind, speed: f64, below: Option<&Side>) -> Vec<Lump> {
    let count = match kind {
        Kind::Node | Kind::RigidBody => 1,
        Kind::Linear | Kind::Planar | Kind::Multibody => 1 + random.below(4),
    };
    let top = below.and_then(|side| side.lumps.last());
    let height = top.map_or(RISE, |top| top.height + RISE);
    let right = top.map_or_else(|| speed * random.between(-1.0, 1.0), |top| top.velocity[1]);
    let lump = |i: usize| Lump {
        mass: random.scale(1e-3, 1e3),
        radius: random.between(0.05, 0.15),
        height: height + RISE * i as f64,
        velocity: [speed * random.of(&[-1.0, 1.0]) * random.between(0.3, 1.0), right],
        spin: 0.0,
    };
    (0..count).map(lump).collect()
}

fn springs(random: &mut Random, side: &Side) -> Vec<Spring> {
    if matches!(side.kind, Kind::Node | Kind::RigidBody) {
        return Vec::new();
    }
    let mut springs = Vec::new();
    for (lump, own) in side.lumps.iter().enumerate() {
        for is_grounded in [false, true] {
            let is_there = random.chance(if is_grounded { 0.25 } else { 0.75 });
            if !is_there || (!is_grounded && lump == 0) {
                continue;
            }
            let mass = if is_grounded { own.mass } else { reduced(own.mass, side.lumps[lump - 1].mass) };
            let stiffness = mass * random.scale(1e-2, 1e2);
            let damping = if random.chance(0.2) { random.scale(1e-3, 1.0) } else { 0.0 };
            let arm = if side.turns() && random.chance(0.3) { random.between(-0.1, 0.1) } else { 0.0 };
            springs.push(Spring {
                lump,
                is_grounded,
                stiffness,
                damping,
                stretch: random.between(-1.0, 1.0),
                arm,
            });
        }
    }
    springs
}

fn contacts(random: &mut Random, side: &Side, displacement: f64) -> Vec<Contact> {
    if side.kind == Kind::RigidBody {
        return Vec::new();
    }
    let has_friction = random.chance(0.6);
    let mut contacts = Vec::new();
    for lump in 0..side.lumps.len() {
        for kind in 0..5 {
            let obstacle = match kind {
                0 => Obstacle::Plane([0.0, 1.0]),
                1 => Obstacle::Plane([0.0, -1.0]),
                2 => Obstacle::Below,
                _ if side.kind == Kind::Linear => continue,
                3 => Obstacle::Plane([random.of(&[-1.0, 1.0]), 0.0]),
                _ => Obstacle::Plane([random.between(-0.5, 0.5), 1.0]),
            };
            let share = [if lump == 0 { 0.8 } else { 0.2 }, 0.25, 0.5, 0.15, 0.15][kind];
            let is_possible = obstacle != Obstacle::Below || lump > 0 && side.kind != Kind::Planar;
            if !random.chance(share) || !is_possible {
                continue;
            }
            contacts.push(Contact {
                lump,
                obstacle,
                gap: if random.chance(0.1) {
                    0.0
                } else {
                    (0.3 * displacement).min(0.1) * random.between(0.0, 1.0)
                },
                restitution: random.of_or_above(&[0.0, 1.0], 0.0),
                friction: if has_friction && random.chance(0.7) { random.between(0.0, 0.8) } else { 0.0 },
                is_of_moreau: random.chance(0.5),
            });
        }
    }
    contacts
}

fn joint(random: &mut Random, below: &mut Side, above: &mut Side, step: f64) -> Joint {
    let is_spatial = |side: &Side| matches!(side.kind, Kind::Node | Kind::Multibody | Kind::RigidBody);
    let is_of_points = is_spatial(below) && is_spatial(above) && random.chance(0.5);
    let mut arm = |side: &Side| {
        if side.turns() && random.chance(0.3) { random.between(-0.1, 0.1) } else { 0.0 }
    };
    let arms = [arm(below), arm(above)];
    let (lower, upper) = (below.lumps[below.lumps.len() - 1], &mut above.lumps[0]);
    let mass = reduced(lower.mass, upper.mass);
    let law = match random.below(4) {
        0 => Law::Rigid,
        1 => Law::Tikhonov(1e-8 * step * step / mass),
        _ => {
            let damping = if random.chance(0.3) { random.scale(1e-3, 1.0) } else { 0.0 };
            Law::Compliant(mass * random.scale(1e-2, 1e2), damping)
        }
    };
    if !matches!(law, Law::Compliant(..)) {
        upper.velocity = lower.velocity;
    }
    Joint { law, is_of_points, arms }
}

/// Leaves of the laws of contacts what the integrator knows.
fn keep_to_scheme(side: &mut Side) {
    let is = |name: &str| side.solver.as_ref().is_some_and(|solver| solver.contains(name));
    let (is_frictionless, is_plastic) = (is("schatzman-paoli"), is("half-implicit-euler"));
    for contact in &mut side.contacts {
        contact.is_of_moreau = false;
        contact.friction *= if is_frictionless { 0.0 } else { 1.0 };
        contact.restitution *= if is_plastic { 0.0 } else { 1.0 };
    }
}

/// Leaves some contacts, the first of every subsystem among them.
fn keep_contacts(draft: &mut ParsedModel) {
    let each = MOST_CONTACTS / draft.sides.len();
    draft.sides.iter_mut().for_each(|side| side.contacts.truncate(each));
}

fn master(random: &mut Random, draft: &ParsedModel) -> String {
    let is_joined = draft.joints.iter().any(Option::is_some);
    let scheme = if is_joined {
        random.of(&["condensed", "condensed", "gauss-seidel", "jacobi"])
    } else {
        "condensed"
    };
    if scheme == "condensed" {
        return format!("scheme = \"condensed\"\nimpacts = \"{}\"\n", random.of(&["plain", "sub-step"]));
    }
    // At joints without a gap an iteration by itself converges for some ratios of masses only.
    let is_soft = |joint: &Joint| matches!(joint.law, Law::Compliant(..));
    let all: &[&str] = if draft.joints.iter().flatten().all(is_soft) {
        &["none", "aitken", "iqn-ils"]
    } else {
        &["iqn-ils"]
    };
    let acceleration = random.of(all);
    format!("scheme = \"{scheme}\"\nacceleration = \"{acceleration}\"\n")
}

/// Multiplies all stiffnesses so that the fastest vibration has an `ωh` drawn; returns it. Dampers and stretches follow.
fn set_stiffness(random: &mut Random, draft: &mut ParsedModel, speed: f64) -> f64 {
    let drawn = random.scale(0.01, 50.0);
    let rate = fastest(draft);
    let factor = if rate > 0.0 { (drawn / (rate * draft.step)).powi(2) } else { 1.0 };
    for i in 0..draft.sides.len() {
        let (before, rest) = draft.sides.split_at_mut(i);
        let side = &mut rest[0];
        for spring in &mut side.springs {
            let own = side.lumps[spring.lump].mass;
            let mass = if spring.is_grounded { own } else { reduced(own, side.lumps[spring.lump - 1].mass) };
            spring.stiffness *= factor;
            spring.damping *= 2.0 * (spring.stiffness * mass).sqrt();
            spring.stretch = (spring.stretch * speed * (mass / spring.stiffness).sqrt()).clamp(-0.2, 0.2);
        }
        if let Some(Joint { law: Law::Compliant(stiffness, damping), .. }) = &mut draft.joints[i] {
            let below = &before[i - 1].lumps;
            let mass = reduced(below[below.len() - 1].mass, side.lumps[0].mass);
            *stiffness *= factor;
            *damping *= 2.0 * (*stiffness * mass).sqrt();
        }
    }
    if rate > 0.0 { drawn } else { 0.0 }
}

fn reduced(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}
