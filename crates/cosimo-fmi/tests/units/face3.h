/* The functions that FMI 3.0 has in a form of its own. */

static Unit *create3(fmi3String name, fmi3String token, bool co_simulation, bool logging, fmi3InstanceEnvironment environment,
                     fmi3LogMessageCallback log) {
    Unit *u = create(name, token, co_simulation, logging);
    if (!u) {
        if (log) log(environment, fmi3Error, "logStatusError", "the token is another unit's");
        return NULL;
    }
    u->environment = environment;
    u->log = log;
    return u;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)resources, (void)visible;
    Unit *u = create3(name, token, false, logging, environment, log);
    if (u) INSTANTIATE_HOOK(u);
    return u;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback intermediate) {
    (void)resources, (void)visible, (void)required, (void)n, (void)intermediate;
#ifdef REFUSES_EVENT_MODE
    if (event_mode) return NULL;
#endif
    Unit *u = create3(name, token, true, logging, environment, log);
    if (!u) return NULL;
    u->event_mode = event_mode;
    u->early_return = early_return;
    INSTANTIATE_HOOK(u);
    return u;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 from,
                                       fmi3Boolean has_stop, fmi3Float64 to) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)to;
    ((Unit *)c)->now.time = from;
    return fmi3OK;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }

#define ACCESS(type, TYPE)                                                                                                    \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference refs[], size_t n, fmi3##type values[], size_t room) {       \
        return copy(c, TYPE, sizeof(fmi3##type), refs, n, values, room, false);                                                   \
    }                                                                                                                             \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference refs[], size_t n, const fmi3##type values[], size_t room) { \
        return copy(c, TYPE, sizeof(fmi3##type), refs, n, (void *)values, room, true);                                            \
    }
ACCESS(Float64, FLOAT64)
ACCESS(Float32, FLOAT32)
ACCESS(Int8, INT8)
ACCESS(UInt8, UINT8)
ACCESS(Int16, INT16)
ACCESS(UInt16, UINT16)
ACCESS(Int32, INT32)
ACCESS(UInt32, UINT32)
ACCESS(Int64, INT64)
ACCESS(UInt64, UINT64)
ACCESS(Boolean, BOOLEAN)

fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference refs[], size_t n, fmi3String values[], size_t room) {
    return room < n ? fmi3Error : copy_texts(c, refs, n, values, NULL);
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference refs[], size_t n, const fmi3String values[], size_t room) {
    return room < n ? fmi3Error : copy_texts(c, refs, n, NULL, values);
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference refs[], size_t n, fmi3Clock values[]) {
    return copy(c, CLOCK, sizeof(fmi3Clock), refs, n, values, n, false);
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference refs[], size_t n, const fmi3Clock values[]) {
    return copy(c, CLOCK, sizeof(fmi3Clock), refs, n, (void *)values, n, true);
}

#ifndef NO_STATE
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t nu,
                                        const fmi3ValueReference knowns[], size_t nk, const fmi3Float64 seed[], size_t ns,
                                        fmi3Float64 out[], size_t no) {
    return ns != nk || no != nu ? fmi3Error : directional(c, unknowns, nu, knowns, nk, seed, out);
}
#endif

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals,
                                    fmi3Boolean *states, fmi3Boolean *next_defined, fmi3Float64 *next) {
    Update found = {0};
    update(c, &found);
    *again = found.again;
    *terminate = found.terminate;
    *nominals = found.nominals_changed;
    *states = found.states_changed;
    *next_defined = found.next_defined;
    *next = found.next;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) {
    *n = STATES;
    return c ? fmi3OK : fmi3Error;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) {
    *n = INDICATORS;
    return c ? fmi3OK : fmi3Error;
}

#ifndef NO_DO_STEP
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 size, fmi3Boolean final, fmi3Boolean *event,
                      fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    (void)final;
#ifdef FREEZES
    if (!final) size = 0.0;
#endif
    Step done;
    ((Unit *)c)->now.time = time;
    Status status = take(c, size, &done);
    *event = done.event;
    *terminate = done.terminate;
    *early = done.early;
    *reached = done.reached;
    return status;
}
#endif
