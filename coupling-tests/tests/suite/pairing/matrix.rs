//! A sample of the matrix of all combinations, in which every two levels of any two axes that go together do so.
//!
//! The whole: `cargo run --release -p coupling-tests --example matrix`.

use coupling_tests::matrix::axes::{Combination, Impacts, Law, Scheme};
use coupling_tests::matrix::report::{describe, lists, refused_share};
use coupling_tests::matrix::{Verdict, cover, judge_all, models};

#[test]
fn no_combination_of_the_sample_is_wrong() {
    let models = models();
    let sample = cover::pairwise(&models);
    assert!(sample.len() > 150, "{} combinations", sample.len());
    let results = judge_all(&models, &sample, 2, &|_| {});
    assert!(results.iter().all(|(c, verdict)| verdict.is_good(c)), "{}", lists(&models, &results, 50));
    let refused = results.iter().filter(|(c, verdict)| {
        let is_named = c.scheme != Scheme::Condensed && c.impacts == Impacts::SubStep;
        !is_named && matches!(verdict, Verdict::Refused(_))
    });
    let refused: Vec<String> = refused.map(|(c, _)| describe(&models, c)).collect();
    let condensed = refused_share(&results, Scheme::Condensed);
    assert!(condensed <= 0.1, "{condensed} of the condensed scheme: {refused:#?}");
    let iterative = results.iter().filter(|(c, verdict)| {
        c.scheme != Scheme::Condensed
            && c.impacts != Impacts::SubStep
            && matches!(verdict, Verdict::Refused(_))
    });
    assert_eq!(iterative.count(), 0, "{}", lists(&models, &results, 50));
}

/// A hinged rod with a point at its tip, in three coordinates, turns out of every direction: neither side can be moved across the plane,
/// and rules with gaps of their own that meet a wall must not take those for forces.
#[test]
fn joints_across_a_plane_hold_under_unlike_rules() {
    let models = models();
    let hits = |c: &Combination| {
        models[c.model].name().contains("on a wall")
            && c.scheme == Scheme::Condensed
            && matches!(c.law, Law::Rigid | Law::Tikhonov)
            && c.rules[0] != c.rules[1]
    };
    let all: Vec<Combination> = cover::whole(&models).into_iter().filter(hits).collect();
    let sample: Vec<Combination> = all.iter().step_by(all.len() / 24).copied().collect();
    let results = judge_all(&models, &sample, 2, &|_| {});
    assert!(
        results.len() >= 24 && results.iter().all(|(_, verdict)| matches!(verdict, Verdict::Right(_))),
        "{}",
        lists(&models, &results, 50)
    );
}
