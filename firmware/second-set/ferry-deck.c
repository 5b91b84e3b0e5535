/*
 * Two ramps load cars onto a ferry. A car that finds itself one too many
 * drives back off. The harbour inspector counts the deck once.
 *
 * Bug: looking for room and driving on are separate steps; if both ramps fill
 * the last place, the deck is too full until one backs out, and the inspector
 * may look just then.
 *
 * validate:
 *   kind: check-then-act
 *   variable: deck.cars
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define PLACES 9
#define QUEUE  6

static struct {
    atomic_int cars;
    pthread_mutex_t lock;
} deck = { 0, PTHREAD_MUTEX_INITIALIZER };

static pthread_mutex_t forms_lock = PTHREAD_MUTEX_INITIALIZER;
static int forms[3], turned_away;

static void fill_form(int which)
{
    pthread_mutex_lock(&forms_lock);
    forms[which]++;
    pthread_mutex_unlock(&forms_lock);
}

static bool drive_on(void)
{
    bool stays = false;
#ifdef FIXED
    pthread_mutex_lock(&deck.lock);
#endif
    if (atomic_load(&deck.cars) < PLACES) {             /* bug: 1 */
        int n = atomic_fetch_add(&deck.cars, 1) + 1;    /* bug: 2, 3 */
        if (n > PLACES)
            atomic_fetch_sub(&deck.cars, 1);            /* bug */
        else
            stays = true;
    }
#ifdef FIXED
    pthread_mutex_unlock(&deck.lock);
#endif
    return stays;
}

static void *ramp(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < QUEUE; i++) {
        fill_form(id);
        if (!drive_on()) {
            pthread_mutex_lock(&forms_lock);
            turned_away++;
            pthread_mutex_unlock(&forms_lock);
        }
    }
    return NULL;
}

static void *inspector(void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++)
        fill_form(2);
    int seen = atomic_load(&deck.cars);                 /* bug: 4 */
    assert(seen <= PLACES);
    return NULL;
}

int main(void)
{
    pthread_t r[2], insp;
    int id[2] = { 0, 1 };

    pthread_create(&r[0], NULL, ramp, &id[0]);
    pthread_create(&r[1], NULL, ramp, &id[1]);
    pthread_create(&insp, NULL, inspector, NULL);
    pthread_join(r[0], NULL);
    pthread_join(r[1], NULL);
    pthread_join(insp, NULL);
    printf("%d on board, %d turned away\n", deck.cars, turned_away);
    return deck.cars + turned_away == 2 * QUEUE ? 0 : 1;
}
