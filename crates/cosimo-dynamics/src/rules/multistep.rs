//! Linear multistep rules: the two-step rule with a spectral radius, and backward differentiation.

use super::backward_differentiation::{Coefficients, MOST, backward_differentiation, extrapolation_weight};
use super::formula::{EndWeights, PositionUpdate, Prediction, StepFormula};
use super::past::Past;
use super::ranges::{check_spectral_radius, within};
use super::state_point::StatePoint;
use super::step_rule::{StepRule, VariableOrder};
use super::two_step::TwoStepCoefficients;
use crate::{Coordinates, LoadQuadrature, SystemError};

/// A linear multistep rule, applied to velocities and, in the coordinates `x` around the present position, to positions:
///
/// ```text
///   v₁ = Σ aⱼ v₋ⱼ + b u + Σ bⱼ u₋ⱼ        x₁ = Σ aⱼ x₋ⱼ + b ẋ₁ + Σ bⱼ ẋ₋ⱼ        j = 0, 1, …
///   q₁ = q₀ ∘ exp(x₁)      q₋ⱼ = q₀ ∘ exp(x₋ⱼ)      ẋ = T(x)⁻¹ v
/// ```
///
/// where `u`, the acceleration at the end of the step, satisfies the equations of motion there. In these coordinates the equations are
/// those of a vector space, so that a rule keeps its order. Positions of the past are less than half a turn away.
///
/// The two-step rule is of order two and A-stable; its spectral radius at infinite frequency is a parameter `ρ`, and its
/// coefficients are those of [`TwoStepCoefficients`]. `ρ = 0` is the second-order backward differentiation formula, `ρ = 1`
/// conserves; 0.6 is the usual choice. The first step, and the first after a jump of the velocity, is one of the Crank-Nicolson rule,
/// which starts from a consistent acceleration: a past from before an impulse would count the impulse again.
///
/// Backward differentiation of order `k` wants `k − 1` points before a start. It does not pass on given momenta where its order is
/// above 1.
///
/// Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody
/// Problems*, Politecnico di Milano 2012, section 5.1 (its print needs corrections);
/// P. Masarati, M. Lanz, P. Mantegazza, *Multistep integration of ordinary, stiff and differential-algebraic
/// problems for multibody dynamics applications*, XVI Congresso Nazionale AIDAA, 2001.
#[derive(Debug, Clone, PartialEq)]
pub struct Multistep {
    kind: Kind,
    past: Past,
    increment: Vec<f64>,
    rate: Vec<f64>,
    extrapolated: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    TwoStep {
        spectral_radius: f64,
    },
    BackwardDifferentiation {
        order: usize,
    },
    /// Of an order that is set from step to step; begins with order 1.
    Adaptive {
        largest: usize,
        order: usize,
    },
}

impl Multistep {
    fn of_kind(kind: Kind) -> Self {
        let (past, [increment, rate, extrapolated]) = (Past::default(), [const { Vec::new() }; 3]);
        Self { kind, past, increment, rate, extrapolated }
    }

    /// The two-step rule with this spectral radius at infinite frequency, in \[0, 1\].
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn new(spectral_radius: f64) -> Result<Self, SystemError> {
        check_spectral_radius(spectral_radius)?;
        Ok(Self::of_kind(Kind::TwoStep { spectral_radius }))
    }

    /// Backward differentiation of this order, in 1 to 5. From 2 on it is for differential-algebraic systems, which find the points
    /// before its start.
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn backward_differentiation(order: usize) -> Result<Self, SystemError> {
        within("order of backward differentiation", order as f64, (1.0, 5.0), "in 1 to 5")?;
        Ok(Self::of_kind(Kind::BackwardDifferentiation { order }))
    }

    /// Backward differentiation of a [variable order](VariableOrder) up to this one, in 1 to 5: for differential-algebraic systems.
    ///
    /// # Errors
    /// [`SystemError::OutOfRange`] otherwise.
    pub fn adaptive(largest: usize) -> Result<Self, SystemError> {
        within("largest order of backward differentiation", largest as f64, (1.0, 5.0), "in 1 to 5")?;
        Ok(Self::of_kind(Kind::Adaptive { largest, order: 1 }))
    }

    /// The points of the past that it has room for.
    fn room(&self) -> usize {
        match self.kind {
            Kind::TwoStep { .. } => 1,
            Kind::BackwardDifferentiation { order } => order.saturating_sub(1),
            Kind::Adaptive { largest, .. } => largest,
        }
    }

    /// The points of the past that the next step uses.
    fn used(&self) -> usize {
        let known = self.past.known().len();
        if let Kind::Adaptive { order, .. } = self.kind { known.min(order - 1) } else { known }
    }

    /// Ages of the present point and all known ones, seen from the end of a step of size `h`.
    fn ages(&self, h: f64) -> [f64; MOST] {
        let mut ages = [h; MOST];
        ages[1..].iter_mut().zip(self.past.known()).for_each(|(age, point)| *age += point.age);
        ages
    }

