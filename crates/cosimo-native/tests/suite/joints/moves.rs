//! Moves that close gaps: what the end does, and what the steps after it make of it.

use cosimo_smooth::dae::Method;
use cosimo_subsystem::{Begun, ExpectedLoads, MacroStep, RowMatrix, StepLoads, StepResponse, Subsystem};

use super::models::{CHAINS, HANGING, ROD_INERTIA, ROD_WEIGHT, RULES, TWINS, linear_chain};
use crate::multibody::models::{elbow, pendulum};

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = 1.0 + largest(expected);
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance * scale, "{what}: {found:e} instead of {expected:e}");
    }
}

fn entries(matrix: &RowMatrix) -> Vec<f64> {
    matrix.to_dense().as_slice().to_vec()
}

/// Compares two responses; positions less those of relaxed springs.
fn compare(found: &StepResponse, expected: &StepResponse, place: &str) {
    let what = |part: &str| format!("{place}: {part}");
    let positions: Vec<f64> =
        found.positions.iter().zip([1.0, 2.0]).map(|(z, relaxed)| z - relaxed).collect();
    assert_close(&positions, &expected.positions, 1e-11, &what("positions"));
    assert_close(&found.velocities, &expected.velocities, 1e-9, &what("velocities"));
    for (name, [found, expected]) in [
        ("inverse mass", [&found.inverse_mass, &expected.inverse_mass]),
        ("move mass", [&found.move_mass, &expected.move_mass]),
        ("damped inverse mass", [&found.damped_inverse_mass, &expected.damped_inverse_mass]),
    ] {
        assert_close(&entries(found), &entries(expected), 1e-9, &what(name));
    }
    let weights = |response: &StepResponse| {
        let w = response.weights;
        [w.end, w.start, w.position, w.damping]
    };
    assert_close(&weights(found), &weights(expected), 1e-15, &what("weights"));
}

/// Loads of step `k`: finite ones by the weights of the rule, momenta, and in every third step moves.
fn loads(k: usize, (start, end): ([f64; 2], [f64; 2]), response: &StepResponse) -> StepLoads {
    let mut loads = StepLoads::zeros(2);
    let x = k as f64;
    loads.momenta = vec![0.05 * (2.0 * x).sin(), if k % 4 == 1 { 0.2 } else { -0.03 }];
    for row in 0..2 {
        let finite = response.weights.end * end[row] + response.weights.start * start[row];
        loads.impulses[row] = finite + loads.momenta[row];
    }
    if k % 3 == 1 {
        loads.has_moves = true;
        loads.moves = vec![2e-3 * (1.3 * x).cos(), -1e-3];
    }
    loads
}

/// The springs of the chain follow their axis: in a row the system is linear.
#[test]
fn a_chain_of_bodies_moves_as_the_linear_chain_does() {
    const SIZES: [f64; 6] = [1.0, 1.0, 2.0, 0.5, 1.0, 3.0];
    for (method, rule) in TWINS {
        for (kind, chain) in CHAINS.into_iter().enumerate() {
            let (mut linear, mut bodies) = (linear_chain(rule()), chain(method));
            let mut time = 0.0;
            let finite = |time: f64| [3.0 * (50.0 * time).cos(), 2.0 * (30.0 * time).sin()];
            for body in [&mut linear, &mut bodies] {
                body.report_moves(true);
            }
            for k in 0..24 {
                let place = format!("{method:?}, kind {kind}, step {k}");
                let step = MacroStep { time, size: 2e-3 * SIZES[k % SIZES.len()] };
                let (start, end) = (finite(time), finite(time + step.size));
                let [expected, found] = [&mut linear, &mut bodies].map(|body| {
                    // The load of the momenta counts where the rule begins anew.
                    let momenta = [2.0, -1.0];
                    let both: Vec<f64> = start.iter().zip(momenta).map(|(a, b)| a + b).collect();
                    let none = [0.0; 2];
                    let expected =
                        ExpectedLoads { start: &none, end: &none, momenta: &momenta, needs_matrices: true };
                    match body.begin_predicted(step, &both, expected).unwrap() {
                        Begun::Free(response) | Begun::UnderLoads(response) => response.clone(),
                    }
                });
                compare(&found, &expected, &place);
                let energies = [linear.energy().total(), bodies.energy().total()];
                let [a, b] = [&mut linear, &mut bodies]
                    .map(|body| body.commit(&loads(k, (start, end), &expected)).unwrap());
                let positions: Vec<f64> =
                    bodies.rows().positions.iter().zip([1.0, 2.0]).map(|(z, relaxed)| z - relaxed).collect();
                assert_close(&positions, &linear.rows().positions, 1e-11, &place);
                assert_close(&bodies.rows().velocities, &linear.rows().velocities, 1e-9, &place);
                let changes = [a.energy.total() - energies[0], b.energy.total() - energies[1]];
                let ledger = [b.port_work, b.dissipated, b.numerical, changes[1]];
                if method != Method::ImplicitEuler {
                    // The linear one takes powers inside the step.
                    let of_linear = [a.port_work, a.dissipated, a.numerical, changes[0]];
                    assert_close(&ledger, &of_linear, 1e-8, &format!("{place}, ledger"));
                }
                time += step.size;
                if k == 13 {
                    // The bodies go on as a new instance.
                    let saved = bodies.save().unwrap();
                    bodies = chain(method);
                    bodies.restore(&saved).unwrap();
                    bodies.report_moves(true);
                }
            }
        }
    }
}

