/*
 * supervisor.c - a process-manager style supervisor for service threads.
 *
 * Service threads are parked on a semaphore.  launch_service() releases the
 * thread and afterwards hangs the service record into the supervisor's table.
 * The service normally needs a while before it sends its first heartbeat, so
 * the record is there in time; if the launching thread is held up just
 * between the two steps, heartbeat() dereferences an empty table entry.
 *
 * validate:
 *   kind: order
 *   variable: sup.table[]
 *   threads: 4
 *   fails-by: crash
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_SERVICES 3
#define BOOT_SERVICES 2
enum { SYSLOG, CRON, NTP };
#define BEATS 4

typedef struct service {
    int         beats;
    const char *name;
} service;

static struct {
    pthread_mutex_t lock;
    service *table[MAX_SERVICES];
    sem_t park[MAX_SERVICES];
    sem_t log_req, log_open;    /* ntp asks syslog for a channel */
    pthread_t thread[MAX_SERVICES];
} sup = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void heartbeat(int idx)
{
    pthread_mutex_lock(&sup.lock);
    service *s = sup.table[idx]; /* bug: 1 */
    s->beats++;
    pthread_mutex_unlock(&sup.lock);
}

/* warm up caches, parse the configuration, ... */
static uint32_t service_init(uint32_t seed)
{
    uint32_t h = seed + 1;
    for (int i = 0; i < 150; i++) {
        h ^= h << 13;
        h ^= h >> 17;
        h ^= h << 5;
    }
    return h;
}

static void *service_main(void *arg)
{
    int idx = (int)(intptr_t)arg;
    volatile uint32_t state;

    sem_wait(&sup.park[idx]);
    state = service_init((uint32_t)idx);

    if (idx == NTP) {
        sem_post(&sup.log_req);
        sem_wait(&sup.log_open);
    }
    for (int i = 0; i < BEATS; i++) {
        state = state * 1664525u + 1013904223u;
        heartbeat(idx);
    }
    if (idx == SYSLOG) {
        sem_wait(&sup.log_req);
        sem_post(&sup.log_open);
    }
    return NULL;
}

static int launch_service(int idx, const char *name)
{
    service *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    s->name = name;
#ifndef FIXED
    sem_post(&sup.park[idx]); /* bug */
#endif
    pthread_mutex_lock(&sup.lock);
    sup.table[idx] = s; /* bug: 2 */
    pthread_mutex_unlock(&sup.lock);
#ifdef FIXED
    sem_post(&sup.park[idx]);
#endif
    return 0;
}

int main(void)
{
    static const char *const names[MAX_SERVICES] = { "syslog", "cron", "ntp" };
    int total = 0;

    for (int i = 0; i < MAX_SERVICES; i++)
        sem_init(&sup.park[i], 0, 0);
    sem_init(&sup.log_req, 0, 0);
    sem_init(&sup.log_open, 0, 0);
    /* boot services are launched before their threads exist ... */
    for (int i = 0; i < BOOT_SERVICES; i++)
        if (launch_service(i, names[i]) != 0)
            return 2;
    for (int i = 0; i < MAX_SERVICES; i++)
        pthread_create(&sup.thread[i], NULL, service_main, (void *)(intptr_t)i);
    /* ... the others on demand */
    for (int i = BOOT_SERVICES; i < MAX_SERVICES; i++)
        if (launch_service(i, names[i]) != 0)
            return 2;
    for (int i = 0; i < MAX_SERVICES; i++) {
        pthread_join(sup.thread[i], NULL);
        total += sup.table[i]->beats;
        free(sup.table[i]);
    }
    printf("%d heartbeats\n", total);
    return total == MAX_SERVICES * BEATS ? 0 : 1;
}
