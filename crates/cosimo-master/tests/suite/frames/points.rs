//! Joints of one and three coordinates at points of bodies that turn: along one direction, ball joints, springs.

use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use cosimo_native::{BodyPort, FreeBodyBuilder};
use nalgebra::{DMatrix, DVector, Vector3};

use super::bodies::{Part, pair, state};
use super::reference::{Load, integrate};

const END: f64 = 1.0;

/// Bodies that meet in one point and turn differently.
fn parts() -> [Part; 2] {
    let mut parts = pair(Vector3::new(1.0, -0.5, 0.3), Vector3::new(3.0, 1.0, -2.0));
    let part = &mut parts[1];
    let spin = Vector3::new(-1.0, 2.0, 0.5);
    part.start.velocity +=
        (part.start.angular_velocity_in_world() - spin).cross(&(part.start.orientation * part.arm));
    part.start.angular_velocity = part.start.orientation.inverse() * spin;
    parts
}

fn couple(parts: &[Part; 2], directions: &[Vector3<f64>], law: &InterfaceLaw) -> Master {
    let build = |part: &Part, name: &str| {
        let port = match directions {
            [direction] => BodyPort::Along { arm: part.arm, direction: *direction },
            _ => BodyPort::Point { arm: part.arm },
        };
        let body = FreeBodyBuilder::new(name, part.body.clone()).with_initial_state(part.start);
        Box::new(body.with_port("pin", port).build().unwrap()) as _
    };
    let interface = Interface::new("joint", "a.pin", "b.pin", law.clone());
    let subsystems = vec![build(&parts[0], "a"), build(&parts[1], "b")];
    Master::new(subsystems, vec![interface], MasterConfig::default(), 0.0).unwrap()
}

/// The loads of a force between the points of two bodies that holds their accelerations equal along the directions.
fn constraint(parts: &[Part; 2], directions: &[Vector3<f64>], states: &[BodyState; 2]) -> [Load; 2] {
    let d = directions.len();
    let (mut matrix, mut right) = (DMatrix::<f64>::zeros(d, d), DVector::<f64>::zeros(d));
    for (side, (part, at)) in parts.iter().zip(states).enumerate() {
        let sign: f64 = if side == 0 { 1.0 } else { -1.0 };
        let turn = at.orientation.to_rotation_matrix().into_inner();
        let inverse = turn * part.body.inertia().try_inverse().unwrap() * turn.transpose();
        let (arm, omega) = (turn * part.arm, at.angular_velocity_in_world());
        let momentum = turn * (part.body.inertia() * at.angular_velocity);
        let free = (inverse * momentum.cross(&omega)).cross(&arm) + omega.cross(&omega.cross(&arm));
        for k in 0..d {
            right[k] += sign * directions[k].dot(&free);
            for l in 0..d {
                let turned = (inverse * arm.cross(&directions[l])).cross(&arm);
                matrix[(k, l)] += directions[k].dot(&(directions[l] / part.body.mass() + turned));
            }
        }
    }
    let forces = matrix.lu().solve(&right).unwrap();
    let force: Vector3<f64> = directions.iter().zip(forces.iter()).map(|(n, f)| n * *f).sum();
    forces_on(parts, states, force)
}

/// A force on the point of b, and its reaction on that of a.
fn forces_on(parts: &[Part; 2], states: &[BodyState; 2], force: Vector3<f64>) -> [Load; 2] {
    let load = |i: usize, force: Vector3<f64>| (force, (states[i].orientation * parts[i].arm).cross(&force));
    [load(0, -force), load(1, force)]
}

fn error(master: &mut Master, exact: &[BodyState; 2], steps: usize) -> f64 {
    for _ in 0..steps {
        master.step(END / steps as f64).unwrap();
    }
    let apart = ["a", "b"].iter().zip(exact).map(|(name, exact)| {
        let found = state(master, name);
        (found.position - exact.position).norm() + found.orientation.angle_to(&exact.orientation)
    });
    apart.sum()
}

fn expect_order_two(
    parts: &[Part; 2],
    directions: &[Vector3<f64>],
    law: &InterfaceLaw,
    exact: &[BodyState; 2],
) {
    let errors = [200, 400, 800].map(|steps| error(&mut couple(parts, directions, law), exact, steps));
    assert!(errors[2] < 1e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.3, "{errors:?}");
    }
}

fn bodies(parts: &[Part; 2]) -> [RigidBody; 2] {
    parts.clone().map(|part| part.body)
}

#[test]
fn rigid_and_tikhonov_joints_of_one_and_three_coordinates() {
    let parts = parts();
    let start = parts.clone().map(|part| part.start);
    let ball = vec![Vector3::x(), Vector3::y(), Vector3::z()];
    for directions in [ball, vec![Vector3::new(0.48, -0.6, 0.64)]] {
        let exact = integrate(&bodies(&parts), start, |at| constraint(&parts, &directions, at), (END, 4000));
        for law in [InterfaceLaw::Rigid, InterfaceLaw::Tikhonov { constant: 1e-13 }] {
            expect_order_two(&parts, &directions, &law, &exact);
        }
        // The joint itself.
        let mut master = couple(&parts, &directions, &InterfaceLaw::Rigid);
        error(&mut master, &exact, 4000);
        let [a, b] = ["a", "b"].map(|name| state(&master, name));
        let gap = a.point(&parts[0].arm) - b.point(&parts[1].arm);
        assert!(directions.iter().all(|n| n.dot(&gap).abs() < 1e-12), "{gap}");
    }
}

#[test]
fn springs_of_one_and_three_coordinates() {
    let mut parts = parts();
    parts[0].start.position += Vector3::new(0.05, 0.1, -0.1);
    let start = parts.clone().map(|part| part.start);
    let ball = vec![Vector3::x(), Vector3::y(), Vector3::z()];
    for directions in [ball, vec![Vector3::new(0.48, -0.6, 0.64)]] {
        let spring = |at: &[BodyState; 2]| {
            let apart = at[0].point(&parts[0].arm) - at[1].point(&parts[1].arm);
            let rate = at[0].point_velocity(&parts[0].arm) - at[1].point_velocity(&parts[1].arm);
            let force = directions.iter().map(|n| n * n.dot(&(apart * 50.0 + rate * 0.5))).sum();
            forces_on(&parts, at, force)
        };
        let exact = integrate(&bodies(&parts), start, spring, (END, 4000));
        let law = InterfaceLaw::spring(50.0, 0.5, directions.len());
        expect_order_two(&parts, &directions, &law, &exact);
    }
}
