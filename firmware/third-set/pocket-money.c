/*
 * Bank transfers, the first exercise of the second lecture: every account has
 * a lock, a transfer takes both.
 *
 * Bug: transfer() locks in the order of its arguments. Two transfers in
 * opposite directions each hold one lock and wait for the other.
 *
 * validate:
 *   kind: deadlock
 *   variable: accounts[].lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <stdio.h>
#include <pthread.h>

typedef struct {
    const char     *owner;
    int             cents;
    pthread_mutex_t lock;
} account_t;

#define ANNA   0
#define BEN    1
#define CLARA  2

static account_t accounts[3] = {
    { "Anna",  500, PTHREAD_MUTEX_INITIALIZER },
    { "Ben",   300, PTHREAD_MUTEX_INITIALIZER },
    { "Clara", 200, PTHREAD_MUTEX_INITIALIZER },
};

static int transfer(account_t *from, account_t *to, int cents)
{
    int done = 0;
#ifdef FIXED
    account_t *first = from < to ? from : to;
    account_t *second = from < to ? to : from;

    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
#else
    pthread_mutex_lock(&from->lock);        /* bug: 1, 2 */
    pthread_mutex_lock(&to->lock);          /* bug: 3, 4 */
#endif
    if (from->cents >= cents) {
        from->cents -= cents;
        to->cents += cents;
        done = 1;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return done;
}

static pthread_barrier_t sunday;

static void *lend(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&sunday);
    for (int i = 0; i < 2; i++)
        transfer(&accounts[ANNA], &accounts[BEN], 50);
    return NULL;
}

static void *pay_back(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&sunday);
    transfer(&accounts[BEN], &accounts[ANNA], 25);
    return NULL;
}

/* Looks at one account after the other, never at two. */
static void *curious(void *arg)
{
    int *richest = arg;

    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&accounts[i].lock);
        if (accounts[i].cents > *richest)
            *richest = accounts[i].cents;
        pthread_mutex_unlock(&accounts[i].lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    int richest = 0, sum = 0;

    pthread_barrier_init(&sunday, NULL, 2);
    pthread_create(&a, NULL, lend, NULL);
    pthread_create(&c, NULL, curious, &richest);
    pthread_create(&b, NULL, pay_back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    for (int i = 0; i < 3; i++)
        sum += accounts[i].cents;
    printf("%d cents, %s has %d\n", sum, accounts[ANNA].owner, accounts[ANNA].cents);
    return sum == 1000 ? 0 : 1;
}
