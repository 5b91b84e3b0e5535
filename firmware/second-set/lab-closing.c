/*
 * Lab assistants weigh samples and enter them in the lab book. Main waits
 * for all samples, then closes the lab and waits for the assistants to leave.
 *
 * Bug: main keeps the lab book locked while it joins the assistants, who need
 * that lock once more to sign out.
 *
 * validate:
 *   kind: deadlock
 *   variable: lab.lock
 *   threads: 3
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ASSISTANTS 2
#define SAMPLES 4

typedef struct lab {
    pthread_mutex_t lock;
    pthread_cond_t all_in;
    int entries;
    int grams;
    int closed;
    int left;
} lab_t;

static lab_t lab = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .all_in = PTHREAD_COND_INITIALIZER,
};

static pthread_mutex_t scale = PTHREAD_MUTEX_INITIALIZER;
static int weighed;

static int weigh(int sample)
{
    int g;
    pthread_mutex_lock(&scale);
    weighed++;
    g = sample * 3 % 11 + 1;
    pthread_mutex_unlock(&scale);
    return g;
}

static void enter(int grams)
{
    pthread_mutex_lock(&lab.lock);
    lab.entries++;
    lab.grams += grams;
    if (lab.entries == ASSISTANTS * SAMPLES)
        pthread_cond_signal(&lab.all_in);
    pthread_mutex_unlock(&lab.lock);
}

static void sign_out(void)
{
    pthread_mutex_lock(&lab.lock);      /* bug: 2 */
    lab.left++;
    pthread_mutex_unlock(&lab.lock);
}

static void wait_for_samples(void)
{
    pthread_mutex_lock(&lab.lock);
    while (lab.entries < ASSISTANTS * SAMPLES)
        pthread_cond_wait(&lab.all_in, &lab.lock);
    pthread_mutex_unlock(&lab.lock);
}

static void *assistant(void *arg)
{
    int first = *(int *)arg;
    for (int s = first; s < first + SAMPLES; s++)
        enter(weigh(s));
    sign_out();
    return NULL;
}

static void close_lab(pthread_t who[], int n)
{
    pthread_mutex_lock(&lab.lock);      /* bug: 1 */
    lab.closed = 1;
#ifdef FIXED
    pthread_mutex_unlock(&lab.lock);
#endif
    for (int i = 0; i < n; i++)
        pthread_join(who[i], NULL);     /* bug: 3 */
#ifdef FIXED
    pthread_mutex_lock(&lab.lock);
#endif
    printf("%d samples, %d grams\n", lab.entries, lab.grams);
    pthread_mutex_unlock(&lab.lock);
}

int main(void)
{
    pthread_t t[ASSISTANTS];
    int first[ASSISTANTS] = { 10, 20 };

    for (int i = 0; i < ASSISTANTS; i++)
        pthread_create(&t[i], NULL, assistant, &first[i]);
    wait_for_samples();
    close_lab(t, ASSISTANTS);
    assert(lab.closed && lab.left == ASSISTANTS && lab.entries == weighed);
    return 0;
}
