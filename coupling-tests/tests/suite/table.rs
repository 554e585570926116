//! A ball on a moving table.
//!
//! The ball is followed here from parabola to parabola; where it meets the table is found by bisection.

use coupling_tests::{Run, fitted_order, step_sizes};

use cosimo::master::ContactEventKind;

const MODEL: &str = "vibrating-table/model.toml";
const RADIUS: f64 = 0.01;

/// Height (m) and speed (m/s) of the table: `amplitude · sin(frequency · t + phase) + speed · t`.
#[derive(Debug, Clone, Copy)]
struct Table {
    amplitude: f64,
    frequency: f64,
    phase: f64,
    speed: f64,
}

impl Table {
    fn motion(self, t: f64) -> (f64, f64) {
        let (sine, cosine) = (self.frequency * t + self.phase).sin_cos();
        (self.amplitude * sine + self.speed * t, self.amplitude * self.frequency * cosine + self.speed)
    }

    fn run(self, more: &[&str]) -> Run {
        let own = [
            format!("subsystem.ball.plane.table.amplitude=[0, 0, {:?}]", self.amplitude),
            format!("subsystem.ball.plane.table.frequency={:?}", self.frequency),
            format!("subsystem.ball.plane.table.phase={:?}", self.phase),
            format!("subsystem.ball.plane.table.velocity=[0, 0, {:?}]", self.speed),
        ];
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        Run::example(MODEL, &[&own, more].concat())
    }

    /// Time (s), approach speed (m/s) and impulse (N s) of the first `count` impacts of the ball, dropped from 0.11 m.
    fn impacts(self, count: usize) -> Vec<[f64; 3]> {
        let (mut time, mut z, mut v, mut list) = (0.0, 0.11, 0.0, Vec::new());
        while list.len() < count {
            let gap = |t: f64| z + t * (v - 0.5 * 9.81 * t) - RADIUS - self.motion(time + t).0;
            // After an impact the ball is off the table, for at least a tenth of a millisecond.
            let mut t = 1e-4;
            while gap(t + 1e-4) > 0.0 {
                t += 1e-4;
            }
            let (mut low, mut high) = (t, t + 1e-4);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if gap(middle) > 0.0 { low = middle } else { high = middle }
            }
            z += high * (v - 0.5 * 9.81 * high);
            v -= 9.81 * high;
            time += high;
            let approach = v - self.motion(time).1;
            let impulse = -0.1 * 1.7 * approach;
            v += impulse / 0.1;
            list.push([time, approach, impulse]);
        }
        list
    }
}

const VIBRATING: Table = Table { amplitude: 0.02, frequency: 20.0, phase: 0.0, speed: 0.0 };
/// Accelerates harder than gravity: the ball cannot stay on it.
const THROWING: Table = Table { amplitude: 0.01, frequency: 40.0, phase: 1.0, speed: 0.0 };

#[test]
fn impacts_on_a_vibrating_table_converge_with_order_two() {
    let steps = step_sizes(2e-3, 1e-4, 40);
    for table in [VIBRATING, THROWING] {
        let exact = table.impacts(5);
        let end = format!("time.end={}", exact[4][0] + 0.02);
        let errors = |h: &f64| {
            let run = table.run(&[&end, &format!("time.step={h:e}")]);
            let found = run.events_at("ball.table", ContactEventKind::Impact);
            let worst = |error: &dyn Fn(usize) -> f64| (0..5).map(|k| error(k).abs()).fold(0.0, f64::max);
            [
                worst(&|k| found[k].time - exact[k][0]),
                worst(&|k| found[k].velocities[0] - exact[k][1]),
                worst(&|k| found[k].impulse - exact[k][2]),
            ]
        };
        let errors: Vec<_> = steps.iter().map(errors).collect();
        for (k, quantity) in ["time", "approach speed", "impulse"].iter().enumerate() {
            let errors: Vec<f64> = errors.iter().map(|e| e[k]).collect();
            let order = fitted_order(&steps, &errors);
            assert!(order > 1.8, "{quantity}: order {order}");
        }
    }
}

