//! Linear multistep rules: the two-step rule with a spectral radius, and backward differentiation.

use cosimo_dynamics::{Coordinates, LoadQuadrature};

use crate::TwoStepCoefficients;
use crate::dae::dae_rule::DaeRule;
use crate::dae::plan::{Link, Plan};
use crate::dae::state::DaeState;

/// Most points that a rule uses or judges its error by, the present one included.
const MOST: usize = 6;

/// A linear multistep rule, applied to velocities and, in the coordinates `x` around the present position, to positions:
///
/// ```text
///   v₁ = Σ aⱼ v₋ⱼ + b u + Σ bⱼ u₋ⱼ        x₁ = Σ aⱼ x₋ⱼ + b ẋ₁ + Σ bⱼ ẋ₋ⱼ        j = 0, 1, …
///   q₁ = q₀ ∘ exp(x₁)      q₋ⱼ = q₀ ∘ exp(x₋ⱼ)      ẋ = T(x)⁻¹ v
/// ```
///
/// In these coordinates the equations are those of a vector space, so that a rule keeps its order. Positions of the past
/// are less than half a turn away.
#[derive(Debug)]
pub(crate) struct LinearMultistep {
    kind: Kind,
    /// Past points, latest first, of which `known` are filled.
    past: Vec<DaeState>,
    known: usize,
    /// Whether they are points before a start of which no step has been taken yet: they are not part of the state.
    is_found: bool,
    increment: Vec<f64>,
    rate: Vec<f64>,
    extrapolated: Vec<f64>,
    moved: Vec<f64>,
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

/// Weights of the values and rates of the points `0, −1, …`, and of the rate at the end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Coefficients {
    /// `aⱼ`.
    pub(crate) value: [f64; MOST],
    /// `bⱼ` (s).
    pub(crate) rate: [f64; MOST],
    /// `b` (s).
    pub(crate) end: f64,
}

impl Coefficients {
    /// The polynomial through the end and these points, whose times `ages` (s) count back from the end, has the right
    /// rate at the end.
    pub(crate) fn backward_differentiation(ages: &[f64]) -> Self {
        let mut own = Self::default();
        let slope: f64 = ages.iter().map(|age| 1.0 / age).sum();
        own.end = 1.0 / slope;
        for (j, age) in ages.iter().enumerate() {
            let others = ages.iter().enumerate().filter(|(m, _)| *m != j);
            let product: f64 = others.map(|(_, other)| other / (other - age)).product();
            own.value[j] = own.end * product / age;
        }
        own
    }
}

impl LinearMultistep {
    fn new(kind: Kind, points: usize, coordinates: &Coordinates) -> Self {
        let (p, n) = (coordinates.positions(), coordinates.velocities());
        let point = DaeState { q: vec![0.0; p], v: vec![0.0; n], a: vec![0.0; n], ..DaeState::default() };
        Self {
            kind,
            past: vec![point; points],
            known: 0,
            is_found: false,
            increment: vec![0.0; n],
            rate: vec![0.0; n],
            extrapolated: vec![0.0; n],
            moved: vec![0.0; p],
        }
    }

    pub(crate) fn two_step(spectral_radius: f64, coordinates: &Coordinates) -> Self {
        Self::new(Kind::TwoStep { spectral_radius }, 1, coordinates)
    }

    pub(crate) fn backward_differentiation(order: usize, coordinates: &Coordinates) -> Self {
        Self::new(Kind::BackwardDifferentiation { order }, order.saturating_sub(1), coordinates)
    }

    pub(crate) fn adaptive(largest: usize, coordinates: &Coordinates) -> Self {
        Self::new(Kind::Adaptive { largest, order: 1 }, largest, coordinates)
    }

    /// Ages of the present point and the past ones in use, seen from the end of a step of size `h`.
    fn ages(&self, h: f64, state: &DaeState) -> ([f64; MOST], usize) {
        let count = match self.kind {
            Kind::Adaptive { order, .. } => order.min(1 + self.known),
            _ => 1 + self.known,
        };
        (self.all_ages(h, state), count)
    }

