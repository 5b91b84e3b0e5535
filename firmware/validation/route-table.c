/*
 * route-table
 *
 * A routing daemon in miniature.  The loader reads the table of static
 * routes and raises `loaded`; forwarders that find the flag down use the
 * default gateway, the others search the table.
 *
 * Bug: the flag goes up before the last thing is done, which is to store the
 * sentinel's hop (the catch-all route at the end of the table).  A forwarder
 * that sees the flag and needs just that catch-all in the tiny gap gets a hop
 * of 0, which is no valid hop.  Most packets match an earlier route.
 *
 * validate:
 *   kind: publication
 *   variable: loaded, routes[].hop
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define NROUTES 6
#define GATEWAY 1

struct route {
    uint32_t net, mask;
    _Atomic int hop;
};

static struct route routes[NROUTES + 1];    /* + catch-all */
static atomic_bool loaded;

static const struct { uint32_t net, mask; int hop; } lines[NROUTES] = {
    { 0x0a000000, 0xff000000, 7 }, { 0xac100000, 0xfff00000, 4 },
    { 0xc0a80000, 0xffff0000, 5 }, { 0xc0000200, 0xffffff00, 2 },
    { 0x0b010000, 0xffff0000, 9 }, { 0x0b020000, 0xffff0000, 6 },
};

static void *loader(void *arg)
{
    int i;

    for (i = 0; i < NROUTES; i++) {
        routes[i].net = lines[i].net;
        routes[i].mask = lines[i].mask;
        routes[i].hop = lines[i].hop;
    }
    routes[i].net = routes[i].mask = 0;
#ifdef FIXED
    routes[i].hop = 3;
    atomic_store(&loaded, 1);
#else
    atomic_store(&loaded, 1);                                   /* bug: 1 */
    routes[i].hop = 3;                                          /* bug: 4 */
#endif
    return arg;
}

static int lookup(uint32_t addr)
{
    const struct route *r;

    if (!atomic_load(&loaded))                                  /* bug: 2 */
        return GATEWAY;
    for (r = routes; (addr & r->mask) != r->net; r++)
        ;
    return r->hop;                                              /* bug: 3 */
}

struct job {
    uint32_t first;
    int zeros;
};

static void *forwarder(void *arg)
{
    struct job *job = arg;
    uint32_t addr = job->first;

    for (int i = 0; i < 16; i++) {
        if (lookup(addr) == 0)
            job->zeros++;
        addr += 0x00110000;
    }
    return NULL;
}

int main(void)
{
    struct job job[2] = { { 0x0affff01, 0 }, { 0xac010203, 0 } };
    pthread_t l, f[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&f[i], NULL, forwarder, &job[i]);
    pthread_create(&l, NULL, loader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(f[i], NULL);
    pthread_join(l, NULL);
    assert(job[0].zeros == 0 && job[1].zeros == 0);
    puts("all packets had a hop");
    return 0;
}
