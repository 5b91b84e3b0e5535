/*
 * The packet buffers of a router are on a lock-free stack: a word with the
 * index of the top one, and a link in each buffer. The fragmenter takes two
 * buffers for the halves of a packet; the echo service takes one for the request
 * and one for the answer.
 *
 * Bug: ABA. One thread reads the top and its link; before its compare-and-swap,
 * another takes the top and the one below and puts the first back. The top is
 * the same, the link is not, and a buffer that is in use comes onto the stack.
 *
 * validate:
 *   kind: lock-free
 *   variable: pool.top, pool.buffers[].next
 *   threads: 3
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define BUFFERS 4
#define NONE 0xffu
#define PACKETS 10

struct buffer {
    atomic_uint next;
    atomic_uint owner;
    unsigned char data[16];
};

static struct {
    atomic_uint top;    /* low byte: index; in the fixed variant, a count above it */
    struct buffer buffers[BUFFERS];
    atomic_uint sent;
} pool;

#ifdef FIXED
#define TOP(old, index) ((((old) | 0xffu) + 1) | (index))
#else
#define TOP(old, index) (index)                                     /* bug */
#endif

static void pool_init(void)
{
    for (unsigned i = 0; i < BUFFERS; i++)
        atomic_init(&pool.buffers[i].next, i + 1 < BUFFERS ? i + 1 : NONE);
    atomic_init(&pool.top, 0);
}

static struct buffer *buffer_get(unsigned owner)
{
    unsigned top, next;

    do {
        top = atomic_load(&pool.top);                               /* bug: 1 */
        if ((top & 0xff) == NONE)
            return NULL;
        next = atomic_load(&pool.buffers[top & 0xff].next);         /* bug: 2 */
    } while (!atomic_compare_exchange_strong(&pool.top, &top, TOP(top, next)));    /* bug: 3, 4, 6 */
    assert(atomic_exchange(&pool.buffers[top & 0xff].owner, owner) == 0);
    return &pool.buffers[top & 0xff];
}

static void buffer_put(struct buffer *b)
{
    unsigned top = atomic_load(&pool.top);

    atomic_store(&b->owner, 0);
    do
        atomic_store(&b->next, top & 0xff);
    while (!atomic_compare_exchange_strong(&pool.top, &top,         /* bug: 5 */
                                           TOP(top, (unsigned)(b - pool.buffers))));
}

static unsigned transmit(struct buffer *b, unsigned char byte)
{
    memset(b->data, byte, sizeof b->data);
    atomic_fetch_add(&pool.sent, 1);
    return b->data[sizeof b->data - 1];
}

static void *fragmenter(void *arg)
{
    (void)arg;
    for (int i = 0; i < PACKETS; i++) {
        struct buffer *first = buffer_get(1), *second = buffer_get(1);

        assert(first && second);
        assert(transmit(first, 0x11) == 0x11);
        buffer_put(first);
        assert(transmit(second, 0x22) == 0x22);
        buffer_put(second);
    }
    return NULL;
}

static void *echo(void *arg)
{
    (void)arg;
    for (int i = 0; i < PACKETS; i++) {
        struct buffer *request = buffer_get(2), *answer = buffer_get(2);

        assert(request && answer);
        assert(transmit(request, 0x33) == 0x33);
        assert(transmit(answer, 0x44) == 0x44);
        buffer_put(answer);
        buffer_put(request);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pool_init();
    pthread_create(&a, NULL, fragmenter, NULL);
    pthread_create(&b, NULL, echo, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u packets\n", atomic_load(&pool.sent));
    return atomic_load(&pool.sent) == 4 * PACKETS ? 0 : 1;
}
