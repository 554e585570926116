//! Runs with units are taken up again, and run in threads, with the same bits.

use coupling_tests::Run;

use super::{HALVES, VERSIONS, file, model};

const SPRING: &str = "law = \"compliant\"\nstiffness = 1000.0";

#[test]
fn runs_with_units_have_the_same_bits_after_interruptions_and_in_threads() {
    for version in VERSIONS {
        let Some(file) = file("oscillator_half", version, &[]) else { return };
        for keys in ["face = \"model-exchange\"\nsolver = \"multistep\"", "face = \"co-simulation\""] {
            let halves = HALVES.map(|half| half.unit(&file, keys));
            let text = model(1e-3, [&halves[0], &halves[1]], SPRING);
            let model = Run::text(&text, &[]);
            let whole = Run::completed(&model);
            assert!(
                Run::interrupted(&model, &[1, 2, 3, 500, 777]).has_bits_of(&whole),
                "{version:?}, {keys}"
            );
            let threads = Run::text(&text, &["master.execution=\"threads\""]);
            assert!(Run::completed(&threads).has_bits_of(&whole), "{version:?}, {keys}, in threads");
        }
    }
}
