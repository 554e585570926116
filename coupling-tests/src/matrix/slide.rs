//! A block that slides on a floor with friction, joined to an oscillator along its way.
//!
//! The floor carries the block's weight at all times. The block slides one way, the other way, or is held as long as no more
//! than `μ m g` is asked of friction.

use std::sync::{Arc, OnceLock};

use super::axes::{Combination, Impacts, Kind, Law, Ports};
use super::flow::{Flow, Motion};
use super::lump_text::{NAMES, interface, labels, subsystem};
use super::lumps::{Joined, Lump, Pair, Side, Spring, Stop};
use super::model::{Model, Setup, Truth};

const GRAVITY: f64 = 9.81;
const HELD: u32 = 1;
/// Modes of sliding are twice the sign and one, as bits above the one that holds.
const FORWARD: u32 = 2;

#[derive(Debug)]
struct Sliding {
    joined: Joined,
    /// Largest friction (N).
    limit: f64,
    /// Index of the velocity of the block in the state.
    velocity: usize,
}

impl Sliding {
    fn sign(mode: u32) -> f64 {
        if mode & FORWARD != 0 { 1.0 } else { -1.0 }
    }

    /// The mode that a block at rest takes.
    fn rest(&self, state: &[f64]) -> u32 {
        let load = self.joined.held_load(state);
        if load.abs() <= self.limit {
            HELD
        } else if load > 0.0 {
            // Friction would have to push forward: the block goes backward.
            0
        } else {
            FORWARD
        }
    }
}

impl Flow for Sliding {
    fn derivative(&self, mode: u32, state: &[f64], derivative: &mut [f64]) {
        if mode == HELD {
            self.joined.derivative(1, state, derivative);
        } else {
            self.joined.derivative_with(state, -Self::sign(mode) * self.limit, derivative);
        }
    }

    fn events(&self, mode: u32, state: &[f64]) -> Vec<f64> {
        if mode == HELD {
            vec![self.limit - self.joined.held_load(state).abs()]
        } else {
            vec![Self::sign(mode) * state[self.velocity] + 1e-14]
        }
    }

    fn jump(&self, mode: u32, _event: usize, state: &mut [f64]) -> u32 {
        if mode == HELD {
            return if self.joined.held_load(state) > 0.0 { 0 } else { FORWARD };
        }
        state[self.velocity] = 0.0;
        self.rest(state)
    }
}

#[derive(Debug)]
struct SlideTruth(Motion<Sliding>);

impl Truth for SlideTruth {
    fn values(&self, t: f64) -> Vec<f64> {
        self.0.flow.joined.values(&self.0.at(t).1)
    }

    fn events(&self) -> &[f64] {
        &self.0.events
    }

    fn load(&self, _t: f64) -> Option<f64> {
        None
    }
}

/// A sliding block and an oscillator.
#[derive(Debug)]
pub(super) struct SlideModel {
    name: &'static str,
    pair: Pair,
    friction: f64,
    span: (f64, u32),
    truths: [OnceLock<Arc<SlideTruth>>; 4],
}

impl SlideModel {
    fn truth(&self, law: Law) -> SlideTruth {
        let block = self.pair.sides[0].lumps[0];
        // The hold of a block that sticks: a stop of the first mass that is closed in mode 1.
        let hold = Stop { lump: 0, is_ceiling: false, place: 0.0, restitution: 0.0 };
        let mut held = self.pair.clone();
        held.sides[0].stops.push(hold);
        let joined = Joined::new(&held, law);
        let start = joined.start(&held);
        let limit = self.friction * block.mass * GRAVITY;
        let flow = Sliding { joined, limit, velocity: start.len() / 2 };
        let mode = if block.velocity > 0.0 { FORWARD } else { 0 };
        SlideTruth(Motion::of(flow, start, mode, self.span.0, 400))
    }

