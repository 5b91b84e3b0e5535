#include "sheet.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define EDITS 5
#define AUDITS 4

typedef int (*formula)(int row);

static int doubled(int row)
{
    return 2 * sheet_get(row, 0) + row;
}

static int constant(int row)
{
    return 10 + row;
}

struct editor {
    formula compute;
    int column;
};

static void *editor(void *arg)
{
    struct editor *e = arg;

    for (int i = 0; i < EDITS; i++)
        sheet_set(i % ROWS, e->column, e->compute(i % ROWS) + i);
    return NULL;
}

static void *auditor(void *arg)
{
    int *audits = arg;

    for (int i = 0; i < AUDITS; i++) {
        assert(sheet_check(i % COLUMNS));       /* bug */
        ++*audits;
    }
    return NULL;
}

int main(void)
{
    struct editor editors[2] = { { constant, 0 }, { doubled, 1 } };
    pthread_t threads[3];
    int audits = 0;

    pthread_create(&threads[0], NULL, editor, &editors[0]);
    pthread_create(&threads[1], NULL, auditor, &audits);
    pthread_create(&threads[2], NULL, editor, &editors[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d audits\n", audits);
    return sheet_check(0) && sheet_check(1) ? 0 : 1;
}
