//! Forces along a number that two bodies define.

use std::sync::Arc;

use super::super::element::{Memory, Overturned, PairLaw};
use super::super::geometry::Geometry;
use cosimo_mechanics::TimeFunction;

use super::super::pose::{Gradient, Hessian, Pair};
use super::super::turns::Turns;
use super::{Onset, PenaltyLaw};

/// Steps ahead, at the present rate, within which a contact counts as about to close.
const NEARLY: f64 = 1.5;

/// Force of the time, a length or angle `s` and its rate: `f(t, s, ṡ)` gives the force and its derivatives by `s` and `ṡ`.
#[derive(Clone)]
pub struct ScalarFunction(pub Arc<dyn Fn(f64, f64, f64) -> [f64; 3] + Send + Sync>);

impl std::fmt::Debug for ScalarFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ScalarFunction")
    }
}

/// The generalised force `−F(t, s, ṡ) ∇s` of a number `s(q)`.
#[derive(Debug)]
pub(crate) struct ScalarForce {
    geometry: Geometry,
    law: ScalarLaw,
    /// Of an angle.
    turns: Option<Turns>,
    /// Whether a spring is free where it starts.
    is_free_at_start: bool,
}

/// `F(t, s, ṡ)`.
#[derive(Debug)]
pub(crate) enum ScalarLaw {
    Spring {
        k: f64,
        c: f64,
        free: f64,
        preload: f64,
    },
    /// Contact where the gap `factor · s − offset` is negative.
    Contact {
        factor: f64,
        offset: f64,
        law: PenaltyLaw,
        onset: Onset,
    },
    /// A force over time that drives the number.
    Actuator(TimeFunction),
    Function(ScalarFunction),
}

impl ScalarLaw {
    pub(crate) fn contact(factor: f64, offset: f64, law: PenaltyLaw) -> Self {
        Self::Contact { factor, offset, law, onset: Onset::UNKNOWN }
    }

    /// Whether its power comes from outside.
    fn is_from_outside(&self) -> bool {
        matches!(self, Self::Actuator(_) | Self::Function(_))
    }

    /// Force and its derivatives by `s` and `ṡ`.
    fn force(&self, t: f64, s: f64, rate: f64) -> [f64; 3] {
        match self {
            Self::Spring { k, c, free, preload } => [k * (s - free) + c * rate + preload, *k, *c],
            Self::Contact { factor, offset, law, onset } => {
                let [force, by_depth, by_rate] = law.force(offset - factor * s, -factor * rate, onset);
                // The penetration is offset − factor s, and the force pushes towards larger gaps.
                [-factor * force, factor * factor * by_depth, factor * factor * by_rate]
            }
            Self::Actuator(force) => [-force.value(t), 0.0, 0.0],
            Self::Function(function) => (function.0)(t, s, rate),
        }
    }
}

impl ScalarForce {
    /// An angle starts in (−π, π], plus so many whole turns; a spring may be free there.
    pub(crate) fn new(geometry: Geometry, law: ScalarLaw, (turns, is_free_at_start): (i32, bool)) -> Self {
        let turns = matches!(geometry, Geometry::Angle { .. }).then_some(Turns::whole(turns));
        Self { geometry, law, turns, is_free_at_start }
    }

    /// `s`; of an angle with its turns.
    fn value(&self, pair: &Pair) -> f64 {
        let value = self.geometry.value(pair);
        self.turns.map_or(value, |turns| turns.count(value))
    }
}

impl PairLaw for ScalarForce {
    fn add(&self, t: f64, pair: &Pair, out: &mut Gradient) {
        let gradient = self.geometry.gradient(pair);
        let [force, ..] = self.law.force(t, self.value(pair), gradient.rate(&pair.twists));
        out.add(force, &gradient);
    }

