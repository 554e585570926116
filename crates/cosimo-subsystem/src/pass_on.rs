//! Decorators say what they change; the rest is passed on.

/// Passes methods of [`Subsystem`](crate::Subsystem) on to the field of a decorator; with `jump` goes `jump_work`.
///
/// ```
/// use cosimo_subsystem::conformance::TwoMasses;
/// use cosimo_subsystem::{Subsystem, Statistics, pass_on};
///
/// /// Two masses that keep silent about their work.
/// struct Modest {
///     inner: TwoMasses,
/// }
///
/// impl Subsystem for Modest {
///     pass_on!(inner: description, rows, energy, begin, evaluate, commit, discard, prepare_jump, jump, project_positions, observe);
///     pass_on!(inner: save, restore, prefetch, is_asynchronous);
///
///     fn statistics(&self) -> Statistics {
///         Statistics::default()
///     }
/// }
/// # let modest = Modest { inner: TwoMasses::default() };
/// # assert_eq!(modest.description().name, "two-masses");
/// ```
#[macro_export]
macro_rules! pass_on {
    ($field:tt: $($method:ident),+ $(,)?) => {
        $($crate::pass_on!(@ $method $field);)+
    };
    (@ description $field:tt) => {
        fn description(&self) -> &$crate::Description {
            $crate::Subsystem::description(&self.$field)
        }
    };
    (@ rows $field:tt) => {
        fn rows(&self) -> &$crate::RowState {
            $crate::Subsystem::rows(&self.$field)
        }
    };
    (@ energy $field:tt) => {
        fn energy(&self) -> $crate::mechanics::Energy {
            $crate::Subsystem::energy(&self.$field)
        }
    };
    (@ set_active_rows $field:tt) => {
        fn set_active_rows(&mut self, needed: &[bool]) {
            $crate::Subsystem::set_active_rows(&mut self.$field, needed);
        }
    };
    (@ report_moves $field:tt) => {
        fn report_moves(&mut self, wanted: bool) {
            $crate::Subsystem::report_moves(&mut self.$field, wanted);
        }
    };
    (@ begin $field:tt) => {
        fn begin(
            &mut self,
            step: $crate::MacroStep,
            start_loads: &[f64],
        ) -> ::core::result::Result<&$crate::StepResponse, $crate::SubsystemError> {
            $crate::Subsystem::begin(&mut self.$field, step, start_loads)
        }
    };
    (@ begin_predicted $field:tt) => {
        fn begin_predicted(
            &mut self,
            step: $crate::MacroStep,
            start_loads: &[f64],
            expected: $crate::ExpectedLoads<'_>,
        ) -> ::core::result::Result<$crate::Begun<'_>, $crate::SubsystemError> {
            $crate::Subsystem::begin_predicted(&mut self.$field, step, start_loads, expected)
        }
    };
    (@ evaluate $field:tt) => {
        fn evaluate(
            &mut self,
            impulses: &[f64],
        ) -> ::core::result::Result<&$crate::StepResponse, $crate::SubsystemError> {
            $crate::Subsystem::evaluate(&mut self.$field, impulses)
        }
    };
    (@ evaluate_rows $field:tt) => {
        fn evaluate_rows(
            &mut self,
            impulses: &[f64],
        ) -> ::core::result::Result<&$crate::StepResponse, $crate::SubsystemError> {
            $crate::Subsystem::evaluate_rows(&mut self.$field, impulses)
        }
    };
    (@ commit $field:tt) => {
        fn commit(
            &mut self,
            loads: &$crate::StepLoads,
        ) -> ::core::result::Result<$crate::mechanics::StepEnergy, $crate::SubsystemError> {
            $crate::Subsystem::commit(&mut self.$field, loads)
        }
    };
    (@ respond $field:tt) => {
        fn respond(
            &mut self,
            motion: &$crate::PortMotion,
        ) -> ::core::result::Result<&$crate::LoadResponse, $crate::SubsystemError> {
            $crate::Subsystem::respond(&mut self.$field, motion)
        }
    };
    (@ set_inputs $field:tt) => {
        fn set_inputs(
            &mut self,
            inputs: &[$crate::Signal],
        ) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::set_inputs(&mut self.$field, inputs)
        }
    };
    (@ outputs $field:tt) => {
        fn outputs(
            &self,
            inputs: &[f64],
            out: &mut [f64],
        ) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::outputs(&self.$field, inputs, out)
        }
    };
    (@ discard $field:tt) => {
        fn discard(&mut self) {
            $crate::Subsystem::discard(&mut self.$field);
        }
    };
    (@ prepare_jump $field:tt) => {
        fn prepare_jump(
            &mut self,
            size: f64,
        ) -> ::core::result::Result<&$crate::RowMatrix, $crate::SubsystemError> {
            $crate::Subsystem::prepare_jump(&mut self.$field, size)
        }
    };
    (@ jump $field:tt) => {
        fn jump(&mut self, impulses: &[f64]) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::jump(&mut self.$field, impulses)
        }
        fn jump_work(&self) -> f64 {
            $crate::Subsystem::jump_work(&self.$field)
        }
    };
    (@ project_positions $field:tt) => {
        fn project_positions(&mut self, weights: &[f64]) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::project_positions(&mut self.$field, weights)
        }
    };
    (@ observe $field:tt) => {
        fn observe(&self, out: &mut [f64]) {
            $crate::Subsystem::observe(&self.$field, out);
        }
        fn look(
            &self,
            loads: &[f64],
            out: &mut $crate::scene::Sight,
        ) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::look(&self.$field, loads, out)
        }
    };
    (@ save $field:tt) => {
        fn save(&self) -> ::core::result::Result<$crate::Snapshot, $crate::SubsystemError> {
            $crate::Subsystem::save(&self.$field)
        }
    };
    (@ restore $field:tt) => {
        fn restore(
            &mut self,
            snapshot: &$crate::Snapshot,
        ) -> ::core::result::Result<(), $crate::SubsystemError> {
            $crate::Subsystem::restore(&mut self.$field, snapshot)
        }
    };
    (@ statistics $field:tt) => {
        fn statistics(&self) -> $crate::Statistics {
            $crate::Subsystem::statistics(&self.$field)
        }
    };
    (@ remote_cost $field:tt) => {
        fn remote_cost(&self) -> ::core::option::Option<$crate::cost::RemoteCost> {
            $crate::Subsystem::remote_cost(&self.$field)
        }
    };
    (@ prefetch $field:tt) => {
        fn prefetch(&mut self, call: $crate::Call<'_>) {
            $crate::Subsystem::prefetch(&mut self.$field, call);
        }
    };
    (@ is_asynchronous $field:tt) => {
        fn is_asynchronous(&self) -> bool {
            $crate::Subsystem::is_asynchronous(&self.$field)
        }
    };
}