    fn block_text(&self, kind: Kind) -> String {
        let Lump { mass, position, velocity } = self.pair.sides[0].lumps[0];
        let mu = self.friction;
        let law = format!("restitution = 0.0\nfriction = {mu:?}\n");
        match kind {
            Kind::Node | Kind::RigidBody => format!(
                "mass = {mass:e}\ngravity = [0, -{GRAVITY}, 0]\nposition = [{position:e}, 0, 0]\nvelocity = [{velocity:e}, 0, 0]\n\
                 [[subsystem.port]]\nname = \"p\"\ndirection = [1, 0, 0]\n\
                 [[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 1, 0]\n{law}"
            ),
            Kind::Linear => format!(
                "coordinates = [\"m0\", \"y\"]\nmass = [{mass:e}, {mass:e}]\nforce = [0, {:e}]\n\
                 position = [{position:e}, 0]\nvelocity = [{velocity:e}, 0]\n\
                 [[subsystem.port]]\nname = \"p\"\ncoordinates = [0]\n\
                 [[subsystem.contact]]\nname = \"floor\"\nrow = {{ y = 1.0 }}\ntangents = [{{ m0 = 1.0 }}]\n{law}",
                -mass * GRAVITY
            ),
            Kind::Planar => format!(
                "gravity = [0, -{GRAVITY}]\n[[subsystem.body]]\nname = \"m0\"\nmass = {mass:e}\ninertia = {:e}\n\
                 position = [{position:e}, 0]\nvelocity = [{velocity:e}, 0]\n\
                 [[subsystem.port]]\nname = \"p\"\nbody = \"m0\"\ndirection = [1, 0]\n\
                 [[subsystem.contact]]\nname = \"floor\"\nbody = \"m0\"\nnormal = [0, 1]\n{law}",
                0.1 * mass
            ),
            Kind::Multibody => format!(
                "gravity = [0, -{GRAVITY}, 0]\n[[subsystem.body]]\nname = \"m0\"\nmass = {mass:e}\ninertia = [{0:e}, {0:e}, {0:e}]\n\
                 position = [{position:e}, 0, 0]\nvelocity = [{velocity:e}, 0, 0]\n\
                 [[subsystem.port]]\nname = \"p\"\nbody = \"m0\"\ndirection = [1, 0, 0]\n\
                 [[subsystem.contact]]\nname = \"floor\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 1, 0] }}\n\
                 second = {{ body = \"m0\" }}\n{law}",
                0.1 * mass
            ),
        }
    }
}

impl Model for SlideModel {
    fn name(&self) -> &str {
        self.name
    }

    fn fits(&self, combination: &Combination) -> bool {
        let [block, other] = combination.kinds;
        block != Kind::RigidBody
            && matches!(other, Kind::Linear | Kind::Planar | Kind::Multibody)
            && combination.ports == Ports::Scalar
            && combination.impacts != Impacts::None
    }

    fn setup(&self, combination: &Combination) -> Setup {
        let (pair, law, kinds) = (self.pair.clone(), combination.law, combination.kinds);
        let (end, steps) = self.span;
        let [scheme, acceleration] = combination.scheme.keys();
        let text = format!(
            "schema = 1\ntime = {{ end = {end:?}, step = {:e} }}\n[master]\nscheme = \"{scheme}\"\n\
             acceleration = \"{acceleration}\"\ntolerance = 1e-10\nimpacts = \"{}\"\n\
             [[subsystem]]\nname = \"a\"\nkind = \"{}\"\nsolver = {}\n{}{}{}",
            end / f64::from(steps),
            combination.impacts,
            kinds[0],
            combination.rules[0].solver(kinds[0], true),
            self.block_text(kinds[0]),
            subsystem(&pair, 1, combination),
            interface(&pair, law, combination.ports)
        );
        let block = match kinds[0] {
            Kind::Linear => ["a.m0", "a.v_m0"],
            Kind::Planar | Kind::Multibody => ["a.m0.x", "a.m0.vx"],
            Kind::Node | Kind::RigidBody => ["a.x", "a.vx"],
        };
        let other = labels(&pair.sides[1], NAMES[1], kinds[1]);
        let mut observed = vec![block[0].to_owned()];
        observed.extend(other[0].clone());
        observed.push(block[1].to_owned());
        observed.extend(other[1].clone());
        let truth = self.truths[law as usize].get_or_init(|| Arc::new(self.truth(law)));
        Setup {
            text,
            end,
            steps,
            positions: observed.len() / 2,
            labels: observed,
            impulse: None,
            truth: truth.clone(),
            energy: Box::new(move |values| pair.energy(law, values)),
            largest_order: 1.0,
        }
    }
}

/// All of them.
#[must_use]
pub(super) fn slide_models() -> Vec<SlideModel> {
    let pair = |masses: [f64; 2], speed: f64, stiffness: f64, span: (f64, u32)| {
        let lump = |mass, position| Lump { mass, position, velocity: speed };
        let spring = Spring { first: 0, second: None, stiffness, damping: 0.0, rest: 1.0 };
        let reduced = 1.0 / (1.0 / masses[0] + 1.0 / masses[1]);
        let step = span.0 / f64::from(span.1);
        Pair {
            sides: [
                Side { lumps: vec![lump(masses[0], 0.0)], springs: vec![], stops: vec![], joined: 0 },
                Side { lumps: vec![lump(masses[1], 1.0)], springs: vec![spring], stops: vec![], joined: 0 },
            ],
            gravity: 0.0,
            stiffness: reduced * (0.2 / step).powi(2),
            small: 1e-8 * step * step / reduced,
            soft: (step / 0.25).powi(2) / reduced,
        }
    };
    let span = (0.3, 36);
    vec![SlideModel {
        name: "block that slides on an oscillator, 0.5 to 1 kg, friction 0.4",
        pair: pair([0.5, 1.0], 0.8, 300.0, span),
        friction: 0.4,
        span,
        truths: Default::default(),
    }]
}
