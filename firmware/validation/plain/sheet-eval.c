/*
 * sheet-eval.c
 *
 * Worker threads evaluate the formulas of a small spreadsheet ("7-2-1").
 * Cells are handed out with an atomic counter, each result has its own place.
 *
 * Bug: the parser calls itself for the right-hand side, so a chain of minus
 * signs is evaluated from the right: 7-2-1 gives 6.
 *
 * validate:
 *   kind: plain
 *   variable: v
 *   threads: 4
 *   fails-by: exit
 */
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static const struct { const char *text; int want; } cell[] = {
    { "1+2+3", 6 }, { "40", 40 }, { "7-2-1", 4 }, { "10+5", 15 },
    { "3+9+100", 112 }, { "8-3", 5 },
};
#define CELLS ((int)(sizeof cell / sizeof cell[0]))

static int result[CELLS];
static atomic_int next_cell;

static int number(const char **p)
{
    int v = 0;

    while (isdigit((unsigned char)**p))
        v = v * 10 + (*(*p)++ - '0');
    return v;
}

static int expression(const char **p)
{
    int v = number(p);

#ifdef FIXED
    while (**p == '+' || **p == '-') {
        char op = *(*p)++;
        int w = number(p);
        v = op == '+' ? v + w : v - w;
    }
#else
    if (**p == '+') {
        ++*p;
        v += expression(p);
    } else if (**p == '-') {
        ++*p;
        v -= expression(p);                         /* bug */
    }
#endif
    return v;
}

static void *evaluator(void *arg)
{
    int k;

    while ((k = atomic_fetch_add(&next_cell, 1)) < CELLS) {
        const char *p = cell[k].text;
        result[k] = expression(&p);
    }
    return arg;
}

int main(void)
{
    pthread_t t[3];
    int wrong = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, evaluator, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    for (int k = 0; k < CELLS; k++)
        if (result[k] != cell[k].want) {
            printf("%s = %d?\n", cell[k].text, result[k]);
            wrong = 1;
        }
    return wrong;
}
