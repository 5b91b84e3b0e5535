/*
 * mail-spooler.c - the delivery half of a small mail spooler.
 *
 * The spool directory scan has already filled the queue; delivery threads
 * take messages off under the spool lock, "deliver" them and account for
 * them.  The message count is kept under the lock, but the byte total is
 * added after the lock has been given back, so that two deliveries which
 * finish together can lose one another's bytes.
 *
 * validate:
 *   kind: lost-update
 *   variable: spool.bytes_out
 *   threads: 7
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NMSG 18
#define NDELIVER 6

struct message {
    int id;
    size_t len;
    char rcpt[16];
    struct message *next;
};

static struct {
    pthread_mutex_t lock;
    struct message *head;
    int delivered;
    unsigned long bytes_out;
    unsigned long bounced;
} spool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct message *
spool_take(void)
{
    struct message *m;

    pthread_mutex_lock(&spool.lock);
    m = spool.head;
    if (m != NULL)
        spool.head = m->next;
    pthread_mutex_unlock(&spool.lock);
    return m;
}

/* Pretend to talk SMTP: checksum the recipient, reject the empty ones. */
static int
deliver(const struct message *m)
{
    unsigned sum = 0;
    for (const char *p = m->rcpt; *p; p++)
        sum = sum * 31 + (unsigned char)*p;
    return sum != 0;
}

static void *
delivery_main(void *unused)
{
    struct message *m;

    (void)unused;
    while ((m = spool_take()) != NULL) {
        int ok = deliver(m);

        pthread_mutex_lock(&spool.lock);
        if (ok)
            spool.delivered++;
        else
            spool.bounced++;
#ifdef FIXED
        if (ok)
            spool.bytes_out += m->len;
#endif
        pthread_mutex_unlock(&spool.lock);
#ifndef FIXED
        if (ok)
            spool.bytes_out += m->len; /* bug: 1, 2, 3, 4 */
#endif
        free(m);
    }
    return NULL;
}

int
main(void)
{
    pthread_t tid[NDELIVER];
    unsigned long expect = 0;

    for (int i = 0; i < NMSG; i++) {
        struct message *m = calloc(1, sizeof *m);
        if (m == NULL)
            abort();
        m->id = i;
        m->len = 100 + 7 * (size_t)i;
        snprintf(m->rcpt, sizeof m->rcpt, "user%d", i);
        m->next = spool.head;
        spool.head = m;
        expect += m->len;
    }
    for (int i = 0; i < NDELIVER; i++)
        pthread_create(&tid[i], NULL, delivery_main, NULL);
    for (int i = 0; i < NDELIVER; i++)
        pthread_join(tid[i], NULL);

    printf("delivered %d messages, %lu bytes\n", spool.delivered, spool.bytes_out);
    if (spool.delivered != NMSG || spool.bounced != 0)
        return 2;
    return spool.bytes_out == expect ? 0 : 1;
}
