/*
 * The buffer pool of a database: sessions charge and release page memory against a
 * common budget. The budget is computed outside of the lock and committed when the
 * sequence tag shows that nobody else has committed in between.
 *
 * Bug: the tag is a field of three bits, so that eight commits of others in between
 * look like none, and their changes of the budget are written over.
 *
 * validate:
 *   kind: lost-update
 *   variable: pool->used, pool->seq
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SESSIONS 3
#define STATEMENTS 6
#define PAGE 8

struct page {
	struct page *next;
	int size;
	int owner;
};

struct pool {
	pthread_mutex_t lock;
	long used;
	long limit;
#ifdef FIXED
	unsigned long seq;
#else
	unsigned seq : 3;
	unsigned dirty : 1;
#endif
	pthread_mutex_t free_lock;
	struct page *free_list;
	int nfree;
	int retries;
};

struct session {
	struct pool *pool;
	int id;
	struct page *pinned;
	int npinned;
	long bytes;
	pthread_t tid;
};

static struct page *page_alloc(struct pool *p, int owner, int size)
{
	struct page *pg;

	pthread_mutex_lock(&p->free_lock);
	pg = p->free_list;
	if (pg) {
		p->free_list = pg->next;
		p->nfree--;
	}
	pthread_mutex_unlock(&p->free_lock);
	if (!pg)
		pg = malloc(sizeof *pg);
	assert(pg);
	pg->owner = owner;
	pg->size = size;
	pg->next = NULL;
	return pg;
}

static void page_free(struct pool *p, struct page *pg)
{
	pthread_mutex_lock(&p->free_lock);
	pg->next = p->free_list;
	p->free_list = pg;
	p->nfree++;
	pthread_mutex_unlock(&p->free_lock);
}

/* The price of a page with its share of the directory, always the same for a size. */
static long cost_of(long delta)
{
	long n = delta < 0 ? -delta : delta;
	long dir = (n + PAGE - 1) / PAGE;

	return delta < 0 ? -(n + dir) : n + dir;
}

static int pool_charge(struct pool *p, long delta)
{
	for (;;) {
		long now, want;
		unsigned long tag;

		pthread_mutex_lock(&p->lock);
		now = p->used;                          /* bug: 1 */
		tag = p->seq;
		pthread_mutex_unlock(&p->lock);

		want = now + cost_of(delta);
		if (want > p->limit)
			return -1;

		pthread_mutex_lock(&p->lock);
		if (p->seq == tag) {                    /* bug */
			p->used = want;                 /* bug: 2, 3 */
			p->seq++;
			pthread_mutex_unlock(&p->lock);
			return 0;
		}
		p->retries++;
		pthread_mutex_unlock(&p->lock);
	}
}

static void statement(struct session *s, int k)
{
	int size = PAGE * (1 + (s->id + k) % 4);
	struct page *pg;

	if (pool_charge(s->pool, size) != 0)
		return;
	pg = page_alloc(s->pool, s->id, size);
	pg->next = s->pinned;
	s->pinned = pg;
	s->npinned++;
	s->bytes += size;

	if (k % 2) {
		pg = s->pinned;
		s->pinned = pg->next;
		s->npinned--;
		assert(pg->owner == s->id);
		size = pg->size;
		page_free(s->pool, pg);
		pool_charge(s->pool, -size);
	}
}

static void *session_main(void *arg)
{
	struct session *s = arg;

	for (int k = 0; k < STATEMENTS; k++)
		statement(s, k);
	return NULL;
}

int main(void)
{
	struct pool *p = calloc(1, sizeof *p);
	struct session *ss = calloc(SESSIONS, sizeof *ss);
	long expect = 0;

	assert(p && ss);
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_init(&p->free_lock, NULL);
	p->limit = 10000;
	for (int i = 0; i < SESSIONS; i++) {
		ss[i].pool = p;
		ss[i].id = i;
		pthread_create(&ss[i].tid, NULL, session_main, &ss[i]);
	}
	for (int i = 0; i < SESSIONS; i++)
		pthread_join(ss[i].tid, NULL);

	for (int i = 0; i < SESSIONS; i++) {
		while (ss[i].pinned) {
			struct page *pg = ss[i].pinned;
			ss[i].pinned = pg->next;
			expect += cost_of(pg->size);
			free(pg);
		}
	}
	while (p->free_list) {
		struct page *pg = p->free_list;
		p->free_list = pg->next;
		free(pg);
	}
	if (p->used != expect)
		fprintf(stderr, "pool: used %ld, pinned %ld\n", p->used, expect);
	assert(p->used == expect);
	free(ss);
	free(p);
	return 0;
}
