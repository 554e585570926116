/* A unit that its library can hold one instance of: a second one ends the process. x grows by `speed` a second.
 *
 *@ model state once
 *@ var 1 speed Float64 parameter fixed start=1
 *@ var 2 x Float64 output continuous start=0 initial=exact
 *@ var 3 der(x) Float64 local continuous der=2 dep=
 */
typedef struct {
    double speed, x, rate;
} Model;
#define STATES 1
#define INDICATORS 0
#define INSTANTIATE_HOOK(u) refuse_second()
#include "unit.h"

static int made;
static void refuse_second(void) {
    if (made++ > 0) abort();
}

static void start(Model *m) { *m = (Model){.speed = 1.0}; }
static void initialize(Model *m) { evaluate(m); }
static void evaluate(Model *m) { m->rate = m->speed; }
static Slot slot(Model *m, unsigned reference) {
    return reference == 1 ? REAL(m->speed) : reference == 2 ? REAL(m->x) : reference == 3 ? REAL(m->rate) : NOTHING;
}
static double *state(Model *m, int i) { return &m->x + i; }
static double rate(Model *m, int i) { return i == 0 ? m->rate : 0.0; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }
static double partial(Model *m, unsigned unknown, unsigned known) { return m && unknown == known; }
static Status step(Unit *u, double size, Step *done) {
    (void)done;
    u->now.model.x += size * u->now.model.speed;
    return OK;
}

#include "face.h"
