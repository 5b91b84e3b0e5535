/*
 * A spreadsheet that several people edit. A column keeps the total of its
 * cells, so that nobody has to add them up. An auditor compares totals with
 * cells now and then.
 *
 * Bug: setting a cell changes the cell with the lock of the cells and then the
 * total with the lock of the totals. In between the two do not fit together,
 * and the auditor sees that.
 *
 * validate:
 *   kind: several-variables
 *   variable: columns[].cells[], columns[].total
 *   threads: 4
 *   fails-by: assertion
 *   rare: no
 */
#include "sheet.h"

#include <pthread.h>

struct column {
    pthread_mutex_t cells_lock;
    int cells[ROWS];
    int edits;
    pthread_mutex_t total_lock;
    int total;
};

static struct column columns[COLUMNS] = {
    { .cells_lock = PTHREAD_MUTEX_INITIALIZER, .total_lock = PTHREAD_MUTEX_INITIALIZER },
    { .cells_lock = PTHREAD_MUTEX_INITIALIZER, .total_lock = PTHREAD_MUTEX_INITIALIZER },
};

void sheet_set(int row, int column, int value)
{
    struct column *c = &columns[column];
    int change;

    pthread_mutex_lock(&c->cells_lock);
    change = value - c->cells[row];
    c->cells[row] = value;                      /* bug: 1 */
    c->edits++;
#ifndef FIXED
    pthread_mutex_unlock(&c->cells_lock);       /* bug */
#endif
    pthread_mutex_lock(&c->total_lock);         /* bug */
    c->total += change;                         /* bug: 4 */
    pthread_mutex_unlock(&c->total_lock);
#ifdef FIXED
    pthread_mutex_unlock(&c->cells_lock);
#endif
}

int sheet_get(int row, int column)
{
    struct column *c = &columns[column];
    int value;

    pthread_mutex_lock(&c->cells_lock);
    value = c->cells[row];
    pthread_mutex_unlock(&c->cells_lock);
    return value;
}

int sheet_check(int column)
{
    struct column *c = &columns[column];
    int sum = 0, total;

    pthread_mutex_lock(&c->cells_lock);
    for (int row = 0; row < ROWS; row++)
        sum += c->cells[row];                   /* bug: 2 */
    pthread_mutex_lock(&c->total_lock);
    total = c->total;                           /* bug: 3 */
    pthread_mutex_unlock(&c->total_lock);
    pthread_mutex_unlock(&c->cells_lock);
    return sum == total;
}
