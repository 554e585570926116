//! No text makes a formula panic, and what is read has a place for every mistake.
#![allow(clippy::unwrap_used, reason = "tests")]

use cosimo_formula::{Formula, TimeFormula, Value};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn any_text_is_read_or_refused(text in "[-0-9.eE+*/^()\\[\\],<>=a-dtxyzé {}:]{0,40}") {
        check(&text);
    }

    #[test]
    fn parts_of_formulas_in_any_order(parts in proptest::collection::vec(prop::sample::select(vec![
        "sin(", "max(", "if(", "v", "v.x", "k", "t", "2", "1e3", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", "<", " ", ".x", "norm(",
    ]), 0..30)) {
        check(&parts.concat());
    }
}

fn check(text: &str) {
    let known = |name: &str| match name {
        "v" => Some(Value::Vector(vec![1.0, 2.0, 3.0])),
        "k" => Some(Value::Number(0.5)),
        _ => None,
    };
    match Formula::parse(text) {
        Ok(formula) => {
            let _ = formula.value(&known).map_err(|error| assert!(text.get(error.span).is_some()));
            if let Ok(bound) = formula.with_values(&known) {
                let _ = TimeFormula::parse(&bound).map(|function| function.at(0.3));
            }
        }
        Err(error) => assert!(text.get(error.span).is_some(), "{text}"),
    }
}
