/* Functions that the standard wants in every library and that no unit needs: they answer with an error, whatever their
 * arguments are. (One function under many names: ELF only.) */
#ifdef __ELF__
#pragma GCC diagnostic ignored "-Wattribute-alias"
static Status refuse(void) { return ERROR; }
#define REFUSED(function) __typeof__(function) function __attribute__((alias("refuse")));

#if FMI_VERSION == 2
REFUSED(fmi2SetRealInputDerivatives)
REFUSED(fmi2GetRealOutputDerivatives)
REFUSED(fmi2CancelStep)
REFUSED(fmi2GetStatus)
REFUSED(fmi2GetIntegerStatus)
REFUSED(fmi2GetStringStatus)
#else
REFUSED(fmi3InstantiateScheduledExecution)
REFUSED(fmi3ActivateModelPartition)
REFUSED(fmi3GetBinary)
REFUSED(fmi3SetBinary)
REFUSED(fmi3GetNumberOfVariableDependencies)
REFUSED(fmi3GetVariableDependencies)
REFUSED(fmi3GetAdjointDerivative)
REFUSED(fmi3GetIntervalDecimal)
REFUSED(fmi3GetIntervalFraction)
REFUSED(fmi3GetShiftDecimal)
REFUSED(fmi3GetShiftFraction)
REFUSED(fmi3SetIntervalDecimal)
REFUSED(fmi3SetIntervalFraction)
REFUSED(fmi3SetShiftDecimal)
REFUSED(fmi3SetShiftFraction)
REFUSED(fmi3EvaluateDiscreteStates)
REFUSED(fmi3GetOutputDerivatives)
#endif
#endif
