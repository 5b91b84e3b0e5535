/* Many detached threads, one after the other: the memory of each serves a later one. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 40, FEW = 6 };

static void *end_at_once(void *argument) {
    return argument;
}

/* Everybody else gets as far as possible meanwhile. */
static void let_others_end(void) {
    usleep(20000);
}

static void count_blocks(int detach_after_the_end) {
    pthread_t seen[THREADS];
    int different = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, end_at_once, NULL);
        if (detach_after_the_end) let_others_end();
        pthread_detach(thread);
        let_others_end();
        int known = 0;
        for (int j = 0; j < different; j++) known |= pthread_equal(seen[j], thread);
        if (!known) seen[different++] = thread;
    }
    puts(different <= FEW ? "few blocks" : "a block for every thread");
}

int main(void) {
    count_blocks(0);
    count_blocks(1);
    return 0;
}
