/* Three threads, or two if there is an argument, write and read the same lines as fast as they can: many
 * edges. */
#include <pthread.h>
#include <stdio.h>

#define TURNS 200

static volatile int words[32];

static void *hammer(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; i < TURNS; i++) {
        words[(i * 8) % 32] += self;
        words[(i * 8 + self) % 32] = i;
    }
    return NULL;
}

int main(int count, char **arguments) {
    pthread_t threads[2];
    int others = count > 1 ? 1 : 2;
    (void)arguments;
    for (long i = 0; i < others; i++) pthread_create(&threads[i], NULL, hammer, (void *)(i + 1));
    hammer((void *)3);
    for (int i = 0; i < others; i++) pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
