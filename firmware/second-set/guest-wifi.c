/*
 * A cafe hands out wifi sessions from a small pool. Guests add traffic to
 * their session; the janitor takes back the sessions that are used up.
 *
 * Bug: find() gives up the lock before returning the session, so the janitor
 * can take the session back while a guest is still using it.
 *
 * validate:
 *   kind: lifetime
 *   variable: pool[], s->state
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define POOL 4
#define GUESTS 2

enum state { FREE, LIVE };

struct session {
	enum state state;
	int id;
	int bytes;
};

static struct session pool[POOL];
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static int rejected;
static pthread_mutex_t rejected_lock = PTHREAD_MUTEX_INITIALIZER;

/* caller holds pool_lock */
static struct session *find(int id)
{
	for (int i = 0; i < POOL; i++)
		if (pool[i].state == LIVE && pool[i].id == id)
			return &pool[i];
	return NULL;
}

static void take_back(struct session *s)
{
	s->id = -1;
	s->bytes = 0;
	s->state = FREE;		/* bug: 1 */
}

static int traffic(int id, int bytes)
{
	pthread_mutex_lock(&pool_lock);
	struct session *s = find(id);	/* bug */
#ifndef FIXED
	pthread_mutex_unlock(&pool_lock);
#endif
	if (s != NULL) {
		assert(s->state == LIVE);	/* bug: 2 */
		s->bytes += bytes;
	}
#ifdef FIXED
	pthread_mutex_unlock(&pool_lock);
#endif
	return s != NULL;
}

static void *guest(void *arg)
{
	int id = *(int *)arg;
	for (int i = 0; i < 6; i++)
		if (!traffic(id + i % 2, 10)) {
			pthread_mutex_lock(&rejected_lock);
			rejected++;
			pthread_mutex_unlock(&rejected_lock);
		}
	return NULL;
}

static void *janitor(void *arg)
{
	(void)arg;
	for (int i = 0; i < POOL; i++) {
		pthread_mutex_lock(&pool_lock);
		if (pool[i].state == LIVE && pool[i].bytes >= 20)
			take_back(&pool[i]);
		pthread_mutex_unlock(&pool_lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t g[GUESTS], j;
	int id[GUESTS] = { 70, 71 };

	for (int i = 0; i < POOL; i++) {
		pool[i].state = LIVE;
		pool[i].id = 70 + i;
	}
	for (int i = 0; i < GUESTS; i++)
		pthread_create(&g[i], NULL, guest, &id[i]);
	pthread_create(&j, NULL, janitor, NULL);
	for (int i = 0; i < GUESTS; i++)
		pthread_join(g[i], NULL);
	pthread_join(j, NULL);
	printf("%d packets rejected\n", rejected);
	return 0;
}
