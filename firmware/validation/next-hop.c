/*
 * next-hop.c: forwarding table with a self-organising order.
 *
 * Lookups take the table's rwlock for reading, search from the front and move
 * a hit one place forward, so that busy routes drift to the front.  The swap
 * is a modification but happens under the read lock; two lookups that promote
 * the same route at once can overwrite another route with a second copy.
 *
 * validate:
 *   kind: readers-writers
 *   variable: rt.tab[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define NROUTES 6

typedef struct route {
    uint32_t prefix, mask;
    int ifindex;
} route;

static struct {
    pthread_rwlock_t lock;
    route tab[NROUTES];
} rt = {
    PTHREAD_RWLOCK_INITIALIZER,
    {
        { 0x0A000000, 0xFF000000, 1 }, { 0x0B000000, 0xFF000000, 2 },
        { 0x0C010000, 0xFFFF0000, 3 }, { 0x0C020000, 0xFFFF0000, 4 },
        { 0x0D000000, 0xFF000000, 5 }, { 0x0E000000, 0xFF000000, 6 },
    }
};

static void promote(int i)
{
    route t = rt.tab[i - 1]; /* bug: 1, 3 */
    rt.tab[i - 1] = rt.tab[i]; /* bug: 2, 4 */
    rt.tab[i] = t; /* bug: 5, 6 */
}

static int lookup(uint32_t dst)
{
    int ifx = 0;                /* 0: default route */

#ifdef FIXED
    pthread_rwlock_wrlock(&rt.lock);
#else
    pthread_rwlock_rdlock(&rt.lock); /* bug */
#endif
    for (int i = 0; i < NROUTES; i++)
        if ((dst & rt.tab[i].mask) == rt.tab[i].prefix) {
            ifx = rt.tab[i].ifindex;
            if (i > 0)
                promote(i);
            break;
        }
    pthread_rwlock_unlock(&rt.lock);
    return ifx;
}

struct flow { uint32_t dst[6]; };

static void *forwarder(void *arg)
{
    const struct flow *f = arg;
    long out = 0;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 6; i++)
            out += lookup(f->dst[i]) != 0;
    return (void *)out;
}

int main(void)
{
    static struct flow fl[3] = {
        { { 0x0E000001, 0x0D000009, 0x0E000001, 0x0C020304, 0x0E0000FF, 0x0B000001 } },
        { { 0x0D000001, 0x0E000007, 0x0E000011, 0x0A000304, 0x0C01FFFF, 0x0E010001 } },
        { { 0x0C020101, 0x0E010007, 0x0D000001, 0x0B0A0304, 0x0E222222, 0x0D000001 } },
    };
    pthread_t t[3];
    unsigned seen = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, forwarder, &fl[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NROUTES; i++)
        seen |= 1u << rt.tab[i].ifindex;
    printf("routes present: %02x\n", seen);
    return seen == 0x7E ? 0 : 1;
}