    fn coefficients(&self, h: f64) -> Coefficients {
        match self.kind {
            Kind::BackwardDifferentiation { .. } | Kind::Adaptive { .. } => {
                backward_differentiation(&self.ages(h)[..=self.used()])
            }
            Kind::TwoStep { spectral_radius } => {
                let found = self.two_steps(spectral_radius, h);
                let mut own = Coefficients { end: found.rate[0], ..Coefficients::default() };
                own.value[..2].copy_from_slice(&found.value);
                own.rate[..2].copy_from_slice(&found.rate[1..]);
                own
            }
        }
    }

    /// Those of the rule of two steps.
    fn two_steps(&self, spectral_radius: f64, h: f64) -> TwoStepCoefficients {
        match self.past.known().first() {
            None => TwoStepCoefficients::start(h),
            Some(point) => TwoStepCoefficients::new(spectral_radius, h, point.age),
        }
    }

    /// `b` of a step of size `h` (s).
    fn end_rate(&self, h: f64) -> f64 {
        match self.kind {
            Kind::TwoStep { spectral_radius } => self.two_steps(spectral_radius, h).rate[0],
            _ => self.coefficients(h).end,
        }
    }

    /// Largest differences of positions and velocities at the end from the polynomial through the first `count` points.
    fn differences(
        &mut self,
        (ages, count): (&[f64; MOST], usize),
        [before, end]: [StatePoint<'_>; 2],
        coordinates: &Coordinates,
    ) -> [f64; 2] {
        let Self { past, increment, rate, extrapolated, .. } = self;
        let (before, end) = (before.motion, end.motion);
        coordinates.difference(before.q, end.q, extrapolated);
        rate.copy_from_slice(end.v);
        for j in 0..count {
            let weight = extrapolation_weight(ages, count, j);
            let point = (j > 0).then(|| &past.known()[j - 1]);
            if let Some(point) = point {
                coordinates.difference(before.q, &point.q, increment);
                extrapolated.iter_mut().zip(&*increment).for_each(|(x, y)| *x -= weight * y);
            }
            let v = point.map_or(before.v, |point| &point.v);
            rate.iter_mut().zip(v).for_each(|(x, y)| *x -= weight * y);
        }
        [&*extrapolated, &*rate].map(|x| x.iter().fold(0.0, |m: f64, x| m.max(x.abs())))
    }

    /// The same from the line through the start along its rate, where no other point is known.
    fn differences_from_tangent(
        &mut self,
        h: f64,
        [before, end]: [StatePoint<'_>; 2],
        coordinates: &Coordinates,
    ) -> [f64; 2] {
        let (increment, from, to) = (&mut self.increment, before.motion, end.motion);
        coordinates.difference(from.q, to.q, increment);
        let mut off = [0.0_f64; 2];
        for i in 0..increment.len() {
            off[0] = off[0].max((increment[i] - h * from.v[i]).abs());
            off[1] = off[1].max((to.v[i] - from.v[i] - h * before.a[i]).abs());
        }
        off
    }
}

impl StepRule for Multistep {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::TwoStep { .. } => "multistep",
            Kind::BackwardDifferentiation { .. } | Kind::Adaptive { .. } => "bdf",
        }
    }

    fn label(&self) -> String {
        match self.kind {
            Kind::TwoStep { spectral_radius } => format!("multistep {spectral_radius}"),
            Kind::BackwardDifferentiation { order } | Kind::Adaptive { largest: order, .. } => {
                format!("bdf {order}")
            }
        }
    }

    fn formula(&self, h: f64) -> StepFormula {
        let b = self.end_rate(h);
        let end = EndWeights { velocity: b, position: b * b };
        StepFormula::at_end(h, end, PositionUpdate::Rate { weight: b })
    }

    fn end_share(&self) -> f64 {
        match self.kind {
            Kind::TwoStep { spectral_radius } => TwoStepCoefficients::new(spectral_radius, 1.0, 1.0).rate[0],
            Kind::BackwardDifferentiation { order } | Kind::Adaptive { largest: order, .. } => {
                let ages: [f64; MOST] = std::array::from_fn(|k| (k + 1) as f64);
                backward_differentiation(&ages[..order]).end
            }
        }
    }

    fn predict(&mut self, h: f64, start: StatePoint<'_>, coordinates: &Coordinates, out: &mut Prediction) {
        let Coefficients { value, rate, .. } = self.coefficients(h);
        let (v, u, n) = (start.motion.v, start.a, start.a.len());
        let (velocity, out_increment) = (&mut out.velocity[..n], &mut out.increment[..n]);
        for i in 0..n {
            velocity[i] = value[0] * v[i] + rate[0] * u[i];
            out_increment[i] = rate[0] * v[i];
        }
        let used = self.used();
        let Self { past, increment, rate: chart, .. } = self;
        let (increment, chart) = (&mut increment[..n], &mut chart[..n]);
        for (j, point) in past.known()[..used].iter().enumerate() {
            let (a, b) = (value[j + 1], rate[j + 1]);
            coordinates.difference(start.motion.q, &point.q, increment);
            coordinates.rate(increment, &point.v, chart);
            let (v, u) = (&point.v[..n], &point.a[..n]);
            for i in 0..n {
                velocity[i] += a * v[i] + b * u[i];
                out_increment[i] += a * increment[i] + b * chart[i];
            }
        }
    }

