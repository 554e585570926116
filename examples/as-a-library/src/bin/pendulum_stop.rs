use cosimo::prelude::*;

/// A pendulum falls from the level and hits a stop where it hangs down.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bob = Body::new("bob", RigidBody::new(1.0, Matrix3::from_diagonal_element(0.01))?);
    let [hinge, end] = [Frame::ground([0.0; 3]), Frame::on("bob", [-1.0, 0.0, 0.0])];
    let arm = SpatialModel::new().with_gravity([0.0, -9.81, 0.0]).with_body(bob.with_position(Vector3::x()));
    let arm = arm.with_joint(Joint::new("hinge", JointKind::Revolute, hinge.clone(), end.clone()));
    let arm = arm.with_sensor(Sensor::new("swing", SensorKind::Angle, hinge, end));
    let arm = arm.with_contact(Contact::lower_stop("stop", "swing", -std::f64::consts::FRAC_PI_2));
    let arm = MultibodyBuilder::new("arm", arm.build()?).with_contact("stop", ContactLaw::frictionless(0.8));
    let mut model = Model::new();
    model.add(arm.build()?)?;
    let trajectory = model.simulate(2.0, 2.5e-4)?;
    trajectory.events().iter().for_each(|hit| println!("{} {}", hit.time, hit.velocity_after));
    Ok(())
}