    /// Ages of all known points.
    fn all_ages(&self, h: f64, state: &DaeState) -> [f64; MOST] {
        let mut ages = [h; MOST];
        for (age, point) in ages[1..].iter_mut().zip(&self.past[..self.known]) {
            *age = h + (state.time - point.time);
        }
        ages
    }

    /// Largest differences of positions and velocities at the end from the polynomial through the first `count` points.
    fn differences(
        &mut self,
        (ages, count): (&[f64; MOST], usize),
        (before, end): (&DaeState, &DaeState),
        coordinates: &Coordinates,
    ) -> [f64; 2] {
        let Self { past, increment, rate, extrapolated, .. } = self;
        coordinates.difference(&before.q, &end.q, extrapolated);
        rate.copy_from_slice(&end.v);
        for j in 0..count {
            let others = (0..count).filter(|m| *m != j);
            let weight: f64 = others.map(|m| ages[m] / (ages[m] - ages[j])).product();
            let point = if j == 0 { before } else { &past[j - 1] };
            if j > 0 {
                coordinates.difference(&before.q, &point.q, increment);
                extrapolated.iter_mut().zip(&*increment).for_each(|(x, y)| *x -= weight * y);
            }
            rate.iter_mut().zip(&point.v).for_each(|(x, y)| *x -= weight * y);
        }
        [&*extrapolated, &*rate].map(|x| x.iter().fold(0.0, |m: f64, x| m.max(x.abs())))
    }

    /// The same from the line through the start along its rate, where no other point is known.
    fn differences_from_tangent(
        &mut self,
        h: f64,
        (before, end): (&DaeState, &DaeState),
        coordinates: &Coordinates,
    ) -> [f64; 2] {
        let Self { increment, .. } = self;
        coordinates.difference(&before.q, &end.q, increment);
        let mut off = [0.0_f64; 2];
        for i in 0..increment.len() {
            off[0] = off[0].max((increment[i] - h * before.v[i]).abs());
            off[1] = off[1].max((end.v[i] - before.v[i] - h * before.a[i]).abs());
        }
        off
    }

    fn coefficients(&self, h: f64, state: &DaeState) -> Coefficients {
        let (ages, count) = self.ages(h, state);
        match self.kind {
            Kind::BackwardDifferentiation { .. } | Kind::Adaptive { .. } => {
                Coefficients::backward_differentiation(&ages[..count])
            }
            Kind::TwoStep { spectral_radius } => {
                let found = self.two_steps(spectral_radius, h, state);
                let mut own = Coefficients { end: found.rate[0], ..Coefficients::default() };
                own.value[..2].copy_from_slice(&found.value);
                own.rate[..2].copy_from_slice(&found.rate[1..]);
                own
            }
        }
    }

    /// Those of the rule of two steps.
    fn two_steps(&self, spectral_radius: f64, h: f64, state: &DaeState) -> TwoStepCoefficients {
        match self.ages(h, state) {
            (_, 1) => TwoStepCoefficients::start(h),
            (ages, _) => TwoStepCoefficients::new(spectral_radius, h, ages[1] - h),
        }
    }

    /// Extrapolates the accelerations by the polynomial through the known ones.
    fn extrapolate(&self, h: f64, state: &DaeState, out: &mut [f64]) {
        let (ages, count) = self.ages(h, state);
        out.fill(0.0);
        for j in 0..count {
            let others = (0..count).filter(|m| *m != j);
            let weight: f64 = others.map(|m| ages[m] / (ages[m] - ages[j])).product();
            let a = if j == 0 { &state.a } else { &self.past[j - 1].a };
            out.iter_mut().zip(a).for_each(|(out, a)| *out += weight * a);
        }
    }
}

