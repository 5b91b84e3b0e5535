/*
 * A blood bank keeps units of four blood types. Nurses bring donations,
 * hospitals fetch units. Each side also keeps its own statistics.
 *
 * Bug: donations and deliveries are protected by two different mutexes,
 * so the stock itself is not protected between them.
 *
 * validate:
 *   kind: lost-update
 *   variable: bank.units[]
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>

enum { TYPE_O, TYPE_A, TYPE_B, TYPE_AB, TYPES };

struct bank {
	int units[TYPES];
	pthread_mutex_t in_lock;
	int donations;
	pthread_mutex_t out_lock;
	int deliveries;
};

static struct bank bank = {
	.units = { 40, 40, 40, 40 },
	.in_lock = PTHREAD_MUTEX_INITIALIZER,
	.out_lock = PTHREAD_MUTEX_INITIALIZER,
};

#ifdef FIXED
static pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK_UNITS()   pthread_mutex_lock(&units_lock)
#define UNLOCK_UNITS() pthread_mutex_unlock(&units_lock)
#else
#define LOCK_UNITS()
#define UNLOCK_UNITS()
#endif

static void donate(int type, int n)
{
	pthread_mutex_lock(&bank.in_lock);
	LOCK_UNITS();
	int have = bank.units[type];	/* bug: 1 */
	bank.units[type] = have + n;	/* bug: 3 */
	UNLOCK_UNITS();
	bank.donations += n;
	pthread_mutex_unlock(&bank.in_lock);
}

static void deliver(int type, int n)
{
	pthread_mutex_lock(&bank.out_lock);
	LOCK_UNITS();
	bank.units[type] -= n;		/* bug: 2 */
	UNLOCK_UNITS();
	bank.deliveries += n;
	pthread_mutex_unlock(&bank.out_lock);
}

static void *nurse(void *arg)
{
	int type = *(int *)arg;
	for (int i = 0; i < 6; i++)
		donate((type + i) % TYPES, 1 + i % 2);
	return 0;
}

static void *hospital(void *arg)
{
	int type = *(int *)arg;
	for (int i = 0; i < 6; i++)
		deliver((type + 3 * i) % TYPES, 2);
	return 0;
}

int main(void)
{
	pthread_t n1, n2, h1, h2;
	int types[4] = { TYPE_O, TYPE_B, TYPE_A, TYPE_AB };
	int sum = 0;

	pthread_create(&n1, 0, nurse, &types[0]);
	pthread_create(&h1, 0, hospital, &types[2]);
	pthread_create(&n2, 0, nurse, &types[1]);
	pthread_create(&h2, 0, hospital, &types[3]);
	pthread_join(n1, 0);
	pthread_join(n2, 0);
	pthread_join(h1, 0);
	pthread_join(h2, 0);

	for (int t = 0; t < TYPES; t++)
		sum += bank.units[t];
	assert(bank.donations == 18 && bank.deliveries == 24);
	assert(sum == 160 + bank.donations - bank.deliveries);
	return 0;
}
