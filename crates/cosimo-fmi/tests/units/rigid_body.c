/* A rigid body in space, loaded at a frame that is fixed to it: at `r` from the centre of mass, in the principal axes.
 *
 *@ model state
 *@ var 1 m Float64 parameter fixed start=1
 *@ var 2 J[1] Float64 parameter fixed start=1
 *@ var 3 J[2] Float64 parameter fixed start=1
 *@ var 4 J[3] Float64 parameter fixed start=1
 *@ var 5 r[1] Float64 parameter fixed start=0
 *@ var 6 r[2] Float64 parameter fixed start=0
 *@ var 7 r[3] Float64 parameter fixed start=0
 *@ var 8 g[1] Float64 parameter fixed start=0
 *@ var 9 g[2] Float64 parameter fixed start=0
 *@ var 10 g[3] Float64 parameter fixed start=0
 *@ var 11 x0[1] Float64 parameter fixed start=0
 *@ var 12 x0[2] Float64 parameter fixed start=0
 *@ var 13 x0[3] Float64 parameter fixed start=0
 *@ var 14 v0[1] Float64 parameter fixed start=0
 *@ var 15 v0[2] Float64 parameter fixed start=0
 *@ var 16 v0[3] Float64 parameter fixed start=0
 *@ var 17 q0[1] Float64 parameter fixed start=1
 *@ var 18 q0[2] Float64 parameter fixed start=0
 *@ var 19 q0[3] Float64 parameter fixed start=0
 *@ var 20 q0[4] Float64 parameter fixed start=0
 *@ var 21 w0[1] Float64 parameter fixed start=0
 *@ var 22 w0[2] Float64 parameter fixed start=0
 *@ var 23 w0[3] Float64 parameter fixed start=0
 *@ var 24 tip.force[1] Float64 input continuous start=0
 *@ var 25 tip.force[2] Float64 input continuous start=0
 *@ var 26 tip.force[3] Float64 input continuous start=0
 *@ var 27 tip.moment[1] Float64 input continuous start=0
 *@ var 28 tip.moment[2] Float64 input continuous start=0
 *@ var 29 tip.moment[3] Float64 input continuous start=0
 *@ var 30 x[1] Float64 output continuous dep=30
 *@ var 31 x[2] Float64 output continuous dep=31
 *@ var 32 x[3] Float64 output continuous dep=32
 *@ var 33 v[1] Float64 output continuous dep=33
 *@ var 34 v[2] Float64 output continuous dep=34
 *@ var 35 v[3] Float64 output continuous dep=35
 *@ var 36 tip.orientation[1] Float64 output continuous dep=36
 *@ var 37 tip.orientation[2] Float64 output continuous dep=37
 *@ var 38 tip.orientation[3] Float64 output continuous dep=38
 *@ var 39 tip.orientation[4] Float64 output continuous dep=39
 *@ var 40 W[1] Float64 output continuous dep=40
 *@ var 41 W[2] Float64 output continuous dep=41
 *@ var 42 W[3] Float64 output continuous dep=42
 *@ var 43 der(x[1]) Float64 local continuous der=30 dep=33
 *@ var 44 der(x[2]) Float64 local continuous der=31 dep=34
 *@ var 45 der(x[3]) Float64 local continuous der=32 dep=35
 *@ var 46 der(v[1]) Float64 local continuous der=33 dep=24
 *@ var 47 der(v[2]) Float64 local continuous der=34 dep=25
 *@ var 48 der(v[3]) Float64 local continuous der=35 dep=26
 *@ var 49 der(q[1]) Float64 local continuous der=36 dep=36,37,38,39,40,41,42
 *@ var 50 der(q[2]) Float64 local continuous der=37 dep=36,37,38,39,40,41,42
 *@ var 51 der(q[3]) Float64 local continuous der=38 dep=36,37,38,39,40,41,42
 *@ var 52 der(q[4]) Float64 local continuous der=39 dep=36,37,38,39,40,41,42
 *@ var 53 der(W[1]) Float64 local continuous der=40 dep=24,25,26,27,28,29,36,37,38,39,40,41,42
 *@ var 54 der(W[2]) Float64 local continuous der=41 dep=24,25,26,27,28,29,36,37,38,39,40,41,42
 *@ var 55 der(W[3]) Float64 local continuous der=42 dep=24,25,26,27,28,29,36,37,38,39,40,41,42
 *@ var 56 tip.position[1] Float64 output continuous dep=30,31,32,36,37,38,39
 *@ var 57 tip.position[2] Float64 output continuous dep=30,31,32,36,37,38,39
 *@ var 58 tip.position[3] Float64 output continuous dep=30,31,32,36,37,38,39
 *@ var 59 tip.velocity[1] Float64 output continuous dep=33,34,35,36,37,38,39,40,41,42
 *@ var 60 tip.velocity[2] Float64 output continuous dep=33,34,35,36,37,38,39,40,41,42
 *@ var 61 tip.velocity[3] Float64 output continuous dep=33,34,35,36,37,38,39,40,41,42
 *@ var 62 tip.angular_velocity[1] Float64 output continuous dep=36,37,38,39,40,41,42
 *@ var 63 tip.angular_velocity[2] Float64 output continuous dep=36,37,38,39,40,41,42
 *@ var 64 tip.angular_velocity[3] Float64 output continuous dep=36,37,38,39,40,41,42
 *@ var 65 kinetic Float64 output continuous dep=33,34,35,40,41,42
 */
