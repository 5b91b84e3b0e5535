/*
 * session-cache: a tiny web server's session store with four slots.
 *
 * Request threads look up "their" session and count a page view.  A login
 * thread brings in new sessions and, when no slot is free, evicts one that
 * has expired.
 *
 * The bug: handle_request() finds the slot with the lock held, but counts the
 * view after a second lock without looking whether the slot still belongs to
 * the same user.  If the slot was recycled in between, the view lands in a
 * stranger's session.  Only the very last request of an expired session can
 * meet the eviction, so it is seldom seen.
 *
 * validate:
 *   kind: check-then-act
 *   variable: slots[].user, slots[].views
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define NSLOT 4
#define QUOTA 8         /* page views until a session expires */

struct session {
    int user;           /* 0 = free */
    int views;
};

static struct session slots[NSLOT] = { { 11, 0 }, { 12, 0 }, { 13, 7 }, { 14, 7 } };
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

static int find_slot(int user)
{
    for (int i = 0; i < NSLOT; i++)
        if (slots[i].user == user)                          /* bug: 1 */
            return i;
    return -1;
}

static int handle_request(int user)
{
    int s;

    pthread_mutex_lock(&slots_lock);
    s = find_slot(user);
    if (s < 0 || slots[s].views >= QUOTA) {                 /* bug: 2 */
        pthread_mutex_unlock(&slots_lock);
        return 0;
    }
#ifndef FIXED
    pthread_mutex_unlock(&slots_lock);
    /* ... render the page ... */
    pthread_mutex_lock(&slots_lock);
#endif
    slots[s].views++;                                       /* bug: 3, 6 */
    pthread_mutex_unlock(&slots_lock);
    return 1;
}

static int login(int user)
{
    int s = -1;

    pthread_mutex_lock(&slots_lock);
    for (int i = 0; i < NSLOT && s < 0; i++)
        if (slots[i].user == 0 || slots[i].views >= QUOTA)
            s = i;
    if (s >= 0) {
        slots[s].user = user;                               /* bug: 4 */
        slots[s].views = 0;                                 /* bug: 5 */
    }
    pthread_mutex_unlock(&slots_lock);
    return s >= 0;
}

static void *browser(void *arg)
{
    int *users = arg;

    /* two users behind the same proxy: three clicks each */
    for (int i = 0; i < 3; i++) {
        handle_request(users[0]);
        handle_request(users[1]);
    }
    return NULL;
}

static void *front_door(void *arg)
{
    int *ok = arg;

    for (int u = 21; u < 25; u++)
        *ok += login(u);
    return NULL;
}

int main(void)
{
    pthread_t b1, b2, d;
    int users1[2] = { 11, 13 }, users2[2] = { 12, 13 };
    int logins = 0;

    pthread_create(&b1, NULL, browser, users1);
    pthread_create(&b2, NULL, browser, users2);
    pthread_create(&d, NULL, front_door, &logins);
    pthread_join(b1, NULL);
    pthread_join(b2, NULL);
    pthread_join(d, NULL);

    for (int i = 0; i < NSLOT; i++)         /* the new ones never clicked */
        if (slots[i].user >= 21)
            assert(slots[i].views == 0);
    printf("%d logins\n", logins);
    return 0;
}
