/* The functions of the version: those whose meaning both versions share are here, by the hooks of "unit.h". */
#include "unit.h"

#if FMI_VERSION == 2
#define NAME(two, three) two
typedef fmi2Component Handle;
typedef fmi2ValueReference Reference;
typedef fmi2FMUstate StateHandle;
#else
#define NAME(two, three) three
typedef fmi3Instance Handle;
typedef fmi3ValueReference Reference;
typedef fmi3FMUState StateHandle;
#endif

#ifndef FREE_HOOK
#define FREE_HOOK(u) ((void)0)
#endif
#ifndef TERMINATE_HOOK
#define TERMINATE_HOOK(u) ((u) ? OK : ERROR)
#endif
#ifndef INSTANTIATE_HOOK
#define INSTANTIATE_HOOK(u) ((void)0)
#endif
#ifndef RATES_HOOK
#define RATES_HOOK(u) OK
#endif
#ifndef VERSION_TEXT
#define VERSION_TEXT NAME("2.0", "3.0")
#endif

static const char *const TOKEN = "{cosimo-test-unit}";

static Unit *create(const char *name, const char *token, bool co_simulation, bool logging) {
    Unit *u = strcmp(token, TOKEN) == 0 ? calloc(1, sizeof(Unit)) : NULL;
    if (!u) return NULL;
    strncpy(u->name, name, TEXT - 1);
    u->co_simulation = co_simulation;
    u->logging = logging;
    start(&u->now.model);
    return u;
}

static Status take(Unit *u, double size, Step *done) {
    *done = (Step){.reached = u->now.time + size};
    Status status = step(u, size, done);
    u->now.time = done->reached;
    u->last_step = *done;
    return status;
}

const char *NAME(fmi2GetVersion, fmi3GetVersion)(void) { return VERSION_TEXT; }

void NAME(fmi2FreeInstance, fmi3FreeInstance)(Handle c) {
    FREE_HOOK((Unit *)c);
    free(c);
}

Status NAME(fmi2ExitInitializationMode, fmi3ExitInitializationMode)(Handle c) {
    initialize(&((Unit *)c)->now.model);
    return OK;
}

Status NAME(fmi2Terminate, fmi3Terminate)(Handle c) { return TERMINATE_HOOK((Unit *)c); }

Status NAME(fmi2Reset, fmi3Reset)(Handle c) {
    Unit *u = c;
    memset(&u->now, 0, sizeof u->now);
    start(&u->now.model);
    return OK;
}

Status NAME(fmi2EnterEventMode, fmi3EnterEventMode)(Handle c) { return c ? OK : ERROR; }
Status NAME(fmi2EnterContinuousTimeMode, fmi3EnterContinuousTimeMode)(Handle c) { return c ? OK : ERROR; }

Status NAME(fmi2SetDebugLogging, fmi3SetDebugLogging)(Handle c, Flag on, size_t n, const char *const categories[]) {
    ((Unit *)c)->logging = on;
    return n == 0 || categories ? OK : ERROR;
}

/* The value of every type that needs no conversion, one variable after the other; reference 0 is time. */
static Status copy(Unit *u, Type type, size_t size, const Reference refs[], size_t n, void *values, size_t room, bool set) {
    char *value = values;
    if (!set) evaluate(&u->now.model);
    for (size_t i = 0; i < n; i++) {
        Slot s = refs[i] == 0 ? REAL(u->now.time) : slot(&u->now.model, refs[i]);
        if (s.type != type || s.count > room) {
            report(u, ERROR, "logStatusError", "no such variable of this type, or too few values");
            return ERROR;
        }
        if (set) memcpy(s.at, value, s.count * size);
        else memcpy(value, s.at, s.count * size);
        value += s.count * size;
        room -= s.count;
    }
    return OK;
}

static Status copy_texts(Unit *u, const Reference refs[], size_t n, const char **out, const char *const *in) {
    for (size_t i = 0; i < n; i++) {
        Slot s = slot(&u->now.model, refs[i]);
        if (s.type != STRING) return ERROR;
        for (size_t k = 0; k < s.count; k++) {
            char *text = (char *)s.at + k * TEXT;
            if (in) strncpy(text, *in++, TEXT - 1);
            else *out++ = text;
        }
    }
    return OK;
}

