/*
 * A server's timer thread runs due timers and arms the periodic ones again; the
 * connections make timers and cancel them when they close.
 *
 * Bug: cancelling a timer frees it even while the timer thread runs its callback
 * and is going to look at it again.
 *
 * validate:
 *   kind: lifetime
 *   variable: t->serial
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define CONNS 3
#define REQS 4

typedef void (*timer_cb)(void *arg);

struct timer {
	struct timer *next, **pprev;    /* pprev is NULL when not armed */
	timer_cb cb;
	void *arg;
	bool periodic;
	bool running;
	bool cancelled;
	volatile unsigned serial;        /* 0: dead */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t armed;
	struct timer *list;
	bool stop;
	int fired;
	unsigned last_serial;
} loop = { .lock = PTHREAD_MUTEX_INITIALIZER, .armed = PTHREAD_COND_INITIALIZER };

struct conn {
	int id;
	pthread_mutex_t lock;
	int keepalives;
	int requests;
	pthread_t tid;
};

static void link_timer(struct timer *t)
{
	t->next = loop.list;
	if (t->next)
		t->next->pprev = &t->next;
	loop.list = t;
	t->pprev = &loop.list;
	pthread_cond_signal(&loop.armed);
}

static void unlink_timer(struct timer *t)
{
	*t->pprev = t->next;
	if (t->next)
		t->next->pprev = t->pprev;
	t->pprev = NULL;
}

static void timer_destroy(struct timer *t)
{
	t->serial = 0;
	free(t);                                        /* bug: 1 */
}

static struct timer *timer_start(timer_cb cb, void *arg, bool periodic)
{
	struct timer *t = calloc(1, sizeof *t);

	assert(t);
	t->cb = cb;
	t->arg = arg;
	t->periodic = periodic;
	pthread_mutex_lock(&loop.lock);
	t->serial = ++loop.last_serial;
	link_timer(t);
	pthread_mutex_unlock(&loop.lock);
	return t;
}

static void timer_cancel(struct timer *t)
{
	pthread_mutex_lock(&loop.lock);
	if (t->pprev)
		unlink_timer(t);
#ifdef FIXED
	if (t->running)
		t->cancelled = true;            /* the loop frees it */
	else
		timer_destroy(t);
#else
	timer_destroy(t);                               /* bug */
#endif
	pthread_mutex_unlock(&loop.lock);
}

static void run_one(struct timer *t)
{
	unsigned serial = t->serial;
	timer_cb cb = t->cb;
	void *arg = t->arg;

	unlink_timer(t);
	t->running = true;
	loop.fired++;
	pthread_mutex_unlock(&loop.lock);

	cb(arg);

	pthread_mutex_lock(&loop.lock);
	assert(t->serial == serial);                    /* bug: 2 */
	t->running = false;
	if (t->cancelled)
		timer_destroy(t);
	else if (t->periodic)
		link_timer(t);
}

static void *loop_main(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&loop.lock);
	for (int budget = 40; budget > 0; budget--) {
		while (!loop.list && !loop.stop)
			pthread_cond_wait(&loop.armed, &loop.lock);
		if (loop.stop)
			break;
		run_one(loop.list);
	}
	pthread_mutex_unlock(&loop.lock);
	return NULL;
}

static void send_keepalive(void *arg)
{
	struct conn *c = arg;

	pthread_mutex_lock(&c->lock);
	c->keepalives++;
	pthread_mutex_unlock(&c->lock);
}

static void *conn_main(void *arg)
{
	struct conn *c = arg;
	struct timer *keep;

	for (int i = 0; i < REQS; i++) {
		keep = timer_start(send_keepalive, c, (i & 1) == 0);
		pthread_mutex_lock(&c->lock);
		c->requests++;
		pthread_mutex_unlock(&c->lock);
		timer_cancel(keep);
	}
	return NULL;
}

int main(void)
{
	static struct conn conns[CONNS];
	pthread_t tl;
	int sum = 0;

	pthread_create(&tl, NULL, loop_main, NULL);
	for (int i = 0; i < CONNS; i++) {
		conns[i].id = i;
		pthread_mutex_init(&conns[i].lock, NULL);
	}
	for (int i = 0; i < CONNS - 1; i++)
		pthread_create(&conns[i].tid, NULL, conn_main, &conns[i]);
	conn_main(&conns[CONNS - 1]);
	for (int i = 0; i < CONNS - 1; i++)
		pthread_join(conns[i].tid, NULL);

	pthread_mutex_lock(&loop.lock);
	loop.stop = true;
	pthread_cond_signal(&loop.armed);
	pthread_mutex_unlock(&loop.lock);
	pthread_join(tl, NULL);

	for (int i = 0; i < CONNS; i++) {
		assert(conns[i].requests == REQS);
		sum += conns[i].keepalives;
	}
	assert(sum == loop.fired);
	assert(loop.list == NULL);
	return 0;
}
