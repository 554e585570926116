//! The two-mass oscillator of the thesis, split as there.
//!
//! Reference: cases E1 and E2, exact modal solutions with 60-digit impact roots.
#![expect(missing_docs, reason = "tests are statements")]

use coupling_tests::{Run, Table};

#[test]
fn impact_times_agree_with_the_exact_solution() {
    let run = Run::example("oscillator/model.toml", &["time.step=1e-4", "time.end=1.5"]);
    let exact = [0.400_249_921_923_79, 0.458_719_095_698_248_04, 0.969_382_274_542_060_3];
    let impacts = run.impacts();
    assert_eq!(impacts.len(), 5);
    for (found, exact) in impacts.iter().zip(exact) {
        assert!((found - exact).abs() < 2e-5, "{found} {exact}");
    }
    let _ = Table::reference;
}
