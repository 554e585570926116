//! What the programs print, against closed forms.

use std::f64::consts::PI;
use std::path::Path;
use std::process::Command;

/// The numbers of every line that a program prints; it runs at the root of the repository.
fn lines(program: &str) -> Vec<Vec<f64>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(program).current_dir(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let numbers = |line: &str| line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    text.lines().map(numbers).collect()
}

#[test]
fn the_ball_lands_when_it_should() {
    // 0.8 m down in 0.4 s; then up at 2 m/s.
    assert_eq!(lines(env!("CARGO_BIN_EXE_bouncing_ball")), [vec![0.4], vec![0.2, 0.6]]);
}

#[test]
fn the_masses_lose_what_their_impacts_take() {
    let found = lines(env!("CARGO_BIN_EXE_two_masses"));
    // Both start at 0.801 m and are in the end no higher than what the impacts have left.
    let ([impacts, lost], [end]) = (found[0][..].try_into().unwrap(), found[1][..].try_into().unwrap());
    assert!(impacts >= 3.0 && 0.0 < lost && lost < 2.0 * 10.0 * 0.801, "{found:?}");
    assert!((-0.801..0.801).contains(&end), "{found:?}");
}

/// The complete elliptic integral of the first kind, by the arithmetic and the geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

#[test]
fn the_pendulum_hits_its_stop_at_the_instants_of_the_closed_form() {
    // Moment of inertia about the hinge 1.01 kg m², m g l = 9.81 N m.
    let (unit, speed) = ((1.01_f64 / 9.81).sqrt(), (2.0 * 9.81 / 1.01_f64).sqrt());
    let found = lines(env!("CARGO_BIN_EXE_pendulum_stop"));
    assert!(found.len() >= 2, "{found:?}");
    // A quarter of a swing of 90°; then half a swing of the amplitude that 0.8 of the speed reaches, and so on.
    let (mut time, mut rebound) = (unit * elliptic(0.5_f64.sqrt()), 0.8);
    for hit in &found {
        assert!((hit[0] - time).abs() < 1e-6, "{hit:?} in place of {time}");
        assert!((hit[1] - rebound * speed).abs() < 1e-5, "{hit:?}");
        time += 2.0 * unit * elliptic(0.5_f64.sqrt() * rebound);
        rebound *= 0.8;
    }
}

#[test]
fn the_study_prints_a_line_for_each_stiffness() {
    let found = lines(env!("CARGO_BIN_EXE_stiffness_study"));
    assert_eq!(found.iter().map(|line| line[0]).collect::<Vec<_>>(), [1e3, 2e3, 4e3]);
    assert!(found.iter().all(|line| line.len() == 2 && (0.3..1.6).contains(&line[1])), "{found:?}");
}
