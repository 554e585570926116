/* What every test unit has, in both versions of FMI.
 *
 * A unit defines `Model` (plain data without pointers: saving a state copies it), includes this file, defines the hooks
 * declared at its end, and includes "face.h", which holds the functions of the version and interface types asked for:
 *
 *   FMI_VERSION  2 or 3
 *   NO_STATE     without saving, restoring and serialising states, and without directional derivatives
 *
 * Lines that start with `*@` in a unit describe its variables; the tests write `modelDescription.xml` from them. */
#ifndef UNIT_H
#define UNIT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if FMI_VERSION == 2
#include "fmi2Functions.h"
typedef fmi2Status Status;
typedef fmi2Boolean Flag;
#else
#include "fmi3Functions.h"
typedef fmi3Status Status;
typedef fmi3Boolean Flag;
#endif

/* Numbers that both versions share; the last is FMI 2's alone. */
#define OK ((Status)0)
#define WARNING ((Status)1)
#define DISCARD ((Status)2)
#define ERROR ((Status)3)
#define FATAL ((Status)4)
#define PENDING ((Status)5)

typedef enum { NONE, FLOAT64, FLOAT32, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, BOOLEAN, STRING, CLOCK } Type;

/* Where a variable lies. Strings are arrays of TEXT characters. */
typedef struct {
    Type type;
    void *at;
    size_t count;
} Slot;

#define TEXT 64
#define REAL(place) ((Slot){FLOAT64, &(place), 1})
#define NOTHING ((Slot){NONE, NULL, 0})

/* How a step ended, and what an update of the discrete states found. */
typedef struct {
    bool event, terminate, early;
    double reached;
} Step;

typedef struct {
    bool again, terminate, nominals_changed, states_changed, next_defined;
    double next;
} Update;

/* Everything that a saved state holds. */
typedef struct {
    double time;
    Model model;
} Snapshot;

typedef struct {
    Snapshot now;
    bool co_simulation, event_mode, early_return, logging;
    Step last_step;
    char name[TEXT];
#if FMI_VERSION == 2
    const fmi2CallbackFunctions *callbacks;
#else
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
#endif
} Unit;

static void report(Unit *u, Status status, const char *category, const char *message) {
    if (!u->logging && status < ERROR) return;
#if FMI_VERSION == 2
    if (u->callbacks->logger) u->callbacks->logger(u->callbacks->componentEnvironment, u->name, status, category, message);
#else
    if (u->log) u->log(u->environment, status, category, message);
#endif
}

/* Hooks of the unit. A unit defines STATES and INDICATORS (numbers) before it includes this file. */
static void start(Model *m);                          /* the start values */
static void initialize(Model *m);                     /* leaving initialisation */
static void evaluate(Model *m);                       /* rates and outputs from states, inputs and parameters */
static Slot slot(Model *m, unsigned reference);       /* the place of a variable */
static double *state(Model *m, int i);                /* a continuous state */
static double rate(Model *m, int i);                  /* its derivative, after `evaluate` */
static void indicators(Model *m, double *z);          /* event indicators */
static void update(Unit *u, Update *found);           /* the event at this instant */
static Status step(Unit *u, double size, Step *done); /* a step in co-simulation from `u->now.time` */
static double partial(Model *m, unsigned unknown, unsigned known); /* a partial derivative */

/* `size` in equal steps of at most `largest` by the classical scheme of Runge and Kutta, for `step`. */
static inline void advance(Model *m, double size, double largest) {
    int count = (int)ceil(size / largest * (1.0 - 1e-12));
    double h = size / count, from[STATES + 1], k[4][STATES + 1];
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int n = 0; n < count; n++) {
        for (int i = 0; i < STATES; i++) from[i] = *state(m, i);
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; stage > 0 && i < STATES; i++) *state(m, i) = from[i] + h * at[stage] * k[stage - 1][i];
            evaluate(m);
            for (int i = 0; i < STATES; i++) k[stage][i] = rate(m, i);
        }
        for (int i = 0; i < STATES; i++)
            *state(m, i) = from[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

#endif
