//! Steps do not allocate.

use cosimo_aerodynamics::RotorAerodynamics;
use cosimo_aerodynamics::inflow::InflowModel;
use cosimo_aerodynamics::spec::AirfoilSpec;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::tangents;

#[test]
fn steps_allocate_nothing() {
    for inflow in [InflowModel::None, InflowModel::Drees, InflowModel::PittPeters, InflowModel::Annular] {
        let mut spec = tangents::spec(inflow);
        spec.blade.airfoils[0].airfoil = AirfoilSpec::Naca0012;
        spec.stall_time_constant = Some(4.0);
        spec.wagner = true;
        let mut air = RotorAerodynamics::new("air", &spec).unwrap();
        let loads = StepLoads { motion: tangents::motion(&spec, 36.0), ..StepLoads::zeros(0) };
        let mut step = |k: usize| {
            air.begin(MacroStep { time: 1e-3 * k as f64, size: 1e-3 }, &[]).unwrap();
            air.respond(&loads.motion).unwrap();
            air.commit(&loads).unwrap();
        };
        step(0);
        let counted = allocation_counter::measure(|| (1..5).for_each(&mut step));
        assert_eq!(counted.count_total, 0, "{inflow:?}");
    }
}
