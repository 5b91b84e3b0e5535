/* A token goes round a ring of threads; each adds its own number. Flags are C11 atomics, waiting is
 * sched_yield. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 6

static atomic_int holder;
static int token; /* guarded by holder */
static int trace[THREADS * ROUNDS], length;

static void *pass_on(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load_explicit(&holder, memory_order_acquire) != self) sched_yield();
        token += self + 1;
        trace[length++] = token;
        atomic_store_explicit(&holder, (self + 1) % THREADS, memory_order_release);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, pass_on, (void *)i);
    pass_on((void *)0);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < length; i++) printf("%d%c", trace[i], (i + 1) % THREADS ? ' ' : '\n');
    printf("token %d\n", token);
    return 0;
}
