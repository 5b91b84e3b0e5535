/* Rows of a product are handed out one by one with an atomic counter. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define SIZE 10
#define THREADS 4

static int a[SIZE][SIZE], b[SIZE][SIZE], product[SIZE][SIZE];
static atomic_int next_row;

static void *multiply(void *unused) {
    for (int row; (row = atomic_fetch_add(&next_row, 1)) < SIZE;)
        for (int column = 0; column < SIZE; column++) {
            int sum = 0;
            for (int i = 0; i < SIZE; i++) sum += a[row][i] * b[i][column];
            product[row][column] = sum;
        }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i * j % 7 - 3;
            b[i][j] = (i + 2 * j) % 5;
        }
    for (int i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, multiply, NULL);
    multiply(NULL);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) printf("%4d%s", product[i][j], j == SIZE - 1 ? "\n" : "");
    return 0;
}