#[test]
fn ball_is_carried_once_it_has_come_to_rest_on_the_table() {
    let run = VIBRATING.run(&[]);
    let (z, v, impulse) = (run.column("ball.z"), run.column("ball.vz"), run.column("ball.table.impulse"));
    let mut worst = [0.0_f64; 3];
    for k in (0..run.times.len()).filter(|&k| run.times[k] > 1.0) {
        let t = run.times[k];
        let (height, speed) = VIBRATING.motion(t);
        // Mean force of the step: weight and inertia.
        let force = impulse[k] / 1e-3;
        let exact = 0.1 * (9.81 + (speed - VIBRATING.motion(t - 1e-3).1) / 1e-3);
        for (worst, error) in worst.iter_mut().zip([z[k] - height - RADIUS, v[k] - speed, force - exact]) {
            *worst = worst.max(error.abs());
        }
    }
    assert!(worst[0] < 2e-5 && worst[1] < 1e-9 && worst[2] < 1e-6, "{worst:?}");
}

/// On a table that moves evenly the ball bounces as on one at rest, seen from the table.
#[test]
fn bounces_on_an_even_table_are_exact() {
    for speed in [0.3, -0.5] {
        let table = Table { amplitude: 0.0, frequency: 0.0, phase: 0.0, speed };
        let run = table.run(&[]);
        let found = run.events_at("ball.table", ContactEventKind::Impact);
        // Relative to the table the ball starts with −speed and falls 0.1 m.
        let mut approach = (speed * speed + 2.0 * 9.81 * 0.1_f64).sqrt();
        let mut time = (approach - speed) / 9.81;
        for impact in &found[..6] {
            assert!((impact.time - time).abs() < 1e-9, "{speed}: {} s, not {time}", impact.time);
            assert!((impact.velocities[0] + approach).abs() < 1e-9, "{speed}: {impact:?}");
            assert!((impact.velocities[1] - 0.7 * approach).abs() < 1e-9, "{speed}: {impact:?}");
            assert!((impact.impulse - 0.17 * approach).abs() < 1e-9, "{speed}: {impact:?}");
            approach *= 0.7;
            time += 2.0 * approach / 9.81;
        }
    }
}

/// The table's work `Σ P V` on the ball, with the speed `V` of the table, is external: what remains of the balance is the
/// loss of the impacts, and nothing is created.
#[test]
fn work_of_the_table_is_external() {
    let even = Table { amplitude: 0.0, frequency: 0.0, phase: 0.0, speed: 0.3 };
    // Inside a step the speed of the table is taken as linear in time: an error of (ω h)²/8 at most.
    for (table, accuracy) in [(even, 1e-12), (THROWING, 2e-4)] {
        let run = table.run(&["time.end=0.5"]);
        let impacts = run.events_at("ball.table", ContactEventKind::Impact);
        let work: f64 = impacts.iter().map(|e| e.impulse * table.motion(e.time).1).sum();
        let loss: f64 = impacts.iter().map(|e| 0.5 * e.impulse * (e.velocities[0] + e.velocities[1])).sum();
        let energy = run.report.energy;
        let gain = energy.end - energy.start;
        assert!(impacts.len() > 1 && work > 0.02, "{} impacts, {work} J", impacts.len());
        assert!(
            (energy.external - work).abs() < accuracy * work,
            "{table:?}: {} J, not {work} J",
            energy.external
        );
        assert!((energy.contact - loss).abs() < 1e-12, "{table:?}: {} J, not {loss} J", energy.contact);
        assert!(energy.monitor_sum.abs() < accuracy * work, "{table:?}: created {} J", energy.monitor_sum);
        let balance = energy.contact + energy.external - energy.dissipated + energy.monitor_sum;
        assert!((gain - balance).abs() < 1e-14, "{table:?}: gain {gain} J, balance {balance} J");
    }
}

/// A ball that lies on a rising table gains `m g V t` from it.
#[test]
fn table_lifts_a_ball_that_lies_on_it() {
    let table = Table { amplitude: 0.0, frequency: 0.0, phase: 0.0, speed: 0.3 };
    let run = table.run(&[
        "subsystem.ball.position=[0, 0, 0.01]",
        "subsystem.ball.velocity=[0, 0, 0.3]",
        "time.end=0.5",
    ]);
    let energy = run.report.energy;
    let lifted = 0.1 * 9.81 * 0.3 * 0.5;
    assert!((energy.external - lifted).abs() < 1e-12, "{energy:?}");
    assert!(
        (energy.end - energy.start - lifted).abs() < 1e-12 && energy.monitor_sum.abs() < 1e-12,
        "{energy:?}"
    );
}
