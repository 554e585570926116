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