/// Weight and a load that pulls at the tip hold the rod down, by forces of joint and load that turn with it.
#[test]
fn a_hanging_rod_answers_by_the_stiffness_of_what_pulls_at_it() {
    const PULL: f64 = 30.0;
    for method in RULES {
        for (kind, rod) in HANGING.into_iter().enumerate() {
            let run = |moves: f64| {
                let mut rod = rod(method);
                rod.report_moves(true);
                let step = MacroStep { time: 0.0, size: 0.1 };
                let weights = rod.begin(step, &[0.0, -PULL]).unwrap().weights;
                let impulses = vec![0.0, -PULL * (weights.end + weights.start)];
                let response = rod.evaluate(&impulses).unwrap().clone();
                let moves = vec![moves, 0.0];
                let has_moves = moves[0] != 0.0;
                rod.commit(&StepLoads { impulses, moves, has_moves, ..StepLoads::zeros(2) }).unwrap();
                (response, [rod.rows().positions[0], rod.rows().velocities[0]])
            };
            let (response, [z, rate]) = run(0.0);
            let weights = response.weights;
            let stiffness = 0.5 * ROD_WEIGHT + PULL;
            let stiff = ROD_INERTIA + weights.position * weights.end * stiffness;
            let (w, y) = (1.0 / stiff, ROD_INERTIA / (stiff * stiff));
            let place = format!("{method:?}, kind {kind}");
            let found = [response.inverse_mass.entry(0, 0), response.move_mass.entry(0, 0)];
            assert_close(&found, &[w, y], 1e-8, &place);
            let m = 1e-5;
            let (_, [moved, faster]) = run(m);
            let changes = [(moved - z) / m, (faster - rate) / m];
            assert_close(&changes, &[y, -(w - y) / weights.position], 1e-5, &place);
        }
    }
}

#[test]
fn points_that_swing_move_by_the_move_mass() {
    for (method, make) in RULES.into_iter().flat_map(|rule| [(rule, pendulum as fn() -> _), (rule, elbow)]) {
        let run = |factor: f64| {
            let mut body = make().with_method(method).build().unwrap();
            body.report_moves(true);
            let rows = body.rows().positions.len();
            let none = vec![0.0; rows];
            let direction: Vec<f64> = (0..rows).map(|k| 1e-6 * (1.0 + k as f64).sin()).collect();
            let step = |k: usize| MacroStep { time: 2e-3 * k as f64, size: 2e-3 };
            for k in 0..2 {
                body.begin(step(k), &none).unwrap();
                body.commit(&StepLoads::zeros(rows)).unwrap();
            }
            let expected = body.begin(step(2), &none).unwrap().move_mass.product(&direction);
            let moves = direction.iter().map(|x| factor * x).collect();
            body.commit(&StepLoads { moves, has_moves: true, ..StepLoads::zeros(rows) }).unwrap();
            (body.rows().positions.clone(), expected)
        };
        let ((low, expected), (high, _)) = (run(-1.0), run(1.0));
        let found: Vec<f64> = high.iter().zip(&low).map(|(high, low)| 0.5 * (high - low)).collect();
        let scale = largest(&expected);
        let [found, expected] = [found, expected].map(|x| x.iter().map(|x| x / scale).collect::<Vec<_>>());
        assert_close(&found, &expected, 1e-6, &format!("{method:?}"));
    }
}
