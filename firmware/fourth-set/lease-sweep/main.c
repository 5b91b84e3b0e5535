/*
 * A server that leases addresses. Clients take leases and give most of them
 * back; a sweeper ends those that have expired and tells their clients so,
 * for which it drops the table's lock.
 *
 * Bug: lease_sweep() has read the next lease before it drops the lock. While
 * it tells a client, another client may give back that next lease, and the
 * sweeper goes on with freed memory.
 *
 * validate:
 *   kind: lifetime
 *   variable: lease->next, lease->magic
 *   threads: 4
 *   fails-by: abort
 *   rare: yes
 */
#include "lease.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LEASES 10               /* of each client */
#define SWEEPS 8

struct client {
    pthread_t thread;
    int number;
    int released, late;
};

/* What the sweeper has told them; only its thread writes. */
static int told[LEASE_CLIENTS];
static unsigned letters;

static void tell(int client, int number)
{
    unsigned letter = (unsigned)(client * 1000 + number);

    for (int i = 0; i < 12; i++)
        letter = letter << 3 ^ letter >> 5 ^ (unsigned)i;
    letters += letter;
    told[client]++;
}

static void *sweeper(void *arg)
{
    for (int i = 0; i < SWEEPS; i++)
        lease_sweep(tell);
    return arg;
}

/* Has two leases at a time, a short and a long one. */
static void *client_main(void *arg)
{
    struct client *c = arg;

    for (int i = 0; i < LEASES; i += 2) {
        int brief = lease_grant(c->number, 1 + i % 3);
        int lasting = lease_grant(c->number, 2 * SWEEPS);

        if (lease_release(lasting))
            c->released++;
        else
            abort();            /* it cannot have expired */
        if (lease_release(brief))
            c->released++;
        else
            c->late++;
    }
    return NULL;
}

int main(void)
{
    struct client clients[LEASE_CLIENTS];
    pthread_t sweeping;
    int released = 0, late = 0, wrong = 0;

    for (int i = 0; i < LEASE_CLIENTS; i++) {
        clients[i] = (struct client){ .number = i };
        if (pthread_create(&clients[i].thread, NULL, client_main, &clients[i]) != 0)
            abort();
    }
    if (pthread_create(&sweeping, NULL, sweeper, NULL) != 0)
        abort();
    for (int i = 0; i < LEASE_CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        released += clients[i].released;
        late += clients[i].late;
    }
    pthread_join(sweeping, NULL);
    for (int i = 0; i < LEASE_CLIENTS; i++)
        wrong += told[i] != clients[i].late;
    printf("all leases are over: %s\n", released + late == LEASES * LEASE_CLIENTS ? "yes" : "no");
    lease_free_all();
    return wrong || late != lease_expired() ? 1 : 0;
}
