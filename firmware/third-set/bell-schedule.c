/*
 * The school's bell schedule is made when it is first asked for, with the
 * double-checked lock everybody has read about.
 *
 * Bug: the new schedule is published as soon as it is allocated and filled in
 * afterwards. Whoever takes the path without the lock finds lessons that start
 * at midnight.
 *
 * validate:
 *   kind: publication
 *   variable: instance, instance->start[]
 *   threads: 4
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define LESSONS 6
#define CLASSES 3

struct schedule {
    int lessons;
    int start[LESSONS + 1];     /* minutes after midnight, from lesson 1 */
};

static struct schedule *_Atomic instance;
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *bells[LESSONS] = { "8:00", "8:50", "9:55", "10:45", "11:45", "12:35" };

static int minutes(const char *clock)
{
    int part = 0, hours = 0;

    for (; *clock != '\0'; clock++) {
        if (*clock == ':') {
            hours = part;
            part = 0;
        } else {
            part = part * 10 + (*clock - '0');
        }
    }
    return hours * 60 + part;
}

static struct schedule *get_schedule(void)
{
    struct schedule *s = atomic_load(&instance);    /* bug: 2 */

    if (s != NULL)
        return s;
    pthread_mutex_lock(&make_lock);
    s = atomic_load(&instance);
    if (s == NULL) {
        s = calloc(1, sizeof *s);
        if (s == NULL)
            abort();
#ifndef FIXED
        atomic_store(&instance, s);                 /* bug: 1 */
#endif
        s->lessons = LESSONS;
        for (int i = 1; i <= LESSONS; i++)
            s->start[i] = minutes(bells[i - 1]);    /* bug: 4 */
#ifdef FIXED
        atomic_store(&instance, s);
#endif
    }
    pthread_mutex_unlock(&make_lock);
    return s;
}

static pthread_barrier_t morning;
static int late[CLASSES];

static int walk(int meters)
{
    volatile int steps = 0;

    while (meters-- > 0)
        steps++;
    return steps;
}

static void *class_of(void *arg)
{
    int *my_late = arg;
    int home = (int)(my_late - late);

    pthread_barrier_wait(&morning);
    for (int lesson = LESSONS - home; lesson > 0; lesson -= 2) {
        walk(8 * home);

        struct schedule *s = get_schedule();
        if (s->start[lesson] < 480)                 /* bug: 3 */
            ++*my_late;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[CLASSES];
    int total = 0;

    pthread_barrier_init(&morning, NULL, CLASSES);
    for (int i = 0; i < CLASSES; i++)
        pthread_create(&t[i], NULL, class_of, &late[i]);
    for (int i = 0; i < CLASSES; i++) {
        pthread_join(t[i], NULL);
        total += late[i];
    }
    printf("%d lessons at night\n", total);
    free(instance);
    return total == 0 ? 0 : 1;
}
