#include "internal.h"

#include <errno.h>

static unsigned used; /* a bit for each key */
static void (*destructors[PTHREAD_KEYS_MAX])(void *);

static bool exists(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX && __atomic_load_n(&used, __ATOMIC_SEQ_CST) >> key & 1;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    unsigned before = __atomic_load_n(&used, __ATOMIC_SEQ_CST);
    do
        if (before == ~0u) return EAGAIN;
    while (!__atomic_compare_exchange_n(&used, &before, before | (before + 1), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
    *key = (unsigned)__builtin_ctz(~before);
    destructors[*key] = destructor;
    return 0;
}

int pthread_key_delete(pthread_key_t key) {
    if (!exists(key)) return EINVAL;
    destructors[key] = NULL;
    __atomic_fetch_and(&used, ~(1u << key), __ATOMIC_SEQ_CST);
    return 0;
}

void *pthread_getspecific(pthread_key_t key) {
    return exists(key) ? (void *)__crosstalk_self->values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (!exists(key)) return EINVAL;
    __crosstalk_self->values[key] = value;
    return 0;
}

/* A destructor may set values anew; that goes on for so many rounds and no more. */
void __crosstalk_run_destructors(struct crosstalk_thread *self) {
    bool again = true;
    for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        again = false;
        for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
            const void *value = self->values[key];
            if (!value || !exists(key) || !destructors[key]) continue;
            self->values[key] = NULL;
            destructors[key]((void *)value);
            again = true;
        }
    }
}
