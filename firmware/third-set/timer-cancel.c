/*
 * Timers of a server. The timer thread takes timers that are due off the heap
 * and calls their functions, without the lock, since these may set timers of
 * their own. A connection that gets its answer in time cancels its timer and
 * ends.
 *
 * Bug: timer_cancel() returns although the timer thread has just taken the
 * timer off and is about to call it. The connection is freed, and then the
 * function runs on it.
 *
 * validate:
 *   kind: lifetime
 *   variable: conn->state, conn->expired
 *   threads: 4
 *   fails-by: abort
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CONNS 2
#define TICKS 10
#define NONE (-1)

enum state { DEAD = 0x0dead, WAITING = 0x11, EXPIRED = 0x22 };

struct conn {
    volatile enum state state;
    int number;
    int timer;
    int expired;
};

struct timer {
    int armed;
    int due;
    void (*fire)(void *);
    void *arg;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t idle;
    struct timer timers[CONNS];
    int now;
    int running;                /* the timer whose function is being called */
    int fired, cancelled;
} wheel = { .lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER, .running = NONE };

static void conn_expire(void *arg)
{
    struct conn *c = arg;

    if (c->state != WAITING) {                  /* bug: 4 */
        fprintf(stderr, "timer of a connection that is gone\n");
        abort();
    }
    c->state = EXPIRED;                         /* bug */
    c->expired++;                               /* bug */
}

static void timer_set(int id, int delay, void (*fire)(void *), void *arg)
{
    pthread_mutex_lock(&wheel.lock);
    wheel.timers[id] = (struct timer){ 1, wheel.now + delay, fire, arg };
    pthread_mutex_unlock(&wheel.lock);
}

static void timer_cancel(int id)
{
    pthread_mutex_lock(&wheel.lock);
#ifdef FIXED
    while (wheel.running == id)
        pthread_cond_wait(&wheel.idle, &wheel.lock);
#endif
    if (wheel.timers[id].armed) {               /* bug: 2 */
        wheel.timers[id].armed = 0;
        wheel.cancelled++;
    }
    pthread_mutex_unlock(&wheel.lock);
}

static void *timer_thread(void *arg)
{
    (void)arg;
    for (int tick = 0; tick < TICKS; tick++) {
        pthread_mutex_lock(&wheel.lock);
        wheel.now++;
        for (int i = 0; i < CONNS; i++) {
            struct timer due = wheel.timers[i];

            if (!due.armed || due.due > wheel.now)
                continue;
            wheel.timers[i].armed = 0;          /* bug: 1 */
            wheel.fired++;
            wheel.running = i;
            pthread_mutex_unlock(&wheel.lock);
            due.fire(due.arg);                  /* bug */
            pthread_mutex_lock(&wheel.lock);
            wheel.running = NONE;
            pthread_cond_broadcast(&wheel.idle);
        }
        pthread_mutex_unlock(&wheel.lock);
    }
    return NULL;
}

static void *connection(void *arg)
{
    struct conn *c = malloc(sizeof *c);
    unsigned answer = 17;

    if (!c)
        abort();
    c->state = WAITING;
    c->number = *(int *)arg;
    c->expired = 0;
    c->timer = c->number;
    timer_set(c->timer, c->number + 1, conn_expire, c);
    for (int i = 0; i < 25; i++)        /* the answer comes in */
        answer = answer * 31 + (unsigned)i;
    timer_cancel(c->timer);
    c->state = DEAD;                            /* bug: 3 */
    free(c);                                    /* bug */
    return answer ? NULL : arg;
}

int main(void)
{
    pthread_t conns[CONNS], ticker;
    int numbers[CONNS] = { 0, 1 };

    pthread_create(&ticker, NULL, timer_thread, NULL);
    for (int i = 0; i < CONNS; i++)
        pthread_create(&conns[i], NULL, connection, &numbers[i]);
    for (int i = 0; i < CONNS; i++)
        pthread_join(conns[i], NULL);
    pthread_join(ticker, NULL);
    printf("%d timers ended\n", wheel.fired + wheel.cancelled);
    return wheel.fired + wheel.cancelled == CONNS ? 0 : 1;
}