typedef struct {
    double m, J[3], r[3], g[3], x0[3], v0[3], q0[4], w0[3], force[3], moment[3];
    double states[13], rates[13];
    double position[3], velocity[3], spin[3], kinetic;
} Model;
#define STATES 13
#define INDICATORS 0
#include "unit.h"

/* The states: place and velocity of the centre of mass, orientation, angular velocity in the axes of the body. */
#define X (m->states)
#define V (m->states + 3)
#define Q (m->states + 6)
#define W (m->states + 10)

static void start(Model *m) { *m = (Model){.m = 1.0, .J = {1.0, 1.0, 1.0}, .q0 = {1.0}, .states = {[6] = 1.0}}; }

static void cross(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* A vector turned by the orientation, or back where `side` is -1. A quaternion of another length counts as its direction. */
static void turn(const double *q, double side, const double *a, double *out) {
    double first[3], second[3], u[3] = {side * q[1], side * q[2], side * q[3]};
    double square = q[0] * q[0] + u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    cross(u, a, first);
    cross(u, first, second);
    for (int i = 0; i < 3; i++) out[i] = a[i] + 2.0 * (q[0] * first[i] + second[i]) / square;
}

/* q' = q (0, W) / 2 */
static void turn_rate(const double *q, const double *w, double *out) {
    double side[3];
    cross(q + 1, w, side);
    out[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    for (int i = 0; i < 3; i++) out[i + 1] = 0.5 * (q[0] * w[i] + side[i]);
}

static void initialize(Model *m) {
    memcpy(X, m->x0, sizeof m->x0);
    memcpy(V, m->v0, sizeof m->v0);
    memcpy(Q, m->q0, sizeof m->q0);
    turn(Q, -1.0, m->w0, W);
}

static void evaluate(Model *m) {
    double arm[3], force[3], moment[3], lever[3], gyro[3], momentum[3], swing[3];
    turn(Q, 1.0, m->r, arm);
    turn(Q, 1.0, W, m->spin);
    cross(m->spin, arm, swing);
    turn(Q, -1.0, m->force, force);
    turn(Q, -1.0, m->moment, moment);
    cross(m->r, force, lever);
    for (int i = 0; i < 3; i++) momentum[i] = m->J[i] * W[i];
    cross(W, momentum, gyro);
    m->kinetic = 0.0;
    for (int i = 0; i < 3; i++) {
        m->position[i] = X[i] + arm[i];
        m->velocity[i] = V[i] + swing[i];
        m->kinetic += 0.5 * (m->m * V[i] * V[i] + momentum[i] * W[i]);
        m->rates[i] = V[i];
        m->rates[3 + i] = m->force[i] / m->m + m->g[i];
        m->rates[10 + i] = (moment[i] + lever[i] - gyro[i]) / m->J[i];
    }
    turn_rate(Q, W, m->rates + 6);
}

static Slot slot(Model *m, unsigned reference) {
    return reference >= 1 && reference <= 65 ? REAL(((double *)m)[reference - 1]) : NOTHING;
}

static double *state(Model *m, int i) { return m->states + i; }
static double rate(Model *m, int i) { return m->rates[i]; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { (void)u, (void)found; }

static Status step(Unit *u, double size, Step *done) {
    (void)done;
    advance(&u->now.model, size, 2e-4);
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) {
    (void)m, (void)unknown, (void)known;
    return 0.0;
}

#include "face.h"
