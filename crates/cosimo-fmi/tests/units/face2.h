/* The functions that FMI 2.0 has in a form of its own. */

const char *fmi2GetTypesPlatform(void) { return "default"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)visible;
    if (!resources || strncmp(resources, "file:///", 8) != 0) return NULL;
    Unit *u = create(name, token, type == fmi2CoSimulation, logging);
    if (!u) {
        callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError", "the token is another unit's");
        return NULL;
    }
    u->callbacks = callbacks;
    INSTANTIATE_HOOK(u);
    return u;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real from,
                               fmi2Boolean has_stop, fmi2Real to) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)to;
    ((Unit *)c)->now.time = from;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Real values[]) {
    return copy(c, FLOAT64, sizeof(fmi2Real), refs, n, values, n, false);
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Real values[]) {
    return copy(c, FLOAT64, sizeof(fmi2Real), refs, n, (void *)values, n, true);
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Integer values[]) {
    return copy(c, INT32, sizeof(fmi2Integer), refs, n, values, n, false);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Integer values[]) {
    return copy(c, INT32, sizeof(fmi2Integer), refs, n, (void *)values, n, true);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Boolean values[]) {
    for (size_t i = 0; i < n; i++) {
        bool value;
        if (copy(c, BOOLEAN, sizeof value, refs + i, 1, &value, 1, false) != OK) return fmi2Error;
        values[i] = value;
    }
    return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Boolean values[]) {
    for (size_t i = 0; i < n; i++) {
        bool value = values[i];
        if (copy(c, BOOLEAN, sizeof value, refs + i, 1, &value, 1, true) != OK) return fmi2Error;
    }
    return fmi2OK;
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2String values[]) {
    return copy_texts(c, refs, n, values, NULL);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2String values[]) {
    return copy_texts(c, refs, n, NULL, values);
}

#ifndef NO_STATE
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t nu,
                                        const fmi2ValueReference knowns[], size_t nk, const fmi2Real seed[], fmi2Real out[]) {
    return directional(c, unknowns, nu, knowns, nk, seed, out);
}
#endif

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    Update found = {0};
    update(c, &found);
    *info = (fmi2EventInfo){found.again, found.terminate, found.nominals_changed, found.states_changed, found.next_defined, found.next};
    return fmi2OK;
}

#ifndef NO_DO_STEP
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real size, fmi2Boolean final) {
    (void)final;
#ifdef FREEZES
    if (!final) size = 0.0;
#endif
    Step done;
    ((Unit *)c)->now.time = time;
    return take(c, size, &done);
}
#endif

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    *value = ((Unit *)c)->last_step.reached;
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    *value = ((Unit *)c)->last_step.terminate;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}
