//! A model file and a subsystem in Rust in one run: an eddy-current brake on the shaft of the tutorial's hammer.

use std::io::Write;

use cosimo::author::*;
use cosimo::prelude::*;

/// Torque of an eddy-current brake: `λ = −2 T ω ω_c / (ω² + ω_c²)`, largest, `T`, at the critical speed `ω_c`.
struct EddyBrake {
    /// `T` (N m).
    largest_torque: f64,
    /// `ω_c` (rad/s).
    critical_speed: f64,
}

impl ForceLaw for EddyBrake {
    fn ports(&self) -> Vec<PortSpec> {
        vec![PortSpec::new("shaft", 1)]
    }

    fn loads(&self, at: &LawInstant<'_>, out: &mut [f64]) {
        let (speed, critical) = (at.velocities[0], self.critical_speed);
        out[0] = -2.0 * self.largest_torque * speed * critical / (speed * speed + critical * critical);
    }

    fn derivatives(&self, at: &LawInstant<'_>, out: &mut LawDerivatives) {
        let (squared, critical) = (at.velocities[0].powi(2), self.critical_speed);
        let sum = squared + critical * critical;
        out.load_velocity[(0, 0)] =
            -2.0 * self.largest_torque * critical * (critical * critical - squared) / (sum * sum);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("hammer.toml".to_owned());
    let mut model = Model::open(path)?;

    // The brake, and the interface that joins it to what the file describes.
    let law = EddyBrake { largest_torque: 3.0, critical_speed: 5.0 };
    let brake = model.add(ForceElement::new("brake", Box::new(law)))?;
    model.load("coupling", model.part("machine").port("shaft"), brake.port("shaft"))?;

    let trajectory = model.run()?;
    trajectory.write("out/brake", Overwrite::Force)?;
    let table = SummaryTable::new(trajectory.report()).with_title(Some("Spring hammer with a brake"));
    writeln!(std::io::stdout(), "{table}")?;
    Ok(())
}
