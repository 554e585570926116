/* A unit that misbehaves as its parameter `mode` says. BAD_MODE is the value it starts with: the modes that act before a
 * parameter can be set are chosen by it alone. Good behaviour is mode 0: x grows by one a second. What it does in a step, it
 * does in steps from BAD_AFTER on (s).
 *
 *@ model state
 *@ var 1 mode Int32 parameter fixed start=0
 *@ var 2 x Float64 output continuous start=0 initial=exact
 *@ var 3 der(x) Float64 local continuous der=2 dep=
 */
#include <stdint.h>
typedef struct {
    double x, rate;
    int32_t mode;
} Model;
#define STATES 1
#define INDICATORS 0

#ifndef BAD_MODE
#define BAD_MODE 0
#endif
#ifndef BAD_AFTER
#define BAD_AFTER 0.0
#endif
#define CRASH_AT_LOAD 1
#define CRASH_IN_INSTANTIATE 2
#define CRASH_IN_STEP 3
#define CRASH_IN_TERMINATE 4
#define CRASH_IN_FREE 5
#define HANG_IN_STEP 6
#define EXIT_IN_STEP 7
#define ERROR_IN_STEP 8
#define DISCARD_IN_STEP 9 /* half of the step is done */
#define FATAL_IN_STEP 10
#define NOT_A_NUMBER 11
#define HUGE_VALUE 12
#define CHANGE_DIRECTORY 13
#define CHANGE_ROUNDING 14   /* in a step: rounds up, denormals are zero */
#define CHANGE_HANDLER 15    /* of SIGINT and SIGSEGV, in instantiate */
#define UNDEFINED_SYMBOL 16  /* cannot be loaded */
#define MISSING_FUNCTION 17  /* there is no function for steps */
#define WRONG_VERSION 18
#define LOG_EVERY_STATUS 19
#define CHANGE_LOCALE 20     /* in instantiate: where the system has none but "C", nothing happens */
#define PENDING_IN_STEP 21
#define WARNING_IN_STEP 22
#define UNKNOWN_STATUS 23
#define FATAL_IN_TERMINATE 24
#define TERMINATES 25        /* asks for the end of the simulation: FMI 2 by Discard */
#define DISCARD_IN_GET 26
#define ALLOCATES 27         /* by the callbacks of FMI 2 */
#define GO_IN_STEP 29        /* changes the directory */
#define HANDLE_IN_STEP 30    /* changes the handler of SIGTERM */
#define ROUND_IN_VALUES 31   /* changes the rounding whenever something is computed, as for reading a value */
#define STANDS_STILL 32      /* discards steps and gets no further */
#define PRINTS 28            /* in instantiate, to standard output; reads standard input */

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#if BAD_MODE == MISSING_FUNCTION
#define NO_DO_STEP
#endif
#if BAD_MODE == WRONG_VERSION
#define VERSION_TEXT "7.1"
#endif
#define INSTANTIATE_HOOK(u) at_instantiate(u)
#define TERMINATE_HOOK(u) at_terminate(u)
#define RATES_HOOK(u) misbehave(u)
#define FREE_HOOK(u) crash((u)->now.model.mode == CRASH_IN_FREE)
#include "unit.h"

static int *volatile nowhere;
static void crash(bool now) {
    if (now) *nowhere = 1;
}

#if BAD_MODE == CRASH_AT_LOAD
__attribute__((constructor)) static void at_load(void) { crash(true); }
#endif
#if BAD_MODE == UNDEFINED_SYMBOL
extern double not_defined_anywhere(double);
#endif

static void handler(int signal) { (void)signal; }

static void at_instantiate(Unit *u) {
    int mode = u->now.model.mode;
    crash(mode == CRASH_IN_INSTANTIATE);
    if (mode == CHANGE_DIRECTORY && chdir("/") != 0) abort();
    if (mode == CHANGE_HANDLER) signal(SIGINT, handler), signal(SIGSEGV, handler);
    if (mode == PRINTS) printf("hello from the unit, which reads %d\n", getchar()), fflush(stdout);
    if (mode == CHANGE_LOCALE) setlocale(LC_ALL, "C.UTF-8");
#if FMI_VERSION == 2
    if (mode == ALLOCATES) {
        char *memory = u->callbacks->allocateMemory(10, 10);
        for (int i = 0; i < 100; i++)
            if (memory[i] != 0) abort();
        u->callbacks->freeMemory(memory);
    }
#endif
}

