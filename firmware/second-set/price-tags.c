/*
 * A shop keeps net and gross prices that must match. Displays read them under
 * a reader lock, the manager changes them under the writer lock.
 *
 * Bug: the discount thread changes the prices too, but takes only the reader
 * lock, so displays can read half a change.
 *
 * validate:
 *   kind: readers-writers
 *   variable: tag[].net, tag[].gross
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define GOODS 3

struct tag { int net, gross; };

static struct tag tag[GOODS] = { { 100, 120 }, { 200, 240 }, { 300, 360 } };
static pthread_rwlock_t tags_lock = PTHREAD_RWLOCK_INITIALIZER;

static pthread_mutex_t shown_lock = PTHREAD_MUTEX_INITIALIZER;
static int shown;

#ifdef FIXED
#define DISCOUNT_LOCK pthread_rwlock_wrlock
#else
#define DISCOUNT_LOCK pthread_rwlock_rdlock
#endif

static void *display(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2 * GOODS; i++) {
        pthread_rwlock_rdlock(&tags_lock);
        int net = tag[i % GOODS].net;           /* bug: 2 */
        int gross = tag[i % GOODS].gross;       /* bug: 3 */
        pthread_rwlock_unlock(&tags_lock);

        assert(gross == net + net / 5);

        pthread_mutex_lock(&shown_lock);
        shown++;
        pthread_mutex_unlock(&shown_lock);
    }
    return NULL;
}

static void *manager(void *arg)
{
    (void)arg;
    for (int i = 0; i < GOODS; i++) {
        pthread_rwlock_wrlock(&tags_lock);
        tag[i].net += 50;
        tag[i].gross += 60;
        pthread_rwlock_unlock(&tags_lock);
    }
    return NULL;
}

static void *discount(void *arg)
{
    int good = *(int *)arg;
    DISCOUNT_LOCK(&tags_lock);                  /* bug */
    tag[good].net -= 10;                        /* bug: 1 */
    tag[good].gross -= 12;                      /* bug: 4 */
    pthread_rwlock_unlock(&tags_lock);
    return NULL;
}

int main(void)
{
    pthread_t d1, d2, m, s;
    int good = 1;

    pthread_create(&d1, NULL, display, NULL);
    pthread_create(&d2, NULL, display, NULL);
    pthread_create(&m, NULL, manager, NULL);
    pthread_create(&s, NULL, discount, &good);
    pthread_join(d1, NULL);
    pthread_join(d2, NULL);
    pthread_join(m, NULL);
    pthread_join(s, NULL);
    printf("%d shown, last %d/%d\n", shown, tag[good].net, tag[good].gross);
    return 0;
}
