/*
 * leaf-stack.c -- work-sharing tree walk.
 *
 * A binary tree (heap order in an array) is summed by four workers that share
 * a stack of node numbers.  A worker pops a node, adds its weight and pushes
 * the children.
 *
 * Bug: stack_empty() is asked first, and the pop comes afterwards in its own
 * critical section.  If another worker takes the last entry in between, pop()
 * runs on an empty stack.
 *
 * validate:
 *   kind: check-then-act
 *   variable: stack.top
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#define NODES   63
#define WORKERS 4

struct stack {
    int item[NODES];
    int top;
    int unfinished;             /* nodes pushed but not yet processed */
    pthread_mutex_t lock;
};

static struct stack stack = { .lock = PTHREAD_MUTEX_INITIALIZER };
static int weight[NODES];

static void push(struct stack *s, int node)
{
    pthread_mutex_lock(&s->lock);
    s->item[s->top++] = node;
    s->unfinished++;
    pthread_mutex_unlock(&s->lock);
}

static void finished(struct stack *s)
{
    pthread_mutex_lock(&s->lock);
    s->unfinished--;
    pthread_mutex_unlock(&s->lock);
}

static bool all_done(struct stack *s)
{
    bool d;
    pthread_mutex_lock(&s->lock);
    d = s->unfinished == 0;
    pthread_mutex_unlock(&s->lock);
    return d;
}

#ifndef FIXED
static bool stack_empty(struct stack *s)
{
    bool e;
    pthread_mutex_lock(&s->lock);
    e = s->top == 0;                                        /* bug: 1 */
    pthread_mutex_unlock(&s->lock);
    return e;
}

static int pop(struct stack *s)
{
    int node;
    pthread_mutex_lock(&s->lock);
    assert(s->top > 0);                                     /* bug: 3 */
    node = s->item[--s->top];                               /* bug: 2 */
    pthread_mutex_unlock(&s->lock);
    return node;
}
#endif

static bool try_pop(struct stack *s, int *node)
{
#ifdef FIXED
    bool ok = false;
    pthread_mutex_lock(&s->lock);
    if (s->top > 0) {
        *node = s->item[--s->top];
        ok = true;
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
#else
    if (stack_empty(s))
        return false;
    *node = pop(s);
    return true;
#endif
}

static void *walk(void *arg)
{
    long *sum = arg;
    int n;

    while (!all_done(&stack)) {
        if (!try_pop(&stack, &n)) {
            sched_yield();
            continue;
        }
        *sum += weight[n];
        if (2 * n + 1 < NODES)
            push(&stack, 2 * n + 1);
        if (2 * n + 2 < NODES)
            push(&stack, 2 * n + 2);
        finished(&stack);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[WORKERS];
    long part[WORKERS] = { 0 }, total = 0, want = 0;

    for (int i = 0; i < NODES; i++)
        want += weight[i] = i % 9 + 1;
    push(&stack, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, walk, &part[i]);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(t[i], NULL);
        total += part[i];
    }
    printf("sum %ld\n", total);
    assert(total == want);
    return 0;
}
