use super::*;

#[test]
fn what_does_not_converge_without_interfaces_is_named_all_the_same() {
    let error = |place: ResidualPlace| {
        let (contraction, remedy) = (String::new(), "use a smaller step");
        let (time, size, iterations, residual) = (0.0, 1e-3, 100, 1.0);
        StepError::NotConverged { time, size, iterations, place, residual, contraction, remedy }.to_string()
    };
    let [arm, tip, pin] = ["arm", "arm.tip", "pin"].map(str::to_owned);
    let at_pin = ResidualPlace::Interface { name: pin, side: arm.clone() };
    assert!(
        error(ResidualPlace::Subsystem(arm))
            .contains("100 iterations: subsystem `arm` has the relative residual")
    );
    assert!(error(ResidualPlace::Contact(tip)).contains("contact `arm.tip` has"));
    assert!(error(ResidualPlace::Unknown).contains("the interface problem has"));
    assert!(error(at_pin).contains("interface `pin` (to subsystem `arm`) has"));
}
