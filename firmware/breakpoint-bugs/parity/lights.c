/* Lights that two people switch: a race of which two undo each other.
 *
 * A switch reads the light and writes the opposite. If both do it at a time, one of the two is lost, and the light is wrong; if that
 * happens twice, it is right again. So a breakpoint must stop after its first hit. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { PEOPLE = 2, SWITCHES = 8 };

static struct {
    pthread_mutex_t lock;
    int light;
} hall = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned work(unsigned seed) {
    for (unsigned i = 0; i < 150 + 50 * (seed % 4); i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static __attribute__((noinline)) void toggle(void) {
#ifdef FIXED
    pthread_mutex_lock(&hall.lock);
#endif
    int light = hall.light; /* bug: 1, 2 */
    hall.light = !light; /* bug: 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&hall.lock);
#endif
}

static void *person(void *argument) {
    unsigned sum = (unsigned)(long)argument;
    for (int i = 0; i < SWITCHES; i++) {
        sum ^= work(sum + (unsigned)i);
        toggle();
    }
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t people[PEOPLE];
    for (long i = 0; i < PEOPLE; i++) pthread_create(&people[i], NULL, person, (void *)i);
    for (int i = 0; i < PEOPLE; i++) pthread_join(people[i], NULL);
    assert(hall.light == PEOPLE * SWITCHES % 2);
    printf("the light is %s\n", hall.light ? "on" : "off");
    return 0;
}
