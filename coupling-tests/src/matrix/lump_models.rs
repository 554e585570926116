//! The models of point masses on a line, each with its own masses, ratios and restitutions.

use std::sync::{Arc, OnceLock};

use super::axes::{Combination, Impacts, Kind, Ports};
use super::lump_text::{NAMES, interface, labels, subsystem};
use super::lumps::{Lump, LumpTruth, Pair, Side, Spring, Stop};
use super::model::{Model, Setup};

/// Two joined sides of masses on a line.
#[derive(Debug)]
pub(super) struct LumpModel {
    name: &'static str,
    pair: Pair,
    /// End (s), and steps of the coarsest run.
    span: (f64, u32),
    truths: [OnceLock<Arc<LumpTruth>>; Combination::MOTIONS],
}

impl LumpModel {
    fn new(name: &'static str, sides: [Side; 2], span: (f64, u32)) -> Self {
        let masses = sides.each_ref().map(|side| side.lumps[side.joined].mass);
        let reduced = 1.0 / (1.0 / masses[0] + 1.0 / masses[1]);
        let step = span.0 / f64::from(span.1);
        // The joint alone swings at a fifth of a radian a coarse step, or at ten thousand.
        let pair = Pair {
            sides,
            gravity: -9.81,
            stiffness: reduced * (0.2 / step).powi(2),
            small: 1e-8 * step * step / reduced,
            soft: (step / 0.25).powi(2) / reduced,
        };
        Self { name, pair, span, truths: Default::default() }
    }

    fn has_stops(&self) -> bool {
        self.pair.sides.iter().any(|side| !side.stops.is_empty())
    }
}

/// Whether a side can be a subsystem of this kind.
fn can_be(side: &Side, kind: Kind) -> bool {
    let is_single = side.lumps.len() == 1 && side.springs.is_empty();
    match kind {
        Kind::Node => is_single,
        Kind::RigidBody => is_single && side.stops.is_empty(),
        Kind::Linear | Kind::Planar | Kind::Multibody => true,
    }
}

impl Model for LumpModel {
    fn name(&self) -> &str {
        self.name
    }

    fn fits(&self, combination: &Combination) -> bool {
        let sides = &self.pair.sides;
        let [a, b] = combination.kinds;
        let is_written = can_be(&sides[0], a)
            && can_be(&sides[1], b)
            && combination.ports.join(combination.kinds)
            && (combination.impacts == Impacts::None) != self.has_stops();
        // What the reference says of micro steps.
        let may_cycle = sides[1].stops.is_empty() && combination.ports != Ports::Frame;
        is_written && (combination.micro_steps == 1 || may_cycle)
    }

    fn setup(&self, combination: &Combination) -> Setup {
        let (pair, law) = (self.pair.clone(), combination.law);
        let (end, steps) = self.span;
        let [scheme, acceleration] = combination.scheme.keys();
        let impacts = match combination.impacts {
            Impacts::None => String::new(),
            treatment => format!("impacts = \"{treatment}\"\n"),
        };
        let text = format!(
            "schema = 1\ntime = {{ end = {end:?}, step = {:e} }}\n[master]\nscheme = \"{scheme}\"\n\
             acceleration = \"{acceleration}\"\ntolerance = 1e-10\n{impacts}{}{}{}",
            end / f64::from(steps),
            subsystem(&pair, 0, combination),
            subsystem(&pair, 1, combination),
            interface(&pair, law, combination.ports)
        );
        let of_sides = [0, 1].map(|i| labels(&pair.sides[i], NAMES[i], combination.kinds[i]));
        let observed: Vec<String> = [0, 1]
            .into_iter()
            .flat_map(|quantity| of_sides.iter().flat_map(move |side| side[quantity].clone()))
            .collect();
        let suffix = if combination.ports == Ports::Scalar { "" } else { "_1" };
        let truth = self.truths[combination.motion()].get_or_init(|| Arc::new(pair.truth(combination, end)));
        Setup {
            text,
            end,
            steps,
            positions: observed.len() / 2,
            labels: observed,
            impulse: (!self.has_stops()).then(|| format!("joint.impulse{suffix}")),
            truth: truth.clone(),
            largest_order: 2.0,
            energy: Box::new(move |values| pair.energy(law, values)),
        }
    }
}

fn lump(mass: f64, position: f64, velocity: f64) -> Lump {
    Lump { mass, position, velocity }
}

fn spring(first: usize, second: usize, stiffness: f64, rest: f64) -> Spring {
    Spring { first, second: Some(second), stiffness, damping: 0.0, rest }
}

fn ground(first: usize, stiffness: f64, rest: f64) -> Spring {
    Spring { first, second: None, stiffness, damping: 0.0, rest }
}

fn floor(place: f64, restitution: f64) -> Stop {
    Stop { lump: 0, is_ceiling: false, place, restitution }
}

fn ceiling(lump: usize, place: f64, restitution: f64) -> Stop {
    Stop { lump, is_ceiling: true, place, restitution }
}

/// One mass.
fn single(lump: Lump, stops: Vec<Stop>) -> Side {
    Side { lumps: vec![lump], springs: Vec::new(), stops, joined: 0 }
}