static Status at_terminate(Unit *u) {
    crash(u->now.model.mode == CRASH_IN_TERMINATE);
    return u->now.model.mode == FATAL_IN_TERMINATE ? FATAL : OK;
}

static void start(Model *m) { *m = (Model){.mode = BAD_MODE, .rate = 1.0}; }
static void initialize(Model *m) { evaluate(m); }
static void evaluate(Model *m) {
    m->rate = m->mode == NOT_A_NUMBER ? NAN : m->mode == HUGE_VALUE ? 1e120 : 1.0;
    if (m->mode == ROUND_IN_VALUES) fesetround(FE_UPWARD);
}

static Slot slot(Model *m, unsigned reference) {
    if (reference == 1) return (Slot){INT32, &m->mode, 1};
    return reference == 2 ? REAL(m->x) : reference == 3 ? REAL(m->rate) : NOTHING;
}

static double *state(Model *m, int i) { return &m->x + i; }
static double rate(Model *m, int i) { return i == 0 ? m->rate : 0.0; }
static void indicators(Model *m, double *z) { (void)m, (void)z; }
static void update(Unit *u, Update *found) { found->terminate = u->now.model.mode == TERMINATES; }
static double partial(Model *m, unsigned unknown, unsigned known) { return m && unknown == known; }

static Status shorter(Unit *u, double size, Step *done, bool terminate) {
    u->now.model.x += 0.5 * size;
    *done = (Step){.terminate = terminate, .reached = u->now.time + 0.5 * size};
    return DISCARD;
}

/* What it does in steps, and in model exchange when it is asked for rates. */
static Status misbehave(Unit *u) {
    static const char *const names[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"};
    if (u->now.time < BAD_AFTER) return OK;
    switch (u->now.model.mode) {
    case CRASH_IN_STEP: crash(true); break;
    case HANG_IN_STEP: for (volatile int forever = 1; forever;) {} break;
    case EXIT_IN_STEP: exit(3);
    case ERROR_IN_STEP: report(u, ERROR, names[ERROR], "the step failed for 100% sure"); return ERROR;
    case FATAL_IN_STEP: report(u, FATAL, names[FATAL], "nothing works any more"); return FATAL;
    case CHANGE_ROUNDING: fesetround(FE_UPWARD); break;
    case GO_IN_STEP: if (chdir("/") != 0) abort(); break;
    case HANDLE_IN_STEP: signal(SIGTERM, handler); break;
    case LOG_EVERY_STATUS:
        for (int s = OK; s <= (int)FATAL; s++) report(u, (Status)s, names[s], names[s]);
        break;
    case UNKNOWN_STATUS: return (Status)17;
    }
    return OK;
}

static Status step(Unit *u, double size, Step *done) {
    Model *m = &u->now.model;
    if (u->now.time < BAD_AFTER) {
        m->x += size;
        return OK;
    }
    evaluate(m);
    Status status = misbehave(u);
    if (status != OK) return status;
    switch (m->mode) {
    case DISCARD_IN_STEP: return shorter(u, size, done, false);
    case STANDS_STILL: return shorter(u, 0.0, done, false);
    case PENDING_IN_STEP: return PENDING;
    case WARNING_IN_STEP: m->x += size; return WARNING;
    case TERMINATES:
        if (FMI_VERSION == 2) return shorter(u, size, done, true);
        done->terminate = true;
        break;
#if BAD_MODE == UNDEFINED_SYMBOL
    case UNDEFINED_SYMBOL: m->x = not_defined_anywhere(m->x); break;
#endif
    }
    m->x += size * m->rate;
    return OK;
}

#include "face.h"