/* Model exchange. As with some tools, lists without elements are refused. */

Status NAME(fmi2SetTime, fmi3SetTime)(Handle c, double time) {
    ((Unit *)c)->now.time = time;
    return OK;
}

Status NAME(fmi2SetContinuousStates, fmi3SetContinuousStates)(Handle c, const double x[], size_t n) {
    for (size_t i = 0; i < n; i++) *state(&((Unit *)c)->now.model, i) = x[i];
    return n == STATES && n > 0 ? OK : ERROR;
}

Status NAME(fmi2GetContinuousStates, fmi3GetContinuousStates)(Handle c, double x[], size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = *state(&((Unit *)c)->now.model, i);
    return n == STATES && n > 0 ? OK : ERROR;
}

Status NAME(fmi2GetDerivatives, fmi3GetContinuousStateDerivatives)(Handle c, double rates[], size_t n) {
    evaluate(&((Unit *)c)->now.model);
    for (size_t i = 0; i < n; i++) rates[i] = rate(&((Unit *)c)->now.model, i);
    return n == STATES && n > 0 ? RATES_HOOK((Unit *)c) : ERROR;
}

Status NAME(fmi2GetEventIndicators, fmi3GetEventIndicators)(Handle c, double z[], size_t n) {
    if (n == INDICATORS) indicators(&((Unit *)c)->now.model, z);
    return n == INDICATORS && n > 0 ? OK : ERROR;
}

Status NAME(fmi2GetNominalsOfContinuousStates, fmi3GetNominalsOfContinuousStates)(Handle c, double x[], size_t n) {
    for (size_t i = 0; c && i < n; i++) x[i] = 1.0;
    return OK;
}

Status NAME(fmi2CompletedIntegratorStep, fmi3CompletedIntegratorStep)(Handle c, Flag final, Flag *event, Flag *end) {
    (void)final;
    *event = *end = false;
    return c ? OK : ERROR;
}

#ifndef NO_STATE

Status NAME(fmi2GetFMUstate, fmi3GetFMUState)(Handle c, StateHandle *handle) {
    if (!*handle) *handle = malloc(sizeof(Snapshot));
    *(Snapshot *)*handle = ((Unit *)c)->now;
    return OK;
}

Status NAME(fmi2SetFMUstate, fmi3SetFMUState)(Handle c, StateHandle handle) {
    ((Unit *)c)->now = *(Snapshot *)handle;
    return OK;
}

Status NAME(fmi2FreeFMUstate, fmi3FreeFMUState)(Handle c, StateHandle *handle) {
    free(*handle);
    *handle = NULL;
    return c ? OK : ERROR;
}

Status NAME(fmi2SerializedFMUstateSize, fmi3SerializedFMUStateSize)(Handle c, StateHandle handle, size_t *size) {
    *size = sizeof(Snapshot);
    return c && handle ? OK : ERROR;
}

Status NAME(fmi2SerializeFMUstate, fmi3SerializeFMUState)(Handle c, StateHandle handle, NAME(fmi2Byte, fmi3Byte) bytes[], size_t size) {
    if (!c || size != sizeof(Snapshot)) return ERROR;
    memcpy(bytes, handle, size);
    return OK;
}

Status NAME(fmi2DeSerializeFMUstate, fmi3DeserializeFMUState)(Handle c, const NAME(fmi2Byte, fmi3Byte) bytes[], size_t size, StateHandle *handle) {
    if (!c || size != sizeof(Snapshot)) return ERROR;
    *handle = malloc(size);
    memcpy(*handle, bytes, size);
    return OK;
}

static Status directional(Unit *u, const Reference unknowns[], size_t nu, const Reference knowns[], size_t nk, const double seed[], double out[]) {
    evaluate(&u->now.model);
    for (size_t i = 0; i < nu; i++) {
        out[i] = 0.0;
        for (size_t k = 0; k < nk; k++) out[i] += partial(&u->now.model, unknowns[i], knowns[k]) * seed[k];
    }
    return OK;
}

#endif

#if FMI_VERSION == 2
#include "face2.h"
#else
#include "face3.h"
#endif
#include "refused.h"
