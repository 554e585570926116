//! A sample of the matrix of all combinations, in which every two levels of any two axes that go together do so.
//!
//! The whole: `cargo run --release -p coupling-tests --example matrix`.

use coupling_tests::matrix::axes::{Impacts, Scheme};
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
