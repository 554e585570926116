//! Work of beams: factors that grow with the number of elements, and steps that allocate nothing.

use super::{hold, slender, straight};
use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::BlockPattern;
use cosimo_multibody::spatial::{JointKind, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Formulation, Method};

fn cantilever(elements: usize) -> SpatialSystem {
    let beam = straight(slender([1.0, 2.0], 1e-3), elements).with_damping(1e-3);
    let model = SpatialModel::new().with_gravity([0.0, 0.0, -1.0]).with_beam(&beam).unwrap();
    hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]).build().unwrap()
}

/// Entries of the factors of Newton's matrix: bodies before joints, as the solver has them.
fn fill(system: &SpatialSystem) -> usize {
    let structure = system.structure();
    let bodies = structure.coordinates().blocks();
    let rows = structure.constraints().iter().map(|block| block.rows);
    let sizes: Vec<usize> = bodies.iter().map(|block| block.kind.velocities()).chain(rows).collect();
    let touches = structure.constraints().iter().enumerate();
    let touches =
        touches.flat_map(|(k, block)| block.touches.iter().map(move |&body| (body, bodies.len() + k)));
    let pairs = structure.couplings().iter().copied().chain(touches);
    BlockPattern::with_late(&sizes, pairs, |block| block >= bodies.len()).stored()
}

#[test]
fn factors_of_a_beam_grow_with_its_elements() {
    let [short, middle, long] = [20, 40, 80].map(|elements| fill(&cantilever(elements)));
    assert_eq!(long - middle, 2 * (middle - short));
    // A diagonal block, and two above and two beside it, for every node.
    assert!(middle - short <= 20 * 5 * 36, "{short} {middle}");
}

#[test]
fn steps_of_a_beam_allocate_nothing_after_the_first() {
    for formulation in [Formulation::Position, Formulation::PositionVelocityAcceleration] {
        let system = cantilever(12);
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
        let settings = DaeSettings { formulation, ..DaeSettings::default() };
        let mut solver = DaeSolver::new(system, rule, settings, (0.0, q, v)).unwrap();
        solver.step(1e-3).unwrap();
        let counted = allocation_counter::measure(|| {
            for _ in 0..10 {
                solver.step(1e-3).unwrap();
            }
        });
        assert_eq!(counted.count_total, 0, "{formulation:?}");
    }
}

/// Damping in proportion to the stiffness: the share of the critical one is `β ω/2`.
#[test]
fn damping_ratios_are_those_of_damping_in_proportion_to_stiffness() {
    let beam = straight(slender([1.0, 4.0], 1e-6), 8).with_damping(2e-3);
    let model = SpatialModel::new().with_beam(&beam).unwrap();
    let system = hold(model, JointKind::Fixed, ("beam.0", [0.0; 3]), [0.0, 0.0, 1.0]).build().unwrap();
    for mode in
        super::turning_modes(&system, 0.0, (6, 10.0)).iter().filter(|mode| mode.eigenvalue.im > 0.0).take(4)
    {
        let expected = 0.5 * 2e-3 * mode.eigenvalue.norm();
        assert!((mode.damping_ratio() / expected - 1.0).abs() < 1e-6, "{:?}", mode.eigenvalue);
    }
}
