/* Threads whose only contact is through the library: the order of two joins' results decides. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t turns;

static void *take(void *unused) {
    (void)unused;
    return sem_trywait(&turns) == 0 ? &turns : NULL;
}

int main(void) {
    pthread_t first, second;
    void *one, *two;
    sem_init(&turns, 0, 1);
    pthread_create(&first, NULL, take, NULL);
    pthread_create(&second, NULL, take, NULL);
    pthread_join(first, &one);
    pthread_join(second, &two);
    return one ? 0 : 4;
}
