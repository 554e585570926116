use cosimo::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let floor = MovingPlane::at_rest("floor", [0.0; 3], [0.0, 0.0, 1.0], ContactLaw::frictionless(0.5));
    let ball = PointMassBuilder::new("ball", 2.0).with_gravity([0.0, 0.0, -10.0]).with_plane(floor);
    let mut model = Model::new();
    let ball = model.add(ball.with_initial_state([0.0, 0.0, 0.8], [0.0; 3]).build()?)?;
    let trajectory = model.simulate(0.6, 1e-3)?;
    println!("lands at {:.3} s", trajectory.events()[0].time);
    println!("is {:.3} m high at 0.6 s", trajectory.last(ball.quantity("z"))?);
    Ok(())
}
