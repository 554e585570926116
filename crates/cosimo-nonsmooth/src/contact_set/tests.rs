use super::*;

const CONTACTS: usize = 6;

/// A solver with the bound, and the result of a problem of contacts with friction that hold each other, in so few iterations that no
/// method solves it; with the impulses.
fn solve_in_few_iterations(
    bound: f64,
    limit: usize,
) -> (ContactSet, Result<(), OneStepError>, Vec<f64>, Vec<f64>) {
    let rows = 3 * CONTACTS;
    let number = |i: usize, j: usize| ((7 * i + 13 * j + i * j) % 17) as f64 / 17.0 - 0.5;
    let entry = |a: usize, b: usize| {
        let product: f64 = (0..10).map(|k| number(a, k) * number(b, k)).sum();
        product + if a == b { 0.02 } else { 0.0 }
    };
    let offset = |row: usize| if row < CONTACTS { -1.0 - 0.1 * row as f64 } else { number(row, 3) };
    let laws = ContactLaws::new((0..CONTACTS).map(|_| (ContactLaw::with_friction(0.0, 0.3), 2)));
    let set: Vec<usize> = (0..CONTACTS).collect();
    let mut solver = ContactSet::with_capacity(CONTACTS);
    solver.set_limit(Some(limit));
    solver.set_bound(bound);
    let mut impulses = vec![0.0; rows];
    let solved = solver.solve(
        ActiveContacts { set: &set, laws: &laws },
        |_: usize| 0.0,
        (&entry, offset),
        &mut impulses,
    );
    let product = |a: usize| (0..rows).map(|b| entry(a, b) * impulses[b]).sum::<f64>();
    let rates = (0..rows).map(|row| offset(row) + product(row)).collect();
    (solver, solved, impulses, rates)
}

#[test]
fn what_no_method_solves_is_taken_within_the_bound_and_in_its_cones() {
    let mut least = f64::INFINITY;
    for limit in 1..24 {
        let (_, solved, ..) = solve_in_few_iterations(0.0, limit);
        let Err(OneStepError::FrictionNotSolved { residual, .. }) = solved else { continue };
        let (solver, solved, impulses, rates) = solve_in_few_iterations(2.0 * residual, limit);
        let left = solver.unsolved();
        assert!(solved.is_ok(), "{limit}: {residual:e}, {solved:?}");
        let left = left.unwrap();
        assert!(left.residual >= residual && left.residual <= 2.0 * residual, "{left:?}");
        for c in 0..CONTACTS {
            let slip = impulses[CONTACTS + 2 * c].hypot(impulses[CONTACTS + 2 * c + 1]);
            assert!(impulses[c] >= 0.0 && slip <= (0.3 + 1e-12) * impulses[c], "{limit}, contact {c}");
            assert!(rates[c] >= -left.residual * 4.0, "{limit}, contact {c}: {}", rates[c]);
        }
        let (solver, solved, ..) = solve_in_few_iterations(0.5 * residual, limit);
        assert!(solved.is_err() && solver.unsolved().is_none());
        least = least.min(left.residual);
    }
    assert!(least > 1e-9 && least < 1e-2, "{least:e}");
    let (solver, solved, ..) = solve_in_few_iterations(1e-2, 1000);
    assert!(solved.is_ok() && solver.unsolved().is_none());
}
