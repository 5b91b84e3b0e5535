/* Each thread sums a part of an array, in doubles and in integers; results come back through join. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define LENGTH 300

static int values[LENGTH];

struct sums {
    long long squares;
    double halves;
};

static void *sum(void *argument) {
    int part = *(int *)argument;
    struct sums *sums = calloc(1, sizeof *sums);
    for (int i = part * LENGTH / THREADS; i < (part + 1) * LENGTH / THREADS; i++) {
        sums->squares += (long long)values[i] * values[i];
        sums->halves += values[i] / 2.0;
    }
    return sums;
}

int main(void) {
    pthread_t threads[THREADS];
    int parts[THREADS];
    struct sums all = {0, 0};
    for (int i = 0; i < LENGTH; i++) values[i] = i * 37 % 1001;
    for (int i = 0; i < THREADS; i++) {
        parts[i] = i;
        pthread_create(&threads[i], NULL, sum, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        struct sums *part = result;
        all.squares += part->squares;
        all.halves += part->halves;
        free(part);
    }
    printf("squares %lld, halves %.1f, mean %5.2f\n", all.squares, all.halves, all.halves * 2 / LENGTH);
    return 0;
}
