#ifndef MATRIX_H
#define MATRIX_H

#include <pthread.h>

#define MODULUS 65521L           /* the result is wanted modulo this */

struct job {
    int rows, cols;
    int next_row;               /* next row nobody has taken yet */
    pthread_mutex_t lock;       /* protects next_row and norm2 */
    long norm2;
    int *cell;
};

struct job *job_create(int rows, int cols);
void job_destroy(struct job *job);
int job_next_row(struct job *job);
void *row_worker(void *arg);

#endif
