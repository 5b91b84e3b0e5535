/*
 * Exercise 9.3: implement a future. A teaching assistant grades homework and
 * fulfils one future for each sheet; two students ask for their results.
 *
 * Bug: fulfil() sets `done` before it stores the result. It holds the lock
 * meanwhile, but future_get() looks at `done` without the lock first, to be
 * quick, and then returns a result that is not there yet.
 *
 * validate:
 *   kind: publication
 *   variable: sheets[].done, sheets[].result, sheets[].result.points
 *   threads: 4
 *   fails-by: exit code
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct result {
    int points;
    int grade;
};

struct future {
    pthread_mutex_t lock;
    pthread_cond_t fulfilled;
    atomic_bool done;
    struct result result;
};

#define SHEETS 4

static struct future sheets[SHEETS];
static const int solved[SHEETS] = { 17, 9, 14, 20 };

static void future_init(struct future *f)
{
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->fulfilled, NULL);
    atomic_init(&f->done, false);
}

static void fulfil(struct future *f, int points)
{
    pthread_mutex_lock(&f->lock);
#ifdef FIXED
    f->result.points = points;
    f->result.grade = 6 - points / 4;
    atomic_store(&f->done, true);
#else
    atomic_store(&f->done, true);           /* bug: 1 */
    f->result.points = points;              /* bug: 4 */
    f->result.grade = 6 - points / 4;
#endif
    pthread_cond_broadcast(&f->fulfilled);
    pthread_mutex_unlock(&f->lock);
}

static struct result future_get(struct future *f)
{
    if (!atomic_load(&f->done)) {           /* bug: 2 */
        pthread_mutex_lock(&f->lock);
        while (!atomic_load(&f->done))
            pthread_cond_wait(&f->fulfilled, &f->lock);
        pthread_mutex_unlock(&f->lock);
    }
    return f->result;                       /* bug: 3 */
}

static void *assistant(void *unused)
{
    for (int i = 0; i < SHEETS; i++)
        fulfil(&sheets[i], solved[i]);
    return unused;
}

static void *student(void *arg)
{
    int *sum = arg;

    for (int i = 0; i < SHEETS; i++)
        *sum += future_get(&sheets[i]).points;
    return NULL;
}

int main(void)
{
    pthread_t ta, s1, s2;
    int sum1 = 0, sum2 = 0;

    for (int i = 0; i < SHEETS; i++)
        future_init(&sheets[i]);
    pthread_create(&s1, NULL, student, &sum1);
    pthread_create(&s2, NULL, student, &sum2);
    pthread_create(&ta, NULL, assistant, NULL);
    pthread_join(ta, NULL);
    pthread_join(s1, NULL);
    pthread_join(s2, NULL);
    printf("%d and %d points\n", sum1, sum2);
    return sum1 == 60 && sum2 == 60 ? 0 : 1;
}
