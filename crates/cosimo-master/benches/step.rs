//! One macro step through the whole master against a hand-written loop of the same scheme.
//!
//! There are two loops beside each model: one for this model alone, in the fewest numbers that it takes, and one for linear systems
//! with any number of coordinates, contacts and ports (`common/written_out.rs`). They do the same with the same contact rule, and
//! end where the master ends. Ends with a table; the last measured one is in `docs/benchmarks/cost.md`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::missing_docs_in_private_items,
    reason = "benches"
)]

use cosimo_dynamics::{LinearRow, LinearRows, LinearSystem};
use cosimo_master::{Interface, InterfaceLaw, Master, MasterConfig};
use cosimo_mechanics::ContactLaw;
use cosimo_native::{MechanismBuilder, PointMassBuilder, PointMassPort};
use cosimo_nonsmooth::{MovingPlane, PlaneMotion};
use cosimo_subsystem::Subsystem;
use divan::{Bencher, black_box};
use nalgebra::{DMatrix, DVector, Vector3, dmatrix};

#[path = "common/timing.rs"]
mod timing;
#[path = "common/written_out.rs"]
mod written_out;

const H: f64 = 1e-3;
const STEPS: usize = 1000;

fn main() {
    divan::main();
    if timing::is_wanted() {
        check(free_ball, [ball_loop().0.z, ball_written_out_loop()], 1e-12);
        check(oscillator, [oscillator_loop().0[0], oscillator_written_out_loop()], 1e-5);
        let row = |name, limit, ours: fn() -> Master, by_hand: &[&dyn Fn()]| {
            let ours = timing::microseconds(ours, steps);
            let by_hand = by_hand.iter().map(|by_hand| timing::microseconds(|| (), |()| by_hand()));
            let columns: String = by_hand.map(|time| format!(" {time:.4} | {:.1} |", ours / time)).collect();
            println!("| {name} | {ours:.3} | {limit} |{columns}");
        };
        println!(
            "\n| one step | µs | limit (µs) | for this model (µs) | ratio | for any model (µs) | ratio |"
        );
        println!("|---|---|---|---|---|---|---|");
        row(
            "ball on a floor",
            0.3,
            free_ball,
            &[
                &|| {
                    black_box(ball_loop());
                },
                &|| {
                    black_box(ball_written_out_loop());
                },
            ],
        );
        row(
            "oscillator of two subsystems",
            1.0,
            oscillator,
            &[
                &|| {
                    black_box(oscillator_loop());
                },
                &|| {
                    black_box(oscillator_written_out_loop());
                },
            ],
        );
        row(
            "chain of 100 masses on a wall",
            5.0,
            chain,
            &[&|| {
                black_box(chain_of_100_loop());
            }],
        );
    }
}

fn node(ports: &[(&str, PointMassPort)]) -> Box<dyn Subsystem> {
    let floor = MovingPlane {
        name: "floor".to_owned(),
        motion: PlaneMotion::at_rest(Vector3::zeros(), Vector3::z()),
        law: ContactLaw::frictionless(0.8),
    };
    let mut node = PointMassBuilder::new("node", 1.0)
        .with_gravity(Vector3::new(0.0, 0.0, -10.0))
        .with_initial_state(Vector3::new(0.0, 0.0, 0.801), Vector3::zeros())
        .with_plane(floor);
    for (name, port) in ports {
        node = node.with_port(*name, port.clone());
    }
    Box::new(node.build().unwrap())
}

fn steps(master: &mut Master) {
    black_box(advance(master));
}

fn advance(master: &mut Master) -> f64 {
    for _ in 0..STEPS {
        master.step(H).unwrap();
    }
    master.time()
}

fn free_ball() -> Master {
    Master::new(vec![node(&[])], vec![], MasterConfig::default(), 0.0).unwrap()
}

#[divan::bench(sample_count = 50)]
fn ball(bencher: Bencher) {
    bencher.counter(STEPS).with_inputs(free_ball).bench_local_refs(|master| black_box(advance(master)));
}

/// A point mass in space over a plane, θ = ½, impacts at their instants, energy kept: by hand with nalgebra.
fn ball_loop() -> (Vector3<f64>, Vector3<f64>, f64) {
    let (mut q, mut v) = (Vector3::new(0.0, 0.0, 0.801), Vector3::<f64>::zeros());
    let (force, n, mass) = (Vector3::new(0.0, 0.0, -10.0), Vector3::z(), black_box(1.0));
    let mut energy = 0.0;
    for _ in 0..STEPS {
        let free = v + force * (H / mass);
        let mut end = q + (v + free) * (0.5 * H);
        let mut end_v = free;
        if n.dot(&end) <= 0.0 {
            let (gap, rate, acceleration) = (n.dot(&q), n.dot(&v), n.dot(&(free - v)) / H);
            let time = 2.0 * gap / (-rate + (rate * rate - 2.0 * acceleration * gap).sqrt());
            let approach = rate + acceleration * time;
            let jump = n * (-1.8 * approach);
            end_v += jump;
            end += jump * (H - time);
        }
        (q, v) = (end, end_v);
        energy = 0.5 * mass * v.norm_squared() - force.dot(&q);
    }
    (q, v, energy)
}

