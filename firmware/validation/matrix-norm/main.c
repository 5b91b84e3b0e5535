/*
 * matrix-norm/main.c
 *
 * Squared Frobenius norm of a small integer matrix.  Rows are handed out by a
 * locked dispenser (rows.c); each worker keeps a private sum and adds it to
 * the job's result when no rows are left.
 *
 * The bug (work.c): the private sums are merged into job->norm2 without the
 * job lock.  Two workers that finish at the same time lose one of the sums.
 * It happens at most once in each worker's life.
 *
 * validate:
 *   kind: lost-update
 *   variable: job->norm2
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>

#define NWORK 3

int main(void)
{
    struct job *job = job_create(15, 8);
    pthread_t tid[NWORK];
    long want = 0;
    int bad;

    if (job == NULL) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    for (int i = 0; i < job->rows * job->cols; i++)
        want += (long)job->cell[i] * job->cell[i];

    for (int i = 0; i < NWORK; i++)
        pthread_create(&tid[i], NULL, row_worker, job);
    for (int i = 0; i < NWORK; i++)
        pthread_join(tid[i], NULL);

    printf("norm^2 = %ld (mod)\n", job->norm2);
    bad = job->norm2 != want % MODULUS;
    job_destroy(job);
    return bad;
}
