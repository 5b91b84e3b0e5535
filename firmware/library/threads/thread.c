#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Thread_local struct crosstalk_thread *__crosstalk_self;

extern char __tls_start[], __tls_data_end[], __tls_bytes[];

enum { TLS_ALIGNMENT = 64, CODE_OWN_ERROR = 125 };

static unsigned live = 1;                /* threads, main included */
static unsigned joiners;                 /* one set for all threads: an ended one may be freed at once */
static struct crosstalk_thread *gone;    /* detached threads that ended, to be freed */

/* A thread's block and its thread-local variables, whose start the thread pointer holds. */
static char *tls_of(struct crosstalk_thread *thread) {
    uintptr_t after = (uintptr_t)(thread + 1);
    return (char *)((after + TLS_ALIGNMENT - 1) & ~(uintptr_t)(TLS_ALIGNMENT - 1));
}

static size_t block_bytes(void) {
    return sizeof(struct crosstalk_thread) + TLS_ALIGNMENT + (size_t)__tls_bytes;
}

static void set_up_tls(struct crosstalk_thread *thread) {
    memcpy(tls_of(thread), __tls_start, (size_t)(__tls_data_end - __tls_start));
}

/* The first thread enters the block at `place`, which is zero; gives the place after it. */
char *__crosstalk_become_main(char *place) {
    struct crosstalk_thread *self = (struct crosstalk_thread *)place;
    set_up_tls(self);
    __asm__ volatile("mv tp, %0" : : "r"(tls_of(self)) : "memory");
    __crosstalk_self = self;
    return place + block_bytes();
}

static void free_gone(void) {
    struct crosstalk_thread *thread = __atomic_exchange_n(&gone, NULL, __ATOMIC_SEQ_CST);
    while (thread) {
        struct crosstalk_thread *next = thread->next_gone;
        free(thread);
        thread = next;
    }
}

static _Noreturn void run(struct crosstalk_thread *self, unsigned hart) {
    __crosstalk_self = self;
    self->hart = hart;
    pthread_exit(self->start(self->argument));
}

static _Noreturn void refuse(unsigned wanted) {
    unsigned harts = __crosstalk_start.harts, needed = wanted + __crosstalk_start.spare_harts;
    const char *few = "crosstalk: the program has %u live threads but the machine has %u hart%s for them; "
                      "run it with --harts %u\n";
    const char *none = "crosstalk: the program has %u live threads but the machine has %u hart%s for them; "
                       "%u would be more than the largest machine has\n";
    __crosstalk_fail(CODE_OWN_ERROR, needed > CROSSTALK_MAX_HARTS ? none : few, wanted, harts,
                     harts == 1 ? "" : "s", needed);
}

int pthread_create(pthread_t *restrict result, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
    free_gone();
    unsigned wanted = __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    if (wanted > __crosstalk_start.harts) refuse(wanted);
    struct crosstalk_thread *thread = calloc(1, block_bytes());
    if (!thread) {
        __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
        return EAGAIN;
    }
    set_up_tls(thread);
    thread->start = start;
    thread->argument = argument;
    if (attributes && attributes->detached) thread->state = THREAD_DETACHED;
    *result = thread;
    /* A thread that just ended may not have left its hart yet. */
    unsigned turns = 8;
    while (crosstalk_call(CROSSTALK_START, (uintptr_t)run, (uintptr_t)thread,
                          (uintptr_t)tls_of(thread), 0) < 0) {
        __crosstalk_pause(turns);
        if (turns < 256) turns *= 2;
    }
    return 0;
}

static bool is_done(void *object) {
    struct crosstalk_thread *thread = object;
    return __atomic_load_n(&thread->state, __ATOMIC_SEQ_CST) == THREAD_DONE;
}

int pthread_join(pthread_t thread, void **result) {
    if (thread == __crosstalk_self) return EDEADLK;
    if (__atomic_load_n(&thread->state, __ATOMIC_SEQ_CST) == THREAD_DETACHED) return EINVAL;
    __crosstalk_wait(&joiners, is_done, thread, NEVER);
    if (result) *result = thread->result;
    free(thread);
    return 0;
}

int pthread_detach(pthread_t thread) {
    unsigned expected = THREAD_JOINABLE;
    bool now = __atomic_compare_exchange_n(&thread->state, &expected, THREAD_DETACHED, false,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (now) return 0;
    if (expected == THREAD_DETACHED) return EINVAL;
    free(thread);
    return 0;
}

static void leave_to_be_freed(struct crosstalk_thread *self) {
    struct crosstalk_thread *first = __atomic_load_n(&gone, __ATOMIC_SEQ_CST);
    do self->next_gone = first;
    while (!__atomic_compare_exchange_n(&gone, &first, self, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* From the moment that the thread is marked as done, or left to be freed, its block may vanish: nothing
 * below touches it, and the stack is the hart's. */
_Noreturn void pthread_exit(void *result) {
    struct crosstalk_thread *self = __crosstalk_self;
    __crosstalk_run_destructors(self);
    self->result = result;
    if (!__atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST)) exit(0);
    unsigned before = __atomic_exchange_n(&self->state, THREAD_DONE, __ATOMIC_SEQ_CST);
    if (before == THREAD_DETACHED) leave_to_be_freed(self);
    else __crosstalk_wake_all(&joiners);
    for (;;) crosstalk_call(CROSSTALK_FINISH, 0, 0, 0, 0);
}

pthread_t pthread_self(void) {
    return __crosstalk_self;
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}
