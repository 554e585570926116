use cosimo_formula::TimeFormula;

use super::*;

/// Points of the curve, where its third derivative jumps.
const TIMES: [f64; 4] = [0.5, 0.9, 1.3, 2.5];

fn formula(text: &str) -> TimeFunction {
    TimeFunction::Formula(std::sync::Arc::new(TimeFormula::parse(text).unwrap()))
}

/// From one point of the curve to the next.
fn integral(speed: &TimeFunction, from: f64, to: f64) -> f64 {
    let sign = (to - from).signum();
    let (low, high) = (from.min(to), from.max(to));
    let inside = TIMES.into_iter().filter(|time| low < *time && *time < high);
    let ends: Vec<f64> = [low].into_iter().chain(inside).chain([high]).collect();
    sign * ends.windows(2).map(|pair| quadrature(speed, pair[0], pair[1])).sum::<f64>()
}

/// Gauss's rule of five points on each of 400 parts.
fn quadrature(speed: &TimeFunction, from: f64, to: f64) -> f64 {
    let points = [
        (0.0, 128.0 / 225.0),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let (parts, mut sum) = (400, 0.0);
    let h = (to - from) / f64::from(parts);
    for part in 0..parts {
        let middle = from + h * (f64::from(part) + 0.5);
        for (x, weight) in points {
            let value = |x: f64| speed.at(middle + 0.5 * h * x)[0];
            sum += 0.5 * h * weight * if x == 0.0 { value(0.0) } else { value(x) + value(-x) };
        }
    }
    sum
}

#[test]
fn positions_are_integrals_of_speeds() {
    let curve = TimeFunction::through(TIMES.to_vec(), vec![0.2, -1.0, 3.0, 1.0]).unwrap();
    let harmonic = TimeFunction::Harmonic { mean: 0.3, amplitude: 2.0, frequency: 5.0, phase: 0.4 };
    let linear = TimeFunction::Linear { start: 1.0, rate: -0.7 };
    let formula = formula("exp(-t)*sin(3*t)");
    for speed in [TimeFunction::Constant(0.6), linear, harmonic, curve, formula] {
        let position = TimeFunction::with_speed(speed.clone(), 4.0, 0.1, 3.0).unwrap();
        assert_eq!(position.at(0.1)[0], 4.0);
        for t in [-1.0, 0.3, 0.9, 1.1, 2.4, 3.5] {
            let [value, rate, second] = position.at(t);
            assert!((value - 4.0 - integral(&speed, 0.1, t)).abs() < 1e-10, "{speed:?} at {t}");
            assert_eq!([rate, second], [speed.at(t)[0], speed.at(t)[1]]);
            let slope = (position.at(t + 1e-5)[0] - position.at(t - 1e-5)[0]) / 2e-5;
            assert!((slope - rate).abs() < 1e-8, "{speed:?} at {t}: {slope} {rate}");
        }
    }
}

#[test]
fn slow_speeds_lose_no_digits() {
    let slow = TimeFunction::Harmonic { mean: 0.0, amplitude: 1.0, frequency: 1e-12, phase: 0.5 };
    let displacement = TimeFunction::with_speed(slow, 0.0, 0.0, 3.0).unwrap();
    assert!((displacement.at(2.0)[0] - 2.0 * 0.5_f64.sin()).abs() < 1e-11);
}

#[test]
fn speeds_without_known_integral_are_refused() {
    let function = TimeFunction::Function(std::sync::Arc::new(|t| [t, 1.0, 0.0]));
    assert!(TimeFunction::with_speed(function, 0.0, 0.0, 3.0).is_none());
    let once = TimeFunction::with_speed(TimeFunction::Constant(1.0), 0.0, 0.0, 3.0).unwrap();
    assert!(TimeFunction::with_speed(once, 0.0, 0.0, 3.0).is_none());
}

#[test]
fn functions_come_back_from_their_keys() {
    let harmonic = TimeFunction::Harmonic { mean: 0.1, amplitude: 2.0, frequency: 3.0, phase: 0.4 };
    let curve = |interpolation| {
        let table = TimeTable { time: vec![0.0, 1.0, 3.0], value: vec![1.0, -1.0, 2.0] };
        TimeFunction::curve(table, interpolation).unwrap()
    };
    let displacement = TimeFunction::with_speed(TimeFunction::linear(1.0, 2.0), 0.5, 1.0, 3.0).unwrap();
    let spline = curve(Interpolation::Spline);
    for function in [
        TimeFunction::Constant(2.0),
        TimeFunction::linear(1.0, 2.0),
        harmonic,
        spline,
        curve(Interpolation::Linear),
        displacement,
        formula("2*t + 1"),
        TimeFunction::with_speed(formula("2*t + 1"), 0.5, 1.0, 3.0).unwrap(),
    ] {
        let text = serde_json::to_string(&function).unwrap();
        assert_eq!(serde_json::from_str::<TimeFunction>(&text).unwrap(), function, "{text}");
    }
    let text = serde_json::to_string(&curve(Interpolation::Linear)).unwrap();
    assert_eq!(text, r#"{"time":[0.0,1.0,3.0],"value":[1.0,-1.0,2.0],"interpolation":"linear"}"#);
    assert_eq!(
        serde_json::from_str::<TimeFunction>(r#"{"rate":2}"#).unwrap(),
        TimeFunction::linear(0.0, 2.0)
    );
    assert!(serde_json::from_str::<TimeFunction>(r#"{"time":[1,0],"value":[0,1]}"#).is_err());
}

#[test]
fn what_is_given_from_outside_has_no_keys() {
    let input = TimeFunction::Input(TimeInput::held(1.0));
    assert!(serde_json::to_string(&input).is_err());
    assert!(input == input.clone() && input != TimeFunction::Input(TimeInput::held(1.0)));
}

/// A sine whose frequency goes from 2 to 40 rad/s.
fn chirp(sweep: Sweep) -> Chirp {
    let (mean, amplitude, phase) = (0.3, 2.0, 0.4);
    Chirp { mean, amplitude, frequency: 2.0, end_frequency: 40.0, duration: 3.0, since: 0.5, phase, sweep }
}

fn sources() -> Vec<TimeFunction> {
    let step = Step { from: 1.0, to: -2.0, at: 0.7, duration: 0.9 };
    let ramp = Ramp { start: 1.0, rate: 3.0, since: 0.7, until: Some(1.6) };
    vec![
        TimeFunction::Step(step),
        TimeFunction::Step(Step { duration: 0.0, ..step }),
        TimeFunction::Ramp(ramp),
        TimeFunction::Ramp(Ramp { until: None, ..ramp }),
        TimeFunction::Chirp(chirp(Sweep::Linear)),
        TimeFunction::Chirp(chirp(Sweep::Logarithmic)),
    ]
}

/// Central differences, away from corners.
#[test]
fn derivatives_of_sources_are_those_of_their_values() {
    for source in sources() {
        for t in [-1.0, 0.3, 0.9, 1.1, 1.4, 1.8, 3.3, 4.0] {
            let h = 1e-5;
            let [before, now, after] = [t - h, t, t + h].map(|t| source.at(t));
            for order in [1, 2] {
                let found = (after[order - 1] - before[order - 1]) / (2.0 * h);
                let size = 1.0 + now[order].abs();
                assert!(
                    (found - now[order]).abs() < 1e-6 * size,
                    "{source:?}, {order} at {t}: {found} {now:?}"
                );
            }
        }
    }
}

/// The phase at the end of a sweep is the integral of the frequency: `T (ω₀ + ω₁)/2` and `T (ω₁ − ω₀)/ln(ω₁/ω₀)`. Half-way the
/// frequency is the arithmetic and the geometric mean.
#[test]
fn phases_of_chirps_are_integrals_of_their_frequencies() {
    let logarithmic_mean = 38.0 / 20.0_f64.ln();
    for (sweep, mean, middle) in
        [(Sweep::Linear, 21.0, 21.0), (Sweep::Logarithmic, logarithmic_mean, 80.0_f64.sqrt())]
    {
        let of = TimeFunction::Chirp(chirp(sweep));
        let (end, own) = (0.4 + 3.0 * mean, of.at(3.5));
        assert!((own[0] - 0.3 - 2.0 * end.sin()).abs() < 1e-12, "{sweep:?}");
        assert!((own[1] - 2.0 * 40.0 * end.cos()).abs() < 1e-10, "{sweep:?}");
        let [value, rate, _] = of.at(2.0);
        let frequency = rate.abs() / (4.0 - (value - 0.3).powi(2)).sqrt();
        assert!((frequency - middle).abs() < 1e-9, "{sweep:?}: {frequency}");
    }
}

#[test]
fn steps_and_ramps_have_integrals() {
    for speed in sources().into_iter().take(4) {
        let position = TimeFunction::with_speed(speed.clone(), 4.0, 0.1, 3.0).unwrap();
        // Gauss's rule is exact on each piece where no corner is inside.
        let corners = [0.1, 0.7, 1.6, 2.5];
        let mut exact = 4.0;
        for pair in corners.windows(2) {
            exact += quadrature(&speed, pair[0], pair[1]);
            assert!((position.at(pair[1])[0] - exact).abs() < 1e-12, "{speed:?} at {}", pair[1]);
        }
        let slope = (position.at(1.2 + 1e-6)[0] - position.at(1.2 - 1e-6)[0]) / 2e-6;
        assert!((slope - speed.value(1.2)).abs() < 1e-8, "{speed:?}");
    }
    assert!(TimeFunction::with_speed(TimeFunction::Chirp(chirp(Sweep::Linear)), 0.0, 0.0, 3.0).is_none());
}

#[test]
fn steps_jump_at_their_instant() {
    let jump = TimeFunction::Step(Step { from: 1.0, to: 3.0, at: 0.5, duration: 0.0 });
    assert_eq!([jump.value(0.5 - 1e-12), jump.value(0.5)], [1.0, 3.0]);
    assert_eq!(jump.jump(), Some(0.5));
    let smooth = TimeFunction::Step(Step { from: 1.0, to: 3.0, at: 0.5, duration: 1.0 });
    assert_eq!((smooth.jump(), smooth.at(1.0)), (None, [2.0, 2.0 * 1.875, 0.0]));
}

#[test]
fn sources_come_back_from_their_keys() {
    for source in sources() {
        let text = serde_json::to_string(&source).unwrap();
        assert_eq!(serde_json::from_str::<TimeFunction>(&text).unwrap(), source, "{text}");
    }
}

/// A spline through 24 points of a sine follows it and its derivatives from period to period; its integral over a period is that of
/// the mean.
#[test]
fn periodic_curves_go_on() {
    let turn = 2.0 * std::f64::consts::PI;
    let time: Vec<f64> = (0..=24).map(|k| turn * f64::from(k) / 24.0).collect();
    let mut value: Vec<f64> = time.iter().map(|t| 0.5 + t.sin()).collect();
    value[24] = value[0];
    let table = TimeTable { time: time.clone(), value: value.clone() };
    let curve = TimeFunction::curve(table, Interpolation::Periodic).unwrap();
    for t in [-7.0, -0.1, 0.0, 0.3, 3.0, 6.2, turn, 11.0, 100.0_f64] {
        let found = curve.at(t);
        for (found, exact) in found.into_iter().zip([0.5 + t.sin(), t.cos(), -t.sin()]) {
            assert!((found - exact).abs() < 8e-3, "{t}: {found} {exact}");
        }
    }
    // Continuous second derivatives at every point, that of the period too.
    for t in time {
        let [before, after] = [t - 1e-9, t + 1e-9].map(|t| curve.at(t)[2]);
        assert!((before - after).abs() < 1e-7, "{t}: {before} {after}");
    }
    let position = TimeFunction::with_speed(curve, 0.0, 0.0, 3.0).unwrap();
    assert!((position.at(3.0 * turn)[0] - 1.5 * turn).abs() < 1e-12);
    let table = TimeTable { time: vec![0.0, 1.0], value: vec![0.0, 0.1] };
    assert!(TimeFunction::curve(table, Interpolation::Periodic).is_err());
}