#[divan::bench(sample_count = 50)]
fn ball_by_hand(bencher: Bencher) {
    bencher.counter(STEPS).bench_local(ball_loop);
}

/// The ball in the scheme written out for systems of any size, with these port rows.
fn ball_written_out(ports: DMatrix<f64>) -> written_out::Stepper {
    let system = written_out::System {
        mass: DMatrix::identity(3, 3),
        stiffness: DMatrix::zeros(3, 3),
        force: DVector::from_row_slice(&[0.0, 0.0, -10.0]),
        contacts: dmatrix![0.0, 0.0, 1.0],
        restitution: 0.8,
        ports,
        q: DVector::from_row_slice(&[0.0, 0.0, 0.801]),
        v: DVector::zeros(3),
    };
    written_out::Stepper::new(system, black_box(H))
}

fn ball_written_out_loop() -> f64 {
    let mut ball = ball_written_out(DMatrix::zeros(0, 3));
    for _ in 0..STEPS {
        ball.begin();
        assert!(ball.take());
    }
    black_box(ball.energy);
    ball.positions()[2]
}

fn oscillator_written_out_loop() -> f64 {
    let upper = written_out::System {
        mass: dmatrix![1.0],
        stiffness: dmatrix![0.0],
        force: DVector::from_row_slice(&[-10.0]),
        contacts: DMatrix::zeros(0, 1),
        restitution: 0.0,
        ports: dmatrix![1.0],
        q: DVector::from_row_slice(&[0.801]),
        v: DVector::zeros(1),
    };
    let parts = [ball_written_out(dmatrix![0.0, 0.0, 1.0]), written_out::Stepper::new(upper, black_box(H))];
    let mut pair = written_out::Pair::new(parts, 1e3);
    for _ in 0..STEPS {
        assert!(pair.step());
    }
    black_box(pair.energy);
    pair.parts[0].positions()[2]
}

/// The loops do what the master does: heights of the ball after all steps (m).
fn check(ours: fn() -> Master, loops: [f64; 2], allowed: f64) {
    let mut master = ours();
    advance(&mut master);
    let height = master.subsystems()[0].rows().positions.last().copied().unwrap();
    assert!(loops.iter().all(|other| (other - height).abs() < allowed), "{height} m, {loops:?} m");
}

fn oscillator() -> Master {
    let system = LinearSystem::new(dmatrix![1.0]).unwrap().with_force(vec![-10.0]).unwrap();
    let upper = MechanismBuilder::new("upper", system)
        .with_ports(&[("foot", 1)], LinearRows(vec![LinearRow::coordinate(0)]))
        .with_initial_state(vec![0.801], vec![0.0])
        .build()
        .unwrap();
    let spring = Interface::new("spring", "node.top", "upper.foot", InterfaceLaw::spring(1e3, 0.0, 1));
    let lower = node(&[("top", PointMassPort::Along(Vector3::z()))]);
    Master::new(vec![lower, Box::new(upper)], vec![spring], MasterConfig::default(), 0.0).unwrap()
}

#[divan::bench(sample_count = 50)]
fn oscillator_from_two_subsystems(bencher: Bencher) {
    bencher.counter(STEPS).with_inputs(oscillator).bench_local_refs(|master| black_box(advance(master)));
}

/// The two masses as one system with nalgebra's dynamic types, as a master of two black boxes would hold them.
fn oscillator_loop() -> (DVector<f64>, DVector<f64>, f64) {
    let k = black_box(1e3);
    let stiffness = DMatrix::from_row_slice(2, 2, &[k, -k, -k, k]);
    let inverse = (DMatrix::identity(2, 2) + &stiffness * (0.25 * H * H)).try_inverse().unwrap();
    let force = DVector::from_row_slice(&[-10.0, -10.0]);
    let (mut q, mut v) = (DVector::from_element(2, 0.801), DVector::zeros(2));
    let (mut rhs, mut mid, mut acceleration) = (DVector::zeros(2), DVector::zeros(2), DVector::zeros(2));
    let mut energy = 0.0;
    for _ in 0..STEPS {
        mid.copy_from(&q);
        mid.axpy(0.5 * H, &v, 1.0);
        rhs.copy_from(&force);
        rhs.gemv(-1.0, &stiffness, &mid, 1.0);
        acceleration.gemv(1.0, &inverse, &rhs, 0.0);
        let end_gap = q[0] + H * v[0] + 0.5 * H * H * acceleration[0];
        let (gap, rate) = (q[0], v[0]);
        q.axpy(H, &v, 1.0);
        q.axpy(0.5 * H * H, &acceleration, 1.0);
        v.axpy(H, &acceleration, 1.0);
        if end_gap <= 0.0 {
            let a: f64 = acceleration[0];
            let time = 2.0 * gap / (-rate + (rate * rate - 2.0 * a * gap).sqrt());
            let impulse = -1.8 * (rate + a * time) / inverse[(0, 0)];
            v.axpy(impulse, &inverse.column(0), 1.0);
            q.axpy(impulse * (H - time), &inverse.column(0), 1.0);
        }
        mid.gemv(1.0, &stiffness, &q, 0.0);
        energy = 0.5 * v.norm_squared() + 0.5 * mid.dot(&q) - force.dot(&q);
    }
    (q, v, energy)
}

