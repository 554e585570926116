/* Variables of every type: what goes in at reference 2n comes out at 2n + 1. In FMI 3 with arrays whose size is a
 * structural parameter, and a clock that ticks at every event.
 *
 *@ model state events
 *@ var 2 real_in Float64 input continuous start=0
 *@ var 3 real_out Float64 output continuous dep=2
 *@ var 4 int32_in Int32 input discrete start=0
 *@ var 5 int32_out Int32 output discrete dep=4
 *@ var 6 bool_in Boolean input discrete start=false
 *@ var 7 bool_out Boolean output discrete dep=6
 *@ var 8 text_in String input discrete start=
 *@ var 9 text_out String output discrete dep=8
 *@ var 10 choice_in Enumeration input discrete start=1
 *@ var 11 choice_out Enumeration output discrete dep=10
 *@ var 12 float32_in Float32 input continuous start=0
 *@ var 13 float32_out Float32 output continuous dep=12
 *@ var 14 int8_in Int8 input discrete start=0
 *@ var 15 int8_out Int8 output discrete dep=14
 *@ var 16 uint8_in UInt8 input discrete start=0
 *@ var 17 uint8_out UInt8 output discrete dep=16
 *@ var 18 int16_in Int16 input discrete start=0
 *@ var 19 int16_out Int16 output discrete dep=18
 *@ var 20 uint16_in UInt16 input discrete start=0
 *@ var 21 uint16_out UInt16 output discrete dep=20
 *@ var 22 uint32_in UInt32 input discrete start=0
 *@ var 23 uint32_out UInt32 output discrete dep=22
 *@ var 24 int64_in Int64 input discrete start=0
 *@ var 25 int64_out Int64 output discrete dep=24
 *@ var 26 uint64_in UInt64 input discrete start=0
 *@ var 27 uint64_out UInt64 output discrete dep=26
 *@ var 28 n UInt64 structuralParameter fixed start=3
 *@ var 30 array_in Float64 input continuous start=0,0,0 size=28
 *@ var 31 array_out Float64 output continuous dep=30 size=28
 *@ var 40 tick Clock local discrete
 *@ var 41 gain Float64 parameter tunable start=1
 *@ var 42 share Float64 parameter fixed start=0.5 min=0 max=1
 *@ var 43 level Int32 parameter fixed start=2 min=1 max=3
 *@ var 44 pi Float64 output constant start=3 initial=exact
 */
#include <stdbool.h>
#include <stdint.h>
#define LONGEST 8
typedef struct {
    double real[2], array[2][LONGEST], gain, share, pi;
    int32_t level;
    float float32[2];
    int8_t int8[2];
    uint8_t uint8[2];
    int16_t int16[2];
    uint16_t uint16[2];
    int32_t int32[2];
    uint32_t uint32[2];
    int64_t int64[2], choice[2];
    uint64_t uint64[2], size;
    bool truth[2], tick;
    int32_t choice2[2];
    char text[2][64];
} Model;
#define STATES 0
#define INDICATORS 0
#include "unit.h"

static void start(Model *m) {
    memset(m, 0, sizeof *m);
    m->gain = 1.0, m->share = 0.5, m->pi = 3.0, m->level = 2;
    m->size = 3;
    m->choice[0] = m->choice2[0] = 1;
}

static void initialize(Model *m) { evaluate(m); }

#define THROUGH(field) memcpy(&m->field[1], &m->field[0], sizeof m->field[0])
static void evaluate(Model *m) {
    m->real[1] = m->gain * m->real[0];
    THROUGH(array), THROUGH(float32), THROUGH(int8), THROUGH(uint8), THROUGH(int16), THROUGH(uint16), THROUGH(int32);
    THROUGH(uint32), THROUGH(int64), THROUGH(uint64), THROUGH(truth), THROUGH(choice), THROUGH(choice2), THROUGH(text);
}

#define PAIR(TYPE, field) return (Slot){TYPE, &m->field[reference & 1], 1}
static Slot slot(Model *m, unsigned reference) {
    switch (reference & ~1u) {
    case 2: PAIR(FLOAT64, real);
    case 4: PAIR(INT32, int32);
    case 6: PAIR(BOOLEAN, truth);
    case 8: PAIR(STRING, text);
#if FMI_VERSION == 2
    case 10: PAIR(INT32, choice2);
#else
    case 10: PAIR(INT64, choice);
    case 12: PAIR(FLOAT32, float32);
    case 14: PAIR(INT8, int8);
    case 16: PAIR(UINT8, uint8);
    case 18: PAIR(INT16, int16);
    case 20: PAIR(UINT16, uint16);
    case 22: PAIR(UINT32, uint32);
    case 24: PAIR(INT64, int64);
    case 26: PAIR(UINT64, uint64);
    case 28: return (Slot){UINT64, &m->size, 1};
    case 30: return (Slot){FLOAT64, m->array[reference & 1], m->size < LONGEST ? m->size : LONGEST};
    case 40: return reference == 40 ? (Slot){CLOCK, &m->tick, 1} : REAL(m->gain);
#endif
    case 42: return reference == 43 ? (Slot){INT32, &m->level, 1} : REAL(m->share);
    case 44: return reference == 44 ? REAL(m->pi) : NOTHING;
    default: return reference == 41 ? REAL(m->gain) : NOTHING;
    }
}

static double *state(Model *m, int i) { return &m->real[i]; }
static double rate(Model *m, int i) { return m->real[0] * i; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }

static void update(Unit *u, Update *found) {
    u->now.model.tick = !u->now.model.tick;
    found->again = u->now.model.tick;
    found->next_defined = true;
    found->next = u->now.time + 1.0;
}

static Status step(Unit *u, double size, Step *done) {
    (void)u, (void)size, (void)done;
    return OK;
}

static double partial(Model *m, unsigned unknown, unsigned known) { return unknown == 3 && known == 2 ? m->gain : 0.0; }

#include "face.h"
