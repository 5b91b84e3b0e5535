#include "matrix.h"

#include <stdlib.h>

struct job *job_create(int rows, int cols)
{
    struct job *j = malloc(sizeof *j);

    if (j == NULL)
        return NULL;
    j->cell = malloc(sizeof(int) * (size_t)(rows * cols));
    if (j->cell == NULL) {
        free(j);
        return NULL;
    }
    j->rows = rows;
    j->cols = cols;
    j->next_row = 0;
    j->norm2 = 0;
    pthread_mutex_init(&j->lock, NULL);
    for (int i = 0; i < rows * cols; i++)
        j->cell[i] = (i * 7 + 3) % 11 - 5;
    return j;
}

void job_destroy(struct job *job)
{
    pthread_mutex_destroy(&job->lock);
    free(job->cell);
    free(job);
}

/* -1 when all rows are gone */
int job_next_row(struct job *job)
{
    int r = -1;

    pthread_mutex_lock(&job->lock);
    if (job->next_row < job->rows)
        r = job->next_row++;
    pthread_mutex_unlock(&job->lock);
    return r;
}
