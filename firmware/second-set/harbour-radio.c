/*
 * Ships call the harbour by radio one after the other and wait for the
 * answer; the harbour master answers calls until both ships are done.
 *
 * Bug: the ship forgets the old answer only after it has made the new call;
 * a quick answer is forgotten with it, and the ship waits for ever.
 *
 * validate:
 *   kind: missed-signal
 *   variable: radio.answered
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define SHIPS 2
#define CALLS 1

static struct {
	pthread_mutex_t m;
	pthread_cond_t called, reply;
	int calling;		/* a call waits for the master */
	int answered;
	int berth;
} radio = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
	PTHREAD_COND_INITIALIZER, 0, 0, 0
};

/* held by a ship during a whole conversation */
static pthread_mutex_t channel = PTHREAD_MUTEX_INITIALIZER;
static int berths_used;

static pthread_mutex_t plan_lock = PTHREAD_MUTEX_INITIALIZER;
static int plan[2];

static int choose_berth(int n)
{
	pthread_mutex_lock(&plan_lock);
	for (int i = 0; i < 2; i++)
		plan[i] += (i + n) % 3;
	pthread_mutex_unlock(&plan_lock);
	return n;
}

static void make_call(void)
{
	pthread_mutex_lock(&radio.m);
#ifdef FIXED
	radio.answered = 0;
#endif
	radio.calling = 1;			/* bug: 1 */
	pthread_cond_signal(&radio.called);
	pthread_mutex_unlock(&radio.m);
}

static int await_answer(void)
{
	int b;
	pthread_mutex_lock(&radio.m);
#ifndef FIXED
	radio.answered = 0;			/* bug: 3 */
#endif
	while (!radio.answered)
		pthread_cond_wait(&radio.reply, &radio.m);	/* bug: 4 */
	b = radio.berth;
	pthread_mutex_unlock(&radio.m);
	return b;
}

static void *ship(void *arg)
{
	int *sum = arg;
	for (int i = 0; i < CALLS; i++) {
		pthread_mutex_lock(&channel);
		make_call();
		*sum += await_answer();
		berths_used++;
		pthread_mutex_unlock(&channel);
	}
	return NULL;
}

static void *master(void *arg)
{
	(void)arg;
	for (int n = 1; n <= SHIPS * CALLS; n++) {
		pthread_mutex_lock(&radio.m);
		while (!radio.calling)
			pthread_cond_wait(&radio.called, &radio.m);
		radio.calling = 0;
		pthread_mutex_unlock(&radio.m);

		int b = choose_berth(n);

		pthread_mutex_lock(&radio.m);
		radio.berth = b;
		radio.answered = 1;		/* bug: 2 */
		pthread_cond_signal(&radio.reply);
		pthread_mutex_unlock(&radio.m);
	}
	return NULL;
}

int main(void)
{
	pthread_t s[SHIPS], h;
	int sum[SHIPS] = { 0, 0 };

	pthread_create(&h, NULL, master, NULL);
	for (int i = 0; i < SHIPS; i++)
		pthread_create(&s[i], NULL, ship, &sum[i]);
	for (int i = 0; i < SHIPS; i++)
		pthread_join(s[i], NULL);
	pthread_join(h, NULL);
	printf("%d berths\n", berths_used);
	return sum[0] + sum[1] == 3 ? 0 : 1;
}
