#include "../internal.h"

#include <crosstalk/calls.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_FUNCTIONS = 32, CODE_ABORTED = 134 };

static void (*functions[MOST_FUNCTIONS])(void);
static unsigned count;
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int atexit(void (*function)(void)) {
    int refused = -1;
    pthread_mutex_lock(&mutex);
    if (count < MOST_FUNCTIONS) {
        functions[count++] = function;
        refused = 0;
    }
    pthread_mutex_unlock(&mutex);
    return refused;
}

/* A second thread that calls exit waits for the end that the first one brings. */
_Noreturn void exit(int code) {
    pthread_mutex_lock(&mutex);
    while (count) functions[--count]();
    __crosstalk_flush_all();
    _exit(code);
}

_Noreturn void _exit(int code) {
    for (;;) crosstalk_call(CROSSTALK_EXIT, (uint32_t)code, 0, 0, 0);
}

_Noreturn void _Exit(int code) {
    _exit(code);
}

_Noreturn void quick_exit(int code) {
    _exit(code);
}

_Noreturn void abort(void) {
    _exit(CODE_ABORTED);
}

char *getenv(const char *name) {
    (void)name;
    return NULL;
}
