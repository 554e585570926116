/* A spring with a damper between two ends that others move: its force follows the motion at once (feed-through).
 *
 *@ model state directional
 *@ var 1 k Float64 parameter fixed start=100
 *@ var 2 c Float64 parameter fixed start=0
 *@ var 3 l0 Float64 parameter fixed start=0
 *@ var 4 x1 Float64 input continuous start=0
 *@ var 5 v1 Float64 input continuous start=0
 *@ var 6 x2 Float64 input continuous start=0
 *@ var 7 v2 Float64 input continuous start=0
 *@ var 8 f Float64 output continuous dep=4,5,6,7
 *@ var 9 k3 Float64 parameter fixed start=0
 */
typedef struct {
    double k, c, l0, x1, v1, x2, v2, force, cubic;
} Model;
#define STATES 0
#define INDICATORS 0
#include "unit.h"

static void start(Model *m) { *m = (Model){.k = 100.0}; }
static void initialize(Model *m) { evaluate(m); }

/* The force on end 1; that on end 2 is its opposite. */
static void evaluate(Model *m) {
    double d = m->x2 - m->x1 - m->l0;
    m->force = m->k * d + m->cubic * d * d * d + m->c * (m->v2 - m->v1);
}

static Slot slot(Model *m, unsigned reference) {
    return reference >= 1 && reference <= 9 ? REAL(((double *)m)[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return &m->force + i; }
static double rate(Model *m, int i) { return m->force * i; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }

static Status step(Unit *u, double size, Step *done) {
    (void)u, (void)size, (void)done;
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    if (unknown != 8) return unknown == known;
    double d = m->x2 - m->x1 - m->l0, k = m->k + 3.0 * m->cubic * d * d;
    return known == 4 ? -k : known == 5 ? -m->c : known == 6 ? k : known == 7 ? m->c : 0.0;
}

#include "face.h"
