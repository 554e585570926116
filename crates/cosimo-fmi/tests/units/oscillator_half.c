/* A mass on a spring and a damper to the ground, driven by a force: one half of an oscillator that is cut apart.
 *
 *@ model state directional linear
 *@ var 1 m Float64 parameter fixed start=1
 *@ var 2 k Float64 parameter fixed start=1
 *@ var 3 c Float64 parameter fixed start=0
 *@ var 4 x0 Float64 parameter fixed start=1
 *@ var 5 v0 Float64 parameter fixed start=0
 *@ var 6 F Float64 input continuous start=0
 *@ var 7 x Float64 output continuous dep=7
 *@ var 8 v Float64 output continuous dep=8
 *@ var 9 der(x) Float64 local continuous der=7 dep=8
 *@ var 10 a Float64 output continuous der=8 dep=6,7,8
 *@ var 11 place Float64 output continuous dep=7
 */
typedef struct {
    double m, k, c, x0, v0, force, x, v, rate_x, rate_v;
} Model;
#define STATES 2
#define INDICATORS 0
/* Factors of derivatives: other ones than one are wrong. */
#ifndef BY_STATE
#define BY_STATE 1.0
#endif
#ifndef BY_FORCE
#define BY_FORCE 1.0
#endif
#include "unit.h"

static void start(Model *m) { *m = (Model){.m = 1.0, .k = 1.0, .x0 = 1.0, .x = 1.0}; }

static void initialize(Model *m) {
    m->x = m->x0;
    m->v = m->v0;
}

static void evaluate(Model *m) {
    m->rate_x = m->v;
    m->rate_v = (m->force - m->c * m->v - m->k * m->x) / m->m;
}

static Slot slot(Model *m, unsigned reference) {
    if (reference == 11) return REAL(m->x);
    return reference >= 1 && reference <= 10 ? REAL(((double *)m)[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return i == 0 ? &m->x : &m->v; }
static double rate(Model *m, int i) { return i == 0 ? m->rate_x : m->rate_v; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }

static Status step(Unit *u, double size, Step *done) {
    (void)done;
    advance(&u->now.model, size, 1e-3);
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    if (unknown == known) return 1.0;
    if (unknown == 11) return known == 7;
    if (unknown == 9) return known == 8 ? 1.0 : 0.0;
    if (unknown != 10) return 0.0;
    return known == 6 ? BY_FORCE / m->m : known == 7 ? BY_STATE * -m->k / m->m : known == 8 ? -m->c / m->m : 0.0;
}

#include "face.h"
