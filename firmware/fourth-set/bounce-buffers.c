/*
 * The bounce buffers of a driver. Free ones are in a list without locks, by
 * their numbers; a transfer takes two, gives the first back early and the
 * second when all is copied.
 *
 * Bug: buffer_get() reads the head and its successor and then swaps the head.
 * If both were taken in between and only the first was given back, the head is
 * the same again and the swap succeeds, but the successor is in use.
 *
 * validate:
 *   kind: lock-free
 *   variable: list.head, list.next
 *   threads: 4
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFERS 6
#define DRIVERS 3
#define TRANSFERS 12
#define END 0xffu               /* no buffer */

/* The low byte of the head is a buffer's number. In the rest of it, changes
 * are counted. */
#define NUMBER(head) ((head) & 0xffu)
#ifdef FIXED
#define HEAD(old, number) (((old) & ~0xffu) + 0x100u + (number))
#else
#define HEAD(old, number) ((void)(old), (uint32_t)(number))     /* bug */
#endif

static struct {
    _Atomic uint32_t head;
    _Atomic uint32_t next[BUFFERS];
} list;

static struct buffer {
    atomic_int in_use;
    unsigned char bytes[16];
} buffers[BUFFERS];

static uint32_t buffer_get(void)
{
    uint32_t head = atomic_load(&list.head);
    uint32_t number, next;
    int was_in_use;

    do {
        number = NUMBER(head);
        if (number == END)
            return END;
        next = atomic_load(&list.next[number]);                 /* bug: 1 */
    } while (!atomic_compare_exchange_weak(&list.head, &head, HEAD(head, next))); /* bug: 2, 4 */
    was_in_use = atomic_exchange(&buffers[number].in_use, 1);   /* bug: 5 */
    assert(!was_in_use);                        /* bug */
    return number;
}

static void buffer_put(uint32_t number)
{
    uint32_t head = atomic_load(&list.head);

    atomic_store(&buffers[number].in_use, 0);
    do {
        atomic_store(&list.next[number], NUMBER(head));
    } while (!atomic_compare_exchange_weak(&list.head, &head, HEAD(head, number))); /* bug: 3 */
}

static unsigned fill(struct buffer *b, unsigned seed)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < sizeof b->bytes; i++) {
        b->bytes[i] = (unsigned char)(seed >> (i % 4 * 8));
        sum += b->bytes[i];
    }
    return sum;
}

static void *driver(void *arg)
{
    unsigned *sum = arg;

    for (unsigned i = 0; i < TRANSFERS; i++) {
        uint32_t control = buffer_get();
        uint32_t data = buffer_get();

        /* two each, so there are always enough */
        assert(control != END && data != END);
        *sum += fill(&buffers[control], i * 0x01020304u);
        buffer_put(control);
        *sum += fill(&buffers[data], i * 0x04030201u);
        buffer_put(data);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[DRIVERS];
    unsigned sums[DRIVERS] = { 0 };
    int left = 0;

    atomic_store(&list.head, END);
    for (uint32_t i = 0; i < BUFFERS; i++)
        buffer_put(i);
    for (int i = 0; i < DRIVERS; i++)
        if (pthread_create(&threads[i], NULL, driver, &sums[i]) != 0)
            abort();
    for (int i = 0; i < DRIVERS; i++)
        pthread_join(threads[i], NULL);
    while (buffer_get() != END)
        left++;
    printf("sum %u, %d buffers\n", sums[0] + sums[1] + sums[2], left);
    assert(left == BUFFERS);
    return 0;
}
