/* The oscillator of van der Pol, stiff where `mu` is large.
 *
 *@ model state directional
 *@ var 1 mu Float64 parameter fixed start=1000
 *@ var 2 x Float64 output continuous start=2 initial=exact
 *@ var 3 y Float64 output continuous start=0 initial=exact
 *@ var 4 der(x) Float64 local continuous der=2 dep=3
 *@ var 5 der(y) Float64 local continuous der=3 dep=2,3
 */
typedef struct {
    double mu, x, y, rate_x, rate_y;
} Model;
#define STATES 2
#define INDICATORS 0
#include "unit.h"

static void start(Model *m) { *m = (Model){.mu = 1000.0, .x = 2.0}; }
static void initialize(Model *m) { evaluate(m); }

static void evaluate(Model *m) {
    m->rate_x = m->y;
    m->rate_y = m->mu * (1.0 - m->x * m->x) * m->y - m->x;
}

static Slot slot(Model *m, unsigned reference) {
    return reference >= 1 && reference <= 5 ? REAL(((double *)m)[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return i == 0 ? &m->x : &m->y; }
static double rate(Model *m, int i) { return i == 0 ? m->rate_x : m->rate_y; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }

static Status step(Unit *u, double size, Step *done) {
    (void)done;
    advance(&u->now.model, size, fmin(1e-3, 0.2 / fmax(u->now.model.mu, 1.0)));
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    if (unknown == known) return 1.0;
    if (unknown == 4) return known == 3;
    if (unknown != 5) return 0.0;
    return known == 2 ? -2.0 * m->mu * m->x * m->y - 1.0 : known == 3 ? m->mu * (1.0 - m->x * m->x) : 0.0;
}

#include "face.h"
