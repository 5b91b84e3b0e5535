/*
 * Actors. Each has a thread and an inbox; when all are started they send
 * messages to each other, and end when they have got all they expect.
 *
 * Bug: an actor makes its inbox itself, as the first thing its thread does.
 * That all are started does not mean that all have come so far: another actor
 * sends to one that has no inbox yet.
 *
 * validate:
 *   kind: order
 *   variable: actor->inbox
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACTORS 3
#define ROUNDS 4
#define EXPECTED (ROUNDS * (ACTORS - 1))

struct message {
    int from;
    int value;
};

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t arrival;
    int count;
    struct message messages[EXPECTED];
};

struct actor {
    int number;
    pthread_t thread;
    struct inbox *inbox;
    unsigned plan[32];
    long sum;
};

static struct actor actors[ACTORS];

static struct {
    pthread_mutex_t lock;
    pthread_cond_t open;
    int is_open;
} curtain = { .lock = PTHREAD_MUTEX_INITIALIZER, .open = PTHREAD_COND_INITIALIZER };

static struct inbox *inbox_new(void)
{
    struct inbox *in = calloc(1, sizeof *in);

    if (!in)
        abort();
    pthread_mutex_init(&in->lock, NULL);
    pthread_cond_init(&in->arrival, NULL);
    return in;
}

static void inbox_free(struct inbox *in)
{
    pthread_cond_destroy(&in->arrival);
    pthread_mutex_destroy(&in->lock);
    free(in);
}

static void send_to(struct actor *to, int from, int value)
{
    struct inbox *in = to->inbox;               /* bug: 1 */

    pthread_mutex_lock(&in->lock);              /* bug */
    if (in->count == EXPECTED)
        abort();
    in->messages[in->count++] = (struct message){ from, value };
    pthread_cond_signal(&in->arrival);
    pthread_mutex_unlock(&in->lock);
}

/* Waits for message number `i` of an actor's own inbox. */
static struct message receive(struct actor *self, int i)
{
    struct inbox *in = self->inbox;
    struct message got;

    pthread_mutex_lock(&in->lock);
    while (in->count <= i)
        pthread_cond_wait(&in->arrival, &in->lock);
    got = in->messages[i];
    pthread_mutex_unlock(&in->lock);
    return got;
}

/* What an actor is going to say. */
static void make_plan(struct actor *self)
{
    unsigned x = 77u + (unsigned)self->number;

    for (int i = 0; i < 32; i++) {
        x = x * 69069u + 1;
        self->plan[i] = x >> 20;
    }
}

static void await_curtain(void)
{
    pthread_mutex_lock(&curtain.lock);
    while (!curtain.is_open)
        pthread_cond_wait(&curtain.open, &curtain.lock);
    pthread_mutex_unlock(&curtain.lock);
}

static void open_curtain(void)
{
    pthread_mutex_lock(&curtain.lock);
    curtain.is_open = 1;
    pthread_cond_broadcast(&curtain.open);
    pthread_mutex_unlock(&curtain.lock);
}

static void *actor_main(void *arg)
{
    struct actor *self = arg;

#ifndef FIXED
    self->inbox = inbox_new();                  /* bug: 2 */
#endif
    make_plan(self);
    await_curtain();
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < ACTORS; i++)
            if (i != self->number)
                send_to(&actors[i], self->number, (int)self->plan[round]);
    for (int i = 0; i < EXPECTED; i++) {
        struct message m = receive(self, i);

        self->sum += m.value - m.from;
    }
    return NULL;
}

int main(void)
{
    long sum = 0;

    for (int i = 0; i < ACTORS; i++) {
        actors[i].number = i;
#ifdef FIXED
        actors[i].inbox = inbox_new();
#endif
    }
    for (int i = 0; i < ACTORS; i++)
        if (pthread_create(&actors[i].thread, NULL, actor_main, &actors[i]) != 0)
            abort();
    open_curtain();
    for (int i = 0; i < ACTORS; i++) {
        pthread_join(actors[i].thread, NULL);
        sum += actors[i].sum;
    }
    for (int i = 0; i < ACTORS; i++)
        inbox_free(actors[i].inbox);
    printf("sum %ld\n", sum);
    return 0;
}
