//! What the FMU can do in co-simulation and in model exchange (FMI 2.0.5, 3.3.1 and 4.3.1; FMI 3.0.2, 3.3.1 and 4.3.1).

use super::error::DescriptionError;
use super::reader::Element;
use super::version::FmiVersion;

/// What the FMU can do in one of its kinds. What a version or a kind does not know is false, zero or `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// Name of the shared library without its extension, and in FMI 2 with sources the prefix of its functions.
    pub model_identifier: String,
    /// The FMU calls a tool that has to be installed.
    pub needs_execution_tool: bool,
    /// A process can hold one instance only.
    pub can_be_instantiated_only_once_per_process: bool,
    /// The state can be saved and restored.
    pub can_get_and_set_state: bool,
    /// A saved state can be made into bytes and back.
    pub can_serialize_state: bool,
    /// Directional derivatives can be asked for.
    pub provides_directional_derivatives: bool,
    /// Adjoint derivatives can be asked for (FMI 3).
    pub provides_adjoint_derivatives: bool,
    /// Dependencies of single elements of arrays can be asked for (FMI 3).
    pub provides_per_element_dependencies: bool,
    /// Communication steps may differ in size (co-simulation).
    pub can_handle_variable_step: bool,
    /// Size of the internal steps, in seconds, of which communication steps should be multiples (FMI 3 co-simulation).
    pub fixed_internal_step_size: Option<f64>,
    /// Highest order of derivatives of outputs that can be asked for (co-simulation).
    pub max_output_derivative_order: u32,
    /// How often inputs set within a step should be differentiable; -1 if they may jump (FMI 3 co-simulation).
    pub recommended_intermediate_input_smoothness: i32,
    /// Derivatives of inputs are accepted (FMI 2 co-simulation).
    pub can_interpolate_inputs: bool,
    /// A step may return before it is done (FMI 2 co-simulation).
    pub can_run_asynchronously: bool,
    /// The FMU has event mode (FMI 3 co-simulation).
    pub has_event_mode: bool,
    /// The FMU calls back within steps (FMI 3 co-simulation).
    pub provides_intermediate_update: bool,
    /// A step may end early (FMI 3 co-simulation).
    pub might_return_early: bool,
    /// A step ends early if the callback asks for it (FMI 3 co-simulation).
    pub can_return_early_after_intermediate_update: bool,
    /// Discrete states can be evaluated apart from the update (FMI 3).
    pub provides_evaluate_discrete_states: bool,
    /// The end of each integrator step has to be told (model exchange).
    pub needs_completed_integrator_step: bool,
}

/// The element `<CoSimulation>` or `<ModelExchange>`.
pub(super) fn read(element: Element<'_>, version: FmiVersion) -> Result<Face, DescriptionError> {
    let v2 = version == FmiVersion::V2;
    let spelled = |old, new| element.flag(if v2 { old } else { new });
    Ok(Face {
        model_identifier: element.require("modelIdentifier")?,
        needs_execution_tool: element.flag("needsExecutionTool")?,
        can_be_instantiated_only_once_per_process: element.flag("canBeInstantiatedOnlyOncePerProcess")?,
        can_get_and_set_state: spelled("canGetAndSetFMUstate", "canGetAndSetFMUState")?,
        can_serialize_state: spelled("canSerializeFMUstate", "canSerializeFMUState")?,
        provides_directional_derivatives: spelled(
            "providesDirectionalDerivative",
            "providesDirectionalDerivatives",
        )?,
        provides_adjoint_derivatives: element.flag("providesAdjointDerivatives")?,
        provides_per_element_dependencies: element.flag("providesPerElementDependencies")?,
        can_handle_variable_step: element.flag("canHandleVariableCommunicationStepSize")?,
        fixed_internal_step_size: element.get("fixedInternalStepSize")?,
        max_output_derivative_order: element.get("maxOutputDerivativeOrder")?.unwrap_or(0),
        recommended_intermediate_input_smoothness: element
            .get("recommendedIntermediateInputSmoothness")?
            .unwrap_or(0),
        can_interpolate_inputs: element.flag("canInterpolateInputs")?,
        // The misspelling is that of the standard.
        can_run_asynchronously: element.flag("canRunAsynchronuously")?,
        has_event_mode: element.flag("hasEventMode")?,
        provides_intermediate_update: element.flag("providesIntermediateUpdate")?,
        might_return_early: element.flag("mightReturnEarlyFromDoStep")?,
        can_return_early_after_intermediate_update: element.flag("canReturnEarlyAfterIntermediateUpdate")?,
        provides_evaluate_discrete_states: element.flag("providesEvaluateDiscreteStates")?,
        needs_completed_integrator_step: match (v2, element.tag()) {
            (true, "ModelExchange") => !element.flag("completedIntegratorStepNotNeeded")?,
            _ => element.flag("needsCompletedIntegratorStep")?,
        },
    })
}
