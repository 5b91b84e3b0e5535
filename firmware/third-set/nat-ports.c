/*
 * The port table of a NAT router. Each flow looks for a port that is free,
 * takes it, sends some packets and gives it back. The state of a port is an
 * atomic word, so that nobody needs a lock for it.
 *
 * Bug: looking and taking are two steps: an atomic load that says free, and an
 * atomic store. Two flows can find and take the same port.
 *
 * validate:
 *   kind: check-then-act
 *   variable: ports[].state, ports[].flow
 *   threads: 10
 *   fails-by: abort
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define PORTS 10
#define FLOWS 9
#define ROUNDS 8
#define PACKETS 4

enum { FREE, TAKEN };

struct port {
    atomic_int state;
    atomic_int flow;
    atomic_uint packets;
};

static struct port ports[PORTS];
static atomic_uint total;

static struct port *port_take(int flow)
{
    for (int i = 0;; i = (i + 1) % PORTS) {
        struct port *p = &ports[i];
#ifdef FIXED
        int expected = FREE;

        if (!atomic_compare_exchange_strong(&p->state, &expected, TAKEN))
            continue;
#else
        if (atomic_load(&p->state) != FREE)             /* bug: 1, 2 */
            continue;
        atomic_store(&p->state, TAKEN);                 /* bug: 3, 4 */
#endif
        atomic_store(&p->flow, flow);                   /* bug */
        return p;
    }
}

static void port_give(struct port *p, int flow)
{
    if (atomic_load(&p->flow) != flow) {                /* bug */
        fprintf(stderr, "nat: port %d is not of flow %d\n", (int)(p - ports), flow);
        abort();
    }
    atomic_store(&p->flow, 0);                          /* bug */
    atomic_store(&p->state, FREE);
}

static void forward(struct port *p, unsigned packets)
{
    for (unsigned i = 0; i < packets; i++) {
        atomic_fetch_add(&p->packets, 1);
        atomic_fetch_add(&total, 1);
    }
}

static void *flow(void *arg)
{
    int number = *(int *)arg;

    for (int i = 0; i < ROUNDS; i++) {
        struct port *p = port_take(number);

        forward(p, PACKETS);
        port_give(p, number);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[FLOWS];
    int numbers[FLOWS];
    unsigned sum = 0;

    for (int i = 0; i < FLOWS; i++) {
        numbers[i] = i + 1;
        pthread_create(&threads[i], NULL, flow, &numbers[i]);
    }
    for (int i = 0; i < FLOWS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PORTS; i++)
        sum += atomic_load(&ports[i].packets);
    printf("%u packets\n", sum);
    return sum == atomic_load(&total) && sum == FLOWS * ROUNDS * PACKETS ? 0 : 1;
}