    /// The polynomial through the known accelerations.
    fn guess(&self, h: f64, start: StatePoint<'_>, out: &mut [f64]) {
        let (ages, used) = (self.ages(h), self.used());
        out.fill(0.0);
        for j in 0..=used {
            let weight = extrapolation_weight(&ages, used + 1, j);
            let a = if j == 0 { start.a } else { &self.past.known()[j - 1].a };
            out.iter_mut().zip(a).for_each(|(out, a)| *out += weight * a);
        }
    }

    fn quadrature(&self, h: f64) -> LoadQuadrature {
        match self.kind {
            Kind::TwoStep { spectral_radius } => self.two_steps(spectral_radius, h).quadrature(),
            // Of order 1 loads are means; others refuse momenta.
            Kind::BackwardDifferentiation { .. } | Kind::Adaptive { .. } => LoadQuadrature::default(),
        }
    }

    fn passes_momenta(&self) -> bool {
        matches!(self.kind, Kind::TwoStep { .. } | Kind::BackwardDifferentiation { order: 1 })
    }

    fn move_past(&mut self, displacement: &[f64], coordinates: &Coordinates) {
        self.past.move_by(displacement, coordinates);
    }

    fn accept(&mut self, h: f64, start: StatePoint<'_>, _end: &[f64], jumped: bool) {
        self.past.push(h, start);
        if jumped {
            self.past.drop_all();
        }
    }

    fn restart(&mut self, coordinates: &Coordinates) {
        self.past.forget(self.room(), coordinates);
        for own in [&mut self.increment, &mut self.rate, &mut self.extrapolated] {
            own.resize(coordinates.velocities(), 0.0);
        }
    }

    fn needs_acceleration(&self) -> bool {
        self.past.known().is_empty()
    }

    fn wanted_past(&self) -> usize {
        match self.kind {
            Kind::BackwardDifferentiation { order } => order - 1,
            Kind::TwoStep { .. } | Kind::Adaptive { .. } => 0,
        }
    }

    fn take_past(&mut self, age: f64, point: StatePoint<'_>) {
        self.past.take(age, point);
    }

    fn variable_order(&mut self) -> Option<&mut dyn VariableOrder> {
        matches!(self.kind, Kind::Adaptive { .. }).then_some(self)
    }

    fn save(&self, out: &mut Vec<f64>) {
        self.past.save(out);
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        self.past.restore(saved)
    }
}

impl VariableOrder for Multistep {
    fn set_order(&mut self, wanted: usize) {
        if let Kind::Adaptive { largest, order } = &mut self.kind {
            *order = wanted.clamp(1, *largest);
        }
    }

    fn local_errors(
        &mut self,
        h: f64,
        order: usize,
        ends: [StatePoint<'_>; 2],
        coordinates: &Coordinates,
    ) -> Option<[f64; 2]> {
        let known = self.past.known().len();
        if order == 1 && known == 0 {
            let found = self.differences_from_tangent(h, ends, coordinates);
            return Some(found.map(|difference| 0.5 * difference));
        }
        if !(1..=self.room()).contains(&order) || order > known {
            return None;
        }
        let ages = self.ages(h);
        let share = h / ages[order];
        Some(self.differences((&ages, order + 1), ends, coordinates).map(|difference| share * difference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoordinateBlock, Motion};

    /// Along `x = tᵏ⁺¹` at equal steps, each end what the rule makes of exact points: the local error is the end itself, as
    /// the exact one is zero.
    #[test]
    fn errors_are_estimated_on_the_safe_side() -> Result<(), SystemError> {
        let coordinates = Coordinates::new([CoordinateBlock::Flat(1)]);
        let h = 0.1;
        for (order, ratio) in (1..=5).zip([1.5, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0, 2.45]) {
            let x = |age: f64| (-age).powi(order as i32 + 1);
            fn at(x: &[f64]) -> StatePoint<'_> {
                StatePoint { motion: Motion { t: 0.0, q: x, v: x }, a: &[0.0] }
            }
            let mut rule = Multistep::adaptive(5)?;
            rule.restart(&coordinates);
            for k in (1..=order).rev() {
                rule.accept(h, at(&[x(h * (k + 1) as f64)]), &[0.0], false);
            }
            let ages: Vec<f64> = (1..=order).map(|k| h * k as f64).collect();
            let weights = backward_differentiation(&ages).value;
            let end: f64 = ages.iter().zip(weights).map(|(age, a)| a * x(*age)).sum();
            let found = rule.local_errors(h, order, [at(&[x(h)]), at(&[end])], &coordinates);
            for estimate in found.into_iter().flatten() {
                assert!((estimate / end.abs() - ratio).abs() < 1e-9, "{order}: {estimate} of {end}");
            }
            assert!(found.is_some());
        }
        Ok(())
    }
}
