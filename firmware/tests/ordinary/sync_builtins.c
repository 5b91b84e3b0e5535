/* The builtins of GCC: a spin lock, a counter, a bit set and a stack without a lock. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define ROUNDS 200

struct node {
    struct node *next;
    int value;
};

static volatile int spin;
static long guarded;
static int counter;
static unsigned bits;
static uint64_t wide;
static struct node *stack;

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (__sync_lock_test_and_set(&spin, 1))
            while (spin)
                ;
        guarded++;
        __sync_lock_release(&spin);
        __sync_fetch_and_add(&counter, 2);
        __sync_sub_and_fetch(&counter, 1);
        __atomic_fetch_add(&wide, 1ull << 20, __ATOMIC_RELAXED);
        __sync_synchronize();
    }
    __sync_fetch_and_or(&bits, 1u << me);
    for (int i = 0; i < 10; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = me * 100 + i;
        do
            n->next = __atomic_load_n(&stack, __ATOMIC_ACQUIRE);
        while (!__sync_bool_compare_and_swap(&stack, n->next, n));
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    int nodes = 0, sum = 0;
    for (struct node *n = stack, *next; n; n = next, nodes++) {
        next = n->next;
        sum += n->value;
        free(n);
    }
    int expected = 5;
    int swapped = __atomic_compare_exchange_n(&counter, &expected, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%ld %d %x %llu\n", guarded, counter, bits, (unsigned long long)wide);
    printf("%d nodes, sum %d, swapped %d, expected %d\n", nodes, sum, swapped, expected);
    int old = __sync_val_compare_and_swap(&counter, 600, 7);
    printf("%d %d\n", old, counter);
    return 0;
}
