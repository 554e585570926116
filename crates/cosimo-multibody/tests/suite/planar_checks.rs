//! What a planar model refuses, and that its methods do not allocate.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::common::mechanism;
use cosimo_dynamics::{ConstrainedSystem, Level, Motion, State, StateChange};
use cosimo_multibody::planar::{
    Body, Pin, PlanarError, PlanarModel, PlaneContact, Point, PointRow, SpringDamper,
};

fn rod() -> Body {
    Body::new("rod", 1.0, 1.0)
}

fn model() -> PlanarModel {
    PlanarModel::new([0.0, -10.0]).with_body(rod())
}

fn spring(stiffness: f64, damping: f64, length: f64) -> SpringDamper {
    let between = [Point::on("rod", [1.0, 0.0]), Point::ground([1.0, -1.0])];
    SpringDamper { between, stiffness, damping, length }
}

fn rejection(model: PlanarModel) -> String {
    model.build().unwrap_err().to_string()
}

#[test]
fn numbers_outside_their_range_are_refused_by_name() {
    type Change = fn(&mut Body);
    let cases: [(Change, &str); 8] = [
        (|b| b.mass = 0.0, "body `rod`: mass is 0, must be positive and finite"),
        (|b| b.mass = f64::NAN, "body `rod`: mass is NaN, must be positive and finite"),
        (|b| b.inertia = -1.0, "body `rod`: inertia is -1, must be positive and finite"),
        (|b| b.inertia = f64::INFINITY, "body `rod`: inertia is inf, must be positive and finite"),
        (|b| b.position[1] = f64::NAN, "body `rod`: position is NaN, must be finite"),
        (|b| b.angle = f64::NAN, "body `rod`: angle is NaN, must be finite"),
        (|b| b.velocity[0] = f64::NAN, "body `rod`: velocity is NaN, must be finite"),
        (|b| b.angular_velocity = f64::NAN, "body `rod`: angular velocity is NaN, must be finite"),
    ];
    for (change, text) in cases {
        let mut body = rod();
        change(&mut body);
        assert_eq!(rejection(PlanarModel::new([0.0; 2]).with_body(body)), text);
    }
    let first = || model().with_spring(spring(1.0, 0.0, 0.0));
    for (broken, text) in [
        (spring(-1.0, 0.0, 0.0), "spring 1: stiffness is -1, must be finite and not negative"),
        (spring(1.0, -2.0, 0.0), "spring 1: damping is -2, must be finite and not negative"),
        (spring(1.0, 0.0, f64::NAN), "spring 1: length is NaN, must be finite and not negative"),
    ] {
        assert_eq!(rejection(first().with_spring(broken)), text);
    }
    assert_eq!(
        rejection(PlanarModel::new([f64::NAN, 0.0]).with_body(rod())),
        "the model: gravity is NaN, must be finite"
    );
}

#[test]
fn names_and_references_are_checked() {
    assert_eq!(PlanarModel::default().build(), Err(PlanarError::NoBodies));
    assert_eq!(rejection(model().with_body(rod())), "there are two bodies named `rod`; rename one");
    let hinge = || Pin::new("hinge", Point::on("rod", [0.0; 2]), Point::ground([0.0; 2]));
    assert_eq!(
        rejection(model().with_pin(hinge()).with_pin(hinge())),
        "there are two pins named `hinge`; rename one"
    );
    assert_eq!(
        rejection(model().with_body(Body::new("ground", 1.0, 1.0))),
        "a body cannot be named `ground`, which stands for the fixed world; rename it"
    );
    let lost = Pin::new("hinge", Point::on("road", [0.0; 2]), Point::ground([0.0; 2]));
    assert_eq!(
        rejection(model().with_body(Body::new("arm", 1.0, 1.0)).with_pin(lost)),
        "pin `hinge` refers to body `road`, which does not exist; there are: rod, arm"
    );
    let same = Pin::new("hinge", Point::on("rod", [0.0; 2]), Point::on("rod", [1.0, 0.0]));
    assert_eq!(
        rejection(model().with_pin(same)),
        "pin `hinge` joins two points of the same body, or of the ground; join two different ones"
    );
}

