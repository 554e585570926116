use cosimo_linear::StructuredMatrix;

use super::{Factors, SLOTS};

fn prepare(factors: &mut Factors, c: f64) -> bool {
    let mass = StructuredMatrix::Diagonal(vec![c].into());
    factors.prepare((c, c), |own| own.factorize_sum(&[(1.0, &mass)])).unwrap()
}

fn step(factors: &mut Factors, c: f64) {
    prepare(factors, c);
    factors.note_step(c);
    assert!(!prepare(factors, c));
    assert_eq!(solve(factors, 8.0), 8.0 / c);
}

fn solve(factors: &Factors, mut x: f64) -> f64 {
    factors.solve(std::slice::from_mut(&mut x));
    x
}

fn saved(factors: &Factors) -> Vec<f64> {
    let mut values = Vec::new();
    factors.save(&mut values);
    values
}

#[test]
fn sizes_taken_twice_are_not_factorised_again() {
    let mut factors = Factors::default();
    for c in [1.0, 1.0, 2.0, 4.0, 4.0] {
        step(&mut factors, c);
    }
    assert_eq!(factors.count(), 3);
    for c in [1.0, 4.0, 1.0, 4.0] {
        step(&mut factors, c);
    }
    assert_eq!(factors.count(), 3);
    // The 2 was taken once.
    for c in [2.0, 1.0, 2.0] {
        step(&mut factors, c);
    }
    assert_eq!(factors.count(), 4);
}

#[test]
fn a_size_keeps_the_stage_taken_last() {
    let mut factors = Factors::default();
    for (c, count) in [(1.0, 1), (2.0, 2), (2.0, 2), (1.0, 3), (1.0, 3), (2.0, 4), (2.0, 4), (2.0, 4)] {
        prepare(&mut factors, c);
        factors.note_step(0.1);
        assert_eq!((factors.count(), solve(&factors, 8.0)), (count, 8.0 / c));
    }
}

#[test]
fn sizes_only_tried_leave_no_trace() {
    let mut factors = Factors::default();
    step(&mut factors, 1.0);
    let before = saved(&factors);
    prepare(&mut factors, 5.0);
    prepare(&mut factors, 6.0);
    assert_eq!(saved(&factors), before);
    step(&mut factors, 1.0);
    step(&mut factors, 1.0);
    assert_eq!(factors.count(), 4);
}

#[test]
fn the_one_not_used_for_longest_makes_room() {
    let mut factors = Factors::default();
    for c in 1..=SLOTS {
        step(&mut factors, c as f64);
        step(&mut factors, c as f64);
    }
    step(&mut factors, 1.0);
    step(&mut factors, 100.0);
    step(&mut factors, 1.0);
    assert_eq!(factors.count(), SLOTS as u64 + 1);
    step(&mut factors, 2.0);
    assert_eq!(factors.count(), SLOTS as u64 + 2);
}

#[test]
fn counts_go_on_where_they_were() {
    let run = [1.0, 1.0, 2.0, 3.0, 1.0, 7.0, 2.0, 3.0, 3.0, 4.0, 5.0, 6.0, 8.0, 8.0, 9.0, 1.0, 7.0, 2.0];
    for cut in 0..run.len() {
        let mut whole = Factors::default();
        run[..cut].iter().for_each(|c| step(&mut whole, *c));
        let (mut other, before) = (Factors::default(), whole.count());
        other.restore(&saved(&whole));
        for (k, c) in run[cut..].iter().enumerate() {
            for factors in [&mut whole, &mut other] {
                if k % 3 == 0 {
                    prepare(factors, 0.5 * c);
                }
                step(factors, *c);
            }
            assert_eq!(other.count(), whole.count() - before, "cut at {cut}, step {k}");
            assert_eq!(saved(&other), saved(&whole));
        }
    }
}

#[test]
fn what_is_at_hand_serves_after_going_back() {
    let mut factors = Factors::default();
    step(&mut factors, 1.0);
    let before = saved(&factors);
    step(&mut factors, 2.0);
    step(&mut factors, 2.0);
    let after = saved(&factors);
    for _ in 0..3 {
        factors.restore(&after);
        step(&mut factors, 2.0);
    }
    assert_eq!(factors.count(), 2);
    factors.restore(&before);
    step(&mut factors, 1.0);
    assert_eq!(factors.count(), 2);
}

#[test]
fn a_matrix_that_cannot_be_factorised_leaves_nothing() {
    let mut factors = Factors::default();
    step(&mut factors, 1.0);
    step(&mut factors, 1.0);
    let zero = StructuredMatrix::Diagonal(vec![0.0].into());
    assert!(factors.prepare((5.0, 5.0), |own| own.factorize_sum(&[(1.0, &zero)])).is_err());
    assert!(prepare(&mut factors, 1.0));
    assert_eq!((solve(&factors, 1.0), factors.count()), (1.0, 1));
}
