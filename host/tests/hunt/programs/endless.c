/* Two threads that never end. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns;

static void *turn(void *unused) {
    for (;;) turns++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, turn, NULL);
    turn(NULL);
    return 0;
}