impl DaeRule for LinearMultistep {
    fn wanted_past(&self) -> usize {
        match self.kind {
            Kind::BackwardDifferentiation { order } if order > 1 => order - 1,
            _ => 0,
        }
    }

    fn take_past(&mut self, point: &DaeState) {
        if let Some(own) = self.past.get_mut(self.known) {
            own.copy_motion(point);
            self.known += 1;
            self.is_found = true;
        }
    }

    fn plan(&mut self, h: f64, state: &DaeState, coordinates: &Coordinates, out: &mut Plan) {
        let Coefficients { value, rate, end } = self.coefficients(h, state);
        for (i, (v, u)) in state.v.iter().zip(&state.a).enumerate() {
            out.velocity[i] = value[0] * v + rate[0] * u;
            out.increment[i] = rate[0] * v;
        }
        let used = self.ages(h, state).1 - 1;
        let Self { past, increment, rate: chart, .. } = self;
        for (j, point) in past[..used].iter().enumerate() {
            let (a, b) = (value[j + 1], rate[j + 1]);
            coordinates.difference(&state.q, &point.q, increment);
            coordinates.rate(increment, &point.v, chart);
            for i in 0..increment.len() {
                out.velocity[i] += a * point.v[i] + b * point.a[i];
                out.increment[i] += a * increment[i] + b * chart[i];
            }
        }
        self.extrapolate(h, state, &mut out.guess);
        (out.velocity_weight, out.position_weight) = (end, end * end);
        (out.link, out.share) = (Link::Rate { weight: end }, 1.0);
    }

    fn set_order(&mut self, order: usize) -> bool {
        let Kind::Adaptive { largest, order: own } = &mut self.kind else { return false };
        *own = order.clamp(1, *largest);
        true
    }

    fn local_errors(
        &mut self,
        h: f64,
        order: usize,
        ends: (&DaeState, &DaeState),
        coordinates: &Coordinates,
    ) -> Option<[f64; 2]> {
        let Kind::Adaptive { largest, .. } = self.kind else { return None };
        if order == 1 && self.known == 0 {
            let found = self.differences_from_tangent(h, ends, coordinates);
            return Some(found.map(|difference| 0.5 * difference));
        }
        if !(1..=largest).contains(&order) || order > self.known {
            return None;
        }
        let ages = self.all_ages(h, ends.0);
        let share = h / ages[order];
        Some(self.differences((&ages, order + 1), ends, coordinates).map(|difference| share * difference))
    }

    fn accept(&mut self, _h: f64, before: &DaeState, _after: &DaeState) {
        self.is_found = false;
        if self.past.is_empty() {
            return;
        }
        self.past.rotate_right(1);
        self.past[0].copy_motion(before);
        self.known = (self.known + 1).min(self.past.len());
    }

    fn quadrature(&self, h: f64, state: &DaeState) -> LoadQuadrature {
        match self.kind {
            Kind::TwoStep { spectral_radius } => self.two_steps(spectral_radius, h, state).quadrature(),
            // Of order 1 loads are means; of others no momenta are asked for.
            Kind::BackwardDifferentiation { .. } | Kind::Adaptive { .. } => LoadQuadrature::default(),
        }
    }

    fn move_past(&mut self, way: &[f64], coordinates: &Coordinates) {
        for point in &mut self.past[..self.known] {
            coordinates.move_by(&point.q, way, &mut self.moved);
            point.q.copy_from_slice(&self.moved);
        }
    }

    fn is_at_start(&self) -> bool {
        self.known == 0
    }

    fn restart(&mut self, _state: &DaeState) {
        (self.known, self.is_found) = (0, false);
    }

    fn save(&self, out: &mut Vec<f64>) {
        let known = if self.is_found { 0 } else { self.known };
        out.push(known as f64);
        for (k, point) in self.past.iter().enumerate() {
            let parts = [std::slice::from_ref(&point.time), &point.q, &point.v, &point.a];
            // What is not known does not matter.
            out.extend(parts.into_iter().flatten().map(|x| if k < known { *x } else { 0.0 }));
        }
    }

