//! The woodpecker toy: a limit cycle of impacts and friction.

use coupling_tests::Run;

/// Where the bird passes the angle of the start on its way out: time, velocities of sleeve and bird, height.
fn passages(step: &str, end: &str) -> Vec<[f64; 4]> {
    let run = Run::example("woodpecker/model.toml", &[step, end, "record.every=1"]);
    let columns = ["toy.bird", "toy.v_y", "toy.v_bird", "toy.y"].map(|name| run.column(name));
    let [bird, ..] = &columns;
    let times = &run.times;
    let passes = (1..times.len()).filter(|&k| bird[k - 1] > -0.2788 && bird[k] <= -0.2788);
    let between = |k: usize, x: &[f64]| {
        let share = (bird[k - 1] + 0.2788) / (bird[k - 1] - bird[k]);
        x[k - 1] + share * (x[k] - x[k - 1])
    };
    passes
        .map(|k| {
            [between(k, times), between(k, &columns[1]), between(k, &columns[2]), between(k, &columns[3])]
        })
        .collect()
}

/// The start is a point of the limit cycle of C. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stössen*, VDI 1995.
#[test]
fn the_woodpecker_returns_to_the_published_limit_cycle() {
    let found = passages("time.step=1e-4", "time.end=4");
    assert!(found.len() > 25, "{found:?}");
    let [.., before, last] = found.as_slice() else { unreachable!() };
    assert!((last[1] / -0.3411 - 1.0).abs() < 0.01, "{last:?}");
    assert!((last[2] / -7.4583 - 1.0).abs() < 0.002, "{last:?}");
    // The same cycle after cycle, and with smaller steps.
    assert!((last[1] - before[1]).abs() < 2e-4 && (last[2] - before[2]).abs() < 2e-3, "{before:?} {last:?}");
    let fine = passages("time.step=2e-5", "time.end=4");
    let [.., last_but_one, finest] = fine.as_slice() else { unreachable!() };
    let period = |a: &[f64; 4], b: &[f64; 4]| b[0] - a[0];
    assert!((period(before, last) / period(last_but_one, finest) - 1.0).abs() < 1e-3);
    assert!((finest[2] - last[2]).abs() < 2e-3, "{finest:?} {last:?}");
}