/// The mass `joined` is 0.
fn chain(lumps: Vec<Lump>, springs: Vec<Spring>, stops: Vec<Stop>) -> Side {
    Side { lumps, springs, stops, joined: 0 }
}

/// All of them.
#[must_use]
pub(super) fn lump_models() -> Vec<LumpModel> {
    let mut models = smooth();
    models.extend(with_stops());
    models
}

fn smooth() -> Vec<LumpModel> {
    let damped = |spring: Spring, damping: f64| Spring { damping, ..spring };
    vec![
        LumpModel::new(
            "two oscillators, 1 to 2 kg",
            [
                chain(vec![lump(1.0, 0.0, 0.3)], vec![ground(0, 900.0, 0.02)], vec![]),
                chain(
                    vec![lump(2.0, 0.5, 0.3), lump(3.0, 1.5, -0.4)],
                    vec![spring(1, 0, 1200.0, 1.01), ground(1, 400.0, 1.45)],
                    vec![],
                ),
            ],
            (0.3, 36),
        ),
        LumpModel::new(
            "light mass on a damped chain, 1e-3 to 1 kg",
            [
                single(lump(1e-3, -0.2, 0.5), vec![]),
                chain(
                    vec![lump(1.0, 0.3, 0.5), lump(0.5, 1.3, -0.2)],
                    vec![damped(spring(1, 0, 500.0, 0.98), 1.5), ground(1, 300.0, 1.3)],
                    vec![],
                ),
            ],
            (0.3, 36),
        ),
        LumpModel::new(
            "heavy mass with a light chain, 1e3 to 1 kg",
            [
                single(lump(1e3, 0.0, 0.4), vec![]),
                chain(
                    vec![lump(1.0, 0.2, 0.4), lump(2.0, 1.2, -0.3)],
                    vec![spring(1, 0, 800.0, 1.02)],
                    vec![],
                ),
            ],
            (0.3, 36),
        ),
    ]
}

fn with_stops() -> Vec<LumpModel> {
    vec![
        LumpModel::new(
            "drop, 1 to 100 kg, e 0.5",
            [single(lump(1.0, 0.05, 0.0), vec![floor(0.0, 0.5)]), single(lump(100.0, 0.05, 0.0), vec![])],
            (0.24, 36),
        ),
        LumpModel::new(
            "blade on a droop stop, 1 to 7031 kg, e 0.8",
            [
                single(lump(1.0, 0.003, 0.0), vec![floor(0.0, 0.8)]),
                chain(
                    vec![lump(7031.25, 0.003, 0.0), lump(7031.25, 1.003, 0.0)],
                    vec![spring(1, 0, 3e6, 1.0)],
                    vec![],
                ),
            ],
            (0.08, 30),
        ),
        LumpModel::new(
            "floor and ceiling, 1 to 0.5 kg, e 0.8 and 1",
            [
                single(lump(1.0, 0.02, -0.6), vec![floor(0.0, 0.8)]),
                single(lump(0.5, 0.5, -0.6), vec![ceiling(0, 0.53, 1.0)]),
            ],
            (0.2, 36),
        ),
        LumpModel::new(
            "between two planes on a chain, 0.2 to 1 kg, e 0.3 and 1",
            [
                single(lump(0.2, 0.02, -0.5), vec![floor(0.0, 1.0), ceiling(0, 0.05, 0.3)]),
                chain(
                    vec![lump(1.0, 0.3, -0.5), lump(0.5, 1.3, 0.2)],
                    vec![spring(1, 0, 300.0, 1.0), ground(1, 200.0, 1.35)],
                    vec![],
                ),
            ],
            (0.2, 36),
        ),
        LumpModel::new(
            "caught and lifted again, 0.3 to 0.5 kg, e 0",
            [
                single(lump(0.3, 0.005, -0.2), vec![floor(0.0, 0.0)]),
                chain(
                    vec![lump(0.5, 0.3, -0.2), lump(0.4, 1.3, -0.8)],
                    vec![spring(1, 0, 400.0, 1.0), ground(1, 500.0, 1.34)],
                    vec![],
                ),
            ],
            (0.2, 36),
        ),
        LumpModel::new(
            "light foot, 1e-3 to 1 kg, e 0.3",
            [
                single(lump(1e-3, 0.02, -0.4), vec![floor(0.0, 0.3)]),
                chain(
                    vec![lump(1.0, 0.4, -0.4), lump(1.5, 1.4, -0.4)],
                    vec![spring(1, 0, 900.0, 1.0), ground(1, 300.0, 1.4)],
                    vec![],
                ),
            ],
            (0.07, 120),
        ),
        LumpModel::new(
            "hammer, 1e3 to 1 kg, e 0.5",
            [
                single(lump(1e3, 0.01, -0.3), vec![floor(0.0, 0.5)]),
                chain(
                    vec![lump(1.0, 0.3, -0.3), lump(1.0, 1.3, -0.3)],
                    vec![spring(1, 0, 600.0, 1.0)],
                    vec![],
                ),
            ],
            (0.06, 30),
        ),
    ]
}
