/*
 * A database with group commit: committers append a record to the log and wait until
 * the flusher has it on disk; the flusher publishes how far it has come and wakes them.
 *
 * Bug: the flusher publishes and broadcasts without the lock, so that the wakeup can
 * fall between a committer's test and its wait.
 *
 * validate:
 *   kind: missed-signal
 *   variable: wal->flushed, wal->durable
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define COMMITTERS 2
#define TXNS 3

struct record {
	struct record *next;
	unsigned long lsn;
	int value;
};

struct wal {
	pthread_mutex_t lock;           /* the list of records */
	pthread_cond_t work;
	struct record *head, **tail;
	unsigned long last_lsn;
	bool closing;

	pthread_mutex_t flush_lock;
	pthread_cond_t durable;
	atomic_ulong flushed;

	long disk_sum;                  /* only the flusher */
	int batches;
};

struct committer {
	struct wal *wal;
	int id;
	long sum;
	unsigned long last;
	pthread_t tid;
};

static struct wal *wal_open(void)
{
	struct wal *w = calloc(1, sizeof *w);

	assert(w);
	pthread_mutex_init(&w->lock, NULL);
	pthread_mutex_init(&w->flush_lock, NULL);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->durable, NULL);
	atomic_init(&w->flushed, 0);
	w->tail = &w->head;
	return w;
}

static unsigned long wal_append(struct wal *wal, int value)
{
	struct record *r = malloc(sizeof *r);
	unsigned long lsn;

	assert(r);
	r->value = value;
	r->next = NULL;
	pthread_mutex_lock(&wal->lock);
	lsn = r->lsn = ++wal->last_lsn;
	*wal->tail = r;
	wal->tail = &r->next;
	pthread_cond_signal(&wal->work);
	pthread_mutex_unlock(&wal->lock);
	return lsn;
}

static void wal_wait(struct wal *wal, unsigned long lsn)
{
	pthread_mutex_lock(&wal->flush_lock);
	while (atomic_load(&wal->flushed) < lsn)                        /* bug: 1 */
		pthread_cond_wait(&wal->durable, &wal->flush_lock);     /* bug: 4 */
	pthread_mutex_unlock(&wal->flush_lock);
}

static void publish(struct wal *wal, unsigned long lsn)
{
#ifdef FIXED
	pthread_mutex_lock(&wal->flush_lock);
#endif
	atomic_store(&wal->flushed, lsn);                               /* bug: 2 */
	pthread_cond_broadcast(&wal->durable);                          /* bug: 3 */
#ifdef FIXED
	pthread_mutex_unlock(&wal->flush_lock);
#endif
}

static void *flusher(void *arg)
{
	struct wal *wal = arg;

	for (;;) {
		struct record *batch;
		unsigned long last = 0;

		pthread_mutex_lock(&wal->lock);
		while (!wal->head && !wal->closing)
			pthread_cond_wait(&wal->work, &wal->lock);
		batch = wal->head;
		wal->head = NULL;
		wal->tail = &wal->head;
		pthread_mutex_unlock(&wal->lock);
		if (!batch)
			return NULL;

		while (batch) {
			struct record *r = batch;
			batch = r->next;
			assert(r->lsn > last);
			last = r->lsn;
			wal->disk_sum += r->value;
			free(r);
		}
		wal->batches++;
		publish(wal, last);
	}
}

static void *committer_main(void *arg)
{
	struct committer *c = arg;

	for (int i = 0; i < TXNS; i++) {
		int value = c->id * 100 + i;
		unsigned long lsn = wal_append(c->wal, value);

		assert(lsn > c->last);
		c->last = lsn;
		c->sum += value;
		wal_wait(c->wal, lsn);
	}
	return NULL;
}

int main(void)
{
	static struct committer cs[COMMITTERS];
	struct wal *wal = wal_open();
	pthread_t fl;
	long sum = 0;

	pthread_create(&fl, NULL, flusher, wal);
	for (int i = 0; i < COMMITTERS; i++) {
		cs[i].wal = wal;
		cs[i].id = i + 1;
		pthread_create(&cs[i].tid, NULL, committer_main, &cs[i]);
	}
	for (int i = 0; i < COMMITTERS; i++) {
		pthread_join(cs[i].tid, NULL);
		sum += cs[i].sum;
	}
	pthread_mutex_lock(&wal->lock);
	wal->closing = true;
	pthread_cond_signal(&wal->work);
	pthread_mutex_unlock(&wal->lock);
	pthread_join(fl, NULL);

	assert(wal->disk_sum == sum);
	assert(atomic_load(&wal->flushed) == COMMITTERS * TXNS);
	assert(wal->batches >= 1 && wal->batches <= COMMITTERS * TXNS);
	free(wal);
	return 0;
}
