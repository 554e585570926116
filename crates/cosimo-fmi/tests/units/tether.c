/* Springs and dashpots that hold a frame to the origin and to the axes of space. It is told where the frame is, and gives force and moment.
 *
 * The moment of the angle a about the axis n is -kappa sin(a) n, of the potential kappa (1 - cos(a)).
 *
 *@ model state
 *@ var 1 k Float64 parameter fixed start=0
 *@ var 2 c Float64 parameter fixed start=0
 *@ var 3 kappa Float64 parameter fixed start=0
 *@ var 4 gamma Float64 parameter fixed start=0
 *@ var 5 tip.position[1] Float64 input continuous start=0
 *@ var 6 tip.position[2] Float64 input continuous start=0
 *@ var 7 tip.position[3] Float64 input continuous start=0
 *@ var 8 tip.velocity[1] Float64 input continuous start=0
 *@ var 9 tip.velocity[2] Float64 input continuous start=0
 *@ var 10 tip.velocity[3] Float64 input continuous start=0
 *@ var 11 tip.orientation[1] Float64 input continuous start=1
 *@ var 12 tip.orientation[2] Float64 input continuous start=0
 *@ var 13 tip.orientation[3] Float64 input continuous start=0
 *@ var 14 tip.orientation[4] Float64 input continuous start=0
 *@ var 15 tip.angular_velocity[1] Float64 input continuous start=0
 *@ var 16 tip.angular_velocity[2] Float64 input continuous start=0
 *@ var 17 tip.angular_velocity[3] Float64 input continuous start=0
 *@ var 18 tip.force[1] Float64 output continuous dep=5,8
 *@ var 19 tip.force[2] Float64 output continuous dep=6,9
 *@ var 20 tip.force[3] Float64 output continuous dep=7,10
 *@ var 21 tip.moment[1] Float64 output continuous dep=11,12,13,14,15,16,17
 *@ var 22 tip.moment[2] Float64 output continuous dep=11,12,13,14,15,16,17
 *@ var 23 tip.moment[3] Float64 output continuous dep=11,12,13,14,15,16,17
 */
typedef struct {
    double k, c, kappa, gamma, x[3], v[3], q[4], w[3], force[3], moment[3];
} Model;
#define STATES 0
#define INDICATORS 0
#include "unit.h"

static void start(Model *m) { *m = (Model){.q = {1.0}}; }
static void initialize(Model *m) { evaluate(m); }

static void evaluate(Model *m) {
    for (int i = 0; i < 3; i++) {
        m->force[i] = -m->k * m->x[i] - m->c * m->v[i];
        m->moment[i] = -m->kappa * 2.0 * m->q[0] * m->q[i + 1] - m->gamma * m->w[i];
    }
}

static Slot slot(Model *m, unsigned reference) {
    return reference >= 1 && reference <= 23 ? REAL(((double *)m)[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return m->force + i; }
static double rate(Model *m, int i) { return m->force[i]; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }

static Status step(Unit *u, double size, Step *done) {
    (void)u, (void)size, (void)done;
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    (void)m, (void)unknown, (void)known;
    return 0.0;
}

#include "face.h"
