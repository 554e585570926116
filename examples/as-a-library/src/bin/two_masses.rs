use cosimo::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The nonsmooth part: a sphere above a floor, stepped by Moreau and Jean's rule.
    let floor = MovingPlane::at_rest("floor", [0.0; 3], [0.0, 0.0, 1.0], ContactLaw::frictionless(0.8));
    let sphere = PointMassBuilder::new("sphere", 1.0)
        .with_gravity([0.0, 0.0, -10.0])
        .with_initial_state([0.0, 0.0, 0.801], [0.0; 3])
        .with_port("top", PointMassPort::along([0.0, 0.0, 1.0]))
        .with_plane(floor);

    // The smooth part, stepped by the two-step rule with spectral radius 0.6 at infinite frequency.
    let mass = MechanismBuilder::new("mass", LinearSystem::masses([1.0])?.with_force([-10.0])?)
        .with_rule(Multistep::new(0.6)?)
        .with_port("foot", [LinearRow::coordinate(0)])
        .with_initial_state([0.801], [0.0])
        .with_coordinate_quantities(["z"]);

    // A spring of 1000 N/m between them, and two seconds.
    let mut model = Model::new();
    let sphere = model.add(sphere.build()?)?;
    let mass = model.add(mass.build()?)?;
    model.spring("spring", sphere.port("top"), mass.port("foot"), 1e3)?;
    let trajectory = model.simulate(2.0, 1e-3)?;

    let report = trajectory.report();
    assert_eq!(report.interface_solves_per_step(), 1.0);
    println!("{} impacts, {:.3} J lost", report.impacts, -report.energy.contact);
    println!("the mass ends at {:.3} m", trajectory.last(mass.quantity("z"))?);
    Ok(())
}
