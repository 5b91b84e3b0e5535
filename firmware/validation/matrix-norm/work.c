#include "matrix.h"

static long row_sum(const struct job *job, int r)
{
    const int *p = job->cell + r * job->cols;
    long s = 0;

    for (int c = 0; c < job->cols; c++)
        s += (long)p[c] * p[c];
    return s;
}

void *row_worker(void *arg)
{
    struct job *job = arg;
    long mine = 0;
    int r;

    while ((r = job_next_row(job)) >= 0)
        mine += row_sum(job, r);

#ifdef FIXED
    pthread_mutex_lock(&job->lock);
#endif
    job->norm2 = (job->norm2 + mine) % MODULUS; /* bug: 1, 2, 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&job->lock);
#endif
    return NULL;
}
