//! A slider-crank whose slider carries a buffer against a stop: a multibody system rigidly joined to a node with the impacts.
//!
//! Reference, in this file: all of it is one degree of freedom, the angle `φ` of the crank,
//!
//! ```text
//!   I φ̈ + ½ I' φ̇² + V' = 0     I = J + m_r |r'|² + J_r β'² + (m_s + m_b) x'²     φ̇⁺ = −e φ̇⁻ at x = stop
//! ```
//!
//! integrated by the classical Runge-Kutta rule of order four with 20 µs, stopped at the stop by Newton's method on the length of
//! the last step.

use cosimo::master::ContactEventKind;
use coupling_tests::{Run, fitted_order};

const MODEL: &str = "slider-crank-stop/model.toml";
const END: f64 = 1.2;
const STOP: f64 = 1.9;
const RESTITUTION: f64 = 0.6;
/// Length of the crank; of the rod (m).
const R: f64 = 0.5;
const L: f64 = 1.5;

#[derive(Clone, Copy)]
struct Crank {
    angle: f64,
    rate: f64,
}

/// Inertia seen at the crank (kg m²), place of the slider (m) and its derivative by the angle.
fn seen(angle: f64) -> (f64, f64, f64) {
    let (s, c) = angle.sin_cos();
    let sin_rod = R * s / L;
    let cos_rod = (1.0 - sin_rod * sin_rod).sqrt();
    let of_rod = R * c / (L * cos_rod);
    let slider = -R * s - L * sin_rod * of_rod;
    let centre = [-R * s - 0.5 * L * sin_rod * of_rod, 0.5 * R * c];
    let crank = 1.0 * R * R / 12.0 + 1.0 * (0.5 * R) * (0.5 * R);
    let rod = 2.0 * (centre[0] * centre[0] + centre[1] * centre[1]) + 2.0 * L * L / 12.0 * of_rod * of_rod;
    (crank + rod + (1.0 + 0.2) * slider * slider, R * c + L * cos_rod, slider)
}

impl Crank {
    fn acceleration(self) -> f64 {
        const WIDTH: f64 = 1e-5;
        let slope = (seen(self.angle + WIDTH).0 - seen(self.angle - WIDTH).0) / (2.0 * WIDTH);
        let weight = 9.81 * (1.0 * 0.5 * R + 2.0 * 0.5 * R) * self.angle.cos();
        -(0.5 * slope * self.rate * self.rate + weight) / seen(self.angle).0
    }

    fn moved(self, h: f64, (rate, acceleration): (f64, f64)) -> Self {
        Self { angle: self.angle + h * rate, rate: self.rate + h * acceleration }
    }

    fn step(self, h: f64) -> Self {
        let slope = |p: Self| (p.rate, p.acceleration());
        let k1 = slope(self);
        let k2 = slope(self.moved(0.5 * h, k1));
        let k3 = slope(self.moved(0.5 * h, k2));
        let k4 = slope(self.moved(h, k3));
        self.moved(h / 6.0, (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0, k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1))
    }

    fn gap(self) -> f64 {
        STOP - seen(self.angle).1
    }

    /// State at the end, and of each impact the time, the gap rate before and the impulse.
    fn run(self) -> (Self, Vec<[f64; 3]>) {
        let (mut p, mut t, mut impacts) = (self, 0.0, Vec::new());
        while t < END - 1e-12 {
            let h = 2e-5_f64.min(END - t);
            let next = p.step(h);
            if next.gap() > 0.0 {
                (p, t) = (next, t + h);
                continue;
            }
            let mut part = h * p.gap() / (p.gap() - next.gap());
            for _ in 0..10 {
                let at = p.step(part);
                part += at.gap() / (seen(at.angle).2 * at.rate);
            }
            (p, t) = (p.step(part), t + part);
            let (inertia, _, slider) = seen(p.angle);
            let impulse = (1.0 + RESTITUTION) * p.rate.abs() * inertia / slider.abs();
            impacts.push([t, -slider * p.rate, impulse]);
            p.rate *= -RESTITUTION;
        }
        (p, impacts)
    }
}

/// Second order, that of the rules, through the impacts: their times, speeds and impulses, and the place and speed at the end.
#[test]
fn impacts_are_those_of_one_degree_of_freedom() {
    let (end, impacts) = Crank { angle: std::f64::consts::FRAC_PI_2, rate: -6.0 }.run();
    assert_eq!(impacts.len(), 2);
    let (_, place, slope) = seen(end.angle);
    let steps = [2e-3, 1e-3, 5e-4];
    let errors = steps.map(|h| {
        let run = Run::example(MODEL, &[&format!("time.step={h:e}")]);
        let found = run.events_at("buffer.stop", ContactEventKind::Impact);
        assert_eq!(found.len(), 2);
        let mut worst = [0.0_f64; 3];
        for (event, exact) in found.iter().zip(&impacts) {
            for (k, found) in [event.time, event.velocities[0], event.impulse].into_iter().enumerate() {
                worst[k] = worst[k].max((found - exact[k]).abs());
            }
            assert!((event.velocities[1] + RESTITUTION * event.velocities[0]).abs() < 1e-9);
        }
        let last = |name: &str, exact: f64| (run.at(name, END) - exact).abs();
        let at_end = [last("mechanism.slider.x", place), last("mechanism.slider.vx", slope * end.rate)];
        [worst[0], worst[1], worst[2], at_end[0], at_end[1]]
    });
    for (k, bound) in [1e-4, 1e-4, 1e-3, 1e-4, 1e-3].into_iter().enumerate() {
        let order = fitted_order(&steps, &errors.map(|error| error[k]));
        assert!((1.9..2.1).contains(&order), "quantity {k}: order {order} of {errors:?}");
        assert!(errors[1][k] < bound, "quantity {k}: off by {:e}", errors[1][k]);
    }
}

/// The joint is rigid: buffer and slider are one, at impacts too, and the joints of the mechanism stay closed.
#[test]
fn buffer_and_slider_move_as_one() {
    let run = Run::example(MODEL, &[]);
    for (k, t) in run.times.iter().enumerate() {
        let apart = run.value("buffer.x", k) - run.value("mechanism.slider.x", k);
        let slip = run.value("buffer.vx", k) - run.value("mechanism.slider.vx", k);
        assert!(apart.abs() < 1e-9 && slip.abs() < 1e-6, "{apart:e} m and {slip:e} m/s apart at {t} s");
        let residual = run.value("mechanism.residual", k);
        assert!(residual < 1e-10, "{residual:e} at {t} s");
    }
}

/// A mass keeps this share of its speed under Flores' law with 0.6, whatever its speed and the stiffness (reference M1,
/// `crates/cosimo-multibody/tests/reference/restitution.csv`).
const FLORES: f64 = 0.577_276_018_882_958_6;

#[test]
fn a_compliant_stop_throws_the_slider_back_as_its_law_does() {
    let run = Run::example("slider-crank-stop/compliant.toml", &["time.end=0.2"]);
    let (x, v) = (run.column("mechanism.slider.x"), run.column("mechanism.slider.vx"));
    let inside: Vec<usize> = (0..x.len()).filter(|k| x[*k] > STOP).collect();
    let (first, last) = (inside[0], inside[inside.len() - 1]);
    let kept = -v[last] / v[first];
    // The mass behind the slider changes by some per cent while it is in contact.
    assert!((kept - FLORES).abs() < 5e-3, "{kept}");
    let deepest = x.iter().fold(0.0_f64, |most, x| most.max(x - STOP));
    assert!((0.0114..0.0115).contains(&deepest), "{deepest} m");
}
