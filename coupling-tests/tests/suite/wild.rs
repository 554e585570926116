//! Random models: none creates energy in silence, and most whose steps resolve the fastest vibration go through without a word.
//!
//! More of them: `cargo run --release -p coupling-tests --example wild -- --seed 1 --count 300`.

use coupling_tests::wild::report::{is_exception, line, table};
use coupling_tests::wild::{Judged, Verdict, judge_all};

/// Models of a seed.
const COUNT: u64 = 100;
/// Those whose fastest vibration is resolved and that warn or end, at most, of all.
const SHARE: f64 = 0.1;

#[test]
fn nothing_wild_is_silent() {
    let all: Vec<Judged> = (1..=3).flat_map(|seed| judge_all(seed, COUNT, 2)).collect();
    let exceptions: Vec<&Judged> = all.iter().filter(|judged| is_exception(judged)).collect();
    let shown = || exceptions.iter().map(|judged| line(judged)).collect::<Vec<_>>().join("\n");
    let is_wrong = |judged: &&&Judged| matches!(judged.verdict, Verdict::Silent | Verdict::Refused(_));
    assert_eq!(exceptions.iter().filter(is_wrong).count(), 0, "{}", shown());
    let (found, slow) = (exceptions.len() as f64, all.iter().filter(|judged| judged.stiff < 1.0).count());
    assert!(found <= SHARE * all.len() as f64 && 2 * slow > all.len(), "{}\n{}", shown(), table(&all));
}
