/* A member that has only two values is kept in a byte that says which. */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int ready;
    int pressure;
    atomic_int samples;
} board;

static void *station(void *unused) {
    atomic_store(&board.ready, 1);
    for (int i = 0; i < 8; i++) atomic_fetch_add(&board.samples, i);
    board.pressure = 1013;
    return unused;
}

static void *passer_by(void *unused) {
    return atomic_load(&board.ready) && board.pressure < 900 ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    void *wrong;
    pthread_create(&threads[0], NULL, station, NULL);
    pthread_create(&threads[1], NULL, passer_by, &board);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], &wrong);
    return wrong != NULL;
}
