//! Sweeps by colours: the same bits for any number of threads.

#![expect(clippy::unwrap_used, reason = "a refused problem must stop the test")]

use cosimo_complementarity::friction::{
    Delassus, FrictionOutcome, FrictionProblem, GaussSeidel, GaussSeidelConfig, SweepOrder,
};

fn solve(
    delassus: &dyn Delassus<3>,
    pile: &crate::piles::Pile,
    threads: usize,
) -> (FrictionOutcome, Vec<u64>) {
    let problem = FrictionProblem::new(delassus, &pile.offset, &pile.friction).unwrap();
    let config =
        GaussSeidelConfig { tolerance: 1e-4, order: SweepOrder::Coloured, ..GaussSeidelConfig::default() };
    let mut r = vec![0.0; pile.offset.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let outcome = pool.install(|| GaussSeidel::new(config).unwrap().solve(&problem, &mut r).unwrap());
    assert!(outcome.is_solved() && problem.residual(&r) <= 1e-4, "{outcome:?}");
    (outcome, r.iter().map(|r| r.to_bits()).collect())
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let pile = crate::piles::packing(12);
    assert!(pile.friction.len() > 3000, "colours must be large enough to be shared");
    let blocks = pile.delassus.to_blocks();
    for delassus in [&pile.delassus as &dyn Delassus<3>, &blocks] {
        let one = solve(delassus, &pile, 1);
        for threads in [2, 8] {
            assert!(solve(delassus, &pile, threads) == one, "{threads} threads");
        }
    }
}
