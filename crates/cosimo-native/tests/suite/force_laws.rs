//! Force laws keep the contract of load ports.

use cosimo_native::{BoucWen, ForceElement, QuadraticDrag, SpringDamper};
use cosimo_subsystem::Stepped;
use cosimo_subsystem::conformance::{Check, CheckOutcome, Conformance};

const OF_LOADS: [Check; 4] = [Check::Respond, Check::Motion, Check::LoadTangents, Check::LoadWork];

fn assert_conforms(make: impl Fn() -> Stepped<ForceElement>) {
    let report = Conformance::new(make).step(1e-3).steps(40).check();
    report.assert_passed();
    for check in OF_LOADS {
        assert_eq!(report.outcome(check), Some(&CheckOutcome::Passed), "{check}");
    }
}

#[test]
fn quadratic_drag_conforms() {
    for size in [1, 3] {
        let law = QuadraticDrag { coefficient: 0.4, size };
        assert_conforms(move || ForceElement::new("drag", law.clone()));
    }
}

#[test]
fn springs_and_dampers_conform() {
    for has_other_end in [false, true] {
        let law = SpringDamper { stiffness: 500.0, damping: 3.0, rest: 0.01, has_other_end };
        assert_conforms(move || ForceElement::new("spring", law.clone()));
    }
}

#[test]
fn hysteresis_conforms() {
    for has_other_end in [false, true] {
        let law = BoucWen {
            stiffness: 2e3,
            hardening: 0.2,
            damping: 5.0,
            amplitude: 1.0,
            beta: 40.0,
            gamma: 20.0,
            exponent: 1.5,
            has_other_end,
        };
        assert_conforms(move || ForceElement::new("isolator", law.clone()));
    }
}
