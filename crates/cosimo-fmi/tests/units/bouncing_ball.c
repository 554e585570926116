/* A ball that bounces on the floor: flight and impacts are exact. In co-simulation the impacts are taken inside the
 * step, or, in the event mode of FMI 3 with early return, end it and wait for the update of the discrete states.
 *
 * A ball slower than `v_min` at an impact stays on the floor.
 *
 *@ model events state
 *@ var 1 m Float64 parameter tunable start=1
 *@ var 2 g Float64 parameter tunable start=9.81
 *@ var 3 e Float64 parameter tunable start=0.7
 *@ var 4 h Float64 output continuous start=1 initial=exact
 *@ var 5 v Float64 output continuous start=0 initial=exact
 *@ var 6 der(h) Float64 local continuous der=4 dep=5
 *@ var 7 der(v) Float64 local continuous der=5 dep=
 *@ var 8 energy Float64 output continuous dep=4,5
 *@ var 9 v_min Float64 parameter fixed start=0.001
 *@ indicator 10 z dep=4
 */
typedef struct {
    double m, g, e, v_min, h, v, rate_h, rate_v, energy, z;
    int resting;
} Model;
#define STATES 2
#define INDICATORS 1
#include "unit.h"

static void start(Model *m) { *m = (Model){.m = 1.0, .g = 9.81, .e = 0.7, .v_min = 1e-3, .h = 1.0}; }
static void initialize(Model *m) { evaluate(m); }

static void evaluate(Model *m) {
    m->rate_h = m->v;
    m->rate_v = m->resting ? 0.0 : -m->g;
    m->energy = m->m * (m->g * m->h + 0.5 * m->v * m->v);
    m->z = m->resting ? 1.0 : m->h;
}

static Slot slot(Model *m, unsigned reference) {
    double *const at[] = {&m->m, &m->g, &m->e, &m->h, &m->v, &m->rate_h, &m->rate_v, &m->energy, &m->v_min, &m->z};
    return reference >= 1 && reference <= 10 ? REAL(*at[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return i == 0 ? &m->h : &m->v; }
static double rate(Model *m, int i) { return i == 0 ? m->rate_h : m->rate_v; }

static void indicators(Model *m, double *z) {
    evaluate(m);
    z[0] = m->z;
}

static void bounce(Model *m) {
    m->h = 0.0;
    m->v *= -m->e;
    if (m->v < m->v_min) {
        m->v = 0.0;
        m->resting = 1;
    }
}

static void update(Unit *u, Update *found) {
    Model *m = &u->now.model;
    if (m->resting || m->h > 1e-9 || m->v >= 0.0) return;
    bounce(m);
    found->states_changed = true;
}

/* The time until the floor is reached, from a height that may be zero when the ball goes up. */
static double flight(const Model *m) {
    return (m->v + sqrt(m->v * m->v + 2.0 * m->g * fmax(m->h, 0.0))) / m->g;
}

static void fly(Model *m, double time) {
    m->h += time * (m->v - 0.5 * m->g * time);
    m->v -= m->g * time;
}

static Status step(Unit *u, double size, Step *done) {
    Model *m = &u->now.model;
    double left = size;
    while (!m->resting && left > 0.0) {
        double until = flight(m);
        if (until > left) {
            fly(m, left);
            break;
        }
        fly(m, until);
        left -= until;
        if (u->event_mode && u->early_return) {
            m->h = 0.0;
            *done = (Step){.event = true, .early = left > 0.0, .reached = u->now.time + size - left};
            break;
        }
        bounce(m);
    }
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    if (unknown == 6 && known == 5) return 1.0;
    if (unknown == 8 && known == 4) return m->m * m->g;
    return unknown == 8 && known == 5 ? m->m * m->v : 0.0;
}

#include "face.h"
