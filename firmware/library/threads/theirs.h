/* Another thread's thread-local variables: they lie behind its block, as far from its start as one's own do. */
#ifndef CROSSTALK_THEIRS_H
#define CROSSTALK_THEIRS_H

#include "internal.h"

static inline char *thread_locals(struct crosstalk_thread *thread) {
    enum { ALIGNMENT = 64 }; /* as in thread.c */
    return (char *)(((uintptr_t)(thread + 1) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
}

static inline void *theirs(struct crosstalk_thread *thread, void *own) {
    return thread_locals(thread) + ((char *)own - thread_locals(__crosstalk_self));
}

#endif
