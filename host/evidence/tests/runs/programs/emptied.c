/* A journal that is freed and forgotten while a writer still signs off in it. */
#include <pthread.h>
#include <stdlib.h>

struct journal { int used; };
static struct journal *volatile journal;
static volatile int rounds;

static void *writer(void *arg) {
    (void)arg;
    journal->used++;
    rounds = 1;
    journal->used++; /* @use */
    return 0;
}

int main(void) {
    pthread_t thread;
    journal = calloc(1, sizeof *journal);
    pthread_create(&thread, 0, writer, 0);
    while (!rounds)
        ;
    free(journal); /* @free */
    journal = 0; /* @empty */
    pthread_join(thread, 0);
    return 0;
}