#[divan::bench(sample_count = 50)]
fn oscillator_by_hand(bencher: Bencher) {
    bencher.counter(STEPS).bench_local(oscillator_loop);
}

const MASSES: usize = 100;

fn chain() -> Master {
    let stiffness = DMatrix::from_fn(MASSES, MASSES, |i, j| match i.abs_diff(j) {
        0 if i == 0 || i == MASSES - 1 => 1e4,
        0 => 2e4,
        1 => -1e4,
        _ => 0.0,
    });
    let system =
        LinearSystem::new(DMatrix::identity(MASSES, MASSES)).unwrap().with_stiffness(stiffness).unwrap();
    let chain = MechanismBuilder::new("chain", system)
        .with_contacts(&[("wall", 0.8)], LinearRows(vec![LinearRow::dense(&[-1.0], 0.0)]))
        .with_initial_state(vec![-0.1; MASSES], vec![1.0; MASSES])
        .build()
        .unwrap();
    Master::new(vec![Box::new(chain)], vec![], MasterConfig::default(), 0.0).unwrap()
}

#[divan::bench(sample_count = 20)]
fn chain_of_100(bencher: Bencher) {
    bencher.counter(STEPS).with_inputs(chain).bench_local_refs(|master| black_box(advance(master)));
}

/// The chain with its own tridiagonal solver, contact at the first mass by the plain rule.
fn chain_of_100_loop() -> (Vec<f64>, Vec<f64>, f64) {
    let (n, k) = (MASSES, black_box(1e4));
    let c = 0.25 * H * H;
    let diagonal = |i: usize| if i == 0 || i == n - 1 { k } else { 2.0 * k };
    let (mut pivot, mut lower) = (vec![0.0; n], vec![0.0; n]);
    pivot[0] = 1.0 / (1.0 + c * diagonal(0));
    for i in 1..n {
        lower[i] = -c * k * pivot[i - 1];
        pivot[i] = 1.0 / (1.0 + c * diagonal(i) + c * k * lower[i]);
    }
    let solve = |x: &mut [f64]| {
        for i in 1..n {
            x[i] -= lower[i] * x[i - 1];
        }
        x.iter_mut().zip(&pivot).for_each(|(x, p)| *x *= p);
        for i in (0..n - 1).rev() {
            x[i] -= lower[i + 1] * x[i + 1];
        }
    };
    let mut unit = vec![0.0; n];
    unit[0] = 1.0;
    solve(&mut unit);
    let (mut q, mut v, mut a) = (vec![-0.1; n], vec![1.0; n], vec![0.0; n]);
    let mut mid = vec![0.0; n];
    let mut energy = 0.0;
    for _ in 0..STEPS {
        mid.iter_mut().zip(q.iter().zip(&v)).for_each(|(m, (q, v))| *m = q + 0.5 * H * v);
        for i in 0..n {
            let left = if i > 0 { mid[i - 1] - mid[i] } else { 0.0 };
            let right = if i + 1 < n { mid[i + 1] - mid[i] } else { 0.0 };
            a[i] = k * (left + right);
        }
        solve(&mut a);
        let (end_gap, start_rate, end_rate) =
            (-(q[0] + H * v[0] + 0.5 * H * H * a[0]), -v[0], -(v[0] + H * a[0]));
        for i in 0..n {
            q[i] += H * v[i] + 0.5 * H * H * a[i];
            v[i] += H * a[i];
        }
        if end_gap <= 0.0 {
            let impulse = (-(end_rate + 0.8 * start_rate.min(0.0)) / unit[0]).max(0.0);
            for i in 0..n {
                v[i] -= impulse * unit[i];
                q[i] -= 0.5 * H * impulse * unit[i];
            }
        }
        let kinetic: f64 = v.iter().map(|v| 0.5 * v * v).sum();
        let potential: f64 = q.windows(2).map(|p| 0.5 * k * (p[1] - p[0]) * (p[1] - p[0])).sum();
        energy = kinetic + potential;
    }
    (q, v, energy)
}

#[divan::bench(sample_count = 20)]
fn chain_of_100_by_hand(bencher: Bencher) {
    bencher.counter(STEPS).bench_local(chain_of_100_loop);
}