    fn add_tangents(&self, t: f64, pair: &Pair, stiffness: &mut Hessian, damping: &mut Hessian) {
        let gradient = self.geometry.gradient(pair);
        let rate = gradient.rate(&pair.twists);
        let [force, by_value, by_rate] = self.law.force(t, self.value(pair), rate);
        if force != 0.0 {
            self.geometry.add_hessian(force, pair, stiffness);
        }
        if by_value != 0.0 {
            stiffness.add_product(by_value, &gradient, &gradient);
        }
        if by_rate != 0.0 {
            let of_rate = self.geometry.hessian(pair).rate_gradient(&pair.twists);
            stiffness.add_product(by_rate, &gradient, &of_rate);
            damping.add_product(by_rate, &gradient, &gradient);
        }
    }

    /// Functions may follow an input, which is that of the next step already when the state is shown.
    fn is_shown(&self) -> bool {
        !self.law.is_from_outside()
    }

    fn potential(&self, pair: &Pair) -> f64 {
        let s = self.value(pair);
        match &self.law {
            ScalarLaw::Spring { k, free, preload, .. } => {
                let stretch = s - free;
                0.5 * k * stretch * stretch + preload * stretch
            }
            ScalarLaw::Contact { factor, offset, law, .. } => law.potential(offset - factor * s),
            ScalarLaw::Actuator(_) | ScalarLaw::Function(_) => 0.0,
        }
    }

    fn dissipated_power(&self, t: f64, pair: &Pair) -> f64 {
        let rate = self.geometry.gradient(pair).rate(&pair.twists);
        match &self.law {
            ScalarLaw::Spring { c, .. } => c * rate * rate,
            ScalarLaw::Contact { .. } => {
                let s = self.value(pair);
                let [force, ..] = self.law.force(t, s, rate);
                let [elastic, ..] = self.law.force(t, s, 0.0);
                (force - elastic) * rate
            }
            ScalarLaw::Actuator(_) | ScalarLaw::Function(_) => 0.0,
        }
    }

    fn external_power(&self, t: f64, pair: &Pair) -> f64 {
        if !self.law.is_from_outside() {
            return 0.0;
        }
        let rate = self.geometry.gradient(pair).rate(&pair.twists);
        -self.law.force(t, self.value(pair), rate)[0] * rate
    }

    fn angle_wrap(&self, step: &Pair) -> Option<Overturned> {
        self.turns?.angle_wrap(&self.geometry, step).map(Overturned::Uncounted)
    }

    fn jumps(&self, pair: &Pair, h: f64) -> bool {
        let ScalarLaw::Contact { factor, offset, law, .. } = &self.law else { return false };
        let depth = offset - factor * self.value(pair);
        let rate = -factor * self.geometry.gradient(pair).rate(&pair.twists);
        law.jumps() && depth <= 0.0 && depth + NEARLY * h * rate > 0.0
    }

    fn start(&mut self, pair: &Pair) {
        let value = self.value(pair);
        if let ScalarLaw::Spring { free, .. } = &mut self.law
            && self.is_free_at_start
        {
            *free = value;
        }
    }

    fn accept(&mut self, pair: &Pair) {
        let value = self.value(pair);
        if let Some(turns) = &mut self.turns {
            turns.accept(value);
        }
        if let ScalarLaw::Contact { factor, offset, onset, .. } = &mut self.law {
            let rate = self.geometry.gradient(pair).rate(&pair.twists);
            onset.note(*offset - *factor * value, -*factor * rate);
        }
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend(self.turns.map(Turns::saved));
        match &self.law {
            ScalarLaw::Contact { onset, .. } => out.extend([onset.velocity, onset.depth]),
            ScalarLaw::Spring { free, .. } if self.is_free_at_start => out.push(*free),
            _ => {}
        }
    }

    fn restore(&mut self, saved: &mut Memory<'_>) -> Option<()> {
        if let Some(turns) = &mut self.turns {
            turns.restore(*saved.next()?);
        }
        match &mut self.law {
            ScalarLaw::Contact { onset, .. } => {
                (onset.velocity, onset.depth) = (*saved.next()?, *saved.next()?);
            }
            ScalarLaw::Spring { free, .. } if self.is_free_at_start => *free = *saved.next()?,
            _ => {}
        }
        Some(())
    }
}
