/* Units of other tools have habits of their own, and this one has several: it takes events by the clock, counts them, and asks for the end
 * after `last` of them; its input counts from the next event on; it refuses lists without elements (see "face.h"); and with
 * REFUSES_EVENT_MODE it says that it has an event mode and makes no instance with it, and with FREEZES time stands still where it must
 * expect to be put back before the step.
 *
 *@ model events state
 *@ var 1 period Float64 parameter fixed start=0.1
 *@ var 2 last Int32 parameter fixed start=20
 *@ var 3 level Float64 input discrete start=0
 *@ var 4 held Float64 output discrete dep=3
 *@ var 5 count Int32 output discrete dep=
 */
#include <stdint.h>
typedef struct {
    double period, level, held;
    int32_t count, last;
} Model;
#define STATES 0
#define INDICATORS 0
#include "unit.h"

static void start(Model *m) { *m = (Model){.period = 0.1, .last = 20}; }
static void initialize(Model *m) { m->held = m->level; }
static void evaluate(Model *m) { (void)m; }

static Slot slot(Model *m, unsigned reference) {
    switch (reference) {
    case 1: return REAL(m->period);
    case 2: return (Slot){INT32, &m->last, 1};
    case 3: return REAL(m->level);
    case 4: return REAL(m->held);
    case 5: return (Slot){INT32, &m->count, 1};
    default: return NOTHING;
    }
}

static double *state(Model *m, int i) { return &m->held + i; }
static double rate(Model *m, int i) { return m->held * i; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static double due(const Model *m) { return m->period * (m->count + 1); }

static void update(Unit *u, Update *found) {
    Model *m = &u->now.model;
    m->held = m->level;
    if (u->now.time >= due(m)) m->count++;
    found->terminate = m->count >= m->last;
    found->next_defined = true;
    found->next = due(m);
}

static Status step(Unit *u, double size, Step *done) {
    Model *m = &u->now.model;
    m->held = m->level;
    while (m->count < m->last && due(m) <= u->now.time + size + 1e-9) m->count++;
    if (m->count < m->last) return OK;
    done->reached = fmin(done->reached, m->period * m->last);
    done->terminate = true;
    return FMI_VERSION == 2 ? DISCARD : OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) { return m && unknown == 4 && known == 3; }

#include "face.h"
