//! Points before the start, for rules of many steps.

use cosimo_dynamics::ConstrainedSystem;

use super::consistent::Closing;
use super::error::DaeError;
use super::kkt::Kkt;
use super::state::DaeState;

/// Steps of the Runge-Kutta rule between two points.
const SUB_STEPS: usize = 8;

/// Moves `state` by the time `span` (s), which may be negative, along the motion `v̇ = u(t, q, v)` that is left when the
/// multipliers are eliminated, by the classical Runge-Kutta rule in the coordinates around each step's start.
pub(super) fn follow(
    system: &dyn ConstrainedSystem,
    closing: &mut Closing,
    kkt: &mut Kkt,
    state: &mut DaeState,
    span: f64,
) -> Result<(), DaeError> {
    let coordinates = system.structure().coordinates();
    let (n, h) = (state.v.len(), span / SUB_STEPS as f64);
    let mut stage = state.clone();
    let (mut displacement, mut change, mut x, mut rate) =
        (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for _ in 0..SUB_STEPS {
        displacement.fill(0.0);
        change.fill(0.0);
        x.fill(0.0);
        stage.copy(state);
        for (weight, reach) in [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0), (1.0 / 6.0, 0.0)] {
            closing.balance(system, kkt, &mut stage)?;
            coordinates.rate(&x, &stage.v, &mut rate);
            for i in 0..n {
                displacement[i] += weight * h * rate[i];
                change[i] += weight * h * stage.a[i];
                x[i] = reach * h * rate[i];
                stage.v[i] = state.v[i] + reach * h * stage.a[i];
            }
            coordinates.move_by(&state.q, &x, &mut stage.q);
            stage.time = state.time + reach * h;
        }
        coordinates.move_by(&state.q, &displacement, &mut stage.q);
        state.q.copy_from_slice(&stage.q);
        state.v.iter_mut().zip(&change).for_each(|(v, d)| *v += d);
        state.time += h;
    }
    closing.balance(system, kkt, state)
}