#[test]
fn rows_are_checked() {
    let system = model().build().unwrap();
    let along = |point, direction| PointRow::along(&system, &point, direction).unwrap_err().to_string();
    assert_eq!(
        along(Point::on("road", [0.0; 2]), [0.0, 1.0]),
        "a port refers to body `road`, which does not exist; there are: rod"
    );
    assert_eq!(
        along(Point::on("rod", [0.0; 2]), [0.0, 0.0]),
        "a port: direction is zero and has no direction"
    );
    let stop = PlaneContact {
        name: "stop".to_owned(),
        point: Point::on("rod", [0.0; 2]),
        plane: [0.0; 2],
        normal: [0.0, 1.0],
    };
    let rejection = |contacts: &[PlaneContact]| PointRow::gaps(&system, contacts).unwrap_err().to_string();
    assert_eq!(rejection(&[stop.clone(), stop.clone()]), "there are two contacts named `stop`; rename one");
    assert_eq!(
        rejection(&[PlaneContact { point: Point::ground([0.0; 2]), ..stop.clone() }]),
        "contact `stop` watches a point of the ground, which does not move; give a body"
    );
    assert_eq!(
        rejection(&[PlaneContact { normal: [0.0; 2], ..stop.clone() }]),
        "contact `stop`: normal is zero and has no direction"
    );
    assert_eq!(
        rejection(&[PlaneContact { plane: [f64::NAN, 0.0], ..stop }]),
        "contact `stop`: plane is NaN, must be finite"
    );
}

#[test]
fn initial_states_that_violate_pins_are_reported_by_pin() {
    let hinge = |name, x| Pin::new(name, Point::on("rod", [-1.0, 0.0]), Point::ground([x, 0.0]));
    let body = rod().with_pose([1.0, 0.0], 0.0).with_velocity([0.0, 2.0], 2.0);
    let consistent = PlanarModel::default().with_body(body.clone()).with_pin(hinge("hinge", 0.0));
    assert!(consistent.build().unwrap().initial_violations(1e-12).is_empty());

    let shifted = PlanarModel::default().with_body(body).with_pin(hinge("hinge", 0.01)).build().unwrap();
    let violations = shifted.initial_violations(1e-3);
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].pin, "hinge");
    assert!((violations[0].distance - 0.01).abs() < 1e-15 && violations[0].speed < 1e-15);
    assert!(shifted.initial_violations(0.1).is_empty());

    let sliding = rod().with_pose([1.0, 0.0], 0.0).with_velocity([3.0, 2.0], 2.0);
    let sliding = PlanarModel::default().with_body(sliding).with_pin(hinge("hinge", 0.0)).build().unwrap();
    assert!((sliding.initial_violations(1e-3)[0].speed - 3.0).abs() < 1e-15);
}

#[test]
fn system_describes_its_coordinates_and_rows() {
    let system = mechanism(&[0.1; 12], 1.0, 0.0).build().unwrap();
    assert_eq!((system.structure().velocities(), system.structure().rows()), (9, 4));
    assert_eq!(
        (system.constraint_name(1), system.coordinate_name(2)),
        ("pin `knee`".into(), "body `c`".into())
    );
    assert_eq!(system.pin_names().collect::<Vec<_>>(), ["foot", "knee"]);
    assert_eq!(system.bodies()[2].name, "c");
    let (mut phi, mut distances) = ([0.0; 4], [0.0; 2]);
    let q = [0.3, 0.1, 0.2, 0.7, -0.4, 1.1, 0.0, 0.2, 0.5];
    let motion = Motion { t: 0.0, q: &q, v: &[0.0; 9] };
    system.constraints(Level::Position, motion, &[0.0; 9], &mut phi);
    let mut residuals = [0.0; 4];
    system.write_residuals(&q, &mut residuals);
    assert_eq!(phi, residuals);
    system.pin_distances(&q, &mut distances);
    assert_eq!(distances, [phi[0].hypot(phi[1]), phi[2].hypot(phi[3])]);
}

#[test]
fn trait_methods_do_not_allocate() {
    let system = mechanism(&[0.1; 12], 1e3, 2.0).build().unwrap();
    let point = Point::on("b", [0.2, 0.3]);
    let stop =
        PlaneContact { name: "stop".to_owned(), point: point.clone(), plane: [0.0; 2], normal: [1.0, 1.0] };
    let mut rows = PointRow::gaps(&system, &[stop]).unwrap();
    rows.extend(PointRow::spatial(&system, &point).unwrap());
    let (q, v, mu) = ([0.3; 9], [0.2; 9], [1.0; 4]);
    let motion = Motion { t: 0.0, q: &q, v: &v };
    let mut out = [0.0; 9];
    let counted = allocation_counter::measure(|| {
        system.balance(motion, &v, &mu, &mut out);
        system.mass_product(&q, &v, &mut out);
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            system.constraints(level, motion, &v, &mut out[..4]);
        }
        std::hint::black_box((system.energy(motion), system.dissipated_power(motion)));
        system.pin_distances(&q, &mut out[..2]);
        for row in &rows {
            std::hint::black_box((
                row.position(&q),
                row.velocity_change(State { q: &q, v: &v }, StateChange { dq: &v, dv: &v }),
            ));
            row.add_force(&q, 1.0, &mut out);
            row.give_stiffness(&q, 1.0, |_, block| out[0] += block[8]);
        }
    });
    assert_eq!(counted.count_total, 0);
}
