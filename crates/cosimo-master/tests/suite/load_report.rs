//! What a report contains about loads that are found in passes.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_master::{Interface, InterfaceLaw, LoadTangents, Master, MasterConfig, NoObserver};
use cosimo_native::{ForceElement, PointMassBuilder, PointMassPort, SpringDamper};
use nalgebra::Vector3;

const STEP: f64 = 1e-2;
const MASS: f64 = 2.0;

fn report(load_tangents: LoadTangents) -> Option<f64> {
    let ball = PointMassBuilder::new("ball", MASS).with_port("top", PointMassPort::Along(Vector3::z()));
    let law = SpringDamper { stiffness: 1e3, damping: 5.0, rest: 0.0, has_other_end: false };
    let port = law_port(&law);
    let law = ForceElement::new("law", law);
    let link = Interface::new("link", "ball.top", &port, InterfaceLaw::Load);
    let config = MasterConfig { load_tangents, ..MasterConfig::default() };
    let mut master =
        Master::new(vec![Box::new(ball.build().unwrap()), Box::new(law)], vec![link], config, 0.0).unwrap();
    master.run(5.0 * STEP, STEP, &mut NoObserver).unwrap().interfaces[0].load_contraction
}

fn law_port(law: &SpringDamper) -> String {
    use cosimo_native::ForceLaw;
    format!("law.{}", law.ports()[0].name)
}

/// By the midpoint rule an error of the load is multiplied by `(h²/4 k + h/2 d)/m`.
#[test]
fn the_contraction_found_at_the_start_is_reported() {
    let expected = (0.25 * STEP * STEP * 1e3 + 0.5 * STEP * 5.0) / MASS;
    for tangents in [LoadTangents::Auto, LoadTangents::Always, LoadTangents::Never] {
        let found = report(tangents).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}
