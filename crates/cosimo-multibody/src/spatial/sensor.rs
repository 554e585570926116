//! Numbers measured between two frames.

use nalgebra::Vector3;

use super::accelerometer::Accelerometer;
use super::geometry::Geometry;
use super::joint::{Frame, Marker};
use super::pose::Pair;
use super::turns::Turns;

/// What a sensor measures, with its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SensorKind {
    /// Way from the first point to the second in world axes (m).
    Way,
    /// Distance of the points (m), which must not be zero at the start.
    Distance,
    /// Way of the second point along the first frame's `z` (m).
    Displacement,
    /// Angle about the first frame's `z` from its `x` to the second's `x` (rad). It starts as [`Sensor::turns`]
    /// says and counts turns; a step must change it by less than half a turn.
    Angle,
    /// Acceleration of the second point (m/s²) by the equations of motion; the first frame has no effect.
    Acceleration {
        /// Whether it is along the axes of the second frame, which turn with their body, or along those of the world.
        on_body: bool,
        /// Whether it is less that of gravity: what an accelerometer measures, 0 in free fall and `g` upwards at rest.
        proper: bool,
    },
}

/// A sensor between two frames.
#[derive(Debug, Clone)]
pub struct Sensor {
    /// Name.
    pub name: String,
    /// What it measures.
    pub kind: SensorKind,
    /// Frame on the first body.
    pub first: Frame,
    /// Frame on the second body.
    pub second: Frame,
    /// Whole turns by which an angle is ahead of (−π, π] at the start.
    pub turns: i32,
}

impl Sensor {
    /// A sensor between two frames.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: SensorKind, first: Frame, second: Frame) -> Self {
        Self { name: name.into(), kind, first, second, turns: 0 }
    }

    /// Lets an angle start by so many whole turns ahead of (−π, π], default 0.
    #[must_use]
    pub fn with_turns(mut self, turns: i32) -> Self {
        self.turns = turns;
        self
    }
}

impl SensorKind {
    /// Names and units of what it shows, the numbers before their rates.
    fn parts(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Way => &[("x", "m"), ("y", "m"), ("z", "m"), ("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")],
            Self::Distance => &[("distance", "m"), ("rate", "m/s")],
            Self::Displacement => &[("displacement", "m"), ("rate", "m/s")],
            Self::Angle => &[("angle", "rad"), ("rate", "rad/s")],
            Self::Acceleration { .. } => &[("ax", "m/s²"), ("ay", "m/s²"), ("az", "m/s²")],
        }
    }

    pub(super) fn geometries(self, first: &Marker, second: &Marker) -> Vec<Geometry> {
        let arms = [first.arm, second.arm];
        match self {
            Self::Way => {
                [Vector3::x(), Vector3::y(), Vector3::z()].map(|c| Geometry::Coordinate { c, arms }).to_vec()
            }
            Self::Distance => vec![Geometry::Distance { arms }],
            Self::Acceleration { .. } => Vec::new(),
            Self::Displacement => vec![Geometry::Dot2 { a: first.axes[2], arms }],
            Self::Angle => {
                vec![Geometry::Angle { x: first.axes[0], y: first.axes[1], b: second.axes[0] }]
            }
        }
    }
}

/// A sensor whose bodies are found.
#[derive(Debug, Clone)]
pub(super) struct PlacedSensor {
    pub(super) name: String,
    pub(super) kind: SensorKind,
    pub(super) bodies: [Option<usize>; 2],
    pub(super) geometries: Vec<Geometry>,
    /// Of an angle.
    turns: Option<Turns>,
    accelerometer: Option<Accelerometer>,
}

impl Sensor {
    /// The sensor between two markers, the second on a body with this gravity (m/s²).
    pub(super) fn placed(&self, markers: &[Marker; 2], gravity: &Vector3<f64>) -> PlacedSensor {
        let accelerometer = match self.kind {
            SensorKind::Acceleration { on_body, proper } => {
                let gravity = if proper { *gravity } else { Vector3::zeros() };
                Some(Accelerometer::new(&markers[1], on_body, gravity))
            }
            _ => None,
        };
        PlacedSensor {
            name: self.name.clone(),
            kind: self.kind,
            bodies: markers.map(|marker| marker.body),
            geometries: self.kind.geometries(&markers[0], &markers[1]),
            turns: (self.kind == SensorKind::Angle).then_some(Turns::whole(self.turns)),
            accelerometer,
        }
    }
}

impl PlacedSensor {
    /// Counts the turns of an accepted state.
    pub(super) fn accept(&mut self, q: &[f64]) {
        if let Some(turns) = &mut self.turns {
            let pair = Pair::read(q, &[], self.bodies);
            self.geometries.iter().for_each(|geometry| turns.accept(geometry.value(&pair)));
        }
    }

    /// By how much its angle changes (rad) on a step from `q` by the increment `x`, if that is too much to be counted.
    pub(super) fn angle_wrap(&self, q: &[f64], x: &[f64]) -> Option<f64> {
        let turns = self.turns?;
        let step = Pair::read(q, x, self.bodies);
        self.geometries.iter().find_map(|geometry| turns.angle_wrap(geometry, &step))
    }

    /// Whether it measures one number.
    pub(super) fn is_scalar(&self) -> bool {
        !matches!(self.kind, SensorKind::Way | SensorKind::Acceleration { .. })
    }

    /// Names and units of what it shows, the numbers before their rates.
    pub(super) fn parts(&self) -> &'static [(&'static str, &'static str)] {
        self.kind.parts()
    }

    /// Writes what it shows at positions `q`, velocities `v` and accelerations `a`; angles with the turns counted up to the state
    /// accepted last.
    pub(super) fn observe<'a>(&self, [q, v, a]: [&[f64]; 3], out: &mut impl Iterator<Item = &'a mut f64>) {
        if let Some(accelerometer) = &self.accelerometer {
            let measured = accelerometer.measure(q, v, a);
            measured.iter().zip(out).for_each(|(value, out)| *out = *value);
            return;
        }
        let pair = Pair::read(q, v, self.bodies);
        let values = self.geometries.iter().map(|geometry| self.counted(geometry.value(&pair)));
        let rates = self.geometries.iter().map(|geometry| geometry.gradient(&pair).rate(&pair.twists));
        values.chain(rates).zip(out).for_each(|(value, out)| *out = value);
    }

    /// The number with the turns counted, of an angle.
    pub(super) fn counted(&self, value: f64) -> f64 {
        self.turns.map_or(value, |turns| turns.count(value))
    }

    /// What it remembers.
    pub(super) fn saved(&self) -> Option<f64> {
        self.turns.map(Turns::saved)
    }

    /// Goes back to what it remembered; `None` where that is missing.
    pub(super) fn restore(&mut self, saved: &mut std::slice::Iter<'_, f64>) -> Option<()> {
        if let Some(turns) = &mut self.turns {
            turns.restore(*saved.next()?);
        }
        Some(())
    }
}
