/*
 * Three stage hands rehearse a play. Each works with two of the three desks
 * (light, sound, curtain) for the one big scene change.
 *
 * Bug: light->sound, sound->curtain, curtain->light: if all three hold their
 * first desk they wait in a circle.
 *
 * validate:
 *   kind: deadlock
 *   variable: light.lock, sound.lock, curtain.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define REHEARSALS 20

struct desk {
    pthread_mutex_t lock;
    int cues;
};

static struct desk light   = { PTHREAD_MUTEX_INITIALIZER, 0 };
static struct desk sound   = { PTHREAD_MUTEX_INITIALIZER, 0 };
static struct desk curtain = { PTHREAD_MUTEX_INITIALIZER, 0 };

static pthread_mutex_t applause_lock = PTHREAD_MUTEX_INITIALIZER;
static int applause;

static void clap(void)
{
    pthread_mutex_lock(&applause_lock);
    applause++;
    pthread_mutex_unlock(&applause_lock);
}

static void cue(struct desk *d)
{
    pthread_mutex_lock(&d->lock);
    d->cues++;
    pthread_mutex_unlock(&d->lock);
}

static void rehearse(struct desk *d, int times)
{
    for (int i = 0; i < times; i++) {
        cue(d);
        clap();
    }
}

static void *electrician(void *arg)
{
    (void)arg;
    rehearse(&light, 1);
    pthread_mutex_lock(&light.lock);            /* bug: 1 */
    pthread_mutex_lock(&sound.lock);            /* bug: 4 */
    light.cues++;
    sound.cues++;
    pthread_mutex_unlock(&sound.lock);
    pthread_mutex_unlock(&light.lock);
    rehearse(&light, REHEARSALS - 1);
    return NULL;
}

static void *musician(void *arg)
{
    (void)arg;
    rehearse(&sound, 10);
    pthread_mutex_lock(&sound.lock);            /* bug: 2 */
    pthread_mutex_lock(&curtain.lock);          /* bug: 5 */
    sound.cues++;
    curtain.cues++;
    pthread_mutex_unlock(&curtain.lock);
    pthread_mutex_unlock(&sound.lock);
    rehearse(&sound, REHEARSALS - 10);
    return NULL;
}

static void *rigger(void *arg)
{
    (void)arg;
    rehearse(&curtain, 19);
#ifdef FIXED
    pthread_mutex_lock(&light.lock);
    pthread_mutex_lock(&curtain.lock);
#else
    pthread_mutex_lock(&curtain.lock);          /* bug: 3 */
    pthread_mutex_lock(&light.lock);            /* bug: 6 */
#endif
    curtain.cues++;
    light.cues++;
    pthread_mutex_unlock(&light.lock);
    pthread_mutex_unlock(&curtain.lock);
    rehearse(&curtain, REHEARSALS - 19);
    return NULL;
}

int main(void)
{
    pthread_t e, m, r;
    pthread_create(&e, NULL, electrician, NULL);
    pthread_create(&m, NULL, musician, NULL);
    pthread_create(&r, NULL, rigger, NULL);
    pthread_join(e, NULL);
    pthread_join(m, NULL);
    pthread_join(r, NULL);
    assert(applause == 3 * REHEARSALS);
    assert(light.cues + sound.cues + curtain.cues == 3 * REHEARSALS + 6);
    printf("%d cues\n", light.cues + sound.cues + curtain.cues);
    return 0;
}