    fn restore(&mut self, saved: &[f64]) -> Option<usize> {
        let (known, mut rest) = saved.split_first()?;
        for point in &mut self.past {
            let (time, others) = rest.split_first()?;
            point.time = *time;
            rest = others;
            for part in [&mut point.q, &mut point.v, &mut point.a] {
                let (own, others) = rest.split_at_checked(part.len())?;
                part.copy_from_slice(own);
                rest = others;
            }
        }
        (self.known, self.is_found) = ((*known as usize).min(self.past.len()), false);
        Some(saved.len() - rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_give_the_known_formulas() {
        let known: [&[f64]; 5] = [
            &[1.0],
            &[4.0 / 3.0, -1.0 / 3.0],
            &[18.0 / 11.0, -9.0 / 11.0, 2.0 / 11.0],
            &[48.0 / 25.0, -36.0 / 25.0, 16.0 / 25.0, -3.0 / 25.0],
            &[300.0 / 137.0, -300.0 / 137.0, 200.0 / 137.0, -75.0 / 137.0, 12.0 / 137.0],
        ];
        let ends = [1.0, 2.0 / 3.0, 6.0 / 11.0, 12.0 / 25.0, 60.0 / 137.0];
        for (k, (values, end)) in known.iter().zip(ends).enumerate() {
            let ages: Vec<f64> = (0..=k).map(|j| 0.1 * (j + 1) as f64).collect();
            let found = Coefficients::backward_differentiation(&ages);
            assert!((found.end - 0.1 * end).abs() < 1e-15);
            assert!(found.value.iter().zip(*values).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?}");
        }
    }

    #[test]
    fn polynomials_of_the_order_are_met_on_any_steps() {
        let ages = [0.1, 0.15, 0.4, 0.45, 0.7];
        let found = Coefficients::backward_differentiation(&ages);
        for power in 0..=5 {
            // x = tᵖ with t = 1 at the end.
            let sum: f64 = found.value.iter().zip(ages).map(|(a, age)| a * (1.0 - age).powi(power)).sum();
            let end = sum + found.end * f64::from(power);
            assert!((end - 1.0).abs() < 1e-13, "{power}: {end}");
        }
    }

    /// Along `x = tᵏ⁺¹` at equal steps, each end what the rule makes of exact points: the local error is the end itself, as
    /// the exact one is zero.
    #[test]
    fn errors_are_estimated_on_the_safe_side() {
        let coordinates = Coordinates::new([cosimo_dynamics::CoordinateBlock::Flat(1)]);
        let h = 0.1;
        for (order, ratio) in (1..=5).zip([1.5, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0, 2.45]) {
            let x = |age: f64| (-age).powi(order as i32 + 1);
            let at = |time: f64, x: f64| DaeState { time, q: vec![x], v: vec![x], a: vec![0.0], mu: vec![] };
            let mut rule = LinearMultistep::adaptive(5, &coordinates);
            for k in (1..=order).rev() {
                let past = h * (k + 1) as f64;
                rule.accept(h, &at(-past, x(past)), &at(0.0, 0.0));
            }
            let ages: Vec<f64> = (1..=order).map(|k| h * k as f64).collect();
            let weights = Coefficients::backward_differentiation(&ages).value;
            let end: f64 = ages.iter().zip(weights).map(|(age, a)| a * x(*age)).sum();
            let ends = (at(-h, x(h)), at(0.0, end));
            let found = rule.local_errors(h, order, (&ends.0, &ends.1), &coordinates);
            for estimate in found.into_iter().flatten() {
                assert!((estimate / end.abs() - ratio).abs() < 1e-9, "{order}: {estimate} of {end}");
            }
            assert!(found.is_some());
        }
    }
}
